"""Two tables of scores on the same sentences: whether they fit each other, and how far the systems' effects differ."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.audit import running
from eec_datasets.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from eec_bias import Result
    from eec_datasets.audit.tables.scores import TableScores


def on_same_rows(scores: TableScores, others: TableScores) -> tuple[TableScores, TableScores]:
    """Return two tables with the same rows in the same order; of a row that one of them lacks it has no score."""
    import pyarrow as pa

    long = any(isinstance(value, str) for each in (scores, others) for value in each.options.values())
    if long or scores.rows is None or others.rows is None or scores.rows.equals(others.rows):
        return scores, others
    key = next((name for name in ("id", "text") if name in scores.rows.column_names), None)
    if key is None:
        return scores, others
    rows = pa.concat_tables([scores.rows, others.rows.select(scores.rows.column_names)])
    first = list(dict(reversed([(name, row) for row, name in enumerate(rows[key].to_pylist())])).values())
    whole = rows.take(sorted(first))
    return _spread_out(scores, whole, key), _spread_out(others, whole, key)


def _spread_out(scores: TableScores, rows: pa.Table, key: str) -> TableScores:
    import numpy as np

    assert scores.rows is not None
    place = {name: row for row, name in enumerate(scores.rows[key].to_pylist())}
    order = np.array([place.get(name, -1) for name in rows[key].to_pylist()])
    spread = {}
    for name, column in scores.scores.items():
        spread[name] = column[order].copy()
        spread[name][order < 0] = np.nan if column.dtype == float else None
    return replace(scores, rows=rows, scores=spread)


def compare(paths: tuple[str, str], scores: TableScores, others: TableScores, **options: Any) -> Result:
    """Measure how far the effects of two systems differ.

    Parameters
    ----------
    paths
        Of the two tables, for messages, and as names where nothing else tells the systems apart.
    scores, others
        What was read from them, of the same rows.
    options
        Of `eec_bias.compare`.

    Raises
    ------
    InputError
        The tables do not fit each other, or the metric refuses scores or options.
    """
    for path, table in zip(paths, (scores, others), strict=True):
        facets = [value for value in table.options.values() if isinstance(value, str)]
        if facets:
            raise InputError(
                f"{path}: a row per {' and '.join(facets)}; --against compares tables with a row per sentence. Give a "
                "column per system or run."
            )
    if scores.scores.keys() == others.scores.keys():
        in_order = {name: others.scores[name] for name in scores.scores}
        named = {"runs": tuple(in_order)} if "runs" in others.options else {}
        others = replace(others, scores=in_order, options=others.options | named)
    if scores.options != others.options:
        runs = (", ".join(table.options.get("runs", ())) or "none" for table in (scores, others))
        raise InputError(f"{paths[0]} and {paths[1]} do not have the same runs: {' and '.join(runs)}.")
    if scores.score_range != others.score_range:
        ranges = " and ".join(f"{low:g} to {high:g}" for low, high in (scores.score_range, others.score_range))
        raise InputError(f"{paths[0]} and {paths[1]} are on different scales, {ranges}. Say one with --score-range.")
    candidates = ((scores.system, others.system), tuple(Path(path).stem for path in paths), paths)
    names = next((pair for pair in candidates if all(pair) and pair[0] != pair[1]), None)
    if names is None:
        raise InputError(f"{paths[0]}: --against names the same file. Give the scores of another system.")
    options |= {"names": names, "score_range": scores.score_range, **scores.options}
    place = f"{paths[0]} against {paths[1]}"
    return running.call_metric(place, "compare", scores.measured, others.measured, scores.rows, **options)
