"""A language is started from a sheet alone: a made-up one with two genders and four cases, filled in cell by cell.

Its author writes texts, names and, by hand, the answer key; nothing is programmed. The tag `ie` only carries it.
"""

import csv
import io
import shlex
import shutil

import pytest
from commands import refused, succeed
from languages import languages

TAG = "ie"
ENDINGS = {
    ("f", "nom"): "a", ("f", "acc"): "am", ("f", "gen"): "e", ("f", "instr"): "ai",
    ("m", "nom"): "o", ("m", "acc"): "om", ("m", "gen"): "u", ("m", "instr"): "oi",
    ("f", "prep"): "ei", ("n", "prep"): "eti",
}  # fmt: skip
TEMPLATES = {
    "t01": '{{ person.nom }} sente se {{ state | agree(person, case="instr") }}',
    "t02": 'La situada fase {{ person.acc }} sentir se {{ state | agree(person, case="instr") }}',
    "t03": 'Mi {{ made | agree(speaker) }} {{ person.acc_own }} sentir se {{ state | agree(person, case="instr") }}',
    "t04": '{{ person.nom }} {{ made | agree(person) }} mi sentir se {{ state | agree(speaker, case="instr") }}',
    "t05": "{{ person.nom }} {{ ended_up | agree(person) }} en "
    "{{ situation | agree(noun.situatsiya) }} {{ noun.situatsiya }}",
    "t06": "{{ person.nom }} {{ told | agree(person) }} toti de "
    "{{ situation | agree(noun.sobytiya) }} {{ noun.sobytiya }}",
    "t07": '{{ noun.razgovor }} kon {{ person.instr }} fudo {{ situation | agree(noun.razgovor, case="instr") }}',
    "t08": "Mi {{ saw | agree(speaker) }} {{ person.acc_own }} en merkado",
    "t09": "Mi {{ talked | agree(speaker) }} kon {{ person.instr_own }} ieri",
    "t10": "{{ person.nom }} vade a skola de nosu barrio",
    "t11": "Apud {{ person.gen }} esti du pueri",
}
VERBS = {"made": "fasi", "ended_up": "trovi", "told": "narri", "saw": "vidi", "talked": "parli"}
NOUNS = {"situatsiya": "situei", "sobytiya": "sukseti", "razgovor": "Parlado"}
PRONOUNS = {
    "she": {"nom": "ila", "acc": "loa", "gen": "lua", "instr": "lia"},
    "he": {"nom": "ilo", "acc": "lo", "gen": "lu", "instr": "li"},
}
KEY = {  # as an author says them, from the English beside the empty cells
    "t01": "{nom} sente se baidai. / {nom} sente se baidoi.",
    "t02": "La situada fase {acc} sentir se baidai. / La situada fase {acc} sentir se baidoi.",
    "t03": "Mi fasira {acc} sentir se baidai. / Mi fasira {acc} sentir se baidoi.",
    "t04": "{nom} fasira mi sentir se baidai. / {nom} fasiro mi sentir se baidai.",
    "t05": "{nom} trovira en kaidei situei. / {nom} troviro en kaidei situei.",
    "t06": "{nom} narrira toti de kaideti sukseti. / {nom} narriro toti de kaideti sukseti.",
    "t07": "Parlado kon {instr} fudo kaidoi. / Parlado kon {instr} fudo kaidoi.",
    "t08": "Mi vidira {acc} en merkado. / Mi vidira {acc} en merkado.",
    "t09": "Mi parlira kon {instr} ieri. / Mi parlira kon {instr} ieri.",
    "t10": "{nom} vade a skola de nosu barrio. / {nom} vade a skola de nosu barrio.",
    "t11": "Apud {gen} esti du pueri. / Apud {gen} esti du pueri.",
}
KEYED = {
    "woman": {"nom": "esta dama", "acc": "estam damam", "gen": "este dame", "instr": "estai damai"},
    "man": {"nom": "esto domo", "acc": "estom domom", "gen": "estu domu", "instr": "estoi domoi"},
    **PRONOUNS,
    "female-1": {"nom": "Bela", "acc": "Belam", "gen": "Bele", "instr": "Belai"},
    "male-1": {"nom": "Belo", "acc": "Belom", "gen": "Belu", "instr": "Beloi"},
}
NAMES = ("Bel", "Dor", "Fim", "Gal", "Her", "Kim", "Lel", "Mor", "Nim", "Pel")
STEMS = {"angry": "baid", "annoying": "kaid", "woman": "dam", "man": "dom"}


def stem(id_):
    """A made-up stem for each word and noun phrase."""
    number = len(STEMS)
    return STEMS.setdefault(id_, "bdfgklmnpr"[number % 10] + "aeiou"[number // 10 % 5] + "lmnrstv"[number // 50] + "t")


def text_of(row):
    """What the author writes into a cell of the sheet."""
    file, _, rest = row["key"].partition(":")
    if file == "persons.csv":
        return form_of_person(rest, row)
    if file == "words.csv":
        word, features = rest.split(":")
        asked = dict(each.split("=") for each in features.split("."))
        return stem(word) + ENDINGS[asked.get("gender", "n"), asked["case"]]
    first, second, *further = rest.split(".")
    if file == "locale.toml":
        return NOUNS[second]
    return VERBS[further[0]] + {"f": "ra", "m": "ro"}[further[1]] if further else TEMPLATES[first]


def form_of_person(rest, row):
    person, role = rest.partition("/")[2].split(":")
    gender = "f" if ", female" in row["wanted"] else "m"
    case, own, _ = role.partition("_")
    if own:  # like the form without it
        return ""
    if person in PRONOUNS:
        return PRONOUNS[person][case]
    if rest.startswith("names/"):
        return NAMES[int(person.partition("-")[2]) - 1] + ENDINGS[gender, case]
    first = "mi " if row["english"].startswith("my") else f"est{ENDINGS[gender, case]} "
    return first + stem(person) + ENDINGS[gender, case]


def filled(sheet):
    """The sheet with every cell written, and a source for what needs one."""
    rows = list(csv.DictReader(io.StringIO(sheet)))
    for row in rows:
        if not row["key"].startswith("#"):
            row["text"] = text_of(row)
            row["source"] = "" if ".toml" in row["key"] else "made up for this test"
            row["translator"] = "A. Writer"
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def keyed(key):
    """The answer key with a sentence in every row."""
    rows = list(csv.DictReader(io.StringIO(key)))
    for row in rows:
        if not row["config"].startswith("#"):
            template, _, person = row["id"].split("/")
            of_woman, of_man = KEY[template].split(" / ")
            sentence = (of_woman if person in ("woman", "she", "female-1") else of_man).format(**KEYED[person])
            row["sentence"] = sentence[0].upper() + sentence[1:]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.fixture(scope="module")
def text_of_sheet(tmp_path_factory):
    """The text of the sheet that somebody else's folder of languages gave, filled in."""
    folder = tmp_path_factory.mktemp("elsewhere")
    path = folder / "sheet.csv"
    succeed("locale", "new", TAG, "--from", "ru", "--sheet", path, "--locales", languages(folder, "en", "ru"))
    return filled(path.read_text(encoding="utf-8"))


@pytest.fixture
def sheet(text_of_sheet, tmp_path):
    """The sheet as a file of this test's own."""
    path = tmp_path / "sheet.csv"
    path.write_text(text_of_sheet, encoding="utf-8")
    return path


@pytest.fixture
def root(tmp_path_factory):
    """English and Russian at the same place for every test, so that what was read there is still known."""
    folder = tmp_path_factory.getbasetemp() / "started"
    shutil.rmtree(folder, ignore_errors=True)
    return languages(folder, "en", "ru")


def test_a_language_started_from_a_sheet_checks_clean(sheet, root):
    told = succeed("locale", "import", TAG, sheet, "--from", "ru", "--locales", root).output
    assert f"{TAG} is ready" in told
    key = root / TAG / "expected.csv"
    key.write_text(keyed(key.read_text(encoding="utf-8")), encoding="utf-8")
    assert succeed("locale", "check", TAG, "--no-notes", "--locales", root).output == f"{TAG}: 2 notes\n"


def test_what_stood_beside_a_word_as_a_hint_is_gone_when_it_is_written(sheet, root):
    succeed("locale", "import", TAG, sheet, "--from", "ru", "--locales", root)
    assert "ru: " not in (root / TAG / "words.csv").read_text(encoding="utf-8")


def test_half_a_sheet_starts_a_language_and_says_what_is_left(sheet, root):
    lines = sheet.read_text(encoding="utf-8").splitlines(keepends=True)
    sheet.write_text("".join(lines[:100]), encoding="utf-8")
    told = succeed("locale", "import", TAG, sheet, "--from", "ru", "--locales", root).output
    assert "98 rows taken in" in told
    assert "Still to be written: " in told


@pytest.mark.parametrize("kind", ["csv", "po"])
def test_a_sheet_that_was_written_from_a_filled_language_starts_it_again(kind, sheet, root):
    succeed("locale", "import", TAG, sheet, "--from", "ru", "--locales", root)
    again = sheet.with_name(f"again.{kind}")
    succeed("locale", "export", TAG, "--format", kind, "--out", again, "--locales", root)
    former = (root / TAG / "words.csv").read_text(encoding="utf-8")
    shutil.rmtree(root / TAG)
    told = succeed("locale", "import", TAG, again, "--from", "ru", "--locales", root).output
    assert "Still to be written" not in told
    assert (root / TAG / "words.csv").read_text(encoding="utf-8") == former


def test_a_sheet_with_a_mistake_starts_no_language(sheet, root):
    text = sheet.read_text(encoding="utf-8")
    sheet.write_text(text.replace("Parlado", "=1+1"), encoding="utf-8")
    told = refused("locale", "import", TAG, sheet, "--from", "ru", "--locales", root)
    assert "is a formula" in told
    assert not (root / TAG).exists()


def test_a_sheet_for_an_unknown_language_is_refused_with_a_way_on(sheet, root):
    told = refused("locale", "import", TAG, sheet, "--locales", root)
    assert f"eec locale import {TAG} {shlex.quote(str(sheet))} --from LIKE" in told


def test_a_language_that_is_there_is_not_started_again(sheet, root):
    told = refused("locale", "import", "ru", sheet, "--from", "en", "--locales", root)
    assert "is there already. Leave --from out" in told


def test_a_language_cannot_be_started_from_one_that_is_not_there(sheet, root):
    told = refused("locale", "import", TAG, sheet, "--from", "xx", "--locales", root)
    assert f"no locale 'xx' in {root}" in told
