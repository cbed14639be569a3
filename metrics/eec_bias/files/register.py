"""Who owns a folder: the register of what eec has written there tells its own folders from those of others."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from eec_bias.files.places import NoFileError, open_own

REGISTER = ".eec-written"
"""File of a folder that lists what eec has written there."""

HEAD = "# What eec has written here: SHA-256 and name. It replaces these files unasked while they are unchanged.\n"
MARKS = ("README.md", "manifest.json", "result.json")
"""Files by which folders of different commands are told apart: a build, a result, a task."""

OVERWRITE = "replace it: --overwrite on the command line, overwrite=True in Python"

LARGEST_REGISTER = 1 << 26
"""Bytes of the largest register that is read."""


def line_of(name: str, digest: str) -> str:
    """Return the line of a register for a file."""
    return f"{digest}  {json.dumps(name)}"


def registered(contents: Mapping[str, bytes], before: str = "") -> dict[str, bytes]:
    """The files by their paths within a folder, with the register of them and of earlier ones added."""
    lines = [line_of(name, hashlib.sha256(raw).hexdigest()) for name, raw in contents.items()]
    text = "".join([before or HEAD, *(f"{line}\n" for line in lines)])
    return {**contents, REGISTER: text.encode()}


def not_ours(
    paths: Iterable[str], digest: Callable[[str], str], register: str, replaceable: Collection[str] = ()
) -> str:
    """Why a folder is not ours: a file that is not as we wrote it; empty where every file is.

    Parameters
    ----------
    paths : iterable of str
        Paths within the folder.
    digest : callable
        Gives the SHA-256 of one, empty for what is no file; asked for those only that the register names.
    register : str
        Text of its register.
    replaceable : collection of str
        Paths that may hold anything.

    Returns
    -------
    str
        A clause that names the file.
    """
    lines = set(register.splitlines())
    known_names = {line.partition("  ")[2] for line in lines}
    for name in paths:
        if name in (REGISTER, *replaceable):
            continue
        if json.dumps(name) not in known_names:
            return f"eec is not known to have written '{name}'"
        if line_of(name, digest(name)) not in lines:
            return f"'{name}' was changed since eec wrote it"
    return ""


def register_of(folder: Path) -> str:
    """The register of a folder; empty where there is none, or where something else has its name."""
    try:
        with open_own(folder / REGISTER) as stream:
            return stream.read(LARGEST_REGISTER).decode(errors="replace")
    except (FileNotFoundError, NoFileError):
        return ""
