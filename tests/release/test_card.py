"""The dataset card: YAML that the libraries obey, and what a reader must be told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eec_datasets import corpora, release
from eec_datasets.locale.reading import corpus_facts
from eec_datasets.release import card, manifest
from eec_datasets.release.manifest import Manifest

CONFIGS = ["en-black-white", "es-anglo-latino", "es-gender"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Manifest, Path]:
    out = tmp_path_factory.mktemp("card") / "eec"
    return release.build(out, configs=CONFIGS), out


@pytest.fixture(scope="module")
def text(made: tuple[Manifest, Path]) -> str:
    return (made[1] / "README.md").read_text(encoding="utf-8")


def test_the_libraries_read_the_head_as_it_was_meant(made: tuple[Manifest, Path]) -> None:
    from datasets.info import DatasetInfosDict
    from datasets.utils.metadata import MetadataConfigs
    from huggingface_hub import DatasetCard

    built, out = made
    data = DatasetCard.load(out / "README.md").data
    configs = MetadataConfigs.from_dataset_card_data(data)
    infos = DatasetInfosDict.from_dataset_card_data(data)
    assert list(configs) == list(infos) == CONFIGS
    assert configs.get_default_config_name() == "en-black-white"
    assert {config["version"] for config in configs.values()} == {built.version}
    for config in built.configs:
        assert infos[config.name].splits["test"].num_examples == config.rows
        assert tuple(infos[config.name].features) == config.columns
    assert (data.license, data.language, data.multilinguality) == ("cc-by-4.0", ["en", "es"], ["multilingual"])


def test_the_card_carries_every_content_hash(made: tuple[Manifest, Path], text: str) -> None:
    """The cache of datasets knows a build by its card, so a changed sentence must change the card."""
    for config in made[0].configs:
        assert f"| `{config.name}` | `{config.content_hash}` |" in text
    assert made[0].content_hash in text


@pytest.mark.parametrize(
    "words",
    [
        "| `es-anglo-latino` | es | 8,640 | 60 | race (2), gender (2) | second-reading |",
        "The National Research Council Canada (NRC) asks that its original\n2018 file not be redistributed",
        "Words, templates and sentences: CC BY 4.0\n(`cc-by-4.0`). The code that renders them: MIT.",
        "Not reviewed by a native speaker.",
        "## Intended use",
        "## Misuse",
        "## Known limits",
        "## Datasheet",
        "kiritchenko-mohammad-2018-examining",
        "camara-etal-2022-mapping",
        "- `es-gender`: wife_husband 51.",
    ],
)
def test_the_card_says_what_a_reader_must_know(text: str, words: str) -> None:
    assert words in text


def test_nothing_on_the_card_claims_a_system_to_be_fair(text: str) -> None:
    lines = [line for line in text.splitlines() if re.search(r"(?i)\b(fair|unbiased|debiased)\b", line)]
    assert lines == ["- Do not call a system fair, unbiased or debiased because no difference was found here: the"]


def test_a_published_card_says_how_to_load_and_cite_the_release() -> None:
    built = release.render(configs=["es-anglo-latino"], repo="org/eec")
    text = built.files["README.md"].decode()
    version = built.manifest.version
    assert f'load_dataset("org/eec", "es-anglo-latino", split="test", revision="v{version}")' in text
    assert f"howpublished = {{https://huggingface.co/datasets/org/eec/tree/v{version}}}" in text
    assert f"version = {{{version}}}" in text
    day = corpus_facts()["date"]
    assert f"  year = {{{day.year}}},\n" in text
    assert f"# Equity Evaluation Corpora, release {version} ({day})\n" in text


def test_a_single_config_is_the_default() -> None:
    built = release.render(configs=["es-anglo-latino"])
    assert card.metadata(built.manifest).configs == [
        {
            "config_name": "es-anglo-latino",
            "version": built.manifest.version,
            "data_files": [{"split": "test", "path": "es-anglo-latino/test.parquet"}],
            "default": True,
        }
    ]


def test_a_language_code_that_yaml_takes_for_a_truth_value_stays_a_code() -> None:
    import dataclasses

    import yaml

    built = release.render(configs=["es-anglo-latino"]).manifest
    norwegian = dataclasses.replace(built.configs[0], language="no")
    head = card.metadata(dataclasses.replace(built, configs=(norwegian,))).to_yaml()
    assert yaml.safe_load(head)["language"] == ["no"]


def test_every_language_shows_its_review_its_notes_and_its_flagged_words(text: str) -> None:
    for locale in {corpora.find(name).locale.tag: corpora.find(name).locale for name in CONFIGS}.values():
        assert f"### {card.language_name(locale.tag)} (`{locale.tag}`, {locale.variety})" in text
        assert all(f"- {note}" in text for note in locale.review.notes)
    assert "- Is also a common or evaluative word: Ebony," in text


def test_a_flag_on_many_phrases_shows_the_first_and_counts_the_rest() -> None:
    text = release.render(configs=["ar-country"]).files["README.md"].decode()
    (line,) = (line for line in text.splitlines() if line.startswith("- Is written like another word: "))
    assert re.search(r", and \d+ more \(in persons\.csv or made from its phrases\)\.$", line)
    assert line.count(",") == card.MANY


def test_many_groups_of_one_size_are_counted_and_few_are_listed() -> None:
    country = release.render(configs=["es-country"])
    count = len(country.manifest.configs[0].persons)
    assert f"  Persons: 8 in each of {count} groups.\n" in country.files["README.md"].decode()
    paper = release.render(configs=["es-anglo-latino"]).files["README.md"].decode()
    assert "  Persons: 10 Anglo female, 10 Anglo male, 10 Latino female," in paper


def test_every_axis_says_what_it_is_and_what_to_mind(text: str) -> None:
    assert "**Race.** The group that a first name is strongly associated with" in text
    assert "- A name is a signal of a group, not membership" in text
    assert "**Country.**" not in text


@pytest.mark.parametrize(("tag", "name"), [("es", "Spanish"), ("pt-BR", "Portuguese (Brazil)"), ("zz", "zz")])
def test_languages_have_their_names_from_cldr(tag: str, name: str) -> None:
    assert card.language_name(tag) == name


def test_the_version_of_the_build_is_that_of_the_corpus(made: tuple[Manifest, Path]) -> None:
    assert manifest.read(made[1]).version == corpora.find("en-black-white").version
