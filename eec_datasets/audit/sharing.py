"""A result as files for the repository of a model on the Hub: they are written to a folder, and never sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import AuditError

if TYPE_CHECKING:
    from eec_bias import Result

ENTRIES: Final = ".eval_results/eec.yaml"
CARD: Final = "README.md"
RECORD: Final = "every_eval_ever.json"


def shared_files(
    result: Result,
    *,
    model: str,
    dataset: str,
    accuracy: Mapping[str, float],
    timestamp: int,
    organization: str,
    card: str = "",
    overwrite: bool = False,
) -> dict[str, str]:
    """Return the files by name: the card with the effects, a record of Every Eval Ever, entries for a leaderboard.

    Parameters
    ----------
    result
        What was measured.
    model, dataset
        Ids on the Hub.
    accuracy
        By the id of a task of ``eval.yaml``; without any there are no entries, as a leaderboard can rank no effect.
    timestamp
        When the files are made, in seconds of Unix time.
    organization
        Who gives the results.
    card
        The model card that there is; its text and its other results stay.
    overwrite
        Whether results of the same name on the same data are replaced in it.

    Raises
    ------
    AuditError
        The card cannot be read, or has such results already; or the result has nothing to list.
    """
    import yaml
    from huggingface_hub import eval_result_entries_to_yaml

    from eec_bias import BiasError, eval_entries, every_eval_ever

    try:
        files = {CARD: card_with_results(result, model, dataset, card, overwrite=overwrite)}
        about: dict[str, Any] = {"model": model, "dataset": dataset, "timestamp": timestamp}
        record = every_eval_ever(result, organization=organization, **about)
        files[RECORD] = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
        if accuracy:
            entries = eval_result_entries_to_yaml(eval_entries(result, dataset=dataset, accuracy=accuracy))
            files[ENTRIES] = yaml.safe_dump(entries, sort_keys=False, allow_unicode=True)
    except BiasError as error:
        raise AuditError(str(error)) from error
    return files


def card_with_results(result: Result, model: str, dataset: str, card: str, *, overwrite: bool) -> str:
    """Return a model card with the effects in its metadata; without one, a card that holds them and their text."""
    from huggingface_hub import ModelCard, ModelCardData

    from eec_bias import eval_results, model_card

    found = eval_results(result, dataset=dataset)
    if not card:
        head = ModelCardData(model_name=model, eval_results=found)
        return f"---\n{head.to_yaml()}\n---\n\n{model_card(result)}"
    try:
        existing = ModelCard(card)
    except ValueError as error:
        raise AuditError(
            f"the metadata of the model card cannot be read ({error}). Mend its YAML head first"
        ) from error
    new = {_name(each) for each in found}
    data: Any = existing.data
    before = data.eval_results or []
    twice = [each for each in before if _name(each) in new]
    if twice and not overwrite:
        one = twice[0]
        raise AuditError(
            f"the model card has {len(twice)} of these results already, such as {one.metric_name!r} on "
            f"{one.dataset_type} ({one.dataset_config}, {one.dataset_revision}): {one.metric_value}. Pass --overwrite "
            "to replace them; other results stay"
        )
    data.eval_results = [*(each for each in before if _name(each) not in new), *found]
    data.model_name = data.model_name or model
    return str(existing)


def _name(each: Any) -> tuple[Any, ...]:
    """Return what tells a result from others: what was measured, and on what."""
    return each.dataset_type, each.dataset_config, each.dataset_revision, each.metric_type, each.metric_name
