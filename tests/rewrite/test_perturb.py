"""From texts to rows: selection, counts, the file and its report, the command."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

import eec_datasets
from eec_datasets.cli import main
from eec_datasets.errors import EecError
from eec_datasets.rewrite.language import LanguageError
from eec_datasets.rewrite.perturbation import PerturbError, perturb, stream
from eec_datasets.rewrite.report import OutputError
from eec_datasets.rewrite.sampling import SampleError

NAMES = {"Maria": "female", "Adam": "male"}
TEXTS = [
    "She lost her keys.",
    "He is late.",
    "Nothing here.",
    "He told her.",
    "The doctor said he was busy.",
    "I gave her flowers.",
    "I trust him.",
]


def test_rows_hold_the_original_and_every_name_with_its_labels():
    rows = perturb(TEXTS, "en", [{"name": "Maria", "gender": "female", "career": "artist"}]).table().to_pylist()
    assert [row["id"] for row in rows] == [
        f"{item}/{person}" for item in ("s0000001", "s0000002", "s0000007") for person in ("original", "maria")
    ]
    assert rows[0] == {
        "id": "s0000001/original", "text": "She lost her keys.", "language": "en", "template": "s0000001",
        "emotion": "none", "word": "none", "word_form": "none", "speaker": "none", "person": "original",
        "person_form": "none", "person_type": "original", "gender": "unmarked", "race": "unmarked",
        "career": "unmarked", "item": "s0000001", "pair": "s0000001", "word_status": "none", "anchor": "female",
    }  # fmt: skip
    assert rows[1]["text"] == "Maria lost her keys."
    assert (rows[1]["gender"], rows[1]["career"], rows[1]["person_type"]) == ("female", "artist", "name")


def test_everything_left_out_is_counted_by_reason_and_gender():
    found = eec_datasets.perturb(TEXTS, "en", NAMES)
    assert dict(found.report.rewritten) == {"female": 1, "male": 2}
    assert found.left_out == {
        "antecedent": {"male": 1},
        "both-genders": {"both": 1},
        "her-ambiguous": {"female": 1},
        "no-anchor": {"none": 1},
    }
    assert found.report.texts == len(TEXTS)
    assert found.report.texts == found.report.rewritten.total() + found.report.left_out.total()


def test_the_sample_is_balanced_and_drawn_by_the_seed():
    texts = [f"{pronoun} is number {n}." for n in range(40) for pronoun in (["She", "He", "He"])]
    one = perturb(texts, "en", NAMES, sample=10, seed=1)
    again = perturb(texts, "en", NAMES, sample=10, seed=1)
    other = perturb(texts, "en", NAMES, sample=10, seed=2)
    assert Counter(rewrite.anchor for rewrite in one.rewrites) == {"female": 5, "male": 5}
    assert one.rewrites == again.rewrites
    assert one.rewrites != other.rewrites
    assert [rewrite.id for rewrite in one.rewrites] == sorted(rewrite.id for rewrite in one.rewrites)


def test_the_womens_sample_does_not_depend_on_how_many_men_there_are():
    women = [f"She is number {n}." for n in range(40)]
    few, many = women + ["He left."] * 5, women + ["He left."] * 50
    drawn = [
        [r.text for r in perturb(texts, "en", NAMES, sample=10).rewrites if r.anchor == "female"]
        for texts in (few, many)
    ]
    assert drawn[0] == drawn[1]


def test_every_sentence_is_equally_likely_to_be_drawn():
    texts = ["He left."] + [f"She is number {n}." for n in range(10)]
    drawn = Counter(
        rewrite.text for seed in range(400) for rewrite in perturb(texts, "en", NAMES, sample=2, seed=seed).rewrites
    )
    assert set(drawn) == set(texts)
    assert all(15 <= drawn[text] <= 75 for text in texts[1:])  # 40 expected, five standard deviations


def test_texts_stream_and_are_read_once():
    seen = []

    def texts():
        for text in TEXTS:
            seen.append(text)
            yield text

    rewrites = iter(stream(texts(), "en", NAMES).rewrites)
    assert next(rewrites).text == TEXTS[0]
    assert seen == TEXTS[:1]
    assert [rewrite.id for rewrite in rewrites] == ["s0000002", "s0000007"]


@pytest.mark.parametrize(
    ("texts", "options", "error", "message"),
    [
        ([], {}, PerturbError, "There are no texts: nothing was read. Give a source with at least one text"),
        (
            ["Nothing.", "Nobody."],
            {},
            PerturbError,
            "None of the 2 texts can be rewritten in the language 'en'. Why, for most of them: 2: No pronoun of the "
            "third person singular stands in the text.",
        ),
        (
            "He left.",
            {},
            PerturbError,
            "The texts are one string; expected several, such as a list or a file that is open for reading.",
        ),
        (["He left.", None], {}, PerturbError, "Text 2 is of type NoneType; expected strings. Leave out missing ones"),
        (["He left."], {"max_words": 0}, PerturbError, "max_words is 0; expected 1 or more, or None for 5,000."),
        (
            ["He left."],
            {"sample": 3},
            SampleError,
            "A sample of 3 cannot be balanced: expected a multiple of 2, so that each of female, male gets the same "
            "number.",
        ),
        (
            ["He left.", "He stayed.", "She left."],
            {"sample": 4},
            SampleError,
            "A sample of 4 needs 2 sentences of each gender; the texts have 1 with female anchors, 2 with male anchors "
            "that can be rewritten. Ask for 2 at most",
        ),
        (
            ["He left."],
            {"sample": 2},
            SampleError,
            "A sample of 2 needs 1 sentences of each gender; the texts have 0 with female anchors, 1 with male anchors "
            "that can be rewritten. Give texts with anchors of both genders, or take no sample",
        ),
        (
            ["هذا هو البيت الذي رأيته أمس في المدينة القديمة"] * 5,
            {},
            LanguageError,
            "The texts are not in the language 'en': 100% of their words are in Arabic script, where Latin was "
            "expected. Name the language they are in",
        ),
    ],
)
def test_what_cannot_be_done_is_told(texts, options, error, message):
    with pytest.raises(error) as caught:
        perturb(texts, "en", NAMES, **options)
    assert isinstance(caught.value, EecError)
    assert str(caught.value) == message


def test_texts_in_another_language_are_told_with_the_share_of_common_words(tmp_path):
    for tag, words in (("aa", "el la de que"), ("bb", "the of and to")):
        (tmp_path / tag).mkdir()
        (tmp_path / tag / "anchors.toml").write_text(
            f"""schema = 1
agreement = {{ female = "f" }}
roles = {{ nom = "{{form}}" }}
language = {{ words = "{words}" }}
readings = {{ nom = {{ first = "{{nom}}", f = "she" }} }}
rules = []
""",
            encoding="utf-8",
        )
    texts = ["la casa de mi tía que vino"] * 10
    with pytest.raises(LanguageError) as caught:
        perturb(texts, "bb", {"Ann": "female"}, root=tmp_path)
    assert str(caught.value) == (
        "The texts do not seem to be in the language 'bb': 0% of their words are common words of it, 43% are common "
        "words of 'aa'. Say --locale aa, or leave those texts out"
    )
    with pytest.raises(PerturbError):
        perturb(texts, "aa", {"Ann": "female"}, root=tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "my texts"
    place.mkdir()
    (place / "t.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    (place / "n.txt").write_text("Maria,female\nAdam,male\n", encoding="utf-8")
    return place


def run(folder: Path, *options: str, out: str = "out.csv"):
    names = str(folder / "n.txt")
    return CliRunner().invoke(
        main,
        ["perturb", str(folder / "t.txt"), "--locale", "en", "--names", names, "--out", str(folder / out), *options],
    )


def test_the_command_writes_rows_and_report_and_prints_the_counts(folder):
    found = run(folder)
    assert found.exit_code == 0, found.output
    assert (
        found.output
        == f"""\
                         female anchors  male anchors  both or none  all
texts                                                                  7
rewritten                             1             2                  3
left out: antecedent                                1                  1
left out: both-genders                                            1    1
left out: her-ambiguous               1                                1
left out: no-anchor                                               1    1

Why texts are left out:
  antecedent: Another word of the text may say who is meant (the doctor … he, everyone … his).
  both-genders: Pronouns of both genders stand in the text.
  her-ambiguous: her may be the object or the possessive.
  no-anchor: No pronoun of the third person singular stands in the text.

Written: {folder / "out.csv"} (9 rows) and {folder / "out.csv.report.json"}
"""
    )
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        assert [row["text"] for row in csv.DictReader(file)][:3] == [
            "She lost her keys.",
            "Maria lost her keys.",
            "Adam lost his keys.",
        ]
    report = json.loads((folder / "out.csv.report.json").read_text(encoding="utf-8"))
    assert report["rewritten"] == report["sentences"] == {"female": 1, "male": 2}
    assert report["left_out"]["antecedent"] == {
        "what": "Another word of the text may say who is meant (the doctor … he, everyone … his).",
        "male": 1,
    }
    assert (report["texts"], report["persons"], report["rows"]) == (7, 2, 9)


def test_rows_of_a_person_whom_the_text_names_already_are_left_out_and_counted(folder):
    (folder / "n.txt").write_text("Paris,female\nAnn,female\n", encoding="utf-8")
    (folder / "t.txt").write_text("He lives in Paris.\nShe is here.\n", encoding="utf-8")
    found = run(folder)
    assert "\n1 rows left out: the text names the person already.\n" in found.output
    assert json.loads((folder / "out.csv.report.json").read_text(encoding="utf-8"))["named_already"] == {"paris": 1}


def test_a_sample_is_said_in_the_table(folder):
    found = run(folder, "--sample", "2", out="out.parquet")
    assert "\n  of these drawn                      1             1                  2\n" in found.output
    again = run(folder, "--sample", "2", out="again.parquet")
    assert again.exit_code == 0
    assert (folder / "out.parquet").read_bytes() == (folder / "again.parquet").read_bytes()


def test_nothing_is_left_behind_where_the_command_fails(folder):
    (folder / "t.txt").write_bytes("He left.\nPe\xf1a left him.\n".encode("latin-1"))
    before = sorted(folder.iterdir())
    found = run(folder)
    assert found.exit_code == 1
    assert found.output == (
        f"Error: {folder / 't.txt'}:2: byte 3 of the line is 0xf1, which is not UTF-8; the file may be Latin-1 "
        "(Windows). Save it as UTF-8 and look at the accents again\n"
    )
    assert sorted(folder.iterdir()) == before


def test_a_file_that_is_there_is_not_replaced_unless_asked(folder):
    assert run(folder).exit_code == 0
    assert run(folder).exit_code == 1
    assert run(folder, "--overwrite").exit_code == 0


def test_the_help_says_what_comes_next():
    text = CliRunner().invoke(main, ["perturb", "--help"]).output
    assert "eec measure scores.csv --data perturbed.parquet --method perturbation" in text
    assert "--sample 1000" in text


def test_without_room_for_the_report_no_rows_are_written(tmp_path):
    (tmp_path / "out.csv.report.json").mkdir()
    with pytest.raises(OutputError) as caught:
        perturb(["He left."], "en", {"Maria": "female"}).write(tmp_path / "out.csv")
    assert str(caught.value) == (
        f"Cannot write {tmp_path / 'out.csv.report.json'}: Is a directory. Nothing was written; choose another place"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv.report.json"]
