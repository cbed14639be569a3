"""The figures of a result as files, to stand beside a report: gaps and persons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from eec_bias import BiasError, figures
from eec_bias.reading import to_file
from eec_datasets.audit.report.document import Unit
from eec_datasets.packaged import needed

KINDS: Final = ("forest", "persons")
"""Figures of one system on one corpus, in their order."""


def draw_figures(units: Iterable[Unit]) -> dict[str, bytes]:
    """Return the figures of systems as files by name, SVG and PNG, with a text that says what each is.

    Raises
    ------
    Unavailable
        matplotlib is not installed.
    """
    check_library()
    captions: list[str] = []
    files: dict[str, bytes] = {}
    for unit in units:
        captions.append(f"{unit.where}:")
        selected = {key: unit.rows[0].row[key] for key in ("system", "task") if unit.rows[0].row.get(key) is not None}
        for kind in KINDS:
            try:
                figure = figures.draw(kind, unit.entry.result, **selected)
            except BiasError as error:
                captions.append(f"{kind}: {error}")
                continue
            name = f"{len(files) // 2 + 1:02d}-{kind}"
            files |= {f"{name}.{ending}": to_file(figure, ending) for ending in ("png", "svg")}
            captions.append(f"{name}: {figure.eec_title}. {figure.eec_caption}")
    return {**files, "captions.txt": "\n".join([*captions, ""]).encode()}


def check_library() -> None:
    """Say what to install where matplotlib is missing."""
    install = "pip install 'eec-datasets[plot]'"
    needed("matplotlib", f"The figures need matplotlib, which is not installed. Install it with: {install}.")
