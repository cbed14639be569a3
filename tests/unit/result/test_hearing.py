"""A system that hears hardly any word for a feeling is deaf: an answer that found nothing says nothing about groups."""

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest

from eec_bias import Result, compare, measure
from eec_bias.result.gate import failures
from eec_bias.stats.heard import hear

EMOTIONS = ("anger", "joy", "sadness", "fear")


def sentences(words: int = 10) -> pd.DataFrame:
    """Return words of four emotions in two templates, about six women and six men; a word ends as the person does."""
    named = [f"{emotion}{k}" for emotion in EMOTIONS for k in range(words)]
    rows = [
        (f"{gender}{person}", gender, template, word, word.rstrip("0123456789"), f"{word}-{gender}")
        for gender, person, template, word in product(("female", "male"), range(6), ("t1", "t2"), named)
    ]
    data = pd.DataFrame(rows, columns=["person", "gender", "template", "word", "emotion", "word_form"])
    data["item"] = data["pair"] = data["template"] + "/" + data["word"]
    return data


DATA = sentences()
WORDS = tuple(DATA["word"].unique())


def heard(data: pd.DataFrame, words: tuple[str, ...]) -> np.ndarray:
    """Return scores of a list of words."""
    return np.asarray(0.5 + 0.1 * data["word"].isin(words))


def answers(result: Result) -> set[str]:
    return {finding.answer for finding in result.gaps}


@pytest.mark.parametrize(("words", "count", "deaf"), [(10, 4, True), (10, 5, False), (4, 1, True), (4, 2, False)])
def test_a_system_that_hears_fewer_than_five_words_and_one_in_eight_is_deaf(words, count, deaf) -> None:
    data = sentences(words)
    result = measure(heard(data, tuple(data["word"].unique()[:count])), data)
    assert answers(result) == ({"deaf"} if deaf else {"no_reaction"})
    feelings = result.gaps[0].feelings
    assert (feelings.heard, feelings.words) == (count, 4 * words)
    assert [word for words in feelings.by_emotion.values() for word, is_heard in words.items() if is_heard] == [
        *data["word"].unique()[:count]
    ]


def test_scores_that_do_not_tie_say_nothing_of_words() -> None:
    result = measure(np.random.default_rng(0).random(len(DATA)), DATA)
    assert result.feelings == ()
    assert result.gaps[0].feelings is None
    assert "deaf" not in answers(result)


def test_a_gap_that_is_found_stays_found() -> None:
    assert answers(measure(heard(DATA, WORDS[:2]) + 0.1 * (DATA["gender"] == "female"), DATA)) == {"gap_found"}


def test_a_margin_shows_nothing_of_a_deaf_system() -> None:
    assert answers(measure(heard(DATA, WORDS[:2]), DATA, margin=5)) == {"deaf"}


def test_words_are_counted_person_by_person_whatever_is_missing() -> None:
    """Without some scores, the mean of a word is of other persons than that of the next."""
    values = heard(DATA, WORDS[:2]) + DATA["person"].str[-1].astype(int) / 50
    values[np.random.default_rng(0).random(len(DATA)) < 0.03] = np.nan
    result = measure(values, DATA)
    assert result.gaps[0].feelings.heard == 2
    assert answers(result) == {"deaf"}


def test_a_word_that_is_heard_about_one_group_only_is_heard() -> None:
    about_men = 0.1 * (DATA["gender"] == "male") * DATA["word"].isin(WORDS[8:12]).map({True: 1, False: 0})
    result = measure(np.asarray(0.5 + about_men), DATA)
    assert result.gaps[0].feelings.heard == 4
    few = about_men * (DATA["person"].str[-1] < "2")
    assert measure(np.asarray(0.5 + few), DATA).gaps[0].feelings.heard == 0, "about two of six men"


def test_each_of_several_systems_is_judged_by_itself() -> None:
    result = measure({"few": heard(DATA, WORDS[:2]), "many": heard(DATA, WORDS[:20])}, DATA)
    assert {finding.system: finding.answer for finding in result.gaps} == {"few": "deaf", "many": "no_reaction"}


def test_the_difference_of_two_systems_is_not_deaf() -> None:
    both = heard(DATA, WORDS[:20])
    assert answers(compare(both, both, DATA)) == {"none_detected"}


def test_a_saved_result_keeps_the_words_and_an_older_one_answers_as_before() -> None:
    result = measure(heard(DATA, WORDS[:2]), DATA)
    saved = json.loads(json.dumps(result.to_dict()))
    assert [row["heard"] for row in saved["feelings"]] == [1, 1] + 38 * [0]
    assert saved["findings"][0]["answer"] == "deaf"
    read = Result.from_dict(saved)
    assert read.gaps == result.gaps
    assert str(read) == str(result)
    rows = [{**row, "heard": None} for row in saved["feelings"]]
    without = {key: value for key, value in saved.items() if key != "feelings"}
    for older in (without, {**saved, "feelings": rows}):
        assert answers(Result.from_dict(older)) == {"no_reaction"}


def test_above_fails_a_deaf_system_and_found_does_not() -> None:
    result = measure(heard(DATA, WORDS[:2]), DATA)
    assert failures(result.findings) == []
    (reason,) = failures(result.findings, 5)
    assert (reason.finding.answer, reason.shown) == ("deaf", None)


def test_the_level_of_silence_is_what_a_positive_and_a_negative_word_share() -> None:
    signs = np.array([1, 1, 1, -1, -1, -1])
    scores = np.array([[
        [0.2, 0.2, 0.9, 0.2, 0.1, 0.1],  # .2 on two positive words and a negative one
        [0.2, 0.2, 0.2, 0.1, 0.1, 0.1],  # no score of both signs: all are told apart
        [0.5, 0.4, np.nan, 0.4, 0.5, 0.4],  # .4 is more frequent
    ]])  # fmt: skip
    off, known = hear(scores, np.zeros(6, dtype=np.intp), signs, np.array([1e-12]))
    assert off[0].astype(int).tolist() == [[0, 0, 1, 0, 1, 1], [1] * 6, [1, 0, 0, 0, 1, 0]]
    assert known[0].astype(int).tolist() == [[1] * 6, [0] * 6, [1, 1, 0, 1, 1, 1]]
