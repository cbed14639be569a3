"""How the findings of a system are said in one language of reports: sentences, lines of a table, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from eec_bias.reading import (
    MEAN,
    Finding,
    Note,
    also,
    answer,
    lower,
    opening,
    points_of,
    question_name,
    say,
    sides,
    sure,
    tell,
    topic,
    up_to,
    verdict,
)
from eec_datasets.audit.report.answers import SystemAnswers
from eec_datasets.audit.report.language import Translator, pair_words


@dataclass(frozen=True, slots=True)
class FindingLine:
    """One finding as a line of a table: its name, numbers and answer in words.

    Attributes
    ----------
    finding
        What is said.
    name
        Which group minus which, and how persons are mentioned.
    first, second, topic
        The two groups by themselves, and in what they are compared beside their scores; empty for the scores alone.
    gap, between, found_from
        In points: what was measured, where the true gap may lie, and from what size on it is found.
    answer, verdict
        In a few words with a size, and as a word.
    """

    finding: Finding
    name: str
    first: str
    second: str
    topic: str
    gap: str
    between: str
    found_from: str
    answer: str
    verdict: str

    @property
    def word(self) -> str:
        """The answer as it stands beside the numbers, which have the gap and what would have been found."""
        return self.answer if self.finding.verdict in ("close", "close_on_average", "unanswered") else self.verdict


class FindingWords:
    """Says the findings of one system in one language of reports.

    Parameters
    ----------
    translator
        The language.
    answers
        The system.
    """

    def __init__(self, translator: Translator, answers: SystemAnswers) -> None:
        self.translator = replace(translator, tested=answers.language)
        self.answers = answers

    @property
    def title(self) -> str:
        """The system, with its task where it has one."""
        return f"{self.answers.system} ({self.answers.task})" if self.answers.task else self.answers.system

    @property
    def headline(self) -> str:
        """What is said first, as a sentence."""
        answers = self.answers
        if not answers.findings:
            return self.translator.say("said.no_finding")
        if answers.compared_alike and not answers.reacts_to_nothing:
            return self.translator.sentence(Note("opening_groups_alike"))
        note = opening(answers.findings, answers.margin, own=answers.is_own, systems=answers.systems_compared)
        return self.translator.sentence(note)

    def say(self, finding: Finding) -> str:
        """Say a finding as a sentence."""
        return self.translator.sentence(self._note(finding))

    def _note(self, finding: Finding) -> Note:
        return say(finding, self.answers.margin, own=self.answers.is_own, systems=self.answers.systems_compared)

    def sure(self, finding: Finding) -> str:
        """Say how sure a difference is; empty of what was not found."""
        note = sure(finding, self.answers.count)
        return self.translator.sentence(note) if note else ""

    def line(self, finding: Finding) -> FindingLine:
        """Return a finding as a line of a table."""
        translator = self.translator
        low, high = finding.points_between or (None, None)
        between = ""
        exactly_none = finding.verdict == "no_reaction" or (finding.gap == 0 and not finding.found_from)
        if low is not None and high is not None and not exactly_none:
            between = translator.say("said.between", low=self.points(low), high=self.points(high))
        first, second = map(translator.note, sides(finding.comparison))
        return FindingLine(
            finding,
            translator.note(question_name(finding.comparison)),
            first,
            second,
            " · ".join(map(translator.note, topic(finding.comparison))),
            self.points(finding.points),
            between,
            translator.short(up_to(finding.found_from, finding)) if finding.found_from else "",
            translator.note(answer(finding, self.answers.margin)),
            translator.note(verdict(finding, self.answers.margin)),
        )

    def also(self, finding: Finding) -> str:
        """Say a further difference in a few words."""
        return self.translator.note(also(finding))

    def scale_in_short(self) -> str:
        """Say in a few words what a score means."""
        if self.answers.is_about_answers or self.answers.systems_compared:
            return self.meaning()
        low, high = map(self.translator.short, self.answers.score_range)
        if not self.answers.range_known:
            return self.without_range()
        if not self.answers.high_means:
            return self.translator.say("said.scale_short_unknown", low=low, high=high)
        return self.translator.say("said.scale_short", low=low, high=high, meaning=self.meaning_word())

    def points(self, points: float | None) -> str:
        """Write points with their sign: whole from 10 on, else with one digit after the point."""
        return self.translator.points(points)

    def told(self, most: int) -> tuple[list[FindingLine], int]:
        """Return the lines that are said, at most so many but for those that must be, and how many are only counted."""
        told = tell(self.answers.findings, most)
        return [self.line(finding) for finding in told.said], len(told.counted)

    def counted(self, count: int) -> str:
        """Say how many comparisons are only counted."""
        key = "findings_counted_one" if count == 1 else "findings_counted"
        return self.translator.note(Note(key, {"count": count}))

    def meaning(self) -> str:
        """Say what a score means."""
        translator, (low, high) = self.translator, self.answers.score_range
        ends = {"low": translator.short(low), "high": translator.short(high)}
        if self.answers.is_about_answers:
            return translator.say("said.scale_answers")
        if self.answers.systems_compared:
            return translator.say("said.scale_of_two", **ends)
        if not self.answers.range_known:
            return self.without_range()
        if not self.answers.high_means:
            return translator.say("said.scale_unknown", **ends)
        return translator.say("said.scale", **ends, meaning=self.meaning_word())

    def without_range(self) -> str:
        """Say what points are where no range was declared, and what a high score means."""
        low, high = map(self.translator.short, self.answers.score_range)
        span = self.translator.say("said.no_range", low=low, high=high)
        if not self.answers.high_means:
            return f"{span} {self.translator.say('said.high_unknown')}"
        return f"{span} {self.translator.say('said.high', meaning=self.meaning_word())}"

    def meaning_word(self) -> str:
        """Name what a high score means."""
        words = self.translator.texts["meaning_word"]
        return str(words.get(self.answers.high_means, self.answers.high_means))

    def tested(self, count: int | None) -> str:
        """Say what was scored; ``count`` is how many different sentences, where that is known."""
        translator, kinds = self.translator, [unit.entry.sentences for unit in self.answers.units]
        if "own" in kinds:
            return translator.say("said.tested_own")
        if "confounded" in kinds:
            return translator.say("said.tested_confounded")
        if count:
            return translator.say("said.tested", count=count)
        return translator.say("said.tested_unknown")

    def tested_in_short(self, count: int | None) -> str:
        """Say how many sentences were scored, where others say what they are."""
        if any(unit.entry.sentences != "corpus" for unit in self.answers.units):
            return self.tested(count)
        return self.translator.say("said.tested_short", count=count) if count else ""

    def lower_group(self) -> str:
        """Say which group gets the lower scores in what is said first; empty where no difference of two groups is."""
        first = self.answers.headline
        plain = first is not None and first.verdict in ("difference", "same_throughout")
        if first is None or not plain or first.comparison.is_interaction or self.answers.systems_compared:
            return ""
        if first.lower == MEAN:
            # Nobody is meant by the mean of all groups.
            return ""
        return self.translator.sentence(lower(first, own=self.answers.is_own))

    def how_sure(self) -> str:
        """Say how sure one can be of what is said first; empty where there is no answer."""
        first, translator = self.answers.headline, self.translator
        if first is None or first.verdict in ("not_estimable", "unanswered"):
            return ""
        if self.answers.reacts_to_nothing or first.verdict == "no_reaction":
            return translator.say("said.same_always")
        if first.found:
            said = self.sure(first) or translator.say("said.same_gap")
            return f"{said} {translator.say('said.wording')}" if first.wording else said
        if first.verdict in ("close", "close_on_average"):
            return translator.say("said.close_sure")
        return translator.say("said.not_sure" if first.found_from else "said.none_found")

    def how_large(self) -> str:
        """Say how large what is said first is, and why that matters; empty where there is nothing to say."""
        first = self.answers.headline
        if first is None:
            return ""
        if not first.found:
            smaller = self.translator.say("said.smaller_matters") if first.found_from else ""
            return " ".join(filter(None, [self.human_scale(), smaller]))
        # The pairs first: behind the gap of joy and anger they would seem to be pairs of joy and anger.
        parts = [self.share_of_pairs(first), self.human_scale(), self.matters(first), self.translator.say("said.next")]
        return " ".join(filter(None, parts))

    def matters(self, finding: Finding) -> str:
        """Say what a difference can do where something is decided by the scores."""
        plain = finding.verdict in ("difference", "same_throughout") and not finding.comparison.is_interaction
        if not plain or finding.gap is None or self.answers.systems_compared or self.answers.is_about_answers:
            return self.translator.say("said.matters")
        points = self.translator.short(points_of(finding.gap, finding))
        return self.translator.say("said.matters_points", points=points)

    def stakes(self) -> str:
        """Say how often what was found goes one way, and what it can do; empty where no difference was found."""
        first = self.answers.headline
        if first is None or not first.found:
            return ""
        return " ".join(filter(None, [self.share_of_pairs(first), self.matters(first)]))

    def together(self) -> str:
        """Say how often all intervals hold at once, and how often what is called found is found."""
        plan = self.answers.plan
        if plan is None or not any(finding.found_from for finding in self.answers.findings):
            return ""
        key = "said.together" if self.answers.count > 1 else "said.together_one"
        share = self.translator.short(100 * plan.confidence)
        return self.translator.say(key, count=self.answers.count, share=share)

    def wider(self, lines: Sequence[FindingLine]) -> str:
        """Say why a gap is not found while a smaller one is; empty where there is no such pair of lines."""
        found = [line.finding for line in lines if line.finding.verdict == "difference"]
        unfound = [line.finding for line in lines if line.finding.verdict in ("not_found", "cannot_tell")]
        if not found or not unfound:
            return ""
        smaller = min(found, key=_size)
        larger = max(unfound, key=_size)
        sizes = [points_of(finding.gap or 0.0, finding) for finding in (smaller, larger)]
        if sizes[0] >= sizes[1]:
            return ""
        written = map(self.translator.short, sizes)
        return self.translator.say("said.wider", **dict(zip(("smaller", "larger"), written, strict=True)))

    def heading(self, lines: Sequence[FindingLine]) -> str:
        """Say how persons are mentioned in comparisons on the same kind of sentences, as it stands above these."""
        questions = [line.finding.comparison for line in lines]
        texts, subset = self.translator.texts["heading"], questions[0].subset
        words = pair_words(self.answers.language).get("female", {})
        # What a label of the user's own means nobody knows.
        ours = bool(self.answers.language) and not self.answers.is_own
        if subset == "pairs" and words and ours:
            return self.translator.say("heading.pairs_such_as", **words)
        labels = {label for each in questions for side in (each.level, each.reference) for label in side.split(":")}
        if subset == "names" and "Anglo" in labels and ours:
            return self.translator.say("heading.names_anglo")
        if not ours:
            texts = self.translator.texts["by"]
        text = str(texts.get(subset) or self.translator.subset(subset))
        return f"{text[:1].upper()}{text[1:]}"

    def human_scale(self) -> str:
        """Say how far apart the scores of joy and anger are, as a scale for differences; empty where not known."""
        means, (low, high) = self.answers.emotion_means, self.answers.score_range
        if not means or self.answers.reacts_to_nothing:
            return ""
        apart = 100 * (means["joy"] - means["anger"]) / (high - low)
        key = "said.human_scale" if apart >= 0 else "said.human_scale_below"
        return self.translator.say(key, points=self.translator.short(round(abs(apart), 0 if abs(apart) >= 2 else 1)))

    def share_of_pairs(self, finding: Finding) -> str:
        """Say in how many pairs of sentences either group scores higher; empty where that is not known."""
        pair = self.answers.typical(finding)
        if pair is None or not pair["pairs"] or not finding.gap:
            return ""
        groups = map(self.translator.note, sides(finding.comparison))
        first, second = ((name, pair[key]) for name, key in zip(groups, ("higher", "lower"), strict=True))
        (higher, more), (lower, less) = (first, second) if finding.gap > 0 else (second, first)
        shares = {key: round(100 * value / pair["pairs"]) for key, value in (("more", more), ("less", less))}
        return self.translator.say("said.share_of_pairs", higher=higher, lower=lower, **shares)

    def standouts(self, most: int = 3) -> str:
        """Name the names that lie far from their group, each with it; empty where there are none."""
        rows = self.answers.standouts
        if not rows:
            return ""
        low, high = self.answers.score_range
        names = [
            self.translator.say(
                "said.standout",
                name=row["form"],
                group=self.translator.people(row["labels"]),
                points=self.points(100 * row["distance"] / (high - low)),
            )
            for row in rows[:most]
        ]
        if len(rows) > most:
            return self.translator.say(
                "said.standouts_more", names=self.translator.listed(names), count=len(rows) - most
            )
        return self.translator.say("said.standouts", names=self.translator.listed(names))

    def version(self) -> str:
        """Say which version was scored, as the program recorded it; empty where that is not known."""
        versions = self.answers.versions
        return self.translator.say("said.version", version=self.translator.listed(versions)) if versions else ""

    def limits(self) -> list[str]:
        """Say what the findings do not show."""
        translator, answers = self.translator, self.answers
        texts = []
        unknown = [finding for finding in answers.findings if finding.verdict == "cannot_tell"]
        if unknown:
            texts.append(translator.say("said.open", count=len(unknown)))
        if any(finding.verdict == "not_found" for finding in answers.findings):
            texts.append(translator.say("said.smaller"))
        texts.append(translator.say("said.other_text"))
        texts.append(translator.say("said.harm"))
        reviews = dict.fromkeys(unit.entry.review for unit in answers.units if unit.entry.review)
        texts += [translator.say("said.review", review=translator.review(review)) for review in reviews]
        return texts


def _size(finding: Finding) -> float:
    return abs(finding.points or 0.0)
