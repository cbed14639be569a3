"""What both releases share: one commit, downloaded back and compared, and only then a tag."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from eec_datasets.hub.remote import AGAIN, KEPT, hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from eec_datasets.hub.remote import Refs, Remote

    Say = Callable[[str], None]

Status = Literal["planned", "released", "already released"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a publish ended.

    Attributes
    ----------
    status : str
        ``planned`` (a dry run), ``released``, or ``already released`` (the tag held exactly this before).
    repo, tag, commit : str
        Where it is; the commit is empty for a plan.
    files : int
        Number of files of the release.
    """

    status: Status
    repo: str
    tag: str
    commit: str
    files: int


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder for one run's downloads and builds."""
    return tempfile.TemporaryDirectory(prefix="eec-publish-", ignore_cleanup_errors=True)


def upload(
    remote: Remote, files: Mapping[str, bytes], tag: str, refs: Refs | None, say: Say, *, private: bool
) -> Outcome:
    """Bring `files` onto the Hub under a new tag.

    The order makes every interruption harmless: the commit is one step for the Hub, it is compared before it gets a
    name, and a second run finds the commit and goes on.

    Parameters
    ----------
    remote : Remote
        The repository.
    files : mapping of path to bytes
        All files of the release.
    tag : str
        A tag that `refs` does not have.
    refs : Refs or None
        Where the repository stands; None: it is to be made.
    say : callable
        Told what is being done.
    private : bool
        Whether a new repository is private.

    Raises
    ------
    HubError, HubInterrupted
        What happened, what was changed on the Hub, what to do.
    """
    if refs is None:
        say(f"Making the repository {remote.repo}")
        remote.create(private=private)
        refs = remote.refs()
        if refs is None:
            raise remote.fail(f"The Hub was told to make {remote.repo} and does not show it yet", AGAIN)
    say(f"Uploading {len(files)} files in one commit")
    commit = remote.commit(files, refs.head, f"Release {tag}")
    if commit == refs.head:
        say(f"Commit {commit[:12]} on main holds these files already: going on from there")
        remote.state = f"Commit {commit[:12]} is on main of {remote.repo}, without a tag"
    say("Downloading it back and comparing")
    compare(remote, commit, files)
    remote.tag(tag, commit)
    after = remote.refs()
    if after is None or after.tags.get(tag) != commit:
        raise remote.fail(
            f"The Hub was told to set {tag} on {commit[:12]} and shows {after.tags.get(tag) if after else None}",
            "Look at the repository before anybody uses the tag",
        )
    return Outcome("released", remote.repo, tag, commit, len(files))


def compare(remote: Remote, commit: str, files: Mapping[str, bytes]) -> None:
    """Download a commit, past every cache, and compare it with `files` byte by byte.

    Raises
    ------
    HubError
        A file is missing, too many, or holds something else.
    """
    wrong = differences(remote, commit, files)
    if wrong:
        raise remote.fail(
            f"What the Hub gives for commit {commit[:12]} is not what was uploaded: {'; '.join(wrong)}",
            f"No tag was set. {AGAIN}; if it stays so, the Hub holds a damaged file",
        )


def differences(remote: Remote, commit: str, files: Mapping[str, bytes]) -> list[str]:
    """How a commit differs from `files`: one phrase per file, sorted by path; empty where it is the same."""
    with remote.told("making room for the download"), scratch() as folder:
        remote.download(commit, Path(folder))
        there = {path: raw for path, raw in read_files(Path(folder)).items() if path not in KEPT}
    wrong = []
    for path in sorted({*there, *files}):
        if path not in there:
            wrong.append(f"{path} is missing")
        elif path not in files:
            wrong.append(f"{path} is there too")
        elif there[path] != files[path]:
            digests = hashes(there[path])[0][:8], hashes(files[path])[0][:8]
            wrong.append(f"{path} differs (SHA-256 {digests[0]}…, expected {digests[1]}…)")
    return wrong


def read_files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its path in it, without the downloader's own notes and Python's caches."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".cache", "__pycache__"} & set(path.relative_to(folder).parts)
    }
