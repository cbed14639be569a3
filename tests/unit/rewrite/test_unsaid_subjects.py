"""Subjects that are not said, which a tagger of the user's finds."""

import pytest

import eec_datasets
from eec_datasets.rewrite.anchors import SAME
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve
from eec_datasets.rewrite.slots import Slot
from eec_datasets.rewrite.tagger import Tagger

ES = load_anchors("es", question=SAME)
SWAPPED = load_anchors("es")
VERBS = {"está", "estaba", "siente", "quedó"}


def tagger(person: str = "3", verbs: set[str] = VERBS) -> Tagger:
    """A tagger that takes some words for verbs, of one person, and all others for adjectives."""
    return Tagger(
        "test",
        lambda text, start, end: {"AUX"} if text[start:end].lower() in verbs else {"ADJ"},
        features=lambda text, start, end: {f"Person={person}"} if text[start:end].lower() in verbs else set(),
    )


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Está cansada.", (Slot("nom", capital=True), " está cansada.")),
        ("¡No está contenta!", ("¡", Slot("nom", capital=True), " no está contenta!")),
        ("Se siente orgullosa de su trabajo.", (Slot("nom", capital=True), " se siente orgullosa de su trabajo.")),
        ("@ana hoy está enojada", ("@ana ", Slot("nom"), " hoy está enojada")),
        ("Creo que está enamorada.", ("Creo que ", Slot("nom"), " está enamorada.")),
        ("Estaba furiosa.", (Slot("nom", capital=True), " estaba furiosa.")),
    ],
)
def test_the_name_is_put_where_the_subject_would_be_said(text, pieces):
    found = resolve(ES, text, None, tagger())
    assert isinstance(found, Rewritable)
    assert (found.anchor, found.role, found.pieces) == ("female", "subject", {"f": pieces})


def test_swapped_the_predicate_agrees():
    found = resolve(SWAPPED, "Está cansada y quiere dormir.", None, tagger())
    assert found.pieces["m"] == (Slot("nom", capital=True), " está cansado y quiere dormir.")


@pytest.mark.parametrize(
    "text",
    [
        "La casa está abandonada.",
        "Está abierta.",
        "Está cansada María.",
        "Está contenta la gente.",
        "Usted está cansada.",
        "¿Está cansada?",
        "La que está cansada duerme.",
    ],
)
def test_a_thing_or_a_subject_that_is_said_leaves_the_text_out(text):
    assert resolve(ES, text, None, tagger()).reason == "no-anchor"


def test_somebody_before_it_leaves_the_text_out():
    assert resolve(ES, "Mi madre llegó. Está cansada.", None, tagger()).reason == "two-referents"


def test_without_a_tagger_no_subject_is_found():
    assert resolve(ES, "Está cansada.").reason == "no-anchor"


def test_a_word_that_the_tagger_takes_for_no_verb_is_none():
    assert isinstance(resolve(ES, "Está cansada.", None, tagger(verbs=set())), LeftOut)


def test_a_verb_of_the_first_person_is_no_subject():
    assert isinstance(resolve(ES, "Estaba furiosa.", None, tagger(person="1")), LeftOut)


def test_the_text_as_it_was_found_stays_without_the_pronoun(monkeypatch):
    monkeypatch.setattr("eec_datasets.rewrite.perturbation.load_tagger", lambda *_: tagger())
    found = eec_datasets.perturb(["Está cansada."], "es", {"María": "female"}, tagger="one")
    assert [row["text"] for row in found.table().to_pylist()] == ["Está cansada.", "María está cansada."]
