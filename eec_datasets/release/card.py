"""The dataset card: YAML that ``load_dataset`` obeys, and a page that answers what a reader should ask."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets import schema
from eec_datasets.documents import fill
from eec_datasets.grouping import grouped
from eec_datasets.locale.grammar import cldr
from eec_datasets.locale.names import TABLE_FILE
from eec_datasets.names.candidates import cells_in, load_table
from eec_datasets.names.covariates import covariates_text
from eec_datasets.names.summary import credits_of, set_text
from eec_datasets.release.croissant import AUTHORS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eec_datasets.corpora import Config
    from eec_datasets.locale.model import Locale
    from eec_datasets.names.covariates import Saved
    from eec_datasets.release.manifest import ConfigEntry, Manifest

TEMPLATE = Path(__file__).with_name("card.md.jinja")
DEFAULT_CONFIG = "en-black-white"
AXES_FILE = "axes.toml"
MANY = 12
TAGS = (
    "fairness", "bias", "equity-evaluation-corpus", "sentiment-analysis", "emotion", "intersectionality",
    "counterfactual", "croissant",
)  # fmt: skip
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
    filters = {
        "language_name": language_name,
        "word_statuses": _word_statuses,
        "persons": persons,
        "dropped": _dropped,
    }
    languages = grouped((config.language, config) for config in configs)
    body = fill(
        TEMPLATE,
        filters,
        manifest=manifest,
        templates=templates,
        repo=repo,
        authors=facts.get("authors"),
        program=AUTHORS,
        date=facts.get("date"),
        default=_default(manifest),
        locales=list({config.locale.tag: config.locale for config in configs}.values()),
        axes=_axes(manifest, configs),
        flag_meanings=facts["flags"],
        flagged={tag: _flagged(some) for tag, some in languages.items()},
        tables={tag: _names(some, names) for tag, some in languages.items()},
        lists=_lists(configs, names),
        papers=[paper["bibtex"].strip() for paper in facts["papers"]],
        columns=_columns(manifest),
    )
    return f"---\n{metadata(manifest, repo=repo).to_yaml()}\n---\n\n{body}"


def metadata(manifest: Manifest, *, repo: str | None = None) -> Any:
    """The YAML head as `huggingface_hub.DatasetCardData`.

    ``datasets`` takes the version from the entry in ``configs`` (one in ``dataset_info`` is ignored), and its cache
    knows a dataset by name, config, version and the bytes of this card; so the card carries every content hash.
    """
    from huggingface_hub import DatasetCardData

    tags = list(dict.fromkeys(config.language.split("-")[0] for config in manifest.configs))
    published: dict[str, Any] = {"repo": repo} if repo else {}
    return DatasetCardData(
        language=tags,
        license=manifest.licence,
        pretty_name=manifest.pretty_name,
        annotations_creators=["expert-generated"],
        language_creators=["machine-generated"],
        multilinguality=["multilingual" if len(tags) > 1 else "monolingual"],
        size_categories=[next((name for limit, name in SIZES if manifest.rows < limit), "1M<n<10M")],
        source_datasets=["original"],
        task_categories=["text-classification"],
        task_ids=["sentiment-classification", "sentiment-scoring"],
        tags=list(TAGS),
        version=manifest.version,
        content_hash=manifest.content_hash,
        configs=[_data_files(config, manifest) for config in manifest.configs],
        dataset_info=[_info(config) for config in manifest.configs],
        **published,
    )


def _default(manifest: Manifest) -> str:
    names = [config.name for config in manifest.configs]
    return DEFAULT_CONFIG if DEFAULT_CONFIG in names else next(iter(names), "")


def _data_files(config: ConfigEntry, manifest: Manifest) -> dict[str, Any]:
    return {
        "config_name": config.name,
        "version": manifest.version,
        "data_files": [{"split": schema.SPLIT, "path": config.file}],
        **({"default": True} if config.name == _default(manifest) else {}),
    }


def _info(config: ConfigEntry) -> dict[str, Any]:
    return {
        "config_name": config.name,
        "features": [{"name": column, "dtype": "string"} for column in config.columns],
        "splits": [{"name": schema.SPLIT, "num_bytes": config.table_bytes, "num_examples": config.rows}],
        "download_size": config.file_bytes,
        "dataset_size": config.table_bytes,
    }


def _word_statuses(locale: Locale) -> Counter[str]:
    """How many words of a language stand in which relation to the published lists."""
    return Counter(word.status for word in locale.words)


def _flagged(configs: Sequence[Config]) -> dict[str, list[str]]:
    """Names and phrases by what they are flagged with; axes cross a phrase with every level, so the first few."""
    names: dict[str, dict[str, None]] = {}
    for person in (person for config in configs for person in config.persons):
        for flag in person.flags:
            names.setdefault(flag, {})[person.roles["nom"]] = None
    return {flag: _first(list(flagged)) for flag, flagged in sorted(names.items())}


def _names(configs: Sequence[Config], names: Mapping[str, Saved | None]) -> dict[str, Any]:
    """The sets of names that configs of a language have, each with its evidence and evenness, and who is credited."""
    config = configs[0]
    if not (config.root / config.language / TABLE_FILE).exists() or not any(names[each.name] for each in configs):
        return {"sets": {}, "credits": []}
    table = load_table(config.language, config.root)
    used = {key for each in configs for key in each.spec.sets}
    sets = {key: set_text(table, rule, cells_in(table, rule)) for key, rule in table.sets.items() if key in used}
    return {"sets": sets, "credits": credits_of(table)}


def _lists(configs: Sequence[Config], names: Mapping[str, Saved | None]) -> dict[str, dict[str, str]]:
    """What the names of lists that no rule chose carry beside their group, by language and config."""
    texts: dict[str, dict[str, str]] = {}
    for config in configs:
        saved = names[config.name]
        if saved and saved["how"] == "listed":
            texts.setdefault(config.language, {})[config.name] = covariates_text(saved)
    return texts


def _first(names: list[str]) -> list[str]:
    more = len(names) - MANY
    where = "in persons.csv or names.csv or made from their phrases"
    return [*names[:MANY], *([f"and {more} more ({where})"] if more > 0 else [])]


def language_name(tag: str) -> str:
    """The English name of a language by CLDR, or the tag where it has none."""
    locale = cldr(tag)
    return (locale.get_display_name("en") if locale else None) or tag


def persons(config: ConfigEntry) -> str:
    """How many persons stand in each cell, in words; many cells of one size are counted, not listed."""
    sizes = set(config.persons.values())
    if len(config.persons) > MANY and len(sizes) == 1:
        return f"{sizes.pop()} in each of {len(config.persons)} groups"
    return ", ".join(f"{count} {cell}" for cell, count in config.persons.items())


def _axes(manifest: Manifest, configs: Sequence[Config]) -> dict[str, Any]:
    """What ``locales/axes.toml`` says of the axes that some config has."""
    import tomllib

    facts: dict[str, Any] = {}
    for path in dict.fromkeys(config.root / AXES_FILE for config in configs):
        facts |= tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    used = dict.fromkeys(axis for config in manifest.configs for axis in config.axes)
    return {axis: facts[axis] for axis in used if axis in facts}


def _columns(manifest: Manifest) -> list[tuple[str, str]]:
    names = dict.fromkeys(name for config in manifest.configs for name in config.columns)
    further = "a further identity axis, in the configs that have it; `unmarked` where the person has none"
    return [(name, schema.MEANING.get(name, further)) for name in names]


def _dropped(config: ConfigEntry) -> list[tuple[str, int]]:
    """Per pair, how many sentences are left out; the manifest has each with its reason."""
    counts = Counter[str]()
    for drop in config.dropped:
        counts[drop.pair or ", ".join(drop.persons)] += len(drop.persons)
    return sorted(counts.items())
