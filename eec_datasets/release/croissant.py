"""Croissant metadata of a release: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets import schema
from eec_datasets.documents import fill

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.release.manifest import Manifest

LICENCES: Final = {"cc-by-4.0": "https://creativecommons.org/licenses/by/4.0/"}
AUTHORS: Final = "The eec-datasets authors"
TEMPLATE: Final = Path(__file__).with_name("croissant.json.jinja")


def render(manifest: Manifest, facts: Mapping[str, Any], *, repo: str | None = None) -> str:
    """The text of ``croissant.json``, with the SHA-256 of every file.

    A build names its files relative to this one; a release by their address on the Hub under its own tag, so that the
    text means the same files wherever it is read.

    Parameters
    ----------
    manifest : Manifest
        What is released.
    facts : mapping
        ``locales/corpus.toml``: the papers, the date of the release if it has one, and the authors if they are known.
    repo : str, optional
        ``ORG/NAME`` on the Hub.
    """
    text = fill(TEMPLATE, manifest=manifest, facts=facts, repo=repo, licences=LICENCES, meaning=schema.MEANING)
    content = json.loads(text) | _responsible(manifest, facts)
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _responsible(manifest: Manifest, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of responsible AI and of provenance."""
    from eec_datasets import __version__
    from eec_datasets.release.facts import GENERATED_BY, statement
    from eec_datasets.release.facts import facts as shared

    told = {f"rai:{key}": value for key, value in statement(manifest).items()}
    sources = [shared()["sources"][paper["key"]] for paper in facts["papers"] if paper["key"] in shared()["sources"]]
    activity = {
        "@type": "prov:Activity",
        "prov:label": GENERATED_BY,
        "prov:wasAssociatedWith": {"@type": "prov:SoftwareAgent", "prov:label": f"eec-datasets {__version__}"},
    }
    provenance: dict[str, Any] = {"prov:wasGeneratedBy": activity}
    if sources:
        provenance["prov:wasDerivedFrom"] = [{"@id": address} for address in sources]
    return told | provenance
