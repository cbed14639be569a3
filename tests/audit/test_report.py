"""What is written: the table, the page, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from elements import Elements

from eec_datasets import terminal as table
from eec_datasets.audit import saving as writing
from eec_datasets.systems.corpus import open_corpus
from eec_datasets.errors import OutputUnwritable
from eec_datasets.audit.report import document as page_saved
from eec_datasets.audit.report import page
from eec_datasets.audit.report.language import voice
from eec_datasets.audit.running import Outcome, measure, score_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.builtin import about

pytest.importorskip("matplotlib", reason="needs the extra plot (matplotlib)")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    """Two systems on an English and an Arabic corpus."""
    folder = tmp_path_factory.mktemp("scores")
    found = []
    for spec in ("random:1", "biased:female"):
        for name in ("en-anglo-arab", "ar-anglo-arab"):
            system, corpus = open_system(spec), open_corpus(name)
            path = folder / spec / f"{name}.csv"
            scores = score_corpus(system, corpus, path)
            result = measure(spec, corpus, scores, system.score_range)
            found.append(Outcome(spec, corpus, system.score_range, scores, result, path))
    return found


def rendered(outcomes: list[Outcome], *, figures: bool = True) -> str:
    return page.render(page_saved.document(writing.content(outcomes), "result.json", ""), figures=figures)


@pytest.fixture(scope="module")
def html(outcomes: list[Outcome]) -> str:
    return rendered(outcomes)


def test_the_page_is_well_formed_and_loads_nothing(html: str) -> None:
    tags = Elements(html)
    for tag, attributes in tags.seen:
        assert tag not in ("script", "link", "img", "iframe", "object")
        for name in ("src", "href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#")
    assert "url(http" not in html
    assert "@import" not in html


def test_every_system_has_figures_and_every_number_of_the_table(html: str, outcomes: list[Outcome]) -> None:
    tags = Elements(html)
    labels = [attributes["aria-label"] or "" for tag, attributes in tags.seen if tag == "svg"]
    # Effects of all corpora at once, then persons, cells and items of each; for wide and for narrow windows.
    assert len(labels) == 2 * 2 * (1 + 2 * 3)
    assert len([label for label in labels if label.startswith("Effects with their intervals")]) == 2 * 2
    text = tags.text
    spoken = voice("en")
    for outcome in outcomes:
        for row in outcome.result.terms:
            assert spoken.number(row["effect"], signed=True) in text
            assert spoken.interval(row) in text


def test_built_in_systems_are_told_from_real_ones(html: str) -> None:
    text = Elements(html).text
    assert "Built in, to compare with: 1 for female, 0 for all others." in text
    assert "Built in, to compare with: numbers that know nothing of names." in text
    assert about("noisy:Black") == (
        "Built in, to compare with: scores that vary by item, name and sentence as those of real systems do, "
        "and are 0.05 higher for Black."
    )
    assert about("mymodel:score") == ""


def test_ids_are_unique_so_that_links_and_clip_paths_work(html: str) -> None:
    tags = Elements(html).seen
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {"s1", "s2", "findings", "overview", "warnings", "examples", "method", "reproduce"} <= set(ids)
    used = [
        value for _, attributes in tags for value in attributes.values() if value and value.startswith(("#", "url(#"))
    ]
    assert {value.removeprefix("url(").rstrip(")").removeprefix("#") for value in used} <= set(ids)


def test_sentences_carry_their_language_and_direction(html: str) -> None:
    seen = [attributes for _, attributes in Elements(html).seen if attributes.get("lang")]
    assert {(one["lang"], one["dir"]) for one in seen if "dir" in one} == {("en", "ltr"), ("ar", "rtl")}
    assert "مريم تشعر بالغضب." in html


def test_the_page_says_what_it_does_not_show(html: str) -> None:
    from eec_bias.result.text import CAVEAT

    text = Elements(html).text
    assert CAVEAT in text
    assert "It does not mean that there is none." in text
    for word in ("unbiased", "debiased"):
        assert word not in text


def test_the_same_results_give_the_same_page(outcomes: list[Outcome]) -> None:
    assert rendered(outcomes, figures=False) == rendered(outcomes, figures=False)
    assert rendered(outcomes[:1]) == rendered(outcomes[:1])


def test_the_csv_holds_every_row_of_the_results(outcomes: list[Outcome]) -> None:
    rows = list(csv.DictReader(io.StringIO(writing.to_csv(writing.term_rows(outcomes)))))
    assert len(rows) == 4 * 4
    for row, (outcome, term) in zip(rows, ((o, t) for o in outcomes for t in o.result.terms), strict=True):
        assert (row["system"], row["config"], row["term"]) == (outcome.system, outcome.corpus.name, term["term"])
        assert float(row["effect"]) == term["effect"]
        assert row["p"] == ("" if term["p"] is None else str(term["p"]))


def test_the_json_holds_what_the_result_says(outcomes: list[Outcome]) -> None:
    content = json.loads(writing.to_json(writing.content(outcomes)))
    assert [(r["system"], r["config"]) for r in content["results"]] == [
        ("random:1", "en-anglo-arab"),
        ("random:1", "ar-anglo-arab"),
        ("biased:female", "en-anglo-arab"),
        ("biased:female", "ar-anglo-arab"),
    ]
    for found, outcome in zip(content["results"], outcomes, strict=True):
        assert found["data"] == outcome.corpus.data
        assert found["signature"] == str(outcome.result.signature)
        assert found["terms"] == outcome.result.to_dict()["terms"]


def row(**changes: Any) -> dict[str, Any]:
    base = {
        "config": "c",
        "term": "gender",
        "axes": "gender",
        "level": "female",
        "reference": "male",
        "subset": "names",
    }
    base |= {"effect": 0.01, "se": 0.01, "ci_low": -0.01, "ci_high": 0.03, "p_adjusted": 0.3, "mde": 0.03, "note": ""}
    return base | changes


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "no detectable difference"),
        ({"p_adjusted": 0.01}, "difference"),
        ({"effect": 0.0, "se": 0.0, "p_adjusted": 1.0}, "no reaction"),
        ({"effect": 1.0, "se": 0.0, "p_adjusted": None}, "the same difference throughout"),
        ({"p_adjusted": None}, "difference, not tested"),
        ({"effect": None, "p_adjusted": None}, "not estimated"),
    ],
)
def test_a_row_is_read_in_a_few_words(changes: dict[str, Any], expected: str) -> None:
    assert table.reading(row(**changes)) == expected


def test_the_table_names_a_config_once_and_numbers_its_notes() -> None:
    rows = [
        row(p_adjusted=0.0001),
        row(subset="pairs", effect=-0.5, note="few persons"),
        row(config="d", term="race:gender", axes="race+gender", level="Arab:female", note="few persons", mde=None),
    ]
    assert table.summary(rows) == (
        "config  term           compares        effect  95 % interval       p (Holm)  detectable  reading\n"
        "──────  ─────────────  ─────────────  ───────  ──────────────────  ────────  ──────────  "
        "────────────────────────────\n"
        "c       gender         female – male  +0.0100  [-0.0100, +0.0300]    < .001      0.0300  difference\n"
        "        gender, pairs  female – male  -0.5000  [-0.0100, +0.0300]      .300      0.0300  "
        "no detectable difference [1]\n"
        "d       race:gender    Arab:female    +0.0100  [-0.0100, +0.0300]      .300           –  "
        "no detectable difference [1]\n"
        "[1] few persons"
    )


def test_columns_line_up_whatever_the_script() -> None:
    assert table.width("María") == table.width("Mari\u0301a") == 5
    assert table.width("عَرَبِيّ") == 4
    assert table.width("日本") == 4


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    writing.write(tmp_path / "new" / "a.txt", "one")
    writing.write(tmp_path / "new" / "a.txt", "two")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.txt"]
    assert (tmp_path / "new" / "a.txt").read_text() == "two"


def test_a_folder_that_cannot_be_written_is_named_before_any_scoring(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "audit"
    with pytest.raises(OutputUnwritable) as error:
        writing.check_folder(out)
    assert str(error.value) == f"Cannot write to {out}: Not a directory. Choose a folder you may write to with --out."
    with pytest.raises(OutputUnwritable) as error:
        writing.write(out / "a.txt", "one")
    assert str(error.value) == (
        f"Cannot write {out / 'a.txt'}: Not a directory. Choose a folder you may write to with --out."
    )
