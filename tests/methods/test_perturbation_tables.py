"""The perturbation measures as tables: Table 2 and the values of Figures 1 and 2 of the article."""

import csv
import io
import sys

import pytest
from perturbed import NAMES, corpus, rows_of, scores

from eec_bias import Result
from eec_bias.methods import perturbation
from eec_bias.methods.perturbation import perturbation_table


@pytest.fixture(scope="module")
def one() -> Result:
    data = corpus()
    return perturbation(scores(data), data, bootstrap=99, thresholds=(0.3, 0.7))


@pytest.fixture(scope="module")
def two() -> Result:
    data = corpus()
    systems = {"toxicity": scores(data), "sentiment & co_1": scores(data, 1)}
    return perturbation(systems, data)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def three(result, term: str, system: str) -> str:
    return next(f"{row['effect']:.3f}" for row in result.terms if row["term"] == term and row["system"] == system)


def test_table_2_has_a_line_per_corpus_and_two_columns_per_system(two) -> None:
    lines = perturbation_table({"Reddit": two, "FB-Pol.": two}).splitlines()
    values = [three(two, t, s) for s in ("toxicity", "sentiment & co_1") for t in ("score_dev", "score_range")]
    assert lines[0].split() == ["toxicity", "sentiment", "&", "co_1"]
    assert lines[1].split() == ["Corpus", "ScoreDev", "ScoreRange", "ScoreDev", "ScoreRange"]
    assert lines[2].split() == ["Reddit", *values]
    assert lines[3].split() == ["FB-Pol.", *values]


def test_table_2_in_latex_spans_the_systems(two) -> None:
    text = perturbation_table({"Reddit": two}, "latex")
    assert r" & \multicolumn{2}{c}{toxicity} & \multicolumn{2}{c}{sentiment \& co\_1} \\" in text
    assert text.startswith(r"\begin{tabular}{lrrrr}")


def test_table_2_with_many_systems_has_a_line_for_each() -> None:
    data = corpus()
    result = perturbation({f"s{i}": scores(data, i) for i in range(5)}, data)
    lines = result.tables()["deviation"].splitlines()
    assert [line.split()[1] for line in lines[1:6]] == [f"s{i}" for i in range(5)]
    assert r"$\,$" not in result.tables("latex")["deviation"]


def test_csv_has_intervals_at_full_precision(one) -> None:
    row = rows_of(one, "score_dev")[None]
    found = read(one.tables("csv")["deviation"])[0]
    assert [float(found[key]) for key in ("score_dev", "score_dev_ci_low", "score_dev_ci_high")] == [
        row["effect"],
        row["ci_low"],
        row["ci_high"],
    ]


def test_the_values_of_figure_1_are_sorted_with_the_labels_of_the_names(one) -> None:
    sens = rows_of(one, "score_sens", "person")
    found = read(one.tables("csv")["sensitivity"])
    assert [float(line["score_sens"]) for line in found] == sorted((r["effect"] for r in sens.values()), reverse=True)
    assert {line["name"]: (line["gender"], line["career"]) for line in found} == NAMES
    head, *lines = one.tables()["sensitivity"].splitlines()
    assert head.split() == ["Name", "gender", "career", "ScoreSens", "from", "to", "sentences"]
    assert lines[0].split()[0] == found[0]["name"]


def test_of_many_names_text_lists_the_highest_and_the_lowest(monkeypatch, one) -> None:
    monkeypatch.setattr(sys.modules["eec_bias.methods.perturbation.study"], "LINES", 4)
    lines = one.tables()["sensitivity"].splitlines()
    assert lines[3].strip() == "… 2 names between"
    assert len(read(one.tables("csv")["sensitivity"])) == 6


def test_the_values_of_figure_2_stand_by_threshold(one, two) -> None:
    distance = [f"{row['effect']:.3f}" for row in rows_of(one, "label_dist").values()]
    lines = one.tables()["label_dist"].splitlines()
    assert lines[0].split() == ["Threshold", "0.3", "0.7"]
    assert lines[1].split() == ["label_dist", *distance]
    assert len(read(two.tables("csv")["label_dist"])) == 18


def test_the_tables_and_measures_are_in_the_report_and_survive_a_file(one) -> None:
    text = str(one)
    assert all(table in text for table in one.tables().values())
    assert "label_dist        ≥ 0.3 " in text
    assert "score_sens        gender female – original" in text
    again = Result.from_dict(one.to_dict(details=True))
    assert again.tables() == one.tables()
    assert str(again) == text
