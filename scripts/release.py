"""Check a whole release and show all that would be sent; with ``--send``, publish it on the Hub.

``python scripts/release.py ORG [--send]``. The package goes to PyPI by the workflow that its tag starts, and not from
here. Nothing is sent before every check has passed.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from release_check import ROOT, SECTION

DRY = "--dry-run"


@dataclass(frozen=True, slots=True)
class Step:
    """One part of a release: what it is, the command that checks it, and the one that sends it, if any."""

    title: str
    check: tuple[str, ...]
    send: tuple[str, ...] = ()


def versions(root: Path = ROOT) -> tuple[str, str]:
    """Return the versions of the package and of the corpora, as their files say them."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    corpora = tomllib.loads((root / "locales" / "corpus.toml").read_text(encoding="utf-8"))
    return str(project["version"]), str(corpora["version"])


def steps(organization: str, package: str, corpora: str, python: str = sys.executable) -> list[Step]:
    """Return the steps of a release in order.

    Parameters
    ----------
    organization
        Who owns the dataset ``eec`` and the Space ``eec_bias`` on the Hub.
    package, corpora
        Versions.
    python
        The interpreter that has the package.
    """
    eec = (python, "-m", "eec_datasets")
    wheel = f"dist/eec_datasets-{package}-py3-none-any.whl"
    dataset = (*eec, "publish", "dataset", "--repo", f"{organization}/eec", "--tag", f"v{corpora}")
    metric = (*eec, "publish", "metric", "--repo", f"{organization}/eec_bias", "--tag", f"v{package}", "--wheel", wheel)
    return [
        Step(f"The package: versions, changelog, tag v{package}", (python, "scripts/release_check.py", f"v{package}")),
        Step("The wheel and the sdist", (python, "-m", "build", "--no-isolation", "--outdir", "dist")),
        Step("The dependencies: known vulnerabilities, and the bill of materials", ("./scripts/dependencies",)),
        Step(f"The corpora: dataset {organization}/eec, tag v{corpora}", (*dataset, DRY), dataset),
        Step(f"The metric: Space {organization}/eec_bias, tag v{package}", (*metric, DRY), metric),
    ]


def changes(package: str, root: Path = ROOT) -> str:
    """Return the section of the changelog for a version; nothing where there is none."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(SECTION.format(version=re.escape(package)), text, flags=re.MULTILINE | re.DOTALL)
    return section[1].strip() if section else ""


def built(package: str, root: Path = ROOT) -> list[str]:
    """Return a line for each file that goes to PyPI: its name, size and SHA-256."""
    return [
        f"{path.name}  {path.stat().st_size:,} bytes  sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted((root / "dist").glob(f"eec_datasets-{package}*"))
    ]


def release(plan: Sequence[Step], send: bool, run: Callable[[Sequence[str]], int], say: Callable[[str], None]) -> int:
    """Check every step, and send what is to be sent where all checks have passed; the exit code.

    Parameters
    ----------
    plan
        The steps.
    send
        Whether anything is sent.
    run
        Runs a command and returns its exit code.
    say
        Told each step and the outcome.
    """
    failed = []
    for step in plan:
        say(f"\n== {step.title}")
        if run(step.check) != 0:
            failed.append(step.title)
    if failed:
        say(f"\nNothing was sent. Mend first: {'; '.join(failed)}")
        return 1
    if not send:
        say("\nDry run: everything is ready, and nothing was sent. Add --send to publish on the Hub")
        return 0
    for step in plan:
        if step.send:
            say(f"\n== Sending. {step.title}")
            if run(step.send) != 0:
                say(f"\nStopped at: {step.title}. The same command goes on from there")
                return 1
    return 0


def main() -> int:
    """Release what is here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("organization", metavar="ORG", help="owner of the dataset and the Space on the Hub")
    parser.add_argument("--send", action="store_true", help="publish the corpora and the metric on the Hub")
    given = parser.parse_args()
    package, corpora = versions()
    plan = steps(given.organization, package, corpora)
    print(f"Package v{package}, corpora v{corpora}\n\nChanges of the package:\n{changes(package) or '(none named)'}")
    code = release(plan, given.send, lambda command: subprocess.run(command, cwd=ROOT, check=False).returncode, print)
    print("\nFor PyPI, by the workflow that the tag starts:", *built(package), sep="\n  ")
    return code


if __name__ == "__main__":
    sys.exit(main())
