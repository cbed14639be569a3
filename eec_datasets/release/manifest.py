"""The facts of a build in its ``manifest.json``: the version, and every config with its hashes.

As in every folder that we write, the file also lists all files of the folder (`eec_bias.files.with_manifest`).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_bias.shared import MANIFEST
from eec_datasets import schema
from eec_datasets.errors import InputError
from eec_datasets.given_file import read_given
from eec_datasets.render.items import Dropped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa

FORMAT = 1


@dataclass(frozen=True, slots=True)
class ConfigEntry:
    """One config of a build.

    Attributes
    ----------
    rows : int
        Number of sentences.
    persons : mapping of str to int
        Persons per combination of identity labels, such as ``Black female``.
    axes : mapping of str to tuple of str
        Identity axes with at least two levels, and these levels.
    columns : tuple of str
        Columns in order; all hold strings.
    review : str
        How far the project itself has read the language: ``draft`` or ``second-reading``.
    review_sentence : str
        The same in words, with what native readers said of its sentences.
    native_readers : int
        How many native readers have judged sentences of the language as they are now.
    content_hash : str
        SHA-256 over the values (`eec_datasets.schema.content_hash`): the same whatever wrote the file.
    file, sha256, file_bytes, table_bytes
        The parquet file, its own hash (which changes with the writer), its size, and the size of the rows in memory.
    """

    name: str
    language: str
    about: str
    axes: Mapping[str, tuple[str, ...]]
    rows: int
    persons: Mapping[str, int]
    columns: tuple[str, ...]
    content_hash: str
    file: str
    sha256: str
    file_bytes: int
    table_bytes: int
    locale_version: str
    review: str
    review_sentence: str
    native_readers: int = 0
    dropped: tuple[Dropped, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole build: the version of the corpus and its configs in order.

    Attributes
    ----------
    tasks, tasks_sha256
        Ids of the tasks of ``eval.yaml``, and the hash of that file; nothing where a build has none.
    """

    version: str
    pretty_name: str
    licence: str
    configs: tuple[ConfigEntry, ...]
    tasks: tuple[str, ...] = ()
    tasks_sha256: str = ""

    @property
    def content_hash(self) -> str:
        """SHA-256 over the names and content hashes of all configs: one fingerprint of the release."""
        lines = sorted(f"{config.name} {config.content_hash}\n" for config in self.configs)
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def rows(self) -> int:
        """Number of sentences of all configs."""
        return sum(config.rows for config in self.configs)

    def config(self, name: str) -> ConfigEntry:
        """The config called `name`.

        Raises
        ------
        InputError
            There is none; the message lists those there are.
        """
        configs = {config.name: config for config in self.configs}
        if name not in configs:
            raise InputError(f"no config '{name}' in release {self.version}; there are: {', '.join(configs)}")
        return configs[name]

    def __str__(self) -> str:
        configs = f"{len(self.configs)} config{'s' if len(self.configs) != 1 else ''}"
        return f"release {self.version}: {configs}, {self.rows:,} sentences, content hash {self.content_hash[:8]}"

    def to_json(self) -> str:
        """Return the facts of the build as JSON, to which `with_manifest` adds the files."""
        data = {"format": FORMAT, "content_hash": self.content_hash, **dataclasses.asdict(self)}
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str | bytes, place: str) -> Manifest:
    """Read the text of a manifest; `place` names it in errors.

    Raises
    ------
    InputError
        It is not JSON, of another format, or lacks something.
    """
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise InputError(
                f"{place}: manifest format {data['format']}, this version reads {FORMAT}. Update eec-datasets"
            )
        configs = tuple(_entry(entry) for entry in data["configs"])
        # Releases of before there were tasks have none.
        tasks, tasks_sha256 = tuple(data.get("tasks", ())), data.get("tasks_sha256", "")
        manifest = Manifest(
            data["version"], data["pretty_name"], data["licence"], configs, tasks=tasks, tasks_sha256=tasks_sha256
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{place}: not a manifest that this package wrote ({type(error).__name__}: {error}). Build the folder again"
        ) from error
    if data.get("content_hash") != manifest.content_hash:
        raise InputError(
            f"{place}: its own content hash does not fit the hashes of its configs; it was edited or damaged. "
            "Build the folder again"
        )
    return manifest


def _entry(data: dict[str, Any]) -> ConfigEntry:
    axes = {axis: tuple(levels) for axis, levels in data.pop("axes").items()}
    dropped = tuple(Dropped(**{**pair, "persons": tuple(pair["persons"])}) for pair in data.pop("dropped"))
    return ConfigEntry(**{**data, "axes": axes, "columns": tuple(data["columns"]), "dropped": dropped})


def read(folder: str | Path) -> Manifest:
    """Read the manifest of a build folder.

    Raises
    ------
    InputError
        The folder does not exist, is not a build, or its manifest is damaged.
    """
    path = Path(folder) / MANIFEST
    try:
        return from_json(read_given(path), str(path))
    except (FileNotFoundError, NotADirectoryError) as error:
        what = "has no manifest.json, so it is not a build" if Path(folder).is_dir() else "is not a folder"
        raise InputError(f"{folder} {what}. Name a folder that eec build has made") from error


def read_table(folder: str | Path, entry: ConfigEntry) -> pa.Table:
    """The rows of one config of a build, checked against its manifest.

    Raises
    ------
    InputError
        The file is missing or unreadable, or holds other rows than the manifest says.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(folder) / entry.file
    try:
        table = pq.read_table(path, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        first = str(error).splitlines()[0]
        raise InputError(f"{path}: cannot be read as parquet ({first}). Build the folder again") from error
    content = schema.content_hash(table)
    if content != entry.content_hash:
        raise InputError(
            f"{path}: holds other rows (content hash {content[:8]}) than {MANIFEST} says "
            f"({entry.content_hash[:8]}). It was edited or damaged: build the folder again"
        )
    return table


def tables(folder: str | Path, entries: Iterable[ConfigEntry]) -> dict[str, pa.Table]:
    """The rows of several configs of a build by name (see `read_table`)."""
    return {entry.name: read_table(folder, entry) for entry in entries}
