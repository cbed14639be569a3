"""How many tokens a name has, by a tokeniser of the user's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from eec_datasets.errors import Unavailable
from eec_datasets.given_file import open_given
from eec_datasets.names.candidates import NameSetError


def token_counter(tokenizer: str) -> Callable[[str], int]:
    """What counts the tokens of a name within a sentence: with a space before it, without marks of begin and end.

    Parameters
    ----------
    tokenizer : a file ``tokenizer.json``, or the name of a model on the Hub that has one.

    Raises
    ------
    Unavailable : the package tokenizers is not installed; NameSetError : the tokeniser cannot be loaded.
    """
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        message = "tokens are counted with the package tokenizers, which is not installed"
        raise Unavailable(f"{message}. Install it with: pip install tokenizers") from error
    if Path(tokenizer).exists():
        _check_file(tokenizer)
    try:
        loaded = Tokenizer.from_file(tokenizer) if Path(tokenizer).exists() else Tokenizer.from_pretrained(tokenizer)
    except Exception as error:  # the library raises plain Exception for whatever it cannot load
        raise NameSetError(
            f"the tokeniser '{tokenizer}' cannot be loaded: {error}. Name a file tokenizer.json, or a model on the Hub "
            "that has one"
        ) from error
    return lambda name: len(loaded.encode(f" {name}", add_special_tokens=False).ids)


def _check_file(tokenizer: str) -> None:
    """Refuse a file that the library would wait for, or read without end."""
    try:
        with open_given(tokenizer):
            pass
    except OSError as error:
        raise NameSetError(
            f"the tokeniser '{tokenizer}' cannot be read: {error.strerror}. Name a file tokenizer.json"
        ) from error
