"""Measurements as files: what is written of them, and how saved ones are read."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from eec_bias import ResultError
from eec_bias.measurement import Failure, Measurement, Origin, from_document
from eec_bias.shared import grouped
from eec_datasets import corpora
from eec_datasets.errors import EecError, InputError
from eec_datasets.given_file import read_given
from eec_datasets.terminal import all_visible
from eec_datasets.text_file import csv_text, guarded, json_of


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV, empty where a value is missing; see `guarded` for what a spreadsheet would run."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    cells = ([_cell(row.get(column)) for column in columns] for row in rows)
    return csv_text([map(guarded, columns), *cells])


def _cell(value: Any) -> str:
    """Write a value as a cell, a list of words with both their forms as one text: ``angry (enojada, enojado)``."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, list | tuple):
        value = "; ".join(f"{word} ({', '.join(forms)})" for word, *forms in value)
    return guarded(str(value))


def to_json(value: Any, depth: int = 4) -> str:
    """Return a document as JSON, one row per line: lists and objects inside others are opened up to a depth."""
    if depth == 0 or not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    if isinstance(value, list):
        parts, (start, end) = [to_json(each, depth - 1) for each in value], "[]"
    else:
        keys = [json.dumps(key, ensure_ascii=False) for key in value]
        parts, (start, end) = (
            [f"{k}: {to_json(each, depth - 1)}" for k, each in zip(keys, value.values(), strict=True)],
            "{}",
        )
    return f"{start}\n" + ",\n".join(parts) + f"\n{end}"


def read(paths: Sequence[Path]) -> tuple[list[Measurement], list[Failure], list[str]]:
    """Read saved measurements; return them, the systems that failed, and the places of what another file has too.

    Parameters
    ----------
    paths
        Files that ``eec audit``, ``eec measure`` or ``Result.save`` wrote, each read once.

    Raises
    ------
    InputError
        A file cannot be read or is no result, or two different results are of one system on one list.
    """
    files = {os.path.realpath(path): path for path in paths}.values()
    found = [(path, *_of_file(path)) for path in files]
    placed = [(f"{path}, {each.list}", each) for path, measurements, _ in found for each in measurements]
    failures = [each for _, _, failed in found for each in failed]
    chosen: dict[tuple[str, ...], tuple[str, Measurement]] = {}
    repeated: list[str] = []
    for place, measurement in placed:
        key = _key(measurement)
        if key not in chosen:
            chosen[key] = place, measurement
            continue
        first, before = chosen[key]
        if (before.source.version, before.result) != (measurement.source.version, measurement.result):
            raise InputError(
                f"{first} and {place}: two results of {' · '.join(filter(None, key))}, and one page cannot show both. "
                f"Leave one out, or give its system another name."
            )
        repeated.append(place)
    return _named_apart([measurement for _, measurement in chosen.values()]), failures, repeated


def _key(each: Measurement) -> tuple[str, ...]:
    systems = dict.fromkeys(row.system or each.system for row in each.result.terms)
    return (*systems, each.list, each.source.part, each.kind)


def _of_file(path: Path) -> tuple[list[Measurement], list[Failure]]:
    """Read the measurements and failures of a file; a result alone is named by its file and its corpus."""
    expected = "Expected a whole saved result as JSON; measure again if its writing was cut short."
    try:
        content = json_of(read_given(path).decode("utf-8"))
        json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise InputError(f"{path}: has {half!r}, half a character. Correct the text.") from error
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}. Give files of saved results.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}. {expected}") from error
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: not JSON: {error.msg} at column {error.colno}. {expected}") from error
    except ValueError as error:
        raise InputError(f"{path}: cannot be read as JSON ({error}). {expected}") from error
    try:
        # Controls in texts are shown, as a page must not obey them.
        measurements, failures = from_document(all_visible(content))
    except ResultError as error:
        raise InputError(f"{path}: {error}") from error
    return [_named(each, path.stem) for each in measurements], failures


def _named(measurement: Measurement, name: str) -> Measurement:
    """Name the language and system of a result that was saved alone."""
    if measurement.source != Origin():
        return measurement
    language, system = measurement.language, measurement.system
    if not language:
        with suppress(EecError):
            config = corpora.look_up(measurement.result.facts.data.name)
            language = config.language if config else ""
    if not system and not any(row.system for row in measurement.result.terms):
        system = name
    return replace(measurement, language=language, system=system)


def _named_apart(measurements: Sequence[Measurement]) -> list[Measurement]:
    """Put the part into the name of a list of which a system has several parts."""
    parts = grouped(((each.system, each.list, each.kind), each.source.part) for each in measurements)
    several = {listed for (_, listed, _), some in parts.items() if len(set(some)) > 1}
    return [
        replace(each, list=f"{each.list} ({each.source.part})") if each.list in several and each.source.part else each
        for each in measurements
    ]
