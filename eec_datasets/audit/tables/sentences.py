"""Which corpus a table is of: its ids or sentences, looked up in all that the configs can render."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from eec_bias.shared import OutputError, write_over
from eec_datasets import corpora
from eec_datasets.errors import FileProblems, InputError, RenderError
from eec_datasets.locale.reading import load_locale, locales_folder, tags
from eec_datasets.render.choice import WORDS
from eec_datasets.sizes import digest_of
from eec_datasets.systems.corpus import PAPER_CONFIGS
from eec_datasets.text_file import straightened

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

FILES: Final = ("templates.toml", "words.csv", "persons.csv", "names.csv", "locale.toml")
"""Files of a language that its words are in."""

WORD: Final = re.compile(r"\w+")
SAMPLE: Final = 50
KNOWN: Final = 0.7
"""Texts by which the language is found, and the share of their words that its files contain."""

TRIED: Final = 3
"""Configs that hold some rows of a table by default, and are rendered in all ways to see whether they hold the rest."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Hashes of the ids and sentences of a language by config, sorted: of its default rows, and of all that are kept.

    Of the papers' configs these are all that they can render.
    """

    default: Mapping[str, Hashes]
    every: Mapping[str, Hashes]


@dataclass(frozen=True, slots=True)
class Match:
    """The corpus that holds the rows of a table.

    Attributes
    ----------
    config
        Its name.
    others
        Other configs that hold all of them.
    found
        How many of the keys it holds.
    """

    config: str
    others: tuple[str, ...]
    found: int


def find_config(keys: Sequence[str], *, texts: bool) -> Match | None:
    """Return the config that holds the ids or texts of a table: all of them, else most; None if none holds any.

    The lists of the language are tried in the order of `eec configs`, the papers' first: their default rows, then all
    that they can render.

    Parameters
    ----------
    keys
        Distinct ids or texts.
    texts
        Whether they are texts, which tell the language.
    """
    distinct = {straightened(key) if texts else key for key in keys}
    languages = _languages(keys) if texts else [*_papers_languages(), *_other_languages()]
    whole = _papers_config(distinct, languages, texts=texts)
    if whole:
        return Match(whole[0], tuple(whole[1:]), len(distinct))
    hashes = hashes_of(sorted(distinct))
    found: dict[str, int] = {}
    for language in languages:
        lookup = lookup_of(language, locales_folder())
        order = sorted(lookup.every, key=lambda name: name not in PAPER_CONFIGS)
        for rows in (lookup.default, lookup.every):
            count = {name: int(_held(hashes, rows[name]).sum()) for name in order}
            own = [name for name in order if count[name] == len(hashes)]
            if own:
                whole += own
                break
        found |= count
        if any(count.values()) and (texts or whole):
            break
    if whole:
        return Match(whole[0], tuple(whole[1:]), len(distinct))
    found = {name: count for name, count in found.items() if count}
    key = "text" if texts else "id"
    most = max((found.get(name, 0) for name in PAPER_CONFIGS), default=0)
    likely = sorted((name for name in found if found[name] > most), key=lambda name: -found[name])
    for name in likely[:TRIED]:
        if rows_of(name, distinct, key) is not None:
            return Match(name, (), len(distinct))
    best = max(found, key=found.__getitem__, default="")
    return Match(best, (), found[best]) if best and found[best] else None


def nearly(texts: Sequence[str]) -> tuple[str, str, str] | None:
    """Return the first text that is one of ours but for case and punctuation, our text, and its config."""
    languages = _languages(texts)
    for name in PAPER_CONFIGS:
        config = corpora.look_up(name)
        if config is None or config.language not in languages:
            continue
        ours = {tuple(WORD.findall(text.casefold())): text for text in config.corpus.columns["text"]}
        for text in texts[:SAMPLE]:
            found = ours.get(tuple(WORD.findall(straightened(text).casefold())))
            if found is not None:
                return text, found, name
    return None


def _papers_languages() -> list[str]:
    return list(dict.fromkeys(name.partition("-")[0] for name in PAPER_CONFIGS))


def _other_languages() -> list[str]:
    return [tag for tag in tags(locales_folder()) if tag not in _papers_languages()]


def _languages(texts: Sequence[str]) -> list[str]:
    """Return the languages that texts may be in: those that know most of their words, best first."""
    step = max(1, len(texts) // SAMPLE)
    sample = [WORD.findall(straightened(text).casefold()) for text in texts[::step]]
    known = {
        tag: _share(sample, words_of(tag, locales_folder())) for tag in (*_papers_languages(), *_other_languages())
    }
    return sorted((tag for tag in known if known[tag] >= KNOWN), key=lambda tag: -known[tag])


def _share(texts: Sequence[Sequence[str]], words: frozenset[str]) -> float:
    shares = [sum(word in words for word in text) / len(text) for text in texts if text]
    return sum(shares) / max(len(shares), 1)


@lru_cache(maxsize=32)
def words_of(language: str, root: Path) -> frozenset[str]:
    """Return the words that the files of a language contain, names among them; no sentence is rendered for it."""
    paths = [path for path in (root / language).iterdir() if path.name in FILES]
    return frozenset(word for path in paths for word in WORD.findall(path.read_text(encoding="utf-8").casefold()))


def _papers_config(distinct: Collection[str], languages: Sequence[str], *, texts: bool) -> list[str]:
    """Return the papers' config whose default rows hold all ids or texts, and the others that do; else none."""
    key = "text" if texts else "id"
    found: list[str] = []
    for name in PAPER_CONFIGS:
        config = corpora.look_up(name)
        if config is None or config.language not in languages:
            continue
        columns = config.corpus.columns
        own = dict(zip(_keys(columns, key), columns["person"], strict=True))
        if own.keys() >= set(distinct):
            persons = {own[each] for each in distinct}
            others = [each for each in corpora.configs_of(config.locale, config.root) if each.name != name]
            likely = [each for each in others if persons <= {person.id for person in each.persons}]
            fitting = [each.name for each in likely if {*_keys(each.corpus.columns, key)} >= set(distinct)]
            found += [each for each in (name, *fitting) if each not in found]
            if texts:
                break
    return found


def _keys(columns: Mapping[str, Sequence[str]], key: str) -> Sequence[str]:
    return columns["id"] if key == "id" else [straightened(text) for text in columns["text"]]


def _held(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Return which of the hashes are among the known ones, which are sorted."""
    import numpy as np

    place = np.searchsorted(known, hashes)
    return np.asarray(known[np.minimum(place, len(known) - 1)] == hashes)


def hashes_of(keys: Sequence[str]) -> Hashes:
    """Return a number for each text, the same in every process."""
    import numpy as np
    import pandas as pd

    return pd.util.hash_array(np.array(keys, dtype=object), categorize=False)


@lru_cache(maxsize=32)
def lookup_of(language: str, root: Path) -> Lookup:
    """Return the lookup of a language: from the cache, if none of its files has changed since it was made."""
    import numpy as np

    path = _cached(language, root)
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as kept:
            names = [name.removeprefix("every/") for name in kept.files if name.startswith("every/")]
            return Lookup({n: kept[f"default/{n}"] for n in names}, {n: kept[f"every/{n}"] for n in names})
    except (OSError, ValueError, KeyError, EOFError):
        lookup = _make_lookup(language, root)
    content = io.BytesIO()
    kinds = {"default": lookup.default, "every": lookup.every}
    arrays: dict[str, Any] = {f"{kind}/{name}": part[name] for kind, part in kinds.items() for name in part}
    np.savez(content, **arrays)
    _keep(path, content.getvalue())
    return lookup


def _cached(language: str, root: Path) -> Path:
    import platformdirs

    name = f"{language}-{digest_of(root / language)}.npz"
    return platformdirs.user_cache_path("eec-datasets", appauthor=False) / "sentences" / name


def _keep(path: Path, content: bytes) -> None:
    """Write the lookup to the cache; without one it is made again next time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob(f"{path.name.partition('-')[0]}-*.npz"):
            old.unlink(missing_ok=True)
        write_over({path: content})
    except (OSError, OutputError):
        return


def _make_lookup(language: str, root: Path) -> Lookup:
    import numpy as np

    default: dict[str, Hashes] = {}
    every: dict[str, Hashes] = {}
    try:
        configs = corpora.configs_of(load_locale(language, root), root)
    except FileProblems:
        return Lookup({}, {})
    for config in configs:
        rendered = [_hashes(table) for table in renderings(config, default=config.name not in PAPER_CONFIGS)]
        if rendered:
            default[config.name], every[config.name] = np.sort(rendered[0]), np.unique(np.concatenate(rendered))
    return Lookup(default, every)


def _hashes(table: pa.Table) -> Hashes:
    import numpy as np

    texts = [straightened(text) for text in table["text"].to_pylist()]
    return np.concatenate([hashes_of(table["id"].to_pylist()), hashes_of(texts)])


def renderings(config: corpora.Config, *, default: bool = False) -> Iterator[pa.Table]:
    """Yield the rows of a config by default, and, unless only these are asked for, all else that it can render.

    These are the lists of items, other words, and every template with every word.
    """
    sets = config.locale.item_sets
    choices: list[dict[str, Any]] = [{}]
    if not default:
        choices += [{"items": name} for name in (*sets.items, *sets.templates)]
        items = (None, "all") if config.spec.items else (None,)
        choices += [{"items": each, "words": words} for each in items for words in WORDS]
        choices += [{"items": "all"}]
    for choice in choices:
        try:
            yield corpora.table(config, **choice)
        except (InputError, RenderError):
            continue


def rows_of(name: str, keys: Collection[str], key: str, texts: Mapping[str, str] | None = None) -> pa.Table | None:
    """Return rows of a config that hold every id or text of a table, or None.

    Parameters
    ----------
    keys, key
        The ids, or the texts without what programs change unasked; and which of the two they are.
    texts
        The text of each id, where a table has both: rows with the same texts are preferred.
    """
    import pyarrow as pa

    parts: list[pa.Table] = []
    missing, second = set(keys), None
    for table in renderings(corpora.find(name)):
        own = table["id"].to_pylist() if key == "id" else [straightened(text) for text in table["text"].to_pylist()]
        if missing.issubset(own) and not parts:
            same = dict(zip(own, map(straightened, table["text"].to_pylist()), strict=True)) if texts else {}
            if all(same[each] == text for each, text in (texts or {}).items()):
                return table
            second = second if second is not None else table
            continue
        new = [row for row, each in enumerate(own) if each in missing]
        if new and second is None:
            parts.append(table.take(new))
            missing -= {own[row] for row in new}
            if not missing:
                break
    if second is not None:
        return second
    return None if missing or not parts else pa.concat_tables(parts)
