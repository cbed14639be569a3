"""The rating against its definitions, on the generated data sets and on numbers worked by hand."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from noted import noted
from scipy import stats

import eec_datasets
from eec_bias import DesignError, LabelsError, Result
from eec_bias.methods import rating
from eec_bias.methods.rating.adjustment import adjust_backdoor

AS_TABLES = (1, 0.7, 0.6)
WORD_SCORE = {"grim": -0.7, "depressing": -0.4, "happy": 0.8, "glad": 0.5}


@cache
def sixteen(config: str = "en-black-white", **options: Any) -> pd.DataFrame:
    rows: pd.DataFrame = eec_datasets.confounded(config, **options).to_pandas()
    return rows


def biased(rows: pd.DataFrame, level: str = "female") -> np.ndarray[Any, Any]:
    return np.where((rows["gender"] == level) | (rows["race"] == level), 1.0, -1.0)


def rate(scores: Any, rows: pd.DataFrame, **options: Any) -> Result:
    return rating(scores, rows, score_range=(-1, 1), **options)


@pytest.fixture(scope="module")
def women() -> Result:
    """A system that favours women, on the sixteen data sets."""
    return rate(biased(sixteen()), sixteen())


def only(rows: Sequence[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    (row,) = (row for row in rows if wanted.items() <= row.items())
    return row


def names_matter(rows: pd.DataFrame, systems: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Scores that differ by person, item and row."""
    rng = np.random.default_rng(seed)
    parts = [pd.factorize(rows[column])[0] for column in ("person", "item", "id")]
    return sum(0.25 * rng.uniform(-1, 1, (systems, code.max() + 1))[:, code] for code in parts)  # type: ignore[return-value]


BIASED = {"1": 23, "3_R": 23, "3_G": 23, "3_RG": 69}


@pytest.mark.parametrize(
    ("config", "level", "expected"),
    [
        ("en-black-white", "female", BIASED),
        ("en-black-white", "male", {"1": 23, "3_G": 23}),
        ("en-black-white", "neutral", {"1": 23, "3_G": 23}),
        ("en-black-white", "Black", {"1": 0, "3_R": 23}),
        ("ar-anglo-arab", "female", {"1": 11.5, "3_R": 0, "3_G": 11.5, "3_RG": 46}),
    ],
)
def test_a_biased_system_has_the_scores_of_the_paper_whatever_it_favours(config, level, expected) -> None:
    found = rate(biased(sixteen(config), level), sixteen(config), weights=AS_TABLES)
    content = found.to_dict()
    assert {group: content[f"wrs[{group}]"] for group in expected} == expected
    two_levels = any(note.startswith("the data have two genders") for note in noted(found.notes))
    assert two_levels == config.startswith("ar-")
    assert expected is not BIASED or {content[key] for key in content if key.startswith("rating")} == {3}


def test_the_weights_of_the_articles_text_are_the_default(women: Result) -> None:
    found = women.to_dict()
    assert [found[f"wrs[{group}]"] for group in BIASED] == [24, 24, 24, 72]
    assert {group: found[f"wrs_tables[{group}]"] for group in BIASED} == BIASED
    measures = ("wrs", "wrs_tables", "die", "ate", "rating", "rating_absolute")
    assert all(key.partition("[")[0] in measures for key in found if "[" in key)
    assert rate(biased(sixteen()), sixteen(), levels=5).to_dict()["rating"] == 5
    same, other, first = (
        rate(biased(sixteen()), sixteen(), weights=weights)
        for weights in ({0.6: 0.6, 0.7: 0.8, 0.95: 1}, {0.99: 1}, (1, 0, 0))
    )
    assert (same.to_dict()["wrs_tables[1]"], first.to_dict()["wrs[1]"]) == (23, 10)
    assert ("|weights:1+0.8+0.6|" in same.signature, "|weights:0.99=1|" in other.signature) == (True, True)
    told = [any("wrs_tables" in note for note in noted(each.notes)) for each in (women, same, other)]
    assert told == [True, True, False]


@pytest.mark.parametrize(
    ("config", "races"), [("en-black-white", ("white", "Black")), ("en-anglo-latino", ("Anglo", "Latino"))]
)
def test_a_class_is_compared_with_those_before_it_and_with_the_unmarked(config: str, races: tuple[str, str]) -> None:
    rows = sixteen(config, group=3, words="E4")
    tests = [row for row in rate(biased(rows), rows).study.tests if row["group"] == "3_RG"]
    classes = ["NA", *(f"{race} {gender}" for race in races for gender in ("male", "female"))]
    assert [(row["level"], row["reference"]) for row in tests] == [(b, a) for a, b in combinations(classes, 2)]


def test_data_sets_need_their_columns() -> None:
    rows = sixteen(group=1, words="E1")
    whole = rate(biased(rows), rows)
    assert rate(biased(rows), rows.drop(columns="case")).overall == whole.overall
    for name in ("group", "set", "gender", "race", "emotion", "person", "item"):
        with pytest.raises(LabelsError, match=f"column '{name}' is missing"):
            rate(biased(rows), rows.drop(columns=name))


@pytest.mark.parametrize("name", ["set", "gender", "race", "person", "item"])
def test_labels_that_look_alike_are_refused(name: str) -> None:
    rows = sixteen(group=1, words="E1").copy()
    first = rows[name].iloc[0]
    rows.loc[rows.index[:2], name] = f"{first}\u00a0"
    with pytest.raises(LabelsError, match=rf"of the column '{name}' .* look alike"):
        rate(biased(rows), rows)


def test_a_class_needs_two_sentences() -> None:
    rows = sixteen(group=1, words="E1")
    men = (rows["gender"] == "male").cumsum().where(rows["gender"] == "male", 0)
    few = rows[men <= 2].reset_index(drop=True)
    scores = names_matter(few, 1)[0]
    row = only(rate(scores, few).overall, term="gender", level="female", reference="male")
    female, male = (scores[few["gender"] == gender] for gender in ("female", "male"))
    assert row["se"] == pytest.approx((female.var(ddof=1) / len(female) + male.var(ddof=1) / 2) ** 0.5)
    with pytest.raises(DesignError, match="Student's t needs two"):
        rate(scores[:-1], rows[men <= 1])


def test_cases_of_data_group_two_are_kept_apart() -> None:
    both = pd.concat([sixteen(group=2, case=case) for case in (1, 2)], ignore_index=True)
    sets = {row["set"] for row in rate(biased(both), both).study.adjusted}
    assert sets == {f"{label} k={case}" for label in ("E3", "E4", "E5") for case in (1, 2)}


def test_a_third_gender_may_have_any_name() -> None:
    three = sixteen().replace({"gender": {"neutral": "nonbinary"}})
    assert not any("two genders" in str(note) for note in rate(biased(three), three).notes)


@pytest.mark.parametrize("config", ["en-black-white", "es-anglo-latino", "ar-anglo-arab"])
def test_a_system_that_ignores_groups_is_rated_one(config: str) -> None:
    rows = sixteen(config)
    item = pd.factorize(rows["item"])[0]
    scores = np.random.default_rng(1).uniform(-1, 1, item.max() + 1)[item]
    found = rate(scores, rows).to_dict()
    assert [value for key, value in found.items() if key.startswith(("wrs", "die"))] == [0] * 10
    assert found["rating"] == found["rating_absolute"] == 1


def by_hand(rows: pd.DataFrame, group: str, scores: np.ndarray[Any, Any]) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Observed mean, adjusted mean and DIE % from counts, in fractions."""
    found = {}
    rows = rows.assign(score=scores, kind=rows["rg"] if group == "4" else rows["gender"], joy=rows["emotion"] == "joy")
    for label, here in rows[rows["group"] == group].groupby("set"):
        for words, end in (("negative", False), ("positive", True)):
            own = here[here["joy"] == end]
            observed = Fraction(int(own["score"].sum()), len(own))
            of_kind = {z: Fraction(int(part["score"].sum()), len(part)) for z, part in own.groupby("kind")}
            do = sum(of_kind[z] * Fraction(len(part), len(here)) for z, part in here.groupby("kind"))
            found[label, words] = observed, do, abs(do - observed) / abs(observed) * 100
    return found


@pytest.mark.parametrize(("group", "case"), [("2", 0), ("2", 1), ("2", 3), ("2", 6), ("4", 1)])
def test_die_is_what_the_formula_says_on_the_generated_data(group: str, case: int) -> None:
    rows = sixteen(case=case)
    result = rate(biased(rows), rows)
    expected = by_hand(rows, group, biased(rows))
    found = {
        (row["set"], row["words"]): (row["observed"], row["do"], row["die"])
        for row in result.study.adjusted
        if row["group"] == group
    }
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        assert found[key] == pytest.approx([float(value) for value in values], abs=1e-12)
    largest = result.to_dict()[f"die[{group}]"]
    assert largest == pytest.approx(float(max(value[2] for value in expected.values())))
    assert case != 0 or largest == 0  # no association, no change
    if (group, case) == ("2", 1):
        # Of 40 per gender, 36 negative and 4 positive sentences name women; 60 of all are negative.
        plain = ((36 - 24) / 60, -1 / 3, 100 * (1 / 5 + 1 / 3) / (1 / 5))
        assert found["E3", "negative"] == pytest.approx(plain)


def test_a_mean_of_zero_is_marked_x_and_counts_as_worst() -> None:
    rows = sixteen(group=2, case=1, words="E3")
    # Women and men alike among negative words: 36 ones against 4 minus ones in nine-fold weight.
    scores = np.where(rows["gender"] == "female", 1 / 9, np.where(rows["gender"] == "male", -1.0, 0.0))
    result = rate(scores, rows)
    negative, positive = result.study.adjusted
    assert (negative["die"], negative["x"], positive["x"]) == (None, True, False)
    of_words = [row["note"] for row in result.overall if row["term"] == "die" and row["level"]]
    assert [note.endswith("; X: the denominator is 0") for note in of_words] == [True, False]
    found = result.to_dict()
    assert (found["die[2]"], found["rating[2]"]) == (None, 3)
    assert ("{X, " in result.tables()["order"], "(X, " in result.tables()["do 2"]) == (True, True)
    assert any(note.startswith("X marks a DIE %") for note in noted(result.notes))


def test_a_mean_that_is_not_zero_is_not_printed_as_zero() -> None:
    rows = sixteen()
    lines = rate(np.where(rows["gender"] == "female", 4e-4, 1e-4), rows).tables()["do 2"].splitlines()
    assert ["(0.00," in line for line in lines if "E3 " in line] == [False]


def test_equal_scores_of_both_kinds_of_words_have_no_effect() -> None:
    rows = sixteen()
    signs = rate(np.tile([1.0, -1.0], len(rows))[: len(rows)] * 0.1, rows).tables()
    assert "-0.00" not in signs["do 2"] + signs["do 4"]


def test_matching_gives_the_effect_of_the_word_and_not_of_the_group() -> None:
    rows = sixteen(group=(2, 4))
    scores = rows["word"].map(WORD_SCORE).to_numpy() + 0.2 * (rows["gender"] == "female").to_numpy()
    found = rate(scores, rows).to_dict()
    assert found["ate[2/E3]"] == pytest.approx(1.5)
    assert found["ate[4/E4]"] == pytest.approx(0.8 + 0.55)
    # Unmatched, women's share among negative words would have made the difference smaller.
    part = rows[(rows["group"] == "2") & (rows["set"] == "E3")].index
    joy = (rows["emotion"] == "joy").to_numpy()
    naive = scores[part][joy[part]].mean() - scores[part][~joy[part]].mean()
    assert naive == pytest.approx(1.5 + 0.2 * (4 / 60 - 36 / 60))
    rng = np.random.default_rng(3)
    group = rng.integers(0, 3, 400)
    positive = rng.uniform(size=400) < np.array([0.2, 0.5, 0.8])[group]
    values = rng.normal(size=(2, 400))
    found = adjust_backdoor(values, positive, group, ("a", "b", "c"), 1.0)
    assert len(set(found.shares)) == 3
    np.testing.assert_allclose(found.ate, found.do[:, 1] - found.do[:, 0], rtol=0, atol=1e-12)


def test_t_is_students_with_epsilon_in_its_denominator() -> None:
    rows = sixteen()
    scores = names_matter(rows, 2)
    result = rate(scores, rows, systems=["a", "b"])
    row = only(result.overall, system="b", subset="3_R/E4", level="white", reference="NA")
    here = (rows["group"] == "3") & (rows["set"] == "E4")
    first, second = (scores[1][here & (rows["race"] == race)] for race in ("white", "unmarked"))
    student, effect = stats.ttest_ind(first, second), first.mean() - second.mean()
    assert (row["effect"], row["effect"] / row["se"]) == pytest.approx((effect, student.statistic))
    assert row["t"] == pytest.approx(row["effect"] / (row["se"] + 0.0001))
    assert (row["df"], row["n_sentences"], row["n_items"], row["n_persons"]) == (46, 48, 12, 4)
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(row["t"]), 46))
    head = "system,group,set,attribute,level,reference,df,persons,items,sentences,mean,other,effect"
    assert result.tables("csv")["t"].startswith(head)
    study = only(result.study.tests, system="b", group="3_R", set="E4", level="white", reference="NA")
    assert (study["mean"], study["other"]) == pytest.approx((first.mean(), second.mean()))


def test_the_default_test_stands_beside_with_persons_as_units(women: Result) -> None:
    rows = sixteen(group=3, persons=4)
    scores = names_matter(rows, 1)[0]
    result = rate(scores, rows)
    row = only(result.overall, subset="3_RG/E4", level="Black male", reference="white male")
    here = rows.assign(score=scores)[(rows["set"] == "E4")]
    means = here.groupby(["rg", "person"])["score"].mean()
    welch = stats.ttest_ind(means["Black male"], means["white male"], equal_var=False)
    assert row["p_names_only"] == pytest.approx(welch.pvalue)
    rated = only(result.study.ratings, system="", group="3_RG")
    assert (rated["testable"], rated["pairs"]) == (50, 50)
    result = rate(names_matter(sixteen(), 1)[0], sixteen())
    assert only(result.study.ratings, system="", group="3_RG")["testable"] == 0
    for subset, tested in (("3_RG/", False), ("3_R/", True)):
        rows = [row for row in result.overall if row["subset"].startswith(subset)]
        assert {row["p_names_only"] is not None for row in rows} == {tested}
    rated = only(women.study.ratings, system="", group="1")
    assert (rated["rejected"], rated["alike"], rated["controlled"]) == (10, 10, 0)
    tables = women.tables()
    assert ("0 and 10 alike of 15" in tables["beside"], "H¹" in tables["t 1"]) == (True, True)
    # Columns that a rating does not print are not explained.
    assert not {"detectable", "logit"} & set(str(women).split())


def test_the_worst_of_two_systems_is_rated_two() -> None:
    rows = sixteen()
    result = rate({"blind": rows["word"].map(WORD_SCORE).to_numpy(), "biased": biased(rows)}, rows)
    # Two systems fill two of three parts, so the worst is rated 2.
    for system, expected in (("blind", (1, 1)), ("biased", (2, 3))):
        overall = only(result.study.ratings, system=system, group="overall")
        assert (overall["rating"], overall["absolute"]) == expected
    assert any("of the 2 systems and split them into 3 parts" in n for n in noted(result.notes))


def test_the_less_biased_of_two_systems_may_differ_as_well() -> None:
    rows = sixteen()
    both = rate({"less": names_matter(rows, 1)[0], "biased": biased(rows)}, rows)
    less = only(both.study.ratings, system="less", group="3_R")
    assert (less["rating"], less["absolute"], less["wrs"] > 0) == (1, 3, True)
    assert any("even a bad score can get a 1. rating_absolute rates each system" in note for note in noted(both.notes))


def test_tables_are_laid_out_in_all_forms(snapshot) -> None:
    rows = sixteen()
    result = rate({"a": biased(rows), "b_1": names_matter(rows, 1)[0]}, rows)
    text, latex, table = (result.tables(layout) for layout in ("text", "latex", "csv"))  # type: ignore[arg-type]
    names = ["ratings", "absolute", "order", "beside", "resamples", "t 1", "t 3", "t 3_RG", "do 2", "do 4", "shares"]
    assert list(text) == list(latex) == names
    assert list(table) == ["ratings", "absolute", "order", "beside", "t", "do", "ate", "shares"]
    snapshot.check("methods-rating", "\n\n".join([*text.values(), latex["t 1"], latex["do 2"], table["order"]]))
    assert table["t"].count("\n") == 1 + 2 * 95
