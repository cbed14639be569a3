"""Croissant metadata: valid by the reference implementation, and the records read back."""

import hashlib
import json
import re
from itertools import islice

import pytest
from languages import languages
from texts import keep

from eec_datasets import corpora, release
from eec_datasets.locale.reading import corpus_facts
from eec_datasets.release import manifest

# The reference implementation reads JSON-LD with calls that its own library has deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

CONFIGS = ["es-anglo-latino", "ar-anglo-arab"]
OURS = "The eec-datasets authors"


@pytest.fixture(scope="module")
def described(built):
    """The build, as the reference implementation finds it."""
    return pytest.importorskip("mlcroissant").Dataset(str(built / "croissant.json"))


def test_the_reference_implementation_finds_nothing_wrong(described):
    found = described.metadata.ctx.issues
    assert (list(found.errors), list(found.warnings)) == ([], [])


@pytest.mark.parametrize("name", CONFIGS)
def test_the_records_read_back_are_the_rows(described, name):
    found = list(islice(described.records(name), 100))
    rows = corpora.table(name).slice(0, 100).to_pylist()
    read = [{key.partition("/")[2]: value.decode() for key, value in record.items()} for record in found]
    assert read == rows


def test_each_file_is_named_with_its_hash(built):
    facts = json.loads((built / "croissant.json").read_text(encoding="utf-8"))
    assert {file["contentUrl"]: file["sha256"] for file in facts["distribution"]} == {
        f"{config.name}/test.parquet": hashlib.sha256((built / f"{config.name}/test.parquet").read_bytes()).hexdigest()
        for config in manifest.read(built).configs
    }
    assert (facts["creator"]["name"], facts["datePublished"]) == (OURS, str(corpus_facts()["date"]))
    assert facts["version"] == corpora.find(CONFIGS[0]).version
    assert facts["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert "camara-etal-2022-mapping" in facts["citeAs"]


def test_a_published_release_names_its_files_by_address_and_tag():
    built = release.render(configs=CONFIGS[:1], repo="org/eec")
    facts, page = json.loads(built.files["croissant.json"]), "https://huggingface.co/datasets/org/eec"
    (file,) = facts["distribution"]
    place = f"{page}/resolve/v{built.manifest.version}/es-anglo-latino/test.parquet"
    assert (facts["url"], file["contentUrl"]) == (page, place)


def test_a_corpus_without_a_date_says_none(tmp_path):
    keep(languages(tmp_path, "es") / "corpus.toml", lambda line: not line.startswith("date = "))
    files = release.render(configs=CONFIGS[:1], root=tmp_path).files
    assert "datePublished" not in json.loads(files["croissant.json"])
    assert b"  year = {20" not in files["README.md"].partition(b"@inproceedings")[0]


def test_a_corpus_from_tables_of_others_is_theirs_and_the_program_ours(tmp_path):
    def cited(**more):
        files = release.render(configs=CONFIGS[:1], **more).files
        creator = json.loads(files["croissant.json"]).get("creator", {}).get("name")
        cite = files["README.md"].decode().partition("```bibtex")[2].partition("@inproceedings")[0]
        return creator, [re.findall("author = {{(.*)}}", entry) for entry in cite.split("@misc")[1:]]

    assert cited() == (OURS, [[OURS]])
    facts = languages(tmp_path, "es") / "corpus.toml"
    assert cited(root=tmp_path) == (None, [[], [OURS]])
    facts.write_text('authors = "A. Writer"\n' + facts.read_text(encoding="utf-8"), encoding="utf-8")
    assert cited(root=tmp_path) == ("A. Writer", [["A. Writer"], [OURS]])


RAI = {
    "dataCollection", "dataCollectionType", "dataCollectionMissingData", "dataCollectionRawData",
    "dataCollectionTimeframe", "dataImputationProtocol", "dataPreprocessingProtocol", "dataManipulationProtocol",
    "dataAnnotationProtocol", "dataAnnotationPlatform", "dataAnnotationAnalysis", "annotationsPerItem",
    "annotatorDemographics", "machineAnnotationTools", "dataReleaseMaintenancePlan", "personalSensitiveInformation",
    "dataSocialImpact", "dataBiases", "dataLimitations", "dataUseCases",
}  # fmt: skip
"""The properties of RAI 1.0; the reference implementation takes no notice of one that is spelt otherwise."""


@pytest.fixture(scope="module")
def content(built):
    return json.loads((built / "croissant.json").read_text(encoding="utf-8"))


def test_the_keys_of_responsible_ai_are_spelt_as_the_vocabulary_has_them(content):
    told = {key.removeprefix("rai:") for key in content if key.startswith("rai:")}
    assert told - RAI == {"hasSyntheticData"}
    assert RAI - told == {
        "dataCollectionTimeframe", "dataImputationProtocol", "dataAnnotationPlatform", "dataAnnotationAnalysis",
        "annotatorDemographics", "machineAnnotationTools",
    }  # fmt: skip


def test_where_the_data_come_from_and_what_made_them_is_said(content):
    assert {source["@id"] for source in content["prov:wasDerivedFrom"]} == {
        "https://aclanthology.org/S18-2005/",
        "https://aclanthology.org/2022.ltedi-1.11/",
    }
    assert content["prov:wasGeneratedBy"]["prov:label"] == "eec build"
    assert content["@context"]["prov"] == "http://www.w3.org/ns/prov#"


def test_the_metadata_say_which_vocabularies_they_keep_to(content):
    assert content["conformsTo"] == [
        "http://mlcommons.org/croissant/1.1",
        "http://mlcommons.org/croissant/RAI/1.0",
    ]


def test_a_build_that_is_not_published_has_no_address(content):
    assert "url" not in content


def test_every_fact_of_the_metadata_stands_in_the_card_too(built, content):
    card = " ".join((built / "README.md").read_text(encoding="utf-8").split())
    told = [content[key] for key in content if key.startswith("rai:") and key not in NOT_IN_CARD]
    sentences = [each for value in told for each in (value if isinstance(value, list) else [value])]
    assert [each for each in sentences if each not in card] == []


NOT_IN_CARD = {"rai:dataCollectionType", "rai:annotationsPerItem", "rai:hasSyntheticData"}


def test_who_has_read_a_language_is_said_as_its_review_says_it(built, content):
    for config in manifest.read(built).configs:
        assert f"{config.language}: {config.review_sentence}" in content["rai:dataAnnotationProtocol"]
    assert any("No native speaker has reviewed: " in limit for limit in content["rai:dataLimitations"])


def test_nobody_is_called_an_annotator(built):
    assert "annotations_creators:\n- no-annotation\n" in (built / "README.md").read_text(encoding="utf-8")
