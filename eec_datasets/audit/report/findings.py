"""What systems show: one row that speaks for each term, and of each system a verdict in a few sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from eec_bias.options import ANY, MEAN
from eec_bias.result.frame import PAIRWISE
from eec_bias.result.verdict import Judged, Verdict
from eec_datasets.audit.report.document import UNKNOWN_PERSONS, Unit
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import Section, is_simple, sensitive, stratum_output
from eec_datasets.audit.report.sentences import contrast, say_parts, say_rough, term
from eec_datasets.grouping import grouped

FAR_NAMES_SHOWN: Final = 3
"""Names that lie far from their group, of which so many are named at once."""

SENTENCES: Final = 6
"""At most so many findings of one system are read out; the count that follows has all."""

TALLIED: Final = {"not_detectable": "not_detectable", "zero": "zero", "no_reaction": "zero"}

Place = tuple[str, ...]
"""Corpus, stratum and output, those that there are."""

Key = tuple[str, str, str]
"""Term, axes, subset."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one system shows on one term in one place.

    ``judged`` speaks for the term: its only row, or the largest of the ``levels`` that are estimated under the verdict
    on all; then ``label`` names its level, and ``largest`` says whether all others have smaller effects. ``subject`` is
    the row that sentences are about, with the verdict on it alone: that level, or the row of the term as a whole where
    no single level differs. ``mde`` is what could have been found of every level.
    """

    section: Section
    unit: Unit
    key: Key
    place: Place
    judged: Judged
    label: str
    levels: int
    largest: bool
    subject: Judged
    mde: float | None

    @property
    def span(self) -> float:
        """Length of its scale."""
        return self.unit.span(self.judged.row)


def gather_findings(translator: Translator, sections: Sequence[Section]) -> list[Finding]:
    """Return what every system shows on every term.

    The attested names of a set are left out where they show no difference that the whole set does not show.
    """
    findings = []
    for section in sections:
        for unit in (block.unit for block in section.blocks):
            groups = grouped((_about(unit, judged.row), judged) for judged in unit.rows)
            findings += [_finding(translator, section, unit, *about, rows) for about, rows in groups.items()]
    verdicts = {(each.key, each.place, each.section.anchor): each.judged.verdict for each in findings}
    return [each for each in findings if not (each.unit.entry.attested_of and _repeats(each, verdicts))]


def _repeats(part: Finding, verdicts: Mapping[tuple[Key, Place, str], Verdict]) -> bool:
    """Whether names that are a part of a set show no difference that the set does not show."""
    whole = verdicts.get((part.key, (part.unit.entry.whole, *part.place[1:]), part.section.anchor))
    verdict = part.judged.verdict
    return whole is not None and (not verdict.found or (whole.found and whole.direction == verdict.direction))


def _about(unit: Unit, row: Mapping[str, Any]) -> tuple[Key, Place]:
    return (row["term"], row["axes"] or "", row["subset"]), tuple(
        filter(None, [unit.entry.config, *stratum_output(row)])
    )


def _finding(
    translator: Translator, section: Section, unit: Unit, key: Key, place: Place, rows: Sequence[Judged]
) -> Finding:
    levels = [judged for judged in rows if judged.row["level"] != ANY]
    estimated = [judged for judged in levels if judged.row["effect"] is not None]
    speaking = [judged for judged in estimated if judged.verdict.found] or estimated
    subject = judged = max(speaking, key=lambda each: abs(each.row["effect"])) if speaking else (levels or rows)[0]
    if whole := next((judged for judged in rows if judged.row["level"] == ANY), None):
        # The term is judged as a whole; the direction is that of the level that is shown.
        judged = Judged(subject.row, replace(whole.verdict, direction=subject.verdict.direction))
        subject = subject if subject.verdict.found or not whole.verdict.found else whole
    level = translator.group(key[1], judged.row["level"] or "")
    named = contrast(translator, judged.row) if judged.row.get(PAIRWISE) else level
    label = named if len(levels) > 1 else ""
    detectable = [judged.row["mde"] for judged in levels]
    mde = max(detectable) if detectable and None not in detectable else None
    least = abs(judged.row["effect"] or 0) * (1 - 1e-9)
    largest = len(estimated) > 1 and sum(abs(each.row["effect"]) >= least for each in estimated) == 1
    return Finding(section, unit, key, place, judged, label, max(len(estimated), 1), largest, subject, mde)


def term_name(translator: Translator, findings: Sequence[Finding]) -> str:
    """Name the term of findings, and what it compares where this is the same for all."""
    name = term(translator, findings[0].judged.row)
    contrasts = {contrast(translator, finding.judged.row) for finding in findings}
    single = len(contrasts) == 1 and not any(finding.label for finding in findings)
    return ": ".join(part for part in (name, *(contrasts if single else ())) if part)


def ordered_keys(findings: Sequence[Finding]) -> list[Key]:
    """Return the terms, main ones before interactions, each in the order of the results."""
    return sorted(dict.fromkeys(each.key for each in findings), key=lambda key: key[1].count("+"))


Row = list[Finding | None]
"""What systems show on one term in one place, one after another."""


def grid(
    translator: Translator, sections: Sequence[Section], findings: Sequence[Finding]
) -> Iterator[tuple[Key, str, list[tuple[Place, Row]]]]:
    """Give each term, main ones first: its key, its name, and what systems show where one of them shows something."""
    cells = {(each.key, each.place, each.section.anchor): each for each in findings}
    places = dict.fromkeys(each.place for each in findings)
    for key in ordered_keys(findings):
        rows = [(place, [cells.get((key, place, section.anchor)) for section in sections]) for place in places]
        name = term_name(translator, [each for each in findings if each.key == key])
        yield key, name, [(place, row) for place, row in rows if any(row)]


def headline(translator: Translator, section: Section, findings: Sequence[Finding]) -> list[str]:
    """Say what one system shows, the verdict first: how many comparisons differ and the largest, or what could have."""
    compared = [each for each in findings if each.section is section and each.judged.verdict.kind != "described"]
    differing = [each for each in compared if each.judged.verdict.found]
    if section.unmoved:
        return [translator.say("findings.no_reaction")]
    two = next((each.judged.verdict.compared for each in compared), "")
    compared_suffix = "_compared" if two else ""
    if differing:
        counted = translator.say("headline.found", some=len(differing), count=len(compared))
        texts = [counted, *_largest(translator, differing)]
    elif any(each.judged.verdict.kind == "not_detectable" for each in compared):
        first = translator.say(f"headline.not_found{compared_suffix}", count=len(compared), systems=two)
        texts = [first, *_not_found(translator, compared)]
    elif compared and all(each.judged.verdict.kind in ("zero", "no_reaction") for each in compared):
        of_groups = "_of_groups" if sensitive(block.unit for block in section.blocks) else compared_suffix
        texts = [translator.say(f"headline.zero{of_groups}", systems=two)]
    elif any(each.judged.verdict.kind != "not_estimable" for each in compared):
        texts = [*_not_judged(translator, compared)][::-1]
    else:
        texts = [translator.say(f"headline.{'untested' if compared else 'described'}")]
    return [*texts, *_say_far_names(translator, section)]


def _largest(translator: Translator, differing: Sequence[Finding]) -> Iterator[str]:
    """Say the largest difference, of a main term where one differs; first where, then what and how sure."""
    candidates = [each for each in differing if is_simple(each.judged.row)] or differing
    sizes = [abs(each.subject.row["effect"] or 0) / each.span for each in candidates]
    first = candidates[sizes.index(max(sizes))]
    if len(differing) > 1:
        tied = sum(math.isclose(size, max(sizes)) for size in sizes) > 1
        # An interaction may be larger, as it is made of several differences.
        mixed = len({is_simple(each.judged.row) for each in differing}) > 1
        key = "largest" + "_simple" * mixed + "_tied" * tied
        yield translator.say(f"headline.{key}", where=" · ".join(first.place) or translator.axis(first.key[0]))
    difference, *sure = say_parts(translator, [first.subject])
    yield difference
    if first.subject.row["effect"] is not None:
        yield translator.say("headline.share", share=translator.percent(abs(first.subject.row["effect"]) / first.span))
    yield from sure


def _not_found(translator: Translator, findings: Sequence[Finding]) -> Iterator[str]:
    """Say what would have been found of the main terms, and how many comparisons were none."""
    simple = [each for each in findings if is_simple(each.judged.row) and each.judged.verdict.kind == "not_detectable"]
    detectable = [(each.mde / each.span, each) for each in simple if each.mde is not None]
    # Scores and rates have scales of their own, and no difference on both is the same.
    if detectable and len(detectable) == len(simple) and len({each.span for each in simple}) == 1:
        share, most = max(detectable, key=lambda each: each[0])
        compared, deviates = most.judged.verdict.compared, any(each.judged.row["reference"] == MEAN for each in simple)
        key = "detectable" + "_mean" * (deviates and not compared) + "_adjusted" * most.judged.verdict.adjusted
        key += "_compared" if compared else ""
        mde = translator.number(most.mde)
        yield translator.say(f"headline.{key}", mde=mde, share=translator.percent(share))
        yield from say_rough(translator, [each.judged for each in simple])
    yield from _not_judged(translator, findings)


def _not_judged(translator: Translator, findings: Sequence[Finding]) -> Iterator[str]:
    """Say how many comparisons were none, and how many were not tested."""
    still = "still_compared" if any(each.judged.verdict.compared for each in findings) else "still"
    for key, kinds in ((still, ("zero", "no_reaction")), ("some_untested", ("not_estimable",))):
        if some := sum(each.judged.verdict.kind in kinds for each in findings):
            yield translator.say(f"headline.{key}", some=some, count=len(findings))


def _say_far_names(translator: Translator, section: Section) -> Iterator[str]:
    """Name some of the names that lie far from their group."""
    if section.far:
        names = f"{translator.say('page.semicolon')} ".join(section.far[:FAR_NAMES_SHOWN])
        more = translator.say("headline.more", count=len(section.far) - FAR_NAMES_SHOWN)
        yield translator.say("headline.far", names=f"{names} {more}" if len(section.far) > FAR_NAMES_SHOWN else names)


def say_findings(translator: Translator, findings: Sequence[Finding]) -> list[str]:
    """Say what one system shows: differences first, then main terms without a detectable one, then the count of all.

    Corpora that show the same share a sentence, which then has the range of their sizes.
    """
    findings = [finding for finding in findings if finding.judged.verdict.kind != "described"]
    several = len({finding.place for finding in findings}) > 1
    groups: dict[tuple[Any, ...], list[Finding]] = {}
    for finding in findings:
        row, verdict = finding.subject.row, finding.subject.verdict
        if verdict.found or (verdict.kind == "not_detectable" and is_simple(row)):
            # Many levels differ in which is the largest; what is the same throughout is so in one size.
            place = finding.place if finding.levels > 1 else ()
            size = translator.number(row["effect"]) if verdict.kind == "same_difference" else ""
            words = row["level"], row["reference"], row.get("output"), row.get(UNKNOWN_PERSONS)
            about = (*finding.key, *words, finding.unit.entry.result.score_range, size, place)
            groups.setdefault((*about, replace(verdict, p=None)), []).append(finding)
    # Differences before others, main terms before interactions.
    ordered = sorted(
        groups.values(), key=lambda same: (not same[0].subject.verdict.found, not is_simple(same[0].subject.row))
    )
    tally = [_tally(translator, findings)] if findings else []
    return [*(_say_group(translator, same, several) for same in ordered[:SENTENCES]), *tally]


def _say_group(translator: Translator, same: Sequence[Finding], several: bool) -> str:
    first = same[0]
    texts = say_parts(translator, [finding.subject for finding in same])
    if first.largest and first.subject.row["reference"] == MEAN and first.subject.row["level"] != ANY:
        texts.insert(0, translator.say("findings.largest", count=first.levels))
    if several:
        places = translator.listed(" · ".join(finding.place) for finding in same)
        texts.append(translator.say("findings.where", places=places))
    return " ".join(texts)


def tally_verdicts(findings: Sequence[Finding]) -> Counter[str]:
    """Count what is found: differences, none detectable, no reaction at all, not estimated."""
    verdicts = [finding.judged.verdict for finding in findings]
    return Counter("found" if verdict.found else TALLIED.get(verdict.kind, "other") for verdict in verdicts)


def _tally(translator: Translator, findings: Sequence[Finding]) -> str:
    counts = tally_verdicts(findings)
    # Two systems with the same effect may both react.
    zero = "zero_compared" if any(each.judged.verdict.compared for each in findings) else "zero"
    kinds = {"found": "found", "not_detectable": "not_detectable", "zero": zero, "other": "other"}
    parts = [translator.say(f"findings.of_{key}", count=counts[kind]) for kind, key in kinds.items() if counts[kind]]
    return translator.say("findings.tally", count=len(findings), parts=translator.listed(parts))
