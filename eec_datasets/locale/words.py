"""Words from tables, one form per line with its features as columns: emotion words, levels of identity axes."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from eec_bias.shared import grouped
from eec_datasets import schema
from eec_datasets.errors import Place
from eec_datasets.locale.csv_file import Column, Columns, optional, read_csv
from eec_datasets.locale.grammar import cldr
from eec_datasets.locale.model import ANY, EMOTION_KINDS, GENDER, NONE, WORD_FILES, Form, Word
from eec_datasets.locale.templating import TAKEN
from eec_datasets.locale.toml_file import one_of

if TYPE_CHECKING:
    from collections.abc import ItemsView, Mapping
    from pathlib import Path

    from eec_datasets.errors import Problems
    from eec_datasets.locale.csv_file import CsvFile, Row
    from eec_datasets.locale.model import Locale

SAME_IN_EVERY_ROW = ("kind", "emotion")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
AXIS = re.compile(r"[a-z][a-z0-9_]*")
COLUMNS = {*schema.BEFORE_AXES, *schema.AFTER_AXES} - {"race"}  # a name's race is its own, a mention's has a word
PLACEBO_FILE = "placebo.csv"
OWN_FILES = {
    "words.csv", "forms.csv", "persons.csv", "names.csv", "expected.csv", "questions.csv", "anchor-words.csv",
    PLACEBO_FILE,
}  # fmt: skip
NO_COUNTRIES = frozenset(
    {"AC", "AQ", "BV", "CP", "DG", "EA", "EU", "EZ", "GS", "HM", "IC", "IO", "QO", "TA", "TF", "UM", "UN", "XA", "XB"}
)
"""Codes of CLDR that name unions, parts of a country, or islands without inhabitants of their own."""
TERRITORY = re.compile(r"\{([A-Z]{2})\}")
"""Stands in the form of a level for the name of a territory."""
NO_TERRITORIES = ("XA", "XB", "ZZ")
"""Codes to which CLDR gives a name that is none of a territory, such as *unknown region*."""

WORD_COLUMNS = Columns(
    (
        Column("id", needed=True, filled="Write the English word in lower-case ASCII"),
        Column("kind", needed=True, values=EMOTION_KINDS),
        Column("emotion", needed=True, values="emotions"),
        Column("form", needed=True, filled="Write it, or remove the row"),
        Column("status", needed=True, values="statuses"),
        Column("source", needed=True, filled="Name the paper, table or list it is from"),
        Column("use", values=("reserve",)),
        *optional("paper", "flags", "translator", "checker", "note", "english"),
    )
)
LEVEL_COLUMNS = Columns(
    (
        Column("level", needed=True, filled="Write its English name"),
        Column("form", needed=True, filled="Write it, or remove the row"),
        Column("source", needed=True, filled="Name where the word is from"),
        *optional("id", "said", "use", "flags", "translator", "checker", "note", "english", "status"),
    )
)
PLACEBO_COLUMNS = Columns(
    (
        Column("word", needed=True, filled="Write the English word"),
        Column("kind", needed=True, filled="Write the kind of words that [placebo] of locale.toml asks for"),
        Column("form", needed=True, filled="Write it, or remove the row"),
        Column("source", needed=True, filled="Name where the word is from"),
        *optional("use", "flags", "translator", "checker", "note"),
    )
)


def read_words(folder: Path, locale: Locale, facts: Mapping[str, Any], problems: Problems) -> tuple[Word, ...]:
    """Return the emotion words of a locale in file order, those of ``forms.csv`` last, if it has one.

    ``forms.csv`` may have words of no emotion, which show how a system scores the sentence around them.
    """
    words: list[Word] = []
    for stem in WORD_FILES:
        path = folder / f"{stem}.csv"
        if stem == "words" or path.exists():
            file = read_csv(path, WORD_COLUMNS.needed, problems)
            emotions = [*facts["emotions"], *([] if stem == "words" else [NONE])]
            file.check(WORD_COLUMNS, {**facts, "emotions": emotions}, locale.features)
            for row in file.rows:
                check_id(row)
            for name, rows in _by("id", file):
                if any((word.id, word.kind) == (name, rows[0]["kind"]) for word in words):
                    rows[0].report(f"'{name}' is in words.csv too", "Give it another id, or remove it")
                elif name:
                    words.append(_word(rows, locale, stem))
    return tuple(words)


def check_id(row: Row) -> None:
    """Note an id that is none."""
    if row["id"] and not SLUG.fullmatch(row["id"]):
        row.report(f"id '{row['id']}'", "Write the English in lower-case ASCII, words joined by '-'")


def _by(column: str, file: CsvFile) -> ItemsView[str, list[Row]]:
    return grouped((row[column], row) for row in file.rows).items()


def _word(rows: list[Row], locale: Locale, file: str) -> Word:
    first = rows[0]
    same = (*SAME_IN_EVERY_ROW, *(column for column in first if column.startswith("gram.")))
    for row in rows[1:]:
        same_options = next(other for other in rows if all(other[option] == row[option] for option in locale.options))
        for column in (*same, "status"):
            other, but = (same_options, ", but for those of another option") if column == "status" else (first, "")
            if row[column] != other[column]:
                here = f"{column} of '{row['id']}' is '{row[column]}' here"
                there = f"'{other[column]}' on line {other.place.line}"
                row.report(f"{here}, {there}", f"All rows of a word must agree{but}")
    return Word(
        id=first["id"],
        forms=tuple(_form(row, locale) for row in rows),
        place=first.place,
        gram=read_features(first, locale),
        kind=first["kind"],  # type: ignore[arg-type]  # checked against the known kinds above
        emotion=first["emotion"],
        status=first["status"],
        source=first["source"],
        file=file,
    )


def _form(row: Row, locale: Locale) -> Form:
    flags, shared = tuple(row["flags"].split()), tuple(name for name in locale.features if row[name] == ANY)
    needs = read_features(row, locale, "")
    return Form(row["form"], needs, row.place, shared, row["use"] == "reserve", flags, row["status"])


def read_features(row: Row, locale: Locale, prefix: str = "gram.") -> dict[str, str]:
    """The features that a row has in the columns with this prefix: of its own, or (without one) those it asks for."""
    values = {name: value for name in locale.features if (value := row[prefix + name]) and (prefix or value != ANY)}
    for name, value in values.items():
        if value not in locale.features[name]:
            row.report(f"{name} '{value}' is no value of the feature '{name}'", one_of(locale.features[name]))
    return values


def axis_files(folder: Path) -> list[Path]:
    """The files of a locale that each hold the levels of an identity axis, such as ``country.csv``."""
    return sorted(path for path in folder.glob("*.csv") if path.name not in OWN_FILES)


def read_levels(
    folder: Path, locale: Locale, facts: Mapping[str, Any], problems: Problems
) -> dict[str, dict[str, Word]]:
    """The identity axes that have a file of their own: axis → wording → the word that names a level.

    A level that is said in several ways has a word for each, which the column `said` tells apart.
    """
    axes = {}
    for path in axis_files(folder):
        problem_count = len(problems)
        file = read_csv(path, LEVEL_COLUMNS.needed, problems)
        if not file.rows and len(problems) == problem_count:
            problems.add(Place(file.name, 1), f"the axis '{path.stem}' has no level", "Write them, or remove the file")
        if not AXIS.fullmatch(path.stem) or path.stem in {*COLUMNS, *TAKEN}:
            fix = "Name the file in lower-case ASCII after the column it makes, such as country.csv"
            problems.add(Place(file.name, 1), f"an identity axis cannot be called '{path.stem}'", fix)
            continue
        file.check(LEVEL_COLUMNS, facts, locale.features)
        wordings = grouped(((row["level"], row["said"] or row["level"]), row) for row in file.rows if row["level"])
        axes[path.stem] = {said: _level(rows, locale, level, said) for (level, said), rows in wordings.items()}
    return axes


def read_placebo_words(
    folder: Path, locale: Locale, facts: Mapping[str, Any], problems: Problems
) -> dict[str, tuple[Word, ...]]:
    """Return the neutral words of a locale by their kind; none if it has no ``placebo.csv``.

    They take the place of the levels of an axis, so that a test knows how much any word changes a score.
    """
    path = folder / PLACEBO_FILE
    if not path.exists():
        return {}
    file = read_csv(path, PLACEBO_COLUMNS.needed, problems)
    file.check(PLACEBO_COLUMNS, facts, locale.features)
    rows_of = grouped(((row["kind"], row["word"]), row) for row in file.rows if row["word"]).items()
    words = ((kind, _level(rows, locale, "", name)) for (kind, name), rows in rows_of)
    return {kind: tuple(some) for kind, some in grouped(words).items()}


@cache
def territories(tag: str) -> Mapping[str, str]:
    """The names that CLDR gives territories in a language, by code; none where it does not know the language."""
    language = cldr(tag)
    names = language.territories.items() if language else ()
    return {code: name for code, name in names if code not in NO_TERRITORIES}


def _level(rows: list[Row], locale: Locale, level: str, said: str) -> Word:
    forms = tuple(_territory(_form(row, locale), row, locale) for row in rows)
    first = rows[0]
    gram, slug = read_features(first, locale), re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-")
    if not slug:
        first.report(f"'{said}' has no letter of a–z", "Write its English name")
    return Word(slug, forms, first.place, gram, kind="level", source=first["source"], level=level, said=said)


def countries(tag: str) -> Mapping[str, str]:
    """Return the countries that a reader may be from, by code, as a language calls them."""
    names = territories(tag).items()
    return {code: name for code, name in names if len(code) == 2 and code.isalpha() and code not in NO_COUNTRIES}


def _territory(form: Form, row: Row, locale: Locale) -> Form:
    """Fill every ``{XX}`` with the name that CLDR gives territory XX in this language, which agrees with nobody."""
    codes = TERRITORY.findall(form.text)
    if not codes or not (names := territories(locale.tag)):  # that CLDR does not know the language is told of its tag
        return form
    unknown = [code for code in codes if code not in names]
    for code in unknown:
        row.report(f"CLDR has no territory '{code}'", "Use a two-letter ISO 3166 code")
    if unknown:
        return form
    text = TERRITORY.sub(lambda match: names[match[1]], form.text)
    return replace(form, text=text, shared=(*form.shared, GENDER))
