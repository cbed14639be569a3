"""The identity of a comparison: two groups, or a group and the mean of all, on one kind of sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from eec_bias.options import ANY
from eec_bias.stats.contrasts import is_simple_effect

EMOTION = "emotion"
"""The end of the term of a row that says how a gap differs between emotions: ``race:emotion``."""

REACTION = "reaction"
"""The end of the term of a row that says how far feelings move the scores about each group: ``gender:reaction``."""

HEARD = "heard"
"""The end of the term of a row that counts the words that are heard about one group only: ``gender:heard``."""

OTHER_QUESTIONS = (EMOTION, REACTION, HEARD)
"""The ends of terms that ask about something else than a gap."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Name what is compared; rows, questions of the plan, pairs of sentences, gates and scalars all use this name.

    Attributes
    ----------
    term, axes : str
        ``race`` and ``race``; ``race|gender=female`` is race among women; ``race:gender`` on ``race+gender`` asks if
        a gap is the same in two groups.
    level, reference : str
        The groups, of several axes joined by ``:``; a gap above 0 means that the level scores higher. The reference
        ``mean`` is the mean of all levels.
    subset : str
        The kind of sentences: ``names``, ``pairs``, ``phrases``, ``mentions``.
    emotion : str, optional
        In a row that says how the gap differs between emotions, the emotion, or ``any``.
    stratum, output : str, optional
        Part of the data and kind of output, if there are several.
    agreement : str, optional
        In a row about a part of the sentences, ``agrees`` if words have another form for another group, else ``same``.
    """

    term: str
    axes: str
    level: str
    reference: str
    subset: str
    emotion: str | None = None
    stratum: str | None = None
    output: str | None = None
    agreement: str | None = None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """Return the comparison that a row of terms, or of a list beside them, is about."""
        return cls(
            row["term"],
            row["axes"],
            row["level"],
            row["reference"],
            row["subset"],
            row.get("emotion"),
            row.get("stratum"),
            row.get("output"),
            row.get("agreement"),
        )

    def to_dict(self) -> dict[str, str | None]:
        """Return its parts, as columns of rows have them."""
        return {name: getattr(self, name) for name in IDENTITY}

    @property
    def id(self) -> str:
        """A name that stays the same from one measurement to another: ``gender|race=Black[female-male].names``."""
        place = "".join(f"{part}/" for part in (self.stratum, self.output) if part is not None)
        part = "".join(f".{part}" for part in (self.emotion, self.agreement) if part is not None)
        return f"{place}{self.term}[{self.level}-{self.reference}].{self.subset}{part}"

    @property
    def asks(self) -> str:
        """Return what is asked of the groups besides their gap: ``emotion``, ``reaction`` or ``heard``; else empty."""
        return asked_of(self.term, self.axes)

    @property
    def scalar(self) -> str:
        """The name of its numbers for loggers, without the level: ``race``, ``gender_pairs``."""
        return self.term if self.subset == "names" else f"{self.term}_{self.subset}"

    @property
    def within(self) -> str:
        """The groups among which it is asked, ``gender=female``; empty if it is asked of all."""
        return self.term.partition("|")[2]

    @property
    def is_main(self) -> bool:
        """Return whether it asks about the levels of one axis, over all other groups."""
        return self.term == self.axes

    @property
    def is_interaction(self) -> bool:
        """Return whether it asks if a gap is the same in two groups."""
        return "+" in self.axes

    @property
    def is_simple_effect(self) -> bool:
        """Return whether it is asked among some of the groups."""
        return is_simple_effect(self.term)

    @property
    def is_whole(self) -> bool:
        """Return whether it sums up those of all levels or of all emotions."""
        return ANY in (self.level, self.emotion)

    @property
    def on_all_words(self) -> Self:
        """The same comparison on all sentences, whether their words agree with the person or not."""
        return replace(self, agreement=None)

    @property
    def overall(self) -> Self:
        """The same comparison on all emotions together."""
        term, bar, condition = self.term.partition("|")
        return replace(self, term=f"{term.removesuffix(f':{EMOTION}')}{bar}{condition}", emotion=None)


IDENTITY = tuple(field.name for field in fields(Comparison))
"""The columns of a row that say which comparison it is about."""


def asked_of(term: str, axes: str | None) -> str:
    """Return what a term asks of its axes, if it is not their gap: ``emotion``, ``reaction`` or ``heard``; else empty.

    An axis may have one of these names.
    """
    gap, _, asked = term.partition("|")[0].rpartition(":")
    return asked if asked in OTHER_QUESTIONS and gap == str(axes).replace("+", ":") else ""


def question_term(term: str, asks: str) -> str:
    """Name the rows that ask something else of a term: ``race:emotion``, ``race:reaction|gender=female``."""
    name, bar, condition = term.partition("|")
    return f"{name}:{asks}{bar}{condition}"
