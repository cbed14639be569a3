"""`eec perturb` on real text: ``python -m benchmarks.natural FOLDER``.

FOLDER holds files ``LANGUAGE.GENRE.txt``, a text per line. Printed, and with ``--keep`` kept in ``natural-yields.csv``:
how many texts are rewritten, by gender and role of the first pronoun. ``--judge SHEET`` writes a seeded sample with an
empty column for verdicts; a person fills it, and ``--judged SHEET`` keeps ids and verdicts in ``natural-judged.csv``,
never the texts. ``--swap`` reads the English texts about men once more with women's words in their place; with
``--keep`` the counts stay in ``natural-swaps.csv``. ``--write`` puts all tables into the docs.
"""

from __future__ import annotations

import csv
import hashlib
import io
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import click

from benchmarks import swap
from eec_bias.shared import write_over
from eec_datasets.errors import EecError
from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.anchors import FILE, SAME, SWAPPED, WORDS, Anchors
from eec_datasets.rewrite.fillers import filler
from eec_datasets.rewrite.given_names import given_names, with_given
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.resolve import Rewritable, resolve
from eec_datasets.rewrite.retention import ALL, Retention
from eec_datasets.rewrite.rows import Batches
from eec_datasets.rewrite.slots import Filler, Rewrite
from eec_datasets.rewrite.tagger import Tagger, load_tagger
from eec_datasets.rewrite.texts import read_texts
from eec_datasets.terminal import DASH

HERE: Final = Path(__file__).parent
YIELDS: Final = HERE / "natural-yields.csv"
JUDGED: Final = HERE / "natural-judged.csv"
SWAPS: Final = HERE / "natural-swaps.csv"
DOCS: Final = HERE.parent / "docs" / "natural-text.md"
MARKS: Final = ("<!-- measured: python -m benchmarks.natural -->", "<!-- end of what is measured -->")
MAX_WORDS: Final = 50
HOW: Final = ("language", "genre", "tagger", "replace", "question")
"""Rows of a run take the place of those of a former run that agree in this."""
PERSONS: Final = {"en": ("Maria", "Adam"), "es": ("María", "Juan")}
RUN: Final = ("date", "version", "rules", "tagger", "replace", "question", "language", "genre")
"""Columns that both tables begin with: they identify the measurement."""

VERDICTS: Final = ("right", "wrong")


class NaturalError(EecError):
    """The folder or the sheet cannot be used; the message says where and how to fix it."""


@dataclass(frozen=True)
class Measured:
    """One file of texts: what became of them, and those that were rewritten."""

    run: Mapping[str, str]
    texts: int
    seconds: float
    retention: Retention
    found: list[tuple[str, Rewritable]]


@dataclass(frozen=True)
class Source:
    """One file of texts, each once, and the rules and the tagger that read them."""

    run: Mapping[str, str]
    texts: list[str]
    anchors: Anchors
    tagger: Tagger | None


def opened(path: Path, tagger: str = "", replace: str = "", question: str = SAME) -> Source:
    """Read a file and load what its language and the question need."""
    language, genre = _named(path)
    anchors = load_anchors(language, question=question)
    if replace:
        anchors = with_given(anchors, given_names(anchors, replace, locales_folder()))
    asked = None
    tagger_name = "none"
    if tagger:
        asked = load_tagger(tagger, language)
        tagger_name = asked.name
    texts = list(dict.fromkeys(text for text in read_texts(path) if text.strip()))
    how = (rules_hash(language), tagger_name, replace or "none", question)
    cells = (date.today().isoformat(), version("eec-datasets"), *how, language, genre)
    return Source(dict(zip(RUN, cells, strict=True)), texts, anchors, asked)


def measure(source: Source) -> Measured:
    """Rewrite the texts of a file."""
    retention, found = Retention(tuple(source.anchors.columns)), []
    start = time.perf_counter()
    for text in source.texts:
        resolved = resolve(source.anchors, text, MAX_WORDS, source.tagger)
        if resolved.role:
            retention.count(resolved.anchor, resolved.role, kept=isinstance(resolved, Rewritable))
        if isinstance(resolved, Rewritable):
            found.append((text, resolved))
    return Measured(source.run, len(source.texts), time.perf_counter() - start, retention, found)


def _named(path: Path) -> tuple[str, str]:
    language, _, genre = path.stem.partition(".")
    if language not in PERSONS or not genre:
        raise NaturalError(
            f"{path}: the name says no language and genre; expected LANGUAGE.GENRE.txt with {', '.join(PERSONS)}"
        )
    return language, genre


def rules_hash(language: str) -> str:
    """Return the version of the rules: the beginning of the hash of their files."""
    sources = [locales_folder() / language / name for name in (FILE, WORDS)]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sources if file.exists())).hexdigest()[:8]


def text_id(text: str) -> str:
    """Return an ID for a text that may not be published itself."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def rows_of_yields(measured: Iterable[Measured]) -> Iterator[dict[str, Any]]:
    """A row per file, role and gender: texts read and kept."""
    for one in measured:
        for role, counts in one.retention.to_dict().items():
            counts.pop("odds", None)
            for gender, of in counts.items():
                yield dict(one.run) | {"texts": one.texts, "role": role, "gender": gender, **of}


def rows_of_swaps(source: Source) -> Iterator[dict[str, Any]]:
    """A row per role: how many texts about men are kept as they are, and swapped."""
    pairs = swap.pairs(source.anchors, source.texts, MAX_WORDS, source.tagger)
    for role in dict.fromkeys(role for role, _ in pairs):
        yield dict(source.run) | {"role": role} | {outcome: pairs[role, outcome] for outcome in swap.OUTCOMES}


def sample(measured: Iterable[Measured], size: int, seed: int) -> Iterator[dict[str, str]]:
    """Rewritten texts, up to `size` of each file, drawn by the seed, laid out for a person to judge."""
    for one in measured:
        anchors = load_anchors(one.run["language"])
        drawn = random.Random(f"{seed}/{one.run['genre']}").sample(one.found, min(size, len(one.found)))
        for text, found in drawn:
            female, male = (as_said(anchors, found).get(column, "") for column in anchors.columns.values())
            told = {"id": text_id(text), "anchor": found.anchor, "role": found.role}
            yield {**one.run, **told, "verdict": "", "note": "", "text": text, "female": female, "male": male}


def as_said(anchors: Anchors, found: Rewritable) -> dict[str, str]:
    """The text said of a woman and of a man, by column; of one of them where the gender stays."""
    persons: list[Filler] = [
        filler(anchors, column, form, id=column, type="name", labels={}, roles={})
        for form, column in zip(PERSONS[anchors.tag], anchors.columns.values(), strict=True)
        if column in found.pieces
    ]
    rewrite = Rewrite("s", "", found.anchor, found.pieces)
    rows = Batches([rewrite], persons, language=anchors.tag, fuse=anchors.fuse)
    texts = [one for batch in rows for one in batch["text"].to_pylist()[1:]]
    return dict(zip([person.agreement for person in persons], texts, strict=True))


KEPT: Final = (*RUN, "id", "anchor", "role", "verdict", "note")
"""Columns of a judged sheet that are kept."""


def judged(sheet: Path) -> Iterator[dict[str, str]]:
    """Read the verdicts of a sheet, without the texts."""
    with sheet.open(encoding="utf-8", newline="") as file:
        for line, row in enumerate(csv.DictReader(file), start=2):
            if row["verdict"] not in VERDICTS:
                raise NaturalError(f"{sheet}:{line}: verdict {row['verdict']!r}; expected {' or '.join(VERDICTS)}")
            yield {name: row[name] for name in KEPT}


def read_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a table; none where there is no file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_csv(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows of one shape over whatever is there."""
    held, out = list(rows), io.StringIO()
    columns: list[str] = []
    if held:
        columns = list(held[0])
    table = csv.DictWriter(out, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(held)
    write_over({path: out.getvalue()})


def keep(path: Path, new: Iterable[Mapping[str, Any]], key: Iterable[str]) -> None:
    """Add rows to a table; those of the same key are replaced."""
    columns, added = tuple(key), list(new)
    replaced = {tuple(str(row[name]) for name in columns) for row in added}
    old = [row for row in read_csv(path) if tuple(row[name] for name in columns) not in replaced]
    write_csv(path, [*old, *added])


def precision(right: int, n: int) -> str:
    """The share that is right with its 95 % interval (Clopper and Pearson)."""
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(right, n, method="beta")
    return f"{right} of {n}, {right / n:.1%} [{low:.1%}, {high:.1%}]"


def tables() -> str:
    """Return what is kept, as Markdown: precision by language and genre, yield with retention, and the swaps."""
    return "\n".join([*_precision_lines(), "", *_yield_lines(), "", *swap_lines(read_csv(SWAPS))])


def _precision_lines() -> Iterator[str]:
    yield "| language | question | genre | right, 95 % interval |"
    yield "|---|---|---|---|"
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for row in read_csv(JUDGED):
        for genre in (row["genre"], ALL):
            counts.setdefault((row["language"], row["question"], genre), Counter())[row["verdict"]] += 1
    for key, verdicts in sorted(counts.items()):
        yield f"| {' | '.join(key)} | {precision(verdicts['right'], verdicts.total())} |"


def _yield_lines() -> Iterator[str]:
    columns = ("language", "question", "tagger", "names replaced", "role", "kept, women", "kept, men")
    yield f"| {' | '.join(columns)} | odds within genres, 95 % |"
    yield "|---|---|---|---|---|--:|--:|--:|"
    found: dict[tuple[str, ...], dict[str, Counter[tuple[str, str]]]] = {}
    for row in read_csv(YIELDS):
        key = (row["language"], row["question"], row["tagger"], row["replace"], row["role"])
        cells = found.setdefault(key, {}).setdefault(row["genre"], Counter())
        cells[row["gender"], "kept"] += int(row["kept"])
        cells[row["gender"], "left"] += int(row["read"]) - int(row["kept"])
    for key, genres in found.items():
        genders = list(load_anchors(key[0]).columns)
        whole = sum(genres.values(), Counter())
        shares = [f"{whole[g, 'kept']:,} of {whole[g, 'kept'] + whole[g, 'left']:,}" for g in genders]
        yield f"| {' | '.join([*key, *shares, odds_within(genres.values(), genders)])} |"


def swap_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The swapped texts by tagger, names and role, over all genres, as Markdown."""
    yield f"| tagger | names replaced | role | {' | '.join(swap.OUTCOMES)} | odds, she : he | of those kept one way |"
    yield f"|---|---|---|{'--:|' * (len(swap.OUTCOMES) + 2)}"
    found: dict[tuple[str, ...], Counter[str]] = {}
    for row in rows:
        cells = found.setdefault((row["tagger"], row["replace"], row["role"]), Counter())
        cells.update({outcome: int(row[outcome]) for outcome in swap.OUTCOMES})
    for key, cells in found.items():
        counts = [f"{cells[outcome]:,}" for outcome in swap.OUTCOMES]
        yield f"| {' | '.join([*key, *counts, swap.odds(cells), swap.discordant(cells)])} |"


def odds_within(genres: Iterable[Counter[tuple[str, str]]], genders: list[str]) -> str:
    """The odds of being kept, first gender against second, pooled over genres (Mantel and Haenszel)."""
    from statsmodels.stats.contingency_tables import StratifiedTable

    cells = [[[float(one[gender, what]) for what in ("kept", "left")] for gender in genders] for one in genres]
    told = [one for one in cells if all(map(sum, [*one, *zip(*one, strict=True)]))]
    kept = [sum(one[gender][0] for one in told) for gender in range(len(genders))]
    if not told or not all(kept):
        return DASH
    table = StratifiedTable(told)
    low, high = table.oddsratio_pooled_confint()
    return f"{table.oddsratio_pooled:.2f} [{low:.2f}, {high:.2f}]"


def write_docs() -> None:
    """Put the tables into the docs, between the marks."""
    text = DOCS.read_text(encoding="utf-8")
    before, _, rest = text.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    write_over({DOCS: f"{before}{MARKS[0]}\n\n{tables()}\n\n{MARKS[1]}{after}"})


def measured(source: Source) -> Measured:
    """Measure a file, and print what was kept of it."""
    one = measure(source)
    name = f"{one.run['language']}.{one.run['genre']}"
    click.echo(f"{name}: {one.texts:,} texts, {one.texts / one.seconds:,.0f} a second")
    for cells in one.retention.lines():
        click.echo("  " + "  ".join(cells))
    return one


@click.command()
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--language", "only", help="Only files of this language.")
@click.option("--tagger", default="", metavar="MODEL", help="As of eec perturb.")
@click.option("--replace", default="", metavar="LIST", help="As of eec perturb.")
@click.option("--swap-gender", is_flag=True, help="As of eec perturb.")
@click.option("--judge", type=click.Path(path_type=Path), metavar="SHEET", help="Write a sample for judging, as CSV.")
@click.option("--sample", "size", default=25, show_default=True, help="Texts of each file in the sample.")
@click.option("--seed", default=0, show_default=True)
@click.option("--judged", "sheet", type=click.Path(exists=True, path_type=Path), help="Keep the verdicts of a sheet.")
@click.option("--keep", "kept", is_flag=True, help="Keep the yields, or the swaps, in their file.")
@click.option("--swap", "swaps", is_flag=True, help="Read English texts about men once more, with women's words.")
@click.option("--write", is_flag=True, help="Put what is kept into docs/natural-text.md.")
def main(
    folder: Path | None,
    only: str | None,
    tagger: str,
    replace: str,
    swap_gender: bool,
    judge: Path | None,
    size: int,
    seed: int,
    sheet: Path | None,
    kept: bool,
    swaps: bool,
    write: bool,
) -> None:
    """Measure eec perturb on the texts of FOLDER: files LANGUAGE.GENRE.txt with a text per line."""
    if swaps and judge:
        raise click.UsageError("--judge samples rewritten texts, and --swap keeps none. Give one of them.")
    pattern = f"{only or '*'}.*.txt"
    if swaps:
        pattern = "en.*.txt"
    paths: list[Path] = []
    if folder:
        paths = sorted(folder.glob(pattern))
    question = SWAPPED if swap_gender or swaps else SAME
    sources = (opened(path, tagger, replace, question) for path in paths)
    found: list[Measured] = []
    if not swaps:
        found = [measured(source) for source in sources]
    if kept and found:
        keep(YIELDS, rows_of_yields(found), HOW)
    if swaps:
        rows = [row for source in sources for row in rows_of_swaps(source)]
        click.echo("\n".join(swap_lines(rows)))
        if kept:
            keep(SWAPS, rows, HOW)
    if judge:
        write_csv(judge, sample(found, size, seed))
        click.echo(f"Written: {judge}. Write {' or '.join(VERDICTS)} in the column verdict, then --judged {judge}")
    if sheet:
        keep(JUDGED, judged(sheet), ("language", "tagger", "replace", "question", "rules", "id"))
    if write:
        write_docs()


if __name__ == "__main__":
    main()
