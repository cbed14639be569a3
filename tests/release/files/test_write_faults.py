"""Killed at random moments, on a full disk, in a read-only folder: every file is the old one or the new one."""

import random
import shlex
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from forking import Forks, Run
from outputs import PERTURB, contents

from eec_datasets.cli import main  # noqa: F401  # the forks import it from the same tree

AUDIT = "audit --config tr-gender --out audit --no-report --system"
REPORT = "report result.json --out made --format html --format md"
PAIRS = {
    "build": ("build --out eec --config tr-gender", "build --out eec --config hi-gender"),
    "audit": (f"{AUDIT} random:0", f"{AUDIT} random:1"),
    "perturb": (f"{PERTURB} rows.csv --swap-gender", f"{PERTURB} rows.csv --overwrite"),
    "report": (REPORT, f"{REPORT} --report-language es"),
}
"""Two runs each that write other contents to the same places."""

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

Eec = Callable[..., Run]


@pytest.fixture(scope="module")
def eec(forks: Forks, locales: Path) -> Eec:
    """Run a command in a fork."""

    def run(folder: Path, line: str, *, before: str = "", kill_after: float | None = None) -> Run:
        code = f"{before}\nfrom eec_datasets.cli import main\nmain({shlex.split(line)!r})"
        return forks.run(code, folder, kill_after=kill_after, EEC_LOCALES=str(locales))

    return run


class Story(NamedTuple):
    """Two copies of a folder after the first run, what it holds then and after the second, and the second run."""

    folders: tuple[Path, Path]
    before: dict[str, bytes]
    after: dict[str, bytes]
    line: str
    seconds: float


@pytest.fixture(scope="module", params=PAIRS.values(), ids=PAIRS)
def story(request: pytest.FixtureRequest, ready: Path, tmp_path_factory: pytest.TempPathFactory, eec: Eec) -> Story:
    old, second, new = (tmp_path_factory.mktemp("story") / name for name in ("old", "second", "new"))
    shutil.copytree(ready, old)
    first = eec(old, request.param[0])
    for copy in (second, new):
        shutil.copytree(old, copy)
    start = time.perf_counter()
    last = eec(new, request.param[1])
    seconds = time.perf_counter() - start
    assert (first.code, last.code) == (0, 0), first.err + last.err
    before, after = contents(old), contents(new)
    assert before != after
    return Story((old, second), before, after, request.param[1], seconds)


def check_whole(found: dict[str, bytes], story: Story) -> None:
    """Every file is the old one or the new one."""
    for path, raw in found.items():
        assert raw in (story.before.get(path), story.after.get(path)), path
    assert (story.before.keys() & story.after.keys()) - found.keys() == set()


def temporary(path: str) -> bool:
    """Tell if a path is that of a file, or in a folder, that a run was about to move to its place."""
    return any(part.startswith(".") for part in path.split("/"))


def test_a_full_disk_or_a_kill_at_any_moment_leaves_whole_files(story: Story, eec: Eec) -> None:
    folder, dice = story.folders[0], random.Random(2018)
    sizes = [len(raw) for path, raw in story.after.items() if raw != story.before.get(path) and len(raw) > 4096]
    failed = eec(folder, story.line, before=FULL.format(room=dice.randrange(4096, max(sizes))))
    assert (failed.code, "File too large" in failed.error) == (1, True), failed.err
    check_whole(contents(folder), story)
    for _ in range(3):
        killed = eec(folder, story.line, kill_after=story.seconds * dice.uniform(0.3, 1))
        assert killed.code in (-9, 0)
        check_whole({path: raw for path, raw in contents(folder).items() if not temporary(path)}, story)
    assert eec(folder, story.line).code == 0
    assert contents(folder) == story.after


def test_a_folder_that_is_read_only_is_named_and_left_as_it_was(story: Story, eec: Eec) -> None:
    folder = story.folders[1]
    failed = eec(folder, story.line, before=READ_ONLY)
    assert (failed.code, contents(folder)) == (1, story.before), failed.err
    assert "Permission denied" in failed.error
