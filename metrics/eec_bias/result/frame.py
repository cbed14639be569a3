"""The long frame: which keys its rows carry."""

from typing import Any

Row = dict[str, Any]

TERM_KEYS = (
    "term", "axes", "level", "reference", "subset", "effect", "se", "df", "t", "p", "p_adjusted", "ci_low", "ci_high",
    "beta", "beta_se", "beta_p", "beta_se_person", "logit", "p_names_only", "p_permutation", "mde", "hedges_g",
    "superiority", "n_persons", "n_items", "n_sentences", "note",
)  # fmt: skip
"""Keys of every row of terms, whatever the method; None where a column has no meaning."""

FLIP_KEYS = ("axis", "level", "reference", "subset", "flip_rate", "within_rate", "n_items", "n_sentences")
"""Keys of a row of flips, after those that name the system."""

LEADING = ("system", "task", "stratum", "output")
"""Keys that may stand before those of every row, in this order: what the row is about."""
