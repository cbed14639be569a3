"""What there is of a language so far: its minimal pairs, how far it is, and what native speakers must still look at."""

import pytest
from commands import eec, succeed
from languages import languages
from texts import change

from eec_datasets.checks import check
from eec_datasets.contribute.preview import as_html, as_text, preview
from eec_datasets.contribute.progress import Progress, progress
from eec_datasets.contribute.questions import WEIGHTS, questions
from eec_datasets.contribute.scaffold import scaffold
from eec_datasets.errors import LocaleError, UnknownVariant
from eec_datasets.locale.reading import locales_folder, tags


def test_each_template_shows_each_type_of_person_in_each_gender():
    lines = preview("es-gender")
    seen = {(line.template, line.person_type, line.gender) for line in lines}
    for template in [f"t{number:02d}" for number in range(1, 12)]:
        for person_type in ("name", "noun_phrase", "pronoun"):
            assert {(template, person_type, "female"), (template, person_type, "male")} <= seen
    assert ("t01", "pronoun", "neutral-elle") in seen


def test_the_terminal_shows_pairs_one_under_the_other():
    assert as_text(preview("es-anglo-latino", templates=["t01"], words=["angry"])) == (
        "t01\n"
        "  name        female          [Jessica] se siente [enojada.]\n"
        "  name        male            [Michael] se siente [enojado.]\n"
        "  noun_phrase female          [Esta mujer] se siente [enojada.]\n"
        "  noun_phrase male            [Este hombre] se siente [enojado.]\n"
        "  pronoun     female          [Ella] se siente [enojada.]\n"
        "  pronoun     male            [Él] se siente [enojado.]"
    )


def test_a_word_that_stands_in_none_of_the_templates_shown_is_refused_with_those_that_do():
    with pytest.raises(UnknownVariant, match=r"^no word 'angry'; there are: amazing, annoying, "):
        preview("es-gender", templates=["t05"], words=["angry"])


def test_the_page_has_the_direction_of_the_script():
    page = as_html(preview("ar-anglo-arab", templates=["t08"]), "ar-anglo-arab", "ar", "not reviewed")
    assert '<td class=sentence lang="ar" dir="rtl">رأيتُ <mark>إيلين</mark> في السوق.</td>' in page


def sign(path, word, translator, checker=""):
    """Write names into the row that begins with `word`."""
    text = path.read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith(f"{word},")]
    assert line.endswith(",,,")
    change(path, (line, f"{line[:-2]}{translator},{checker},"))


def test_a_person_without_a_form_that_templates_ask_for_is_not_counted_as_written(root):
    change(root / "tr" / "persons.csv", ("Ayşe'yi", ""))
    assert Progress("persons.csv", of=38, written=37, translated=0, checked=0) in progress(root / "tr")
    assert not check(root / "tr").ok
    assert Progress("persons.csv", of=141, written=141, translated=0, checked=0) in progress(locales_folder() / "es")


def test_in_a_scaffold_nothing_is_written(root):
    folder = scaffold("sv", "en", root)
    assert [(counts.file, counts.written, counts.checked) for counts in progress(folder)] == [
        ("templates.toml", 0, 0),
        ("words.csv", 0, 0),
        ("persons.csv", 0, 0),
    ]


def test_words_that_are_signed_and_checked_are_counted(root):
    sign(root / "tr/words.csv", "sad", "A")
    sign(root / "tr/words.csv", "glad", "A", "B")
    assert Progress("words.csv", of=60, written=60, translated=2, checked=1) in progress(root / "tr")
    notes = [str(finding) for finding in check(root / "tr").findings if finding.check == "review"]
    assert notes == [
        "words.csv:14: note: rows that name a translator: 2 of 60; checked by a second person: 1. See eec locale status"
    ]


def test_who_checks_their_writing_is_no_second_person(root):
    sign(root / "tr/words.csv", "sad", "A", "a")
    assert Progress("words.csv", of=60, written=60, translated=1, checked=0) in progress(root / "tr")
    note = [finding.what for finding in check(root / "tr").findings if finding.check == "review"][-1]
    assert note.endswith("second person: 0")


def test_the_command_shows_a_line_per_file(root):
    sign(root / "en/words.csv", "glad", "A", "B")
    result = succeed("locale", "status", "en", "--locales", root)
    lines = [line.split() for line in result.output.splitlines()]
    assert lines[0] == ["language", "file", "texts", "written", "signed", "checked"]
    assert ["en", "templates.toml", "63", "63", "0", "0"] in lines
    assert ["words.csv", "40", "40", "1", "1"] in lines


@pytest.mark.parametrize("tag", tags())
def test_every_question_for_native_speakers_stands_with_its_sentence(tag):
    asked = questions(tag)
    assert asked, f"{tag} has no questions.csv"
    assert [one for one in asked if not (one.sentence and one.question)] == []
    assert {one.weight for one in asked} <= WEIGHTS.keys()
    assert [one.weight for one in asked] == sorted(one.weight for one in asked)


def test_a_language_without_questions_is_told_so_and_a_question_without_a_weight_has_a_heading(tmp_path):
    path = languages(tmp_path, "pt") / "pt" / "questions.csv"
    header, first, *_ = path.read_text(encoding="utf-8").splitlines()
    path.unlink()
    asked = ("locale", "questions", "pt", "--locales", tmp_path)
    assert eec(*asked).output == "pt: no question is noted (questions.csv)\n"
    path.write_text(f"{header}\n{first[first.index(',') :]}\n", encoding="utf-8")
    assert eec(*asked).output.startswith("pt, no weight: other\n")


def test_a_question_about_a_sentence_that_is_not_there_is_refused(tmp_path):
    path = languages(tmp_path, "pt") / "pt" / "questions.csv"
    path.write_text(path.read_text(encoding="utf-8") + "1,pt-gender,t01/sad/nobody,,,why?\n", encoding="utf-8")
    with pytest.raises(LocaleError, match="pt-gender has no person 'nobody'"):
        questions("pt", tmp_path)
