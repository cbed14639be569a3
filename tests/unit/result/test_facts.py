"""The facts of a result, its signature, and the checksum of the rows."""

import hashlib
import json
import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from verdict_cases import DATA, corpus, scores

from eec_bias import Facts, OptionError, Result, ResultError, compare, content_hash, measure
from eec_bias.data_name import DataName
from eec_bias.result.facts import check_version

COLUMNS = {"id": ["a", "bc", ""], "text": ["él", "سارة", "x"]}
WHOLE = pa.table(COLUMNS)
TABLE = pa.Table.from_pandas(corpus(), preserve_index=False)
PLAIN = "eec_bias|v:0.1.0|data:?|axes:race+gender|ref:Anglo+male|test:names+templates|strata:emotion"
REACTION = "reaction:joy|anger"


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


def test_a_table_that_says_which_corpus_it_is_names_itself() -> None:
    known = TABLE.replace_schema_metadata({"config": "en-anglo-latino", "version": "1.2.0"})
    whole = measure(scores(DATA), known).facts.data
    assert whole == DataName("en-anglo-latino", "1.2.0", content_hash(TABLE)[:8])
    assert measure(scores(DATA), TABLE).facts.data == DataName()
    mixed = measure(scores(DATA), known.take(np.random.default_rng(1).permutation(len(known)))).facts.data
    assert (mixed.title, mixed.digest != whole.digest) == ("en-anglo-latino@1.2.0", True)


@pytest.mark.parametrize("name", ["my data|confidence:0.5", "x|compare:a-b", "a@b#c|range:none|plan:9q/00000000"])
def test_the_name_of_the_data_is_a_name_and_changes_nothing_else(name: str) -> None:
    plain = measure(scores(DATA), TABLE)
    result = measure(scores(DATA), DataName(name).onto(TABLE))
    for read in (result, Result.from_dict(json.loads(json.dumps(result.to_dict())))):
        assert read.facts.data.name == name
        assert (read.terms, read.findings, read.confidence) == (result.terms, result.findings, 0.95)
        assert replace(read.facts, data=DataName()) == plain.facts
        assert "first system" not in str(read)


def test_the_names_of_compared_systems_are_names() -> None:
    found = compare(scores(DATA), scores(DATA, 1), DATA, names=("net|a", "net|range:none"))
    assert found.facts.compared == ("net|a", "net|range:none")
    assert found.facts.score_range == (0.0, 1.0)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"axes": ("race", "gender")}, f"{PLAIN}|{REACTION}"),
        (
            {"reference": {"race": None}, "score_range": (-1, 1)},
            f"{PLAIN.replace('Anglo', 'mean')}|range:-1..1|{REACTION}",
        ),
        # Ranges and margins that differ late.
        (
            {"score_range": (0, 1234567), "margin": 0.12345678},
            f"{PLAIN}|range:0..1234567|{REACTION}|margin:0.12345678",
        ),
    ],
)
def test_the_signature_names_everything_the_numbers_depend_on(options: dict[str, Any], expected: str) -> None:
    result = measure(scores(DATA), DATA, **options)
    assert result.signature == str(result.facts) == f"{expected}|plan:{result.plan.short}"


def test_the_plan_of_the_facts_is_one_of_these_questions_and_no_others() -> None:
    y = scores(DATA)
    options: tuple[dict[str, Any], ...] = ({}, {"margin": 0.1}, {"confidence": 0.9}, {"reference": None})
    plans = [measure(y, DATA, **some).facts.plan for some in options]
    assert len(set(plans)) == len(plans)
    assert measure(1 - y, DATA).facts.plan == plans[0]


def test_facts_are_saved_and_read_as_they_are() -> None:
    facts = measure(scores(DATA), TABLE, reference={"race": None}, score_range=None, confidence=0.9).facts
    assert Facts.from_dict(json.loads(json.dumps(facts.to_dict()))) == facts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"confidence": 2}, r"^facts\.confidence is 2; expected a number between 0 and 1"),
        ({"score_range": [1, 0]}, r"^facts\.score_range is \[1, 0\]; expected two numbers, the lower first"),
        ({"compared": ["a"]}, r"^facts\.compared has 1 texts; expected two"),
        ({"families": 1}, r"^facts\.families is 1; expected true or false"),
        ({"plan": None}, r"^facts\.plan is missing or null; expected a text"),
        ({"data": "en"}, r"^facts\.data is 'en'; expected an object"),
        ({"colour": "red"}, r"^facts has the unknown key 'colour'; expected data, "),
    ],
)
def test_facts_that_no_result_has_are_refused_by_name(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ResultError, match=message):
        Facts.from_dict(Facts().to_dict() | change)


def test_facts_that_lack_one_are_refused_by_its_name() -> None:
    saved = Facts().to_dict()
    del saved["strata"]
    with pytest.raises(ResultError, match=r"^facts has no 'strata'; expected data, axes"):
        Facts.from_dict(saved)


@pytest.mark.parametrize("wanted", [None, "0.1.0", "v0.1.0"])
def test_the_version_that_is_installed_may_be_asked_for(wanted: str | None) -> None:
    check_version(wanted)


def test_a_version_that_is_not_installed_is_refused() -> None:
    with pytest.raises(OptionError, match=r"^version 0\.2\.0 of eec_bias was asked for, and 0\.1\.0 is installed in "):
        check_version("v0.2.0")
