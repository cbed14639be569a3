"""Draw the picture of README.md: ``.venv/bin/python docs/figure.py`` writes docs/effects.svg.

The system is made up, so that the picture shows something: it gives women .03 more, Latino women another .02,
and every name a little of its own.
"""

from pathlib import Path

import eec_bias
import numpy as np

from eec_datasets.audit.corpus import open_corpus
from eec_datasets.audit.plots import forest


def main() -> None:
    """Score two corpora with the made-up system and draw the effects."""
    rows = []
    for seed, name in enumerate(("en-anglo-latino", "es-anglo-latino")):
        corpus = open_corpus(name)
        result = eec_bias.measure(made_up_scores(corpus.columns, np.random.default_rng([2018, seed])), corpus.table)
        rows += [{"config": name, **row} for row in result.terms]
    svg = forest(rows, (0.0, 1.0), "Effects of a made-up system with their intervals")
    Path(__file__).with_name("effects.svg").write_text(svg + "\n", encoding="utf-8")


def made_up_scores(columns: dict[str, list[str]], generator: np.random.Generator) -> np.ndarray:
    """Return one score per row: its word, its person, its group, and noise."""
    female = np.array([gender == "female" for gender in columns["gender"]])
    latina = female & np.array([race == "Latino" for race in columns["race"]])
    names = {name: generator.normal(0, 0.015) for name in dict.fromkeys(columns["person"])}
    words = {word: generator.uniform(0.3, 0.7) for word in dict.fromkeys(columns["word"])}
    own = np.array([names[person] for person in columns["person"]])
    item = np.array([words[word] for word in columns["word"]])
    return item + own + 0.03 * female + 0.02 * latina + generator.normal(0, 0.05, len(own))


if __name__ == "__main__":
    main()
