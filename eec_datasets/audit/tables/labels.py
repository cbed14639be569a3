"""Whom and what the rows of a user's table are about: one of our lists says it, a second table, or its own columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from eec_datasets import corpora
from eec_datasets.audit.covariates import rows_to_measure
from eec_datasets.audit.tables.cells import as_text, texts_of
from eec_datasets.audit.tables.columns import (
    ITEMS,
    LABELS,
    LAYOUT,
    PERSONS,
    TEXTS,
    WORDS,
    choose_scores,
    find_column,
    in_layout,
    key_of,
    number_columns,
    refuse_nested,
    scores_of_own,
)
from eec_datasets.audit.tables.files import Files
from eec_datasets.audit.tables.sentences import Match, find_config, nearly, rows_of
from eec_datasets.errors import InputError
from eec_datasets.systems.corpus import Corpus, corpus_of, open_corpus, part_of
from eec_datasets.text_file import straightened

if TYPE_CHECKING:
    import pyarrow as pa

OUR_ID: Final = re.compile(r"[^\s/]+/[^\s/]+(/[^\s/]+)+")
"""IDs of our corpora: template, word and person."""

PUBLISHED_ID: Final = re.compile(r"20\d\d-[A-Za-z]{2}-.*\d+")
"""IDs of the published corpus, such as 2018-En-mystery-05498."""

PEOPLES_WORDS: Final = {
    "race": {"african-american": "Black", "black": "Black", "european": "white", "white": "white", "": "unmarked"},
    "gender": {"female": "female", "male": "male", "neutral": "neutral", "": "unmarked"},
    "emotion": {"": "none"},
}
"""Names of groups in the file of 2018 → our names."""

EXAMPLE: Final = (
    "A table like this one would work:\n"
    "  person,gender,template,score\n"
    "  Alice,female,<name> called me,0.41\n"
    "  Bob,male,<name> called me,0.38"
)


@dataclass(frozen=True, slots=True)
class LabelledTable:
    """A table of scores, with the labels of its rows.

    Attributes
    ----------
    table
        The rows with scores, with the columns that labels are found by named as ours are.
    rows
        The labelled rows that scores are joined to; None if the table has labels itself.
    key
        The column by which the rows of both are matched: ``id`` or ``text``.
    target
        What messages call the labelled rows: ``the data``, ``config NAME``.
    scores
        The columns of scores of a table that has labels itself.
    left_out
        Columns of other labelled rows that are no labels.
    corpus
        The list that the rows are of, if they are of one.
    origin, found
        Where texts and groups come from, and how that was found out; empty if nothing had to be.
    notes
        What was guessed of the labelled rows and of the names of columns.
    """

    table: pa.Table
    rows: pa.Table | None = None
    key: str = ""
    target: str = ""
    scores: Sequence[str] = ()
    left_out: Sequence[str] = ()
    corpus: Corpus | None = None
    origin: str = ""
    found: str = ""
    notes: Sequence[str] = ()


def find_labels(
    files: Files,
    *,
    config: str | None = None,
    data: Files | None = None,
    axes: Sequence[str] = (),
    cluster: Callable[[Corpus], Corpus] | None = None,
) -> LabelledTable:
    """Find the labels of a table's rows: in the corpus that holds every id or text, else in its own columns.

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
        Nothing says whom its rows are about, or several corpora could.
    """
    if config is None and data is not None and _are_labelled(data):
        return _labels_of_data(files, data)
    if config is None and data is None and _are_labelled(files) and not in_layout(files.columns):
        return own_labels(files)
    table = files.table if data is None else _joined(files, data)
    if files.header is not None:
        config = config or files.header.data.partition("@")[0]
    if config is not None:
        return _labels_of_corpus(files, table, config, cluster)
    key, match = _recognise(files, table)
    if key is None or match is None or match.found < len(key.values):
        return _labels_of_people(files, table, axes, key, match)
    _check_language(files, match)
    labels = _labels_of_corpus(files, table, match.config, cluster, key)
    count = f"{len(key.values):,}"
    also = f"; {', '.join(match.others)} would fit too" if match.others else ""
    return replace(
        labels,
        origin=f"{key.name}s from `{key.column}`, groups from the list",
        found=f"matched to {match.config} by {key.name}: {count} of {count}{also}",
    )


def _are_labelled(files: Files) -> bool:
    """Return whether a table has the labels that the metric needs, by its own names for them, or has checked pairs."""
    from eec_bias.reading import are_checked_pairs

    return set(LABELS) <= set(files.columns) or are_checked_pairs(files.columns)


def own_labels(files: Files) -> LabelledTable:
    """Return a table that has scores and labels: ``person`` and ``item``, or pairs that ``eec perturb`` checked."""
    scores = choose_scores(files, files.columns)
    names = [name for name in files.columns if name not in ("id", "text")]
    table = files.read(names, [name for name in names if name not in scores])
    return LabelledTable(table, scores=scores, notes=files.notes)


def _labels_of_data(files: Files, data: Files) -> LabelledTable:
    """Return scores with the rows of a second table, which has the labels.

    Raises
    ------
    InputError
        Rows cannot be matched.
    """
    if "text" not in files.columns:
        key_of(data.source, data.columns, ("id",))
    names = [name for name in data.columns if name != "text" or name in files.columns]
    rows = data.read(names, [name for name in names if name != "id"])
    refuse_nested(rows, files.columns, data.source)
    key = key_of(files.source, files.columns, names)
    others = [name for name in names if name not in ("id", "text")]
    numbers, of_numbers = number_columns(data, others, lambda name: rows[name].unique().to_pylist())
    notes = [f"in {data.source} {note}" for note in (*data.notes, *of_numbers)]
    left_out = ("id", "text", *numbers)
    return LabelledTable(files.table, rows, key, "the data", left_out=left_out, notes=[*notes, *files.notes])


def _joined(files: Files, data: Files) -> pa.Table:
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
    table, rows = files.table, data.table
    place = pc.index_in(as_text(table[ours]), value_set=as_text(rows[theirs]))
    if place.null_count:
        row = place.is_null().index(True).as_py()
        raise InputError(
            f"{files.source}: {ours} {table[ours][row].as_py()!r} in {files.line(row)} is none of {data.source} "
            f"({place.null_count:,} such of {len(table):,})."
        )
    added = [name for name in data.columns if name not in files.columns]
    joined = {name: table[name] for name in files.columns} | {name: rows[name].take(place) for name in added}
    return pa.table(joined)


# Rows of our lists


@dataclass(frozen=True, slots=True)
class _Key:
    """The column that identifies the rows of a table.

    Attributes
    ----------
    column
        As the table calls it.
    name
        As the corpora call it, ``id`` or ``text``.
    values
        Its distinct values.
    """

    column: str
    name: str
    values: Sequence[str]

    @property
    def wanted(self) -> set[str]:
        """Return the values as rows are looked up by them."""
        return {straightened(value) for value in self.values} if self.name == "text" else set(self.values)


def _find_keys(files: Files, table: pa.Table, *, any_id: bool = False) -> list[_Key]:
    """Return the columns that may say which sentence each row is: ``id`` like ours, or any, and the one of texts."""
    columns = table.column_names
    text = files.options.text or find_column(columns, TEXTS)
    if files.options.text and files.options.text not in columns:
        raise InputError(f"{files.source}: there is no column {files.options.text!r} among {', '.join(columns)}.")
    found = []
    for column in ("id", text):
        if column is None or column not in columns:
            continue
        values = [value for value in dict.fromkeys(texts_of(table, column)) if value]
        name = "id" if column == "id" else "text"
        if values and (any_id or name == "text" or any(map(OUR_ID.fullmatch, values))):
            found.append(_Key(column, name, values))
    return found


def _recognise(files: Files, table: pa.Table) -> tuple[_Key | None, Match | None]:
    """Return the column by which the rows are those of a corpus, and the corpus that holds most of them."""
    best: tuple[_Key | None, Match | None] = (None, None)
    for key in _find_keys(files, table):
        match = find_config(key.values, texts=key.name == "text")
        if match is not None and match.found == len(key.values):
            return key, match
        if match is not None and (best[1] is None or match.found > best[1].found):
            best = key, match
    return best


def _check_language(files: Files, match: Match) -> None:
    """Refuse ids that sentences of several languages have."""
    names = [match.config, *match.others]
    if len({corpora.find(name).language for name in names}) > 1:
        raise InputError(
            f"{files.source}: the ids are those of {' and of '.join(names)}, which are in several languages. Name the "
            "one that was scored with --config (config= in Python), or add the column text."
        )


def check_header(files: Files, data: str) -> None:
    """Refuse a file of an audit that scored other sentences."""
    if files.header and files.header.data != data:
        raise InputError(
            f"{files.source}: the scores are of {files.header.data}, the corpus is {data}. Choose the corpus they are "
            "of, or score the corpus as it is now. If only some of its names or items were scored, run the same audit "
            "again: it measures the stored answers. To use other options, measure the scores with --data and the rows "
            "that eec_datasets.load(…, names=, items=) gives."
        )


def _labels_of_corpus(
    files: Files,
    table: pa.Table,
    config: str,
    cluster: Callable[[Corpus], Corpus] | None,
    key: _Key | None = None,
) -> LabelledTable:
    """Return scores with the rows of a corpus, of all that it can render."""
    default = open_corpus(config)
    check_header(files, default.data)
    if key is None:
        key, rows = _key_of_config(files, table, default)
    else:
        rows = rows_of(config, key.wanted, key.name)
    corpus = default
    if rows is not None and not rows.equals(default.table):
        about = (default.version, default.language, default.about, default.review)
        corpus = corpus_of(rows.combine_chunks(), config, *about)
    corpus = _with_what_is_there(corpus, key)
    if cluster is not None:
        corpus = cluster(corpus)
    kept = _with_key(files, table, key)
    return LabelledTable(
        kept,
        rows_to_measure(corpus),
        key.name,
        f"config {config}",
        corpus=corpus,
        notes=files.notes_on(kept.column_names),
    )


def _key_of_config(files: Files, table: pa.Table, corpus: Corpus) -> tuple[_Key, pa.Table | None]:
    """Return the column by which a table fits a corpus best, and the rows that hold all of it, if there are such."""
    keys = _find_keys(files, table, any_id=True)
    # Ids are named first, so that they are taken where both fit.
    for key in keys:
        rows = rows_of(corpus.name, key.wanted, key.name)
        if rows is not None:
            return key, rows
    if not keys:
        raise InputError(
            f"{files.source}: there is no column 'id' or 'text' among {', '.join(table.column_names)}, by which scores "
            "and rows are matched. Name the column of sentences with --text (text= in Python)."
        )
    ours = {"id": set(corpus.ids), "text": {straightened(text) for text in corpus.columns["text"]}}
    return max(keys, key=lambda key: len(key.wanted & ours[key.name])), None


def _with_what_is_there(corpus: Corpus, key: _Key) -> Corpus:
    """Return the persons and items of a corpus of which a table has a row."""
    wanted = key.wanted
    own = [straightened(text) for text in corpus.columns["text"]] if key.name == "text" else corpus.ids
    there = [row for row, each in enumerate(own) if each in wanted]
    items, persons = ({corpus.columns[name][row] for row in there} for name in ("item", "person"))
    met = zip(corpus.columns["item"], corpus.columns["person"], strict=True)
    rows = [row for row, (item, person) in enumerate(met) if item in items and person in persons]
    if len(rows) in (0, len(own)):
        return corpus
    return part_of(corpus, rows)


def _with_key(files: Files, table: pa.Table, key: _Key) -> pa.Table:
    """Return a table whose rows are known by one column, without those that only people's files have."""
    dropped: list[str] = []
    if key.name == "text":
        dropped += [name for name in ("id", "text") if name not in (key.column, *files.options.columns)]
    if in_layout(table.column_names):
        dropped += [name for name in table.column_names if name.casefold() in (*LAYOUT, "emotion")]
    kept = [name for name in table.column_names if name not in dropped]
    return table.select(kept).rename_columns([key.name if name == key.column else name for name in kept])


# The table's own columns


def _labels_of_people(
    files: Files, table: pa.Table, axes: Sequence[str], key: _Key | None, match: Match | None
) -> LabelledTable:
    """Return a table with the columns ``person``, ``item`` and one per group, as far as its own columns say them.

    Raises
    ------
    InputError
        Nothing says whom or what the rows are about; the message shows a table that works.
    """
    scores = scores_of_own(files, table)
    columns = [name for name in table.column_names if name not in scores]
    if missing := [axis for axis in axes if axis not in columns]:
        raise InputError(f"{files.source}: there is no column {missing[0]!r} among {', '.join(table.column_names)}.")
    text, person, item, word = (find_column(columns, names) for names in (TEXTS, PERSONS, ITEMS, WORDS))
    text = files.options.text or text
    groups = list(axes) or [name for name in columns if name.casefold() in ("race", "gender", "sex", "religion")]
    layout = in_layout(table.column_names)
    new: dict[str, list[str]] = {}
    if item is not None:
        new["item"] = texts_of(table, item)
        if item.casefold() == "template" and word is not None:
            new["item"] = [f"{a}/{b or 'none'}" for a, b in zip(new["item"], texts_of(table, word), strict=True)]
    elif text is not None and person is not None:
        new["item"] = _templates(files, table, text, person)
    if person is not None:
        new["person"] = texts_of(table, person)
    elif groups and item is not None:
        # Each group has one version of every item.
        labels = zip(*(texts_of(table, name) for name in groups), strict=True)
        new["person"] = [" ".join(label) for label in labels]
    if not {"person", "item"} <= new.keys():
        lacks = "what each is about (a column template, item or text)" if "person" in new else "whom each is about"
        raise InputError(
            f"{files.source}: these rows are not from our corpora, and no column says {lacks}. The columns are "
            f"{', '.join(table.column_names)}.{_known_otherwise(table, text)}\n{EXAMPLE}"
        )
    for name in columns:
        canonical = name.casefold() if name.casefold() in PEOPLES_WORDS else ""
        if canonical and (layout or canonical != "emotion"):
            new[canonical] = _peoples_words(canonical, texts_of(table, name), empty=layout)
    if layout and match is not None:
        pairs = _pairs_of(table, match.config, text, person)
        new["pair"] = [
            f"{item}/{pairs.get(person, person)}" if race == "unmarked" else item
            for item, person, race in zip(new["item"], new["person"], new["race"], strict=True)
        ]
    renamed = [name for name in (person, item) if name is not None and name not in (*groups, *LABELS)]
    named = _with_columns(table.drop_columns(renamed), new, text)
    sentences = f"sentences from `{text}`, " if text else ""
    of_groups = ", ".join(f"`{name}`" for name in groups) or "its other columns"
    held = f"; {match.config} has {match.found:,} of its {len(key.values):,} {key.name}s" if key and match else ""
    return LabelledTable(
        named,
        scores=scores,
        notes=files.notes_on(()),
        origin=f"{sentences}groups from {of_groups}",
        found=f"labels from its own columns{held}",
    )


def _peoples_words(axis: str, labels: list[str], *, empty: bool) -> list[str]:
    """Return labels as the corpora write them; others stay, and so do empty ones where they may be forgotten."""
    words = PEOPLES_WORDS[axis]
    return [words.get(label.strip().casefold(), label) if label or empty else label for label in labels]


def _templates(files: Files, table: pa.Table, text: str, person: str) -> list[str]:
    """Return what is left of sentences without their person."""
    texts, persons = texts_of(table, text), texts_of(table, person)
    lacking = [row for row, (said, name) in enumerate(zip(texts, persons, strict=True)) if not name or name not in said]
    if lacking:
        row = lacking[0]
        raise InputError(
            f"{files.source}: {person!r} is {persons[row]!r} in {files.line(row)}, and {text!r} there is "
            f"{texts[row]!r}, which does not contain it ({len(lacking):,} such rows). Add a column template or item "
            f"that says which sentences belong together.\n{EXAMPLE}"
        )
    return [straightened(said.replace(name, "<person>", 1)) for said, name in zip(texts, persons, strict=True)]


def _pairs_of(table: pa.Table, config: str, text: str | None, person: str | None) -> Mapping[str, str]:
    """Return what noun phrases and pronouns are paired by, by the words of the file of 2018 for them."""
    if text is None or person is None:
        return {}
    rows = corpora.table(config)
    ours = zip(rows["pair"].to_pylist(), rows["item"].to_pylist(), strict=True)
    by_text = dict(zip(map(straightened, rows["text"].to_pylist()), ours, strict=True))
    found: dict[str, str] = {}
    for said, name in zip(texts_of(table, text), texts_of(table, person), strict=True):
        pair, item = by_text.get(straightened(said), ("", ""))
        if pair != item:
            found.setdefault(name, pair.removeprefix(f"{item}/"))
    return found


def _with_columns(table: pa.Table, new: Mapping[str, list[str]], text: str | None) -> pa.Table:
    import pyarrow as pa

    renamed = {text: "text"} if text is not None else {}
    kept = [name for name in table.column_names if name not in new and name.casefold() not in new]
    columns = {renamed.get(name, name): table[name] for name in kept}
    return pa.table(columns | {name: pa.array(values, pa.string()) for name, values in new.items()})


def _known_otherwise(table: pa.Table, text: str | None) -> str:
    """Return how rows that are nearly ours, or have the IDs of the published corpus, can be matched."""
    if text is not None:
        near = nearly([value for value in texts_of(table, text) if value])
        if near is not None:
            said, ours, config = near
            return (
                f" The text {said!r} is {ours!r} in {config}: write the sentences as `eec sentences {config}` does, or "
                "give their column id too."
            )
    if "id" in table.column_names and any(map(PUBLISHED_ID.fullmatch, texts_of(table, "id"))):
        return (
            " These are IDs of the published corpus of 2018. Give its file too, with --data "
            "Equity-Evaluation-Corpus.csv (data= in Python): rows are joined by ID."
        )
    return ""
