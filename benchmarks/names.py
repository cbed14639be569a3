"""Worth of a hundred names and a lattice of items: ``python -m benchmarks.names`` (needs the extra demo).

First, the system ``wordllama``, which reacts to names: how many words its regression tells right that it was not
fitted on, and its interval for race on the corpus of the papers beside that on a part of the corpus with a hundred
names, of no more sentences. Second, simulated power on a part of 6,400 name sentences for a sentence encoder with a
trained head (`ENCODER`).
"""

from __future__ import annotations

import numpy as np

import eec_bias
import eec_datasets
from eec_datasets.systems.base import System, score_batch
from eec_datasets.systems.corpus import PAPER_SIZED, WHOLE, CorpusPart, open_corpus
from eec_datasets.systems.embedded import fit, lexicon, token_means
from eec_datasets.systems.registry import open_system

PAPER, STRONG = "en-black-white", "en-black-white-100"
NAMES, POWER_ITEMS = 100, 16
EFFECTS = {"race": 0.02, "race:gender": 0.04}
SYSTEMS = 1000
ENCODER = {"persons": 0.27 * 0.23, "groups × items": 0.035 * 0.23, "residual": 0.11 * 0.23}
"""Standard deviations of MiniLM with a trained head, the most variable of three systems that were measured.

They are .27, .035 and .11 on the logit scale; .23 is the mean slope of the logistic curve if items differ by .59 about
one half."""


def accuracy(folds: int = 5) -> str:
    """Say how many words of a fold are right by the regression on the others; words of one stem are in one fold."""
    words = lexicon("benchmark")
    vectors, positive = token_means()(list(words)), np.array(list(words.values()))
    fold = np.arange(len(words)) * folds // len(words)  # the lexicon is in alphabetical order
    right = [
        (fit(vectors[fold != own], positive[fold != own])(vectors[fold == own]) > 0.5) == positive[fold == own]
        for own in range(folds)
    ]
    return f"{len(words):,} words, {np.concatenate(right).mean():.2f} of them told right by cross-validation"


def race_interval(system: System, name: str, part: CorpusPart) -> tuple[str, float]:
    """Effect of race among names on the scale from 0 to 1 in words, and the half-width of its interval."""
    corpus = open_corpus(name, part)
    terms = eec_bias.measure(score_batch(system, corpus.columns), corpus.columns).to_dict()["terms"]
    (row,) = [term for term in terms if term["term"] == "race" and term["subset"] == "names"]
    half = (row["ci_high"] - row["ci_low"]) / 2
    taken = name
    if corpus.part:
        taken += f" ({part})"
    said = f"{taken}: {len(corpus.ids):,} sentences"
    return f"{said}, race {row['effect']:+.4f} ± {half:.4f}, detectable {row['mde']:.4f}", half


def widths() -> str:
    """The two intervals and their ratio."""
    system = open_system("wordllama")
    few, wide = race_interval(system, PAPER, WHOLE)
    many, narrow = race_interval(system, STRONG, PAPER_SIZED)
    return f"{accuracy()}\n{few}\n{many}\nhalf-widths: {narrow / wide:.2f} times"


def power() -> str:
    """Simulated power at the components of the encoder."""
    rows = eec_datasets.load(STRONG, names=NAMES, items=POWER_ITEMS)
    lines = [f"{STRONG}, {NAMES} names × {POWER_ITEMS} items, {SYSTEMS:,} simulated systems"]
    for term, effect in EFFECTS.items():
        (row,) = eec_bias.power(rows, term, (effect,), components=ENCODER, systems=SYSTEMS, seed=1).to_dict("records")
        sides = f"{row['power_low']:.2f} to {row['power_high']:.2f}"
        lines.append(f"{term} {effect}: power {row['power']:.2f} ({sides})")
    return "\n".join(lines)


if __name__ == "__main__":
    print(widths(), power(), sep="\n\n")
