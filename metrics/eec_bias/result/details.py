"""What lies behind the rows of a result: every person's mean score, every item's and every pair's difference."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from eec_bias.options import Floats
from eec_bias.result.frame import Row, plain


@dataclass(frozen=True, slots=True)
class Detail:
    """What one table of one stratum and output shows, for S systems, P persons, J items and R contrasts.

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
        Columns: ``item``, and ``emotion`` and ``template`` where the data have them.
    contrasts : tuple of dict, length R
        ``term``, ``level`` and ``reference`` of each.
    item_effects : (S, R, J) array
        Each contrast on each item, in the units of the scores.
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
    bases: tuple[tuple[str, ...], ...] = ()
    base_effects: tuple[Floats, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types, numbers in columns: one list per system."""
        return self.where | {field.name: plain(getattr(self, field.name)) for field in fields(self)[1:]}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; KeyError, TypeError or ValueError if it is something else."""
        persons, items, contrasts = (content[key] for key in ("persons", "items", "contrasts"))
        systems, effects = len(content["systems"]), len(contrasts)
        if any(len(labels) != len(persons["person"]) for labels in persons.values()):
            raise ValueError("columns of persons differ in length")
        if missing := [axis for axis in content["axes"] if axis not in persons]:
            raise ValueError(f"persons have no column {missing[0]}")
        return cls(
            where={key: content[key] for key in ("stratum", "output") if key in content},
            systems=tuple(dict(keys) for keys in content["systems"]),
            subset=str(content["subset"]),
            axes=tuple(content["axes"]),
            persons={name: tuple(labels) for name, labels in persons.items()},
            person_means=_shaped(content["person_means"], systems, len(persons["person"])),
            items={name: tuple(labels) for name, labels in items.items()},
            contrasts=tuple(dict(contrast) for contrast in contrasts),
            item_effects=_shaped(content["item_effects"], systems, effects, len(items["item"])),
            bases=tuple(tuple(names) for names in content["bases"]),
            base_effects=tuple(
                _shaped(effect, systems, len(names))
                for effect, names in zip(content["base_effects"], content["bases"], strict=True)
            ),
        )


def _shaped(values: Any, *shape: int) -> Floats:
    numbers = np.array(values, dtype=float).reshape(shape)
    if not np.isfinite(numbers).all():
        raise ValueError("a mean or a difference in the details is no finite number")
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
