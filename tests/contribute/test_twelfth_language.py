"""A twelfth language is data: a constructed one with three genders, case and a clitic needs its own folder only.

The language is made up (the tag `ia` only carries it). Nouns and adjectives end in -a (feminine), -u (masculine) or
-e (neuter), and take -n as objects; `this girl` is a neuter noun for a female person; pronouns as objects are written
onto the verb.
"""

import csv
import hashlib
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

import eec_datasets
from eec_datasets import corpora, release
from eec_datasets.cli import main

REPOSITORY = Path(eec_datasets.__file__).parents[1]
TAG = "ia"
ENDING = {"f": "a", "m": "u", "n": "e"}

NEEDED = {
    "state": [("f", "direct"), ("m", "direct"), ("n", "direct"), ("f", "object"), ("m", "object"), ("n", "object")],
    "situation": [("n", "direct"), ("f", "object"), ("m", "direct")],
}
SUBJECTS = {"woman": "Le dama", "man": "Le domu", "mira": "Mira", "boru": "Boru", "she": "Ela", "he": "Elu"}
OBJECTS = {"woman": " le daman", "man": " le domun", "mira": " Miran", "boru": " Borun", "she": "-la", "he": "-lu"}
AFTER_DE = {
    "woman": "del dama",
    "man": "del domu",
    "mira": "de Mira",
    "boru": "de Boru",
    "she": "de ela",
    "he": "de elu",
}


def stem(place):
    """A made-up stem, another for every place in the list."""
    return "bdfgklmnpr"[place % 10] + "aeiou"[place % 5] + "lmnr"[place // 10] + "is"


def words_csv(english):
    """Every emotion word of the English list with the endings of the constructed language."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = "id,kind,emotion,gender,case,form,status,source,use,translator,checker,note"
    writer.writerow(columns.split(","))
    for place, word in enumerate(english):
        for gender, case in NEEDED[word.kind]:
            form = stem(place) + ENDING[gender] + ("n" if case == "object" else "")
            source = ["added", "made up for this test", "", "", "", ""]
            writer.writerow([word.id, word.kind, word.emotion, gender, case, form, *source])
    return out.getvalue()


def key_rows():
    """Sentences written down from the grammar above, not from the output."""
    angry, annoying = "balis", "banis"
    assert (stem(0), stem(20)) == (angry, annoying)
    for person, subject in SUBJECTS.items():
        own = "a" if person in ("woman", "mira", "she") else "u"
        yield f"t01/angry/{person}", "", f"{subject} senta {angry}{own}."
        yield f"t02/angry/{person}", "", f"Le situe fa{OBJECTS[person]} sentir {angry}{own}n."
        yield f"t03/angry/{person}", "", f"Mi fi{OBJECTS[person]} sentir {angry}{own}n."
        for speaker, ending in (("female", "a"), ("male", "u")):
            yield f"t04/angry/{person}", speaker, f"{subject} fi min sentir {angry}{ending}n."
        yield f"t05/annoying/{person}", "", f"{subject} trovat{own} situe {annoying}e."
        yield f"t06/annoying/{person}", "", f"{subject} conta nos le novan {annoying}an."
        yield f"t07/annoying/{person}", "", f"Le parlu {AFTER_DE[person]} es {annoying}u."
        yield f"t08/none/{person}", "", f"Mi vide{OBJECTS[person]} in le mercate."
        yield f"t09/none/{person}", "", f"Heri mi parla {AFTER_DE[person]}."
        yield f"t10/none/{person}", "", f"{subject} va al schola de nostre quarte."
        yield f"t11/none/{person}", "", f"{subject} ha duo infantes."
    yield "t01/angry/girl", "", "Le infe senta balise."
    yield "t05/annoying/girl", "", "Le infe trovate situe banise."


def key_csv():
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["config", "id", "speaker", "variants", "sentence", "note"])
    writer.writerows([f"{TAG}-gender", row, speaker, "", sentence, ""] for row, speaker, sentence in key_rows())
    return out.getvalue()


def fingerprint(folder, but=""):
    """Every file below a folder with its content, but for those of one subfolder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] != but and "__pycache__" not in path.parts
    }


def eec(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def constructed(root):
    """The folder of locales with the constructed language in it, begun from the scaffold."""
    assert eec("locale", "new", TAG, "--from", "ru", "--locales", root).exit_code == 0
    english = corpora.find("en-gender").locale.words
    files = {
        "locale.toml": LOCALE,
        "templates.toml": TEMPLATES,
        "words.csv": words_csv(english),
        "persons.csv": PERSONS,
        "expected.csv": key_csv(),
    }
    assert {path.name for path in (root / TAG).iterdir()} == set(files)
    for name, text in files.items():
        (root / TAG / name).write_text(text, encoding="utf-8")
    return root


def test_the_scaffold_is_refused_until_it_is_filled(root):
    eec("locale", "new", TAG, "--from", "ru", "--locales", root)
    result = eec("locale", "check", TAG, "--locales", root)
    assert result.exit_code == 1
    assert f"{root / TAG}/templates.toml" in result.output
    assert "the text of t01 is still to be written" in result.output


def test_the_filled_language_has_nothing_to_mend(constructed):
    result = eec("locale", "check", TAG, "--no-notes", "--locales", constructed)
    assert result.output.splitlines()[-1].startswith(f"{TAG}: ")
    assert "error" not in result.output
    assert "warning" not in result.output
    assert result.exit_code == 0


def test_nothing_but_its_own_folder_was_touched(root):
    before = fingerprint(root, but=TAG)
    code = fingerprint(REPOSITORY / "eec_datasets")
    eec("locale", "new", TAG, "--from", "ru", "--locales", root)
    (root / TAG / "locale.toml").write_text(LOCALE, encoding="utf-8")
    assert fingerprint(root, but=TAG) == before
    assert fingerprint(REPOSITORY / "eec_datasets") == code


def test_its_sentences_agree_in_gender_and_case_and_carry_the_clitic(constructed):
    table = corpora.table(f"{TAG}-gender", root=constructed)
    texts = dict(zip(table["id"].to_pylist(), table["text"].to_pylist(), strict=True))
    assert texts["t01/angry/girl"] == "Le infe senta balise."
    assert texts["t02/angry/she"] == "Le situe fa-la sentir balisan."
    assert texts["t07/annoying/man"] == "Le parlu del domu es banisu."
    # State words in three templates, in the fourth for both speakers; situations in three; four without.
    assert table.num_rows == 10 * (3 * 20 + 2 * 20 + 3 * 20 + 4)
    assert len(set(table["text"].to_pylist())) == table.num_rows
    girl = table.filter([value == "girl" for value in table["person"].to_pylist()])
    assert set(girl["gender"].to_pylist()) == {"female"}


def test_its_config_is_built_and_loaded_like_any_other(constructed, tmp_path):
    datasets = pytest.importorskip("datasets")
    manifest = release.build(tmp_path / "build", configs=[f"{TAG}-gender", "en-gender"], root=constructed)
    assert [entry.name for entry in manifest.configs] == [f"{TAG}-gender", "en-gender"]
    loaded = datasets.load_dataset(
        str(tmp_path / "build"), f"{TAG}-gender", split="test", cache_dir=str(tmp_path / "cache")
    )
    table = corpora.table(f"{TAG}-gender", root=constructed)
    assert loaded["text"][:] == table["text"].to_pylist()
    assert loaded["id"][:] == table["id"].to_pylist()
