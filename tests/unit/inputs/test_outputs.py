"""Classes, probabilities and ordinal levels instead of scores."""

import numpy as np
import pandas as pd
import pytest
from synthetic import assert_rows, corpus, names, scores

from eec_bias import measure, report

VALUES = {"negative": -1, "neutral": 0, "positive": 1}
DATA = corpus()
SHARES = {"outputs": "probabilities", "classes": VALUES}
CUBE = np.random.default_rng(3).dirichlet([1, 2, 3], size=(2, len(DATA)))


def predicted(data: pd.DataFrame = DATA, seed: int = 0) -> np.ndarray:
    return np.array(list(VALUES))[np.digitize(scores(data, seed), [0.4, 0.6])]


def rows(result, output: str) -> list[dict]:
    """The rows of one output, without the columns that name systems and outputs and those that depend on the family."""
    kept = [row for row in result.overall if row.get("output", output) == output]
    return [{key: row[key] for key in ("term", "level", "subset", "effect", "se", "p", "n_items")} for row in kept]


@pytest.mark.parametrize(
    ("outputs", "given", "options", "as_scores"),
    [
        ("class", predicted(), {"classes": VALUES}, [VALUES[label] for label in predicted()]),
        ("probabilities", CUBE[0], {"classes": VALUES}, CUBE[0] @ [-1, 0, 1]),
        ("ordinal", np.rint(1 + 4 * scores(DATA)), {"score_range": (1, 5)}, np.rint(1 + 4 * scores(DATA))),
    ],
)
def test_outputs_with_values_are_measured_as_expected_scores_and_as_rates(outputs, given, options, as_scores) -> None:
    result = measure(given, DATA, outputs=outputs, **options)
    low, high = options.get("score_range", (-1, 1))
    assert result.score_range == (low, high)
    alone = measure(np.array(as_scores, dtype=float), DATA, score_range=(low, high))
    assert_rows(rows(result, "score"), rows(alone, "score"))
    classes = list(VALUES) if outputs != "ordinal" else [f"{level:g}" for level in np.unique(given)]
    likeliest = given if np.ndim(given) == 1 else np.array(classes)[given.argmax(axis=1)]
    assert list(dict.fromkeys(row["output"] for row in result.overall)) == ["score", *(f"rate[{c}]" for c in classes)]
    for name in classes:
        hit = likeliest == (float(name) if outputs == "ordinal" else name)
        assert_rows(rows(result, f"rate[{name}]"), rows(measure(hit.astype(float), DATA), "score"))


def test_classes_without_values_have_rates_alone() -> None:
    result = measure(predicted(), DATA, outputs="class")
    assert {row["output"] for row in result.overall} == {"rate[negative]", "rate[neutral]", "rate[positive]"}
    assert "|outputs:class|" in result.signature
    assert "declared as [0, 1], those on rates in shares of sentences" in report(result)
    assert "rates" not in str(measure(scores(DATA), DATA))
    effects = result.to_frame().pivot_table(index=["term", "subset"], columns="output", values="effect")
    assert np.abs(effects.sum(axis=1)).max() < 1e-12
    # One class everywhere differs in nothing, once the classes are named.
    same = measure(["yes"] * 192, DATA, outputs="class", classes=["no", "yes"])
    assert {(row["effect"], row["p"]) for row in same.overall} == {(0.0, None), (0.0, 1.0)}
    numbers = measure(np.digitize(scores(DATA), [0.3, 0.7]) * 5, DATA, outputs="class")
    assert list(dict.fromkeys(row["output"] for row in numbers.overall)) == ["rate[0]", "rate[5]", "rate[10]"]


def test_probabilities_of_many_systems_and_as_a_frame_of_classes() -> None:
    both = measure(CUBE, DATA, systems=["a", "b"], **SHARES)
    frame = pd.DataFrame(CUBE[1], columns=list(VALUES))[["positive", "negative", "neutral"]]
    second = [row for row in both.overall if row["system"] == "b"]
    assert_rows(second, measure(frame, DATA, **SHARES).overall, without=("system",))
    assert_rows(measure({"a": CUBE[0], "b": CUBE[1]}, DATA, **SHARES).overall, both.overall)


def test_probabilities_may_be_rounded_as_they_are_printed() -> None:
    rounded = CUBE[0].round(2)
    assert np.ptp(rounded.sum(axis=1)) > 0.015
    exact, near = (rows(measure(given, DATA, **SHARES), "score") for given in (CUBE[0], rounded))
    assert [row["effect"] for row in near] == pytest.approx([row["effect"] for row in exact], abs=2e-3)


def test_a_system_that_flips_every_class_with_gender_has_flip_rate_one() -> None:
    labels = np.where(DATA["gender"] == "female", "positive", "negative")
    flips = measure(labels, DATA, outputs="class").flips
    found = {(row["axis"], row["subset"]): (row["flip_rate"], row["within_rate"]) for row in flips}
    assert found == {("race", "names"): (0, 0), ("gender", "names"): (1, 0), ("gender", "pairs"): (1, None)}


def test_flip_rates_count_pairs_of_sentences_one_by_one() -> None:
    data = pd.DataFrame(names(persons=3))
    labels = predicted(data, seed=5)
    between, within = [], []
    for _, part in data.assign(y=labels).groupby(["item", "race"]):
        women, men = (part[part["gender"] == gender]["y"].to_list() for gender in ("female", "male"))
        between += [a != b for a in women for b in men]
        within += [cell[i] != cell[j] for cell in (women, men) for i in range(3) for j in range(3) if i != j]
    row = next(row for row in measure(labels, data, outputs="class").flips if row["axis"] == "gender")
    assert row["flip_rate"] == pytest.approx(np.mean(between), abs=1e-12)
    assert row["within_rate"] == pytest.approx(np.mean(within), abs=1e-12)


def test_flips_and_rates_are_in_text_and_flat_scalars() -> None:
    result = measure({"a": predicted(), "b": predicted(DATA, 1)}, DATA, outputs="class", classes=VALUES)
    assert [row["system"] for row in result.to_dict()["flips"]] == ["a"] * 3 + ["b"] * 3
    text = report(result)
    assert "System: a, rate[positive]" in text
    assert "a row about a rate gives shares of sentences" in text
    content = measure(predicted(), DATA, outputs="class", classes=VALUES).to_dict()
    assert content["rate[positive]/race_effect"] == next(
        row["effect"] for row in content["terms"] if row["output"] == "rate[positive]" and row["term"] == "race"
    )
    assert "score/gender_pairs_p" in content
    assert "race_effect" not in content


def test_why_a_rate_has_no_beta_is_said() -> None:
    result = measure(predicted(), DATA, outputs="class", classes=VALUES)
    assert "beta is not given: a rate rests on rows of 0 and 1, where" in report(result)
    assert "without an edge treatment" not in report(result)
    assert "scores at -1 or 1 (rate" not in str(measure(predicted(), DATA, outputs="class", classes=VALUES))
