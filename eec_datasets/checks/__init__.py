"""The checks of a locale: everything wrong with its files at once, with file and line and how to mend it.

>>> from eec_datasets.checks import check
>>> check(Path("locales/es")).ok
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eec_datasets.checks.evenness import evenness_findings
from eec_datasets.checks.forms import examine
from eec_datasets.checks.key import completeness, examine_key
from eec_datasets.checks.pairs import change_findings, partner_findings
from eec_datasets.checks.parity import parity_findings
from eec_datasets.checks.registry import registry_findings
from eec_datasets.checks.report import Finding, Report, from_problem, report
from eec_datasets.checks.review import review_findings
from eec_datasets.checks.sentences import refused_findings, render_all
from eec_datasets.checks.text import text_findings
from eec_datasets.checks.trials import Subject, config_findings, subject
from eec_datasets.checks.unused import unused
from eec_datasets.errors import LocaleError
from eec_datasets.locale.reading import read_locale
from eec_datasets.locale.sources import Problems, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from eec_datasets.locale.model import ConfigSpec, Problem

DEEP = ("forms", "configs", "pairs", "sentences", "answer key")
WHOLE = ("unused rows", "evenness", "completeness of the answer key")


def check(folder: Path) -> Report:
    """Check the files of one locale.

    Parameters
    ----------
    folder : the locale's folder; the file ``corpus.toml`` is looked for beside it.

    Returns
    -------
    Report : what was found. Files with mistakes are checked as far as they are sound; the report says what was not.
    """
    findings = list(text_findings(folder))
    try:
        locale, problems = read_locale(folder)
    except LocaleError as error:
        found = [from_problem(problem) for problem in error.problems]
        return report(folder.name, [*found, *findings], (*DEEP, *WHOLE))
    findings += [from_problem(problem) for problem in problems]
    weighty = _weighty(folder, problems)
    if locale is None or any(problem.place.file == "locale.toml" for problem in weighty):
        return report(folder.name, findings, (*DEEP, *WHOLE))
    checked = subject(locale, weighty, folder)
    findings += _deep(checked)
    return report(folder.name, findings, () if checked.whole else WHOLE)


def _weighty(folder: Path, problems: Sequence[Problem]) -> list[Problem]:
    """The problems that stand in the way of other checks: those of the table [review] do not."""
    lines = read_toml(folder / "locale.toml", Problems()).text.splitlines()
    section, sections = "", []
    for line in lines:
        section = line.strip() if line.startswith("[") else section
        sections.append(section)
    return [
        problem
        for problem in problems
        if problem.place.file != "locale.toml" or sections[problem.place.line - 1 :][:1] != ["[review]"]
    ]


def _at(spec: ConfigSpec, findings: Sequence[Finding]) -> bool:
    return any(finding.place == spec.place for finding in findings)


def _deep(checked: Subject) -> Iterator[Finding]:
    configs = list(config_findings(checked))
    broken = {f"{checked.locale.tag}-{spec.key}" for spec in checked.locale.configs.values() if _at(spec, configs)}
    yield from configs
    yield from review_findings(checked)
    yield from registry_findings(checked)
    forms = examine(checked)
    yield from forms.findings
    yield from change_findings(checked, not forms.findings)
    yield from partner_findings(checked)
    yield from refused_findings(checked)
    key = examine_key(checked, broken)
    sound = not forms.findings
    yield from (finding for finding in key.findings if sound or "cannot be rendered" not in finding.what)
    if not checked.whole:
        return
    yield from parity_findings(checked)
    yield from evenness_findings(checked)
    if sound and not broken:
        yield from unused(checked, forms)
        sentences = render_all(checked)
        yield from sentences.findings
        yield from completeness(key, sentences)


__all__ = ["Finding", "Report", "check"]
