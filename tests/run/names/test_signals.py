"""Strength of names as signals of their group, in corpora and audits."""

import csv
from pathlib import Path

import pytest
from languages import languages

import eec_datasets
from eec_datasets import corpora
from eec_datasets.audit.covariates import rows_to_measure
from eec_datasets.errors import FileProblems, InputError
from eec_datasets.locale.reading import locales_folder
from eec_datasets.systems.corpus import CorpusPart, open_corpus

PART = CorpusPart(names=6, items=8)


def test_a_corpus_has_the_probabilities_of_the_table() -> None:
    with Path(locales_folder() / "en" / "names.csv").open(encoding="utf-8") as file:
        shares = {(row["name"], row["group"]): row["l23.share"] for row in csv.DictReader(file)}
    rows = eec_datasets.load("en-black-white-100", names=6, items=8, signals=True)
    found = {(row["person_form"], row["race"]): row["race_signal"] for row in rows if row["person_type"] == "name"}
    assert found == {key: shares[key] for key in found}


def test_labels_of_a_corpus_are_those_of_the_table_by_the_rule() -> None:
    rows = eec_datasets.load("es-anglo-latino-100", names=6, items=8, signals=True)
    signals = {row["race_signal"] for row in rows if row["person_type"] == "name"} - {"none"}
    assert len(signals) > 20
    assert min(map(float, signals)) >= 0.5


def test_what_is_no_name_has_no_signal() -> None:
    rows = eec_datasets.load("en-black-white-100", names=6, items=8, signals=True)
    assert {row["race_signal"] for row in rows if row["person_type"] != "name"} == {"none"}


def test_a_corpus_has_no_such_column_unless_asked() -> None:
    assert "race_signal" not in eec_datasets.load("en-black-white-100", names=6, items=8).column_names


def test_a_corpus_without_a_source_of_signals_is_refused() -> None:
    with pytest.raises(InputError, match="signals were asked of 'en-black-white', and no set of its names"):
        eec_datasets.load("en-black-white", signals=True)


def test_signals_of_a_build_are_refused() -> None:
    with pytest.raises(InputError, match="signals cannot be chosen of the build"):
        eec_datasets.load("build", "en-black-white-100", signals=True)


def test_an_audit_measures_with_signals() -> None:
    corpus = open_corpus("en-black-white-100", PART)
    assert "race_signal" in rows_to_measure(corpus).column_names
    assert tuple(corpus.groups) == ("gender", "race")


def test_a_signal_that_is_no_column_is_named(tmp_path: Path) -> None:
    rules = languages(tmp_path, "en") / "en" / "names.toml"
    rules.write_text(rules.read_text(encoding="utf-8").replace("l23.share", "l24.share", 1), encoding="utf-8")
    with pytest.raises(
        FileProblems, match=r"the set 'black-white-100' has the signal 'l24\.share', which is no column"
    ):
        corpora.render("en-black-white-100", root=tmp_path)
