"""Writes files in the layouts of the published ones, from sentences made for the tests."""

import tomllib
from functools import cache
from pathlib import Path

from eec_datasets import corpora
from eec_datasets.text_file import csv_text

WRITTEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
HEADER_2018, HEADER_2022, HEADER_ES = (WRITTEN["columns"][name] for name in ("2018", "2022", "es"))
HEADER_AR = [*HEADER_2022, "sentence"]
TEMPLATES = WRITTEN["templates"]
RACES = {"Black": "African-American", "white": "European", "unmarked": ""}
OBJECTS = {"she": "her", "he": "him"}
OBJECT_TEMPLATES = ("t02", "t03", "t07", "t08", "t09")


rendered = cache(lambda config: corpora.table(config).to_pylist())


def rows_of(config, keep=lambda _: True):
    """Our rows as dicts, those that `keep` lets through."""
    return [row for row in rendered(config) if keep(row)]


def cells(number, text, template, person, row):
    """The first eight cells, which every layout has."""
    said = [row["emotion"], row["word_form"]] if row["word"] != "none" else ["", ""]
    return [number, text, template, person, row["gender"], RACES.get(row["race"], row["race"]), *said]


def in_2018(rows):
    """Rows of ours as cells of the 2018 layout."""
    for number, row in enumerate(rows):
        person = row["person_form"]
        if row["template"] in OBJECT_TEMPLATES:
            person = OBJECTS.get(person, person)
        yield cells(f"2018-En-mystery-{number:05}", row["text"], TEMPLATES["2018"][row["template"]], person, row)


def write(path, header, rows):
    """Write a CSV file and return its path."""
    path.write_text(csv_text([header, *rows]), encoding="utf-8")
    return path


def in_spanish_2022(keep=lambda _: True, lemma=False):
    """The layout and the kinds of error of es.csv: bare names, the adjective of template 4 agrees with the person.

    With `lemma` the emotion word stands in its column as in the papers' tables (``enojado/a``).
    """
    english = {row["id"]: row["text"] for row in rows_of("en-anglo-latino")}
    rows = rows_of("es-anglo-latino", keep)
    states = {(row["word"], row["gender"]): row["word_form"] for row in rows if row["template"] == "t01"}
    for number, row in enumerate(rows):
        form, text = row["word_form"], row["text"].rstrip(".")
        if row["template"] == "t04":
            form = states[row["word"], row["gender"]]
            text = text.removesuffix(row["word_form"]) + form
        if row["template"] == "t08":
            text = f"Yo vi a {row['person_form']} en el mercado"
        if row["template"] == "t10":
            text = text.replace("va al colegio", "estudia en el colegio")
        person = WRITTEN["bare"].get(row["person_form"], row["person_form"])
        text = text.replace(row["person_form"], person)
        shown = f"{form[:-1]}o/a" if lemma and form[-1] in "oa" else form
        own = cells(number, text, TEMPLATES["es"][row["template"]], person, row | {"word_form": shown})
        yield [*own, english[row["id"]], "", ""]


def in_arabic_2022(keep=lambda _: True):
    """The layout and the kinds of error of ar.csv: double spaces, a feminine verb for men, words left out."""
    english = {row["id"]: row["text"] for row in rows_of("en-anglo-arab")}
    for number, row in enumerate(rows_of("ar-anglo-arab", keep)):
        if row["template"] not in TEMPLATES["ar"]:
            continue
        man, woman = TEMPLATES["ar"][row["template"]]
        text = (woman if row["gender"] == "female" else man).replace("<p>", row["person_form"])
        text = text.replace("<eA>", "ب" + row["word_form"]).replace("<eB>", row["word_form"])
        yield [*cells(number, text, str({"m": man, "f": woman}), row["person_form"], row), english[row["id"]]]
