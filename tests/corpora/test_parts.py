"""A part of a corpus is balanced, nested, the same in every language, and refused where it cannot be."""

from collections import Counter

import pytest

import eec_datasets
from eec_datasets import corpora
from eec_datasets.errors import UnknownVariant

HUNDRED = "en-black-white-100"
KINDS = {template.id: template.kind for template in corpora.find(HUNDRED).locale.templates}


def items(config=HUNDRED, **part):
    columns = corpora.render(config, names=2, **part).columns
    return set(zip(columns["item"], columns["template"], columns["word"], columns["emotion"], strict=True))


def names(config=HUNDRED, **part):
    columns = corpora.render(config, items=8, **part).columns
    people = set(zip(columns["person"], columns["person_type"], columns["race"], columns["gender"], strict=True))
    return {person for person in people if person[1] == "name"}


@pytest.mark.parametrize("count", [8, 11, 16, 24, 37, 40, 44, 48])
def test_kinds_and_emotions_are_as_even_as_the_number_allows_and_no_template_or_word_comes_twice(count):
    part = items(items=count)
    said = [(KINDS[template], word, emotion) for _, template, word, emotion in part if word != "none"]
    assert (len(part), len(said)) == (count, min(count, 40))
    assert len({template for _, template, _, _ in part}) == count
    assert len({word for _, word, _ in said}) == len(said)
    for counts in (Counter(kind for kind, _, _ in said), Counter(emotion for _, _, emotion in said)):
        assert max(counts.values()) - min(counts.values()) <= 1


def test_a_smaller_part_is_in_a_larger_one_and_another_seed_takes_others():
    assert items(items=8) < items(items=16) < items(items=40)
    assert names(names=5) < names(names=36)
    assert items(items=8, seed=1) != items(items=8)
    assert names(names=5, seed=1) != names(names=5)


def test_every_cell_has_as_many_names_and_noun_phrases_and_pronouns_stay():
    assert set(Counter(person[2:] for person in names(names=36)).values()) == {36}
    types = Counter(corpora.render(HUNDRED, names=36, items=24).columns["person_type"])
    assert types == {"name": 4 * 36 * 24, "noun_phrase": 18 * 24, "pronoun": 2 * 24}


def test_the_cells_of_a_part_have_names_of_the_same_ranks():
    ranks = {person.id: person.rank for person in corpora.find(HUNDRED).locale.persons if person.set == HUNDRED[3:]}
    cells = {}
    for person, _, race, gender in names(names=9):
        cells.setdefault((race, gender), set()).add(ranks[person])
    assert len(cells) == 4
    assert [len(found) for found in cells.values()] == [9] * 4
    assert len(set(map(frozenset, cells.values()))) == 1


def test_two_languages_take_the_same_items_and_the_same_people():
    assert items(items=12) == items("ar-anglo-arab-100", items=12)
    assert {name[0] for name in names("en-anglo-latino-100", names=7)} == {
        name[0] for name in names("es-anglo-latino-100", names=7)
    }


def test_a_part_has_the_sentences_of_the_whole():
    whole = dict(zip(*(corpora.render(HUNDRED).columns[column] for column in ("id", "text")), strict=True))
    part = eec_datasets.load(HUNDRED, names=100, items=16)
    assert dict(zip(part["id"], part["text"], strict=True)).items() <= whole.items()
    assert Counter(part["person_type"])["name"] == 6400
    assert part.info.config_name == HUNDRED


def test_all_items_are_every_template_of_the_config_with_every_word_of_its_kind():
    columns = corpora.render(HUNDRED, names=2, items="all").columns
    assert len(set(columns["item"])) == 22 * 20 + 22 * 20 + 8
    assert len(set(corpora.render("en-gender", items="lattice").columns["item"])) == 48


@pytest.mark.parametrize(
    ("config", "part", "told"),
    [
        (HUNDRED, {"items": 7}, "items is 7; it can be a number from 8 to 48"),
        (HUNDRED, {"items": 49}, "items is 49; it can be a number from 8 to 48"),
        (HUNDRED, {"items": 12.0}, "items is 12.0; expected a whole number"),
        (HUNDRED, {"items": "latice"}, "items is 'latice'; it can be: all, lattice, papers, varied, or a number of "),
        (HUNDRED, {"names": 101}, "names is 101; it can be a number from 2 to 100 (of every cell)"),
        (HUNDRED, {"names": True}, "names is True; expected a whole number"),
        (HUNDRED, {"names": 5, "seed": "1"}, "seed is '1'; expected a whole number"),
        ("en-country", {"names": 5}, "names is 5, and this config has no names"),
        ("en-black-white", {"items": 12}, "items is 12, and this config has templates that meet several words: a part "
         "would not be balanced. Name a config whose items each have a template of their own, such as "
         'en-black-white-100, or items="lattice"'),
        ("fr-gender", {"items": "varied"}, "locale 'fr' has no template t12; templates and sets: papers, varied, t01"),
        ("fr-gender", {"items": "lattice"}, "locale 'fr' has no item 't12/relieved'; expected a template and a word"),
    ],
)  # fmt: skip
def test_a_part_that_cannot_be_taken_is_refused_with_what_can_be(config, part, told):
    with pytest.raises(UnknownVariant) as refused:
        eec_datasets.load(config, **part)
    assert str(refused.value).startswith(told)


def test_a_part_cannot_be_taken_of_a_build(tmp_path):
    with pytest.raises(UnknownVariant, match="names, items cannot be chosen of the build"):
        eec_datasets.load(str(tmp_path), HUNDRED, names=5, items=8)
