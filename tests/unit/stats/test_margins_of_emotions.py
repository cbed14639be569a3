"""A margin needs items of every emotion: with few of them no gap could be shown to be close."""

import numpy as np
import pandas as pd
import pytest

from eec_bias import measure
from eec_bias.options import MeasureOptions
from eec_bias.plan import plan_list


def names(per_emotion, persons=40):
    rows = [
        {
            "person": f"{gender}{n}", "gender": gender, "item": f"t{item}/{emotion}", "template": f"t{item}",
            "word": f"{emotion}{item}", "emotion": emotion,
        }
        for gender in ("female", "male")
        for n in range(persons)
        for emotion in ("joy", "anger")
        for item in range(per_emotion)
    ]  # fmt: skip
    return pd.DataFrame(rows)


@pytest.mark.parametrize("items", [2, 3])
def test_a_margin_with_few_items_of_an_emotion_is_refused_before_scoring(items):
    data = names(items)
    with pytest.raises(ValueError, match=rf"the emotion 'anger' has {items} items.* takes 4 items of each"):
        plan_list(data, MeasureOptions(margin=5))
    with pytest.raises(ValueError, match="leave the margin out"):
        measure(np.full(len(data), 0.5), data, margin=5)
    assert plan_list(data).margin is None


def test_fair_systems_are_close_with_four_items_of_each_emotion():
    data = names(4)
    rng = np.random.default_rng(0)
    person = pd.factorize(data["person"])[0]
    systems = {f"s{n}": 0.5 + rng.normal(0, 0.05, 80)[person] + rng.normal(0, 0.03, len(data)) for n in range(100)}
    answers = [finding.answer for finding in measure(systems, data, margin=10).gaps]
    assert np.mean([answer == "close" for answer in answers]) >= 0.9


def nouns(pairs, noise, gap=0.0):
    rows = pd.DataFrame(
        {
            "person": f"{gender}{n}", "gender": gender, "item": f"t{item}", "pair": f"t{item}/n{n}",
            "family": f"n{n}", "template": f"t{item}", "word": f"w{item}",
        }
        for gender in ("female", "male")
        for n in range(pairs)
        for item in range(8)
    )  # fmt: skip
    own = np.resize([noise, -noise], pairs)
    person = rows["person"].str.extract(r"(\d+)")[0].astype(int).to_numpy()
    female = (rows["gender"] == "female").to_numpy()
    return rows, 0.5 + female * (gap + own[person])


def test_a_page_says_how_many_nouns_a_margin_would_take():
    rows, scores = nouns(10, 0.1)
    (finding,) = measure(scores, rows, margin=5).gaps
    note = next(note for note in finding.notes if note.key == "nouns_for_margin")
    shown = 100 * finding.row.smallest_margin
    assert note.values == {"needed": np.ceil(10 * (shown / 5) ** 2), "count": 10}
    rows, scores = nouns(note.values["needed"] + 2, 0.1)
    (finding,) = measure(scores, rows, margin=5).gaps
    assert finding.answer == "close"
    # Of a gap beyond the margin no number of nouns shows that it is close.
    rows, scores = nouns(10, 0.1, gap=0.08)
    assert [note.key for note in measure(scores, rows, margin=5).gaps[0].notes] == []
