"""The page on which native readers judge sentences, in a real browser and as it is written."""

import re

import pytest
from browsing import barriers, browser, tab  # noqa: F401 (browser is a fixture)
from commands import refused, succeed
from languages import languages
from reviews import DAY
from texts import csv_rows

from eec_datasets.contribute.questions import questions
from eec_datasets.contribute.review_choice import WEIGHTS, choose_sentences, shown_by
from eec_datasets.contribute.review_page import page_languages, page_texts, review_page
from eec_datasets.contribute.saved_reviews import LONGEST_TEXT, MARKUP
from eec_datasets.errors import UnknownConfig
from eec_datasets.locale.reading import tags
from eec_datasets.text_file import FORMULA, csv_text

PHONE = {"width": 360, "height": 740}


SLOTS = re.compile(r"\{\w+\}")


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
    folder = languages(tmp_path / "languages", "en", tag)
    succeed("locale", "review", tag, "--html", tmp_path / "page.html", "--locales", folder)
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
    told = succeed("locale", "review", tag, "--take", file, "--locales", folder).output
    assert told.endswith(f"{tag}: 1 native reader; 2 of 3 natural\n")
    (row, _, _) = csv_rows(next((folder / tag / "reviews").glob("prova-*.csv")))
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


def test_the_page_asks_for_nothing_from_elsewhere(folder):
    html = review_page("pt", root=folder, today=DAY)[0]
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


def test_a_question_that_is_there_in_english_only_says_so(folder):
    path = folder / "pt" / "questions.csv"
    rows = csv_rows(path)
    without = [{**row, "asked": ""} for row in rows]
    path.write_text(csv_text([rows[0].keys(), *(row.values() for row in without)]), encoding="utf-8")
    assert page_texts("pt")["question_language"] in review_page("pt", root=folder)[0]


def test_a_page_shows_every_template_and_ten_names_of_a_group(folder):
    choice = choose_sentences("pt", 64, root=folder)
    assert choice.shown["template"] == (11, 11)
    assert choice.shown["name"] == (10, 10)
    assert choice.shown.keys() == WEIGHTS.keys()
    assert len({sentence.text for sentence in choice.sentences}) == len(choice.sentences)


@pytest.mark.parametrize(("tag", "names"), [("ar", 20), ("es", 39)])  # one name is Latino and Spanish
def test_a_page_shows_ten_names_of_each_group_where_corpora_share_it(tag, names):
    assert choose_sentences(tag, 64).shown["name"] == (names, names)


def test_a_second_part_has_other_sentences(folder):
    first, second = ({each.text for each in choose_sentences("pt", 20, part, folder).sentences} for part in (1, 2))
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


def test_a_part_that_would_be_empty_is_refused(folder):
    told = refused("locale", "review", "pt", "--html", folder / "x.html", "--part", "99", "--locales", folder)
    assert "no part 99 of 64 sentences" in told


def test_an_address_to_send_to_stands_on_the_page_only_where_there_is_one(folder):
    assert "mailto:" not in review_page("pt", root=folder)[0]
    with (folder / "corpus.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[reviews]\naddress = "mailto:reviews@example.org"\n')
    assert '<a href="mailto:reviews@example.org"' in review_page("pt", root=folder)[0]


def test_an_address_that_runs_a_script_is_refused(folder):
    with (folder / "corpus.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[reviews]\naddress = "javascript:alert(1)"\n')
    with pytest.raises(UnknownConfig, match="expected one that begins with https:// or mailto:"):
        review_page("pt", root=folder)


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
