"""The confounded data sets: what is in them, for every config and case."""

import os
import re
import subprocess
import sys
from functools import cache, partial

import pandas as pd
import pytest
from languages import languages
from texts import keep

import eec_bias
import eec_datasets
from eec_datasets import schema
from eec_datasets.design import CASES, confounded
from eec_datasets.design.drawing import ADDED
from eec_datasets.design.sets import size
from eec_datasets.errors import EecError, InputError

CONFIGS = [config.name for config in eec_datasets.configs()]


@cache
def frame(config: str = "en-black-white", *args: object, **options: object) -> pd.DataFrame:
    return confounded(config, *args, **options).to_pandas()


def percent_positive(rows: pd.DataFrame, by: str) -> dict[str, float]:
    joy = (rows["emotion"] == "joy").groupby(rows[by]).mean()
    return (100 * joy).round(9).to_dict()


def test_there_are_sixteen_data_sets_in_the_row_schema():
    rows = eec_datasets.confounded("en-black-white")
    assert rows.column_names == [*schema.columns(), *ADDED]
    sets = rows.to_pandas().groupby(["group", "set"]).size()
    few, all_five = ["E3", "E4", "E5"], ["E1", "E2", "E3", "E4", "E5"]
    assert {group: list(sets[group].index) for group in "1234"} == {"1": all_five, "2": few, "3": all_five, "4": few}
    assert (rows.info.config_name, rows.info.description) == (
        "en-black-white-confounded",
        "Data groups 1, 2, 3, 4 of Lakkaraju et al. (2022) from en-black-white, seed 0, case 1 of group 2.",
    )


@pytest.mark.parametrize(("group", "terms"), [(1, ["gender"]), (3, ["race", "gender", "race:gender"])])
def test_one_set_goes_to_the_default_test_as_it_is(group, terms):
    rows = confounded("en-black-white", group, words="E5", persons=2)
    scores = [len(text) / 100 for text in rows["text"]]
    found = eec_bias.measure(scores, rows)
    assert list(dict.fromkeys(row["term"] for row in found.overall if "|" not in row["term"])) == terms
    assert found.axes == (("gender",) if group == 1 else ("race", "gender"))


def test_a_column_called_like_those_of_sets_is_an_axis_elsewhere():
    rows = eec_datasets.load("en-black-white").to_pandas().rename(columns={"race": "group"})
    assert eec_bias.measure([len(text) / 100 for text in rows["text"]], rows).axes == ("gender", "group")


def test_names_of_one_race_give_the_groups_that_they_can_serve(tmp_path):
    languages(tmp_path, "en")
    black = re.compile(",black-white,name,,(fe)?male,Black,")
    keep(tmp_path / "en/persons.csv", lambda line: not black.search(line))
    found = confounded("en-black-white", root=tmp_path)
    assert set(found["group"]) == {"1", "2"}
    assert "Without groups 3 and 4, as the config has no names of two races." in found.info.description


def test_the_words_of_the_paper_stand_in_english_sentences():
    rows = frame(group=1)
    words = {label: sorted(set(part["word"])) for label, part in rows.groupby("set")}
    assert words == {
        "E1": ["grim"], "E2": ["happy"], "E3": ["grim", "happy"], "E4": ["depressing", "grim", "happy"],
        "E5": ["depressing", "glad", "happy"],
    }  # fmt: skip
    assert set(rows["template"]) == {"t01", "t02", "t03", "t04"}
    assert "I made this child feel grim." in set(frame("en-black-white", 1, words="E1", seed=3)["text"])


def test_words_of_other_languages_say_the_state():
    assert set(frame("es-anglo-latino", 1, words="E4")["word"]) == {"miserable", "depressed", "happy"}
    assert set(frame("ar-anglo-arab", 3, words="E1")["word_form"]) == {"التعاسة"}


def test_group_three_has_eight_sentences_per_race_gender_and_word():
    rows = frame(group=3)
    for attribute in ("race", "gender"):
        assert set(rows.groupby(["set", attribute, "word"]).size()) == {8}
    composite = rows.groupby(["set", "rg", "word"]).size()
    assert set(composite.drop("NA", level="rg")) == {4}
    assert set(composite.xs("NA", level="rg")) == {8}


def test_more_persons_make_group_three_larger():
    persons = frame(group=3, words="E1", persons=3).groupby("rg")["person"].nunique()
    assert persons["NA"] == 6
    assert set(persons.drop("NA")) == {3}


def test_group_one_differs_only_in_the_gender_of_the_same_pairs():
    rows = frame(group=1, words="E3")
    pairs = rows["pair"].groupby(rows["gender"]).apply(set)
    assert pairs["female"] == pairs["male"] == pairs["neutral"]
    assert set(rows.groupby(["gender", "word"]).size()) == {8}
    assert set(rows["race"]) == {"unmarked"}


@pytest.mark.parametrize(("case", "shares"), CASES.items())
def test_each_case_has_its_shares_and_as_many_sentences_of_either_kind(case, shares):
    rows = frame("en-black-white", 2, case)
    assert set(rows["case"]) == {str(case)}
    for _, part in rows.groupby("set"):
        expected = dict(zip(("male", "female", "neutral"), map(float, shares), strict=True))
        assert percent_positive(part, "gender") == expected
        assert (part["emotion"] == "joy").mean() == 0.5
        assert part["gender"].value_counts().nunique() == 1


def test_group_four_confounds_men_of_one_race_with_women_of_the_other():
    assert percent_positive(frame(group=4), "rg") == {
        "white male": 90.0, "white female": 50.0, "Black male": 50.0, "Black female": 10.0, "NA": 50.0,
    }  # fmt: skip


def test_a_class_is_the_smallest_with_templates_and_words_in_balance():
    assert [size(1, 1), size(1, 2), size(2, 1)] == [40, 80, 80]
    rows = frame(group=(2, 4))
    rows = rows.assign(**{"class": rows["rg"].where(rows["group"] == "4", rows["gender"])})
    for _, part in rows.groupby(["group", "set", "class", "emotion"]):
        assert part.groupby(["template", "word"]).size().nunique() == 1
        assert part["template"].nunique() == 4


def test_ids_are_unique_and_mark_persons_that_are_drawn_again():
    rows = frame()
    assert rows["id"].is_unique
    again = rows[rows["id"].str.contains(r"^g\d(?:k\d)?-E\d\.\d/")]
    assert set(again["group"]) == {"2", "4"}
    first = again["id"].str.replace(r"\.\d/", "/", n=1, regex=True)
    assert list(rows.set_index("id").loc[first, "text"]) == list(again["text"])


def test_a_part_of_the_sets_is_what_it_is_in_the_whole():
    rows = frame()
    there = rows[(rows["group"] == "4") & (rows["set"] == "E4")].reset_index(drop=True)
    pd.testing.assert_frame_equal(frame(group=4, words="E4"), there)


def test_the_same_seed_gives_the_same_rows_in_another_process():
    code = (
        "from eec_datasets import corpora, schema; from eec_datasets.design import confounded; "
        "corpora.dataset_of = lambda rows, *_: rows; "
        "print(schema.content_hash(confounded('es-anglo-latino', 4)))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == schema.content_hash(confounded("es-anglo-latino", 4).data.table)


def test_another_seed_gives_other_persons():
    assert set(frame(group=3)["person"]) != set(frame(group=3, seed=1)["person"])


@pytest.mark.parametrize("config", CONFIGS)
def test_every_config_makes_the_sets_it_has_persons_for(config):
    rows = confounded(config)
    table = rows.to_dict()
    assert len(set(table["id"])) == len(table["id"])
    assert "" not in set().union(*table.values())
    of_names = ("white", "latino", "arab", "sample")
    named = any(part in config for part in of_names) or config in ("en-gender", "es-gender")
    assert set(table["group"]) == (set("1234") if named else set("12"))
    assert ("Without groups 3 and 4" in rows.info.description) != named


NONE_OF_ARABIC = "Two levels of gender, without a neutral reference: Arabic has no neutral reference"


@pytest.mark.parametrize(
    ("config", "options", "neutral", "said"),
    [
        ("es-anglo-latino", {"group": 2}, {"neutral-elle"}, ""),
        ("es-gender", {"group": 2, "neutral": "neutral-epicene"}, {"neutral-epicene"}, ""),
        ("en-black-white", {"group": 2, "neutral": "none"}, set(), "left out as asked"),
        ("ar-anglo-arab", {"group": 3, "words": "E1"}, set(), NONE_OF_ARABIC),
        # Arabic has no neutral phrases that would say nothing on countries.
        ("ar-country", {"group": 2, "words": "E3"}, set(), NONE_OF_ARABIC),
        ("en-country", {"group": 1, "words": "E3"}, set(), "the neutral phrases say nothing on country, which the oth"),
    ],
)
def test_a_set_has_one_neutral_reference_or_says_why_it_has_none(config, options, neutral, said):
    rows = confounded(config, **options)
    assert set(rows["gender"]) == {"female", "male"} | neutral
    assert said in rows.info.description


def test_phrases_with_a_country_are_not_compared_with_phrases_without():
    rows = frame("en-country", 1, words="E3")
    countries = rows["country"].groupby(rows["gender"]).apply(set)
    assert countries["female"] == countries["male"]


@pytest.mark.parametrize("group", [3, 4])
def test_a_class_without_names_is_refused_and_not_left_out(tmp_path, group):
    languages(tmp_path, "en")
    keep(tmp_path / "en/persons.csv", lambda line: ",male,Arab," not in line)
    with pytest.raises(InputError, match=r"^names Arab male: 1 needed, and there are 0\. "):
        confounded("en-anglo-arab", group, root=tmp_path)


REFUSED: list[tuple[str, dict[str, object]]] = [
    ("en-black-white", {"group": 5}),
    ("en-black-white", {"words": "E6"}),
    ("en-black-white", {"group": 2, "words": "E1"}),
    ("en-black-white", {"case": 7}),
    ("en-black-white", {"persons": 0}),
    ("en-black-white", {"persons": 1.5}),
    ("en-black-white", {"group": []}),
    ("en-black-white", {"group": 1.5}),
    ("en-black-white", {"words": []}),
    ("en-black-white", {"case": [1]}),
    ("en-black-white", {"group": 3, "persons": 11}),
    ("es-anglo-latino", {"neutral": "neutral"}),
    ("de-gender", {"group": 4}),
    ("de-gender", {"group": 2, "case": 5}),
]


def test_what_cannot_be_made_is_refused(snapshot):
    calls = {f"{config} {options}": partial(confounded, config, **options) for config, options in REFUSED}
    snapshot.check_refusals("confounded-refused", calls, EecError)
