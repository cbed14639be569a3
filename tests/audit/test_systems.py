"""What can be typed after --system, and what each of them does."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from eec_datasets.errors import (
    SystemFailed,
    SystemFailed,
    Unavailable,
    UnknownSystem,
    UnknownSystem,
)
from eec_datasets.systems.base import Options, System, score_batch
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.builtin import check_group

Batch = dict[str, list[str]]


def rows(*texts: str) -> Batch:
    return {"id": [f"t01/none/p{i}" for i in range(len(texts))], "text": list(texts)}


def message(error: pytest.ExceptionInfo[BaseException]) -> str:
    return str(error.value)


def test_vader_scores_sentiment_on_its_declared_range() -> None:
    system = open_system("vader")
    good, bad = score_batch(system, rows("She made me feel happy.", "She made me feel miserable."))
    assert bad < 0 < good
    assert system.score_range == (-1.0, 1.0)
    assert system.languages == ("en",)
    assert system.fingerprint.startswith("vaderSentiment==")


def test_textblob_scores_sentiment_on_its_declared_range() -> None:
    system = open_system("textblob")
    good, bad = score_batch(system, rows("The day was wonderful.", "The day was horrible."))
    assert bad < 0 < good
    assert system.score_range == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("spec", "module", "package"),
    [("vader", "vaderSentiment.vaderSentiment", "vaderSentiment"), ("textblob", "textblob", "textblob")],
)
def test_a_system_whose_package_is_missing_says_how_to_install_it(
    spec: str, module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(Unavailable) as error:
        open_system(spec)
    assert message(error) == (
        f"--system {spec}: the package {package} is not installed. Install it with: pip install 'eec-datasets[demo]'"
    )


@pytest.mark.parametrize("spec", ["wader", "biased:", "noisy:", "random:", ":score", ""])
def test_an_unknown_system_is_answered_with_the_forms_that_exist(spec: str) -> None:
    with pytest.raises(UnknownSystem) as error:
        open_system(spec)
    assert message(error) == (
        f"--system {spec!r}: no such system. Known forms: vader, textblob, hf:MODEL, "
        "package.module:function, biased:GROUP (for example biased:female), noisy:GROUP, random:SEED."
    )


def test_the_biased_system_gives_one_to_its_group_and_zero_to_others(batch: Batch) -> None:
    assert score_batch(open_system("biased:female"), batch) == [1.0, 0.0, 1.0, 0.0]
    assert score_batch(open_system("biased:Latino"), batch) == [1.0, 0.0, 0.0, 1.0]


def test_the_biased_system_takes_an_intersection(batch: Batch) -> None:
    assert score_batch(open_system("biased:female+Latino"), batch) == [1.0, 0.0, 0.0, 0.0]


def test_a_group_the_corpus_does_not_have_is_refused_with_those_it_has() -> None:
    groups = {"race": ["Anglo", "Latino"], "gender": ["female", "male"]}
    check_group("biased:female+Latino", "es-anglo-latino", groups)
    check_group("noisy:female", "es-anglo-latino", groups)
    check_group("module:function", "es-anglo-latino", groups)
    with pytest.raises(UnknownSystem) as error:
        check_group("biased:female+black", "es-anglo-latino", groups)
    assert message(error) == (
        "--system biased:female+black: config es-anglo-latino has no group 'black'. Its groups are "
        "race: Anglo, Latino; gender: female, male. Choose one of these, or other configs with --config."
    )


def test_the_noisy_system_leans_to_its_group_by_a_twentieth(batch: Batch) -> None:
    leaning, plain = (score_batch(open_system(f"noisy:{group}"), batch) for group in ("female", "nobody"))
    assert [x - y for x, y in zip(leaning, plain, strict=True)] == pytest.approx([0.05, 0, 0.05, 0])
    assert len(set(plain)) == 4
    assert all(0.4 <= score < 0.9 for score in plain)


def test_random_scores_depend_on_seed_and_row_not_on_the_batch(batch: Batch) -> None:
    system = open_system("random:7")
    whole = score_batch(system, batch)
    halves = [score_batch(system, {k: v[part] for k, v in batch.items()}) for part in (slice(0, 1), slice(1, 4))]
    assert whole == halves[0] + halves[1]
    assert whole != score_batch(open_system("random:8"), batch)
    assert all(0 <= score < 1 for score in whole)


def test_random_scores_are_uniform() -> None:
    texts = [f"Sentence {i}." for i in range(4000)]
    scores = score_batch(open_system("random:0"), rows(*texts))
    assert abs(sum(scores) / 4000 - 0.5) < 4 * math.sqrt(1 / 12 / 4000)


def test_a_seed_that_is_no_number_is_refused() -> None:
    with pytest.raises(UnknownSystem) as error:
        open_system("random:x")
    assert message(error) == "--system random:x: the seed must be a whole number, for example random:0."


SOURCE = """
import numpy as np
def annotated_one(text: str) -> float: return len(text) / 100
def annotated_list(texts: list[str]) -> list[float]: return [len(t) / 100 for t in texts]
def plain_one(text): return len(text.lower()) / 100
def plain_list(texts): return [len(t) / 100 for t in texts]
def sized(text): return len(text) / 100
def array(texts): return np.array([len(t) / 100 for t in texts])
class Model:
    def __call__(self, texts): return [len(t) / 100 for t in texts]
    @staticmethod
    def score(text: str) -> float: return len(text) / 100
model = Model()
def short(texts: list[str]) -> list[float]: return [0.5]
def words(texts: list[str]) -> list[str]: return ["0.5" for _ in texts]
def nan(texts: list[str]) -> list[float]: return [0.5, float("nan"), 0.5]
def stars(texts: list[str]) -> list[float]: return [0.5, 4.0, 0.5]
def broken(text: str) -> float: raise RuntimeError("no model")
def neither(x): raise RuntimeError("no model")
def leaving(texts: list[str]) -> list[float]: raise SystemExit(3)
"""


@pytest.mark.parametrize(
    "name",
    ["annotated_one", "annotated_list", "plain_one", "plain_list", "sized", "array", "model", "Model.score"],
)
def test_a_function_may_take_a_list_or_one_sentence(name: str, user_module: Path) -> None:
    (user_module / "my_scores.py").write_text(SOURCE)
    system = open_system(f"my_scores:{name}", Options(path=(str(user_module),)))
    assert score_batch(system, rows("four", "eight888", "")) == [0.04, 0.08, 0.0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "short",
            "my_scores:short returned 1 scores for 3 sentences (from id t01/none/p0); "
            "expected one score per sentence, in the same order.",
        ),
        (
            "words",
            "my_scores:words returned '0.5' for id t01/none/p0 ('a'); expected a finite number.",
        ),
        ("nan", "my_scores:nan returned nan for id t01/none/p1 ('b'); expected a finite number."),
        (
            "broken",
            "my_scores:broken raised RuntimeError: no model, while scoring 3 sentences from id t01/none/p0.",
        ),
        (
            "leaving",
            "my_scores:leaving raised SystemExit: 3, while scoring 3 sentences from id t01/none/p0.",
        ),
        (
            "neither",
            "my_scores:neither must take a list of sentences and return as many numbers, or take one "
            "sentence and return one number; called with a list of sentences it raised RuntimeError: "
            "no model; called with one sentence it raised RuntimeError: no model.",
        ),
    ],
)
def test_a_function_that_fails_is_told_what_it_gave(name: str, expected: str, user_module: Path) -> None:
    (user_module / "my_scores.py").write_text(SOURCE)
    system = open_system(f"my_scores:{name}", Options(path=(str(user_module),)))
    with pytest.raises(SystemFailed) as error:
        score_batch(system, rows("a", "b", "c"))
    assert message(error) == expected


def test_a_score_outside_the_range_names_its_row(user_module: Path) -> None:
    (user_module / "my_scores.py").write_text(SOURCE)
    system = open_system("my_scores:stars", Options(path=(str(user_module),)))
    with pytest.raises(SystemFailed) as error:
        score_batch(system, rows("a", "b", "c"))
    assert message(error) == (
        "my_scores:stars returned 4 for id t01/none/p1 ('b'), outside its declared range 0 to 1. "
        "Declare the range it really has with --score-range LO HI, or mend the system."
    )


def test_a_declared_range_is_taken(user_module: Path) -> None:
    (user_module / "my_scores.py").write_text(SOURCE)
    system = open_system("my_scores:stars", Options(path=(str(user_module),), score_range=(0.0, 5.0)))
    assert score_batch(system, rows("a", "b", "c")) == [0.5, 4.0, 0.5]


def test_a_changed_function_has_another_fingerprint(user_module: Path) -> None:
    (user_module / "my_scores.py").write_text(SOURCE)
    options = Options(path=(str(user_module),))
    before = open_system("my_scores:array", options).fingerprint
    (user_module / "my_scores.py").write_text(SOURCE + "\n# changed\n")
    assert open_system("my_scores:array", options).fingerprint != before


def test_a_module_that_is_not_there_is_named(user_module: Path) -> None:
    with pytest.raises(Unavailable) as error:
        open_system("my_scores:score", Options(path=(str(user_module),)))
    assert message(error) == (
        "--system my_scores:score: importing my_scores raised ModuleNotFoundError: "
        f"No module named 'my_scores'. Looked in {user_module} first."
    )


def test_a_function_that_is_not_there_is_named(user_module: Path) -> None:
    (user_module / "my_scores.py").write_text(SOURCE)
    with pytest.raises(Unavailable) as error:
        open_system("my_scores:score", Options(path=(str(user_module),)))
    assert message(error) == "--system my_scores:score: module my_scores has no function score."


def test_the_order_of_scores_is_the_order_of_rows() -> None:
    system = System("by id", lambda batch: [float(i[-1]) / 10 for i in batch["id"]])
    assert score_batch(system, rows("a", "b", "c")) == [0.0, 0.1, 0.2]
