"""A language model of the transformers library that is asked by prompts on this machine: ``hf-causal:MODEL``."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from eec_datasets.errors import SystemFailed
from eec_datasets.systems import reading
from eec_datasets.systems.base import Answer, Batch, Options, Range, System
from eec_datasets.systems.prompts import SLOT, Prompt, prompted, read, ready, short_name
from eec_datasets.systems.transformer import open_model

Tokens = list[int]


def load(model: str, options: Options) -> System:
    """Return a model that is asked by prompts; each prompt is a run.

    Labels are read from the probabilities of all their tokens after the prompt, numbers from the likeliest answer.

    Parameters
    ----------
    model
        A folder, or a model id of the Hugging Face Hub, optionally with ``@revision``.
    options
        ``endpoint.prompts``, ``chat_template``, ``batch_size``, ``device``.

    Raises
    ------
    Unavailable
        The libraries or the model are missing, or a prompt asks for what only a server does.
    BadPrompts
        The prompts cannot be used.
    """
    chosen = options.endpoint.prompts
    if chosen not in ready():  # what is wrong with a file is said before a model is loaded
        for prompt in read(Path(chosen)).prompts:
            prompt.own_tokens()
    tokenizer, network, version = open_model(f"hf-causal:{model}", model, options.device, "CausalLM")
    local = LocalModel(tokenizer, network, bool(options.chat_template and tokenizer.chat_template))
    form = "chat" if local.chat else "plain"

    def run(prompt: Prompt, score_range: Range) -> System:
        # All that an answer depends on beside the model and the sentence.
        how = {"labels": list(prompt.labels), "length": prompt.own_tokens()}
        request = json.dumps([local.context(prompt, SLOT), how], ensure_ascii=False)
        return System(
            f"hf-causal:{model}[{form}]",
            score_range=score_range,
            fingerprint=f"{version} {form} sha256:{hashlib.sha256(request.encode()).hexdigest()[:16]}",
            batch_size=options.batch_size or 32,
            session=lambda: nullcontext(partial(_ask, local, prompt)),
            reader=reading.reader(prompt, score_range, whole=True),
            by_length=True,
            # Words that are written are not a bit off: another word is another answer.
            rescored=bool(prompt.labels),
        )

    return prompted(f"hf-causal:{model}[{short_name(chosen)} {form}]", f"{version} {form} {chosen}", chosen, run)


def preamble(prompt: Prompt) -> str:
    """Return the part before the question as it stands before it where there is no chat template."""
    return f"{prompt.system}\n\n" if prompt.system else ""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model on this machine, and whether it is asked in the form of its chat template."""

    tokenizer: Any
    network: Any
    chat: bool

    def context(self, prompt: Prompt, text: str) -> str:
        """Return all that stands before the answer."""
        if not self.chat:
            return preamble(prompt) + prompt.text.replace(SLOT, text)
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
