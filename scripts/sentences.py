"""Every sentence of the words files in one list, each with its place, so that it can be read aloud.

``python scripts/sentences.py`` prints all of them; with words those that hold one of these, and with ``--language es``
those of another language.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SPOKEN = re.compile(r"\w+\W+\w+\W+\w+")
"""At least three words: shorter ones are labels."""

TRANSLATED = (
    "eec_datasets/report/words",
    "eec_datasets/report/notes",
    "eec_datasets/app/texts",
    "eec_datasets/contribute/review_texts",
)
"""Folders with a file for each language."""

ENGLISH = (
    "metrics/eec_bias/notes.toml",
    "metrics/eec_bias/figures/words.toml",
    "metrics/eec_bias/methods/words.toml",
    "metrics/eec_bias/integrations/about.toml",
    "eec_datasets/checks/table.toml",
    "eec_datasets/cli/commands.toml",
    "eec_datasets/contribute/sheet_help.toml",
    "eec_datasets/rewrite/reasons.toml",
    "eec_datasets/release/facts.toml",
)
"""Files that are in English alone."""


def sentences(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Yield each text of a table with its place, ``file: table.key``."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from sentences(inner, f"{place}.{key}" if ": " in place else f"{place}: {key}")
    elif isinstance(value, list):
        for inner in value:
            yield from sentences(inner, place)
    elif isinstance(value, str) and SPOKEN.search(value):
        yield place, " ".join(value.split())


def files(language: str) -> list[Path]:
    """Return the files that hold sentences of a language."""
    of_language = [ROOT / folder / f"{language}.toml" for folder in TRANSLATED]
    english = [ROOT / file for file in ENGLISH] if language == "en" else []
    return [path for path in [*of_language, *english] if path.exists()]


def helps() -> Iterator[tuple[str, str]]:
    """Yield the help of every command and option."""
    import click

    from eec_datasets.cli import main as eec

    def walk(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
        texts = [(name, command.help or "")]
        texts += [
            (f"{name} {each.opts[0]}", each.help or "") for each in command.params if isinstance(each, click.Option)
        ]
        for place, text in texts:
            yield from sentences(text, place)
        if isinstance(command, click.Group):
            context = click.Context(command)
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                if found is not None:
                    yield from walk(found, f"{name} {inner}")

    yield from walk(eec, "eec")


def listed(language: str) -> Iterator[tuple[str, str]]:
    """Yield every sentence of a language with its place."""
    for path in files(language):
        yield from sentences(tomllib.loads(path.read_text(encoding="utf-8")), str(path.relative_to(ROOT)))
    if language == "en":
        yield from helps()


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--language", default="en")
    options = parser.parse_args()
    for place, text in listed(options.language):
        if not options.words or any(word.lower() in text.lower() for word in options.words):
            sys.stdout.write(f"{place}\n    {text}\n")


if __name__ == "__main__":
    main()
