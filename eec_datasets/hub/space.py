"""``eec publish metric``: the metric as a Space that ``evaluate.load`` finds, with the wheel of the package it needs.

The Space holds four files and the wheel. The module and ``requirements.txt`` name the wheel by its address at the
commit that brought it: a Space installs its requirements before its other files are there, and its tag comes last.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from eec_bias.shared import MANIFEST, with_manifest, write_over
from eec_datasets.given_file import read_given
from eec_datasets.hub.repository import PublishOutcome, Repository, refusal
from eec_datasets.hub.working_tree import check_tree
from eec_datasets.release import versions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eec_datasets.hub.repository import Say

NAME = "eec_bias"
"""`evaluate.load` looks for a module named as the Space, so the Space is called this."""

MODULE = f"{NAME}.py"
REQUIREMENTS = "requirements.txt"
COMMAND = "publish metric"
FILES = (MODULE, "README.md", REQUIREMENTS, "app.py")
RAISE = "Raise the version in pyproject.toml and with it VERSION in eec_bias.py and in the package"
TRIAL = """
import json, sys
import eec_bias, evaluate

metric = evaluate.load(sys.argv[1])
groups = [(race, gender) for race in ("Black", "white") for gender in ("female", "male")]
rows = [(*group, f"{group}{i}", f"t01/w{j}") for group in groups for i in range(3) for j in range(4)]
race, gender, person, item = zip(*rows)
scores = [0.2 + (7 * i * i + 3 * i) % 11 / 20 for i in range(len(rows))]
result = metric.compute(predictions=scores, race=race, gender=gender, person=person, item=item, pair=item)
print(json.dumps([eec_bias.__file__, result["module_version"], result["version"]]))
"""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel of this project: its file name and its bytes."""

    name: str
    raw: bytes


def publish(
    repo: str,
    tag: str,
    *,
    folder: str | Path | None = None,
    wheel: str | Path | None = None,
    dry_run: bool = False,
    private: bool = False,
    overwrite: bool = False,
    say: Say = print,
) -> PublishOutcome:
    """Release the metric as a Space under a tag that is its own version and that of the package.

    Parameters
    ----------
    repo, tag : str
        ``ORG/eec_bias`` and ``vX.Y.Z``.
    folder : str or Path, optional
        The folder of the module, if not the installed one.
    wheel : str or Path, optional
        The wheel of the package; by default built from the source tree around the folder.
    dry_run, private, overwrite, say
        As for `eec_datasets.hub.publish.publish`.

    Raises
    ------
    InputError
        A check failed; nothing was changed.
    Unavailable, Interrupted
        What happened, what was changed on the Hub, what to do.
    """
    version = versions.parse_tag(tag)
    repository = Repository(repo, "space")
    check_name(repo, tag)
    metric_folder = Path(folder) if folder else folder_of_metric()
    files = read_space(metric_folder)
    check_tree(metric_folder, say if dry_run else None)
    built = read_wheel(Path(wheel)) if wheel else build_wheel(metric_folder)
    paths = list(space_files(files, built, repository, "…"))
    say(f"Loading the module with {built.name} in a clean process")
    module, package = try_out(files, built)
    if (module, package) != (tag[1:], tag[1:]):
        raise refusal(
            f"the module in {metric_folder} has version {module}, the package in the wheel {package}, and the tag is "
            f"{tag}",
            f"All three must agree: give the tag v{package}, or change VERSION",
        )
    head, tags = repository.begin(dry_run=dry_run, private=private)
    if tag in tags:
        bringing = _bringing_commit(repository.read(tags[tag]), built) or tags[tag]
        expected = space_files(files, built, repository, bringing)
        return repository.released(tag, tags[tag], expected, lambda: "it holds something else", RAISE)
    if (earlier := versions.released(tags)) and version < earlier[-1]:
        raise refusal(f"{tag} is older than {earlier[-1].tag}, which is released", RAISE)
    if head:
        repository.check_own(head, paths, overwrite=overwrite)
    say(f"{len(paths)} files: {', '.join(paths)}")
    if dry_run:
        say(f"Dry run: {repo} would get these as {tag}. Nothing was changed")
        return PublishOutcome("planned", repo, tag, "", len(paths))
    head = head or repository.open(say, private=private)
    bringing, head = _bring_wheel(repository, built, head, say)
    return repository.release(space_files(files, built, repository, bringing), tag, head, say)


def folder_of_metric() -> Path:
    """The folder of the installed package, which holds the module too.

    Raises
    ------
    InputError
        It is not installed.
    """
    spec = importlib.util.find_spec(NAME)
    if spec is None or not spec.submodule_search_locations:
        raise refusal(f"the package {NAME} is not installed", "Install this project, or name the metric's folder")
    return Path(next(iter(spec.submodule_search_locations)))


def check_name(repo: str, tag: str) -> None:
    """Refuse a Space or tag that `evaluate.load` would not find, or would find for every user without a revision."""
    organisation, _, name = repo.partition("/")
    if name != NAME:
        raise refusal(
            f'evaluate.load("{repo}") looks for {name}.py, and the metric is {MODULE}',
            f"Call the Space {organisation}/{NAME}",
        )
    if tag == f"v{metadata.version('evaluate')}":
        what = (
            "the version of the evaluate library itself, which evaluate.load asks for where the user names no revision"
        )
        raise refusal(f"{tag} is {what}", "Give the metric another version")


def read_space(folder: Path) -> dict[str, bytes]:
    """The files of the Space but for the wheel, by name.

    Raises
    ------
    InputError
        One is missing, or the page does not start the app.
    """
    from huggingface_hub import RepoCard

    if not folder.is_dir():
        raise refusal(f"{folder} is not a folder", "Name the metric's folder")
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise refusal(f"{folder} lacks {', '.join(missing)}", "Add them")
    files = {name: (folder / name).read_bytes() for name in FILES}
    head = RepoCard(files["README.md"].decode(), ignore_metadata_errors=True).data
    required = {"sdk": "gradio", "app_file": "app.py"}
    wrong = [f"{key}: {value}" for key, value in required.items() if head.get(key) != value]
    if wrong:
        raise refusal(
            f"{folder / 'README.md'} must say {' and '.join(wrong)} in its YAML head, so that the Space starts"
        )
    return files


def read_wheel(path: Path) -> Wheel:
    """A wheel that was built before.

    Raises
    ------
    InputError
        It cannot be read, or lacks the package.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(read_given(path))) as archive:
            complete = f"{NAME}/__init__.py" in archive.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise refusal(f"{path} cannot be read as a wheel ({error})", "Build it: pip wheel --no-deps .") from error
    if not complete:
        raise refusal(f"{path} holds no package {NAME}", "Give the wheel of this project")
    return Wheel(path.name, read_given(path))


def build_wheel(folder: Path) -> Wheel:
    """Build the wheel of the source tree that a folder lies in.

    Raises
    ------
    InputError
        There is no source tree, or it cannot be built.
    """
    root = folder.resolve().parents[1]
    if not (root / "pyproject.toml").is_file():
        raise refusal(f"{folder} lies in no source tree to build the wheel from", "Give the wheel")
    with tempfile.TemporaryDirectory(prefix="eec-wheel-") as out:
        command = ["pip", "wheel", "--no-deps", "--no-build-isolation"]
        quiet = ["-q", "--disable-pip-version-check", "-w", out, str(root)]
        done = subprocess.run([sys.executable, "-m", *command, *quiet], capture_output=True, text=True, check=False)
        if done.returncode:
            raise refusal(
                f"the wheel of {root} cannot be built: {_last_line(done.stderr)}",
                f"Make this work: {' '.join(command)} '{root}'",
            )
        return read_wheel(next(Path(out).glob("*.whl")))


def try_out(files: Mapping[str, bytes], wheel: Wheel) -> tuple[str, str]:
    """Load and run the module in a clean process with the wheel's package; the versions of both.

    Raises
    ------
    InputError
        They do not load or run, or another package came first.
    """
    with tempfile.TemporaryDirectory(prefix="eec-metric-") as name:
        home, site = Path(name), Path(name) / "site"
        write_over({home / NAME / name: raw for name, raw in files.items()} | {home / wheel.name: wheel.raw})
        with zipfile.ZipFile(home / wheel.name) as archive:
            archive.extractall(site)
        path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
        settings = {"HF_HOME": str(home / "hf"), "PYTHONPATH": path, "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"}
        caches = ("HF_MODULES_CACHE", "HF_DATASETS_CACHE", "HF_EVALUATE_CACHE", "HF_METRICS_CACHE")
        inherited = {name: value for name, value in os.environ.items() if name not in caches}
        done = subprocess.run(
            [sys.executable, "-c", TRIAL, str(home / NAME)],
            capture_output=True, text=True, check=False, cwd=name, env={**inherited, **settings, "USE_TORCH": "0"},
        )  # fmt: skip
        if done.returncode != 0:
            raise refusal(f"the module does not work with {wheel.name}: {_last_line(done.stderr)}")
        imported_from, module, package = json.loads(done.stdout.splitlines()[-1])
        if not Path(imported_from).is_relative_to(site):
            raise refusal(f"the module was tried with {imported_from}, not with {wheel.name}")
    return module, package


def space_files(files: Mapping[str, bytes], wheel: Wheel, repository: Repository, commit: str) -> dict[str, bytes]:
    """All files of the Space, with the address that the wheel has at a commit where a clone has a dot."""
    url = f"{repository.api.endpoint}/spaces/{repository.name}/resolve/{commit}/{wheel.name}"
    module = re.sub(r"(?m)^import eec_bias  # From: \.$", f"import eec_bias  # From: {url}", files[MODULE].decode())
    module = re.sub(r'(?m)^WHEEL = "\."$', f'WHEEL = "{url}"', module)
    requirements = re.sub(r"(?m)^\.(\[.*\])?$", rf"eec-datasets\1 @ {url}", files[REQUIREMENTS].decode())
    for name, text, times in ((MODULE, module, 2), (REQUIREMENTS, requirements, 1)):
        if text.count(url) != times:
            raise refusal(f"{name} names no dot where the address of the wheel must stand", "Begin with a clone's file")
    changed = {MODULE: module.encode(), REQUIREMENTS: requirements.encode(), wheel.name: wheel.raw}
    return with_manifest({**files, **changed}, COMMAND)


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no further word"])[-1]


def _bringing_commit(files: Mapping[str, bytes], wheel: Wheel) -> str | None:
    """The commit at which the files of a Space name the wheel, if they do."""
    address = re.search(rf"/resolve/([0-9a-f]{{40}})/{re.escape(wheel.name)}", files.get(REQUIREMENTS, b"").decode())
    return address[1] if address and files.get(wheel.name) == wheel.raw else None


def _bring_wheel(repository: Repository, wheel: Wheel, head: str, say: Say) -> tuple[str, str]:
    """The commit that brings the wheel, made unless it is there, and the head of main after it."""
    remote = repository.read(head)
    bringing = _bringing_commit(remote, wheel)
    if bringing is None:
        say(f"Uploading {wheel.name}")
        brought = with_manifest({wheel.name: wheel.raw}, COMMAND, remote.get(MANIFEST, b"{}"))
        bringing = head = repository.commit(brought, head, f"Wheel {wheel.name}", keep=True)
    repository.compare(bringing, {wheel.name: wheel.raw}, [wheel.name])
    return bringing, head
