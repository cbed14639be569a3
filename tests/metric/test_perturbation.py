"""`method="perturbation"`: the measures against their definitions, written out."""

import json
from statistics import fmean

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from eec_bias import TERM_KEYS, DesignError, LabelsError, OptionError, measure
from perturbed import NAMES, THRESHOLDS, corpus, naive, rows_of, scores


def agrees(result, expected: dict) -> None:
    for term in ("score_dev", "score_dev_sample", "score_range", "correlation"):
        assert rows_of(result, term)[None]["effect"] == pytest.approx(expected[term], abs=1e-12)
    distances = rows_of(result, "label_dist")
    assert [float(level) for level in distances] == list(expected["label_dist"])
    for c, value in expected["label_dist"].items():
        assert distances[f"{c:g}"]["effect"] == pytest.approx(value, abs=1e-12)
    sens = rows_of(result, "score_sens", "person")
    assert list(sens) == list(expected["sens"])
    for name, value in expected["sens"].items():
        assert sens[name]["effect"] == pytest.approx(value, abs=1e-12)


def test_a_corpus_worked_by_hand() -> None:
    data = pd.DataFrame(
        {"person": ["original", "ann", "bob"] * 2, "item": ["s1"] * 3 + ["s2"] * 3, "pair": ["s1"] * 3 + ["s2"] * 3}
    )
    result = measure([0.5, 0.7, 0.3, 0.9, 0.8, 0.4], data, method="perturbation", thresholds=0.5)
    flat = result.to_dict()
    assert rows_of(result, "score_sens", "person")["ann"]["effect"] == pytest.approx(0.05, abs=1e-12)
    assert rows_of(result, "score_sens", "person")["bob"]["effect"] == pytest.approx(-0.35, abs=1e-12)
    assert flat["score_dev"] == pytest.approx(0.2, abs=1e-12)
    assert flat["score_dev_sample"] == pytest.approx(0.2 * 2**0.5, abs=1e-12)
    assert flat["score_range_effect"] == pytest.approx(0.4, abs=1e-12)
    # Both originals reach .5; ann keeps both, bob neither: distances 0 and 1.
    assert flat["label_dist[0.5]"] == pytest.approx(0.5, abs=1e-12)
    assert flat["score_range"] == [0.0, 1.0]


@pytest.mark.parametrize("seed", range(5))
def test_the_measures_equal_their_definitions(seed) -> None:
    data = corpus()
    f = scores(data, seed)
    agrees(measure(f, data, method="perturbation", thresholds=THRESHOLDS), naive(data, f))


def test_they_do_so_where_names_are_left_out_of_sentences() -> None:
    data = corpus()
    gone = (data["person"] == "ada") & data["item"].isin(["s0001", "s0002"])
    gone |= (data["person"] != "ada") & (data["item"] == "s0005") & (data["person"] != "original")
    data = data[~gone].reset_index(drop=True)
    f = scores(data)
    result = measure(f, data, method="perturbation", thresholds=THRESHOLDS)
    agrees(result, naive(data, f))
    assert rows_of(result, "score_sens", "person")["ada"]["n_items"] == 10
    assert (
        "7 of 6 × 12 combinations of name and sentence are missing: ada (2), bea (1), cai (1), dan (1), eli (1) and 1 "
        "more; every mean is over the sentences a name has, or the names a sentence has (n_items says how many; "
        "incomplete='shared' keeps the sentences that have all names)"
    ) in result.notes


@pytest.mark.parametrize("seed", range(8))
def test_they_do_so_with_gaps_anywhere_and_originals_that_some_sentences_lack(seed) -> None:
    rng = np.random.default_rng(seed)
    data = corpus(15)
    data["person"] = data["person"].replace({"ada": "he", "original": "she"})
    gone = rng.random(len(data)) < 0.3
    # Every sentence keeps an original, and so that each has a name, fox.
    kept = (data["person"] == "fox") | ((data["person"] == "she") & (data["item"] < "s0008"))
    data = data[~gone | kept | ((data["person"] == "he") & (data["item"] >= "s0008"))].reset_index(drop=True)
    f = scores(data, seed)
    result = measure(f, data, method="perturbation", thresholds=THRESHOLDS, baseline=("she", "he"), bootstrap=99)
    agrees(result, naive(data, f, baseline=("he", "she")))


def test_sentences_can_be_cut_to_those_that_have_all_names() -> None:
    data = corpus()
    data = data[~((data["person"] == "ada") & data["item"].isin(["s0001", "s0002"]))].reset_index(drop=True)
    f = scores(data)
    kept = ~data["item"].isin(["s0001", "s0002"])
    result = measure(f, data, method="perturbation", thresholds=THRESHOLDS, incomplete="shared")
    agrees(result, naive(data[kept].reset_index(drop=True), f[kept]))
    assert "cut to the 10 of 12 sentences that have all names" in result.notes


def test_several_originals_of_a_sentence_are_several_x() -> None:
    data = corpus()
    data["person"] = data["person"].replace({"ada": "he", "original": "she"})
    f = scores(data)
    result = measure(f, data, method="perturbation", thresholds=THRESHOLDS, baseline=("she", "he"), group="career")
    agrees(result, naive(data, f, baseline=("she", "he")))
    assert (
        "f(x) is the score of the row of the same sentence whose person is he or she, each an original of its own (24 "
        "in all); 5 names, 12 sentences"
    ) in result.notes


def test_scores_on_another_scale_keep_their_units() -> None:
    data = corpus()
    f = 2 * scores(data) - 1
    thresholds = (-1.0, -0.5, 0.0, 1.0)
    result = measure(f, data, method="perturbation", score_range=(-1, 1), thresholds=thresholds)
    agrees(result, naive(data, f, thresholds))
    assert list(rows_of(measure(f, data, method="perturbation", score_range=(-1, 1)), "label_dist"))[:2] == [
        "-0.8",
        "-0.6",
    ]


def test_many_systems_give_the_rows_of_each_alone() -> None:
    data = corpus()
    systems = {name: scores(data, seed) for seed, name in enumerate("abc")}
    together = measure(systems, data, method="perturbation", bootstrap=99, seed=3)
    for name, f in systems.items():
        alone = measure(f, data, method="perturbation", bootstrap=99, seed=3)
        own = [{k: v for k, v in row.items() if k != "system"} for row in together.terms if row["system"] == name]
        assert [(row["term"], row["level"], row["n_sentences"]) for row in own] == [
            (row["term"], row["level"], row["n_sentences"]) for row in alone.terms
        ]
        for key in ("effect", "ci_low", "ci_high"):
            assert [row[key] for row in own] == pytest.approx([row[key] for row in alone.terms], abs=1e-12)


def test_the_rows_stand_in_the_long_frame_without_a_test() -> None:
    data = corpus()
    result = measure(scores(data), data, method="perturbation")
    assert list(result.to_frame().columns) == list(TERM_KEYS)
    own = [row for row in result.terms if row["term"] in ("score_sens", "score_dev", "score_range", "label_dist")]
    assert all(row["p"] is None and row["p_adjusted"] is None and row["mde"] is None for row in own)
    assert all(row["note"].startswith("describes these names; no test of zero") for row in own)
    assert json.loads(json.dumps(result.to_dict(details=True), allow_nan=False)) == result.to_dict(details=True)


def test_groups_are_means_over_their_names() -> None:
    data = corpus()
    result = measure(scores(data), data, method="perturbation", group=("gender", "career"))
    sens = {name: row["effect"] for name, row in rows_of(result, "score_sens", "person").items()}
    for at, column in enumerate(("gender", "career")):
        for level, row in rows_of(result, "score_sens", column).items():
            own = [value for name, value in sens.items() if NAMES[name][at] == level]
            assert row["effect"] == pytest.approx(fmean(own), abs=1e-12)
            assert row["n_persons"] == len(own) == 3
    assert (
        result.to_dict()["score_sens[career=athlete]"] == rows_of(result, "score_sens", "career")["athlete"]["effect"]
    )


def test_groups_are_the_identity_axes_unless_others_are_named() -> None:
    data = corpus()
    assert measure(scores(data), data, method="perturbation").axes == ("gender", "career")
    assert measure(scores(data), data, method="perturbation", axes=("career",)).axes == ("career",)
    assert measure(scores(data), data, method="perturbation", axes=("career",), group="gender").axes == ("gender",)
    none = measure(scores(data), data, method="perturbation", group=())
    assert none.axes == ()
    assert not rows_of(none, "score_sens", "gender")


def test_the_test_of_the_groups_is_the_default_one_on_the_same_names() -> None:
    data = corpus()
    f = scores(data)
    result = measure(f, data, method="perturbation", group="gender")
    named = data["person"] != "original"
    default = measure(f[named], data[named].reset_index(drop=True), axes=("gender",))
    assert [row for row in result.terms if row["term"] == "gender"] == list(default.terms)
    flat = result.to_dict()
    groups = flat["score_sens[gender=female]"] - flat["score_sens[gender=male]"]
    assert flat["gender_effect"] == pytest.approx(groups, abs=1e-12)
    assert "|test:perturbation+names+items|adj:holm|edge:none|base:original|" in flat["signature"]


def test_groups_too_small_to_test_are_described_all_the_same() -> None:
    data = corpus()
    data["career"] = data["career"].where(data["person"] != "ada", "leader")
    result = measure(scores(data), data, method="perturbation", group="career")
    assert list(rows_of(result, "score_sens", "career")) == ["athlete", "leader", "scientist"]
    assert [row for row in result.terms if row["term"] == "career"] == []
    assert (
        "the groups are not tested: names: 'ada' is the only person with career=leader; how much persons differ needs "
        "two or more in every cell"
    ) in result.notes


def test_groups_that_cannot_be_crossed_are_tested_one_by_one() -> None:
    data = corpus()
    f = scores(data) / 2 + 0.4 * (data["gender"] == "female").to_numpy()
    result = measure(f, data, method="perturbation", reference={"gender": "male", "career": "scientist"})
    named = data["person"] != "original"
    alone = [
        measure(f[named], data[named].reset_index(drop=True), axes=(axis,), reference={axis: level}).terms[0]
        for axis, level in (("gender", "male"), ("career", "scientist"))
    ]
    tested = [row for row in result.terms if row["p"] is not None]
    assert [row["p"] for row in tested] == [row["p"] for row in alone]
    smaller, larger = sorted(row["p"] for row in alone)
    assert smaller < 0.05
    assert sorted(row["p_adjusted"] for row in tested) == pytest.approx([2 * smaller, max(2 * smaller, larger)])
    assert (
        "gender and career cannot be tested together, so each is tested alone: names: 'ada' is the only person with "
        "gender=female, career=scientist; how much persons differ needs two or more in every cell"
    ) in result.notes
    assert "|axes:gender+career|ref:male+scientist|test:perturbation+names+items|" in str(result.signature)


def test_columns_that_say_nothing_of_names_make_no_groups() -> None:
    data = corpus()
    data["source"] = np.where(data["item"] < "s0006", "forum", "news")
    result = measure(scores(data), data, method="perturbation")
    assert result.axes == ("gender", "career")
    assert any(note.endswith("so it makes no groups of names") and "'source'" in note for note in result.notes)


def test_the_order_of_the_rows_does_not_matter() -> None:
    data = corpus()
    f = scores(data)
    turned = np.random.default_rng(5).permutation(len(data))
    one = measure(f, data, method="perturbation", bootstrap=99)
    other = measure(f[turned], data.iloc[turned].reset_index(drop=True), method="perturbation", bootstrap=99)
    for key in ("effect", "ci_low", "ci_high"):
        assert [row[key] for row in one.terms] == pytest.approx([row[key] for row in other.terms], abs=1e-12)


def test_every_kind_of_table_gives_the_same_numbers() -> None:
    data = corpus()
    f = scores(data)
    table = pa.Table.from_pandas(data, preserve_index=False)
    coded = pa.table({name: table[name].dictionary_encode() for name in table.column_names})
    wanted = measure(f, data, method="perturbation").terms
    for other in (table, coded, {name: data[name].tolist() for name in data}):
        assert measure(f, other, method="perturbation").terms == wanted


def test_long_data_of_several_systems_give_the_same_rows() -> None:
    data = corpus()
    systems = {name: scores(data, seed) for seed, name in enumerate("ab")}
    long = pd.concat([data.assign(system=name) for name in systems], ignore_index=True)
    wide = measure(systems, data, method="perturbation")
    found = measure(np.concatenate(list(systems.values())), long, method="perturbation", systems="system")
    for key in ("effect", "p"):
        given, wanted = ([row[key] for row in result.terms] for result in (found, wide))
        assert given == pytest.approx(wanted, abs=1e-12, nan_ok=True)


# --- intervals


def test_intervals_are_percentiles_over_resampled_sentences() -> None:
    """Every resample evaluated by the definitions, on a corpus in which a sentence stands as often as it was drawn."""
    data = corpus(6)
    f = scores(data)
    result = measure(f, data, method="perturbation", bootstrap=99, seed=7, thresholds=(0.3, 0.6), group="gender")
    items = sorted(set(data["item"]))
    drawn = np.random.default_rng([7, 1 << 22]).multinomial(6, np.full(6, 1 / 6), size=99)
    found = []
    for counts in drawn:
        parts, values = [], []
        for item, count in zip(items, counts, strict=True):
            for copy in range(count):
                own = data["item"] == item
                parts.append(data[own].assign(item=f"{item}-{copy}"))
                values.append(f[own])
        found.append(naive(pd.concat(parts), np.concatenate(values), (0.3, 0.6)))

    def matches(row, values) -> None:
        ends = (*np.quantile(values, [0.025, 0.975]), np.std(values, ddof=1))
        assert (row["ci_low"], row["ci_high"], row["se"]) == pytest.approx(ends, abs=1e-10)

    for term in ("score_dev", "score_dev_sample", "score_range", "correlation"):
        matches(rows_of(result, term)[None], [each[term] for each in found])
    for c in (0.3, 0.6):
        matches(rows_of(result, "label_dist")[f"{c:g}"], [each["label_dist"][c] for each in found])
    for name, row in rows_of(result, "score_sens", "person").items():
        matches(row, [each["sens"][name] for each in found])
    women = [name for name, labels in NAMES.items() if labels[0] == "female"]
    matches(
        rows_of(result, "score_sens", "gender")["female"], [fmean(each["sens"][n] for n in women) for each in found]
    )


@pytest.mark.parametrize(("sentences", "told"), [(29, 29), (30, None)])
def test_intervals_of_few_sentences_are_said_to_be_too_narrow(sentences, told) -> None:
    data = corpus(sentences)
    result = measure(scores(data), data, method="perturbation", bootstrap=99, group=())
    assert [note for note in result.notes if "too narrow" in note] == (
        []
        if told is None
        else [
            f"fewer than 30 sentences of a name ({told}): such intervals are too narrow; simulated, those of 10 "
            "sentences held the true value about 90 times in a hundred, of 5 about 80 times, not 95"
        ]
    )


@pytest.mark.parametrize(("sentences", "least", "most"), [(5, 0.73, 0.87), (10, 0.84, 0.94), (60, 0.91, 0.98)])
def test_the_intervals_hold_the_true_value_as_often_as_is_said(sentences, least, most) -> None:
    rng = np.random.default_rng(11)
    shift = 0.05 * rng.standard_normal(4)

    def draw(count: int):
        original = rng.beta(2, 3, count)
        moved = original[:, None] + shift * (1 + 2 * original[:, None])
        return original, np.clip(moved + 0.04 * rng.standard_normal((count, 4)), 0, 1)

    original, named = draw(400_000)
    truth = {f"n{k}": float((named[:, k] - original).mean()) for k in range(4)}
    truth |= {"score_dev": float(named.std(axis=1).mean()), "score_range": float(np.ptp(named, axis=1).mean())}
    items = np.repeat([f"s{j}" for j in range(sentences)], 5)
    data = pd.DataFrame({"person": ["original", *list(truth)[:4]] * sentences, "item": items, "pair": items})
    held = []
    for seed in range(100):
        first, others = draw(sentences)
        f = np.column_stack([first, others]).ravel()
        options = {"group": (), "thresholds": 0.5, "bootstrap": 199, "seed": seed}
        for row in measure(f, data, method="perturbation", **options).terms:
            value = truth.get(row["level"] if row["term"] == "score_sens" else row["term"])
            if value is not None:
                held.append(row["ci_low"] <= value <= row["ci_high"])
    assert len(held) == 600
    assert least < np.mean(held) < most


def test_intervals_with_gaps_leave_out_resamples_without_a_sentence_of_the_name() -> None:
    data = corpus(4)
    data = data[(data["person"] != "ada") | (data["item"] == "s0000")].reset_index(drop=True)
    f = scores(data)
    result = measure(f, data, method="perturbation", bootstrap=200, group=())
    ada = rows_of(result, "score_sens", "person")["ada"]
    assert ada["ci_low"] == pytest.approx(ada["effect"], abs=1e-12)
    assert ada["ci_high"] == pytest.approx(ada["effect"], abs=1e-12)
    assert all(row["ci_low"] <= row["ci_high"] for row in result.terms)


def test_the_interval_of_the_sensitivity_agrees_with_the_standard_error_of_a_mean() -> None:
    data = corpus(400)
    f = np.random.default_rng(2).random(len(data))
    result = measure(f, data, method="perturbation", bootstrap=2000, group=())
    table = data.assign(f=f).pivot(index="item", columns="person", values="f")
    for name, row in rows_of(result, "score_sens", "person").items():
        difference = table[name] - table["original"]
        assert row["se"] == pytest.approx(difference.std(ddof=0) / 20, rel=0.1)
        assert row["ci_high"] - row["ci_low"] == pytest.approx(2 * 1.96 * row["se"], rel=0.1)


def test_large_corpora_are_resampled_in_blocks_with_the_same_draws(monkeypatch) -> None:
    data = corpus()
    f = scores(data)
    whole = measure(f, data, method="perturbation", bootstrap=150, seed=1)
    for module in ("measures", "study"):
        monkeypatch.setattr(f"eec_bias.perturbation_{module}.BLOCK", 40 * 12)
    blocks = measure(f, data, method="perturbation", bootstrap=150, seed=1)
    assert [row["ci_low"] for row in blocks.terms] == pytest.approx([row["ci_low"] for row in whole.terms], abs=1e-12)


# --- edges


def test_a_system_that_ignores_names_has_no_deviation_and_keeps_its_labels() -> None:
    data = corpus()
    f = data["item"].map({item: i / 20 for i, item in enumerate(sorted(set(data["item"])))}).to_numpy()
    result = measure(f, data, method="perturbation", bootstrap=99)
    flat = result.to_dict()
    assert flat["score_dev"] == flat["score_range_effect"] == flat["label_dist[0.5]"] == 0
    assert flat["correlation"] is None
    row = rows_of(result, "correlation")[None]
    assert row["note"] == (
        "describes these names; no test of zero; no value: the scores, or their changes, are all equal"
    )


def test_two_empty_sets_are_at_distance_zero_and_said_so() -> None:
    data = corpus()
    f = np.where((data["person"] == "ada") & (data["item"] == "s0003"), 0.9, 0.1)
    row = rows_of(measure(f, data, method="perturbation", thresholds=(0.5, 0.95)), "label_dist")
    assert row["0.5"]["effect"] == pytest.approx(1 / 6, abs=1e-12)
    assert row["0.5"]["note"] == (
        "describes these names; no test of zero; no sentence of 5 of 6 names reaches the threshold, nor the original: "
        "distance 0 by convention"
    )
    assert row["0.95"]["effect"] == 0
    assert "no sentence of any name reaches the threshold" in row["0.95"]["note"]


def test_one_name_has_a_sensitivity_and_no_deviation() -> None:
    data = corpus()
    data = data[data["person"].isin(["original", "ada"])].reset_index(drop=True)
    result = measure(scores(data), data, method="perturbation", thresholds=0.5)
    assert result.to_dict()["score_dev"] == 0
    assert result.to_dict()["score_dev_sample"] is None
    assert "one name only: score_dev and score_range are 0, as nothing deviates from it" in result.notes


# --- bad input

OF_ALL = "ada, bea, cai, dan, eli and 2 more"


def refuses(kind, message, f=None, data=None, **options) -> None:
    data = corpus() if data is None else data
    with pytest.raises(kind) as caught:
        measure(scores(data) if f is None else f, data, method="perturbation", **options)
    assert str(caught.value) == message


def test_a_threshold_outside_the_scale_is_refused() -> None:
    refuses(
        OptionError,
        "threshold 1.5 lies outside the scale of the scores, [0, 1]; give thresholds on that scale, or declare another "
        "with score_range=",
        thresholds=(0.5, 1.5),
    )
    refuses(OptionError, "thresholds=(0.5, 0.5) has the same threshold twice", thresholds=(0.5, 0.5))
    for wrong in ("high", "0.5", True, (), (0.5, float("nan"))):
        refuses(
            OptionError,
            f"thresholds={wrong!r}; expected a number or several, such as (0.3, 0.5, 0.7)",
            thresholds=wrong,
        )


def test_data_without_originals_are_refused() -> None:
    data = corpus()
    data = data[data["person"] != "original"].reset_index(drop=True)
    refuses(
        LabelsError,
        "there is no baseline row, the sentence a name is put into: no row has the person 'original', and the data "
        "have the types name, in which 'pronoun' would be taken; keep the originals that eec perturb writes, or name "
        "the person to compare with, such as baseline=('she', 'he'); the persons are ada, bea, cai, dan, eli and 1 "
        "more",
        data=data,
    )


def test_a_sentence_without_its_original_is_refused() -> None:
    data = corpus()
    data = data[(data["person"] != "original") | (data["item"] != "s0004")].reset_index(drop=True)
    refuses(
        DesignError,
        "1 of 12 sentences have no baseline row, first 's0004'; a name is compared with the row of the same sentence "
        "whose person is original",
        data=data,
    )


def test_a_name_that_is_not_there_is_refused() -> None:
    data = corpus()
    data["person"] = data["person"].replace("original", "zoe")
    refuses(
        OptionError,
        "baseline='original': no row has the person 'original'; the persons are ada, bea, cai, dan, eli and 2 more",
        data=data,
        baseline="original",
    )
    refuses(OptionError, "baseline=3: no row has the person 3; the persons are " + OF_ALL, baseline=3)
    refuses(OptionError, "baseline=(); expected a person, or several different ones", baseline=())
    data.loc[3, "person"] = None
    refuses(
        LabelsError,
        "column 'person' has no value in row 3 (rows count from 0; 1 such rows); every row needs a label",
        data=data,
    )


def test_data_of_originals_alone_are_refused() -> None:
    data = corpus()
    data = data[data["person"] == "original"].reset_index(drop=True)
    refuses(LabelsError, "every row is an original (original); there is no name to compare it with", data=data)


def test_one_sentence_is_refused() -> None:
    refuses(
        DesignError,
        "one sentence only ('s0000'); the measures are means over sentences and their intervals resample them: give "
        "two sentences or more",
        data=corpus(1),
    )


def test_a_name_twice_in_a_sentence_is_refused() -> None:
    data = corpus()
    first = int(np.flatnonzero((data["person"] == "ada") & (data["item"] == "s0002"))[0])
    data = pd.concat([data, data.iloc[[first]]], ignore_index=True)
    refuses(
        DesignError,
        f"rows {first} and 84 (rows count from 0) both give 'ada' in sentence 's0002'; each person stands in each "
        f"sentence once (1 such)",
        data=data,
    )


def test_a_group_that_names_do_not_carry_is_refused() -> None:
    data = corpus()
    refuses(
        LabelsError,
        "column 'rank' is missing; the data have text, person, person_form, gender, race, career, person_type, item, "
        "pair, anchor",
        group="rank",
    )
    refuses(DesignError, "group 'race' has no marked label among the names; a comparison needs two", group="race")
    named = data[data["person"] != "original"]
    first = named.drop_duplicates("person").set_index("person")
    row = next(i for i in named.index if named["anchor"][i] != first["anchor"][named["person"][i]])
    name, label = named["person"][row], named["anchor"][row]
    before = named.index[named["person"] == name][0]
    refuses(
        LabelsError,
        f"column 'anchor' gives {name!r} the label {named['anchor'][before]!r} in row {before} and {label!r} in row "
        f"{row} (rows count from 0); a group is made of names, so each needs one label",
        group="anchor",
    )


def test_options_of_other_methods_are_refused() -> None:
    refuses(
        OptionError,
        "permutations=999 has no meaning in the published procedure method='perturbation'; leave it out",
        permutations=999,
    )
    refuses(
        OptionError,
        "reference={'gender': 'female'} is an option of the test of groups, and the names have no groups here: name a "
        "column with group=",
        group=(),
        reference={"gender": "female"},
    )
    data = corpus()
    for name, value in (("group", "gender"), ("thresholds", 0.5), ("baseline", "original")):
        with pytest.raises(OptionError) as caught:
            measure(scores(data), data, **{name: value})
        assert str(caught.value) == (
            f"{name}= is an option of method='perturbation'; with method='default' it has no meaning: leave it out"
        )
