"""``eec decisions``: how often groups are selected, and the ratios of these rates."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

import click

from eec_datasets.cli.command import command
from eec_datasets.cli.given import GIVEN_FILE, GIVEN_NAME
from eec_datasets.cli.options import FOLDER, OVERWRITE, option, pairs, repeated, score_range
from eec_datasets.cli.output import say
from eec_datasets.errors import AuditError
from eec_datasets.files import check, write_all
from eec_datasets.text_file import number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from eec_bias.reading import Decisions
    from eec_datasets.audit.tables.scores import TableScores
    from eec_datasets.systems.base import Range

FILES: Final = ("decisions.txt", "decisions.json", "ratios.csv", "groups.csv", "ratios.svg")
MEDIAN: Final = "median"


@command(apart=[("--config", "--data"), ("--items", "--data"), ("--reference", "--no-reference")])
@click.argument("outcomes", type=GIVEN_FILE, required=False)
@option("--config", "NAME", "Corpus that was decided on; see eec configs.")
@option("--items", "NAME", "Items of the corpus that were, such as decisions.  [default: those of the corpus]")
@option("--data", "TABLE", "Your own table of rows that were decided on, as for eec measure.", type=GIVEN_NAME)
@repeated("--score", "score", "COLUMN", "Column of outcomes, one per system.  [default: score, or all of OUTCOMES]")
@score_range("Lowest and highest possible score, of --above.")
@option("--above", "T|median", "Of scores: who counts as selected.  [default: outcomes are 0, 1 or probabilities]")
@repeated("--axis", "axes", "COLUMN", "Column of groups; may be repeated.")
@repeated("--reference", "reference", "AXIS=LEVEL", "Group of an axis that the others are compared with.")
@option("--no-reference", None, "Compare each group with the mean of all.", is_flag=True)
@option("--confidence", "LEVEL", "Level of the intervals.", type=float, default=0.95)
@option("--out", "FOLDER", f"Also write {', '.join(FILES)} to this folder.", type=FOLDER)
@OVERWRITE
def decisions(
    outcomes: Path | None,
    config: str | None,
    items: str | None,
    data: str | None,
    score: tuple[str, ...],
    score_range: Range | None,
    above: str | None,
    axes: tuple[str, ...],
    reference: tuple[str, ...],
    no_reference: bool,
    confidence: float,
    out: Path | None,
    overwrite: bool,
) -> None:
    """Compare how often a system selects groups: rates, and ratios to a stated reference with intervals.

    OUTCOMES is a table with the columns id and score, as for eec measure: 0 or 1 (hired, held back, escalated), or the
    probability of 1. Of scores on another scale --above says who counts as selected: those above a number, or above
    the median of all persons on the same item, so that the item does not decide (the scoring rate of New York's
    Local Law 144). With --data the rows, and the outcomes too where OUTCOMES is left out, are your own.

    Every group is compared with the reference that you state: difference and ratio, with intervals in which names,
    templates and words are samples. The ratio to the highest rate stands beside, as a description: a maximum was
    taken. The figure has a line at .8; no verdict is drawn from it.

    \b
    Examples:
      eec sentences en-black-white-100 --items decisions --out outcomes.csv
      … let any system decide on the column text, fill in the column score …
      eec decisions outcomes.csv --config en-black-white-100 --items decisions --reference race=white --out decisions
      eec decisions scores.csv --config en-black-white-100 --above median
    """
    if (config is None) == (data is None):
        raise click.UsageError("Say what was decided on: a corpus with --config NAME, or rows with --data TABLE.")
    if config is not None and outcomes is None:
        raise click.UsageError("Missing argument 'OUTCOMES': with --config, the file of outcomes.")
    if not 0 < confidence < 1:
        raise click.UsageError(f"--confidence {confidence:g}: expected a number between 0 and 1, such as 0.95.")
    options: dict[str, Any] = {"above": _read_above(above), "confidence": confidence, "axes": axes or None}
    if no_reference:
        options["reference"] = None
    elif reference:
        options["reference"] = pairs("--reference", reference, "AXIS=LEVEL, for example race=white")
    if out is not None:
        check([out / name for name in FILES], overwrite=overwrite)
    found = _compare(outcomes, (config, items), data, score, score_range, options)
    say(str(found))
    if out is not None:
        write_all({out / name: text for name, text in _contents(found).items()}, overwrite=overwrite)
        say(f"\nWritten: {', '.join(str(out / name) for name in FILES)}")


def _read_above(text: str | None) -> float | str | None:
    if text is None or text == MEDIAN:
        return text
    value = number(text)
    if not math.isfinite(value):
        raise click.UsageError(f"--above {text}: expected a number such as 0.5, or median.")
    return value


def _compare(
    outcomes: Path | None,
    rows_of: tuple[str | None, str | None],
    data: str | None,
    score: Sequence[str],
    limits: Range | None,
    options: dict[str, Any],
) -> Decisions:
    """Read the outcomes beside the rows they are of, and compare the groups."""
    from eec_bias import BiasError
    from eec_bias import decisions as compare
    from eec_datasets import corpora
    from eec_datasets.audit.tables.files import TableOptions, find_files
    from eec_datasets.audit.tables.scores import read_scores, read_table

    config, items = rows_of
    said = TableOptions(tuple(score), score_range=limits)
    read: TableScores
    if config is not None:
        assert outcomes is not None
        rows = corpora.table(config, items=items)
        place = f"{outcomes} on {config}"
        read = read_scores(outcomes, rows, options=said)
    else:
        assert data is not None
        files = find_files(data, said)
        read = read_table(files, outcomes)
        place, rows = files.source, read.rows
    for note in read.notes:
        say(f"{place}: {note}", err=True)
    try:
        return compare(read.measured, rows, **options)
    except BiasError as error:
        raise AuditError(f"{place}: {error}.") from error


def _contents(found: Decisions) -> dict[str, str | bytes]:
    """Return the files of the folder by name."""
    from eec_bias.reading import to_file
    from eec_datasets.audit.saving import to_csv

    document = found.to_dict()
    numbers = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    figure = to_file(found.plot(theme="page"), "svg")
    texts = (f"{found}\n", f"{numbers}\n", to_csv(document["ratios"]), to_csv(document["groups"]), figure)
    return dict(zip(FILES, texts, strict=True))
