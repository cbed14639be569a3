"""What the plain reading says of a row, in every language."""

from __future__ import annotations

from typing import Any

import pytest
from making import Row, cell, judged, no_spread, term
from snapshots import Snapshot

from eec_datasets.audit.report import sentences
from eec_datasets.audit.report.language import available, load_translator

STILL: Row = dict.fromkeys(("p", "p_adjusted", "ci_low", "ci_high", "mde", "t", "df")) | {"se": 0.0}
NONE: Row = dict.fromkeys(("effect", "se", "p", "p_adjusted", "ci_low", "ci_high", "mde"))
RACE = {"term": "race", "axes": "race", "level": "Black"}
BOTH = {"term": "race:gender", "axes": "race+gender", "level": "Latino:female", "reference": "Anglo:male"}
HAITI = {"term": "gender:country", "axes": "gender+country", "level": "female:Haiti", "reference": "male:mean"}
COUNTRIES = {"term": "country", "axes": "country", "level": "any", "reference": "mean", "subset": "phrases"}

CASES: dict[str, list[Row]] = {
    "not detectable": [term()],
    "difference": [term(effect=-0.5, p_adjusted=0.0004, subset="pairs")],
    "difference on a scale of its own": [term(effect=1.234e-5, ci_low=1e-6, ci_high=2.2e-5, p_adjusted=0.01)],
    "against the mean": [term(**RACE, reference="mean")],
    "difference of differences": [term(**BOTH, p_adjusted=0.01)],
    "difference of differences, from the mean": [
        term(**BOTH | {"reference": "mean:mean"}, effect=-0.02, p_adjusted=0.01),
        term(**HAITI, p_adjusted=0.01),
    ],
    "simple effects": [
        term(term="gender|race=Latino", p_adjusted=0.01),
        term(term="race|gender=female", axes="race", level="Latino", reference="mean"),
        term(term="gender|religion=Sikh", p_adjusted=0.01),
    ],
    "same difference": [term(**STILL | {"effect": 1.0})],
    "effect 0": [term(**STILL | {"effect": 0.0})],
    "procedures": [
        term(term="score_range", axes="", level="all", reference="", p=None, p_adjusted=None),
        term(term="label_dist", axes="", level="0.5", reference="he+she", p=None, p_adjusted=None),
    ],
    "not estimated": [term(**NONE), term(p=None, p_adjusted=None)],
    "all levels at once": [
        term(**COUNTRIES, **NONE | {"p_adjusted": 0.3}),
    ],
    "levels that differ where all at once do not": [
        term(**RACE | {"level": "any"}, reference="mean", **NONE | {"p": 0.2, "p_adjusted": 0.3}),
        term(**RACE, reference="mean", p_adjusted=0.01),
    ],
    "labels of the data": [term(term="size", axes="size", level="<b>44</b>", reference="36")],
}  # fmt: skip


def results() -> list[tuple[str, list[Any]]]:
    """Name and judged rows of every case."""
    found = [(name, judged(*rows)) for name, rows in CASES.items()]
    still = term(**STILL | {"effect": 0.0})
    found += [(kind, judged(still, no_spread=[no_spread(still, kind)])) for kind in ("no_reaction", "zero")]
    found += [("wording", judged(term(), no_spread=[no_spread(term(), "wording", "t01/sad")]))]
    few = [cell(3, race="Black", gender="female")]
    return [*found, ("rough", judged(term(), cells=few)), ("not adjusted", judged(term(p=0.03), adjust="none"))]


@pytest.mark.parametrize("language", available())
def test_every_verdict_has_a_label_and_sentences(snapshot: Snapshot, language: str) -> None:
    translator = load_translator(language)
    lines = []
    for name, rows in results():
        lines.append(f"# {name}")
        for row in rows:
            lines.append(f"{sentences.symbol(row.verdict)} {sentences.label(translator, row)}")
            lines.append(f"  {sentences.contrast(translator, row.row)}")
            lines.append(f"  {sentences.say_row(translator, row)}")
    snapshot.check(f"report-sentences-{language}", "\n".join(lines))


def test_the_sign_shows_the_direction_and_what_is_adjusted_decides() -> None:
    rows = judged(term(effect=0.5, p_adjusted=0.01), term(effect=-0.5, p_adjusted=0.01), term(p=0.03, p_adjusted=0.09))
    assert [sentences.symbol(row.verdict) for row in rows] == ["▲", "▼", "·"]
    assert (rows[2].verdict.kind, rows[2].verdict.p) == ("not_detectable", 0.09)
    (row,) = judged(term(p=0.03, p_adjusted=0.09), adjust="none")
    assert (row.verdict.kind, row.verdict.p) == ("difference", 0.03)
