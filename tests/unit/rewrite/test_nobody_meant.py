"""Words that seem to say who is meant and cannot: the text is kept."""

import pytest

from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.anchors import SAME
from eec_datasets.rewrite.given_names import given_names, with_given
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve
from eec_datasets.rewrite.slots import Slot
from eec_datasets.rewrite.tagger import Tagger

EN = load_anchors("en", question=SAME)
NAMED = with_given(EN, given_names(EN, {"Russell": "male", "Erin": "female", "David": "male"}, locales_folder()))


def tagger(tags: dict[str, str], kinds: dict[str, str] | None = None) -> Tagger:
    """A tagger that knows some words, and some names."""
    names = kinds or {}
    return Tagger(
        "test",
        lambda text, start, end: {tags.get(text[start:end], "NN")},
        lambda text, start, end: {names[text[start:end]]} if text[start:end] in names else set(),
    )


@pytest.mark.parametrize(
    "text",
    [
        "So many tough guys here! She is right.",
        "You guys are late, he left.",
        "I know guys like him.",
        "Yeah man. He even scares me.",
        "It's a free country. She can say it.",
        "God help you if she wins.",
        "I like him. God bless you.",
        "On the other hand, he is late.",
        "Once in a while, and every once in a while, he calls.",
        "She left. Who does?",
        "He said Q U I T today.",
        "I see no end w/o him.",
        "Get off your high horse, she is right.",
        "You made me look like a fool. He laughed.",
        "We flew over Chile when he was ill.",
        "You speak like a moron. This is his life.",
        "They made an idiot like you, he said.",
        "This shit is sick, I bet her father is proud.",
        "Don't bite your lip, he left.",
        "He looks fine. Jesus H. Christ what is going on?",
        'Then they call us terrorists," he said.',
        '"I wanted to come because he is such a talented man.',
        "We want the Government to act, he said.",
        "None of you can carry his keys.",
        "You were home at 1am when he left.",
        "She wanted to win and you have to take the L.",
        "Nobody takes her without me.",
        "I love him. I just can't get him out of my mind.",
        "He may be the President but that does not mean that he is right.",
        "The young boy left, she said.",
    ],
)
def test_a_word_that_cannot_be_meant_keeps_the_text(text):
    assert isinstance(resolve(EN, text), Rewritable)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Guys cheat when he does.", "Guys"),
        ("I know guys who like his car.", "guys"),
        ("The man. He even scares me.", "man"),
        ("Our country lost her pride.", "country"),
        ("The other said he was late.", "other"),
        ("You look like a fool who lost his mind.", "fool"),
        ("I look better on a bitch than her outfit.", "bitch"),
        ("Notify your superior. He will kiss it.", "superior"),
        ("Some love truth and fear that she may catch a cold.", "truth"),
        ("The Great Spirit made it for his children.", "Spirit"),
        ("Fortunate is he for whom it tolls.", "he"),
        ('Then he calls us terrorists," he said.', ""),
        ('He told us: "I know he left.', ""),
    ],
)
def test_the_same_word_that_may_be_meant_leaves_it_out(text, word):
    found = resolve(EN, text)
    assert isinstance(found, LeftOut)
    assert found.word == word


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("I will reccommend his shop.", {"reccommend": "VB"}),
        ("I kno sumtimez he left.", {"sumtimez": "RB"}),
        ("It will freak him out.", {"freak": "VB"}),
        ("The patient and kind help that he gave us.", {"patient": "JJ"}),
        ("Rob a bank with him.", {"Rob": "VB"}),
        ("The starry sky is what he saw.", {"starry": "JJ"}),
        ("Grabify the keys and follow him.", {"Grabify": "VB"}),
    ],
)
def test_a_word_that_the_tagger_takes_for_no_noun_is_nobody(text, tags):
    assert isinstance(resolve(EN, text), LeftOut)
    assert isinstance(resolve(EN, text, None, tagger(tags)), Rewritable)


def test_a_word_that_the_tagger_takes_for_a_noun_still_leaves_it_out():
    assert isinstance(resolve(EN, "The blorp said he left.", None, tagger({})), LeftOut)


@pytest.mark.parametrize(
    "text",
    [
        "Don't put words in my mouth, Russell.",
        "Come on Erin, did you see it?",
        "Thanks for your comment, Russell!",
        "Erin you are right.",
        "Russell, What is your problem?",
        "As David said, you lost.",
        '"We lost," David told us.',
        "We heard of the plan of Mr Smith last week.",
    ],
)
def test_a_name_that_is_spoken_to_is_replaced(text):
    assert isinstance(resolve(NAMED, text), Rewritable)


def test_a_name_among_others_is_not_spoken_to():
    assert isinstance(resolve(NAMED, "I like Elton, Floyd, Russell."), LeftOut)


def test_a_name_that_is_spoken_of_as_a_name_is_not_replaced():
    assert isinstance(resolve(NAMED, "You cannot spell it, Russell."), LeftOut)


def test_a_name_that_the_tagger_takes_for_a_person_is_replaced():
    text = "They got David taking out the trash."
    assert isinstance(resolve(NAMED, text), LeftOut)
    assert isinstance(resolve(NAMED, text, None, tagger({}, {"David": "ORG"})), LeftOut)
    assert isinstance(resolve(NAMED, text, None, tagger({}, {"David": "PERSON"})), Rewritable)


def test_the_holder_of_an_office_tagged_as_a_person_is_replaced():
    text = "Defence Minister David Smith has refused."
    assert isinstance(resolve(NAMED, text), LeftOut)
    found = resolve(NAMED, text, None, tagger({}, {"David": "PERSON"}))
    assert found.pieces["m"] == ("Defence Minister ", Slot("nom"), " has refused.")


@pytest.mark.parametrize(
    "text",
    [
        "Defence Minister David Smith denied that he had lost.",
        "Defence Minister David Smith's word is law.",
        "The Defence Minister, David Smith, says the territory is large.",
        "The captain, David Smith, said he was late.",
        "The union's David Smith says that it is late.",
        "On Sunday, Mr Smith walked out.",
        "It was the first time David Smith committed a crime.",
        "The family of David Smith needs help.",
        "My coach David said he was late.",
        "Have fun David, it is late.",
        "Don't sell yourself short, David. You are an actor.",
        "You are late because of who you are, Mr. Smith",
        "I do think David Smith is a good actor.",
    ],
)
def test_a_person_who_is_named_in_full_is_replaced(text):
    found = resolve(NAMED, text, None, tagger({}, {"David": "PERSON"}))
    assert isinstance(found, Rewritable)
    assert "David" not in str(found.pieces)
    assert "Smith" not in str(found.pieces)


@pytest.mark.parametrize(
    "text",
    [
        "Associate Professor David Smith says that it is late.",
        "The captain told David Smith that he was late.",
        "The captain, David Smith, and his friend left.",
        "A captain and David Smith said he was late.",
        "It was the first time David Smith met Peter Jones and Russell.",
        '"You lost." -- as told by David Smith, a clown',
        "David Smith is a great film.",
        "David Smith is great as Peter Jones in this film.",
    ],
)
def test_a_name_of_another_or_of_a_film_is_not_replaced(text):
    assert isinstance(resolve(NAMED, text, None, tagger({}, {"David": "PERSON"})), LeftOut)


def test_who_says_it_in_parentheses_is_not_replaced():
    assert isinstance(resolve(NAMED, "Hello? Can you hear me? (Erin)"), LeftOut)


def test_somebody_whom_the_subject_is_with_is_not_the_subject():
    found = resolve(EN, "She has always been there for Gracee.")
    assert found.pieces["f"] == (Slot("nom", capital=True), " has always been there for Gracee.")


def test_a_name_between_commas_says_who_holds_the_office():
    text = "The Defence Minister, David Smith, has refused."
    assert isinstance(resolve(NAMED, text), LeftOut)
    assert isinstance(resolve(NAMED, text, None, tagger({}, {"David": "PERSON"})), Rewritable)


@pytest.mark.parametrize("text", ['"You lost." -- David Smith', "I did not say it. -- Strange de David"])
def test_who_is_quoted_is_not_replaced(text):
    assert isinstance(resolve(NAMED, text, None, tagger({}, {"David": "PERSON"})), LeftOut)


def test_an_organisation_in_capitals_that_the_tagger_knows_is_nobody():
    text = "Referring to pressure on OPEC members, he left."
    assert isinstance(resolve(EN, text), LeftOut)
    assert isinstance(resolve(EN, text, None, tagger({}, {"OPEC": "ORG"})), Rewritable)


def test_pregnant_behind_her_is_nothing_of_hers():
    assert resolve(EN, "Don't get her pregnant!", None, tagger({"her": "PRP"})).role == "object"


def test_a_name_that_stands_again_is_replaced_again():
    found = resolve(NAMED, "David is great! He knows it. David's is the class to take.")
    assert [piece for piece in found.pieces["m"] if isinstance(piece, str)] == [
        " is great! He knows it. ",
        "'s is the class to take.",
    ]


def test_a_name_with_an_unknown_word_behind_it_is_not_replaced():
    known = tagger({}, {"David": "PERSON"})
    assert isinstance(resolve(NAMED, "They got David kapuano taking it.", None, known), LeftOut)
