"""What is said of scores, labels and designs: the sentences of ``sentences.toml``, with what was given."""

import functools
import tomllib
from pathlib import Path
from typing import Any

from eec_bias.errors import BiasError, DesignError, LabelsError, OptionError, ScoresError

KINDS = {kind.__name__: kind for kind in (ScoresError, LabelsError, DesignError, OptionError)}


def refusal(key: str, **given: Any) -> BiasError:
    """Return the error that says why something cannot be used."""
    kind, sentence = _sentences()[key]
    error = KINDS[kind](sentence.format(**given))
    if isinstance(error, ScoresError):
        error.row = given.get("row")
    return error


@functools.cache
def _sentences() -> dict[str, tuple[str, str]]:
    tables = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
    return {key: (name, sentence) for name, table in tables.items() for key, sentence in table.items()}
