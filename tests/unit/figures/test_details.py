"""Details behind the rows of a result: means of persons, differences of items."""

import numpy as np
import pandas as pd
import pyarrow as pa
from figure_cases import corpus, many, pairs, scores
from numpy.testing import assert_allclose
from synthetic import BASES

from eec_bias import measure


def test_details_are_means_and_differences_of_the_scores() -> None:
    data = corpus()
    data["score"] = scores(data)
    of_names, of_pairs = measure(data["score"], data).details
    assert (of_names.subset, of_pairs.subset) == ("names", "pairs")
    only = data[data["race"] != "unmarked"]
    means = only.groupby("person")["score"].mean()
    assert_allclose(of_names.person_means[0], means[list(of_names.persons["person"])])
    groups = only.groupby(["item", "race", "gender"])["score"].mean().unstack(["race", "gender"])
    women = (groups["Anglo", "female"] + groups["Latino", "female"]) / 2
    men = (groups["Anglo", "male"] + groups["Latino", "male"]) / 2
    gender = [contrast["term"] for contrast in of_names.contrasts].index("gender")
    assert_allclose(of_names.item_effects[0, gender], (women - men)[list(of_names.items["item"])])
    wide = data[data["race"] == "unmarked"].pivot_table(index="person", columns="item", values="score")
    rows = [wide.loc[base.split("_")[0]] - wide.loc[base.split("_")[1]] for base in of_pairs.bases[0]]
    assert set(of_pairs.bases[0]) == set(BASES)
    assert_allclose(of_pairs.base_effects[0][0], [row.mean() for row in rows])
    assert_allclose(of_pairs.item_effects[0, 0], np.mean([row[list(of_pairs.items["item"])] for row in rows], axis=0))


def test_details_agree_with_the_effects() -> None:
    result = many(3)
    for detail in result.details:
        for s, who in enumerate(detail.systems):
            for r, contrast in enumerate(detail.contrasts):
                own = {**who, **contrast, "subset": detail.subset}
                (row,) = [row for row in result.overall if own.items() <= row.items()]
                assert_allclose(detail.item_effects[s, r].mean(), row["effect"])


def test_forms_and_emotions_come_from_any_kind_of_table_that_has_them() -> None:
    data = corpus()
    for table in (data, pa.Table.from_pandas(data), data.to_dict("list")):
        detail = measure(scores(data), table).details[0]
        assert detail.persons["form"] == detail.persons["person"]
        assert [item.split("/")[1] for item in detail.items["item"]] == list(detail.items["emotion"])
        assert set(detail.items) == {"item", "emotion", "template", "valence", "agreement"}
    without = data.drop(columns=["person_form", "emotion", "template"])
    detail = measure(scores(data), without).details[0]
    assert (list(detail.persons), list(detail.items)) == (["person", "race", "gender"], ["item"])
    assert_allclose(detail.item_effects, measure(scores(data), data).details[0].item_effects, atol=1e-12)
    (alone,) = measure(scores(pairs()), pairs()).details
    assert (alone.subset, set(alone.persons["base"])) == ("pairs", set(BASES))


def test_strata_have_details_of_their_own_rows() -> None:
    data = corpus()
    y = scores(data)
    found = measure(y, data, by="emotion").details
    assert [(each.where["stratum"], each.subset) for each in found[:2]] == [("anger", "names"), ("anger", "pairs")]
    joy = (data["emotion"] == "joy") & (data["race"] != "unmarked")
    means = pd.Series(y[joy]).groupby(data["person"][joy].to_numpy()).mean()
    detail = next(d for d in found if d.where["stratum"] == "joy" and d.subset == "names")
    assert_allclose(detail.person_means[0], means[list(detail.persons["person"])])
