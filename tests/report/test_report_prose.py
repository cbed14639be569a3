"""The languages of a report: the same sentences in each, and numbers and names as each writes them."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import pytest
from snapshots import Snapshot

from eec_datasets.audit.report.language import UnknownReportLanguage, available, load_translator
from eec_datasets.audit.report.sections import about

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
    own = {key: text for key, text in own.items() if not key.startswith(("groups.", "notes."))}
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


def test_english_numbers_are_those_of_the_metric() -> None:
    from eec_bias.result import numbers

    translator = load_translator("en")
    for value in (0, 1, -0.5, 0.99996, 12.345, 123456.7, 1.234e-5, 0.0123456, -7.5e-6, 1000.4):
        # In running text a minus is no hyphen.
        assert translator.number(value) == numbers.plain(value).replace("-", "−")
        assert translator.number(value, signed=True) == numbers.signed(value).replace("-", "−")
    assert translator.number(-7.5e-9) == "−7.50E−9"
    for p in (0, 0.0004, 0.001, 0.01234, 0.5, 0.9994, 0.9999, 1):
        assert translator.probability(p) == numbers.p_value(p)


VALUES = (0.012345, -0.5, 0.0, 1.234e-5, 12345.6, -7.5e-9, None)
LABELS = (("race", "Black"), ("gender+race", "female:Latino"), ("country", "Germany"), ("country", "Mexico"),
          ("shoe size", "44"))  # fmt: skip


@pytest.mark.parametrize("tag", ["en", "es", "ar", "ar-EG", "de", "fr", "hi"])
def test_numbers_and_names_are_written_as_the_language_writes_them(tag: str, snapshot: Snapshot) -> None:
    translator = load_translator(tag)
    lines = [
        f"{translator.prose} {translator.tag} {translator.direction} {translator.language('ar')}",
        " | ".join(translator.number(value, signed=True) for value in VALUES),
        " | ".join(translator.probability(p) for p in (0.0004, 0.0123, 0.9999, 1.0, None)),
        f"{translator.p_is(0.0004, adjusted=True)} | {translator.p_is(0.5)} | {translator.count(12640)}",
        " | ".join(translator.interval({"ci_low": low, "ci_high": 0.032}) for low in (-0.008, None)),
        " | ".join(translator.group(*label) for label in LABELS),
        translator.say("page.title_one", system="vader"),
        translator.say("page.of_systems", count=translator.count(12)),
    ]
    # What keeps words and numbers apart in text from right to left is shown by brackets.
    shown = "\n".join(lines).translate({0x2066: "⟨", 0x2068: "⟨", 0x2069: "⟩"})
    snapshot.check(f"report-numbers-{tag}", shown)


def test_a_language_that_cldr_does_not_know_is_refused() -> None:
    with pytest.raises(UnknownReportLanguage, match=r"tlh-klingon.*CLDR.*ar, en, es"):
        load_translator("tlh-klingon")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_built_in_system_says_what_it_does_and_others_say_nothing(language: str, snapshot: Snapshot) -> None:
    translator = load_translator(language)
    systems = (
        ("biased:female", (0, 1)),
        ("biased:female+Black", (-1, 1)),
        ("noisy:Black", (0, 1)),
        ("random:1", (0, 1)),
    )
    snapshot.check(f"report-demo-{language}", "\n".join(about(translator, *system) for system in systems))
    assert about(translator, "mymodel:score", (0, 1)) == ""


NOTES = (
    "draft; not reviewed by a native speaker",
    "fewer than 5 persons in a group; fewer than 8 degrees of freedom",
    "standard error 0: there is nothing to test the difference against; within each group all persons have the same "
    "mean, so the difference follows the group or the wording; on 2 of 144 items: t01/sad, t02/sad and 3 more",
    "largest |t| of 4: Black",
    "too few items for a claim beyond them, so there is no p",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_of_the_metric_and_review_status_are_translated_whole_or_left_in_english(
    language: str, snapshot: Snapshot
) -> None:
    translator = load_translator(language)
    snapshot.check(f"report-notes-{language}", "\n".join(map(translator.note, NOTES)))
    unknown = "standard error 0; something new"
    assert translator.note(unknown) == (unknown if language == "en" else "")
