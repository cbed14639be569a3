"""Write or check the golden numbers: the results that a change of the code must not move; see scripts/golden."""

import gzip
import html
import json
import os
import re
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from shutil import rmtree
from typing import Any

from click.testing import CliRunner

import eec_datasets
from eec_bias import methods
from eec_datasets.cli import main

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
KEPT = GOLDEN / "numbers.json.gz"
KEYS = ("system", "kind", "list", "task", "stratum", "output", "term", "level", "reference", "subset", "emotion")
"""Columns that say which comparison a row is about."""

SAME = 1e-12
"""Two numbers are the same if they differ by less than this share of the largest one in their column and case."""

SHOWN = 8
"""Changes that are shown of one column of one case, without ``--all``."""

Numbers = dict[str, float | str | None]
Case = dict[str, Numbers]
"""The numbers of a case by row and column."""


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the numbers of nested mappings with the path to each."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from flat(inner, f"{name}.{key}" if name else str(key))
    elif value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        yield name, value


def place(row: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    """Return the key of a row: everything that says which comparison it is about."""
    known = {**about, **{key: row[key] for key in KEYS if row.get(key) is not None}}
    return " ".join(f"{key}={known[key]}" for key in KEYS if known.get(key) is not None)


def add(case: Case, sort: str, key: str, row: Mapping[str, Any]) -> None:
    """Put the numbers of a row into a case, under a key that no other row has."""
    name, number = f"{sort} {key}", 2
    while name in case:
        name, number = f"{sort} {key} ({number})", number + 1
    case[name] = {column: value for column, value in flat(row) if column not in KEYS}
    if sort == "finding":
        case[name]["verdict"] = row.get("verdict", row.get("answer"))


def add_result(case: Case, content: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """Put the rows of one result into a case."""
    for sort in ("terms", "rates", "equivalence", "flips"):
        for row in content.get(sort) or ():
            add(case, sort, place(row, about), row)
    for row in content.get("findings") or ():
        add(case, "finding", f"{place(row, about)} {row['id']}", row)


def add_saved(case: Case, content: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """Put every result of a saved document into a case."""
    for measured in content.get("measurements", [content]):
        named = {key: measured[key] for key in ("system", "list") if measured.get(key)}
        kind = {} if measured.get("kind", "scores") == "scores" else {"kind": measured["kind"]}
        add_result(case, measured, {**about, **named, **kind})


def text_of(page: str) -> str:
    """Return the text of a page, one line per element."""
    body = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    lines = html.unescape(re.sub(r"<[^>]+>", "\n", body)).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip()) + "\n"


class Run:
    """Cases with their numbers, and the folder of their pages."""

    def __init__(self, pages: Path) -> None:
        rmtree(pages, ignore_errors=True)
        self.cases: dict[str, Case] = {}
        self.pages = pages
        self.failed = 0

    def fail(self, name: str, said: object) -> None:
        """Print why a case could not be measured."""
        self.failed += 1
        print(f"{name}: {said}")

    def page(self, case: str, name: str, text: str) -> None:
        """Write a page as text."""
        path = self.pages / case.replace(" ", "-") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # The port of the served model is another one in every run.
        path.write_text(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text), encoding="utf-8")

    def result(self, name: str, make: Callable[[], Any]) -> None:
        """Measure a constructed case, or a paper's procedure."""
        case: Case = {}
        try:
            result = make()
            add_result(case, result.to_dict(), {})
            self.page(name, "printed.txt", f"{result}\n")
            for title, table in result.tables().items():
                self.page(name, f"{re.sub(r'[^a-z0-9]+', '-', title.lower())}.txt", f"{table}\n")
        except Exception as error:
            self.fail(name, repr(error))
        self.cases[name] = case

    def audit(self, name: str, *arguments: str) -> None:
        """Run an audit in the folder we are in, and keep its numbers and pages."""
        out = Path(name.replace(" ", "-"))
        self.cases[name] = {}
        printed = self.command(name, "audit", *arguments, "--out", str(out))
        saved = out / "result.json"
        if not saved.is_file():
            self.fail(name, printed)
            return
        add_saved(self.cases[name], json.loads(saved.read_text(encoding="utf-8")), {})
        self.page(name, "report.txt", text_of((out / "report.html").read_text(encoding="utf-8")))
        self.page(name, "report.md", (out / "report.md").read_text(encoding="utf-8"))

    def command(self, name: str, *arguments: str) -> str:
        """Run ``eec`` and keep what it prints."""
        done = CliRunner().invoke(main, list(arguments), prog_name="eec")
        if done.exception and not isinstance(done.exception, SystemExit):
            self.fail(name, repr(done.exception))
        self.page(name, f"{arguments[0]}.txt", done.stdout)
        return done.stdout or done.output


def papers(run: Run) -> None:
    """Run the procedures of the four papers on small parts of the corpora."""
    from systems import chance, partial, plain

    english = eec_datasets.load("en-black-white").to_pandas()
    texts = list(english["text"])
    systems = {
        "plain": plain(texts), "partial": partial(texts), "turned": [1 - score for score in partial(texts)],
    }  # fmt: skip
    run.result(
        "the paper of 2018",
        lambda: methods.kiritchenko2018(systems, english, tasks=["anger", "valence", "joy"], assessments=438),
    )
    spanish = eec_datasets.load("es-anglo-latino").to_pandas()
    shifted = [score + 0.05 * (race == "Latino") for score, race in
               zip(plain(list(spanish["text"])), spanish["race"], strict=True)]  # fmt: skip
    run.result("the paper of 2022", lambda: methods.camara2022(shifted, spanish, tasks=["fear"]))
    run.result(
        "the paper of perturbation",
        lambda: methods.perturbation(systems["partial"], english, baseline="she", bootstrap=99, seed=1),
    )
    sets = eec_datasets.confounded("en-black-white", group=[2, 3], case=1, seed=1).to_pandas()
    levels = {
        "chance": [round(2 * chance(text)) - 1 for text in sets["text"]],
        "women": [2 * (gender == "female") - 1 for gender in sets["gender"]],
    }
    run.result("the paper of rating", lambda: methods.rating(levels, sets, score_range=(-1, 1)))


def audits(run: Run) -> None:
    """Run the five audits with systems that need no network."""
    from serving_models import said, served
    from systems import chance

    run.audit("the default list", "--system", "systems:plain", "--names", "4", "--items", "8")
    part = ("--config", "en-black-white-100", "--names", "12", "--items", "20")
    run.audit(
        "one system", "--system", "systems:partial", *part,
        "--margin", "5", "--rate-above", "0.5", "--high-means", "positive",
    )  # fmt: skip
    lists = ("--config", "en-black-white", "--config", "es-anglo-latino")
    run.audit("two systems", "--system", "systems:partial", "--system", "systems:plain", *lists)
    after, before = sorted(Path("two-systems/scores").glob("*/en-black-white.csv"))
    printed = run.command(
        "two systems", "measure", str(after), "--against", str(before), "--config", "en-black-white", "--format", "json"
    )
    against: Case = {}
    add_saved(against, json.loads(printed[printed.index("{") : printed.rindex("}") + 1]), {})
    run.cases["one system against another"] = against
    run.audit("refusals", "--system", "systems:refusing", "--system", "systems:silent", *part)
    with served() as model:
        model.answer = lambda body, _: said(f"{chance(json.dumps(body['messages'])):.4f}")
        run.audit(
            "six prompts", "--system", "openai:golden", "--base-url", model.url, "--prompts", "prompts.toml", "--yes",
            "--config", "en-black-white-100", "--names", "5", "--items", "8",
        )  # fmt: skip


def measured(pages: Path) -> Run:
    """Measure everything."""
    from golden_cases import CASES

    run = Run(pages)
    for name, make in CASES.items():
        run.result(name, make)
    papers(run)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        os.environ["EEC_ANSWERS"] = str(Path(folder) / "answers.db")
        for file in ("systems.py", "prompts.toml"):
            Path(file).write_text((GOLDEN / file).read_text(encoding="utf-8"), encoding="utf-8")
        audits(run)
    return run


def same(old: Any, new: Any, largest: float) -> bool:
    """Return whether two values are the same number, up to the rounding of sums."""
    if isinstance(old, int | float) and isinstance(new, int | float):
        return abs(old - new) <= max(SAME * largest, 1e-15)
    return bool(old == new)


def sizes(case: Case) -> dict[str, float]:
    """Return the largest number of every column of a case."""
    found: dict[str, float] = defaultdict(float)
    for numbers in case.values():
        for column, value in numbers.items():
            if isinstance(value, int | float):
                found[column] = max(found[column], abs(value))
    return found


def report(name: str, old: Case, new: Case, shown: int) -> int:
    """Print how a case differs from its golden numbers; return how many numbers changed or are gone."""
    largest, changes = sizes(old), defaultdict(list)
    columns, seen = ({column for numbers in case.values() for column in numbers} for case in (old, new))
    for row in old.keys() & new.keys():
        for column in old[row].keys() & new[row].keys():
            before, after = old[row][column], new[row][column]
            if not same(before, after, largest[column]):
                changes[column].append(f"{row}: {before!r} → {after!r}")
    gone = sorted(old.keys() - new.keys())
    for what, found in (("new row", sorted(new.keys() - old.keys())), ("new column", sorted(seen - columns))):
        if found:
            print(f"{name}: {len(found)} × {what}, such as {found[0]}")
    if gone:
        print(f"{name}: {len(gone)} rows are gone, such as {gone[0]}")
    if old and new and (lost := sorted(columns - seen)):
        print(f"{name}: columns are gone: {', '.join(lost)}")
        gone += lost
    for column, lines in sorted(changes.items()):
        print(f"{name}: {column} changed in {len(lines)} rows")
        print("".join(f"    {line}\n" for line in sorted(lines)[:shown]), end="")
        if len(lines) > shown:
            print(f"    and {len(lines) - shown} more (--all)")
    return len(gone) + sum(map(len, changes.values()))


def check(cases: dict[str, Case], shown: int) -> int:
    """Compare with the golden numbers and return the exit code."""
    kept: dict[str, Case] = json.loads(gzip.decompress(KEPT.read_bytes()))
    for name in sorted(cases.keys() - kept.keys()):
        print(f"{name}: a new case")
    changed = sum(report(name, case, cases.get(name, {}), shown) for name, case in kept.items())
    numbers = sum(len(row) for case in kept.values() for row in case.values())
    print(
        f"{changed} of {numbers} golden numbers changed or are gone"
        if changed
        else f"all {numbers} numbers are the same"
    )
    return int(changed > 0)


def command(arguments: list[str]) -> int:
    """Run write or check and return its exit code."""
    if not arguments or arguments[0] not in ("write", "check"):
        print("usage: scripts/golden write | check [--all]", file=sys.stderr)
        return 2
    warnings.simplefilter("ignore")
    done = measured(ROOT / "build" / "golden" / arguments[0])
    if arguments[0] == "check":
        return check(done.cases, sys.maxsize if "--all" in arguments else SHOWN)
    if done.failed:
        print(f"nothing is written: {done.failed} cases failed", file=sys.stderr)
        return 1
    text = json.dumps(done.cases, ensure_ascii=False, sort_keys=True)
    KEPT.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
    print(f"{KEPT.relative_to(ROOT)}: {len(done.cases)} cases, {KEPT.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "tests" / "shared"), str(GOLDEN)]
    sys.exit(command(sys.argv[1:]))
