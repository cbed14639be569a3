"""The papers' procedures, asked for by ``method=``."""

import json

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, scores

from eec_bias import OptionError, measure
from eec_bias.methods.camara2022 import LABEL as CAMARA
from eec_bias.methods.camara2022 import camara2022
from eec_bias.methods.kiritchenko2018 import LABEL as KIRITCHENKO
from eec_bias.methods.kiritchenko2018 import kiritchenko2018
from eec_bias.result.frame import TERM_KEYS

TASKS = ["anger", "joy", "anger"]


@pytest.fixture
def data() -> pd.DataFrame:
    frame = corpus()
    return frame.assign(emotion=np.where(frame["item"].str.endswith("angry"), "anger", "joy"))


@pytest.fixture
def three(data: pd.DataFrame) -> dict[str, np.ndarray]:
    return {name: scores(data, seed) for seed, name in enumerate(("a", "b", "c"))}


def test_camara_2022_gives_its_rows_in_the_long_frame(data, three) -> None:
    result = measure(three, data, method="camara2022", tasks=TASKS)
    assert result.terms == camara2022(three, data, tasks=TASKS).terms
    assert list(result.to_frame().columns) == ["system", "task", *TERM_KEYS]
    assert all("not size-controlled" in row["note"] for row in result.terms)
    assert "|test:camara2022|" in str(result.signature)


def test_kiritchenko_2018_gives_its_rows_in_the_long_frame(data, three) -> None:
    result = measure(three, data, method="kiritchenko2018", tasks=TASKS)
    alone = kiritchenko2018(three, data, tasks=TASKS)
    assert result.terms == alone.result.terms
    assert result.study.details == alone.details
    assert all("not size-controlled" in row["note"] for row in result.terms)


def test_the_tables_of_the_papers_come_as_text_csv_and_latex(data, three) -> None:
    camara = measure(three, data, method="camara2022", tasks=TASKS)
    for layout, mark in (("text", "Intersection"), ("csv", "Anger Race/Ethnicity"), ("latex", r"\multicolumn{3}")):
        assert mark in camara.tables(layout)["coefficients"]
    kiritchenko = measure(three, data, method="kiritchenko2018", tasks=TASKS)
    assert list(kiritchenko.tables()) == ["race, all", "race, matching", "gender, all", "gender, matching"]
    assert "F=M not significant" in kiritchenko.tables("latex")["gender, all"]
    assert KIRITCHENKO in kiritchenko.tables()["gender, all"]


def test_without_tasks_the_coefficients_are_listed_with_their_label(data, three) -> None:
    result = measure(three["a"], data, method="camara2022")
    table = result.tables()["coefficients"]
    assert table.splitlines()[0].split() == [
        "term", "level", "reference", "subset", "effect", "ci_low", "ci_high", "p", "p_adjusted", "mde", "beta",
    ]  # fmt: skip
    assert table.endswith(CAMARA)
    assert CAMARA.replace("%", r"\%") in result.tables("latex")["coefficients"].splitlines()[-2]


def test_tables_and_label_are_printed_and_the_dict_is_plain_json(data, three) -> None:
    for method, label in (("camara2022", CAMARA), ("kiritchenko2018", KIRITCHENKO)):
        result = measure(three, data, method=method, tasks=TASKS)
        assert label in str(result)
        assert str(result).endswith(str(result.signature))
        content = result.to_dict()
        assert json.loads(json.dumps(content, allow_nan=False)) == content
        assert content["tables"] == result.tables()
        assert content["method"] == method


def test_the_default_result_has_tables_too(data, three) -> None:
    tables = measure(three, data).tables
    assert tables("text")["terms"].splitlines()[0].startswith("system  term")
    assert tables("csv")["terms"].splitlines()[0] == ",".join(["system", *TERM_KEYS])
    assert tables("latex")["terms"].startswith("\\begin{tabular}{lllllrrrrrrr}\n\\toprule\nsystem & term")
    with pytest.raises(OptionError) as caught:
        tables("html")
    assert str(caught.value) == "layout='html' is unknown; use one of 'text', 'csv', 'latex'"


def test_a_system_without_scores_is_left_out_of_the_study(data, three) -> None:
    three["b"] = np.full(len(data), np.nan)
    result = measure(three, data, method="kiritchenko2018", tasks=TASKS)
    assert result.notes[0] == "system 'b (joy)' is left out: all its 192 scores are NaN"
    assert {row["system"] for row in result.terms} == {"a", "c"}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("adjust", "bh"), ("incomplete", "shared"), ("simple", True), ("by", "emotion"), ("permutations", 99),
        ("bootstrap", 99), ("margin", 0.1), ("contrasts", "pairwise"),
    ],
)  # fmt: skip
def test_options_that_a_published_procedure_does_not_have_are_refused(data, three, option, value) -> None:
    with pytest.raises(OptionError) as caught:
        measure(three, data, method="camara2022", **{option: value})
    assert str(caught.value) == (
        f"{option}={value!r} has no meaning in the published procedure method='camara2022'; leave it out"
    )


def test_classes_and_edges_have_no_place_in_the_study_of_2018(data, three) -> None:
    with pytest.raises(OptionError) as caught:
        measure(three, data, method="kiritchenko2018", edge="squeeze")
    assert str(caught.value) == (
        "edge='squeeze' has no meaning in method='kiritchenko2018', which fits no beta regression"
    )
    labels = np.where(three["a"] > 0.5, "yes", "no")
    with pytest.raises(OptionError) as caught:
        measure(labels, data, method="kiritchenko2018", outputs="class")
    assert str(caught.value) == (
        "outputs='class' has no meaning in the published procedure method='kiritchenko2018'; leave it out"
    )


def test_an_unknown_method(data, three) -> None:
    with pytest.raises(OptionError) as caught:
        measure(three, data, method="camara")
    assert str(caught.value) == (
        "method='camara' is unknown; use one of 'default', 'camara2022', 'kiritchenko2018', 'perturbation', 'rating'"
    )
