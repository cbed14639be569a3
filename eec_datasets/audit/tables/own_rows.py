"""A table that people have, with sentences, groups and scores in columns of any names, as rows that can be measured."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.audit.tables.columns import as_text
from eec_datasets.audit.tables.files import Files
from eec_datasets.audit.tables.sentences import nearly
from eec_datasets.errors import InputError
from eec_datasets.text_file import straightened

if TYPE_CHECKING:
    import pyarrow as pa

PERSONS: Final = ("person", "name", "person_form", "term", "identity term", "identity", "target", "full name")
ITEMS: Final = ("item", "template", "frame", "prompt id", "sentence id", "pair id", "pair", "item id")
WORDS: Final = ("word", "emotion word", "word_form")
TEXTS: Final = ("text", "sentence", "tweet", "prompt", "input", "sentences", "texts", "content", "question")
"""Names of columns, in any case, as people call them."""

LABELS: Final = ("person", "item")
"""What the metric calls whom and what a row is about."""

LAYOUT: Final = frozenset({"sentence", "template", "person", "gender", "race", "emotion word"})
"""Columns of the file of 2018, in lower case."""

PEOPLES_WORDS: Final = {
    "race": {"african-american": "Black", "black": "Black", "european": "white", "white": "white", "": "unmarked"},
    "gender": {"female": "female", "male": "male", "neutral": "neutral", "": "unmarked"},
    "emotion": {"": "none"},
}
"""How the file of 2018 calls groups, and how we do."""

PUBLISHED_ID: Final = re.compile(r"20\d\d-[A-Za-z]{2}-.*\d+")
"""How IDs of the published corpus look, such as 2018-En-mystery-05498."""

EXAMPLE: Final = (
    "A table like this one would work:\n"
    "  person,gender,template,score\n"
    "  Alice,female,<name> called me,0.41\n"
    "  Bob,male,<name> called me,0.38"
)


@dataclass(frozen=True, slots=True)
class OwnRows:
    """A table whose columns are called as the metric calls them, and what each was called before."""

    table: pa.Table
    groups: tuple[str, ...]
    sentences: str


def in_layout(columns: Collection[str]) -> bool:
    """Return whether a table has the columns of the file of 2018."""
    return {name.casefold() for name in columns} >= LAYOUT - {"sentence"}


def find_column(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the first of the columns that is called like one of the names, in any case, with spaces or underscores."""
    by_name = {name.strip().casefold().replace("_", " "): name for name in reversed(columns)}
    return next((by_name[name] for name in (each.replace("_", " ") for each in names) if name in by_name), None)


def name_rows(
    files: Files, scores: Sequence[str], axes: Sequence[str] = (), pairs: Mapping[str, str] | None = None
) -> OwnRows:
    """Return a table with the columns ``person``, ``item`` and one per group, as far as its own columns say them.

    Parameters
    ----------
    files
        The table.
    scores
        Its columns of scores.
    axes
        Columns of groups that were asked for.
    pairs
        What each noun phrase or pronoun is paired by, for the file of 2018.

    Raises
    ------
    InputError
        Nothing says whom or what the rows are about; the message shows a table that works.
    """
    columns = [name for name in files.columns if name not in scores]
    table = files.read(files.columns, scores)
    text = files.options.text or find_column(columns, TEXTS)
    person, item = find_column(columns, PERSONS), find_column(columns, ITEMS)
    if missing := [axis for axis in axes if axis not in columns]:
        raise InputError(f"{files.source}: there is no column {missing[0]!r} among {', '.join(files.columns)}.")
    groups = list(axes) or [name for name in columns if name.casefold() in ("race", "gender", "sex", "religion")]
    layout = in_layout(columns)
    new: dict[str, Any] = {}
    if item is not None:
        new["item"] = _texts(table, item)
        word = find_column(columns, WORDS) if item.casefold() == "template" else None
        if word is not None:
            new["item"] = [f"{a}/{b or 'none'}" for a, b in zip(new["item"], _texts(table, word), strict=True)]
    elif text is not None and person is not None:
        new["item"] = _templates(files, _texts(table, text), _texts(table, person), text, person)
    if person is not None:
        new["person"] = _texts(table, person)
    elif groups and item is not None:
        # Each group has one version of every item.
        labels = zip(*(_texts(table, name) for name in groups), strict=True)
        new["person"] = [" ".join(label) for label in labels]
    if not {"person", "item"} <= new.keys():
        lacks = "what each is about (a column template, item or text)" if "person" in new else "whom each is about"
        raise InputError(
            f"{files.source}: the rows are none of ours, and no column says {lacks}. There are "
            f"{', '.join(files.columns)}.{_known_otherwise(files, text)}\n{EXAMPLE}"
        )
    for name in columns:
        canonical = name.casefold() if name.casefold() in PEOPLES_WORDS else ""
        if canonical and (layout or canonical != "emotion"):
            new[canonical] = _peoples_words(canonical, _texts(table, name), empty=layout)
    if pairs is not None:
        new["pair"] = [
            f"{item}/{pairs.get(person, person)}" if race == "unmarked" else item
            for item, person, race in zip(new["item"], new["person"], new["race"], strict=True)
        ]
    taken = {person, item} - {None, *groups}
    table = table.drop_columns([name for name in table.column_names if name in taken and name not in LABELS])
    return OwnRows(_with_columns(table, new, text), tuple(groups), text or "")


def _known_otherwise(files: Files, text: str | None) -> str:
    """Return how rows that are nearly ours, or have the IDs of the published corpus, can be matched."""
    if text is not None:
        near = nearly([value for value in _texts(files.read([text]), text) if value])
        if near is not None:
            said, ours, config = near
            return (
                f" The text {said!r} is {ours!r} in {config}: write the sentences as `eec sentences {config}` does, or "
                "give their column id too."
            )
    if "id" in files.columns and any(map(PUBLISHED_ID.fullmatch, _texts(files.read(["id"]), "id"))):
        return (
            " These are IDs of the published corpus of 2018. Give its file too, with --data "
            "Equity-Evaluation-Corpus.csv (data= in Python): rows are joined by ID."
        )
    return ""


def _texts(table: pa.Table, name: str) -> list[str]:
    return [text or "" for text in as_text(table[name]).to_pylist()]


def _peoples_words(axis: str, labels: list[str], *, empty: bool) -> list[str]:
    """Return labels as the corpora write them; others stay, and so do empty ones where they may be forgotten."""
    words = PEOPLES_WORDS[axis]
    return [words.get(label.strip().casefold(), label) if label or empty else label for label in labels]


def _templates(files: Files, texts: list[str], persons: list[str], text: str, person: str) -> list[str]:
    """Return what is left of sentences without their person."""
    lacking = [row for row, (said, name) in enumerate(zip(texts, persons, strict=True)) if not name or name not in said]
    if lacking:
        row = lacking[0]
        raise InputError(
            f"{files.source}: {person!r} is {persons[row]!r} in {files.line(row)}, and {text!r} there is "
            f"{texts[row]!r}, which does not contain it ({len(lacking):,} such). A column template or item would say "
            f"which sentences belong together.\n{EXAMPLE}"
        )
    return [straightened(said.replace(name, "<person>", 1)) for said, name in zip(texts, persons, strict=True)]


def _with_columns(table: pa.Table, new: Mapping[str, list[str]], text: str | None) -> pa.Table:
    import pyarrow as pa

    renamed = {text: "text"} if text is not None else {}
    kept = [name for name in table.column_names if name not in new and name.casefold() not in new]
    columns = {renamed.get(name, name): table[name] for name in kept}
    return pa.table(columns | {name: pa.array(values, pa.string()) for name, values in new.items()})


def in_memory(files: Files, rows: OwnRows) -> Files:
    """Return rows as a table that is read like a file."""
    return replace(files, paths=(), kind="memory", content=rows.table)
