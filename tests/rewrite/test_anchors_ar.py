"""Arabic: who هو and هي stand for, and what agrees with them. No native speaker has read the keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from anchor_keys import key_rows, wrong_rows

from eec_datasets.rewrite.fillers import filled, filler, read_fillers
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import Found, LeftOut, resolve
from eec_datasets.rewrite.slots import Slot

KEYS = ("key-ar.csv", "key-ar-second.csv")
DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

Said = Callable[[str, str, str, str], tuple[str, str] | str]


@pytest.fixture
def said(perturbed: Said) -> Callable[[str], tuple[str, str] | str]:
    """An Arabic text said of Maryam and of Ahmad, or the reason."""
    return lambda text: perturbed("ar", text, "مريم", "أحمد")


@pytest.mark.parametrize("key", KEYS)
def test_every_row_of_the_key_comes_out_as_it_was_written_by_hand(key: str) -> None:
    wrong = wrong_rows("ar", key, "مريم", "أحمد")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_holds_both_genders_and_texts_that_must_be_left_out(key: str) -> None:
    rows = key_rows(key)
    found = [resolve(load_anchors("ar"), row["text"]) for row in rows]
    rewritten = [one.anchor for one in found if isinstance(one, Found)]
    assert min(rewritten.count("female"), rewritten.count("male")) >= 60
    assert sum(isinstance(one, LeftOut) for one in found) >= 60
    assert len({row["text"] for row in rows}) == len(rows)


@pytest.mark.parametrize("key", KEYS)
def test_the_words_of_the_anchor_s_own_gender_are_left_as_they_were_found(key: str) -> None:
    anchors = load_anchors("ar")
    for row in key_rows(key):
        found = resolve(anchors, row["text"])
        if isinstance(found, Found):
            column = anchors.columns[found.anchor]
            texts = [piece for piece in found.pieces[column] if not isinstance(piece, Slot)]
            assert "".join(texts).replace(" ", "") in _without_anchor(row["text"], column), row["text"]


def _without_anchor(text: str, column: str) -> set[str]:
    """The text without any one of its pronouns or suffixes, and without spaces."""
    plain = text.replace(" ", "")
    forms = {"f": ("هي", "هى", "هـي", "ها"), "m": ("هو", "ه")}[column]
    return {
        plain[:at] + plain[at + len(form) :] for form in forms for at in range(len(plain)) if plain.startswith(form, at)
    }


@pytest.mark.parametrize("key", KEYS)
def test_there_and_back_again_gives_the_same_sentences(key: str) -> None:
    """What is said of the other gender with a pronoun says the same of both, where it can be rewritten at all."""
    anchors = load_anchors("ar")
    checked = 0
    for row in key_rows(key):
        found = resolve(anchors, row["text"])
        if not isinstance(found, Found) or " هي" in row["text"] or not row["text"].startswith(("هي ", "هو ")):
            continue
        other = "m" if found.anchor == "female" else "f"
        pronoun = {"f": "هي", "m": "هو"}[other]
        text = "".join(pronoun if isinstance(piece, Slot) else piece for piece in found.pieces[other])
        back = resolve(anchors, text)
        if isinstance(back, Found):
            own = {"f": "m", "m": "f"}[other]
            assert _bare(back.pieces[own]) == _bare(found.pieces[own]), row["text"]
            checked += 1
    assert checked >= 50


def _bare(pieces: tuple[str | Slot, ...]) -> str:
    """The sentence without the mark of ًا, and with no mark of the accusative that informal writing leaves out."""
    text = "".join("…" if isinstance(piece, Slot) else piece for piece in pieces)
    return text.replace("\u064b", "").replace("كان سعيد.", "كان سعيدا.")


@pytest.mark.parametrize("key", KEYS)
def test_no_sign_of_direction_is_added(key: str) -> None:
    anchors = load_anchors("ar")
    for row in key_rows(key):
        found = resolve(anchors, row["text"])
        if isinstance(found, Found):
            assert not DIRECTION.intersection(str(found.pieces)) - set(row["text"])


@pytest.mark.parametrize("frame", ["هو يحب أن {}.", "هو خاف ثم {}.", "هو لا يبكي، {}.", "هو كان {}.", "هو يعيش مع {}."])
def test_a_noun_with_its_article_never_changes(frame: str) -> None:
    """العمل is no verb, whatever stands before it."""
    anchors = load_anchors("ar")
    nouns = [word for word, classes in anchors.lexicon.words.items() if {"noun-m", "noun-f"} & classes]
    assert len(nouns) > 500
    for noun in nouns:
        word = "ال" + noun
        found = resolve(anchors, frame.format(word))
        if isinstance(found, Found):
            assert str(found.pieces["f"][-1]).endswith(f" {word}."), word


def test_a_declinable_name_takes_its_accusative_from_the_locale() -> None:
    anchors = load_anchors("ar")
    persons = {person.id: person for person in read_fillers(anchors, "ar-anglo-arab")}
    found = resolve(anchors, "أعتقد أنها مريضة.")
    assert isinstance(found, Found)
    assert filled(anchors, persons["muhammad"], found.pieces["m"]) == "أعتقد أن محمدًا مريض."
    assert filled(anchors, persons["umar"], found.pieces["m"]) == "أعتقد أن عمر مريض."
    assert filled(anchors, persons["fatima"], found.pieces["f"]) == "أعتقد أن فاطمة مريضة."


def test_a_subject_keeps_the_name_in_the_nominative() -> None:
    anchors = load_anchors("ar")
    persons = {person.id: person for person in read_fillers(anchors, "ar-anglo-arab")}
    found = resolve(anchors, "هي سعيدة.")
    assert isinstance(found, Found)
    assert filled(anchors, persons["muhammad"], found.pieces["m"]) == "محمد سعيد."


def test_a_preposition_of_one_letter_is_written_with_the_name() -> None:
    anchors = load_anchors("ar")
    found = resolve(anchors, "اتصلت بها أمس.")
    assert isinstance(found, Found)
    assert filled(anchors, filler(anchors, "الحسن", "male"), found.pieces["m"]) == "اتصلت بالحسن أمس."
    assert filled(anchors, filler(anchors, "هذه المرأة", "female", type="noun_phrase"), found.pieces["f"]) == (
        "اتصلت بهذه المرأة أمس."
    )


def test_and_is_written_with_the_name(said: Callable[[str], tuple[str, str] | str]) -> None:
    assert said("أنا أعمل وهي تنام.") == ("أنا أعمل ومريم تنام.", "أنا أعمل وأحمد ينام.")


def test_the_accusative_is_needed_behind_kana_only(said: Callable[[str], tuple[str, str] | str]) -> None:
    assert said("هي غاضبة.") == ("مريم غاضبة.", "أحمد غاضب.")
    assert said("هي كانت غاضبة.") == ("مريم كانت غاضبة.", "أحمد كان غاضبا.")
    assert said("هي كانت غير سعيدة.") == ("مريم كانت غير سعيدة.", "أحمد كان غير سعيد.")
    assert said("هي كانت مديرة الشركة.") == ("مريم كانت مديرة الشركة.", "أحمد كان مدير الشركة.")


def test_a_word_that_also_orders_the_reader_is_left_alone(said: Callable[[str], tuple[str, str] | str]) -> None:
    assert said("هي غاضبة، لا تتكلم كثيرا.") == "unknown-agreement"
    assert said("هو غاضب، لا يتكلم كثيرا.") == ("مريم غاضبة، لا تتكلم كثيرا.", "أحمد غاضب، لا يتكلم كثيرا.")


def test_a_noun_that_a_pronoun_may_stand_for_leaves_the_text_out(said: Callable[[str], tuple[str, str] | str]) -> None:
    assert said("هو يحب بيته وهو كبير.") == "two-referents"
    assert said("هو فقد عمله وهو حزين.") == ("مريم فقدت عملها وهي حزينة.", "أحمد فقد عمله وهو حزين.")


def test_a_sentence_of_unknown_words_is_left_out_and_says_which() -> None:
    found = resolve(load_anchors("ar"), "هي قرمزية.")
    assert found == LeftOut("unknown-word", "female", "قرمزية", "every word is accounted for")


def test_the_file_says_that_no_native_speaker_has_read_it() -> None:
    assert "No native speaker has read this file." in load_anchors("ar").notes
