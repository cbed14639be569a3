"""A release over a bad line: what was and was not changed is said, and the next run finishes it."""

from __future__ import annotations

import pytest
from desk import Desk
from loopback import Fault, File, Hub, Repo

AGAIN = "Run the same command again: it goes on from there"
UNKNOWN = "Whether the commit arrived is not known; if so, it has no tag, and nobody loads it by a version"


def finished_by_the_next_run(desk: Desk) -> Repo:
    repo = desk.released()
    assert set(repo.tags) == {"v1.0.0"}
    return repo


def test_a_refused_upload_changes_nothing(desk: Desk, hub: Hub) -> None:
    hub.faults = [Fault(r"POST .*/preupload/", "status", 400)]
    hub.create("org/eec")
    failed = desk.publish("v1.0.0")
    assert (failed.code, failed.error) == (
        1,
        f"The Hub answered 400, while uploading. Nothing was changed on the Hub. {AGAIN}",
    )
    finished_by_the_next_run(desk)


def test_a_new_repository_is_named_where_the_upload_into_it_fails(desk: Desk, hub: Hub) -> None:
    hub.faults = [Fault(r"POST .*/commit/", "status", 400)]
    failed = desk.publish("v1.0.0")
    assert failed.error == (
        "The Hub answered 400, while uploading. The repository org/eec was made; it holds no release yet. " + AGAIN
    )
    finished_by_the_next_run(desk)


def test_an_error_of_the_hub_while_it_commits_leaves_open_what_it_did(desk: Desk, hub: Hub) -> None:
    hub.faults = [Fault(r"POST .*/commit/", "status", 500)]
    failed = desk.publish("v1.0.0")
    assert failed.error == f"The Hub answered 500, while uploading. {UNKNOWN}. {AGAIN}"
    finished_by_the_next_run(desk)


def test_an_answer_lost_after_the_commit_is_found_by_the_next_run_and_not_repeated(desk: Desk, hub: Hub) -> None:
    hub.faults = [Fault(r"POST .*/commit/", "drop", -1)]
    failed = desk.publish("v1.0.0")
    assert failed.error == f"The Hub cannot be reached, while uploading. {UNKNOWN}. Check the network. {AGAIN}"
    repo = hub.repo("org/eec")
    head, commits = repo.head, len(repo.commits)
    assert repo.tags == {}

    again = desk.publish("v1.0.0")
    assert f"Commit {head[:12]} on main holds these files already: going on from there" in again.err
    assert (again.code, repo.tags, len(repo.commits)) == (0, {"v1.0.0": head}, commits)


def test_a_commit_without_its_tag_is_said_to_be_one(desk: Desk, hub: Hub) -> None:
    hub.faults = [Fault(r"POST .*/tag/", "status", 500)]
    failed = desk.publish("v1.0.0")
    head = hub.repo("org/eec").head
    assert failed.error == (
        f"The Hub answered 500, while setting the tag v1.0.0. Commit {head[:12]} is on main of org/eec, without a tag. "
        + AGAIN
    )
    assert finished_by_the_next_run(desk).tags == {"v1.0.0": head}


def test_a_tag_set_by_somebody_else_meanwhile_is_left_alone(desk: Desk, hub: Hub) -> None:
    repo = hub.create("org/eec")
    first = repo.head
    hub.before_commit = lambda found: found.tags.update({"v1.0.0": first})
    failed = desk.publish("v1.0.0")
    assert failed.error == (
        "The tag v1.0.0 of org/eec was set by somebody else meanwhile, and was left as it is. "
        f"Commit {repo.head[:12]} is on main of org/eec, without a tag. Look at what it holds with: eec diff"
    )
    assert repo.tags == {"v1.0.0": first}


def test_a_commit_of_somebody_else_meanwhile_is_not_written_over(desk: Desk, hub: Hub) -> None:
    repo = hub.create("org/eec")

    def commit(found: Repo) -> None:
        hub.put(found, {**found.commits[found.head], "theirs.txt": File(b"theirs", False)}, found.head)

    hub.before_commit = commit
    failed = desk.publish("v1.0.0")
    assert failed.error == (
        "Somebody else has committed to org/eec meanwhile, and nothing was written over, while uploading. "
        "Nothing was changed on the Hub. Look at their change, then run the command again"
    )
    assert set(repo.commits[repo.head]) == {".gitattributes", "theirs.txt"}


def test_a_file_that_comes_back_damaged_gets_no_tag(desk: Desk, hub: Hub) -> None:
    hub.faults = [Fault(r"GET .*/resolve/.*\.json$", "corrupt", times=99)]
    failed = desk.publish("v1.0.0")
    repo = hub.repo("org/eec")
    start = f"What the Hub gives for commit {repo.head[:12]} is not what was uploaded: croissant.json differs (SHA-256 "
    end = (
        f"). Commit {repo.head[:12]} is on main of org/eec, without a tag. No tag was set. {AGAIN}; if it stays so, "
        "the Hub holds a damaged file"
    )
    assert failed.error.startswith(start)
    assert failed.error.endswith(end)
    assert "; manifest.json differs (SHA-256 " in failed.error
    assert repo.tags == {}
    hub.faults = []
    finished_by_the_next_run(desk)


@pytest.mark.parametrize(
    "fault",
    [
        Fault(r"GET .*\.parquet$", "drop", 20_000),
        Fault(r"GET .*\.parquet$", "slow", 0.5),
        Fault(r"PUT /lfs/", "status", 500),
    ],
    ids=["a download cut short", "a slow download", "an upload refused once"],
)
def test_a_passing_fault_does_not_stop_a_release(desk: Desk, hub: Hub, fault: Fault) -> None:
    hub.faults = [fault]
    finished_by_the_next_run(desk)
    assert fault.times == 0


INTERRUPTED = """
from eec_datasets.cli import main

def stop(self, *args, **kwargs):
    raise KeyboardInterrupt

from huggingface_hub import HfApi
HfApi.create_tag = stop
main(["publish", "--repo", "org/eec", "--tag", "v1.0.0"])
"""


def test_stopping_by_hand_says_how_far_it_came(desk: Desk, hub: Hub) -> None:
    stopped = desk.run_python(INTERRUPTED)
    head = hub.repo("org/eec").head
    assert (stopped.code, stopped.error) == (
        3,
        f"Interrupted while setting the tag v1.0.0. Commit {head[:12]} is on main of org/eec, without a tag. {AGAIN}",
    )
    assert finished_by_the_next_run(desk).tags == {"v1.0.0": head}
