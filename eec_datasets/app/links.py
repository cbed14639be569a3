"""The state of the page as a link: ``?config=en-gender&low=0&high=5&example=random``."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

from eec_datasets.app.answers import DEFAULT, EXAMPLES, Choice
from eec_datasets.errors import EecError
from eec_datasets.text_file import number

WRITE = Path(__file__).with_name("link.js").read_text(encoding="utf-8").strip()
"""Runs in the browser: writes what the widgets hold into the address, and into the link to copy."""


class BadLink(EecError):
    """A link asks for what is not here."""


def link_script(example: str | None = None) -> str:
    """Return what writes the link in a browser; an example of None stays as it is, an empty one is taken away."""
    example_json = "null" if example is None else f'"{example}"'
    return WRITE % (example_json, *DEFAULT)


def corpus(search: str, configs: Collection[str], first: str) -> str:
    """Understand which corpus a link asks for; `BadLink` where it is not there."""
    name = _fields(search).get("config", first)
    if name not in configs:
        raise BadLink(f"The link asks for the corpus {name!r}, which is not here. Choose one of those in step 1.")
    return name


def read(search: str, configs: Collection[str], first: str) -> Choice:
    """Understand a link.

    Parameters
    ----------
    search
        What follows the address of the page, with its question mark; parts that are not ours are left alone.
    configs
        Names of the corpora there are.
    first
        The corpus where the link names none.

    Raises
    ------
    BadLink
        It names a corpus or an example that is not there, or a limit that is no number.
    """
    fields = _fields(search)
    choice = Choice(corpus(search, configs, first), example=fields.get("example", ""))
    if choice.example not in ("", *EXAMPLES):
        raise BadLink(
            f"The link asks for the example {choice.example!r}; expected one of {', '.join(EXAMPLES)}. Choose one with "
            "the buttons below."
        )
    return replace(choice, low=_limit(fields, "low", DEFAULT[0]), high=_limit(fields, "high", DEFAULT[1]))


def _fields(search: str) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(search.removeprefix("?")).items()}


def _limit(fields: dict[str, str], name: str, default: float) -> float:
    value = number(fields[name]) if name in fields else default
    if math.isfinite(value):
        return value
    raise BadLink(f"The link says {name}={fields[name]}; expected a number. Fill it in in step 3.")
