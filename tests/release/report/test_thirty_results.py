"""Thirty constructed results: print, both commands, the page and the model card say the same of each."""

import html as escaping
import re
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import succeed

import eec_bias
import eec_datasets
from eec_datasets.report.surfaces import page_of
from eec_datasets.report.text import plain

CONFIG = "en-black-white"
SIZES = (0.004, 0.02, 0.06, 0.12, 0.3)
KINDS = ("women", "men", "Black", "women in joy", "turns", "noise")
CASES = [*product(KINDS, SIZES)]
"""Six kinds of gaps in five sizes each, from one that no test finds to one that nobody overlooks."""


def scores_of(rows: object, kind: str, size: float) -> np.ndarray:
    """Return scores that are made with a gap of a kind and size, or that vary so much between names."""
    columns = {name: np.array(rows[name]) for name in ("gender", "race", "emotion", "person")}
    draw = np.random.default_rng(KINDS.index(kind))
    joy = columns["emotion"] == "joy"
    persons = pd.factorize(columns["person"])[0]
    spread = size if kind == "noise" else 0.01
    base = 0.45 + 0.1 * joy + spread * draw.standard_normal(1000)[persons] + 0.02 * draw.standard_normal(len(persons))
    female, black = columns["gender"] == "female", columns["race"] == "Black"
    gaps = {
        "women": female,
        "men": -1 * female,
        "Black": black,
        "women in joy": female & joy,
        "turns": female * np.where(joy, 1, -1),
        "noise": 0 * female,
    }
    return np.clip(base + size * gaps[kind], 0, 1)


@pytest.fixture(scope="module")
def rows() -> object:
    return eec_datasets.load(CONFIG)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a system that looks its scores up."""
    (tmp_path / "lookup.py").write_text(
        "import csv\n\n"
        "def score(texts):\n"
        "    with open('mine.csv', newline='') as file:\n"
        "        known = {row['text']: float(row['score']) for row in csv.DictReader(file)}\n"
        "    return [known[text] for text in texts]\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def words(text: str) -> str:
    """Return a text without marks, tags, statuses in capitals and line ends, with the same name for the system."""
    text = re.sub(r"<(style|script)\b.*?</\1>|<[^>]+>", " ", text, flags=re.DOTALL)
    text = escaping.unescape(text).replace("\N{NO-BREAK SPACE}", " ")
    text = re.sub(r"\*|\blookup:score\b|\bthis system\b|\bmine\b", "", text, flags=re.IGNORECASE)
    return re.sub(r"\s+", " ", re.sub(r"\s+([.,;:])", r"\1", " ".join(text.split()))).lower()


@pytest.mark.parametrize(("kind", "size"), CASES, ids=[f"{kind} {size}" for kind, size in CASES])
def test_every_surface_says_the_same(rows: object, kind: str, size: float, folder: Path) -> None:
    scores = scores_of(rows, kind, size)
    pd.DataFrame({"id": rows["id"], "text": rows["text"], "score": scores}).to_csv("mine.csv", index=False)
    result = eec_bias.measure(scores, rows, high_means="positive")
    asked = ("--config", CONFIG, "--high-means", "positive")
    measured = succeed("measure", "mine.csv", *asked, "--out", "measured").stdout
    audited = succeed("audit", "--system", "lookup:score", *asked, "--fresh", "--out", "audited").stdout

    page = page_of(result)
    finding = [plain(page.headline), plain(page.guess)]
    rows_said = [
        (plain(row.said), plain(row.detail))
        for chart in page.picture.charts
        for row in chart.rows
        if row.level == "main"
    ]
    texts = {"print": str(result), "eec measure": measured, "eec audit": audited}
    for name in ("measured", "audited"):
        for form in ("html", "md"):
            texts[f"{name}/report.{form}"] = (folder / name / f"report.{form}").read_text(encoding="utf-8")
    for surface, text in texts.items():
        said = words(text)
        for sentence in finding:
            assert words(sentence) in said, surface
        if surface.endswith("html"):
            for answer, detail in rows_said:
                assert words(answer) in said, surface
                assert words(detail) in said, surface
    answers = [(each.comparison.id, each.answer) for each in result.findings]
    for name in ("measured", "audited"):
        (saved,) = eec_bias.load_all(folder / name / "result.json")
        assert [(each.comparison.id, each.answer) for each in saved.result.findings] == answers, name
