"""Cell means of two axes crossed, and what is left of them when both axes' own effects are taken away."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from eec_bias.errors import OptionError, ResultError
from eec_bias.figures.labels import join, label
from eec_bias.figures.page import Page, opened
from eec_bias.figures.parts import name_part, say_answer, say_finding
from eec_bias.figures.style import Theme
from eec_bias.grouping import grouped
from eec_bias.options import ANY, Floats, check_names
from eec_bias.result.finding import find, headline
from eec_bias.result.frame import BESIDE, AnyRow, part_key
from eec_bias.result.numbers import counted, rounded, signed
from eec_bias.result.parts import pick
from eec_bias.result.record import Record
from eec_bias.result.term import LEADING
from eec_bias.result.verdict import judge_terms

NO_AXES = (*BESIDE["cells"], *LEADING)
"""Keys of a row of cells that are not axes."""

WRITTEN = 80
"""Cells up to which the numbers are written in."""


def heatmap(
    result: Any, *, axes: Sequence[str] | None = None, theme: Theme = "light", width: float = 7.0, **where: Any
) -> Any:
    """Draw the mean score of each combination of two axes' levels, and its intersectional residual.

    The residual is ``m_rg − m_r. − m_.g + m..``: what a cell has beyond the sum of both axes' effects. With one axis it
    is the deviation from the mean of the levels.

    Parameters
    ----------
    result : Result or dict
        What was measured.
    axes : sequence of one or two str, optional
        By default the first two of the result. Over further axes cells are averaged with equal weights.
    theme : {"light", "dark", "print", "page"}
        Colours.
    width : float
        Inches; below 5 the panels stand one above the other.
    **where
        ``system``, ``task``, ``stratum``, ``output``, ``subset``: which part; by default the first.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    OptionError
        If the result has no such part or axes.
    ResultError
        If it has no cells.
    """
    with opened(result, theme, width) as page:
        record = page.record
        if not record.cells:
            raise ResultError(f"figure 'heatmap' needs cells, which a result of {record.method} does not have")
        cells = pick(record.cells, where, "cells")
        rows = [row for row in cells if part_key(row) == part_key(cells[0])]
        chosen = _axes_of(rows, axes)
        down, across, means = _grid(rows, chosen)
        crossed = len(chosen) > 1
        kind, name = ("residual", "intersectional residual") if crossed else ("deviation", "deviation from their mean")
        residual = means - means.mean(axis=0) - (means.mean(axis=1)[:, None] - means.mean() if crossed else 0)
        high = 0.34 * len(down) + 1.15 + 0.075 * max(map(len, map(label, across)))
        figure = page.start(high * (2 if page.narrow else 1))
        panels = figure.subplots(2, 1) if page.narrow else figure.subplots(1, 2, sharey=True)
        # One scale for both panels, as wide as what could have been found at least, so that noise looks like none.
        apart = means - means.mean()
        reach = max(float(np.abs(residual).max()), float(np.abs(apart).max()), _detectable(record, rows[0]), 1e-9)
        for ax, title, numbers, shade in zip(
            panels, ("mean score", name), (means, residual), (apart, residual), strict=True
        ):
            _panel(page, ax, numbers, shade, (down, across), reach)
            ax.set_title(title)
            ax.set_ylabel(label(chosen[0]) if page.narrow or ax is panels[0] else "")
            ax.set_xlabel(label(chosen[1]) if crossed else "")
        values = [
            f"{' '.join(filter(None, (a, b)))} mean {rounded(means[i, j])}, {kind} {signed(residual[i, j])}"
            for i, a in enumerate(down)
            for j, b in enumerate(across)
        ]
        others = [key for key in _axes_in(rows) if key not in chosen]
        words = {"rows": rows, "axes": chosen, "part": name_part(cells), "others": others}
        found = _interaction(record, rows[0], chosen) if crossed else ""
        n = counted(sum(row["n_persons"] for row in rows), "person")
        page.verdict(f"Interaction: {found} · {n}" if found else n)
        return page.finish("heatmap", values, **words, interaction=found)


def _axes_in(rows: Sequence[AnyRow]) -> list[str]:
    return [key for key in rows[0] if key not in NO_AXES and rows[0][key] is not None]


def _axes_of(rows: Sequence[AnyRow], requested: Sequence[str] | None) -> tuple[str, ...]:
    available = _axes_in(rows)
    if requested is None:
        if not available:
            raise ResultError("the cells of this part carry no axis, so there is nothing to draw")
        # The longer axis goes down the page.
        return tuple(sorted(available[:2], key=lambda axis: -len({row[axis] for row in rows})))
    chosen = (requested,) if isinstance(requested, str) else requested
    check_names("axes", chosen)
    if not 1 <= len(set(chosen)) == len(chosen) <= 2 or any(axis not in available for axis in chosen):
        raise OptionError(f"axes {requested!r}; expected one or two of {', '.join(available)}")
    return tuple(chosen)


def _grid(rows: Sequence[AnyRow], axes: tuple[str, ...]) -> tuple[list[str], list[str], Floats]:
    """Levels of the rows and of the columns, and the mean of each combination."""
    pairs = [(*(row[axis] for axis in axes), "")[:2] for row in rows]
    down, across = (list(dict.fromkeys(levels)) for levels in zip(*pairs, strict=True))
    means = grouped(zip(pairs, (row["mean"] for row in rows), strict=True))
    if missing := [pair for pair in product(down, across) if pair not in means]:
        raise ResultError(f"no cell is {' and '.join(missing[0])}; the heat map needs every combination of {axes}")
    return down, across, np.array([[np.mean(means[a, b]) for b in across] for a in down])


def _detectable(record: Record, cell: Mapping[str, Any]) -> float:
    """Return the largest gap of single axes that would just have been found in a part; 0 where nothing is known."""
    sizes = [
        finding.found_from
        for finding in find(record)
        if finding.found_from and not finding.comparison.is_interaction and part_key(finding.row) == part_key(cell)
    ]
    return max(sizes, default=0.0)


def _panel(
    page: Page, ax: Any, values: Floats, shade: Floats, levels: tuple[list[str], list[str]], reach: float
) -> None:
    """Write values into squares, coloured by how far ``shade`` lies from 0 on a scale from −reach to reach."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    style = page.style
    colours = LinearSegmentedColormap.from_list("eec", [style.low, style.middle, style.high])
    mapping = ScalarMappable(Normalize(-reach, reach), colours)
    faces = mapping.to_rgba(shade)
    down, across = values.shape
    rows, columns = (numbers.ravel() for numbers in np.indices(values.shape))
    # Rectangles and not an image, so that an SVG stays sharp and small.
    ax.barh(rows, 0.96, left=columns - 0.48, height=0.94, color=faces.reshape(-1, 4), edgecolor=style.ink,
            linewidth=0.4)  # fmt: skip
    for (i, j), value in np.ndenumerate(values) if values.size <= WRITTEN else ():
        text = signed(value) if shade is values else rounded(value)
        ax.text(j, i, text, ha="center", va="center", fontsize=8, color=_readable(faces[i, j]))
    ax.set_xlim(-0.5, across - 0.5)
    ax.set_ylim(down - 0.5, -0.5)
    turned = max(len(label(level)) for level in levels[1]) > 9 or across > 6
    ax.set_xticks(range(across), [join([level], limit=24) for level in levels[1]], rotation=45 if turned else 0,
                  ha="right" if turned else "center", rotation_mode="anchor")  # fmt: skip
    ax.set_yticks(range(down), [join([level], limit=16 if page.narrow else 24) for level in levels[0]])
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    if values.size > WRITTEN:
        page.figure.colorbar(mapping, ax=ax, shrink=0.8)


def _readable(face: Any) -> str:
    """Black or white, whichever stands out from a colour (relative luminance, WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in map(float, face[:3])]
    return "#000000" if 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179 else "#ffffff"


def _interaction(record: Record, cell: Mapping[str, Any], axes: tuple[str, ...]) -> str:
    """What is said first of the interaction in this part; of a published procedure what its row says."""
    findings = [
        finding
        for finding in find(record)
        if set(finding.comparison.axes.split("+")) == set(axes) and "|" not in finding.comparison.term
        and part_key(finding.row) == part_key(cell)
    ]  # fmt: skip
    first = headline(findings)
    if first is not None and record.plan is not None:
        return say_answer(first, record.plan)
    interaction_rows = [
        each
        for each in judge_terms(record)
        if set(str(each.row["axes"]).split("+")) == set(axes) and "|" not in each.row["term"]
        and part_key(each.row) == part_key(cell)
    ]  # fmt: skip
    whole = [each for each in interaction_rows if each.row["level"] == ANY] or interaction_rows
    return say_finding(record, whole[0]) if len(whole) == 1 else ""
