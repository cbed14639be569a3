"""``eec audit --method rating``, and the data sets of the paper, as a user calls them."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import eec, refused, succeed
from texts import csv_rows

WEIGHTS = [part for level in (".95=1", ".7=.7", ".6=.6") for part in ("--weight", level)]


def rate(*systems: str, more: tuple[object, ...] = ()) -> dict[str, dict[str, float]]:
    """Return what the rating saves of each system."""
    asked = [part for name in systems for part in ("--system", name)]
    succeed("audit", *asked, "--method", "rating", *more)
    (found,) = json.loads(Path("audit/result.json").read_text(encoding="utf-8"))["measurements"]
    if len(systems) == 1:
        return {systems[0]: found}
    return {
        name: {key.partition("/")[2]: found[key] for key in found if key.startswith(f"{name}/")} for name in systems
    }


@pytest.mark.usefixtures("here")
def test_the_biased_system_has_the_papers_scores() -> None:
    found = rate("biased:female", more=tuple(WEIGHTS))["biased:female"]
    assert [found[f"wrs[{group}]"] for group in ("1", "3_R", "3_G", "3_RG")] == [23, 23, 23, 69]
    assert found["rating"] == 3


@pytest.mark.usefixtures("here")
def test_numbers_tables_pages_and_scores_are_written_and_reported() -> None:
    done = succeed("audit", "--system", "biased:female", "--system", "random:1", "--method", "rating")
    assert done.output.startswith(
        "Data groups 1, 2, 3, 4 of Lakkaraju et al. (2022) from en-black-white, seed 0, case 1 of group 2. "
        "2,080 sentences, not reviewed by a native speaker.\n\nratings\n"
    )
    files = sorted(path.relative_to("audit").as_posix() for path in Path("audit").rglob("*") if path.is_file())
    scores = [f"scores/{name}/en-black-white-confounded.csv" for name in ("biased-female", "random-1")]
    assert files == ["manifest.json", "report.html", "report.md", "result.json", *scores, "tables.tex", "terms.csv"]
    assert len(csv_rows(Path("audit/terms.csv"))) > 100
    succeed("report", "audit/result.json", "--out", "again")
    page = Path("again/report.html").read_text(encoding="utf-8")
    assert "No difference was found" not in page
    assert "biased:female · wrs · 1" in page


@pytest.mark.usefixtures("here")
def test_a_language_is_enough_and_two_levels_give_half_the_score() -> None:
    found = rate("biased:female", more=("--language", "ar", *WEIGHTS))["biased:female"]
    assert [found["wrs[1]"], found["wrs[3_G]"], found["wrs[3_R]"]] == [11.5, 11.5, 0]


@pytest.mark.usefixtures("here")
def test_scores_of_other_ranges_are_moved_to_the_papers() -> None:
    Path("stars.py").write_text("def score(texts):\n    return [5 if 'happy' in t else 1 for t in texts]\n")
    found = rate("stars:score", more=("--score-range", 1, 5))["stars:score"]
    assert found["score_range"] == [-1, 1]
    assert found["ate[2/E3]"] == 2
    assert [found["rating"], found["rating_absolute"]] == [1, 1]
    assert [found[f"wrs[{group}]"] for group in ("1", "3_R", "3_G", "3_RG")] == [0, 0, 0, 0]
    assert [found["die[2]"], found["die[4]"]] == [0, 0]


@pytest.mark.usefixtures("here")
def test_sets_of_a_data_group_are_written_and_measured() -> None:
    succeed("sentences", "en-black-white", "--confounded", 1, "--confounded", 3, "--out", "sets.csv")
    rows = pd.read_csv("sets.csv", keep_default_na=False)
    assert set(rows["group"]) == {1, 3}
    rows["score"] = np.where(rows["gender"] == "female", 1, -1)
    rows.to_csv("sets.csv", index=False)
    done = succeed("measure", "sets.csv", "--method", "rating", "--score-range", -1, 1, *WEIGHTS, "--format", "json")
    found = json.loads(done.stdout)
    assert [found[f"wrs[{group}]"] for group in ("1", "3_R", "3_G", "3_RG")] == [23, 23, 23, 69]


@pytest.mark.parametrize("option", [("--margin", 0.1), ("--names", 5), ("--fail-on", "found")])
def test_options_of_the_default_test_are_refused(option: tuple[object, ...]) -> None:
    told = refused("audit", "--system", "random:1", "--method", "rating", *option, code=2)
    assert f"{option[0]} is for the default test" in told


def test_options_of_the_rating_are_refused_without_it() -> None:
    assert "levels" in refused("audit", "--system", "random:1", "--levels", 3, code=2)


def test_a_sentence_without_a_score_is_refused(here: Path) -> None:
    Path("mute.py").write_text("def score(texts):\n    return [None if 'happy' in t else 0.5 for t in texts]\n")
    told = refused("audit", "--system", "mute:score", "--method", "rating")
    assert "sentences have no score, and a rating needs them all" in told
    assert not (here / "audit").exists()


def test_calls_of_a_rating_are_counted_first() -> None:
    done = eec(
        "audit", "--system", "openai:x", "--base-url", "http://localhost:9/v1", "--method", "rating", "--dry-run"
    )
    assert "No call was made." in done.output
    assert "--leave-out-unanswered" not in done.output
