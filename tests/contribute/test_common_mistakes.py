"""A language is begun by the guide and filled by its sheet, and each mistake that contributors made in one is told.

The words are Spanish, under the tag of a neighbour: what is under test is what the check says of them.
"""

import re
from pathlib import Path

import pytest
from commands import eec, succeed
from sheets import rewritten
from texts import change, keep

from eec_datasets import corpora
from eec_datasets.contribute.sheet import entries

NAMES = {
    "female": ["María", "Ana", "Laura", "Marta", "Rosa", "Elena", "Silvia", "Clara", "Irene", "Julia"],
    "male": ["Miguel", "Juan", "José", "Jorge", "Marcos", "Pedro", "Pablo", "Alberto", "Javier", "Luis"],
}
ONLY_THERE = re.compile(r"gender=any\.|\.(wording=current|lexicon=latin-america)")
OF_ONE_FORM = ("happy", "miserable", "sad")
"""Words whose second row somebody took out, as Spanish has one form for women and men."""
MISTAKES = Path(__file__).parent / "mistakes"
"""What somebody adds to the files of the language for an axis of their own."""
FORMS = "level,gender,form,source\nblind,f,ciega,RAE\nblind,m,ciego,RAE\ndeaf,f,sorda,RAE\ndeaf,m,sordo,RAE\n"
PRONOUNS = '\n[configs.pronouns]\nsets = ["pronouns"]\nabout = "A trial."\n'


def filled(spanish):
    """The cells of a row: a text and a source where they are wanted, but for a source of the first name."""

    def cells_of(row):
        key, name = row["key"], re.search(r"/(female|male)-(\d+):nom", row["key"])
        cells = {"text": NAMES[name[1]][int(name[2]) - 1] if name else spanish.get(key, row["text"])}
        sourced = key.startswith(("words", "persons")) and "/female-1:" not in key
        return cells | ({"source": "a dictionary"} if sourced else {})

    return cells_of


@pytest.fixture
def folder(root, tmp_path):
    """Catalan from the scaffold of Spanish, all its words in from the sheet, and an axis of its own."""
    succeed("locale", "new", "ca", "--from", "es", "--locales", root)
    succeed("locale", "export", "ca", "--out", tmp_path / "ca.csv", "--locales", root)
    spanish = {ONLY_THERE.sub("", entry.key): entry.text for entry in entries(root / "es")}
    for word in OF_ONE_FORM:
        for gender in ("f", "m"):
            spanish[f"words.csv:{word}:gender={gender}.number=sg"] = spanish[f"words.csv:{word}:number=sg"]
    for gender in ("f", "m"):
        spanish[f"words.csv:sad:gender={gender}.number=sg"] = "trist"
    (tmp_path / "ca.csv").write_text(rewritten((tmp_path / "ca.csv").read_text("utf-8"), filled(spanish)), "utf-8")
    succeed("locale", "import", "ca", tmp_path / "ca.csv", "--locales", root)
    keep(root / "ca/words.csv", lambda line: not (line.startswith(OF_ONE_FORM) and ",m,sg," in line))
    change(root / "ca/words.csv", *((f",{word},f,sg,", f",{word},,sg,") for word in OF_ONE_FORM))
    for more in MISTAKES.iterdir():
        place = root if more.name == "axes.toml" else root / "ca"
        with (place / more.name).open("a", encoding="utf-8") as stream:
            stream.write(more.read_text(encoding="utf-8"))
    return root / "ca"


def told(folder):
    result = eec("locale", "check", "ca", "--no-notes", "--key", "--locales", folder.parent)
    return result.exit_code, result.output.replace(str(folder), "ca")


def write_key(folder, sentences):
    """Fill the answer key, and add rows for the names."""
    text = (folder / "expected.csv").read_text(encoding="utf-8")

    def sentence(row):
        id_ = row[1].replace("/female-1", "/maria").replace("/male-1", "/miguel")
        return f'ca-gender,{row[1]},,,"{sentences[id_]}",'

    rows = re.sub(r"^ca-gender,([^,]+),,,,", sentence, text, flags=re.M)
    (folder / "expected.csv").write_text(rows, encoding="utf-8")


def test_every_mistake_is_told_until_an_audit_takes_what_the_check_passes(folder, snapshot):
    stages = {}
    code, output = told(folder)
    unwritten = [line for line in output.splitlines() if "has no sentence yet" in line]
    assert len(unwritten) == 66
    assert not any("Esta mujer" in line for line in unwritten)
    stages["filled, without a key and without a source of a name"] = output
    assert code == 1
    change(folder / "persons.csv", ("María,,,,added,,", 'María,,,,added,"Idescat, names",'))
    spanish = [corpora.table(f"es-{name}", root=folder.parent) for name in ("gender", "anglo-latino")]
    write_key(folder, {row["id"]: row["text"] for table in spanish for row in table.select(["id", "text"]).to_pylist()})
    code, stages["with a key"] = told(folder)
    assert code == 1
    change(folder / "locale.toml", (PRONOUNS, ""))
    (folder / "senses.csv").write_text(FORMS, encoding="utf-8")
    change(folder / "persons.csv", ("{{ senses }}", "{{ senses | agree(person) }}"))
    change(folder / "words.csv", *((f"{word},,sg", f"{word},any,sg") for word in ("happy", "miserable")))
    sad = "sad,state,sadness,sad,{},sg,{},added,a dictionary,,,,\n"
    change(folder / "words.csv", (sad.format("", "trist"), sad.format("f", "trista") + sad.format("m", "trist")))
    code, stages["mended, without a sentence of the axis"] = told(folder)
    assert code == 1
    with (folder / "expected.csv").open("a", encoding="utf-8") as stream:
        for level, form in (("blind", "ciega"), ("deaf", "sorda")):
            stream.write(f"ca-senses,t01/angry/woman-{level},,,Esta mujer {form} se siente enojada.,\n")
    code, stages["mended"] = told(folder)
    assert code == 0
    lines = [
        line for line in "\n".join(f"== {k}\n{v}" for k, v in stages.items()).splitlines() if line not in unwritten
    ]
    snapshot.check("contribute/common_mistakes", "\n".join(lines))
