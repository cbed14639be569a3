"""Facts about a release for its card and its Croissant metadata, from one source."""

from __future__ import annotations

import copy
import functools
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.release.manifest import Manifest

FILE: Final = Path(__file__).with_name("facts.toml")
GENERATED_BY: Final = "eec build"


@functools.cache
def facts() -> Mapping[str, Mapping[str, Any]]:
    """Return what holds of every release, by table and key of ``facts.toml``."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def statement(manifest: Manifest) -> dict[str, Any]:
    """Return the facts of ``[rai]`` by key, with what differs between releases."""
    told: dict[str, Any] = copy.deepcopy(dict(facts()["rai"]))
    axes = list(dict.fromkeys(axis for config in manifest.configs for axis in config.axes))
    personal = [facts()["personal"][axis] for axis in axes if axis in facts()["personal"]]
    named = f"Identity axes of this release: {', '.join(axes)}."
    told["personalSensitiveInformation"] = [*personal, *told["personalSensitiveInformation"], named]
    reviews = {config.language: config.review_sentence for config in manifest.configs}
    read = "; ".join(f"{language}: {sentence}" for language, sentence in reviews.items())
    told["dataAnnotationProtocol"] += f" Who has read the sentences, by language: {read}."
    if drafts := [config.language for config in manifest.configs if config.review == "draft"]:
        told["dataLimitations"].append(
            f"In these languages only the writer has read all sentences: {', '.join(dict.fromkeys(drafts))}."
        )
    if unread := [config.language for config in manifest.configs if not config.native_readers]:
        told["dataLimitations"].append(f"No native speaker has reviewed: {', '.join(dict.fromkeys(unread))}.")
    if read_in_part := [config.language for config in manifest.configs if config.native_readers]:
        languages = ", ".join(dict.fromkeys(read_in_part))
        told["dataLimitations"].append(f"Native speakers have judged only some of the sentences of: {languages}.")
    return told
