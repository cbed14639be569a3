"""Noun phrases that share a meaning are no independent draws; phrases that repeat one noun are refused."""

import numpy as np
import pandas as pd
import pytest

from eec_bias import measure

MEANINGS = ("mother", "mother", "partner", "partner", "sister", "sister", "aunt", "cousin", "doctor", "teacher")


def _pairs(meanings, items=20, families=True):
    rows = []
    for base, meaning in enumerate(meanings):
        for gender in ("female", "male"):
            for item in range(items):
                rows.append(
                    {
                        "person": f"{gender}{base}",
                        "person_type": "noun_phrase",
                        "gender": gender,
                        "item": f"t{item:02}/w{item}",
                        "pair": f"t{item:02}/w{item}/base{base}",
                        "emotion": ("joy", "anger", "fear", "sadness")[item % 4],
                        "family": meaning,
                        "ending": "none",
                    }
                )
    data = pd.DataFrame(rows)
    return data if families else data.drop(columns=["family", "ending"])


def _scores(data, by_meaning, seed):
    """Scores of a system whose gap differs by meaning or by base, the same on every item but for noise."""
    rng = np.random.default_rng(seed)
    base = data["family"] if by_meaning else data["pair"].str.split("/").str[-1]
    code = pd.factorize(base)[0]
    gap = rng.normal(0, 0.05, code.max() + 1)[code]
    return 0.5 + np.where(data["gender"] == "female", gap, 0) + rng.normal(0, 0.01, len(data))


def _row(data, scores, **options):
    result = measure(scores, data, **options)
    return next(row for row in result.terms if row.term == "gender" and row.subset == "pairs")


def test_pairs_are_clustered_by_their_meaning():
    data = _pairs(MEANINGS)
    y = _scores(data, by_meaning=True, seed=3)
    together, alone = _row(data, y), _row(data, y, families=())
    gaps = pd.Series(y).groupby([data["family"], data["pair"].str.split("/").str[-1], data["gender"]]).mean().unstack()
    of_base = (gaps["female"] - gaps["male"]).droplevel(1)
    off = of_base - of_base.mean()
    size = off.groupby(level=0).size() / len(off)
    expected = ((off.groupby(level=0).sum() / len(off)) ** 2 / (1 - size)).sum()
    assert together.se_families == pytest.approx(np.sqrt(expected), rel=1e-9)
    assert together.family_facet == "family"
    assert together.effect == pytest.approx(alone.effect, rel=1e-12)


def test_gaps_by_meaning_are_found_no_more_often_than_promised():
    data = _pairs(MEANINGS)
    systems = {f"s{seed}": _scores(data, by_meaning=True, seed=seed) for seed in range(400)}
    together, alone = (
        np.mean([row.p < 0.05 for row in measure(systems, data, **options).terms if row.term == "gender"])
        for options in ({}, {"families": ()})
    )
    assert together <= 0.07
    assert alone >= 0.08


@pytest.mark.parametrize("meanings", [("woman",) * 6, ("woman",) * 7 + ("aunt",)])
def test_phrases_that_repeat_one_noun_are_refused(meanings):
    data = _pairs(meanings)
    result = measure(_scores(data, by_meaning=False, seed=1), data)
    row = next(row for row in result.terms if row.term == "gender")
    assert row.effect is not None
    assert (row.se, row.df, row.t, row.p, row.p_adjusted, row.ci_low, row.smallest_margin) == (None,) * 7
    assert [note.key for note in row.notes] == ["one_noun"]
    (finding,) = result.gaps
    assert (finding.answer, finding.reason.key) == ("not_estimable", "one_noun")
    assert all(each.p is None for each in result.terms if each.emotion not in (None, "any"))
    assert result.sensitivity()["p"].isna().all()


def test_one_noun_with_the_same_gap_everywhere_is_refused_as_well():
    data = _pairs(("woman",) * 6)
    scores = 0.5 + 0.1 * (data["gender"] == "female")
    (finding,) = measure(scores, data).gaps
    assert finding.answer == "not_estimable"


def test_one_noun_without_a_reaction_shows_none():
    data = _pairs(("woman",) * 6)
    (finding,) = measure(np.full(len(data), 0.4), data).gaps
    assert finding.answer == "no_reaction"


def test_two_nouns_on_several_bases_leave_too_few_degrees_of_freedom():
    data = _pairs(("woman",) * 4 + ("aunt",) * 4)
    (finding,) = measure(_scores(data, by_meaning=True, seed=2), data).gaps
    assert (finding.answer, finding.reason.key) == ("not_estimable", "too_few_families_for_p")


def test_two_nouns_of_one_base_each_are_rough():
    data = _pairs(("woman", "aunt"))
    (finding,) = measure(_scores(data, by_meaning=False, seed=2), data).gaps
    assert finding.answer == "inconclusive"
    assert finding.row.df < 8
    assert "few_persons_in_group" in [note.key for note in finding.row.notes]


def test_pairs_whose_data_have_no_families_count_one_by_one():
    data = _pairs(("woman",) * 6, families=False)
    row = _row(data, _scores(_pairs(("woman",) * 6), by_meaning=False, seed=1))
    assert row.p is not None
    assert row.family_facet is None


def test_missing_scores_do_not_undo_a_refusal():
    data = _pairs(("woman",) * 6)
    y = np.array(_scores(data, by_meaning=False, seed=1))
    y[3] = np.nan
    assert _row(data, y).p is None


def test_a_meaning_left_out_is_named_by_its_pairs():
    data = _pairs(MEANINGS)
    rows = measure(_scores(data, by_meaning=True, seed=3), data).sensitivity()
    left = set(rows[rows["kind"] == "family"]["without"])
    assert left == {"base0, base1", "base2, base3", "base4, base5"}
