"""The same scores on another scale have the same rows, whatever their sums are rounded to."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eec_bias import Result, measure
from eec_bias.stats.rounding import exceeds, first_largest

CELLS = [("A", "f"), ("A", "m"), ("B", "f"), ("B", "m")]
REFERENCE = {"race": "A", "gender": "m"}
IN_UNITS = [
    *("effect", "se", "ci_low", "ci_high", "joint_low", "joint_high", "in_emotion", "in_emotion_se", "in_emotion_low"),
    *("in_emotion_high", "worst_low", "worst_high", "se_names", "se_families", "mde", "mde_alone", "smallest_margin"),
]
TEXTS = ["rough", "note"]
KINDS = ("every score by itself", "persons", "few scores", "race by template", "person by template")


def corpus(rng: np.random.Generator) -> pd.DataFrame:
    """Names in families that cross groups, on templates and words of some emotions."""
    persons, templates, words, emotions, families = rng.integers([2, 2, 2, 2, 2], [6, 5, 4, 4, 8]).tolist()
    rows = []
    for race, gender in CELLS:
        for p in range(persons + int(rng.integers(2))):
            family, ending = rng.integers(families, size=2).tolist()
            person = {
                "race": race,
                "gender": gender,
                "person": f"{race}{gender}{p}",
                "family": family,
                "ending": ending,
            }
            for t in range(templates):
                for e in range(emotions):
                    for w in range(words):
                        item = {"template": f"t{t}", "word": f"w{e}{w}", "emotion": f"e{e}", "item": f"t{t}/w{e}{w}"}
                        rows.append(person | item)
    data = pd.DataFrame(rows)
    return data.assign(family=data["family"].map("f{}".format), ending=data["ending"].map("e{}".format))


def coarse_scores(rng: np.random.Generator, data: pd.DataFrame, kind: str) -> np.ndarray:
    """Scores of a few steps, of which many are equal."""
    steps = int(rng.choice([2, 4, 5, 10, 20]))

    def per(column: pd.Series, low: int, high: int) -> np.ndarray:
        return column.map({label: rng.integers(low, high) for label in column.unique()}).to_numpy()

    scores = per(data["item"], 0, steps + 1)
    if kind == "every score by itself":
        scores = rng.integers(0, steps + 1, len(data))
    elif kind == "persons":
        scores = scores + per(data["person"], -1, 2)
    elif kind == "few scores":
        scores = scores + (rng.random(len(data)) < 0.1) * rng.integers(-1, 2, len(data))
    elif kind == "race by template":
        scores = scores + per(data["race"] + data["template"], -1, 2)
    else:
        scores = scores + per(data["person"] + data["template"], -1, 2)
    return np.clip(scores, 0, steps) / steps


def assert_same_rows(result: Result, other: Result, factor: float) -> None:
    frame, scaled = result.to_frame(), other.to_frame()
    frame[IN_UNITS], scaled[IN_UNITS] = frame[IN_UNITS].astype(float), scaled[IN_UNITS].astype(float) / factor
    frame, scaled = (each.drop(columns=TEXTS) for each in (frame, scaled))
    pd.testing.assert_frame_equal(frame, scaled, rtol=1e-9, atol=1e-9, check_dtype=False)
    notes, of_scaled = ([[note.key for note in row["notes"]] for row in each.terms] for each in (result, other))
    assert notes == of_scaled
    for own, its in zip(result.variances, other.variances, strict=True):
        assert its["sd"] / factor == pytest.approx(own["sd"], rel=1e-9, abs=1e-9)


def assert_any_scale(scores: np.ndarray, data: pd.DataFrame) -> None:
    result = measure(scores, data, reference=REFERENCE)
    others = [(scores + 1, (1, 2), 1), (2 * scores, (0, 2), 2), (3 * scores, (0, 3), 3), (scores / 10, (0, 0.1), 0.1)]
    for changed, score_range, factor in others:
        assert_same_rows(result, measure(changed, data, reference=REFERENCE, score_range=score_range), factor)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), kind=st.sampled_from(KINDS))
def test_moved_and_scaled_scores_give_the_same_rows(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    data = corpus(rng)
    assert_any_scale(coarse_scores(rng, data, kind), data)


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32 - 1), kind=st.sampled_from(KINDS))
def test_moved_and_scaled_scores_with_holes_give_the_same_rows(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    data = corpus(rng)
    scores = coarse_scores(rng, data, kind)
    # Each group and item keeps persons enough.
    missing = (rng.random(len(data)) < 0.1) & ~data["person"].str.endswith(("0", "1")).to_numpy()
    assert_any_scale(np.where(missing, np.nan, scores), data)


def test_three_balanced_templates_have_two_degrees_of_freedom_on_any_scale() -> None:
    # The degrees of freedom over them are 2 up to rounding, and a row with fewer has no p.
    rng = np.random.default_rng(1000)
    data = pd.DataFrame(
        {"race": race, "gender": gender, "person": f"{race}{gender}{p}", "template": f"t{t}", "word": f"w{e}{w}",
         "emotion": f"e{e}", "item": f"t{t}/w{e}{w}"}
        for (race, gender), p, t, e, w in product(CELLS, range(4), range(3), range(3), range(2))
    )  # fmt: skip
    group = data["race"] + data["template"] + data["emotion"]
    reaction = group.map({each: rng.integers(4) / 10 for each in group.unique()})
    scores = reaction + rng.integers(4, size=len(data)) / 10
    for changed, score_range in ((scores, (0, 1)), (scores + 1, (1, 2)), (3 * scores, (0, 3))):
        rows = measure(changed, data, reference=REFERENCE, score_range=score_range).terms
        assert all(row["p"] is not None for row in rows if row["term"] == "race:emotion")


def test_numbers_exceed_others_by_more_than_rounding() -> None:
    assert exceeds(np.array([1.0, 1 + 1e-12, 1.1]), 1.0).tolist() == [False, False, True]
    assert exceeds(np.inf, np.array([1.0, np.inf])).tolist() == [True, False]
    assert first_largest(np.array([[0.1 + 0.2, 0.3, 0.0], [1.0, 2.0, 2.0]])).tolist() == [0, 1]
    assert first_largest(np.array([0.3, 0.1 + 0.2])) == 0
