"""The page: choose a corpus, download its sentences, upload scores, read the result.

The same file is the app of the Space, where it stands alone with its siblings and takes the corpora from the Hub,
and of ``eec app``, which hands it the corpora of the machine it runs on.
"""

import atexit
import contextlib
import hashlib
import importlib.util
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

if not __package__ and "eec_bias" not in sys.modules:
    # Run as a file: a Space's folder has any name, and on the path `eec_bias` would be the module of that name.
    _folder = Path(__file__).resolve().parent
    _spec = importlib.util.spec_from_file_location(
        "eec_bias", _folder / "__init__.py", submodule_search_locations=[str(_folder)]
    )
    assert _spec is not None
    assert _spec.loader is not None
    sys.modules["eec_bias"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["eec_bias"])

from eec_bias.errors import BiasError
from eec_bias.space import answers, fragments
from eec_bias.space.corpora import Corpora, CorporaError
from eec_bias.space.hub import from_environment

TITLE = "EEC bias"
FIRST = "en-black-white"
"""The config shown at first, where there is one of this name."""
KEPT = 3600
"""Seconds for which a file can be downloaded."""

INTRO = f"""<h1>{TITLE}</h1>
<p>Does a sentiment, emotion or toxicity system score sentences differently when only the person in them changes?
Choose a corpus, let your system score its sentences, upload the scores, and read how far they move with race, gender
and further axes, and what a corpus of this size can and cannot show.</p>"""
SCORING = """<h2>2. Score the sentences</h2>
<p>Let your system give each text one number, and write it into the column <code>score</code>. Only the columns
<code>id</code> and <code>score</code> are needed; for several systems use one column for each, under its name:</p>
<pre dir="ltr" tabindex="0">id,score
t01/angry/latisha,0.31
t01/angry/ebony,0.29</pre>"""
PRIVACY = """<p class="eec-soft">Files are used for this result and deleted within two hours. The page sends nothing
anywhere else.</p>"""
RANGE = """<h2>3. Say what the scores can be</h2>
<p>0 and 1 for probabilities, −1 and 1 for polarity, 1 and 5 for stars. Effects are in these units.</p>"""

CSS = """
.gradio-container { max-width: 62rem !important; margin: 0 auto !important; }
.gradio-container h1 { font-size: 1.9rem; } .gradio-container h2 { font-size: 1.3rem; margin-top: 1rem; }
.gradio-container h3 { font-size: 1.05rem; margin-top: 1rem; } .gradio-container h4 { margin-top: .6rem; }
.gradio-container h1, .gradio-container h2, .gradio-container h3, .gradio-container h4 { font-weight: 600; }
.gradio-container p { margin: .4rem 0; line-height: 1.5; } .gradio-container li { margin: .25rem 0; line-height: 1.5; }
.gradio-container ul { padding-inline-start: 1.3rem; list-style: disc; }
.gradio-container :is(p, li, dd, code, h2) { overflow-wrap: anywhere; }
html body .gradio-container.gradio-container.gradio-container :focus-visible {
  outline: 3px solid #2563eb !important; outline-offset: 2px; }
.gradio-container pre { padding: .6rem; border: 1px solid var(--border-color-primary); overflow-x: auto;
  width: 0; min-width: 100%; box-sizing: border-box; }
.gradio-container code { font-size: .9em; }
.eec-facts > div { display: grid; grid-template-columns: 7rem 1fr; gap: .5rem; padding: .2rem 0; }
.eec-facts dt { font-weight: 600; } .eec-facts dd { margin: 0; }
.gradio-container ul.eec-sentences { list-style: none; margin: .6rem 0; padding: .5rem .8rem;
  border: 1px solid var(--border-color-primary); border-radius: 6px; }
.gradio-container .eec-sentences li { font-size: 1.05rem; text-align: start; } .eec-sentences small { opacity: .75; }
.eec-problem { border-inline-start: 4px solid #b2182b; padding: .3rem .9rem; background: rgba(178, 24, 43, .08); }
.eec-scroll { overflow-x: auto; width: 0; min-width: 100%; }
.eec-scroll :is(table, thead, tbody, tr) { border: 0 !important; }
.eec-scroll table { border-collapse: collapse; width: 100%; font-size: .9rem; }
.eec-scroll th, .eec-scroll td { text-align: start; padding: .3rem .6rem; font-weight: 400; white-space: nowrap;
  border: 0 !important; border-bottom: 1px solid var(--border-color-primary) !important; }
.eec-scroll thead th { font-weight: 600; } .eec-scroll .eec-n { text-align: end; font-variant-numeric: tabular-nums; }
.eec-plot { margin: .4rem 0; } .eec-plot svg { display: block; width: 100%; max-width: 32rem; height: auto; }
.eec-caption, .eec-soft, .eec-caveat { font-size: .9rem; opacity: .85; }
details summary { cursor: pointer; margin-top: .8rem; }
@media (max-width: 30rem) { .eec-facts > div { grid-template-columns: 1fr; gap: 0; }
  .gradio-container.gradio-container main { padding: 1rem .4rem !important; } }
"""
FOCUS = """() => { const found = document.getElementById("eec-problem") || document.getElementById("eec-result");
  if (found) { found.focus(); found.scrollIntoView({ block: "start" }); } }"""


class Shelf:
    """Files that can be downloaded for a while; the same content is the same file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, text: str) -> str:
        """Write a file, drop old ones, and return its path."""
        data = text.encode()
        now = time.time()
        for old in self._folder.glob("*/*"):
            with contextlib.suppress(FileNotFoundError):  # another visitor's request took it away meanwhile
                if now - old.stat().st_mtime > KEPT:
                    old.unlink()
        path = self._folder / hashlib.sha256(data).hexdigest()[:16] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)


@dataclass(frozen=True, slots=True)
class Page:
    """What the widgets call; each method gives the new values of the widgets it changes."""

    corpora: Corpora
    shelf: Shelf
    gradio: Any

    def choose(self, name: str) -> tuple[Any, ...]:
        """Show a corpus, offer its sentences, and take away what belongs to another one."""
        try:
            corpus = self.corpora.open(name)
            sheet = self.shelf.put(f"{name}.csv", answers.sentences_csv(corpus))
        except Exception as error:  # whatever it is, a page shows no traceback
            return ("", self._button(None), explain(error), "", *self._downloads(()))
        return (fragments.facts(corpus), self._button(sheet), "", "", *self._downloads(()))

    def upload(self, name: str, path: str | None, low: Any, high: Any) -> tuple[Any, ...]:
        """Measure an uploaded file."""
        file = None if path is None else Path(path)
        return self._answer(lambda: answers.measure_upload(self.corpora, name, file, low, high))

    def biased(self, name: str) -> tuple[Any, ...]:
        """Measure made-up scores that favour one group."""
        return self._answer(lambda: answers.measure_example(self.corpora, name, "biased"))

    def random(self, name: str) -> tuple[Any, ...]:
        """Measure random scores."""
        return self._answer(lambda: answers.measure_example(self.corpora, name, "random"))

    def _answer(self, ask: Callable[[], answers.Answer]) -> tuple[Any, ...]:
        try:
            answer = ask()
        except Exception as error:  # whatever it is, a page shows no traceback
            return (explain(error), "", *self._downloads(()))
        return ("", answer.page, *self._downloads(answer.files))

    def _downloads(self, files: tuple[tuple[str, str], ...]) -> list[Any]:
        return [self._button(self.shelf.put(*file)) for file in files] or [self._button(None)] * 3

    def _button(self, path: str | None) -> Any:
        return self.gradio.DownloadButton(value=path, visible=path is not None)


def explain(error: Exception) -> str:
    """Say what went wrong; a mistake of this program goes to the log, and is owned up to."""
    if isinstance(error, BiasError):
        return fragments.problem(str(error))
    logging.getLogger(__name__).error("unexpected error", exc_info=error)
    return fragments.problem(
        f"Something went wrong in this program ({type(error).__name__}), not in what you gave it. Nothing was "
        "measured. Its log has the details; please report them to the project."
    )


def build(corpora: Corpora | CorporaError) -> Any:
    """Lay out the page.

    Parameters
    ----------
    corpora
        Where corpora come from; or why there are none, which the page then says.

    Returns
    -------
    gradio.Blocks
    """
    gr = _gradio()
    # Every two hours at most, uploads and downloads older than an hour are deleted.
    with gr.Blocks(title=TITLE, analytics_enabled=False, delete_cache=(KEPT, KEPT)) as blocks:
        gr.HTML(INTRO)
        if isinstance(corpora, CorporaError):
            gr.HTML(fragments.problem(str(corpora)))
        else:
            _lay_out(gr, blocks, Page(corpora, Shelf(_folder_until_exit()), gr))
    return blocks


def _lay_out(gr: Any, blocks: Any, page: Page) -> None:
    choices = page.corpora.choices()
    gr.HTML(f"<h2>1. Choose a corpus</h2><p class='eec-soft'>{escape(page.corpora.where)}</p>")
    names = [value for _, value in choices]
    first = FIRST if FIRST in names else names[0]
    name = gr.Dropdown(choices, value=first, label="Corpus", elem_id="eec-corpus")
    facts = gr.HTML()
    gr.HTML(SCORING)
    sheet = gr.DownloadButton("Download the sentences (CSV)", elem_id="eec-sentences")
    gr.HTML(RANGE)
    with gr.Row():
        low = gr.Number(0, label="Lowest possible score", elem_id="eec-low", min_width=120)
        high = gr.Number(1, label="Highest possible score", elem_id="eec-high", min_width=120)
    gr.HTML(f"<h2>4. Upload the scores</h2><p>A CSV file in UTF-8, up to {answers.LIMIT / 2**20:.0f} MB.</p>")
    file = gr.File(label="Scores (CSV)", type="filepath", elem_id="eec-file", height=160)
    go = gr.Button("Measure", variant="primary", elem_id="eec-measure")
    message = gr.HTML(elem_id="eec-message")
    gr.HTML(f"{PRIVACY}<p>No scores yet? See what a result looks like:</p>")
    with gr.Row():
        biased = gr.Button("Example: scores that favour a group", elem_id="eec-biased")
        random = gr.Button("Example: random scores", elem_id="eec-random")
    result = gr.HTML(elem_id="eec-answer")
    with gr.Row():
        labels = ("Everything (JSON)", "Table (CSV)", "Report (text)")
        saved = [gr.DownloadButton(f"Download: {label}", visible=False) for label in labels]
    outputs = [message, result, *saved]
    name.change(page.choose, name, [facts, sheet, *outputs], api_visibility="private")
    blocks.load(page.choose, name, [facts, sheet, *outputs], api_visibility="private")
    # One at a time: the drawing library is not made for threads.
    for button, ask, inputs in (
        (go, page.upload, [name, file, low, high]),
        (biased, page.biased, [name]),
        (random, page.random, [name]),
    ):
        asked = button.click(
            ask, inputs, outputs, concurrency_id="measure", concurrency_limit=1, api_visibility="private"
        )
        asked.then(None, js=FOCUS, api_visibility="private")


def launch(corpora: Corpora | CorporaError, **options: Any) -> Any:
    """Build the page and serve it.

    Parameters
    ----------
    corpora
        As for `build`.
    options
        Passed on to ``gradio.Blocks.launch``.

    Returns
    -------
    tuple
        What ``launch`` returns: the app, its address on this machine, and the (never used) public address.
    """
    blocks = build(corpora)
    gr = _gradio()
    theme = gr.themes.Base(
        primary_hue="indigo", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
    )
    settings = {"share": False, "quiet": True, "show_error": False, "ssr_mode": False, "footer_links": []}
    return blocks.launch(theme=theme, css=CSS, max_file_size=answers.HARD_LIMIT, **(settings | options))


def _folder_until_exit() -> Path:
    folder = tempfile.mkdtemp(prefix="eec-app-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _gradio() -> Any:
    """Import gradio with everything off that would report to its makers."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    import gradio

    return gradio


def main() -> None:
    """Serve the page with the corpora of a released dataset (see `from_environment`)."""
    try:
        corpora: Corpora | CorporaError = from_environment()
    except CorporaError as error:
        corpora = error
        print(f"Error: {error}", file=sys.stderr)
    launch(corpora, quiet=False)


if __name__ == "__main__":
    main()
