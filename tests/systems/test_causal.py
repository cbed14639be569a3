"""hf-causal:MODEL, on a tiny GPT-2 with random weights made on the spot."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from tiny import causal_model

from eec_datasets.errors import SystemFailed, Unavailable
from eec_datasets.systems.base import Endpoint, Options
from eec_datasets.systems.causal import Local
from eec_datasets.systems.corpus import Corpus, open_corpus, part_of
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import Scored, score_corpus
from eec_datasets.systems.store import Store
from eec_datasets.systems.transformer import opened

LABELS = """
read = "labels"
labels = {12 = 1, 34 = 0, 5 = 0.25}
[[prompts]]
name = "system"
system = "Answer with a word."
text = "{text} Mood:"
[[prompts]]
name = "line"
text = "Mood of {text}"
"""
NUMBERS = """
range = [0, 9]
request = {max_tokens = 1}
[[prompts]]
name = "digit"
text = "From 0 to 9: {text} Mood: "
"""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return part_of(open_corpus("en-black-white"), range(0, 400, 8))


@pytest.fixture(scope="module")
def model(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    digits = [str(digit) for digit in range(10)]
    return causal_model(tmp_path_factory.mktemp("gpt"), list(corpus.columns["text"]), digits)


def score(model: Path, corpus: Corpus, store: Store, folder: Path, prompts: str, **options: object) -> Scored:
    """Score a corpus by prompts that are written to a file first."""
    file = folder / "mine.toml"
    file.write_text(prompts)
    asked = Options(endpoint=Endpoint(prompts=str(file)), **options)  # type: ignore[arg-type]
    return score_corpus(open_system(f"hf-causal:{model}", asked), corpus, store)


def one_by_one(local: Local, context: str, label: str) -> float:
    """The log-probability of a label from a plain pass over the whole text, without padding or a second text."""
    import torch

    ids = local.tokenizer.encode(context + label)
    start = len(local.tokenizer.encode(context))
    with torch.no_grad():
        logits = local.network(torch.tensor([ids])).logits[0].double()
    steps = logits.log_softmax(-1)
    return math.fsum(float(steps[place - 1, ids[place]]) for place in range(start, len(ids)))


@pytest.mark.parametrize("chat", [True, False])
def test_labels_have_the_probability_of_all_their_tokens_whatever_else_is_in_the_batch(
    model: Path, corpus: Corpus, store: Store, tmp_path: Path, chat: bool
) -> None:
    scored = score(model, corpus, store, tmp_path, LABELS, chat_template=chat)
    tokenizer, network, _ = opened("test", str(model), "cpu", "CausalLM")
    local = Local(tokenizer, network, chat)
    assert len(tokenizer.encode("12")) > 1
    texts = [corpus.columns["text"][row] for row in (0, 17, 49)]
    contexts = [f"[user] Mood of {text}\n[assistant]" if chat else f"Mood of {text}" for text in texts]
    found = local.logprobs(contexts, ["12", "34", "5"])
    for row, context, shares in zip((0, 17, 49), contexts, found, strict=True):
        expected = [one_by_one(local, context, ("" if chat else " ") + label) for label in ("12", "34", "5")]
        assert shares == pytest.approx(expected, abs=1e-5)
        a, b, c = map(math.exp, expected)
        assert scored.runs["line"][row] == pytest.approx((a + c / 4) / (a + b + c), abs=1e-6)
    assert scored.mass is not None
    assert 0 < scored.mass < 1
    text = texts[-1]
    system = f"[system] Answer with a word.\n[user] {text} Mood:\n[assistant]"
    assert local.context(open_prompts(tmp_path)[0], text) == (
        system if chat else f"Answer with a word.\n\n{text} Mood:"
    )


def open_prompts(folder: Path) -> list:
    from eec_datasets.systems.prompts import read

    return list(read(folder / "mine.toml").prompts)


def test_a_label_of_small_probability_counts_beside_smaller_ones() -> None:
    from eec_datasets.systems.reading import expectation

    score, mass = expectation([("a", -2000.0), ("b", -2000.0 - math.log(3))], {"a": 1, "b": 0})
    assert (score, mass) == (pytest.approx(0.75), 0.0)


def test_numbers_are_read_from_the_likeliest_answer(model: Path, corpus: Corpus, store: Store, tmp_path: Path) -> None:
    scored = score(model, corpus, store, tmp_path, NUMBERS)
    assert set(scored.states) <= {"unreadable"}
    found = [value for value in scored.scores if not math.isnan(value)]
    assert len(found) > len(corpus.ids) / 2
    assert {round(9 * value, 9) % 1 for value in found} == {0.0}
    assert len(set(found)) > 1


def test_a_rerun_asks_nothing_nor_do_other_values_of_the_labels_and_the_template_is_part_of_the_system(
    model: Path, corpus: Corpus, store: Store, tmp_path: Path
) -> None:
    first = score(model, corpus, store, tmp_path, LABELS)
    texts = len(set(corpus.columns["text"]))
    assert first.cost.asked == 2 * texts
    again = score(model, corpus, store, tmp_path, LABELS.replace("12 = 1", "12 = 0.5"), batch_size=3)
    assert (again.cost.asked, again.cost.stored) == (0, 2 * texts)
    assert again.scores != first.scores
    plain = score(model, corpus, store, tmp_path, LABELS, chat_template=False)
    assert plain.cost.asked == 2 * texts
    assert plain.scores != pytest.approx(first.scores, abs=1e-3)
    names = {each.name for each in store.stored()}
    assert names == {f"hf-causal:{model}[chat]", f"hf-causal:{model}[plain]"}
    assert score(model, corpus, store, tmp_path, LABELS, batch_size=1).scores == pytest.approx(first.scores, abs=1e-5)


def test_a_model_without_a_chat_template_is_asked_plainly_and_says_so(corpus: Corpus, tmp_path: Path) -> None:
    model = causal_model(tmp_path / "plain", list(corpus.columns["text"]), [], chat=None)
    assert open_system(f"hf-causal:{model}").name == f"hf-causal:{model}[sentiment plain]"
    assert open_system(f"hf-causal:{model}").fingerprint.endswith(" plain sentiment")


def test_what_only_a_server_heeds_and_prompts_longer_than_the_model_are_named(
    model: Path, corpus: Corpus, store: Store, tmp_path: Path
) -> None:
    with pytest.raises(Unavailable, match=r"prompt 'digit': the request field 'top_p' is for servers .* Leave it out"):
        score(model, corpus, store, tmp_path, NUMBERS.replace("max_tokens = 1", "top_p = 0.5"))
    long = NUMBERS.replace("From 0 to 9", "From 0 to 9 " + "or so " * 200)
    with pytest.raises(SystemFailed, match=r"a prompt of \d+ tokens .* more than the 256 that the model can read"):
        score(model, corpus, store, tmp_path, long)


def test_a_folder_without_a_language_model_is_named(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra hf (torch)")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "no-such-type"}))
    with pytest.raises(Unavailable, match=rf"^system hf-causal:{re.escape(str(tmp_path))}: .* causal language model"):
        open_system(f"hf-causal:{tmp_path}")
