"""The parts of a report: per system and corpus its sentences, table rows, pairs and warnings, ready to be laid out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from eec_bias.reading import ANY, NO_UNIT, Judged, Note, adjustment
from eec_bias.shared import grouped
from eec_datasets.audit.minimal_pairs import mark_changes
from eec_datasets.audit.report.answers import SystemAnswers
from eec_datasets.audit.report.document import Row, Unit, is_simple, rated, stratum_output
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.readings import Readings
from eec_datasets.audit.report.sentences import contrast, term
from eec_datasets.audit.running import NO_ANSWER, UNANSWERED
from eec_datasets.systems.builtin import LEAN

NUMBERS: Final = ("effect", "interval", "p", "mde")
COLUMNS: Final = ("compares", *NUMBERS, "reading")
"""Of the table of effects, after the term."""


@dataclass(frozen=True, slots=True)
class Block:
    """What a section shows of one corpus.

    Attributes
    ----------
    unit
        The system's rows and where they come from.
    heading
        Corpus and language.
    scale
        In which range scores lie, or the differences of two systems' scores.
    lines
        The rows as a table: the cells of each by column, and whether a difference is there.
    cells
        Mean scores by group, each with the mean of every name in it, where it is known.
    pairs
        The pairs that moved most, each with its axis, difference and sides.
    """

    unit: Unit
    heading: str
    scale: str
    lines: list[tuple[dict[str, str], bool]]
    cells: list[tuple[Row, dict[str, float]]]
    pairs: list[Row]

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest mean of a name."""
        means = [mean for _, names in self.cells for mean in names.values()]
        return min(means, default=0.0), max(means, default=1.0)


@dataclass(frozen=True, slots=True)
class Section:
    """What the report shows of one system on one task.

    Attributes
    ----------
    title, anchor, about
        Its name, its id on the page, what it does where it is built in.
    score_range
        The range of its scores.
    heads
        Headers of its table.
    blocks
        One per corpus.
    notes
        What the lines refer to by number.
    warnings
        What to know of this system.
    far
        Names far from their group, with their distance.
    unmoved
        Whether it gave all scores compared alike.
    answers
        Its findings; one for each language.
    """

    title: str
    anchor: str
    about: str
    score_range: tuple[float, float]
    heads: Mapping[str, str]
    blocks: list[Block]
    notes: list[tuple[Note, ...]]
    warnings: list[str]
    far: list[str]
    unmoved: bool
    answers: Sequence[SystemAnswers]

    @property
    def has_findings(self) -> bool:
        """Whether its verdicts are those of findings; a published procedure has none."""
        return any(each.findings for each in self.answers)

    @property
    def demo(self) -> bool:
        """Whether it is built in, to compare with."""
        return bool(self.about)

    @property
    def caption(self) -> str:
        """Key of what is said of the units of its effects."""
        rows = [judged.row for block in self.blocks for judged in block.unit.rows]
        measures = any(row["term"] in NO_UNIT for row in rows)
        if any(map(rated, rows)):
            return "table_rates"
        return "table_measures" if measures else "table"

    def numbered_notes(self, block: Block) -> list[tuple[int, tuple[Note, ...]]]:
        """The notes that the lines of a table refer to."""
        noted = {judged.row.remarks for judged in block.unit.rows}
        return [(number, note) for number, note in enumerate(self.notes, start=1) if note in noted]


def gather_sections(translator: Translator, units: Iterable[Unit]) -> list[Section]:
    """Gather the units of each system and task, in the order given."""
    gathered = list(units)
    readings = Readings(translator, gathered)
    groups = grouped((unit.title, unit) for unit in gathered)
    titled = enumerate(groups.items(), start=1)
    sections = [_section(translator, title, f"s{i}", group, readings) for i, (title, group) in titled]
    # Whoever does not answer may react by that.
    sections = [replace(each, unmoved=each.unmoved and each.title + UNANSWERED not in groups) for each in sections]
    return sorted(sections, key=lambda section: section.demo)


def count_systems(sections: Iterable[Section]) -> int:
    """Count systems, by task; what one of them does not answer is a section and no other system."""
    return len({section.title.removesuffix(UNANSWERED) for section in sections})


def about(translator: Translator, system: str, score_range: tuple[float, float]) -> str:
    """Say what a built-in system does; nothing of other systems."""
    kind, _, rest = system.partition(":")
    if kind not in translator.texts["demo"]:
        return ""
    low, high, lean = map(translator.short, (*score_range, LEAN))
    return translator.say(f"demo.{kind}", group=translator.any_group(rest), low=low, high=high, lean=lean)


def _section(translator: Translator, title: str, anchor: str, units: Sequence[Unit], readings: Readings) -> Section:
    rows = [judged for unit in units for judged in unit.rows]
    notes = list(dict.fromkeys(judged.row.remarks for judged in rows if judged.row.remarks))
    score_range = units[0].entry.result.score_range
    far = []
    for unit in units:
        corpus = f" · {translator.isolated(unit.entry.config)}" if len(units) > 1 and unit.entry.config else ""
        for row in unit.entry.standouts or ():
            distance = translator.isolated(translator.number(row["distance"], signed=True))
            far.append(f"{translator.isolated(row['form'])} ({translator.groups(row['labels'])}{corpus}) {distance}")
    return Section(
        title=title,
        anchor=anchor,
        about="" if units[0].compared else about(translator, units[0].system, score_range),
        score_range=score_range,
        heads=_heads(translator, units),
        blocks=[_block(translator, unit, notes, readings) for unit in units],
        notes=notes,
        warnings=[text for unit in units for text in _warnings(translator, unit)],
        far=list(dict.fromkeys(far)),
        unmoved=_unmoved(units),
        answers=readings.answers_of(units),
    )


def _heads(translator: Translator, units: Sequence[Unit]) -> dict[str, str]:
    """Name the columns; where p is adjusted and the others are not, each says so."""
    heads: dict[str, str] = {key: translator.say(f"head.{key}") for key in ("term", *COLUMNS)}
    if any(judged.verdict.adjusted for unit in units for judged in unit.rows):
        methods = filter(None, dict.fromkeys(adjustment(unit.entry.result) for unit in units))
        heads["p"] = translator.say("head.p_adjusted", method=", ".join(methods))
        heads["interval"] = translator.say("head.interval_unadjusted")
    return heads


def _block(translator: Translator, unit: Unit, notes: Sequence[tuple[Note, ...]], readings: Readings) -> Block:
    entry = unit.entry
    language = translator.language(entry.language) if entry.language else ""
    low, high = map(translator.short, entry.result.score_range)
    if unit.compared:
        scale = "page.scale_compared"
    elif unit.system.endswith(UNANSWERED):
        scale = "page.scale_unanswered"
    else:
        scale = "page.scale"
    return Block(
        unit=unit,
        heading=" · ".join(part for part in (entry.config, language) if part) or entry.place,
        scale=translator.say(scale, low=low, high=high),
        lines=[_line(translator, unit, judged, notes, readings) for judged in unit.rows],
        cells=[(row, means_of(unit, row)) for row in (unit.others("cells") if entry.result.axes else ())],
        pairs=[_pair(translator, row) for row in entry.moved or ()],
    )


def _unmoved(units: Sequence[Unit]) -> bool:
    """Whether a system gave all the scores compared alike: every main effect, and so all that is made of them."""
    rows = [judged for unit in units for judged in unit.rows if judged.verdict.kind != "described"]
    if any(judged.row.get("output") == NO_ANSWER for judged in rows):  # how often there is none is no score
        return False
    simple = {judged.verdict.kind for judged in rows if is_simple(judged.row) and judged.row["level"] != ANY}
    still = {judged.verdict.kind for judged in rows} <= {"no_reaction", "zero"}
    whoever = all(unit.one_score_for_all and not unit.is_sensitive for unit in units)
    return simple == {"no_reaction"} and still and whoever


def _line(
    translator: Translator, unit: Unit, judged: Judged, notes: Sequence[tuple[Note, ...]], readings: Readings
) -> tuple[dict[str, str], bool]:
    """Write a row of terms, its verdict with the number of its note, and say whether a difference was found in it."""
    cells, remarks = cells_of(translator, judged), judged.row.remarks
    reading = readings.say(unit, judged)
    if remarks in notes:
        reading = f"{reading} [{translator.count(notes.index(remarks) + 1)}]"
    return {**cells, "reading": reading}, readings.found(unit, judged)


def cells_of(translator: Translator, judged: Judged) -> dict[str, str]:
    """Write the numbers of a row of terms, and what it compares."""
    row = judged.row
    return {
        "term": " · ".join([*stratum_output(row), *_emotion(translator, row), term(translator, row)]),
        "compares": contrast(translator, row),
        "effect": translator.number(row["effect"], signed=True),
        "interval": translator.interval(row),
        "p": translator.probability(judged.verdict.p),
        "mde": translator.number(row["mde"]),
    }


def _emotion(translator: Translator, row: Row) -> list[str]:
    """Name the emotion of a row that says how an effect differs between emotions."""
    emotion = row.get("emotion")
    return [] if emotion is None else [translator.group("emotion", str(emotion))]


def means_of(unit: Unit, cell: Row) -> dict[str, float]:
    """Return the mean score of every person of a group, by name, and by id too where several share a name.

    Empty where the file does not hold them.
    """
    mean_of: dict[str, float] = {}
    about = {key: cell[key] for key in ("system", "task") if cell.get(key) is not None}
    for detail in unit.entry.result.details or ():
        here = {**detail.where, "subset": detail.subset}
        if about in detail.systems and all(cell.get(key) == value for key, value in here.items()):
            means = detail.person_means[detail.systems.index(about)].tolist()
            labels = zip(*(detail.persons[axis] for axis in detail.axes), strict=True)
            group, ids = tuple(cell[axis] for axis in detail.axes), detail.persons["person"]
            columns = zip(detail.persons.get("form", ids), ids, means, labels, strict=True)
            members = [each for *each, person in columns if person == group]
            count = Counter(name for name, *_ in members)
            mean_of |= {name if count[name] == 1 else f"{name} ({each})": mean for name, each, mean in members}
    return mean_of


def _pair(translator: Translator, row: Row) -> Row:
    high, low = row["higher"], row["lower"]
    sides = [
        (pieces, translator.groups(side["labels"]), translator.number(side["score"]))
        for pieces, side in zip(mark_changes(high["text"], low["text"]), (high, low), strict=True)
    ]
    moved = high["score"] - low["score"]
    cells = {"axis": translator.axis(row["axis"]), "difference": translator.number(moved, signed=True), "sides": sides}
    return {"key": row["axis"], "moved": moved, **cells}


def _warnings(translator: Translator, unit: Unit) -> Iterator[str]:
    """Say what to know of one system on one corpus."""
    if refused := count_untested(unit):
        yield translator.say("warning.not_estimable", where=unit.where, count=refused)


def count_untested(unit: Unit) -> int:
    """Count the rows that could not be tested."""
    return sum(judged.verdict.kind == "not_estimable" for judged in unit.rows)
