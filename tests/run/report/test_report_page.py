"""The page and the Markdown of one system or many: order, escaping, odd results, the sentences that moved most."""

import re

import pytest
from documents import cases, cell, document, markdown, rendered, result, term
from elements import Elements, every

from eec_bias.result.words import caveat
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import units
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.report.shown import gather_cards

EVIL = '<script>alert(1)</script> & "quotes" `tick` | pipe [link](http://x) $x_1$ *b* {{ 7 * 7 }}'
LONG = "a" * 200


@pytest.fixture(scope="module")
def html(english):
    return page.render(english)


@pytest.fixture(scope="module")
def both(real):
    """The page of an English and an Arabic corpus."""
    return Elements(page.render(real))


def test_a_result_without_its_command_names_two_commands():
    lines = [line for line in markdown(term()) if line.startswith("    eec ")]
    assert lines == ["    eec measure SCORES.csv --config NAME", "    eec report result.json"]


def test_the_finding_and_the_picture_come_first_and_the_rest_in_its_order(html):
    parts = [
        "Bias audit of noisy:female",
        '<h1 id="h-findings">noisy:female: Sentences about women (such as “she” or “my mother”) get scores about ',
        "<h2>What was tested</h2>",
        "<h2>What a score means</h2>",
        "<h2>How large is that?</h2>",
        '<figure class="picture">',
        "<h2>How sure is that?</h2>",
        '<h2 id="h-limits">What this does not show</h2>',
        ">What it looks like: typical pairs</h2>",
        ">All comparisons (4)</h2>",
        "<summary>For analysts: every table</summary>",
        "<caption><span>Scores declared as 0 to 1. Effects in units of the scores.",
        *(f'<details id="{name}"' for name in ("examples", "warnings", "method", "reproduce")),
        "<h4>Signatures</h4>",
    ]
    places = [html.find(part) for part in parts]
    assert [part for part, place in zip(parts, places, strict=True) if place < 0] == []
    assert places == sorted(places)


def test_a_page_of_few_systems_is_sound_without_script_or_file(html, both):
    for tag, attributes in [*Elements(html).seen, *both.seen]:
        assert tag not in ("script", "link", "img", "iframe", "object")
        assert all((attributes.get(name) or "#").startswith("#") for name in ("src", "href", "xlink:href"))
    assert "url(http" not in html
    assert "@import" not in html
    assert len(html.encode()) < 200_000
    assert html.count("<table") == len(re.findall("<caption[ >]", html))
    assert not re.search(r"<th(?! (class=\"[\w ]+\" )?scope=)[ >]", html)
    assert re.findall(r"<section[^>]*>", html) == re.findall(r"<section [^>]*aria-labelledby=\"[\w-]+\">", html)
    assert html.index('class="skip" href="#findings"') < html.index("<header>") < html.index('<main id="findings">')
    ids = [attributes["id"] for _, attributes in both.seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    used = [v for _, attributes in both.seen for v in attributes.values() if v and v.startswith(("#", "url(#"))]
    assert {value.removeprefix("url(").rstrip(")").removeprefix("#") for value in used} <= set(ids)


def test_analysts_have_a_folded_section_per_corpus_with_every_row(real):
    analyst = page.render(real).split('<details id="analyst">')[1]
    assert every(r'<details class="corpus"><summary>([^<]*)</summary>', analyst) == [
        "en-black-white · English",
        "ar-anglo-arab · Arabic",
    ]
    tables = every(r'<table class="effects">(.*?)</table>', analyst)
    assert sum(table.count('<tr><th scope="row">') for table in tables) == sum(
        len(e.result.overall) for e in real.entries
    )


def test_a_system_that_does_not_react_is_told_in_words_alone():
    gone = dict.fromkeys(("p", "p_adjusted", "mde", "ci_low", "ci_high"))
    still = term(system="still", effect=0.0, se=0.0, state="equal_scores") | gone
    html = rendered(still, term(system="moving"))
    assert html.count('<table class="drawn">') == 0
    assert "<strong>The same score whoever is mentioned, which is not the same as fair on other text.</strong>" in html


def test_every_effect_is_in_a_table_with_its_interval(both, real):
    translator = load_translator()
    for entry in real.entries:
        for row in entry.result.overall:
            assert translator.number(row["effect"], signed=True) in both.text
            assert translator.interval(row) in both.text
    assert "Built in, to compare with: scores that vary by item, name and sentence" in both.text


def card_of(*rows):
    """The card of one system."""
    (card,) = gather_cards(load_translator(), units(document(result(*rows)).entries))
    return card


def test_marks_and_intervals_lie_where_their_numbers_are():
    card = card_of(term(effect=0.01, se=0.01, df=30.0, p=0.3))
    (line,) = card.every
    place = card.place(line)
    low, high = line.finding.points_between
    assert card.reach == 4.0
    assert place.at == pytest.approx(50 + 50 * 1 / 4)
    assert place.interval == pytest.approx((50 + 50 * low / 4, 50 * (high - low) / 4))


def test_a_line_that_misses_0_is_a_difference_and_no_other_is():
    for effect in (-0.05, -0.02, 0.0, 0.01, 0.03):
        (line,) = card_of(term(effect=effect, se=0.01, df=30.0, p=0.5)).every
        low, high = line.finding.points_between
        assert (low > 0 or high < 0) is line.finding.found


def test_systems_share_a_scale_apart_from_demonstrations():
    rows = [
        term(system=name, effect=effect, se=0.01, df=30.0, p=0.001)
        for name, effect in {"noisy:female": 0.9, "ours": 0.2, "theirs": 0.01}.items()
    ]
    cards = gather_cards(load_translator(), units(document(result(*rows)).entries))
    assert [(card.title, card.reach) for card in cards] == [("ours", 30.0), ("theirs", 30.0), ("noisy:female", 100.0)]
    html = rendered(*rows)
    assert html.index('<details id="demonstrations">') < html.index(">noisy:female</h2>")


def test_the_page_names_the_versions_of_a_system():
    found = dict(cases("told"))["a system in two versions on different corpora is told with both"]
    assert "Version tested, as recorded: v1 and v2.</p>" in page.render(found)


def test_sentences_carry_their_language_and_direction(both, real):
    seen = [attributes for _, attributes in both.seen if attributes.get("lang")]
    assert {(one["lang"], one["dir"]) for one in seen if "dir" in one} == {("en", "ltr"), ("ar", "rtl")}
    assert "مريم تشعر بالغضب." in both.text
    assert caveat(*(entry.result for entry in real.entries)) in both.text.replace(", and words", " and words")


def test_pairs_show_both_sentences_with_the_changed_words_marked(html):
    (first,) = re.findall(r'<div class="pair">.*?</div>', html, re.DOTALL)[:1]
    assert len(re.findall(r'<dt class="text" lang="en" dir="ltr">[^\n]*<mark>\w+', first)) == 2


def test_pairs_that_moved_most_have_their_difference(html):
    analyst = html.split('<details id="analyst">')[1]
    (first,) = re.findall(r'<div class="pair">.*?</div>', analyst, re.DOTALL)[:1]
    scores = [float(value) for value in re.findall(r'<bdi dir="ltr">([+−\d.]+)</bdi>', first)]
    assert len(scores) == 3
    assert scores[2] == pytest.approx(scores[0] - scores[1], abs=1.01e-3)


def test_the_page_tells_how_to_make_it_again(html, english):
    assert '<pre dir="ltr">eec audit --system noisy:female</pre>' in html
    assert '<pre dir="ltr">eec report result.json</pre>' in html
    assert f"Measured with {' · '.join(f'{k} {v}' for k, v in english.versions.items())}." in html
    assert str(english.entries[0].result.signature) in html
    assert "noisy:female · en-black-white (built in, 1)" in html
    assert page.render(english) == html


@pytest.mark.parametrize("language", ["en", "es", "ar", "ar-EG", "fr"])
def test_labels_with_markup_in_them_are_shown_as_they_are(language):
    row = term(system=EVIL, axes="x", term="x", level=EVIL, reference=LONG, note=EVIL)
    cells = [cell(1, x=EVIL) | {"system": EVIL}]
    elements = Elements(rendered(row, notes=[EVIL], axes=["x"], cells=cells, language=language))
    assert "script" not in {tag for tag, _ in elements.seen}
    assert EVIL in elements.text
    assert LONG in elements.text
    assert "49" not in elements.text.replace(LONG, "")


def test_markup_in_labels_does_not_leave_its_place_in_markdown():
    lines = markdown(term(level=EVIL, note=EVIL + "\n# not a heading"), notes=[EVIL])
    assert not [line for line in lines if "<script>" in line or "[link](" in line or line.startswith("# not")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("| ")} == {6}


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_what_a_result_lacks_or_leans_on_is_said(language, snapshot):
    head = load_translator(language).say("said.data")
    pages = [
        f"<!-- {name} -->\n" + page.render(found, form="md", language=language).partition(head)[0]
        for name, found in cases("odd")
    ]
    snapshot.check(f"report-odd-{language}", "".join(pages))


def test_a_published_procedure_is_named_before_its_tables():
    html = rendered(method="camara2022", tables={"terms": "a < b\n|"})
    caution = "mine: a published procedure (camara2022), not the default test."
    assert "mine: This repeats a published procedure: its numbers stand in the tables" in html
    assert html.index(caution) < html.index('<details id="analyst" open>')
    assert 'tabindex="0">a &lt; b\n|</pre>' in html


def test_pages_name_their_language_and_direction(english):
    for language, *parts in (
        ("es", '<html lang="es" dir="ltr">', "en-black-white · inglés", "árabe, inglés, español."),
        ("ar", '<html lang="ar" dir="rtl">', '<dt class="text" lang="en" dir="ltr">'),
        ("fr", '<html lang="en" dir="ltr">', "in arabe, anglais, espagnol.", "languages follow français."),
    ):
        html = page.render(english, language=language)
        assert [part for part in parts if part not in html] == []


def test_markdown_holds_finding_pair_comparisons_and_signature(english):
    text = page.render(english, form="md")
    assert text.startswith("## noisy:female: Sentences about women (such as “she” or “my mother”) get scores about ")
    assert f"`{english.entries[0].result.signature}`" in text
    assert len(re.findall(r"\n- [^\n]*\*\*\w+[^\n]*\*\*[^\n]* \(\d+\)", text)) == 2
    assert text.count("\n| ") == 4 + 2
    assert "\n\n\n" not in text


def test_markdown_of_one_system_is_no_wall_of_text(english):
    assert len(page.render(english, form="md").splitlines()) <= 60
