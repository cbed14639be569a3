"""Prompts as data, what of an answer is its score, and the store of answers."""

import json
import math
import re
import sqlite3
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import combinations
from pathlib import Path

import pytest
from commands import stored_answers

from eec_datasets.errors import FileProblems, StoreUnusable, SystemFailed
from eec_datasets.systems.base import Answer, System
from eec_datasets.systems.prompts import Prompt, choose, file_of, read, ready
from eec_datasets.systems.reading import WORDS, expectation, number, reader
from eec_datasets.systems.store import Store

HERE = Path(__file__).parent
TASKS = ("emotion-intensity", "sentiment", "toxicity")


@pytest.mark.parametrize("language", ["ar", "en", "es"])
@pytest.mark.parametrize("name", [task + kind for task in TASKS for kind in ("", "-labels")])
def test_there_are_eight_prompts_for_each_task_and_language(name, language):
    limits, known, of = choose(name)
    prompts = of(language).prompts
    assert (limits, known, len(ready())) == ((0.0, 1.0), ("ar", "en", "es"), 6)
    assert (len({prompt.name for prompt in prompts}), {prompt.limits for prompt in prompts}) == (8, {(0.0, 1.0)})
    for one, other in combinations(prompts, 2):
        assert (one.system + one.text).casefold() != (other.system + other.text).casefold()
    head = file_of(name, language).read_text(encoding="utf-8").partition("\n")[0]
    assert head.endswith("not reviewed." if language == "en" else "not reviewed by a native speaker.")
    assert {bool(prompt.labels) for prompt in prompts} == {name.endswith("-labels")}
    if name.endswith("-labels"):
        # Letters named in the prompt, of which the first is the lowest in half of them.
        for prompt in prompts:
            assert "".join(prompt.labels) in ("ABC", "ABCDE")
            assert sorted(prompt.labels.values()) in ([0, 0.5, 1], [0, 0.25, 0.5, 0.75, 1])
            assert set(re.findall(r"\b[A-Z]\b", prompt.system + prompt.text)) == set(prompt.labels)
        assert Counter(prompt.labels["A"] for prompt in prompts) == {0: 4, 1: 4}


BAD = dict(part.split("\n", 1) for part in (HERE / "bad-prompts.txt").read_text().split("### ")[1:])
GOOD = (HERE / "good-prompts.toml").read_text()


def test_a_prompt_has_what_it_says_and_else_what_the_file_says(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(GOOD)
    letters, stars = read(file).prompts
    assert (letters.labels, letters.system) == ({"A": -1.0, "B": 0.0, "C": 1.0}, "Answer with a letter.")
    assert (stars.labels, stars.limits, stars.request) == ({}, (1.0, 5.0), {"max_completion_tokens": 16})
    assert letters.messages("{text} {x}")[1] == {"role": "user", "content": "A bad, B fair, C good: {text} {x}"}
    assert read(file).score_range == (0.0, 1.0)
    file.write_text(GOOD.partition('[[prompts]]\nname = "stars"')[0])
    assert read(file).score_range == (-1.0, 1.0)
    # The same question with another request is another prompt.
    file.write_text(f"{BAD['two alike']}request = {{seed = 1}}\n")
    assert [prompt.request for prompt in read(file).prompts] == [{}, {"seed": 1}]


def test_everything_that_is_wrong_with_a_file_is_said_at_once(tmp_path, snapshot):
    def reading(source):
        return lambda: (tmp_path / "mine.toml").write_text(source) and read(tmp_path / "mine.toml")

    calls = {what: reading(source) for what, source in BAD.items()}
    calls |= {
        "sentimental in English": lambda: choose("sentimental"),
        "in French": lambda: choose("sentiment")[2]("fr"),
    }
    snapshot.check_refusals("prompts-refused", calls, FileProblems, {str(tmp_path): "FOLDER"})


UNIT = (0.0, 1.0)


NUMBERS = tomllib.loads((HERE / "numbers.toml").read_text(encoding="utf-8"))["rows"]


@pytest.mark.parametrize(("said", "low", "high", "expected"), NUMBERS)
def test_a_number_is_read_where_there_is_one_and_only_one(said, low, high, expected):
    assert number(said, (low, high)) == (None if expected == "" else expected)


ANSWERS = tomllib.loads((HERE / "answers.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", ANSWERS)
def test_half_and_minus_half_are_read_in_every_language(language):
    plus, minus = ({said: number(said, (-1.0, 1.0)) for said in ANSWERS[language][kind]} for kind in ("plus", "minus"))
    assert plus == dict.fromkeys(plus, 0.5)
    assert minus == dict.fromkeys(minus, -0.5)
    # On a scale that begins at 0 they are outside.
    assert [said for said in minus if number(said, UNIT) is not None] == []


@pytest.mark.parametrize("language", ANSWERS)
def test_what_may_say_another_number_is_not_read(language):
    for limits in ((-1.0, 1.0), UNIT):
        unsure = {said: number(said, limits) for said in ANSWERS[language]["unsure"]}
        read = {said: value for said, value in unsure.items() if value is not None}
        # A sole pair of brackets is no minus on a scale from 0.
        assert set(read) <= ({"(0.5)", "( 0.5 )"} if limits == UNIT else set())


HARM = ["not", "non", "لا", *"%‰<>≤~±∓¬−?°x½🙂\u0336\u202e/|^+&"]


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize(
    "form", ["{}0.5", "{} 0.5", "0.5{}", "0.5 {}", "Score: {} 0.5", "Score {}: 0.5", "0.5\n{}", '{{"{}": 0.5}}']
)
def test_what_is_not_known_to_be_harmless_is_never_read_as_plus(harm, form):
    positive = 0.5 if harm == "+" and "+0.5" in form.format("+") else None
    assert number(form.format(harm), (-1.0, 1.0)) in (None, -0.5, positive)


def test_no_two_languages_disagree_about_a_word():
    words, minus = ({word for each in WORDS.values() for word in each[key]} for key in ("words", "minus"))
    assert not words & minus
    assert len(WORDS) == 12
    # Negations, halves and decimal signs of one language must not be words of another.
    assert not words & {
        "not",
        "no",
        "non",
        "nicht",
        "ne",
        "pas",
        "ni",
        "sin",
        "sans",
        "ohne",
        "un",
        "ein",
        "une",
        "bir",
    }
    assert not words & {"point", "punto", "coma", "komma", "virgule", "du", "au", "al", "plus", "minus", "half", "up"}


def test_ranges_that_are_those_asked_for_are_read():
    assert number("0.45/1", UNIT) == number("0.45 / 1.0", UNIT) == number("0.45 out of 1", UNIT) == 0.45
    assert number("4/5", (1.0, 5.0)) == 4
    for said, limits in (
        ("0.45/1", (-1.0, 1.0)), ("4/10", (1.0, 5.0)), ("4/5/1", (1.0, 5.0)), ("1/50", (1.0, 5.0)),
        ("4/5.5", (1.0, 5.0)),
        ("1.500", (0.0, 2000.0)), ("1,500", (0.0, 2000.0)), ("0…", UNIT), ("1…", UNIT), ("-0…", (-1.0, 1.0)),
    ):  # fmt: skip
        assert number(said, limits) is None, said


def test_long_answers_are_read_in_a_moment():
    start = time.monotonic()
    for piece in ("the score ", "0.5 ", "-", "minus ", "(", "*", "_", "0.", "<think>", "– ", " ", "a", "1/1", "!", "1"):
        for end in ("", "x", "…", "x…"):
            number(piece * (1_000_000 // len(piece)) + end, (-1.0, 1.0))
            number(piece * (9_000 // len(piece)) + end, (-1.0, 1.0))
    assert number(f"Score:{' ' * 1_000_000}0.5", UNIT) == 0.5
    assert time.monotonic() - start < 60


def test_a_number_is_moved_to_the_range_of_the_scores():
    read = reader(Prompt("stars", "{text}", limits=(1.0, 5.0)), (-1.0, 1.0))
    assert [read(Answer(said=said)).score for said in ("1", "2", "5")] == [-1.0, -0.5, 1.0]
    assert read(Answer(said="six")) == Answer(said="six", state="unreadable")


def top(**shares: float) -> Answer:
    return Answer(said=json.dumps([(token.replace("_", " "), math.log(share)) for token, share in shares.items()]))


def test_the_score_is_the_mean_of_the_labels_under_their_probabilities():
    read = reader(Prompt("letters", "{text}", labels={"A": 0.0, "B": 0.5, "C": 1.0}), UNIT)
    found = read(top(A=0.1, _c=0.3, C=0.3, Hm=0.3))
    assert (found.score, found.mass, found.state) == (pytest.approx(0.6 / 0.7), pytest.approx(0.7), "")
    nothing = read(top(Sorry=0.9, A=0.05))
    assert (nothing.score, nothing.state, nothing.mass) == (None, "unreadable", pytest.approx(0.05))
    assert math.isnan(expectation([], {"A": 0.0})[0])
    for whole in (False, True):
        impossible = Answer(said=json.dumps([("A", -math.inf), ("B", -math.inf)]))
        prompt = Prompt("letters", "{text}", labels={"A": 0.0, "B": 1.0})
        assert reader(prompt, UNIT, whole=whole)(impossible)[:2] == (None, "unreadable")
    # A label of small probability counts beside smaller ones.
    small = expectation([("a", -2000.0), ("b", -2000.0 - math.log(3))], {"a": 1, "b": 0})
    assert small == (pytest.approx(0.75), 0.0)


def test_labels_of_several_tokens_are_refused_beside_one_of_one():
    read = reader(Prompt("words", "{text}", labels={"negative": 0.0, "positive": 1.0}), UNIT)
    assert read(top(negative=0.6, positive=0.3, pos=0.1)).score == pytest.approx(1 / 3)
    place = r"prompt 'words': the label 'positive' is several tokens .* first is ' pos'"
    with pytest.raises(SystemFailed, match=place):
        read(top(negative=0.6, _pos=0.4))


def test_several_processes_write_to_one_store_at_once(tmp_path):
    place = tmp_path / "new" / "folder" / "answers.db"

    def write(name):
        with Store(place) as store:
            for i in range(50):
                store.write(System(name), f"text {i}", 0, Answer(i / 100))
                time.sleep(0.001)

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(write, "abc"))
    with Store(place) as store:
        assert stored_answers(store.path) == [50, 50, 50]
        assert store.read(System("b"), ["text 7", "text 77"]) == {("text 7", 0): Answer(0.07)}


def test_a_store_that_is_none_or_cannot_be_written_is_refused_and_kept(tmp_path):
    foreign, text = tmp_path / "other.db", tmp_path / "file"
    with closing(sqlite3.connect(foreign)) as base, base:
        base.execute("CREATE TABLE thesis (chapter TEXT)")
    text.write_text("no database at all")
    before = foreign.read_bytes()
    for path, what in ((foreign, "is no store of answers"), (text, "not a database"), (tmp_path, "unable")):
        with pytest.raises(StoreUnusable, match=rf"{re.escape(str(path))}.*{what}"), Store(path) as store:
            store.write(System("a"), "text", 0, Answer())
    assert foreign.read_bytes() == before
