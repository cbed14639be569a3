"""Measure how well the English systems tell positive sentences from negative ones.

``python -m studies.english RATED --overwrite``: RATED is ``amazonReviewSnippets_GroundTruth.txt`` of Hutto & Gilbert
(2014), which stands in the source distribution of vaderSentiment, in ``additional_resources``. It is not kept here.
VADER's rules were made with their tweets, so that sentences of reviews are taken.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click
import numpy as np

from eec_bias.shared import write
from eec_datasets.audit.saving import to_json
from eec_datasets.cli.options import OVERWRITE
from eec_datasets.systems.accuracy import FILE
from eec_datasets.systems.base import score_batch
from eec_datasets.systems.labelled import measure_accuracy
from eec_datasets.systems.registry import open_system
from studies.worked_measures import REAL

CLEAR: Final = 1.0
"""A sentence counts whose mean rating, from -4 to 4, is at least this far from 0."""

TEXTS: Final = "English sentences of product reviews, rated by 20 people, with a mean of at least 1 of 4"


def balanced(ratings: Sequence[float]) -> list[int]:
    """Return the places of clear ratings, as many positive as negative ones; more of one kind are drawn by a seed."""
    values = np.asarray(ratings)
    kinds = [np.flatnonzero(values >= CLEAR), np.flatnonzero(values <= -CLEAR)]
    size, generator = min(map(len, kinds)), np.random.default_rng(0)
    return sorted(int(place) for kind in kinds for place in generator.choice(kind, size, replace=False))


@click.command(help=__doc__)
@click.argument("rated", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@OVERWRITE
def main(rated: Path, overwrite: bool) -> None:
    """Score, measure, write."""
    with rated.open(encoding="latin-1", newline="") as stream:
        lines = list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    chosen = [lines[place] for place in balanced([float(rating) for _, rating, _ in lines])]
    positive = np.array([float(rating) > 0 for _, rating, _ in chosen])
    found = {}
    for name in REAL["en"]:
        system = open_system(name)
        rows = {"id": [place for place, _, _ in chosen], "text": [text for _, _, text in chosen]}
        scores = np.array([*score_batch(system, rows)], float)
        measured = measure_accuracy("en", TEXTS, scores, positive, middle=sum(system.score_range) / 2)
        click.echo(f"{name}: {measured}")
        found[name] = [asdict(measured)]
    write(FILE, to_json(found, depth=2) + "\n", overwrite=overwrite)


if __name__ == "__main__":
    main()
