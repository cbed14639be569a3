"""Types of arguments and options that name a file of the user's, where ``-`` stands for standard input."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from eec_datasets import standard_input
from eec_datasets.given_file import STANDARD_INPUT


class GivenFile(click.Path):
    """A file that is read; what stands on standard input reaches the command as a file too."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path of the file."""
        return _saved(ctx) if value == STANDARD_INPUT else super().convert(value, param, ctx)


class GivenName(click.types.StringParamType):
    """A file that is read, or the name of something else; standard input reaches the command as a file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name as it was typed, or the path of the file."""
        return str(_saved(ctx)) if value == STANDARD_INPUT else super().convert(value, param, ctx)


class StreamedName(click.types.StringParamType):
    """A file that is read, or the name of something else; the command reads standard input itself, line by line."""


GIVEN_FILE: Final = GivenFile()
GIVEN_NAME: Final = GivenName()
STREAMED_NAME: Final = StreamedName()
GIVEN: Final = (GivenFile, GivenName, StreamedName)


def _saved(ctx: click.Context | None) -> Path:
    """Save what stands on standard input until the command ends."""
    path = standard_input.save()
    if ctx is not None:
        ctx.call_on_close(partial(standard_input.remove, path))
    return path


def times_standard_input(typed: dict[click.Parameter, Any]) -> int:
    """Return how many arguments and options name standard input, which can be read once."""
    count = 0
    for param, value in typed.items():
        if isinstance(param.type, GIVEN):
            values = value if isinstance(value, list | tuple) else (value,)
            count += sum(each == STANDARD_INPUT for each in values)
    return count
