"""Properties of every method: its rows, its statements, and its refusals (the sentences in a snapshot)."""

import json
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import perturbed
import pyarrow as pa
import pytest
from eec2018 import corpus, three_systems
from noted import noted

import eec_datasets
from eec_bias import TERM_KEYS, BiasError, Result, report
from eec_bias.data_name import DataName
from eec_bias.methods import METHODS, camara2022, kiritchenko2018, perturbation, rating
from eec_bias.methods.camara2022 import camara_table
from eec_bias.methods.perturbation import perturbation_table
from eec_bias.notes import Note
from eec_datasets import corpora

Change = Callable[[pd.DataFrame], pd.DataFrame]


SMALL = corpus(words=1, names=2, pairs=2)
OTHER_LEVELS = SMALL | {
    "gender": np.where((SMALL["race"] == "unmarked") & (SMALL["gender"] == "male"), "neutral", SMALL["gender"])
}
ONE_PAIR = {"race": ["a", "b"] * 4, "person": list("qrstuvwx"), "item": ["i"] * 8, "gender": ["f", "f", "m", "m"] * 2}
THREE_RACES = {"race": np.repeat(["a", "b", "c"], 4), "person": np.repeat(list("uvwxyz"), 2), "item": ["i", "j"] * 6}
PAIRS = {
    "gender": ["female", "male"] * 4, "person": ["mother", "father", "she", "he"] * 2, "item": list("iiiijjjj"),
    "pair": [f"{i}/{b}" for i in "ij" for b in ("parent", "parent", "pronoun", "pronoun")],
}  # fmt: skip


def two_axes() -> pd.DataFrame:
    keys = ["item", "country", "gender", "base"]
    data = pd.DataFrame(product("ij", "AB", ["female", "male"], "012345"), columns=keys)
    data["person"] = data["country"] + data["gender"]
    return data.assign(pair=data["item"] + "/" + data["base"]).drop(columns="base")


def of_eec(method: Any, data: Any = SMALL, **options: Any) -> Callable[[], Any]:
    scores = np.random.default_rng(0).random((3, len(data["item"])))
    return lambda: method(scores, data, **options)


def of_perturbed(change: Change = lambda data: data, **options: Any) -> Callable[[], Any]:
    data = change(perturbed.corpus()).reset_index(drop=True)
    return lambda: perturbation(perturbed.scores(data), data, **options)


def twice(data: pd.DataFrame) -> pd.DataFrame:
    first = int(np.flatnonzero((data["person"] == "ada") & (data["item"] == "s0002"))[0])
    return pd.concat([data, data.iloc[[first]]], ignore_index=True)


def put(value: Any, column: str, **of: str) -> Change:
    ((place, wanted),) = of.items()
    return lambda data: data.assign(**{column: data[column].mask(data[place] == wanted, value)})


def turkish() -> Any:
    data = corpora.table("tr-gender").to_pandas()
    return perturbation(np.full(len(data), 0.5), data)


@cache
def sets(group: int, words: str) -> pd.DataFrame:
    return eec_datasets.confounded("en-black-white", group=group, words=words).to_pandas()


def rated(rows: pd.DataFrame, **options: Any) -> Any:
    rows = rows.reset_index(drop=True)
    return rating(np.where(rows["gender"] == "female", 1.0, 0.0), rows, **options)


def of_sets(change: Change = lambda rows: rows, group: int = 1, words: str = "E1", **options: Any) -> Any:
    return lambda: rated(change(sets(group, words)), **options)


def unset(change: Change) -> Callable[[], Any]:
    return lambda: rated(change(eec_datasets.load("en-black-white").to_pandas()))


BAD: dict[str, Callable[[], Any]] = {
    "camara2022, unknown task": of_eec(camara2022, tasks="disgust"),
    "kiritchenko2018, unknown task": of_eec(kiritchenko2018, tasks="disgust"),
    "camara2022, too few tasks": of_eec(camara2022, tasks=["fear"]),
    "camara2022, edge": of_eec(camara2022, edge="cut"),
    "camara2022, no names": of_eec(camara2022, PAIRS),
    "camara2022, table without tasks": lambda: camara_table({"English": of_eec(camara2022)()}),
    "camara2022, layout": lambda: of_eec(camara2022)().tables("html"),
    "kiritchenko2018, three groups": of_eec(kiritchenko2018, THREE_RACES, axes=["race"]),
    "kiritchenko2018, pairs of two axes": of_eec(kiritchenko2018, two_axes(), axes=["country", "gender"]),
    "kiritchenko2018, pairs of other levels than the names": of_eec(kiritchenko2018, OTHER_LEVELS, axes=["gender"]),
    "kiritchenko2018, a single pair of scores": of_eec(kiritchenko2018, ONE_PAIR, axes=["race", "gender"]),
    "kiritchenko2018, assessments": of_eec(kiritchenko2018, assessments=0),
    "kiritchenko2018, summary of no term": lambda: of_eec(kiritchenko2018)().study.summary("age"),
    "perturbation, threshold outside": of_perturbed(thresholds=(0.5, 1.5)),
    "perturbation, threshold twice": of_perturbed(thresholds=(0.5, 0.5)),
    **{
        f"perturbation, thresholds {wrong!r}": of_perturbed(thresholds=wrong)
        for wrong in ("high", "0.5", True, (), (0.5, float("nan")))
    },
    "perturbation, no originals": of_perturbed(lambda data: data[data["person"] != "original"]),
    "perturbation, no pronouns": turkish,
    "perturbation, a sentence without its original": of_perturbed(
        lambda data: data[(data["person"] != "original") | (data["item"] != "s0004")]
    ),
    "perturbation, baseline of nobody": of_perturbed(baseline="zoe"),
    "perturbation, baseline is a number": of_perturbed(baseline=3),
    "perturbation, no baseline": of_perturbed(baseline=()),
    "perturbation, no person": of_perturbed(put(None, "person", text="eli 4")),
    "perturbation, an item of spaces": of_perturbed(put(" ", "item", item="s0003")),
    "perturbation, a name of a group of spaces": of_perturbed(put(" ", "gender", person="ada")),
    "perturbation, reference of no group": of_perturbed(reference={"age": "old"}),
    "perturbation, originals alone": of_perturbed(lambda data: data[data["person"] == "original"]),
    "perturbation, one sentence": of_perturbed(lambda data: data[data["item"] == "s0000"]),
    "perturbation, no sentence of all names": of_perturbed(
        lambda d: d[((d["person"] == "ada") == (d["item"] == "s0000")) | (d["person"] == "original")],
        incomplete="shared",
    ),
    "perturbation, a name twice": of_perturbed(twice),
    "perturbation, no such group": of_perturbed(group="rank"),
    "perturbation, a group of no marked name": of_perturbed(group="race"),
    "perturbation, a group of sentences": of_perturbed(group="anchor"),
    "perturbation, reference without groups": of_perturbed(group=(), reference={"gender": "female"}),
    "perturbation, table of another method": lambda: perturbation_table({"x": of_eec(camara2022)()}),
    "rating, one level": of_sets(levels=1),
    "rating, levels in halves": of_sets(levels=2.5),
    "rating, two weights": of_sets(weights=(1, 2)),
    "rating, levels in percent": of_sets(weights={95: 1, 70: 0.8, 60: 0.6}),
    "rating, a negative weight": of_sets(weights=(1, -0.8, 0.6)),
    "rating, long data": of_sets(systems="model"),
    "rating, layout": lambda: of_sets()().tables("html"),
    "rating, no data sets": unset(lambda rows: rows),
    "rating, unknown group": unset(lambda rows: rows.assign(group="5", set="E1")),
    "rating, no emotion word": unset(lambda rows: rows.assign(group="1", set="E1")),
    "rating, an unknown emotion": of_sets(lambda rows: rows.replace({"emotion": {"joy": "Joy"}}), 2, "E3"),
    "rating, words of one kind": of_sets(lambda r: r[(r["gender"] != "male") | (r["emotion"] == "joy")], 2, "E3"),
    "rating, one class": of_sets(lambda r: r[r["gender"] == "male"]),
}


def test_bad_calls_are_refused_in_reviewed_words(snapshot) -> None:
    snapshot.check_refusals("methods-messages", BAD, BiasError)


@cache
def cases() -> dict[str, Any]:
    """Scores of three systems, data and options of each method."""
    columns = corpus(words=2)
    all_sets = eec_datasets.confounded("en-black-white").to_pandas()
    for_sets = np.random.default_rng(2).uniform(-1, 1, (3, len(all_sets)))
    persons = perturbed.corpus()
    for_persons = np.stack([perturbed.scores(persons, seed) for seed in range(3)])
    emotions = {"tasks": ["anger", "joy", "valence"]}
    return {
        "camara2022": (three_systems(columns), pd.DataFrame(columns), emotions),
        "kiritchenko2018": (three_systems(columns), pd.DataFrame(columns), emotions),
        "perturbation": (for_persons, persons, {"bootstrap": 99, "seed": 3}),
        "rating": (for_sets, all_sets, {"score_range": (-1, 1)}),
    }


@pytest.fixture(scope="module", params=METHODS)
def case(request: pytest.FixtureRequest) -> Any:
    """Name, scores of three systems, data and options of a method, and its result."""
    scores, data, options = cases()[request.param]
    table = pa.table(data) if isinstance(data, dict) else pa.Table.from_pandas(data, preserve_index=False)
    data = DataName("mine", "2", "abcd").onto(table)
    result = METHODS[request.param](scores, data, systems=list("abc"), **options)
    return request.param, scores, data, options, result


def test_rows_have_the_columns_of_every_method_and_survive_a_file(case) -> None:
    result = case[-1]
    assert result.facts.data == DataName("mine", "2", "abcd")
    leading = ["system", "task"] if "tasks" in case[3] else ["system"]
    assert all(list(row) == [*leading, *TERM_KEYS] for row in result.overall)
    assert list(result.to_frame().columns) == [*leading, *TERM_KEYS]
    content = json.loads(json.dumps(result.to_dict(details=True), allow_nan=False))
    assert content == result.to_dict(details=True)
    assert content["method"] == case[0]
    again = Result.from_dict(content)
    assert (again.tables(), report(again)) == (result.tables(), report(result))


ROW_NOTES = {name: Note(f"{name}_row") for name in METHODS}


def test_the_report_shows_the_tables_and_says_how_the_procedure_errs(case: Any) -> None:
    name, result = case[0], case[-1]
    text = report(result)
    assert f"Note: {Note(name)}" in text
    assert all(table in text for table in result.tables().values())
    # Each of several tables is named once.
    assert len(result.tables()) == 1 or {text.splitlines().count(table) for table in result.tables()} == {1}
    assert f"|test:{name}" in text.splitlines()[-1]
    assert not {"unbiased", "debiased"} & set(text.split())
    # The rows of the default test, beside the measures of perturbation, hold their level.
    own = [row["note"] for row in result.overall if (row["p"] is None) == (name == "perturbation")]
    assert all(str(ROW_NOTES[name]) in note for note in own)


def test_many_systems_give_the_rows_of_each_alone(case: Any) -> None:
    name, scores, data, options, together = case
    for s, system in enumerate("abc"):
        one = options | {"tasks": options["tasks"][s]} if "tasks" in options else options
        alone = METHODS[name](scores[s], data, **one).overall
        own = [row for row in together.overall if row["system"] == system]
        for row, other in zip(own, alone, strict=True):
            # Ratings are relative, and p is divided by the systems there are.
            apart = {"system", "task", "p_adjusted"}
            if row["term"] == "rating":
                apart |= {"effect", "note", "notes"}
            for key in set(row) - apart:
                assert row[key] == pytest.approx(other[key], abs=1e-12), key


def test_long_data_give_the_numbers_of_wide_where_they_are_taken(case: Any) -> None:
    name, scores, data, options, wide = case
    if name == "rating":  # a rating refuses them, see the bad calls
        return
    data = data.to_pandas()
    long = pd.concat([data.assign(system=system) for system in "abc"], ignore_index=True)
    if "tasks" in options:
        long["task"] = np.repeat(options["tasks"], len(data))
        options = options | {"tasks": "task"}
    found = METHODS[name](scores.ravel(), long, systems="system", **options)
    for key in ("effect", "ci_low", "p"):
        wanted = pytest.approx([row[key] for row in wide.overall], abs=1e-12, nan_ok=True)
        assert [row[key] for row in found.overall] == wanted


@pytest.mark.parametrize("name", ["kiritchenko2018", "perturbation"])
def test_on_a_scale_of_millionths_no_measure_is_printed_as_zero(name: str) -> None:
    scores, data, _ = cases()[name]
    tables = METHODS[name](1e-6 * scores[0], data, score_range=(0, 1e-6)).tables().values()
    assert "0.000 " not in " \n".join(tables).replace("\n", " \n")
    assert "e-0" in "".join(tables)


def test_a_system_without_scores_is_left_out() -> None:
    y = np.linspace(0.1, 0.9, 384)
    left = camara2022({"a": y, "b": y * np.nan}, SMALL, tasks={"a": "joy", "b": "fear"})
    assert noted(left.notes)[0] == "system 'b (fear)' is left out, because all its 384 scores are NaN"
    assert {(row["system"], row["task"]) for row in left.overall} == {("a", "joy")}
