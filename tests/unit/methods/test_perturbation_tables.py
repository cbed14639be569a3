"""The perturbation measures as tables: Table 2 and the values of Figures 1 and 2 of the article."""

import csv
import io
import sys

import numpy as np
import pytest
from perturbed import NAMES, corpus, rows_of, scores

from eec_bias.methods import perturbation
from eec_bias.methods.perturbation import perturbation_table

DATA = corpus()


@pytest.fixture(scope="module")
def one():
    return perturbation(scores(DATA), DATA, bootstrap=99, thresholds=(0.3, 0.7))


@pytest.fixture(scope="module")
def two():
    return perturbation({"toxicity": scores(DATA), "sentiment & co_1": scores(DATA, 1)}, DATA)


def test_tables_are_laid_out_in_all_forms(snapshot, monkeypatch, one, two) -> None:
    many = perturbation({f"s{i}": scores(DATA, i) for i in range(5)}, DATA)
    corpora = {"Reddit": two, "FB-Pol.": two}
    parts = [perturbation_table(corpora), perturbation_table(corpora, "latex"), many.tables()["deviation"]]
    parts += [*one.tables().values(), *one.tables("latex").values(), two.tables()["label_dist"]]
    monkeypatch.setattr(sys.modules["eec_bias.methods.perturbation.study"], "LINES", 4)
    assert "label_dist        ≥ 0.3 " in str(one)
    assert "score_sens        gender female – original" in str(one)
    snapshot.check("methods-perturbation", "\n\n".join([*parts, one.tables()["sensitivity"]]))


def test_csv_has_every_value_with_its_interval(one, two) -> None:
    tables = {name: list(csv.DictReader(io.StringIO(text))) for name, text in one.tables("csv").items()}
    (deviation,) = tables["deviation"]
    for term in ("score_dev", "score_dev_sample", "score_range"):
        row = rows_of(one, term)[None]
        found = [float(deviation[key]) for key in (term, f"{term}_ci_low", f"{term}_ci_high")]
        assert found == [row[key] for key in ("effect", "ci_low", "ci_high")]
    sens = rows_of(one, "score_sens", "person")
    found = {line["name"]: float(line["score_sens"]) for line in tables["sensitivity"]}
    assert list(found.values()) == sorted((row["effect"] for row in sens.values()), reverse=True)
    assert found == {name: row["effect"] for name, row in sens.items()}
    assert {line["name"]: (line["gender"], line["career"]) for line in tables["sensitivity"]} == NAMES
    distances = {line["threshold"]: float(line["label_dist"]) for line in tables["label_dist"]}
    assert distances == {level: row["effect"] for level, row in rows_of(one, "label_dist").items()}
    lines = csv.DictReader(io.StringIO(perturbation_table({"Reddit": two, "FB-Pol.": one}, "csv")))
    expected = [
        (corpus, row.get("system", ""), row["effect"])
        for corpus, result in (("Reddit", two), ("FB-Pol.", one))
        for row in result.overall
        if row["term"] == "score_dev"
    ]
    assert [(line["corpus"], line["system"], float(line["score_dev"])) for line in lines] == expected
    flat = one.to_dict()
    assert "score_sens[gender=female]" in flat
    assert not [key for key in flat if "person" in key]
    heads = [result.tables()["sensitivity"].splitlines()[0].split() for result in (one, two)]
    assert ["from" in head for head in heads] == [True, False]


def test_a_frame_that_eec_perturb_wrote_is_called_by_its_file() -> None:
    data = DATA.copy()
    data.attrs["config"] = "comments"
    assert perturbation(scores(data), data).tables()["deviation"].splitlines()[1].startswith("comments ")


def test_a_corpus_without_a_name_is_called_so() -> None:
    table = perturbation(scores(DATA), DATA).tables()["deviation"]
    assert table.splitlines()[1].startswith("corpus without a name ")


def test_distances_are_those_of_single_precision_too() -> None:
    # In single precision .7 lies below the threshold, and .6 above.
    double = scores(DATA)
    levels = (0.3, 0.6, 0.7)
    found, other = (perturbation(each, DATA, bootstrap=0, thresholds=levels) for each in (double, np.float32(double)))
    of_distance = [[row["effect"] for row in each.terms if row["term"] == "label_dist"] for each in (found, other)]
    assert of_distance[0] == of_distance[1]
    assert len(of_distance[0]) == len(levels)
