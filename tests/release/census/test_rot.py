"""Three programs are installed from their locks and give the scores that they gave when the locks were made.

A new version of something that a program needs cannot come in through a lock; what can break it is a registry that no
longer has a package, a Python or a node that it does not run on, or an adapter that was changed.
``pytest --update-snapshots`` writes scores.json.
"""

import json
import socket
from pathlib import Path

import pytest
from places import ROOT

from eec_datasets.census import environments
from eec_datasets.census.programs import read_census
from eec_datasets.census.scoring import open_census_system
from eec_datasets.errors import Unavailable
from eec_datasets.systems.base import score_batch
from eec_datasets.systems.corpus import open_corpus
from eec_datasets.systems.hearing import LISTS

STORED = Path(__file__).with_name("scores.json")
SYSTEMS = ("leia-pt", "afinn-en", "nlpjs-ru")
COUNT = 200

NEEDED = {"pypi": (environments._uv, "pypi.org"), "npm": (environments._npm, "registry.npmjs.org")}


def sentences(language: str) -> list[str]:
    """Return as many different sentences of a list, from all of it."""
    texts = list(dict.fromkeys(open_corpus(LISTS[language]).columns["text"]))
    return texts[:: len(texts) // COUNT][:COUNT]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_program_scores_as_when_its_lock_was_made(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    given = read_census(ROOT / "census/census.toml")
    (program, system) = next((p, s) for p in given.programs for s in p.systems if s.name == name)
    installer, registry = NEEDED[program.manager]
    try:
        installer()
    except Unavailable as error:
        pytest.skip(str(error))
    try:
        socket.create_connection((registry, 443), timeout=10).close()
    except OSError:
        pytest.skip(f"needs the network, to install from {registry}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    environments.install(given, program)
    opened = open_census_system(given, program, system)
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.is_file() else {}
    texts = sentences(system.language)
    if name in stored and not pytestconfig.getoption("--update-snapshots"):
        texts = list(stored[name])
    scores = score_batch(opened, {"id": [str(number) for number in range(len(texts))], "text": texts})
    found = dict(zip(texts, scores, strict=True))
    if pytestconfig.getoption("--update-snapshots"):
        STORED.write_text(json.dumps({**stored, name: found}, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
        return
    assert len(stored[name]) == COUNT
    assert found == pytest.approx(stored[name], abs=1e-6)
