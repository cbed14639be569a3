"""``eec locale``: for contributors of languages and identity groups."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from eec_bias.shared import counted
from eec_datasets import files
from eec_datasets.cli.command import CommandGroup, typed
from eec_datasets.cli.given import GIVEN_FILE, GIVEN_FILE_THERE
from eec_datasets.cli.options import (
    FILE,
    FOLDER_THERE,
    JSON,
    OVERWRITE,
    Decorator,
    chained,
    option,
    repeated,
)
from eec_datasets.cli.output import echo_json, heading, say
from eec_datasets.errors import LocaleError, UnknownConfig
from eec_datasets.locale.reading import CORPUS_FILE, locales_folder
from eec_datasets.locale.reading import tags as tags_in
from eec_datasets.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.checks import LocaleFinding
    from eec_datasets.contribute.sheet import SheetText
    from eec_datasets.locale.reviews import Judgement, ReaderReview, ReviewStatus

COLOURS: Final = {"error": "red", "warning": "yellow", "note": "cyan"}


def _folder(named: Path | None, *, writes: bool) -> Path:
    """The folder of locales: the one named, that of the project the user stands in, or the package's own.

    Raises
    ------
    UnknownConfig
        It is to be written, and the user neither names a folder nor stands in a project.
    """
    ours = locales_folder()
    if named or os.environ.get("EEC_LOCALES"):
        return named or ours
    here, ups = Path.cwd(), [Path.cwd(), *Path.cwd().parents]
    # Up to the root of the repository.
    within = next((number for number, up in enumerate(ups, start=1) if (up / ".git").exists()), len(ups))
    project = next((up / "locales" for up in ups[:within] if (up / "locales" / CORPUS_FILE).is_file()), None)
    if project is None and writes:
        raise UnknownConfig(
            f"there is no folder locales with a {CORPUS_FILE} in {here} or above it, and {ours}, which belongs to the "
            "installed package, is not written to from elsewhere. Change to your clone, or name a folder with --locales"
        )
    if project and not project.samefile(ours):
        say(f"Locales: {project}", err=True)
    return project or ours


def _locales(*, writes: bool) -> Decorator:
    """Add ``--locales``, which reaches the command as ``root``."""
    rest = "and no other]." if writes else "else those of the package]."
    return option(
        "--locales", "DIR", f"Folder of locales [default: locales of the project you are in, {rest}", name="root",
        callback=lambda ctx, _option, named: named if ctx.resilient_parsing else _folder(named, writes=writes),
        type=FOLDER_THERE,
    )  # fmt: skip


def _there(root: Path) -> str:
    """The option that names the folder again, for the next command, where the user has named it."""
    return f" --locales {shlex.quote(str(root))}" if typed("root") else ""


OF_TAGS = chained(click.argument("tags", nargs=-1, metavar="[TAG]..."), _locales(writes=False))
OF_TAG, OWN_TAG = (chained(click.argument("tag"), _locales(writes=writes)) for writes in (False, True))


@click.group(cls=CommandGroup)
def locale() -> None:
    """Add or mend a language or an identity group: files of words, no programming.

    \b
    Examples:
      eec locale new sv --from en       files for Swedish, with the English beside every empty cell
      eec locale check sv               what is missing or wrong, line by line
      eec locale preview sv             the sentences, with what changes in each pair marked
      eec locale review sv --html sv.html    a page on which a native speaker judges them
    """


@locale.command(
    short_help="Start a language: files with the English beside every empty cell.", needs={"--overwrite": "--sheet"}
)
@option("--from", "TAG", "The locale whose structure is taken over.", name="like", required=True)
@option("--sheet", None, "Also write its texts to this sheet (CSV), for a spreadsheet.", type=FILE)
@OVERWRITE
@OWN_TAG
def new(tag: str, like: str, sheet: Path | None, overwrite: bool, root: Path) -> None:
    """Start the language TAG (a BCP 47 tag such as sv or pt-BR).

    Choose for --from a language whose grammar is near: es where words agree in gender, ar where verbs do too,
    ru where persons have cases as well, tr where they have cases and nothing has a gender, en where little agrees.
    Nothing that is there already is touched.

    \b
    Examples:
      eec locale new sv --from en
      eec locale new sv --from en --sheet sv.csv    filled in a spreadsheet, then: eec locale import sv sv.csv
      eec locale check sv                what is still missing, line by line
    """
    from eec_datasets.contribute.exchange import export_csv
    from eec_datasets.contribute.scaffold import scaffold

    if sheet is not None:
        files.check([sheet], overwrite=overwrite)
    folder = scaffold(tag, like, root)
    say(f"{folder} is ready: locale.toml, templates.toml, words.csv, persons.csv, expected.csv.")
    there = _there(root)
    if sheet is not None:
        files.write(sheet, export_csv(folder), overwrite=overwrite)
        say(f"{sheet}: write in the column text, then: eec locale import {tag} {shlex.quote(str(sheet))}{there}")
    say(f"Fill them, then: eec locale check {tag}{there}   and: eec locale preview {tag}{there}")


@locale.command(
    short_help="List everything that is missing or wrong, with file and line.", apart=[("--json", "--no-notes")]
)
@OF_TAGS
@click.option("--notes/--no-notes", default=True, help="Also list notes, which need no change.", show_default=True)
@click.option("--key", is_flag=True, help="List every sentence that the answer key lacks, and not how many.")
@JSON
def check(tags: tuple[str, ...], root: Path, notes: bool, key: bool, as_json: bool) -> None:
    """Check the locales TAG (all of them where none is named).

    Errors must be mended, warnings looked at, notes known: what falls on the spelling of one group more than on
    another is a note. Where there is no error, every config is measured with drawn scores, so that an audit takes what
    the check passes. The exit code is 1 where there is an error, else 0.

    \b
    Examples:
      eec locale check es
      eec locale check                     every language
      eec locale check sv --locales mine   a folder of your own, holding corpus.toml and sv/
      eec locale check es --json | python -m json.tool
    """
    from eec_datasets.audit.trial import with_trial
    from eec_datasets.checks import check as check_locale

    folders = _folders(tags, root)
    reports = [with_trial(check_locale(folder, key=key), folder) for folder in folders]
    if as_json:
        echo_json([report.to_dict() for report in reports])
    for report, folder in () if as_json else zip(reports, folders, strict=True):
        for finding in report.findings:
            if notes or finding.level != "note":
                say(_line(folder, finding), styled=True)
        if report.unchecked:
            say(f"{report.tag}: not checked until the errors are mended: {', '.join(report.unchecked)}")
        say(heading(report.summary), styled=True)
    click.get_current_context().exit(0 if all(report.ok for report in reports) else 1)


def _line(folder: Path, finding: LocaleFinding) -> str:
    """One finding with a path that editors and terminals can open."""
    place = folder.parent if finding.place.file == CORPUS_FILE else folder
    path = Path(os.path.normpath(place / finding.place.file))
    short_path = path.relative_to(Path.cwd()) if path.is_absolute() and path.is_relative_to(Path.cwd()) else path
    level = click.style(f"{finding.level}:", fg=COLOURS[finding.level])
    return visible(f"{short_path}:{finding.place.line}: ") + level + visible(f" {finding.what}. {finding.mend}")


@locale.command(
    short_help="See the sentences, with what changes inside each pair marked.", needs={"--overwrite": "--html"}
)
@option("--config", "NAME", "Which corpus of the language [default: TAG-gender, else its first].")
@repeated("--template", "templates", "tNN", "Only these templates.")
@repeated("--word", "words", "WORD", "These words [default: one per emotion].")
@option("--speaker", None, "Gender of “me” where it shows.", choices=("female", "male", "crossed"))
@option("--html", None, "Write a page to this file.", name="page", type=FILE)
@OVERWRITE
@OF_TAG
def preview(tag: str, config: str | None, page: Path | None, overwrite: bool, root: Path, **chosen: Any) -> None:
    """Show one minimal pair per template, type of person and emotion of the language TAG.

    \b
    Examples:
      eec locale preview es
      eec locale preview es --template t01 --word angry
      eec locale preview ar --html preview.html      right to left, in a browser
    """
    from eec_datasets.contribute.preview import as_html, as_text
    from eec_datasets.contribute.preview import preview as lines_of
    from eec_datasets.corpora import find
    from eec_datasets.locale.reading import load_locale

    declared = [f"{tag}-{key}" for key in load_locale(tag, root).configs]
    if not declared:
        raise UnknownConfig(f"the language '{tag}' has no config yet. Write one into its locale.toml")
    if config and config not in declared:
        raise UnknownConfig(f"'{config}' is no config of the language '{tag}'; its configs are: {', '.join(declared)}")
    name = config or (f"{tag}-gender" if f"{tag}-gender" in declared else declared[0])
    lines = lines_of(name, root=root, **chosen)
    review = find(name, root=root).review
    if page is not None:
        files.write(page, as_html(lines, name, tag, review), overwrite=overwrite)
        say(f"{page}: {len(lines)} sentences of {name}")
        return
    terminal = sys.stdout.isatty()
    coloured = (click.style("", reverse=True, reset=False), click.style(""))
    say(f"{name} ({review})\n")
    say(as_text(lines, coloured if terminal else ("[", "]")), styled=True)


@locale.command(short_help="Write a page on which a native speaker judges sentences.")
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

    (folder,) = _folders([tag], root)
    html, choice = review_page(tag, count=count, part=part, root=folder.parent)
    files.write(page, html, overwrite=overwrite)
    say(f"{page}: {len(choice.sentences)} sentences, {choice.questions[0]} of {choice.questions[1]} questions")
    say(f"They show {_counts(choice.shown)}.")
    if choice.parts > 1:
        say(f"Part {part} of {choice.parts}: all parts together show everything (--part)")
    if tag.partition("-")[0] not in page_languages():
        known = ", ".join(page_languages())
        say(f"The page speaks English around them: its words are there in {known} (contribute/review_texts)")
    say(f"Then: eec locale answers FILE…{_there(root)}   with the file that the reader saves")


def _counts(shown: Mapping[str, tuple[int, int]]) -> str:
    """How many templates, forms and so on sentences show, of how many."""
    kinds = {"template": "templates", "form": "forms of words", "name": "names", "person": "phrases and pronouns",
             "level": "levels of axes"}  # fmt: skip
    return ", ".join(f"{some:,} of {whole:,} {kinds[kind]}" for kind, (some, whole) in shown.items() if whole)


@locale.command(short_help="Store what native speakers saved on their page.")
@click.argument("saved", nargs=-1, required=True, metavar="FILE...", type=GIVEN_FILE)
@_locales(writes=True)
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
    _say_sizes(root)


@locale.command(short_help="List what native speakers must still look at, the weightiest first.")
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

    for folder in _folders(tags, root):
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


@locale.command(short_help="Count what is written and checked, and what native readers said.")
@click.option("--markdown", is_flag=True, help="Print a table of languages and what readers said, for a README.")
@OF_TAGS
def status(tags: tuple[str, ...], root: Path, markdown: bool) -> None:
    """Count, per file, the texts of the languages TAG (all where none is named): written, signed, checked.

    Counted are those that eec locale export writes; a template, a noun and a row of a table with all their forms
    count as one. A text is signed where its row names a translator, and checked where it names somebody else who has
    read it. Texts from a paper may name neither; their column source says where they are from.

    Then follows what native readers said on their pages (eec locale review): of how many sentences all of them say that
    they are natural, which they find odd or wrong, of which they disagree, and which were changed since.

    \b
    Examples:
      eec locale status
      eec locale status sv
      eec locale status --markdown
    """
    from eec_datasets.contribute.progress import progress
    from eec_datasets.contribute.review_choice import shown_by
    from eec_datasets.corpora import review_of
    from eec_datasets.locale.reading import load_locale
    from eec_datasets.terminal import lay_out

    folders = _folders(tags, root)
    if markdown:
        say("| language | read by |\n|---|---|")
        for folder in folders:
            sentence = review_of(load_locale(folder.name, folder.parent), folder.parent).sentence
            say(f"| {_english_name(folder.name)} (`{folder.name}`) | {sentence} |")
        return
    rows = []
    for folder in _folders(tags, root):
        for position, file in enumerate(progress(folder)):
            counts = (file.of, file.written, file.translated, file.checked)
            rows.append([folder.name if position == 0 else "", file.file, *(f"{count:,}" for count in counts)])
    say(lay_out(("language", "file", "texts", "written", "signed", "checked"), rows, (2, 3, 4, 5)))
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


@locale.command(short_help="Count the rows of every config anew, for eec configs.")
@_locales(writes=True)
def sizes(root: Path) -> None:
    """Write sizes.json beside the languages: rows, axes and persons of every config.

    eec configs reads them there, and so need not render every sentence. A language whose files have changed since is
    rendered all the same; run this when you have changed one, so that the file holds what is so.

    \b
    Examples:
      eec locale sizes
    """
    from eec_datasets.sizes import FILE as SIZES_FILE
    from eec_datasets.sizes import sizes_file

    path = root / SIZES_FILE
    text = sizes_file(root)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        say(f"{path} is up to date")
        return
    files.write_over({path: text})
    say(f"{path} is written")


@locale.command(short_help="Write a translator's sheet (CSV or PO).")
@click.option("--format", "kind", type=click.Choice(["csv", "po"]), default="csv", show_default=True)
@option("--out", None, "[default: TAG.csv or TAG.po]", type=FILE)
@OVERWRITE
@OF_TAG
def export(tag: str, kind: str, out: Path | None, overwrite: bool, root: Path) -> None:
    """Write the texts of the language TAG to one sheet, with instructions, for somebody else to write or check.

    They are nouns, templates, words, persons and levels of axes; names of names.csv are not among them.

    \b
    Examples:
      eec locale export es --out es.csv          for a spreadsheet
      eec locale export es --format po           for a translation tool
    """
    from eec_datasets.contribute.exchange import export_csv, export_po

    path = out or Path(f"{tag}.{kind}")
    if path.suffix.lower() not in ("", f".{kind}"):
        raise click.UsageError(f"--out: {path} does not end in .{kind}. Name it so, or choose another --format.")
    files.write(path, (export_po if kind == "po" else export_csv)(_folders([tag], root)[0]), overwrite=overwrite)
    command = f"eec locale import {tag} {shlex.quote(str(path))}{_there(root)}"
    say(f"{path}: write in the column text (or msgstr), then: {command}")


@locale.command("import", short_help="Take a translator's sheet back in, or start a language from one.")
@OWN_TAG
@click.argument("sheet", type=GIVEN_FILE_THERE)
@option("--from", "LIKE", "Start the language TAG, from the locale that the sheet was written from.", name="like")
@option("--translator", "NAME", "PO: who wrote what changed, or names nobody yet.")
@option("--checker", "NAME", "PO: who read every text.")
def import_(tag: str, sheet: Path, like: str | None, translator: str | None, checker: str | None, root: Path) -> None:
    """Take the sheet SHEET (CSV or PO; - is standard input) back into the files of the language TAG.

    All of it is checked first; where anything is wrong, every problem is told with its line and nothing is written.
    It may be a part of a sheet: what it does not have stays. A word of a paper that it changes gets the status changed
    and needs a source of its own; the former word is kept under paper.

    A language that has no folder yet is started with --from, which names the locale that the sheet was written from.

    \b
    Examples:
      eec locale import es es.csv
      eec locale import es es.po --translator "B. Writer" --checker "A. Reader"
      eec locale import sv sv.csv --from en      starts Swedish with what stands in the sheet
    """
    from eec_datasets.contribute.exchange import import_sheet, is_po, start_from_sheet

    for column, name in (("translator", translator), ("checker", checker)):
        if name and not is_po(sheet):
            raise click.UsageError(f"--{column} is for PO; in {sheet} the column {column} says it. Leave it out.")
    there = tags_in(root)
    if like is None:
        if tag not in there:
            raise UnknownConfig(
                f"{sheet} is for the language '{tag}', which has no folder in {root}. Start it, from a language whose "
                f"grammar is near: eec locale import {tag} {shlex.quote(str(sheet))} --from LIKE; there are: "
                f"{', '.join(there) or 'none'}"
            )
        (folder,) = _folders([tag], root)
        _say_taken(*import_sheet(folder, sheet, translator, checker), folder)
        return
    if (root / tag).exists():
        raise UnknownConfig(f"{root / tag} is there already. Leave --from out, and the sheet is taken into its files")
    taken = start_from_sheet(tag, like, sheet, root, translator, checker)
    _say_taken(*taken, root / tag)
    say(f"{root / tag} is ready. Look at the features in locale.toml, and write the answer key, expected.csv.")
    say(f"Then: eec locale check {tag}{_there(root)}   and: eec locale preview {tag}{_there(root)}")


def _say_taken(changed: list[SheetText], names: list[str], folder: Path) -> None:
    """Say what a sheet changed, and how much is still to be written."""
    from eec_datasets.contribute.progress import progress

    for entry in changed:
        say(f"  {entry.key}: {entry.text}")
    say(f"{counted(len(changed), 'text')} changed" + (f" in {', '.join(names)}" if names else "; no file was touched"))
    unwritten = sum(file.of - file.written for file in progress(folder))
    if unwritten:
        say(f"Still to be written: {counted(unwritten, 'text')}; eec locale export {folder.name} has them")
    elif changed:
        _say_sizes(folder.parent)


def _say_sizes(root: Path) -> None:
    """Say that what is kept of the sizes of configs is to be written anew, where anything is kept."""
    from eec_datasets.sizes import FILE as SIZES_FILE

    if (root / SIZES_FILE).exists():
        say(f"Before you send it: eec locale sizes{_there(root)}   writes {SIZES_FILE} anew, which eec configs reads")


def _folders(tags: tuple[str, ...] | list[str], folder: Path) -> list[Path]:
    """The folders of the languages asked for, of all where none is named."""
    all_tags = tags_in(folder)
    if not (tags or all_tags):
        raise UnknownConfig(f"no locales in {folder}: each is a folder with a locale.toml")
    for tag in tags:
        if Path(tag).name != tag or not (folder / tag).is_dir():
            raise UnknownConfig(f"no locale '{tag}' in {folder}; there are: {', '.join(all_tags) or 'none'}")
    return [folder / tag for tag in dict.fromkeys(tags or all_tags)]
