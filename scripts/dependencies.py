"""Audit the exact versions of what is installed, and write the bill of materials of the wheel in ``dist/``.

``python scripts/dependencies.py EXTRA …`` calls pip-audit and cyclonedx-py. The exit code is 1 where a version has a
known vulnerability, where one could not be compared, and where there was nothing to compare with.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from release import versions
from release_check import ROOT

PINS = ("constraints.txt", "constraints-harness.txt")

KNOWN = "jinja2==2.10"
"""A version with vulnerabilities since 2019. An audit that finds none in it had nothing to compare with."""

ACCEPTED: dict[str, str] = {}
"""Vulnerability → why a release may go out with it, where no version fixes it yet."""

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def audited(requirements: Path, run: Run) -> tuple[list[dict[str, Any]], str]:
    """Return what pip-audit says of each version in a file, and its last complaint; no versions where it broke off."""
    options = ("--strict", "--no-deps", "--disable-pip", "--progress-spinner=off", "--format=json")
    done = run((sys.executable, "-m", "pip_audit", *options, f"--requirement={requirements}"))
    errors = [line for line in done.stderr.splitlines() if not line.startswith("WARNING:")]
    complaint = " ".join(errors[-1:]).removeprefix("ERROR:pip_audit._cli:")
    try:
        return json.loads(done.stdout)["dependencies"], complaint
    except (ValueError, KeyError, TypeError):
        return [], complaint or f"pip-audit ended with exit code {done.returncode} and printed no list"


def obstacles(run: Run, root: Path = ROOT) -> list[str]:
    """Return what keeps a release from going out, a sentence each; nothing where every version was compared.

    Parameters
    ----------
    run
        Runs a command and returns what it printed.
    root
        The clone with the files of exact versions.
    """
    with tempfile.TemporaryDirectory() as folder:
        control = Path(folder) / "known.txt"
        control.write_text(f"{KNOWN}\n", encoding="utf-8")
        rows, complaint = audited(control, run)
    if not any(row.get("vulns") for row in rows):
        told = (
            f"The audit found nothing to compare with: it reports no vulnerability even for {KNOWN}, which has some. "
            "Run it where the advisories at https://pypi.org/pypi/PACKAGE/VERSION/json can be read."
        )
        return [f"{told} {complaint}".strip()]
    found = []
    for name in PINS:
        rows, complaint = audited(root / name, run)
        if not rows:
            found.append(f"{name} could not be audited: {complaint}")
        for row in rows:
            if "skip_reason" in row:
                found.append(f"{name}: {row['name']} was not compared: {row['skip_reason']}")
            for known in row.get("vulns", []):
                if not {known["id"], *known["aliases"]} & set(ACCEPTED):
                    fixed = (
                        ", ".join(known["fix_versions"]) or "no version yet; see ACCEPTED in scripts/dependencies.py"
                    )
                    found.append(f"{name}: {row['name']} {row['version']} has {known['id']}. Fixed in: {fixed}")
    return found


def without_local_paths(bill: dict[str, Any]) -> dict[str, Any]:
    """Return a bill of materials that does not say where on this machine the wheel was."""
    for component in bill["components"]:
        references = component.get("externalReferences", [])
        component["externalReferences"] = [one for one in references if not one["url"].startswith("file:")]
    return bill


def write_bill(wheel: Path, extras: Sequence[str], target: Path) -> int:
    """Install the wheel with its extras into an environment of its own and list what that holds; how many packages."""
    environment = target.parent / "bill-of-materials"
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", environment], check=True)
    python = environment / "bin" / "python"
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "--disable-pip-version-check",
        "install",
        "-q",
    ]
    subprocess.run([*pip, "-c", ROOT / "constraints.txt", f"{wheel}[{','.join(extras)}]"], check=True)
    cyclonedx: list[str | Path] = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    command = [*cyclonedx, "--pyproject", ROOT / "pyproject.toml", "--mc-type", "library", python]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    bill = without_local_paths(json.loads(printed))
    target.write_text(json.dumps(bill, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return len(bill["components"])


def captured(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command and keep what it prints."""
    return subprocess.run(command, check=False, capture_output=True, text=True)


def main() -> int:
    """Write the bill of materials, then audit; print what keeps a release from going out."""
    package, _ = versions()
    wheel = ROOT / "dist" / f"eec_datasets-{package}-py3-none-any.whl"
    if not wheel.is_file():
        print(f"There is no {wheel.relative_to(ROOT)}. Build it first: ./scripts/dist", file=sys.stderr)
        return 1
    bill = ROOT / "build" / f"eec_datasets-{package}.cdx.json"
    print(f"{write_bill(wheel, sys.argv[1:], bill)} packages are listed in {bill.relative_to(ROOT)}")
    found = obstacles(captured)
    for sentence in found:
        print(sentence, file=sys.stderr)
    if found:
        return 1
    print(f"No known vulnerability in the versions of {' and '.join(PINS)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
