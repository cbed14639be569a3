"""A measurement: a result, and where it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from eec_bias.result.result import Result

MeasurementKind = Literal["scores", "rates", "no_answer"]
"""What was measured: scores; how often an outcome occurs; how often a request got no answer."""


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences that differ in the person, with the score of each.

    Attributes
    ----------
    id : str
        The comparison, see `Comparison.id`.
    emotion : str
        That of the sentences; ``none`` without one.
    texts, scores, persons : pair
        The sentence about the level first, then the one about the reference.
    """

    id: str
    emotion: str
    texts: tuple[str, str]
    scores: tuple[float | None, float | None]
    persons: tuple[str, str]


@dataclass(frozen=True, slots=True)
class JobAccuracy:
    """How often a system puts a positive text above a negative one, from ``n`` texts with a known class."""

    auc: float
    auc_low: float
    auc_high: float
    n: int
    language: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a measurement comes from; everything is optional.

    Attributes
    ----------
    about, remarks, version : str, mapping, str
        Of the system: what it is in a line, what its entry says of an answer, and which version answered.
    accuracy : JobAccuracy, optional
        How good it is at its job.
    prompts, models, unanswered : tuple, tuple, mapping
        Of a system that is asked by prompts: the prompts, the models that answered, and unanswered requests by why.
    review, part, sentences : str, str, int
        Of the list: how far native readers have checked it, which part was scored, how many distinct sentences.
    pairs : tuple of SentencePair
        Sentences with the gaps of the findings.
    emotion_means : mapping of str to float
        The mean score of the sentences of each emotion.
    standouts : tuple of mapping
        Names far from the others of their group.
    names : mapping
        What the names carry beside their group.
    demonstration : bool
        Whether the system is made up.
    versions : (Measurement, Measurement), optional
        Of a comparison of two systems, what each is alone: before and after.
    """

    about: str = ""
    remarks: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    accuracy: JobAccuracy | None = None
    prompts: tuple[Mapping[str, Any], ...] = ()
    models: tuple[str, ...] = ()
    unanswered: Mapping[str, int] = field(default_factory=dict)
    review: str = ""
    part: str = ""
    sentences: int = 0
    pairs: tuple[SentencePair, ...] = ()
    emotion_means: Mapping[str, float] = field(default_factory=dict)
    standouts: tuple[Mapping[str, Any], ...] = ()
    names: Mapping[str, Any] = field(default_factory=dict)
    demonstration: bool = False
    versions: tuple["Measurement", "Measurement"] | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """Everything measured on one list of names and words.

    Attributes
    ----------
    kind : str
        See `MeasurementKind`; nothing else tells what a result is about, least of all the name of a system.
    list : str
        Name of the config, file or table.
    language : str
        BCP 47 tag; empty if it is not known.
    system : str
        The system of rows that name none; empty if there are several.
    result : Result
        The numbers.
    source : Origin
        Where they come from.
    """

    kind: MeasurementKind
    list: str
    language: str
    system: str
    result: Result
    source: Origin = field(default_factory=Origin)
