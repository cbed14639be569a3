"""Sentences → a folder that ``load_dataset`` reads: parquet, dataset card, Croissant metadata, manifest.

The folder is written beside its place and moved there when it is whole, so that a killed build leaves the old
folder, or none.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets import corpora, schema
from eec_datasets.errors import EecError
from eec_datasets.files import alive
from eec_datasets.locale.model import UNMARKED
from eec_datasets.locale.reading import corpus_facts
from eec_datasets.release import manifest
from eec_datasets.release.manifest import ConfigEntry, DroppedPair, Manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pyarrow as pa

    from eec_datasets.corpora import Config, Corpus

    Progress = Callable[[int, int, str], None]

CARD = "README.md"
CROISSANT = "croissant.json"
CHANGELOG = "CHANGELOG.md"


class BuildError(EecError):
    """The build folder cannot be written, or is something else."""


@dataclass(frozen=True, slots=True)
class Built:
    """A rendered release in memory: its manifest, and every file by its path within the folder."""

    manifest: Manifest
    files: Mapping[str, bytes]


def build(
    out: str | Path,
    *,
    configs: Sequence[str] | None = None,
    root: str | Path | None = None,
    progress: Progress | None = None,
    repo: str | None = None,
) -> Manifest:
    """Render configs into a folder for ``load_dataset``; the same locales give the same bytes.

    Parameters
    ----------
    out : str or Path
        Folder to make. One that an earlier build made is replaced whole; any other folder with something in it is
        refused.
    configs : sequence of str, optional
        Names of configs; default: all.
    root : str or Path, optional
        Folder of locales, if not the one that comes with the package.
    progress : callable, optional
        Called as ``progress(done, total, name)`` before each config, and once at the end with an empty name.
    repo : str, optional
        ``ORG/NAME`` on the Hub, so that the card can say how to load the release from there.

    Returns
    -------
    Manifest
        What was written.

    Raises
    ------
    BuildError
        `out` is something else than a build, or cannot be written.
    UnknownConfig, LocaleError, RenderError
        The locales do not give the configs asked for.
    """
    place = Path(out).resolve()
    _check_place(place)
    made = render(configs=configs, root=root, progress=progress, repo=repo)
    _put(made.files, place)
    return made.manifest


def render(
    *,
    configs: Sequence[str] | None = None,
    root: str | Path | None = None,
    progress: Progress | None = None,
    repo: str | None = None,
) -> Built:
    """Render a release in memory (see `build`, which writes it)."""
    from eec_datasets.release import card, croissant

    chosen = _chosen(configs, root)
    entries: list[ConfigEntry] = []
    parquet: dict[str, bytes] = {}
    for done, config in enumerate(chosen):
        if progress:
            progress(done, len(chosen), config.name)
        entry, raw = _config(config)
        entries.append(entry)
        parquet[entry.file] = raw
    if progress:
        progress(len(chosen), len(chosen), "")
    facts = corpus_facts(Path(root) if root else None)
    made = Manifest(str(facts["version"]), str(facts["pretty_name"]), str(facts["licence"]), tuple(entries))
    # The card comes first: a folder that lacks it would be loaded by guesswork, whatever happened to be written.
    files = {
        CARD: card.render(made, chosen, facts, repo=repo).encode(),
        manifest.FILE: made.to_json().encode(),
        CROISSANT: croissant.render(made, facts, repo=repo).encode(),
        **parquet,
    }
    return Built(made, files)


def with_changelog(built: Built, text: str) -> Built:
    """The release with a ``CHANGELOG.md`` beside its card."""
    return Built(built.manifest, {**built.files, CHANGELOG: text.encode()})


def _chosen(names: Sequence[str] | None, root: str | Path | None) -> list[Config]:
    if names is None:
        return corpora.configs(root=root)
    return [corpora.find(name, root=root) for name in dict.fromkeys(names)]


def _config(config: Config) -> tuple[ConfigEntry, bytes]:
    corpus = corpora.render(config.name, root=config.root)
    table = _plain(corpus.table())
    raw = to_parquet(table)
    entry = ConfigEntry(
        name=config.name,
        language=config.language,
        about=config.about,
        axes=_levels(corpus),
        rows=table.num_rows,
        persons=dict(corpus.cells),
        columns=tuple(table.column_names),
        content_hash=schema.content_hash(table),
        file=f"{config.name}/{schema.SPLIT}.parquet",
        sha256=hashlib.sha256(raw).hexdigest(),
        file_bytes=len(raw),
        table_bytes=table.nbytes,
        locale_version=config.locale.version,
        review=config.locale.review.status,
        review_sentence=config.review,
        dropped=tuple(DroppedPair(drop.item, drop.pair, drop.persons, drop.why) for drop in corpus.dropped),
    )
    return entry, raw


def _plain(table: pa.Table) -> pa.Table:
    """The table as ``datasets`` declares it: nullable strings, no metadata."""
    import pyarrow as pa

    return table.cast(pa.schema([pa.field(name, pa.string()) for name in table.column_names]))


def to_parquet(table: pa.Table) -> bytes:
    """A table as parquet, with every option of the writer fixed so that it is the same bytes each time."""
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(
        table, sink, compression="zstd", compression_level=3, version="2.6", row_group_size=1 << 17, use_dictionary=True
    )
    return sink.getvalue()


def _levels(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    columns = corpus.columns
    return {axis: tuple(level for level in dict.fromkeys(columns[axis]) if level != UNMARKED) for axis in corpus.axes}


def _check_place(place: Path) -> None:
    if place.is_dir():
        if not os.access(place, os.R_OK | os.X_OK):
            raise BuildError(f"cannot read {place}: Permission denied. Choose another folder with --out")
        if any(place.iterdir()) and not (place / manifest.FILE).is_file():
            raise BuildError(
                f"{place} holds something else than a build (it has no {manifest.FILE}), and nothing was changed in "
                "it. Choose another folder with --out, or empty this one"
            )
        return
    for above in (place, *place.parents):
        if above.exists() and not above.is_dir():
            raise BuildError(f"{above} is a file, and a folder is needed. Choose another place with --out")


def _put(files: Mapping[str, bytes], place: Path) -> None:
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    old = place.with_name(f".{place.name}.{os.getpid()}.old")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _sweep(place)
        write(files, part)
        if place.exists():
            place.rename(old)
        part.rename(place)
    except OSError as error:
        raise BuildError(
            f"cannot write {place}: {error.strerror}. Nothing was changed there. "
            "Choose a folder that you may write to and that has room, with --out"
        ) from error
    finally:
        # Whatever went wrong, Ctrl-C included: an older build that was moved aside goes back.
        if old.exists() and not place.exists():
            old.rename(place)
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def write(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files by their paths within a folder."""
    for name, raw in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)


def _sweep(place: Path) -> None:
    """Take away what builds that were killed have left beside `place`, and put back a folder they had moved."""
    left = [path for path in place.parent.glob(f".{place.name}.*") if path.is_dir() and not _in_use(path)]
    for path in left:
        if path.suffix == ".old" and not place.exists():
            path.rename(place)
        elif path.suffix in (".old", ".part"):
            shutil.rmtree(path, ignore_errors=True)


def _in_use(path: Path) -> bool:
    """Whether the process runs that made a temporary folder, or it is none of ours, as its name has no number."""
    number = path.stem.rpartition(".")[2]
    return not number.isdecimal() or int(number) == 0 or alive(int(number))


def read_table(folder: str | Path, entry: ConfigEntry) -> pa.Table:
    """The rows of one config of a build, checked against its manifest.

    Raises
    ------
    BuildError
        The file is missing or unreadable, or holds other rows than the manifest says.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(folder) / entry.file
    try:
        table = pq.read_table(path, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        first = str(error).splitlines()[0]
        raise BuildError(f"{path}: cannot be read as parquet ({first}). Build the folder again") from error
    found = schema.content_hash(table)
    if found != entry.content_hash:
        raise BuildError(
            f"{path}: holds other rows (content hash {found[:8]}) than {manifest.FILE} says "
            f"({entry.content_hash[:8]}). It was edited or damaged: build the folder again"
        )
    return table


def tables(folder: str | Path, entries: Iterable[ConfigEntry]) -> dict[str, pa.Table]:
    """The rows of several configs of a build by name (see `read_table`)."""
    return {entry.name: read_table(folder, entry) for entry in entries}
