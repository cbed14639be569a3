"""A measurement record as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from eec_bias.reading import (
    counted,
    interval,
    label,
    marked,
    p_value,
    part_of,
    percent,
    rounded,
    signed,
    signed_points,
)
from eec_datasets.documents import fill

TEMPLATE: Final = Path(__file__).with_name("record.md.j2")


def as_markdown(content: Mapping[str, Any]) -> str:
    """Lay out what `content.content` gives."""
    return re.sub(r"\n{3,}", "\n\n", fill(TEMPLATE, FILTERS, record=content)).strip() + "\n"


def _code(value: object) -> str:
    """JSON as an indented block of code, which no text inside can end."""
    lines = json.dumps(value, ensure_ascii=False, indent=2).splitlines()
    return "\n".join(f"    {line}" for line in lines)


def _between(finding: Mapping[str, Any]) -> str:
    """The interval of a finding in points; empty where there is none."""
    if finding["points_low"] is None or finding["verdict"] == "no_reaction":
        return ""
    return f"{signed_points(finding['points_low'])} to {signed_points(finding['points_high'])}"


def _found_from(finding: Mapping[str, Any]) -> str:
    """The smallest gap that would have been found, in points."""
    return "" if finding["points_found_from"] is None else f"{finding['points_found_from']:g}"


def _sentence(finding: Mapping[str, Any]) -> str:
    """The sentence of a finding, with the reason why it is rough."""
    said = str(finding["says"])
    rough = f" Rough: {finding['rough']}." if finding["rough"] else ""
    return f"{said[:1].upper()}{said[1:]}.{rough}"


FILTERS: Final = {
    "between": _between,
    "found_from": _found_from,
    "sentence": _sentence,
    "points": signed_points,
    "p_value": p_value,
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
