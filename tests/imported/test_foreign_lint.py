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
PLAIN = ["sentence", "person", "gender"]


def report_on(path, header, rows, preset="kiritchenko2018"):
    """The report on rows in a layout, or in that of a preset by name."""
    layout = preset_of(preset) if preset is None or isinstance(preset, str) else preset
    return lint(read_corpus(write(path / "corpus.csv", header, rows), layout))


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


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The report on the whole corpus of 2018."""
    return report_on(tmp_path_factory.mktemp("whole"), HEADER_2018, in_2018(rows_of("en-black-white")))


def test_the_corpus_of_2018_has_no_defect(whole):
    assert (whole.ok, whole.notes) == (True, ())
    assert (whole.rows, whole.templates, whole.persons) == (8640, 11, 60)


def test_the_corpus_of_2018_has_no_uneven_pair(whole):
    assert shares(whole) == {
        ("gender", "no race"): 0,
        ("gender", "African-American"): 0,
        ("gender", "European"): 0,
        ("race", "female"): 0,
        ("race", "male"): 0,
    }
    assert [one.pairs for one, _ in whole.pairs] == [1440] * 5


OURS = ("es-anglo-latino", "ar-anglo-arab", "de-gender", "he-gender", "ru-gender", "tr-gender")


@pytest.mark.parametrize("config", OURS)
def test_our_own_corpora_are_clean(config, tmp_path):
    # Every word in half of its templates, of every person.
    rows = rows_of(config, lambda row: row["word"] == "none" or (len(row["word"]) + int(row["template"][1:])) % 2)
    corpus = write(tmp_path / "ours.csv", list(rows[0]), [list(row.values()) for row in rows])
    options = ["--column", "sentence=text", "--column", "word=word_form", "--language", config[:2]]
    result = eec("corpus", "lint", corpus, *options)
    assert result.output.endswith("\nno defect found\n")
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("kind", "old", "new", "detail"),
    [
        ("outer-space", "y.", "y. ", ""),
        ("no-final-mark", "y.", "y", ""),
        ("other-final-mark", "y.", "y!", "'!', most have '.'"),
        ("lower-case-start", "Adam", "adam", "a"),
        ("invisible", " made", "\u200b made", "ZERO WIDTH SPACE (U+200B)"),
        ("invisible", " made", "\u00a0made", "NO-BREAK SPACE (U+00A0)"),
        ("mixed-script", "e f", "е f", "Cyrillic"),
        ("not-nfc", "made", "made\u0301", ""),
        ("word-not-found", "angry", "sad", "angry"),
        ("frame", "me ", "all of us ", None),
        ("frame", "me ", "us ", "‘<p> made us feel <e>’ – others have ‘<p> made me feel <e>’"),
        ("person-not-found", "Adam", "Somebody", "Adam"),
    ],
)
def test_a_defect_is_found_where_it_is(kind, old, new, detail, tmp_path, english):
    text = "Adam made me feel angry."
    rows = changed(english, lambda row: row[1].replace(old, new) if row[1] == text else row[1])
    report = report_on(tmp_path, HEADER_2018, rows)
    (found,) = (defect for defect in report.defects if defect.kind == kind)
    (example,) = found.examples
    line = next(line for line, row in enumerate(english, start=2) if row[1] == text)
    assert (found.total, example.line, example.text) == (1, line, text.replace(old, new))
    assert detail is None or example.detail == detail
    assert not report.ok


def test_a_file_of_a_template_for_every_person_is_read_to_its_end(tmp_path):
    rows = [[f"N{at} said {at}.", f"N{at}", "fm"[at % 2], str(at)] for at in range(10_000)]
    report = report_on(tmp_path, [*PLAIN, "template"], rows, None)
    assert counts(report) == {"missing-row": 10_000 * 9_999}
    assert [(one.pairs, one.uneven) for one, _ in report.pairs] == [(10_000, 10_000)]


def in_our_columns(config, language, keep):
    """Rows of ours with the word as it stands in the sentence, in a language that is named or not."""
    columns = {"sentence": "text", "person": "person_form", "gender": "gender", "race": "race", "template": "template",
               "emotion": "emotion", "word": "word_form"}  # fmt: skip
    rows = [[row[name] for name in columns.values()] for row in rows_of(config, keep)]
    return list(columns), rows, replace(preset_of(None), language=language)


def nominative(row):
    return " ".join({"her": "she", "him": "he"}.get(word, word) for word in row[1].split())


def of(**wanted):
    """Keeps the rows that hold one of the values in every column."""
    return lambda row: all(row[column] in values for column, values in wanted.items())


FORMS = {"word": ("angry", "happy", "none"), "template": ("t01", "t04", "t08")}
NAMES = {"person_type": ["name"], "item": ("t01/angry", "t01/happy", "t01/annoyed")}
WOMEN, MEN = ("Anna feels bad.", "Bea is very bad."), ("Carl feels bad.", "Dan feels bad.")
MARKS = ["Ann left.|Ann|f", "Bob left!|Bob|m", "جَمال left.|جَمال|m", "لينا left!|لينا|f"]
SAID = {
    "two sentences that no label tells apart": [
        "Ebony feels angry.|Ebony|f", "Paul feels angry.|Paul|m",
        "The talk with Ebony was great.|Ebony|f", "The talk with Paul was great.|Paul|m",
    ],
    "no language of ours": ["Wila  sia wari.|Wila|f", "Tomo sia wari.|Tomo|m", "Tomo sia wari|Bela|f"],
    "no spaces between words": ["花子は怒っている。|花子|f", "太郎は怒っている。|太郎|m", "次郎は怒っていた。|健|m"],
    "no spaces and no marks": ["สมหญิงรู้สึกโกรธ|สมหญิง|f", "สมชายรู้สึกโกรธ|สมชาย|m"],
    "a joiner of Persian": ["مریم احساس می\u200cکند غمگین است.|مریم|f", "رضا احساس می\u200cکند غمگین است.|رضا|m"],
    "a stray joiner of Arabic": ["مريم يشعر بال\u200cحزن في قلبه.|مريم|f", "رضا يشعر بال\u200cحزن في قلبه.|رضا|m"],
    "marks of a few, as many final marks of both kinds": MARKS,
    "vowel marks of half of them": MARKS[2:],
    "a final mark of a few": MARKS[::3] + MARKS[1:2],
    "who is in no pair, what has no label": ["Anna kam.|Anna|Frau", "Paul kam.|Paul|Mann", "Kim kam.|Kim|", "|Bo|nan"],
}  # fmt: skip


def test_what_is_wrong_with_a_file_is_told_by_group_with_its_place(tmp_path, english, snapshot):
    european = [row for row in english if row[5] == "European"][:3]
    spelt = [[*row[:3], row[3].upper(), row[4], "european", *row[6:]] for row in european]
    marked = [[cell.replace("جعفر", "جَعْفَر") if isinstance(cell, str) else cell for cell in row]
              for row in in_arabic_2022(of(word=("angry", "none")))]  # fmt: skip
    words, people = {"anger": "angry", "joy": "happy", "none": "at home"}, {"Anna": "f", "Bea": "f", "Carl": "m"}
    home = [[f"{who} is {words[emotion]}.", who, sex, "t", emotion] for emotion in words for who, sex in people.items()]
    first, men = (english[0][2], english[0][7]), ["male", "European"]
    cases = {
        "a defect of all": (HEADER_2018, changed(english, lambda row: row[1].replace(" ", "  "))),
        "a defect of one group": (
            HEADER_2018, changed(english, lambda row: row[1].replace(" ", "  ") if row[4:6] == men else row[1]),
        ),
        "a group that lacks most": (
            HEADER_2018, [row for row in english if row[5] != "European" or (row[2], row[7]) == first],
        ),
        "emotion words that no column names": ([*PLAIN, "template", "emotion"], home, None),
        "another article": (HEADER_2018, changed(english, lambda row: row[1].replace("in an amazing", "in a amazing"))),
        "another form": (HEADER_2018, changed(english, lambda row: row[1].replace("himself", "herself"))),
        "makes he: both pronouns, and their pair is even": (
            HEADER_2022, changed(in_2018(rows_of("en-anglo-latino", small)), nominative), "camara2022-en",
        ),
        "a duplicate, and one sentence under two labels": (
            HEADER_2018, [*english, english[0], [*english[1][:6], "joy", english[1][7]]],
        ),
        "a missing sentence": (HEADER_2018, [row for row in english if row[1] != "I saw him in the market."]),
        "labels in other letters": (HEADER_2018, [*spelt, *(row for row in english if row not in european)]),
        "a column of lemmas": (HEADER_2018, [[*row[:7], row[7] and "qzx" + row[7]] for row in english]),
        "published Spanish: names lack their accents": (HEADER_ES, in_spanish_2022(few_words), "camara2022-es"),
        "words as in the tables of the papers": (HEADER_ES, in_spanish_2022(of(**FORMS), lemma=True), "camara2022-es"),
        "published Arabic: feminine verbs of men": (HEADER_AR, in_arabic_2022(few_words), "camara2022-ar"),
        "vowel marks on one name": (HEADER_AR, marked, "camara2022-ar"),
        "words that agree in gender, of no language": in_our_columns("es-anglo-latino", "", of(**NAMES)),
        "words that agree in gender, of ours": in_our_columns("es-anglo-latino", "es", of(**NAMES)),
        "a template says nothing of persons": in_our_columns("ar-anglo-arab-100", "ar", of(person_type=["pronoun"])),
        "no template": (PLAIN, [[row[1], row[3], row[4]] for row in english], None),
        **{title: (PLAIN, [row.split("|") for row in rows], None) for title, rows in SAID.items()},
        **{f"frames as frequent, the usual is that of the men: {' '.join(women)}": (
            ["sentence", "template", "person", "gender"],
            [[text, "t", text.split()[0], sex] for text, sex in zip([*women, *MEN], "ffmm", strict=True)], None,
        ) for women in (WOMEN, WOMEN[::-1])},
    }  # fmt: skip
    told = [f"{title}\n{as_text(report_on(tmp_path, *case))}" for title, case in cases.items()]
    snapshot.check("foreign-reports", "\n\n\n".join(told))
    with_defects = "\n".join(report for report in told if "no defect found" not in report)
    assert max(len(line) for line in with_defects.splitlines() if "─" in line) <= WIDEST


@pytest.fixture
def wrong_case(tmp_path, english):
    """The arguments of a command on a file in which a pronoun has the wrong case."""
    path = write(tmp_path / "corpus.csv", HEADER_2018, changed(english, lambda row: row[1].replace("him", "he")))
    return ["corpus", "lint", str(path), "--preset", "kiritchenko2018"]


def test_the_command_prints_tables(wrong_case, snapshot):
    result = eec(*wrong_case)
    assert result.exit_code == 1
    snapshot.check("foreign-lint", result.output)


def test_the_command_writes_a_page(wrong_case, tmp_path):
    eec(*wrong_case, "--html", tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h1>Checks of corpus.csv</h1>" in text
    assert "I saw he in the market." in text


def test_the_command_prints_json(wrong_case):
    facts = json.loads(eec(*wrong_case, "--json").output)
    assert (facts["ok"], facts["rows"], facts["compared_with"]) == (False, 360, "en")
    assert (facts["defects"][0]["kind"], facts["defects"][0]["total"]) == ("person-form", 2)
    assert facts["pairs"][1] == {
        "axis": "gender", "group": "African-American", "pairs": 60, "uneven": 0, "share": 0.0, "kinds": {},
    }  # fmt: skip


@pytest.mark.parametrize("template", ["{{}}", "{[]: 1}", "{" * 300])
def test_a_template_that_is_no_python_dict_is_taken_as_it_stands(template):
    assert wordings_of(template) == [template]


def test_what_is_checked_is_told_step_by_step(tmp_path):
    told = []
    path = write(tmp_path / "corpus.csv", HEADER_2018, in_2018(rows_of("en-black-white", few_words)))
    lint(read_corpus(path, preset_of("kiritchenko2018")), progress=lambda *step: told.append(step))
    assert told == [(done, len(STEPS), step) for done, step in enumerate(STEPS)]
