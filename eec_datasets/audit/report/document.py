"""Saved results, read back for a report: from an audit, ``eec measure``, or ``Result.to_dict``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from eec_datasets.audit.report.shapes import BESIDE, CORPORA, MOVED, STANDOUTS, BadResult, check
from eec_datasets.errors import EecError

Row = dict[str, Any]

TEXTS: Final = ("term", "axes", "level", "reference", "subset", "note")
"""Keys of a row of terms that hold text; the others hold numbers."""

OPTIONAL: Final = ("cells", "fits", "wording", "equivalence", "bootstrap", "variances", "flips")
"""Lists of rows that a result may have beside its terms."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One result, and what is known of where it comes from.

    Attributes
    ----------
    place
        Names it in messages: the file, or system and corpus.
    system
        Name of what was measured, for rows that do not say.
    config, language, review, data, fingerprint
        The corpus, its BCP 47 tag, how far readers have checked it, its whole hash; version of the system.
        Empty where not known.
    result
        What ``Result.to_dict`` said, as read.
    terms
        Its rows, with every key there is in this version.
    lists
        The other lists of rows, empty where there are none.
    standouts, moved
        Names far from their group, and pairs that moved most; None where the file does not hold them.
    lacking
        Keys of this version that no row has.
    """

    place: str
    system: str
    config: str
    language: str
    review: str
    data: str
    fingerprint: str
    result: Mapping[str, Any]
    terms: Sequence[Row]
    lists: Mapping[str, Sequence[Row]]
    standouts: Sequence[Row] | None
    moved: Sequence[Row] | None
    lacking: tuple[str, ...]

    @property
    def version(self) -> str:
        """Version of the metric that made it; empty where it does not say."""
        return str(self.result.get("version") or "")

    @property
    def signature(self) -> str:
        """The signature, empty where there is none."""
        return str(self.result.get("signature") or "")

    @property
    def method(self) -> str:
        """The procedure; ``default`` where it does not say."""
        return str(self.result.get("method") or "default")

    @property
    def score_range(self) -> tuple[float, float] | None:
        """Declared range of the scores, or None where it does not say."""
        found = self.result.get("score_range")
        return (found[0], found[1]) if found else None

    @property
    def notes(self) -> list[str]:
        """What a reader must know of the data as a whole."""
        return [str(note) for note in self.result.get("notes") or ()]


@dataclass(frozen=True, slots=True)
class Document:
    """What one report is made from.

    Attributes
    ----------
    results
        In the order of the report.
    corpora
        Corpora with sentences to show: ``name``, ``language``, ``about``, ``review``, ``rows``, ``sentences``.
    made
        Versions of what measured, by name.
    command
        The command that made it, or empty.
    files
        The files it was read from.
    """

    results: Sequence[Measured]
    corpora: Sequence[Row] = ()
    made: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    files: Sequence[str] = ()


def read(paths: Sequence[Path]) -> Document:
    """Read saved results.

    Parameters
    ----------
    paths
        Files of an audit (``result.json``) or of one result (``eec measure --format json``).

    Raises
    ------
    BadResult
        A file cannot be read, is not JSON, or holds no result.
    """
    parts = [document(_load(path), str(path), path.stem) for path in paths]
    return Document(
        results=[result for part in parts for result in part.results],
        corpora=list({str(corpus.get("name")): corpus for part in parts for corpus in part.corpora}.values()),
        made={name: version for part in parts for name, version in part.made.items()},
        command=" && ".join(dict.fromkeys(part.command for part in parts if part.command)),
        files=[str(path) for path in paths],
    )


def document(content: Any, place: str, name: str) -> Document:
    """Understand a saved result or audit.

    Parameters
    ----------
    content
        What JSON gave.
    place
        Names it in messages.
    name
        What a system is called that has no name.

    Raises
    ------
    BadResult
        It holds no result.
    """
    if not isinstance(content, Mapping) or not ("results" in content or "terms" in content):
        raise BadResult(
            f"{place}: expected a result (an object with the key terms) or an audit (with the key results). "
            "Give a file written by eec audit, eec measure --format json, or json.dump(result.to_dict(), file)."
        )
    if "results" not in content:
        return Document([_measured(content, place, name)])
    if not content["results"]:
        raise BadResult(f"{place}: holds no results. Expected at least one system on one corpus.")
    corpora, made = content.get("corpora") or [], content.get("made") or {}
    check(corpora, CORPORA, f"{place}, corpora")
    check(made, {str: str}, f"{place}, made")
    return Document(
        [_measured(entry, f"{place}, results[{i}]", name) for i, entry in enumerate(_rows(content, "results", place))],
        corpora,
        made,
        str(content.get("command") or ""),
    )


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadResult(f"Cannot read {path}: {error.strerror}. Give files of saved results.") from error
    except UnicodeDecodeError as error:
        raise BadResult(f"{path}: not UTF-8 at byte {error.start}. Expected a result saved as JSON.") from error
    except json.JSONDecodeError as error:
        raise BadResult(
            f"{path}:{error.lineno}: not JSON: {error.msg} at column {error.colno}. Expected a whole saved result; "
            "make it anew if its writing was cut short."
        ) from error
    except RecursionError as error:
        raise BadResult(f"{path}: nested too deeply to be a saved result.") from error


def _measured(entry: Mapping[str, Any], place: str, name: str) -> Measured:
    if "terms" not in entry:
        raise BadResult(f"{place}: has no terms. Expected what Result.to_dict() returns.")
    raw = _rows(entry, "terms", place)
    terms = [_term(row, f"{place}, terms[{i}]") for i, row in enumerate(raw)]
    for key, shape in (*BESIDE.items(), ("moved", MOVED), ("standouts", STANDOUTS)):
        if entry.get(key) is not None:
            check(entry[key], shape, f"{place}, {key}")
    if len(entry.get("score_range") or (0, 1)) != 2:
        raise BadResult(f"{place}: score_range is {entry['score_range']!r}; expected two numbers, such as [0, 1].")
    config, language, review = _corpus(entry)
    return Measured(
        place=place,
        system=str(entry.get("system") or name),
        config=config,
        language=language,
        review=review,
        data=str(entry.get("data") or ""),
        fingerprint=str(entry.get("fingerprint") or ""),
        result=entry,
        terms=terms,
        lists={key: _rows(entry, key, place) for key in OPTIONAL},
        standouts=_rows(entry, "standouts", place) if "standouts" in entry else None,
        moved=_rows(entry, "moved", place) if "moved" in entry else None,
        lacking=tuple(key for key in _keys() if raw and not any(key in row for row in raw)),
    )


def _keys() -> tuple[str, ...]:
    from eec_bias.result.frame import TERM_KEYS

    return TERM_KEYS


def _term(row: Mapping[str, Any], place: str) -> Row:
    """Give a row every key there is, and refuse what cannot be shown."""
    if not isinstance(row.get("term"), str):
        raise BadResult(f"{place}: term is {row.get('term')!r}; expected the name of a term such as gender.")
    found: Row = {key: value for key, value in row.items() if key not in _keys()}
    for key in _keys():
        value = row.get(key)
        found[key] = str(value or "") if key in TEXTS else _number(value, f"{place}, {key}")
    # Null axes are those of a row that compares no groups; older versions may not have the key at all.
    found["axes"] = found["axes"] if "axes" in row else found["term"].replace(":", "+")
    found["subset"] = found["subset"] or "names"
    return found


def _number(value: Any, place: str) -> float | None:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isinf(value):
        raise BadResult(f"{place}: {value!r}; expected a finite number, or null.")
    return value


def _rows(content: Mapping[str, Any], key: str, place: str) -> list[Row]:
    found = content.get(key) or []
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise BadResult(f"{place}: {key} is no list of objects, as a saved result has it.")
    return found


def _corpus(entry: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return config, language and review: as saved, else as the signature and this installation know them."""
    from eec_datasets import corpora

    parts = str(entry.get("signature") or "").split("|")
    data = next((part.removeprefix("data:") for part in parts if part.startswith("data:")), "")
    name = str(entry.get("config") or data.partition("@")[0].strip("?"))
    language, review = str(entry.get("language") or ""), str(entry.get("review") or "")
    if name and not language:
        try:
            config = corpora.find(name)
        except EecError:
            return name, language, review
        return name, config.language, review or config.review
    return name, language, review
