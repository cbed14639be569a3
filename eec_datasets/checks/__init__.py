"""The checks: what is wrong with the files of a locale, with file and line, or with anybody's sentences.

>>> from eec_datasets.checks import check
>>> check(Path("locales/es")).ok
True

``table.toml`` has every check with its level, its sentence and how to mend what it finds; `text`, `pair_evenness`
and `evenness` work on plain sentences and forms with labels.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from eec_datasets.checks.axes import axis_findings
from eec_datasets.checks.evenness import evenness_findings
from eec_datasets.checks.files import file_findings
from eec_datasets.checks.flags import flag_findings
from eec_datasets.checks.forms import Forms
from eec_datasets.checks.key import Key
from eec_datasets.checks.pairs import Changes, partner_findings
from eec_datasets.checks.parity import parity_findings
from eec_datasets.checks.report import Finding, Report, from_problem, report
from eec_datasets.checks.review import review_findings
from eec_datasets.checks.sentences import Sentences
from eec_datasets.checks.subject import config_findings, refused_findings, sound_part
from eec_datasets.checks.undivided import undivided_levels
from eec_datasets.checks.unused import unused
from eec_datasets.errors import LocaleError
from eec_datasets.locale.reading import read_locale
from eec_datasets.locale.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from eec_datasets.checks.subject import Subject
    from eec_datasets.errors import Place, Problem

OF_SOUND_FILES = ("forms", "configs", "pairs", "sentences", "answer key")
OF_WHOLE_LOCALE = ("unused rows", "evenness", "completeness of the answer key")


def check(folder: Path) -> Report:
    """Check the files of one locale.

    Parameters
    ----------
    folder : the locale's folder; the file ``corpus.toml`` is looked for beside it.

    Returns
    -------
    Report : what was found. Files with mistakes are checked as far as they are sound; the report says what was not.
    """
    findings = list(file_findings(folder))
    try:
        locale, problems = read_locale(folder)
    except LocaleError as error:
        locale, problems = None, list(error.problems)
    findings += map(from_problem, problems)
    blocking = _blocking(folder, problems)
    if locale is None or any(problem.place.file == "locale.toml" for problem in blocking):
        return report(folder.name, findings, (*OF_SOUND_FILES, *OF_WHOLE_LOCALE))
    checked = sound_part(locale, blocking, folder)
    findings += _content_findings(checked)
    result = report(folder.name, findings, () if checked.whole else OF_WHOLE_LOCALE)
    return replace(result, locale=locale) if checked.whole else result


def _blocking(folder: Path, problems: Sequence[Problem]) -> list[Problem]:
    """The problems that stand in the way of other checks: those of the table [review] do not."""
    lines = read_toml(folder / "locale.toml").text.splitlines()

    def stands_in_review(place: Place) -> bool:
        headers = (line.strip() for line in reversed(lines[: place.line]) if line.startswith("["))
        return place.file == "locale.toml" and next(headers, "") == "[review]"

    return [problem for problem in problems if not stands_in_review(problem.place)]


def _content_findings(checked: Subject) -> Iterator[Finding]:
    configs = list(config_findings(checked))
    places = {finding.place for finding in configs}
    broken = {f"{checked.locale.tag}-{spec.key}" for spec in checked.locale.configs.values() if spec.place in places}
    yield from configs
    yield from review_findings(checked)
    yield from axis_findings(checked)
    yield from undivided_levels(checked)
    forms = Forms(checked)
    sound = all(form_finding.level != "error" for form_finding in forms.findings)
    yield from forms.findings
    changes = Changes(checked)
    yield from changes.findings
    if checked.whole and sound:
        yield from changes.unchanged()
    yield from partner_findings(checked)
    yield from refused_findings(checked)
    key = Key(checked, broken)
    yield from (finding for finding in key.findings if sound or "cannot be rendered" not in finding.what)
    if not checked.whole:
        return
    yield from parity_findings(checked)
    yield from evenness_findings(checked)
    yield from flag_findings(checked)
    if sound and not broken:
        yield from unused(checked, forms)
        sentences = Sentences(checked)
        yield from sentences.findings
        yield from key.lacking(sentences.present)


__all__ = ["Finding", "Report", "check"]
