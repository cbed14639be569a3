"""Croissant metadata of a release: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets import schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.release.manifest import ConfigEntry, Manifest

LICENCES: Final = {"cc-by-4.0": "https://creativecommons.org/licenses/by/4.0/"}
AUTHORS: Final = "The eec-datasets authors"
SAME: Final = Path(__file__).with_name("croissant.json")
"""What every release says: what the keys mean, as the specification prints it, and which keys there are."""


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
    page = f"https://huggingface.co/datasets/{repo}" if repo else "https://huggingface.co/datasets"
    base = f"{page}/resolve/v{manifest.version}/" if repo else ""
    data: dict[str, Any] = json.loads(SAME.read_text(encoding="utf-8"))
    data |= {
        "alternateName": manifest.pretty_name,
        "description": "Sentences that differ only in the person mentioned, to find out whether a sentiment, emotion "
        f"or toxicity system scores people differently. Content hash {manifest.content_hash}.",
        "version": manifest.version,
        "license": LICENCES.get(manifest.licence, manifest.licence),
        "url": page,
        "inLanguage": list(dict.fromkeys(config.language for config in manifest.configs)),
        "citeAs": "\n\n".join(paper["bibtex"].strip() for paper in facts["papers"]),
        "distribution": [_file(config, base) for config in manifest.configs],
        "recordSet": [_records(config) for config in manifest.configs],
    }
    if "authors" in facts:
        data["creator"]["name"] = facts["authors"]
    else:
        del data["creator"]
    if "date" in facts:
        data["datePublished"] = str(facts["date"])
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _file(config: ConfigEntry, base: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{config.name}.parquet",
        "name": f"{config.name}.parquet",
        "description": config.about,
        "contentUrl": f"{base}{config.file}",
        "contentSize": f"{config.file_bytes} B",
        "encodingFormat": "application/x-parquet",
        "sha256": config.sha256,
    }


def _records(config: ConfigEntry) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": config.name,
        "name": config.name,
        "description": f"{config.about} {config.rows} sentences, content hash {config.content_hash}.",
        "key": {"@id": f"{config.name}/id"},
        "field": [_field(config, column) for column in config.columns],
    }


def _field(config: ConfigEntry, column: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{config.name}/{column}",
        "name": column,
        "description": schema.MEANING.get(column, "a further identity axis"),
        "dataType": "sc:Text",
        "source": {"fileObject": {"@id": f"{config.name}.parquet"}, "extract": {"column": column}},
    }
