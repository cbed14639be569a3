"""Corpora, scores and results to draw, the same on every run."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import perturbed as perturbations
import synthetic
from matplotlib.text import Text

from eec_bias import Result, measure
from eec_bias.methods import kiritchenko2018, perturbation

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


@cache
def perturbed() -> Result:
    """Two systems on names in place of those of other texts, some of them in Arabic letters or with signs."""
    data = perturbations.corpus()
    data["person_form"] = data["person_form"].replace({"Ada": "عائدة", "Bea": "B$e_a$"})
    return perturbation({"one": perturbations.scores(data), "two": perturbations.scores(data, 1)}, data, bootstrap=99)


def texts(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


def labels(figure: Any, axis: str = "y") -> list[str]:
    return [label.get_text() for label in getattr(figure.axes[0], f"get_{axis}ticklabels")()]
