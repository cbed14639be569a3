"""``eec publish-metric``: the metric as a Space that ``evaluate.load`` finds, checked as a copy that stands alone."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_datasets.hub.publishing import PublishError, check_tree
from eec_datasets.hub.remote import Remote
from eec_datasets.hub.uploading import Outcome, differences, read_files, upload
from eec_datasets.release import versions
from eec_datasets.release.building import write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.hub.uploading import Say

NAME = "eec_bias"
"""`evaluate.load` looks for a module named as the Space, so the Space is called this."""

NEEDED = (f"{NAME}.py", "README.md", "requirements.txt", "app.py")
TRIAL = """
import sys, json

for name in ("eec_bias", "eec_datasets"):
    sys.modules[name] = None  # so that an import of it fails, as in a Space
import evaluate

metric = evaluate.load(sys.argv[1])
groups = [(race, gender) for race in ("Black", "white") for gender in ("female", "male")]
rows = [(*group, f"{group}{i}", f"t01/w{j}") for group in groups for i in range(3) for j in range(4)]
race, gender, person, item = zip(*rows)
scores = [0.2 + (7 * i * i + 3 * i) % 11 / 20 for i in range(len(rows))]
result = metric.compute(predictions=scores, race=race, gender=gender, person=person, item=item, pair=item)
print(json.dumps({"version": result["version"]}))
"""


def folder_of_metric() -> Path:
    """The folder of the installed metric.

    Raises
    ------
    PublishError
        It is not installed.
    """
    spec = importlib.util.find_spec(NAME)
    if spec is None or not spec.submodule_search_locations:
        raise PublishError(
            f"the package {NAME} is not installed. Install this project, or name the folder with --metric"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def publish(
    repo: str,
    tag: str,
    *,
    folder: str | Path | None = None,
    dry_run: bool = False,
    private: bool = False,
    say: Say = print,
) -> Outcome:
    """Release the metric as a Space under a tag that is its own version.

    Parameters
    ----------
    repo, tag : str
        ``ORG/eec_bias`` and ``vX.Y.Z``.
    folder : str or Path, optional
        The metric, if not the installed one.
    dry_run, private, say
        As for `eec_datasets.hub.publishing.publish`.

    Raises
    ------
    PublishError, VersionError
        A check failed; nothing was changed.
    HubError, HubInterrupted
        What happened, what was changed on the Hub, what to do.
    """
    version = versions.parse_tag(tag)
    remote = Remote(repo, "space")
    place = Path(folder) if folder else folder_of_metric()
    check_name(repo, tag)
    files = files_of(place)
    check_files(files, place)
    check_tree(place, say if dry_run else None)
    say("Loading a copy that stands alone")
    check_version(stands_alone(files), tag, place)
    if not dry_run:
        remote.check_may_write()
    refs = remote.refs()
    tags = refs.tags if refs else {}
    if tag in tags:
        return _again(remote, files, tag, tags[tag])
    _check_order(version, tags)
    say(f"{len(files)} files: {', '.join(files)}")
    if dry_run:
        say(f"Dry run: {repo} would get these as {tag}. Nothing was changed")
        return Outcome("planned", repo, tag, "", len(files))
    return upload(remote, files, tag, refs, say, private=private)


def files_of(place: Path) -> dict[str, bytes]:
    """Every file of the metric by its path, without hidden ones (caches, notes of editors and of the system).

    Raises
    ------
    PublishError
        There is no such folder.
    """
    if not place.is_dir():
        raise PublishError(f"{place} is not a folder. Nothing was changed on the Hub. Name the metric's with --metric")
    found = read_files(place)
    return {path: raw for path, raw in found.items() if not any(part.startswith(".") for part in path.split("/"))}


def check_name(repo: str, tag: str) -> None:
    """Refuse a Space or tag that `evaluate.load` would not find, or would find for every user without a revision."""
    name = repo.partition("/")[2]
    if name != NAME:
        raise PublishError(
            f'evaluate.load("{repo}") looks for {name}.py, and the metric is {NAME}.py. Nothing was changed on the '
            f"Hub. Call the Space {repo.partition('/')[0]}/{NAME}"
        )
    if tag == f"v{metadata.version('evaluate')}":
        raise PublishError(
            f"{tag} is the version of the evaluate library itself, which evaluate.load asks for where the user names "
            "no revision. Nothing was changed on the Hub. Give the metric another version"
        )


def check_files(files: Mapping[str, bytes], place: Path) -> None:
    """Refuse a folder that lacks what a Space needs, or whose page does not start the app."""
    missing = [name for name in NEEDED if name not in files]
    if missing:
        raise PublishError(f"{place} lacks {', '.join(missing)}. Nothing was changed on the Hub. Add them")
    head = _page(files["README.md"].decode())
    wrong = [f"{key}: {value}" for key, value in (("sdk", "gradio"), ("app_file", "app.py")) if head.get(key) != value]
    if wrong:
        raise PublishError(
            f"{place / 'README.md'} must say {' and '.join(wrong)} in its YAML head, so that the Space starts. "
            "Nothing was changed on the Hub"
        )


def _page(text: str) -> dict[str, Any]:
    from huggingface_hub import RepoCard

    return dict(RepoCard(text, ignore_metadata_errors=True).data.__dict__)


def stands_alone(files: Mapping[str, bytes]) -> str:
    """Load and run a copy of the metric in a clean process that has neither package; its version.

    Raises
    ------
    PublishError
        It does not load or run alone.
    """
    with tempfile.TemporaryDirectory(prefix="eec-metric-") as name:
        copy = Path(name) / NAME
        write(files, copy)
        environment = {
            **os.environ,
            "HF_HOME": str(Path(name) / "hf"),
            "HF_HUB_OFFLINE": "1",
            "USE_TORCH": "0",
            "HF_EVALUATE_OFFLINE": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        }
        for cache in ("HF_MODULES_CACHE", "HF_DATASETS_CACHE", "HF_EVALUATE_CACHE", "HF_METRICS_CACHE"):
            environment.pop(cache, None)
        done = subprocess.run(
            [sys.executable, "-c", TRIAL, str(copy)],
            capture_output=True, text=True, check=False, cwd=name, env=environment,
        )  # fmt: skip
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no further word"])[-1]
        raise PublishError(
            f"a copy of the metric alone does not work: {last}. Nothing was changed on the Hub. The main file must "
            "import every sibling by name, on a line of its own"
        )
    version: str = json.loads(done.stdout.splitlines()[-1])["version"]
    return version


def check_version(version: str, tag: str, place: Path) -> None:
    """Refuse a tag that is not the version the metric puts into its results."""
    if tag != f"v{version}":
        raise PublishError(
            f"the metric in {place} says version {version} in its results, and the tag is {tag}. Nothing was changed "
            f"on the Hub. Use --tag v{version}, or change VERSION in signature.py"
        )


def _check_order(version: versions.Version, tags: Mapping[str, str]) -> None:
    earlier = versions.released(tags)
    if earlier and version < earlier[-1]:
        raise PublishError(
            f"{version.tag} is older than {earlier[-1].tag}, which is released. Nothing was changed on the Hub. Raise "
            "VERSION in signature.py"
        )


def _again(remote: Remote, files: Mapping[str, bytes], tag: str, commit: str) -> Outcome:
    wrong = differences(remote, commit, files)
    if wrong:
        raise PublishError(
            f"{remote.repo} has {tag} already (commit {commit[:12]}), and it holds something else: "
            f"{'; '.join(wrong[:3])}{'; …' if len(wrong) > 3 else ''}. A tag is never moved, and nothing was changed. "
            "Raise VERSION in signature.py"
        )
    return Outcome("already released", remote.repo, tag, commit, len(files))
