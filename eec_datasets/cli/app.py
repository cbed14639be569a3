"""``eec app``: the page, on this machine."""

from __future__ import annotations

import errno
import importlib.util
import signal
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eec_datasets.errors import EecError

if TYPE_CHECKING:
    from eec_bias.space.corpora import Corpus, Upload

FIRST_PORT = 7860
HOST = "127.0.0.1"


class Unavailable(EecError):
    """The page cannot be served: a library is missing, or the port is taken."""


class LocalCorpora:
    """The corpora as this package renders them, and scores read as ``eec measure`` reads them."""

    def __init__(self) -> None:
        from functools import lru_cache

        self._opened = lru_cache(8)(_render)

    @property
    def where(self) -> str:
        """One sentence for the page: where the corpora come from."""
        from eec_datasets import __version__

        return f"The corpora are rendered on this machine by eec-datasets {__version__}."

    def choices(self) -> list[tuple[str, str]]:
        """Return a label and a name per config."""
        from eec_datasets.corpora import usable
        from eec_datasets.release.card import language_name

        return [(f"{config.name} ({language_name(config.language)})", config.name) for config in usable()[0]]

    def open(self, name: str) -> Corpus:
        """Render one config.

        Raises
        ------
        CorporaError
            There is none of this name, or its locale has mistakes.
        """
        return self._opened(name)

    def read(self, path: Path, corpus: Corpus, score_range: tuple[float, float]) -> Upload:
        """Read an uploaded file as ``eec measure`` does, with its messages.

        Raises
        ------
        UploadError
            Everything that is wrong with the file, at once.
        """
        import numpy as np

        from eec_bias.space.corpora import Upload, UploadError
        from eec_datasets.audit.score_tables import read_scores
        from eec_datasets.schema import content_hash

        columns = {name: corpus.column(name) for name in corpus.table.column_names}
        data = f"{corpus.name}@{corpus.version}#{content_hash(corpus.table)}"
        try:
            # None: the file's own declaration counts, if it has one, where the page was left at its default.
            found = read_scores(path, columns, None if score_range == (0, 1) else score_range, data)
        except EecError as error:
            raise UploadError(for_page(str(error), path)) from error
        if found.header and score_range == (0, 1):
            score_range = (found.header.low, found.header.high)
        return Upload({name: np.array(scores) for name, scores in found.scores.items()}, score_range)


def for_page(message: str, path: Path) -> str:
    """Write a message of ``eec measure`` for the page: the file by its name, the field instead of the option."""
    message = message.replace(str(path), path.name)
    message = message.replace("with --score-range LO HI", "in step 3")
    return message.replace("Name the config they are of with --config,", "Choose the corpus they are of in step 1,")


def _render(name: str) -> Corpus:
    from eec_bias.space.corpora import CorporaError, Corpus
    from eec_datasets import corpora

    try:
        config = corpora.find(name)
        table, persons = config.corpus.table(), config.persons_per_cell
    except EecError as error:
        raise CorporaError(str(error)) from error
    return Corpus(name, config.version, config.language, config.about, config.review, persons, table)


@click.command(short_help="Open the page: upload scores, see the result.")
@click.option(
    "--port", type=click.IntRange(1, 65535), help=f"Port on this machine.  [default: the first free from {FIRST_PORT}]"
)
@click.option("--no-browser", is_flag=True, help="Only serve the page; open no browser.")
def app(port: int | None, no_browser: bool) -> None:
    """Serve the page on this machine: choose a corpus, download its sentences, upload scores, see the result.

    Only this machine can open it, and it connects to nothing. Ctrl-C ends it.

    \b
    Examples:
      eec app
      eec app --port 8000 --no-browser
    """
    if importlib.util.find_spec("gradio") is None:
        raise Unavailable(
            "The page needs gradio, which is not installed. Install it with: pip install 'eec-datasets[app]'."
        )
    if port is not None:
        _check_port(port)
    click.echo("Starting the page …", err=True)
    # A plain end at SIGTERM would leave the temporary files.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        address = serve(port, browser=not no_browser)
        click.echo(f"The page is at {address} for this machine only. Ctrl-C ends it.")
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        click.echo("\nThe page is closed.", err=True)


def serve(port: int | None, *, browser: bool) -> str:
    """Start the page in threads of this process; its address."""
    from eec_bias.app import launch

    options: dict[str, Any] = {"server_name": HOST, "prevent_thread_lock": True, "inbrowser": browser}
    _, address, _ = launch(LocalCorpora(), server_port=port, **options)
    return str(address)


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            why = "is taken by another program" if error.errno == errno.EADDRINUSE else f"cannot be used ({error})"
            raise Unavailable(
                f"Port {port} {why}. Choose another with --port, or leave it out to take a free one."
            ) from error
