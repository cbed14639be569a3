"""A build is a folder that loads as what was rendered, whole or not at all."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from forking import Forks
from snapshots import Snapshot

from eec_datasets import corpora, release, schema
from eec_datasets.errors import EecError, OutputUnwritable, UnknownConfig
from eec_datasets.files import REGISTER
from eec_datasets.release import manifest
from eec_datasets.release.manifest import BuildError, ManifestError

PAPERS = ["en-black-white", "es-anglo-latino", "ar-anglo-arab"]
LOCALES = Path(__file__).parents[2] / "locales"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_builds_are_the_same_to_the_byte_and_hold_parquet_card_manifest_and_croissant(
    built: Path, tmp_path: Path
) -> None:
    names = [config.name for config in manifest.read(built).configs]
    told: list[tuple[int, int, str]] = []
    release.build(tmp_path / "again", configs=names, progress=lambda *step: told.append(step))
    assert contents(tmp_path / "again") == contents(built)
    files = {f"{name}/test.parquet" for name in names}
    assert set(contents(built)) == {"README.md", "manifest.json", "croissant.json", REGISTER, *files}
    assert told == [*((done, len(names), name) for done, name in enumerate(names)), (len(names), len(names), "")]


def test_the_manifest_says_what_the_files_hold_and_what_was_left_out(built: Path) -> None:
    made = manifest.read(built)
    for config in made.configs:
        table = pq.read_table(built / config.file, partitioning=None)
        corpus = corpora.render(config.name)
        assert (table.num_rows, config.columns) == (config.rows, tuple(table.column_names))
        assert schema.content_hash(table) == config.content_hash == schema.content_hash(corpus.table())
        assert (config.axes["gender"][:2], config.review_sentence) == (
            ("female", "male"),
            corpora.find(config.name).review,
        )
        assert (config.dropped, bool(corpus.dropped)) == (corpus.dropped, config.name == "es-gender")
    assert [(config.rows, sum(config.persons.values())) for config in made.configs[:3]] == [(8640, 60)] * 3
    assert manifest.from_json(made.to_json(), "here") == made
    assert str(made).startswith(f"release {made.version}: 4 configs, {made.rows:,} sentences, content hash ")


LOAD = """
import datasets
import eec_datasets
from eec_datasets import release
from eec_datasets.schema import content_hash

datasets.disable_progress_bars()
folder, out, root, *names = GIVEN
for name in names:
    ours = eec_datasets.load(name)
    theirs = datasets.load_dataset(folder, name, split="test")
    assert ours.features == theirs.features
    assert ours[:] == theirs[:]
    assert (ours.info.version, ours.info.config_name) == (theirs.info.version, theirs.info.config_name)
    assert str(ours.split) == str(theirs.split) == "test"
    assert content_hash(ours.data.table) == content_hash(theirs.data.table)
assert datasets.load_dataset(folder, split="test")["id"][:] == eec_datasets.load("en-black-white")["id"][:]
for where in (None, root):
    release.build(out, configs=["es-anglo-latino"], root=where)
    print(datasets.load_dataset(out, "es-anglo-latino", split="test")[0]["text"])
"""


def test_load_dataset_gives_what_load_gives_and_a_changed_build_even_with_the_same_version(
    built: Path, tmp_path: Path, forks: Forks
) -> None:
    root = tmp_path / "locales"
    shutil.copytree(LOCALES / "es", root / "es")
    for name in ("corpus.toml", "axes.toml"):
        shutil.copy(LOCALES / name, root)
    words = root / "es" / "words.csv"
    words.write_text(words.read_text(encoding="utf-8").replace("enojad", "airad"), encoding="utf-8")
    given = [str(built), str(tmp_path / "eec"), str(root), *PAPERS]
    done = forks.run(LOAD.replace("GIVEN", repr(given)), tmp_path)
    assert done.out == "Jessica se siente enojada.\nJessica se siente airada.\n", done.err


def test_a_build_takes_the_place_of_an_older_one_whole_or_fills_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "eec").mkdir()
    release.build(tmp_path / "eec", configs=PAPERS[:2])
    release.build(tmp_path / "eec", configs=PAPERS[2:3])
    assert [path.name for path in (tmp_path / "eec").iterdir() if path.is_dir()] == ["ar-anglo-arab"]
    assert [path.name for path in tmp_path.iterdir()] == ["eec"]


KILLED = """
import os
from pathlib import Path
from eec_datasets import release

calls = 0
out, name, stop = GIVEN
home = os if name == "fsync" else Path
real = getattr(home, name)

def killing(*args):
    global calls
    calls += 1
    if calls == stop:
        os._exit(9)
    return real(*args)

setattr(home, name, killing)
release.build(out, configs=["es-anglo-latino", "en-black-white"])
"""


@pytest.mark.parametrize(("step", "number"), [("fsync", 2), ("rename", 1), ("rename", 2)])
def test_a_killed_build_leaves_the_older_one_or_none_and_the_next_one_mends_it(
    tmp_path: Path, step: str, number: int, forks: Forks
) -> None:
    out = tmp_path / "eec"
    older = release.build(out, configs=PAPERS[1:2])
    assert forks.run(KILLED.replace("GIVEN", repr((str(out), step, number))), tmp_path).code == 9
    if out.exists():
        assert manifest.read(out) == older
        assert release.tables(out, older.configs)
    newer = release.build(out, configs=PAPERS[:1])
    assert manifest.read(out) == newer
    assert [path.name for path in tmp_path.iterdir()] == ["eec"]


def test_what_is_no_build_or_no_place_for_one_is_named_and_left_alone(
    built: Path, tmp_path: Path, snapshot: Snapshot
) -> None:
    (tmp_path / "something").mkdir()
    (tmp_path / "something" / "notes.txt").write_text("mine")
    (tmp_path / "notes").write_text("mine")
    made = manifest.read(built)
    damaged = tmp_path / "damaged"
    shutil.copytree(built, damaged)
    (damaged / made.configs[0].file).write_bytes(b"PAR1 no more")
    shutil.copy(built / made.configs[1].file, damaged / made.configs[2].file)
    data = json.loads(made.to_json())
    for name in ("a web app", "with scores", "edited", "with notes"):
        shutil.copytree(built, tmp_path / name)
    (tmp_path / "a web app" / "manifest.json").write_text("[]")
    (tmp_path / "with scores" / "scores").mkdir()
    (tmp_path / "with scores" / "scores" / "mine.csv").write_text("mine")
    shutil.copy(built / made.configs[1].file, tmp_path / "edited" / made.configs[0].file)
    with (tmp_path / "with notes" / "README.md").open("a") as card:
        card.write("mine")
    before = contents(tmp_path)
    refused = {
        "a folder with another program's manifest": lambda: release.build(tmp_path / "a web app", configs=PAPERS[:1]),
        "a build with a user's files": lambda: release.build(tmp_path / "with scores", configs=PAPERS[:1]),
        "a build with other rows": lambda: release.build(tmp_path / "edited", configs=PAPERS[:1]),
        "a build with another card": lambda: release.build(
            tmp_path / "with notes", configs=[config.name for config in made.configs]
        ),
        "a folder of something else": lambda: release.build(tmp_path / "something", configs=PAPERS[:1]),
        "a file in the place of the folder": lambda: release.build(tmp_path / "notes", configs=PAPERS[:1]),
        "a folder below a file": lambda: release.build(tmp_path / "notes" / "eec", configs=PAPERS[:1]),
        "a folder without a manifest": lambda: manifest.read(tmp_path / "something"),
        "no folder": lambda: manifest.read(tmp_path / "none"),
        "another format": lambda: manifest.from_json(json.dumps(data | {"format": 9}), "here"),
        "no manifest": lambda: manifest.from_json(json.dumps(data | {"version": None, "configs": 3}), "here"),
        "a manifest that was edited": lambda: manifest.from_json(json.dumps(data | {"configs": []}), "here"),
        "a config that is not there": lambda: made.config("xx"),
        "a damaged file": lambda: release.read_table(damaged, made.configs[0]),
        "a file of another config": lambda: release.read_table(damaged, made.configs[2]),
    }
    told = []
    for title, call in refused.items():
        with pytest.raises(EecError) as caught:
            call()
        assert isinstance(caught.value, BuildError | ManifestError | OutputUnwritable)
        # What pyarrow says of the file is its own.
        text = str(caught.value).partition(" (Could not open")[0].replace(str(tmp_path), "HERE")
        text = re.sub(r"\b[0-9a-f]{8}\b", "…", text)
        told.append(f"{title}\n    {text}\n")
    assert contents(tmp_path) == before
    snapshot.check("build-refused", "\n".join(told))


def test_an_unknown_config_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UnknownConfig):
        release.build(tmp_path / "eec", configs=["xx-nothing"])
    assert list(tmp_path.iterdir()) == []
