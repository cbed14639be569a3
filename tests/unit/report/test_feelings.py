"""Reports on systems that hear hardly any word for a feeling."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from eec_bias import measure
from eec_datasets.report.surfaces import page_of
from eec_datasets.report.text import plain

WORDS = [f"{emotion}{k}" for emotion in ("anger", "joy") for k in range(10)]


def sentences(*, alone: bool) -> pd.DataFrame:
    """Return 20 words of 6 women and 6 men, each word in a template of its own or all in two templates."""
    rows = []
    for number, (word, gender, person) in enumerate(product(WORDS, ("female", "male"), range(6))):
        templates = [f"t-{word}"] if alone else ["t1", "t2"]
        rows += [(f"{gender}{person}", gender, each, word, word.rstrip("0123456789"), number) for each in templates]
    data = pd.DataFrame(rows, columns=["person", "gender", "template", "word", "emotion", "number"])
    data["item"] = data["pair"] = data["template"] + "/" + data["word"]
    return data.drop(columns="number")


def scores(data: pd.DataFrame, heard: dict[str, float]) -> np.ndarray:
    return np.array(0.5 + data["word"].map(heard).fillna(0.0))


@pytest.mark.parametrize("alone", [False, True])
def test_a_constant_with_two_words_is_called_deaf(*, alone: bool) -> None:
    data = sentences(alone=alone)
    page = page_of(measure(scores(data, {"anger1": -0.2, "joy3": 0.1}), data))
    assert plain(page.headline) == "This system reacts to 2 of 20 words for feelings: we cannot tell if it’s biased"


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("count", [3, 20])
def test_a_system_that_hears_one_word_in_eight_is_not(count: int, *, alone: bool) -> None:
    data = sentences(alone=alone)
    heard = {word: 0.01 * (k + 1) for k, word in enumerate(WORDS[::-1][:count])}
    assert "cannot tell" not in plain(page_of(measure(scores(data, heard), data)).headline)


def test_of_several_systems_only_all_of_them_make_the_headline() -> None:
    data = sentences(alone=False)
    deaf, hears = scores(data, {"anger1": -0.2}), scores(data, {word: k / 50 for k, word in enumerate(WORDS)})
    both = page_of(measure({"a": deaf, "b": hears}, data))
    assert plain(both.headline).startswith("None of 2 comparisons found a gap")
    assert "Sure which of these words" not in plain(both.sure.paragraphs[0])
    none = page_of(measure({"a": deaf, "b": deaf}, data))
    assert plain(none.overall).startswith("None of 2 systems reacts to enough words for feelings")
    said = "None of 2 systems reacts to enough words for feelings: we cannot tell if they’re biased"
    assert plain(none.headline) == said


def test_a_deaf_system_is_not_called_inconclusive() -> None:
    data = sentences(alone=False)
    values = scores(data, {"anger1": -0.2})
    # One word about three women moves far on a narrow scale.
    values[(data["word"] == "joy3") & data["person"].isin(["female0", "female1", "female2"])] += 0.4
    result = measure(values, data, score_range=(0.25, 1))
    assert max(gap.high for each in result.gaps for gap in each.emotions) > 0.1 * 0.75, "more than ten points"
    assert {each.answer for each in result.gaps} == {"deaf"}
    assert "cannot tell" in plain(page_of(result).headline)
