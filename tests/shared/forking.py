"""A Python that has imported the heavy libraries once, and forks for every run; a run can be killed at any moment.

As a program it reads one JSON object per line (``code`` to execute, ``cwd``, ``env``, ``out``, ``err``, ``kill_after``
seconds) and answers the exit code, or -9 for a run that was killed.
"""

import gc
import importlib
import json
import math
import os
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any, NamedTuple

from places import ROOT, SHARED

GUARD = SHARED / "guard"
MODULES = (
    "babel.lists", "datasets", "evaluate", "polars", "pyarrow.csv", "scipy.io", "statsmodels.stats.contingency_tables",
    "eec_bias.result.gate", "eec_datasets.audit.running", "eec_datasets.report.page",
    "eec_datasets.checks", "eec_datasets.cli.audit", "eec_datasets.cli.build",
    "eec_datasets.cli.publish", "eec_datasets.cli.locale", "eec_datasets.cli.perturb",
    "eec_datasets.cli.report", "eec_datasets.hub.publish", "eec_datasets.hub.space",
    "eec_datasets.release.card", "eec_datasets.release.croissant",
    "eec_datasets.rewrite.perturbation",
)  # fmt: skip
"""Modules that the runs find in memory."""
SELDOM = 100_000
"""Objects that are made before the garbage collector looks at them; by default 700, of which most live on."""


class Run(NamedTuple):
    """The exit code of a run, with its output."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The message that ended it, whole."""
        return f"\n{self.err}".rpartition("\nError: ")[2].rstrip("\n")


def guarded(home: Path, **more: str) -> dict[str, str]:
    """The environment with caches and temporary files of its own, where nothing but loopback can be reached."""
    (home / "tmp").mkdir(exist_ok=True)
    own = {
        "EEC_ANSWERS": str(home / "answers.db"),
        "EEC_TEST_CONNECTIONS": str(home / "connections.log"),
        "HF_HOME": str(home / "hf"),
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        "PYTHONPATH": os.pathsep.join(map(str, (GUARD, ROOT, ROOT / "metrics"))),
        # No certificates, whose reading takes longer than a request: nothing but loopback is reached.
        "SSL_CERT_DIR": str(home / "tmp"),
        "SSL_CERT_FILE": "",
        "TMPDIR": str(home / "tmp"),
        "USE_TORCH": "0",
    }
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("HF_", "EEC_", "GRADIO_", "PYTEST_"))
    }
    return kept | own | more


class Forks:
    """Runs Python code in forks of one process."""

    def __init__(self, home: Path, warm: str = "", **environment: str) -> None:
        self.home, self.environment = home, guarded(home, **environment)
        # What the code of `warm` has read and compiled, every fork finds in memory.
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", __file__, warm],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment,
        )  # fmt: skip

    def run(self, code: str, cwd: Path, *, kill_after: float | None = None, **environment: str) -> Run:
        """Run code in a folder; an empty variable is one that is not set."""
        assert self.process.stdin
        assert self.process.stdout
        out, err = self.home / "out", self.home / "err"
        job = {"code": code, "cwd": str(cwd), "env": environment, "kill_after": kill_after}
        self.process.stdin.write(json.dumps(job | {"out": str(out), "err": str(err)}) + "\n")
        self.process.stdin.flush()
        ended = json.loads(self.process.stdout.readline())
        return Run(ended, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))

    def close(self) -> None:
        """End the process; nobody must have asked for anything outside loopback."""
        self.process.communicate()
        asked = Path(self.environment["EEC_TEST_CONNECTIONS"])
        assert not asked.exists(), f"connections outside loopback were attempted: {asked.read_text()}"


def _run(job: dict[str, Any]) -> int:
    os.chdir(job["cwd"])
    for name, value in job["env"].items():
        os.environ.pop(name, None)
        if value:
            os.environ[name] = value
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(job[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    return finish(job["code"])


def finish(code: str) -> int:
    """Run code to its end; the exit code of a process that does this, but 99 where it ends with a traceback."""
    try:
        exec(compile(code, "<test>", "exec"), {"__name__": "__main__", "sys": sys})
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except BaseException:
        traceback.print_exc()
        return 99
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def _serve() -> None:
    # The forks share what stays, instead of copying it where the garbage collector goes through it.
    gc.disable()
    for name in MODULES:
        importlib.import_module(name)
    # A log tells how far a run is after 15 seconds, which depends on the machine: never in tests.
    importlib.import_module("eec_datasets.cli.output").ProgressLog.EVERY = math.inf
    exec(sys.argv[1])
    gc.freeze()
    gc.set_threshold(SELDOM)
    gc.enable()
    for line in sys.stdin:
        job = json.loads(line)
        process = os.fork()
        if process == 0:
            os._exit(_run(job))
        if job["kill_after"] is not None:
            time.sleep(job["kill_after"])
            os.kill(process, signal.SIGKILL)
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)


if __name__ == "__main__":
    _serve()
