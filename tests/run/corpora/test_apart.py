"""Persons, levels, templates and configs that do not meet: declared once for all languages in corpus.toml."""

import pytest
from languages import languages

from eec_datasets import corpora
from eec_datasets.errors import FileProblems, Problems
from eec_datasets.locale.apart import read_apart
from eec_datasets.locale.reading import load_locale, locales_folder

TAGS = ("en", "es", "ar")
HEARING_OR_SIGHT = {"t15", "t26", "t35", "t36", "t37", "t46", "t50", "t55"}


@pytest.mark.parametrize("tag", TAGS)
def test_no_child_applies_for_anything(tag):
    persons = set(corpora.render(f"{tag}-country", items="decisions").columns["person"])
    assert "woman-haiti" in persons
    assert not [person for person in persons if person.startswith(("girl-", "boy-"))]


@pytest.mark.parametrize("tag", TAGS)
def test_a_person_who_is_left_out_of_an_item_is_told_with_the_reason(tag):
    config = next(name for name in (f"{tag}-gender", f"{tag}-anglo-arab") if corpora.look_up(name))
    dropped = corpora.render(config, items="decisions").dropped
    assert {drop.reason.partition(",")[0] for drop in dropped if drop.persons == ("girl",)} == {
        "a child applies for no job"
    }


@pytest.mark.parametrize("tag", TAGS)
def test_nobody_elderly_is_a_soldier(tag):
    soldiers = {person.base for person in load_locale(tag).persons if person.identity.get("profession") == "soldier"}
    assert "young-woman" in soldiers
    assert soldiers.isdisjoint({"elderly-woman", "elderly-man", "grandmother", "grandfather"})


@pytest.mark.parametrize("tag", TAGS)
def test_no_sentence_about_disability_assumes_hearing_or_sight(tag):
    shown = set(corpora.render(f"{tag}-disability", items="lattice").columns["template"])
    assert shown.isdisjoint(HEARING_OR_SIGHT)
    assert len(shown) == 48 - len(HEARING_OR_SIGHT - {"t46"})
    assert "t15" in corpora.render(f"{tag}-religion", items="lattice").columns["template"]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('persons = ["girl"]\nwhy = "x"', "an entry of apart names persons"),
        ('templates = ["t01"]\npersons = ["girl"]', "'apart.why' is missing"),
        ('templates = ["one"]\npersons = ["girl"]\nwhy = "x"', "'one' in templates of apart"),
        ('templates = ["t01"]\nsets = ["girl"]\nwhy = "x"', "unknown key 'apart.sets'"),
    ],
)
def test_an_entry_that_says_too_little_is_told(entry, told, tmp_path):
    (tmp_path / "corpus.toml").write_text(f"[[apart]]\n{entry}\n", encoding="utf-8")
    problems = Problems()
    read_apart(tmp_path / "corpus.toml", problems)
    assert any(told in problem.what for problem in problems.found)


def test_a_corpus_that_keeps_nothing_apart_has_every_person(tmp_path):
    root = languages(tmp_path, "en")
    text = (locales_folder() / "corpus.toml").read_text(encoding="utf-8")
    (root / "corpus.toml").write_text(text.replace("[[apart]]", "[[not_read]]"), encoding="utf-8")
    assert "girl" in corpora.render("en-gender", items="decisions", root=root).columns["person"]


def test_a_bad_entry_is_told_as_a_problem_of_the_corpus(tmp_path):
    root = languages(tmp_path, "tr")
    with (root / "corpus.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[[apart]]\nwhy = "x"\n')
    with pytest.raises(FileProblems, match="an entry of apart names nothing"):
        load_locale("tr", root)
