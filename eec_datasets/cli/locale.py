"""``eec locale``: for contributors of languages and identity groups."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from eec_bias.shared import counted, write
from eec_datasets.cli.command import CommandGroup
from eec_datasets.cli.locale_folder import OF_TAG, OF_TAGS, OWN_TAG, folders_of, named_again
from eec_datasets.cli.locale_review import review, say_questions, say_readers
from eec_datasets.cli.options import FILE, JSON, OVERWRITE, option, repeated, switch
from eec_datasets.cli.output import echo_json, heading, say
from eec_datasets.errors import InputError
from eec_datasets.locale.reading import CORPUS_FILE
from eec_datasets.terminal import visible

if TYPE_CHECKING:
    from eec_datasets.checks import LocaleFinding, Report

COLOURS: Final = {"error": "red", "warning": "yellow", "note": "cyan"}


@click.group(cls=CommandGroup)
def locale() -> None:
    """Add or correct a language or an identity group. You edit text files and need no programming.

    \b
    Examples:
      eec locale new sv --from en       files for Swedish, with the English next to every empty cell
      eec locale check sv               what is missing or wrong, with file and line
      eec locale preview sv             pairs of sentences, with the words that differ marked
      eec locale review sv --html sv.html    a page on which a native speaker judges sentences
    """


@locale.command(short_help="Start a language: files with the English next to every empty cell.")
@option("--from", "TAG", "The language whose grammar tables you start from.", name="like", required=True)
@OWN_TAG
def new(tag: str, like: str, root: Path) -> None:
    """Start the language TAG (a BCP 47 tag such as sv or pt-BR).

    For --from, choose a language with a similar grammar. es: words agree with the gender of the person. ar: verbs
    agree, too. ru: persons also have cases. tr: persons have cases, and nothing has a gender. en: few words agree. The
    command changes no existing file.

    \b
    Examples:
      eec locale new sv --from en
      eec locale check sv                what is still missing, with file and line
    """
    from eec_datasets.contribute.scaffold import scaffold

    folder = scaffold(tag, like, root)
    say(f"{folder} is ready: locale.toml, templates.toml, words.csv, persons.csv, expected.csv.")
    there = named_again(root)
    say(f"Fill them in, then: eec locale check {tag}{there}   and: eec locale preview {tag}{there}")


@locale.command(
    short_help="List everything that is missing or wrong, with file and line.", apart=[("--json", "--no-notes")]
)
@OF_TAGS
@switch("--notes/--no-notes", "Also list notes and open questions.", default=True, show_default=True)
@switch("--key", "List every missing sentence of the answer key, and not just their number.")
@JSON
def check(tags: tuple[str, ...], root: Path, notes: bool, key: bool, as_json: bool) -> None:
    """Check the files of the languages TAG, or of all languages if you name none.

    Fix the errors, look at the warnings, and keep the notes in mind. For example, there is a note if the names of one
    group have more accents than the names of another group. The command then lists the open questions for native
    readers, the people who have read the language, and its status.

    If there is no error, the command also measures every corpus with random scores, to make sure that an audit can use
    it. It counts the sentences of every corpus for eec configs (locales/sizes.json). The exit code is 1 if there is an
    error, and 0 otherwise.

    \b
    Examples:
      eec locale check es
      eec locale check                     every language
      eec locale check sv --locales mine   a folder of your own with corpus.toml and sv/
      eec locale check es --json | python -m json.tool
    """
    from eec_datasets.audit.trial import with_trial
    from eec_datasets.checks import check as check_locale
    from eec_datasets.sizes import bring_up_to_date

    folders = folders_of(tags, root)
    reports = [with_trial(check_locale(folder, key=key), folder) for folder in folders]
    if as_json:
        echo_json([report.to_dict() for report in reports])
    else:
        for report, folder in zip(reports, folders, strict=True):
            _say_report(report, folder, notes=notes)
    ok = all(report.ok for report in reports)
    if ok and (written := bring_up_to_date(root)):
        say(f"{_short(written)}: counted the rows again, for eec configs", err=True)
    click.get_current_context().exit(0 if ok else 1)


def _say_report(report: Report, folder: Path, *, notes: bool) -> None:
    """Say what was found in a language, what native readers must still look at, and its status."""
    from eec_datasets.contribute.questions import questions
    from eec_datasets.corpora import review_of

    for finding in report.findings:
        if notes or finding.level != "note":
            say(_line(folder, finding), styled=True)
    if report.unchecked:
        say(f"{report.tag}: not checked until the errors are fixed: {', '.join(report.unchecked)}")
    if not report.ok or report.locale is None:
        say(heading(report.summary), styled=True)
        return
    found, asked = review_of(report.locale, folder.parent), questions(report.tag, folder.parent)
    if notes:
        say_questions(report.locale, asked)
        say_readers(report.tag, found, folder.parent)
    say(heading(f"{report.summary}; {found.sentence}; {counted(len(asked), 'open question')}"), styled=True)


def _line(folder: Path, finding: LocaleFinding) -> str:
    """One finding with a path that editors and terminals can open."""
    place = folder.parent if finding.place.file == CORPUS_FILE else folder
    short_path = _short(Path(os.path.normpath(place / finding.place.file)))
    level = click.style(f"{finding.level}:", fg=COLOURS[finding.level])
    return visible(f"{short_path}:{finding.place.line}: ") + level + visible(f" {finding.what}. {finding.fix}")


def _short(path: Path) -> Path:
    """Return a path as seen from the current folder, if it is below it."""
    return path.relative_to(Path.cwd()) if path.is_absolute() and path.is_relative_to(Path.cwd()) else path


@locale.command(
    short_help="Show pairs of sentences, with the words that differ marked.", needs={"--overwrite": "--html"}
)
@option("--config", "NAME", "Corpus of the language [default: TAG-gender, or else the first one].")
@repeated("--template", "templates", "tNN", "Only these templates.")
@repeated("--word", "words", "WORD", "These words [default: one per emotion].")
@option("--speaker", None, "Gender of the speaker (“me”), if a word shows it.", choices=("female", "male", "crossed"))
@option("--html", None, "Write a page to this file.", name="page", type=FILE)
@OVERWRITE
@OF_TAG
def preview(tag: str, config: str | None, page: Path | None, overwrite: bool, root: Path, **chosen: Any) -> None:
    """Show a pair of sentences for each template, type of person and emotion of the language TAG.

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
        raise InputError(f"the language '{tag}' has no config yet. Write one into its locale.toml")
    if config and config not in declared:
        raise InputError(f"'{config}' is no config of the language '{tag}'; its configs are: {', '.join(declared)}")
    name = config or (f"{tag}-gender" if f"{tag}-gender" in declared else declared[0])
    lines = lines_of(name, root=root, **chosen)
    review = find(name, root=root).review
    if page is not None:
        write(page, as_html(lines, name, tag, review), overwrite=overwrite)
        say(f"{page}: {len(lines)} sentences of {name}")
        return
    terminal = sys.stdout.isatty()
    coloured = (click.style("", reverse=True, reset=False), click.style(""))
    say(f"{name} ({review})\n")
    say(as_text(lines, coloured if terminal else ("[", "]")), styled=True)


locale.add_command(review)
