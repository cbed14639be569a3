"""The libraries give other rows without an error; the guards notice and say so."""

from __future__ import annotations

import re
import shutil

import pytest
from desk import Desk


def guarded(where: str, revision: str | None) -> str:
    return f"""
import eec_datasets
from eec_datasets.errors import EecError
try:
    ds = eec_datasets.load({where!r}, "es-anglo-latino", revision={revision!r})
    print(ds.info.version, ds[0]["text"])
except EecError as error:
    print(type(error).__name__, error)
"""


PLAIN = """
from datasets import load_dataset
print(load_dataset("org/eec", "es-anglo-latino", revision="v1.0.0", split="test").info.version)
"""


def without_place(text: str) -> str:
    """A message without the folder of the cache in it."""
    return re.sub(r" \(/[^)]*\)", " (CACHE)", text)


def two_releases(desk: Desk) -> None:
    desk.released("v1.0.0")
    desk.change_a_word()
    desk.version("1.0.0", "2.0.0")
    desk.released("v2.0.0")


def test_an_offline_load_that_gives_another_revision_is_noticed(desk: Desk) -> None:
    two_releases(desk)
    assert desk.python(guarded("org/eec", "v1.0.0")) == "1.0.0 Jessica se siente enojada.\n"
    assert desk.python(guarded("org/eec", "v2.0.0")) == "2.0.0 Jessica se siente airada.\n"

    found = desk.fresh_python(
        PLAIN + guarded("org/eec", "v2.0.0") + guarded("org/eec", "v1.0.0"), HF_HUB_OFFLINE="1"
    ).out
    old, new = _labels(desk)
    assert without_place(found) == (
        "2.0.0\n2.0.0 Jessica se siente airada.\n"
        f"WrongRelease org/eec@v1.0.0 holds {old}, and datasets gave {new}: another revision from its cache (CACHE), "
        "because the Hub could not be reached. Load it again with the Hub in reach\n"
    )


def _labels(desk: Desk) -> tuple[str, str]:
    from eec_datasets.release import manifest

    repo = desk.hub.repo("org/eec")
    labels = []
    for tag in ("v1.0.0", "v2.0.0"):
        made = manifest.from_json(repo.commits[repo.tags[tag]]["manifest.json"].raw.decode(), tag)
        labels.append(f"es-anglo-latino@{made.version}#{made.configs[0].content_hash[:8]}")
    return labels[0], labels[1]


def test_an_offline_load_that_cannot_be_checked_is_refused(desk: Desk) -> None:
    found = desk.fresh_python(guarded("org/never-seen", "v1.0.0"), HF_HUB_OFFLINE="1").out
    assert found == (
        "CannotCheck the Hub cannot be reached, and the manifest of org/never-seen at v1.0.0 is not in the cache, so "
        "that the rows could be those of another revision. Load it once with the Hub in reach\n"
    )


def test_a_revision_that_does_not_exist_is_refused(desk: Desk) -> None:
    desk.released("v1.0.0")
    assert desk.python(guarded("org/eec", "v9.0.0")) == (
        "CannotCheck org/eec at v9.0.0 has no manifest.json that can be read: there is no such folder, repository or "
        "revision, the token may not see it, or eec publish did not make it. Check the name and the revision\n"
    )


@pytest.mark.parametrize(
    ("where", "revision", "named"),
    [("no folder", None, "'no folder'"), ("/no/such", None, "'/no/such'"), ("org/eec", "", "'org/eec' at revision ''")],
)
def test_what_is_neither_a_folder_nor_a_release_is_said_to_be_neither(
    desk: Desk, where: str, revision: str | None, named: str
) -> None:
    assert desk.python(guarded(where, revision)) == (
        f"CannotCheck {named} is neither a folder that is there nor a release on the Hub (ORG/NAME at v1.0.0)\n"
    )


def test_a_tag_that_publish_did_not_set_is_noticed(desk: Desk) -> None:
    repo = desk.released("v1.0.0")
    repo.tags["v3.0.0"] = repo.head
    assert desk.python(guarded("org/eec", "v3.0.0")) == (
        "WrongRelease org/eec at v3.0.0 says that it is version 1.0.0. The tag was not set by eec publish\n"
    )


def test_a_folder_has_no_revisions(desk: Desk) -> None:
    desk.eec("build", "--out", "eec")
    assert desk.python(guarded("eec", "v1.0.0")) == (
        "WrongRelease eec is a folder, which has no revisions; revision 'v1.0.0' was asked for\n"
    )


def test_a_cached_build_older_than_the_folder_is_noticed(desk: Desk) -> None:
    """The cache knows a build by its card; a folder whose card was left behind gives the old rows."""
    desk.eec("build", "--out", "eec")
    assert desk.python(guarded("eec", None)) == "1.0.0 Jessica se siente enojada.\n"
    card = (desk.folder / "eec" / "README.md").read_bytes()
    desk.change_a_word()
    desk.eec("build", "--out", "eec")
    assert desk.python(guarded("eec", None)) == "1.0.0 Jessica se siente airada.\n"

    (desk.folder / "eec" / "README.md").write_bytes(card)
    found = desk.python(guarded("eec", None))
    told = (
        r"WrongRelease eec holds es-anglo-latino@1\.0\.0#\w{8}, and datasets gave es-anglo-latino@1\.0\.0#\w{8}: "
        r"an older build from its cache \((/[^)]*)\)\. Remove that copy and load it again\n"
    )
    copy = re.fullmatch(told, found)
    assert copy, found
    shutil.rmtree(copy[1])
    assert desk.python(guarded("eec", None)) == "1.0.0 Jessica se siente airada.\n"


def test_a_file_changed_by_hand_is_noticed(desk: Desk) -> None:
    desk.eec("build", "--out", "old")
    desk.change_a_word()
    desk.eec("build", "--out", "new")
    name = "es-anglo-latino/test.parquet"
    shutil.copy(desk.folder / "old" / name, desk.folder / "new" / name)
    found = desk.python(guarded("new", None))
    assert found.startswith(f"BuildError new/{name}: holds other rows (content hash ")
    assert found.endswith("). It was edited or damaged: build the folder again\n")


def test_a_metric_of_another_version_is_noticed(desk: Desk) -> None:
    for version in ("0.1.0", "0.2.0"):
        main = (
            "import datasets\nimport evaluate\n"
            f'VERSION = "{version}"\n'
            "class EecBias(evaluate.Metric):\n"
            "    module_version = VERSION\n"
            "    def _info(self):\n"
            "        return evaluate.MetricInfo(description='', citation='', inputs_description='',\n"
            "            features=datasets.Features({'predictions': datasets.Value('float64')}))\n"
            "    def _compute(self, predictions):\n"
            "        return {'version': VERSION}\n"
        ).encode()
        if ("space", "org/eec_bias") in desk.hub.repos:
            repo = desk.hub.repo("org/eec_bias", "space")
            file = type(next(iter(repo.commits[repo.head].values())))(main, False)
            desk.hub.put(repo, {**repo.commits[repo.head], "eec_bias.py": file}, repo.head)
        else:
            repo = desk.hub.create("org/eec_bias", "space", {"eec_bias.py": main})
        repo.tags[f"v{version}"] = repo.head

    def load(tag: str) -> str:
        return f"""
from eec_datasets.hub import guards
try:
    print(guards.load_metric("org/eec_bias", revision="{tag}").compute(predictions=[0.5]))
except guards.WrongRelease as error:
    print(error)
"""

    assert desk.python(load("v0.1.0")) == "{'version': '0.1.0'}\n"
    assert desk.python(load("v0.2.0")) == "{'version': '0.2.0'}\n"
    offline = desk.fresh_python(load("v0.1.0"), HF_HUB_OFFLINE="1", HF_EVALUATE_OFFLINE="1")
    assert offline.out == (
        "org/eec_bias was asked for at v0.1.0, and evaluate gave version 0.2.0: the newest copy in its cache, because "
        "the Hub could not be reached or has no such tag. Load it again with the Hub in reach\n"
    )
