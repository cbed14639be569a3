"""What the checks of a locale look for, shown on small changes of a locale that is without a finding."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from eec_datasets.checks import Finding, Report, check
from eec_datasets.checks.characters import visible
from eec_datasets.checks.properties import ORDER, properties
from eec_datasets.checks.report import LEVELS, checks, report
from eec_datasets.errors import Place
from eec_datasets.locale.reading import locales_folder
from eec_datasets.locale.toml_file import read_toml

BASE = Path(__file__).parent / "base"


def change(folder: Path, name: str, *pairs: tuple[str, str]) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new) if old else new
    path.write_text(text, encoding="utf-8")


def told(folder: Path) -> list[str]:
    return [str(finding) for finding in check(folder).findings]


def notes_of(tag: str) -> list[str]:
    return [finding.what for finding in check(locales_folder() / tag).of("note")]


def test_a_report_is_sorted_and_tells_everything_once():
    one = Finding("note", "evenness", Place("words.csv", 3), "a", "b")
    two = Finding("error", "forms", Place("words.csv", 3), "c", "d")
    three = Finding("warning", "unused", Place("persons.csv", 9), "e", "f")
    made = report("xx", [one, two, three, one])
    assert made == Report("xx", (three, two, one), ())
    assert str(made) == (
        "xx/persons.csv:9: warning: e. f\n"
        "xx/words.csv:3: error: c. d\n"
        "xx/words.csv:3: note: a. b\n"
        "xx: 1 error, 1 warning, 1 note"
    )
    assert not made.ok
    assert report("xx", [one]).ok


def test_what_cannot_be_seen_is_shown_as_an_escape():
    assert visible("a\u202eb\u200bc é") == "a\\u202eb\\u200bc é"


ONSET = ("locale.toml", 'gender = ["f", "m"]', 'gender = ["f", "m"]\nonset = ["vowel", "consonant"]')
COMMON = ("locale.toml", 'gender = ["f", "m"]', 'gender = ["f", "m", "common"]')
THIRD = ("locale.toml", 'gender = ["f", "m"]', 'gender = ["f", "m", "e"]')
PARTIAL = ("persons.csv", ("checker,note", "checker,note,partial"), (",,,,\n", ",,,,,\n"))
KID = "kid,noun-phrases,noun_phrase,girl_boy,neutral,,{gram},{form},,this kid,added,constructed,,,,\nshe,pronouns"
NAMES = ("Emma", "Adam", "Rosa", "Xoel")
SO = ("templates.toml", "{{ person.nom }} fíxome", "{{ person.nom }} {{ so | agree(person) }} fíxome")
FORMS_OF_SO = """forms.so = { f = "xa", m = "xa", e = "xe" }\n"""
NEUTRAL = [
    THIRD, SO,
    ("templates.toml", '{ f = "soa", m = "só" }', '{ f = "soa", m = "só", e = "soe" }'),
    ("persons.csv", "she,pronouns", KID.format(gram="e", form="este nene")),
    ("words.csv", "sad,state", "angry,state,anger,e,plain,enfadade,added,constructed,,,,,\n"
                               "angry,state,anger,e,formal,irade,added,constructed,,,,,\nsad,state"),
]  # fmt: skip
END_OF_T02 = 'changes = ["person"]\n\n[t03]'
ARTICLE = [
    ONSET,
    ("templates.toml", "nunha {{", "{{ article | agree(situation) }} {{"),
    ("templates.toml", 'changes = ["person"]\n\n[t04]',
     """forms.article = { vowel = "nunh'", consonant = "nunha" }\nchanges = ["person"]\n\n[t04]"""),
]  # fmt: skip
NAMED = [("X" + name[1:], name) for name in ("Xo-l", "Xo'l", "XoeL", "xoel", "Xo.l", "Xo l", "Xoél")]
SPEAKER = 'genders = { female = "f", male = "m" }\ndefault = "male"\n'
LONG_TEXT = """final = "!"\ntext.long = 'Alí {{ alone | agree(person) }} {{ person.nom }}'\ntext.default = 'Vin a"""
CASES = {
    "a word that agrees with the sound of the emotion word": ARTICLE,
    "the same, where every emotion word has its sound": [
        *ARTICLE, ("words.csv", "checker,note\n", "checker,note,gram.onset\n"),
        ("words.csv", ",,,\n", ",,,,consonant\n"), ("words.csv", "reserve,,,,consonant", "reserve,,,,consonant")],
    "a partial person": [
        COMMON, PARTIAL[:1] + PARTIAL[1], PARTIAL[:1] + PARTIAL[2],
        ("persons.csv", "she,pronouns", "kin,noun-phrases,noun_phrase,girl_boy,neutral,,common,esta xente,,this kin,"
                                        "added,constructed,,,,,yes\nshe,pronouns")],
    "identical sentences": [
        ("persons.csv", "f,ela,na,", "f,ese,o,"), ("persons.csv", "m,el,no,", "m,ese,o,"),
        ("templates.toml", "{{ alone | agree(person) }}'\nforms", "só'\nforms"),
        ("expected.csv", "Ela ", "Ese "), ("expected.csv", "El ", "Ese ")],
    "a neutral reference that changes more": [
        *NEUTRAL, ("templates.toml", END_OF_T02, FORMS_OF_SO + END_OF_T02)],
    "a neutral reference that changes more, and the template says so": [
        *NEUTRAL,
        ("templates.toml", END_OF_T02,
         FORMS_OF_SO + 'changes = ["person"]\nchanges_neutral = ["person", "so"]\n\n[t03]')],
    "a refused neutral reference": [
        ("locale.toml", "[configs.names]", '[neutral]\nrefused = "There is none."\n\n[configs.names]'),
        ("persons.csv", "she,pronouns", KID.format(gram="m", form="este neto"))],
    **{f"the name {name}": [("persons.csv", "m,Xoel,", f"m,{name},"), ("expected.csv", "Xoel f", f"{first} f"),
                            ("expected.csv", "a Xoel", f"a {name}")] for first, name in NAMED},
    "a longer name": [("persons.csv", "f,Rosa,", "f,Rosalia,"), ("expected.csv", "Rosa ", "Rosalia ")],
    "a flag and a feature on one group": [
        ONSET, ("persons.csv", "gram.gender,", "gram.gender,gram.onset,"), ("persons.csv", ",f,", ",f,consonant,"),
        ("persons.csv", ",m,", ",m,consonant,"), ("persons.csv", "consonant,Emma", "vowel,Emma"),
        ("persons.csv", "Adam,added,constructed,", "Adam,added,constructed,unisex")],
    "a property that falls evenly": [
        (file, old.format(name), new.format(f"{name[0]}-{name[1:]}")) for name in NAMES
        for file, old, new in (("persons.csv", ",{},,", ",{},,"), ("expected.csv", "{} ", "{} "))],
    "a hidden character behind a TOML escape": [
        ("templates.toml", "'Vin a {{ person.nom }} {{", '"Vin\\u200b a {{ person.nom }} {{'),
        ("templates.toml", "{{ alone | agree(person) }}'\ntext.pronoun = 'Vin{{",
         "{{ alone | agree(person) }}\"\ntext.pronoun = 'Vin{{")],
    "a speaker without a gender": [("locale.toml", SPEAKER, "")],
    "a speaker that the locale does not have": [
        ("locale.toml", SPEAKER, 'features = { gender = "m" }\n'),
        ("locale.toml", "[configs.names]", '[configs.names]\nspeaker = "female"')],
    "a word that agrees with nobody": [
        ("templates.toml", "séntese {{ state | agree(person) }}", "séntese {{ state }}")],
    "a level that nobody has": [
        ("country.csv", "", "level,form,source\nMexico,de México,constructed\n"),
        ("../axes.toml", 'Mexico = "constructed"', 'Mexico = "constructed"\nPeru = "constructed"')],
    "a config with some of the templates": [
        ("locale.toml", "[configs.names]", '[configs.names]\ntemplates = ["t01", "t02"]')],
    "a config with items that are not there": [
        ("../corpus.toml", "[flags]", '[item_lists]\nfew = ["t01/sad", "t01/none"]\n\n[flags]'),
        ("locale.toml", "[configs.names]", '[configs.names]\nitems = "few"')],
    "lists that hold other things": [
        ("../corpus.toml", "[flags]", '[item_lists]\nodd = ["t01"]\ntwice = ["t01/sad", "t01/sad"]\n\n[flags]')],
    "a text for persons with a feature, and a final mark of its own": [
        ("locale.toml", 'gender = ["f", "m"]', 'gender = ["f", "m"]\nphrase = ["long"]'),
        ("persons.csv", "gram.gender,", "gram.gender,gram.phrase,"), ("persons.csv", ",f,", ",f,,"),
        ("persons.csv", ",m,", ",m,,"), ("persons.csv", "f,,esta", "f,long,esta"),
        ("persons.csv", "m,,este", "m,long,este"),
        ("templates.toml", "text.default = 'Vin a", LONG_TEXT),
        ("expected.csv", "Vin a esta nena soa.", "Alí soa esta nena!"), ("expected.csv", "soa.", "soa!"),
        ("expected.csv", "Vin a este neno só.", "Alí só este neno!"), ("expected.csv", "só.", "só!")],
    "a space that is not composed": [("words.csv", "triste,added", "triste\u2000,added")],
}  # fmt: skip


def test_small_changes_of_a_sound_locale_are_told(tmp_path, snapshot):
    lines = []
    for number, (case, changes) in enumerate(CASES.items()):
        folder = tmp_path / str(number) / "gl"
        shutil.copytree(BASE, folder.parent)
        for name, old, new in changes:
            change(folder, name, (old, new))
        lines += [f"== {case}", *(told(folder) or ["nothing found"])]
    snapshot.check("checks/small_changes", "\n".join(lines))


def test_what_falls_unevenly_on_names_of_the_papers_is_named_with_its_counts():
    with (locales_folder() / "es" / "persons.csv").open(encoding="utf-8", newline="") as file:
        names = [row for row in csv.DictReader(file) if row["set"] == "anglo-latino"]
    accented = Counter(row["id.race"] for row in names if not row["nom"].isascii())
    assert set(accented) == {"Latino"}
    accents = (
        "names of es-anglo-latino: an accent or a letter beyond a–z falls unevenly: "
        f"Anglo 0 of 20, Latino {accented['Latino']} of 20; "
    )
    assert any(what.startswith(accents) for what in notes_of("es"))
    assert (
        "names of ar-anglo-arab, in the role acc: a vowel sign or other diacritic falls unevenly: "
        "Anglo 0 of 20, Arab 9 of 20; female 0 of 20, male 9 of 20; "
        "Anglo female 0 of 10, Anglo male 0 of 10, Arab female 0 of 10, Arab male 9 of 10"
    ) in notes_of("ar")


@pytest.mark.parametrize(
    ("form", "places"), [("Rosa", ()), ("Мария", ()), ("María José", (0, 8)), ("محمدًا", (1,)), ("أندرو", (2,)),
                         ("rosa", (3,)), ("O'Neil-McCoy 2", (4, 5, 6, 7, 8))],
)  # fmt: skip
def test_properties_of_forms_are_told_by_name(form, places):
    assert properties(form) == tuple(ORDER[place] for place in places)


def test_letters_of_another_script_are_errors_and_joiners_of_a_joining_script_warnings(tmp_path, snapshot):
    shutil.copytree(locales_folder() / "ar", tmp_path / "ar")
    shutil.copy(locales_folder() / "corpus.toml", tmp_path)
    change(tmp_path / "ar", "words.csv", ("الانزعاج", "الانزعاجa"))
    change(tmp_path / "ar", "locale.toml", ("notes = [", 'notes = [\n  "می‌شود",'))
    snapshot.check(
        "checks/arabic", "\n".join(str(found) for found in check(tmp_path / "ar").findings if found.check == "text")
    )


def test_what_the_english_locale_has_and_this_one_lacks_is_told(folder, snapshot):
    shutil.copytree(folder, folder.parent / "en")
    grim = "grim,situation,fear,f,,grim,added,c,,,,,\nterrible,situation,anger"
    change(folder.parent / "en", "words.csv", ("terrible,situation,fear", grim))
    change(folder, "templates.toml", ("[t04", "[t05"))
    change(folder, "expected.csv", ("t04", "t05"))
    snapshot.check("checks/parity", "\n".join(told(folder)))


def test_checking_is_one_process_without_heavy_libraries():
    code = (
        "import sys, pathlib; from eec_datasets.checks import check; "
        f"check(pathlib.Path({str(BASE / 'gl')!r})); "
        "print([name for name in ('pyarrow', 'datasets', 'numpy', 'pandas', 'scipy', 'torch') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_line_of_a_toml_file_is_found_for_dotted_and_inline_keys(tmp_path):
    (tmp_path / "x.toml").write_text("[a]\nb.c = 1\n[a.d]\ne = { f = 2 }\n", encoding="utf-8")
    file = read_toml(tmp_path / "x.toml")
    places = [file.place("a"), file.place("a", "b", "c"), file.place("a", "d", "e", "f"), file.place("z")]
    assert [place.line for place in places] == [1, 2, 4, 1]


def test_every_check_of_a_locale_is_shown_by_a_bad_locale_or_a_small_change():
    """But for two that only a mistake of the other checks would let through."""
    texts = [path.read_text(encoding="utf-8") for path in (BASE.parent / "bad").glob("*/expected.txt")]
    texts += [path.read_text(encoding="utf-8") for path in (BASE.parents[1] / "snapshots/checks").glob("*.txt")]
    last_resort = {"sentences.not-rendered", "key.not-rendered"}
    assert {entry.level for entry in checks().values()} == set(LEVELS)
    unmet = set()
    for name, entry in checks().items():
        assert entry.what, name
        assert entry.mend, name
        sentence = "[^\\n]*".join(re.escape(part) for part in re.split(r"\{[^}]*\}", entry.what))
        if entry.family != "corpus" and not any(re.search(sentence, text) for text in texts):
            unmet.add(name)
    assert unmet <= last_resort
