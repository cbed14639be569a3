"""Small corpora with the columns of the row schema, and scores to go with them."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

ITEMS = [f"t{t:02d}/{word}" for t in (1, 2, 3) for word in ("angry", "glad")]
BASES = ("aunt_uncle", "daughter_son", "mother_father", "she_he", "sister_brother", "wife_husband")


def names(
    races: tuple[str, ...] = ("Anglo", "Latino"),
    genders: tuple[str, ...] = ("female", "male"),
    persons: int = 5,
    items: list[str] = ITEMS,
) -> list[dict[str, str]]:
    """Rows of names: ``persons`` per race × gender cell, every one on every item."""
    return [
        {"person": f"{race}-{gender}-{i}".lower(), "race": race, "gender": gender, "item": item, "pair": item}
        for race, gender, i, item in product(races, genders, range(persons), items)
    ]


def noun_phrases(bases: tuple[str, ...] = BASES, items: list[str] = ITEMS) -> list[dict[str, str]]:
    """Rows of noun phrases: a female and a male form per base, every one on every item."""
    return [
        {"person": person, "race": "unmarked", "gender": gender, "item": item, "pair": f"{item}/{base}"}
        for base in bases
        for person, gender in zip(base.split("_"), ("female", "male"), strict=True)
        for item in items
    ]


def corpus(**sizes: Any) -> pd.DataFrame:
    """Names and noun phrases together."""
    rows = [*names(**sizes), *noun_phrases(items=sizes.get("items", ITEMS))]
    return pd.DataFrame(rows)


def scores(data: pd.DataFrame, seed: int = 0) -> np.ndarray:
    """Scores in (0, 1) with person, item and residual variation."""
    rng = np.random.default_rng(seed)
    person = rng.normal(0, 0.3, 1000)[pd.factorize(data["person"])[0]]
    item = rng.normal(0, 0.5, 1000)[pd.factorize(data["item"])[0]]
    return 1 / (1 + np.exp(-(person + item + rng.normal(0, 0.2, len(data)))))
