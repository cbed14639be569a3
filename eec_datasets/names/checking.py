"""Disagreements between the sets of a table and their rules."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets.errors import Problems
from eec_datasets.locale.reading import locales_folder
from eec_datasets.names.candidates import cells_in, refusals, rule_of, word_lists
from eec_datasets.names.choosing import members_like
from eec_datasets.names.program import effective
from eec_datasets.names.summary import alike, balance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eec_datasets.errors import Problem
    from eec_datasets.locale.csv_file import Row
    from eec_datasets.locale.name_table import NameSet, NameTable
    from eec_datasets.names.candidates import Cell


def faults(table: NameTable, root: Path | None = None) -> list[Problem]:
    """Names that a rule refuses or lacks, cells of another size, and features further apart than a rule lets them."""
    problems = Problems()
    lists = word_lists(table)
    for key in table.sets:
        rule = rule_of(table, key)
        if rule.like:
            _unlike(table, rule, members_like(table, rule, root), problems)
            continue
        cells, reasons = cells_in(table, rule), refusals(table, rule, lists)
        for row in (row for rows in cells.values() for row in rows):
            for reason in reasons.get(row.place.line, ()):
                problems.add(row.place, f"'{row['name']}' is in {key}: {reason}", _mend(table, rule))
        _uneven(table, rule, cells, problems)
        _too_alike(table, rule, cells, problems)
    return problems.found


def _unlike(table: NameTable, rule: NameSet, people: Mapping[Cell, Sequence[Row]], problems: Problems) -> None:
    """Note who is in one of two sets of the same people, and a size that the other does not have."""
    inside, wanted = (
        {row.place.line: row for rows in cells.values() for row in rows} for cells in (cells_in(table, rule), people)
    )
    for line, row in (inside | wanted).items():
        if (line in inside) != (line in wanted):
            there, lacking = (rule.key, rule.like) if line in inside else (rule.like, rule.key)
            problems.add(row.place, f"'{row['name']}' is in {there}, and not in {lacking}", _mend(table, rule))
    for cell, rows in people.items():
        if len(rows) != rule.size:
            message = f"{' '.join(cell)} of {rule.like} has {len(rows)} names, and {rule.key} asks for {rule.size}"
            problems.add(rule.place, message, f"Write size = {len(rows)}")


def _uneven(table: NameTable, rule: NameSet, cells: Mapping[Cell, Sequence[Row]], problems: Problems) -> None:
    sizes = {cell: len(rows) for cell, rows in cells.items() if len(rows) != rule.size}
    for cell, count in sizes.items():
        message = f"{' '.join(cell)} of {rule.key} has {count} names, and the rule asks for {rule.size}"
        problems.add(rule.place, message, _mend(table, rule))
    for balanced in [] if sizes else balance(rule, cells):
        if balanced.matched and not balanced.apart <= rule.within:
            apart = "not known to be even" if math.isnan(balanced.apart) else f"{balanced.apart:.3f} sd apart"
            message = f"the cells of {rule.key} are {apart} in {balanced.feature}"
            fix = f"{_mend(table, rule)}. If this does not help, raise within, or match on fewer features"
            problems.add(rule.place, f"{message}, and the rule asks for {rule.within:g}", fix)


def _too_alike(table: NameTable, rule: NameSet, cells: Mapping[Cell, Sequence[Row]], problems: Problems) -> None:
    """Note families and endings with more names of a cell than a rule lets them have, and cells of too few families."""
    for cell, shared in alike(table, cells).items():
        bounds = (("begin", shared.families, rule.family_at_most), ("end", shared.endings, rule.ending_at_most))
        for what, names_of, most in bounds:
            for letters, names in names_of.items():
                if most is not None and len(names) > most:
                    message = f"{len(names)} names of {' '.join(cell)} of {rule.key} {what} in {letters}"
                    listed = f"{message} ({', '.join(names)}), and the rule lets {most}"
                    problems.add(rule.place, listed, _mend(table, rule))
        found = effective(letters for letters, names in shared.families.items() for _ in names)
        if rule.families_at_least is not None and found < rule.families_at_least:
            message = f"{' '.join(cell)} of {rule.key} has {found:.1f} families in effect"
            problems.add(rule.place, f"{message}, and the rule asks for {rule.families_at_least:g}", _mend(table, rule))


def _mend(table: NameTable, rule: NameSet) -> str:
    root = table.folder.parent
    place = "" if root == locales_folder() else f" --locales {shlex.quote(str(root))}"
    return f"Rebuild it: python scripts/names.py build {table.folder.name} {rule.key}{place}"
