"""The languages of a report: the same sentences in each, and numbers and names as each writes them."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import pytest

from eec_datasets.audit.report.language import UnknownReportLanguage, available, load_translator

LANGUAGES = available()


def flat(table: Mapping[str, Any], path: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        found |= flat(value, f"{path}{key}.") if isinstance(value, dict) else {f"{path}{key}": value}
    return found


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_there_are_sentences_in_english_spanish_and_arabic() -> None:
    assert LANGUAGES == ["ar", "en", "es"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_sentence_with_the_same_places(language: str) -> None:
    english, own = (flat(load_translator(tag).texts) for tag in ("en", language))
    own = {key: text for key, text in own.items() if not key.startswith("groups.")}
    assert set(own) == {key for key in english if not key.startswith("groups.")}
    assert {key: places(text) for key, text in own.items()} == {key: places(english[key]) for key in own}
    assert all(text.strip() == text for text in own.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_calls_a_system_unbiased(language: str) -> None:
    text = " ".join(flat(load_translator(language).texts).values()).lower()
    for word in ("unbiased", "debiased", "is fair", "imparcial", "sin sesgo", "غير متحيز"):
        assert word not in text


@pytest.mark.parametrize("language", [tag for tag in LANGUAGES if tag != "en"])
def test_groups_of_the_corpora_have_names_in_each_translation(language: str) -> None:
    import tomllib

    from eec_datasets.locale.reading import locales_folder

    axes = tomllib.loads((locales_folder() / "axes.toml").read_text(encoding="utf-8"))
    translator = load_translator(language)
    for axis, described in axes.items():
        for level in described["levels"]:
            if axis != "country":
                assert translator.group(axis, level) != level, (axis, level)
    assert translator.group("country", "United Kingdom") == translator.locale.territories["GB"]
    assert translator.group("country", "DR Congo") != "DR Congo"


@pytest.mark.parametrize(
    ("tag", "signed", "p", "count", "interval"),
    [
        ("en", "+0.0123", "p adj. < .001", "12,640", "[-0.00800, +0.0320]"),
        ("es", "+0,0123", "p ajust. < 0,001", "12.640", "[-0,00800; +0,0320]"),
        ("de", "+0,0123", "p adj. < 0,001", "12.640", "[-0,00800; +0,0320]"),
        ("hi", "+0.0123", "p adj. < 0.001", "12,640", "[-0.00800, +0.0320]"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    tag: str, signed: str, p: str, count: str, interval: str
) -> None:
    translator = load_translator(tag)
    assert translator.number(0.012345, signed=True) == signed
    assert translator.p_is(0.0004, adjusted=True) == p
    assert translator.count(12640) == count
    assert translator.interval({"ci_low": -0.008, "ci_high": 0.032}) == interval
    assert translator.number(None) == translator.interval({"ci_low": None, "ci_high": None}) == "–"


def test_english_numbers_are_those_of_the_metric() -> None:
    from eec_bias.result import numbers

    translator = load_translator("en")
    for value in (0, 1, -0.5, 0.99996, 12.345, 123456.7, 1.234e-5, 0.0123456, -7.5e-6, 1000.4):
        assert translator.number(value) == numbers.plain(value)
        assert translator.number(value, signed=True) == numbers.signed(value)
    assert translator.number(-7.5e-9) == "-7.50E-9"
    for p in (0, 0.0004, 0.001, 0.01234, 0.5, 0.9994, 0.9999, 1):
        assert translator.probability(p) == numbers.p_value(p)


def test_a_country_that_writes_other_digits_gets_them() -> None:
    translator = load_translator("ar-EG")
    assert translator.number(-0.5, signed=True) == "-٠٫٥٠٠"
    assert translator.probability(0.0123) == "٠٫٠١٢"
    assert translator.say("page.of_systems", count=translator.count(12)) == "عدد الأنظمة: \u2066١٢\u2069."
    # Each number keeps its place: without isolates the two would change sides.
    assert translator.interval({"ci_low": -0.5, "ci_high": 0.25}) == "[\u2066-٠٫٥٠٠\u2069, \u2066+٠٫٢٥٠\u2069]"


def test_other_languages_get_english_sentences_and_their_own_numbers() -> None:
    translator = load_translator("fr")
    assert (translator.prose, translator.tag, translator.direction) == ("en", "en", "ltr")
    assert translator.number(0.5) == "0,500"
    assert translator.language("ar") == "arabe"
    assert translator.group("country", "Germany") == "Allemagne"
    assert translator.group("race", "Latino") == "Latino"


def test_a_language_that_cldr_does_not_know_is_refused() -> None:
    with pytest.raises(UnknownReportLanguage, match=r"tlh-klingon.*CLDR.*ar, en, es"):
        load_translator("tlh-klingon")


@pytest.mark.parametrize(
    ("tag", "axes", "level", "name"),
    [
        ("en", "race", "Black", "Black"),
        ("es", "gender+race", "female:Latino", "mujer:latina/o"),
        ("es", "country", "Germany", "Alemania"),
        ("ar", "country", "Mexico", "المكسيك"),
        ("es", "shoe size", "44", "44"),
    ],
)
def test_labels_of_the_data_stay_in_english_and_are_named_elsewhere(tag: str, axes: str, level: str, name: str) -> None:
    assert load_translator(tag).group(axes, level) == name


def test_words_of_another_script_are_kept_apart_in_arabic_only() -> None:
    assert load_translator("ar").say("page.title_one", system="vader") == "تدقيق النظام \u2068vader\u2069"
    assert load_translator("es").say("page.title_one", system="vader") == "Auditoría de vader"
