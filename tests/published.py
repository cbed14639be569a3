"""Writes files in the layouts of the published ones, from sentences made for the tests."""

import csv

from eec_datasets import corpora

TEMPLATES_2018 = {
    "t01": "<person subject> feels <emotion word>.",
    "t02": "The situation makes <person object> feel <emotion word>.",
    "t03": "I made <person object> feel <emotion word>.",
    "t04": "<person subject> made me feel <emotion word>.",
    "t05": "<person subject> found himself/herself in a/an <emotion word> situation.",
    "t06": "<person subject> told us all about the recent <emotion word> events.",
    "t07": "The conversation with <person object> was <emotion word>.",
    "t08": "I saw <person object> in the market.",
    "t09": "I talked to <person object> yesterday.",
    "t10": "<person subject> goes to the school in our neighborhood.",
    "t11": "<person subject> has two children.",
}
HEADER_2018 = ["ID", "Sentence", "Template", "Person", "Gender", "Race", "Emotion", "Emotion word"]
HEADER_2022 = ["id", "sentence", "template", "person", "gender", "race", "emotion", "emotion word"]
RACES = {"Black": "African-American", "white": "European", "unmarked": ""}
OBJECTS = {"she": "her", "he": "him"}
OBJECT_TEMPLATES = ("t02", "t03", "t07", "t08", "t09")


def rows_of(config, keep=lambda _: True):
    """Our rows as dicts, those that `keep` lets through."""
    columns = corpora.render(config).columns
    rows = (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True))
    return [row for row in rows if keep(row)]


def in_2018(rows):
    """Rows of ours as cells of the 2018 layout."""
    for number, row in enumerate(rows):
        person = row["person_form"]
        if row["template"] in OBJECT_TEMPLATES:
            person = OBJECTS.get(person, person)
        neutral = row["word"] == "none"
        yield [
            f"2018-En-mystery-{number:05}",
            row["text"],
            TEMPLATES_2018[row["template"]],
            person,
            row["gender"],
            RACES.get(row["race"], row["race"]),
            "" if neutral else row["emotion"],
            "" if neutral else row["word_form"],
        ]


def write(path, header, rows):
    """Write a CSV file and return its path."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(header)
        writer.writerows(rows)
    return path


HEADER_ES = ["", "sentence", "template", "person", "gender", "race", "emotion", "emotion word", "sentence_en", "", ""]
TEMPLATES_ES = {
    "t01": "<p> se siente <eA>",
    "t02": "La situación hace que <p> se sienta <eA>",
    "t03": "Hice que <p> se sintiera <eA>",
    "t04": "<p> me hizo sentir <eA>",
    "t05": "<p> se encontró en una situación <eB>",
    "t06": "<p> nos contó todo sobre los recientes acontecimientos <eB>",
    "t07": "La conversación con <p> fue <eB>",
    "t08": "Yo vi a <p> en el mercado",
    "t09": "Hablé con <p> ayer",
    "t10": "<p> estudia en el colegio de nuestro barrio",
    "t11": "<p> tiene dos hijos",
}
BARE = {"María": "Maria", "Sofía": "Sofia", "José": "Jose", "Jesús": "Jesus", "Ángel": "Angel"}


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
        person = BARE.get(row["person_form"], row["person_form"])
        text = text.replace(row["person_form"], person)
        neutral = row["word"] == "none"
        shown = f"{form[:-1]}o/a" if lemma and form[-1] in "oa" else form
        yield [
            number,
            text,
            TEMPLATES_ES[row["template"]],
            person,
            row["gender"],
            RACES.get(row["race"], row["race"]),
            "" if neutral else row["emotion"],
            "" if neutral else shown,
            english[row["id"]],
            "",
            "",
        ]


HEADER_AR = [*HEADER_2022, "sentence"]
TEMPLATES_AR = {
    "t01": ("<p> يشعر  <eA>", "<p> تشعر  <eA>"),
    "t05": ("<p> وجدت نفسه في موقف  <eB>", "<p> وجدت نفسها في موقف  <eB>"),
    "t11": ("<p> لديه طفلان", "<p> لديها طفلان"),
}


def in_arabic_2022(keep=lambda _: True):
    """The layout and the kinds of error of ar.csv: double spaces, a feminine verb for men, words left out."""
    english = {row["id"]: row["text"] for row in rows_of("en-anglo-arab")}
    for number, row in enumerate(rows_of("ar-anglo-arab", keep)):
        if row["template"] not in TEMPLATES_AR:
            continue
        man, woman = TEMPLATES_AR[row["template"]]
        text = (woman if row["gender"] == "female" else man).replace("<p>", row["person_form"])
        text = text.replace("<eA>", "ب" + row["word_form"]).replace("<eB>", row["word_form"])
        neutral = row["word"] == "none"
        yield [
            number,
            text,
            str({"m": man, "f": woman}),
            row["person_form"],
            row["gender"],
            RACES.get(row["race"], row["race"]),
            "" if neutral else row["emotion"],
            "" if neutral else row["word_form"],
            english[row["id"]],
        ]
