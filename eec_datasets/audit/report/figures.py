"""The figures of a result as files, to stand beside a report: gaps and persons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from eec_bias import BiasError, figures
from eec_bias.measurement import Measurement
from eec_bias.reading import to_file
from eec_datasets.packaged import needed

KINDS: Final = ("forest", "persons")
"""Figures of one system on one corpus, in their order."""


def draw_figures(measurements: Iterable[Measurement], most: int | None = None) -> dict[str, bytes]:
    """Return the figures of each system as files by name, SVG and PNG, with a text that says what each is.

    Parameters
    ----------
    measurements
        What was measured.
    most
        Draw no more than this many systems.

    Raises
    ------
    Unavailable
        matplotlib is not installed.
    """
    check_library()
    captions: list[str] = []
    files: dict[str, bytes] = {}
    for measurement, selected in islice(_systems(measurements), most):
        system = selected.get("system", measurement.system)
        captions.append(f"{' · '.join(filter(None, [system, selected.get('task'), measurement.list]))}:")
        for kind in KINDS:
            try:
                figure = figures.draw(kind, measurement.result, **selected)
            except BiasError as error:
                captions.append(f"{kind}: {error}")
                continue
            name = f"{len(files) // 2 + 1:02d}-{kind}"
            files |= {f"{name}.{ending}": to_file(figure, ending) for ending in ("png", "svg")}
            captions.append(f"{name}: {figure.eec_title}. {figure.eec_caption}")
    return {**files, "captions.txt": "\n".join([*captions, ""]).encode()}


def _systems(measurements: Iterable[Measurement]) -> Iterator[tuple[Measurement, dict[str, str]]]:
    """Return each measurement once for each of its systems and tasks, by which a figure selects its rows."""
    for measurement in measurements:
        for system, task in dict.fromkeys((row.system, row.task) for row in measurement.result.terms):
            selected = {"system": system, "task": task}
            yield measurement, {key: value for key, value in selected.items() if value is not None}


def check_library() -> None:
    """Say what to install where matplotlib is missing."""
    install = "pip install 'eec-datasets[plot]'"
    needed("matplotlib", f"The figures need matplotlib, which is not installed. Install it with: {install}.")
