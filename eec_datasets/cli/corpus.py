"""``eec corpus lint | import``: anyone's EEC-like file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from eec_datasets.imported.reading import ForeignCorpus


def _layout(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a file is laid out."""
    options = (
        click.argument("file", metavar="CORPUS.csv", type=click.Path(dir_okay=False, path_type=Path)),
        click.option(
            "--preset",
            metavar="NAME",
            help="Layout of a published file: kiritchenko2018, camara2022-en (of all three English files), "
            "camara2022-es, camara2022-ar.",
        ),
        click.option(
            "--column",
            "columns",
            multiple=True,
            metavar="FIELD=HEADER",
            help="Which column holds what; may be repeated. Fields: id, sentence, template, person, gender, race, "
            "emotion, word, english. Needed: sentence, person, gender.",
        ),
        click.option("--language", metavar="TAG", help="Our locale to compare with [default: the preset's, or none]."),
        click.option(
            "--template",
            "templates",
            multiple=True,
            metavar="tNN=TEXT",
            help="Which of our templates a text of the file stands for, where its words do not say it.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group(short_help="Check or read somebody else's corpus of sentences.")
def corpus() -> None:
    """Check or read anyone's EEC-like file: a CSV with one sentence per row and labels of person and group.

    The published files are not part of this project; download them yourself. confound makes sets of our own, in which
    groups and emotion words are associated.
    """


@corpus.command(short_help="Defects per group, and the share of uneven pairs.")
@_layout
@click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")
@click.option("--html", "page", type=click.Path(dir_okay=False, path_type=Path), help="Also write a page to this file.")
@click.pass_context
def lint(
    ctx: click.Context,
    file: Path,
    preset: str | None,
    columns: tuple[str, ...],
    language: str | None,
    templates: tuple[str, ...],
    as_json: bool,
    page: Path | None,
) -> None:
    """Check CORPUS.csv: text defects, duplicates, missing sentences, agreement, each counted by group.

    A defect that falls on one group more than on another is read as bias by any measure of bias; the share of
    uneven pairs says how often. Exit code 1 where a defect was found.

    \b
    Examples:
      eec corpus lint Equity-Evaluation-Corpus.csv --preset kiritchenko2018
      eec corpus lint mine.csv --column sentence=Text --column gender=Sex --language en --html report.html
    """
    import json

    from eec_datasets.imported.linting import lint as check
    from eec_datasets.imported.report import as_html, as_text

    report = check(_read(file, preset, columns, language, templates))
    if page is not None:
        try:
            page.write_text(as_html(report), encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"cannot write {page}: {error.strerror}. Choose another --html") from error
    if as_json:
        click.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=1))
    else:
        click.echo(as_text(report))
    ctx.exit(0 if report.ok else 1)


@corpus.command("import", short_help="Read a file into our row schema.")
@_layout
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE.parquet|DIR",
    help="A parquet file, or a folder for load_dataset.",
)
@click.option("--allow-unmapped", is_flag=True, help="Leave out rows that have no place in our schema, and list them.")
def import_(
    file: Path,
    preset: str | None,
    columns: tuple[str, ...],
    language: str | None,
    templates: tuple[str, ...],
    out: Path,
    allow_unmapped: bool,
) -> None:
    """Read CORPUS.csv into our row schema, its sentences unchanged, so that its numbers can be computed again.

    The ids are those of our own corpus of these names: scores of the file's sentences can be measured with
    eec measure, or with eec_bias.measure on the rows that are written.

    \b
    Examples:
      eec corpus import Equity-Evaluation-Corpus.csv --preset kiritchenko2018 --out eec2018.parquet
      eec corpus import es.csv --preset camara2022-es --out published --allow-unmapped
    """
    from eec_datasets.imported.importing import import_corpus, write

    imported = import_corpus(_read(file, preset, columns, language, templates), allow_unmapped=allow_unmapped)
    paths = write(imported, out, file.name)
    for text, (name, how) in imported.templates.items():
        click.echo(f"{name}  {text}  ({how})")
    click.echo(f"{len(imported.columns['id']):,} rows in our schema, {len(imported.unmapped):,} left out")
    for path in paths:
        click.echo(f"wrote {path}")


@corpus.command(short_help="Sets in which groups and emotion words are associated.")
@click.argument("config")
@click.option(
    "--group",
    "groups",
    multiple=True,
    type=click.IntRange(1, 4),
    metavar="1|2|3|4",
    help="Data group; default all four.",
)
@click.option(
    "--case", type=click.IntRange(0, 6), default=1, show_default=True, metavar="0-6", help="Case k of group 2."
)
@click.option("--words", multiple=True, metavar="E1..E5", help="Set of words; default all of the group.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which persons are drawn.")
@click.option(
    "--persons", type=click.IntRange(min=1), default=1, show_default=True, help="Names per race and gender in group 3."
)
@click.option("--neutral", metavar="LABEL", help="Neutral reference, such as neutral-elle; none leaves it out.")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.parquet|FILE.csv",
    help="Where the rows go.",
)
@click.option("--overwrite", is_flag=True, help="Replace FILE if it is there.")
def confound(
    config: str,
    groups: tuple[int, ...],
    case: int,
    words: tuple[str, ...],
    seed: int,
    persons: int,
    neutral: str | None,
    out: Path,
    overwrite: bool,
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
    from eec_datasets.design import confounded
    from eec_datasets.design.writing import check, write

    check(out, overwrite=overwrite)
    rows = confounded(config, groups or None, case, words or None, seed=seed, persons=persons, neutral=neutral)
    path = write(rows, out, overwrite=overwrite)
    click.echo(rows.info.description)
    click.echo(f"wrote {len(rows):,} rows to {path}")


def _read(
    file: Path, preset: str | None, columns: tuple[str, ...], language: str | None, templates: tuple[str, ...]
) -> ForeignCorpus:
    from dataclasses import replace

    from eec_datasets.imported.known import check_template_names
    from eec_datasets.imported.presets import preset_of
    from eec_datasets.imported.reading import read_corpus

    layout = preset_of(preset).with_columns(_pairs("--column", columns, "FIELD=HEADER"))
    if language:
        layout = replace(layout, language=language, config=layout.config if language == layout.language else "")
    chosen = _pairs("--template", templates, "tNN=TEXT")
    check_template_names(layout, chosen)
    return read_corpus(file, layout.with_templates(chosen))


def _pairs(option: str, texts: tuple[str, ...], shape: str) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    for text, (left, mark, right) in zip(texts, pairs, strict=True):
        if not (left and mark and right):
            raise click.UsageError(f"{option} {text}: expected {shape}.")
    return {left: right for left, _, right in pairs}
