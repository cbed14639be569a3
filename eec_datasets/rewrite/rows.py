"""Rewritten sentences × fillers → rows, streamed as batches of Arrow."""

from __future__ import annotations

import operator
import re
from collections import Counter
from functools import cache
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, Final

from eec_bias.shared import grouped
from eec_datasets import schema
from eec_datasets.errors import InputError
from eec_datasets.locale.families import USUAL, NameFamilies
from eec_datasets.locale.model import NONE, UNMARKED
from eec_datasets.rewrite.slots import Filler, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy as np
    import pyarrow as pa

    from eec_datasets.rewrite.slots import Rewrite

    Ints = np.ndarray[tuple[int, ...], np.dtype[np.int32]]

ORIGINAL: Final = "original"
"""Person and person type of the row that holds a sentence as it was found."""

AS_FOUND: Final = Filler(ORIGINAL, NONE, ORIGINAL, ORIGINAL, {}, {})
"""Who stands in a sentence as it was found, in an agreement class of its own: the first of the persons."""

ANCHOR: Final = "anchor"
"""The last column: gender of the pronouns that were replaced."""

SIZE: Final = 1 << 17
"""Rows of a batch; each becomes a row group of its own, so that its dictionaries are written as they are."""

TEXTS: Final = ("id", "text")
"""Columns whose values are all different; the others are dictionaries."""

WORD: Final = re.compile(r"\w+")


class Batches:
    """Every filler put into every sentence: an iterator of record batches that counts what it leaves out.

    Of every sentence there is the row ``original``, then one per filler of the classes that it has pieces for, class by
    class. A filler whose citation form stands in the sentence as whole words (as it is, or in capitals) is left out of
    it and counted.

    Parameters
    ----------
    rewrites
        Sentences with slots; may be a generator, of which no more is held than makes a batch.
    fillers
        Who is put in, in this order within an agreement class.
    language
        BCP 47 tag of the sentences.
    size
        Rows of a batch: the sentences that fit, at least one.
    fuse
        Joins the words before a slot and the form (Spanish "a " + "el rey" → "al rey").
    families
        Which letters names share; by default those of most languages.
    corpus
        What results call the rows; they say ``?`` where it is empty.
    originals
        Give each sentence the row ``original``; without it (one of the variants is the original) nobody is left out.

    Attributes
    ----------
    schema
        Of every batch: ``id`` and ``text`` are strings, the others dictionaries of strings.
    named
        Per filler, the sentences left out so far because they name the filler already.
    fewer
        Per sentence that names a filler, how many variants it has, and how many it would have.

    Raises
    ------
    InputError
        Two fillers have the same id, one is called ``original``, or one lacks a form.
    """

    def __init__(
        self, rewrites: Iterable[Rewrite], fillers: Sequence[Filler], *, language: str, size: int = SIZE,
        fuse: Callable[[str, str], str] = operator.add, families: NameFamilies = USUAL, corpus: str = "",
        originals: bool = True,
    ) -> None:  # fmt: skip
        import pyarrow as pa

        if not fillers:
            raise InputError("No fillers were given; expected at least one name or noun phrase.")
        for name, count in Counter(filler.id for filler in fillers).items():
            if count > 1:
                raise InputError(f"The filler {name!r} is there {count} times; expected each id once.")
            if name == ORIGINAL:
                raise InputError(f"A filler has the id {ORIGINAL!r}, which marks the sentences as found; rename it.")
        self.rewrites, self.language, self.fuse = iter(rewrites), language, fuse
        self.sentences = max(1, size // (len(fillers) + 1))
        ordered = sorted(fillers, key=operator.attrgetter("agreement"))
        self.classes = grouped((filler.agreement, filler) for filler in ordered)
        self.persons = [AS_FOUND, *ordered]
        self.named: Counter[str] = Counter()
        self.fewer: dict[str, tuple[int, int]] = {}
        self._everybody_of = cache(self._everybody)
        self._forms = cache(self._written)
        self._by_word = _by_first_word(ordered) if originals else {}
        self.originals = originals
        further = dict.fromkeys(name for person in self.persons for name in person.labels)
        axes = tuple(name for name in further if name not in ("gender", "race"))
        columns = {"person": "id", "person_form": "form", "person_type": "type"}
        self.labels = {column: [getattr(person, name) for person in self.persons] for column, name in columns.items()}
        shared = [families.of(person.form, person.type) for person in self.persons]
        self.labels["family"] = [family for family, _ in shared]
        self.labels["ending"] = [ending for _, ending in shared]
        for axis in ("gender", "race", *axes):
            self.labels[axis] = [person.labels.get(axis, UNMARKED) for person in self.persons]
        names, labels = (*schema.columns(axes), ANCHOR), pa.dictionary(pa.int32(), pa.string())
        self.schema = pa.schema([(name, pa.string() if name in TEXTS else labels) for name in names])
        if corpus:
            self.schema = self.schema.with_metadata(schema.naming(corpus))

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        while rewrites := list(islice(self.rewrites, self.sentences)):
            yield self._batch(rewrites)

    def _batch(self, rewrites: Sequence[Rewrite]) -> pa.RecordBatch:
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        codes_per_rewrite = [self._persons_of(rewrite) for rewrite in rewrites]
        persons = np.concatenate(codes_per_rewrite)
        sentences = np.repeat(np.arange(len(rewrites), dtype=np.int32), [len(codes) for codes in codes_per_rewrite])
        zeros = np.zeros(len(persons), dtype=np.int32)
        none = _coded([NONE], zeros)
        columns = {name: _coded(values, persons) for name, values in self.labels.items()}
        item = pair = _coded([rewrite.id for rewrite in rewrites], sentences)
        items = item.cast(pa.string())
        if any(person.pair for person in self.persons):
            # A noun phrase is paired within its sentence.
            pairs = _coded([person.pair or None for person in self.persons], persons).cast(pa.string())
            pair = pc.binary_join_element_wise(items, pairs, "/", null_handling="skip").dictionary_encode()
        texts = chain.from_iterable(map(self._texts, rewrites, codes_per_rewrite))
        columns |= {
            "id": pc.binary_join_element_wise(items, columns["person"].cast(pa.string()), "/"),
            "text": pa.array(texts, pa.string()),
            "template": _coded([rewrite.template or rewrite.id for rewrite in rewrites], sentences),
            "item": item,
            "pair": pair,
            "language": _coded([self.language], zeros),
            ANCHOR: _coded([rewrite.anchor for rewrite in rewrites], sentences),
        }
        return pa.record_batch([columns.get(name, none) for name in self.schema.names], schema=self.schema)

    def _texts(self, rewrite: Rewrite, codes: Ints) -> list[str]:
        """A sentence as it was found, and said of those persons who stand in its rows."""
        texts = [rewrite.text] if self.originals else []
        for agreement, members in self.classes.items():
            if agreement in rewrite.pieces:
                columns = [
                    self._forms(agreement, piece) if isinstance(piece, Slot) else repeat(piece, len(members))
                    for piece in rewrite.pieces[agreement]
                ]
                texts += map("".join, zip(*columns, strict=True))
        if len(codes) == len(texts):
            return texts
        everybody = self._everybody_of(frozenset(rewrite.pieces)).tolist()
        said_of = dict(zip(everybody, texts, strict=True))
        return [said_of[code] for code in codes.tolist()]

    def _written(self, agreement: str, slot: Slot) -> list[str]:
        """The forms of a slot, of every person of a class."""
        texts = []
        for filler in self.classes[agreement]:
            if slot.role not in filler.roles:
                roles = ", ".join(filler.roles)
                raise InputError(f"The filler {filler.id!r} has no form for the role {slot.role!r}; it has {roles}.")
            form = filler.roles[slot.role]
            text = self.fuse(slot.before, form) if slot.before else form
            texts.append(text[:1].upper() + text[1:] if slot.capital else text)
        return texts

    def _persons_of(self, rewrite: Rewrite) -> Ints:
        """Return who stands in the rows of a sentence: the original, then all of its classes whom it does not name."""
        everybody = self._everybody_of(frozenset(rewrite.pieces))
        words = self._by_word.keys() & set(WORD.findall(rewrite.text))
        named = {
            number
            for word in words
            for number, form in self._by_word[word]
            if self.persons[number].agreement in rewrite.pieces and (form is None or form.search(rewrite.text))
        }
        if not named:
            return everybody
        self.named.update(self.persons[number].id for number in named)
        self.fewer[rewrite.id] = (len(everybody) - 1 - len(named), len(everybody) - 1)
        return everybody[[number not in named for number in everybody.tolist()]]

    def _everybody(self, agreements: frozenset[str]) -> Ints:
        """The original and all persons of some classes."""
        import numpy as np

        numbers = [number for number, person in enumerate(self.persons) if person.agreement in agreements]
        if self.originals:
            numbers = [0, *numbers]
        return np.array(numbers, dtype=np.int32)


def _by_first_word(fillers: Sequence[Filler]) -> dict[str, list[tuple[int, re.Pattern[str] | None]]]:
    """First word of a filler's form → fillers, counted from 1, and what finds a form of more than that word."""
    by_word: dict[str, list[tuple[int, re.Pattern[str] | None]]] = {}
    for number, filler in enumerate(fillers, start=1):
        for form in {filler.form, filler.form.upper()}:
            words = WORD.findall(form)
            pattern = None if words == [form] else re.compile(rf"(?<!\w){re.escape(form)}(?!\w)")
            by_word.setdefault(words[0] if words else form, []).append((number, pattern))
    return by_word


def _coded(values: Sequence[str | None], codes: Ints) -> Any:
    """A dictionary array; equal values are merged, so that a dictionary has no doubles."""
    import pyarrow as pa

    return pa.array(values, pa.string()).dictionary_encode().take(pa.array(codes))
