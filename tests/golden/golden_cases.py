"""Constructed results: small corpora, scores with known gaps, and the calls that measure them."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from eec_bias import compare, measure, methods

ITEMS = tuple(f"t{t:02d}/{word}" for t in range(1, 7) for word in ("angry", "glad"))
BASES = ("aunt_uncle", "daughter_son", "mother_father", "she_he", "sister_brother", "wife_husband")


def corpus(
    races: tuple[str, ...] = ("Anglo", "Black"), persons: int = 6, *, pairs: bool = True, mentions: bool = False
) -> pd.DataFrame:
    """Return names of every race × gender on every item, pairs of noun phrases, and mentions of the group."""
    rows = [
        (f"{race}-{gender}-{i}", race, gender, item, item)
        for race, gender, i, item in product(races, ("female", "male"), range(persons), ITEMS)
    ]
    both = {base: list(zip(base.split("_"), ("female", "male"), strict=True)) for base in BASES}
    for base, item in product(BASES if pairs else (), ITEMS):
        rows += [(person, "unmarked", gender, item, f"{item}/{base}") for person, gender in both[base]]
    for base, item, race in product(BASES if mentions else (), ITEMS, races):
        rows += [(f"{person}-{race}", race, gender, item, f"{item}/said-{base}") for person, gender in both[base]]
    data = pd.DataFrame(rows, columns=["person", "race", "gender", "item", "pair"])
    data["emotion"] = np.where(data["item"].str.endswith("angry"), "anger", "joy")
    return data


def agreeing(items: tuple[str, ...]) -> pd.DataFrame:
    """Return a corpus with texts in which an adjective agrees with the person on some items, as in Spanish."""
    data = corpus()
    data["person_form"] = data["person"]
    endings = data["gender"].map({"female": "a", "male": "o"}).where(data["item"].isin(items), "e")
    data["text"] = [f"{person} está enfadad{end} hoy" for person, end in zip(data["person"], endings, strict=True)]
    return data


def scores(data: pd.DataFrame, seed: int = 0, spread: float = 0.02, **shifts: float) -> np.ndarray:
    """Return scores near .5 that vary by person, item and sentence; ``female=.1`` shifts a group."""
    generator = np.random.default_rng(seed)
    person = generator.normal(0, spread, 1000)[pd.factorize(data["person"])[0]]
    item = generator.normal(0, 0.05, 1000)[pd.factorize(data["item"])[0]]
    whole = 0.5 + person + item + generator.normal(0, spread / 2, len(data))
    for level, shift in shifts.items():
        whole = whole + shift * ((data["gender"] == level) | (data["race"] == level))
    return np.asarray(whole)


def female(data: pd.DataFrame) -> np.ndarray:
    """Return 1 for women and 0 for men."""
    return np.asarray(data["gender"] == "female", dtype=float)


def bag_of_words(data: pd.DataFrame) -> np.ndarray:
    """Return scores of a system that reads the ending of the adjective and words of the item, never the person."""
    word, item = data["text"].str.split().str[2], data["item"].map(ITEMS.index)
    return np.asarray(0.5 + 0.1 * word.str.endswith("a") - 0.05 * word.str.endswith("o") + 0.02 * item, dtype=float)


def by_cue(data: pd.DataFrame, names: float = 0.0, mentions: float = 0.0) -> np.ndarray:
    """Return scores that shift for Black people, by one amount for names and another for mentions."""
    mentioned = data["pair"].str.contains("said-")
    return scores(data, 3) + (data["race"] == "Black") * np.where(mentioned, mentions, names)


def with_holes(data: pd.DataFrame) -> np.ndarray:
    """Return scores of which every eleventh is missing."""
    return np.where(np.arange(len(data)) % 11 == 0, np.nan, scores(data, female=0.1))


ALL = corpus()
NAMES = corpus(pairs=False)
THREE = corpus(("Anglo", "Black", "Latino"), pairs=False)
CUES = corpus(mentions=True)
TWO_AGREE = agreeing(ITEMS[:2])
ALL_AGREE = agreeing(ITEMS)
FAMILIES = NAMES.assign(
    family=NAMES["person"].str.replace(r"\d", lambda digit: str(int(digit[0]) // 2), regex=True), ending="none"
)
HALF = np.where(ALL["item"].str.endswith("angry"), 1.0, -1.0)
FIRST_TEMPLATES = np.asarray(ALL["item"] < "t04", dtype=float)
CLASSES = np.where(scores(NAMES, female=0.2) > 0.6, "positive", "negative")
LONG = pd.concat(
    [ALL.assign(model=model, score=scores(ALL, seed, female=gap)) for seed, (model, gap) in
     enumerate({"first": 0.0, "second": 0.05}.items())],
    ignore_index=True,
)  # fmt: skip

CASES: dict[str, Callable[[], Any]] = {
    "a gap": lambda: measure(scores(ALL, female=0.1), ALL),
    "a gap downwards": lambda: measure(scores(ALL, Black=-0.1), ALL),
    "no gap": lambda: measure(scores(ALL, 3), ALL),
    "gaps that depend on each other": lambda: measure(
        scores(ALL) + 0.15 * ((ALL["race"] == "Black") & (ALL["gender"] == "female")), ALL
    ),
    "few names": lambda: measure(scores(data := corpus(persons=4, pairs=False), 3), data),
    "families of names": lambda: measure(scores(FAMILIES, 4, Black=0.02), FAMILIES),
    "the same score for all": lambda: measure([0.5] * len(ALL), ALL),
    "the same score up to rounding": lambda: measure(0.1 * 3 + 5e-17 * np.arange(len(ALL)) % 1e-16, ALL),
    "women 1 and men 0": lambda: measure(female(ALL), ALL),
    "a bag of words where adjectives agree": lambda: measure(bag_of_words(ALL_AGREE), ALL_AGREE),
    "a bag of words where two adjectives agree": lambda: measure(bag_of_words(TWO_AGREE), TWO_AGREE),
    "one template differs": lambda: measure(bag_of_words(data := TWO_AGREE.query("item < 't03'")), data),
    "a gap that turns with the emotion": lambda: measure(0.4 + 0.2 * female(ALL) * HALF, ALL),
    "a gap of half of the templates": lambda: measure(0.4 + 0.2 * female(ALL) * FIRST_TEMPLATES, ALL),
    "three groups": lambda: measure(scores(THREE, Latino=0.1), THREE, axes=("race",)),
    "three groups and gender": lambda: measure(scores(THREE, 1), THREE),
    "three groups without a reference": lambda: measure(scores(THREE, Latino=0.05), THREE, reference=None),
    "a reference of your own": lambda: measure(
        scores(ALL, Black=-0.1), ALL, reference={"race": "Black", "gender": "female"}
    ),
    "names and mentions that differ": lambda: measure(by_cue(CUES, names=-0.1), CUES),
    "names and mentions that agree": lambda: measure(by_cue(CUES, names=-0.1, mentions=-0.1), CUES),
    "a margin that is kept": lambda: measure(scores(ALL, 3, 0.005), ALL, margin=5),
    "a margin that is kept on average": lambda: measure(scores(ALL, 3, 0.005) + 0.04 * female(ALL) * HALF, ALL,
                                                        margin=3),
    "a margin too small to tell": lambda: measure(scores(ALL, 3), ALL, margin=0.1),
    "a confidence of .9": lambda: measure(scores(ALL, female=0.01), ALL, confidence=0.9),
    "a scale of millionths": lambda: measure(1e-6 * scores(ALL, female=0.1), ALL),
    "a scale of millions": lambda: measure(1e6 * scores(ALL, female=0.1), ALL, score_range=(0, 1e6)),
    "no range": lambda: measure(5 * scores(ALL, female=0.1), ALL, score_range=None),
    "two systems": lambda: measure({"even": [0.5] * len(ALL), "biased": scores(ALL, female=0.1)}, ALL),
    "two systems as long data": lambda: measure(LONG["score"], LONG, systems="model"),
    "six runs": lambda: measure(
        np.array([scores(ALL, seed, female=0.02 * seed) for seed in range(6)]), ALL,
        systems=["model"] * 6, runs=[f"prompt {run}" for run in range(1, 7)],
    ),
    "holes": lambda: measure(with_holes(ALL), ALL),
    "holes, and only the items without": lambda: measure(
        np.where((ALL["item"] == ITEMS[0]) & (ALL["person"] == "she"), np.nan, scores(ALL, female=0.1)), ALL,
        incomplete="shared",
    ),
    "by emotion": lambda: measure(scores(NAMES, 3, Black=0.02), NAMES, by="emotion"),
    "classes": lambda: measure(CLASSES, NAMES, outputs="class"),
    "rates above a threshold": lambda: measure(scores(ALL, female=0.05), ALL, rate_above=0.5),
    "rates above the median": lambda: measure(scores(ALL, 2, Black=0.01), ALL, rate_above="median"),
    "a system compared with another": lambda: compare(scores(ALL, 1, female=0.1), scores(ALL, 2), ALL),
    "a system compared with itself": lambda: compare(scores(ALL), scores(ALL), ALL),
    "systems that differ by a constant gap": lambda: compare(scores(ALL, female=0.1), scores(ALL), ALL),
    "the procedure of 2018": lambda: methods.kiritchenko2018(scores(ALL, female=0.1), ALL),
    "the procedure of 2022": lambda: methods.camara2022(scores(ALL, 1, female=0.1), ALL),
    "measures of perturbation": lambda: methods.perturbation(scores(ALL, female=0.1), ALL, baseline="she"),
}  # fmt: skip
