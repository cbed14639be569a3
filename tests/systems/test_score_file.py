"""Scores on disk: saved batch by batch, resumed, and never mixed up."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
from snapshots import Snapshot

from eec_datasets.errors import BadScores, OutputUnwritable
from eec_datasets.systems.score_file import Header, ScoreFile

IDS = ["t01/angry/maria", "t01/angry/alan", "t01/angry/amanda"]
HEADER = Header("vader", "vaderSentiment==3.3.2", "tiny", "tiny@1.0.0#00ff", -1.0, 1.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scores" / "vader" / "tiny.csv"


def saved(path: Path, header: Header = HEADER) -> list[float]:
    with ScoreFile(path, header, IDS) as file:
        return file.scores


def write(path: Path, scores: list[float]) -> bytes:
    with ScoreFile(path, HEADER, IDS) as file:
        file.append(scores)
    return path.read_bytes()


def test_a_broken_run_goes_on_where_it_stopped(path: Path) -> None:
    write(path, [0.1, -0.25])
    write(path, [1.0])
    assert saved(path) == [0.1, -0.25, 1.0]
    assert path.read_text() == (
        '#eec-scores {"system": "vader", "fingerprint": "vaderSentiment==3.3.2", "config": "tiny", '
        '"data": "tiny@1.0.0#00ff", "low": -1.0, "high": 1.0}\n'
        "id,score\nt01/angry/maria,0.1\nt01/angry/alan,-0.25\nt01/angry/amanda,1.0\n"
    )


def test_every_cut_through_the_file_resumes_without_a_wrong_score(path: Path) -> None:
    scores = [1 / 3, -2 / 3, 5e-324]
    whole = write(path, scores)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with ScoreFile(path, HEADER, IDS) as file:
            assert file.scores == scores[: len(file.scores)]
            file.append(scores[len(file.scores) :])
        assert path.read_bytes() == whole


OTHERS = [{"system": "textblob"}, {"data": "tiny@1.0.1#11ee"}, {"low": 0.0}, {"fingerprint": "4", "config": "big"}]
CHANGES = [
    (b"alan,0.25", b"alan,0,25"),
    (b"alan,0.25", b"alan,2.5"),
    (b"alan,0.25", b"alan,nan"),
    (b"t01/angry/maria,0.1\n", b""),
    (b"id,score", b"id;score"),
    (b"0.5\n", b"0.5\nt01/angry/bob,0.5\n"),
    (b"#eec-scores", b"#scores"),
    (b"alan,", b"al\xe1n,"),
]


def test_other_scores_and_changed_files_are_refused_and_kept(path: Path, snapshot: Snapshot) -> None:
    whole = write(path, [0.1, 0.25, 0.5])
    changed = [(whole.replace(old, new), HEADER) for old, new in CHANGES]
    others = [(whole, replace(HEADER, **other)) for other in OTHERS]  # type: ignore[arg-type]
    foreign = [(content, HEADER) for content in (b"hello", b"hello\n", b"id,score\n")]
    said = []
    for content, header in [*others, *changed, *foreign]:
        path.write_bytes(content)
        with pytest.raises(BadScores) as error:
            saved(path, header)
        assert path.read_bytes() == content
        said.append(str(error.value).replace(str(path), "FILE"))
    snapshot.check("score-file-refusals", "\n".join(said))


def test_a_file_that_another_run_writes_or_that_cannot_be_made_is_named(tmp_path: Path, path: Path) -> None:
    with ScoreFile(path, HEADER, IDS), pytest.raises(BadScores, match=r"tiny.csv is being written by another process"):
        saved(path)
    (tmp_path / "file").write_text("a file where the folder should be")
    with pytest.raises(OutputUnwritable, match=r"Cannot write .*tiny.csv: Not a directory"):
        saved(tmp_path / "file" / "vader" / "tiny.csv")


def test_a_full_disk_says_how_many_scores_are_saved(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with ScoreFile(path, HEADER, IDS) as file:
        file.append([0.1, 0.2])
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OutputUnwritable, match=r"tiny.csv: No space left on device. 2 of 3 scores are saved"):
            file.append([0.3])


def test_more_scores_than_rows_are_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="longer"):
        write(path, [0.1, 0.2, 0.3, 0.4])
