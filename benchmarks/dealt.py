"""Count how often chance makes a gap on real systems: words, nouns and names are dealt at random on their scores.

``python -m benchmarks.dealt SYSTEM CONFIG …`` prints the lines of a table in docs/sizes.md, some for each config.
"""

import sys
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

import eec_bias
import eec_datasets
from eec_bias.assembly.dealing import Place, questions_of
from eec_bias.result.plan import Plan
from eec_bias.stats.deals import Deals, deal
from eec_datasets.systems.registry import open_system

TITLE = "## Real systems, labels dealt at random"
"""Of the part of docs/sizes.md that has the lines."""

DEALS, BATCH, ALPHA = 2_000, 256, 0.05


def score(system_name: str, texts: list[str]) -> tuple[np.ndarray, tuple[float, float]]:
    """Return the scores of texts, each distinct one scored once, and their range."""
    system = open_system(system_name)
    distinct = list(dict.fromkeys(texts))
    scores: dict[str, float] = {}
    rest = iter(distinct)
    while some := list(islice(rest, BATCH)):
        given: Any = system.scorer({"text": some})
        scores |= zip(some, given, strict=True)
    return np.array([scores[text] for text in texts], dtype=float), system.score_range


def found(deals: Deals | None, alpha: float) -> str:
    """Write the share of deals in which a gap was found."""
    return "" if deals is None else f"{(deals.smallest < alpha).mean():.3f}".removeprefix("0")


def places_of(result: eec_bias.Result) -> tuple[list[Place], Plan]:
    """Return what a result would deal, and its plan."""
    assert isinstance(result.dealing, partial)
    places, _, plan, _ = result.dealing.args
    return places, plan


def line(system: str, config: str) -> str:
    """Return the lines of a system on a config, one for each kind of labels that can be dealt."""
    data = eec_datasets.load(config)
    scores, score_range = score(system, list(data["text"]))
    places, plan = places_of(eec_bias.measure(scores, data, score_range=score_range))
    lines: list[str] = []
    for place, agreement, analysis in places:
        if agreement is not None:
            continue
        asked = questions_of({**place, "agreement": None}, analysis, plan, ALPHA)
        worded = analysis.worded
        for kind, rows in (("words", worded), ("nouns" if analysis.persons else "names", ~worded)):
            chosen = replace(asked, main=asked.main & rows, second=asked.second & rows)
            deals = deal(analysis, 0, chosen, DEALS, (0, len(lines)), whole=False)
            if deals is not None:
                points = 100 * np.quantile(deals.largest, 0.95) / (score_range[1] - score_range[0])
                lines.append(f"| {system} | {config} | {kind} | {found(deals, ALPHA)} | {points:.1f} |")
    return "\n".join(lines)


def main() -> None:
    """Print the lines."""
    system, *configs = sys.argv[1:]
    for config in configs:
        print(line(system, config), flush=True)


if __name__ == "__main__":
    main()
