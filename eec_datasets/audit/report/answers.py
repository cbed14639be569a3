"""What is said of each system in each language: its findings, and what a reader needs to understand them.

Pages, terminal, card and Markdown lay these out; none of them chooses rows, counts or words of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from eec_bias.reading import (
    MEAN,
    Finding,
    ListedResult,
    Note,
    Plan,
    also,
    answer,
    as_row,
    find_over,
    headline,
    lists_agree,
    lower,
    opening,
    part_of,
    plan_over,
    points_of,
    question_name,
    rank,
    say,
    sides,
    sure,
    tell,
    topic,
    up_to,
    verdict,
)
from eec_bias.shared import grouped
from eec_datasets.audit.report.document import Row, Unit
from eec_datasets.audit.report.language import Translator, pair_words
from eec_datasets.audit.running import NO_ANSWER, UNANSWERED
from eec_datasets.systems.builtin import GROUPED

WITH_FINDINGS: Final = ("default", "perturbation")
"""Procedures whose rows are tests that hold their level; others repeat a published test and carry no finding."""

DEMONSTRATIONS: Final = (*GROUPED, "random")
"""Built-in systems, by which a reader sees what a difference, and no difference, look like."""


@dataclass(frozen=True, slots=True)
class SystemAnswers:
    """The findings of one system, on one task, in one language.

    Attributes
    ----------
    system, task, language
        Whose.
    units
        Its results, in the order of the report.
    plan
        The questions, whose intervals hold together; None where a published procedure was repeated.
    findings
        Differences first.
    """

    system: str
    task: str
    language: str
    units: Sequence[Unit]
    plan: Plan | None
    findings: tuple[Finding, ...]

    @property
    def headline(self) -> Finding | None:
        """What is said first."""
        return headline(self.findings)

    @property
    def is_demonstration(self) -> bool:
        """Whether it is built in, to compare with."""
        return self.system.partition(":")[0] in DEMONSTRATIONS

    @property
    def count(self) -> int:
        """How many comparisons have intervals that hold together."""
        return len(self.plan.questions) if self.plan else 0

    @property
    def margin(self) -> float | None:
        """The difference that is called close, where one was stated."""
        return self.plan.margin if self.plan else None

    @property
    def high_means(self) -> str:
        """What a high score means; empty where nobody said."""
        return next((means for unit in self.units if (means := unit.entry.result.high_means)), "")

    @property
    def score_range(self) -> tuple[float, float]:
        """The declared range of its scores; the one in which they lie where none was declared."""
        return self.units[0].entry.result.score_range

    @property
    def range_known(self) -> bool:
        """Whether a range was declared."""
        return part_of(self.units[0].entry.result.signature, "range") != "none"

    @property
    def systems_compared(self) -> str:
        """The two systems, where it is the difference of their scores that was measured."""
        return part_of(self.units[0].entry.result.signature, "compare") or ""

    @property
    def is_about_answers(self) -> bool:
        """Whether it is about the answers that hold no score."""
        return self.system.endswith(UNANSWERED)

    @property
    def is_own(self) -> bool:
        """Whether the sentences are of a table of the user's own."""
        return any(unit.entry.sentences == "own" for unit in self.units)

    @property
    def reacts_to_nothing(self) -> bool:
        """Whether every score compared is the same whoever is mentioned."""
        if not self.compared_alike or any(finding.found for finding in self.findings):
            return False
        return all(unit.one_score_for_all and not unit.is_sensitive for unit in self.units)

    @property
    def compared_alike(self) -> bool:
        """Whether all groups compared get the same scores; names may still be scored unlike what they stand for."""
        kinds = {finding.verdict for finding in self.findings if not finding.question.is_interaction}
        return kinds == {"no_reaction"} and lists_agree(self.findings)

    @property
    def standouts(self) -> list[Row]:
        """Names far from the others of their group, each once, the farthest first."""
        rows = {row["form"]: row for unit in self.units for row in unit.entry.standouts or ()}
        return sorted(rows.values(), key=lambda row: -abs(row["distance"]))

    @property
    def asked(self) -> frozenset[str]:
        """What it scored: each corpus with its version and checksum, and which part of it."""
        return frozenset(f"{part_of(unit.entry.result.signature, 'data')} {unit.entry.part}" for unit in self.units)

    @property
    def versions(self) -> list[str]:
        """What the program recorded of the version of the system, each once."""
        return list(dict.fromkeys(unit.entry.fingerprint for unit in self.units if unit.entry.fingerprint))

    @property
    def names_count(self) -> int:
        """How many persons its largest list has."""
        return max((finding.n_persons or 0 for finding in self.findings), default=0)

    def typical(self, finding: Finding) -> Row | None:
        """Return the typical pair of a finding, from the list that answers it."""
        question = finding.question
        wanted = question.term, question.level, question.reference, question.subset
        for unit in self.units:
            if unit.entry.config != finding.listed:
                continue
            for pair in unit.entry.typical:
                if (pair["term"], pair["level"], pair["reference"], pair["subset"]) == wanted:
                    return pair
        return None

    @property
    def emotion_means(self) -> Mapping[str, float]:
        """The mean scores of sentences of joy and of anger, from its first list that has both."""
        for unit in self.units:
            means = unit.entry.emotion_means
            if "joy" in means and "anger" in means:
                return means
        return {}


def gather_answers(units: Iterable[Unit]) -> list[SystemAnswers]:
    """Gather the results of each system, task and language, those with the plainest difference first.

    Demonstrations come last, whatever they show.
    """
    groups = grouped(((unit.system, unit.task, unit.entry.language), unit) for unit in units)
    found = [_answers(*place, of_place) for place, of_place in groups.items()]
    return sorted(found, key=lambda each: (each.is_demonstration, *rank(each.headline)))


def findings_of(units: Iterable[Unit]) -> list[dict[str, object]]:
    """Return what is said of every system in every language as plain JSON types, see `eec_bias.reading.as_row`."""
    rows: list[dict[str, object]] = []
    for each in gather_answers(units):
        place = {"system": each.system, "task": each.task or None, "language": each.language or None}
        for finding in each.findings:
            rows.append({**as_row(finding, each.margin, systems=each.systems_compared), **place})
    return rows


def _answers(system: str, task: str, language: str, units: Sequence[Unit]) -> SystemAnswers:
    listed = [_listed(unit) for unit in units if unit.entry.result.method in WITH_FINDINGS]
    if not any(each.record.plan for each in listed):
        return SystemAnswers(system, task, language, units, None, ())
    return SystemAnswers(system, task, language, units, plan_over(listed), find_over(listed))


def _listed(unit: Unit) -> ListedResult:
    """Return the rows of a system in one result, which may hold several, as one of the lists that answer."""
    terms = (*(judged.row for judged in unit.rows), *unit.of_emotions)
    record = replace(unit.entry.result, terms=terms, plan=_plan(unit))
    entry = unit.entry
    return ListedResult(entry.config, record, secondary=bool(entry.attested_of), checksums=entry.checksums)


def _plan(unit: Unit) -> Plan | None:
    """Return the plan of a result, in which questions name their output as the rows of the report do."""
    plan = unit.entry.result.plan
    if plan is None or not unit.system.endswith(UNANSWERED):
        return plan
    return replace(plan, questions=tuple(replace(question, output=NO_ANSWER) for question in plan.questions))


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
    gap, between, seen_from
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
    seen_from: str
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
        first, second = map(translator.note, sides(finding.question))
        return FindingLine(
            finding,
            translator.note(question_name(finding.question)),
            first,
            second,
            " · ".join(map(translator.note, topic(finding.question))),
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
        if first is None or not plain or first.question.is_interaction or self.answers.systems_compared:
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
        plain = finding.verdict in ("difference", "same_throughout") and not finding.question.is_interaction
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
        questions = [line.finding.question for line in lines]
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
        groups = map(self.translator.note, sides(finding.question))
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
