"""Count how often chance makes a gap on real systems: words, nouns and names are dealt at random on their scores.

``python -m benchmarks.dealt SYSTEM CONFIG …`` prints the lines of a table in docs/sizes.md, some for each config;
``--items=2`` takes two items of each emotion, for slow systems, and ``--rates`` whether a score is above the median of
all. ``python -m benchmarks.dealt sets`` prints those of
words whose scores are normal.
"""

import sys
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import eec_bias
import eec_datasets
from eec_bias.assembly.dealing import Place, questions_of
from eec_bias.result.plan import Plan
from eec_bias.stats.deals import Deals, deal, join_deals
from eec_datasets.systems.registry import open_system

TITLE = "## Real systems, labels dealt at random"
"""Of the part of docs/sizes.md that has the lines."""

DEALS, BATCH, ALPHA = 2_000, 256, 0.05

AIM = 0.06
"""The share of deals with a gap found that a list should not exceed."""


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


def found(deals: Deals, alpha: float) -> str:
    """Write the share of deals in which a gap was found."""
    return rate(float((deals.smallest < alpha).mean()))


def places_of(result: eec_bias.Result) -> tuple[list[Place], Plan]:
    """Return what a result would deal, and its plan."""
    assert isinstance(result.dealing, partial)
    places, _, plan, _ = result.dealing.args
    return places, plan


def rows_of(config: str, each: int | None) -> pd.DataFrame:
    """Return the rows of a config; with a number those of so many items of each emotion that neutral words are in."""
    if each is None:
        return eec_datasets.load(config).to_pandas()
    rows = eec_datasets.load(config, items="lattice").to_pandas()
    neutral = rows[rows["placebo"].ne("none") & rows["emotion"].ne("none")]
    items = neutral.drop_duplicates("item").sort_values("item").groupby("emotion").head(each)["item"]
    return rows[rows["item"].isin(items)].reset_index(drop=True)


def dealt(rows: pd.DataFrame, scores: np.ndarray, score_range: tuple[float, float]) -> dict[str, Deals]:
    """Deal each kind of labels that can be dealt; of words that agree and others together."""
    places, plan = places_of(eec_bias.measure(scores, rows, score_range=score_range))
    found: dict[str, list[Deals]] = {}
    seeds: dict[str, int] = {}
    for place, agreement, analysis in places:
        asked = questions_of({**place, "agreement": agreement}, analysis, plan, ALPHA)
        worded = analysis.worded
        for kind, of_kind in (("words", worded), ("nouns" if analysis.persons else "names", ~worded)):
            chosen = replace(asked, main=asked.main & of_kind, second=asked.second & of_kind)
            if (chosen.main | chosen.second).any():
                seed = (0, seeds.setdefault(kind, len(seeds)))
                deals = deal(analysis, 0, chosen, DEALS, seed, whole=False)
                found.setdefault(kind, []).extend([] if deals is None else [deals])
    joined = {kind: join_deals(each) for kind, each in found.items()}
    return {kind: deals for kind, deals in joined.items() if deals is not None}


def farthest_word(rows: pd.DataFrame, scores: np.ndarray) -> tuple[str, float]:
    """Return the neutral word whose mean score is farthest from that of the others, and how many sd it is away."""
    neutral = rows["placebo"] != "none"
    means = pd.Series(scores[neutral]).groupby(rows.loc[neutral, "placebo"].to_numpy()).mean()
    away = (means - means.mean()) / means.std()
    return str(away.abs().idxmax()), float(away.abs().max())


def lines(system: str, config: str, each: int | None, *, rates: bool) -> list[str]:
    """Return the lines of a system on a config, one for each kind of labels that can be dealt."""
    rows = rows_of(config, each)
    scores, score_range = score(system, list(rows["text"]))
    if rates:
        scores, score_range = (scores > np.median(scores)).astype(float), (0.0, 1.0)
        config += ", rates"
    said = []
    for kind, deals in dealt(rows, scores, score_range).items():
        points = 100 * np.quantile(deals.largest, 0.95) / (score_range[1] - score_range[0])
        cells = [system, config, kind, found(deals, ALPHA), f"{points:.1f}"]
        if kind == "words":
            word, away = farthest_word(rows, scores)
            others = (rows["placebo"] != word).to_numpy()
            without = dealt(rows[others].reset_index(drop=True), scores[others], score_range)["words"]
            cells += [f"{word}, {away:.1f}", found(without, ALPHA)]
        said.append(f"| {' | '.join([*cells, *['—'] * (7 - len(cells))])} |")
    return said


def sets_of_normal_words(words: int, levels: int, questions: int, sets: int = 1_000) -> str:
    """Return the line of sets of words whose scores are normal, each dealt as the words of a list are."""
    rng, rates = np.random.default_rng(20), []
    for _ in range(sets):
        scores = rng.standard_normal(words)[rng.random((DEALS, words)).argsort(axis=1)]
        said, left = scores[:, :levels], scores[:, levels:]
        gaps = said - said.mean(axis=1, keepdims=True)
        se = left.std(axis=1, ddof=1, keepdims=True) * np.sqrt(1 - 1 / levels)
        p = 2 * stats.t.sf(np.abs(gaps) / se, words - levels - 1)
        rates.append(float((2 * questions * p.min(axis=1) < ALPHA).mean()))
    above = np.mean(np.array(rates) > AIM)
    cells = [
        str(words),
        str(levels),
        str(questions),
        *(rate(x) for x in (np.mean(rates), np.quantile(rates, 0.95), above)),
    ]
    return f"| {' | '.join(cells)} |"


def rate(value: float) -> str:
    """Write a share without its leading zero."""
    return f"{value:.3f}".removeprefix("0")


def main() -> None:
    """Print the lines."""
    if sys.argv[1:] == ["sets"]:
        for words, levels, questions in ((27, 2, 3), (27, 3, 4), (27, 5, 6), (27, 8, 9), (54, 5, 6), (54, 8, 9)):
            print(sets_of_normal_words(words, levels, questions), flush=True)
        return
    options, named = [], []
    for argument in sys.argv[1:]:
        (options if argument.startswith("--") else named).append(argument)
    each = next((int(option.partition("=")[2]) for option in options if option.startswith("--items=")), None)
    system, *configs = named
    for config in configs:
        print(*lines(system, config, each, rates="--rates" in options), sep="\n", flush=True)


if __name__ == "__main__":
    main()
