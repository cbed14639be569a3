"""Numbers that pages repeat are those of the code."""

import re
from pathlib import Path

import pytest

from eec_bias.methods.camara2022 import SIZES as CAMARA
from eec_bias.methods.kiritchenko2018 import SIZES as KIRITCHENKO
from eec_bias.methods.rating import SIZES as RATING

PAPERS = (Path(__file__).parents[2] / "docs" / "papers.md").read_text(encoding="utf-8")


def row(start: str) -> list[float]:
    """The numbers of the last cells of a row of a table."""
    (line,) = [line for line in PAPERS.splitlines() if line.startswith(f"| {start} |")]
    return [float(number) for number in re.findall(r"(?<![\w.])[01]?\.\d+", line)]


@pytest.mark.parametrize(
    ("start", "sizes"),
    [
        ("Kiritchenko & Mohammad 2018", {sd: size for sd, (size, _) in KIRITCHENKO.items()}),
        ("Câmara et al. 2022", CAMARA),
        ("Lakkaraju et al. 2022", {sd: size for sd, (size, _) in RATING.items()}),
        ("systems with a WRS above 0", {sd: size for sd, (_, size) in RATING.items()}),
    ],
)
def test_the_sizes_of_the_published_procedures_are_those_they_carry(start: str, sizes: dict[float, float]) -> None:
    assert "by sd of names: 0, .02, .05, .11" in PAPERS
    assert dict(zip([0, 0.02, 0.05, 0.11], row(start), strict=True)) == sizes


def test_the_sizes_at_the_corrected_level_are_those_it_carries() -> None:
    told = re.search(r"At \.05/438 the shares are ([^a-z]+)\.\n", PAPERS)
    assert told is not None
    assert [float(number) for number in told[1].split(", ")] == [size for _, size in KIRITCHENKO.values()]
