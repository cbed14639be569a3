"""Folders of locales that hold some of the languages."""

import shutil
from pathlib import Path

from eec_datasets.locale.reading import locales_folder


def languages(folder: Path, *tags: str) -> Path:
    """Copy languages, and what stands beside all of them, into a folder."""
    for tag in tags:
        shutil.copytree(locales_folder() / tag, folder / tag)
    for name in ("corpus.toml", "axes.toml"):
        shutil.copy(locales_folder() / name, folder)
    return folder
