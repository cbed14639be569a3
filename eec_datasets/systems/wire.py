"""Requests to a model behind an address: several at once, tried again where that helps, counted."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from eec_datasets.errors import BudgetSpent, CallFailed, SystemFailed, Unavailable
from eec_datasets.systems.base import Endpoint

if TYPE_CHECKING:
    import httpx2

KEY: Final = "OPENAI_API_KEY"
"""Environment variable of the key; it is sent to the address, and written and shown nowhere."""

ATTEMPTS: Final = 6
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 60.0
"""Seconds; a server that asks for a longer wait is left alone."""

TEMPORARY: Final = frozenset({408, 409, 425, 429})


class RequestRefused(CallFailed):
    """The server refused this request for what the sentence says."""


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
            secret = parts.username or parts.password or parts.query
        except ValueError:  # an open bracket, a port beyond the last
            usable = secret = None
        if secret or not usable:
            without_secrets = endpoint.base_url.rpartition("@")[2].partition("?")[0]
            raise Unavailable(
                f"base URL {without_secrets!r}: expected an address such as http://localhost:8000/v1, without a user, "
                f"password or query, as it is written into results. A key goes into the environment variable {KEY}."
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
            raise Unavailable(f"The key in {KEY} holds spaces or letters that no key has. Copy it again.")
        return key

    def client(self) -> httpx2.AsyncClient:
        """Return what keeps connections open for as many calls as run at once."""
        import httpx2

        many = self.endpoint.concurrency
        headers = {"Authorization": f"Bearer {key}"} if (key := self.key()) else {}
        return httpx2.AsyncClient(
            headers=headers,
            timeout=httpx2.Timeout(self.endpoint.timeout, pool=None),
            limits=httpx2.Limits(max_connections=many, max_keepalive_connections=many),
        )

    async def post(self, client: httpx2.AsyncClient, body: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
        """Send one request, again where the trouble may pass; return the reply and the calls it took.

        Raises
        ------
        RequestRefused
            The server refused what the sentence says.
        CallFailed
            The call failed, and others may not.
        SystemFailed
            All others would fail too: no access, no such model, no quota.
        BudgetSpent
            No further call is allowed.
        """
        import httpx2

        content = json.dumps(body).encode()
        trouble, wait = "", FIRST_WAIT
        for attempt in range(1, ATTEMPTS + 1):
            if self.endpoint.budget is not None and self.endpoint.calls.total() >= self.endpoint.budget:
                raise BudgetSpent(f"The budget of {self.endpoint.budget:,} calls is spent.")
            self.endpoint.calls[self.url] += 1
            try:
                reply = await client.post(self.url, content=content, headers={"Content-Type": "application/json"})
            except httpx2.TransportError as error:
                trouble, pause = f"{type(error).__name__}: {self._without_key(str(error))}".rstrip(": "), None
            else:
                if reply.status_code == 200:
                    return self._parsed(reply, attempt), attempt
                self._raise_if_lasting(reply, body, attempt)
                trouble, pause = f"{reply.status_code} {self._error_text(reply)}", _retry_after(reply)
            if pause is not None and pause > LONGEST_WAIT:
                raise SystemFailed(f"{self.url} asks to wait {pause:.0f} s ({trouble}). Run the same again after that.")
            if attempt < ATTEMPTS:
                # Spread, so that calls that failed together do not come back together.
                await asyncio.sleep(pause if pause is not None else wait * random.uniform(0.5, 1.0))
                wait = min(2 * wait, LONGEST_WAIT)
        raise CallFailed(f"{self.url} failed {ATTEMPTS} times, at last with: {trouble}.", calls=ATTEMPTS)

    def _raise_if_lasting(self, reply: httpx2.Response, body: Mapping[str, Any], calls: int) -> None:
        status, text = reply.status_code, self._error_text(reply)
        if status in (401, 403):
            sent = f"the key in {KEY}" if os.environ.get(KEY) else f"a call without a key ({KEY} is not set)"
            raise SystemFailed(
                f"{self.url} does not accept {sent}: {status}. Check the key and what it may be used for."
            )
        if status == 404:
            raise SystemFailed(f"{self.url}: 404 {text}. Check the name of the model and the base_url.")
        if "insufficient_quota" in reply.text:
            raise SystemFailed(f"{self.url}: {status} {text}. The account has no quota left; run the same again later.")
        if status == 400 and "content_filter" in reply.text:
            raise RequestRefused(text, calls=calls)
        if status in TEMPORARY or status >= 500:
            return
        blamed = [field for field in body if field not in ("model", "messages") and field in text]
        mend = f" A file of prompts can change {blamed[0]} or leave it out, under request." if blamed else ""
        raise CallFailed(f"{self.url} refused the request: {status} {text}.{mend}", calls=calls)

    def _parsed(self, reply: httpx2.Response, calls: int) -> dict[str, Any]:
        try:
            content = reply.json()
            if isinstance(content, dict) and isinstance(content["choices"][0]["message"], dict):
                return content
        except (ValueError, LookupError, TypeError):
            pass
        text = self._without_key(reply.text)[:80]
        message = f"{self.url} answered {text!r}, which is no chat completion. Check the base_url."
        raise CallFailed(message, calls=calls)

    def _error_text(self, reply: httpx2.Response) -> str:
        """What a server says of an error, in one line."""
        try:
            error = reply.json()["error"]
            text = str(error["message"] if isinstance(error, dict) else error)
        except (ValueError, LookupError, TypeError):
            text = reply.text
        return " ".join(self._without_key(text).split())[:300].rstrip(".") or reply.reason_phrase

    def _without_key(self, text: str) -> str:
        key = os.environ.get(KEY, "").strip()
        text = text.replace(key, "[key]") if key else text
        return "".join(letter if letter.isprintable() else " " for letter in text)


def _retry_after(reply: httpx2.Response) -> float | None:
    """Return the seconds that a server asks to wait, as a number or until a date; None where it does not say."""
    asked = reply.headers.get("Retry-After", "")
    with contextlib.suppress(ValueError):
        return max(0.0, float(asked))
    with contextlib.suppress(ValueError, TypeError):
        seconds = (parsedate_to_datetime(asked) - datetime.now(UTC)).total_seconds()
        return seconds if seconds > 0 else None  # a date that is over says nothing
    return None
