"""The identity axes that noun phrases carry: country, religion, profession."""

from __future__ import annotations

import csv
import re
import shutil
import tomllib
from collections import Counter, defaultdict
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from eec_datasets import corpora
from eec_datasets.errors import LocaleError
from eec_datasets.locale.reading import corpus_facts, locales_folder

LOCALES = locales_folder()
TAGS = ("en", "es", "ar")
AXES = ("country", "religion", "profession")
CONFIGS = [f"{tag}-{axis}" for tag, axis in product(TAGS, AXES)]
ITEMS = 4 * 20 + 3 * 20 + 4


@cache
def rendered(name: str) -> corpora.Corpus:
    return corpora.render(name)


@cache
def sentences(name: str) -> dict[str, str]:
    columns = rendered(name).columns
    return dict(zip(columns["id"], columns["text"], strict=True))


def rows_of(tag: str, file: str) -> list[dict[str, str]]:
    with (LOCALES / tag / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def key_of(name: str) -> list[dict[str, str]]:
    """The answer key of a config as it is, without anything asked for."""
    return [row for row in rows_of(name[:2], "expected.csv") if row["config"] == name and not row["variants"]]


def registry() -> dict[str, Any]:
    return tomllib.loads((LOCALES / "axes.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CONFIGS)
def test_every_base_meets_every_level_gender_and_item_once(name: str) -> None:
    columns, (tag, axis) = rendered(name).columns, name.split("-")
    levels = {row["level"] for row in rows_of(tag, f"{axis}.csv")}
    assert set(columns[axis]) == levels
    assert len(columns["id"]) == 8 * len(levels) * 2 * ITEMS
    assert set(Counter(zip(columns["pair"], columns[axis], columns["gender"], strict=True)).values()) == {1}
    assert len(set(columns["text"])) == len(columns["text"])
    bases: dict[tuple[str, str], set[str]] = defaultdict(set)
    for level, gender, pair, item in zip(*(columns[key] for key in (axis, "gender", "pair", "item")), strict=True):
        bases[level, gender].add(pair.removeprefix(f"{item}/"))
    assert {gender for _, gender in bases} == {"female", "male"}
    assert len({frozenset(names) for names in bases.values()}) == 1
    assert len(next(iter(bases.values()))) == 8
    assert set(rendered(name).axes) == {"gender", axis}
    assert rendered(name).dropped == ()
    assert (set(columns["race"]), set(columns["person_type"])) == ({"unmarked"}, {"noun_phrase"})


@pytest.mark.parametrize("axis", AXES)
def test_levels_bases_and_ids_are_the_same_in_all_three_languages(axis: str) -> None:
    english = rendered(f"en-{axis}").columns
    for tag in ("es", "ar"):
        columns = rendered(f"{tag}-{axis}").columns
        for name in ("id", "person", "pair", "gender", axis):
            assert columns[name] == english[name]


def test_the_axes_have_levels_enough() -> None:
    counts = {axis: len(set(rendered(f"en-{axis}").columns[axis])) for axis in AXES}
    assert counts == {"country": 26, "religion": 8, "profession": 15}
    assert {"doctor", "police officer", "janitor", "teacher"} <= set(rendered("en-profession").columns["profession"])
    assert {"atheist", "non-religious"} <= set(rendered("en-religion").columns["religion"])


@pytest.mark.parametrize(("tag", "axis"), list(product(TAGS, AXES)))
def test_every_level_is_ascii_and_stands_in_the_registry_with_its_source(tag: str, axis: str) -> None:
    rows, listed = rows_of(tag, f"{axis}.csv"), registry()[axis]["levels"]
    levels = {row["level"] for row in rows}
    assert set(listed) == levels
    assert all(listed.values())
    assert all(row["source"] for row in rows)
    assert all(level.isascii() for level in levels)
    assert len({level.casefold() for level in levels}) == len(levels)


def test_the_registry_says_of_every_axis_what_it_is_and_lists_the_genders_and_races_that_persons_carry() -> None:
    table = registry()
    for axis, entry in table.items():
        assert entry["what"], axis
        assert entry["chosen"], axis
        assert len(entry["caveats"]) >= 2, axis
    assert list(table["gender"]["levels"]) == list(corpus_facts(LOCALES)["genders"])
    races = {row["id.race"] for tag in TAGS for row in rows_of(tag, "persons.csv")} - {"", "unmarked"}
    assert set(table["race"]["levels"]) == races


@pytest.mark.parametrize("axis", AXES)
def test_spanish_prepositions_contract_with_the_article(axis: str) -> None:
    assert re.search(r"\b(de|a) el\b", "\n".join(sentences(f"es-{axis}").values())) is None


@pytest.mark.parametrize(
    ("name", "row", "sentence"),
    [
        ("en-country", "t08/none/woman-united-states", "I saw this woman from the United States in the market."),
        ("en-country", "t08/none/woman-mexico", "I saw this woman from Mexico in the market."),
        ("es-country", "t08/none/man-united-kingdom", "Vi a este hombre del Reino Unido en el mercado."),
        ("es-country", "t08/none/woman-netherlands", "Vi a esta mujer de los Países Bajos en el mercado."),
        ("es-country", "t08/none/woman-india", "Vi a esta mujer de la India en el mercado."),
        ("es-country", "t08/none/woman-egypt", "Vi a esta mujer de Egipto en el mercado."),
        ("ar-country", "t08/none/woman-mexico", "رأيتُ هذه المرأة من المكسيك في السوق."),
        ("ar-country", "t08/none/man-egypt", "رأيتُ هذا الرجل من مصر في السوق."),
        ("en-religion", "t08/none/woman-muslim", "I saw this Muslim woman in the market."),
        ("es-religion", "t08/none/woman-muslim", "Vi a esta mujer musulmana en el mercado."),
        ("es-religion", "t08/none/man-muslim", "Vi a este hombre musulmán en el mercado."),
        ("es-religion", "t08/none/woman-hindu", "Vi a esta mujer hinduista en el mercado."),
        ("es-religion", "t08/none/man-hindu", "Vi a este hombre hinduista en el mercado."),
        ("ar-religion", "t08/none/woman-muslim", "رأيتُ هذه المرأة المسلمة في السوق."),
        ("ar-religion", "t08/none/man-muslim", "رأيتُ هذا الرجل المسلم في السوق."),
        ("en-profession", "t11/none/man-engineer", "This man who works as an engineer has two children."),
        ("es-profession", "t11/none/woman-doctor", "Esta mujer que trabaja como médica tiene dos hijos."),
        ("es-profession", "t11/none/man-doctor", "Este hombre que trabaja como médico tiene dos hijos."),
        ("es-profession", "t11/none/woman-police-officer", "Esta mujer que trabaja como policía tiene dos hijos."),
        ("es-profession", "t11/none/man-police-officer", "Este hombre que trabaja como policía tiene dos hijos."),
        ("ar-profession", "t11/none/woman-doctor", "هذه المرأة التي تعمل طبيبة لديها طفلان."),
        ("ar-profession", "t11/none/man-doctor", "هذا الرجل الذي يعمل طبيبًا لديه طفلان."),
    ],
)
def test_names_of_levels_take_their_article_and_agree_with_the_base(name: str, row: str, sentence: str) -> None:
    assert sentences(name)[row] == sentence


@pytest.mark.parametrize("axis", ["religion", "profession"])
def test_arabic_forms_differ_between_women_and_men_at_every_level(axis: str) -> None:
    forms: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows_of("ar", f"{axis}.csv"):
        forms[row["level"]][row["gender"]] = row["form"]
    assert all(set(by_gender) == {"f", "m"} and by_gender["f"] != by_gender["m"] for by_gender in forms.values())


@pytest.mark.parametrize("axis", ["religion", "profession"])
def test_spanish_forms_either_agree_in_gender_or_are_marked_as_serving_both(axis: str) -> None:
    forms: dict[str, list[str]] = defaultdict(list)
    for row in rows_of("es", f"{axis}.csv"):
        forms[row["level"]].append(row["gender"])
    assert all(genders in (["f", "m"], [""]) for genders in forms.values())


@pytest.mark.parametrize(("tag", "axis"), list(product(TAGS, AXES)))
def test_the_answer_key_shows_every_base_with_every_kind_of_template(tag: str, axis: str) -> None:
    kinds = dict.fromkeys(("t01", "t02", "t03", "t04"), "state") | dict.fromkeys(("t05", "t06", "t07"), "situation")
    pairs = {row["id"]: row["pair"] for row in rows_of(tag, "persons.csv") if row["set"] == axis}
    key = [row["id"].split("/") for row in key_of(f"{tag}-{axis}")]
    seen = set()
    for template, _, person in key:
        stem = max((known for known in pairs if person.startswith(f"{known}-")), key=len)
        seen.add((pairs[stem], kinds.get(template, "neutral")))
    assert seen == set(product(set(pairs.values()), ("state", "situation", "neutral")))


@pytest.mark.parametrize("name", CONFIGS)
def test_the_answer_key_is_met_and_shows_every_template_with_both_genders(name: str) -> None:
    columns = rendered(name).columns
    about = dict(zip(columns["id"], zip(columns["template"], columns["gender"], strict=True), strict=True))
    key = key_of(name)
    assert {row["id"]: row["sentence"] for row in key} == {row["id"]: sentences(name)[row["id"]] for row in key}
    templates = [f"t{number:02}" for number in range(1, 12)]
    assert {about[row["id"]] for row in key} == set(product(templates, ("female", "male")))


@pytest.mark.parametrize(("tag", "axis"), list(product(TAGS, ("religion", "profession"))))
def test_the_answer_key_shows_every_level(tag: str, axis: str) -> None:
    columns = rendered(f"{tag}-{axis}").columns
    level = dict(zip(columns["id"], columns[axis], strict=True))
    key = {level[row["id"]] for row in key_of(f"{tag}-{axis}")}
    assert key == set(columns[axis])


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the Spanish locale that may be changed."""
    shutil.copytree(LOCALES / "es", tmp_path / "es")
    shutil.copy(LOCALES / "corpus.toml", tmp_path / "corpus.toml")
    return tmp_path


def append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(line + "\n")


def test_a_country_is_added_by_one_line(copied: Path) -> None:
    append(copied / "es" / "country.csv", "Ecuador,el {EC},CLDR,,,")
    before, after = rendered("es-country"), corpora.render("es-country", root=copied)
    added = [
        (row, text)
        for row, text, country in zip(*(after.columns[name] for name in ("id", "text", "country")), strict=True)
        if country == "Ecuador"
    ]
    assert len(after.columns["id"]) - len(before.columns["id"]) == len(added) == 8 * 2 * ITEMS
    assert dict(added)["t08/none/woman-ecuador"] == "Vi a esta mujer del Ecuador en el mercado."


def test_an_article_that_belongs_to_the_name_does_not_contract(copied: Path) -> None:
    append(copied / "es" / "country.csv", "El Salvador,{SV},CLDR,,,")
    columns = corpora.render("es-country", root=copied).columns
    text = dict(zip(columns["id"], columns["text"], strict=True))["t09/none/woman-el-salvador"]
    assert text == "Hablé con esta mujer de El Salvador ayer."


def test_a_religion_is_added_by_its_two_forms(copied: Path) -> None:
    append(copied / "es" / "religion.csv", "Catholic,f,católica,DLE,,,\nCatholic,m,católico,DLE,,,")
    columns = corpora.render("es-religion", root=copied).columns
    texts = dict(zip(columns["id"], columns["text"], strict=True))
    assert texts["t08/none/aunt-catholic"] == "Vi a mi tía católica en el mercado."
    assert texts["t08/none/uncle-catholic"] == "Vi a mi tío católico en el mercado."


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Ecuador,el {EC},,,,", "the level 'Ecuador' has no source"),
        ("Nowhere,{QX},this project,,,", "CLDR has no territory 'QX'"),
    ],
)
def test_a_level_without_a_source_or_a_name_is_refused_with_file_and_line(
    copied: Path, line: str, problem: str
) -> None:
    path = copied / "es" / "country.csv"
    append(path, line)
    number = len(path.read_text(encoding="utf-8").splitlines())
    with pytest.raises(LocaleError, match=f"country.csv:{number}: {problem}"):
        corpora.render("es-country", root=copied)


NOUNS = {"persons": "profession-nouns"}


def alone(tag: str) -> dict[str, str]:
    """The sentences in which the noun of a profession stands alone, by the rest of their id."""
    columns = corpora.render(f"{tag}-profession", variants=NOUNS).columns
    return {
        row: text
        for row, text in zip(columns["id"], columns["text"], strict=True)
        if row.rpartition("/")[2].startswith("this-")
    }


def test_a_profession_can_stand_alone_with_gendered_and_with_common_nouns() -> None:
    spanish, arabic, english = alone("es"), alone("ar"), alone("en")
    assert spanish["t01/sad/this-woman-doctor"] == "Esta médica se siente triste."
    assert spanish["t01/sad/this-man-doctor"] == "Este médico se siente triste."
    assert spanish["t01/angry/this-woman-police-officer"] == "Esta policía se siente enojada."
    assert spanish["t01/angry/this-man-police-officer"] == "Este policía se siente enojado."
    assert arabic["t08/none/this-woman-bus-driver"] == "رأيتُ سائقة الحافلة في السوق."
    assert arabic["t08/none/this-man-doctor"] == "رأيتُ الطبيب في السوق."
    assert english["t08/none/this-doctor"] == "I saw this doctor in the market."
    assert len(spanish) == len(arabic) == 15 * 2 * ITEMS
    assert len(english) == 15 * ITEMS


def test_english_has_the_noun_alone_as_neutral_beside_the_woman_and_the_man_of_that_profession() -> None:
    columns = corpora.render("en-profession", variants=NOUNS).columns
    found = {
        person: gender
        for person, gender, pair, profession in zip(
            *(columns[name] for name in ("person", "gender", "pair", "profession")), strict=True
        )
        if pair == "t08/none/woman_man" and profession == "doctor"
    }
    assert found == {"woman-doctor": "female", "man-doctor": "male", "this-doctor": "neutral"}
