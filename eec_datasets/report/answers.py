"""The answer of one finding in words: what a row, a cell and a line of a terminal say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eec_datasets.report.entries import PageFinding
from eec_datasets.report.measured import EmotionGapLike
from eec_datasets.report.numbers import EXACT, Rounding
from eec_datasets.report.say import MEAN, GroupPhrases, Say
from eec_datasets.report.text import Text, joined, of
from eec_datasets.report.view import Mark, MarkKind

SEPARATOR = " · "
FEW_NAMES = ("few_persons_in_group", "few_families", "few_degrees_of_freedom_over_families")
FEW_ITEMS = ("few_items",)


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """An answer: its words, and its detail such as the range of the true gap."""

    words: Text
    detail: Text = ()

    @property
    def whole(self) -> Text:
        """Words and detail in one line."""
        return joined([self.words, self.detail], SEPARATOR)


def sides_by_score(say: Say, entry: PageFinding, gap: float) -> tuple[GroupPhrases, GroupPhrases, str]:
    """Return who scores higher, who lower, and the word for it; against the mean the group stays the subject."""
    first, second = say.groups(entry.finding.comparison)
    if gap >= 0:
        return first, second, say.more(entry.meaning)
    if entry.finding.comparison.reference == MEAN:
        return first, second, say.less(entry.meaning)
    return second, first, say.more(entry.meaning)


def answer(say: Say, entry: PageFinding) -> AnswerWords:
    """Say the answer of a finding, read off the interval that is drawn."""
    kind = entry.answer
    worded = ANSWERS.get(kind)
    return worded(say, entry) if worded else AnswerWords(say(f"answer.{kind}"))


def _gap(say: Say, entry: PageFinding) -> AnswerWords:
    finding = entry.finding
    if entry.by_emotion_only:
        return _gap_in_emotions(say, entry)
    if entry.gap is None:
        raise ValueError(f"a gap was found in {finding.comparison.id} without a size; expected a number")
    words = gap_words(say, entry, entry.gap)
    if finding.throughout or entry.low is None or entry.high is None:
        detail = say("answer.throughout")
    else:
        detail = say("answer.gap_detail", range=say.range(entry.low, entry.high, entry.rounding))
    margin = entry.margin
    if finding.within_margin and margin is not None:
        detail = say("answer.within_margin", n=say.number(margin, 0 if float(margin).is_integer() else 1))
    return AnswerWords(words, detail)


def gap_words(say: Say, entry: PageFinding, gap: float, key: str = "answer.gap_found") -> Text:
    """Say who scores how much higher: *Gap: women 8 more positive*."""
    higher, _, more = sides_by_score(say, entry, gap)
    n = say.bare(gap, entry.rounding)
    if entry.finding.comparison.is_interaction:
        who, whom = say.compared_gap(entry.finding.comparison)
        scored = say("answer.gap_interaction", who=who.people, whom=whom.people, n=n, more=more)
        return joined([scored, higher.scope])
    if entry.finding.comparison.reference == MEAN and key == "answer.gap_found":
        return say("answer.gap_level", n=n, more=more)
    return say(key, who=higher.who, n=n, more=more)


def _gap_in_emotions(say: Say, entry: PageFinding) -> AnswerWords:
    found = entry.found_emotions
    if not found:
        return AnswerWords(say("answer.emotions_differ"))
    largest = max(found, key=lambda each: abs(each.gap))
    higher, _, more = sides_by_score(say, entry, largest.gap)
    emotions = say.listing([of(say.emotion(each.emotion)) for each in found])
    words = say(
        "answer.emotion_gap",
        emotion=emotions,
        who=higher.who,
        n=sizes(say, entry, found),
        more=more,
    )
    low, high = outer_range(entry, found)
    return AnswerWords(words, say("answer.emotion_gap_detail", range=say.range(low, high, entry.rounding)))


def sizes(say: Say, entry: PageFinding, emotions: Sequence[EmotionGapLike]) -> str:
    """Write the gap of some emotions: *9*, or *8 to 10* if they differ."""
    rounding = entry.rounding
    near = sorted(rounding.near(each.gap * entry.factor) for each in emotions)
    if near[0] == near[-1]:
        return say.bare(max((each.gap * entry.factor for each in emotions), key=abs), rounding)
    first, last = (say.number(size, rounding.decimals) for size in (near[0], near[-1]))
    return say.text("number.range", low=first, high=last)


def outer_range(entry: PageFinding, emotions: Sequence[EmotionGapLike]) -> tuple[float, float]:
    """Return the range that holds the true gaps of some emotions, as sizes."""
    ends = [abs(end * entry.factor) for each in emotions for end in (each.low, each.high)]
    return min(ends), max(ends)


def _turns(say: Say, entry: PageFinding) -> AnswerWords:
    found = entry.found_emotions
    first, _, more = sides_by_score(say, entry, found[0].gap)
    same = [each for each in found if each.gap * found[0].gap > 0]
    words = say(
        "answer.emotion_gap",
        emotion=say.listing([of(say.emotion(each.emotion)) for each in same]),
        who=first.who,
        n=sizes(say, entry, same),
        more=more,
    )
    low, high = outer_range(entry, found)
    return AnswerWords(words, say("answer.turns", range=say.range(low, high, entry.rounding)))


def emotion_words(say: Say, entry: PageFinding, emotion: EmotionGapLike, key: str) -> Text:
    """Say the gap in one emotion: *men 9 more positive*."""
    gap = emotion.gap * entry.factor
    if not emotion.found:
        low, high = emotion.low * entry.factor, emotion.high * entry.factor
        return joined([say("answer.none_detected"), of(say.at_most(low, high, entry.rounding))], SEPARATOR)
    higher, _, more = sides_by_score(say, entry, gap)
    return say(key, who=higher.who, n=say.bare(gap, entry.rounding), more=more)


def _none(say: Say, entry: PageFinding) -> AnswerWords:
    if entry.low is None or entry.high is None:
        return AnswerWords(say("answer.none_detected"))
    margin = entry.margin
    if margin is not None and entry.answer == "close" and (entry.reach or 0.0) <= margin:
        shown = say.number(margin, 0 if float(margin).is_integer() else 1)
        return AnswerWords(say("answer.none_detected"), say("answer.close", n=shown))
    return AnswerWords(say("answer.none_detected"), of(say.at_most(entry.low, entry.high, entry.rounding)))


def none_in_any_emotion(say: Say, entry: PageFinding) -> AnswerWords:
    """Say that no gap was detected in any emotion, and how far one could reach."""
    low, high = emotion_range(entry)
    return AnswerWords(say("answer.none_any"), of(say.at_most(low, high, entry.rounding)))


def emotion_range(entry: PageFinding) -> tuple[float, float]:
    """Return the outer ends of the ranges of all emotions, and of the gap over them."""
    ends = [end * entry.factor for each in entry.finding.emotions for end in (each.low, each.high)]
    ends += [end for end in (entry.low, entry.high) if end is not None]
    return min(ends), max(ends)


def _inconclusive(say: Say, entry: PageFinding) -> AnswerWords:
    if entry.low is None or entry.high is None:
        return AnswerWords(say("answer.inconclusive"))
    far = entry.reach or 0.0
    up_to = say.text("number.up_to", n=say.reach(far, far, entry.rounding))
    if entry.open_emotion is not None:
        up_to = say.text("number.in_emotion", size=up_to, emotion=say.emotion(entry.open_emotion.emotion))
    if entry.pairs_needed is not None:
        pairs = say.count("pairs", entry.pairs_needed)
        return AnswerWords(say("answer.inconclusive"), say("answer.inconclusive_needs", up_to=up_to, pairs=pairs))
    few = few_words(say, entry)
    if few:
        return AnswerWords(say("answer.inconclusive"), say("answer.inconclusive_few", up_to=up_to, few=few))
    return AnswerWords(say("answer.inconclusive"), of(up_to))


def few_words(say: Say, entry: PageFinding) -> str:
    """Say what a test has too few of: *40 names*; empty if it is not known."""
    finding = entry.finding
    if finding.reason is None:
        return ""
    if finding.reason.key in FEW_NAMES and finding.n_persons:
        return say.count("names", finding.n_persons)
    if finding.reason.key in FEW_ITEMS and finding.n_items:
        return say.count("kinds", finding.n_items)
    return ""


def _deaf(say: Say, entry: PageFinding) -> AnswerWords:
    heard, words = say.number(entry.feelings.heard), say.number(entry.feelings.words)
    return AnswerWords(say("answer.deaf"), say("answer.deaf_detail", heard=heard, words=words))


def _not_estimable(say: Say, entry: PageFinding) -> AnswerWords:
    reason = entry.finding.reason
    return AnswerWords(say("answer.not_estimable"), of(say.note(reason)) if reason else ())


def _described(say: Say, entry: PageFinding) -> AnswerWords:
    detail = say("answer.described_detail")
    if entry.gap is None or abs(entry.gap) < EXACT:
        return AnswerWords(say("answer.described_level"), detail)
    return AnswerWords(gap_words(say, entry, entry.gap, "answer.described"), detail)


ANSWERS: dict[str, Callable[[Say, PageFinding], AnswerWords]] = {
    "gap_found": _gap,
    "turns": _turns,
    "none_detected": _none,
    "close": _none,
    "inconclusive": _inconclusive,
    "deaf": _deaf,
    "described": _described,
    "not_estimable": _not_estimable,
}
"""Functions that word these answers; the other answers are words alone."""


def in_cell(say: Say, entry: PageFinding) -> Text:
    """Say the answer in the little room of a table of charts."""
    kind = entry.answer
    rounding: Rounding = entry.rounding
    if kind == "gap_found" and not entry.by_emotion_only and entry.gap is not None:
        return gap_words(say, entry, entry.gap, "answer.cell_gap")
    if entry.low is None or entry.high is None or kind not in ("none_detected", "close", "inconclusive"):
        return answer(say, entry).words
    far = entry.reach or 0.0
    n = say.reach(far, far, rounding)
    if kind == "inconclusive":
        up_to = say.text("number.up_to", n=n)
        if entry.open_emotion is not None:
            up_to = say.text("number.in_emotion", size=up_to, emotion=say.emotion(entry.open_emotion.emotion))
        return joined([say("answer.inconclusive"), of(up_to)], SEPARATOR)
    key = "under" if rounding.is_under(far) else "at_most"
    return joined([say("answer.none_detected"), say(f"number.{key}", n=n)], SEPARATOR)


def after_status(say: Say, entry: PageFinding) -> Text:
    """Say an answer after its status: who and how much of a gap, else how far one could reach."""
    said = answer(say, entry)
    if entry.answer == "gap_found" and entry.clear and entry.low is not None and entry.high is not None:
        shown: Text = of(say.range(entry.low, entry.high, entry.rounding))
        if entry.finding.throughout:
            shown = say("answer.throughout")
        return say("answer.brief", gap=in_cell(say, entry), range=shown)
    if entry.found:
        return said.whole
    return said.detail or said.words


MARKS: dict[str, MarkKind] = {
    "gap_found": "found",
    "inconclusive": "open",
    "described": "described",
}


def mark(entry: PageFinding) -> Mark | None:
    """Return the dot and line of a finding; None if there is nothing to draw."""
    if entry.answer in ("unanswered", "not_estimable") or entry.gap is None:
        return None
    if entry.answer in ("no_reaction", "deaf"):
        return Mark("none", 0.0)
    kind = MARKS.get(entry.answer, "none")
    if entry.by_emotion_only:
        kind = "none"
    if kind == "described":
        return Mark(kind, entry.gap)
    gap, low, high = entry.drawn or (entry.gap, entry.low, entry.high)
    return Mark(kind, gap, low, high)


def emotion_mark(entry: PageFinding, emotion: EmotionGapLike) -> Mark:
    """Return the dot and line of one emotion."""
    kind: MarkKind = "found" if emotion.found else "none"
    low, high = emotion.low * entry.factor, emotion.high * entry.factor
    return Mark(kind, emotion.gap * entry.factor, low, high)
