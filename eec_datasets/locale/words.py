"""``words.csv`` → emotion words: one form per line, features as columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from eec_datasets.locale.model import Form, Word
from eec_datasets.locale.sources import CsvFile, Row, read_csv

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from eec_datasets.locale.grammar import Grammar
    from eec_datasets.locale.sources import Problems

REQUIRED = ("id", "kind", "emotion", "form", "status", "source")
OTHER = ("paper", "use", "translator", "checker", "note", "english")
SAME_IN_EVERY_ROW = ("kind", "emotion", "status")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def read_words(folder: Path, grammar: Grammar, facts: Mapping[str, Any], problems: Problems) -> tuple[Word, ...]:
    """The emotion words of a locale in file order."""
    file = read_csv(folder / "words.csv", REQUIRED, problems)
    check_columns(file, {*REQUIRED, *OTHER}, grammar, problems)
    allowed = {
        "kind": ("state", "situation"),
        "emotion": tuple(facts["emotions"]),
        "status": tuple(facts["statuses"]),
        "use": ("", "reserve"),
    }
    for row in file.rows:
        if row["id"] and not SLUG.fullmatch(row["id"]):
            mend = "Write the English word in lower-case ASCII, words joined by '-'"
            problems.add(row.place, f"id '{row['id']}'", mend)
        if not row["source"]:
            problems.add(row.place, f"the word '{row['id']}' has no source", "Name the paper, table or list it is from")
        for column, values in allowed.items():
            if row[column] not in values:
                shown = ", ".join(value or "(empty)" for value in values)
                problems.add(row.place, f"{column} '{row[column]}' of the word '{row['id']}'", f"One of: {shown}")
    return tuple(_word(rows, grammar, problems) for rows in grouped(file, "id", problems))


def grouped(file: CsvFile, column: str, problems: Problems) -> Iterable[list[Row]]:
    """Rows that share a value of `column`, in order of first appearance; an empty one is noted."""
    groups: dict[str, list[Row]] = {}
    for row in file.rows:
        if not row[column]:
            problems.add(row.place, f"column '{column}' is empty", "Every row needs one")
            continue
        groups.setdefault(row[column], []).append(row)
    return groups.values()


def check_columns(file: CsvFile, known: set[str], grammar: Grammar, problems: Problems) -> None:
    """Note every column that is neither known nor a feature (nor `gram.` and a feature)."""
    for column in file.columns:
        if column not in known and column.removeprefix("gram.") not in grammar.features:
            features = ", ".join(grammar.features) or "none"
            problems.add(
                file_head(file), f"column '{column}' is not known",
                f"Columns: {', '.join(sorted(known))}, and the features of locale.toml: {features}",
            )  # fmt: skip


def file_head(file: CsvFile) -> Any:
    """The place of a file's header."""
    from eec_datasets.locale.model import Place

    return Place(file.name, 1)


def read_form(row: Row, grammar: Grammar, problems: Problems) -> Form:
    """The form of one line with the features it asks for."""
    needs = {name: row[name] for name in grammar.features if row[name]}
    check_values(row, needs, grammar, problems)
    if not row["form"]:
        problems.add(
            row.place,
            f"the form of '{row['id'] or row['level']}' is empty",
            "Write the form, or remove the row",
        )
    return Form(row["form"], needs, row.place, reserve=row["use"] == "reserve")


def read_gram(row: Row, grammar: Grammar, problems: Problems) -> dict[str, str]:
    """The row's own features: the columns named `gram.` and a feature."""
    gram = {name: row[f"gram.{name}"] for name in grammar.features if row[f"gram.{name}"]}
    check_values(row, gram, grammar, problems)
    return gram


def check_values(row: Row, values: Mapping[str, str], grammar: Grammar, problems: Problems) -> None:
    """Note every feature value that ``locale.toml`` does not list."""
    for name, value in values.items():
        if value not in grammar.features[name]:
            problems.add(
                row.place,
                f"{name} '{value}' is no value of the feature '{name}'",
                f"One of: {', '.join(grammar.features[name])}",
            )


def _word(rows: list[Row], grammar: Grammar, problems: Problems) -> Word:
    first = rows[0]
    same = (*SAME_IN_EVERY_ROW, *(column for column in first.cells if column.startswith("gram.")))
    for row in rows[1:]:
        for column in same:
            if row[column] != first[column]:
                what = (
                    f"{column} of '{row['id']}' is '{row[column]}' here, '{first[column]}' on line {first.place.line}"
                )
                problems.add(row.place, what, "All rows of a word must agree")
    return Word(
        id=first["id"],
        forms=tuple(read_form(row, grammar, problems) for row in rows),
        place=first.place,
        gram=read_gram(first, grammar, problems),
        kind=first["kind"],  # type: ignore[arg-type]  # checked against the known kinds above
        emotion=first["emotion"],
        status=first["status"],
        source=first["source"],
    )
