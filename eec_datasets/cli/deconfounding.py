"""What ``eec rate --data`` does: groups of a user's own table, compared with the confounders they have in common."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli.given import GIVEN_NAME
from eec_datasets.cli.options import as_one_argument, option, repeated
from eec_datasets.cli.output import say
from eec_datasets.errors import AuditError
from eec_datasets.files import check, write_all

if TYPE_CHECKING:
    from pathlib import Path

    from eec_bias.reading import Deconfounded
    from eec_datasets.cli.options import Scoring

FILES: Final = ("deconfounded.txt", "deconfounded.json", "differences.csv", "overlap.csv")


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table of scores and labels, and what is compared in it."""

    data: str | None
    score: tuple[str, ...]
    group: str | None
    given: tuple[str, ...]
    reference: str | None
    unit: str | None
    shared: bool
    confidence: float

    def __post_init__(self) -> None:
        if self.data is not None and self.group is None:
            raise click.UsageError("--data needs --group COLUMN, the groups to compare, such as gender.")
        if self.data is not None and not self.given:
            raise click.UsageError("--data needs --given COLUMN, what goes with the groups, such as word.")


OWN_TABLE: Final = as_one_argument(
    "table",
    OwnTable,
    option(
        "--data",
        "TABLE",
        "Your own table of scores, instead of the data sets of the paper; see above.",
        type=GIVEN_NAME,
    ),
    repeated("--score", "score", "COLUMN", "Column of scores of --data, one per system.  [default: score]"),
    option("--group", "COLUMN", "Groups of --data to compare."),
    repeated("--given", "given", "COLUMN", "Confounder of --data to adjust for."),
    option("--reference", "LEVEL", "Group that others are compared with.  [default: male, white, Anglo or Spanish]"),
    option("--unit", "COLUMN", "What was sampled; rows for each row.  [default: person where it is there, else rows]"),
    click.option("--shared", is_flag=True, help="Leave out rows of --data where not all groups have some."),
    option("--confidence", None, "Level of the intervals of --data.", type=float, default=0.95, show_default=True),
)
"""Options of a user's own table; they reach the command as ``table``."""

NEEDING_DATA: Final = ("--score", "--group", "--given", "--reference", "--unit", "--shared", "--confidence")


def compare(table: OwnTable, scoring: Scoring) -> None:
    """Compare the groups of a table, print what was found, and write it to the folder of ``--out``."""
    from eec_bias import BiasError
    from eec_bias.reading import deconfound
    from eec_datasets.audit.saving import to_csv
    from eec_datasets.audit.tables.files import TableOptions, find_files
    from eec_datasets.audit.tables.scores import read_table

    assert table.data is not None
    assert table.group is not None
    check([scoring.out / name for name in FILES], overwrite=scoring.overwrite)
    named = [table.group, *table.given]
    if table.unit:
        named.append(table.unit)
    options = TableOptions(table.score or ("score",), score_range=scoring.options.score_range, named=tuple(named))
    read = read_table(find_files(table.data, options))
    for note in read.notes:
        click.echo(f"{table.data}: {note}", err=True)
    found: dict[str, Deconfounded] = {}
    for system, scores in read.scores.items():
        try:
            found[system] = deconfound(
                scores,
                read.rows,
                group=table.group,
                given=table.given,
                reference=table.reference,
                unit=table.unit,
                overlap="shared" if table.shared else "all",
                confidence=table.confidence,
            )
        except BiasError as error:
            said = str(error).replace("overlap='shared'", "--shared")
            raise AuditError(f"{table.data}: {said}.") from error
    text = "\n\n".join(f"{system}\n{result}" for system, result in found.items())
    first = next(iter(found.values()))
    numbers = json.dumps({name: each.to_dict() for name, each in found.items()}, ensure_ascii=False, indent=1)
    overlap = [each.values | {"share": each.share} | each.rows for each in first.overlap]
    contents = dict(zip(FILES, (f"{text}\n", numbers, to_csv(_rows(found)), to_csv(overlap)), strict=True))
    paths: list[Path] = write_all(
        {scoring.out / name: each for name, each in contents.items()}, overwrite=scoring.overwrite
    )
    say(text)
    say(f"\nWritten: {', '.join(map(str, paths[: len(FILES)]))}")


def _rows(found: dict[str, Deconfounded]) -> list[dict[str, Any]]:
    """Return the differences of all systems, a row each."""
    rows = []
    for system, result in found.items():
        for difference in result.to_dict()["differences"]:
            rows.append({"system": system} | difference)
    return rows
