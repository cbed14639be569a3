"""Of each system a verdict in a few sentences, and what it shows, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from eec_bias.reading import ANY, MEAN
from eec_datasets.audit.report.document import UNKNOWN_PERSONS, is_simple
from eec_datasets.audit.report.findings import TermFinding, tally_verdicts
from eec_datasets.audit.report.language import Translator
from eec_datasets.audit.report.sections import Section, sensitive
from eec_datasets.audit.report.sentences import say_parts, say_rough

FAR_NAMES_SHOWN: Final = 3
"""Names that lie far from their group, of which so many are named at once."""

SENTENCES: Final = 6
"""At most so many findings of one system are read out; the count that follows has all."""


def headline(translator: Translator, section: Section) -> list[str]:
    """Say what one system shows, the verdict first: how many comparisons differ and the largest, or what could have."""
    compared = section.compared
    differing = [each for each in compared if each.judged.verdict.found]
    kinds = {each.judged.verdict.kind for each in compared}
    if section.unmoved:
        return [translator.say("findings.no_reaction")]
    two = next((each.judged.verdict.compared for each in compared), "")
    if differing:
        counted = translator.say("headline.found", some=len(differing), count=len(compared))
        texts = [counted, *_largest(translator, differing)]
    elif "not_detectable" in kinds:
        key = "headline.not_found_compared" if two else "headline.not_found"
        first = translator.say(key, count=len(compared), systems=two)
        texts = [first, *_not_found(translator, compared)]
    elif compared and kinds <= {"zero", "no_reaction"}:
        if sensitive(block.unit for block in section.blocks):
            key = "headline.zero_of_groups"
        else:
            key = "headline.zero_compared" if two else "headline.zero"
        texts = [translator.say(key, systems=two)]
    elif kinds - {"not_estimable"}:
        texts = [*_not_judged(translator, compared)][::-1]
    else:
        texts = [translator.say("headline.untested" if compared else "headline.described")]
    if section.far:
        names = f"{translator.say('page.semicolon')} ".join(section.far[:FAR_NAMES_SHOWN])
        more = len(section.far) - FAR_NAMES_SHOWN
        names += f" {translator.say('headline.more', count=more)}" if more > 0 else ""
        texts.append(translator.say("headline.far", names=names))
    return texts


def _largest(translator: Translator, differing: Sequence[TermFinding]) -> Iterator[str]:
    """Say the largest difference, of a main term where one differs; first where, then what and how sure."""
    candidates = [each for each in differing if is_simple(each.judged.row)] or differing
    sizes = [abs(each.subject.row["effect"] or 0) / each.span for each in candidates]
    first = candidates[sizes.index(max(sizes))]
    if len(differing) > 1:
        tied = sum(math.isclose(size, max(sizes)) for size in sizes) > 1
        # An interaction may be larger, as it is made of several differences.
        mixed = len({is_simple(each.judged.row) for each in differing}) > 1
        if mixed:
            key = "headline.largest_simple_tied" if tied else "headline.largest_simple"
        else:
            key = "headline.largest_tied" if tied else "headline.largest"
        yield translator.say(key, where=" · ".join(first.place) or translator.axis(first.key[0]))
    difference, *sure = say_parts(translator, [first.subject])
    yield difference
    if first.subject.row["effect"] is not None:
        yield translator.say("headline.share", share=translator.percent(abs(first.subject.row["effect"]) / first.span))
    yield from sure


def _not_found(translator: Translator, findings: Sequence[TermFinding]) -> Iterator[str]:
    """Say what would have been found of the main terms, and how many comparisons were none."""
    simple = [each for each in findings if is_simple(each.judged.row) and each.judged.verdict.kind == "not_detectable"]
    # Scores and rates have scales of their own, and no difference on both is the same.
    if simple and all(each.mde is not None for each in simple) and len({each.span for each in simple}) == 1:
        most = max(simple, key=lambda each: each.mde or 0)
        verdict, deviates = most.judged.verdict, any(each.judged.row["reference"] == MEAN for each in simple)
        if verdict.compared:
            key = "headline.detectable_adjusted_compared" if verdict.adjusted else "headline.detectable_compared"
        elif deviates:
            key = "headline.detectable_mean_adjusted" if verdict.adjusted else "headline.detectable_mean"
        else:
            key = "headline.detectable_adjusted" if verdict.adjusted else "headline.detectable"
        share, mde = translator.percent((most.mde or 0) / most.span), translator.number(most.mde)
        yield translator.say(key, mde=mde, share=share)
        yield from say_rough(translator, [each.judged for each in simple])
    yield from _not_judged(translator, findings)


def _not_judged(translator: Translator, findings: Sequence[TermFinding]) -> Iterator[str]:
    """Say how many comparisons were none, and how many were not tested."""
    compared = any(each.judged.verdict.compared for each in findings)
    still = "headline.still_compared" if compared else "headline.still"
    for key, kinds in ((still, ("zero", "no_reaction")), ("headline.some_untested", ("not_estimable",))):
        if some := sum(each.judged.verdict.kind in kinds for each in findings):
            yield translator.say(key, some=some, count=len(findings))


def say_findings(translator: Translator, section: Section) -> list[str]:
    """Say what one system shows: differences first, then main terms without a detectable one, then the count of all.

    Corpora that show the same share a sentence, which then has the range of their sizes.
    """
    findings = section.compared
    several = len({finding.place for finding in findings}) > 1
    groups: dict[tuple[Any, ...], list[TermFinding]] = {}
    for finding in findings:
        row, verdict = finding.subject.row, finding.subject.verdict
        if verdict.found or (verdict.kind == "not_detectable" and is_simple(row)):
            # Many levels differ in which is the largest; what is the same throughout is so in one size.
            place = finding.place if finding.levels > 1 else ()
            size = translator.number(row["effect"]) if verdict.kind == "same_difference" else ""
            words = row["level"], row["reference"], row.get("output"), row.get(UNKNOWN_PERSONS)
            # Differences before others, main terms before interactions.
            order = not verdict.found, not is_simple(row)
            about = (*finding.key, *words, finding.unit.entry.result.score_range, size, place)
            groups.setdefault((*order, *about, replace(verdict, p=None)), []).append(finding)
    ordered = [same for _, same in sorted(groups.items(), key=lambda each: each[0][:2])]
    texts = [_say_group(translator, same, several) for same in ordered[:SENTENCES]]
    if findings:
        counts = tally_verdicts(findings)
        # Two systems with the same effect may both react.
        zero = "zero_compared" if any(each.judged.verdict.compared for each in findings) else "zero"
        keys = {"found": "found", "not_detectable": "not_detectable", "zero": zero, "other": "other"}
        parts = [translator.say(f"findings.of_{word}", count=counts[key]) for key, word in keys.items() if counts[key]]
        texts.append(translator.say("findings.tally", count=len(findings), parts=translator.listed(parts)))
    return texts


def _say_group(translator: Translator, same: Sequence[TermFinding], several: bool) -> str:
    first = same[0]
    texts = say_parts(translator, [finding.subject for finding in same])
    if first.largest and first.subject.row["reference"] == MEAN and first.subject.row["level"] != ANY:
        texts.insert(0, translator.say("findings.largest", count=first.levels))
    if several:
        places = translator.listed(" · ".join(finding.place) for finding in same)
        texts.append(translator.say("findings.where", places=places))
    return " ".join(texts)
