"""What a report says of a row, and that every output says its verdict; the languages of a report."""

import string
import tomllib

import pytest
from documents import cases, flat
from verdict_cases import CASES, Case

from eec_bias.notes import Note, english_notes
from eec_bias.result import numbers
from eec_datasets.audit.report import sentences
from eec_datasets.audit.report.answers import gather_answers
from eec_datasets.audit.report.document import Document, Entry, units
from eec_datasets.audit.report.finding_words import FindingWords
from eec_datasets.audit.report.language import FOLDER, BadProse, UnknownReportLanguage, available, load_translator
from eec_datasets.audit.report.sections import about
from eec_datasets.locale.reading import locales_folder

LANGUAGES = available()

FEW = {"cells": "race=Anglo, gender=female (4); race=Latino, gender=male (3)"}
LEFT = {"subset": "pairs", "label": "spouse", "missing": 51, "items": 144}
PAIRS = {"subset": "pairs", "term": "gender", "level": "neutral-epicene", "reference": "male", "count": 3}
CONSTRUCTED = [
    Note("few_persons", {"subset": "names", **FEW}),
    Note("person_left_out", LEFT),
    Note("base_left_out", LEFT),
    Note("lacking_levels", {"subset": "pairs", "count": 8, "rows": 10}),
    Note("few_pairs", {**PAIRS, "unit": "pair", "units": "pairs"}),
    Note("rows_without_part", {"unused": 93, "rows": 10173}),
    Note("one_prompt_asked", {"prompt": "rating"}),
    Note("differences_of_bias", {"first": "after", "second": "before"}),
    Note("in_part", {"by": "emotion", "label": "joy", "note": Note("few_persons", {"subset": "names", **FEW})}),
    Note("few_degrees_of_freedom_over", {"fewest": 3, "facet": "words"}),
    Note("follows_group", {"count": 2, "items": 144, "named": "t01/sad, t02/sad"}),
    Note("largest_t_against", {"count": 4, "level": "Black", "reference": "white"}),
    Note("too_few_for_p", {"facet": "items"}),
    Note("effects_of_two", {"first": "after", "x": "+0.0156", "second": "before", "y": "-0.00174"}),
    Note("of_differences", {"note": Note("few_items", {"fewest": 6})}),
    Note("no_scores_of_system", {"subject": Note("named_system", {"title": "b"}), "rows": 1920}),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verdict_has_a_label(snapshot, language):
    translator = load_translator(language)
    lines = []
    for name, found in cases("rows"):
        lines.append(f"# {name}")
        for row in (row for unit in units(found.entries) for row in unit.rows):
            lines.append(f"{sentences.label(translator, row)}: {sentences.contrast(translator, row.row)}")
    snapshot.check(f"report-sentences-{language}", "\n".join(lines))


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", ["ar", "en", "es"])
def test_every_language_has_every_sentence_with_the_same_places(language):
    english, own = (flat(load_translator(tag).texts) for tag in ("en", language))
    own = {key: text for key, text in own.items() if not key.startswith(("groups.", "notes.", "reviews."))}
    assert set(own) == {key for key in english if not key.startswith("groups.")}
    assert {key: places(text) for key, text in own.items()} == {key: places(english[key]) for key in own}
    assert all(text.strip() == text for text in own.values())
    words = ("unbiased", "debiased", "is fair", "imparcial", "sin sesgo", "غير متحيز")
    assert [word for word in words if word in " ".join(own.values()).lower()] == []


def test_a_missing_or_unknown_key_is_told_with_file_and_line(tmp_path, monkeypatch):
    whole = (FOLDER / "es.toml").read_text(encoding="utf-8")
    whole = whole.replace('no_finding = "', 'no_findin = "', 1).replace('system}"', 'sistema}"', 1)
    (tmp_path / "fr.toml").write_text(whole + "\n[more]\n", encoding="utf-8")
    monkeypatch.setattr("eec_datasets.audit.report.language.FOLDER", tmp_path)
    with pytest.raises(BadProse) as error:
        load_translator("fr")
    lines = whole.splitlines()
    said, renamed, slotted = (
        next(at for at, line in enumerate(lines, start=1) if line.startswith(start))
        for start in ("[said]", "no_findin =", "title_one =")
    )
    assert [(problem.place.line, problem.what) for problem in error.value.problems] == [
        (whole.count("\n") + 2, "unknown key 'more'"),
        (said, "'said.no_finding' is missing"),
        (renamed, "unknown key 'said.no_findin'"),
        (slotted, "'said.title_one' has the places {sistema}"),
    ]


@pytest.mark.parametrize("language", [tag for tag in LANGUAGES if tag != "en"])
def test_groups_of_the_corpora_have_names_in_each_translation(language):
    axes = tomllib.loads((locales_folder() / "axes.toml").read_text(encoding="utf-8"))
    translator = load_translator(language)
    levels = [(axis, level) for axis, described in axes.items() for level in described["levels"] if axis != "country"]
    assert [(axis, level) for axis, level in levels if translator.group(axis, level) == level] == []
    assert translator.group("country", "United Kingdom") == translator.locale.territories["GB"]
    assert translator.group("country", "DR Congo") != "DR Congo"


def test_english_numbers_are_those_of_the_metric():
    translator = load_translator("en")
    for value in (0, 1, -0.5, 0.99996, 12.345, 123456.7, 1.234e-5, 0.0123456, -7.5e-6, 1000.4, 0.3 - 0.2, -0.0099996):
        # In running text a minus is no hyphen.
        assert translator.number(value) == numbers.rounded(value).replace("-", "−")
        assert translator.number(value, signed=True) == numbers.signed(value).replace("-", "−")
    assert translator.number(-7.5e-9) == "−7.50E−9"
    assert [translator.short(value) for value in (0, 0.25, 1e-7, -1e30)] == ["0", "0.25", "1E−7", "−1E30"]
    assert [translator.percent(share) for share in (0.00996, 0.000996, 0.994, 0.996)] == ["1%", "0.1%", "99%", "100%"]
    for p in (0, 0.0004, 0.001, 0.01234, 0.0499, 0.0501, 0.5, 0.9994, 0.9999, 1):
        assert translator.probability(p) == numbers.p_value(p)


VALUES = (0.012345, -0.5, 0.0, 1.234e-5, 12345.6, -7.5e-9, None)
LABELS = (("race", "Black"), ("gender+race", "female:Latino"), ("country", "Germany"), ("country", "Mexico"),
          ("shoe size", "44"))  # fmt: skip


@pytest.mark.parametrize("tag", ["en", "es", "ar", "ar-EG", "de", "fr", "hi"])
def test_numbers_and_names_are_written_as_the_language_writes_them(tag, snapshot):
    translator = load_translator(tag)
    lines = [
        f"{translator.prose} {translator.tag} {translator.direction} {translator.language('ar')}",
        " | ".join(translator.number(value, signed=True) for value in VALUES),
        " | ".join(translator.probability(p) for p in (0.0004, 0.0123, 0.9999, 1.0, None)),
        f"{translator.p_is(0.0004, adjusted=True)} | {translator.p_is(0.5)} | {translator.count(12640)}",
        " | ".join(translator.interval({"ci_low": low, "ci_high": 0.032}) for low in (-0.008, None)),
        " | ".join(translator.group(*label) for label in LABELS),
        translator.say("said.title_one", system="vader"),
        translator.say("said.title_several", count=translator.count(12)),
    ]
    # What keeps words and numbers apart in text from right to left is shown by brackets.
    shown = "\n".join(lines).translate({0x2066: "⟨", 0x2068: "⟨", 0x2069: "⟩"})
    snapshot.check(f"report-numbers-{tag}", shown)


def test_a_language_that_cldr_does_not_know_is_refused():
    assert LANGUAGES == ["ar", "en", "es"]
    with pytest.raises(UnknownReportLanguage, match=r"tlh-klingon.*CLDR.*ar, en, es"):
        load_translator("tlh-klingon")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_built_in_system_says_what_it_does_and_others_say_nothing(language, snapshot):
    translator = load_translator(language)
    ranges = {"biased:female": (0, 1), "biased:female+Black": (-1, 1), "noisy:Black": (0, 1), "random:1": (0, 1)}
    snapshot.check(f"report-demo-{language}", "\n".join(about(translator, *system) for system in ranges.items()))
    assert about(translator, "mymodel:score", (0, 1)) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_are_said_in_the_language(language, snapshot):
    translator = load_translator(language)
    snapshot.check(f"report-notes-{language}", "\n".join(map(translator.note, CONSTRUCTED)))


def test_how_far_readers_have_checked_is_said_in_the_language():
    assert load_translator("es").review("draft; not reviewed by a native speaker") == (
        "borrador; sin revisar por hablantes nativos"
    )
    assert load_translator("es").review("draft; 1 native reader") == "borrador; 1 lector nativo"
    assert load_translator("es").review("something new") == "something new"
    assert load_translator("en").review("draft; not reviewed by a native speaker") == (
        "draft; not reviewed by a native speaker"
    )


def test_every_note_has_a_sentence_with_the_same_places_in_every_language():
    english = english_notes()
    for language in LANGUAGES:
        if language != "en":
            own = load_translator(language).texts["notes"]
            assert own.keys() ^ english.keys() == set()
            assert {key for key in own if not places(own[key]) <= places(english[key])} == set()


def test_a_note_whose_key_a_language_lacks_is_said_in_english():
    note = Note("of_a_later_version", saved="something new")
    assert load_translator("es").note(note) == "something new"


ALL = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def document(case: Case) -> Document:
    return Document([Entry("mine", case.result, "mine", "mine")])


@ALL
def test_no_line_contradicts_its_verdict(case):
    """A difference is said where the interval misses 0, in the direction of its gap, and nowhere else."""
    for answers in gather_answers(units(document(case).entries)):
        for finding in answers.findings:
            low, high = finding.low, finding.high
            if finding.verdict in ("difference", "not_found", "cannot_tell") and finding.found_from:
                assert (low > 0 or high < 0) is (finding.verdict == "difference")
            if finding.found and finding.gap and not finding.comparison.is_interaction:
                line = FindingWords(load_translator(), answers).line(finding)
                assert line.gap.startswith("+" if finding.higher == finding.comparison.level else "−")
