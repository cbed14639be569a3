"""Releases found by name, wherever they are: a build folder, a revision on the Hub, or what the locales give now."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets import corpora
from eec_datasets.errors import EecError
from eec_datasets.files import write_over
from eec_datasets.hub.repository import Repository
from eec_datasets.release import building, diff, manifest
from eec_datasets.release.building import RenderedRelease

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from eec_datasets.release.diff import Diff

NOW = "the locales now"
CHECK = "Check the name and the revision"


class SourceError(EecError):
    """What was named is neither a build folder nor a release on the Hub."""


def difference(old: str, new: str | None = None, *, root: str | Path | None = None) -> Diff:
    """What changed from one release to another.

    Parameters
    ----------
    old, new : str
        A folder made by `eec build`, or ``ORG/NAME@REVISION`` on the Hub. `new` None: what the locales give now.
    root : str or Path, optional
        Folder of locales for `new` None.

    Raises
    ------
    SourceError, ManifestError, BuildError, HubError
        One of them cannot be found or read.
    """
    before = open_release(old)
    after = open_release(new) if new else {config.name: corpora.table(config) for config in corpora.configs(root=root)}
    return diff.compare(before, after, old_name=old, new_name=new or NOW)


def open_release(name: str) -> Mapping[str, pa.Table]:
    """The rows of every config of a release, checked against its manifest.

    Raises
    ------
    SourceError
        `name` is no folder and not of the form ``ORG/NAME@REVISION``.
    """
    if Path(name).is_dir():
        return manifest.tables(name, manifest.read(name).configs)
    parts = re.fullmatch(r"([\w.-]+/[\w.-]+)@([\w./-]+)", name)
    if parts is None:
        raise SourceError(
            f"'{name}' is not a folder, and not a release on the Hub (ORG/NAME@REVISION, such as my-org/eec@v1.0.0)"
        )
    return download(Repository(parts[1], "dataset", state="Nothing was changed"), parts[2]).tables


def download(repository: Repository, revision: str, mend: str = CHECK) -> RenderedRelease:
    """Fetch a release, past every cache, and check its rows against its manifest; all but its card and Croissant.

    What can be done about one that is none stands in `mend`.

    Raises
    ------
    HubError
        There is no such revision, it is no release, or a damaged one.
    """
    if manifest.FILE not in repository.files(revision):
        raise repository.fail(
            f"{repository.name} at {revision} has no {manifest.FILE}, so it is not a release that eec publish made",
            mend,
        )
    files = repository.read(revision, ["*.parquet", manifest.FILE, building.CHANGELOG])
    with repository.explain(f"reading {revision}"), tempfile.TemporaryDirectory(prefix="eec-publish-") as folder:
        write_over({Path(folder) / name: raw for name, raw in files.items()})
        try:
            release = manifest.read(folder)
            tables = manifest.tables(folder, release.configs)
        except (manifest.ManifestError, manifest.BuildError) as error:
            # Its first sentence says what is wrong; the path and the advice are those for a folder of one's own.
            damage = str(error).replace(f"{folder}/", "").partition(". ")[0]
            raise repository.fail(
                f"{repository.name} at {revision} is damaged or was not made by eec publish ({damage})",
                mend,
            ) from error
    return RenderedRelease(release, files, tables)
