"""Rewritten sentences and fillers become rows, in batches and in files that are whole or not there."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from operator import length_hint

import datasets
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from places import ROOT
from snapshots import refusal

from eec_datasets import schema
from eec_datasets.rewrite.rows import Batches
from eec_datasets.rewrite.slots import Filler, Rewrite, Slot
from eec_datasets.row_file import write


def filler(name: str, agreement: str = "f", **labels: str) -> Filler:
    gender = "female" if agreement == "f" else "male"
    return Filler(name.lower(), name, "name", agreement, {"gender": gender, **labels}, {"subject": name})


def sentence(number: int, text: str, **pieces: tuple[str | Slot, ...]) -> Rewrite:
    return Rewrite(f"s{number:07d}", text, "female", pieces)


MARIA, ADAM, MARK = filler("Maria", race="Latino"), filler("Adam", "m", race="Anglo"), filler("Mark", "m", race="Anglo")
SAID = sentence(
    1, "She said that she was late.",
    f=(Slot("subject"), " said that she was late."), m=(Slot("subject"), " said that he was late."),
)  # fmt: skip
TOLD = sentence(2, "I told her.", f=("I told ", Slot("subject"), "."), m=("I told ", Slot("subject"), "."))


def table(rewrites: list[Rewrite], fillers: list[Filler], **options: object) -> pa.Table:
    found = Batches(rewrites, fillers, language="en", **options)
    return pa.Table.from_batches(list(found), found.schema)


def test_rows_have_the_columns_of_the_schema_and_the_anchor_last():
    rows = table([SAID], [MARIA, filler("Nadia", race="Arab", career="science")]).to_pylist()
    assert tuple(rows[0]) == (*schema.columns(("career",)), "anchor")
    shared = {
        "language": "en", "template": "s0000001", "emotion": "none", "word": "none", "word_form": "none",
        "speaker": "none", "item": "s0000001", "pair": "s0000001", "word_status": "none", "anchor": "female",
    }  # fmt: skip
    own = ("id", "text", "person", "person_form", "person_type", "gender", "race", "career")
    assert [{key: row[key] for key in shared} for row in rows] == [shared] * 3
    assert [tuple(row[key] for key in own) for row in rows] == [
        ("s0000001/original", "She said that she was late.", "original", "none", "original", *["unmarked"] * 3),
        ("s0000001/maria", "Maria said that she was late.", "maria", "Maria", "name", "female", "Latino", "unmarked"),
        ("s0000001/nadia", "Nadia said that she was late.", "nadia", "Nadia", "name", "female", "Arab", "science"),
    ]


@pytest.mark.parametrize(
    ("text", "fillers", "named"),
    [
        ("Adam told me that she left.", [MARIA, ADAM], ["adam"]),
        ("ADAM TOLD ME SHE LEFT", [MARIA, ADAM], ["adam"]),
        ("She left, said Adam’s boss", [MARIA, ADAM], ["adam"]),
        ("Adams said she will mark it.", [ADAM, MARK], []),
        ("Mary left.", [filler("Mary Jo")], []),
        ("Mary Jo left.", [filler("Mary Jo")], ["mary jo"]),
    ],
)
def test_a_filler_whom_the_sentence_names_is_left_out_and_counted(text, fillers, named):
    found = Batches([sentence(1, text, f=("…",), m=("…",)), TOLD], fillers, language="en")
    persons = [row["person"] for batch in found for row in batch.to_pylist()]
    everybody = ["original", *(one.id for one in fillers)]
    assert persons == [one for one in everybody if one not in named] + everybody
    assert list(found.named) == named


def test_batches_have_the_size_asked_for_and_the_same_rows():
    many = [replace(TOLD, id=f"s{k:07d}") for k in range(10)]
    for size, rows in ((7, [6] * 5), (1, [3] * 10)):
        assert [batch.num_rows for batch in Batches(many, [MARIA, ADAM], language="en", size=size)] == rows
    assert table(many, [MARIA, ADAM], size=7).to_pylist() == table(many, [MARIA, ADAM]).to_pylist()
    taken = iter(many)
    next(iter(Batches(taken, [MARIA], language="en", size=4)))
    assert length_hint(taken) == 8


def test_sentences_of_one_batch_may_have_any_number_of_slots():
    people = [filler(f"Name{k}", "fm"[k % 2]) for k in range(9)]
    twice = (Slot("subject", capital=True), " left, and ", Slot("subject", before="so did "), "’s friend.")
    found = [TOLD, sentence(3, "She left.", f=twice, m=("He left.",)), sentence(4, "Name3 left.", f=twice, m=twice)]
    rows = {row["id"]: row["text"] for row in table(found, people).to_pylist()}
    assert len(rows) == 3 * 10 - 1
    assert [rows[row] for row in ("s0000002/name1", "s0000003/name2", "s0000003/name1", "s0000004/name1")] == [
        "I told Name1.", "Name2 left, and so did Name2’s friend.", "He left.", "Name1 left, and so did Name1’s friend.",
    ]  # fmt: skip


made = partial(Batches, [SAID, TOLD], [MARIA, ADAM], language="en")


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_file_is_read_back_as_plain_strings(tmp_path, suffix):
    path = tmp_path / "a folder" / f"my rows.{suffix}"
    said = ('She said: "No,\nnever" ', Slot("subject"))
    quoted = sentence(3, 'She said: "No,\nnever"', f=said, m=said)
    rows = [SAID, quoted, TOLD]
    assert write(path, Batches(rows, [MARIA, ADAM], language="en", size=3)) == 9
    expected = table(rows, [MARIA, ADAM]).to_pylist()
    loaded = datasets.load_dataset(suffix, data_files=str(path), split="train", cache_dir=str(tmp_path / "cache"))
    assert loaded.to_list() == expected
    # datasets reads CSV through pandas, whose strings are large ones.
    kind = {"parquet": "string", "csv": "large_string"}[suffix]
    assert {str(feature.dtype) for feature in loaded.features.values()} == {kind}
    frame = pd.read_parquet(path) if suffix == "parquet" else pd.read_csv(path)
    assert frame.to_dict("records") == expected
    if suffix == "parquet":
        assert {str(kind) for kind in pq.read_schema(path).types} == {"string"}


def test_a_run_that_fails_leaves_what_was_there(tmp_path):
    there = tmp_path / "rows.parquet"
    there.write_text("mine")
    source = (replace(TOLD, id=f"s{1 // k}") for k in (1, 0))
    with pytest.raises(ZeroDivisionError):
        write(there, Batches(source, [MARIA], language="en", size=1), overwrite=True)
    assert list(tmp_path.iterdir()) == [there]
    assert there.read_text() == "mine"


def test_what_cannot_be_written_is_told(tmp_path, snapshot):
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "there.csv").touch()
    before = sorted(tmp_path.rglob("*"))
    places = ("rows.json", "folder.csv", "file/rows.csv", "there.csv")
    lists = ([], [MARIA, MARIA], [filler("Original")])
    lacking = sentence(1, "Hers.", f=(Slot("possessive"), " is."))
    calls = [
        *(partial(write, tmp_path / name, made()) for name in places),
        partial(write, tmp_path / "none.csv", []),
        *(partial(Batches, [TOLD], fillers, language="en") for fillers in lists),
        partial(table, [lacking], [MARIA]),
    ]
    snapshot.check("rows-refused", "\n".join(refusal(call, tmp_path) for call in calls))
    assert sorted(tmp_path.rglob("*")) == before


ENDLESS = """
import sys
from itertools import count
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from eec_datasets.rewrite.slots import Filler, Rewrite, Slot
from eec_datasets.rewrite.rows import Batches
from eec_datasets.row_file import write
ann = Filler("ann", "Ann", "name", "f", {}, {"subject": "Ann"})
rows = (Rewrite(f"s{k:07d}", "She left.", "female", {"f": (Slot("subject"), " left.")}) for k in count())
write(Path(sys.argv[1]), Batches(rows, [ann], language="en", size=1000))
"""


def test_a_killed_run_leaves_nothing_that_looks_whole(tmp_path):
    path = tmp_path / "rows.parquet"
    run = subprocess.Popen([sys.executable, "-c", ENDLESS, str(path), str(ROOT)])
    while not any(part.stat().st_size > 10_000 for part in tmp_path.glob(".eec-*/new")):
        assert run.poll() is None
        time.sleep(0.01)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    assert [left.name[:5] for left in tmp_path.iterdir()] == [".eec-"]
    assert write(path, made()) == 6
    assert {left.name for left in tmp_path.iterdir()} == {"rows.parquet"}


def test_a_written_file_says_what_results_call_its_rows(tmp_path):
    path = tmp_path / "rows.parquet"
    write(path, Batches([SAID, TOLD], [MARIA, ADAM], language="en", corpus="comments"))
    assert pd.read_parquet(path).attrs == {"config": "comments"}
