"""Opinions of native readers on a language, as its status, card, check and pages tell them."""

import json
import re
from pathlib import Path

import pytest
from commands import succeed
from reviews import saved, status, store
from texts import change

from eec_datasets import corpora, release
from eec_datasets.checks import check
from eec_datasets.locale.reading import load_locale, locales_folder, tags
from eec_datasets.locale.reviews import hash_of

REPOSITORY = Path(corpora.__file__).parents[1]


def test_the_check_says_what_native_readers_have_seen(folder):
    store(folder, saved(["natural"] * 3))
    told = succeed("locale", "check", "pt", "--locales", folder).output
    assert "pt: read by Rita Prova (PT), native speaker, 2026-11-20\n" in told
    assert "pt: native readers have seen 3 of 11 templates" in told


def test_a_text_that_changes_loses_its_approval(folder):
    store(folder, saved(["natural"] * 64))
    judged = len(status(folder).held)
    assert status(folder).sentence == f"draft; 1 native reader; {judged} of {judged} natural"
    lost = sum("zangad" in each.text for said in status(folder).held.values() for each in said.values())
    assert lost > 0
    change(folder / "pt" / "words.csv", ("zangado", "bravo"), ("zangada", "brava"))
    changed = status(folder)
    assert len(changed.changed) == lost
    assert all("brav" in str(now) for now in changed.changed.values())
    texts = "text" if lost == 1 else "texts"
    assert f"{judged - lost} of {judged - lost} natural; {lost} {texts} changed since" in changed.sentence


def test_configs_say_what_readers_said(folder, monkeypatch):
    store(folder, saved(["natural", "odd", "natural"]))
    monkeypatch.setenv("EEC_LOCALES", str(folder))
    configs = succeed("configs", "--language", "pt", "--json").output
    assert {config["review"] for config in json.loads(configs)} == {"draft; 1 native reader; 2 of 3 natural"}


def test_two_readers_who_disagree_are_shown(folder):
    store(folder, saved(["natural", "natural"]))
    store(folder, saved(["natural", "wrong"], name="Bia Prova", country="BR"))
    assert status(folder).sentence == "draft; 2 native readers; 1 of 2 natural; 1 text disputed"
    told = succeed("locale", "check", "pt", "--locales", folder).output
    assert "Bia Prova (BR) wrong, Rita Prova (PT) natural" in told
    assert "draft; 2 native readers; 1 of 2 natural; 1 text disputed; 15 open questions\n" in told


def test_a_reader_of_another_first_language_is_not_counted_as_native(folder):
    store(folder, saved(["natural", "wrong"], native=False, country="US"))
    assert status(folder).sentence == "draft; not reviewed by a native speaker; 1 reader of another first language"


def test_what_a_reader_says_later_takes_the_place_of_what_they_said(folder):
    store(folder, saved(["wrong", "natural"]))
    store(folder, saved(["natural"], day="2026-11-21"))
    assert status(folder).sentence == "draft; 1 native reader; 2 of 2 natural"


def test_what_readers_answered_stands_with_the_question(folder):
    content = saved(["odd"])
    assert content["answers"][0]["question"]
    content["answers"][0]["correction"] = "com raiva"
    store(folder, content)
    told = succeed("locale", "check", "pt", "--locales", folder).output
    assert "Rita Prova (PT), 2026-11-20: odd: com raiva" in told


def test_the_check_tells_what_readers_said(folder, snapshot):
    store(folder, saved(["odd", "natural", "natural"]))
    store(folder, saved(["odd", "wrong"], name="Bia Prova"))
    old = saved(["natural"] * 3)["answers"][2]["text"]
    path = next((folder / "pt" / "reviews").glob("rita-*"))
    change(path, (old, f"Antes: {old}"), (hash_of(old), hash_of(f"Antes: {old}")))
    told = [str(finding) for finding in check(folder / "pt").findings if finding.check == "review"]
    snapshot.check("checks/readers", "\n".join(told))


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md", "CONTRIBUTING.md"])
def test_pages_say_that_nobody_has_read_a_language_while_that_is_so(page):
    said = (REPOSITORY / page).read_text(encoding="utf-8")
    read = [tag for tag in tags() if corpora.review_of(load_locale(tag), locales_folder()).native]
    assert bool(re.search(r"No native speaker has (reviewed|read) any language yet", said)) is not bool(read)


def test_the_card_names_the_readers(folder, tmp_path, monkeypatch):
    store(folder, saved(["natural"]))
    monkeypatch.setenv("EEC_LOCALES", str(folder))
    succeed("build", "--out", tmp_path / "build", "--config", "pt-gender")
    card = (tmp_path / "build" / "README.md").read_text(encoding="utf-8")
    assert "Draft; 1 native reader; 1 of 1 natural." in card
    assert "- Read by Rita Prova (PT), a native speaker, on 2026-11-20." in card


def test_a_language_that_somebody_has_read_in_part_stays_a_draft(folder, monkeypatch):
    store(folder, saved(["natural"]))
    monkeypatch.setenv("EEC_LOCALES", str(folder))
    files = release.render(configs=["pt-gender"]).files
    card = files["README.md"].decode()
    assert "gender (2) | draft |" in card
    limits = json.loads(files["croissant.json"])["rai:dataLimitations"]
    assert "In these languages only the writer has read all sentences: pt." in limits
    assert "Native speakers have judged only some of the sentences of: pt." in limits
    assert not any(limit.startswith("No native speaker has reviewed") for limit in limits)
