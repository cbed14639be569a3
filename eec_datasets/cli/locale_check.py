"""``eec locale check``: everything wrong with the files of a locale, at once."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from eec_datasets.checks import Finding

COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


@click.command(short_help="Tell everything that is missing or wrong, with file and line.")
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@click.option(
    "--locales", "root", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR",
    help="Folder of locales [default: those that come with the package].",
)  # fmt: skip
@click.option("--notes/--no-notes", default=True, help="Tell also what is only worth knowing.", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")
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
    from eec_datasets.errors import UnknownConfig
    from eec_datasets.locale.reading import locales_folder
    from eec_datasets.locale.reading import tags as known_tags

    folder = root or locales_folder()
    known = known_tags(folder)
    for tag in tags:
        if not (folder / tag).is_dir():
            raise UnknownConfig(f"no locale '{tag}' in {folder}; there are: {', '.join(known) or 'none'}")
    if not tags and not known:
        raise UnknownConfig(f"no locales in {folder}: each is a folder with a locale.toml")
    reports = [check_locale(folder / tag) for tag in tags or known]
    if as_json:
        click.echo(json.dumps([report.to_dict() for report in reports], ensure_ascii=False, indent=1))
    for report in () if as_json else reports:
        for finding in report.findings:
            if notes or finding.level != "note":
                click.echo(_line(folder / report.tag, finding))
        if report.unchecked:
            click.echo(f"{report.tag}: not checked until the errors are mended: {', '.join(report.unchecked)}")
        click.secho(report.summary, bold=True)
    raise SystemExit(0 if all(report.ok for report in reports) else 1)


def _line(folder: Path, finding: Finding) -> str:
    """One finding with a path that editors and terminals can open."""
    path = Path(os.path.normpath(folder / finding.place.file))
    shown = path.relative_to(Path.cwd()) if path.is_absolute() and path.is_relative_to(Path.cwd()) else path
    level = click.style(f"{finding.level}:", fg=COLOURS[finding.level])
    return f"{shown}:{finding.place.line}: {level} {finding.what}. {finding.mend}"
