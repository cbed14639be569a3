"""A difference that one variant of a system shows and another does not is not claimed."""

from pathlib import Path

import pytest
from smaller import smaller

from eec_bias import Measurement
from eec_datasets.audit.running import run
from eec_datasets.systems.base import System
from eec_datasets.systems.corpus import Corpus, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.store import Store


@pytest.fixture(scope="module")
def spanish() -> Corpus:
    return smaller(open_corpus)("es-anglo-latino")


def learned(name: str, *variants: str) -> System:
    """A system that scores as one that is built in, with variants that score as others."""
    named = {f"variant {number}": open_system(spec) for number, spec in enumerate(variants)}
    return System(name, open_system(name).scorer, fingerprint="1", stored=False, variants=named)


def gender(system: System, corpus: Corpus, folder: Path) -> tuple[Measurement, dict[str, object], bool]:
    """The outcome, its row about women's names, and whether a gap is found there."""
    with Store(folder / "answers.db") as store:
        (outcome,) = run(system, corpus, folder, store, measuring={"confidence": 0.9}).measurements
    finding = next(each for each in outcome.result.findings if each.comparison.scalar == "gender")
    return outcome, finding.row, finding.found


def test_what_all_variants_find_is_a_difference(spanish: Corpus, tmp_path: Path) -> None:
    _, row, found = gender(learned("noisy:female", "noisy:female", "noisy:female"), spanish, tmp_path)
    assert found
    assert row["p_adjusted"] < 0.1


def test_a_sign_that_turns_with_the_variant_is_no_difference(spanish: Corpus, tmp_path: Path) -> None:
    _, alone, found = gender(learned("noisy:female"), spanish, tmp_path)
    assert found
    _, row, found = gender(learned("noisy:female", "noisy:female", "noisy:male"), spanish, tmp_path)
    assert not found
    assert (row["p"], row["p_adjusted"]) == (1.0, 1.0)
    assert row["effect"] == alone["effect"]
    assert row["ci_low"] < 0 < row["ci_high"]


def test_a_variant_that_finds_nothing_leaves_nothing_found(spanish: Corpus, tmp_path: Path) -> None:
    _, row, found = gender(learned("noisy:female", "random:1"), spanish, tmp_path)
    assert not found
    _, other, _ = gender(learned("random:1"), spanish, tmp_path)
    assert row["p"] == pytest.approx(other["p"]) or row["p"] == 1.0
    assert row["mde"] >= other["mde"]


def test_equal_variants_leave_the_interval_of_every_row(tmp_path: Path) -> None:
    """Gender is asked of sentences whose words agree and of the others: each row has an interval of its own."""
    spanish = open_corpus("es-sample")
    alone, _, _ = gender(learned("noisy:female"), spanish, tmp_path)
    thrice, _, _ = gender(learned("noisy:female", "noisy:female", "noisy:female"), spanish, tmp_path)
    known = [(row.comparison, row.ci_low, row.ci_high, row.p) for row in alone.result.terms]
    assert [(row.comparison, row.ci_low, row.ci_high, row.p) for row in thrice.result.terms] == known
    assert {row.agreement for row in alone.result.terms} >= {"same", "agrees"}


def test_the_result_says_that_the_system_was_learned_several_times(spanish: Corpus, tmp_path: Path) -> None:
    outcome, _, _ = gender(learned("noisy:female", "noisy:female", "noisy:female"), spanish, tmp_path)
    (note,) = [note for note in outcome.result.notes if note.key == "learned_again"]
    assert str(note).startswith("the system was trained 3 times: once on all words, and once on each of 2 sets")
    assert "|learned:3" in outcome.result.signature


def test_a_system_without_variants_is_measured_as_before(spanish: Corpus, tmp_path: Path) -> None:
    outcome, _, _ = gender(learned("noisy:female"), spanish, tmp_path)
    assert "learned" not in outcome.result.signature
