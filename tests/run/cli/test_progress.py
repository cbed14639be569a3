"""Progress of a run, in a log: lines that say how long the rest takes."""

from itertools import chain

import pytest

from eec_datasets.cli import output
from eec_datasets.cli.output import ProgressLog


def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *updates: tuple[float, int]) -> list[str]:
    """The lines after updates, each at a second and by so many answers; there are 800."""
    times = chain([0.0], (second for second, _ in updates))
    monkeypatch.setattr(ProgressLog, "EVERY", 15.0)
    monkeypatch.setattr(output.time, "monotonic", lambda: next(times))
    log = ProgressLog("mine", 800)
    for _, count in updates:
        log.update(count)
    return capsys.readouterr().err.splitlines()


def test_the_time_that_is_left_follows_from_what_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, capsys, (0, 0), (16, 64)) == ["mine: 64 of 800 (8%), 184 s left"]


def test_stored_answers_took_no_time(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(monkeypatch, capsys, (0, 400), (20, 100)) == ["mine: 500 of 800 (62%), 60 s left"]


def test_without_a_new_answer_no_time_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, capsys, (16, 400)) == ["mine: 400 of 800 (50%)"]


def test_lines_are_fifteen_seconds_apart(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(said(monkeypatch, capsys, (0, 0), (10, 64), (16, 64), (20, 64), (32, 64))) == 2
