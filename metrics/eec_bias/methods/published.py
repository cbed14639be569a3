"""Shared parts of the papers' procedures: reading scores and data, and the rows they give."""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import stdtrit

from eec_bias.errors import OptionError
from eec_bias.inputs.axes import axis_names, choose_axes
from eec_bias.inputs.containers import Source
from eec_bias.inputs.design import Design, build_design
from eec_bias.inputs.observed import NONE, observe
from eec_bias.inputs.reading import read_scored
from eec_bias.inputs.scores import Scores, Systems
from eec_bias.notes import Note
from eec_bias.options import Bools, Floats, MeasureOptions
from eec_bias.result.facts import Facts
from eec_bias.result.frame import Row
from eec_bias.result.result import Result
from eec_bias.result.term import TERM_KEYS, Term
from eec_bias.stats.default_test import student_t
from eec_bias.stats.facets import make_facets
from eec_bias.stats.layout import MENTIONS, Table

WORDS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
"""Sentences of each procedure about itself, its tables and its input."""

NO_BETA = "not part of this procedure"
"""Estimand of ``beta`` for a procedure that fits none."""


@dataclass(frozen=True, slots=True)
class PublishedStudy:
    """Scores of S systems and the data; ``tasks`` has an emotion, ``valence`` or None for each."""

    source: Source
    design: Design
    scores: Scores
    tasks: tuple[str | None, ...]
    confidence: float

    def emotions(self, table: Table) -> Any:
        """Return the emotion of each item of a table as an array; ``none`` where the data have no emotions."""
        if "emotion" not in self.source.columns:
            return np.full(len(table.items), NONE)
        return np.array(self.source.coded("emotion").texts(table.rows[0]))

    def result(
        self, method: str, terms: Sequence[Term], label: Note, adjust: str = "",
        settings: tuple[tuple[str, str], ...] = (), **more: Any,
    ) -> Result:  # fmt: skip
        """Return the rows of a procedure as a result; ``label`` says how it errs, ``more`` are further attributes."""
        design, scores = self.design, self.scores
        facts = Facts(
            data=self.source.data,
            axes=design.axes,
            references=design.references,
            samples=(method,),
            score_range=scores.score_range,
            confidence=self.confidence,
            adjust=adjust,
            settings=settings,
        )
        notes = (*scores.notes, *design.notes, label)
        return build_result(method, facts, scores, terms=tuple(terms), notes=notes, **more)


def read_study(scores: Any, data: Any, options: MeasureOptions) -> PublishedStudy:
    """Check scores, labels and tasks.

    Raises
    ------
    OptionError
        If a task is neither an emotion of the data nor ``valence``.
    """
    source, outputs = read_scored(scores, data, options)
    axes = choose_axes(source, axis_names(options.axes))
    observed = observe(source, axes, source.coded("person"), own_pairs=False)
    checked, design = outputs.scores, build_design(observed, reference=options.reference)
    if tables := tuple(table for table in design.tables if not table.subset.startswith(MENTIONS)):
        # The papers' corpora do not have them.
        left_out = (Note("mentions_left_out"),) if len(tables) < len(design.tables) else ()
        design = replace(design, tables=tables, notes=(*design.notes, *left_out))
    tasks = checked.systems.tasks or (None,) * len(checked.values)
    named_tasks = {task for task in tasks if task is not None}
    if not named_tasks:
        return PublishedStudy(
            source, design, replace(checked, systems=Systems(checked.systems.names)), tasks, options.confidence
        )
    allowed = [level for level in source.coded("emotion").levels if level != NONE] + ["valence"]
    for task in sorted(named_tasks - set(allowed)):
        raise OptionError(f"task {task!r} is unknown; with these data it is one of {', '.join(allowed)}")
    return PublishedStudy(source, design, checked, tasks, options.confidence)


def build_result(method: str, facts: Facts, scores: Scores, **more: Any) -> Result:
    """Return a result of which a procedure gives the terms and notes, and what it likes of the rest."""
    attributes: dict[str, Any] = {"cells": (), "fits": (), "beta_estimand": NO_BETA, **more}
    return Result(method=method, axes=facts.axes, score_range=scores.score_range, facts=facts, **attributes)


def name_system(keys: Mapping[str, Any]) -> str:
    """Name a system with its task; empty for an unnamed one."""
    task = keys.get("task")
    return f"{keys.get('system') or ''}{'' if task is None else f' ({task})'}".strip()


def keep_items(table: Table, keep: Bools) -> Table:
    """Return the table with some of its items."""
    items = tuple(item for item, wanted in zip(table.items, keep, strict=True) if wanted)
    rows, codes = table.rows[:, keep], table.codes[keep]
    return replace(table, items=items, rows=rows, codes=codes, facets=make_facets(len(items), {}))


def t_columns(effect: Floats, se: Floats, df: float, confidence: float) -> dict[str, Floats]:
    """Return effect, standard error, t, its p with two sides, and the interval."""
    t, p = student_t(effect, se, np.asarray(df))
    reach = stdtrit(df, 0.5 + confidence / 2) * se
    return {"effect": effect, "se": se, "t": t, "p": p, "ci_low": effect - reach, "ci_high": effect + reach}


def row(keys: Row, *notes: Note, **values: Any) -> Term:
    """Return a row of terms, null where nothing is given and where a value is not finite."""
    known = {key: to_json(value) for key, value in values.items() if key in TERM_KEYS}
    return Term(**keys, **known, notes=notes)


def to_json(value: Any) -> Any:
    """Return numbers and truth values as Python's, null where not finite."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
