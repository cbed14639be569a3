"""``eec locale review --take``: check what a native reader saved as a hostile file, and store it in ``reviews/``."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from eec_bias.shared import grouped, write_over
from eec_datasets.checks.characters import HIDDEN, char_name
from eec_datasets.corpora import texts_by_id
from eec_datasets.errors import FileProblems, OutputError, Place, Problems
from eec_datasets.given_file import open_given
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.reading import corpus_facts, load_locale
from eec_datasets.locale.reviews import (
    FOLDER,
    LICENCE,
    NO,
    REVIEW_COLUMNS,
    VERDICTS,
    YES,
    Judgement,
    ReaderReview,
    SentenceKey,
    hash_of,
    read_review,
    slug_of,
)
from eec_datasets.locale.toml_file import read_toml
from eec_datasets.locale.words import countries
from eec_datasets.text_file import FORMULA, csv_text, guarded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from eec_datasets.locale.model import Locale

FORMAT: Final = "eec-review"
SCHEMA: Final = 1
LARGEST: Final = 2 << 20
"""Bytes of a file; a page with 60 long corrections has a hundredth of it."""
MOST: Final = 2_000
"""Sentences of a file."""
LONGEST_TEXT: Final = 500
LONGEST_NAME: Final = 80

TOP: Final = {
    "format": str,
    "schema": int,
    "language": str,
    "version": str,
    "date": str,
    "reader": dict,
    "answers": list,
}
READER: Final = {"name": str, "native": bool, "country": str, "variety": str, "consent": bool, "licence": str}
ANSWER: Final = {
    "config": str, "id": str, "speaker": str, "variants": str, "text": str, "hash": str, "verdict": str,
    "correction": str, "comment": str, "question": str,
}  # fmt: skip
CALLED: Final = {str: "a text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}
COUNTRY: Final = re.compile(r"[A-Z]{2}")
VERSION: Final = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}")
MARKUP: Final = re.compile(r"[<>]")
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Stored:
    """A review that was stored.

    Attributes
    ----------
    changed : how many of its sentences read otherwise now than when they were judged, and so stay open.
    before : what the same reader said of other sentences on the same day, which stands in the file too.
    """

    path: Path
    review: ReaderReview
    changed: int
    before: tuple[Judgement, ...] = ()

    @property
    def whole(self) -> ReaderReview:
        """All that the file holds."""
        return replace(self.review, judgements=(*self.before, *self.review.judgements))


def store_reviews(tag: str, files: Sequence[Path], root: Path) -> list[Stored]:
    """Store what readers of a language saved as ``TAG/reviews/NAME-DATE.csv``.

    Raises
    ------
    FileProblems
        A file is too large, is no review, holds markup, a formula or characters that cannot be seen, is of another
        language or of sentences that are not here, is stored already, or is signed by who wrote the texts. Nothing was
        stored, of the other files neither.
    OutputError
        It cannot be written.
    """
    stored: list[Stored] = []
    for path in files:
        problems = Problems()
        one = _read(tag, path, root, problems)
        if one is not None and not problems:
            one = _after_the_same_day(one, stored, problems.add, Place(path.name, 1))
            _check_known(one, stored, problems.add, Place(path.name, 1))
        if one is not None and not problems:
            _check_reads_back(one, Place(path.name, 1), problems)
        if one is None or problems:
            raise FileProblems(f"review '{path.name}'", problems.found, "; nothing was stored")
        stored.append(one)
    contents = {one.path: _as_csv(one.whole) for one in stored}
    folder = root / tag / FOLDER
    try:
        folder.mkdir(exist_ok=True)
        write_over(contents)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror}. Change its permissions") from error
    return stored


def _read(tag: str, path: Path, root: Path, problems: Problems) -> Stored | None:
    """Return the review of a file as it is to be stored; None if too little of it can be used."""
    report = partial(problems.add, Place(path.name, 1))
    content = _json_of(path, report)
    if content is None or not _has_keys("the file", content, TOP, report):
        return None
    if content["format"] != FORMAT or content["schema"] != SCHEMA:
        what = f"the file is of the format {content['format']!r}, {content['schema']}, and {FORMAT!r}, {SCHEMA}"
        report(f"{what} was expected", "Choose a file that a page of eec locale review has saved")
        return None
    if content["language"] != tag:
        what = f"the review is of the language {content['language']!r}, and {tag!r} was expected"
        report(what, "Name its language: eec locale review TAG --take FILE")
        return None
    about = content["reader"]
    if not _has_keys("reader", about, READER, report):
        return None
    _check_reader(about, report)
    day = _checked_date(content["date"], report)
    if not VERSION.fullmatch(content["version"]):
        shown = ascii(content["version"])[:60]
        report(f"the version is {shown}; expected one such as '1.0.0'", "Have the file saved again from the page")
    judgements = _judgements(content["answers"], report)
    if problems or day is None:
        return None
    review = ReaderReview(
        about["name"], about["native"], about["country"], about["variety"], day, content["version"], tuple(judgements)
    )
    here = str(corpus_facts(root)["version"])
    if _numbers(review.version) > _numbers(here):
        what = f"the review is of version {review.version}, and version {here} is here"
        report(what, "Bring these files up to date; if there is no such version, ask who sent it what it is")
    locale = load_locale(tag, root)
    _check_not_the_writer(review, locale, root, report)
    changed = _changed(review, root, report)
    return Stored(root / tag / FOLDER / f"{slug_of(review.reader)}-{day}.csv", review, changed)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _json_of(path: Path, report: Callable[[str, str], None]) -> dict[str, Any] | None:
    """The object that a file holds."""
    save_again = "Ask the reader to save or copy the whole file again from the page"
    try:
        with open_given(path) as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        report(f"the file cannot be read: {error.strerror}", "Check its name and its rights")
        return None
    if len(raw) > LARGEST:
        report(f"the file has more than {LARGEST >> 20} MB", "No page saves so much: ask who sent it what it is")
        return None
    problem = ""
    try:
        content = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_once)
    except UnicodeDecodeError:
        problem = "the file is no text in UTF-8"
    except RecursionError:
        problem = "lists or objects are nested too deeply to be read"
    except ValueError as error:
        problem = f"the file is not what the page saves, JSON: {error}"
    else:
        if isinstance(content, dict):
            return content
        problem = f"the file holds {CALLED.get(type(content), 'something else')} where an object belongs"
    report(problem, save_again)
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, each of whose keys stands once."""
    twice = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
    if twice:
        raise ValueError(f"the key {twice[0]!r} appears twice")
    return dict(pairs)


def _has_keys(of: str, value: Any, kinds: Mapping[str, type], report: Callable[[str, str], None]) -> bool:
    """Return whether an object has these keys and no other, each with its kind of value; what is not so is noted."""
    fix = "Ask the reader to save the file again from the page, and change nothing in it"
    if not isinstance(value, dict):
        report(f"{of} is no object", fix)
        return False
    fine = True
    for key, kind in kinds.items():
        if key not in value:
            report(f"{of} has no {key!r}", fix)
            fine = False
        elif type(value[key]) is not kind:
            report(f"{key!r} of {of} is not {CALLED[kind]}", fix)
            fine = False
    for key in value:
        if key not in kinds:
            report(f"{of} has the unknown key {key!r}", fix)
            fine = False
    return fine


def _check_reader(about: Mapping[str, Any], report: Callable[[str, str], None]) -> None:
    for key in ("name", "variety"):
        _check_text(f"{key} of the reader", about[key], LONGEST_NAME, report)
    if not any(map(str.isalpha, about["name"])):
        report("the reader has no name", "Ask the reader for a name or a pseudonym")
    if not COUNTRY.fullmatch(about["country"]) or about["country"] not in countries("en"):
        report(f"the reader's country is {about['country']!r}", "A two-letter ISO 3166 code was expected")
    if not about["consent"]:
        report("the reader has not agreed that the answers are published", "Without that they cannot be stored: ask")
    if about["licence"] != LICENCE:
        report(f"the licence is {about['licence']!r}", f"Readers give their answers under {LICENCE}")


def _checked_date(text: str, report: Callable[[str, str], None]) -> str | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        report(f"the date is {text!r}", "It is written as in 2026-11-24")
        return None
    if day.isoformat() != text:
        report(f"the date is {text!r}", f"It is written as in {day.isoformat()}")
        return None
    if day > datetime.now(UTC).date() + timedelta(days=1):  # it may be tomorrow already where the reader is
        report(f"the review is of {text}, which is to come", "Set the clock of the reader's machine, and save again")
        return None
    return text


def _judgements(answers: Sequence[Any], report: Callable[[str, str], None]) -> list[Judgement]:
    """The judgements of a file; what is wrong with one is noted."""
    if not answers:
        report("no sentence was judged", "There is nothing to store")
    if len(answers) > MOST:
        report(f"{len(answers):,} sentences were judged, and {MOST:,} at most are taken", "Ask who sent it what it is")
        return []
    found: list[Judgement] = []
    seen: dict[SentenceKey, int] = {}
    for number, answer in enumerate(answers, start=1):
        of = f"answer {number}"
        if not _has_keys(of, answer, ANSWER, report):
            continue
        for key in ("config", "id", "speaker", "variants", "text", "correction", "comment", "question"):
            _check_text(f"{key} of {of}", answer[key], LONGEST_TEXT, report)
        key_of_sentence = SentenceKey(answer["config"], answer["id"], answer["speaker"], answer["variants"])
        if answer["verdict"] not in VERDICTS:
            report(f"the verdict of {of} is {answer['verdict']!r}", f"One of: {', '.join(VERDICTS)}")
        if answer["hash"] != hash_of(answer["text"]):
            fix = "The sentence was changed after it was judged: have the file saved again from the page"
            report(f"the hash of {of} is not that of its text", fix)
        first = seen.setdefault(key_of_sentence, number)
        if first != number:
            report(f"{of} is of the same sentence as answer {first}", "Have the file saved again from the page")
        found.append(
            Judgement(
                key_of_sentence,
                answer["text"],
                answer["verdict"],
                answer["correction"],
                answer["comment"],
                answer["question"],
            )
        )
    return found


def _check_text(of: str, text: str, longest: int, report: Callable[[str, str], None]) -> None:
    """Note what no reader writes: markup, formulas, line breaks, letters that cannot be seen, endless texts."""
    shown = text if len(text) <= 60 else f"{text[:60]}…"
    if len(text) > longest:
        report(f"the {of} has {len(text):,} letters: {shown!r}", f"At most {longest} are taken")
    if MARKUP.search(text):
        report(f"the {of} has markup: {shown!r}", "Ask the reader to write it without < and >")
    # Some spreadsheets read the wide signs of East Asian keyboards as they read the narrow ones.
    if FORMULA.match(unicodedata.normalize("NFKC", text)):
        report(f"the {of} begins as a formula does: {shown!r}", "Ask the reader to begin it with a letter")
    if text.startswith("#"):
        report(f"the {of} begins as a comment of a table does: {shown!r}", "Ask the reader to begin it with a letter")
    if text != text.strip():
        report(f"the {of} begins or ends with a space: {shown!r}", "Have it saved again from the page")
    if CONTROL.search(text):
        report(f"the {of} has a control character: {shown!r}", "Have it saved again from the page")
    hidden = [letter for letter in dict.fromkeys(HIDDEN.findall(text)) if letter not in "\u200c\u200d"]
    if hidden:
        report(f"the {of} has the invisible character {char_name(hidden[0])}: {shown!r}", "Have it written without it")
    if not unicodedata.is_normalized("NFC", text):
        report(f"the {of} is not in Unicode NFC: {shown!r}", "Have it saved again from the page")


def _changed(review: ReaderReview, root: Path, report: Callable[[str, str], None]) -> int:
    """Return how many of the sentences read otherwise now; a review no sentence of which is there is refused."""
    changed = 0
    corpora = grouped(((j.key.config, j.key.speaker, j.key.variants), j) for j in review.judgements)
    for (config, speaker, variants), judgements in corpora.items():
        texts = texts_by_id(config, speaker, variants, root=root)
        changed += sum(texts.get(judgement.key.id) != judgement.text for judgement in judgements)
    if changed == len(review.judgements):
        here = str(corpus_facts(root)["version"])
        what = f"the review is of version {review.version}, and none of its {changed} sentences is in version {here}"
        report(what, "Store it beside the version it is of, or have a new page read: eec locale review TAG --html FILE")
    return changed


def _check_not_the_writer(review: ReaderReview, locale: Locale, root: Path, report: Callable[[str, str], None]) -> None:
    """Refuse a review of texts by who wrote them: templates, words, persons and levels name their translator."""
    written = _written_by(slug_of(review.reader), root / locale.tag)
    own = []
    for judgement in review.judgements:
        template, word = [*judgement.key.id.split("/"), ""][:2]
        person = judgement.key.id.rpartition("/")[2]
        of_level = any(person.endswith(f"-{slug_of(part)}") for part in written)
        if of_level or written & {template, word, person}:
            own.append(judgement)
    if own:
        what = (
            f"{review.reader} wrote texts of {len(own)} of the {len(review.judgements)} sentences, such as "
            f"'{own[0].text}', and cannot be who approves them"
        )
        report(what, "Have another native speaker read them, or have the page saved without these sentences")


def _written_by(name: str, folder: Path) -> set[str]:
    """Return the ids of the templates, words, persons and levels whose translator has this name."""
    rows = [row for path in sorted(folder.glob("*.csv")) for row in read_csv(path).rows]
    signed = [(row["id"] or row["level"], row["translator"]) for row in rows]
    templates = read_toml(folder / "templates.toml").data
    signed += [(template, str(table.get("translator", ""))) for template, table in templates.items()]
    return {part for part, translator in signed if translator and slug_of(translator) == name}


def _after_the_same_day(
    one: Stored, others: Sequence[Stored], add: Callable[[Place, str, str], None], place: Place
) -> Stored:
    """The review with what the reader said of other sentences that day; the same sentence twice is refused."""
    given = [other.whole for other in others if other.path == one.path]
    before: ReaderReview | None
    if given:
        before, where, fix = given[-1], "among the files given", "Leave one of the two"
    elif one.path.exists():
        before = read_review(one.path, Problems())
        where, fix = str(one.path), "Nothing was changed. To replace it by this file, remove it first"
    else:
        return one
    if before is None or replace(before, judgements=()) != replace(one.review, judgements=()):
        add(place, f"{one.review.reader} has another review of {one.review.date}: {where}", fix)
        return one
    if {judgement.key for judgement in before.judgements} & {judgement.key for judgement in one.review.judgements}:
        add(place, f"{one.review.reader} has a review of {one.review.date} already: {where}", fix)
    return replace(one, before=before.judgements)


def _check_known(one: Stored, others: Sequence[Stored], add: Callable[[Place, str, str], None], place: Place) -> None:
    """Refuse a name under which someone else is known."""
    language = one.path.parent.parent
    stored = load_locale(language.name, language.parent).review.reviews
    for review in (*(other.review for other in others), *stored):
        if slug_of(review.reader) == slug_of(one.review.reader) and (review.native, review.country) != (
            one.review.native,
            one.review.country,
        ):
            what = (
                f"a reader {review.who} is known, {'native' if review.native else 'not native'}, and this one is "
                f"{one.review.who}, {'native' if one.review.native else 'not native'}"
            )
            add(place, what, "If they are two, ask this one for another name; if they are one, which of the two holds")
            return


def _check_reads_back(one: Stored, place: Place, problems: Problems) -> None:
    """Refuse a review that would read otherwise once it is stored: its language could not be read any more."""
    found = Problems()
    with TemporaryDirectory() as folder:
        path = Path(folder) / one.path.name
        write_over({path: _as_csv(one.whole)})
        again = read_review(path, found)
    if again == one.whole:
        return
    for problem in found.found:
        problems.add(place, f"stored, it could not be read: {problem.what}", problem.fix)
    if not found:
        problems.add(place, "stored, it would read otherwise", "Have the file saved again from the page")


def _as_csv(review: ReaderReview) -> str:
    """A review as it is stored; no spreadsheet takes a cell of it for a formula."""
    rows: list[list[str]] = [REVIEW_COLUMNS.names]
    native = YES if review.native else NO
    for judgement in review.judgements:
        cells = {
            "reader": review.reader,
            "native": native,
            "country": review.country,
            "variety": review.variety,
            "date": review.date,
            "version": review.version,
            "licence": LICENCE,
            "config": judgement.key.config,
            "id": judgement.key.id,
            "speaker": judgement.key.speaker,
            "variants": judgement.key.variants,
            "text": judgement.text,
            "hash": hash_of(judgement.text),
            "verdict": judgement.verdict,
            "correction": judgement.correction,
            "comment": judgement.comment,
            "question": judgement.question,
        }
        rows.append([guarded(cells[column]) for column in REVIEW_COLUMNS.names])
    return csv_text(rows)
