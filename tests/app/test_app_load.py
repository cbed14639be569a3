"""The page with many visitors, one of them hostile; the whole of it is ``benchmarks/page_load.py``."""

from __future__ import annotations

import asyncio
import importlib.util
from typing import Any

import pytest
from serving import ROOT

pytestmark = pytest.mark.skipif(importlib.util.find_spec("gradio") is None, reason="needs the extra app (gradio)")

VISITORS = 8


@pytest.fixture(scope="module")
def load() -> Any:
    spec = importlib.util.spec_from_file_location("page_load", ROOT / "benchmarks" / "page_load.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_a_hostile_upload_holds_nobody_up(address: str, load: Any) -> None:
    hostile = load.HOSTILE["unknown ids"]()

    async def visit() -> tuple[float, list[float], list[float], list[float]]:
        async with load.visitor(address.rstrip("/")) as client:
            button = await load.button_of(client)
            honest = [load.honest(seed) for seed in range(VISITORS)]
            await load.crowd(client, button, honest)  # the processes are there
            alone = max([(await load.measure(client, button, content))[0] for content in honest[:3]])
            beside = await load.crowd(client, button, [hostile, honest[0]])
            without = await load.crowd(client, button, honest)
            with_it = await load.crowd(client, button, [hostile, *honest[1:]])
            return alone, beside, without, with_it

    alone, beside, without, with_it = asyncio.run(visit())
    assert beside[-1] < 3 * alone
    assert with_it[-1] < 3 * without[-1]
