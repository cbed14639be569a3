"""``eec locale review``: the page on which native readers judge sentences, and what they saved on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from eec_bias.shared import write
from eec_datasets.cli.command import command, typed
from eec_datasets.cli.given import GIVEN_FILE
from eec_datasets.cli.locale_folder import OF_TAG, find_folder, folders_of, named_again
from eec_datasets.cli.options import FILE, OVERWRITE, option, repeated
from eec_datasets.cli.output import heading, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from eec_datasets.contribute.questions import ReaderQuestion
    from eec_datasets.locale.model import Locale
    from eec_datasets.locale.reviews import Judgement, ReaderReview, ReviewStatus


@command(
    short_help="Write the page for native speakers, or store their answers.",
    apart=[("--html", "--take")],
    needs={"--sentences": "--html", "--part": "--html", "--region": "--html", "--overwrite": "--html"},
)
@option("--html", None, "Write the page to this file.", name="page", type=FILE)
@repeated(
    "--take", "saved", "FILE", "Store the file that a reader saved on the page; may be repeated.", type=GIVEN_FILE
)
@option("--sentences", None, "Number of sentences on the page.", name="count", least=1, default=88, show_default=True)
@option(
    "--part",
    None,
    "Number of the page: page 2 has sentences that page 1 does not show.",
    least=1,
    default=1,
    show_default=True,
)
@option("--region", "NAME", "Region whose words the page uses, such as spain [default: the most frequent one].")
@OVERWRITE
@OF_TAG
def review(tag: str, page: Path | None, saved: tuple[Path, ...], root: Path, **choice: Any) -> None:
    """Write a page on which native speakers of the language TAG judge sentences, or store what they saved.

    The page is one file, which also works offline and on a phone. Give it to a native speaker. The page saves their
    answers as a file, and they send you this file. The page shows each template at least once, then as many forms,
    names and persons as fit, and the most important questions of questions.csv.

    --take checks each file that you got back, and stores it in locales/TAG/reviews. If anything is wrong, the command
    lists every problem and stores nothing. A reader's judgement counts until someone changes the sentence.

    \b
    Examples:
      eec locale review es --html es.html
      eec locale review ar --html ar-2.html --part 2      for a second reader, other sentences
      eec locale review es --html spain.html --region spain
      eec locale review es --take eec-review-es-ana-2026-11-24.json
    """
    if page is not None:
        _write_page(tag, page, root, **choice)
    elif saved:
        _store(tag, saved, root)
    else:
        raise click.UsageError("Give --html FILE to write the page, or --take FILE to store what a reader saved.")


def _write_page(
    tag: str, page: Path, root: Path, *, count: int, part: int, region: str | None, overwrite: bool
) -> None:
    from eec_datasets.contribute.review_page import page_languages, review_page

    (folder,) = folders_of([tag], root)
    html, choice = review_page(tag, count=count, part=part, region=region, root=folder.parent)
    write(page, html, overwrite=overwrite)
    say(f"{page}: {len(choice.sentences)} sentences, {choice.questions[0]} of {choice.questions[1]} questions")
    say(f"They show {_counts(choice.shown)}.")
    if choice.parts > 1:
        say(f"Part {part} of {choice.parts}: all parts together show everything but further names (--part)")
    if tag.partition("-")[0] not in page_languages():
        known = ", ".join(page_languages())
        say(f"The page speaks English around them: its words are there in {known} (contribute/review_texts)")
    say(f"Then: eec locale review {tag} --take FILE{named_again(root)}   with the file that the reader saves")


def _store(tag: str, saved: Sequence[Path], root: Path) -> None:
    from eec_datasets.contribute.saved_reviews import store_reviews
    from eec_datasets.corpora import review_of
    from eec_datasets.locale.reading import load_locale

    root = root if typed("root") else find_folder(None, writes=True)
    folders_of([tag], root)
    for one in store_reviews(tag, saved, root):
        verdicts = [judgement.verdict for judgement in one.review.judgements]
        counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
        say(f"{one.path}: {one.review.who}, {counts}")
        if one.changed:
            say(f"  {one.changed} of {len(verdicts)} have changed since they were judged: they stay open")
    say(f"{tag}: {review_of(load_locale(tag, root), root).sentence}")


def _counts(shown: Mapping[str, tuple[int, int]]) -> str:
    """Return how many templates, forms and so on some sentences show, and of how many."""
    kinds = {"template": "templates", "form": "forms of words", "name": "names", "person": "phrases and pronouns",
             "level": "levels of axes"}  # fmt: skip
    return ", ".join(f"{some:,} of {whole:,} {kinds[kind]}" for kind, (some, whole) in shown.items() if whole)


def say_readers(tag: str, found: ReviewStatus, root: Path) -> None:
    """Say who has read a language, and how much of it native readers have seen."""
    from eec_datasets.contribute.review_choice import shown_by

    for reader in (*found.native.values(), *found.other.values()):
        speaker = "native speaker" if reader.native else "another first language"
        variety = f", {reader.variety}" if reader.variety else ""
        say(f"{tag}: read by {reader.who}{variety}, {speaker}, {reader.date}")
    if found.held:
        say(f"{tag}: native readers have seen {_counts(shown_by(tag, found.held.keys(), root))}")


def say_questions(locale: Locale, asked: Sequence[ReaderQuestion]) -> None:
    """Say the open questions for native readers, the weightiest first, and what readers answered so far."""
    from eec_datasets.contribute.questions import WEIGHTS
    from eec_datasets.locale.reviews import SentenceKey, judgements_of

    weight = None
    for question in asked:
        if question.weight != weight:
            weight = question.weight
            meaning = WEIGHTS.get(weight, "other")
            say(
                heading(f"{locale.tag}, questions for native readers, weight {weight or 'unknown'}: {meaning}"),
                styled=True,
            )
        say(f"  {question.sentence}  [{question.id}]\n    {question.question}")
        if question.asked:
            say(f"    {question.asked}")
        key = SentenceKey(question.config, question.id, question.speaker, question.variants)
        for reader, said in judgements_of(locale.review.reviews, key):
            say(f"    {_said(reader, said)}")


def _said(reader: ReaderReview, judgement: Judgement) -> str:
    """Return in a line what a reader said of a sentence."""
    proposed = f": {judgement.correction}" if judgement.correction else ""
    comment = f" ({judgement.comment})" if judgement.comment else ""
    return f"{reader.who}, {reader.date}: {judgement.verdict}{proposed}{comment}"
