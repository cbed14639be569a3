"""Classes, probabilities and ordinal levels instead of scores."""

import json

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, names, scores

from eec_bias import BiasError, OptionError, ScoresError, measure

VALUES = {"negative": -1, "neutral": 0, "positive": 1}


@pytest.fixture
def data() -> pd.DataFrame:
    return corpus()


def predicted(data: pd.DataFrame, seed: int = 0) -> np.ndarray:
    return np.array(list(VALUES))[np.digitize(scores(data, seed), [0.4, 0.6])]


def rows(result, output: str) -> list[dict]:
    return [row for row in result.terms if row["output"] == output]


def refusal(kind: type[BiasError], y: object, data: object, **options: object) -> str:
    with pytest.raises(kind) as caught:
        measure(y, data, **options)
    return str(caught.value)


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


def test_flips_and_rates_are_in_the_report_the_tables_and_the_plain_dict(data) -> None:
    result = measure({"a": predicted(data), "b": predicted(data, 1)}, data, outputs="class", classes=VALUES)
    content = result.to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert [row["system"] for row in content["flips"]] == ["a"] * 3 + ["b"] * 3
    text = str(result)
    assert "System: a, rate[positive]" in text
    assert "flip_rate" in text
    assert "Note: rows of a rate are in shares of sentences, between 0 and 1, not in the units of the scores" in text
    assert text.endswith(str(result.signature))
    assert result.tables("csv")["flips"].splitlines()[0] == (
        "system,axis,level,reference,subset,flip_rate,within_rate,n_items,n_sentences"
    )
    assert r"\toprule" in result.tables("latex")["flips"]


def test_flat_scalars_stand_behind_the_name_of_the_output(data) -> None:
    content = measure(predicted(data), data, outputs="class", classes=VALUES).to_dict()
    assert content["rate[positive]/race_effect"] == content["terms"][4 * 3]["effect"]
    assert "score/gender_pairs_p" in content
    assert "race_effect" not in content


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {7: [0.2, 0.2, 0.2]},
            "the probabilities in row 7 (rows count from 0) are 0.2, 0.2, 0.2, with the sum 0.6 (1 such); they must "
            "lie in [0, 1] and sum to 1: pass the output of a softmax, not logits",
        ),
        (
            {3: [-0.5, 0.5, 1.0], 4: [1.5, -0.25, -0.25]},
            "the probabilities in row 3 (rows count from 0) are -0.5, 0.5, 1, with the sum 1 (2 such); they must lie "
            "in [0, 1] and sum to 1: pass the output of a softmax, not logits",
        ),
        (
            {0: [np.nan, 0.5, 0.5]},
            "the probabilities in row 0 (rows count from 0) are nan, 0.5, 0.5, with the sum nan (1 such); they must "
            "lie in [0, 1] and sum to 1: pass the output of a softmax, not logits",
        ),
    ],
)
def test_probabilities_that_are_none_are_refused_with_their_row(data, change, message) -> None:
    cube = np.random.default_rng(3).dirichlet([1, 2, 3], size=len(data))
    for row, values in change.items():
        cube[row] = values
    assert refusal(ScoresError, cube, data, outputs="probabilities", classes=VALUES) == message


def test_probabilities_need_their_classes_and_one_column_for_each(data) -> None:
    cube = np.random.default_rng(3).dirichlet([1, 2, 3], size=len(data))
    assert refusal(OptionError, cube, data, outputs="probabilities") == (
        "outputs='probabilities' needs classes=: the classes in the order of the columns, or their values"
    )
    assert refusal(ScoresError, cube, data, outputs="probabilities", classes=["no", "yes"]) == (
        "there are 3 probabilities per row and 2 classes: no, yes"
    )
    assert refusal(ScoresError, cube[1:], data, outputs="probabilities", classes=VALUES) == (
        "probabilities have shape (191, 3) for 192 rows; expected (rows, classes) or (systems, rows, classes)"
    )
    frame = pd.DataFrame(cube, columns=["a", "b", "c"])
    assert refusal(ScoresError, frame, data, outputs="probabilities", classes=VALUES) == (
        "the columns of probabilities are a, b, c; classes= names negative, neutral, positive"
    )


def test_a_class_that_was_not_declared_is_refused_with_its_row(data) -> None:
    labels = predicted(data).astype(object)
    labels[11] = "Positive"
    assert refusal(ScoresError, {"m": labels}, data, outputs="class", classes=VALUES) == (
        "output in row 11 (rows count from 0) of system 'm' is 'Positive', which is not among the classes negative, "
        "neutral, positive; name every class in classes="
    )


def test_missing_classes_are_refused(data) -> None:
    labels = predicted(data).tolist()
    labels[4] = None
    assert refusal(ScoresError, labels, data, outputs="class") == (
        "classes cannot be read: column 'predictions' has no value in row 4 (rows count from 0; 1 such rows); every "
        "row needs a label"
    )
    assert refusal(ScoresError, labels[1:], data, outputs="class") == (
        "191 classes for 192 rows; give one class per row of the data"
    )
    assert refusal(ScoresError, ["same"] * 192, data, outputs="class") == (
        "every output is 'same'; name the classes there can be in classes="
    )


def test_one_class_everywhere_is_no_reaction_once_the_classes_are_named(data) -> None:
    result = measure(["yes"] * 192, data, outputs="class", classes=["no", "yes"])
    assert {(row["effect"], row["p"]) for row in result.terms} == {(0.0, 1.0)}


def test_ordinal_outputs_are_whole_numbers_on_a_short_scale(data) -> None:
    stars = np.rint(1 + 4 * scores(data))
    stars[9] = 2.5
    assert refusal(ScoresError, stars, data, outputs="ordinal", score_range=(1, 5)) == (
        "output in row 9 (rows count from 0) is 2.5; ordinal outputs are whole numbers within score_range: use "
        "outputs='score' for numbers in between"
    )
    percent = np.rint(100 * scores(data))
    count = len(np.unique(percent))
    assert refusal(ScoresError, percent, data, outputs="ordinal", score_range=(0, 100)) == (
        f"the outputs have {count} levels, from {percent.min():g} to {percent.max():g}; more than 20 are a scale of "
        "scores: use outputs='score'"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"outputs": "logits"}, "outputs='logits' is unknown; use one of 'score', 'ordinal', 'class', 'probabilities'"),
        ({"classes": VALUES}, "classes= goes with outputs='class' or 'probabilities', not with outputs='score'"),
        (
            {"outputs": "class", "score_range": (0, 2)},
            "score_range=(0, 2) was given with outputs='class'; the scale follows from the values in classes=",
        ),
        (
            {"outputs": "class", "classes": "yes"},
            "classes='yes'; expected the classes' values, such as {'negative': -1, 'positive': 1}, or their names",
        ),
        ({"outputs": "class", "classes": ["yes"]}, "classes=['yes']; expected two or more different classes"),
        (
            {"outputs": "class", "classes": {"a": 1, "b": 1}},
            "classes={'a': 1, 'b': 1}; expected a finite number per class, not all equal",
        ),
    ],
)
def test_options_of_outputs_that_contradict_each_other(data, options, message) -> None:
    assert refusal(OptionError, scores(data), data, **options) == message
