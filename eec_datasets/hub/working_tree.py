"""Check that the sources of a release are those in git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets.hub.repository import refusal

if TYPE_CHECKING:
    from eec_datasets.hub.repository import Say


def check_tree(root: Path, say: Say | None = None) -> None:
    """Refuse to release from a git working tree with changes that no commit has.

    Parameters
    ----------
    root : Path
        A folder; outside a git working tree nothing is asked.
    say : callable, optional
        For a dry run: told of the changes, instead of refusing.

    Raises
    ------
    InputError
        The files are listed.
    """
    changed = _changed(root)
    if not changed:
        return
    more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
    what = f"the working tree has changes that no commit has: {', '.join(changed[:5])}{more}"
    if say is None:
        raise refusal(what, "Commit them, so that the release can be made again from the sources, and run it again")
    say(f"Note: {what}. The release itself will ask for a commit")


def _changed(root: Path) -> list[str]:
    """The files of the working tree around a folder that differ from its last commit."""
    try:
        status = subprocess.run(
            ["git", "-C", str(root), "status", "--porcelain", "--no-renames", "--", ":/"],
            capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except FileNotFoundError as error:
        if not any((folder / ".git").exists() for folder in (root.resolve(), *root.resolve().parents)):
            return []
        what = f"{root} is in a git working tree, and without git we cannot check that everything is committed"
        raise refusal(what, "Install git") from error
    if status.returncode == 0:
        return [line[3:] for line in status.stdout.splitlines()]
    if "not a git repository" in status.stderr:
        return []
    raise refusal(
        f"git cannot say if everything in {root} is committed ({status.stderr.strip().splitlines()[0]})",
        f"Make this work: git -C '{root}' status",
    )
