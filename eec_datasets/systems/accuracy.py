"""Accuracy of systems in a language, measured on texts with labels."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from eec_datasets.systems.base import Accuracy

FILE: Final = Path(__file__).with_name("accuracy.json")


@functools.cache
def accuracy_of(system: str) -> Mapping[str, Accuracy]:
    """Return the accuracy of a system by language; ``python -m studies.english`` measures it. Empty where unknown."""
    known = json.loads(FILE.read_text(encoding="utf-8"))
    return {each["language"]: Accuracy(**each) for each in known.get(system, [])}
