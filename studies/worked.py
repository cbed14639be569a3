"""The worked study: ``python -m studies.worked --overwrite`` writes docs/study/ again.

A classifier on packaged embeddings, VADER and TextBlob on the English corpora of names, a classifier on multilingual
embeddings on Spanish and Arabic ones, and the built-in systems, whose answer is known, on every corpus of every
language. Of a corpus with a hundred names per cell a part is taken that has no more sentences than a corpus of the
papers. Answers are stored as those of eec audit are; without any, the multilingual embeddings take about 15 minutes.
"""

from __future__ import annotations

from pathlib import Path

import click
from tqdm import tqdm

from eec_bias import BiasError
from eec_bias.figures.style import styled
from eec_bias.shared import check, write
from eec_datasets.audit.saving import to_csv
from eec_datasets.cli.options import OVERWRITE
from eec_datasets.errors import EecError
from eec_datasets.systems.base import Accuracy
from studies.markdown import Row
from studies.worked_measures import FEW, MANY, PICTURED, THREE, Measured, plan, rows, run
from studies.worked_page import page, published
from studies.worked_picture import draw

FILES = ("results.csv", "names.svg", "index.md")
FOLDER = Path(__file__).parent.parent / "docs" / "study"


@click.command(help=__doc__)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=FOLDER, help="[default: docs/study]")
@OVERWRITE
def main(out: Path, overwrite: bool) -> None:
    """Make the whole study."""
    try:
        check([out / name for name in FILES], overwrite=overwrite)
        with styled():  # matplotlib is missed now, not after the work
            pass
        table: list[Row] = []
        kept: dict[tuple[str, str], Measured] = {}
        accuracy: dict[str, list[Accuracy]] = {}
        chosen = plan()
        for measured in tqdm(run(chosen), total=len(chosen), unit="audit", desc="study"):
            table += rows(measured)
            place = (measured.corpus.name, measured.system)
            if measured.corpus.name in (FEW, MANY) or place == THREE:
                kept[place] = measured
            known = accuracy.setdefault(measured.system, [])
            if measured.accuracy is not None and measured.accuracy not in known:
                known.append(measured.accuracy)
        few = [kept[FEW, system] for system in PICTURED]
        many = [kept[MANY, system] for system in PICTURED]
        write(out / "results.csv", to_csv(table), overwrite=overwrite)
        caption = draw(few, many, out / "names.svg", overwrite=overwrite)
        write(out / "index.md", page(table, published(kept[THREE]), accuracy, caption), overwrite=overwrite)
    except (EecError, BiasError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{len(table):,} rows in {out / 'results.csv'}; the page is {out / 'index.md'}")


if __name__ == "__main__":
    main()
