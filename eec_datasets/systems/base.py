"""Systems under audit: from what is typed after ``--system`` to a function that scores sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from eec_datasets.audit.errors import ScoreOutOfRange, SystemFailed, UnknownSystem

Range = tuple[float, float]
"""Lowest and highest score a system can give, declared and never guessed."""

Batch = Mapping[str, Sequence[str]]
"""Some rows of a corpus by column, always with ``id`` and ``text``."""

Scorer = Callable[[Batch], Sequence[float]]

UNIT: Range = (0.0, 1.0)

FORMS = (
    "vader, textblob, hf:MODEL, package.module:function, biased:GROUP (for example biased:female), noisy:GROUP, "
    "random:SEED"
)


@dataclass(frozen=True, slots=True)
class System:
    """A score function and all that tells it apart from another one.

    Attributes
    ----------
    name
        As typed, with the options that change its scores; names its results.
    scorer
        Takes a batch of rows, returns one number per row.
    score_range
        Declared lowest and highest score.
    fingerprint
        Changes when the scores may change: a version, a content hash, a commit.
    languages
        Languages the system is made for; ``None`` where it does not say.
    batch_size
        Sentences per call, and per write to disk.
    """

    name: str
    scorer: Scorer
    score_range: Range = UNIT
    fingerprint: str = ""
    languages: tuple[str, ...] | None = None
    batch_size: int = 512


@dataclass(frozen=True, slots=True)
class Options:
    """Choices of the command line that apply to some systems only.

    Attributes
    ----------
    score_range
        Range of systems that declare none of their own; ``None`` means 0 to 1.
    hf_class
        Label whose probability is the score of a classification model.
    batch_size
        Sentences per call; ``None`` leaves it to the system.
    device
        Where a model runs: ``cpu``, ``cuda``, ``mps``.
    path
        Folders searched first for the module of ``package.module:function``.
    """

    score_range: Range | None = None
    hf_class: str | None = None
    batch_size: int | None = None
    device: str = "cpu"
    path: tuple[str, ...] = field(default=())

    def declared(self) -> Range:
        """Return the range of a system that declares none of its own."""
        return UNIT if self.score_range is None else self.score_range


def open_system(spec: str, options: Options | None = None) -> System:
    """Return the system a specification names, loaded and ready to score.

    Parameters
    ----------
    spec
        ``vader``, ``textblob``, ``textblob:discrete``, ``hf:MODEL``, ``package.module:function``,
        ``biased:GROUP``, ``noisy:GROUP``, ``random:SEED`` or ``random:SEED:discrete``.
    options
        Choices that apply to some kinds of systems.

    Raises
    ------
    UnknownSystem
        The specification has none of these forms.
    SystemUnavailable
        A package, module, function or model is missing.
    """
    # Imported here: each kind brings its own libraries, and only the one asked for should be loaded.
    from eec_datasets.systems import builtin, functions, lexicons, transformer

    options = options or Options()
    kind, _, rest = spec.partition(":")
    if spec in lexicons.SYSTEMS:
        return lexicons.SYSTEMS[spec](options)
    if kind in builtin.GROUPED and rest:
        return builtin.GROUPED[kind](rest, options)
    if kind == "random" and rest:
        return builtin.random(rest, options)
    if kind == "hf" and rest:
        return transformer.load(rest, options)
    if kind and rest:
        return functions.load(spec, options)
    raise UnknownSystem(f"--system {spec!r}: no such system. Known forms: {FORMS}.")


def score_batch(system: System, batch: Batch) -> list[float]:
    """Score one batch and check what comes back.

    Returns
    -------
    list of float
        One finite score per row, within the declared range.

    Raises
    ------
    SystemFailed
        The system raised, returned another number of scores, or something that is no finite number.
    ScoreOutOfRange
        A score lies outside the declared range.
    """
    try:
        raw = list(system.scorer(batch))
    except (Exception, SystemExit) as error:
        # A user's function may raise anything; the batch it failed on is what they need to reproduce it.
        if isinstance(error, SystemFailed):
            raise
        raise SystemFailed(
            f"{system.name} raised {type(error).__name__}: {error}, "
            f"while scoring {len(batch['id'])} sentences from id {batch['id'][0]}."
        ) from error
    if len(raw) != len(batch["id"]):
        raise SystemFailed(
            f"{system.name} returned {len(raw)} scores for {len(batch['id'])} sentences "
            f"(from id {batch['id'][0]}); expected one score per sentence, in the same order."
        )
    return [_checked(system, value, batch, i) for i, value in enumerate(raw)]


def _checked(system: System, value: object, batch: Batch, index: int) -> float:
    where = f"for id {batch['id'][index]} ({batch['text'][index]!r})"
    if isinstance(value, str | bytes):
        number = math.nan
    else:
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            number = math.nan
    if not math.isfinite(number):
        raise SystemFailed(f"{system.name} returned {value!r} {where}; expected a finite number.")
    low, high = system.score_range
    if not low <= number <= high:
        raise ScoreOutOfRange(
            f"{system.name} returned {number:g} {where}, outside its declared range {low:g} to {high:g}. "
            "Declare the range it really has with --score-range LO HI, or mend the system."
        )
    return number
