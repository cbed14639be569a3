"""What the numbers of a benchmark were taken on."""

from __future__ import annotations

import os
from pathlib import Path

INFO = Path("/proc/cpuinfo")


def machine() -> str:
    """Return the processor and the number of cores in words."""
    return f"{processor()}, {os.cpu_count()} cores"


def processor() -> str:
    """Return the name of the processor, as Linux tells it."""
    if INFO.exists():
        for line in INFO.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown processor"
