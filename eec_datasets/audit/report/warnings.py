"""What to know of a whole result before relying on it: its making, its corpus, its data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eec_datasets.audit.report.document import Measured
from eec_datasets.audit.report.language import Voice
from eec_datasets.audit.report.sections import FEW
from eec_datasets.audit.report.units import Unit


def warnings(voice: Voice, results: Sequence[Measured], units: Sequence[Unit]) -> list[str]:
    """Return what readers must know of the results as wholes, each once."""
    found: dict[str, None] = {}
    for measured in results:
        own = [unit for unit in units if unit.measured is measured]
        where = own[0].where if len(own) == 1 else measured.config or measured.place
        found |= dict.fromkeys(_of_result(voice, measured, where))
        found |= dict.fromkeys(_few_persons(voice, own[:1], measured.config or measured.place))
        found |= dict.fromkeys(_of_data(voice, measured, where))
    return list(found)


def cautions(voice: Voice, results: Sequence[Measured]) -> list[str]:
    """Return what must stand beside findings: which of them come from a published procedure."""
    return list(
        dict.fromkeys(
            voice.say("warning.procedure", where=measured.config or measured.place, method=measured.method)
            for measured in results
            if measured.method != "default"
        )
    )


def _of_result(voice: Voice, measured: Measured, where: str) -> Iterable[str]:
    """How it was made, and what it lacks."""
    import eec_bias

    if not measured.version:
        yield voice.say("warning.no_version", where=where)
    elif measured.version != eec_bias.__version__:
        yield voice.say("warning.version", where=where, made=measured.version, here=eec_bias.__version__)
    if measured.lacking:
        yield voice.say("warning.missing", where=where, keys=", ".join(measured.lacking))
    if not measured.terms:
        yield voice.say("warning.missing", where=where, keys="terms")
    if measured.moved is None:
        yield voice.say("warning.no_pairs", where=where)
    if measured.method == "default" and not measured.result.get("details"):
        yield voice.say("warning.no_detail", where=where)


def _few_persons(voice: Voice, own: Sequence[Unit], where: str) -> Iterable[str]:
    for unit in own:
        cells = [
            f"{_labels(voice, unit.measured, row)}: {voice.count(row['n_persons'])}"
            for row in unit.rows("cells")
            if isinstance(row.get("n_persons"), int) and row["n_persons"] < FEW
        ]
        if cells:
            shown = "; ".join(cells[:6]) + (" …" if len(cells) > 6 else "")
            yield voice.say("warning.few", where=where, cells=shown)


def _labels(voice: Voice, measured: Measured, row: Mapping[str, Any]) -> str:
    axes = [str(axis) for axis in measured.result.get("axes") or ()]
    return " ".join(voice.group(axis, str(row[axis])) for axis in axes if row.get(axis))


def _of_data(voice: Voice, measured: Measured, where: str) -> Iterable[str]:
    """Corpus, names far from their group, and the metric's own notes."""
    if measured.standouts:
        names = "; ".join(
            voice.say(
                "warning.standout", name=row.get("form", ""), group=row.get("group", ""),
                distance=voice.number(row.get("distance"), signed=True),
            )
            for row in measured.standouts
        )  # fmt: skip
        yield voice.say("warning.standouts", where=where, names=names)
    for note in measured.notes:
        yield voice.say("warning.note", where=where, note=note)
    if measured.review:
        yield voice.say("warning.unreviewed", where=measured.config, review=measured.review)
