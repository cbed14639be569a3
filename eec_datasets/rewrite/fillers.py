"""Lists of names and noun phrases → who is put into the sentences."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_datasets import schema
from eec_datasets.errors import EecError
from eec_datasets.rewrite.slots import Filler, Slot
from eec_datasets.text_file import csv_rows, decode_lines

if TYPE_CHECKING:
    from typing import TypeAlias

    from eec_datasets.rewrite.anchors import Anchors
    from eec_datasets.rewrite.slots import Piece

    Names: TypeAlias = str | Path | Mapping[str, str] | Iterable[Mapping[str, str]]

TYPES: Final = ("name", "noun_phrase")
OWN: Final = ("id", "name", "type")
"""Columns of a list that are neither a label nor the form of a role."""

TAKEN: Final = frozenset({*schema.columns(), "anchor", "original"} - {"gender", "race", "id"})
SHOWN: Final = 5


class NamesError(EecError):
    """The list of names cannot be used; the message says which line of it and why."""


def filler(
    anchors: Anchors,
    form: str,
    gender: str,
    *,
    id: str = "",
    type: str = "name",
    labels: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
) -> Filler:
    """Make a person of a name.

    Parameters
    ----------
    form
        The citation form.
    gender
        ``female`` or ``male``: a key of the language's ``[agreement]``.
    roles
        Forms that are not made by the language's rule.
    """
    made = {role: pattern.replace("{form}", form) for role, pattern in anchors.roles.items()}
    return Filler(
        id=id or slug(form) or "n1",
        form=form,
        type=type,
        agreement=anchors.columns[gender],
        labels={"gender": gender, **(labels or {})},
        roles=made | {role: text for role, text in (roles or {}).items() if role in made and text},
    )


def filled(anchors: Anchors, person: Filler, pieces: Sequence[Piece]) -> str:
    """A sentence about a person (the rows of many are made by `eec_datasets.rewrite.writing`)."""
    return "".join(_in_slot(anchors, person, piece) if isinstance(piece, Slot) else piece for piece in pieces)


def _in_slot(anchors: Anchors, person: Filler, slot: Slot) -> str:
    text = anchors.fuse(slot.before, person.roles[slot.role])
    return text[:1].upper() + text[1:] if slot.capital else text


def slug(form: str) -> str:
    """Lower-case ASCII of a form; empty where nothing is left of it."""
    plain = unicodedata.normalize("NFKD", form).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def read_fillers(
    anchors: Anchors, names: Names, *, root: Path | None = None, noun_phrases: bool = False
) -> tuple[Filler, ...]:
    """Read who is put into the sentences.

    Parameters
    ----------
    names
        A CSV file with the column ``name`` and any of ``gender``, ``race`` and further labels (``type`` may say
        ``noun_phrase``; a column called like a role of the language holds that form); a text file with ``NAME,GENDER``
        in each line; the name of a config of the same language; or in Python a mapping of names to genders, or
        mappings with the keys of such a CSV file.
    root
        Folder of locales, for the name of a config.
    noun_phrases
        Whether a config's noun phrases are taken as well.

    Raises
    ------
    NamesError
        The list is not there, has no names, names without gender, an anchor as a name, or one name twice.
    """
    if isinstance(names, Mapping):
        rows = [(f"{form!r}", {"name": form, "gender": gender}) for form, gender in names.items()]
        where = "names"
    elif isinstance(names, str | Path):
        where = str(names)
        path = Path(names)
        if not path.exists() and isinstance(names, str) and not path.suffix:
            return _of_config(anchors, names, root, noun_phrases)
        rows = _read_file(path)
    else:
        where, rows = "names", [_entry(number, row) for number, row in enumerate(names, start=1)]
    return _fillers(anchors, where, rows)


def _entry(number: int, row: object) -> tuple[str, dict[str, str]]:
    if not isinstance(row, Mapping) or not all(isinstance(cell, str) for cell in row.values()):
        raise NamesError(
            f"names: entry {number} is {row!r}; expected texts by column, such as {{'name': 'Maria', 'gender': "
            "'female'}, or all names in one mapping: {'Maria': 'female'}"
        )
    return f"entry {number}", dict(row)


def _of_config(anchors: Anchors, name: str, root: Path | None, noun_phrases: bool) -> tuple[Filler, ...]:
    from eec_datasets import corpora
    from eec_datasets.render.choice import choose

    config = corpora.find(name, root=root)
    if config.language != anchors.tag:
        raise NamesError(
            f"The names of '{name}' are written in the language '{config.language}', the texts are in '{anchors.tag}'. "
            f"Choose a config whose name begins with {anchors.tag}-"
        )
    wanted = TYPES if noun_phrases else TYPES[:1]
    persons = [person for person in choose(config.locale, config.spec).persons if person.type in wanted]
    genders = {column: gender for gender, column in anchors.columns.items()}
    axes = [axis for axis in dict.fromkeys(axis for person in persons for axis in person.identity) if axis != "gender"]
    found = [
        filler(
            anchors, person.roles["nom"], genders[person.gram["gender"]], id=person.id, type=person.type,
            labels={axis: person.identity.get(axis, "unmarked") for axis in ("gender", *axes)},
            roles=person.roles,
        )
        for person in persons
        if person.gram.get("gender") in genders
    ]  # fmt: skip
    if not found:
        raise NamesError(f"The config '{name}' has no names; with noun phrases it may have persons (--noun-phrases).")
    return tuple(found)


def _read_file(path: Path) -> list[tuple[str, dict[str, str]]]:
    """The rows of a list with the place of each."""
    try:
        with path.open("rb") as file:
            rows = [
                (line, [cell.strip() for cell in cells])
                for line, cells in csv_rows(decode_lines(file, str(path)), str(path))
            ]
    except OSError as error:
        raise NamesError(
            f"The list of names {path} cannot be read: {error.strerror}. Give a file, or the name of a config such as "
            "en-black-white (eec configs lists them)"
        ) from error
    lines = [(line, stripped) for line, cells in rows if any(stripped := [cell.strip() for cell in cells])]
    if not lines:
        raise NamesError(f"{path}: the list of names is empty; expected NAME,GENDER in each line, or a CSV file.")
    header = lines[0][1]
    if "name" not in header:
        if any(len(cells) > 2 for _, cells in lines):
            raise NamesError(f"{path}:1: no column 'name'; the header has: {', '.join(header)}. Name it so")
        header = ["name", "gender"]
    else:
        lines = lines[1:]
    if twice := [column for column, count in Counter(header).items() if count > 1]:
        raise NamesError(f"{path}:1: the column '{twice[0]}' stands twice. Remove one of the two")
    if wrong := [line for line, cells in lines if len(cells) > len(header)]:
        raise NamesError(f"{path}:{wrong[0]}: more cells than the header has ({len(header)}). Quote cells with commas")
    return [(f"{path}:{line}", dict(zip(header, cells, strict=False))) for line, cells in lines]


def _fillers(anchors: Anchors, where: str, rows: Sequence[tuple[str, dict[str, str]]]) -> tuple[Filler, ...]:
    if not rows:
        raise NamesError(f"{where}: no names were given; expected at least one.")
    _check(anchors, where, rows)
    labels = [key for key in dict.fromkeys(key for _, row in rows for key in row) if key not in (*OWN, *anchors.roles)]
    if clash := [key for key in labels if key in TAKEN or not key]:
        raise NamesError(f"{where}: the label column '{clash[0]}' is a column of the rows. Give it another name")
    ids = _ids([row for _, row in rows])
    return tuple(
        filler(
            anchors, row["name"], row["gender"], id=id, type=row.get("type") or "name",
            labels={key: row.get(key) or "unmarked" for key in labels}, roles=row,
        )
        for id, (_, row) in zip(ids, rows, strict=True)
    )  # fmt: skip


def _check(anchors: Anchors, where: str, rows: Sequence[tuple[str, dict[str, str]]]) -> None:
    empty = [place for place, row in rows if not row.get("name")]
    if empty:
        raise NamesError(f"{where}: {_some(empty)} without a name. Write it in the column 'name'")
    if ill := [place for place, row in rows if any(unicodedata.category(sign) == "Cc" for sign in row["name"])]:
        raise NamesError(f"{where}: {_some(ill)} with a control character in the name. Remove it")
    wrong = [
        f"{row['name']} ('{row['gender']}')" for _, row in rows if row.get("gender") not in (None, "", *anchors.columns)
    ]
    if wrong:
        raise NamesError(
            f"{where}: {_some(wrong)} with a gender that the language '{anchors.tag}' has no pronouns for. Write one "
            f"of {', '.join(anchors.columns)} in the column 'gender'"
        )
    without = [row["name"] for _, row in rows if row.get("gender") not in anchors.columns]
    if without:
        raise NamesError(
            f"{where}: {_some(without)} without a gender that the language '{anchors.tag}' can write: its pronouns "
            f"need one of {', '.join(anchors.columns)}. Write it in the column 'gender'"
        )
    for place, row in rows:
        _, entry = anchors.lexicon.look_up(row["name"])
        if entry.anchor:
            raise NamesError(
                f"{place}: '{row['name']}' is a pronoun, the very word that is replaced. Remove it from the list"
            )
        if row.get("type") and row["type"] not in TYPES:
            raise NamesError(f"{place}: type '{row['type']}'; expected one of {', '.join(TYPES)}.")
    twice = [name for name, count in Counter((row["name"], row["gender"]) for _, row in rows).items() if count > 1]
    if twice:
        raise NamesError(f"{where}: '{twice[0][0]}' ({twice[0][1]}) stands more than once. Keep one")


def _some(what: Sequence[str]) -> str:
    shown = ", ".join(what[:SHOWN])
    return (
        f"{shown} and {len(what) - SHOWN} more are"
        if len(what) > SHOWN
        else f"{shown} {'is' if len(what) == 1 else 'are'}"
    )


def _ids(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """ASCII ids: as given, else made of the form, so that the order of the list does not change them.

    Where letters are lost (other scripts), or names come out alike, the hash of name and gender is added.
    """
    wanted = [row.get("id") or slug(row["name"]) for row in rows]
    alone = Counter(wanted)
    return [
        name
        if row.get("id") or (name != "original" and alone[name] == 1 and _kept(row["name"]))
        else _hashed(name, row)
        for name, row in zip(wanted, rows, strict=True)
    ]


def _kept(form: str) -> bool:
    """Whether the slug of a form has all its letters."""
    plain = unicodedata.normalize("NFKD", form)
    return any(map(str.isalnum, plain)) and all(sign.isascii() for sign in plain if sign.isalnum())


def _hashed(name: str, row: Mapping[str, str]) -> str:
    told = hashlib.sha256("/".join((row["name"], row["gender"])).encode()).hexdigest()
    return f"{name or 'n'}-{told[:6]}"
