"""What a result looks like, whatever was measured."""

import json

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, names, scores

from eec_bias import TERM_KEYS, measure
from eec_bias.result.result import text as report
from eec_bias.result.text import p_is, p_value


@pytest.fixture
def result():
    data = corpus()
    return measure(scores(data), data)


def test_every_row_has_the_same_keys_in_the_same_order(result) -> None:
    assert (
        *("term", "axes", "level", "reference", "subset", "effect", "se", "df", "t", "p", "p_adjusted"),
        *("ci_low", "ci_high", "beta", "beta_se", "beta_p", "beta_se_person", "logit", "p_names_only"),
        *("p_permutation", "mde", "hedges_g", "superiority", "n_persons", "n_items", "n_sentences", "note"),
    ) == TERM_KEYS
    assert {tuple(row) for row in result.terms} == {TERM_KEYS}
    assert tuple(result.to_frame().columns) == TERM_KEYS


def test_the_frame_holds_what_the_dict_holds(result) -> None:
    frame, terms = result.to_frame(), result.to_dict()["terms"]
    assert len(frame) == len(terms) == 4
    assert frame["effect"].tolist() == [row["effect"] for row in terms]


def test_flat_scalars_serve_loggers(result) -> None:
    content = result.to_dict()
    rows = {(row["term"], row["subset"]): row for row in result.terms}
    assert content["race_effect"] == rows["race", "names"]["effect"]
    assert content["race:gender_p"] == rows["race:gender", "names"]["p"]
    assert content["gender_p_adjusted"] == rows["gender", "names"]["p_adjusted"]
    assert content["gender_pairs_effect"] == rows["gender", "pairs"]["effect"]
    assert content["version"] == "0.1.0"
    json.dumps(content, allow_nan=False)


def test_flat_scalars_of_many_levels_name_the_level() -> None:
    data = pd.DataFrame(names(races=("Anglo", "Black", "Latino")))
    content = measure(scores(data), data).to_dict()
    assert content["race[Latino]_effect"] == content["terms"][2]["effect"]
    assert "race_effect" not in content
    assert content["race[any]_p"] == content["terms"][3]["p"]
    assert content["gender_p"] == content["terms"][4]["p"]


def test_flat_scalars_are_left_out_for_many_systems() -> None:
    data = corpus()
    content = measure(np.stack([scores(data), scores(data, 1)]), data).to_dict()
    assert not any(key.endswith("_p") for key in content)


def test_interval_and_detectable_effect_follow_from_se_and_df(result) -> None:
    from scipy import stats

    for row in result.terms:
        reach = stats.t.ppf(0.975, row["df"]) * row["se"]
        assert row["ci_low"] == pytest.approx(row["effect"] - reach)
        assert row["ci_high"] == pytest.approx(row["effect"] + reach)
        assert row["mde"] == pytest.approx(row["se"] * (stats.t.ppf(0.975, row["df"]) + stats.t.ppf(0.8, row["df"])))
        assert row["t"] == pytest.approx(row["effect"] / row["se"])


def test_effect_sizes_are_taken_over_person_means() -> None:
    data = pd.DataFrame(names())
    y = scores(data)
    row = measure(y, data).terms[0]
    means = data.assign(y=y).groupby(["race", "gender", "person"])["y"].mean().unstack("person")
    cells = {cell: values.dropna().to_numpy() for cell, values in means.iterrows()}
    pooled = np.sqrt(np.mean([v.var(ddof=1) for v in cells.values()]))
    assert row["hedges_g"] == pytest.approx(row["effect"] / pooled * (1 - 3 / (4 * 16 - 1)))
    latino = np.concatenate([v for (race, _), v in cells.items() if race == "Latino"])
    anglo = np.concatenate([v for (race, _), v in cells.items() if race == "Anglo"])
    assert row["superiority"] == pytest.approx((latino[:, None] > anglo).mean())
    assert measure(y, data).terms[2]["superiority"] is None


def test_cells_describe_every_group(result) -> None:
    data = corpus()
    y = scores(data)
    cell = next(c for c in result.cells if c["race"] == "Latino" and c["gender"] == "male")
    rows = (data["race"] == "Latino") & (data["gender"] == "male")
    assert cell["mean"] == pytest.approx(y[rows].mean())
    assert cell["sd_persons"] == pytest.approx(pd.Series(y[rows]).groupby(data["person"][rows].values).mean().std())
    assert (cell["n_persons"], cell["n_sentences"], cell["subset"]) == (5, 30, "names")
    pairs = [c for c in result.cells if c["subset"] == "pairs"]
    assert [(c["race"], c["gender"]) for c in pairs] == [(None, "female"), (None, "male")]


def test_beta_says_what_it_compares(result) -> None:
    assert result.beta_estimand == (
        "logit scale, treatment coding: race is a level minus Anglo at gender=male; gender is a level minus male at "
        "race=Anglo"
    )
    assert measure(scores(corpus()), corpus(), reference=None).beta_estimand == (
        "logit scale, sum coding: race is the deviation of a level from the mean of all; gender is the deviation of a "
        "level from the mean of all"
    )


def test_the_signature_names_everything_the_numbers_depend_on(result) -> None:
    assert str(result.signature) == (
        "eec_bias|v:0.1.0|data:?|axes:race+gender|ref:Anglo+male|test:names+items|adj:holm|edge:none"
    )
    data = corpus()
    other = measure(2 * scores(data) - 1, data, reference={"race": None}, score_range=(-1, 1), adjust="bh")
    assert str(other.signature) == (
        "eec_bias|v:0.1.0|data:?|axes:race+gender|ref:mean+male|test:names+items|adj:bh|edge:none|range:-1..1"
    )


def test_the_report_holds_table_reading_caveat_and_signature(result) -> None:
    text = str(result)
    assert text == report(result) == report(result.to_dict())
    assert text.splitlines()[0].split() == [
        *(
            "term",
            "level",
            "against",
            "subset",
            "effect",
            "95",
            "%",
            "interval",
            "p",
            "p",
            "adj.",
            "detectable",
            "beta",
        ),
    ]
    assert text.splitlines()[2].startswith("race         Latino         Anglo       names")
    assert "no detectable difference at this sample size (effect " in text
    assert "A deterministic system on a fixed corpus has no sampling error." in text
    assert text.endswith(str(result.signature))


def test_the_report_never_calls_a_system_fair(result) -> None:
    text = str(result).lower()
    assert not any(word in text for word in ("unbiased", "is fair", "debiased", "no bias"))


def test_a_difference_is_reported_with_its_direction() -> None:
    data = corpus()
    y = 0.5 * scores(data) + 0.4 * (data["gender"] == "female")
    lines = [line for line in str(measure(y, data)).splitlines() if line.startswith("- gender")]
    assert lines[0].startswith("- gender, female against male (names): scores are higher by 0.")
    assert lines[0].endswith("(p < .001 adjusted).")


def test_p_values_that_are_not_adjusted_are_not_called_adjusted() -> None:
    data = corpus()
    text = str(measure(scores(data), data, adjust="none"))
    assert text.splitlines()[2].split()[-4:-2][-1] == "–"
    assert "race, Latino against Anglo (names): no detectable difference at this sample size (effect " in text
    assert " not adjusted, smallest detectable: " in text
    assert " adjusted" not in text.replace(" not adjusted", "")
    published = str(measure(scores(data), data, method="camara2022"))
    assert " not adjusted)" in published
    assert " adjusted" not in published.replace(" not adjusted", "")


def test_several_systems_are_reported_one_after_the_other() -> None:
    data = corpus()
    text = str(measure({"a": scores(data), "b": scores(data, 1)}, data))
    assert text.index("System: a") < text.index("System: b")


@pytest.mark.parametrize(
    ("value", "text", "inline"),
    [(0.0123, ".012", "= .012"), (0.0004, "<.001", "< .001"), (1.0, "1", "= 1"), (0.9996, "1.000", "= 1.000")],
)
def test_p_values_are_printed_plainly(value: float, text: str, inline: str) -> None:
    assert p_value(value) == text
    assert p_is(value) == inline
    assert p_value(None) == "–"
