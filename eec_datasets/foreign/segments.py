"""A template text of ours in pieces: plain text and slots, in order."""

from __future__ import annotations

import re
from functools import lru_cache

from eec_datasets.locale.templating import Agreement, parts_of

Segment = str | tuple[str, str] | Agreement
SLOT = re.compile(r"\{\{.*?\}\}")


@lru_cache(maxsize=1024)
def segments(text: str) -> tuple[Segment, ...]:
    """Plain text, (``person``, role), (``noun``, name) and words, in order.

    >>> segments("I saw {{ person.obj }} in the market")
    ('I saw ', ('person', 'obj'), ' in the market')
    """
    slots = [part for part in parts_of(text) if not isinstance(part, str)]
    plain = SLOT.split(text)
    between: list[Segment] = [plain[0]]
    for slot, after in zip(slots, plain[1:], strict=True):
        between += [slot, after]
    return tuple(piece for piece in between if piece != "")
