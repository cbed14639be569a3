"""Labels of figures: any script, any length, shown as they are; matplotlib is imported when one needs a font.

Since 3.11 matplotlib shapes and orders Arabic and Hebrew itself, so texts are passed on in their logical order.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

FONT = "DejaVu Sans"
"""Comes with matplotlib: the same figure on every machine."""

LABEL = 44
"""Characters of a label that are shown."""

OUTSIDE = "\N{WHITE RECTANGLE}"
"""Shown for a character that no font of this machine can draw."""


def label(text: Any, limit: int = LABEL) -> str:
    """Return a label as it can be drawn: on one line, shortened visibly, each character one that a font has."""
    whole = " ".join(str(text).split())
    if len(whole) > limit:
        # The end tells labels apart as often as the start does.
        head = (limit - 1) * 2 // 3
        whole = f"{whole[:head].rstrip()}…{whole[len(whole) - (limit - 1 - head) :].lstrip()}"
    return "".join(OUTSIDE if letter in set(_foreign(whole)) and not _font_for(letter) else letter for letter in whole)


def name_person(form: str, person: str, limit: int) -> str:
    """Name a person as the corpus writes it; by its id where no font of this machine can."""
    text = label(form, limit)
    return isolate(text) if text and OUTSIDE not in text else label(person, limit)


def isolate(text: str) -> str:
    """Keep the letters of a right-to-left name from reordering what stands around them."""
    return f"\u2068{text}\u2069" if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text) else text


def join(parts: Iterable[Any], between: str = " · ", limit: int = LABEL) -> str:
    """Return labels side by side, each shortened and isolated."""
    return between.join(isolate(label(part, limit)) for part in parts)


def _foreign(text: str) -> tuple[str, ...]:
    """Letters of a text that the usual font does not have."""
    if text.isascii():
        return ()
    shown = (letter for letter in dict.fromkeys(text) if unicodedata.category(letter) not in ("Cf", "Zs", "Cc"))
    return tuple(letter for letter in shown if ord(letter) not in _letters())


def families(text: str) -> list[str]:
    """Names of the fonts that have the letters of a text, the usual one first."""
    return [FONT, *dict.fromkeys(filter(None, map(_font_for, _foreign(text))))]


@lru_cache(1)
def _letters() -> frozenset[int]:
    from matplotlib import font_manager

    return frozenset(font_manager.get_font(font_manager.findfont(FONT)).get_charmap())


@lru_cache(4096)
def _font_for(letter: str) -> str | None:
    """Name of a font of this machine that has a letter; None where there is none."""
    from matplotlib import font_manager

    for path in _fonts():
        try:
            font = font_manager.get_font(path)
            if ord(letter) in font.get_charmap():
                # The list that matplotlib keeps on disk may be older than the font.
                font_manager.fontManager.addfont(path)
                return str(font.family_name)
        except (OSError, RuntimeError):
            continue
    return None


@lru_cache(1)
def _fonts() -> tuple[str, ...]:
    """Fonts to look for letters in: upright text faces, those without serifs first."""
    from matplotlib import font_manager

    paths = [path for path in font_manager.findSystemFonts() if "LastResort" not in path]
    regular = [path for path in paths if re.search(r"Regular|CJK|^((?!Bold|Italic|Oblique|Light|Thin|Black).)*$", path)]
    return tuple(sorted(regular, key=lambda path: ("Sans" not in path, len(Path(path).name), path)))
