"""Sentences of a template: what it may say, which form of a word it takes, and how the sentence is finished."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eec_datasets.errors import NoForm, Place, Problems
from eec_datasets.locale.agreement import select
from eec_datasets.locale.finishing import finished
from eec_datasets.locale.grammar import read_grammar
from eec_datasets.locale.model import Finish, Form, Word
from eec_datasets.locale.reading import locales_folder
from eec_datasets.locale.templating import Agreement, compiled, parts_of, slots_of

HERE = Place("words.csv", 7)
WORDS = {"state", "feel"}
GRAMMAR = read_grammar(locales_folder() / "es", Problems())
HOSTILE = [
    *(Path(__file__).parent / "hostile.txt").read_text(encoding="utf-8").splitlines(),
    "{{ " + "(" * 4000 + "state" + ")" * 4000 + " }}",
]


@pytest.mark.parametrize(
    ("forms", "features", "told"),
    [
        ([("triste", {"number": "sg"}), ("tristes", {"number": "pl"})], {"gender": "f", "number": "pl"}, "tristes"),
        ([("triste", {})], {"gender": "f", "number": "pl", "case": "dat"}, "triste"),
        ([("enojada", {"gender": "f"})], {"gender": "e"},
         "words.csv:7: 'sad' has no form for gender e. Add a row for it"),
        ([("triste", {}), ("tristona", {"gender": "f"})], {"gender": "f"},
         "words.csv:7: 'sad' has 2 forms for gender f: 'triste' (words.csv:7) and 'tristona' (words.csv:7). Leave one"),
    ],
)  # fmt: skip
def test_the_one_form_that_fits_is_chosen_and_anything_else_is_told(forms, features, told):
    word = Word("sad", tuple(Form(text, needs, HERE) for text, needs in forms), HERE)
    if len(told.split()) == 1:
        assert select(word, features).text == told
        return
    with pytest.raises(NoForm) as error:
        select(word, features)
    assert str(error.value) == told


SPANISH = Finish("upper_first", ".", {"a el": "al", "de el": "del"})


@pytest.mark.parametrize(
    ("finish", "filled", "mark", "sentence"),
    [
        (SPANISH, "hablé de el Reino Unido", [], "Hablé del Reino Unido."),
        (SPANISH, "a el mercado", [], "Al mercado."),
        (SPANISH, "Vi a él en el mercado", [], "Vi a él en el mercado."),
        (SPANISH, "para el mercado", [], "Para el mercado."),
        (SPANISH, "una carta a elle", [], "Una carta a elle."),
        (SPANISH, "Vi a El Salvador", [], "Vi a El Salvador."),
        (SPANISH, "él se siente triste", [], "Él se siente triste."),
        (SPANISH, "habla de el buen país", [], "Habla del buen país."),
        (SPANISH, '"¡él se fue!", dijo', [], '"¡Él se fue!", dijo.'),
        (SPANISH, "¿él viene", ["?"], "¿Él viene?"),
        (SPANISH, "él viene…", [""], "Él viene…"),
        # A script without case, and a language with capitals of its own.
        (Finish("none", "."), "هي تشعر", [], "هي تشعر."),
        (Finish("upper_first", ".", capitals={"i": "İ"}), "iyi", [], "İyi."),
    ],
)
def test_joins_case_and_final_mark_apply_at_word_boundaries_only(finish, filled, mark, sentence):
    assert finished([filled], finish, *mark) == [sentence]


def test_slots_say_who_agrees_with_whom_in_what():
    text = '{{ person.nom }} {{ feel | agree(person, number="pl") }} {{ state | agree(noun.situacion) }}'
    slots = slots_of(text, WORDS, GRAMMAR)
    assert (slots.problems, slots.named("person"), slots.parts) == ((), ("nom",), parts_of(text))
    assert slots.agreements == (
        Agreement("feel", "person", {"number": "pl"}),
        Agreement("state", "noun.situacion", {}),
    )


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("with_person", [True, False])
def test_a_template_or_cell_that_does_anything_else_is_refused(hostile, with_person):
    assert slots_of(hostile, {"state"}, GRAMMAR, with_person=with_person).problems


@pytest.mark.parametrize(
    ("expression", "what", "fix"),
    [
        ("state | upper", "the filter 'upper' is not part of the template language",
         "Allowed: {{ person.ROLE }}, {{ noun.NAME }}, {{ WORD }}, {{ WORD | agree(CONTROLLER) }}"),
        ("state | agree(person, gender=f)", "'state' fixes gender=f, which is no text in quotes",
         'Write it as gender="…"'),
    ],
)  # fmt: skip
def test_a_refusal_tells_what_is_written_and_what_is_allowed(expression, what, fix):
    assert slots_of(f"{{{{ {expression} }}}}", WORDS, GRAMMAR).problems == ((what, fix),)


@pytest.mark.parametrize("text", ["{{ person.nom }}", "{{ state | agree(speaker) }}", "{{ noun.situacion }}"])
def test_a_cell_of_a_person_reaches_neither_persons_nor_the_speaker(text):
    assert slots_of(text, {"state"}, GRAMMAR, with_person=True).problems == ()
    assert bool(slots_of(text, {"state"}, GRAMMAR, with_person=False).problems) == ("noun" not in text)


FRAGMENTS = [
    "{{", "}}", "{%", "%}", " person", ".nom", ".__class__", " state", " | agree(", ")", "noun.situacion", "'", "[0]",
    " for x in", " x", "~", "(", "{#", "#}", "raw",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_what_is_let_through_names_persons_nouns_and_words_only(text):
    if slots_of(text, {"state"}, GRAMMAR).problems or "agree" in text:
        return
    marks = {"person": {"nom": "P"}, "noun": {"situacion": "N"}, "state": "S"}
    plain = "".join(part for part in parts_of(text) if isinstance(part, str))
    assert compiled(text).render(marks).replace("P", "").replace("N", "").replace("S", "") == plain
