"""The page and the Markdown of one system or many: order, escaping, odd results, the sentences that moved most."""

import re

import pytest
from documents import cases, cell, markdown, no_spread, rendered, term
from elements import Elements, every

from eec_bias.result.words import caveat
from eec_datasets.audit.report import page
from eec_datasets.audit.report.language import load_translator

EVIL = '<script>alert(1)</script> & "quotes" `tick` | pipe [link](http://x) $x_1$ *b* {{ 7 * 7 }}'
LONG = "a" * 200


@pytest.fixture(scope="module")
def html(english):
    return page.render(english)


@pytest.fixture(scope="module")
def both(real):
    """The page of an English and an Arabic corpus."""
    return Elements(page.render(real))


def test_without_its_command_a_result_is_measured_by_one_and_its_page_made_by_another():
    lines = [line for line in markdown(term()) if line.startswith("    eec ")]
    assert lines == ["    eec measure SCORES.csv --config NAME", "    eec report result.json"]


def test_the_verdict_and_the_picture_come_first_and_the_rest_in_its_order(html):
    parts = [
        "Measured on ",
        '<ul class="verdicts">',
        "A difference (comparisons: 2 of 4).",
        '<figure class="picture">',
        '<ul class="readings">',
        "<caption><span>Effects in units of the scores.",
        "Evidence: pairs of sentences that moved most",
        *(f'<h2 id="h-{name}">' for name in ("warnings", "method", "appendix")),
        *(f'<h3 id="{name}">' for name in ("examples", "reproduce")),
        "<h4>Signatures</h4>",
    ]
    places = [html.index(part) for part in parts]
    assert places == sorted(places)


def test_a_page_without_many_systems_needs_no_script_and_no_file_and_is_sound(html, both):
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


def test_a_section_has_a_table_of_what_differs_and_the_appendix_one_of_all(real):
    findings, appendix = page.render(real).split('<section id="appendix"')
    own = findings.partition('<section id="s1"')[2]
    own_table, whole = (
        every(rf'aria-label="noisy:female: {title}"><table class="effects">(.*?)</table>', part)
        for title, part in (("What differs", own), ("Table", appendix))
    )
    assert own_table[0].count('<tr><th scope="row">') == own_table[0].count('class="word found"') == 4
    assert whole[0].count('<tr><th scope="row">') == sum(len(entry.result.terms) for entry in real.entries)
    assert (len(own_table), len(whole)) == (1, 1)
    assert 'href="#t-s1"' in own
    assert '<details id="t-s1">' in appendix


def test_systems_that_do_not_react_have_no_column_where_others_do():
    gone = dict.fromkeys(("p", "p_adjusted", "mde", "ci_low", "ci_high"))
    still = term(system="still", effect=0.0, se=0.0) | gone
    for rows, columns in (([still, term(system="moving")], ["moving"]), ([still], ["still"])):
        html = rendered(*rows, no_spread=[no_spread(still, "no_reaction")])
        (picture,) = every(r'<figure class="picture">.*?</figure>', html)
        assert every(r'<th scope="col" class="scale">(\w+)', picture) == columns
        assert "The system does not react to these persons at all" in html


def test_every_effect_is_in_the_picture_and_in_the_table(both, real):
    rows = [row for entry in real.entries for row in entry.result.terms]
    drawn = [float(attributes["data-value"]) for _, attributes in both.seen if "data-value" in attributes]
    assert sorted(drawn) == pytest.approx(sorted(row["effect"] for row in rows))
    translator = load_translator()
    for row in rows:
        assert translator.number(row["effect"], signed=True) in both.text
        assert translator.interval(row) in both.text
    # The mean of every person is behind them.
    assert len([tag for tag, _ in both.seen if tag == "circle"]) == len(rows) + 2 * 60
    assert "Built in, to compare with: scores that vary by item, name and sentence" in both.text


def test_marks_and_intervals_lie_where_their_numbers_are():
    html = rendered(term(effect=0.01, ci_low=-0.005, ci_high=0.025, mde=0.02))
    (strip,) = every(r'<svg class="strip".*?</svg>', html)[:1]
    numbers = dict(every(r' (cx|x1|x2|x|width)="([\d.]+)%"', strip.partition("<rect")[2]))
    # The scale goes from -0.03 to 0.03.
    assert {key: float(number) for key, number in numbers.items()} == {
        "x": 16.67, "width": 66.67, "x1": 41.67, "x2": 91.67, "cx": 66.67
    }  # fmt: skip
    assert 'fill="var(--eec-ground, Canvas)"' in strip


def test_systems_of_one_range_share_a_scale_and_demonstrations_come_last_with_their_own():
    names = {"noisy:female": 0.9, "ours": 0.2, "theirs": 0.01}
    text = rendered(*(term(system=name, effect=effect) for name, effect in names.items()))
    heads = re.findall(r'class="scale">(.*?)</th>', text, re.DOTALL)
    ends = [re.findall(r"^[^\s<]+|demonstration|[\d.]+(?=</span></span>)", head) for head in heads]
    assert ends == [["ours", "0.3"], ["theirs", "0.3"], ["noisy:female", "demonstration", "1"]]


def test_the_picture_names_the_versions_of_a_system():
    found = dict(cases("told"))["a system in two versions on different corpora is told with both"]
    assert "<small>v1, v2</small>" in page.render(found)


def test_sentences_carry_their_language_and_direction(both, real):
    seen = [attributes for _, attributes in both.seen if attributes.get("lang")]
    assert {(one["lang"], one["dir"]) for one in seen if "dir" in one} == {("en", "ltr"), ("ar", "rtl")}
    assert "مريم تشعر بالغضب." in both.text
    assert caveat(*(entry.result for entry in real.entries)) in both.text.replace(", and words", " and words")


def test_pairs_show_both_sentences_with_the_changed_words_marked(html):
    (first,) = re.findall(r'<div class="pair">.*?</div>', html, re.DOTALL)[:1]
    assert re.search(r'<dt class="text" lang="en" dir="ltr">[^\n]*<mark>\w+</mark>', first)
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
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("| ")} == {3, 8}


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_what_a_result_lacks_or_leans_on_is_said(language, snapshot):
    head = f"### {load_translator(language).say('page.method')}"
    pages = [
        f"<!-- {name} -->\n" + page.render(found, form="md", language=language).partition(head)[0]
        for name, found in cases("odd")
    ]
    snapshot.check(f"report-odd-{language}", "".join(pages))


def test_a_published_procedure_is_named_before_its_findings():
    html = rendered(method="camara2022", tables={"terms": "a < b\n|"})
    caution = "mine: a published procedure (camara2022), not the default test."
    assert html.index(caution) < html.index('<ul class="verdicts">')
    assert 'tabindex="0">a &lt; b\n|</pre>' in html


def test_pages_name_their_language_and_direction(english):
    for language, *parts in (
        ("es", '<html lang="es" dir="ltr">', "en-black-white · inglés", "árabe, inglés, español."),
        ("ar", '<html lang="ar" dir="rtl">', '<dt class="text" lang="en" dir="ltr">'),
        ("fr", '<html lang="en" dir="ltr">', "in arabe, anglais, espagnol.", "languages follow français."),
    ):
        html = page.render(english, language=language)
        assert [part for part in parts if part not in html] == []


def test_markdown_holds_the_reading_the_table_the_pairs_and_the_signature(english):
    text = page.render(english, form="md")
    assert text.startswith("## Audit of noisy:female\n\nMeasured on ")
    assert f"`{english.entries[0].result.signature}`" in text
    assert re.search(r"\n  - [^\n]*\*\*\w+\*\*[^\n]* \([^()]*female[^()]*\): 0\.\d{3}\n", text)
    assert "\n\n\n" not in text
