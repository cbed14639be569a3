"""``eec report``: a report made again from saved results."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from eec_datasets.cli.command import command
from eec_datasets.cli.given import GIVEN_FILE
from eec_datasets.cli.options import FOLDER, OVERWRITE, option, repeated, report_language
from eec_datasets.cli.output import say

Form = Literal["html", "md"]


@command()
@click.argument("results", nargs=-1, required=True, type=GIVEN_FILE)
@option("--out", None, "Folder of the report.", default="report", type=FOLDER)
@repeated("--format", "forms", None, choices=("html", "md"),
          text="HTML page, or Markdown for a model card; may be repeated.  [default: html]")  # fmt: skip
@report_language("Language of the report's sentences, numbers and names, such as es or ar.")
@OVERWRITE
def report(results: tuple[Path, ...], out: Path, forms: tuple[Form, ...], language: str, overwrite: bool) -> None:
    """Make a report from RESULTS, the files result.json of audits or outputs of eec measure --format json.

    - is standard input.

    Several files become one report, which compares the systems and languages. If two files contain the same result, the
    report has it once. If one system has two different results on one corpus, the command stops with an error. The page
    is one file without links to other files, so you can mail it, print it or put it on a web server. terms.csv has the
    unrounded numbers.

    \b
    Examples:
      eec report audit/result.json --report-language es
      eec report vader.json ours.json --out comparison --format html --format md
    """
    from eec_bias.shared import check_folder, write_folder
    from eec_datasets.audit import pages
    from eec_datasets.audit.rows import rows_of
    from eec_datasets.audit.saving import read, to_csv

    measurements, failures, repeated = read(results)
    check_folder(out, "report", overwrite=overwrite, inputs=results)
    page = pages.page_of(measurements, language, failures)
    texts = {f"report.{form}": pages.FORMS[form](page) for form in forms or ("html",)}
    texts["terms.csv"] = to_csv(rows_of(measurements))
    for place in repeated:
        say(f"Note: {place} is in another of the files too, and is reported once.", err=True)
    write_folder(out, {name: text.encode() for name, text in texts.items()}, "report", overwrite=overwrite)
    for name in texts:
        say(f"Written: {out / name}")
