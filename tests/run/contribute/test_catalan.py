"""Catalan from the guide: three templates, six words and six names with personal articles, and one clean check.

Its author keeps of the scaffold what is needed, fills it in, and declares articles and classes of adjectives.
"""

import re

import pytest
from commands import eec, succeed
from languages import languages
from texts import change, keep

from eec_datasets import corpora

TEMPLATES = ("t01", "t07", "t08")
TEXTS = {
    "t01": "text = '{{ person.nom }} se sent {{ state | agree(person) }}'",
    "t07": "text = 'La {{ noun.conversacion }} amb {{ person.nom }} va ser {{ situation | agree(noun.conversacion) }}'",
    "t08": "text.default = 'He vist {{ person.nom }} al mercat'\n"
    "text.pronoun = '{{ person.clitic }} vaig veure al mercat'",
}
STATES = {"angry": ("enfadada", "enfadat"), "scared": ("espantada", "espantat"), "sad": ("trista", "trist")}
SITUATIONS = {"annoying": "molesta", "terrifying": "aterridora", "wonderful": "meravellosa"}
NAMES = {"female": ("la Maria", "la Montserrat", "l'Anna"), "male": ("en Pau", "en Jordi", "l'Albert")}
PHRASES = {"woman": "aquesta dona", "man": "aquest home", "sister": "la meva germana", "brother": "el meu germà"}
PRONOUNS = {"she": ("ella", "la"), "he": ("ell", "el")}
KEY = {
    "t01/angry/{}": "{} se sent {}.",
    "t07/annoying/{}": "La conversa amb {} va ser molesta.",
    "t08/none/{}": "He vist {} al mercat.",
}


def plain(name):
    return re.sub(r"^(la |en |l')", "", name).lower()


def fill(folder):
    """Fill in the scaffold as the guide says."""
    path = folder / "templates.toml"
    head, *tables = re.split(r"^(?=\[t\d+\])", path.read_text("utf-8"), flags=re.MULTILINE)
    kept = [table for table in tables if table[1:4] in TEMPLATES]
    kept = [re.sub(r"(?m)^text.*\n", "", table) for table in kept]
    kept = [
        re.sub(r"(?m)^changes = .*$", lambda match, key=table[1:4]: f"{TEXTS[key]}\n{match[0]}", table)
        for table in kept
    ]
    path.write_text(head + "".join(kept), "utf-8")
    words = folder / "words.csv"
    keep(words, lambda line: line.split(",")[0] in ("id", *STATES, *SITUATIONS))
    for word, forms in STATES.items():
        for gender, form in zip("fm", forms, strict=True):
            write(words, rf"^{word},state,\w+,\w+,{gender},sg,", form)
    keep(words, lambda line: ",situation," not in line or (",f,sg," in line or ",f," in line))
    for word, form in SITUATIONS.items():
        write(words, rf"^{word},situation,\w+,\w+,f?,sg,", form)
    persons = folder / "persons.csv"
    wanted = [f"{gender}-{number}" for gender in NAMES for number in (1, 2, 3)]
    keep(persons, lambda line: line.split(",")[0] in ("id", *wanted, *PHRASES, *PRONOUNS))
    for gender, names in NAMES.items():
        for number, name in enumerate(names, start=1):
            write(persons, rf"^{gender}-{number},names,name,,{gender},,\w,sg,", name)
            change(persons, (f"{gender}-{number},", f"{plain(name)},"))
    for person, phrase in PHRASES.items():
        write(persons, rf"^{person},noun-phrases,.*?,\w,sg,", phrase)
    text = persons.read_text("utf-8")
    for person, (nom, clitic) in PRONOUNS.items():
        text = re.sub(
            rf"(?m)^({person},pronouns,.*?,\w,sg,),,,,added,", rf"\g<1>{nom},,,{clitic},added,a grammar", text
        )
    persons.write_text(re.sub(r"(?m),added,,", ",added,a list that the author names,", text), "utf-8")
    words.write_text(re.sub(r"(?m),added,,", ",added,a dictionary,", words.read_text("utf-8")), "utf-8")
    grammar = (folder / "locale.toml").read_text("utf-8")
    grammar = re.sub(r"(?m)^(?:situacion|acontecimientos) = .*\n", "", grammar).replace(
        'form = "…"', 'form = "conversa"'
    )
    for role in ("obj", "prep"):
        grammar = re.sub(rf"\[roles\.{role}\]\n(?:\w.*\n)*", "", grammar)
    articles = '[families]\narticles = ["la", "en", "l\'"]\n\n[endings]\n'
    classes = 'gender = [{ f = "a", m = "" }, { f = "ada", m = "at" }]\n\n[finish]'
    (folder / "locale.toml").write_text(grammar.replace("[finish]", articles + classes), "utf-8")
    rows = ["config,id,speaker,variants,sentence,note"]
    people = {plain(name): (name, gender) for gender, names in NAMES.items() for name in names[:1]}
    people |= {person: (PHRASES[person], gender) for person, gender in (("woman", "female"), ("man", "male"))}
    people |= {person: (PRONOUNS[person][0], gender) for person, gender in (("she", "female"), ("he", "male"))}
    for id_, sentence in KEY.items():
        for person, (nom, gender) in people.items():
            said = sentence.format(nom, STATES["angry"][gender == "male"])
            if person in PRONOUNS and id_.startswith("t08"):
                said = f"{PRONOUNS[person][1]} vaig veure al mercat."
            rows.append(f"ca-gender,{id_.format(person)},,,{said[0].upper()}{said[1:]},")
    (folder / "expected.csv").write_text("\n".join(rows) + "\n", "utf-8")


def write(path, start, text):
    """Write a text after the beginning of a row."""
    changed, count = re.subn(rf"(?m)({start})", rf"\g<1>{text}", path.read_text("utf-8"))
    assert count == 1, (start, count)
    path.write_text(changed, "utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = languages(tmp_path_factory.mktemp("catalan") / "locales", "en", "es")
    succeed("locale", "new", "ca", "--from", "es", "--locales", root)
    fill(root / "ca")
    return root / "ca"


def told(folder):
    result = eec("locale", "check", "ca", "--locales", folder.parent)
    return result.exit_code, result.output


def test_the_first_check_after_the_steps_of_the_guide_is_clean(folder):
    code, output = told(folder)
    assert (code, re.findall(r": (?:error|warning): .*", output)) == (0, [])


def test_families_differ_within_each_gender(folder):
    columns = corpora.render("ca-gender", root=folder.parent).columns
    rows = zip(columns["person_type"], columns["gender"], columns["family"], columns["person_form"], strict=True)
    found = {(gender, family, form) for kind, gender, family, form in rows if kind == "name"}
    assert found == {
        ("female", "mar", "la Maria"), ("female", "mon", "la Montserrat"), ("female", "ann", "l'Anna"),
        ("male", "pau", "en Pau"), ("male", "jor", "en Jordi"), ("male", "alb", "l'Albert"),
    }  # fmt: skip


def test_two_forms_that_change_places_are_told(folder, tmp_path):
    root = languages(tmp_path, "en")
    (root / "ca").mkdir()
    for path in folder.iterdir():
        (root / "ca" / path.name).write_bytes(path.read_bytes())
    change(root / "ca" / "words.csv", (",trista,", ",X,"), (",trist,", ",trista,"), (",X,", ",trist,"))
    code, output = told(root / "ca")
    assert code == 1
    assert "'trist' (f) and 'trista' (m), forms of 'sad', have the endings that [endings] gives" in output
