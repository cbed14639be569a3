"""`measure`: scores and data in, a `Result` out."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .adjusting import adjust_rows
from .analysing import Analysis, analyse, cell_rows, fit_row, term_rows, wording_rows
from .design import Design, build_design
from .errors import DesignError, OptionError
from .fitting import estimand
from .logsums import parse_edge
from .options import ADJUSTMENTS, INCOMPLETE, Adjust, Incomplete, one_of
from .result import TERM_KEYS, Result, Row
from .scoring import Scores, read_scores
from .signature import Signature
from .sources import choose_axes, read_source


def measure(
    scores: Any,
    data: Any,
    *,
    axes: Sequence[str] | None = None,
    reference: Any = "default",
    score_range: tuple[float, float] = (0.0, 1.0),
    adjust: Adjust = "holm",
    method: str = "default",
    edge: str = "none",
    incomplete: Incomplete = "refuse",
    simple: bool = False,
    systems: Sequence[str] | None = None,
    data_name: str | None = None,
) -> Result:
    """Measure how scores differ between groups, with two-way names × items inference.

    Parameters
    ----------
    scores : (n,) or (S, n) array, or mapping of system name to (n,) scores
        One score per row of ``data``, in its order.
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        The columns ``person``, ``item``, one per axis and, where noun phrases take part, ``pair``. Labels are
        text, integers, categoricals or dictionary arrays.
    axes : sequence of str, optional
        Identity axes; by default ``race``, ``gender`` and every further axis with two marked levels.
    reference : "default", None or mapping of axis to level
        What levels are compared with. By default ``male``, and ``white`` or ``Anglo``, on axes with two levels;
        other axes report each level's deviation from their mean, as all do with None.
    score_range : (float, float)
        Lowest and highest possible score. Effects are in these units.
    adjust : {"holm", "bh", "by", "none"}
        Adjustment of p: Holm within the rows of one system and subset; Benjamini–Hochberg and
        Benjamini–Yekutieli within a subset over all systems.
    method : {"default"}
        The procedure.
    edge : {"none", "squeeze", "clip:EPS"}
        What the beta regression does with scores at 0 and 1. Means are never changed.
    incomplete : {"refuse", "shared"}
        Whether a person × item table with gaps is an error or is cut down to the items all persons share.
    simple : bool
        Whether to add each axis' effects within the levels of the others.
    systems : sequence of str, optional
        Names of the rows of a matrix of scores.
    data_name : str, optional
        What the signature calls the data; by default taken from a ``Dataset``.

    Returns
    -------
    Result

    Raises
    ------
    ScoresError, LabelsError, DesignError, OptionError
        All of them `BiasError`, a ``ValueError``; the message says what was given, where, and how to mend it.
    """
    one_of("adjust", adjust, ADJUSTMENTS)
    one_of("incomplete", incomplete, INCOMPLETE)
    one_of("method", method, ("default",))
    parse_edge(edge)
    source = read_source(data, data_name)
    checked = read_scores(scores, source.rows, score_range, systems)
    asked = None if axes is None else _axis_names(axes)
    design = build_design(source, choose_axes(source, asked), reference=reference, shared=incomplete == "shared")
    parts = [analyse(table, checked, simple=simple, edge=edge) for table in design.tables]
    extras = _extras(checked, incomplete)
    signature = Signature(source.data, design.axes, design.references, "names+items", adjust, edge, extras)
    return _assemble(design, parts, checked, adjust, edge, signature)


def _axis_names(axes: Sequence[str]) -> tuple[str, ...]:
    if isinstance(axes, str):
        raise OptionError(f"axes={axes!r}; expected a sequence of names such as ({axes!r},)")
    names = tuple(axes)
    if len(set(names)) != len(names):
        raise OptionError(f"axes={names!r} names an axis twice")
    return names


def _extras(scores: Scores, incomplete: Incomplete) -> tuple[tuple[str, str], ...]:
    """Options that differ from their defaults, for the signature."""
    low, high = scores.score_range
    found = []
    if (low, high) != (0.0, 1.0):
        found.append(("range", f"{low:g}..{high:g}"))
    if incomplete != "refuse":
        found.append(("incomplete", incomplete))
    return tuple(found)


def _assemble(
    design: Design, parts: list[Analysis], scores: Scores, adjust: Adjust, edge: str, signature: Signature
) -> Result:
    """Put the tables' rows together, system by system."""
    terms: list[Row] = []
    cells: list[Row] = []
    fits: list[Row] = []
    wording: list[Row] = []
    for s in range(len(scores.values)):
        who = {} if scores.systems is None else {"system": scores.systems[s]}
        for part in parts:
            terms += [who | row for row in term_rows(part, s)]
            cells += [who | row for row in cell_rows(part, s, design.axes)]
            fits.append(who | fit_row(part, s, edge))
            wording += [who | row for row in wording_rows(part, s)]
    notes = design.notes + tuple(note for part in parts for note in part.notes)
    if not terms:
        raise DesignError(f"no term can be estimated: {'; '.join(notes)}")
    axes = {axis.name: axis for part in reversed(parts) for axis in part.table.axes}
    meaning = estimand([axes[name] for name in design.axes if name in axes])
    return Result(
        _adjusted(terms, adjust),
        tuple(cells),
        tuple(fits),
        tuple(wording),
        notes,
        design.axes,
        scores.score_range,
        meaning,
        signature,
    )


def _adjusted(terms: list[Row], adjust: Adjust) -> tuple[Row, ...]:
    """Add the adjusted p and put every row's keys in order."""
    across = adjust in ("bh", "by")
    keys = [(None if across else row.get("system"), row["subset"]) for row in terms]
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    p = np.array([np.nan if row["p"] is None else row["p"] for row in terms])
    adjusted = adjust_rows(p, np.array([number[key] for key in keys], dtype=float), adjust)
    rows = []
    for row, value in zip(terms, adjusted.tolist(), strict=True):
        own = {"system": row["system"]} if "system" in row else {}
        row["p_adjusted"] = None if np.isnan(value) else value
        rows.append(own | {key: row[key] for key in TERM_KEYS})
    return tuple(rows)
