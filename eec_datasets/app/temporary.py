"""Where uploads and downloads are kept: a folder removed at exit, whose files are removed after a while."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import shutil
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eec_datasets.files import write_over

LIFETIME: Final = 3600
"""Seconds after which a file is deleted, at the latest `EVERY` seconds later."""
INTERVAL: Final = 300
PREFIX: Final = "eec-app-"


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of one run of the page, for uploads and downloads."""

    path: Path

    @property
    def uploads(self) -> Path:
        """Where gradio keeps uploads and copies of downloads."""
        return self.path / "gradio"

    def put(self, name: str, content: str | bytes) -> str:
        """Write a file for download and return its path; equal content gives the same file."""
        data = content.encode() if isinstance(content, str) else content
        path = self.path / hashlib.sha256(data).hexdigest()[:16] / name
        write_over({path: data})
        return str(path)

    def sweep(self) -> None:
        """Delete files that are old, and folders that they leave empty."""
        now = time.time()
        for parent, folders, files in os.walk(self.path, topdown=False):
            for entry in (Path(parent, name) for name in (*files, *folders)):
                # A folder may hold something, and another request may have been here first.
                with contextlib.suppress(OSError):
                    if now - entry.stat().st_mtime > LIFETIME:
                        entry.rmdir() if entry.is_dir() else entry.unlink()


def open_folder() -> Folder:
    """A new folder that is swept now and then, and removed at exit."""
    folder = Folder(Path(tempfile.mkdtemp(prefix=PREFIX)))
    folder.uploads.mkdir()
    atexit.register(shutil.rmtree, folder.path, ignore_errors=True)

    def sweep_on() -> None:
        while folder.path.exists():
            sweep_all(folder.path)
            time.sleep(INTERVAL)

    threading.Thread(target=sweep_on, daemon=True).start()
    return folder


def sweep_all(beside: Path) -> None:
    """Sweep a folder, and those that killed runs may have left beside it."""
    for each in beside.parent.glob(f"{PREFIX}*"):
        Folder(each).sweep()
