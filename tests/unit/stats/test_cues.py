"""Agreement of the cues of a group: effects by names, by noun phrases and pronouns, and by explicit mentions."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from noted import noted
from synthetic import main_rows, row_of
from tables import of_cells
from verdict_cases import BASES, corpus, scores

from eec_bias import measure, methods
from eec_bias.stats.cues import join
from eec_bias.stats.default_test import run_test
from eec_bias.stats.facets import make_facets

DATA = corpus(mentions=True)


def test_each_effect_that_two_cues_share_is_compared_once() -> None:
    y = scores(DATA, 4, female=0.05, Black=0.02)
    result = measure(y, DATA)
    found = {(row["term"], row["subset"]): row for row in result.overall if row["term"].endswith(":cue")}
    assert set(found) == {
        ("gender:cue", "names-pairs"), ("race:cue", "names-mentions"), ("gender:cue", "names-mentions"),
        ("race:gender:cue", "names-mentions"), ("gender:cue", "pairs-mentions"),
    }  # fmt: skip
    for (term, subset), row in found.items():
        first, second = (row_of(result, term.removesuffix(":cue"), subset=cue) for cue in subset.split("-"))
        assert row["effect"] == pytest.approx(first["effect"] - second["effect"])
        assert row["n_persons"] == first["n_persons"] + second["n_persons"]
        assert row["n_sentences"] == first["n_sentences"] + second["n_sentences"]
        assert (row["level"], row["reference"]) == tuple(
            f"{first[side]}:{cue}" for side, cue in zip(("level", "reference"), subset.split("-"), strict=True)
        )
    # Without explicit mentions no cues are compared.
    alone = corpus()
    assert not [row for row in measure(y[: len(alone)], alone).overall if "cue" in row["axes"]]


def test_standard_errors_are_those_of_another_program_by_clusters() -> None:
    rng = np.random.default_rng(11)
    units = [("names", race, f"name-{race}-{i}") for race in (0, 1) for i in range(80)]
    units += [("mentions", race, f"base-{i}") for race in (0, 1) for i in range(60)]
    rows = [
        {"cue": cue, "black": race, "unit": unit, "item": f"i{j:02d}"} for cue, race, unit in units for j in range(60)
    ]
    data = pd.DataFrame(rows)
    key = data["unit"] + data["black"].astype(str)
    of_unit = rng.normal(0, 0.03, key.nunique())[pd.factorize(key)[0]]
    react = rng.normal(0, 0.03, (60, 2))[pd.factorize(data["item"])[0], (data["cue"] == "names").astype(int)]
    data["y"] = 0.5 + of_unit + data["black"] * react + rng.normal(0, 0.03, len(data))
    clusters = np.stack([pd.factorize(data["unit"])[0], pd.factorize(data["item"])[0]], axis=1)
    fit = smf.ols("y ~ black * C(cue, Treatment('mentions'))", data).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
    )
    term = "black:C(cue, Treatment('mentions'))[T.names]"
    names = data[data["cue"] == "names"]["y"].to_numpy().reshape(1, 160, 60)
    said = data[data["cue"] == "mentions"]["y"].to_numpy().reshape(1, 2, 60, 60)
    both = join(of_cells(names, 80, 80), of_cells(said[:, 1] - said[:, 0], 60))
    own = run_test(both, np.array([[-1.0, 1.0, -1.0]]), make_facets(60, {}))
    assert own.effect[0, 0] == pytest.approx(fit.params[term])
    # That program divides by m where we divide by m − 1, of names, bases and items.
    assert own.se[0, 0] == pytest.approx(fit.bse[term], rel=0.02)


def test_what_both_cues_share_in_an_item_does_not_count() -> None:
    react = DATA["item"].map({item: 0.1 * np.sin(j) for j, item in enumerate(sorted(set(DATA["item"])))})
    y = scores(DATA, 5)
    alike, own = (y + react * (DATA["race"] == "Black") * only for only in (1, DATA["pair"] == DATA["item"]))
    apart, together, none = (
        row_of(measure(z, DATA), "race:cue", subset="names-mentions")["se"] for z in (own, alike, y)
    )
    assert together == pytest.approx(none, rel=1e-9)
    assert apart > 1.5 * none
    # A margin says whether cues agree, which is no question of the plan.
    result = measure(scores(DATA, 8), DATA, margin=20)
    agree = [row for row in result.equivalence if row["subset"] == "names-mentions"]
    assert [row["p_equivalence"] < 0.05 for row in agree] == [True] * 7
    rows = [row for row in result.overall if row["subset"] == "names-mentions"]
    assert {row["p_adjusted"] for row in rows} == {None}
    # A procedure of the papers leaves mentions out, and says so.
    y = scores(DATA, 9, female=0.05)
    found = methods.kiritchenko2018(y, DATA)
    others = ~DATA["pair"].str.contains("said-")
    assert found.overall == methods.kiritchenko2018(y[others], DATA[others].reset_index(drop=True)).overall
    assert any(note.startswith("sentences that name a group outright are left out") for note in noted(found.notes))


def test_cues_without_a_standard_error_agree_or_differ_throughout() -> None:
    female, mention = DATA["gender"] == "female", DATA["pair"].str.contains("said-")
    exact = 0.5 + 0.1 * female + 0.05 * (female & mention)
    rows = main_rows(measure(np.stack([scores(DATA, 1), exact]), DATA))
    found = {(row.system, row.term): row.state for row in rows if row.subset == "names-mentions"}
    assert found == {
        ("system0", "race:cue"): "described", ("system0", "race:gender:cue"): "described",
        ("system0", "gender:cue"): "normal",
        ("system1", "race:cue"): "zero", ("system1", "race:gender:cue"): "zero", ("system1", "gender:cue"): "same_gap",
    }  # fmt: skip
    # Few wordings are rough, and cues that met different items are not compared.
    said = DATA["pair"].str.contains("said-")
    parts = [
        DATA[~(said & gone)] for gone in (DATA["pair"].str.contains("|".join(BASES[3:])), DATA["item"] == "t01/glad")
    ]
    few, apart = (measure(scores(data, 6), data) for data in (part.reset_index(drop=True) for part in parts))
    rough = row_of(few, "race:cue", subset="names-mentions")["rough"]
    assert rough.startswith("fewer than 5 persons in a group")
    assert {row["subset"] for row in apart.overall if "cue" in row["axes"]} == {"names-pairs"}
    assert "We do not compare the gaps of these two cues, because they appear in different items" in "; ".join(
        noted(apart.notes)
    )
