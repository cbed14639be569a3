"""A result as a small picture for a README or a model card."""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.grouping import grouped
from eec_bias.options import check_names
from eec_bias.result.brief import sentence_of
from eec_bias.result.finding import Finding, by_plan, find, headline
from eec_bias.result.html import template
from eec_bias.result.junit import UNWRITABLE
from eec_bias.result.parts import listed, pick_one
from eec_bias.result.record import record_of
from eec_bias.result.signature import part_of
from eec_bias.result.telling import answer_with_unit, say
from eec_bias.stats.contrasts import is_simple_effect

_WIDTHS = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61,
    69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59,
    82, 59, 59, 52, 64, 34, 64, 84,
)  # fmt: skip
"""Advances of DejaVu Sans, about those of Verdana, in hundredths of the size, from the space to the tilde."""

SIZE, HEIGHT, PAD, GAP = 11, 20, 6, 4
UNCONTROLLED = ("camara2022", "kiritchenko2018", "rating")
"""Procedures whose findings are not to be shown without saying so."""

LONGEST = 80
"""A label or message with more characters is visibly shortened."""

# White letters stand out from each of these by a contrast of at least 7 to 1.
_NAME, _FOUND, _NOT_FOUND, _UNKNOWN = "#444444", "#8a3b00", "#2f4f6f", "#555555"


def badge(result: Any, terms: Sequence[str] | str | None = None, *, subset: str = "names", **where: str | None) -> str:
    """Draw one label per term: what was found, or from what size on a gap would have been.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    terms : str or sequence of str, optional
        Such as ``race``; by default those of single axes, and whatever else differs.
    subset : str
        The findings to take; a term that has none in it is taken from its first subset.
    **where
        ``system``, ``task``, ``stratum``, ``output``: what the badge is of, where the result is of several.

    Returns
    -------
    str
        A self-contained SVG. Its title holds the sentence of each finding and the signature.

    Raises
    ------
    OptionError
        If a term is unknown, the result is of several systems and none is chosen, or of a procedure that does not hold
        its level.

    Notes
    -----
    Of several levels the largest difference found is shown. ``not found; 2 points would have been`` gives the largest
    of the gaps that would just have been found, in points: hundredths of the range of the scores.
    """
    record = record_of(result)
    if record.plan is None:
        raise OptionError(
            f"{record.method} repeats a published test that does not hold its level, which a badge has no room to say; "
            "measure with the default test"
        )
    if terms is not None and not isinstance(terms, str):
        check_names("terms", terms)
    margin, pair = record.plan.margin, part_of(record.signature, "compare") or ""
    findings = pick_one(find(record), where, "differences")
    in_order = by_plan(findings, record.plan)
    by_place = grouped(((finding.question.term, finding.question.subset), finding) for finding in in_order)
    chosen = _choose(by_place, [terms] if isinstance(terms, str) else terms, subset)
    # What is shown of two systems must not pass for what one of them does.
    two = f", {pair}" if pair else ""
    parts = [(_short(f"{named}{two}"), *_message(by_place[place], margin)) for place, named in chosen.items()]
    boxes, x = [], 0
    for named, message, colour in parts:
        for text, fill in ((named, _NAME), (message, colour)):
            length = math.ceil(text_width(text))
            boxes.append((x, length, text, fill))
            x += length + 2 * PAD
        x += GAP
    low, high = record.score_range
    said = [sentence_of(say(finding, margin, systems=pair)) for place in chosen for finding in by_place[place]]
    ranging = f"{'Differences of scores' if two else 'Scores'} range from {low:g} to {high:g}."
    drawn = template("badge.svg.j2").render(
        boxes=boxes, width=x - GAP, height=HEIGHT, size=SIZE, pad=PAD,
        summary="; ".join(f"{named}: {message}" for named, message, _ in parts),
        title=_line(" ".join([*said, ranging, str(record.signature)])),
    )  # fmt: skip
    return f"{drawn}\n"


Place = tuple[str, str]
"""Term and subset."""


def _choose(
    by_place: Mapping[Place, Sequence[Finding]], requested: Sequence[str] | None, subset: str
) -> dict[Place, str]:
    """Choose what is shown, and name it."""
    known = list(dict.fromkeys(term for term, _ in by_place))
    wanted = requested or [term for term in known if ":" not in term and not is_simple_effect(term)]
    chosen: dict[Place, str] = {}
    for term in wanted:
        if term not in known:
            raise OptionError(f"there is no term {term!r} to show; there are {listed(known) or 'none'}")
        first = next(place for place in by_place if place[0] == term)
        chosen[(term, subset) if (term, subset) in by_place else first] = term
    differs = {place: any(finding.found for finding in findings) for place, findings in by_place.items()}
    for term, other in by_place if requested is None else ():
        # Where nothing is found of a term, a difference in its other sentences must not be missing.
        if differs[term, other] and not any(differs[place] for place in chosen if place[0] == term):
            chosen[term, other] = f"{term} ({other})" if term in wanted else term
    if not chosen:
        raise OptionError("there is no term to show; a badge shows differences between groups")
    return chosen


def text_width(text: str) -> float:
    """Measure a line in pixels at the size of a badge.

    Letters beyond ASCII are not in the table: wide ones count as a square, marks as nothing, others as a capital.
    """
    width = 0
    for character in text:
        if " " <= character <= "~":
            width += _WIDTHS[ord(character) - 32]
        elif unicodedata.category(character) not in ("Mn", "Me", "Cf"):
            width += 100 if unicodedata.east_asian_width(character) in "WF" else 70
    return SIZE * width / 100


def _message(findings: Sequence[Finding], margin: float | None) -> tuple[str, str]:
    """What a badge says of the findings of one term, and its colour."""
    first = headline(findings)
    if first is None:
        raise OptionError("there is no finding to show")
    if first.found:
        more = sum(finding.found for finding in findings) - 1
        others = f" and {more} more" if more else ""
        return _short(f"{answer_with_unit(first, margin)}{others}"), _FOUND
    lacking = [finding for finding in findings if finding.verdict in ("not_estimable", "unanswered")]
    if lacking:
        return answer_with_unit(lacking[0], margin), _UNKNOWN
    # What would have been found of each is what would have been of the one of which least was.
    widest = max(findings, key=lambda finding: (finding.verdict == first.verdict, finding.found_from or 0.0))
    return answer_with_unit(widest, margin), _NOT_FOUND


def _line(text: str) -> str:
    # Control characters have no place in XML, lines none in a badge.
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in UNWRITABLE.sub(" ", text))


def _short(text: str) -> str:
    line = _line(text)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
