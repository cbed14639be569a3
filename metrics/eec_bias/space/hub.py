"""Corpora from a released dataset, on the Hub or in a folder, for the page in a Space."""

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from eec_bias.inputs.fingerprint import content_hash
from eec_bias.space.corpora import CorporaError, Corpus, Upload
from eec_bias.space.uploads import read_upload

MANIFEST = "manifest.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class HubCorpora:
    """The configs of one release.

    Attributes
    ----------
    dataset
        ``ORG/NAME``, or a folder made by ``eec build``.
    revision
        Tag of the release; None for a folder.
    manifest
        Its ``manifest.json``.
    """

    dataset: str
    revision: str | None
    manifest: Mapping[str, Any]
    _opened: Callable[[str], Corpus] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A few at a time: a config has up to 60,000 rows, and a Space little memory.
        object.__setattr__(self, "_opened", lru_cache(4)(self._load))

    @property
    def where(self) -> str:
        """One sentence for the page: where the corpora come from."""
        at = f" at {self.revision}" if self.revision else ""
        return f"The corpora are release {self.manifest['version']} of the dataset {self.dataset}{at}."

    def choices(self) -> list[tuple[str, str]]:
        """Return a label and a name per config, in the order of the release."""
        return [(f"{entry['name']} ({entry['language']})", entry["name"]) for entry in self.manifest["configs"]]

    def open(self, name: str) -> Corpus:
        """Return one config; it is loaded once.

        Raises
        ------
        CorporaError
            The release has no such config, it cannot be loaded, or what is loaded is not what was released.
        """
        return self._opened(name)

    def read(self, path: Path, corpus: Corpus, score_range: tuple[float, float]) -> Upload:
        """Read an uploaded file (see `read_upload`)."""
        return read_upload(path, corpus, score_range)

    def _load(self, name: str) -> Corpus:
        entry = next((entry for entry in self.manifest["configs"] if entry["name"] == name), None)
        if entry is None:
            known = ", ".join(entry["name"] for entry in self.manifest["configs"])
            raise CorporaError(f"no config {name!r} in release {self.manifest['version']}; there are: {known}")
        table = self._rows(name)
        found = content_hash(table)
        if found != entry["content_hash"]:
            # `datasets` can hand out other rows than asked for: an old cache, or another revision while offline.
            raise CorporaError(
                f"{name} was loaded with content {found[:8]}, and release {self.manifest['version']} of {self.dataset} "
                f"has {entry['content_hash'][:8]}; empty the cache of `datasets` and start again"
            )
        return Corpus(
            name=name,
            version=self.manifest["version"],
            language=entry["language"],
            about=entry["about"],
            review=entry["review_sentence"],
            persons=entry["persons"],
            table=table,
        )

    def _rows(self, name: str) -> Any:
        import datasets

        try:
            found = datasets.load_dataset(self.dataset, name, split="test", revision=self.revision)
        except Exception as error:
            raise CorporaError(
                f"{name} cannot be loaded from {self.dataset} ({type(error).__name__}: {error}); try again later"
            ) from error
        return found.data.table


def from_environment(environment: Mapping[str, str] = os.environ) -> HubCorpora:
    """Find the dataset of this Space.

    Parameters
    ----------
    environment
        ``EEC_DATASET`` names it (``ORG/NAME`` or a folder), else it is the dataset ``eec`` of the Space's owner;
        ``EEC_REVISION`` names its tag, else the newest ``vX.Y.Z`` is taken.

    Raises
    ------
    CorporaError
        No dataset is named, or it cannot be had.
    """
    owner = environment.get("SPACE_ID", "").partition("/")[0]
    dataset = environment.get("EEC_DATASET") or (f"{owner}/eec" if owner else "")
    if not dataset:
        raise CorporaError(
            "no dataset is named; set EEC_DATASET to ORG/NAME or to a folder made by `eec build`, for example "
            "EEC_DATASET=build/eec"
        )
    if Path(dataset).is_dir():
        return HubCorpora(dataset, None, _manifest(Path(dataset) / MANIFEST, dataset))
    try:
        revision = environment.get("EEC_REVISION") or _newest(dataset)
        path = _download(dataset, revision)
    except CorporaError:
        raise
    except Exception as error:
        raise CorporaError(
            f"the dataset {dataset} cannot be had from the Hub ({type(error).__name__}: {error}); set EEC_DATASET and "
            "EEC_REVISION to a release that is there"
        ) from error
    return HubCorpora(dataset, revision, _manifest(path, dataset))


def _newest(dataset: str) -> str:
    """Return the tag of the newest release."""
    from huggingface_hub import HfApi

    tags = [ref.name for ref in HfApi().list_repo_refs(dataset, repo_type="dataset").tags]
    found = [tag for tag in tags if re.fullmatch(r"v\d+\.\d+\.\d+", tag)]
    if not found:
        raise CorporaError(f"the dataset {dataset} has no release, that is, no tag such as v1.0.0")
    return max(found, key=lambda tag: tuple(map(int, tag[1:].split("."))))


def _download(dataset: str, revision: str) -> Path:
    from huggingface_hub import hf_hub_download

    return Path(hf_hub_download(dataset, MANIFEST, repo_type="dataset", revision=revision))


def _manifest(path: Path, dataset: str) -> Mapping[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorporaError(
            f"{dataset} has no readable {MANIFEST} ({error}); expected a release made by `eec build`"
        ) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise CorporaError(
            f"{dataset}: {MANIFEST} is not of format {FORMAT}, the one this page reads; expected a release made by "
            "`eec build`"
        )
    return found
