"""The page of the study: docs/study/index.md."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from eec_datasets import corpora
from eec_datasets.audit.running import measure
from studies.markdown import Row, interval, number, p_value, table
from studies.worked_measures import BUILT_IN, ENGLISH, FEW, MANY, REAL, Measured

PROCEDURES = {
    "default": "this project: names, templates, words",
    "kiritchenko2018": "Kiritchenko & Mohammad (2018): paired t over template-words",
    "camara2022": "Câmara et al. (2022): least squares over sentences",
}

SUBSETS = {"default": "names", "kiritchenko2018": "all", "camara2022": "names"}
"""Procedure → the subset that is shown; that of 2018 is for names and noun phrases together."""

WITHIN = {"race": ", men", "gender": ", white", "race:gender": ""}
"""Among whom a coefficient of least squares with a reference compares."""

HEAD = """\
# A worked study

`python -m studies.worked` writes this page, [results.csv](results.csv) and the picture. It used wordllama {wordllama},
VADER {vader}, TextBlob {textblob} and eec-datasets {own}. The numbers come from results.csv, which has more, except
those of the published procedures. Of a corpus with a hundred names per group the study takes 20 items, so that it has
no more sentences than a corpus of the papers.

![Scores of names, ten and a hundred per group, and the differences that follow, for four systems](names.svg)

*{caption}*

## Three real systems

`wordllama` is a sentiment classifier on the token embeddings of a language model. Its scores run from 0 to 1. A
regression learned from VADER's words which ones are positive, and was told nothing about names ([how it is
made](../names.md#a-system-that-reacts-to-names)). With ten names per group the test would have found a difference
of {few_mde} between women's and men's names in four of five cases ({few_config}). It finds none:
{few_effect}. With a hundred names per group and fewer sentences it would have found
{many_mde}, and it finds {many_effect}. For race, ten names per group (en-black-white)
give {race_few}. A hundred matched names give
{race_many}, and that interval does not contain the former number.
Names of one group differ so much from each other that the mean of ten says little about the group.

VADER and TextBlob score with lexicons, on a scale from −1 to 1. Of the {names} different names in the six English
corpora TextBlob reacts to none and VADER to one: *tia* is a positive word in its lexicon, so it scores sentences about
Tia higher. (The sets of a hundred names hold no word of that lexicon.) A difference between groups that rests on one
name of ten does not show that another ten names would differ. So the result is no detectable difference. With such a
name among the ten, a difference smaller than the last column was unlikely to be found. If a system gives all names the
same score, none of these names matters to it. That says nothing about other names and words.

"""

MIDDLE = """
## Three procedures on the same scores

The table uses VADER's scores of all name sentences of en-black-white. The procedure of 2018 treats the same 40 names in
144 template-words as 144 independent pairs. For gender it counts one pair of all names beside ten pairs of noun
phrases. So a single name is enough for p below .001. The coefficients of 2022 compare with white men. Tia moves only
the intersection, which gets two stars. The published procedures do not hold their level (see [the procedures of the
papers](../papers.md)).

"""

BUILT = """
## Systems whose answer is known

`biased:female` gives women 1 and all others 0. `noisy:female` gives each item, name and sentence a number of its own,
and women .05 more. `random:1` knows no name. The difference between women and men is exact for the first system, so it
has no interval. For the second it should lie near .05. Where a corpus has no names of a group, noun phrases stand for
it.

"""

FOOT = """
## Reading results.csv

The file has one row per system, corpus and term, as `eec audit` gives them. `effect` is in units of the scores and has
a 95 % interval. `p_adjusted` is adjusted by Holm within a system and subset. `mde` is the smallest effect found with 80
% power. An empty cell has no meaning for that row; `note` says why. No native speaker has reviewed the languages yet.
[`python -m studies.semeval`](semeval.md) makes studies of trained systems.
"""


def published(vader: Measured) -> list[Row]:
    """Return the rows on race and gender of VADER by the default and the two published procedures."""
    found = []
    for method, named in PROCEDURES.items():
        result = measure(vader.system, vader.corpus, vader.scores, vader.score_range, method=method)
        for row in result.to_dict()["terms"]:
            if row["subset"] != SUBSETS[method]:
                continue
            within = ""
            if method == "camara2022":
                within = WITHIN[row["term"]]
            found.append({"procedure": named, "within": within} | row)
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
        wordllama=version("wordllama"),
        vader=version("vaderSentiment"),
        textblob=version("textblob"),
        own=version("eec-datasets"),
        caption=caption,
        names=_names(),
        few_config=FEW,
        **_few_and_many(rows),
    )
    parts = [head, _real(rows), MIDDLE, _three(three), BUILT, _built(rows), "\n", _chance(rows), FOOT]
    return "".join(parts)


def _few_and_many(rows: Sequence[Row]) -> dict[str, str]:
    """Return the numbers of the first system with ten and with a hundred names per group."""

    def found(config: str, term: str) -> Row:
        wanted = (REAL[0], config, term, "names")
        return next(row for row in rows if (row["system"], row["config"], row["term"], row["subset"]) == wanted)

    def said(row: Row) -> str:
        return f"{number(row['effect'])} {interval(row)} (adjusted p {p_value(row['p_adjusted'])})"

    few, many = found(FEW, "gender"), found(MANY, "gender")
    return {
        "few_mde": number(few["mde"]),
        "few_effect": said(few),
        "many_mde": number(many["mde"]),
        "many_effect": said(many),
        "race_few": said(found("en-black-white", "race")),
        "race_many": said(found("en-black-white-100", "race")),
    }


def _names() -> int:
    """Count the different names of the English corpora."""
    persons = (person for config in ENGLISH for person in corpora.find(config).persons)
    return len({person.roles["nom"] for person in persons if person.type == "name"})


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
            for row in own:
                line = [system, config, _term(row), row["subset"], number(row["effect"]), interval(row)]
                lines.append([*line, p_value(row["p_adjusted"]), number(row["mde"])])
    return table(head, lines, right=4)


def _three(rows: Sequence[Row]) -> str:
    head = ["procedure", "term", "effect", "95 % interval", "p"]
    lines = []
    for row in rows:
        numbers = [number(row["effect"]), interval(row), p_value(row["p"])]
        lines.append([row["procedure"], _term(row, row["within"]), *numbers])
    return table(head, lines, right=2)


def _built(rows: Sequence[Row]) -> str:
    head = ["corpus", "on", "n", *BUILT_IN]
    lines: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row["system"] in BUILT_IN and row["term"] == "gender" and row["level"] == "female":
            size = f"{row['n_persons']} × {row['n_items']}"
            line = lines.setdefault((row["config"], row["subset"]), [row["config"], row["subset"], size])
            if row["ci_low"] is None:
                line.append(number(row["effect"]))
            else:
                line.append(f"{number(row['effect'])} {interval(row)}")
    return table(head, list(lines.values()), right=2)


def _chance(rows: Sequence[Row]) -> str:
    """Say how many terms of a system that knows no name have a p below .05."""
    tested = [row for row in rows if row["system"] == "random:1" and row["p"] is not None and row["effect"] is not None]
    below = sum(row["p"] < 0.05 for row in tested)
    held = sum(row["p_adjusted"] < 0.05 for row in tested)
    return (
        f"Of the {len(tested):,} terms tested on `random:1`, {below} ({100 * below / len(tested):.1f} %) have p below "
        f".05, and {held} after adjustment within each corpus and subset. About 5 % are expected for a system that "
        "knows no name.\n"
    )


def _term(row: Row, within: str = "") -> str:
    if ":" in row["term"]:
        return str(row["term"])
    return f"{row['level']} – {row['reference']}{within}"
