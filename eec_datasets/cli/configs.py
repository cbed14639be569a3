"""``eec configs``: what corpora there are."""

from __future__ import annotations

from collections.abc import Mapping

from eec_bias.shared import counted, grouped, wrapped
from eec_datasets.cli.command import command
from eec_datasets.cli.options import JSON, repeated
from eec_datasets.cli.output import columns, echo_json, heading, say

NAME = 26
"""Columns for the name of a corpus."""

LEAST = 60
"""Columns of a terminal in which something can stand beside a name."""


@command()
@repeated("--language", "languages", "TAG", "Only these languages.")
@JSON
def configs(languages: tuple[str, ...], as_json: bool) -> None:
    """List every corpus: language, number of sentences, groups, persons per group, review and a description.

    If the files of a language cannot be read yet, the command leaves it out, with a warning on stderr.

    \b
    Examples:
      eec configs
      eec configs --language es
      eec configs --json | python -m json.tool
    """
    from eec_datasets.locale.reading import corpus_facts
    from eec_datasets.sizes import sizes

    found, left_out = sizes(languages)
    for sentence in left_out:
        say(f"Warning: {sentence}", err=True)
    if as_json:
        version = str(corpus_facts()["version"])
        echo_json([
            {"name": c.name, "language": c.language, "version": version, "rows": c.rows, "axes": c.axes}
            | {"persons_per_cell": c.persons_per_cell, "review": c.review, "about": c.about}
            for c in found
        ])  # fmt: skip
        return
    for review, of_review in grouped(((each.language, each.review), each) for each in found).items():
        say("\n".join(map(heading, wrapped(", ".join(review), columns()).splitlines())), styled=True)
        for each in of_review:
            facts = f"{each.rows:,} sentences, {' × '.join(each.axes)}, {_cells(each.persons_per_cell)}"
            if columns() < LEAST:
                say(f"  {each.name}")
                say(wrapped(facts, columns(), " " * 6))
            else:
                say(wrapped(facts, columns(), f"  {each.name:<{NAME}}  ", " " * (NAME + 4)))
            say(wrapped(each.about, columns(), " " * 6))
        say()


def _cells(cells: Mapping[str, int]) -> str:
    """Sizes in short: ``6 cells of 10``, and cells of other sizes by name."""
    sizes = list(cells.values())
    usual = max(sorted(set(sizes)), key=sizes.count)
    listed = [f"{name} {size}" for name, size in cells.items() if size != usual]
    if len(listed) > 4:
        others = [size for size in sizes if size != usual]
        listed = [f"{len(others)} others of {min(others)} to {max(others)}"]
    return ", ".join([f"{counted(sizes.count(usual), 'cell')} of {usual}", *listed])
