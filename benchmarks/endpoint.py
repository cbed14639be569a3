"""A language model behind an address, 50 ms an answer, 16 at a time: the time of all answers against the ideal.

``python -m benchmarks.endpoint`` serves a model on a loopback port in a process of its own, scores a corpus of the
papers with an empty store, once more with a full one, and then a corpus that shares sentences with it. The processor
time is that of the process that asks; on a busy machine it tells more than the other.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from eec_datasets.systems.base import Endpoint, SystemOptions
from eec_datasets.systems.corpus import open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import score_corpus
from eec_datasets.systems.store import Store

sys.path.append(str(Path(__file__).parents[1] / "tests" / "shared"))
from serving_models import Model, chance, said

DELAY: Final = 0.05
AT_ONCE: Final = 16
CONFIGS: Final = {
    "empty store": "en-black-white",
    "full store": "en-black-white",
    "shared sentences": "en-anglo-latino",
}
PROMPT: Final = '[[prompts]]\nname = "one"\ntext = "Rate from 0 to 1: {text}"\n'


def serve(address: multiprocessing.Queue[str]) -> None:
    """Serve until the process ends."""
    model = Model()
    model.delay = lambda _: DELAY
    model.answer = lambda body, _: said(f"{chance(body['messages'][-1]['content']):.3f}")

    async def run() -> None:
        server = await asyncio.start_server(model.serve, "127.0.0.1", 0)
        address.put(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        await server.serve_forever()

    asyncio.run(run())


def main() -> None:
    """Print the seconds of all runs and the ratio to the ideal."""
    address: multiprocessing.Queue[str] = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(address,), daemon=True)
    server.start()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder, "answers.db")) as store:
        prompts = Path(folder, "one.toml")
        prompts.write_text(PROMPT)
        options = SystemOptions(endpoint=Endpoint(base_url=address.get(), prompts=str(prompts), concurrency=AT_ONCE))
        for what, config in CONFIGS.items():
            corpus = open_corpus(config)
            start, busy = time.perf_counter(), time.process_time()
            cost = score_corpus(open_system("openai:tiny", options), corpus, store).cost
            seconds, busy = time.perf_counter() - start, time.process_time() - busy
            told = f"{cost.new:,} answers asked for in {cost.calls:,} calls, {cost.stored:,} stored, {seconds:.2f} s"
            if cost.calls:
                ideal = cost.calls * DELAY / AT_ONCE
                told += f", {seconds / ideal:.2f} of the ideal {ideal:.1f} s"
            print(f"{what}: {told}; processor {busy:.1f} s", flush=True)
    server.terminate()


if __name__ == "__main__":
    main()
