"""``eec measure``: scores that were made elsewhere, in any language."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli.command import command, typed_again
from eec_datasets.cli.fail_on import OPTION as fail_on_option
from eec_datasets.cli.fail_on import FailOn, check_items, judge
from eec_datasets.cli.given import GIVEN_FILE, GIVEN_NAME
from eec_datasets.cli.metric_options import Procedure, procedure
from eec_datasets.cli.options import (
    FOLDER,
    NO_RANGE_OPTION,
    OVERWRITE,
    VERBOSE,
    as_one_argument,
    no_score_range,
    option,
    repeated,
    report_language,
    score_range,
    switch,
)
from eec_datasets.cli.output import bar, echo_json, say, say_page
from eec_datasets.standard_input import as_typed, name_of, stem_of
from eec_datasets.systems.base import NO_RANGE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from eec_bias import Measurement, Result
    from eec_bias.measurement import Origin
    from eec_datasets.audit.tables.engines import Engine
    from eec_datasets.audit.tables.files import Files, TableOptions
    from eec_datasets.audit.tables.scores import TableScores
    from eec_datasets.systems.base import Range
    from eec_datasets.systems.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Inputs:
    """The scores and texts of a run of ``eec measure``, and where they are."""

    scores: Path | None
    more: tuple[Path, ...]
    leave_out: bool
    against: Path | None
    config: str | None
    data: str | None
    score: tuple[str, ...]
    text: str | None
    score_range: Range | None
    no_score_range: bool
    engine: Engine | None
    spark_master: str | None
    tokenizer: str | None

    def __post_init__(self) -> None:
        if self.logs:
            self._check_logs()
            return
        if self.more:
            raise click.UsageError(f"{self.more[0]}: several files are taken where all of them are logs of a harness.")
        if self.leave_out:
            raise click.UsageError("--leave-out-unanswered is for logs of a harness; in a table every row has a score.")
        if self.scores is None and self.data is None:
            raise click.UsageError("Missing argument 'SCORES': a table of scores, or logs of a harness.")
        if (self.config or self.against) and self.scores is None:
            needing = "--config" if self.config else "--against"
            raise click.UsageError(f"Missing argument 'SCORES': with {needing}, the file of scores.")
        if self.spark_master and self.engine != "spark":
            raise click.UsageError("--spark-master is for --data with --engine spark.")

    @property
    def table(self) -> str:
        """The table of scores."""
        return str(self.scores or self.data)

    @property
    def rows(self) -> str | None:
        """The table of the rows that were scored, if that is another one."""
        return self.data if self.scores is not None else None

    @property
    def files(self) -> list[Path]:
        """The files that are read."""
        given = (self.scores, *self.more, self.against, Path(self.data) if self.data else None)
        return [file for file in given if file is not None]

    @property
    def logs(self) -> list[Path]:
        """The files, where all of them are logs of a harness; else none."""
        from eec_datasets.audit.tables.logs import is_log

        files = [file for file in (self.scores, *self.more) if file is not None]
        return files if files and self.data is None and all(map(is_log, files)) else []

    def _check_logs(self) -> None:
        given = {
            "--against": self.against,
            "--score": self.score,
            "--score-range": self.score_range,
            NO_RANGE_OPTION: self.no_score_range,
            "--engine": self.engine,
        }
        for name, value in given.items():
            if value:
                raise click.UsageError(f"{name} is for tables of scores, and {self.scores} is a log of a harness.")

    def table_options(self, procedure: Procedure) -> TableOptions:
        """Return what is said of the table."""
        from eec_datasets.audit.tables.files import TableOptions

        facets = {name: value for name, value in procedure.items() if name in ("systems", "tasks", "runs")}
        several = (value if isinstance(value, list | tuple | dict) else [value] for value in procedure.values())
        named = tuple(itertools.chain.from_iterable(several))
        classes = procedure.get("outputs") == "class"
        given = procedure.get("classes")
        worth = given if isinstance(given, dict) and procedure.get("outputs") in (None, "score") else {}
        limits = NO_RANGE if self.no_score_range else self.score_range
        label = procedure.get("positive_class")
        return TableOptions(self.score, classes, limits, facets, named, worth, label, self.text or "")


INPUTS = as_one_argument(
    "inputs",
    Inputs,
    click.argument("scores", type=GIVEN_FILE, required=False),
    click.argument("more", type=GIVEN_FILE, nargs=-1, metavar="[LOG]..."),
    switch("--leave-out-unanswered", "In logs: leave out items with a missing score.", name="leave_out",
           heading="What the scores are"),
    option("--against", "SCORES", type=GIVEN_FILE,
           text="Scores of another system on the same sentences, to test how its gaps differ."),
    option("--config", "NAME", "Corpus of the sentences (see eec configs).  [default: the first with all sentences]"),
    option("--data", "TABLE", "Table with sentences and labels, if SCORES has only ids or texts.",
           type=GIVEN_NAME),
    repeated("--score", "score", "COLUMN",
             "Column of scores, one per system; may be repeated.  [default: score, else all columns of numbers]"),
    option("--text", "COLUMN", "Column of sentences.  [default: text, sentence, tweet or prompt]",
           heading="Reading tables"),
    score_range("Lowest and highest possible score."),
    no_score_range(),
    option("--engine", None, "Program that reads a --data table.  [default: memory; for big tables, duckdb]",
           choices=("memory", "duckdb", "spark"), heading="Reading tables"),
    option("--spark-master", "URL", "Where Spark runs, e.g. spark://HOST:7077.  [default: here]",
           heading="Reading tables"),
    option("--tokenizer", "FILE|MODEL", "Count names with the same first token in this tokenizer as related.",
           heading="Statistics"),
)  # fmt: skip


OUTPUT: Final = "What is printed and written"
"""Heading of options."""

NOT_COMPARED: Final = ("--engine", "--method", "--systems", "--task")
NEEDS: Final = {
    "--report-language": "--out",
    "--overwrite": "--out",
}


@command(
    apart=[
        ("--reference", "--no-reference"),
        ("--score-range", NO_RANGE_OPTION),
        *(("--against", other) for other in NOT_COMPARED),
    ],
    needs={**NEEDS, "--engine": "--data", "--tokenizer": "--config"},
)
@INPUTS
@procedure()
@option(
    "--format",
    None,
    "What is printed.",
    name="form",
    choices=("text", "csv", "json"),
    default="text",
    heading=OUTPUT,
    numbers=False,
)
@option(
    "--out",
    "FOLDER",
    "Write the report, all numbers, LaTeX tables and figures to this folder.",
    type=FOLDER,
    numbers=False,
)
@report_language("Language of the report in --out.", heading=OUTPUT)
@fail_on_option
@VERBOSE
@OVERWRITE
def measure(
    inputs: Inputs,
    procedure: Procedure,
    form: str,
    out: Path | None,
    language: str,
    fail_on: FailOn | None,
    overwrite: bool,
    verbose: bool,
) -> None:
    """Measure SCORES that you already have: a table, or the logs of an evaluation harness.

    A table has one row for each sentence, with its text or our id, and one column of scores for each system. It may
    also have one row for each system and sentence. The formats are CSV (commas, semicolons, tabs, vertical bars),
    Parquet, JSON, JSON lines, Excel, Stata and SPSS. Excel and SPSS need pip install 'eec-datasets[tables]'. - is
    standard input. A score is a number, or the output of a pipeline of transformers for a sentence (see
    --positive-class). An empty cell and a missing row both mean that the sentence has no score (see --incomplete).

    If one of our corpora contains all ids or texts, the labels come from that corpus. The published file of 2018 also
    works, if you add a column of scores. For other sentences, your own columns name the groups, the person and the
    template. The command prints how it read the table. eec sentences writes a table that you can fill in.

    With --data you give a second table, which has the sentences and their labels. eec perturb writes such a table.
    SCORES then needs only the ids or texts of the sentences. The second table may be a file, a folder of Parquet files
    or a quoted pattern such as 'rows-*.parquet'. DuckDB or Spark reads tables of more than two million rows in batches:
    pip install 'eec-datasets[scale]'.

    Logs come from Inspect (.eval, .json) or lm-eval (samples_eec-….jsonl), run with a task that eec task writes or with
    `inspect eval hf/ORG/NAME`. Give all logs of one model on one corpus. Each prompt counts as one run. If some answers
    contain no score, the report also compares how often each group gets no score.

    With --against you give a second table, such as the scores before a change. The command subtracts the gaps of the
    second table from the gaps of SCORES, and tests the difference.

    --out writes report.html, report.md, result.json, terms.csv, tables.tex and figures (SVG, PNG) to a folder. If you
    run the same command again, it replaces this folder.

    --fail-on found ends with exit code 4 if the test finds any gap. --fail-on above:5 ends with 4 unless the test shows
    for each axis (gender, race …) that the gap is at most 5 points, on average and in every emotion. We judge gender by
    first names, or by words such as she and he if a list has no names. If a gap cannot be estimated, the exit code is
    4. It is also 4 if a system reacts to almost no word for a feeling.

    \b
    Examples:
      eec sentences es-anglo-latino --out scores.xlsx
      … score the column text with any tool, fill in the column score …
      eec measure scores.xlsx --config es-anglo-latino --out results
      eec measure prompts.csv --config es-anglo-latino --run p1 --run p2 --run p3 --run p4
      eec measure after.csv --against before.csv --config es-anglo-latino --fail-on found
      eec measure long.dta --config es-anglo-latino --systems model --by emotion --margin 2
      eec measure stars.csv --config en-black-white --score-range 1 5 --format json
      eec measure sets.csv --method rating --score-range -1 1
      eec measure scores.csv --data rows.parquet --method perturbation --group gender --threshold 0.5 --bootstrap 1000
      eec measure logs/*.eval --config es-sample
      eec measure --data 'scored/*.parquet' --score toxicity --engine spark --spark-master spark://host:7077
    """
    if fail_on and procedure["method"] != "default":
        raise click.UsageError(
            f"--fail-on is for the default test, and {procedure['method']} repeats a published one. Leave one of the "
            "two out."
        )
    if out is not None:
        _check_out(out, inputs.files, language, overwrite)
    with bar("reading and measuring", 1, bar_format="{desc} …"):
        if inputs.logs:
            inputs, measurement = _measure_logs(inputs, procedure)
        else:
            measurement = _measure(inputs, procedure)
    check_items(fail_on, measurement.result)
    measurement = _with_origin(inputs, measurement)
    if form == "text":
        _say_result(measurement, verbose=verbose, path=str(out / "report.html") if out else "")
    elif form == "json":
        echo_json(measurement.to_dict())
    else:
        from eec_datasets.audit.saving import to_csv

        say(to_csv(list(measurement.result.terms)), nl=False)
    if out is not None:
        _write(out, measurement, language, overwrite)
    click.get_current_context().exit(judge(fail_on, [measurement], err=form != "text"))


def _with_origin(inputs: Inputs, measurement: Measurement) -> Measurement:
    """Return a measurement with its system, language, command and day."""
    from eec_bias.measurement import sentences_of
    from eec_datasets import corpora

    config = corpora.look_up(inputs.config or measurement.result.facts.data.name)
    name = "" if inputs.against else stem_of(inputs.table)
    named = any(row.system for row in measurement.result.terms)
    date = datetime.now(UTC).date().isoformat()
    read = measurement.source.sentences or sentences_of(measurement.result)
    return replace(
        measurement,
        language=config.language if config else "",
        system=measurement.system or ("" if named else name),
        source=replace(measurement.source, command=typed_again(), date=date, sentences=read),
    )


def _say_result(measurement: Measurement, *, verbose: bool, path: str) -> None:
    """Print what was found, or all of it; a published procedure has its tables only."""
    from eec_bias import report
    from eec_datasets.audit import pages
    from eec_datasets.report import terminal

    result = measurement.result
    if verbose or result.method != "default":
        say(report(result, emotions=True))
        return
    say_page(terminal.render(pages.page_of([measurement]), path=path))
    if not path:
        say("Every row: -v. A page with all of it: --out FOLDER.")


def _check_out(out: Path, inputs: Sequence[Path], language: str, overwrite: bool) -> None:
    """Refuse, before anything is measured, a folder or a report that cannot be written."""
    from eec_bias.shared import check_folder
    from eec_datasets.audit.report.figures import check_library
    from eec_datasets.report.words import words_of

    check_library()
    words_of(language)
    check_folder(out, "measure", overwrite=overwrite, inputs=inputs)


def _write(out: Path, measurement: Measurement, language: str, overwrite: bool) -> None:
    from eec_bias.shared import write_folder
    from eec_datasets.audit.report.folder import contents

    files = contents(measurement, language)
    write_folder(out, files, "measure", overwrite=overwrite)
    say(f"Written to {out}: {', '.join(name for name in files if '/' not in name)}, figures", err=True)


def _measure(inputs: Inputs, procedure: Procedure) -> Measurement:
    """Read the scores beside the rows they are of, and measure them, or how far they differ from others."""
    from eec_bias.measurement import Measurement, Origin
    from eec_bias.shared import DataName
    from eec_datasets.audit import running
    from eec_datasets.audit.comparing import compare, on_same_rows
    from eec_datasets.audit.tables.engines import pick_engine
    from eec_datasets.audit.tables.entrance import read_table
    from eec_datasets.audit.tables.files import find_files

    said, method = inputs.table_options(procedure), procedure["method"]
    options = {name: value for name, value in procedure.items() if name != "method"}
    if inputs.tokenizer and method != "default":
        raise click.UsageError(f"--tokenizer is for the default test, and {method} takes no families. Leave it out.")
    tables = [find_files(path, said) for path in (inputs.rows, inputs.table) if path]
    place = tables[-1].source
    if inputs.config is None:
        engine = pick_engine(inputs.engine, tables, _needing_memory(inputs, procedure))
        if engine != "memory":
            result = _in_engine(engine, inputs.spark_master, tables, options)
            return Measurement("scores", result.facts.data.name, "", "", result)
    if method == "rating" and len(tables) == 1 and inputs.config is None:
        scores = read_table(tables[0])
    else:
        scores = _read(inputs, tables[-1], tables[:-1], procedure, inputs.config)
    corpus = scores.corpus
    name = corpus.label if corpus is not None else DataName(name_of(tables[0].source))
    scores = replace(scores, rows=name.onto(scores.rows))
    say_notes(place, scores.notes)
    if inputs.against is not None:
        config = corpus.name if corpus is not None else None
        other = _read(inputs, find_files(str(inputs.against), said), tables[:-1], procedure, config)
        say_notes(inputs.against, other.notes)
        scores, before = on_same_rows(scores, other)
        result = compare((as_typed(place), as_typed(str(inputs.against))), scores, before, **options)
        both = [
            running.call_metric(place, method, each.measured, scores.rows, **_alone(options, each))
            for each in (before, scores)
        ]
        first, second = (Measurement("scores", name.name, "", "", each) for each in both)
        source = Origin(versions=(first, second))
    else:
        options |= {"score_range": scores.score_range, **scores.options}
        result = running.call_metric(place, method, scores.measured, scores.rows, **options)
        source = _origin(corpus, scores, result) if corpus is not None else Origin()
    notes = running.notes_of_families(corpus) if corpus is not None else ()
    return Measurement("scores", name.name, "", "", replace(result, notes=(*result.notes, *notes)), source)


def _read(inputs: Inputs, table: Files, rows: Sequence[Files], procedure: Procedure, config: str | None) -> TableScores:
    """Read a table of scores with the labels of its rows."""
    from eec_datasets.audit.tables.entrance import read_given

    axes = procedure.get("axes") or ()
    return read_given(table, config=config, data=next(iter(rows), None), axes=axes, cluster=_clusters(inputs))


def _clusters(inputs: Inputs) -> Callable[[Corpus], Corpus] | None:
    """Return what takes names with the same first token as one family, if that was asked for."""
    from eec_datasets.names.tokens import first_token_of
    from eec_datasets.systems.corpus import clustered_by

    if not inputs.tokenizer:
        return None
    tokenizer = inputs.tokenizer
    return lambda corpus: clustered_by(corpus, first_token_of(tokenizer), tokenizer)


def _alone(options: Mapping[str, Any], scores: TableScores) -> dict[str, Any]:
    """Return the options by which one of two versions is measured alone."""
    shared = {name: value for name, value in options.items() if name not in ("names", "rate_above")}
    return shared | {"score_range": scores.score_range, **scores.options}


def _origin(corpus: Corpus, scores: TableScores, result: Result) -> Origin:
    """Return pairs of sentences and means of emotions, if the scores are of one system and of every sentence."""
    import numpy as np

    from eec_bias.measurement import Origin
    from eec_datasets.audit.running import origin_of_scores

    outputs = any(row.output for row in result.terms)
    if outputs or len(scores.scores) != 1 or scores.options:
        return Origin()
    measured = np.asarray(scores.measured)
    if measured.shape != (len(corpus.ids),) or not np.issubdtype(measured.dtype, np.number):
        return Origin()
    return Origin(**origin_of_scores(corpus, measured.astype(float).tolist(), result))


def _needing_memory(inputs: Inputs, procedure: Procedure) -> str:
    """Say what was asked for that an engine cannot do, as it needs the whole table in memory; empty for nothing."""
    if inputs.against:
        return "against"
    if procedure["method"] != "default":
        return f"method {procedure['method']}"
    if procedure.get("outputs") not in (None, "score", "ordinal"):
        return f"outputs {procedure['outputs']}"
    for name in ("systems", "tasks", "runs"):
        if isinstance(procedure.get(name), str):
            return f"{name} {procedure[name]}"
    return ""


def _measure_logs(inputs: Inputs, procedure: Procedure) -> tuple[Inputs, Measurement]:
    """Measure logs of a harness; the corpus follows from them."""
    from eec_bias.reading import counted
    from eec_datasets.audit.answered import measure_logs
    from eec_datasets.cli.audit_output import say_examples

    if procedure["method"] != "default":
        raise click.UsageError("--method is for tables of scores; logs are measured by the default test.")
    options = {name: value for name, value in procedure.items() if name != "method"}
    measured = measure_logs(inputs.logs, inputs.config, leave_out=inputs.leave_out, measuring=options)
    say_notes(measured.model, [f"{counted(len(inputs.logs), 'log')} on {measured.corpus.label}", *measured.notes])
    for task, share in measured.accuracy.items():
        say(f"{task}: accuracy {share:.4f} on {len(measured.corpus.ids)} sentences", err=True)
    for state, number in measured.audit.scored.states.items():
        answers = counted(number, "answer holds", "answers hold")
        examples = say_examples(state, measured.audit.scored.examples[state])
        say(f"{measured.model}: {answers} no score: {state}{examples}", err=True)
    if measured.audit.refusal:
        say(f"{measured.model}: {measured.audit.refusal}", err=True)
    return replace(inputs, config=measured.corpus.name), measured.measurement


def _in_engine(engine: Engine, master: str | None, tables: Sequence[Files], options: dict[str, Any]) -> Result:
    from eec_bias.shared import DataName
    from eec_datasets.audit import running
    from eec_datasets.audit.tables.engines import open_engine, open_frame

    place = tables[0].source
    with open_engine(engine, master) as reader:
        frame, systems, notes = open_frame(reader, *tables)
        columns = systems[0] if len(systems) == 1 else systems
        result = running.call_metric(place, "default", columns, frame, **{**options, "score_range": tables[0].limits})
    say_notes(place, notes)
    return replace(result, facts=replace(result.facts, data=DataName(name_of(place))))


def say_notes(path: Path | str, notes: Sequence[str]) -> None:
    """Say what was guessed of a table."""
    for note in notes:
        say(f"{as_typed(str(path))}: {note}", err=True)
