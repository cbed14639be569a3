"""The tables of the SemEval study, as Markdown: printed numbers, the same procedure, and the test of this project."""

from __future__ import annotations

from collections.abc import Sequence

from eec_bias.methods.camara2022 import LABEL, stars
from eec_bias.methods.kiritchenko2018 import LABEL as PAIRS_LABEL
from studies.markdown import Row, escaped, interval, number, p_value, table
from studies.printed import SOURCE, correlation, lookup
from studies.semeval import BASELINE, Trained
from studies.semeval_files import EMOTIONS
from studies.semeval_models import Learner

TABLES = {
    "Table 3": ("en-black-white",),
    "Table 4": ("en-anglo-latino", "es-anglo-latino"),
    "Table 5": ("en-anglo-arab", "ar-anglo-arab"),
}

HEAD = f"""\
# Trained systems beside the published tables

Models trained on SemEval-2018 Task 1, per language and emotion, on the training tweets; the corpora scored by them.
Published numbers: {SOURCE}. The corpora of this
project differ from the published ones in some words, so even the same training need not give the same numbers; and the
articles state no hyperparameters.

"""

TABLE_NOTE = f"""
*published*: as printed; (?) where the reading is not sure, – where the article has no such model. *same procedure*:
least squares over sentences on our scores, compared with white or Anglo men. *effect*: equally weighted differences of
groups, with names, templates and words as samples; p is adjusted by Holm within a model and emotion; *detectable* is
the smallest effect found with 80 % power. \\*\\*\\* p ≤ .01, \\*\\* p ≤ .05, \\* p ≤ .10. {LABEL[:1].upper()}{LABEL[1:]}.
"""


def page(trained: Sequence[Trained], rows: Sequence[Row], spreads: Sequence[Row], learners: Sequence[Learner]) -> str:
    """Return the whole page.

    Parameters
    ----------
    trained
        The models.
    rows
        From `studies.semeval.coefficients`.
    spreads
        From `studies.semeval.spreads`; empty without English.
    learners
        How they were trained.
    """
    parts = [HEAD, *(f"- {learner.name}: {learner.about}.\n" for learner in learners), _accuracy(trained)]
    for title, corpora in TABLES.items():
        own = [row for row in rows if row["corpus"] in corpora]
        if own:
            parts += [f"\n## {title}\n", *(_table(own, emotion) for emotion in EMOTIONS)]
    parts += [TABLE_NOTE, _clipped(rows), _spreads(spreads)]
    return "".join(parts)


def _accuracy(trained: Sequence[Trained]) -> str:
    head = ["language", "model", "predicts", "tweets", "Pearson, test tweets", "published"]
    lines = []
    for model in trained:
        known = correlation(model.language, model.learner, model.affect)
        lines.append(
            [model.language, model.learner, model.affect, f"{model.tweets:,}", number(model.pearson), number(known)]
        )
    return f"\n## Table 2: how good the models are\n\n{table(head, lines, 3)}"


def _table(rows: Sequence[Row], emotion: str) -> str:
    head = ["corpus", "model", "term", "published", "same procedure", "effect", "95 % interval", "p adj.", "detectable"]
    lines = [
        [r["corpus"], r["model"], r["term"], _published(r),
         f"{number(r['coefficient'])}{escaped(stars(r['p_sentences']))}", number(r["effect"]),
         interval(r), p_value(r["p_adjusted"]), number(r["mde"])]
        for r in rows if r["emotion"] == emotion
    ]  # fmt: skip
    return f"\n### {emotion.capitalize()}\n\n{table(head, lines, 3)}"


def _published(row: Row) -> str:
    found = lookup(row["corpus"], row["model"], row["emotion"], row["term"])
    return "–" if found is None else escaped(found.shown())


def _clipped(rows: Sequence[Row]) -> str:
    """Say how many scores were moved to 0 or 1, once per model and corpus."""
    found = {(r["corpus"], r["model"], r["emotion"]): r["clipped"] for r in rows}
    total = sum(found.values())
    worst = max(found, key=lambda key: found[key])
    more = f", most by {worst[1]} for {worst[2]} on {worst[0]}: {found[worst]:,}" if total else ""
    return f"\nScores beyond 0 or 1, moved there: {total:,} in {len(found)} sets{more}.\n"


def _spreads(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    head = ["predicts", "term", "pairs", "mean Δ", "Δ-spread", "published Δ-spread"]
    lines = [
        [r["affect"], r["term"], f"{r['pairs']:,}", number(r["mean"], 4), number(r["spread"], 4),
         {"gender": ".09 to .2", "race": "< .002"}.get(r["term"], "–")]
        for r in rows
    ]  # fmt: skip
    return (
        f"\n## {BASELINE} in 2018\n\nKiritchenko & Mohammad (2018) report for all five tasks Δ-spreads (largest minus "
        f"smallest difference of a pair) of .09 to .2 on gender and below .002 on race, en-black-white.\n\n"
        f"{table(head, lines, 2)}\n{PAIRS_LABEL[:1].upper()}{PAIRS_LABEL[1:]}.\n"
    )
