"""Sentences → a folder that ``load_dataset`` reads: parquet, card, ``eval.yaml``, Croissant metadata, manifest."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eec_bias.shared import check_folder, with_manifest, write_folder
from eec_datasets import corpora, schema
from eec_datasets.errors import InputError
from eec_datasets.locale.model import UNMARKED
from eec_datasets.locale.reading import corpus_facts, locales_folder, shipped_folder
from eec_datasets.names.covariates import covariates_of
from eec_datasets.release import benchmark
from eec_datasets.release.manifest import ConfigEntry, Manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyarrow as pa

    from eec_datasets.corpora import Config, RenderedCorpus
    from eec_datasets.names.covariates import Saved

    Progress = Callable[[int, int, str], None]

CARD = "README.md"
CROISSANT = "croissant.json"
CHANGELOG = "CHANGELOG.md"
COMMAND = "build"


@dataclass(frozen=True, slots=True)
class RenderedRelease:
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
    overwrite: bool = False,
) -> Manifest:
    """Render configs into a folder for ``load_dataset``; the same locales give the same bytes.

    Parameters
    ----------
    out : str or Path
        Folder to make. One that holds an earlier build, as it was made, is replaced whole; one that holds anything
        else is refused.
    configs : sequence of str, optional
        Names of configs; default: all.
    root : str or Path, optional
        Folder of locales, if not the one that comes with the package.
    progress : callable, optional
        Called as ``progress(done, total, name)`` before each config, and once at the end with an empty name.
    repo : str, optional
        ``ORG/NAME`` on the Hub, so that the card can say how to load the release from there.
    overwrite : bool
        Replace a complete folder of another command too. A file that its manifest does not list is never taken
        away.

    Returns
    -------
    Manifest
        What was written.

    Raises
    ------
    OutputError
        `out` holds something else than a build, or cannot be written.
    InputError, FileProblems, RenderError
        The locales do not give the configs asked for.
    """
    choose(configs, root)  # a wrong name is refused before the folder
    check_folder(Path(out), COMMAND, overwrite=overwrite)
    rendered = render(configs=configs, root=root, progress=progress, repo=repo)
    write_folder(Path(out), rendered.files, COMMAND, overwrite=overwrite)
    return rendered.manifest


def render(
    *,
    configs: Sequence[str] | None = None,
    root: str | Path | None = None,
    progress: Progress | None = None,
    repo: str | None = None,
) -> RenderedRelease:
    """Render a release in memory (see `build`, which writes it)."""
    import pyarrow as pa

    from eec_datasets.release import card, croissant

    chosen = choose(configs, root)
    entries: list[ConfigEntry] = []
    parquet: dict[str, bytes] = {}
    tables: dict[str, pa.Table] = {}
    names: dict[str, Saved | None] = {}
    for done, config in enumerate(chosen):
        if progress:
            progress(done, len(chosen), config.name)
        corpus = corpora.render(config.name, root=config.root)
        # As ``datasets`` declares them: nullable strings, no metadata.
        columns = {name: pa.array(values, pa.string()) for name, values in corpus.columns.items()}
        table = tables[config.name] = pa.table(columns)
        raw = parquet[_file(config)] = to_parquet(table)
        entries.append(_entry(config, corpus, table, raw))
        names[config.name] = covariates_of(config, corpus.columns, schema.axes_of(corpus.columns))
    if progress:
        progress(len(chosen), len(chosen), "")
    folder = Path(root) if root else locales_folder()
    facts = corpus_facts(folder)
    if folder.resolve() == shipped_folder().resolve():
        facts = {**facts, "authors": croissant.AUTHORS}
    tasks = benchmark.tasks_of(chosen)
    evaluation = benchmark.render(tasks).encode() if tasks else b""
    release = Manifest(
        str(facts["version"]),
        str(facts["pretty_name"]),
        str(facts["licence"]),
        tuple(entries),
        tasks=tuple(task.id for task in tasks),
        tasks_sha256=hashlib.sha256(evaluation).hexdigest() if tasks else "",
    )
    templates = {name: len(table["template"].unique()) for name, table in tables.items()}
    # The card comes first: a folder that lacks it would be loaded by guesswork, whatever happened to be written.
    files = {
        CARD: card.render(release, chosen, names, templates, facts, repo=repo).encode(),
        CROISSANT: croissant.render(release, facts, repo=repo).encode(),
        **parquet,
    }
    if tasks:
        files[benchmark.FILE] = evaluation
    return RenderedRelease(release, with_manifest(files, COMMAND, release.to_json().encode()), tables)


def choose(names: Sequence[str] | None, root: str | Path | None) -> list[Config]:
    """The configs of these names, each once, or all."""
    if names is None:
        return corpora.configs(root=root)
    if isinstance(names, str) or not names:
        raise InputError(f"configs is {names!r}; expected names of configs in a list, or None for all")
    return [corpora.find(name, root=root) for name in dict.fromkeys(names)]


def _file(config: Config) -> str:
    return f"{config.name}/{schema.SPLIT}.parquet"


def _entry(config: Config, corpus: RenderedCorpus, table: pa.Table, raw: bytes) -> ConfigEntry:
    review = corpora.review_of(config.locale, config.root)
    levels = {axis: dict.fromkeys(corpus.columns[axis]) for axis in corpus.axes}
    return ConfigEntry(
        name=config.name,
        language=config.language,
        about=config.about,
        axes={axis: tuple(level for level in some if level != UNMARKED) for axis, some in levels.items()},
        rows=table.num_rows,
        persons=dict(corpus.cells),
        columns=tuple(table.column_names),
        content_hash=schema.content_hash(table),
        file=_file(config),
        sha256=hashlib.sha256(raw).hexdigest(),
        file_bytes=len(raw),
        table_bytes=table.nbytes,
        locale_version=config.locale.version,
        review=review.level,
        review_sentence=review.sentence,
        native_readers=len({reader for said in review.held.values() for reader in said}),
        dropped=corpus.dropped,
    )


def to_parquet(table: pa.Table) -> bytes:
    """A table as parquet, with every option of the writer fixed so that it is the same bytes each time."""
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(
        table, sink, compression="zstd", compression_level=3, version="2.6", row_group_size=1 << 17, use_dictionary=True
    )
    return sink.getvalue()
