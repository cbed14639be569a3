"""The figures of the perturbation measures: what is drawn, named and said."""

from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from figure_cases import labels, perturbed
from perturbed import corpus, scores

from eec_bias import OptionError, Result
from eec_bias.figures import label_dist, sensitivity
from eec_bias.figures.style import STYLES
from eec_bias.methods import perturbation


@pytest.fixture
def result() -> Result:
    return perturbed()


def points(figure) -> list[float]:
    lines = figure.axes[0].lines
    return [line.get_xdata()[0] for line in lines if line.get_linestyle() == "None" and len(line.get_xdata())]


def ordered(result, system: str) -> list[dict]:
    rows = [row for row in result.overall if row["system"] == system and row["axes"] == "person"]
    return sorted(rows, key=lambda row: -row["effect"])


def test_every_name_is_a_point_highest_first_with_its_interval(result) -> None:
    figure = sensitivity(result, system="two")
    rows = ordered(result, "two")
    assert points(figure) == [row["effect"] for row in rows]
    forms = {"ada": "\u2068عائدة\u2069", "bea": "B$e_a$"}
    assert labels(figure) == [forms.get(row["level"], row["level"].title()) for row in rows]
    bars = [tuple(line.get_xdata()) for line in figure.axes[0].lines if len(line.get_xdata()) == 2]
    assert {(row["ci_low"], row["ci_high"]) for row in rows} <= set(bars)
    low, high = figure.axes[0].get_ylim()
    assert low > high
    assert sorted(labels(sensitivity(result.to_dict()))) == ["ada", "bea", "cai", "dan", "eli", "fox"]


def test_colours_markers_and_blocks_are_labels_of_the_names(result) -> None:
    figure = sensitivity(result, group="career", blocks="gender")
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["athlete (3)", "scientist (3)"]
    women = [row["level"] for row in ordered(result, "one") if row["level"] in ("ada", "bea", "cai")]
    assert len(women) == 3
    assert points(figure)[:3] == [row["effect"] for row in ordered(result, "one") if row["level"] in women]
    assert [text.get_text() for text in figure.axes[0].texts] == ["female", "male"]
    assert len({line.get_marker() for line in figure.axes[0].lines if line.get_linestyle() == "None"}) == 2


def test_captions_say_what_is_plotted_and_how_many(result, snapshot) -> None:
    drawn = [sensitivity(result), sensitivity(result, group="career", blocks="gender", system="two"),
             sensitivity(result.to_dict()), sensitivity(many_names()), label_dist(result),
             label_dist(measured(scores(corpus()) / 2, (0.3, 0.9))), label_dist(many_systems())]  # fmt: skip
    snapshot.check("figure-captions-perturbation", "\n".join(figure.eec_caption for figure in drawn))


def measured(of: Any, thresholds: Any) -> Result:
    return perturbation(of, corpus(), thresholds=thresholds)


@cache
def many_names() -> Result:
    persons = ["original", *(f"n{i:03d}" for i in range(70))]
    data = pd.DataFrame([{"person": p, "item": i} for i in ("s1", "s2", "s3") for p in persons])
    return perturbation(np.random.default_rng(0).random(len(data)), data)


@cache
def many_systems() -> Result:
    return measured({f"s{i}": scores(corpus(), i) for i in range(10)}, (0.3, 0.6))


def test_many_names_are_summarised_between_the_highest_and_the_lowest() -> None:
    figure = sensitivity(many_names())
    assert len(points(figure)) == 70
    assert len(labels(figure)) == 41
    assert "… 30 between" in labels(figure)
    assert figure.get_figheight() < 10


def test_label_distances_are_a_line_per_system_with_a_band(result) -> None:
    figure = label_dist(result)
    ax = figure.axes[0]
    drawn = [line for line in ax.lines if line.get_linestyle() != "None"]
    assert [line.get_label() for line in drawn] == ["one", "two"]
    for line in drawn:
        rows = [r for r in result.overall if r["term"] == "label_dist" and r["system"] == line.get_label()]
        assert line.get_ydata().tolist() == [row["effect"] for row in rows]
        assert line.get_xdata().tolist() == [float(row["level"]) for row in rows]
    assert len(ax.collections) == 2
    assert len(label_dist(result, system="two").axes[0].collections) == 1


def test_many_systems_are_drawn_alike_with_their_median() -> None:
    result = many_systems()
    figure = label_dist(result)
    median = next(line for line in figure.axes[0].lines if line.get_label() == "median of 10 systems")
    values = [
        [r["effect"] for r in result.overall if r["term"] == "label_dist" and r["level"] == c] for c in ("0.3", "0.6")
    ]
    assert median.get_ydata().tolist() == pytest.approx(np.median(values, axis=1).tolist())
    assert len(figure.axes[0].lines) == 13


def test_distances_by_convention_are_hollow() -> None:
    lines = label_dist(measured(scores(corpus()) / 2, (0.3, 0.9)), theme="page").axes[0].lines
    (hollow,) = (line for line in lines if line.get_linestyle() == "None")
    assert (hollow.get_xdata().tolist(), hollow.get_markerfacecolor()) == ([0.9], STYLES["page"].inside)
    alone = perturbation(scores(corpus()), corpus(), thresholds=0.5, bootstrap=99)
    assert label_dist(alone).axes[0].lines[0].get_xdata().tolist() == [0.5, 0.5]


def test_what_is_not_there_is_refused(result) -> None:
    for draw, options, said in (
        (partial(sensitivity, result), {"group": "rank"}, r"'rank' is no group .* gender, career"),
        (partial(sensitivity, result.to_dict()), {"blocks": "gender"}, r"'gender' .* no labels of"),
        (partial(label_dist, result), {"system": "three"}, r"system 'three' has no label distances .* one, two"),
    ):
        with pytest.raises(OptionError, match=said):
            draw(**options)
