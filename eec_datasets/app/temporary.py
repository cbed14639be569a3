"""Folder for uploads and downloads: it ends with the page, and its files are removed after a while."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eec_bias.shared import write_over
from eec_datasets.errors import Unavailable

LIFETIME: Final = 3600
"""Seconds after which a file is deleted, at the latest `INTERVAL` seconds later."""
INTERVAL: Final = 300

KEEPER: Final = "import shutil, sys; sys.stdin.read(); shutil.rmtree(sys.argv[1], ignore_errors=True)"
"""Waits until the pipe from the page closes, which the system does even if the page is killed."""


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of one run of the page, for uploads and downloads."""

    path: Path

    @property
    def uploads(self) -> Path:
        """Return where gradio keeps uploads and copies of downloads."""
        return self.path / "gradio"

    def put(self, name: str, content: str | bytes) -> str:
        """Write a file for download and return its path; equal content gives the same file.

        Raises
        ------
        Unavailable
            The page has ended, and nobody would remove the file.
        """
        if not self.path.is_dir():
            raise Unavailable(f"{self.path} was removed, as the page was closed. Open the page again.")
        data = content.encode() if isinstance(content, str) else content
        path = self.path / hashlib.sha256(data).hexdigest()[:16] / name
        write_over({path: data})
        return str(path)

    def sweep(self) -> None:
        """Delete files that are old, and folders that they leave empty."""
        now = time.time()
        for parent, folders, files in os.walk(self.path, topdown=False):
            for entry in (Path(parent, name) for name in (*files, *folders)):
                # A folder may not be empty, and another request may have been here first.
                with contextlib.suppress(OSError):
                    # A file from the future was written before the clock went back.
                    if abs(now - entry.lstat().st_mtime) > LIFETIME:
                        entry.unlink() if entry.is_symlink() or not entry.is_dir() else entry.rmdir()


def open_folder() -> Folder:
    """Make a folder with a random name, sweep it now and then, and remove it when the process ends, however it ends.

    No other folder is ever touched: a name that looks like ours may be a user's own.
    """
    folder = Folder(Path(tempfile.mkdtemp(prefix="eec-app-")))
    # In a session of its own, it outlives signals to the page's group. Only this process has the other end of its pipe.
    keeper = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", KEEPER, folder.path], stdin=subprocess.PIPE, start_new_session=True
    )
    atexit.register(keeper.communicate)
    folder.uploads.mkdir()

    def sweep_on() -> None:
        while folder.path.exists():
            folder.sweep()
            time.sleep(INTERVAL)

    threading.Thread(target=sweep_on, daemon=True).start()
    return folder
