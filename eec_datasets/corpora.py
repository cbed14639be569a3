"""Configs: which persons meet which items, rendered to rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import compress
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

from eec_bias.shared import did_you_mean
from eec_datasets import schema
from eec_datasets.errors import FileProblems, InputError, RenderError
from eec_datasets.locale.model import UNMARKED
from eec_datasets.locale.reading import corpus_facts, load_locale, locales_folder, stamp_of, tags
from eec_datasets.locale.reviews import status_of
from eec_datasets.render.choice import choose
from eec_datasets.render.items import items_of
from eec_datasets.render.part import part_for_placebo, part_of_items, part_of_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa
    from datasets import Dataset

    from eec_datasets.locale.model import ConfigSpec, Locale, Person
    from eec_datasets.locale.reviews import ReaderReview, ReviewStatus, SentenceKey
    from eec_datasets.render.choice import Choice
    from eec_datasets.render.items import Dropped, Item

ALWAYS = ("gender", "race")
"""The axes that have a column in every config, marked or not."""


PLACEBO = "placebo"
"""The type of persons in the rows that have a neutral word in place of one for a group."""

PAPER = "paper"
"""The words of the papers' corpora without those that were added, so that corpora have the papers' sizes."""


@dataclass(frozen=True)
class Config:
    """One corpus of one language, such as ``es-anglo-latino``."""

    name: str
    locale: Locale
    spec: ConfigSpec
    root: Path

    @property
    def language(self) -> str:
        """BCP 47 tag."""
        return self.locale.tag

    @property
    def review(self) -> str:
        """Return how far native speakers have read the language."""
        return review_of(self.locale, self.root).sentence

    @property
    def about(self) -> str:
        """One sentence on what the config holds."""
        return self.spec.about

    @property
    def version(self) -> str:
        """Version of the released sentences."""
        return str(corpus_facts(self.root)["version"])

    @cached_property
    def corpus(self) -> RenderedCorpus:
        """The config rendered with its defaults."""
        return render(self)

    @property
    def rows(self) -> int:
        """Number of sentences."""
        return len(self.corpus.columns["id"])

    @property
    def axes(self) -> tuple[str, ...]:
        """The identity axes with at least two marked levels."""
        return self.corpus.axes

    @property
    def persons(self) -> list[Person]:
        """All whom its rows may be about, in file order; nothing is rendered for it."""
        return [person for person in self.locale.persons if person.set in self.spec.sets]

    @property
    def persons_per_cell(self) -> Mapping[str, int]:
        """Persons per combination of identity labels, such as ``Black female`` or ``unmarked male``."""
        return self.corpus.cells


@dataclass(frozen=True)
class RenderedCorpus:
    """Rendered rows, column by column, and what could not be rendered as a pair."""

    config: Config
    columns: Mapping[str, list[str]]
    axes: tuple[str, ...]
    cells: Mapping[str, int]
    dropped: tuple[Dropped, ...]

    def table(self) -> pa.Table:
        """The rows as an Arrow table of strings; the schema's metadata carries config and version."""
        import pyarrow as pa

        fields = pa.schema(
            [pa.field(name, pa.string(), nullable=False) for name in self.columns],
            metadata={"config": self.config.name, "version": self.config.version},
        )
        return pa.table([pa.array(values, pa.string()) for values in self.columns.values()], schema=fields)


def configs(*, root: str | Path | None = None) -> list[Config]:
    """Every config of every locale: languages in the order of their tags, configs in file order.

    Parameters
    ----------
    root
        Folder of locales, if not the one that comes with the package.

    Raises
    ------
    FileProblems
        A locale cannot be read; `eec_datasets.corpora.usable` goes on without it.
    """
    folder = Path(root) if root else locales_folder()
    return [config for tag in tags(folder) for config in configs_of(load_locale(tag, folder), folder)]


def usable(languages: Sequence[str] = (), *, root: str | Path | None = None) -> tuple[list[Config], list[FileProblems]]:
    """The configs there are beside locales that someone is still writing.

    Parameters
    ----------
    languages : only these; default all.
    root : see `configs`.

    Returns
    -------
    (configs, errors) : one error for each locale left out because it cannot be read.

    Raises
    ------
    InputError : there is no locale for a language asked for.
    FileProblems : a language asked for, or ``corpus.toml``, cannot be read.
    """
    folder = Path(root) if root else locales_folder()
    corpus_facts(folder)
    configs: list[Config] = []
    errors: list[FileProblems] = []
    for tag in tags_asked(languages, folder):
        try:
            configs += configs_of(load_locale(tag, folder), folder)
        except FileProblems as error:
            if languages:
                raise
            errors.append(error)
    return configs, errors


def tags_asked(languages: Sequence[str], folder: Path) -> list[str]:
    """The tags of these languages, of all where none is named, in their order.

    Raises
    ------
    InputError : there is no locale for a language.
    """
    known_tags = tags(folder)
    for language in languages:
        if language not in known_tags:
            raise InputError(f"no config in language '{language}'; there are: {', '.join(known_tags)}")
    return [tag for tag in known_tags if tag in languages or not languages]


def configs_of(locale: Locale, root: Path) -> list[Config]:
    """The configs of one locale, in file order; `root` is the folder that it is in."""
    return [Config(f"{locale.tag}-{key}", locale, spec, root) for key, spec in locale.configs.items()]


def find(name: str, *, root: str | Path | None = None) -> Config:
    """The config called `name`.

    Raises
    ------
    InputError : there is none; the message lists those there are.
    """
    folder = Path(root) if root else locales_folder()
    if config := look_up(name, root=folder):
        return config
    tag = name.removesuffix("-gender")
    if tag != name and tag in tags(folder) and (refused := load_locale(tag, folder).neutral_refused):
        raise InputError(f"no config '{name}': {refused}")
    names = [config.name for config in usable(root=folder)[0]]
    raise InputError(f"no config '{name}'{did_you_mean(name, names) or '.'} There are: {', '.join(names)}")


def look_up(name: str, *, root: str | Path | None = None) -> Config | None:
    """The config called `name`, or None; nothing but its language is read."""
    folder = Path(root) if root else locales_folder()
    for tag in sorted(tags(folder), key=len, reverse=True):
        if name.startswith(f"{tag}-"):
            locale = load_locale(tag, folder)
            spec = locale.configs.get(name.removeprefix(f"{tag}-"))
            if spec is not None:
                return Config(name, locale, spec, folder)
    return None


def render(
    name: str | Config,
    *,
    variants: Mapping[str, str] | None = None,
    speaker: str | None = None,
    words: str | None = None,
    names: int | None = None,
    items: int | str | None = None,
    seed: int = 0,
    root: str | Path | None = None,
) -> RenderedCorpus:
    """Render a config, or a balanced part of it.

    Parameters
    ----------
    name : such as ``es-anglo-latino``, or a config that was found.
    variants, speaker, words, names, items, seed : see `eec_datasets.load`.
    root : folder of locales that a name is looked for in; a config has its own.

    Raises
    ------
    InputError, FileProblems, RenderError
    """
    if isinstance(name, Config) and root is not None:
        raise InputError(f"the config '{name.name}' is from {name.root}, and root is {root}. Leave root out")
    config = name if isinstance(name, Config) else find(name, root=root)
    for option, value in {"names": names, "items": None if isinstance(items, str) else items, "seed": seed}.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise InputError(f"{option} is {value!r}; expected a whole number")
    if not isinstance(variants, Mapping | NoneType):
        raise InputError(f'variants is {variants!r}; expected names and values, such as {{"t08": "doubled"}}')
    if config.spec.part:
        names = config.spec.part[0] if names is None else names
        items = config.spec.part[1] if items is None else items
    listed = items if isinstance(items, str) else None
    choice = choose(config.locale, config.spec, variants, speaker, listed, "published" if words == PAPER else words)
    _check_shown(config, choice, variants or {})
    grid = part_of_items(config.name, choice.grid, items, seed) if isinstance(items, int) else choice.grid
    persons = _persons(choice, config.name)
    persons = persons if names is None else part_of_names(config.name, persons, names, seed)
    dropped: list[Dropped] = []
    groups_named = [person for person in persons if not person.is_placebo]
    neutral = [person for person in persons if person.is_placebo]
    rendered = list(items_of(choice, groups_named, dropped, grid=grid))
    if neutral:
        rendered += items_of(choice, neutral, dropped, grid=part_for_placebo(grid))
    columns = columns_of(choice, rendered, persons)
    if words == PAPER:
        columns = _without_added(columns)
    _check_distinct(config.name, columns)
    groups = {id(item.persons): item.persons for item in rendered}.values()
    present = list({id(person): person for group in groups for person in group}.values())
    return RenderedCorpus(config, columns, _axes(present), _cells(present), tuple(dropped))


def _without_added(columns: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Leave out the rows with words that this project added to those of the papers."""
    kept = [status != "added" for status in columns["word_status"]]
    return {name: list(compress(values, kept)) for name, values in columns.items()}


def review_of(locale: Locale, root: Path) -> ReviewStatus:
    """Return what readers said of a language, as its sentences are now.

    Parameters
    ----------
    root : the folder that the language is in.
    """
    review = locale.review
    draft = review.status == "draft"
    if not review.reviews:
        return status_of((), draft, lambda _: None)
    return _review_of(root, draft, review.reviews, stamp_of(root / locale.tag))


def readers_of(tag: str) -> int | None:
    """Return how many native readers have judged sentences of a language; None if we have no such language."""
    folder = locales_folder()
    if tag not in tags(folder):
        return None
    return len(review_of(load_locale(tag, folder), folder).native)


@lru_cache(maxsize=32)
def _review_of(root: Path, draft: bool, reviews: tuple[ReaderReview, ...], _stamp: tuple[int, ...]) -> ReviewStatus:
    rendered: dict[tuple[str, str, str], Mapping[str, str]] = {}

    def text_now(key: SentenceKey) -> str | None:
        corpus = (key.config, key.speaker, key.variants)
        if corpus not in rendered:
            rendered[corpus] = texts_by_id(*corpus, root=root)
        return rendered[corpus].get(key.id)

    return status_of(reviews, draft, text_now)


def texts_by_id(config: str, speaker: str = "", variants: str = "", *, root: Path | None = None) -> Mapping[str, str]:
    """The sentences of a config under a choice, by their ids; none where there is no such config or choice.

    Parameters
    ----------
    variants : as the files of a language write them, such as ``t08=doubled lexicon=spain``; ``items=decisions`` names
        items beside those that the config has by default.
    """
    found = look_up(config, root=root)
    if found is None:
        return {}
    chosen = dict(part.split("=", 1) for part in variants.split() if "=" in part)
    items = chosen.pop("items", None)
    try:
        columns = render(found, variants=chosen, speaker=speaker or None, items=items).columns
    except InputError:
        return {}
    return dict(zip(columns["id"], columns["text"], strict=True))


def _check_shown(config: Config, choice: Choice, variants: Mapping[str, str]) -> None:
    """Refuse a wording that no sentence of the config can have."""
    templates = {template.id for template, _ in choice.grid}
    for key, value in variants.items():
        option = config.locale.options.get(key)
        roles = option.roles.get(value, {}).values() if option else ()
        if option is None and key != "persons" and key not in templates:
            raise InputError(f"{key} is '{value}', and '{config.name}' has no such template. Leave it out")
        if roles and not any(person.roles.get(role) for person in choice.persons for role in roles):
            raise InputError(f"{key} is '{value}', and nobody in '{config.name}' has a form for it. Leave it out")


def table(name: str | Config, **choices: Any) -> pa.Table:
    """A config as an Arrow table (see `render`)."""
    return render(name, **choices).table()


def dataset(name: str, **choices: Any) -> Dataset:
    """A config rendered as a `datasets.Dataset` (see `render`)."""
    return dataset_of_rendering(render(name, **choices))


def dataset_of_rendering(rendered: RenderedCorpus) -> Dataset:
    """Return what was rendered as a `datasets.Dataset`."""
    config = rendered.config
    return dataset_of(rendered.table(), config.name, config.version, f"{config.about} {config.review}.")


def dataset_of(rows: pa.Table, name: str, version: str, about: str) -> Dataset:
    """Rows as a `datasets.Dataset` that knows its config, its version and what it is."""
    import datasets

    features = datasets.Features({column: datasets.Value("string") for column in rows.column_names})
    info = datasets.DatasetInfo(
        description=about, features=features, dataset_name="eec", config_name=name, version=datasets.Version(version)
    )
    plain = rows.replace_schema_metadata(None).cast(features.arrow_schema)
    return datasets.Dataset(plain, info=info, split=datasets.NamedSplit(schema.SPLIT))


def _persons(choice: Choice, name: str) -> list[Person]:
    """The persons of a config, each with exactly the axes on which someone is marked."""
    persons = choice.persons
    missing = [set_name for set_name in choice.sets if not any(person.set == set_name for person in persons)]
    if missing:
        raise RenderError(
            f"config '{name}': persons.csv has no rows of the set {', '.join(missing)}. Add them, or leave the set out"
        )
    return with_axes(persons, marked_axes(persons))


def marked_axes(persons: Sequence[Person]) -> tuple[str, ...]:
    """The axes of persons: those of every config, and those on which someone is marked."""
    marked = {axis for person in persons for axis, label in person.identity.items() if label != UNMARKED}
    axes = dict.fromkeys(axis for person in persons for axis in person.identity)
    return tuple(axis for axis in axes if axis in (*ALWAYS, *marked))


def with_axes(persons: Iterable[Person], axes: Sequence[str]) -> list[Person]:
    """The persons, each with exactly these axes."""
    return [
        replace(person, identity={axis: person.identity.get(axis, UNMARKED) for axis in axes}) for person in persons
    ]


def columns_of(choice: Choice, items: Sequence[Item], persons: Sequence[Person]) -> dict[str, list[str]]:
    """The rows of items, column by column; every person has the same axes."""
    further, families = _further_axes(persons), choice.locale.families
    said = any(person.is_placebo for person in persons)
    columns: dict[str, list[str]] = {name: [] for name in schema.columns(further, said=said)}
    of_persons: dict[int, dict[str, list[str]]] = {}
    for item in items:
        if id(item.persons) not in of_persons:
            # What is said of persons whatever the item; a pair is named without it.
            forms = [choice.bare(choice.role_form(person, "nom")) for person in item.persons]
            shared = [families.of(form, person.type) for form, person in zip(forms, item.persons, strict=True)]
            of_persons[id(item.persons)] = {
                "person": [person.id for person in item.persons],
                "person_form": forms,
                "person_type": [PLACEBO if person.is_placebo else person.type for person in item.persons],
                "family": [
                    family if person.type == "name" else meaning_of(person, choice.locale)
                    for (family, _), person in zip(shared, item.persons, strict=True)
                ],
                "ending": [ending for _, ending in shared],
                "pair": [f"/{person.pair}" if person.pair else "" for person in item.persons],
                **{axis: [person.identity[axis] for person in item.persons] for axis in (*ALWAYS, *further)},
                **({name: [getattr(person, name) for person in item.persons] for name in schema.SAID} if said else {}),
            }
        of_item = {
            "language": choice.locale.tag, "template": item.template.id, "emotion": item.word.emotion,
            "word": item.word.id, "speaker": item.speaker, "item": item.id, "word_status": item.word.status,
        }  # fmt: skip
        of_group = of_persons[id(item.persons)]
        rows = {
            **of_group,
            **{name: [value] * len(item.texts) for name, value in of_item.items()},
            "id": [f"{item.id}/{person}" for person in of_group["person"]],
            "pair": [item.id + pair for pair in of_group["pair"]],
            "text": item.texts,
            "word_form": item.forms,
        }
        for name, values in rows.items():
            columns[name] += values
    return columns


def meaning_of(person: Person, locale: Locale) -> str:
    """Return the meaning of a noun phrase, which pairs share that are scored alike: *mother* of my mother and my dad.

    It is the same in every language. A pair to which ``corpus.toml`` gives no meaning is called after its first member.
    """
    return locale.meanings.get(person.pair, person.pair.partition("_")[0])


def _further_axes(persons: Sequence[Person]) -> tuple[str, ...]:
    return tuple(axis for axis in persons[0].identity if axis not in ALWAYS)


def _axes(persons: Sequence[Person]) -> tuple[str, ...]:
    axes = ("race", "gender", *_further_axes(persons))
    return tuple(axis for axis in axes if len({person.identity[axis] for person in persons} - {UNMARKED}) >= 2)


def _cells(persons: Sequence[Person]) -> dict[str, int]:
    axes = ("race", *_further_axes(persons), "gender")
    counts: Counter[str] = Counter()
    for person in (person for person in persons if not person.is_placebo):
        cell = " ".join(label for axis in axes if (label := person.identity[axis]) != UNMARKED)
        counts[cell + ("" if person.type == "name" else " (no name)")] += 1
    return dict(counts)


def _check_distinct(name: str, columns: Mapping[str, list[str]]) -> None:
    told = {"id": ("id", "Give the persons of its sets different ids"), "text": ("sentence", "Each must be distinct")}
    for column, (what, fix) in told.items():
        values = columns[column]
        if len(set(values)) < len(values):
            twice = next(value for value, count in Counter(values).items() if count > 1)
            ids = [row for row, value in zip(columns["id"], values, strict=True) if value == twice]
            raise RenderError(
                f"config '{name}': the {what} '{twice}' comes out {len(ids)} times ({', '.join(ids)}). {fix}"
            )


__all__ = ["Config", "RenderedCorpus", "configs", "dataset", "find", "render", "table", "usable"]
