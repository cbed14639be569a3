"""The file of a census: which programs there are, how each is installed, and which systems it has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

from eec_datasets.census.kinds import Kind
from eec_datasets.errors import FileProblems, Place, Problems
from eec_datasets.given_file import read_given
from eec_datasets.systems.hearing import LISTS

PLACEHOLDER: Final = "999."
"""Beginning of versions under which packages without content hold a name."""

NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
PINNED: Final = re.compile(r"(@?[\w./-]+?)(==|@|<|<=)([\w.]+)")

KEYS: Final = {
    "pypi", "npm", "here", "licence", "list_licence", "kind", "systems", "build", "dependencies", "slow",
    "adapter",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CensusSystem:
    """A system of a program in one language.

    Attributes
    ----------
    name
        ``asent-es``; names its row.
    system, language
        Parts of the name.
    program
        Name of its program.
    """

    name: str
    system: str
    language: str
    program: str


@dataclass(frozen=True, slots=True)
class CensusProgram:
    """A program: packages that are installed together, and an adapter that serves its systems.

    Attributes
    ----------
    name
        Names its environment, lock and row.
    manager
        ``pypi``, ``npm``, or ``here`` for a system of eec_datasets in the environment that eec runs in.
    packages
        With their versions; the first is the program itself.
    licence, list_licence
        Of its code and of its word list.
    kind
        See `Kind`.
    systems
        Its systems, one for each language.
    adapter
        File that serves them.
    build
        Whether packages may be built from source, which runs code of theirs.
    dependencies
        Whether what the packages depend on is installed.
    slow
        Whether a part of the sentences is scored.
    """

    name: str
    manager: str
    packages: tuple[str, ...]
    licence: str
    list_licence: str
    kind: Kind
    systems: tuple[CensusSystem, ...]
    adapter: Path
    build: bool = False
    dependencies: bool = True
    slow: bool = False

    @property
    def version(self) -> str:
        """The program with its version, such as ``asent 0.8.3``."""
        name, _, version = self.packages[0].removeprefix("@").replace("==", "@").partition("@")
        return f"{name} {version}"


@dataclass(frozen=True, slots=True)
class Census:
    """All programs of a file.

    Attributes
    ----------
    file
        Where it is; locks and adapters are in its folder.
    python
        Version of Python of the environments.
    exclude_newer
        Day after which packages are too new to be locked.
    programs
        By their order in the file.
    """

    file: Path
    python: str
    exclude_newer: str
    programs: tuple[CensusProgram, ...]

    @property
    def folder(self) -> Path:
        """Folder of the file."""
        return self.file.absolute().parent

    @property
    def systems(self) -> list[CensusSystem]:
        """All systems of all programs."""
        return [system for program in self.programs for system in program.systems]


def read_census(file: Path) -> Census:
    """Read the file of a census.

    Raises
    ------
    FileProblems
        Everything that is wrong with it.
    """
    problems = Problems()
    text = read_given(file).decode(errors="replace")
    lines = text.splitlines()

    def report(name: str, what: str, fix: str) -> None:
        line = next((number for number, each in enumerate(lines, 1) if each.strip() == f"[programs.{name}]"), 1)
        problems.add(Place(str(file), line), f"{name}: {what}" if name else what, fix)

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        report("", f"it is no TOML: {error}", "Write it as census/census.toml is")
        table = {}
    named = table.get("programs")
    if not problems.found and not (isinstance(named, dict) and named):
        report("", "it names no program", "Add a table [programs.NAME]")
        named = {}
    programs = [
        program
        for name, facts in (named or {}).items()
        if (program := _program(name, facts, file.absolute().parent, report)) is not None
    ]
    names = [system.name for program in programs for system in program.systems]
    for name in sorted({name for name in names if names.count(name) > 1}):
        report("", f"two systems are called {name}", "Give each a name of its own")
    if problems.found:
        raise FileProblems(f"census {file}", problems.found)
    return Census(file, str(table.get("python", "3.11")), str(table.get("exclude_newer", "")), tuple(programs))


def _program(name: str, facts: Any, folder: Path, report: Any) -> CensusProgram | None:
    """Read one program; report what is wrong and return None if something is."""
    wrong = list(_faults(name, facts, folder))
    for what, fix in wrong:
        report(name, what, fix)
    if wrong:
        return None
    (manager,) = {"pypi", "npm", "here"} & facts.keys()
    return CensusProgram(
        name,
        manager,
        tuple(facts[manager]),
        facts["licence"],
        facts.get("list_licence", facts["licence"]),
        facts["kind"],
        tuple(_systems(name, facts)),
        _adapter(name, facts, folder),
        bool(facts.get("build")),
        facts.get("dependencies", True),
        bool(facts.get("slow")),
    )


def _systems(program: str, facts: Mapping[str, Any]) -> Iterator[CensusSystem]:
    for system, languages in facts["systems"].items():
        for language in languages:
            name = system if system.endswith(f"-{language}") else f"{system}-{language}"
            yield CensusSystem(name, system, language, program)


def _adapter(name: str, facts: Mapping[str, Any], folder: Path) -> Path:
    suffix = ".mjs" if "npm" in facts else ".py"
    return folder / "adapters" / str(facts.get("adapter", f"{name}{suffix}"))


def _faults(name: str, facts: Any, folder: Path) -> Iterator[tuple[str, str]]:
    if not isinstance(facts, dict) or not NAME.fullmatch(name):
        yield "it is no table with a name of small letters, digits and -", "Write [programs.NAME]"
        return
    if unknown := sorted(facts.keys() - KEYS):
        yield f"unknown keys {', '.join(unknown)}", f"There are {', '.join(sorted(KEYS))}"
    managers = {"pypi", "npm", "here"} & facts.keys()
    if len(managers) != 1:
        yield "expected packages under one of the keys pypi, npm, here", "Add the key with a list of packages"
        return
    (manager,) = managers
    yield from _faults_of_packages(manager, facts[manager])
    if facts.get("kind") not in get_args(Kind):
        yield f"kind is {facts.get('kind')!r}", f"Choose one of {', '.join(get_args(Kind))}"
    if not isinstance(facts.get("licence"), str):
        yield "it has no licence", 'Add licence = "…", also if it says none: "none stated"'
    yield from _faults_of_systems(facts.get("systems"))
    adapter = _adapter(name, facts, folder)
    if manager != "here" and not adapter.is_file():
        yield f"there is no adapter {adapter}", "Write it (docs/systems.md), or name it under adapter"


def _faults_of_packages(manager: str, packages: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(packages, list) or not packages:
        yield f"{manager} is {packages!r}", "List packages with their versions"
        return
    for package in packages:
        pinned = PINNED.fullmatch(str(package))
        if pinned is None:
            yield f"{package!r} has no version", "Write NAME==VERSION for PyPI, NAME@VERSION for npm"
        elif pinned[3].startswith(PLACEHOLDER):
            yield f"{package!r} is a placeholder, which holds a name and has no content", "Name another package"


def _faults_of_systems(systems: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(systems, dict) or not systems or not all(isinstance(tags, list) for tags in systems.values()):
        yield f"systems is {systems!r}", 'Name each with its languages: systems = { vader = ["en"] }'
        return
    for system, tags in systems.items():
        for tag in tags:
            if tag not in LISTS:
                yield f"{system}: there is no list in the language {tag!r}", f"Choose from {', '.join(LISTS)}"
