"""Output of ``eec audit`` besides the findings: corpora, the plan, tables, notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.cli.output import heading, say
from eec_datasets.systems.base import NO_RANGE
from eec_datasets.terminal import percent

if TYPE_CHECKING:
    from eec_bias import Measurement
    from eec_datasets.audit.running import CorpusAudit
    from eec_datasets.names.covariates import Tokens
    from eec_datasets.systems.base import System
    from eec_datasets.systems.corpus import Corpus

STATES: Final = {
    "missing": "None or NaN",
    "refused": "refused",
    "unreadable": "not readable",
    "failed": "not received, asked for again by the next run",
}
"""Why an answer has no score, in words."""


CHOSEN: Final = {
    "match": "Names chosen by a rule that matches the groups.",
    "typical": "Frequent names of each group, whatever else differs.",
    "like": "The people of a set of another language, as they are written here.",
    "listed": "Names as a list gives them, not matched.",
}
"""Ways to choose the names of a list, in words."""

EVEN: Final = 0.15
"""Groups of names whose means are farther apart, in standard deviations within groups, are called apart."""

CONSTRAIN: Final = (
    "to get answers that can be read, ask for one of a few labels (--prompts sentiment-labels), or let the server "
    'force the form: read = "json" in a file of prompts'
)
"""Advice where a number stands in words that may change it."""

SHOWN: Final = 80
"""Letters of an answer that are shown as an example."""


def say_examples(state: str, examples: Sequence[str]) -> str:
    """Return some answers in quotes as the end of a sentence, each in one line; a cut one says how long it is."""
    shown = []
    for line in (" ".join(example.split()) for example in examples):
        if len(line) > SHOWN:
            shown.append(f"“{line[:SHOWN]}…” ({len(line):,} letters)")
        elif line or state == "unreadable":
            shown.append(f"“{line}”" if line else "an empty one")
    return f", such as: {', '.join(shown)}" if shown else ""


def say_corpora(corpora: Sequence[Corpus], tokens: Tokens | None) -> None:
    """Show some sentences of each corpus, and what else its names carry."""
    from eec_datasets.audit.covariates import corpus_covariates
    from eec_datasets.systems.corpus import sample

    for corpus in corpora:
        part = f" ({corpus.part})" if corpus.part else ""
        say(heading(corpus.name, f"{len(corpus.ids):,} sentences{part}, {corpus.review}"), styled=True)
        for rows in sample(corpus, per_item=4):
            say("  " + " · ".join(row["text"] for row in rows))
        if names := corpus_covariates(corpus, tokens):
            say(f"  {_names_in_words(names)}")
    say()


def _names_in_words(names: Mapping[str, Any]) -> str:
    """Say how names were chosen, in what their groups differ, and how many say little about their group."""
    said = [CHOSEN[names["how"]]]
    apart = [feature for feature in names["features"] if (feature["apart"] or 0) > EVEN]
    partly = [feature for feature in names["features"] if feature["apart"] is None]
    if apart:
        said.append(f"Names of the groups differ by more than {EVEN} standard deviations in: {_features(apart)}.")
    if partly:
        said.append(f"We do not know this of every name: {_features(partly)}.")
    if names["weak"]:
        count = sum(cell["names"] for cell in names["cells"])
        weak = ", ".join(name["form"] for name in names["weak"])
        said.append(
            f"{len(names['weak'])} of {count} names say little about their group: a source finds the group less likely "
            f"than not, or a reader of the list doubts it ({weak})."
        )
    return " ".join(said)


def _features(features: Sequence[Mapping[str, Any]]) -> str:
    """Name features, those of one source together: *births, mean year of birth (from US births (SSA)); letters*."""
    by_source: dict[str, list[str]] = {}
    for feature in features:
        source, _, field = str(feature["about"] or feature["feature"]).rpartition(": ")
        by_source.setdefault(source, []).append(field)
    said = [", ".join(fields) + (f", from {source}" if source else "") for source, fields in by_source.items()]
    return "; ".join(said)


def say_plans(plan: Sequence[tuple[System, list[Corpus]]], measuring: Mapping[str, Any]) -> None:
    """Print the questions of each corpus, fixed before anything is scored."""
    from eec_datasets.audit.planning import plan_corpus
    from eec_datasets.report.say import Say
    from eec_datasets.report.text import plain

    english = Say()
    corpora = {corpus.name: corpus for _, chosen in plan for corpus in chosen}
    for name, corpus in corpora.items():
        asked = plan_corpus(corpus, measuring)
        say(f"Plan of {name} ({asked.short}): {len(asked.main)} comparisons at {percent(asked.confidence)}%")
        if asked.margin is not None:
            say(f"  margin: {asked.margin:g} points")
        for question in asked.main:
            say(f"  {plain(english.question(question))}")
        if asked.second:
            questions = dict.fromkeys(plain(english.question(question)) for question in asked.second)
            say("  Does the gap differ between emotions? Asked of:")
            for said in questions:
                say(f"    {said}")
    say()


def say_tables(system: System, measurements: Sequence[Measurement]) -> None:
    """Print every row of a system."""
    from eec_bias import report

    low, high = system.score_range
    scale = "no known range of scores" if system.score_range == NO_RANGE else f"scores from {low:g} to {high:g}"
    say(heading(system.name, scale), styled=True)
    for each in measurements:
        lacking = ", the share of answers that are no score" if each.kind == "no_answer" else ""
        say(f"\n{each.list}{lacking}")
        say(report(each.result, emotions=True))
    say()


def notes_of(system: System, audited: CorpusAudit, *, verbose: bool) -> Iterator[str]:
    """Say what the tables do not: names far off, answers without a score, prompts, versions."""
    from eec_bias.reading import counted
    from eec_datasets.audit.running import left_out_items

    scored = audited.scored
    for each in audited.measurements:
        of_scores = each.kind == "scores"
        if verbose and of_scores and each.source.standouts:
            far = [f"{name['form']} ({' '.join(name['labels'].values())})" for name in each.source.standouts]
            yield f"far from the other names of their group: {', '.join(far)}"
    measured = any(each.kind == "scores" for each in audited.measurements)
    if measured and len(scored.answered) > 1:
        names = ", ".join(scored.answered)
        yield f"scores are the mean of {len(scored.answered)} prompts ({names}), taken as a sample of prompts"
    if scored.mass is not None:
        yield f"labels hold {percent(scored.mass)}% of the probability, on average"
    if len(scored.models) > 1:
        yield f"Warning: the answers name several versions of the model: {', '.join(scored.models)}"
    for state, number in scored.states.items():
        reason = f"{counted(number, 'answer has', 'answers have')} no score: {STATES[state]}"
        yield reason + say_examples(state, scored.examples[state])
        if state == "unreadable" and system.name.startswith("openai:") and scored.mass is None:
            yield CONSTRAIN
    if audited.gaps:
        groups = (f"{axis} {level} {gaps:,} of {rows:,}" for axis, level, rows, gaps in audited.gaps)
        yield f"sentences without a score: {'; '.join(groups)}"
    if audited.left_out:
        others = f"the scores of the other {audited.left_out[1] - audited.left_out[0]} are measured"
        left = audited.refusal or f"{others}, of noun phrases and pronouns only where every item left has the pair"
        yield f"{left_out_items(audited.left_out)}; {left}"
        if audited.refusal and system.name.startswith("openai:") and scored.mass is None:
            yield (
                "with --repeats a sentence has a score where any of its answers holds one, which helps against answers "
                "that fail at random"
            )
    elif audited.refusal:
        yield audited.refusal
