"""The page of every table, figure, measure and system of the papers: all are there, and what it names exists."""

import re

import pytest
from places import ROOT

from eec_datasets.cli import COMMANDS

PAGE = (ROOT / "docs" / "papers-row-by-row.md").read_text(encoding="utf-8")
PRINTED = {
    "Kiritchenko and Mohammad 2018": (range(1, 8), range(1, 3)),
    "Câmara, Taneja, Azad, Allaway and Zemel 2022": (range(1, 18), range(0)),
    "Prabhakaran, Hutchinson and Mitchell 2019": (range(1, 3), range(1, 3)),
    "Lakkaraju, Srivastava and Valtorta 2022": (range(1, 17), range(1, 3)),
}
"""Paper → the numbers of its tables, and of its figures."""


def rows(paper: str) -> list[list[str]]:
    """Cells of the lines of a paper."""
    part = PAGE.partition(f"## {paper}\n")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def numbers(paper: str, kind: str) -> set[int]:
    """Numbers of the tables, or figures, that have a line: of ``Tables 3 to 5`` all three, of ``2 and 3`` both."""
    found: set[int] = set()
    for name, *_ in rows(paper):
        for first, word, last in re.findall(rf"{kind}s? (\d+)(?: (to|and) (\d+))?", name):
            found |= (
                set(range(int(first), int(last or first) + 1)) if word == "to" else {int(first), int(last or first)}
            )
    return found


@pytest.mark.parametrize("paper", PRINTED)
def test_every_table_of_a_paper_has_a_line(paper: str) -> None:
    assert numbers(paper, "Table") == set(PRINTED[paper][0])


@pytest.mark.parametrize("paper", PRINTED)
def test_every_figure_of_a_paper_has_a_line(paper: str) -> None:
    assert numbers(paper, "Figure") == set(PRINTED[paper][1])


@pytest.mark.parametrize("paper", PRINTED)
def test_every_line_names_a_test_or_a_recipe_or_says_why_nothing_is_made(paper: str) -> None:
    for name, counterpart, *tests in rows(paper):
        assert any(tests) or counterpart.startswith(("not made, because ", "[recipe](")), name


def test_every_file_that_is_named_is_there() -> None:
    named = set(re.findall(r"`((?:tests|locales)/[\w/.]+)`", PAGE))
    assert len(named) > 15
    assert [path for path in sorted(named) if "TAG" not in path and not (ROOT / path).is_file()] == []


def test_every_command_that_is_named_is_there() -> None:
    named = set(re.findall(r"`eec ([a-z]+)", PAGE))
    assert named <= set(COMMANDS)
    assert len(named) >= 4
