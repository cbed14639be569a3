"""What native speakers must still look at is one list per language, each question with a sentence of the corpus."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from eec_datasets.contribute.questions import WEIGHTS, questions
from eec_datasets.errors import LocaleError
from eec_datasets.locale.reading import locales_folder, tags


@pytest.mark.parametrize("tag", tags())
def test_every_question_for_native_speakers_stands_with_its_sentence(tag: str) -> None:
    asked = questions(tag)
    assert asked, f"{tag} has no questions.csv"
    assert [one for one in asked if not (one.sentence and one.question)] == []
    assert {one.weight for one in asked} <= WEIGHTS.keys()
    assert [one.weight for one in asked] == sorted(one.weight for one in asked)


def test_a_question_about_a_sentence_that_is_not_there_is_refused(tmp_path: Path) -> None:
    shutil.copytree(locales_folder() / "pt", tmp_path / "pt")
    for name in ("corpus.toml", "axes.toml"):
        shutil.copy(locales_folder() / name, tmp_path / name)
    path = tmp_path / "pt" / "questions.csv"
    path.write_text(path.read_text(encoding="utf-8") + "1,pt-gender,t01/sad/nobody,,,why?\n", encoding="utf-8")
    with pytest.raises(LocaleError, match="pt-gender has no person 'nobody'"):
        questions("pt", tmp_path)
