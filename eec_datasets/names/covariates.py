"""Covariates of the names in a config, besides their group: evidence, frequency, age, length, tokens."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import Place, Problems
from eec_datasets.locale.csv_file import Row
from eec_datasets.locale.model import UNMARKED
from eec_datasets.locale.name_table import NameSet, NameTable, id_of
from eec_datasets.locale.names import RULES_FILE, TABLE_FILE, WEAK
from eec_datasets.names.choosing import is_attested
from eec_datasets.names.summary import USER_TOKENS, balance, doubts, finite, formatted
from eec_datasets.terminal import lay_out

if TYPE_CHECKING:
    from eec_datasets.corpora import Config

Labels = tuple[str, ...]
Saved = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tokens:
    """A tokeniser of the user's: its name, and what counts the tokens of a name."""

    name: str
    count: Callable[[str], int]


def covariates_of(
    config: Config, columns: Mapping[str, Sequence[str]], axes: Sequence[str], tokens: Tokens | None = None
) -> Saved | None:
    """Return what is known of the names of a config, or of part of one, as results save it.

    Parameters
    ----------
    columns, axes : its rows, and its identity axes.
    tokens : a tokeniser by which they are counted too.

    Returns
    -------
    dict or None
        ``how`` the names were chosen (``match``, ``typical``, ``like`` those of another language, else ``listed``);
        ``cells``, each with its ``labels``, how many ``names`` and how many of them are ``attested`` (null where no
        rule chose them); ``features``, each with ``means`` by cell (null where one name lacks it; of what is ``log``
        the geometric mean), how far they are ``apart`` in standard deviations within cells, and whether they are
        ``matched`` as the rule asks; ``weak`` signals, each with its ``doubts``. None where no two cells have two names
        each.
    """
    names = _names(columns, axes)
    if len(names) < 2 or min(map(len, names.values())) < 2:
        return None
    table = config.locale.names
    rule = next((table.sets[key] for key in config.spec.sets if key in table.sets), None) if table else None
    rows_by_name = _rows_by_name(table, rule)
    rows = {labels: [_row(rows_by_name, labels, *each) for each in cell.items()] for labels, cell in names.items()}
    return {
        "how": next((way for way in ("match", "typical", "like") if rule and getattr(rule, way)), "listed"),
        "cells": [
            {
                "labels": _without_unmarked(axes, labels),
                "names": len(cell),
                "attested": sum(is_attested(table, row) for row in cell) if table and rule else None,
            }
            for labels, cell in rows.items()
        ],
        "features": list(_features(rule or _all_features(table), rows, table, tokens)),
        "weak": list(_weak(config, axes, names, table)),
    }


def signals_of(config: Config, columns: Mapping[str, Sequence[str]]) -> list[str] | None:
    """Return how strongly the person of each row signals its race, by the source that its set of names chose.

    The probability of the group given the name, as text; ``none`` for a name of which it is not known, and for what is
    no name. None where no set of the config says which source it is.
    """
    table = config.locale.names
    rules = [table.sets[key] for key in config.spec.sets if key in table.sets] if table else []
    rule = next((rule for rule in rules if rule.signal), None)
    if rule is None:
        return None
    rows = _rows_by_name(table, rule)
    group_of = dict(rule.groups)
    found = []
    names = zip(*(columns[key] for key in ("person_type", "person", "gender", "race")), strict=True)
    for kind, person, gender, race in names:
        row = rows.get((person, gender)) if kind == "name" else None
        is_of_group = row is not None and row["group"] == group_of.get(race)
        found.append((row[rule.signal] if row is not None and is_of_group else "") or NO_SIGNAL)
    return found


NO_SIGNAL = "none"
"""Text in the column of signals if there is no signal."""


def _names(rows: Mapping[str, Sequence[str]], axes: Sequence[str]) -> dict[Labels, dict[str, str]]:
    """Names by cell: id → form."""
    cells: dict[Labels, dict[str, str]] = {}
    columns = [rows[key] for key in ("person_type", "person", "person_form", *axes)]
    for kind, person, form, *labels in zip(*columns, strict=True):
        if kind == "name":
            cells.setdefault(tuple(labels), {})[person] = form
    return cells


def _without_unmarked(axes: Sequence[str], labels: Labels) -> dict[str, str]:
    labelled = zip(axes, labels, strict=True)
    return {axis: label for axis, label in labelled if label != UNMARKED}


def _all_features(table: NameTable | None) -> NameSet:
    """Stand in for a rule: shown is all that the sets of the language look at."""
    features = [each for rule in table.sets.values() for each in (*rule.match, *rule.show)] if table else []
    listed = tuple(dict.fromkeys([*features, "letters"]))
    return NameSet("", Place(RULES_FILE, 1), within=0.0, show=listed)


def _rows_by_name(table: NameTable | None, rule: NameSet | None) -> dict[Labels, Row]:
    """Rows of names by id and gender, of a set where there is one; what is known of a name is so in any group."""
    rows = table.file.rows if table else ()
    return {(id_of(row), row["gender"]): row for row in rows if rule is None or rule.key in row["sets"].split()}


def _row(rows_by_name: Mapping[Labels, Row], labels: Labels, name: str, form: str) -> Row:
    """Return what is known of a name, as it is written in the corpus."""
    row = next((rows_by_name[name, label] for label in labels if (name, label) in rows_by_name), None)
    return Row({**(row or {}), "name": form}.items(), Place(TABLE_FILE, 1), Problems())


def _features(
    rule: NameSet, rows: Mapping[Labels, list[Row]], table: NameTable | None, tokens: Tokens | None
) -> Iterator[Saved]:
    sources = table.sources.values() if table else ()
    about = {f"{each.key}.{field}": f"{each.title}: {what}" for each in sources for field, what in each.fields.items()}
    for balanced in balance(rule, rows, tokens.count if tokens else None):
        column = balanced.feature.removeprefix("log ")
        log = column != balanced.feature
        means = [math.exp(mean) if log else mean for mean in balanced.means.values()]
        if not all(map(math.isnan, means)):
            yield {
                "feature": column,
                "about": tokens.name if tokens and column == USER_TOKENS else about.get(column, ""),
                "log": log,
                "means": [{"mean": finite(mean)} for mean in means],
                "apart": finite(balanced.apart),
                "matched": balanced.matched and balanced.apart <= rule.within,
            }


def _weak(
    config: Config, axes: Sequence[str], names: Mapping[Labels, dict[str, str]], table: NameTable | None
) -> Iterator[Saved]:
    """Names flagged in the data, with what sources say against them."""
    flagged = {each.id for each in config.persons if WEAK in each.flags}
    for labels, cell in names.items():
        marked = _without_unmarked(axes, labels)
        for name in sorted(flagged & set(cell)):
            gender = marked.get("gender", "")
            by_label = [doubts(table, (name, gender), label) for label in marked.values()] if table else []
            all_doubts = [asdict(doubt) for some in by_label for doubt in some]
            yield {"form": cell[name], "labels": marked, "doubts": all_doubts}


def covariates_text(saved: Saved) -> str:
    """The means of names by group, for the terminal."""
    cells = [" ".join(cell["labels"].values()) for cell in saved["cells"]]
    rows = [["names", *(str(cell["names"]) for cell in saved["cells"]), ""]]
    for feature in saved["features"]:
        title = f"{'geometric ' if feature['log'] else ''}mean {feature['feature']}"
        numbers = [*(each["mean"] for each in feature["means"]), feature["apart"]]
        rows.append([title, *map(formatted, numbers)])
    return lay_out(("", *cells, "apart (sd)"), rows, right=range(1, len(cells) + 2))
