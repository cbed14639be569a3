"""``eec`` as someone types it, in this process."""

import json
import math
import tomllib
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from eec_datasets.cli import main
from eec_datasets.cli.output import ProgressLog
from eec_datasets.systems.store import Store

# A log tells how far a run is after 15 seconds, which depends on the machine: never in tests.
ProgressLog.EVERY = math.inf

PROGRAMS = tomllib.loads(Path(__file__).with_name("programs.toml").read_text(encoding="utf-8"))
"""Source code by name, for other processes."""


def eec(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="eec")


def succeed(*arguments: object) -> Result:
    """Run what must end well."""
    result = eec(*arguments)
    assert result.exit_code == 0, result.output
    return result


def stored_answers(path: Path) -> list[int]:
    """Return how many answers a store has of every system, in the order in which they were first asked."""
    counted = "SELECT count(text) FROM systems LEFT JOIN answers ON system = id GROUP BY id ORDER BY id"
    with Store(path) as store:
        return [count for (count,) in store._base.execute(counted)]


def refused(*arguments: object, code: int = 1) -> str:
    """Run what must end with an error; what it says, which is all that it prints."""
    result = eec(*arguments)
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    return result.stderr


def measured(*arguments: object) -> dict[str, Any]:
    """Return the JSON that ``eec measure`` prints."""
    content: dict[str, Any] = json.loads(succeed("measure", "--format", "json", *arguments).stdout)
    return content
