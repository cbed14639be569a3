"""``eec app``: the page, on this machine."""

from __future__ import annotations

import errno
import importlib.util
import signal
import socket
import time

import click

from eec_datasets.cli.command import command
from eec_datasets.cli.options import option, switch
from eec_datasets.cli.output import say
from eec_datasets.errors import Unavailable

FIRST_PORT = 7860
HOST = "127.0.0.1"


@command()
@option(
    "--port", None, f"Port on this machine.  [default: the first free from {FIRST_PORT}]", type=click.IntRange(1, 65535)
)
@switch("--no-browser", "Only serve the page; open no browser.")
def app(port: int | None, no_browser: bool) -> None:
    """Open a web page on this machine: choose a corpus, download its sentences, upload scores, see the result.

    The address of the page contains the corpus, the score range and the example, so you can send it to others. It
    contains no scores. Uploaded files are deleted within two hours, or when the page is closed.

    Only this machine can open the page, and it connects to no other machine. To use the corpora of a release on the
    Hub, name it in EEC_DATASET (and EEC_REVISION). EEC_DATASET may also be a folder made by eec build. Ctrl-C ends the
    page.

    \b
    Examples:
      eec app
      eec app --port 8000 --no-browser
    """
    install = "pip install 'eec-datasets[app]'"
    if importlib.util.find_spec("gradio") is None:
        raise Unavailable(f"The page needs gradio, which is not installed. Install it with: {install}.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port or 0))
        except OSError as error:
            reason = "is taken by another program" if error.errno == errno.EADDRINUSE else f"cannot be used ({error})"
            raise Unavailable(
                f"Port {port} {reason}. Choose another with --port, or leave it out to take a free one."
            ) from error
    say("Starting the page …", err=True)
    from eec_datasets.app.page import launch
    from eec_datasets.app.sources import from_environment

    # A plain end at SIGTERM would leave the temporary files.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        options = {"server_port": port, "server_name": HOST, "inbrowser": not no_browser}
        hosts = [HOST, "localhost"]
        _, address, _ = launch(from_environment(), hosts, prevent_thread_lock=True, **options)
        say(f"The page is at {address} for this machine only. Ctrl-C ends it.")
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        say("\nThe page is closed.", err=True)
