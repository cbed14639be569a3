"""A scaffold names everything that is still to be written, and touches nothing that is there."""

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from commands import eec
from texts import csv_rows, keep

from eec_datasets.contribute.scaffold import scaffold
from eec_datasets.errors import InputError, OutputError
from eec_datasets.locale.reading import read_locale, tags
from eec_datasets.locale.toml_file import read_toml


def cells(path):
    return [row for row in csv_rows(path) if not row[next(iter(row))].startswith("#")]


@pytest.mark.parametrize("like", ["en", "es", "ar"])
def test_every_empty_cell_has_its_english_and_is_named_by_the_check(like, root):
    folder = scaffold("sv", like, root)
    words, persons = cells(folder / "words.csv"), cells(folder / "persons.csv")
    assert len({word["id"] for word in words}) == 40
    assert all(word["english"] and not word["form"] for word in words)
    assert Counter(person["type"] for person in persons) == {"name": 20, "noun_phrase": 18, "pronoun": 2}
    assert not any(person["nom"] or person["source"] for person in persons)
    assert all(person["english"] for person in persons if person["type"] != "name")
    _, problems = read_locale(folder)
    named = {(problem.place.file, problem.what) for problem in problems}
    assert ("templates.toml", "the text of t01 is still to be written") in named
    assert ("persons.csv", "column 'nom' of 'woman' is empty") in named
    assert ("words.csv", "column 'form' of 'angry' is empty") in named
    assert not [problem for problem in problems if "not known" in problem.what or "unknown" in problem.what]


@pytest.mark.parametrize("like", tags())
def test_a_scaffold_asks_only_for_values_persons_and_sets_that_it_has(like, root):
    folder = scaffold("sv", like, root)
    assert not [problem.what for problem in read_locale(folder)[1] if "the feature value" in problem.what]
    persons, key = cells(folder / "persons.csv"), cells(folder / "expected.csv")
    assert {row["id"].rsplit("/", 1)[1] for row in key} <= {person["id"] for person in persons}
    grammar = read_toml(folder / "locale.toml")
    assert set(grammar.table("configs", "gender")["sets"]) == {person["set"] for person in persons}
    if like == "es":  # what only that language needs is left out
        assert grammar.table("features")["gender"] == ["f", "m"]
        assert "nom_plain" not in (folder / "locale.toml").read_text(encoding="utf-8")
        assert not [row for row in cells(folder / "words.csv") if row["gender"] == "e"]


def test_a_word_of_one_form_has_a_row_for_each_gender_of_its_kind(root):
    rows = cells(scaffold("ca", "es", root) / "words.csv")
    assert [(row["gender"], row["note"]) for row in rows if row["id"] == "sad"] == [
        ("f", "es: triste"),
        ("m", "es: triste"),
    ]
    assert [(row["gender"], row["number"]) for row in rows if row["id"] == "dreadful"] == [("f", "sg"), ("m", "pl")]


def test_a_language_without_names_can_be_begun_from(root):
    keep(root / "pt/persons.csv", lambda line: ",names,name," not in line)
    assert {person["gram.gender"] for person in cells(scaffold("sv", "pt", root) / "persons.csv")} == {"", "f", "m"}


def test_a_scaffold_that_was_broken_off_leaves_no_locale_behind(root, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", killed)
        with pytest.raises(KeyboardInterrupt):
            scaffold("sv", "en", root)
    assert "sv" not in tags(root)
    assert len(tags(root)) == 11
    assert sorted(path.name for path in scaffold("sv", "en", root).iterdir()) == [
        "expected.csv", "locale.toml", "persons.csv", "templates.toml", "words.csv",
    ]  # fmt: skip
    assert not list(root.glob(".sv.*"))


def test_what_cannot_be_begun_is_told_and_nothing_is_touched(root, monkeypatch, snapshot):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    before, told = (root / "es/words.csv").read_bytes(), []
    for tag, like in (*((tag, "en") for tag in ("es", "xq", "und", "ES", "pt-br")), ("sv", "da"), ("sv", "en")):
        if (tag, like) == ("sv", "en"):
            monkeypatch.setattr(Path, "mkdir", refused)
        with pytest.raises((InputError, OutputError) if like == "en" else InputError) as error:
            scaffold(tag, like, root)
        told.append(
            f"{tag} from {like}: {error.value}".replace(str(root), "LOCALES").replace(", ".join(tags(root)), "TAGS")
        )
    monkeypatch.undo()
    assert (root / "es/words.csv").read_bytes() == before
    assert not (root / "xq").exists()
    snapshot.check("contribute/not_begun", "\n".join(told))


def test_the_next_command_that_is_told_names_the_folder_again(root):
    told = eec("locale", "new", "sv", "--from", "en", "--locales", root).output
    commands = re.findall(r"eec (locale \w+ sv --locales (?:'[^']*'|\S+))", told)
    assert len(commands) == 2
    assert all("still to be written" in eec(*shlex.split(command)).output for command in commands)
