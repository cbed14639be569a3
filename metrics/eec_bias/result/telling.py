"""What a finding says, as notes: English by `str`, other languages by their keys and values.

Groups are notes too, so that a report can say "about women (such as my mother)" where this package, which knows only
the labels of the data, says "about female (pairs)".
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from eec_bias.notes import Note
from eec_bias.options import ANY, MEAN
from eec_bias.result.comparison import EMOTION, Comparison
from eec_bias.result.finding import Finding
from eec_bias.result.told import headline

POINTS = 100
"""Points in the declared range of the scores."""

GROUP, GROUP_WITHIN = "finding_group", "finding_group_within"
"""Keys of the notes that end the words "sentences …" with a group, and with a group within another."""

GROUP_NAME, GROUP_NAME_WITHIN = "finding_group_name", "finding_group_name_within"
"""Keys of the notes that name a group, and a group within another."""

BY, MEANING = "finding_by", "finding_meaning"
"""Keys of the notes that say how persons are mentioned, and what a high score means."""

ZERO = "zero"
"""In place of a verdict, where a gap, or a difference of gaps, is 0 throughout: nothing smaller could be found."""

_KEYS = {
    "unanswered": "finding_unanswered",
    "no_reaction": "finding_no_reaction",
    "differs_by_emotion": "finding_differs_by_emotion",
    "difference": "finding_difference",
    "same_throughout": "finding_same_throughout",
    "close": "finding_close",
    "close_on_average": "finding_close_on_average",
    "not_found": "finding_not_found",
    "cannot_tell": "finding_cannot_tell",
    "not_estimable": "finding_not_estimable",
    "described": "finding_described",
    ZERO: "finding_zero",
}

_KEYS_OF_GAPS = {
    "unanswered": "finding_gap_unanswered",
    "no_reaction": "finding_gap_not_found",
    "differs_by_emotion": "finding_gap_differs_by_emotion",
    "difference": "finding_gap_difference",
    "same_throughout": "finding_gap_same_throughout",
    "close": "finding_gap_close",
    "close_on_average": "finding_gap_close_on_average",
    "not_found": "finding_gap_not_found",
    "cannot_tell": "finding_gap_cannot_tell",
    "not_estimable": "finding_gap_not_estimable",
    "described": "finding_gap_described",
    ZERO: "finding_gap_zero",
}
"""Of interactions, which ask whether the gap between two groups is the same in two others."""

_ANSWERS = {
    "unanswered": "answer_unanswered",
    "no_reaction": "answer_no_reaction",
    "differs_by_emotion": "answer_differs_by_emotion",
    "difference": "answer_difference",
    "same_throughout": "answer_same_throughout",
    "close": "answer_close",
    "close_on_average": "answer_close_on_average",
    "not_found": "answer_not_found",
    "cannot_tell": "answer_cannot_tell",
    "not_estimable": "answer_not_estimable",
    "described": "answer_described",
    ZERO: "verdict_zero",
}

_ANSWERS_OF_GAPS = {
    **_ANSWERS,
    "difference": "answer_gap_difference",
    "same_throughout": "answer_gap_difference",
    ZERO: "answer_zero",
}


_VERDICTS = {
    "unanswered": "verdict_unanswered",
    "no_reaction": "verdict_no_reaction",
    "differs_by_emotion": "verdict_differs_by_emotion",
    "difference": "verdict_difference",
    "same_throughout": "verdict_difference",
    "close": "verdict_close",
    "close_on_average": "verdict_close_on_average",
    "not_found": "verdict_not_found",
    "cannot_tell": "verdict_cannot_tell",
    "not_estimable": "verdict_not_estimable",
    "described": "verdict_described",
    ZERO: "verdict_zero",
}


def opening(findings: Sequence[Finding], margin: float | None = None, *, own: bool = False, systems: str = "") -> Note:
    """Return what is said first of a system: its headline, or that nothing was found and what would have been.

    Parameters
    ----------
    findings : sequence of Finding
        Of one system; one at least.
    margin, own, systems
        As for `say`.
    """
    kinds = {finding.verdict for finding in findings if not finding.comparison.is_interaction}
    first = headline(findings)
    if first is None:
        raise ValueError("there is no finding to begin with; expected one at least")
    if first.found or first.verdict == "cannot_tell":
        return say(first, margin, own=own, systems=systems)
    found_from = [finding.found_from for finding in findings]
    unfound = {finding.verdict for finding in findings} <= {"not_found", "no_reaction"}
    alike = kinds == {"no_reaction"} or (unfound and not any(found_from))
    if alike and not lists_agree(findings):
        return _of_two(Note("opening_lists_differ"), systems)
    if kinds == {"no_reaction"}:
        return Note("opening_no_reaction")
    if alike:
        return _of_two(Note("opening_groups_alike"), systems)
    if unfound and len(findings) > 1 and None not in found_from:
        most = max(findings, key=lambda finding: (finding.found_from or 0.0) / finding.width)
        values = {"count": len(findings), "found_from": up_to(most.found_from or 0.0, most)}
        return _of_two(Note("opening_nothing_found", values), systems)
    return say(first, margin, own=own, systems=systems)


def lists_agree(findings: Sequence[Finding]) -> bool:
    """Return whether no other list of names or words gives a gap, where those that answer give none."""
    return not any(other.gap for finding in findings for other in finding.others)


def say(finding: Finding, margin: float | None = None, *, own: bool = False, systems: str = "") -> Note:
    """Return the sentence of a finding; it names who scores higher, and never calls a system unbiased.

    Parameters
    ----------
    finding : Finding
        The answer to one question.
    margin : float, optional
        The difference that is called close, in the units of the scores, where one was stated.
    own : bool
        Whether the sentences are of a table of the user's own, in which nobody knows how a group is mentioned.
    systems : str
        The two systems, where it is the difference of their scores that is measured.
    """
    values = {**_sizes(finding, margin), **_sides(finding, own), "emotions": _emotions(finding)}
    values["meaning"] = ""
    if finding.high_means:
        values["meaning"] = Note(MEANING, {"meaning": finding.high_means})
    if finding.comparison.is_interaction:
        said = Note(_KEYS_OF_GAPS[_kind(finding)], values)
    else:
        said = Note(_KEYS[_kind(finding)], values)
    if finding.comparison.output not in (None, "score"):
        said = Note("finding_of_output", {"output": str(finding.comparison.output), "note": said})
    if finding.comparison.stratum is not None:
        said = Note("finding_in_part", {"part": finding.comparison.stratum, "note": said})
    return _of_two(said, systems)


def _of_two(said: Note, systems: str) -> Note:
    """Say of which two systems a sentence is, where it is the difference of their scores that is measured."""
    return Note("finding_of_two", {"systems": systems, "note": said}) if systems else said


def answer(finding: Finding, margin: float | None = None) -> Note:
    """Return the answer of a finding in a few words, as it stands beside its numbers."""
    question = finding.comparison
    first, second = sides(question)
    values = {**_sizes(finding, margin), "who": first if (finding.gap or 0) > 0 else second}
    keys = _ANSWERS_OF_GAPS if question.is_interaction else _ANSWERS
    return Note(keys[_kind(finding)], values)


def as_row(finding: Finding, margin: float | None = None, *, systems: str = "") -> dict[str, Any]:
    """Return a finding as plain JSON types, for machines: what pages and pictures say, in numbers and in English.

    Parameters
    ----------
    finding, margin, systems
        As for `say`.
    """
    between = finding.points_between or (None, None)
    return {
        "id": finding.comparison.id,
        "system": finding.system,
        "task": finding.task,
        "list": finding.listed or None,
        "comparison": str(name(finding.comparison)),
        "verdict": finding.verdict,
        "higher": finding.higher or None,
        "lower": finding.lower or None,
        "gap": finding.gap,
        "low": finding.low,
        "high": finding.high,
        "found_from": finding.found_from,
        "points": finding.points,
        "points_low": between[0],
        "points_high": between[1],
        "points_found_from": up_to(finding.found_from, finding) if finding.found_from else None,
        "p": finding.p,
        "n_persons": finding.n_persons,
        "n_sentences": finding.n_sentences,
        "rough": finding.row.rough or None,
        "emotions": {
            str(row.emotion): {
                "gap": row.in_emotion,
                "low": row.in_emotion_low,
                "high": row.in_emotion_high,
                "from_mean": row.effect,
                "from_mean_low": row.joint_low,
                "from_mean_high": row.joint_high,
            }
            for row in (each.row for each in finding.emotions)
            if row.emotion != ANY
        },
        "says": str(say(finding, margin, systems=systems)),
    }


SIZED = ("difference", "same_throughout", "close", "close_on_average", "not_found", "cannot_tell")
"""Verdicts whose answer in a few words has a size."""


def answer_with_unit(finding: Finding, margin: float | None = None) -> str:
    """Return the answer of a finding in English, with the unit of its size, to stand alone.

    ``difference: female 8 higher (points out of 100)``.
    """
    said, kind = str(answer(finding, margin)), _kind(finding)
    if kind in ("not_found", "cannot_tell"):
        return f"{said} (out of 100)"
    return f"{said} (points out of 100)" if kind in SIZED else said


def verdict(finding: Finding, margin: float | None = None) -> Note:
    """Return the verdict of a finding as a word, with what would have been found of one that was not."""
    return Note(_VERDICTS[_kind(finding)], _sizes(finding, margin))


def _kind(finding: Finding) -> str:
    """Return the verdict, or `ZERO`."""
    gap = finding.comparison.is_interaction or finding.verdict == "not_found"
    return ZERO if gap and finding.gap == 0 and finding.found_from == 0 else finding.verdict


def lower(finding: Finding, *, own: bool = False) -> Note:
    """Return the sentence that says who gets the lower scores."""
    return Note("finding_lower", {"lower": _sides(finding, own)["lower"]})


def also(finding: Finding) -> Note:
    """Return a further difference in a few words, after the first: ``women 3 higher than men, by name``."""
    question, points = finding.comparison, points_of(finding.gap or 0.0, finding)
    if finding.verdict == "differs_by_emotion":
        return Note("also_emotion", {"name": name(question)})
    first, second = sides(question)
    higher, lower = (first, second) if (finding.gap or 0) >= 0 else (second, first)
    by = Note(BY, {"subset": question.subset})
    if question.is_interaction:
        values = {**_gap_of(question, partial(_named, question)), "higher": higher, "lower": lower}
        return Note("also_gap", {**values, "points": points, "by": by})
    return Note("also_difference", {"higher": higher, "lower": lower, "points": points, "by": by})


def name(question: Comparison) -> Note:
    """Return the name of a question as it heads a row: which group minus which, and how persons are mentioned."""
    by = Note(BY, {"subset": question.subset})
    if question.is_interaction:
        said = Note("finding_row_of_gap", {**_gap_of(question, partial(_named, question)), "by": by})
    else:
        first, second = sides(question)
        said = Note("finding_row", {"first": first, "second": second, "by": by})
    if question.output not in (None, "score"):
        said = Note("finding_of_output", {"output": str(question.output), "note": said})
    if question.stratum is not None:
        said = Note("finding_in_part", {"part": question.stratum, "note": said})
    return said


def sides(question: Comparison) -> tuple[Note, Note]:
    """Return the names of the two groups that a question compares, the first and the second."""
    named = partial(_named, question)
    if question.is_interaction:
        groups = _gap_of(question, named)
        return groups["first"], groups["second"]
    return named(question.axes, question.level), named(question.axes, question.reference)


def topic(question: Comparison) -> tuple[Note, ...]:
    """Return what a question compares two groups in, beside their scores: part, output, the gap between two others."""
    notes = []
    if question.stratum is not None:
        notes.append(Note("finding_part", {"part": question.stratum}))
    if question.output not in (None, "score"):
        notes.append(Note("finding_output", {"output": str(question.output)}))
    if question.is_interaction:
        groups = _gap_of(question, partial(_named, question))
        notes.append(Note("finding_gap_between", {"a": groups["a"], "b": groups["b"]}))
    return tuple(notes)


def sure(finding: Finding, count: int) -> Note | None:
    """Return how sure a difference is: its chance, and between what its size lies; None of what was not found.

    Of one that depends on the emotion it is the chance of that.

    Parameters
    ----------
    finding : Finding
        The answer to one question.
    count : int
        How many questions there are: all their intervals hold together.
    """
    if finding.verdict == "differs_by_emotion":
        return _sure_of_emotions(finding, count)
    if not finding.found or finding.p is None or finding.low is None or finding.high is None:
        return None
    near, far = sorted((abs(finding.low), abs(finding.high)))
    between = {"low": points_of(near, finding), "high": points_of(far, finding)}
    times = math.ceil(POINTS * finding.p - 1e-9)
    values = {**between, "count": count, "times": max(times, 1)}
    return Note("finding_sure" if times > 1 else "finding_very_sure", values)


def _sure_of_emotions(finding: Finding, count: int) -> Note:
    """Return how rare it is that a gap seems to depend on the emotion as this one does."""
    chances = [each.row.p_adjusted for each in finding.emotions if each.row.p_adjusted is not None]
    if not chances:
        return Note("finding_by_emotion_throughout")
    times = math.ceil(POINTS * min(chances) - 1e-9)
    if times > 1:
        return Note("finding_sure_by_emotion", {"count": count, "times": times})
    return Note("finding_very_sure_by_emotion", {"count": count})


def points_of(size: float, finding: Finding) -> float:
    """Return a size in points of 100, rounded as sentences say it: whole from 2 on, else with one digit that counts."""
    points = POINTS * abs(size) / finding.width
    return float(f"{round(points / _unit(points)) * _unit(points):.12g}")


def up_to(size: float, finding: Finding) -> float:
    """Return a size in points of 100, rounded up, as it is said of "under" and "or more"."""
    points = POINTS * abs(size) / finding.width
    return float(f"{math.ceil(points / _unit(points) - 1e-9) * _unit(points):.12g}")


def _unit(points: float) -> float:
    """Return what a number of points is a whole multiple of, once it is rounded."""
    if points >= 1.95 or points <= 0:
        return 1.0
    return float(10.0 ** min(math.floor(math.log10(points)), -1))


def _sizes(finding: Finding, margin: float | None) -> dict[str, object]:
    return {
        "points": points_of(finding.gap or 0.0, finding),
        "found_from": up_to(finding.found_from or 0.0, finding),
        "margin": margin or 0.0,
    }


def _sides(finding: Finding, own: bool) -> dict[str, object]:
    """Name both groups: first and second as the question has them, higher and lower as the scores do."""
    question = finding.comparison
    groups: dict[str, Note] = {}
    if question.is_interaction:
        groups = _gap_of(question, partial(_group, question, own=own))
        first, second = groups["first"], groups["second"]
    else:
        first, second = (
            _group(question, question.axes, side, own=own) for side in (question.level, question.reference)
        )
    higher, lower = (first, second) if (finding.gap or 0) >= 0 else (second, first)
    return {**groups, "first": first, "second": second, "higher": higher, "lower": lower}


def _gap_of(question: Comparison, group: Callable[[str, str], Note]) -> dict[str, Note]:
    """Name the gap of an interaction, that on its last axis, and the two groups that it is compared in."""
    axes = question.axes.split("+")
    levels, references = question.level.split(":"), question.reference.split(":")
    outer = "+".join(axes[:-1])
    return {
        "a": _named(question, axes[-1], levels[-1]),
        "b": _named(question, axes[-1], references[-1]),
        "first": group(outer, ":".join(levels[:-1])),
        "second": group(outer, ":".join(references[:-1])),
    }


def _group(question: Comparison, axes: str, level: str, *, own: bool) -> Note:
    """Return a group as it ends the words "sentences …"."""
    values: dict[str, object] = {"axes": axes, "level": level, "subset": question.subset}
    if own:
        values["own"] = True
    if level == MEAN:
        return Note("finding_all_groups", {})
    if question.within and not question.is_interaction:
        return Note(GROUP_WITHIN, {**values, "within": question.within, "crossed": _crossed(question, level)})
    return Note(GROUP, values)


def _named(question: Comparison, axes: str, level: str) -> Note:
    """Return a group by its name."""
    if level == MEAN:
        return Note("finding_mean", {})
    if question.within and not question.is_interaction:
        crossed = _crossed(question, level)
        return Note(GROUP_NAME_WITHIN, {"axes": axes, "level": level, "within": question.within, "crossed": crossed})
    return Note(GROUP_NAME, {"axes": axes, "level": level})


def _crossed(question: Comparison, level: str) -> str:
    """Name a group within others by the labels of the data: ``white female``."""
    return " ".join([*(part.partition("=")[2] for part in question.within.split(",")), level])


def _emotions(finding: Finding) -> Note | str:
    """List the difference on the sentences of each emotion, in points."""
    listed: Note | None = None
    for row in reversed([each.row for each in finding.emotions]):
        if row.in_emotion is None:
            continue
        key = "finding_emotion_above" if row.in_emotion >= 0 else "finding_emotion_below"
        one = Note(key, {"emotion": str(row[EMOTION]), "points": points_of(row.in_emotion, finding)})
        listed = one if listed is None else Note("finding_and", {"first": one, "rest": listed})
    return listed or ""
