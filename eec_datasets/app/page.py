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
from eec_datasets.app.words import FALLBACK, PageWords, choose_language, known_language, languages
from eec_datasets.app.workers import LONG, Ticket, Workers
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
SCRIPTS: Final = tomllib.loads((HERE / "scripts.toml").read_text(encoding="utf-8"))
"""Scripts that run in the browser."""

DOWNLOADS: Final = ("json", "csv", "text")
"""The files of a result, in the order in which `answers.answer` gives them."""

MADE: Final = ("figures", "report")
"""Files made only on request, by the function of `answers` of the same name."""


@dataclass(frozen=True, slots=True)
class Actions:
    """The functions that widgets call; each returns the new values of the widgets that it changes.

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
    views: dict[tuple[str, str], tuple[str, str, str]] = field(default_factory=dict)

    async def arrive(self, search: str, accepted: str = "") -> tuple[Any, ...]:
        """Show what a link asks for, or the first corpus, in the visitor's language; then as `choose` does."""
        language = choose_language(search, accepted)
        names = [value for _, value in self.source.choices]
        choice, problem = links.read(search, names, FIRST if FIRST in names else names[0])
        facts, scoring, sheet, *rest = await self.choose(choice.config, language)
        if choice.example:
            rest = list(await self.show_example(choice.example, choice.config, language))
        if problem:
            rest[0] = fragments.problem(problem)
        state = (choice.config, choice.low, choice.high, language)
        return (*state, *self.said(language), facts, scoring, sheet, *rest)

    def said(self, language: str) -> list[Any]:
        """Return what the page says around its widgets and on them: `AROUND`, `FIELDS`, `BUTTONS`."""
        words = PageWords(language)
        around = [self.gradio.HTML(around_html(words, key, self.source)) for key in AROUND]
        fields = [self.gradio.update(label=words.plain(f"widgets.{key}")) for key in FIELDS]
        return [*around, *fields, *(self.gradio.update(value=words.plain(f"widgets.{key}")) for key in BUTTONS)]

    async def choose(self, name: str, language: str = FALLBACK) -> tuple[Any, ...]:
        """Show a corpus, offer its sentences, and clear what belonged to another one."""
        language = known_language(language)
        # Of what visitors send nothing is kept, such as a name that is none of the corpora.
        known = next((value for _, value in self.source.choices if value == name), None)
        view = self.views.get((known, language)) if known else None
        if view is None or not Path(view[-1]).exists():
            view, problem = await self._do(answers.show, name, language)
            if problem:
                return ("", "", self._button(None), *self._result(problem, language=language))
            if known:
                self.views[known, language] = view
        facts, scoring, sheet = view
        return (facts, scoring, self._button(sheet, "sentences", language), *self._result(language=language))

    async def measure(
        self, name: str, files: Sequence[str] | None = None, low: Any = 0.0, high: Any = 1.0, language: str = FALLBACK
    ) -> tuple[Any, ...]:
        """Measure uploaded files on the range typed."""
        return await self._measured(PageRequest(name, tuple(files or ()), low, high, language=known_language(language)))

    async def show_example(self, example: str, name: str, language: str = FALLBACK) -> tuple[Any, ...]:
        """Measure made-up scores."""
        return await self._measured(PageRequest(name, example=example, language=known_language(language)))

    async def _measured(self, choice: PageRequest) -> tuple[Any, ...]:
        answer, problem = await self._do(answers.answer, choice, long=answers.is_large(choice))
        page, files = answer or ("", ())
        return self._result(problem, page, files, choice if files else None, choice.language)

    def last(self, handler: Callable[..., Any]) -> Callable[..., Any]:
        """A handler that changes nothing if the visitor has asked for something else in the meantime.

        The one returned also takes the turns of the visitor: a list, the same one every time.
        """

        async def handle(*inputs: Any) -> tuple[Any, ...]:
            *values, turns = inputs
            turn = _next_turn(turns)
            turns[:] = [turn]
            changes: tuple[Any, ...] = await handler(*values)
            return changes if turn == turns[-1] else tuple(self.gradio.skip() for _ in changes)

        return handle

    def announced(self, handler: Callable[..., Any], changes: int) -> Callable[..., AsyncIterator[tuple[Any, ...]]]:
        """A handler of `last` that first tells the visitor how many are ahead in the queue.

        Its last inputs are the language of the page and the turns of the visitor.
        """

        async def handle(*inputs: Any) -> AsyncIterator[tuple[Any, ...]]:
            turns = inputs[-1]
            words = PageWords(inputs[-2])
            ticket, turn, said = Ticket(), _next_turn(turns), 0
            TICKET.set(ticket)
            doing = asyncio.ensure_future(handler(*inputs))
            while not doing.done():
                await asyncio.wait([doing], timeout=PLACE_INTERVAL)
                if not doing.done() and ticket.before != said and turns[-1] == turn:
                    said = ticket.before
                    yield (fragments.place(said, words), *(self.gradio.skip() for _ in range(changes - 1)))
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
        self,
        message: str = "",
        page: str = "",
        files: Sequence[str] = (),
        choice: PageRequest | None = None,
        language: str = FALLBACK,
    ) -> tuple[Any, ...]:
        """Values of everything that a result changes: message, result, what it was, and its buttons."""
        paths: Sequence[str | None] = files or [None] * len(DOWNLOADS)
        words = PageWords(language)
        downloads = (self._button(path, key, language) for path, key in zip(paths, DOWNLOADS, strict=True))
        makers = (self.gradio.Button(words.plain(f"widgets.{key}"), visible=bool(files)) for key in MADE)
        return (message, page, choice, *downloads, *makers)

    def _button(self, path: str | None, key: str = "sentences", language: str = FALLBACK) -> Any:
        label = PageWords(language).plain(f"widgets.{key}")
        return self.gradio.DownloadButton(label, value=path, visible=path is not None)


def _next_turn(turns: Sequence[int]) -> int:
    """Return the number of a visitor's next turn, from a list that holds that of the last one."""
    return turns[-1] + 1 if turns else 0


def build(source: CorpusSource | EecError) -> Any:
    """Lay out the page as ``gradio.Blocks``; without corpora it says why there are none."""
    gr = _gradio()
    folder = open_folder()
    # Uploads would stay where gradio puts them: it removes them only if its server is shut down in peace.
    os.environ["GRADIO_TEMP_DIR"] = str(folder.uploads)
    with gr.Blocks(title=TITLE, analytics_enabled=False) as blocks:
        if isinstance(source, EecError):
            gr.HTML(PageWords().html("around.intro"))
            gr.HTML(fragments.problem(str(source)))
        else:
            warm = ("eec_datasets.app.answers", "matplotlib.figure", "pandas")
            page = Actions(source, folder, Workers(warm=warm), Workers(warm=warm, **LONG), gr)
            for workers in (page.short, page.long):
                atexit.register(workers.end)
            _lay_out(gr, blocks, page)
    return blocks.queue(max_size=WAITING)


AROUND: Final = ("intro", "corpus", "scoring", "range", "upload", "privacy", "link")
"""Parts of the page between the widgets, from its top to its end."""

FIELDS: Final = ("corpus", "low", "high", "file")
BUTTONS: Final = ("judge", "measure", "noisy", "random", "both")
"""Widgets with a label, and those whose words are their value."""


def around_html(words: PageWords, key: str, source: CorpusSource) -> str:
    """Return a piece of the page between its widgets."""
    if key == "intro":
        return f"{_language_links(words)}{words.html('around.intro')}"
    if key == "corpus":
        origin, values = source.origin
        about = escape(words.say(origin, **values))
        said = f'<p class="eec-soft" lang="{words.language}" dir="{words.direction}">{about}</p>'
        return words.html("around.corpus") + said
    if key == "upload":
        return words.html("around.upload", size=f"{answers.LIMIT / 2**20:.0f}", systems=answers.SYSTEMS)
    return words.html(f"around.{key}")


def _language_links(words: PageWords) -> str:
    """Return the languages of the page, each as a link in itself."""
    links_html = [
        f'<a class="eec-language" href="?lang={tag}" lang="{tag}" hreflang="{tag}"'
        f"{' aria-current=true' if tag == words.language else ''}>{name}</a>"
        for tag, name in languages().items()
    ]
    return f'<nav class="eec-languages" dir="{words.direction}" aria-label="Language">{" · ".join(links_html)}</nav>'


def _lay_out(gr: Any, blocks: Any, page: Actions) -> None:
    words = PageWords()
    around: dict[str, Any] = {}

    def say(key: str) -> None:
        around[key] = gr.HTML(around_html(words, key, page.source))

    say("intro")
    say("corpus")
    fields = {"corpus": gr.Dropdown(page.source.choices, label=words.plain("widgets.corpus"), elem_id="eec-corpus")}
    facts = gr.HTML()
    say("scoring")
    scoring = gr.HTML()
    sheet = gr.DownloadButton(words.plain("widgets.sentences"), elem_id="eec-sentences")
    buttons = {"judge": gr.Button(words.plain("widgets.judge"), elem_id="eec-judge")}
    judging = gr.File(elem_classes="eec-hidden")
    say("range")
    with gr.Row():
        for key, limit in zip(("low", "high"), answers.DEFAULT, strict=True):
            label = words.plain(f"widgets.{key}")
            fields[key] = gr.Number(limit, label=label, elem_id=f"eec-{key}", min_width=120)
    say("upload")
    file = gr.File(
        label=words.plain("widgets.file"), type="filepath", file_count="multiple", elem_id="eec-file", height=160
    )
    fields["file"] = file
    buttons["measure"] = gr.Button(words.plain("widgets.measure"), variant="primary", elem_id="eec-measure")
    message = gr.HTML(elem_id="eec-message")
    say("privacy")
    with gr.Row():
        for kind in answers.EXAMPLES:
            buttons[kind] = gr.Button(words.plain(f"widgets.{kind}"), elem_id=f"eec-{kind}", min_width=200)
    say("link")
    result = gr.HTML(elem_id="eec-answer")
    choice = gr.State(None)
    with gr.Row():
        saved = [gr.DownloadButton(words.plain(f"widgets.{key}"), visible=False, min_width=200) for key in DOWNLOADS]
        makers = [gr.Button(words.plain(f"widgets.{key}"), visible=False, min_width=200) for key in MADE]
    outputs = [message, result, choice, *saved, *makers]
    said = [*around.values(), *(fields[key] for key in FIELDS), *(buttons[key] for key in BUTTONS)]
    _connect(gr, blocks, page, Widgets(fields, buttons, said, [facts, scoring, sheet], outputs, makers, judging))


@dataclass(frozen=True, slots=True)
class Widgets:
    """The widgets of the page.

    Attributes
    ----------
    fields, buttons
        By name.
    said
        Those that hold words of the page.
    corpus
        What shows a corpus.
    outputs, makers, judging
        What a result changes (message, result, choice, buttons); the buttons that make a file; the page to judge.
    """

    fields: dict[str, Any]
    buttons: dict[str, Any]
    said: list[Any]
    corpus: list[Any]
    outputs: list[Any]
    makers: list[Any]
    judging: Any


def _connect(gr: Any, blocks: Any, page: Actions, widgets: Widgets) -> None:
    """Say what happens when a widget is used."""
    fields, buttons, outputs = widgets.fields, widgets.buttons, widgets.outputs
    message, _, choice = outputs[:3]
    name, low, high, file = (fields[key] for key in FIELDS)
    chosen, state = [*widgets.corpus, *outputs], [name, low, high]
    # Who waits, waits for a process: gradio's own limits would let long jobs hold up short ones.
    heavy = {"concurrency_limit": None, "api_visibility": "private"}
    light = {"fn": None, "queue": False, "api_visibility": "private"}

    search, accepted = gr.Textbox(visible=False), gr.Textbox(visible=False)
    # Hidden by its class: the browser keeps the value of such a widget, and gives it to scripts.
    language = gr.Textbox(FALLBACK, elem_classes="eec-hidden", label="Language", show_label=False)
    turns = gr.State([])
    linked = [name, low, high, language]
    blocks.load(
        page.last(page.arrive),
        [search, accepted, turns],
        [*state, language, *widgets.said, *chosen],
        js=SCRIPTS["visit"],
        **heavy,
    ).then(inputs=linked, js=links.link_script(), **light).then(inputs=language, js=SCRIPTS["language"], **light)
    # A link is written at once, so before the handler of the same event, which may take long.
    name.input(inputs=linked, js=links.link_script(""), **light)
    name.input(page.last(page.choose), [name, language, turns], chosen, **heavy)
    for limit in (low, high):
        limit.input(inputs=linked, js=links.link_script(), **light)
    go = buttons["measure"]
    go.click(inputs=linked, js=links.link_script(""), **light)
    measure = page.announced(page.last(page.measure), len(outputs))
    go.click(measure, [name, file, low, high, language, turns], outputs, **heavy).then(js=SCRIPTS["focus"], **light)
    for kind in answers.EXAMPLES:
        buttons[kind].click(inputs=linked, js=links.link_script(kind), **light)
        handler = page.announced(page.last(partial(page.show_example, kind)), len(outputs))
        buttons[kind].click(handler, [name, language, turns], outputs, **heavy).then(js=SCRIPTS["focus"], **light)
    buttons["judge"].click(page.judge, name, [message, widgets.judging], **heavy).success(
        inputs=widgets.judging, js=SCRIPTS["take"], **light
    )
    for kind, button in zip(MADE, widgets.makers, strict=True):
        ready = gr.File(elem_classes="eec-hidden")
        button.click(partial(page.make, getattr(answers, kind)), choice, [message, ready], **heavy).success(
            inputs=ready, js=SCRIPTS["take"], **light
        )


def launch(source: CorpusSource | EecError, hosts: Sequence[str] = ("*",), **options: Any) -> Any:
    """Build the page and serve it.

    Parameters
    ----------
    source
        As for `build`.
    hosts
        Names by which a browser may ask for the page. On a user's machine another name is that of a foreign page which
        had its name point here, to read what the user uploads.
    options
        Passed on to ``gradio.Blocks.launch``.

    Returns
    -------
    tuple
        What ``launch`` returns: the app, its address on this machine, and the (never used) public address.
    """
    blocks = build(source)
    gr = _gradio()
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    theme = gr.themes.Base(
        primary_hue="indigo", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
    )
    # White on the theme's own shade has a contrast just below 4.5.
    theme.set(button_primary_background_fill="*primary_600", button_primary_background_fill_dark="*primary_600")
    only = [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)]
    settings = {
        "share": False,
        "quiet": True,
        "show_error": False,
        "ssr_mode": False,
        "footer_links": [],
        "app_kwargs": {"middleware": only},
    }
    css = (HERE / "page.css").read_text(encoding="utf-8")
    # Before the processes are ended and the files removed, in the order opposite to this: nothing may write any more.
    atexit.register(blocks.close, verbose=False)
    return blocks.launch(
        theme=theme, css=css, js=SCRIPTS["tab"], max_file_size=answers.HARD_LIMIT, **(settings | options)
    )


def _gradio() -> Any:
    """The module gradio, imported with everything switched off that reports to its makers."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    import gradio

    return gradio
