"""``eec diff``: two releases found by name, wherever they are, and compared."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets import corpora, release
from eec_datasets.errors import EecError
from eec_datasets.hub.remote import Remote
from eec_datasets.release import diffing, manifest

if TYPE_CHECKING:
    import pyarrow as pa

    from eec_datasets.release.diffing import Diff

NOW = "the locales now"


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
    remote = Remote(found[1], "dataset", state="Nothing was changed")
    with tempfile.TemporaryDirectory(prefix="eec-diff-") as folder:
        remote.download(found[2], Path(folder), ["*.parquet", manifest.FILE])
        return release.tables(folder, manifest.read(folder).configs)
