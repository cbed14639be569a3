"""Notes as values: their English, what is saved of them, and what is refused."""

import string

import pytest

from eec_bias import ResultError
from eec_bias.notes import LEFT_OUT, Note, english_notes

FEW = Note("cut_to_shared", {"subset": "names", "kept": 5, "items": 6})


def test_a_note_is_its_english_sentence():
    assert (
        str(FEW)
        == "names: some persons do not appear in all items, so we use only the 5 of 6 items that all persons share"
    )


def test_a_note_within_a_note_is_said_within_its_sentence():
    note = Note("in_part", {"by": "emotion", "label": "joy", "note": FEW})
    assert str(note) == f"emotion joy: {FEW}"
    assert note.subject is FEW


def test_notes_with_equal_values_are_one():
    assert len({FEW, Note("cut_to_shared", {"items": 6, "kept": 5, "subset": "names"})}) == 1
    assert Note("cut_to_shared", {"subset": "names", "kept": 4, "items": 6}) != FEW


def test_a_note_is_saved_as_key_values_and_text():
    saved = FEW.to_dict()
    assert saved == {
        "key": "cut_to_shared",
        "values": {"subset": "names", "kept": 5, "items": 6},
        "text": "names: some persons do not appear in all items, so we use only the 5 of 6 items that all persons "
        "share",
    }
    assert Note.from_dict(saved) == FEW


def test_a_note_of_a_later_version_is_kept_and_says_its_saved_text():
    saved = {"key": "of_later", "values": {"n": 1}, "text": "what is new"}
    note = Note.from_dict(saved)
    assert str(note) == "what is new"
    assert note.to_dict() == saved


def test_a_note_saved_as_a_sentence_is_that_sentence():
    assert str(Note.from_dict("36 of 96 rows take no part")) == "36 of 96 rows take no part"


@pytest.mark.parametrize(
    "content",
    [7, None, [], {"values": {}}, {"key": 3}, {"key": "a", "values": []}, {"key": "a", "values": {"n": [1]}},
     {"key": "cut_to_shared", "values": {}, "text": ""}, {"key": "narrow_range", "values": {"low": "a", "high": 1}}],
)  # fmt: skip
def test_what_is_no_note_is_refused(content):
    with pytest.raises(ResultError, match="note"):
        Note.from_dict(content)


def test_the_notes_that_say_what_is_left_out_are_notes():
    assert LEFT_OUT - english_notes().keys() == set()


def test_places_of_sentences_have_names():
    for sentence in english_notes().values():
        assert all(name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None)
