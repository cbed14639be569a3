"""Names that look alike are refused with both in quotes, whatever they name and whichever way they come in."""

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from commands import eec
from synthetic import corpus, scores

from eec_bias import BiasError, measure
from eec_bias.inputs.labels import as_seen

DATA = corpus()
Y = scores(DATA)

ALIKE = {
    "a space behind": "joy ",
    "a space before": " joy",
    "no break": "joy\u00a0",
    "a narrow space": "\u202fjoy",
    "an ideographic space": "joy\u3000",
    "a tab": "joy\t",
    "a mark without width": "j\u200boy",
    "a mark of direction": "joy\u200f",
    "a joiner": "joy\u2060",
    "a soft hyphen": "jo\u00ady",
    "a mark of order": "\ufeffjoy",
    "a variant": "joy\ufe0f",
    "an empty letter": "joy\u3164",
}
"""Other ways to write ``joy`` that nobody sees."""


def check(found: Any, one: str, other: str) -> None:
    said = str(found.value if hasattr(found, "value") else found)
    assert "look alike" in said, said
    assert repr(one) in said or ascii(one) in said, said
    assert repr(other) in said or ascii(other) in said, said


@pytest.mark.parametrize("how", ALIKE)
def test_columns_of_data_and_of_scores_are_refused(how: str) -> None:
    other = ALIKE[how]
    with pytest.raises(BiasError) as found:
        measure(Y, DATA.assign(joy="a", **{other: "b"}))
    check(found, "joy", other)
    for given in ({"joy": Y, other: Y}, pd.DataFrame({"joy": Y, other: Y}), pa.table({"joy": Y, other: Y})):
        with pytest.raises(BiasError) as found:
            measure(given, DATA)
        check(found, "joy", other)
    with pytest.raises(BiasError) as found:
        measure(Y, {**DATA.to_dict("list"), "joy": ["a"] * len(Y), other: ["b"] * len(Y)})
    check(found, "joy", other)


@pytest.mark.parametrize("how", ALIKE)
def test_emotions_are_refused(how: str) -> None:
    data = DATA.assign(emotion=DATA["item"].str[:3].map({"t01": "joy", "t02": ALIKE[how], "t03": "fear"}))
    with pytest.raises(BiasError) as found:
        measure(Y, data)
    check(found, "joy", ALIKE[how])
    with pytest.raises(BiasError) as found:
        measure("score", duckdb.from_df(data.assign(score=Y)))
    check(found, "joy", ALIKE[how])


@pytest.mark.parametrize("how", ALIKE)
def test_levels_parts_items_and_persons_are_refused(how: str) -> None:
    for column in ("race", "person", "item"):
        first = DATA[column].iloc[0]
        other = ALIKE[how].replace("joy", first).replace("j\u200boy", f"{first[0]}\u200b{first[1:]}")
        other = f"{first}\u200b" if other == ALIKE[how] else other
        changed = DATA[column].copy()
        changed.iloc[np.flatnonzero(changed == first)[:3]] = other
        with pytest.raises(
            BiasError, match=r"look alike|differ only by case, accents, space|holds a control|write it so"
        ):
            measure(Y, DATA.assign(**{column: changed}))
    with pytest.raises(BiasError) as found:
        measure(Y, DATA.assign(part=np.where(np.arange(len(DATA)) % 2, "joy", ALIKE[how])), by="part")
    check(found, "joy", ALIKE[how])


@pytest.mark.parametrize("how", [how for how in ALIKE if how != "a tab"])
def test_systems_runs_tasks_and_classes_are_refused(how: str) -> None:
    other = ALIKE[how]
    doubled = pd.concat([DATA, DATA], ignore_index=True)
    both = np.concatenate([Y, Y])
    who = np.repeat(["joy", other], len(DATA))
    for arguments, options in (
        (([Y, Y], DATA), {"systems": ["joy", other]}),
        (([Y] * 4, DATA), {"runs": ["joy", other, "c", "d"]}),
        (([Y, Y], DATA), {"systems": ["a", "b"], "tasks": ["joy", other]}),
        ((both, doubled.assign(who=who)), {"systems": "who"}),
        ((both, doubled.assign(who=who)), {"runs": "who"}),
        ((np.where(Y > 0.5, "joy", "c").tolist(), DATA), {"outputs": "class", "classes": {"joy": 1, other: 0, "c": 2}}),
    ):
        with pytest.raises(BiasError) as found:
            measure(*arguments, **options)
        check(found, "joy", other)


@pytest.mark.parametrize("how", [how for how in ALIKE if how != "a tab"])
def test_classes_and_labels_that_a_system_gives_are_refused(how: str) -> None:
    other = ALIKE[how]
    predicted = np.where(Y > 0.6, "joy", np.where(Y > 0.5, other, "sad")).tolist()
    emitted = [[{"label": "joy", "score": float(y)}, {"label": other, "score": 1 - float(y)}] for y in Y]
    for outputs, options in (
        (predicted, {"outputs": "class"}),
        (predicted, {"outputs": "class", "classes": {"joy": 1.0, "sad": 0.0}}),
        (emitted, {"positive_class": "joy"}),
        ([[one] for one, _ in emitted], {"classes": {"joy": 1.0, other: 0.0}}),
    ):
        with pytest.raises(BiasError) as found:
            measure(outputs, DATA, **options)
        check(found, "joy", other)


def test_a_number_and_the_same_as_text_are_refused() -> None:
    for given in ({1: Y, "1": Y}, pd.DataFrame({1: Y, "1": Y})):
        with pytest.raises(BiasError, match=r"'1' \(int\) and '1' look alike"):
            measure(given, DATA)
    with pytest.raises(BiasError, match=r"'1' \(int\) and '1' look alike"):
        measure(Y, {**DATA.to_dict("list"), 1: ["a"] * len(Y), "1": ["b"] * len(Y)})
    with pytest.raises(BiasError, match=r"classes '1' \(int\) and '1' look alike"):
        measure([1] * len(Y), DATA, outputs="class", classes={1: 0.0, "1": 1.0})


def test_what_can_be_told_apart_is_measured() -> None:
    result = measure({"Joy": Y, "joy": Y, "j o y": Y, "jóy": Y, 1: Y, "x²": Y, "x2": Y}, DATA)
    assert {row["system"] for row in result.terms} == {"Joy", "joy", "j o y", "jóy", "1", "x²", "x2"}
    assert as_seen("می\u200cخواهم  \u00a0x") == as_seen("میخواهم x")


def test_an_engine_refuses_columns_too() -> None:
    table = duckdb.from_df(DATA.assign(score=Y, joy="a", **{"joy ": "b"}))
    with pytest.raises(BiasError) as found:
        measure("score", table)
    check(found, "joy", "joy ")


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx", "jsonl"])
@pytest.mark.parametrize("other", ["score ", "score\u00a0", " score", "sco\u200bre"])
def test_columns_of_a_file_are_refused(kind: str, other: str, tmp_path: Any) -> None:
    file = tmp_path / f"mine.{kind}"
    frame = DATA.assign(id=[f"row {n}" for n in range(len(DATA))], score=Y, **{other: 1 - Y})
    write = {
        "csv": lambda: frame.to_csv(file, index=False),
        "parquet": lambda: frame.to_parquet(file, index=False),
        "xlsx": lambda: frame.to_excel(file, index=False),
        "jsonl": lambda: frame.to_json(file, orient="records", lines=True, force_ascii=False),
    }
    write[kind]()
    done = eec("measure", file, "--data", file)
    assert done.exit_code == 1
    check(done.output, "score", other)
    assert str(file) in done.output
