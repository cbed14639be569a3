"""``eec census``: many systems, each in an environment of its own, in one table."""

from __future__ import annotations

import functools
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eec_bias.shared import wrapped
from eec_datasets.cli.command import command
from eec_datasets.cli.given import GIVEN_FILE
from eec_datasets.cli.options import FOLDER, OVERWRITE, option, repeated, switch
from eec_datasets.cli.output import columns, heading, progress, say
from eec_datasets.errors import EecError, InputError, Interrupted, SystemFailed

if TYPE_CHECKING:
    from eec_datasets.census.measuring import ScoredSystem
    from eec_datasets.census.programs import Census, CensusProgram
    from eec_datasets.census.scoring import CensusTexts
    from eec_datasets.systems.store import Store


@command(needs={"--labels": "--out", "--overwrite": "--out"})
@click.argument("file", type=GIVEN_FILE)
@repeated("--program", "names", "NAME", "Only this program; may be repeated.")
@switch("--lock", "Ask PyPI and npm for versions and hashes, and write the lock files.")
@switch("--install", "Install the programs from their lock files, each in a separate environment.")
@option("--labels", "FILE", "CSV of texts with known answers, to measure accuracy: language, text, label (1 or 0).",
        type=GIVEN_FILE)  # fmt: skip
@option("--out", None, "Score the installed systems, and write the table and the page to this folder.", type=FOLDER)
@OVERWRITE
def census(
    file: Path,
    names: tuple[str, ...],
    lock: bool,
    install: bool,
    labels: Path | None,
    out: Path | None,
    overwrite: bool,
) -> None:
    """Score many systems on sentences in their languages. Each system gets a separate environment.

    FILE lists programs on PyPI and npm, as census/census.toml does. Without an option the command prints the plan:
    packages, versions, licences, and packages that are built from source. It then downloads, installs and runs nothing.

    --lock writes lock files next to FILE, with the version and hash of every package. --install installs the locked
    packages below your cache folder. It installs wheels only, unless FILE allows a build from source, and runs no
    install scripts of npm. If a lock does not fit FILE, the command stops with an error.

    --out scores and measures the installed systems. Programs run in an empty folder, without keys and, if this machine
    allows it, without network. We store scores as they arrive, so you can run the same command again to go on. If a
    program fails, its row says so, and the exit code is 1 at the end. OUT gets census.csv and census.html. For each
    project whose word list lacks forms for women, the folder issues/ gets a text that you can check and send.

    \b
    Examples:
      eec census census/census.toml
      eec census census/census.toml --lock --program vader
      eec census census/census.toml --install --out census-out
    """
    from eec_datasets.census.programs import read_census

    given = read_census(file)
    programs = [program for program in given.programs if not names or program.name in names]
    if unknown := set(names) - {program.name for program in programs}:
        known = ", ".join(program.name for program in given.programs)
        raise InputError(f"{file} has no program {', '.join(sorted(unknown))}. It has {known}.")
    if not (lock or install or out):
        _say_plan(given, programs)
        return
    if out is not None:
        from eec_bias.shared import check_folder

        check_folder(out, "census", overwrite=overwrite)
    failed = _prepare(given, programs, lock=lock, install=install)
    if out is not None:
        failed |= _score(given, programs, failed, labels, out, overwrite=overwrite)
    if failed:
        raise SystemFailed(f"{len(failed)} of {len(programs)} programs failed: {', '.join(sorted(failed))}. See above.")


def _say_plan(given: Census, programs: list[CensusProgram]) -> None:
    from eec_datasets.census.environments import environment, is_installed, lock_path, locked_packages, megabytes

    for program in programs:
        facts = [f"code {program.licence}", f"list {program.list_licence}", program.kind]
        if program.build:
            facts.append("builds from source, which runs code of the package")
        try:
            if program.manager != "here":
                facts.append(f"{len(locked_packages(lock_path(given, program)))} packages in its lock")
            if is_installed(given, program):
                size = "" if program.manager == "here" else f", {megabytes(environment(given, program)):.0f} MB"
                facts.append(f"installed{size}")
            else:
                facts.append("not installed")
        except (EecError, OSError):
            facts.append("no lock that fits: --lock")
        say(heading(program.name, ", ".join(program.packages)), styled=True)
        systems = ", ".join(system.name for system in program.systems)
        say(wrapped(f"{'; '.join(facts)}. Systems: {systems}", columns(), "    "))
    count = sum(len(program.systems) for program in programs)
    say(wrapped(f"{len(programs)} programs, {count} systems. Nothing was installed: --lock, --install and --out do "
                "what they say.", columns()))  # fmt: skip


def _prepare(given: Census, programs: list[CensusProgram], *, lock: bool, install: bool) -> dict[str, str]:
    """Lock and install; return the reasons of the programs that failed."""
    from eec_datasets.census import environments

    failed: dict[str, str] = {}
    for program in programs:
        try:
            if lock and program.manager != "here":
                environments.make_lock(given, program)
                say(f"{program.name}: locked", err=True)
            if install:
                environments.install(given, program)
                say(f"{program.name}: installed", err=True)
        except EecError as error:
            say(f"{program.name} failed: {error}", err=True)
            failed[program.name] = str(error)
    return failed


def _score(
    given: Census,
    programs: list[CensusProgram],
    failed: dict[str, str],
    labels: Path | None,
    out: Path,
    *,
    overwrite: bool,
) -> dict[str, str]:
    """Score and measure, write the table and the page, and return the reasons of the programs that failed."""
    from eec_bias.shared import write_folder
    from eec_datasets.census.measuring import measure_systems
    from eec_datasets.census.scoring import answers_path, texts_of
    from eec_datasets.census.table import as_record, to_csv
    from eec_datasets.report.census import render_census, write_issue
    from eec_datasets.systems.hearing import LISTS
    from eec_datasets.systems.labelled import read_labelled_texts
    from eec_datasets.systems.program import without_network
    from eec_datasets.systems.store import Store

    if not without_network():
        say("Note: this machine cannot cut the network of the programs, so they could use it.", err=True)
    known = read_labelled_texts(labels, tuple(LISTS)) if labels else {}

    @functools.cache
    def texts(language: str, slow: bool) -> CensusTexts:
        return texts_of(language, known, slow=slow)

    with Store(answers_path()) as store:
        scored = [
            _scored(given, program, number, failed.get(program.name, ""), texts, store)
            for program in programs
            for number in range(len(program.systems))
        ]
    rows = measure_systems(scored)
    records = [as_record(row) for row in rows]
    page = render_census(records, f"{datetime.now(UTC):%-d %B %Y}")
    contents = {"census.csv": to_csv(rows).encode(), "census.html": page.encode()}
    for program in programs:
        own = [row for row in rows if row.program == program.name]
        if muted := {row.system: row.muted for row in own if len(row.muted) > 1}:
            text = write_issue(program.name, program.version, muted)
            contents[f"issues/{program.name}.md"] = text.encode()
    write_folder(out, contents, "census", overwrite=overwrite)
    say(f"{len(rows)} systems: {out / 'census.csv'}, {out / 'census.html'}")
    return {each.program.name: each.failure for each in scored if each.failure}


def _scored(
    given: Census,
    program: CensusProgram,
    number: int,
    failure: str,
    texts: functools._lru_cache_wrapper[CensusTexts],
    store: Store,
) -> ScoredSystem:
    """Score one system; a failure is kept."""
    from eec_datasets.census.measuring import ScoredSystem
    from eec_datasets.census.scoring import open_census_system, score_texts

    system = program.systems[number]
    wanted: CensusTexts = texts(system.language, program.slow)
    if failure:
        return ScoredSystem(system, program, wanted, failure=failure)
    try:
        opened = open_census_system(given, program, system)
        every = wanted.all()
        with progress(system.name, len(every)) as bar:
            scores = score_texts(opened, every, store, bar)
    except Interrupted:
        raise
    except EecError as error:
        say(f"{system.name} failed: {error}", err=True)
        return ScoredSystem(system, program, wanted, failure=str(error))
    low, high = (None if math.isinf(limit) else limit for limit in opened.score_range)
    return ScoredSystem(system, program, wanted, program.version, (low, high), scores)
