"""``eec diff``: two releases found by name, wherever they are, and compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets import corpora, release
from eec_datasets.errors import EecError
from eec_datasets.hub.remote import Remote
from eec_datasets.hub.uploading import scratch
from eec_datasets.release import building, diffing, manifest

if TYPE_CHECKING:
    import pyarrow as pa

    from eec_datasets.release.diffing import Diff
    from eec_datasets.release.manifest import Manifest

NOW = "the locales now"


class SourceError(EecError):
    """What was named is neither a build folder nor a release on the Hub."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release as it is on the Hub: what it says of itself, its rows by config, its changelog if it has one."""

    manifest: Manifest
    tables: dict[str, pa.Table]
    changelog: str | None


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
    after = open_release(new) if new else rendered(root)
    return diffing.compare(before, after, old_name=old, new_name=new or NOW)


def rendered(root: str | Path | None = None) -> dict[str, pa.Table]:
    """The rows of every config as the locales give them now."""
    return {
        config.name: corpora.table(config.name, root=root).replace_schema_metadata(None)
        for config in corpora.configs(root=root)
    }


def open_release(name: str) -> dict[str, pa.Table]:
    """The rows of every config of a release, checked against its manifest.

    Raises
    ------
    SourceError
        `name` is no folder and not of the form ``ORG/NAME@REVISION``.
    """
    if Path(name).is_dir():
        return release.tables(name, manifest.read(name).configs)
    found = re.fullmatch(r"([\w.-]+/[\w.-]+)@([\w./-]+)", name)
    if found is None:
        raise SourceError(
            f"'{name}' is not a folder, and not a release on the Hub (ORG/NAME@REVISION, such as my-org/eec@v1.0.0)"
        )
    return download(Remote(found[1], "dataset", state="Nothing was changed"), found[2]).tables


def download(remote: Remote, revision: str) -> Release:
    """Fetch a release, past every cache, and check its rows against its manifest.

    Raises
    ------
    HubError
        There is no such revision, it is no release, or a damaged one.
    """
    if manifest.FILE not in remote.files(revision):
        raise remote.fail(
            f"{remote.repo} at {revision} has no {manifest.FILE}, so it is not a release that eec publish made",
            "Check the name and the revision",
        )
    with remote.told(f"making room for {revision[:12]}"), scratch() as name:
        folder = Path(name)
        remote.download(revision, folder, ["*.parquet", manifest.FILE, building.CHANGELOG])
        log = folder / building.CHANGELOG
        try:
            made = manifest.read(folder)
            tables = release.tables(folder, made.configs)
        except (manifest.ManifestError, building.BuildError) as error:
            # Its first sentence says what is wrong; the path and the advice are those for a folder of one's own.
            what = str(error).replace(f"{folder}/", "").partition(". ")[0]
            raise remote.fail(
                f"{remote.repo} at {revision} is damaged or was not made by eec publish ({what})",
                "Check the name and the revision",
            ) from error
        return Release(made, tables, log.read_text(encoding="utf-8") if log.exists() else None)
