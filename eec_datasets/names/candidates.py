"""Candidates for a set of names: their features as numbers, and the reasons that keep a name out of a set."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from eec_bias.shared import grouped
from eec_datasets.errors import InputError
from eec_datasets.given_file import read_given
from eec_datasets.locale.name_table import id_of
from eec_datasets.locale.reading import load_locale, locales_folder
from eec_datasets.locale.templating import words_in
from eec_datasets.packaged import packaged

if TYPE_CHECKING:
    from eec_datasets.locale.csv_file import Row
    from eec_datasets.locale.name_table import NameSet, NameTable

Cell = tuple[str, ...]
"""Label of the group in the corpus, and gender."""


def load_table(tag: str, root: Path | None = None) -> NameTable:
    """The table of names of a language.

    Raises
    ------
    InputError : no such language; FileProblems : the table or its rules have problems, all listed.
    InputError : the language has no table.
    """
    table = load_locale(tag, root).names
    if table is None:
        folder = (root or locales_folder()) / tag
        raise InputError(
            f"the language '{tag}' has no table of names. Write {folder / 'names.csv'} and names.toml: "
            "docs/names.md says how they begin"
        )
    return table


def rule_of(table: NameTable, key: str) -> NameSet:
    """The rule of a set.

    Raises
    ------
    InputError : there is no such set, or its rule names a column that the table does not have.
    """
    if key not in table.sets:
        raise InputError(f"no set '{key}' in {table.folder / 'names.toml'}; there are: {', '.join(table.sets)}")
    rule = table.sets[key]
    for feature in (*rule.match, *rule.show, *([rule.typical] if rule.typical else [])):
        column = feature.removeprefix("log ")
        if column != "letters" and column not in table.columns:
            features = ", ".join(["letters", *table.columns])
            place = f"{rule.place}: the set '{key}'"
            raise InputError(f"{place} asks for '{feature}'. Features, each also with log: {features}")
    return rule


def value_of(row: Row, feature: str) -> float:
    """A feature of a name (``letters``, ``SOURCE.FIELD``, ``log SOURCE.FIELD``); NaN where it has none."""
    column = feature.removeprefix("log ")
    value = float(len(row["name"])) if column == "letters" else float(row[column] or "nan")
    if column == feature:
        return value
    return math.log(value) if value > 0 else math.nan


def rows_by_cell(table: NameTable, rule: NameSet) -> dict[Cell, list[Row]]:
    """The names of every group of a set with every gender of the table, whether chosen or not."""
    rows = grouped(((row["group"], row["gender"]), row) for row in table.file.rows)
    cells = product(rule.groups, table.grammar)
    return {(label, gender): rows.get((rule.groups[label], gender), []) for label, gender in cells}


def cells_in(table: NameTable, rule: NameSet) -> dict[Cell, list[Row]]:
    """The set as it is: cell → its members."""
    rows = rows_by_cell(table, rule)
    return {cell: [row for row in some if rule.key in row["sets"].split()] for cell, some in rows.items()}


def refusals(table: NameTable, rule: NameSet, lists: Mapping[str, Collection[str]]) -> dict[int, list[str]]:
    """Why names may not be in a set: line of ``names.csv`` → reasons, for those that have any.

    Parameters
    ----------
    lists : title → the words of a list, folded (see `word_lists`).
    """
    rows = [row for some in rows_by_cell(table, rule).values() for row in some]
    same = grouped((id_of(row), row) for row in rows if not row["refused"])
    reasons_of = {
        row.place.line: [*_reasons(row, table, lists), *_elsewhere(row, same.get(id_of(row), ())), *lacking(row, rule)]
        for row in rows
    }
    return {line: reasons for line, reasons in reasons_of.items() if reasons}


def lacking(row: Row, rule: NameSet) -> list[str]:
    """The numbers of the rule that a name does not have, each as a reason."""
    features = [*rule.match, *([rule.typical] if rule.typical else [])]
    return [f"has no {feature}" for feature in features if math.isnan(value_of(row, feature))]


def _elsewhere(row: Row, same_id: Sequence[Row]) -> list[str]:
    """Return what else has the id of a name: other cells, or an earlier name that differs in accents alone."""
    cell = (row["group"], row["gender"])
    others = sorted({f"{other['group']} {other['gender']}" for other in same_id} - {" ".join(cell)})
    first = next((other for other in same_id if (other["group"], other["gender"]) == cell), row)
    return [
        *([f"stands as {' and '.join(others)} too"] if others else []),
        *([f"has the id of {first['name']}, '{id_of(row)}'"] if first.place.line < row.place.line else []),
    ]


def _reasons(row: Row, table: NameTable, lists: Mapping[str, Collection[str]]) -> Iterable[str]:
    if row["refused"]:
        yield row["refused"]
    select = table.select
    for key, source in table.sources.items():
        gender, share = row[f"{key}.gender"], row[f"{key}.share"]
        if gender and float(gender) < select.get("gender", 0):
            yield f"{source.title}: only {100 * float(gender):g}% of bearers are {row['gender']}"
        if share and source.evidence and float(share) < select.get("share", 0):
            yield f"{source.title}: only {100 * float(share):g}% of bearers are {row['group']}"
    if not table.evidence(row):
        yield "no source says of which group it is"
    shortest, longest = select.get("letters", (1, 99))
    if not shortest <= len(row["name"]) <= longest:
        yield f"has {len(row['name'])} letters"
    yield from (f"is a word of {title}" for title, words in lists.items() if folded(row["name"]) in words)


def folded(word: str) -> str:
    """A word without case, vowel signs, accents and what is not seen, to be looked up in a list."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    seen = (letter for letter in decomposed if unicodedata.category(letter) != "Cf")
    return "".join(letter for letter in seen if not unicodedata.combining(letter))


def word_lists(table: NameTable) -> dict[str, frozenset[str]]:
    """The lists of words that no name may equal, folded, by title.

    Raises
    ------
    Unavailable : VADER's lexicon is asked for and not installed; InputError : a list cannot be read.
    """
    return dict(_word_list(table, name) for name in table.select.get("words", ()))


def _word_list(table: NameTable, name: str) -> tuple[str, frozenset[str]]:
    if name == "corpus":
        locale = load_locale(table.folder.name, table.folder.parent)
        return "the corpora", frozenset(map(folded, words_in(locale.texts)))
    if name == "vader":
        lexicon = packaged("vaderSentiment", "vader_lexicon.txt", "names are compared with VADER's lexicon")
        lines = lexicon.read_text(encoding="utf-8").splitlines()
        return "VADER's lexicon", frozenset(folded(line.split("\t")[0]) for line in lines)
    try:
        words = read_given(table.folder / name).decode("utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{table.folder / 'names.toml'}: the list of words '{name}' cannot be read: {error}. "
            "Write corpus, vader, or the name of a UTF-8 file beside names.toml with one word per line"
        ) from error
    return name, frozenset(map(folded, words))
