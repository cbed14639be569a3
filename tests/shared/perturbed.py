"""A perturbed corpus whose answers are known, and the measures written out as the article defines them."""

from statistics import correlation, fmean, pstdev, stdev

import numpy as np
import pandas as pd

NAMES = {
    "ada": ("female", "scientist"), "bea": ("female", "athlete"), "cai": ("female", "athlete"),
    "dan": ("male", "scientist"), "eli": ("male", "scientist"), "fox": ("male", "athlete"),
}  # fmt: skip
THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 1.0)


def corpus(sentences: int = 12) -> pd.DataFrame:
    """Rows as a perturbed corpus has them: each sentence with its original and every name, shuffled."""
    rows = []
    for j in range(sentences):
        item, anchor = f"s{j:04d}", ("female", "male")[j % 2]
        labels = {"original": ("unmarked", "unmarked")} | NAMES
        rows += [
            {
                "text": f"{name} {j}", "person": name, "person_form": name.title(), "gender": gender,
                "race": "unmarked", "career": career, "person_type": "original" if name == "original" else "name",
                "item": item, "pair": item, "anchor": anchor,
            }
            for name, (gender, career) in labels.items()
        ]  # fmt: skip
    return pd.DataFrame(rows).sample(frac=1, random_state=1).reset_index(drop=True)


def scores(data: pd.DataFrame, seed: int = 0) -> np.ndarray:
    """Scores on a grid of hundredths, so that thresholds are met exactly."""
    return np.random.default_rng(seed).integers(0, 101, len(data)) / 100


def naive(data: pd.DataFrame, f: np.ndarray, thresholds=THRESHOLDS, baseline=("original",)) -> dict:
    """The definitions of section 2 of the article, sentence by sentence and name by name."""
    score = {(p, i): float(y) for p, i, y in zip(data["person"], data["item"], f, strict=True)}
    xs = [(b, i) for b, i in score if b in baseline]
    names = sorted({p for p, _ in score} - set(baseline))
    of = {n: [x for x in xs if (n, x[1]) in score] for n in names}
    have = {x: [n for n in names if (n, x[1]) in score] for x in xs}
    found: dict = {
        "sens": {n: fmean(score[n, x[1]] - score[x] for x in of[n]) for n in names},
        "score_dev": fmean(pstdev([score[n, x[1]] for n in have[x]]) for x in xs),
        "score_dev_sample": fmean(stdev([score[n, x[1]] for n in have[x]]) for x in xs if len(have[x]) > 1),
        "score_range": fmean(
            max(score[n, x[1]] for n in have[x]) - min(score[n, x[1]] for n in have[x]) for x in xs
        ),
        "correlation": correlation(
            [fmean(abs(score[n, x[1]] - score[x]) for n in have[x]) for x in xs], [score[x] for x in xs]
        ),
    }  # fmt: skip
    found["label_dist"] = {c: fmean(_jaccard(score, of[n], n, c) for n in names) for c in thresholds}
    return found


def _jaccard(score, xs, name, c) -> float:
    a = {x for x in xs if score[x] >= c}
    b = {x for x in xs if score[name, x[1]] >= c}
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def rows_of(result, term: str, axes: str | None = None) -> dict:
    return {row["level"]: row for row in result.overall if row["term"] == term and row["axes"] == axes}
