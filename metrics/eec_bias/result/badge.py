"""A result as a small picture for a README or a model card."""

import math
import unicodedata
from collections.abc import Sequence
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.grouping import grouped
from eec_bias.options import ANY, check_names
from eec_bias.result.frame import level_name
from eec_bias.result.html import template
from eec_bias.result.junit import UNWRITABLE
from eec_bias.result.numbers import rounded, signed
from eec_bias.result.parts import listed, pick_one
from eec_bias.result.record import record_of
from eec_bias.result.signature import part_of
from eec_bias.result.verdict import Judged, judge_comparisons
from eec_bias.result.words import say_verdict, sentence

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

LONGEST = 60
"""A label or message with more characters is visibly shortened."""

# White letters stand out from each of these by a contrast of at least 7 to 1.
_NAME, _FOUND, _NOT_FOUND, _UNKNOWN = "#444444", "#8a3b00", "#2f4f6f", "#555555"


def badge(result: Any, terms: Sequence[str] | str | None = None, *, subset: str = "names", **where: str | None) -> str:
    """Draw one label per term: what was found, or what was the smallest detectable difference.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    terms : str or sequence of str, optional
        Such as ``race``; by default those of single axes, and whatever else differs.
    subset : str
        The rows to take; a term that has none in it is taken from its first subset.
    **where
        ``system``, ``task``, ``stratum``, ``output``: what the badge is of, where the result is of several.

    Returns
    -------
    str
        A self-contained SVG. Its title holds the reading of each row and the signature.

    Raises
    ------
    OptionError
        If a term is unknown, the result is of several systems and none is chosen, or of a procedure that does not hold
        its level.

    Notes
    -----
    Of several levels the largest difference found is shown. ``no detectable difference (≥ .02)`` gives the largest of
    their smallest detectable differences, rounded up, in the units of the scores; nothing where an effect is as large.
    """
    record = record_of(result)
    if record.method in UNCONTROLLED:
        raise OptionError(
            f"{record.method} repeats a published test that does not hold its level, which a badge has no room to say; "
            "measure with the default test"
        )
    if terms is not None and not isinstance(terms, str):
        check_names("terms", terms)
    by_place = grouped(
        ((each.row["term"], each.row["subset"]), each)
        for each in pick_one(judge_comparisons(record), where, "differences")
    )
    known = list(dict.fromkeys(term for term, _ in by_place))
    requested = [terms] if isinstance(terms, str) else terms or [term for term in known if ":" not in term]
    chosen: dict[tuple[str, str], str] = {}
    for term in requested:
        if term not in known:
            raise OptionError(f"there is no term {term!r} to show; there are {listed(known) or 'none'}")
        first = next(place for place in by_place if place[0] == term)
        chosen[(term, subset) if (term, subset) in by_place else first] = term
    differs = {place: any(each.verdict.found for each in of_place) for place, of_place in by_place.items()}
    for term, other in by_place if terms is None else ():
        # Where nothing is found of a term, a difference in its other sentences must not be missing.
        if differs[term, other] and not any(differs[place] for place in chosen if place[0] == term):
            chosen[term, other] = f"{term} ({other})" if term in requested else term
    if not chosen:
        raise OptionError("there is no term to show; a badge shows differences between groups")
    # What is shown of two systems must not pass for what one of them does.
    two = f", {pair}" if (pair := part_of(record.signature, "compare")) else ""
    parts = [(_short(f"{name}{two}"), *_message(by_place[place])) for place, name in chosen.items()]
    boxes, x = [], 0
    for name, message, colour in parts:
        for text, fill in ((name, _NAME), (message, colour)):
            length = math.ceil(text_width(text))
            boxes.append((x, length, text, fill))
            x += length + 2 * PAD
        x += GAP
    low, high = record.score_range
    readings = [sentence(record, *each) for place in chosen for each in by_place[place]]
    ranging = f"{'Differences of scores' if two else 'Scores'} range from {low:g} to {high:g}."
    drawn = template("badge.svg.j2").render(
        boxes=boxes, width=x - GAP, height=HEIGHT, size=SIZE, pad=PAD,
        summary="; ".join(f"{name}: {message}" for name, message, _ in parts),
        title=_line(" ".join([*readings, ranging, str(record.signature)])),
    )  # fmt: skip
    return f"{drawn}\n"


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


def _message(judged: Sequence[Judged]) -> tuple[str, str]:
    """What a badge says of the levels of one term, and its colour."""
    differences = [each for each in judged if each.verdict.found]
    levels = [each for each in differences if each.row["level"] != ANY]
    if levels:
        return _message_of_largest(levels), _FOUND
    if differences:
        return say_verdict(*differences[0]), _FOUND
    kinds = {verdict.kind for row, verdict in judged if row["level"] != ANY}
    if "not_estimable" in kinds:
        return "not tested", _UNKNOWN
    if kinds == {"no_reaction"}:
        return "no reaction", _NOT_FOUND
    if kinds <= {"no_reaction", "zero"}:
        zero = "same effect" if judged[0].verdict.compared else "effect 0"
        zero += " on average" if any(verdict.averaged for _, verdict in judged) else ""
        return f"{zero} on these names" if judged[0].row["subset"] == "names" else zero, _NOT_FOUND
    detectable = [(abs(row["effect"]), row["mde"]) for row, _ in judged if row["mde"] is not None]
    # An effect of that size, found where it is tested alone and not after adjustment, would make the bound untrue.
    told = detectable and all(effect < mde for effect, mde in detectable)
    least = f" (≥ {_without_zero(_rounded_up(max(mde for _, mde in detectable)))})" if told else ""
    return f"no detectable difference{least}", _NOT_FOUND


def _message_of_largest(levels: Sequence[Judged]) -> str:
    """Say the largest difference of one term; of one that turns with the emotion that on the emotion where it is."""
    row, verdict = max(levels, key=_size)
    if verdict.kind == "by_emotion":
        worst = verdict.emotions[0]
        size = _without_zero(signed(worst.in_emotion))
        return _short(f"differs by emotion, {level_name(row)} {size} on {worst.emotion}")
    kind = {"same_difference": " throughout", "wording": " (wording)"}.get(verdict.kind, "")
    kind = " on average" if verdict.averaged else kind
    kind += " (difference of differences)" if "+" in row["axes"] else ""
    more = f" and {len(levels) - 1} more" if len(levels) > 1 else ""
    return _short(f"{level_name(row)} {_without_zero(signed(row['effect']))}{kind}{more}")


def _size(each: Judged) -> float:
    """How large a difference is, on the emotion on which it is largest."""
    effects = [each.row["effect"], *(row.in_emotion for row in each.verdict.emotions)]
    return max(abs(float(effect)) for effect in effects if effect is not None)


def _without_zero(number: str) -> str:
    """A number without the zero before the point, with a minus that is one."""
    return number.replace("-", "−").replace("0.", ".", 1) if number.lstrip("+-").startswith("0.") else number


def _rounded_up(value: float) -> str:
    """Two digits, upwards: a smaller difference than the one printed is not claimed to be detectable."""
    unit: float = 10.0 ** (math.floor(math.log10(value)) - 1) if value > 0 else 1.0
    number, e, power = rounded(math.ceil(round(value / unit, 9)) * unit).partition("e")
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number}{e}{power}"


def _line(text: str) -> str:
    # Control characters have no place in XML, lines none in a badge.
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in UNWRITABLE.sub(" ", text))


def _short(text: str) -> str:
    line = _line(text)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
