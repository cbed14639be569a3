"""``eec corpus lint | import | confound``: anyone's EEC-like file, and sets in which groups and words go together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from eec_datasets.cli.command import CommandGroup, typed
from eec_datasets.cli.given import GIVEN_FILE
from eec_datasets.cli.options import (
    CONFOUNDED,
    FILE,
    JSON,
    OVERWRITE,
    Asked,
    as_one_argument,
    option,
    pairs,
    repeated,
)
from eec_datasets.cli.output import bar, echo_json, follow, say
from eec_datasets.files import check, write

if TYPE_CHECKING:
    from eec_datasets.imported.reading import ForeignCorpus


PLACE: Final = click.Path(path_type=Path)


def read(
    file: Path, preset: str | None, columns: tuple[str, ...], language: str | None, templates: tuple[str, ...]
) -> ForeignCorpus:
    """Read a file as its layout says."""
    from dataclasses import replace

    from eec_datasets.imported.presets import preset_of
    from eec_datasets.imported.reading import read_corpus
    from eec_datasets.imported.reference import check_template_names

    layout = preset_of(preset).with_columns(pairs("--column", columns, "FIELD=HEADER"))
    if language and language != layout.language:
        layout = replace(layout, language=language, config="")
    chosen = pairs("--template", templates, "tNN=TEXT")
    check_template_names(layout, chosen)
    return read_corpus(file, layout.with_templates(chosen))


FOREIGN = as_one_argument(
    "foreign",
    read,
    click.argument("file", metavar="CORPUS.csv", type=GIVEN_FILE),
    option(
        "--preset",
        "NAME",
        "Layout of a published file: kiritchenko2018, camara2022-en (of all three English files), camara2022-es, "
        "camara2022-ar.",
    ),
    repeated(
        "--column",
        "columns",
        "FIELD=HEADER",
        "Which column holds what; may be repeated. Fields: id, sentence, template, person, gender, race, emotion, "
        "word, english. Needed: sentence, person, gender.",
    ),
    option("--language", "TAG", "Our locale to compare with [default: the preset's, or none]."),
    repeated(
        "--template",
        "templates",
        "tNN=TEXT",
        "Which of our templates a text of the file stands for, where its words do not say it.",
    ),
)
"""Options that name a file and its layout; a command gets what was read, as ``foreign``."""


@click.group(cls=CommandGroup)
def corpus() -> None:
    """Check or read anyone's EEC-like file: a CSV with one sentence per row and labels of person and group.
    CORPUS.csv may be - for standard input.

    The published files are not part of this project; download them yourself. confound makes sets of our own, in which
    groups and emotion words are associated.
    """


@corpus.command(short_help="Defects per group, and the share of uneven pairs.", needs={"--overwrite": "--html"})
@FOREIGN
@JSON
@option("--html", None, "Also write a page to this file.", name="page", type=FILE)
@OVERWRITE
@click.pass_context
def lint(ctx: click.Context, foreign: ForeignCorpus, as_json: bool, page: Path | None, overwrite: bool) -> None:
    """Check CORPUS.csv: text defects, duplicates, missing sentences, agreement, each counted by group.

    A defect that falls on one group more than on another is read as bias by any measure of bias; the share of
    uneven pairs says how often. Exit code 1 where a defect was found.

    \b
    Examples:
      eec corpus lint Equity-Evaluation-Corpus.csv --preset kiritchenko2018
      eec corpus lint mine.csv --column sentence=Text --column gender=Sex --language en --html report.html
    """
    from eec_datasets.imported.linting import lint as find_defects
    from eec_datasets.imported.report import as_html, as_text

    if page is not None:
        check([page], overwrite=overwrite)
    with bar("checking", unit="steps") as progress_bar:
        report = find_defects(foreign, progress=follow(progress_bar, "checking "))
    if page is not None:
        write(page, as_html(report), overwrite=overwrite)
    if as_json:
        echo_json(report.to_dict())
    else:
        say(as_text(report))
    ctx.exit(0 if report.ok else 1)


@corpus.command("import", short_help="Read a file into our row schema.")
@FOREIGN
@option("--out", "FILE.parquet|DIR", "A parquet file, or a folder for load_dataset.", required=True, type=PLACE)
@click.option("--allow-unmapped", is_flag=True, help="Leave out rows that have no place in our schema, and list them.")
@OVERWRITE
def import_(foreign: ForeignCorpus, out: Path, allow_unmapped: bool, overwrite: bool) -> None:
    """Read CORPUS.csv into our row schema, its sentences unchanged, so that its numbers can be computed again.

    The ids are those of our own corpus of these names: scores of the file's sentences can be measured with
    eec measure, or with eec_bias.measure on the rows that are written.

    \b
    Examples:
      eec corpus import Equity-Evaluation-Corpus.csv --preset kiritchenko2018 --out eec2018.parquet
      eec corpus import es.csv --preset camara2022-es --out published --allow-unmapped
    """
    from eec_datasets.imported import importing

    imported = importing.import_corpus(foreign, allow_unmapped=allow_unmapped)
    paths = importing.write(imported, out, foreign.name, overwrite=overwrite)
    for note in foreign.notes:
        say(f"note: {note}")
    for text, (name, how) in imported.templates.items():
        say(f"{name}  {text}  ({how})")
    say(f"{len(imported.columns['id']):,} rows in our schema, {len(imported.unmapped):,} left out")
    for path in paths:
        say(f"wrote {path}")


@corpus.command(short_help="Sets in which groups and emotion words are associated.")
@click.argument("config")
@repeated("--group", "groups", "1|2|3|4", "Data group. [default: all four]", type=click.IntRange(1, 4))
@repeated("--words", "words", "E1..E5", "Set of words. [default: all of the group]")
@CONFOUNDED
@option("--out", "FILE.parquet|FILE.csv", "Where the rows go.", required=True, type=FILE)
@OVERWRITE
def confound(
    config: str, groups: tuple[int, ...], words: tuple[str, ...], out: Path, overwrite: bool, sets: Asked
) -> None:
    """Make the sixteen data sets of Lakkaraju et al. (2022), or some of them, from the persons of CONFIG.

    Groups 1 (gender) and 3 (gender and race) are balanced; in 2 and 4 up to 90 % of the sentences of a class have
    words of one kind. The columns group, set, case and rg say which row belongs where. eec rate makes these sets
    itself.

    \b
    Examples:
      eec corpus confound en-black-white --out sixteen.parquet
      eec corpus confound es-anglo-latino --group 2 --case 3 --words E3 --out elle.csv
    """
    from eec_datasets import row_file
    from eec_datasets.design import confounded

    for name, flag, group in (("case", "--case", 2), ("persons", "--persons", 3), ("shares", "--share", 4)):
        if groups and group not in groups and typed(name):
            raise click.UsageError(f"{flag} is for --group {group}, which is not asked for. Leave it out.")
    row_file.check_place(out, overwrite=overwrite)
    rows = confounded(config, groups or None, words=words or None, **sets)
    written = row_file.write(out, rows.data.table.to_batches(), overwrite=overwrite)
    say(rows.info.description)
    say(f"wrote {written:,} rows to {out}")
