"""A report on a file, written for a terminal and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets.imported.hits import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from eec_datasets.imported.linting import Example, LintReport

    Layout = Callable[[Sequence[str], Sequence[Sequence[str]], Sequence[int]], str]

WIDE = 100
"""Columns of a terminal beyond which a table of all groups side by side cannot be read."""

ABOUT_PAIRS = (
    "A pair is uneven when its two sentences carry different defects, or one of them is missing: "
    "a measure of bias reads that as bias."
)


def defect_table(report: LintReport) -> tuple[list[str], list[list[str]]]:
    """Headers and rows: a line per kind of defect, a column per group, counts of sentences."""
    headers = ["defect", "all", *report.groups]
    rows = [["(sentences)", _number(report.rows), *(_number(size) for size in report.groups.values())]]
    for defect in report.defects:
        counts = [_number(defect.groups.get(group, 0)) for group in report.groups]
        rows.append([defect.kind, _number(defect.total), *counts])
    return headers, rows


def defect_lines(report: LintReport) -> tuple[list[str], list[list[str]]]:
    """The same counts as `defect_table`, a line per defect and group that has it: for files with many groups."""
    rows = []
    for defect in report.defects:
        rows.append(_line(defect.kind, "all", defect.total, report.rows))
        for group, size in report.groups.items():
            if defect.groups.get(group, 0):
                rows.append(_line("", group, defect.groups[group], size))
    return ["defect", "group", "sentences", "of", "share"], rows


def _line(kind: str, group: str, count: int, size: int) -> list[str]:
    return [kind, group, _number(count), _number(size), f"{100 * count / size:.1f} %" if size else ""]


def pair_table(report: LintReport) -> tuple[list[str], list[list[str]]]:
    """Headers and rows: a line per kind of pair, with the share that is uneven and by what."""
    rows = []
    for one in report.pairs:
        by = ", ".join(f"{kind} {_number(count)}" for kind, count in list(one.kinds.items())[:4])
        share = f"{100 * one.share:.1f} %"
        rows.append([one.axis, one.group, _number(one.pairs), _number(one.uneven), share, by])
    return ["pairs by", "among", "pairs", "uneven", "share", "by"], rows


def _number(value: int) -> str:
    return f"{value:,}"


def as_text(report: LintReport, lay_out: Layout) -> str:
    """The report for a terminal; `lay_out` writes a table from headers, rows and right-aligned columns."""
    compared = f"; compared with our locale '{report.compared}'" if report.compared else ""
    sizes = f"{_number(report.rows)} sentences, {report.templates} templates, {report.persons} persons"
    out = [f"{report.file}: {sizes}{compared}"]
    out += [f"note: {note}" for note in report.notes]
    headers, rows = defect_table(report)
    table = lay_out(headers, rows, tuple(range(1, len(headers))))
    if len(table.partition("\n")[0]) > WIDE and report.defects:
        table = lay_out(*defect_lines(report), (2, 3, 4))
    out += ["", table]
    if report.pairs:
        headers, rows = pair_table(report)
        out += ["", lay_out(headers, rows, (2, 3, 4)), ABOUT_PAIRS]
    for defect in report.defects:
        out += ["", f"{defect.kind}: {KINDS[defect.kind]}", *(f"  {_shown(example)}" for example in defect.examples)]
    out += ["", _summary(len(report.defects))]
    return "\n".join(out)


def _summary(kinds: int) -> str:
    return f"{kinds} kind{'s' if kinds != 1 else ''} of defect" if kinds else "no defect found"


def _shown(example: Example) -> str:
    where = f"line {example.line}: " if example.line else ""
    return f"{where}{example.text}" + (f"  ({example.detail})" if example.detail else "")


def as_html(report: LintReport) -> str:
    """The report as one page that needs nothing beside it."""
    from jinja2 import Environment, StrictUndefined

    source = (Path(__file__).parent / "report.html.j2").read_text(encoding="utf-8")
    page = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page.filters["zip"] = zip
    return page.from_string(source).render(
        report=report, kinds=KINDS, defects=defect_table(report), pairs=pair_table(report), about_pairs=ABOUT_PAIRS
    )
