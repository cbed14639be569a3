"""Scores from words: one number among them, and probabilities of labels."""

from __future__ import annotations

import json
import math

import pytest

from eec_datasets.errors import SystemFailed
from eec_datasets.systems.base import Answer
from eec_datasets.systems.prompts import Prompt
from eec_datasets.systems.reading import expectation, number, reader

UNIT = (0.0, 1.0)


@pytest.mark.parametrize(
    ("said", "limits", "expected"),
    [
        ("0.7", UNIT, 0.7),
        (" .7\n", UNIT, 0.7),
        ("0,7", UNIT, 0.7),
        ("٠٫٧", UNIT, 0.7),
        ("۰/۷", UNIT, None),
        ("The sentiment is **0.70**.", UNIT, 0.7),
        ('{"score": 0.7}', UNIT, 0.7),
        ("La puntuación es 0,7, sin duda.", UNIT, 0.7),
        ("<think>Between 0.2 and 0.9?</think>\n0.7", UNIT, 0.7),
        ("<think>It is sad, so 0.2", UNIT, None),
        ("0.7/1", UNIT, 0.7),
        ("4/5", (1.0, 5.0), 4.0),
        ("4/10", (1.0, 5.0), None),
        ("−0.5", (-1.0, 1.0), -0.5),
        ("-0.5", UNIT, None),
        ("1.01", UNIT, None),
        ("0.7 or 0.8", UNIT, None),
        ("0.7-0.8", UNIT, None),
        ("0.7. Again: 0.7", UNIT, 0.7),
        ("70%", (0.0, 100.0), None),
        ("70", (0.0, 100.0), 70.0),
        ("1.2.3", (0.0, 5.0), None),
        ("1,500", (0.0, 2000.0), None),
        ("0,500", (0.0, 2000.0), 0.5),
        ("cero coma siete", UNIT, None),
        ("I'm sorry, I cannot rate this.", UNIT, None),
        ("", UNIT, None),
    ],
)
def test_a_number_is_read_where_there_is_one_and_only_one(
    said: str, limits: tuple[float, float], expected: float | None
) -> None:
    assert number(said, limits) == expected


def test_a_number_is_moved_to_the_range_of_the_scores() -> None:
    read = reader(Prompt("stars", "{text}", limits=(1.0, 5.0)), (-1.0, 1.0))
    assert [read(Answer(said=said)).score for said in ("1", "2", "5")] == [-1.0, -0.5, 1.0]
    assert read(Answer(said="six")) == Answer(said="six", state="unreadable")


SENTIMENT = Prompt("letters", "{text}", labels={"A": 0.0, "B": 0.5, "C": 1.0})


def top(**shares: float) -> Answer:
    return Answer(said=json.dumps([(token.replace("_", " "), math.log(share)) for token, share in shares.items()]))


def test_the_score_is_the_mean_of_the_labels_under_their_probabilities() -> None:
    read = reader(SENTIMENT, UNIT)
    found = read(top(A=0.1, _c=0.3, C=0.3, Hm=0.3))
    assert (found.score, found.mass, found.state) == (pytest.approx(0.6 / 0.7), pytest.approx(0.7), "")
    nothing = read(top(Sorry=0.9, A=0.05))
    assert (nothing.score, nothing.state, nothing.mass) == (None, "unreadable", pytest.approx(0.05))
    assert math.isnan(expectation([], SENTIMENT.labels)[0])


def test_labels_of_several_tokens_are_refused_also_where_another_label_is_one_token() -> None:
    read = reader(Prompt("words", "{text}", labels={"negative": 0.0, "positive": 1.0}), UNIT)
    assert read(top(negative=0.6, positive=0.3, pos=0.1)).score == pytest.approx(1 / 3)
    with pytest.raises(
        SystemFailed, match=r"prompt 'words': the label 'positive' is several tokens .* first is ' pos'"
    ):
        read(top(negative=0.6, _pos=0.4))
