"""The answer key: every sentence a reader has approved comes out to the letter, and none is lacking.

A key is complete when it has a sentence for each template × type of person × gender that the locale's configs have.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eec_datasets.checks.report import Finding, from_problem
from eec_datasets.errors import RenderError, UnknownVariant
from eec_datasets.locale.model import Place
from eec_datasets.locale.sources import Problems, read_csv
from eec_datasets.render.blocks import blocks_of
from eec_datasets.render.items import choose, items_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from eec_datasets.checks.sentences import Combination, Sentences
    from eec_datasets.checks.trials import Subject
    from eec_datasets.locale.model import Locale, Person
    from eec_datasets.locale.sources import Row
    from eec_datasets.render.items import Choice, Item

FILE = "expected.csv"
COLUMNS = ("config", "id", "speaker", "variants", "sentence", "note")
REQUIRED = COLUMNS[:5]
HOW = "Write it as in t08=doubled diacritics=none, with spaces between"


class _Wrong(Exception):
    """A row that cannot be looked up, and why."""

    def __init__(self, what: str, mend: str) -> None:
        self.what, self.mend = what, mend
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class _Corpus:
    """One config under one choice: its items and persons, to render single rows of."""

    locale: Locale
    name: str
    choice: Choice
    persons: Mapping[str, Person]
    items: dict[str, dict[str, Item]] = field(default_factory=dict)

    def sentence(self, row_id: str) -> tuple[str, Person]:
        """The sentence of one row and its person."""
        item_id, _, person_id = row_id.rpartition("/")
        person = self.persons.get(person_id)
        if person is None:
            raise _Wrong(f"{self.name} has no person '{person_id}'", "Write the id of a row of persons.csv")
        near = self._items(item_id)
        item = near.get(item_id)
        if item is None:
            speaking = [key for key in near if "/speaker-" in key]
            known = (
                f"Items there: {', '.join(speaking)}" if speaking else "Write it as template/word, such as t01/angry"
            )
            raise _Wrong(f"{self.name} has no item '{item_id}'", known)
        partners = [other for other in self.persons.values() if other.pair == person.pair] if person.pair else [person]
        for block in blocks_of(self.locale, iter([item]), partners, self.choice, []):
            for other, text in zip(block.persons, block.texts, strict=True):
                if other is person:
                    return text, person
        raise _Wrong(f"'{row_id}' is left out of {self.name}: it makes no pair there", "Remove the row")

    def _items(self, item_id: str) -> Mapping[str, Item]:
        """The items of one template and word, by id."""
        template, _, rest = item_id.partition("/")
        word = rest.partition("/")[0]
        key = f"{template}/{word}"
        if key not in self.items:
            few = dataclasses.replace(
                self.locale,
                templates=tuple(entry for entry in self.locale.templates if entry.id == template),
                words=tuple(entry for entry in self.locale.words if entry.id == word),
            )
            found = items_of(few, self.choice, list(self.persons.values()))
            self.items[key] = {item.id: item for item in found}
        return self.items[key]


@dataclass(slots=True)
class Key:
    """The answer key, met row by row."""

    findings: list[Finding] = field(default_factory=list)
    approved: set[Combination] = field(default_factory=set)
    rows: int = 0
    readable: bool = True


def examine_key(checked: Subject, broken: Collection[str] = ()) -> Key:
    """Look up every row of ``expected.csv``.

    Parameters
    ----------
    broken : configs that ask for what is not there; that is told once, not for each of their rows.
    """
    problems, key = Problems(), Key()
    file = read_csv(checked.folder / FILE, REQUIRED, problems)
    known = ", ".join(COLUMNS)
    for column in file.columns:
        if column not in COLUMNS:
            problems.add(Place(FILE, 1), f"column '{column}' is not known", f"Columns: {known}")
    corpora: dict[tuple[str, str, str], _Corpus | _Wrong] = {}
    seen: dict[tuple[str, str, str, str], int] = {}
    for row in file.rows:
        where = (row["config"], row["id"], row["speaker"], row["variants"])
        if where in seen:
            what = f"'{row['id']}' of {row['config']} stands here for the second time"
            problems.add(row.place, what, f"The other is on line {seen[where]}; remove one")
            continue
        seen[where] = row.place.line
        key.rows += 1
        if row["config"] not in broken:
            _look_up(checked, row, corpora, key)
    key.readable = not problems
    key.findings[:0] = [from_problem(problem) for problem in problems.found]
    return key


def _look_up(checked: Subject, row: Row, corpora: dict[tuple[str, str, str], _Corpus | _Wrong], key: Key) -> None:
    asked = (row["config"], row["speaker"], row["variants"])
    if asked not in corpora:
        corpora[asked] = _corpus(checked, *asked)
    corpus = corpora[asked]
    try:
        if isinstance(corpus, Exception):
            raise corpus
        text, person = corpus.sentence(row["id"])
    except _Wrong as wrong:
        if checked.whole:
            key.findings.append(Finding("error", "key", row.place, wrong.what, wrong.mend))
        return
    except RenderError as error:
        if checked.whole:
            what = f"'{row['id']}' of {row['config']} cannot be rendered: {str(error).rstrip('.')}"
            key.findings.append(Finding("error", "key", row.place, what, "Mend it there"))
        return
    key.approved.add((row["id"].split("/")[0], person.type, person.identity["gender"]))
    if text != row["sentence"]:
        what = f"'{row['id']}' of {row['config']} gives '{text}', and '{row['sentence']}' was approved"
        mend = "Mend the template or the forms, or the key if a reader says so"
        key.findings.append(Finding("error", "key", row.place, what, mend))


def _corpus(checked: Subject, config: str, speaker: str, variants: str) -> _Corpus | _Wrong:
    locale = checked.locale
    names = {f"{locale.tag}-{name}": spec for name, spec in locale.configs.items()}
    if config not in names:
        return _Wrong(f"no config '{config}'", f"Configs: {', '.join(names) or 'none'}")
    pairs = [part.partition("=") for part in variants.split()]
    if any(not name or not sign or not value for name, sign, value in pairs):
        return _Wrong(f"variants '{variants}'", HOW)
    told = f"{config}{f' with {variants}' if variants else ''}"
    try:
        choice = choose(locale, names[config], {name: value for name, _, value in pairs}, speaker or None)
        persons = [person for person in locale.persons if person.set in choice.sets]
    except UnknownVariant as error:
        return _Wrong(str(error), "Mend the row")
    return _Corpus(locale, told, choice, {person.id: person for person in persons})


def completeness(key: Key, sentences: Sentences) -> Iterator[Finding]:
    """What the key lacks, one finding per template (nothing where rows of it could not be read)."""
    if not key.readable:
        return
    lacking: dict[str, list[str]] = {}
    for template, kind, gender in sentences.present:
        if (template, kind, gender) not in key.approved:
            lacking.setdefault(template, []).append(f"{kind} {gender}")
    for template, some in lacking.items():
        what = f"no approved sentence of template {template} for: {', '.join(some)}"
        yield Finding("error", "key", Place(FILE, 1), what, "Write one by hand for each, and have it read")


__all__: Sequence[str] = ["Key", "completeness", "examine_key"]
