"""Checks of a gate as JUnit XML, which continuous integration services read."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from eec_bias.grouping import grouped
from eec_bias.result.gate import Check

# XML 1.0 knows no other control characters, and no way to write them.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(checks: Sequence[Check], suite: str = "eec") -> str:
    """Write checks as JUnit XML: one testcase per condition and place, its rows as text.

    Parameters
    ----------
    checks : sequence of Check
        Of one gate or several.
    suite : str
        Name of the testsuite.

    Returns
    -------
    str
        A document with a ``failure`` of type ``failed`` or ``undefined`` in testcases that do not pass, and
        ``skipped`` in those that are about nothing in their place.
    """
    cases = grouped(((check.place, check.condition), check) for check in checks)
    failures = sum(any(not check.passed for check in case) for case in cases.values())
    skipped = sum(all(check.status == "absent" for check in case) for case in cases.values())
    counts = {"tests": str(len(cases)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}
    root = ElementTree.Element("testsuites", counts)
    parent = ElementTree.SubElement(root, "testsuite", {"name": _written(suite), **counts})
    for (place, condition), case in cases.items():
        name = {"classname": _written(place or suite), "name": _written(condition)}
        element = ElementTree.SubElement(parent, "testcase", name)
        lines = [_written(f"{check.row} {check.said}".strip()) for check in case]
        if bad := [line for check, line in zip(case, lines, strict=True) if not check.passed]:
            kind = "failed" if any(check.status == "failed" for check in case) else "undefined"
            failure = ElementTree.SubElement(element, "failure", {"type": kind, "message": bad[0]})
            failure.text = "\n".join(bad)
        elif all(check.status == "absent" for check in case):
            ElementTree.SubElement(element, "skipped", {"message": _written(case[0].said)})
        ElementTree.SubElement(element, "system-out").text = "\n".join(lines)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _written(text: str) -> str:
    return UNWRITABLE.sub("\ufffd", text)
