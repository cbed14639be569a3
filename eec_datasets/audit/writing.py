"""The results as files: JSON, CSV, and the page; each is written whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from eec_datasets import __version__
from eec_datasets.audit.errors import OutputUnwritable
from eec_datasets.audit.running import Outcome

Row = dict[str, Any]


def term_rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """Return all rows of terms, each with its ``system`` and ``config`` in front."""
    return [
        {"system": outcome.system, "config": outcome.corpus.name, **row}
        for outcome in outcomes
        for row in outcome.result.to_dict()["terms"]
    ]


def to_csv(rows: Sequence[Row]) -> str:
    """Return rows as CSV, empty where a value is None."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def to_json(outcomes: Sequence[Outcome]) -> str:
    """Return everything measured as JSON: per system and config what ``Result.to_dict`` says."""
    results = [
        {
            "system": outcome.system,
            "config": outcome.corpus.name,
            "language": outcome.corpus.language,
            "data": outcome.corpus.data,
            "review": outcome.corpus.review,
            "standouts": [asdict(found) for found in outcome.standouts],
            **outcome.result.to_dict(),
        }
        for outcome in outcomes
    ]
    return json.dumps({"eec_datasets": __version__, "results": results}, ensure_ascii=False, indent=1, allow_nan=False)


def write(path: Path, text: str) -> Path:
    """Write a file under a temporary name and rename it, so that no half file is ever seen.

    Raises
    ------
    OutputUnwritable
        The folder cannot be made or written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise OutputUnwritable(
            f"Cannot write {path}: {error.strerror}. Choose a folder you may write to with --out."
        ) from error
    return path


def check_folder(out: Path) -> None:
    """Refuse a folder that cannot be written before any time is spent on scoring.

    Raises
    ------
    OutputUnwritable
        The folder cannot be made, or no file can be made in it.
    """
    probe = out / f".probe.{os.getpid()}"
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise OutputUnwritable(
            f"Cannot write to {out}: {error.strerror}. Choose a folder you may write to with --out."
        ) from error
