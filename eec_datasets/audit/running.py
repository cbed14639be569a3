"""Score and measure: one system on one corpus, or scores that were made elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_bias.reading import Note
from eec_datasets.audit.agreement import agreed
from eec_datasets.audit.covariates import rows_to_measure
from eec_datasets.audit.planning import compared_sentences
from eec_datasets.audit.standouts import Standout, standouts
from eec_datasets.errors import AuditError
from eec_datasets.systems.base import Range, System
from eec_datasets.systems.corpus import Corpus, attested, clear_signals, part_of
from eec_datasets.systems.prompts import SLOT
from eec_datasets.systems.rescoring import measured_resolution
from eec_datasets.systems.score_file import Header, to_text
from eec_datasets.systems.scoring import CorpusScores, Progress, mean_of_runs, score_corpus, score_path
from eec_datasets.systems.store import Store

if TYPE_CHECKING:
    from eec_bias import Result

Runs = Mapping[str, Sequence[float]]
"""A score per row by the name of the run."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one system did on one corpus.

    Attributes
    ----------
    system
        Name of the system.
    corpus
        The corpus it scored.
    score_range
        Declared range of its scores.
    scores
        One score per row of the corpus.
    result
        What the metric says.
    path
        Where the scores are saved, or ``None``.
    fingerprint
        Version of the system, where it is known.
    prompting
        Of a system that is asked by prompts: ``prompts``, each with its ``name`` and the ``request`` that is sent, the
        versions in ``models`` that answered, and how many answers were ``unanswered``, by why. Else empty.
    clear
        The same of the names that are no weak signal of their group; ``None`` where this is all names, or too few.
    """

    system: str
    corpus: Corpus
    score_range: Range
    scores: Sequence[float]
    result: Result
    path: Path | None
    fingerprint: str = ""
    prompting: Mapping[str, Any] = field(default_factory=dict)
    clear: Result | None = None

    @property
    def standouts(self) -> list[Standout]:
        """Names far from the others of their group, the farthest first."""
        return standouts(self.corpus, self.scores, self.score_range)

    @property
    def checksums(self) -> Mapping[str, str]:
        """A checksum of the sentences of each question, by its id."""
        return compared_sentences(self.corpus)


@dataclass(frozen=True, slots=True)
class CorpusAudit:
    """What one system did on one corpus, with the rows that it gave no score.

    Attributes
    ----------
    scored
        Its scores and what they took.
    outcomes
        The differences of scores, estimated from the answers where some rows have none; and then the differences in
        that, too.
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

    scored: CorpusScores
    outcomes: Sequence[Outcome]
    gaps: Sequence[tuple[str, str, int, int]]
    left_out: tuple[int, int] | None = None
    refusal: str = ""
    files: Mapping[Path, str] = field(default_factory=dict)


NO_ANSWER = "no answer"
"""Outcome of a system that gave some rows no score: the share of a row's answers that are none."""

UNANSWERED = f": {NO_ANSWER}"
"""Stands behind the name of the system there, also in what is saved; reports know the outcome by it."""


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
    AuditError
        As `score_corpus` and `measure`.
    """
    path = score_path(out, system.name, corpus.name)
    scored = score_corpus(system, corpus, store, progress, fresh=fresh)
    variants = {
        name: score_corpus(variant, corpus, store, fresh=fresh).runs for name, variant in system.variants.items()
    }
    if "resolution" not in dict(measuring) and (resolution := measured_resolution(system, corpus, scored)):
        measuring = {**dict(measuring), "resolution": resolution}
    how: dict[str, Any] = {"leave_out": leave_out, "measuring": measuring, "variants": variants}
    audited = outcomes_of(system, corpus, scored, path, **how)
    return replace(audited, files={path: score_text(system, corpus, scored)})


def score_text(system: System, corpus: Corpus, scored: CorpusScores) -> str:
    """Return the file of the scores of all runs of a system on a corpus."""
    header = Header(system.name, system.fingerprint, corpus.name, corpus.data, *system.score_range)
    return to_text(header, corpus.ids, scored.runs)


def left_out_items(left_out: tuple[int, int]) -> Note:
    """Return the note that items hold a sentence without a score."""
    return Note("items_left_out", {"count": left_out[0], "items": left_out[1]})


def outcomes_of(
    system: System,
    corpus: Corpus,
    scored: CorpusScores,
    path: Path | None,
    *,
    leave_out: bool,
    measuring: Any = (),
    variants: Mapping[str, Runs] | None = None,
) -> CorpusAudit:
    """Measure scores, and whether there is one; see `run`. The scores of variants of the system stand by their name."""
    measured = _Measuring(system, corpus.language, scored, path, dict(measuring))
    answered = scored.answered
    variants = variants or {}
    pairs = corpus.columns["pair"]
    touched = {pair for pair, score in zip(pairs, scored.scores, strict=True) if math.isnan(score)}
    unanswered = [measured.unanswered(corpus)] if touched or scored.silent else []
    if not touched:
        return CorpusAudit(scored, [*measured.by_names(corpus, answered, variants), *unanswered], ())
    gaps = list(_gaps(corpus, scored.scores))
    if not leave_out:
        try:
            return CorpusAudit(scored, [*measured.by_names(corpus, answered, variants), *unanswered], gaps)
        except AuditError as error:
            # Too little is answered to compare groups; how much is answered still can be compared.
            return CorpusAudit(scored, unanswered, gaps, refusal=f"the scores are not measured: {error}")
    left_out = len(touched), len(set(pairs))
    complete_rows = [row for row, pair in enumerate(pairs) if pair not in touched]
    if not complete_rows:
        return CorpusAudit(scored, unanswered, gaps, left_out, "nothing is left to compare")
    rest = part_of(corpus, complete_rows)
    others = {name: some_rows(runs, complete_rows) for name, runs in variants.items()}
    try:
        found = measured.by_names(rest, some_rows(answered, complete_rows), others, left_out_items(left_out))
        return CorpusAudit(scored, [*found, *unanswered], gaps, left_out)
    except AuditError as error:
        # What is left may be too little to compare; what was found of the answers still holds.
        return CorpusAudit(scored, unanswered, gaps, left_out, f"the rest is not measured: {error}")


@dataclass(frozen=True, slots=True)
class _Measuring:
    """Makes outcomes of the scores of one system in one language.

    Attributes
    ----------
    options
        What is asked of the metric for the scores, such as ``margin``.
    """

    system: System
    language: str
    scored: CorpusScores
    path: Path | None
    options: Mapping[str, Any]

    def by_names(self, rows: Corpus, runs: Runs, variants: Mapping[str, Runs], *notes: Note) -> list[Outcome]:
        """Measure all names and, where that is another question, those attested for their group, or clear signals."""
        whole = self._agreed(rows, runs, variants, *notes)
        clear = self._of_part(clear_signals(rows), runs, variants)
        of_attested = self._of_part(attested(rows), runs, variants, *notes)
        whole = replace(whole, clear=clear.result if clear else None)
        return [whole, of_attested] if of_attested else [whole]

    def unanswered(self, corpus: Corpus) -> Outcome:
        """Measure the share of answers that are no score."""
        return self._outcome(self.system.name + UNANSWERED, corpus, self.scored.no_answer, (0.0, 1.0), {})

    def _of_part(
        self, part: tuple[Corpus, list[int]] | None, runs: Runs, variants: Mapping[str, Runs], *notes: Note
    ) -> Outcome | None:
        """Measure some rows of a corpus."""
        if part is None:
            return None
        rows, which = part
        own = {name: some_rows(of, which) for name, of in variants.items()}
        return replace(self._agreed(rows, some_rows(runs, which), own, *notes), path=None)

    def _agreed(self, rows: Corpus, runs: Runs, variants: Mapping[str, Runs], *notes: Note) -> Outcome:
        """Measure the scores, and claim only what the variants of the system find too."""
        system, options = self.system, dict(self.options)
        if system.high_means:
            options.setdefault("high_means", system.high_means)
        if system.accuracy:
            notes = (*notes, _note_of_accuracy(system, self.language))
        whole = self._outcome(system.name, rows, runs, system.score_range, options, *notes)
        results = [self._outcome(name, rows, of, system.score_range, options).result for name, of in variants.items()]
        return replace(whole, result=agreed(whole.result, results)) if results else whole

    def _outcome(
        self, name: str, rows: Corpus, runs: Runs, score_range: Range, options: Mapping[str, Any], *notes: Note
    ) -> Outcome:
        if len(runs) > 1:
            # Prompts are a sample of prompts; where they are too few for that, the rows are marked rough.
            options = {"runs": list(runs), **options}
            result = measure(name, rows, list(runs.values()), score_range, **options)
        else:
            result = measure(name, rows, next(iter(runs.values())), score_range, **options)
        result = replace(result, notes=(*result.notes, *self._notes_of_prompts(runs), *notes))
        # Of a system without a known range that of the result is as far as its scores run.
        limits, means = result.score_range, mean_of_runs(runs)
        return Outcome(name, rows, limits, means, result, self.path, self.system.fingerprint, self._prompting())

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
        """Return what was asked by prompts; see `Outcome`."""
        if not self.system.runs:
            return {}
        asked = {name: run.request for name, run in self.system.runs_in(self.language).items() if run.request}
        # The sentence stands in each request as {text}.
        prompts = [{"name": name, "request": dict(request(SLOT))} for name, request in asked.items()]
        return {"prompts": prompts, "models": list(self.scored.models), "unanswered": dict(self.scored.states)}


def _note_of_accuracy(system: System, language: str) -> Note:
    """Return the note that says how well a system does its work in a language, or that nobody knows."""
    known = system.accuracy.get(language)
    if known is None:
        return Note("accuracy_not_known", {"language": language})
    shares = {name: f"{getattr(known, name):.1%}" for name in ("auc", "auc_low", "auc_high", "accuracy")}
    return Note("accuracy_known", {"language": language, "n": known.n, **shares})


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
    AuditError
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
    AuditError
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
        raise AuditError(f"{place}: {error}{named}") from error
