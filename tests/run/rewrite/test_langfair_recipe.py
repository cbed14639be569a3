"""The recipe of docs/natural-text.md for langfair's users, with a stand-in of what langfair does with the prompts."""

import asyncio
import re

import pytest
from places import ROOT

import eec_datasets

PAGE = (ROOT / "docs" / "natural-text.md").read_text(encoding="utf-8")
TEXTS = ["She lost her keys.", "My brother says he is late.", "He told her.", "It was fine."]


class Generator:
    """Asks a model both prompts of every pair and returns what langfair's CounterfactualGenerator returns."""

    async def generate_responses(self, prompts: dict[str, list[str]]) -> dict[str, dict[str, list[str]]]:
        sides = {f"{group}_response": [text.upper() for text in prompts[f"{group}_prompt"]] for group in GROUPS}
        return {"data": {f"{group}_prompt": prompts[f"{group}_prompt"] for group in GROUPS} | sides}


GROUPS = ("male", "female")


@pytest.fixture
def prompts():
    (block,) = (
        block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "def langfair_prompts" in block
    )
    names = {"eec_datasets": eec_datasets}
    exec(block.split("\n\nprompts = ")[0], names)
    return names["langfair_prompts"](TEXTS)


def test_the_recipe_gives_the_prompts_that_langfair_asks(prompts):
    assert prompts["male_prompt"] == ["He lost his keys.", "My brother says he is late."]
    assert prompts["female_prompt"] == ["She lost her keys.", "My sister says she is late."]
    assert prompts["original_prompt"] == TEXTS[:2]
    assert prompts["attribute_words"] == [["He", "his"], ["brother", "he"]]
    assert prompts["left_out"] == [("He told her.", "both-genders"), ("It was fine.", "no-anchor")]


def test_a_model_is_asked_both_prompts_of_every_pair(prompts):
    data = asyncio.run(Generator().generate_responses(prompts))["data"]
    assert data["female_response"] == ["SHE LOST HER KEYS.", "MY SISTER SAYS SHE IS LATE."]
    assert len({len(texts) for texts in data.values()}) == 1
