"""What was found in somebody else's file, for a terminal and as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.checks.pair_evenness import MISSING
from eec_datasets.checks.report import corpus_checks
from eec_datasets.documents import fill
from eec_datasets.terminal import lay_out, percent

if TYPE_CHECKING:
    from eec_datasets.checks.pair_evenness import PairEvenness

WIDEST = 100
"""Columns of a terminal beyond which a table of all groups side by side cannot be read."""

ABOUT_PAIRS = (
    "A pair is uneven when its two sentences carry different defects, or one of them is missing: "
    "a measure of bias reads that as bias."
)


@dataclass(frozen=True, slots=True)
class Example:
    """Where a defect can be seen; `line` is 0 for a sentence that is missing."""

    line: int
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Defect:
    """One kind of defect: how many sentences have it, in all and by group."""

    kind: str
    total: int
    groups: Mapping[str, int]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class LintReport:
    """What was found in a file.

    Attributes
    ----------
    groups : sentences by group, in the file's own labels and order, those with a race first.
    compared : the locale of ours the sentences were compared with, or empty.
    notes : what could not be checked, and why.
    """

    file: str
    rows: int
    persons: int
    templates: int
    compared: str
    groups: Mapping[str, int]
    defects: tuple[Defect, ...]
    pairs: tuple[PairEvenness, ...]
    pair_examples: tuple[tuple[Example, ...], ...]
    notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether no defect was found."""
        return not self.defects

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-able values."""
        facts = asdict(self)
        del facts["pair_examples"]
        for defect in facts["defects"]:
            defect["meaning"] = corpus_checks()[defect["kind"]]
            defect["examples"] = [example | {"line": example["line"] or None} for example in defect["examples"]]
        pairs = [
            {key: value for key, value in asdict(pairs).items() if key != "examples"} | {"share": round(pairs.share, 4)}
            for pairs in self.pairs
        ]
        return facts | {"ok": self.ok, "compared_with": facts.pop("compared"), "pairs": pairs}


def defect_table(report: LintReport) -> tuple[list[str], list[list[str]]]:
    """Headers and rows: a line per kind of defect, a column per group, counts of sentences."""
    headers = ["defect", "all", *report.groups]
    rows = [["(sentences)", *map("{:,}".format, (report.rows, *report.groups.values()))]]
    for defect in report.defects:
        counts = (defect.total, *(defect.groups.get(group, 0) for group in report.groups))
        rows.append([defect.kind, *map("{:,}".format, counts)])
    return headers, rows


def defect_lines(report: LintReport) -> tuple[list[str], list[list[str]]]:
    """The same counts as `defect_table`, a line per defect and group that has it: for files with many groups."""
    rows = []
    for defect in report.defects:
        # Sentences that are missing are a share of those that there should be.
        missing = defect.kind == MISSING
        rows.append(_line(defect.kind, "all", defect.total, report.rows + missing * defect.total))
        for group, size in report.groups.items():
            if count := defect.groups.get(group, 0):
                rows.append(_line("", group, count, size + missing * count))
    return ["defect", "group", "sentences", "of", "share"], rows


def _line(kind: str, group: str, count: int, size: int) -> list[str]:
    return [kind, group, f"{count:,}", f"{size:,}", f"{percent(count, size, 1)} %"]


def pair_table(report: LintReport) -> tuple[list[str], list[list[str]]]:
    """Headers and rows: a line per kind of pair, with the share that is uneven and by what."""
    rows = []
    for pairs in report.pairs:
        kinds = [f"{kind} {count:,}" for kind, count in pairs.kinds.items()]
        by = ", ".join([*kinds[:4], *(["…"] if len(kinds) > 4 else [])])
        share = f"{percent(pairs.uneven, pairs.pairs, 1)} %"
        rows.append([pairs.axis, pairs.group, f"{pairs.pairs:,}", f"{pairs.uneven:,}", share, by])
    return ["pairs by", "among", "pairs", "uneven", "share", "by"], rows


def as_text(report: LintReport) -> str:
    """The report for a terminal."""
    headers, rows = defect_table(report)
    table = lay_out(headers, rows, tuple(range(1, len(headers))))
    if len(table.partition("\n")[0]) > WIDEST and report.defects:
        table = lay_out(*defect_lines(report), (2, 3, 4))
    pairs = lay_out(*pair_table(report), (2, 3, 4))
    return _filled("report.txt.j2", report, table=table, pairs=pairs).rstrip("\n")


def as_html(report: LintReport) -> str:
    """The report as one page that needs nothing beside it."""
    return _filled("report.html.j2", report, defects=defect_table(report), pairs=pair_table(report))


def _filled(source: str, report: LintReport, **tables: object) -> str:
    facts = ((report.rows, "sentence"), (report.templates, "template"), (report.persons, "person"))
    counted = ", ".join(f"{count:,} {what}{'s' if count != 1 else ''}" for count, what in facts if count)
    values = {"report": report, "counted": counted, "kinds": corpus_checks(), "about_pairs": ABOUT_PAIRS, **tables}
    return fill(Path(__file__).with_name(source), {"zip": zip}, **values)
