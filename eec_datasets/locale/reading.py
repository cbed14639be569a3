"""A locale folder → a `Locale`. Collects every problem with its file and line before it gives up."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import LocaleError, UnknownConfig
from eec_datasets.locale.grammar import read_grammar
from eec_datasets.locale.model import Locale, Problem
from eec_datasets.locale.persons import read_levels, read_persons
from eec_datasets.locale.shapes import TEXT, TEXT_TABLE, TEXTS, Shape, kept
from eec_datasets.locale.sources import Problems, read_toml
from eec_datasets.locale.templates import read_templates
from eec_datasets.locale.words import read_words

if TYPE_CHECKING:
    from collections.abc import Mapping

CORPUS_FILE = "corpus.toml"
FACTS = {"version": TEXT, "emotions": TEXTS, "genders": TEXTS, "statuses": TEXTS, "flags": TEXT_TABLE}
ANYTHING = Shape("anything", lambda _: True)


def locales_folder() -> Path:
    """Where the locales are: ``$EEC_LOCALES``, else inside the installed package, else beside it in a clone."""
    given = os.environ.get("EEC_LOCALES")
    if given:
        folder = Path(given)
        if not (folder / CORPUS_FILE).exists():
            raise UnknownConfig(
                f"EEC_LOCALES is '{given}', which holds no {CORPUS_FILE}. Name a folder of locales, or unset it"
            )
        return folder
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
    known = {**dict.fromkeys(file.data, ANYTHING), **FACTS}
    broken = bool(problems)
    facts = kept(file, (), file.data, known, problems)
    for key in FACTS:
        if not broken and key not in file.data:
            problems.add(file.place(), f"'{key}' is missing", f"Every corpus.toml holds {', '.join(FACTS)}")
    if problems:
        raise LocaleError(CORPUS_FILE, problems.found)
    return facts


def corpus_facts(root: Path | None = None) -> Mapping[str, Any]:
    """What ``locales/corpus.toml`` says of the corpus as a whole (version, licence, emotions, papers)."""
    path = (root or locales_folder()) / CORPUS_FILE
    return _corpus_facts(path, path.stat().st_mtime_ns if path.exists() else 0)


def read_locale(folder: Path, facts: Mapping[str, Any] | None = None) -> tuple[Locale | None, list[Problem]]:
    """Read a locale folder.

    Returns
    -------
    (locale, problems) : the locale is None where the problems leave nothing to render.
    """
    problems = Problems()
    known = corpus_facts(folder.parent) if facts is None else facts
    grammar = read_grammar(folder, problems)
    if grammar is None:
        return None, problems.found
    words = read_words(folder, grammar, known, problems)
    templates = read_templates(folder, grammar, problems)
    levels = read_levels(folder, grammar, problems)
    persons = read_persons(folder, grammar, known, levels, problems)
    locale = Locale(
        tag=grammar.tag,
        variety=grammar.variety,
        version=grammar.version,
        review=grammar.review,
        features=grammar.features,
        options=grammar.options,
        roles=grammar.roles,
        finish=grammar.finish,
        speaker=grammar.speaker,
        nouns=grammar.nouns,
        neutral_refused=grammar.neutral_refused,
        configs=grammar.configs,
        templates=templates,
        words=words,
        persons=persons,
        levels=levels,
        folder=str(folder),
    )
    return locale, problems.found


@lru_cache(maxsize=64)
def _load(folder: Path, _stamp: tuple[int, ...]) -> Locale:
    locale, problems = read_locale(folder)
    if problems or locale is None:
        raise LocaleError(folder.name, problems)
    return locale


def load_locale(tag: str, root: Path | None = None) -> Locale:
    """The locale `tag`, checked.

    Raises
    ------
    UnknownConfig : no such locale.
    LocaleError : its files have problems; all of them are listed with file and line.
    """
    folder = (root or locales_folder()) / tag
    if not (folder / "locale.toml").exists():
        raise UnknownConfig(f"no locale '{tag}' in {folder.parent}; there are: {', '.join(tags(root))}")
    stamp = tuple(path.stat().st_mtime_ns for path in sorted(folder.iterdir()) if path.is_file())
    return _load(folder, stamp)
