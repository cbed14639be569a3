"""Choosing the members of a set: who is refused, how cells are matched, what is written."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from name_tables import HEADER, edit, table_rows, write
from snapshots import Snapshot

from eec_datasets.errors import EecError
from eec_datasets.names import matching
from eec_datasets.names.candidates import cells_in, load_table, refusals, rule_of, word_lists
from eec_datasets.names.choosing import choose
from eec_datasets.names.showing import balance, to_dict
from eec_datasets.names.tokens import token_counter
from eec_datasets.names.writing import add_source, write_set


def test_assignment_finds_the_least_total_distance() -> None:
    rng = np.random.default_rng(3)
    one, other = rng.normal(size=(4, 2)), rng.normal(size=(6, 2))
    scale = np.sqrt((one.var(axis=0, ddof=1) + other.var(axis=0, ddof=1)) / 2)
    best = min(permutations(range(6), 4), key=lambda order: (((one - other[list(order)]) / scale) ** 2).sum())
    assert matching.assigned([one, other], 4) == [[0, 1, 2, 3], sorted(best)]


def test_exchange_brings_cells_within_the_bound_and_leaves_what_stays() -> None:
    rng = np.random.default_rng(5)
    cells = [rng.normal(shift, 1, size=(60, 3)) for shift in (0, 0.3, 0, 0.2)]
    start = [list(range(20)) for _ in cells]
    stays = np.where(np.arange(60) < 5, np.inf, 0.0)
    found = matching.exchanged(cells, start, 0.1, [stays] * 4)
    assert (matching.spread([cell[rows] for cell, rows in zip(cells, found, strict=True)]) <= 0.1).all()
    assert [len(set(rows)) for rows in found] == [20] * 4
    assert all(set(range(5)) <= set(rows) for rows in found)
    assert sum(len(set(rows) - set(range(20))) for rows in found) < 20


def test_spread_is_the_largest_difference_of_means_in_pooled_standard_deviations() -> None:
    assert matching.spread([np.array([[1.0], [3.0]]), np.array([[2.0], [4.0]])]) == pytest.approx([1 / np.sqrt(2)])
    assert matching.spread([np.array([[1.0], [1.0]]), np.array([[2.0], [2.0]])]) == [np.inf]


def test_a_matched_set_takes_the_names_that_are_alike_and_another_seed_settles_ties_otherwise(root: Path) -> None:
    chosen = choose("en", "two", root=root)
    assert [len(rows) for rows in chosen.cells.values()] == [4] * 4
    assert all(one.apart <= 0.15 for one in balance(chosen.rule, chosen.cells))
    assert {float(row["ssa.count"]) for rows in chosen.cells.values() for row in rows} == {300, 310, 320, 330}
    again = choose("en", "two", root=root)
    assert [row["name"] for row in again.joined] == [row["name"] for row in chosen.joined]


def test_what_is_written_is_the_column_of_sets_alone_and_stays_when_built_again(root: Path) -> None:
    before = (root / "en/names.csv").read_text(encoding="utf-8").splitlines()
    write_set(load_table("en", root), choose("en", "two", root=root))
    after = (root / "en/names.csv").read_text(encoding="utf-8").splitlines()
    assert [line.replace(",two,", ",,") for line in after] == before
    assert sum(",two," in line for line in after) == 16
    again = choose("en", "two", root=root)
    assert not again.left
    assert not again.joined


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("Angry,B,female,,500,1990,1,,0.8,,,", "is a word of the corpora"),
        ("Sam,B,female,,500,1990,0.6,,0.8,,,", "US births (SSA): only 60% of bearers are female"),
        ("Leroy,B,male,,500,1990,1,0.31,0.8,,,", "Tzioumis 2018: only 31% of bearers are B"),
        ("Nobody,B,male,,500,1990,1,,,,,", "no source says of which group it is"),
        ("Bartholomews,B,male,,500,1990,1,,0.8,,,", "has 12 letters"),
        ("Rivers,B,male,,500,1990,1,,0.8,,a surname,", "a surname"),
    ],
)
def test_a_name_is_refused_with_the_reason(root: Path, row: str, reason: str) -> None:
    write(root, [*table_rows(), row])
    table = load_table("en", root)
    found = refusals(table, rule_of(table, "two"), word_lists(table))
    assert found == {34: [reason]}


def test_a_name_in_two_groups_is_in_neither(root: Path) -> None:
    write(root, [*table_rows(), "Kim,B,female,,500,1990,1,,0.8,,,", "Kim,W,female,,500,1990,1,,0.8,,,"])
    table = load_table("en", root)
    found = refusals(table, rule_of(table, "two"), word_lists(table))
    assert found == {34: ["stands as W female too"], 35: ["stands as B female too"]}


def test_a_source_with_perceived_traits_is_taken_in_whatever_the_order_of_its_columns(root: Path) -> None:
    described = '[name_sources.eh23]\ntitle = "Elder & Hayes 2023"\npublisher = "a study"\nlicence = "CC0"\n'
    described += 'evidence = "people"\n'
    fields = 'fields = { share = "share", class = "perceived class", age = "perceived age" }\n\n[[papers]]'
    text = (root / "corpus.toml").read_text(encoding="utf-8")
    (root / "corpus.toml").write_text(text.replace("[[papers]]", described + fields, 1), encoding="utf-8")
    source = root / "eh23.csv"
    source.write_text("age,gender,name,share,class,group\n31,female,Bfanx,0.7,2.5,B\n40,male,Newman,0.9,3,W\n")
    assert add_source(load_table("en", root), "eh23", source) == (1, 1)
    table = load_table("en", root)
    rows = {row["name"]: row for row in table.file.rows}
    assert [rows["Bfanx"][f"eh23.{field}"] for field in ("share", "class", "age")] == ["0.7", "2.5", "31"]
    assert (rows["Newman"]["group"], rows["Newman"]["eh23.share"]) == ("W", "0.9")
    assert set(table.evidence(rows["Bfanx"])) == {"people", "modelled"}
    assert len(rows) == 33


def test_a_tokeniser_of_the_users_is_counted_in_the_balance(root: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"x": 0}, unk_token="x"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    made.save(str(root / "letters.json"))
    count = token_counter(str(root / "letters.json"))
    assert count("Ana") == len(" Ana")
    write_set(load_table("en", root), choose("en", "two", root=root))
    table = load_table("en", root)
    rule = rule_of(table, "two")
    told = to_dict(table, rule, cells_in(table, rule), count)
    assert [one["feature"] for one in told["balance"]] == ["log ssa.count", "letters", "your tokens"]
    assert told["balance"][2]["apart_sd"] == told["balance"][1]["apart_sd"]


def test_what_cannot_be_done_is_refused_with_place_and_mend(root: Path, snapshot: Snapshot) -> None:
    pytest.importorskip("tokenizers", reason="needs the extra hf (tokenizers): a tokeniser is among what is refused")

    def csv(text: str) -> Path:
        path = root / "source.csv"
        path.write_text(text, encoding="utf-8")
        return path

    def with_rule(old: str, new: str) -> None:
        edit(root, "en/names.toml", (old, new))
        try:
            choose("en", "two", root=root)
        finally:
            edit(root, "en/names.toml", (new, old))

    def with_rows(*rows: str, header: str = HEADER) -> None:
        write(root, [*table_rows(), *rows], header)
        try:
            choose("en", "two", root=root)
        finally:
            write(root, table_rows())

    def add(text: str, key: str = "t18") -> None:
        add_source(load_table("en", root), key, csv(text))

    calls = {
        "more names than there are": lambda: with_rule("size = 4", "size = 9"),
        "a set that is none": lambda: choose("en", "three", root=root),
        "a feature that no source has": lambda: with_rule('"letters"]', '"ssa.rank"]'),
        "a list of words that is not there": lambda: with_rule('"corpus"]', '"mine.txt"]'),
        "two ways to choose": lambda: with_rule("within = 0.15", 'typical = "ssa.count"'),
        "a key that is unknown": lambda: with_rule("size = 4", "size = 4\nsiez = 4"),
        "a number that is none": lambda: with_rows("Kim,B,female,,many,1990,1,,0.8,,,"),
        "a share beyond 1": lambda: with_rows("Kim,B,female,,500,1990,1,,80,,,"),
        "a column of no source": lambda: with_rows(header=HEADER.replace("t18.share", "t19.share")),
        "a name twice": lambda: with_rows("Kim,B,female,,500,1990,1,,0.8,,,", "Kim,B,female,,600,1990,1,,0.8,,,"),
        "a name in two groups of a set": lambda: with_rows(
            "Kim,B,female,two,500,1990,1,,0.8,,,", "Kim,W,female,two,500,1990,1,,0.8,,,"
        ),
        "a set without a rule": lambda: with_rows("Kim,B,female,four,500,1990,1,,0.8,,,"),
        "a group that the set does not have": lambda: with_rows("Kim,Z,female,two,500,1990,1,,0.8,,,"),
        "a source that is not described": lambda: add("name,gender,share\nKim,female,1\n", "eh23"),
        "a column that the source does not have": lambda: add("share,name,gender,colour\n0.5,Bfanx,female,red\n"),
        "no column of names": lambda: add("share,first,gender\n0.5,Bfanx,female\n"),
        "another group": lambda: add("name,group,gender,share\nBfanx,W,female,0.5\n"),
        "a name twice in a source": lambda: add("name,gender,share\nBfanx,female,0.5\nBfanx,female,0.6\n"),
        "another value": lambda: add("name,gender,share\nBfana,female,0.5\n"),
        "a tokeniser that is none": lambda: token_counter(str(csv("no tokeniser"))),
    }
    snapshot.check_refusals("name-sets-refused", calls, EecError, {f"{root}/": ""})
