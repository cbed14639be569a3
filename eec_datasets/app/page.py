"""The page's widgets: choose a corpus, download its sentences, upload scores, read the result."""

from __future__ import annotations

import asyncio
import atexit
import os
import tomllib
from collections.abc import AsyncIterator, Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final

from eec_datasets.app import answers, fragments, links
from eec_datasets.app.answers import PageRequest
from eec_datasets.app.sources import CorpusSource
from eec_datasets.app.temporary import Folder, open_folder
from eec_datasets.app.workers import LONG, Ticket, Workers
from eec_datasets.audit.report.page import PICTURE
from eec_datasets.errors import EecError

TITLE: Final = "EEC bias"
FIRST: Final = "en-black-white"
"""The config shown at first, where there is one of this name."""
WAITING: Final = 500
"""Visitors who can wait at a time; the next one is told to come back."""

PLACE_INTERVAL: Final = 1.0
"""Seconds after which a visitor who waits is told their place again."""

TICKET: ContextVar[Ticket | None] = ContextVar("place of a visitor in the queue", default=None)

HERE: Final = Path(__file__).parent
TEXTS: Final = tomllib.loads((HERE / "texts.toml").read_text(encoding="utf-8"))
"""What the page says, and what is run in a browser."""


@dataclass(frozen=True, slots=True)
class Actions:
    """What the widgets call; each method gives the new values of the widgets it changes.

    Nothing of it is computed here: one process serves all visitors.

    Attributes
    ----------
    short, long
        Processes for what is done in a moment, and for what may take long: large uploads wait for each other, and
        nobody else for them.
    """

    source: CorpusSource
    folder: Folder
    short: Workers
    long: Workers
    gradio: Any
    views: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    async def arrive(self, search: str) -> tuple[Any, ...]:
        """Show what a link asks for, or the first corpus; then as `choose` and `measure` do."""
        names = [value for _, value in self.source.choices]
        choice, problem = links.read(search, names, FIRST if FIRST in names else names[0])
        facts, scoring, sheet, *rest = await self.choose(choice.config)
        if choice.example:
            rest = list(await self.measure(choice.config, example=choice.example))
        if problem:
            rest[0] = fragments.problem(problem)
        return (choice.config, choice.low, choice.high, facts, scoring, sheet, *rest)

    async def choose(self, name: str) -> tuple[Any, ...]:
        """Show a corpus, offer its sentences, and clear what belonged to another one."""
        if name not in self.views or not Path(self.views[name][-1]).exists():
            view, problem = await self._do(answers.show, name)
            if problem:
                return ("", "", self._button(None), *self._result(problem))
            self.views[name] = view
        facts, scoring, sheet = self.views[name]
        return (facts, scoring, self._button(sheet), *self._result())

    async def measure(
        self, name: str, files: Sequence[str] | None = None, low: Any = 0.0, high: Any = 1.0, example: str = ""
    ) -> tuple[Any, ...]:
        """Measure uploaded files on the range typed, or made-up scores."""
        choice = PageRequest(name, tuple(files or ()), low, high, example)
        answer, problem = await self._do(answers.answer, choice, long=answers.is_large(choice))
        page, files = answer or ("", ())
        return self._result(problem, page, files, choice if files else None)

    def last(self, handler: Callable[..., Any]) -> Callable[..., Any]:
        """A handler that changes nothing if the visitor has asked for something else in the meantime.

        The one returned also takes the turns of the visitor: a list, the same one every time.
        """

        async def handle(*inputs: Any) -> tuple[Any, ...]:
            *values, turns = inputs
            turns.append(len(turns))
            turn = turns[-1]
            changes: tuple[Any, ...] = await handler(*values)
            return changes if turn == turns[-1] else tuple(self.gradio.skip() for _ in changes)

        return handle

    def announced(self, handler: Callable[..., Any], changes: int) -> Callable[..., AsyncIterator[tuple[Any, ...]]]:
        """A handler of `last` that first tells the visitor how many are ahead in the queue."""

        async def handle(*inputs: Any) -> AsyncIterator[tuple[Any, ...]]:
            turns = inputs[-1]
            ticket, turn, said = Ticket(), len(turns), 0
            TICKET.set(ticket)
            doing = asyncio.ensure_future(handler(*inputs))
            while not doing.done():
                await asyncio.wait([doing], timeout=PLACE_INTERVAL)
                if not doing.done() and ticket.before != said and turns[-1] == turn:
                    said = ticket.before
                    yield (fragments.place(said), *(self.gradio.skip() for _ in range(changes - 1)))
            yield await doing

        return handle

    async def make(self, maker: Callable[..., str], choice: PageRequest | None) -> tuple[Any, ...]:
        """Make another file of the last result: a message, and the file."""
        if choice is None:
            return ("", None)
        path, problem = await self._do(maker, choice, long=True)
        return (problem, path)

    async def judge(self, name: str) -> tuple[Any, ...]:
        """Make the page for native speakers of the language of a corpus: a message, and the file."""
        path, problem = await self._do(answers.judging, name, long=True)
        return (problem, path)

    async def _do(self, job: Callable[..., Any], *arguments: Any, long: bool = False) -> tuple[Any, str]:
        """The result of a function of `answers`, run in a process that can be ended; or why it cannot be had."""
        workers = self.long if long else self.short
        try:
            done: tuple[Any, str] = await workers.do(
                answers.attempt, job, self.source, self.folder, *arguments, ticket=TICKET.get()
            )
        except Exception as error:  # whatever it is, a page shows no traceback
            return None, answers.explain(error)
        return done

    def _result(
        self, message: str = "", page: str = "", files: Sequence[str] = (), choice: PageRequest | None = None
    ) -> tuple[Any, ...]:
        """Values of everything that a result changes: message, result, what it was, and its buttons."""
        paths: Sequence[str | None] = files or [None] * len(TEXTS["downloads"])
        makers = (self.gradio.Button(visible=bool(files)) for _ in TEXTS["made"])
        return (message, page, choice, *map(self._button, paths), *makers)

    def _button(self, path: str | None) -> Any:
        return self.gradio.DownloadButton(value=path, visible=path is not None)


def build(source: CorpusSource | EecError) -> Any:
    """Lay out the page as ``gradio.Blocks``; without corpora it says why there are none."""
    gr = _gradio()
    folder = open_folder()
    # Uploads would stay where gradio puts them: it removes them only if its server is shut down in peace.
    os.environ["GRADIO_TEMP_DIR"] = str(folder.uploads)
    with gr.Blocks(title=TITLE, analytics_enabled=False) as blocks:
        gr.HTML(TEXTS["intro"])
        if isinstance(source, EecError):
            gr.HTML(fragments.problem(str(source)))
        else:
            warm = ("eec_datasets.app.answers", "matplotlib.figure", "pandas")
            page = Actions(source, folder, Workers(warm=warm), Workers(warm=warm, **LONG), gr)
            for workers in (page.short, page.long):
                atexit.register(workers.end)
            _lay_out(gr, blocks, page)
    return blocks.queue(max_size=WAITING)


def _lay_out(gr: Any, blocks: Any, page: Actions) -> None:
    name, facts, scoring, sheet = _corpus(gr, page)
    judge = gr.Button(TEXTS["judge"], elem_id="eec-judge")
    judging = gr.File(elem_classes="eec-hidden")
    gr.HTML(TEXTS["range"])
    with gr.Row():
        low = gr.Number(answers.DEFAULT[0], label="Lowest possible score", elem_id="eec-low", min_width=120)
        high = gr.Number(answers.DEFAULT[1], label="Highest possible score", elem_id="eec-high", min_width=120)
    file, go = _upload(gr)
    message = gr.HTML(elem_id="eec-message")
    gr.HTML(TEXTS["privacy"])
    with gr.Row():
        examples = {
            kind: gr.Button(label, elem_id=f"eec-{kind}", min_width=200) for kind, label in TEXTS["examples"].items()
        }
    gr.HTML(TEXTS["link"])
    result = gr.HTML(elem_id="eec-answer")
    choice = gr.State(None)
    with gr.Row():
        saved = [gr.DownloadButton(f"Download: {label}", visible=False, min_width=200) for label in TEXTS["downloads"]]
        labels = [f"Make and download: {label}" for label in TEXTS["made"].values()]
        makers = [gr.Button(label, visible=False, min_width=200) for label in labels]
    outputs = [message, result, choice, *saved, *makers]
    chosen = [facts, scoring, sheet, *outputs]
    state = [name, low, high]
    # Who waits, waits for a process: gradio's own limits would let long jobs hold up short ones.
    heavy = {"concurrency_limit": None, "api_visibility": "private"}
    light = {"fn": None, "queue": False, "api_visibility": "private"}

    search = gr.Textbox(visible=False)
    turns = gr.State([])
    blocks.load(
        page.last(page.arrive), [search, turns], [*state, *chosen], js="(_, turns) => [location.search, turns]", **heavy
    ).then(inputs=state, js=links.link_script(), **light)
    # A link is written at once, so before the handler of the same event, which may take long.
    name.input(inputs=state, js=links.link_script(""), **light)
    name.input(page.last(page.choose), [name, turns], chosen, **heavy)
    for limit in (low, high):
        limit.input(inputs=state, js=links.link_script(), **light)
    go.click(inputs=state, js=links.link_script(""), **light)
    measure = page.announced(page.last(page.measure), len(outputs))
    go.click(measure, [name, file, low, high, turns], outputs, **heavy).then(js=TEXTS["scripts"]["focus"], **light)
    for kind, button in examples.items():
        button.click(inputs=state, js=links.link_script(kind), **light)
        handler = page.announced(page.last(partial(page.measure, example=kind)), len(outputs))
        button.click(handler, [name, turns], outputs, **heavy).then(js=TEXTS["scripts"]["focus"], **light)
    judge.click(page.judge, name, [message, judging], **heavy).success(
        inputs=judging, js=TEXTS["scripts"]["take"], **light
    )
    for kind, button in zip(TEXTS["made"], makers, strict=True):
        ready = gr.File(elem_classes="eec-hidden")
        button.click(partial(page.make, getattr(answers, kind)), choice, [message, ready], **heavy).success(
            inputs=ready, js=TEXTS["scripts"]["take"], **light
        )


def _corpus(gr: Any, page: Actions) -> tuple[Any, ...]:
    """Steps 1 and 2: which corpus, what it holds, how scores of it are written, its sentences."""
    gr.HTML(f"<h2>1. Choose a corpus</h2><p class='eec-soft'>{escape(page.source.about)}</p>")
    name = gr.Dropdown(page.source.choices, label="Corpus", elem_id="eec-corpus")
    facts = gr.HTML()
    gr.HTML(TEXTS["scoring"])
    scoring = gr.HTML()
    return name, facts, scoring, gr.DownloadButton("Download the sentences (CSV)", elem_id="eec-sentences")


def _upload(gr: Any) -> tuple[Any, ...]:
    """Step 4: the files, and the button that measures them."""
    gr.HTML(TEXTS["upload"].format(size=f"{answers.LIMIT / 2**20:.0f}", systems=answers.SYSTEMS))
    file = gr.File(label="Scores (CSV)", type="filepath", file_count="multiple", elem_id="eec-file", height=160)
    return file, gr.Button("Measure", variant="primary", elem_id="eec-measure")


def launch(source: CorpusSource | EecError, **options: Any) -> Any:
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
    css = PICTURE + (HERE / "page.css").read_text(encoding="utf-8")
    # Before the processes are ended and the files removed, in the order opposite to this: nothing may write any more.
    atexit.register(blocks.close, verbose=False)
    return blocks.launch(
        theme=theme, css=css, js=TEXTS["scripts"]["tab"], max_file_size=answers.HARD_LIMIT, **(settings | options)
    )


def _gradio() -> Any:
    """The module gradio, imported with everything switched off that reports to its makers."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    import gradio

    return gradio
