"""The command line as a user meets it: what it prints, and its exit codes."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import eec_datasets
from eec_datasets.cli import COMMANDS, main
from eec_datasets.errors import LocaleError
from eec_datasets.locale.reading import load_locale, locales_folder


def eec(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_help_shows_every_command_and_the_exit_codes() -> None:
    result = eec("--help")
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.output
    assert "Exit codes:\n    0  done\n" in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_with_examples(name: str) -> None:
    result = eec(name, "--help")
    assert result.exit_code == 0
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert isinstance(command, click.Group) or "Examples:\n" in result.output


def test_an_unknown_command_is_a_usage_error() -> None:
    result = eec("adit")
    assert result.exit_code == 2
    assert "No such command 'adit'." in result.output


def test_configs_lists_every_corpus() -> None:
    import eec_datasets

    lines = eec("configs").output.splitlines()
    assert lines[0].split() == ["config", "language", "rows", "axes", "persons", "per", "cell", "review"]
    assert [line.split()[0] for line in lines[2:]] == [config.name for config in eec_datasets.configs()]
    spanish = next(line for line in lines if line.startswith("es-anglo-latino "))
    assert spanish.split(maxsplit=3)[1:3] == ["es", "8,640"]
    assert "  race × gender  " in spanish
    assert "  6 cells of 10  " in spanish
    assert spanish.endswith("not reviewed by a native speaker")


def test_configs_speaks_json_to_scripts() -> None:
    result = eec("configs", "--language", "es", "--json")
    facts = {config["name"]: config for config in json.loads(result.output)}
    assert facts["es-anglo-latino"]["rows"] == 8640
    assert facts["es-anglo-latino"]["axes"] == ["race", "gender"]
    assert facts["es-anglo-latino"]["persons_per_cell"]["Latino female"] == 10


def test_configs_of_an_unknown_language_is_an_error() -> None:
    result = eec("configs", "--language", "tlh")
    assert result.exit_code == 1
    assert result.output.startswith("Error: no config in language 'tlh'; there are: ")


@pytest.fixture
def half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of locales where somebody has begun Welsh."""
    root = tmp_path / "locales"
    shutil.copytree(locales_folder(), root)
    (root / "cy").mkdir()
    (root / "cy" / "locale.toml").write_text('tag = "cy"\n', encoding="utf-8")
    monkeypatch.setenv("EEC_LOCALES", str(root))
    return root


def test_configs_goes_on_without_a_half_written_locale(half_written: Path) -> None:
    with pytest.raises(LocaleError) as error:
        load_locale("cy", half_written)
    count = len(error.value.problems)
    assert count > 1
    result = eec("configs")
    assert result.exit_code == 0
    assert result.stderr == f"Warning: locale 'cy' is left out: {count} problems. See: eec locale check cy\n"
    assert "en-black-white " in result.stdout
    assert json.loads(eec("configs", "--json").stdout)[0]["name"] == "ar-anglo-arab"


def test_a_half_written_locale_asked_for_is_an_error_and_the_others_are_not(half_written: Path) -> None:
    result = eec("configs", "--language", "cy")
    assert result.exit_code == 1
    with pytest.raises(LocaleError) as error:
        load_locale("cy", half_written)
    assert result.stderr == f"Error: {error.value}\n"
    assert eec("configs", "--language", "es").stderr == ""
    with pytest.raises(LocaleError):
        eec_datasets.configs()
    assert "there are: ar-anglo-arab, " in eec("measure", "x.csv", "--config", "tlh").stderr


def test_a_config_that_cannot_be_rendered_is_left_out_with_the_reason(half_written: Path) -> None:
    shutil.rmtree(half_written / "cy")
    templates = half_written / "en" / "templates.toml"
    text = templates.read_text(encoding="utf-8")
    templates.write_text(text.replace("talked to {{ person.obj }} yesterday", "saw {{ person.obj }} in the market"))
    result = eec("configs", "--language", "en")
    assert result.exit_code == 0
    assert result.stderr.splitlines()[0] == (
        "Warning: en-black-white is left out: config 'en-black-white': the sentence 'I saw Ebony in the market.' "
        "comes out 2 times (t08/none/ebony, t09/none/ebony). Each must be distinct"
    )
    assert len(result.stdout.splitlines()) == 2


def test_an_audit_prints_its_table_and_writes_its_files(tmp_path: Path) -> None:
    out = tmp_path / "my audit"
    result = eec(
        "audit", "--system", "biased:female", "--system", "random:0", "--config", "es-anglo-latino", "--out", out
    )
    assert result.exit_code == 0
    assert "es-anglo-latino  8,640 sentences, not reviewed by a native speaker\n" in result.output
    assert "  María se siente" in result.output.replace(" · ", "\n  ")
    assert "biased:female  scores from 0 to 1\n" in result.output
    assert "Built in, to compare with: 1 for female, 0 for all others.\n" in result.output
    assert "gender         female – male   +1.0000" in result.output
    files = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    assert files == [
        "report.html",
        "report.md",
        "result.json",
        "scores/biased-female/es-anglo-latino.csv",
        "scores/random-0/es-anglo-latino.csv",
        "terms.csv",
    ]
    again = eec(
        "audit", "--system", "biased:female", "--system", "random:0", "--config", "es-anglo-latino", "--out", out
    )
    assert again.output == result.output


def test_lexicons_score_english_only_unless_told_otherwise(tmp_path: Path) -> None:
    result = eec("audit", "--system", "vader", "--language", "es", "--out", tmp_path, "--no-report")
    assert result.exit_code == 2
    assert "vader is made for en; no corpus asked for is in it, so it is left out.\n" in result.output
    assert "Error: No system has a corpus to score. Choose others with --config or --language.\n" in result.output
    told = eec("audit", "--system", "vader", "--config", "es-anglo-latino", "--out", tmp_path, "--no-report")
    assert told.exit_code == 0
    assert "Warning: vader is made for en; es-anglo-latino is in another language.\n" in told.output
    assert not (tmp_path / "report.html").exists()


def test_the_two_lexicons_react_to_almost_no_name(tmp_path: Path) -> None:
    result = eec("audit", "--system", "vader", "--system", "textblob", "--out", tmp_path, "--no-report")
    assert result.exit_code == 0
    terms = list(csv.DictReader((tmp_path / "terms.csv").read_text().splitlines()))
    assert {row["config"] for row in terms} == {"en-black-white", "en-anglo-latino", "en-anglo-arab"}
    assert {row["system"] for row in terms} == {"vader", "textblob"}
    assert all(row["p_adjusted"] != "" and float(row["p_adjusted"]) > 0.05 for row in terms)


AUDIT_ERRORS = [
    (
        ["--system", "wader"],
        "Error: --system 'wader': no such system. Known forms: vader, textblob, hf:MODEL, package.module:function, "
        "biased:GROUP (for example biased:female), noisy:GROUP, random:SEED.\n",
    ),
    (
        ["--system", "biased:Black", "--config", "es-anglo-latino"],
        "Error: --system biased:Black: config es-anglo-latino has no group 'Black'. Its groups are gender: female, "
        "male; race: Anglo, Latino. Choose one of these, or other configs with --config.\n",
    ),
]


@pytest.mark.parametrize(("arguments", "expected"), AUDIT_ERRORS)
def test_what_cannot_be_audited_is_said_without_a_traceback(
    arguments: list[str], expected: str, tmp_path: Path
) -> None:
    result = eec("audit", "--out", tmp_path, *arguments)
    assert (result.exit_code, result.output) == (1, expected)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_config_is_answered_with_those_there_are(tmp_path: Path) -> None:
    import eec_datasets

    known = ", ".join(config.name for config in eec_datasets.configs())
    expected = f"Error: no config 'es-anglo-latina'; there are: {known}\n"
    for arguments in (
        ["audit", "--system", "random:0", "--config", "es-anglo-latina", "--out", tmp_path],
        ["measure", tmp_path / "s.csv", "--config", "es-anglo-latina"],
    ):
        result = eec(*arguments)
        assert (result.exit_code, result.output) == (1, expected)


def test_an_unwritable_folder_is_an_error_before_any_scoring(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "audit"
    result = eec("audit", "--system", "random:0", "--out", out)
    assert (result.exit_code, result.output) == (
        1,
        f"Error: Cannot write to {out}: Not a directory. Choose a folder you may write to with --out.\n",
    )


def test_saved_scores_that_were_changed_are_refused(tmp_path: Path) -> None:
    arguments = ["audit", "--system", "random:0", "--config", "es-anglo-latino", "--out", tmp_path, "--no-report"]
    assert eec(*arguments).exit_code == 0
    path = tmp_path / "scores" / "random-0" / "es-anglo-latino.csv"
    lines = path.read_text().splitlines()
    changed = lines[9].rpartition(",")[0] + ",1.5"
    path.write_text("\n".join([*lines[:9], changed, *lines[10:], ""]))
    result = eec(*arguments)
    assert (result.exit_code, result.output.splitlines()[-1]) == (
        1,
        f"Error: {path}:10: expected a score between 0 and 1 for id {changed[:-4]}, found '{changed}'. "
        "The file was changed after it was written; move it away, or score everything anew with --fresh.",
    )
    assert eec(*arguments, "--fresh").exit_code == 0


@pytest.mark.parametrize("limits", ["1 0", "0 inf", "nan 1"])
def test_a_range_that_is_none_is_a_usage_error(limits: str, tmp_path: Path, scores: Path) -> None:
    expected = f"Error: --score-range {limits}: expected two finite numbers, the first below the second.\n"
    for arguments in (
        ["audit", "--system", "random:0", "--out", tmp_path, "--score-range", *limits.split()],
        ["measure", scores, "--config", "es-anglo-latino", "--score-range", *limits.split()],
    ):
        result = eec(*arguments)
        assert result.exit_code == 2
        assert result.output.endswith(expected)


def test_scores_made_elsewhere_are_measured(scores: Path) -> None:
    result = eec("measure", scores, "--config", "es-anglo-latino")
    assert result.exit_code == 0
    assert "eec_bias|v:" in result.output
    as_json = json.loads(eec("measure", scores, "--config", "es-anglo-latino", "--format", "json").output)
    assert 0.15 < as_json["gender_effect"] < 0.25
    as_csv = list(
        csv.DictReader(eec("measure", scores, "--config", "es-anglo-latino", "--format", "csv").output.splitlines())
    )
    assert [float(row["effect"]) for row in as_csv] == [row["effect"] for row in as_json["terms"]]


def test_the_reference_can_be_turned_round(scores: Path) -> None:
    def effect(*arguments: str) -> float:
        result = eec("measure", scores, "--config", "es-anglo-latino", "--format", "json", *arguments)
        return float(json.loads(result.output)["gender_effect"])

    turned = effect("--reference", "gender=female", "--reference", "race=Anglo")
    assert turned == pytest.approx(-effect(), abs=1e-15)


def test_two_ways_to_name_the_reference_exclude_each_other(scores: Path) -> None:
    result = eec("measure", scores, "--config", "es-anglo-latino", "--reference", "gender=male", "--no-reference")
    assert result.exit_code == 2
    assert result.output.endswith("Error: --reference and --no-reference exclude each other.\n")
    result = eec("measure", scores, "--config", "es-anglo-latino", "--reference", "male")
    assert result.exit_code == 2
    assert result.output.endswith("Error: --reference male: expected AXIS=LEVEL, for example gender=male.\n")


def test_scores_saved_by_an_audit_can_be_measured_again(tmp_path: Path) -> None:
    eec("audit", "--system", "vader", "--config", "en-anglo-arab", "--out", tmp_path, "--no-report")
    path = tmp_path / "scores" / "vader" / "en-anglo-arab.csv"
    again = json.loads(eec("measure", path, "--config", "en-anglo-arab", "--format", "json").output)
    first = json.loads((tmp_path / "result.json").read_text())["results"][0]
    assert again["terms"] == first["terms"]
    assert again["score_range"] == [-1, 1]


def test_a_scores_file_with_missing_and_extra_ids_is_refused(scores: Path, rows: dict[str, list[str]]) -> None:
    lines = scores.read_text().splitlines()
    scores.write_text("\n".join([*lines[:5], "t01/angry/nobody,0.5", *lines[7:]]))
    result = eec("measure", scores, "--config", "es-anglo-latino")
    assert (result.exit_code, result.output) == (
        1,
        f"Error: {scores} does not fit config es-anglo-latino:\n"
        "  1 unknown ids: 't01/angry/nobody' in line 6\n"
        f"  2 missing ids: {rows['id'][4]}; {rows['id'][5]}\n"
        "Expected every id of the config once, with one number per system. Nothing was measured.\n",
    )


def test_a_scores_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = eec("measure", tmp_path / "none.csv", "--config", "es-anglo-latino")
    assert (result.exit_code, result.output) == (
        1,
        f"Error: Cannot read {tmp_path / 'none.csv'}: No such file or directory.\n",
    )


SLOW_SCORES = """
import pathlib, time
def score(texts: list[str]) -> list[float]:
    if pathlib.Path("wait").exists() and any(text.startswith("Hice") for text in texts):
        time.sleep(60)
    return [len(text) / 1000 for text in texts]
"""


# A shell starts what runs in its background with SIGINT ignored, and children inherit that; a user's terminal does not.
HEEDING_CTRL_C = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from eec_datasets.cli import main
main()
"""


def test_ctrl_c_ends_with_code_three_and_the_next_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "slow_scores.py").write_text(SLOW_SCORES)
    (tmp_path / "wait").touch()
    path = tmp_path / "audit" / "scores" / "slow_scores-score" / "es-anglo-latino.csv"
    command = [sys.executable, "-c", HEEDING_CTRL_C, "audit", "--system", "slow_scores:score", "--no-report"]
    command += ["--config", "es-anglo-latino"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (path.exists() and len(path.read_bytes()) > 10_000):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    done = len(path.read_text().splitlines()) - 2
    assert 0 < done < 8640
    relative = os.path.relpath(path, tmp_path)
    assert errors == (
        f"Error: Interrupted: {done:,} of 8,640 scores of slow_scores:score on es-anglo-latino are saved in "
        f"{relative}. Run the same command again to go on.\n"
    )
    saved = path.read_text()
    (tmp_path / "wait").unlink()
    finished = subprocess.run(
        [*command, "--batch-size", "1000"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    assert path.read_text().startswith(saved)
    assert len(path.read_text().splitlines()) == 2 + 8640


def test_a_build_says_what_it_wrote_and_loads(tmp_path: Path) -> None:
    import datasets

    out = tmp_path / "my build" / "eec"
    result = eec("build", "--out", out, "--config", "es-anglo-latino", "--config", "en-anglo-arab")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert [line.rpartition("  ")[0] for line in lines[:2]] == [
        "es-anglo-latino  8,640 rows",
        "en-anglo-arab  8,640 rows",
    ]
    assert lines[2:] == [f"{out}: version 1.0.0, 2 configs, 17,280 rows"]
    loaded = datasets.load_dataset(str(out), "es-anglo-latino", split="test", cache_dir=str(tmp_path / "cache"))
    assert loaded.num_rows == 8640


def test_a_build_over_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    result = eec("build", "--out", tmp_path)
    assert result.exit_code == 1
    assert result.output == (
        f"Error: {tmp_path} holds something else than a build (it has no manifest.json), and nothing was changed in "
        "it. Choose another folder with --out, or empty this one\n"
    )
