"""*She* and *he* swapped in a user's own texts, without a name: what is kept, what is left out, the two levels."""

import pandas as pd
import pytest
from commands import eec

import eec_datasets
from eec_datasets.rewrite.anchors import PRONOUNS, SAME, WIDE
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve

EN = load_anchors("en", question=PRONOUNS)
ES = load_anchors("es", question=PRONOUNS)


def swapped(text: str, anchors=EN) -> str:
    """The other text of the pair, or the reason why there is none."""
    found = resolve(anchors, text, 50)
    if isinstance(found, LeftOut):
        return found.reason
    texts = [pieces[0] for pieces in found.pieces.values()]
    assert text in texts
    return next(each for each in texts if each != text)


PAIRS = [
    ("She lost her keys.", "He lost his keys."),
    ("He did his best, and the prize is his.", "She did her best, and the prize is hers."),
    ("I asked him if he hurt himself.", "I asked her if she hurt herself."),
    ("HE'S HERE AND HE IS LATE", "SHE'S HERE AND SHE IS LATE"),
    ("She‘s late, and sheʼll know.", "He‘s late, and heʼll know."),
    ("My brother says he is late.", "My sister says she is late."),
    ("His brothers' car broke down, so he walked.", "Her sisters' car broke down, so she walked."),
    ("The waiter was rude and his manager agreed.", "The waitress was rude and her manager agreed."),
    ("My dad's car is old but he likes it.", "My mom's car is old but she likes it."),
    ("The doctor said he was busy.", "The doctor said she was busy."),
    ("My dog ate his food and licked himself.", "My dog ate her food and licked herself."),
    ("Everyone who knows him likes him.", "Everyone who knows her likes her."),
    ("He'd never seen it.", "She'd never seen it."),
    ("Nobody cares what she thinks.", "Nobody cares what he thinks."),
    ("“She left,” they said.\nShe didn't 😀 &amp; I know.", "“He left,” they said.\nHe didn't 😀 &amp; I know."),
    ("poor him", "poor her"),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_pronouns_change_places_with_the_nouns_that_go_with_them(one, other):
    assert swapped(one) == other


@pytest.mark.parametrize(("one", "other"), [("Ella está cansada.", "Él está cansado."),
                                            ("Hablé con él y él vino.", "Hablé con ella y ella vino.")])  # fmt: skip
def test_spanish_words_agree_as_with_names(one, other):
    assert swapped(one, ES) == other


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("He told her.", "both-genders"),
        ("He/she is late.", "both-genders"),
        ("My wife says he is late.", "gendered-noun"),
        ("She is pregnant.", "gendered-noun"),
        ("She is such a diva.", "gendered-noun"),
        ("Thanks guys, he is back.", "gendered-noun"),
        ("Man, he is late.", "gendered-noun"),
        ("I hope she stops laying eggs.", "gendered-noun"),
        ("Darla is amazing, I would ask her again.", "name-in-text"),
        ("I called Matt and he came at once.", "name-in-text"),
        ("What has joey's barber done to his hair?", "name-in-text"),
        ("He works for us and not for the Man.", "gendered-noun"),
        ("Mother Nature, she is cruel.", "gendered-noun"),
        ("It's every man for himself.", "saying"),
        ("To each his own.", "saying"),
        ("He's the man!", "saying"),
        ("Praise Him, for He is good.", "capitals"),
        ("His name is long.", "names-the-person"),
        ("They said it was fine.", "no-anchor"),
        ("S\u200bhe left.", "control-characters"),
        ("She said so. " * 5_000, "too-long"),
    ],
)
def test_a_text_that_would_become_wrong_is_left_out(text, reason):
    assert swapped(text) == reason


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_the_other_text_leads_back(one, other):
    assert swapped(other) in (one, "her-ambiguous")


def test_rows_are_pairs_of_which_one_is_the_original():
    found = eec_datasets.perturb([one for one, _ in PAIRS], "en", pronouns=True)
    rows = found.table().to_pandas()
    assert len(rows) == 2 * len(PAIRS)
    assert set(rows["person"]) == {"she", "he"}
    assert set(rows["person_type"]) == {"pronoun"}
    assert (rows["pair"] == rows["item"] + "/she_he").all()
    for (one, other), (_, pair) in zip(PAIRS, rows.groupby("item", sort=False), strict=True):
        assert set(pair["text"]) == {one, other}
        assert pair.loc[pair["gender"] == pair["anchor"], "text"].item() == one


def test_the_level_wide_reads_an_unclear_pronoun_and_refuses_a_pair_that_looks_wrong():
    texts = ["I gave her flowers.", "I met Zarquon, he was nice.", "I called Matt, he was nice.", "She left."]
    strict = eec_datasets.perturb(texts, "en", pronouns=True)
    wide = eec_datasets.perturb(texts, "en", pronouns=True, level="wide")
    assert [each.text for each in strict.rewrites] == ["She left."]
    assert [each.text for each in wide.rewrites] == [texts[0], texts[1], texts[3]]
    assert wide.left_out["check"] == {"male": 1}


def test_the_level_wide_puts_a_name_behind_an_unknown_word():
    text = "The overage was high and she paid it."
    assert isinstance(resolve(load_anchors("en", question=SAME), text), LeftOut)
    assert isinstance(resolve(load_anchors("en", question=SAME, level=WIDE), text), Rewritable)


def test_the_command_writes_pairs(tmp_path):
    (tmp_path / "t.txt").write_text("She lost her keys.\nHe told her.\n", encoding="utf-8")
    found = eec("perturb", tmp_path / "t.txt", "--locale", "en", "--pronouns", "--out", tmp_path / "o.csv")
    assert found.exit_code == 0, found.output
    assert list(pd.read_csv(tmp_path / "o.csv")["text"]) == ["She lost her keys.", "He lost his keys."]
