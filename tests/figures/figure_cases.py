"""Corpora, scores and results to draw, the same on every run."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import synthetic

from eec_bias import Result, measure
from eec_bias.methods import kiritchenko2018

ITEMS = [f"t{t:02d}/{emotion}" for t in range(1, 9) for emotion in ("anger", "joy", "none")]
ARABIC = {
    ("Arab", "female"): ("فاطمة", "مريم", "هدى", "ليلى", "سعاد", "نور"),
    ("Arab", "male"): ("محمد", "يوسف", "خالد", "عمر", "حسن", "سامي"),
    ("Anglo", "female"): ("ايمي", "كيت", "لوسي", "جين", "روز", "نانسي"),
    ("Anglo", "male"): ("جون", "بول", "توم", "مارك", "جاك", "بيل"),
}


def described(rows: list[dict[str, str]]) -> pd.DataFrame:
    """Rows with the form of the person, the template and the emotion of the item."""
    data = pd.DataFrame(rows).assign(person_form=lambda each: each["person"])
    data[["template", "emotion"]] = data["item"].str.split("/", expand=True)
    return data


def names(
    levels: tuple[str, ...] = ("Anglo", "Latino"), *, persons: int = 6, items: list[str] = ITEMS
) -> pd.DataFrame:  # fmt: skip
    """Names of every level × gender on every item."""
    return described(synthetic.names(levels, persons=persons, items=items))


def pairs() -> pd.DataFrame:
    """Noun phrases and pronouns, a female and a male one per base."""
    return described(synthetic.noun_phrases(items=ITEMS))


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
    data = names(("Anglo", "Arab"))
    own = (data["race"], data["gender"], data["person"].str[-1].astype(int))
    data["person_form"] = [ARABIC[race, gender][i] for race, gender, i in zip(*own, strict=True)]
    return measure(scores(data), data)


@cache
def many(systems: int = 40, method: Any = "default", **options: Any) -> Result:
    """Systems that differ in what they add for women."""
    data = corpus()
    effects = np.linspace(-0.06, 0.06, systems)
    each = {f"system {s:03d}": scores(data, s, effect) for s, effect in enumerate(effects.tolist())}
    return measure(each, data, **options) if method == "default" else kiritchenko2018(each, data, **options)
