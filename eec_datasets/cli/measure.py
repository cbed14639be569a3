"""``eec measure``: scores that were made elsewhere, in any language."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from eec_datasets.cli import gate
from eec_datasets.cli.options import score_range as score_range_option
from eec_datasets.cli.speaking import known_options, options_named, spoken

if TYPE_CHECKING:
    from eec_bias import Result
    from eec_datasets.audit.engines import Engine

Form = Literal["text", "csv", "json"]


@click.command(short_help="Measure scores that were made elsewhere.")
@click.argument("scores", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--config", "name", metavar="NAME", help="Corpus that was scored; see eec configs.")
@click.option("--data", metavar="TABLE", help="Rows that were scored, in a table of your own; see below.")
@click.option(
    "--score",
    "columns",
    multiple=True,
    metavar="COLUMN",
    help="Column of scores; may be repeated, one per system.  [default: score, or all of SCORES]",
)
@score_range_option("Lowest and highest possible score.")
@click.option("--axis", "axes", multiple=True, metavar="COLUMN", help="Column of groups; may be repeated.")
@click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="AXIS=LEVEL",
    help="What an axis is compared with; may be repeated.  [default: gender=male, race=white or Anglo]",
)
@click.option("--no-reference", is_flag=True, help="Report each group's deviation from the mean of all.")
@click.option("--method", metavar="METHOD", help="Procedure, such as perturbation or kiritchenko2018.")
@click.option(
    "--group", "groups", multiple=True, metavar="COLUMN", help="Groups the names, for perturbation; may be repeated."
)
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    type=float,
    metavar="C",
    help="Of LabelDist, for perturbation; may be repeated.  [default: nine, a tenth of the range apart]",
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="PERSON",
    help="Whose sentences are the originals, for perturbation; may be repeated.  [default: original, else pronouns]",
)
@click.option(
    "--bootstrap",
    type=int,
    metavar="N",
    help="Intervals from N resamples: of sentences for perturbation, else of persons.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Of the resamples.  [default: 0]")
@click.option(
    "--incomplete",
    type=click.Choice(["refuse", "shared"]),
    help="Where persons lack sentences: refuse, or keep the sentences all persons share.  [default: refuse]",
)
@click.option(
    "--engine",
    type=click.Choice(["memory", "duckdb", "spark"]),
    help="What sums up a --data table.  [default: memory; duckdb for big tables]",
)
@click.option("--spark-master", metavar="URL", help="Where Spark runs, e.g. spark://HOST:7077.  [default: here]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "json"]),
    default="text",
    show_default=True,
    help="What is printed.",
)
@gate.options
def measure(
    scores: Path | None,
    name: str | None,
    data: str | None,
    columns: tuple[str, ...],
    score_range: tuple[float, float] | None,
    axes: tuple[str, ...],
    references: tuple[str, ...],
    no_reference: bool,
    method: str | None,
    groups: tuple[str, ...],
    thresholds: tuple[float, ...],
    baselines: tuple[str, ...],
    bootstrap: int | None,
    seed: int | None,
    incomplete: str | None,
    engine: Engine | None,
    spark_master: str | None,
    form: Form,
    fail_if: tuple[str, ...],
    junit: Path | None,
) -> None:
    """Measure SCORES, a CSV file with the columns id,score (or id and one column per system).

    The ids are those of the corpus named with --config, in any order, each once. Further columns named like those
    of the corpus (text, race, …) are compared with it, so that scores of other sentences are noticed.

    With --data the sentences are rows of your own, such as eec perturb writes: a .parquet or .csv file, a folder
    of parquet files, or a quoted pattern. SCORES (CSV or parquet) then holds the ids of these rows; or leave
    SCORES out, and the table holds the scores too. Tables of more than two million rows are summed up by
    DuckDB, which needs no memory for them, or by Spark: pip install 'eec-datasets[scale]'.

    With --fail-if the command ends with exit code 4 where a condition holds: TERM[.SUBSET][[LEVEL]].FIELD, or
    abs(of that), then outside ±X, outside [LOW, HIGH], > X, >= X, < X or <= X. FIELD is ci, effect, p_adjusted,
    mde or another column. 'race.ci outside ±0.02' fails where any part of the 95 % interval lies outside, so
    also where the sample is too small to exclude such a difference. A number that does not exist does not pass.

    \b
    Examples:
      python -c 'import eec_datasets as e; e.load("es-anglo-latino").to_csv("rows.csv")'
      … score the column text of rows.csv with any tool, write id,score to scores.csv …
      eec measure scores.csv --config es-anglo-latino
      eec measure stars.csv --config en-black-white --score-range 1 5 --format json
      eec measure scores.csv --data rows.parquet --method perturbation --group gender --threshold 0.5 --bootstrap 1000
      eec measure --data 'scored/*.parquet' --score toxicity --engine spark --spark-master spark://host:7077
    """
    if (name is None) == (data is None):
        raise click.UsageError(
            "Say what was scored: a corpus with --config NAME, or a table of rows with --data TABLE."
        )
    asked = gate.read(fail_if, junit)
    options: dict[str, Any] = _reference(references, no_reference)
    own = {"--group": groups, "--threshold": thresholds, "--baseline": baselines}
    _refuse_foreign_to(method, own)
    given = {
        "axes": axes, "method": method, "group": groups, "thresholds": thresholds, "baseline": baselines,
        "bootstrap": bootstrap, "seed": seed, "incomplete": incomplete,
    }  # fmt: skip
    options |= {key: value for key, value in given.items() if value}
    if name is not None:
        _refuse_foreign({"--engine": engine, "--spark-master": spark_master, "--score": columns}, scores)
        assert scores is not None
        with options_named():
            result = _of_config(scores, name, score_range, options)
    else:
        assert data is not None
        if spark_master and engine != "spark":
            raise click.UsageError("--spark-master is for --engine spark.")
        with options_named():
            result = _of_table(data, scores, columns, score_range or (0.0, 1.0), engine, spark_master, options)
    gate.check(asked, result.terms)
    _show(result, form)
    gate.judge(asked, [(name or str(data), result)], err=form != "text")


def _refuse_foreign_to(method: str | None, given: dict[str, Any]) -> None:
    """Refuse what is only for perturbation."""
    for option, value in given.items():
        if value and method != "perturbation":
            raise click.UsageError(f"{option} is for --method perturbation.")


def _refuse_foreign(given: dict[str, Any], scores: Path | None) -> None:
    """Refuse what is only for --data."""
    for option, value in given.items():
        if value:
            raise click.UsageError(f"{option} is for --data; with --config leave it out.")
    if scores is None:
        raise click.UsageError("Missing argument 'SCORES': with --config, the file of scores.")


def _of_config(scores: Path, name: str, score_range: tuple[float, float] | None, options: dict[str, Any]) -> Result:
    from eec_datasets.audit import running
    from eec_datasets.systems.corpus import open_corpus
    from eec_datasets.audit.score_tables import read_scores

    corpus = open_corpus(name)
    found = read_scores(scores, corpus.columns, score_range, corpus.data)
    one = next(iter(found.scores.values())) if len(found.scores) == 1 else found.scores
    return running.measure(str(scores), corpus, one, found.score_range, **options)


def _of_table(
    data: str,
    scores: Path | None,
    columns: tuple[str, ...],
    score_range: tuple[float, float],
    engine: Engine | None,
    master: str | None,
    options: dict[str, Any],
) -> Result:
    from eec_datasets.audit.big_tables import pick_engine
    from eec_datasets.errors import AuditError
    from eec_datasets.audit.table_files import find_files

    rows, given = find_files(data), find_files(str(scores)) if scores else None
    engine = pick_engine(engine, rows, given, options.get("method", "default"))
    options |= {"score_range": score_range, "data_name": rows.name}
    import eec_bias

    try:
        if engine == "memory":
            return _in_memory(rows, given, columns, options)
        return _in_engine(engine, master, rows, given, columns, options)
    except eec_bias.BiasError as error:
        raise AuditError(f"{data}: {error}") from error


def _in_memory(rows: Any, given: Any, columns: tuple[str, ...], options: dict[str, Any]) -> Result:
    import eec_bias
    from eec_datasets.audit.big_tables import choose_scores, read_memory

    labels = rows.columns if given else ()
    source = given or rows
    systems = choose_scores(columns, source.columns, labels, source.given)
    table = read_memory(rows, given, systems)
    values = {name: table[name].to_numpy() for name in systems}
    return eec_bias.measure(
        next(iter(values.values())) if len(values) == 1 else values, table.drop_columns(systems), **options
    )


def _in_engine(
    engine: Engine, master: str | None, rows: Any, given: Any, columns: tuple[str, ...], options: dict[str, Any]
) -> Result:
    from tqdm import tqdm

    import eec_bias
    from eec_datasets.audit.big_tables import open_frame
    from eec_datasets.audit.engines import opened

    # disable=None: no bar where stderr is no terminal.
    with tqdm(total=1, disable=None, leave=False, bar_format="{desc} {bar} {elapsed}") as bar:
        bar.set_description(f"{rows.given}: starting {engine}")
        with opened(engine, master) as reader:
            frame, systems = open_frame(reader, rows, given, columns)
            scores = systems[0] if len(systems) == 1 else systems
            return eec_bias.measure_frame(frame, scores, progress=_progress(bar, rows.given), **options)


def _progress(bar: Any, table: str) -> Callable[[int, int, str], None]:
    def tell(done: int, total: int, what: str) -> None:
        bar.total, bar.n = total, done
        bar.set_description(f"{table}: {what}")

    return tell


def _show(result: Result, form: Form) -> None:
    from eec_datasets.audit import saving as writing

    if form == "text":
        click.echo(spoken(str(result), known_options()))
    elif form == "json":
        click.echo(json.dumps(result.to_dict(), ensure_ascii=False, indent=1, allow_nan=False))
    else:
        click.echo(writing.to_csv(list(result.terms)), nl=False)


def _reference(references: tuple[str, ...], none: bool) -> dict[str, Any]:
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
