"""``eec report``: a report made again from saved results."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from eec_datasets.cli.command import command
from eec_datasets.cli.options import FILE, FOLDER, OVERWRITE, report_language
from eec_datasets.cli.output import say


@command(short_help="Make a report from saved results.")
@click.argument("results", nargs=-1, required=True, type=FILE)
@click.option("--out", type=FOLDER, help="Folder of the report.  [default: that of the first result]")
@click.option(
    "--format", "forms", multiple=True, type=click.Choice(["html", "md"]),
    help="HTML page or Markdown for a model card; may be repeated.  [default: html]",
)  # fmt: skip
@report_language("Language of sentences, numbers and names, such as es or ar.")
@OVERWRITE
def report(
    results: tuple[Path, ...],
    out: Path | None,
    forms: tuple[Literal["html", "md"], ...],
    language: str,
    overwrite: bool,
) -> None:
    """Make a report from RESULTS: the result.json of an audit, or what eec measure --format json printed.

    Several files become one report, systems and languages side by side. The page is one file that loads nothing:
    it can be mailed, printed and put on a web server as it is. Of a file that was saved in an earlier form, the
    error says how to make it anew.

    \b
    Examples:
      eec report audit/result.json --report-language es
      eec report vader.json ours.json --out comparison --format html --format md
    """
    from eec_datasets.audit.report import page
    from eec_datasets.audit.report.document import read
    from eec_datasets.files import check, write_all

    document = read(results)
    folder = out if out is not None else results[0].parent
    places = {folder / f"report.{form}": form for form in forms or ("html",)}
    check(places, overwrite=overwrite)
    texts = {place: page.render(document, language=language, form=form) for place, form in places.items()}
    for path in write_all(texts, overwrite=overwrite):
        say(f"Written: {path}")
