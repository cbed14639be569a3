"""A user's own Python function as a system: ``package.module:function``."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import os
import re
import sys
import typing
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from eec_datasets.errors import CallFailed, SystemFailed, Unavailable
from eec_datasets.systems.base import UNIT, Batch, Scores, System, SystemOptions
from eec_datasets.systems.declared import Declared, read_declared
from eec_datasets.systems.emitted import chosen_label, is_output, range_of_labels, scores_of

DECLARED: Final = "eec_system"
"""A function, or its module, may declare itself by this dict, see `read_declared`; its own key is concurrency."""

DECLARED_KEYS: Final = ("name", "version", "concurrency", "languages", "score_range", "high_means")

AT_ONCE: Final = 16
"""Calls of an async function that run at once where it does not say how many may."""

NO_LIST: Final = (str, bytes, Set, Mapping)
"""Types that Python goes through like a list of numbers, although they are none."""

SETTING: Final = re.compile(r"\b[A-Z][A-Z0-9_]{2,}\b")
SECRET: Final = re.compile("KEY|TOKEN|SECRET|PASS|CREDENTIAL")


def load(spec: str, options: SystemOptions) -> System:
    """Import a function and wrap it as a system.

    The function takes a list of sentences and returns as many numbers, or takes one sentence and returns
    one number. Its annotation decides; without one it is tried on the first two sentences it is to score, and an
    async one takes one sentence. In the place of a number it may return what a pipeline of transformers emits.

    Parameters
    ----------
    spec
        ``package.module:function``; folders of ``options.path`` are searched first.
    options
        ``positive_class`` or ``classes`` for the output of a pipeline, else ``score_range``; ``batch_size``.

    Raises
    ------
    Unavailable
        The module cannot be imported, has no such function, or declares it in another way than `DECLARED` says.
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
    return _system(spec, module, function, options)


def _system(spec: str, module: ModuleType, function: Callable[[Any], Any], options: SystemOptions) -> System:
    facts, declared = _declaration(spec, module, function)
    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
    # Of an async function only the annotation tells.
    takes_list = bool(_annotated(function)) if is_async else _annotated(function)

    def called(batch: Batch) -> Scores:
        nonlocal takes_list
        texts = list(batch["text"])
        if takes_list is None:
            takes_list = _probe(spec, function, texts[:2])
        if takes_list:
            return scores_of(spec, _listed(spec, function(texts)), options)
        return (scores_of(spec, [function(text)], options)[0] for text in texts)

    async def awaited(batch: Batch) -> Scores:
        texts = list(batch["text"])
        answers = _listed(spec, await function(texts)) if takes_list else [await function(text) for text in texts]
        return scores_of(spec, answers, options)

    name, typed = declared.name, spec
    if label := chosen_label(options):
        name, typed = f"{name}[{label}]", f"{spec}[{label}]"
    return System(
        name,
        awaited if is_async else called,
        range_of_labels(options) or options.score_range or declared.score_range or UNIT,
        declared.version if facts else _fingerprint(module),
        languages=declared.languages,
        batch_size=options.batch_size or (1 if takes_list is False else 64),
        spec=typed,
        origin="" if facts else _folder(module),
        concurrency=int(facts.get("concurrency", AT_ONCE if is_async else 1)),
        high_means=declared.high_means,
    )


def _declaration(spec: str, module: ModuleType, function: Callable[[Any], Any]) -> tuple[Mapping[str, Any], Declared]:
    """Return the table that a function, else its module, declares, empty without one, and what it says.

    If a module declares its functions, the name of the function is part of the name.

    Raises
    ------
    Unavailable
        It is no dict with a name and a version, or says something that cannot be.
    """
    facts = getattr(function, DECLARED, None)
    of_module = facts is None
    facts = getattr(module, DECLARED, None) if of_module else facts
    if facts is None:
        return {}, Declared(spec, "")
    try:
        if not isinstance(facts, dict) or set(facts) - set(DECLARED_KEYS):
            raise ValueError(f"expected a dict with some of the keys {', '.join(DECLARED_KEYS)}")
        concurrency = facts.get("concurrency", 1)
        if type(concurrency) is not int or concurrency < 1:
            raise ValueError(f"concurrency is {concurrency!r}; expected a whole number from 1")
        declared = read_declared(facts, "score_range")
    except ValueError as error:
        raise Unavailable(
            f'system {spec}: {DECLARED} is {facts!r}: {error}. Declare at least {{"name": "…", "version": "…"}}.'
        ) from error
    if of_module:
        declared = replace(declared, name=f"{declared.name}:{spec.partition(':')[2]}")
    return facts, declared


def _listed(spec: str, answer: Any) -> list[float | None]:
    """The scores of a list; a set has no order, and the keys of a dict are no scores."""
    if not _is_sequence(answer):
        raise SystemFailed(
            f"{spec} returned {type(answer).__name__} for a list of sentences; expected a list of as many numbers, in "
            "the same order."
        )
    return list(answer)


def _probe(spec: str, function: Callable[[Any], Any], texts: list[str]) -> bool:
    """Find out whether a function takes a list of sentences or one sentence."""
    failures, raised = [], 0
    for takes_list, argument, form in ((True, texts, "a list of sentences"), (False, texts[0], "one sentence")):
        try:
            answer = function(argument)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # either way of calling may be the wrong one
            failures.append(f"called with {form} it raised {type(error).__name__}: {error}")
            raised += 1
            continue
        several = _is_sequence(answer)
        odd = isinstance(answer, NO_LIST) or (several and len(list(answer)) != len(texts))
        if (takes_list == several and not odd) or (not takes_list and is_output(answer)):
            return takes_list
        shape = "a sequence of another length" if several else type(answer).__name__
        failures.append(f"called with {form} it returned {shape}")
    message = (
        f"{spec} must take a list of sentences and return as many numbers, or take one sentence and return one "
        f"number; {'; '.join(failures)}."
    )
    # It may be this sentence that it cannot score, and no other.
    raise CallFailed(message) if raised == len(failures) else SystemFailed(message)


def _is_sequence(answer: object) -> bool:
    """Return whether an answer is a sequence of several; a scalar array (``numpy.array(0.5)``) is none."""
    return isinstance(answer, Iterable) and not isinstance(answer, NO_LIST) and getattr(answer, "ndim", 1) != 0


def _annotated(function: Callable[[Any], Any]) -> bool | None:
    """Return whether the first parameter is annotated as many sentences, as one, or not at all (None)."""
    try:
        parameters = list(inspect.signature(function).parameters)
        hints = typing.get_type_hints(function)
    except (TypeError, ValueError, NameError):
        return None
    hint = hints.get(parameters[0]) if parameters else None
    return None if hint is None or hint is Any else hint is not str


def _folder(module: ModuleType) -> str:
    """Return the folder of a module, which has none if it was made in memory."""
    source = getattr(module, "__file__", None)
    return os.fsencode(Path(source).resolve().parent).decode(errors="backslashreplace") if source else ""


def _fingerprint(module: ModuleType) -> str:
    """Hash the file of a module, of those beside it that it uses, and the settings they name in the environment."""
    source = getattr(module, "__file__", None)
    if source is None:
        return "module without a file"
    digest = hashlib.sha256()
    settings: set[str] = set()
    for file in sorted(_files(module, Path(source).parent)):
        content = file.read_bytes()
        digest.update(hashlib.sha256(content).digest())
        settings |= set(SETTING.findall(content.decode(errors="replace")))
    for name in sorted(settings & set(os.environ)):
        if not SECRET.search(name):
            digest.update(hashlib.sha256(f"{name}={os.environ[name]}".encode(errors="replace")).digest())
    return f"{Path(source).name} sha256:{digest.hexdigest()[:16]}"


def _files(module: ModuleType, folder: Path) -> set[Path]:
    """Return the files of a module and, in its folder, of all that it imports or takes names from."""
    files: set[Path] = set()
    waiting = [module.__name__]
    while waiting:
        name = waiting.pop()
        item = sys.modules.get(name)
        # One that is imported only when the function is called is known by its name.
        path = folder / name.removeprefix(f"{module.__package__}.").replace(".", "/")
        file = path / "__init__.py" if path.is_dir() else path.with_name(f"{path.name}.py")
        file = Path(getattr(item, "__file__", None) or "") if item else file
        if file in files or not file.is_file() or not file.is_relative_to(folder):
            continue
        if "site-packages" in file.relative_to(folder).parts:  # an environment in the folder holds others' work
            continue
        files.add(file)
        values = vars(item).values() if item else ()
        used = [v.__name__ if isinstance(v, ModuleType) else getattr(v, "__module__", "") for v in values]
        package = item.__package__ if item else module.__package__
        waiting += [*filter(lambda each: isinstance(each, str) and each in sys.modules, used), *_imports(file, package)]
    return files


def _imports(file: Path, package: str | None) -> set[str]:
    """Return what the text of a module imports, constants included, of which nothing else tells where they are from."""
    names: set[str] = set()
    with contextlib.suppress(SyntaxError, ValueError, ImportError):  # a library without a text
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                source = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
                names |= {source, *(f"{source}.{each.name}" for each in node.names)}
    return names
