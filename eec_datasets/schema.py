"""The row schema: the contract between the corpora and every metric that reads them."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

BEFORE_AXES = (
    "id", "text", "language", "template", "emotion", "word", "word_form", "speaker",
    "person", "person_form", "person_type", "gender", "race",
)  # fmt: skip
AFTER_AXES = ("item", "pair", "family", "ending", "word_status")
SAID = ("said", "placebo")
"""The columns of configs whose levels are said by a word, at the end."""
SPLIT = "test"

MEANING = {
    "id": "stable, unique within the config, ASCII: item/person",
    "text": "the sentence",
    "language": "BCP 47 tag",
    "template": "t01 … t11 (the papers'), t12 … t63, t64 … t75 (decisions)",
    "emotion": "anger, fear, joy, sadness, or none for neutral templates",
    "word": "English id of the emotion word, or none",
    "word_form": "the emotion word as it stands in the sentence, or none",
    "speaker": "female, male, any (the sentence would be the same) or none (no gender of “me” in the template)",
    "person": "ASCII id of the English member, the same in all languages",
    "person_form": "the person's citation form",
    "person_type": "name, noun_phrase, pronoun, mention (a Black woman) or placebo (this tall woman)",
    "gender": "female, male, nonbinary, or neutral (Spanish: neutral-elle, neutral-epicene)",
    "race": "Black, white, Latino, Anglo, Arab, Asian, Spanish, or unmarked",
    "item": "template/word, and the speaker where both occur: sentences of one item differ only in the person",
    "pair": "what the sentence is compared with inside its item",
    "family": "first three letters of a name (no article), lower case, no diacritics; the meaning of a noun phrase",
    "ending": "last two letters of a name, lower case, without diacritics, or none",
    "word_status": "how the word relates to the published lists: paper, corrected, changed, added, or none",
    "said": "the word that says the group, in English (trans), or none; only where a word says the groups",
    "placebo": "the neutral word in place of one for a group, in English (tall), or none; only where a word says them",
}


SIGNAL = "race_signal"
"""A column that a corpus may have beside these: the probability of the race given the name, or none."""


def columns(axes: tuple[str, ...] = (), *, said: bool = False) -> tuple[str, ...]:
    """The columns of a config in order.

    Parameters
    ----------
    axes : its identity axes beyond gender and race.
    said : whether it has rows with neutral words in place of those for its groups.
    """
    return (*BEFORE_AXES, *axes, *AFTER_AXES, *(SAID if said else ()))


def axes_of(names: Iterable[str]) -> list[str]:
    """The identity axes among the columns of a corpus: gender, race, and those of its own."""
    return [name for name in names if name in ("gender", "race") or name not in (*columns(said=True), SIGNAL)]


def naming(corpus: str) -> dict[str, str]:
    """Return the metadata of a table by which results name it; also where pandas has read it from Parquet."""
    return {"config": corpus, "PANDAS_ATTRS": json.dumps({"config": corpus}, ensure_ascii=False)}


def content_hash(table: pa.Table) -> str:
    """SHA-256 over the values of a table of strings, independent of how they are stored.

    For each column in order: its name, a zero byte, the ``int32`` little-endian value offsets, the UTF-8 bytes.
    Parquet bytes differ between writers; this does not.
    """
    import pyarrow as pa

    digest = hashlib.sha256()
    for name in table.column_names:
        array = table[name].cast(pa.string()).combine_chunks()
        if array.offset or array.null_count:
            array = pa.array(array.to_pylist(), pa.string())
        _, offsets, values = array.buffers()
        digest.update(name.encode() + b"\0")
        digest.update(memoryview(offsets)[: 4 * (len(array) + 1)] if offsets else bytes(4))
        end = int.from_bytes(memoryview(offsets)[4 * len(array) : 4 * len(array) + 4], "little") if offsets else 0
        digest.update(memoryview(values)[:end] if values else b"")
    return digest.hexdigest()
