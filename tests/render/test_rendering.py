"""Frames give the sentences that rendering every sentence on its own would give."""

import pytest

from eec_datasets import corpora
from eec_datasets.locale.agreement import select
from eec_datasets.locale.finishing import finished
from eec_datasets.locale.templating import Controller, Inflecting, compiled
from eec_datasets.render.choice import choose
from eec_datasets.render.grid import grid_of
from eec_datasets.render.items import items_of


class Roles(dict):
    """The forms of a person, looked up when a template asks."""

    def __init__(self, choice, person):
        super().__init__()
        self.choice, self.person = choice, person

    def __contains__(self, role):
        return True

    def __getitem__(self, role):
        return self.choice.role_form(self.person, role)


def one_by_one(choice):
    """Every sentence of a config from one `template.render` each: no frames, no caches."""
    locale, features = choice.locale, choice.features
    nouns = {key: Controller(noun.gram, form=noun.form) for key, noun in locale.nouns.items()}
    for item in items_of(choice, choice.persons, []):
        gender = item.speaker if item.speaker in locale.speaker.genders else choice.locale.speaker.default
        words = {**item.template.words, **({item.template.kind: item.word} if item.word else {})}
        shared = {"speaker": Controller(locale.speaker.features(gender)), "noun": nouns} | {
            key: Inflecting(lambda asked, w=word: select(w, {**asked, **features}).text, word.gram)
            for key, word in words.items()
        }
        for person in choice.persons:
            context = {**shared, "person": Controller(person.gram, Roles(choice, person))}
            text = choice.patterns[item.template.id].text(person.type, person.gram.values())
            text = compiled(text).render(context)
            yield f"{item.id}/{person.id}", finished([text], locale.finish, item.template.final)[0]


@pytest.mark.parametrize(
    ("name", "speaker"),
    [("en-black-white", None), ("es-anglo-latino", "crossed"), ("ar-anglo-arab", None), ("es-spain-arab-100", None)],
)
def test_frames_change_nothing(name, speaker):
    config = corpora.find(name)
    columns = corpora.render(name, speaker=speaker).columns
    expected = dict(one_by_one(choose(config.locale, config.spec, {}, speaker)))
    assert dict(zip(columns["id"], columns["text"], strict=True)) == expected


def test_a_part_of_the_grid_and_of_the_persons_gives_a_part_of_the_sentences():
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
