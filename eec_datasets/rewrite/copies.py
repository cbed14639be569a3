"""Which texts are copies of one that came before."""

from __future__ import annotations

import hashlib


class Firsts:
    """Ids of what came first, by a fingerprint of 16 bytes, so that no text is held."""

    def __init__(self) -> None:
        self._ids: dict[bytes, str] = {}

    def id_of(self, text: str, id: str) -> str:
        """The id under which the same text came first: this id where it is new."""
        return self._ids.setdefault(hashlib.blake2b(text.encode(), digest_size=16).digest(), id)
