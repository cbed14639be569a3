"""A Python that has imported the heavy libraries once, and forks for every run; a run can be killed at any moment.

Reads one JSON object per line: ``code`` to execute, or ``argv`` for ``eec``; ``cwd``, ``env``, ``out``, ``err``;
``kill_after`` seconds. Answers the exit code, or -9 for a run that was killed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from typing import Any

# Imported here, and not used here: the runs that fork from this process find them in memory.
import datasets
import evaluate  # noqa: F401
import scipy.io  # noqa: F401

from eec_datasets import checks as checking  # noqa: F401
from eec_datasets.cli import main
from eec_datasets.hub import guards, publish, space  # noqa: F401
from eec_datasets.release import card, croissant  # noqa: F401


def run(job: dict[str, Any]) -> int:
    os.chdir(job["cwd"])
    for name, value in job["env"].items():
        os.environ.pop(name, None)
        if value:
            os.environ[name] = value
    for number, name in ((1, "out"), (2, "err")):
        target = os.open(job[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(target, number)
    try:
        if "code" in job:
            exec(compile(job["code"], "<test>", "exec"), {"__name__": "__main__"})
        else:
            main(job["argv"])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except BaseException:
        traceback.print_exc()
        return 99
    return 0


def child(job: dict[str, Any]) -> None:
    code = run(job)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def wait(process: int, kill_after: float | None) -> int:
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    datasets.disable_progress_bars()
    for line in sys.stdin:
        job = json.loads(line)
        process = os.fork()
        if process == 0:
            child(job)
        print(json.dumps(wait(process, job.get("kill_after"))), flush=True)
