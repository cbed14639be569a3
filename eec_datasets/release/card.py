"""The dataset card: YAML that ``load_dataset`` obeys, and a page that answers what a reader should ask."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_bias.shared import grouped
from eec_datasets import schema
from eec_datasets.corpora import review_of
from eec_datasets.documents import fill
from eec_datasets.locale.grammar import cldr
from eec_datasets.names.candidates import cells_in
from eec_datasets.names.covariates import covariates_text
from eec_datasets.names.summary import credits_of, set_text
from eec_datasets.release.croissant import AUTHORS
from eec_datasets.release.facts import facts as shared
from eec_datasets.release.facts import statement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eec_datasets.corpora import Config
    from eec_datasets.names.covariates import Saved
    from eec_datasets.release.manifest import ConfigEntry, Manifest

HEAD = Path(__file__).with_name("card.json.jinja")
BODY = Path(__file__).with_name("card.md.jinja")
DEFAULT_CONFIG = "en-black-white"
AXES_FILE = "axes.toml"
MANY = 12
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def render(
    manifest: Manifest,
    configs: Sequence[Config],
    names: Mapping[str, Saved | None],
    templates: Mapping[str, int],
    facts: Mapping[str, Any],
    *,
    repo: str | None = None,
) -> str:
    """The text of ``README.md``.

    Parameters
    ----------
    manifest : Manifest
        What is released.
    configs : sequence of Config
        The same configs, with their locales.
    names : mapping
        What the names of each carry beside their group, see `eec_datasets.names.covariates.covariates_of`.
    templates : mapping
        How many templates each has.
    facts : mapping
        ``locales/corpus.toml``, with the authors if they are known.
    repo : str, optional
        ``ORG/NAME``, if it is to be published there.
    """
    languages = grouped((config.language, config) for config in configs)
    body = fill(
        BODY,
        {"language_name": language_name, "persons": persons, "dropped": _dropped},
        manifest=manifest,
        templates=templates,
        repo=repo,
        facts=facts,
        rai=statement(manifest),
        statement=shared()["statement"],
        program=AUTHORS,
        default=_default(manifest),
        task=_shown_task(manifest),
        locales=list({config.locale.tag: config.locale for config in configs}.values()),
        reviews={config.language: review_of(config.locale, config.root) for config in configs},
        axes=_axes(manifest, configs),
        shown={tag: _shown(some, names) for tag, some in languages.items()},
        meaning=schema.MEANING,
        many=MANY,
    )
    return f"---\n{metadata(manifest, repo=repo).to_yaml()}\n---\n\n{body}"


def metadata(manifest: Manifest, *, repo: str | None = None) -> Any:
    """The YAML head as `huggingface_hub.DatasetCardData`.

    ``datasets`` takes the version from the entry in ``configs`` (one in ``dataset_info`` is ignored), and its cache
    knows a dataset by name, config, version and the bytes of this card; so the card carries every content hash.
    """
    from huggingface_hub import DatasetCardData

    languages = list(dict.fromkeys(config.language.partition("-")[0] for config in manifest.configs))
    size = next((name for limit, name in SIZES if manifest.rows < limit), "1M<n<10M")
    values = {"languages": languages, "size": size, "split": schema.SPLIT, "default": _default(manifest), "repo": repo}
    return DatasetCardData(**json.loads(fill(HEAD, manifest=manifest, **values)))


def _default(manifest: Manifest) -> str:
    names = [config.name for config in manifest.configs]
    return DEFAULT_CONFIG if DEFAULT_CONFIG in names else next(iter(names), "")


def _shown_task(manifest: Manifest) -> str:
    """The task that stands as an example: an English one where there is one."""
    english = [task for task in manifest.tasks if task.startswith("en-")]
    return next(iter([*english, *manifest.tasks]), "")


def _shown(configs: Sequence[Config], names: Mapping[str, Saved | None]) -> dict[str, Any]:
    """Return what is told of the persons of a language: the flagged ones, what names carry, who is credited."""
    config = configs[0]
    flags = grouped((flag, each.roles["nom"]) for config in configs for each in config.persons for flag in each.flags)
    listed = {each.name: names[each.name] for each in configs}
    shown: dict[str, Any] = {
        # Axes cross a phrase with every level.
        "flagged": {flag: list(dict.fromkeys(flagged)) for flag, flagged in sorted(flags.items())},
        "lists": {name: covariates_text(saved) for name, saved in listed.items() if saved and saved["how"] == "listed"},
        "sets": {},
        "credits": [],
    }
    table = config.locale.names
    if table is not None and any(listed.values()):
        used = {key for each in configs for key in each.spec.sets}
        rules = {key: rule for key, rule in table.sets.items() if key in used}
        shown["sets"] = {key: set_text(table, rule, cells_in(table, rule)) for key, rule in rules.items()}
        shown["credits"] = credits_of(table)
    return shown


def language_name(tag: str) -> str:
    """The English name of a language by CLDR, or the tag where it has none."""
    locale = cldr(tag)
    return (locale.get_display_name("en") if locale else None) or tag


def persons(config: ConfigEntry) -> str:
    """Return how many persons stand in each cell, in words; many cells of one size are counted, not listed."""
    sizes = set(config.persons.values())
    if len(config.persons) > MANY and len(sizes) == 1:
        return f"{sizes.pop()} in each of {len(config.persons)} groups"
    return ", ".join(f"{count} {cell}" for cell, count in config.persons.items())


def _axes(manifest: Manifest, configs: Sequence[Config]) -> dict[str, Any]:
    """Return what ``locales/axes.toml`` says of the axes that some config has."""
    import tomllib

    facts: dict[str, Any] = {}
    for path in dict.fromkeys(config.root / AXES_FILE for config in configs):
        facts |= tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    used = dict.fromkeys(axis for config in manifest.configs for axis in config.axes)
    return {axis: facts[axis] for axis in used if axis in facts}


def _dropped(config: ConfigEntry) -> list[tuple[str, int]]:
    """Per pair, how many sentences are left out; the manifest has each with its reason."""
    counts = Counter[str]()
    for drop in config.dropped:
        counts[drop.pair or ", ".join(drop.persons)] += len(drop.persons)
    return sorted(counts.items())
