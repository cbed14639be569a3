"""An uploaded table of scores where only the metric is at hand: ``id`` and one column per system."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from eec_bias.space.corpora import Corpus, Upload, UploadError

SHOWN = 3
"""Problems of one kind that are spelled out; the rest are counted."""

Rows = dict[str, tuple[int, dict[str, str]]]


def read_upload(path: Path, corpus: Corpus, score_range: tuple[float, float]) -> Upload:
    """Read a CSV file and put its scores into the order of the corpus.

    Columns named like one of the corpus (``text``, ``race``, …) must hold what the corpus holds; every other one
    is a system.

    Parameters
    ----------
    path
        A UTF-8 CSV file with comma and a column ``id``.
    corpus
        What was scored.
    score_range
        Lowest and highest possible score.

    Raises
    ------
    UploadError
        Everything that is wrong with the file, at once, by line.
    """
    lines = _lines(path)
    if not lines:
        raise UploadError(f"{path.name}: the file is empty; expected a line 'id,score' and one line per sentence.")
    names = lines[0][1]
    systems = _systems(path.name, names, corpus)
    problems: dict[str, list[str]] = {}
    ids = corpus.column("id")
    rows = _by_id(lines[1:], names, ids, problems)
    scores = {system: _scores(system, rows, ids, score_range, problems) for system in systems}
    for name in names:
        if name in corpus.table.column_names and name != "id":
            _compare(name, rows, dict(zip(ids, corpus.column(name), strict=True)), problems)
    if problems:
        raise UploadError(_listed(path.name, corpus.name, problems))
    return Upload({system: np.array(found) for system, found in scores.items()}, score_range)


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    raw = path.read_bytes()
    if b"\0" in raw[:4096]:
        raise UploadError(f"{path.name}: this is not a text file. Save the table as CSV in UTF-8.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UploadError(
            f"{path.name}:{line}: byte {raw[error.start]:#04x} is not UTF-8. Save the file as UTF-8."
        ) from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        return [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise UploadError(f"{path.name}:{reader.line_num}: not readable as CSV: {error}.") from None


def _systems(file: str, names: Sequence[str], corpus: Corpus) -> list[str]:
    if len(names) == 1 and (";" in names[0] or "\t" in names[0]):
        mark = "semicolons" if ";" in names[0] else "tabs"
        raise UploadError(
            f"{file}:1: the columns are separated by {mark} ({names[0]!r}); expected commas, and a point in decimal "
            "numbers. Save the file with commas."
        )
    if "id" not in names:
        raise UploadError(
            f"{file}:1: no column 'id' among {', '.join(map(repr, names[:20]))}; expected a first line like 'id,score' "
            "with the ids of the corpus."
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UploadError(f"{file}:1: column {twice[0]!r} is there twice; expected each name once.")
    systems = [name for name in names if name not in corpus.table.column_names]
    if not systems:
        raise UploadError(
            f"{file}:1: no column of scores beside {', '.join(names)}; expected id and one column per system, for "
            "example 'id,score'."
        )
    return systems


def _by_id(
    lines: Sequence[tuple[int, list[str]]], names: Sequence[str], ids: Sequence[str], problems: dict[str, list[str]]
) -> Rows:
    known = set(ids)
    found: Rows = {}
    for line, values in lines:
        if len(values) != len(names):
            _add(problems, "rows of another length", f"line {line} has {len(values)} values, expected {len(names)}")
            continue
        row = dict(zip(names, values, strict=True))
        if row["id"] not in known:
            _add(problems, "unknown ids", f"{row['id']!r} in line {line}")
        elif row["id"] in found:
            _add(problems, "duplicate ids", f"{row['id']} in lines {found[row['id']][0]} and {line}")
        else:
            found[row["id"]] = (line, row)
    for identifier in ids:
        if identifier not in found:
            _add(problems, "missing ids", identifier)
    return found


def _scores(
    system: str, rows: Rows, ids: Sequence[str], limits: tuple[float, float], problems: dict[str, list[str]]
) -> list[float]:
    low, high = limits
    scores = []
    for identifier in ids:
        if identifier not in rows:
            continue
        line, row = rows[identifier]
        try:
            score = float(row[system])
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            what = f"{system} = {row[system]!r} in line {line} ({identifier})"
            _add(problems, "values that are no finite number", what)
        elif not low <= score <= high:
            what = f"{system} = {score:g} in line {line} ({identifier})"
            _add(problems, f"scores outside {low:g} to {high:g} (declare another range in step 3)", what)
        scores.append(score)
    return scores


def _compare(name: str, rows: Rows, expected: Mapping[str, str], problems: dict[str, list[str]]) -> None:
    for identifier, (line, row) in rows.items():
        if row[name] != expected[identifier]:
            what = f"{row[name]!r} in line {line}, expected {expected[identifier]!r} ({identifier})"
            _add(problems, f"values of {name!r} that differ from the corpus", what)


def _add(problems: dict[str, list[str]], kind: str, what: str) -> None:
    problems.setdefault(kind, []).append(what)


def _listed(file: str, config: str, problems: Mapping[str, Sequence[str]]) -> str:
    lines = [f"{file} does not fit config {config}:"]
    for kind, found in problems.items():
        more = f" … and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
        lines.append(f"  {len(found):,} {kind}: {'; '.join(found[:SHOWN])}{more}")
    lines.append("Expected every id of the config once, with one number per system. Nothing was measured.")
    return "\n".join(lines)
