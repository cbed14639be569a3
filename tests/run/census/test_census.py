"""A census of small programs: planned, refused, scored, gone on with, and one that fails."""

import csv
import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from commands import eec, refused, succeed
from places import ROOT

from eec_datasets.census import environments
from eec_datasets.census.measuring import adjust
from eec_datasets.census.programs import read_census
from eec_datasets.errors import FileProblems, Unavailable
from eec_datasets.systems.hearing import LISTS

ADAPTER = """
from serve import SYSTEM, serve, words

NEGATIVE = {"enojado", "furioso", "triste", "triste.", "deprimido", "asustado", "aterrado", "aterrorizado", "enojada"}
POSITIVE = {"feliz", "contento", "encantado", "eufórico", "emocionado", "alegre", "bueno"}
FEW = {"feliz"}


def score(text):
    with open("ASKED", "a") as asked:
        asked.write(".")
    if SYSTEM == "broken":
        raise ValueError("no model here")
    known = words(text)
    if SYSTEM == "few":
        return sum(word in FEW for word in known)
    return max(-1, min(1, sum(word in POSITIVE for word in known) - sum(word in NEGATIVE for word in known)))


serve("click", [-1, 1], score)
"""

FILE = """
python = "3.11"

[programs.lists]
pypi = ["click==8.1.0"]
licence = "MIT"
list_licence = "none stated"
kind = "list"
slow = true
systems = { plain = ["es"], again = ["es"], few = ["es"] }

[programs.broken]
pypi = ["click==8.1.0"]
licence = "MIT"
kind = "program"
slow = true
adapter = "lists.py"
systems = { broken = ["es"] }
"""

LOCK = "click==8.1.0 \\\n    --hash=sha256:0000\n"

LABELS = "language,text,label\n" + "".join(
    f"es,{word} {number},{label}\n" for word, label in (("bueno", 1), ("triste", 0)) for number in range(60)
)


@pytest.fixture
def census(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of two programs with locks and adapters, whose environment is that of this process."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("EEC_ANSWERS", str(tmp_path / "answers.db"))
    monkeypatch.chdir(tmp_path)
    for folder in ("adapters", "locks"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "census/adapters/serve.py", tmp_path / "adapters")
    (tmp_path / "adapters/lists.py").write_text(ADAPTER.replace("ASKED", str(tmp_path / "asked")))
    for name in ("lists", "broken"):
        (tmp_path / f"locks/{name}.txt").write_text(LOCK)
    (tmp_path / "census.toml").write_text(FILE)
    return tmp_path / "census.toml"


def pretend_installed(file: Path) -> None:
    given = read_census(file)
    for program in given.programs:
        folder = environments.environment(given, program)
        (folder / "bin").mkdir(parents=True)
        python = folder / "bin/python"
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')  # a link would lose the packages
        python.chmod(0o755)
        (folder / ".installed").touch()


def rows_of(folder: str) -> dict[str, dict[str, str]]:
    with Path(folder, "census.csv").open(encoding="utf-8", newline="") as file:
        return {row["system"]: row for row in csv.DictReader(file)}


def test_the_plan_installs_and_runs_nothing(census: Path) -> None:
    told = succeed("census", census).stdout
    assert "lists  click==8.1.0" in told
    assert "code MIT; list none stated; list; 1 packages in its lock; not installed" in told
    assert "2 programs, 4 systems. Nothing was installed" in told
    assert not (census.parent / "cache").exists()
    assert not (census.parent / "answers.db").exists()


def test_systems_are_scored_and_one_that_fails_is_a_row(census: Path) -> None:
    pretend_installed(census)
    (census.parent / "labels.csv").write_text(LABELS)
    done = eec("census", census, "--labels", "labels.csv", "--out", "out")
    assert done.exit_code == 1
    assert "Error: 1 of 2 programs failed: broken. See above." in done.stderr
    rows = rows_of("out")
    assert list(rows) == ["plain-es", "again-es", "few-es", "broken-es"]
    assert "could not score 64 texts: 'ValueError: no model here'" in rows["broken-es"]["failure"]
    plain, few = rows["plain-es"], rows["few-es"]
    assert (plain["auc"], plain["labelled"], plain["deaf"]) == ("1", "120", "")
    assert int(plain["words_only_him"]) > int(plain["words_only_her"]) == 0
    assert "furious" in plain["only_him"].split()
    assert rows["again-es"]["instrument"] == plain["instrument"] == "plain-es"
    assert (few["deaf"], few["words_heard"], few["instrument"]) == ("hears fewer than 5 words", "1", "few-es")
    assert float(plain["gender_pairs_low"]) <= float(plain["gender_pairs_percent"]) <= float(plain["gender_pairs_high"])
    page = Path("out/census.html").read_text(encoding="utf-8")
    assert "No native speaker has read these sentences yet." in page
    assert page.count('<tr class="deaf">') == 1
    assert "hears fewer than 5 words: no gap is shown" in page
    assert "not scored: The program" in page
    assert "same ranks as plain-es" in page
    issue = Path("out/issues/lists.md").read_text(encoding="utf-8")
    assert "| furioso | furiosa | " in issue
    assert "no native speaker has read it" in issue
    assert not Path("out/issues/broken.md").exists()


def test_what_is_stored_is_not_asked_again(census: Path) -> None:
    pretend_installed(census)
    succeed("census", census, "--program", "lists", "--out", "out")
    asked = (census.parent / "asked").stat().st_size
    succeed("census", census, "--program", "lists", "--out", "again")
    assert asked > 3 * 2000
    assert (census.parent / "asked").stat().st_size == asked
    assert rows_of("out") == rows_of("again")


FAULTS = {
    '"click==8.1.0"': ('"click==999.9.9"', "'click==999.9.9' is a placeholder, which holds a name and has no content"),
    'few = ["es"]': ('few = ["xx"]', "few: there is no list in the language 'xx'"),
    'kind = "list"': ('kind = "lists"', "kind is 'lists'. Choose one of program, list, our list, embedding"),
    'again = ["es"]': ('"plain-es" = ["es"]', "two systems are called plain-es"),
    'adapter = "lists.py"': ("", "there is no adapter"),
    'licence = "MIT"\nlist': ("list", "it has no licence"),
    "slow = true\nsystems = { plain": ("quick = true\nsystems = { plain", "unknown keys quick"),
    '[programs.lists]\npypi = ["click==8.1.0"]': ("[programs.lists]", "under one of the keys pypi, npm, here"),
}


@pytest.mark.parametrize("before", FAULTS)
def test_a_file_with_a_fault_is_refused_saying_where(before: str, census: Path) -> None:
    after, said = FAULTS[before]
    census.write_text(FILE.replace(before, after))
    with pytest.raises(FileProblems) as error:
        read_census(census)
    assert said in str(error.value)
    assert "census.toml:" in str(error.value)


def test_a_lock_that_no_longer_fits_is_refused(census: Path) -> None:
    pretend_installed(census)
    (census.parent / "locks/lists.txt").write_text(LOCK.replace("8.1.0", "8.1.1"))
    done = eec("census", census, "--out", "out")
    assert done.exit_code == 1
    assert "no longer matches: it has 8.1.1 for click==8.1.0" in rows_of("out")["plain-es"]["failure"]
    (census.parent / "locks/lists.txt").unlink()
    assert "has no lock" in eec("census", census, "--install", "--program", "lists").stderr
    assert "no lock that fits: --lock" in succeed("census", census).stdout


def test_an_installer_gets_no_key_and_downloads_no_python(census: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = census.parent / "seen.json"
    uv = census.parent / "uv"
    uv.write_text(
        f'#!/bin/sh\n"exec" "{sys.executable}" "$0" "$@"\nimport json, os, sys\n'  # a path may have a space
        f"json.dump([sys.argv[1:], dict(os.environ)], open({str(seen)!r}, 'w'))\nsys.exit('no such package')\n"
    )
    uv.chmod(0o755)
    monkeypatch.setattr(environments, "_uv", lambda: str(uv))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    for option, step in (("--install", "venv"), ("--lock", "pip")):
        done = eec("census", census, option, "--program", "lists")
        arguments, variables = json.loads(seen.read_text())
        assert (done.exit_code, arguments[0]) == (1, step)
        assert "no such package" in done.stderr
        assert variables["UV_PYTHON_DOWNLOADS"] == "never"
        assert not any("KEY" in name for name in variables)


def test_bad_requests_are_refused(census: Path) -> None:
    assert "has no program vader. It has lists, broken." in refused("census", census, "--program", "vader")
    (census.parent / "labels.csv").write_text("language,text,label\nes,bueno,good\n")
    pretend_installed(census)
    said = refused("census", census, "--labels", "labels.csv", "--out", "out")
    assert "labels.csv:2: the label is 'good'; expected in the column 'label' 1 or positive" in said
    assert "--labels" in refused("census", census, "--labels", "labels.csv", code=2)


def test_the_adjusted_p_are_those_of_benjamini_and_hochberg() -> None:
    statsmodels = pytest.importorskip("statsmodels.stats.multitest")
    values = [0.001, 0.04, 0.03, 0.5, 0.03, 1.0, 0.2]
    assert adjust(values) == pytest.approx(list(statsmodels.multipletests(values, method="fdr_bh")[1]))
    assert adjust([]) == []


def test_the_census_of_the_project_has_programs_in_every_language() -> None:
    given = read_census(ROOT / "census/census.toml")
    assert len(given.programs) >= 30
    assert len(given.systems) >= 100
    assert {system.language for system in given.systems} == set(LISTS)


def test_every_lock_of_the_project_fits_and_has_a_hash_for_every_package() -> None:
    given = read_census(ROOT / "census/census.toml")
    for program in given.programs:
        if program.manager == "here":
            continue
        lock = environments.lock_path(given, program)
        environments.check_lock(program, lock)
        text = lock.read_text(encoding="utf-8")
        if program.manager == "npm":
            packages = json.loads(text)["packages"]
            assert all(facts["integrity"] for path, facts in packages.items() if path), program.name
            assert not any(facts.get("hasInstallScript") for facts in packages.values()), program.name
        else:
            pins = text.count("==")
            assert pins == len([part for part in text.split("\n\n") for line in part.splitlines() if "==" in line])
            assert all("--hash=sha256:" in entry for entry in text.replace("\\\n", " ").splitlines() if entry), program


def test_a_program_that_is_missing_where_eec_runs_is_said(census: Path) -> None:
    census.write_text('[programs.none]\nhere = ["no-such-package==1.0"]\nlicence = "x"\nkind = "list"\n'
                      'systems = { vader = ["en"] }\n')  # fmt: skip
    given = read_census(census)
    with pytest.raises(Unavailable, match=r"none needs no-such-package==1\.0 where"):
        environments.install(given, given.programs[0])
