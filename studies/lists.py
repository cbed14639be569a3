"""Real word lists and whom they hear: ``python -m studies.lists --overwrite`` writes docs/study/lists.md and lists.csv.

It runs programs of the census on our sentences with words in two forms, with the settings of `eec measure`. Install
them first: ``eec census census/census.toml --install``. No list is copied: the table has the words of ours that a
program hears in one form only, and no values.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

import click

import eec_bias
from eec_bias.shared import check, write
from eec_datasets.census.programs import read_census
from eec_datasets.census.scoring import answers_path, open_census_system, score_texts
from eec_datasets.cli.options import OVERWRITE
from eec_datasets.errors import EecError
from eec_datasets.systems.corpus import open_corpus
from eec_datasets.systems.hearing import LISTS
from eec_datasets.systems.store import Store
from studies.markdown import number, p_value, table

ROOT: Final = Path(__file__).parent.parent
CENSUS: Final = ROOT / "census" / "census.toml"
FOLDER: Final = ROOT / "docs" / "study"
FILES: Final = ("lists.csv", "lists.md")

Kind = Literal["list", "stemmed", "control"]
"""A list of forms; a list that is looked up by stems or in several forms; a language whose adjectives do not agree."""

SYSTEMS: Final[Mapping[str, Kind]] = {
    "asent-es": "list", "natural-senticon-es": "list", "natural-afinn-es": "list", "emoatlas-es": "list",
    "asent-it": "list", "natural-pattern-it": "list", "emoatlas-it": "list",
    "asent-fr": "list", "vader-fr": "list", "emoatlas-fr": "list",
    "asent-pt": "list", "leia-pt": "list", "natural-afinn-pt": "list", "emoatlas-pt": "list",
    "asent-he": "list", "asent-hi": "list", "asent-ru": "list", "nlpjs-ru": "list",
    "natural-senticon-stem-es": "stemmed", "natural-afinn-stem-es": "stemmed", "nlpjs-es": "stemmed",
    "natural-pattern-stem-it": "stemmed", "nlpjs-it": "stemmed", "natural-pattern-stem-fr": "stemmed",
    "nlpjs-fr": "stemmed", "natural-afinn-stem-pt": "stemmed", "nlpjs-pt": "stemmed",
    "asent-de": "control", "natural-pattern-de": "control", "nlpjs-de": "control", "textblob-de": "control",
    "asent-en": "control", "natural-afinn-en": "control", "vader-en": "control",
}  # fmt: skip
"""Systems of the census by their names there."""

KNOWN: Final = 20
"""Words that a list must know for a test to say much."""

CLEAR: Final = 1e-3
"""Below this p a difference is called clear on the page."""

SHOWN: Final = 4
"""Words of a list on the page; all are in the table."""


@dataclass(frozen=True)
class Listened:
    """The words that a system hears on one corpus; numbers that are not known are None.

    Attributes
    ----------
    system, version, kind, corpus
        What was run on what.
    words, only_him, only_her, both, neither
        Words with two forms, and in which of them they are heard; ``p_heard`` tests the two numbers in the middle.
    ratio, low, high
        The reaction to women over that to men with its interval of 95 %, tested by ``p_reaction``.
    agrees, same
        The ratio on sentences whose word has two forms, and on the others.
    found
        Answers of the two questions that are a finding.
    forms_him, forms_her
        Words heard about men only, and about women only, each in both forms: *enojado/enojada*.
    """

    system: str
    version: str
    kind: Kind
    corpus: str
    words: int | None
    only_him: int | None
    only_her: int | None
    both: int | None
    neither: int | None
    p_heard: float | None
    ratio: float | None
    low: float | None
    high: float | None
    p_reaction: float | None
    agrees: float | None
    same: float | None
    found: str
    forms_him: str
    forms_her: str

    @property
    def known(self) -> int:
        """Words with two forms that it hears in one of them at least."""
        return (self.only_him or 0) + (self.only_her or 0) + (self.both or 0)

    @property
    def is_clear(self) -> bool:
        """Tell if one of the two tests is below `CLEAR`."""
        return any(p is not None and p < CLEAR for p in (self.p_heard, self.p_reaction))


def listened(system: str, store: Store) -> Listened:
    """Run a system on the sentences of its language, and measure it."""
    census = read_census(CENSUS)
    program, of_program = next((p, s) for p in census.programs for s in p.systems if s.name == system)
    language, kind = of_program.language, SYSTEMS[system]
    corpus = open_corpus(LISTS[language] if kind == "control" else f"{language}-forms")
    opened = open_census_system(census, program, of_program)
    texts = corpus.columns["text"]
    scores = score_texts(opened, list(dict.fromkeys(texts)), store, None)
    limits = None if math.isinf(opened.score_range[0]) else opened.score_range
    result = eec_bias.measure([scores[text] for text in texts], corpus.table, score_range=limits, high_means="positive")
    asked: dict[str, Any] = {
        each.asks: each for each in result.reactions if each.comparison.axes == "gender" and each.row.subset == "pairs"
    }
    reaction, heard = asked["reaction"], asked.get("heard")
    counted: dict[str, Any] = {"words": None, "only_him": None, "only_her": None, "both": None, "neither": None,
                               "p_heard": None, "forms_him": "", "forms_her": ""}  # fmt: skip
    if heard is not None:
        row = heard.row
        counted = {
            "words": row.words, "only_him": row.only_reference, "only_her": row.only_level, "both": row.both,
            "neither": row.neither, "p_heard": row.p, "forms_him": _forms(row.words_reference),
            "forms_her": _forms(row.words_level),
        }  # fmt: skip
    return Listened(
        system=system,
        version=program.version,
        kind=kind,
        corpus=corpus.name,
        **counted,
        ratio=reaction.row.ratio,
        low=reaction.row.ratio_low,
        high=reaction.row.ratio_high,
        p_reaction=reaction.row.p,
        agrees=reaction.agrees and reaction.agrees.ratio,
        same=reaction.same and reaction.same.ratio,
        found=" ".join(asks for asks, finding in asked.items() if finding.found),
    )


def _forms(words: Sequence[tuple[str, str, str]]) -> str:
    return "; ".join(f"{his}/{hers}" for _, hers, his in words)


def to_csv(rows: Sequence[Listened]) -> str:
    """Return the table; numbers have four digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([field.name for field in fields(Listened)])
    writer.writerows([_cell(value) for value in astuple(row)] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else value


def page(rows: Sequence[Listened]) -> str:
    """Return the chapter."""
    lists = [row for row in rows if row.kind == "list"]
    known = [row for row in lists if row.known >= KNOWN]
    words = [row.words for row in lists if row.words]
    unclear = [row.system for row in known if not row.is_clear]
    text = Path(__file__).with_name("lists.template.md").read_text(encoding="utf-8")
    return text.format(
        fewest=min(words), most=max(words),
        senticon=next((row.only_him for row in lists if row.system == "natural-senticon-es"), None),
        date=f"{datetime.now(UTC):%-d %b %Y}",
        lists=_table(lists), stemmed=_table([row for row in rows if row.kind == "stemmed"]),
        controls=_controls([row for row in rows if row.kind == "control"]), examples=_examples(lists),
        known=KNOWN, number=len(known), clear=len(known) - len(unclear), unclear=", ".join(unclear) or "none",
        him=sum((row.only_him or 0) > (row.only_her or 0) for row in lists),
        her=sum((row.only_her or 0) > (row.only_him or 0) for row in lists), all=len(lists),
    )  # fmt: skip


def _table(rows: Sequence[Listened]) -> str:
    head = ["system", "words", "only him", "only her", "both", "p", "reaction", "p", "two forms", "one form"]
    return table(head, [_cells(row) for row in rows], 1)


def _cells(row: Listened) -> list[str]:
    counts = [str(value) for value in (row.words, row.only_him, row.only_her, row.both)]
    ratios = [number(value, 2) for value in (row.agrees, row.same)]
    return [row.system, *counts, p_value(row.p_heard), _ratio(row), p_value(row.p_reaction), *ratios]


def _controls(rows: Sequence[Listened]) -> str:
    lines = [[row.system, row.corpus, _ratio(row), row.found or "nothing"] for row in rows]
    return table(["system", "corpus", "reaction", "found"], lines, 2)


def _ratio(row: Listened) -> str:
    if row.ratio is None:
        return "–"
    if row.low is None:
        return number(row.ratio, 2)
    high = "no limit" if row.high is None else number(row.high, 2)
    return f"{number(row.ratio, 2)} [{number(row.low, 2)}, {high}]"


def _examples(rows: Sequence[Listened]) -> str:
    lines = [
        [row.system, *(", ".join(forms.split("; ")[:SHOWN]) or "–" for forms in (row.forms_him, row.forms_her))]
        for row in rows
    ]
    return table(["system", "heard about men only", "heard about women only"], lines, 3)


@click.command(help=__doc__)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=FOLDER, help="[default: docs/study]")
@OVERWRITE
def main(out: Path, overwrite: bool) -> None:
    """Make the chapter."""
    try:
        check([out / name for name in FILES], overwrite=overwrite)
        with Store(answers_path()) as store:
            rows = [listened(system, store) for system in SYSTEMS]
    except EecError as error:
        raise click.ClickException(str(error)) from error
    write(out / "lists.csv", to_csv(rows), overwrite=overwrite)
    write(out / "lists.md", page(rows), overwrite=overwrite)


if __name__ == "__main__":
    main()
