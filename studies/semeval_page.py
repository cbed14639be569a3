"""The tables of the SemEval study, as Markdown: printed numbers, the same procedure, and the test of this project."""

from __future__ import annotations

from collections.abc import Sequence

from eec_bias.methods.camara2022 import LABEL, stars
from eec_bias.methods.kiritchenko2018 import LABEL as PAIRS_LABEL
from studies.markdown import Row, escaped, interval, number, p_value, sentence, table
from studies.printed import SOURCE, correlation, lookup
from studies.semeval_files import EMOTIONS
from studies.semeval_models import Learner
from studies.semeval_tables import BASELINE, Trained

TABLES = {
    "Table 3": ("en-black-white",),
    "Table 4": ("en-anglo-latino", "es-anglo-latino"),
    "Table 5": ("en-anglo-arab", "ar-anglo-arab"),
}

PUBLISHED_SPREADS = {"gender": ".09 to .2", "race": "< .002"}
"""Δ-spreads of the baseline, as Kiritchenko & Mohammad (2018) report them for all five tasks."""

PUBLISHED_DIRECTIONS = {
    ("anger", "gender"): "male",
    ("fear", "gender"): "male",
    ("sadness", "gender"): "male",
    ("valence", "gender"): "female",
    ("anger", "race"): "white",
    ("fear", "race"): "white",
    ("joy", "race"): "white",
    ("sadness", "race"): "white",
    ("valence", "race"): "Black",
}
"""Whose sentences the baseline of 2018 scored higher, by task and term (section 6); joy by gender is not said."""

HEAD = f"""\
# Trained systems next to the published tables

We trained a model for each language and emotion on the training tweets of SemEval-2018 Task 1, and scored the corpora
with it. Published numbers: {SOURCE}. The corpora of this project differ from the published ones in some words, and the
articles state no hyperparameters. So our numbers need not equal the published numbers.

"""

TABLE_NOTE = f"""
*published*: the number in the article; (?) marks a number that we could not read with certainty, and – a model that
the article does not have. *same procedure*: least squares over sentences on our scores, compared with white or Anglo
men. *effect*: the result of our default test, which treats names, templates and words as samples. Its p is multiplied
by twice the number of main questions of a model and emotion. *detectable* is the smallest effect that this test would
catch 8 times in 10.
\\*\\*\\* p ≤ .01, \\*\\* p ≤ .05, \\* p ≤ .10.
{sentence(LABEL)}
"""


def page(trained: Sequence[Trained], rows: Sequence[Row], spreads: Sequence[Row], learners: Sequence[Learner]) -> str:
    """Return the whole page.

    Parameters
    ----------
    trained
        The models.
    rows
        From `studies.semeval_tables.coefficients`.
    spreads
        From `studies.semeval_tables.spreads`; empty without English.
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
    lines = []
    for row in rows:
        if row["emotion"] == emotion:
            coefficient = number(row["coefficient"]) + escaped(stars(row["p_sentences"]))
            line = [row["corpus"], row["model"], row["term"], _published(row), coefficient, number(row["effect"])]
            lines.append([*line, interval(row), p_value(row["p_adjusted"]), number(row["mde"])])
    return f"\n### {emotion.capitalize()}\n\n{table(head, lines, 3)}"


def _published(row: Row) -> str:
    found = lookup(row["corpus"], row["model"], row["emotion"], row["term"])
    if found is None:
        return "–"
    return escaped(found.shown())


def _clipped(rows: Sequence[Row]) -> str:
    """Say how many scores were moved to 0 or 1, once per model and corpus."""
    found = {(row["corpus"], row["model"], row["emotion"]): row["clipped"] for row in rows}
    total = sum(found.values())
    said = f"Scores below 0 or above 1, which we moved to 0 or 1: {total:,} in {len(found)} sets of scores"
    if total:
        corpus, model, emotion = max(found, key=lambda key: found[key])
        most = found[corpus, model, emotion]
        said += f", most by {model} for {emotion} on {corpus}: {most:,}"
    return f"\n{said}.\n"


def _spreads(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    head = [
        "predicts",
        "term",
        "pairs",
        "mean Δ",
        "higher",
        "without names",
        "published",
        "Δ-spread",
        "published Δ-spread",
    ]
    lines = []
    for row in rows:
        published = PUBLISHED_SPREADS.get(row["term"], "–")
        phrases = higher(row, "phrases") if "phrases" in row else "–"
        directions = [higher(row), phrases, PUBLISHED_DIRECTIONS.get((row["affect"], row["term"]), "–")]
        numbers = [f"{row['pairs']:,}", number(row["mean"], 4), *directions, number(row["spread"], 4)]
        lines.append([row["affect"], row["term"], *numbers, published])
    return (
        f"\n## {BASELINE} in 2018\n\nKiritchenko & Mohammad (2018) report for all five tasks Δ-spreads (largest minus "
        f"smallest difference of a pair) of .09 to .2 on gender and below .002 on race, en-black-white.\n\n"
        f"{table(head, lines, 2)}\n{replication(rows)}\n{sentence(PAIRS_LABEL)}\n"
    )


def higher(row: Row, mean: str = "mean") -> str:
    """Name the group whose sentences get the higher scores on average, by the mean of a column."""
    if row[mean] == 0:
        return "–"
    return str(row["level"] if row[mean] > 0 else row["reference"])


def replication(rows: Sequence[Row]) -> str:
    """Say of how many tasks the direction is the published one, and what may be why where it is not."""
    said = []
    for term in dict.fromkeys(row["term"] for row in rows):
        known = [row for row in rows if row["term"] == term and (row["affect"], term) in PUBLISHED_DIRECTIONS]
        agree = [row for row in known if higher(row) == PUBLISHED_DIRECTIONS[row["affect"], term]]
        others = ", ".join(row["affect"] for row in known if row not in agree)
        words = f"{term}: the direction is the published one in {len(agree)} of {len(known)} tasks"
        said.append(f"{words} (not in {others})" if others else words)
        without = [row for row in known if "phrases" in row]
        if without:
            alike = sum(higher(row, "phrases") == PUBLISHED_DIRECTIONS[row["affect"], term] for row in without)
            said.append(f"over noun phrases and pronouns alone, as in the article, in {alike} of {len(without)}")
    return (
        f"{'; '.join(said)}. If the direction differs, the difference is small. The article of 2018 does not state C, "
        "ε, how tweets are cut into words, or if the development tweets were used. A single name or noun in the "
        "training tweets can also decide the direction.\n"
    )
