"""Verdicts of a gate as JUnit XML, which continuous integration services read."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from eec_bias.result.gate import Verdict

# XML 1.0 knows no other control characters, and no way to write them.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(verdicts: Sequence[Verdict], suite: str = "eec") -> str:
    """Write verdicts as JUnit XML: one testcase per condition and place, its rows as text.

    Parameters
    ----------
    verdicts : sequence of Verdict
        Of one gate or several.
    suite : str
        Name of the testsuite.

    Returns
    -------
    str
        A document with a ``failure`` of type ``failed`` or ``undefined`` in testcases that do not pass, and
        ``skipped`` in those that are about nothing in their place.
    """
    cases: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in verdicts:
        cases.setdefault((verdict.place, verdict.condition), []).append(verdict)
    failures = sum(any(not one.passed for one in case) for case in cases.values())
    skipped = sum(all(one.status == "absent" for one in case) for case in cases.values())
    counts = {"tests": str(len(cases)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}
    root = ElementTree.Element("testsuites", counts)
    parent = ElementTree.SubElement(root, "testsuite", {"name": _written(suite), **counts})
    for (place, condition), case in cases.items():
        _case(parent, place or suite, condition, case)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(parent: ElementTree.Element, place: str, condition: str, case: Sequence[Verdict]) -> None:
    element = ElementTree.SubElement(parent, "testcase", {"classname": _written(place), "name": _written(condition)})
    bad = [one for one in case if not one.passed]
    if bad:
        kind = "failed" if any(one.status == "failed" for one in bad) else "undefined"
        failure = ElementTree.SubElement(element, "failure", {"type": kind, "message": _written(_line(bad[0]))})
        failure.text = _written("\n".join(map(_line, bad)))
    elif all(one.status == "absent" for one in case):
        ElementTree.SubElement(element, "skipped", {"message": _written(case[0].said)})
    ElementTree.SubElement(element, "system-out").text = _written("\n".join(map(_line, case)))


def _line(verdict: Verdict) -> str:
    return f"{verdict.row} {verdict.said}".strip()


def _written(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
