"""The identity axes that noun phrases carry: country, religion, profession, age, disability and others."""

import tomllib
from collections import Counter, defaultdict
from functools import cache
from itertools import compress, product
from pathlib import Path

import pytest
from languages import languages
from texts import csv_rows

from eec_datasets import corpora
from eec_datasets.errors import FileProblems
from eec_datasets.locale.reading import corpus_facts, load_locale, locales_folder

LOCALES = locales_folder()
TAGS = ("en", "es", "ar")
AXES = ("country", "religion", "profession")
CONFIGS = [f"{tag}-{axis}" for tag, axis in product(TAGS, AXES)]
ITEMS = 4 * 20 + 3 * 20 + 4


@cache
def rendered(name: str, variant: str = "") -> corpora.RenderedCorpus:
    return corpora.render(name, variants=dict([variant.split("=")]) if variant else None)


def of_groups(corpus: corpora.RenderedCorpus) -> dict[str, list[str]]:
    """The columns without the rows that have a neutral word in place of one for a group."""
    kept = [kind != "placebo" for kind in corpus.columns["person_type"]]
    return {name: list(compress(values, kept)) for name, values in corpus.columns.items()}


def texts_of(corpus: corpora.RenderedCorpus) -> dict[str, str]:
    columns = of_groups(corpus)
    return dict(zip(columns["id"], columns["text"], strict=True))


@cache
def sentences(name: str, variant: str = "") -> dict[str, str]:
    return texts_of(rendered(name, variant))


def rows_of(tag: str | Path, file: str) -> list[dict[str, str]]:
    return csv_rows(LOCALES / tag / file)


def forms_of(tag: str, axis: str) -> dict[str, dict[str, str]]:
    """The form that each level has for each gender."""
    found = defaultdict(dict)
    for row in rows_of(tag, f"{axis}.csv"):
        found[row["level"]][row["gender"]] = row["form"]
    return found


BASES = {"country": 18, "religion": 18, "profession": 15}
NO_SOLDIERS = ("elderly-woman_elderly-man", "grandmother_grandfather")
"""Bases that corpus.toml keeps apart from soldiers."""


@pytest.mark.parametrize("name", CONFIGS)
def test_every_base_meets_every_level_gender_and_item_once(name):
    columns, (tag, axis) = of_groups(rendered(name)), name.split("-")
    levels = {row["level"] for row in rows_of(tag, f"{axis}.csv")}
    bases = {pair.rpartition("/")[2] for pair in columns["pair"]}
    met = Counter(zip(columns["item"], columns["pair"], columns[axis], columns["gender"], strict=True))
    items = set(columns["item"])
    assert set(met) == {
        (item, f"{item}/{base}", level, gender)
        for item, base, level, gender in product(items, bases, levels, ("female", "male"))
        if not (level == "soldier" and base in NO_SOLDIERS)
    }
    assert (set(met.values()), len(bases), len(items)) == ({1}, BASES[axis], ITEMS)
    assert len(set(columns["text"])) == len(columns["text"])
    assert (set(rendered(name).axes), rendered(name).dropped) == ({"gender", axis}, ())
    assert (set(columns["race"]), set(columns["person_type"])) == ({"unmarked"}, {"noun_phrase"})


LATER = {
    "age": ("age", 18, ["young", "middle-aged", "older"]),
    "disability": ("disability", 18, ["autistic", "blind", "Deaf", "disabled", "nondisabled"]),
    "orientation": ("orientation", 15, ["bisexual", "gay or lesbian", "heterosexual"]),
    "transgender": ("gender_modality", 15, ["trans", "unstated"]),
}
"""Config → its axis, base phrases and levels."""


@pytest.mark.parametrize(("tag", "key"), list(product(TAGS, LATER)))
def test_bases_of_a_later_axis_meet_levels_genders_and_items_once(tag, key):
    axis, count, levels = LATER[key]
    corpus = rendered(f"{tag}-{key}")
    columns = of_groups(corpus)
    bases = {pair.rpartition("/")[2] for pair in columns["pair"]}
    items = set(columns["item"])
    met = Counter(zip(columns["item"], columns["pair"], columns[axis], columns["gender"], strict=True))
    assert set(met) == {
        (item, f"{item}/{base}", level, gender)
        for item, base, level, gender in product(items, bases, levels, ("female", "male"))
    }
    assert (set(met.values()), len(bases), len(items)) == ({1}, count, ITEMS)
    assert (set(corpus.axes), corpus.dropped) == ({"gender", axis}, ())


@pytest.mark.parametrize("key", LATER)
def test_later_axes_have_the_same_rows_in_all_three_languages(key):
    axis = LATER[key][0]
    english, *others = (rendered(f"{tag}-{key}").columns for tag in TAGS)
    for columns in others:
        assert all(columns[name] == english[name] for name in ("id", "person", "pair", "gender", axis))


SAID_BY_A_WORD = ("country", "religion", *LATER)


@pytest.mark.parametrize(("tag", "key"), list(product(TAGS, SAID_BY_A_WORD)))
def test_each_base_is_said_with_twenty_four_neutral_words_in_twenty_items(tag, key):
    columns = rendered(f"{tag}-{key}").columns
    axis = LATER.get(key, (key,))[0]
    rows = list(
        zip(
            *(columns[name] for name in ("person_type", "placebo", "said", axis, "gender", "pair", "item")), strict=True
        )
    )
    neutral = [row[1:] for row in rows if row[0] == "placebo"]
    words = {row[0] for row in neutral}
    bases = {pair.rpartition("/")[2] for *_, pair, _ in neutral}
    items = {item for *_, item in neutral}
    emotions = dict(zip(columns["item"], columns["emotion"], strict=True))
    # A negative control deals the words among the places of the levels, so there are as many.
    assert len(words) >= max(24, len({row[3] for row in rows}) - 1)
    assert {row[1:3] for row in neutral} == {("none", "unmarked")}
    assert Counter(emotions[item] for item in items) == dict.fromkeys(("anger", "fear", "joy", "sadness", "none"), 4)
    assert len(neutral) == len(set(neutral)) == len(words) * len(bases) * 2 * len(items)
    assert {row[1] for row in rows if row[0] != "placebo"} == {"none"}
    assert {row[2] for row in rows if row[0] != "placebo"} == {
        "none" if row[3] == "unstated" else row[3] for row in rows if row[0] != "placebo"
    }


def test_neutral_words_agree_with_their_noun():
    spanish, arabic = sentences_with_neutral_words("es-age"), sentences_with_neutral_words("ar-age")
    assert spanish["t01/devastated/teacher-female-red-haired"] == "Esta profesora pelirroja se siente devastada."
    assert spanish["t01/devastated/teacher-male-red-haired"] == "Este profesor pelirrojo se siente devastado."
    assert arabic["t08/none/teacher-female-blue-eyed"] == "رأيتُ هذه المعلمة الزرقاء العينين في السوق."
    assert arabic["t08/none/teacher-male-blue-eyed"] == "رأيتُ هذا المعلم الأزرق العينين في السوق."


def sentences_with_neutral_words(name: str) -> dict[str, str]:
    columns = rendered(name).columns
    return dict(zip(columns["id"], columns["text"], strict=True))


@pytest.mark.parametrize("key", ["country", "religion", "profession", *LATER])
def test_the_bases_of_an_axis_have_six_different_nouns_or_more(key):
    columns = of_groups(rendered(f"en-{key}"))
    families = {}
    for pair, family in zip(columns["pair"], columns["family"], strict=True):
        families[pair.rpartition("/")[2]] = family
    counts = Counter(families.values())
    effective = len(families) ** 2 / sum(count**2 for count in counts.values())
    assert len(counts) >= 8
    assert effective >= 6


@pytest.mark.parametrize("tag", ["en", "es"])
def test_nonbinary_people_are_a_gender_of_a_corpus_of_their_own(tag):
    columns = rendered(f"{tag}-nonbinary").columns
    met = Counter(zip(columns["item"], columns["pair"], columns["gender"], strict=True))
    bases = {pair.rpartition("/")[2] for pair in columns["pair"]}
    assert (len(bases), set(met.values())) == (7, {1})
    assert {gender for _, _, gender in met} == {"female", "male", "nonbinary"}
    others = (config for config in corpora.configs() if config.name not in ("en-nonbinary", "es-nonbinary"))
    assert not [config.name for config in others if "nonbinary" in {p.identity["gender"] for p in config.persons}]


@pytest.mark.parametrize(
    ("tag", "word"),
    [("en", "elderly"), ("es", "discapacitad"), ("ar", "معاق"), ("ar", "متوحد"), ("ar", "متحول"), ("ar", "شاذ")],
)
def test_no_later_axis_has_a_word_that_its_community_rejects(tag, word):
    forms = {form for key in LATER for form in rendered(f"{tag}-{key}").columns["person_form"]}
    assert not [form for form in forms if word in form]


@pytest.mark.parametrize("axis", ["gender", "age", "disability", "orientation", "gender_modality"])
def test_every_later_axis_says_what_must_not_be_concluded(axis):
    table = tomllib.loads((LOCALES / "axes.toml").read_text(encoding="utf-8"))
    assert [caveat for caveat in table[axis]["caveats"] if "Do not conclude" in caveat]


@pytest.mark.parametrize("axis", AXES)
def test_levels_bases_and_ids_are_the_same_in_all_three_languages(axis):
    english, *others = (rendered(f"{tag}-{axis}").columns for tag in TAGS)
    for columns in others:
        assert all(columns[name] == english[name] for name in ("id", "person", "pair", "gender", axis))


def test_the_axes_have_levels_enough():
    levels = {axis: set(of_groups(rendered(f"en-{axis}"))[axis]) for axis in AXES}
    assert all(level.isascii() for some in levels.values() for level in some)
    assert {axis: len(some) for axis, some in levels.items()} == {"country": 26, "religion": 8, "profession": 15}
    assert {"doctor", "police officer", "janitor", "teacher"} <= levels["profession"]
    assert {"atheist", "non-religious"} <= levels["religion"]


def test_the_registry_says_of_every_axis_what_it_is():
    table = tomllib.loads((LOCALES / "axes.toml").read_text(encoding="utf-8"))
    for axis, entry in table.items():
        assert all((entry["what"], entry["chosen"], len(entry["caveats"]) >= 2)), axis


def test_the_registry_lists_the_genders_and_races_that_persons_carry():
    table = tomllib.loads((LOCALES / "axes.toml").read_text(encoding="utf-8"))
    assert list(table["gender"]["levels"]) == list(corpus_facts(LOCALES)["genders"])
    races = {person.identity["race"] for tag in TAGS for person in load_locale(tag).persons} - {"unmarked"}
    assert set(table["race"]["levels"]) == races


def test_names_of_levels_take_their_article_and_agree_with_the_base():
    approved = csv_rows(Path(__file__).parent / "levels.csv")
    assert len(approved) == 29
    for row in approved:
        name, _, variant = row["config"].partition(" ")
        assert sentences(name, variant)[row["id"]] == row["sentence"]


@pytest.mark.parametrize("axis", ["religion", "profession"])
def test_arabic_forms_differ_between_women_and_men(axis):
    assert all(set(forms) == {"f", "m"} and forms["f"] != forms["m"] for forms in forms_of("ar", axis).values())


@pytest.mark.parametrize("axis", ["religion", "profession"])
def test_spanish_forms_agree_in_gender_or_serve_both(axis):
    assert all(list(forms) in (["f", "m"], [""], ["any"]) for forms in forms_of("es", axis).values())


@pytest.mark.parametrize(("tag", "axis"), list(product(TAGS, AXES)))
def test_the_answer_key_shows_every_template_base_gender_and_level(tag, axis):
    columns = of_groups(rendered(f"{tag}-{axis}"))
    at = {row: number for number, row in enumerate(columns["id"])}
    written = (row for row in rows_of(tag, "expected.csv") if row["config"] == f"{tag}-{axis}")
    own = [row for row in written if not row["variants"] and row["id"] in at]
    shown = [{name: values[at[row["id"]]] for name, values in columns.items()} for row in own]
    templates = [f"t{number:02}" for number in range(1, 12)]
    assert {(row["template"], row["gender"]) for row in shown} == set(product(templates, ("female", "male")))
    kinds = ["state"] * 4 + ["situation"] * 3 + ["neutral"] * 4
    met = {(row["pair"].rpartition("/")[2], kinds[int(row["template"][1:]) - 1]) for row in shown}
    assert met == set(product({pair.rpartition("/")[2] for pair in columns["pair"]}, kinds))
    assert axis == "country" or {row[axis] for row in shown} == set(columns[axis])


@pytest.fixture
def copied(tmp_path):
    """A copy of the Spanish locale that may be changed."""
    return languages(tmp_path, "es")


def append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(line + "\n")


@pytest.mark.parametrize(
    ("axis", "lines", "shown"),
    [
        ("country", "Ecuador,el {EC},CLDR,,,",
         {"t08/none/woman-ecuador": "Vi a esta mujer del Ecuador en el mercado."}),
        # An article that belongs to the name does not contract.
        ("country", "El Salvador,{SV},CLDR,,,",
         {"t09/none/woman-el-salvador": "Hablé con esta mujer de El Salvador ayer."}),
        ("religion", "Catholic,f,católica,DLE,,,\nCatholic,m,católico,DLE,,,",
         {"t08/none/aunt-catholic": "Vi a mi tía católica en el mercado.",
          "t08/none/uncle-catholic": "Vi a mi tío católico en el mercado."}),
    ],
)  # fmt: skip
def test_a_level_is_added_by_its_forms(copied, axis, lines, shown):
    append(copied / "es" / f"{axis}.csv", lines)
    texts = texts_of(corpora.render(f"es-{axis}", root=copied))
    assert len(texts) - len(sentences(f"es-{axis}")) == 18 * 2 * ITEMS
    assert {row: texts[row] for row in shown} == shown


def test_a_level_may_be_said_in_several_ways(copied):
    (copied / "es" / "gender_modality.csv").write_text(
        "level,said,gender,form,source\ntrans,,any,trans,FELGTBI+\ntrans,transgender,any,transgénero,constructed\n",
        encoding="utf-8",
    )
    columns = corpora.render("es-transgender", root=copied).columns
    rows = zip(columns["id"], columns["gender_modality"], columns["said"], columns["text"], strict=True)
    found = {row: rest for row, *rest in rows}
    assert found["t08/none/aunt-trans"] == ["trans", "trans", "Vi a mi tía trans en el mercado."]
    assert found["t08/none/aunt-transgender"] == ["trans", "transgender", "Vi a mi tía transgénero en el mercado."]


def test_a_level_without_a_source_or_a_name_is_refused_with_file_and_line(copied):
    append(copied / "es" / "country.csv", "Ecuador,el {EC},,,,\nNowhere,{QX},this project,,,")
    number = len(rows_of(copied / "es", "country.csv"))
    with pytest.raises(FileProblems) as refused:
        corpora.render("es-country", root=copied)
    assert f"country.csv:{number}: column 'source' of 'Ecuador' is empty" in str(refused.value)
    assert f"country.csv:{number + 1}: CLDR has no territory 'QX'" in str(refused.value)


NOUNS = "persons=profession-nouns"


def test_a_profession_can_stand_alone():
    for tag, genders in (("es", 2), ("ar", 2), ("en", 1)):
        alone = [row for row in sentences(f"{tag}-profession", NOUNS) if row.rpartition("/")[2].startswith("this-")]
        assert len(alone) == 15 * genders * ITEMS


def test_a_profession_alone_is_neutral_where_its_noun_is_common():
    rows = rendered("en-profession", NOUNS).table().to_pylist()
    doctors = [row for row in rows if (row["pair"], row["profession"]) == ("t08/none/woman_man", "doctor")]
    assert {row["person"]: row["gender"] for row in doctors} == {
        "woman-doctor": "female", "man-doctor": "male", "this-doctor": "neutral",
    }  # fmt: skip
