"""Files that a user gives: no command waits for a pipe, reads a device, or more than fits."""

import io
import operator
import os
import shutil
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import eec

from eec_datasets import given_file
from eec_datasets.errors import InputUnreadable
from eec_datasets.given_file import check_given, open_given, read_given

PIPE = "it is a pipe or a device; save it as a file first"


def test_a_file_is_read_through_links(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one\ntwo\n")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "c").symlink_to("b")
    assert read_given(tmp_path / "c") == b"one\ntwo\n"
    with open_given(tmp_path / "c") as stream:
        assert list(stream) == [b"one\n", b"two\n"]


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/urandom", "link", "pipe"])
def test_a_pipe_or_a_device_is_refused_at_once(place: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for read in (read_given, check_given):
        with pytest.raises(InputUnreadable, match=PIPE):
            read(tmp_path / place)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Is a directory"):
        read_given(tmp_path)


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"one")))
    assert read_given("-") == b"one"


@pytest.mark.parametrize("read", [operator.methodcaller("read"), list], ids=["whole", "lines"])
def test_no_more_than_the_limit_is_read(read: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given_file, "LARGEST", 10)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"12345\n" * 1000)))
    with pytest.raises(InputUnreadable, match="standard input cannot be read: it has more than 10 bytes"):
        read(open_given("-"))  # type: ignore[operator]


def test_a_file_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as stream:
        stream.truncate(given_file.LARGEST + 1)
    with pytest.raises(InputUnreadable, match="more than 1,073,741,824 bytes"):
        read_given(tmp_path / "a")


COMMANDS = {
    "report": ("report", "PLACE"),
    "perturb": ("perturb", "PLACE", "--locale", "en", "--names", "en-black-white", "--out", "rows.csv"),
    "perturb with a list": ("perturb", "texts.txt", "--locale", "en", "--names", "PLACE", "--out", "rows.csv"),
    "prompts": ("audit", "--system", "openai:tiny", "--base-url", "http://127.0.0.1:9/v1", "--prompts", "PLACE"),
    "measure": ("measure", "PLACE", "--config", "tr-gender"),
    "measure a log": ("measure", "LOG", "--config", "tr-gender"),
    "locale review": ("locale", "review", "tr", "--take", "PLACE", "--locales", "LOCALES"),
    "tokenizer": ("audit", "--system", "random:1", "--config", "tr-gender", "--tokenizer", "PLACE"),
}


@pytest.mark.parametrize("kind", ["pipe", "zero"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_waits_for_a_pipe_or_reads_a_device(command: str, kind: str, desk: Path, locales: Path) -> None:
    place, log = desk / f"{kind}.csv", desk / f"{kind}.eval"
    for each in (place, log):
        os.mkfifo(each) if kind == "pipe" else each.symlink_to("/dev/zero")
    (desk / "texts.txt").write_text("She left.\n")
    found = []
    words = [{"PLACE": place, "LOG": log, "LOCALES": locales}.get(word, word) for word in COMMANDS[command]]
    run = threading.Thread(target=lambda: found.append(eec(*words)), daemon=True)
    run.start()
    run.join(60)
    assert found, "it waits"
    assert (found[0].exit_code != 0, "Traceback" in found[0].output) == (True, False), found[0].output
    assert "it is a pipe or a device" in found[0].output


DEEP = {
    "report": ("deep.json", ("report",)),
    "a log": ("deep.json", ("measure", "--config", "tr-gender")),
    "scores": ("scores.csv", ("measure", "--config", "tr-gender")),
    "prompts": ("deep.toml", ("audit", "--system", "openai:tiny", "--base-url", "http://127.0.0.1:9/v1", "--prompts")),
}


@pytest.mark.parametrize("what", DEEP)
def test_brackets_without_end_are_told(what: str, desk: Path) -> None:
    name, command = DEEP[what]
    begin = {"scores.csv": "#eec-scores ", "deep.toml": "a = "}.get(name, "")
    (desk / name).write_text(begin + "[" * 200_000 + "\n")
    done = eec(*command, name)
    assert (done.exit_code, "Traceback" in done.output) == (1, False)
    assert len(done.output) < 1000


def test_a_number_without_end_is_told(desk: Path) -> None:
    (desk / "result.json").write_text('{"terms": 1' + "0" * 5000 + "}")
    done = eec("report", "result.json")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: result.json: cannot be read as JSON (Exceeds the limit")


@pytest.mark.parametrize("command", [("report",), ("measure",)])
def test_a_link_to_itself_is_told(command: tuple[str, ...], desk: Path) -> None:
    (desk / "loop.json").symlink_to("loop.json")
    done = eec(*command, "loop.json")
    assert done.exit_code == 1
    assert "Cannot read loop.json: Too many levels of symbolic links" in done.stderr


def test_a_header_of_two_hundred_thousand_columns_is_told_in_short(desk: Path, locales: Path) -> None:
    shutil.copytree(locales, desk / "wide")
    (desk / "wide" / "tr" / "words.csv").write_text(",".join(f"c{number}" for number in range(200_000)))
    done = eec("locale", "preview", "tr", "--locales", "wide")
    assert done.exit_code == 1
    assert "the header has c0, c1, c2" in done.stderr
    assert " letters more) … " in done.stderr
    assert len(done.stderr) < 5000
