"""Configs, variants, speakers and the rows they give."""

import pyarrow as pa
import pytest

import eec_datasets
from eec_datasets import corpora, schema
from eec_datasets.errors import EecError, UnknownConfig

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
    maria = (
        "t04/angry/maria", "María me hizo sentir enojado.", "es", "t04", "anger", "angry", "enojado", "male",
        "maria", "María", "name", "female", "Latino", "t04/angry", "t04/angry", "paper",
    )  # fmt: skip
    assert by_id("es-anglo-latino")["t04/angry/maria"] == dict(zip(schema.columns(), maria, strict=True))
    for name, row, column, value in (
        ("en-black-white", "t08/none/mother", "pair", "t08/none/mother_father"),
        ("en-black-white", "t08/none/she", "pair", "t08/none/she_he"),
        ("en-black-white", "t08/none/she", "race", "unmarked"),
        ("es-gender", "t01/angry/they", "gender", "neutral-elle"),
        ("es-gender", "t01/angry/person", "gender", "neutral-epicene"),
    ):
        assert by_id(name)[row][column] == value


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
    for name, asked, row, column, value in (
        ("es-anglo-latino", "t08=doubled", "t08/none/he", "text", "Lo vi a él en el mercado."),
        ("es-anglo-latino", "lexicon=spain", "t01/angry/maria", "text", "María se siente enfadada."),
        ("es-anglo-latino", "accents=plain", "t08/none/jose", "text", "Vi a Jose en el mercado."),
        ("es-anglo-latino", "accents=plain", "t08/none/jose", "person_form", "Jose"),
        ("es-anglo-latino", "accents=plain", "t08/none/carlos", "text", "Vi a Carlos en el mercado."),
        ("ar-anglo-arab", "accusative=caseless diacritics=none", "t08/none/muhammad", "text", "رأيت محمد في السوق."),
        ("ar-anglo-arab", "persons=epicene", "t08/none/person", "gender", "neutral-epicene"),
        ("en-gender", "reflexive=themselves", "t05/grim/they", "text", "They found themselves in a grim situation."),
    ):
        variants = dict(pair.split("=") for pair in asked.split())
        assert by_id(name, variants=variants)[row][column] == value


def test_a_person_is_left_out_only_where_a_word_would_have_to_choose_and_that_is_said():
    corpus = corpora.render("es-gender")
    spouse = [row for row in corpus.columns["id"] if row.endswith("/spouse")]
    lost = [dropped for dropped in corpus.dropped if dropped.persons == ("spouse",)]
    assert len(spouse) + len(lost) == 144
    assert "t01/happy/spouse" in spouse
    features = "gender common, number sg, lexicon latin-america, wording current, accents written"
    assert lost[0].why == f"words.csv:2: 'angry' has no form for {features}. Add a row for it"


BAD = (
    ("es-latino-anglo", {}),
    ("ar-gender", {}),
    ("es-anglo-latino", {"variants": {"t99": "x"}}),
    ("es-anglo-latino", {"variants": {"t08": "x"}}),
    ("es-anglo-latino", {"variants": {"lexicon": "mx"}}),
    ("es-anglo-latino", {"variants": {"persons": "elle"}}),
    ("ar-anglo-arab", {"variants": {"persons": "neutral"}}),
    ("es-gender", {"variants": {"t08": "default"}}),
    ("es-anglo-latino", {"speaker": "neutral"}),
    ("es-anglo-latino", {"revision": "v1"}),
    ("build", {"config": "es-gender", "speaker": "female"}),
    (None, {}),
)


def test_what_is_not_there_or_refused_is_told_with_what_there_is(snapshot, monkeypatch, tmp_path):
    told, known = [], ", ".join(config.name for config in corpora.configs())
    for name, asked in BAD:
        with pytest.raises(EecError) as error:
            eec_datasets.load(name, **asked)
        told.append(f"{name} {asked}\n  {type(error.value).__name__}: {error.value}")
    monkeypatch.setenv("EEC_LOCALES", str(tmp_path))
    with pytest.raises(UnknownConfig) as error:
        eec_datasets.configs()
    told.append(f"EEC_LOCALES\n  {error.value}".replace(str(tmp_path), "FOLDER"))
    snapshot.check("corpora/refused", "\n".join(told).replace(known, "CONFIGS"))


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
