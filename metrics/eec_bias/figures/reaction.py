"""Reactions to two groups in a plane: each item's mean score about either, and a line whose slope is their ratio."""

from collections import Counter
from typing import Any

import numpy as np

from eec_bias.errors import ResultError
from eec_bias.figures.page import opened
from eec_bias.figures.parts import choose_term, parts_of, scale
from eec_bias.figures.style import Theme
from eec_bias.options import Bools, Floats
from eec_bias.result.comparison import HEARD, REACTION
from eec_bias.result.details import Detail
from eec_bias.result.parts import pick
from eec_bias.result.reactions import ReactionFinding, find_reactions

AGREES = "agrees"
POSITIVE, NEGATIVE = "1", "-1"


def reaction(result: Any, *, term: str | None = None, theme: Theme = "light", width: float = 4.5, **where: Any) -> Any:
    """Draw the mean score of each item about one group across that about the other.

    The bold line runs from the mean of the negative emotions to that of the positive ones. Its slope is the ratio of
    the reactions. Words of a list that are heard about one group only are hollow. If some words have a form for each
    group, they are drawn alone.

    Parameters
    ----------
    result : Result or dict
        What was measured, with details.
    term : str, optional
        Such as ``gender:reaction``; by default the first that was found, else the first.
    theme : {"light", "dark", "print", "page"}
        Colours.
    width : float
        Inches.
    **where
        ``system``, ``task``, ``stratum``, ``output``, ``subset``: which part.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    OptionError
        If the result has no such term or part.
    ResultError
        If it has no reactions, or was saved without details.
    """
    with opened(result, theme, width) as page:
        finding = _choose(page.record, term, where)
        detail, system = _detail_of(page.record, finding)
        level, reference, sign, classes = _points(detail, system, finding)
        ax = page.axes(width)
        ends = float(min(level.min(), reference.min())), float(max(level.max(), reference.max()))
        room = 0.06 * (ends[1] - ends[0] or 1.0)
        limits = ends[0] - room, ends[1] + room
        ax.plot(limits, limits, color=page.style.ink, linewidth=0.8, alpha=0.5, zorder=0)
        places = list(zip(reference.round(9).tolist(), level.round(9).tolist(), sign.tolist(), strict=True))
        silent = _silence(page.record, finding)
        hollow = 0
        for (x, y, positive), count in Counter(places).items():
            colour = page.style.colours[0 if positive > 0 else 1]
            alone = silent is not None and (abs(x - silent) < 1e-9) != (abs(y - silent) < 1e-9)
            hollow += count if alone else 0
            ax.scatter(x, y, s=14 * count, facecolors="none" if alone else colour, edgecolors=colour, zorder=2)
        line = [_mean_of(detail, classes, sign, side) for side in (reference, level)]
        ax.plot(*line, color=page.style.colours[2], linewidth=2.6, marker="s", zorder=3)
        ax.set(xlim=limits, ylim=limits, aspect="equal")
        unit = scale(page.record, [detail.where.get("output")])
        ax.set_xlabel(f"score about {finding.row.reference}")
        ax.set_ylabel(f"score about {finding.row.level}")
        # Rounded so that a flat line has no minus.
        slope = round((line[1][1] - line[1][0]) / (line[0][1] - line[0][0] or np.nan), 2) + 0.0
        values = [f"mean of negative emotions {line[0][0]:.3g}, {line[1][0]:.3g}"]
        values.append(f"mean of positive emotions {line[0][1]:.3g}, {line[1][1]:.3g}")
        said = {"finding": finding, "unit": unit, "slope": slope, "items": len(level), "hollow": hollow}
        return page.finish("reaction", values, **said, agreeing=finding.agrees is not None)


def _choose(record: Any, term: str | None, where: dict[str, Any]) -> ReactionFinding:
    """Return the finding that is drawn."""
    findings = [each for each in find_reactions(record) if each.asks == REACTION and each.row.reaction is not None]
    if not findings:
        raise ResultError(
            "the result has no reactions to compare, so there is nothing to draw; they need positive and negative "
            "emotions, see its notes"
        )
    rows = pick([{**dict(each.row), "at": each} for each in findings], where, "reactions")
    chosen: list[ReactionFinding] = [row["at"] for row in rows]
    if term is not None:
        chosen = [row["at"] for row in choose_term(rows, term)]  # type: ignore[type-var]
    words = [each for each in find_reactions(record) if each.asks == HEARD and each.found]
    of_words = [each for each in chosen if any(_is_about_words(found, each) for found in words)]
    return next((each for each in chosen if each.found), next(iter([*of_words, *chosen])))


def _detail_of(record: Any, finding: ReactionFinding) -> tuple[Detail, int]:
    """Return what lies behind the rows of the finding, and the place of its system there."""
    for part in parts_of(record, "reaction"):
        same = all(part.get(key) == finding.row.get(key) for key in ("system", "task", "stratum", "output", "subset"))
        if same and finding.comparison.axes in part["at"][0].axes:
            detail, system = part["at"]
            return detail, system
    raise ResultError(f"the result has no details of {finding.comparison.id}")


def _points(detail: Detail, system: int, finding: ReactionFinding) -> tuple[Floats, Floats, Floats, Bools]:
    """Return the scores of the items about the level and about the reference, their signs, and which agree."""
    row = finding.row
    wanted = {"term": finding.comparison.axes, "level": row.level, "reference": row.reference}
    contrast = next(r for r, each in enumerate(detail.contrasts) if each == wanted)
    effect, mean = detail.item_effects[system, contrast], detail.item_means[system, contrast]
    half = 0.5 if row.reference != "mean" else 1.0
    sign = np.array([float(each or 0) for each in detail.items["valence"]])
    agrees = np.array([each == AGREES for each in detail.items["agreement"]])
    # Words with a form for each group are drawn alone if the finding tells them from the others.
    shown = (sign != 0) & (agrees if finding.agrees is not None else True)
    level, reference = mean + half * effect, mean - (1 - half) * effect
    return level[shown], reference[shown], np.where(shown, sign, 0.0)[shown], shown


def _mean_of(detail: Detail, shown: Bools, sign: Floats, side: Floats) -> tuple[float, float]:
    """Return the mean of the negative and of the positive emotions, each emotion counted once."""
    emotions = np.array(detail.items["emotion"])[shown]
    means = []
    for wanted in (-1.0, 1.0):
        own = sorted(set(emotions[sign == wanted].tolist()))
        means.append(float(np.mean([side[emotions == emotion].mean() for emotion in own])))
    return means[0], means[1]


def _is_about_words(each: ReactionFinding, finding: ReactionFinding) -> bool:
    """Return whether a finding counts the words that the same system hears about the same groups."""
    same = (each.system, each.task, each.comparison.axes) == (finding.system, finding.task, finding.comparison.axes)
    return each.asks == HEARD and same and each.row.subset == finding.row.subset


def _silence(record: Any, finding: ReactionFinding) -> float | None:
    """Return the score of words that a list does not have; None if the scores do not tie."""
    heard = next((each for each in find_reactions(record) if _is_about_words(each, finding)), None)
    if heard is None:
        return None
    silent = [row["mean"] for row in heard.words if row["heard"] == 0]
    silent += [row["mean_reference"] for row in heard.words if row["heard_reference"] == 0]
    return float(np.median(silent)) if silent else None
