"""Ten million rows, rendered to parquet and measured by every engine: ``python -m benchmarks.scale``.

Every line is measured in a process of its own, imports included, so that its peak of memory is its own. The table in
docs/benchmarks.md between the marks is replaced. ``python -m benchmarks.scale ROWS`` takes another number of rows.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from eec_bias.shared import write_over
from eec_datasets.rewrite.slots import Filler, Rewrite, Slot

TARGET = Path(__file__).parent.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- scale: python -m benchmarks.scale -->", "<!-- end of scale -->"
ROWS = 10_000_000
PERSONS = 1000
CONFIG = "en-black-white"

HEAD = """
The next table is about tables that may be larger than the memory of a machine. Each row is a separate process on
{machine}. *Time* includes imports, and *processor* is the processor time of all threads. *Memory* is the most memory
that the process used (for Spark, without the memory of Java). `--engine` names the program that reads the table. We
compare every number of a result with the same number from `--engine memory`. The last column has the largest relative
difference.

| work | rows | time | rows/s | processor | memory | largest difference |
|---|--:|--:|--:|--:|--:|--:|
"""

Report = dict[str, Any]


def fillers(count: int = PERSONS) -> list[Filler]:
    """Make names of two genders and groups."""
    made = []
    for k in range(count):
        gender = ("female", "male")[k % 2]
        labels = {"gender": gender, "race": ("Anglo", "Latino")[k // 2 % 2]}
        name = f"Name{k:04d}"
        made.append(Filler(name.lower(), name, "name", gender[0], labels, {"subject": name}))
    return made


def rewrites(count: int) -> Iterator[Rewrite]:
    """Make sentences with one slot, as they are needed."""
    for k in range(count):
        before = f"I was told in the summer of that year, the {k % 977}th of its kind, that "
        after = f" said nothing at all to colleague {k} about it, and that it cost them dearly."
        pieces = {gender: (before, Slot("subject"), after) for gender in "fm"}
        yield Rewrite(f"s{k:07d}", f"{before}she{after}", ("female", "male")[k % 2], pieces)


def render(folder: Path, rows: int, persons: int = PERSONS) -> Report:
    """Write sentences × persons to parquet."""
    from eec_datasets.rewrite.rows import Batches
    from eec_datasets.row_file import write

    found = Batches(rewrites(rows // (persons + 1)), fillers(persons), language="en")
    return {"rows": write(folder / "rows.parquet", found, overwrite=True)}


def score(folder: Path, rows: int) -> Report:
    """Put a score beside every row: by person, sentence, group and chance."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    of_person = 0.05 * rng.standard_normal(PERSONS + 1) + 0.02 * (np.arange(PERSONS + 1) % 2)
    source = pq.ParquetFile(folder / "rows.parquet")
    columns = ["person", "race", "gender", "item", "pair"]
    schema = pa.schema([*((name, pa.string()) for name in columns), ("score", pa.float64())])
    with pq.ParquetWriter(folder / "scored.parquet", schema) as sink:
        for batch in source.iter_batches(batch_size=PERSONS + 1, columns=columns):
            y = 0.5 + 0.1 * rng.standard_normal() + of_person + 0.05 * rng.standard_normal(PERSONS + 1)
            y = np.clip(y, 0.001, 0.999)[: batch.num_rows]
            table = pa.Table.from_batches([batch]).append_column("score", pa.array(y))
            sink.write_table(table.cast(schema))
    return {"rows": rows}


def in_memory(folder: Path, _: int) -> Report:
    """Measure by `measure`, the table read to memory."""
    return _measured(folder, "memory")


def in_duckdb(folder: Path, _: int) -> Report:
    """Measure on DuckDB."""
    return _measured(folder, "duckdb")


def in_spark(folder: Path, _: int) -> Report:
    """Measure on Spark, on this machine."""
    return _measured(folder, "spark")


def _measured(folder: Path, engine: str) -> Report:
    from click.testing import CliRunner

    from eec_datasets.cli import main

    arguments = ["measure", "--data", str(folder / "scored.parquet"), "--engine", engine, "--format", "json"]
    done = CliRunner().invoke(main, arguments)
    if done.exit_code:
        raise RuntimeError(done.output)
    return {"terms": json.loads(done.stdout)["terms"]}


def config(folder: Path, _: int) -> Report:
    """Render a config to parquet as `eec build` does."""
    from eec_datasets.release.building import build

    return {"rows": sum(entry.rows for entry in build(folder / "eec").configs)}


def alone(work: Callable[[Path, int], Report], folder: Path, rows: int) -> Report:
    """Run work in a fresh process; add time and processor time in seconds and the peak of memory in bytes."""
    start = time.perf_counter()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(_watched, work, folder, rows).result()
    return found | {"seconds": time.perf_counter() - start}


def _watched(work: Callable[[Path, int], Report], folder: Path, rows: int) -> Report:
    found = work(folder, rows)
    return found | {
        "processor": time.process_time(),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def difference(found: Report, expected: Report) -> float:
    """Return the largest relative difference between two lists of terms."""
    largest = 0.0
    for a, b in zip(found["terms"], expected["terms"], strict=True):
        for key, value in b.items():
            if isinstance(value, float):
                largest = max(largest, abs(a[key] - value) / max(abs(value), 1e-12))
    return largest


def line(name: str, rows: int, found: Report, apart: float | None = None) -> str:
    """Return one row of the table."""
    seconds, mebibytes = found["seconds"], found["memory"] / 2**20
    last = "–" if apart is None else f"{apart:.0e}"
    numbers = [f"{rows:,}", f"{seconds:.1f} s", f"{rows / seconds / 1e6:.2f} million", f"{found['processor']:.1f} s"]
    return f"| {name} | {' | '.join(numbers)} | {mebibytes:,.0f} MiB | {last} |"


def run(rows: int) -> Iterator[str]:
    """Yield the rows of the table as they are measured."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = alone(config, folder, 0)
        yield line("all configs to parquet (`eec build`)", built["rows"], built)
        for count in (rows // 10, rows):
            # The shortest of several times, as this is a rate that is promised.
            made = min((alone(render, folder, count) for _ in range(3)), key=lambda found: found["seconds"])
            yield line(f"sentences × {PERSONS:,} names to parquet", made["rows"], made)
        scored = alone(score, folder, made["rows"])["rows"]
        memory = alone(in_memory, folder, rows)
        yield line("`eec measure --engine memory`", scored, memory)
        for engine, work in (("duckdb", in_duckdb), ("spark", in_spark)):
            found = alone(work, folder, rows)
            yield line(f"`eec measure --engine {engine}`", scored, found, difference(found, memory))


def main() -> None:
    """Measure and replace the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=main.__doc__)
    parser.add_argument("rows", nargs="?", type=lambda text: int(float(text)), default=ROWS, help="for example 1e6")
    rows = parser.parse_args().rows
    lines = []
    for each in run(rows):
        lines.append(each)
        print(each, flush=True)
    former = section()
    before = TARGET.read_text(encoding="utf-8").removesuffix(former)
    after = former.partition(END)[2] or "\n"
    table = HEAD.format(machine=machine()) + "\n".join(lines)
    write_over({TARGET: f"{before}\n{BEGIN}\n{table}\n{END}{after}"})


def section() -> str:
    """Return this table as docs/benchmarks.md has it, with the marks and what follows; empty where it has none."""
    _, begin, rest = TARGET.read_text(encoding="utf-8").partition(f"\n{BEGIN}")
    return begin + rest


if __name__ == "__main__":
    main()
