"""Choosing the form of a word that its controller asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.errors import NoForm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eec_datasets.locale.model import Form, Word


def matching(word: Word, features: Mapping[str, str]) -> list[Form]:
    """The forms whose every need the features meet."""
    return [form for form in word.forms if all(features.get(name) == value for name, value in form.needs.items())]


def describe_features(features: Mapping[str, str]) -> str:
    """Features as a message tells them."""
    return ", ".join(f"{name} {value}" for name, value in features.items()) or "no features"


def select(word: Word, features: Mapping[str, str]) -> Form:
    """The one form of `word` for a controller with these features.

    Raises
    ------
    NoForm : none fits, or more than one does.
    """
    forms = matching(word, features)
    if len(forms) == 1:
        return forms[0]
    message, fix = mismatch(word, forms, features)
    raise NoForm(f"{word.place}: {message}. {fix}")


def mismatch(word: Word, forms: Sequence[Form], features: Mapping[str, str]) -> tuple[str, str]:
    """Return what is wrong where not one form of a word fits, and how to fix it."""
    if not forms:
        return f"'{word.id}' has no form for {describe_features(features)}", "Add a row for it"
    return f"'{word.id}' has {len(forms)} forms for {describe_features(features)}: {describe_forms(forms)}", "Leave one"


def describe_forms(forms: Sequence[Form]) -> str:
    """Forms as a message tells them, each with its place."""
    return " and ".join(f"'{form.text}' ({form.place})" for form in forms)
