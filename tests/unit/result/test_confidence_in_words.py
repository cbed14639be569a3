"""The confidence that was asked for, in every word, table, figure and check; 95 % stands nowhere by itself."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from verdict_cases import DATA, scores

from eec_bias import measure, report
from eec_bias.result.html import as_html
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import from_content
from eec_datasets.audit.report.validation import BadResult
from eec_datasets.audit.saving import audit

SCORES = scores(DATA)
NINETY = measure(SCORES, DATA, confidence=0.9, rate_above=0.5)


def test_intervals_have_the_confidence_asked_for() -> None:
    row = NINETY.overall[0]
    reach = stats.t.ppf(0.95, row.df) * row.se
    assert (row.ci_low, row.ci_high) == pytest.approx((row.effect - reach, row.effect + reach))


def test_a_difference_is_told_below_one_minus_the_confidence() -> None:
    row = replace(measure(SCORES, DATA).overall[0], p=0.07, p_adjusted=0.07)
    found = [replace(measure(SCORES, DATA, confidence=c), terms=(row,)).verdicts[0].kind for c in (0.9, 0.95)]
    assert found == ["difference", "not_detectable"]


@pytest.mark.parametrize("shown", [report(NINETY), as_html(NINETY), "\n".join(NINETY.tables().values())])
def test_texts_and_tables_name_the_confidence(shown: str) -> None:
    assert "90 % interval" in shown
    assert "95 %" not in shown


@pytest.mark.parametrize("name", ["forest", "persons"])
def test_captions_of_figures_name_the_confidence(name: str) -> None:
    caption = NINETY.plot(name).eec_caption
    assert "90 % interval" in caption
    assert "95 %" not in caption
    assert "< .05" not in caption


def saved(*confidences: float) -> list[dict[str, object]]:
    results = [measure(SCORES, DATA, confidence=confidence) for confidence in confidences]
    return [{"system": f"s{i}", "config": "", "result": each.to_dict(details=True)} for i, each in enumerate(results)]


@pytest.mark.parametrize(
    ("language", "level"), [("en", "about 90 of 100"), ("es", "unas 90 de cada 100"), ("ar", "90")]
)
def test_a_report_names_the_confidence_in_its_language(language: str, level: str) -> None:
    text = page.render(from_content(audit(saved(0.9), []), "a.json", ""), language=language, form="md")
    assert level in text
    assert "95%" not in text
    assert "95\u00a0%" not in text


def test_a_report_of_several_confidences_is_refused() -> None:
    with pytest.raises(BadResult, match="intervals of 90 % and 95 %, and one report can speak of one"):
        page.render(from_content(audit(saved(0.9, 0.95), []), "a.json", ""))


def test_equivalence_keeps_its_own_level() -> None:
    for confidence in (0.5, 0.95, 0.99):
        text = report(measure(0.5 + 0.1 * (SCORES - np.mean(SCORES)), DATA, margin=0.05, confidence=confidence))
        assert "the margin stated (90 % interval" in text
