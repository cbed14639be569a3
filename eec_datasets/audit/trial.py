"""Trial of the configs of a locale in an audit: each is rendered whole and measured, with random scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from eec_datasets import corpora
from eec_datasets.audit.running import call_metric
from eec_datasets.checks.report import finding, report
from eec_datasets.errors import EecError

if TYPE_CHECKING:
    from pathlib import Path

    from eec_datasets.checks import Report


def with_trial(checked: Report, folder: Path) -> Report:
    """The report of a locale with what an audit would refuse; as it is where the locale has errors."""
    import numpy as np

    if not checked.ok or checked.locale is None:
        return checked
    generator, refused = np.random.default_rng(0), []
    for config in corpora.configs_of(checked.locale, folder.parent):
        try:
            rows = corpora.table(config)
            call_metric(config.name, "default", generator.random(rows.num_rows), rows)
        except EecError as error:
            refused.append(finding("configs.refused-by-audit", config.spec.place, error=str(error).rstrip(".")))
    return replace(report(checked.tag, [*checked.findings, *refused]), locale=checked.locale)
