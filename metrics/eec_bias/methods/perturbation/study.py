"""What a perturbation study knows beyond its rows, and its tables: Table 2 and the values of Figures 1 and 2."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.methods.published import by_keys, lay_out_lines
from eec_bias.options import Layout
from eec_bias.result.frame import Row
from eec_bias.result.numbers import signed
from eec_bias.result.result import Result

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

INTERVAL = ("effect", "ci_low", "ci_high")


@dataclass(frozen=True, slots=True)
class PerturbationStudy:
    """Names, their labels, and what they were compared with.

    Attributes
    ----------
    names, forms : tuple of str, length N
        Persons put into the sentences, and how they are written.
    labels : dict of str to tuple of str
        By group column the label of each name.
    baseline : tuple of str
        Persons of the originals.
    sentences : int
        Sentences, each with one original or more.
    resamples : int
        How often the sentences were resampled.
    corpus : str
        What the tables call the data.
    terms : tuple of dict
        The rows of the result.
    """

    names: tuple[str, ...]
    forms: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]
    baseline: tuple[str, ...]
    sentences: int
    resamples: int
    corpus: str
    terms: tuple[Row, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what the figures need beside the rows, as plain JSON types."""
        labels = {column: list(labels) for column, labels in self.labels.items()}
        kept = {"names": list(self.names), "forms": list(self.forms), "labels": labels}
        return kept | {"baseline": list(self.baseline), "sentences": self.sentences, "resamples": self.resamples}

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay out Table 2 and the values of Figures 1 and 2; CSV has a line per value, with its interval."""
        return {
            "deviation": _deviations({self.corpus: self.terms}, layout),
            "sensitivity": self._sensitivities(layout),
            "label_dist": _distances(self.terms, layout),
        }

    def _sensitivities(self, layout: Layout) -> str:
        """ScoreSens of every name, highest first; text and LaTeX leave out the middle of many."""
        of_name = dict(zip(self.names, zip(*self.labels.values(), strict=True), strict=True)) if self.labels else {}
        rows = [row for row in self.terms if row["term"] == SENS and row["axes"] == NAME]
        by_system = by_keys(rows, "system", "task")
        keep = max(2, LINES // (2 * len(by_system) or 1))
        lines: list[list[Any]] = []
        for own in by_system.values():
            ordered = sorted(own, key=_descending)
            texts = [
                [_system(row), row["level"], *of_name.get(row["level"], ()), *_interval(row, layout), row["n_items"]]
                for row in ordered
            ]
            middle = len(texts) - 2 * keep
            if middle > 0 and layout != "csv":
                between = [_system(own[0]), f"… {middle} names between", *[""] * (len(self.labels) + 4)]
                texts[keep:-keep] = [between]
            lines += texts
        if layout == "csv":
            return lay_out_lines(["system", "name", *self.labels, SENS, "ci_low", "ci_high", "n_items"], lines, layout)
        head = ["System", "Name", *self.labels, "ScoreSens", "from", "to", "sentences"]
        full = [i for i, name in enumerate(head) if name == "ScoreSens" or any(line[i] != "" for line in lines)]
        shown = [head[i] for i in full]
        picked = [[line[i] for i in full] for line in lines]
        return lay_out_lines(shown, picked, layout, left=shown.index("ScoreSens"), note=FIGURE_1)


def perturbation_table(results: Mapping[str, Result], layout: Layout = "text") -> str:
    """Lay results out as Table 2: a line per corpus, for each system ScoreDev and ScoreRange.

    Parameters
    ----------
    results : mapping of label to Result
        By corpus.
    layout : {"text", "csv", "latex"}
        The form. CSV has a line per corpus and system, with intervals, at full precision.

    Raises
    ------
    OptionError
        If the layout is unknown, or a result is of another method.
    """
    return _deviations({corpus: result.terms for corpus, result in results.items()}, layout)


def _deviations(by_corpus: Mapping[str, Sequence[Row]], layout: Layout) -> str:
    rows = {
        (corpus, _system(row), row["term"]): row
        for corpus, terms in by_corpus.items()
        for row in terms
        if row["term"] in (DEV, SAMPLE, RANGE)
    }
    if not rows:
        raise OptionError("the results have no perturbation measures; measure with the method perturbation")
    corpora, systems = (list(dict.fromkeys(key[i] for key in rows)) for i in (0, 1))
    pairs = dict.fromkeys((corpus, system) for corpus, system, _ in rows)
    if layout == "csv":
        head = [f"{term}_{key}".removesuffix("_effect") for term in (DEV, SAMPLE, RANGE) for key in INTERVAL]
        lines = [[*pair, *(rows[*pair, t][key] for t in (DEV, SAMPLE, RANGE) for key in INTERVAL)] for pair in pairs]
        return lay_out_lines(["corpus", "system", *head], lines, layout)
    shown = {DEV: "ScoreDev", RANGE: "ScoreRange"}
    if len(systems) > WIDE:
        lines = [[*pair, *(_three(rows.get((*pair, term))) for term in shown)] for pair in pairs]
        return lay_out_lines(["Corpus", "System", *shown.values()], lines, layout, left=2, note=TABLE_2)
    lines = [[c, *(_three(rows.get((c, system, term))) for system in systems for term in shown)] for c in corpora]
    above = [("", "Corpus"), *((system, name) for system in systems for name in shown.values())]
    return lay_out_lines(above, lines, layout, note=TABLE_2)


def _distances(terms: Sequence[Row], layout: Layout) -> str:
    """LabelDist by threshold, a line per system; CSV has one per system and threshold."""
    rows = [row for row in terms if row["term"] == DISTANCE]
    if layout == "csv":
        lines = [[_system(row), row["level"], *(row[key] for key in INTERVAL)] for row in rows]
        return lay_out_lines(["system", "threshold", DISTANCE, "ci_low", "ci_high"], lines, layout)
    by_system = by_keys(rows, "system", "task").values()
    body = [[_system(own[0]) or DISTANCE, *map(_three, own)] for own in by_system]
    return lay_out_lines(
        ["Threshold", *(row["level"] for row in next(iter(by_system), []))], body, layout, note=FIGURE_2
    )


def measure_scalars(terms: Sequence[Row]) -> dict[str, float | None]:
    """Return the measures of one system by flat names; those of single names are left to the rows.

    ``score_dev``, ``score_dev_sample``, ``label_dist[0.5]``, ``correlation``, ``score_sens[gender=female]`` …;
    ScoreRange as ``score_range_effect``, since ``score_range`` is the declared scale of the scores.
    """
    scalars = {}
    for row in terms:
        if row["term"] in MEASURES and row["axes"] != NAME:
            level = row["level"] if row["axes"] is None else f"{row['axes']}={row['level']}"
            name = f"{RANGE}_effect" if row["term"] == RANGE else row["term"]
            scalars[name if level is None else f"{name}[{level}]"] = row["effect"]
    return scalars


def _descending(row: Row) -> tuple[float, str]:
    return (-row["effect"] if row["effect"] is not None else float("inf"), row["level"])


def _system(row: Row) -> str:
    task = row.get("task")
    system = str(row.get("system") or "")
    return system if task is None else f"{system} ({task})".strip()


def _interval(row: Row, layout: Layout) -> list[Any]:
    values = [row[key] for key in INTERVAL]
    return values if layout == "csv" else ["" if value is None else signed(value) for value in values]


def _three(row: Row | None) -> str:
    return "–" if row is None or row["effect"] is None else f"{row['effect']:.3f}"
