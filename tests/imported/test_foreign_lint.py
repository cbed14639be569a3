"""Somebody else's file is checked: every kind of defect is found, counted by group, and nothing else is."""

import json
from dataclasses import replace

import pytest
from commands import eec
from published import (
    HEADER_2018,
    HEADER_2022,
    HEADER_AR,
    HEADER_ES,
    in_2018,
    in_arabic_2022,
    in_spanish_2022,
    rows_of,
    write,
)

from eec_datasets.imported.linting import STEPS, lint
from eec_datasets.imported.matching import wordings_of
from eec_datasets.imported.presets import preset_of
from eec_datasets.imported.reading import read_corpus
from eec_datasets.imported.report import WIDEST, as_text

SMALL = ("t02", "t04", "t05", "t08")


def report_on(path, header, rows, preset="kiritchenko2018"):
    return lint(read_corpus(write(path / "corpus.csv", header, rows), preset_of(preset)))


def plain_report(path, header, rows):
    """The report on a file of no preset, of which only the sentence and the person are named."""
    layout = preset_of(None).with_columns({"sentence": "Text", "person": "Who"})
    if "Sex" in header:
        layout = layout.with_columns({"gender": "Sex"})
    return lint(read_corpus(write(path / "corpus.csv", header, rows), layout))


def by_kind(report):
    return {defect.kind: defect for defect in report.defects}


def few_words(row):
    return row["word"] in ("angry", "annoying", "amazing", "grim", "none")


def small(row):
    """A few items for all persons: enough for every check."""
    return row["template"] in SMALL and few_words(row)


@pytest.fixture(scope="module")
def english():
    return list(in_2018(rows_of("en-black-white", small)))


def changed(rows, edit):
    """The rows with every sentence passed through `edit`."""
    return [[row[0], edit(row), *row[2:]] for row in rows]


def counts(report):
    return {defect.kind: defect.total for defect in report.defects}


def shares(report):
    return {(one.axis, one.group): round(one.share, 3) for one, _ in report.pairs}


@pytest.mark.parametrize(
    ("persian", "text", "found"),
    [(True, "{} احساس می\u200cکند غمگین است.", {}), (False, "{} يشعر بال\u200cحزن في قلبه.", {"invisible": 2})],
)
def test_a_joiner_is_a_letter_of_persian_and_a_stray_one_of_arabic(persian, text, found, tmp_path):
    women_and_men = (("مریم", "female"), ("رضا", "male")) if persian else (("مريم", "female"), ("رضا", "male"))
    rows = [[text.format(name), name, gender] for name, gender in women_and_men]
    assert counts(plain_report(tmp_path, ["Text", "Who", "Sex"], rows)) == found


def test_the_corpus_of_2018_has_no_defect_and_no_uneven_pair(tmp_path):
    report = report_on(tmp_path, HEADER_2018, in_2018(rows_of("en-black-white")))
    assert (report.ok, report.notes, report.rows, report.templates, report.persons) == (True, (), 8640, 11, 60)
    genders = [("gender", group) for group in ("no race", "African-American", "European")]
    assert shares(report) == dict.fromkeys([*genders, ("race", "female"), ("race", "male")], 0)
    assert [one.pairs for one, _ in report.pairs] == [1440] * 5


@pytest.mark.parametrize(
    "config", ["es-anglo-latino", "ar-anglo-arab", "de-gender", "he-gender", "ru-gender", "tr-gender"]
)
def test_our_own_corpora_are_clean(config, tmp_path):
    # Every word in half of its templates, of every person.
    rows = rows_of(config, lambda row: row["word"] == "none" or (len(row["word"]) + int(row["template"][1:])) % 2)
    corpus = write(tmp_path / "ours.csv", list(rows[0]), [list(row.values()) for row in rows])
    options = ["--column", "sentence=text", "--column", "word=word_form", "--language", config[:2]]
    result = eec("corpus", "lint", corpus, *options)
    assert result.output.endswith("\nno defect found\n")
    assert result.exit_code == 0


def test_a_defect_makes_pairs_uneven_where_one_side_has_it(tmp_path, english):
    both = report_on(tmp_path, HEADER_2018, changed(english, lambda row: row[1].replace(" ", "  ")))
    assert counts(both) == {"double-space": len(english)}
    assert set(shares(both).values()) == {0}

    def doubled(row):
        return row[1].replace(" ", "  ") if (row[4], row[5]) == ("male", "European") else row[1]

    report = report_on(tmp_path, HEADER_2018, changed(english, doubled))
    (defect,) = report.defects
    assert dict(defect.groups) == {"European male": 60}
    uneven = {kind for kind, share in shares(report).items() if share == 1}
    assert uneven == {("gender", "European"), ("race", "male")}
    assert set(shares(report).values()) == {0, 1}
    assert dict(report.pairs[2][0].kinds) == {"double-space": 60}


@pytest.mark.parametrize(
    ("kind", "edit", "detail"),
    [
        ("outer-space", lambda text: text + " ", ""),
        ("no-final-mark", lambda text: text[:-1], ""),
        ("other-final-mark", lambda text: text[:-1] + "!", "'!', most have '.'"),
        ("lower-case-start", lambda text: text[0].lower() + text[1:], "a"),
        ("invisible", lambda text: text.replace(" made", "\u200b made"), "ZERO WIDTH SPACE (U+200B)"),
        ("invisible", lambda text: text.replace(" made", "\u00a0made"), "NO-BREAK SPACE (U+00A0)"),
        ("mixed-script", lambda text: text.replace("e f", "е f"), "Cyrillic"),
        ("not-nfc", lambda text: text.replace("made", "made\u0301"), ""),
        ("word-not-found", lambda text: text.replace("angry", "sad"), "angry"),
        ("frame", lambda text: text.replace("me ", "all of us "), None),
        (
            "frame",
            lambda text: text.replace("me ", "us "),
            "‘<p> made us feel <e>’ – others have ‘<p> made me feel <e>’",
        ),
        ("person-not-found", lambda text: text.replace("Adam", "Somebody"), "Adam"),
    ],
)
def test_a_defect_is_found_where_it_is(kind, edit, detail, tmp_path, english):
    at = next(at for at, row in enumerate(english) if row[1] == "Adam made me feel angry.")
    rows = [*english[:at], [english[at][0], edit(english[at][1]), *english[at][2:]], *english[at + 1 :]]
    report = report_on(tmp_path, HEADER_2018, rows)
    found = by_kind(report)[kind]
    (example,) = found.examples
    assert (found.total, example.line, example.text) == (1, at + 2, edit("Adam made me feel angry."))
    assert detail is None or example.detail == detail
    assert not report.ok


@pytest.mark.parametrize("women", [("Anna feels bad.", "Bea is very bad."), ("Bea is very bad.", "Anna feels bad.")])
def test_of_two_frames_as_frequent_the_one_that_the_other_gender_has_is_usual(tmp_path, women):
    rows = [(text, "t", text.split()[0], "female") for text in women]
    rows += [(f"{name} feels bad.", "t", name, "male") for name in ("Carl", "Dan")]
    path = write(tmp_path / "corpus.csv", ("sentence", "template", "person", "gender"), rows)
    (defect,) = lint(read_corpus(path, preset_of(None))).defects
    assert [example.text for example in defect.examples] == ["Bea is very bad."]


def test_emotion_words_that_no_column_names_make_no_frame_another(tmp_path):
    words = {"anger": "angry", "joy": "happy", "none": "at home"}
    rows = [
        (f"{name} is {words[emotion]}.", name, gender, "t", emotion)
        for emotion in words for name, gender in (("Anna", "female"), ("Bea", "female"), ("Carl", "male"))
    ]  # fmt: skip
    path = write(tmp_path / "corpus.csv", ("sentence", "person", "gender", "template", "emotion"), rows)
    assert lint(read_corpus(path, preset_of(None))).defects == ()


@pytest.mark.parametrize(
    ("old", "new", "kind", "total", "detail"),
    [
        ("in an amazing", "in a amazing", "article", 60, "a for an"),
        ("himself", "herself", "agreement", 90, "herself for himself"),
    ],
)
def test_other_words_than_elsewhere_are_shown_beside_those_wanted(tmp_path, english, old, new, kind, total, detail):
    rows = changed(english, lambda row: row[1].replace(old, new))
    (defect,) = report_on(tmp_path, HEADER_2018, rows).defects
    assert (defect.kind, defect.total, defect.examples[0].detail) == (kind, total, detail)


def test_makes_he_is_found_for_both_pronouns_and_leaves_their_pair_even(tmp_path):
    def nominative(row):
        words = {"her": "she", "him": "he"}
        return " ".join(words.get(word, word) for word in row[1].split())

    rows = changed(in_2018(rows_of("en-anglo-latino", small)), nominative)
    report = report_on(tmp_path, HEADER_2022, rows, "camara2022-en")
    assert counts(report) == {"person-form": 4}
    assert set(shares(report).values()) == {0}
    assert report.defects[0].examples[0].detail == "she for her"
    assert ("race", "female") in shares(report)


def test_duplicates_are_told_from_one_sentence_under_two_labels(tmp_path, english):
    other = [*english[1][:6], "joy", english[1][7]]
    found = by_kind(report_on(tmp_path, HEADER_2018, [*english, english[0], other]))
    told = {kind: (defect.total, defect.examples[0].detail) for kind, defect in found.items()}
    assert told["duplicate"] == (1, "as line 2")
    assert told["two-labels"] == (2, f"line {len(english) + 3}: emotion anger / joy")


def test_a_missing_sentence_is_counted_and_makes_its_pair_uneven(tmp_path, english):
    rows = [row for row in english if row[1] != "I saw him in the market."]
    report = report_on(tmp_path, HEADER_2018, rows)
    (defect,) = report.defects
    assert (defect.kind, defect.total, dict(defect.groups)) == ("missing-row", 1, {"male (no race)": 1})
    assert (defect.examples[0].text, defect.examples[0].detail) == ("he: t08", "1 missing")
    assert [one.uneven for one, _ in report.pairs] == [1, 0, 0, 0, 0]


def test_the_share_of_missing_sentences_is_of_those_that_there_should_be(tmp_path, english):
    items = len({(row[2], row[7]) for row in english})
    rows = [row for row in english if row[5] != "European" or (row[2], row[7]) == (english[0][2], english[0][7])]
    lines = [line.split() for line in as_text(report_on(tmp_path, HEADER_2018, rows)).splitlines()]
    (line,) = [line for line in lines if line[:2] == ["European", "male"] and line[-1] == "%"]
    assert line[2:] == [str(10 * (items - 1)), str(10 * items), f"{100 * (items - 1) / items:.1f}", "%"]


def test_labels_in_other_letters_make_no_group_of_their_own_and_are_noted(tmp_path, english):
    european = [row for row in english if row[5] == "European"]
    spelt = [[*row[:2], row[2], row[3].upper(), row[4], "european", *row[6:]] for row in european[:3]]
    report = report_on(tmp_path, HEADER_2018, [*spelt, *[row for row in english if row not in european[:3]]])
    assert report.ok
    assert [note.partition(" rows")[0] for note in report.notes] == ["3", "3"]
    assert report.notes[1].endswith("were read like the others: european as European")


def test_a_file_of_a_template_for_every_person_is_read_to_its_end(tmp_path):
    rows = [[f"N{at} said {at}.", f"N{at}", "fm"[at % 2], str(at)] for at in range(10_000)]
    report = report_on(tmp_path, ["sentence", "person", "gender", "template"], rows, None)
    assert counts(report) == {"missing-row": 10_000 * 9_999}
    assert [(one.pairs, one.uneven) for one, _ in report.pairs] == [(10_000, 10_000)]


def test_spanish_as_published_is_uneven_where_names_lack_their_accents(tmp_path):
    report = report_on(tmp_path, HEADER_ES, in_spanish_2022(few_words), "camara2022-es")
    assert counts(report) == {"no-final-mark": 1020, "spelling": 85, "person-form": 2, "agreement": 60}
    assert shares(report) == {
        ("gender", "no race"): 0, ("gender", "Anglo"): 0, ("gender", "Latino"): 0.3,
        ("race", "female"): 0.2, ("race", "male"): 0.3,
    }  # fmt: skip
    details = {kind: defect.examples[0].detail for kind, defect in by_kind(report).items()}
    assert details["spelling"] == "Maria for María"
    assert details["agreement"] == "enojada: changes with the person, though the speaker feels it"


def test_words_given_as_in_the_papers_tables_are_found_in_their_forms(tmp_path):
    def few(row):
        return row["word"] in ("angry", "happy", "none") and row["template"] in ("t01", "t04", "t08")

    report = report_on(tmp_path, HEADER_ES, in_spanish_2022(few, lemma=True), "camara2022-es")
    assert "word-not-found" not in counts(report)
    assert counts(report)["agreement"] == 60


def test_arabic_as_published_has_a_feminine_verb_for_men(tmp_path):
    report = report_on(tmp_path, HEADER_AR, in_arabic_2022(few_words), "camara2022-ar")
    found = by_kind(report)
    assert found["double-space"].total == 240
    assert dict(found["agreement"].groups) == {"Anglo male": 30, "Arab male": 30, "male (no race)": 30}
    assert found["agreement"].examples[0].detail == "وجدت for وجد"
    assert (shares(report)["gender", "Arab"], shares(report)["race", "male"]) == (30 / 50, 0)


def test_vowel_marks_on_one_name_are_found(tmp_path):
    rows = [
        [cell.replace("جعفر", "جَعْفَر") if isinstance(cell, str) else cell for cell in row]
        for row in in_arabic_2022(lambda row: row["word"] in ("angry", "none"))
    ]
    marks = by_kind(report_on(tmp_path, HEADER_AR, rows, "camara2022-ar"))["vowel-marks"]
    assert (marks.total, dict(marks.groups), marks.examples[0].detail) == (2, {"Arab male": 2}, "جَعْفَر")


def test_a_file_in_no_language_of_ours_is_checked_as_far_as_its_labels_go(tmp_path):
    rows = [["Wila  sia wari.", "Wila", "f"], ["Tomo sia wari.", "Tomo", "m"], ["Tomo sia wari", "Bela", "f"]]
    report = plain_report(tmp_path, ["Text", "Who", "gender"], rows)
    assert counts(report) == {"double-space": 1, "no-final-mark": 1, "person-not-found": 1}
    assert report.notes == (
        "no language that has a locale was named, so spelling, cases and agreement were not checked",
    )


def test_without_a_template_column_nothing_is_compared_that_only_it_tells_apart(tmp_path, english):
    report = plain_report(tmp_path, ["Text", "Who", "Sex"], [[row[1], row[3], row[4]] for row in english])
    assert counts(report).keys() <= {"person-not-found"}
    assert report.pairs == ()
    assert report.notes[0] == (
        "the columns for template, emotion and word tell 62 of 360 sentences apart: frames, missing sentences and "
        "pairs were not checked. Name more columns"
    )


def test_two_sentences_that_no_label_tells_apart_are_no_defect_of_each_other_and_no_template(tmp_path):
    texts = ("{} feels angry.", "The talk with {} was great.")
    rows = [[text.format(who), who, sex] for text in texts for who, sex in (("Ebony", "f"), ("Paul", "m"))]
    report = plain_report(tmp_path, ["Text", "Who", "gender"], rows)
    assert (report.ok, report.templates, report.pairs) == (True, 0, ())
    assert "tell 2 of 4 sentences apart" in report.notes[0]
    assert as_text(report).startswith("corpus.csv: 4 sentences, 2 persons\n")


def in_our_columns(path, config, language, keep=lambda _: True):
    """The report on rows of ours, with the word as it stands in the sentence, in a language that is named or not."""
    columns = {"Text": "text", "Who": "person_form", "Sex": "gender", "Race": "race", "T": "template",
               "E": "emotion", "W": "word_form"}  # fmt: skip
    fields = ("sentence", "person", "gender", "race", "template", "emotion", "word")
    layout = replace(preset_of(None).with_columns(dict(zip(fields, columns, strict=True))), language=language)
    rows = [[row[name] for name in columns.values()] for row in rows_of(config, keep)]
    return lint(read_corpus(write(path / "corpus.csv", list(columns), rows), layout))


def test_words_that_agree_in_gender_are_not_told_as_sentences_that_are_missing(tmp_path):
    def of_names(row):
        return row["race"] != "unmarked" and row["item"] in ("t01/angry", "t01/happy", "t01/annoyed")

    report = in_our_columns(tmp_path, "es-anglo-latino", "", of_names)
    assert (report.ok, [pairs.pairs for pairs, _ in report.pairs]) == (True, [10] * 4)
    assert report.notes[0].startswith("80 rows with an emotion word that stands with one gender alone, ")
    assert "enojada (female), enojado (male)" in report.notes[0]
    assert "one gender alone" not in " ".join(in_our_columns(tmp_path, "es-anglo-latino", "es", of_names).notes)


def test_a_person_of_whom_our_template_says_nothing_is_not_looked_for(tmp_path):
    assert in_our_columns(tmp_path, "ar-anglo-arab-100", "ar", lambda row: row["person_type"] == "pronoun").ok


def test_a_person_is_found_where_no_spaces_stand_between_words(tmp_path):
    japanese = [
        ["花子は怒っている。", "花子", "f"],
        ["太郎は怒っている。", "太郎", "m"],
        ["次郎は怒っていた。", "健", "m"],
    ]
    thai = [["สมหญิงรู้สึกโกรธ", "สมหญิง", "f"], ["สมชายรู้สึกโกรธ", "สมชาย", "m"]]
    header = ["Text", "Who", "gender"]
    assert counts(plain_report(tmp_path, header, japanese)) == {"person-not-found": 1}
    assert counts(plain_report(tmp_path, header, thai)) == {"no-final-mark": 2}


def test_what_half_of_a_file_has_is_not_told_as_what_most_have(tmp_path):
    rows = [
        ["Ann left.", "Ann", "f"],
        ["Bob left!", "Bob", "m"],
        ["جَمال left.", "جَمال", "m"],
        ["لينا left!", "لينا", "f"],
    ]
    for some, kinds in ((rows, {"vowel-marks"}), (rows[2:], set()), (rows[::3] + rows[1:2], {"other-final-mark"})):
        found = counts(plain_report(tmp_path, ["Text", "Who", "gender"], some))
        assert found.keys() & {"vowel-marks", "other-final-mark"} == kinds


def test_who_is_in_no_pair_and_what_has_no_label_is_noted(tmp_path):
    rows = [["Anna kam.", "Anna", "Frau"], ["Paul kam.", "Paul", "Mann"], ["Kim kam.", "Kim", ""], ["", "Bo", "nan"]]
    report = plain_report(tmp_path, ["Text", "Who", "gender"], rows)
    assert [*report.groups] == ["Frau (no race)", "Mann (no race)", "(no gender) (no race)"]
    assert report.notes[:2] == ("1 row without a sentence: line 5", "2 rows without a gender: lines 4, 5")
    assert report.notes[2].startswith("in no pair: Frau (no race), Mann (no race), (no gender) (no race). ")
    assert report.pairs == ()


def test_a_column_of_lemmas_is_said_and_not_counted(tmp_path, english):
    rows = [[*row[:7], row[7] and "qzx" + row[7]] for row in english]
    report = report_on(tmp_path, HEADER_2018, rows)
    assert "word-not-found" not in counts(report)
    assert report.notes[0] == (
        "the emotion word of the label stands in few sentences (0 of 300): "
        "the sentences seem to spell it in another way, and it was not looked for"
    )


def test_the_command_prints_tables_or_json_writes_a_page_and_ends_with_one(tmp_path, english, snapshot):
    path = write(tmp_path / "corpus.csv", HEADER_2018, changed(english, lambda row: row[1].replace("him", "he")))
    page = tmp_path / "page.html"
    arguments = ["corpus", "lint", str(path), "--preset", "kiritchenko2018"]
    result = eec(*arguments, "--html", page)
    assert result.exit_code == 1
    snapshot.check("foreign-lint", result.output)
    text = page.read_text(encoding="utf-8")
    assert "<h1>Checks of corpus.csv</h1>" in text
    assert "I saw he in the market." in text
    facts = json.loads(eec(*arguments, "--json").output)
    assert (facts["ok"], facts["rows"], facts["compared_with"]) == (False, 360, "en")
    assert (facts["defects"][0]["kind"], facts["defects"][0]["total"]) == ("person-form", 2)
    assert facts["pairs"][1] == {
        "axis": "gender", "group": "African-American", "pairs": 60, "uneven": 0, "share": 0.0, "kinds": {},
    }  # fmt: skip


def test_a_file_with_few_groups_has_them_side_by_side_and_no_table_is_wider_than_a_screen(tmp_path, english):
    shouted = changed(english, lambda row: row[1].upper() if row[3] == "she" else row[1] + " ")
    few = as_text(report_on(tmp_path, HEADER_2018, [row for row in shouted if not row[5]]))
    many = as_text(report_on(tmp_path, HEADER_2018, shouted))
    assert few.splitlines()[2].split() == ["defect", "all", "female", "(no", "race)", "male", "(no", "race)"]
    assert many.splitlines()[2].split() == ["defect", "group", "sentences", "of", "share"]
    for text in (few, many):
        tables = [line for line in text.splitlines() if "─" in line]
        assert max(map(len, tables)) <= WIDEST


@pytest.mark.parametrize("template", ["{{}}", "{[]: 1}", "{" * 300])
def test_a_template_that_is_no_python_dict_is_taken_as_it_stands(template):
    assert wordings_of(template) == [template]


def test_what_is_checked_is_told_step_by_step(tmp_path):
    told = []
    path = write(tmp_path / "corpus.csv", HEADER_2018, in_2018(rows_of("en-black-white", few_words)))
    lint(read_corpus(path, preset_of("kiritchenko2018")), progress=lambda *step: told.append(step))
    assert told == [(done, len(STEPS), step) for done, step in enumerate(STEPS)]
