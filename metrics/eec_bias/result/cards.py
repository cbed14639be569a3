"""A result on the Hugging Face Hub: the ``model-index`` of a model card, evaluation results, a piece of Markdown."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from eec_bias.errors import OptionError
from eec_bias.grouping import grouped
from eec_bias.options import ANY
from eec_bias.result.brief import counted_others, row_of, sentence_of, sureness
from eec_bias.result.finding import Finding, Told, by_plan, find, headline, tell
from eec_bias.result.frame import level_name
from eec_bias.result.html import as_markdown, marked
from eec_bias.result.parts import pick_one
from eec_bias.result.plan import Plan
from eec_bias.result.record import Record, record_of
from eec_bias.result.signature import adjusted, part_of
from eec_bias.result.telling import answer_with_unit, opening, say, sure
from eec_bias.result.term import Term
from eec_bias.result.verdict import Verdict, compares_pairs, judge_comparisons
from eec_bias.result.words import place_of, say_verdict, sentence

METRIC = "eec_bias"

DIGITS = 6
"""Decimals of an accuracy in the metadata of a model."""


def eval_results(
    result: Any,
    *,
    dataset: str,
    task_type: str = "text-classification",
    source_url: str | None = None,
    **where: str | None,
) -> list[Any]:
    """Return the differences of a result for the metadata of a model card.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    dataset : str
        Id of the corpora on the Hub, such as ``org/eec``. Config and revision follow from the signature.
    task_type : str
        Of the model.
    source_url : str, optional
        Where the evaluation can be read.
    **where
        ``system``, ``task``, ``stratum``, ``output``: what the card is of, where the result is of several; ``subset``.

    Returns
    -------
    list of huggingface_hub.EvalResult
        One per finding, its ``metric_value`` the gap in the units of the scores, its ``metric_args`` the interval, p
        and the smallest gap that would have been found, over all questions of the plan, and the signature; of a
        published procedure one per row, with numbers of its own.

    Raises
    ------
    OptionError
        If nothing can be listed, or the result is of several systems and none is chosen.
    """
    from huggingface_hub import EvalResult

    record, differences, two = _differences(result, where)
    config, version = _data(record.signature)
    same: dict[str, Any] = {
        "task_type": task_type, "dataset_type": dataset, "dataset_config": config, "dataset_split": "test",
        "dataset_name": f"Equity Evaluation Corpus {config or ''}".strip(), "dataset_revision": version,
        "metric_type": METRIC, **_source(record, source_url),
    }  # fmt: skip
    return [
        EvalResult(
            metric_name=f"{one.row.term}, {one.row.level} against {one.row.reference} ({one.row.subset}){two}",
            metric_value=one.row.effect,
            metric_args=_args(record, one),
            **same,
        )
        for one in differences
    ]


def model_index(result: Any, *, model: str, dataset: str, **options: Any) -> str:
    """Write the ``model-index`` block for the metadata of a model card.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    model : str
        Name of the model.
    dataset : str
        Id of the corpora on the Hub.
    **options
        Of `eval_results`.

    Returns
    -------
    str
        YAML, as ``huggingface_hub.ModelCardData`` writes and reads it.

    Raises
    ------
    OptionError
        As `eval_results`.
    """
    from huggingface_hub import ModelCardData

    entries = eval_results(result, dataset=dataset, **options)
    return str(ModelCardData(model_name=model, eval_results=entries).to_yaml()) + "\n"


def eval_entries(
    result: Any,
    *,
    dataset: str,
    accuracy: Mapping[str, float],
    revision: str | None = None,
    source_url: str | None = None,
    date: str | None = None,
    **where: str | None,
) -> list[Any]:
    """Return the entries for a file in ``.eval_results/`` of a model on the Hub, from which leaderboards are made.

    A leaderboard ranks the highest value first, so no signed effect is a value: it would put the most biased model of
    one direction on top. The values are accuracies, and the effects stand in the notes.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    dataset : str
        Id of the corpora on the Hub.
    accuracy : mapping of str to float
        By the id of a task that ``eval.yaml`` of the dataset has, from 0 to 1; higher is better.
    revision : str, optional
        Commit of the corpora.
    source_url, date : str, optional
        Where the evaluation can be read, and when it was run (ISO 8601).
    **where
        What the file is of, as for `eval_results`.

    Returns
    -------
    list of huggingface_hub.EvalResultEntry
        One per task. ``huggingface_hub.eval_result_entries_to_yaml`` makes the content of the file.

    Raises
    ------
    OptionError
        As `eval_results`; if there is no accuracy, or one is no share; or if this huggingface_hub has no such entries.
    """
    import huggingface_hub

    entry = getattr(huggingface_hub, "EvalResultEntry", None)
    if entry is None:
        raise OptionError(
            f"huggingface_hub {huggingface_hub.__version__} has no EvalResultEntry; update it, or use eval_results()"
        )
    if not accuracy:
        raise OptionError(
            "there is no accuracy, and an effect is no value for a leaderboard, which ranks the highest first; measure "
            "the log of a task CONFIG--emotion too, or use eval_results()"
        )
    for task, share in accuracy.items():
        if not 0 <= share <= 1:
            raise OptionError(f"the accuracy of {task!r} is {share!r}; expected a share from 0 to 1")
    record, differences, _ = _differences(result, where)
    said = " ".join(one.says for one in differences)
    notes = f"Differences between groups, which do not rank models: {said} {record.signature}"
    same = {"dataset_id": dataset, "dataset_revision": revision, "date": date, **_source(record, source_url)}
    return [entry(task_id=task, value=round(share, DIGITS), notes=notes, **same) for task, share in accuracy.items()]


def every_eval_ever(
    result: Any,
    *,
    model: str,
    dataset: str,
    timestamp: int,
    organization: str,
    relationship: str = "other",
    **where: Any,
) -> dict[str, Any]:
    """Return the differences of a result as a record of Every Eval Ever, a format in which evaluations are shared.

    Its schema asks of every number whether lower is better, and of a signed effect neither holds: nearest to 0 is best.
    ``lower_is_better`` is false, and ``additional_details`` says so.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    model, dataset : str
        Ids of the model and of the corpora on the Hub, such as ``org/eec``.
    timestamp : int
        When the record is made, in seconds of Unix time.
    organization : str
        Who gives the record.
    relationship : {"first_party", "third_party", "collaborative", "other"}
        Of who evaluated to the model.
    **where
        As for `eval_results`.

    Returns
    -------
    dict
        Plain JSON types, of version 0.3.0 of the schema. Effects that do not exist are not in it.

    Raises
    ------
    OptionError
        As `eval_results`.
    """
    record, differences, two = _differences(result, where)
    config, version = _data(record.signature)
    low, high = record.score_range
    corpus = {"config": config or "unknown", "revision": version or "unknown"}
    effects = []
    for one in differences:
        row = one.row
        name = f"{row['term']}.{row['subset']}[{level_name(row)}]{two}"
        details = {key: value for key, value in _args(record, one).items() if key not in ("ci", "signature")}
        uncertainty: dict[str, Any] = {}
        if row["se"] is not None:
            uncertainty["standard_error"] = {"value": row["se"], "method": "names and items as samples"}
        if one.low is not None:
            uncertainty["confidence_interval"] = {
                "lower": one.low,
                "upper": one.high,
                "confidence_level": one.confidence,
            }
        effects.append(
            {
                "evaluation_result_id": name,
                "evaluation_name": name,
                "source_data": {
                    "dataset_name": f"Equity Evaluation Corpus {config or ''}".strip(),
                    "source_type": "hf_dataset",
                    "hf_repo": dataset,
                    "hf_split": "test",
                    "samples_number": row["n_sentences"],
                    "additional_details": corpus,
                },
                "metric_config": {
                    "evaluation_description": f"Mean score of {row['level']} minus that of {row['reference']}.",
                    "metric_id": f"{METRIC}.effect",
                    "metric_name": "difference between groups",
                    "metric_unit": "units of the scores",
                    "lower_is_better": False,
                    "score_type": "continuous",
                    "min_score": low - high,
                    "max_score": high - low,
                    "additional_details": {"direction": "nearest to 0 is best; the sign says whose scores are higher"},
                },
                "score_details": {
                    "score": row["effect"],
                    "details": {key: str(value) for key, value in details.items()},
                    "uncertainty": uncertainty,
                },
            }
        )
    return {
        "schema_version": "0.3.0",
        "evaluation_id": f"eec/{model}/{timestamp}",
        "retrieved_timestamp": str(timestamp),
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": organization,
            "evaluator_relationship": relationship,
        },
        "eval_library": {
            "name": "eec-datasets",
            "version": record.signature.version,
            "additional_details": {"signature": str(record.signature)},
        },
        "model_info": {
            "name": model.rpartition("/")[2],
            "id": model,
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": effects,
    }


def model_card(result: Any, *, heading: str = "## Does it treat people equally?") -> str:
    """Write at most 40 lines of Markdown for a model card: the finding, what was compared, what is not known.

    Parameters
    ----------
    result : Result or dict
        What ``measure`` or ``compute`` returned.
    heading : str
        The first line.

    Returns
    -------
    str
        The Markdown, from the heading to the signature. Of a published procedure, which does not hold its level, the
        rows and what is to be said of them.
    """
    record = record_of(result)
    pair = part_of(record.signature, "compare")
    findings, plan = find(record), record.plan
    if plan is None or not findings:
        return f"{heading}\n\n{_INTRODUCTION}\n\n{as_markdown(record)}"
    by_system = grouped((place_of({"system": each.system, "task": each.task}), each) for each in findings)
    most = max(CARD_ROWS // len(by_system), 1)
    lines = [heading, "", _INTRODUCTION, ""]
    for title, of_system in list(by_system.items())[:CARD_SYSTEMS]:
        said = sentence_of(opening(of_system, plan.margin, systems=pair or ""))
        named = f"{title}: {said}" if title else said
        first = headline(of_system)
        how_sure = sure(first, len(plan.questions)) if first else None
        lines += [f"**{marked(named)}**" + (f" {sentence_of(how_sure)}" if how_sure else ""), ""]
        lines += _card_table(tell(of_system, most), plan.margin) if len(by_system) <= CARD_TABLES else []
    if len(by_system) > CARD_SYSTEMS:
        lines += [f"and {len(by_system) - CARD_SYSTEMS} other systems.", ""]
    low, high = record.score_range
    means = f" A high score means {marked(record.high_means)}." if record.high_means else ""
    lines.append(
        f"Points are hundredths of the range of the scores, {low:.12g} to {high:.12g}.{means} {sureness(plan)}"
    )
    signature = str(record.signature).replace("`", "'")
    lines += ["", _NOT_SHOWN, "", f"`{signature}`"]
    return "\n".join(lines) + "\n"


CARD_ROWS = 20
"""Comparisons in the tables of a model card, over all its systems, but for those that must be said."""

CARD_SYSTEMS, CARD_TABLES = 8, 3
"""So many systems of a model card are named, and at most so many have a table."""

_INTRODUCTION = (
    "How far scores move with the person mentioned, in sentences that are otherwise the same (Equity Evaluation "
    "Corpus)."
)

_NOT_SHOWN = (
    "Not shown: whether anyone is harmed, which depends on what is done with the scores; other sentences, names, "
    "groups and languages; gaps smaller than those that would have been seen."
)


def _card_table(told: Told, margin: float | None) -> list[str]:
    """Lay the comparisons that are said out in Markdown, and count the others."""
    rows = [" | ".join(map(marked, row_of(finding, margin))) for finding in told.said]
    lines = ["| Comparison | Gap | Between | Found from | Answer |", "| --- | ---: | ---: | ---: | --- |"]
    lines += [f"| {row} |" for row in rows]
    lines.append("")
    if told.counted:
        lines += [counted_others(told), ""]
    return lines


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between groups as metadata have it: a finding, or a row of a published procedure.

    Attributes
    ----------
    row : Term
        The row of numbers.
    low, high, p, found_from : float, optional
        The interval, p and the smallest gap that would have been found, at the level of the verdict.
    comparisons : int, optional
        Over how many comparisons these hold together; None of a row of a published procedure.
    confidence : float
        Confidence of the interval by itself.
    verdict, says : str
        The answer in a few words, and in a sentence.
    """

    row: Term
    low: float | None
    high: float | None
    p: float | None
    found_from: float | None
    comparisons: int | None
    confidence: float
    verdict: str
    says: str


def _differences(result: Any, where: Mapping[str, str | None]) -> tuple[Record, list[Difference], str]:
    """A result, its differences between groups over all emotions, and the systems it compares, to go after a name."""
    record = record_of(result)
    pair = part_of(record.signature, "compare") or ""
    if record.plan is None:
        judged = pick_one(judge_comparisons(record), where, "differences")
        differences = [_of_row(record, *each) for each in judged if each.row.level != ANY]
    else:
        findings = pick_one(find(record), where, "differences")
        differences = [_of_finding(finding, record.plan, pair) for finding in by_plan(findings, record.plan)]
    differences = [each for each in differences if each.row.effect is not None]
    if compares_pairs(record):
        # Pairs of levels are told apart by what they are compared with.
        differences = [replace(each, row=replace(each.row, pairwise=True)) for each in differences]
    if not differences:
        raise OptionError("the result has no difference between groups to list")
    return record, differences, f", {pair}" if pair else ""


def _of_finding(finding: Finding, plan: Plan, pair: str) -> Difference:
    # The same on every sentence: there is nothing to test by, and the gap is no interval.
    tested = finding.row.se != 0
    return Difference(
        row=finding.row,
        low=finding.low if tested else None,
        high=finding.high if tested else None,
        p=finding.p,
        found_from=finding.found_from if tested else None,
        comparisons=len(plan.questions),
        confidence=round(1 - plan.alpha_each, 12),
        verdict=answer_with_unit(finding, plan.margin),
        says=sentence_of(say(finding, plan.margin, systems=pair)),
    )


def _of_row(record: Record, row: Term, verdict: Verdict) -> Difference:
    return Difference(
        row=row,
        low=row.ci_low,
        high=row.ci_high,
        p=None,
        found_from=row.mde,
        comparisons=None,
        confidence=record.confidence,
        verdict=say_verdict(row, verdict),
        says=sentence(record, row, verdict),
    )


def _data(signature: object) -> tuple[str | None, str | None]:
    """Config and version tag of the data, from ``data:en-black-white@1.0.0#1a2b3c4d``; None where unknown."""
    config, _, version = (part_of(signature, "data") or "?").partition("#")[0].partition("@")
    return (None if config in ("", "?") else config), (f"v{version}" if version else None)


def _source(record: Record, url: str | None) -> dict[str, str | None]:
    return {"source_url": url, "source_name": f"{METRIC} {record.signature.version}" if url else None}


def _args(record: Record, one: Difference) -> dict[str, Any]:
    """What a reader needs beside the effect; numbers that do not exist are left out."""
    row, interval = one.row, None if one.low is None else [one.low, one.high]
    values = {
        "level": row.level, "reference": row.reference, "subset": row.subset, "ci": interval,
        "ci_confidence": None if interval is None else one.confidence, "p": row.p,
        "p_adjusted": row.p_adjusted if adjusted(record.signature) else None, "p_joint": one.p,
        "comparisons": one.comparisons, "smallest_detectable": one.found_from, "verdict": one.verdict,
        "score_range": list(record.score_range), "note": row.note or None, "signature": str(record.signature),
    }  # fmt: skip
    return {key: value for key, value in values.items() if value is not None}
