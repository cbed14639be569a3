"""``eec locale``: for contributors of languages and identity groups. To add a sub-command, add a line to `COMMANDS`."""

from __future__ import annotations

from typing import Final

import click

from eec_datasets.cli import LazyGroup

COMMANDS: Final = {
    "new": "locale_tools:new",
    "check": "locale_check:check",
    "preview": "locale_tools:preview",
    "status": "locale_tools:status",
    "export": "locale_tools:export",
    "import": "locale_tools:import_",
}
"""Name of a sub-command → ``module:object`` within ``eec_datasets.cli``, in the order of the help."""


@click.group(cls=LazyGroup, lazy=COMMANDS, short_help="Add or mend a language or an identity group, as data.")
def locale() -> None:
    """Add or mend a language or an identity group: files of words, no programming.

    \b
    Examples:
      eec locale new sv --from en       files for Swedish, with the English beside every empty cell
      eec locale check sv               what is missing or wrong, line by line
      eec locale preview sv             the sentences, with what changes in each pair marked
    """
