"""A release over a bad line: what was and was not changed is said, and the next run finishes it."""

from dataclasses import replace

import pytest
from desk import Desk, masked
from loopback import Fault, File, Hub
from snapshots import Snapshot

FAULTS = {
    "an upload that is refused": Fault(r"POST .*/preupload/", "status", 400),
    "a commit that is refused": Fault(r"POST .*/commit/", "status", 400),
    "an error of the Hub while it commits": Fault(r"POST .*/commit/", "status", 500),
    "an answer lost after the commit": Fault(r"POST .*/commit/", "drop", -1),
    "a tag that the Hub fails to set": Fault(r"POST .*/tag/", "status", 500),
    "large files that the token may not upload": Fault(r"PUT /lfs/", "status", 403, times=99),
    "files that come back damaged": Fault(r"GET .*/resolve/.*\.json$", "corrupt", times=99),
}


def test_a_fault_is_told_with_what_was_changed_and_the_next_run_goes_on(desk: Desk, snapshot: Snapshot) -> None:
    told = []
    for title, fault in FAULTS.items():
        desk.begin()
        desk.hub.faults = [replace(fault)]
        failed = desk.publish("v1.0.0")
        repo = desk.hub.repo("org/eec")
        assert (failed.code, repo.tags) == (1, {}), title
        told.append(f"{title}\n    {masked(failed.error, desk)}\n")
        head, commits = repo.head, len(repo.commits)
        desk.hub.faults = []
        done = desk.publish("v1.0.0")
        assert (done.code, set(repo.tags)) == (0, {"v1.0.0"}), title
        there = "without a tag" in failed.error or "lost" in title
        assert (f"Commit {head[:12]} on main holds these files already: going on from there" in done.err) == there
        assert ((repo.tags["v1.0.0"], len(repo.commits)) == (head, commits)) == there, title
    snapshot.check("publish-faults", "\n".join(told))


TAGGED = {
    "an answer lost after the tag": (Fault(r"POST .*/tag/", "drop", -1), 0, "released"),
    "an error of the Hub when the tag is looked at": (Fault(r"GET .*/refs", "status", 500), 1, "was set on commit"),
    "an identical release at once": (None, 0, "released"),
}


@pytest.mark.parametrize("title", TAGGED)
def test_a_tag_that_is_set_is_not_said_to_be_missing(desk: Desk, hub: Hub, title: str) -> None:
    fault, code, said = TAGGED[title]
    repo = hub.create("org/eec")
    if fault is None:
        hub.before_tag = lambda there: there.tags.update({"v1.0.0": there.head})
    elif code:
        hub.before_tag = lambda _: hub.faults.append(replace(fault, times=99))
    else:
        hub.faults = [replace(fault)]
    done = desk.publish("v1.0.0")
    assert (done.code, repo.tags) == (code, {"v1.0.0": repo.head})
    assert said in done.out + done.err
    assert "without a tag" not in done.err


def test_what_somebody_else_does_meanwhile_is_not_written_over(desk: Desk, hub: Hub) -> None:
    repo = hub.create("org/eec")
    first = repo.head
    hub.before_commit = lambda there: there.tags.update({"v1.0.0": first})
    failed = desk.publish("v1.0.0")
    assert failed.error.startswith("The tag v1.0.0 of org/eec was set by someone else meanwhile, and")
    assert failed.error.endswith(". Look at its content")
    assert repo.tags == {"v1.0.0": first}
    hub.reset()
    repo, theirs = hub.create("org/eec"), {"theirs.txt": File(b"theirs", False)}
    hub.before_commit = lambda there: (
        there.commits[there.head].keys() >= theirs.keys()
        or hub.put(there, there.commits[there.head] | theirs, there.head)
    )
    failed = desk.publish("v1.0.0")
    assert failed.error.startswith("Someone else has committed to org/eec meanwhile, and nothing was written over")
    assert set(repo.commits[repo.head]) == {".gitattributes", "theirs.txt"}


def test_faults_of_the_network_that_pass_do_not_stop_a_release(desk: Desk, hub: Hub) -> None:
    parquet = r"GET .*\.parquet$"
    hub.faults = [Fault(r"PUT /lfs/", "status", 500), Fault(parquet, "drop", 2000), Fault(parquet, "slow", 0.5)]
    assert set(desk.released().tags) == {"v1.0.0"}
    assert [fault.times for fault in hub.faults] == [0, 0, 0]


INTERRUPTED = """
from eec_datasets.cli import main

def stop(self, *args, **kwargs):
    raise KeyboardInterrupt

from huggingface_hub import HfApi
HfApi.create_tag = stop
main(["publish", "dataset", "--repo", "org/eec", "--tag", "v1.0.0"])
"""


def test_stopping_by_hand_says_how_far_it_came(desk: Desk, hub: Hub) -> None:
    stopped = desk.run_python(INTERRUPTED)
    head = hub.repo("org/eec").head
    assert stopped.code == 3
    assert stopped.error.startswith(
        f"Interrupted while setting the tag v1.0.0. Commit {head[:12]} is on main of org/eec; whether it has the tag"
    )
    assert desk.released().tags == {"v1.0.0": head}
