"""Releases read back from the Hub."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from eec_bias.shared import MANIFEST, write_over
from eec_datasets.errors import InputError
from eec_datasets.release import building, manifest
from eec_datasets.release.building import RenderedRelease

if TYPE_CHECKING:
    from eec_datasets.hub.repository import Repository

CHECK = "Check the name and the revision"


def download(repository: Repository, revision: str, fix: str = CHECK) -> RenderedRelease:
    """Fetch a release, past every cache, and check its rows against its manifest; all but its card and Croissant.

    What can be done about one that is none stands in `fix`.

    Raises
    ------
    Unavailable
        There is no such revision, it is no release, or a damaged one.
    """
    if MANIFEST not in repository.files(revision):
        raise repository.fail(
            f"{repository.name} at {revision} has no {MANIFEST}, so it is not a release that eec publish made",
            fix,
        )
    files = repository.read(revision, ["*.parquet", MANIFEST, building.CHANGELOG])
    with repository.explain(f"reading {revision}"), tempfile.TemporaryDirectory(prefix="eec-publish-") as folder:
        write_over({Path(folder) / name: raw for name, raw in files.items()})
        try:
            release = manifest.read(folder)
            tables = manifest.tables(folder, release.configs)
        except InputError as error:
            # Its first sentence says what is wrong; the path and the advice are those for a folder of one's own.
            damage = str(error).replace(f"{folder}/", "").partition(". ")[0]
            raise repository.fail(
                f"{repository.name} at {revision} is damaged or was not made by eec publish ({damage})",
                fix,
            ) from error
    return RenderedRelease(release, files, tables)
