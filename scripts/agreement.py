"""Compare our forms for women and men with pairs of forms that others made.

An error of agreement in our lexicon would be an error of our own reading. So the forms are compared with an independent
list, which need not be free: it is read, and nothing of it is copied.

    python scripts/agreement.py PAIRS.tsv    a table with the columns language, masculine, feminine
    python scripts/agreement.py --lemmas     the lemmas of simplemma (pip install simplemma)
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from eec_bias.shared import grouped
from eec_datasets.errors import EecError
from eec_datasets.locale.endings import fits
from eec_datasets.locale.reading import load_locale, tags

COLUMNS = ("language", "masculine", "feminine")
LEMMAS = ("es", "fr", "it", "pt", "ru")
"""Languages whose lemmas simplemma knows well."""
GENDERED = ("ar", "es", "fr", "he", "hi", "it", "pt", "ru")


@dataclass(frozen=True, slots=True)
class FormPair:
    """A word in the masculine and the feminine."""

    language: str
    masculine: str
    feminine: str

    def __str__(self) -> str:
        return f"{self.masculine} / {self.feminine}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of a language with a list of pairs.

    Attributes
    ----------
    pairs : how many pairs of the list differ between the genders, and are of as many words on both sides.
    known : our pairs whose masculine, or feminine, the list has.
    differing : those of them whose other form is another one in the list.
    no_class : pairs of the list that end as no class of our ``[endings]`` does; empty if the language declares none.
    """

    pairs: int
    known: Sequence[FormPair]
    differing: Sequence[FormPair]
    no_class: Sequence[FormPair]


def read_pairs(path: Path) -> list[FormPair]:
    """Return the pairs of a table, tab-separated.

    Raises
    ------
    EecError : the file is no such table.
    """
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise EecError(f"{path} cannot be read as a table: {error}") from error
    if not rows or not {*COLUMNS} <= rows[0].keys():
        found = ", ".join(str(column) for column in rows[0]) if rows else "nothing"
        raise EecError(f"{path} has {found}; expected a tab-separated table with the columns {', '.join(COLUMNS)}")
    return [FormPair(*(str(row[column] or "").strip() for column in COLUMNS)) for row in rows]


def own_pairs(tag: str) -> Iterator[FormPair]:
    """Yield the forms of a language's words and levels for women and men, where the two differ, word by word."""
    for word in load_locale(tag).own_words:
        by_rest = grouped(
            (tuple(item for item in form.needs.items() if item[0] != "gender"), (form.needs["gender"], form.text))
            for form in word.forms
            if form.needs.get("gender") in ("f", "m")
        )
        for forms in map(dict, by_rest.values()):
            if forms.keys() == {"f", "m"}:
                parts = zip(forms["m"].split(), forms["f"].split(), strict=False)
                yield from (
                    FormPair(tag, masculine, feminine) for masculine, feminine in parts if masculine != feminine
                )


def compare(tag: str, pairs: Sequence[FormPair]) -> Comparison:
    """Return what the pairs of a list say of a language."""
    listed = [pair for pair in pairs if pair.language == tag and pair.masculine.casefold() != pair.feminine.casefold()]
    listed = [pair for pair in listed if len(pair.masculine.split()) == len(pair.feminine.split())]
    feminines = grouped((pair.masculine.casefold(), pair.feminine.casefold()) for pair in listed)
    masculines = grouped((pair.feminine.casefold(), pair.masculine.casefold()) for pair in listed)
    known, differing = [], []
    for pair in dict.fromkeys(own_pairs(tag)):
        masculine, feminine = pair.masculine.casefold(), pair.feminine.casefold()
        if masculine in feminines or feminine in masculines:
            known.append(pair)
            if feminine not in feminines.get(masculine, [feminine]) or masculine not in masculines.get(
                feminine, [masculine]
            ):
                differing.append(pair)
    classes = load_locale(tag).endings.get("gender", ())
    no_class = [pair for pair in listed if classes and not fits({"f": pair.feminine, "m": pair.masculine}, classes)]
    return Comparison(len(listed), known, differing, no_class)


def lemmas_differ(tag: str, lemma: Callable[..., str]) -> tuple[int, list[str]]:
    """Return how many of our pairs were looked up, and those whose forms have no lemma in common.

    Parameters
    ----------
    lemma : takes a form and ``lang``; a participle is looked up twice, as its lemma may be the verb.
    """

    def lemmas(form: str) -> set[str]:
        first = lemma(form, lang=tag)
        return {form, first, lemma(first, lang=tag)}

    pairs = list(dict.fromkeys(own_pairs(tag)))
    return len(pairs), [str(pair) for pair in pairs if not lemmas(pair.masculine) & lemmas(pair.feminine)]


def main(arguments: Sequence[str]) -> int:
    """Print the comparison for every language with gendered forms; 1 if a form differs."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = 0
    for tag in [tag for tag in GENDERED if tag in tags()]:
        if arguments[0] == "--lemmas":
            if tag not in LEMMAS:
                continue
            lemmatize = import_module("simplemma").lemmatize
            count, differing = lemmas_differ(tag, lemmatize)
            print(f"{tag}: {count} pairs looked up, {len(differing)} without a lemma in common: {'; '.join(differing)}")
            continue
        result = compare(tag, read_pairs(Path(arguments[0])))
        found += len(result.differing)
        print(
            f"{tag}: {result.pairs} pairs in the list; {len(result.known)} of our forms are in it, "
            f"{len(result.differing)} differ: {'; '.join(map(str, result.differing)) or 'none'}\n"
            f"    {len(result.no_class)} end as no class of [endings]: {'; '.join(map(str, result.no_class))}"
        )
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except EecError as error:
        sys.exit(f"Error: {error}")
