"""Wrong settings of the environment: each ends in a message that helps, not in a traceback."""

import os
import resource
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from commands import eec

from eec_datasets.given_file import read_given

COMMAND = [sys.executable, "-m", "eec_datasets"]


def run(*arguments: str, memory: int | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    own = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment}
    return subprocess.run(
        [*COMMAND, *arguments], env=own, capture_output=True, text=True, check=False, preexec_fn=limit
    )


@pytest.mark.parametrize("zone", ["a folder", "a text", ":", "Nowhere/Bad"])
def test_a_time_zone_that_is_none_is_ignored(zone: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no time zone")
    named = {"a folder": str(tmp_path), "a text": str(tmp_path / "text")}.get(zone, zone)
    done = run("locale", "check", "tr", TZ=named)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0
    if named != zone:
        assert done.stderr.startswith(f"Warning: TZ is {named!r}, which names no time zone. It is ignored.\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit memory otherwise")
@pytest.mark.parametrize("memory", [200, 300, 511])
def test_too_little_memory_is_said(memory: int, tmp_path: Path) -> None:
    audit = ("audit", "--system", "random:0", "--config", "es-anglo-latino", "--out", str(tmp_path / "out"))
    done = run(*audit, memory=memory << 20)
    assert "Traceback" not in done.stderr
    assert done.returncode == 1
    assert "Error: There is not enough memory for this." in done.stderr


def test_a_small_file_takes_little_memory(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_bytes(b"a = 1\n" * 1000)
    tracemalloc.start()
    assert len(read_given(tmp_path / "small.toml")) == 6000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="names are texts elsewhere")
@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl", "xlsx"])
def test_a_name_that_is_no_utf_8_is_told_and_renaming_advised(kind: str, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"na\xffme." + kind.encode())
    path.write_bytes(b"id,score\nx,1\n")
    done = eec("measure", path, "--config", "tr-gender")
    assert done.exit_code == 1
    assert "na\\udcffme" in done.output
    assert "PYTHONIOENCODING" not in done.output
