"""A locale folder → a `Locale`. Collects every problem with its file and line before it gives up."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import FileProblems, InputError, Problems
from eec_datasets.locale.apart import read_apart
from eec_datasets.locale.grammar import read_families, read_grammar
from eec_datasets.locale.item_sets import read_item_sets, read_meanings
from eec_datasets.locale.names import check_for, read_names
from eec_datasets.locale.persons import persons_of_sets, read_persons
from eec_datasets.locale.reviews import read_reviews, review_files
from eec_datasets.locale.templates import read_templates
from eec_datasets.locale.toml_file import TEXT, TEXT_TABLE, TEXTS, TableKeys, read_toml
from eec_datasets.locale.words import read_levels, read_placebo_words, read_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.errors import Problem
    from eec_datasets.locale.families import NameFamilies
    from eec_datasets.locale.model import Locale

CORPUS_FILE = "corpus.toml"
CORPUS = TableKeys(
    needed={"version": TEXT, "emotions": TEXTS, "genders": TEXTS, "statuses": TEXTS, "flags": TEXT_TABLE},
    allowed={"reviews": TEXT_TABLE},
)
"""Keys that the file must have; it has further keys, which are not read here."""


def locales_folder() -> Path:
    """Return where the locales are: ``$EEC_LOCALES``, else inside the installed package, else beside it in a clone."""
    named = os.environ.get("EEC_LOCALES")
    if named:
        if not (Path(named) / CORPUS_FILE).exists():
            raise InputError(
                f"EEC_LOCALES is '{named}', which holds no {CORPUS_FILE}. Name a folder of locales, or unset it"
            )
        return Path(named)
    return shipped_folder()


def shipped_folder() -> Path:
    """The locales of this project: inside the installed package, else beside it in a clone."""
    package = Path(__file__).parent.parent
    inside = package / "locales"
    return inside if inside.is_dir() else package.parent / "locales"


def tags(root: Path | None = None) -> list[str]:
    """The tags of all locales, sorted."""
    folder = root or locales_folder()
    return sorted(path.parent.name for path in folder.glob("*/locale.toml") if not path.parent.name.startswith("_"))


@lru_cache(maxsize=4)
def _corpus_facts(path: Path, _stamp: int) -> Mapping[str, Any]:
    problems = Problems()
    file = read_toml(path, problems)
    if not problems:
        known = replace(file, data={key: value for key, value in file.data.items() if key in CORPUS.known})
        known.laid_out(CORPUS, f"Every {CORPUS_FILE} holds {', '.join(CORPUS.needed)}")
    if problems:
        raise FileProblems(f"locale '{CORPUS_FILE}'", problems.found)
    return file.data


def corpus_facts(root: Path | None = None) -> Mapping[str, Any]:
    """Return what ``locales/corpus.toml`` says of the corpus as a whole (version, licence, emotions, papers)."""
    path = (root or locales_folder()) / CORPUS_FILE
    return _corpus_facts(path, path.stat().st_mtime_ns if path.exists() else 0)


def read_locale(folder: Path) -> tuple[Locale | None, list[Problem]]:
    """Read a locale folder.

    Returns
    -------
    (locale, problems) : the locale is None where the problems leave nothing to render.
    """
    problems, facts = Problems(), corpus_facts(folder.parent)
    grammar = read_grammar(folder, problems)
    if grammar is None:
        return None, problems.found
    words = read_words(folder, grammar, facts, problems)
    templates = read_templates(folder, grammar, problems)
    locale = replace(
        grammar,
        templates=templates,
        words=words,
        levels=read_levels(folder, grammar, facts, problems),
        placebo_words=read_placebo_words(folder, grammar, facts, problems),
        meanings=read_meanings(folder.parent / CORPUS_FILE, problems),
        item_sets=read_item_sets(folder.parent / CORPUS_FILE, problems),
        apart=read_apart(folder.parent / CORPUS_FILE, problems),
        review=replace(grammar.review, reviews=read_reviews(folder, problems)),
    )
    persons = read_persons(folder, locale, facts, problems)
    names = read_names(folder, facts, problems)
    if names is not None:
        check_for(locale, names)
        persons = (*persons, *persons_of_sets(persons, names, locale))
    return replace(locale, persons=persons, names=names), problems.found


@lru_cache(maxsize=64)
def _load(folder: Path, _stamp: tuple[int, ...]) -> Locale:
    locale, problems = read_locale(folder)
    if problems or locale is None:
        raise FileProblems(f"locale '{folder.name}'", problems)
    return locale


def load_locale(tag: str, root: Path | None = None) -> Locale:
    """The locale `tag`, checked.

    Raises
    ------
    InputError : no such locale.
    FileProblems : its files have problems; all of them are listed with file and line.
    """
    root = root or locales_folder()
    folder = root / tag
    if Path(tag).name != tag or not (folder / "locale.toml").exists():
        raise InputError(f"no locale '{tag}' in {root}; there are: {', '.join(tags(root))}")
    return _load(folder, stamp_of(folder))


def stamp_of(folder: Path) -> tuple[int, ...]:
    """When each file of a language, and of what is beside it, was last written: another where one was changed."""
    return tuple(path.stat().st_mtime_ns for path in files_of(folder))


def files_of(folder: Path) -> list[Path]:
    """The files of a language, and those beside it that its sentences or its review come from."""
    root = folder.parent
    files = (*sorted(folder.iterdir()), root / CORPUS_FILE, *review_files(folder))
    return [path for path in files if path.is_file()]


def families_of(folder: Path) -> NameFamilies:
    """Return which letters names share in the language of a folder; nothing else of it is read.

    Raises
    ------
    FileProblems : its ``locale.toml`` cannot be read.
    """
    problems = Problems()
    families = read_families(read_toml(folder / "locale.toml", problems))
    if problems:
        raise FileProblems(f"locale '{folder.name}'", problems.found)
    return families
