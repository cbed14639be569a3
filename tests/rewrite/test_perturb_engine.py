"""The engine on small grammars of its own: what the data can say, and what is told when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eec_datasets.errors import LocaleError, UnknownConfig
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import Found, LeftOut, resolve
from eec_datasets.rewrite.slots import Slot
from eec_datasets.rewrite.tokens import tokenize

SMALL = """
schema = 1
before = "a"
[agreement]
female = "f"
male = "m"
[roles]
nom = "{form}"
[[joins]]
before = "a el "
after = "al "
[language]
words = "la"
[readings.nom]
first = "{nom}"
f = "ella"
m = "él"
[readings.with]
first = "{stem} {nom}"
f = "{stem}ha"
m = "{stem}hu"
[classes]
adj = { pairs = { f = "ada", m = "ado" }, except = "nada" }
prep = "con"
[[affixes]]
class = "with-person"
prefix = "y"
stem = "<prep>"
suffix = { f = "ha", m = "hu" }
anchor = true
[[rules]]
at = "<anchor>"
is-not = "<with-person>"
reading = "nom"
[[rules]]
at = "<with-person>"
reading = "with"
[[rules]]
at = "<adj:own>"
before = "@nom"
inflect = true
[[rules]]
at = "<adj>|nada"
skip = "unknown-agreement"
"""


@pytest.fixture
def small(tmp_path: Path):
    def load(text: str = SMALL, words: str = ""):
        folder = tmp_path / "xx"
        folder.mkdir(exist_ok=True)
        (folder / "anchors.toml").write_text(text, encoding="utf-8")
        if words:
            (folder / "anchor-words.csv").write_text(words, encoding="utf-8")
        return load_anchors("xx", tmp_path)

    return load


def test_the_first_mention_becomes_a_slot_and_further_ones_pronouns(small):
    found = resolve(small(), "Ella está y ELLA va con ella")
    assert found == Found(
        "female",
        {
            "f": (Slot("nom", capital=True), " está y ELLA va con ella"),
            "m": (Slot("nom", capital=True), " está y ÉL va con él"),
        },
    )


def test_a_word_that_may_fuse_is_taken_into_the_slot(small):
    found = resolve(small(), "vi a él")
    assert isinstance(found, Found)
    assert found.pieces["m"] == ("vi ", Slot("nom", before="a "))
    assert small().fuse("A ", "el rey") == "Al rey"
    assert small().fuse("a ", "Elena") == "a Elena"


def test_words_that_agree_take_the_form_of_the_filler(small):
    found = resolve(small(), "él está Cansado")
    assert isinstance(found, Found)
    assert found.pieces == {
        "f": (Slot("nom"), " está Cansada"),
        "m": (Slot("nom"), " está Cansado"),
    }


def test_a_word_that_agrees_with_something_else_leaves_the_text_out(small):
    assert resolve(small(), "él está cansada") == LeftOut("unknown-agreement", "male", "cansada", "anchors.toml:42")


def test_a_suffixed_pronoun_is_cut_from_its_stem(small):
    found = resolve(small(), "yconha va")
    assert isinstance(found, Found)
    assert found.pieces["m"] == ("ycon ", Slot("nom"), " va")
    again = resolve(small(), "ella va conha")
    assert isinstance(again, Found)
    assert again.pieces["m"] == (Slot("nom"), " va conhu")


def test_both_genders_no_anchor_and_control_characters_are_told_apart(small):
    anchors = small()
    assert resolve(anchors, "ella y él") == LeftOut("both-genders", "both")
    assert resolve(anchors, "nadie") == LeftOut("no-anchor", "none")
    assert resolve(anchors, "ella\x00") == LeftOut("control-characters", "none")
    assert resolve(anchors, "ella " + "va " * 50, 50) == LeftOut("too-long", "female")
    assert resolve(anchors, "ella" + "!," * 600, 50) == LeftOut("too-long", "female")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ('"él va" dijo', [1, 1, 1, 1, 0]),
        ("“él” va", [1, 1, 1, 0]),
        ("dijo «él»", [0, 1, 1, 1]),
        ('dijo "él va', [0, -1, -1, -1]),
        ("dijo 'él va' y", [0, 1, 1, 1, 1, 0]),
        ("isn't él's", [0, 0]),
        ("the boys' él", [0, 0, 0, 0]),
    ],
)
def test_tokens_know_their_quotation(text, numbers):
    assert [token.quotation for token in tokenize(text)] == numbers


def test_an_abbreviation_an_initial_and_an_address_end_no_sentence():
    sentences = [token.sentence for token in tokenize("Dr. J. Roe met www.a.b at 3.5. Then left…", {"dr"})]
    assert sentences == [0] * 10 + [1] * 3


def test_texts_with_mentions_inside_and_outside_of_quotations_are_left_out(small):
    assert resolve(small(), '"ella va" dijo ella') == LeftOut("quoted", "female")
    assert resolve(small(), 'dijo "ella va') == LeftOut("quoted", "female")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('at = "<adj:own>"', 'at = "<adjective>"', "nothing is called <adjective>. Declare it, or mend its spelling"),
        ('before = "@nom"', 'before = "@dat"', "nothing is called @dat. Declare it, or mend its spelling"),
        ('reading = "with"', 'reading = "without"', "there is no reading 'without'. Readings: nom, with"),
        (
            'skip = "unknown-agreement"',
            'skip = "odd"',
            "the reason 'odd' is not explained. Write a sentence for it in [reasons]",
        ),
        (
            "inflect = true",
            "bend = true",
            "unknown key 'bend' in [[rules]]. Known here: id, at, is, is-not, before, after, anywhere, not-before, "
            "not-after, not-anywhere, between, not-between, gender, left, right, not-left, not-right, reading, "
            "inflect, keep, skip",
        ),
        (
            'first = "{nom}"',
            'first = "{dat}"',
            "'{dat}' is no slot. Roles are: nom; write {role}, {prefix+role} or {stem}",
        ),
        ('m = "él"', 'x = "él"', "unknown key 'readings.nom.x'. Known here: anchor, f, first, m"),
        (
            'pairs = { f = "ada", m = "ado" }',
            'pairs = { f = "ada ida", m = "ado" }',
            "the pairs of 'adj' are not of the same number. Write ending for ending",
        ),
        ('at = "<anchor>"', 'at = "<anchor"', "'<anchor' in '<anchor' is no class such as <noun>. See CONTRIBUTING.md, "
         "'Rewrite natural text'"),
    ],
)  # fmt: skip
def test_mistakes_in_the_data_are_told_with_their_line(small, old, new, problem):
    text = SMALL.replace(old, new, 1)
    with pytest.raises(LocaleError) as caught:
        small(text)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("locale 'xx': ")
    assert problem in {line.partition(": ")[2] for line in lines[1:]}
    assert all(line.startswith("  anchors.toml:") for line in lines[1:])


def test_a_row_of_words_without_class_or_form_is_told_with_its_line(small):
    with pytest.raises(LocaleError) as caught:
        small(words="form,class,f,m,note\nvoz,,,,\n,adj,lista,listo,\nx,adj,lista,listo,\n")
    mend = "the row needs a class, and either a form or forms in columns. Fill column form, or the columns of forms"
    assert str(caught.value).splitlines() == [
        "locale 'xx': 2 problems",
        f"  anchor-words.csv:2: {mend}",
        f"  anchor-words.csv:4: {mend}",
    ]


def test_a_language_without_anchors_is_told_with_those_that_have_them():
    with pytest.raises(UnknownConfig) as caught:
        load_anchors("tr")
    assert str(caught.value).startswith("The locale 'tr' cannot rewrite natural text: there is no anchors.toml in ")
    assert " Languages that can: " in str(caught.value)


WORDS = """he she her his him himself He she's he'd said love the ' " “ . ? , @a #b 1.5 HIS / doctor old and Ann 👩 ـ"""
WORDS = [*WORDS.split(), "\n", " ", "\u200d"]


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)))
def test_no_text_breaks_the_engine_and_no_character_outside_the_mentions_is_lost(text):
    found = resolve(load_anchors("en"), text, 50)
    if isinstance(found, LeftOut):
        assert found.reason in load_anchors("en").reasons
        return
    own = "f" if found.anchor == "female" else "m"
    at = 0
    for piece in found.pieces[own]:
        if isinstance(piece, str):
            for word in piece.split():
                expanded = word in ("will", "had", "would", "'s", "’s") or word.startswith(("'s", "’s"))
                place = text.find(word, at)
                assert place >= 0 or expanded, (word, text)
                at = max(place, at)
    assert sum(isinstance(piece, Slot) for piece in found.pieces[own]) == 1


@pytest.mark.parametrize("part", ["she ", '"', "1,", "he’"])
def test_a_line_of_a_million_characters_comes_to_an_end(part):
    text = "She is here. " + part * (1_000_000 // len(part))
    assert isinstance(resolve(load_anchors("en"), text, 50), LeftOut)


def test_a_text_of_more_than_5_000_words_is_too_long_whatever_the_limit():
    anchors = load_anchors("en")
    assert resolve(anchors, "She left. " + "I left. " * 2_600) == LeftOut("too-long", "female")
    assert resolve(anchors, "She left. " + "I left. " * 2_600, 10**9) == LeftOut("too-long", "female")
