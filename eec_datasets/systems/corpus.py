"""A corpus as systems score it: columns, groups and content hash; and which corpora a system scores."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from eec_bias.shared import DataName
from eec_datasets import corpora, schema
from eec_datasets.errors import InputError
from eec_datasets.locale.model import NONE, UNMARKED
from eec_datasets.schema import axes_of

if TYPE_CHECKING:
    import pyarrow as pa

    from eec_datasets.systems.base import System

PAPER_CONFIGS: Final = ("en-black-white", "en-anglo-latino", "en-anglo-arab", "es-anglo-latino", "ar-anglo-arab")
"""The configs whose names and words come from the papers."""

STRONG_CONFIGS: Final = ("en-black-white-100", "en-black-white-100-typical", "en-anglo-latino-100")
"""English configs with a hundred names per cell; an audit takes these and the papers' where none is named."""

CACHED_CORPORA: Final = 32
"""Corpora of which parts and names are kept, as systems score the same ones one after the other."""

SHOWN_ITEMS: Final = ("t01/angry", "t08/none")
"""Items whose sentences are shown: one with an emotion word, one without (the first where a config lacks them)."""


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """One rendered config, known by identity, so that what is worked out of it can be kept.

    Attributes
    ----------
    name, language, about, review
        As in :class:`eec_datasets.Config`.
    data
        ``NAME@VERSION#HASH`` with all 64 digits of the content hash.
    table
        The rows, an Arrow table of strings.
    columns
        The same rows as lists.
    groups
        Marked levels by identity axis, in the order in which they first occur.
    part
        Which part of the config it is, in words; empty for all of it.
    first_tokens, tokenizer
        By form the first token of each name, where names are clustered by these and not by their first letters; and
        the name of the tokeniser.
    """

    name: str
    language: str
    about: str
    review: str
    data: str
    table: pa.Table
    columns: Mapping[str, Sequence[str]]
    groups: Mapping[str, list[str]]
    part: str = ""
    first_tokens: Mapping[str, str] = field(default_factory=dict)
    tokenizer: str = ""

    @property
    def ids(self) -> Sequence[str]:
        """Ids of the rows."""
        return self.columns["id"]

    @property
    def version(self) -> str:
        """Version of its sentences."""
        return self.data.partition("#")[0].rpartition("@")[2]

    @property
    def label(self) -> DataName:
        """Its name in results; the digest also tells by which first tokens names are clustered."""
        digest = self.data.partition("#")[2][:8]
        if self.first_tokens:
            tokens = json.dumps(sorted(self.first_tokens.items())).encode()
            digest = f"{digest}+tokens-{hashlib.sha256(tokens).hexdigest()[:8]}"
        return DataName(self.name, self.version, digest)


@dataclass(frozen=True, slots=True)
class CorpusPart:
    """So many names of each cell and so many items of a corpus, drawn by a seed; None for all."""

    names: int | None = None
    items: int | None = None
    seed: int = 0

    def __str__(self) -> str:
        names = [f"{self.names} names per cell"] if self.names else []
        return " and ".join([*names, *([f"{self.items} items"] if self.items else [])])


WHOLE: Final = CorpusPart()

PAPER_SIZED: Final = CorpusPart(items=20)
"""Part of a config with a hundred names that has no more sentences than a config of the papers: 8,400."""

ENDPOINT_PART: Final = CorpusPart(names=16, items=20)
"""Part of a corpus that an endpoint scores by default: with 8 prompts that is 13,440 calls."""

SLOW_PART: Final = CorpusPart(names=20, items=20)
"""Part of a corpus that a slow system scores by default: 2,000 sentences, most of them with names."""

LARGE_CONFIGS: Final = ("en-black-white-100", "es-anglo-latino-100", "ar-anglo-arab-100")
"""The corpora of which a part is taken where nobody names one: one of each language that has ready prompts."""


def open_corpus(name: str, part: CorpusPart = WHOLE) -> Corpus:
    """Render one config, or a balanced part of it.

    Raises
    ------
    InputError
        No locale has a config of this name, or the config has no such part.
    """
    config = corpora.find(name)
    rendered = corpora.render(config, names=part.names, items=part.items, seed=part.seed)
    about = (config.version, config.language, config.about, config.review)
    rows = corpus_of(rendered.table(), name, *about, columns=rendered.columns)
    return replace(rows, part=str(part))


def open_confounded(name: str) -> Corpus:
    """Make the data sets of Lakkaraju et al. (2022) from the persons and words of a config."""
    from eec_datasets.design import confounded

    rows, config = confounded(name), corpora.find(name)
    about = (config.version, config.language, rows.info.description, config.review)
    return corpus_of(rows.data.table, f"{name}-confounded", *about, axes=("gender", "race"))


def corpus_of(
    table: pa.Table, name: str, version: str, language: str, about: str, review: str, axes: Sequence[str] | None = None,
    columns: Mapping[str, list[str]] | None = None,
) -> Corpus:  # fmt: skip
    """Return rows that are there, rendered or from a release, as a corpus; as lists as well where those are there."""
    columns = columns or {column: table.column(column).to_pylist() for column in table.column_names}
    groups = {axis: [v for v in dict.fromkeys(columns[axis]) if v != UNMARKED] for axis in axes or axes_of(columns)}
    groups = {axis: levels for axis, levels in groups.items() if levels}
    data = f"{name}@{version}#{schema.content_hash(table)}"
    return Corpus(name, language, about, review, data, table, columns, groups)


def part_of(corpus: Corpus, rows: Sequence[int], name: str = "") -> Corpus:
    """Return some rows of a corpus, which have a content hash of their own; what is known of its names stays."""
    table, axes = corpus.table.take(list(rows)), tuple(corpus.groups)
    part = corpus_of(table, name or corpus.name, corpus.version, corpus.language, corpus.about, corpus.review, axes)
    return replace(
        part,
        part=corpus.part,
        first_tokens=corpus.first_tokens,
        tokenizer=corpus.tokenizer,
    )


def clustered_by(corpus: Corpus, first_token: Callable[[str], str], tokenizer: str) -> Corpus:
    """Return a corpus whose names are of one family where they begin with the same token."""
    names = zip(corpus.columns["person_form"], corpus.columns["person_type"], strict=True)
    forms = dict.fromkeys(form for form, kind in names if kind == "name")
    return replace(corpus, first_tokens={form: first_token(form) for form in forms}, tokenizer=tokenizer)


def choose_parts(
    names: Sequence[str],
    languages: Sequence[str],
    system: System,
    part: CorpusPart = WHOLE,
    beside: Sequence[System] = (),
) -> list[tuple[str, CorpusPart]]:
    """Return the configs that one system scores and what is taken of each; empty where none is in its languages.

    Where nobody names a config or a language, these are the papers' configs and `PAPER_SIZED` of the strong ones. A
    part, where nobody names a config, is one of `LARGE_CONFIGS`. A system that is asked by prompts gets
    `ENDPOINT_PART` of them, as every answer of it costs, and so do the systems ``beside`` it, which are compared.
    A slow system gets `SLOW_PART`.

    Parameters
    ----------
    names
        Configs asked for.
    languages
        Languages asked for: all their configs, or those of `LARGE_CONFIGS` where a part is taken and they have some.
    system
        The system: configs in languages that it is not made for are left out, unless asked for by name.
    part
        What is asked for of each.
    beside
        All systems of an audit.

    Raises
    ------
    InputError
        A name or a language has no config, or a config is in none of the languages asked for.
    FileProblems
        The locale of a config asked for cannot be read.
    """
    if names:
        for config in map(corpora.find, names):
            if languages and config.language not in languages:
                raise InputError(
                    f"config {config.name} is in the language '{config.language}', and only {', '.join(languages)} "
                    f"was chosen; name configs or languages, not both"
                )
        return [(name, part) for name in dict.fromkeys(names)]
    asked = any(each.runs is not None for each in (system, *beside))
    large = part != WHOLE or asked or system.slow
    default = LARGE_CONFIGS if large else PAPER_CONFIGS
    configs = corpora.usable(languages)[0] if languages else list(map(corpora.find, default))
    if large:
        by_name = {config.name: config for config in configs}
        configs = [by_name[name] for name in default if name in by_name] or configs
    taken = part
    if part == WHOLE and asked:
        taken = ENDPOINT_PART
    elif part == WHOLE and system.slow:
        taken = SLOW_PART
    known = [config.name for config in configs if system.knows(config.language)]
    strong = STRONG_CONFIGS if system.knows("en") and not (languages or large) else ()
    chosen = [(name, taken if name in LARGE_CONFIGS else part) for name in known]
    return chosen + [(name, PAPER_SIZED) for name in strong]


def sample(corpus: Corpus, per_item: int | None = None) -> list[list[dict[str, str]]]:
    """Return sentences to show: per item, rows of one person of every group; at most ``per_item`` of them.

    Returns
    -------
    list of list of dict
        One list per item of rows as dicts; in each item the sentences differ only in the person.
    """
    rows, axes = corpus.table.to_pandas(), axes_of(corpus.columns)
    emotions = dict(zip(corpus.columns["item"], corpus.columns["emotion"], strict=True))
    # A speaker crossed into the id (``t01/angry/speaker-female``) still matches.
    preferred = sorted(emotions, key=lambda item: not item.startswith(SHOWN_ITEMS))
    first = {emotions[item] == NONE: item for item in reversed(preferred)}
    items = [rows[rows["item"] == first[neutral]].drop_duplicates(axes) for neutral in sorted(first)]
    return [item[:per_item].to_dict("records") for item in items]
