"""Tables for the terminal, and how numbers are written in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

DASH = "–"


def number(value: float | None, *, signed: bool = False) -> str:
    """Write a number of the scores' own units with four decimals; a dash where there is none."""
    if value is None:
        return DASH
    return f"{value:+.4f}" if signed else f"{value:.4f}"


def probability(value: float | None) -> str:
    """Write a p-value: three decimals, ``< .001`` below that."""
    if value is None:
        return DASH
    return "< .001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def interval(row: Mapping[str, Any]) -> str:
    """Write the 95 % interval of a row of terms."""
    if row["ci_low"] is None or row["ci_high"] is None:
        return DASH
    return f"[{number(row['ci_low'], signed=True)}, {number(row['ci_high'], signed=True)}]"


def term(row: Mapping[str, Any]) -> str:
    """Write the term of a row; ``gender, pairs`` where it was not measured on names."""
    return str(row["term"]) + ("" if row["subset"] == "names" else f", {row['subset']}")


def contrast(row: Mapping[str, Any]) -> str:
    """Write what a row compares: ``female – male``; of an interaction the cell that is looked at."""
    if "+" in row["axes"]:
        return str(row["level"])
    return f"{row['level']} – {row['reference']}"


def reading(row: Mapping[str, Any], alpha: float = 0.05) -> str:
    """Say in a few words what a row shows, after the adjustment for several terms.

    An absence of evidence is never called an absence of difference: the smallest detectable effect stands
    beside it.
    """
    p = row["p_adjusted"]
    if row["effect"] is None:
        return "not estimated"
    if row["effect"] == 0 and row["se"] == 0:
        return "no reaction"
    if p is None:
        return "the same difference throughout" if row["se"] == 0 else "difference, not tested"
    return "difference" if p < alpha else "no detectable difference"


def width(text: str) -> int:
    """Return the columns a text takes in a terminal: marks take none, wide letters two."""
    return sum(
        0
        if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf"
        else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )


def lay_out(headers: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Return a table of left-aligned columns, those in ``right`` right-aligned, under a ruled header."""
    widths = [max(width(row[i]) for row in [headers, *rows]) for i in range(len(headers))]

    def line(cells: Sequence[str]) -> str:
        padded = []
        for i, cell in enumerate(cells):
            space = " " * (widths[i] - width(cell))
            padded.append(space + cell if i in right else cell + space)
        return "  ".join(padded).rstrip()

    return "\n".join([line(headers), line(["─" * size for size in widths]), *(line(row) for row in rows)])


HEADERS = ("config", "term", "compares", "effect", "95 % interval", "p (Holm)", "detectable", "reading")


def summary(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of one system: rows of terms, each with its ``config``; numbered notes below."""
    notes: dict[str, int] = {}
    lines: list[list[str]] = []
    config = None
    for row in rows:
        mark = f" [{notes.setdefault(row['note'], len(notes) + 1)}]" if row["note"] else ""
        shown, config = ("" if row["config"] == config else row["config"]), row["config"]
        effect = (number(row["effect"], signed=True), interval(row), probability(row["p_adjusted"]), number(row["mde"]))
        lines.append([shown, term(row), contrast(row), *effect, reading(row) + mark])
    table = lay_out(HEADERS, lines, right=(3, 5, 6))
    return "\n".join([table, *(f"[{mark}] {note}" for note, mark in notes.items())])
