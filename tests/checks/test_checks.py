"""What the checks of a locale look for, shown on small changes of a locale that is without a finding."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from eec_datasets.checks import Finding, Report, check
from eec_datasets.checks.characters import visible
from eec_datasets.checks.properties import properties
from eec_datasets.checks.report import report
from eec_datasets.errors import Place
from eec_datasets.locale.reading import locales_folder
from eec_datasets.locale.toml_file import read_toml

BASE = Path(__file__).parent / "base"


def change(folder: Path, name: str, *pairs: tuple[str, str]) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    (folder / name).write_text(text, encoding="utf-8")


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


def test_a_report_without_errors_is_ok():
    assert report("xx", [Finding("note", "evenness", Place("words.csv", 3), "a", "b")]).ok


def test_what_cannot_be_seen_is_shown_as_an_escape():
    assert visible("a\u202eb\u200bc é") == "a\\u202eb\\u200bc é"


# Forms


def test_a_word_may_agree_with_the_sound_of_the_emotion_word(folder):
    change(folder, "locale.toml", ('gender = ["f", "m"]', 'gender = ["f", "m"]\nonset = ["vowel", "consonant"]'))
    change(folder, "templates.toml", ("nunha {{", "{{ article | agree(situation) }} {{"))
    change(
        folder,
        "templates.toml",
        (
            'changes = ["person"]\n\n[t04]',
            'forms.article = { vowel = "nunh\'", consonant = "nunha" }\nchanges = ["person"]\n\n[t04]',
        ),
    )
    assert told(folder)[0] == (
        "words.csv:7: error: the word on this line has no onset, on which 'article' depends in template t03. "
        "Fill the column gram.onset"
    )
    with (folder / "words.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    with (folder / "words.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [*row, "gram.onset" if at == 0 else "consonant"] for at, row in enumerate(rows)
        )
    assert told(folder) == [
        "templates.toml:14: warning: nobody asks for 'nunh'', a form of 'article' in template t03. Remove it"
    ]


def test_a_partial_person_may_lack_forms_and_that_is_noted(folder):
    change(folder, "locale.toml", ('gender = ["f", "m"]', 'gender = ["f", "m", "common"]'))
    change(
        folder,
        "persons.csv",
        ("checker,note", "checker,note,partial"),
        (",,,,\n", ",,,,,\n"),
        (
            "she,pronouns",
            "kin,noun-phrases,noun_phrase,girl_boy,neutral,,common,esta xente,,this kin,added,constructed,,,,,yes\n"
            "she,pronouns",
        ),
    )
    assert [line for line in told(folder) if "evenness" not in line and "unevenly" not in line] == [
        "expected.csv:1: error: no approved sentence of template t01 for: noun_phrase neutral. "
        "Write one by hand for each, and have it read",
        "expected.csv:1: error: no approved sentence of template t02 for: noun_phrase neutral. "
        "Write one by hand for each, and have it read",
        "expected.csv:1: error: no approved sentence of template t03 for: noun_phrase neutral. "
        "Write one by hand for each, and have it read",
        "persons.csv:8: note: 'kin' is left out of 2 items (t01/angry …) of gl-names, "
        "where a word would have to choose. The row says partial=yes",
        "persons.csv:8: note: noun phrases and pronouns of gl-names: the mean length in letters differs: female 6.0, "
        "male 5.5, neutral 10.0. A difference between these groups may be one of spelling",
    ]


# Pairs


def test_identical_sentences_are_no_pair_and_that_is_noted(folder):
    change(folder, "persons.csv", ("f,ela,na,", "f,ese,o,"), ("m,el,no,", "m,ese,o,"))
    change(folder, "templates.toml", ("{{ alone | agree(person) }}'\nforms", "só'\nforms"))
    change(folder, "expected.csv", ("Ela ", "Ese "), ("El ", "Ese "))
    found = told(folder)
    assert (
        "persons.csv:8: note: she and he are no pair in 7 items (t01/sad …) of gl-names, "
        "where their sentences are identical: 'Ese séntese triste.'. They are left out"
    ) in found
    assert (
        "expected.csv:6: error: 't01/sad/she' is left out of gl-names: it makes no pair there. Remove the row"
    ) in found


def test_a_neutral_reference_may_change_more_if_the_template_says_so(folder):
    change(folder, "locale.toml", ('gender = ["f", "m"]', 'gender = ["f", "m", "e"]'))
    change(folder, "templates.toml", ('{ f = "soa", m = "só" }', '{ f = "soa", m = "só", e = "soe" }'))
    change(
        folder,
        "templates.toml",
        ("{{ person.nom }} fíxome", "{{ person.nom }} {{ so | agree(person) }} fíxome"),
        ('changes = ["person"]\n\n[t03]', 'forms.so = { f = "xa", m = "xa", e = "xe" }\nchanges = ["person"]\n\n[t03]'),
    )
    change(
        folder,
        "persons.csv",
        (
            "she,pronouns",
            "kid,noun-phrases,noun_phrase,girl_boy,neutral,,e,este nene,,this kid,added,constructed,,,,\nshe,pronouns",
        ),
    )
    change(
        folder,
        "words.csv",
        (
            "sad,state",
            "angry,state,anger,e,plain,enfadade,added,constructed,,,,,\nangry,state,anger,e,formal,irade,added,constructed,,,,,\nsad,state",
        ),
    )
    told_first = [line for line in told(folder) if line.startswith("templates.toml")]
    assert told_first == [
        "templates.toml:6: error: template t02 shows 'xa' with 'girl' and 'xe' with 'kid': 2 slots change "
        "(person, so), changes_neutral lists 1 (person). Add 'so' to changes_neutral, or mend the text"
    ]
    change(
        folder,
        "templates.toml",
        ('changes = ["person"]\n\n[t03]', 'changes = ["person"]\nchanges_neutral = ["person", "so"]\n\n[t03]'),
    )
    assert [line for line in told(folder) if line.startswith("templates.toml")] == []


def test_a_refused_neutral_reference_may_not_stand_in_a_config(folder):
    change(folder, "locale.toml", ("[configs.names]", '[neutral]\nrefused = "There is none."\n\n[configs.names]'))
    change(
        folder,
        "persons.csv",
        (
            "she,pronouns",
            "kid,noun-phrases,noun_phrase,girl_boy,neutral,,m,este neto,,this kid,added,constructed,,,,\nshe,pronouns",
        ),
    )
    assert (
        "persons.csv:8: error: 'kid' is neutral, config 'names' has it, and [neutral] refused says there is none. "
        "Make its set optional, or remove the refusal"
    ) in told(folder)


# Evenness


def test_accents_that_only_one_group_has_are_named_with_their_counts():
    with (locales_folder() / "es" / "persons.csv").open(encoding="utf-8", newline="") as file:
        names = [row for row in csv.DictReader(file) if row["set"] == "anglo-latino"]
    latino = [row for row in names if row["id.race"] == "Latino"]
    accented = sum(not row["nom"].isascii() for row in latino)
    assert accented > 0
    assert all(row["nom"].isascii() for row in names if row["id.race"] == "Anglo")
    start = (
        "names of es-anglo-latino: an accent or a letter beyond a–z falls unevenly: "
        f"Anglo 0 of 20, Latino {accented} of 20; "
    )
    assert [what for what in notes_of("es") if what.startswith(start)]


def test_the_arabic_accusative_falls_on_nine_arab_men():
    assert (
        "names of ar-anglo-arab, in the role acc: a vowel sign or other diacritic falls unevenly: "
        "Anglo 0 of 20, Arab 9 of 20; female 0 of 20, male 9 of 20; "
        "Anglo female 0 of 10, Anglo male 0 of 10, Arab female 0 of 10, Arab male 9 of 10"
    ) in notes_of("ar")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("Xo-l", "a hyphen"),
        ("Xo'l", "an apostrophe"),
        ("XoeL", "a capital inside a word"),
        ("xoel", "a small first letter"),
        ("Xo.l", "another punctuation mark or a digit"),
        ("Xo l", "more than one word"),
        ("Xoél", "an accent or a letter beyond a–z"),
    ],
)
def test_a_property_of_one_name_is_named(folder, name, what):
    change(folder, "persons.csv", ("m,Xoel,", f"m,{name},"))
    change(folder, "expected.csv", ("Xoel f", f"{name[0].upper()}{name[1:]} f"), ("a Xoel", f"a {name}"))
    assert told(folder) == [
        f"persons.csv:5: note: names of gl-names: {what} falls unevenly: Anglo 0 of 2, Latino 1 of 2; "
        "female 0 of 2, male 1 of 2; Anglo female 0 of 1, Anglo male 0 of 1, Latino female 0 of 1, Latino male 1 of 1. "
        "A difference between these groups may be one of spelling"
    ]


def test_lengths_are_told_where_the_means_are_a_letter_apart(folder):
    change(folder, "persons.csv", ("f,Rosa,", "f,Rosalia,"))
    change(folder, "expected.csv", ("Rosa ", "Rosalia "))
    end = "A difference between these groups may be one of spelling"
    assert told(folder) == [
        f"persons.csv:2: note: names of gl-names: the mean length in letters differs: female 5.5, male 4.0. {end}",
        f"persons.csv:4: note: names of gl-names: the mean length in letters differs: Anglo 4.0, Latino 5.5. {end}",
    ]


def test_a_flag_and_a_feature_that_fall_on_one_group_are_told(folder):
    change(folder, "locale.toml", ('gender = ["f", "m"]', 'gender = ["f", "m"]\nonset = ["vowel", "consonant"]'))
    change(
        folder,
        "persons.csv",
        ("gram.gender,", "gram.gender,gram.onset,"),
        (",f,", ",f,consonant,"),
        (",m,", ",m,consonant,"),
    )
    change(
        folder,
        "persons.csv",
        ("consonant,Emma", "vowel,Emma"),
        ("Adam,added,constructed,", "Adam,added,constructed,unisex"),
    )
    assert told(folder) == [
        "persons.csv:2: note: names of gl-names: the grammatical feature onset falls unevenly: Anglo female vowel 1; "
        "Anglo male consonant 1; Latino female consonant 1; Latino male consonant 1. "
        "Words that agree with it differ between these groups",
        "persons.csv:3: note: names of gl-names: the flag unisex falls unevenly: Anglo 1 of 2, Latino 0 of 2; "
        "female 0 of 2, male 1 of 2; Anglo female 0 of 1, Anglo male 1 of 1, Latino female 0 of 1, Latino male 0 of 1. "
        "See whether a difference between these groups stands without them",
    ]


def test_what_is_even_is_not_told(folder):
    change(
        folder,
        "persons.csv",
        *[(f",{name},,", f",{name[0]}-{name[1:]},,") for name in ("Emma", "Adam", "Rosa", "Xoel")],
    )
    change(
        folder, "expected.csv", *[(f"{name} ", f"{name[0]}-{name[1:]} ") for name in ("Emma", "Adam", "Rosa", "Xoel")]
    )
    assert told(folder) == []


def test_properties_of_forms_are_told_by_name():
    assert properties("Rosa") == ()
    assert properties("María José") == ("an accent or a letter beyond a–z", "more than one word")
    assert properties("محمدًا") == ("a vowel sign or other diacritic",)
    assert properties("أندرو") == ("a hamza or madda",)
    assert properties("O'Neil-McCoy 2") == (
        "a capital inside a word",
        "a hyphen",
        "an apostrophe",
        "another punctuation mark or a digit",
        "more than one word",
    )
    assert properties("Мария") == ()


# Characters


def test_a_latin_letter_in_arabic_text_is_an_error(tmp_path):
    shutil.copytree(locales_folder() / "ar", tmp_path / "ar")
    shutil.copy(locales_folder() / "corpus.toml", tmp_path)
    change(tmp_path / "ar", "words.csv", ("الانزعاج", "الانزعاجa"))
    line = next(
        at
        for at, row in enumerate((tmp_path / "ar" / "words.csv").read_text(encoding="utf-8").splitlines(), 1)
        if "الانزعاجa" in row
    )
    assert (
        f"words.csv:{line}: error: column 'form' has LATIN SMALL LETTER A (U+0061) in Arabic text: 'الانزعاجa'. "
        "Write it in the script of the language"
    ) in told(tmp_path / "ar")


def test_a_joiner_between_letters_of_a_joining_script_is_a_warning_only(tmp_path):
    shutil.copytree(locales_folder() / "ar", tmp_path / "ar")
    shutil.copy(locales_folder() / "corpus.toml", tmp_path)
    change(tmp_path / "ar", "locale.toml", ("notes = [", 'notes = [\n  "می‌شود",'))
    assert (
        "warning: the invisible character ZERO WIDTH NON-JOINER (U+200C) after '  \"می'. "
        "Keep it only where the spelling of the language asks for it"
    ) in "\n".join(told(tmp_path / "ar"))


def test_a_hidden_character_behind_a_toml_escape_is_found(folder):
    change(folder, "templates.toml", ("'Vin a {{ person.nom }} {{", '"Vin\\u200b a {{ person.nom }} {{'))
    change(
        folder,
        "templates.toml",
        ("{{ alone | agree(person) }}'\ntext.pronoun = 'Vin{{", "{{ alone | agree(person) }}\"\ntext.pronoun = 'Vin{{"),
    )
    assert (
        "templates.toml:18: error: the invisible character ZERO WIDTH SPACE (U+200B) after 'Vin'. Remove it"
    ) in told(folder)


# The English locale beside


def test_what_the_english_locale_has_and_this_one_lacks_is_told(folder):
    shutil.copytree(folder, folder.parent / "en")
    change(
        folder.parent / "en",
        "words.csv",
        ("terrible,situation,fear", "grim,situation,fear,f,,grim,added,c,,,,,\nterrible,situation,anger"),
    )
    change(folder, "templates.toml", ("[t04", "[t05"))
    change(folder, "expected.csv", ("t04", "t05"))
    assert told(folder) == [
        "templates.toml:1: warning: of what the English locale has, template t04 cannot be found. "
        "Add what the language can say",
        "words.csv:1: warning: of what the English locale has, word grim cannot be found. "
        "Add what the language can say",
        "words.csv:9: error: the word 'terrible' is situation fear here and situation anger in the English locale. "
        "Results of the two languages are compared: make them agree",
    ]


# The files as they are


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


def test_a_space_that_is_not_normalised_is_told_like_any_letter(folder):
    path = folder / "words.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("triste,added", "triste\u2000,added"), encoding="utf-8")
    told = [str(finding) for finding in check(folder).findings if "NFC" in finding.what]
    assert told == [
        "words.csv:6: error: not in Unicode NFC: 'sad,state,sadness,,,triste\u2002,added,constructed,,,,,' "
        "is written with EN QUAD (U+2000). Save the file in NFC"
    ]
