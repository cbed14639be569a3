"""Scores and labels that are confounded by a known graph."""

from typing import Any

import numpy as np


def confounded(rng: np.random.Generator, rows: int = 400) -> tuple[Any, dict[str, Any]]:
    """Scores by a known graph: word → gender, word → score, gender → score by .05."""
    word = rng.integers(0, 4, rows)
    female = rng.random(rows) < np.array([0.2, 0.4, 0.6, 0.8])[word]
    scores = 0.5 + 0.1 * word + 0.05 * female + rng.normal(0, 0.15 * (1 + word / 3))
    return scores, {"word": np.array(list("wxyz"))[word], "gender": np.where(female, "female", "male")}


def by_names(rng: np.random.Generator, names: int) -> tuple[Any, dict[str, Any]]:
    """Thirty sentences each of so many names per gender; names have effects of their own."""
    person = np.repeat(np.arange(2 * names), 30)
    female = person >= names
    joy = rng.random(len(person)) < np.where(female, 0.75, 0.25)
    scores = 0.4 + 0.3 * joy + 0.05 * female + rng.normal(0, 0.05, 2 * names)[person]
    labels = {"word": np.where(joy, "joy", "anger"), "gender": np.where(female, "female", "male")}
    return scores + rng.normal(0, 0.1, len(person)), labels | {"person": [f"p{code}" for code in person]}
