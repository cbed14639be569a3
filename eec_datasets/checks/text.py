"""The raw files: Unicode normal form, characters that cannot be seen, letters of another script, stray spaces."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Any

from eec_datasets.checks.characters import HIDDEN, JOINERS, JOINING_SCRIPTS, SPACES, named, script_of
from eec_datasets.checks.report import Finding
from eec_datasets.locale.model import Place
from eec_datasets.locale.sources import Problems, read_csv, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

FILES = ("locale.toml", "templates.toml", "words.csv", "persons.csv", "expected.csv")
SLOT = re.compile(r"\{\{.*?\}\}|\{[A-Z]{2}\}")
CODE = re.compile(r"\{[A-Z]{2}\}")


def text_findings(folder: Path) -> Iterator[Finding]:
    """What is wrong with the characters of a locale's files, whatever the files say."""
    own = [folder / name for name in FILES]
    others = sorted(path for path in folder.glob("*.csv") if path.name not in FILES)
    hidden = False
    for path in (*own, *others):
        for finding in _lines(path):
            hidden = True
            yield finding
    cells = list(_cells(folder, others))
    script = _script(text for _, text, _ in cells)
    for place, text, name in cells:
        yield from _cell(place, text, name, script, hidden)


def _lines(path: Path) -> Iterator[Finding]:
    """Findings in a raw file (an unreadable or wrongly encoded one is told by reading it)."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return
    if unicodedata.is_normalized("NFC", text) and not HIDDEN.search(text):
        return
    for number, line in enumerate(text.split("\n"), start=1):
        place = Place(path.name, number)
        if not unicodedata.is_normalized("NFC", line):
            yield Finding("error", "text", place, f"not in Unicode NFC: {_denormal(line)}", "Save the file in NFC")
        for found in HIDDEN.finditer(line.rstrip("\r")):
            yield _hidden(place, line, found)


def _denormal(line: str) -> str:
    words = re.split(r"[\s,\"]+", line)
    # A space may be what is denormal (U+2000 for U+2002): then no word is, and the line is shown.
    word = next((word for word in words if not unicodedata.is_normalized("NFC", word)), line.strip("\n\r"))
    written = [letter for letter in word if unicodedata.combining(letter)] or [
        letter for letter in word if not unicodedata.is_normalized("NFC", letter)
    ]
    return f"'{unicodedata.normalize('NFC', word)}' is written with {', '.join(map(named, dict.fromkeys(written)))}"


def _hidden(place: Place, line: str, found: re.Match[str]) -> Finding:
    letter, at = found[0], found.start()
    before = HIDDEN.sub("", line[max(0, at - 12) : at])
    where = f"after '{before}'" if before else "at the start"
    if letter in JOINERS and 0 < at < len(line) - 1 and script_of(line[at - 1]) in JOINING_SCRIPTS:
        what = f"the invisible character {named(letter)} {where}"
        return Finding("warning", "text", place, what, "Keep it only where the spelling of the language asks for it")
    return Finding("error", "text", place, f"the invisible character {named(letter)} {where}", "Remove it")


def _cells(folder: Path, others: list[Path]) -> Iterator[tuple[Place, str, str]]:
    """Every text that goes into a sentence, with its place and a name for it."""
    grammar = read_toml(folder / "locale.toml", Problems())
    roles = grammar.data.get("roles", {})
    for name, columns in (("words.csv", ("form",)), ("persons.csv", tuple(roles)), ("expected.csv", ("sentence",))):
        yield from _csv_cells(folder / name, columns)
    for path in others:
        yield from _csv_cells(path, ("form",))
    nouns = grammar.data.get("nouns", {})
    for noun, table in nouns.items() if isinstance(nouns, dict) else ():
        if isinstance(table, dict) and isinstance(table.get("form"), str):
            yield grammar.place("nouns", noun), table["form"], f"the noun '{noun}'"
    templates = read_toml(folder / "templates.toml", Problems())
    for template, table in templates.data.items():
        if isinstance(table, dict):
            yield from ((templates.place(template, *keys), text, name) for keys, text, name in _texts(table))


def _csv_cells(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[Place, str, str]]:
    for row in read_csv(path, (), Problems()).rows:
        for column in columns:
            if row[column]:
                yield row.place, row[column], f"column '{column}'"


def _texts(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    text = table.get("text")
    if isinstance(text, str):
        yield ("text",), text, "the text"
    for kind, own in text.items() if isinstance(text, dict) else ():
        if isinstance(own, str):
            yield ("text", kind), own, f"text.{kind}"
    forms = table.get("forms")
    for word, own in forms.items() if isinstance(forms, dict) else ():
        for key, form in own.items() if isinstance(own, dict) else ():
            if isinstance(form, str):
                yield ("forms", word), form, f"the form {key} of '{word}'"
    variants = table.get("variants")
    for name, variant in variants.items() if isinstance(variants, dict) else ():
        if isinstance(variant, dict):
            for keys, own, called in _texts({"text": variant.get("text")}):
                yield ("variants", name, *keys), own, called


def _script(texts: Iterator[str]) -> str | None:
    """The script of most letters."""
    counts = Counter(script for text in texts for letter in SLOT.sub("", text) if (script := script_of(letter)))
    return counts.most_common(1)[0][0] if counts else None


def _cell(place: Place, text: str, name: str, script: str | None, hidden: bool) -> Iterator[Finding]:
    bare = SLOT.sub("", text)
    for letter in dict.fromkeys(bare):
        if script is not None and script_of(letter) not in (None, script):
            what = f"{name} has {named(letter)} in {script.capitalize()} text: '{text}'"
            yield Finding("error", "text", place, what, "Write it in the script of the language")
            break
    if found := SPACES.search(bare):
        what = f"{name} has {named(found[0])} for a space: '{text}'"
        yield Finding("error", "text", place, what, "Type an ordinary space")
    if not hidden and (found := HIDDEN.search(bare)):
        yield _hidden(place, bare, found)
    if "  " in text or "\n" in text or "\t" in text or (text != text.strip() and not name.startswith("the form")):
        what = f"{name} has a stray space or line break: {text!r}"
        yield Finding("error", "text", place, what, "Leave single spaces")
    told = CODE.sub("", text) if place.file not in FILES else text
    if ("{" in told or "}" in told) and "text" not in name and place.file != "persons.csv":
        yield Finding("error", "text", place, f"{name} has a brace: '{text}'", "Slots belong into templates")
