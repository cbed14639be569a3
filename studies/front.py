"""The picture of the README: ``python -m studies.front LIST.json`` writes docs/assets/front.png again.

LIST.json has the Spanish words of asent 0.8.3 with their scores. An environment with that package writes it:
``python -c "import json, asent; print(json.dumps(dict(asent.lexicons.get('lexicon_es_v1'))))" > LIST.json``.
The list is not part of this repository. Each word of a sentence is looked up, and the scores are added and cut at
−5 and 5.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import click

import eec_bias
import eec_datasets
from eec_bias.measurement import Measurement, Origin
from eec_bias.shared import write_over
from eec_datasets.audit.pages import render

CONFIG: Final = "es-forms"
LIMIT: Final = 5.0
PICTURE: Final = Path(__file__).parent.parent / "docs" / "assets" / "front.png"
WIDTH, HEIGHT = 1280, 760
ABOUT: Final = "the Spanish word list of a Python package"


def measure(words: dict[str, float]) -> Measurement:
    """Measure a list of words on the corpus with words in both their forms."""
    ds: Any = eec_datasets.load(CONFIG)
    sums = [sum(words.get(word, 0.0) for word in re.findall(r"\w+", text.lower())) for text in ds["text"]]
    scores = [min(max(total, -LIMIT), LIMIT) for total in sums]
    result = eec_bias.measure(scores, ds, score_range=(-LIMIT, LIMIT), high_means="positive")
    origin = Origin(about=ABOUT, version="0.8.3", sentences=len(set(ds["text"])))
    return Measurement("scores", CONFIG, "es", "asent", result, origin)


@click.command(help=__doc__)
@click.argument("words", type=click.Path(exists=True, path_type=Path, dir_okay=False))
@click.option("--chromium", default="/usr/bin/chromium", show_default=True, help="The browser that takes the picture.")
def main(words: Path, chromium: str) -> None:
    """Measure the list and take the picture."""
    from playwright.sync_api import sync_playwright

    page = render([measure(json.loads(words.read_text(encoding="utf-8")))])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        tab.set_content(page)
        picture = tab.screenshot()
        browser.close()
    write_over({PICTURE: picture})
    click.echo(f"Written: {PICTURE}")


if __name__ == "__main__":
    main()
