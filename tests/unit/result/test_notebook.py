"""Results in a notebook: HTML and Markdown."""

import re

import numpy as np
import pytest
from elements import Elements
from verdict_cases import CASES, DATA, corpus, scores

from eec_bias import measure
from eec_bias.result.html import as_html, as_markdown

Y = scores(DATA)


def tags(page: Elements) -> list[str]:
    return [tag for tag, _ in page.seen]


def test_a_notebook_shows_table_reading_and_signature() -> None:
    result = measure(Y, DATA)
    page = Elements(result._repr_html_())
    assert [tags(page).count(tag) for tag in ("table", "tr", "li")] == [2, 2 + len(result.terms), len(result.overall)]
    assert page.words[-1] == result.signature


def test_a_notebook_shows_the_same_of_a_result_and_of_its_dict() -> None:
    result = measure(Y, DATA)
    views = (result._repr_html_(), result._repr_markdown_())
    assert (as_html(result.to_dict()), as_markdown(result.to_dict())) == views


def test_a_notebook_keeps_its_own_colours_and_styles() -> None:
    style = re.search("<style>(.*?)</style>", measure(Y, DATA)._repr_html_(), flags=re.DOTALL)[1]
    assert set(re.findall(r"(?:^|\s|\{|;)color: ([^;}]+)", style)) == {"inherit"}
    rules = [part.strip() for rule in re.findall(r"([^{}]+)\{", style) for part in rule.split(",")]
    assert all(rule.startswith(".eec-bias") for rule in rules)


def test_labels_with_markup_are_shown_as_text_in_a_notebook() -> None:
    evil = "<script>alert('|')</script>*"
    data = corpus(("Anglo", evil), pairs=False)
    result = measure({evil: scores(data)}, data)
    page, text = Elements(result._repr_html_()), result._repr_markdown_()
    assert ("script" in tags(page), evil in page.words, "<script" in text) == (False, True, False)
    assert r"&lt;script&gt;alert('\|')&lt;/script&gt;\*" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in rows}) == 1


def test_of_many_systems_a_notebook_shows_the_first() -> None:
    result = measure({f"s{k}": np.clip(Y + k / 1000, 0, 1) for k in range(30)}, DATA)
    html = result._repr_html_()
    assert (len(html) < 30_000, tags(Elements(html)).count("caption")) == (True, 5)
    assert "more rows are not shown here; to_frame() has all" in html
    assert r"more rows are not shown here; to\_frame() has all" in result._repr_markdown_()


@pytest.mark.parametrize("case", [case for case in CASES if case.procedure], ids=lambda case: case.name)
def test_every_procedure_has_a_notebook_view(case) -> None:
    assert tags(Elements(case.result._repr_html_())).count("tr") == 1 + min(len(case.result.overall), 40)
