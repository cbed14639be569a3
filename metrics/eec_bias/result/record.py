"""The data of a result, and the one form in which it is saved."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from eec_bias.errors import ResultError
from eec_bias.grouping import grouped
from eec_bias.notes import Note
from eec_bias.options import ANY, MEDIAN, Layout
from eec_bias.result.comparison import EMOTION, HEARD, REACTION
from eec_bias.result.control import Control
from eec_bias.result.details import Detail
from eec_bias.result.facts import Facts
from eec_bias.result.frame import BESIDE, GIVEN, ON_REQUEST, PAIRWISE, WORDS, Row, level_name
from eec_bias.result.parts import by_keys
from eec_bias.result.plain import (
    check_list,
    check_number,
    check_object,
    check_plain,
    check_text,
    check_texts,
    is_number,
    short,
)
from eec_bias.result.plan import Plan
from eec_bias.result.term import LEADING, Term

FORMAT = "eec-result/1"
"""Of the document that `Record.to_dict` gives; its number rises if a key changes its meaning or leaves."""

MEASURE_AGAIN = "`eec measure SCORES --config NAME --format json`, or `eec audit --system SYSTEM --out DIR`"

_NEEDED = ("terms", "facts", "score_range")

_KEYS = frozenset(
    {
        *("terms", *BESIDE, "beta_estimand", "beta_phi", "beta_edge", "beta_touched", "notes", "axes", "score_range"),
        *("facts", "signature", "version", "format", "module_version", "high_means", "plan", "findings", "control"),
        *("method", "tables", "study", "details"),
        *("kind", "list", "language", "system", "source"),
    }
)
"""Keys of a document besides the flat scalars; the last five are those of a measurement."""


class Study(Protocol):
    """The numbers and tables of a published procedure beyond its rows."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types, as figures read them."""

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay out the tables that the paper prints."""


ATTRIBUTES = {"rates": "rate_rows"}
"""Attributes of lists that are not called as in the saved form: `rates` of a result is a frame."""


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
    terms : sequence of Term
        One row per term, level and subset (and system, task, stratum and output). ``effect``, ``se``, the interval and
        ``mde`` are in the units of the scores.
    cells : tuple of dict
        One row per cell: its levels, size, mean score and the standard deviation of its person means.
    fits : tuple of dict
        One row per subset: the beta regression's φ, log-likelihood, edge treatment, and why there is no fit.
    notes : tuple of Note
        What a reader must know about the data as a whole.
    axes : tuple of str
        The axes measured.
    score_range : (float, float)
        The declared scale of the scores.
    beta_estimand : str
        What the column ``beta`` compares.
    facts : Facts
        What the numbers depend on besides the scores.
    equivalence : tuple of dict
        Where a margin was stated, one row per term, level and subset: ``effect``, ``margin``, the one-sided
        ``p_lower`` and ``p_upper``, ``p_equivalence`` (the larger), ``ci90_low``, ``ci90_high``. Where emotions are
        known, ``p_worst`` is the largest over the row and all emotions, and ``worst_emotion`` the one it is from.
    emotions : tuple of dict
        If emotions are known, one row per system and ``emotion``: the ``mean`` score of its ``n_sentences``.
    variances : tuple of dict
        One row per subset and ``source`` of variance within groups (persons, items, groups × templates, words, items
        and runs, residual): ``sd`` in the units of the scores, ``share`` of their total.
    families : tuple of dict
        One row per cell of names and ``facet``, a column of families: ``n_persons`` and ``n_families``, the effective
        number of families, which is smaller where some are large.
    signals : tuple of dict
        Where data say how strongly names signal their group, one row per ``axis`` and ``level``: ``effect`` is how the
        score changes with ten percentage points more of the probability of the group given the name, among the names
        of this group; ``p_adjusted`` is Holm's over the levels of the axis, ``rough`` why the interval is rough.
    heard : tuple of dict
        If reactions are compared, the ``mean`` score of each ``emotion`` about the level and ``mean_reference`` about
        the reference, and where words are counted the same of each ``word``, with its forms, and the share of places in
        which it is ``heard`` about either. ``agreement`` says if it has a form for each group.
    feelings : tuple of dict
        Where scores tie, one row per system and ``word`` for a feeling, with its ``emotion``: the share of the
        sentences about a group in which it is ``heard``, that of the group with the largest share.
    missing : tuple of dict
        Where answers or rows are missing, one row per cell and emotion: ``n_missing`` of ``n_sentences``.
    rate_rows : tuple of dict
        Of outcomes, and if a threshold was stated, one row per group and subset: ``threshold`` (null of outcomes), the
        numbers of sentences ``n`` and ``n_reference``, the ``rate`` of what is selected or lies above the threshold
        and ``rate_reference``, their difference ``effect`` with ``ci_low`` and ``ci_high``, their ``ratio`` with
        ``ratio_low`` and ``ratio_high``, and why intervals are ``rough``. Saved under ``rates``.
    flips : tuple of dict
        For class and ordinal outputs, how often the class changes with the person.
    study : Study, optional
        What a published procedure knows beyond the rows, and its tables.
    method : str
        The procedure.
    details : tuple of Detail
        What lies behind the rows, per stratum, output and table: means of persons, differences of items. Empty with
        a published procedure, and where a result was saved without.
    own_scalars : mapping
        Flat numbers for loggers, where a procedure names its own; else `scalars` are made from the terms.
    module_version : str, optional
        Version of the `evaluate` module, where the result came through it.
    high_means : str
        What a high score means, such as ``positive``; empty where nobody said.
    plan : Plan, optional
        The questions, which follow from the design whatever the scores are; None of a published procedure, whose tests
        do not hold their level together.
    dealt : tuple of Control, optional
        The negative control, once someone looked at it. Saved under ``control``.
    """

    terms: Sequence[Term]
    cells: tuple[Row, ...]
    fits: tuple[Row, ...]
    notes: tuple[Note, ...]
    axes: tuple[str, ...]
    score_range: tuple[float, float]
    beta_estimand: str
    facts: Facts
    equivalence: tuple[Row, ...] = ()
    emotions: tuple[Row, ...] = ()
    variances: tuple[Row, ...] = ()
    families: tuple[Row, ...] = ()
    signals: tuple[Row, ...] = ()
    heard: tuple[Row, ...] = ()
    feelings: tuple[Row, ...] = ()
    missing: tuple[Row, ...] = ()
    rate_rows: tuple[Row, ...] = ()
    flips: tuple[Row, ...] = ()
    study: Study | None = None
    method: str = "default"
    details: tuple[Detail, ...] = field(default=(), repr=False, compare=False)
    own_scalars: Mapping[str, float | None] = field(default_factory=dict, repr=False)
    module_version: str | None = None
    high_means: str = ""
    plan: Plan | None = None
    dealt: tuple[Control, ...] | None = field(default=None, repr=False, compare=False)

    @property
    def overall(self) -> tuple[Term, ...]:
        """The rows of terms that are about gaps on all sentences."""
        return tuple(row for row in self.terms if not row.asks)

    @property
    def by_emotion(self) -> tuple[Term, ...]:
        """The rows of terms that say how a difference differs between emotions."""
        return tuple(row for row in self.terms if row.is_of_emotion)

    @property
    def by_reaction(self) -> tuple[Term, ...]:
        """The rows of terms that say how far feelings move scores, and which words are heard."""
        return tuple(row for row in self.terms if row.asks in (REACTION, HEARD))

    @property
    def confidence(self) -> float:
        """Confidence of the intervals; at 1 minus it a difference is told from none."""
        return self.facts.confidence

    @property
    def signature(self) -> str:
        """The facts in one line, by which a person recomputes the numbers; no code reads it."""
        return str(self.facts)

    @property
    def alpha(self) -> float:
        """Level below which p tells a difference."""
        return round(1 - self.confidence, 12)

    @property
    def scalars(self) -> Mapping[str, float | None]:
        """Flat numbers for loggers, such as ``race_effect``; of several systems ``SYSTEM/race_effect``."""
        return self.own_scalars or flat_scalars(self.terms)

    def beside(self, kind: str) -> tuple[Row, ...]:
        """Return the rows of a list beside the terms, by the name that it has in the saved form."""
        rows: tuple[Row, ...] = getattr(self, ATTRIBUTES.get(kind, kind))
        return rows

    def to_dict(self, *, details: bool = False) -> dict[str, Any]:
        """Return plain JSON types: terms, cells, fits, flat scalars, notes, signature, versions.

        The flat scalars (``race_effect``, ``race_p``, ``gender_pairs_effect``, ``race[Latino]_p``) are for
        loggers that cannot nest. Those of a stratum or output stand behind its name: ``joy/race_effect``,
        ``rate[positive]/gender_p``; those of several systems and tasks behind these, in front of all else:
        ``SYSTEM/TASK/joy/race_effect``. Class outputs add ``flips``, published procedures ``method`` and ``tables``.

        Parameters
        ----------
        details : bool
            Whether to add what figures need: the details, and the ``study`` of a published procedure.
        """
        content: dict[str, Any] = {"terms": [row.to_dict() for row in self.terms]}
        for kind in BESIDE:
            rows = self.beside(kind)
            if rows or kind not in ON_REQUEST:
                content[kind] = [dict(row) for row in rows]
        content |= self.scalars
        content["beta_estimand"] = self.beta_estimand
        if len({row.get("system") for row in self.fits}) == 1:
            content |= {f"beta_{key}": self.fits[0][key] for key in ("phi", "edge", "touched")}
        content["notes"] = [note.to_dict() for note in self.notes]
        content |= {name: list(getattr(self, name)) for name in ("axes", "score_range")}
        content |= {"facts": self.facts.to_dict(), "signature": self.signature, "version": self.facts.version}
        content["format"] = FORMAT
        if self.module_version is not None:
            content["module_version"] = self.module_version
        if self.high_means:
            content["high_means"] = self.high_means
        if self.plan is not None:
            content["plan"] = self.plan.to_dict()
        if self.dealt is not None:
            content["control"] = [control.to_dict() for control in self.dealt]
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
        if (saved := content.get("format")) != FORMAT:
            raise ResultError(
                f"the result was saved in format {saved!r} by version {content.get('version', 'unknown')}, and this "
                f"version reads {FORMAT}: install that version, or measure again with {MEASURE_AGAIN}"
            )
        try:
            return cls(**_arguments(content))
        except ResultError as error:
            raise ResultError(f"the result cannot be read: {error}; measure again with {MEASURE_AGAIN}") from error


def read_json(path: str | Path) -> Any:
    """Return what a JSON file holds.

    Raises
    ------
    ResultError
        If there is no such file, or it is no JSON.
    """
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ResultError(f"{path} is no JSON: {error}; expected a file that eec or Result.save wrote") from error


def record_of(result: Any) -> Record:
    """Return a result, or read the dict of one: every consumer takes both, and goes on with one object."""
    return result if isinstance(result, Record) else Record.from_dict(result)


def flat_scalars(terms: Sequence[Term]) -> dict[str, float | None]:
    """Effect, p and adjusted p of every term by flat names, behind the system's where there are several."""
    groups = by_keys(terms, "system", "task", "stratum", "output")
    several = len({(system, task) for system, task, *_ in groups}) > 1
    places = [place if several else (None, None, *place[2:]) for place in groups]
    scalars: dict[str, float | None] = {}
    for within, rows in zip(_prefixes(places), groups.values(), strict=True):
        scalars |= {f"{within}{name}": number for name, number in _scalars(rows).items()}
    return scalars


def scalars_by_system(
    terms: Sequence[Term], scalars_of: Callable[[Sequence[Term]], Mapping[str, float | None]]
) -> dict[str, float | None]:
    """Return the flat numbers that a procedure names, behind the name of the system where there are several."""
    groups = by_keys(terms, "system", "task")
    places: list[tuple[Any, ...]] = [()] if len(groups) == 1 else list(groups)
    return {
        f"{within}{name}": number
        for within, rows in zip(_prefixes(places), groups.values(), strict=True)
        for name, number in scalars_of(rows).items()
    }


def _prefixes(places: Sequence[Sequence[str | None]]) -> list[str]:
    """Return what stands in front of the numbers of each place, such as ``system/joy/``; no two are the same."""
    prefixes: list[str] = []
    for place in places:
        within = "".join(f"{part}/" for part in place if part is not None)
        whole, count = within, 1
        while whole in prefixes:
            # Names may hold slashes: a/b and c, or a and b/c.
            count += 1
            whole = f"{within.removesuffix('/')} ({count})/"
        prefixes.append(whole)
    return prefixes


def _scalars(rows_of_place: Sequence[Term]) -> dict[str, float | None]:
    """Numbers of the rows of one system, task, stratum and output."""
    scalars: dict[str, float | None] = {}
    for (term, subset), rows in by_keys(rows_of_place, "term", "subset").items():
        name = term if subset == "names" else f"{term}_{subset}"
        if rows[0].asks == EMOTION:
            scalars |= _emotion_scalars(name, rows)
            continue
        if rows[0].asks in (REACTION, HEARD):
            scalars |= _reaction_scalars(name, rows)
            continue
        by_class = grouped((row.agreement, row) for row in rows)
        on_all_words = by_class.get(None, [])
        pairwise = len({row["level"] for row in on_all_words}) < len(on_all_words)
        for row in rows:
            level = level_name({**row, PAIRWISE: pairwise and row["level"] != ANY})
            whole = f"{name}[{level}]" if len(by_class[row.agreement]) > 1 else name
            whole += "" if row.agreement is None else f"_{row.agreement}"
            scalars |= {f"{whole}_{number}": row[number] for number in ("effect", "p", "p_adjusted")}
    return scalars


def _emotion_scalars(name: str, rows: Sequence[Term]) -> dict[str, float | None]:
    """Numbers of the rows of emotions of one term: ``race:emotion_p``, ``race:emotion[joy]_effect``."""
    levels = {(row["level"], row["reference"]) for row in rows if row["emotion"] != ANY}
    scalars: dict[str, float | None] = {}
    for row in rows:
        if row["emotion"] == ANY:
            scalars |= {f"{name}_p": row["p"], f"{name}_p_adjusted": row["p_adjusted"]}
            continue
        of_level = "" if len(levels) == 1 else f"{row['level']}:"
        whole = f"{name}[{of_level}{row['emotion']}]"
        scalars |= {f"{whole}_{number}": row[number] for number in ("effect", "p", "p_adjusted")}
    return scalars


def _reaction_scalars(name: str, rows: Sequence[Term]) -> dict[str, float | None]:
    """Numbers of rows on reaction, on all items or one class of them: ``gender:reaction_ratio``."""
    numbers = ("p", "p_adjusted", "only_level", "only_reference")
    if rows[0].asks == REACTION:
        numbers = ("effect", "ratio", "p", "p_adjusted")
    scalars: dict[str, float | None] = {}
    for part, of_part in grouped((row.agreement, row) for row in rows if row.emotion is None).items():
        for row in of_part:
            of_level = "" if len(of_part) == 1 else f"[{row.level}]"
            of_class = "" if part is None else f"_{part}"
            scalars |= {f"{name}{of_level}{of_class}_{number}": row[number] for number in numbers}
    return scalars


def _arguments(content: Mapping[str, Any]) -> dict[str, Any]:
    terms = [Term.from_dict(row, f"terms[{i}]") for i, row in enumerate(check_list(content["terms"], "terms"))]
    if not terms:
        raise ResultError("terms is an empty list; expected a row at least")
    leading = [key for key in LEADING if key in terms[0]]
    for number, row in enumerate(terms):
        if [key for key in LEADING if key in row] != leading:
            named = ", ".join(leading) or "nothing"
            raise ResultError(f"terms[{number}] is not named as terms[0] is, by {named}")
    lists = {ATTRIBUTES.get(kind, kind): _rows(kind, content.get(kind, ()), keys) for kind, keys in BESIDE.items()}
    facts = Facts.from_dict(content["facts"])
    axes = tuple(check_texts(content.get("axes", ()), "axes"))
    saved_notes = check_list(content.get("notes", ()), "notes")
    notes = tuple(Note.from_dict(note, f"notes[{i}]") for i, note in enumerate(saved_notes))
    arguments: dict[str, Any] = lists | {
        "terms": tuple(terms), "notes": notes, "axes": axes, "score_range": _score_range(content["score_range"]),
        "beta_estimand": str(content.get("beta_estimand", "")),
        "facts": facts,
        "details": tuple(
            Detail.from_dict(detail, f"details[{i}]")
            for i, detail in enumerate(check_list(content.get("details", ()), "details"))
        ),
        "module_version": check_text(content.get("module_version"), "module_version"),
        "high_means": check_text(content.get("high_means"), "high_means") or "",
    }  # fmt: skip
    method = check_text(content.get("method"), "method") or "default"
    arguments["plan"] = _plan(content.get("plan"), method, facts)
    if "control" in content:
        controls = enumerate(check_list(content["control"], "control"))
        arguments["dealt"] = tuple(Control.from_dict(control, f"control[{i}]") for i, control in controls)
    further = {key: value for key, value in content.items() if key not in _KEYS}
    own = flat_scalars(terms) if method == "default" else further
    if unknown := [key for key, value in further.items() if key not in own or not (value is None or is_number(value))]:
        raise ResultError(f"{short(unknown[0])} is no key of a result")
    if method == "default":
        return arguments
    tables = {}
    for name, table in check_object(content.get("tables"), "tables").items():
        if not isinstance(table, str):
            raise ResultError(f"tables.{name} is {short(table)}; expected a text")
        tables[name] = table
    study = content.get("study")
    if study is not None:
        study = check_plain(check_object(study, "study"), "study")
    return arguments | {"method": method, "study": SavedStudy(method, study, tables), "own_scalars": further}


def _plan(saved: Any, method: str, facts: Facts) -> Plan | None:
    """Read the plan, and refuse one that is not that of the facts."""
    if saved is None:
        if method == "default":
            raise ResultError("it has no plan, the questions that its findings answer")
        return None
    plan = Plan.from_dict(saved)
    if facts.plan != plan.short:
        raise ResultError(f"its plan is {plan.short}, and its facts name {facts.plan or 'none'}")
    return plan


def _score_range(value: Any) -> tuple[float, float]:
    """Read the declared scale of the scores."""
    if not (isinstance(value, list | tuple) and len(value) == 2 and all(map(is_number, value))):
        raise ResultError(f"score_range is {short(value)}; expected two numbers")
    low, high = map(float, value)
    if low >= high:
        raise ResultError(f"score_range is {low:g} to {high:g}; expected the lower number first")
    return low, high


def _rows(kind: str, rows: Any, keys: Sequence[str]) -> tuple[Row, ...]:
    """Read the rows of one list beside the terms: what is missing is null, what is not known is kept."""
    read = []
    for number, saved in enumerate(check_list(rows, kind)):
        path = f"{kind}[{number}]"
        row = dict.fromkeys(keys) | dict(check_object(saved, path))
        for key, value in row.items():
            row[key] = _checked(key, value, f"{path}.{key}", known=key in keys)
        read.append(row)
    return tuple(read)


def _checked(key: str, value: Any, path: str, *, known: bool) -> Any:
    """Return one value of a row beside the terms, where it is of the kind of its column."""
    if value is None and known and key in GIVEN:
        raise ResultError(f"{path} is null; expected {'a text' if key in WORDS else 'a number'}")
    if key == "items":
        return check_texts(value, path)
    if key in LEADING or (known and key in WORDS):
        return check_text(value, path)
    if key == "threshold" and value == MEDIAN:
        return value
    if known:
        number = check_number(value, path)
        if key == "share" and number is not None and not 0 <= number <= 1 + 1e-9:
            raise ResultError(f"{path} is {short(value)}; expected a share from 0 to 1")
        return number
    if isinstance(value, list | tuple | Mapping):
        # The labels of a cell stand under the names of its axes.
        raise ResultError(f"{path} is {short(value)}; expected one value")
    return check_plain(value, path)
