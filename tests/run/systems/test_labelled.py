"""Texts with a known class: how they are read, and how good a system is on them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from eec_datasets.errors import InputError
from eec_datasets.systems.base import System
from eec_datasets.systems.labelled import accuracy_on, measure_accuracy, read_labelled_texts, with_accuracy
from eec_datasets.systems.store import Store

GOOD = [f"good {number}" for number in range(50)]
BAD = [f"bad {number}" for number in range(60)]


def written(folder, rows, columns="text,label"):
    path = folder / "labels.csv"
    path.write_text("\n".join([columns, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return path


def rows(positive="1", negative="0", *more):
    return [*((text, positive, *more) for text in GOOD), *((text, negative, *more) for text in BAD)]


@pytest.mark.parametrize(("positive", "negative"), [("1", "0"), ("positive", "negative"), ("Positive", " 0 ")])
def test_labels_are_numbers_or_words(tmp_path, positive, negative):
    found = read_labelled_texts(written(tmp_path, rows(positive, negative)), ["en"])

    assert found["en"].corpus.columns["text"] == [*GOOD, *BAD]
    assert sum(found["en"].positive) == 50


def test_texts_in_languages_that_are_not_audited_are_left_out(tmp_path):
    path = written(tmp_path, [*rows("1", "0", "en"), ("Guten Tag", "1", "de")], "text,label,language")

    assert list(read_labelled_texts(path, ["en", "es"])) == ["en"]


@pytest.mark.parametrize(
    ("given", "columns", "languages", "said"),
    [
        (rows(positive="yes"), "text,label", ["en"], r"labels.csv:2: the label is 'yes'; expected .* 1 or positive"),
        ([("", "1")], "text,label", ["en"], "labels.csv:2: no text"),
        ([("x", "1")], "sentence,label", ["en"], "expected a column 'text'"),
        (rows(), "text,label", ["en", "es"], "labels.csv:2: no language; the audit has en, es"),
        (rows("1", "0", "de"), "text,label,language", ["en"], "no text in en, the languages of the audit"),
        (rows()[1:], "text,label", ["en"], "49 different positive texts in en; expected 50 at least"),
        ([*rows(), (GOOD[0], "0")], "text,label", ["en"], "the text 'good 0' has both labels"),
    ],
)
def test_texts_that_cannot_be_used_are_refused_with_their_place(tmp_path, given, columns, languages, said):
    with pytest.raises(InputError, match=said):
        read_labelled_texts(written(tmp_path, given, columns), languages)


def test_a_system_learns_how_good_it_is_and_is_asked_once(tmp_path):
    asked = []

    def score(batch):
        asked.extend(batch["text"])
        return [float(text.startswith("good")) for text in batch["text"]]

    system = System("mine", score, (0.0, 1.0), "1")
    texts = read_labelled_texts(written(tmp_path, rows()), ["en"])
    with Store(tmp_path / "answers.db") as store:
        known = with_accuracy(system, texts, store).accuracy["en"]
        again = with_accuracy(system, texts, store).accuracy["en"]

    assert (known.auc, known.auc_low, known.auc_high, known.n) == (1.0, 1.0, 1.0, 110)
    assert again == known
    assert sorted(asked) == sorted([*GOOD, *BAD])


def test_a_made_up_system_has_no_job(tmp_path):
    system = replace(System("biased:female", lambda _: [], (0.0, 1.0), "1"), stored=False)
    texts = read_labelled_texts(written(tmp_path, rows()), ["en"])

    with Store(tmp_path / "answers.db") as store:
        assert with_accuracy(system, texts, store).accuracy == {}


def test_texts_without_a_score_are_left_out_and_too_few_are_refused(tmp_path):
    labelled = read_labelled_texts(written(tmp_path, rows()), ["en"])["en"]
    scores = [1.0] * 50 + [0.0] * 55 + [math.nan] * 5

    assert accuracy_on("en", labelled, scores, 0.5).n == 105
    with pytest.raises(InputError, match="only 49 texts of 110 got a score"):
        accuracy_on("en", labelled, [1.0] * 49 + [math.nan] * 61, 0.5)


def test_the_interval_holds_the_chance_that_the_scores_were_made_with():
    normal = np.random.default_rng(1).normal(size=2000)
    positive = np.arange(2000) < 1000
    found = measure_accuracy("en", "made", normal + positive, positive)

    # Of two normal values one standard deviation apart, the higher is higher with a chance of Φ(1 / √2) = .760.
    assert found.auc_low < 0.760 < found.auc_high
    assert 0.03 < found.auc_high - found.auc_low < 0.05
    assert measure_accuracy("en", "coin", np.ones(2000), positive).auc == 0.5
