"""Loading a release and making sure that it is the one asked for.

The libraries below can return something else without an error: ``load_dataset`` an older copy from its cache, or,
where the Hub cannot be reached, another revision; ``evaluate.load`` the newest cached metric. These functions load in
the same way, compare what came with what the release says of itself, and say so where it differs.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_bias.shared import MANIFEST
from eec_datasets import corpora, schema
from eec_datasets.errors import InputError, Unavailable
from eec_datasets.release import manifest, versions

if TYPE_CHECKING:
    import datasets

    from eec_datasets.release.manifest import Manifest


def load(
    where: str | Path, config: str, *, revision: str | None = None, cache_dir: str | Path | None = None
) -> datasets.Dataset:
    """Load a config from a build folder or from the Hub, as ``load_dataset`` does, and check it.

    Where the Hub cannot be reached and ``load_dataset`` takes another revision, the rows asked for are read from the
    cache of the Hub if they are there.

    Parameters
    ----------
    where : str or Path
        A folder made by ``eec build``, or ``ORG/NAME`` on the Hub.
    config : str
        Name of a config.
    revision : str, optional
        Tag, branch or commit on the Hub. A tag ``vX.Y.Z`` must hold version X.Y.Z.
    cache_dir : str or Path, optional
        Of ``datasets``, if not its own.

    Raises
    ------
    InputError
        ``datasets`` gave other rows or another version: an older copy from its cache, or another revision because the
        Hub could not be reached, and the one asked for is not in the cache.
    Unavailable
        The manifest of the revision can neither be downloaded nor found in the cache.
    InputError
        The folder is not a build, or is damaged.
    """
    import datasets

    local = Path(where).is_dir()
    release = describe(where, revision=revision)
    entry = release.config(config)
    if local:
        manifest.read_table(where, entry)
    loaded = datasets.load_dataset(str(where), config, split=schema.SPLIT, revision=revision, cache_dir=cache_dir)
    version, content = str(loaded.info.version), schema.content_hash(loaded.data.table)
    if (version, content) == (release.version, entry.content_hash):
        return loaded
    if not local:
        from huggingface_hub import hf_hub_download

        path = hf_hub_download(str(where), MANIFEST, repo_type="dataset", revision=revision, local_files_only=True)
        with contextlib.suppress(InputError):
            rows = manifest.read_table(Path(path).parent, entry)
            return corpora.dataset_of(rows, config, release.version, entry.about)
    copies = ", ".join(sorted({str(Path(file["filename"]).parent) for file in loaded.cache_files}))
    cause = (
        f"an older build from its cache ({copies}). Remove that copy and load it again"
        if local
        else f"another revision from its cache ({copies}), because the Hub could not be reached. Load it again with "
        "the Hub in reach"
    )
    raise InputError(
        f"{where}{f'@{revision}' if revision else ''} holds {config}@{release.version}#{entry.content_hash[:8]}, and "
        f"datasets gave {config}@{version}#{content[:8]}: {cause}"
    )


def describe(where: str | Path, *, revision: str | None = None) -> Manifest:
    """Return what a release says of itself: the manifest of a folder, or of a revision on the Hub (see `load`)."""
    if Path(where).is_dir():
        if revision is not None:
            raise InputError(f"{where} is a folder, which has no revisions; revision '{revision}' was asked for")
        return manifest.read(where)
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    repo = str(where)
    if re.fullmatch(r"[\w.-]+/[\w.-]+", repo) is None or revision == "":
        request = f"'{repo}'" if revision is None else f"'{repo}' at revision '{revision}'"
        raise Unavailable(f"{request} is neither an existing folder nor a release on the Hub (ORG/NAME at v1.0.0)")
    name = f"{repo} at {revision}" if revision else repo
    try:
        path = hf_hub_download(repo, MANIFEST, repo_type="dataset", revision=revision)
    except LocalEntryNotFoundError as error:
        raise Unavailable(
            f"the Hub cannot be reached, and the manifest of {name} is not in the cache, so that the rows could be "
            "those of another revision. Load it once with the Hub in reach"
        ) from error
    except (HfHubHTTPError, HFValidationError) as error:
        raise Unavailable(
            f"{name} has no {MANIFEST} that can be read: there is no such folder, repository or revision, the "
            "token may not see it, or eec publish did not make it. Check the name and the revision"
        ) from error
    release = manifest.from_json(Path(path).read_bytes(), f"{name}/{MANIFEST}")
    if revision and [str(tag) for tag in versions.released([revision])] not in ([], [release.version]):
        raise InputError(f"{name} says that it is version {release.version}. The tag was not set by eec publish")
    return release


def load_metric(where: str, *, revision: str, **options: Any) -> Any:
    """Load the metric from the Hub at a tag, and refuse another version of its module.

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
    InputError
        ``evaluate`` gave another version: without the Hub it takes the newest cached copy.
    """
    import evaluate

    expected = versions.parse_tag(revision)
    try:
        metric = evaluate.load(where, revision=revision, module_type="metric", **options)
        version = getattr(metric, "module_version", "unknown")
    except ImportError as error:
        # Another version of the module may need another package, and says so when it is loaded.
        cached = re.match(r"this evaluate module, ([\d.]+),", str(error))
        if cached is None or cached[1] == str(expected):
            raise
        version = cached[1]
    if version != str(expected):
        raise InputError(
            f"{where} was asked for at {revision}, and evaluate gave version {version}: the newest copy in its cache, "
            "because the Hub could not be reached or has no such tag. Load it again with the Hub in reach"
        )
    return metric
