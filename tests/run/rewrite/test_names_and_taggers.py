"""Names of the texts that are replaced, a tagger that is asked, and what is kept of women's and of men's sentences."""

import csv
import math
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import eec, refused, succeed
from snapshots import refusal

import eec_datasets
from eec_datasets.errors import OutputError, Unavailable
from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.anchors import SAME
from eec_datasets.rewrite.given_names import given_names, with_given
from eec_datasets.rewrite.left_out import left_out_file
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve
from eec_datasets.rewrite.retention import ALL, Retention
from eec_datasets.rewrite.slots import Slot
from eec_datasets.rewrite.tagger import Tagger, load_tagger

NAMES = {"Maria": "female", "Adam": "male"}
EN = load_anchors("en")
LISTED = {"Emma": "female", "Sarah": "female", "Peter": "male"}


def test_names_and_titles_come_out_as_written_by_hand():
    listed = with_given(EN, given_names(EN, LISTED, locales_folder()))
    with (Path(__file__).parent / "key-en-names.csv").open(encoding="utf-8", newline="") as file:
        key = list(csv.DictReader(file, strict=True))
    assert len(key) == 38
    texts = [row["text"] for row in key]
    rows = eec_datasets.perturb(texts, "en", NAMES, replace=LISTED, swap_gender=True).table().to_pylist()
    for number, row in enumerate(key, start=1):
        said = [each["text"] for each in rows if each["item"] == f"s{number:07d}" and each["person"] != "original"]
        assert said == [*filter(None, (row["female"], row["male"]))], row
        assert getattr(resolve(listed, row["text"]), "reason", "") == row["reason"], row
    # Who said it is nobody of whom it is said.
    assert resolve(listed, "“He left.” — Emma").anchor == "male"


def test_a_noun_phrase_for_a_name_has_no_capital_within_a_sentence():
    sister = [{"name": "my sister", "gender": "female", "type": "noun_phrase"}]
    found = eec_datasets.perturb(["I told Emma.", "Emma said no."], "en", sister, replace=LISTED)
    assert [row["text"] for row in found.table().to_pylist()][1::2] == ["I told my sister.", "My sister said no."]


def test_names_that_may_be_something_else_are_not_replaced_and_told():
    names = [("Grace", "female"), ("Robin", "female"), ("Robin", "male"), ("Mary Ann", "female"), ("Emma", "female")]
    rows = [{"name": name, "gender": gender} for name, gender in names]
    found = given_names(EN, rows, locales_folder())
    assert dict(found.columns) == {"Emma": "f"}
    reasons = ("another word as well", "given to both genders", "not one capitalised word")
    assert found.refused == dict(zip(("Grace", "Robin", "Mary Ann"), reasons, strict=True))
    rewritten = eec_datasets.perturb(["Emma said she was late."], "en", {"Ann": "female"}, replace=rows)
    assert "Names asked for that are not replaced, 3 of 4: Grace (another word as well), Robin (given" in str(rewritten)


def test_the_tables_hold_names_of_both_genders():
    found = given_names(EN, "tables", locales_folder())
    assert min(list(found.columns.values()).count(column) for column in ("f", "m")) >= 80


def test_the_tables_hold_no_name_that_is_flagged():
    found = given_names(EN, "tables", locales_folder())
    assert not {"Jasmine", "Frank", "Angel"} & found.columns.keys()


def test_a_first_name_is_no_other_word_by_its_ending():
    found = given_names(EN, "tables", locales_folder())
    assert {"Thomas", "Edward", "Nicholas"} <= found.columns.keys()
    said = eec_datasets.perturb(["Thomas lost his keys."], "en", NAMES, replace="tables").table().to_pylist()
    assert said[1]["text"] == "Adam lost his keys."


@pytest.mark.parametrize("text", ["We heard that Mr James was late.", "Mrs. James was late."])
def test_a_last_name_that_is_a_first_name_as_well_is_replaced(text):
    tables = with_given(EN, given_names(EN, "tables", locales_folder()))
    assert isinstance(resolve(tables, text), Rewritable)


def test_a_company_is_no_person():
    tables = with_given(EN, given_names(EN, "tables", locales_folder()))
    assert isinstance(resolve(tables, "Kevin!"), LeftOut)
    for company in ("Arthur Andersen", "Charles Schwab"):
        assert resolve(tables, f"{company} has sent us a letter.").reason == "name-in-text"
        assert resolve(tables, f"{company.split()[0]} Parker has sent us a letter.").pieces


def tagged(**tags: str) -> Tagger:
    """A tagger that knows some words by themselves."""
    return Tagger("test 1", lambda text, start, end: {tags.get(text[start:end].lower(), "NN")})


@pytest.mark.parametrize(("tag", "role", "form"), [("PRP$", "possessive", "poss"), ("PRP", "object", "obj")])
def test_a_word_that_the_rules_cannot_read_is_what_the_tagger_says(tag, role, form):
    found = resolve(EN, "I gave her flowers.", None, tagged(her=tag))
    assert isinstance(found, Rewritable)
    assert (found.role, found.pieces["f"]) == (role, ("I gave ", Slot(form), " flowers."))


def test_a_tagger_that_does_not_know_leaves_the_text_out():
    assert resolve(EN, "I gave her flowers.", None, tagged()).reason == "her-ambiguous"


def test_a_tagger_that_is_not_needed_is_not_asked():
    never = Tagger("never", lambda *_: pytest.fail("asked"))
    assert isinstance(resolve(EN, "She lost her keys.", None, never), Rewritable)


def test_a_spacy_model_is_asked_by_its_folder(tmp_path):
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en", meta={"name": "small", "version": "1.2"})
    nlp.add_pipe("attribute_ruler").add([[{"LOWER": "her"}]], {"TAG": "PRP$"})
    nlp.get_pipe("attribute_ruler").add([[{"LOWER": "a"}]], {"TAG": "DT"})
    nlp.to_disk(tmp_path / "small")
    found = eec_datasets.perturb(["I gave her flowers."], "en", NAMES, tagger=str(tmp_path / "small"))
    assert [row["text"] for row in found.table().to_pylist()][1] == "I gave Maria's flowers."
    assert found.report.options["tagger"] == "en_small 1.2"


def test_a_tagger_that_cannot_be_used_is_told_with_the_install_line(tmp_path, monkeypatch, snapshot):
    spacy = pytest.importorskip("spacy")
    spacy.blank("en").to_disk(tmp_path / "empty")
    spacy.blank("es").to_disk(tmp_path / "spanish")
    cases = {name: str(tmp_path / name) for name in ("empty", "spanish")} | {"no model": "en_no_such_model"}
    told = [refusal(lambda model=model: load_tagger(model, "en")) for model in cases.values()]
    monkeypatch.setitem(sys.modules, "spacy", None)
    told.append(refusal(lambda: load_tagger("en_core_web_sm", "en")))
    snapshot.check("tagger-refused", "\n\n".join(told).replace(f"{tmp_path}/", ""))


class ChangingModel:
    """A model of spaCy's that writes other words than it was given."""

    lang, pipe_names = "en", ()

    def __call__(self, text: str) -> SimpleNamespace:
        return SimpleNamespace(text=text.upper())

    def select_pipes(self, **_: object) -> nullcontext:
        return nullcontext()


def test_a_model_that_changes_the_text_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=lambda *_, **__: ChangingModel()))
    with pytest.raises(Unavailable, match="The model 'changing' changed a text: it read 'A' for 'a'"):
        load_tagger("changing", "en")


def test_a_model_that_fails_on_a_text_is_refused(monkeypatch):
    def fail(_text: str) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(ChangingModel, "__call__", lambda _, text: fail(text))
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=lambda *_, **__: ChangingModel()))
    with pytest.raises(Unavailable, match=r"The model 'failing' failed on 'a'.*RuntimeError: out of memory"):
        load_tagger("failing", "en")


def test_the_model_that_is_proposed_is_one_of_the_language():
    pytest.importorskip("spacy")
    with pytest.raises(Unavailable, match="spacy download es_core_news_sm"):
        load_tagger("es_no_such_model", "es")


def test_texts_left_out_are_written_with_their_reasons(tmp_path):
    texts, out = tmp_path / "t.txt", tmp_path / "left.csv"
    texts.write_text('He left.\n"She left," said she.\nI gave her flowers.\nNothing.\n', encoding="utf-8")

    asked = ["perturb", texts, "--locale", "en", "--names", "en-black-white", "--left-out", out, "--out"]
    succeed(*asked, tmp_path / "o.csv")
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["reason"], row["role"], row["text"]) for row in rows] == [
        ("s0000002", "quoted", "subject", '"She left," said she.'),
        ("s0000003", "her-ambiguous", "possessive", "I gave her flowers."),
        ("s0000004", "no-anchor", "", "Nothing."),
    ]
    assert "--left-out and --out both name" in refused(*asked, out, code=2)
    out.write_text("mine", encoding="utf-8")
    assert "left.csv already exists" in refused(*asked, tmp_path / "p.csv")


def test_texts_left_out_are_written_if_none_can_be_rewritten(tmp_path):
    (tmp_path / "t.txt").write_text("Nothing.\nNobody.", encoding="utf-8")
    files = ["--left-out", tmp_path / "left.csv", "--out", tmp_path / "rows.csv"]
    asked = ["perturb", tmp_path / "t.txt", "--locale", "en", "--names", "en-black-white", *files]
    assert eec(*asked).exit_code == 1
    assert "no-anchor,none,,,,Nothing." in (tmp_path / "left.csv").read_text(encoding="utf-8")
    assert not (tmp_path / "rows.csv").exists()


def test_half_of_a_character_left_out_is_written_as_its_escape(tmp_path):
    with left_out_file(tmp_path / "left.csv") as tell:
        tell("s1", "He left \ud83d", LeftOut("control-characters", "none"))
        tell("s2", "=HYPERLINK(1) she", LeftOut("no-anchor", "none"))
    _, *lines = (tmp_path / "left.csv").read_text(encoding="utf-8").splitlines()
    assert lines == ["s1,control-characters,none,,,,He left \\ud83d", "s2,no-anchor,none,,,,=HYPERLINK(1) she"]


def test_nothing_is_left_of_the_texts_left_out_where_something_fails(tmp_path):
    with pytest.raises(ZeroDivisionError), left_out_file(tmp_path / "left.csv") as tell:
        tell("s1", "text" * (1 // 0), LeftOut("no-anchor", "none"))
    assert not list(tmp_path.iterdir())
    place = left_out_file(Path("left.txt"))
    with pytest.raises(OutputError, match=r"left\.txt: the suffix is '\.txt'"), place:
        pass


def retention(role: str = "possessive", **kept: tuple[int, int]) -> Retention:
    found = Retention(("female", "male"))
    for gender, (right, all_) in kept.items():
        for number in range(all_):
            found.count(gender, role, kept=number < right)
    return found


def test_the_odds_are_woolfs():
    found = retention(female=(10, 100), male=(34, 200))
    odds = found.odds("possessive")
    ratio, error = (10 / 90) / (34 / 166), math.sqrt(1 / 10 + 1 / 90 + 1 / 34 + 1 / 166)
    expected = [ratio, ratio * math.exp(-1.959964 * error), ratio * math.exp(1.959964 * error)]
    assert [odds[key] for key in ("ratio", "low", "high")] == pytest.approx(expected, rel=1e-6)
    assert not list(found.warnings())


def test_where_every_text_is_kept_there_are_no_odds():
    assert retention(female=(3, 3), male=(5, 5)).odds(ALL) == {}


@pytest.mark.parametrize(
    ("role", "female", "male", "said"),
    [
        (
            "possessive",
            (100, 1000),
            (340, 2000),
            "where the first pronoun is possessive: 100 of 1,000 (10%) with female",
        ),
        ("name", (50, 200), (150, 200), "where a name comes first: 50 of 200 (25%) with female"),
        ("object", (3000, 3009), (3000, 3000), "3,000 of 3,009 (>99%) with female and 3,000 of 3,000 (100%) with male"),
    ],
)
def test_a_warning_says_which_sentences_are_not_kept_at_the_same_rate(role, female, male, said):
    (of_role, over_all) = retention(role, female=female, male=male).warnings()
    assert "anchors are not kept at the same rate" in of_role
    assert said in of_role
    assert "over all roles" in over_all


def test_names_that_are_words_are_listed():
    names = dict.fromkeys(("Emily", "Grace", "Tia"), "female")
    found = eec_datasets.perturb(["She left."], "en", names)
    assert found.report.words == ["Grace", "Tia"]
    assert "so that a system may score the word: Grace, Tia" in str(found)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("He is risen.", "capitals"),
        ("Her Highness was late.", "restricted"),
        ("Me: I am fine. Her: are you?", "quoted"),
        ("When she says she's fine.", "antecedent"),
        ("I took him to the Animal Hospital.", "not-human"),
        ("I could call him jo for short.", "names-the-person"),
        ("That's what she said!", "saying"),
        ("He loves me, he loves me not.", "saying"),
        ('"He\'s the one" is my favourite song.', "saying"),
        ("He wagged when I came home.", "not-human"),
        ("I'll come and look him over.", "not-human"),
        ("I give him water but he won't take it.", "not-human"),
        ("They can smell it so he knows what it is.", "not-human"),
        ("He needs to know his new home.", "not-human"),
    ],
)
def test_a_god_a_title_a_meme_and_a_pet_get_no_name(text, reason):
    assert resolve(load_anchors("en", question=SAME), text).reason == reason


@pytest.mark.parametrize(
    "text",
    [
        "Nobody cares what she thinks.",
        "Everyone says she is nice.",
        "No one knows where she went.",
        "I would highly recommend her services.",
        "I asked her who she was.",
        "Acme, he said, is late.",
        "I do agree w/ his point.",
        "New Yorkers smile at her.",
        "We don't go past broad, she says.",
        "They were all sweet and patient with her.",
        "He was, Dr. Zarquon laments, the last.",
        "A professor of law at Harvard, he was first.",
        "My 17 year old daughter likes him.",
        "He dreams of his new house.",
    ],
)
def test_whoever_is_not_meant_leaves_no_text_out(text):
    assert isinstance(resolve(load_anchors("en", question=SAME), text), Rewritable)


def test_an_article_before_a_noun_is_no_pronoun_in_spanish():
    assert isinstance(resolve(load_anchors("es", question=SAME), "Ella llamó a la aerolínea."), Rewritable)
