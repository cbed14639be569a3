"""The metric's Space: the thin module, its page, the requirements, and the wheel of the package by its address."""

import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from desk import Desk, Run, masked
from loopback import Fault, Hub, Repo
from places import ROOT
from snapshots import Snapshot
from texts import change

from eec_datasets.hub.space import TRIAL

METRIC = ROOT / "metrics" / "eec_bias"
FILES = ("eec_bias.py", "README.md", "requirements.txt", "app.py")
NOW = metadata.version("eec-datasets")


def with_version(wheel: Path, version: str, place: Path) -> Path:
    """A wheel of the same package in another version."""
    target = place / wheel.name.replace(f"-{NOW}-", f"-{version}-")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(f'VERSION = "{NOW}"'.encode(), f'VERSION = "{version}"'.encode()))
    return target


def untried(*command: str, version: str = NOW) -> str:
    """Code that runs a command but for its clean process, which takes seconds and finds this version."""
    head = "from eec_datasets.cli import main\nfrom eec_datasets.hub import space\n"
    return f"{head}space.try_out = lambda *_: {(version, version)!r}\nmain({list(command)!r})"


@dataclass(frozen=True)
class Space:
    """The metric's Space on the Hub, and the folder of the module that is published there, with nothing else in it."""

    desk: Desk
    folder: Path
    wheel: Path

    def publish(self, tag: str = f"v{NOW}", *more: str, tried: bool = False, version: str = NOW, **other: Any) -> Run:
        """Publish the metric; unless `tried` without its clean process, as if that had found this version."""
        given = {"repo": "org/eec_bias", "metric": self.folder, "wheel": self.wheel} | other
        options = [text for name, value in given.items() if value for text in (f"--{name}", str(value))]
        command = ["publish", "metric", "--tag", tag, *options, *more]
        return self.desk.eec(*command) if tried else self.desk.run_python(untried(*command, version=version))

    def released(self) -> Repo:
        """The Space after the release of the module as it is."""
        self.desk.once("org/eec_bias", self.publish)
        return self.desk.hub.repo("org/eec_bias", "space")


@pytest.fixture
def space(desk: Desk, wheel: Path, tmp_path: Path) -> Space:
    (tmp_path / "eec_bias").mkdir()
    for name in FILES:
        shutil.copy(METRIC / name, tmp_path / "eec_bias")
    return Space(desk, tmp_path / "eec_bias", wheel)


def texts(repo: Repo) -> dict[str, str]:
    """The files of the release."""
    files = repo.commits[repo.tags[f"v{NOW}"]]
    return {name: file.raw.decode() for name, file in files.items() if not name.endswith(".whl")}


def test_a_space_holds_four_files_and_the_wheel_that_they_name(space: Space) -> None:
    repo, wheel = space.released(), space.wheel.name
    assert set(repo.commits[repo.tags[f"v{NOW}"]]) == {".gitattributes", wheel, "manifest.json", *FILES}
    files = texts(repo)
    (address,) = re.findall(r"(?m)^eec-datasets\[plot\] @ (\S+)$", files["requirements.txt"])
    bringing = re.fullmatch(rf"{space.desk.hub.url}/spaces/org/eec_bias/resolve/(\w{{40}})/{re.escape(wheel)}", address)
    assert bringing
    assert set(repo.commits[bringing[1]]) == {".gitattributes", wheel, "manifest.json"}
    assert f"\nimport eec_bias  # From: {address}\n" in files["eec_bias.py"]
    assert f'\nWHEEL = "{address}"\n' in files["eec_bias.py"]


def test_the_requirements_of_the_space_install_the_package(space: Space) -> None:
    line = texts(space.released())["requirements.txt"].splitlines()[-1]
    site = space.desk.folder / "site"
    options = ["-q", "--disable-pip-version-check", "--no-compile", "--no-deps", "--no-index"]
    install = [sys.executable, "-m", "pip", "install", *options, line]
    done = subprocess.run([*install, "--target", str(site)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (site / "eec_bias" / "__init__.py").is_file()


EVALUATE = f"""
import evaluate
{TRIAL[TRIAL.index("groups = ") : TRIAL.index("result = ")]}
for revision in REVISIONS:
    metric = evaluate.load("org/eec_bias", revision=revision)
    result = metric.compute(predictions=scores, race=race, gender=gender, person=person, item=item, pair=item)
    print(revision, result["module_version"], result["version"])
"""


def test_two_tags_give_two_modules_for_the_installed_package(space: Space) -> None:
    space.released()
    change(space.folder / "eec_bias.py", (f'VERSION = "{NOW}"', 'VERSION = "9.9.9"'))
    later = space.publish("v9.9.9", wheel=with_version(space.wheel, "9.9.9", space.desk.folder), version="9.9.9")
    assert later.code == 0, later.err
    old, new = f"v{NOW}", "v9.9.9"
    lines = space.desk.python(EVALUATE.replace("REVISIONS", repr([old, new, None]))).splitlines()
    assert lines == [f"{old} {NOW} {NOW}", f"{new} 9.9.9 {NOW}", f"None 9.9.9 {NOW}"]


def test_loading_takes_few_requests_at_first_and_later(space: Space, hub: Hub) -> None:
    space.released()
    # Whatever tests before this one have loaded.
    shutil.rmtree(space.desk.home / "hf", ignore_errors=True)
    counts = []
    for revision in (f"v{NOW}", f"v{NOW}", None, None):
        hub.log.clear()
        space.desk.python(f"import evaluate\nevaluate.load('org/eec_bias', revision={revision!r})")
        counts.append(len(hub.log))
    # Without a revision evaluate asks for the tag of its own version first.
    assert counts == [2, 1, 3, 2]


WITHOUT = """
import sys, evaluate
sys.modules["eec_bias"] = None
evaluate.load("org/eec_bias", revision="TAG")
"""


def test_without_the_package_the_wheel_to_install_is_named(space: Space, desk: Desk) -> None:
    (address,) = re.findall(r'(?m)^WHEEL = "(.*)"$', texts(space.released())["eec_bias.py"])
    shutil.rmtree(desk.home / "hf" / "modules", ignore_errors=True)
    failed = desk.run_python(WITHOUT.replace("TAG", f"v{NOW}"))
    assert f"dependencies['eec_bias'] using 'pip install {address}' for instance" in failed.err
    desk.python(f"import evaluate; evaluate.load('org/eec_bias', revision='v{NOW}')")
    failed = desk.run_python(WITHOUT.replace("TAG", f"v{NOW}"))
    assert failed.err.endswith(f"this evaluate module, {NOW}, needs the package eec_bias: pip install {address}\n")


@pytest.mark.parametrize(
    ("fault", "commits"),
    [(Fault(r"POST .*/commit/", "status", 500), 0), (Fault(r"POST .*/tag/", "status", 500), 2)],
    ids=["before the wheel", "before the tag"],
)
def test_an_interrupted_release_is_finished_by_the_next_run(space: Space, hub: Hub, fault: Fault, commits: int) -> None:
    hub.faults = [fault]
    failed = space.publish()
    repo = hub.repo("org/eec_bias", "space")
    assert (failed.code, repo.tags, len(repo.commits) - 1) == (1, {}, commits)
    assert (space.publish().code, set(repo.tags)) == (0, {f"v{NOW}"})
    again = space.publish()
    assert (again.code, again.out.split(" (")[0]) == (0, f"already released: org/eec_bias v{NOW}")
    assert len(repo.commits) - 1 == 2


BAD_FOLDERS: dict[str, tuple[str, str, str]] = {
    "no app": ("app.py", "", ""),
    "a page that does not start the app": ("README.md", "app_file: app.py\n", "\n"),
    "a module that needs what the wheel lacks": ("eec_bias.py", "\n_metric =", "\nimport eec_bias.nothing\n_metric ="),
    "a module that says no versions": ("eec_bias.py", "module_version = VERSION", 'module_version = "0.0.9"'),
    "a module that names a wheel already": ("eec_bias.py", 'WHEEL = "."', 'WHEEL = "elsewhere"'),
}
"""File, text in it, and its replacement; if there is no text, the file is removed."""


def test_what_stops_a_metric_release_leaves_the_hub_as_it_was(space: Space, hub: Hub, snapshot: Snapshot) -> None:
    here = space.desk.folder
    broken, empty = here / "broken.whl", here / "empty.whl"
    broken.write_bytes(b"PK no more")
    zipfile.ZipFile(empty, "w").close()
    refused = {
        "a Space of another name": space.publish(repo="org/bias"),
        "the tag that evaluate asks for by itself": space.publish(f"v{metadata.version('evaluate')}"),
        "a tag that is not the version": space.publish("v9.9.9"),
        "a wheel that cannot be read": space.publish(wheel=broken),
        "a wheel of something else": space.publish(wheel=empty),
        "no source tree": space.publish(wheel=None),
    }
    for title, (file, before, after) in BAD_FOLDERS.items():
        copy = here / title.replace(" ", "_")
        shutil.copytree(space.folder, copy)
        change(copy / file, (before, after)) if before else (copy / file).unlink()
        refused[title] = space.publish(metric=copy, tried="lacks" in title or "versions" in title)
    refused["no folder"] = space.publish(metric=here / "no_folder")
    assert {run.code for run in refused.values()} == {1}
    assert not [line for line in hub.log if not line.startswith(("GET", "HEAD"))]
    told = "\n".join(f"{title}\n    {masked(run.error, space.desk)}\n" for title, run in refused.items())
    told = told.replace(metadata.version("evaluate"), "EVALUATE").replace(NOW, "NOW")
    snapshot.check("publish-metric-refused", told)


def test_a_tag_is_never_moved(space: Space) -> None:
    repo = space.released()
    tags = dict(repo.tags)
    (space.folder / "app.py").write_text("another", encoding="utf-8")
    refused = space.publish()
    assert refused.code == 1
    assert "and it holds something else: app.py differs (SHA-256 " in refused.error
    assert repo.tags == tags


def test_an_older_version_does_not_follow_a_newer_one(space: Space) -> None:
    repo = space.released()
    (space.folder / "app.py").write_text("another", encoding="utf-8")
    repo.tags = {"v99.0.0": repo.head}
    assert space.publish().error.startswith(f"v{NOW} is older than v99.0.0, which is released.")


def test_a_space_of_something_else_keeps_its_files(space: Space, hub: Hub) -> None:
    repo = hub.create("org/eec_bias", "space", {"notes.md": b"mine", "app.py": b"mine"})
    head = repo.head
    for overwrite in ((), ("--overwrite",)):
        refused = space.publish(f"v{NOW}", *overwrite)
        assert refused.error.startswith("org/eec_bias has files that would be lost (eec did not write 'not")
    hub.put(repo, {path: file for path, file in repo.commits[head].items() if path != "notes.md"}, head)
    assert "('app.py')" in space.publish().error.replace("eec did not write ", "")
    assert len(repo.commits) == 2
    assert space.publish(f"v{NOW}", "--overwrite").code == 0


def test_the_wheel_is_built_from_the_source_tree(desk: Desk, wheel: Path) -> None:
    command = untried("publish", "metric", "--repo", "org/eec_bias", "--tag", f"v{NOW}", "--dry-run")
    planned = desk.run_python(command, HF_TOKEN="")
    assert planned.code == 0, planned.err
    assert f"6 files: {', '.join(FILES)}, {wheel.name}, manifest.json\n" in planned.err
    assert desk.hub.repos == {}


def test_the_page_of_the_space_names_the_versions_it_was_tried_with() -> None:
    from huggingface_hub import RepoCard

    head = RepoCard((METRIC / "README.md").read_text(encoding="utf-8")).data
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    assert (head.sdk, head.app_file, head.sdk_version) == ("gradio", "app.py", pins["gradio"])
    assert head.python_version == "3.11"
