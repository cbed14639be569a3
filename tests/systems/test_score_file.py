"""Scores on disk: what they are of, and columns that read back to the same numbers."""

from __future__ import annotations

import csv
import math

import pytest
from snapshots import Snapshot

from eec_datasets.errors import BadScores
from eec_datasets.systems.score_file import Header, parse_header, to_text

HEADER = Header("vader", "vaderSentiment==3.3.2", "tiny", "tiny@1.0.0#00ff", -1.0, 1.0)


def test_a_file_says_what_its_scores_are_of_and_a_row_without_a_score_has_an_empty_cell() -> None:
    columns = {"plain": [1 / 3, math.nan], 'a "b", c': [-1.0, 5e-324]}
    head, *rows = to_text(HEADER, ["t01/angry/maria", "t01/angry/alan"], columns).splitlines()
    assert parse_header(head, "scores.csv") == HEADER
    assert list(csv.reader(rows)) == [
        ["id", "plain", 'a "b", c'], ["t01/angry/maria", repr(1 / 3), "-1.0"], ["t01/angry/alan", "", "5e-324"],
    ]  # fmt: skip


def test_a_first_line_that_is_none_is_refused(snapshot: Snapshot) -> None:
    said = []
    for line in ("hello", "id,score", "#eec-scores {", '#eec-scores {"system": "vader"}'):
        with pytest.raises(BadScores) as error:
            parse_header(line, "FILE")
        said.append(str(error.value))
    snapshot.check("score-file-refusals", "\n".join(said))
