"""The page on which native readers judge sentences, as it is written."""

import re

import pytest
from commands import refused
from languages import languages
from reviews import DAY
from texts import change, csv_rows

from eec_datasets.contribute.questions import questions
from eec_datasets.contribute.review_choice import WEIGHTS, choose_sentences, shown_by
from eec_datasets.contribute.review_page import SENTENCES, page_languages, page_texts, review_page
from eec_datasets.contribute.saved_reviews import LONGEST_TEXT, MARKUP
from eec_datasets.corpora import texts_by_id
from eec_datasets.errors import FileProblems, InputError
from eec_datasets.locale.reading import load_locale, tags
from eec_datasets.text_file import FORMULA, csv_text

PHONE = {"width": 360, "height": 740}


REGIONS = ("latin-america", "spain")
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
    assert choice.shown["name"] == (10, 20)
    assert choice.shown.keys() == WEIGHTS.keys()
    assert len({sentence.text for sentence in choice.sentences}) == len(choice.sentences)


@pytest.mark.parametrize(("tag", "region", "names"), [("ar", None, 421), ("es", None, 437), ("es", "spain", 400)])
def test_a_page_shows_every_template_and_twenty_of_all_names(tag, region, names):
    choice = choose_sentences(tag, SENTENCES, region=region)
    some, whole = choice.shown["template"]
    assert some == whole == len(load_locale(tag).templates)
    assert choice.shown["name"] == (20, names)
    assert choice.questions[0] >= 7


def test_names_on_a_page_do_not_all_begin_alike():
    persons = {each.key.id.rpartition("/")[2] for each in choose_sentences("es", SENTENCES).sentences}
    assert len({person[0] for person in persons}) > 10


def test_a_page_is_of_one_region():
    texts = {region: {each.text for each in choose_sentences("es", 500, region=region).sentences} for region in REGIONS}
    assert not any("apartamento" in text or "enojad" in text for text in texts["spain"])
    assert not any("Hacienda" in text or "enfadad" in text for text in texts["latin-america"])
    assert "español (España)" in review_page("es", region="spain")[0]


@pytest.mark.parametrize(
    ("tag", "told"), [("es", "no region 'mexico'; there are: latin-america, spain"), ("pt", "none")]
)
def test_a_region_that_a_language_does_not_have_is_refused(tag, told):
    with pytest.raises(InputError, match=told):
        choose_sentences(tag, 5, region="mexico")


def test_what_readers_say_of_decisions_is_found_again():
    asked = [each for each in choose_sentences("ar", SENTENCES).sentences if each.key.variants == "items=decisions"]
    assert len({each.key.id.partition("/")[0] for each in asked}) >= 12
    texts = texts_by_id(asked[0].key.config, variants="items=decisions")
    assert all(texts[each.key.id] == each.text for each in asked if each.key.config == asked[0].key.config)


def test_readers_are_from_countries(folder):
    html = review_page("pt", root=folder)[0]
    assert '<option value="AO">' in html
    assert not any(f'<option value="{code}">' in html for code in ("EU", "EZ", "UN", "BV", "AQ"))


def test_a_question_comes_after_the_answer(folder):
    html = review_page("pt", root=folder)[0]
    assert re.search(r'<div class="more" hidden>\s*<p class="question">', html)
    assert not re.search(r'</legend>\s*<p class="question">', html)


def test_a_second_part_has_other_sentences(folder):
    first, second = ({each.text for each in choose_sentences("pt", 20, part, root=folder).sentences} for part in (1, 2))
    assert len(first) == len(second) == 20
    assert first.isdisjoint(second)


def test_all_parts_together_show_everything_and_no_sentence_twice():
    pages = [choose_sentences("de", 32, part) for part in range(1, choose_sentences("de", 32).parts + 1)]
    sentences = [each for page in pages for each in page.sentences]
    assert [len(page.sentences) for page in pages[:-1]] == [32] * (len(pages) - 1)
    assert len({each.text for each in sentences}) == len(sentences)
    shown = shown_by("de", {each.key for each in sentences})
    assert {kind for kind, (some, whole) in shown.items() if some != whole} == {"name"}
    assert sum(bool(each.question) for each in sentences) == pages[0].questions[1]


def test_a_page_says_its_date_in_its_own_language():
    assert "تاريخ الصفحة: 20 نوفمبر 2026.</p>" in review_page("ar", count=5, today=DAY)[0]


def test_a_page_says_that_other_pages_show_the_rest():
    assert "<p>Dies ist Seite 1 von 2. Sie zeigt 56 von 60 Wortformen" in review_page("de", count=64)[0]
    assert "<p>Dies ist Seite" not in review_page("de", count=500)[0]


def test_a_part_that_would_be_empty_is_refused(folder):
    told = refused("locale", "review", "pt", "--html", folder / "x.html", "--part", "99", "--locales", folder)
    assert "no part 99 of 88 sentences" in told


def test_an_address_to_send_to_stands_on_the_page_only_where_there_is_one(folder):
    assert "mailto:" not in review_page("pt", root=folder)[0]
    with (folder / "corpus.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[reviews]\naddress = "mailto:reviews@example.org"\n')
    assert '<a href="mailto:reviews@example.org"' in review_page("pt", root=folder)[0]


def test_an_address_that_runs_a_script_is_refused(folder):
    with (folder / "corpus.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[reviews]\naddress = "javascript:alert(1)"\n')
    with pytest.raises(InputError, match="expected one that begins with https:// or mailto:"):
        review_page("pt", root=folder)


def test_regions_that_leave_a_value_out_are_told(tmp_path):
    root = languages(tmp_path, "es", "en")
    change(root / "es" / "locale.toml", (', spain = "es-ES" }', " }"))
    with pytest.raises(FileProblems, match="the regions of option 'lexicon' are"):
        load_locale("es", root)
