"""Summary of a set of names: who stands for a group by what evidence, and how even its cells are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eec_bias.shared import grouped
from eec_datasets.locale.names import flags_of
from eec_datasets.locale.reading import families_of
from eec_datasets.names.choosing import features_of, is_attested
from eec_datasets.names.evenness import means_of, spread
from eec_datasets.names.program import effective
from eec_datasets.terminal import DASH, lay_out

if TYPE_CHECKING:
    from eec_datasets.locale.csv_file import Row
    from eec_datasets.locale.name_table import NameSet, NameTable
    from eec_datasets.names.candidates import Cell

    Cells = Mapping[Cell, Sequence[Row]]
    Counter = Callable[[str], int]
    """A name → how many tokens it has."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The balance between the cells of a set in one feature.

    Attributes
    ----------
    means : cell → mean; NaN where the feature is not known of every name of the cell.
    apart : largest difference of cell means in pooled standard deviations; NaN where a cell does not know it.
    matched : whether the rule matches the cells on it.
    """

    feature: str
    means: Mapping[Cell, float]
    apart: float
    matched: bool


def balance(rule: NameSet, cells: Cells, count: Counter | None = None) -> list[Balance]:
    """The evenness of a set in every feature that its rule matches or shows, and in the tokens of another tokeniser."""
    import numpy as np

    features = [*rule.match, *rule.show]
    values = [features_of(rows, features) for rows in cells.values()]
    if count:
        tokens = [np.array([[count(row["name"])] for row in rows], dtype=float) for rows in cells.values()]
        values = [np.hstack(both) for both in zip(values, tokens, strict=True)]
        features.append(USER_TOKENS)
    apart = spread(values)
    by_cell = [means_of(array).tolist() for array in values]
    means = [dict(zip(cells, column, strict=True)) for column in zip(*by_cell, strict=True)]
    rows = zip(features, means, apart, strict=True)
    return [Balance(feature, mean, float(value), feature in rule.match) for feature, mean, value in rows]


@dataclass(frozen=True, slots=True)
class Alike:
    """The names of a cell by the letters that they share: beginning → names, ending → names."""

    families: Mapping[str, Sequence[str]]
    endings: Mapping[str, Sequence[str]]


def alike(table: NameTable, cells: Cells) -> dict[Cell, Alike]:
    """For each cell, which of its names begin or end alike by the rule of the language."""
    letters = families_of(table.folder)
    return {
        cell: Alike(
            families=grouped((letters.family(row["name"]), row["name"]) for row in rows),
            endings=grouped((letters.ending(row["name"]), row["name"]) for row in rows),
        )
        for cell, rows in cells.items()
    }


def effective_counts(table: NameTable, cells: Cells) -> dict[Cell, dict[str, float]]:
    """For each cell, how many families and how many endings its names amount to."""
    return {
        cell: {
            "families": effective(letters for letters, names in shared.families.items() for _ in names),
            "endings": effective(letters for letters, names in shared.endings.items() for _ in names),
        }
        for cell, shared in alike(table, cells).items()
    }


USER_TOKENS = "your tokens"
"""Name of the feature that a tokeniser of the user's gives."""

HALF = 0.5
"""A name whose group a source gives a smaller probability is a weak signal of it."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A source's doubt about a name: the probability it gives the group; of a name that it lists under another
    group alone this is at most what that group leaves."""

    source: str
    probability: float
    at_most: bool


def doubts(table: NameTable, name: tuple[str, str], label: str) -> list[Doubt]:
    """The sources that give a group of the corpora a probability below `HALF` for a name.

    Parameters
    ----------
    name : its id and gender.
    label : the group as the sets call it, such as Latino; of one that no set has, nothing is known.
    """
    groups = {each: group for rule in table.sets.values() for each, group in rule.groups.items()}
    rivals = _rivals(table, groups[label]) if label in groups else set()
    rows = [row for row in table.rows_of.get(name, []) if row["group"] in rivals]
    by_source: dict[str, Doubt] = {}
    for row in sorted(rows, key=lambda row: row["group"] == groups.get(label)) if label in groups else ():
        same_group = row["group"] == groups[label]
        for source in table.sources_of(row):
            if source.evidence and (share := row[f"{source.key}.share"]):
                rest = by_source[source.title].probability if source.title in by_source else 1.0
                probability = float(share) if same_group else rest - float(share)
                by_source[source.title] = Doubt(source.title, probability, not same_group)
    return [doubt for doubt in by_source.values() if doubt.probability < HALF]


def _rivals(table: NameTable, group: str) -> set[str]:
    """A group of the table, and those that some set has beside it: what is said of others is nothing against it."""
    beside = [set(rule.groups.values()) for rule in table.sets.values() if group in rule.groups.values()]
    return set().union(*beside)


def evidence_counts(table: NameTable, cells: Cells) -> dict[Cell, dict[str, int]]:
    """For each cell: names, those attested by people or a list, those that models alone give, and other flags."""
    flags = sorted({flag for rows in cells.values() for row in rows for flag in flags_of(row, table)})
    return {
        cell: {
            "names": len(rows),
            "attested": sum(is_attested(table, row) for row in rows),
            **{flag: sum(flag in flags_of(row, table) for row in rows) for flag in flags},
        }
        for cell, rows in cells.items()
    }


def finite(value: float) -> float | None:
    """A number for JSON: None where it is not known, or beyond all bounds."""
    return value if math.isfinite(value) else None


def set_text(table: NameTable, rule: NameSet, cells: Cells) -> str:
    """A set for the terminal: evidence per cell, then means per cell and how far they are apart."""
    counts = evidence_counts(table, cells)
    shared = effective_counts(table, cells)
    names = list(next(iter(counts.values())))
    lines = [
        [" ".join(cell), *(f"{count:.0f}" for count in shared[cell].values()), *map(str, row.values())]
        for cell, row in counts.items()
    ]
    headers = ("cell", "families", "endings", *names)
    evidence = lay_out(headers, lines, right=range(1, len(headers)))
    rows = [
        [row.feature, *map(formatted, row.means.values()), formatted(row.apart), _verdict(rule, row)]
        for row in balance(rule, cells)
    ]
    headers = ("mean of", *(" ".join(cell) for cell in cells), "apart (sd)", "")
    even = lay_out(headers, rows, right=range(1, len(cells) + 2))
    size, attested = (sum(row[key] for row in counts.values()) for key in ("names", "attested"))
    unknown = sum(not table.evidence(row) for rows in cells.values() for row in rows)
    others = f"{size - attested - unknown} by a model alone" + (f", {unknown} by no source" if unknown else "")
    note = (
        f"{attested} of {size} names are attested for their group by people or a list, {others}. A mean is left out "
        "where a name of the cell has no number. sd: standard deviation within cells, pooled. "
        "families, endings: as how many of equal size those of the names count, as names that begin or end alike score "
        "alike."
    )
    return f"{evidence}\n\n{even}\n\n{note}"


def _verdict(rule: NameSet, balanced: Balance) -> str:
    if math.isnan(balanced.apart):
        return "not comparable"
    if not balanced.matched:
        return "not matched on this" if balanced.apart > rule.within else "even, though not matched on this"
    return f"matched to {rule.within:g}" if balanced.apart <= rule.within else f"NOT within {rule.within:g}"


def formatted(value: float | None) -> str:
    """A number for the terminal, a dash where it is not known."""
    if value is None or math.isnan(value):
        return DASH
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"


def credits_of(table: NameTable) -> list[str]:
    """The sources that the table has columns of, each with publisher and licence."""
    used = {column.split(".")[0] for column in table.columns}
    sources = [source for key, source in table.sources.items() if key in used]
    return [f"{each.key}: {each.title}. {each.publisher}. Licence: {each.licence}." for each in sources]


def name_text(table: NameTable, rows: Sequence[Row], refused: Mapping[str, Mapping[int, Sequence[str]]]) -> str:
    """Return what is known of a name, source by source, and in which sets it is or why not.

    Parameters
    ----------
    rows : the rows of the table that hold the name.
    refused : set → line → reasons, for the sets whose rule refuses names.
    """
    texts = []
    for row in rows:
        lines = [f"{row['name']}: {row['group']} {row['gender']}, in {', '.join(row['sets'].split()) or 'no set'}"]
        for source in table.sources_of(row):
            kind = f" [{source.evidence}]" if source.evidence else ""
            lines += [
                f"  {source.title}{kind}: {row[f'{source.key}.{field}']} {meaning}"
                for field, meaning in source.fields.items()
                if row[f"{source.key}.{field}"]
            ]
        flags = flags_of(row, table)
        lines += [f"  flags: {', '.join(flags)}"] if flags else []
        lines += [f"  note: {row['note']}"] if row["note"] else []
        for key, rule in table.sets.items():
            if key not in row["sets"].split() and row["group"] in rule.groups.values():
                other = f"it has the people of {rule.like}" if rule.like else "it may be, and others were chosen"
                lines += [f"  not in {key}: {reason}" for reason in refused.get(key, {}).get(row.place.line, [other])]
        texts.append("\n".join(lines))
    return "\n\n".join(texts)
