"""Audits that are interrupted or killed, and go on from their answers."""

import os
import re
import signal
from pathlib import Path

import pytest
from commands import PROGRAMS, eec, stored_answers
from forking import Forks

from eec_datasets.systems.store import default_path


def stored() -> int:
    return sum(stored_answers(default_path()))


def test_the_run_after_a_killed_one_goes_on_from_its_answers(
    here: Path, forks: Forks, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("stopped_scores.py").write_text(PROGRAMS["stopped_scores"])
    monkeypatch.setenv("EEC_ANSWERS", str(here / "answers.db"))
    command = ["audit", "--system", "stopped_scores:score", "--no-report", "--config", "en-black-white"]

    def stopped(sent: signal.Signals, at: str) -> tuple[int, int, str]:
        """The exit code of a run that is stopped at a sentence, the answers stored, and what it says."""
        Path("stop").write_text(f"{at}|{sent:d}")
        run = forks.run(f"{PROGRAMS['heeding_ctrl_c']}main({command})", here, EEC_ANSWERS=os.environ["EEC_ANSWERS"])
        return run.code, stored(), run.err

    code, done, errors = stopped(signal.SIGINT, "I made")
    assert (code, 100 <= done < 8640) == (3, True)
    where = f"{done:,} of 8,640 answers of stopped_scores:score on en-black-white are stored in {here}/answers.db."
    assert errors == f"Error: Interrupted: {where} Run the same command again to go on.\n"
    code, kept, _ = stopped(signal.SIGKILL, "The conversation")
    assert (code, done + 100 <= kept < 8640) == (-9, True)
    Path("stop").unlink()
    finished = eec(*command)
    assert (finished.exit_code, stored()) == (0, 8640)
    assert re.search(rf": {8640 - kept:,} answers, [\d.]+ s; {kept:,} were stored\.\n$", finished.stderr)
