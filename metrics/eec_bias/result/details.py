"""Details behind the rows of a result: every person's mean score, every item's and every pair's difference."""

import math
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from eec_bias.errors import ResultError
from eec_bias.options import Floats
from eec_bias.result.frame import Row, plain
from eec_bias.result.plain import check_list, check_object, check_text, check_texts


@dataclass(frozen=True, slots=True)
class Detail:
    """The means of one table of one stratum and output, for S systems, P persons, J items and R contrasts.

    Attributes
    ----------
    where : dict
        ``stratum`` and ``output``, where there are such.
    systems : tuple of dict, length S
        ``system`` and ``task`` of each, where they are named.
    subset : str
        ``names``, ``pairs``, ``phrases`` or ``mentions``.
    axes : tuple of str
        The axes crossed in the table.
    persons : dict of str to tuple of str, length P
        Columns: ``person``, ``form`` where the data have it, one label per axis, ``base`` on pairs.
    person_means : (S, P) array
        Mean score of each person.
    items : dict of str to tuple of str, length J
        Columns: ``item``; ``emotion`` and ``template`` where the data have them; ``valence``, 1 or −1 of a positive or
        negative emotion; and ``agreement``, ``agrees`` if the word has another form for another group.
    contrasts : tuple of dict, length R
        ``term``, ``level`` and ``reference`` of each.
    item_effects, item_means : (S, R, J) arrays
        Each contrast on each item, and the mean of the groups that it compares, in the units of the scores.
    bases : tuple of tuple of str, length R
        On pairs, the rows of the corpus each contrast rests on (``mother_father``); else empty.
    base_effects : tuple of (S, U) arrays
        Each contrast within each of its U bases.
    """

    where: Row
    systems: tuple[Row, ...]
    subset: str
    axes: tuple[str, ...]
    persons: dict[str, tuple[str, ...]]
    person_means: Floats
    items: dict[str, tuple[str, ...]]
    contrasts: tuple[Row, ...]
    item_effects: Floats
    item_means: Floats
    bases: tuple[tuple[str, ...], ...] = ()
    base_effects: tuple[Floats, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types, numbers in columns: one list per system."""
        return self.where | {field.name: plain(getattr(self, field.name)) for field in fields(self)[1:]}

    @classmethod
    def from_dict(cls, content: Any, path: str) -> Self:
        """Read what `to_dict` wrote.

        Parameters
        ----------
        content : mapping
            The detail.
        path : str
            Where it stands in the result, for messages.

        Raises
        ------
        ResultError
            If something is missing, or of another kind or shape.
        """
        content = check_object(content, path)
        persons, items = (_columns(content.get(key), f"{path}.{key}", first) for key, first in _COLUMNS)
        axes = tuple(check_texts(content.get("axes"), f"{path}.axes"))
        if missing := [axis for axis in axes if axis not in persons]:
            raise ResultError(f"{path}.persons has no column {missing[0]!r}; expected one for every axis")
        systems = _objects(content.get("systems"), f"{path}.systems")
        contrasts = _objects(content.get("contrasts"), f"{path}.contrasts")
        bases = [
            tuple(check_texts(names, f"{path}.bases[{i}]"))
            for i, names in enumerate(check_list(content.get("bases", ()), f"{path}.bases"))
        ]
        effects = check_list(content.get("base_effects", ()), f"{path}.base_effects")
        if effects and len(effects) != len(bases):
            raise ResultError(f"{path}.base_effects has {len(effects)} lists; expected {len(bases)}, as bases has")
        return cls(
            where={key: check_text(content[key], f"{path}.{key}") for key in ("stratum", "output") if key in content},
            systems=systems,
            subset=check_text(content.get("subset"), f"{path}.subset") or "",
            axes=axes,
            persons=persons,
            person_means=_shaped(
                content.get("person_means"), f"{path}.person_means", len(systems), len(persons["person"])
            ),
            items=items,
            contrasts=contrasts,
            item_effects=_shaped(
                content.get("item_effects"), f"{path}.item_effects", len(systems), len(contrasts), len(items["item"])
            ),
            item_means=_shaped(
                content.get("item_means"), f"{path}.item_means", len(systems), len(contrasts), len(items["item"])
            ),
            bases=tuple(bases),
            base_effects=tuple(
                _shaped(effect, f"{path}.base_effects[{i}]", len(systems), len(names))
                for i, (effect, names) in enumerate(zip(effects, bases, strict=False))
            ),
        )


_COLUMNS = (("persons", "person"), ("items", "item"))


def _columns(value: Any, path: str, first: str) -> dict[str, tuple[str, ...]]:
    """Read columns of labels, all as long as the first."""
    columns = {name: tuple(check_texts(labels, f"{path}.{name}")) for name, labels in check_object(value, path).items()}
    if first not in columns:
        raise ResultError(f"{path} has no column {first!r}")
    for name, labels in columns.items():
        if len(labels) != len(columns[first]):
            raise ResultError(f"{path}.{name} has {len(labels)} labels; expected {len(columns[first])}, as {first} has")
    return columns


def _objects(value: Any, path: str) -> tuple[Row, ...]:
    """Read a list of objects that name something."""
    return tuple(
        {key: check_text(text, f"{path}[{i}].{key}") for key, text in check_object(each, f"{path}[{i}]").items()}
        for i, each in enumerate(check_list(value, path))
    )


def _shaped(values: Any, path: str, *shape: int) -> Floats:
    """Read finite numbers of a shape."""
    try:
        numbers = np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ResultError(f"{path} is no table of numbers: {error}") from error
    if numbers.shape != shape and not (numbers.size == 0 == math.prod(shape)):
        expected = " × ".join(map(str, shape))
        raise ResultError(f"{path} has the shape {numbers.shape}; expected {expected} numbers")
    numbers = numbers.reshape(shape)
    if not np.isfinite(numbers).all():
        raise ResultError(f"{path} holds a mean or a difference that is no finite number")
    return numbers


def box_of(delta: Floats) -> Row:
    """Describe differences as a box: quartiles, whiskers to the last within 1.5 of their range, ends, mean."""
    q1, median, q3 = np.quantile(delta, [0.25, 0.5, 0.75])
    inside = delta[(delta >= q1 - 1.5 * (q3 - q1)) & (delta <= q3 + 1.5 * (q3 - q1))]
    numbers = {
        "mean": delta.mean(), "minimum": delta.min(), "whisker_low": inside.min(), "q1": q1, "median": median,
        "q3": q3, "whisker_high": inside.max(), "maximum": delta.max(),
    }  # fmt: skip
    return {"pairs": int(delta.size)} | {key: float(value) for key, value in numbers.items()}
