"""A measurement record as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from eec_bias.reading import counted, interval, label, marked, part_of, percent, rounded, signed
from eec_datasets.documents import fill

TEMPLATE: Final = Path(__file__).with_name("record.md.j2")


def as_markdown(content: Mapping[str, Any]) -> str:
    """Lay out what `content.content` gives."""
    return re.sub(r"\n{3,}", "\n\n", fill(TEMPLATE, FILTERS, record=content)).strip() + "\n"


def _code(value: object) -> str:
    """JSON as an indented block of code, which no text inside can end."""
    lines = json.dumps(value, ensure_ascii=False, indent=2).splitlines()
    return "\n".join(f"    {line}" for line in lines)


FILTERS: Final = {
    "md": marked,
    "compared": lambda signature: part_of(signature, "compare"),
    "known": lambda value: "not known" if value in (None, "", []) else marked(value),
    "number": rounded,
    "percent": percent,
    "signed": signed,
    "label": label,
    "persons": lambda number: counted(number, "person"),
    "interval": lambda row: interval(row["ci_low"], row["ci_high"]),
    "code": _code,
}
