"""``eec locale``: for contributors of languages and identity groups."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets import files
from eec_datasets.cli.options import FILE, JSON, OVERWRITE, refuse_idle_overwrite, repeated
from eec_datasets.cli.output import echo_json

if TYPE_CHECKING:
    from eec_datasets.checks import Finding

COLOURS: Final = {"error": "red", "warning": "yellow", "note": "cyan"}

TAGS = click.argument("tags", nargs=-1, metavar="[TAG]...")
LOCALES = click.option(
    "--locales", "root", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR",
    help="Folder of locales [default: those that come with the package].",
)  # fmt: skip


@click.group()
def locale() -> None:
    """Add or mend a language or an identity group: files of words, no programming.

    \b
    Examples:
      eec locale new sv --from en       files for Swedish, with the English beside every empty cell
      eec locale check sv               what is missing or wrong, line by line
      eec locale preview sv             the sentences, with what changes in each pair marked
    """


@locale.command(short_help="Start a language: files with the English beside every empty cell.")
@click.argument("tag")
@click.option("--from", "like", required=True, metavar="TAG", help="The locale whose structure is taken over.")
@LOCALES
def new(tag: str, like: str, root: Path | None) -> None:
    """Start the language TAG (a BCP 47 tag such as sv or pt-BR).

    Choose for --from a language whose grammar is near: es where words agree in gender, ar where verbs do too,
    en where little agrees. Nothing that is there already is touched.

    \b
    Examples:
      eec locale new sv --from en
      eec locale check sv                what is still missing, line by line
    """
    from eec_datasets.contribute.scaffold import scaffold

    folder = scaffold(tag, like, root)
    click.echo(f"{folder} is ready: locale.toml, templates.toml, words.csv, persons.csv, expected.csv.")
    click.echo(f"Fill them, then: eec locale check {tag}   and: eec locale preview {tag}")


@locale.command(short_help="Tell everything that is missing or wrong, with file and line.")
@TAGS
@LOCALES
@click.option("--notes/--no-notes", default=True, help="Tell also what is only worth knowing.", show_default=True)
@JSON
def check(tags: tuple[str, ...], root: Path | None, notes: bool, as_json: bool) -> None:
    """Check the locales TAG (all of them where none is named).

    Errors must be mended, warnings looked at, notes known: what falls on the spelling of one group more than on
    another is a note. The exit code is 1 where there is an error, else 0.

    \b
    Examples:
      eec locale check es
      eec locale check                     every language
      eec locale check sv --locales mine   a folder of your own, holding corpus.toml and sv/
      eec locale check es --json | python -m json.tool
    """
    from eec_datasets.checks import check as check_locale

    folders = _folders(tags, root)
    reports = [check_locale(folder) for folder in folders]
    if as_json:
        echo_json([report.to_dict() for report in reports])
    for report, folder in () if as_json else zip(reports, folders, strict=True):
        for finding in report.findings:
            if notes or finding.level != "note":
                click.echo(_line(folder, finding))
        if report.unchecked:
            click.echo(f"{report.tag}: not checked until the errors are mended: {', '.join(report.unchecked)}")
        click.secho(report.summary, bold=True)
    click.get_current_context().exit(0 if all(report.ok for report in reports) else 1)


def _line(folder: Path, finding: Finding) -> str:
    """One finding with a path that editors and terminals can open."""
    path = Path(os.path.normpath(folder / finding.place.file))
    shown = path.relative_to(Path.cwd()) if path.is_absolute() and path.is_relative_to(Path.cwd()) else path
    level = click.style(f"{finding.level}:", fg=COLOURS[finding.level])
    return f"{shown}:{finding.place.line}: {level} {finding.what}. {finding.mend}"


@locale.command(short_help="See the sentences, with what changes inside each pair marked.")
@click.argument("tag")
@click.option("--config", metavar="NAME", help="Which corpus of the language [default: TAG-gender, else its first].")
@repeated("--template", "templates", "tNN", "Only these templates.")
@repeated("--word", "words", "WORD", "These words [default: one per emotion].")
@click.option("--speaker", type=click.Choice(["female", "male", "crossed"]), help="Gender of “me” where it shows.")
@click.option("--html", "page", type=FILE, help="Write a page to this file.")
@OVERWRITE
@LOCALES
def preview(tag: str, config: str | None, page: Path | None, overwrite: bool, root: Path | None, **chosen: Any) -> None:
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

    refuse_idle_overwrite(overwrite, "--html", page)
    declared = [f"{tag}-{key}" for key in load_locale(tag, root).configs]
    name = config or (f"{tag}-gender" if f"{tag}-gender" in declared else declared[0])
    lines = lines_of(name, root=root, **chosen)
    review = find(name, root=root).review
    if page is not None:
        files.write(page, as_html(lines, name, tag, review), overwrite=overwrite)
        click.echo(f"{page}: {len(lines)} sentences of {name}")
        return
    coloured = (click.style("", reverse=True, reset=False), click.style(""))
    click.echo(f"{name} ({review})\n")
    click.echo(as_text(lines, coloured if sys.stdout.isatty() else ("[", "]")))


@locale.command(short_help="How much is written, and how much a second person has checked.")
@TAGS
@LOCALES
def status(tags: tuple[str, ...], root: Path | None) -> None:
    """Count, per file, the texts of the languages TAG (all where none is named): written, signed, checked.

    A text is signed where its row names a translator, and checked where it names a second person who has read it.
    Texts from a paper may name neither; their column source says where they are from.

    \b
    Examples:
      eec locale status
      eec locale status sv
    """
    from eec_datasets.contribute.progress import progress
    from eec_datasets.terminal import lay_out

    rows = []
    for folder in _folders(tags, root):
        for at, file in enumerate(progress(folder)):
            counts = (file.of, file.written, file.translated, file.checked)
            rows.append([folder.name if at == 0 else "", file.file, *(f"{count:,}" for count in counts)])
    click.echo(lay_out(("language", "file", "texts", "written", "signed", "checked"), rows, (2, 3, 4, 5)))


@locale.command(short_help="Write a translator's sheet (CSV or PO).")
@click.argument("tag")
@click.option("--format", "kind", type=click.Choice(["csv", "po"]), default="csv", show_default=True)
@click.option("--out", type=FILE, help="[default: TAG.csv or TAG.po]")
@OVERWRITE
@LOCALES
def export(tag: str, kind: str, out: Path | None, overwrite: bool, root: Path | None) -> None:
    """Write every text of the language TAG to one sheet, with instructions, for somebody else to write or check.

    \b
    Examples:
      eec locale export es --out es.csv          for a spreadsheet
      eec locale export es --format po           for a translation tool
    """
    from eec_datasets.contribute.exchange import export_csv, export_po

    place = out or Path(f"{tag}.{kind}")
    files.write(place, (export_po if kind == "po" else export_csv)(_folders([tag], root)[0]), overwrite=overwrite)
    click.echo(f"{place}: write in the column text (or msgstr), then: eec locale import {tag} {place}")


@locale.command("import", short_help="Take a translator's sheet back in.")
@click.argument("tag")
@click.argument("sheet", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--translator", metavar="NAME", help="PO: who wrote what changed, or names nobody yet.")
@click.option("--checker", metavar="NAME", help="PO: who read every text.")
@LOCALES
def import_(tag: str, sheet: Path, translator: str | None, checker: str | None, root: Path | None) -> None:
    """Take the sheet SHEET (CSV or PO) back into the files of the language TAG.

    All of it is checked first; where anything is wrong, every problem is told with its line and nothing is written.

    \b
    Examples:
      eec locale import es es.csv
      eec locale import es es.po --translator "B. Writer" --checker "A. Reader"
    """
    from eec_datasets.contribute.exchange import import_csv, import_po

    (folder,) = _folders([tag], root)
    if sheet.suffix.lower() in (".po", ".pot"):
        changed, names = import_po(folder, sheet, translator, checker)
    else:
        changed, names = import_csv(folder, sheet)
    for entry in changed:
        click.echo(f"  {entry.key}: {entry.text}")
    click.echo(f"{len(changed)} texts changed" + (f" in {', '.join(names)}" if names else "; no file was touched"))


def _folders(tags: tuple[str, ...] | list[str], root: Path | None) -> list[Path]:
    """The folders of the languages asked for, of all where none is named."""
    from eec_datasets.errors import UnknownConfig
    from eec_datasets.locale.reading import locales_folder
    from eec_datasets.locale.reading import tags as tags_in

    folder = root or locales_folder()
    known = tags_in(folder)
    if not (tags or known):
        raise UnknownConfig(f"no locales in {folder}: each is a folder with a locale.toml")
    for tag in tags:
        if not (folder / tag).is_dir():
            raise UnknownConfig(f"no locale '{tag}' in {folder}; there are: {', '.join(known) or 'none'}")
    return [folder / tag for tag in tags or known]
