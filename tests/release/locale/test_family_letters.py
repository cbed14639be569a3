"""Families of names that begin alike, and endings: the letters that names share."""

import pytest

import eec_datasets
from eec_datasets import corpora
from eec_datasets.errors import FileProblems, Problems
from eec_datasets.locale.families import NameFamilies
from eec_datasets.locale.grammar import read_families
from eec_datasets.locale.reading import families_of
from eec_datasets.locale.toml_file import read_toml

RULE = NameFamilies()


@pytest.mark.parametrize(
    ("name", "family", "ending"),
    [
        ("Lakisha", "lak", "ha"),
        ("Jo", "jo", "jo"),
        ("José", "jos", "se"),
        ("Jose\u0301", "jos", "se"),
        ("Íñigo", "ini", "go"),
        ("D'Andre", "d'a", "re"),
        ("محمد", "محم", "مد"),
        ("أحمد", "احم", "مد"),
        ("مُحَمَّد", "محم", "مد"),
    ],
)
def test_letters_are_taken_without_case_and_diacritics(name, family, ending):
    assert (RULE.family(name), RULE.ending(name)) == (family, ending)


CATALAN = NameFamilies(articles=("la", "en", "l'", "senyora"), kept=("La Toya", "En-lai"))


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("la Maria", "Maria"),
        ("en Pau", "Pau"),
        ("l'Anna", "Anna"),
        ("la senyora Maria", "Maria"),
        ("la La Toya", "La Toya"),
        ("La Toya", "La Toya"),
        ("Laia", "Laia"),
        ("Enric", "Enric"),
        ("el Pau", "el Pau"),
    ],
)
def test_the_name_itself_has_no_declared_article(form, name):
    assert CATALAN.name_in(form) == name
    assert CATALAN.of(form, "name") == (RULE.family(name), RULE.ending(name))


@pytest.mark.parametrize(
    ("name", "article"), [("La Maria", "La"), ("L'Anna", "L'"), ("La Toya", None), ("En-lai", None), ("Laia", None)]
)
def test_an_article_in_another_case_is_seen(name, article):
    assert CATALAN.article_in(name) == article


def test_an_article_that_is_part_of_a_name_stays_where_none_is_declared():
    assert [RULE.family(name) for name in ("La Toya", "El-Amin")] == ["la ", "el-"]


def test_a_language_says_how_many_letters_its_names_share():
    assert NameFamilies(first=2, last=1).of("Zhang", "name") == ("zh", "g")


@pytest.mark.parametrize("kind", ["noun_phrase", "pronoun", "mention"])
def test_what_is_no_name_has_no_family(kind):
    assert RULE.of("my mother", kind) == ("none", "none")


@pytest.mark.parametrize("tag", ["en", "es", "ar"])
def test_languages_with_tables_of_names_write_their_rule_down(tag):
    folder = corpora.locales_folder() / tag
    assert "families" in read_toml(folder / "locale.toml", Problems())
    assert families_of(folder) == NameFamilies(3, 2)


def test_a_rule_of_no_letters_is_refused(tmp_path):
    (tmp_path / "locale.toml").write_text("[families]\nfirst = 0\n", encoding="utf-8")
    with pytest.raises(FileProblems, match=r"first is 0\. Write how many letters names have in common, 1 or more"):
        families_of(tmp_path)


def test_a_rule_for_other_letters_is_refused(tmp_path):
    (tmp_path / "locale.toml").write_text("[families]\nmiddle = 2\n", encoding="utf-8")
    problems = Problems()
    read_families(read_toml(tmp_path / "locale.toml", problems))
    assert "unknown key 'families.middle'. Known here: articles, first, kept, last" in str(problems.found[0])


@pytest.mark.parametrize("name", [config.name for config in corpora.configs()])
def test_every_corpus_says_what_its_names_share(name):
    columns = corpora.render(name).columns
    rows = {*zip(columns["person_type"], columns["person_form"], columns["family"], columns["ending"], strict=True)}
    assert all((family, ending) == RULE.of(form, kind) for kind, form, family, ending in rows if kind == "name")
    assert {ending for kind, _, _, ending in rows if kind != "name"} <= {"none"}


def test_rewritten_texts_say_what_the_names_put_in_share():
    rows = eec_datasets.perturb(["She said that she was late."], "en", {"Maria": "female", "Eva": "female"}).table()
    assert set(zip(*(rows[name].to_pylist() for name in ("person", "family", "ending")), strict=True)) == {
        ("original", "none", "none"), ("maria", "mar", "ia"), ("eva", "eva", "va"),
    }  # fmt: skip
