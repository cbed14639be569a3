"""``eec configs``: what corpora there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eec_datasets.cli.command import command
from eec_datasets.cli.options import JSON, repeated
from eec_datasets.cli.output import echo_json, say

if TYPE_CHECKING:
    from eec_datasets.corpora import Config


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
    from eec_datasets import corpora
    from eec_datasets.terminal import lay_out

    usable, unread = corpora.usable(languages)
    for error in unread:
        count = f"{len(error.problems)} problem{'s' if len(error.problems) != 1 else ''}"
        say(f"Warning: locale '{error.tag}' is left out: {count}. See: eec locale check {error.tag}", err=True)
    chosen = [config for config in usable if _renders(config)]
    if as_json:
        echo_json([
            {"name": c.name, "language": c.language, "version": c.version, "rows": c.rows, "axes": list(c.axes)}
            | {"persons_per_cell": dict(c.persons_per_cell), "review": c.review, "about": c.about}
            for c in chosen
        ])  # fmt: skip
        return
    headers = ("config", "language", "rows", "axes", "persons per cell", "review")
    rows = [
        [c.name, c.language, f"{c.rows:,}", " × ".join(c.axes), _cells(c.persons_per_cell), c.review] for c in chosen
    ]
    say(lay_out(headers, rows, right=(2,)))


def _renders(config: Config) -> bool:
    from eec_datasets.errors import RenderError

    try:
        config.corpus  # noqa: B018  # rendered once, kept for the table
    except RenderError as error:
        say(f"Warning: {config.name} is left out: {error}", err=True)
        return False
    return True


def _cells(cells: Mapping[str, int]) -> str:
    """Write sizes shortly: ``6 cells of 10``; cells of other sizes by name."""
    from eec_datasets.checks.report import counted

    sizes = list(cells.values())
    usual = max(sorted(set(sizes)), key=sizes.count)
    others = {name: size for name, size in cells.items() if size != usual}
    listed = [f"{name} {size}" for name, size in others.items()]
    if len(others) > 4:
        listed = [f"{len(others)} others of {min(others.values())} to {max(others.values())}"]
    return ", ".join([f"{counted(sizes.count(usual), 'cell')} of {usual}", *listed])
