"""What a hundred names and a lattice of items are worth: ``python -m benchmarks.names`` (needs wordllama installed).

First, on a system that reacts to names: logistic regression of the valence of VADER's words on averaged token
embeddings (the weights in the wheel of wordllama, which is not imported). Its interval for race on the corpus of the
papers stands beside that on a part of the corpus with a hundred names, of no more sentences. Second, simulated power
on a part of 6,400 name sentences for a sentence encoder with a trained head (`eec_bias.allocation.ENCODER`, which
states how its logits become scores).
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import eec_bias
import eec_datasets
from eec_bias.allocation import ENCODER

PAPER, STRONG = "en-black-white", "en-black-white-100"
NAMES, ITEMS = 100, 20
POWER_ITEMS = 16
EFFECTS = {"race": 0.02, "race:gender": 0.04}
SYSTEMS = 1000


class Embeddings:
    """Averages of the token embeddings in the wheel of wordllama."""

    def __init__(self) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        folder = _folder("wordllama")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizers/l2_supercat_tokenizer_config.json"))
        (self.weights,) = load_file(folder / "weights/l2_supercat_256.safetensors").values()

    def __call__(self, texts: list[str]) -> NDArray[np.float64]:
        """One row per text."""
        found = self.tokenizer.encode_batch(texts, add_special_tokens=False)
        return np.array([self.weights[one.ids].astype(float).mean(axis=0) for one in found])


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed: pip install {package}")
    return Path(spec.origin).parent


def lexicon() -> dict[str, bool]:
    """VADER's words of letters only with a valence of at least 1 in size: whether it is positive."""
    lines = (_folder("vaderSentiment") / "vader_lexicon.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t")[:2] for line in lines if line)
    return {word: float(valence) > 0 for word, valence in pairs if word.isalpha() and abs(float(valence)) >= 1}


def race_interval(model: Any, embed: Embeddings, rows: Any) -> tuple[float, float, float]:
    """Effect of race among names on the scale from 0 to 1, and the half-width and detectable effect of its test."""
    scores = model.predict_proba(embed(rows["text"][:]))[:, 1]
    terms = eec_bias.measure(scores, rows).to_dict()["terms"]
    (row,) = [term for term in terms if term["term"] == "race" and term["subset"] == "names"]
    return row["effect"], (row["ci_high"] - row["ci_low"]) / 2, row["mde"]


def widths() -> str:
    """The two intervals and their ratio."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score

    embed, words = Embeddings(), lexicon()
    vectors, positive = embed(list(words)), list(words.values())
    accuracy = cross_val_score(LogisticRegression(max_iter=2000), vectors, positive, cv=5).mean()
    model = LogisticRegression(max_iter=2000).fit(vectors, positive)
    lines = [f"{len(words):,} words, cross-validated accuracy {accuracy:.2f}"]
    halves = []
    for name, part in ((PAPER, {}), (STRONG, {"names": NAMES, "items": ITEMS})):
        rows = eec_datasets.load(name, **part)
        effect, half, mde = race_interval(model, embed, rows)
        halves.append(half)
        lines.append(
            f"{name} {part or ''}: {len(rows):,} sentences, race {effect:+.4f} ± {half:.4f}, detectable {mde:.4f}"
        )
    return "\n".join([*lines, f"half-widths: {halves[1] / halves[0]:.2f} times"])


def power() -> str:
    """Simulated power at the components of the encoder."""
    rows = eec_datasets.load(STRONG, names=NAMES, items=POWER_ITEMS)
    own = {"persons": ENCODER.names, "groups × items": ENCODER.group_items, "residual": ENCODER.residual}
    lines = [f"{STRONG}, {NAMES} names × {POWER_ITEMS} items, {SYSTEMS:,} simulated systems"]
    for term, effect in EFFECTS.items():
        (row,) = eec_bias.power(rows, term, (effect,), components=own, systems=SYSTEMS, seed=1).to_dict("records")
        sides = f"{row['power_low']:.2f} to {row['power_high']:.2f}"
        lines.append(f"{term} {effect}: power {row['power']:.2f} ({sides})")
    return "\n".join(lines)


if __name__ == "__main__":
    print(widths(), power(), sep="\n\n")
