"""The libraries give other rows without an error; the guards notice and say so."""

import re
import shutil

from desk import OFFLINE, Desk, masked
from loopback import File
from places import ROOT
from snapshots import Snapshot

LOAD = """
import sys
import eec_datasets
from eec_datasets.errors import EecError, InputError, Unavailable
for where, revision in CASES:
    try:
        ds = eec_datasets.load(where, "es-anglo-latino", revision=revision)
        print(ds.info.version, ds[0]["text"])
    except EecError as error:
        print(type(error).__name__, error)
"""
PLAIN = """
from datasets import load_dataset
print(load_dataset("org/eec", "es-anglo-latino", revision="v1.0.0", split="test").info.version)
"""
OLD, NEW = "1.0.0 Jessica se siente enojada.", "2.0.0 Jessica se siente airada."


def loading(*cases: tuple[str, str | None]) -> str:
    return LOAD.replace("CASES", repr(cases))


def test_offline_no_other_revision_is_taken_for_the_one_asked_for(desk: Desk, snapshot: Snapshot) -> None:
    desk.first_release()
    desk.change_a_word()
    desk.version("1.0.0", "2.0.0")
    desk.released("v2.0.0")
    both = loading(("org/eec", "v1.0.0"), ("org/eec", "v2.0.0"))
    assert desk.python(both).splitlines() == [OLD, NEW]
    assert desk.python(OFFLINE + both).splitlines() == [OLD, NEW]
    cache = desk.home / "hf" / "hub" / "datasets--org--eec"
    (older,) = cache.glob(f"snapshots/{(cache / 'refs' / 'v1.0.0').read_text()}/*/test.parquet")
    older.unlink()
    offline = PLAIN + loading(("org/eec", "v2.0.0"), ("org/eec", "v1.0.0"), ("org/never-seen", "v1.0.0"))
    lines = desk.python(OFFLINE + offline).splitlines()
    # The library itself says that it loaded the older one, and gave the newer.
    assert lines[:2] == ["2.0.0", NEW]
    assert [line.split()[0] for line in lines[2:]] == ["InputError", "Unavailable"]
    snapshot.check("load-offline", masked("\n\n".join(lines[2:]), desk))


def test_what_is_no_release_is_told_apart(desk: Desk, snapshot: Snapshot) -> None:
    repo = desk.first_release()
    repo.tags["v3.0.0"] = repo.head
    desk.eec("build", "--out", "eec")
    desk.eec("build", "--out", "damaged")
    shutil.rmtree(desk.folder / "damaged" / "es-anglo-latino")
    cases = [
        ("org/eec", "v9.0.0"), ("org/eec", "v3.0.0"), ("no folder", None), ("/no/such", None), ("org/eec", ""),
        ("eec", "v1.0.0"), ("damaged", None),
    ]  # fmt: skip
    lines = re.sub(r"parquet \(.*?\)\. B", "parquet (…). B", desk.python(loading(*cases))).splitlines()
    pairs = zip(cases, lines, strict=True)
    snapshot.check("load-refused", masked("\n".join(f"{case}\n    {line}\n" for case, line in pairs), desk))


def test_a_stale_cache_or_a_file_changed_by_hand_is_noticed(desk: Desk) -> None:
    """The cache knows a build by its card; a folder whose card was left behind gives the old rows."""
    load, folder, parquet = loading(("eec", None)), desk.folder / "eec", "es-anglo-latino/test.parquet"
    desk.eec("build", "--out", "eec")
    assert desk.python(load) == f"{OLD}\n"
    card, rows = (folder / "README.md").read_bytes(), (folder / parquet).read_bytes()
    desk.change_a_word()
    desk.eec("build", "--out", "eec")
    new = NEW.replace("2.0.0", "1.0.0")
    assert desk.python(load) == f"{new}\n"

    (folder / "README.md").write_bytes(card)
    copy = re.search(
        r"^InputError eec holds .*: an older build from its cache \((/[^)]*)\)\. Remove", desk.python(load)
    )
    assert copy
    shutil.rmtree(copy[1])
    assert desk.python(load) == f"{new}\n"

    (folder / parquet).write_bytes(rows)
    assert desk.python(load).startswith(f"InputError eec/{parquet}: holds other rows (content hash ")


MODULE = """
import datasets
import evaluate

class EecBias(evaluate.Metric):
    module_version = "VERSION"

    def _info(self):
        features = datasets.Features({"predictions": datasets.Value("float64")})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions):
        return {"module_version": self.module_version}
"""
LOAD_METRIC = """
from eec_datasets.errors import InputError
from eec_datasets.hub import guards
for tag in TAGS:
    try:
        print(guards.load_metric("org/eec_bias", revision=tag).compute(predictions=[0.5])["module_version"])
    except (InputError, ImportError) as error:
        print(error)
"""


def loading_metrics(desk: Desk, modules: dict[str, str], *tags: str) -> str:
    """Code that loads the metric at tags, once modules stand at theirs."""
    repo = desk.hub.create("org/eec_bias", "space")
    for tag, text in modules.items():
        repo.tags[tag] = desk.hub.put(repo, {"eec_bias.py": File(text.encode(), False)}, repo.head)
    return LOAD_METRIC.replace("TAGS", repr(tags))


def test_a_metric_of_another_version_is_noticed(desk: Desk) -> None:
    modules = {f"v{version}": MODULE.replace("VERSION", version) for version in ("0.1.0", "0.2.0")}
    assert desk.python(loading_metrics(desk, modules, *modules)) == "0.1.0\n0.2.0\n"
    assert desk.python(OFFLINE + LOAD_METRIC.replace("TAGS", "('v0.1.0',)")) == (
        "org/eec_bias was asked for at v0.1.0, and evaluate gave version 0.2.0: the newest copy in its cache, because "
        "the Hub could not be reached or has no such tag. Load it again with the Hub in reach\n"
    )


def test_a_metric_that_needs_another_package_is_noticed(desk: Desk) -> None:
    module = (ROOT / "metrics" / "eec_bias" / "eec_bias.py").read_text(encoding="utf-8")
    later = re.sub(r"(?m)^INTERFACE = .*$", "INTERFACE = 999", module)
    modules = {"v0.1.0": module, "v9.0.0": re.sub(r"(?m)^VERSION = .*$", 'VERSION = "9.0.0"', later)}
    online = desk.python(loading_metrics(desk, modules, "v9.0.0"))
    assert online.startswith("this evaluate module, 9.0.0, speaks interface 999 of the package")
    offline = desk.python(OFFLINE + LOAD_METRIC.replace("TAGS", "('v0.1.0',)"))
    assert offline.startswith("org/eec_bias was asked for at v0.1.0, and evaluate gave version 9.0.0: ")
