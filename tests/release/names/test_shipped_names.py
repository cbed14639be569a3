"""The sets of names that ship: their sizes, evidence, evenness and rules."""

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from eec_datasets import corpora
from eec_datasets.locale.model import UNMARKED
from eec_datasets.locale.names import MODELLED
from eec_datasets.locale.reading import load_locale, locales_folder
from eec_datasets.names import program
from eec_datasets.names.candidates import cells_in, load_table, rule_of
from eec_datasets.names.checking import faults
from eec_datasets.names.choosing import choose
from eec_datasets.names.summary import alike, doubts

SETS = {
    "en": ("black-white-100", "black-white-100-typical", "anglo-latino-100"),
    "es": ("anglo-latino-100", "spain-arab-100"),
    "ar": ("anglo-arab-100",),
}
MATCHED = {
    ("en", "black-white-100"): ("ssa.count", "ssa.year", "letters", "r50k.tokens", "cl100k.tokens", "o200k.tokens"),
    ("en", "anglo-latino-100"): ("ssa.count", "ssa.year", "letters", "r50k.tokens", "cl100k.tokens", "o200k.tokens"),
    ("es", "anglo-latino-100"): ("ssa.count", "ssa.year", "letters", "cl100k.tokens", "o200k.tokens"),
    ("ar", "anglo-arab-100"): ("letters", "cl100k.tokens", "o200k.tokens"),
}


def table(tag: str, key: str) -> pd.DataFrame:
    rows = pd.read_csv(locales_folder() / tag / "names.csv", keep_default_na=False, dtype=str)
    return rows[rows["sets"].str.split().map(lambda keys: key in keys)].assign(letters=rows["name"].str.len())


@pytest.mark.parametrize(("tag", "key"), [(tag, key) for tag in SETS for key in SETS[tag]])
def test_a_set_has_a_hundred_sourced_names_in_each_of_four_cells(tag, key):
    names = [person for person in load_locale(tag).persons if person.set == key]
    cells = Counter((person.identity["race"], person.identity["gender"]) for person in names)
    assert list(cells.values()) == [100] * 4
    assert UNMARKED not in {race for race, _ in cells}
    assert len({person.id for person in names}) == len({person.roles["nom"] for person in names}) == 400
    assert all(person.source for person in names)


@pytest.mark.parametrize(("tag", "key"), MATCHED)
def test_cells_of_a_matched_set_differ_by_at_most_015_sd(tag, key):
    rows = table(tag, key)
    for feature in MATCHED[tag, key]:
        values = pd.to_numeric(rows[feature])
        values = np.log(values) if feature.endswith("count") else values
        cells = values.groupby([rows["group"], rows["gender"]])
        assert (cells.mean().max() - cells.mean().min()) / np.sqrt(cells.var().mean()) <= 0.15, feature


@pytest.mark.parametrize("tag", SETS)
def test_no_name_equals_a_word_of_its_corpora_or_of_vaders_lexicon(tag):
    import vaderSentiment

    lexicon = (Path(vaderSentiment.__file__).with_name("vader_lexicon.txt")).read_text(encoding="utf-8")
    locale = load_locale(tag)
    names = {person.roles["nom"].casefold() for person in locale.persons if person.set in SETS[tag]}
    assert not names & {line.split("\t")[0].casefold() for line in lexicon.splitlines()}
    config = corpora.render(f"{tag}-{SETS[tag][0]}").columns
    phrases = [text for text, kind in zip(config["text"], config["person_type"], strict=True) if kind != "name"]
    assert not names & {word.strip(".,;:?!¿¡«»").casefold() for text in phrases for word in text.split()}


@pytest.mark.parametrize("tag", SETS)
def test_every_set_keeps_its_rule_and_building_it_changes_nobody(tag):
    assert faults(load_table(tag)) == []
    chosen = [choose(tag, key) for key in SETS[tag]]
    assert [[*each.left, *each.joined] for each in chosen] == [[]] * len(chosen)


def test_the_spanish_set_has_the_people_and_evidence_of_the_english():
    english, spanish = table("en", "anglo-latino-100"), table("es", "anglo-latino-100")
    english = english.assign(id=english["name"].str.lower()).set_index("id").sort_index()
    plain = spanish["name"].str.normalize("NFKD").str.replace(r"[\u0300-\u036f]", "", regex=True).str.lower()
    spanish = spanish.assign(id=plain).set_index("id").sort_index()
    known = ("group", "gender", "ssa.", "t18.", "nyc.", "l23.")
    shared = [column for column in spanish.columns if column.startswith(known)]
    pd.testing.assert_frame_equal(english[shared], spanish[shared])
    assert (english["name"] != spanish["name"]).sum() > 20
    assert {"María", "José"}.isdisjoint(english["name"])


def test_persons_whose_group_rests_on_a_model_carry_the_flag():
    rows = table("en", "black-white-100")
    alone = set(rows.loc[(rows["t18.share"] == "") & (rows["nyc.share"] == ""), "name"])
    persons = [person for person in load_locale("en").persons if person.set == "black-white-100"]
    assert {person.roles["nom"] for person in persons if MODELLED in person.flags} == alone
    assert len(alone) == 270


def test_in_arabic_only_names_of_arab_men_change_in_the_accusative():
    rows = table("ar", "anglo-arab-100")
    changed = rows[rows["acc"] != ""]
    assert set(zip(changed["group"], changed["gender"], strict=True)) == {("Arab", "male")}
    assert 45 < len(changed) < 60
    assert changed["acc"].str.fullmatch(r".+ًا").all()


def spanish_names() -> pd.DataFrame:
    rows = table("es", "spain-arab-100")
    return rows[rows["group"] == "Spain"]


def test_the_names_of_spain_are_those_most_borne_there():
    names = set(spanish_names()["name"])
    assert {"María", "Carmen", "Isabel", "Dolores", "José", "Antonio", "Manuel", "Francisco", "Juan"} <= names
    assert not {"Zunilda", "Claribel", "Lisandra", "Andreína", "Altagracia", "Nubia", "Ligia"} & names


def test_no_name_of_a_thousand_people_in_spain_is_refused_unread():
    names = pd.read_csv(locales_folder() / "es" / "names.csv", dtype=str, keep_default_na=False)
    unread = names[names["refused"].str.contains("not yet read")]
    assert pd.to_numeric(unread["spain.count"].where(unread["spain.count"] != "", unread["ine.count"])).max() < 1000
    assert f"{len(unread)} rarer names" in (Path(locales_folder()).parent / "docs" / "names.md").read_text("utf-8")


def test_no_name_of_spain_is_commoner_in_latin_american_registers():
    shares = pd.to_numeric(spanish_names()["registers.share"])
    assert shares.min() >= 0.5
    assert shares.isna().sum() == 77  # of these the registers of our extract say nothing


def test_a_name_that_stands_for_another_group_elsewhere_is_flagged():
    flags = {p.roles["nom"]: p.flags for p in load_locale("es").persons if p.set == "spain-arab-100"}
    assert "in-two-races" in flags["José"]
    assert "in-two-races" not in flags["Begoña"]


def test_what_is_said_of_spain_is_no_doubt_of_a_latino_name():
    assert doubts(load_table("es"), ("adela", "female"), "Latino") == []


@pytest.mark.parametrize("tag", ["en", "es", "ar"])
def test_sets_hold_two_names_of_a_family_at_most(tag):
    table = load_table(tag)
    for key in table.sets:
        if key == "asian-white-100":  # the table has no more than a hundred Asian names of each gender
            continue
        for shared in alike(table, cells_in(table, rule_of(table, key))).values():
            assert max(map(len, shared.families.values())) <= 2
            assert program.effective(family for family, names in shared.families.items() for _ in names) >= 75


def test_a_slur_is_in_no_set() -> None:
    (row,) = (row for row in load_table("ar").file.rows if (row["name"], row["gender"]) == ("عبيد", "male"))
    assert (row["sets"], row["refused"].startswith("slaves")) == ("", True)


@pytest.mark.parametrize("variants", [("Mostafa", "Mustafa"), ("Ahmad",), ("Ilias",), ("Zohra",), ("Yamna",)])
def test_one_name_in_two_transliterations_is_flagged(variants: tuple[str, ...]) -> None:
    flags = {row["name"]: row["flags"].split() for row in load_table("es").file.rows if row["group"] == "Arab"}
    assert all("near-variant" in flags[name] for name in variants)


@pytest.mark.parametrize(("tag", "least"), [("ar", 600), ("es", 150)])
def test_another_list_of_arab_names_attests_many(tag: str, least: int) -> None:
    names = load_table(tag)
    assert names.sources["camel2"].licence == "MIT"
    assert sum(bool(row["camel2.listed"]) for row in names.file.rows) >= least


def test_arab_women_are_chosen_from_more_than_a_hundred_names() -> None:
    rows = load_table("ar").file.rows
    eligible = [row for row in rows if (row["group"], row["gender"], row["refused"]) == ("Arab", "female", "")]
    assert len(eligible) >= 120
