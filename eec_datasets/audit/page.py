"""The report: one HTML file that needs nothing beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from eec_datasets import __version__
from eec_datasets.audit import plots, table
from eec_datasets.audit.builtin import about
from eec_datasets.audit.corpus import Corpus, sample
from eec_datasets.audit.running import Outcome
from eec_datasets.audit.standouts import Standout


@dataclass(frozen=True, slots=True)
class Section:
    """What the page shows of one system.

    Attributes
    ----------
    system
        Its name.
    about
        What it does, where it is built in.
    score_range
        Declared range of its scores.
    rows
        Rows of terms of all its configs, each with ``config``.
    notes
        What the rows refer to by number.
    plot
        An ``<svg>`` element.
    sentences
        Per config the metric's own sentence on every row.
    standouts
        Per config the names far from the others of their group, where there are any.
    signatures
        One per config.
    """

    system: str
    about: str
    score_range: tuple[float, float]
    rows: list[dict[str, Any]]
    notes: list[str]
    plot: str
    sentences: dict[str, list[str]]
    standouts: dict[str, list[Standout]]
    signatures: list[str]


def render(outcomes: Sequence[Outcome], corpora: Sequence[Corpus]) -> str:
    """Return the page.

    Parameters
    ----------
    outcomes
        What was measured, in the order of the page.
    corpora
        The corpora whose sentences are shown.
    """
    from eec_bias.report import CAVEAT
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    filters: dict[str, Callable[..., str]] = {
        "signed": partial(table.number, signed=True),
        "number": table.number,
        "probability": table.probability,
        "interval": table.interval,
        "term": table.term,
        "contrast": table.contrast,
        "reading": table.reading,
        "svg": Markup,
    }
    environment.filters |= filters
    template = environment.from_string(Path(__file__).with_name("page.html.j2").read_text(encoding="utf-8"))
    names = list(dict.fromkeys(outcome.system for outcome in outcomes))
    sections = [_section(i, name, [o for o in outcomes if o.system == name]) for i, name in enumerate(names, start=1)]
    return template.render(
        sections=sections,
        corpora=[(corpus, sample(corpus)) for corpus in corpora],
        caveat=CAVEAT,
        version=__version__,
    )


def _section(number: int, system: str, outcomes: Sequence[Outcome]) -> Section:
    from eec_bias.report import reading

    rows = [{"config": o.corpus.name, **row} for o in outcomes for row in o.result.to_dict()["terms"]]
    return Section(
        system=system,
        about=about(system),
        score_range=outcomes[0].score_range,
        rows=rows,
        notes=list(dict.fromkeys(row["note"] for row in rows if row["note"])),
        plot=plots.forest(
            rows, outcomes[0].score_range, f"Effects of {system} with their intervals", part=f"s{number}-"
        ),
        standouts={o.corpus.name: o.standouts for o in outcomes if o.standouts},
        sentences={o.corpus.name: [reading(row) for row in o.result.terms] for o in outcomes},
        signatures=[str(o.result.signature) for o in outcomes],
    )
