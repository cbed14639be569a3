"""Parts of a result: the rows of one system, task, stratum, output and subset."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from eec_bias.errors import OptionError
from eec_bias.grouping import grouped
from eec_bias.result.term import LEADING

WHERE = (*LEADING, "subset")
"""Keys by which a part of a result is chosen."""


class _Row(Protocol):
    def get(self, key: str, /) -> Any: ...


T = TypeVar("T", bound=_Row)


def pick(rows: Sequence[T], where: Mapping[str, Any], kind: str) -> list[T]:
    """Choose rows by system, task, stratum, output and subset.

    Parameters
    ----------
    rows : sequence of dict or Judged
        Of the result.
    where : mapping
        Wanted values by key; None chooses nothing.
    kind : str
        What the rows are, for messages.

    Raises
    ------
    OptionError
        If a key is not one of `WHERE`, or no row has the value wanted.
    """
    for key, value in where.items():
        if key not in WHERE:
            raise OptionError(f"{key} {value!r} chooses nothing; a part is chosen by {', '.join(WHERE)}")
        if value is not None:
            values = values_of(rows, key)
            if str(value) not in values:
                available = listed(values) or f"no {key}"
                raise OptionError(f"{key} {value!r} has no {kind} in the result; it has {available}")
            rows = [row for row in rows if str(row.get(key)) == str(value)]
    return list(rows)


def values_of(rows: Iterable[_Row], key: str) -> list[str]:
    """Values that rows have under a key, in their order."""
    return list(dict.fromkeys(str(row.get(key)) for row in rows if row.get(key) is not None))


def listed(values: Sequence[str], most: int = 8, between: str = ", ") -> str:
    """Values side by side; of many, the first ones and the number of the rest."""
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return between.join(values[:most]) + more


def by_keys(rows: Sequence[T], *keys: str) -> dict[tuple[Any, ...], list[T]]:
    """Sort rows into lists by the values of some keys, in the order in which these first occur."""
    return grouped((tuple(row.get(key) for key in keys), row) for row in rows)
