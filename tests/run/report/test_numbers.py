"""``terms.csv``: every number of a page stands in it, whatever the language."""

import io
import math
import re
from html import unescape
from typing import Any

import pandas as pd
import pytest
from documents import RACE, cell, document, flat, result, term

import eec_bias
from eec_bias.assembly.rows import FEW
from eec_datasets.audit import saving
from eec_datasets.audit.minimal_pairs import PAIRS_PER_AXIS
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import from_content
from eec_datasets.audit.report.language import POWER, Translator, load_translator
from eec_datasets.audit.report.names import EVEN
from eec_datasets.audit.report.numbers import rows_of
from eec_datasets.audit.running import measure
from eec_datasets.systems.builtin import LEAN
from eec_datasets.systems.corpus import open_corpus
from eec_datasets.systems.registry import open_system

NUMBER = re.compile(r"[+−]?(?:\d[\d.,]*)?[.,]?\d+(?:E[−]?\d+)?(?:\s?%)?")

LEFT_OUT = (
    r"<(style|script|pre|code|nav|header|footer)\b.*?</\1>",
    r'<details id="method".*?</details>',
    r'<details id="reproduce".*',
    r'<span lang="\w+" dir="\w+">.*?</span>',  # sentences
    r'<dt class="text"[^>]*>.*?<small[^>]*>',
    r"<small>vader.*?</small>",
    r"\[\d+\]",  # footnotes
    r"<[^>]*>",
)
"""Of a page: what lays it out, quotes it or explains it, and holds no number that was measured."""


@pytest.fixture(scope="module")
def audited(several):
    """A system on the list of a paper and on part of a large corpus."""
    return from_content(saving.content(several[:2]), "result.json", "")


def values(text: str) -> list[float]:
    """All numbers of a CSV."""
    cells = pd.read_csv(io.StringIO(text), dtype=str).stack()
    return list(pd.to_numeric(cells, errors="coerce").dropna())


def written(translator: Translator, known: list[float]) -> set[str]:
    """How a report may write these numbers, and the numbers of its own sentences."""
    found: set[str] = set()
    for value in known:
        found |= {translator.number(value), translator.number(value, signed=True), translator.number(abs(value))}
        found |= {translator.short(value), translator.short(-value), translator.percent(abs(value))}
        found |= {translator.points(value), translator.points(-value), translator.points(abs(value)).lstrip("+")}
        # Sentences have whole points, bounds rounded up; pairs have their scores in points.
        if abs(value) < 1000:
            whole = (round(value), math.ceil(value), round(100 * value), math.ceil(10 * value) / 10, round(value, 1))
            found |= {translator.short(abs(each)) for each in whole}
        found |= {translator.year(value)} if 1900 < value < 2030 else set()
        found |= {translator.count(round(value))} if abs(value) >= 100 or value == int(value) else set()
        found |= {translator.probability(value).lstrip("<> ")} if 0 <= value <= 1 else set()
    prose = " ".join(text for key, text in flat(translator.texts).items() if "." in key)
    own = [translator.short(EVEN), translator.short(LEAN), str(PAIRS_PER_AXIS), str(FEW)]
    shares = (translator.confidence, POWER, round(1 - translator.confidence, 12))
    return found | {*own, *map(translator.percent, shares), *NUMBER.findall(prose)}


def shown(html: str, *words: str) -> set[str]:
    """The numbers that a page prints, outside of these words."""
    for pattern in LEFT_OUT:
        html = re.sub(pattern, " ", html, flags=re.DOTALL)
    html = unescape(html)
    for word in sorted(words, key=len, reverse=True):
        html = html.replace(word, " ")
    html = re.sub("[\u2066-\u2069]", "", html)
    return {found.rstrip(".,") for found in NUMBER.findall(html)}


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_every_number_of_a_page_is_in_the_table(audited, language):
    translator = load_translator(language)
    rows = rows_of(audited)
    known = {text.rstrip(".,") for text in written(translator, values(saving.to_csv(rows)))}
    weak = [each for entry in audited.entries for each in (entry.names or {})["weak"]]
    words = [*(entry.config for entry in audited.entries), "en-black-white-100", "ci90_"]
    for entry in (entry for entry in audited.entries if entry.attested_of):
        words.append(translator.say("names.attested_part", config=entry.whole, count=entry.name_count))
    words += [doubt["source"] for each in weak for doubt in each["doubts"]]
    words += ["r50k_base", "cl100k_base", "o200k_base", *(corpus["about"] for corpus in audited.corpora)]
    words += [str(row["item"]) for row in rows if row["item"]]
    words += [row["rough"] for entry in audited.entries for row in entry.result.rate_rows if row["rough"]]
    found = shown(page.render(audited, language=language), *words)
    assert len(found) > 200
    assert found - known == set()
    if language == "en":  # A number that no row holds would be noticed.
        rows = [row for row in rows if row["kind"] not in ("far", "pair")]
        known = {text.rstrip(".,") for text in written(translator, values(saving.to_csv(rows)))}
        assert found - known


def test_rows_say_what_they_are_about(audited):
    rows, keys = rows_of(audited), ("term", "effect", "p_permutation")
    kinds = {"term", "clear", "group", "name", "pair", "carried", "rates", "equivalence", "count", "scale", "corpus"}
    kinds |= {"finding", "typical", "emotion"}
    assert {row["kind"] for row in rows} - {"far"} == kinds
    terms = [row for row in rows if row["kind"] == "term"]
    results = [
        (entry.system, entry.config, *map(row.get, keys)) for entry in audited.entries for row in entry.result.terms
    ]
    found = [(row["system"], row["config"], *map(row.get, keys)) for row in terms]
    # Rows of emotions stand behind those about all sentences of a result.
    assert sorted(found, key=str) == sorted(results, key=str)
    assert [row["value"] for row in terms] == [None] * len(terms)
    assert [row["effect_share"] for row in terms] == [row["effect"] and abs(row["effect"]) for row in terms]
    (births,) = [row for row in rows if row["quantity"] == "mean of ssa.count (US births (SSA): births)"
                 and row["config"] == "en-black-white" and row["level"] == "male:Black"]  # fmt: skip
    assert births["value"] == pytest.approx(26131.88, abs=0.01)


@pytest.mark.parametrize("method", ["camara2022", "kiritchenko2018", "perturbation"])
def test_tables_of_a_published_procedure_stand_there_as_printed(method):
    corpus = open_corpus("en-black-white")
    scores = [open_system(f"random:{seed}").scorer(corpus.columns) for seed in range(2)]
    found = measure("x", corpus, scores, (0.0, 1.0), method=method)
    assert found.study is not None
    tables = found.study.tables("text")
    rows = [row for row in rows_of(from_content(found.to_dict(), "a.json", "a")) if row["kind"] == "table"]
    for name, table in tables.items():
        body = table.rpartition("\n\n")[0]
        # A share stands in brackets behind a count: 0 (0 %).
        found_in = re.findall(r"(?<![^\s(])[+-]?[\d.]+(?:e-\d+)?\**(?!\S)", body)
        printed = [float(text.strip("*")) for text in found_in]
        assert [row["value"] for row in rows if row["item"].rpartition(", line ")[0] == name] == printed
    assert len(rows) > 16
    assert {row["quantity"] for row in rows} >= {"number 1", "number 2", "number 3"}


def of_kind(found: Any, kind: str) -> list[dict[str, Any]]:
    return [row for row in rows_of(found) if row["kind"] == kind]


def test_systems_and_comparisons_are_counted_in_it():
    found = document(result(term(effect=0.1, se=0.01, df=30.0, p=0.001), term(**RACE)))
    gap = {row["quantity"]: row["value"] for row in of_kind(found, "finding") if row["term"] == "gender"}
    assert gap["gap"] == pytest.approx(10)
    assert gap["low"] < 10 < gap["high"]
    counts = {row["quantity"]: row["value"] for row in of_kind(found, "count")}
    assert (counts["systems"], counts["comparisons"], counts["comparisons: difference"]) == (1, 2, 1)


def test_names_that_are_far_are_in_it_too():
    far = {"form": "Tia", "labels": {"gender": "female"}, "distance": 0.46, "p": 0.001}
    saved = saving.audit([{"system": "mine", "result": result(), "standouts": [far]}], [])
    (row,) = of_kind(from_content(saved, "a.json", ""), "far")
    assert (row["system"], row["name"], row["level"], row["value"], row["p"]) == ("mine", "Tia", "female", 0.46, 0.001)


def test_a_result_of_several_systems_is_none_of_them():
    found = document(result(term(system="one"), term(system="two")))
    assert {row["system"] for row in rows_of(found)} <= {"one", "two", None}
    ends = [(row["system"], row["quantity"]) for row in of_kind(found, "scale") if row["quantity"].endswith("score")]
    assert ends == [(name, f"{end} score") for name in ("one", "two") for end in ("lowest", "highest")]


def test_task_stratum_and_output_are_columns_where_some_row_has_them():
    place = {"task": "valence", "stratum": "joy", "output": "score"}
    first, *_ = rows_of(document(result(term(system="a", **place), term(system="b", **place))))
    assert list(first)[:6] == ["kind", "system", "config", *place]
    assert {key: first[key] for key in place} == place
    assert not {*place} & {*rows_of(document(result()))[0]}


def test_the_mean_of_a_group_comes_with_its_counts():
    (mean,) = of_kind(document(result(cells=[cell(7, race="Black", gender="female")])), "group")
    assert (mean["level"], mean["value"], mean["n_persons"], mean["n_sentences"]) == ("Black:female", 0.5, 7, 10)


def test_persons_of_one_name_keep_their_means_apart():
    persons = [(f"{gender}{i}", gender) for gender in ("female", "male") for i in range(3)]
    rows = [(person, gender, f"i{i}") for i in range(8) for person, gender in persons]
    columns = dict(zip(("person", "gender", "item"), map(list, zip(*rows, strict=True)), strict=True))
    columns["person_form"] = ["Kim" if person[-1] != "0" else person for person in columns["person"]]
    scores = [0.25 + i / 100 for i in range(len(rows))]
    saved = eec_bias.measure(scores, columns).to_dict(details=True)
    rows_written = rows_of(from_content(saved, "mine.json", "mine"))
    names = {row["name"]: row["value"] for row in rows_written if row["kind"] == "name"}
    assert sorted(names) == ["Kim (female1)", "Kim (female2)", "Kim (male1)", "Kim (male2)", "female0", "male0"]
    assert len(set(names.values())) == 6
