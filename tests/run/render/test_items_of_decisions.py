"""The items that people decide about: applications, messages to be moderated, requests."""

from itertools import product

import pytest
from texts import csv_rows

from eec_datasets import corpora
from eec_datasets.locale.reading import locales_folder

CONFIGS = {"en": "en-black-white-100", "es": "es-anglo-latino-100", "ar": "ar-anglo-arab-100"}
TEMPLATES = [f"t{number}" for number in range(64, 76)]


@pytest.mark.parametrize("config", CONFIGS.values())
def test_there_are_twelve_items_without_an_emotion(config: str) -> None:
    columns = corpora.render(config, items="decisions", names=2).columns
    assert sorted(set(columns["item"])) == [f"{template}/none" for template in TEMPLATES]
    assert set(columns["emotion"]) == {"none"}


@pytest.mark.parametrize("config", CONFIGS.values())
def test_no_sentence_of_them_stands_twice(config: str) -> None:
    texts = corpora.render(config, items="decisions").columns["text"]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("tag", CONFIGS)
def test_every_template_is_keyed_for_both_genders_of_every_type(tag: str) -> None:
    keyed = set()
    for row in csv_rows(locales_folder() / tag / "expected.csv"):
        template, _, person_id = row["id"].split("/", 2)
        if template in TEMPLATES:
            (person,) = (each for each in corpora.find(row["config"]).persons if each.id == person_id)
            keyed.add((template, person.type, person.identity["gender"]))
    assert keyed == set(product(TEMPLATES, ("name", "noun_phrase", "pronoun"), ("female", "male")))


def test_a_language_without_them_says_so() -> None:
    with pytest.raises(corpora.InputError, match="decisions"):
        corpora.render("fr-gender", items="decisions")
