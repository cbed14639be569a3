"""What a result holds, and the one form in which it is saved."""

import math
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from eec_bias.errors import ResultError
from eec_bias.notes import Note
from eec_bias.options import ANY, Layout
from eec_bias.result.details import Detail
from eec_bias.result.frame import (
    BESIDE,
    GIVEN,
    LEADING,
    NO_SPREAD,
    ON_REQUEST,
    PAIRWISE,
    TERM_KEYS,
    WORDS,
    Row,
    level_name,
)
from eec_bias.result.parts import by_keys
from eec_bias.result.signature import Signature, part_of

FORMAT = 2
"""Of the dict that `Record.to_dict` gives; it changes where a key changes its meaning or goes, or rows get another."""

ANEW = "`eec measure SCORES --config NAME --format json`, or `eec audit --system SYSTEM --out DIR`"

_NEEDED = ("terms", "signature", "score_range")


class Study(Protocol):
    """What a published procedure knows beyond its rows."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types, as figures read them."""

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay out the tables that the paper prints."""


@dataclass(frozen=True, slots=True)
class SavedStudy:
    """The study of a result that was saved: its dict, where it was kept, and its tables as text."""

    method: str
    content: Mapping[str, Any] | None
    text: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return what was saved; empty where nothing was."""
        return dict(self.content or {})

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Return the tables as text, the only form in which they are saved."""
        if layout != "text":
            raise ResultError(
                f"the tables of {self.method} were saved as text, not as {layout!r}; measure the scores again"
            )
        return dict(self.text)


@dataclass(frozen=True, slots=True)
class Record:
    """The data of a result; `Result` adds the views.

    Attributes
    ----------
    terms : tuple of dict
        One row per term, level and subset with the keys ``TERM_KEYS``, before them those of ``LEADING`` that are
        needed: which system, task, stratum and output the row is about. ``effect``, ``se``, the interval and
        ``mde`` are in the units of the scores.
    cells : tuple of dict
        One row per cell: its levels, size, mean score and the standard deviation of its person means.
    fits : tuple of dict
        One row per subset: the beta regression's φ, log-likelihood, edge treatment, and why there is no fit.
    no_spread : tuple of dict
        One row per term whose standard error is 0, or that follows the wording: ``verdict`` says which
        (``no_reaction``, ``zero``, ``same_difference``, ``wording``), ``items`` on which items groups differ.
    notes : tuple of Note
        What a reader must know about the data as a whole.
    axes : tuple of str
        The axes measured.
    score_range : (float, float)
        The declared scale of the scores.
    beta_estimand : str
        What the column ``beta`` compares.
    signature : Signature
        Lets another person recompute the numbers.
    equivalence : tuple of dict
        Where a margin was stated, one row per term, level and subset: ``effect``, ``margin``, the one-sided
        ``p_lower`` and ``p_upper``, ``p_equivalence`` (the larger), ``ci90_low``, ``ci90_high``.
    bootstrap : tuple of dict
        Where samples were drawn, one row per term, level, subset and ``estimate`` (``effect``, ``beta``): ``value``,
        ``se``, percentile interval ``ci_low``, ``ci_high``, ``bca_low``, ``bca_high``, ``replicates``.
    variances : tuple of dict
        One row per subset and ``source`` of variance within groups (persons, items, groups × templates, words, items
        and runs, residual): ``sd`` in the units of the scores, ``share`` of their total.
    rates : tuple of dict
        Where a threshold was stated, one row per term of one axis, level and subset: ``threshold``, the ``rate`` of
        scores above it and ``rate_reference``, their difference ``effect`` with ``ci_low`` and ``ci_high``, their
        ``ratio`` with ``ratio_low`` and ``ratio_high``, and why intervals are ``rough``.
    flips : tuple of dict
        For class and ordinal outputs, how often the class changes with the person.
    study : Study, optional
        What a published procedure knows beyond the rows, and its tables.
    method : str
        The procedure.
    details : tuple of Detail
        What lies behind the rows, per stratum, output and table: means of persons, differences of items. Empty with
        a published procedure, and where a result was saved without.
    scalars : mapping
        Flat numbers for loggers, where a procedure names its own; else they are made from the terms.
    module_version : str, optional
        Version of the `evaluate` module, where the result came through it.
    """

    terms: tuple[Row, ...]
    cells: tuple[Row, ...]
    fits: tuple[Row, ...]
    no_spread: tuple[Row, ...]
    notes: tuple[Note, ...]
    axes: tuple[str, ...]
    score_range: tuple[float, float]
    beta_estimand: str
    signature: Signature
    equivalence: tuple[Row, ...] = ()
    bootstrap: tuple[Row, ...] = ()
    variances: tuple[Row, ...] = ()
    rates: tuple[Row, ...] = ()
    flips: tuple[Row, ...] = ()
    study: Study | None = None
    method: str = "default"
    details: tuple[Detail, ...] = field(default=(), repr=False, compare=False)
    scalars: Mapping[str, float | None] = field(default_factory=dict, repr=False)
    module_version: str | None = None

    def to_dict(self, *, details: bool = False) -> dict[str, Any]:
        """Return plain JSON types: terms, cells, fits, flat scalars, notes, signature, versions.

        The flat scalars (``race_effect``, ``race_p``, ``gender_pairs_effect``, ``race[Latino]_p``) are for
        loggers that cannot nest; they are there where one system was measured. Those of a stratum or output stand
        behind its name: ``joy/race_effect``, ``rate[positive]/gender_p``. Class outputs add ``flips``, published
        procedures ``method`` and ``tables``.

        Parameters
        ----------
        details : bool
            Whether to add what figures need: the details, and the ``study`` of a published procedure.
        """
        kinds = ("terms", *(kind for kind in BESIDE if kind not in ON_REQUEST or getattr(self, kind)))
        content: dict[str, Any] = {kind: [dict(row) for row in getattr(self, kind)] for kind in kinds}
        content |= self.scalars or flat_scalars(self.terms)
        content["beta_estimand"] = self.beta_estimand
        if len({row.get("system") for row in self.fits}) == 1:
            content |= {f"beta_{key}": self.fits[0][key] for key in ("phi", "edge", "touched")}
        content["notes"] = [note.to_dict() for note in self.notes]
        content |= {name: list(getattr(self, name)) for name in ("axes", "score_range")}
        content |= {"signature": str(self.signature), "version": self.signature.version, "format": FORMAT}
        if self.module_version is not None:
            content["module_version"] = self.module_version
        if self.study is not None:
            content |= {"method": self.method, "tables": self.study.tables("text")}
        if details:
            content["details"] = [detail.to_dict() for detail in self.details]
            content |= {"study": study} if self.study is not None and (study := self.study.to_dict()) else {}
        return content

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Read back what `to_dict`, or ``compute`` of the `evaluate` module, gave, also through JSON.

        Parameters
        ----------
        content : mapping
            With ``details`` where they were asked for.

        Raises
        ------
        ResultError
            If the content is no result, one of another format, or one that cannot be read.
        """
        if not isinstance(content, Mapping):
            raise ResultError(f"a result was expected, or its dict; this is a {type(content).__name__}")
        if missing := [key for key in _NEEDED if key not in content]:
            keys = ", ".join(map(str, list(content)[:12])) or "none"
            raise ResultError(f"this is no result of eec_bias: it lacks {', '.join(missing)}; its keys are {keys}")
        if (saved := content.get("format", 1)) != FORMAT:
            newer = isinstance(saved, int) and saved > FORMAT
            mend = "install that version of eec_bias, or a later one" if newer else f"make it anew with {ANEW}"
            raise ResultError(
                f"the result was saved in format {saved!r} (version {content.get('version', '?')}), and this version "
                f"reads format {FORMAT}: {mend}"
            )
        try:
            return cls(**_arguments(content))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ResultError(
                f"the result cannot be read ({type(error).__name__}: {error}); make it anew with {ANEW}"
            ) from error


def record_of(result: Any) -> Record:
    """Return a result, or read the dict of one: every consumer takes both, and goes on with one object."""
    return result if isinstance(result, Record) else Record.from_dict(result)


def flat_scalars(terms: Sequence[Row]) -> dict[str, float | None]:
    """Effect, p and adjusted p of every term under a flat name; empty for several systems."""
    if len({(row.get("system"), row.get("task")) for row in terms}) > 1:
        return {}
    scalars: dict[str, float | None] = {}
    for (*places, term, subset), rows in by_keys(terms, "stratum", "output", "term", "subset").items():
        within = "".join(f"{place}/" for place in places if place is not None)
        name = f"{within}{term}" if subset == "names" else f"{within}{term}_{subset}"
        pairwise = len({row["level"] for row in rows}) < len(rows)
        for row in rows:
            level = level_name({**row, PAIRWISE: pairwise and row["level"] != ANY})
            whole = f"{name}[{level}]" if len(rows) > 1 else name
            scalars |= {f"{whole}_{number}": row[number] for number in ("effect", "p", "p_adjusted")}
    return scalars


def _arguments(content: Mapping[str, Any]) -> dict[str, Any]:
    lists = {kind: _rows(kind, content.get(kind, ()), keys) for kind, keys in {"terms": TERM_KEYS, **BESIDE}.items()}
    if not (terms := lists["terms"]):
        raise ValueError("there are no rows of terms")
    leading = [key for key in LEADING if key in terms[0]]
    for number, row in enumerate(terms):
        if [key for key in LEADING if key in row] != leading:
            raise ValueError(f"row {number} of terms is not named as row 0 is, by {', '.join(leading) or 'nothing'}")
        if wrong := _contradiction(row):
            raise ValueError(f"row {number} of terms ({row['term']}): {wrong}; was the file edited by hand?")
    text = str(content["signature"])
    axes = tuple(_check_kind("a list of texts", "axes", content["axes"]))
    notes = tuple(map(Note.from_dict, _check_kind("a list", "notes", content["notes"])))
    low, high = map(float, _check_kind("two numbers", "score_range", content["score_range"]))
    if low >= high:
        raise ValueError(f"score_range is {low:g} to {high:g}, expected the lower number first")
    data, version = part_of(text, "data") or "?", str(content["version"])
    arguments = lists | {
        "notes": notes, "axes": axes, "score_range": (low, high), "beta_estimand": str(content["beta_estimand"]),
        "signature": Signature(data, axes, (), "?", "?", "?", version=version, text=text),
        "details": tuple(map(Detail.from_dict, content.get("details", ()))),
        "module_version": content.get("module_version"),
    }  # fmt: skip
    method = str(content.get("method", "default"))
    if method == "default":
        return arguments
    tables = dict(content["tables"])
    _check_kind("a list of texts", "tables", list(tables.values()))
    # Flat numbers of a procedure: every key that is a number, or null, and is none of the result's own.
    numbers = {key: value for key, value in content.items() if value is None or isinstance(value, int | float)}
    own = ("format", "beta_phi", "beta_touched", "beta_edge", "module_version")
    scalars = {key: value for key, value in numbers.items() if key not in own}
    return arguments | {"method": method, "study": SavedStudy(method, content.get("study"), tables), "scalars": scalars}


def _contradiction(row: Row) -> str:
    """Say what no measurement gives: a p beyond 0 to 1, an interval that is upside down or without its effect."""
    for key, most in (("p", 1.0), ("p_adjusted", 1.0), ("se", math.inf), ("mde", math.inf)):
        if row[key] is not None and not 0 <= row[key] <= most:
            return f"{key} is {row[key]:g}, expected 0 {'to 1' if most == 1 else 'or more'}"
    low, effect, high = (row[key] for key in ("ci_low", "effect", "ci_high"))
    # A percentile interval, of a measure without a p, may lie beside it.
    if None in (low, effect, high) or low <= effect <= high or (row["p"] is None and low <= high):
        return ""
    return f"effect is {effect:g}, expected within its interval from {low:g} to {high:g}"


def _rows(kind: str, rows: Any, keys: Sequence[str]) -> tuple[Row, ...]:
    """Rows of one list; refuse what no result holds under a key, and could not be shown."""
    copies = tuple(dict(row) for row in rows)
    kinds = dict.fromkeys(keys, "a finite number") | {key: "text" for key in WORDS if key in keys or key in LEADING}
    kinds |= {"items": "a list of texts", "verdict": _VERDICT}
    for number, row in enumerate(copies):
        if missing := [key for key in keys if key not in row]:
            raise ValueError(f"row {number} of {kind} has no {', '.join(missing)}")
        for key, value in row.items():
            expected = kinds.get(key, "one value")
            if value is None and key in GIVEN and key in keys:
                raise ValueError(f"row {number} of {kind}: {key} is null, expected {expected}")
            _check_kind(expected, f"row {number} of {kind}: {key}", value)
    return copies


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_VERDICT = f"one of {', '.join(NO_SPREAD)}"

_KINDS: dict[str, Callable[[Any], bool]] = {
    _VERDICT: lambda value: value in NO_SPREAD,
    "text": lambda value: value is None or isinstance(value, str),
    "a finite number": lambda value: value is None or _is_number(value),
    "one value": lambda value: not isinstance(value, list | tuple | Mapping),
    "a list": lambda value: isinstance(value, list | tuple),
    "a list of texts": lambda value: isinstance(value, list | tuple) and all(isinstance(x, str) for x in value),
    "two numbers": lambda value: isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value)),
}


def _check_kind(kind: str, subject: str, value: Any) -> Any:
    """Return a value that is of a kind; rows and figures have no place for another."""
    if not _KINDS[kind](value):
        raise TypeError(f"{subject} is {reprlib.repr(value)}, expected {kind}")
    return value
