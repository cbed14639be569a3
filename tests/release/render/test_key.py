"""The answer keys come out to the letter, and frames give what rendering each sentence alone would give."""

import unicodedata
from functools import cache

import pytest
from texts import csv_rows

from benchmarks.rendering import contexts, one_by_one
from eec_bias.shared import grouped
from eec_datasets import corpora
from eec_datasets.checks import check
from eec_datasets.locale.model import PERSON_TYPES
from eec_datasets.locale.reading import load_locale, locales_folder, tags
from eec_datasets.render.choice import choose
from eec_datasets.render.grid import grid_of
from eec_datasets.render.items import items_of

TAGS = tags()
APPROVED = {"en": 600, "es": 600, "ar": 600}
DRAFTS = 44
"""Sentences per draft language that were fixed before its locale was written."""


@cache
def rows_of(tag):
    return csv_rows(locales_folder() / tag / "expected.csv")


def asked_of(row):
    """Config, variants, speaker and the set of templates that a row is from, whatever the config takes by itself."""
    first_of = {"papers": "t01", "varied": "t12", "decisions": "t64", None: "t76"}  # None: those of the config
    (*_, items) = (name for name, first in first_of.items() if row["id"] >= first)
    return row["config"], row["variants"], row["speaker"], items


def sentences(config, variants, speaker, items, approved):
    """The sentences with the templates, words and persons of these ids, each beside the others of its pair."""
    found, asked = corpora.find(config), dict(part.split("=") for part in variants.split())
    choice = choose(found.locale, found.spec, asked, speaker or None, items)
    parts = [sentence.split("/") for sentence in approved]
    cells, persons = {(template, word) for template, word, *_ in parts}, {part[-1] for part in parts}
    pairs = {person.pair for person in choice.persons if person.id in persons} - {""}
    only = [person for person in choice.persons if person.id in persons or person.pair in pairs]
    grid = [cell for cell in choice.grid if (cell[0].id, cell[1].id) in cells]
    for item in items_of(choice, choice.persons, [], only=only, grid=grid):
        yield from ((f"{item.id}/{person.id}", text) for person, text in zip(item.persons, item.texts, strict=True))


@pytest.mark.parametrize("tag", TAGS)
def test_every_approved_sentence_comes_out_to_the_letter(tag):
    for asked, rows in grouped((asked_of(row), row) for row in rows_of(tag)).items():
        approved = {row["id"]: unicodedata.normalize("NFC", row["sentence"]) for row in rows}
        got = dict(sentences(*asked, approved))
        assert {row: got.get(row) for row in approved} == approved


NOTED = {
    "es": "names of es-anglo-latino: an accent or a letter beyond a–z is more frequent in some groups than in others: "
          "Anglo 0 of 20, Latino 5 of 20; ",
    "ar": "names of ar-anglo-arab, in the role acc: a vowel sign or other diacritic is more frequent in some groups "
          "than in others: "
          "Anglo 0 of 20, Arab 9 of 20; female 0 of 20, male 9 of 20; "
          "Anglo female 0 of 10, Anglo male 0 of 10, Arab female 0 of 10, Arab male 9 of 10",
}  # fmt: skip
"""Notes, with counts, on letters and marks that fall unevenly on the names of the papers; each by its beginning."""


@pytest.mark.parametrize("tag", TAGS)
def test_a_key_is_complete_and_the_locale_without_an_error(tag):
    rows = rows_of(tag)
    assert len(rows) >= APPROVED.get(tag, DRAFTS)
    assert {row["id"].split("/")[0] for row in rows} == {template.id for template in load_locale(tag).templates}
    report = check(locales_folder() / tag)
    assert [str(finding) for finding in (*report.of("error"), *report.of("warning"))] == []
    assert report.unchecked == ()
    assert tag not in NOTED or any(finding.what.startswith(NOTED[tag]) for finding in report.of("note"))


@pytest.mark.parametrize("tag", ["en", "es", "ar"])
def test_every_varied_template_is_approved_for_both_genders(tag):
    locale = load_locale(tag)
    people = {
        (f"{tag}-{key}", person.id): (person.type, person.identity["gender"])
        for key, spec in locale.configs.items()
        for person in locale.persons
        if person.set in spec.sets
    }
    found = {
        (row["id"].split("/")[0], *people.get((row["config"], row["id"].rpartition("/")[2]), ("", "")))
        for row in rows_of(tag)
    }
    varied = locale.item_sets.templates["varied"]
    assert len(varied) == 52
    assert {(t, k, g) for t in varied for k in PERSON_TYPES for g in ("female", "male")} <= found


@pytest.mark.parametrize(
    ("name", "speaker"),
    [("en-black-white", None), ("es-anglo-latino", "crossed"), ("ar-anglo-arab", None), ("es-spain-arab-100", None)],
)
def test_frames_change_nothing(name, speaker):
    config = corpora.find(name)
    columns = corpora.render(name, speaker=speaker).columns
    alone = one_by_one(config.locale.finish, contexts(choose(config.locale, config.spec, {}, speaker)))
    assert dict(zip(columns["id"], columns["text"], strict=True)) == alone


def test_a_part_of_grid_and_persons_gives_a_part_of_the_sentences():
    config = corpora.find("es-gender")
    choice = choose(config.locale, config.spec)
    whole = {
        item.id: {person.id: text for person, text in zip(item.persons, item.texts, strict=True)}
        for item in items_of(choice, choice.persons, [])
    }
    lattice = list(grid_of(config.locale, config.spec))[::7]
    few = [person for person in choice.persons if person.pair == "mother_father"]
    for item in items_of(choice, choice.persons, [], only=few, grid=lattice):
        assert list(item.texts) == [whole[item.id][person.id] for person in few]
    assert {item.id for item in items_of(choice, choice.persons, [], grid=lattice)} <= set(whole)
