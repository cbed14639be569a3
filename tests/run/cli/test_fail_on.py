"""``--fail-on``: the exit code and its reasons."""

import json
from pathlib import Path

import pytest
from commands import eec

import eec_datasets

AUDIT = ("audit", "--config", "es-anglo-latino", "--no-report")


def reasons_of(output: str) -> list[str]:
    """Return the lines below the heading."""
    return [line.strip() for line in output.split("\n--fail-on ")[1].splitlines()[1:] if line.strip()]


def test_an_audit_fails_if_a_gap_is_found_and_names_every_gap(tmp_path: Path) -> None:
    done = eec(*AUDIT, "--system", "biased:female", "--system", "random:0", "--out", tmp_path, "--fail-on", "found")
    assert done.exit_code == 4
    assert "\n--fail-on found: failed\n" in done.output
    reasons = reasons_of(done.output)
    assert reasons
    assert all(reason.startswith("biased:female, Spanish: ") for reason in reasons)
    assert any(": Gap: women 100 more" in reason for reason in reasons)


@pytest.mark.parametrize(("above", "code"), [("above:30", 0), ("above:0.5", 4)])
def test_an_audit_passes_if_every_gap_is_shown_to_lie_within(above: str, code: int, tmp_path: Path) -> None:
    done = eec(*AUDIT, "--system", "random:0", "--out", tmp_path, "--fail-on", above)
    assert done.exit_code == code
    assert f"\n--fail-on {above}: {'failed' if code else 'passed'}\n" in done.output
    assert len(reasons_of(done.output)) == (3 if code else 0)
    assert ("did you mean 50?" in done.output) == bool(code)


def test_scores_that_are_not_measured_fail_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "silent.py").write_text("def score(texts):\n    return [None for _ in texts]\n")
    monkeypatch.chdir(tmp_path)
    systems = ("--system", "random:0", "--system", "silent:score", "--out", tmp_path / "out")
    done = eec(*AUDIT, *systems, "--fail-on", "above:30")
    assert done.exit_code == 4
    assert "silent:score on es-anglo-latino: the scores are not measured" in reasons_of(done.output)


def test_an_audit_says_nothing_of_it_unasked(tmp_path: Path) -> None:
    assert "--fail-on" not in eec(*AUDIT, "--system", "random:0", "--out", tmp_path).output


def test_scores_made_elsewhere_fail_alike(scores: Path) -> None:
    arguments = ("measure", scores, "--config", "es-anglo-latino", "--fail-on", "found")
    done = eec(*arguments)
    assert done.exit_code == 4
    assert any(": Gap: women " in reason for reason in reasons_of(done.output))
    # A program reads the result on stdout, and the reasons are on stderr.
    for_programs = eec(*arguments, "--format", "json")
    assert json.loads(for_programs.stdout)["gender_effect"] > 0.1
    assert reasons_of(for_programs.stderr) == reasons_of(done.output)


def test_a_comparison_fails_if_it_finds_a_gap(scores: Path, tmp_path: Path) -> None:
    before = tmp_path / "before.csv"
    before.write_text(scores.read_text())
    arguments = ("measure", scores, "--against", before, "--config", "es-anglo-latino", "--fail-on")
    for passed in ("found", "above:1"):
        assert eec(*arguments, passed).exit_code == 0


def test_scores_of_few_items_of_an_emotion_cannot_show_that_a_gap_lies_within(tmp_path: Path) -> None:
    rows = eec_datasets.load("es-anglo-latino-100", names=5, items=8).to_pandas()
    few = tmp_path / "few.csv"
    rows.assign(score=0.5)[["id", "score"]].to_csv(few, index=False)
    arguments = ("measure", few, "--config", "es-anglo-latino-100", "--fail-on")
    done = eec(*arguments, "above:5")
    assert done.exit_code == 2
    assert "the emotion 'anger' has 2 items in the sentences of names" in " ".join(done.output.split())
    assert eec(*arguments, "found").exit_code == 0


def test_a_system_that_reacts_to_hardly_any_feeling_shows_nothing_and_fails(tmp_path: Path) -> None:
    rows = eec_datasets.load("en-black-white").to_pandas()
    score = 0.5 + 0.3 * rows["text"].str.contains("great")
    rows.assign(score=score)[["id", "score"]].to_csv(tmp_path / "mine.csv", index=False)
    done = eec("measure", tmp_path / "mine.csv", "--fail-on", "above:5")
    assert done.exit_code == 4
    assert "it reacts to 1 of 40 words for feelings, so equal scores show nothing" in done.output
