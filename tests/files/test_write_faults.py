"""Killed at random moments, on a full disk, in a read-only folder: every file is the old one or the new one."""

from __future__ import annotations

import csv
import random
import shlex
import shutil
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from forking import Forks, Run
from outputs import GATE, IMPORT, PERTURB, contents

from eec_datasets.cli import main  # noqa: F401  # the forks import it from the same tree

LOCALES = Path(__file__).parents[2] / "locales"


class Pair(NamedTuple):
    """Two runs that write other contents to the same places."""

    old: str
    new: str


PAIRS = {
    "build": Pair("build --out eec --config es-anglo-latino", "build --out eec --config en-black-white"),
    "audit": Pair(
        f"audit --system random:0 --config es-anglo-latino --out audit --no-report {GATE} gate.xml",
        f"audit --system random:1 --config es-anglo-latino --out audit --no-report {GATE} gate.xml",
    ),
    "perturb": Pair(f"{PERTURB} rows.csv --sample 10", f"{PERTURB} rows.csv"),
    "export": Pair("locale export en --out sheet.csv", "locale export es --out sheet.csv"),
    "import": Pair(f"{IMPORT} mine", f"{IMPORT.replace('corpus.csv', 'shorter.csv')} mine"),
    "import of a sheet": Pair(
        "locale import es back.csv --locales locales", "locale import es changed.csv --locales locales"
    ),
    "report": Pair(
        "report result.json --out made --format html --format md",
        "report result.json --out made --format html --format md --report-language es",
    ),
}
TABLE = pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)

FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
"""
READ_ONLY = """
import ctypes, os
if os.geteuid() == 0:  # who may write everywhere, unless that right is laid down
    ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())
for folder, _, _ in os.walk("."):
    os.chmod(folder, 0o555)
"""


@pytest.fixture(scope="module")
def place(ready: Path, tmp_path_factory: pytest.TempPathFactory, forks: Forks) -> Path:
    """What the commands read, with two sheets and two corpora."""
    folder = tmp_path_factory.mktemp("faults") / "place"
    shutil.copytree(ready, folder)
    shutil.copytree(LOCALES, folder / "locales")
    lines = (folder / "corpus.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "shorter.csv").write_text("".join([*lines[:100], lines[-1]]), encoding="utf-8")
    assert eec(forks, folder, "locale export es --locales locales --out back.csv").code == 0
    sheet = (folder / "back.csv").read_text(encoding="utf-8")
    with (folder / "changed.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        for row in csv.reader(sheet.splitlines()):
            writer.writerow([cell.replace("enojad", "airad") for cell in row])
    return folder


def eec(forks: Forks, folder: Path, line: str, *, before: str = "", kill_after: float | None = None) -> Run:
    """Run a command in a fork."""
    code = f"{before}\nfrom eec_datasets.cli import main\nmain({shlex.split(line)!r})"
    return forks.run(code, folder, kill_after=kill_after)


class Story(NamedTuple):
    """A folder in its two states, and how long the second run took."""

    old: Path
    before: dict[str, bytes]
    after: dict[str, bytes]
    seconds: float


@pytest.fixture(scope="module")
def told(forks: Forks, place: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[Pair, Story]:
    """Both runs of every pair, each after the other."""
    stories = {}
    for pair in PAIRS.values():
        old, new = (tmp_path_factory.mktemp("story") / name for name in ("old", "new"))
        shutil.copytree(place, old)
        first = eec(forks, old, pair.old)
        shutil.copytree(old, new)
        start = time.perf_counter()
        second = eec(forks, new, pair.new)
        assert (first.code, second.code) == (0, 0), first.err + second.err
        stories[pair] = Story(old, contents(old), contents(new), time.perf_counter() - start)
        assert stories[pair].before != stories[pair].after
    return stories


def check_whole(found: dict[str, bytes], story: Story) -> None:
    """Every file is the old one or the new one; scores that grow are a part of the new ones."""
    for path, raw in found.items():
        new = story.after.get(path)
        grown = "/scores/" in path and new is not None and new.startswith(raw)
        assert grown or raw in (story.before.get(path), new), path
    assert (story.before.keys() & story.after.keys()) - found.keys() == set()


@TABLE
def test_a_run_killed_at_random_moments_leaves_whole_files_and_the_next_one_ends_it(
    pair: Pair, told: dict[Pair, Story], forks: Forks, tmp_path: Path
) -> None:
    story, dice = told[pair], random.Random(2018)
    for number in range(3):
        folder = tmp_path / str(number)
        shutil.copytree(story.old, folder)
        killed = eec(forks, folder, pair.new, kill_after=story.seconds * dice.uniform(0.3, 1))
        assert killed.code in (-9, 0)
        check_whole({path: raw for path, raw in contents(folder).items() if not temporary(path)}, story)
        assert eec(forks, folder, pair.new).code == 0
        assert contents(folder) == story.after


def temporary(path: str) -> bool:
    """Whether a path is that of a file, or in a folder, that a run was about to move to its place."""
    return any(part.startswith(".") for part in path.split("/"))


@TABLE
def test_a_full_disk_leaves_whole_files_and_is_named(
    pair: Pair, told: dict[Pair, Story], forks: Forks, tmp_path: Path
) -> None:
    story, dice = told[pair], random.Random(2022)
    sizes = [len(raw) for path, raw in story.after.items() if raw != story.before.get(path) and len(raw) > 4096]
    for number in range(2):
        folder = tmp_path / str(number)
        shutil.copytree(story.old, folder)
        failed = eec(forks, folder, pair.new, before=FULL.format(room=dice.randrange(4096, max(sizes))))
        assert (failed.code, "File too large" in failed.error) == (1, True), failed.err
        check_whole(contents(folder), story)
        assert eec(forks, folder, pair.new).code == 0
        assert contents(folder) == story.after


@TABLE
def test_a_folder_that_is_read_only_is_named_and_left_as_it_was(
    pair: Pair, told: dict[Pair, Story], forks: Forks, tmp_path: Path
) -> None:
    story, folder = told[pair], tmp_path / "folder"
    shutil.copytree(story.old, folder)
    failed = eec(forks, folder, pair.new, before=READ_ONLY)
    assert (failed.code, contents(folder)) == (1, story.before), failed.err
    assert "Permission denied" in failed.error
