"""A result in about twenty lines: the finding first, the comparisons that must be named, a count of the others."""

from eec_bias.grouping import grouped
from eec_bias.notes import Note
from eec_bias.options import ANY
from eec_bias.result.finding import Finding, find
from eec_bias.result.numbers import counted
from eec_bias.result.plan import Plan
from eec_bias.result.record import Record
from eec_bias.result.telling import POINTS, name, opening, sure, up_to, verdict
from eec_bias.result.told import Told, headline, tell
from eec_bias.result.words import place_of
from eec_bias.widths import fitted, wrapped

COLUMNS = 80
"""Of a line, where nobody says how wide the terminal is."""

MOST = 8
"""So many comparisons are said at most, but for those that must be."""

ROOM = 12
"""So many comparisons are said at most, also of those that must be; the others of these are counted."""

SYSTEMS = 12
"""Of so many systems at most what was found is said; the others are counted."""

HEADS = ("points out of 100", "gap", "between", "found from", "answer")

EMOTION_HEADS = ("gap", "from the mean", "between")
"""Of the emotions of a comparison that depends on them, after its name."""

EMOTIONS_EXPLAINED = (
    "By emotion: “between” is about the distance from the mean over the emotions, and these intervals hold together "
    "over the emotions of a comparison."
)


def brief(record: Record, columns: int = COLUMNS) -> str:
    """Say what a result shows in about twenty lines a system; empty for a paper's procedure. `report` has all of it.

    Parameters
    ----------
    record : Record
        The result.
    columns : int
        Of a line.
    """
    # The tests of a paper's procedure do not hold their level, so nothing can be said to come up seldom by chance.
    plan = record.plan if record.method == "default" else None
    findings = find(record) if plan is not None else ()
    if plan is None or not findings:
        return ""
    systems = record.facts.systems_compared
    by_system = grouped((place_of({"system": each.system, "task": each.task}), each) for each in findings)
    blocks = []
    for title, of_system in list(by_system.items())[:SYSTEMS]:
        first = headline(of_system)
        if first is None:
            continue
        said = sentence_of(opening(of_system, plan.margin, systems=systems))
        said = f"{title}: {said}" if title else said
        how_sure = sure(first, len(plan.main))
        lines = [wrapped(said, columns), *([wrapped(sentence_of(how_sure), columns)] if how_sure else [])]
        told = tell(of_system, MOST, ROOM)
        blocks.append("\n".join([*lines, "", table(told, plan.margin, columns)]))
        blocks += [emotion_table(each, columns) for each in told.said if each.verdict == "differs_by_emotion"]
    if len(by_system) > SYSTEMS:
        blocks.append(f"and {len(by_system) - SYSTEMS} other systems")
    if any(each.verdict == "differs_by_emotion" for each in findings):
        blocks.append(wrapped(EMOTIONS_EXPLAINED, columns))
    low, high = record.score_range
    scale = f"Scores run from {low:.12g} to {high:.12g}; {POINTS} points are this whole range."
    blocks.append(wrapped(f"{scale} {sureness(plan)}", columns))
    return "\n\n".join(blocks)


def sureness(plan: Plan) -> str:
    """Say how often all intervals hold their true gaps, and how often a gap that could be found is."""
    share = f"{100 * plan.confidence:.6g}"
    together = (
        f"In about {share} of 100 such measurements, with other names and sentences of the same kind, all intervals of "
        "a system hold their true gaps."
    )
    return f"{together} {sentence_of(Note('found_from'))}"


def table(told: Told, margin: float | None, columns: int) -> str:
    """Lay out the findings that are said, and count the others."""
    rows = [row_of(finding, margin) for finding in told.said]
    lines = [fitted(HEADS, rows, (1, 2, 3), columns)]
    lines += [wrapped(line, columns) for line in without_room(told)]
    if told.counted:
        lines.append(counted_others(told))
    return "\n".join(lines)


def emotion_table(finding: Finding, columns: int) -> str:
    """Lay out the emotions of a comparison that depends on them."""
    rows = []
    for row in (each.row for each in finding.emotions):
        if row.emotion not in (None, ANY):
            ends = [finding.to_points(each) for each in (row.joint_low, row.joint_high)]
            between = "" if None in ends else " to ".join(map(signed_points, ends))
            gaps = [signed_points(finding.to_points(each)) for each in (row.in_emotion, row.effect)]
            rows.append((str(row.emotion), *gaps, between))
    return fitted((f"{name(finding.comparison)}, by emotion", *EMOTION_HEADS), rows, (1, 2, 3), columns)


def without_room(told: Told) -> list[str]:
    """Count what must be mentioned and has no line: differences, and rows that are none but lie apart from 0."""
    found = sum(finding.found for finding in told.mentioned)
    apart = len(told.mentioned) - found
    lines = []
    if found:
        lines.append(f"and {counted(found, 'more difference')}")
    if apart:
        lines.append(
            f"and {counted(apart, 'more comparison')} whose own interval misses 0, as some of so many do by chance"
        )
    return lines


def counted_others(told: Told) -> str:
    """Say how many comparisons are only counted."""
    key = "findings_counted_one" if len(told.counted) == 1 else "findings_counted"
    return str(Note(key, {"count": len(told.counted)}))


def sentence_of(note: Note) -> str:
    """A note as a sentence by itself."""
    text = str(note)
    return f"{text[:1].upper()}{text[1:]}."


def row_of(finding: Finding, margin: float | None) -> tuple[str, ...]:
    """Return a finding as a row: its name, gap, interval, from what size on it is found, and its verdict."""
    between = finding.points_between
    spread = "" if between is None or finding.verdict == "no_reaction" else " to ".join(map(signed_points, between))
    found_from = f"{up_to(finding.found_from, finding):g}" if finding.found_from else ""
    gap = signed_points(finding.points)
    return str(name(finding.comparison)), gap, spread, found_from, str(verdict(finding, margin))


def signed_points(points: float | None) -> str:
    """Write points with their sign and one digit after the point, small ones with one that counts."""
    if points is None:
        return "–"
    if points == 0:
        return "0"
    sign = "+" if points > 0 else "−"
    size = abs(points)
    return f"{sign}{size:.1f}" if size >= 0.05 else f"{sign}{size:.1g}"
