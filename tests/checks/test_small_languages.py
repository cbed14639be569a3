"""What the check tells of a language that somebody has just begun, or to which they add an axis or a join."""

import re

import pytest
from commands import eec
from languages import few, languages
from texts import change, keep

from eec_datasets.checks import check


def told(folder, *checks):
    return [str(finding) for finding in check(folder).findings if finding.check in checks]


@pytest.fixture
def turkish(tmp_path):
    """Turkish with a template of each kind, and the sentences of its key that are of these."""
    languages(tmp_path, "en")
    few(tmp_path, "tr")
    keep(tmp_path / "tr" / "expected.csv", lambda line: re.match("config|#|tr-gender,t0[158]/", line))
    return tmp_path / "tr"


def test_a_language_with_few_templates_gets_few_warnings(turkish):
    warnings = [str(finding) for finding in check(turkish).of("warning")]
    assert len(warnings) < 8
    assert any("no template asks for 20 forms of one kind" in warning for warning in warnings)


@pytest.fixture
def german(tmp_path):
    """German without a sentence in its key."""
    languages(tmp_path / "german", "en", "de")
    keep(tmp_path / "german" / "de" / "expected.csv", lambda line: line.startswith("config"))
    return tmp_path / "german" / "de"


def test_what_the_key_lacks_is_one_line(german):
    (line,) = told(german, "key")
    assert line.startswith("expected.csv:1: error: the answer key is not whole: 11 findings, the first of them: ")
    assert line.endswith("Write the sentences by hand; eec locale check de --key lists them")


def test_what_the_key_lacks_is_listed_where_that_is_asked_for(german):
    output = eec("locale", "check", "de", "--key", "--locales", german.parent).output
    assert output.count("no keyed sentence of template") == 11


@pytest.fixture
def spanish(tmp_path):
    return languages(tmp_path / "spanish", "en", "es") / "es"


def test_an_axis_without_a_keyed_sentence_is_an_error(spanish):
    keep(spanish / "expected.csv", lambda line: not line.startswith("es-religion"))
    (line,) = told(spanish, "key")
    assert line.startswith("religion.csv:1: error: no keyed sentence shows the axis 'religion'. Write by hand")


def test_a_level_without_a_keyed_sentence_is_a_note(spanish):
    keep(spanish / "expected.csv", lambda line: "-buddhist," not in line)
    assert told(spanish, "key") == [
        "religion.csv:1: note: no keyed sentence shows these levels of the axis 'religion': Buddhist. "
        "Write one by hand for each into expected.csv"
    ]


def test_a_join_that_never_comes_about_is_told(spanish):
    change(spanish / "locale.toml", ("joins = [", 'joins = [{ from = "w wsp", to = "we wsp" }, '))
    (line,) = [line for line in told(spanish, "unused") if "join" in line]
    assert "warning: the join of 'w wsp' to 'we wsp' never comes about: no sentence has these words" in line


def test_the_checks_of_small_languages_are_told_in_full(turkish, german, spanish, snapshot):
    keep(spanish / "expected.csv", lambda line: not re.match("es-religion|.*-nurse,", line))
    change(spanish / "locale.toml", ("joins = [", 'joins = [{ from = "w wsp", to = "we wsp" }, '))
    snapshot.check(
        "checks/small_languages",
        "\n".join(line for folder in (turkish, german, spanish) for line in told(folder, "key", "unused")),
    )
