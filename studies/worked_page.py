"""The page of the study: docs/study/index.md."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from eec_datasets.audit.running import measure
from eec_datasets.systems.corpus import open_corpus
from studies.markdown import Row, interval, number, p_value, table
from studies.worked import BUILT_IN, ENGLISH, REAL, Measured

PROCEDURES = {
    "default": "this project: names, templates, words",
    "kiritchenko2018": "Kiritchenko & Mohammad (2018): paired t over template-words",
    "camara2022": "Câmara et al. (2022): least squares over sentences",
}

WITHIN = {"race": ", men", "gender": ", white", "race:gender": ""}
"""Among whom a coefficient of least squares with a reference compares."""

HEAD = """\
# A worked study

Made by `python -m studies.worked`, which writes this page, [results.csv](results.csv) and the picture; with VADER
{vader}, TextBlob {textblob} and eec-datasets {own}. The numbers, but those of the published procedures, are from
results.csv, which has more.

![Names and effects of VADER and of a built-in system](names.svg)

*{caption}*

## Two real systems

VADER and TextBlob score with lexicons, on a scale from −1 to 1. Of the {names} different names in the three English
corpora TextBlob reacts to none and VADER to one: *tia* is a positive word in its lexicon, so it scores sentences about
Tia higher. A difference of groups that rests on one name of ten does not show that another ten names would differ: no
detectable difference, and with such a name among the ten nothing smaller than the last column was likely to be found.
Where a system gives all names the same score, none of them matters to it; that says nothing on other names and words.

"""

MIDDLE = """
## Three procedures on the same scores

VADER on en-black-white, all name sentences. The procedure of 2018 takes the same 40 names, met in 144 template-words,
for 144 independent pairs, and on gender one pair of all names stands beside ten pairs of noun phrases; so one name is
enough for p below .001. The coefficients of 2022 compare with white men: Tia moves the intersection only, which gets
two stars. The published procedures do not hold their level (see [the procedures of the papers](../papers.md)).

"""

BUILT = """
## Systems whose answer is known

`biased:female` gives women 1 and all others 0; `noisy:female` gives each item, name and sentence a number of its own,
and women .05 more; `random:1` knows no name. The difference women – men of the first is exact, so it has no interval;
that of the second should lie near .05. Where a corpus has no names of a group, noun phrases stand for it.

"""

FOOT = """
## Reading results.csv

One row per system, corpus and term, as `eec audit` gives them: `effect` in units of the scores with its 95 % interval,
`p_adjusted` by Holm within a system and subset, `mde` the smallest effect found with 80 % power. Empty: without a
meaning for that row, see `note`. The languages are not reviewed by native speakers yet. Studies of trained systems are
made by [`python -m studies.semeval`](semeval.md).
"""


def published(vader: Measured) -> list[Row]:
    """Return the rows on race and gender of VADER by the default and the two published procedures."""
    found = []
    for method, named in PROCEDURES.items():
        result = measure(vader.system, vader.corpus, vader.scores, vader.score_range, method=method)
        subset = "all" if method == "kiritchenko2018" else "names"
        found += [
            {"procedure": named, "within": WITHIN[row["term"]] if method == "camara2022" else "", **row}
            for row in result.terms
            if row["subset"] == subset
        ]
    return found


def page(rows: Sequence[Row], three: Sequence[Row], caption: str) -> str:
    """Return the page.

    Parameters
    ----------
    rows
        Those of results.csv.
    three
        From `published`.
    caption
        Of the picture.
    """
    head = HEAD.format(
        vader=version("vaderSentiment"), textblob=version("textblob"), own=version("eec-datasets"), caption=caption,
        names=_names(),
    )  # fmt: skip
    real = [row for row in rows if row["system"] in REAL]
    parts = [head, _real(real), MIDDLE, _three(three), BUILT, _built(rows), "\n", _chance(rows), FOOT]
    return "".join(parts)


def _names() -> int:
    """Count the different names of the English corpora."""
    found = set()
    for config in ENGLISH:
        columns = open_corpus(config).columns
        found |= {
            form for form, kind in zip(columns["person_form"], columns["person_type"], strict=True) if kind == "name"
        }
    return len(found)


def _real(rows: Sequence[Row]) -> str:
    head = ["system", "corpus", "term", "on", "effect", "95 % interval", "p adj.", "detectable"]
    lines = []
    for config in ENGLISH:
        for system in REAL:
            own = [row for row in rows if (row["config"], row["system"]) == (config, system)]
            if not own:
                continue
            if all(row["effect"] == 0 and row["mde"] in (0, None) for row in own):
                lines.append([system, config, "all", "names, pairs", "0", "every name scores alike", "–", "–"])
                continue
            lines += [
                [system, config, _term(r), r["subset"], number(r["effect"]), interval(r), p_value(r["p_adjusted"]),
                 number(r["mde"])]
                for r in own
            ]  # fmt: skip
    return table(head, lines, right=4)


def _three(rows: Sequence[Row]) -> str:
    head = ["procedure", "term", "effect", "95 % interval", "p"]
    return table(
        head,
        [[r["procedure"], _term(r, r["within"]), number(r["effect"]), interval(r), p_value(r["p"])] for r in rows],
        right=2,
    )


def _built(rows: Sequence[Row]) -> str:
    head = ["corpus", "on", "n", *BUILT_IN]
    lines: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row["system"] in BUILT_IN and row["term"] == "gender" and row["level"] == "female":
            size = f"{row['n_persons']} × {row['n_items']}"
            line = lines.setdefault((row["config"], row["subset"]), [row["config"], row["subset"], size])
            ends = "" if row["ci_low"] is None else f" {interval(row)}"
            line.append(number(row["effect"]) + ends)
    return table(head, list(lines.values()), right=2)


def _chance(rows: Sequence[Row]) -> str:
    """Count what a system that knows no name is found guilty of."""
    tested = [row for row in rows if row["system"] == "random:1" and row["p"] is not None and row["effect"] is not None]
    below = sum(row["p"] < 0.05 for row in tested)
    held = sum(row["p_adjusted"] < 0.05 for row in tested)
    return (
        f"Of the {len(tested):,} terms tested on `random:1`, {below} ({100 * below / len(tested):.1f} %) have p below "
        f".05, and {held} after adjustment within each corpus and subset. About 5 % are expected of a system that "
        "knows no name.\n"
    )


def _term(row: Row, within: str = "") -> str:
    if ":" in row["term"]:
        return str(row["term"])
    return f"{row['level']} – {row['reference']}{within}"
