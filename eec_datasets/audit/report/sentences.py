"""Names of rows, of what they compare and of their verdicts, in the language of a report; tables have them."""

from __future__ import annotations

from typing import Final, Literal

from eec_bias.reading import ANY, CUE, MEAN, PAIRWISE, Judged, by_each_cue, is_interaction
from eec_datasets.audit.report.document import Row
from eec_datasets.audit.report.language import Translator

SIDES: Final[tuple[Literal["level", "reference"], ...]] = ("level", "reference")


def label(translator: Translator, judged: Judged) -> str:
    """Say a verdict in a few words."""
    row, verdict = judged.row, judged.verdict
    key: str = "levels_differ" if row["level"] == ANY and verdict.found else verdict.kind
    key = "on_average" if verdict.averaged and verdict.found else key
    rough = f", {translator.say('verdict.rough')}" if verdict.rough else ""
    return f"{translator.say(f'verdict.{key}')}{rough}"


def term(translator: Translator, row: Row) -> str:
    """Name a row's term, and the sentences it was measured on where these are not the names."""
    name = translator.axis(row["term"])
    return name if row["subset"] == "names" else f"{name} ({translator.subset(row['subset'])})"


def contrast(translator: Translator, row: Row) -> str:
    """Write what a row compares: ``female − male``; of a difference of differences the cell that is looked at."""
    if row["level"] == ANY:
        return translator.say("head.any")
    if cues := _cues(translator, row):
        return f"{contrast(translator, by_each_cue(row)[0])} ({' − '.join(cues)})"
    level = translator.group(row["axes"] or "", row["level"] or "")
    if is_interaction(row):
        other = f" − {translator.group(row['axes'], row['reference'])}" if row.get(PAIRWISE) else ""
        return translator.say("head.interaction", cell=f"{level}{other}")
    if not row["reference"] or row["axes"] in (None, "", "person"):
        # No comparison: a number of a published procedure, such as a range or a rating.
        return " | ".join(part for part in (level, row["reference"]) if part)
    reference = row["reference"]
    other = translator.say("head.mean_of_all") if reference == MEAN else translator.group(row["axes"], reference)
    return f"{level} − {other}"


def _cues(translator: Translator, row: Row) -> list[str]:
    """Name the two cues whose effects a row compares; none of other rows."""
    compares_cues = (row["axes"] or "").endswith(f"+{CUE}")
    return [translator.group(CUE, row[side].rpartition(":")[2]) for side in SIDES] if compares_cues else []
