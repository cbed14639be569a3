"""What stops a release before it begins: what happened, that nothing was changed, and what to do."""

from __future__ import annotations

import re
import subprocess
from importlib import metadata
from pathlib import Path

import pytest
from desk import Desk
from loopback import Fault, File, Hub

TOKEN = "Make a token with write access at https://huggingface.co/settings/tokens and set HF_TOKEN"


def untouched(hub: Hub) -> bool:
    return not [line for line in hub.log if not line.startswith(("GET", "HEAD"))]


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("", f"There is no token for the Hub. Nothing was changed on the Hub. {TOKEN}, or run: hf auth login"),
        (
            "stranger",
            "The Hub does not accept the token, while asking whose token this is. Nothing was changed on the Hub. "
            "Set HF_TOKEN to a valid one with write access",
        ),
        ("reader", f"The token of 'ana' may only read. Nothing was changed on the Hub. {TOKEN}"),
        (
            "other",
            "'org/eec' belongs to 'org', and the token is that of 'bob' (who may write to: bob). Nothing was changed "
            "on the Hub. Publish to a namespace of yours with --repo, or use a token of that organisation",
        ),
    ],
)
def test_a_token_that_cannot_write_is_refused(desk: Desk, hub: Hub, token: str, message: str) -> None:
    refused = desk.publish("v1.0.0", HF_TOKEN=token)
    assert (refused.code, refused.error) == (1, message)
    assert untouched(hub)


def test_a_right_that_the_token_lacks_after_all_is_said(desk: Desk, hub: Hub) -> None:
    hub.create("org/eec")
    hub.faults = [Fault(r"POST .*/commit/", "status", 403)]
    refused = desk.publish("v1.0.0")
    assert refused.error == (
        "The token has no right to write to org/eec, while uploading. Nothing was changed on the Hub. "
        "Use a token with write access to it"
    )


def test_a_repository_that_holds_something_else_is_refused(desk: Desk, hub: Hub) -> None:
    hub.create("org/eec", files={"a.csv": b"1", "b.csv": b"2", "c.csv": b"3", "d.csv": b"4"})
    refused = desk.publish("v1.0.0")
    assert refused.error == (
        "org/eec exists and holds something else than a corpus (a.csv, b.csv, c.csv, …). Nothing was changed on the "
        "Hub. Choose another --repo"
    )
    assert untouched(hub)


def test_a_version_that_exists_with_other_rows_is_refused(desk: Desk) -> None:
    repo = desk.released()
    commit = repo.tags["v1.0.0"]
    desk.change_a_word()
    refused = desk.publish("v1.0.0")
    start = f"org/eec has v1.0.0 already (commit {commit[:12]}), and its sentences or labels differ: README.md differs"
    assert refused.code == 1
    assert refused.error.startswith(start)
    assert refused.error.endswith("; …. A tag is never moved, and nothing was changed. Release under the next version")
    assert (repo.head, repo.tags) == (commit, {"v1.0.0": commit})


def test_a_version_that_exists_with_another_card_is_told_from_one_with_other_rows(desk: Desk) -> None:
    repo = desk.released()
    commit = repo.tags["v1.0.0"]
    desk.edit("es/locale.toml", 'variety = "es-419"', 'variety = "es-US"')
    refused = desk.publish("v1.0.0")
    assert refused.code == 1
    assert re.fullmatch(
        rf"org/eec has v1\.0\.0 already \(commit {commit[:12]}\), and its sentences and labels are the same, the card "
        r"or the way the files are written is not: README\.md differs \(SHA-256 \w{8}…, expected \w{8}…\)\. A tag is "
        r"never moved, and nothing was changed\. Release under the next version",
        refused.error,
    )


def test_a_repository_with_releases_of_something_else_is_refused(desk: Desk, hub: Hub) -> None:
    repo = hub.create("org/eec", files={"a.csv": b"1"})
    repo.tags["v0.5.0"] = repo.head
    refused = desk.publish("v1.0.0")
    assert (refused.code, refused.error) == (
        1,
        "org/eec at v0.5.0 has no manifest.json, so it is not a release that eec publish made. Nothing was changed on "
        "the Hub. Check the name and the revision",
    )
    assert untouched(hub)


def test_an_earlier_release_that_is_damaged_is_named(desk: Desk) -> None:
    repo = desk.released()
    files = repo.commits[repo.tags["v1.0.0"]]
    files["es-anglo-latino/test.parquet"] = File(b"PAR1 no more", True)
    desk.change_a_word()
    desk.version("1.0.0", "2.0.0")
    refused = desk.publish("v2.0.0")
    start = (
        "org/eec at v1.0.0 is damaged or was not made by eec publish (es-anglo-latino/test.parquet: cannot be read as "
    )
    assert refused.error.startswith(start)
    assert refused.error.endswith("). Nothing was changed on the Hub. Check the name and the revision")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            ("org/none@v1.0.0",),
            "org/none was not found on the Hub, while listing the files. Nothing was changed. Check the name, and that "
            "the token may see it",
        ),
        (("org/eec@v9.0.0",), "org/eec has no revision v9.0.0. Nothing was changed. Check the tag or commit"),
        (
            ("org/eec@v1.0.0", "--json", "--changelog", "1.0.1"),
            "--json and --changelog are two forms of the same answer. Give one of them",
        ),
    ],
)
def test_a_difference_that_cannot_be_made_is_explained(desk: Desk, command: tuple[str, ...], message: str) -> None:
    desk.released()
    assert desk.eec("diff", *command).error == message


def fake_git(place: Path, script: str) -> str:
    """A folder for PATH in which `git` is this script."""
    folder = place / "bin"
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "git").chmod(0o755)
    return str(folder)


def test_a_working_tree_that_git_will_not_look_into_is_refused(desk: Desk, hub: Hub, tmp_path: Path) -> None:
    path = fake_git(tmp_path, "echo \"fatal: detected dubious ownership in repository at '/x'\" >&2; exit 128")
    refused = desk.publish("v1.0.0", PATH=path)
    assert (refused.code, refused.error) == (
        1,
        f"git cannot say whether everything in {desk.locales} is committed (fatal: detected dubious ownership in "
        "repository at '/x'). Nothing was changed on the Hub. Make this work: git -C "
        f"'{desk.locales}' status",
    )
    assert hub.log == []


def test_a_working_tree_without_git_is_refused_and_a_plain_folder_is_not(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    assert desk.publish("v1.0.0", "--dry-run", PATH=str(tmp_path / "none")).code == 0
    (tmp_path / ".git").mkdir()
    assert desk.publish("v1.0.0", "--dry-run", PATH=str(tmp_path / "none")).error == (
        f"{desk.locales} is in a git working tree, and git is not installed to say whether everything is committed. "
        "Nothing was changed on the Hub. Install git"
    )


def test_a_dirty_working_tree_is_refused(desk: Desk, hub: Hub) -> None:
    def git(*command: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *command], cwd=desk.locales, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "Spanish")
    desk.change_a_word()
    refused = desk.publish("v1.0.0")
    assert refused.error == (
        "the working tree has changes that no commit has: es/words.csv. Nothing was changed on the Hub. Commit them, "
        "so that the release can be made again from the sources, and run it again"
    )
    assert hub.log == []
    planned = desk.publish("v1.0.0", "--dry-run")
    assert planned.code == 0
    assert planned.err.startswith(
        "Note: the working tree has changes that no commit has: es/words.csv. The release itself will "
        "ask for a commit\n"
    )
    git("commit", "-a", "-m", "Another word")
    assert desk.publish("v1.0.0").code == 0


def test_without_a_network_nothing_is_changed(desk: Desk) -> None:
    code = "from eec_datasets.cli import main\nmain(['publish', '--repo', 'org/eec', '--tag', 'v1.0.0'])"
    failed = desk.fresh_python(code, HF_ENDPOINT="http://127.0.0.1:9")
    assert (failed.code, failed.error) == (
        1,
        "The Hub cannot be reached, while asking whose token this is. Nothing was changed on the Hub. Check the "
        "network. Run the same command again: it goes on from there",
    )


def test_offline_mode_is_named(desk: Desk) -> None:
    code = "from eec_datasets.cli import main\nmain(['publish', '--repo', 'org/eec', '--tag', 'v1.0.0'])"
    failed = desk.fresh_python(code, HF_HUB_OFFLINE="1")
    assert failed.error == (
        "HF_HUB_OFFLINE is set, while asking whose token this is. Nothing was changed on the Hub. Unset it to reach "
        "the Hub"
    )


FULL = """
import errno
from pathlib import Path

def full(self, raw):
    raise OSError(errno.ENOSPC, "No space left on device", "/tmp/eec")

Path.write_bytes = full
from eec_datasets.cli import main
main(["publish", "--repo", "org/eec", "--tag", "v1.0.0"])
"""


def test_a_full_disk_is_named(desk: Desk, hub: Hub) -> None:
    failed = desk.run_python(FULL)
    assert (failed.code, failed.error) == (
        1,
        "The disk is full (/tmp/eec), while loading the configs from a clean folder. Nothing was changed on the Hub. "
        "Make room, or set TMPDIR to a folder on another disk, and run it again",
    )
    assert untouched(hub)


@pytest.mark.parametrize(
    ("repo", "tag", "message"),
    [
        ("org/eec", "1.0.0", "tag '1.0.0' is not of the form v1.0.0 (a v, three numbers, no leading zeros)"),
        ("org/eec", "v1.0", "tag 'v1.0' is not of the form v1.0.0 (a v, three numbers, no leading zeros)"),
        ("eec", "v1.0.0", "--repo 'eec' is not of the form ORG/NAME (letters, digits, - _ .)"),
    ],
)
def test_a_name_or_tag_of_another_form_is_refused(desk: Desk, repo: str, tag: str, message: str) -> None:
    refused = desk.publish(tag, repo=repo)
    assert (refused.code, refused.error) == (1, message)


def test_a_locale_with_a_mistake_is_not_released(desk: Desk, hub: Hub) -> None:
    desk.edit("es/words.csv", "angry,state,anger", "angry,state,angst")
    refused = desk.publish("v1.0.0")
    assert refused.code == 1
    assert "angst" in refused.error
    assert hub.log == []


def test_a_locale_that_fails_its_checks_is_not_released(desk: Desk, hub: Hub) -> None:
    desk.edit("es/expected.csv", "triste.", "tristes.")
    refused = desk.publish("v1.0.0")
    first, *found = refused.error.splitlines()
    assert first == "the locales do not pass their checks, and nothing was changed on the Hub. Mend:"
    assert found
    assert all(line.startswith("  es/expected.csv:") for line in found)
    assert hub.log == []


def metric_folder(place: Path, **files: str) -> Path:
    folder = place / "eec_bias"
    folder.mkdir()
    for name, text in {"eec_bias.py": "", "README.md": "", "requirements.txt": "", "app.py": "", **files}.items():
        (folder / name).write_text(text)
    return folder


PAGE = "---\nsdk: gradio\napp_file: app.py\n---\n"


def publish_metric(desk: Desk, folder: Path, tag: str = "v0.1.0", repo: str = "org/eec_bias") -> str:
    done = desk.eec("publish-metric", "--repo", repo, "--tag", tag, "--metric", str(folder))
    assert done.code == 1
    return done.error


def test_a_space_of_another_name_is_refused(desk: Desk, tmp_path: Path) -> None:
    assert publish_metric(desk, metric_folder(tmp_path), repo="org/bias") == (
        'evaluate.load("org/bias") looks for bias.py, and the metric is eec_bias.py. Nothing was changed on the Hub. '
        "Call the Space org/eec_bias"
    )


def test_the_tag_that_evaluate_asks_for_by_itself_is_refused(desk: Desk, tmp_path: Path) -> None:
    tag = f"v{metadata.version('evaluate')}"
    assert publish_metric(desk, metric_folder(tmp_path), tag=tag) == (
        f"{tag} is the version of the evaluate library itself, which evaluate.load asks for where the user names no "
        "revision. Nothing was changed on the Hub. Give the metric another version"
    )


def test_a_space_without_an_app_is_refused(desk: Desk, tmp_path: Path) -> None:
    folder = metric_folder(tmp_path)
    (folder / "app.py").unlink()
    assert publish_metric(desk, folder) == f"{folder} lacks app.py. Nothing was changed on the Hub. Add them"


def test_a_metric_that_is_no_folder_is_refused(desk: Desk, tmp_path: Path) -> None:
    assert publish_metric(desk, tmp_path / "none") == (
        f"{tmp_path / 'none'} is not a folder. Nothing was changed on the Hub. Name the metric's with --metric"
    )


def test_a_page_that_does_not_start_the_app_is_refused(desk: Desk, tmp_path: Path) -> None:
    folder = metric_folder(tmp_path, **{"README.md": "---\nsdk: gradio\n---\n"})
    assert publish_metric(desk, folder) == (
        f"{folder / 'README.md'} must say app_file: app.py in its YAML head, so that the Space starts. Nothing was "
        "changed on the Hub"
    )


def test_a_metric_that_needs_the_package_is_refused(desk: Desk, tmp_path: Path) -> None:
    folder = metric_folder(tmp_path, **{"README.md": PAGE, "eec_bias.py": "import eec_datasets\n"})
    assert publish_metric(desk, folder) == (
        "a copy of the metric alone does not work: ImportError: To be able to use eec_bias, you need to install the "
        "following dependencies['eec_datasets'] using 'pip install eec_datasets' for instance'. Nothing was changed on "
        "the Hub. The main file must import every sibling by name, on a line of its own"
    )
