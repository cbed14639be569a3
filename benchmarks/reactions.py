"""Write the part of docs/sizes.md on reactions to feelings: ``python -m benchmarks.reactions``.

Systems that treat nobody differently are drawn on the sentences of our corpora: words differ in strength, groups react
to words and templates in their own way, and lists miss forms of words by chance. A line counts the systems of which a
reaction, or a word, is said to be lost at .05. Lines on power draw systems that react to one group less.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import eec_datasets
from eec_bias.assembly.heard import listen_to
from eec_bias.inputs.containers import read_source
from eec_bias.inputs.observed import label_rows
from eec_bias.inputs.strata import stratify
from eec_bias.options import DEFAULTS, Floats
from eec_bias.shared import write_over
from eec_bias.stats.contrasts import Contrast, build_contrasts
from eec_bias.stats.default_test import FEWEST_DF
from eec_bias.stats.families import cluster_names
from eec_bias.stats.heard import HeardItems, listen
from eec_bias.stats.layout import Table
from eec_bias.stats.reaction import ReactionItems, ReactionScores, compare_reactions, compare_within_bases
from eec_bias.stats.rounding import exceeds

TARGET = Path(__file__).parent.parent / "docs" / "sizes.md"
TITLE = "## Reactions to feelings"
STEP = 100
LEVEL = 0.05


@dataclass(frozen=True)
class Sentences:
    """The sentences of one comparison of women and men: a table, its items, and what words are listened to."""

    table: Table
    items: ReactionItems
    contrast: Contrast
    heard: HeardItems | None

    @property
    def agrees(self) -> Any:
        """Return which items have a form for each gender, (J,)."""
        return self.items.agrees[self.items.chosen]


@cache
def sentences(config: str, subset: str) -> Sentences:
    """Return the sentences of a config that compare women and men, by names or by pairs."""
    data = eec_datasets.load(config)
    options = replace(DEFAULTS, axes=("gender",))
    (stratum, *_), _ = stratify(label_rows(read_source(data), options).on_axes(requested=True), options)
    table = next(each for each in stratum.design.tables if each.subset == subset)
    contrast = next(each for each in build_contrasts(table.axes) if each.term == "gender")
    items = stratum.reaction_items(table, contrast)
    assert items is not None
    heard = listen_to(table, contrast, stratum).items if table.paired else None
    return Sentences(table, items, contrast, heard)


@dataclass(frozen=True)
class Null:
    """Systems that are drawn.

    Attributes
    ----------
    config, subset : str
        Their sentences.
    persons : int
        Names of each group, or pairs; 0 for those of the config.
    sds : mapping
        Standard deviations of what varies.
    of_others : mapping
        Those that differ for all groups but the first.
    tails : tuple of str
        What has heavy tails: drawn from t with 3 degrees of freedom, with the same standard deviation.
    reaction : float
        The mean reaction.
    weights : tuple of float
        The groups, and what each counts in the comparison. Women are the groups at even places.
    ratio, ratio_agreeing : float
        How far feelings about women move the score, of those about men, on all items, and on those that agree.
    gaps : tuple of float
        What is added to the scores about each group.
    change : function, optional
        What becomes of the scores.
    """

    config: str = "es-anglo-latino"
    subset: str = "names"
    persons: int = 10
    sds: dict[str, float] = field(default_factory=dict)
    of_others: dict[str, float] = field(default_factory=dict)
    tails: tuple[str, ...] = ()
    reaction: float = 0.3
    weights: tuple[float, ...] = (1.0, -1.0)
    ratio: float = 1.0
    ratio_agreeing: float = 1.0
    gaps: tuple[float, ...] = (0.0, 0.0)
    change: Callable[[Floats, np.random.Generator], Floats] | None = None


USUAL = {"words": 0.12, "templates": 0.05, "names": 0.03, "residual": 0.02}


def draw(null: Null, systems: int, rng: np.random.Generator) -> list[Floats]:
    """Draw scores (S, P, J) of each group."""
    part = sentences(null.config, null.subset)
    items, facets = part.items, part.table.facets
    assert facets.word is not None
    assert facets.template is not None
    word, template = (np.unique(code[items.chosen], return_inverse=True)[1] for code in (facets.word, facets.template))
    number = null.persons or _persons(part.table)

    def normal(name: str, *shape: int, group: int = 0) -> Floats:
        sds = USUAL | null.sds | (null.of_others if group else {})
        size = (systems, *shape)
        drawn = rng.standard_t(3, size) / np.sqrt(3) if name in null.tails else rng.standard_normal(size)
        return np.asarray(drawn * sds.get(name, 0.0))

    profile = null.reaction * np.where(items.share > 0, 0.75, -0.25)
    profile = profile + normal("words", word.max() + 1)[:, word] + normal("templates", template.max() + 1)[:, template]
    groups = []
    bases = normal("names", number)
    for group, gap in enumerate(null.gaps):
        own = profile.copy()
        if group % 2 == 0:
            own *= np.where(part.agrees, null.ratio_agreeing, 1.0) * null.ratio
        own += gap
        own += normal("groups × words", word.max() + 1, group=group)[:, word]
        own += normal("groups × templates", template.max() + 1, group=group)[:, template]
        names = bases if part.table.paired else normal("names", number)
        values = own[:, None, :] + names[:, :, None] + normal("residual", number, len(word), group=group)
        for crossed, code in (("names × words", word), ("names × templates", template),
                              ("names × emotions", items.emotion)):  # fmt: skip
            if null.sds.get(crossed):
                values += normal(crossed, number, code.max() + 1, group=group)[..., code]
        groups.append(values if null.change is None else null.change(values, rng))
    return groups


def _persons(table: Table) -> int:
    return int((table.cell == 0).sum())


def reject(part: Sentences, groups: Sequence[Floats], weights: Sequence[float], level: float = LEVEL) -> Floats:
    """Return 1 for each system whose reactions are said to differ at a level, else 0."""
    number = groups[0].shape[1]
    if part.table.paired:
        one_cell = cluster_names(np.zeros(number, dtype=np.intp))
        found = compare_within_bases(np.stack(groups, axis=2), None, np.array(weights), one_cell, part.items, 1.0)
    else:
        cell = np.repeat(np.arange(len(groups)), number)
        scores = ReactionScores(np.concatenate(groups, axis=1), cluster_names(cell), part.items)
        found = compare_reactions(scores, np.array(weights)[None], 1.0)
    low, high = found.average.interval()
    clear = (low > 0) | (high < 0)
    tested = clear & ~exceeds(FEWEST_DF, found.share.least) & (found.share.se > 0)
    return (tested & (found.share.p < level))[:, 0].astype(float)


def size(null: Null, systems: int, seed: int = 53) -> float:
    """Return how often a reaction is said to differ."""
    rng, part = np.random.default_rng(seed), sentences(null.config, null.subset)
    found = []
    for start in range(0, systems, STEP):
        groups = draw(null, min(STEP, systems - start), rng)
        found.append(reject(part, groups, null.weights))
    return float(np.concatenate(found).mean())


# Word lists


@dataclass(frozen=True)
class WordList:
    """Lists that are drawn.

    Attributes
    ----------
    config : str
        The sentences.
    known : float
        Share of the words that they know.
    missing : (float, float)
        Shares of the forms about women, and about men, that they lack.
    gap, grid : float
        What is added to scores about women, and to what scores are rounded.
    noise : float
        Standard deviation of noise, before scores are rounded.
    """

    config: str = "es-anglo-latino"
    known: float = 1.0
    missing: tuple[float, float] = (0.0, 0.0)
    gap: float = 0.0
    grid: float = 0.0
    noise: float = 0.0


def draw_list(null: WordList, systems: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw scores (S, U, J) of women and of men by lists; all pairs of a list have the same scores."""
    part = sentences(null.config, "pairs")
    assert part.heard is not None
    # Without noise all pairs have the same scores, so two of them are enough.
    heard, pairs = part.heard, _persons(part.table) if null.noise else 2
    number = int(heard.word.max()) + 1
    strength = rng.choice([0.25, 0.5, 0.75], (systems, number)) * (rng.random((systems, number)) < null.known)
    both = []
    for side, lost in enumerate(null.missing):
        there = np.where(heard.agrees, (rng.random((systems, number)) >= lost)[:, heard.word], True)
        values = (strength[:, heard.word] * heard.sign * there)[:, None, :] + np.zeros((1, pairs, 1))
        values = values + (null.gap if side == 0 else 0.0)
        if null.noise:
            values = values + null.noise * rng.standard_normal(values.shape)
        both.append(np.round(values / null.grid) * null.grid if null.grid else values)
    return both[0], both[1]


def reject_list(null: WordList, systems: int, level: float = LEVEL, seed: int = 54) -> tuple[float, float, float]:
    """Return how often a reaction, a count of words, or either is said to differ at a level."""
    rng, part = np.random.default_rng(seed), sentences(null.config, "pairs")
    assert part.heard is not None
    reactions, words = [], []
    for start in range(0, systems, STEP):
        women, men = draw_list(null, min(STEP, systems - start), rng)
        chosen = part.items.chosen
        reactions.append(reject(part, [women[..., chosen], men[..., chosen]], (1.0, -1.0), level))
        for heard in listen(women, men, part.heard, np.full(len(women), 1e-12)):
            p = heard.p if null.noise else max(heard.p_words, 2 * 0.5 ** _persons(part.table))
            words.append(float(heard.applies and p <= level and heard.one_way))
    by_reaction, by_words = np.concatenate(reactions), np.array(words)
    return float(by_reaction.mean()), float(by_words.mean()), float(np.maximum(by_reaction, by_words).mean())


# The page

LOUD = {"groups × words": 0.05, "groups × templates": 0.02, "names × words": 0.02}
QUIET = {"groups × words": 0.02, "groups × templates": 0.01, "names × words": 0.01}
GROUPS = {"groups × words": 0.05, "groups × templates": 0.02}

LOUD_HERS = {"names × words": 0.12, "residual": 0.08}
QUIET_HIS = {"names × words": 0.02, "residual": 0.02}
AGAINST_MEAN = (2 / 3, -1 / 3, -1 / 3)
INTERACTION = (1.0, -1.0, -1.0, 1.0)

POWER = (("es-anglo-latino", "names", 10), ("pt-gender", "names", 10), ("es-forms", "pairs", 0))


def _logistic(values: Floats, rng: np.random.Generator) -> Floats:  # noqa: ARG001  # as the others
    return 1 / (1 + np.exp(-8 * values))


def _clipped(values: Floats, rng: np.random.Generator) -> Floats:  # noqa: ARG001  # as the others
    return np.clip(values, -0.2, 0.2)


def _on_a_grid(step: float) -> Callable[[Floats, np.random.Generator], Floats]:
    return lambda values, rng: np.round((values + 0.1 * rng.standard_normal(values.shape)) / step) * step


def _in_three_classes(values: Floats, rng: np.random.Generator) -> Floats:  # noqa: ARG001  # as the others
    return np.digitize(values, [-0.1, 0.1]) / 2


NULLS: dict[str, Null] = {
    "names and residual only": Null(),
    "groups × words .05, × templates .02": Null(sds=GROUPS),
    "the same, words sd .02": Null(sds={**GROUPS, "words": 0.02}),
    "names × words .06": Null(sds={"names × words": 0.06}),
    "names × words .06, groups × words .05": Null(sds={"names × words": 0.06, "groups × words": 0.05}),
    "names × templates .06": Null(sds={"names × templates": 0.06}),
    "names × templates .06, groups × templates .05, × words .02": Null(
        sds={"names × templates": 0.06, "groups × templates": 0.05, "groups × words": 0.02}
    ),
    "scores bent by a logistic curve": Null(sds=GROUPS, change=_logistic),
    "scores cut off at ± .2": Null(sds=GROUPS, change=_clipped),
    "some extreme words and groups × words (t₃)": Null(sds=GROUPS, tails=("words", "groups × words")),
    "gap of .10, the same reaction": Null(sds=GROUPS, gaps=(0.1, 0.0)),
    "scores rounded to steps of .1": Null(sds=GROUPS, change=_on_a_grid(0.1)),
    "scores rounded to steps of .25": Null(sds=GROUPS, change=_on_a_grid(0.25)),
    "scores of three classes": Null(sds=GROUPS, change=_in_three_classes),
    "scores of three classes, gap of .10": Null(sds=GROUPS, gaps=(0.1, 0.0), change=_in_three_classes),
    "names × emotions .02": Null(sds={**GROUPS, "names × emotions": 0.02}),
    "mean reaction of only .05": Null(sds=GROUPS, reaction=0.05),
    "5 names, names × words .06": Null(persons=5, sds={"names × words": 0.06}),
    "names × words .12 and residual .08 in one group, .02 and .02 in the other": Null(
        sds=LOUD_HERS, of_others=QUIET_HIS
    ),
    "the same, mean reaction of .1": Null(sds=LOUD_HERS, of_others=QUIET_HIS, reaction=0.1),
    "groups × words .10 in one group, 0 in the other": Null(
        sds={"groups × words": 0.1}, of_others={"groups × words": 0.0}
    ),
    "three groups, one compared with the mean": Null(sds=GROUPS, weights=AGAINST_MEAN, gaps=(0.0, 0.0, 0.0)),
    "the same, with gaps .1, 0, −.1": Null(sds=GROUPS, weights=AGAINST_MEAN, gaps=(0.1, 0.0, -0.1)),
    "two races × two genders: gender": Null(sds=GROUPS, weights=(0.5, -0.5, 0.5, -0.5), gaps=(0.0,) * 4),
    "two races × two genders: race × gender": Null(sds=GROUPS, weights=INTERACTION, gaps=(0.0,) * 4),
    "two races × two genders: race × gender, .8 of the reaction to women": Null(
        sds=GROUPS, weights=INTERACTION, gaps=(0.0,) * 4, ratio=0.8
    ),
    "two races × two genders: gender, 5 names per cell, names × words .06": Null(
        persons=5, sds={"names × words": 0.06}, weights=(0.5, -0.5, 0.5, -0.5), gaps=(0.0,) * 4
    ),
    "10 pairs, pairs × words .05": Null(subset="pairs", persons=0, sds={"names × words": 0.05}),
    "10 pairs, groups × words .05": Null(subset="pairs", persons=0, sds={"groups × words": 0.05}),
    "pt-gender, names": Null("pt-gender", sds=GROUPS),
    "es-forms, groups × words .05": Null("es-forms", "pairs", 0, sds={"groups × words": 0.05}),
}

LISTS: dict[str, WordList] = {
    "20 % of forms missing, equally often for both genders": WordList(missing=(0.2, 0.2)),
    "35 % of forms missing, equally often for both genders": WordList(missing=(0.35, 0.35)),
    "half of the words known, 20 % of forms missing": WordList(known=0.5, missing=(0.2, 0.2)),
    "constant gap .12": WordList(gap=0.12),
    "steps of .1 with noise .03 and gap .05": WordList(gap=0.05, grid=0.1, noise=0.03),
    "steps of .25, gap .05": WordList(gap=0.05, grid=0.25),
    "steps of .25, gap .12": WordList(gap=0.12, grid=0.25),
    "es-forms, 20 % of forms missing": WordList("es-forms", missing=(0.2, 0.2)),
    "es-forms, half of the words known, 35 % of forms missing": WordList("es-forms", 0.5, (0.35, 0.35)),
    "es-forms, constant gap .12": WordList("es-forms", gap=0.12),
}

QUESTIONS = 3
"""Questions of the second family of a list of pairs alone: emotion, reaction and words."""


def rate(value: float) -> str:
    """Return a share without its leading zero."""
    return f"{value:.3f}".removeprefix("0")


def two(value: float) -> str:
    """Return a share of two digits."""
    return f"{value:.2f}".removeprefix("0")


def page(systems: int) -> str:
    """Return the page."""
    lines = [HEAD.format(systems=systems)]
    lines += [f"| {name} | {rate(size(null, systems))} |" for name, null in NULLS.items()]
    lines += ["", LISTS_HEAD]
    for name, lists in LISTS.items():
        by_reaction, by_words, _ = reject_list(lists, systems)
        lines.append(f"| {name} | {rate(by_reaction)} | {rate(by_words)} |")
    lines += ["", POWER_HEAD]
    for name, sds in (("loud", LOUD), ("quiet", QUIET)):
        for config, subset, persons in POWER:
            null = Null(config, subset, persons, sds=sds)
            muted = [size(replace(null, ratio=ratio), systems // 2) for ratio in (0.9, 0.8, 0.6)]
            agreeing = [size(replace(null, ratio_agreeing=ratio), systems // 2) for ratio in (0.6, 0.3, 0.0)]
            lines.append(f"| {config} | {name} | {' | '.join(map(two, (*muted, *agreeing)))} |")
    lines += ["", FORMS_HEAD]
    level = LEVEL / (2 * QUESTIONS)
    forms = [each.name for each in eec_datasets.configs() if each.name.endswith("-forms")]
    for config in ("es-anglo-latino", *forms):
        for known in (0.5, 0.7):
            found = [
                reject_list(WordList(config, known, (lost, 0.0)), systems // 2, level)[2] for lost in (0.2, 0.4, 1.0)
            ]
            lines.append(f"| {config} | {two(known)} | {' | '.join(map(two, found))} |")
    return "\n".join([*lines, "", TAIL])


HEAD = """## Reactions to feelings

A *reaction* is the distance between a system's scores of joyful sentences and its scores of unhappy sentences
([Does it hear everybody?](does-it-hear-everybody.md)). `python -m benchmarks.reactions` simulates {systems} systems for
each line. In the first table, all systems react to everyone's feelings equally. *Found* is the share of systems
for which the test at .05 finds a stronger reaction to one group. Unless a line says otherwise, there are 10 names
of each gender, and the mean reaction is .3. Scores have an sd of .12 between words, .05 between templates, .03
between names, and .02 for the rest (the *residual*). *Groups × words .05* means that the gap differs between words
with an sd of .05. *Names × words* means the same for differences between single names.

| systems | found |
|---|--:|"""

LISTS_HEAD = """\
The systems of the next table look words up in a list, and treat women and men the same. Some of the lists lack forms of
words by chance. Other simulated systems add a constant to the scores of sentences about women (*gap*), or round the
scores (*steps*). The columns have the share of systems for which the test finds a difference between women and men: in
the reaction, or in the number of words that change the score.

| lists | reaction | words |
|---|--:|--:|"""

POWER_HEAD = """\
The systems of the next table react less to women. The columns have the share of systems for which the test at .05 finds
this. Feelings of women move the score .9, .8 or .6 times as far as feelings of men. In the last three columns they move
it .6, .3 or 0 times as far, but only for words with a form for each gender. *Loud* systems have more noise than *quiet*
systems: groups × words, groups × templates and names × words have sds of .05, .02 and .02 in loud systems, and of .02,
.01 and .01 in quiet systems.

| corpus | noise | .9 | .8 | .6 | words with two forms: .6 | .3 | 0 |
|---|---|--:|--:|--:|--:|--:|--:|"""

FORMS_HEAD = """\
The systems of the last table look words up in a list again. The list contains only some of the words (the share
*known*). Of their forms for women, it lacks 20 %, 40 % or all. The columns have the share of systems for which the test
finds a difference, in the reaction or in the words that change the score. Each test is at the level .05 / 6, as in a
report with several such questions.

| corpus | known | .2 lacking | .4 | all |
|---|--:|--:|--:|--:|"""

TAIL = """\
If a system gives only a few different scores, a constant gap can move one group over a threshold and leave the other
group below it. The test then finds a different reaction, because the distance between joyful and unhappy sentences
differs too. For such a system, read a reaction together with the gap."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=2000, help="systems a line")
    chosen = parser.parse_args(arguments)
    before = TARGET.read_text(encoding="utf-8").partition(f"\n{TITLE}")[0]
    write_over({TARGET: f"{before.rstrip()}\n\n{page(chosen.systems)}\n"})


if __name__ == "__main__":
    main()
