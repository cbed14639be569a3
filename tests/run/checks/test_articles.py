"""Articles before names: the check tells one that counts as part of a name, and families that are a group."""

import pytest
from texts import change

from eec_datasets.checks import check

ARTICLES = {"Emma": "a Emma", "Rosa": "a Rosa", "Adam": "o Adam", "Xoel": "o Xoel"}


def told(folder):
    """Return what the check says of names."""
    return [finding.what for finding in check(folder).findings if finding.check == "names"]


def rename(folder, names):
    change(folder / "persons.csv", *((f",{old},,{old},", f",{new},,{old},") for old, new in names.items()))


def declare(folder, table):
    change(folder / "locale.toml", ("[finish]", f"[families]\n{table}\n\n[finish]"))


def test_names_without_articles_are_not_told(folder):
    assert told(folder) == []


def test_an_article_that_is_not_declared_is_told_although_no_family_is_a_gender(folder):
    rename(folder, {"Emma": "a Emma", "Rosa": "a Rosa"})
    assert told(folder) == [
        f"'{form}' begins with 'a' in lower case, and 'a' would count as part of the name"
        for form in ("a Emma", "a Rosa")
    ]


def test_an_article_that_makes_all_women_one_family_is_told(folder):
    rename(folder, {"Emma": "la Emma", "Rosa": "la Rosa", "Adam": "en Adam", "Xoel": "en Xoel"})
    found = told(folder)
    for level, family in (("female", "la "), ("male", "en ")):
        assert any(f"all names of '{level}' and no others begin with '{family}'" in text for text in found)


def test_names_of_a_group_that_all_begin_alike_are_told(folder):
    rename(folder, {"Rosa": "Xoela"})
    assert told(folder) == [
        "in gl-names, all names of 'Latino' and no others begin with 'xoe', so a test cannot tell names from the group"
    ]


def test_a_declared_article_is_no_part_of_a_name(folder):
    rename(folder, ARTICLES)
    declare(folder, 'articles = ["a", "o"]')
    assert told(folder) == []


def test_a_declared_article_that_is_written_with_a_capital_is_told(folder):
    rename(folder, {"Emma": "A Emma"})
    declare(folder, 'articles = ["a", "o"]')
    assert told(folder) == ["the name 'A Emma' begins with 'A', which [families] declares as an article"]


@pytest.mark.parametrize("form", ["A Emma", "a A Emma", "de'Emma"])
def test_a_name_that_is_kept_may_begin_as_an_article_does(folder, form):
    rename(folder, {"Emma": form})
    declare(folder, 'articles = ["a", "o"]\nkept = ["A Emma", "de\'Emma"]')
    assert told(folder) == []


def test_an_empty_article_is_refused(folder):
    declare(folder, 'articles = [""]')
    assert "an article is empty" in str(check(folder))


def test_a_name_in_two_scripts_is_told(folder):
    rename(folder, {"Emma": "Emma Эмма"})
    assert any("in Latin text: 'Emma Эмма'" in finding.what for finding in check(folder).of("error"))
