"""A language model on this machine, asked by the prompts of a task: what the numbers of a harness are compared with."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from eec_datasets.errors import SystemFailed
from eec_datasets.systems import reading
from eec_datasets.systems.base import Answer, Batch, Range, System
from eec_datasets.systems.prompts import SLOT, Prompt, prompted

transformers = pytest.importorskip("transformers", reason="needs the extra harness (transformers)")

Tokens = list[int]


def open_local(model: Path, prompts: Path, *, chat: bool) -> System:
    """Open a model that is asked by prompts; each prompt is a run."""
    tokenizer, network = (
        getattr(transformers, name).from_pretrained(model) for name in ("AutoTokenizer", "AutoModelForCausalLM")
    )
    local = LocalModel(tokenizer, network.eval(), chat)

    def run(prompt: Prompt, score_range: Range) -> System:
        return System(
            f"{model.name}[{prompt.name}]",
            score_range=score_range,
            session=lambda: nullcontext(partial(_ask, local, prompt)),
            reader=reading.reader(prompt, score_range, whole=True),
        )

    return prompted(model.name, "", str(prompts), run)


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model on this machine, and whether it is asked in the form of its chat template."""

    tokenizer: Any
    network: Any
    chat: bool

    def context(self, prompt: Prompt, text: str) -> str:
        """Return all that stands before the answer."""
        if not self.chat:
            return prompt.preamble + prompt.text.replace(SLOT, text)
        messages = prompt.messages(text)
        return str(self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))

    def encode(self, text: str) -> Tokens:
        """Return a text as tokens, with the special tokens of the model; those that a template wrote stay single."""
        bos = self.tokenizer.bos_token
        special = {"add_special_tokens": False} if bos and text.startswith(bos) else {}
        return list(self.tokenizer.encode(text, **special))

    def continued(self, context: str, label: str) -> tuple[Tokens, int]:
        """Return a context with a label as tokens, and how many of them are the label's.

        Spaces at the end of the context belong to the label, since most tokens begin with theirs.
        """
        whole = self.encode(context + ("" if self.chat else " ") + label)
        count = len(whole) - len(self.encode(context.rstrip()))
        if count < 1:
            raise SystemFailed(f"the label {label!r} has no token of its own after {context[-40:]!r}. Choose another.")
        return whole, count

    def logprobs(self, contexts: Sequence[str], labels: Sequence[str]) -> list[list[float]]:
        """Return the natural logarithms of the probabilities of labels: a row per context, a column per label."""
        import torch

        cases = [self.continued(context, label) for context in contexts for label in labels]
        # The last token is only predicted: labels of one token share their row.
        distinct = dict.fromkeys(tuple(tokens[:-1]) for tokens, _ in cases)
        rows = {row: number for number, row in enumerate(distinct)}
        most = max(count for _, count in cases)
        inputs = self.padded(list(map(list, rows)))
        expected = inspect.signature(self.network.forward).parameters
        more: dict[str, Any] = {"logits_to_keep": most} if "logits_to_keep" in expected else {}
        if "position_ids" in expected:
            more["position_ids"] = (inputs["attention_mask"].cumsum(-1) - 1).clamp(min=0)
        with torch.no_grad():
            shares = self.network(**inputs, **more).logits[:, -most:].float().log_softmax(-1).cpu()
        logprobs = []
        for tokens, count in cases:
            row = shares[rows[tuple(tokens[:-1])], -count:]
            logprobs.append(float(row.gather(-1, torch.tensor(tokens[-count:]).unsqueeze(-1)).sum()))
        return [logprobs[start : start + len(labels)] for start in range(0, len(logprobs), len(labels))]

    def written(self, contexts: Sequence[str], length: int) -> list[str]:
        """Return the likeliest answers, of at most so many tokens, with `reading.CUT` behind those that went on."""
        import torch

        inputs = self.padded([self.encode(context) for context in contexts], length)
        end = self.tokenizer.eos_token_id
        with torch.no_grad():
            tokens = self.network.generate(
                **inputs, do_sample=False, num_beams=1, max_new_tokens=length, pad_token_id=0 if end is None else end
            )
        answers = tokens[:, inputs["input_ids"].shape[1] :].tolist()
        texts = self.tokenizer.batch_decode(answers, skip_special_tokens=True)
        ends = [row[-1] in self.tokenizer.all_special_ids for row in answers]
        return [str(text).strip() + ("" if ended else reading.CUT) for text, ended in zip(texts, ends, strict=True)]

    def padded(self, rows: Sequence[Tokens], length: int = 0) -> dict[str, Any]:
        """Return tokens as tensors, padded on the left.

        Raises
        ------
        SystemFailed
            With the answer they are more than the model can read.
        """
        import torch

        width = max(map(len, rows))
        most = getattr(self.network.config, "max_position_embeddings", None)
        if most and width + length > most:
            raise SystemFailed(
                f"a prompt of {width} tokens and an answer of {length} are more than the {most} that the model can "
                "read. Write shorter prompts, or choose another model."
            )
        inputs = {
            "input_ids": torch.tensor([[0] * (width - len(row)) + row for row in rows]),
            "attention_mask": torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in rows]),
        }
        return {name: tensor.to(self.network.device) for name, tensor in inputs.items()}


async def _ask(local: LocalModel, prompt: Prompt, batch: Batch) -> list[Answer]:
    """Return what is said of some sentences, or how probable the labels are there."""
    contexts = [local.context(prompt, text) for text in batch["text"]]
    labels = list(prompt.labels)
    if not labels:
        return [Answer(said=text) for text in local.written(contexts, prompt.own_tokens())]
    logprobs = local.logprobs(contexts, labels)
    return [Answer(said=json.dumps(list(zip(labels, row, strict=True)), ensure_ascii=False)) for row in logprobs]
