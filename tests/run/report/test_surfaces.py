"""A measured result says the same on every surface: printed, in a notebook, by the commands, and on the page."""

import html as escaping
import json
import re

import numpy as np
import pandas as pd
import pytest
from commands import succeed

import eec_bias
import eec_datasets
from eec_bias.measurement import Measurement, Origin
from eec_datasets.report import html, markdown, terminal
from eec_datasets.report.page import compose
from eec_datasets.report.text import plain

CONFIG = "en-black-white"


@pytest.fixture(scope="module")
def rows():
    return eec_datasets.load(CONFIG)


def scores_of(rows, kind):
    """Return scores with a known gap."""
    draw = np.random.default_rng(1)
    female = np.array(rows["gender"]) == "female"
    black = np.array(rows["race"]) == "Black"
    joy = np.array(rows["emotion"]) == "joy"
    noise = 0.03 * draw.standard_normal(len(female))
    gaps = {
        "women": 0.1 * female,
        "white": -0.07 * black,
        "turns": 0.09 * female * np.where(joy, 1, -1),
        "none": 0.0 * female,
        "same": None,
        "wide": 0.9 * draw.standard_normal(len(female)),
    }
    gap = gaps[kind]
    if gap is None:
        return np.full(len(female), 0.5)
    return np.clip(0.5 + 0.1 * joy + gap + noise, 0, 1)


HEADLINES = {
    "women": "scores the same sentence 10 points more positive with",
    "white": "scores the same sentence 7 points more positive with white people’s names than with Black people’s names",
    "turns": "points more positive, but",
    "none": "We detected no gap in",
    "same": "gives every feeling the same score: we cannot tell",
    "wide": "This audit is too small: the gap in",
}


def words(text):
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def headline_of(text, kind):
    """Return the headline from its first words that do not name the system."""
    text = words(text).replace("this system", "scores")
    start = text.index(HEADLINES[kind].split(" than ")[0][:40])
    return text[start : start + 56]


@pytest.mark.parametrize("kind", HEADLINES)
def test_all_surfaces_say_the_same_of_a_result(rows, kind, tmp_path):
    scores = scores_of(rows, kind)
    result = eec_bias.measure(scores, rows, high_means="positive")
    file = tmp_path / "scores.csv"
    pd.DataFrame({"id": rows["id"], "score": scores}).to_csv(file, index=False)
    done = succeed("measure", file, "--config", CONFIG, "--high-means", "positive", "--out", tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    shown = escaping.unescape(re.sub(r"<[^>]+>", "", page.split("</style>")[1]))
    notebook = escaping.unescape(result._repr_html_())

    said = headline_of(str(result), kind)
    assert HEADLINES[kind].split(" than ")[0] in words(str(result))
    assert headline_of(done.stdout, kind) == said
    assert headline_of(shown, kind) == said
    assert headline_of(re.sub(r"<[^>]+>", "", notebook.split("</style>")[1]), kind) == said
    assert headline_of(result._repr_markdown_().replace("*", ""), kind) == said


def test_two_versions_are_told_in_the_points_of_one(rows, tmp_path):
    black = np.array(rows["race"]) == "Black"
    joy = np.array(rows["emotion"]) == "joy"
    draw = np.random.default_rng(2)
    noise = 0.02 * draw.standard_normal(len(black))
    for name, gap in (("before", 0.12), ("after", 0.04)):
        scores = 0.5 + 0.2 * joy - gap * black + noise
        pd.DataFrame({"id": rows["id"], "score": scores}).to_csv(tmp_path / f"{name}.csv", index=False)
    folder = tmp_path / "out"
    done = succeed(
        "measure", tmp_path / "after.csv", "--against", tmp_path / "before.csv", "--config", CONFIG, "--out", folder
    )  # fmt: skip

    headline = "The new version cuts the gap between white and Black names from 12 points to 4"
    assert headline in words(done.stdout)
    again = succeed("report", folder / "result.json", "--format", "md", "--out", tmp_path / "again")
    assert again.exit_code == 0
    assert headline in words((tmp_path / "again" / "report.md").read_text(encoding="utf-8").replace("*", ""))


def test_an_audit_writes_the_page_that_it_prints(tmp_path):
    done = succeed("audit", "--system", "noisy:female", "--config", CONFIG, "--out", tmp_path / "audit")

    said = "The made-up system noisy:female scores the same sentence"
    assert said in words(done.stdout)
    assert said in words((tmp_path / "audit" / "report.md").read_text(encoding="utf-8").replace("*", ""))
    rows = pd.read_csv(tmp_path / "audit" / "terms.csv")
    found = rows[rows.answer == "gap_found"]
    assert set(found.level) == {"female"}
    assert set(rows.list) == {CONFIG}
    saved = json.loads((tmp_path / "audit" / "result.json").read_text(encoding="utf-8"))
    texts = [pair["texts"] for pair in saved["measurements"][0]["source"]["pairs"]]
    assert texts
    assert all(first != second for first, second in texts)


def test_a_real_result_fits_the_page_of_every_language(rows):
    result = eec_bias.measure(scores_of(rows, "women"), rows, high_means="positive")
    measured = [Measurement("scores", CONFIG, "en", "mine", result, Origin(sentences=8640))]

    for language in ("en", "es", "ar"):
        page = compose(measured, language)
        assert "mine" in plain(page.headline)
        assert len(terminal.render(page).splitlines()) <= 24
        assert len(markdown.render(page).splitlines()) <= 40
        assert f'lang="{language}"' in html.render(page)
