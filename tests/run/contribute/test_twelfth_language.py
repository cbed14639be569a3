"""A twelfth language is data: a constructed one with three genders, case and a clitic needs its own folder only.

The language is made up (the tag `ia` only carries it). Nouns and adjectives end in -a (feminine), -u (masculine) or
-e (neuter), and take -n as objects; `this girl` is a neuter noun for a female person; pronouns as objects are written
onto the verb.
"""

import re
import shutil
from pathlib import Path

import pytest
from commands import eec, succeed
from languages import languages

import eec_datasets
from eec_datasets import corpora, release

REPOSITORY = Path(eec_datasets.__file__).parents[1]
TAG = "ia"
ENDING = {"f": "a", "m": "u", "n": "e"}

CASES = {
    "state": [("f", "direct"), ("m", "direct"), ("n", "direct"), ("f", "object"), ("m", "object"), ("n", "object")],
    "situation": [("n", "direct"), ("f", "object"), ("m", "direct")],
}


def words_csv():
    """Every emotion word of the English list, each with a made-up stem and the endings of the constructed language."""
    rows = ["id,kind,emotion,gender,case,form,status,source"]
    russian = (word for word in corpora.find("ru-gender").locale.words if word.file == "words")
    for place, word in enumerate(russian):
        stem = "bdfgklmnpr"[place % 10] + "aeiou"[place % 5] + "lmnr"[place // 10] + "is"
        for gender, case in CASES[word.kind]:
            form = stem + ENDING[gender] + ("n" if case == "object" else "")
            rows.append(f"{word.id},{word.kind},{word.emotion},{gender},{case},{form},added,made up for this test")
    return "\n".join(rows) + "\n"


def fingerprint(folder, but=""):
    """Every file below a folder with its content, but for those of one subfolder."""
    paths = ((path, path.relative_to(folder).parts) for path in folder.rglob("*") if path.is_file())
    return {parts: path.read_bytes() for path, parts in paths if parts[0] != but and "__pycache__" not in parts}


@pytest.fixture(scope="module")
def constructed(tmp_path_factory):
    """The folder of locales with the constructed language in it, begun from the scaffold, which alone is refused."""
    root = tmp_path_factory.mktemp("twelfth") / "my locales"
    languages(root, "en", "ru")
    before, code = fingerprint(root), fingerprint(REPOSITORY / "eec_datasets")
    succeed("locale", "new", TAG, "--from", "ru", "--locales", root)
    begun = eec("locale", "check", TAG, "--locales", root)
    assert begun.exit_code == 1
    assert f"{root.name}/{TAG}/templates.toml" in begun.output
    assert "the text of t01 is still to be written" in begun.output
    names = {path.name for path in (root / TAG).iterdir()}
    shutil.copytree(Path(__file__).parent / "constructed", root / TAG, dirs_exist_ok=True)
    (root / TAG / "words.csv").write_text(words_csv(), encoding="utf-8")
    assert {path.name for path in (root / TAG).iterdir()} == names
    assert fingerprint(root, but=TAG) == before
    assert fingerprint(REPOSITORY / "eec_datasets") == code
    return root


def test_the_filled_language_has_nothing_to_mend_and_agrees(constructed):
    output = succeed("locale", "check", TAG, "--no-notes", "--locales", constructed).output
    assert output.splitlines()[-1].startswith(f"{TAG}: ")
    assert not re.search("error|warning", output)
    rows = corpora.table(f"{TAG}-gender", root=constructed).to_pylist()
    texts = {row["id"]: row["text"] for row in rows}
    assert texts["t01/angry/girl"] == "Le infe senta balise."
    assert texts["t02/angry/she"] == "Le situe fa-la sentir balisan."
    assert texts["t07/annoying/man"] == "Le parlu del domu es banisu."
    # State words in three templates, in the fourth for both speakers; situations in three; four without.
    assert len(set(texts.values())) == len(rows) == 10 * (3 * 20 + 2 * 20 + 3 * 20 + 4)
    assert {row["gender"] for row in rows if row["person"] == "girl"} == {"female"}


def test_its_config_is_built_and_loaded_like_any_other(constructed, tmp_path):
    datasets = pytest.importorskip("datasets")
    manifest = release.build(tmp_path / "build", configs=[f"{TAG}-gender", "ru-gender"], root=constructed)
    assert [entry.name for entry in manifest.configs] == [f"{TAG}-gender", "ru-gender"]
    build, cache = str(tmp_path / "build"), str(tmp_path / "cache")
    loaded = datasets.load_dataset(build, f"{TAG}-gender", split="test", cache_dir=cache)
    table = corpora.table(f"{TAG}-gender", root=constructed)
    assert all(loaded[column][:] == table[column].to_pylist() for column in ("text", "id"))
