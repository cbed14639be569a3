"""The answer key: every sentence that someone wrote by hand comes out to the letter, and none is lacking.

A key is complete when it has a sentence for each template × type of person × gender that the locale's configs have, and
for every identity axis. Keyed is not approved: that is said of what native readers judged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING

from eec_bias.shared import grouped
from eec_datasets.checks.report import finding, from_problem
from eec_datasets.errors import InputError, Place, Problems, RenderError
from eec_datasets.locale.csv_file import Column, Columns, read_csv
from eec_datasets.locale.model import NONE, WANTED
from eec_datasets.render.choice import choose
from eec_datasets.render.grid import cells_of
from eec_datasets.render.items import items_of

if TYPE_CHECKING:
    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Combination, Subject
    from eec_datasets.locale.csv_file import Row
    from eec_datasets.locale.model import Locale, Person
    from eec_datasets.render.choice import Choice

FILE = "expected.csv"
QUESTIONS = "questions.csv"
KEY_COLUMNS = Columns(
    (
        Column("config", needed=True),
        Column("id", needed=True),
        Column("speaker", needed=True),
        Column("variants", needed=True),
        Column("sentence", needed=True),
        Column("note"),
    )
)
FEW = 3
"""So many open sentences of the key are told one by one, more of them only where that is asked for."""
HOW_VARIANTS = "Write it as in t08=doubled diacritics=none, with spaces between"


class _NotFound(Exception):
    """A row that cannot be looked up: why, and how to fix it."""


def key_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Look up every row of ``expected.csv``, and note what it has a sentence for."""
    problems = Problems()
    keyed: set[Combination] = set()
    columns = KEY_COLUMNS.needed
    file = read_csv(checked.folder / FILE, columns, problems)
    file.check(KEY_COLUMNS, {})
    choice = cache(partial(_choice, checked.locale))
    for row in file.distinct(columns[:4]):
        if row["config"] not in checked.broken:
            yield from _look_up(row, choice, checked, keyed)
    yield from map(from_problem, problems.found)
    checked.keyed = None if problems else keyed


def _look_up(
    row: Row, choice: Callable[[str, str, str], Choice], checked: Subject, keyed: set[Combination]
) -> Iterator[LocaleFinding]:
    written = row["sentence"].strip(f"{WANTED}. ")
    try:
        text, person = _sentence(choice(row["config"], row["speaker"], row["variants"]), row)
    except _NotFound as not_found:
        if checked.whole:  # then nobody is asked to write it too
            problem, fix = not_found.args
            yield finding("key.not-found", row.place, problem=problem, how=fix)
            return
    except RenderError as error:
        if checked.whole and checked.sound:
            yield finding("key.not-rendered", row.place, row=row, error=str(error).rstrip("."))
    else:
        keyed.add((row["id"].split("/")[0], person.type, person.identity["gender"]))
        if person.type != "name":
            checked.keyed_levels.update(person.identity.items())
        if written and text != row["sentence"]:
            yield finding("key.differs", row.place, row=row, text=text)
    if not written:  # what is rendered is not shown: it would be copied, and a copy says nothing
        checked.key_open.append(finding("key.unwritten", row.place, row=row))


def note_lacking(checked: Subject, present: Collection[Combination]) -> None:
    """Note what the key lacks, template by template (nothing where rows of it could not be read)."""
    lacking = [] if checked.keyed is None else [each for each in present if each not in checked.keyed]
    for template, some in grouped((template, f"{kind} {gender}") for template, kind, gender in lacking).items():
        values = {"template": template, "lacking": ", ".join(some)}
        checked.key_open.append(finding("key.incomplete", Place(FILE, 1), **values))


def open_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Yield what is still to be written of the key: each sentence where few are, or it is asked for; else one line."""
    if checked.list_key or len(checked.key_open) <= FEW:
        yield from checked.key_open
        return
    first = checked.key_open[0]
    values = {"count": len(checked.key_open), "first": first.what, "tag": checked.locale.tag}
    yield finding("key.open", first.place, **values)


def key_axis_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Identity axes with a file of their own of which the key has no sentence, or lacks levels."""
    if checked.keyed is None:
        return
    persons = {person for case in checked.cases for person in map(id, case.persons)}
    for axis, levels in checked.locale.levels.items():
        shown = {
            person.identity.get(axis)
            for person in checked.locale.persons
            if id(person) in persons and person.type != "name"
        }
        asked = [level for level in levels if level in shown]
        lacking = [level for level in asked if (axis, level) not in checked.keyed_levels]
        if not lacking:
            continue
        check = "key.no-axis" if lacking == asked else "key.levels"
        yield finding(check, Place(f"{axis}.csv", 1), axis=axis, lacking=", ".join(lacking))


def sentence_of(locale: Locale, row: Row) -> str:
    """The sentence that a row of a file names (``config``, ``id``); empty, and a problem, where there is none."""
    try:
        return _sentence(_choice(locale, row["config"], row["speaker"], row["variants"]), row)[0]
    except _NotFound as not_found:
        row.report(*not_found.args)
    except RenderError as error:
        row.report(f"'{row['id']}' cannot be rendered: {error}", "Fix it there")
    return ""


def _choice(locale: Locale, config: str, speaker: str, variants: str) -> Choice:
    specs = {f"{locale.tag}-{name}": spec for name, spec in locale.configs.items()}
    if config not in specs:
        raise _NotFound(f"no config '{config}'", f"Configs: {', '.join(specs) or 'none'}")
    pairs = [part.partition("=") for part in variants.split()]
    if any(not name or not sign or not value for name, sign, value in pairs):
        raise _NotFound(f"variants '{variants}'", HOW_VARIANTS)
    chosen = {name: value for name, _, value in pairs}
    items = chosen.pop("items", None)
    try:
        return choose(locale, specs[config], chosen, speaker or None, items)
    except InputError as error:
        raise _NotFound(str(error), "Fix the row") from error


def _sentence(choice: Choice, row: Row) -> tuple[str, Person]:
    """The sentence of one row of a corpus, and its person."""
    corpus = row["config"] + (f" with {row['variants']}" if row["variants"] else "")
    item_id, _, person_id = row["id"].rpartition("/")
    person = next((person for person in reversed(choice.persons) if person.id == person_id), None)
    if person is None:
        raise _NotFound(f"{corpus} has no person '{person_id}'", "Write the id of a row of persons.csv")
    template_id, _, rest = item_id.partition("/")
    word_id = rest.partition("/")[0]
    templates = [template for template in choice.locale.templates if template.id == template_id]
    grid = (cell for cell in cells_of(choice.locale, templates, choice.word_files) if cell[1].id in (word_id, NONE))
    partners = [other for other in choice.persons if other.pair == person.pair] if person.pair else [person]
    items = {item.id: item for item in items_of(choice, choice.persons, [], only=partners, grid=grid)}
    if item_id not in items:
        cells = cells_of(choice.locale, templates or choice.locale.templates, choice.word_files)
        examples = ", ".join(items or (f"{template.id}/{word.id}" for template, word in islice(cells, 2)))
        raise _NotFound(f"{corpus} has no item '{item_id}'", f"Write it as template/word, such as {examples}")
    item = items[item_id]
    if person not in item.persons:
        raise _NotFound(f"'{row['id']}' is left out of {corpus}: it makes no pair there", "Remove the row")
    return item.texts[item.persons.index(person)], person
