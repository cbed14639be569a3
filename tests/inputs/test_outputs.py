"""Classes, probabilities and ordinal levels instead of scores."""

import json

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, names, scores

from eec_bias import measure

VALUES = {"negative": -1, "neutral": 0, "positive": 1}


@pytest.fixture
def data() -> pd.DataFrame:
    return corpus()


def predicted(data: pd.DataFrame, seed: int = 0) -> np.ndarray:
    return np.array(list(VALUES))[np.digitize(scores(data, seed), [0.4, 0.6])]


def rows(result, output: str) -> list[dict]:
    return [row for row in result.terms if row["output"] == output]


def test_classes_with_values_are_measured_as_expected_score_and_as_rates(data) -> None:
    labels = predicted(data)
    result = measure(labels, data, outputs="class", classes=VALUES)
    assert result.score_range == (-1.0, 1.0)
    assert list(dict.fromkeys(row["output"] for row in result.terms)) == [
        "score", "rate[negative]", "rate[neutral]", "rate[positive]",
    ]  # fmt: skip
    as_numbers = np.array([VALUES[label] for label in labels], dtype=float)
    alone = measure(as_numbers, data, score_range=(-1, 1))
    for a, b in zip(rows(result, "score"), alone.terms, strict=True):
        assert (a["effect"], a["se"], a["p"]) == (b["effect"], b["se"], b["p"])
    rate = measure((labels == "positive").astype(float), data)
    for a, b in zip(rows(result, "rate[positive]"), rate.terms, strict=True):
        assert (a["effect"], a["p"]) == (b["effect"], b["p"])


def test_rates_of_all_classes_differ_by_nothing_in_total(data) -> None:
    result = measure(predicted(data), data, outputs="class")
    effects = result.to_frame().pivot_table(index=["term", "subset"], columns="output", values="effect")
    assert np.abs(effects.sum(axis=1)).max() < 1e-12


def test_classes_without_values_have_rates_only(data) -> None:
    result = measure(predicted(data), data, outputs="class")
    assert {row["output"] for row in result.terms} == {"rate[negative]", "rate[neutral]", "rate[positive]"}
    assert str(result.signature).endswith("|outputs:class")


def test_class_numbers_are_taken_as_classes_in_order_of_value(data) -> None:
    labels = np.digitize(scores(data), [0.3, 0.7]) * 5
    result = measure(labels, data, outputs="class")
    assert list(dict.fromkeys(row["output"] for row in result.terms)) == ["rate[0]", "rate[5]", "rate[10]"]


def test_probabilities_give_the_expected_score_and_the_rates_of_the_likeliest_class(data) -> None:
    rng = np.random.default_rng(3)
    cube = rng.dirichlet([1, 2, 3], size=len(data))
    result = measure(cube, data, outputs="probabilities", classes=VALUES)
    alone = measure(cube @ [-1, 0, 1], data, score_range=(-1, 1))
    for a, b in zip(rows(result, "score"), alone.terms, strict=True):
        assert a["effect"] == pytest.approx(b["effect"], abs=1e-14)
    likeliest = measure((cube.argmax(axis=1) == 1).astype(float), data)
    assert rows(result, "rate[neutral]")[0]["effect"] == likeliest.terms[0]["effect"]


def test_probabilities_of_many_systems_and_as_a_frame_of_classes(data) -> None:
    cube = np.random.default_rng(3).dirichlet([1, 2, 3], size=(2, len(data)))
    both = measure(cube, data, outputs="probabilities", classes=VALUES, systems=["a", "b"])
    frame = pd.DataFrame(cube[1], columns=list(VALUES))[["positive", "negative", "neutral"]]
    one = measure(frame, data, outputs="probabilities", classes=VALUES)
    second = [row for row in both.terms if row["system"] == "b"]
    for a, b in zip(second, one.terms, strict=True):
        assert a["effect"] == pytest.approx(b["effect"], abs=1e-14)
    named = measure({"a": cube[0], "b": cube[1]}, data, outputs="probabilities", classes=VALUES)
    assert named.terms == both.terms


def test_ordinal_levels_are_scores_and_classes(data) -> None:
    stars = np.rint(1 + 4 * scores(data))
    result = measure(stars, data, outputs="ordinal", score_range=(1, 5))
    assert rows(result, "score")[0]["effect"] == measure(stars, data, score_range=(1, 5)).terms[0]["effect"]
    assert {row["output"] for row in result.terms} == {"score", *(f"rate[{k:g}]" for k in np.unique(stars))}


def test_a_system_that_flips_every_class_with_gender_has_flip_rate_one(data) -> None:
    labels = np.where(data["gender"] == "female", "positive", "negative")
    result = measure(labels, data, outputs="class")
    found = {(row["axis"], row["subset"]): (row["flip_rate"], row["within_rate"]) for row in result.flips}
    assert found == {("race", "names"): (0, 0), ("gender", "names"): (1, 0), ("gender", "pairs"): (1, None)}


def test_flip_rates_count_pairs_of_sentences_one_by_one() -> None:
    data = pd.DataFrame(names(persons=3))
    labels = predicted(data, seed=5)
    by_item = dict(list(data.assign(y=labels).groupby("item")))
    between, within = [], []
    for part in by_item.values():
        for race in ("Anglo", "Latino"):
            women, men = (
                part[(part["gender"] == g) & (part["race"] == race)]["y"].to_list() for g in ("female", "male")
            )
            between += [a != b for a in women for b in men]
            for cell in (women, men):
                within += [cell[i] != cell[j] for i in range(3) for j in range(3) if i != j]
    row = next(row for row in measure(labels, data, outputs="class").flips if row["axis"] == "gender")
    assert row["flip_rate"] == pytest.approx(np.mean(between), abs=1e-12)
    assert row["within_rate"] == pytest.approx(np.mean(within), abs=1e-12)


def test_flips_and_rates_are_in_the_plain_dict_and_the_tables(data) -> None:
    result = measure({"a": predicted(data), "b": predicted(data, 1)}, data, outputs="class", classes=VALUES)
    content = result.to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert [row["system"] for row in content["flips"]] == ["a"] * 3 + ["b"] * 3
    assert "shares of sentences" in content["notes"][-1]
    assert result.tables("csv")["flips"].startswith("system,axis,level,reference,subset,flip_rate,within_rate,")


def test_flat_scalars_stand_behind_the_name_of_the_output(data) -> None:
    content = measure(predicted(data), data, outputs="class", classes=VALUES).to_dict()
    assert content["rate[positive]/race_effect"] == content["terms"][4 * 3]["effect"]
    assert "score/gender_pairs_p" in content
    assert "race_effect" not in content
