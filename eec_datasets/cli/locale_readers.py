"""The commands of ``eec locale`` that ask native speakers, and tell what they said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eec_datasets import files
from eec_datasets.cli.command import command
from eec_datasets.cli.given import GIVEN_FILE
from eec_datasets.cli.locale_folder import OF_TAG, OF_TAGS, folders_of, locales_option, named_again, say_sizes_due
from eec_datasets.cli.options import FILE, OVERWRITE, option
from eec_datasets.cli.output import heading, say
from eec_datasets.errors import LocaleError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.locale.reviews import Judgement, ReaderReview, ReviewStatus


@command(short_help="Write a page on which a native speaker judges sentences.")
@option("--html", None, "Write the page to this file.", name="page", type=FILE, required=True)
@option("--sentences", None, "How many there are on the page.", name="count", least=1, default=64, show_default=True)
@option("--part", None, "Which page: 2 has what 1 does not show.", least=1, default=1, show_default=True)
@OVERWRITE
@OF_TAG
def review(tag: str, page: Path, count: int, part: int, overwrite: bool, root: Path) -> None:
    """Write a page on which native speakers of the language TAG judge sentences.

    The page is one file that works without network, on a phone as well. Give it to a native speaker: it saves what they
    say as a file, which they send back, and which eec locale answers stores. Its sentences show each template first,
    then as many forms, names and persons as go into it, and the weightiest questions of questions.csv.

    \b
    Examples:
      eec locale review es --html es.html
      eec locale review ar --html ar-2.html --part 2      for a second reader, other sentences
    """
    from eec_datasets.contribute.review_page import page_languages, review_page

    (folder,) = folders_of([tag], root)
    html, choice = review_page(tag, count=count, part=part, root=folder.parent)
    files.write(page, html, overwrite=overwrite)
    say(f"{page}: {len(choice.sentences)} sentences, {choice.questions[0]} of {choice.questions[1]} questions")
    say(f"They show {_counts(choice.shown)}.")
    if choice.parts > 1:
        say(f"Part {part} of {choice.parts}: all parts together show everything (--part)")
    if tag.partition("-")[0] not in page_languages():
        known = ", ".join(page_languages())
        say(f"The page speaks English around them: its words are there in {known} (contribute/review_texts)")
    say(f"Then: eec locale answers FILE…{named_again(root)}   with the file that the reader saves")


def _counts(shown: Mapping[str, tuple[int, int]]) -> str:
    """How many templates, forms and so on sentences show, of how many."""
    kinds = {"template": "templates", "form": "forms of words", "name": "names", "person": "phrases and pronouns",
             "level": "levels of axes"}  # fmt: skip
    return ", ".join(f"{some:,} of {whole:,} {kinds[kind]}" for kind, (some, whole) in shown.items() if whole)


@command(short_help="Store what native speakers saved on their page.")
@click.argument("saved", nargs=-1, required=True, metavar="FILE...", type=GIVEN_FILE)
@locales_option(writes=True)
def answers(saved: tuple[Path, ...], root: Path) -> None:
    """Store what readers said, FILE by FILE, as reviews/TAG-NAME-DATE.csv beside the languages.

    Each file is checked as a stranger's; where anything is wrong, every problem is told and nothing is stored. What a
    reader said of a sentence holds while the sentence stays as it was: eec locale status says what holds.

    \b
    Examples:
      eec locale answers eec-review-es-ana-2026-11-24.json
      eec locale status es
    """
    from eec_datasets.contribute.answers import store_answers
    from eec_datasets.corpora import review_of
    from eec_datasets.locale.reading import load_locale

    stored = store_answers(saved, root)
    for one in stored:
        verdicts = [judgement.verdict for judgement in one.review.judgements]
        counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
        say(f"{one.path}: {one.review.who}, {counts}")
        if one.changed:
            say(f"  {one.changed} of {len(verdicts)} read otherwise now than when they were judged: they stay open")
    for tag in dict.fromkeys(one.tag for one in stored):
        say(f"{tag}: {review_of(load_locale(tag, root), root).sentence}")
    say_sizes_due(root)


@command(short_help="List what native speakers must still look at, the weightiest first.")
@OF_TAGS
def questions(tags: tuple[str, ...], root: Path) -> None:
    """List what native speakers of the languages TAG (all where none is named) must still look at.

    Each question stands with a sentence that shows it, the weightiest first, and with what readers answered so far.
    The file is locales/TAG/questions.csv; who mends the word, or says in its note why it stays, removes the row: what
    readers answered stays in their reviews.

    \b
    Examples:
      eec locale questions es
    """
    from eec_datasets.contribute.questions import WEIGHTS
    from eec_datasets.contribute.questions import questions as questions_of
    from eec_datasets.locale.reading import load_locale
    from eec_datasets.locale.reviews import SentenceKey, judgements_of

    for folder in folders_of(tags, root):
        weight, asked = None, questions_of(folder.name, folder.parent)
        if not asked:
            say(f"{folder.name}: no question is noted (questions.csv)")
        for question in asked:
            if question.weight != weight:
                meaning = WEIGHTS.get(question.weight, "other")
                say(heading(f"{folder.name}, {question.weight or 'no weight'}: {meaning}"), styled=True)
                weight = question.weight
            say(f"  {question.sentence}  [{question.id}]\n    {question.question}")
            if question.asked:
                say(f"    {question.asked}")
            key = SentenceKey(question.config, question.id, question.speaker, question.variants)
            for reader, said in judgements_of(load_locale(folder.name, folder.parent).review.reviews, key):
                say(f"    {_said(reader, said)}")


def _said(reader: ReaderReview, judgement: Judgement) -> str:
    """What a reader said of a sentence, in a line."""
    proposed = f": {judgement.correction}" if judgement.correction else ""
    comment = f" ({judgement.comment})" if judgement.comment else ""
    return f"{reader.who}, {reader.date}: {judgement.verdict}{proposed}{comment}"


@command(short_help="Count what native readers said.")
@click.option("--markdown", is_flag=True, help="Print a table of languages and what readers said, for a README.")
@OF_TAGS
def status(tags: tuple[str, ...], root: Path, markdown: bool) -> None:
    """Count what native readers said on their pages (eec locale review).

    Of how many sentences all of them say that they are natural, which they find odd or wrong, of which they disagree,
    and which were changed since.

    \b
    Examples:
      eec locale status
      eec locale status sv
      eec locale status --markdown
    """
    from eec_datasets.contribute.review_choice import shown_by
    from eec_datasets.corpora import review_of
    from eec_datasets.locale.reading import load_locale

    folders = folders_of(tags, root)
    if markdown:
        say("| language | read by |\n|---|---|")
        for folder in folders:
            sentence = review_of(load_locale(folder.name, folder.parent), folder.parent).sentence
            say(f"| {_english_name(folder.name)} (`{folder.name}`) | {sentence} |")
        return
    for folder in folders:
        try:
            language = load_locale(folder.name, folder.parent)
        except LocaleError:  # somebody is still writing it; eec locale check tells what is lacking
            say(heading(f"\n{folder.name}: not read by anybody, as its files have problems"), styled=True)
            continue
        found = review_of(language, folder.parent)
        _say_review(folder.name, found)
        if found.held:
            say(f"  Native readers have seen {_counts(shown_by(folder.name, found.held.keys(), folder.parent))}")


def _english_name(tag: str) -> str:
    from eec_datasets.locale.grammar import cldr

    language = cldr(tag)
    return (language.get_display_name("en") if language else None) or tag


def _say_review(tag: str, found: ReviewStatus) -> None:
    """Say what readers said of a language."""
    say(heading(f"\n{tag}: {found.sentence}"), styled=True)
    for reader in (*found.native.values(), *found.other.values()):
        speaker = "native speaker" if reader.native else "another first language"
        variety = f", {reader.variety}" if reader.variety else ""
        say(f"  {reader.who}{variety}, {speaker}, {reader.date}")
    for title, keys in {
        "They disagree": found.disputed,
        "Not natural": [key for key in found.held if key not in found.natural and key not in found.disputed],
    }.items():
        for key in keys:
            said = found.held[key]
            say(f"  {title}: {next(iter(said.values())).text}  [{key}]")
            for slug, judgement in said.items():
                say(f"    {_said(found.native[slug], judgement)}")
    for key, now in found.changed.items():
        say(f"  Open again: {now or 'no longer there'}  [{key}]")


COMMANDS = (review, answers, questions, status)
"""Commands of ``eec locale``."""
