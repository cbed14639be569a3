"""Checks of a locale: a folder of bad locales, and small changes of one without a finding.

Every mistake of ``bad`` is told by exactly the message beside it. A case is a folder that holds the files it changes
of the locale in ``base`` (``missing.txt`` names one that it takes away), and in ``expected.txt`` the whole report.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from commands import eec
from languages import languages
from places import TESTS
from texts import change

from eec_datasets.checks import check
from eec_datasets.checks.files import file_findings
from eec_datasets.checks.properties import ORDER, properties
from eec_datasets.checks.report import LEVELS, checks, report
from eec_datasets.errors import FileProblems
from eec_datasets.locale.reading import load_locale, locales_folder, read_locale
from eec_datasets.locale.toml_file import read_toml

BASE = TESTS / "checks" / "base"


def test_small_changes_of_a_sound_locale_are_told(tmp_path, snapshot):
    lines, cases = [], tomllib.loads((BASE.parent / "small_changes.toml").read_text(encoding="utf-8"))
    for number, (case, changes) in enumerate(cases.items()):
        folder = tmp_path / str(number) / "gl"
        shutil.copytree(BASE, folder.parent)
        for name, old, new in changes:
            change(folder / name, (old, new)) if old else (folder / name).write_text(new, encoding="utf-8")
        lines += [f"== {case}", *([str(found) for found in check(folder).findings] or ["nothing found"])]
    snapshot.check("checks/small_changes", "\n".join(lines))


@pytest.mark.parametrize(
    ("form", "places"), [("Rosa", ()), ("Мария", ()), ("María José", (0, 8)), ("محمدًا", (1,)), ("أندرو", (2,)),
                         ("rosa", (3,)), ("O'Neil-McCoy 2", (4, 5, 6, 7, 8))],
)  # fmt: skip
def test_properties_of_forms_are_told_by_name(form, places):
    assert properties(form) == tuple(ORDER[place] for place in places)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('a = "one\u2028two\u0085three"\r\nb = 1\n', {("b",): 2}),  # as editors count lines
        ("[a]\nb.c = 1\n[a.d]\ne = { f = 2 }\n", {("a",): 1, ("a", "b", "c"): 2, ("a", "d", "e", "f"): 4, ("z",): 1}),
    ],
)
def test_the_line_of_a_key_is_found_however_it_is_written(text, lines, tmp_path):
    (tmp_path / "x.toml").write_text(text, encoding="utf-8", newline="")
    file = read_toml(tmp_path / "x.toml")
    assert {keys: file.place(*keys).line for keys in lines} == lines


def test_a_language_unknown_to_cldr_is_reported_once(tmp_path):
    shutil.copytree(locales_folder() / "es", tmp_path / "xx")
    shutil.copy(locales_folder() / "corpus.toml", tmp_path)
    change(tmp_path / "xx" / "locale.toml", ('tag = "es"', 'tag = "xx"'))
    errors = check(tmp_path / "xx").of("error")
    assert [found.place.file for found in errors if "CLDR" in found.what] == ["locale.toml"]


def test_every_code_of_a_territory_is_filled_in_or_told(tmp_path):
    languages(tmp_path, "es")
    change(tmp_path / "es/country.csv", ("{AU}", "{AU} y {NZ}"), ("{BR}", "{ZZ} y {XQ}"))
    locale, problems = read_locale(tmp_path / "es")
    assert locale.levels["country"]["Australia"].forms[0].text == "Australia y Nueva Zelanda"
    assert [problem.what for problem in problems] == ["CLDR has no territory 'ZZ'", "CLDR has no territory 'XQ'"]


def test_letters_of_another_script_are_errors(tmp_path, snapshot):
    languages(tmp_path, "ar")
    change(tmp_path / "ar" / "words.csv", ("الانزعاج", "الانزعاجa"))
    change(tmp_path / "ar" / "locale.toml", ("notes = [", 'notes = [\n  "می‌شود",'))
    change(tmp_path / "ar" / "templates.toml", ("[t01]", "# می\u200cشود\n# خانه\u200cها\n# می\u200c شود\n[t01]"))
    snapshot.check("checks/arabic", "\n".join(map(str, report("ar", file_findings(tmp_path / "ar")).findings)))


def test_what_the_english_locale_has_and_this_one_lacks_is_told(folder, snapshot):
    shutil.copytree(folder, folder.parent / "en")
    grim = "grim,situation,fear,f,,grim,added,c,,,,,\nterrible,situation,anger"
    change(folder.parent / "en" / "words.csv", ("terrible,situation,fear", grim))
    change(folder / "templates.toml", ("[t04", "[t05"))
    change(folder / "expected.csv", ("t04", "t05"))
    snapshot.check("checks/parity", "\n".join(map(str, check(folder).findings)))


def test_a_fault_of_the_file_beside_the_locales_has_its_place(root):
    change(root / "corpus.toml", ("version", '[item_lists]\nodd = ["t01"]\n[x]\nversion'))
    told = eec("locale", "check", "gl", "--locales", root).output
    assert f"{root}/corpus.toml:" in told
    assert f"{root}/gl/corpus.toml" not in told


def test_checking_is_one_process_without_heavy_libraries():
    code = (
        "import sys, pathlib; from eec_datasets.checks import check; "
        f"check(pathlib.Path({str(BASE / 'gl')!r})); "
        "print([name for name in ('pyarrow', 'datasets', 'numpy', 'pandas', 'scipy', 'torch') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_every_check_finds_something_in_a_bad_locale_or_a_change():
    """But for two that only a mistake of the other checks would let through."""
    texts = [path.read_text(encoding="utf-8") for path in (BASE.parent / "bad").glob("*/expected.txt")]
    texts += [path.read_text(encoding="utf-8") for path in (TESTS / "snapshots/checks").glob("*.txt")]
    last_resort = {"sentences.not-rendered", "key.not-rendered"}
    assert {entry["level"] for entry in checks().values()} == set(LEVELS)
    unmet = set()
    for name, entry in checks().items():
        assert entry["what"].rstrip(".") == entry["what"] != "", name
        assert entry["fix"], name
        sentence = "[^\\n]*".join(re.escape(part) for part in re.split(r"\{[^}]*\}", entry["what"]))
        if not name.startswith("corpus.") and not any(re.search(sentence, text) for text in texts):
            unmet.add(name)
    assert unmet <= last_resort


def test_what_is_told_of_flags_and_names(root, snapshot):
    shutil.copytree(root / "gl", root / "en")
    emma = "Emma,added,constructed,"
    change(root / "en" / "persons.csv", (emma, f"{emma}unisex"))
    told = [finding.what for finding in check(root / "gl").findings]
    assert told == ["'emma' has the flag unisex in one language only: en"]
    change(root / "corpus.toml", ("version", 'own_flags = ["unisex"]\nversion'))
    assert check(root / "gl").findings == ()
    change(root / "corpus.toml", ('own_flags = ["unisex"]\n', ""))
    change(root / "en" / "persons.csv", (f"{emma}unisex", emma))
    girl = "this girl,added,constructed,"
    change(root / "gl" / "persons.csv", (f"Emma,,{emma}", f"Irada,,{emma}unisex"), (girl, f"{girl}homograph"))
    rows = [f"{word},added,constructed,,,,,," for word in ("enfadada", "irada")]
    cells = [(row, f"{row}homograph") for row in rows]
    change(root / "gl" / "words.csv", ("checker,note", "checker,note,flags"), (",,,\n", ",,,,\n"), *cells)
    found = (str(finding) for finding in check(root / "gl").findings)
    snapshot.check("checks/flags", "\n".join(line for line in found if "flag" in line or "word of" in line) + "\n")


BAD = sorted(path.name for path in (BASE.parent / "bad").iterdir())


def made(case: str, root: Path) -> Path:
    """The base locale with the files of a case laid over it."""
    shutil.copytree(BASE, root)
    for path in (BASE.parent / "bad" / case).iterdir():
        if path.name == "missing.txt":
            (root / "gl" / path.read_text(encoding="utf-8").strip()).unlink()
        elif path.name != "expected.txt":
            shutil.copy(path, root if path.name == "axes.toml" else root / "gl")
    return root / "gl"


def test_the_base_locale_is_without_a_finding():
    assert len(BAD) >= 100
    assert str(check(BASE / "gl")) == "gl: nothing found"


@pytest.mark.parametrize("case", BAD)
def test_a_mistake_is_told_exactly_and_nothing_is_touched_or_loaded(case, tmp_path):
    folder = made(case, tmp_path / "locales")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert str(check(folder)) == (BASE.parent / "bad" / case / "expected.txt").read_text(encoding="utf-8").rstrip("\n")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    if problems := read_locale(folder)[1]:
        with pytest.raises(FileProblems) as caught:
            load_locale("gl", folder.parent)
        assert caught.value.problems == tuple(problems)
    else:
        assert load_locale("gl", folder.parent).tag == "gl"


ENOUGH = """\
judy,names,name,,female,Anglo,f,Judy,,Judy,added,constructed,,,,
paul,names,name,,male,Anglo,m,Paul,,Paul,added,constructed,,,,
dora,names,name,,female,Latino,f,Dora,,Dora,added,constructed,,,,
luis,names,name,,male,Latino,m,Luis,,Luis,added,constructed,,,,
"""
"""A second name for each cell; if a cell alone lacks it, an audit refuses the config."""


def test_the_command_prints_each_finding_with_its_line(tmp_path, snapshot):
    told = []

    def run(title: str, folder: Path, *arguments: str) -> None:
        result = eec("locale", "check", *arguments, "--locales", folder)
        told.append(f"== {title}\n{result.output.replace(str(folder), 'LOCALES')}{result.exit_code}")

    for number, (case, *arguments) in enumerate(
        [
            ("everything-at-once", "gl"), ("unused-row", "gl"), ("unused-row",), ("unknown-flag", "gl", "--json"),
            ("not-nfc", "gl", "--no-notes"), ("unknown-flag", "xx"),
        ]
    ):  # fmt: skip
        folder = made(case, tmp_path / str(number)).parent
        with (folder / "gl" / "persons.csv").open("a", encoding="utf-8") as persons:
            persons.write(ENOUGH)
        shutil.copytree(BASE / "gl", folder / "ia")
        run(f"{case}: {' '.join(arguments)}", folder, *arguments)
    folder = made("unused-row", tmp_path / "few").parent
    with (folder / "gl" / "persons.csv").open("a", encoding="utf-8") as persons:
        persons.write(ENOUGH.partition("\n")[2])
    run("one name in a cell, two in the others", folder, "gl", "--no-notes")
    run("no locales", BASE.parent)
    snapshot.check("checks/command", "\n".join(told))
