"""Statements of docs/sizes.md and docs/statistics.md on two strata of templates: their script measures the same."""

import re

import pytest
from places import ROOT

from benchmarks.answers import SYSTEMS_OF_STRATA, rejecting
from benchmarks.size_designs import sds

SYSTEMS = 200
"""Fewer than on the page, so shares differ by chance."""

ROW = re.compile(r"^\| es-anglo-latino \| names \.03 \| (.+?) \| (\.\d+) \| (\.\d+) \|$", flags=re.MULTILINE)
WRITTEN = {gap: (float(two), float(one)) for gap, two, one in ROW.findall((ROOT / "docs/sizes.md").read_text())}


@pytest.mark.parametrize("gap", ["none", "10 points in words that agree", "4 points in all words"])
def test_shares_are_those_of_the_page(gap: str) -> None:
    for found, written in zip(rejecting("es-anglo-latino", sds(), gap, SYSTEMS), WRITTEN[gap], strict=True):
        sd = (written * (1 - written) * (1 / SYSTEMS + 1 / SYSTEMS_OF_STRATA)) ** 0.5
        assert abs(found - written) < 4 * sd


def test_the_page_on_statistics_has_two_of_them() -> None:
    two, one = WRITTEN["10 points in words that agree"]
    page = " ".join((ROOT / "docs/statistics.md").read_text(encoding="utf-8").split())
    assert f"{100 * two:.0f} % of the systems, and with one stratum in {100 * one:.0f} %" in page
