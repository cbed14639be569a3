"""Sentences → a folder that ``load_dataset`` reads: parquet, dataset card, Croissant metadata, manifest.

The folder is written beside its place and moved there when it is whole, so that a killed build leaves the old
folder, or none.
"""

from __future__ import annotations

import glob
import hashlib
import io
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets import corpora, schema
from eec_datasets.files import alive
from eec_datasets.locale.model import UNMARKED
from eec_datasets.locale.reading import corpus_facts
from eec_datasets.release import manifest
from eec_datasets.release.manifest import BuildError, ConfigEntry, Manifest, ManifestError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyarrow as pa

    from eec_datasets.corpora import Config, Corpus

    Progress = Callable[[int, int, str], None]

CARD = "README.md"
CROISSANT = "croissant.json"
CHANGELOG = "CHANGELOG.md"


@dataclass(frozen=True, slots=True)
class Built:
    """A rendered release in memory: its manifest, every file by its path within the folder, the rows by config."""

    manifest: Manifest
    files: Mapping[str, bytes]
    tables: Mapping[str, pa.Table]


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
        Folder to make. One that holds an earlier build, as it was made, is replaced whole; any other folder with
        something in it is refused.
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

    chosen = choose(configs, root)
    entries: list[ConfigEntry] = []
    parquet: dict[str, bytes] = {}
    tables: dict[str, pa.Table] = {}
    for done, config in enumerate(chosen):
        if progress:
            progress(done, len(chosen), config.name)
        corpus = corpora.render(config.name, root=config.root)
        table = tables[config.name] = _plain(corpus)
        raw = parquet[f"{config.name}/{schema.SPLIT}.parquet"] = to_parquet(table)
        entries.append(_entry(config, corpus, table, raw))
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
    return Built(made, files, tables)


def choose(names: Sequence[str] | None, root: str | Path | None) -> list[Config]:
    """The configs of these names, each once, or all."""
    if names is None:
        return corpora.configs(root=root)
    return [corpora.find(name, root=root) for name in dict.fromkeys(names)]


def _entry(config: Config, corpus: Corpus, table: pa.Table, raw: bytes) -> ConfigEntry:
    return ConfigEntry(
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
        dropped=corpus.dropped,
    )


def _plain(corpus: Corpus) -> pa.Table:
    """The rows as ``datasets`` declares them: nullable strings, no metadata."""
    import pyarrow as pa

    return pa.table({name: pa.array(values, pa.string()) for name, values in corpus.columns.items()})


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
            raise BuildError(f"cannot read {place}: Permission denied. Choose another folder")
        foreign = _foreign(place) if any(place.iterdir()) else ""
        if foreign:
            raise BuildError(
                f"{place} holds something else than a build ({foreign}), and nothing was changed in it. Choose another "
                "folder, or empty this one"
            )
        return
    for above in (place, *place.parents):
        if above.exists() and not above.is_dir():
            raise BuildError(f"{above} is a file, and a folder is needed. Choose another place")


def _foreign(place: Path) -> str:
    """What a folder holds that no build has left there: it would be lost with the older build; empty for a build."""
    if not (place / manifest.FILE).is_file():
        return f"it has no {manifest.FILE}"
    try:
        made = manifest.read(place)
    except ManifestError:
        return f"no build has made its {manifest.FILE}, or it was changed since"
    tables = {config.file: config for config in made.configs}
    own = {Path(name) for name in (CARD, CROISSANT, manifest.FILE, *tables)}
    known = own.union(*(path.parents for path in own))
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place)
        if name not in known:
            return f"no build has made '{name}'"
        config = tables.get(name.as_posix())
        if config and hashlib.sha256(path.read_bytes()).hexdigest() != config.sha256:
            return f"'{name}' was changed since it was built"
    return ""


def _put(files: Mapping[str, bytes], place: Path) -> None:
    work = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _sweep(place)
        write(files, work / "new")
        _check_place(place)
        if place.exists():
            place.rename(work / "old")
        (work / "new").rename(place)
    except OSError as error:
        raise BuildError(
            f"cannot write {place}: {error.strerror}. Nothing was changed there. "
            "Choose a folder that you may write to and that has room"
        ) from error
    finally:
        _clear(work, place)


def _sweep(place: Path) -> None:
    """Clear away what builds that were killed have left beside `place`."""
    for work in place.parent.glob(f".{glob.escape(place.name)}.*"):
        number = work.suffix[1:]
        own = work.is_dir() and {path.name for path in work.iterdir()} <= {"new", "old"}
        if own and number.isdecimal() and not alive(int(number)):
            _clear(work, place)


def _clear(work: Path, place: Path) -> None:
    """Remove a folder of work; an older build that was moved into it goes back, Ctrl-C or not."""
    if (work / "old").exists() and not place.exists():
        (work / "old").rename(place)
    shutil.rmtree(work, ignore_errors=True)


def write(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files by their paths within a folder."""
    for name, raw in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
