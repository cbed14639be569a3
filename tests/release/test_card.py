"""The dataset card: YAML that the libraries obey, and what a reader must be told."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
import yaml

from eec_datasets import corpora, release
from eec_datasets.locale.reading import corpus_facts
from eec_datasets.release import card, manifest
from eec_datasets.release.building import Built


@pytest.fixture(scope="module")
def text(built: Path) -> str:
    return (built / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def published() -> Built:
    return release.render(configs=["es-anglo-latino"], repo="org/eec")


def test_the_libraries_read_the_head_as_it_was_meant(built: Path) -> None:
    from datasets.info import DatasetInfosDict
    from datasets.utils.metadata import MetadataConfigs
    from huggingface_hub import DatasetCard

    made = manifest.read(built)
    data = DatasetCard.load(built / "README.md").data
    configs = MetadataConfigs.from_dataset_card_data(data)
    infos = DatasetInfosDict.from_dataset_card_data(data)
    assert list(configs) == list(infos) == [config.name for config in made.configs]
    assert configs.get_default_config_name() == "en-black-white"
    assert {config["version"] for config in configs.values()} == {made.version} == {corpora.find("es-gender").version}
    for config in made.configs:
        assert infos[config.name].splits["test"].num_examples == config.rows
        assert tuple(infos[config.name].features) == config.columns
    assert (data.license, data.language, data.multilinguality) == ("cc-by-4.0", ["en", "es", "ar"], ["multilingual"])


def test_the_card_carries_every_content_hash(built: Path, text: str) -> None:
    """The cache of datasets knows a build by its card, so a changed sentence must change the card."""
    made = manifest.read(built)
    assert made.content_hash in text
    for config in made.configs:
        assert f"| `{config.name}` | `{config.content_hash}` |" in text


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
        "- Is also a common or evaluative word: Ebony,",
        "  Persons: 10 Anglo female, 10 Anglo male, 10 Latino female,",
        "**Race.** The group that a first name is strongly associated with",
        "- A name is a signal of a group, not membership",
    ],
)
def test_the_card_says_what_a_reader_must_know(text: str, words: str) -> None:
    assert words in text


def test_the_card_says_nothing_of_axes_it_lacks_and_calls_no_system_fair(text: str) -> None:
    assert "**Country.**" not in text
    lines = [line for line in text.splitlines() if re.search(r"(?i)\b(fair|unbiased|debiased)\b", line)]
    assert lines == ["- Do not call a system fair, unbiased or debiased because no difference was found here: the"]


def test_every_language_shows_its_review_and_its_notes(text: str) -> None:
    for locale in {
        config.locale.tag: config.locale for config in map(corpora.find, ("en-black-white", "es-gender"))
    }.values():
        assert f"### {card.language_name(locale.tag)} (`{locale.tag}`, {locale.variety})" in text
        assert all(f"- {note}" in text for note in locale.review.notes)


def test_a_published_card_says_how_to_load_and_cite_the_release(published: Built) -> None:
    text, version, day = published.files["README.md"].decode(), published.manifest.version, corpus_facts()["date"]
    for words in (
        f'load_dataset("org/eec", "es-anglo-latino", split="test", revision="v{version}")',
        f"howpublished = {{https://huggingface.co/datasets/org/eec/tree/v{version}}}",
        f"version = {{{version}}}",
        f"  year = {{{day.year}}},\n",
        f"# Equity Evaluation Corpora, release {version} ({day})\n",
    ):
        assert words in text


def test_a_single_config_is_the_default_and_a_language_code_stays_a_code_in_yaml(published: Built) -> None:
    made = published.manifest
    assert [config["default"] for config in card.metadata(made).configs] == [True]
    norwegian = dataclasses.replace(made.configs[0], language="no")
    head = card.metadata(dataclasses.replace(made, configs=(norwegian,))).to_yaml()
    assert yaml.safe_load(head)["language"] == ["no"]


def test_long_lists_are_cut_and_counted() -> None:
    text = release.render(configs=["ar-country"]).files["README.md"].decode()
    told = "- Is written like another word or has another sense: "
    (line,) = (line for line in text.splitlines() if line.startswith(told))
    assert re.search(r", and \d+ more \(in persons\.csv or made from its phrases\)\.$", line)
    assert line.count(",") == card.MANY
    assert re.search(r"(?m)^  Persons: 8 in each of \d+ groups\.$", text)


@pytest.mark.parametrize(("tag", "name"), [("es", "Spanish"), ("pt-BR", "Portuguese (Brazil)"), ("zz", "zz")])
def test_languages_have_their_names_from_cldr(tag: str, name: str) -> None:
    assert card.language_name(tag) == name
