"""Documents from Jinja sources: pages, cards and files with words filled in."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]")
"""Characters that no page may contain. Isolates may stay, unlike in a terminal: they keep two directions apart."""


def fill(source: Path, filters: Mapping[str, Any] | None = None, /, **values: object) -> str:
    """The text of a source with values in it; a value that lacks is an error.

    HTML is escaped, and shows the controls that a text of someone else may hold instead of obeying them.
    """
    text = str(_template(source, tuple((filters or {}).items())).render(**values))
    if is_html(source):
        return CONTROLS.sub(lambda match: visible(match[0]), text)
    return text


def is_html(source: Path) -> bool:
    """Return whether a source is that of a page."""
    return ".html." in source.name


@lru_cache
def _template(source: Path, filters: tuple[tuple[str, Any], ...]) -> Any:
    """Read a source, once in a process: that takes longer than filling it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(source.parent), autoescape=is_html(source), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= dict(filters)
    return environment.get_template(source.name)
