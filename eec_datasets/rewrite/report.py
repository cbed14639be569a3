"""What became of the texts: as a table to read, and as JSON beside the rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from eec_datasets.files import replacing
from eec_datasets.rewrite.writing import OutputError

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from eec_datasets.rewrite.frame import Rewrite
    from eec_datasets.rewrite.perturbation import Summary


def as_dict(found: Summary, rows: int, named: Mapping[str, int]) -> dict[str, Any]:
    """Counts, reasons and options as plain JSON values."""
    tally = found.tally
    return {
        "language": found.language,
        "options": dict(found.options),
        "texts": tally.texts,
        "rewritten": {gender: tally.rewritten[gender] for gender in found.anchors.columns},
        "sentences": {gender: found.sampled.get(gender, 0) for gender in found.anchors.columns},
        "persons": found.persons,
        "rows": rows,
        "left_out": {
            reason: {"what": found.anchors.reasons[reason], **counts} for reason, counts in tally.by_reason().items()
        },
        "named_already": dict(named),
    }


def counted(rewrites: Iterable[Rewrite], counts: Counter[str]) -> Iterator[Rewrite]:
    """Count rewrites per gender of the anchor while they go by."""
    for rewrite in rewrites:
        counts[rewrite.anchor] += 1
        yield rewrite


def path_beside(path: Path) -> Path:
    """Where the report of a file of rows is written."""
    return path.with_name(f"{path.name}.report.json")


def write(path: Path, found: Summary, rows: int, named: Mapping[str, int]) -> Path:
    """Write the report beside the rows, whole or not at all; it comes before them, so that no rows are without one."""
    place = path_beside(path)
    text = json.dumps(as_dict(found, rows, named), ensure_ascii=False, indent=1)
    try:
        with replacing(place) as part:
            part.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError(
            f"Cannot write {place}: {error.strerror}. Nothing was written; choose another place"
        ) from error
    return place


def as_text(found: Summary) -> str:
    """Counts and reasons as a table."""
    tally, genders = found.tally, list(found.anchors.columns)
    heads = ["", *(f"{gender} anchors" for gender in genders), "both or none", "all"]
    lines = [["texts", *[""] * (len(genders) + 1), f"{tally.texts:,}"]]
    counts = [tally.rewritten[gender] for gender in genders]
    lines.append(["rewritten", *(f"{count:,}" for count in counts), "", f"{sum(counts):,}"])
    if found.options["sample"] is not None:
        drawn = [found.sampled.get(gender, 0) for gender in genders]
        lines.append(["  of these drawn", *(f"{count:,}" for count in drawn), "", f"{sum(drawn):,}"])
    for row in tally.rows():
        rest = int(row["both"]) + int(row["none"])
        cells = [*(int(row[gender]) for gender in genders), rest, int(row["all"])]
        lines.append([f"left out: {row['reason']}", *(f"{count:,}" if count else "" for count in cells)])
    widths = [max(len(line[at]) for line in [heads, *lines]) for at in range(len(heads))]
    table = [
        "  ".join(
            [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in [heads, *lines]
    ]
    why = [f"  {row['reason']}: {found.anchors.reasons[str(row['reason'])]}" for row in tally.rows()]
    return "\n".join([*(line.rstrip() for line in table), *(["", "Why texts are left out:", *why] if why else [])])
