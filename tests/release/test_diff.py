"""What changed between two releases, and which version it calls for."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eec_datasets import release
from eec_datasets.hub import releases
from eec_datasets.release import changelog, versions
from eec_datasets.release.diff import ChangedRow, Diff, compare
from eec_datasets.release.versions import Version, VersionError


def table(*rows: tuple[str, str, str], columns: tuple[str, ...] = ("id", "text", "race")) -> pa.Table:
    return pa.table(
        {name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(("id", "text", "race"))}
    ).select(columns)


ANA = ("t01/sad/ana", "Ana is sad.", "Latino")
JACK = ("t01/sad/jack", "Jack is sad.", "Anglo")
OLD = {"en": table(ANA, JACK)}


def diff(new: dict[str, pa.Table]) -> Diff:
    return compare(OLD, new, old_name="1", new_name="2")


def test_the_same_rows_call_for_a_patch() -> None:
    found = diff({"en": table(ANA, JACK)})
    assert (found.kind, found.same, found.configs[0].status) == ("patch", True, "same")


def test_another_order_of_the_same_rows_calls_for_a_patch_and_is_said() -> None:
    found = diff({"en": table(JACK, ANA)})
    assert (found.kind, found.same, found.configs[0].status) == ("patch", False, "reordered")


def test_added_rows_configs_and_columns_call_for_a_minor_version() -> None:
    eve = ("t01/sad/eve", "Eve is sad.", "Anglo")
    rows, config = diff({"en": table(ANA, JACK, eve)}), diff({**OLD, "es": table(ANA)})
    column = compare({"en": table(ANA, columns=("id", "text"))}, {"en": table(ANA)})
    assert (rows.kind, rows.configs[0].added) == ("minor", (("t01/sad/eve", "Eve is sad."),))
    assert (config.kind, config.configs[1].status, config.configs[1].rows) == ("minor", "added", (0, 1))
    assert (column.kind, column.configs[0].columns_added) == ("minor", ("race",))


def test_a_changed_sentence_or_label_calls_for_a_major_version() -> None:
    sentence = diff({"en": table((ANA[0], "Ana was sad.", ANA[2]), JACK)})
    label = diff({"en": table((*ANA[:2], "unmarked"), JACK)})
    assert sentence.configs[0].changed == (ChangedRow(ANA[0], {"text": "Ana is sad."}, {"text": "Ana was sad."}),)
    assert label.configs[0].changed == (ChangedRow(ANA[0], {"race": "Latino"}, {"race": "unmarked"}),)
    assert sentence.kind == label.kind == "major"


def test_removed_rows_configs_and_columns_call_for_a_major_version() -> None:
    rows, config = diff({"en": table(ANA)}), diff({})
    column = diff({"en": table(ANA, JACK, columns=("id", "text"))})
    assert (rows.kind, rows.configs[0].removed) == ("major", ((JACK[0], JACK[1]),))
    assert (config.kind, config.configs[0].status) == ("major", "removed")
    assert (column.kind, column.configs[0].columns_removed) == ("major", ("race",))


texts = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["x", "y"]), max_size=6)


@given(texts, texts)
def test_the_kind_follows_from_the_rows_whatever_they_are(old: dict[str, str], new: dict[str, str]) -> None:
    before = {"en": table(*((key, text, "-") for key, text in old.items()))}
    after = {"en": table(*((key, text, "-") for key, text in new.items()))}
    expected = (
        "major"
        if any(new.get(key) != text for key, text in old.items())
        else "minor" if len(new) > len(old)
        else "patch"
    )  # fmt: skip
    found = compare(before, after)
    assert found.kind == expected
    assert found.same == (list(old.items()) == list(new.items()))


@pytest.mark.parametrize(("kind", "following"), [("patch", "1.2.4"), ("minor", "1.3.0"), ("major", "2.0.0")])
def test_only_the_version_that_the_change_calls_for_may_follow(kind: versions.Kind, following: str) -> None:
    old = versions.parse("1.2.3")
    versions.check_next(old, versions.parse(following), kind)
    for other in ("1.2.3", "1.2.5", "1.4.0", "3.0.0", "1.2.4", "1.3.0", "2.0.0"):
        if other != following:
            with pytest.raises(VersionError) as caught:
                versions.check_next(old, versions.parse(other), kind)
            assert str(caught.value) == (
                f"v{other} cannot follow v1.2.3: {versions.MEANING[kind]}, so this is a {kind.upper()} change and the "
                f"next version is v{following}"
            )


def test_versions_are_compared_as_numbers_and_other_tags_are_left_out() -> None:
    tags = ["v1.10.0", "v1.9.0", "latest", "v1.0", "1.0.0", "v01.0.0", "v1.0.0-rc1"]
    assert versions.released(tags) == [Version(1, 9, 0), Version(1, 10, 0)]


@pytest.mark.parametrize("text", ["1.0", "v1.0.0", "1.0.0.0", "01.0.0", "1.0.x", "", "1.0.-1", "١.٠.٠"])
def test_a_version_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(VersionError) as caught:
        versions.parse(text)
    assert str(caught.value) == f"version '{text}' is not of the form 1.0.0 (three numbers, no leading zeros)"


def test_the_table_shows_every_config_and_the_first_changes() -> None:
    new = {"en": table((ANA[0], "Ana was sad.", ANA[2])), "es": table(ANA)}
    assert changelog.table(diff(new)) == (
        "1 → 2\n\n"
        "config  status       before     after     added   removed   changed\n"
        "-------------------------------------------------------------------\n"
        "en      changed           2         1         0         1         1\n"
        "es      added             0         1         1         0         0\n\n"
        "en\n"
        "  changed t01/sad/ana: text: Ana is sad. → Ana was sad.\n"
        "  removed t01/sad/jack: Jack is sad.\n\n"
        "MAJOR: existing sentences or labels were changed or removed."
    )


def test_the_changelog_puts_the_newest_entry_first() -> None:
    first = changelog.prepend(changelog.entry(None, "1.0.0"), None)
    added = compare(OLD, {**OLD, "es": table(ANA)})
    second = changelog.prepend(changelog.entry(added, "1.1.0"), first)
    assert second == (
        f"{changelog.TITLE}\n"
        "## 1.1.0\n\nMINOR: sentences were added, and none was changed or removed.\n\n"
        "Config `es` added (1 sentence).\n\n"
        "## 1.0.0\n\nFirst release.\n"
    )


def test_long_lists_are_cut_and_counted() -> None:
    rows = [(f"t01/sad/p{i}", f"P{i} is sad.", "-") for i in range(9)]
    found = changelog.entry(compare({"en": table(*rows[:1])}, {"en": table(*rows)}), "1.1.0", shown=2)
    assert found.endswith("- added t01/sad/p1: P1 is sad.\n- added t01/sad/p2: P2 is sad.\n- … and 6 more added\n")


def test_two_folders_are_compared_by_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        release.build(tmp_path / name, configs=["es-anglo-latino"])
    found = releases.difference(str(tmp_path / "one"), str(tmp_path / "two"))
    assert found.same
    assert json.loads(json.dumps(found.to_dict()))["configs"][0]["name"] == "es-anglo-latino"


def test_what_is_neither_folder_nor_release_is_refused() -> None:
    with pytest.raises(releases.SourceError) as caught:
        releases.difference("no/such", "x")
    assert str(caught.value) == (
        "'no/such' is not a folder, and not a release on the Hub (ORG/NAME@REVISION, such as my-org/eec@v1.0.0)"
    )
