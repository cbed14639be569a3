"""A text classification or regression model of the transformers library as a system: ``hf:MODEL``."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import Any

from eec_datasets.errors import Unavailable
from eec_datasets.packaged import needed
from eec_datasets.systems.base import UNIT, Batch, System, SystemOptions
from eec_datasets.text_file import all_digits


def load(model: str, options: SystemOptions) -> System:
    """Load a model whose score is the probability of one class, the mean value of all, or a regression's output.

    Parameters
    ----------
    model
        A folder, or a model id of the Hugging Face Hub, optionally with ``@revision``.
    options
        ``positive_class`` or ``classes`` (needed unless the model has two classes of which one is called positive),
        ``batch_size``, ``device``, and ``score_range`` for regression models.

    Raises
    ------
    Unavailable
        The libraries or the model are missing, or the class to score is unclear.
    """
    tokenizer, network, fingerprint = _open(model, options.device)
    import torch

    weights, label = _weights(model, network.config, options)
    several = network.config.problem_type == "multi_label_classification"

    if options.classes:
        limits = (min(weights), max(weights))
    elif label:
        limits = UNIT
    else:
        limits = options.declared()
    # A regression that leaves its declared range is refused where its scores are checked, and not cut here.
    low, high = limits if label else (-math.inf, math.inf)

    def score(batch: Batch) -> list[float | None]:
        inputs = tokenizer(list(batch["text"]), padding=True, truncation=True, return_tensors="pt")
        with torch.no_grad():
            logits = network(**inputs.to(options.device)).logits.double()
        if label:
            logits = logits.sigmoid() if several else logits.softmax(dim=-1)
        # Rounding may leave a mean a bit outside the values it is of.
        return [
            min(max(math.fsum(map(math.prod, zip(row, weights, strict=True))), low), high) for row in logits.tolist()
        ]

    name = f"hf:{model}"
    if label:
        name = f"{name}[{label}]"
    return System(
        name=name,
        scorer=score,
        score_range=limits,
        fingerprint=fingerprint,
        batch_size=options.batch_size or 32,
        by_length=True,
        rescored=True,
        high_means=(options.positive_class or "").lower(),
    )


def _open(model: str, device: str) -> tuple[Any, Any, str]:
    """Return the tokenizer, the network and the fingerprint of a model."""
    missing = (
        f"system hf:{model}: the packages transformers and torch are not installed. Install them with: pip install "
    )
    _, transformers = (needed(name, f"{missing}'eec-datasets[hf]'") for name in ("torch", "transformers"))
    name, _, revision = (model, "", "") if Path(model).is_dir() else model.partition("@")
    source = {"revision": revision} if revision else {}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, **source)
        network = transformers.AutoModelForSequenceClassification.from_pretrained(name, **source)
    except (OSError, ValueError) as error:
        raise Unavailable(
            f"system hf:{model}: the model cannot be loaded: {_first_line(error)} "
            "Expected a folder or a Hub id with a tokenizer and a sequence classification model."
        ) from error
    try:
        network = network.to(device).eval()
    except (RuntimeError, AssertionError) as error:
        raise Unavailable(f"system hf:{model}: device {device} cannot be used: {_first_line(error)}") from error
    return tokenizer, network, _fingerprint(name, network.config)


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


def _weights(model: str, config: Any, options: SystemOptions) -> tuple[list[float], str]:
    """Return what each output counts in the score, and how the score is named; nothing for a regression model."""
    labels = [str(label) for _, label in sorted(config.id2label.items(), key=lambda each: int(each[0]))]
    listed, chosen, problem = ", ".join(labels), options.positive_class, ""
    if options.classes:
        if config.problem_type == "multi_label_classification":
            problem = "its classes do not exclude each other and have no mean value. Name one with --positive-class"
        elif set(labels) != set(options.classes):
            given = ", ".join(options.classes)
            problem = f"classes has values for {given}; expected one for each of its classes, which are {listed}"
        weights = [options.classes.get(label, math.nan) for label in labels]
        name = ",".join(f"{label}={all_digits(value)}" for label, value in options.classes.items())
    elif len(labels) == 1:
        weights, name = [1.0], ""
        if chosen is not None:
            problem = f"--positive-class {chosen} was given, but the model has one output (regression). Leave it out"
    else:
        if chosen is None and len(labels) == 2:
            chosen = next((label for label in labels if label.casefold() == "positive"), None)
        weights, name = [float(label == chosen) for label in labels], str(chosen)
        if chosen not in labels:
            what = f"no class {chosen!r}" if chosen else f"none of the {len(labels)} classes is the score by itself"
            problem = (
                f"{what}. Name the class whose probability is the score with --positive-class, one of {listed}, or "
                "give every class a value with --classes"
            )
    if problem:
        raise Unavailable(f"system hf:{model}: {problem}.")
    return weights, name


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
