"""What a perturbation study knows beyond its rows, and its tables: Table 2 and the values of Figures 1 and 2."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eec_bias.errors import OptionError
from eec_bias.methods.published import name_system
from eec_bias.options import Layout
from eec_bias.result.frame import DISTANCE, NAME, SENSITIVITY, Row
from eec_bias.result.numbers import decimals, signed
from eec_bias.result.result import Result
from eec_bias.result.tables import lay_out

if TYPE_CHECKING:
    import pandas as pd

DEV, SAMPLE, RANGE, CORRELATION = "score_dev", "score_dev_sample", "score_range", "correlation"

MEASURES = (DEV, SAMPLE, RANGE, DISTANCE, CORRELATION, SENSITIVITY)
"""Terms that are measures of their own and have no test."""

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

NUMBERS = (SENSITIVITY, "ci_low", "ci_high")


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
        content = {"names": list(self.names), "forms": list(self.forms), "labels": labels}
        return content | {"baseline": list(self.baseline), "sentences": self.sentences, "resamples": self.resamples}

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay out Table 2 and the values of Figures 1 and 2; CSV has a line per value, with its interval."""
        return {
            "deviation": _deviations({self.corpus: self.terms}, layout),
            "sensitivity": self._sensitivities(layout),
            "label_dist": _distances(self.terms, layout),
        }

    def _sensitivities(self, layout: Layout) -> str:
        """ScoreSens of every name, highest first; text and LaTeX leave out the middle of many."""
        import pandas as pd

        labels = pd.DataFrame(self.labels, index=list(self.names)).to_dict("index")
        frame = pd.DataFrame(
            {"system": name_system(row), "name": row["level"], **labels[row["level"]], SENSITIVITY: row["effect"],
             "ci_low": row["ci_low"], "ci_high": row["ci_high"], "n_items": row["n_items"]}
            for row in self.terms
            if row["term"] == SENSITIVITY and row["axes"] == NAME
        )  # fmt: skip
        by_system = frame.groupby("system", sort=False)
        parts = [part.sort_values([SENSITIVITY, "name"], ascending=[False, True]) for _, part in by_system]
        if layout == "csv":
            return lay_out(pd.concat(parts), layout)
        shown = pd.concat([_ends(part, max(2, LINES // (2 * len(parts)))) for part in parts])
        head = {"system": "System", "name": "Name", SENSITIVITY: "ScoreSens", "ci_low": "from", "ci_high": "to"}
        shown = shown.rename(columns=head | {"n_items": "sentences"})
        shown = shown[[name for name in shown if name == "ScoreSens" or (shown[name] != "").any()]]
        return lay_out(shown, layout, left=list(shown).index("ScoreSens"), note=FIGURE_1)


def _ends(frame: "pd.DataFrame", keep: int) -> "pd.DataFrame":
    """The names of one system as texts, the highest and the lowest of many."""
    import pandas as pd

    texts = frame.assign(**{key: ["" if pd.isna(value) else signed(value) for value in frame[key]] for key in NUMBERS})
    middle = len(frame) - 2 * keep
    if middle <= 0:
        return texts
    line = dict.fromkeys(frame, "") | {"system": frame["system"].iloc[0], "name": f"… {middle} names between"}
    return pd.concat([texts[:keep], pd.DataFrame([line]), texts[-keep:]])


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
    import pandas as pd

    rows = {
        (corpus, name_system(row), row["term"]): row
        for corpus, terms in by_corpus.items()
        for row in terms
        if row["term"] in (DEV, SAMPLE, RANGE)
    }
    if not rows:
        raise OptionError("the results have no perturbation measures; measure with the method perturbation")
    if layout == "csv":
        lines: dict[tuple[str, str], Row] = {}
        for (corpus, system, term), row in rows.items():
            line = lines.setdefault((corpus, system), {"corpus": corpus, "system": system})
            line |= {term: row["effect"], f"{term}_ci_low": row["ci_low"], f"{term}_ci_high": row["ci_high"]}
        return lay_out(pd.DataFrame(lines.values()), layout)
    systems = dict.fromkeys(system for _, system, _ in rows)
    head = {DEV: "ScoreDev", RANGE: "ScoreRange"}
    cells = {(*key[:2], head[key[2]]): _value(row) for key, row in rows.items() if key[2] in head}
    wide = pd.Series(cells).rename_axis(["Corpus", "System", ""])
    if len(systems) > WIDE:
        return lay_out(wide.unstack(sort=False).reset_index(), layout, left=2, note=TABLE_2)
    frame = wide.unstack(["System", ""], sort=False)
    frame = frame if any(systems) else frame.droplevel(0, axis="columns")
    return lay_out(frame.reset_index(col_level=-1), layout, note=TABLE_2)


def _distances(terms: Sequence[Row], layout: Layout) -> str:
    """LabelDist by threshold, a line per system; CSV has one per system and threshold."""
    import pandas as pd

    rows = [row for row in terms if row["term"] == DISTANCE]
    if layout == "csv":
        columns = {"threshold": "level", DISTANCE: "effect", "ci_low": "ci_low", "ci_high": "ci_high"}
        lines = ({"system": name_system(row)} | {name: row[key] for name, key in columns.items()} for row in rows)
        return lay_out(pd.DataFrame(lines), layout)
    by_system: dict[str, dict[str, str]] = {}
    for row in rows:
        by_system.setdefault(name_system(row), {"Threshold": name_system(row) or DISTANCE})[row["level"]] = _value(row)
    return lay_out(pd.DataFrame(by_system.values()), layout, note=FIGURE_2)


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


def _value(row: Row) -> str:
    return "–" if row["effect"] is None else decimals(row["effect"])
