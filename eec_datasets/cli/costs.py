"""Questions and messages about costs, before and after we ask systems: stored answers, calls, tokens, seconds."""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli.output import say
from eec_datasets.cli.scoring import Scoring

if TYPE_CHECKING:
    from eec_datasets.systems.base import System
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.systems.scoring import CorpusScores, Cost
    from eec_datasets.systems.store import Store

Plan = Sequence[tuple["System", Sequence["Corpus"]]]

LONG_RUN: Final = 10.0
"""Seconds from which it is said what any system took."""

REQUESTS_SHOWN: Final = 3
"""Requests that a dry run shows."""

REFUSED: Final = 0.01
"""Share of answers without a score of which it is said beforehand what they cost."""

BYTES_PER_TOKEN: Final = 4
"""A rough figure, for want of the model's own tokenizer."""


def ask_consent(plan: Plan, scoring: Scoring, store: Store, *, of_audit: bool = False) -> bool:
    """Ask for what only the user knows; False where nothing is to be done, after a dry run or a no.

    What refusals cost is said where it holds: ``of_audit``, which estimates differences from the other answers.

    Raises
    ------
    click.UsageError
        Calls are to be made, and nobody is there to agree.
    InputError
        There is no key.
    """
    remote = [(system, corpora) for system, corpora in plan if corpora and _is_remote(system, corpora[0].language)]
    if not remote:
        if scoring.dry_run:
            say("Dry run: nothing was scored.")
        return not scoring.dry_run
    total, first = _estimate(remote, scoring, store)
    calls = (
        f"{total.new + total.stored:,} answers, {total.stored:,} of them stored: {total.calls:,} calls, about "
        f"{total.tokens_in:,} tokens in and at most {total.tokens_out:,} out"
    )
    if scoring.dry_run:
        say("\n".join(f"Request {i}: {json.dumps(each, ensure_ascii=False)}" for i, each in enumerate(first, 1)))
        for line in _costs_of_refusals(remote if of_audit else []):
            say(line)
        say(f"Dry run: {calls}. No call was made.")
        return False
    if not total.calls:
        return True
    from eec_datasets.systems.wire import Wire

    # Without a key, where one is needed, nothing is begun.
    Wire(scoring.options.endpoint).key()
    budget = scoring.options.endpoint.budget
    say(f"{calls}.", err=True)
    for line in _costs_of_refusals(remote if of_audit else []):
        say(line, err=True)
    if budget is not None and budget < total.calls:
        say(f"The budget of {budget:,} calls is not enough for all answers.", err=True)
    if budget is not None or scoring.yes:
        return True
    if not sys.stdin.isatty():
        raise click.UsageError(
            f"{total.calls:,} calls are to be made. Allow them with --yes, or --budget CALLS; --dry-run shows them."
        )
    return click.confirm("Make them?", err=True)


def _costs_of_refusals(remote: Plan) -> Iterator[str]:
    """Say for each corpus what refusals cost."""
    for system, corpora in remote:
        for corpus in corpora:
            yield cost_of_refusals(corpus, len(system.runs_in(corpus.language)))


def cost_of_refusals(corpus: Corpus, runs: int) -> str:
    """Return how much precision is lost because some answers hold no score, estimated or without their items.

    Parameters
    ----------
    corpus
        The sentences that are asked about.
    runs
        Prompts, each of which must have an answer to every sentence of an item that is whole.
    """
    sizes = Counter(corpus.columns["pair"]).values()
    kept = sum((1 - REFUSED) ** (size * runs) for size in sizes)
    times = 1 / math.sqrt(1 - REFUSED)
    return (
        f"{corpus.name}: if {REFUSED:.0%} of the answers held no score, differences would be estimated from the "
        f"others, with standard errors about {times:.3f} times as large; --leave-out-unanswered would keep about "
        f"{kept:,.0f} of {len(sizes):,} items."
    )


def _is_remote(system: System, language: str) -> bool:
    return system.runs is not None and any(run.request for run in system.runs_in(language).values())


def describe_cost(system: System, corpus: Corpus, scored: CorpusScores) -> str:
    """Return a line on what the answers took; empty for systems on this machine that were quick."""
    cost = scored.cost
    if not (system.runs or system.spec) and cost.seconds < LONG_RUN:
        return ""
    if not cost.new:
        return f"{cost.stored:,} answers were stored, none was asked for."
    calls = f" in {cost.calls:,} calls" if _is_remote(system, corpus.language) else ""
    tokens = f", {cost.tokens_in:,} tokens in and {cost.tokens_out:,} out" if cost.tokens_in else ""
    return f"{cost.new - cost.failed:,} answers{calls}{tokens}, {cost.seconds:.1f} s; {cost.stored:,} were stored."


def _estimate(remote: Plan, scoring: Scoring, store: Store) -> tuple[Cost, list[Mapping[str, Any]]]:
    from eec_datasets.systems.scoring import Cost, missing

    total, requests = Cost(), dict[tuple[str, ...], Mapping[str, Any]]()
    for system, corpora in remote:
        for corpus in corpora:
            for run in system.runs_in(corpus.language).values():
                questions, stored = missing(run, corpus, store, fresh=scoring.fresh)
                total.stored += len(stored)
                total.new += len(questions)
                for each in questions:
                    # A later corpus finds the answers of an earlier one stored.
                    key = (run.name, run.fingerprint, each.text, str(each.repeat))
                    if run.request and key not in requests:
                        requests[key] = run.request(each.text)
    for request in requests.values():
        sent = json.dumps(request["messages"], ensure_ascii=False).encode()
        total.tokens_in += len(sent) // BYTES_PER_TOKEN
        total.tokens_out += int(request.get("max_tokens") or request.get("max_completion_tokens") or 0)
    total.calls = len(requests)
    return total, list(requests.values())[:REQUESTS_SHOWN]
