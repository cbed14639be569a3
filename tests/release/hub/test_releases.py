"""Releases over the wire, with the real datasets, evaluate and huggingface_hub."""

import random
import time

import pytest
from desk import Desk
from loopback import File, Hub
from snapshots import Snapshot

from eec_datasets.release import manifest

LOAD = """
import sys
from datasets import load_dataset
for revision in sys.argv[1:]:
    kept = load_dataset("org/eec", "es-anglo-latino", revision=revision, split="test")
    stream = load_dataset("org/eec", "es-anglo-latino", revision=revision, split="test", streaming=True)
    print(kept.info.version, len(kept), kept[0]["text"], "|", next(iter(stream))["text"])
"""


def test_releases_before_and_after_a_changed_word_can_be_loaded(desk: Desk) -> None:
    desk.first_release()
    desk.change_a_word()
    desk.version("1.0.0", "2.0.0")
    commit = desk.released("v2.0.0").tags["v1.0.0"]
    old, new = (
        f"{version} 360 Jessica se siente {word}. | Jessica se siente {word}."
        for version, word in (("1.0.0", "enojada"), ("2.0.0", "airada"))
    )
    code = LOAD.replace("sys.argv[1:]", repr(("v1.0.0", "v2.0.0", commit)))
    assert desk.python(code).splitlines() == [old, new, old]


def test_the_next_version_follows_from_what_was_changed(desk: Desk, snapshot: Snapshot) -> None:
    desk.first_release()
    desk.edit("es/locale.toml", 'variety = "es-419"', 'variety = "es-US"')
    desk.version("1.0.0", "1.0.1")
    patch = desk.publish("v1.0.1")
    assert patch.code == 0
    assert "No difference: every sentence and label is the same." in patch.err

    grammar = desk.locales / "es" / "locale.toml"
    grammar.write_text(
        grammar.read_text() + '\n[configs.names]\nsets = ["anglo-latino"]\nabout = "Names only."\n', encoding="utf-8"
    )
    desk.version("1.0.1", "1.1.0")
    refused = desk.publish("v1.0.2")
    assert refused.error == (
        "v1.0.2 cannot follow v1.0.1: sentences or labels were added, and none was changed or removed, so this is a "
        "MINOR change and the next version is v1.1.0"
    )
    repo = desk.released("v1.1.0")
    log = repo.commits[repo.tags["v1.1.0"]]["CHANGELOG.md"].raw.decode()
    snapshot.check("publish-changelog", log)


def test_a_changed_licence_is_told_and_stands_in_the_changelog(desk: Desk) -> None:
    desk.first_release()
    desk.edit("corpus.toml", 'licence = "cc-by-4.0" ', 'licence = "cc0-1.0" ')
    desk.version("1.0.0", "1.0.1")
    repo = desk.hub.repo("org/eec")
    planned = desk.publish("v1.0.1", "--dry-run")
    assert "\nLicence: cc-by-4.0 → cc0-1.0.\n" in planned.err
    desk.released("v1.0.1")
    log = repo.commits[repo.tags["v1.0.1"]]["CHANGELOG.md"].raw.decode()
    assert "the same.\n\nLicence: cc-by-4.0 → cc0-1.0.\n\n## 1.0.0\n" in log


def test_a_dry_run_needs_no_token_and_changes_nothing(desk: Desk) -> None:
    planned = desk.publish("v1.0.0", "--dry-run", HF_TOKEN="")
    assert (planned.code, planned.out) == (0, "planned: org/eec v1.0.0\n")
    assert planned.err.endswith("Dry run: org/eec would get this as v1.0.0. Nothing was changed\n")
    assert desk.hub.repos == {}
    assert not [line for line in desk.hub.log if not line.startswith(("GET", "HEAD"))]


def test_publishing_again_leaves_a_private_release_as_it_is(desk: Desk) -> None:
    assert desk.publish("v1.0.0", "--private").code == 0
    repo = desk.hub.repo("org/eec")
    commits = len(repo.commits)
    again = desk.publish("v1.0.0", "--private")
    assert again.out == (
        f"already released: org/eec v1.0.0 (commit {repo.tags['v1.0.0']})\n"
        'load_dataset("org/eec", CONFIG, revision="v1.0.0", split="test")\n'
    )
    assert (again.code, repo.private, len(repo.commits)) == (0, True, commits)


OWN = {"CHANGELOG.md", "README.md", "croissant.json", "es-anglo-latino/test.parquet", "manifest.json"}


def test_a_release_overwrites_what_others_put_there_when_told(desk: Desk) -> None:
    repo = desk.first_release()
    files = dict(repo.commits[repo.head])
    desk.change_a_word()
    desk.version("1.0.0", "2.0.0")
    desk.hub.put(repo, {**files, "README.md": File(b"mine", False)}, repo.head)
    assert desk.publish("v2.0.0", "--overwrite").code == 0
    assert set(repo.commits[repo.tags["v2.0.0"]]) == {".gitattributes", *OWN}


CARD = b"---\nlicense: mit\n---\n"


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"manifest.json": b"[]"}, 1),
        ({"manifest.json": b"{}", "data.csv": b"1"}, 1),
        ({"README.md": b"# Mine"}, 1),
        ({"README.md": CARD + b"Mine.\n---\n"}, 1),
        ({"README.md": CARD}, 0),
        ({"README.md": CARD + b"\nCheck out the configuration reference at https://huggingface.co/docs/hub/x\n"}, 0),
    ],
)
def test_a_repository_is_empty_only_if_nobody_has_written_to_it(
    desk: Desk, hub: Hub, files: dict[str, bytes], code: int
) -> None:
    repo = hub.create("org/eec", files=files)
    before = dict(repo.commits[repo.head])
    assert desk.publish("v1.0.0").code == code
    assert (repo.commits[repo.head] == before) == bool(code)


MOMENTS = 6
"""When a release is killed: one moment drawn in each sixth of its time."""


def whole(hub: Hub, repo: str) -> bool:
    """Tell if a tag shows a whole release, or does not exist."""
    found = hub.repos.get(("dataset", repo))
    if found is None or "v1.0.0" not in found.tags:
        return True
    files = found.commits[found.tags["v1.0.0"]]
    made = manifest.from_json(files["manifest.json"].raw.decode(), repo)
    return all(files[config.file].sha256 == config.sha256 for config in made.configs) and "README.md" in files


def test_a_publish_killed_at_any_moment_never_shows_half_a_release(desk: Desk) -> None:
    start = time.perf_counter()
    desk.released(repo="org/whole")
    duration, dice = time.perf_counter() - start, random.Random(2018)
    for number in range(MOMENTS):
        repo, moment = f"org/eec-{number}", duration * (number + dice.random()) / MOMENTS
        killed = desk.publish("v1.0.0", repo=repo, kill_after=moment)
        assert killed.code in (-9, 0)
        assert whole(desk.hub, repo), f"killed after {moment:.3f} of {duration:.3f} s"
        assert set(desk.released(repo=repo).tags) == {"v1.0.0"}
        assert whole(desk.hub, repo)


CROISSANT = """
import json
from itertools import islice
from pathlib import Path
import mlcroissant
from huggingface_hub import hf_hub_download

text = Path(hf_hub_download("org/eec", "croissant.json", repo_type="dataset", revision="v1.0.0")).read_text()
Path("croissant.json").write_text(text.replace("https://huggingface.co", HUB))
found = mlcroissant.Dataset("croissant.json")
print(found.metadata.ctx.issues.errors)
for record in islice(found.records("es-anglo-latino"), 2):
    print(record["es-anglo-latino/text"].decode())
"""


def test_a_published_release_is_read_back_by_its_croissant(desk: Desk, hub: Hub) -> None:
    pytest.importorskip("mlcroissant")
    desk.first_release()
    found = desk.python(f"HUB = {hub.url!r}\n{CROISSANT}", CROISSANT_CACHE=str(desk.folder / "cache"))
    assert found.splitlines() == ["set()", "Jessica se siente enojada.", "Ashley se siente enojada."]
    assert "GET /datasets/org/eec/resolve/v1.0.0/es-anglo-latino/test.parquet" in hub.log
