"""The fingerprint of the rows."""

import hashlib
import struct

import numpy as np
import pyarrow as pa
import pytest
from verdict_cases import DATA, corpus, scores

from eec_bias import OptionError, compare, content_hash, measure
from eec_bias.result.signature import Signature, check_version, part_of

COLUMNS = {"id": ["a", "bc", ""], "text": ["él", "سارة", "x"]}
WHOLE = pa.table(COLUMNS)
PLAIN = "eec_bias|v:0.1.0|data:?|axes:race+gender|ref:Anglo+male|test:names+templates|strata:emotion|adj:holm|edge:none"


def by_hand(columns: dict[str, list[str]]) -> str:
    digest = hashlib.sha256()
    for name, values in columns.items():
        encoded = [value.encode() for value in values]
        ends = [sum(map(len, encoded[:i])) for i in range(len(encoded) + 1)]
        digest.update(name.encode() + b"\0" + struct.pack(f"<{len(ends)}i", *ends) + b"".join(encoded))
    return digest.hexdigest()


def test_the_hash_follows_its_written_definition() -> None:
    empty = pa.table({"id": pa.array([], pa.string())})
    assert (content_hash(WHOLE), content_hash(empty)) == (by_hand(COLUMNS), by_hand({"id": []}))
    more = WHOLE.append_column("input_ids", [[[1, 2]] * 3]).append_column("score", [[0.5] * 3])
    assert content_hash(more) == content_hash(WHOLE)
    others = (
        {"text": COLUMNS["text"], "id": COLUMNS["id"]}, {"id": ["ab", "c", ""], "text": COLUMNS["text"]},
        {"ID": COLUMNS["id"], "text": COLUMNS["text"]},
    )  # fmt: skip
    assert len({content_hash(pa.table(columns)) for columns in (COLUMNS, *others)}) == 4


def test_the_hash_does_not_depend_on_storage() -> None:
    stored = {
        "chunked": pa.concat_tables([WHOLE.slice(0, 1), WHOLE.slice(1)]),
        "sliced": pa.concat_tables([pa.table({"id": ["zz"], "text": ["y"]}), WHOLE]).combine_chunks().slice(1),
        "large": WHOLE.cast(pa.schema([("id", pa.large_string()), ("text", pa.large_string())])),
        "dictionary": pa.table({name: pa.array(values).dictionary_encode() for name, values in COLUMNS.items()}),
    }
    found = {storage: content_hash(table) for storage, table in stored.items()}
    assert found == dict.fromkeys(stored, by_hand(COLUMNS))


def data_part(table: object, **options: object) -> str:
    return str(measure(scores(DATA), table, **options).signature).split("|")[2]


def test_a_table_that_says_which_corpus_it_is_names_itself() -> None:
    table = pa.Table.from_pandas(corpus(), preserve_index=False)
    known = table.replace_schema_metadata({"config": "en-anglo-latino", "version": "1.2.0"})
    assert data_part(known) == f"data:en-anglo-latino@1.2.0#{content_hash(table)[:8]}"
    assert data_part(known.replace_schema_metadata({"config": "mine"})) == f"data:mine#{content_hash(table)[:8]}"
    assert (data_part(table), data_part(known, data_name="other@2")) == ("data:?", "data:other@2")
    mixed = data_part(known.take(np.random.default_rng(1).permutation(len(known))))
    assert (mixed.startswith("data:en-anglo-latino@1.2.0#"), mixed != data_part(known)) == (True, True)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"axes": ("race", "gender")}, PLAIN),
        # Simple effects join the family of terms.
        ({"simple": True}, f"{PLAIN}|terms:simple"),
        ({"reference": {"race": None}, "score_range": (-1, 1), "adjust": "bh"},
         f"{PLAIN.replace('Anglo', 'mean').replace('holm', 'bh')}|range:-1..1"),
        # Ranges and margins that differ late.
        ({"score_range": (0, 1234567), "margin": 0.12345678}, f"{PLAIN}|range:0..1234567|margin:0.12345678"),
    ],
)  # fmt: skip
def test_the_signature_names_everything_the_numbers_depend_on(options, expected) -> None:
    result = measure(scores(DATA), DATA, **options)
    assert str(result.signature) == f"{expected}|plan:{result.plan.short}"


def test_the_plan_of_a_signature_is_one_of_these_questions_and_no_others() -> None:
    y = scores(DATA)
    plans = [
        measure(y, DATA, **options).plan.short
        for options in ({}, {"simple": True}, {"margin": 0.1}, {"confidence": 0.9}, {"reference": None})
    ]
    assert len(set(plans)) == len(plans)
    assert [plan.partition("q/")[0] for plan in plans] == ["4", "8", "4", "4", "10"]
    assert measure(1 - y, DATA).plan.short == plans[0]


def test_another_plan_takes_the_place_of_the_one_in_a_signature() -> None:
    signature = measure(scores(DATA), DATA, data_name="mine|new").signature
    for each in (signature, Signature("?", (), (), "", "", "", text=str(signature))):
        changed = each.with_part("plan", "9q/00000000")
        assert part_of(changed, "plan") == "9q/00000000"
        assert part_of(changed, "data") == "mine|new"


def test_a_signature_names_no_strata_where_items_are_no_sample() -> None:
    assert "|test:names|adj:holm|" in str(Signature("?", ("race",), ("white",), "names", "holm", "none"))


def test_a_bar_in_the_name_of_the_data_ends_no_part_of_a_signature() -> None:
    assert part_of(measure(scores(DATA), DATA, data_name="mine|new").signature, "data") == "mine|new"


def test_a_bar_in_the_name_of_a_system_ends_no_part_of_a_signature() -> None:
    found = compare(scores(DATA), scores(DATA, 1), DATA, names=("net|a", "net|b"))
    assert {verdict.compared for verdict in found.verdicts} == {"net|a-net|b"}


@pytest.mark.parametrize("wanted", [None, "0.1.0", "v0.1.0"])
def test_the_version_that_is_installed_may_be_asked_for(wanted: str | None) -> None:
    check_version(wanted)


def test_a_version_that_is_not_installed_is_refused() -> None:
    with pytest.raises(OptionError, match=r"^version 0\.2\.0 of eec_bias was asked for, and 0\.1\.0 is installed in "):
        check_version("v0.2.0")
