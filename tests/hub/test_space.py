"""The metric's Space: the thin module, its page, the requirements, and the wheel of the package by its address."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from desk import ROOT, Desk, Run, masked
from loopback import Fault, Hub, Repo
from snapshots import Snapshot

from eec_datasets.files import REGISTER

METRIC = ROOT / "metrics" / "eec_bias"
FILES = ("eec_bias.py", "README.md", "requirements.txt", "app.py")
NOW = metadata.version("eec-datasets")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the module, and nothing else of the project."""
    copy = tmp_path / "eec_bias"
    copy.mkdir()
    for name in FILES:
        shutil.copy(METRIC / name, copy)
    return copy


def set_version(text: str, version: str) -> str:
    return re.sub(r'(?m)^VERSION = ".*"$', f'VERSION = "{version}"', text)


def with_version(wheel: Path, version: str, place: Path) -> Path:
    """A wheel of the same package in another version."""
    target = place / wheel.name.replace(f"-{NOW}-", f"-{version}-")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            raw = old.read(name)
            new.writestr(name, set_version(raw.decode(), version) if name.startswith("eec_bias/result/") else raw)
    return target


UNTRIED = """
from eec_datasets.cli import main
from eec_datasets.hub import space
space.try_out = lambda *_: VERSIONS
main(COMMAND)
"""


def publish(
    desk: Desk,
    folder: Path,
    wheel: Path | None,
    tag: str = f"v{NOW}",
    repo: str = "org/eec_bias",
    *,
    tried: bool = False,
    more: tuple[str, ...] = (),
) -> Run:
    """Publish the metric; without its clean process, which takes seconds, unless `tried`."""
    given = ["--wheel", str(wheel)] if wheel else []
    command = ["publish-metric", "--repo", repo, "--tag", tag, "--metric", str(folder), *given, *more]
    if tried:
        return desk.eec(*command)
    return desk.run_python(UNTRIED.replace("VERSIONS", repr((NOW, NOW))).replace("COMMAND", repr(command)))


def space(desk: Desk, folder: Path, wheel: Path, *, tried: bool = False) -> Repo:
    done = publish(desk, folder, wheel, tried=tried)
    assert done.code == 0, done.err
    return desk.hub.repo("org/eec_bias", "space")


def texts(repo: Repo, tag: str) -> dict[str, str]:
    files = repo.commits[repo.tags[tag]]
    return {name: file.raw.decode() for name, file in files.items() if not name.endswith(".whl")}


def test_a_space_holds_four_files_and_the_wheel_that_they_name_by_an_earlier_commit(
    desk: Desk, folder: Path, wheel: Path
) -> None:
    repo = space(desk, folder, wheel)
    released = repo.commits[repo.tags[f"v{NOW}"]]
    assert set(released) == {".gitattributes", wheel.name, REGISTER, *FILES}
    files = texts(repo, f"v{NOW}")
    (address,) = re.findall(r"(?m)^eec-datasets\[plot\] @ (\S+)$", files["requirements.txt"])
    bringing = re.fullmatch(rf"{desk.hub.url}/spaces/org/eec_bias/resolve/(\w{{40}})/{re.escape(wheel.name)}", address)
    assert bringing
    assert set(repo.commits[bringing[1]]) == {".gitattributes", wheel.name, REGISTER}
    assert f"\nimport eec_bias  # From: {address}\n" in files["eec_bias.py"]
    assert f'\nWHEEL = "{address}"\n' in files["eec_bias.py"]


@pytest.mark.slow
def test_the_requirements_of_the_space_install_the_package(desk: Desk, folder: Path, wheel: Path) -> None:
    line = texts(space(desk, folder, wheel), f"v{NOW}")["requirements.txt"].splitlines()[-1]
    site = desk.folder / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(site), line]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (site / "eec_bias" / "__init__.py").is_file()


EVALUATE = """
import evaluate
groups = [(race, gender) for race in ("Black", "white") for gender in ("female", "male")]
rows = [(*group, f"{group}{i}", f"t01/w{j}") for group in groups for i in range(3) for j in range(4)]
race, gender, person, item = zip(*rows)
scores = [0.2 + (7 * i * i + 3 * i) % 11 / 20 for i in range(len(rows))]
for revision in REVISIONS:
    metric = evaluate.load("org/eec_bias", revision=revision)
    result = metric.compute(predictions=scores, race=race, gender=gender, person=person, item=item, pair=item)
    print(revision, result["module_version"], result["version"])
"""


def test_two_tags_give_two_modules_that_serve_the_package_that_is_installed(
    desk: Desk, folder: Path, wheel: Path
) -> None:
    space(desk, folder, wheel, tried=True)
    module = folder / "eec_bias.py"
    module.write_text(set_version(module.read_text(), "9.9.9"))
    later = publish(desk, folder, with_version(wheel, "9.9.9", desk.folder), "v9.9.9", tried=True)
    assert later.code == 0, later.err
    old, new = f"v{NOW}", "v9.9.9"
    lines = desk.python(EVALUATE.replace("REVISIONS", repr([old, new, None]))).splitlines()
    assert lines == [f"{old} {NOW} {NOW}", f"{new} 9.9.9 {NOW}", f"None 9.9.9 {NOW}"]


@pytest.mark.parametrize("revision", [f"v{NOW}", None])
def test_loading_takes_few_requests_at_first_and_later(
    desk: Desk, hub: Hub, folder: Path, wheel: Path, revision: str | None
) -> None:
    space(desk, folder, wheel)
    for _ in range(2):
        hub.log.clear()
        desk.python(f"import evaluate\nevaluate.load('org/eec_bias', revision={revision!r})")
        assert 0 < len(hub.log) <= 5, hub.log


WITHOUT = """
import sys, evaluate
sys.modules["eec_bias"] = None
evaluate.load("org/eec_bias", revision="TAG")
"""


def test_without_the_package_the_wheel_to_install_is_named_also_by_a_cached_module(
    desk: Desk, folder: Path, wheel: Path
) -> None:
    repo = space(desk, folder, wheel)
    (address,) = re.findall(r'(?m)^WHEEL = "(.*)"$', texts(repo, f"v{NOW}")["eec_bias.py"])
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
def test_an_interrupted_release_is_finished_by_the_next_run(
    desk: Desk, hub: Hub, folder: Path, wheel: Path, fault: Fault, commits: int
) -> None:
    hub.faults = [fault]
    failed = publish(desk, folder, wheel)
    repo = hub.repo("org/eec_bias", "space")
    assert (failed.code, repo.tags, len(repo.commits) - 1) == (1, {}, commits)
    assert set(space(desk, folder, wheel).tags) == {f"v{NOW}"}
    again = publish(desk, folder, wheel)
    assert (again.code, again.out.split(" (")[0]) == (0, f"already released: org/eec_bias v{NOW}")
    assert len(repo.commits) - 1 == 2


BAD_FOLDERS: dict[str, tuple[str, str, str]] = {
    "no app": ("app.py", "", ""),
    "a page that does not start the app": ("README.md", "app_file: app.py\n", "\n"),
    "a module that needs what the wheel lacks": (
        "eec_bias.py",
        "\n_metric = ",
        "\nimport eec_bias.nothing\n_metric = ",
    ),
    "a module that says no versions": ("eec_bias.py", "module_version = VERSION", 'module_version = "0.0.9"'),
    "a module that names a wheel already": ("eec_bias.py", 'WHEEL = "."', 'WHEEL = "elsewhere"'),
}
"""What is replaced by what in which file; the file is taken away where that is nothing."""


def spoil(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8") if before else path.unlink()


def test_what_stops_a_release_of_the_metric_is_named_and_leaves_the_hub_as_it_was(
    desk: Desk, hub: Hub, folder: Path, wheel: Path, snapshot: Snapshot
) -> None:
    broken, empty = desk.folder / "broken.whl", desk.folder / "empty.whl"
    broken.write_bytes(b"PK no more")
    zipfile.ZipFile(empty, "w").close()
    refused = {
        "a Space of another name": publish(desk, folder, wheel, repo="org/bias"),
        "the tag that evaluate asks for by itself": publish(desk, folder, wheel, f"v{metadata.version('evaluate')}"),
        "a tag that is not the version": publish(desk, folder, wheel, "v9.9.9"),
        "a wheel that cannot be read": publish(desk, folder, broken),
        "a wheel of something else": publish(desk, folder, empty),
        "no source tree": publish(desk, folder, None),
    }
    for title, (file, before, after) in BAD_FOLDERS.items():
        copy = desk.folder / title.replace(" ", "_")
        shutil.copytree(folder, copy)
        spoil(copy / file, before, after)
        refused[title] = publish(desk, copy, wheel, tried="module" in title)
    refused["no folder"] = publish(desk, desk.folder / "no_folder", wheel)
    assert {run.code for run in refused.values()} == {1}
    assert not [line for line in hub.log if not line.startswith(("GET", "HEAD"))]
    versions = ((metadata.version("evaluate"), "EVALUATE"), (NOW, "NOW"))
    told = "\n".join(f"{title}\n    {masked(run.error, desk)}\n" for title, run in refused.items())
    for version, name in versions:
        told = told.replace(version, name)
    snapshot.check("publish-metric-refused", told)


def test_a_tag_is_never_moved(desk: Desk, folder: Path, wheel: Path) -> None:
    repo = space(desk, folder, wheel)
    tags = dict(repo.tags)
    (folder / "app.py").write_text("another")
    refused = publish(desk, folder, wheel)
    assert refused.code == 1
    assert "and it holds something else: app.py differs (SHA-256 " in refused.error
    assert repo.tags == tags


def test_a_space_of_something_else_keeps_its_files(desk: Desk, hub: Hub, folder: Path, wheel: Path) -> None:
    repo = hub.create("org/eec_bias", "space", {"notes.md": b"mine", "app.py": b"mine"})
    head = repo.head
    for overwrite in ((), ("--overwrite",)):
        refused = publish(desk, folder, wheel, more=overwrite)
        assert refused.error.startswith("org/eec_bias holds what would be lost (eec is not known to have written 'not")
    hub.put(repo, {path: file for path, file in repo.commits[head].items() if path != "notes.md"}, head)
    assert "('app.py')" in publish(desk, folder, wheel).error.replace("eec is not known to have written ", "")
    assert len(repo.commits) == 2
    assert publish(desk, folder, wheel, more=("--overwrite",)).code == 0


def test_an_older_version_does_not_follow_a_newer_one(desk: Desk, hub: Hub, folder: Path, wheel: Path) -> None:
    repo = hub.create("org/eec_bias", "space")
    repo.tags["v99.0.0"] = repo.head
    assert publish(desk, folder, wheel).error.startswith(f"v{NOW} is older than v99.0.0, which is released.")


@pytest.mark.slow
def test_the_wheel_is_built_from_the_source_tree(desk: Desk, wheel: Path) -> None:
    planned = desk.eec("publish-metric", "--repo", "org/eec_bias", "--tag", f"v{NOW}", "--dry-run", HF_TOKEN="")
    assert planned.code == 0, planned.err
    assert f"6 files: {', '.join(FILES)}, {wheel.name}, {REGISTER}\n" in planned.err
    assert desk.hub.repos == {}


def test_the_page_of_the_space_names_the_versions_it_was_tried_with() -> None:
    from huggingface_hub import RepoCard

    head = RepoCard((METRIC / "README.md").read_text(encoding="utf-8")).data
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    assert (head.sdk, head.app_file, head.sdk_version) == ("gradio", "app.py", pins["gradio"])
    assert head.python_version == "3.11"
