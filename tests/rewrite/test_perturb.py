"""From texts to rows: selection, counts, the file and its report, the command."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from snapshots import Snapshot, refusal

import eec_datasets
from eec_datasets.cli import main
from eec_datasets.errors import OutputUnwritable
from eec_datasets.rewrite.perturbation import perturb

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
    assert [row["text"] for row in rows[:2]] == ["She lost her keys.", "Maria lost her keys."]
    assert [(row["gender"], row["career"]) for row in rows[:2]] == [("unmarked", "unmarked"), ("female", "artist")]


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

    rewrites = iter(perturb(texts(), "en", NAMES, stream=True).rewrites)
    assert next(rewrites).text == TEXTS[0]
    assert seen == TEXTS[:1]
    assert [rewrite.id for rewrite in rewrites] == ["s0000002", "s0000007"]


def test_what_cannot_be_done_is_told(tmp_path, snapshot: Snapshot):
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
    spanish, ann = ["la casa de mi tía que vino"] * 10, {"Ann": "female"}
    cases = {
        "no texts": ([], {}),
        "no pronouns": (["Nothing.", "Nobody."], {}),
        "one string": ("He left.", {}),
        "no string": (["He left.", None], {}),
        "no words": (["He left."], {"max_words": 0}),
        "an odd sample": (["He left."], {"sample": 3}),
        "a large sample": (["He left.", "He stayed.", "She left."], {"sample": 4}),
        "a sample without women": (["He left."], {"sample": 2}),
        "another script": (["هذا هو البيت الذي رأيته أمس في المدينة القديمة"] * 5, {}),
        "another language": (spanish, {"language": "bb", "names": ann, "root": tmp_path}),
        "the right language": (spanish, {"language": "aa", "names": ann, "root": tmp_path}),
    }
    said = [
        f"{what}\n{refusal(lambda: perturb(texts, **{'language': 'en', 'names': NAMES, **options}))}"  # noqa: B023
        for what, (texts, options) in cases.items()
    ]
    snapshot.check("perturb-refused", "\n\n".join(said))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "my texts"
    place.mkdir()
    (place / "t.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    (place / "n.txt").write_text("Maria,female\nAdam,male\n", encoding="utf-8")
    return place


def run(folder: Path, *options: str, out: str = "out.csv"):
    names = str(folder / "n.txt")
    arguments = ["perturb", str(folder / "t.txt"), "--locale", "en", "--names", names, "--out", str(folder / out)]
    return CliRunner().invoke(main, [*arguments, *options])


def test_the_command_writes_rows_and_report_and_prints_the_counts(folder, snapshot: Snapshot):
    found = run(folder)
    assert found.exit_code == 0, found.output
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        texts = [row["text"] for row in csv.DictReader(file)]
    assert texts[:3] == ["She lost her keys.", "Maria lost her keys.", "Adam lost his keys."]
    report = (folder / "out.csv.report.json").read_text(encoding="utf-8")
    assert json.loads(report)["rewritten"] == {"female": 1, "male": 2}
    snapshot.check("perturb", f"{found.output}\n{report}".replace(f"{folder}/", ""))


def test_rows_of_a_person_whom_the_text_names_already_are_left_out_and_counted(folder):
    (folder / "n.txt").write_text("Paris,female\nAnn,female\n", encoding="utf-8")
    (folder / "t.txt").write_text("He lives in Paris.\nShe is here.\n", encoding="utf-8")
    found = run(folder)
    assert "\n1 rows left out: the text names the person already.\n" in found.output
    assert json.loads((folder / "out.csv.report.json").read_text(encoding="utf-8"))["named_already"] == {"paris": 1}


def test_a_sample_is_said_in_the_table(folder):
    found = run(folder, "--sample", "2", out="out.parquet")
    assert re.search(r"\n  of these drawn +1 +1 +2\n", found.output)
    assert run(folder, "--sample", "2", out="again.parquet").exit_code == 0
    assert (folder / "out.parquet").read_bytes() == (folder / "again.parquet").read_bytes()


def test_nothing_is_left_behind_where_the_command_fails(folder):
    (folder / "t.txt").write_bytes("He left.\nPe\xf1a left him.\n".encode("latin-1"))
    before = sorted(folder.iterdir())
    found = run(folder)
    assert found.exit_code == 1
    assert f"Error: {folder / 't.txt'}:2: byte 3 of the line is 0xf1" in found.output
    assert sorted(folder.iterdir()) == before


def test_what_a_run_has_written_the_next_one_replaces_until_somebody_changes_it(folder):
    assert [run(folder).exit_code for _ in range(2)] == [0, 0]
    report = next(folder.glob("*.report.json"))
    report.write_text("mine")
    assert [run(folder, *options).exit_code for options in ((), ("--overwrite",))] == [1, 0]


def test_without_room_for_the_report_no_rows_are_written(tmp_path):
    (tmp_path / "out.csv.report.json").mkdir()
    with pytest.raises(OutputUnwritable, match=r"out\.csv\.report\.json is a folder; expected the name of a file"):
        perturb(["He left."], "en", {"Maria": "female"}).write(tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv.report.json"]
