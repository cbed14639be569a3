"""``eec configs``: what corpora there are."""

from __future__ import annotations

from collections.abc import Mapping

from eec_bias.shared import counted
from eec_datasets.cli.command import command
from eec_datasets.cli.options import JSON, repeated
from eec_datasets.cli.output import echo_json, say
from eec_datasets.terminal import lay_out


@command()
@repeated("--language", "languages", "TAG", "Only these languages.")
@JSON
def configs(languages: tuple[str, ...], as_json: bool) -> None:
    """List every config: its language, rows, identity axes, persons per cell and review status.

    A locale that cannot be read yet is left out, with a warning on stderr.

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
    headers = ("config", "language", "rows", "axes", "persons per cell", "review")
    rows = [
        [c.name, c.language, f"{c.rows:,}", " × ".join(c.axes), _cells(c.persons_per_cell), c.review] for c in found
    ]
    say(lay_out(headers, rows, right=(2,)))


def _cells(cells: Mapping[str, int]) -> str:
    """Sizes in short: ``6 cells of 10``, and cells of other sizes by name."""
    sizes = list(cells.values())
    usual = max(sorted(set(sizes)), key=sizes.count)
    listed = [f"{name} {size}" for name, size in cells.items() if size != usual]
    if len(listed) > 4:
        others = [size for size in sizes if size != usual]
        listed = [f"{len(others)} others of {min(others)} to {max(others)}"]
    return ", ".join([f"{counted(sizes.count(usual), 'cell')} of {usual}", *listed])
