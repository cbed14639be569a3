"""Systems of installed packages: found without an import, loaded when named, and never in the place of ours."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from blocks import blocks
from commands import eec, refused, succeed
from places import ROOT

import eec_datasets
from eec_datasets.errors import Unavailable
from eec_datasets.systems.listing import BUILT_IN, list_systems
from eec_datasets.systems.registry import open_system

MODULE = """
print("imported")
import eec_datasets

def load(options):
    RAISE
    return eec_datasets.System(NAME, lambda batch: [0.5 for _ in batch["text"]], languages=("en",))
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put a package with a plug-in where packages are found."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def installed(name: str, package: str = "brought", returned: str | None = None, fault: str = "") -> None:
        folder = tmp_path / package
        about = folder / f"{package}-1.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[eec_datasets.systems]\n{name} = {package}_module:load\n")
        source = MODULE.replace("NAME", repr(returned or name)).replace("RAISE", fault)
        (folder / f"{package}_module.py").write_text(source)
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(sys.modules, f"{package}_module", raising=False)

    return installed


def test_a_plugin_is_listed_without_an_import_and_loaded_when_named(install, capsys) -> None:
    install("mine")
    (found,) = [each for each in list_systems() if each.package == "brought"]
    assert (found.name, found.version, found.problem) == ("mine", "1.0", "")
    assert "imported" not in capsys.readouterr().out
    system = open_system("mine")
    assert "imported" in capsys.readouterr().out
    assert (system.name, system.fingerprint) == ("mine", "brought==1.0")


REFUSED = {
    "another name": ({"returned": "other"}, "its system is called 'other'; expected 'mine', as the entry point"),
    "an import that fails": ({"fault": "import a_module_that_is_nowhere"}, "ModuleNotFoundError: No module named"),
    "no system": ({"fault": "return 0.5"}, "it returned float; expected an eec_datasets.System"),
    "an end": ({"fault": "raise SystemExit(3)"}, "loading it raised SystemExit: 3"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_plugin_that_cannot_be_loaded_names_its_package(fault: str, install) -> None:
    how, said = REFUSED[fault]
    install("mine", **how)
    with pytest.raises(Unavailable, match=r"system mine, from brought 1\.0 \(brought_module:load\): ") as error:
        open_system("mine")
    assert said in str(error.value)


def test_two_packages_with_one_name_are_refused_naming_both(install) -> None:
    install("mine", "first")
    install("mine", "second")
    with pytest.raises(Unavailable, match=r"first 1\.0 .* and second 1\.0 .* Uninstall one of the packages"):
        open_system("mine")
    problems = [each.problem for each in list_systems() if each.name == "mine"]
    assert problems == ["two packages bring a system of this name: uninstall one of them"] * 2


@pytest.mark.parametrize("name", ["vader", "hf", "cmd"])
def test_a_plugin_never_takes_the_name_of_a_system_of_ours(name: str, install) -> None:
    install(name)
    (found,) = [each for each in list_systems() if each.package == "brought"]
    assert found.problem == "eec_datasets uses this name itself"
    assert "cannot be used: eec_datasets uses this name itself" in succeed("systems").stdout
    if name == "vader":
        pytest.importorskip("vaderSentiment")
        assert open_system("vader").fingerprint.startswith("vaderSentiment==")
    else:
        assert "no such system" in refused("systems", name)


def test_a_plugin_that_fails_ends_no_audit(install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install("mine", fault="import a_module_that_is_nowhere")
    monkeypatch.chdir(tmp_path)
    done = eec("audit", "--config", "en-black-white", "--no-report", "--system", "random:0", "--system", "mine")
    assert (done.exit_code, "random:0" in done.stdout) == (1, True)
    assert "Error: mine failed. The other results are in audit." in done.stderr


def test_what_is_listed_of_our_systems_is_what_they_declare() -> None:
    for name, (_, languages, limits) in BUILT_IN.items():
        try:
            system = open_system(name)
        except Unavailable:
            continue
        assert (set(system.languages or ()), system.score_range) == (set(languages), limits), name
        assert system.high_means == "positive"


def test_a_system_that_hears_few_words_is_called_deaf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "few.py").write_text(
        "def score(texts: list):\n    return [('angry' in t) + ('enojado' in t) - ('feliz' in t) for t in texts]\n"
        "score.eec_system = {'name': 'few', 'version': '1', 'languages': ['es', 'en', 'xx'], 'score_range': [-1, 1]}\n"
    )
    monkeypatch.chdir(tmp_path)
    said = " ".join(succeed("systems", "few:score").stdout.split())
    assert "es: hears 2 of 40 emotion words, 1 of them said of him only (angry). It is deaf to these sentences" in said
    assert "en: hears 1 of 40 emotion words. It is deaf" in said
    assert "xx: no list of this project is in this language" in said
    (content,) = json.loads(succeed("systems", "few:score", "--json").stdout)
    assert content["languages"]["es"]["hearing"]["only_male"] == ["angry"]
    assert content["score_range"] == [-1, 1]


def test_the_package_of_the_documentation_is_found_audited_and_listed(tmp_path: Path) -> None:
    """As a stranger does it: two files, an installation, three commands."""
    pytest.importorskip("hatchling")
    source, site = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    page = blocks((ROOT / "docs/systems.md").read_text(encoding="utf-8"))
    for name in ("pyproject.toml", "eec_plain.py"):
        (text,) = [block.text for block in page if block.title == name]
        (source / name).write_text(text, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", site, source], check=True)
    home = Path(eec_datasets.__file__).parents[1]
    paths = ":".join(map(str, (site, home, home / "metrics")))

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "eec_datasets", *arguments],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "plain               eec-plain 1.0\n" in run("systems")
    assert "hears 2 of 40 emotion words" in run("systems", "plain")
    assert "plain" in run("audit", "--system", "plain", "--config", "en-black-white", "--out", "out")
    assert "eec-plain==1.0" in (tmp_path / "out/result.json").read_text(encoding="utf-8")
