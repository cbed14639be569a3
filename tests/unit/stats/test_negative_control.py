"""The negative control: labels dealt at random, so that every gap is chance."""

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus
from test_words_for_groups import phrases
from test_words_for_groups import system as word_system

from eec_bias import measure
from eec_bias.result.control import Control
from eec_bias.result.result import Result
from eec_bias.stats.deals import _bounds, deal_orders

ITEMS = [f"t{t:02d}/{word}" for t in range(5) for word in ("angry", "sad", "glad", "happy")]
EMOTIONS = {"angry": "anger", "sad": "sadness", "glad": "joy", "happy": "joy"}


def data_of(persons=8):
    rows = corpus(items=ITEMS, persons=persons)
    word = rows["item"].str.split("/").str[1]
    first = rows["person"].str.split("-").str[-1]
    family = np.where(
        rows["pair"] == rows["item"], "f" + (pd.to_numeric(first, errors="coerce") // 2).astype(str), "none"
    )
    return rows.assign(emotion=word.map(EMOTIONS), family=family, ending="none")


DATA = data_of()
NAMES = DATA[DATA["pair"] == DATA["item"]].reset_index(drop=True)
PAIRS = DATA[DATA["pair"] != DATA["item"]].reset_index(drop=True)


def scores(data, seed=0, names=0.05, group=0.0):
    rng = np.random.default_rng(seed)
    person = rng.normal(0, names, 1000)[pd.factorize(data["person"])[0]]
    item = rng.normal(0, 0.05, 1000)[pd.factorize(data["item"])[0]]
    real = group * (data["gender"] == "female")
    return np.asarray(0.5 + person + item + real + rng.normal(0, 0.01, len(data)))


def test_deals_keep_the_size_of_groups_and_families_together():
    cell = np.repeat([0, 1, 2], [4, 6, 10])
    family = np.array([0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    orders = deal_orders(cell, family, 200, np.random.default_rng(0))
    assert (np.sort(orders, axis=1) == np.arange(20)).all()
    cell_of_name = np.empty_like(orders)
    np.put_along_axis(cell_of_name, orders, np.broadcast_to(cell, orders.shape), axis=1)
    together = [
        (cell_of_name[:, family == code] == cell_of_name[:, family == code][:, :1]).all(axis=1) for code in (0, 2)
    ]
    assert all(each.all() for each in together)
    shares = [(cell_of_name[:, 19] == k).mean() for k in range(3)]
    assert shares == pytest.approx([0.2, 0.3, 0.5], abs=0.1)


def test_the_bound_is_never_above_the_whole_test():
    result = measure({f"s{seed}": scores(NAMES, seed) for seed in range(20)}, NAMES)
    cells = NAMES.groupby(["race", "gender"], sort=True).ngroup().to_numpy()
    order = np.argsort(cells, kind="stable")
    persons = NAMES["person"].to_numpy()[order]
    first = np.sort(np.unique(persons, return_index=True)[1])
    cell = cells[order][first]
    for seed in range(20):
        means = pd.Series(scores(NAMES, seed)).groupby(NAMES["person"]).mean()[persons[first]].to_numpy()
        weights = np.array([[-0.5, -0.5, 0.5, 0.5], [0.5, -0.5, 0.5, -0.5]])
        _, bound = _bounds(means[None], cell, weights)
        rows = [row for row in result.overall if row.system == f"s{seed}" and row.term in ("race", "gender")]
        assert all(row.p is None or row.p >= least for row, least in zip(rows, bound[0], strict=True))


def test_each_deal_of_names_is_tested_as_data_with_these_labels():
    """Measure some deals as data of their own: what the control says of them is what `measure` says."""
    y = scores(NAMES, 4)
    control = measure(y, NAMES, control=100).control[0]
    found = []
    cells = NAMES["race"] + NAMES["gender"]
    centred = pd.Series(y) - pd.Series(y).groupby([cells, NAMES["item"]]).transform("mean")
    persons = NAMES.drop_duplicates("person").sort_values(["race", "gender", "person"], kind="stable")
    codes = persons.groupby(["race", "gender"], sort=True).ngroup().to_numpy()
    families = np.unique(persons["family"], return_inverse=True)[1]
    orders = deal_orders(codes, families, 100, np.random.default_rng((0, 0)))
    for order in orders:
        given = dict(zip(persons["person"].to_numpy()[order], persons[["race", "gender"]].to_numpy(), strict=True))
        dealt = NAMES.assign(
            race=[given[person][0] for person in NAMES["person"]],
            gender=[given[person][1] for person in NAMES["person"]],
        )
        result = measure(np.asarray(centred), dealt, score_range=None, control=0)
        asked = [row for row in result.terms if row.asks in ("", "emotion") and row.emotion != "any"]
        rows = [row.p_adjusted for row in asked if row.p_adjusted is not None]
        found.append(min(rows))
    assert control.found == sum(p < 0.05 for p in found)
    assert control.smallest == pytest.approx(sorted(p for p in found if p < 0.05), rel=1e-6)


def test_pairs_of_few_families_are_dealt_in_every_way():
    y = scores(PAIRS, 1)
    control = measure(y, PAIRS).control[0]
    bases = PAIRS["pair"].str.split("/").str[-1]
    assert (control.kind, control.complete, control.deals) == ("words", True, 2 ** bases.nunique())
    gaps = pd.Series(y).groupby([PAIRS["gender"], bases]).mean()
    centred = gaps["female"] - gaps["male"]
    centred = (centred - centred.mean()).to_numpy()
    signs = np.array(np.meshgrid(*[[1, -1]] * len(centred))).reshape(len(centred), -1).T
    assert control.gap == pytest.approx(np.quantile(np.abs(signs @ centred) / len(centred), 0.95, method="higher"))


def test_words_are_dealt_to_the_places_of_those_for_groups():
    data = phrases()
    control = measure(word_system(data, 3), data).control[0]
    assert (control.kind, control.complete, control.deals) == ("words", False, 1000)
    assert control.found <= 100
    assert control.gap > 0.05


def test_a_real_gap_is_in_no_deal():
    alone, with_gap = (measure(scores(DATA, 2, group=group), DATA).control[0] for group in (0.0, 0.2))
    assert with_gap.found == alone.found
    assert with_gap.gap == pytest.approx(alone.gap)


def test_chance_finds_a_gap_in_few_deals():
    found = [measure(scores(DATA, seed), DATA, control=200).control[0].found for seed in range(10)]
    assert np.mean(found) <= 0.06 * 200


def test_a_clear_gap_came_up_in_no_deal_and_an_unclear_one_in_some():
    result = measure(scores(DATA, 2, group=0.2), DATA)
    (control,) = result.control
    first = min(result.gaps, key=lambda each: each.p_adjusted)
    assert control.as_clear(first.p_adjusted) == 0
    assert control.chance(first.p_adjusted) == 1 / 1000
    assert control.as_clear(0.05) == control.found


def test_few_deals_say_nothing_about_how_sure_we_are():
    assert Control(None, None, 64, True, "words", 2, 0.1, (0.01, 0.02)).chance(0.01) is None


def test_control_0_switches_it_off():
    result = measure(scores(DATA), DATA, control=0)
    assert result.control == ()
    assert "dealt" not in str(result)


def test_a_printed_result_has_it():
    assert "We put the names into random groups, 1,000" in " ".join(str(measure(scores(DATA), DATA)).split())


def test_it_is_saved_once_somebody_looked(tmp_path):
    result = measure(scores(DATA), DATA)
    assert "control" not in result.to_dict()
    assert "control" not in dict(result)
    saved = Result.load(result.save(tmp_path / "r.json"))
    assert saved.control == result.control != ()


def test_of_many_systems_only_those_with_a_gap_are_dealt():
    systems = {f"s{seed}": scores(DATA, seed) for seed in range(6)} | {"gap": scores(DATA, 9, group=0.2)}
    result = measure(systems, DATA, control=100)
    found = {finding.system for finding in result.gaps if finding.found}
    assert "gap" in found
    assert {control.system for control in result.control} == found


def test_runs_and_missing_scores_are_dealt_too():
    y = scores(DATA, 3).copy()
    runs = np.stack([y, y + np.random.default_rng(0).normal(0, 0.02, len(y))])
    assert measure(runs, DATA, runs=["a", "b"], control=100).control[0].deals == 100
    y[5] = np.nan
    assert measure(y, DATA, control=100).control[0].deals == 100


def test_what_is_described_is_not_dealt():
    data = phrases(neutral=()).query("gender == 'female'").reset_index(drop=True)
    assert measure(word_system(data), data).control == ()


@pytest.mark.parametrize("wrong", [-1, 0.5, "many", 3])
def test_a_wrong_number_of_deals_is_refused(wrong):
    with pytest.raises(ValueError, match="control"):
        measure(scores(DATA), DATA, control=wrong)
