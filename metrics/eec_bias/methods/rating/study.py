"""Data of a rating beyond its rows, and the tables of Lakkaraju et al. (2022)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from eec_bias.methods.published import WORDS
from eec_bias.methods.rating.ratings import raw_score
from eec_bias.options import Layout
from eec_bias.result.frame import Row, plain
from eec_bias.result.numbers import decimals
from eec_bias.result.parts import by_keys
from eec_bias.result.tables import SUPERSCRIPTS, lay_out

if TYPE_CHECKING:
    import pandas as pd

T_TABLES = {"1": ("1",), "3": ("3_G", "3_R"), "3_RG": ("3_RG",)}
"""Data groups side by side in the tables of t."""

LEFT_TWO = ("t", "do", "beside", "resamples", "shares")
"""Tables whose first two columns are words."""

_MINUS = re.compile(r"(?<=[( ])-(?=\d)")


@dataclass(frozen=True, slots=True)
class RatingStudy:
    """The rating of systems, as rows of plain values.

    Attributes
    ----------
    systems : tuple of str
        Their names; ``""`` for one unnamed.
    levels : int
        Rating levels L.
    weights : dict of float to float
        By confidence level.
    tests : tuple of dict
        Per data group, set, pair and system: ``system, group, set, attribute, level, reference, mean, other, effect,
        se, t, df, p, high, alike, mark, mark_tables, p_names_only, p_names_items, persons, items, sentences``. ``mark``
        counts from 1 (rejected at every confidence level) to their number (at the lowest only), 0 where none rejects;
        ``high`` where only ε stands in the denominator; ``alike`` where persons and items differ by the same, so that
        the default test has a difference and no standard error.
    adjusted : tuple of dict
        Per data group, set, kind of word and system: ``system, group, set, words, observed, do, die, x``; ``die`` is
        null and ``x`` true where the denominator is 0.
    effects : tuple of dict
        Per data group, set and system: ``system, group, set, ate``.
    shares : tuple of dict
        ``group, set, case, class, positive``: percentage of sentences with positive words.
    ratings : tuple of dict
        Per system and data group ``system, group, wrs, wrs_tables, die, x, finite, rejected, pairs, controlled,
        alike, testable, rating, absolute, low, high, unranked``, null where it does not apply, and one row
        ``overall`` per system. ``low`` and ``high`` hold the middle 95 % of the WRS, or of the largest DIE % (null:
        X), in resamples of persons and items; ``unranked`` names the systems that are rated otherwise although fewer
        than 95 % of the resamples have them in the same order.
        ``finite`` is the largest DIE % but for X. The rule rejects ``rejected`` of ``pairs`` at the highest confidence
        level; the test over names and items rejects ``controlled`` of ``testable`` pairs at .05, and
        ``alike`` more have a difference without spread.
    """

    systems: tuple[str, ...]
    levels: int
    weights: dict[float, float]
    tests: tuple[Row, ...]
    adjusted: tuple[Row, ...]
    effects: tuple[Row, ...]
    shares: tuple[Row, ...]
    ratings: tuple[Row, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON types."""
        content = {field.name: plain(getattr(self, field.name)) for field in fields(self)}
        return content | {"weights": {f"{level:g}": weight for level, weight in self.weights.items()}}

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay the rating out as the article prints it; CSV has one value per cell at full precision.

        Returns
        -------
        dict of str to str
            ``ratings``, ``absolute`` (several systems), ``order``, ``beside``, ``resamples``, ``t 1``, ``t 3``,
            ``t 3_RG``, ``do 2``, ``do 4``, ``shares``: those for which there are data. A rating with ``?`` cannot be
            ordered with another one, which the table ``resamples`` names.
        """
        import pandas as pd

        frames = {"ratings": _ratings(self, "rating", marked=layout != "csv")}
        if len(self.systems) > 1:
            frames["absolute"] = _ratings(self, "absolute", marked=False)
        if layout == "csv":
            kinds = {
                "order": _sorted(self), "beside": self.ratings, "t": self.tests, "do": self.adjusted,
                "ate": self.effects, "shares": self.shares,
            }  # fmt: skip
            frames |= {name: pd.DataFrame(list(rows), dtype=object) for name, rows in kinds.items() if rows}
            return {name: lay_out(frame, layout) for name, frame in frames.items()}
        frames |= {"order": _order(self), "beside": _beside(self), "resamples": _impacts(self)}
        frames |= {f"t {name}": _tests(self, groups) for name, groups in T_TABLES.items()}
        frames |= {"do 2": _adjusted(self, "2"), "do 4": _adjusted(self, "4"), "shares": _shares(self)}
        return {name: _lay_out(name, frame, layout) for name, frame in frames.items() if len(frame)}


def _lay_out(name: str, frame: "pd.DataFrame", layout: Layout) -> str:
    kind = name.partition(" ")[0]
    text = lay_out(frame, layout, left=2 if kind in LEFT_TWO else 1, note=WORDS["rating"]["tables"][kind])
    return f"{name}\n{text}" if layout == "text" else _MINUS.sub("$-$", text).replace("ε", r"$\varepsilon$")


def _wide(cells: Mapping[Any, str], *names: str) -> "pd.DataFrame":
    """Lay cells out in lines by all of their keys but the last, which is their column; a system is named once."""
    import pandas as pd

    if not cells:
        return pd.DataFrame()
    frame = pd.Series(cells).rename_axis([*names, "column"]).unstack(sort=False).reset_index()
    return frame.assign(system=frame["system"].mask(frame["system"].duplicated(), ""))


def _ratings(study: RatingStudy, key: str, *, marked: bool) -> "pd.DataFrame":
    """Lay ratings out by system and data group, those that cannot be ordered with another one marked by ``?``."""
    cells = {}
    for row in study.ratings:
        shown = str(row[key])
        if marked and row["unranked"]:
            shown += "?"
        cells[row["system"] or "–", row["group"]] = shown
    return _wide(cells, "system")


def _impacts(study: RatingStudy) -> "pd.DataFrame":
    """Lay out WRS or largest DIE % of every system with its interval, and whom it cannot be ordered with."""
    import pandas as pd

    lines = []
    for row in study.ratings:
        if row["group"] == "overall":
            continue
        ends = ["X" if end is None else f"{end:.4g}" for end in (row["low"], row["high"])]
        lines.append(
            {
                "system": row["system"] or "–",
                "group": row["group"],
                "WRS or DIE %": _score(row),
                "95 % of resamples": f"{ends[0]} to {ends[1]}",
                "not ordered with": ", ".join(row["unranked"]) or "–",
            }
        )
    return pd.DataFrame(lines)


def _sorted(study: RatingStudy) -> list[Row]:
    return [
        {"group": group, "place": place, "system": row["system"], "score": _score(row), "rating": row["rating"]}
        for (group,), mine in by_keys(study.ratings, "group").items()
        if group != "overall"
        for place, row in enumerate(sorted(mine, key=raw_score), start=1)
    ]


def _score(row: Row) -> str:
    if row["wrs"] is not None:
        return f"{row['wrs']:g}"
    if not row["x"]:
        return f"{row['die']:.4g}"
    if row["finite"] is None:
        return "X"
    return f"{{X, {row['finite']:.2f}}}"


def _order(study: RatingStudy) -> "pd.DataFrame":
    """The order of systems, groups in braces, as in Tables 2 and 3."""
    import pandas as pd

    def braced(rows: Sequence[Row], key: str) -> str:
        return "{" + ", ".join(f"{row['system'] or '–'}: {row[key]}" for row in rows) + "}"

    return pd.DataFrame(
        {"group": group, "partial order": braced(mine, "score"), "complete order": braced(mine, "rating")}
        for (group,), mine in by_keys(_sorted(study), "group").items()
    )


def _beside(study: RatingStudy) -> "pd.DataFrame":
    import pandas as pd

    def alike(row: Row) -> str:
        return f" and {row['alike']} alike" if row["alike"] else ""

    return pd.DataFrame(
        {
            "system": row["system"] or "–",
            "group": row["group"],
            "WRS": f"{row['wrs']:g}",
            "WRS as in the tables": "–" if row["wrs_tables"] is None else f"{row['wrs_tables']:g}",
            "rejected": f"{row['rejected']} of {row['pairs']}",
            "default test": f"{row['controlled']}{alike(row)} of {row['testable']}" if row["testable"] else "–",
        }
        for row in study.ratings
        if row["wrs"] is not None
    )


def _tests(study: RatingStudy, groups: Sequence[str]) -> "pd.DataFrame":
    cells = {}
    for row in _by_system(study, study.tests, groups):
        number = f"{abs(row['t']):.2f}"
        if row["high"]:
            number = "H"
        elif row["t"] == 0:
            number = "0"
        mark = ("", *SUPERSCRIPTS)[min(row["mark"], len(SUPERSCRIPTS))]
        cells[row["system"] or "–", row["set"], f"{_short(row['level'])}–{_short(row['reference'])}"] = number + mark
    return _wide(cells, "system", "words")


def _by_system(study: RatingStudy, rows: Sequence[Row], groups: Sequence[str]) -> list[Row]:
    return sorted((r for r in rows if r["group"] in groups), key=lambda row: study.systems.index(row["system"]))


def _short(label: str) -> str:
    """Composite classes by two letters of the race and one of the gender: *Blf*."""
    race, blank, gender = label.partition(" ")
    return f"{race[:2]}{gender[:1]}" if blank else label


def _adjusted(study: RatingStudy, group: str) -> "pd.DataFrame":
    effects, cells = by_keys(study.effects, "system", "group", "set"), dict[tuple[str, str, str], str]()
    for (system, label), both in by_keys(_by_system(study, study.adjusted, group), "system", "set").items():
        die = ["X" if row["x"] else f"{row['die']:.2f}" for row in both]
        texts = {
            "E[S | word]": f"({', '.join(decimals(row['observed'], 2) for row in both)})",
            "E[S | do(word)]": f"({', '.join(decimals(row['do'], 2) for row in both)})",
            "DIE %": f"({', '.join(die)})",
            "MAX(DIE %)": "X" if "X" in die else f"{max(row['die'] for row in both):.2f}",
            "ATE": decimals(effects[system, group, label][0]["ate"], 2),
        }
        cells |= {(system or "–", label, head): text for head, text in texts.items()}
    return _wide(cells, "system", "words")


def _shares(study: RatingStudy) -> "pd.DataFrame":
    import pandas as pd

    columns = {"group": "group", "words": "set", "case": "case", "class": "class"}
    return pd.DataFrame(
        {name: row[key] for name, key in columns.items()}
        | {"words (+, −)": f"({row['positive']:g}, {100 - row['positive']:g})"}
        for row in study.shares
    )
