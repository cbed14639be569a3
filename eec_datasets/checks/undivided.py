"""Forms that serve several genders without saying so: perhaps only the language they were begun from has one form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eec_datasets.checks.report import finding
from eec_datasets.locale.model import GENDER, Form, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eec_datasets.checks.report import Finding
    from eec_datasets.checks.subject import Subject


@dataclass(slots=True)
class Undivided:
    """Collects the genders that each form serves, where another word in the same place has a form for each."""

    served: dict[int, tuple[Word, Form, set[str]]] = field(default_factory=dict)

    def note(self, shown_forms: Sequence[tuple[Word, Form]], gender: str | None) -> None:
        """Take in the words that a slot may show with a controller of this gender, each with its form."""
        if gender and any(GENDER in form.needs for _, form in shown_forms):
            for word, form in shown_forms:
                if not _states_gender(form):
                    self.served.setdefault(id(form), (word, form, set()))[2].add(gender)

    def findings(self) -> Iterator[Finding]:
        """The forms that serve several genders."""
        for word, form, genders in self.served.values():
            if len(genders) > 1:
                listing = " and ".join(sorted(genders))
                yield finding("forms.undivided", form.place, form=form, word=word, genders=listing)


def undivided_levels(checked: Subject) -> Iterator[Finding]:
    """Forms of levels that persons of several genders show, in a language whose words agree in gender."""
    if not any(GENDER in form.needs for word in checked.locale.own_words for form in word.forms):
        return
    for axis, levels in checked.locale.levels.items():
        bases = (person for person in checked.locale.persons if axis in person.identity)
        genders = sorted({person.gram[GENDER] for person in bases if GENDER in person.gram})
        listing = " and ".join(genders)
        for level, word in levels.items() if len(genders) > 1 else ():
            for form in word.forms:
                if not _states_gender(form):
                    yield finding("forms.undivided-level", form.place, form=form, level=level, genders=listing)


def _states_gender(form: Form) -> bool:
    """Whether a form says which gender it is for, or that it is for any."""
    return form.reserve or GENDER in form.needs or GENDER in form.shared
