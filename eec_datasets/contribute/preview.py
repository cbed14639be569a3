"""``eec locale preview``: minimal pairs side by side, with what changes inside each marked."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import babel

from eec_bias.shared import grouped
from eec_datasets.corpora import render
from eec_datasets.documents import fill
from eec_datasets.errors import InputError
from eec_datasets.locale.templating import read_slots
from eec_datasets.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from eec_datasets.corpora import Config


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """One sentence of the preview.

    Attributes
    ----------
    pieces : stretches of whole words, and whether each is marked: the partner's sentence has something else.
    """

    template: str
    person_type: str
    gender: str
    pieces: tuple[tuple[str, bool], ...]


def preview(
    config: str,
    *,
    templates: Sequence[str] = (),
    words: Sequence[str] = (),
    speaker: str | None = None,
    variants: Mapping[str, str] | None = None,
    root: Path | None = None,
) -> list[PreviewLine]:
    """Minimal pairs per template × person type × word shown, each sentence against the first of its pair.

    The first pair, and one more person for each value that the template asks for and no other person has shown: a
    feature that words agree in, or a form of their own where others have that of another role.

    Parameters
    ----------
    config : such as ``es-gender``.
    templates, words : only these (default: all templates, and for each the first word of every emotion).

    Raises
    ------
    InputError : a template that the config does not have, or a word that stands in none of those shown.
    """
    corpus = render(config, speaker=speaker, variants=variants, root=root)
    rows = [dict(zip(corpus.columns, values, strict=True)) for values in zip(*corpus.columns.values(), strict=True)]
    _check_known("template", templates, rows)
    chosen = [row for row in rows if not templates or row["template"] in templates]
    _check_known("word", words, chosen)
    first_words = {(row["template"], row["emotion"]): row["word"] for row in reversed(chosen)}
    shown = {*(words or first_words.values()), "none"}
    blocks = groupby((row for row in chosen if row["word"] in shown), key=itemgetter("item"))
    asked = _Asked(corpus.config)
    return [line for _, block in blocks for line in _pairs(block, asked)]


def _check_known(kind: str, values: Iterable[str], rows: Iterable[Mapping[str, str]]) -> None:
    available = sorted({row[kind] for row in rows})
    for value in values:
        if value not in available:
            raise InputError(f"no {kind} '{value}'; there are: {', '.join(available)}")


class _Asked:
    """The demands of templates on the persons of a config."""

    def __init__(self, config: Config) -> None:
        self.locale = config.locale
        self.templates = {template.id: template for template in config.locale.templates}
        self.persons = {person.id: person for person in config.locale.persons}
        self.persons |= {person.id: person for person in config.persons}

    def value(self, row: Mapping[str, str]) -> tuple[str, ...]:
        """The person of a row as its template sees it: features that words agree in, and which roles are their own."""
        person, template = self.persons[row["person"]], self.templates[row["template"]]
        features: set[str] = set()
        roles: set[str] = set()
        for text in template.texts:
            slots = read_slots(text)
            roles.update(slots.named("person"))
            for agreement in slots.agreements:
                if agreement.controller == "person":
                    own = template.words.get(agreement.word)
                    words = (own,) if own is not None else self.locale.words_of(template.kind)
                    features.update(name for word in words for form in word.forms for name in form.needs)
        values = [person.gram.get(name, "") for name in sorted(features)]
        values += ["own" if person.roles.get(role) else "like" for role in sorted(roles)]
        return tuple(values)


def _pairs(block: Iterable[Mapping[str, str]], asked: _Asked) -> Iterator[PreviewLine]:
    for person_type, of_type in grouped((row["person_type"], row) for row in block).items():
        group = of_type[0]["pair"]
        partners = list({row["gender"]: row for row in reversed(of_type) if row["pair"] == group}.values())[::-1]
        for row in partners:
            other = partners[1 if row is partners[0] and len(partners) > 1 else 0]
            yield PreviewLine(row["template"], person_type, row["gender"], marked(row["text"], other["text"]))
        shown = {(row["gender"], asked.value(row)) for row in partners}
        for row in of_type:
            value = (row["gender"], asked.value(row))
            if value not in shown:
                shown.add(value)
                others = [each for each in of_type if each["pair"] == row["pair"] and each["gender"] != row["gender"]]
                other = others[0] if others else partners[0]
                yield PreviewLine(row["template"], person_type, row["gender"], marked(row["text"], other["text"]))


def marked(sentence: str, partner: str) -> tuple[tuple[str, bool], ...]:
    """The sentence in pieces; whole words (between spaces) that the partner does not share are marked."""
    mine, other = sentence.split(" "), partner.split(" ")
    changes = difflib.SequenceMatcher(None, mine, other, autojunk=False).get_opcodes()
    return tuple((" ".join(mine[i:j]), operation != "equal") for operation, i, j, _, _ in changes if i < j)


def as_text(lines: Sequence[PreviewLine], mark: tuple[str, str] = ("[", "]")) -> str:
    """The preview for a terminal: a heading per template, changed words between `mark`."""
    out = []
    for template, group in groupby(lines, key=lambda line: line.template):
        out.append(f"\n{template}")
        for line in group:
            shown = [visible(text).join(mark if changed else ("", "")) for text, changed in line.pieces]
            out.append(f"  {line.person_type:<12}{line.gender:<16}{' '.join(shown)}")
    return "\n".join(out).lstrip("\n")


def as_html(lines: Sequence[PreviewLine], config: str, language: str, review: str) -> str:
    """The preview as a page that stands alone, sentences in the direction of their script."""
    direction = babel.Locale.parse(language, sep="-").text_direction
    templates = groupby(lines, key=lambda line: line.template)
    values = {"config": config, "review": review.capitalize(), "language": language, "direction": direction}
    return fill(Path(__file__).with_name("preview.html.jinja"), templates=templates, **values)
