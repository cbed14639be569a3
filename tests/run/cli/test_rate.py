"""``eec rate`` and the data sets of the paper, as a user calls them; and its reference systems."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import eec, succeed
from snapshots import Snapshot
from texts import csv_rows


def test_the_biased_system_has_the_papers_scores(tmp_path: Path) -> None:
    out = tmp_path / "a rating"
    result = succeed("rate", "--system", "biased:female", "--weights", 1, 0.7, 0.6, "--out", out)
    found = json.loads((out / "rating.json").read_text(encoding="utf-8"))
    assert [found[f"wrs[{group}]"] for group in ("1", "3_R", "3_G", "3_RG")] == [23, 23, 23, 69]
    assert found["rating"] == 3
    assert result.output.startswith(
        "Data groups 1, 2, 3, 4 of Lakkaraju et al. (2022) from en-black-white, seed 0, case 1 of group 2. "
        "2,080 sentences, not reviewed by a native speaker.\n\nratings\n"
    )
    assert ["biased:female", *"3333333"] in [line.split() for line in result.output.splitlines()]


def test_every_table_is_saved_as_csv_and_latex(tmp_path: Path, snapshot: Snapshot) -> None:
    eec("rate", "--system", "biased:female", "--system", "random:1", "--out", tmp_path)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    snapshot.check("rate-files", "\n".join(file for file in files if not file.startswith("scores/")))
    rows = csv_rows(tmp_path / "tables" / "ratings.csv")
    assert [row["system"] for row in rows] == ["biased:female", "random:1"]
    assert "not size-controlled" in (tmp_path / "rating.txt").read_text(encoding="utf-8")
    assert len(csv_rows(tmp_path / "sentences.csv")) == 2080
    assert (tmp_path / "terms.csv").read_text(encoding="utf-8").startswith("system,term,axes,level,reference,subset,")


def test_a_language_is_enough_and_two_levels_give_half_the_score(tmp_path: Path) -> None:
    options = ("--language", "ar", "--weights", 1, 0.7, 0.6, "--out", tmp_path)
    result = succeed("rate", "--system", "biased:female", *options)
    found = json.loads((tmp_path / "rating.json").read_text(encoding="utf-8"))
    assert [found["wrs[1]"], found["wrs[3_G]"], found["wrs[3_R]"]] == [11.5, 11.5, 0]
    assert "Two levels of gender, without a neutral reference: Arabic has no neutral reference" in result.output


def test_every_seed_has_scores_of_its_own(tmp_path: Path) -> None:
    for seed in (0, 1):
        succeed(
            "rate",
            "--system",
            "random:1:discrete",
            "--language",
            "es",
            "--seed",
            seed,
            "--out",
            tmp_path,
            "--overwrite",
        )
    assert len(list((tmp_path / "scores").rglob("*.csv"))) == 2


@pytest.mark.usefixtures("here")
def test_scores_of_other_ranges_are_moved_to_the_papers() -> None:
    Path("stars.py").write_text("def score(texts):\n    return [5 if 'happy' in t else 1 for t in texts]\n")
    succeed("rate", "--system", "stars:score", "--score-range", 1, 5)
    found = json.loads(Path("rating/rating.json").read_text(encoding="utf-8"))
    assert found["score_range"] == [-1, 1]
    assert found["ate[2/E3]"] == 2
    assert [found["rating"], found["rating_absolute"]] == [1, 1]
    assert [found[f"wrs[{group}]"] for group in ("1", "3_R", "3_G", "3_RG")] == [0, 0, 0, 0]
    assert [found["die[2]"], found["die[4]"]] == [0, 0]


@pytest.mark.usefixtures("here")
def test_scores_moved_to_the_papers_range_are_not_called_narrow() -> None:
    Path("upper.py").write_text("def score(texts):\n    return [0.9 if 'happy' in t else 0.6 for t in texts]\n")
    noted = [
        eec("rate", "--system", "upper:score", *more).output for more in ((), ("--score-range", -1, 1, "--out", "b"))
    ]
    assert ["within the declared score range -1 to 1" in output for output in noted] == [False, True]


@pytest.mark.usefixtures("here")
def test_sets_of_a_data_group_are_written_and_measured() -> None:
    succeed("sentences", "en-black-white", "--confounded", 1, "--confounded", 3, "--out", "sets.csv")
    rows = pd.read_csv("sets.csv", keep_default_na=False)
    assert set(rows["group"]) == {1, 3}
    rows["score"] = np.where(rows["gender"] == "female", 1, -1)
    rows.to_csv("sets.csv", index=False)
    weights = (part for level in (".95=1", ".7=.7", ".6=.6") for part in ("--weight", level))
    done = succeed("measure", "sets.csv", "--method", "rating", "--score-range", -1, 1, *weights, "--format", "json")
    found = json.loads(done.stdout)
    assert [found[f"wrs[{group}]"] for group in ("1", "3_R", "3_G", "3_RG")] == [23, 23, 23, 69]


def test_groups_of_two_axes_stand_in_a_report(tmp_path: Path) -> None:
    systems = ("--system", "biased:female", "--system", "random:1")
    succeed("rate", *systems, "--out", tmp_path / "rating")
    succeed("report", tmp_path / "rating" / "rating.json", "--out", tmp_path / "report")
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "difference of differences: " not in page
    assert "white female − NA" in page


@pytest.mark.usefixtures("here")
def test_any_system_is_rated_in_its_discrete_form() -> None:
    Path("halves.py").write_text("def score(texts):\n    return [0.9 if 'happy' in t else 0.6 for t in texts]\n")
    succeed("rate", "--system", "halves:score:discrete")
    rows = csv_rows(Path("rating/tables/ratings.csv"))
    assert [row["system"] for row in rows] == ["halves:score:discrete"]
    found = json.loads(Path("rating/rating.json").read_text(encoding="utf-8"))
    assert found["ate[2/E3]"] == 0  # both scores lie above the middle


@pytest.mark.usefixtures("here")
def test_systems_are_rated_in_both_forms_when_asked() -> None:
    succeed("rate", "--system", "biased:female", "--system", "random:1", "--discrete")
    rows = csv_rows(Path("rating/tables/ratings.csv"))
    assert [row["system"] for row in rows] == [
        "biased:female", "biased:female:discrete", "random:1", "random:1:discrete",
    ]  # fmt: skip


def own_table(path: Path) -> Path:
    """Women's texts are more often about z, which scores high; a woman scores .05 more in every topic."""
    lines = ["score,gender,topic,author"]
    for number in range(120):
        topic = number % 3
        gender = "female" if number // 3 % 4 < topic + 1 else "male"
        score = 0.3 + 0.15 * topic + 0.05 * (gender == "female") + 0.001 * (number % 7)
        lines.append(f"{score:.4f},{gender},{'xyz'[topic]},a{number // 4}")
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def test_groups_of_an_own_table_are_compared_at_the_same_topics(tmp_path: Path) -> None:
    table = own_table(tmp_path / "reviews.csv")
    done = succeed("rate", "--data", table, "--group", "gender", "--given", "topic", "--out", tmp_path / "out")
    assert "gender, adjusted for topic (120 rows, sampled: rows)" in done.output
    (row,) = csv_rows(tmp_path / "out" / "differences.csv")
    assert (row["system"], row["level"], row["reference"]) == ("score", "female", "male")
    assert float(row["unadjusted"]) > 0.1
    assert float(row["adjusted"]) == pytest.approx(0.05, abs=0.002)
    assert float(row["ci_low"]) < 0.05 < float(row["ci_high"])


def test_the_overlap_of_an_own_table_is_written(tmp_path: Path) -> None:
    table = own_table(tmp_path / "reviews.csv")
    succeed("rate", "--data", table, "--group", "gender", "--given", "topic", "--out", tmp_path / "out")
    rows = csv_rows(tmp_path / "out" / "overlap.csv")
    assert [(row["topic"], row["female"], row["male"]) for row in rows] == [
        ("x", "10", "30"), ("y", "20", "20"), ("z", "30", "10"),
    ]  # fmt: skip


def test_a_topic_of_one_group_alone_is_named(tmp_path: Path) -> None:
    table = own_table(tmp_path / "reviews.csv")
    table.write_text(table.read_text(encoding="utf-8").replace(",male,x,", ",male,w,"), encoding="utf-8")
    arguments = ("rate", "--data", table, "--group", "gender", "--given", "topic", "--out", tmp_path / "out")
    done = eec(*arguments)
    assert done.exit_code == 1
    assert "no row of female has topic 'w' (30 rows of others do)" in done.output
    assert "--shared to compare only where every group has rows" in done.output
    assert "40 of 120 rows" in succeed(*arguments, "--shared").output


def test_a_rating_names_no_option_that_it_does_not_have() -> None:
    done = succeed("rate", "--system", "openai:x", "--base-url", "http://localhost:9/v1", "--dry-run")
    assert "No call was made." in done.output
    assert "--leave-out-unanswered" not in done.output
