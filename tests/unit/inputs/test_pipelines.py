"""Outputs of pipelines: scores if you say what the labels are worth, and never taken for scores otherwise."""

import re
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, scores

from eec_bias import BiasError, Result, measure

DATA = corpus()
P = scores(DATA)
WORTH = {"NEGATIVE": 0, "POSITIVE": 1}
TOP = [{"label": "POSITIVE" if p >= 0.5 else "NEGATIVE", "score": float(max(p, 1 - p))} for p in P]
ALL = [[{"label": "POSITIVE", "score": float(p)}, {"label": "NEGATIVE", "score": float(1 - p)}] for p in P]
SHUFFLED = [pair[:: 1 if row % 2 else -1] for row, pair in enumerate(ALL)]


def effects(result: Result) -> list[float]:
    return [row["effect"] for row in result.overall]


@pytest.mark.parametrize(
    ("emitted", "options"),
    [
        (TOP, {"classes": WORTH}),
        (ALL, {"classes": WORTH}),
        (ALL, {"positive_class": "POSITIVE"}),
        (SHUFFLED, {"positive_class": "POSITIVE"}),
        (pd.DataFrame(TOP), {"classes": WORTH}),
        ({"label": [one["label"] for one in TOP], "score": [one["score"] for one in TOP]}, {"classes": WORTH}),
        ({"one model": ALL}, {"positive_class": "POSITIVE"}),
    ],
    ids=["top", "all", "one of all", "in any order", "frame", "columns", "by system"],
)
def test_every_form_of_output_gives_the_effects_of_probabilities(emitted: Any, options: dict[str, Any]) -> None:
    assert effects(measure(emitted, DATA, **options)) == pytest.approx(effects(measure(P, DATA)), abs=1e-12)


def test_the_score_is_on_the_scale_of_what_the_labels_are_worth() -> None:
    result = measure(ALL, DATA, classes={"NEGATIVE": -1, "POSITIVE": 1})
    assert result.score_range == (-1.0, 1.0)
    assert effects(result) == pytest.approx([2 * effect for effect in effects(measure(P, DATA))])


def test_stars_are_measured_by_their_number() -> None:
    stars = np.random.default_rng(1).dirichlet(np.ones(5), len(P))
    names = [f"{k} star{'s' * (k > 1)}" for k in range(1, 6)]
    emitted = [[{"label": n, "score": float(s)} for n, s in zip(names, row, strict=True)] for row in stars]
    result = measure(emitted, DATA, classes={name: k for k, name in enumerate(names, start=1)})
    expected = measure(stars @ np.arange(1, 6), DATA, score_range=(1, 5))
    assert effects(result) == pytest.approx(effects(expected), abs=1e-12)


def test_labels_that_do_not_exclude_each_other_are_measured_one_by_one() -> None:
    emitted = [[{"label": "toxic", "score": float(p)}, {"label": "insult", "score": 0.9}] for p in P]
    assert effects(measure(emitted, DATA, positive_class="toxic")) == pytest.approx(effects(measure(P, DATA)))


def test_the_signature_says_which_label_was_meant() -> None:
    assert "|positive:POSITIVE" in str(measure(ALL, DATA, positive_class="POSITIVE").signature)
    assert "|classes:NEGATIVE=0+POSITIVE=1" in str(measure(TOP, DATA, classes=WORTH).signature)


def test_the_winning_labels_are_classes_where_these_are_asked_for() -> None:
    found = measure(ALL, DATA, outputs="class")
    assert found.overall == measure([one["label"] for one in TOP], DATA, outputs="class").overall


def test_a_tensor_of_bfloat16_is_read() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(P, dtype=torch.bfloat16, requires_grad=True)
    rounded = tensor.detach().float().numpy().astype(float)
    assert effects(measure(tensor, DATA)) == effects(measure(rounded, DATA))


class Pipeline:
    """A pipeline given where its output belongs."""

    task = "text-classification"

    def __call__(self, texts: list[str]) -> list[str]:
        return texts


REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "labels that won": (TOP, {}, "call it with top_k=None and say which label's probability .* positive_class"),
    "all labels": (ALL, {}, "say which of them is the score with positive_class, such as 'POSITIVE', or .* classes"),
    "a frame": (pd.DataFrame(TOP), {}, "its score is how sure it was of the label of that sentence, whichever it was"),
    "one class of those that won": (TOP, {"positive_class": "POSITIVE"}, "how probable the others are .* top_k=None"),
    "three classes of which one won": (TOP, {"classes": {**WORTH, "NEUTRAL": 2}}, "of 3 classes.* top_k=None"),
    "a label that is not named": (ALL, {"classes": {"NEGATIVE": 0, "pos": 1}}, "the pipeline emitted 'POSITIVE'"),
    "a class that is none": (ALL, {"positive_class": "joy"}, "the labels of the pipeline are NEGATIVE, POSITIVE"),
    "stars": ([{"label": "5 stars", "score": 0.9}] * len(P), {}, r"say what each is worth .* \{'5 stars': 5\}"),
    "a range": (ALL, {"positive_class": "POSITIVE", "score_range": (-1, 1)}, "whose range follows from classes"),
    "percentages": ([[{"label": "a", "score": 90.0}, {"label": "b", "score": 10.0}]] * len(P),
                    {"positive_class": "a"}, "logits need a softmax, percentages a division by 100"),
    "a winner below one half": ([{**TOP[0], "score": 0.4}] * len(P), {"classes": WORTH}, "more than two classes"),
    "a mean of labels that overlap": ([[{"label": "a", "score": 0.9}, {"label": "b", "score": 0.8}]] * len(P),
                                      {"classes": {"a": 0, "b": 1}}, "do not exclude each other .* positive_class"),
    "an array for a number": ([{**TOP[0], "score": np.array([0.9, 0.1])}, *TOP[1:]], {"classes": WORTH},
                              "output in row 0 .* has the probability nan"),
    "a number beyond all floats": ([{**TOP[0], "score": 10**400}, *TOP[1:]], {"classes": WORTH},
                                   "output in row 0 .* has the probability nan"),
    "a pipeline": (Pipeline(), {}, r"scores is a pipeline; call it .* positive_class"),
    "numbers with a class": (P, {"positive_class": "joy"}, "names a label, and the outputs are numbers"),
    "shares in percent": (np.stack([100 * P, 100 - 100 * P], axis=1),
                          {"outputs": "probabilities", "classes": ["a", "b"]}, "they are percentages; divide them by"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_score_is_refused_with_the_missing_option(case: str) -> None:
    emitted, options, said = REFUSED[case]
    with pytest.raises(BiasError) as refused:
        measure(emitted, DATA, **options)
    assert re.search(said, str(refused.value)), str(refused.value)


def test_a_table_with_a_column_of_labels_beside_the_score_is_refused() -> None:
    frame = DATA.assign(label=[one["label"] for one in TOP], score=[one["score"] for one in TOP])
    with pytest.raises(BiasError, match="the columns 'label' and 'score' are what a pipeline emits"):
        measure("score", duckdb.from_df(frame))


def test_a_column_of_labels_that_is_named_as_an_axis_is_one() -> None:
    frame = DATA.assign(label=np.where(DATA["gender"] == "female", "f", "m"), score=P)
    names = frame[frame["pair"] == frame["item"]]
    assert {row["axes"] for row in measure("score", duckdb.from_df(names), axes=("label",)).overall} == {"label"}
