"""Documents from Jinja sources: pages, cards and files with words filled in."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def fill(source: Path, filters: Mapping[str, Any] | None = None, /, **values: object) -> str:
    """The text of a source with values in it; a value that lacks is an error, and HTML is escaped."""
    return str(_template(source, tuple((filters or {}).items())).render(**values))


@lru_cache
def _template(source: Path, filters: tuple[tuple[str, Any], ...]) -> Any:
    """Read a source, once in a process: that takes longer than filling it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(source.parent), autoescape=".html." in source.name, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= dict(filters)
    return environment.get_template(source.name)
