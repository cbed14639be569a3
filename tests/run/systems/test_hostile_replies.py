"""Replies of servers and proxies instead of an answer: no traceback, nothing stored, and an end in time."""

import asyncio
import functools
import gzip
import json
import resource
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from eec_datasets.errors import SystemFailed
from eec_datasets.systems import wire
from eec_datasets.systems.base import Endpoint, SystemOptions
from eec_datasets.systems.corpus import Corpus, open_corpus, part_of
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import score_corpus
from eec_datasets.systems.store import Store

KEY = "sk-0123456789abcdefghij"
NUMBERS = '[[prompts]]\nname = "one"\ntext = "Rate: {text}"\n'
LETTERS = '[[prompts]]\nname = "ab"\ntext = "A or B: {text}"\nread = "labels"\nlabels = {A = 0, B = 1}\n'
TIMEOUT = 1.0

Sent = bytes | Iterator[bytes]
"""Bytes that a server sends at once, or piece by piece with .3 seconds between."""


def reply(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def completion(**changes: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": "0.5"}
    usage = {"prompt_tokens": 20, "completion_tokens": 2}
    return {"model": "tiny-1", "choices": [{"message": message, "finish_reason": "stop"}], "usage": usage, **changes}


def told(**changes: Any) -> bytes:
    return reply(json.dumps(completion(**changes)).encode())


def choice(**changes: Any) -> bytes:
    return told(choices=[{"message": {"content": "0.5"}, **changes}])


def tokens(*entries: Any) -> bytes:
    return choice(logprobs={"content": [{"top_logprobs": list(entries)}]})


@functools.cache
def bomb() -> bytes:
    """A quarter of a megabyte that unpacks to 256 of them."""
    return reply(gzip.compress(b" " * (1 << 28)), "Content-Encoding: gzip")


def forever(first: bytes, piece: bytes) -> Iterator[bytes]:
    yield first
    while True:
        yield piece


ENDLESS = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
WHOLE = json.dumps(completion()).encode()

REPLIES: dict[str, Callable[[], Sent]] = {
    "broken gzip": lambda: reply(b"\x1f\x8b\x08\x00broken", "Content-Encoding: gzip"),
    "gzip cut off": lambda: reply(gzip.compress(WHOLE)[:-9], "Content-Encoding: gzip"),
    "no gzip": lambda: reply(WHOLE, "Content-Encoding: gzip"),
    "a gzip bomb": bomb,
    "deflate": lambda: reply(zlib.compress(WHOLE), "Content-Encoding: deflate"),
    "gzip twice": lambda: reply(gzip.compress(gzip.compress(WHOLE)), "Content-Encoding: gzip, gzip"),
    "a packing without a name": lambda: reply(WHOLE, "Content-Encoding: \\xff\\xfe"),
    "200,000 brackets": lambda: reply(b"[" * 200_000),
    "deep content": lambda: reply(b'{"choices":' + b"[" * 200_000 + b"]" * 200_000 + b"}"),
    "charset=zlib": lambda: reply(zlib.compress(WHOLE), "Content-Type: application/json; charset=zlib"),
    "UTF-16": lambda: reply(json.dumps(completion()).encode("utf-16")),
    "Latin-1": lambda: reply('{"model": "é"}'.encode("latin-1")),
    "no JSON": lambda: reply(b"<html>hello</html>"),
    "an empty body": lambda: reply(b""),
    "null": lambda: reply(b"null"),
    "NaN": lambda: reply(WHOLE.replace(b"20", b"NaN")),
    "a number of 5,000 digits": lambda: reply(WHOLE.replace(b"20", b"2" * 5000)),
    "no choices": lambda: told(choices=[]),
    "choices by name": lambda: told(choices={"0": {"message": {"content": "0.5"}}}),
    "a message that is a list": lambda: choice(message=["0.5"]),
    "content that is a list": lambda: choice(message={"content": [{"type": "text", "text": "0.5"}]}),
    "content that is a number": lambda: choice(message={"content": 0.5}),
    "a refusal that is a table": lambda: choice(message={"content": "", "refusal": {"because": 1}}),
    "an end that is a number": lambda: choice(finish_reason=7),
    "10**30 tokens": lambda: told(usage={"prompt_tokens": 10**30}),
    "fewer tokens than none": lambda: told(usage={"prompt_tokens": 2, "completion_tokens": -1}),
    "a model that is no Unicode": lambda: told(model="tiny-\ud83d"),
    "a model that is a table": lambda: told(model={"name": "tiny"}),
    "a model with controls": lambda: told(model="tiny\x1b[2J\x07"),
    "a model of a megabyte": lambda: told(model="t" * 2**20),
    "a key in the model": lambda: told(model=KEY),
    "a key in escapes": lambda: reply(WHOLE.replace(b"tiny-1", "".join(f"\\u{ord(c):04x}" for c in KEY).encode())),
    "a key in a further field": lambda: told(headers={"Authorization": f"Bearer {KEY}"}),
    "a key in a filtered error": lambda: reply(
        json.dumps({"error": {"message": KEY, "code": "content_filter"}}).encode(), status="400 Bad"
    ),
    "bytes for ever": lambda: forever(ENDLESS, b"1\r\n \r\n"),
    "headers for ever": lambda: forever(b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n"),
    "100 Continue for ever": lambda: forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a body that is shorter than said": lambda: b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + WHOLE,
    "9 MB": lambda: reply(b" " * (9 << 20) + WHOLE),
    "no HTTP": lambda: b"SSH-2.0-OpenSSH_9.6\r\n",
    "a length that is no number": lambda: b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n" + WHOLE,
    "a redirect to itself": lambda: reply(b"", "Location: /v1/chat/completions", status="302 Found"),
    "status 999": lambda: reply(WHOLE, status="999 X"),
    "silence": lambda: forever(b"", b""),
}

LOGPROBS: dict[str, Callable[[], Sent]] = {
    "a logprob of 5000": lambda: tokens({"token": "A", "logprob": 5000}),
    "a logprob beyond all floats": lambda: reply(
        tokens({"token": "A", "logprob": -77}).partition(b"\r\n\r\n")[2].replace(b"-77", b"1e400")
    ),
    "a logprob that is a text": lambda: tokens({"token": "A", "logprob": "-0.1"}),
    "a logprob that is true": lambda: tokens({"token": "A", "logprob": True}),
    "a token that is a number": lambda: tokens({"token": 7, "logprob": -0.1}),
    "tokens that are texts": lambda: tokens("A", "B"),
    "certain twice": lambda: tokens({"token": "A", "logprob": 0}, {"token": "B", "logprob": 0}),
    "logprobs that are a text": lambda: choice(logprobs="none"),
    "tokens by name": lambda: choice(logprobs={"content": {"0": 1}}),
    "100,000 tokens": lambda: tokens(*[{"token": "A", "logprob": -50}] * 100_000),
}


@contextmanager
def serving(answer: Callable[[], Sent]) -> Iterator[str]:
    """Serve the same to every request until the block ends; the base URL."""
    ready, over = threading.Event(), asyncio.Event()
    found: list[Any] = []
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with closing(writer), suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            await reader.readexactly(int(head.partition("content-length: ")[2].partition("\r\n")[0]))
            sent = answer()
            if isinstance(sent, bytes):
                writer.write(sent)
                await writer.drain()
                return
            for piece in sent:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.3)

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        found.extend([asyncio.get_running_loop(), server.sockets[0].getsockname()[1]])
        ready.set()
        await over.wait()
        server.close()
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0.01)

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield f"http://127.0.0.1:{found[1]}/v1"
    finally:
        found[0].call_soon_threadsafe(over.set)
        thread.join()


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return part_of(open_corpus("en-black-white"), range(3))


@pytest.fixture
def ask(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Sent], str], str]:
    """Score a corpus by a server that sends what it is given; what is said of it."""
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.005)
    monkeypatch.setattr(wire, "ATTEMPTS", 2)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv(wire.KEY, KEY)
    (tmp_path / "mine.toml").write_text(NUMBERS)
    (tmp_path / "labels.toml").write_text(LETTERS)

    def run(answer: Callable[[], Sent], prompts: str) -> str:
        with serving(answer) as url, Store(tmp_path / "answers.db") as store:
            endpoint = Endpoint(base_url=url, prompts=str(tmp_path / prompts), timeout=TIMEOUT)
            with pytest.raises(SystemFailed) as failed:
                score_corpus(open_system("openai:tiny", SystemOptions(endpoint=endpoint)), corpus, store)
        return str(failed.value)

    return run


def check_stored(folder: Path) -> None:
    with sqlite3.connect(folder / "answers.db") as base:
        assert base.execute("SELECT count(*) FROM answers").fetchone() == (0,)
    assert not any(KEY.encode() in path.read_bytes() for path in folder.iterdir())


@pytest.mark.parametrize("what", REPLIES)
def test_an_odd_reply_is_a_failure_with_its_cause(what: str, ask: Any, tmp_path: Path) -> None:
    start = time.monotonic()
    message = ask(REPLIES[what], "mine.toml")
    assert time.monotonic() - start < 2 * TIMEOUT + 8
    assert "/chat/completions" in message
    assert KEY not in message
    assert message.isprintable()
    check_stored(tmp_path)


# The test's own server may still hold a socket on which nobody listens any more.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("what", LOGPROBS)
def test_odd_probabilities_are_a_failure_with_their_cause(what: str, ask: Any, tmp_path: Path) -> None:
    message = ask(LOGPROBS[what], "labels.toml")
    assert "/chat/completions" in message
    check_stored(tmp_path)


def test_a_deadline_holds_for_a_byte_every_third_of_a_second(ask: Any) -> None:
    start = time.monotonic()
    assert ask(REPLIES["bytes for ever"], "mine.toml").endswith("at last with: no whole answer within 1 s.")
    assert time.monotonic() - start < 2 * TIMEOUT + 5


def test_a_bomb_takes_no_memory(ask: Any) -> None:
    bomb()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "which unpacks to more than 8 MB" in ask(bomb, "mine.toml")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB


def test_a_key_in_a_reply_is_said_without_it(ask: Any) -> None:
    assert "answered with the key in OPENAI_API_KEY in its reply, which was not kept" in ask(
        REPLIES["a key in escapes"], "mine.toml"
    )


def test_the_cause_names_the_field_and_the_value(ask: Any) -> None:
    message = ask(REPLIES["10**30 tokens"], "mine.toml")
    assert "in which usage.prompt_tokens is 1000000000000000000000000000000; expected a number from 0 to" in message


@pytest.mark.parametrize("wait", ["nan", "-5", "0", "soon", "Thu, 99 Zzz 99999 99:99:99 GMT", "1" * 400])
def test_an_odd_wait_is_not_obeyed(wait: str, ask: Any) -> None:
    start = time.monotonic()
    message = ask(lambda: reply(b"{}", f"Retry-After: {wait}", status="429 Busy"), "mine.toml")
    assert "/chat/completions" in message
    assert time.monotonic() - start < 5
