"""The page and the Markdown of one system: order, escaping, odd results."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest
from elements import Elements
from making import Row, cell, document, result, term
from snapshots import Snapshot

from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import Document
from eec_datasets.audit.report.language import load_translator

pytest.importorskip("matplotlib", reason="needs the extra plot (matplotlib)")

EVIL = '<script>alert(1)</script> & "quotes" `tick` | pipe [link](http://x) $x_1$ *b* {{ 7 * 7 }}'
LONG = "a" * 200


@pytest.fixture(scope="module")
def html(english: Document) -> str:
    return page.render(english)


@pytest.fixture(scope="module")
def both(real: Document) -> Elements:
    """The page of an English and an Arabic corpus."""
    return Elements(page.render(real))


def rendered(*terms: Row, language: str = "en", figures: bool = False, **changes: Any) -> str:
    return page.render(document(result(*terms, **changes)), language=language, figures=figures)


def test_the_plain_reading_comes_first_and_the_rest_in_its_order(html: str) -> None:
    parts = [
        "Scores for sentences with names common among Black people are",
        "<caption><span>Effects in units of the scores.",
        '<svg role="img"',
        "Sentences that moved most",
        *(f'<h2 id="h-{name}">' for name in ("warnings", "examples", "method", "reproduce")),
        "<h3>Signatures</h3>",
    ]
    places = [html.index(part) for part in parts]
    assert places == sorted(places)


def test_a_page_without_many_systems_needs_no_script_and_no_file(html: str, both: Elements) -> None:
    for tag, attributes in [*Elements(html).seen, *both.seen]:
        assert tag not in ("script", "link", "img", "iframe", "object")
        for name in ("src", "href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#")
    assert "url(http" not in html
    assert "@import" not in html
    assert len(html.encode()) < 3_000_000


def test_every_number_of_the_table_and_all_figures_are_there(both: Elements, real: Document) -> None:
    labels = [attributes["aria-label"] or "" for tag, attributes in both.seen if tag == "svg"]
    # Effects of both corpora at once, then persons, cells and items of each; for wide and for narrow windows.
    assert len(labels) == 2 * (1 + 2 * 3)
    assert len([label for label in labels if label.startswith("Effects with their intervals")]) == 2
    translator = load_translator()
    for entry in real.entries:
        for row in entry.result.terms:
            assert translator.number(row["effect"], signed=True) in both.text
            assert translator.interval(row) in both.text
    assert "Built in, to compare with: scores that vary by item, name and sentence" in both.text


def test_ids_are_unique_so_that_links_and_clip_paths_work(both: Elements) -> None:
    ids = [attributes["id"] for _, attributes in both.seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    used = [v for _, attributes in both.seen for v in attributes.values() if v and v.startswith(("#", "url(#"))]
    assert {value.removeprefix("url(").rstrip(")").removeprefix("#") for value in used} <= set(ids)


def test_sentences_carry_their_language_and_direction(both: Elements) -> None:
    seen = [attributes for _, attributes in both.seen if attributes.get("lang")]
    assert {(one["lang"], one["dir"]) for one in seen if "dir" in one} == {("en", "ltr"), ("ar", "rtl")}
    assert "مريم تشعر بالغضب." in both.text
    assert "refer to populations of names and of sentences, with their templates and words" in both.text


def test_pairs_show_both_sentences_with_the_changed_words_marked(html: str) -> None:
    (first,) = re.findall(r'<div class="pair">.*?</div>', html, re.DOTALL)[:1]
    assert re.search(r'<dt class="text" lang="en" dir="ltr">[^\n]*<mark>\w+</mark>', first)
    scores = [float(value) for value in re.findall(r'<bdi dir="ltr">([+\-\d.]+)</bdi>', first)]
    assert len(scores) == 3
    assert scores[2] == pytest.approx(scores[0] - scores[1], abs=1.01e-3)


def test_the_page_tells_how_to_make_it_again(html: str, english: Document) -> None:
    assert '<pre dir="ltr">eec audit --system noisy:female</pre>' in html
    assert '<pre dir="ltr">eec report result.json</pre>' in html
    assert f"Measured with {', '.join(f'{k} {v}' for k, v in english.made.items())}." in html
    assert str(english.entries[0].result.signature) in html
    assert "noisy:female · en-black-white (built in, 1)" in html
    assert page.render(english) == html


def test_every_table_has_a_caption_and_scopes_and_every_section_a_heading(html: str) -> None:
    assert html.count("<table") == html.count("<caption>")
    assert not re.search(r"<th(?! (class=\"[\w ]+\" )?scope=)[ >]", html)
    assert re.findall(r"<section[^>]*>", html) == re.findall(r"<section [^>]*aria-labelledby=\"[\w-]+\">", html)
    assert html.index('class="skip" href="#findings"') < html.index("<header>") < html.index('<main id="findings">')


@pytest.mark.parametrize("language", ["en", "es", "ar", "ar-EG", "fr"])
def test_labels_with_markup_in_them_are_shown_as_they_are(language: str) -> None:
    row = term(system=EVIL, axes="x", term="x", level=EVIL, reference=LONG, note=EVIL)
    cells = [cell(1, x=EVIL) | {"system": EVIL}]
    elements = Elements(rendered(row, notes=[EVIL], axes=["x"], cells=cells, language=language, figures=True))
    assert "script" not in {tag for tag, _ in elements.seen}
    assert EVIL in elements.text
    assert LONG in elements.text
    assert "49" not in elements.text.replace(LONG, "")


def test_markup_in_labels_does_not_leave_its_place_in_markdown() -> None:
    row = term(level=EVIL, note=EVIL + "\n# not a heading")
    text = page.render(document(result(row, notes=[EVIL])), form="md")
    assert "<script>" not in text
    assert "\n# not" not in text
    assert "[link](" not in text
    columns = {len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("| ")}
    assert columns == {9}


NONE = dict.fromkeys(("effect", "se", "df", "t", "p", "p_adjusted", "ci_low", "ci_high", "mde", "beta"))
ODD: dict[str, tuple[list[Row], dict[str, Any]]] = {
    "nothing estimated": ([term(**NONE, note="too few"), term(subset="pairs")], {}),
    "few persons, another scale": (
        [term()],
        {"cells": [cell(1, race="Black", gender="female")], "score_range": [-1, 1]},
    ),
    "published procedure": ([term()], {"method": "camara2022", "tables": {"terms": "a < b\n|"}}),
    "not adjusted": ([term()], {"adjust": "none"}),
    "adjusted": ([term()], {"adjust": "bh"}),
}


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_what_a_result_lacks_or_leans_on_is_said(language: str, snapshot: Snapshot) -> None:
    head = f"### {load_translator(language).say('page.method')}"
    pages = [
        f"<!-- {name} -->\n" + page.render(document(result(*terms, **changes)), form="md", language=language)
        for name, (terms, changes) in ODD.items()
    ]
    snapshot.check(f"report-odd-{language}", "".join(text.partition(head)[0] for text in pages))


def test_without_matplotlib_the_page_says_why_it_has_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 'aria-label="Effects with their intervals' in rendered(figures=True)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    html = rendered(figures=True)
    assert "<svg" not in html
    assert "No figures: matplotlib is not installed (pip install &#39;eec-datasets[plot]&#39;)" in html


def test_a_published_procedure_is_named_before_its_findings() -> None:
    html = rendered(method="camara2022", tables={"terms": "a < b\n|"})
    caution = "mine: a published procedure (camara2022), not the default test."
    assert html.index(caution) < html.index("Scores for sentences with women&#39;s names")
    assert 'tabindex="0">a &lt; b\n|</pre>' in html


def test_spanish_and_arabic_pages_name_their_language_and_direction(english: Document) -> None:
    expected = {
        "es": ('<html lang="es" dir="ltr">', "en-black-white · inglés", "árabe, inglés, español."),
        "ar": ('<html lang="ar" dir="rtl">', '<dt class="text" lang="en" dir="ltr">'),
        "fr": ('<html lang="en" dir="ltr">', "in arabe, anglais, espagnol.", "languages follow français."),
    }
    for language, parts in expected.items():
        html = page.render(english, language=language, figures=False)
        assert [part for part in parts if part not in html] == []


def test_markdown_holds_the_reading_the_table_the_pairs_and_the_signature(english: Document) -> None:
    text = page.render(english, form="md")
    assert text.startswith("## Audit of noisy:female\n\nEach system scored")
    assert "\n- Scores for sentences with women's names are " in text
    assert (
        "| term | compares | effect | 95\u00a0% interval, not adjusted | p adj. (Holm) | detectable | beta | reading |"
    ) in text
    assert re.search(r"\n  - [^\n]*\*\*\w+\*\*[^\n]* \(female, \w+\): 0\.\d{3}\n", text)
    assert f"`{english.entries[0].result.signature}`" in text
    assert "\n\n\n" not in text
