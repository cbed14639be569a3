"""Repeat the studies of 2022 and 2018 with SemEval data: ``python -m studies.semeval FOLDER [--out DIR]``.

FOLDER holds the files of SemEval-2018 Task 1, which everyone downloads for themselves; their terms do not allow to
pass them on. Per language and emotion a model is trained, the corpora are scored, and the tables of Câmara et al.
(2022) are printed: their numbers, the same procedure on these scores, and the test of this project.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from eec_bias.shared import check, write
from eec_datasets.audit.saving import to_csv
from eec_datasets.cli.options import OVERWRITE
from eec_datasets.errors import EecError
from eec_datasets.systems.corpus import PAPER_CONFIGS, open_corpus
from studies.semeval_files import choose_languages, find
from studies.semeval_models import Learner, machines
from studies.semeval_page import page
from studies.semeval_tables import coefficients, save_scores, spreads, train


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("semeval-study"),
    help="Where scores and tables go.  [default: semeval-study]",
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    type=click.Choice(["en", "es", "ar"]),
    help="May be repeated.  [default: all there are files of]",
)
@click.option(
    "--transformer",
    "transformers",
    multiple=True,
    metavar="[LANGUAGE=]MODEL",
    help="Also train on a frozen transformer: a folder or an id of the Hub; may be repeated.",
)
@click.option("--epochs", type=click.IntRange(1), default=10, show_default=True, help="Of the network on top of it.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of that network.")
@OVERWRITE
def main(
    folder: Path,
    out: Path,
    languages: Sequence[str],
    transformers: Sequence[str],
    epochs: int,
    seed: int,
    overwrite: bool,
) -> None:
    """Train, score, and print the tables."""
    from studies.semeval_transformer import frozen

    try:
        files = find(folder)
        chosen = choose_languages(files, languages, folder)
        learners = [*machines(), *(frozen(spec, epochs, seed) for spec in transformers)]
        refuse_twins(learners)
        check([out / "results.csv", out / "index.md"], overwrite=overwrite)
        corpora = {name: open_corpus(name) for name in PAPER_CONFIGS if name.partition("-")[0] in chosen}
        trained = train(files, chosen, learners, corpora)
        about = {learner.name: learner.about for learner in learners}
        for model in trained:
            for name in model.scores:
                save_scores(out, model, corpora[name], about, files, overwrite)
        rows = coefficients(trained, corpora)
        write(out / "results.csv", to_csv(rows), overwrite=overwrite)
        text = page(trained, rows, spreads(trained, corpora), learners)
        write(out / "index.md", text, overwrite=overwrite)
    except EecError as error:
        raise click.ClickException(str(error)) from error
    click.echo(text)
    click.echo(f"The same in {out / 'index.md'}; the numbers in {out / 'results.csv'}, the scores in {out / 'scores'}.")


def refuse_twins(learners: Sequence[Learner]) -> None:
    """Refuse two models of one name for one language: they would overwrite each other's scores."""
    taken: dict[tuple[str, str], str] = {}
    for learner in learners:
        for language in learner.languages:
            if (learner.name, language) in taken:
                raise click.UsageError(
                    f"two models for {language!r} are called {learner.name!r}: {taken[learner.name, language]}; and "
                    f"{learner.about}. Give one of them per language."
                )
            taken[learner.name, language] = learner.about


if __name__ == "__main__":
    main()
