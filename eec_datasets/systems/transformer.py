"""A text classification or regression model of the transformers library as a system: ``hf:MODEL``."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from eec_datasets.errors import Unavailable
from eec_datasets.systems.base import UNIT, Batch, Options, System


def load(model: str, options: Options) -> System:
    """Load a model and return the probability of one class, or a regression model's output, as score.

    Parameters
    ----------
    model
        A folder, or a model id of the Hugging Face Hub, optionally with ``@revision``.
    options
        ``hf_class`` (needed unless the model has two classes of which one is called positive),
        ``batch_size``, ``device``, and ``score_range`` for regression models.

    Raises
    ------
    Unavailable
        The libraries or the model are missing, or the class to score is unclear.
    """
    try:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ImportError as error:
        raise Unavailable(
            f"system hf:{model}: the packages transformers and torch are not installed. "
            "Install them with: pip install 'eec-datasets[hf]'"
        ) from error
    name, _, revision = (model, "", "") if Path(model).is_dir() else model.partition("@")
    source = {"revision": revision} if revision else {}
    try:
        tokenizer = AutoTokenizer.from_pretrained(name, **source)
        network = AutoModelForSequenceClassification.from_pretrained(name, **source)
    except (OSError, ValueError) as error:
        raise Unavailable(
            f"system hf:{model}: the model cannot be loaded: {_first_line(error)} "
            "Expected a folder or a Hub id with a tokenizer and a sequence classification model."
        ) from error
    try:
        network = network.to(options.device).eval()
    except (RuntimeError, AssertionError) as error:
        raise Unavailable(f"system hf:{model}: device {options.device} cannot be used: {_first_line(error)}") from error
    index, label = _scored_class(model, network.config, options.hf_class)
    several = network.config.problem_type == "multi_label_classification"

    def score(batch: Batch) -> list[float]:
        inputs = tokenizer(list(batch["text"]), padding=True, truncation=True, return_tensors="pt")
        with torch.no_grad():
            logits = network(**inputs.to(options.device)).logits.double()
        if index is not None:
            logits = logits.sigmoid() if several else logits.softmax(dim=-1)
        return [float(value) for value in logits[:, index or 0].cpu()]

    return System(
        name=f"hf:{model}" + (f"[{label}]" if label else ""),
        scorer=score,
        score_range=options.declared() if index is None else UNIT,
        fingerprint=_fingerprint(name, network.config),
        batch_size=options.batch_size or 32,
    )


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


def _scored_class(model: str, config: Any, wanted: str | None) -> tuple[int | None, str | None]:
    """Return index and label of the class to score; None, None for a regression model."""
    labels = {str(label): int(i) for i, label in config.id2label.items()}
    listed = ", ".join(labels)
    if len(labels) == 1:
        if wanted is None:
            return None, None
        raise Unavailable(
            f"system hf:{model}: hf_class {wanted} was given, but the model has one output (regression), which is the "
            "score. Leave hf_class out."
        )
    if wanted is None and len(labels) == 2:
        wanted = next((label for label in labels if label.casefold() == "positive"), None)
    if wanted is None:
        raise Unavailable(
            f"system hf:{model}: the model has {len(labels)} classes and none is the score by itself: {listed}. Name "
            "the one whose probability is scored as hf_class."
        )
    if wanted not in labels:
        raise Unavailable(f"system hf:{model}: no class {wanted!r}. Its classes are: {listed}.")
    return labels[wanted], wanted


def _fingerprint(name: str, config: Any) -> str:
    folder = Path(name)
    if not folder.is_dir():
        return f"commit {getattr(config, '_commit_hash', None) or 'unknown'}"
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.suffix in {".json", ".safetensors", ".bin", ".txt", ".model"}:
            with file.open("rb") as stream:
                digest.update(file.name.encode() + hashlib.file_digest(stream, "sha256").digest())
    return f"sha256:{digest.hexdigest()[:16]}"
