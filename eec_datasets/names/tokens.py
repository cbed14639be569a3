"""Tokens of a name, their number and the first, by a tokeniser of the user's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import InputError, Unavailable
from eec_datasets.given_file import open_given

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SPACES = "\u2581\u0120 "
"""Characters that tokenisers write for the space before a word."""


def token_counter(tokenizer: str) -> Callable[[str], int]:
    """Return what counts the tokens of a name in a sentence: with a space before it, without begin and end marks.

    Parameters
    ----------
    tokenizer : a file ``tokenizer.json``, a folder that holds one, or the name of a model on the Hub that has one.

    Raises
    ------
    Unavailable : the package tokenizers is not installed; InputError : the tokeniser cannot be loaded.
    """
    loaded = _load(tokenizer)
    return lambda name: len(_encoded(loaded, name).ids)


def first_token_of(tokenizer: str) -> Callable[[str], str]:
    """Return what gives the first token of a name in a sentence, without the space before it; see `token_counter`."""
    loaded = _load(tokenizer)

    def first(name: str) -> str:
        tokens = (token.lstrip(SPACES) for token in _encoded(loaded, name).tokens)
        return next((token for token in tokens if token), name)

    return first


def _encoded(loaded: Tokenizer, name: str) -> Any:
    return loaded.encode(f" {name}", add_special_tokens=False)


def _load(tokenizer: str) -> Tokenizer:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        message = "tokens are counted with the package tokenizers, which is not installed"
        raise Unavailable(f"{message}. Install it with: pip install tokenizers") from error
    path = Path(tokenizer)
    if path.is_dir():
        path = path / "tokenizer.json"
        tokenizer = str(path)
    is_file = path.exists()
    if is_file:
        _check_file(tokenizer)
    try:
        return Tokenizer.from_file(tokenizer) if is_file else Tokenizer.from_pretrained(tokenizer)
    except Exception as error:  # the library raises plain Exception for whatever it cannot load
        raise InputError(
            f"the tokeniser '{tokenizer}' cannot be loaded: {error}. Name a file tokenizer.json, a folder that holds "
            "one, or a model on the Hub that has one"
        ) from error


def _check_file(tokenizer: str) -> None:
    """Refuse a file that the library would wait for, or read without end."""
    try:
        with open_given(tokenizer):
            pass
    except OSError as error:
        raise InputError(
            f"the tokeniser '{tokenizer}' cannot be read: {error.strerror}. Name a file tokenizer.json"
        ) from error
