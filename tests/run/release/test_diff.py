"""Changes between two releases, and the version they call for."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eec_datasets.errors import InputError
from eec_datasets.release import changelog, versions
from eec_datasets.release.diff import ChangedRow, compare
from eec_datasets.release.versions import Version

ANA = ("t01/sad/ana", "Ana is sad.", "Latino")
JACK = ("t01/sad/jack", "Jack is sad.", "Anglo")
EVE = ("t01/sad/eve", "Eve is sad.", "Anglo")
WAS = ("t01/sad/ana", "Ana was sad.", "Latino")


def table(*rows, columns=("id", "text", "race")):
    names = ("id", "text", "race")
    whole = {name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)}
    return pa.table(whole).select(columns)


TWO = {"en": table(ANA, JACK)}
WITHOUT_RACE = {"en": table(ANA, JACK, columns=("id", "text"))}


def diff(new, old=TWO):
    return compare(old, new, old_name="1", new_name="2")


@pytest.mark.parametrize(
    ("old", "new", "kind", "statuses"),
    [
        (TWO, TWO, "patch", ["same"]),
        (TWO, {"en": table(JACK, ANA)}, "patch", ["reordered"]),
        (TWO, {"en": table(ANA, JACK, EVE)}, "minor", ["changed"]),
        (TWO, {**TWO, "es": table(ANA)}, "minor", ["same", "added"]),
        (WITHOUT_RACE, TWO, "minor", ["changed"]),
        (TWO, {"en": table(WAS, JACK)}, "major", ["changed"]),
        (TWO, {"en": table((*ANA[:2], "unmarked"), JACK)}, "major", ["changed"]),
        (TWO, {"en": table(ANA)}, "major", ["changed"]),
        (TWO, {}, "major", ["removed"]),
        (TWO, WITHOUT_RACE, "major", ["changed"]),
    ],
)
def test_what_changed_says_which_version_must_follow(old, new, kind, statuses):
    change = diff(new, old)
    assert (change.kind, [config.status for config in change.configs]) == (kind, statuses)
    assert change.same == (statuses == ["same"])


def test_what_is_said_of_columns_is_not_said_of_rows():
    change = diff({"en": TWO["en"].select(["text", "id", "race"])})
    assert (change.kind, change.configs[0].status) == ("patch", "reordered")
    assert "rows or columns in another order" in changelog.table(change)
    added = changelog.verdict(diff(TWO, WITHOUT_RACE))
    assert added == "MINOR: sentences or labels were added, and none was changed or removed."


def test_a_difference_names_the_rows_and_columns():
    (config,) = diff({"en": table(WAS, EVE)}).configs
    assert config.changed == (ChangedRow(ANA[0], {"text": ANA[1]}, {"text": WAS[1]}),)
    assert (config.added, config.removed, config.rows) == ((EVE[:2],), (JACK[:2],), (2, 2))
    assert diff(WITHOUT_RACE).configs[0].columns_removed == ("race",)
    assert diff(TWO, WITHOUT_RACE).configs[0].columns_added == ("race",)


texts = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["x", "y"]), max_size=6)


@given(texts, texts)
def test_the_kind_follows_from_the_rows_whatever_they_are(old, new):
    before, after = ({"en": table(*((key, text, "-") for key, text in rows.items()))} for rows in (old, new))
    lost = any(new.get(key) != text for key, text in old.items())
    change = compare(before, after)
    assert change.kind == ("major" if lost else "minor" if len(new) > len(old) else "patch")
    assert change.same == (list(old.items()) == list(new.items()))


@pytest.mark.parametrize(("kind", "following"), [("patch", "v1.2.4"), ("minor", "v1.3.0"), ("major", "v2.0.0")])
def test_only_the_version_that_the_change_calls_for_may_follow(kind, following):
    old = versions.parse_tag("v1.2.3")
    versions.check_next(old, versions.parse_tag(following), kind)
    for other in {"v1.2.3", "v1.2.5", "v1.4.0", "v3.0.0", "v1.2.4", "v1.3.0", "v2.0.0"} - {following}:
        with pytest.raises(InputError, match=rf"^{other} cannot follow v1\.2\.3: .*next version is {following}$"):
            versions.check_next(old, versions.parse_tag(other), kind)


OTHER_TAGS = ["latest", "v1.0", "1.0.0", "v1.0.0.0", "v01.0.0", "v1.0.x", "", "v1.0.-1", "v1.0.0-rc1", "v١.٠.٠"]


def test_versions_are_compared_as_numbers():
    assert versions.released(["v1.10.0", "v1.9.0", *OTHER_TAGS]) == [Version(1, 9, 0), Version(1, 10, 0)]


@pytest.mark.parametrize("tag", OTHER_TAGS)
def test_a_tag_of_another_form_is_no_version(tag):
    with pytest.raises(InputError, match=rf"^tag '{tag}' is not of the form v1\.0\.0"):
        versions.parse_tag(tag)


def test_the_changelog_shows_every_config_and_its_first_changes(snapshot):
    change = diff({"en": table(WAS), "es": table(ANA)})
    first = changelog.prepend(changelog.entry(None, "1.0.0"), "")
    second = changelog.prepend(changelog.entry(diff({**TWO, "es": table(ANA)}), "1.1.0"), first)
    rows = [(f"t01/sad/p{i}", f"P{i} is sad.", "-") for i in range(9)]
    many = changelog.entry(diff({"en": table(*rows)}, {"en": table(*rows[:1])}), "1.2.0")
    snapshot.check("changelog", "\n======\n".join([changelog.table(change), second, many]))
