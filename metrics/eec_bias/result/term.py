"""One row of a result: a comparison of groups, or a measure of a published procedure, with its numbers.

A column is declared here once; what computes it hands it over by this name, and the metric's page says what it means.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from eec_bias.errors import ResultError
from eec_bias.notes import Note
from eec_bias.options import ANY
from eec_bias.result.comparison import Comparison
from eec_bias.result.plain import check_number, check_plain, check_text, check_whole

KIND: Final = "kind"

STATES = ("normal", "equal_scores", "zero", "same_gap", "between_emotions", "wording", "described")
"""The states of a row, see `Term`."""

NORMAL, EQUAL_SCORES, ZERO, SAME_GAP, BETWEEN_EMOTIONS, WORDING, DESCRIBED = STATES


def _text() -> Any:
    return field(default=None, metadata={KIND: "text"})


def _number() -> Any:
    return field(default=None, metadata={KIND: "number"})


def _count() -> Any:
    return field(default=None, metadata={KIND: "count"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Term(Mapping[str, Any]):
    """One row of terms; as a mapping it has the columns of the frame, the first four where they say something.

    Attributes
    ----------
    system, task, stratum, output : str, optional
        What the row is about, where there are several.
    term : str
        ``race``, ``race:gender``, ``race|gender=female``, or the name of a measure.
    axes, level, reference : str, optional
        The axes joined by ``+``, and the groups compared, of several axes joined by ``:``.
    subset : str, optional
        Which sentences: ``names``, ``pairs``, ``phrases``, ``mentions``.
    emotion : str, optional
        In a row that says how the difference differs between emotions, the emotion; ``any`` for all of them together.
    effect, se, df, t, p, p_adjusted, ci_low, ci_high : float, optional
        The difference in the units of the scores, its test and its interval by itself. In a row of an emotion it is
        that emotion's difference minus the mean over the emotions.
    joint_low, joint_high : float, optional
        The interval that holds together with those of the other emotions.
    in_emotion, in_emotion_se, in_emotion_df, in_emotion_low, in_emotion_high : float, optional
        The gap on the sentences of the emotion, its standard error, its degrees of freedom and its interval by itself.
    worst_low, worst_high : float, optional
        Where answers are missing: the difference if all of them stood at the end of the scale that lowers it, or
        raises it.
    se_names, se_families, family_facet : float, float and str, optional
        The standard error over names taken one by one, the largest over their families, and the column of the families
        that counts; None where none does.
    se_words : float, optional
        The part of the standard error that comes of the choice of the words for groups; None where no word enters.
    mde, mde_alone : float, optional
        The smallest difference that is found with a power of .80 at the level of the adjusted test, and if the row were
        the only one.
    smallest_margin : float, optional
        The smallest margin that the effect is shown to lie within, on average and on every emotion, by two one-sided
        tests at .05 each.
    state : str
        ``normal``; ``equal_scores``: all raw scores compared are equal; ``zero``: the effect is 0 on every item;
        ``same_gap``: the gap is the same on every item; ``between_emotions``: it differs between emotions alone, so
        that nothing is left to test it against; ``wording``: persons of a group are alike, and the texts
        compared differ in more than the person; ``described``: one word or one pair stands for a group, and no
        neutral words were scored, so the test is over sentences alone.
    notes : tuple of Note
        What a reader must know about the row; ``rough`` and ``note`` are their English.
    pairwise : bool
        Whether levels are compared pair by pair, so that a level alone does not name the row.
    more : mapping
        What a file of a later version says of the row under keys that this version does not know.
    """

    system: str | None = _text()
    task: str | None = _text()
    stratum: str | None = _text()
    output: str | None = _text()
    term: str = field(metadata={KIND: "text"})
    axes: str | None = _text()
    level: str | None = _text()
    reference: str | None = _text()
    subset: str | None = _text()
    emotion: str | None = _text()
    effect: float | None = _number()
    se: float | None = _number()
    df: float | None = _number()
    t: float | None = _number()
    p: float | None = _number()
    p_adjusted: float | None = _number()
    ci_low: float | None = _number()
    ci_high: float | None = _number()
    joint_low: float | None = _number()
    joint_high: float | None = _number()
    in_emotion: float | None = _number()
    in_emotion_se: float | None = _number()
    in_emotion_df: float | None = _number()
    in_emotion_low: float | None = _number()
    in_emotion_high: float | None = _number()
    worst_low: float | None = _number()
    worst_high: float | None = _number()
    beta: float | None = _number()
    beta_se: float | None = _number()
    beta_p: float | None = _number()
    beta_se_person: float | None = _number()
    logit: float | None = _number()
    se_names: float | None = _number()
    se_families: float | None = _number()
    family_facet: str | None = _text()
    se_words: float | None = _number()
    p_names_only: float | None = _number()
    p_permutation: float | None = _number()
    mde: float | None = _number()
    mde_alone: float | None = _number()
    smallest_margin: float | None = _number()
    hedges_g: float | None = _number()
    superiority: float | None = _number()
    n_persons: int | None = _count()
    n_items: int | None = _count()
    n_sentences: int | None = _count()
    state: str = field(default="normal", metadata={KIND: "state"})
    notes: tuple[Note, ...] = ()
    pairwise: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def comparison(self) -> Comparison:
        """The comparison that the row is about."""
        return Comparison.of(self)

    @property
    def key(self) -> tuple[str | None, str | None, Comparison]:
        """The name of the row in a result of several systems: system, task and comparison."""
        return self.system, self.task, self.comparison

    @property
    def is_of_emotion(self) -> bool:
        """Whether it says how a difference differs between emotions."""
        return self.emotion is not None

    @property
    def is_whole(self) -> bool:
        """Whether it sums up other rows, those of all levels or of all emotions."""
        return ANY in (self.level, self.emotion)

    @property
    def rough(self) -> str:
        """Why the interval and the smallest detectable effect are rough, in English; empty where they are not."""
        return "; ".join(str(note) for note in self.notes if note.is_rough)

    @property
    def remarks(self) -> tuple[Note, ...]:
        """The notes that say something else."""
        return tuple(note for note in self.notes if not note.is_rough)

    @property
    def note(self) -> str:
        """What else a reader must know, in English."""
        return "; ".join(map(str, self.remarks))

    def __getitem__(self, key: str) -> Any:
        if key in LEADING and getattr(self, key) is None:
            raise KeyError(key)
        if key in _KNOWN:
            return getattr(self, key)
        return self.more[key]

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in LEADING if getattr(self, key) is not None)
        yield from TERM_KEYS
        yield from self.more

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def to_dict(self) -> dict[str, Any]:
        """Return the columns as plain JSON types, and the notes behind ``rough`` and ``note``."""
        return {**self, "notes": [note.to_dict() for note in self.notes]}

    @classmethod
    def from_dict(cls, content: Any, path: str) -> "Term":
        """Read a row as `to_dict` gave it: a column that is missing is null, what is not known is kept.

        Parameters
        ----------
        content : mapping
            The row.
        path : str
            Where it stands in the result, for messages.

        Raises
        ------
        ResultError
            If a column holds something else than its kind.
        """
        if not isinstance(content, Mapping):
            raise ResultError(f"{path} is {content!r:.60}; expected an object with the columns of a row")
        values: dict[str, Any] = {}
        for key, kind in _KINDS.items():
            value = content.get(key)
            if kind == "text":
                values[key] = check_text(value, f"{path}.{key}")
            elif kind == "state":
                values[key] = _check_state(value, f"{path}.{key}")
            elif kind == "count":
                values[key] = check_whole(value, f"{path}.{key}")
            else:
                values[key] = check_number(value, f"{path}.{key}")
        if values["term"] is None:
            raise ResultError(f"{path}.term is null; expected the name of a term, such as 'race'")
        if values["subset"] is None:
            raise ResultError(f"{path}.subset is null; expected which sentences, such as 'names'")
        own = {*_KINDS, "rough", "note", "notes"}
        more = {key: check_plain(value, f"{path}.{key}") for key, value in content.items() if key not in own}
        row = cls(**values, notes=_read_notes(content, path), more=more)
        if wrong := _contradiction(row):
            raise ResultError(f"{path} ({row.term}): {wrong}; was the file edited by hand?")
        return row


def _read_notes(content: Mapping[str, Any], path: str) -> tuple[Note, ...]:
    """Read the notes of a row; of one that was saved without, its texts."""
    texts = {key: check_text(content.get(key), f"{path}.{key}") for key in ("rough", "note")}
    saved = content.get("notes")
    if saved is None:
        reasons = [reason for reason in (texts["rough"] or "").split("; ") if reason]
        notes = [Note("rough_as_saved", {"text": reason}) for reason in dict.fromkeys(reasons)]
        if texts["note"]:
            notes.append(Note("as_saved", {"text": texts["note"]}))
        return tuple(notes)
    if not isinstance(saved, list | tuple):
        raise ResultError(f"{path}.notes is {saved!r:.60}; expected a list of notes")
    return tuple(Note.from_dict(note, f"{path}.notes[{i}]") for i, note in enumerate(saved))


def _contradiction(row: Term) -> str:
    """What no measurement can give, such as a p above 1 or an interval without its effect; else empty."""
    for key, value in (("p", row.p), ("p_adjusted", row.p_adjusted)):
        if value is not None and not 0 <= value <= 1:
            return f"{key} is {value:g}, expected 0 to 1"
    for key, value in (("se", row.se), ("mde", row.mde)):
        if value is not None and value < 0:
            return f"{key} is {value:g}, expected 0 or more"
    low, effect, high = row.ci_low, row.effect, row.ci_high
    if low is None or effect is None or high is None or low <= effect <= high:
        return ""
    if row.p is None and low <= high:
        # A percentile interval, of a measure without a p, may lie beside it.
        return ""
    return f"effect is {effect:g}, expected within its interval from {low:g} to {high:g}"


def _check_state(value: Any, path: str) -> str:
    """Read the state of a row; one that is missing is normal."""
    if value is None:
        return NORMAL
    if value in STATES:
        return str(value)
    raise ResultError(f"{path} is {value!r:.60}; expected one of {', '.join(STATES)}")


_KINDS: Final = {each.name: each.metadata[KIND] for each in fields(Term) if KIND in each.metadata}

LEADING: Final = ("system", "task", "stratum", "output")
"""Columns that stand before those of every row where they say something, in this order: what the row is about."""

TERM_KEYS: Final = (*(name for name in _KINDS if name not in LEADING), "rough", "note")
"""Columns of every row of terms, whatever the method; None where one has no meaning."""

COUNTS: Final = tuple(name for name, kind in _KINDS.items() if kind == "count")
"""Columns of whole numbers."""

TEXTS: Final = (*(name for name, kind in _KINDS.items() if kind in ("text", "state")), "rough", "note")
"""Columns of text."""

_KNOWN: Final = frozenset({*LEADING, *TERM_KEYS, "notes", "pairwise"})
