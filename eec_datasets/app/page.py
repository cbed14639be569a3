"""The page's widgets: choose a corpus, download its sentences, upload scores, read the result."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import logging
import os
import shutil
import tempfile
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final

from eec_bias import BiasError
from eec_datasets.app import answers, fragments
from eec_datasets.app.sources import Source
from eec_datasets.errors import EecError
from eec_datasets.files import put

TITLE: Final = "EEC bias"
FIRST: Final = "en-black-white"
"""The config shown at first, where there is one of this name."""
KEPT: Final = 3600
"""Seconds for which a file can be downloaded."""

HERE: Final = Path(__file__).parent
TEXTS: Final = tomllib.loads((HERE / "texts.toml").read_text(encoding="utf-8"))
FOCUS: Final = """() => { const place = document.getElementById("eec-problem") || document.getElementById("eec-result");
  if (place) { place.focus(); place.scrollIntoView({ block: "start" }); } }"""
"""Run after a measurement: puts the keyboard where there is something to read."""

DOWNLOADS: Final = ("Everything (JSON)", "Table (CSV)", "Report (text)")


class Downloads:
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
        put({path: data})
        return str(path)


@dataclass(frozen=True, slots=True)
class Actions:
    """What the widgets call; each method gives the new values of the widgets it changes."""

    source: Source
    downloads: Downloads
    gradio: Any

    def choose(self, name: str) -> tuple[Any, ...]:
        """Show a corpus, offer its sentences, and take away what belongs to another one."""
        try:
            corpus = self.source.open(name)
            sheet = self.downloads.put(f"{name}.csv", answers.sentences_csv(corpus))
        except Exception as error:  # whatever it is, a page shows no traceback
            return ("", self._button(None), explain(error), "", *self._buttons(()))
        return (fragments.facts(corpus), self._button(sheet), "", "", *self._buttons(()))

    def answer(self, ask: Callable[..., answers.Answer], *given: Any) -> tuple[Any, ...]:
        """Measure what was given with one of the functions of `answers`."""
        try:
            answer = ask(self.source, *given)
        except Exception as error:  # whatever it is, a page shows no traceback
            return (explain(error), "", *self._buttons(()))
        return ("", answer.page, *self._buttons(answer.files))

    def _buttons(self, files: tuple[tuple[str, str], ...]) -> list[Any]:
        return [self._button(self.downloads.put(*file)) for file in files] or [self._button(None) for _ in DOWNLOADS]

    def _button(self, path: str | None) -> Any:
        return self.gradio.DownloadButton(value=path, visible=path is not None)


def explain(error: Exception) -> str:
    """Say what went wrong; a mistake of this program goes to the log, and is owned up to."""
    if isinstance(error, EecError | BiasError):
        return fragments.problem(str(error))
    logging.getLogger(__name__).error("unexpected error", exc_info=error)
    return fragments.problem(
        f"Something went wrong in this program ({type(error).__name__}), not in what you gave it. Nothing was "
        "measured. Its log has the details; please report them to the project."
    )


def build(source: Source | EecError) -> Any:
    """Lay out the page as ``gradio.Blocks``; without corpora it says why there are none."""
    gr = _gradio()
    # Every hour, uploads and downloads older than an hour are deleted.
    with gr.Blocks(title=TITLE, analytics_enabled=False, delete_cache=(KEPT, KEPT)) as blocks:
        gr.HTML(TEXTS["intro"])
        if isinstance(source, EecError):
            gr.HTML(fragments.problem(str(source)))
        else:
            _lay_out(gr, blocks, Actions(source, Downloads(_folder_until_exit()), gr))
    return blocks


def _lay_out(gr: Any, blocks: Any, page: Actions) -> None:
    choices = page.source.choices
    gr.HTML(f"<h2>1. Choose a corpus</h2><p class='eec-soft'>{escape(page.source.about)}</p>")
    names = [value for _, value in choices]
    first = FIRST if FIRST in names else names[0]
    name = gr.Dropdown(choices, value=first, label="Corpus", elem_id="eec-corpus")
    facts = gr.HTML()
    gr.HTML(TEXTS["scoring"])
    sheet = gr.DownloadButton("Download the sentences (CSV)", elem_id="eec-sentences")
    gr.HTML(TEXTS["range"])
    with gr.Row():
        low = gr.Number(0, label="Lowest possible score", elem_id="eec-low", min_width=120)
        high = gr.Number(1, label="Highest possible score", elem_id="eec-high", min_width=120)
    gr.HTML(f"<h2>4. Upload the scores</h2><p>A CSV file in UTF-8, up to {answers.LIMIT / 2**20:.0f} MB.</p>")
    file = gr.File(label="Scores (CSV)", type="filepath", elem_id="eec-file", height=160)
    go = gr.Button("Measure", variant="primary", elem_id="eec-measure")
    message = gr.HTML(elem_id="eec-message")
    gr.HTML(TEXTS["privacy"] + "<p>No scores yet? See what a result looks like:</p>")
    with gr.Row():
        noisy = gr.Button("Example: scores that favour a group", elem_id="eec-noisy")
        random = gr.Button("Example: random scores", elem_id="eec-random")
    result = gr.HTML(elem_id="eec-answer")
    with gr.Row():
        saved = [gr.DownloadButton(f"Download: {label}", visible=False) for label in DOWNLOADS]
    outputs = [message, result, *saved]
    name.change(page.choose, name, [facts, sheet, *outputs], api_visibility="private")
    blocks.load(page.choose, name, [facts, sheet, *outputs], api_visibility="private")
    # One at a time: the drawing library is not made for threads.
    for button, ask, inputs in (
        (go, partial(page.answer, answers.measure_upload), [name, file, low, high]),
        (noisy, partial(page.answer, partial(answers.measure_example, kind="noisy")), [name]),
        (random, partial(page.answer, partial(answers.measure_example, kind="random")), [name]),
    ):
        asked = button.click(
            ask, inputs, outputs, concurrency_id="measure", concurrency_limit=1, api_visibility="private"
        )
        asked.then(None, js=FOCUS, api_visibility="private")


def launch(source: Source | EecError, **options: Any) -> Any:
    """Build the page and serve it.

    Parameters
    ----------
    source
        As for `build`.
    options
        Passed on to ``gradio.Blocks.launch``.

    Returns
    -------
    tuple
        What ``launch`` returns: the app, its address on this machine, and the (never used) public address.
    """
    blocks = build(source)
    gr = _gradio()
    theme = gr.themes.Base(
        primary_hue="indigo", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
    )
    settings = {"share": False, "quiet": True, "show_error": False, "ssr_mode": False, "footer_links": []}
    css = (HERE / "page.css").read_text(encoding="utf-8")
    return blocks.launch(theme=theme, css=css, max_file_size=answers.HARD_LIMIT, **(settings | options))


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
