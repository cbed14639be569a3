"""Fixtures of the tests on natural text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from anchor_keys import key_rows, said_of, wrong_rows

__all__ = ["key_rows", "said_of", "wrong_rows"]


@pytest.fixture
def perturbed() -> Callable[[str, str, str, str], tuple[str, str] | str]:
    """``perturbed("es", text, "María", "Adán")`` → both sentences, or the reason."""
    return said_of
