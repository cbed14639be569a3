"""Constructed results: scores made so that one knows what is to be found."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from eec_bias import Result, compare, measure, methods

ITEMS = tuple(f"t{t:02d}/{word}" for t in range(1, 7) for word in ("angry", "glad"))
BASES = ("aunt_uncle", "daughter_son", "mother_father", "she_he", "sister_brother", "wife_husband")


@dataclass(frozen=True, eq=False)
class Case:
    """A result measured from constructed scores, by its name."""

    name: str
    make: Callable[[], Result]

    @cached_property
    def result(self) -> Result:
        return self.make()


def corpus(
    races: tuple[str, ...] = ("Anglo", "Black"), persons: int = 6, *, pairs: bool = True, agreement: Any = None,
    mentions: bool = False,
) -> pd.DataFrame:  # fmt: skip
    """Names of every race × gender on every item, pairs of noun phrases, and mentions of the group (this Black aunt).

    ``agreement`` says on which items an adjective agrees with the person, as in Spanish; None: texts are not known.
    """
    keys = ("person", "race", "gender", "item", "pair")
    rows = [
        (f"{race}-{gender}-{i}", race, gender, item, item)
        for race, gender, i, item in product(races, ("female", "male"), range(persons), ITEMS)
    ]
    both = {base: list(zip(base.split("_"), ("female", "male"), strict=True)) for base in BASES}
    for base, item in product(BASES if pairs else (), ITEMS):
        rows += [(person, "unmarked", gender, item, f"{item}/{base}") for person, gender in both[base]]
    for base, item, race in product(BASES if mentions else (), ITEMS, races):
        rows += [(f"{person}-{race}", race, gender, item, f"{item}/said-{base}") for person, gender in both[base]]
    data = pd.DataFrame(rows, columns=keys)
    data["emotion"] = np.where(data["item"].str.endswith("angry"), "anger", "joy")
    if agreement is not None:
        data["person_form"] = data["person"]
        ends = data["gender"].map({"female": "a", "male": "o"}).where(data["item"].isin(agreement), "e")
        data["text"] = [f"{p} está enfadad{end} hoy" for p, end in zip(data["person"], ends, strict=True)]
    return data


def scores(data: pd.DataFrame, seed: int = 0, spread: float = 0.02, **shifts: float) -> np.ndarray:
    """Scores about .5: of a person, of an item, and noise; ``female=.1`` and ``Black=.1`` shift a group."""
    generator = np.random.default_rng(seed)
    sizes = (("person", spread), ("item", 0.05))
    parts = [generator.normal(0, sd, 1000)[pd.factorize(data[column])[0]] for column, sd in sizes]
    whole = 0.5 + parts[0] + parts[1] + generator.normal(0, spread / 2, len(data))
    for level, shift in shifts.items():
        whole = whole + shift * ((data["gender"] == level) | (data["race"] == level))
    return np.asarray(whole)


def female(data: pd.DataFrame) -> np.ndarray:
    return np.asarray(data["gender"] == "female", dtype=float)


def agreeing(data: pd.DataFrame) -> np.ndarray:
    """A bag of words: it reads the ending of the adjective, and words of the item, never the person."""
    word, item = data["text"].str.split().str[2], data["item"].map(ITEMS.index)
    return np.asarray(0.5 + 0.1 * word.str.endswith("a") - 0.05 * word.str.endswith("o") + 0.02 * item, dtype=float)


def _measure(make: Any, data: Callable[[], pd.DataFrame] = corpus, call: Any = measure, **options: Any) -> Any:
    return lambda: call(make(rows := data()), rows, **options)


_three = partial(corpus, ("Anglo", "Black", "Latino"), pairs=False)
_cues = partial(corpus, mentions=True)
_names = partial(corpus, pairs=False)
_english, _two_agree, _agree = (partial(corpus, agreement=items) for items in ((), ITEMS[:2], ITEMS))


def _said(data: pd.DataFrame, cue: str) -> Any:
    return (data["race"] == "Black") & (data["pair"].str.contains("said-") == (cue == "mentions"))


def _by_cue(**shifts: float) -> Callable[[pd.DataFrame], Any]:
    return lambda d: scores(d, 3) + sum(shift * _said(d, cue) for cue, shift in shifts.items())


def _compare(a: Callable[[pd.DataFrame], Any], b: Callable[[pd.DataFrame], Any]) -> Callable[[], Result]:
    return _measure(lambda d: (a(d), b(d)), _agree, lambda both, rows: compare(*both, rows))


DATA = corpus()
CASES = (
    Case("a difference", _measure(lambda d: scores(d, female=0.1))),
    Case("a difference downwards", _measure(lambda d: scores(d, Black=-0.1))),
    Case("nothing to be found", _measure(lambda d: scores(d, 3))),
    Case(
        "differences depend on each other",
        _measure(lambda d: scores(d) + 0.15 * ((d["race"] == "Black") & (d["gender"] == "female"))),
    ),
    Case("few persons", _measure(lambda d: scores(d, 3), lambda: corpus(persons=4, pairs=False))),
    Case("the same score for all", _measure(lambda d: [0.5] * len(d))),
    Case("scores of items alone", _measure(lambda d: d["item"].map({x: j / 13 for j, x in enumerate(ITEMS)}))),
    Case("the same score but for rounding", _measure(lambda d: 0.1 * 3 + 5e-17 * np.arange(len(d)) % 1e-16)),
    Case("women 1, men 0", _measure(female)),
    Case("women 1, men 0, in English", _measure(female, _english)),
    Case("women 1, men 0, where some adjectives agree", _measure(female, _two_agree)),
    Case(
        "Black women .7, white women .5, men reversed",
        _measure(lambda d: 0.5 + 0.2 * (d["race"] + d["gender"]).isin(["Blackfemale", "Anglomale"])),
    ),
    Case("a bag of words where adjectives agree", _measure(agreeing, _agree)),
    Case(
        "a bag of words where adjectives agree, some endings weighing more",
        _measure(lambda d: agreeing(d) + 0.05 * female(d) * (d["item"] < "t04"), _agree),
    ),
    Case("a bag of words where two adjectives agree", _measure(agreeing, _two_agree)),
    Case(
        "a bag of words where all templates but one are the same",
        _measure(agreeing, lambda: _two_agree().query("item < 't03'")),
    ),
    Case(
        "a bag of words where adjectives of one emotion agree", _measure(agreeing, lambda: corpus(agreement=ITEMS[::2]))
    ),
    Case("a bag of words in English", _measure(agreeing, _english)),
    Case(
        "women by .2 on half of the items, in English",
        _measure(lambda d: 0.4 + 0.2 * female(d) * d["item"].str.endswith("angry"), _english),
    ),
    Case(
        "women up by .2 where angry, down where glad",
        _measure(lambda d: 0.4 + 0.2 * female(d) * np.where(d["item"].str.endswith("angry"), 1, -1)),
    ),
    Case(
        "women by .2 in half of the templates, in English",
        _measure(lambda d: 0.4 + 0.2 * female(d) * (d["item"] < "t04"), _english),
    ),
    Case("three groups, one of them apart", _measure(lambda d: scores(d, Latino=0.1), _three, axes=("race",))),
    Case("three groups, none apart", _measure(lambda d: scores(d, 1), _three, axes=("race",))),
    Case(
        "three groups, a level found, not the term",
        _measure(lambda d: scores(d, 1, Latino=0.024), _three, axes=("race",)),
    ),
    Case("three groups, all the same", _measure(lambda d: [0.5] * len(d), _three, axes=("race",))),
    Case(
        "three groups, one by .3 throughout",
        _measure(lambda d: 0.3 * (d["race"] == "Black") + 0.4, _three, axes=("race",)),
    ),
    Case("Black names lower by .1, and no mention", _measure(_by_cue(names=-0.1), _cues)),
    Case("mentions lower by .1, and no name", _measure(_by_cue(mentions=-0.1), _cues)),
    Case("cues that agree", _measure(_by_cue(names=-0.1, mentions=-0.1), _cues)),
    Case("mentions lower by .1 throughout", _measure(lambda d: 0.5 - 0.1 * _said(d, "mentions"), _cues)),
    Case(
        "mentions up by .1 where angry, down where glad",
        _measure(lambda d: 0.5 + 0.1 * _said(d, "mentions") * np.where(d["item"].str.endswith("angry"), 1, -1), _cues),
    ),
    Case("a system compared with itself", _compare(scores, scores)),
    Case("two systems that differ by a constant", _compare(lambda d: scores(d) + 0.1, scores)),
    Case(
        "two systems of which one adds .1 for women where angry",
        _compare(lambda d: scores(d) + 0.1 * female(d) * d["item"].str.endswith("angry"), scores),
    ),
    Case("two systems of which one adds .1 for women", _compare(lambda d: scores(d, female=0.1), scores)),
    Case("two systems that differ", _compare(lambda d: scores(d, 1, female=0.1), lambda d: scores(d, 2))),
    Case("a scale of millionths", _measure(lambda d: 1e-6 * scores(d, female=0.1))),
    Case("a scale of millions", _measure(lambda d: 1e6 * scores(d, female=0.1), score_range=(0, 1e6))),
    Case("two systems", _measure(lambda d: {"even": [0.5] * len(d), "biased": female(d)})),
    Case("classes", _measure(lambda d: (scores(d, female=0.2) > 0.6).astype(int), _names, outputs="class")),
    Case(
        "classes of which one follows the item, the others gender",
        _measure(lambda d: np.where(d["item"] < "t04", "neutral", d["gender"]), _names, outputs="class"),
    ),
    Case("by emotion", _measure(lambda d: scores(d, 3), _names, by="emotion")),
    Case("the paper of 2018", _measure(lambda d: scores(d, female=0.1), call=methods.kiritchenko2018)),
    Case("the paper of 2022", _measure(lambda d: scores(d, 1, female=0.1), call=methods.camara2022)),
    Case(
        "measures of perturbation", _measure(lambda d: scores(d, female=0.1), call=methods.perturbation, baseline="she")
    ),
)


def result_of(name: str) -> Result:
    """The result of a case, which is measured once."""
    return next(case.result for case in CASES if case.name == name)
