"""What systems write: scorers as outcomes, answers as runs, length and refusals beside."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from synthetic import names, row_of

from eec_bias import OptionError, ScoresError, measure, written
from eec_bias.methods.writing import Written

DATA = pd.DataFrame(names(persons=6, items=[f"t{t}/w{w}" for t in range(4) for w in range(3)]))
RNG = np.random.default_rng(2)


def answers(number: int) -> list[list[str]]:
    """Answers to every row: those about women have a kind word more on average."""
    return [
        ["kind " * int(RNG.integers(1, 5) + (gender == "female")) + person for person, gender in pairs]
        for pairs in [list(zip(DATA["person"], DATA["gender"], strict=True))] * number
    ]


SIX = answers(6)


def kind(texts: list[str]) -> list[float]:
    return [text.count("kind") for text in texts]


@pytest.fixture(scope="module")
def six() -> Written:
    return written(SIX, DATA, scorers={"kind": kind, "letters": lambda texts: [len(text) for text in texts]})


def test_every_scorer_is_an_outcome_beside_length_and_refusals(six: Written) -> None:
    assert list(six.outcomes) == ["kind", "letters", "length", "refused"]


def test_an_outcome_is_the_default_test_with_the_answers_as_runs(six: Written) -> None:
    scores = np.array([kind(answer) for answer in SIX], dtype=float)
    expected = measure(scores, DATA, runs=[f"answer {k}" for k in range(1, 7)], score_range=None)
    assert six.outcomes["kind"].terms == expected.terms


def test_a_difference_in_what_is_written_is_found(six: Written) -> None:
    row = row_of(six.outcomes["kind"], "gender")
    assert row.effect == pytest.approx(1, abs=0.4)
    assert row.p < 0.01


def test_length_is_counted_in_words(six: Written) -> None:
    assert six.scores["length"][0, 0] == len(SIX[0][0].split())


def test_the_texts_are_kept(six: Written) -> None:
    assert six.texts == tuple(map(tuple, SIX))
    assert six.to_frame()["text"].tolist()[0] == SIX[0][0]


def test_a_different_text_is_scored_once() -> None:
    seen: list[str] = []

    def note(texts: list[str]) -> list[float]:
        seen.extend(texts)
        return kind(texts)

    written([SIX[0], SIX[0]], DATA, scorers={"kind": note})
    assert len(seen) == len(set(SIX[0]))


def test_one_answer_says_that_answers_were_not_repeated() -> None:
    found = written(SIX[0], DATA, scorers={"kind": kind})
    assert found.notes[0].startswith("one answer per sentence: how answers to the same sentence differ is not known")


def test_two_answers_make_rough_rows() -> None:
    found = written(SIX[:2], DATA, scorers={"kind": kind})
    assert found.notes[0].startswith("2 answers per sentence: rows are rough")
    assert "few_runs" in [note.key for note in row_of(found.outcomes["kind"], "gender").notes]


def test_a_blank_answer_counts_as_refused() -> None:
    texts = ["" if gender == "male" else "yes" for gender in DATA["gender"]]
    found = written(texts, DATA, scorers={"kind": kind})
    assert row_of(found.outcomes["refused"], "gender").effect == -1


def test_what_a_refusal_is_can_be_said() -> None:
    texts = ["I cannot help with that." if gender == "female" else "yes" for gender in DATA["gender"]]
    found = written(texts, DATA, scorers={"kind": kind}, refused=lambda text: "cannot" in text)
    assert row_of(found.outcomes["refused"], "gender").effect == 1


def test_the_range_of_a_scorer_can_be_declared() -> None:
    found = written(SIX, DATA, scorers={"kind": kind}, ranges={"kind": (0, 5)})
    assert found.outcomes["kind"].score_range == (0, 5)


def first_is_lost(texts: list[str]) -> list[float | None]:
    return [None if text == SIX[0][0] else text.count("kind") for text in texts]


def test_a_text_without_a_score_is_an_error_where_that_is_asked_for() -> None:
    with pytest.raises(ScoresError, match="the scorer kind has no score for answer 1 to row 0"):
        written(SIX[0], DATA, scorers={"kind": first_is_lost}, incomplete="refuse")


def test_differences_are_estimated_from_the_answers_with_a_score() -> None:
    scores = np.array([kind(answer) for answer in SIX], dtype=float)
    lost = np.array([[text == SIX[0][0] for text in answer] for answer in SIX])
    found = written(SIX, DATA, scorers={"kind": first_is_lost})
    expected = measure(
        np.where(lost, np.nan, scores), DATA, runs=[f"answer {k}" for k in range(1, 7)], score_range=None
    )
    assert found.outcomes["kind"].terms == expected.terms


def test_answers_without_a_score_are_an_outcome_of_that_scorer() -> None:
    def decline(texts: list[str]) -> list[float | None]:
        return [None if text.startswith("kind kind kind kind") else 1.0 for text in texts]

    found = written(SIX, DATA, scorers={"kind": decline, "letters": lambda texts: [len(text) for text in texts]})
    assert list(found.outcomes)[:2] == ["kind: no score", "kind"]
    assert row_of(found.outcomes["kind: no score"], "gender").effect > 0.1
    assert "letters: no score" not in found.outcomes
    assert found.notes[1].startswith("kind has no score for ")
    assert "differences are estimated from the others" in found.notes[1]


def test_one_answer_each_with_one_unscored_text_is_measured() -> None:
    found = written(SIX[0], DATA, scorers={"kind": first_is_lost})
    assert row_of(found.outcomes["kind"], "gender").effect is not None
    assert found.notes[0].startswith("one answer per sentence")


def test_sentences_of_texts_without_a_score_can_be_left_out() -> None:
    lost = DATA["item"].iloc[0]

    def unread(texts: list[str]) -> list[float | None]:
        return [None if text.startswith("?") else text.count("kind") for text in texts]

    texts = [f"?{text}" if k == 0 else text for k, text in enumerate(SIX[0])]
    found = written(texts, DATA, scorers={"kind": unread}, incomplete="shared")
    assert row_of(found.outcomes["kind"], "gender").n_items == 11
    assert row_of(found.outcomes["kind: no score"], "gender").n_items == 12
    assert found.notes[1].startswith(
        "kind has no score for 1 of 288 answers: their sentences are left out for all persons"
    )
    assert lost == "t0/w0"


def test_where_no_sentence_is_left_it_is_said() -> None:
    found = written(SIX[0], DATA, scorers={"kind": lambda texts: [None] * len(texts)})
    assert "kind" not in found.outcomes
    (said,) = [note for note in found.notes if note.startswith("kind ")]
    assert said.startswith("kind has no score for 288 of 288 answers, and it is not measured: ")


def test_a_scorer_without_gaps_is_signed_as_measure_signs_it() -> None:
    found = written(SIX, DATA, scorers={"kind": kind, "lost": first_is_lost})
    assert "|incomplete:" not in str(found.outcomes["kind"].signature)
    assert "|incomplete:" not in str(found.outcomes["lost"].signature)


def test_a_margin_holds_for_the_scorers_alone() -> None:
    found = written(SIX, DATA, scorers={"kind": kind}, margin=0.02)
    margins = {name: outcome.plan.margin for name, outcome in found.outcomes.items() if outcome.plan}
    assert margins == {"kind": 0.02, "length": None, "refused": None}


def fail(texts: list[str]) -> list[float]:
    if any(text == SIX[0][5] for text in texts):
        raise KeyError("odd")
    return kind(texts)


BAD: dict[str, tuple[Callable[[list[str]], Iterable[Any]], str]] = {
    "fails on one text": (fail, "the scorer bad failed on the text 'kind"),
    "loses a text": (lambda texts: kind(texts)[1:], "the scorer bad returned"),
    "gives a word": (lambda texts: ["high"] * len(texts), "the scorer bad gave 'high' for"),
    "gives infinity": (lambda texts: [float("inf")] * len(texts), "the scorer bad gave inf for"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_scorer_that_cannot_be_used_is_named(case: str) -> None:
    scorer, message = BAD[case]
    with pytest.raises(ScoresError, match=message):
        written(SIX[0], DATA, scorers={"bad": scorer})


OPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "no scorer": ({"scorers": {}}, "expected names and functions"),
    "a name that is taken": ({"scorers": {"length": kind}}, "a scorer is called 'length'"),
    "a range of another scorer": ({"scorers": {"kind": kind}, "ranges": {"k": (0, 1)}}, "ranges has 'k'"),
    "a way with gaps that is none": (
        {"scorers": {"kind": kind}, "incomplete": "drop"},
        "incomplete 'drop' is unknown; choose one of 'estimate'",
    ),
    "an option that follows": ({"scorers": {"kind": kind}, "runs": ["a"]}, "runs follows from the answers"),
}


@pytest.mark.parametrize("case", OPTIONS)
def test_options_that_cannot_be_used_are_refused(case: str) -> None:
    options, message = OPTIONS[case]
    with pytest.raises(OptionError, match=message):
        written(SIX[0], DATA, **options)


def test_answers_that_do_not_fit_the_rows_are_refused() -> None:
    with pytest.raises(ScoresError, match="answer 2 has 3 texts for 288 rows"):
        written([SIX[0], SIX[1][:3]], DATA, scorers={"kind": kind})


def test_an_answer_that_is_no_text_is_refused() -> None:
    with pytest.raises(ScoresError, match=r"answer 1 to row 1 .* is None; expected a text"):
        written([SIX[0][0], None, *SIX[0][2:]], DATA, scorers={"kind": kind})


@pytest.mark.parametrize("number", [1, 4])
def test_groups_that_are_written_of_alike_are_seldom_found_different(number: int) -> None:
    rng = np.random.default_rng(5)
    person = DATA["person"].factorize()[0]
    found = []
    for _ in range(60):
        own = rng.normal(0, 1, person.max() + 1)[person]
        noise = rng.normal(0, 1, (number, len(DATA)))
        texts = [[f"{score:.6f}" for score in own + each] for each in noise]
        result = written(texts, DATA, scorers={"number": lambda given: map(float, given)}).outcomes["number"]
        found += [row_of(result, term).p < 0.05 for term in ("race", "gender")]
    assert np.mean(found) < 0.12
