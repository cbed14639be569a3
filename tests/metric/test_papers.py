"""The published procedures, repeated as published and labelled with how they err."""

from itertools import product

import matplotlib as mpl
import numpy as np
import pytest
import statsmodels.api as sm
from numpy.testing import assert_allclose
from scipy import stats

from eec_bias.errors import DesignError, OptionError
from eec_bias.methods import camara2022 as camara
from eec_bias.methods import kiritchenko2018 as kiritchenko
from eec_bias.methods.camara2022 import camara2022, camara_table, stars
from eec_bias.methods.kiritchenko2018 import kiritchenko2018
from eec_bias.methods.kiritchenko2018_tables import box_plot_data, summary, summary_table
from eec_bias.result.frame import TERM_KEYS
from eec_bias.stats.power import simulate

mpl.use("Agg")

EMOTIONS = ("anger", "fear", "joy", "sadness")
RACES, GENDERS = ("Black", "white"), ("female", "male")


def items(words=5):
    """Return (item, emotion) of 7 templates with words of four emotions, and 4 neutral templates."""
    found = [(f"t{t:02d}/{e}{w}", e) for t in range(1, 8) for e in EMOTIONS for w in range(words)]
    return found + [(f"t{t:02d}/none", "none") for t in range(8, 12)]


def corpus(words=5, names=10, pairs=10):
    """Return columns of a corpus of the shape of the 2018 EEC."""
    columns = {name: [] for name in ("person", "race", "gender", "item", "pair", "emotion")}

    def add(*values):
        for name, value in zip(columns, values, strict=True):
            columns[name].append(value)

    for item, emotion in items(words):
        for race, gender, k in product(RACES, GENDERS, range(names)):
            add(f"{race}-{gender}-{k}", race, gender, item, item, emotion)
        for k, gender in product(range(pairs), GENDERS):
            add(f"{gender}-{k}", "unmarked", gender, item, f"{item}/phrase{k}", emotion)
    return {name: np.array(values) for name, values in columns.items()}


@pytest.fixture(scope="module")
def eec():
    return corpus()


@pytest.fixture(scope="module")
def scores(eec):
    effects = {"race": 0.02, "gender": -0.03}
    return simulate(eec, name_sd=0.1, item_sd=0.3, phi=200, effects=effects, systems=3, seed=4, axes=["race", "gender"])


def terms(result, **wanted):
    return [row for row in result.terms if all(row.get(key) == value for key, value in wanted.items())]


# --- Câmara et al. 2022 ---------------------------------------------------------------------------------------


def test_camara_coefficients_are_least_squares_with_intercept_over_the_sentences_of_the_emotion(eec, scores):
    result = camara2022(scores[0], eec, tasks="fear")
    use = (eec["emotion"] == "fear") & (eec["race"] != "unmarked")
    race, gender = (eec["race"][use] == "Black") * 1.0, (eec["gender"][use] == "female") * 1.0
    want = sm.OLS(scores[0][use], np.column_stack([np.ones(use.sum()), race, gender, race * gender])).fit()
    assert [row["term"] for row in result.terms] == ["race", "gender", "race:gender"]
    for row, k in zip(result.terms, (1, 2, 3), strict=True):
        assert row["effect"] == pytest.approx(want.params[k], rel=1e-10)
        assert row["se"] == pytest.approx(want.bse[k], rel=1e-10)
        assert row["p"] == pytest.approx(want.pvalues[k], rel=1e-8)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx(want.conf_int()[k], rel=1e-8)
        assert row["df"] == 40 * 35 - 4
        assert (row["n_persons"], row["n_items"], row["n_sentences"]) == (40, 35, 1400)
        assert row["subset"] == "names:fear"


def test_camara_worked_by_hand():
    # Cell means .3 .5 .4 .2 (Black female, Black male, white female, white male), two sentences ±.1 each.
    data = {
        "race": np.repeat(["Black", "Black", "white", "white"], 2),
        "gender": np.repeat(["female", "male", "female", "male"], 2),
        "person": list("abcdefgh"),
        "item": ["i"] * 8,
        "pair": ["i"] * 8,
    }
    y = np.repeat([0.3, 0.5, 0.4, 0.2], 2) + np.tile([0.1, -0.1], 4)
    race, gender, both = camara2022(y, data).terms
    # Residual variance 8·.01/(8 − 4) = .02; a difference of two means of two: √(.02·(1/2 + 1/2)).
    assert [row["effect"] for row in (race, gender, both)] == pytest.approx([0.3, 0.2, -0.4])
    assert [row["se"] for row in (race, gender, both)] == pytest.approx([0.02**0.5, 0.02**0.5, 0.2])
    assert race["p"] == pytest.approx(2 * stats.t.sf(0.3 / 0.02**0.5, 4))


def test_camara_has_the_beta_regression_beside_it(eec, scores):
    row = camara2022(scores[0], eec, tasks="joy").terms[0]
    assert row["beta"] == pytest.approx(row["logit"], abs=0.02)
    assert row["beta_se_person"] > row["beta_se"] * 0.5
    assert set(row) - {"task"} == set(TERM_KEYS)


def test_camara_takes_all_name_sentences_without_a_task_and_for_valence(eec, scores):
    without, valence = camara2022(scores[0], eec).terms[0], camara2022(scores[0], eec, tasks="valence").terms[0]
    assert without["n_sentences"] == valence["n_sentences"] == 40 * 144
    assert without["effect"] == valence["effect"]
    assert without["subset"] == "names"


def test_every_camara_row_says_that_the_test_does_not_hold_its_level(eec, scores):
    result = camara2022(scores, eec, tasks=["anger", "fear", "valence"], systems=["a", "b", "c"])
    assert {row["note"] for row in result.terms} == {
        "published procedure, not size-controlled: it rejects up to 49 % of true nulls at .05"
    }
    assert result.notes[-1] == (
        "published procedure of Câmara et al. (2022), not size-controlled: of true nulls it rejects 0 % to 49 % at "
        ".05, the more the names differ (simulated, sd of names 0 to .11)"
    )
    assert [(row["system"], row["task"]) for row in result.terms[::3]] == [
        ("a", "anger"),
        ("b", "fear"),
        ("c", "valence"),
    ]
    assert str(result.signature).endswith("|test:camara2022|adj:none|edge:none")


def test_camara_of_equal_scores_finds_nothing(eec):
    rows = camara2022(np.full(len(eec["item"]), 0.4), eec).terms
    assert [row["effect"] for row in rows] == [0.0, 0.0, 0.0]
    assert [row["p"] for row in rows] == [1.0, 1.0, 1.0]
    assert [row["t"] for row in rows] == [None, None, None]


def test_stars_are_those_of_the_article():
    assert [stars(p) for p in (0.11, 0.10, 0.05, 0.01, None)] == ["", "*", "**", "***", ""]


def by_emotion(eec):
    """Return one result per emotion for two models whose gender effect grows from emotion to emotion."""
    race, gender = (eec["race"] == "Black") * 1.0, (eec["gender"] == "female") * 1.0
    noise = np.random.default_rng(0).normal(0, 0.001, size=(4, 2, race.size))
    return [
        camara2022(0.5 + 0.02 * race - 0.03 * k * gender + noise[k], eec, tasks=task, systems=["BERT+", "SVM_tfidf"])
        for k, task in enumerate(EMOTIONS)
    ]


def test_camara_table_is_laid_out_as_tables_3_to_5(eec):
    want = f"""\
                                  Anger Coefficients                        Fear Coefficients
Language               Model          Race/Ethnicity  Gender  Intersection     Race/Ethnicity    Gender  Intersection
English (Black-white)  BERT+                 0.02***     0.0         -0.0*            0.02***  -0.03***           0.0
                       SVM_tfidf             0.02***    -0.0           0.0            0.02***  -0.03***          -0.0

                                  Joy Coefficients                          Sadness Coefficients
Language               Model        Race/Ethnicity    Gender  Intersection        Race/Ethnicity    Gender  Intersection
English (Black-white)  BERT+               0.02***  -0.06***          -0.0               0.02***  -0.09***           0.0
                       SVM_tfidf           0.02***  -0.06***          -0.0               0.02***  -0.09***          -0.0

*** p ≤ .01, ** p ≤ .05, * p ≤ .10
{camara.LABEL}"""
    assert camara_table({"English (Black-white)": by_emotion(eec)}) == want


def test_camara_table_as_csv_has_one_line_per_model(eec):
    lines = camara_table({"English (Black-white)": by_emotion(eec)}, "csv").splitlines()
    assert lines[0] == "Language,Model," + ",".join(
        f"{e} {t}" for e in ("Anger", "Fear", "Joy", "Sadness") for t in ("Race/Ethnicity", "Gender", "Intersection")
    ) + ",Note"  # fmt: skip
    assert [line.split(",")[:2] for line in lines[1:]] == [
        ["English (Black-white)", "BERT+"],
        ["English (Black-white)", "SVM_tfidf"],
    ]
    assert lines[1].split(",")[9] == "-0.06***"
    assert all(line.endswith(f'"{camara.LABEL}"') for line in lines[1:])


def test_camara_table_as_latex_is_a_tabular(eec):
    lines = camara_table({"English (Black-white)": by_emotion(eec)}, "latex").splitlines()
    assert lines[0] == r"\begin{tabular}{llrrrrrr}"
    assert lines[2] == r" & & \multicolumn{3}{c}{Anger Coefficients} & \multicolumn{3}{c}{Fear Coefficients} \\"
    assert r" & SVM\_tfidf & $0.02^{***}$" in lines[6]
    note = f"{camara.STARS}. {camara.LABEL}".replace("%", r"\%").replace("≤", r"$\leq$")
    assert lines[-2:] == [rf"\multicolumn{{8}}{{p{{.9\linewidth}}}}{{\footnotesize {note}}} \\", r"\end{tabular}"]


def test_camara_table_needs_tasks(eec, scores):
    with pytest.raises(OptionError) as error:
        camara_table({"English": camara2022(scores[:1], eec)})
    assert str(error.value) == (
        "a row of system 'system0' has the task None; the tables of Câmara et al. (2022) have columns for anger, fear, "
        "joy, sadness: give camara2022 tasks="
    )


def test_camara_needs_names():
    data = {
        "gender": ["female", "male"] * 4,
        "person": ["mother", "father", "she", "he"] * 2,
        "item": ["i"] * 4 + ["j"] * 4,
        "pair": [f"{i}/{b}" for i in "ij" for b in ("parent", "parent", "pronoun", "pronoun")],
    }
    with pytest.raises(DesignError) as error:
        camara2022(np.full(8, 0.5), data)
    assert str(error.value) == "the data have no names; the procedure of Câmara et al. (2022) compares name sentences"


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ("disgust", "task 'disgust' is unknown; with these data it is one of anger, fear, joy, sadness, valence"),
        (["fear"], "tasks= has 1 entries for 3 systems; give one per system"),
    ],
)
def test_unknown_tasks_are_refused(eec, scores, tasks, message):
    for procedure in (camara2022, kiritchenko2018):
        with pytest.raises(OptionError) as error:
            procedure(scores, eec, tasks=tasks)
        assert str(error.value) == message


# --- Kiritchenko & Mohammad 2018 ------------------------------------------------------------------------------


def test_pairs_are_counted_as_the_2018_paper_counts_them(eec, scores):
    study = kiritchenko2018(scores[0], eec, tasks="anger")
    assert {(d["term"], d["subset"]): d["pairs"] for d in study.details} == {
        ("race", "all"): 144,
        ("race", "neutral"): 4,
        ("race", "matching"): 35,
        ("gender", "all"): 1584,
        ("gender", "neutral"): 44,
        ("gender", "matching"): 385,
    }
    assert study.deltas["gender", "all"].shape == (1, 1584)


def test_the_test_is_a_paired_t_over_template_words(eec, scores):
    study = kiritchenko2018(scores[0], eec)
    y, female, male = scores[0], eec["gender"] == "female", eec["gender"] == "male"
    names = eec["race"] != "unmarked"
    first, second = [], []
    for item, _ in items():
        here = eec["item"] == item
        first.append(y[here & names & female].mean())
        second.append(y[here & names & male].mean())
        first += list(y[here & ~names & female])
        second += list(y[here & ~names & male])
    want = stats.ttest_rel(first, second)
    (row,) = terms(study.result, term="gender", subset="all")
    assert row["t"] == pytest.approx(want.statistic, rel=1e-9)
    assert row["p"] == pytest.approx(want.pvalue, rel=1e-7)
    assert (row["level"], row["reference"], row["df"]) == ("female", "male", 1583)
    (detail,) = [d for d in study.details if (d["term"], d["subset"]) == ("gender", "all")]
    delta = np.array(first) - np.array(second)
    assert detail["up"] == pytest.approx(delta[delta > 0].mean())
    assert detail["down"] == pytest.approx(delta[delta < 0].mean())
    assert detail["spread"] == pytest.approx(np.ptp(delta))


def test_every_kiritchenko_row_says_that_the_test_does_not_hold_its_level(eec, scores):
    result = kiritchenko2018(scores[0], eec).result
    assert result.terms[0]["note"] == (
        "144 pairs; published procedure, not size-controlled: it rejects up to 92 % of true nulls at .05"
    )
    assert result.notes[-1] == (
        "published procedure of Kiritchenko & Mohammad (2018), not size-controlled: of true nulls it rejects 5 % to "
        "92 % at .05, and up to 84 % at .05/438, the more the names differ (simulated, sd of names 0 to .11)"
    )


def test_p_is_multiplied_by_the_number_of_assessments(eec, scores):
    study, paper = kiritchenko2018(scores, eec), kiritchenko2018(scores, eec, assessments=438)
    assert (study.assessments, paper.assessments) == (6, 438)
    for ours, theirs in zip(study.result.terms, paper.result.terms, strict=True):
        assert ours["p_adjusted"] == pytest.approx(min(1, 6 * ours["p"]))
        assert theirs["p_adjusted"] == pytest.approx(min(1, 438 * ours["p"]))
    assert "adj:bonferroni/438" in str(paper.result.signature)


def steered(eec, *shifts):
    """Return one system per gender shift, with a little noise over items only."""
    female = (eec["gender"] == "female") * 1.0
    _, item = np.unique(eec["item"], return_inverse=True)
    noise = np.random.default_rng(3).normal(0, 0.005, size=item.max() + 1)[item]
    return np.array([0.5 + shift * female + noise * female for shift in shifts])


def test_systems_fall_into_the_three_groups(eec):
    study = kiritchenko2018(steered(eec, 0.02, -0.02, 0.0, 0.0), eec, systems=list("abcd"))
    groups = [d["group"] for d in study.details if (d["term"], d["subset"]) == ("gender", "neutral")]
    assert groups == ["up", "down", "none", "none"]
    assert {d["group"] for d in study.details if d["term"] == "race"} == {"none"}


def test_the_shape_of_the_2018_study_is_one_call_with_its_tables(eec):
    counts = {"anger": 46, "fear": 46, "joy": 45, "sadness": 46, "valence": 36}
    tasks = [task for task, count in counts.items() for _ in range(count)]
    shifts = np.random.default_rng(5).choice([0.02, -0.02], size=219)
    study = kiritchenko2018(steered(eec, *shifts), eec, tasks=tasks)
    assert study.assessments == 438
    rows = summary(study, "gender")
    assert [(row["task"], row["systems"]) for row in rows if row["group"] == "all"] == list(counts.items())
    for row in rows:
        assert row["systems"] == sum(
            task == row["task"] and row["group"] in ("all", "up" if shift > 0 else "down")
            for task, shift in zip(tasks, shifts, strict=True)
        )
    first = next(row for row in rows if row["group"] == "up")
    assert first["up"] == pytest.approx(0.02, abs=0.002)
    assert first["down"] is None


def test_summary_table_is_laid_out_as_tables_5_to_7(eec):
    study = kiritchenko2018(steered(eec, 0.02, -0.03), eec, tasks="valence", systems=["a", "b"])
    lines = summary_table(study, "gender").splitlines()
    assert lines[:5] == [
        "Task                Bias group           #Subm.  Avg. score diff. F↑–M↓  Avg. score diff. F↓–M↑  Δ-spread",
        "Valence prediction  F=M not significant       0                       –                       –         –",
        "                    F↑–M↓ significant         1                   0.020                       –     0.031",
        "                    F↓–M↑ significant         1                       –                  -0.030     0.031",
        "                    All                       2                   0.020                  -0.030     0.031",
    ]
    assert lines[-1] == kiritchenko.LABEL
    csv_lines = summary_table(study, "race", layout="csv").splitlines()
    assert csv_lines[1].startswith("Valence prediction,AA=EA not significant,2,")
    latex = summary_table(study, "gender", layout="latex").splitlines()
    assert latex[2] == (
        r"Task & Bias group & \#Subm. & Avg. score diff. F$\uparrow$--M$\downarrow$ & "
        r"Avg. score diff. F$\downarrow$--M$\uparrow$ \\"
    )
    assert latex[6] == r" & F$\downarrow$--M$\uparrow$ significant & $1$ & -- & $-0.030$ \\"
    label = kiritchenko.LABEL.replace("&", r"\&").replace("%", r"\%")
    assert latex[-2:] == [rf"\multicolumn{{5}}{{p{{.9\linewidth}}}}{{\footnotesize {label}}} \\", r"\end{tabular}"]
    assert all(kiritchenko.LABEL in line for line in csv_lines[1:])


def test_boxes_are_ordered_by_accuracy_and_describe_the_differences(eec, scores):
    study = kiritchenko2018(scores, eec, systems=["a", "b", "c"])
    rows = box_plot_data(study, "gender", accuracy={"a": 0.1, "b": 0.9, "c": 0.5})
    assert [row["system"] for row in rows] == ["b", "c", "a"]
    for row, delta in zip(rows, study.deltas["gender", "all"][[1, 2, 0]], strict=True):
        assert_allclose([row["q1"], row["median"], row["q3"]], np.quantile(delta, [0.25, 0.5, 0.75]))
        reach = 1.5 * (row["q3"] - row["q1"])
        assert row["whisker_high"] == delta[delta <= row["q3"] + reach].max()


def test_box_plots_of_what_is_not_there_are_refused(eec, scores):
    study = kiritchenko2018(scores, eec, tasks="joy", systems=["a", "b", "c"])
    for arguments, message in [
        ({"term": "age"}, "the study has no 'age' on 'all' sentences; it has race on all, race on neutral, race on "
         "matching, gender on all, gender on neutral, gender on matching"),
        ({"term": "race", "task": "fear"}, "task='fear': no system of the study has that task"),
        ({"term": "race", "accuracy": {"a": 1, "b": 1}}, "accuracy has no value for the system 'c'"),
    ]:  # fmt: skip
        with pytest.raises(OptionError) as error:
            box_plot_data(study, **arguments)
        assert str(error.value) == message


def test_a_system_that_does_not_react_has_no_difference_anywhere(eec):
    study = kiritchenko2018(np.full(len(eec["item"]), 0.3), eec)
    assert {(row["effect"], row["p"]) for row in study.result.terms} == {(0.0, 1.0)}
    assert {(d["group"], d["up"], d["down"], d["spread"]) for d in study.details} == {("none", None, None, 0.0)}


def test_a_constant_difference_has_no_p_and_is_still_grouped(eec):
    study = kiritchenko2018(0.5 + 0.1 * (eec["gender"] == "female"), eec)
    (row,) = terms(study.result, term="gender", subset="all")
    assert (row["effect"], row["p"], row["p_adjusted"]) == (pytest.approx(0.1), None, None)
    assert {d["group"] for d in study.details if d["term"] == "gender"} == {"up"}


def test_more_than_two_groups_are_refused():
    data = {
        "race": np.repeat(["a", "b", "c"], 4),
        "person": np.repeat(list("uvwxyz"), 2),
        "item": ["i", "j"] * 6,
    }
    with pytest.raises(DesignError) as error:
        kiritchenko2018(np.full(12, 0.5), data, axes=["race"])
    assert str(error.value) == (
        "axis 'race' has the levels a, b, c; the procedure compares two groups: filter the others away"
    )


def test_an_impossible_number_of_assessments_is_refused(eec, scores):
    with pytest.raises(OptionError) as error:
        kiritchenko2018(scores, eec, assessments=0)
    assert str(error.value) == "assessments=0; expected the number of tests, 1 or more"


# --- how the two err ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("sd", camara.SIZES)
def test_the_sizes_printed_with_camara_are_those_measured(sd):
    data = corpus(pairs=0)
    scores = simulate(data, name_sd=sd, item_sd=0.2, phi=1000, systems=600, seed=11, axes=["race", "gender"])
    rows = camara2022(scores, data, tasks="anger").terms
    size = np.mean([row["p"] < 0.05 for row in rows])
    assert size == pytest.approx(camara.SIZES[sd], abs=0.04)


@pytest.mark.slow
@pytest.mark.parametrize("sd", kiritchenko.SIZES)
def test_the_sizes_printed_with_kiritchenko_are_those_measured(sd):
    data = corpus(pairs=0)
    scores = simulate(data, name_sd=sd, item_sd=0.2, phi=1000, systems=1200, seed=12, axes=["race", "gender"])
    p = np.array([row["p"] for row in terms(kiritchenko2018(scores, data).result, term="race", subset="all")])
    assert (p < 0.05).mean() == pytest.approx(kiritchenko.SIZES[sd][0], abs=0.06)
    assert (p < 0.05 / 438).mean() == pytest.approx(kiritchenko.SIZES[sd][1], abs=0.06)


def test_pair_tests_count_the_items_and_sentences_of_their_subset(eec, scores):
    result = kiritchenko2018(scores[0], eec, tasks="fear").result
    counted = {
        (row["term"], row["subset"]): (row["n_persons"], row["n_items"], row["n_sentences"]) for row in result.terms
    }
    assert counted == {
        ("race", "all"): (40, 144, 40 * 144),
        ("race", "neutral"): (40, 4, 40 * 4),
        ("race", "matching"): (40, 35, 40 * 35),
        ("gender", "all"): (60, 144, 60 * 144),
        ("gender", "neutral"): (60, 4, 60 * 4),
        ("gender", "matching"): (60, 35, 60 * 35),
    }
