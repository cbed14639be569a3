"""What each figure shows: its marks, its words, and what it refuses."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from figure_cases import ARABIC, BASES, ITEMS, arabic, corpus, many, names, ordinary, pairs, scores
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from numpy.testing import assert_allclose

from eec_bias import Result, figures, measure
from eec_bias.figures.style import to_svg
from eec_bias.result.numbers import plain, signed

OWN = ("forest", "persons", "heatmap", "items", "systems")
"""Figures of every result; those of perturbations have tests of their own."""


def texts(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


def points(ax: Any, kinds: str = "os^Dv") -> list[float]:
    """Positions along the axis of all marks of some kinds."""
    return [float(x) for line in ax.lines if line.get_marker() in kinds for x in np.atleast_1d(line.get_xdata())]


def long_labels() -> Result:
    """Two systems and two groups with labels of 200 characters that hold HTML and mathematics."""
    data = names(("<b>" + "x" * 190 + " $end", "$x^2$ فاطمة" + "y" * 190), axis="group", persons=3)
    y = scores(data)
    return measure({"<script>alert(1)</script> $" + "n" * 180: y, "b & c": y}, data)


def many_levels() -> Result:
    data = names(tuple(f"Country {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), axis="country", persons=3)
    return measure(scores(data), data)


def smallest() -> Result:
    data = names(persons=2, items=ITEMS[:1])
    return measure(scores(data), data)


def constant() -> Result:
    data = corpus()
    return measure(np.full(len(data), 0.5), data)


CASES = {
    "ordinary": ordinary, "arabic": arabic, "long labels": long_labels, "26 levels": many_levels,
    "two persons, one item": smallest, "constant": constant, "pairs": lambda: measure(scores(pairs()), pairs()),
    "strata": lambda: ordinary(by="emotion", margin=0.05), "systems": lambda: many(3),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("width", [7.0, 3.4])
def test_nothing_lies_outside_a_figure_and_no_labels_of_an_axis_overlap(case: str, name: str, width: float) -> None:
    figure = CASES[case]().plot(name, width=width)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    whole = figure.bbox
    unseen = set()
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            # matplotlib keeps ticks beyond the ends of an axis, and does not draw them.
            ticks = [tick for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high]
            unseen |= {label for tick in ticks for label in (tick.label1, tick.label2)}
    for text in set(figure.findobj(Text)) - unseen:
        if not (text.get_visible() and text.get_text().strip()):
            continue
        box = text.get_window_extent(renderer)
        assert box.x0 >= whole.x0 - 1, text
        assert box.x1 <= whole.x1 + 1, text
        assert box.y0 >= whole.y0 - 1, text
        assert box.y1 <= whole.y1 + 1, text
    for ax in figure.axes:
        for axis, low, high in ((ax.yaxis, "y0", "y1"), (ax.xaxis, "x0", "x1")):
            labels = [tick.label1 for tick in axis.get_major_ticks() if tick.label1.get_text()]
            labels = [label for label in labels if label not in unseen]
            # Labels that are turned by 45° overlap as boxes and not as letters.
            boxes = [label.get_window_extent(renderer) for label in labels if label.get_rotation() in (0, 90)]
            ends = sorted((getattr(box, low), getattr(box, high)) for box in boxes)
            assert all(one[1] <= other[0] + 1 for one, other in pairwise(ends))


@pytest.mark.parametrize("name", OWN)
def test_a_figure_is_a_function_of_the_result_alone(name: str) -> None:
    result = many(3)
    content = json.loads(json.dumps(result.to_dict(details=True)))
    drawn = [to_svg(figures.draw(name, each)) for each in (result, content, Result.from_dict(content))]
    assert drawn[0] == drawn[1] == drawn[2]


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("theme", ["light", "dark", "print", "page"])
def test_every_figure_has_every_theme_and_says_what_it_shows(name: str, theme: Any) -> None:
    figure = ordinary().plot(name, theme=theme)
    assert (
        "24 items" in figure.eec_caption or "24 persons" in figure.eec_caption or "4 groups of 6" in figure.eec_caption
    )
    assert figure.eec_alt.startswith(f"{figure.eec_title}. ")


def test_the_forest_shows_one_line_per_row_and_tells_findings_without_colour() -> None:
    result = ordinary(margin=0.04)
    figure = result.plot()
    (ax,) = figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "race: Latino – Anglo (names)",
        "gender: female – male (names)",
        "race × gender: Latino:female, diff. of differences (names)",
        "gender: female – male (pairs)",
    ]
    marks = [line for line in ax.lines if line.get_marker() == "o"]
    assert_allclose([line.get_xdata()[0] for line in marks], [row["effect"] for row in result.terms])
    filled = [line.get_markerfacecolor() == line.get_color() for line in marks]
    assert filled == [row["p_adjusted"] < 0.05 for row in result.terms] == [False, True, False, True]
    bars = [bar.get_width() / 2 for bar in ax.patches]
    assert_allclose(bars, [row["mde"] for row in result.terms])
    assert figure.eec_caption == (
        "4 effects, in units of scores from 0 to 1, with 95 % intervals, not adjusted. n of names: 24 persons × 24 "
        "items; pairs: 6 rows × 24 items. Filled: a difference, p adj. (Holm) < .05 where there is a test. Bars: "
        "effects that would not be found with 80 % power. "
        "Dashed: the margin stated, ±0.04; thick lines: 90 % intervals."
    )


def test_the_forest_shows_the_margin() -> None:
    dashed = [line for line in ordinary(margin=0.04).plot().axes[0].lines if line.get_linestyle() == "--"]
    assert sorted(line.get_xdata()[0] for line in dashed) == [-0.04, 0.04]


def test_the_forest_of_many_systems_compares_them_on_one_term() -> None:
    figure = many(3).plot(term="race:gender")
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [f"system {i:03d}" for i in range(3)]
    assert figure.axes[0].get_xlabel().startswith("race × gender: Latino:female, diff. of differences (names)\n")


def test_the_forest_of_219_systems_shows_those_with_the_largest_effects_and_says_so() -> None:
    data = names(persons=2, items=ITEMS[:3])
    result = measure({f"s{i}": scores(data, i, i / 2000) for i in range(219)}, data)
    figure = result.plot(term="gender")
    assert len(figure.axes[0].get_yticklabels()) == 60
    assert "The 60 of 219 rows with the largest effects, in the order of the result." in figure.eec_caption


def test_omnibus_rows_show_their_p_and_terms_left_out_are_named() -> None:
    data = names(("Anglo", "Black", "Latino"))
    figure = measure(scores(data), data).plot()
    assert "race, any level (names)" in texts(figure)
    assert any("p adj. (Holm) = " in text for text in texts(figure))
    lone = pd.concat([names(), pairs()[lambda rows: rows["pair"].str.endswith("she_he")]], ignore_index=True)
    assert "Pairs: gender (female against male) is left out" in measure(scores(lone), lone).plot().eec_caption


def test_a_row_that_was_not_estimated_is_shown_as_such() -> None:
    content = ordinary().to_dict()
    content["terms"][0].update(effect=None, se=None, p=None, ci_low=None, ci_high=None, mde=None)
    figure = figures.forest(content)
    assert "not estimated" in texts(figure)
    assert "race, Latino against Anglo (names) not estimated" in figure.eec_alt


def test_p_that_are_not_adjusted_are_not_called_so() -> None:
    figure = ordinary(adjust="none").plot()
    assert "p < .05" in texts(figure)
    assert "adjusted" not in figure.eec_caption


def test_every_person_is_a_point_at_its_mean_and_the_ends_are_named() -> None:
    result = ordinary()
    figure = result.plot("persons")
    detail = result.details[0]
    assert_allclose(sorted(points(figure.axes[0])), sorted(detail.person_means[0]))
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["Anglo · female (6)", "Anglo · male (6)", "Latino · female (6)", "Latino · male (6)"]
    means = dict(zip(detail.persons["person"], detail.person_means[0], strict=True))
    women = [person for person in means if person.startswith("Anglo-female")]
    assert {min(women, key=means.__getitem__), max(women, key=means.__getitem__)} <= set(texts(figure))
    assert figure.eec_caption.startswith(
        "Each point is the mean score of one person over 24 items, in units of scores from 0 to 1. Subset names. n: 24 "
        "persons in 4 groups of 6."
    )


def test_names_in_arabic_letters_are_written_as_the_corpus_writes_them() -> None:
    shown = {text.strip("\u2068\u2069") for text in texts(arabic().plot("persons"))}
    assert len(shown & {form for forms in ARABIC.values() for form in forms}) == 8


def test_persons_of_a_pair_are_joined() -> None:
    lines = [line for line in ordinary().plot("persons", subset="pairs").axes[0].lines if line.get_label() == "base"]
    assert [len(line.get_xdata()) for line in lines] == [2] * len(BASES)


def test_the_heat_map_shows_cell_means_and_the_residual() -> None:
    result = ordinary()
    mean = {(cell["race"], cell["gender"]): cell["mean"] for cell in result.cells if cell["subset"] == "names"}
    table = np.array([[mean[race, gender] for gender in ("female", "male")] for race in ("Anglo", "Latino")])
    residual = table - table.mean(0) - table.mean(1)[:, None] + table.mean()
    figure = result.plot("heatmap")
    first, second = figure.axes
    assert [text.get_text() for text in first.texts] == [plain(value) for value in table.ravel()]
    assert [text.get_text() for text in second.texts] == [signed(value) for value in residual.ravel()]
    assert "n: 4 groups of 6 persons, 576 sentences." in figure.eec_caption
    assert "Interaction: no detectable difference, p adj. (Holm) = " in figure.eec_caption


def test_the_heat_map_averages_over_other_axes_and_takes_any_two() -> None:
    data = names(("Anglo", "Latino"))
    data["age"] = np.where(data["person"].str[-1].isin(["0", "1", "2"]), "old", "young")
    result = measure(scores(data), data)
    figure = result.plot("heatmap", axes=("age", "gender"))
    assert "Averaged over race." in figure.eec_caption
    old = [cell["mean"] for cell in result.cells if cell["age"] == "old" and cell["gender"] == "female"]
    assert figure.axes[0].texts[0].get_text() == plain(np.mean(old))


def test_items_are_named_above_what_is_drawn() -> None:
    for width in (3.4, 7.0):
        figure = ordinary().plot("items", width=width)
        figure.canvas.draw()
        (ax,) = figure.axes
        drawn = ax.get_window_extent()
        lowest, highest = (text.get_window_extent() for text in ax.texts)
        assert min(lowest.y0, highest.y0) >= drawn.y1
        assert not lowest.overlaps(highest)


def test_items_are_shown_by_size_emotion_or_template() -> None:
    result = ordinary()
    detail = result.details[0]
    gender = [contrast["term"] for contrast in detail.contrasts].index("gender")
    effects = detail.item_effects[0, gender]
    figure = result.plot("items", term="gender")
    assert_allclose(sorted(points(figure.axes[0])), sorted(effects))
    assert detail.items["item"][int(effects.argmax())] in figure.axes[0].texts[1].get_text().splitlines()[1]
    assert "Mean of all items" in figure.eec_caption
    strips = result.plot("items", term="gender", by="emotion")
    assert [label.get_text() for label in strips.axes[0].get_yticklabels()] == ["anger (8)", "joy (8)", "none (8)"]
    assert len(result.plot("items", by="template").axes[0].get_yticklabels()) == 8


def test_boxes_describe_the_item_differences_and_are_ordered_by_accuracy() -> None:
    result = many(5)
    figure = result.plot("systems", term="gender", accuracy={f"system {i:03d}": i for i in range(5)})
    (ax,) = figure.axes
    assert [label.get_text() for label in ax.get_xticklabels()] == [f"system {i:03d}" for i in (4, 3, 2, 1, 0)]
    detail = result.details[0]
    gender = [contrast["term"] for contrast in detail.contrasts].index("gender")
    quartiles = np.quantile(detail.item_effects[::-1, gender], [0.25, 0.75], axis=1)
    assert_allclose([bar.get_y() for bar in ax.patches], quartiles[0])
    assert_allclose([bar.get_y() + bar.get_height() for bar in ax.patches], quartiles[1])
    assert {line.get_marker() for line in ax.lines if line.get_marker() != "None"} == {"^", "v", "o"}
    assert "2 higher, 2 lower, 1 without a difference found" in figure.eec_caption


def test_the_boxes_of_the_2018_procedure_are_those_of_its_sentence_pairs() -> None:
    result = many(4, "kiritchenko2018")
    figure = result.plot("systems", term="gender")
    (ax,) = figure.axes
    deltas = result.study.deltas["gender", "all"]
    assert_allclose([bar.get_y() for bar in ax.patches], np.quantile(deltas, 0.25, axis=1))
    assert f"on {deltas.shape[1]} sentence pairs each" in figure.eec_caption
    assert "which is not size-controlled" in figure.eec_caption


def test_219_submissions_over_five_tasks_have_a_panel_per_task() -> None:
    data = names(persons=2, items=ITEMS[:3])
    tasks = ["anger", "fear", "joy", "sadness", "valence"]
    each = {f"s{i}": scores(data, i, 0) for i in range(219)}
    result = measure(each, data, tasks={name: tasks[i % 5] for i, name in enumerate(each)})
    figure = result.plot("systems")
    assert [ax.get_title(loc="left") for ax in figure.axes] == tasks
    assert [len(ax.patches) for ax in figure.axes] == [44, 44, 44, 44, 43]
    without = measure(each, data).plot("systems")
    assert [ax.get_title(loc="left") for ax in without.axes] == [
        "systems 1 to 55 of 219", "systems 56 to 110 of 219", "systems 111 to 165 of 219", "systems 166 to 219 of 219",
    ]  # fmt: skip


def test_the_first_of_several_parts_is_drawn_and_said() -> None:
    assert "System system 000 (the first of 3), subset names." in many(3).plot("persons").eec_caption
    assert (
        "System system 002, subset pairs." in many(3).plot("persons", system="system 002", subset="pairs").eec_caption
    )
    assert "Stratum anger (the first of 3), subset names." in ordinary(by="emotion").plot("heatmap").eec_caption


def test_rates_of_a_class_are_shares_and_not_scores() -> None:
    data = corpus()
    result = measure(np.round(scores(data) * 4) + 1, data, outputs="ordinal", score_range=(1, 5))
    assert ", in units of scores from 1 to 5, rates in shares of sentences, with" in result.plot().eec_caption
    output = next(row["output"] for row in result.terms if row["output"].startswith("rate["))
    for name in OWN:
        assert "in shares of sentences" in result.plot(name, output=output).eec_caption
        assert "in units of scores from 1 to 5" in result.plot(name, output="score").eec_caption


def test_long_labels_are_whole_in_the_text_alternative() -> None:
    figure = long_labels().plot()
    assert "<script>alert(1)</script> $" + "n" * 180 in figure.eec_alt
    svg = to_svg(figure)
    assert "<script>" not in svg
