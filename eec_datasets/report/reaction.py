"""Reactions on a page: whose feelings move the score less, and which words are heard about one group only."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eec_datasets.report.measured import MeasurementLike, ReactionLike
from eec_datasets.report.numbers import EXACT, share_of
from eec_datasets.report.say import GroupPhrases, Say
from eec_datasets.report.text import Text, capital, joined, of
from eec_datasets.report.view import Bar, Box, ChartRow, PageTable, Picture, WordChart, WordGroup, WordRow

MOST_WORDS = 12
"""So many words that are heard about one group only have a row; the others are counted."""

MOST_CONTROLS = 3
"""So many words with one form have a row."""

GLOSSES = "en"
"""The language of the words by which corpora of all languages name a feeling."""

HARDLY = 0.05
"""A reaction of less than this share of the other is hardly any."""

EQUALLY = 0.95
"""From this share of the other on a reaction is called as strong."""

AGREES = "agrees"


@dataclass(frozen=True, slots=True)
class PageReaction:
    """An answer on reactions with the measurement it is of."""

    measurement: MeasurementLike
    finding: ReactionLike

    @property
    def system(self) -> str:
        """The system it is about."""
        return self.finding.system or self.measurement.system

    @property
    def of_words(self) -> bool:
        """Tell if it counts words."""
        return self.finding.asks == "heard"

    @property
    def scale(self) -> tuple[float, float]:
        """Return what turns a score into a number of the page: its origin and its unit."""
        declared = self.measurement.result.facts.score_range
        return (0.0, 1.0) if declared is None else (declared[0], (declared[1] - declared[0]) / 100)

    def sides(self, say: Say) -> tuple[GroupPhrases, GroupPhrases]:
        """Return the group whose feelings count less, and the other."""
        comparison, level = self.finding.comparison, str(self.finding.row.level)
        first, second = say.groups(comparison)
        if level != comparison.level:
            first = say.group({comparison.axes: level}, comparison.subset)
            second = say.group({comparison.axes: str(self.finding.row.reference)}, comparison.subset)
        if self.finding.weaker == str(self.finding.row.level):
            return first, second
        return second, first


def reactions_of(measurements: Iterable[MeasurementLike]) -> list[PageReaction]:
    """Return all answers on reactions in the order of the measurements and their plans."""
    return [PageReaction(each, finding) for each in measurements for finding in each.result.reactions]


def leading(reactions: Sequence[PageReaction]) -> PageReaction | None:
    """Return the answer that a page leads with if it found no gap: words before ratios, then the clearest."""
    found = [each for each in reactions if each.finding.found]
    return min(found, key=lambda each: (not each.of_words, _chance(each)), default=None)


def of_versions(measurements: Iterable[MeasurementLike]) -> list[tuple[PageReaction, PageReaction]]:
    """Return the answers before and now of each question in which a version has a difference, words first."""
    pairs = []
    for each in measurements:
        if each.source.versions is None:
            continue
        before, after = (_by_question(version) for version in each.source.versions)
        pairs += [(before[asked], after[asked]) for asked in before.keys() & after.keys()]
    found = [pair for pair in pairs if any(version.finding.found for version in pair)]
    return sorted(found, key=lambda pair: (not pair[0].of_words, pair[0].finding.comparison.id))


def _by_question(version: MeasurementLike) -> dict[tuple[str | None, str], PageReaction]:
    return {(each.finding.system, each.finding.comparison.id): each for each in reactions_of([version])}


def _chance(entry: PageReaction) -> float:
    return 0.0 if entry.finding.p_adjusted is None else entry.finding.p_adjusted


# Sizes in words


def strength(say: Say, entry: PageReaction, ratio: float | None = None) -> Text:
    """Say how strong the weaker reaction is: *half as strongly*."""
    ratio = entry.finding.ratio if ratio is None else ratio
    return _strength(say, _weaker_ratio(entry, ratio))


def _strength(say: Say, ratio: float | None) -> Text:
    if ratio is None:
        return say("reaction.differently")
    if ratio < -EXACT:
        return say("reaction.reversed")
    if ratio < HARDLY:
        return say("reaction.hardly")
    return say("reaction.strength", share=say.share(min(ratio, 1.0), 1.0))


def _weaker_ratio(entry: PageReaction, ratio: float | None) -> float | None:
    """Return the ratio of the weaker reaction over the stronger one."""
    if ratio is None or entry.finding.weaker == str(entry.finding.row.level):
        return ratio
    return 1 / ratio if ratio else None


def _range(say: Say, entry: PageReaction) -> tuple[Text, Text]:
    """Say the ends of the true ratio, as shares of the stronger reaction."""
    ends = [entry.finding.low, entry.finding.high]
    if entry.finding.weaker != str(entry.finding.row.level):
        ends = [None if end is None else 1 / end for end in reversed(ends) if end is None or end != 0]
    low, high = ((*ends, None, None))[:2]
    return _share(say, low), _share(say, high)


def _share(say: Say, ratio: float | None) -> Text:
    if ratio is None:
        return say("reaction.any")
    if ratio < HARDLY:
        return say("reaction.nothing")
    name, _ = share_of(min(ratio, 1.0), 1.0)
    return say("share.nearly" if name == "whole" else f"share.{name}")


# Rows


def row(say: Say, entry: PageReaction) -> ChartRow:
    """Return the row of an answer, below the row of the gap between the same groups."""
    said, detail = answer(say, entry)
    label = say("reaction.row_words" if entry.of_words else "reaction.row")
    return ChartRow("main", label, answer=entry.finding.answer, said=said, detail=detail, tinted=entry.finding.found)


def answer(say: Say, entry: PageReaction) -> tuple[Text, Text]:
    """Say an answer, and its detail."""
    finding = entry.finding
    if finding.answer == "words_found":
        return _words_answer(say, entry)
    if finding.answer == "reaction_found":
        return _found_answer(say, entry)
    if finding.answer in ("none_detected", "close"):
        detail = _counts(say, entry) if entry.of_words else _none_detail(say, finding.low, finding.high)
        return say("answer.none_detected"), detail
    if finding.answer == "described":
        return strength(say, entry), say("answer.described_detail")
    return say(f"answer.{finding.answer}"), () if finding.reason is None else of(say.note(finding.reason))


def _found_answer(say: Say, entry: PageReaction) -> tuple[Text, Text]:
    weaker, _ = entry.sides(say)
    said = say("reaction.found", whose=weaker.whose, strength=strength(say, entry))
    if entry.finding.low is None and entry.finding.high is None:
        return said, say("answer.throughout")
    low, high = _range(say, entry)
    if low == high:
        return said, say("reaction.found_same", share=low)
    return said, say("reaction.found_detail", low=low, high=high)


def _none_detail(say: Say, low: float | None, high: float | None) -> Text:
    if low is None:
        return ()
    less = _share(say, max(1 - low, HARDLY))
    if high is None or high > 2:
        return say("reaction.none_open", less=less)
    return say("reaction.none_detail", less=less, more=_share(say, max(high - 1, HARDLY)))


def _words_answer(say: Say, entry: PageReaction) -> tuple[Text, Text]:
    weaker, stronger = entry.sides(say)
    few, many = _sizes(entry)
    words = say.number(entry.finding.row.words or 0)
    said = say("reaction.words_found", n=say.number(many), words=words, about=stronger.about)
    return said, say("reaction.words_detail", n=say.number(few), about=weaker.about)


def _counts(say: Say, entry: PageReaction) -> Text:
    first, second = say.groups(entry.finding.comparison)
    finding = entry.finding.row
    return say(
        "reaction.counts",
        a=say.number(finding.only_level or 0),
        about_a=first.about,
        b=say.number(finding.only_reference or 0),
        about_b=second.about,
    )


def _sizes(entry: PageReaction) -> tuple[int, int]:
    """Return how many words are heard only about the weaker group, and only about the other."""
    few, many = sorted((entry.finding.row.only_level or 0, entry.finding.row.only_reference or 0))
    return few, many


# The blocks of a page that leads with it


def headline(say: Say, entry: PageReaction, system: str) -> Text:
    """Say the finding as a headline."""
    weaker, stronger = entry.sides(say)
    if entry.of_words:
        _, many = _sizes(entry)
        words = say.number(entry.finding.row.words or 0)
        n = say.number(many)
        return say("reaction.headline_words", system=system, words=words, n=n, about=stronger.about)
    ratio = _weaker_ratio(entry, entry.finding.ratio)
    if ratio is None or ratio < HARDLY:
        said = strength(say, entry)
        return say("reaction.headline_hardly", system=system, a=weaker.whose, b=stronger.whose, strength=said)
    share = say.share(min(ratio, 1.0), 1.0)
    return say("reaction.headline", system=system, a=weaker.whose, b=stronger.whose, share=share)


def change_headline(say: Say, versions: tuple[PageReaction, PageReaction], new: Text) -> Text:
    """Say how many words each version hears about one group only, or how strongly it reacts."""
    found = next(each for each in reversed(versions) if each.finding.found)
    weaker, stronger = found.sides(say)
    if found.of_words:
        only = "only_reference" if found.finding.weaker == str(found.finding.row.level) else "only_level"
        before, after = (say.number(getattr(each.finding.row, only) or 0) for each in versions)
        words = say.number(found.finding.row.words or 0)
        return say(
            "reaction.headline_words_change", new=new, words=words, before=before, after=after, about=stronger.about
        )
    strengths = []
    for each in versions:
        ratio = _weaker_ratio(found, each.finding.ratio)
        equally = ratio is not None and ratio > EQUALLY
        strengths.append(say("reaction.equally") if equally else _strength(say, ratio))
    first, second = strengths
    return say("reaction.headline_change", new=new, a=weaker.whose, b=stronger.whose, before=first, after=second)


def guess(say: Say, entry: PageReaction) -> Text:
    """Say the best guess: a count of words is a fact, a ratio has a range."""
    weaker, stronger = entry.sides(say)
    if entry.of_words:
        few, many = _sizes(entry)
        counts = {"n": say.number(few), "many": say.number(many), "words": say.number(entry.finding.row.words or 0)}
        key = "reaction.guess_words" if few else "reaction.guess_words_none"
        return say(key, about=weaker.about, about_more=stronger.about, **counts)
    low, high = _range(say, entry)
    said = say("reaction.guess", strength=strength(say, entry), low=low, high=high)
    return joined([said, _by_class(say, entry)])


def _by_class(say: Say, entry: PageReaction) -> Text:
    agrees, same = entry.finding.agrees, entry.finding.same
    if agrees is None or same is None or agrees.ratio is None or same.ratio is None:
        return ()
    there, elsewhere = (_strength(say, _weaker_ratio(entry, each.ratio)) for each in (agrees, same))
    return say("reaction.by_class", there=there, elsewhere=elsewhere)


def scope(say: Say, entry: PageReaction) -> Text:
    """Say what equal treatment is, and why a test of averages misses the finding or what may explain it."""
    if entry.of_words:
        return joined([say("reaction.equal_words"), say("reaction.cancel")])
    weaker, _ = entry.sides(say)
    key = "reaction.turns" if entry.finding.turns else "reaction.same_way"
    return joined([say("reaction.equal"), say(key, about=weaker.about)])


def picture(say: Say, entry: PageReaction) -> Picture:
    """Return the picture: a row per word with both its forms, or a row per emotion."""
    words = [each for each in entry.finding.words if each["agreement"] == AGREES]
    if entry.of_words and words:
        chart = _word_chart(say, entry, words)
        title = say("reaction.title_words", words=say.number(entry.finding.row.words or 0))
        return Picture(title, say("reaction.legend_words"), words=chart, notes=_left_out(say, words))
    return Picture(say("reaction.title"), say("reaction.legend"), words=_emotion_chart(say, entry))


def _keys(say: Say, entry: PageReaction) -> tuple[Text, Text]:
    first, second = say.groups(entry.finding.comparison)
    return say("reaction.key", about=second.about), say("reaction.key", about=first.about)


def _emotion_chart(say: Say, entry: PageReaction) -> WordChart:
    """Return a row per emotion with the mean scores about both groups."""
    origin, unit = entry.scale
    rows = []
    for each in entry.finding.emotions:
        first, second = ((each[name] - origin) / unit for name in ("mean_reference", "mean"))
        label = say.emotion(each["emotion"], "emotion_row")
        rows.append(WordRow(of(label), first, second, apart=True))
    ends = [value for each in rows for value in (each.first, each.second)]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = 0.08 * (high - low or 1.0)
    decimals = 0 if high - low > 2 else 2
    meaning = entry.measurement.result.high_means
    known = meaning if meaning in ("positive", "negative") else "unknown"
    labels = (
        say("reaction.axis_low", direction=say(f"reaction.low_{known}"), n=say.number(low, decimals)),
        (),
        say("reaction.axis_high", direction=say(f"reaction.high_{known}"), n=say.number(high, decimals)),
    )
    return WordChart((WordGroup((), tuple(rows)),), low - room, high + room, None, labels, _keys(say, entry))


def _word_chart(say: Say, entry: PageReaction, words: Sequence[Mapping[str, Any]]) -> WordChart:
    """Return a row per word that is heard about one group only, those heard about neither in a line, and controls."""
    silence = _silence(words, 0.0)
    origin, unit = entry.scale
    glossed = say.language == GLOSSES and entry.measurement.language not in ("", GLOSSES)
    first, second = say.groups(entry.finding.comparison)
    groups = []
    for about, side, other in ((second, "heard_reference", "heard"), (first, "heard", "heard_reference")):
        own = [each for each in words if each[side] > each[other]]
        if own:
            rows = tuple(_word_row(each, silence, unit, glossed) for each in _by_score(own, silence)[:MOST_WORDS])
            heading = say("reaction.only", about=about.about, n=say.number(len(own)))
            groups.append(WordGroup(heading, rows))
    alike = [each for each in words if each["heard"] == each["heard_reference"]]
    by_answer = {
        "both": [each for each in alike if each["heard"] > 0],
        "neither": [each for each in alike if each["heard"] == 0],
    }
    for key, own in by_answer.items():
        if own:
            forms = joined([_label(each, glossed) for each in own], " · ")
            groups.append(WordGroup(say(f"reaction.{key}", n=say.number(len(own))), (), forms))
    agreeing = {each["word"] for each in words}
    controls = [each for each in entry.finding.words if _is_control(each, agreeing)]
    if controls:
        # Their sentences are others, so a word that is not heard has another score there.
        silence = _silence([each for each in entry.finding.words if each["agreement"] != AGREES], silence)
        chosen = _spread(_by_score(controls, silence), MOST_CONTROLS)
        rows = tuple(_word_row(each, silence, unit, glossed) for each in chosen)
        heading = say("reaction.controls")
        groups.append(WordGroup(heading, rows))
    ends = [abs(value) for group in groups for each in group.rows for value in (each.first, each.second)]
    half = 1.08 * max(ends, default=1.0)
    meaning = entry.measurement.result.high_means
    known = meaning if meaning in ("positive", "negative") else "unknown"
    shown = say.number((_silence(words, 0.0) - origin) / unit)
    labels = (say(f"reaction.low_{known}"), say("reaction.silence", n=shown), say(f"reaction.high_{known}"))
    alike_key = say("reaction.same_key") if controls else ()
    return WordChart(tuple(groups), -half, half, 0.0, labels, _keys(say, entry), alike_key)


def _is_control(word: Mapping[str, Any], agreeing: Collection[str]) -> bool:
    """Tell if a word has one form, whoever it is about, and is heard."""
    one_form = word["form"] == word["form_reference"] and " / " not in word["form"]
    return one_form and word["word"] not in agreeing and word["heard"] > 0


def _word_row(word: Mapping[str, Any], silence: float, unit: float, glossed: bool) -> WordRow:
    first, second = ((word[name] - silence) / unit for name in ("mean_reference", "mean"))
    return WordRow(_label(word, glossed), first, second, apart=word["heard"] != word["heard_reference"])


def _label(word: Mapping[str, Any], glossed: bool) -> Text:
    """Write both forms of a word, and its meaning in English if the page is in English and the word is not."""
    if glossed and word["word"] not in (word["form"], word["form_reference"]):
        return joined([_forms(word), of(f"({word['word']})")])
    return _forms(word)


def _forms(word: Mapping[str, Any]) -> Text:
    """Write both forms of a word, those that are heard in bold; one form if it has no other."""
    forms = [(word["form_reference"], word["heard_reference"]), (word["form"], word["heard"])]
    if word["form"] == word["form_reference"]:
        forms = forms[:1]
    apart = word["heard"] != word["heard_reference"]
    shown = []
    for form, heard in forms:
        strong = apart and heard == max(word["heard"], word["heard_reference"])
        (span,) = of(str(form)) or of("–")
        shown.append((type(span)(span.text, strong, span.quoted, span.code),))
    return joined(shown, " / ")


def _silence(words: Sequence[Mapping[str, Any]], otherwise: float) -> float:
    """Return the score of a word that is not heard; another number if all are."""
    silent = [each["mean"] for each in words if each["heard"] == 0]
    silent += [each["mean_reference"] for each in words if each["heard_reference"] == 0]
    return sum(silent) / len(silent) if silent else otherwise


def _by_score(words: Sequence[Mapping[str, Any]], silence: float) -> list[Mapping[str, Any]]:
    """Return words from the most negative to the most positive, by the form that is heard more."""
    return sorted(words, key=lambda each: max((each[name] - silence for name in ("mean", "mean_reference")), key=abs))


def _spread(words: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    """Choose some of the words, from the first to the last."""
    if len(words) <= count:
        return list(words)
    return [words[round(place * (len(words) - 1) / (count - 1))] for place in range(count)]


def _left_out(say: Say, words: Sequence[Mapping[str, Any]]) -> tuple[Text, ...]:
    first = sum(each["heard"] > each["heard_reference"] for each in words)
    second = sum(each["heard"] < each["heard_reference"] for each in words)
    more = max(first - MOST_WORDS, 0) + max(second - MOST_WORDS, 0)
    return (say("picture.more_rows", count=say.number(more)),) if more else ()


def size(say: Say, entry: PageReaction) -> Box:
    """Return bars: words heard only about either group, or both reactions."""
    first, second = say.groups(entry.finding.comparison)
    finding = entry.finding.row
    if entry.of_words:
        words = finding.words or 1
        bars = []
        for group, number in ((second, finding.only_reference), (first, finding.only_level)):
            label = say("reaction.bar_words", who=group.people)
            tone = "found" if number == max(_sizes(entry)) else "grey"
            bars.append(Bar(label, (number or 0) / words, say.number(number or 0), tone))  # type: ignore[arg-type]
        return Box(say("size.title"), tuple(bars), (say("reaction.of_words", words=say.number(words)),))
    if finding.reaction is None or finding.reaction_reference is None:
        return Box(say("size.title"))
    _, unit = entry.scale
    sizes = [abs(each) / unit for each in (finding.reaction_reference, finding.reaction)]
    largest = max(*sizes, EXACT)
    bars = [
        Bar(capital(group.about), value / largest, say.number(value), "grey")
        for group, value in zip((second, first), sizes, strict=True)
    ]
    return Box(say("size.title"), tuple(bars), (say("reaction.distance"),))


def sure(say: Say, entry: PageReaction) -> Box:
    """Return how sure we are: of words a fact and the chance for others, of a ratio the chance."""
    chance = _chance(entry)
    n = say.number(max(1, math.ceil(100 * chance - EXACT)))
    if entry.of_words:
        few, many = map(say.number, _sizes(entry))
        by_chance = say("reaction.chance_words", few=few, many=many, n=n)
        words = say.number(entry.finding.row.words or 0)
        return Box(say("sure.title"), (), (say("reaction.sure_words", words=words), by_chance))
    key = "very" if chance < 0.01 else "fairly"
    return Box(say("sure.title"), (), (joined([say(f"sure.{key}"), say("reaction.chance", n=n)]),))


def next_steps(say: Say, entry: PageReaction) -> list[Text]:
    """Return three steps for the person who decides."""
    weaker, _ = entry.sides(say)
    steps = say.template("next.heard" if entry.of_words else "next.reaction")
    return [say.filled(step, about=weaker.about) for step in steps]


def table(say: Say, reactions: Sequence[PageReaction]) -> PageTable | None:
    """Return all answers on reactions as a table; None without any."""
    rows = []
    for entry in reactions:
        said, detail = answer(say, entry)
        label = say("reaction.row_words" if entry.of_words else "reaction.row")
        question = joined([capital(say.question(entry.finding.comparison)), label], ": ")
        ratio = "" if entry.finding.ratio is None else say.number(entry.finding.ratio, 2)
        rows.append((question, of(entry.system), joined([said, detail], " · "), of(ratio)))
    if not rows:
        return None
    columns = (say("tables.question"), say("tables.system"), say("tables.answer"), say("reaction.ratio"))
    return PageTable("reactions", say("reaction.table"), columns, tuple(rows), (3,))
