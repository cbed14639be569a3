"""How commands show how far they are, and what they print and write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click


def bar(label: str, total: int | None = None, unit: str = "sentences", **options: Any) -> Any:
    """Return a progress bar, which is none where stderr is no terminal, and is gone at its end."""
    from tqdm import tqdm

    return tqdm(desc=label, total=total, unit=f" {unit}", disable=None, leave=False, **options)


def echo_json(content: Any) -> None:
    """Print JSON for people and scripts."""
    click.echo(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))


def write_text(path: Path, text: str, option: str) -> None:
    """Write a file that an option names, or say why it cannot be."""
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}. Choose another {option}") from error
