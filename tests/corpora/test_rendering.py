"""Frames give the sentences that rendering every sentence on its own would give."""

import pytest

from eec_datasets import corpora
from eec_datasets.locale.agreement import select
from eec_datasets.locale.finishing import finished
from eec_datasets.locale.templating import Controller, Inflecting, compiled
from eec_datasets.render.frames import role_form
from eec_datasets.render.items import choose, items_of


class OnePerson(Controller):
    """A person whose roles give their forms directly."""

    __slots__ = ("of",)

    def __getitem__(self, role):
        return self.of(role)


def one_by_one(name, speaker):
    """Every sentence of a config from one `template.render` each: no frames, no caches."""
    config = corpora.find(name)
    locale = config.locale
    choice = choose(locale, config.spec, {}, speaker)
    persons = [person for person in locale.persons if person.set in choice.sets]
    features = choice.setting.features
    nouns = {key: Controller(noun.gram, form=noun.form) for key, noun in locale.nouns.items()}
    for item in items_of(locale, choice, persons):
        for person in persons:
            view = OnePerson(person.gram)
            object.__setattr__(view, "of", lambda role, p=person: role_form(locale, p, role, choice.setting))
            speaks = {**locale.speaker.gram}
            if item.speaker_gender:
                speaks["gender"] = locale.speaker.genders[item.speaker_gender]
            words = {**item.template.words, **({item.template.kind: item.word} if item.word else {})}
            context = {
                "person": view,
                "speaker": Controller(speaks),
                "noun": nouns,
                **{
                    key: Inflecting(lambda asked, w=word: select(w, {**asked, **features}).text, word.gram)
                    for key, word in words.items()
                },
            }
            text = choice.patterns[item.template.id].text(person.type)
            yield f"{item.id}/{person.id}", finished(compiled(text).render(context), locale.finish)


@pytest.mark.parametrize(
    ("name", "speaker"),
    [("en-black-white", None), ("es-anglo-latino", "crossed"), ("ar-anglo-arab", None)],
)
def test_frames_change_nothing(name, speaker):
    columns = corpora.render(name, speaker=speaker).columns
    assert dict(zip(columns["id"], columns["text"], strict=True)) == dict(one_by_one(name, speaker))
