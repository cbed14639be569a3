"""A file that is written whole or not at all, and never in the place of what is somebody else's.

The register beside it, of names and SHA-256, is that of `eec_datasets.files`, which says more about it.
"""

import contextlib
import hashlib
import json
import os
from pathlib import Path

from eec_bias.errors import OptionError

REGISTER = ".eec-written"
HEAD = "# What eec has written here: SHA-256 and name. It replaces these files unasked while they are unchanged.\n"


def write(path: Path, content: bytes, *, overwrite: bool = False) -> Path:
    """Write a file; return its path.

    Parameters
    ----------
    path : Path
        In a folder that is there.
    content : bytes
        All of it.
    overwrite : bool
        Whether a file may be replaced that we did not write, or that was changed since.

    Raises
    ------
    OptionError
        If there is such a file, or the path cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.exists() and not path.is_file():
            raise OptionError(f"{path} is a folder or a device; give the name of a file")
        # A link is none of ours, whatever it leads to.
        known = _register(path).splitlines()
        foreign = path.is_symlink() or (path.exists() and _line(path, path.read_bytes()) not in known)
        if foreign and not overwrite:
            raise OptionError(
                f"{path} is there already, and eec has not written it or it was changed since; choose another name, or "
                "replace it with overwrite=True"
            )
        with part.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        _note(path, content)
        part.replace(path)
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}; save it where you may write") from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return path


def _line(path: Path, content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()}  {json.dumps(path.name)}"


def _register(path: Path) -> str:
    with contextlib.suppress(FileNotFoundError):
        return (path.parent / REGISTER).read_text(encoding="utf-8", errors="replace")
    return ""


def _note(path: Path, content: bytes) -> None:
    text, line = _register(path), _line(path, content)
    if line in text.splitlines():
        return
    # A full disk may have torn the last line.
    lead = HEAD if not text else "" if text.endswith("\n") else "\n"
    with (path.parent / REGISTER).open("ab", buffering=0) as register:
        register.write(f"{lead}{line}\n".encode())
        os.fsync(register.fileno())
