"""A server that speaks as endpoints of language models do, with faults: on a loopback port, in a thread."""

import asyncio
import hashlib
import json
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

Reply = tuple[int, dict[str, Any], dict[str, str]]


def chance(text: str, salt: str = "") -> float:
    """A number from 0 to 1 that a text always has."""
    return int(hashlib.sha256((salt + text).encode()).hexdigest()[:8], 16) / 16**8


def said(content: str, **more: Any) -> Reply:
    """Return a server's answer."""
    message = {"role": "assistant", "content": content, **more.pop("message", {})}
    usage = {"prompt_tokens": 20, "completion_tokens": 2}
    return 200, {"model": "tiny-1", "choices": [{"message": message, **more}], "usage": usage}, {}


def error(status: int, message: str, code: str = "", **headers: str) -> Reply:
    """An error as servers tell it."""
    return status, {"error": {"message": message, "code": code}}, headers


def tokens(**probabilities: float) -> Reply:
    """The first token's alternatives; ``_`` stands for a space."""
    top = [{"token": token.replace("_", " "), "logprob": math.log(p)} for token, p in probabilities.items()]
    return said(str(top[0]["token"]), logprobs={"content": [{"top_logprobs": top}]})


class Model:
    """A served model: what it answers, and what it was asked.

    Attributes
    ----------
    answer
        Takes the body of a request and how often the very same came before; None closes the connection.
    delay
        Seconds until it answers, by how often the same came before.
    copies
        Seconds after which each reply is sent once more on its connection.
    identity
        Id of a reply, by that of its request; replies have none where it is empty.
    asked
        Bodies of requests as text, with how often each came.
    keys
        Values of the Authorization header.
    """

    def __init__(self) -> None:
        self.answer: Callable[[dict[str, Any], int], Reply | None] = lambda _, __: said("0.5")
        self.delay: Callable[[int], float] = lambda _: 0.0
        self.copies: tuple[float, ...] = ()
        self.identity: Callable[[str], str] = lambda _: ""
        self.asked: Counter[str] = Counter()
        self.keys: set[str] = set()
        self.url = ""
        self.running = self.most = 0

    @property
    def calls(self) -> int:
        return self.asked.total()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        with closing(writer), suppress(ConnectionError, asyncio.IncompleteReadError):
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
                headers = {name.lower(): value for name, value in headers.items()}
                body = (await reader.readexactly(int(headers["content-length"]))).decode()
                self.keys.add(headers.get("authorization", ""))
                self.asked[body] += 1
                self.running += 1
                self.most = max(self.most, self.running)
                await asyncio.sleep(self.delay(self.asked[body] - 1))
                self.running -= 1
                if (reply := self.answer(json.loads(body), self.asked[body] - 1)) is None:
                    break
                status, content, more = reply
                if identity := self.identity(headers.get("x-request-id", "")):
                    content = {"id": identity, **content}
                raw = json.dumps(content).encode()
                told = {"Content-Type": "application/json", "Content-Length": len(raw), **more}
                lines = [f"HTTP/1.1 {status} X", *(f"{name.replace('_', '-')}: {told[name]}" for name in told), "\r\n"]
                writer.write("\r\n".join(lines).encode() + raw)
                for delay in self.copies:
                    if delay:
                        await writer.drain()
                        await asyncio.sleep(delay)
                    writer.write("\r\n".join(lines).encode() + raw)
                await writer.drain()


@contextmanager
def served() -> Iterator[Model]:
    """Serve a model until the block ends."""
    model, ready, over = Model(), threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def run() -> None:
        loops.append(asyncio.get_running_loop())
        server = await asyncio.start_server(model.serve, "127.0.0.1", 0)
        model.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await over.wait()
        server.close()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield model
    finally:
        loops[0].call_soon_threadsafe(over.set)
        thread.join()
