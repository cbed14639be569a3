"""Checks of a language that someone has just begun, or to which they add an axis or a join."""

import re
from functools import cache

import pytest
from commands import eec
from languages import few, languages
from texts import change, keep

from eec_datasets.checks import check


@cache
def report(folder):
    """Return the findings of the check, which runs once in each folder."""
    return check(folder)


def told(folder, *checks):
    return [str(finding) for finding in report(folder).findings if finding.check in checks]


@pytest.fixture(scope="module")
def turkish(tmp_path_factory):
    """Turkish with a template of each kind, and the sentences of its key that are of these."""
    root = languages(tmp_path_factory.mktemp("turkish"), "en")
    few(root, "tr")
    keep(root / "tr" / "expected.csv", lambda line: re.match("config|#|tr-gender,t0[158]/", line))
    return root / "tr"


def test_a_language_with_few_templates_gets_few_warnings(turkish):
    warnings = [str(finding) for finding in report(turkish).of("warning")]
    assert len(warnings) < 8
    assert any("no template uses 20 forms of one kind" in warning for warning in warnings)


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    """German without a sentence in its key."""
    root = languages(tmp_path_factory.mktemp("german"), "en", "de")
    keep(root / "de" / "expected.csv", lambda line: line.startswith("config"))
    return root / "de"


def test_what_the_key_lacks_is_one_line(german):
    (line,) = told(german, "key")
    assert line.startswith("expected.csv:1: error: the answer key is incomplete: 11 findings, the first of them: ")
    assert line.endswith("Write the sentences by hand; eec locale check de --key lists them")


def test_what_the_key_lacks_is_listed_where_that_is_asked_for(german):
    output = eec("locale", "check", "de", "--key", "--locales", german.parent).output
    assert output.count("the answer key has no sentence of template") == 11


@pytest.fixture(scope="module")
def spanish(tmp_path_factory):
    """Spanish without a keyed sentence of a religion or of a nurse, and with a join that never comes about."""
    folder = languages(tmp_path_factory.mktemp("spanish"), "en", "es") / "es"
    keep(folder / "expected.csv", lambda line: not re.match("es-religion|.*-nurse,", line))
    change(folder / "locale.toml", ("joins = [", 'joins = [{ from = "w wsp", to = "we wsp" }, '))
    return folder


def test_an_axis_without_a_keyed_sentence_is_an_error(spanish):
    (line,) = [line for line in told(spanish, "key") if "error" in line]
    assert line.startswith("religion.csv:1: error: the answer key has no sentence with the axis 'religion'. Write ")


def test_a_level_without_a_keyed_sentence_is_a_note(spanish):
    assert [line for line in told(spanish, "key") if "note" in line] == [
        "profession.csv:1: note: the answer key has no sentence for these levels of the axis 'profession': nurse. "
        "Write a sentence for each by hand into expected.csv"
    ]


def test_a_join_that_never_comes_about_is_told(spanish):
    (line,) = [line for line in told(spanish, "unused") if "join" in line]
    assert "warning: the rule that joins 'w wsp' into 'we wsp' is never used: no sentence has these words" in line


def test_the_checks_of_small_languages_are_told_in_full(turkish, german, spanish, snapshot):
    snapshot.check(
        "checks/small_languages",
        "\n".join(line for folder in (turkish, german, spanish) for line in told(folder, "key", "unused")),
    )
