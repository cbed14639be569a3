"""Documents from Jinja sources: pages, cards and files with words filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def fill(source: Path, filters: Mapping[str, Any] | None = None, /, **values: object) -> str:
    """The text of a source with values in it; a value that lacks is an error, and HTML is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(source.parent), autoescape=".html." in source.name, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    made.filters |= dict(filters or {})
    return made.get_template(source.name).render(**values)
