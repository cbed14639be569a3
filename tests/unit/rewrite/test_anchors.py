"""English, Spanish, Arabic: every row of the keys comes out as it was written by hand, and what holds for all texts.

No native speaker has read the Spanish and the Arabic keys.
"""

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.fillers import filler, read_fillers
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve
from eec_datasets.rewrite.rows import Batches
from eec_datasets.rewrite.slots import Filler, Rewrite, Slot

HERE = Path(__file__).parent
PERSONS = {"en": ("Maria", "Adam"), "es": ("María", "Juan"), "ar": ("مريم", "أحمد")}
KEYS = {
    "en": ("key-en.csv", "key-en-unseen.csv", "key-en-natural.csv"),
    "es": ("key-es.csv", "key-es-second.csv", "key-es-natural.csv"),
    "ar": ("key-ar.csv", "key-ar-second.csv"),
}  # fmt: skip


@cache
def two(language: str, persons: tuple[str, ...]) -> list[Filler]:
    """A woman and a man by name."""
    anchors = load_anchors(language)
    return [
        filler(anchors, column, form, id=column, type="name", labels={}, roles={})
        for form, column in zip(persons, anchors.columns.values(), strict=True)
    ]


def said_of(language: str, text: str, persons: tuple[str, ...] = ()) -> tuple[str, ...] | str:
    """The text said of a woman and of a man, or the reason for which it is left out."""
    return all_said_of(language, [text], two(language, persons or PERSONS[language]))[0]


@cache
def resolved(language: str, text: str) -> Rewritable | LeftOut:
    """What is found in a text, looked for once."""
    return resolve(load_anchors(language), text)


def all_said_of(language: str, texts: Sequence[str], fillers: list[Filler]) -> list[tuple[str, ...] | str]:
    """Each text said of each, as rows are made of it; or the reason for which it is left out."""
    found = [resolved(language, text) for text in texts]
    # The text itself is not given: it may name a person already.
    kept = [Rewrite("s", "", each.anchor, each.pieces) for each in found if isinstance(each, Rewritable)]
    batches = Batches(kept, fillers, language=language, fuse=load_anchors(language).fuse)
    rows = [text for batch in batches for text in batch["text"].to_pylist()]
    of_each = zip(*[iter(rows)] * (len(fillers) + 1), strict=True)
    return [each.reason if isinstance(each, LeftOut) else tuple(next(of_each)[1:]) for each in found]


@cache
def key_rows(name: str) -> list[dict[str, str]]:
    """The rows of a key in this folder: text, female, male, reason."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


@cache
def rewritten(language: str) -> list[tuple[str, Rewritable]]:
    """The texts of all keys of a language that are rewritten, and what was found in them."""
    texts = [row["text"] for name in KEYS[language] for row in key_rows(name)]
    found = [(text, resolved(language, text)) for text in texts]
    return [(text, found) for text, found in found if isinstance(found, Rewritable)]


ALL = [(language, name) for language, names in KEYS.items() for name in names]
DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@pytest.mark.parametrize(("language", "name"), ALL)
def test_every_row_of_the_key_comes_out_as_it_was_written_by_hand(language, name):
    wrong, rows = [], key_rows(name)
    said = all_said_of(language, [row["text"] for row in rows], two(language, PERSONS[language]))
    for line, (row, got) in enumerate(zip(rows, said, strict=True), start=2):
        expected = row["reason"] or (row["female"], row["male"])
        if got != expected:
            wrong.append(f"{name}:{line}: {row['text']}\n  expected {expected}\n  got      {got}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("language", "rows", "each", "refused"), [("en", 150, 40, 50), ("es", 240, 60, 60),
                                                                   ("ar", 400, 120, 120)])  # fmt: skip
def test_the_keys_hold_both_genders_and_texts_that_must_be_left_out(language, rows, each, refused):
    texts = [row["text"] for name in KEYS[language] for row in key_rows(name)]
    found = Counter(one.anchor for _, one in rewritten(language))
    assert len(set(texts)) >= rows
    assert min(found["female"], found["male"]) >= each
    assert len(texts) - found.total() >= refused


def test_the_spanish_keys_hold_every_reason_of_the_language():
    reasons = {row["reason"] for name in KEYS["es"] for row in key_rows(name)}
    lacking = {"too-long", "control-characters", "no-name-slot", "several-names", "round-trip", "no-names"}
    assert set(load_anchors("es").reasons) - reasons == lacking


def test_that_no_native_speaker_has_read_spanish_and_arabic_is_said():
    assert all("No native speaker has read this file." in load_anchors(language).notes for language in ("es", "ar"))


PRONOUN = r"(?:s?he|him|hers?|his)(?:['’](?:ll|d|s)|s)?"
EXPANDED = re.compile(r"(?: will| had| would|['’]s)?")


def test_an_english_name_of_the_own_gender_changes_the_first_mention():
    for text, found in rewritten("en"):
        pattern = ""
        for piece in found.pieces["f" if found.anchor == "female" else "m"]:
            if isinstance(piece, Slot):
                pattern += PRONOUN
                continue
            expanded = EXPANDED.match(piece)[0] if pattern.endswith(PRONOUN) else ""
            pattern += (f"(?:{re.escape(expanded)})?" if expanded else "") + re.escape(piece[len(expanded) :])
        assert re.fullmatch(pattern, text, re.IGNORECASE), (pattern, text)


def test_a_spanish_text_said_of_her_or_him_again_is_the_text_itself():
    texts = [text for text, _ in rewritten("es")]
    for text, again in zip(texts, all_said_of("es", texts, two("es", ("ella", "él"))), strict=True):
        assert text.casefold() in [one.casefold() for one in again]  # ELLA in the middle comes back as Ella


def test_arabic_words_of_the_own_gender_are_left_as_they_were_found():
    for text, found in rewritten("ar"):
        column = load_anchors("ar").columns[found.anchor]
        texts = [piece for piece in found.pieces[column] if not isinstance(piece, Slot)]
        assert "".join(texts).replace(" ", "") in _without_anchor(text.replace(" ", ""), column), text
        assert not DIRECTION.intersection(str(found.pieces)) - set(text)


def _without_anchor(text: str, column: str) -> set[str]:
    """The text without any one of its pronouns or suffixes."""
    forms = {"f": ("هي", "هى", "هـي", "ها"), "m": ("هو", "ه")}[column]
    return {
        text[:at] + text[at + len(form) :] for form in forms for at in range(len(text)) if text.startswith(form, at)
    }


def test_arabic_there_and_back_again_gives_the_same_sentences():
    """What is said of the other gender with a pronoun says the same of both, where it can be rewritten at all."""
    checked = 0
    for text, found in rewritten("ar"):
        if " هي" in text or not text.startswith(("هي ", "هو ")):
            continue
        own, other, pronoun = ("f", "m", "هو") if found.anchor == "female" else ("m", "f", "هي")
        said = "".join(pronoun if isinstance(piece, Slot) else piece for piece in found.pieces[other])
        back = resolve(load_anchors("ar"), said)
        if isinstance(back, Rewritable):
            assert _bare(back.pieces[own]) == _bare(found.pieces[own]), text
            checked += 1
    assert checked >= 100


def _bare(pieces: tuple[str | Slot, ...]) -> str:
    """The sentence without the mark of ًا, and with no mark of the accusative that informal writing leaves out."""
    text = "".join("…" if isinstance(piece, Slot) else piece for piece in pieces)
    return text.replace("\u064b", "").replace("كان سعيد.", "كان سعيدا.")


@pytest.mark.parametrize("frame", ["هو يحب أن {}.", "هو خاف ثم {}.", "هو لا يبكي، {}.", "هو كان {}.", "هو يعيش مع {}."])
def test_an_arabic_noun_with_its_article_never_changes(frame):
    """العمل is no verb, whatever stands before it."""
    anchors = load_anchors("ar")
    nouns = [word for word, classes in anchors.lexicon.words.items() if {"noun-m", "noun-f"} & classes]
    assert len(nouns) > 500
    for noun in nouns:
        found = resolve(anchors, frame.format("ال" + noun))
        if isinstance(found, Rewritable):
            assert str(found.pieces["f"][-1]).endswith(f" ال{noun}."), noun


def test_a_declinable_arabic_name_takes_its_accusative_from_the_locale():
    by_id = {one.id: one for one in read_fillers(load_anchors("ar"), "ar-anglo-arab")}
    fillers = [by_id[name] for name in ("fatima", "muhammad", "umar")]
    assert all_said_of("ar", ["أعتقد أنها مريضة.", "هي سعيدة."], fillers) == [
        ("أعتقد أن فاطمة مريضة.", "أعتقد أن محمدًا مريض.", "أعتقد أن عمر مريض."),
        ("فاطمة سعيدة.", "محمد سعيد.", "عمر سعيد."),
    ]


SPACED = "So…  he   is\xa0late!!  \U0001f602 (again)"
"""All characters around a mention are kept."""


@pytest.mark.parametrize(
    ("language", "text", "persons", "female", "male"),
    [
        ("en", "His dog is old.", ("my sister", "this man"), "My sister's dog is old.", "This man's dog is old."),
        ("en", "he lied", ("my sister", "this man"), "my sister lied", "this man lied"),
        ("es", "A él le dije que no.", ("la presidenta", "el presidente"), "A la presidenta le dije que no.",
         "Al presidente le dije que no."),
        ("es", "Es culpa de ella.", ("la jefa", "el jefe"), "Es culpa de la jefa.", "Es culpa del jefe."),
        ("es", "Es culpa de ella.", ("Eva", "El Fary"), "Es culpa de Eva.", "Es culpa de El Fary."),
        ("es", "Hablé con él.", ("mi madre", "el rey"), "Hablé con mi madre.", "Hablé con el rey."),
        ("ar", "اتصلت بها أمس.", ("هذه المرأة", "الحسن"), "اتصلت بهذه المرأة أمس.", "اتصلت بالحسن أمس."),
        ("en", f"  \t{SPACED} ", (), f"  \t{SPACED.replace('he', 'Maria')} ", f"  \t{SPACED.replace('he', 'Adam')} "),
        ("es", "E\u0301l está cansado.", (), "María está cansada.", "Juan está cansado."),
    ],
)  # fmt: skip
def test_a_filler_is_written_with_what_stands_beside_it(language, text, persons, female, male):
    assert tuple(unicodedata.normalize("NFC", one) for one in said_of(language, text, persons)) == (female, male)


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", "The doctor said he was busy.", {"reason": "antecedent", "anchor": "male", "word": "doctor"}),
        ("es", "Ella llegó toda patidifusa.", {"reason": "unknown-agreement", "anchor": "female", "word": "toda"}),
        ("ar", "هي قرمزية.", {"reason": "unknown-word", "anchor": "female", "word": "قرمزية"}),
        ("es", "Mi madre dice que ella no viene.", {"role": "subject"}),
        ("es", "Casa nueva, no habites en ella.", {"role": "other"}),
        ("es", "Mi madre dice que a ella le gusta.", {"role": "object"}),
        ("ar", "رأيتها", {"role": "object"}),
        ("ar", "هذا بيتها", {"role": "clitic"}),
    ],
)
def test_a_text_that_is_left_out_says_why_by_word_and_role(language, text, told):
    left = resolved(language, text)
    assert isinstance(left, LeftOut)
    assert {key: getattr(left, key) for key in told} == told


with (locales_folder() / "es" / "anchor-words.csv").open(encoding="utf-8", newline="") as file:
    SPANISH = list(csv.DictReader(file, strict=True))


def test_every_spanish_word_stands_once_per_class_and_pairs_differ():
    entries = Counter((row["form"], row["f"], row["m"], name) for row in SPANISH for name in row["class"].split())
    assert [entry for entry, count in entries.items() if count > 1] == []
    assert [row for row in SPANISH if row["f"] and row["f"] == row["m"]] == []
    assert [row for row in SPANISH if not unicodedata.is_normalized("NFC", "".join(row.values()))] == []


LISTED = sorted({form for row in SPANISH for form in (row["form"], row["f"], row["m"]) if form})[::20]
FUNCTION_WORDS = ["la", "lo", "una", "el", "no", "y", ",", ".", "es", "está", "que", "a", "de", "se", "su"]
SOME = st.lists(st.sampled_from([*LISTED, *FUNCTION_WORDS]), max_size=8)


@settings(max_examples=200, deadline=None)
@given(SOME, SOME)
def test_said_of_the_same_gender_nothing_changes_but_the_first_pronoun(before, after):
    for pronoun, own in (("ella", 0), ("él", 1)):
        found = said_of("es", " ".join([*before, pronoun, *after]), ("Nadine", "Egon"))
        if not isinstance(found, str):
            assert found[own] == " ".join([*before, ("Nadine", "Egon")[own], *after])


def test_all_sentences_of_a_long_text_are_said_of_the_same_person():
    assert said_of("es", "Ella está cansada. " * 500)[1] == "Juan está cansado. " + "Él está cansado. " * 499
