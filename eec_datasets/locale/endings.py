"""``[endings]`` of ``locale.toml``: how the forms of a word for the values of a feature end, class by class.

Spanish has *cansada, cansado* and *encantadora, encantador*: two classes. A pair of forms that fits a class only when
the two change places was swapped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.locale.toml_file import TEXT_TABLES

if TYPE_CHECKING:
    from eec_datasets.locale.toml_file import TomlTable

EndingClass: TypeAlias = Mapping[str, str]
"""Value of a feature → how the form for it ends."""
EXAMPLE = 'Write gender = [{ f = "a", m = "o" }]'


def read_endings(table: TomlTable, features: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[EndingClass, ...]]:
    """Return the classes of each feature that a language declares; what is wrong with one is noted."""
    classes: dict[str, tuple[EndingClass, ...]] = {}
    for feature, entries in table.data.items():
        if feature not in features:
            table.expect(feature, features, "endings are declared for", feature)
        elif not TEXT_TABLES.fits(entries):
            table.report(f"the endings of '{feature}' are not a list of tables of strings", EXAMPLE, feature)
        elif any(len(entry) < 2 or not entry.keys() <= {*features[feature]} for entry in entries):
            values = ", ".join(features[feature])
            table.report(f"a class of '{feature}' does not have two or more of its values: {values}", EXAMPLE, feature)
        else:
            classes[feature] = tuple(entries)
    return classes


def fits(forms: Mapping[str, str], classes: Sequence[EndingClass]) -> bool:
    """Return whether forms of a word, by the value that each is for, end as a class says, word by word."""
    parts = {value: form.split() for value, form in forms.items()}
    if len({len(words) for words in parts.values()}) > 1:
        return False
    together = [dict(zip(parts, words, strict=True)) for words in zip(*parts.values(), strict=True)]
    return all(len({*words.values()}) == 1 or any(_ends(words, each) for each in classes) for words in together)


def _ends(words: Mapping[str, str], ending: EndingClass) -> bool:
    """Return whether the same stem with the endings of a class gives these words."""
    if words.keys() != ending.keys() or not all(word.endswith(ending[value]) for value, word in words.items()):
        return False
    return len({word.removesuffix(ending[value]) for value, word in words.items()}) == 1
