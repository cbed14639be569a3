"""The list of all sentences: every file that holds some is on it."""

import subprocess
import sys

from places import ROOT

LIST = ROOT / "scripts" / "sentences.py"
NO_PROSE = (
    "eec_datasets/app/scripts.toml",
    "eec_datasets/release/benchmark.toml",
    "eec_datasets/systems/harmless.toml",
    "metrics/eec_bias/figures/themes.toml",
)
"""Files without a sentence that a program prints."""


def listed(*arguments: str) -> list[str]:
    done = subprocess.run([sys.executable, LIST, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_every_file_of_words_is_on_the_list() -> None:
    paths = [path for package in ("eec_datasets", "metrics/eec_bias") for path in (ROOT / package).rglob("*.toml")]
    files = {path.relative_to(ROOT).as_posix() for path in paths if path.parent.name != "prompt_sets"}
    english = {file for file in files if "/" in file and (file.endswith("/en.toml") or not is_translated(file))}
    named = {line.partition(": ")[0] for line in listed() if not line.startswith(" ")}
    assert english - set(NO_PROSE) == {name for name in named if name.endswith(".toml")}


def is_translated(file: str) -> bool:
    """Tell if a folder has a file for each language."""
    return file.rsplit("/", 2)[1] in ("notes", "prose", "texts", "review_texts", "words")


def test_the_help_of_commands_is_on_the_list() -> None:
    assert any(line == "eec audit" for line in listed("Score", "systems"))


def test_a_language_of_reports_has_its_own_list() -> None:
    assert any("eec_datasets/report/words/es.toml" in line for line in listed("--language", "es"))
