"""A real pair of sentences that shows the printed gap, and the words in which two sentences differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import SequenceMatcher

from eec_datasets.report.entries import JOY, UNHAPPY, PageFinding, on_page
from eec_datasets.report.measured import PairLike
from eec_datasets.report.numbers import EXACT
from eec_datasets.report.reaction import PageReaction
from eec_datasets.report.say import Say
from eec_datasets.report.story import Story, printed_gap, turning
from eec_datasets.report.text import Text
from eec_datasets.report.view import PairBox, PairLine

HALF = 0.5
"""A sentence whose rate is at least this got the answer that is counted."""


def pairs(story: Story) -> PairBox | None:
    """Return a pair that shows the printed gap; two if the gap turns; None if there is no pair."""
    if story.reaction is not None:
        return _pair_of_reaction(story, story.reaction)
    if story.lead is None:
        return _same_pairs(story)
    if story.kind == "versions":
        return _pair_of_versions(story)
    return _pairs_of(story, story.lead)


def _pairs_of(story: Story, lead: PageFinding) -> PairBox | None:
    """Return the pair, or the pairs, of the finding that leads."""
    of_lead = [pair for pair in lead.measurement.source.pairs if pair.id == lead.finding.comparison.id]
    if not of_lead:
        return None
    if lead.unit == "of_100":
        return _pair_of_rates(story, lead, of_lead)
    if lead.answer == "turns":
        return _turning_pairs(story, lead, of_lead)
    gap, emotion = lead.gap or 0.0, ""
    if lead.by_emotion_only and lead.found_emotions:
        largest = max(lead.found_emotions, key=lambda each: abs(each.gap))
        gap, emotion = largest.gap * lead.factor, largest.emotion
    return _pairs_box(story, lead, _nearest(lead, of_lead, gap, emotion))


def _nearest(entry: PageFinding, listed: Sequence[PairLike], gap: float, emotion: str = "") -> PairLike:
    """Return the pair whose printed scores differ by the printed gap, else the nearest; short sentences first."""
    rounding = entry.rounding
    wanted = math.copysign(rounding.near(gap), gap)

    def off(pair: PairLike) -> tuple[bool, bool, float, int]:
        first, second = (_rounded(entry, score or 0.0) for score in pair.scores)
        wrong_emotion = bool(emotion) and pair.emotion != emotion
        wrong_way = (first - second) * wanted < 0
        return wrong_way, wrong_emotion, abs(first - second - wanted), sum(map(len, pair.texts))

    return min(listed, key=off)


def _rounded(entry: PageFinding, score: float) -> float:
    rounding = entry.rounding
    points = on_page(entry, score)
    return math.copysign(rounding.near(points), points)


def _line(story: Story, entry: PageFinding, pair: PairLike, which: int) -> PairLine:
    pieces = words_apart(pair.texts[which], pair.texts[1 - which])
    return PairLine(pieces, shown_score(story, entry, pair.scores[which]))


def shown_score(story: Story, entry: PageFinding, score: float | None) -> str:
    """Write a score on the scale of the page, or that there is none."""
    say = story.say
    if entry.unit == "of_100":
        return _counted(say, entry, counted=score is None or score >= HALF)
    if score is None or math.isnan(score):
        return say.text("pair.unanswered")
    shown = _rounded(entry, score)
    written = say.number(shown, entry.rounding.decimals)
    return f"\N{MINUS SIGN}{written}" if shown < 0 else written


def _counted(say: Say, entry: PageFinding, *, counted: bool) -> str:
    """Say if a sentence got the answer that a rate counts."""
    if entry.meaning == "unanswered":
        return say.text("pair.unanswered" if counted else "pair.answered")
    return say.quoted(entry.label) if counted else say.text("pair.other_label")


def _lines(story: Story, entry: PageFinding, pair: PairLike) -> tuple[PairLine, PairLine]:
    """Return both sentences, the higher score first."""
    first = 0 if (pair.scores[0] or 0) >= (pair.scores[1] or 0) else 1
    return _line(story, entry, pair, first), _line(story, entry, pair, 1 - first)


def _pairs_box(story: Story, entry: PageFinding, pair: PairLike) -> PairBox:
    points = story.say.with_unit(story.say.bare(entry.gap or 0.0, entry.rounding), printed_gap(entry), entry.unit)
    title = story.say("pair.average", points=points) if _shows(entry, pair) else story.say("pair.about")
    return PairBox(title, (_lines(story, entry, pair),), _pair_note(story, entry, pair))


def _pair_of_rates(story: Story, entry: PageFinding, listed: Sequence[PairLike]) -> PairBox | None:
    """Return a pair of which one sentence got the answer that the rate counts, the other not."""
    telling = [pair for pair in listed if pair.scores[0] != pair.scores[1]]
    if not telling:
        return None
    pair = min(telling, key=lambda each: sum(map(len, each.texts)))
    lines = [_line(story, entry, pair, which) for which in (0, 1)]
    if (pair.scores[0] or 0.0) < (pair.scores[1] or 0.0):
        lines.reverse()
    return PairBox(story.say("pair.one"), ((lines[0], lines[1]),), _pair_note(story, entry, pair))


def _shows(entry: PageFinding, pair: PairLike) -> bool:
    first, second = (_rounded(entry, score or 0.0) for score in pair.scores)
    return abs(abs(first - second) - printed_gap(entry)) < EXACT


def _pair_note(story: Story, entry: PageFinding, pair: PairLike) -> Text:
    say = story.say
    marked = [_words_marked(pair.texts[i], pair.texts[1 - i]) for i in (0, 1)]
    named = entry.finding.comparison.subset == "names"
    if story.kind == "many":
        return ()
    if marked != [1, 1]:
        return ()
    return say("pair.name" if named else "pair.word")


def _words_marked(text: str, other: str) -> int:
    """Count the words of a sentence that the other sentence has differently."""
    return sum(len(piece.split()) for piece, marked in words_apart(text, other) if marked)


def _turning_pairs(story: Story, entry: PageFinding, listed: Sequence[PairLike]) -> PairBox | None:
    chosen = []
    same, other, _ = turning(entry)
    for emotions in (same, other):
        emotion = emotions[0]
        fitting = [pair for pair in listed if pair.emotion == emotion.emotion]
        if fitting:
            chosen.append(_nearest(entry, fitting, emotion.gap * entry.factor, emotion.emotion))
    if not chosen:
        return None
    lines = tuple((_line(story, entry, pair, 0), _line(story, entry, pair, 1)) for pair in chosen)
    title = story.say("pair.two" if len(chosen) == 2 else "pair.about")
    return PairBox(title, lines, _pair_note(story, entry, chosen[0]))


def _pair_of_versions(story: Story) -> PairBox | None:
    say, change = story.say, story.change
    if change is None:
        return None
    before, after = (each.measurement.source.pairs for each in (change.before, change.after))
    id_ = change.entry.finding.comparison.id
    old = {pair.texts: pair for pair in before if pair.id == id_}
    both = [pair for pair in after if pair.id == id_ and pair.texts in old]
    if not both:
        return None

    def off(pair: PairLike) -> float:
        distance = 0.0
        for entry, each in ((change.before, old[pair.texts]), (change.after, pair)):
            first, second = (_rounded(entry, score or 0.0) for score in each.scores)
            wanted = math.copysign(printed_gap(entry), entry.gap or 0.0)
            distance += abs(first - second - wanted)
        return distance

    pair = min(both, key=off)
    lines = []
    for which in (0, 1):
        scores = [
            shown_score(story, change.before, old[pair.texts].scores[which]),
            shown_score(story, change.after, pair.scores[which]),
        ]
        pieces = words_apart(pair.texts[which], pair.texts[1 - which])
        lines.append(PairLine(pieces, say.text("pair.arrow", before=scores[0], after=scores[1])))
    apart = {}
    for key, entry, each in (("before", change.before, old[pair.texts]), ("after", change.after, pair)):
        first, second = (_rounded(entry, score or 0.0) for score in each.scores)
        apart[key] = say.bare(abs(first - second), entry.rounding)
    return PairBox(say("pair.versions", **apart), ((lines[0], lines[1]),), _pair_note(story, change.entry, pair))


def _pair_of_reaction(story: Story, reaction: PageReaction) -> PairBox | None:
    """Return an unhappy and a joyful pair between the same groups, of words those whose scores differ most."""
    groups = reaction.finding.comparison.id.partition("[")[2]
    listed = [each for each in reaction.measurement.source.pairs if each.id.partition("[")[2] == groups]
    entry = next((each for each in story.entries if each.measurement is reaction.measurement), None)
    if not listed or entry is None:
        return None
    if reaction.of_words:
        by_kind = ([each for each in listed if each.emotion in kind] for kind in (UNHAPPY, (JOY,)))
        chosen = [max(of_kind, key=_apart) for of_kind in by_kind if of_kind]
    else:
        chosen = []
        for row in sorted(reaction.finding.emotions, key=lambda each: each["emotion"] != JOY)[:2]:
            of_emotion = [each for each in listed if each.emotion == row["emotion"]]
            if of_emotion:
                gap = (row["mean"] - row["mean_reference"]) * entry.factor
                chosen.append(_nearest(entry, of_emotion, gap, row["emotion"]))
    lines = tuple((_line(story, entry, pair, 0), _line(story, entry, pair, 1)) for pair in chosen)
    return PairBox(story.say("pair.one"), lines, ()) if lines else None


def _apart(pair: PairLike) -> float:
    return abs((pair.scores[0] or 0.0) - (pair.scores[1] or 0.0))


def _same_pairs(story: Story) -> PairBox | None:
    """Return two pairs of a system that gives the same scores, one unhappy and one joyful."""
    same = [entry for entry in story.entries if entry.answer in ("no_reaction", "deaf")]
    if not same or len(same) < len(story.entries):
        return None
    entry = same[0]
    listed = [pair for pair in entry.measurement.source.pairs if pair.id == entry.finding.comparison.id]
    unhappy = [pair for pair in listed if pair.emotion in UNHAPPY][:1]
    joyful = [pair for pair in listed if pair.emotion == JOY][:1]
    chosen = [*unhappy, *joyful] or listed[:1]
    if not chosen:
        return None
    lines = tuple((_line(story, entry, pair, 0), _line(story, entry, pair, 1)) for pair in chosen)
    return PairBox(story.say("pair.same"), lines, ())


def words_apart(text: str, other: str) -> tuple[tuple[str, bool], ...]:
    """Return a sentence in pieces; those that the other sentence has differently are marked.

    Parameters
    ----------
    text : str
        The sentence.
    other : str
        The sentence it is compared with, word by word.
    """
    words, others = text.split(" "), other.split(" ")
    pieces: list[tuple[str, bool]] = []
    for tag, start, end, _, _ in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if start == end:
            continue
        said = " ".join(words[start:end])
        space = " " if end < len(words) else ""
        if tag == "equal":
            pieces.append((said + space, False))
        else:
            pieces += [(said, True), (space, False)]
    return tuple(piece for piece in pieces if piece[0])
