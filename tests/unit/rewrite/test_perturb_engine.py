"""The engine on small grammars of its own: what the data can say, and what is told when it is wrong."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from snapshots import refusal

from eec_datasets.errors import InputError
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve
from eec_datasets.rewrite.slots import Slot
from eec_datasets.rewrite.tokens import tokenize

HERE = Path(__file__).parent
SMALL = (HERE / "small-anchors.toml").read_text(encoding="utf-8")


@pytest.fixture
def small(tmp_path):
    (tmp_path / "xx").mkdir()

    def load(text: str = SMALL, words: str = "form,class\n"):
        for name, content in (("anchors.toml", text), ("anchor-words.csv", words)):
            (tmp_path / "xx" / name).write_text(content, encoding="utf-8")
        return load_anchors("xx", tmp_path)

    return load


@pytest.mark.parametrize(
    ("text", "female", "male"),
    [
        ("Ella está y ELLA va con ella", (Slot("nom", capital=True), " está y ELLA va con ella"),
         (Slot("nom", capital=True), " está y ÉL va con él")),
        ("vi a él", ("vi ", Slot("nom", before="a ")), ("vi ", Slot("nom", before="a "))),
        ("él está Cansado", (Slot("nom"), " está Cansada"), (Slot("nom"), " está Cansado")),
        ("conella va", ("con ", Slot("nom"), " va"), ("con ", Slot("nom"), " va")),
        ("ella va conella", (Slot("nom"), " va conella"), (Slot("nom"), " va conél")),
    ],
)  # fmt: skip
def test_the_first_mention_becomes_a_slot_and_the_rest_agrees(small, text, female, male):
    found = resolve(small(), text)
    assert isinstance(found, Rewritable)
    assert found.pieces == {"f": female, "m": male}


def test_a_word_that_may_fuse_is_written_with_the_form(small):
    assert small().fuse("A ", "el rey") == "Al rey"
    assert small().fuse("a ", "Elena") == "a Elena"


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("ella y él", ("both-genders", "both")),
        ("nadie", ("no-anchor", "none")),
        ("ella\x00", ("control-characters", "none")),
        ("ella \ud83d", ("control-characters", "none")),
        ("ella " + "va " * 50, ("too-long", "female")),
        ("ella" + "!," * 600, ("too-long", "female")),
        ('"ella va" dijo ella', ("quoted", "female", "", "", "nom")),
        ('dijo "ella va', ("quoted", "female", "", "", "nom")),
        ("él está cansada", ("unknown-agreement", "male", "cansada", "anchors.toml:42", "nom")),
        ("ella ycon", ("unresolved", "female", "ycon", "anchors.toml:35", "nom")),
    ],
)
def test_a_text_is_left_out_with_the_reason(small, text, left_out):
    assert resolve(small(), text, 50) == LeftOut(*left_out)


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


def test_mistakes_in_the_data_are_told_with_their_line(small, snapshot):
    changes = tomllib.loads((HERE / "small-mistakes.toml").read_text(encoding="utf-8"))["mistakes"]
    said = [f"{old} -> {new!r}\n{refusal(lambda: small(SMALL.replace(old, new, 1)))}" for old, new in changes]  # noqa: B023
    words = "form,class,f,m,note\nvoz,,,,\n,adj,lista,listo,\nx,adj,lista,listo,\n"
    said.append(f"{words}{refusal(lambda: small(words=words))}")
    snapshot.check("anchors-refused", "\n\n".join(said))


def test_a_language_without_anchors_is_told_with_those_that_have_them():
    with pytest.raises(InputError, match=r"'tr'.*anchors\.toml.*: en, es\."):
        load_anchors("tr")


WORDS = """he she her his him himself He she's he'd said love the ' " “ . ? , @a #b 1.5 HIS / doctor old and Ann 👩 ـ"""
WORDS = [*WORDS.split(), "\n", " ", "\u200d"]


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)))
def test_no_character_outside_the_mentions_is_lost(text):
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


@pytest.mark.parametrize(
    ("part", "size", "limit"),
    [("she ", 250_000, 50), ('"', 50_000, 50), ("1,", 25_000, 50), ("he’", 17_000, 50), ("I left. ", 2_600, 10**9)],
)
def test_a_line_of_a_million_characters_comes_to_an_end(part, size, limit):
    assert resolve(load_anchors("en"), "She is here. " + part * size, limit).reason in ("too-long", "both-genders")
