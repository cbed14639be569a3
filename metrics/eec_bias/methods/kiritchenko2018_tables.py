"""Tables 5–7 of Kiritchenko & Mohammad (2018) and the numbers of its Figures 1–2, from a `PairStudy`."""

from collections.abc import Mapping, Sequence

import numpy as np

from eec_bias.errors import OptionError
from eec_bias.methods.kiritchenko2018 import LABEL, PairStudy
from eec_bias.methods.layouts import align, as_csv, as_latex
from eec_bias.methods.published import plain
from eec_bias.options import Layout, one_of
from eec_bias.result.frame import Row
from eec_bias.result.tables import LAYOUTS

SHORT = {"female": "F", "male": "M", "Black": "AA", "white": "EA"}
"""The article's abbreviations; other levels are written out."""

_GROUPS = ("none", "up", "down")


def summary(study: PairStudy, term: str, subset: str = "all") -> list[Row]:
    """Count systems by group and average their differences, as Tables 5–7.

    Parameters
    ----------
    study : PairStudy
        Many systems.
    term : str
        ``gender`` or ``race``.
    subset : {"all", "neutral", "matching"}
        Which sentences.

    Returns
    -------
    list of dict
        Per task four rows (groups ``none``, ``up``, ``down``, ``all``) with the number of systems and the
        means over systems of ``up``, ``down`` and ``spread``; null where a group is empty.

    Raises
    ------
    OptionError
        If the study has no such term or subset.
    """
    chosen = _details(study, term, subset)
    rows = []
    for task in dict.fromkeys(detail.get("task") for detail in chosen):
        of_task = [detail for detail in chosen if detail.get("task") == task]
        for group in (*_GROUPS, "all"):
            members = [detail for detail in of_task if group in ("all", detail["group"])]
            rows.append(
                {"task": task, "group": group, "systems": len(members)}
                | {key: _mean([member[key] for member in members]) for key in ("up", "down", "spread")}
            )
    return rows


def summary_table(study: PairStudy, term: str, subset: str = "all", layout: Layout = "text") -> str:
    """Lay `summary` out as the article prints it.

    Parameters
    ----------
    study, term, subset
        As for `summary`.
    layout : {"text", "csv", "latex"}
        The form.

    Returns
    -------
    str
        Task, bias group, number of submissions, mean difference of the pairs above and below zero to three
        decimals, and (in text and CSV) the mean Δ-spread.

    Raises
    ------
    OptionError
        If the layout is unknown, or the study has no such term or subset.
    """
    one_of("layout", layout, LAYOUTS)
    detail = _details(study, term, subset)[0]
    first, second = (SHORT.get(detail[key], detail[key]) for key in ("level", "reference"))
    up, down = f"{first}↑–{second}↓", f"{first}↓–{second}↑"
    names = {"none": f"{first}={second} not significant", "up": f"{up} significant", "down": f"{down} significant"}
    names["all"] = "All"
    head = ["Task", "Bias group", "#Subm.", f"Avg. score diff. {up}", f"Avg. score diff. {down}", "Δ-spread"]
    lines, before = [], object()
    for found in summary(study, term, subset):
        numbers = ["–" if found[key] is None else f"{found[key]:.3f}" for key in ("up", "down", "spread")]
        task = "" if found["task"] == before and layout != "csv" else _task_name(found["task"])
        lines.append([task, names[found["group"]], str(found["systems"]), *numbers])
        before = found["task"]
    if layout == "csv":
        return as_csv([[*head, "Note"], *([*line, LABEL] for line in lines)])
    if layout == "latex":
        return as_latex([line[:-1] for line in [head, *lines]], note=LABEL)
    return f"{align([head, *lines])}\n\n{LABEL}"


def box_plot_data(
    study: PairStudy,
    term: str,
    task: str | None = None,
    subset: str = "all",
    accuracy: Mapping[str, float] | None = None,
) -> list[Row]:
    """Return what Figures 1 and 2 draw: per system its box, whiskers and group, best system first.

    Parameters
    ----------
    study : PairStudy
        Many systems.
    term : str
        ``gender`` or ``race``.
    task : str, optional
        Systems of one task only.
    subset : {"all", "neutral", "matching"}
        Which sentences.
    accuracy : mapping of system to float, optional
        The systems' quality on their task, by which they are ordered; by default the order given.

    Returns
    -------
    list of dict
        Rows of ``study.details``.

    Raises
    ------
    OptionError
        If the study has no such term, subset or task, or a system's accuracy is missing.
    """
    rows = [detail for detail in _details(study, term, subset) if task in (None, detail.get("task"))]
    if not rows:
        raise OptionError(f"task={task!r}: no system of the study has that task")
    if accuracy is None:
        return rows
    for detail in rows:
        if detail.get("system") not in accuracy:
            raise OptionError(f"accuracy has no value for the system {detail.get('system')!r}")
    return sorted(rows, key=lambda detail: -accuracy[detail["system"]])


def _details(study: PairStudy, term: str, subset: str) -> list[Row]:
    found = [detail for detail in study.details if detail["term"] == term and detail["subset"] == subset]
    if not found:
        have = ", ".join(f"{t} on {s}" for t, s in dict.fromkeys((d["term"], d["subset"]) for d in study.details))
        raise OptionError(f"the study has no {term!r} on {subset!r} sentences; it has {have}")
    return found


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    number: float | None = plain(float(np.mean(known))) if known else None
    return number


def _task_name(task: str | None) -> str:
    if task is None:
        return "All systems"
    return f"{task.capitalize()} {'prediction' if task == 'valence' else 'intensity prediction'}"
