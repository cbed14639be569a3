"""The rating laid out as the tables of Lakkaraju et al. (2022)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.methods.layouts import align, as_csv, as_latex
from eec_bias.methods.rating_study import RatingStudy, by_keys, raw_score
from eec_bias.options import Layout, one_of
from eec_bias.result.frame import Row
from eec_bias.result.tables import LAYOUTS

Grid = list[list[str]]

_MINUS = re.compile(r"(?<=[( ])-(?=\d)")

SUPERSCRIPTS = ("", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹")

NOTES = {
    "ratings": "1 is best; overall is the average of the data groups, rounded (Tables 6, 7)",
    "absolute": "each system by itself: 1 where its score is 0, otherwise the highest level",
    "order": "systems by WRS (groups 1, 3) or largest DIE % (2, 4), and their ratings (Tables 2, 3)",
    "beside": "WRS with the weights asked for, and with the weights and critical values of the article's tables; pairs "
    "rejected at the highest confidence level; pairs rejected at .05 by the default test over names and items, which "
    "holds its level, of those with two persons in each group (alike: all persons and items differ by the same)",
    "t": "t; superscripts say from which confidence level on (1 the highest) the difference is rejected; H: only ε in "
    "the denominator; Blf: Black female, and so on (Tables 4, 11-15)",
    "do": "mean scores for (negative, positive) words before and after adjustment for the class, DIE %, and ATE by "
    "propensity matching; X: the denominator is 0 (Tables 5, 9, 10, 16)",
    "shares": "percentage of (positive, negative) words in each class (Table 8)",
}


def rating_tables(study: RatingStudy, layout: Layout = "text") -> dict[str, str]:
    """Lay a rating out as the article prints it.

    Parameters
    ----------
    study : RatingStudy
        ``result.study``.
    layout : {"text", "csv", "latex"}
        The form; CSV has one value per cell at full precision.

    Returns
    -------
    dict of str to str
        ``ratings``, ``absolute`` (several systems), ``order``, ``beside``, ``t 1``, ``t 3``, ``t 3_RG``, ``do 2``,
        ``do 4``, ``shares``: those for which there are data.

    Raises
    ------
    OptionError
        If the layout is unknown, or the result has no study.
    """
    one_of("layout", layout, LAYOUTS)
    if not isinstance(study, RatingStudy):
        raise OptionError("the result does not hold what its tables are made of; measure the scores again")
    grids = _grids(study, plain=layout == "csv")
    return {name: _lay_out(name, grid, layout) for name, grid in grids.items() if len(grid) > 1}


def _grids(study: RatingStudy, *, plain: bool) -> dict[str, Grid]:
    found = {"ratings": _ratings(study, "rating")}
    if len(study.systems) > 1:
        found["absolute"] = _ratings(study, "absolute")
    if plain:
        kinds: tuple[tuple[str, Sequence[Row]], ...] = (
            ("order", _sorted(study)), ("beside", study.ratings), ("t", study.tests), ("do", study.adjusted),
            ("ate", study.effects), ("shares", study.shares),
        )  # fmt: skip
        return found | {name: _flat(rows) for name, rows in kinds}
    found |= {"order": _order(study), "beside": _beside(study)}
    for name, groups in (("1", ("1",)), ("3", ("3_G", "3_R")), ("3_RG", ("3_RG",))):
        found[f"t {name}"] = _tests(study, groups)
    return found | {"do 2": _adjusted(study, "2"), "do 4": _adjusted(study, "4"), "shares": _shares(study)}


def _lay_out(name: str, grid: Grid, layout: Layout) -> str:
    note = NOTES.get(name.partition(" ")[0], "")
    if layout == "csv":
        return as_csv(grid)
    left = 2 if name.startswith(("t", "do", "beside", "shares")) else 1
    if layout == "latex":
        text = _MINUS.sub("$-$", as_latex(grid, left, note=note)).replace("ε", r"$\varepsilon$")
        for number, mark in enumerate(SUPERSCRIPTS[1:], start=1):
            text = text.replace(mark, f"$^{{{number}}}$")
        return text
    return f"{name}\n{align(grid, left)}\n{note}"


def _flat(rows: Sequence[Mapping[str, Any]]) -> Grid:
    return (
        [list(rows[0]), *(["" if value is None else value for value in row.values()] for row in rows)] if rows else []
    )


def _ratings(study: RatingStudy, key: str) -> Grid:
    columns = (*study.groups, "overall")
    cells = {(row["system"], row["group"]): str(row[key]) for row in study.ratings}
    return [
        ["system", *columns],
        *([system or "–", *(cells[system, group] for group in columns)] for system in study.systems),
    ]


def _sorted(study: RatingStudy) -> list[Row]:
    rows = []
    for group in study.groups:
        mine = sorted((row for row in study.ratings if row["group"] == group), key=raw_score)
        rows += [
            {"group": group, "place": place, "system": row["system"], "score": _score(row), "rating": row["rating"]}
            for place, row in enumerate(mine, start=1)
        ]
    return rows


def _order(study: RatingStudy) -> Grid:
    lines = [["group", "partial order", "complete order"]]
    rows = _sorted(study)
    for group in study.groups:
        mine = [row for row in rows if row["group"] == group]
        lines.append([group, *(_braces(mine, key) for key in ("score", "rating"))])
    return lines


def _braces(rows: Sequence[Row], key: str) -> str:
    return "{" + ", ".join(f"{row['system'] or '–'}: {row[key]}" for row in rows) + "}"


def _score(row: Mapping[str, Any]) -> str:
    if row["wrs"] is not None:
        return f"{row['wrs']:g}"
    finite = "" if row["finite"] is None else f"{row['finite']:.2f}"
    return f"{{X, {finite}}}" if row["x"] and finite else "X" if row["x"] else f"{row['die']:.4g}"


def _beside(study: RatingStudy) -> Grid:
    lines = [["system", "group", "WRS", "WRS as in the tables", "rejected", "default test"]]
    for row in study.ratings:
        if row["wrs"] is not None:
            tables = "–" if row["wrs_tables"] is None else f"{row['wrs_tables']:g}"
            alike = f" and {row['alike']} alike" if row["alike"] else ""
            default = f"{row['controlled']}{alike} of {row['testable']}" if row["testable"] else "–"
            lines.append(
                [row["system"] or "–", row["group"], f"{row['wrs']:g}", tables,
                 f"{row['rejected']} of {row['pairs']}", default]
            )  # fmt: skip
    return lines


def _tests(study: RatingStudy, groups: Sequence[str]) -> Grid:
    rows = [row for row in study.tests if row["group"] in groups]
    columns = list(dict.fromkeys((row["group"], row["level"], row["reference"]) for row in rows))
    cells = {(row["system"], row["set"], row["group"], row["level"], row["reference"]): row for row in rows}
    head = ["system", "words", *(f"{_short(level)}–{_short(reference)}" for _, level, reference in columns)]
    return [head, *_lines(study, rows, lambda system, label: [_t(cells[system, label, *key]) for key in columns])]


def _short(label: str) -> str:
    """Composite classes by two letters of the race and one of the gender: *Blf*."""
    race, blank, gender = label.partition(" ")
    return f"{race[:2]}{gender[:1]}" if blank else label


def _lines(study: RatingStudy, rows: Sequence[Row], cells: Callable[[str, str], list[str]]) -> Grid:
    """One line per system and set of words; the system is named once."""
    labels = list(dict.fromkeys(row["set"] for row in rows))
    return [
        [(system or "–") if label == labels[0] else "", label, *cells(system, label)]
        for system in study.systems
        for label in labels
    ]


def _t(row: Row) -> str:
    number = "H" if row["high"] else "0" if row["t"] == 0 else f"{abs(row['t']):.2f}"
    return number + SUPERSCRIPTS[min(row["mark"], len(SUPERSCRIPTS) - 1)]


def _adjusted(study: RatingStudy, group: str) -> Grid:
    rows = [row for row in study.adjusted if row["group"] == group]
    ends = by_keys(rows, "system", "set")
    effects = {(row["system"], row["set"]): row["ate"] for row in study.effects if row["group"] == group}

    def cells(system: str, label: str) -> list[str]:
        both = ends[system, label]
        worst = "X" if any(row["x"] for row in both) else f"{max(row['die'] for row in both):.2f}"
        return [
            _both([f"{row['observed']:.2f}" for row in both]),
            _both([f"{row['do']:.2f}" for row in both]),
            _both(["X" if row["x"] else f"{row['die']:.2f}" for row in both]),
            worst,
            f"{effects[system, label]:.2f}",
        ]

    head = ["system", "words", "E[S | word]", "E[S | do(word)]", "DIE %", "MAX(DIE %)", "ATE"]
    return [head, *_lines(study, rows, cells)]


def _both(values: Sequence[str]) -> str:
    return f"({', '.join('0.00' if value == '-0.00' else value for value in values)})"


def _shares(study: RatingStudy) -> Grid:
    lines = [["group", "words", "case", "class", "words (+, −)"]]
    lines += [
        [row["group"], row["set"], row["case"], row["class"], f"({row['positive']:g}, {100 - row['positive']:g})"]
        for row in study.shares
    ]
    return lines
