"""The fingerprint of the rows."""

import hashlib
import struct

import numpy as np
import pyarrow as pa
import pytest
from verdict_cases import DATA, corpus, scores

from eec_bias import OptionError, compare, content_hash, measure
from eec_bias.result.signature import Signature, check_version, part_of


def by_hand(columns: dict[str, list[str]]) -> str:
    digest = hashlib.sha256()
    for name, values in columns.items():
        encoded = [value.encode() for value in values]
        ends = [sum(map(len, encoded[:i])) for i in range(len(encoded) + 1)]
        digest.update(name.encode() + b"\0" + struct.pack(f"<{len(ends)}i", *ends) + b"".join(encoded))
    return digest.hexdigest()


COLUMNS = {"id": ["a", "bc", ""], "text": ["él", "سارة", "x"]}


def test_the_hash_is_that_of_the_written_definition_of_the_columns_of_texts() -> None:
    table, empty = pa.table(COLUMNS), pa.table({"id": pa.array([], pa.string())})
    assert (content_hash(table), content_hash(empty)) == (by_hand(COLUMNS), by_hand({"id": []}))
    more = table.append_column("input_ids", [[[1, 2]] * len(table)]).append_column("score", [[0.5] * len(table)])
    assert content_hash(more) == content_hash(table)
    others = (
        {"text": COLUMNS["text"], "id": COLUMNS["id"]}, {"id": ["ab", "c", ""], "text": COLUMNS["text"]},
        {"ID": COLUMNS["id"], "text": COLUMNS["text"]},
    )  # fmt: skip
    assert len({content_hash(pa.table(columns)) for columns in (COLUMNS, *others)}) == 4


WHOLE = pa.table(COLUMNS)
STORED = {
    "chunked": pa.concat_tables([WHOLE.slice(0, 1), WHOLE.slice(1)]),
    "sliced": pa.concat_tables([pa.table({"id": ["zz"], "text": ["y"]}), WHOLE]).combine_chunks().slice(1),
    "large": WHOLE.cast(pa.schema([("id", pa.large_string()), ("text", pa.large_string())])),
    "dictionary": pa.table({name: pa.array(values).dictionary_encode() for name, values in COLUMNS.items()}),
}


@pytest.mark.parametrize("storage", STORED)
def test_the_hash_does_not_depend_on_storage(storage: str) -> None:
    assert content_hash(STORED[storage]) == by_hand(COLUMNS)


def data_part(table: object, **options: object) -> str:
    return str(measure(scores(DATA), table, **options).signature).split("|")[2]


def test_a_table_that_says_which_corpus_it_is_names_itself() -> None:
    table = pa.Table.from_pandas(corpus(), preserve_index=False)
    known = table.replace_schema_metadata({"config": "en-anglo-latino", "version": "1.2.0"})
    assert data_part(known) == f"data:en-anglo-latino@1.2.0#{content_hash(table)[:8]}"
    assert data_part(known.replace_schema_metadata({"config": "mine"})) == f"data:mine#{content_hash(table)[:8]}"
    assert data_part(table) == "data:?"
    assert data_part(known, data_name="other@2") == "data:other@2"
    mixed = known.take(np.random.default_rng(1).permutation(len(known)))
    assert data_part(mixed).startswith("data:en-anglo-latino@1.2.0#")
    assert data_part(mixed) != data_part(known)


def test_the_signature_names_everything_the_numbers_depend_on() -> None:
    y = scores(DATA)
    assert str(measure(y, DATA, axes=("race", "gender")).signature) == (
        "eec_bias|v:0.1.0|data:?|axes:race+gender|ref:Anglo+male|test:names+templates|strata:emotion|adj:holm|edge:none"
    )
    other = measure(2 * y - 1, DATA, reference={"race": None}, score_range=(-1, 1), adjust="bh")
    assert str(other.signature) == (
        "eec_bias|v:0.1.0|data:?|axes:race+gender|ref:mean+male|test:names+templates|strata:emotion|adj:bh|edge:none|range:-1..1"
    )


def test_a_signature_names_strata_only_where_items_are_a_sample() -> None:
    published = Signature("?", ("race",), ("white",), "names", "holm", "none")
    assert "|test:names|adj:holm|" in str(published)


def test_ranges_and_margins_that_differ_late_have_other_signatures() -> None:
    wide = measure(scores(DATA), DATA, score_range=(0, 1234567), margin=0.12345678)
    assert "|range:0..1234567|margin:0.12345678" in str(wide.signature)


def test_simple_effects_are_in_the_signature_as_they_join_the_family_of_terms() -> None:
    plain, simple = (measure(scores(DATA), DATA, simple=simple) for simple in (False, True))
    assert simple.terms[0]["p_adjusted"] != plain.terms[0]["p_adjusted"]
    assert str(simple.signature) == f"{plain.signature}|terms:simple"


def test_a_bar_in_a_name_is_no_end_of_a_part_of_the_signature() -> None:
    assert part_of(measure(scores(DATA), DATA, data_name="mine|new").signature, "data") == "mine|new"
    found = compare(scores(DATA), scores(DATA, 1), DATA, names=("net|a", "net|b"))
    assert {verdict.compared for verdict in found.verdicts} == {"net|a-net|b"}


def test_the_version_that_was_asked_for_is_accepted_and_another_refused() -> None:
    for wanted in (None, "0.1.0", "v0.1.0"):
        check_version(wanted)
    with pytest.raises(OptionError, match=r"^version 0\.2\.0 of eec_bias was asked for, and 0\.1\.0 is installed in "):
        check_version("v0.2.0")
