"""Environments of programs: locked with hashes, and installed below the cache."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from eec_bias.shared import write_over
from eec_datasets.census.programs import Census, CensusProgram
from eec_datasets.errors import InputError, SystemFailed, Unavailable

DONE: Final = ".installed"
"""File in an environment that is complete."""

LOCKING: Final = 600.0
INSTALLING: Final = 1800.0
"""Seconds that locking and installing one program may take."""

SHOWN: Final = 600
"""Characters of what an installer said that a message shows."""

PASSED: Final = ("PATH", "HOME", "LANG", "TMPDIR", "XDG_CACHE_HOME", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY",
                 "SSL_CERT_FILE", "UV_INDEX_URL", "PIP_INDEX_URL", "NPM_CONFIG_REGISTRY")  # fmt: skip
"""Variables of the environment that an installer gets."""


@dataclass(frozen=True, slots=True)
class InstalledPackage:
    """A package of a lock, with the number of its hashes."""

    name: str
    version: str


def lock_path(census: Census, program: CensusProgram) -> Path:
    """Return where the lock of a program is."""
    suffix = "package-lock.json" if program.manager == "npm" else "txt"
    return census.folder / "locks" / f"{program.name}.{suffix}"


def locked_packages(lock: Path) -> list[InstalledPackage]:
    """Return the packages that a lock names."""
    if lock.suffix == ".json":
        packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
        return [
            InstalledPackage(path.rpartition("node_modules/")[2], facts["version"])
            for path, facts in packages.items()
            if path
        ]
    pins = [line.split(" ")[0] for line in lock.read_text(encoding="utf-8").splitlines() if "==" in line]
    return [InstalledPackage(*pin.split("==")) for pin in pins if not pin.startswith("#")]


def make_lock(census: Census, program: CensusProgram) -> None:
    """Ask the registry which versions and hashes a program needs, and write its lock; nothing is installed."""
    lock = lock_path(census, program)
    with tempfile.TemporaryDirectory() as folder:
        if program.manager == "npm":
            _run(
                [_npm(), "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund",
                 "--save-exact", *_before(census), *program.packages],
                Path(folder), LOCKING, program,
            )  # fmt: skip
            content = Path(folder, "package-lock.json").read_text(encoding="utf-8")
        else:
            Path(folder, "in.txt").write_text("\n".join(program.packages), encoding="utf-8")
            options = ["--no-deps"] if not program.dependencies else []
            if census.exclude_newer:
                options += ["--exclude-newer", census.exclude_newer]
            _run(
                [_uv(), "pip", "compile", "--quiet", "--generate-hashes", "--no-header", "--no-annotate",
                 "--python-version", census.python, *options, "in.txt", "--output-file", "out.txt"],
                Path(folder), LOCKING, program,
            )  # fmt: skip
            content = Path(folder, "out.txt").read_text(encoding="utf-8")
    lock.parent.mkdir(parents=True, exist_ok=True)
    write_over({lock: content})


def environment(census: Census, program: CensusProgram) -> Path:
    """Return the folder of a program's environment, which is named after its lock.

    Raises
    ------
    InputError
        There is no lock, or it no longer matches the packages of the file.
    """
    import platformdirs

    lock = lock_path(census, program)
    if not lock.is_file():
        raise InputError(f"{program.name} has no lock {lock}. Run eec census with --lock.")
    check_lock(program, lock)
    return platformdirs.user_cache_path("eec-datasets", appauthor=False) / "census" / f"{program.name}-{_digest(lock)}"


def check_lock(program: CensusProgram, lock: Path) -> None:
    """Refuse a lock that does not hold the packages of the file at their versions."""
    locked = {package.name.lower().replace("_", "-"): package.version for package in locked_packages(lock)}
    for package in program.packages:
        name, exact, wanted = package.rpartition("@") if program.manager == "npm" else package.partition("==")
        if not exact:  # an upper bound
            continue
        found = locked.get(name.lower().replace("_", "-"))
        if found is None or (found != wanted and not found.startswith(f"{wanted}.")):
            raise InputError(
                f"{program.name}: {lock} no longer matches: it has {found or 'nothing'} for {package}. Run eec census "
                "with --lock, and compare the new scores."
            )


def is_installed(census: Census, program: CensusProgram) -> bool:
    """Tell if a program can be run without installing anything."""
    if program.manager == "here":
        return not _lacking(program)
    return (environment(census, program) / DONE).is_file()


def install(census: Census, program: CensusProgram) -> None:
    """Install a program from its lock, unless it is installed.

    Raises
    ------
    InputError
        It cannot be installed; what the installer said is in the message.
    Unavailable
        uv, npm or the version of Python is missing.
    """
    if program.manager == "here":
        if lacking := _lacking(program):
            raise Unavailable(f"{program.name} needs {', '.join(lacking)} where eec runs. Install it with pip.")
        return
    folder, lock = environment(census, program), lock_path(census, program)
    if (folder / DONE).is_file():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if program.manager == "npm":
        shutil.copyfile(lock, folder / "package-lock.json")
        root = json.loads(lock.read_text(encoding="utf-8"))["packages"][""]
        (folder / "package.json").write_text(json.dumps({"private": True, **root}), encoding="utf-8")
        _run([_npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder, INSTALLING, program)
    else:
        _run([_uv(), "venv", "--quiet", "--python", census.python, "."], folder, INSTALLING, program)
        options = [] if program.build else ["--only-binary", ":all:"]
        if census.exclude_newer:
            options += ["--exclude-newer", census.exclude_newer]
        _run(
            [_uv(), "pip", "install", "--quiet", "--python", "bin/python", "--require-hashes", "--no-deps", *options,
             "-r", str(lock)],
            folder, INSTALLING, program,
        )  # fmt: skip
    (folder / DONE).write_text("", encoding="utf-8")


def megabytes(folder: Path) -> float:
    """Return the size of a folder."""
    sizes = (path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(sizes) / 1e6


def command_of(census: Census, program: CensusProgram, system: str, language: str) -> list[str]:
    """Return the command that serves a system."""
    folder = environment(census, program)
    if program.manager == "npm":
        node = shutil.which("node")
        if node is None:
            raise Unavailable(f"{program.name} needs node, which is not installed.")
        return [node, str(program.adapter), str(folder), system, language]
    return [str(folder / "bin" / "python"), str(program.adapter), system, language]


def _lacking(program: CensusProgram) -> list[str]:
    lacking = []
    for package in program.packages:
        name, _, wanted = package.partition("==")
        try:
            found = version(name)
        except PackageNotFoundError:
            found = ""
        if found != wanted:
            lacking.append(package)
    return lacking


def _digest(lock: Path) -> str:
    return hashlib.sha256(lock.read_bytes()).hexdigest()[:12]


def _before(census: Census) -> list[str]:
    return [f"--before={census.exclude_newer}"] if census.exclude_newer else []


def _uv() -> str:
    beside = Path(sys.executable).with_name("uv")
    found = str(beside) if beside.is_file() else shutil.which("uv")
    if found is None:
        raise Unavailable("Installing programs needs uv. Install it with: pip install 'eec-datasets[census]'")
    return found


def _npm() -> str:
    found = shutil.which("npm")
    if found is None:
        raise Unavailable("Installing programs of npm needs npm, which comes with node.")
    return found


def _run(command: Sequence[str], folder: Path, seconds: float, program: CensusProgram) -> None:
    """Run an installer with an environment that has no keys in it."""
    settings: dict[str, Any] = {name: os.environ[name] for name in PASSED if name in os.environ}
    settings["UV_PYTHON_DOWNLOADS"] = "never"
    doing = f"{program.name}: {Path(command[0]).name} {' '.join(command[1:3])}"
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=settings,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SystemFailed(f"{doing} took more than {seconds:g} seconds.") from None
    if done.returncode:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()
        raise SystemFailed(f"{doing} ended with exit code {done.returncode}: {said[-SHOWN:]}")
