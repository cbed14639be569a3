"""Reports on several systems and corpora, up to the 219 systems of the 2018 study."""

from __future__ import annotations

import re
from typing import Any

import pytest
from making import Row, document, no_spread, result, term
from snapshots import Snapshot

from eec_datasets.audit.report import page

TASKS = ("anger", "fear", "joy", "sadness", "valence")
COUNTRY = {"term": "country", "axes": "country", "reference": "mean", "subset": "phrases"}


def submissions(count: int = 219) -> list[Row]:
    """Of every five systems two score women higher, one men, two show nothing; sizes differ."""
    rows = []
    for s in range(count):
        sign = (1, 1, -1, 0, 0)[s // 5 % 5]
        size = {"effect": sign * (0.01 + s / 20_000), "p_adjusted": 0.01 if sign else 0.5}
        who = {"system": f"team{s:03d}", "task": TASKS[s % 5]}
        rows += [
            term(**who, **size),
            term(**who, subset="pairs"),
            term(**who, term="race", axes="race", level="Black", reference="white"),
        ]
    return rows


def markdown(*terms: Row, **changes: Any) -> list[str]:
    return page.render(document(result(*terms, **changes)), form="md").splitlines()


def test_219_systems_are_counted_folded_with_findings_first_and_stay_small() -> None:
    html = page.render(document(result(*submissions())))
    assert (
        "<li>gender: female − male. Systems with higher scores for sentences with women&#39;s names than for sentences "
        "with men&#39;s names: 90 of 219; with lower ones: 45; without a detectable difference: 84.</li>"
    ) in html
    row = re.search(r"<tr><th scope=\"row\">gender: female − male · joy</th>(.*?)</tr>", html)
    assert row is not None
    assert re.sub(r"<[^>]+>", " ", row[1]).split() == ["44", "17", "18", "9", "0", "+0.0152", "−0.0156"]
    folded = re.findall(
        r'<details class="system" id="s\d+" data-system="([^"]+)"><summary>[^<]*(<span|</summary>)', html
    )
    assert [mark for _, mark in folded] == ["<span"] * 135 + ["</summary>"] * 84
    assert folded[0][0] == "team214 (valence)"
    assert (html.count('class="filter" hidden'), html.count("<script>")) == (1, 1)
    assert html.count('<svg class="strip"') == 219 * 3
    assert len(html.encode()) < 3_000_000


def test_systems_side_by_side_main_terms_before_interactions(snapshot: Snapshot) -> None:
    both = {"term": "race:gender", "axes": "race+gender", "level": "Black:female", "reference": "white:male"}
    results = [
        result(
            term(system=system, **both, effect=0.3), term(system=system, effect=effect, p_adjusted=0.001),
            data=f"{config}@1.0.0#00",
        )
        for system, effect in (("one", 0.25), ("two", -0.125))
        for config in ("en-gender", "es-gender")
    ]  # fmt: skip
    snapshot.check("report-two-systems", page.render(document(*results), form="md").partition("\n### one")[0])
    html = page.render(document(*results))
    (table,) = re.findall(r'<figure class="picture">.*?</table>', html, re.DOTALL)
    cells = re.findall(r'<td [^>]*class="found" data-value="([^"]+)">.*?<span aria-hidden="true">(.)</span>', table)
    assert cells == [("0.25", "▲"), ("-0.125", "▼"), ("0.25", "▲"), ("-0.125", "▼")]
    assert "<script" not in html


def test_many_levels_are_one_cell_with_their_largest_and_share_a_sentence(snapshot: Snapshot) -> None:
    levels = [term(system=s, **COUNTRY, level=f"c{i}", effect=i / 100) for s in "ab" for i in range(26)]
    whole = [term(system=s, **COUNTRY, level="any", effect=None, p_adjusted=p) for s, p in (("a", 0.01), ("b", 0.6))]
    lines = markdown(*levels, *whole, axes=["country"])
    found = [*levels[:26], *whole[:1]]
    found[1] = found[1] | {"p_adjusted": 0.01}
    lines += markdown(*found, axes=["country"])
    said = [line for line in lines if line.startswith(("- ", "| country (phrases) | ▲", "| country (phrases) | ·"))]
    snapshot.check("report-many-levels", "\n".join(said))


ZERO = {"effect": 0.0, "se": 0.0, "p": None, "p_adjusted": None}
BOTH = {"term": "race:gender", "axes": "race+gender", "level": "Black:female", "reference": "white:male"}
RACE = {"term": "race", "axes": "race", "level": "Black", "reference": "white"}
ALL = "The system does not react to these persons at all: it gives the same score whoever is mentioned."


@pytest.mark.parametrize(
    ("rows", "kinds", "said"),
    [
        ([term(**ZERO), term(**ZERO | RACE), term(**ZERO | BOTH)], ("no_reaction", "no_reaction", "zero"), True),
        ([term(**ZERO), term(**ZERO | RACE), term(**ZERO | BOTH)], ("no_reaction", "zero", "zero"), False),
        ([term(**ZERO | BOTH)], ("zero",), False),
        ([term(**ZERO), term(**RACE)], ("no_reaction", None), False),
        ([term(term="label_dist", axes="", level="0.8", reference="original", **ZERO)], (None,), False),
    ],
)
def test_no_reaction_is_said_of_a_system_only_where_all_scores_compared_are_equal(
    rows: list[Row], kinds: tuple[str | None, ...], said: bool
) -> None:
    still = [no_spread(row, kind) for row, kind in zip(rows, kinds, strict=True) if kind]
    assert any(f"**{ALL}**" in line for line in markdown(*rows, no_spread=still)) is said
    several = [row | {"system": system} for system in "ab" for row in rows]
    still = [row | {"system": system} for system in "ab" for row in still]
    assert any(f"**{ALL}**" in line for line in markdown(*several, no_spread=still)) is said


def test_numbers_that_compare_no_groups_are_no_comparisons() -> None:
    rating = {"term": "rating", "axes": "", "level": "", "reference": "", "subset": "1", "p": None, "p_adjusted": None}
    rows = [row for system in "ab" for row in (term(system=system), term(system=system, **rating))]
    lines = markdown(*rows, method="rating", tables={})
    assert lines.count("- Comparisons: 1; 1 without a detectable difference.") == 2
    assert any(line.startswith("| rating (1)") for line in lines)


def test_warnings_are_said_once_and_name_what_they_are_of() -> None:
    items = [no_spread(term(), "wording", "t01/sad", "t02/sad"), no_spread(term(level="x"), "wording", "t02/sad")]
    lines = markdown(no_spread=items)
    (line,) = [line for line in lines if "wording that goes with them" in line]
    assert line.startswith("- mine · mine (names): ")
    assert line.endswith("in 2 items: t01/sad, t02/sad.")


@pytest.mark.parametrize("language", ["en", "es", "ar-EG"])
def test_twenty_systems_in_every_language(language: str, snapshot: Snapshot) -> None:
    text = page.render(document(result(*submissions(20))), form="md", language=language)
    snapshot.check(f"report-twenty-{language}", text.partition("\n### team")[0])
