"""Forms that do not end as the language says that forms for their value end: swapped, or of no class."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from eec_bias.shared import grouped
from eec_datasets.checks.report import finding
from eec_datasets.locale.endings import fits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eec_datasets.checks.report import LocaleFinding
    from eec_datasets.checks.subject import Subject
    from eec_datasets.locale.endings import EndingClass
    from eec_datasets.locale.model import Form, Word


def ending_findings(checked: Subject) -> Iterator[LocaleFinding]:
    """Yield pairs of forms that were swapped, and those that end as no class does."""
    for feature, classes in checked.locale.endings.items():
        for word in checked.locale.own_words:
            yield from _of_word(word, feature, classes)


def _of_word(word: Word, feature: str, classes: Sequence[EndingClass]) -> Iterator[LocaleFinding]:
    for forms in _alike(word, feature):
        for pair in combinations(forms, 2):
            if {*pair} not in [{*each} for each in classes]:
                continue
            first, second = pair
            texts = {first: forms[first].text, second: forms[second].text}
            swapped = {first: texts[second], second: texts[first]}
            values = {"word": word.id, "form": texts[first], "value": first, "other": texts[second], "for_": second}
            if fits(texts, classes):
                continue
            check = "endings.swapped" if fits(swapped, classes) else "endings.no-class"
            yield finding(check, forms[first].place, **values)


def _alike(word: Word, feature: str) -> Iterator[Mapping[str, Form]]:
    """Yield the forms by their value of a feature, those together that ask for the same otherwise."""
    asking = (
        (tuple(item for item in form.needs.items() if item[0] != feature), (form.needs[feature], form))
        for form in word.forms
        if feature in form.needs
    )
    yield from (dict(forms) for forms in grouped(asking).values())
