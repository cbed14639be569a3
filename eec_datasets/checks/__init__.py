"""The checks of a locale: each problem of its files, with file and line.

>>> from eec_datasets.checks import check
>>> check(Path("locales/es")).ok
True

``table.toml`` has every check with its level, its sentence and how to fix what it finds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from eec_datasets.checks.axes import axis_findings
from eec_datasets.checks.endings import ending_findings
from eec_datasets.checks.evenness import evenness_findings
from eec_datasets.checks.files import file_findings
from eec_datasets.checks.flags import flag_findings
from eec_datasets.checks.forms import form_findings, level_findings
from eec_datasets.checks.key import key_axis_findings, key_findings, open_findings
from eec_datasets.checks.names import name_findings
from eec_datasets.checks.pairs import change_findings, partner_findings
from eec_datasets.checks.parity import parity_findings
from eec_datasets.checks.report import LocaleFinding, Report, from_problem, report
from eec_datasets.checks.review import review_findings
from eec_datasets.checks.sentences import sentence_findings
from eec_datasets.checks.subject import config_findings, sound_part
from eec_datasets.checks.unused import unused_findings
from eec_datasets.errors import FileProblems
from eec_datasets.locale.reading import read_locale
from eec_datasets.locale.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from eec_datasets.checks.subject import Subject
    from eec_datasets.errors import Problem

OF_SOUND_FILES = ("forms", "configs", "pairs", "sentences", "answer key")
OF_WHOLE_LOCALE = ("unused rows", "evenness", "completeness of the answer key")
CHECKS = (
    config_findings, review_findings, axis_findings, level_findings, form_findings, change_findings, partner_findings,
    key_findings, name_findings, ending_findings,
)  # fmt: skip
"""Checks of the sound part of a locale; a later check can use what an earlier one has seen."""
CHECKS_OF_WHOLE_LOCALE = (parity_findings, evenness_findings, flag_findings)
CHECKS_OF_SENTENCES = (unused_findings, sentence_findings, key_axis_findings)
"""Checks that run only if every config and every word is sound."""


def check(folder: Path, *, key: bool = False) -> Report:
    """Check the files of one locale.

    Parameters
    ----------
    folder : the locale's folder; the file ``corpus.toml`` is looked for beside it.
    key : whether each sentence that the answer key lacks is told; else it is counted, where more than a few lack.

    Returns
    -------
    Report : what was found. Files with mistakes are checked as far as they are sound; the report says what was not.
    """
    findings = list(file_findings(folder))
    try:
        locale, problems = read_locale(folder)
    except FileProblems as error:
        locale, problems = None, list(error.problems)
    findings += map(from_problem, problems)
    blocking = _blocking(folder, problems)
    if locale is None or any(problem.place.file == "locale.toml" for problem in blocking):
        return report(folder.name, findings, (*OF_SOUND_FILES, *OF_WHOLE_LOCALE))
    checked = sound_part(locale, blocking, folder, list_key=key)
    findings += _content_findings(checked)
    result = report(folder.name, findings, () if checked.whole else OF_WHOLE_LOCALE)
    return replace(result, locale=locale) if checked.whole else result


def _blocking(folder: Path, problems: Sequence[Problem]) -> list[Problem]:
    """The problems that stand in the way of other checks: those of the table [review] do not."""
    table, in_review = "", set()
    for number, line in enumerate(read_toml(folder / "locale.toml").text.splitlines(), start=1):
        table = line.strip() if line.startswith("[") else table
        if table == "[review]":
            in_review.add(number)
    return [each for each in problems if each.place.file != "locale.toml" or each.place.line not in in_review]


def _content_findings(checked: Subject) -> Iterator[LocaleFinding]:
    for findings_of in CHECKS:
        yield from findings_of(checked)
    for findings_of in CHECKS_OF_WHOLE_LOCALE if checked.whole else ():
        yield from findings_of(checked)
    for findings_of in CHECKS_OF_SENTENCES if checked.whole and checked.sound and not checked.broken else ():
        yield from findings_of(checked)
    yield from open_findings(checked)


__all__ = ["LocaleFinding", "Report", "check"]
