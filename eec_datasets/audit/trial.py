"""Whether an audit takes the configs of a locale: each is rendered whole and measured, with scores that are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets import corpora
from eec_datasets.audit.running import call_metric
from eec_datasets.checks.report import finding, report
from eec_datasets.errors import EecError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from eec_datasets.checks import Finding, Report
    from eec_datasets.locale.model import Locale


def with_trial(checked: Report, folder: Path) -> Report:
    """The report of a locale with what an audit would refuse; as it is where the locale has errors."""
    if not checked.ok or checked.locale is None:
        return checked
    return report(checked.tag, [*checked.findings, *_refusals(checked.locale, folder.parent)])


def _refusals(locale: Locale, root: Path) -> Iterator[Finding]:
    import numpy as np

    generator = np.random.default_rng(0)
    for config in corpora.configs_of(locale, root):
        try:
            rows = corpora.table(config)
            call_metric(config.name, "default", generator.random(rows.num_rows), rows)
        except EecError as error:
            yield finding("configs.refused-by-audit", config.spec.place, error=str(error).rstrip("."))
