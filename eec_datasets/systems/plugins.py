"""Systems that installed packages bring: entry points of the group ``eec_datasets.systems``.

The value of an entry point is a function that takes `SystemOptions` and returns a `System`. Plug-ins are found without
importing them; one is loaded when it is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from eec_datasets.errors import EecError, Unavailable
from eec_datasets.systems.base import System, SystemOptions

GROUP: Final = "eec_datasets.systems"


@dataclass(frozen=True, slots=True)
class Plugin:
    """A system that a package brings under a name of its own."""

    name: str
    package: str
    version: str
    entry: EntryPoint

    def __str__(self) -> str:
        return f"{self.package} {self.version} ({self.entry.value})"


def find_plugins() -> list[Plugin]:
    """Return the plug-ins of all installed packages, sorted by name; none of them is imported."""
    found = [
        Plugin(entry.name, entry.dist.name, entry.dist.version, entry)
        for entry in entry_points(group=GROUP)
        if entry.dist is not None
    ]
    return sorted(found, key=lambda plugin: (plugin.name, plugin.package))


def load(plugins: Sequence[Plugin], options: SystemOptions) -> System:
    """Load the plug-in of a name.

    Parameters
    ----------
    plugins
        The plug-ins of that name; there must be one.
    options
        What it is opened with.

    Raises
    ------
    Unavailable
        Two packages have a plug-in of this name, or it cannot be imported, or it returns no system of this name.
    """
    plugin = plugins[0]
    where = f"system {plugin.name}, from {plugin}"
    if len(plugins) > 1:
        raise Unavailable(
            f"system {plugin.name}: {' and '.join(map(str, plugins))} both have a system of this name. Uninstall one "
            "of the packages."
        )
    try:
        system = plugin.entry.load()(options)
    except (KeyboardInterrupt, EecError):
        raise
    except BaseException as error:  # the code of a plug-in may raise anything
        raise Unavailable(f"{where}: loading it raised {type(error).__name__}: {error}.") from error
    if not isinstance(system, System):
        raise Unavailable(f"{where}: it returned {type(system).__name__}; expected an eec_datasets.System.")
    if system.name != plugin.name:
        raise Unavailable(
            f"{where}: its system is called {system.name!r}; expected {plugin.name!r}, as the entry point."
        )
    return replace(system, fingerprint=system.fingerprint or f"{plugin.package}=={plugin.version}")
