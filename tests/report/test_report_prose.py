"""The languages of a report: the same sentences in each, and numbers and names as each writes them."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import pytest

from eec_datasets.audit.report import language as page_prose
from eec_datasets.audit.report.language import UnknownReportLanguage, voice

LANGUAGES = page_prose.available()


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
    english, own = (flat(voice(tag).texts) for tag in ("en", language))
    own = {key: text for key, text in own.items() if not key.startswith("groups.")}
    assert set(own) == {key for key in english if not key.startswith("groups.")}
    assert {key: places(text) for key, text in own.items()} == {key: places(english[key]) for key in own}
    assert all(text.strip() == text for text in own.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_calls_a_system_unbiased(language: str) -> None:
    text = " ".join(flat(voice(language).texts).values()).lower()
    for word in ("unbiased", "debiased", "is fair", "imparcial", "sin sesgo", "غير متحيز"):
        assert word not in text


@pytest.mark.parametrize("language", [tag for tag in LANGUAGES if tag != "en"])
def test_groups_of_the_corpora_have_names_in_each_translation(language: str) -> None:
    import tomllib

    from eec_datasets.locale.reading import locales_folder

    axes = tomllib.loads((locales_folder() / "axes.toml").read_text(encoding="utf-8"))
    spoken = voice(language)
    for axis, described in axes.items():
        for level in described["levels"]:
            if axis != "country":
                assert spoken.group(axis, level) != level, (axis, level)
    assert spoken.group("country", "United Kingdom") == spoken.locale.territories["GB"]
    assert spoken.group("country", "DR Congo") != "DR Congo"


@pytest.mark.parametrize(
    ("tag", "signed", "p", "count", "interval"),
    [
        ("en", "+0.0123", "p < 0.001", "12,640", "[-0.0080, +0.0320]"),
        ("es", "+0,0123", "p < 0,001", "12.640", "[-0,0080; +0,0320]"),
        ("de", "+0,0123", "p < 0,001", "12.640", "[-0,0080; +0,0320]"),
        ("hi", "+0.0123", "p < 0.001", "12,640", "[-0.0080, +0.0320]"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    tag: str, signed: str, p: str, count: str, interval: str
) -> None:
    spoken = voice(tag)
    assert spoken.number(0.01234, signed=True) == signed
    assert spoken.p_is(0.0004) == p
    assert spoken.count(12640) == count
    assert spoken.interval({"ci_low": -0.008, "ci_high": 0.032}) == interval
    assert spoken.number(None) == spoken.interval({"ci_low": None, "ci_high": None}) == "–"


def test_a_country_that_writes_other_digits_gets_them() -> None:
    spoken = voice("ar-EG")
    assert spoken.number(-0.5, signed=True) == "-٠٫٥٠٠٠"
    assert spoken.probability(0.0123) == "٠٫٠١٢"
    assert spoken.say("page.of_systems", count=spoken.count(12)) == "عدد الأنظمة: \u2066١٢\u2069."
    # Each number keeps its place: without isolates the two would change sides.
    assert spoken.interval({"ci_low": -0.5, "ci_high": 0.25}) == "[\u2066-٠٫٥٠٠٠\u2069, \u2066+٠٫٢٥٠٠\u2069]"


def test_other_languages_get_english_sentences_and_their_own_numbers() -> None:
    spoken = voice("fr")
    assert (spoken.prose, spoken.tag, spoken.direction) == ("en", "en", "ltr")
    assert spoken.number(0.5) == "0,5000"
    assert spoken.language("ar") == "arabe"
    assert spoken.group("country", "Germany") == "Allemagne"
    assert spoken.group("race", "Latino") == "Latino"


def test_a_language_that_cldr_does_not_know_is_refused() -> None:
    with pytest.raises(UnknownReportLanguage) as error:
        voice("tlh-klingon")
    assert str(error.value) == (
        "--report-language tlh-klingon: CLDR knows no such language. Give a tag such as en, es or ar-EG; "
        "sentences are there in: ar, en, es."
    )


def test_labels_of_the_data_stay_in_english_and_are_named_elsewhere() -> None:
    assert voice("en").group("race", "Black") == "Black"
    assert voice("es").group("gender+race", "female:Latino") == "mujer:latina/o"
    assert voice("es").group("country", "Germany") == "Alemania"
    assert voice("ar").group("country", "Mexico") == "المكسيك"
    assert voice("es").group("shoe size", "44") == "44"
    assert voice("es").axis("race|gender=female") == "raza | género = mujer"


def test_words_of_another_script_are_kept_apart_in_arabic_only() -> None:
    assert voice("ar").say("page.title_one", system="vader") == "تدقيق النظام \u2068vader\u2069"
    assert voice("es").say("page.title_one", system="vader") == "Auditoría de vader"
