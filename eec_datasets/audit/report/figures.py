"""The figures of a report; what cannot be drawn is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from eec_bias import BiasError, Result, figures
from eec_bias.figures.style import save, to_svg
from eec_datasets.audit.report.document import Entry, Row, Unit
from eec_datasets.errors import Unavailable
from eec_datasets.files import put

KINDS: Final = ("persons", "heatmap", "items")
"""Figures of one system on one corpus, in their order, after the effects of all its corpora."""

DETAILED: Final = ("persons", "items")
"""Those that need what lies behind the rows."""

WIDE, SLIM = 7.0, 3.4
"""Inches: of a page, and of a narrow window."""

ONE_SYSTEM, MORE_SYSTEMS = 2_400_000, 4_000_000
"""Bytes that figures may take, so that the page of one system stays below 3 MB, others well below 10."""

NAMES: Final = ("system", "task")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: kind, ``<svg>`` for wide windows and for narrow ones (empty: the wide one can be moved), caption."""

    kind: str
    wide: str
    slim: str
    caption: str


@dataclass(slots=True)
class Figures:
    """Those of one part of the page, and why there are not more."""

    drawn: list[Figure] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True)
class FigureMaker:
    """Draws figures until the bytes they may take are used up.

    Attributes
    ----------
    bytes_left
        What further figures may take.
    missing
        Why no figures can be drawn at all, or empty.
    drawn, left_out
        How many were drawn, and how many were not, for want of space.
    """

    bytes_left: int
    missing: str = ""
    drawn: int = 0
    left_out: int = 0

    def effects(self, units: Sequence[Unit], into: Figures) -> None:
        """Draw all effects of one system: its corpora in one figure where they share a scale, else one each."""
        alike = len({unit.entry.result.score_range for unit in units}) == 1
        for group in [units] if alike else [[unit] for unit in units]:
            self.draw("forest", _side_by_side(group), {}, into)

    def of_unit(self, kind: str, unit: Unit, into: Figures) -> None:
        """Draw one kind of figure of one system on one corpus."""
        # Without details the page says once that these are missing.
        if kind in DETAILED and not unit.entry.result.details:
            return
        where = {key: unit.rows[0].row[key] for key in NAMES if unit.rows[0].row.get(key) is not None}
        if kind == "items" and (row := _strongest(unit)) is not None:
            keys = ("term", "level", "stratum", "output", "subset")
            where |= {key: row[key] for key in keys if row.get(key) is not None}
        self.draw(kind, unit.entry.result, where, into)

    def all_systems(self, entry: Entry, into: Figures) -> None:
        """Draw the differences of many systems, once per axis."""
        result = entry.result
        if result.details or result.study:
            for axis in dict.fromkeys(row["term"] for row in result.terms if "+" not in (row["axes"] or "")):
                self.draw("systems", result, {"term": axis}, into)

    def draw(self, kind: str, result: Result, where: Mapping[str, Any], into: Figures) -> None:
        """Draw one figure, or say why not."""
        if self.missing:
            return
        if self.bytes_left <= 0:
            self.left_out += 1
            return
        part = f"f{self.drawn + 1}"
        try:
            wide = figures.draw(kind, result, theme="page", width=WIDE, **where)
            # Many systems stay side by side in a narrow window too, and are moved through.
            slim = figures.draw(kind, result, theme="page", width=SLIM, **where) if kind != "systems" else None
        except BiasError as error:
            into.problems += [text for text in [f"{kind}: {error}"] if text not in into.problems]
            return
        svg = to_svg(wide, part=f"{part}w-"), to_svg(slim, part=f"{part}n-") if slim else ""
        into.drawn.append(Figure(kind, *svg, str(wide.eec_caption)))
        self.drawn += 1
        self.bytes_left -= sum(len(text.encode()) for text in svg)


@dataclass(slots=True)
class FigureSaver(FigureMaker):
    """Draws figures on white into files of a folder, each as SVG and PNG.

    Attributes
    ----------
    folder
        Where they are written.
    captions
        Name of each, and what is to be read in it.
    """

    folder: Path = Path()
    captions: list[str] = field(default_factory=list)

    def draw(self, kind: str, result: Result, where: Mapping[str, Any], into: Figures) -> None:
        """Draw one figure, or say why not."""
        try:
            figure = figures.draw(kind, result, theme="light", width=WIDE, **where)
        except BiasError as error:
            into.problems.append(f"{kind}: {error}")
            return
        self.drawn += 1
        name = f"{self.drawn:02d}-{kind}"
        for ending in ("svg", "png"):
            save(figure, self.folder / f"{name}.{ending}")
        self.captions.append(f"{name}: {figure.eec_title}. {figure.eec_caption}")


def save_figures(units: Sequence[Unit], folder: Path) -> None:
    """Draw the figures of systems into files of a folder, with a text that says what each is.

    Raises
    ------
    Unavailable
        matplotlib is not installed.
    """
    check_library()
    maker = FigureSaver(0, folder=folder)
    for unit in units:
        notes = Figures()
        maker.captions.append(f"{unit.where}:")
        maker.effects([unit], notes)
        for kind in KINDS:
            maker.of_unit(kind, unit, notes)
        maker.captions += notes.problems
    put({folder / "captions.txt": "\n".join([*maker.captions, ""])})


def _side_by_side(units: Sequence[Unit]) -> Result:
    """Return what the figure of effects needs of one system as one result; several corpora are strata of it."""
    rows: dict[str, list[Any]] = {"terms": [], "no_spread": [], "equivalence": [], "cells": []}
    for unit in units:
        for key, placed in rows.items():
            own = [judged.row for judged in unit.rows] if key == "terms" else unit.others(key)
            placed += [_placed(row, unit.entry.config if len(units) > 1 else "") for row in own]
    found: dict[str, Any] = {key: tuple(placed) for key, placed in rows.items()}
    return replace(units[0].entry.result, **found)


def _placed(row: Row, config: str) -> Row:
    """Give a row its corpus as stratum, and take away the names that stand above the figure."""
    place = " · ".join(str(part) for part in (config, row.get("stratum")) if part)
    lead = {"stratum": place} if place else {}
    return lead | {key: value for key, value in row.items() if key not in (*NAMES, "stratum")}


def _strongest(unit: Unit) -> Row | None:
    """Return the row whose items are worth a look: the largest |t|, or where nothing was tested the largest effect."""
    rows = [judged.row for judged in unit.rows if judged.row["effect"] is not None]
    return max(rows, key=lambda row: (abs(row["t"] or 0), abs(row["effect"])), default=None)


def check_library() -> None:
    """Refuse to start an audit that could not draw its report.

    Raises
    ------
    Unavailable
        matplotlib is not installed.
    """
    if figure_maker(1).missing:
        raise Unavailable(
            "The report needs matplotlib, which is not installed. Install it with: pip install 'eec-datasets[plot]', "
            "or leave the report out."
        )


def figure_maker(systems: int) -> FigureMaker:
    """Return what draws for a page of so many systems; without matplotlib it says what is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return FigureMaker(0, "matplotlib is not installed (pip install 'eec-datasets[plot]')")
    return FigureMaker(ONE_SYSTEM if systems == 1 else MORE_SYSTEMS)
