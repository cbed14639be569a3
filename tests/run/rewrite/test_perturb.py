"""From texts and lists of names to rows: selection, counts, the file and its report, the command."""

import csv
import json
import operator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import eec
from snapshots import refusal

from eec_datasets.errors import OutputError
from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.fillers import read_fillers
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.perturbation import PerturbError, perturb
from eec_datasets.rewrite.texts import read_texts

EN = load_anchors("en")


def written_file(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.fixture
def written(tmp_path):
    return lambda name, content: written_file(tmp_path / name, content)


def test_texts_may_be_longer_than_a_cell_of_csv(written):
    limit, long = csv.field_size_limit(), "She is angry. " * 20_000
    first, second = (read_texts(written(name, f"text\n{long}\n{long}\n")) for name in ("a.csv", "b.csv"))
    texts = [next(first), next(second), *first, *second]
    assert (len(texts), len(str(texts[-1])) > limit) == (4, True)
    assert csv.field_size_limit() == limit


LINES = json.dumps({"tweet": "Él"}) + "\n\n" + json.dumps({"tweet": "x\ny"})


@pytest.mark.parametrize(
    ("name", "content", "columns", "texts"),
    [
        ("a b.txt", b"\xef\xbb\xbfShe left.\r\n\nHe \xe2\x80\xa8stayed.", [], ["She left.", "", "He \u2028stayed."]),
        ("t.csv", 'id,tweet\n1,"She, ""left"".\nYes"\n2,He\n', ["tweet"], ['She, "left".\nYes', "He"]),
        ("t.jsonl", LINES, ["tweet"], ["Él", "x\ny"]),
        ("t.csv", "text\n" + "x" * 1_000_000, [], ["x" * 1_000_000]),
        ("t.csv", "text;id\r\nx, y;1\r\n", [], ["x, y"]),
        ("t.csv", '"text";"id, of it"\n"x;";"1"\n', [], ["x;"]),
        ("t.csv", "id\ttext\n1\tx; y\n", [], ["x; y"]),
    ],
    ids=["lines", "csv", "json lines", "a large cell", "semicolons", "semicolons and quotes", "tabs"],
)
def test_a_file_gives_its_lines_or_a_column(written, name, content, columns, texts):
    assert list(read_texts(written(name, content), *columns)) == texts


BAD_TEXTS = [
    ("t.txt", b"She\nPe\xf1a\n"),
    ("t.txt", "She".encode("utf-16")),
    ("t.txt", "Él está aquí.\n".encode("utf-16-le")),
    ("t.csv", "id,tweet\n1,x\n"),
    ("t.csv", "text;id\twhere\nx;1\t2\n"),
    ("t.csv", "text,id\nx,y,1\n"),
    ("t.csv", 'text\n"x\n'),
    ("t.csv", "text,text\nx,y\n"),
    ("t.jsonl", '{"text": "x"}\n{"text"\n'),
    ("t.jsonl", '{"body": "x"}\n'),
    ("t.jsonl", "{}\n"),
    ("t.jsonl", '{"text": null}\n'),
    ("t.docx", "x"),
]


def test_what_is_wrong_with_a_file_is_told(written, tmp_path, snapshot):
    said = [
        f"{name} {content!r}\n{refusal(lambda: list(read_texts(written(name, content))), tmp_path)}"  # noqa: B023
        for name, content in BAD_TEXTS
    ]
    said.append(refusal(lambda: list(read_texts(tmp_path / "none.txt")), tmp_path))
    snapshot.check("texts-refused", "\n\n".join(said))


def test_names_of_a_file_have_genders_labels_and_forms(written):
    table = "name,gender,career,type,poss\nMaria,female,politics,,\nthe boss,male,,noun_phrase,his boss's\n"
    one, two = read_fillers(EN, written("names.csv", table))
    assert (one.id, one.form, one.type, one.agreement) == ("maria", "Maria", "name", "f")
    assert one.labels == {"gender": "female", "career": "politics"}
    assert one.roles == {"nom": "Maria", "obj": "Maria", "poss": "Maria's"}
    assert (two.id, two.type, two.labels["career"]) == ("the-boss", "noun_phrase", "unmarked")
    assert two.roles["poss"] == "his boss's"
    (three,) = read_fillers(EN, written("names.csv", "name;gender;career\nMaria;female;arts, politics\n"))
    assert three.labels == {"gender": "female", "career": "arts, politics"}
    found = read_fillers(EN, written("names.txt", "Maria,female\n\nAdam, male\n"))
    assert [(one.form, one.labels) for one in found] == [("Maria", {"gender": "female"}), ("Adam", {"gender": "male"})]


def test_a_config_gives_its_names():
    names = read_fillers(EN, "en-black-white")
    assert len(names) == 40
    assert {(one.labels["gender"], one.labels["race"]) for one in names} == {
        (gender, race) for gender in ("female", "male") for race in ("Black", "white")
    }
    assert {one.type for one in names} == {"name"}


def test_names_in_python_get_ascii_ids_of_their_own_wherever_they_stand():
    assert read_fillers(EN, {"Ann": "female"}) == read_fillers(EN, [{"name": " Ann", "gender": "female"}])
    for man, ids in (("Kim", ["kim-aabf04", "kim-54898c"]), ("kim", ["kim-aabf04", "kim-c9fd81"])):
        found = read_fillers(EN, [{"name": "Kim", "gender": "female"}, {"name": man, "gender": "male"}])
        assert [one.id for one in found] == ids
    ids = {"Zoë": "zoe", "ليلى": "n-467965", "مريم": "n-8fd8d3", "Łucja": "ucja-4c7bfa"}
    for order in (ids, reversed(ids)):
        assert {one.form: one.id for one in read_fillers(EN, dict.fromkeys(order, "female"))} == ids


BAD_NAMES = [
    "",
    "name,gender\n",
    "Name,Gender,Race\nAnn,female,x\n",
    "Name,Gender\nAnn,female\n",
    "Ann\nBob,male\n",
    "Ann,F\nBob,male\nKim,x\n",
    "name;gender\trace\nAnn;female\tx\n",
    "name\n" + "".join(f"N{number}\n" for number in range(7)),
    "Ann,female\nShe,female\n",
    "Ann,female\nAnn,female\n",
    "Zoë,female\nZoe\u0308,female\n",
    "name,gender\n,female\n",
    "A\tb,female\n",
    'name,gender\n"Ann,female\n',
    "name,gender,item\nAnn,female,x\n",
    "name,gender,name\nAnn,female,x\n",
    "name,gender\nAnn,female,x\n",
    "name,gender,type,place\nAnn,female,x,there\n",
    "Ann,female\nZo\xeb,female\n".encode("latin-1"),
    "MARIA,female\nAJ,male\nJ. K.,male\n",
    "name,gender,race\nAnn,female,white\nBob,male,White\n",
    "name,gender,id\nAnn,female,a/n\nBob,male,b 1\nKim,female,kim_1\nZoë,female,zoë\n",
]


def test_what_is_wrong_with_a_list_is_told(written, tmp_path, snapshot):
    said = [
        f"{content!r}\n{refusal(lambda: read_fillers(EN, written('names.csv', content)), tmp_path)}"  # noqa: B023
        for content in BAD_NAMES
    ]
    others = {
        "no file": tmp_path / "none.csv",
        "a config of another language": "es-anglo-latino",
        "a config without names": "en-country",
        "names without gender": ["Ann"],
        "a name that is no text": {3: "female"},
        "a name of spaces": {" ": "female"},
        "half of a character": {"A\ud83d": "female"},
        "a mark that turns the text": {"A\u202en": "female"},
        "a name with and without its capital": [{"name": name, "gender": "female"} for name in ("Ann", "ann")],
        "no config": "nothing",
        "a number": 5,
        "nothing": None,
    }
    said += [f"{what}\n{refusal(lambda: read_fillers(EN, names), tmp_path)}" for what, names in others.items()]  # noqa: B023
    snapshot.check("names-refused", "\n\n".join(said))


NAMES = {"Maria": "female", "Adam": "male"}
TEXTS = ["She lost her keys.", "He is late.", "Nothing here.", "He told her.", "The doctor said he was busy.",
         "I gave her flowers.", "I trust him."]  # fmt: skip


def test_copies_are_all_written_but_counted_once_in_the_odds():
    texts = ["She left.", "I gave her flowers.", "She left.", "He left.", "I gave her flowers.", "Nothing.", "Nothing."]
    found = perturb(texts, "en", NAMES, swap_gender=True)
    counts = found.report.retention
    assert (dict(counts.read["all"]), dict(counts.kept["all"])) == ({"female": 2, "male": 1}, {"female": 1, "male": 1})
    assert (found.report.copies, found.left_out["her-ambiguous"]) == (2, {"female": 2})
    assert "Copies of these texts, not counted again: 2." in str(found)
    rows = found.table().to_pylist()
    assert [row["template"] for row in rows if row["person"] == "adam"] == ["s0000001"] * 3
    assert len({row["item"] for row in rows}) == 3


def test_that_no_text_about_one_gender_is_kept_is_said_by_a_zero():
    lines = str(perturb(["He left.", "I gave her flowers."], "en", NAMES)).splitlines()
    counts = {line.split("  ")[0]: line.split()[-3:] for line in lines}
    assert (counts["rewritten"], counts["left out: her-ambiguous"][-2:]) == (["0", "1", "1"], ["1", "1"])


def test_numbers_of_numpy_are_written_as_others_are(tmp_path):
    (long,) = np.array([10**6])
    perturb(["She left.", "He left."], "en", NAMES, max_words=long).write(tmp_path / "rows.csv")
    options = json.loads((tmp_path / "rows.csv.report.json").read_text(encoding="utf-8"))["options"]
    assert options["max_words"] == 5000


def test_texts_stream_and_are_read_once():
    texts = iter(TEXTS)
    found = perturb(texts, "en", NAMES, stream=True)
    rewrites = iter(found.rewrites)
    assert next(rewrites).text == TEXTS[0]
    assert operator.length_hint(texts) == len(TEXTS) - 1
    assert [rewrite.id for rewrite in rewrites] == ["s0000002", "s0000007"]
    with pytest.raises(PerturbError, match="The texts are read already"):
        found.table()


GRAMMAR = """
agreement = { female = "f" }
roles = { nom = "{form}" }
language = { words = "WORDS" }
readings = { nom = { first = "{nom}", f = "she" } }
rules = []
"""


def test_what_cannot_be_done_is_told(tmp_path, snapshot):
    for tag, words in (("aa", "el la de que"), ("bb", "the of and to")):
        written_file(tmp_path / tag / "anchors.toml", GRAMMAR.replace("WORDS", words))
    spanish, ann = ["la casa de mi tía que vino"] * 10, {"Ann": "female"}
    cases = {
        "no texts": ([], {}),
        "no pronouns": (["Nothing.", "Nobody."], {}),
        "one string": ("He left.", {}),
        "no texts at all": (None, {}),
        "texts by name": ({"a": "He left."}, {}),
        "a frame": (pd.DataFrame({"text": ["He left."]}), {}),
        "half a word": (["He left."], {"max_words": 0.5}),
        "names that the language does not replace": (["Ana."], {"language": "es", "replace": {"Ana": "female"}}),
        "a tagger that the language does not ask": (["Ella vino."], {"language": "es", "tagger": "es_core_news_sm"}),
        "a level that the language does not have": (["Ella vino."], {"language": "es", "level": "wide"}),
        "neither names nor pronouns": (["He left."], {"names": None}),
        "names and pronouns": (["He left."], {"pronouns": True}),
        "pronouns and what is for names": (["He left."], {"names": None, "pronouns": True, "swap_gender": True}),
        "no such level": (["He left."], {"level": "lax"}),
        "a language that is not rewritten": (["هي هنا."], {"language": "ar"}),
        "no string": (["He left.", None], {}),
        "no words": (["He left."], {"max_words": 0}),
        "a truth value for a number": (["He left."], {"max_words": True}),
        "no language": (["He left."], {"language": None}),
        "another script": (["هذا هو البيت الذي رأيته أمس في المدينة القديمة"] * 5, {}),
        "another language": (spanish, {"language": "bb", "names": ann, "root": tmp_path}),
        "the right language": (spanish, {"language": "aa", "names": ann, "root": tmp_path}),
    }
    said = [
        f"{what}\n{refusal(lambda: perturb(texts, **{'language': 'en', 'names': NAMES, **options}))}"  # noqa: B023
        for what, (texts, options) in cases.items()
    ]
    snapshot.check("perturb-refused", "\n\n".join(said).replace(str(locales_folder()), "LOCALES"))


@pytest.fixture
def folder(tmp_path):
    written_file(tmp_path / "my texts" / "t.txt", "\n".join(TEXTS))
    return written_file(tmp_path / "my texts" / "n.txt", "Maria,female\nAdam,male\n").parent


def run(folder: Path, *options: str, out: str = "out.csv", texts: str = "t.txt"):
    return eec(
        "perturb", folder / texts, "--locale", "en", "--names", folder / "n.txt", "--out", folder / out, *options
    )


def test_the_command_writes_rows_and_report_and_prints_the_counts(folder, snapshot):
    found = run(folder, "--swap-gender")
    assert found.exit_code == 0, found.output
    texts = list(pd.read_csv(folder / "out.csv")["text"])
    assert texts[:3] == ["She lost her keys.", "Maria lost her keys.", "Adam lost his keys."]
    report = (folder / "out.csv.report.json").read_text(encoding="utf-8")
    snapshot.check("perturb", f"{found.output}\n{report}".replace(f"{folder}/", ""))


def test_rows_of_a_person_whom_the_text_names_are_left_out(folder):
    written_file(folder / "n.txt", "Paris,female\nAnn,female\n")
    written_file(folder / "t.txt", "He lives in Paris.\nShe is here.\n")
    found = run(folder, "--swap-gender")
    assert (
        "\n1 rows left out, because the text already contains the name.\nVariants of these texts: s0000001 1 of 2.\n"
        in found.output
    )
    report = json.loads((folder / "out.csv.report.json").read_text(encoding="utf-8"))
    assert report["named_already"] == {"paris": 1}
    assert report["fewer_variants"] == {"s0000001": {"variants": 1, "of": 2}}


@pytest.mark.parametrize(("option", "out"), [("--out", "t.csv"), ("--left-out", "rows.csv")])
def test_the_texts_that_are_read_are_never_replaced(folder, option, out):
    texts = written_file(folder / "t.csv", "text\nShe left.\n")
    left_out = ["--left-out", texts] if option == "--left-out" else []
    refused = run(folder, "--overwrite", *left_out, out=out, texts="t.csv")
    assert (refused.exit_code, f"TEXTS and {option} both name" in refused.output) == (2, True)
    assert texts.read_text(encoding="utf-8") == "text\nShe left.\n"


def test_nothing_is_left_behind_where_the_command_fails(folder):
    (folder / "t.txt").write_bytes("He left.\nPe\xf1a left him.\n".encode("latin-1"))
    before = sorted(folder.iterdir())
    found = run(folder)
    assert found.exit_code == 1
    assert f"Error: {folder / 't.txt'}:2: byte 3 of the line is 0xf1" in found.output
    assert sorted(folder.iterdir()) == before


def test_without_room_for_the_report_no_rows_are_written(tmp_path):
    (tmp_path / "out.csv.report.json").mkdir()
    with pytest.raises(OutputError, match=r"out\.csv\.report\.json is a folder; expected the name of a file"):
        perturb(["He left."], "en", {"Adam": "male"}).write(tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv.report.json"]
