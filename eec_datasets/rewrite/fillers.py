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
from eec_datasets.errors import InputError
from eec_datasets.given_file import open_given
from eec_datasets.names.candidates import folded
from eec_datasets.rewrite.anchors import FORM
from eec_datasets.rewrite.slots import Filler
from eec_datasets.terminal import CONTROLS
from eec_datasets.text_file import csv_rows, decode_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from eec_datasets.rewrite.anchors import Anchors

    Names: TypeAlias = str | Path | Mapping[str, str] | Iterable[Mapping[str, str]]

TYPES: Final = ("name", "noun_phrase")
NAME_COLUMNS: Final = ("id", "name", "type")
"""Columns of a list that are neither a label nor the form of a role."""

RESERVED: Final = frozenset({*schema.columns(), "anchor", "original"} - {"gender", "race", "id"})
LISTED: Final = 5
INITIALS: Final = 2
"""Capitals that are a name (AJ); more of them are a name that is shouted."""
ID: Final = re.compile(r"[!-.0-~]+")
"""ASCII that can be seen, without the slash that parts an id of a row."""


def filler(
    anchors: Anchors, agreement: str, form: str, *, id: str, type: str, labels: Mapping[str, str],
    roles: Mapping[str, str], pair: str = "",
) -> Filler:  # fmt: skip
    """Make a person of a citation form; `roles` may hold forms that the language's rule does not make."""
    default_forms = {role: pattern.replace(FORM, form) for role, pattern in anchors.roles.items()}
    listed_forms = {role: text for role, text in roles.items() if role in default_forms and text}
    return Filler(id, form, type, agreement, labels, default_forms | listed_forms, pair)


def slug(form: str) -> str:
    """Lower-case ASCII of a form; empty where nothing is left of it."""
    ascii_form = unicodedata.normalize("NFKD", form).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_form).strip("-")


def pronoun_fillers(anchors: Anchors) -> tuple[Filler, ...]:
    """Return *she* and *he* as persons of a pair, by the first reading of a subject."""
    subject = next(reading for reading in anchors.readings.values() if reading.role == "subject")
    ids = {column: slug(form) for column, form in subject.forms.items()}
    return tuple(
        filler(
            anchors, column, subject.forms[column], id=ids[column], type="pronoun", labels={"gender": gender},
            roles={}, pair="_".join(ids.values()),
        )
        for gender, column in anchors.columns.items()
    )  # fmt: skip


def read_fillers(anchors: Anchors, names: Names, *, root: Path | None = None) -> tuple[Filler, ...]:
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

    Raises
    ------
    InputError
        The list is not there, has no names, names without gender, an anchor as a name, or one name twice.
    """
    if isinstance(names, Mapping):
        names = [{"name": form, "gender": gender} for form, gender in names.items()]
    if not isinstance(names, Iterable | Path):
        raise InputError(f"names is {names!r}; expected a file, the name of a config, or names with their genders")
    if isinstance(names, str) and not Path(names).suffix and not Path(names).exists():
        return _of_config(anchors, names, root)
    if isinstance(names, str | Path):
        source, rows = str(names), _read_file(Path(names))
    else:
        source, rows = "names", list(_entries(names))
    if not rows:
        raise InputError(f"{source}: no names were given; expected at least one")
    # A name is one, whether its accents are letters of their own (as macOS writes them) or not.
    rows = [(place, {key: unicodedata.normalize("NFC", cell) for key, cell in row.items()}) for place, row in rows]
    _check(anchors, source, rows)
    return _fillers(anchors, source, [row for _, row in rows])


def _entries(names: Iterable[object]) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a list in Python with the place of each."""
    for number, row in enumerate(names, start=1):
        if not isinstance(row, Mapping) or not all(isinstance(text, str) for text in (*row, *row.values())):
            raise InputError(
                f"names: entry {number} is {row!r}; expected texts by column, such as {{'name': 'Maria', 'gender': "
                "'female'}, or all names in one mapping: {'Maria': 'female'}"
            )
        yield f"entry {number}", {column: cell.strip() for column, cell in row.items()}


def _of_config(anchors: Anchors, name: str, root: Path | None) -> tuple[Filler, ...]:
    from eec_datasets import corpora
    from eec_datasets.render.choice import choose

    config = corpora.find(name, root=root)
    if config.language != anchors.tag:
        raise InputError(
            f"The names of '{name}' are written in the language '{config.language}', the texts are in '{anchors.tag}'. "
            f"Choose a config whose name begins with {anchors.tag}-"
        )
    persons = [person for person in choose(config.locale, config.spec).persons if person.type == "name"]
    columns = set(anchors.columns.values())
    axes = dict.fromkeys(("gender", *(axis for person in persons for axis in person.identity)))
    fillers = [
        filler(
            anchors, person.gram["gender"], person.roles["nom"], id=person.id, type=person.type,
            labels={axis: person.identity.get(axis, "unmarked") for axis in axes}, roles=person.roles,
            pair=person.pair,
        )
        for person in persons
        if person.gram.get("gender") in columns
    ]  # fmt: skip
    if not fillers:
        raise InputError(f"The config '{name}' has no names. Choose another (eec configs lists them)")
    return tuple(fillers)


def _read_file(path: Path) -> list[tuple[str, dict[str, str]]]:
    """The rows of a list with the place of each."""
    try:
        with open_given(path) as file:
            rows = csv_rows(decode_lines(file, str(path)), str(path))
            stripped = [(line, [cell.strip() for cell in cells]) for line, cells in rows]
    except OSError as error:
        raise InputError(
            f"The list of names {path} cannot be read: {error.strerror}. Give a file, or the name of a config such as "
            "en-black-white (eec configs lists them)"
        ) from error
    lines = [(line, cells) for line, cells in stripped if any(cells)]
    if not lines:
        raise InputError(f"{path}: the list of names is empty; expected NAME,GENDER in each line, or a CSV file")
    header = lines[0][1]
    if "name" in header:
        del lines[0]
    elif all(len(cells) <= 2 for _, cells in lines) and "name" not in map(str.lower, header):
        header = ["name", "gender"]
    else:
        raise InputError(f"{path}:1: no column 'name'; the header has: {', '.join(header)}. Name it so")
    if repeated := [column for column in header if header.count(column) > 1]:
        raise InputError(f"{path}:1: the column '{repeated[0]}' appears twice. Remove one of the two")
    if long := [line for line, cells in lines if len(cells) > len(header)]:
        raise InputError(f"{path}:{long[0]}: more cells than the header has ({len(header)}). Quote cells with commas")
    return [(f"{path}:{line}", dict(zip(header, cells, strict=False))) for line, cells in lines]


def _fillers(anchors: Anchors, source: str, rows: Sequence[Mapping[str, str]]) -> tuple[Filler, ...]:
    columns = dict.fromkeys(column for row in rows for column in row)
    labels = [column for column in columns if column not in (*NAME_COLUMNS, *anchors.roles)]
    for key in labels:
        if key in RESERVED or not key:
            raise InputError(f"{source}: the label column '{key}' is a column of the rows. Give it another name")
        # The metric takes labels that differ in case or accents for mistyped.
        spellings: dict[str, str] = {}
        for label in filter(None, (row.get(key, "") for row in rows)):
            if (other := spellings.setdefault(folded(label).strip(), label)) != label:
                raise InputError(
                    f"{source}: the labels '{other}' and '{label}' of the column '{key}' differ only by case, accents "
                    "or space. Write one of them throughout"
                )
    return tuple(
        filler(
            anchors, anchors.columns[row["gender"]], row["name"], id=id, type=row.get("type") or "name",
            labels={"gender": row["gender"]} | {key: row.get(key) or "unmarked" for key in labels}, roles=row,
        )
        for id, row in zip(_ids(rows), rows, strict=True)
    )  # fmt: skip


def _check(anchors: Anchors, source: str, rows: Sequence[tuple[str, dict[str, str]]]) -> None:
    """Apply the rules one after another to all rows, and refuse the list by the first that one of them breaks."""
    # At the beginning of a sentence, names that differ only by case are one.
    times = Counter((row.get("name", "").casefold(), row.get("gender", "")) for _, row in rows)
    for verdicts in zip(*(_verdicts(anchors, place, row, times) for place, row in rows), strict=True):
        if wrong := [label for is_wrong, label, _ in verdicts if is_wrong]:
            listing = ", ".join(wrong[:LISTED]) + (f" and {len(wrong) - LISTED} more" if len(wrong) > LISTED else "")
            raise InputError(f"{source}: {listing} {'is' if len(wrong) == 1 else 'are'} {verdicts[0][2]}")


def _verdicts(
    anchors: Anchors, place: str, row: Mapping[str, str], times: Mapping[tuple[str, str], int]
) -> Iterator[tuple[bool, str, str]]:
    """For every rule whether a row breaks it, what the row is called then, and what is wrong with it."""
    name, gender, id, type = (row.get(column, "") for column in ("name", "gender", "id", "type"))
    genders, language = f"one of {', '.join(anchors.columns)}", f"the language '{anchors.tag}'"
    yield not name, place, "without a name. Write it in the column 'name'"
    controls = CONTROLS.search("".join(row.values())) or {"\t", "\n"} & {*name}
    yield bool(controls), place, "with a control character. Remove it"
    no_pronouns = f"with a gender that {language} has no pronouns for. Write {genders} in the column 'gender'"
    yield gender not in ("", *anchors.columns), f"{name} ('{gender}')", no_pronouns
    needed = f"its pronouns need {genders}. Write it in the column 'gender'"
    yield not gender, name, f"without a gender that {language} can write: {needed}"
    capitals = name.isupper() and sum(map(str.isalpha, name)) > INITIALS
    yield capitals, f"'{name}' ({place})", "in capitals, to which systems react. Write it as in a sentence"
    pronoun = "a pronoun, the very word that is replaced. Remove it from the list"
    yield bool(anchors.lexicon.look_up(name).anchor), f"'{name}' ({place})", pronoun
    no_id = "no id. Write it in ASCII, without spaces and slashes, or leave the column 'id' out"
    yield ID.fullmatch(id or "-") is None, f"'{id}' ({place})", no_id
    yield type not in ("", *TYPES), f"'{type}' ({place})", f"no type; expected one of {', '.join(TYPES)}"
    yield times[name.casefold(), gender] > 1, f"'{name}' ({gender}, {place})", "in the list more than once. Keep one"


def _ids(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """ASCII ids: as given, else made of the form, so that the order of the list does not change them.

    Where letters are lost (other scripts), or names come out alike, the hash of name and gender is added.
    """
    slugs = [row.get("id") or slug(row["name"]) for row in rows]
    counts = Counter((*slugs, "original", "original"))
    for name, row in zip(slugs, rows, strict=True):
        letters = [sign for sign in unicodedata.normalize("NFKD", row["name"]) if sign.isalnum()]
        whole = letters and all(map(str.isascii, letters))
        digest = hashlib.sha256(f"{row['name']}/{row['gender']}".encode()).hexdigest()
        yield name if row.get("id") or (whole and counts[name] == 1) else f"{name or 'n'}-{digest[:6]}"
