"""``eec written``: what a system wrote about groups, scored by other systems."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from eec_datasets.cli import costs
from eec_datasets.cli.command import command
from eec_datasets.cli.given import GIVEN_FILE
from eec_datasets.cli.options import APART, Scoring, option, refuse_unused, repeated, scoring
from eec_datasets.cli.output import progress, say
from eec_datasets.errors import AuditError, BadScores
from eec_datasets.files import check, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from eec_bias.reading import Written
    from eec_datasets.systems.corpus import Corpus
    from eec_datasets.systems.scoring import CorpusScores

FILES: Final = ("written.txt", "written.json", "answers.csv")

SHOWN: Final = 60
"""Characters of a reply in a note."""


@command(apart=APART)
@click.argument("answers", type=GIVEN_FILE)
@option("--config", "NAME", "Corpus whose sentences were put to the system; see eec configs.", required=True)
@option("--items", "NAME", "Items of it that were, such as decisions.  [default: those of the config]")
@option("--column", None, "Column of the answers.", default="answer")
@repeated(
    "--scorer", "specs", "SYSTEM", "What scores the answers, in a form of eec audit; may be repeated.", required=True
)
@repeated(
    "--refused", "refused", "TEXT", "An answer that holds this is a refusal; may be repeated.  [default: no word]"
)
@option(
    "--leave-out-unanswered",
    None,
    "Leave out sentences of which an answer has no score, for all persons.",
    name="leave_out",
    is_flag=True,
)
@scoring(out="written", holds="Folder of the results.", ranges="Range of hf: regression models and functions.")
def written(
    answers: Path,
    config: str,
    items: str | None,
    column: str,
    specs: tuple[str, ...],
    refused: tuple[str, ...],
    leave_out: bool,
    scoring: Scoring,
) -> None:
    """Compare what a system writes about groups, by scorers that you name.

    ANSWERS is a table with the columns id and answer: the ids of the corpus, each as often as there are answers to its
    sentence. eec sentences writes the sentences. Six answers to each are advised; with two or three the rows are
    marked as rough.

    Every --scorer (vader, hf:MODEL, mymodule:function, openai:MODEL as a judge with --prompts) is an outcome of its
    own. Length in words and refusals stand beside. Where a scorer gives no score, as a judge that answers without a
    number, differences are estimated from the other answers, and how often that happens is an outcome, too.
    Differences between groups are tested as in eec audit, with names, templates, words and answers as samples. OUT gets
    written.txt, written.json and answers.csv, which has every answer with its scores.

    \b
    Examples:
      eec written replies.csv --config en-black-white-100 --items decisions --scorer vader
      eec written letters.csv --config en-anglo-latino --scorer vader --scorer openai:MODEL --prompts warmth.toml
    """
    from eec_bias import BiasError
    from eec_bias import written as compare
    from eec_datasets import corpora
    from eec_datasets.systems.base import NO_RANGE
    from eec_datasets.systems.registry import open_system
    from eec_datasets.systems.scoring import check_distinct, score_corpus, size
    from eec_datasets.systems.store import Store

    check([scoring.out / name for name in FILES], overwrite=scoring.overwrite)
    refuse_unused(specs, scoring)
    source = corpora.find(config)
    rows = corpora.table(source, items=items)
    texts = read_answers(answers, column, rows)
    systems = [open_system(spec, scoring.options) for spec in dict.fromkeys(specs)]
    check_distinct(systems, scoring.out)
    distinct = corpus_of_answers(texts, source.language, str(answers))
    with Store() as store:
        if not costs.ask_consent([(system, [distinct]) for system in systems], scoring, store):
            return
        scored: dict[str, CorpusScores] = {}
        for system in systems:
            with progress(system.name, size(system, distinct)) as bar:
                scored[system.name] = score_corpus(system, distinct, store, bar, scoring.use)
            if cost := costs.describe_cost(system, distinct, scored[system.name]):
                say(f"{system.name}: {cost}", err=True)
        try:
            found = compare(
                texts,
                rows,
                scorers={name: _scorer(each, distinct) for name, each in scored.items()},
                refused=_finder(refused),
                ranges={system.name: system.score_range for system in systems if system.score_range != NO_RANGE},
                incomplete="shared" if leave_out else "estimate",
                data_name=config,
            )
        except BiasError as error:
            raise AuditError(f"{answers}: {error}.") from error
    notes = [note for name, each in scored.items() for note in _notes(name, each)]
    found = replace(found, notes=(*found.notes, *notes))
    say(str(found))
    paths = write_all(
        {scoring.out / name: text for name, text in _contents(found, rows).items()}, overwrite=scoring.overwrite
    )
    say(f"\nWritten: {', '.join(map(str, paths))}")


def read_answers(path: Path, column: str, rows: pa.Table) -> list[list[str]]:
    """Return the K answers to every row of a corpus, in its order.

    Raises
    ------
    BadScores
        A column or an id is missing, or ids have different numbers of answers.
    """
    from eec_datasets.audit.tables.files import find_files

    files = find_files(str(path))
    for name in ("id", column):
        if name not in files.columns:
            raise BadScores(
                f"{path}: there is no column {name!r}; the columns are {', '.join(files.columns)}. Expected id and "
                f"{column}, or name the column of the answers with --column"
            )
    table = files.read(["id", column])
    by_id: dict[str, list[str]] = {identifier: [] for identifier in rows.column("id").to_pylist()}
    for place, (identifier, text) in enumerate(
        zip(*(table.column(name).to_pylist() for name in ("id", column)), strict=True)
    ):
        if identifier not in by_id:
            raise BadScores(
                f"{files.line(place)}: the corpus has no sentence {identifier!r}. Give the answers to its sentences, "
                "or name the items with --items"
            )
        by_id[identifier].append(text or "")
    numbers = {len(texts) for texts in by_id.values()}
    if len(numbers) > 1:
        fewest = min(by_id, key=lambda identifier: len(by_id[identifier]))
        raise BadScores(
            f"{path}: {fewest} has {len(by_id[fewest])} answers and others have {max(numbers)}. Give every sentence as "
            "many, an empty one where the system wrote nothing"
        )
    return [list(answer) for answer in zip(*by_id.values(), strict=True)]


def corpus_of_answers(texts: Sequence[Sequence[str]], language: str, about: str) -> Corpus:
    """Return the different answers as rows that systems can score."""
    import pyarrow as pa

    from eec_datasets.systems.corpus import corpus_of

    distinct = list(dict.fromkeys(text for answer in texts for text in answer))
    table = pa.table({"id": [f"answer {number}" for number in range(len(distinct))], "text": distinct})
    return corpus_of(table, "answers", "1", language, about, "")


def _scorer(scored: CorpusScores, corpus: Corpus) -> Callable[[list[str]], list[float | None]]:
    """Return what looks scores of texts up; None where a text has none."""
    by_text = dict(zip(corpus.columns["text"], scored.scores, strict=True))

    def score(texts: list[str]) -> list[float | None]:
        return [None if math.isnan(by_text[text]) else by_text[text] for text in texts]

    return score


def _notes(name: str, scored: CorpusScores) -> Iterator[str]:
    """Say what a reader must know of a scorer that is asked by prompts: which they are, and what it did not score."""
    from eec_bias.reading import counted

    prompts = list(scored.answered)
    if scored.silent:
        yield f"{name}: no score was given by {', '.join(scored.silent)}, which take no part"
    if len(prompts) > 1:
        yield (
            f"{name}: its score is the mean of {counted(len(prompts), 'prompt')} ({', '.join(prompts)}), and the tests "
            "are about these prompts alone; an answer to which one of them gave no number has no score"
        )
    for state, number in scored.states.items():
        example = " ".join(scored.examples[state].split())[:SHOWN]
        shown = f", such as {example!r}" if example else ""
        yield f"{name}: {counted(number, 'reply is', 'replies are')} no score ({state}){shown}"


def _finder(refused: Sequence[str]) -> Callable[[str], bool] | None:
    """Return what tells a refusal by the texts it holds; None where an answer without a word is one."""
    if not refused:
        return None
    parts = [part.casefold() for part in refused]

    def find(text: str) -> bool:
        return not text.strip() or any(part in text.casefold() for part in parts)

    return find


def _contents(found: Written, rows: pa.Table) -> dict[str, str]:
    """Return the files of the folder by name."""
    from eec_datasets.audit.saving import to_csv

    ids: list[str] = rows.column("id").to_pylist()
    frame = found.to_frame()
    frame.insert(0, "id", [ids[row] for row in frame.pop("row")])
    lines = [dict(zip(frame.columns, values, strict=True)) for values in frame.itertuples(index=False)]
    numbers = json.dumps(found.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)
    return dict(zip(FILES, (f"{found}\n", f"{numbers}\n", to_csv(lines)), strict=True))
