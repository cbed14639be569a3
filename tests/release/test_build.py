"""A build is a folder that loads as what was rendered, whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from eec_datasets import corpora, release, schema
from eec_datasets.release import manifest
from eec_datasets.release.building import BuildError

PAPERS = ["en-black-white", "en-anglo-latino", "es-anglo-latino", "en-anglo-arab", "ar-anglo-arab"]
ONE = ["es-anglo-latino"]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "eec"
    release.build(out, configs=PAPERS)
    return out


def test_a_build_holds_parquet_card_manifest_and_croissant(built: Path) -> None:
    files = {f"{name}/test.parquet" for name in PAPERS}
    assert set(contents(built)) == {"README.md", "manifest.json", "croissant.json", *files}


def test_two_builds_are_the_same_to_the_byte(built: Path, tmp_path: Path) -> None:
    release.build(tmp_path / "again", configs=PAPERS)
    assert contents(tmp_path / "again") == contents(built)


def test_the_manifest_says_what_the_files_hold(built: Path) -> None:
    made = manifest.read(built)
    assert [config.name for config in made.configs] == PAPERS
    for config in made.configs:
        table = pq.read_table(built / config.file, partitioning=None)
        assert (table.num_rows, config.person_count) == (8640, 60)
        assert schema.content_hash(table) == config.content_hash == schema.content_hash(corpora.table(config.name))
        assert (config.axes["gender"], len(config.axes["race"])) == (("female", "male"), 2)
        assert config.columns == tuple(table.column_names) == schema.columns()
        assert config.dropped == ()
        assert config.review_sentence == corpora.find(config.name).review
    assert made.rows == 5 * 8640


def test_the_manifest_comes_back_from_its_text(built: Path) -> None:
    made = manifest.read(built)
    assert manifest.from_json(made.to_json(), "here") == made
    assert str(made) == f"release {made.version}: 5 configs, 43,200 sentences, content hash {made.content_hash[:8]}"


SAME = """
import sys
import datasets
import eec_datasets
from eec_datasets.schema import content_hash

datasets.disable_progress_bars()
folder = sys.argv[1]
for name in sys.argv[2:]:
    ours = eec_datasets.load(name)
    theirs = datasets.load_dataset(folder, name, split="test")
    assert ours.features == theirs.features
    assert ours[:] == theirs[:]
    assert (ours.info.version, ours.info.config_name) == (theirs.info.version, theirs.info.config_name)
    assert str(ours.split) == str(theirs.split) == "test"
    assert content_hash(ours.data.table) == content_hash(theirs.data.table)
assert datasets.load_dataset(folder, split="test")["id"][:] == eec_datasets.load("en-black-white")["id"][:]
print("same")
"""


def offline(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}


def test_load_dataset_gives_what_load_gives(built: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SAME, str(built), *PAPERS],
        capture_output=True, text=True, check=False, env=offline(tmp_path),
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("same\n", 0), done.stderr


def edited_locales(tmp_path: Path) -> Path:
    """Spanish with another word for *angry*, and the same version number."""
    import shutil

    root = tmp_path / "locales"
    here = Path(__file__).parents[2] / "locales"
    shutil.copytree(here / "es", root / "es")
    for name in ("corpus.toml", "axes.toml"):
        shutil.copy(here / name, root)
    words = root / "es" / "words.csv"
    words.write_text(words.read_text(encoding="utf-8").replace("enojad", "airad"), encoding="utf-8")
    return root


AGAIN = """
import sys
import datasets
from eec_datasets import release

datasets.disable_progress_bars()
out, root = sys.argv[1:]
for where in (None, root):
    release.build(out, configs=["es-anglo-latino"], root=where)
    print(datasets.load_dataset(out, "es-anglo-latino", split="test")[0]["text"])
"""


def test_a_changed_build_is_not_taken_from_the_cache_even_with_the_same_version(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AGAIN, str(tmp_path / "eec"), str(edited_locales(tmp_path))],
        capture_output=True, text=True, check=False, env=offline(tmp_path),
    )  # fmt: skip
    assert done.stdout == "Jessica se siente enojada.\nJessica se siente airada.\n", done.stderr


def test_the_progress_of_a_build_is_told_before_each_config_and_at_the_end(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    release.build(tmp_path / "eec", configs=PAPERS[:2], progress=lambda *step: told.append(step))
    assert told == [(0, 2, "en-black-white"), (1, 2, "en-anglo-latino"), (2, 2, "")]


def test_what_could_not_be_rendered_stands_in_the_manifest_with_its_reason(tmp_path: Path) -> None:
    made = release.build(tmp_path / "eec", configs=["es-gender"])
    found = made.configs[0].dropped
    assert found == tuple(
        manifest.DroppedPair(drop.item, drop.pair, drop.persons, drop.why)
        for drop in corpora.render("es-gender").dropped
    )
    assert found


def test_a_build_takes_the_place_of_an_older_one_whole(tmp_path: Path) -> None:
    release.build(tmp_path / "eec", configs=PAPERS[:2])
    release.build(tmp_path / "eec", configs=PAPERS[2:3])
    assert [path.name for path in (tmp_path / "eec").iterdir() if path.is_dir()] == ["es-anglo-latino"]
    assert [path.name for path in tmp_path.iterdir()] == ["eec"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "eec").mkdir()
    release.build(tmp_path / "eec", configs=ONE)
    assert (tmp_path / "eec" / "manifest.json").is_file()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BuildError) as caught:
        release.build(tmp_path, configs=ONE)
    assert str(caught.value) == (
        f"{tmp_path} holds something else than a build (it has no manifest.json), and nothing was changed in it. "
        "Choose another folder with --out, or empty this one"
    )
    assert contents(tmp_path) == {"notes.txt": b"mine"}


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "eec").write_text("mine")
    with pytest.raises(BuildError) as caught:
        release.build(tmp_path / "eec", configs=ONE)
    assert str(caught.value) == (
        f"{tmp_path / 'eec'} is a file, and a folder is needed. Choose another place with --out"
    )


@pytest.mark.parametrize(
    ("number", "words"), [(errno.EACCES, "Permission denied"), (errno.ENOSPC, "No space left on device")]
)
def test_a_place_that_cannot_be_written_is_named_and_keeps_its_older_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    release.build(tmp_path / "eec", configs=ONE)
    before = contents(tmp_path)

    def refuse(path: Path, _: bytes) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(BuildError) as caught:
        release.build(tmp_path / "eec", configs=PAPERS[:1])
    assert str(caught.value) == (
        f"cannot write {tmp_path / 'eec'}: {words}. Nothing was changed there. Choose a folder that you may write to "
        "and that has room, with --out"
    )
    assert contents(tmp_path) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_parent_without_the_right_to_write_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BuildError) as caught:
        release.build(tmp_path / "eec", configs=ONE)
    assert str(caught.value) == (
        f"cannot write {tmp_path / 'eec'}: Permission denied. Nothing was changed there. Choose a folder that you may "
        "write to and that has room, with --out"
    )


KILLED = """
import os, sys
from pathlib import Path
from eec_datasets import release

calls = 0
name, stop = sys.argv[2], int(sys.argv[3])
real = getattr(Path, name)

def killing(self, *args):
    global calls
    calls += 1
    if calls == stop:
        os._exit(9)
    return real(self, *args)

setattr(Path, name, killing)
release.build(sys.argv[1], configs=["es-anglo-latino", "en-black-white"])
"""


@pytest.mark.parametrize(("step", "number"), [("write_bytes", 2), ("write_bytes", 5), ("rename", 1), ("rename", 2)])
def test_a_killed_build_leaves_the_older_one_or_none_and_the_next_one_mends_it(
    tmp_path: Path, step: str, number: int
) -> None:
    out = tmp_path / "eec"
    older = release.build(out, configs=ONE)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(out), step, str(number)], check=False)
    assert killed.returncode == 9
    if out.exists():
        assert manifest.read(out) == older
        assert release.tables(out, older.configs)
    newer = release.build(out, configs=PAPERS[:1])
    assert manifest.read(out) == newer
    assert [path.name for path in tmp_path.iterdir()] == ["eec"]


def test_an_unknown_config_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    from eec_datasets.errors import UnknownConfig

    with pytest.raises(UnknownConfig):
        release.build(tmp_path / "eec", configs=["xx-nothing"])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_a_build_has_no_manifest(tmp_path: Path) -> None:
    with pytest.raises(manifest.ManifestError) as caught:
        manifest.read(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} has no manifest.json, so it is not a build. Make one with: eec build --out {tmp_path}"
    )
    with pytest.raises(manifest.ManifestError) as caught:
        manifest.read(tmp_path / "none")
    assert (
        str(caught.value) == f"{tmp_path / 'none'} is not a folder. Make one with: eec build --out {tmp_path / 'none'}"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"format": 9},
            "here: manifest format 9, this version reads 1. Update eec-datasets",
        ),
        (
            {"version": None, "configs": 3},
            "here: not a manifest that this package wrote (TypeError: 'int' object is not iterable). Build the folder "
            "again",
        ),
        (
            {"configs": []},
            "here: its own content hash does not fit the hashes of its configs; it was edited or damaged. Build the "
            "folder again",
        ),
    ],
)
def test_a_damaged_manifest_is_told_apart(built: Path, change: dict[str, object], message: str) -> None:
    data = {**json.loads((built / "manifest.json").read_text(encoding="utf-8")), **change}
    with pytest.raises(manifest.ManifestError) as caught:
        manifest.from_json(json.dumps(data), "here")
    assert str(caught.value) == message


def test_a_damaged_parquet_file_is_named(tmp_path: Path) -> None:
    made = release.build(tmp_path / "eec", configs=ONE)
    path = tmp_path / "eec" / made.configs[0].file
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(BuildError) as caught:
        release.read_table(tmp_path / "eec", made.configs[0])
    assert str(caught.value).startswith(f"{path}: cannot be read as parquet (")
    assert str(caught.value).endswith("). Build the folder again")


def test_a_folder_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine", encoding="utf-8")
    with pytest.raises(release.BuildError) as error:
        release.build(tmp_path / "notes" / "eec", configs=ONE)
    assert str(error.value) == (
        f"{tmp_path / 'notes'} is a file, and a folder is needed. Choose another place with --out"
    )
