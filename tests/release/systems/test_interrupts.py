"""SIGTERM and Ctrl-C: what was finished is kept, and the message says how to go on."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import stored_answers
from places import ROOT

SLOW = "import time\ndef score(text):\n    time.sleep(0.02)\n    return 0.5\n"
CONCURRENT = "import asyncio\nasync def score(text):\n    await asyncio.sleep(0.05)\n    return 0.5\n"


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "eec_datasets", "audit", "--config", "tr-gender", "--no-report", *more]
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "metrics")))
    own = {**os.environ, "EEC_ANSWERS": str(folder / "answers.db"), "PYTHONPATH": paths}
    return subprocess.Popen(command, cwd=folder, env=own, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def count(folder: Path) -> int:
    return sum(stored_answers(folder / "answers.db"))


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("source", [SLOW, CONCURRENT], ids=["one by one", "at once"])
def test_a_run_that_is_ended_keeps_its_answers_and_goes_on(source: str, ending: int, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(source)
    run = start(tmp_path, "--system", "mine:score", "--batch-size", "5")
    deadline = time.monotonic() + 90
    while not ((tmp_path / "answers.db").exists() and count(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.1)
    run.send_signal(ending)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 3, told
    found = re.search(r"Interrupted: ([\d,]+) of ([\d,]+) answers of mine:score on tr-gender are stored in", told)
    assert found is not None, told
    assert told.endswith("Run the same command again to go on.\n")
    kept = int(found[1].replace(",", ""))
    assert 0 < kept == count(tmp_path)
    assert not (tmp_path / "audit").exists()
