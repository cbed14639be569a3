"""The confounded data sets: what is in them, for every config and case."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pandas as pd
import pytest
from snapshots import Snapshot, refusal

import eec_bias
import eec_datasets
from eec_datasets import schema
from eec_datasets.design import CASES, confounded
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
    few = ["E3", "E4", "E5"]
    both = {"1": ["E1", "E2", *few], "2": few, "3": ["E1", "E2", *few], "4": few}
    assert {group: list(sets[group].index) for group in "1234"} == both
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
        "E1": ["grim"], "E2": ["happy"], "E3": ["grim", "happy"], "E4": ["depressing", "grim", "happy"],
        "E5": ["depressing", "glad", "happy"],
    }  # fmt: skip
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
        "print(content_hash(eec_datasets.confounded('es-anglo-latino', 4).data.table))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": "1"}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert run.stdout.strip() == schema.content_hash(confounded("es-anglo-latino", 4).data.table)


def test_a_part_is_what_it_is_in_the_whole() -> None:
    whole = frame()
    part = frame(group=4, words="E4")
    there = whole[(whole["group"] == "4") & (whole["set"] == "E4")].reset_index(drop=True)
    pd.testing.assert_frame_equal(part, there)


def test_more_persons_make_larger_sets() -> None:
    persons = frame(group=3, words="E1", persons=3).groupby("rg")["person"].nunique()
    assert persons["NA"] == 6
    assert set(persons.drop("NA")) == {3}


@pytest.mark.parametrize("config", CONFIGS)
def test_every_config_makes_the_sets_it_has_persons_for(config: str) -> None:
    rows = confounded(config)
    table = rows.to_pandas()
    assert table["id"].is_unique
    assert not (table == "").to_numpy().any()
    named = "white" in config or "latino" in config or "arab" in config or config in ("en-gender", "es-gender")
    assert set(table["group"]) == (set("1234") if named else set("12"))
    assert ("Without groups 3 and 4" in rows.info.description) != named


def test_without_a_neutral_reference_there_are_two_levels_and_it_is_said_why() -> None:
    rows = confounded("ar-anglo-arab", 3, words="E1")
    assert set(rows["gender"]) == {"female", "male"}
    assert set(rows["race"]) == {"Anglo", "Arab"}
    assert "Two levels of gender, without a neutral reference: Arabic has no neutral reference" in rows.info.description


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
    assert "the neutral phrases say nothing on country, which the others do." in rows.info.description


def test_a_class_is_as_small_as_even_shares_allow() -> None:
    assert [size(1, 1), size(1, 2), size(2, 1)] == [40, 80, 80]


def test_what_cannot_be_made_is_refused(snapshot: Snapshot) -> None:
    cases: list[tuple[str, dict[str, Any]]] = [
        ("en-black-white", {"group": 5}),
        ("en-black-white", {"words": "E6"}),
        ("en-black-white", {"group": 2, "words": "E1"}),
        ("en-black-white", {"case": 7}),
        ("en-black-white", {"persons": 0}),
        ("en-black-white", {"group": 3, "persons": 11}),
        ("es-anglo-latino", {"neutral": "neutral"}),
        ("de-gender", {"group": 4}),
        ("de-gender", {"group": 2, "case": 5}),
    ]
    said = [f"{config} {options}\n{refusal(lambda: confounded(config, **options))}" for config, options in cases]  # noqa: B023
    snapshot.check("confounded-refused", "\n\n".join(said))
