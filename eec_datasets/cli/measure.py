"""``eec measure``: scores that were made elsewhere, in any language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import click

from eec_datasets.cli.options import check_range


@click.command(short_help="Measure scores that were made elsewhere.")
@click.argument("scores", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--config", "name", required=True, metavar="NAME", help="Corpus that was scored; see eec configs.")
@click.option(
    "--score-range",
    type=float,
    nargs=2,
    callback=check_range,
    metavar="LO HI",
    help="Lowest and highest possible score.  [default: 0 1]",
)
@click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="AXIS=LEVEL",
    help="What an axis is compared with; may be repeated.  [default: gender=male, race=white or Anglo]",
)
@click.option("--no-reference", is_flag=True, help="Report each group's deviation from the mean of all.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "json"]),
    default="text",
    show_default=True,
    help="What is printed.",
)
def measure(
    scores: Path,
    name: str,
    score_range: tuple[float, float] | None,
    references: tuple[str, ...],
    no_reference: bool,
    form: Literal["text", "csv", "json"],
) -> None:
    """Measure SCORES, a CSV file with the columns id,score (or id and one column per system).

    The ids are those of the corpus, in any order, each once. Further columns named like those of the corpus
    (text, race, …) are compared with it, so that scores of other sentences are noticed.

    \b
    Examples:
      python -c 'import eec_datasets as e; e.load("es-anglo-latino").to_csv("rows.csv")'
      … score the column text of rows.csv with any tool, write id,score to scores.csv …
      eec measure scores.csv --config es-anglo-latino
      eec measure stars.csv --config en-black-white --score-range 1 5 --format json
    """
    from eec_datasets.audit import running, writing
    from eec_datasets.audit.corpus import open_corpus
    from eec_datasets.audit.reading import read_scores

    chosen = _reference(references, no_reference)
    corpus = open_corpus(name)
    found = read_scores(scores, corpus.columns, score_range, corpus.data)
    one = next(iter(found.scores.values())) if len(found.scores) == 1 else found.scores
    result = running.measure(str(scores), corpus, one, found.score_range, **chosen)
    if form == "text":
        click.echo(str(result))
    elif form == "json":
        click.echo(json.dumps(result.to_dict(), ensure_ascii=False, indent=1, allow_nan=False))
    else:
        click.echo(writing.to_csv(list(result.terms)), nl=False)


def _reference(references: tuple[str, ...], none: bool) -> dict[str, dict[str, str] | None]:
    """Return the keyword for the metric: nothing where the defaults hold."""
    if none and references:
        raise click.UsageError("--reference and --no-reference exclude each other.")
    if none:
        return {"reference": None}
    pairs = [text.partition("=") for text in references]
    for axis, mark, level in pairs:
        if not (axis and mark and level):
            raise click.UsageError(f"--reference {axis}{mark}{level}: expected AXIS=LEVEL, for example gender=male.")
    return {"reference": {axis: level for axis, _, level in pairs}} if pairs else {}
