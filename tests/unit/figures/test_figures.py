"""Figures, one by one: their marks, their words, and the input they refuse."""

import json
import re
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from deaf import deaf_list
from figure_cases import ARABIC, ITEMS, arabic, corpus, labels, many, names, ordinary, pairs, perturbed, scores, texts
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from numpy.testing import assert_allclose
from synthetic import BASES

from eec_bias import Result, compare, figures, measure
from eec_bias.errors import ResultError
from eec_bias.figures.style import STYLES, to_svg
from eec_bias.methods import kiritchenko2018

LONG = "a-sentiment-model@checkpoint-120000-distilled-multilingual"

OWN = ("forest", "persons")
"""Figures of every result; those of perturbations have tests of their own."""


def points(figure: Any) -> list[float]:
    """Positions along the axis of all marks of a figure, in order."""
    lines = [line for line in figure.axes[0].lines if line.get_marker() in "os^Dv"]
    return sorted(float(x) for line in lines for x in np.atleast_1d(line.get_xdata()))


def effects(result: Result, term: str) -> Any:
    """Effects of a term on each item of the names, (S, J)."""
    detail = result.details[0]
    return detail.item_effects[:, [contrast["term"] for contrast in detail.contrasts].index(term)]


@cache
def long_labels() -> Result:
    """Two systems and two groups with labels of 200 characters that hold HTML and mathematics."""
    data = names(("<b>" + "x" * 190 + " $end", "$x^2$ فاطمة" + "y" * 190), persons=3).rename(columns={"race": "group"})
    y = scores(data)
    return measure({"<script>alert(1)</script> $" + "n" * 180: y, "b & c": y}, data)


def measured(data: pd.DataFrame) -> Result:
    return measure(scores(data), data)


def aged(*ages: str, levels: tuple[str, ...] = ("Anglo", "Latino")) -> pd.DataFrame:
    """Names on three axes: level, gender and age."""
    data = names(levels)
    return data.assign(age=np.where(data["person"].str[-1] < "3", *ages))


@cache
def three_axes() -> Result:
    return measured(aged("old", "young"))


@cache
def long_levels() -> Result:
    """Three axes, two of them with levels that no narrow figure can hold side by side."""
    levels = ("Black people of the Caribbean", "white people of Northern Europe")
    return measured(aged("people above sixty-five years", "people between thirty and forty", levels=levels))


@cache
def crowded() -> Result:
    """Two systems, one with a long name, on three axes of which two have long levels."""
    data = aged("65 and older", "18 to 34", levels=("Black or African American", "Asian American and Pacific Islander"))
    y = scores(data)
    return measure({LONG: y, "b": y**2}, data)


@cache
def of_219(method: Any = measure, tasks: Any = None) -> Result:
    data = pairs() if method is kiritchenko2018 else names(persons=2, items=ITEMS[:3])
    return method({f"s{i}": scores(data, i, i / 2000) for i in range(219)}, data, tasks=tasks)


CASES = {
    "ordinary": ordinary,
    "arabic": arabic,
    "long labels": long_labels,
    "26 levels": cache(lambda: measured(names(tuple(f"Country {k}" for k in range(26)), persons=3))),
    "two persons, one item": cache(lambda: measured(names(persons=2, items=ITEMS[:1]))),
    "constant": cache(lambda: measure(np.full(len(corpus()), 0.5), corpus())),
    "pairs": cache(lambda: measured(pairs())),
    "strata": lambda: ordinary(by="emotion", margin=5),
    "systems": lambda: many(3),
    "crowded": crowded,
    "long levels": long_levels,
}
WIDE = ("ordinary", "long labels", "26 levels", "systems", "crowded")
"""Cases in which something could lie outside a wide figure; outside a narrow one, it could in every case."""


@pytest.mark.parametrize(
    ("width", "case"), [*((3.4, case) for case in CASES), *((7.0, case) for case in WIDE)], ids=str
)
@pytest.mark.parametrize("name", OWN)
def test_nothing_lies_outside_a_figure_and_no_labels_of_an_axis_overlap(case: str, name: str, width: float) -> None:
    figure = CASES[case]().plot(name, width=width)
    renderer, whole = FigureCanvasAgg(figure).get_renderer(), figure.bbox
    figure.draw_without_rendering()
    unseen = set()
    axes = [axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    for axis in axes:
        low, high = sorted(axis.get_view_interval())
        # matplotlib keeps ticks beyond the ends of an axis, and does not draw them.
        ticks = [tick for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high]
        unseen |= {label for tick in ticks for label in (tick.label1, tick.label2)}
    for text in set(figure.findobj(Text)) - unseen:
        if text.get_visible() and text.get_text().strip():
            box = text.get_window_extent(renderer)
            assert (box.min >= whole.min - 1).all() and (box.max <= whole.max + 1).all(), text  # noqa: PT018
    for axis in axes:
        end = 0 if axis.axis_name == "x" else 1
        shown = [tick.label1 for tick in axis.get_major_ticks() if tick.label1.get_text()]
        # Labels that are turned by 45° overlap as boxes and not as letters.
        shown = [label for label in shown if label not in unseen and label.get_rotation() in (0, 90)]
        boxes = [label.get_window_extent(renderer).get_points()[:, end] for label in shown]
        assert all(one[1] <= other[0] + 1 for one, other in pairwise(sorted(map(tuple, boxes))))


def test_labels_that_leave_no_room_stand_above_what_they_name() -> None:
    persons, forest = (crowded().plot(name, system=LONG) for name in ("persons", "forest"))
    persons.draw_without_rendering()
    renderer = FigureCanvasAgg(persons).get_renderer()
    boxes = [text.get_window_extent(renderer) for text in persons.axes[0].texts]
    assert len(boxes) == 3 * 8
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    rows = [text.get_text() for text in forest.axes[0].texts]
    assert len(set(rows)) == len(rows) == len(crowded().overall) / 2
    below = "\n← second group higher  |  first group higher →\ngap in points of 100 (scores from 0 to 1)"
    assert forest.axes[0].get_xlabel() == f"{LONG[:26]}…{LONG[-13:]}{below}"


@pytest.mark.parametrize("name", [name for name in figures.NAMES if name not in ("causal", "reaction")])
def test_a_figure_is_a_function_of_the_result_alone_and_has_every_theme(name: str) -> None:
    result = many(3) if name in OWN else perturbed()
    if name == "systems":
        result = many(3, "kiritchenko2018")
    content = json.loads(json.dumps(result.to_dict(details=True)))
    drawn = [to_svg(figures.draw(name, each)) for each in (result, content, Result.from_dict(content))]
    assert drawn[0] == drawn[1] == drawn[2]
    themes = [result.plot(name, theme=theme, width=3.4) for theme in STYLES]
    assert all(figure.eec_alt.startswith(f"{figure.eec_title}. ") for figure in themes)


def test_labels_are_whole_in_the_text_alternative() -> None:
    figure = long_labels().plot()
    assert "<script>alert(1)</script> $" + "n" * 180 in figure.eec_alt
    assert "<script>" not in to_svg(figure)


def test_captions_say_what_is_plotted_of_how_many_and_how_it_was_tested(snapshot: Any) -> None:
    lone = pd.concat([names(), pairs()[lambda rows: rows["pair"].str.endswith("she_he")]], ignore_index=True)
    three, whole = many(3), ordinary(margin=4)
    rates = measure(np.round(scores(corpus()) * 4) + 1, corpus(), outputs="ordinal", score_range=(1, 5))
    rate = next(row["output"] for row in rates.overall if row["output"].startswith("rate["))
    published = many(4, "kiritchenko2018")
    best = {f"system {i:03d}": i for i in range(4)}
    both = compare(scores(corpus(), 1), scores(corpus(), 2), corpus(), names=("old", "new"))
    drawn = {
        **{name: whole.plot(name) for name in OWN},
        "forest, a term left out": measured(lone).plot(),
        "forest of 219 systems": of_219().plot(term="gender"),
        "forest of rates and scores": rates.plot(),
        **{f"{name} of a rate": rates.plot(name, output=rate) for name in OWN},
        **{f"{name} of scores from 1 to 5": rates.plot(name, output="score") for name in OWN},
        "persons of pairs": whole.plot("persons", subset="pairs"),
        "persons of the first of three systems": three.plot("persons"),
        "persons of the third system": three.plot("persons", system="system 002", subset="pairs"),
        **{f"{name} of two systems compared": both.plot(name) for name in OWN},
        "systems of the 2018 procedure": published.plot("systems", term="gender"),
        "systems by accuracy": published.plot("systems", term="gender", accuracy=best),
    }
    snapshot.check("figure-captions", "\n".join(f"{name}\n    {each.eec_caption}" for name, each in drawn.items()))


def test_the_forest_tells_its_findings_apart_without_colour() -> None:
    result = ordinary(margin=4)
    figure = result.plot(width=8.0)
    (ax,) = figure.axes
    assert len(labels(figure)) == len(result.plan.main) == 8
    assert labels(figure)[:2] == ["Latino and Anglo names", "Women and men, by first name"]
    findings = {finding.comparison: finding for finding in result.findings}
    ordered = [findings[question] for question in result.plan.main]
    marks = [line for line in ax.lines if line.get_marker() == "o"]
    assert_allclose([line.get_xdata()[0] for line in marks], [finding.points for finding in ordered])
    filled = [line.get_markerfacecolor() == line.get_color() for line in marks]
    assert filled == [finding.found for finding in ordered]


def test_the_forest_draws_the_range_that_the_answer_is_read_off() -> None:
    result = ordinary()
    (ax,) = result.plot().axes
    findings = {finding.comparison: finding for finding in result.findings}
    drawn = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2 and line.get_linewidth() == 1.4]
    ordered = [findings[question] for question in result.plan.main]
    assert_allclose(drawn, list(map(line_of, ordered)))


def line_of(finding):
    """The range of the gap, or that of the emotion that alone makes it inconclusive."""
    ends = finding.points_low, finding.points_high
    if finding.answer != "inconclusive" or max(map(abs, ends)) > 10:
        return ends
    far = max(finding.emotions, key=lambda each: max(abs(each.low), abs(each.high)))
    return finding.to_points(far.low), finding.to_points(far.high)


def test_the_forest_dashes_the_margin_and_what_is_inconclusive() -> None:
    result = ordinary(margin=4)
    (ax,) = result.plot().axes
    dashed = [tuple(line.get_xdata()) for line in ax.lines if line.get_linestyle() == "--"]
    inconclusive = [each for each in result.findings if each.answer == "inconclusive"]
    assert inconclusive
    assert set(dashed) == {(-4, -4), (4, 4), *((each.points_low, each.points_high) for each in inconclusive)}


def test_the_forest_writes_answer_n_sides_and_unit_on_the_canvas() -> None:
    figure = ordinary().plot()
    beside = [text.rpartition("\n")[2] for text in texts(figure)]
    assert any(text.startswith("Women 5 higher · n ") for text in beside)
    assert any(re.fullmatch(r"None detected · at most \d+ · n 24", text) for text in beside)
    below = "← second group higher  |  first group higher →\ngap in points of 100 "
    assert figure.axes[0].get_xlabel().startswith(below)
    of_gender = ordinary().plot(term="gender")
    assert of_gender.axes[0].get_xlabel().startswith("← men higher  |  women higher →\n")


def test_the_forest_of_many_systems_compares_them_on_one_term() -> None:
    figure = many(3).plot(term="race:gender")
    assert labels(figure) == [f"system {i:03d}" for i in range(3)]
    assert figure.axes[0].get_xlabel().startswith("Women/men gap: Latino compared with Anglo\n")
    assert len(labels(of_219().plot(term="gender"))) == 60


def test_findings_without_a_gap_say_so() -> None:
    content = ordinary().to_dict()
    content["terms"][0].update(effect=None, se=None, p=None, ci_low=None, ci_high=None, mde=None)
    figure = figures.forest(content)
    assert any(text.startswith("Cannot be estimated") for text in texts(figure))
    assert "race, Latino against Anglo (names) Cannot be estimated" in figure.eec_alt


def test_the_forest_of_a_procedure_has_its_rows_and_their_intervals() -> None:
    result = many(1, "kiritchenko2018")
    (ax,) = result.plot().axes
    drawn = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2 and line.get_linewidth() == 1.4]
    assert_allclose(drawn, [(row.ci_low, row.ci_high) for row in result.overall])


def test_every_person_is_a_point_at_its_mean_and_the_ends_are_named() -> None:
    result = ordinary()
    figure, detail = result.plot("persons"), result.details[0]
    assert_allclose(points(figure), sorted(detail.person_means[0]))
    assert labels(figure) == ["Anglo · female (6)", "Anglo · male (6)", "Latino · female (6)", "Latino · male (6)"]
    means = dict(zip(detail.persons["person"], detail.person_means[0], strict=True))
    women = [person for person in means if person.startswith("anglo-female")]
    assert {min(women, key=means.__getitem__), max(women, key=means.__getitem__)} <= set(texts(figure))
    joined = [line for line in result.plot("persons", subset="pairs").axes[0].lines if line.get_label() == "base"]
    assert [len(line.get_xdata()) for line in joined] == [2] * len(BASES)
    # Names in Arabic letters are written as the corpus writes them.
    shown = {text.strip("\u2068\u2069") for text in texts(arabic().plot("persons"))}
    assert len(shown & {form for forms in ARABIC.values() for form in forms}) == 8


def test_boxes_describe_the_sentence_pairs_and_are_ordered_by_accuracy() -> None:
    result = many(5, "kiritchenko2018")
    figure = result.plot("systems", term="gender", accuracy={f"system {i:03d}": i for i in range(5)})
    (ax,) = figure.axes
    assert labels(figure, "x") == [f"system {i:03d}" for i in (4, 3, 2, 1, 0)]
    quartiles = np.quantile(result.study.deltas["gender", "all"][::-1], [0.25, 0.75], axis=1)
    assert_allclose([(bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches], quartiles.T)
    assert {line.get_marker() for line in ax.lines if line.get_marker() != "None"} <= {"^", "v", "o"}


def test_219_submissions_over_three_tasks_have_panels_per_task() -> None:
    tasks = ("anger", "joy", "valence")
    figure = of_219(kiritchenko2018, tuple(tasks[i % 3] for i in range(219))).plot("systems")
    parts = ("systems 1 to 37 of 73", "systems 38 to 73 of 73")
    assert [ax.get_title(loc="left") for ax in figure.axes] == [f"{task}, {part}" for task in tasks for part in parts]
    assert [len(ax.patches) for ax in figure.axes] == [37, 36] * 3
    assert [ax.get_title(loc="left") for ax in of_219(kiritchenko2018).plot("systems").axes] == [
        "systems 1 to 55 of 219", "systems 56 to 110 of 219", "systems 111 to 165 of 219", "systems 166 to 219 of 219",
    ]  # fmt: skip


def test_the_slope_of_the_bold_line_is_the_ratio_of_the_reactions() -> None:
    data, y = deaf_list()
    result = measure(y, data)
    figure = result.plot("reaction")
    assert "Its slope, 0.00, is the ratio of the reactions" in figure.eec_caption
    assert "Each point is an item (32 items whose words have a form for each group, " in figure.eec_caption
    assert "A point is hollow if the system reacts to its item about one group only (32 items)" in figure.eec_caption
    saved = Result.from_dict(json.loads(json.dumps(result.to_dict(details=True))))
    assert saved.plot("reaction").eec_alt == figure.eec_alt
    half = measure(y.where(data["gender"] == "male", 0.5 + 0.5 * (y + 0.02 * (y.index % 3) - 0.5)), data)
    ratio = next(each for each in half.reactions if each.asks == "reaction").agrees.ratio
    assert f"Its slope, {ratio:.2f}, is the ratio" in half.plot("reaction").eec_caption


def test_a_result_without_emotions_has_no_picture_of_reactions() -> None:
    data = corpus().drop(columns="emotion")
    with pytest.raises(ResultError, match="they need positive and negative emotions"):
        measure(scores(data), data).plot("reaction")
