"""A table with scores, from a file or from memory, put beside the labels of its rows, whatever says these."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from eec_datasets import corpora
from eec_datasets.audit.covariates import rows_to_measure
from eec_datasets.audit.tables.columns import SCORE, as_text, choose_scores, pick
from eec_datasets.audit.tables.files import Files, TableOptions, find_files
from eec_datasets.audit.tables.forms import table_of
from eec_datasets.audit.tables.own_rows import LABELS, TEXTS, find_column, in_layout, in_memory, name_rows
from eec_datasets.audit.tables.scores import TableScores, read_beside, read_table
from eec_datasets.audit.tables.sentences import Match, find_config, rows_of
from eec_datasets.errors import InputError
from eec_datasets.systems.base import NO_RANGE
from eec_datasets.systems.corpus import Corpus, corpus_of, open_corpus, part_of
from eec_datasets.text_file import straightened

OUR_ID: Final = re.compile(r"[^\s/]+/[^\s/]+(/[^\s/]+)+")
"""How ids of the corpora look: template, word and person."""


LISTED: Final = 6
"""Columns that a line names."""


@dataclass(frozen=True, slots=True)
class Given:
    """Scores with the labels of their rows.

    Attributes
    ----------
    scores
        In the order of the rows.
    corpus
        What the rows are of; None where they have labels of their own.
    """

    scores: TableScores
    corpus: Corpus | None = None


@dataclass(frozen=True, slots=True)
class _Key:
    """The column that identifies the rows of a table, with its values, and whether it holds texts."""

    column: str
    texts: bool
    values: Sequence[str]

    @property
    def name(self) -> str:
        """Return how the corpora call it."""
        return "text" if self.texts else "id"


def given_table(content: Any, **said: Any) -> Files:
    """Return a path, frame, dataset or mapping as a table that can be read, with what is said of it as options."""
    options = TableOptions(**{name: value for name, value in said.items() if value is not None})
    if isinstance(content, str | os.PathLike):
        return find_files(os.fspath(content), options)
    return Files("the table", (), "memory", options, content=table_of(content))


def label_rows(files: Files, row: str, **how: Any) -> TableScores:
    """Return the labels of a table's rows, with the number of each row as its score."""
    import pyarrow as pa

    table = files.read(files.columns)
    numbered = table.append_column(row, pa.array(range(len(table)), pa.float64()))
    options = replace(files.options, columns=(row,), score_range=NO_RANGE)
    scores = read_given(replace(files, content=numbered, options=options), **how).scores
    return replace(scores, notes=[note.replace(f", scores from `{row}`", "") for note in scores.notes])


def read_given(
    files: Files,
    *,
    config: str | None = None,
    data: Files | None = None,
    axes: Sequence[str] = (),
    cluster: Callable[[Corpus], Corpus] | None = None,
) -> Given:
    """Read a table of scores, and find the labels of its rows.

    They come from the corpus that holds every id or text of the table, else from its own columns.

    Parameters
    ----------
    files
        The table.
    config
        The corpus that was scored, if that is known.
    data
        The rows that were scored, if the table has only their ids or texts.
    axes
        Columns of groups that were asked for.
    cluster
        Gives the names of a corpus other families.

    Raises
    ------
    InputError
        Everything that is wrong with the table, at once; or nothing says whom its rows are about.
    """
    if config is None and data is not None and set(LABELS) <= set(data.columns):
        return Given(read_table(data, scores=files))
    if config is None and data is None and set(LABELS) <= set(files.columns) and not in_layout(files.columns):
        return Given(read_table(files))
    if data is not None:
        files = _joined(files, data)
    if files.header is not None:
        config = config or files.header.data.partition("@")[0]
    if config is not None:
        return _of_corpus(files, config, cluster=cluster)
    key, match = _recognise(files)
    if key is not None and match is not None and match.found == len(key.values):
        _check_language(files, match)
        given = _of_corpus(files, match.config, key, cluster=cluster)
        also = f"; {', '.join(match.others)} would fit too" if match.others else ""
        return replace(given, scores=replace(given.scores, notes=[_note(key, given, also), *given.scores.notes]))
    return _of_own(files, key, match, axes)


def _check_language(files: Files, match: Match) -> None:
    """Refuse ids that sentences of several languages have."""
    names = [match.config, *match.others]
    if len({corpora.find(name).language for name in names}) > 1:
        raise InputError(
            f"{files.source}: the ids are those of {' and of '.join(names)}, which are in several languages. Name the "
            "one that was scored with --config (config= in Python), or add the column text."
        )


def _recognise(files: Files) -> tuple[_Key | None, Match | None]:
    """Return the column by which the rows are those of a corpus, and the corpus that holds most of them."""
    best: tuple[_Key | None, Match | None] = (None, None)
    for key in _keys(files):
        match = find_config(key.values, texts=key.texts)
        if match is not None and match.found == len(key.values):
            return key, match
        if match is not None and (best[1] is None or match.found > best[1].found):
            best = key, match
    return best


def _keys(files: Files, *, any_id: bool = False) -> list[_Key]:
    """Return the columns that may say which sentence each row is: ``id`` like ours, or any, and the one of texts."""
    text = files.options.text or find_column(files.columns, TEXTS)
    if files.options.text and files.options.text not in files.columns:
        raise InputError(f"{files.source}: there is no column {files.options.text!r} among {', '.join(files.columns)}.")
    names = [name for name in ("id", text) if name is not None and name in files.columns]
    found = []
    for name in names:
        values = [value for value in dict.fromkeys(as_text(_column(files, name)).to_pylist()) if value]
        if values and (any_id or name != "id" or any(map(OUR_ID.fullmatch, values))):
            found.append(_Key(name, name != "id", values))
    return found


def _column(files: Files, name: str) -> Any:
    return files.read([name])[name]


def _of_corpus(
    files: Files, config: str, key: _Key | None = None, *, cluster: Callable[[Corpus], Corpus] | None = None
) -> Given:
    """Put scores beside the rows of a corpus, of all that it can render."""
    default = open_corpus(config)
    _check_header(files, default)
    key = key or _key_of_config(files, default)
    if key is None:
        raise InputError(
            f"{files.source}: there is no column 'id' or 'text' among {', '.join(files.columns)}, by which scores and "
            "rows are matched. Name the column of sentences with --text (text= in Python)."
        )
    rows = rows_of(config, _wanted(key), key.name)
    corpus = default
    if rows is not None and not rows.equals(default.table):
        about = (default.version, default.language, default.about, default.review)
        corpus = corpus_of(rows.combine_chunks(), config, *about)
    corpus = _with_what_is_there(corpus, key)
    corpus = cluster(corpus) if cluster is not None else corpus
    table = rows_to_measure(corpus)
    scores = read_beside(table, _with_key(files, key), f"config {config}")
    return Given(scores, corpus)


def _check_header(files: Files, corpus: Corpus) -> None:
    """Refuse a file of an audit that scored other sentences."""
    if files.header and files.header.data != corpus.data:
        raise InputError(
            f"{files.source}: the scores are of {files.header.data}, the corpus is {corpus.data}. Choose the corpus "
            "they are of, or score the corpus as it is now. If only some of its names or items were scored, the audit "
            "that scored them measures them again, from the stored answers; with other options they are measured with "
            "--data, beside the rows that eec_datasets.load(…, names=, items=) gives."
        )


def _with_what_is_there(corpus: Corpus, key: _Key) -> Corpus:
    """Return the persons and items of a corpus of which a table has a row."""
    wanted = _wanted(key)
    own = [straightened(text) for text in corpus.columns["text"]] if key.texts else corpus.ids
    there = [row for row, each in enumerate(own) if each in wanted]
    items, persons = ({corpus.columns[name][row] for row in there} for name in ("item", "person"))
    met = zip(corpus.columns["item"], corpus.columns["person"], strict=True)
    rows = [row for row, (item, person) in enumerate(met) if item in items and person in persons]
    if len(rows) in (0, len(own)):
        return corpus
    return part_of(corpus, rows)


def _key_of_config(files: Files, corpus: Corpus) -> _Key | None:
    """Return the column by which a table fits a corpus best."""
    ids, texts = set(corpus.ids), {straightened(text) for text in corpus.columns["text"]}
    keys = _keys(files, any_id=True)

    def fits(key: _Key) -> int:
        return sum(straightened(value) in texts if key.texts else value in ids for value in key.values)

    # Ids are named first, so that they are taken where both fit.
    whole = [key for key in keys if rows_of(corpus.name, _wanted(key), key.name) is not None]
    return whole[0] if whole else max(keys, key=fits, default=None)


def _wanted(key: _Key) -> set[str]:
    return {straightened(value) for value in key.values} if key.texts else set(key.values)


def _with_key(files: Files, key: _Key) -> Files:
    """Return a table whose rows are known by one column, without those that only people's files have."""
    dropped: list[str] = []
    if key.texts:
        dropped += [name for name in ("id", "text") if key.column != name and name in files.columns]
        dropped = [name for name in dropped if name not in files.options.columns]
    if in_layout(files.columns):
        dropped += [name for name in files.columns if name.casefold() in LAYOUT_LABELS]
    if not dropped and key.column == key.name:
        return files
    kept = [name for name in files.columns if name not in dropped]
    table = files.read(kept, kept).rename_columns([key.name if name == key.column else name for name in kept])
    return replace(files, content=table, source=files.source)


LAYOUT_LABELS: Final = frozenset({"template", "person", "gender", "race", "emotion", "emotion word"})
"""Columns of the file of 2018, which says by other words what the corpus says of its sentences."""


def _of_own(files: Files, key: _Key | None, match: Match | None, axes: Sequence[str]) -> Given:
    """Measure a table by the labels in its own columns."""
    systems = _score_columns(files)
    pairs = None
    if in_layout(files.columns) and match is not None:
        pairs = _pairs_of(files, match.config)
    rows = name_rows(files, systems, axes, pairs)
    own = in_memory(files, rows)
    options = replace(own.options, columns=own.options.columns or tuple(systems))
    scores = read_table(replace(own, options=options))
    held = f"; {match.config} has {match.found:,} of its {len(key.values):,} {key.name}s" if key and match else ""
    groups = ", ".join(f"`{name}`" for name in rows.groups) or "its other columns"
    sentences = f"sentences from `{rows.sentences}`, " if rows.sentences else ""
    note = (
        f"read as: {sentences}groups from {groups}, scores from {_listed(systems)}; labels from its own columns{held}"
    )
    return Given(replace(scores, notes=[note, *scores.notes]))


def _score_columns(files: Files) -> list[str]:
    """Return the columns of scores: those asked for, else ``score``, else all that hold numbers and label nothing."""
    if files.options.columns or files.options.run_columns or SCORE in files.columns:
        return choose_scores(files)
    labels = (*LAYOUT_LABELS, *TEXTS, *LABELS, "id", "pair")
    known = [name for name in files.columns if name.casefold() in labels]
    return pick(files, files.read(files.columns, files.columns), known)[0]


def _pairs_of(files: Files, config: str) -> Mapping[str, str]:
    """Return what noun phrases and pronouns are paired by, by the words of the file of 2018 for them."""
    text = find_column(files.columns, TEXTS)
    person = find_column(files.columns, ("person",))
    if text is None or person is None:
        return {}
    table = corpora.table(config)
    by_text = dict(
        zip(
            map(straightened, table["text"].to_pylist()),
            zip(table["pair"].to_pylist(), table["item"].to_pylist(), strict=True),
            strict=True,
        )
    )
    found: dict[str, str] = {}
    texts, persons = (as_text(_column(files, name)).to_pylist() for name in (text, person))
    for said, name in zip(texts, persons, strict=True):
        pair, item = by_text.get(straightened(said), ("", ""))
        if pair != item:
            found.setdefault(name or "", pair.removeprefix(f"{item}/"))
    return found


def _joined(files: Files, data: Files) -> Files:
    """Return scores with the columns of the rows that they are of, matched by id, else by text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    shared = [name for name in ("id", "text") if name in files.columns and name in data.columns]
    texts = [find_column(each.columns, TEXTS) for each in (files, data)]
    pairs = [(shared[0], shared[0])] if shared else [(texts[0], texts[1])]
    ours, theirs = pairs[0]
    if ours is None or theirs is None:
        raise InputError(
            f"{files.source} and {data.source} have no column in common by which their rows belong together; expected "
            f"'id', or a column of sentences in both. There are {', '.join(files.columns)} and "
            f"{', '.join(data.columns)}."
        )
    table, rows = files.read(files.columns, files.columns), data.read(data.columns, data.columns)
    place = pc.index_in(as_text(table[ours]), value_set=as_text(rows[theirs]))
    if place.null_count:
        row = place.is_null().index(True).as_py()
        raise InputError(
            f"{files.source}: {ours} {table[ours][row].as_py()!r} in {files.line(row)} is none of {data.source} "
            f"({place.null_count:,} such of {len(table):,})."
        )
    added = [name for name in data.columns if name not in files.columns]
    joined = {name: table[name] for name in files.columns} | {name: rows[name].take(place) for name in added}
    return replace(files, content=pa.table(joined), source=files.source)


def _note(key: _Key, given: Given, also: str) -> str:
    systems = _listed(list(given.scores.scores))
    count = f"{len(key.values):,}"
    assert given.corpus is not None
    return (
        f"read as: {key.name}s from `{key.column}`, groups from the list, scores from {systems}; matched to "
        f"{given.corpus.name} by {key.name}: {count} of {count}{also}"
    )


def _listed(names: Sequence[str]) -> str:
    """Return names of columns in one line; of many the first, and how many more there are."""
    quoted = [f"`{name}`" for name in names]
    if len(names) > LISTED + 1:
        quoted[LISTED:] = [f"{len(names) - LISTED} more"]
    return ", ".join(quoted)
