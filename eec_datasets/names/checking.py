"""Where the sets of a table and their rules disagree."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets.errors import Problems
from eec_datasets.names.candidates import cells_in, refusals, rule_of, word_lists
from eec_datasets.names.choosing import members_like
from eec_datasets.names.summary import balance

if TYPE_CHECKING:
    from eec_datasets.errors import Problem
    from eec_datasets.locale.names import NameSet, NameTable


def faults(table: NameTable, root: Path | None = None) -> list[Problem]:
    """Names that a rule refuses, cells of another size, and features that are further apart than a rule lets them."""
    problems = Problems()
    lists = word_lists(table)
    for key in table.sets:
        rule = rule_of(table, key)
        if rule.like:
            members_like(table, rule, root)
        else:
            _refused(table, rule, refusals(table, rule, lists), problems)
        _uneven(table, rule, problems)
    return problems.found


def _refused(table: NameTable, rule: NameSet, reasons: dict[int, list[str]], problems: Problems) -> None:
    for row in (row for rows in cells_in(table, rule).values() for row in rows):
        for reason in reasons.get(row.place.line, ()):
            problems.add(row.place, f"'{row['name']}' is in {rule.key}: {reason}", _mend(table, rule))


def _uneven(table: NameTable, rule: NameSet, problems: Problems) -> None:
    cells = cells_in(table, rule)
    sizes = {cell: len(rows) for cell, rows in cells.items() if len(rows) != rule.size}
    for cell, count in sizes.items():
        message = f"{' '.join(cell)} of {rule.key} has {count} names, and the rule asks for {rule.size}"
        problems.add(rule.place, message, _mend(table, rule))
    for balanced in [] if sizes else balance(rule, cells):
        if balanced.matched and not balanced.apart <= rule.within:
            apart = "not known to be even" if math.isnan(balanced.apart) else f"{balanced.apart:.3f} sd apart"
            message = f"the cells of {rule.key} are {apart} in {balanced.feature}"
            problems.add(rule.place, f"{message}, and the rule asks for {rule.within:g}", _mend(table, rule))


def _mend(table: NameTable, rule: NameSet) -> str:
    return f"Rebuild it: eec names build {table.folder.name} {rule.key}"
