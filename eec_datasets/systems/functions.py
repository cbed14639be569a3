"""A user's own Python function as a system: ``package.module:function``."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import sys
import typing
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from eec_datasets.errors import SystemFailed, Unavailable
from eec_datasets.systems.base import Batch, Options, System


def load(spec: str, options: Options) -> System:
    """Import a function and wrap it as a system.

    The function takes a list of sentences and returns as many numbers, or takes one sentence and returns
    one number. Its annotation decides; without one it is tried on the first two sentences it is to score.

    Parameters
    ----------
    spec
        ``package.module:function``; folders of ``options.path`` are searched first.

    Raises
    ------
    Unavailable
        The module cannot be imported, or has no such function.
    """
    module_name, _, name = spec.partition(":")
    sys.path[:0] = [folder for folder in options.path if folder not in sys.path]
    try:
        module = importlib.import_module(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a user's module may fail in any way while it is imported
        raise Unavailable(
            f"system {spec}: importing {module_name} raised {type(error).__name__}: {error}. "
            f"Looked in {', '.join(options.path) or 'the installed packages'} first."
        ) from error
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        raise Unavailable(f"system {spec}: module {module_name} has no function {name}.")
    score = _Caller(spec, function)
    return System(spec, score, options.declared(), _fingerprint(module), batch_size=options.batch_size or 64)


class _Caller:
    """Calls the function with lists or with single sentences, whichever it takes."""

    def __init__(self, spec: str, function: Callable[[Any], Any]) -> None:
        self.spec = spec
        self.function = function
        self.takes_list = _annotated(function)

    def __call__(self, batch: Batch) -> list[float]:
        texts = list(batch["text"])
        if self.takes_list is None:
            self.takes_list = self._probe(texts[:2])
        return list(self.function(texts)) if self.takes_list else [self.function(text) for text in texts]

    def _probe(self, texts: list[str]) -> bool:
        failures = []
        for takes_list, argument, what in ((True, texts, "a list of sentences"), (False, texts[0], "one sentence")):
            try:
                answer = self.function(argument)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # either way of calling may be the wrong one
                failures.append(f"called with {what} it raised {type(error).__name__}: {error}")
                continue
            several = _is_sequence(answer)
            if takes_list == several and not (isinstance(answer, str) or (several and len(list(answer)) != len(texts))):
                return takes_list
            shape = "a sequence of another length" if several else type(answer).__name__
            failures.append(f"called with {what} it returned {shape}")
        raise SystemFailed(
            f"{self.spec} must take a list of sentences and return as many numbers, or take one sentence "
            f"and return one number; {'; '.join(failures)}."
        )


def _is_sequence(answer: object) -> bool:
    """Whether an answer holds several; a scalar array (``numpy.array(0.5)``) is Iterable by type only."""
    return isinstance(answer, Iterable) and not isinstance(answer, str) and getattr(answer, "ndim", 1) != 0


def _annotated(function: Callable[[Any], Any]) -> bool | None:
    """Whether the first parameter is annotated as many sentences, as one, or not at all (None)."""
    try:
        parameters = list(inspect.signature(function).parameters)
        hints = typing.get_type_hints(function)
    except (TypeError, ValueError, NameError):
        return None
    hint = hints.get(parameters[0]) if parameters else None
    return None if hint is None or hint is Any else hint is not str


def _fingerprint(module: object) -> str:
    source = getattr(module, "__file__", None)
    if source is None:
        return "module without a file"
    return f"{Path(source).name} sha256:{hashlib.sha256(Path(source).read_bytes()).hexdigest()[:16]}"
