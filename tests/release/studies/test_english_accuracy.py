"""The accuracy of the English systems: which sentences count, and how a scale is read."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from eec_datasets.systems.labelled import measure_accuracy
from studies import english
from studies.english import balanced


def test_clear_ratings_are_taken_as_many_of_each_kind() -> None:
    chosen = balanced([2.0, 0.4, -1.5, 1.0, -0.9, 3.0])
    assert len(chosen) == 2
    assert 2 in chosen
    assert set(chosen) < {0, 2, 3, 5}


def test_the_middle_of_a_scale_divides_positive_from_negative() -> None:
    scores, positive = np.array([0.2, 0.4, -0.1, 0.1]), np.array([True, True, False, False])
    measured = measure_accuracy("en", "some", scores, positive, middle=0)
    assert (measured.n, measured.auc, measured.accuracy) == (4, 1.0, 0.75)


def test_the_command_measures_all_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("vaderSentiment", "textblob", "wordllama"):
        pytest.importorskip(package, reason=f"needs the extra demo ({package})")
    rated = tmp_path / "rated.txt"
    rated.write_text("1_1\t2.0\twonderful, I love it\n1_2\t-2.1\thorrible and sad\n1_3\t0.1\ta box\n", encoding="utf-8")
    monkeypatch.setattr(english, "FILE", tmp_path / "accuracy.json")
    done = CliRunner().invoke(english.main, [str(rated)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert [line.partition(":")[0] for line in done.output.splitlines()] == ["wordllama", "vader", "textblob"]
    assert '"n": 2, "auc": 1.0' in (tmp_path / "accuracy.json").read_text(encoding="utf-8")
