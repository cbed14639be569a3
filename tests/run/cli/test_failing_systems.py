"""Systems that fail: what the others scored is written, the page names the failure, and the exit code is 1."""

import json
from pathlib import Path

import pytest
from commands import eec, refused, succeed

AUDIT = ("audit", "--config", "es-anglo-latino", "--system", "random:0")

MODULE = """
def short(texts: list):
    return [0.5 for _ in texts[1:]]

def high(texts: list):
    return [7 for _ in texts]

def half(texts: list):
    return ["no English" if " feels " in text else 0.5 for text in texts]

def constant(texts: list):
    return [None for _ in texts]
"""

REASONS = {
    "mine:short": "returned 63 scores for 64 sentences",
    "mine:high": "returned 7 for id t01/",
    "mine:gone": "module mine has no function gone",
    "absent:score": "importing absent raised ModuleNotFoundError",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("spec", REASONS)
def test_the_results_of_others_are_written_if_a_system_fails(spec: str, here: Path) -> None:
    done = eec(*AUDIT, "--system", spec, "--out", "out")
    assert done.exit_code == 1
    assert f"Error: {spec} failed. The other results are in out." in done.stderr
    assert REASONS[spec] in done.stderr
    assert "random:0" in done.stdout
    assert (here / "out/scores/random-0/es-anglo-latino.csv").is_file()
    assert not (here / "out/scores" / spec.replace(":", "-")).exists()
    for page in ("out/report.md", "out/report.html"):
        assert spec in (here / page).read_text(encoding="utf-8").replace("\n", " ")
    saved = json.loads((here / "out/result.json").read_text(encoding="utf-8"))
    (failure,) = saved["failures"]
    assert (failure["system"], REASONS[spec] in failure["why"]) == (spec, True)
    assert {entry["system"] for entry in saved["measurements"]} == {"random:0"}


def test_other_languages_name_the_failure_from_the_saved_results(here: Path) -> None:
    eec(*AUDIT, "--system", "mine:short", "--out", "out", "--no-report")
    for language, words in (("es", "mine:short en es-anglo-latino. Falló: "), ("ar", "mine:short على es-anglo-latino")):
        succeed("report", "out/result.json", "--report-language", language, "--out", language)
        assert words in (here / language / "report.html").read_text(encoding="utf-8")


def test_a_system_that_fails_on_one_list_keeps_the_others(here: Path) -> None:
    lists = ("--config", "es-anglo-latino", "--config", "en-black-white", "--names", "2")
    done = eec("audit", "--system", "mine:half", *lists, "--out", "out")
    assert done.exit_code == 1
    assert "mine:half failed" in done.stderr
    saved = json.loads((here / "out/result.json").read_text(encoding="utf-8"))
    assert [entry["list"] for entry in saved["measurements"]] == ["es-anglo-latino"]
    assert saved["failures"][0]["lists"] == ["en-black-white"]


def test_nothing_is_written_if_all_systems_fail(here: Path) -> None:
    failing = ("--system", "mine:short", "--system", "absent:score")
    done = eec("audit", "--config", "es-anglo-latino", *failing, "--out", "out")
    assert done.exit_code == 1
    assert "Error: No system could be measured: absent:score, mine:short failed, see above." in done.stderr
    assert not (here / "out").exists()
    alone = refused("audit", "--config", "es-anglo-latino", "--system", "mine:short", "--out", "out")
    assert alone.startswith("Error: mine:short returned 63 scores for 64 sentences")


@pytest.mark.usefixtures("here")
def test_a_failed_system_outweighs_what_fail_on_asks() -> None:
    systems = ("--system", "biased:female", "--system", "mine:high")
    done = eec("audit", "--config", "es-anglo-latino", *systems, "--out", "out", "--fail-on", "found")
    assert done.exit_code == 1
    assert "--fail-on found: failed" in done.stdout


def test_a_rating_rates_the_systems_that_do_not_fail(here: Path) -> None:
    systems = ("--system", "random:0", "--system", "biased:female", "--system", "mine:constant")
    done = eec("audit", "--method", "rating", *systems, "--out", "out")
    assert done.exit_code == 1
    assert "mine:constant failed, so we leave it out" in done.stderr
    saved = json.loads((here / "out/result.json").read_text(encoding="utf-8"))
    assert saved["measurements"][0]["system"] == "random:0, biased:female"
    assert saved["failures"][0]["system"] == "mine:constant"
    assert "mine:constant" in (here / "out/report.md").read_text(encoding="utf-8")
