"""The page and the Markdown of one system: order, escaping, odd results."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from elements import Elements

from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import Document

Make = Callable[..., dict[str, Any]]
Documents = Callable[..., Document]

EVIL = '<script>alert(1)</script> & "quotes" `tick` | pipe [link](http://x) $x_1$ *b* {{ 7 * 7 }}'
LONG = "a" * 200


@pytest.fixture(scope="module")
def html(english: Document) -> str:
    return page.render(english)


def test_the_plain_reading_comes_first_and_the_rest_in_its_order(html: str) -> None:
    parts = [
        "Scores for sentences with names common among Black people are",
        "<caption><span>Effects in units of the scores.",
        '<svg role="img"',
        "Sentences that moved most",
        '<h2 id="h-warnings">Before you rely on this</h2>',
        '<h2 id="h-examples">What was scored</h2>',
        '<h2 id="h-method">Method</h2>',
        '<h2 id="h-reproduce">How to reproduce</h2>',
        "<h3>Signatures</h3>",
    ]
    places = [html.index(part) for part in parts]
    assert places == sorted(places)


def test_one_system_needs_no_script_and_no_file(html: str) -> None:
    for tag, attributes in Elements(html).seen:
        assert tag not in ("script", "link", "img", "iframe", "object")
        for name in ("src", "href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#")
    assert "url(http" not in html
    assert "@import" not in html
    assert len(html.encode()) < 3_000_000


def test_pairs_show_both_sentences_with_the_changed_words_marked(html: str) -> None:
    (first,) = re.findall(r'<div class="pair">.*?</div>', html, re.DOTALL)[:1]
    assert re.search(r'<dt class="text" lang="en" dir="ltr">[^\n]*<mark>\w+</mark>', first)
    scores = [float(value) for value in re.findall(r'<bdi dir="ltr">([+\-\d.]+)</bdi>', first)]
    assert len(scores) == 3
    assert scores[2] == pytest.approx(scores[0] - scores[1], abs=1.01e-4)


def test_the_page_tells_how_to_make_it_again(html: str, english: Document) -> None:
    assert '<pre dir="ltr">eec audit --system noisy:female</pre>' in html
    assert '<pre dir="ltr">eec report result.json</pre>' in html
    assert f"Measured with {', '.join(f'{k} {v}' for k, v in english.made.items())}." in html
    assert english.results[0].signature in html
    assert "noisy:female · en-black-white (built in, 1)" in html


def test_every_table_has_a_caption_and_scopes_and_every_section_a_heading(html: str) -> None:
    assert html.count("<table") == html.count("<caption>")
    assert not re.search(r"<th(?! (class=\"[\w ]+\" )?scope=)[ >]", html)
    assert re.findall(r"<section[^>]*>", html) == re.findall(r"<section [^>]*aria-labelledby=\"[\w-]+\">", html)
    assert html.index('class="skip" href="#findings"') < html.index("<header>") < html.index('<main id="findings">')


@pytest.mark.parametrize("language", ["en", "es", "ar", "ar-EG", "fr"])
def test_labels_with_markup_in_them_are_shown_as_they_are(
    document: Documents, result: Make, term: Make, language: str
) -> None:
    found = result(
        term(system=EVIL, axes="x", term="x", level=EVIL, reference=LONG, note=EVIL),
        notes=[EVIL], axes=["x"], cells=[{"subset": "names", "x": EVIL, "n_persons": 1, "mean": 0.5, "system": EVIL}],
    )  # fmt: skip
    html = page.render(document(found), language=language)
    elements = Elements(html)
    assert "script" not in {tag for tag, _ in elements.seen}
    assert EVIL in elements.text
    assert LONG in elements.text
    assert "49" not in elements.text.replace(LONG, "")


def test_markup_in_labels_does_not_leave_its_place_in_markdown(document: Documents, result: Make, term: Make) -> None:
    text = page.render(document(result(term(level=EVIL, note=EVIL + "\n# not a heading"), notes=[EVIL])), form="md")
    assert "<script>" not in text
    assert "\n# not" not in text
    assert "[link](" not in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    columns = {len(re.findall(r"(?<!\\)\|", line)) for line in rows}
    assert columns == {9}


def test_terms_that_were_refused_are_shown_and_counted(document: Documents, result: Make, term: Make) -> None:
    none = dict.fromkeys(("effect", "se", "df", "t", "p", "p_adjusted", "ci_low", "ci_high", "mde", "beta"))
    html = page.render(document(result(term(**none, note="too few persons"), term(subset="pairs"))))
    assert "<li>gender, female − male: not estimated.</li>" in html
    assert "mine: terms not estimated: 1. The notes say why." in html
    assert "[1] <span>too few persons</span>" in html


def test_one_person_per_cell_is_a_warning(document: Documents, result: Make) -> None:
    cells = [{"subset": "names", "race": "Black", "gender": g, "n_persons": 1, "mean": 0.5} for g in ("female", "male")]
    html = page.render(document(result(cells=cells)))
    assert (
        "mine: fewer than 5 persons in a group (Black female: 1; Black male: 1). Tests on so few persons are weak and "
        "depend on each of them."
    ) in html


def test_a_file_without_details_or_sentences_says_so(document: Documents, result: Make) -> None:
    html = page.render(document(result()))
    assert "mine: the file holds no details, so figures of persons and items are left out." in html
    assert "mine: the file holds no sentences, so none are shown." in html
    assert 'aria-label="Effects with their intervals' in html


def test_a_result_without_terms_is_a_page_that_says_so(document: Documents, result: Make) -> None:
    html = page.render(document(result() | {"terms": []}))
    Elements(html)
    assert "mine: the result has no terms." in html


def test_without_matplotlib_the_page_says_why_it_has_no_figures(
    document: Documents, result: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    html = page.render(document(result()))
    assert "<svg" not in html
    assert "No figures: matplotlib is not installed (pip install &#39;eec-datasets[plot]&#39;)" in html


def test_a_published_procedure_is_named_before_its_findings(document: Documents, result: Make) -> None:
    html = page.render(document(result(method="camara2022", tables={"terms": "a < b\n|"})))
    caution = "mine: a published procedure (camara2022), not the default test."
    assert html.index(caution) < html.index("Scores for sentences with women's names".replace("'", "&#39;"))
    assert 'tabindex="0">a &lt; b\n|</pre>' in html


def test_the_range_of_scores_is_the_one_declared(document: Documents, result: Make) -> None:
    assert "Scores declared as -1 to 1." in page.render(document(result(score_range=[-1, 1])))
    assert "Scores declared as" not in page.render(document(result(score_range=...)))


def test_spanish_and_arabic_pages_name_their_language_and_direction(english: Document) -> None:
    spanish = page.render(english, language="es", figures=False)
    assert '<html lang="es" dir="ltr">' in spanish
    assert "en-black-white · inglés" in spanish
    assert "Las frases de esta página existen en: árabe, inglés, español." in spanish
    arabic = page.render(english, language="ar", figures=False)
    assert '<html lang="ar" dir="rtl">' in arabic
    assert '<dt class="text" lang="en" dir="ltr">' in arabic
    french = page.render(english, language="fr", figures=False)
    assert '<html lang="en" dir="ltr">' in french
    assert (
        "The sentences of this page are written in arabe, anglais, espagnol. Numbers and names of languages follow "
        "français." in french
    )


def test_markdown_holds_the_reading_the_table_the_pairs_and_the_signature(english: Document) -> None:
    text = page.render(english, form="md")
    assert text.startswith("## Audit of noisy:female\n\nEach system scored")
    assert "\n- Scores for sentences with women's names are " in text
    assert "| term | compares | effect | 95\u00a0% interval | p | detectable | beta | reading |" in text
    assert re.search(r"\n  - [^\n]*\*\*\w+\*\*[^\n]* \(female, \w+\): 0\.\d{4}\n", text)
    assert f"`{english.results[0].signature}`" in text
    assert "\n\n\n" not in text
