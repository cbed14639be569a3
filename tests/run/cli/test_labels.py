"""``eec audit --labels``: the page says how good a system of one's own is at its job, or that nobody measured it."""

from pathlib import Path

import pytest
from commands import eec, succeed

AUDIT = ("audit", "--config", "en-black-white", "--system", "lamp:score", "--high-means", "positive")


@pytest.fixture
def lamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a system that knows one word, and texts of which 50 of 53 positive ones hold it."""
    (tmp_path / "lamp.py").write_text(
        "def score(texts):\n    return [0.9 if 'sun' in text else 0.1 for text in texts]\n"
    )
    texts = [f"sun {n},1" for n in range(50)] + [f"moon {n},1" for n in range(3)] + [f"rain {n},0" for n in range(60)]
    (tmp_path / "labels.csv").write_text("\n".join(["text,label", *texts]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_page_says_how_good_a_system_is_at_its_job(lamp: Path) -> None:
    succeed(*AUDIT, "--labels", "labels.csv", "--out", "out")

    said = (lamp / "out" / "report.md").read_text(encoding="utf-8").replace("\n", " ")
    # 50 of 53 positive texts stand above all others, the other three beside them: (50 + 3 / 2) / 53 = .972.
    assert "It puts a positive text above a negative one 97 times in 100; guessing gives 50. Measured on 113" in said


def test_a_page_says_that_nobody_measured_it(lamp: Path) -> None:
    succeed(*AUDIT, "--out", "out")

    said = (lamp / "out" / "report.md").read_text(encoding="utf-8").replace("\n", " ")
    assert (
        "Give it texts with known answers to find out. Put the texts and their known answers in a file (`--labels`)."
        in said
    )


def test_texts_that_cannot_be_used_stop_an_audit_before_it_scores(lamp: Path) -> None:
    (lamp / "few.csv").write_text("text,label\nsun,1\nrain,0\n")
    done = eec(*AUDIT, "--labels", "few.csv", "--out", "out")

    assert done.exit_code == 1
    assert "few.csv: 1 different positive text in en; expected 50 at least" in done.output
    assert not (lamp / "out").exists()


def test_texts_that_get_no_score_leave_the_rest_of_the_audit(lamp: Path) -> None:
    (lamp / "dim.py").write_text("def score(texts):\n    return [None if 'rain' in text else 0.5 for text in texts]\n")
    options = ("--config", "en-black-white", "--labels", "labels.csv", "--out", "out")
    done = succeed("audit", "--system", "dim:score", *options)

    assert "dim:score: how good it is at its job is not measured: labels.csv: only 53 texts of 113" in done.output
    assert (lamp / "out" / "report.html").exists()
