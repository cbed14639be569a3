"""What was found in somebody else's file, for a terminal and as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.checks.pair_evenness import MISSING
from eec_datasets.checks.report import corpus_checks
from eec_datasets.documents import fill
from eec_datasets.imported.reading import some
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
    """Where something can be seen, and what; `line` is None for a sentence that is missing."""

    line: int | None
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
    compared_with : the locale of ours the sentences were compared with, or empty.
    pairs : each with sentences of some uneven ones.
    notes : what could not be checked, and why.
    """

    file: str
    rows: int
    persons: int
    templates: int
    compared_with: str
    groups: Mapping[str, int]
    defects: tuple[Defect, ...]
    pairs: tuple[tuple[PairEvenness, tuple[Example, ...]], ...]
    notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether no defect was found."""
        return not self.defects

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-able values."""
        facts = asdict(self)
        for defect in facts["defects"]:
            defect["meaning"] = corpus_checks()[defect["kind"]]
        pairs = [asdict(pairs) | {"share": round(pairs.share, 4)} for pairs, _ in self.pairs]
        for pair in pairs:
            del pair["examples"]
        return facts | {"ok": self.ok, "pairs": pairs}


def defect_table(report: LintReport) -> tuple[list[str], list[list[str]]]:
    """Headers and rows: a line per kind of defect, a column per group, counts of sentences."""
    counts = {"(sentences)": (report.rows, report.groups)}
    counts |= {defect.kind: (defect.total, defect.groups) for defect in report.defects}
    rows = []
    for kind, (total, groups) in counts.items():
        cells = [f"{groups.get(group, 0):,}" for group in report.groups]
        rows.append([kind, f"{total:,}", *cells])
    return ["defect", "all", *report.groups], rows


def defect_lines(report: LintReport) -> tuple[list[str], list[list[str]]]:
    """The same counts as `defect_table`, a line per defect and group that has it: for files with many groups."""
    rows = []
    for defect in report.defects:
        sizes = {"all": (defect.total, report.rows)}
        sizes |= {group: (defect.groups.get(group, 0), size) for group, size in report.groups.items()}
        for group, (count, size) in sizes.items():
            if count:
                whole = size
                if defect.kind == MISSING:  # a share of the sentences that there should be
                    whole += count
                kind = defect.kind if group == "all" else ""
                rows.append([kind, group, f"{count:,}", f"{whole:,}", f"{percent(count, whole, 1)} %"])
    return ["defect", "group", "sentences", "of", "share"], rows


def pair_table(report: LintReport) -> tuple[list[str], list[list[str]]]:
    """Headers and rows: a line per kind of pair, with the share that is uneven and by what."""
    rows = []
    for pairs, _ in report.pairs:
        share = f"{percent(pairs.uneven, pairs.pairs, 1)} %"
        by = some([f"{kind} {count:,}" for kind, count in pairs.kinds.items()], 4)
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
    sizes = []
    for count, what in ((report.rows, "sentence"), (report.templates, "template"), (report.persons, "person")):
        if count == 1:
            sizes.append(f"1 {what}")
        elif count:
            sizes.append(f"{count:,} {what}s")
    return fill(
        Path(__file__).with_name(source),
        report=report,
        counted=", ".join(sizes),
        kinds=corpus_checks(),
        about_pairs=ABOUT_PAIRS,
        **tables,
    )
