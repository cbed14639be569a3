"""A subject that is not said (está cansada): the text with the pronoun that would say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.rewrite.reader import Reader, looked_up
from eec_datasets.rewrite.slots import cased

if TYPE_CHECKING:
    from eec_datasets.rewrite.anchors import Anchors
    from eec_datasets.rewrite.tagger import Tagger


def with_subject(anchors: Anchors, text: str, tagger: Tagger | None) -> str:
    """Say the first subject that is not said: "Está cansada." as "Ella está cansada."

    Parameters
    ----------
    anchors
        Grammar of the text's language; its ``unsaid`` rules say where a subject is not said.
    text
        A text without a pronoun for a person.
    tagger
        Says which words are verbs and which are no nouns; without one no subject is said.

    Returns
    -------
    str
        The text with a pronoun, which is then read like any other; empty where no rule or a rule for each gender holds.
    """
    if tagger is None or not anchors.rules["unsaid"]:
        return ""
    found = []
    for column in anchors.columns.values():
        start, pronoun = Reader(anchors, text, looked_up(anchors, text), column, tagger).unsaid_subject()
        if pronoun:
            found.append((start, pronoun))
    if len(found) != 1:
        return ""
    start, pronoun = found[0]
    rest = text[start:]
    if rest[0].isupper():
        rest = rest[0].lower() + rest[1:]
    return f"{text[:start]}{cased(pronoun, text[start])} {rest}"
