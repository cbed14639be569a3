"""A build is a folder that loads as what was rendered, whole or not at all; its card and its Croissant metadata."""

import dataclasses
import json
import re
import shutil
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from languages import languages
from texts import change

from eec_datasets import corpora, release, schema
from eec_datasets.errors import InputError, OutputError
from eec_datasets.locale.reading import corpus_facts
from eec_datasets.release import card, manifest

PAPERS = ["en-black-white", "es-anglo-latino", "ar-anglo-arab"]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_builds_are_the_same_to_the_byte(built, tmp_path):
    names = [config.name for config in manifest.read(built).configs]
    told: list[tuple[int, int, str]] = []
    release.build(tmp_path / "again", configs=names, progress=lambda *step: told.append(step))
    assert contents(tmp_path / "again") == contents(built)
    files = {f"{name}/test.parquet" for name in names}
    assert set(contents(built)) == {"README.md", "manifest.json", "croissant.json", *files}
    assert told == [*((done, len(names), name) for done, name in enumerate(names)), (len(names), len(names), "")]


def test_the_manifest_says_what_the_files_hold_and_what_was_left_out(built):
    made = manifest.read(built)
    for config in made.configs:
        table, corpus = pq.read_table(built / config.file, partitioning=None), corpora.render(config.name)
        assert (table.num_rows, config.columns) == (config.rows, tuple(table.column_names))
        assert schema.content_hash(table) == config.content_hash == schema.content_hash(corpus.table())
        assert config.axes["gender"][:2] == ("female", "male")
        assert config.review_sentence == corpora.find(config.name).review
        assert (config.dropped, bool(corpus.dropped)) == (corpus.dropped, config.name == "es-gender")
    assert [(config.rows, sum(config.persons.values())) for config in made.configs[:3]] == [(8640, 60)] * 3
    assert manifest.from_json(made.to_json(), "here") == made
    assert str(made).startswith(f"release {made.version}: 4 configs, {made.rows:,} sentences, content hash ")


def test_a_build_replaces_an_older_one_or_fills_an_empty_folder(tmp_path):
    (tmp_path / "eec").mkdir()
    for configs in (["tr-gender", "de-gender"], ["fr-gender"]):
        release.build(tmp_path / "eec", configs=configs)
        assert {path.name for path in (tmp_path / "eec").iterdir() if path.is_dir()} == set(configs)
    assert [path.name for path in tmp_path.iterdir()] == ["eec"]


def test_what_is_no_build_or_no_place_for_one_is_named_and_left_alone(built, tmp_path, snapshot):
    made = manifest.read(built)
    first, second, third, *_ = made.configs
    data = json.loads(made.to_json())
    for name in ("a web app", "with scores", "edited", "with notes", "damaged"):
        shutil.copytree(built, tmp_path / name)
    for name, text in {
        "something/notes.txt": "mine",
        "notes": "mine",
        "with scores/scores/mine.csv": "mine",
        "a web app/manifest.json": "[]",
        f"damaged/{first.file}": "PAR1 no more",
        "with notes/README.md": (built / "README.md").read_text(encoding="utf-8") + "mine",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    shutil.copy(built / second.file, tmp_path / "damaged" / third.file)
    shutil.copy(built / second.file, tmp_path / "edited" / first.file)
    before = contents(tmp_path)

    def build(name, configs=PAPERS[:1]):
        return partial(release.build, tmp_path / name, configs=configs)

    def read(**changes):
        return partial(manifest.from_json, json.dumps(data | changes), "here")

    refused = {
        "a folder with another program's manifest": build("a web app"),
        "a build with a user's files": build("with scores"),
        "a build with other rows": build("edited"),
        "a build with another card": build("with notes", [config.name for config in made.configs]),
        "a folder of something else": build("something"),
        "a file in the place of the folder": build("notes"),
        "a folder below a file": build("notes/eec"),
        "an unknown config": build("new", ["xx-nothing"]),
        "configs that are a text": build("new", "es-gender"),
        "no configs": build("new", []),
        "a folder without a manifest": partial(manifest.read, tmp_path / "something"),
        "no folder": partial(manifest.read, tmp_path / "none"),
        "another format": read(format=9),
        "no manifest": read(version=None, configs=3),
        "a manifest that was edited": read(configs=[]),
        "configs that are texts": read(configs=["en-black-white"]),
        "a config whose axes have no levels": read(configs=[data["configs"][0] | {"axes": ["race"]}]),
        "a manifest that is not UTF-8": partial(manifest.from_json, b'{"format": "\xff"}', "here"),
        "a config that is not there": partial(made.config, "xx"),
        "a damaged file": partial(release.read_table, tmp_path / "damaged", first),
        "a file of another config": partial(release.read_table, tmp_path / "damaged", third),
    }
    told = []
    for title, call in refused.items():
        with pytest.raises((InputError, OutputError, InputError)) as caught:
            call()
        # What pyarrow says of the file is its own.
        text = str(caught.value).partition(" (Could not open")[0].replace(str(tmp_path), "HERE")
        text = re.sub(r"\b[0-9a-f]{8}\b|(?<=There are: )ar-anglo.*", "…", text)
        told.append(f"{title}\n    {text}\n")
    assert contents(tmp_path) == before
    snapshot.check("build-refused", "\n".join(told))


@pytest.fixture(scope="module")
def text(built):
    return (built / "README.md").read_text(encoding="utf-8")


def test_the_libraries_read_the_head_as_it_was_meant(built):
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


CREATORS = {"found", "crowdsourced", "expert-generated", "machine-generated", "other"}
ALLOWED = {
    "annotations_creators": CREATORS | {"no-annotation"},
    "language_creators": CREATORS,
    "multilinguality": {"monolingual", "multilingual", "translation", "other"},
    "size_categories": {"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M"},
    "source_datasets": {"original", "extended"},
    "task_categories": {"text-classification"},
    "task_ids": {"sentiment-classification", "sentiment-scoring"},
}
"""Values that the Hub takes, by field of ``DatasetCardData`` of huggingface_hub; of the tasks only ours."""


@pytest.mark.parametrize("configs", [["en-sample"], ["es-religion", "tr-gender"]])
def test_the_head_of_the_card_keeps_to_the_rules_of_the_hub(configs: list[str]) -> None:
    text = release.render(configs=configs).files["README.md"].decode()
    head = yaml.safe_load(text.split("---\n")[1])
    assert {key: set(head[key]) - allowed for key, allowed in ALLOWED.items()} == {key: set() for key in ALLOWED}
    assert all(isinstance(head[key], list) for key in (*ALLOWED, "language", "tags", "configs"))
    assert all(re.fullmatch("[a-z]{2,3}", tag) for tag in head["language"])
    assert all(isinstance(tag, str) for tag in head["tags"])
    assert [config["config_name"] for config in head["configs"]] == configs
    assert sum(config.get("default", False) for config in head["configs"]) == 1


WORDS = (
    "| `es-anglo-latino` | es | 8,640 | 60 | 11 | race (2), gender (2) | second-reading |",
    "The National Research Council Canada (NRC) asks people not to pass on its original file of 2018",
    "Words, templates and sentences:\n`cc-by-4.0`. The code that makes the sentences: MIT.",
    "Not reviewed by a native speaker.",
    *(f"\n## {title}\n" for title in ("Intended use", "Misuse", "Known limits", "Datasheet")),
    "kiritchenko-mohammad-2018-examining",
    "camara-etal-2022-mapping",
    "- `es-gender`: wife_husband 51.",
    "- Is also a common or evaluative word: Ebony, Jasmine, Heather, Frank, Harry, Jack, Josh, Roger.\n",
    "  Persons: 10 Anglo female, 10 Anglo male, 10 Latino female,",
    "**Race.** The group that a first name is strongly associated with",
    "- A name is a signal of a group, not membership",
    'load_dataset("FOLDER", "en-black-white", split="test")',
)


def test_the_card_says_what_a_reader_must_know_of_its_configs(built, text):
    made = manifest.read(built)
    # The cache of datasets knows a build by its card, so a changed sentence must change the card.
    hashes = [f"| `{config.name}` | `{config.content_hash}` |" for config in made.configs]
    locales = [corpora.find(name).locale for name in PAPERS]
    reviewed = [f"- {note}" for locale in locales for note in locale.review.notes]
    titles = [f"### {card.language_name(each.tag)} (`{each.tag}`, {each.variety})" for each in locales]
    assert [words for words in (made.content_hash, *hashes, *reviewed, *titles, *WORDS) if words not in text] == []
    assert "**Country.**" not in text
    lines = [line for line in text.splitlines() if re.search(r"(?i)\b(fair|unbiased|debiased)\b", line)]
    assert lines == [
        "- Do not call a system fair, unbiased or debiased because the test found no gap here. The sentences are few "
        "and simple,"
    ]
    assert re.findall("Names of `(.*?)`", text) == ["en-black-white", "es-anglo-latino", "es-gender", "ar-anglo-arab"]
    without_names = release.render(configs=["en-religion"]).files["README.md"].decode()
    assert not re.search(r"Names of `|^- ssa: ", without_names, re.M)


def test_a_card_says_of_other_locales_what_holds_of_them(tmp_path):
    languages(tmp_path, "tr")
    change(tmp_path / "corpus.toml", ('"cc-by-4.0" ', '"cc0-1.0" '), times=1)
    change(tmp_path / "tr" / "locale.toml", ("[configs.gender]", '[configs.gender]\ntemplates = ["t01", "t05"]'))
    text = release.render(root=tmp_path).files["README.md"].decode()
    assert "| 36 | 2 | gender (2) | draft |" in text
    assert "Words, templates and sentences:\n`cc0-1.0`. The code" in text
    assert not re.search(r"CC BY|en-black-white|-100|National Research", text)


def test_a_published_card_says_how_to_load_and_cite_the_release(text):
    published = release.render(configs=["es-anglo-latino"], repo="org/eec")
    card_text, version, day = published.files["README.md"].decode(), published.manifest.version, corpus_facts()["date"]
    for words in (
        f'load_dataset("org/eec", "es-anglo-latino", split="test", revision="v{version}")',
        f"howpublished = {{https://huggingface.co/datasets/org/eec/tree/v{version}}}",
        f"version = {{{version}}}",
        f"  year = {{{day.year}}},\n",
        f"# Equity Evaluation Corpora, release {version} ({day})\n",
    ):
        assert words in card_text
    for some, left_out in ((text, True), (card_text, False)):
        assert "Each config has a sentence for each of\nits persons in each of its" in some
        assert [words in some for words in ("### Sentences left out", "that we left out (see above)")] == [left_out] * 2
    # A single config is the default, and a language code stays a code in YAML.
    assert [config["default"] for config in card.metadata(published.manifest).configs] == [True]
    norwegian = dataclasses.replace(published.manifest.configs[0], language="no")
    head = card.metadata(dataclasses.replace(published.manifest, configs=(norwegian,))).to_yaml()
    assert yaml.safe_load(head)["language"] == ["no"]


def test_long_lists_are_cut_and_counted():
    text = release.render(configs=["ar-country"]).files["README.md"].decode()
    (line,) = re.findall("(?m)^- Is written like another word or has another sense: .*$", text)
    assert re.search(r", and \d+ more \(persons\.csv and names\.csv have them all\)\.$", line)
    assert line.count(",") == card.MANY
    assert re.search(r"(?m)^  Persons: 18 in each of \d+ groups\.$", text)


@pytest.mark.parametrize(("tag", "name"), [("es", "Spanish"), ("pt-BR", "Portuguese (Brazil)"), ("zz", "zz")])
def test_languages_have_their_names_from_cldr(tag, name):
    assert card.language_name(tag) == name


def test_a_build_does_not_follow_its_own_name_where_it_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "link").symlink_to("theirs")
    with pytest.raises(OutputError, match="/link is a link, and we follow none"):
        release.build(tmp_path / "link", configs=["en-sample"])
    assert list((tmp_path / "theirs").iterdir()) == []


@pytest.mark.parametrize("axis", ["gender", "race"])
def test_the_meaning_of_a_column_names_every_group_of_the_corpora(axis: str) -> None:
    configs = [corpora.find(name) for name in ("en-nonbinary", "es-gender", "en-asian-white-100", "es-spain-arab-100")]
    levels = {level for config in configs for level in corpora.render(config).columns[axis]}
    assert sorted(level for level in levels if level not in schema.MEANING[axis]) == []


def test_a_card_says_what_is_sensitive_about_its_axes_alone() -> None:
    text = release.render(configs=["es-disability"]).files["README.md"].decode()
    assert "shown by first names, nouns and pronouns. Disability. No sentence is about a real person." in text
    assert "Sexual orientation." not in text


def test_an_axis_of_two_words_is_headed_by_two_words() -> None:
    text = release.render(configs=["es-transgender"]).files["README.md"].decode()
    assert "**Gender modality.** Whether a woman or a man is said to be trans" in text


def test_the_example_of_a_task_is_an_english_one() -> None:
    text = release.render(configs=["ar-sample", "en-sample"]).files["README.md"].decode()
    assert "inspect eval hf/ORG/NAME/en-sample--instruction --model MODEL" in text
