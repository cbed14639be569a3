"""Builds that another process loads, and builds that are killed."""

import pytest
from languages import languages
from texts import change

from eec_datasets import release
from eec_datasets.release import manifest

PAPERS = ["en-black-white", "es-anglo-latino", "ar-anglo-arab"]


LOAD = """
import datasets
import eec_datasets
from eec_datasets import release
from eec_datasets.schema import content_hash

datasets.disable_progress_bars()
folder, out, root, *names = GIVEN
for name in (None, *names):
    ours = eec_datasets.load(name or "en-black-white")
    theirs = datasets.load_dataset(folder, name, split="test")
    for each in ("features", "split"):
        assert getattr(ours, each) == getattr(theirs, each)
    assert (ours.info.version, ours.info.config_name) == (theirs.info.version, theirs.info.config_name)
    assert content_hash(ours.data.table) == content_hash(theirs.data.table)
for where in (None, root):
    release.build(out, configs=["es-anglo-latino"], root=where)
    print(datasets.load_dataset(out, "es-anglo-latino", split="test")[0]["text"])
"""


def test_load_dataset_gives_what_load_gives_after_a_change_too(built, tmp_path, forks):
    root = languages(tmp_path / "locales", "es")
    change(root / "es" / "words.csv", ("enojad", "airad"))
    given = [str(built), str(tmp_path / "eec"), str(root), *PAPERS]
    done = forks.run(LOAD.replace("GIVEN", repr(given)), tmp_path)
    assert done.out == "Jessica se siente enojada.\nJessica se siente airada.\n", done.err


KILLED = """
import itertools
import os
from pathlib import Path
from eec_datasets import release

out, name, stop = GIVEN
home, calls = os if name == "fsync" else Path, itertools.count(1)
real = getattr(home, name)
setattr(home, name, lambda *args: os._exit(9) if next(calls) == stop else real(*args))
release.build(out, configs=["tr-gender", "de-gender"])
"""


@pytest.mark.parametrize(("step", "number"), [("fsync", 2), ("rename", 1), ("rename", 2)])
def test_a_killed_build_leaves_the_older_one_or_none(tmp_path, step, number, forks):
    out = tmp_path / "eec"
    older = release.build(out, configs=["de-gender"])
    assert forks.run(KILLED.replace("GIVEN", repr((str(out), step, number))), tmp_path).code == 9
    if out.exists():
        assert manifest.read(out) == older
        assert release.tables(out, older.configs)
    newer = release.build(out, configs=["tr-gender"])
    assert manifest.read(out) == newer
    assert [path.name for path in tmp_path.iterdir() if path.name != ".eec.lock"] == ["eec"]
