"""What the perturbation measures refuse, and what is then said."""

import numpy as np
import pandas as pd
import pytest
from perturbed import corpus, scores

from eec_bias import DesignError, LabelsError, OptionError, measure

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
