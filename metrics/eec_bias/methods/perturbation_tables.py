"""The perturbation measures as tables: Table 2 and the values of Figures 1 and 2 of Prabhakaran et al. (2019)."""

from collections.abc import Mapping, Sequence
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.methods.layouts import align, as_csv, as_latex, escape
from eec_bias.options import Layout, one_of
from eec_bias.result.frame import Row
from eec_bias.result.numbers import plain, signed
from eec_bias.result.tables import LAYOUTS

SENS, DEV, SAMPLE, RANGE = "score_sens", "score_dev", "score_dev_sample", "score_range"
DISTANCE, CORRELATION = "label_dist", "correlation"

MEASURES = (DEV, SAMPLE, RANGE, DISTANCE, CORRELATION, SENS)
"""Terms that are measures of their own and have no test."""

NAME = "person"
"""What stands in ``axes`` in the rows of single names; in those of groups it is their column."""

CONVENTION = "distance 0 by convention"
"""Said in the note of a distance that two empty sets take part in."""

WIDE = 4
"""So many systems stand side by side, as in Table 2; more stand below each other."""

LINES = 60
"""So many names are listed in text and LaTeX, the highest and the lowest of more; CSV has all."""

TABLE_2 = (
    "ScoreDev: standard deviation of the scores of a sentence over names (divided by their number), averaged over "
    "sentences; ScoreRange: highest minus lowest, averaged over sentences (Prabhakaran et al. 2019)"
)
FIGURE_1 = "ScoreSens: mean over sentences of the score with the name minus the score of the original"
FIGURE_2 = (
    "LabelDist: mean over names of the Jaccard distance between the sentences whose original, and those whose version "
    "with the name, scores at or above the threshold"
)


def scalars(terms: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Return the measures of one system by flat names; those of single names are left to the rows.

    Returns
    -------
    dict
        ``score_dev``, ``score_dev_sample``, ``label_dist[0.5]``, ``correlation``, ``score_sens[gender=female]`` …;
        ScoreRange as ``score_range_effect``, since ``score_range`` is the declared scale of the scores.
    """
    found = {}
    for row in terms:
        if row["term"] not in MEASURES or row["axes"] == NAME:
            continue
        level = row["level"] if row["axes"] is None else f"{row['axes']}={row['level']}"
        name = f"{RANGE}_effect" if row["term"] == RANGE else row["term"]
        found[name if level is None else f"{name}[{level}]"] = row["effect"]
    return found


def perturbation_table(results: Mapping[str, Any], layout: Layout = "text") -> str:
    """Lay results out as Table 2: a line per corpus, for each system ScoreDev and ScoreRange.

    Parameters
    ----------
    results : mapping of label to Result (or its dict)
        By corpus.
    layout : {"text", "csv", "latex"}
        The form. CSV has a line per corpus and system, with intervals, at full precision.

    Raises
    ------
    OptionError
        If the layout is unknown, or a result is of another method.
    """
    one_of("layout", layout, LAYOUTS)
    rows = {
        (corpus, _system(row), row["term"]): row
        for corpus, result in results.items()
        for row in _terms(result)
        if row["term"] in (DEV, SAMPLE, RANGE)
    }
    if not rows:
        raise OptionError("the results have no perturbation measures; measure with method='perturbation'")
    corpora, systems = (list(dict.fromkeys(key[i] for key in rows)) for i in (0, 1))
    if layout == "csv":
        return _deviation_csv(rows)

    def values(corpus: str, system: str) -> list[str]:
        return [_three(rows.get((corpus, system, term))) for term in (DEV, RANGE)]

    if len(systems) > WIDE:
        lines = [["Corpus", "System", "ScoreDev", "ScoreRange"]]
        lines += [[corpus, system, *values(corpus, system)] for corpus in corpora for system in systems]
        if layout == "latex":
            return as_latex(lines, note=TABLE_2)
        return f"{align(lines)}\n\n{TABLE_2}"
    head = ["Corpus", *("ScoreDev", "ScoreRange") * len(systems)]
    body = [[corpus, *(x for system in systems for x in values(corpus, system))] for corpus in corpora]
    if layout == "latex":
        return _deviation_latex(systems, head, body)
    above = [["", *(x for system in systems for x in (system, ""))]] if any(systems) else []
    return f"{align([*above, head, *body], 1)}\n\n{TABLE_2}"


def _deviation_csv(rows: Mapping[tuple[str, str, str], Row]) -> str:
    keys = [(term, key) for term in (DEV, SAMPLE, RANGE) for key in ("effect", "ci_low", "ci_high")]
    head = ["corpus", "system", *(term if key == "effect" else f"{term}_{key}" for term, key in keys)]
    pairs = dict.fromkeys((corpus, system) for corpus, system, _ in rows)
    return as_csv([head, *([*pair, *(_blank(rows[*pair, term][key]) for term, key in keys)] for pair in pairs)])


def _deviation_latex(systems: Sequence[str], head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """As printed: the systems above their two columns."""
    lines = as_latex([head, *body], 1, note=TABLE_2).split("\n")
    if any(systems):
        spans = " & ".join(rf"\multicolumn{{2}}{{c}}{{{escape(system)}}}" for system in systems)
        rules = " ".join(rf"\cmidrule(lr){{{2 + 2 * i}-{3 + 2 * i}}}" for i in range(len(systems)))
        lines[2:2] = [rf" & {spans} \\", rules]
    return "\n".join(lines)


def sensitivity_table(result: Any, layout: Layout = "text") -> str:
    """Lay out what Figure 1 shows: ScoreSens of every name, highest first.

    Parameters
    ----------
    result : Result or dict
        Of ``method="perturbation"``; with its study the labels of the names stand beside them.
    layout : {"text", "csv", "latex"}
        The form. CSV has all names; the others leave out those in the middle where there are many.
    """
    one_of("layout", layout, LAYOUTS)
    labels = _labels(result)
    columns = list(dict.fromkeys(column for own in labels.values() for column in own))
    lines: list[list[str]] = []
    by_system: dict[str, list[Row]] = {}
    for row in _terms(result):
        if row["term"] == SENS and row["axes"] == NAME:
            by_system.setdefault(_system(row), []).append(row)
    keep = max(2, LINES // (2 * len(by_system) or 1))
    for system, rows in by_system.items():
        ordered = sorted(rows, key=_descending)
        middle = len(ordered) - 2 * keep
        for place, row in enumerate(ordered):
            if layout != "csv" and middle > 0 and keep <= place < len(ordered) - keep:
                if place == keep:
                    lines.append([system, f"… {middle} names between", *[""] * (len(columns) + 4)])
                continue
            own = [labels.get(row["level"], {}).get(column, "") for column in columns]
            lines.append([system, row["level"], *own, *_interval(row, layout), str(row["n_items"])])
    head = ["system", "name", *columns, SENS, "ci_low", "ci_high", "n_items"]
    if layout == "csv":
        return as_csv([head, *lines])
    shown = _without_empty([["System", "Name", *columns, "ScoreSens", "from", "to", "sentences"], *lines])
    left = shown[0].index("ScoreSens")
    return as_latex(shown, left, note=FIGURE_1) if layout == "latex" else f"{align(shown, left)}\n\n{FIGURE_1}"


def label_dist_table(result: Any, layout: Layout = "text") -> str:
    """Lay out what Figure 2 shows: LabelDist by threshold, a line per system.

    Parameters
    ----------
    result : Result or dict
        Of ``method="perturbation"``.
    layout : {"text", "csv", "latex"}
        The form. CSV has a line per system and threshold, with intervals, at full precision.
    """
    one_of("layout", layout, LAYOUTS)
    rows = [row for row in _terms(result) if row["term"] == DISTANCE]
    if layout == "csv":
        keys = ("level", "effect", "ci_low", "ci_high")
        lines = ([_system(row), *(_blank(row[key]) for key in keys)] for row in rows)
        return as_csv([["system", "threshold", DISTANCE, "ci_low", "ci_high"], *lines])
    by_system: dict[str, dict[str, str]] = {}
    for row in rows:
        by_system.setdefault(_system(row), {})[row["level"]] = _three(row)
    levels = list(dict.fromkeys(row["level"] for row in rows))
    lines_ = [["Threshold", *levels]] + [[system or DISTANCE, *own.values()] for system, own in by_system.items()]
    return as_latex(lines_, 1, note=FIGURE_2) if layout == "latex" else f"{align(lines_, 1)}\n\n{FIGURE_2}"


def measure_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Lay out one system's measures for the report, those of single names left to their table."""
    lines = [["measure", "at", "value", "95 % interval"]]
    for row in rows:
        if row["term"] not in MEASURES or row["axes"] == NAME:
            continue
        number = signed if row["term"] in (SENS, CORRELATION) else plain
        at = row["level"] or ""
        where = f"≥ {at}" if row["term"] == DISTANCE else f"{row['axes']} {at} – {row['reference']}" if at else ""
        ends = "–" if row["ci_low"] is None else f"[{number(row['ci_low'])}, {number(row['ci_high'])}]"
        lines.append([row["term"], where, number(row["effect"]), ends])
    laid = align(lines).split("\n")
    return [laid[0], "-" * max(map(len, laid)), *laid[1:]]


def perturbation_tables(result: Any, layout: Layout = "text") -> dict[str, str]:
    """Return all three tables of a result."""
    corpus = str(result.signature.data).partition("#")[0]
    return {
        "deviation": perturbation_table({corpus: result}, layout),
        "sensitivity": sensitivity_table(result, layout),
        "label_dist": label_dist_table(result, layout),
    }


def _terms(result: Any) -> Sequence[Row]:
    found: Sequence[Row] = result["terms"] if isinstance(result, Mapping) else result.terms
    return found


def study_of(result: Any) -> Mapping[str, Any]:
    """Return names, forms and labels of a result, of one read from a dict, or of a dict with details."""
    if isinstance(result, Mapping):
        return result.get("study") or {}
    if result.study is not None:
        found: Mapping[str, Any] = result.study.to_dict()
        return found
    return {}


def _labels(result: Any) -> dict[str, dict[str, str]]:
    """Labels of each name by column."""
    study = study_of(result)
    columns = study.get("labels", {})
    return {
        name: {column: labels[n] for column, labels in columns.items()} for n, name in enumerate(study.get("names", ()))
    }


def _descending(row: Mapping[str, Any]) -> tuple[float, str]:
    return (-row["effect"] if row["effect"] is not None else float("inf"), row["level"])


def _system(row: Mapping[str, Any]) -> str:
    task = row.get("task")
    system = str(row.get("system") or "")
    return system if task is None else f"{system} ({task})".strip()


def _interval(row: Mapping[str, Any], layout: Layout) -> list[str]:
    values = [row[key] for key in ("effect", "ci_low", "ci_high")]
    if layout == "csv":
        return [str(_blank(value)) for value in values]
    return ["" if value is None else signed(value) for value in values]


def _blank(value: Any) -> Any:
    return "" if value is None else value


def _three(row: Mapping[str, Any] | None) -> str:
    return "–" if row is None or row["effect"] is None else f"{row['effect']:.3f}"


def _without_empty(lines: list[list[str]]) -> list[list[str]]:
    """Drop columns that have a head only."""
    full = [i for i in range(len(lines[0])) if any(line[i] for line in lines[1:]) or lines[0][i] == "ScoreSens"]
    return [[line[i] for i in full] for line in lines]
