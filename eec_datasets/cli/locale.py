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
    """Add or fix a language or an identity group: files of words, no programming.

    \b
    Examples:
      eec locale new sv --from en       files for Swedish, with the English beside every empty cell
      eec locale check sv               what is missing or wrong, line by line
      eec locale preview sv             the sentences, with what changes in each pair marked
      eec locale review sv --html sv.html    a page on which a native speaker judges them
    """


@locale.command(short_help="Start a language: files with the English beside every empty cell.")
@option("--from", "TAG", "The locale whose structure is taken over.", name="like", required=True)
@OWN_TAG
def new(tag: str, like: str, root: Path) -> None:
    """Start the language TAG (a BCP 47 tag such as sv or pt-BR).

    Choose for --from a language whose grammar is near: es where words agree in gender, ar where verbs do too,
    ru where persons have cases as well, tr where they have cases and nothing has a gender, en where little agrees.
    Nothing that is there already is touched.

    \b
    Examples:
      eec locale new sv --from en
      eec locale check sv                what is still missing, line by line
    """
    from eec_datasets.contribute.scaffold import scaffold

    folder = scaffold(tag, like, root)
    say(f"{folder} is ready: locale.toml, templates.toml, words.csv, persons.csv, expected.csv.")
    there = named_again(root)
    say(f"Fill them, then: eec locale check {tag}{there}   and: eec locale preview {tag}{there}")


@locale.command(
    short_help="List everything that is missing or wrong, with file and line.", apart=[("--json", "--no-notes")]
)
@OF_TAGS
@switch("--notes/--no-notes", "Also list notes and open questions.", default=True, show_default=True)
@switch("--key", "List every sentence that the answer key lacks, and not how many.")
@JSON
def check(tags: tuple[str, ...], root: Path, notes: bool, key: bool, as_json: bool) -> None:
    """Check the locales TAG (all of them where none is named).

    Fix errors, look at warnings, and know the notes: if a spelling falls on one group more than on another, that is a
    note. Then follow the open questions for native readers, who has read the language, and the status.

    If there is no error, the check also measures every config with drawn scores, so that an audit takes whatever the
    check passes, and counts the rows of every config for eec configs (locales/sizes.json). The exit code is 1 if there
    is an error, else 0.

    \b
    Examples:
      eec locale check es
      eec locale check                     every language
      eec locale check sv --locales mine   a folder of your own, holding corpus.toml and sv/
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
