"""The line that lets another person recompute a number."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eec_bias.errors import OptionError

VERSION = "0.1.0"
"""The version of the metric, which is part of every signature."""


BEFORE_CLASSES = ("range", "resolution", "confidence", "incomplete", "by", "outputs")
"""Options that stand in a signature in front of the classes."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What a result depends on besides the scores.

    Attributes
    ----------
    data : str
        ``NAME@VERSION#1a2b3c4d`` where the dataset is known, else ``?``.
    axes, references : tuple of str
        The axes and, for each, the level the others are compared with (``mean``: deviations).
    test, adjust, edge : str
        What the test takes as a sample, the adjustment for several terms, and what was done with scores at 0 or 1 in
        the beta fit.
    extras : tuple of (str, str)
        Options that differ from their defaults.
    version : str
        Version of this metric.
    strata : str
        The column that items and words are stratified by, ``none`` without it; empty where items are no sample.
    text : str
        Of a saved result the whole line as it was printed, which is not taken apart again.
    """

    data: str
    axes: tuple[str, ...]
    references: tuple[str, ...]
    test: str
    adjust: str
    edge: str
    extras: tuple[tuple[str, str], ...] = ()
    version: str = VERSION
    strata: str = ""
    text: str = ""

    def with_part(self, key: str, value: str) -> "Signature":
        """Return the signature with another value of one of its last parts, such as ``plan``."""
        extras = tuple((name, value if name == key else known) for name, known in self.extras)
        text = re.sub(rf"\|{key}:.*?(?=\|[a-z]+:|$)", f"|{key}:{value}", self.text)
        return replace(self, extras=extras, text=text)

    def __str__(self) -> str:
        if self.text:
            return self.text
        axes, references = "+".join(self.axes), "+".join(self.references)
        strata = [("strata", self.strata)] if self.strata else []
        parts = [
            ("v", self.version), ("data", self.data), ("axes", axes), ("ref", references), ("test", self.test), *strata,
            ("adj", self.adjust), ("edge", self.edge), *self.extras,
        ]  # fmt: skip
        return "|".join(["eec_bias", *(f"{key}:{value}" for key, value in parts)])


def scale_extras(score_range: tuple[float, float]) -> tuple[tuple[str, str], ...]:
    """The declared scale for a signature, where it is not 0 to 1."""
    low, high = score_range
    return () if (low, high) == (0.0, 1.0) else (("range", f"{low:.12g}..{high:.12g}"),)


def confidence_extras(confidence: float) -> tuple[tuple[str, str], ...]:
    """The confidence of intervals for a signature, where it is not .95."""
    return () if confidence == 0.95 else (("confidence", f"{confidence:.12g}"),)


def class_extras(classes: Any, positive_class: str | None) -> tuple[tuple[str, str], ...]:
    """What classes are worth, or their names, and which of them is the score, for a signature."""
    extras = []
    if isinstance(classes, Mapping):
        extras.append(("classes", "+".join(f"{name}={float(value):.12g}" for name, value in classes.items())))
    elif classes is not None:
        extras.append(("classes", "+".join(map(str, classes))))
    if positive_class is not None:
        extras.append(("positive", positive_class))
    return tuple(extras)


def with_classes(signature: Signature, classes: Any, positive_class: str | None) -> Signature:
    """Return the signature of scores that were made of classes before they were measured."""
    said = class_extras(classes, positive_class)
    if not said:
        return signature
    # The range follows from what the classes are worth.
    extras = [(key, value) for key, value in signature.extras if key != "range" or not isinstance(classes, Mapping)]
    first = next((at for at, (key, _) in enumerate(extras) if key not in BEFORE_CLASSES), len(extras))
    return replace(signature, extras=(*extras[:first], *said, *extras[first:]))


def part_of(signature: object, key: str) -> str | None:
    """One part of a signature, from its line, which is all that a saved result has of it.

    Parameters
    ----------
    signature : Signature or str
        The signature, or its line.
    key : str
        What stands before the colon, such as ``data``.

    Returns
    -------
    str, optional
        What stands behind it in the first such part; None where there is none.
    """
    # A name may hold a bar.
    parts = (part.partition(":") for part in re.split(r"\|(?=[a-z]+:)", str(signature)))
    return next((value for name, _, value in parts if name == key), None)


def adjusted(signature: object) -> bool:
    """Whether p was adjusted; where it was not, ``p_adjusted`` of the rows repeats ``p``."""
    return part_of(signature, "adj") != "none"


def check_version(requested: str | None) -> None:
    """Refuse a version other than this one.

    Parameters
    ----------
    requested : str, optional
        ``0.1.0`` or ``v0.1.0``; None asks for nothing.

    Raises
    ------
    OptionError
        If this is another version.
    """
    if requested is None or str(requested).removeprefix("v") == VERSION:
        return
    raise OptionError(
        f"version {str(requested).removeprefix('v')} of eec_bias was asked for, and {VERSION} is installed in "
        f"{Path(__file__).parents[1]}: install the wheel of that version, or ask for version '{VERSION}'"
    )
