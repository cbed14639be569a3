"""Machine that the numbers of a benchmark were taken on."""

from __future__ import annotations

import os
from pathlib import Path

INFO = Path("/proc/cpuinfo")


def machine() -> str:
    """Return the processor and the number of cores in words."""
    return f"{processor()}, {os.cpu_count()} cores"


def load() -> str:
    """Say how much other work the machine had."""
    waiting = os.getloadavg()[2]
    if waiting <= (os.cpu_count() or 1) / 2 + 1:
        return "The machine had no other work."
    return (
        f"The machine also had other work: on average {waiting:.0f} processes ran or waited for its cores. On an idle "
        "machine, the times are shorter."
    )


def processor() -> str:
    """Return the name of the processor, as Linux tells it."""
    if INFO.exists():
        for line in INFO.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown processor"
