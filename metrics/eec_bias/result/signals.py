"""Notes on slopes of scores on the signal of names."""

from collections.abc import Iterator, Sequence

from eec_bias.grouping import grouped
from eec_bias.notes import Note
from eec_bias.result.frame import Row


def note_slopes(rows: Sequence[Row], alpha: float) -> Iterator[Note]:
    """Note each slope that is found, and whether its interval is rough."""
    for row in rows:
        if _is_found(row, alpha):
            low, high = sorted((abs(row["ci_low"]), abs(row["ci_high"])))
            note = Note(
                "signal_lower" if row["effect"] < 0 else "signal_higher",
                {
                    "subset": row["subset"],
                    "level": row["level"],
                    "subject": _subject(row),
                    "effect": abs(row["effect"]),
                    "low": low,
                    "high": high,
                    "p": row["p_adjusted"],
                },
            )
            if row["rough"]:
                note = Note("signal_rough", {"note": note})
            yield _within(row.get("stratum"), note)


def note_no_slopes(rows: Sequence[Row], alpha: float) -> Iterator[Note]:
    """Note of each axis of which no slope is found how large one would have been."""
    parts = grouped(((row.get("stratum"), row["subset"], row["axis"]), row) for row in rows)
    for (stratum, subset, axis), slopes in parts.items():
        largest = max((row["mde"] for row in slopes if row["mde"] is not None), default=None)
        if largest and not any(_is_found(row, alpha) for row in slopes):
            found_from = {"subset": subset, "axis": axis, "detectable": largest}
            yield _within(stratum, Note("signal_not_found", found_from))


def _within(stratum: str | None, note: Note) -> Note:
    """Say of which part of the data a note is."""
    return note if stratum is None else Note("in_stratum", {"label": stratum, "note": note})


def _is_found(row: Row, alpha: float) -> bool:
    return row["p_adjusted"] is not None and row["p_adjusted"] < alpha


def _subject(row: Row) -> Note:
    """Name the system of a row in a note."""
    if row.get("system") is None:
        return Note("one_system")
    task = row.get("task")
    return Note("named_system", {"title": f"{row['system']} ({task})" if task else str(row["system"])})
