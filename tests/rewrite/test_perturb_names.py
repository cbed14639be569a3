"""Lists of names: files, configs, mappings; and what is wrong with them, told with the line."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapshots import Snapshot, refusal

from eec_datasets.rewrite.fillers import read_fillers
from eec_datasets.rewrite.load import load_anchors

EN = load_anchors("en")


@pytest.fixture
def listed(tmp_path: Path):
    def read(text: str | bytes, name: str = "names.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_fillers(EN, path)

    return read


def test_a_csv_gives_labels_and_forms(listed):
    one, two = listed("name,gender,career,type,poss\nMaria,female,politics,,\nthe boss,male,,noun_phrase,his boss's\n")
    assert (one.id, one.form, one.type, one.agreement) == ("maria", "Maria", "name", "f")
    assert one.labels == {"gender": "female", "career": "politics"}
    assert one.roles == {"nom": "Maria", "obj": "Maria", "poss": "Maria's"}
    assert (two.id, two.type, two.labels["career"]) == ("the-boss", "noun_phrase", "unmarked")
    assert two.roles["poss"] == "his boss's"


def test_a_text_file_gives_a_name_and_a_gender_per_line(listed):
    found = listed("Maria,female\n\nAdam, male\n", "names.txt")
    assert [(one.form, one.labels) for one in found] == [("Maria", {"gender": "female"}), ("Adam", {"gender": "male"})]


def test_a_config_gives_its_names_and_if_asked_its_noun_phrases():
    names = read_fillers(EN, "en-black-white")
    assert len(names) == 40
    assert {(one.labels["gender"], one.labels["race"]) for one in names} == {
        (gender, race) for gender in ("female", "male") for race in ("Black", "white")
    }
    more = read_fillers(EN, "en-black-white", noun_phrases=True)
    assert {one.type for one in more} == {"name", "noun_phrase"}
    sister = next(one for one in more if one.id == "sister")
    assert sister.roles == {"nom": "my sister", "obj": "my sister", "poss": "my sister's"}


def test_names_in_python_are_a_mapping_or_rows():
    assert read_fillers(EN, {"Ann": "female"}) == read_fillers(EN, [{"name": "Ann", "gender": "female"}])


def test_the_same_name_for_both_genders_gets_two_ids():
    found = read_fillers(EN, [{"name": "Kim", "gender": "female"}, {"name": "Kim", "gender": "male"}])
    assert [one.id for one in found] == ["kim-aabf04", "kim-54898c"]


def test_names_in_other_scripts_get_ascii_ids_of_their_own_wherever_they_stand():
    names = {"Zoë": "female", "ليلى": "female", "مريم": "female", "Łucja": "female"}
    ids = {one.form: one.id for one in read_fillers(EN, names)}
    assert ids == {"Zoë": "zoe", "ليلى": "n-467965", "مريم": "n-8fd8d3", "Łucja": "ucja-4c7bfa"}
    turned = dict(reversed(names.items()))
    assert {one.form: one.id for one in read_fillers(EN, turned)} == ids


def test_what_is_wrong_with_a_list_is_told(listed, tmp_path: Path, snapshot: Snapshot):
    lists = [
        "",
        "name,gender\n",
        "Name,Gender,Race\nAnn,female,x\n",
        "Ann\nBob,male\n",
        "Ann,F\nBob,male\nKim,x\n",
        "name;gender\nAnn;female\n",
        "name\n" + "".join(f"N{number}\n" for number in range(7)),
        "Ann,female\nShe,female\n",
        "Ann,female\nAnn,female\n",
        "name,gender\n,female\n",
        "A\tb,female\n",
        'name,gender\n"Ann,female\n',
        "name,gender,item\nAnn,female,x\n",
        "name,gender,name\nAnn,female,x\n",
        "name,gender\nAnn,female,x\n",
        "name,gender,type,place\nAnn,female,x,there\n",
        "Ann,female\nZo\xeb,female\n".encode("latin-1"),
    ]
    said = [f"{content!r}\n{refusal(lambda: listed(content), tmp_path)}" for content in lists]  # noqa: B023
    others = {
        "no file": tmp_path / "none.csv",
        "a config of another language": "es-anglo-latino",
        "a config without names": "en-country",
        "names without gender": ["Ann"],
        "no config": "nothing",
    }
    said += [f"{what}\n{refusal(lambda: read_fillers(EN, names), tmp_path)}" for what, names in others.items()]  # noqa: B023
    snapshot.check("names-refused", "\n\n".join(said))
