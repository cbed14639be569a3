"""A frozen transformer with a small network on top, as in Câmara et al. (2022), section 4.1.

Stated there: two feed-forward layers on the last layer's embedding of the [CLS] token (or its equivalent), the
transformer not fine-tuned. Not stated; chosen as in the released script: 128 hidden units with ReLU, at most 64 tokens,
mean squared error, AdamW at .001, batches of 8, 10 epochs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from tqdm import tqdm

from studies.semeval_files import TAGS, Tweets
from studies.semeval_models import Learner, Predict, StudyUnavailable, clean

HIDDEN = 128
TOKENS = 64
RATE = 0.001
BATCH = 8

PUBLISHED = {
    "bert-base-uncased": "BERT+",
    "dccuchile/bert-base-spanish-wwm-uncased": "BERT+",
    "asafaya/bert-base-arabic": "BERT+",
    "bert-base-multilingual-cased": "mBERT",
    "xlm-roberta-base": "XLM-RoBERTa",
}
"""Models of the article by their ids on the Hub, and their names in its tables."""


def frozen(spec: str, epochs: int, seed: int) -> Learner:
    """Return a learner from ``MODEL`` or ``LANGUAGE=MODEL``, with MODEL a folder or an id of the Hub.

    Parameters
    ----------
    spec
        As typed.
    epochs
        Passes over the tweets.
    seed
        Of the weights and of the order of the tweets.

    Raises
    ------
    StudyUnavailable
        transformers, torch or the model are missing.
    """
    language, _, rest = spec.partition("=")
    if language in TAGS and rest:
        languages: tuple[str, ...] = (language,)
        model = rest
    else:
        languages = tuple(TAGS)
        model = spec
    embed = _Embedder(model)

    def fit(_: str, tweets: Tweets) -> Predict:
        network = train_network(embed(tweets.texts), tweets.scores, epochs, seed)
        return lambda texts: network(embed(texts))

    short = model.removeprefix("google-bert/").removeprefix("FacebookAI/")
    folder_name = model.rstrip("/").rpartition("/")[2]
    about = f"{model}, frozen, {HIDDEN} hidden units, AdamW {RATE:g}, batches of {BATCH}, {epochs} epochs, seed {seed}"
    return Learner(PUBLISHED.get(short, folder_name), about, fit, languages)


class _Embedder:
    """A frozen model that gives texts as the first token of its last layer; each list of texts is embedded once."""

    def __init__(self, model: str) -> None:
        try:
            import torch
            from transformers import AutoModel, AutoTokenizer
        except ImportError as error:
            raise StudyUnavailable(
                f"--transformer {model}: transformers and torch are not installed: pip install 'eec-datasets[hf]'"
            ) from error
        try:
            self.tokenizer = AutoTokenizer.from_pretrained(model)
            self.network = AutoModel.from_pretrained(model).eval()
        except (OSError, ValueError) as error:
            first = str(error).strip().splitlines()[0]
            raise StudyUnavailable(
                f"--transformer {model}: the model cannot be loaded: {first} Expected a folder or a Hub id with a "
                "tokenizer and a model."
            ) from error
        self.torch, self.model = torch, model
        self.known: dict[int, tuple[Sequence[str], Any]] = {}

    def __call__(self, texts: Sequence[str]) -> Any:
        # The corpora are scored once per emotion; the list itself is kept, so that its id stays its own.
        if id(texts) not in self.known:
            self.known[id(texts)] = (texts, self._embed([clean(text) for text in texts]))
        return self.known[id(texts)][1]

    def _embed(self, texts: Sequence[str]) -> Any:
        found = []
        bar = tqdm(range(0, len(texts), 64), desc=f"{self.model} reads", unit="batch", leave=False)
        with self.torch.no_grad():
            for start in bar:
                batch = list(texts[start : start + 64])
                inputs = self.tokenizer(batch, padding=True, truncation=True, max_length=TOKENS, return_tensors="pt")
                found.append(self.network(**inputs).last_hidden_state[:, 0])
        return self.torch.cat(found).float()


def train_network(inputs: Any, scores: Sequence[float], epochs: int, seed: int) -> Callable[[Any], Any]:
    """Train the two layers on embeddings; the generator of torch stays where it was.

    Parameters
    ----------
    inputs : (n, d) tensor
        Embeddings.
    scores
        What is to be predicted.
    epochs, seed
        As in `frozen`.

    Returns
    -------
    callable
        From (m, d) embeddings to an (m,) array.
    """
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = torch.nn.Sequential(
            torch.nn.Linear(inputs.shape[1], HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, 1)
        )
        optimizer = torch.optim.AdamW(network.parameters(), lr=RATE)
        wanted = torch.tensor(scores, dtype=torch.float32)
        for _ in tqdm(range(epochs), desc="network learns", unit="epoch", leave=False):
            for batch in torch.randperm(len(wanted)).split(BATCH):
                optimizer.zero_grad()
                torch.nn.functional.mse_loss(network(inputs[batch]).squeeze(1), wanted[batch]).backward()
                optimizer.step()

    def predict(embedded: Any) -> Any:
        with torch.no_grad():
            return np.asarray(network(embedded).squeeze(1).double().tolist())

    return predict
