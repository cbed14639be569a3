"""Where the texts come from: text files, CSV, JSON lines, a `datasets` dataset; read one after another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import EecError
from eec_datasets.given_file import STANDARD_INPUT, open_given
from eec_datasets.text_file import csv_rows, decode_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SUFFIXES: Final = (".txt", ".csv", ".tsv", ".jsonl")


class TextsError(EecError):
    """The texts cannot be read; the message says where and how to mend it."""


def read_texts(
    source: str | Path, column: str = "text", *, split: str | None = None, config: str | None = None
) -> Iterator[str]:
    """Read texts one after another.

    Parameters
    ----------
    source
        A ``.txt`` file with a text per line, a ``.csv``, ``.tsv`` or ``.jsonl`` file, or a `datasets` dataset: a folder
        or an id on the Hub.
    column
        Column or key of the texts (not for ``.txt``).
    split, config
        Of a dataset; the split is ``train`` if there is more than one and none is named.

    Raises
    ------
    TextsError
        The file is missing, the column is not there, a row has shifted.
    TextFileError
        The file is no UTF-8 or no CSV.
    """
    return (text for (text,) in _read(source, [column], split, config))


def read_labelled(
    source: str | Path, column: str, label: str, *, split: str | None = None, config: str | None = None
) -> Iterator[tuple[str, str]]:
    """Read texts and the label or score of each, as `read_texts` does; a label that is missing is empty.

    Raises
    ------
    TextsError
        As `read_texts`; or the source is a ``.txt`` file, which has no labels.
    """
    if Path(source).suffix.lower() == ".txt":
        raise TextsError(f"{source} has a text per line and no column '{label}'. Leave the label out, or give a table")
    return ((text, found) for text, found in _read(source, [column, label], split, config))


def _read(
    source: str | Path, columns: Sequence[str], split: str | None, config: str | None
) -> Iterator[tuple[str, ...]]:
    """The text of every row, and its label where a second column is asked for."""
    if "://" in str(source):
        raise TextsError(f"{source} is an address of the network, where nothing is fetched. Download the file first")
    path = Path(source)
    if path.suffix.lower() in SUFFIXES or str(source) == STANDARD_INPUT:
        if split is not None or config is not None:
            raise TextsError(f"{path} is a file; a split or a config belongs to a dataset (a folder or an id)")
        return _file(path, columns)
    if path.is_file():
        raise TextsError(
            f"{path}: files of type '{path.suffix}' are not read. Give {', '.join(SUFFIXES)}, or a dataset"
        )
    return _dataset(str(source), columns, split, config)


def _file(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    suffix = ".txt" if str(path) == STANDARD_INPUT else path.suffix.lower()
    try:
        with open_given(path) as file:
            lines = decode_lines(file, str(path))
            if suffix == ".txt":
                yield from ((line.rstrip("\r\n"),) for line in lines)
            elif suffix == ".jsonl":
                yield from _json_cells(lines, path, columns)
            else:
                yield from _csv_cells(lines, path, columns)
    except OSError as error:
        raise TextsError(f"{path} cannot be read: {error.strerror}. Check the path") from error


def _csv_cells(lines: Iterator[str], path: Path, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    rows = csv_rows(lines, str(path))
    header = next(rows, (1, []))[1]
    for column in columns:
        if header.count(column) != 1:
            wrong = f"no column '{column}'" if column not in header else f"the column '{column}' stands twice"
            mend = "Name the texts' column" if column == columns[0] else "Name the column of the labels"
            raise TextsError(f"{path}:1: {wrong}; the header has: {', '.join(header) or 'nothing'}. {mend}")
    places = [header.index(column) for column in columns]
    for line, cells in rows:
        if len(cells) != len(header):
            raise TextsError(
                f"{path}:{line}: {len(cells)} cells where the header has {len(header)}. A separator may be missing or "
                "unquoted"
            )
        yield tuple(cells[place] for place in places)


def _json_cells(lines: Iterator[str], path: Path, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise TextsError(f"{path}:{number}: not valid JSON: {error}. Write one object per line") from None
        for column in columns:
            if not isinstance(row, dict) or column not in row:
                keys = (", ".join(row) or "none") if isinstance(row, dict) else "no object"
                mend = "Name the texts' key" if column == columns[0] else "Name the key of the labels"
                raise TextsError(f"{path}:{number}: no key '{column}'; there is: {keys}. {mend}")
        yield _cells(row, f"{path}:{number}", columns)


def _cells(row: Mapping[str, Any], place: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The text of a row, and its label as it is written."""
    text, *labels = (row[column] for column in columns)
    if not isinstance(text, str):
        raise TextsError(
            f"{place}: '{columns[0]}' is of type {type(text).__name__}; expected a string. Leave out rows without text"
        )
    for label in labels:
        if not isinstance(label, str | int | float | None):
            raise TextsError(
                f"{place}: '{columns[1]}' is of type {type(label).__name__}; expected a label or a score. Name another "
                "column"
            )
    return text, *("" if label is None else str(label) for label in labels)


def _dataset(name: str, columns: Sequence[str], split: str | None, config: str | None) -> Iterator[tuple[str, ...]]:
    loaded = _load(name, config)
    splits = loaded if isinstance(loaded, dict) else {str(loaded.split or "train"): loaded}
    if split is None:
        split = next(iter(splits)) if len(splits) == 1 else "train"
    if split not in splits:
        raise TextsError(f"The dataset '{name}' has no split '{split}'; there is: {', '.join(splits)}. Choose one")
    for number, row in enumerate(splits[split], start=1):
        for column in columns:
            if column not in row:
                mend = "Name the texts' column" if column == columns[0] else "Name the column of the labels"
                raise TextsError(f"The dataset '{name}' has no column '{column}'; there is: {', '.join(row)}. {mend}")
        yield _cells(row, f"{name}, split {split}, row {number}", columns)


def _load(name: str, config: str | None) -> Any:
    import datasets
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    saved = any((Path(name) / file).exists() for file in ("dataset_dict.json", "state.json"))
    if saved and config is not None:
        raise TextsError(f"The folder '{name}' was saved by save_to_disk and has no configs. Leave out config")
    if not Path(name).exists():
        # Loading it would try for half a minute where there is no network.
        try:
            HfApi().dataset_info(name, timeout=10)
        except (HfHubHTTPError, HFValidationError):
            pass  # Loading it says what is wrong: no such dataset, no rights.
        except Exception as error:
            raise TextsError(
                f"'{name}' is no {'/'.join(SUFFIXES)} file and no folder, and the Hub cannot be asked for a dataset of "
                f"this name: {error}. Check the path, or the network"
            ) from error
    try:
        return datasets.load_from_disk(name) if saved else datasets.load_dataset(name, config, streaming=True)
    except Exception as error:
        what, mend = f"is neither a {'/'.join(SUFFIXES)} file nor a dataset that can be loaded", "Check name and config"
        if saved:
            what, mend = "was saved by save_to_disk but cannot be read", "Save it again"
        raise TextsError(f"'{name}' {what}: {error}. {mend}") from error
