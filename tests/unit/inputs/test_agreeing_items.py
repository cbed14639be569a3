"""Items whose words agree with the person are told from items that are the same sentence."""

from dataclasses import replace

import pandas as pd

from eec_bias.inputs.containers import read_source
from eec_bias.inputs.design import build_design
from eec_bias.inputs.observed import label_rows
from eec_bias.inputs.wording import find_agreeing, read_forms, words_agree
from eec_bias.options import DEFAULTS
from eec_bias.stats.contrasts import build_contrasts

PERSONS = {"female": ("Ana", "Eva"), "male": ("Juan", "Luis")}
PAIRS = {"female": ("la señora", "mi tía"), "male": ("el señor", "mi tío")}


def _rows(items, persons=PERSONS, pair=False):
    """Rows of items, each with a word, its forms by gender, and a function from person and form to the text."""
    rows = []
    for item, word, forms, text in items:
        for gender, names in persons.items():
            for number, name in enumerate(names):
                form = forms[gender]
                rows.append(
                    {
                        "text": text(name, form),
                        "person": name,
                        "person_form": name,
                        "gender": gender,
                        "race": "white" if number else "Black",
                        "item": item,
                        "word": word,
                        "word_form": form,
                        "template": item,
                        "emotion": "none" if word == "none" else "joy",
                        "pair": f"{item}/{number}" if pair else item,
                    }
                )
    return pd.DataFrame(rows)


def _find(frame, axes=("gender",), term="gender"):
    source = read_source(frame)
    observed = label_rows(source, replace(DEFAULTS, axes=axes))
    (table,) = build_design(observed).tables
    contrast = next(each for each in build_contrasts(table.axes) if each.term == term)
    agrees = find_agreeing(table, contrast, observed, read_forms(observed))
    return dict(zip(table.items, agrees.tolist(), strict=True)), words_agree(agrees, table, observed)


def _feels(person, form):
    return f"{person} se siente {form}."


BOTH = {"female": "contenta", "male": "contento"}
ONE = {"female": "feliz", "male": "feliz"}
NONE = {"female": "none", "male": "none"}

ITEMS = [
    ("i1", "glad", BOTH, _feels),
    ("i2", "happy", ONE, _feels),
    ("i3", "calm", BOTH, _feels),
    ("i4", "none", NONE, lambda person, _: f"Vi a {person} en el mercado."),
    ("i5", "none", NONE, lambda person, _: f"{person} está {'sentada' if person in ('Ana', 'Eva') else 'sentado'}."),
]


def test_word_forms_and_texts_without_a_word_decide():
    agrees, split = _find(_rows(ITEMS))
    assert agrees == {"i1": True, "i2": False, "i3": True, "i4": False, "i5": True}
    assert split


def test_an_axis_that_moves_no_form_agrees_nowhere():
    agrees, split = _find(_rows(ITEMS), axes=("race",), term="race")
    assert not any(agrees.values())
    assert not split


def test_a_reflexive_pronoun_makes_no_english_item_agree():
    def found(person, form):
        return f"{person} found {'herself' if person in ('Ana', 'Eva') else 'himself'} in a {form} situation."

    agrees, split = _find(_rows([("i1", "odd", {"female": "odd", "male": "odd"}, found), *ITEMS[1:2]]))
    assert not any(agrees.values())
    assert not split


def test_forms_are_compared_within_pairs():
    rows = _rows(ITEMS[:4], PAIRS, pair=True)
    agrees, split = _find(rows)
    assert agrees == {"i1": True, "i2": False, "i3": True, "i4": False}
    assert split


def test_a_contracted_article_is_part_of_the_person():
    def of(person, _):
        return f"Hablé de {person} ayer.".replace("de el ", "del ")

    agrees, _ = _find(_rows([*ITEMS[:2], ("i6", "none", NONE, of)], PAIRS, pair=True))
    assert agrees["i6"] is False


def test_without_forms_no_item_is_known_to_agree():
    agrees, split = _find(_rows(ITEMS).drop(columns="word_form"))
    assert not any(agrees.values())
    assert not split
