"""The page under load: 100 uploads at once, one of them hostile. ``python benchmarks/page_load.py [UPLOADS]``.

Each kind of hostile upload is first sent alone, then the one that takes longest beside honest ones. Times are those
of a visitor: from the first byte of the upload to the result. On so many cores as there are, 99 honest uploads also
wait for each other; what a hostile one costs is the ratio to the same crowd without it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator

import httpx

from eec_datasets.corpora import table

CONFIG = "en-black-white"
IDS = table(CONFIG).column("id").to_pylist()
MOST = 19 * 2**20
SYSTEMS = 240


def honest(seed: int) -> bytes:
    numbers = random.Random(seed)
    return "\n".join(["id,score", *(f"{row},{numbers.random():.4f}" for row in IDS)]).encode()


def of_systems(value: Callable[[int], str], times: int = 1) -> bytes:
    """Write scores of many systems."""
    head = "id," + ",".join(f"s{n}" for n in range(SYSTEMS))
    return "\n".join([head, *(row + value(n) * SYSTEMS for n, row in enumerate(IDS) for _ in range(times))]).encode()


HOSTILE: dict[str, Callable[[], bytes]] = {
    "60,000 columns": lambda: b"id," + b",".join(b"s%d" % n for n in range(60_000)) + b"\nx\n",
    "60,000 columns of two names": lambda: b"id," + b"a,b," * 30_000 + b"c\nx\n",
    "2,500,000 columns": lambda: (b"id," + b",".join(b"%x" % n for n in range(2_500_000)))[:MOST],
    "one name of 19 MB": lambda: b"id," + b"x" * MOST,
    "an open quote": lambda: b'id,score\n"' + b"x\n" * (MOST // 2),
    "rows of other lengths": lambda: b"id,score\n" + b"a,b,c\n" * (MOST // 6),
    "unknown ids": lambda: b"id,score\n" + b"".join(b"%d,1\n" % n for n in range(MOST // 10)),
    "one id again and again": lambda: b"id,score\n" + b"t01/angry/ebony,1\n" * (MOST // 18),
    "every row twice, 240 systems": lambda: of_systems(lambda _: ",1", times=2),
    "240 systems that differ": lambda: of_systems(lambda n: f",.{n % 10}"),
}


@contextlib.contextmanager
def page() -> Iterator[str]:
    """Serve the page as a user does."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "eec_datasets", "app", "--no-browser", "--port", str(port)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait()


@contextlib.asynccontextmanager
async def visitor(address: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=address, timeout=900, limits=httpx.Limits(max_connections=None)) as client:
        yield client


async def measure(client: httpx.AsyncClient, button: int, content: bytes) -> tuple[float, bool]:
    """Upload scores and wait for the answer: seconds, and whether it is a result."""
    start = time.perf_counter()
    (path,) = (await client.post("/gradio_api/upload", files={"files": ("scores.csv", content)})).json()
    file = {"path": path, "meta": {"_type": "gradio.FileData"}}
    session = random.randbytes(8).hex()
    joined = {"data": [CONFIG, [file], 0, 1, "en", None], "fn_index": button, "session_hash": session}
    (await client.post("/gradio_api/queue/join", json=joined)).raise_for_status()
    async with client.stream("GET", "/gradio_api/queue/data", params={"session_hash": session}) as stream:
        async for line in stream.aiter_lines():
            if not line:
                continue
            said = json.loads(line.removeprefix("data: "))
            if said.get("msg") == "process_completed":
                return time.perf_counter() - start, "eec-result" in str(said["output"]["data"][1])
    raise RuntimeError("no answer")


async def button_of(client: httpx.AsyncClient) -> int:
    """Find what the button Measure calls."""
    config = (await client.get("/config")).json()
    (button,) = [part["id"] for part in config["components"] if part["props"].get("elem_id") == "eec-measure"]
    (found,) = [
        each["id"] for each in config["dependencies"] if [button, "click"] in each["targets"] and each["backend_fn"]
    ]
    return int(found)


async def crowd(client: httpx.AsyncClient, button: int, uploads: list[bytes]) -> list[float]:
    answers = await asyncio.gather(*(measure(client, button, content) for content in uploads))
    assert all(good for _, good in answers[1:]), "an honest upload was refused"
    return sorted(seconds for seconds, _ in answers[1:])


def said(times: list[float]) -> str:
    return f"median {statistics.median(times):.2f} s, longest {times[-1]:.2f} s"


async def main(uploads: int) -> None:
    with page() as address:
        async with visitor(address) as client:
            button = await button_of(client)
            # The first ones start the processes.
            await crowd(client, button, [HOSTILE["unknown ids"](), *(honest(seed) for seed in range(6))])
            alone = sorted([(await measure(client, button, honest(seed)))[0] for seed in range(10)])
            print(f"{os.cpu_count()} cores. An honest upload alone: {said(alone)}")
            slow = {name: await measure(client, button, content()) for name, content in HOSTILE.items()}
            for name, (seconds, good) in slow.items():
                outcome = "measured" if good else "refused"
                print(f"  hostile alone: {seconds:6.2f} s {outcome}: {name}")
            worst = max(slow, key=lambda name: slow[name][0])
            beside = await crowd(client, button, [HOSTILE[worst](), honest(1)])
            print(f"An honest upload beside {worst}: {said(beside)}, {beside[-1] / alone[5]:.1f} × alone")
            all_honest = await crowd(client, button, [honest(seed) for seed in range(uploads)])
            print(f"{uploads} honest uploads at once: {said(all_honest)}")
            with_one = await crowd(client, button, [HOSTILE[worst](), *(honest(seed) for seed in range(1, uploads))])
            ratio = max(one / other for one, other in zip(with_one, all_honest, strict=True))
            print(f"{uploads} at once, one hostile ({worst}): {said(with_one)}; at most {ratio:.2f} × without it")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    asyncio.run(main(count))
