"""Which templates meet which emotion words: every word of their kind, or those of a list of items."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from eec_datasets.errors import InputError
from eec_datasets.locale.apart import templates_without
from eec_datasets.locale.model import NO_WORD

if TYPE_CHECKING:
    from eec_datasets.locale.model import ConfigSpec, Locale, Template, Word

Cell: TypeAlias = "tuple[Template, Word]"
"""A template and an emotion word (`NO_WORD` for a neutral template)."""

ALL = "all"


def grid_of(locale: Locale, spec: ConfigSpec | None = None, items: str | None = None) -> tuple[Cell, ...]:
    """The templates and words of a config; without one, every template of the locale with every word of its kind.

    Parameters
    ----------
    items : ``all`` for every template of the config with every word of its kind, or the name of a list of items or of
        a set of templates; default: what the config says. Templates that are kept apart from the config are left out.

    Raises
    ------
    InputError : there is no such list, set, template or word.
    """
    if spec is None:
        return tuple(cells_of(locale, locale.templates, ("words",)))
    sets, name = locale.item_sets, spec.items or ALL if items is None else items
    names = (ALL, *sets.items, *sets.templates)
    if name not in names:
        raise InputError(f"items is '{name}'; it can be: {', '.join(names)}, or a number of items")
    if name in sets.items:
        cells = _listed(locale, sets.items[name])
    else:
        cells = cells_of(locale, _templates(locale, spec.templates if name == ALL else (name,)), spec.words)
    without = templates_without(locale.apart, spec.key)
    return tuple(cell for cell in cells if cell[0].id not in without)


def asked_templates(locale: Locale, available: Iterable[str]) -> set[str]:
    """The templates that some config of a locale names; by default the first set, and `there` where there is none."""
    sets = locale.item_sets
    entries_of = (spec.templates or sets.default or available for spec in locale.configs.values())
    return {name for entries in entries_of for entry in entries for name in sets.templates.get(entry, (entry,))}


def item_id(template: Template, word: Word) -> str:
    """``template/word``."""
    return f"{template.id}/{word.id}"


def _templates(locale: Locale, asked: Sequence[str]) -> Iterable[Template]:
    """The templates with these ids or in these sets; where none is named, those of the first set that are there."""
    sets, available = locale.item_sets, [template.id for template in locale.templates]
    ids = {name for entry in asked for name in sets.templates.get(entry, (entry,))}
    if lacking := ids.difference(available):
        names = ", ".join((*sets.templates, *available))
        raise InputError(f"locale '{locale.tag}' has no template {min(lacking)}; templates and sets: {names}")
    chosen = ids or sets.default or available
    return (template for template in locale.templates if template.id in chosen)


def cells_of(locale: Locale, templates: Iterable[Template], files: Collection[str]) -> Iterator[Cell]:
    """Yield every template with every word of its kind from these files, words in file order."""
    for template in templates:
        if template.kind == "neutral":
            yield template, NO_WORD
        else:
            yield from ((template, word) for word in locale.words_of(template.kind) if word.file in files)


def _listed(locale: Locale, ids: Iterable[str]) -> Iterator[Cell]:
    cells = {item_id(*cell): cell for cell in cells_of(locale, locale.templates, ("words",))}
    for name in ids:
        if name not in cells:
            fix = "expected a template and a word of its kind, or none where it is neutral"
            raise InputError(f"locale '{locale.tag}' has no item '{name}'; {fix}")
        yield cells[name]
