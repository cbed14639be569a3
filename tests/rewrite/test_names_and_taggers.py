"""Names of the texts that are replaced, a tagger that is asked, and what is kept of women's and of men's sentences."""

import csv
import math
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from snapshots import refusal

import eec_datasets
from eec_datasets.cli import main
from eec_datasets.errors import OutputUnwritable
from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.fillers import read_fillers
from eec_datasets.rewrite.given_names import given_names, with_given
from eec_datasets.rewrite.left_out import left_out_file
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import LeftOut, Rewritable, resolve
from eec_datasets.rewrite.retention import ALL, Retention
from eec_datasets.rewrite.tagger import Tagger, load_tagger

NAMES = {"Maria": "female", "Adam": "male"}
EN = load_anchors("en")
LISTED = {"Emma": "female", "Sarah": "female", "Peter": "male"}


def said(text: str, **options) -> list[str]:
    """The text said of a woman and of a man; empty where it is left out."""
    given = [*filter(None, [text, "He left."])]
    rows = eec_datasets.perturb(given, "en", NAMES, replace=LISTED, **options).table().to_pylist()
    return [row["text"] for row in rows if row["item"] == "s0000001" and row["person"] != "original"]


def test_names_and_titles_come_out_as_written_by_hand_or_leave_the_text_out_with_the_reason():
    listed = with_given(EN, given_names(EN, LISTED, locales_folder()))
    with (Path(__file__).parent / "key-en-names.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == 38
    for row in rows:
        assert said(row["text"]) == [*filter(None, (row["female"], row["male"]))], row
        assert getattr(resolve(listed, row["text"]), "reason", "") == row["reason"], row


def test_a_noun_phrase_in_the_place_of_a_name_has_no_capital_within_a_sentence():
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


def test_the_tables_hold_names_of_both_genders_and_none_that_is_flagged():
    found = given_names(EN, "tables", locales_folder()).columns
    assert min(list(found.values()).count(column) for column in ("f", "m")) >= 80
    assert not {"Jasmine", "Frank", "Angel"} & found.keys()
    assert isinstance(resolve(with_given(EN, given_names(EN, "tables", locales_folder())), "Kevin!"), LeftOut)


def tagged(**tags: str) -> Tagger:
    """A tagger that knows some words by themselves."""
    return Tagger("test 1", lambda text, start, end: {tags.get(text[start:end].lower(), "NN")})


def test_a_company_that_has_the_name_of_its_founder_is_no_person():
    tables = with_given(EN, given_names(EN, "tables", locales_folder()))
    for company in ("Arthur Andersen", "Charles Schwab"):
        assert resolve(tables, f"{company} has sent us a letter.").reason == "name-in-text"
        assert resolve(tables, f"{company.split()[0]} Parker has sent us a letter.").pieces


@pytest.mark.parametrize(("tag", "expected"), [("PRP$", "Maria's"), ("PRP", "Maria")])
def test_a_word_that_the_rules_cannot_read_is_what_the_tagger_says(tag, expected):
    found = resolve(EN, "I gave her flowers.", None, tagged(her=tag))
    assert isinstance(found, Rewritable)
    assert found.role == {"PRP$": "possessive", "PRP": "object"}[tag]
    slots = [piece for piece in found.pieces["f"] if not isinstance(piece, str)]
    forms = read_fillers(EN, {"Maria": "female"})[0].roles
    assert [forms[slot.role] for slot in slots] == [expected]


def test_a_tagger_that_does_not_know_leaves_the_text_out_and_one_that_is_not_needed_is_not_asked():
    assert resolve(EN, "I gave her flowers.", None, tagged()).reason == "her-ambiguous"
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


def test_texts_left_out_are_written_with_their_reasons(tmp_path):
    texts, out = tmp_path / "t.txt", tmp_path / "left.csv"
    texts.write_text('He left.\n"She left," said she.\nI gave her flowers.\nNothing.\n', encoding="utf-8")

    def run(rows: str):
        options = ["--locale", "en", "--names", "en-black-white", "--left-out", str(out), "--out", str(tmp_path / rows)]
        found = CliRunner().invoke(main, ["perturb", str(texts), *options])
        return found.exit_code, found.output

    assert run("o.csv")[0] == 0
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["reason"], row["role"], row["text"]) for row in rows] == [
        ("s0000002", "quoted", "subject", '"She left," said she.'),
        ("s0000003", "her-ambiguous", "possessive", "I gave her flowers."),
        ("s0000004", "no-anchor", "", "Nothing."),
    ]
    code, told = run("left.csv")
    assert (code, "--left-out and --out both name" in told) == (2, True)
    out.write_text("mine", encoding="utf-8")
    code, told = run("p.csv")
    assert (code, "left.csv is there already" in told) == (1, True)


@pytest.mark.parametrize(("texts", "options"), [("Nothing.\nNobody.", []), ("She left.\nNothing.", ["--sample", "2"])])
def test_where_too_few_texts_can_be_rewritten_those_left_out_are_written_all_the_same(tmp_path, texts, options):
    (tmp_path / "t.txt").write_text(texts, encoding="utf-8")
    files = ["--left-out", str(tmp_path / "left.csv"), "--out", str(tmp_path / "rows.csv")]
    asked = ["perturb", str(tmp_path / "t.txt"), "--locale", "en", "--names", "en-black-white", *files, *options]
    assert CliRunner().invoke(main, asked).exit_code == 1
    assert "no-anchor,none,,,,Nothing." in (tmp_path / "left.csv").read_text(encoding="utf-8")
    assert not (tmp_path / "rows.csv").exists()


def test_half_of_a_character_is_written_as_its_escape(tmp_path):
    with left_out_file(tmp_path / "left.csv") as tell:
        tell("s1", "He left \ud83d", LeftOut("control-characters", "none"))
    assert "He left \\ud83d" in (tmp_path / "left.csv").read_text(encoding="utf-8")


def test_a_text_left_out_is_no_formula_of_a_spreadsheet(tmp_path):
    with left_out_file(tmp_path / "left.csv") as tell:
        tell("s1", "=HYPERLINK(1) she", LeftOut("no-anchor", "none"))
    assert "s1,no-anchor,none,,,,'=HYPERLINK(1) she" in (tmp_path / "left.csv").read_text(encoding="utf-8")


def test_nothing_is_left_of_the_texts_left_out_where_something_fails(tmp_path):
    with pytest.raises(ZeroDivisionError), left_out_file(tmp_path / "left.csv") as tell:
        tell("s1", "text" * (1 // 0), LeftOut("no-anchor", "none"))
    assert not list(tmp_path.iterdir())
    place = left_out_file(Path("left.txt"))
    with pytest.raises(OutputUnwritable, match=r"left\.txt: the suffix is '\.txt'"), place:
        pass


def retention(**kept: tuple[int, int]) -> Retention:
    found = Retention(("female", "male"))
    for gender, (right, all_) in kept.items():
        for number in range(all_):
            found.count(gender, "possessive", kept=number < right)
    return found


def test_the_odds_are_woolfs_and_a_difference_is_warned_of():
    found = retention(female=(10, 100), male=(34, 200))
    odds = found.odds("possessive")
    ratio, error = (10 / 90) / (34 / 166), math.sqrt(1 / 10 + 1 / 90 + 1 / 34 + 1 / 166)
    expected = [ratio, ratio * math.exp(-1.959964 * error), ratio * math.exp(1.959964 * error)]
    assert [odds[key] for key in ("ratio", "low", "high")] == pytest.approx(expected, rel=1e-6)
    assert not list(found.warnings())
    (role, over_all) = retention(female=(100, 1000), male=(340, 2000)).warnings()
    assert "where the first pronoun is possessive: 100 of 1,000 (10%) with female and 340 of 2,000 (17%)" in role
    assert "over all roles" in over_all
    assert retention(female=(3, 3), male=(5, 5)).odds(ALL) == {}


def test_a_name_that_comes_first_is_not_called_a_pronoun():
    found = Retention(("female", "male"))
    for number in range(200):
        for gender in ("female", "male"):
            found.count(gender, "name", kept=number < (150 if gender == "male" else 50))
    (of_names, _) = found.warnings()
    assert "are not kept at the same rate where a name comes first: 50 of 200 (25%) with female" in of_names


def test_all_but_a_few_are_not_called_all():
    (_, over_all) = retention(female=(3000, 3009), male=(3000, 3000)).warnings()
    assert "3,000 of 3,009 (>99%) with female and 3,000 of 3,000 (100%) with male" in over_all
