"""Sets of names: how members are chosen, checked and written, in a table made for it."""

import re
import shlex
import shutil
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from languages import few
from texts import change

from eec_datasets.errors import EecError
from eec_datasets.names import evenness
from eec_datasets.names.candidates import cells_in, load_table, refusals, rule_of, word_lists
from eec_datasets.names.checking import faults
from eec_datasets.names.choosing import choose
from eec_datasets.names.summary import balance
from eec_datasets.names.tokens import token_counter
from eec_datasets.names.writing import Addition, add_source, write_set
from scripts import names as script

HEADER = "name,group,gender,sets,ssa.count,ssa.year,ssa.gender,t18.share,l23.share,flags,refused,note"


def table_rows() -> list[str]:
    """Eight names of each cell; the first four of every cell are borne alike, the last four of W ten times as often."""
    ends = ("", "a", "ab", "abe", "x", "xa", "xab", "xabe")
    rows = []
    for group, gender in (("B", "female"), ("B", "male"), ("W", "female"), ("W", "male")):
        for index, end in enumerate(ends):
            often = (3000 if group == "W" else 30) if index > 3 else 300
            share = "0.9" if index % 2 else ""
            rows.append(f"{group}{gender[0]}an{end},{group},{gender},,{often + 10 * index},1990,1,{share},0.8,,,")
    return rows


def write(root: Path, rows: list[str], header: str = HEADER) -> None:
    """Write the table."""
    (root / "en/names.csv").write_text("\n".join([header, *rows, ""]), encoding="utf-8")


@pytest.fixture
def run(capsys):
    """Run the maintainers' script, and return its exit code and what it prints."""

    def call(*arguments: object) -> tuple[int, str]:
        return script.main([str(argument) for argument in arguments]), capsys.readouterr().out

    return call


@pytest.fixture
def root(tmp_path):
    """A folder of locales that holds English with few templates, and a table of 32 names."""
    few(tmp_path, "en")
    shutil.copy(Path(__file__).parent / "names.toml", tmp_path / "en")
    write(tmp_path, table_rows())
    return tmp_path


def test_spread_is_the_largest_difference_in_pooled_deviations():
    assert evenness.spread([np.array([[1.0], [3.0]]), np.array([[2.0], [4.0]])]) == pytest.approx([1 / np.sqrt(2)])
    assert evenness.spread([np.array([[1.0], [1.0]]), np.array([[2.0], [2.0]])]) == [np.inf]


def test_cells_with_less_than_two_names_have_no_evenness(root, run):
    assert np.isnan(evenness.spread([np.empty((0, 2)), np.ones((3, 2))])).all()
    assert np.isnan(evenness.spread([np.zeros((1, 2)), np.ones((3, 2))])).all()
    code, shown = run("show", "en", "two", "--locales", root)
    assert (code, "not comparable" in shown) == (0, True)


def test_building_a_matched_set_writes_the_column_of_sets_alone(root):
    chosen, again = (choose("en", "two", root=root) for _ in range(2))
    assert [len(rows) for rows in chosen.cells.values()] == [4] * 4
    assert all(one.apart <= 0.15 for one in balance(chosen.rule, chosen.cells))
    assert {float(row["ssa.count"]) for rows in chosen.cells.values() for row in rows} == {300, 310, 320, 330}
    assert [row["name"] for row in again.joined] == [row["name"] for row in chosen.joined]
    before = (root / "en/names.csv").read_text(encoding="utf-8").splitlines()
    write_set(load_table("en", root), chosen)
    after = (root / "en/names.csv").read_text(encoding="utf-8").splitlines()
    assert [line.replace(",two,", ",,") for line in after] == before
    assert sum(",two," in line for line in after) == 16
    built_again = choose("en", "two", root=root)
    assert [*built_again.left, *built_again.joined] == []


def test_a_count_without_a_logarithm_is_as_one_that_is_not_known(root):
    write(root, [*table_rows(), "Kim,B,female,,0,1990,1,,0.8,,,"])
    assert "Kim" not in {row["name"] for row in choose("en", "two", root=root).joined}


def shrunk(root: Path, way: str) -> list[str]:
    """The names that leave where a set of all names that is chosen in this way is to have four of each cell."""
    write(root, [row.replace("male,,", "male,two,") for row in table_rows()])
    rules = root / "en/names.toml"
    rules.write_text(rules.read_text(encoding="utf-8").split("match = ")[0] + way, encoding="utf-8")
    return [f"{row['name']}: {'; '.join(reasons)}" for row, reasons in choose("en", "two", root=root).left]


def test_a_typical_set_that_shrinks_keeps_the_names_that_are_most_typical(root):
    left = shrunk(root, 'typical = "ssa.count"\nkeep = ["wfan"]\n')
    reason = "not among the 4 of the cell with the largest ssa.count that keep the bounds of the rule"
    women = [line for line in left if line.startswith("Wf")]
    assert women == [f"Wf{end}: {reason}" for end in ("ana", "anab", "anabe", "anx")]


def test_a_matched_set_that_shrinks_keeps_the_names_that_its_rule_keeps(root):
    kept = ["bfan", "bfanab", "wmanx", "wmanxabe"]
    left = shrunk(root, f'match = ["letters"]\nwithin = 9\nkeep = {kept}\n')
    assert len(left) == 16
    assert not {line.split(":")[0].lower() for line in left} & set(kept)


def test_a_member_without_a_number_of_the_rule_has_to_leave(root):
    write_set(load_table("en", root), choose("en", "two", root=root))
    change(root / "en/names.csv", ("Bfan,B,female,two,300,", "Bfan,B,female,two,,"))
    change(root / "en/names.toml", ("within = 0.15", "within = 9"))
    assert "'Bfan' is in two: has no log ssa.count" in [problem.what for problem in faults(load_table("en", root))]
    left = {row["name"]: reasons for row, reasons in choose("en", "two", root=root).left}
    assert left["Bfan"] == ["has no log ssa.count"]


def test_a_name_that_no_source_describes_is_counted_as_such(root, run):
    write_set(load_table("en", root), choose("en", "two", root=root))
    rows = re.sub(r"Bfan,B,female,two,.*", "Bfan,B,female,two,,,,,,,,", (root / "en/names.csv").read_text("utf-8"))
    (root / "en/names.csv").write_text(rows, encoding="utf-8")
    (_, shown), (_, checked) = (run(command, "en", "--locales", root) for command in ("show", "check"))
    attested = sum(map(int, re.findall(r"(?m)^(?:Black|white) \w+ +\d+ +\d+ +4 +(\d+)", shown)))
    assert f"{attested} of 16 names are attested" in shown
    assert f"{15 - attested} by a model alone, 1 by no source" in shown
    assert "not known to be even in log ssa.count" in checked
    assert "nan" not in checked


def test_a_set_of_the_people_of_another_is_held_to_them(root, run):
    write_set(load_table("en", root), choose("en", "two", root=root))
    rules = root / "en/names.toml"
    same = '[sets.same]\ngroups = { Black = "B", white = "W" }\nsize = 4\nlike = "en/two"\n'
    rules.write_text(rules.read_text(encoding="utf-8") + same, encoding="utf-8")
    write_set(load_table("en", root), choose("en", "same", root=root))
    assert faults(load_table("en", root), root) == []
    others = (("Bfan,B,female,two same,", "Bfan,B,female,two,"), ("Bfanx,B,female,,", "Bfanx,B,female,same,"))
    change(root / "en/names.csv", *others)
    code, checked = run("check", "en", "--locales", root)
    assert (code, checked.count("problem")) == (1, 1)
    assert "'Bfan' is in en/two, and not in same." in checked
    assert "'Bfanx' is in same, and not in en/two." in checked
    run(*shlex.split(re.search(r"python scripts/names\.py (build .*)", checked)[1]))
    assert faults(load_table("en", root), root) == []
    change(rules, ("size = 4\nlike", "size = 3\nlike"))
    assert {problem.fix for problem in faults(load_table("en", root), root)} == {"Write size = 4"}


def test_who_may_be_in_a_set_and_is_not_is_told_so(root, run):
    chosen = choose("en", "two", root=root)
    write_set(load_table("en", root), chosen)
    inside = {row["name"] for rows in chosen.cells.values() for row in rows}
    for name in ("Bfan", "Bfanx", "Wmana", "Wmanx"):
        _, shown = run("about", "en", name, "--locales", root)
        assert ("not in two: it may be, and others were chosen" in shown) == (name not in inside)


def test_a_list_that_says_a_name_is_not_of_its_group_does_not_attest_it(root):
    rows = [f"{row},{'' if index else 0}" for index, row in enumerate(table_rows())]
    rows[1:1] = ["Bfanc,B,female,two,300,1990,1,,,,,,0"]
    write(root, rows, f"{HEADER},readers.listed")
    table = load_table("en", root)
    assert [table.evidence(row) for row in table.file.rows[:2]] == [["modelled"], []]
    (reasons,) = refusals(table, rule_of(table, "two"), {}).values()
    assert reasons == ["no source says of which group it is"]


@pytest.mark.parametrize(
    ("rows", "reasons"),
    [
        (["Angry,B,female,,500,1990,1,,0.8,,,"], ["is a word of the corpora"]),
        (["Sam,B,female,,500,1990,0.6,,0.8,,,"], ["US births (SSA): only 60% of bearers are female"]),
        (["Pat,B,female,,500,1990,0.8996,,0.8,,,"], ["US births (SSA): only 89.96% of bearers are female"]),
        (["Leroy,B,male,,500,1990,1,0.31,0.8,,,"], ["Tzioumis 2018: only 31% of bearers are B"]),
        (["Nobody,B,male,,500,1990,1,,,,,"], ["no source says of which group it is"]),
        (["Bartholomews,B,male,,500,1990,1,,0.8,,,"], ["has 12 letters"]),
        (["Rivers,B,male,,500,1990,1,,0.8,,a surname,"], ["a surname"]),
        (["Kim,B,female,,500,1990,1,,0.8,,,", "Kim,W,female,,500,1990,1,,0.8,,,"],
         ["stands as W female too", "stands as B female too"]),
        (["Zoë,B,female,,500,1990,1,,0.8,,,", "Zoe,B,female,,500,1990,1,,0.8,,,"],
         ["", "has the id of Zoë, 'zoe'"]),
    ],
)  # fmt: skip
def test_a_name_is_refused_with_the_reason(root, rows, reasons):
    write(root, [*table_rows(), *rows])
    table = load_table("en", root)
    found = refusals(table, rule_of(table, "two"), word_lists(table))
    assert found == {34 + place: [reason] for place, reason in enumerate(reasons) if reason}


def test_a_source_is_taken_in_whatever_the_order_of_its_columns(root):
    described = '[name_sources.eh23]\ntitle = "Elder & Hayes 2023"\npublisher = "a study"\nlicence = "CC0"\n'
    described += 'evidence = "people"\n'
    fields = 'fields = { share = "share", class = "perceived class", age = "perceived age" }\n\n[[papers]]'
    change(root / "corpus.toml", ("[[papers]]", described + fields), times=1)
    source = root / "eh23.csv"
    source.write_text("age,gender,name,share,class,group\n31,female,Bfanx,0.7,2.5,B\n40,male,Newman,0.9,3,W\n")
    assert add_source(load_table("en", root), "eh23", source) == Addition(2, ["Newman"], [], [])
    table = load_table("en", root)
    rows = {row["name"]: row for row in table.file.rows}
    assert [rows["Bfanx"][f"eh23.{field}"] for field in ("share", "class", "age")] == ["0.7", "2.5", "31"]
    assert (rows["Newman"]["group"], rows["Newman"]["eh23.share"]) == ("W", "0.9")
    assert set(table.evidence(rows["Bfanx"])) == {"people", "modelled"}
    assert len(rows) == 33
    source.write_text("name,gender,share\nBfanx,female,\nNewman,male,\nNobody,male,0.9\n")
    assert add_source(table, "eh23", source) == Addition(0, [], ["Nobody"], [])
    source.write_text("name,gender,share,group\nNobody,male,0.9,b\n")
    assert add_source(table, "eh23", source) == Addition(1, ["Nobody"], [], ["b"])


def test_a_name_of_one_group_says_nothing_of_it_in_another(root):
    write(root, [*table_rows(), "Kim,B,female,,500,1990,1,,0.8,,,", "Kim,W,female,,500,1990,1,,0.8,,,"])
    source = root / "source.csv"
    source.write_text("name,gender,group,share\nKim,female,W,0.9\nKim,female,B,0.1\n", encoding="utf-8")
    assert add_source(load_table("en", root), "t18", source) == Addition(2, [], [], [])
    shares = {row["group"]: row["t18.share"] for row in load_table("en", root).file.rows if row["name"] == "Kim"}
    assert shares == {"W": "0.9", "B": "0.1"}
    source.write_text("name,gender,share\nKim,female,0.9\n", encoding="utf-8")
    with pytest.raises(EecError, match="and a share is that of one group"):
        add_source(load_table("en", root), "t18", source, replace=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,gender,n\nBfana,female,5\nNew,male,4\nNewer,male,4\n",
         ["names described by t18: 1; new in the table: 0",
          "Left out, as names.csv lacks them and the file gives them no group: 2 (New, Newer)"]),
        ("name,gender,group,n\nBfana,female,B,5\nNew,male,b,4\n",
         ["names described by t18: 2; new in the table: 1", "Groups that no name had before: b"]),
    ],
)  # fmt: skip
def test_the_script_says_which_names_were_added_and_which_left_out(root, run, text, said):
    (root / "t18.csv").write_text(text, encoding="utf-8")
    _, told = run("add", "en", root / "t18.csv", "--source", "t18", "--locales", root)
    assert told.replace(f"{root}/en/names.csv: ", "").splitlines() == said


def test_a_field_called_gender_is_not_taken_for_the_gender_of_the_name(root):
    (root / "ssa.csv").write_text("name,gender,count,ssa.gender\nBfan,female,7,0.93\nBman,male,8,\n", encoding="utf-8")
    assert add_source(load_table("en", root), "ssa", root / "ssa.csv", replace=True) == Addition(2, [], [], [])
    rows = {row["name"]: (row["ssa.count"], row["ssa.gender"]) for row in load_table("en", root).file.rows}
    assert (rows["Bfan"], rows["Bman"]) == (("7", "0.93"), ("8", "1"))


def test_a_tokeniser_of_the_users_is_counted_in_the_balance(root):
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"x": 0}, unk_token="x"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    made.save(str(root / "letters.json"))
    count = token_counter(str(root / "letters.json"))
    assert count("Ana") == len(" Ana")
    write_set(load_table("en", root), choose("en", "two", root=root))
    table = load_table("en", root)
    rule = rule_of(table, "two")
    counted = balance(rule, cells_in(table, rule), count)
    assert [each.feature for each in counted] == ["log ssa.count", "letters", "your tokens"]
    assert counted[2].apart == counted[1].apart


def test_what_cannot_be_done_is_refused_with_place_and_fix(root, snapshot):
    pytest.importorskip("tokenizers", reason="needs the extra hf (tokenizers): a tokeniser is among what is refused")
    rules = (root / "en/names.toml").read_text(encoding="utf-8")

    def csv(text: str) -> Path:
        path = root / "source.csv"
        path.write_text(text, encoding="utf-8")
        return path

    def built(*rows: str, header: str = HEADER, change: tuple[str, str] = ("", ""), key: str = "two"):
        """A call that chooses the set with more rows, another header or another rule."""

        def call() -> None:
            write(root, [*table_rows(), *rows], header)
            (root / "en/names.toml").write_text(rules.replace(*change) if change[0] else rules, encoding="utf-8")
            choose("en", key, root=root)

        return call

    def add(text: str, key: str = "t18"):
        def call() -> None:
            write(root, table_rows())
            add_source(load_table("en", root), key, csv(text))

        return call

    kim = "Kim,{},female,{},{},1990,1,,{},,,".format
    calls = {
        "more names than there are": built(change=("size = 4", "size = 9")),
        "a set that is none": lambda: choose("en", "three", root=root),
        "a feature that no source has": built(change=('"letters"]', '"ssa.rank"]')),
        "a list of words that is not there": built(change=('"corpus"]', '"mine.txt"]')),
        "a set of no names": built(change=("size = 4", "size = 0")),
        "a set of no groups": built(change=('{ Black = "B", white = "W" }', "{}")),
        "a group under two labels": built(change=('white = "W"', 'white = "W", other = "W"')),
        "a bound that is no number": built(change=("within = 0.15", "within = nan")),
        "a name that is kept and is none": built(change=("within", 'keep = ["nobody"]\nwithin')),
        "the people of a set with other groups": built(
            change=(
                "[sets.two]",
                '[sets.three]\ngroups = { Black = "B", Latino = "W" }\nsize = 4\nlike = "en/two"\n\n[sets.two]',
            ),
            key="three",
        ),
        "the people of another set again": lambda: choose("es", "anglo-latino-100", fresh=True),
        "two ways to choose": built(change=("within = 0.15", 'typical = "ssa.count"')),
        "rules that cannot be read": built(change=("size = 4", "size = 4,5")),
        "grammar that the language does not have": built(change=('gender = "f"', 'genus = "f"')),
        "a key that is unknown": built(change=("size = 4", "size = 4\nsiez = 4")),
        "a number that is none": built(kim("B", "two", "many", 0.8)),
        "a share beyond 1": built(kim("B", "", 500, 80)),
        "a column of no source": built(header=HEADER.replace("t18.share", "t19.share")),
        "a letter beyond a–z in the table": built("Søren,B,male,two,300,1990,1,0.9,0.8,,,"),
        "letters beyond a–z among those chosen": built(
            *(
                f"Paweł{end},{group},{gender},,300,1990,1,0.9,0.8,,,"
                for end, (group, gender) in enumerate(product("BW", ("female", "male")))
            ),
            change=(
                'size = 4\nmatch = ["log ssa.count", "letters"]\nwithin = 0.15',
                'size = 9\nmatch = ["letters"]\nwithin = 9',
            ),
        ),
        "a name twice": built(kim("B", "", 500, 0.8), kim("B", "", 600, 0.8)),
        "a name in two groups of a set": built(kim("B", "two", 500, 0.8), kim("W", "two", 500, 0.8)),
        "a set without a rule": built(kim("B", "four", 500, 0.8)),
        "a group that the set does not have": built(kim("Z", "two", 500, 0.8)),
        "a source that is not described": add("name,gender,share\nKim,female,1\n", "eh23"),
        "a column that the source does not have": add("share,name,gender,colour\n0.5,Bfanx,female,red\n"),
        "a value that is no number": add("name,gender,share\nBfanx,female,many\n"),
        "a source's share beyond 1": add("name,gender,share\nBfanx,female,7\n"),
        "no column of names": add("share,first,gender\n0.5,Bfanx,female\n"),
        "a gender that the table does not have": add("name,group,gender,share\nKim,B,F,0.5\nLee,B,,0.5\n"),
        "a row without a name": add("name,group,gender,share\n,B,female,0.5\n"),
        "another group": add("name,group,gender,share\nBfanx,W,female,0.5\n"),
        "a name twice in a source": add("name,gender,share\nBfanx,female,0.5\nBfanx,female,0.6\n"),
        "other capitals than in the table": add("name,group,gender,share\nBFANX,B,female,0.5\nbfana,B,female,0.5\n"),
        "nothing but capitals": add("name,group,gender,share\nMARÍA JOSÉ,B,female,0.5\nmaría,B,female,0.5\n"),
        "other accents than in the table": add("name,gender,share\nBfána,female,0.5\n"),
        "a count below zero": add("name,gender,n\nBfana,female,-5\n"),
        "another value": add("name,gender,share\nBfana,female,0.5\n"),
        "a tokeniser that is none": lambda: token_counter(str(csv("no tokeniser"))),
    }
    snapshot.check_refusals("name-sets-refused", calls, EecError, {f"{root}/": ""})
