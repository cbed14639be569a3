"""Input that stops a release before it begins: the messages are in a snapshot; nothing was changed on the Hub."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desk import OFFLINE, Desk, masked
from loopback import Fault, File, Hub
from snapshots import Snapshot

Prepare = Callable[[Desk], Any]


def nothing(desk: Desk) -> None:
    """Publish as it is."""


def another_word(desk: Desk) -> None:
    desk.first_release()
    desk.change_a_word()


def another_card(desk: Desk) -> None:
    desk.first_release()
    desk.edit("es/locale.toml", 'variety = "es-419"', 'variety = "es-US"')


def tag_of_something_else(desk: Desk) -> None:
    repo = desk.hub.create("org/eec", files={"a.csv": b"1"})
    repo.tags["v0.5.0"] = repo.head


def damaged_release(desk: Desk) -> None:
    """One that lies undamaged in the user's cache."""
    repo = desk.first_release()
    desk.python("import datasets\ndatasets.load_dataset('org/eec', 'es-anglo-latino', revision='v1.0.0')")
    repo.commits[repo.head]["es-anglo-latino/test.parquet"] = File(b"PAR1 no more", True)
    desk.change_a_word()
    desk.version("1.0.0", "2.0.0")


def files_beside_a_release(**files: bytes) -> Prepare:
    """Someone has put files where a release is that another is to follow."""

    def prepare(desk: Desk) -> None:
        repo = desk.first_release()
        there = {name.replace("_", "."): File(raw, False) for name, raw in files.items()}
        desk.hub.put(repo, repo.commits[repo.head] | there, repo.head)
        desk.change_a_word()
        desk.version("1.0.0", "2.0.0")

    return prepare


def git_that_refuses(desk: Desk) -> None:
    git = desk.folder / "bin" / "git"
    git.parent.mkdir()
    git.write_text("#!/bin/sh\necho \"fatal: detected dubious ownership in repository at '/x'\" >&2; exit 128\n")
    git.chmod(0o755)


def refused_commit(desk: Desk) -> None:
    desk.hub.create("org/eec")
    desk.hub.faults = [Fault(r"POST .*/commit/", "status", 403)]


CASES: dict[str, tuple[Prepare, dict[str, str]]] = {
    "no token": (nothing, {"HF_TOKEN": ""}),
    "a token nobody knows": (nothing, {"HF_TOKEN": "stranger"}),
    "a token that may only read": (nothing, {"HF_TOKEN": "reader"}),
    "a token of someone else": (nothing, {"HF_TOKEN": "other"}),
    "a right that the token lacks after all": (refused_commit, {}),
    "a repository of something else": (
        lambda desk: desk.hub.create("org/eec", files={f"{name}.csv": b"1" for name in "abcd"}), {},
    ),
    "a release beside something else, whatever may be replaced": (
        files_beside_a_release(stray_txt=b"mine"), {"asked": "v2.0.0 --overwrite"},
    ),
    "a release of which a file was changed": (files_beside_a_release(README_md=b"mine"), {"asked": "v2.0.0"}),
    "a public repository that was to be private": (
        lambda desk: desk.hub.create("org/eec"), {"asked": "v1.0.0 --private"},
    ),
    "a repository with releases of something else": (tag_of_something_else, {}),
    "rows of a word that disagree": (lambda desk: desk.edit("es/words.csv", "anger,f,sg,,l", "angst,f,sg,,l"), {}),
    "a sentence that the answer key does not have": (
        lambda desk: desk.edit("es/expected.csv", "Sofía se siente triste.", "Sofía se siente tristes."), {},
    ),
    "an earlier release that is damaged": (damaged_release, {"asked": "v2.0.0"}),
    "a version that exists with other rows": (another_word, {}),
    "a version that exists with another card": (another_card, {}),
    "a version that the change does not call for": (another_word, {"asked": "v1.1.0"}),
    "a version that the locales do not declare": (another_word, {"asked": "v2.0.0"}),
    "a tag without its letter": (nothing, {"asked": "1.0.0"}),
    "a tag of two numbers": (nothing, {"asked": "v1.0"}),
    "a name without an organisation": (nothing, {"repo": "eec"}),
    "a working tree that git will not look into": (git_that_refuses, {"PATH": "bin"}),
    "a working tree without git": (lambda desk: (desk.folder / ".git").mkdir(), {"PATH": "none"}),
}  # fmt: skip


def state(hub: Hub) -> list[tuple[str, dict[str, str]]]:
    return [(repo.head, dict(repo.tags)) for repo in hub.repos.values()]


def test_what_stops_a_release_is_named_and_leaves_the_hub_as_it_was(desk: Desk, snapshot: Snapshot) -> None:
    told = []
    for title, (prepare, options) in CASES.items():
        desk.begin()
        prepare(desk)
        before = state(desk.hub)
        paths = {name: str(desk.folder / folder) for name, folder in options.items() if name == "PATH"}
        asked = {name: value for name, value in options.items() if name != "asked"} | paths
        refused = desk.publish(*options.get("asked", "v1.0.0").split(), **asked)
        assert (refused.code, state(desk.hub)) == (1, before), (title, refused.err)
        told.append(f"{title}\n    {masked(refused.error, desk)}\n")
    snapshot.check("publish-refused", "\n".join(told))


PUBLISH = "from eec_datasets.cli import main\nmain(['publish', 'dataset', '--repo', 'org/eec', '--tag', 'v1.0.0'])"
NO_NETWORK = "from huggingface_hub import constants\nconstants.ENDPOINT = 'http://127.0.0.1:9'\n"
FULL = """
import errno, os

def full(number):
    raise OSError(errno.ENOSPC, "No space left on device", "/tmp/eec")

os.fsync = full
"""


def test_a_hub_out_of_reach_and_a_full_disk_are_named(desk: Desk, hub: Hub, snapshot: Snapshot) -> None:
    runs = {
        "no network": desk.run_python(NO_NETWORK + PUBLISH),
        "offline": desk.run_python(OFFLINE + PUBLISH),
        "a full disk": desk.run_python(FULL + PUBLISH),
    }
    assert {run.code for run in runs.values()} == {1}
    assert not [line for line in hub.log if not line.startswith(("GET", "HEAD"))]
    snapshot.check("publish-unreachable", "\n".join(f"{title}\n    {run.error}\n" for title, run in runs.items()))


def test_a_dirty_working_tree_is_refused_and_only_noted_by_a_dry_run(desk: Desk, hub: Hub) -> None:
    def run_git(*command: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *command], cwd=desk.locales, check=True, capture_output=True)

    run_git("init")
    run_git("add", ".")
    run_git("commit", "-m", "Spanish")
    desk.change_a_word()
    changed = "the working tree has changes that no commit has: es/words.csv."
    assert desk.publish("v1.0.0").error.startswith(f"{changed} Nothing was changed")
    assert hub.log == []
    planned = desk.publish("v1.0.0", "--dry-run")
    assert planned.code == 0
    assert planned.err.startswith(f"Note: {changed}")
    run_git("commit", "-a", "-m", "Another word")
    assert desk.publish("v1.0.0").code == 0


def test_a_folder_outside_any_working_tree_needs_no_git(desk: Desk, tmp_path: Path) -> None:
    if any((above / ".git").exists() for above in tmp_path.parents):
        return  # temporary folders lie in a clone
    assert desk.publish("v1.0.0", "--dry-run", PATH=str(tmp_path / "none")).code == 0
