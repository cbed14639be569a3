"""Many systems in one call: matrices, frames, long data, systems without scores."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from synthetic import corpus, scores

from eec_bias import BiasError, LabelsError, OptionError, ScoresError, measure
from eec_bias.result.frame import Row


@pytest.fixture
def data() -> pd.DataFrame:
    return corpus()


@pytest.fixture
def three(data: pd.DataFrame) -> dict[str, np.ndarray]:
    return {name: scores(data, seed) for seed, name in enumerate(("zeta", "alpha", "mid"))}


def assert_alike(rows: Sequence[Row], others: Sequence[Row]) -> None:
    """The same rows, numbers up to rounding: batches of another size are summed in another order."""
    assert [list(row) for row in rows] == [list(row) for row in others]
    for row, other in zip(rows, others, strict=True):
        assert row == {key: pytest.approx(x, rel=1e-12) if isinstance(x, float) else x for key, x in other.items()}


def refusal(kind: type[BiasError], y: object, data: object, **options: object) -> str:
    with pytest.raises(kind) as caught:
        measure(y, data, **options)
    return str(caught.value)


def test_a_frame_and_an_arrow_table_have_one_column_per_system_in_their_order(data, three) -> None:
    expected = measure(three, data).terms
    assert list(dict.fromkeys(row["system"] for row in expected)) == ["zeta", "alpha", "mid"]
    assert_alike(measure(pd.DataFrame(three), data).terms, expected)
    assert_alike(measure(pa.table(three), data).terms, expected)
    assert measure(np.stack(list(three.values())).astype("float32"), data, systems=list(three)).terms[0][
        "effect"
    ] == pytest.approx(expected[0]["effect"], abs=1e-6)


def test_a_system_without_scores_is_named_and_the_others_are_computed(data, three) -> None:
    whole = measure(three, data)
    gone = {**three, "alpha": np.full(len(data), np.nan)}
    result = measure(gone, data)
    assert result.notes[0] == "system 'alpha' is left out: all its 192 scores are NaN"
    assert_alike(result.terms, [row for row in whole.terms if row["system"] != "alpha"])
    assert "Note: system 'alpha' is left out" in str(result)


def test_a_system_with_some_scores_missing_is_refused_with_its_row(data, three) -> None:
    three["mid"][[20, 30]] = np.nan
    assert refusal(ScoresError, three, data) == (
        "score in row 20 (rows count from 0) of system 'mid' is nan (2 such); every row needs a finite score"
    )


def test_no_system_with_scores(data) -> None:
    assert refusal(ScoresError, np.full((2, 192), np.nan), data) == (
        "there are no scores: all 192 of every system are NaN"
    )
    assert refusal(ScoresError, np.full(192, np.nan), data) == "there are no scores: all 192 of every system are NaN"


def test_a_matrix_the_other_way_round_is_recognised(data, three) -> None:
    turned = np.stack(list(three.values()), axis=1)
    assert refusal(ScoresError, turned, data) == (
        "3 scores for 192 rows; give one score per row of the data, in the data's order; the matrix has one row per "
        "sentence: pass its transpose"
    )


def test_tasks_stand_in_a_column_of_their_own(data, three) -> None:
    result = measure(three, data, tasks=["anger", "joy", None])
    assert list(result.to_frame().columns[:3]) == ["system", "task", "term"]
    assert {(row["system"], row["task"]) for row in result.terms} == {
        ("zeta", "anger"),
        ("alpha", "joy"),
        ("mid", None),
    }
    assert {row["task"] for row in measure(three["mid"], data, tasks="valence").terms} == {"valence"}
    by_name = measure(three, data, tasks={"alpha": "joy", "zeta": "anger"})
    assert by_name.terms == result.terms
    assert "System: alpha, task joy" in str(result)


def test_a_system_may_take_part_in_several_tasks(data, three) -> None:
    matrix = np.stack(list(three.values()))
    result = measure(matrix, data, systems=["team", "team", "other"], tasks=["anger", "joy", "joy"])
    assert len({(row["system"], row["task"]) for row in result.terms}) == 3
    family = [row for row in result.terms if (row["system"], row["task"], row["subset"]) == ("team", "joy", "pairs")]
    assert [row["p_adjusted"] for row in family] == [row["p"] for row in family]
    assert refusal(OptionError, matrix, data, systems=["team", "team", "other"], tasks=["joy", "joy", "joy"]) == (
        "systems= has the same name twice: team (task joy)"
    )


def test_tasks_that_do_not_fit(data, three) -> None:
    assert refusal(OptionError, three, data, tasks=["joy"]) == "tasks= has 1 entries for 3 systems; give one per system"
    assert refusal(OptionError, three, data, tasks={"beta": "joy"}) == (
        "tasks= names the system 'beta'; the systems are zeta, alpha, mid"
    )


def long_form(data: pd.DataFrame, three: dict[str, np.ndarray]) -> pd.DataFrame:
    parts = [data.assign(system=name, task="joy" if name == "mid" else "fear", y=y) for name, y in three.items()]
    return pd.concat(parts, ignore_index=True)


def test_long_data_name_their_systems_in_a_column(data, three) -> None:
    long = long_form(data, three)
    expected = measure(three, data, tasks=["fear", "fear", "joy"])
    assert_alike(measure(long["y"], long, systems="system", tasks="task").terms, expected.terms)


def test_the_order_of_long_rows_within_a_system_does_not_matter(data, three) -> None:
    mixed = long_form(data, three).sample(frac=1, random_state=4).reset_index(drop=True)
    order = list(dict.fromkeys(mixed["system"]))
    found = measure(mixed["y"], mixed, systems="system")
    expected = measure({name: three[name] for name in order}, data)
    for a, b in zip(found.terms, expected.terms, strict=True):
        assert (a["system"], a["term"], a["level"]) == (b["system"], b["term"], b["level"])
        assert a["effect"] == pytest.approx(b["effect"], abs=1e-14)


def test_long_data_may_hold_classes_and_a_system_without_scores(data, three) -> None:
    long = long_form(data, three)
    labels = np.where(long["y"] > 0.5, "yes", "no")
    classes = measure(labels, long, systems="system", outputs="class")
    assert {row["system"] for row in classes.terms} == set(three)
    long.loc[long["system"] == "alpha", "y"] = np.nan
    result = measure(long["y"], long, systems="system")
    assert result.notes[0] == "system 'alpha' is left out: all its 192 scores are NaN"
    assert {row["system"] for row in result.terms} == {"zeta", "mid"}


def test_mistakes_in_long_data_name_the_long_row(data, three) -> None:
    long = long_form(data, three)
    long.loc[200, "y"] = np.nan
    assert refusal(ScoresError, long["y"], long, systems="system") == (
        "score in row 200 (rows count from 0) is nan (1 such); every row needs a finite score"
    )
    assert refusal(LabelsError, long["y"][1:], long.iloc[1:], systems="system") == (
        "system 'alpha' has 192 rows, 'zeta' has 191; every system needs the same sentences"
    )
    other = long.copy()
    other.loc[192, "person"] = "somebody"
    assert refusal(LabelsError, scores(other), other, systems="system") == (
        "system 'alpha' does not have the sentences of 'zeta': row 193 (rows count from 0) has no counterpart with the "
        "same person, item and axes"
    )
    twice = pd.concat([long, long.iloc[[5]]], ignore_index=True)
    one = twice[twice["system"] == "zeta"]
    assert refusal(LabelsError, one["y"], one.reset_index(drop=True), systems="system") == (
        "system 'zeta' has the same sentence in rows 5 and 192 (rows count from 0): the same person, item and axes"
    )
    assert refusal(OptionError, long["y"], long, systems="model") == (
        "systems='model' is no column of the data, which have person, race, gender, item, pair, system, task, y"
    )
    assert refusal(OptionError, long["y"], long, systems="system", tasks=["joy"]) == (
        "tasks=['joy']; with systems='system' it is the name of a column of the data as well"
    )


def test_a_scale_that_the_scores_fill_is_proposed(data) -> None:
    y = scores(data)
    for scale, (low, high) in {"(-1, 1)": (-1, 1), "(1, 5)": (1, 5), "(0, 100)": (0, 100)}.items():
        moved = low + y * (high - low)
        moved[:2] = low, high
        assert refusal(ScoresError, moved, data).endswith(
            f"declare the scale of the scores with score_range={scale}, if that is it: they run from {low} to {high}"
        )


def test_a_declared_range_that_the_scores_do_not_use_is_noted(data) -> None:
    result = measure(scores(data), data, score_range=(-1, 1))
    assert result.notes == (
        "all scores lie in [0, 1], within the declared score_range=(-1, 1); if [0, 1] is their scale, declare that: "
        "effects are in the declared units, and the beta regression is on the declared range",
    )
    assert measure(2 * scores(data) - 1, data, score_range=(-1, 1)).notes == ()
