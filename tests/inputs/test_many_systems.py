"""Many systems in one call: matrices, frames, long data, systems without scores."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from synthetic import corpus, scores

from eec_bias import measure
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


def test_a_declared_range_that_the_scores_do_not_use_is_noted(data) -> None:
    result = measure(scores(data), data, score_range=(-1, 1))
    assert len(result.notes) == 1
    assert "within the declared score_range -1 to 1" in result.notes[0]
    assert measure(2 * scores(data) - 1, data, score_range=(-1, 1)).notes == ()
