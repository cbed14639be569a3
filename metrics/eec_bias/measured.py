"""The result of `measure`: the frame of terms, whatever further keys its rows carry."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from .kiritchenko import PairStudy
from .options import Layout
from .report import report as plain_report
from .result import Result, Row, flat_scalars
from .tables import flip_table, published_tables, terms_table

LEADING = ("system", "task", "stratum", "output")
"""Keys that may stand before those of every row, in this order."""


@dataclass(frozen=True, slots=True)
class Measured(Result):
    """A `Result` whose rows may say which system, task, stratum and output they are about.

    Attributes
    ----------
    flips : tuple of dict
        For class and ordinal outputs, how often the class changes with the person, see `class_flips.flip_rows`.
    study : PairStudy, optional
        With ``method="kiritchenko2018"``, the differences behind the rows.
    method : str
        The procedure.
    """

    flips: tuple[Row, ...] = ()
    study: PairStudy | None = None
    method: str = "default"

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types, see `Result.to_dict`.

        Flat scalars of a stratum or output stand behind its name: ``joy/race_effect``,
        ``rate[positive]/gender_p``. Published procedures add ``tables``.
        """
        # Not super(): a slotted dataclass is not the class that the function's cell remembers.
        content = Result.to_dict(self)
        if any(key in self.terms[0] for key in LEADING[1:]):
            for name in flat_scalars(self.terms):
                del content[name]
            content |= _scalars(self.terms)
        if self.flips:
            content["flips"] = [dict(row) for row in self.flips]
        if self.method != "default":
            content |= {"method": self.method, "tables": self.tables()}
        return content

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay the result out as tables.

        Parameters
        ----------
        layout : {"text", "csv", "latex"}
            The form.

        Returns
        -------
        dict of str to str
            ``terms`` (and ``flips``); with a published procedure the tables its paper prints, by term and subset.

        Raises
        ------
        OptionError
            If the procedure's tables need tasks that were not given.
        """
        if self.method != "default":
            return published_tables(self, self.study, layout)
        leading = [key for key in LEADING if key in self.terms[0]]
        found = {"terms": terms_table(self.terms, leading, layout)}
        return found | ({"flips": flip_table(self.flips, layout)} if self.flips else {})

    def __str__(self) -> str:
        return report(self)


def measured(result: Result, **further: Any) -> Measured:
    """Return a result with further fields."""
    if isinstance(result, Measured):
        return replace(result, **further)
    return Measured(**{field.name: getattr(result, field.name) for field in fields(Result)} | further)


def report(result: Any) -> str:
    """Lay a result out as text: per system, task, stratum and output a table and its reading, then what to know.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    """
    content = result if isinstance(result, Mapping) else result.to_dict()
    terms = content["terms"]
    if any(key in terms[0] for key in LEADING[1:]):
        parts = ("terms", "fits", "equivalence", "bootstrap", "variances")
        content = {**content, **{part: [titled(row) for row in content.get(part, ())] for part in parts}}
    text = plain_report(content)
    blocks = [
        *([flip_table(content["flips"], "text")] if content.get("flips") else []),
        *dict(content.get("tables") or {}).values(),
    ]
    if not blocks:
        return text
    head, _, signature = text.rpartition("\n\n")
    return "\n\n".join([head, *blocks, signature])


def titled(row: Mapping[str, Any]) -> Row:
    """Join a row's leading keys into its title, the key ``system``."""
    parts = [
        str(row[key]) if key in ("system", "output") else f"{key} {row[key]}"
        for key in LEADING
        if row.get(key) is not None
    ]
    return {**row, "system": ", ".join(parts)} if parts else dict(row)


def _scalars(terms: tuple[Row, ...]) -> dict[str, float | None]:
    """Flat scalars of a single system, by stratum and output."""
    if len({(row.get("system"), row.get("task")) for row in terms}) > 1:
        return {}
    groups: dict[str, list[Row]] = {}
    for row in terms:
        where = "/".join(str(row[key]) for key in LEADING[2:] if row.get(key) is not None)
        groups.setdefault(where, []).append(row)
    return {
        f"{where}/{name}" if where else name: value
        for where, rows in groups.items()
        for name, value in flat_scalars(tuple(rows)).items()
    }
