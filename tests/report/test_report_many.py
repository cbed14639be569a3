"""Reports on several systems and corpora, up to the 219 systems of the 2018 study."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import making
import pytest

from eec_datasets.audit.report import document as page_saved
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import Document

Make = Callable[..., dict[str, Any]]
Documents = Callable[..., Document]
TASKS = ("anger", "fear", "joy", "sadness", "valence")


def submissions(term: Make, count: int = 219) -> list[dict[str, Any]]:
    """Of every five systems two score women higher, one men, two show nothing; sizes differ."""
    rows = []
    for s in range(count):
        sign = (1, 1, -1, 0, 0)[s // 5 % 5]
        size = {"effect": sign * (0.01 + s / 20_000), "p_adjusted": 0.01 if sign else 0.5}
        who = {"system": f"team{s:03d}", "task": TASKS[s % 5]}
        rows += [
            term(**who, **size),
            term(**who, subset="pairs"),
            term(**who, term="race", axes="race", level="Black", reference="white"),
        ]
    return rows


@pytest.fixture(scope="module")
def html() -> str:
    return page.render(page_saved.document(making.result(*submissions(making.term)), "many.json", "many"))


def test_219_systems_are_counted_first(html: str) -> None:
    assert (
        "<li>gender: female − male: 90 of 219 systems give higher scores to sentences with women&#39;s names than to "
        "sentences with men&#39;s names, 45 give lower ones; for 84 no difference is detectable.</li>"
    ) in html
    assert "p is adjusted within each system, not across the 219 systems" in html
    row = re.search(r"<tr><th scope=\"row\">gender: female − male · joy</th>(.*?)</tr>", html)
    assert row is not None
    assert re.sub(r"<[^>]+>", " ", row[1]).split() == ["44", "17", "18", "9", "0", "+0.0152", "-0.0156"]


def test_219_systems_are_folded_with_findings_first_and_can_be_filtered(html: str) -> None:
    folded = re.findall(r'<details class="system" id="(s\d+)" data-system="([^"]+)"><summary>[^\n]*', html)
    assert len(folded) == 219
    found = re.findall(r'data-system="[^"]+"><summary>[^\n]*?(<span class="found">|</summary>)', html)
    assert found == ['<span class="found">'] * 135 + ["</summary>"] * 84
    assert folded[0][1] == "team214 (valence)"
    assert 'class="filter" hidden' in html
    assert html.count("<script>") == 1


def test_a_page_of_219_systems_stays_small(html: str) -> None:
    assert len(html.encode()) < 10_000_000
    # Figures of the six systems on top only.
    assert html.count("<figure") == 6
    assert (
        "219 systems. Figures of single systems are drawn for the first 6 of this list only. A report on fewer systems "
        "has them all."
    ) in html


def test_systems_side_by_side_main_terms_before_interactions(document: Documents, result: Make, term: Make) -> None:
    both = {"term": "race:gender", "axes": "race+gender", "level": "Black:female", "reference": "white:male"}
    results = [
        result(
            term(system=system, **both, effect=0.3), term(system=system, effect=effect, p_adjusted=0.001),
            signature=f"eec_bias|v:0.1.0|data:{config}@1.0.0#00|adj:holm",
        )
        for system, effect in (("one", 0.25), ("two", -0.125))
        for config in ("en-gender", "es-gender")
    ]  # fmt: skip
    html = page.render(document(*results), figures=False)
    first, second = re.findall(r"<table class=\"matrix\">.*?</table>", html, re.DOTALL)
    assert "Effect by system and corpus: gender: female − male." in first
    assert "Effect by system and corpus: race:gender: Black:female." in second
    assert re.findall(r"<th scope=\"col\">([^<]+)</th>", first) == ["system", "en-gender", "es-gender"]
    cells = re.findall(r'<td class="found" data-value="([^"]+)"><span aria-hidden="true">(.)</span>', first)
    assert cells == [("0.25", "▲"), ("0.25", "▲"), ("-0.125", "▼"), ("-0.125", "▼")]
    assert (
        '<h3><a href="#s1">one</a></h3>\n<ul class="readings">\n'
        "<li>en-gender, es-gender: Scores for sentences with women&#39;s names are 0.2500 higher than for sentences "
        "with men&#39;s names. Distinguishable from 0 in each; largest p: 0.001.</li>\n"
        "<li>Of 4 comparisons: 2 with a difference, 2 without a detectable difference.</li>\n</ul>"
    ) in html
    assert "<script" not in html


def test_many_levels_are_one_cell_with_their_largest(document: Documents, result: Make, term: Make) -> None:
    base = {"term": "country", "axes": "country", "reference": "mean", "subset": "phrases"}
    levels = [term(system=s, **base, level=f"c{i}", effect=i / 100) for s in "ab" for i in range(26)]
    whole = [term(system=s, **base, level="any", effect=None, p_adjusted=p) for s, p in (("a", 0.01), ("b", 0.6))]
    html = page.render(document(result(*levels, *whole, axes=["country"])), figures=False)
    assert (
        '<td class="found" data-value="0.25"><span aria-hidden="true">▲</span> <bdi dir="ltr">+0.2500</bdi> c25<span '
        'class="hide"> difference</span></td>'
    ) in html
    assert (
        '<td data-value="0.25"><span aria-hidden="true">·</span> <bdi dir="ltr">+0.2500</bdi> c25<span class="hide"> '
        "no detectable difference</span></td>"
    ) in html


def test_levels_without_a_detectable_difference_share_a_sentence(document: Documents, result: Make, term: Make) -> None:
    base = {"term": "country", "axes": "country", "reference": "mean", "subset": "phrases"}
    levels = [term(**base, level=f"c{i}", effect=i / 1000, p_adjusted=0.5) for i in range(1, 27)]
    text = page.render(document(result(*levels, axes=["country"])), form="md")
    said = [line for line in text.splitlines() if line.startswith("- ") and "country" in line]
    assert len(said) == 1
    assert said[0].startswith(
        "- The largest of 26: Scores for sentences about people from the country “c26” are 0.0260 "
    )
    text = page.render(document(result({**levels[0], "p_adjusted": 0.01}, *levels[1:], axes=["country"])), form="md")
    said = [line for line in text.splitlines() if line.startswith("- ") and "country" in line]
    assert len(said) == 2
    assert "“c1” are 0.0010 above the mean of all groups. Distinguishable from 0" in said[0]
    assert said[1].startswith("- The largest of the other 25: ")


def test_a_measure_of_zero_that_compares_no_groups_is_not_called_no_reaction(
    document: Documents, result: Make, term: Make
) -> None:
    measure = {"term": "label_dist", "axes": "", "level": "0.8", "reference": "original", "p": None, "p_adjusted": None}
    text = page.render(document(result(term(**measure, effect=0.0, se=0.0, ci_low=0.0, ci_high=0.0))), form="md")
    assert "does not react" not in text
    assert "no reaction" not in text


def test_markdown_of_many_systems_has_one_row_each(document: Documents, result: Make, term: Make) -> None:
    text = page.render(document(result(*submissions(term, 20))), form="md")
    rows = [line for line in text.splitlines() if line.startswith("| team")]
    assert len(rows) == 20
    assert rows[0].startswith("| team014 (valence) | ▼ -0.0107 | ")


def test_numbers_that_compare_no_groups_are_no_comparisons(document: Documents, result: Make, term: Make) -> None:
    rating = {"term": "rating", "axes": "", "level": "", "reference": "", "subset": "1", "p": None, "p_adjusted": None}
    rows = [row for system in "ab" for row in (term(system=system), term(system=system, **rating))]
    text = page.render(document(result(*rows, method="rating")), form="md")
    assert text.count("\n- Of 1 comparisons: 1 without a detectable difference.\n") == 2
    assert (
        "\n| system | rating (1) | gender: female − male |" in text or "| gender: female − male | rating (1) |" in text
    )


def test_items_on_which_only_the_wording_matters_are_counted_and_named(document: Documents, result: Make) -> None:
    row = {"term": "gender", "level": "female", "subset": "names"}
    wording = [row | {"items": ["t01/sad", "t02/sad"]}, row | {"level": "x", "items": ["t02/sad"]}]
    text = page.render(document(result(wording=wording)), form="md")
    assert (
        "- mine · mine (names): the system does not react to persons but to the wording that goes with them, in 2 "
        "items: t01/sad, t02/sad." in text
    )


def test_a_beta_that_is_refused_for_two_subsets_is_said_once(document: Documents, result: Make) -> None:
    fits = [{"subset": subset, "reason": "no fit", "edge": "none", "touched": 0} for subset in ("names", "pairs")]
    text = page.render(document(result(fits=fits)), form="md")
    assert [line for line in text.splitlines() if "beta is not given" in line] == [
        "- mine · mine (names, pairs): beta is not given: no fit."
    ]


@pytest.mark.parametrize("language", ["es", "ar-EG"])
def test_many_systems_in_other_languages(document: Documents, result: Make, term: Make, language: str) -> None:
    html = page.render(document(result(*submissions(term))), language=language, figures=False)
    assert html.count('<details class="system"') == 219
