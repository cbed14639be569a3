"""Names are put in without a change of gender: nothing but the first mention changes."""

import csv

import pandas as pd
import pytest
from commands import eec

from eec_datasets.errors import InputError
from eec_datasets.rewrite.anchors import SAME
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.perturbation import perturb
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve

EN = load_anchors("en", question=SAME)
NAMES = {"Maria": "female", "Adam": "male"}


def said_of(text: str, language: str = "en", **names: str) -> list[str]:
    """The texts of the rows, but for the original."""
    found = perturb([text], language, names or NAMES).table().to_pylist()
    return [row["text"] for row in found if row["person"] != "original"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("She lost her keys.", "Maria lost her keys."),
        ("He told his wife that he was pregnant with ideas.", "Adam told his wife that he was pregnant with ideas."),
        ("She is a bad bitch and she knows it", "Maria is a bad bitch and she knows it"),
        ("She told her that she was late.", "Maria told her that she was late."),
        ("I like her husband.", "I like Maria's husband."),
        ("He said I gave him flowers.", "Adam said I gave him flowers."),
        ("My husband says she is late.", "My husband says Maria is late."),
        ("bitch, I know she lied", "bitch, I know Maria lied"),
        ("What a pussy! Now he cries.", "What a pussy! Now Adam cries."),
        ("RT @someone: she a hoe &#128514;", "RT @someone: Maria a hoe &#128514;"),
        ("&#8220;@someone: he lied&#8221; lmaooo", "&#8220;@someone: Adam lied&#8221; lmaooo"),
        ("@one @two lookin at him &amp; smilin", "@one @two lookin at Adam &amp; smilin"),
        ("he said it @someone", "Adam said it @someone"),
        (
            "In recent years, with his white locks, he looked old.",
            "In recent years, with his white locks, Adam looked old.",
        ),
        (
            "But in extending his thanks to us, he went too far.",
            "But in extending his thanks to us, Adam went too far.",
        ),
    ],
)
def test_a_name_of_the_same_gender_is_put_in_and_all_else_stays(text, said):
    assert said_of(text) == [said]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("My wife says she is late.", "wife"),
        ("That bitch said she lied.", "bitch"),
        ("This nigga thinks he is cool.", "nigga"),
        ("The hillbilly said he won.", "hillbilly"),
        ("What a fool, I told him.", "fool"),
        ("Girls cheat when she does.", "Girls"),
        ("My sisters bitching that she has school.", "sisters"),
        ("@someone has lost his mind", "@someone"),
        ("She made fun of it. Mellie is not like that.", "Mellie"),
        ("The duchess said she was late.", "duchess"),
        ("My stepson lost his keys.", "stepson"),
        ("Even the tsar won't see his face.", "tsar"),
        ("A gynecologist said he was late.", "gynecologist"),
        ("The Australian says he is happy.", "Australian"),
        ("No, not me (spits out his juice).", "his"),
        ("Not a word from the one you love. He is late.", "one"),
        ("If someone wants to fly, will that let him go?", "someone"),
        ("Everyone should observe which way his heart draws him.", "Everyone"),
        ("Each seeks his way.", "Each"),
        ("Each of us has his own way.", "Each"),
        ("With his five senses, man explores it.", "man"),
        ("I will guard you from death, for I do not fear him.", "death"),
        ("The joy is his who wants it.", "his"),
        ("He that will have a cake must wait.", "He"),
        ("He, who attacks first, always wins.", "He"),
        ("Man, in the house in which he lives, is happy.", "Man"),
        ("It is right for America to draft us in defense of her.", "America"),
        ("You must wait for this. -- He Zhen", "He"),
        ('However, he is late. "They left," Mizrahi said.', "Mizrahi"),
        ("In his filing, Redstone said he was late.", "Redstone"),
        ("Even if we never met him, Sesshomaru is here.", "Sesshomaru"),
        ("He is thanking me? *about Inuyasha*", "Inuyasha"),
        ("I like him. But Mayama likes me.", "Mayama"),
        ("I forget her voice. I loved Saber.", "Saber"),
        ("No matter what he does, every person has a role.", "person"),
        ("When he has seen this, a wise man should go.", "man"),
        ("Even when she is late, the girl does not know it.", "girl"),
        ("He alone is free who lives with reason.", "He"),
        ("He is not a lover who does not love forever.", "He"),
        ("He is no true-story teller who would hide that.", "He"),
        ("He not busy being born is busy dying.", "He"),
        ("How much time he gains who does not look.", "he"),
        ("He suffers more than necessary, who suffers early.", "He"),
        ("He will live ill who does not know it.", "He"),
        ("He is a wise man who does not grieve.", "He"),
        ("True happiness is rest, for he that is so wants nothing.", "he"),
        ("Therefore whenever his last day comes, the wise man will not hesitate.", "man"),
        ("If you consult philosophy she will persuade you.", "philosophy"),
        ("You are in love with someone when you know nothing about him.", "someone"),
        ("A woman made of parts is a dangerous thing. She left.", "woman"),
        ("Everyone has inside of him a piece of good news.", "inside"),
        ("The good writers touch life often. The bad ones hurt her.", "life"),
        ("It is the privilege of friendship to have her nonsense respected.", "friendship"),
        ("Her majesty is one verb short of a sentence.", "Her"),
        ("Shot with the eye of his heroes, Pray turns it around.", "Pray"),
        ("It is clear that Washington has a career ahead of him.", "Washington"),
        ("She is late, and so is Nettelbeck's film.", "Nettelbeck's"),
        ("(Hopkins) is late for his play.", "Hopkins"),
        ("Whatever his position, Mr. Smith can help.", "Mr"),
        ("I heard one of the flight crew say it was the worst he had seen.", "one"),
        ("Old fellas water froze. He got it back.", "fellas"),
        ("They say ray rice got what he wanted.", "ray"),
    ],
)
def test_a_word_of_the_pronouns_gender_before_it_leaves_the_text_out(text, word):
    found = resolve(EN, text)
    assert isinstance(found, LeftOut)
    assert found.word == word


@pytest.mark.parametrize(
    "text",
    [
        "When she called, I was with a man.",
        "In his dreams he was a king.",
        "After she left, the old house was empty.",
        "He not only said it.",
        "I told someone about him.",
        "Yeah man, he is late.",
    ],
)
def test_a_person_who_cannot_be_meant_behind_a_clause_keeps_the_text(text):
    assert isinstance(resolve(EN, text), Rewritable)


def test_whom_a_text_answers_may_be_meant_where_the_gender_is_swapped_too():
    assert resolve(load_anchors("en"), "@kanyewest he is a clown").word == "@kanyewest"


@pytest.mark.parametrize("text", ["She is a bad bitch.", "He is my nigga.", "I like her husband.", "She hit her."])
def test_swapped_a_word_of_one_gender_leaves_the_text_out(text):
    assert isinstance(resolve(load_anchors("en"), text), LeftOut)


def test_a_spanish_word_that_agrees_stays():
    assert said_of("Ella llegó toda patidifusa.", "es", María="female", Juan="male") == ["María llegó toda patidifusa."]


@pytest.mark.parametrize(
    "text",
    [
        "Bueno era él.",
        "Decía ella que era tarde.",
        "¡Aquello no era digno de ella!",
        "Don Pedro estaba pálido; lo vio ella.",
        "No, no, repetía Ana, pero él no callaba.",
        "Pocas veces se hallaba él así.",
        "Tiene razón, decía ella, ya lo sé.",
    ],
)
def test_a_spanish_word_or_name_that_is_nobody_keeps_the_text(text):
    assert isinstance(resolve(load_anchors("es", question=SAME), text), Rewritable)


def test_a_spanish_last_name_like_a_verb_says_who_is_meant():
    text = "Guimarán no dejaba entrar a la sala más que a los espíritus fuertes, o por lo menos no tan fuertes como él."
    assert resolve(load_anchors("es", question=SAME), text).reason == "names-the-person"


def test_a_spanish_word_agreeing_before_its_pronoun_leaves_a_text_out():
    assert resolve(load_anchors("es", question=SAME), "Casa nueva, no habites en ella.").reason


def test_women_stand_in_texts_about_women_alone():
    rows = perturb(["She left.", "He left."], "en", NAMES).table().to_pandas()
    of = rows.groupby("anchor")["person"].agg(list).to_dict()
    assert of == {"female": ["original", "maria"], "male": ["original", "adam"]}


def test_texts_of_a_gender_without_names_are_left_out_with_the_reason():
    found = perturb(["She left.", "He left."], "en", {"Maria": "female"})
    assert found.left_out == {"no-names": {"male": 1}}


def test_a_list_without_genders_is_refused():
    with pytest.raises(InputError, match="without a gender"):
        perturb(["She left."], "en", [{"name": "Maria"}])


def test_the_texts_of_a_csv_file_stay_byte_for_byte(tmp_path):
    texts = ["@bob she left.", "=she left.", "-he left", "she left\t"]
    pd.DataFrame({"text": texts}).to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "n.txt").write_text("Maria,female\nAdam,male\n", encoding="utf-8")
    asked = ["perturb", tmp_path / "t.csv", "--locale", "en", "--names", tmp_path / "n.txt"]
    found = eec(*asked, "--out", tmp_path / "o.csv", "--left-out", tmp_path / "l.csv")
    assert found.exit_code == 0, found.output
    with (tmp_path / "o.csv").open(encoding="utf-8", newline="") as file:
        kept = [row["text"] for row in csv.DictReader(file) if row["person"] == "original"]
    with (tmp_path / "l.csv").open(encoding="utf-8", newline="") as file:
        left = [row["text"] for row in csv.DictReader(file)]
    assert sorted(kept + left) == sorted(texts)
