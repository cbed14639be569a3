"""``names.csv`` and ``names.toml`` → the table of names of a language, and the persons of its sets.

A row of the table is a name of one group and gender. Its columns ``SOURCE.FIELD`` hold what a source (``corpus.toml``)
knows of it; the column `sets` names the sets that it is in, as the rules of ``names.toml`` chose.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import Place
from eec_datasets.locale.csv_file import Column, Columns, Row, optional, read_csv
from eec_datasets.locale.grammar import checked_gram
from eec_datasets.locale.model import Person
from eec_datasets.locale.name_table import NameSet, NameSource, NameTable, id_of
from eec_datasets.locale.toml_file import (
    AMOUNT,
    NUMBER,
    PAIR,
    TABLE,
    TABLE_TABLE,
    TEXT,
    TEXT_TABLE,
    TEXT_TABLE_TABLE,
    TEXTS,
    TableKeys,
    one_of,
    read_toml,
    word_of,
)
from eec_datasets.locale.words import SLUG
from eec_datasets.text_file import number

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.errors import Problems
    from eec_datasets.locale.model import Locale
    from eec_datasets.locale.toml_file import TomlTable

TABLE_FILE, RULES_FILE, SOURCES_FILE = "names.csv", "names.toml", "corpus.toml"
SOURCES = "name_sources"
KEY = ("name", "group", "gender")
MODELLED = "modelled"
"""The flag of a name whose group rests on modelled sources alone."""
WEAK = "weak-signal"
"""The flag of a name that some source gives its group with a probability below one half, or that a reader doubts."""

IS_ONE_NAME = "Every name has a group and a gender"
NAME_COLUMNS = Columns(
    (
        Column("name", needed=True, filled=IS_ONE_NAME),
        Column("group", needed=True, filled=IS_ONE_NAME),
        Column("gender", needed=True, filled=IS_ONE_NAME),
        Column("sets", needed=True),
        *optional("id", "english", "flags", "refused", "note"),
    )
)
NAME_RULES = TableKeys(
    needed={"schema": NUMBER, "grammar": TEXT_TABLE_TABLE, "select": TABLE, "sets": TABLE_TABLE},
)
SELECT = TableKeys(allowed={"gender": AMOUNT, "share": AMOUNT, "letters": PAIR, "words": TEXTS})
NAME_SET = TableKeys(
    needed={"groups": TEXT_TABLE, "size": NUMBER},
    allowed={
        "match": TEXTS,
        "within": AMOUNT,
        "typical": TEXT,
        "show": TEXTS,
        "like": TEXT,
        "keep": TEXTS,
        "signal": TEXT,
        "family_at_most": NUMBER,
        "ending_at_most": NUMBER,
        "families_at_least": AMOUNT,
    },
)
NAME_SOURCE = TableKeys(
    needed={"title": TEXT, "publisher": TEXT, "licence": TEXT, "fields": TEXT_TABLE},
    allowed={"url": TEXT, "evidence": word_of("people", "list", "modelled", "")},
)


LEAST = {"size": 2, "within": 0, "family_at_most": 1, "ending_at_most": 1, "families_at_least": 1}
"""The least that a bound of a set may be."""


def read_names(folder: Path, facts: Mapping[str, Any], problems: Problems) -> NameTable | None:
    """The table of a language, or None where it has none; what is wrong with it is noted."""
    if not (folder / TABLE_FILE).exists():
        return None
    sources = dict(_sources(read_toml(folder.parent / SOURCES_FILE, problems).table(SOURCES)))
    problem_count = len(problems)
    rules = read_toml(folder / RULES_FILE, problems)
    if len(problems) > problem_count:  # told once, and not for every name
        return None
    rules = rules.laid_out(NAME_RULES)
    sets = {key: _set(rules.table("sets", key), key) for key in rules.get("sets", {})}
    select = rules.table("select").laid_out(SELECT)
    file = read_csv(folder / TABLE_FILE, NAME_COLUMNS.needed, problems)
    table = NameTable(folder, file, sources, sets, select.data, rules.get("grammar", {}))
    file.check(NAME_COLUMNS, facts, further=file.columns, gender=list(table.grammar))
    _check_sets(rules, table)
    for column in table.columns:
        check_numbers(file.rows, column, column)
    list(file.distinct(KEY))
    return table


def _sources(file: TomlTable) -> Iterator[tuple[str, NameSource]]:
    for key in file.data:
        yield key, NameSource(key, **file.table(key).laid_out(NAME_SOURCE).values)


def _set(entry: TomlTable, key: str) -> NameSet:
    table = entry.laid_out(NAME_SET)
    ways = [way for way in ("match", "typical", "like") if way in table]
    if len(ways) != 1:
        message = f"the set '{key}' says {' and '.join(ways) or 'nothing of how names are chosen'}"
        table.report(message, "Write one of match, typical and like")
    for name, least in LEAST.items():
        if name in table and not table[name] >= least:
            table.report(f"{name} of the set '{key}' is {table[name]}", f"Write a number from {least} on", name)
    groups = [*table.get("groups", {}).values()]
    if table.get("groups") == {}:
        table.report(f"the set '{key}' has no groups", 'Write groups = { label = "group of names.csv" }', "groups")
    for group in dict.fromkeys(group for group in groups if groups.count(group) > 1):
        message = f"the set '{key}' has the group '{group}' under two labels"
        table.report(message, "A name belongs to one group only: keep one", "groups")
    return NameSet(key, table.place(), **table.values)


def _check_sets(rules: TomlTable, table: NameTable) -> None:
    """Note ids that a set keeps and no name has, and names in a set that has no rule or not their group."""
    ids = {id_of(row) for row in table.file.rows}
    for key, rule in table.sets.items():
        if rule.signal and rule.signal not in table.columns:
            message = f"the set '{key}' has the signal '{rule.signal}', which is no column of {TABLE_FILE}"
            rules.report(message, one_of(table.columns), "sets", key, "signal")
        if lost := ", ".join(name for name in rule.keep if name not in ids):
            rules.report(f"the set '{key}' keeps {lost}", f"{TABLE_FILE} has no such id", "sets", key, "keep")
    for row in table.file.rows:
        for key in row["sets"].split():
            if key not in table.sets:
                row.report(f"'{row['name']}' is in the set '{key}', which has no rule", one_of(list(table.sets)))
            elif row["group"] not in (groups := table.sets[key].groups.values()):
                message = f"'{row['name']}' of the group '{row['group']}' is in the set '{key}'"
                row.report(message, f"Its groups: {', '.join(groups)}")


def check_for(locale: Locale, table: NameTable) -> None:
    """Note grammar that the locale lacks, and columns that are neither known nor a field of a source."""
    file, rules = table.file, read_toml(table.folder / RULES_FILE, table.file.problems)
    for gender, gram in table.grammar.items():
        checked_gram(rules.table("grammar", gender), gram, locale.features)
    known = sorted({*NAME_COLUMNS.names, *locale.roles})
    described = {column for source in table.sources.values() for column in source.columns}
    for column in file.columns:
        if column and column not in known and column not in described:
            fix = f"Columns: {', '.join(known)}, and SOURCE.FIELD for the sources and fields of {SOURCES_FILE}"
            file.problems.add(Place(file.name, 1), f"column '{column}' is not known", fix)


def check_numbers(rows: Collection[Row], column: str, table_column: str) -> None:
    """Note what is no number in a column of rows, which the table has as `table_column`, such as ``ssa.count``."""
    field_name = table_column.rpartition(".")[2]
    cells = {row[column] for row in rows} - {""}
    fixes = {cell: fix for cell in cells if (fix := _fix_of_number(cell, field_name))}
    for row in rows if fixes else ():
        if row[column] in fixes:
            row.report(f"{column} of '{row['name']}' is '{row[column]}'", fixes[row[column]])


def _fix_of_number(cell: str, field_name: str) -> str:
    """Return what to write in place of a cell that is no number, or none of its field; empty where it is sound."""
    value = number(cell)
    if not math.isfinite(value):
        return "Write a number with a decimal point, or nothing"
    if field_name in ("share", "gender") and not 0 <= value <= 1:
        return "A share is a number from 0 to 1"
    if field_name in ("count", "n") and value < 0:
        return "A count is 0 or more"
    return ""


def flags_of(row: Row, table: NameTable) -> tuple[str, ...]:
    """The flags of a name: those written down, and that its group rests on modelled sources alone."""
    return (*row["flags"].split(), *([MODELLED] if table.evidence(row) == [MODELLED] else []))


def persons_of(table: NameTable, locale: Locale) -> Iterator[Person]:
    """The persons of the sets, set by set in file order; an id that two of them share is noted."""
    labels = {key: {group: label for label, group in rule.groups.items()} for key, rule in table.sets.items()}
    lines: dict[tuple[str, str], int] = {}
    ranks = _ranks(table)
    for row in table.file.rows:
        for key in row["sets"].split():
            first = lines.setdefault((key, id_of(row)), row.place.line)
            if first != row.place.line:
                message = f"'{id_of(row)}' stands twice in the set '{key}'"
                row.report(message, f"The other is on line {first}: a name belongs to one group of a set")
            elif key in labels and row["group"] in labels[key]:
                rank = ranks.get((key, row.place.line), 0)
                yield _person(row, key, labels[key][row["group"]], rank, table, locale)


def _ranks(table: NameTable) -> dict[tuple[str, int], int]:
    """Set and line of a name → its place in its cell by the count of ``log SOURCE.FIELD`` in the rule."""
    cells: dict[tuple[str, str, str], list[tuple[float, int]]] = defaultdict(list)
    for row in table.file.rows:
        for key in row["sets"].split():
            rule = table.sets.get(key)
            counts = [name[4:] for name in (*rule.match, *rule.show) if name.startswith("log ")] if rule else []
            counted = [row[column] for column in counts if row[column]]
            if counted:
                cells[key, row["group"], row["gender"]].append((-number(counted[0]), row.place.line))
    ordered = ((cell[0], sorted(names)) for cell, names in cells.items())
    return {(key, line): rank for key, names in ordered for rank, (_, line) in enumerate(names, start=1)}


def _person(row: Row, key: str, label: str, rank: int, table: NameTable, locale: Locale) -> Person:
    name = id_of(row)
    if not SLUG.fullmatch(name):
        row.report(f"'{row['name']}' has no id", "Write its English form in lower-case ASCII in the column id")
    roles = {role: row[role] for role in locale.roles if row[role]}
    return Person(
        id=name,
        set=key,
        type="name",
        pair="",
        identity={"gender": row["gender"], "race": label},
        gram=table.grammar.get(row["gender"], {}),
        roles={"nom": row["name"], **roles},
        place=row.place,
        english=row["english"] or row["name"],
        status="added",
        source=", ".join(source.title for source in table.sources_of(row)),
        flags=flags_of(row, table),
        rank=rank,
    )
