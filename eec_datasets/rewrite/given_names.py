"""Names that stand in the texts and are replaced as pronouns are."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import Problems
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.reading import load_locale
from eec_datasets.rewrite.anchors import FORM, Anchors
from eec_datasets.rewrite.fillers import read_fillers
from eec_datasets.rewrite.lexicon import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
    from pathlib import Path

    from eec_datasets.rewrite.fillers import Names
    from eec_datasets.rewrite.lexicon import Lexicon
    from eec_datasets.rewrite.tokens import Token

NAME_CLASSES: Final = frozenset(("name", "person-name", "first-f", "first-m", "listed-name", "last-name", "name-tail"))
"""Classes of a word that is nothing but a name."""

TABLES: Final = "tables"
"""Word that asks for the first names in the language's own files."""

DASHES: Final = ("-", "–", "—")


@dataclass(frozen=True)
class GivenNames:
    """Names that are replaced, with their columns, and those that are not, with the reason (`refused`)."""

    columns: Mapping[str, str]
    refused: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return how many are replaced, and which are not, as plain JSON values."""
        return {"names": len(self.columns), "refused": dict(self.refused)}


def given_names(anchors: Anchors, names: Names, root: Path) -> GivenNames:
    """Choose the names of a list that can only be one person's first name.

    The list is what `read_fillers` reads, or `TABLES`: the names of the language's corpora and of its anchors' words.

    Left out are names of several words or without a capital, names of both genders, and names that are other words of
    the language as well (Grace, Mark). A first name of the tables is no other word by its shape alone (Thomas, Edward).
    """
    known = {form for form, _ in _of_tables(anchors, root)}
    anchors = replace(anchors, lexicon=_without_shapes(anchors, known))
    genders: dict[str, set[str]] = defaultdict(set)
    listed = () if names == TABLES else read_fillers(anchors, names, root=root)
    for form, column in ((each.form, each.agreement) for each in listed) if listed else _of_tables(anchors, root):
        genders[form].add(column)
    refused = {form: reason for form, columns in genders.items() if (reason := _refusal(anchors, form, columns))}
    return GivenNames({form: min(columns) for form, columns in genders.items() if form not in refused}, refused)


def _of_tables(anchors: Anchors, root: Path) -> Iterator[tuple[str, str]]:
    """The names of the corpora that carry no flag, and the first names among the words."""
    for person in load_locale(anchors.tag, root).persons:
        if person.type == "name" and not person.flags:
            yield person.roles["nom"], person.gram["gender"]
    for word, classes in anchors.lexicon.words.items():
        for column in anchors.columns.values():
            if f"first-{column}" in classes:
                yield word.capitalize(), column


def genders_of_names(anchors: Anchors, root: Path) -> dict[str, str]:
    """Return the first names that a language's files give to one gender, as they are looked up → column."""
    columns: dict[str, set[str]] = defaultdict(set)
    for form, column in _of_tables(anchors, root):
        columns[fold(form)].add(column)
    path = root / anchors.tag / "names.csv"
    for row in read_csv(path, ("name", "gender"), Problems()).rows if path.exists() else ():
        columns[fold(row["name"])].add(anchors.columns.get(row["gender"], ""))
    return {form: min(found) for form, found in columns.items() if len(found) == 1}


def words_among(anchors: Anchors, names: Iterable[str]) -> list[str]:
    """Return the names that are listed as another word of the language as well (Grace, Mark), or of a system (Tia)."""
    return [name for name in names if not NAME_CLASSES.issuperset(anchors.lexicon.words.get(fold(name), ()))]


def _refusal(anchors: Anchors, form: str, columns: Set[str]) -> str:
    if len(columns) > 1:
        return "given to both genders"
    if not form.isalpha() or not form[0].isupper() or form.isupper():
        return "not one capitalised word"
    return "" if anchors.lexicon.look_up(form).labels <= NAME_CLASSES else "another word as well"


def with_given(anchors: Anchors, names: GivenNames) -> Anchors:
    """The grammar of a language that also reads these names: a class and a reading per way to write them."""
    words, columns_and_names = {word: set(classes) for word, classes in anchors.lexicon.words.items()}, {}
    names_of = {form: (column, form) for form, column in names.columns.items()}
    for reading, pattern in anchors.name_patterns.items():
        titles = {title: (column, "") for title, column in anchors.titles.items() if pattern == FORM}
        for form, name in (names_of | titles).items():
            word = fold(pattern.replace(FORM, form))
            words.setdefault(word, set()).add(reading)
            columns_and_names[word] = name
    lexicon = replace(_without_shapes(anchors, names.columns), words=words)
    return replace(anchors, lexicon=lexicon, replaced_names=columns_and_names, _candidates={})


def _without_shapes(anchors: Anchors, names: Iterable[str]) -> Lexicon:
    """The words of a language where these names belong to no class by their shape."""
    words = frozenset(fold(name) for name in names)
    shaped = [replace(each, exceptions=each.exceptions | words) for each in anchors.lexicon.shaped]
    return replace(anchors.lexicon, shaped=shaped)


def names_in_text(anchors: Anchors, tokens: Sequence[Token]) -> list[str]:
    """The words that are names of the list, but for a last name right behind a first and for who said it (— Mary)."""
    named = [token.word in anchors.replaced_names and token.text[0].isupper() for token in tokens]
    words = []
    for index, is_name in enumerate(named):
        if not is_name or (index and named[index - 1]) or _is_last_behind_a_title(anchors, tokens, index):
            continue
        # A dash stands before it, and before that another or the end of a sentence or a quotation.
        before = [token.text for token in tokens[max(index - 2, 0) : index]]
        if len(before) < 2 or before[1] not in DASHES or before[0][0] not in (*DASHES, *".!?…\"'”’»)"):
            words.append(tokens[index].word)
    return words


def _is_last_behind_a_title(anchors: Anchors, tokens: Sequence[Token], index: int) -> bool:
    """Return whether a name is the last name behind a title with its point: Mrs. James, but not Mrs. Peter Smith."""
    if index < 2 or tokens[index - 1].text != "." or tokens[index - 2].word not in anchors.titles:
        return False
    return index + 1 == len(tokens) or not tokens[index + 1].text[0].isupper()
