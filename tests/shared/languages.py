"""Folders of locales that hold some of the languages."""

import re
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


def few(folder: Path, *tags: str) -> Path:
    """Copy languages with a template of each kind, and without the tables of names."""
    for tag in tags:
        path = languages(folder, tag) / tag / "templates.toml"
        tables = re.split(r"^(?=\[t\d+\])", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
        kinds = {table.partition("kind = ")[2].partition("\n")[0]: table for table in reversed(tables)}
        path.write_text("".join(reversed(kinds.values())), encoding="utf-8")
        (folder / tag / "names.csv").unlink(missing_ok=True)
    return folder
