"""The confounded data sets: what is in them, for every config and case."""

from __future__ import annotations

import os
import subprocess
import sys

import pandas as pd
import pytest

import eec_bias
import eec_datasets
from eec_datasets import schema
from eec_datasets.design import CASES, ConfoundingError, confounded
from eec_datasets.design.drawing import ADDED
from eec_datasets.design.sets import size

CONFIGS = [config.name for config in eec_datasets.configs()]


def frame(config: str = "en-black-white", *args: object, **options: object) -> pd.DataFrame:
    rows: pd.DataFrame = confounded(config, *args, **options).to_pandas()  # type: ignore[arg-type]
    return rows


def percent_positive(rows: pd.DataFrame, by: str) -> dict[str, float]:
    joy = (rows["emotion"] == "joy").groupby(rows[by]).mean()
    return {str(key): round(100 * value, 9) for key, value in joy.items()}


def test_there_are_sixteen_data_sets_in_the_row_schema() -> None:
    rows = eec_datasets.confounded("en-black-white")
    assert rows.column_names == [*schema.columns(), *ADDED]
    sets = rows.to_pandas().groupby(["group", "set"]).size()
    assert len(sets) == 16
    assert {group: list(sets[group].index) for group in "1234"} == {
        "1": ["E1", "E2", "E3", "E4", "E5"],
        "2": ["E3", "E4", "E5"],
        "3": ["E1", "E2", "E3", "E4", "E5"],
        "4": ["E3", "E4", "E5"],
    }
    assert rows.info.config_name == "en-black-white-confounded"
    assert rows.info.description == (
        "Data groups 1, 2, 3, 4 of Lakkaraju et al. (2022) from en-black-white, seed 0, case 1 of group 2."
    )


@pytest.mark.parametrize(("group", "terms"), [(1, ["gender"]), (3, ["race", "gender", "race:gender"])])
def test_one_set_goes_to_the_default_test_as_it_is(group: int, terms: list[str]) -> None:
    rows = confounded("en-black-white", group, words="E5", persons=2)
    scores = [len(text) / 100 for text in rows["text"]]
    found = eec_bias.measure(scores, rows)
    assert list(dict.fromkeys(row["term"] for row in found.terms)) == terms
    assert found.axes == (("gender",) if group == 1 else ("race", "gender"))


def test_a_column_called_like_those_of_sets_is_an_axis_elsewhere() -> None:
    rows = eec_datasets.load("en-black-white").to_pandas().rename(columns={"race": "group"})
    found = eec_bias.measure([len(text) / 100 for text in rows["text"]], rows)
    assert found.axes == ("gender", "group")


def test_the_words_of_the_paper_stand_in_english_sentences() -> None:
    rows = frame(group=1)
    words = {label: sorted(set(part["word"])) for label, part in rows.groupby("set")}
    assert words == {
        "E1": ["grim"],
        "E2": ["happy"],
        "E3": ["grim", "happy"],
        "E4": ["depressing", "grim", "happy"],
        "E5": ["depressing", "glad", "happy"],
    }
    assert set(rows["template"]) == {"t01", "t02", "t03", "t04"}
    they = frame("en-black-white", 1, words="E1", seed=3)
    assert "I made this child feel grim." in set(they["text"])


def test_other_languages_say_the_state_and_not_the_situation() -> None:
    assert set(frame("es-anglo-latino", 1, words="E4")["word"]) == {"miserable", "depressed", "happy"}
    rows = frame("ar-anglo-arab", 3, words="E1")
    assert set(rows["word_form"]) == {"التعاسة"}


@pytest.mark.parametrize("attribute", ["race", "gender"])
def test_group_three_has_eight_sentences_per_race_and_word(attribute: str) -> None:
    rows = frame(group=3)
    assert set(rows.groupby(["set", attribute, "word"]).size()) == {8}
    composite = rows.groupby(["set", "rg", "word"]).size()
    assert set(composite.drop("NA", level="rg")) == {4}
    assert set(composite.xs("NA", level="rg")) == {8}


def test_group_one_differs_only_in_the_gender_of_the_same_pairs() -> None:
    rows = frame(group=1, words="E3")
    pairs = rows["pair"].groupby(rows["gender"]).apply(set)
    assert pairs["female"] == pairs["male"] == pairs["neutral"]
    assert set(rows["race"]) == {"unmarked"}


@pytest.mark.parametrize(("case", "shares"), CASES.items())
def test_each_case_has_its_shares_and_as_many_sentences_of_either_kind(case: int, shares: tuple[int, int, int]) -> None:
    rows = frame("en-black-white", 2, case)
    assert set(rows["case"]) == {str(case)}
    for _, part in rows.groupby("set"):
        expected = dict(zip(("male", "female", "neutral"), map(float, shares), strict=True))
        assert percent_positive(part, "gender") == expected
        assert (part["emotion"] == "joy").mean() == 0.5
        assert part["gender"].value_counts().nunique() == 1


def test_group_four_confounds_men_of_one_race_with_women_of_the_other() -> None:
    assert percent_positive(frame(group=4), "rg") == {
        "white male": 90.0, "white female": 50.0, "Black male": 50.0, "Black female": 10.0, "NA": 50.0,
    }  # fmt: skip


def test_every_class_has_every_template_and_word_equally_often_at_each_end() -> None:
    rows = frame(group=(2, 4))
    rows["class"] = rows["rg"].where(rows["group"] == "4", rows["gender"])
    for _, part in rows.groupby(["group", "set", "class", "emotion"]):
        assert part.groupby(["template", "word"]).size().nunique() == 1
        assert part.groupby(["template"]).size().size == 4


def test_ids_are_unique_and_persons_drawn_again_are_marked() -> None:
    rows = frame()
    assert rows["id"].is_unique
    again = rows[rows["id"].str.contains(r"^g\d(?:k\d)?-E\d\.\d/")]
    assert set(again["group"]) == {"2", "4"}
    for identifier, text in zip(again["id"], again["text"], strict=True):
        head, _, rest = identifier.partition("/")
        first = f"{head.rpartition('.')[0]}/{rest}"
        assert rows.loc[rows["id"] == first, "text"].item() == text


def test_the_same_seed_gives_the_same_rows_and_another_seed_other_persons() -> None:
    assert confounded("en-anglo-arab", seed=5).to_dict() == confounded("en-anglo-arab", seed=5).to_dict()
    assert set(frame(group=3)["person"]) != set(frame(group=3, seed=1)["person"])


def test_another_process_draws_the_same_rows() -> None:
    code = (
        "import eec_datasets; from eec_datasets.schema import content_hash; "
        "print(content_hash(eec_datasets.confounded('es-anglo-latino').data.table))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": salt},
            capture_output=True,
            text=True,
            check=True,
        )
        for salt in "12"
    ]
    assert len({run.stdout for run in runs}) == 1


def test_a_part_is_what_it_is_in_the_whole() -> None:
    whole = frame()
    part = frame(group=4, words="E4")
    there = whole[(whole["group"] == "4") & (whole["set"] == "E4")].reset_index(drop=True)
    pd.testing.assert_frame_equal(part, there)


def test_more_persons_make_larger_sets() -> None:
    rows = frame(group=3, words="E1", persons=3)
    assert set(rows.groupby(["rg"])["person"].nunique().drop("NA")) == {3}
    assert rows.groupby("rg")["person"].nunique()["NA"] == 6


@pytest.mark.parametrize("config", CONFIGS)
def test_every_config_makes_the_sets_it_has_persons_for(config: str) -> None:
    rows = confounded(config)
    table = rows.to_pandas()
    assert table["id"].is_unique
    assert not (table == "").to_numpy().any()
    named = config.split("-", 1)[1] in ("black-white", "anglo-latino", "anglo-arab") or config in (
        "en-gender",
        "es-gender",
    )
    assert set(table["group"]) == (set("1234") if named else set("12"))
    assert ("Without groups 3 and 4" in rows.info.description) != named


def test_without_a_neutral_reference_there_are_two_levels_and_it_is_said_why() -> None:
    rows = confounded("ar-anglo-arab", 3, words="E1")
    assert set(rows["gender"]) == {"female", "male"}
    assert set(rows["race"]) == {"Anglo", "Arab"}
    assert rows.info.description == (
        "Data group 3 of Lakkaraju et al. (2022) from ar-anglo-arab, seed 0. Two levels of gender, without a neutral "
        "reference: Arabic has no neutral reference: every finite verb, adjective and pronoun must be masculine or "
        "feminine, and epicene nouns such as هذا الشخص agree in the masculine throughout. Female and male reference "
        "are in ar-anglo-arab, epicene nouns with variants={'persons': 'epicene'}."
    )


def test_spanish_neutral_references_are_never_pooled() -> None:
    assert set(frame("es-anglo-latino", 2)["gender"]) == {"female", "male", "neutral-elle"}
    epicene = frame("es-gender", 2, neutral="neutral-epicene")
    assert set(epicene["gender"]) == {"female", "male", "neutral-epicene"}
    assert set(frame("en-black-white", 2, neutral="none")["gender"]) == {"female", "male"}


def test_phrases_with_a_country_are_not_compared_with_phrases_without() -> None:
    rows = confounded("en-country", 1, words="E3")
    table = rows.to_pandas()
    assert set(table["gender"]) == {"female", "male"}
    countries = table.groupby("gender")["country"].apply(set)
    assert countries["female"] == countries["male"]
    assert rows.info.description == (
        "Data group 1 of Lakkaraju et al. (2022) from en-country, seed 0. Two levels of gender, without a neutral "
        "reference: the neutral phrases say nothing on country, which the others do."
    )


def test_a_class_is_as_small_as_even_shares_allow() -> None:
    assert [size(1, 1), size(1, 2), size(2, 1)] == [40, 80, 80]


@pytest.mark.parametrize(
    ("config", "options", "message"),
    [
        ("en-black-white", {"group": 5}, "group=5; expected 1, 2, 3 or 4"),
        ("en-black-white", {"words": "E6"}, "words='E6'; expected E1, E2, E3, E4 or E5"),
        (
            "en-black-white",
            {"group": 2, "words": "E1"},
            "group=2 has no set E1: a word of each kind is needed to confound. Choose E3, E4 or E5",
        ),
        ("en-black-white", {"case": 7}, "case=7; expected 0, 1, 2, 3, 4, 5 or 6"),
        (
            "en-black-white",
            {"persons": 0},
            "persons=0; expected the number of names per race and gender, 1 or more",
        ),
        (
            "en-black-white",
            {"group": 3, "persons": 11},
            "11 names white male are needed, there are 10. Ask for a smaller persons=",
        ),
        (
            "es-anglo-latino",
            {"neutral": "neutral"},
            "neutral='neutral': locale 'es' has no such reference; there are: neutral-elle, neutral-epicene, none",
        ),
        (
            "de-gender",
            {"group": 4},
            "config 'de-gender' has no names of two races, which group 4 compares. Choose group 1 or 2, or another "
            "config",
        ),
        (
            "de-gender",
            {"group": 2, "case": 5},
            "case 5 associates words with the neutral reference, and there is none: the locale 'de' has no neutral "
            "reference. Choose case 0, 1 or 2",
        ),
    ],
)
def test_what_cannot_be_made_is_refused(config: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfoundingError) as caught:
        confounded(config, **options)  # type: ignore[arg-type]
    assert str(caught.value) == message
