"""What can be typed after --system, and what each of them does."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest
from snapshots import Snapshot

from eec_datasets.errors import SystemFailed, Unavailable, UnknownSystem
from eec_datasets.systems.base import Options, System, score_batch
from eec_datasets.systems.builtin import check_group
from eec_datasets.systems.registry import open_system

BATCH = {
    "id": [f"t01/angry/{person}" for person in ("maria", "alan", "amanda", "jose")],
    "text": [f"{person} feels angry." for person in ("Maria", "Alan", "Amanda", "Jose")],
    "gender": ["female", "male", "female", "male"],
    "race": ["Latino", "Anglo", "Anglo", "Latino"],
}
GROUPS = {"race": ["Anglo", "Latino"], "gender": ["female", "male"]}


def rows(*texts: str) -> dict[str, list[str]]:
    return {"id": [f"t01/none/p{i}" for i in range(len(texts))], "text": list(texts)}


@pytest.mark.parametrize("spec", ["vader", "textblob", "textblob:discrete"])
def test_lexicons_score_sentiment_on_their_declared_range(spec: str) -> None:
    system = open_system(spec)
    good, bad = score_batch(system, rows("Juan feels happy.", "Ana feels sad."))
    assert bad < 0 < good
    assert ((bad, good) == (-1, 1)) == (spec == "textblob:discrete")
    assert (system.name, system.score_range, system.languages) == (spec, (-1.0, 1.0), ("en",))
    assert system.fingerprint.startswith(("vaderSentiment==", "textblob=="))


@pytest.mark.parametrize(
    ("spec", "limits", "expected"),
    [
        ("biased:female", None, [1, 0, 1, 0]),
        ("biased:Latino", None, [1, 0, 0, 1]),
        ("biased:female+Latino", None, [1, 0, 0, 0]),
        ("biased:female", (-1.0, 1.0), [1, -1, 1, -1]),
        ("biased:Latino+male", (1.0, 5.0), [1, 1, 1, 5]),
    ],
)
def test_the_biased_system_gives_its_group_the_highest_score(
    spec: str, limits: tuple[float, float] | None, expected: list[float]
) -> None:
    assert score_batch(open_system(spec, Options(score_range=limits)), BATCH) == expected


def test_the_noisy_system_leans_to_its_group_by_a_twentieth() -> None:
    leaning, plain = (score_batch(open_system(f"noisy:{group}"), BATCH) for group in ("female", "nobody"))
    assert [x - y for x, y in zip(leaning, plain, strict=True)] == pytest.approx([0.05, 0, 0.05, 0])
    assert len(set(plain)) == 4
    assert all(0.4 <= score < 0.9 for score in plain)


def test_random_scores_are_uniform_and_depend_on_seed_and_row_not_on_the_batch() -> None:
    system = open_system("random:7")
    whole = score_batch(system, BATCH)
    halves = [score_batch(system, {k: v[part] for k, v in BATCH.items()}) for part in (slice(0, 1), slice(1, 4))]
    assert whole == halves[0] + halves[1]
    assert whole != score_batch(open_system("random:8"), BATCH)
    many = score_batch(system, rows(*(f"Sentence {i}." for i in range(4000))))
    assert all(0 <= score < 1 for score in many)
    assert abs(sum(many) / 4000 - 0.5) < 4 * math.sqrt(1 / 12 / 4000)
    discrete = open_system("random:7:discrete")
    assert discrete.score_range == (-1.0, 1.0)
    assert set(score_batch(discrete, rows(*"x" * 300))) == {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("system", ["biased:female+Latino", "noisy:female", "module:function"])
def test_a_group_of_the_corpus_is_no_problem(system: str) -> None:
    check_group(system, "es-anglo-latino", GROUPS)


@pytest.mark.parametrize(
    "name",
    [
        "annotated_one",
        "annotated_list",
        "plain_one",
        "plain_list",
        "sized",
        "array",
        "model",
        "Model.score",
        "waiting",
        "waiting_list",
    ],
)
def test_a_function_may_take_a_list_or_one_sentence(name: str, user_module: Path) -> None:
    system = open_system(f"my_scores:{name}", Options(path=(str(user_module),)))
    assert score_batch(system, rows("four", "eight888", "")) == [0.04, 0.08, 0.0]


def test_a_declared_range_is_taken_and_a_changed_function_has_another_fingerprint(user_module: Path) -> None:
    system = open_system("my_scores:stars", Options(path=(str(user_module),), score_range=(0.0, 5.0)))
    assert score_batch(system, rows("a", "b", "c")) == [0.5, 4.0, 0.5]
    with (user_module / "my_scores.py").open("a") as stream:
        stream.write("# changed\n")
    assert open_system("my_scores:stars", Options(path=(str(user_module),))).fingerprint != system.fingerprint


def test_the_order_of_scores_is_the_order_of_rows() -> None:
    system = System("by id", lambda batch: [float(i[-1]) / 10 for i in batch["id"]])
    assert score_batch(system, rows("a", "b", "c")) == [0.0, 0.1, 0.2]


FAILING = ("short", "words", "infinite", "stars", "broken", "leaving", "neither")


def test_what_is_refused(user_module: Path, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    said = []

    def refuse(kind: type[Exception], *calls: str) -> None:
        for spec in calls:
            with pytest.raises(kind) as error:
                score_batch(open_system(spec, Options(path=(str(user_module),))), rows("a", "b", "c"))
            said.append(f"{spec!r}: {str(error.value).replace(str(user_module), 'FOLDER')}")

    refuse(UnknownSystem, "wader", "biased:", "noisy:", "random:", ":score", "", "random:x", "random:7:coarse")
    refuse(Unavailable, "no_scores:score", "my_scores:score", "my_scores:Model.none")
    refuse(SystemFailed, *(f"my_scores:{name}" for name in FAILING))
    for module in ("vaderSentiment.vaderSentiment", "textblob", "torch"):
        monkeypatch.setitem(sys.modules, module, None)
    refuse(Unavailable, "vader", "textblob", "hf:some/model")
    with pytest.raises(UnknownSystem) as error:
        check_group("biased:female+black", "es-anglo-latino", GROUPS)
    said.append(f"check_group: {error.value}")
    snapshot.check("systems-refusals", "\n".join(said))
