"""Checks of the values in a saved result; each returns the value, or says in an error where it is."""

import math
import reprlib
from collections.abc import Mapping
from typing import Any

from eec_bias.errors import ResultError

MOST_WHOLE = 2**63 - 1


def short(value: Any) -> str:
    """A value as a message shows it; of a long one, both ends."""
    return reprlib.repr(value)


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def check_number(value: Any, path: str) -> float | None:
    """Return a finite number, or null."""
    if value is None or is_number(value):
        return value  # type: ignore[no-any-return]
    raise ResultError(f"{path} is {short(value)}; expected a finite number or null")


def check_whole(value: Any, path: str) -> int | None:
    """Return a whole number that is not negative, or null."""
    if value is None:
        return None
    if is_number(value) and value == int(value) and 0 <= value <= MOST_WHOLE:
        return int(value)
    raise ResultError(f"{path} is {short(value)}; expected a whole number of 0 or more, or null")


def check_flag(value: Any, path: str) -> bool | None:
    """Return true, false, or null."""
    if value is None or isinstance(value, bool):
        return value
    raise ResultError(f"{path} is {short(value)}; expected true, false or null")


def check_text(value: Any, path: str) -> str | None:
    """Return a text, or null."""
    if value is None or isinstance(value, str):
        return value
    raise ResultError(f"{path} is {short(value)}; expected a text or null")


def check_plain(value: Any, path: str) -> Any:
    """Return texts, finite numbers, truth values, nulls, and lists and objects of these."""
    if value is None or isinstance(value, str | bool) or is_number(value):
        return value
    if isinstance(value, list | tuple):
        return [check_plain(each, f"{path}[{i}]") for i, each in enumerate(value)]
    if isinstance(value, Mapping):
        return {str(key): check_plain(each, f"{path}.{key}") for key, each in value.items()}
    raise ResultError(f"{path} is {short(value)}; expected a text, a finite number, a list or an object")


def check_list(value: Any, path: str) -> list[Any]:
    """Return a list."""
    if isinstance(value, list | tuple):
        return list(value)
    raise ResultError(f"{path} is {short(value)}; expected a list")


def check_texts(value: Any, path: str) -> list[str]:
    """Return a list of texts."""
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return list(value)
    raise ResultError(f"{path} is {short(value)}; expected a list of texts")


def check_object(value: Any, path: str) -> Mapping[str, Any]:
    """Return an object."""
    if isinstance(value, Mapping):
        return value
    raise ResultError(f"{path} is {short(value)}; expected an object")
