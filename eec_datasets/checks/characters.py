"""Characters that cannot be seen or tell a script: what they are called and how they are shown."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

HIDDEN = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffd\ue000-\uf8ff"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
JOINERS = "\u200c\u200d"
JOINING_SCRIPTS = {"ARABIC", "DEVANAGARI", "BENGALI", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER"}
ONE_SCRIPT = {"CJK": "HAN", "HIRAGANA": "HAN", "KATAKANA": "HAN"}
NO_SCRIPT = {"MODIFIER", "FEMININE", "MASCULINE", "KATAKANA-HIRAGANA"}


def char_name(letter: str) -> str:
    """A character's Unicode name and number."""
    return f"{unicodedata.name(letter, 'without a name')} (U+{ord(letter):04X})"


@lru_cache(maxsize=4096)
def script_of(letter: str) -> str | None:
    """The script of a letter; None for what belongs to no script."""
    if not letter.isalpha():
        return None
    script = unicodedata.name(letter, "").split(" ")[0]
    return None if script in NO_SCRIPT else ONE_SCRIPT.get(script, script)


def main_script(texts: Iterable[str]) -> str | None:
    """The script of most letters."""
    letters = Counter(letter for text in texts for letter in text)
    scripts: Counter[str] = Counter()
    for letter, count in letters.items():
        if script := script_of(letter):
            scripts[script] += count
    return scripts.most_common(1)[0][0] if scripts else None


def visible(text: str) -> str:
    """The text with what cannot be seen written as an escape, so that a message shows it and is not turned by it."""
    return HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
