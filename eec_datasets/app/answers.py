"""Answers of the page to a choice: sentences to score, a measurement, made-up scores; no widgets here.

Everything here runs in a process of its own (`eec_datasets.app.workers`), so what is taken and given can be pickled.
"""

from __future__ import annotations

import io
import json
import logging
import shlex
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import eec_bias
from eec_bias import BiasError
from eec_datasets.app import fragments
from eec_datasets.app.sources import CorpusSource
from eec_datasets.app.temporary import Folder
from eec_datasets.app.words import FALLBACK, PageWords
from eec_datasets.audit.pages import render
from eec_datasets.audit.report.figures import draw_figures
from eec_datasets.audit.saving import to_csv
from eec_datasets.audit.tables.cells import SCORE
from eec_datasets.audit.tables.entrance import read_scores
from eec_datasets.audit.tables.files import TableOptions
from eec_datasets.audit.tables.scores import TableScores
from eec_datasets.errors import EecError, InputError
from eec_datasets.systems.base import Range
from eec_datasets.systems.corpus import Corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.text_file import all_digits

LIMIT: Final = 20 * 2**20
"""Bytes of the largest upload that is read."""
HARD_LIMIT: Final = 2 * LIMIT
"""Bytes after which a file is cut off; below it, and above `LIMIT`, the page itself says what to do."""
LARGE: Final = 2 * 2**20
"""Bytes from which on an upload can take long."""
SYSTEMS: Final = 250
"""Columns of scores that are read of one upload."""
DEFAULT: Final = (0.0, 1.0)
"""The range that the fields of the page hold at first."""
EXAMPLES: Final = {"noisy": ("noisy:{group}",), "random": ("random:0",), "both": ("noisy:{group}", "random:0")}
"""The systems of each example, by the name that a link has for it."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A visitor's choice of scores to measure.

    Attributes
    ----------
    config
        Name of the corpus.
    files
        Paths of the uploaded files.
    low, high
        Declared range, as typed.
    example
        One of `EXAMPLES`; then there are no files, and the range is the example's own.
    language
        Of the page.
    """

    config: str
    files: tuple[str, ...] = ()
    low: Any = DEFAULT[0]
    high: Any = DEFAULT[1]
    example: str = ""
    language: str = FALLBACK


def is_large(choice: PageRequest) -> bool:
    """Return whether measuring may take long: the files are large, or compressed so that they may unpack to much."""
    files = [Path(file) for file in choice.files if Path(file).exists()]
    return any(file.suffix.lower() != ".csv" for file in files) or sum(file.stat().st_size for file in files) > LARGE


def attempt(do: Callable[..., Any], source: CorpusSource, folder: Folder, *arguments: Any) -> tuple[Any, str]:
    """The result of a function of this module, or else why it cannot be had, as HTML."""
    try:
        return do(source, folder, *arguments), ""
    except Exception as error:  # whatever it is, a page shows no traceback
        return None, explain(error)


def explain(error: Exception) -> str:
    """Return what went wrong, as HTML; a mistake of this program is also logged, and admitted."""
    if isinstance(error, EecError | BiasError):
        return fragments.problem(str(error))
    logging.getLogger(__name__).error("unexpected error", exc_info=error)
    return fragments.problem(
        f"Something went wrong in this program ({type(error).__name__}). Your scores are not the cause. Nothing was "
        "measured. Its log has the details; please report them to the project."
    )


def show(source: CorpusSource, folder: Folder, name: str, language: str = FALLBACK) -> tuple[str, str, str]:
    """Show a corpus: what it holds, how scores of it are written (both HTML), and its sentences as a file."""
    corpus = source.open(name)
    # With an empty column ``score`` after ``id``, to be filled in and uploaded.
    rows = [{"id": "", "score": "", **row} for row in corpus.table.to_pylist()]
    sheet = folder.put(f"{name}.csv", to_csv(rows))
    return fragments.facts(corpus, PageWords(language)), fragments.scoring(corpus), sheet


def judging(source: CorpusSource, folder: Folder, name: str) -> str:
    """Write the page on which native speakers judge sentences of the language of a corpus; return its path."""
    from eec_datasets.contribute.review_page import review_page

    tag = source.open(name).language
    html, _ = review_page(tag)
    return folder.put(f"eec-review-{tag}.html", html)


def answer(source: CorpusSource, folder: Folder, choice: PageRequest) -> tuple[str, list[str]]:
    """Measure what was asked for: the result as HTML, and files that can be downloaded (JSON, CSV and plain text).

    Raises
    ------
    EecError, BiasError
        The files, the range or the design is not as it should be; the message says how to fix it.
    """
    corpus, result, title, notes, scores = measured(source, choice)
    stem = f"eec-bias_{corpus.name}"
    files = {
        f"{stem}.json": json.dumps(result.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n",
        f"{stem}.csv": to_csv(result.terms),
        f"{stem}.txt": "\n".join([title, *filter(None, [notes]), "", f"{result}\n"]),
    }
    shown = fragments.measurement(result, corpus, title, scores=scores, demonstration=bool(choice.example))
    page = fragments.result(shown, corpus, title, notes, PageWords(choice.language))
    return page, [folder.put(*file) for file in files.items()]


def report(source: CorpusSource, folder: Folder, choice: PageRequest) -> str:
    """Measure it again and make the whole report, with all figures, as one HTML file; return its path."""
    corpus, result, title, _, scores = measured(source, choice)
    command = _command(choice, result, title)
    measurement = fragments.measurement(result, corpus, title, command, scores, demonstration=bool(choice.example))
    page = render([measurement], language=choice.language, surface="app")
    return folder.put(f"eec-bias_{corpus.name}.html", page)


def _command(choice: PageRequest, result: eec_bias.Result, title: str) -> str:
    """Return the command that measures the same; empty where it takes more than one."""
    if choice.example:
        systems = " ".join(f"--system {shlex.quote(name)}" for name in title.split(", "))
        return f"eec audit {systems} --config {choice.config}"
    low, high = result.score_range
    limits = "" if (low, high) == DEFAULT else f" --score-range {all_digits(low)} {all_digits(high)}"
    name = shlex.quote(Path(choice.files[0]).name)
    return f"eec measure {name} --config {choice.config}{limits} --out results" if len(choice.files) == 1 else ""


def figures(source: CorpusSource, folder: Folder, choice: PageRequest) -> str:
    """Measure it again and draw the figures as SVG and PNG, in one ZIP file; return its path."""
    corpus, result, title, *_ = measured(source, choice)
    measurement = fragments.measurement(result, corpus, title)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for name, drawn in draw_figures([measurement], fragments.SYSTEMS_SHOWN).items():
            # Without the date of now, the same figures are the same file.
            packed.writestr(zipfile.ZipInfo(name), drawn, zipfile.ZIP_DEFLATED)
    return folder.put(f"eec-bias_{corpus.name}_figures.zip", stream.getvalue())


def measured(
    source: CorpusSource, choice: PageRequest
) -> tuple[Corpus, eec_bias.Result, str, str, Sequence[float] | None]:
    """Return the corpus, the result, what the scores are called, what was guessed, and the scores of a lone system."""
    corpus = source.open(choice.config)
    if choice.example:
        axes = fragments.compared(corpus)
        levels = axes.get("gender") or next(iter(axes.values()))
        favoured = "female" if "female" in levels else levels[0]
        systems = [open_system(spec.format(group=favoured)) for spec in EXAMPLES[choice.example]]
        by_name = {system.name: np.array(system.scorer(corpus.columns)) for system in systems}
        scores, notes, title = TableScores(by_name, systems[0].score_range), "", ", ".join(by_name)
    else:
        scores, notes = _upload(corpus, choice)
        title = ", ".join(Path(file).name for file in choice.files)
    result = eec_bias.measure(
        scores.measured, corpus.label.onto(scores.rows or corpus.table), score_range=scores.score_range,
        **scores.options,
    )  # fmt: skip
    lone = scores.measured if len(scores.scores) == 1 and scores.rows is None and not scores.options else None
    return corpus, result, title, notes, None if lone is None else np.asarray(lone, float).tolist()


def _upload(corpus: Corpus, choice: PageRequest) -> tuple[TableScores, str]:
    """Read the uploaded files, each with one system or several."""
    if not choice.files:
        raise InputError(
            "There is no file yet. In step 4, choose a file with the columns id and score. It may have up to "
            f"{LIMIT / 2**20:.0f} MB."
        )
    declared = declared_range(choice.low, choice.high)
    files = [Path(file) for file in choice.files]
    if deleted := [file.name for file in files if not file.exists()]:
        raise InputError(
            f"We have already deleted {deleted[0]}, as we delete all uploads after a while. Upload it again."
        )
    if (size := sum(file.stat().st_size for file in files)) > LIMIT:
        files_name = files[0].name if len(files) == 1 else f"{len(files)} files"
        raise InputError(
            f"{files_name}: {size / 2**20:.0f} MB; this page reads up to {LIMIT / 2**20:.0f} MB. Leave out all columns "
            "except id and the scores, upload fewer systems at a time, or use `eec measure` on your own machine."
        )
    # None: the file's own declaration counts, if it has one, where the page was left at its default.
    options = TableOptions(score_range=None if declared == DEFAULT else declared)
    read = [read_scores(file, corpus.table, corpus.data, options, name=file.name, most=SYSTEMS) for file in files]
    guesses = [f"{file.name}: {'; '.join(each.notes)}." for file, each in zip(files, read, strict=True) if each.notes]
    return _together(files, read), " ".join(guesses)


def _together(files: Sequence[Path], read: Sequence[TableScores]) -> TableScores:
    """The systems of several files together; a single column ``score`` takes the name of its file."""
    if len(read) == 1:
        return read[0]
    if several := [file.name for file, scores in zip(files, read, strict=True) if scores.options]:
        raise InputError(f"{several[0]} has several rows or runs for every sentence. Upload it without other files.")
    ranges = [scores.score_range for scores in read]
    if len(set(ranges)) > 1:
        listed = "; ".join(
            f"{file.name}: {' to '.join(map(all_digits, limits))}" for file, limits in zip(files, ranges, strict=True)
        )
        raise InputError(
            f"The files declare different ranges ({listed}), so their effects have no common unit. Upload the files of "
            "one range at a time."
        )
    systems: dict[str, Any] = {}
    file_of: dict[str, str] = {}
    for file, scores in zip(files, read, strict=True):
        for column, values in scores.scores.items():
            name = (scores.system or file.stem) if [*scores.scores] == [SCORE] else column
            if name in systems:
                raise InputError(
                    f"There is a system called {name!r} in {file_of[name]} and in {file.name}. Give each system its "
                    f"own "
                    "name: rename the column, or the file if the column is called score."
                )
            systems[name], file_of[name] = values, file.name
    if len(systems) > SYSTEMS:
        raise InputError(
            f"There are {len(systems):,} systems; this page reads up to {SYSTEMS}. Upload fewer at a time."
        )
    return TableScores(systems, ranges[0])


def declared_range(low: Any, high: Any) -> Range:
    """Check the range as typed."""
    if low is None or high is None or not low < high:
        lowest, highest = ("missing" if limit is None else all_digits(limit) for limit in (low, high))
        raise InputError(
            f"The lowest possible score is {lowest}, the highest {highest}; expected two numbers, first the lower one. "
            "See step 3."
        )
    return float(low), float(high)
