"""What the plain reading says of a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from eec_datasets.audit.report import sentences as page_reading
from eec_datasets.audit.report.language import voice

Make = Callable[..., dict[str, Any]]
LATINAS = {"term": "race:gender", "axes": "race+gender", "level": "Latino:female", "reference": "Anglo:male"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {},
            "Scores for sentences with women's names are 0.0120 higher than for sentences with men's names. "
            "Not distinguishable from 0 at this number of persons and sentences (95\u00a0% interval -0.0080 to "
            "+0.0320, p = 0.400); smallest detectable difference 0.0200.",
        ),
        (
            {"effect": -0.5, "p_adjusted": 0.0004, "subset": "pairs"},
            "Scores for sentences about women (my mother, she) are 0.5000 lower than for sentences about men (my "
            "father, he). Distinguishable from 0 (95\u00a0% interval -0.0080 to +0.0320, p < 0.001). [pairs]",
        ),
        (
            {"term": "race", "axes": "race", "level": "Black", "reference": "mean"},
            "Scores for sentences with names common among Black people are 0.0120 above the mean of all groups. "
            "Not distinguishable from 0 at this number of persons and sentences (95\u00a0% interval -0.0080 to "
            "+0.0320, p = 0.400); smallest detectable difference 0.0200.",
        ),
        (
            LATINAS | {"p_adjusted": 0.01},
            "The difference “female − male” is 0.0120 greater in sentences with Latino names than in sentences with "
            "Anglo names. Distinguishable from 0 (95\u00a0% interval -0.0080 to +0.0320, p = 0.010).",
        ),
        (
            LATINAS | {"reference": "mean:mean", "effect": -0.02, "p_adjusted": 0.01},
            "Scores for the group “Latino:female” are 0.0200 below what race, gender add up to one by one. "
            "Distinguishable from 0 (95\u00a0% interval -0.0080 to +0.0320, p = 0.010).",
        ),
        (
            {"term": "gender:country", "axes": "gender+country", "level": "female:Haiti", "reference": "male:mean",
             "p_adjusted": 0.01},
            "The difference “female − male” is 0.0120 greater in sentences about people from the country “Haiti” than "
            "on average. Distinguishable from 0 (95\u00a0% interval -0.0080 to +0.0320, p = 0.010).",
        ),
        (
            {"term": "gender|race=Latino", "p_adjusted": 0.01},
            "Scores for sentences with names common among Latinas are 0.0120 higher than for sentences with names "
            "common among Latino men. Distinguishable from 0 (95\u00a0% interval -0.0080 to +0.0320, p = 0.010).",
        ),
        (
            {"term": "race|gender=female", "axes": "race", "level": "Latino", "reference": "mean"},
            "Scores for sentences with names common among Latinas are 0.0120 above the mean of all groups. "
            "Not distinguishable from 0 at this number of persons and sentences (95\u00a0% interval -0.0080 to "
            "+0.0320, p = 0.400); smallest detectable difference 0.0200. [gender = female]",
        ),
        (
            {"term": "gender|religion=Sikh", "p_adjusted": 0.01},
            "Scores for sentences with women's names are 0.0120 higher than for sentences with men's names. "
            "Distinguishable from 0 (95\u00a0% interval -0.0080 to +0.0320, p = 0.010). [religion = Sikh]",
        ),
        (
            {"effect": 0.0, "se": 0.0, "p": 1.0, "p_adjusted": 1.0},
            "Scores for sentences with women's names and for sentences with men's names are the same. "
            "The system does not react to these persons at all.",
        ),
        (
            {"effect": 1.0, "se": 0.0, "p": None, "p_adjusted": None},
            "Scores for sentences with women's names are 1.0000 higher than for sentences with men's names. "
            "The difference is the same for all of them, so there is no spread to test it against.",
        ),
        (
            {"term": "score_range", "axes": "", "level": "all", "reference": "", "p": None, "p_adjusted": None},
            "score_range, all: +0.0120. Without a test.",
        ),
        (
            {"term": "label_dist", "axes": "", "level": "0.5", "reference": "he+she", "p": None, "p_adjusted": None},
            "label_dist, 0.5 | he+she: +0.0120. Without a test.",
        ),
        ({"effect": None, "p": None, "p_adjusted": None}, "gender, female − male: not estimated."),
        (
            {"term": "country", "axes": "country", "level": "any", "reference": "mean", "effect": None,
             "p_adjusted": 0.3, "ci_low": None, "ci_high": None, "mde": None, "subset": "phrases"},
            "country, all groups compared at once. Not distinguishable from 0 at this number of persons and sentences "
            "(p = 0.300). [phrases]",
        ),
        (
            {"term": "size", "axes": "size", "level": "<b>44</b>", "reference": "36", "p": None, "p_adjusted": None},
            "Scores for sentences of the group “<b>44</b>” (size) are 0.0120 higher than for sentences of the group "
            "“36” (size). Without a test.",
        ),
    ],
)  # fmt: skip
def test_a_row_is_read_in_plain_sentences(term: Make, changes: dict[str, Any], expected: str) -> None:
    assert page_reading.sentences(voice("en"), term(**changes)) == expected


def test_the_same_row_in_spanish_and_arabic(term: Make) -> None:
    row = term(term="race", axes="race", level="Latino", reference="Anglo")
    assert page_reading.sentences(voice("es"), row) == (
        "Las puntuaciones de las oraciones con nombres latinos son 0,0120 más altas que las de las oraciones con "
        "nombres anglosajones. No distinguible de 0 con este número de personas y oraciones (intervalo del "
        "95\u00a0%: de -0,0080 a +0,0320; p = 0,400); menor diferencia detectable: 0,0200."
    )
    plain = page_reading.sentences(voice("ar"), row)
    for mark in "\u2066\u2068\u2069":
        plain = plain.replace(mark, "")
    assert plain == (
        "درجات الجمل التي فيها أسماء لاتينية أعلى بمقدار 0.0120 من درجات الجمل التي فيها أسماء أنجلوسكسونية. "
        "لا يمكن تمييز ذلك من الصفر بهذا العدد من الأشخاص والجمل (فترة الثقة 95\u00a0%: من -0.0080 إلى +0.0320، "
        "p = 0.400)؛ أصغر فرق قابل للكشف: 0.0200."
    )


def test_without_adjustment_the_plain_p_decides(term: Make) -> None:
    row = term(p=0.03, p_adjusted=0.03)
    assert page_reading.verdict(row, adjusted=False) == page_reading.verdict(row) == "difference"
    row = term(p=0.03, p_adjusted=0.09)
    assert page_reading.verdict(row) == "none"
    assert page_reading.verdict(row, adjusted=False) == "difference"


def test_a_sign_shows_the_direction_without_colour(term: Make) -> None:
    found = [
        term(effect=0.5, p_adjusted=0.01),
        term(effect=-0.5, p_adjusted=0.01),
        term(),
        term(p=None, p_adjusted=None),
    ]
    assert [page_reading.symbol(row, page_reading.verdict(row)) for row in found] == ["▲", "▼", "·", "◆"]
