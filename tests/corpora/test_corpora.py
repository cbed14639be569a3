"""Configs, variants, speakers and the rows they give."""

import pyarrow as pa
import pytest

import eec_datasets
from eec_datasets import corpora, schema
from eec_datasets.errors import RenderError, UnknownConfig, UnknownVariant

PAPER_CONFIGS = ["en-black-white", "en-anglo-latino", "es-anglo-latino", "en-anglo-arab", "ar-anglo-arab"]


def by_id(name, **asked):
    columns = corpora.render(name, **asked).columns
    return {
        row: dict(zip(columns, values, strict=True))
        for row, *values in zip(columns["id"], *columns.values(), strict=True)
    }


@pytest.mark.parametrize("name", PAPER_CONFIGS)
def test_the_papers_configs_have_their_rows_and_columns(name):
    table = corpora.table(name)
    assert table.num_rows == 8640
    assert tuple(table.column_names) == schema.columns()
    assert all(table[column].null_count == 0 for column in table.column_names)
    assert corpora.find(name).axes == ("race", "gender")


def test_a_row_says_what_it_is():
    row = by_id("es-anglo-latino")["t04/angry/maria"]
    assert row == {
        "id": "t04/angry/maria",
        "text": "María me hizo sentir enojado.",
        "language": "es",
        "template": "t04",
        "emotion": "anger",
        "word": "angry",
        "word_form": "enojado",
        "speaker": "male",
        "person": "maria",
        "person_form": "María",
        "person_type": "name",
        "gender": "female",
        "race": "Latino",
        "item": "t04/angry",
        "pair": "t04/angry",
        "word_status": "paper",
    }


def test_noun_phrases_and_pronouns_name_their_pair():
    rows = by_id("en-black-white")
    assert rows["t08/none/mother"]["pair"] == "t08/none/mother_father"
    assert rows["t08/none/she"]["pair"] == "t08/none/she_he"
    assert rows["t08/none/she"]["race"] == "unmarked"


def test_the_speaker_is_held_or_crossed_and_any_where_it_does_not_show():
    held, crossed = by_id("es-anglo-latino"), by_id("es-anglo-latino", speaker="crossed")
    assert held["t04/happy/maria"]["speaker"] == crossed["t04/happy/maria"]["speaker"] == "any"
    assert crossed["t04/angry/speaker-female/maria"]["text"] == "María me hizo sentir enojada."
    assert crossed["t04/angry/speaker-female/maria"]["item"] == "t04/angry/speaker-female"
    assert "t04/angry/maria" not in crossed
    assert len(crossed) == 60 * (144 + 17)
    assert by_id("es-anglo-latino", speaker="female")["t04/angry/maria"]["speaker"] == "female"


def test_english_and_arabic_never_show_the_speaker():
    for name in ("en-black-white", "ar-anglo-arab"):
        assert set(corpora.render(name, speaker="crossed").columns["speaker"]) == {"none"}


def test_variants_and_options_change_what_they_name():
    assert by_id("es-anglo-latino", variants={"t08": "doubled"})["t08/none/he"]["text"] == "Lo vi a él en el mercado."
    spain = by_id("es-anglo-latino", variants={"lexicon": "spain"})
    assert spain["t01/angry/maria"]["text"] == "María se siente enfadada."
    plain = by_id("es-anglo-latino", variants={"accents": "plain"})
    assert plain["t08/none/jose"]["text"] == "Vi a Jose en el mercado."
    assert plain["t08/none/jose"]["person_form"] == "Jose"
    assert plain["t08/none/carlos"]["text"] == "Vi a Carlos en el mercado."
    caseless = by_id("ar-anglo-arab", variants={"accusative": "caseless", "diacritics": "none"})
    assert caseless["t08/none/muhammad"]["text"] == "رأيت محمد في السوق."
    themselves = by_id("en-gender", variants={"reflexive": "themselves"})
    assert themselves["t05/grim/they"]["text"] == "They found themselves in a grim situation."


def test_spanish_keeps_its_two_neutral_references_apart():
    rows = by_id("es-gender")
    assert rows["t01/angry/they"]["gender"] == "neutral-elle"
    assert rows["t01/angry/person"]["gender"] == "neutral-epicene"


def test_a_person_is_left_out_only_where_a_word_would_have_to_choose_and_that_is_said():
    corpus = corpora.render("es-gender")
    spouse = [row for row in corpus.columns["id"] if row.endswith("/spouse")]
    lost = [dropped for dropped in corpus.dropped if dropped.persons == ("spouse",)]
    assert len(spouse) + len(lost) == 144
    assert "t01/happy/spouse" in spouse
    features = "gender common, number sg, lexicon latin-america, accents written"
    assert lost[0].why == f"words.csv:2: 'angry' has no form for {features}. Add a row for it"


def test_arabic_refuses_a_neutral_reference_with_its_reason():
    reason = (
        "Arabic has no neutral reference: every finite verb, adjective and pronoun must be masculine or feminine, "
        "and epicene nouns such as هذا الشخص agree in the masculine throughout. Female and male reference are in "
        "ar-anglo-arab, epicene nouns with variants={'persons': 'epicene'}."
    )
    with pytest.raises(UnknownVariant) as variant:
        corpora.render("ar-anglo-arab", variants={"persons": "neutral"})
    assert str(variant.value) == f"persons is 'neutral': {reason}"
    with pytest.raises(UnknownConfig) as config:
        eec_datasets.load("ar-gender")
    assert str(config.value) == f"no config 'ar-gender': {reason}"
    epicene = by_id("ar-anglo-arab", variants={"persons": "epicene"})
    assert epicene["t08/none/person"]["gender"] == "neutral-epicene"


def test_le_vi_alone_is_refused_with_its_reason():
    with pytest.raises(RenderError) as error:
        corpora.render("es-gender", variants={"t08": "default"})
    assert str(error.value).endswith(
        "template t08 refuses 'they': Le vi alone reads as leísmo, that is, masculine: "
        "ask for variants={'t08': 'doubled'}"
    )


@pytest.mark.parametrize(
    ("config", "asked", "message"),
    [
        ("es-latino-anglo", {}, "no config 'es-latino-anglo'; there are: ar-anglo-arab, .*, es-anglo-latino, "),
        ("es-anglo-latino", {"variants": {"t99": "x"}}, "no variant 't99' in locale 'es'; .*: t02, t08, t10, lexicon"),
        ("es-anglo-latino", {"variants": {"t08": "x"}}, "template t08 is 'x'; it can be: default, doubled"),
        ("es-anglo-latino", {"variants": {"lexicon": "mx"}}, "'lexicon' is 'mx'; it can be: latin-america, spain"),
        ("es-anglo-latino", {"variants": {"persons": "elle"}}, "persons is 'elle'; it can be: nothing else here"),
        ("es-anglo-latino", {"speaker": "neutral"}, "speaker is 'neutral'; it can be: female, male, crossed"),
        ("es-anglo-latino", {"revision": "v1"}, "revision 'v1' .* 'es-anglo-latino' alone"),
    ],
)
def test_what_is_not_there_is_an_error_that_lists_the_known(config, asked, message):
    with pytest.raises(UnknownConfig if config == "es-latino-anglo" else UnknownVariant, match=message):
        eec_datasets.load(config, **asked)


def test_a_build_has_its_sentences_and_no_variants(tmp_path):
    with pytest.raises(UnknownVariant, match=r"speaker cannot be chosen of the build .*es-gender"):
        eec_datasets.load(str(tmp_path), "es-gender", speaker="female")


def test_load_gives_the_rows_of_the_table_and_says_what_it_is():
    ds = eec_datasets.load("es-anglo-latino")
    assert ds.info.config_name == "es-anglo-latino"
    assert str(ds.info.version) == corpora.find("es-anglo-latino").version
    assert ds.split == "test"
    assert ds.to_list() == corpora.table("es-anglo-latino").to_pylist()


def test_the_content_hash_sees_every_value_and_no_storage():
    table = pa.table({"a": ["x", "yz"], "b": ["", "ü"]})
    chunked = pa.concat_tables([table.slice(0, 1), table.slice(1)])
    assert schema.content_hash(table) == schema.content_hash(chunked)
    assert schema.content_hash(table.slice(1)) == schema.content_hash(pa.table({"a": ["yz"], "b": ["ü"]}))
    assert schema.content_hash(table) != schema.content_hash(pa.table({"a": ["xy", "z"], "b": ["", "ü"]}))
    assert schema.content_hash(table) != schema.content_hash(table.rename_columns(["a", "c"]))


def test_a_folder_of_locales_that_is_none_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("EEC_LOCALES", str(tmp_path))
    with pytest.raises(UnknownConfig) as error:
        eec_datasets.configs()
    assert str(error.value) == (
        f"EEC_LOCALES is '{tmp_path}', which holds no corpus.toml. Name a folder of locales, or unset it"
    )
