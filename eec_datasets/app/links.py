"""The state of the page as a link: ``?config=en-gender&low=0&high=5&example=random``."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

from eec_datasets.app.answers import DEFAULT, EXAMPLES, Asked
from eec_datasets.errors import EecError

WRITE = Path(__file__).with_name("link.js").read_text(encoding="utf-8").strip()
"""Runs in the browser: writes what the widgets hold into the address, and into the link to copy."""


class BadLink(EecError):
    """A link asks for what is not here."""


def writer(example: str | None = None) -> str:
    """Return what writes the link in a browser; an example of None stays as it is, an empty one is taken away."""
    shown = "null" if example is None else f'"{example}"'
    return WRITE % (shown, *DEFAULT)


def read(search: str, configs: Collection[str], first: str) -> Asked:
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
    given = {name: values[-1] for name, values in parse_qs(search.removeprefix("?")).items()}
    asked = Asked(given.get("config", first), example=given.get("example", ""))
    if asked.config not in configs:
        raise BadLink(
            f"The link asks for the corpus {asked.config!r}, which is not here. Choose one of those in step 1."
        )
    if asked.example not in ("", *EXAMPLES):
        raise BadLink(
            f"The link asks for the example {asked.example!r}; expected one of {', '.join(EXAMPLES)}. Choose one with "
            "the buttons below."
        )
    return replace(asked, low=_limit(given, "low", DEFAULT[0]), high=_limit(given, "high", DEFAULT[1]))


def _limit(given: dict[str, str], name: str, default: float) -> float:
    try:
        value = float(given.get(name, default))
    except ValueError:
        value = float("nan")
    if abs(value) < float("inf"):
        return value
    raise BadLink(f"The link says {name}={given[name]}; expected a number. Fill it in in step 3.")
