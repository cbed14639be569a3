"""Views of a language so far: its minimal pairs, how far it is, and what native speakers must still look at."""

from itertools import product

import pytest
from commands import eec
from languages import languages
from texts import change

from eec_datasets.checks import check
from eec_datasets.contribute.preview import as_html, as_text, preview
from eec_datasets.contribute.questions import WEIGHTS, questions
from eec_datasets.errors import FileProblems, InputError
from eec_datasets.locale.reading import tags

PAIRS = """\
t01
  name        female          [Jessica] se siente [enojada.]
  name        male            [Michael] se siente [enojado.]
  noun_phrase female          [Esta mujer] se siente [enojada.]
  noun_phrase male            [Este hombre] se siente [enojado.]
  pronoun     female          [Ella] se siente [enojada.]
  pronoun     male            [Él] se siente [enojado.]"""


def test_the_preview_shows_each_type_of_person_in_each_gender():
    seen = {(line.template, line.person_type, line.gender) for line in preview("es-gender")}
    of_each = product([f"t{n:02d}" for n in range(1, 12)], ("name", "noun_phrase", "pronoun"), ("female", "male"))
    assert seen >= {*of_each, ("t01", "pronoun", "neutral-elle")}
    assert as_text(preview("es-anglo-latino", templates=["t01"], words=["angry"])) == PAIRS
    page = as_html(preview("ar-anglo-arab", templates=["t08"]), "ar-anglo-arab", "ar", "not reviewed")
    assert '<td class=sentence lang="ar" dir="rtl">رأيتُ <mark>إيلين</mark> في السوق.</td>' in page
    with pytest.raises(InputError, match=r"^no word 'angry'; there are: amazing, annoying, "):
        preview("es-gender", templates=["t05"], words=["angry"])


def test_words_that_are_signed_and_checked_by_another_are_counted(root):
    path, people = root / "tr/words.csv", {"sad": "A,", "glad": "A,B", "furious": "A,a"}
    for word, names in people.items():
        (line,) = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(f"{word},")]
        change(path, (line, f"{line.removesuffix(',,,')},{names},"))
    told = [finding.what for finding in check(root / "tr").findings if finding.check == "review"]
    assert told == [
        "'furious' was translated and checked by the same person, a",
        "rows that name a translator: 3 of 60; checked by someone else: 1",
    ]


@pytest.mark.parametrize("tag", tags())
def test_every_question_for_native_speakers_stands_with_its_sentence(tag):
    asked = questions(tag)
    assert asked, f"{tag} has no questions.csv"
    assert [one for one in asked if not (one.sentence and one.question)] == []
    assert {one.weight for one in asked} <= WEIGHTS.keys()
    assert [one.weight for one in asked] == sorted(one.weight for one in asked)


def test_questions_that_cannot_be_asked_are_told(tmp_path):
    path = languages(tmp_path, "pt") / "pt" / "questions.csv"
    header, first, *_ = path.read_text(encoding="utf-8").splitlines()
    path.unlink()
    assert questions("pt", tmp_path) == []
    path.write_text(f"{header}\n{first[first.index(',') :]}\n", encoding="utf-8")
    told = eec("locale", "check", "pt", "--locales", tmp_path).output
    assert "pt, questions for native readers, weight unknown: other\n" in told
    assert told.endswith("; 1 open question\n")
    path.write_text(f"{header}\n1,pt-gender,t01/sad/nobody,,,why?,por quê?\n", encoding="utf-8")
    with pytest.raises(FileProblems, match="pt-gender has no person 'nobody'"):
        questions("pt", tmp_path)


def test_a_question_about_a_sentence_that_is_not_there_is_refused(tmp_path):
    root = languages(tmp_path, "es", "en")
    change(root / "es" / "questions.csv", ("es-anglo-latino-100,t21/excited", "es-gender,t21/excited"))
    with pytest.raises(FileProblems, match="es-gender does not have 't21/excited/woman'"):
        questions("es", root)
