"""The libraries give other rows without an error; the guards notice and say so."""

from __future__ import annotations

import shutil

from desk import Desk

CACHE = (
    "an older copy from its cache, or another revision because the Hub could not be reached. Load it again with "
    "download_mode='force_redownload' and the Hub in reach, or give load_dataset an empty cache_dir"
)


def guarded(where: str, revision: str | None) -> str:
    return f"""
from eec_datasets.hub import guards
from eec_datasets.errors import EecError
try:
    ds = guards.load({where!r}, "es-anglo-latino", revision={revision!r})
    print(ds.info.version, ds[0]["text"])
except EecError as error:
    print(type(error).__name__, error)
"""


def two_releases(desk: Desk) -> None:
    desk.released("v1.0.0")
    desk.change_a_word()
    desk.version("1.0.0", "2.0.0")
    desk.released("v2.0.0")


def test_an_offline_load_that_gives_another_revision_is_noticed(desk: Desk) -> None:
    two_releases(desk)
    assert desk.python(guarded("org/eec", "v1.0.0")) == "1.0.0 Jessica se siente enojada.\n"
    assert desk.python(guarded("org/eec", "v2.0.0")) == "2.0.0 Jessica se siente airada.\n"

    plain = 'from datasets import load_dataset\nprint(load_dataset("org/eec", "es-anglo-latino", revision="v1.0.0", '
    trap = desk.fresh_python(plain + 'split="test").info.version)', HF_HUB_OFFLINE="1")
    assert trap.out == "2.0.0\n"

    found = desk.fresh_python(guarded("org/eec", "v1.0.0"), HF_HUB_OFFLINE="1").out
    old, new = _labels(desk)
    assert found == f"WrongRelease org/eec@v1.0.0 holds {old}, and datasets gave {new}: {CACHE}\n"


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
        "CannotCheck org/eec at v9.0.0 has no manifest.json that can be read: there is no such repository or revision, "
        "or eec publish did not make it. Check the name and the revision\n"
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
    assert found.startswith("WrongRelease eec holds es-anglo-latino@1.0.0#")
    assert found.endswith(f": {CACHE}\n")


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
