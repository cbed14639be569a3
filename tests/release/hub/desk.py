"""A user's place for the tests: own caches, own locales, and the loopback Hub as the only network."""

import copy
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from forking import Forks, Run
from loopback import Hub, Repo
from places import ROOT
from texts import change

from eec_datasets import corpora


def masked(text: str, desk: "Desk") -> str:
    """A message without what differs from run to run."""
    text = re.sub(r"([Cc]ommit) [0-9a-f]{12}", r"\1 …", text)
    text = re.sub(r"\b[0-9a-f]{8}\b…?", "…", text)
    text = re.sub(r"\((/[^)]*)\)", "(CACHE)", text)
    text = re.sub(r"read as parquet \(.+\)\. ", "read as parquet (…)). ", text)
    return text.replace(str(desk.folder), "HERE")


class Desk:
    """Runs ``eec`` and Python with nothing but the loopback Hub in reach."""

    def __init__(self, hub: Hub, home: Path) -> None:
        self.hub, self.home, self.folder, self.small = hub, home, home, home / "small"
        small_locales(self.small)
        quiet = {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
        patient = {"HF_HUB_DOWNLOAD_TIMEOUT": "60", "HF_HUB_ETAG_TIMEOUT": "60"}
        warm = WARM.format(folder=self.small)
        self.forks = Forks(home, warm, HF_ENDPOINT=hub.url, HF_TOKEN="good", **quiet, **patient)
        self.made: dict[str, tuple[dict[tuple[str, str], Repo], dict[str, bytes]]] = {}

    def begin(self) -> None:
        """An empty Hub, and the locales as they were."""
        self.hub.reset()
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.small, self.locales)

    @property
    def locales(self) -> Path:
        return self.folder / "locales"

    def run_python(self, code: str, **options: Any) -> Run:
        return self.forks.run(code, self.folder, **{"EEC_LOCALES": str(self.locales), **options})

    def python(self, code: str, **environment: str) -> str:
        """Run Python code that must not fail; its output."""
        done = self.run_python(code, **environment)
        assert done.code == 0, done.out + done.err
        return done.out

    def eec(self, *command: str, **options: Any) -> Run:
        """Run a command of ``eec``."""
        return self.run_python(f"from eec_datasets.cli import main\nmain({list(command)!r})", **options)

    def publish(self, tag: str, *more: str, repo: str = "org/eec", **options: Any) -> Run:
        return self.eec("publish", "dataset", "--repo", repo, "--tag", tag, *more, **options)

    def released(self, tag: str = "v1.0.0", repo: str = "org/eec") -> Repo:
        """Publish what must not fail, as the start of a test; the repository on the Hub."""
        done = self.publish(tag, repo=repo)
        assert done.code == 0, done.err
        return self.hub.repo(repo)

    def once(self, what: str, make: Callable[[], object]) -> None:
        """Give the Hub what is made on an empty one, once for all tests."""
        if what not in self.made:
            make()
            self.made[what] = copy.deepcopy((self.hub.repos, self.hub.objects))
        self.hub.repos, self.hub.objects = copy.deepcopy(self.made[what])

    def first_release(self) -> Repo:
        """The repository after the release of the locales as they are given."""
        self.once("org/eec", self.released)
        return self.hub.repo("org/eec")

    def edit(self, file: str, before: str, after: str) -> None:
        change(self.locales / file, (before, after))

    def version(self, before: str, after: str) -> None:
        self.edit("corpus.toml", f'version = "{before}"', f'version = "{after}"')

    def change_a_word(self) -> None:
        """Another word for *angry*, and an answer key that knows it."""
        self.edit("es/words.csv", "enojad", "airad")
        _write_key(self.locales)


OFFLINE = """
import datasets, evaluate
from huggingface_hub import constants
constants.HF_HUB_OFFLINE = datasets.config.HF_HUB_OFFLINE = evaluate.config.HF_EVALUATE_OFFLINE = True
"""
"""Code with the effect of HF_HUB_OFFLINE=1, which the libraries read only when they are imported."""

SETS = ("anglo-latino", "noun-phrases", "pronouns")
WORDS = ("angry", "sad")
WARM = """
from pathlib import Path
from eec_datasets.checks import check
from eec_datasets.release.building import render
check(Path("{folder}/es"))
render(root=Path("{folder}"))
"""


def small_locales(folder: Path) -> None:
    """Spanish alone, with its config of the papers, three templates, two words and the persons of that config."""
    (folder / "es").mkdir(parents=True)
    facts = (ROOT / "locales" / "corpus.toml").read_text(encoding="utf-8")
    (folder / "corpus.toml").write_text(re.sub(r"(?m)^version = .*$", 'version = "1.0.0"', facts), encoding="utf-8")
    for name in ("words.csv", "persons.csv"):
        shutil.copy(ROOT / "locales" / "es" / name, folder / "es")
    templates = (ROOT / "locales" / "es" / "templates.toml").read_text(encoding="utf-8")
    (folder / "es" / "templates.toml").write_text(templates[: templates.index("[t04]")], encoding="utf-8")
    grammar = (ROOT / "locales" / "es" / "locale.toml").read_text(encoding="utf-8")
    kept = re.sub(r"(?ms)^\[(placebo\]|configs\.(?!anglo-latino\])).*?(?=^\[|\Z)", "", grammar)
    (folder / "es" / "locale.toml").write_text(kept, encoding="utf-8")
    _keep(folder / "es" / "words.csv", "id", WORDS)
    _keep(folder / "es" / "persons.csv", "set", SETS)
    _write_key(folder)


def _keep(path: Path, column: str, values: tuple[str, ...]) -> None:
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    rows[rows[column].isin(values)].to_csv(path, index=False)


def _write_key(folder: Path) -> None:
    """An answer key that holds what is rendered: these tests are about releases, not about sentences."""
    rows = corpora.table("es-anglo-latino", root=folder).to_pandas()
    key = rows.groupby(["template", "person_type", "gender"], sort=False).tail(1).rename(columns={"text": "sentence"})
    key = key.assign(config="es-anglo-latino", speaker="", variants="", note="")
    columns = ["config", "id", "speaker", "variants", "sentence", "note"]
    key[columns].to_csv(folder / "es" / "expected.csv", index=False)
