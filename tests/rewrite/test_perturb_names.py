"""Lists of names: files, configs, mappings; and what is wrong with them, told with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from eec_datasets.rewrite.fillers import NamesError, read_fillers
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.text_file import TextFileError


@pytest.fixture
def listed(tmp_path: Path):
    def read(text: str | bytes, name: str = "names.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_fillers(load_anchors("en"), path)

    return read


def test_a_csv_gives_labels_and_forms(listed):
    one, two = listed("name,gender,career,type,poss\nMaria,female,politics,,\nthe boss,male,,noun_phrase,his boss's\n")
    assert (one.id, one.form, one.type, one.agreement) == ("maria", "Maria", "name", "f")
    assert one.labels == {"gender": "female", "career": "politics"}
    assert one.roles == {"nom": "Maria", "obj": "Maria", "poss": "Maria's"}
    assert (two.id, two.type, two.labels["career"], two.roles["poss"]) == (
        "the-boss",
        "noun_phrase",
        "unmarked",
        "his boss's",
    )


def test_a_text_file_gives_a_name_and_a_gender_per_line(listed):
    found = listed("Maria,female\n\nAdam, male\n", "names.txt")
    assert [(one.form, one.labels) for one in found] == [("Maria", {"gender": "female"}), ("Adam", {"gender": "male"})]


def test_a_config_gives_its_names_and_if_asked_its_noun_phrases():
    anchors = load_anchors("en")
    names = read_fillers(anchors, "en-black-white")
    assert len(names) == 40
    assert {(one.labels["gender"], one.labels["race"]) for one in names} == {
        (gender, race) for gender in ("female", "male") for race in ("Black", "white")
    }
    more = read_fillers(anchors, "en-black-white", noun_phrases=True)
    assert {one.type for one in more} == {"name", "noun_phrase"}
    assert next(one for one in more if one.id == "sister").roles == {
        "nom": "my sister",
        "obj": "my sister",
        "poss": "my sister's",
    }


def test_names_in_python_are_a_mapping_or_rows():
    anchors = load_anchors("en")
    assert read_fillers(anchors, {"Ann": "female"}) == read_fillers(anchors, [{"name": "Ann", "gender": "female"}])


def test_names_in_python_without_gender_are_told():
    with pytest.raises(NamesError) as caught:
        read_fillers(load_anchors("en"), ["Ann"])  # type: ignore[list-item]
    assert str(caught.value) == (
        "names: entry 1 is 'Ann'; expected texts by column, such as {'name': 'Maria', 'gender': 'female'}, or all "
        "names in one mapping: {'Maria': 'female'}"
    )


def test_the_same_name_for_both_genders_gets_two_ids():
    found = read_fillers(load_anchors("en"), [{"name": "Kim", "gender": "female"}, {"name": "Kim", "gender": "male"}])
    assert [one.id for one in found] == ["kim-aabf04", "kim-54898c"]


def test_names_in_other_scripts_get_ascii_ids_of_their_own_wherever_they_stand():
    names = {"Zoë": "female", "ليلى": "female", "مريم": "female", "Łucja": "female"}
    ids = {one.form: one.id for one in read_fillers(load_anchors("en"), names)}
    assert ids == {"Zoë": "zoe", "ليلى": "n-467965", "مريم": "n-8fd8d3", "Łucja": "ucja-4c7bfa"}
    turned = dict(reversed(names.items()))
    assert {one.form: one.id for one in read_fillers(load_anchors("en"), turned)} == ids


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "{path}: the list of names is empty; expected NAME,GENDER in each line, or a CSV file."),
        ("name,gender\n", "{path}: no names were given; expected at least one."),
        (
            "Name,Gender,Race\nAnn,female,x\n",
            "{path}:1: no column 'name'; the header has: Name, Gender, Race. Name it so",
        ),
        (
            "Ann\nBob,male\n",
            "{path}: Ann is without a gender that the language 'en' can write: its pronouns need one of female, male. "
            "Write it in the column 'gender'",
        ),
        (
            "Ann,F\nBob,male\nKim,x\n",
            "{path}: Ann ('F'), Kim ('x') are with a gender that the language 'en' has no pronouns for. Write one of "
            "female, male in the column 'gender'",
        ),
        (
            "name;gender\nAnn;female\n",
            "{path}:1: the columns are separated by semicolons. Save the file as CSV with commas",
        ),
        (
            "name\n" + "".join(f"N{number}\n" for number in range(7)),
            "{path}: N0, N1, N2, N3, N4 and 2 more are without a gender that the language 'en' can write: its pronouns "
            "need one of female, male. Write it in the column 'gender'",
        ),
        (
            "Ann,female\nShe,female\n",
            "{path}:2: 'She' is a pronoun, the very word that is replaced. Remove it from the list",
        ),
        ("Ann,female\nAnn,female\n", "{path}: 'Ann' (female) stands more than once. Keep one"),
        ("name,gender\n,female\n", "{path}: {path}:2 is without a name. Write it in the column 'name'"),
        ("A\tb,female\n", "{path}: {path}:1 is with a control character in the name. Remove it"),
        (
            'name,gender\n"Ann,female\n',
            "{path}:2: not valid CSV: unexpected end of data. Check the quotes of this row",
        ),
        (
            "name,gender,item\nAnn,female,x\n",
            "{path}: the label column 'item' is a column of the rows. Give it another name",
        ),
        ("name,gender,name\nAnn,female,x\n", "{path}:1: the column 'name' stands twice. Remove one of the two"),
        (
            "name,gender\nAnn,female,x\n",
            "{path}:2: more cells than the header has (2). Quote cells with commas",
        ),
        ("name,gender,type\nAnn,female,x\n", "{path}:2: type 'x'; expected one of name, noun_phrase."),
    ],
)
def test_what_is_wrong_with_a_list_is_told(listed, tmp_path, text, message):
    with pytest.raises((NamesError, TextFileError)) as caught:
        listed(text)
    assert str(caught.value) == message.replace("{path}", str(tmp_path / "names.csv"))


def test_a_list_in_another_encoding_is_told_with_line_and_byte(listed, tmp_path):
    with pytest.raises(TextFileError) as caught:
        listed("Ann,female\nZo\xeb,female\n".encode("latin-1"))
    assert str(caught.value) == (
        f"{tmp_path / 'names.csv'}:2: byte 3 of the line is 0xeb, which is not UTF-8; the file may be Latin-1 "
        "(Windows). Save it as UTF-8 and look at the accents again"
    )


def test_a_list_that_is_not_there_and_a_config_of_another_language_are_told(tmp_path):
    anchors = load_anchors("en")
    with pytest.raises(NamesError) as caught:
        read_fillers(anchors, tmp_path / "none.csv")
    assert str(caught.value) == (
        f"The list of names {tmp_path / 'none.csv'} cannot be read: No such file or directory. Give a file, or the "
        "name of a config such as en-black-white (eec configs lists them)"
    )
    with pytest.raises(NamesError) as caught:
        read_fillers(anchors, "es-anglo-latino")
    assert str(caught.value) == (
        "The names of 'es-anglo-latino' are written in the language 'es', the texts are in 'en'. Choose a config whose "
        "name begins with en-"
    )
