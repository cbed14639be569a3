"""Rewritten sentences × fillers → rows, streamed as batches of Arrow."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from eec_datasets import schema
from eec_datasets.errors import EecError
from eec_datasets.locale.model import NONE, UNMARKED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy as np
    import pyarrow as pa

    from eec_datasets.rewrite.slots import Filler, Piece, Rewrite, Slot

    Texts: TypeAlias = list[str] | pa.Array
    Ints = np.ndarray[tuple[int, ...], np.dtype[np.int32]]

ORIGINAL: Final = "original"
"""Person and person type of the row that holds a sentence as it was found."""

ANCHOR: Final = "anchor"
"""The last column: gender of the pronouns that were replaced."""

SIZE: Final = 1 << 17
"""Rows of a batch; each becomes a row group of its own, so that its dictionaries are written as they are."""

TEXTS: Final = ("id", "text")
"""Columns whose values are all different; the others are dictionaries."""

MANY: Final = 200
"""Fillers from which on Arrow joins sentences quicker than Python does."""

WORD: Final = re.compile(r"\w+")


class FillersError(EecError):
    """The fillers cannot be told apart, or lack a form that a sentence asks for."""


def spaced(before: str, form: str) -> str:
    """Put a form behind the word before it."""
    return f"{before} {form}"


def upper_first(text: str) -> str:
    """Write the first letter as a capital."""
    return text[:1].upper() + text[1:]


@dataclass(slots=True)
class Batches:
    """An iterator of record batches that counts what it gives and what it leaves out.

    Attributes
    ----------
    schema
        Of every batch: ``id`` and ``text`` are strings, the others dictionaries of strings.
    rows
        Rows given so far, originals included.
    named
        Per filler, the sentences left out so far because they name the filler already.
    classless
        Per agreement class that some fillers have, the sentences so far that are not made for it.
    """

    schema: pa.Schema
    source: Iterator[pa.RecordBatch] = field(repr=False)
    rows: int = 0
    named: Counter[str] = field(default_factory=Counter)
    classless: Counter[str] = field(default_factory=Counter)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        return self

    def __next__(self) -> pa.RecordBatch:
        batch = next(self.source)
        self.rows += batch.num_rows
        return batch


def batches(
    rewrites: Iterable[Rewrite],
    fillers: Sequence[Filler],
    *,
    language: str,
    size: int = SIZE,
    fuse: Callable[[str, str], str] = spaced,
    capital: Callable[[str], str] = upper_first,
) -> Batches:
    """Put every filler into every sentence, some sentences at a time.

    Parameters
    ----------
    rewrites
        Sentences with slots; may be a generator, of which no more is held than makes a batch.
    fillers
        Who is put in. A sentence's rows come class by class, and in this order within an agreement class.
    language
        BCP 47 tag of the sentences.
    size
        Rows of a batch: the sentences that fit, at least one.
    fuse
        Joins the word before a slot and the form (Spanish "a" + "el rey" → "al rey").
    capital
        Makes the first letter that of the beginning of a sentence.

    Returns
    -------
    Batches
        For every sentence the row ``original``, then one per filler. A filler whose citation form stands in the
        sentence as whole words (as it is, or in capitals) is left out of it and counted; so is one whose agreement
        class the sentence is not made for.

    Raises
    ------
    FillersError
        Two fillers have the same id, one is called ``original``, or one lacks a form.
    """
    _check(fillers)
    people = _People(sorted(fillers, key=lambda filler: filler.agreement), language, fuse, capital)
    found = Batches(people.schema(), iter(()))
    found.source = _batches(rewrites, people, size, found)
    return found


def _check(fillers: Sequence[Filler]) -> None:
    if not fillers:
        raise FillersError("No fillers were given; expected at least one name or noun phrase.")
    for name, count in Counter(filler.id for filler in fillers).items():
        if count > 1:
            raise FillersError(f"The filler {name!r} is there {count} times; expected each id once.")
        if name == ORIGINAL:
            raise FillersError(f"A filler has the id {ORIGINAL!r}, which marks the sentences as found; rename it.")


class _People:
    """The fillers, sorted by class: their columns, and their forms looked up once per slot."""

    def __init__(
        self,
        fillers: Sequence[Filler],
        language: str,
        fuse: Callable[[str, str], str],
        capital: Callable[[str], str],
    ) -> None:
        self.fillers, self.language, self.fuse, self.capital = fillers, language, fuse, capital
        self.classes: dict[str, list[int]] = {}
        for at, filler in enumerate(fillers):
            self.classes.setdefault(filler.agreement, []).append(at)
        self._forms: dict[tuple[str, str, bool, str], list[str]] = {}
        self.many = len(fillers) >= MANY
        self._arrays: dict[tuple[str, str, bool, str], pa.Array] = {}
        self._crews: dict[tuple[str, ...], Ints] = {}
        self._names = _Names(fillers)
        further = dict.fromkeys(name for filler in fillers for name in filler.labels)
        self.axes = tuple(name for name in further if name not in ("gender", "race"))

    def schema(self) -> pa.Schema:
        import pyarrow as pa

        kinds = {name: pa.string() if name in TEXTS else pa.dictionary(pa.int32(), pa.string()) for name in self.names}
        return pa.schema(list(kinds.items()))

    @property
    def names(self) -> tuple[str, ...]:
        return (*schema.columns(self.axes), ANCHOR)

    def labels(self) -> dict[str, list[str]]:
        """Columns of the persons; the last entry is the original's."""
        columns = {
            "person": [filler.id for filler in self.fillers] + [ORIGINAL],
            "person_form": [filler.form for filler in self.fillers] + [NONE],
            "person_type": [filler.type for filler in self.fillers] + [ORIGINAL],
        }
        for axis in ("gender", "race", *self.axes):
            columns[axis] = [filler.labels.get(axis, UNMARKED) for filler in self.fillers] + [UNMARKED]
        return columns

    def forms(self, agreement: str, slot: Slot) -> list[str]:
        """What stands in a slot, for each filler of a class."""
        key = (agreement, slot.role, slot.capital, slot.before)
        if key not in self._forms:
            self._forms[key] = [self._form(self.fillers[at], slot) for at in self.classes[agreement]]
        return self._forms[key]

    def _form(self, filler: Filler, slot: Slot) -> str:
        try:
            form = filler.roles[slot.role]
        except KeyError:
            raise FillersError(
                f"The filler {filler.id!r} has no form for the role {slot.role!r}; it has {', '.join(filler.roles)}."
            ) from None
        text = self.fuse(slot.before, form) if slot.before else form
        return self.capital(text) if slot.capital else text

    def texts(self, pieces: Sequence[Piece], agreement: str) -> list[str]:
        """The sentences of one rewrite and class."""
        before, slot, after = "", None, ""
        for piece in pieces:
            if isinstance(piece, str):
                before, after = (before + piece, "") if slot is None else (before, after + piece)
            elif slot is None:
                slot = piece
            else:
                return list(map("".join, zip(*(self._column(piece, agreement) for piece in pieces), strict=True)))
        if slot is None:
            return [before] * len(self.classes[agreement])
        # Nearly all sentences have one slot, and this is several times as quick as what serves any number.
        return [f"{before}{form}{after}" for form in self.forms(agreement, slot)]

    def _column(self, piece: Piece, agreement: str) -> Sequence[str]:
        if isinstance(piece, str):
            return [piece] * len(self.classes[agreement])
        return self.forms(agreement, piece)

    def array(self, pieces: Sequence[Piece], agreement: str) -> pa.Array:
        """The sentences of one rewrite and class, joined by Arrow."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if all(isinstance(piece, str) for piece in pieces):
            return pa.array(self.texts(pieces, agreement), pa.string())
        columns = [piece if isinstance(piece, str) else self._arrow(agreement, piece) for piece in pieces]
        return pc.binary_join_element_wise(*columns, "")

    def _arrow(self, agreement: str, slot: Slot) -> pa.Array:
        import pyarrow as pa

        key = (agreement, slot.role, slot.capital, slot.before)
        if key not in self._arrays:
            self._arrays[key] = pa.array(self.forms(agreement, slot), pa.string())
        return self._arrays[key]

    def rows(self, rewrite: Rewrite, found: Batches) -> tuple[Texts, Ints]:
        """A rewrite's sentences and who stands in each, the original first."""
        import pyarrow as pa

        made = [agreement for agreement in self.classes if agreement in rewrite.pieces]
        if len(made) < len(self.classes):
            found.classless.update(agreement for agreement in self.classes if agreement not in rewrite.pieces)
        persons = self._persons(tuple(made))
        named = self._names.within(rewrite.text)
        kept = [k for k, at in enumerate(persons.tolist()) if at not in named] if named else None
        if kept is not None:
            found.named.update(self.fillers[at].id for at in named.intersection(persons.tolist()))
        if self.many:
            own = pa.array([rewrite.text], pa.string())
            whole = pa.concat_arrays([own, *(self.array(rewrite.pieces[agreement], agreement) for agreement in made)])
            return (whole, persons) if kept is None else (whole.take(pa.array(kept)), persons[kept])
        texts = [rewrite.text]
        for agreement in made:
            texts += self.texts(rewrite.pieces[agreement], agreement)
        return (texts, persons) if kept is None else ([texts[k] for k in kept], persons[kept])

    def _persons(self, classes: tuple[str, ...]) -> Ints:
        """The original's place, then those of the fillers of some classes."""
        import numpy as np

        if classes not in self._crews:
            places = [at for agreement in classes for at in self.classes[agreement]]
            self._crews[classes] = np.array([len(self.fillers), *places], dtype=np.int32)
        return self._crews[classes]


class _Names:
    """Finds which fillers a sentence names, by the first words of their forms."""

    def __init__(self, fillers: Sequence[Filler]) -> None:
        self.by_word: dict[str, list[tuple[int, re.Pattern[str] | None]]] = {}
        for at, filler in enumerate(fillers):
            for form in {filler.form, filler.form.upper()}:
                words = WORD.findall(form)
                one = words == [form]
                pattern = None if one else re.compile(rf"(?<!\w){re.escape(form)}(?!\w)")
                self.by_word.setdefault(words[0] if words else form, []).append((at, pattern))

    def within(self, text: str) -> set[int]:
        found = set()
        for word in self.by_word.keys() & set(WORD.findall(text)):
            found |= {at for at, form in self.by_word[word] if form is None or form.search(text)}
        return found


def _batches(rewrites: Iterable[Rewrite], people: _People, size: int, found: Batches) -> Iterator[pa.RecordBatch]:
    held: list[Rewrite] = []
    texts: list[Texts] = []
    persons: list[Ints] = []
    rows = 0
    for rewrite in rewrites:
        own, who = people.rows(rewrite, found)
        if rows and rows + len(who) > size:
            yield _batch(people, held, texts, persons)
            held, texts, persons, rows = [], [], [], 0
        held.append(rewrite)
        texts.append(own)
        persons.append(who)
        rows += len(who)
    if held:
        yield _batch(people, held, texts, persons)


def _batch(people: _People, held: Sequence[Rewrite], texts: list[Texts], persons: Sequence[Ints]) -> pa.RecordBatch:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    sizes = [len(who) for who in persons]
    who = np.concatenate(persons)
    which = np.repeat(np.arange(len(held), dtype=np.int32), sizes)
    columns = {name: _coded(values, who) for name, values in people.labels().items()}
    item = _coded([rewrite.id for rewrite in held], which)
    columns |= {
        "id": pc.binary_join_element_wise(item.cast(pa.string()), columns["person"].cast(pa.string()), "/"),
        "text": pa.concat_arrays(texts) if people.many else pa.array(chain.from_iterable(texts), pa.string()),
        ANCHOR: _coded([rewrite.anchor for rewrite in held], which),
    }
    zeros = np.zeros(len(who), dtype=np.int32)
    columns |= dict.fromkeys(("template", "item", "pair"), item) | {"language": _coded([people.language], zeros)}
    none = _coded([NONE], zeros)
    return pa.record_batch([columns.get(name, none) for name in people.names], schema=people.schema())


def _coded(values: Sequence[str], codes: Ints) -> Any:
    """A dictionary array; equal values are merged, so that a dictionary has no doubles."""
    import numpy as np
    import pyarrow as pa

    number: dict[str, int] = {}
    new = np.array([number.setdefault(value, len(number)) for value in values], dtype=np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(new[codes]), pa.array(list(number), pa.string()))
