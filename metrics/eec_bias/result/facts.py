"""The facts that a result depends on besides the scores, and the signature that prints them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Self

from eec_bias.data_name import DataName
from eec_bias.errors import OptionError, ResultError
from eec_bias.result.plain import check_list, check_object, check_text, check_texts, is_number, short

VERSION = "0.1.0"
"""The version of the metric."""

CONFIDENCE = 0.95
"""The confidence of intervals unless another one is asked for."""

UNIT_RANGE = (0.0, 1.0)
"""The declared range of scores unless another one is asked for."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that a result depends on besides the scores; as text they are its signature.

    The signature is for people. No code reads it.

    Attributes
    ----------
    data : DataName
        The rows that were scored.
    axes, references : tuple of str
        The axes and, for each, the level that others are compared with (``mean``: deviations).
    samples : tuple of str
        What the test takes as samples, such as ``names``, ``templates``, ``words``; of a published procedure its name.
    families : bool
        Whether names that share a form count as families.
    strata : str
        The column by which items and words are stratified; empty without it.
    score_range : (float, float), optional
        The declared range of the scores of a system; None if nobody declared one.
    confidence : float
        Of the intervals.
    adjust : str
        How a published procedure adjusts p, such as ``bonferroni/438``; empty if it does not, and for the default
        test, whose plan says it.
    compared : (str, str), optional
        The two systems whose scores were subtracted, the second from the first.
    settings : tuple of (str, str)
        Options that differ from their defaults, and those of a published procedure, as the signature prints them.
    plan : str
        Number of the questions and a checksum of the plan; empty without a plan.
    version : str
        Of this metric.
    """

    data: DataName = field(default_factory=DataName)
    axes: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    families: bool = False
    strata: str = ""
    score_range: tuple[float, float] | None = UNIT_RANGE
    confidence: float = CONFIDENCE
    adjust: str = ""
    compared: tuple[str, str] | None = None
    settings: tuple[tuple[str, str], ...] = ()
    plan: str = ""
    version: str = VERSION

    @property
    def adjusted(self) -> bool:
        """Return whether p was adjusted, by a plan or as a published procedure does it."""
        return bool(self.adjust or self.plan)

    @property
    def systems_compared(self) -> str:
        """The two systems compared, ``after-before`` for readers; empty if the scores of one system were measured."""
        return "-".join(self.compared or ())

    def __str__(self) -> str:
        samples = list(self.samples)
        if self.families:
            samples[0] += "/families"
        parts = [
            ("v", self.version), ("data", str(self.data)), ("axes", "+".join(self.axes)),
            ("ref", "+".join(self.references)), ("test", "+".join(samples)),
        ]  # fmt: skip
        if self.strata:
            parts.append(("strata", self.strata))
        if self.adjust:
            parts.append(("adj", self.adjust))
        if self.score_range is None:
            parts.append(("range", "none"))
        elif self.score_range != UNIT_RANGE:
            low, high = self.score_range
            parts.append(("range", f"{low:.12g}..{high:.12g}"))
        if self.confidence != CONFIDENCE:
            parts.append(("confidence", f"{self.confidence:.12g}"))
        parts += self.settings
        if self.compared:
            parts.append(("compare", self.systems_compared))
        if self.plan:
            parts.append(("plan", self.plan))
        return "|".join(["eec_bias", *(f"{key}:{value}" for key, value in parts)])

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types."""
        return asdict(self) | {
            "axes": list(self.axes),
            "references": list(self.references),
            "samples": list(self.samples),
            "score_range": None if self.score_range is None else list(self.score_range),
            "compared": None if self.compared is None else list(self.compared),
            "settings": [list(setting) for setting in self.settings],
        }

    @classmethod
    def from_dict(cls, content: Any, path: str = "facts") -> Self:
        """Read what `to_dict` gave.

        Raises
        ------
        ResultError
            If a fact is missing, unknown, or of another type.
        """
        saved = check_object(content, path)
        known = [each.name for each in fields(cls)]
        for name in known:
            if name not in saved:
                raise ResultError(f"{path} has no {name!r}; expected {', '.join(known)}")
        if unknown := [str(key) for key in saved if key not in known]:
            raise ResultError(f"{path} has the unknown key {unknown[0]!r}; expected {', '.join(known)}")
        confidence = saved["confidence"]
        if not is_number(confidence) or not 0 < confidence < 1:
            raise ResultError(f"{path}.confidence is {short(confidence)}; expected a number between 0 and 1")
        if not isinstance(saved["families"], bool):
            raise ResultError(f"{path}.families is {short(saved['families'])}; expected true or false")
        settings = []
        for number, setting in enumerate(check_list(saved["settings"], f"{path}.settings")):
            settings.append(_pair(setting, f"{path}.settings[{number}]"))
        return cls(
            data=DataName(**_texts(saved["data"], f"{path}.data", ("name", "version", "digest"))),
            axes=tuple(check_texts(saved["axes"], f"{path}.axes")),
            references=tuple(check_texts(saved["references"], f"{path}.references")),
            samples=tuple(check_texts(saved["samples"], f"{path}.samples")),
            score_range=_range(saved["score_range"], f"{path}.score_range"),
            confidence=float(confidence),
            compared=None if saved["compared"] is None else _pair(saved["compared"], f"{path}.compared"),
            settings=tuple(settings),
            families=saved["families"],
            **_texts(saved, path, ("strata", "adjust", "plan", "version")),
        )


def _texts(content: Any, path: str, names: tuple[str, ...]) -> dict[str, str]:
    """Read texts that are not null."""
    saved = check_object(content, path)
    texts = {}
    for name in names:
        text = check_text(saved.get(name), f"{path}.{name}")
        if text is None:
            raise ResultError(f"{path}.{name} is missing or null; expected a text")
        texts[name] = text
    return texts


def _pair(content: Any, path: str) -> tuple[str, str]:
    """Read two texts."""
    pair = check_texts(content, path)
    if len(pair) != 2:
        raise ResultError(f"{path} has {len(pair)} texts; expected two")
    return pair[0], pair[1]


def _range(content: Any, path: str) -> tuple[float, float] | None:
    """Read the ends of a range, the lower first; or null."""
    if content is None:
        return None
    ends = check_list(content, path)
    if len(ends) != 2 or not all(map(is_number, ends)) or ends[0] >= ends[1]:
        raise ResultError(f"{path} is {short(content)}; expected two numbers, the lower first, or null")
    return float(ends[0]), float(ends[1])


def class_settings(classes: Any, positive_class: str | None) -> tuple[tuple[str, str], ...]:
    """Return the classes or their values, and the positive class, as settings of a signature."""
    settings = []
    if isinstance(classes, Mapping):
        settings.append(("classes", "+".join(f"{name}={float(value):.12g}" for name, value in classes.items())))
    elif classes is not None:
        settings.append(("classes", "+".join(map(str, classes))))
    if positive_class is not None:
        settings.append(("positive", positive_class))
    return tuple(settings)


def check_version(requested: str | None) -> None:
    """Refuse a version other than the one that is installed.

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
