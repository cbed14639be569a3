"""Configs, variants, speakers and parts, and the rows they give."""

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256

import pyarrow as pa
import pytest

import eec_datasets
from eec_datasets import corpora, schema
from eec_datasets.errors import EecError, InputError
from eec_datasets.render.choice import choose


@cache
def by_id(name, variants="", speaker=None):
    """The rows of a config by their ids."""
    asked = dict(pair.split("=") for pair in variants.split()) or None
    columns = corpora.render(name, variants=asked, speaker=speaker).columns
    return {
        row: dict(zip(columns, values, strict=True))
        for row, *values in zip(columns["id"], *columns.values(), strict=True)
    }


def test_a_row_says_what_it_is():
    maria = (
        "t04/angry/maria", "María me hizo sentir enojado.", "es", "t04", "anger", "angry", "enojado", "male",
        "maria", "María", "name", "female", "Latino", "t04/angry", "t04/angry", "mar", "ia", "paper",
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


def test_the_speaker_is_held_or_crossed_where_it_shows():
    held, crossed = by_id("es-anglo-latino"), by_id("es-anglo-latino", speaker="crossed")
    assert held["t04/happy/maria"]["speaker"] == crossed["t04/happy/maria"]["speaker"] == "any"
    female = crossed["t04/angry/speaker-female/maria"]
    assert (female["text"], female["item"]) == ("María me hizo sentir enojada.", "t04/angry/speaker-female")
    assert "t04/angry/maria" not in crossed
    assert len(crossed) == 60 * (144 + 17)
    assert by_id("es-anglo-latino", speaker="female")["t04/angry/maria"]["speaker"] == "female"


def test_the_speaker_never_shows_in_english_and_arabic():
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
        assert by_id(name, asked)[row][column] == value


def test_a_person_whose_gender_a_word_must_show_is_left_out():
    corpus = corpora.render("es-gender")
    spouse = [row for row in corpus.columns["id"] if row.endswith("/spouse")]
    lost = [dropped.reason for dropped in corpus.dropped if dropped.persons == ("spouse",)]
    assert len(spouse) + len(lost) == 144
    assert "t01/happy/spouse" in spouse
    features = "gender common, number sg, lexicon latin-america, wording current, accents written"
    assert lost[0] == f"words.csv:2: 'angry' has no form for {features}. Add a row for it"


@pytest.mark.parametrize(
    ("name", "row", "published", "revised"),
    [
        ("es-anglo-latino", "t05/amazing/woman", "Esta mujer se encontró en una situación increíble.",
         "Esta mujer se encontró en una situación asombrosa."),
        ("ar-anglo-arab", "t05/vexing/he", "هو وجد نفسه في موقف مغيظ.", "هو وجد نفسه في موقف مثير للغيظ."),
    ],
)  # fmt: skip
def test_words_of_a_papers_corpus_are_published_by_default(name, row, published, revised):
    assert by_id(name)[row]["text"] == published
    texts = {words: eec_datasets.load(name, words=words) for words in ("published", "revised")}
    shown = {words: next(each["text"] for each in rows if each["id"] == row) for words, rows in texts.items()}
    assert shown == {"published": published, "revised": revised}


@pytest.mark.parametrize(
    ("name", "row", "published", "default"),
    [
        ("es-anglo-latino-100", "t25/miserable/he", "Durante toda una semana, él siguió sintiéndose miserable.",
         "Durante toda una semana, él siguió sintiéndose desdichado."),
        ("es-spain-arab-100", "t36/hilarious/she", "Los videos que ella vio ayer eran hilarantes.",
         "Los vídeos que ella vio ayer eran hilarantes."),
        ("es-spain-arab-100", "t61/none/she", "No sé si ella tiene los boletos.", "No sé si ella tiene las entradas."),
        ("es-spain-arab-100-cues", "t20/devastated/he",
         "Él acababa de volver del aeropuerto y se veía devastado.",
         "Él acababa de volver del aeropuerto y estaba devastado."),
        ("ar-anglo-arab-100", "t34/threatening/he", "تلقى رسالة مهدِّدة هذا الصباح.", "تلقى رسالة تهديدية هذا الصباح."),
    ],
)  # fmt: skip
def test_other_corpora_have_revised_words_and_those_of_their_region(name, row, published, default):
    columns = corpora.render(name, names=2).columns
    assert columns["text"][columns["id"].index(row)] == default
    columns = corpora.render(name, words="published", names=2).columns
    assert columns["text"][columns["id"].index(row)] == published


FORMER = {
    "ar-anglo-arab": "20aacf904fca5431",
    "ar-anglo-arab-100": "d473eca7a5011125",
    "ar-country": "87e14cef0ec7f3ce",
    "en-black-white-100": "0a1d033086e3b54e",
    "es-anglo-latino": "645217b64db40eb5",
    "es-anglo-latino-100": "c3ab895810f3a079",
    "es-country": "786e57d57ef6c683",
    "es-religion": "b0b8c03c655bc479",
}
"""Hashes of all sentences as they were before any corpus had revised words, but with صفوت in the place of عبيد."""
LATER_NOUNS = {
    "waitress_waiter", "actress_actor", "policewoman_policeman", "saleswoman_salesman",
    "colleague", "student", "teacher", "doctor", "nurse", "lawyer",
}  # fmt: skip
"""Pairs that were added to corpora of identity axes since."""


def _is_later(pair: str, kind: str) -> bool:
    return kind == "placebo" or pair.rpartition("/")[2] in LATER_NOUNS


@pytest.mark.parametrize("name", FORMER)
def test_published_words_give_the_former_sentences_to_the_letter(name):
    columns = corpora.render(name, words="published").columns
    rows = zip(columns["id"], columns["text"], columns["pair"], columns["person_type"], strict=True)
    lines = sorted((row, text) for row, text, pair, kind in rows if not _is_later(pair, kind))
    written = "".join(f"{row} {text}\n" for row, text in lines)
    assert sha256(written.encode()).hexdigest()[:16] == FORMER[name]


def test_no_mention_is_of_a_group_in_general():
    for name in ("en-black-white-100-cues", "es-spain-arab-100-cues", "ar-anglo-arab-100-cues"):
        columns = corpora.render(name, names=2).columns
        forms = {
            form for form, kind in zip(columns["person_form"], columns["person_type"], strict=True) if kind == "mention"
        }
        assert not [
            form for form in forms if form.split()[0] in ("a", "an", "una", "un", "امرأة", "رجل", "شابة", "شاب")
        ]


HUNDRED = "en-black-white-100"
BAD = (
    ("es-latino-anglo", {}),
    ("ar-gender", {}),
    ("es-anglo-latino", {"variants": {"t99": "x"}}),
    ("es-anglo-latino", {"variants": {"t08": "x"}}),
    ("es-anglo-latino", {"variants": {"lexicon": "mx"}}),
    ("es-anglo-latino", {"words": "ours"}),
    ("en-black-white", {"words": "revised"}),
    ("es-anglo-latino", {"variants": {"persons": "elle"}}),
    ("ar-anglo-arab", {"variants": {"persons": "neutral"}}),
    ("ar-anglo-arab", {"variants": {"persons": "children"}}),
    ("es-gender", {"variants": {"t08": "default"}}),
    ("es-anglo-latino", {"speaker": "neutral"}),
    ("es-anglo-latino", {"revision": "v1"}),
    ("build", {"config": "es-gender", "speaker": "female"}),
    ("build", {"config": HUNDRED, "names": 5, "items": 8, "seed": 1}),
    (None, {}),
    *((HUNDRED, {"items": number}) for number in (7, 49, 12.0, "latice", "")),
    *((HUNDRED, {"names": number}) for number in (101, 1, 0, -1, True)),
    (HUNDRED, {"variants": ["t08"]}),
    (HUNDRED, {"names": 5, "seed": "1"}),
    ("en-country", {"names": 5}),
    ("en-black-white", {"items": 12}),
    ("fr-gender", {"items": "varied"}),
    ("fr-gender", {"items": "lattice"}),
    # Wordings that no sentence of a config has.
    ("es-anglo-latino-100", {"variants": {"accents": "plain"}}),
    ("es-country", {"variants": {"accents": "plain"}}),
    ("es-anglo-latino-100", {"variants": {"t08": "doubled"}}),
    ("es-anglo-latino", {"variants": {"t14": "doubled"}}),
)


def test_what_is_not_there_or_refused_is_told_with_what_there_is(snapshot, monkeypatch, tmp_path):
    def of_no_locales():
        monkeypatch.setenv("EEC_LOCALES", str(tmp_path))
        eec_datasets.configs()

    known = ", ".join(config.name for config in corpora.configs())
    calls = {f"{name} {asked}": partial(eec_datasets.load, name, **asked) for name, asked in BAD}
    calls["EEC_LOCALES"] = of_no_locales
    snapshot.check_refusals("corpora/refused", calls, EecError, {known: "CONFIGS", str(tmp_path): "FOLDER"})


def test_a_config_that_was_found_is_rendered_from_where_it_was_found(tmp_path):
    config = corpora.find("tr-gender")
    assert corpora.table(config).equals(corpora.table("tr-gender"))
    with pytest.raises(InputError, match=f"'tr-gender' is from .*locales, and root is {tmp_path}"):
        corpora.table(config, root=tmp_path)


def test_load_gives_the_rows_of_the_table_and_says_what_it_is():
    ds = eec_datasets.load("es-anglo-latino")
    assert (ds.info.config_name, str(ds.info.version)) == ("es-anglo-latino", corpora.find("es-anglo-latino").version)
    assert (ds.split, corpora.find("es-anglo-latino").axes) == ("test", ("race", "gender"))
    assert schema.content_hash(ds.data.table) == schema.content_hash(corpora.table("es-anglo-latino"))


def test_the_content_hash_sees_every_value_and_no_storage():
    table = pa.table({"a": ["x", "yz"], "b": ["", "ü"]})
    chunked = pa.concat_tables([table.slice(0, 1), table.slice(1)])
    assert schema.content_hash(table) == schema.content_hash(chunked)
    assert schema.content_hash(table.slice(1)) == schema.content_hash(pa.table({"a": ["yz"], "b": ["ü"]}))
    assert schema.content_hash(table) != schema.content_hash(pa.table({"a": ["xy", "z"], "b": ["", "ü"]}))
    assert schema.content_hash(table) != schema.content_hash(table.rename_columns(["a", "c"]))


KINDS = {template.id: template.kind for template in corpora.find(HUNDRED).locale.templates}


def items(config=HUNDRED, **part):
    columns = corpora.render(config, names=2, **part).columns
    return set(zip(columns["item"], columns["template"], columns["word"], columns["emotion"], strict=True))


def names(config=HUNDRED, **part):
    columns = corpora.render(config, items=8, **part).columns
    people = set(zip(columns["person"], columns["person_type"], columns["race"], columns["gender"], strict=True))
    return {person for person in people if person[1] == "name"}


@pytest.mark.parametrize("count", [8, 11, 16, 24, 37, 40, 44, 48])
def test_the_items_of_a_part_are_distinct_and_even(count):
    part = items(items=count)
    said = [(KINDS[template], word, emotion) for _, template, word, emotion in part if word != "none"]
    assert (len(part), len(said)) == (count, min(count, 40))
    assert len({template for _, template, _, _ in part}) == count
    assert len({word for _, word, _ in said}) == len(said)
    for counts in (Counter(kind for kind, _, _ in said), Counter(emotion for _, _, emotion in said)):
        assert max(counts.values()) - min(counts.values()) <= 1


def test_a_smaller_part_is_in_a_larger_one():
    assert items(items=8) < items(items=16) < items(items=40)
    assert names(names=5) < names(names=36)


def test_another_seed_takes_another_part():
    assert items(items=8, seed=1) != items(items=8)
    assert names(names=5, seed=1) != names(names=5)


def test_every_cell_of_a_part_has_as_many_names():
    assert set(Counter(person[2:] for person in names(names=36)).values()) == {36}


def test_noun_phrases_and_pronouns_stay_in_a_part_of_the_names():
    types = Counter(corpora.render(HUNDRED, names=36, items=24).columns["person_type"])
    assert types == {"name": 4 * 36 * 24, "noun_phrase": 18 * 24, "pronoun": 2 * 24}


def test_the_cells_of_a_part_have_names_of_the_same_ranks():
    ranks = {person.id: person.rank for person in corpora.find(HUNDRED).locale.persons if person.set == HUNDRED[3:]}
    cells = defaultdict(set)
    for person, _, race, gender in names(names=9):
        cells[race, gender].add(ranks[person])
    assert [len(found) for found in cells.values()] == [9] * 4
    assert len(set(map(frozenset, cells.values()))) == 1


def test_two_languages_take_the_same_items_and_the_same_people():
    assert items(items=12) == items("ar-anglo-arab-100", items=12)
    english, spanish = (names(f"{tag}-anglo-latino-100", names=7) for tag in ("en", "es"))
    assert {name[0] for name in english} == {name[0] for name in spanish}


def test_a_part_has_the_sentences_of_the_whole():
    whole = dict(zip(*(corpora.render(HUNDRED).columns[column] for column in ("id", "text")), strict=True))
    part = eec_datasets.load(HUNDRED, names=100, items=16)
    assert dict(zip(part["id"], part["text"], strict=True)).items() <= whole.items()
    assert Counter(part["person_type"])["name"] == 6400
    assert part.info.config_name == HUNDRED


def test_all_items_are_every_template_with_every_word_of_its_kind():
    columns = corpora.render(HUNDRED, names=2, items="all").columns
    assert len(set(columns["item"])) == 22 * 20 + 22 * 20 + 8
    assert len(set(corpora.render("en-gender", items="lattice").columns["item"])) == 48


def test_mentions_without_names_are_of_all_groups():
    config = corpora.find("en-black-white-100-cues")
    persons = choose(config.locale, replace(config.spec, sets=("mentions",))).persons
    assert {person.identity["race"] for person in persons} == {*config.locale.levels["race"], "unmarked"}


def test_a_wording_is_found_in_the_templates_that_are_asked_for():
    texts = eec_datasets.load("es-anglo-latino-100", variants={"t08": "doubled"}, items="papers", names=2)["text"]
    assert "La vi a ella en el mercado." in texts
