"""Scores on disk: saved batch by batch, resumed, and never mixed up."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from eec_datasets.errors import AuditError, OutputUnwritable, BadScores, BadScores, BadScores
from eec_datasets.systems.score_file import Header, ScoreFile

IDS = ["t01/angry/maria", "t01/angry/alan", "t01/angry/amanda"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scores" / "vader" / "tiny.csv"


def saved(path: Path, header: Header) -> list[float]:
    with ScoreFile(path, header, IDS) as file:
        return file.scores


def write(path: Path, header: Header, scores: list[float]) -> None:
    with ScoreFile(path, header, IDS) as file:
        file.append(scores)


def test_a_broken_run_goes_on_where_it_stopped(path: Path, header: Header) -> None:
    write(path, header, [0.1, -0.25])
    with ScoreFile(path, header, IDS) as file:
        assert file.scores == [0.1, -0.25]
        assert not file.torn
        file.append([1.0])
    assert saved(path, header) == [0.1, -0.25, 1.0]
    assert path.read_text() == (
        '#eec-scores {"system": "vader", "fingerprint": "vaderSentiment==3.3.2", "config": "tiny", '
        '"data": "tiny@1.0.0#00ff", "low": -1.0, "high": 1.0}\n'
        "id,score\nt01/angry/maria,0.1\nt01/angry/alan,-0.25\nt01/angry/amanda,1.0\n"
    )


def test_scores_come_back_to_the_last_digit(path: Path, header: Header) -> None:
    scores = [1 / 3, -2 / 3, 5e-324]
    write(path, header, scores)
    assert saved(path, header) == scores


def test_every_cut_through_the_file_resumes_without_a_wrong_score(path: Path, header: Header) -> None:
    scores = [0.1, -0.25, 0.123456789]
    write(path, header, scores)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with ScoreFile(path, header, IDS) as file:
            assert file.scores == scores[: len(file.scores)]
            file.append(scores[len(file.scores) :])
        assert path.read_bytes() == whole


def test_a_torn_last_line_is_cut_off_and_said(path: Path, header: Header) -> None:
    write(path, header, [0.1, 0.25])
    path.write_bytes(path.read_bytes()[:-1])
    with ScoreFile(path, header, IDS) as file:
        assert file.torn
        assert file.scores == [0.1]


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"system": "textblob"}, "system: the file has 'vader', this run 'textblob'"),
        ({"data": "tiny@1.0.1#11ee"}, "data: the file has 'tiny@1.0.0#00ff', this run 'tiny@1.0.1#11ee'"),
        ({"low": 0.0}, "low: the file has -1.0, this run 0.0"),
        (
            {"fingerprint": "vaderSentiment==4", "config": "big"},
            "fingerprint: the file has 'vaderSentiment==3.3.2', this run 'vaderSentiment==4'; "
            "config: the file has 'tiny', this run 'big'",
        ),
    ],
)
def test_scores_of_something_else_are_refused_and_kept(
    path: Path, header: Header, change: dict[str, object], difference: str
) -> None:
    write(path, header, [0.1])
    before = path.read_bytes()
    with pytest.raises(BadScores) as error:
        saved(path, replace(header, **change))  # type: ignore[arg-type]
    assert str(error.value) == (
        f"{path} holds scores of something else ({difference}). "
        "Keep them by choosing another folder with --out, or score everything anew with --fresh."
    )
    assert path.read_bytes() == before


CHANGED = "The file was changed after it was written; move it away, or score everything anew with --fresh."


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "alan,0.25",
            "alan,0,25",
            ":4: expected a score between -1 and 1 for id t01/angry/alan, found 't01/angry/alan,0,25'. " + CHANGED,
        ),
        (
            "alan,0.25",
            "alan,2.5",
            ":4: expected a score between -1 and 1 for id t01/angry/alan, found 't01/angry/alan,2.5'. " + CHANGED,
        ),
        (
            "alan,0.25",
            "alan,nan",
            ":4: expected a score between -1 and 1 for id t01/angry/alan, found 't01/angry/alan,nan'. " + CHANGED,
        ),
        (
            "t01/angry/maria,0.1\n",
            "",
            ":3: expected a score between -1 and 1 for id t01/angry/maria, found 't01/angry/alan,0.25'. " + CHANGED,
        ),
        ("id,score", "id;score", ":2: expected 'id,score', found 'id;score'. " + CHANGED),
        (
            "0.5\n",
            "0.5\nt01/angry/bob,0.5\n",
            ":6: expected the end of the file, found 't01/angry/bob,0.5'. " + CHANGED,
        ),
        (
            "#eec-scores",
            "#scores",
            ":1: expected a line starting with '#eec-scores' that says which system and corpus the scores "
            'belong to, found \'#scores {"system": "vader", "fingerprint": "vaderSentiment==\'. '
            "Move the file away, or start over with --fresh.",
        ),
    ],
)
def test_a_file_changed_by_hand_is_refused_with_its_line(
    path: Path, header: Header, old: str, new: str, expected: str
) -> None:
    write(path, header, [0.1, 0.25, 0.5])
    path.write_text(path.read_text().replace(old, new))
    before = path.read_bytes()
    with pytest.raises(BadScores) as error:
        saved(path, header)
    assert str(error.value) == f"{path}{expected}"
    assert path.read_bytes() == before


def test_a_file_in_another_encoding_is_refused_with_its_line(path: Path, header: Header) -> None:
    write(path, header, [0.1])
    path.write_bytes(path.read_bytes() + b"t01/angry/al\xe1n,0.5\n")
    with pytest.raises(BadScores) as error:
        saved(path, header)
    assert str(error.value) == f"{path}:4: expected UTF-8 text, found \"b'\\\\xe1n,0.5\\\\n'\". {CHANGED}"


@pytest.mark.parametrize("content", ["hello", "hello\n", "id,score\n"])
def test_a_file_that_is_not_ours_is_never_overwritten(path: Path, header: Header, content: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(content)
    with pytest.raises(BadScores):
        saved(path, header)
    assert path.read_text() == content


def test_two_runs_cannot_write_the_same_file(path: Path, header: Header) -> None:
    with ScoreFile(path, header, IDS), pytest.raises(BadScores) as error:
        saved(path, header)
    assert str(error.value) == (
        f"{path} is being written by another process. Wait for it, or choose another folder with --out."
    )


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, header: Header) -> None:
    (tmp_path / "scores").write_text("a file where the folder should be")
    path = tmp_path / "scores" / "vader" / "tiny.csv"
    with pytest.raises(OutputUnwritable) as error:
        saved(path, header)
    assert str(error.value) == (f"Cannot write {path}: Not a directory. Choose a folder you may write to with --out.")


def test_a_full_disk_says_how_many_scores_are_saved(
    path: Path, header: Header, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with ScoreFile(path, header, IDS) as file:
        file.append([0.1, 0.2])
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OutputUnwritable) as error:
            file.append([0.3])
    assert str(error.value) == (
        f"Cannot write {path}: No space left on device. 2 of 3 scores are saved; "
        "make room and run the same command again to go on."
    )


def test_more_scores_than_rows_are_refused(path: Path, header: Header) -> None:
    with ScoreFile(path, header, IDS) as file, pytest.raises(ValueError, match="longer"):
        file.append([0.1, 0.2, 0.3, 0.4])


def test_every_refusal_is_an_error_of_the_package() -> None:
    assert all(issubclass(kind, AuditError) for kind in (BadScores, BadScores, BadScores))
