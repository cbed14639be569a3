"""Requests to a model behind an address: several at once, tried again where that helps, counted."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from eec_datasets.errors import BudgetSpent, CallFailed, SystemFailed, Unavailable
from eec_datasets.systems import secret
from eec_datasets.systems.base import Answer, Endpoint
from eec_datasets.systems.replies import LARGEST, OddReply, Reply

if TYPE_CHECKING:
    import httpx2

KEY: Final = "OPENAI_API_KEY"
"""Environment variable of the key; it is sent to the address, and written and shown nowhere."""

ATTEMPTS: Final = 6
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 60.0
"""Seconds; a server that asks for a longer wait is left alone."""

REQUEST_ID: Final = "X-Request-Id"
OUR_ID: Final = re.compile(r"eec-[0-9a-f]{32}")
"""Header with the id of a request, and the form of this id."""

CERTIFICATES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")
PROXIES: Final = tuple(case(f"{kind}_proxy") for kind in ("http", "https", "all") for case in (str.upper, str.lower))
"""Variables of the environment by which connections are made."""

FILTERED: Final = frozenset({"content_filter", "ResponsibleAIPolicyViolation"})
"""Codes of an error (OpenAI, Azure) by which a filter refuses what a sentence says."""

MOST_SHOWN: Final = 20_000
"""Letters of a reply that are read for a message, which shows the first of them."""

TEMPORARY: Final = frozenset({408, 409, 425, 429})


class Wire:
    """Asks one address; counts its calls with those of all systems that are asked by the same endpoint.

    Parameters
    ----------
    endpoint
        The address, and how it is asked.

    Raises
    ------
    Unavailable
        The address is none, or holds a key.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        try:
            parts = urlsplit(endpoint.base_url)
            usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
            private = bool(parts.username or parts.password or parts.query or parts.fragment)
            private = private or secret.holds(endpoint.base_url, self._sent_key())
        except ValueError:  # an open bracket, a port beyond the last
            usable, private = None, False
        if private or not usable:
            shown = re.split("[?#]", endpoint.base_url.rpartition("@")[2])[0]
            raise Unavailable(
                f"base URL {self._plain(shown)!r}: expected an address such as http://localhost:8000/v1, without a "
                "user, password or query, as it is written into results. A key goes into the environment variable "
                f"{KEY}."
            )
        self.base_url = endpoint.base_url.rstrip("/")
        self.url = f"{self.base_url}/chat/completions"

    def key(self) -> str:
        """Return the key, which may be missing where the address is not that of OpenAI.

        Raises
        ------
        Unavailable
            There is none and one is needed, or it is none that can be sent.
        """
        key = os.environ.get(KEY, "").strip()
        if not key and self.base_url == Endpoint().base_url:
            raise Unavailable(
                f"There is no key for {self.base_url}. Put it into the environment variable {KEY}, or name another "
                "base_url."
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise Unavailable(f"The key in {KEY} contains spaces or letters that no key has. Copy it again.")
        return key

    def client(self) -> httpx2.AsyncClient:
        """Return a client that opens a connection for each request.

        On a connection that is used again, a reply that a server or proxy sends twice passes for the answer to the next
        sentence, and all answers after it are shifted.

        Raises
        ------
        Unavailable
            The environment names a proxy or certificates that cannot be used.
        """
        import httpx2

        headers = {"Accept-Encoding": "gzip", "Connection": "close"}
        if key := self.key():
            headers["Authorization"] = f"Bearer {key}"
        try:
            return httpx2.AsyncClient(
                headers=headers,
                timeout=None,  # a call as a whole has one deadline, which its parts could stretch
                limits=httpx2.Limits(max_connections=self.endpoint.concurrency, max_keepalive_connections=0),
            )
        except OSError as error:
            raise Unavailable(
                f"The certificates that {_set_among(CERTIFICATES)} names cannot be read ({error.strerror or error}). "
                "Name a file of certificates in PEM, or unset it."
            ) from error
        except (httpx2.InvalidURL, ValueError, ImportError) as error:
            # What is said of the address may hold its password.
            socks = ", and pip install 'httpx2[socks]' for one of SOCKS" if isinstance(error, ImportError) else ""
            raise Unavailable(
                f"The proxy that {_set_among(PROXIES)} names cannot be used ({type(error).__name__}). Name an address "
                f"such as http://proxy.example:8080{socks}, or unset it."
            ) from error

    async def ask(self, client: httpx2.AsyncClient, body: Mapping[str, Any], read: Callable[[Any], Answer]) -> Answer:
        """Send one request, again where the trouble may pass; return the answer with the calls it took.

        Parameters
        ----------
        client
            From `client`.
        body
            The request.
        read
            Makes an answer of what a reply says as JSON; raises `OddReply` where it is none.

        Raises
        ------
        CallFailed
            The call failed, and others may not.
        SystemFailed
            All others would fail too: no access, no such model, no quota.
        BudgetSpent
            No further call is allowed.
        """
        content = json.dumps(body).encode()
        trouble, wait = "", FIRST_WAIT
        for attempt in range(1, ATTEMPTS + 1):
            if self.endpoint.budget is not None and self.endpoint.calls.total() >= self.endpoint.budget:
                raise BudgetSpent(f"The budget of {self.endpoint.budget:,} calls is spent.")
            self.endpoint.calls[self.url] += 1
            try:
                reply = await self._reply(client, content)
            except Exception as error:  # whatever a server sends, a run goes on
                trouble, pause = self._cause(error), None
            else:
                if reply.status == 200:
                    return self._answer(reply, read, attempt)
                if refused := self._refusal(reply, body, attempt):
                    return refused
                trouble, pause = f"{reply.status} {self._error_text(reply)}", _retry_after(reply)
            if pause is not None and pause > LONGEST_WAIT:
                raise SystemFailed(f"{self.url} asks to wait {pause:.0f} s ({trouble}). Run the same again after that.")
            if attempt < ATTEMPTS:
                # Spread, so that calls that failed together do not come back together.
                await asyncio.sleep(pause if pause is not None else wait * random.uniform(0.5, 1.0))
                wait = min(2 * wait, LONGEST_WAIT)
        raise CallFailed(f"{self.url} failed {ATTEMPTS} times, at last with: {trouble}.", calls=ATTEMPTS)

    async def _reply(self, client: httpx2.AsyncClient, content: bytes) -> Reply:
        """Send a request once and return the whole reply, within the time and the size that one may take.

        The request has an id, which many servers repeat.

        Raises
        ------
        OddReply
            The reply is too large, or repeats the id of another request.
        """
        body, own = bytearray(), f"eec-{uuid4().hex}"
        headers = {"Content-Type": "application/json", REQUEST_ID: own}
        async with (
            asyncio.timeout(self.endpoint.timeout),
            client.stream("POST", self.url, content=content, headers=headers) as response,
        ):
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > LARGEST:
                    raise OddReply(f"a reply of more than {LARGEST >> 20} MB")
        headers = {name.lower(): value for name, value in response.headers.items()}
        reply = Reply(response.status_code, response.reason_phrase, headers, bytes(body))
        if (named := set(OUR_ID.findall(reply.all_text()))) and own not in named:
            raise OddReply("the reply to another request. Check what is between you and the server, such as a proxy")
        return reply

    def _cause(self, error: Exception) -> str:
        """Why no reply came."""
        if isinstance(error, TimeoutError):
            return f"no whole answer within {self.endpoint.timeout:g} s"
        if isinstance(error, OddReply):
            return str(error)
        return f"{type(error).__name__}: {self._plain(str(error))[:300]}".rstrip(": ")

    def _answer(self, reply: Reply, read: Callable[[Any], Answer], calls: int) -> Answer:
        """The answer in a reply whose status says that it is one.

        Raises
        ------
        CallFailed
            It is none.
        """
        try:
            content = reply.content()
            if secret.holds(content, self._sent_key()):
                raise CallFailed(
                    f"{self.url} answered with the key in {KEY} in its reply, which was not kept. Check what is "
                    f"between you and the server, such as a proxy.",
                    calls=calls,
                )
            return read(content)._replace(calls=calls)
        except OddReply as error:
            excerpt = self._plain(reply.body.decode(errors="replace"))[:80]
            raise CallFailed(f"{self.url} answered {excerpt!r}, {self._plain(str(error))}.", calls=calls) from error

    def _refusal(self, reply: Reply, body: Mapping[str, Any], calls: int) -> Answer | None:
        """Return the answer of a server that refused what the sentence says; None where the trouble may pass.

        Raises
        ------
        CallFailed
            The server refused the request for another reason.
        SystemFailed
            It would refuse all others too.
        """
        status, text = reply.status, self._error_text(reply)
        codes = _error_codes(reply)
        if status in (401, 403):
            sent = f"the key in {KEY}" if os.environ.get(KEY) else f"a call without a key ({KEY} is not set)"
            raise SystemFailed(
                f"{self.url} does not accept {sent}: {status}. Check the key and what it may be used for."
            )
        if status == 404:
            raise SystemFailed(f"{self.url}: 404 {text}. Check the name of the model and the base_url.")
        if "insufficient_quota" in codes:
            raise SystemFailed(f"{self.url}: {status} {text}. The account has no quota left; run the same again later.")
        if status == 400 and FILTERED & codes and not secret.holds(reply.all_text(), self._sent_key()):
            return Answer(state="refused", said=text, calls=calls)
        if status in TEMPORARY or status >= 500:
            return None
        blamed = [field for field in body if field not in ("model", "messages") and field in text]
        fix = f" A file of prompts can change {blamed[0]} or leave it out, under request." if blamed else ""
        raise CallFailed(f"{self.url} refused the request: {status} {text}.{fix}", calls=calls)

    def _error_text(self, reply: Reply) -> str:
        """Return what a server says of an error, in one line."""
        try:
            error = reply.content()["error"]
            text = str(error["message"] if isinstance(error, dict) else error)
        except (ValueError, LookupError, TypeError, RecursionError):
            text = reply.body.decode(errors="replace")
        return self._plain(text)[:300].rstrip(".") or self._plain(reply.reason)[:300]

    def _sent_key(self) -> str:
        return os.environ.get(KEY, "").strip()

    def _plain(self, text: str) -> str:
        """Return the beginning of a text in one line, without the key, in letters that can be printed and stored."""
        printable = "".join(letter if letter.isprintable() else " " for letter in text[:MOST_SHOWN])
        return secret.hide(" ".join(printable.split()), self._sent_key())


def _set_among(names: Sequence[str]) -> str:
    """Return which of some variables of the environment are set, as the subject of a clause."""
    return " or ".join(name for name in names if os.environ.get(name)) or "the environment"


def _error_codes(reply: Reply) -> set[str]:
    """Return the codes that an error has where the interface documents them; its message is free text."""
    try:
        error = reply.content()["error"]
        inner = error.get("innererror")
        codes = [error.get("code"), error.get("type"), inner.get("code") if isinstance(inner, dict) else None]
    except (ValueError, LookupError, TypeError, AttributeError):
        return set()
    return {code for code in codes if isinstance(code, str)}


def _retry_after(reply: Reply) -> float | None:
    """Return the seconds that a server asks to wait, as a number or until a date; None where it does not say."""
    asked = reply.headers.get("retry-after", "")[:100]
    with contextlib.suppress(ValueError):
        seconds = float(asked)
        return None if math.isnan(seconds) else max(0.0, seconds)
    until = _moment(asked)
    # Both by the clock of the server, as ours may be wrong.
    now = _moment(reply.headers.get("date", "")) or datetime.now(UTC)
    # A date that is over says nothing.
    return (until - now).total_seconds() if until and until > now else None


def _moment(text: str) -> datetime | None:
    """Return the time that a header names; None where it names none."""
    try:
        moment = parsedate_to_datetime(text[:100])
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
