"""Servers and tabs for the tests of the page, with a guard against connections outside loopback."""

import contextlib
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browsing
from forking import guarded


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def serving(command: list[str], folder: Path, port: int, **more: str) -> Iterator[str]:
    """Run a server until the end of the block; its address."""
    log = folder / "server.log"
    own = guarded(folder, GRADIO_TEMP_DIR=str(folder / "tmp" / "gradio"), NO_PROXY="127.0.0.1", **more)
    with log.open("w") as stream:
        running = subprocess.Popen(command, cwd=folder, env=own, stdout=stream, stderr=stream, text=True)
    try:
        deadline = time.monotonic() + 120
        while True:
            assert running.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/"
    finally:
        running.terminate()
        running.wait(timeout=20)
    assert "Traceback" not in log.read_text()
    assert not (folder / "connections.log").exists(), (folder / "connections.log").read_text()


def tab(window: Any) -> contextlib.AbstractContextManager[Any]:
    """Open a tab; at its end there must have been no error in it, and no request outside loopback."""
    # Gradio fills the console with remarks of its own.
    return browsing.tab(window, "http://127.0.0.1:", "data:", "blob:", console=False)
