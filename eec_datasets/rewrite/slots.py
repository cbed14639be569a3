"""Rewritten sentences with slots, and their fillers: the step between finding anchors and writing rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of the person in a sentence.

    Attributes
    ----------
    role
        The form asked for, a key of `Filler.roles`.
    capital
        Whether the form begins a sentence.
    before
        A word that stands before the form and may fuse with it (Spanish "a", "de").
    """

    role: str
    capital: bool = False
    before: str = ""


Piece = str | Slot


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A sentence that can be said of other persons.

    Attributes
    ----------
    id
        ASCII, unique and stable for the same texts: the row's ``item``.
    text
        The sentence as it was found.
    anchor
        Gender of the pronouns that were replaced, ``female`` or ``male``.
    pieces
        By agreement class (the values of `Filler.agreement`, such as ``f`` and ``m``) what the sentence is made of.
    template
        Id of the first sentence that reads the same when it is said of others; empty for its own.
    """

    id: str
    text: str
    anchor: str
    pieces: Mapping[str, tuple[Piece, ...]]
    template: str = ""


@dataclass(frozen=True, slots=True)
class Filler:
    """A person who is put into the sentences.

    Attributes
    ----------
    id
        ASCII, unique among the fillers: the row's ``person``.
    form
        Citation form.
    type
        ``name`` or ``noun_phrase``.
    agreement
        Agreement class: which pieces of a sentence belong to it.
    labels
        Column to label: ``gender``, ``race`` and whatever else the list of names says (``career``).
    roles
        Role to form.
    pair
        Whom a noun phrase makes a pair with (``mother_father``); empty for names.
    """

    id: str
    form: str
    type: str
    agreement: str
    labels: Mapping[str, str]
    roles: Mapping[str, str]
    pair: str = ""


def cased(form: str, like: str) -> str:
    """A form in the letter case of the word it stands for, and with its apostrophe."""
    for apostrophe in "’‘ʼ`":
        if apostrophe in like:
            form = form.replace("'", apostrophe)
    if len(like) > 1 and like.isupper():
        return form.upper()
    return form[:1].upper() + form[1:] if like[:1].isupper() else form
