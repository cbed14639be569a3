"""Small corpora with the columns of the row schema, and scores to go with them."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

ITEMS = [f"t{t:02d}-{word}" for t in (1, 2, 3) for word in ("angry", "glad")]
BASES = ("aunt_uncle", "daughter_son", "mother_father", "she_he", "sister_brother", "wife_husband")


def names(races=("Anglo", "Latino"), genders=("female", "male"), persons=5, items=ITEMS):
    """Rows of names: ``persons`` per race × gender cell, every one on every item."""
    return [
        {"person": f"{race}-{gender}-{i}".lower(), "race": race, "gender": gender, "item": item, "pair": item}
        for race, gender, i, item in product(races, genders, range(persons), items)
    ]


def noun_phrases(bases=BASES, items=ITEMS):
    """Rows of noun phrases: a female and a male form per base, every one on every item."""
    return [
        {"person": person, "race": "unmarked", "gender": gender, "item": item, "pair": f"{item}/{base}"}
        for base in bases
        for person, gender in zip(base.split("_"), ("female", "male"), strict=True)
        for item in items
    ]


def third_forms(bases=BASES, items=ITEMS):
    """A neutral form per base of noun phrases."""
    row = {"race": "unmarked", "gender": "neutral"}
    return [row | {"person": f"{b}-x", "item": i, "pair": f"{i}/{b}"} for b, i in product(bases, items)]


def phrases(countries=("Chile", "Kenya", "Norway"), items=ITEMS):
    """Six base phrases, each about every country."""
    roles = ("baker", "boss", "doctor", "friend", "neighbour", "teacher")
    rows = product(roles, countries, items)
    return pd.DataFrame(
        [{"person": f"{role}-{c}", "country": c, "item": i, "pair": f"{i}/{role}"} for role, c, i in rows]
    )


def corpus(**sizes):
    """Names and noun phrases together."""
    rows = [*names(**sizes), *noun_phrases(items=sizes.get("items", ITEMS))]
    return pd.DataFrame(rows)


def scores(data, seed=0):
    """Scores in (0, 1) with person, item and residual variation."""
    rng = np.random.default_rng(seed)
    person = rng.normal(0, 0.3, 1000)[pd.factorize(data["person"])[0]]
    item = rng.normal(0, 0.5, 1000)[pd.factorize(data["item"])[0]]
    return 1 / (1 + np.exp(-(person + item + rng.normal(0, 0.2, len(data)))))


def main_rows(result):
    """The rows that are not about the groups within another."""
    return [row for row in result.overall if "|" not in row["term"]]


def row_of(result, term, level=None, subset="names"):
    """The one row of a term."""
    (row,) = [r for r in result.overall if (r["term"], r["subset"]) == (term, subset) and level in (None, r["level"])]
    return row


def assert_rows(rows, others, rel=1e-09, abs=1e-13, without=()):
    """The same keys in the same order, and the same values, numbers up to the rounding of sums in another order."""
    for row, other in zip(rows, others, strict=True):
        one, two = ({k: v for k, v in r.items() if k not in without} for r in (row, other))
        assert list(one) == list(two)
        near = {k: pytest.approx(v, rel=rel, abs=abs, nan_ok=True) for k, v in two.items() if isinstance(v, float)}
        assert one == two | near
