"""How commands show how far they are, and what they print and write."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from eec_datasets.terminal import plain

if TYPE_CHECKING:
    from eec_datasets.systems.base import System
    from eec_datasets.systems.corpus import Corpus


def say(text: str = "", *, err: bool = False, nl: bool = True, styled: bool = False) -> None:
    """Print a text; controls in it are shown and not obeyed, but where it is ``styled`` and was made plain before."""
    click.echo(text if styled else plain(text), err=err, nl=nl)


def heading(name: str, about: str = "") -> str:
    """A name in bold, with what is said of it: styled, and plain."""
    return click.style(plain(name), bold=True) + (f"  {plain(about)}" if about else "")


def bar(label: str, total: int | None = None, unit: str = "sentences", **options: Any) -> Any:
    """Return a progress bar, which is none where stderr is no terminal, and is gone at its end."""
    from tqdm import tqdm

    return tqdm(desc=plain(label), total=total, unit=f" {unit}", disable=None, leave=False, **options)


def follow(shown: Any, label: str = "") -> Callable[[int, int, str], None]:
    """Return what moves a bar to so many of so many, and says what is done."""

    def tell(done: int, total: int, what: str) -> None:
        shown.total, shown.n = total, done
        shown.set_description(plain(f"{label}{what}"))

    return tell


def echo_json(content: Any) -> None:
    """Print JSON for people and scripts."""
    say(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))


def warn_of_language(system: System, corpus: Corpus) -> None:
    """Say that a system is made for other languages than that of the sentences."""
    if not system.knows(corpus.language):
        made_for = ", ".join(system.languages or ())
        say(f"Warning: {system.name} is made for {made_for}; {corpus.name} is in another language.", err=True)
