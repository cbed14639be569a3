"""Data of a perturbation study beyond its rows, and its tables: Table 2 and the values of Figures 1 and 2."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.grouping import grouped
from eec_bias.methods.published import WORDS, name_system
from eec_bias.options import Layout
from eec_bias.result.frame import DISTANCE, NAME, SENSITIVITY, AnyRow, plain
from eec_bias.result.numbers import decimals, signed
from eec_bias.result.result import Result
from eec_bias.result.tables import lay_out

DEV, SAMPLE, RANGE, CORRELATION = "score_dev", "score_dev_sample", "score_range", "correlation"

MEASURES = (DEV, SAMPLE, RANGE, DISTANCE, CORRELATION, SENSITIVITY)
"""Terms that are measures of their own and have no test."""

WIDE = 4
"""So many systems stand side by side, as in Table 2; more stand below each other."""

LINES = 60
"""So many names are listed in text and LaTeX, the highest and the lowest of more; CSV has all."""

SAYS = WORDS["perturbation"]
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
    terms: tuple[AnyRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what the figures need beside the rows, as plain JSON types."""
        kept = ("names", "forms", "labels", "baseline", "sentences", "resamples")
        return {name: plain(getattr(self, name)) for name in kept}

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
            {"system": name_system(row), "name": row["level"], **labels[row["level"]], SENSITIVITY: row["effect"]}
            | {key: row[key] for key in ("ci_low", "ci_high", "n_items")}
            for row in self.terms
            if row["term"] == SENSITIVITY and row["axes"] == NAME
        )
        by_system = frame.groupby("system", sort=False)
        parts = [part.sort_values([SENSITIVITY, "name"], ascending=[False, True]) for _, part in by_system]
        if layout == "csv":
            return lay_out(pd.concat(parts), layout)
        keep, shown = max(2, LINES // (2 * len(parts))), list[pd.DataFrame]()
        for part in parts:
            number = {key: ["" if pd.isna(value) else signed(value) for value in part[key]] for key in NUMBERS}
            texts, middle = part.assign(**number), len(part) - 2 * keep
            between = {"system": texts["system"].iloc[0], "name": f"… {middle} names between"}
            line = pd.DataFrame([dict.fromkeys(texts, "") | between])
            shown += [texts[:keep], line, texts[-keep:]] if middle > 0 else [texts]
        head = {"system": "System", "name": "Name", SENSITIVITY: "ScoreSens", "ci_low": "from", "ci_high": "to"}
        table = pd.concat(shown).rename(columns=head | {"n_items": "sentences"})
        table = table[[name for name in table if name == "ScoreSens" or (table[name] != "").any()]]
        return lay_out(table, layout, left=list(table).index("ScoreSens"), note=SAYS["figure_1"])


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


def _deviations(by_corpus: Mapping[str, Sequence[AnyRow]], layout: Layout) -> str:
    import pandas as pd

    measured = grouped(
        ((corpus, name_system(row)), row)
        for corpus, terms in by_corpus.items()
        for row in terms
        if row["term"] in (DEV, SAMPLE, RANGE)
    )
    if not measured:
        raise OptionError("the results have no perturbation measures; measure with the method perturbation")
    if layout == "csv":
        ends = {"": "effect", "_ci_low": "ci_low", "_ci_high": "ci_high"}
        lines = [
            {"corpus": corpus, "system": system}
            | {f"{row['term']}{end}": row[key] for row in rows for end, key in ends.items()}
            for (corpus, system), rows in measured.items()
        ]
        return lay_out(pd.DataFrame(lines), layout)
    head, systems = {DEV: "ScoreDev", RANGE: "ScoreRange"}, {system for _, system in measured}
    rows = ((place, row) for place, rows in measured.items() for row in rows if row["term"] in head)
    cells = {(*place, head[row["term"]]): decimals(row["effect"]) for place, row in rows}
    wide = pd.Series(cells).rename_axis(["Corpus", "System", ""])
    if len(systems) > WIDE:
        return lay_out(wide.unstack(sort=False).reset_index(), layout, left=2, note=SAYS["table_2"])
    frame = wide.unstack(["System", ""], sort=False)
    frame = frame if any(systems) else frame.droplevel(0, axis="columns")
    return lay_out(frame.reset_index(col_level=-1), layout, note=SAYS["table_2"])


def _distances(terms: Sequence[AnyRow], layout: Layout) -> str:
    """LabelDist by threshold, a line per system; CSV has one per system and threshold."""
    import pandas as pd

    rows = [row for row in terms if row["term"] == DISTANCE]
    if layout == "csv":
        frame = pd.DataFrame({**row, "system": name_system(row)} for row in rows)
        frame = frame[["system", "level", "effect", "ci_low", "ci_high"]]
        return lay_out(frame.rename(columns={"level": "threshold", "effect": DISTANCE}), layout)
    by_system = grouped((name_system(row) or DISTANCE, (row["level"], decimals(row["effect"]))) for row in rows)
    lines = ({"Threshold": name} | dict(values) for name, values in by_system.items())
    return lay_out(pd.DataFrame(lines), layout, note=SAYS["figure_2"])


def measure_scalars(terms: Sequence[AnyRow]) -> dict[str, float | None]:
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
