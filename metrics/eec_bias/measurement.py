"""A measurement: a result, and where it comes from. It is saved as it is, and read back as it is."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from eec_bias.errors import ResultError
from eec_bias.result.facts import VERSION
from eec_bias.result.plain import check_list, check_number, check_object, check_plain, check_text, check_texts, short
from eec_bias.result.record import read_json
from eec_bias.result.result import Result

FORMAT = "eec-results/1"
"""Of a document with several measurements; one result alone is a document of the format of `Result.to_dict`."""

MeasurementKind = Literal["scores", "rates", "no_answer"]
"""Kinds of measurement: scores; how often an outcome occurs; how often a request got no answer."""


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

    @classmethod
    def from_dict(cls, content: Any, path: str) -> "SentencePair":
        """Read a pair from plain JSON types."""
        saved = _known(cls, content, path)
        texts, persons = (
            _two(check_texts(saved[key], f"{path}.{key}"), f"{path}.{key}") for key in ("texts", "persons")
        )
        listed = _two(check_list(saved["scores"], f"{path}.scores"), f"{path}.scores")
        first, second = (check_number(score, f"{path}.scores") for score in listed)
        id, emotion = (str(check_text(saved[key], f"{path}.{key}")) for key in ("id", "emotion"))
        return cls(id, emotion, texts, (first, second), persons)


@dataclass(frozen=True, slots=True)
class JobAccuracy:
    """A system's chance to put a positive text above a negative one, from ``n`` texts with a known class."""

    auc: float
    auc_low: float
    auc_high: float
    n: int
    language: str

    @classmethod
    def from_dict(cls, content: Any, path: str) -> "JobAccuracy":
        """Read an accuracy from plain JSON types."""
        saved = _known(cls, content, path)
        auc, low, high, n = (check_number(saved[key], f"{path}.{key}") for key in ("auc", "auc_low", "auc_high", "n"))
        if auc is None or low is None or high is None or n is None:
            raise ResultError(f"{path} lacks a number; expected auc, auc_low, auc_high and n")
        return cls(auc, low, high, int(n), str(check_text(saved["language"], f"{path}.language")))


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a measurement; everything is optional.

    Attributes
    ----------
    about, remarks, version : str, mapping, str
        Of the system: what it is in a line, what its entry says of an answer, and which version answered.
    accuracy : JobAccuracy, optional
        How good it is at its job.
    prompts, models, unanswered : tuple, tuple, mapping
        Of a system that is asked by prompts: the prompts, the models that answered, and unanswered requests by why.
    readers : int, optional
        How many native readers have judged sentences of the language; None if the list is none of ours.
    part, sentences : str, int
        Of the list: which part was scored, how many distinct sentences.
    pairs : tuple of SentencePair
        Sentences with the gaps of the findings.
    emotion_means : mapping of str to float
        The mean score of the sentences of each emotion.
    standouts : tuple of mapping
        Names far from the others of their group.
    demonstration : bool
        Whether the system is made up.
    versions : (Measurement, Measurement), optional
        Of a comparison of two systems, what each is alone: before and after.
    command, date : str, str
        The command that measures the same again, and the day of the measurement, ``2026-01-31``.
    """

    about: str = ""
    remarks: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    accuracy: JobAccuracy | None = None
    prompts: tuple[Mapping[str, Any], ...] = ()
    models: tuple[str, ...] = ()
    unanswered: Mapping[str, int] = field(default_factory=dict)
    readers: int | None = None
    part: str = ""
    sentences: int = 0
    pairs: tuple[SentencePair, ...] = ()
    emotion_means: Mapping[str, float] = field(default_factory=dict)
    standouts: tuple[Mapping[str, Any], ...] = ()
    demonstration: bool = False
    versions: tuple["Measurement", "Measurement"] | None = None
    command: str = ""
    date: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what is known, as plain JSON types."""
        content = {each.name: getattr(self, each.name) for each in fields(self)}
        content |= {"accuracy": self.accuracy and asdict(self.accuracy), "pairs": [asdict(pair) for pair in self.pairs]}
        content["versions"] = [each.to_dict() for each in self.versions or ()]
        return {key: value for key, value in content.items() if value or (key == "readers" and value == 0)}

    @classmethod
    def from_dict(cls, content: Any, path: str) -> "Origin":
        """Read an origin as `to_dict` gave it.

        Raises
        ------
        ResultError
            If a key is unknown, or its value is of another kind.
        """
        saved = _known(cls, content, path)
        values: dict[str, Any] = {}
        for key, value in saved.items():
            place = f"{path}.{key}"
            if key in ("about", "version", "part", "command", "date"):
                values[key] = check_text(value, place) or ""
            elif key in ("sentences", "readers"):
                values[key] = int(check_number(value, place) or 0)
            elif key == "demonstration":
                values[key] = value is True
            elif key == "models":
                values[key] = tuple(check_texts(value, place))
            elif key in ("prompts", "standouts"):
                values[key] = tuple(check_object(check_plain(each, place), place) for each in check_list(value, place))
            elif key in ("unanswered", "emotion_means"):
                values[key] = {
                    name: check_number(each, place) or 0 for name, each in check_object(value, place).items()
                }
            elif key == "remarks":
                values[key] = {name: check_text(each, place) or "" for name, each in check_object(value, place).items()}
            elif key == "pairs":
                pairs = enumerate(check_list(value, place))
                values[key] = tuple(SentencePair.from_dict(each, f"{place}[{number}]") for number, each in pairs)
            elif key == "accuracy":
                values[key] = JobAccuracy.from_dict(value, place)
            else:
                both = _two(check_list(value, place), place)
                values[key] = tuple(Measurement.from_dict(each, place) for each in both)
        return cls(**values)


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

    def to_dict(self) -> dict[str, Any]:
        """Return the document of the result, with ``kind``, ``list``, ``language``, ``system`` and ``source``."""
        about = {"kind": self.kind, "list": self.list, "language": self.language, "system": self.system}
        return {**about, "source": self.source.to_dict(), **self.result.to_dict(details=True)}

    @classmethod
    def from_dict(cls, content: Any, path: str = "") -> "Measurement":
        """Read a measurement as `to_dict` gave it, or the document of a result alone.

        Raises
        ------
        ResultError
            If it is neither.
        """
        place = f"{path}: " if path else ""
        saved = check_object(content, path or "the document")
        kind = saved.get("kind", "scores")
        if kind not in get_args(MeasurementKind):
            raise ResultError(f"{place}kind is {short(kind)}; expected one of {', '.join(get_args(MeasurementKind))}")
        try:
            result = Result.from_dict(saved)
        except ResultError as error:
            raise ResultError(f"{place}{error}") from error
        texts = {key: check_text(saved.get(key), f"{place}{key}") or "" for key in ("list", "language", "system")}
        source = Origin.from_dict(saved.get("source", {}), f"{place}source")
        return cls(kind, texts["list"] or result.facts.data.name, texts["language"], texts["system"], result, source)


@dataclass(frozen=True, slots=True)
class Failure:
    """A system that could not be scored or measured on some lists, and why; without lists it could not be opened."""

    system: str
    lists: tuple[str, ...]
    why: str

    @classmethod
    def from_dict(cls, content: Any, path: str) -> "Failure":
        """Read a failure from plain JSON types."""
        saved = _known(cls, content, path)
        system, why = (check_text(saved[key], f"{path}.{key}") or "" for key in ("system", "why"))
        return cls(system, tuple(check_texts(saved["lists"], f"{path}.lists")), why)


def sentences_of(result: Result) -> int:
    """Return how many sentences one system read; several systems read the same."""
    keys = ("system", "output")
    cells = [cell for cell in result.cells if all(cell.get(key) == result.cells[0].get(key) for key in keys)]
    return sum(int(cell["n_sentences"]) for cell in cells)


def to_document(measurements: Sequence[Measurement], failures: Sequence[Failure] = ()) -> dict[str, Any]:
    """Return measurements as one document of plain JSON types, which `from_document` reads."""
    content = {"format": FORMAT, "version": VERSION, "measurements": [each.to_dict() for each in measurements]}
    return {**content, "failures": [asdict(each) for each in failures]} if failures else content


def from_document(content: Any) -> tuple[list[Measurement], list[Failure]]:
    """Read the document of several measurements, or that of one result; return the systems that failed as well.

    Raises
    ------
    ResultError
        If it is neither, or another release wrote it.
    """
    if not isinstance(content, Mapping) or not ("measurements" in content or "terms" in content):
        keys = (
            f"an object with {', '.join(list(content)[:6]) or 'nothing'}"
            if isinstance(content, Mapping)
            else short(content)
        )
        raise ResultError(
            f"this is no result of eec_bias but {keys}; expected what eec audit, eec measure or Result.save wrote"
        )
    if "measurements" not in content:
        return [Measurement.from_dict(content)], []
    if content.get("format") != FORMAT:
        raise ResultError(
            f"the results were saved in format {short(content.get('format'))} by version "
            f"{content.get('version', 'unknown')}, and this version reads {FORMAT}: install that version, or measure "
            "again"
        )
    listed = check_list(content["measurements"], "measurements")
    if not listed:
        raise ResultError("measurements is an empty list; expected one at least")
    failed = enumerate(check_list(content.get("failures", []), "failures"))
    return (
        [Measurement.from_dict(each, f"measurements[{number}]") for number, each in enumerate(listed)],
        [Failure.from_dict(each, f"failures[{number}]") for number, each in failed],
    )


def load_all(path: str | Path) -> list[Measurement]:
    """Return every measurement of a file that `Result.save`, ``eec measure`` or ``eec audit`` wrote.

    Parameters
    ----------
    path : str or Path
        The file, such as ``audit/result.json``.

    Raises
    ------
    ResultError
        If there is no such file, or it holds no result.
    """
    content = read_json(path)
    try:
        return from_document(content)[0]
    except ResultError as error:
        raise ResultError(f"{path}: {error}") from error


def _known(cls: Any, content: Any, path: str) -> Mapping[str, Any]:
    """Return an object whose keys are fields of a class, those without a default among them."""
    saved = check_object(content, path)
    names = [each.name for each in fields(cls)]
    if unknown := [key for key in saved if key not in names]:
        raise ResultError(f"{path} has the unknown key {short(unknown[0])}; expected {', '.join(names)}")
    needed = [each.name for each in fields(cls) if each.default is MISSING and each.default_factory is MISSING]
    if missing := [name for name in needed if name not in saved]:
        raise ResultError(f"{path} lacks {', '.join(missing)}")
    return saved


def _two(values: Sequence[Any], path: str) -> tuple[Any, Any]:
    if len(values) != 2:
        raise ResultError(f"{path} has {len(values)} values; expected two")
    return values[0], values[1]
