"""Somebody else's file → rows of our schema, its sentences as they stand, so that its numbers can be computed again."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets import files, schema
from eec_datasets.documents import fill
from eec_datasets.errors import EecError
from eec_datasets.imported.folding import fold, folded_words, holds
from eec_datasets.imported.matching import match
from eec_datasets.imported.reference import reference_for
from eec_datasets.imported.report import Example
from eec_datasets.locale.agreement import matching
from eec_datasets.locale.model import NO_WORD, NONE, UNMARKED
from eec_datasets.render.choice import choose
from eec_datasets.render.grid import item_id
from eec_datasets.text_file import csv_text, guarded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from eec_datasets.imported.matching import Match
    from eec_datasets.imported.reading import ForeignCorpus
    from eec_datasets.imported.reference import Reference
    from eec_datasets.locale.model import Word
    from eec_datasets.render.choice import Choice

MAX_REASONS = 5


class ForeignImportError(EecError):
    """Rows of the file have no place in our schema."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A file in our schema.

    Attributes
    ----------
    name : what signatures may call it.
    columns : the rows, in the order of our templates, words and persons.
    unmapped : the rows that were left out, each with its reason as detail.
    templates : template of the file → ours, and how it was recognised.
    """

    name: str
    columns: Mapping[str, list[str]]
    unmapped: tuple[Example, ...]
    templates: Mapping[str, tuple[str, str]]

    def table(self) -> pa.Table:
        """Return the rows as an Arrow table of strings."""
        import pyarrow as pa

        return pa.table({name: pa.array(values, pa.string()) for name, values in self.columns.items()})


def import_corpus(corpus: ForeignCorpus, *, allow_unmapped: bool = False, root: Path | None = None) -> Imported:
    """Read a file into our schema.

    Ids are ours (``t04/angry/maria``), sentences, labels of emotion and forms of words those of the file; nothing is
    corrected. Persons of a race get our label for it.

    Parameters
    ----------
    corpus : from `read_corpus`, by a layout that names a locale of ours.
    allow_unmapped : leave rows out that have no place in our schema; they are listed in the result.

    Raises
    ------
    ForeignImportError : no locale is named, or rows have no place and `allow_unmapped` is not set.
    """
    reference = reference_for(corpus.preset, root)
    if reference is None:
        raise ForeignImportError(
            f"{corpus.name}: an imported file is matched with a locale; name a preset or the language"
        )
    matches, templates = match(corpus, reference)
    mapped, unmapped = _sort_out(matches, reference)
    if not mapped or (unmapped and not allow_unmapped):
        raise ForeignImportError(_without_place(corpus, unmapped))
    choice = choose(reference.locale)
    ours = [_line(row_match, choice) for row_match in mapped]
    columns = {name: [line[name] for line in ours] for name in schema.columns()}
    # The name of a folder and a config: letters, digits and dashes.
    name = corpus.preset.name or re.sub(r"[^\w-]+", "-", Path(corpus.name).stem).strip("-") or "corpus"
    return Imported(name, columns, tuple(unmapped), templates)


def _without_place(corpus: ForeignCorpus, unmapped: Sequence[Example]) -> str:
    """Say how many rows have no place in our schema, the usual reasons with a line each, and how to mend it."""
    count, rows = len(unmapped), len(corpus.rows)
    first: dict[str, int | None] = {}
    for entry in unmapped:
        first.setdefault(entry.detail, entry.line)
    reasons = Counter(entry.detail for entry in unmapped)
    lines = [f"{corpus.name}: {count} of {rows} rows have no place in our schema; nothing was written"]
    for reason, number in reasons.most_common(MAX_REASONS):
        lines.append(f"  {corpus.name}:{first[reason]}: {reason} ({number} such)")
    if len(reasons) > MAX_REASONS:
        lines.append(f"  and {len(reasons) - MAX_REASONS} more reasons")
    if count == rows:
        lines.append(
            "  Name the columns that hold template, person, gender, race and word, and the language of the file"
        )
    else:
        lines.append("  Allow unmapped rows to leave them out and list them in a file")
    return "\n".join(lines)


def _sort_out(matches: Sequence[Match], reference: Reference) -> tuple[list[Match], list[Example]]:
    """Return the rows that can be imported, in our order, and the others, each with its reason."""
    templates, words = list(reference.templates), [NONE, *reference.words]
    persons = {id(person): rank for rank, person in enumerate(reference.persons)}
    places: dict[tuple[int, int, int], Match] = {}
    unmapped = []
    for row_match in matches:
        reason = "; ".join(row_match.reasons)
        if not row_match.row.sentence.strip():
            reason = "no sentence"
        if row_match.template and row_match.person and not reason:
            template, word = row_match.template.id, (row_match.word or NO_WORD).id
            place = (templates.index(template), words.index(word), persons[id(row_match.person)])
            first = places.setdefault(place, row_match)
            if first is row_match:
                continue
            reason = f"{template}/{word}/{row_match.person.id} stands on line {first.row.line} already"
        unmapped.append(Example(row_match.row.line, row_match.row.sentence, reason))
    return [places[place] for place in sorted(places)], unmapped


def _line(row_match: Match, choice: Choice) -> dict[str, str]:
    """Return a row of our schema."""
    row, template, person, word = row_match.row, row_match.template, row_match.person, row_match.word
    assert template is not None
    assert person is not None
    item, form = item_id(template, word or NO_WORD), _form(row_match)
    # The label of the file; that of a pronoun may be another form (her).
    person_form = row.person
    if person.type == "pronoun":
        person_form = choice.role_form(person, "nom")
    pair = item
    if person.pair:
        pair = f"{item}/{person.pair}"
    emotion = word_status = NONE
    if word:
        emotion = row.emotion.lower() or word.emotion
        word_status = "paper"
    family, ending = choice.locale.families.of(person_form, person.type)
    return {
        "id": f"{item}/{person.id}",
        "text": row.sentence,
        "language": choice.locale.tag,
        "template": template.id,
        "emotion": emotion,
        "word": (word or NO_WORD).id,
        "word_form": form,
        "speaker": _speaker(" ".join(template.pattern.texts.values()), word, form, choice),
        "person": person.id,
        "person_form": person_form,
        "person_type": person.type,
        "gender": person.identity["gender"],
        "race": person.identity.get("race", UNMARKED),
        "item": item,
        "pair": pair,
        "family": family,
        "ending": ending,
        "word_status": word_status,
    }


def _form(row_match: Match) -> str:
    """Return the emotion word as it stands in the sentence, if it can be found there, else as in the label."""
    if row_match.word is None:
        return NONE
    label = row_match.row.word
    for form in (label, *(form.text for form in row_match.word.forms)):
        if holds(row_match.sentence, form):
            return form
    if folded_words(label):
        return label
    return NONE


def _speaker(text: str, word: Word | None, form: str, choice: Choice) -> str:
    """Return the gender of "me" that the word shows: the published files hold it only so."""
    speaker = choice.locale.speaker
    if word is None or "agree(speaker" not in text:
        return NONE
    fitting = []
    for label in speaker.genders:
        forms = matching(word, {**speaker.features(label), **choice.features})
        if fold(form) in {fold(other.text) for other in forms}:
            fitting.append(label)
    if not fitting:
        return NONE
    if len(fitting) > 1:
        return "any"
    return fitting[0]


def write(imported: Imported, out: Path, file: str, *, overwrite: bool = False) -> list[Path]:
    """Write the rows to a parquet file, or to a folder that ``load_dataset`` reads.

    Rows that were left out are listed beside them (``….unmapped.csv``). What an import has written there is replaced
    while it is unchanged, the folder as a whole; other files of these names only when `overwrite` is set.

    Raises
    ------
    OutputUnwritable : the place holds something that is not to be replaced, or cannot be written.
    """
    from eec_datasets.release.building import to_parquet

    table = imported.table()
    parquet = to_parquet(table)
    left: dict[str, bytes] = {}
    if imported.unmapped:
        lines = [["line", "why", "sentence"]]
        lines += [[str(row.line), guarded(row.detail), guarded(row.text)] for row in imported.unmapped]
        left["unmapped.csv"] = csv_text(lines).encode()
    if out.suffix == ".parquet":
        beside = {out.with_suffix(f".{name}"): raw for name, raw in left.items()}
        return files.write_all({out: parquet, **beside}, overwrite=overwrite)
    card = fill(
        Path(__file__).with_name("card.md.j2"),
        imported=imported,
        split=schema.SPLIT,
        file=file,
        rows=table.num_rows,
        hash=schema.content_hash(table),
    )
    contents = {f"{imported.name}/{schema.SPLIT}.parquet": parquet, "README.md": card.encode(), **left}
    files.write_folder(files.own_place(out), contents, overwrite=overwrite)
    return [out / name for name in contents]
