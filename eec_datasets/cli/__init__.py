"""The command ``eec``: one module per command, loaded only when it is called.

To add a command, write ``eec_datasets/cli/<module>.py`` with a click command and add a line to `COMMANDS`.
A command module imports click at its top and everything heavy inside the command, so that ``eec --help``
stays quick.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Final

import click

from eec_datasets.errors import EecError

COMMANDS: Final = {
    "configs": "configs:configs",
    "build": "build:build",
    "audit": "audit:audit",
    "measure": "measure:measure",
    "rate": "rate:rate",
    "report": "report:report",
    "perturb": "perturb:perturb",
    "app": "app:app",
    "locale": "locale:locale",
    "corpus": "corpus:corpus",
    "diff": "hub:diff",
    "publish": "hub:publish",
    "publish-metric": "hub:publish_metric",
}
"""Name of a command → ``module:object`` within this package, in the order of ``eec --help``."""

EXIT_CODES: Final = """\b
Exit codes:
  0  done
  1  a problem in what was given: data, scores, system, folder (said on stderr)
  2  the command line cannot be understood
  3  interrupted; what was finished is kept, run the same command again to go on
  4  a condition of --fail-if holds
"""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for.

    It also turns the package's own errors into a message without traceback and an exit code: 1, or the
    ``exit_code`` that the exception carries.

    Parameters
    ----------
    lazy
        Name of a command → ``module:object`` within this package, in the order of the help.
    """

    def __init__(self, *args: Any, lazy: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in their order."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return one command, or None where there is none of this name."""
        if cmd_name not in self.lazy:
            return None
        module, _, name = self.lazy[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(f"{__name__}.{module}"), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors of the package end it with a message."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\nInterrupted.", err=True)
            ctx.exit(3)
        except EecError as error:
            raise _Problem(str(error), getattr(error, "exit_code", 1)) from error


class _Problem(click.ClickException):
    """Prints as ``Error: message`` and ends with its own exit code."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]  # click declares it for the class only


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="eec-datasets", message="eec-datasets %(version)s")
def main() -> None:
    """Measure whether a sentiment, emotion or toxicity system scores people differently.

    Equity Evaluation Corpora are sentences that differ only in the person mentioned. A system scores them,
    and the differences between groups are reported with intervals.

    \b
    Examples:
      eec configs                                     what corpora there are
      eec audit --system vader --config en-black-white
      eec audit --system mypackage.model:score --language es
      eec measure scores.csv --config ar-anglo-arab   scores made elsewhere
      eec build --out build/eec                       a dataset for load_dataset
    """
