"""Results in a notebook, as frames, and as LaTeX."""

import re
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from synthetic import corpus, names, scores

import eec_datasets
from eec_bias import TERM_KEYS, OptionError, ResultError, measure
from eec_bias.result.html import as_html, as_markdown


class Page(HTMLParser):
    """Counts tags, keeps texts, and notices tags that are not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs) -> None:  # noqa: ARG002
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        self.texts.append(data)


@pytest.fixture
def result():
    data = corpus()
    return measure(scores(data), data)


def test_a_notebook_shows_table_reading_and_signature(result) -> None:
    page = Page(result._repr_html_())
    assert page.seen.count("table") == 1
    assert page.seen.count("tr") == 1 + len(result.terms)
    assert page.seen.count("li") == len(result.terms)
    assert any(text.startswith("race, Latino against Anglo (names): no detectable") for text in page.texts)
    assert page.texts[-1] == str(result.signature)


def test_colours_are_those_of_the_notebook(result) -> None:
    style = re.search("<style>(.*?)</style>", result._repr_html_(), flags=re.DOTALL)[1]
    assert "color: inherit" in style
    assert set(re.findall(r"(?:^|\s|\{|;)color: ([^;}]+)", style)) == {"inherit"}
    # Every rule is for this result only.
    assert all(
        part.strip().startswith(".eec-bias") for rule in re.findall(r"([^{}]+)\{", style) for part in rule.split(",")
    )


def test_labels_with_markup_are_shown_as_text() -> None:
    evil = "<script>alert('|')</script>*"
    data = pd.DataFrame(names(races=("Anglo", evil)))
    result = measure({evil: scores(data)}, data)
    page = Page(result._repr_html_())
    assert "script" not in page.seen
    assert evil in page.texts
    text = result._repr_markdown_()
    assert "<script" not in text
    assert r"&lt;script&gt;alert('\|')&lt;/script&gt;\*" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {10}


def test_many_systems_stay_small_and_say_what_is_left_out() -> None:
    data = corpus()
    y = scores(data)
    result = measure({f"s{k}": np.clip(y + k / 1000, 0, 1) for k in range(30)}, data)
    html = result._repr_html_()
    assert len(html) < 30_000
    assert Page(html).seen.count("caption") == 10
    assert "80 more rows are not shown here; to_frame() has all 120." in html
    assert r"80 more rows are not shown here; to\_frame() has all 120." in result._repr_markdown_()


def test_a_dict_is_shown_as_the_result_it_was(result) -> None:
    assert as_html(result.to_dict()) == result._repr_html_()
    assert as_markdown(result.to_dict()) == result._repr_markdown_()


def test_what_is_no_result_is_refused() -> None:
    with pytest.raises(ResultError) as caught:
        as_html({"accuracy": 1})
    assert str(caught.value) == "a result was expected, or its dict; this is a dict"


@pytest.mark.parametrize("method", ["default", "camara2022", "kiritchenko2018", "perturbation"])
def test_every_method_has_a_notebook_view(method: str) -> None:
    data = corpus()
    data["emotion"] = np.where(data["item"].str.endswith("angry"), "anger", "joy")
    data["person_type"] = np.where(data["person"].isin(["she", "he"]), "pronoun", "name")
    rows = data[(data["race"] != "unmarked") | (data["person_type"] == "pronoun")] if method == "perturbation" else data
    options = {"baseline": ("she", "he")} if method == "perturbation" else {}
    result = measure(scores(rows.reset_index(drop=True)), rows.reset_index(drop=True), method=method, **options)
    assert Page(result._repr_html_()).seen.count("tr") > 1


def test_a_frame_of_polars_holds_what_that_of_pandas_holds(result) -> None:
    polars = pytest.importorskip("polars", reason="needs polars")
    frame = result.to_frame("polars")
    assert tuple(frame.columns) == TERM_KEYS
    assert frame["effect"].to_list() == result.to_frame()["effect"].tolist()
    # A column without any number is one of numbers all the same.
    assert frame.schema["p_permutation"] == polars.Float64
    assert frame.schema["n_persons"] == polars.Int64
    two = measure({"a": scores(corpus()), "b": scores(corpus())}, corpus()).to_frame("polars")
    assert two.columns[0] == "system"
    assert two.shape == (8, 28)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_library_is_named(result, library, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(OptionError) as caught:
        result.to_frame(library)
    assert str(caught.value) == f"to_frame('{library}') needs {library}: pip install {library}"


def test_an_unknown_library_is_named(result) -> None:
    with pytest.raises(OptionError) as caught:
        result.to_frame("numpy")
    assert str(caught.value) == "library='numpy' is unknown; use one of 'pandas', 'polars'"


def latex_problems(table: str) -> list[str]:
    """What a LaTeX run would stumble over: environments, columns, braces, characters with a meaning."""
    found = []
    if re.findall(r"\\begin\{(\w+)\}", table) != re.findall(r"\\end\{(\w+)\}", table)[::-1]:
        found.append("environments")
    plain = re.sub(r"\\[\\&_%#${}]", lambda match: "~" if match[0] == r"\\" else "", table)
    if plain.count("{") != plain.count("}"):
        found.append("braces")
    if plain.count("$") % 2:
        found.append("mathematics")
    widths = [len(spec) for spec in re.findall(r"\\begin\{tabular\}\{([lrc]+)\}", table)]
    for line in table.split("\n"):
        body = re.sub(r"\\multicolumn\{(\d+)\}", lambda match: "&" * (int(match[1]) - 1), line)
        if line.endswith(r"\\") and len(re.findall(r"(?<!\\)&", body)) + 1 not in widths:
            found.append(f"columns: {line}")
    # Outside mathematics these have a meaning of their own.
    words = re.sub(r"\$[^$]*\$", "", plain)
    found += [f"character {mark}" for mark in "_^#%" if mark in words]
    return found


def camara(data: pd.DataFrame):
    systems = {"a_b & 50%": scores(data), "c#$": scores(data, 1)}
    return measure(systems, data, method="camara2022", tasks={"a_b & 50%": "anger", "c#$": "joy"})


def kiritchenko(data: pd.DataFrame):
    return measure({"a_b & 50%": scores(data), "c#$": scores(data, 1)}, data, method="kiritchenko2018")


def perturbation(data: pd.DataFrame):
    baseline = ("she", "he")
    rows = data[(data["race"] != "unmarked") | data["person"].isin(baseline)].reset_index(drop=True)
    return measure({"a_b & 50%": scores(rows)}, rows, method="perturbation", baseline=baseline, bootstrap=99)


def rated(data: pd.DataFrame):  # noqa: ARG001  the sixteen data sets are its own
    rows = eec_datasets.confounded("en-black-white").to_pandas()
    y = np.where(rows["gender"] == "female", 1.0, -1.0)
    return measure({"a_b & 50%": y, "c#$": -y}, rows, method="rating", score_range=(-1, 1))


@pytest.mark.parametrize("make", [camara, kiritchenko, perturbation, rated])
def test_each_papers_tables_are_sound_latex(make) -> None:
    data = corpus(races=("Anglo", "La_tino&%"))
    data["emotion"] = np.where(data["item"].str.endswith("angry"), "anger", "joy")
    tables = make(data).tables("latex")
    assert tables
    for name, table in tables.items():
        assert latex_problems(table) == [], name


def test_the_check_of_latex_finds_mistakes() -> None:
    good = "\\begin{tabular}{lr}\na & $1$ \\\\\n\\end{tabular}\n"
    assert latex_problems(good) == []
    assert latex_problems(good.replace("a &", "a_b &")) == ["character _"]
    assert latex_problems(good.replace("a &", "a & b &")) == [r"columns: a & b & $1$ \\"]
    assert latex_problems(good.replace("$1$", "$1")) == ["mathematics"]
    assert latex_problems(good.replace(r"\end{tabular}", "")) == ["environments"]
