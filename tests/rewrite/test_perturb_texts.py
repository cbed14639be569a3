"""Texts from files and datasets, one after another; what is wrong with a file is told with line and byte."""

from __future__ import annotations

import json
from pathlib import Path

import datasets
import huggingface_hub
import pytest
from snapshots import Snapshot, refusal

from eec_datasets.rewrite.texts import read_texts


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_text_file_gives_a_text_per_line(tmp_path):
    path = written(tmp_path, "a b.txt", b"\xef\xbb\xbfShe left.\r\n\nHe \xe2\x80\xa8stayed.")
    assert list(read_texts(path)) == ["She left.", "", "He \u2028stayed."]


def test_a_csv_and_json_lines_give_a_column(tmp_path):
    table = written(tmp_path, "t.csv", 'id,tweet\n1,"She, ""left"".\nYes"\n2,He\n')
    lines = written(tmp_path, "t.jsonl", json.dumps({"tweet": "Él"}) + "\n\n" + json.dumps({"tweet": "x\ny"}))
    assert list(read_texts(table, "tweet")) == ['She, "left".\nYes', "He"]
    assert list(read_texts(lines, "tweet")) == ["Él", "x\ny"]


def test_a_cell_of_a_million_characters_is_read(tmp_path):
    assert [len(text) for text in read_texts(written(tmp_path, "t.csv", "text\n" + "x" * 1_000_000))] == [1_000_000]


def test_a_folder_is_read_as_a_dataset(tmp_path):
    written(tmp_path, "train.csv", "text,label\nShe left.,1\n")
    assert list(read_texts(tmp_path)) == ["She left."]


def test_what_is_wrong_with_a_file_is_told(tmp_path, snapshot: Snapshot):
    files = [
        ("t.txt", b"She\nPe\xf1a\n"),
        ("t.txt", "She".encode("utf-16")),
        ("t.txt", "Él está aquí.\n".encode("utf-16-le")),
        ("t.csv", "id,tweet\n1,x\n"),
        ("t.csv", "text;id\nx;1\n"),
        ("t.csv", "text,id\nx,y,1\n"),
        ("t.csv", 'text\n"x\n'),
        ("t.csv", "text,text\nx,y\n"),
        ("t.jsonl", '{"text": "x"}\n{"text"\n'),
        ("t.jsonl", '{"body": "x"}\n'),
        ("t.jsonl", '{"text": null}\n'),
        ("t.docx", "x"),
    ]
    said = []
    for name, content in files:
        path = written(tmp_path, name, content)
        said.append(f"{name} {content!r}\n{refusal(lambda: list(read_texts(path)), tmp_path)}")  # noqa: B023
    said.append(refusal(lambda: list(read_texts(tmp_path / "none.txt")), tmp_path))
    said.append(refusal(lambda: read_texts(tmp_path / "t.txt", split="train"), tmp_path))
    snapshot.check("texts-refused", "\n\n".join(said))


def test_datasets_saved_to_disk_are_read_with_their_splits(tmp_path):
    rows = datasets.Dataset.from_dict({"text": ["He left.", "She left."]})
    rows.save_to_disk(tmp_path / "one")
    datasets.DatasetDict({"test": rows, "train": rows.select([0])}).save_to_disk(tmp_path / "two")
    assert list(read_texts(tmp_path / "one")) == ["He left.", "She left."]
    assert list(read_texts(tmp_path / "two")) == ["He left."]
    assert list(read_texts(tmp_path / "two", split="test")) == ["He left.", "She left."]


def test_what_is_wrong_with_a_dataset_is_told(tmp_path, monkeypatch, snapshot: Snapshot):
    def unreachable(*_args, **_options):
        raise OSError("Name or service not known")

    rows = datasets.Dataset.from_dict({"text": ["He left."]})
    rows.save_to_disk(tmp_path / "one")
    datasets.DatasetDict({"test": rows, "train": rows}).save_to_disk(tmp_path / "two")
    monkeypatch.setattr(huggingface_hub.HfApi, "dataset_info", unreachable)
    asked = {
        "two splits, none called so": ("two", {"split": "dev"}),
        "one split, not called so": ("one", {"split": "dev"}),
        "a config of what has none": ("one", {"config": "de"}),
        "no such column": ("one", {"column": "tweet"}),
        "no such dataset": ("nowhere", {}),
    }
    said = [
        f"{what}\n{refusal(lambda: list(read_texts(tmp_path / name, **options)), tmp_path)}"  # noqa: B023
        for what, (name, options) in asked.items()
    ]
    snapshot.check("datasets-refused", "\n\n".join(said))


def test_what_is_no_dataset_is_told_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    written(tmp_path, "odd.bin", "x")
    with pytest.raises(Exception, match=r"is neither a \.txt.* file nor a dataset that can be loaded: "):
        list(read_texts(tmp_path))
