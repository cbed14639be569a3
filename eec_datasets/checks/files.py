"""The raw files of a locale: Unicode normal form, characters that cannot be seen, other scripts, stray spaces."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from eec_datasets.checks.characters import HIDDEN, JOINERS, JOINING_SCRIPTS, SPACES, char_name, main_script, script_of
from eec_datasets.checks.report import finding
from eec_datasets.errors import Place
from eec_datasets.given_file import read_given
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.encoding import QUOTES, is_utf16
from eec_datasets.locale.model import WANTED
from eec_datasets.locale.templates import texts_of
from eec_datasets.locale.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from eec_datasets.checks.report import LocaleFinding

FILES = ("locale.toml", "templates.toml", "words.csv", "persons.csv", "names.csv", "expected.csv")
SLOT = re.compile(r"\{\{.*?\}\}|\{[A-Z]{2}\}")
CODE = re.compile(r"\{[A-Z]{2}\}")
ALLOWED = QUOTES | frozenset("'’-‐‑·־׳״")
"""Signs that words are spelt with (apostrophes, hyphens, the Catalan point, Hebrew marks), or told of elsewhere."""


def file_findings(folder: Path) -> Iterator[LocaleFinding]:
    """Yield what is wrong with the characters of a locale's files, whatever the files say."""
    others = sorted(path for path in folder.glob("*.csv") if path.name not in FILES)
    raw = [finding for path in (*(folder / name for name in FILES), *others) for finding in _line_findings(path)]
    yield from raw
    cells = list(_cells(folder, others))
    script = main_script(SLOT.sub("", text) for _, text, _ in cells)
    for place, text, name in cells:
        yield from _cell_findings(place, text, name, script, hidden_reported=bool(raw))


def _line_findings(path: Path) -> Iterator[LocaleFinding]:
    """Findings in a raw file (an unreadable or wrongly encoded one is told by reading it)."""
    try:
        raw = read_given(path)
        text = raw.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return
    if is_utf16(raw) or (unicodedata.is_normalized("NFC", text) and not HIDDEN.search(text)):
        return
    within_words = []
    for number, line in enumerate(text.split("\n"), start=1):
        place = Place(path.name, number)
        if not unicodedata.is_normalized("NFC", line):
            word, letters = _not_composed(line)
            yield finding("text.not-composed", place, word=word, letters=letters)
        for match in HIDDEN.finditer(line.rstrip("\r")):
            if match[0] in JOINERS and all(map(_is_joining, (line[: match.start()][-1:], line[match.end() :][:1]))):
                within_words.append((place, line, match))
            else:
                yield _hidden(place, line, match)
    if within_words:  # told once, so that one in a wrong place stands out: Persian has them in every other word
        yield _hidden(*within_words[0], more=len(within_words) - 1)


def _is_joining(letter: str) -> bool:
    return bool(letter) and script_of(letter) in JOINING_SCRIPTS


def _not_composed(line: str) -> tuple[str, str]:
    """The first word of a line that is not in NFC, composed, and the letters that it is written with."""
    words = re.split(r"[\s,\"]+", line)
    # A space may be what is denormal (U+2000 for U+2002): then no word is, and the line is shown.
    word = next((word for word in words if not unicodedata.is_normalized("NFC", word)), line.strip("\n\r"))
    marks = [letter for letter in word if unicodedata.combining(letter)]
    letters = marks or [letter for letter in word if not unicodedata.is_normalized("NFC", letter)]
    return unicodedata.normalize("NFC", word), ", ".join(map(char_name, dict.fromkeys(letters)))


def _hidden(place: Place, line: str, match: re.Match[str], more: int = 0) -> LocaleFinding:
    letter, start = match[0], match.start()
    before = HIDDEN.sub("", line[max(0, start - 12) : start])
    position = f"after '{before}'" if before else "at the start"
    position += f", and {more} more of them in this file" if more else ""
    joins = letter in JOINERS and 0 < start < len(line) - 1 and _is_joining(line[start - 1])
    return finding("text.joiner" if joins else "text.invisible", place, letter=char_name(letter), where=position)


def _cells(folder: Path, others: Sequence[Path]) -> Iterator[tuple[Place, str, str]]:
    """Every text that goes into a sentence, with its place and a name for it."""
    grammar = read_toml(folder / "locale.toml")
    roles = tuple(grammar.table("roles").data)
    tables = {
        "words.csv": ("form",), "persons.csv": roles, "names.csv": ("name", *roles), "expected.csv": ("sentence",)
    }  # fmt: skip
    columns_of = {folder / name: columns for name, columns in tables.items()} | dict.fromkeys(others, ("form",))
    for path, columns in columns_of.items():
        for row in read_csv(path).rows:
            yield from ((row.place, row[column], f"column '{column}'") for column in columns if row[column])
    for table, keys, text in texts_of(grammar, read_toml(folder / "templates.toml")):
        name = "the text" if keys[-1] == "text" else f"text.{keys[-1]}"
        name = f"the form {keys[2]} of '{keys[1]}'" if keys[0] == "forms" else name
        yield table.place(*keys), text, f"the noun '{table.keys[-1]}'" if keys == ("form",) else name


def _cell_findings(
    place: Place, text: str, name: str, script: str | None, hidden_reported: bool
) -> Iterator[LocaleFinding]:
    """Yield what is wrong with one text; `hidden_reported`: the raw files have characters that cannot be seen."""
    bare = SLOT.sub("", text)
    strange = [letter for letter in bare if script is not None and script_of(letter) not in (None, script)]
    if strange:
        values = {"letter": char_name(strange[0]), "script": str(script).capitalize()}
        yield finding("text.other-script", place, name=name, text=text, **values)
    if match := SPACES.search(bare):
        yield finding("text.strange-space", place, name=name, letter=char_name(match[0]), text=text)
    if not hidden_reported and (match := HIDDEN.search(bare)):
        yield _hidden(place, bare, match)
    if "  " in text or "\n" in text or "\t" in text or (text != text.strip() and not name.startswith("the form")):
        yield finding("text.stray-space", place, name=name, text=text)
    if place.file != "expected.csv" and name.startswith("column") and bare.strip() and "{" not in bare:
        yield from _sign_findings(place, bare, name)
    literal = CODE.sub("", text) if place.file not in FILES else text
    if ("{" in literal or "}" in literal) and "text" not in name and place.file != "persons.csv":
        yield finding("text.brace", place, name=name, text=text)


def _sign_findings(place: Place, text: str, name: str) -> Iterator[LocaleFinding]:
    """Yield what no word or name contains: signs, accents read wrongly, the mark of a text still to write."""
    if text == WANTED:
        yield finding("text.wanted", place, name=name)
    elif (right := decoded(text)) != text:
        yield finding("text.wrongly-decoded", place, name=name, text=text, right=right)
    elif signs := [letter for letter in text if unicodedata.category(letter)[0] in "PS" and letter not in ALLOWED]:
        yield finding("text.sign", place, name=name, text=text, sign=signs[0])
    elif not any(map(str.isalpha, text)):
        yield finding("text.no-letter", place, name=name, text=text)


def decoded(text: str) -> str:
    """The text that was written, where UTF-8 was read as the encoding of Windows: Ã© for é."""
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text
