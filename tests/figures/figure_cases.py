"""Corpora, scores and results to draw, the same on every run."""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from eec_bias import Result, measure
from eec_bias.methods import kiritchenko2018

EMOTIONS = ("anger", "joy", "none")
ITEMS = [(f"t{t:02d}/{emotion}", emotion, f"t{t:02d}") for t in range(1, 9) for emotion in EMOTIONS]
BASES = ("aunt_uncle", "daughter_son", "mother_father", "she_he", "sister_brother", "wife_husband")
ARABIC = {
    ("Arab", "female"): ("فاطمة", "مريم", "هدى", "ليلى", "سعاد", "نور"),
    ("Arab", "male"): ("محمد", "يوسف", "خالد", "عمر", "حسن", "سامي"),
    ("Anglo", "female"): ("ايمي", "كيت", "لوسي", "جين", "روز", "نانسي"),
    ("Anglo", "male"): ("جون", "بول", "توم", "مارك", "جاك", "بيل"),
}


def names(
    levels: tuple[str, ...] = ("Anglo", "Latino"),
    *,
    axis: str = "race",
    genders: tuple[str, ...] = ("female", "male"),
    persons: int = 6,
    forms: dict[tuple[str, str], tuple[str, ...]] | None = None,
    items: list[tuple[str, str, str]] = ITEMS,
) -> pd.DataFrame:
    """Names of every level × gender on every item."""
    rows = []
    for level, gender, i in product(levels, genders, range(persons)):
        person = f"{level}-{gender}-{i}"
        form = forms[level, gender][i] if forms else person
        about = {"person": person, "person_form": form, axis: level, "gender": gender}
        rows += [
            {**about, "item": item, "pair": item, "emotion": emotion, "template": template}
            for item, emotion, template in items
        ]
    return pd.DataFrame(rows)


def pairs() -> pd.DataFrame:
    """Noun phrases and pronouns, a female and a male one per base."""
    rows = [
        {
            "person": person, "person_form": person, "race": "unmarked", "gender": gender, "item": item,
            "pair": f"{item}/{base}", "emotion": emotion, "template": template,
        }
        for base in BASES
        for person, gender in zip(base.split("_"), ("female", "male"), strict=True)
        for item, emotion, template in ITEMS
    ]  # fmt: skip
    return pd.DataFrame(rows)


def corpus(**sizes: Any) -> pd.DataFrame:
    """Names and pairs together."""
    return pd.concat([names(**sizes), pairs()], ignore_index=True)


def scores(data: pd.DataFrame, seed: int = 0, female: float = 0.05) -> np.ndarray:
    """Scores between 0 and 1: a person's own, an item's own, more for women, and noise."""
    generator = np.random.default_rng(seed)
    person = generator.uniform(-0.03, 0.03, 2000)[pd.factorize(data["person"])[0]]
    item = generator.uniform(-0.1, 0.1, 2000)[pd.factorize(data["item"])[0]]
    return np.asarray(
        0.5 + person + item + female * (data["gender"] == "female") + generator.uniform(-0.04, 0.04, len(data))
    )


@cache
def ordinary(**options: Any) -> Result:
    """One system on names and pairs."""
    data = corpus()
    return measure(scores(data), data, **options)


@cache
def arabic() -> Result:
    """One system on names written in Arabic letters."""
    data = names(("Anglo", "Arab"), forms=ARABIC)
    return measure(scores(data), data)


@cache
def many(systems: int = 40, method: Any = "default", **options: Any) -> Result:
    """Systems that differ in what they add for women."""
    data = corpus()
    effects = np.linspace(-0.06, 0.06, systems)
    each = {f"system {s:03d}": scores(data, s, effect) for s, effect in enumerate(effects.tolist())}
    return measure(each, data, **options) if method == "default" else kiritchenko2018(each, data, **options)
