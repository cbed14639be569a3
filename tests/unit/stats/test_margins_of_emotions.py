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
