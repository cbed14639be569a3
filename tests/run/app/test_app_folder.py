"""The folder of the page: its files are swept, it ends with the page, and nothing else is ever removed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eec_datasets.app.temporary import LIFETIME, Folder
from eec_datasets.errors import Unavailable

HOLD = """
import sys
from eec_datasets.app.temporary import open_folder
folder = open_folder()
print(folder.put("a.csv", "x"), flush=True)
sys.stdin.read()
"""
"""Holds a folder open until its input ends."""


def age(*paths, seconds=2 * LIFETIME):
    for path in paths:
        os.utime(path, (time.time() - seconds,) * 2, follow_symlinks=False)


def gone(path, within=20.0):
    deadline = time.monotonic() + within
    while path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return not path.exists()


def test_a_folder_with_a_name_like_ours_keeps_its_files(tmp_path):
    notes, thesis = tmp_path / "eec-app-mynotes", tmp_path / "thesis"
    for folder in (notes, thesis):
        folder.mkdir()
        (folder / "chapter.txt").write_text("mine")
    linked = tmp_path / "eec-app-linked"
    linked.symlink_to(thesis)
    age(*tmp_path.glob("*/*"), notes, thesis, linked)
    own = dict(os.environ, TMPDIR=str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", HOLD], env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as page:
        path = Path(page.stdout.readline().decode().strip())
        time.sleep(0.5)  # its first sweep
        page.communicate()
    assert path.is_relative_to(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["eec-app-linked", "eec-app-mynotes", "thesis"]
    assert [(folder / "chapter.txt").read_text() for folder in (notes, linked)] == ["mine", "mine"]


@pytest.mark.parametrize("ended", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, None])
def test_uploads_end_with_the_page_however_it_ends(tmp_path, ended):
    own = dict(os.environ, TMPDIR=str(tmp_path))
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(
        command, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0
    ) as page:
        path = Path(page.stdout.readline().decode().strip())
        assert path.read_text() == "x"
        if ended:
            os.killpg(page.pid, ended)
        page.communicate()
    assert gone(path.parent.parent)
    with pytest.raises(Unavailable, match="Open the page again"):
        Folder(path.parent.parent).put("a.csv", "x")


def test_only_old_files_are_swept_and_no_link_is_followed(tmp_path):
    own, thesis = Folder(tmp_path / "own"), tmp_path / "thesis"
    own.path.mkdir()
    thesis.mkdir()
    (thesis / "chapter.txt").write_text("mine")
    old, new, future = (Path(own.put("a.csv", content)) for content in "xyz")
    link = own.path / "link"
    link.symlink_to(thesis)
    age(thesis / "chapter.txt", thesis, old, old.parent, link)
    age(future, seconds=-2 * LIFETIME)
    own.sweep()
    own.sweep()
    assert [path.exists() for path in (old, new, future, thesis / "chapter.txt")] == [False, True, False, True]
    assert not link.is_symlink()
