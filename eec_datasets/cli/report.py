"""``eec report``: a report made again from saved results."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Literal

import click

from eec_datasets.cli.command import command
from eec_datasets.cli.given import GIVEN_FILE
from eec_datasets.cli.options import FOLDER, OVERWRITE, option, repeated, report_language
from eec_datasets.cli.output import say, say_left

Form = Literal["html", "md"]


@command()
@click.argument("results", nargs=-1, required=True, type=GIVEN_FILE)
@option("--out", None, "Folder of the report.  [default: that of the first result, for - this one]", type=FOLDER)
@repeated("--format", "forms", None, choices=("html", "md"),
          text="HTML page or Markdown for a model card; may be repeated.  [default: html]")  # fmt: skip
@report_language("Language of sentences, numbers and names, such as es or ar.")
@OVERWRITE
def report(
    results: tuple[Path, ...], out: Path | None, forms: tuple[Form, ...], language: str, overwrite: bool
) -> None:
    """Make a report from RESULTS: the result.json of an audit, or what eec measure --format json printed; -
    is standard input.

    Several files become one report, systems and languages side by side; a result that stands in two of them is
    reported once, and two different ones of one system on one corpus are refused. The page is one file that loads
    nothing: it can be mailed, printed and put on a web server as it is. terms.csv beside it holds its numbers,
    unrounded. Of a file that was saved in an earlier form, the error says how to make it anew; of one that was
    changed after it was written, the report says so.

    \b
    Examples:
      eec report audit/result.json --report-language es
      eec report vader.json ours.json --out comparison --format html --format md
    """
    from eec_datasets.audit import pages
    from eec_datasets.audit.measurements import measurements_of
    from eec_datasets.audit.report.document import read
    from eec_datasets.audit.rows import rows_of
    from eec_datasets.audit.saving import to_csv
    from eec_datasets.files import check, write_all
    from eec_datasets.given_file import STANDARD_INPUT
    from eec_datasets.standard_input import is_saved

    document = read(results)
    given = {str(path): STANDARD_INPUT if is_saved(path) else str(path) for path in results}
    document = replace(document, files=[given[file] for file in document.files])
    if out is not None:
        folder = out
    elif is_saved(results[0]):
        folder = Path()
    else:
        folder = results[0].parent
    forms = forms or ("html",)
    names = [*(f"report.{form}" for form in forms), "terms.csv"]
    check([folder / name for name in names], overwrite=overwrite)
    texts = [pages.render(document, language=language, form=form) for form in forms]
    texts.append(to_csv(rows_of(measurements_of(document))))
    for place in document.repeated:
        say(f"Note: {place} is in another of the files too, and is reported once.", err=True)
    for file in document.changed:
        say(f"Warning: {file} was changed after it was written; the report says so too.", err=True)
    written = dict(zip((folder / name for name in names), texts, strict=True))
    for path in write_all(written, overwrite=overwrite):
        say(f"Written: {path}")
    if os.path.realpath(folder) not in [str(Path(os.path.realpath(path)).parent) for path in results]:
        say_left(folder, names)
