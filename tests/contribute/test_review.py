"""A native reader judges sentences on a page in a real browser; what they save is stored, counted, and never trusted.

The readers are made up: no native speaker has judged a sentence here.
"""

import json
import re
import shutil
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from browsing import barriers, browser, tab  # noqa: F401 (browser is a fixture)
from commands import eec, refused, succeed
from languages import languages
from texts import change, csv_rows

from eec_datasets import corpora, release
from eec_datasets.checks import check
from eec_datasets.contribute.answers import LARGEST, LONGEST_TEXT, MARKUP, ReviewError, store_answers
from eec_datasets.contribute.questions import questions
from eec_datasets.contribute.review_choice import WEIGHTS, choose_sentences, shown_by
from eec_datasets.contribute.review_page import page_languages, page_texts, review_page
from eec_datasets.errors import LocaleError, UnknownConfig
from eec_datasets.locale.reading import load_locale, locales_folder, tags
from eec_datasets.locale.reviews import hash_of, slug_of
from eec_datasets.text_file import FORMULA, csv_text

REPOSITORY = Path(corpora.__file__).parents[1]
PHONE = {"width": 360, "height": 740}
DAY = date(2026, 11, 20)
SLOTS = re.compile(r"\{\w+\}")


@pytest.fixture
def root(tmp_path_factory):
    """A small folder of languages: Portuguese, with the English beside it.

    It is at the same place for every test, so that what was read there is still known where no test has changed it.
    """
    folder = tmp_path_factory.getbasetemp() / "reviewed"
    shutil.rmtree(folder, ignore_errors=True)
    return languages(folder / "languages", "en", "pt")


@cache
def first_sentences():
    """The sentences that a page of Portuguese shows."""
    return choose_sentences("pt", 64).sentences


def saved(verdicts, name="Rita Prova", native=True, country="PT", day="2026-11-20", **reader):
    """What a page saves where a reader gives these verdicts to the first sentences of Portuguese."""
    return {
        "format": "eec-review", "schema": 1, "language": "pt", "version": "1.0.0", "date": day,
        "reader": {
            "name": name, "native": native, "country": country, "variety": "", "consent": True,
            "licence": "CC BY 4.0", **reader,
        },
        "answers": [
            {
                "config": sentence.key.config, "id": sentence.key.id, "speaker": sentence.key.speaker,
                "variants": sentence.key.variants, "text": sentence.text, "hash": hash_of(sentence.text),
                "verdict": verdict, "correction": "", "comment": "", "question": sentence.question,
            }
            for sentence, verdict in zip(first_sentences(), verdicts, strict=False)
        ],
    }  # fmt: skip


def put(root, content, name="saved.json"):
    path = root.parent / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def store(root, content, name="saved.json"):
    return store_answers([put(root, content, name)], root)


def status(root):
    return corpora.review_of(load_locale("pt", root), root)


def fill_in(page, say, verdicts, name, country):
    """Judge the first sentences and fill in the rest, as a reader does."""
    for number, verdict in enumerate(verdicts):
        card = page.locator(f"#s{number}")
        card.get_by_label(say[verdict], exact=True).check()
        if verdict != "natural":
            card.get_by_label(say["correction"]).fill("—" if number else f"{name} 1")
    page.get_by_label(say["yes"], exact=True).check()
    page.locator("#country").select_option(country)
    page.get_by_label(say["name"], exact=True).fill(name)
    page.locator("#consent").check()


@pytest.mark.parametrize(("tag", "country", "direction"), [("es", "MX", "ltr"), ("ar", "EG", "rtl")])
def test_what_a_reader_saves_on_a_phone_is_stored_and_counted(tag, country, direction, browser, tmp_path):  # noqa: F811
    root = languages(tmp_path / "languages", "en", tag)
    succeed("locale", "review", tag, "--html", tmp_path / "page.html", "--locales", root)
    say = page_texts(tag)
    with tab(browser, "file:", "blob:", viewport=PHONE) as page:
        page.goto((tmp_path / "page.html").as_uri())
        assert page.evaluate("document.documentElement.dir") == direction
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert barriers(page) == []
        heights = page.evaluate("[...document.querySelectorAll('.choices label')].map(each => each.offsetHeight)")
        assert max(heights) < 60, "a label is broken within a word"
        fill_in(page, say, ["natural", "odd", "natural"], "Prova", country)
        with page.expect_download() as download:
            page.get_by_role("button", name=say["save"]).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert page.locator("#copy").input_value() == file.read_text(encoding="utf-8")
    assert file.name.startswith(f"eec-review-{tag}-prova-")
    told = succeed("locale", "answers", file, "--locales", root).output
    assert told.endswith(f"{tag}: 1 native reader; 2 of 3 natural\n")
    (row, _, _) = csv_rows(next((root / "reviews").glob(f"{tag}-prova-*.csv")))
    assert (row["reader"], row["native"], row["country"], row["verdict"]) == ("Prova", "yes", country, "natural")


def test_the_page_says_what_is_lacking_and_keeps_what_was_filled_in(browser, tmp_path):  # noqa: F811
    (tmp_path / "page.html").write_text(review_page("de", count=5)[0], encoding="utf-8")
    say = page_texts("de")
    with tab(browser, "file:", viewport=PHONE) as page:
        page.goto((tmp_path / "page.html").as_uri())
        page.locator("#s0").get_by_label(say["odd"], exact=True).check()
        page.locator("#s0").get_by_label(say["correction"]).fill("<b>=1</b>")
        page.get_by_role("button", name=say["save"]).click()
        told = page.locator("#problems").inner_text()
        assert say["need_name"] in told
        assert say["need_country"] in told
        assert "Ohne < und >: <b>=1</b>" in told
        page.reload()
        assert page.locator("#progress").inner_text() == "Beurteilt: 1 von 5"
        assert page.locator("#s0").get_by_label(say["correction"]).input_value() == "<b>=1</b>"


def test_the_page_asks_for_nothing_from_elsewhere(root):
    html = review_page("pt", root=root, today=DAY)[0]
    assert "default-src 'none'" in html
    assert "http" not in html.replace("http-equiv", "")


def test_the_page_says_everything_in_each_of_its_languages():
    keys = {ui: page_texts(ui).keys() for ui in page_languages()}
    assert {*keys} == {*tags()}
    assert len({frozenset(each) for each in keys.values()}) == 1


@pytest.mark.parametrize("ui", page_languages())
def test_the_page_leaves_out_nothing_that_is_filled_in(ui):
    for key, text in page_texts("en").items():
        slots = {*SLOTS.findall(str(text))} - {"{language}"}
        assert {*SLOTS.findall(str(page_texts(ui)[key]))} - {"{language}"} == slots, key


@pytest.mark.parametrize("tag", tags())
def test_every_question_is_asked_in_the_language_of_its_readers(tag):
    asked = [question.asked for question in questions(tag)]
    assert all(asked)
    assert max(map(len, asked)) < LONGEST_TEXT
    assert not [question for question in asked if MARKUP.search(question) or FORMULA.match(question)]


def test_a_question_that_is_there_in_english_only_says_so(root):
    path = root / "pt" / "questions.csv"
    rows = csv_rows(path)
    without = [{**row, "asked": ""} for row in rows]
    path.write_text(csv_text([rows[0].keys(), *(row.values() for row in without)]), encoding="utf-8")
    assert page_texts("pt")["question_language"] in review_page("pt", root=root)[0]


def test_a_page_shows_every_template_and_ten_names_of_a_group(root):
    choice = choose_sentences("pt", 64, root=root)
    assert choice.shown["template"] == (11, 11)
    assert choice.shown["name"] == (10, 10)
    assert choice.shown.keys() == WEIGHTS.keys()
    assert len({sentence.text for sentence in choice.sentences}) == len(choice.sentences)


@pytest.mark.parametrize(("tag", "names"), [("ar", 20), ("es", 39)])  # one name is Latino and Spanish
def test_a_page_shows_ten_names_of_each_group_where_corpora_share_it(tag, names):
    assert choose_sentences(tag, 64).shown["name"] == (names, names)


def test_a_second_part_has_other_sentences(root):
    first, second = ({each.text for each in choose_sentences("pt", 20, part, root).sentences} for part in (1, 2))
    assert len(first) == len(second) == 20
    assert first.isdisjoint(second)


def test_all_parts_together_show_everything_and_no_sentence_twice():
    pages = [choose_sentences("de", 32, part) for part in range(1, choose_sentences("de", 32).parts + 1)]
    sentences = [each for page in pages for each in page.sentences]
    assert [len(page.sentences) for page in pages[:-1]] == [32] * (len(pages) - 1)
    assert len({each.text for each in sentences}) == len(sentences)
    shown = shown_by("de", {each.key for each in sentences})
    assert all(some == whole for some, whole in shown.values())
    assert sum(bool(each.question) for each in sentences) == pages[0].questions[1]


def test_a_page_says_its_date_in_its_own_language():
    assert "تاريخ الصفحة: 20 نوفمبر 2026.</p>" in review_page("ar", count=5, today=DAY)[0]


def test_a_page_says_that_other_pages_show_the_rest():
    assert "<p>Dies ist Seite 1 von 2. Sie zeigt 57 von 60 Wortformen" in review_page("de")[0]
    assert "<p>Dies ist Seite" not in review_page("de", count=500)[0]


def test_the_status_says_what_native_readers_have_seen(root):
    store(root, saved(["natural"] * 3))
    told = succeed("locale", "status", "pt", "--locales", root).output
    assert "Native readers have seen 3 of 11 templates" in told


def test_a_part_that_would_be_empty_is_refused(root):
    told = refused("locale", "review", "pt", "--html", root / "x.html", "--part", "99", "--locales", root)
    assert "no part 99 of 64 sentences" in told


def test_an_address_to_send_to_stands_on_the_page_only_where_there_is_one(root):
    assert "mailto:" not in review_page("pt", root=root)[0]
    with (root / "corpus.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[reviews]\naddress = "mailto:reviews@example.org"\n')
    assert '<a href="mailto:reviews@example.org"' in review_page("pt", root=root)[0]


def test_an_address_that_runs_a_script_is_refused(root):
    with (root / "corpus.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[reviews]\naddress = "javascript:alert(1)"\n')
    with pytest.raises(UnknownConfig, match="expected one that begins with https:// or mailto:"):
        review_page("pt", root=root)


def test_a_text_that_changes_loses_its_approval(root):
    store(root, saved(["natural"] * 64))
    judged = len(status(root).held)
    assert status(root).sentence == f"draft; 1 native reader; {judged} of {judged} natural"
    lost = sum("zangad" in each.text for said in status(root).held.values() for each in said.values())
    assert lost > 0
    change(root / "pt" / "words.csv", ("zangado", "irado"), ("zangada", "irada"))
    changed = status(root)
    assert len(changed.changed) == lost
    assert all("irad" in str(now) for now in changed.changed.values())
    texts = "text" if lost == 1 else "texts"
    assert f"{judged - lost} of {judged - lost} natural; {lost} {texts} changed since" in changed.sentence
    assert "  Open again: " in succeed("locale", "status", "pt", "--locales", root).output


def test_configs_say_what_readers_said(root, monkeypatch):
    store(root, saved(["natural", "odd", "natural"]))
    monkeypatch.setenv("EEC_LOCALES", str(root))
    configs = succeed("configs", "--language", "pt", "--json").output
    assert [config["review"] for config in json.loads(configs)] == ["draft; 1 native reader; 2 of 3 natural"]


def test_two_readers_who_disagree_are_shown(root):
    store(root, saved(["natural", "natural"]))
    store(root, saved(["natural", "wrong"], name="Bia Prova", country="BR"))
    assert status(root).sentence == "draft; 2 native readers; 1 of 2 natural; 1 text disputed"
    told = succeed("locale", "status", "pt", "--locales", root).output
    assert "  They disagree: " in told
    assert "    Bia Prova (BR), 2026-11-20: wrong\n" in told


def test_a_reader_of_another_first_language_is_not_counted_as_native(root):
    store(root, saved(["natural", "wrong"], native=False, country="US"))
    assert status(root).sentence == "draft; not reviewed by a native speaker; 1 reader of another first language"


def test_what_a_reader_says_later_takes_the_place_of_what_they_said(root):
    store(root, saved(["wrong", "natural"]))
    store(root, saved(["natural"], day="2026-11-21"))
    assert status(root).sentence == "draft; 1 native reader; 2 of 2 natural"


def test_what_readers_answered_stands_with_the_question(root):
    content = saved(["odd"])
    assert content["answers"][0]["question"]
    content["answers"][0]["correction"] = "com raiva"
    store(root, content)
    assert (
        "Rita Prova (PT), 2026-11-20: odd: com raiva" in succeed("locale", "questions", "pt", "--locales", root).output
    )


def test_the_check_tells_what_readers_said(root, snapshot):
    store(root, saved(["odd", "natural", "natural"]))
    store(root, saved(["odd", "wrong"], name="Bia Prova"))
    old = saved(["natural"] * 3)["answers"][2]["text"]
    path = next((root / "reviews").glob("pt-rita-*"))
    change(path, (old, f"Antes: {old}"), (hash_of(old), hash_of(f"Antes: {old}")))
    told = [str(finding) for finding in check(root / "pt").findings if finding.check == "review"]
    snapshot.check("checks/readers", "\n".join(told))


def test_the_table_for_a_readme_says_what_readers_said(root):
    store(root, saved(["natural"]))
    told = succeed("locale", "status", "--markdown", "--locales", root).output
    assert "| Portuguese (`pt`) | draft; 1 native reader; 1 of 1 natural |\n" in told
    assert "| English (`en`) | not reviewed by a native speaker |\n" in told


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md", "CONTRIBUTING.md"])
def test_pages_say_that_nobody_has_read_a_language_while_that_is_so(page):
    said = (REPOSITORY / page).read_text(encoding="utf-8")
    read = [tag for tag in tags() if corpora.review_of(load_locale(tag), locales_folder()).native]
    assert bool(re.search(r"No native speaker has (reviewed|read) any language yet", said)) is not bool(read)


def test_the_card_names_the_readers(root, tmp_path, monkeypatch):
    store(root, saved(["natural"]))
    monkeypatch.setenv("EEC_LOCALES", str(root))
    succeed("build", "--out", tmp_path / "build", "--config", "pt-gender")
    card = (tmp_path / "build" / "README.md").read_text(encoding="utf-8")
    assert "Draft; 1 native reader; 1 of 1 natural." in card
    assert "- Read by Rita Prova (PT), a native speaker, on 2026-11-20." in card


def test_a_language_that_somebody_has_read_in_part_stays_a_draft(root, monkeypatch):
    store(root, saved(["natural"]))
    monkeypatch.setenv("EEC_LOCALES", str(root))
    files = release.render(configs=["pt-gender"]).files
    card = files["README.md"].decode()
    assert "gender (2) | draft |" in card
    limits = json.loads(files["croissant.json"])["rai:dataLimitations"]
    assert "Nobody but its writer has read all sentences of: pt." in limits
    assert "Native speakers have judged only some of the sentences of: pt." in limits
    assert not any(limit.startswith("No native speaker has reviewed") for limit in limits)


def with_answer(**changes):
    def changed(content):
        content["answers"][0] |= changes

    return changed


def with_reader(**changes):
    def changed(content):
        content["reader"] |= changes

    return changed


def with_top(**changes):
    def changed(content):
        content |= changes

    return changed


def twice(content):
    content["answers"].append(content["answers"][0])


HOSTILE = {
    "markup in a comment": (with_answer(comment="<script>alert(1)</script>"), "has markup"),
    "markup in the name": (with_reader(name="<b>Rita</b>"), "the name of the reader has markup"),
    "a formula": (with_answer(correction='=HYPERLINK("http://x")'), "begins as a formula does"),
    "a formula behind an apostrophe": (with_answer(correction="'=1+1"), "begins as a formula does"),
    "a formula in wide signs": (with_answer(comment="\uff1d1+1"), "begins as a formula does"),
    "letters that cannot be seen": (with_answer(comment="a\u202eb"), "the invisible character"),
    "a line break": (with_answer(comment="a\nb"), "has a control character"),
    "a space at the edge": (with_answer(comment=" a"), "begins or ends with a space"),
    "a comment of a table for a name": (with_reader(name="#Rita"), "begins as a comment of a table does"),
    "an endless text": (with_answer(comment="a" * 501), "has 501 letters"),
    "another verdict": (with_answer(verdict="perfect"), "the verdict of answer 1 is 'perfect'"),
    "a sentence that was changed": (with_answer(text="Outra frase."), "the hash of answer 1 is not that of its text"),
    "a sentence twice": (twice, "answer 2 is of the same sentence as answer 1"),
    "no consent": (with_reader(consent=False), "has not agreed"),
    "another licence": (with_reader(licence="none"), "the licence is 'none'"),
    "no name": (with_reader(name="-."), "the reader has no name"),
    "no country": (with_reader(country="XX"), "the reader's country is 'XX'"),
    "a number for a text": (with_answer(comment=3), "'comment' of answer 1 is not a text"),
    "an unknown key": (with_reader(admin=True), "reader has the unknown key 'admin'"),
    "a day to come": (with_top(date="2999-01-01"), "which is to come"),
    "no day": (with_top(date="today"), "the date is 'today'"),
    "a language that is not here": (with_top(language="../pt"), "the language '../pt', which is not here"),
    "no sentence": (with_top(answers=[]), "no sentence was judged"),
    "half a character for a version": (
        with_top(version="\ud800"),
        "the version is '\\ud800'; expected one such as '1.0.0'",
    ),
    "a version to come": (with_top(version="999.0.0"), "the review is of version 999.0.0, and version"),
    "a formula for a version": (with_top(version="=1+1"), "the version is '=1+1'; expected one such as"),
    "another format": (with_top(format="other"), "the format 'other', 1"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_and_nothing_is_stored(case, root):
    make_hostile, fragment = HOSTILE[case]
    content = saved(["natural"])
    make_hostile(content)
    with pytest.raises(ReviewError) as error:
        store(root, content)
    assert fragment in str(error.value)
    assert not (root / "reviews").exists()


@pytest.mark.parametrize(
    ("raw", "fragment"),
    [
        ("[1, 2]", "holds a list where an object belongs"),
        ("{", "is not what the page saves, JSON"),
        ('{"format": "eec-review", "format": "x"}', "the key 'format' stands twice"),
        ("[" * 100_000, "nested too deeply"),
        (" " * (LARGEST + 1), "has more than 2 MB"),
    ],
    ids=["list", "cut", "twice", "deep", "large"],
)
def test_a_file_that_is_no_review_is_refused(raw, fragment, root):
    with pytest.raises(ReviewError) as error:
        store(root, raw)
    assert fragment in str(error.value)


@pytest.mark.parametrize("comment", ["«estranha»", "“estranha” não", "„estranha“", "'estranha'"])
def test_a_comment_that_begins_with_a_quote_is_stored_and_read(comment, root):
    content = saved(["odd"])
    content["answers"][0] |= {"comment": comment, "correction": comment}
    store(root, content)
    (review,) = load_locale("pt", root).review.reviews
    assert (review.judgements[0].comment, review.judgements[0].correction) == (comment, comment)


def test_a_review_of_another_version_is_refused(root):
    content = saved(["natural", "natural"])
    for answer in content["answers"]:
        answer["text"] = f"Antes: {answer['text']}"
        answer["hash"] = hash_of(answer["text"])
    with pytest.raises(ReviewError, match="none of its 2 sentences is in version 1"):
        store(root, content | {"version": "0.1.0"})


def test_of_a_review_some_of_whose_sentences_changed_the_others_count(root):
    content = saved(["natural", "natural"])
    content["answers"][0]["text"] = "Antes."
    content["answers"][0]["hash"] = hash_of("Antes.")
    (one,) = store(root, content)
    assert one.changed == 1
    assert status(root).sentence == "draft; 1 native reader; 1 of 1 natural; 1 text changed since"


def test_a_review_that_is_stored_already_is_refused_and_stays(root):
    (one,) = store(root, saved(["natural"]))
    before = one.path.read_bytes()
    with pytest.raises(ReviewError, match="Rita Prova has a review of 2026-11-20 already"):
        store(root, saved(["wrong"]))
    assert one.path.read_bytes() == before


def test_a_sentence_that_is_stored_already_is_told_once(root):
    store(root, saved(["natural"] * 3))
    with pytest.raises(ReviewError, match=": 1 problem; nothing was stored"):
        store(root, saved(["wrong"] * 3))


def test_a_review_given_twice_is_refused(root):
    paths = [put(root, saved(["natural"]), f"{name}.json") for name in "ab"]
    with pytest.raises(ReviewError, match="already: among the files given"):
        store_answers(paths, root)
    assert not (root / "reviews").exists()


def test_a_second_part_of_the_same_day_joins_the_first(root):
    content = saved(["natural"] * 3)
    first, second = ({**content, "answers": part} for part in (content["answers"][:2], content["answers"][2:]))
    (one,) = store(root, first)
    (two,) = store(root, second)
    assert one.path == two.path
    assert status(root).sentence == "draft; 1 native reader; 3 of 3 natural"


def test_a_part_of_the_same_day_from_another_variety_is_refused(root):
    content = saved(["natural"] * 3)
    store(root, {**content, "answers": content["answers"][:2]})
    other = {**content["reader"], "variety": "Lisboa"}
    with pytest.raises(ReviewError, match="Rita Prova has another review of 2026-11-20"):
        store(root, {**content, "reader": other, "answers": content["answers"][2:]})


def test_what_was_filled_in_on_one_part_does_not_come_up_on_another(browser, tmp_path):  # noqa: F811
    for part in (1, 2):
        (tmp_path / f"{part}.html").write_text(review_page("pt", count=5, part=part)[0], encoding="utf-8")
    say = page_texts("pt")
    with tab(browser, "file:") as page:
        page.goto((tmp_path / "1.html").as_uri())
        page.locator("#s0").get_by_label(say["odd"], exact=True).check()
        page.goto((tmp_path / "2.html").as_uri())
        assert page.locator("#progress").inner_text() == "Avaliadas: 0 de 5"
        page.goto((tmp_path / "1.html").as_uri())
        assert page.locator("#progress").inner_text() == "Avaliadas: 1 de 5"


def test_a_name_that_somebody_else_has_is_refused(root):
    store(root, saved(["natural"]))
    with pytest.raises(ReviewError, match=r"a reader Rita Prova \(PT\) is known, native"):
        store(root, saved(["natural"], country="BR", day="2026-11-21"))


def test_who_wrote_the_texts_cannot_approve_them(root):
    (template, *_) = saved(["natural"])["answers"][0]["id"].split("/")
    change(root / "pt" / "templates.toml", (f"[{template}]\n", f'[{template}]\ntranslator = "Rita Prova"\n'))
    with pytest.raises(ReviewError, match="Rita Prova wrote texts of 1 of the 1 sentences"):
        store(root, saved(["natural"]))


def test_who_wrote_a_text_is_known_without_accents_and_capitals(root):
    (template, *_) = saved(["natural"])["answers"][0]["id"].split("/")
    change(root / "pt" / "templates.toml", (f"[{template}]\n", f'[{template}]\ntranslator = "RITA PRÓVA"\n'))
    with pytest.raises(ReviewError, match="Rita Prova wrote texts of 1 of the 1 sentences"):
        store(root, saved(["natural"]))


def test_a_stored_review_that_was_changed_by_hand_is_told_with_its_line(root):
    (one,) = store(root, saved(["natural", "wrong"]))
    first = saved(["natural"])["answers"][0]["text"]
    change(one.path, (first, f"Nova {first}"))
    with pytest.raises(LocaleError, match=r"reviews/pt-rita-prova-2026-11-20\.csv:2: the sentence of"):
        load_locale("pt", root)


def test_a_language_whose_status_is_declared_native_is_refused(root):
    change(root / "pt" / "locale.toml", ('status = "draft"', 'status = "native"'))
    assert "It must be one of draft, second-reading" in eec("locale", "check", "pt", "--locales", root).output


@pytest.mark.parametrize(("name", "slug"), [("Ana María", "ana-maria"), ("../x", "x"), ("فاطمة", "reader-")])
def test_a_name_makes_a_safe_name_of_a_file(name, slug):
    assert slug_of(name).startswith(slug)
