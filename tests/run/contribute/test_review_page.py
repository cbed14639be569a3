"""The page on which native readers judge sentences, in a real browser and as it is written."""

import re

import pytest
from browsing import barriers, browser, tab  # noqa: F401 (browser is a fixture)
from commands import refused
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
    assert "<p>Dies ist Seite 1 von 2. Sie zeigt 56 von 60 Wortformen" in review_page("de")[0]
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
