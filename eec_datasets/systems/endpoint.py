"""A language model behind an address as a system: ``openai:MODEL``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from eec_datasets.errors import SystemFailed, Unavailable
from eec_datasets.systems import reading
from eec_datasets.systems.base import Answer, Asker, Batch, Range, System, SystemOptions
from eec_datasets.systems.prompts import SLOT, TOKENS, Prompt, prompted, short_name
from eec_datasets.systems.replies import NoProbabilities, answer_in
from eec_datasets.systems.wire import Wire

TOP: Final = 20
"""Tokens whose probabilities are asked for: the most that servers give."""


def load(model: str, options: SystemOptions) -> System:
    """Return a model that is asked by prompts; each prompt is a run.

    Parameters
    ----------
    model
        Its name at the address.
    options
        ``endpoint``: address, prompts, repeats, concurrency, timeout, budget.

    Raises
    ------
    Unavailable
        The address is none.
    FileProblems
        The prompts cannot be used.
    """
    endpoint, wire = options.endpoint, Wire(options.endpoint)

    def run(prompt: Prompt, score_range: Range) -> System:
        if endpoint.repeats > 1 and (prompt.labels or prompt.request.get("temperature") == 0):
            reason = "one answer holds all probabilities" if prompt.labels else "the temperature is 0"
            raise Unavailable(
                f"prompt {prompt.name!r}: {endpoint.repeats} repeats would ask for the same answer again ({reason}). "
                "Leave repeats out, or change the prompt."
            )
        asked = Model(model, wire, prompt)
        return System(
            f"openai:{model}",
            score_range=score_range,
            fingerprint=asked.fingerprint(),
            batch_size=1,
            concurrency=endpoint.concurrency,
            session=asked.session,
            repeats=endpoint.repeats,
            reader=reading.reader(prompt, score_range),
            request=asked.body,
        )

    name = short_name(endpoint.prompts)
    return prompted(f"openai:{model}[{name}]", f"{name} {wire.base_url}", endpoint.prompts, run)


@dataclass(frozen=True, slots=True)
class Model:
    """A model, asked by one prompt."""

    name: str
    wire: Wire
    prompt: Prompt

    def body(self, text: str) -> dict[str, Any]:
        """Return what is sent for a sentence."""
        defaults: dict[str, Any] = {"max_tokens": TOKENS, "temperature": 0 if self.wire.endpoint.repeats == 1 else 1}
        if self.prompt.labels:
            defaults |= {"max_tokens": 1, "temperature": 0, "logprobs": True, "top_logprobs": TOP}
        if "max_completion_tokens" in self.prompt.request:
            del defaults["max_tokens"]
        fields = {"model": self.name, "messages": self.prompt.messages(text), **defaults, **self.prompt.request}
        return {key: value for key, value in fields.items() if value is not False}

    def fingerprint(self) -> str:
        """Return what all its answers depend on: the address, and a hash of the request without the sentence."""
        request = json.dumps(self.body(SLOT), ensure_ascii=False, sort_keys=True)
        return f"{self.wire.base_url} sha256:{hashlib.sha256(request.encode()).hexdigest()[:16]}"

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Asker]:
        """Open what asks for one sentence at a time."""
        async with self.wire.client() as client:

            async def call(batch: Batch) -> list[Answer]:
                return [await self.wire.ask(client, self.body(batch["text"][0]), self.answer)]

            yield call

    def answer(self, content: Any) -> Answer:
        """Return what was said, from what the reply of the server says as JSON.

        Raises
        ------
        OddReply
            The reply is no answer.
        SystemFailed
            It has no probabilities where the score is read from them.
        """
        try:
            return answer_in(content, labelled=bool(self.prompt.labels))
        except NoProbabilities as error:
            raise SystemFailed(
                f"{self.wire.url} sends no top_logprobs for {self.name}, from which prompt {self.prompt.name!r} reads "
                'the probabilities of its labels. Choose a server that does, or prompts with read = "number", as the '
                "ready sets without -labels are."
            ) from error
