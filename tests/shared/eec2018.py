"""A corpus of the shape of the 2018 EEC, and scores of it by three systems."""

from itertools import product

import numpy as np

from eec_bias import simulate

EMOTIONS = ("anger", "fear", "joy", "sadness")
RACES, GENDERS = ("Black", "white"), ("female", "male")


def items(words=5):
    """Return (item, emotion) of 7 templates with words of four emotions, and 4 neutral templates."""
    found = [(f"t{t:02d}/{e}{w}", e) for t in range(1, 8) for e in EMOTIONS for w in range(words)]
    return found + [(f"t{t:02d}/none", "none") for t in range(8, 12)]


def corpus(words=5, names=10, pairs=10):
    """Return columns of the corpus."""
    rows = []
    for item, emotion in items(words):
        named, phrases = product(RACES, GENDERS, range(names)), product(range(pairs), GENDERS)
        rows += [(f"{race}-{gender}-{k}", race, gender, item, item, emotion) for race, gender, k in named]
        rows += [(f"{gender}-{k}", "unmarked", gender, item, f"{item}/phrase{k}", emotion) for k, gender in phrases]
    return dict(zip(("person", "race", "gender", "item", "pair", "emotion"), np.array(rows).T, strict=True))


def three_systems(eec):
    """Return scores of three systems with effects of race and gender."""
    effects = {"race": 0.02, "gender": -0.03}
    return simulate(eec, name_sd=0.1, item_sd=0.3, phi=200, effects=effects, systems=3, seed=4, axes=["race", "gender"])


EEC = corpus()
SCORES = three_systems(EEC)
