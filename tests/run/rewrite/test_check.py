"""Pairs that any tool made: what is wrong with them, which gender is swapped, and what cannot be checked."""

import json
from dataclasses import replace

import pandas as pd
import pytest
from commands import eec

import eec_datasets
from eec_datasets.errors import EecError
from eec_datasets.rewrite.check import REASONS, checked, load_words
from eec_datasets.rewrite.tagger import Tagger

EN = load_words("en")
CASES = {
    "none": [
        ("He lost his keys.", "She lost her keys."),
        ("I asked her who she was.", "i asked him who he was."),
        ("He doesn't mind 😀 &#128583; at all.", "she does n't mind 😀 & # 128583 ; at all ."),
        ("My brother says he's late.", "My sister says she's late."),
        ("John said he was late.", "Mary said she was late."),
        ("Joe DiMaggio left his hat.", "Michael Hughes left his hat."),
        ("They are rude to women.", "They are rude to men."),
        ("So many girls make him nervous.", "So many girls make her nervous."),
        ("HE SAID IT", "SHE SAID IT"),
        ("He told her.", "She told him."),
        ("Dave and Emma came.", "Dave and Sarah came."),
        ("I agree with him, writes Steven Wells.", "I agree with her, writes Steven Wells."),
        ("President Clinton used his office.", "President Clinton used her office."),
    ],
    "no gender swapped": [
        ("They left.", "She left."),
        ("It was as he said.", "It was as he said."),
        ("I hope this helps.", "I Emma this helps."),
        ("We met in the Bay.", "We met in the Dave."),
    ],
    "other words changed": [
        ("I've seen it.", "I'she seen it."),
        ("He left.", "Xq left."),
        ("We saw it from Lonely Boy to the end.", "We saw it from Lonely Girl to the end."),
    ],
    "wrong form": [
        ("He lost his keys.", "She lost hers keys."),
        ("I lost her keys.", "I lost him keys."),
        ("I asked her.", "I asked his."),
    ],
    "half swapped": [
        ("He hurt himself.", "She hurt himself."),
        ("My dad is late, he overslept.", "My dad is late, she overslept."),
        ("I called Matt and he came.", "I called Matt and she came."),
        ("I met Zarquon and liked him.", "I met Emma and liked him."),
        ("John said he was late.", "Mary said he was late."),
        ("She was pregnant.", "He was pregnant."),
        ("Emma left. I miss Emma.", "Peter left. I miss Emma."),
        ("I told Matt and he came.", "I told Matt and she came."),
        ("Yes, Deborah left her book.", "Yes, Deborah left his book."),
        ("Obama and his car left.", "Obama and her car left."),
        ("Is Sarah late, or is she here?", "Is Sarah late, or is he here?"),
        ("Then Director William Sessions lost his keys.", "Then Director William Sessions lost her keys."),
    ],
    "two people mixed": [
        ("He told her.", "She told her."),
        ("When the man asked, the woman smiled.", "When the man asked, the man smiled."),
    ],
    "agreement": [("He is late.", "They is late.")],
    "a word with a sound of its own": [
        ("Thanks guys!", "Thanks gals!"),
        ("Man, I love it.", "Woman, I love it."),
        ("@someone boy talk about it", "@someone girl talk about it"),
        ("Yeah man. It is late.", "Yeah woman. It is late."),
        ("I swear on god.", "I swear on goddess."),
    ],
    "format": [("She left , again", "she left, again!")],
}


@pytest.mark.parametrize(
    ("reason", "original", "variant"), [(reason, *pair) for reason, pairs in CASES.items() for pair in pairs]
)
def test_a_pair_has_the_reason_why_it_is_wrong(reason, original, variant):
    assert checked(EN, original, variant)[0] == reason


def test_every_reason_has_a_case():
    assert set(CASES) == set(REASONS)


@pytest.mark.parametrize(
    ("original", "variant", "genders"),
    [
        ("He lost his keys.", "She lost her keys.", ("male", "female")),
        ("John left.", "Mary left.", ("male", "female")),
        ("John left.", "Peter left.", ("", "")),
        ("He told her.", "She told him.", ("", "")),
        ("They left.", "She left.", ("", "")),
    ],
)
def test_the_direction_is_that_of_the_words_that_change(original, variant, genders):
    assert checked(EN, original, variant)[1:] == genders


def test_a_tagger_reads_a_form_and_a_name():
    known = {"her": "PRP"}
    tags = Tagger(
        "one that knows one word",
        lambda text, start, end: {known.get(text[start:end], "")},
        lambda text, start, end: {known.get(text[start:end], "")},
    )
    tagged = replace(EN, tagger=tags)
    pair = ("I gave her flowers.", "I gave him flowers.")
    assert (checked(EN, *pair)[0], checked(tagged, *pair)[0]) == ("wrong form", "none")
    pair = ("I use Zarquon daily.", "I use Tom daily.")
    assert (checked(EN, *pair)[0], checked(tagged, *pair)[0]) == ("none", "no gender swapped")


def test_a_full_name_that_only_a_tagger_knows_keeps_its_gender():
    tagged = replace(EN, tagger=Tagger("test", lambda *_: set(), lambda *_: {"PERSON"}))
    pair = ("The conductor, Zubin Mehta, lifted his baton.", "The conductor, Zubin Mehta, lifted her baton.")
    assert (checked(EN, *pair)[0], checked(tagged, *pair)[0]) == ("none", "half swapped")


def test_pairs_are_checked_as_a_frame():
    found = eec_datasets.check_pairs(["He left.", "He left."], ["She left.", "He left."])
    assert list(found.columns) == ["original", "variant", "reason", "original_gender", "variant_gender"]
    assert list(found["reason"]) == ["none", "no gender swapped"]


SPANISH = "la casa de mi tía que vino ayer es muy grande y no la conoces"


@pytest.mark.parametrize(
    ("originals", "variants", "language", "words"),
    [
        (["He left."], [], "en", "1 originals and 0 variants"),
        ([], [], "en", "no pairs"),
        ("He left.", "She left.", "en", "one string"),
        (["He left.", None], ["She left.", "x"], "en", "original 2 is of type NoneType"),
        (["He left."], [3], "en", "variant 1 is of type int"),
        ([SPANISH] * 10, [SPANISH] * 10, "en", "language"),
        (["Él vino."], ["Ella vino."], "es", "cannot be checked"),
        (["هو هنا"], ["هي هنا"], "ar", "Languages that can: en, es"),
    ],
)
def test_what_cannot_be_checked_is_said(originals, variants, language, words):
    with pytest.raises(EecError, match=words):
        eec_datasets.check_pairs(originals, variants, language)


def test_odd_texts_are_checked_to_the_end():
    long = "He left and took his hat. " * 800
    odd = [long, "", "😀", "&lt;b&gt; he &amp; \n she", "HE SAID “HE”"]
    found = eec_datasets.check_pairs(odd, [text.replace("He", "She").replace("his", "her") for text in odd])
    assert len(found) == len(odd)
    assert found["reason"][0] == "none"


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.jsonl"
    rows = [
        {"id": 1, "original": "He left.", "variant": "She left."},
        {"id": 2, "original": "They left.", "variant": "She left."},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_the_command_adds_three_columns_and_counts_the_reasons(pairs, tmp_path):
    found = eec("perturb", pairs, "--locale", "en", "--check", "--out", tmp_path / "o.csv")
    assert found.exit_code == 0, found.output
    assert "1  none" in found.output
    assert "1  no gender swapped" in found.output
    table = pd.read_csv(tmp_path / "o.csv", keep_default_na=False)
    assert list(table.columns) == ["id", "original", "variant", "reason", "original_gender", "variant_gender"]
    assert list(table["original_gender"]) == ["male", ""]


def test_a_file_that_is_checked_already_is_refused(pairs, tmp_path):
    assert eec("perturb", pairs, "--locale", "en", "--check", "--out", tmp_path / "o.csv").exit_code == 0
    found = eec("perturb", tmp_path / "o.csv", "--locale", "en", "--check", "--out", tmp_path / "again.csv")
    assert found.exit_code == 1
    assert "the column 'reason' already exists" in found.output


def test_pairs_in_lines_of_text_are_refused(tmp_path):
    (tmp_path / "pairs.txt").write_text("He left.", encoding="utf-8")
    found = eec("perturb", tmp_path / "pairs.txt", "--locale", "en", "--check", "--out", tmp_path / "o.csv")
    assert found.exit_code == 1
    assert "a .txt file has no columns; expected a file that ends in .csv, .tsv, .jsonl" in found.output
