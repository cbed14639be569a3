"""What the metric says is said with options of the command line, and `eec measure` has those of the perturbation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result

import eec_bias
from eec_datasets.cli import main
from eec_datasets.cli.speaking import spoken

KNOWN = frozenset(
    {"--axis", "--reference", "--no-reference", "--score-range", "--incomplete", "--group", "--threshold", "--baseline",
     "--bootstrap", "--method", "--weights"}
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("or pass incomplete='shared' to keep 3", "or pass --incomplete shared to keep 3"),
        ("declare it with score_range=(low, high)", "declare it with --score-range LOW HIGH"),
        ("with score_range=(-1.0, 2.5)", "with --score-range -1 2.5"),
        ("declare another with score_range=", "declare another with --score-range"),
        ("leave it out with axes=, or", "leave it out with --axis, or"),
        ("axes=('race', 'gender') names", "--axis race --axis gender names"),
        ("a dict such as reference={'gender': 'male'}", "a dict such as --reference gender=male"),
        ("reference=None for deviations", "--no-reference for deviations"),
        ("thresholds=(0.3, 0.5)", "--threshold 0.3 --threshold 0.5"),
        ("bootstrap=3; expected", "--bootstrap 3; expected"),
        ("weights=(1, 0.7, 0.6)", "--weights 1 0.7 0.6"),
        ("person 'ann' (race=Black, group=4, group=Black, axes=b)", None),
        ("permutations=10 and by='emotion'", None),
        ("person 'group=' and file:axes=", "person 'group=' and file:--axis"),
    ],
)
def test_keywords_become_options_that_the_command_has(said: str, expected: str | None) -> None:
    assert spoken(said, KNOWN) == (said if expected is None else expected)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two sentences with two names of each gender, and their originals; one name lacks a sentence."""
    names = {"original": "unmarked", "ann": "female", "eve": "female", "bob": "male", "tom": "male"}
    rows = [
        {"id": f"{item}/{name}", "person": name, "gender": gender, "item": item, "pair": item,
         "score": round((7 * k + 3 * n) % 11 / 10, 1)}
        for k, item in enumerate(("s1", "s2", "s3"))
        for n, (name, gender) in enumerate(names.items())
        if (item, name) != ("s3", "tom")
    ]  # fmt: skip
    path = tmp_path / "my rows.parquet"
    pd.DataFrame(rows).to_parquet(path)
    return path


def eec(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["measure", *map(str, arguments)])


def test_a_remedy_is_an_option(table: Path) -> None:
    result = eec("--data", table)
    assert (result.exit_code, result.stderr) == (
        1,
        f"Error: {table}: names: 1 of the 4 × 3 combinations of person and item are missing, first person 'tom' "
        "(gender=male) on item 's3'; every person needs every item: add the rows, or pass --incomplete shared to keep "
        "the 2 items all persons share\n",
    )


def test_notes_name_options_too(table: Path) -> None:
    result = eec("--data", table, "--method", "perturbation")
    assert result.exit_code == 0, result.output
    assert "--incomplete shared keeps the sentences that have all names" in result.output
    assert "incomplete='shared'" not in result.output


@pytest.mark.parametrize("persons", [("original",), ("ann", "bob")])
def test_the_perturbation_has_its_options(table: Path, persons: tuple[str, ...]) -> None:
    baseline = [word for person in persons for word in ("--baseline", person)]
    resampled = ["--bootstrap", "99", "--seed", "3", "--threshold", "0.5", "--format", "json"]
    result = eec("--data", table, "--method", "perturbation", "--incomplete", "shared", *baseline, *resampled)
    assert result.exit_code == 0, result.output
    rows = pd.read_parquet(table)
    expected = eec_bias.measure(
        rows.pop("score"), rows.drop(columns="id"), method="perturbation", incomplete="shared", baseline=persons,
        bootstrap=99, seed=3, thresholds=0.5, data_name=table.name,
    )  # fmt: skip
    found: list[dict[str, Any]] = json.loads(result.stdout)["terms"]
    assert found == json.loads(json.dumps(expected.to_dict()["terms"]))
    assert next(row["ci_low"] for row in found if row["term"] == "score_dev") is not None


@pytest.mark.parametrize("option", [["--group", "gender"], ["--threshold", "0.5"], ["--baseline", "ann"]])
@pytest.mark.parametrize("engine", [[], ["--engine", "duckdb"]])
def test_they_are_refused_for_other_methods(table: Path, option: list[str], engine: list[str]) -> None:
    result = eec("--data", table, *option, *engine)
    assert result.exit_code == 2
    assert result.stderr.endswith(f"Error: {option[0]} is for --method perturbation.\n")
