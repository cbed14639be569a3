"""Regressions that are shipped with the package: their weights, what they were fitted to, how accurate they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.systems.base import Accuracy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER: Final = Path(__file__).parent
WHOLE: Final = "all words"
HALVES: Final = ("first half of the words", "second half of the words")


@dataclass(frozen=True, slots=True)
class Heads:
    """Logistic regressions on the embeddings of one package.

    Attributes
    ----------
    package, package_version, weights_sha256
        What makes the embeddings, and the hash of its weights.
    lexicon
        The package of the words they were learned from.
    words
        How many words each was learned from, by its name.
    weights
        A weight per number of an embedding and the intercept, by the same names; that of all words is the first.
    accuracy
        Of the first, by language.
    """

    package: str
    package_version: str
    weights_sha256: str
    lexicon: str
    words: Mapping[str, int]
    weights: Mapping[str, NDArray[np.float64]]
    accuracy: tuple[Accuracy, ...]


def load_heads(package: str) -> Heads:
    """Read the regressions that are shipped for a package."""
    import numpy as np

    content: dict[str, Any] = json.loads((FOLDER / f"{package}.json").read_text(encoding="utf-8"))
    weights = {name: np.array(values) for name, values in content.pop("weights").items()}
    accuracy = tuple(Accuracy(**each) for each in content.pop("accuracy"))
    return Heads(weights=weights, accuracy=accuracy, **content)
