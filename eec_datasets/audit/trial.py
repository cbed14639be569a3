"""Whether an audit takes the configs of a locale: each is rendered whole and measured, with scores that are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets import corpora
from eec_datasets.audit.running import call, function
from eec_datasets.checks.report import finding, report
from eec_datasets.errors import EecError
from eec_datasets.locale.reading import load_locale

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from eec_datasets.checks import Finding, Report


def tried(checked: Report, folder: Path) -> Report:
    """The report of a locale with what an audit would refuse; as it is where the locale has errors."""
    return report(checked.tag, [*checked.findings, *_refused(folder)]) if checked.ok else checked


def _refused(folder: Path) -> Iterator[Finding]:
    import numpy as np

    generator = np.random.default_rng(0)
    for spec in load_locale(folder.name, folder.parent).configs.values():
        name = f"{folder.name}-{spec.key}"
        try:
            rows = corpora.table(name, root=folder.parent)
            call(name, function("default"), generator.random(rows.num_rows), rows)
        except EecError as error:
            yield finding("configs.refused-by-audit", spec.place, error=str(error).rstrip("."))
