"""Words in three languages: the same keys and fields, plural forms, groups that agree, numbers."""

import re
import tomllib
from string import Formatter

import pytest
from constructed import ARAB, BLACK, BLACK_GENDER, BLACK_WOMEN, HER, SHE, Comparison

from eec_bias.errors import InputError
from eec_bias.notes import Note, english_notes
from eec_datasets.report.numbers import Rounding, share_of, ticks
from eec_datasets.report.say import Say
from eec_datasets.report.text import fill, of, plain
from eec_datasets.report.words import FOLDER, languages, notes_in, words_of

EACH = pytest.mark.parametrize("language", ["en", "es", "ar"])


def leaves(words, path=""):
    """Give each text of a file of words with its key."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value


def keys_and_fields(language):
    """Return the fields of each key; of several texts, those of all."""
    words = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    found = {}
    for key, value in leaves(words):
        texts = value if isinstance(value, list) else [value]
        found[key] = [sorted({name for _, name, _, _ in Formatter().parse(text) if name}) for text in texts]
    return found


def is_plural(key):
    return key.startswith("count.")


@pytest.mark.parametrize("language", ["es", "ar"])
def test_a_language_has_the_keys_of_english(language):
    english, other = keys_and_fields("en"), keys_and_fields(language)

    assert {key for key in other if not is_plural(key)} == {key for key in english if not is_plural(key)}
    assert {key.rsplit(".", 1)[0] for key in other if is_plural(key)} == {
        key.rsplit(".", 1)[0] for key in english if is_plural(key)
    }


@pytest.mark.parametrize("language", ["es", "ar"])
def test_each_note_has_a_sentence_with_the_fields_of_the_english_one(language):
    english, other = english_notes(), notes_in(language)

    assert set(other) == set(english)
    for key, text in other.items():
        fields = {(name, spec) for _, name, spec, _ in Formatter().parse(text) if name}
        known = {name for _, name, _, _ in Formatter().parse(english[key]) if name}
        assert {name for name, _ in fields} <= known, key
        assert {spec for _, spec in fields} <= {""}, key


def test_a_note_is_said_in_the_language_of_the_page():
    note = Note("few_persons", {"subset": "names", "cells": "race=Black"})
    inner = Note("in_part", {"by": "emotion", "label": "joy", "note": Note("few_items", {"fewest": 8})})

    assert Say("en").note(note) == str(note)
    assert Say("es").note(note).startswith("names: menos de 5 personas con race=Black")
    assert "٨" in Say("ar").note(inner)


@pytest.mark.parametrize(("language", "said"), [("es", "0,0123 más bajas"), ("ar", "٠٫٠١٢٣")])
def test_a_number_in_a_note_has_three_digits(language, said):
    values = {"subset": "names", "subject": "svm", "level": "Black", "low": 0.0012345, "high": 0.0212345, "p": 0.00012}

    assert f"{said} (" in Say(language).note(Note("signal_lower", {**values, "effect": 0.0123456789}))


@pytest.mark.parametrize("language", ["es", "ar"])
def test_a_text_has_the_fields_of_the_english_one(language):
    english, other = keys_and_fields("en"), keys_and_fields(language)
    optional = {"groups", "about"}

    for key, fields in english.items():
        if is_plural(key) or key.startswith(("forms.", "groups.")):
            continue
        for first, second in zip(fields, other[key], strict=True):
            assert set(first) - optional == set(second) - optional, key


def test_marks_of_a_text_come_in_pairs():
    for language in languages():
        for key, value in leaves(words_of(language)):
            for text in value if isinstance(value, list) else [value]:
                assert text.count("**") % 2 == 0, (language, key)
                assert text.replace("**", "").count("*") % 2 == 0, (language, key)


def test_a_language_without_words_names_those_that_have_some():
    with pytest.raises(InputError, match="no words for reports in 'fr': expected one of ar, en, es"):
        Say("fr")


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 1, "1 point"),
        ("en", 8, "8 points"),
        ("es", 1, "1 punto"),
        ("es", 8640, "8.640 puntos"),
        ("ar", 2, "نقطتين"),
        ("ar", 6, "٦ نقاط"),
        ("ar", 12, "١٢ نقطة"),
        ("ar", 8640, "٨٬٦٤٠ نقطة"),
    ],
)
def test_points_agree_with_their_number(language, count, said):
    assert Say(language).count("points", count) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "anger, fear and joy"), ("es", "ira, miedo y alegría"), ("ar", "الغضب والخوف والفرح")],
)
def test_things_are_listed_as_the_language_lists_them(language, said):
    say = Say(language)

    assert plain(say.listing([of(say.emotion(each)) for each in ("anger", "fear", "joy")])) == said


DEAF_MEN = Comparison("disability|gender=male", "disability", "Deaf", "nondisabled", "phrases")
SYRIA = Comparison("country", "country", "Syria", "mean", "phrases")
TEAMS = Comparison("team", "team", "red", "blue", "names")


@pytest.mark.parametrize(
    ("language", "comparison", "question", "scope"),
    [
        ("en", HER, "women and men, by first name", "with women’s first names"),
        ("en", SHE, "she, my mother / he, my father", "with she"),
        ("en", BLACK, "Black and white names", "with Black people’s names"),
        ("en", BLACK_WOMEN, "Black and white names: only women", "with Black women’s names"),
        ("en", BLACK_GENDER, "women and men, by first name: only Black people", "with Black women’s names"),
        ("en", DEAF_MEN, "Deaf people and nondisabled people: only men", "about Deaf men"),
        ("en", SYRIA, "people from Syria", "about people from Syria"),
        ("en", TEAMS, "red and blue names", "with names of the group “red”"),
        ("es", DEAF_MEN, "personas sordas y personas sin discapacidad: solo hombres", "sobre hombres sordos"),
        ("es", ARAB, "nombres de personas árabes y anglosajonas", "con nombres árabes"),
        ("es", SYRIA, "personas de Siria", "sobre personas de Siria"),
        ("ar", BLACK_WOMEN, "أسماء السود والبيض: النساء فقط", "مع أسماء النساء السوداوات"),
        ("ar", DEAF_MEN, "الصم وغير ذوي الإعاقة: الرجال فقط", "عن الرجال الصم"),
    ],
)
def test_groups_and_questions_agree(language, comparison, question, scope):
    say = Say(language)

    assert plain(say.question(comparison)) == question
    assert plain(say.groups(comparison)[0].scope) == scope


@EACH
def test_every_group_of_the_corpora_has_phrases(language):
    with (FOLDER.parents[2] / "locales" / "axes.toml").open("rb") as file:
        axes = tomllib.load(file)
    say = Say(language)
    for axis, about in axes.items():
        for level in about.get("levels", {}):
            if axis == "country":
                continue
            assert level in say.words["groups"].get(axis, {}), (axis, level)


WHOLE = Rounding()


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.93, 15.3, "1 to 16"),
        (0.3, 4.2, "under 1 to 5"),
        (-15.3, -0.93, "1 to 16"),
        (8.7, 9.3, "8 to 10"),
        (9.0, 9.0, "9.0"),
        (2.0, 5.0, "2 to 5"),
    ],
)
def test_the_true_gap_is_rounded_outwards(low, high, said):
    assert Say("en").range(low, high, WHOLE) == said


@pytest.mark.parametrize(
    ("gap", "said"), [(8.5, "9 points"), (-8.49, "8 points"), (0.6, "under 1 point"), (1, "1 point")]
)
def test_a_gap_is_a_whole_number_of_points(gap, said):
    assert Say("en").size(gap, "points", WHOLE) == said


@pytest.mark.parametrize(("low", "high", "said"), [(-3.2, 6.4, "at most 7"), (-0.4, 0.2, "under 1")])
def test_none_detected_says_the_farther_end(low, high, said):
    assert Say("en").at_most(low, high, WHOLE) == said


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(8, 29, "more than a quarter"), (25, 100, "a quarter"), (8, 12, "two thirds"), (30, 28, "more than all")],
)
def test_shares_are_words(part, whole, said):
    assert Say("en").share(part, whole) == said
    assert share_of(part, whole)


def test_an_axis_has_few_marks():
    assert ticks(10.5, "points") == (5, 10)
    assert ticks(21, "points") == (10, 20)
    assert ticks(0.02, "raw") == (0.02,)


def test_a_star_in_a_value_is_no_mark():
    assert plain(fill("**{system}** scores", system="a*b**c`d{e}")) == "a*b**c`d{e} scores"


def test_no_words_retired_from_reports_are_used():
    retired = re.compile(r"\b(effect|significant|interval|verdict|p-value|found from|difference)\b", re.IGNORECASE)
    allowed = {"tables.effect", "headline.procedure"}
    for key, value in leaves(words_of("en")):
        for text in value if isinstance(value, list) else [value]:
            assert key in allowed or not retired.search(text), (key, text)
