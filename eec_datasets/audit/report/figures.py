"""The figures of a report, drawn from saved results; what cannot be drawn is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from eec_datasets.audit.report.document import Measured, Row
from eec_datasets.audit.report.units import Unit
from eec_datasets.errors import Unavailable

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
class Drawn:
    """Figures, and why there are not more."""

    figures: list[Figure] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Studio:
    """Draws figures until the bytes they may take are used up.

    Attributes
    ----------
    bytes_left
        What further figures may take.
    missing
        Why no figures can be drawn at all, or empty.
    drawn, left_out
        How many were drawn, and how many were not, for want of space.
    read
        Results read so far, by the dict they were read from.
    """

    bytes_left: int
    missing: str = ""
    drawn: int = 0
    left_out: int = 0
    read: dict[int, Any] = field(default_factory=dict)

    def effects(self, units: Sequence[Unit], into: Drawn) -> None:
        """Draw all effects of one system: its corpora in one figure where they share a scale, else one each."""
        units = [unit for unit in units if unit.terms]
        ranges = {unit.measured.score_range for unit in units}
        groups = [units] if len(ranges) == 1 else [[unit] for unit in units]
        for group in groups if units else ():
            result = _effects(group)
            self.draw("forest", result, {}, into)

    def of_unit(self, kind: str, unit: Unit, into: Drawn) -> None:
        """Draw one kind of figure of one system on one corpus."""
        # Without details the page says once that these are missing.
        if not unit.terms or (kind in DETAILED and not unit.measured.result.get("details")):
            return
        where = {key: unit.terms[0][key] for key in NAMES if unit.terms[0].get(key) is not None}
        if kind == "items" and (row := _strongest(unit)) is not None:
            places = {key: row[key] for key in ("stratum", "output", "subset") if row.get(key) is not None}
            where |= {"term": row["term"], "level": row["level"], **places}
        self.draw(kind, unit.measured.result, where, into)

    def all_systems(self, measured: Measured, into: Drawn) -> None:
        """Draw the differences of many systems, once per axis."""
        held = measured.result.get("details") or measured.result.get("study")
        for axis in dict.fromkeys(row["term"] for row in measured.terms if "+" not in row["axes"]) if held else ():
            self.draw("systems", measured.result, {"term": axis}, into)

    def draw(self, kind: str, result: Any, where: dict[str, Any], into: Drawn) -> None:
        """Draw one figure, or say why not."""
        if self.missing:
            return
        if self.bytes_left <= 0:
            self.left_out += 1
            return
        from eec_bias import BiasError, Result, figures
        from eec_bias.figures.style import to_svg

        part = f"f{self.drawn + 1}"
        try:
            if id(result) not in self.read:
                self.read[id(result)] = (Result.from_dict(result), result)
            source = self.read[id(result)][0]
            wide = figures.draw(kind, source, theme="page", width=WIDE, **where)
            # Many systems stay side by side in a narrow window too, and are moved through.
            slim = figures.draw(kind, source, theme="page", width=SLIM, **where) if kind != "systems" else None
            found = Figure(
                kind,
                to_svg(wide, part=f"{part}w-"),
                to_svg(slim, part=f"{part}n-") if slim else "",
                str(wide.eec_caption),
            )
        except (LookupError, TypeError, ValueError) as error:
            # Files of other versions may lack what a figure reads; the page is made all the same, and says it.
            held = isinstance(error, BiasError)
            why = str(error) if held else f"the file does not hold what it needs ({type(error).__name__}: {error})"
            into.problems += [text for text in [f"{kind}: {why}"] if text not in into.problems]
            return
        into.figures.append(found)
        self.drawn += 1
        self.bytes_left -= len(found.wide.encode()) + len(found.slim.encode())


def _effects(units: Sequence[Unit]) -> Row:
    """Return what the figure of effects needs of one system as one result; several corpora are strata of it."""
    first = units[0].measured.result
    found: Row = {key: first[key] for key in ("score_range", "signature", "version") if key in first}
    found |= {"terms": [], "equivalence": []}
    for unit in units:
        for key, rows in (("terms", unit.terms), ("equivalence", unit.rows("equivalence"))):
            found[key] += [_placed(row, unit.measured.config if len(units) > 1 else "") for row in rows]
    return found


def _placed(row: Row, config: str) -> Row:
    """Give a row its corpus as stratum, and take away the names that stand above the figure."""
    place = " · ".join(str(part) for part in (config, row.get("stratum")) if part)
    lead = {"stratum": place} if place else {}
    return lead | {key: value for key, value in row.items() if key not in (*NAMES, "stratum")}


def _strongest(unit: Unit) -> Row | None:
    """Return the row whose items are worth a look: the largest |t|, or where nothing was tested the largest effect."""
    rows = [row for row in unit.terms if row["effect"] is not None]
    return max(rows, key=lambda row: (abs(row["t"] or 0), abs(row["effect"])), default=None)


def check_library() -> None:
    """Refuse to start an audit that could not draw its report.

    Raises
    ------
    Unavailable
        matplotlib is not installed.
    """
    if studio(1).missing:
        raise Unavailable(
            "The report needs matplotlib, which is not installed. Install it with: pip install 'eec-datasets[plot]', "
            "or leave the report out with --no-report."
        )


def studio(systems: int) -> Studio:
    """Open a studio for a page of so many systems; without matplotlib it says what is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return Studio(0, "matplotlib is not installed (pip install 'eec-datasets[plot]')")
    return Studio(ONE_SYSTEM if systems == 1 else MORE_SYSTEMS)
