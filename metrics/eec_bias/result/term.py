"""One row of a result: a comparison of groups, or a measure of a published procedure, with its numbers.

A column is declared here once; what computes it hands it over by this name, and the metric's page says what it means.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from eec_bias.errors import ResultError
from eec_bias.notes import Note
from eec_bias.options import ANY
from eec_bias.result.comparison import EMOTION, Comparison, asked_of
from eec_bias.result.plain import (
    check_flag,
    check_list,
    check_number,
    check_plain,
    check_text,
    check_texts,
    check_whole,
)

KIND: Final = "kind"

STATES = ("normal", "equal_scores", "zero", "same_gap", "between_emotions", "wording", "described", "hardly_reacts")
"""The states of a row, see `Term`."""

WORD_AND_FORMS = 3
"""Texts of a word in a list of words: the word and its form about either group."""

NORMAL, EQUAL_SCORES, ZERO, SAME_GAP, BETWEEN_EMOTIONS, WORDING, DESCRIBED, HARDLY_REACTS = STATES


def _text() -> Any:
    return field(default=None, metadata={KIND: "text"})


def _number() -> Any:
    return field(default=None, metadata={KIND: "number"})


def _count() -> Any:
    return field(default=None, metadata={KIND: "count"})


def _flag() -> Any:
    return field(default=None, metadata={KIND: "flag"})


def _words() -> Any:
    return field(default=None, metadata={KIND: "words"})


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
        neutral words were scored, so the test is over sentences alone;
        ``hardly_reacts``: the mean reaction is not clear of 0.
    agreement : str, optional
        In a row on a part of the items ``agrees`` if their words have another form for another group, else ``same``.
    ratio, ratio_low, ratio_high : float, optional
        In a row on reaction, how far feelings move the score about the level, over how far they do about the reference.
        Its ``effect`` is the difference of the reactions as a share of their mean. No ``ratio_high``: it has no limit.
    reaction, reaction_reference : float, optional
        The mean score on positive emotions minus that on negative ones about the level, and about the reference.
    difference, difference_p : float, optional
        The difference of the reactions in the units of the scores, and its p by itself.
    on_positive, on_negative : float, optional
        The gap on positive and on negative emotions; of words that agree, beyond the gap on other words.
    turns : bool, optional
        Whether these two have opposite signs.
    ratio_log_odds, ratio_log_odds_low, ratio_log_odds_high : float, optional
        The ratio of the reactions in log-odds.
    mde_ratio : float, optional
        The ratio that goes with ``mde``; None if no ratio would be found.
    agreeing_items : int, optional
        Items whose word has another form for another group.
    only_level, only_reference, both, neither, words : int, optional
        In a row on hearing, the words that are heard more often about the level, about the reference, alike about both,
        and about neither; and all of them.
    p_words, p_bases : float, optional
        The p of these numbers over words, and over pairs.
    words_level, words_reference : tuple of (str, str, str), optional
        The words that are heard more often about one of them: the word, its form about the level, and the other form.
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
    agreement: str | None = _text()
    ratio: float | None = _number()
    ratio_low: float | None = _number()
    ratio_high: float | None = _number()
    reaction: float | None = _number()
    reaction_reference: float | None = _number()
    difference: float | None = _number()
    difference_p: float | None = _number()
    on_positive: float | None = _number()
    on_negative: float | None = _number()
    turns: bool | None = _flag()
    ratio_log_odds: float | None = _number()
    ratio_log_odds_low: float | None = _number()
    ratio_log_odds_high: float | None = _number()
    mde_ratio: float | None = _number()
    agreeing_items: int | None = _count()
    only_level: int | None = _count()
    only_reference: int | None = _count()
    both: int | None = _count()
    neither: int | None = _count()
    words: int | None = _count()
    p_words: float | None = _number()
    p_bases: float | None = _number()
    words_level: tuple[tuple[str, str, str], ...] | None = _words()
    words_reference: tuple[tuple[str, str, str], ...] | None = _words()
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
    def asks(self) -> str:
        """Return what is asked of the groups, if it is not their gap, see `Comparison.asks`."""
        return asked_of(self.term, self.axes)

    @property
    def is_of_emotion(self) -> bool:
        """Return whether it says how a difference differs between emotions."""
        return self.asks == EMOTION

    @property
    def is_whole(self) -> bool:
        """Return whether it sums up other rows, those of all levels or of all emotions."""
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
        """Return what else a reader must know, in English."""
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
        lists = {key: [list(word) for word in self[key]] for key in LISTS if self[key] is not None}
        return {**self, **lists, "notes": [note.to_dict() for note in self.notes]}

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
            elif kind == "flag":
                values[key] = check_flag(value, f"{path}.{key}")
            elif kind == "words":
                values[key] = _read_words(value, f"{path}.{key}")
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
    """Return what no measurement can give, such as a p above 1 or an interval without its effect; else empty."""
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


def _read_words(value: Any, path: str) -> tuple[Any, ...] | None:
    """Read words with both their forms."""
    if value is None:
        return None
    words = [tuple(check_texts(word, f"{path}[{i}]")) for i, word in enumerate(check_list(value, path))]
    if any(len(word) != WORD_AND_FORMS for word in words):
        raise ResultError(f"{path} has a word without both its forms; expected lists of a word and two forms")
    return tuple(words)


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

NUMBERS: Final = tuple(name for name, kind in _KINDS.items() if kind in ("number", "count"))
"""Columns of numbers, whole or not."""

COUNTS: Final = tuple(name for name, kind in _KINDS.items() if kind == "count")
"""Columns of whole numbers."""

LISTS: Final = tuple(name for name, kind in _KINDS.items() if kind == "words")
"""Columns of lists of words."""

FLAGS: Final = tuple(name for name, kind in _KINDS.items() if kind == "flag")
"""Columns of truth values."""

TEXTS: Final = (*(name for name, kind in _KINDS.items() if kind in ("text", "state")), "rough", "note")
"""Columns of text."""

_KNOWN: Final = frozenset({*LEADING, *TERM_KEYS, "notes", "pairwise"})
