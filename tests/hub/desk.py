"""A user's place for the tests: own caches, own locales, and the loopback Hub as the only network."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from loopback import Hub, Repo

from eec_datasets import corpora

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


class Run(NamedTuple):
    """How a run ended."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The message that ended it, whole."""
        return f"\n{self.err}".rpartition("\nError: ")[2].rstrip("\n")


def masked(text: str, desk: Desk) -> str:
    """A message without what differs from run to run."""
    text = re.sub(r"([Cc]ommit) [0-9a-f]{12}", r"\1 …", text)
    text = re.sub(r"(SHA-256|expected) [0-9a-f]{8}…", r"\1 …", text)
    text = re.sub(r"read as parquet \(.+\)\. ", "read as parquet (…)). ", text)
    return text.replace(str(desk.folder), "HERE")


@dataclass
class Desk:
    """Runs ``eec`` and Python with nothing but the loopback Hub in reach."""

    hub: Hub
    home: Path
    folder: Path
    small: Path
    worker: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        (self.home / "tmp").mkdir(exist_ok=True)
        self.worker = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(HERE / "worker.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment(),
        )  # fmt: skip

    def begin(self) -> None:
        """An empty Hub, and the locales as they were."""
        self.hub.reset()
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.small, self.locales)

    def close(self) -> None:
        self.worker.communicate()

    @property
    def locales(self) -> Path:
        return self.folder / "locales"

    @property
    def connections(self) -> Path:
        return self.home / "connections.log"

    def environment(self) -> dict[str, str]:
        own = {
            "HF_ENDPOINT": self.hub.url,
            "HF_HOME": str(self.home / "hf"),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",
            "HF_HUB_DOWNLOAD_TIMEOUT": "60",
            "HF_HUB_ETAG_TIMEOUT": "60",
            "USE_TORCH": "0",
            "EEC_TEST_CONNECTIONS": str(self.connections),
            "PYTHONPATH": os.pathsep.join([str(HERE / "guard"), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "TMPDIR": str(self.home / "tmp"),
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
        return kept | own

    def _run(self, environment: dict[str, str], **job: Any) -> Run:
        assert self.worker.stdin
        assert self.worker.stdout
        out, err = self.home / "out", self.home / "err"
        env = {"EEC_LOCALES": str(self.locales), "HF_TOKEN": "good", **environment}
        line = {"cwd": str(self.folder), "out": str(out), "err": str(err), "env": env, **job}
        self.worker.stdin.write(json.dumps(line) + "\n")
        self.worker.stdin.flush()
        code = json.loads(self.worker.stdout.readline())
        return Run(code, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))

    def eec(self, *command: str, kill_after: float | None = None, **environment: str) -> Run:
        """Run a command of ``eec``."""
        return self._run(environment, argv=list(command), kill_after=kill_after)

    def publish(self, tag: str, *more: str, repo: str = "org/eec", **options: Any) -> Run:
        return self.eec("publish", "--repo", repo, "--tag", tag, *more, **options)

    def released(self, tag: str = "v1.0.0", repo: str = "org/eec") -> Repo:
        """Publish what must not fail, as the start of a test; the repository on the Hub."""
        done = self.publish(tag, repo=repo)
        assert done.code == 0, done.err
        return self.hub.repo(repo)

    def run_python(self, code: str, **environment: str) -> Run:
        return self._run(environment, code=code)

    def python(self, code: str, **environment: str) -> str:
        """Run Python code that must not fail; its output."""
        done = self.run_python(code, **environment)
        assert done.code == 0, done.out + done.err
        return done.out

    def fresh_python(self, code: str, **environment: str) -> Run:
        """Run Python code in a new process: for settings that the libraries read when they are imported."""
        env = {**self.environment(), "EEC_LOCALES": str(self.locales), "HF_TOKEN": "good", **environment}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            capture_output=True, text=True, check=False, env=env, cwd=self.folder,
        )  # fmt: skip
        return Run(done.returncode, done.stdout, done.stderr)

    def edit(self, file: str, before: str, after: str) -> None:
        path = self.locales / file
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")

    def version(self, before: str, after: str) -> None:
        self.edit("corpus.toml", f'version = "{before}"', f'version = "{after}"')

    def change_a_word(self) -> None:
        """Another word for *angry*, and an answer key that knows it."""
        self.edit("es/words.csv", "enojad", "airad")
        _write_key(self.locales)


WORDS = ("angry", "sad", "annoying", "great")


FILES = ("locale.toml", "templates.toml", "words.csv", "persons.csv", "expected.csv")
SETS = ("anglo-latino", "noun-phrases", "pronouns")


def small_locales(folder: Path) -> None:
    """Spanish alone, with its config of the papers, the persons of that config and four of its words."""
    (folder / "es").mkdir(parents=True)
    facts = (ROOT / "locales" / "corpus.toml").read_text(encoding="utf-8").splitlines(keepends=True)
    released = ['version = "1.0.0"\n' if line.startswith("version = ") else line for line in facts]
    (folder / "corpus.toml").write_text("".join(released), encoding="utf-8")
    for name in FILES:
        shutil.copy(ROOT / "locales" / "es" / name, folder / "es")
    grammar = folder / "es" / "locale.toml"
    kept, keep = [], True
    for line in grammar.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("["):
            keep = not line.startswith("[configs.") or line.startswith("[configs.anglo-latino]")
        kept.append(line if keep else "")
    grammar.write_text("".join(kept), encoding="utf-8")
    _keep(folder / "es" / "words.csv", "id", WORDS)
    _keep(folder / "es" / "persons.csv", "set", SETS)
    _write_key(folder)


def _keep(path: Path, column: str, values: tuple[str, ...]) -> None:
    with path.open(encoding="utf-8", newline="") as lines:
        kept = [row for row in csv.DictReader(lines) if row[column] in values]
    _write(path, list(kept[0]), kept)


def _write_key(folder: Path) -> None:
    """An answer key that holds what is rendered: these tests are about releases, not about sentences."""
    rows = corpora.table("es-anglo-latino", root=folder).to_pylist()
    one_of_each = {(row["template"], row["person_type"], row["gender"]): row for row in rows}
    key = [
        {
            "config": "es-anglo-latino",
            "id": row["id"],
            "speaker": "",
            "variants": "",
            "sentence": row["text"],
            "note": "",
        }
        for row in one_of_each.values()
    ]
    _write(folder / "es" / "expected.csv", list(key[0]), key)


def _write(path: Path, header: list[str], rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
