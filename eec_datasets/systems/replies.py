"""From the reply of a server to an answer: the type and range of every field are checked, and nothing else is kept.

Whatever is wrong with a reply becomes an `OddReply` with its cause.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from eec_datasets.systems import reading
from eec_datasets.systems.base import Answer

LARGEST: Final = 8 << 20
"""Bytes of the largest reply that is read, as it is sent and as it is unpacked."""

LONGEST_NAME: Final = 200
"""Letters that the name of a model's version may have."""

SHORTEST_ID: Final = 20
"""Letters from which on the id of a reply is taken as its own; some servers count, or draw from a thousand."""

MOST_TOKENS: Final = 2**31 - 1
MOST_CHOICES: Final = 1000
"""Tokens whose probabilities a reply may hold."""

LOWEST_LOGPROB: Final = -1e6
ROUNDING: Final = 0.05
"""By how much a probability, or the sum of them, may exceed 1."""


class OddReply(ValueError):
    """A reply is no answer; the message says why, as a clause that begins with ``which``."""


class NoProbabilities(OddReply):
    """A reply is an answer without the probabilities that were asked for."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's reply.

    Attributes
    ----------
    status
        Such as 200.
    reason
        What stands beside it.
    headers
        By their names in small letters.
    body
        As it was sent: perhaps packed.
    """

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes

    def text(self) -> str:
        """Return the body as text.

        Raises
        ------
        OddReply
            It is packed in a way that was not asked for, is too large, or is no UTF-8.
        """
        packing = self.headers.get("content-encoding", "").strip().lower()
        raw = self.body
        if packing == "gzip":
            raw = _unpacked(raw)
        elif packing not in ("", "identity"):
            raise OddReply(f"which is packed as {packing[:40]!r}; expected gzip or nothing")
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise OddReply(f"which is no UTF-8 (byte {error.start + 1})") from error

    def all_text(self) -> str:
        """Return headers and body as text, whatever they are."""
        body = self.body.decode(errors="replace")
        with contextlib.suppress(OddReply):
            body = self.text()
        return "\n".join([*self.headers.values(), body])

    def content(self) -> Any:
        """Return what the body says as JSON.

        Raises
        ------
        OddReply
            It says nothing as JSON.
        """
        try:
            return json.loads(self.text(), parse_constant=_refuse_constant)
        except OddReply:
            raise
        except (ValueError, RecursionError) as error:
            raise OddReply("which is no JSON") from error


def _unpacked(raw: bytes) -> bytes:
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        text = unpacker.decompress(raw, LARGEST + 1)
    except zlib.error as error:
        raise OddReply(f"which cannot be unpacked ({error})") from error
    if len(text) > LARGEST:
        raise OddReply(f"which unpacks to more than {LARGEST >> 20} MB")
    if not unpacker.eof:
        raise OddReply("which ends before it is whole")
    return text


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def answer_in(content: Any, *, labelled: bool) -> Answer:
    """Return the answer in a chat completion.

    Parameters
    ----------
    content
        What a reply says as JSON.
    labelled
        Whether the score is read from the probabilities of the first token.

    Raises
    ------
    NoProbabilities
        They are asked for and not there.
    OddReply
        A field is of another type or range than the interface has.
    """
    choice, message = _choice_of(content)
    refusal = _text(message, "refusal", "choices[0].message.refusal")
    said = _text(message, "content", "choices[0].message.content")
    ended = _text(choice, "finish_reason", "choices[0].finish_reason")
    kept = stored_text(said)
    if ended == "length":
        kept += reading.CUT
    answer = Answer(
        said=kept,
        model=" ".join(filter(None, [_name(content, "model"), _name(content, "system_fingerprint")])),
        tokens_in=_count(content.get("usage"), "prompt_tokens"),
        tokens_out=_count(content.get("usage"), "completion_tokens"),
        reply=_identity(content),
    )
    if refusal or ended == "content_filter":
        return answer._replace(state="refused", said=stored_text(refusal) or answer.said)
    if labelled:
        return answer._replace(said=json.dumps(_probabilities(choice), ensure_ascii=False))
    return answer


def stored_text(text: str) -> str:
    """Return what is kept of a text: all but thoughts. Half a character at its end becomes the mark of a cut.

    The number is read from what is kept, so nothing else is cut; a reply is not larger than `LARGEST`.
    """
    whole = re.sub(r"[\ud800-\udfff]\Z", reading.CUT, text.rpartition("</think>")[2])
    return whole.encode(errors="replace").decode()


def _choice_of(content: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    try:
        choice = content["choices"][0]
        message = choice["message"]
    except (LookupError, TypeError) as error:
        raise OddReply("which is no chat completion. Check the base_url") from error
    if not (isinstance(content, dict) and isinstance(choice, dict) and isinstance(message, dict)):
        raise OddReply("which is no chat completion. Check the base_url")
    return choice, message


def _text(table: Mapping[str, Any], key: str, place: str) -> str:
    """Return a text, which may be missing."""
    text = table.get(key)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise OddReply(f"in which {place} is {_shown(text)}; expected a text")
    return text


def _name(content: Mapping[str, Any], key: str) -> str:
    """Return the name of a model or its version, which is shown in results."""
    name = _text(content, key, key)
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise OddReply(f"in which {key} is {_shown(name)}; expected up to {LONGEST_NAME} letters that can be printed")
    return name


def _identity(content: Mapping[str, Any]) -> str:
    """Return a hash of a reply that has an id of its own, which no other reply can have; empty if it has none."""
    given = content.get("id")
    if not isinstance(given, str) or len(given) < SHORTEST_ID:
        return ""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def _count(usage: object, key: str) -> int:
    """A number of tokens; 0 where a server reports it differently, which is no reason to refuse the answer."""
    count = usage.get(key) if isinstance(usage, dict) else None
    if isinstance(count, bool) or not isinstance(count, int):
        return 0
    if not 0 <= count <= MOST_TOKENS:
        raise OddReply(f"in which usage.{key} is {_shown(count)}; expected a number from 0 to {MOST_TOKENS}")
    return count


def _probabilities(choice: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Return the likeliest first tokens with the natural logarithms of their probabilities, the likeliest first."""
    logprobs = choice.get("logprobs")
    place = "choices[0].logprobs.content"
    content = logprobs.get("content") if isinstance(logprobs, dict) else logprobs
    if not content:
        raise NoProbabilities("which has no logprobs")
    if not isinstance(content, list) or not isinstance(content[0], dict):
        raise OddReply(f"in which {place} is {_shown(content)}; expected a list of tokens")
    listed = content[0].get("top_logprobs")
    if not listed:
        raise NoProbabilities("which has no top_logprobs")
    if not isinstance(listed, list) or len(listed) > MOST_CHOICES:
        raise OddReply(f"in which {place}[0].top_logprobs is {_shown(listed)}; expected a list of tokens")
    top = [_token(each, f"{place}[0].top_logprobs[{number}]") for number, each in enumerate(listed)]
    if (total := math.fsum(math.exp(logprob) for _, logprob in top)) > 1 + ROUNDING:
        raise OddReply(f"in which the probabilities of {place}[0] sum to {total:.3g}; expected up to 1")
    return sorted(top, key=lambda each: -each[1])


def _token(entry: object, place: str) -> tuple[str, float]:
    if not isinstance(entry, dict) or not isinstance(entry.get("token"), str):
        raise OddReply(f"in which {place} is {_shown(entry)}; expected a token with its logprob")
    logprob = entry.get("logprob")
    if not isinstance(logprob, int | float) or not LOWEST_LOGPROB <= logprob <= ROUNDING:
        raise OddReply(f"in which {place}.logprob is {_shown(logprob)}; expected a number up to 0")
    return stored_text(entry["token"]), float(logprob)


def _shown(value: object) -> str:
    """Return a value for a message, in letters that every terminal shows."""
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of {value.bit_length():,} bits"
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
