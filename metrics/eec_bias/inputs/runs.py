"""Runs of one system (prompts, seeds, fine-tunes) folded into its mean, each kept beside it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from eec_bias.grouping import grouped
from eec_bias.inputs.outputs import Outputs
from eec_bias.inputs.resolution import coarsest
from eec_bias.inputs.scores import Scores, mean_over_runs
from eec_bias.inputs.systems import Systems
from eec_bias.notes import Note
from eec_bias.options import Ints

FEWEST_RUNS = 4
"""With two or three runs a true null is rejected in up to 12 % of cases."""


def fold_runs(outputs: Outputs) -> Outputs:
    """Turn one row of scores per run into one per system.

    Parameters
    ----------
    outputs : Outputs
        One row per system, task and run; unchanged where there are no runs.

    Returns
    -------
    Outputs
        Scores are means over runs; classes, which have no mean, are left to their rates.
    """
    systems = outputs.scores.systems
    if systems.runs is None:
        return outputs
    rows = grouped((tuple(systems.keys_of(s).values()), s) for s in range(len(systems.runs)))
    groups: list[Ints] = [np.array(group, dtype=np.intp) for group in rows.values()]
    notes = tuple(_note_of_number(systems.only(group)) for group in groups)
    if outputs.predicted is not None:
        notes += (Note("no_flips_of_runs"),)
    # The notes are said once, with the first part.
    parts = [(label, _fold(part, groups, () if k else notes)) for k, (label, part) in enumerate(outputs.parts)]
    return Outputs(tuple(parts), None, outputs.classes)


def _note_of_number(of_system: Systems) -> Note:
    """Say how many runs of a system are measured."""
    runs, system = of_system.runs or (), replace(of_system, runs=None)
    subject = system.subject_note(0)
    if len(runs) == 1:
        return Note("one_run", {"subject": subject, "run": runs[0]})
    return Note("mean_of_runs", {"subject": subject, "count": len(runs), "runs": ", ".join(runs)})


def _fold(scores: Scores, groups: Sequence[Ints], notes: tuple[Note, ...]) -> Scores:
    widest = max(map(len, groups))
    runs = np.full((len(groups), widest, scores.values.shape[1]), np.nan)
    for s, rows in enumerate(groups):
        runs[s, : len(rows)] = scores.values[rows]
    firsts = np.array([rows[0] for rows in groups], dtype=np.intp)
    systems = replace(scores.systems.only(firsts), runs=None)
    names = scores.systems.runs or ()
    run_names = tuple(tuple(names[row] for row in rows) for rows in groups)
    more = (*scores.notes, *notes)
    kinds = tuple(coarsest(scores.kind(row) for row in rows.tolist()) for rows in groups)
    noise = None if scores.noise is None else np.array([scores.noise[rows].max() for rows in groups])
    folded = replace(scores, values=mean_over_runs(runs), systems=systems, notes=more, runs=runs, run_names=run_names)
    return replace(folded, kinds=kinds, noise=noise)
