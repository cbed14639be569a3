"""Loading a release and making sure that it is the one asked for.

The libraries below can return something else without an error: ``load_dataset`` an older copy from its cache, or,
where the Hub cannot be reached, another revision; ``evaluate.load`` the newest cached metric. These functions load in
the same way, compare what came with what the release says of itself, and say so where it differs.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets import release, schema
from eec_datasets.errors import EecError
from eec_datasets.release import manifest, versions

if TYPE_CHECKING:
    import datasets

    from eec_datasets.release.manifest import Manifest


class GuardError(EecError):
    """A release was not loaded, because it is not, or may not be, the one asked for."""


class WrongRelease(GuardError):
    """What was loaded is not what was asked for."""


class CannotCheck(GuardError):
    """The release's own description cannot be had, so that nothing can be said of what would be loaded."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a release says one of its configs is.

    Attributes
    ----------
    where : str
        A folder, or ``ORG/NAME@REVISION``.
    local : bool
        Whether it is a folder.
    config, version, content_hash : str
        Of the config, by the manifest.
    """

    where: str
    local: bool
    config: str
    version: str
    content_hash: str

    def __str__(self) -> str:
        return f"{self.config}@{self.version}#{self.content_hash[:8]}"


def load(where: str | Path, config: str, *, revision: str | None = None) -> datasets.Dataset:
    """Load a config from a build folder or from the Hub, as ``load_dataset`` does, and check it.

    Parameters
    ----------
    where : str or Path
        A folder made by ``eec build``, or ``ORG/NAME`` on the Hub.
    config : str
        Name of a config.
    revision : str, optional
        Tag, branch or commit on the Hub. A tag ``vX.Y.Z`` must hold version X.Y.Z.

    Raises
    ------
    WrongRelease
        ``datasets`` gave other rows or another version: an older copy from its cache, or another revision because the
        Hub could not be reached.
    CannotCheck
        The manifest of the revision can neither be downloaded nor found in the cache.
    ManifestError, BuildError
        The folder is not a build, or is damaged.
    """
    import datasets

    expected = expect(where, config, revision=revision)
    found = datasets.load_dataset(str(where), config, split=schema.SPLIT, revision=revision)
    check(found, expected)
    return found


def expect(where: str | Path, config: str, *, revision: str | None = None) -> Expected:
    """What a release says of one of its configs (see `load`)."""
    made = describe(where, revision=revision)
    local = Path(where).is_dir()
    if local:
        release.read_table(where, made.config(config))
    name = f"{where}@{revision}" if revision else str(where)
    return Expected(name, local, config, made.version, made.config(config).content_hash)


def describe(where: str | Path, *, revision: str | None = None) -> Manifest:
    """What a release says of itself: the manifest of a build folder or of a revision on the Hub (see `load`)."""
    if not Path(where).is_dir():
        return _remote_manifest(str(where), revision)
    if revision is not None:
        raise WrongRelease(f"{where} is a folder, which has no revisions; revision='{revision}' was asked for")
    return manifest.read(where)


def check(ds: datasets.Dataset, expected: Expected) -> None:
    """Refuse a dataset that is not the whole config of the release it should be from.

    Raises
    ------
    WrongRelease
        The version or the rows differ.
    """
    version = str(ds.info.version)
    found = schema.content_hash(ds.with_format("arrow")[:])
    if (version, found) == (expected.version, expected.content_hash):
        return
    copies = sorted({str(Path(file["filename"]).parent) for file in ds.cache_files})
    where = f" ({', '.join(copies)})" if copies else ""
    why = (
        f"an older build from its cache{where}. Remove that copy and load it again"
        if expected.local
        else f"another revision from its cache{where}, because the Hub could not be reached. Load it again with the "
        "Hub in reach"
    )
    raise WrongRelease(
        f"{expected.where} holds {expected}, and datasets gave {expected.config}@{version}#{found[:8]}: {why}"
    )


def load_metric(where: str, *, revision: str, **options: Any) -> Any:
    """Load the metric from the Hub at a tag, and refuse another version of it.

    Parameters
    ----------
    where : str
        ``ORG/eec_bias``.
    revision : str
        A tag ``vX.Y.Z``.
    **options
        For ``evaluate.load``, such as ``axes=("race", "gender")``.

    Raises
    ------
    WrongRelease
        ``evaluate`` gave another version: without the Hub it takes the newest cached copy.
    """
    import evaluate

    wanted = versions.parse_tag(revision)
    metric = evaluate.load(where, revision=revision, module_type="metric", **options)
    found = getattr(sys.modules[type(metric).__module__], "VERSION", "unknown")
    if found != str(wanted):
        raise WrongRelease(
            f"{where} was asked for at {revision}, and evaluate gave version {found}: the newest copy in its cache, "
            "because the Hub could not be reached or has no such tag. Load it again with the Hub in reach"
        )
    return metric


def _remote_manifest(repo: str, revision: str | None) -> Manifest:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    if re.fullmatch(r"[\w.-]+/[\w.-]+", repo) is None or revision == "":
        asked = f"'{repo}'" if revision is None else f"'{repo}' at revision '{revision}'"
        raise CannotCheck(f"{asked} is neither a folder that is there nor a release on the Hub (ORG/NAME at v1.0.0)")
    name = f"{repo} at {revision}" if revision else repo
    try:
        path = hf_hub_download(repo, manifest.FILE, repo_type="dataset", revision=revision)
    except LocalEntryNotFoundError as error:
        raise CannotCheck(
            f"the Hub cannot be reached, and the manifest of {name} is not in the cache, so that the rows could be "
            "those of another revision. Load it once with the Hub in reach"
        ) from error
    except (HfHubHTTPError, HFValidationError) as error:
        raise CannotCheck(
            f"{name} has no {manifest.FILE} that can be read: there is no such folder, repository or revision, the "
            "token may not see it, or eec publish did not make it. Check the name and the revision"
        ) from error
    made = manifest.from_json(Path(path).read_text(encoding="utf-8"), f"{name}/{manifest.FILE}")
    if revision and [str(found) for found in versions.released([revision])] not in ([], [made.version]):
        raise WrongRelease(f"{name} says that it is version {made.version}. The tag was not set by eec publish")
    return made
