"""The state of the page as a link: ``?config=en-gender&low=0&high=5&example=random``."""

from __future__ import annotations

import math
from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from eec_datasets.app.answers import DEFAULT, EXAMPLES, PageRequest
from eec_datasets.text_file import number

WRITE = Path(__file__).with_name("link.js").read_text(encoding="utf-8").strip()
"""Runs in the browser: writes what the widgets hold into the address, and into the link to copy."""


def link_script(example: str | None = None) -> str:
    """The script that writes the link in a browser; an example of None is left as it is, an empty one is removed."""
    example_json = "null" if example is None else f'"{example}"'
    return WRITE % (example_json, *DEFAULT)


def read(search: str, configs: Collection[str], first: str) -> tuple[PageRequest, str]:
    """Return what a link asks for, and what is wrong with it; its corpus is shown even then, if there is one.

    Parameters
    ----------
    search
        What follows the address of the page, with its question mark; parts that are not ours are left alone.
    configs
        Names of the corpora there are.
    first
        The corpus where the link names none.
    """
    fields = {name: values[-1] for name, values in parse_qs(search.removeprefix("?")).items()}
    config, example = fields.get("config", first), fields.get("example", "")
    if config not in configs:
        return PageRequest(
            first
        ), f"The link names the corpus {config!r}, which does not exist here. Choose a corpus in step 1."
    if example not in ("", *EXAMPLES):
        expected = f"expected one of {', '.join(EXAMPLES)}. Choose one with the buttons below."
        return PageRequest(config), f"The link names the example {example!r}; {expected}"
    limits: dict[str, Any] = {name: number(fields[name]) for name in ("low", "high") if name in fields}
    for name, limit in limits.items():
        if not math.isfinite(limit):
            return PageRequest(config), f"The link says {name}={fields[name]}; expected a number. Type it in step 3."
    return PageRequest(config, **limits, example=example), ""
