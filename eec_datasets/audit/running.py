"""Score and measure: one system on one corpus, or scores that were made elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from eec_bias.measurement import JobAccuracy, Measurement, MeasurementKind, Origin
from eec_bias.reading import Note
from eec_bias.shared import grouped
from eec_datasets.audit.agreement import agreed
from eec_datasets.audit.covariates import rows_to_measure
from eec_datasets.audit.standouts import standouts
from eec_datasets.audit.typical import typical_pairs
from eec_datasets.corpora import readers_of
from eec_datasets.errors import InputError
from eec_datasets.systems.base import Range, System
from eec_datasets.systems.builtin import GROUPED
from eec_datasets.systems.corpus import Corpus, part_of
from eec_datasets.systems.prompts import SLOT
from eec_datasets.systems.rescoring import measured_resolution
from eec_datasets.systems.score_file import Header, to_text
from eec_datasets.systems.scoring import CorpusScores, Progress, mean_of_runs, score_corpus, score_path
from eec_datasets.systems.store import Store

if TYPE_CHECKING:
    from eec_bias import Result

DEMONSTRATIONS: Final = (*GROUPED, "random")
"""Built-in systems, by which a reader sees what a gap, and no gap, look like."""

SHORT: Final = 20
"""A longer version of a system is a hash, which says nothing to readers."""

Runs = Mapping[str, Sequence[float]]
"""A score per row by the name of the run."""


@dataclass(frozen=True, slots=True)
class CorpusAudit:
    """The audit of one system on one corpus, with the rows that it gave no score.

    Attributes
    ----------
    corpus
        What was scored.
    scored
        Its scores and what they took.
    measurements
        The gaps in scores, estimated from the answers if some rows have none, and then the gaps in answering, too.
    gaps
        Rows without a score by group: axis, level, rows, rows without a score. Empty where there are none.
    left_out
        Items that were left out since a row of theirs has no score, and all items; ``None`` where it was not asked for.
        Noun phrases and pronouns are compared in pairs; of these the pair is left out, and counts as an item here.
    refusal
        Why the scores, or what is left of them, are not measured.
    files
        What is to be saved: the scores of all runs, by the path of their file.
    """

    corpus: Corpus
    scored: CorpusScores
    measurements: Sequence[Measurement]
    gaps: Sequence[tuple[str, str, int, int]]
    left_out: tuple[int, int] | None = None
    refusal: str = ""
    files: Mapping[Path, str] = field(default_factory=dict)


def run(
    system: System,
    corpus: Corpus,
    out: Path,
    store: Store,
    *,
    progress: Progress | None = None,
    fresh: bool = False,
    leave_out: bool = False,
    measuring: Any = (),
) -> CorpusAudit:
    """Score a corpus, asking only for what is not stored, and measure; nothing is written but the store.

    Parameters
    ----------
    out
        The folder that the scores are to be saved in, see `CorpusAudit.files`.
    progress, fresh
        As for `score_corpus`.
    leave_out
        Whether items are left out in which a row has no score; else effects are estimated from the other rows.
    measuring
        Options of the metric for the scores, such as ``margin``.

    Raises
    ------
    InputError
        As `score_corpus` and `measure`.
    """
    scored = score_corpus(system, corpus, store, progress, fresh=fresh)
    variants = {
        name: score_corpus(variant, corpus, store, fresh=fresh).runs for name, variant in system.variants.items()
    }
    if "resolution" not in dict(measuring):
        resolution = measured_resolution(system, corpus, scored, store, fresh=fresh)
        if resolution:
            measuring = {**dict(measuring), "resolution": resolution}
    how: dict[str, Any] = {"leave_out": leave_out, "measuring": measuring, "variants": variants}
    audited = measurements_of(system, corpus, scored, **how)
    path = score_path(out, system.name, corpus.name)
    return replace(audited, files={path: score_text(system, corpus, scored)})


def score_text(system: System, corpus: Corpus, scored: CorpusScores) -> str:
    """Return the file of the scores of all runs of a system on a corpus."""
    header = Header(system.name, system.fingerprint, corpus.name, corpus.data, *system.score_range)
    return to_text(header, corpus.ids, scored.runs)


def left_out_items(left_out: tuple[int, int]) -> Note:
    """Return the note that items hold a sentence without a score."""
    return Note("items_left_out", {"count": left_out[0], "items": left_out[1]})


def measurements_of(
    system: System,
    corpus: Corpus,
    scored: CorpusScores,
    *,
    leave_out: bool,
    measuring: Any = (),
    variants: Mapping[str, Runs] | None = None,
) -> CorpusAudit:
    """Measure scores, and whether there is one; see `run`. ``variants`` has the scores of variants of the system."""
    measured = _Measuring(system, corpus, scored, dict(measuring))
    answered = scored.answered
    variants = variants or {}
    pairs = corpus.columns["pair"]
    touched = {pair for pair, score in zip(pairs, scored.scores, strict=True) if math.isnan(score)}
    unanswered = [measured.no_answer()] if touched or scored.silent else []
    if not touched:
        return CorpusAudit(corpus, scored, [measured.scores(corpus, answered, variants), *unanswered], ())
    gaps = list(_gaps(corpus, scored.scores))
    if not leave_out:
        try:
            return CorpusAudit(corpus, scored, [measured.scores(corpus, answered, variants), *unanswered], gaps)
        except InputError as error:
            # Too little is answered to compare groups; how much is answered still can be compared.
            return CorpusAudit(corpus, scored, unanswered, gaps, refusal=f"the scores are not measured: {error}")
    left_out = len(touched), len(set(pairs))
    complete_rows = [row for row, pair in enumerate(pairs) if pair not in touched]
    if not complete_rows:
        return CorpusAudit(corpus, scored, unanswered, gaps, left_out, "nothing is left to compare")
    rest = part_of(corpus, complete_rows)
    others = {name: some_rows(runs, complete_rows) for name, runs in variants.items()}
    try:
        found = measured.scores(rest, some_rows(answered, complete_rows), others, left_out_items(left_out))
        return CorpusAudit(corpus, scored, [found, *unanswered], gaps, left_out)
    except InputError as error:
        # What is left may be too little to compare; what was found of the answers still holds.
        return CorpusAudit(corpus, scored, unanswered, gaps, left_out, f"the rest is not measured: {error}")


def with_origin(audits: Sequence[CorpusAudit], command: str) -> list[Measurement]:
    """Return the measurements of an audit with the command, the day, and how many sentences each system read."""
    texts: dict[tuple[str, str], set[str]] = {}
    for audited in audits:
        for each in audited.measurements:
            texts.setdefault((each.system, each.language), set()).update(audited.corpus.columns["text"])
    date = datetime.now(UTC).date().isoformat()
    measurements = []
    for audited in audits:
        for each in audited.measurements:
            read = len(texts[each.system, each.language])
            source = replace(each.source, sentences=read, command=command, date=date)
            measurements.append(replace(each, source=source))
    return measurements


@dataclass(frozen=True, slots=True)
class _Measuring:
    """Measures the scores of one system on one corpus.

    Attributes
    ----------
    options
        What is asked of the metric for the scores, such as ``margin``.
    """

    system: System
    corpus: Corpus
    scored: CorpusScores
    options: Mapping[str, Any]

    def scores(self, rows: Corpus, runs: Runs, variants: Mapping[str, Runs], *notes: Note) -> Measurement:
        """Measure the scores, and claim only what the variants of the system find too."""
        system, options = self.system, dict(self.options)
        if system.high_means:
            options.setdefault("high_means", system.high_means)
        result = self._result(system.name, rows, runs, system.score_range, options, *notes)
        others = [self._result(name, rows, of, system.score_range, options) for name, of in variants.items()]
        result = agreed(result, others) if others else result
        # Of a system without a known range that of the result is as far as its scores run.
        return self._measurement("scores", rows, mean_of_runs(runs), result.score_range, result)

    def no_answer(self) -> Measurement:
        """Measure the share of answers that are no score."""
        runs = self.scored.no_answer
        result = self._result(self.system.name, self.corpus, runs, (0.0, 1.0), {})
        # A system that answers whatever the feeling is not deaf.
        result = replace(result, feelings=())
        return self._measurement("no_answer", self.corpus, mean_of_runs(runs), (0.0, 1.0), result)

    def _result(
        self, name: str, rows: Corpus, runs: Runs, score_range: Range, options: Mapping[str, Any], *notes: Note
    ) -> Result:
        if len(runs) > 1:
            # Prompts are a sample of prompts; where they are too few for that, the rows are marked rough.
            options = {"runs": list(runs), **options}
            result = measure(name, rows, list(runs.values()), score_range, **options)
        else:
            result = measure(name, rows, next(iter(runs.values())), score_range, **options)
        return replace(result, notes=(*result.notes, *self._notes_of_prompts(runs), *notes))

    def _measurement(
        self, kind: MeasurementKind, rows: Corpus, scores: Sequence[float], score_range: Range, result: Result
    ) -> Measurement:
        """Return a result with what is known of its system and its list."""
        system = self.system
        known = system.accuracy.get(self.corpus.language)
        source = Origin(
            version=system.fingerprint if len(system.fingerprint) <= SHORT else "",
            accuracy=JobAccuracy(known.auc, known.auc_low, known.auc_high, known.n, rows.language) if known else None,
            readers=readers_of(self.corpus.language),
            part=rows.part,
            standouts=tuple(asdict(each) for each in standouts(rows, scores, score_range)),
            demonstration=system.name.partition(":")[0] in DEMONSTRATIONS,
            **origin_of_scores(rows, scores, result),
            **self._prompting(),
        )
        return Measurement(kind, rows.name, rows.language, system.name, result, source)

    def _notes_of_prompts(self, runs: Runs) -> Iterator[Note]:
        """Note where a single prompt was asked or answered, and which prompts were not."""
        if not self.system.runs:
            return
        silent = ", ".join(name for name in self.scored.runs if name not in runs)
        if len(runs) == 1:
            yield Note("one_prompt_scored" if silent else "one_prompt_asked", {"prompt": ", ".join(runs)})
        if silent:
            yield Note("prompts_without_scores", {"prompts": silent})

    def _prompting(self) -> dict[str, Any]:
        """Return prompts, models and unanswered requests of a system that is asked by prompts."""
        if not self.system.runs:
            return {}
        asked = {name: run.request for name, run in self.system.runs_in(self.corpus.language).items() if run.request}
        # The sentence stands in each request as {text}.
        prompts = tuple({"name": name, "request": dict(request(SLOT))} for name, request in asked.items())
        return {"prompts": prompts, "models": tuple(self.scored.models), "unanswered": dict(self.scored.states)}


def origin_of_scores(corpus: Corpus, scores: Sequence[float], result: Result) -> dict[str, Any]:
    """Return pairs of sentences with typical gaps and the mean score of each emotion, as `Origin` has them."""
    pairs = zip(corpus.columns["emotion"], scores, strict=True)
    known = ((emotion, score) for emotion, score in pairs if not math.isnan(score))
    means = {emotion: fmean(found) for emotion, found in grouped(known).items()}
    return {"pairs": tuple(typical_pairs(corpus, scores, result.overall)), "emotion_means": means}


def some_rows(runs: Runs, rows: Sequence[int]) -> Runs:
    """Some rows of all runs."""
    return {name: [scores[row] for row in rows] for name, scores in runs.items()}


def _gaps(corpus: Corpus, scores: Sequence[float]) -> Iterator[tuple[str, str, int, int]]:
    for axis, levels in corpus.groups.items():
        for level in levels:
            gap = [math.isnan(score) for score, each in zip(scores, corpus.columns[axis], strict=True) if each == level]
            yield axis, level, len(gap), sum(gap)


def measure(
    system: str, corpus: Corpus, scores: Any, score_range: Range, *, method: str = "default", **options: Any
) -> Result:
    """Measure the scores of one system or several on a corpus.

    Parameters
    ----------
    method
        ``default``, or the name of a function of :mod:`eec_bias.methods`.
    options
        Passed on to it.

    Raises
    ------
    InputError
        The metric refuses scores or options.
    """
    options = {"score_range": score_range} | options
    result = call_metric(f"{system} on {corpus.name}", method, scores, rows_to_measure(corpus), **options)
    return replace(result, notes=(*result.notes, *notes_of_families(corpus)))


def notes_of_families(corpus: Corpus) -> Iterator[Note]:
    """Note that names are clustered by their first tokens, where they are."""
    if corpus.first_tokens:
        count = len(set(corpus.first_tokens.values()))
        yield Note(
            "families_by_tokenizer",
            {"tokenizer": corpus.tokenizer, "count": count, "names": len(corpus.first_tokens)},
        )


def call_metric(place: str, method: str, *given: Any, **options: Any) -> Result:
    """Call a procedure by its name; ``default`` is `eec_bias.measure`, and ``compare`` is `eec_bias.compare`.

    Its errors become errors of the audit that say of what, and the id of the row where it has one.

    Raises
    ------
    InputError
        The metric refuses scores, labels or options.
    """
    import eec_bias
    from eec_bias.reading import PROCEDURES

    functions: dict[str, Callable[..., Result]] = {
        "default": eec_bias.measure,
        "compare": eec_bias.compare,
        **PROCEDURES,
    }
    try:
        return functions[method](*given, **options)
    except eec_bias.BiasError as error:
        *_, rows = given
        known = getattr(error, "row", None) is not None and "id" in getattr(rows, "column_names", ())
        named = f". That row is {rows['id'][error.row]}" if known else ""  # type: ignore[attr-defined]
        raise InputError(f"{place}: {error}{named}") from error
