"""Numbers and lists that pages repeat are those of the code and of the data."""

import re
from collections import Counter
from dataclasses import asdict
from statistics import median

import pytest
from places import ROOT
from texts import csv_rows

import eec_datasets
from eec_bias.methods.camara2022 import SIZES as CAMARA
from eec_bias.methods.kiritchenko2018 import SIZES as KIRITCHENKO
from eec_bias.methods.rating import SIZES as RATING
from eec_bias.options import FUNCTIONS
from eec_datasets import corpora
from eec_datasets.locale import grammar, templates
from eec_datasets.locale.toml_file import TableKeys
from eec_datasets.release import benchmark
from eec_datasets.report.census import count_census
from eec_datasets.rewrite.lexicon import BUILT_IN
from eec_datasets.systems.accuracy import accuracy_of
from eec_datasets.systems.heads import load_heads

PAPERS = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")


def said(document: str, pattern: str) -> tuple[str, ...]:
    """Return the numbers that a document has in the places of a pattern. A line may break at any space."""
    found = re.search(pattern.replace(" ", r"\s+"), (ROOT / document).read_text(encoding="utf-8"), flags=re.DOTALL)
    assert found is not None, (document, pattern)
    return found.groups()


def row(start: str) -> list[float]:
    """The numbers of the last cells of a row of a table."""
    (line,) = [line for line in PAPERS.splitlines() if line.startswith(f"| {start} |")]
    return [float(number) for number in re.findall(r"(?<![\w.])[01]?\.\d+", line)]


@pytest.mark.parametrize(
    ("start", "sizes"),
    [
        ("Kiritchenko & Mohammad 2018", {sd: size for sd, (size, _) in KIRITCHENKO.items()}),
        ("Câmara et al. 2022", CAMARA),
        ("Lakkaraju et al. 2022", {sd: size for sd, (size, _) in RATING.items()}),
        ("systems with a WRS above 0", {sd: size for sd, (_, size) in RATING.items()}),
    ],
)
def test_the_sizes_of_the_published_procedures_are_those_they_carry(start: str, sizes: dict[float, float]) -> None:
    assert "for names with an sd of 0, .02, .05, .11" in PAPERS
    assert dict(zip([0, 0.02, 0.05, 0.11], row(start), strict=True)) == sizes


def test_the_sizes_at_the_corrected_level_are_those_it_carries() -> None:
    (told,) = said("docs/papers.md", r"\.05/438, the shares are ([^a-z]+)\.\n")
    assert [float(number) for number in told.split(", ")] == [size for _, size in KIRITCHENKO.values()]


def test_every_wording_that_can_be_chosen_is_told() -> None:
    page = (ROOT / "docs" / "corpora.md").read_text(encoding="utf-8")
    rows = [line for line in page.partition("## Other wordings")[2].splitlines() if line.startswith("| `")]
    told = {name for line in rows for name in re.findall(r"`([\w-]+)`", line)}
    configs = eec_datasets.configs()
    languages = {config.language: config.locale for config in configs}.values()
    options = [option for locale in languages for option in locale.options.values()]
    templates = [template for locale in languages for template in locale.templates if template.variants]
    assert {option.name for option in options} <= told
    assert {value for option in options for value in option.values if value != option.default} <= told
    assert {template.id for template in templates} | {name for each in templates for name in each.variants} <= told
    assert {name for config in configs for name in config.spec.optional} <= told


def test_the_guide_tells_every_key_of_a_language() -> None:
    guide = (ROOT / "docs" / "contributing" / "grammar.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", guide, flags=re.DOTALL | re.MULTILINE)
    told = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]+)`", prose))))
    declared = [*vars(grammar).values(), *vars(templates).values()]  # docs/names.md and natural-text.md tell the rest
    keys = {key for table in declared if isinstance(table, TableKeys) for key in table.known}
    assert len(keys) > 30
    assert keys - told == set()


def births(race: str, gender: str) -> float:
    """The median births of the names of a cell of the corpus of 2018."""
    persons, names = (csv_rows(ROOT / "locales" / "en" / file) for file in ("persons.csv", "names.csv"))
    cell = {
        row["nom"] for row in persons if (row["set"], row["id.race"], row["id.gender"]) == ("black-white", race, gender)
    }
    found = {row["name"]: int(row["ssa.count"]) for row in names if row["gender"] == gender and row["name"] in cell}
    assert len(found) == 10
    return median(found.values())


def test_the_births_of_the_papers_names_are_those_of_the_table() -> None:
    told = r"(\w+) times as often as\s+Black women's names \(medians ([\d,]+) and ([\d,]+)\)"
    white, black = births("white", "female"), births("Black", "female")
    assert said("docs/names.md", told) == ("fourteen", f"{white:,.0f}", f"{black:,.0f}")
    assert round(white / black) == 14


def test_the_metrics_page_names_every_option_of_measure() -> None:
    page = (ROOT / "metrics" / "eec_bias" / "README.md").read_text(encoding="utf-8")
    assert [option.name for option in FUNCTIONS["default"] if f"{option.name}=" not in page] == []


def test_the_guide_names_every_class_that_patterns_know_by_themselves() -> None:
    (told,) = said("docs/contributing/natural-text.md", r"Every language has these classes: (.*?)\.\n")
    assert set(re.findall(r"`<([\w-]+)>`", told)) == BUILT_IN


def test_the_degrees_of_freedom_of_the_papers_templates_are_right() -> None:
    (told,) = said("docs/statistics.md", r"([\d.]+) for the 11 templates of\s+the papers' corpus")
    data = eec_datasets.load("en-black-white")
    items = dict(zip(data["item"], data["template"], strict=True))
    counts = Counter(items.values()).values()
    assert len(counts) == 11
    assert float(told) == round(1 / sum((count / len(items)) ** 2 for count in counts) - 1, 1)


@pytest.mark.parametrize(("language", "what"), [("es", "Spanish tweets"), ("ar", "Arabic reviews")])
def test_the_accuracy_of_the_multilingual_embeddings_is_what_was_measured(language: str, what: str) -> None:
    (known,) = (each for each in load_heads("usem3").accuracy if each.language == language)
    between = what.replace(" ", r"\s+")
    n, share, low, high = said(
        "docs/names.md", rf"(\d+)\s+{between}\D+([\d.]+) %[^(]*\(\D*(?:95 %)?\D*([\d.]+) to ([\d.]+)\)"
    )
    assert int(n) == known.n
    assert [float(each) for each in (share, low, high)] == pytest.approx(
        [100 * each for each in (known.auc, known.auc_low, known.auc_high)]
    )


def test_the_accuracy_of_the_english_systems_is_what_was_measured() -> None:
    pattern = (
        r"on ([\d,]+) sentences of product\s+reviews.*?([\d.]+) % of pairs \(95 %\s+interval ([\d.]+) to ([\d.]+)\)"
    )
    others = r"\.\s+VADER had ([\d.]+) % \(([\d.]+) to ([\d.]+)\) and\s+TextBlob ([\d.]+) % \(([\d.]+) to ([\d.]+)\)"
    n, *shares = said("docs/names.md", pattern + others)
    known = [accuracy_of(system)["en"] for system in ("wordllama", "vader", "textblob")]
    assert {f"{each.n:,}" for each in known} == {n}
    expected = [100 * share for each in known for share in (each.auc, each.auc_low, each.auc_high)]
    assert [float(share) for share in shares] == pytest.approx(expected)


def test_the_page_of_models_counts_the_benchmarks_sentences() -> None:
    tasks = benchmark.tasks_of(eec_datasets.configs())
    sizes = {len(corpora.render(corpora.find(name)).columns["id"]) for name in {task.config for task in tasks}}
    told = said("docs/language-models.md", r"about the\s+(\d+) sentences of\s+`en-sample`.*?all\s+(\d+) tasks run")
    assert told == (str(*sizes), str(len(tasks)))


def test_the_page_of_the_census_says_what_its_table_has() -> None:
    records = [typed_record(row) for row in csv_rows(ROOT / "docs/census/census.csv")]
    counts = asdict(count_census(records))
    for label, name in (
        ("systems that we scored", "rows"),
        ("programs", "programs"),
        ("languages", "languages"),
        ("different instruments (see below)", "instruments"),
        ("deaf systems, which hardly react to feelings (see below)", "deaf"),
        ("systems that we could not score (the table says why)", "failed"),
        ("systems with a word list that hear a word, in languages with separate forms for women", "gendered"),
        ("… and hear more words about him than about her", "muted"),
        ("… and hear more words about her than about him", "reversed_"),
        ("systems that are not deaf, which we tested for gaps", "tables"),
        ("… and have a gap that the test found", "found"),
        ("gaps that remain if we allow for the number of tests in the census", "after"),
        ("systems whose reactions to her and to him we could compare", "reacting"),
        ("… and react less to her", "weaker"),
        ("… and react more to her", "stronger"),
    ):
        assert f"| {label} | {counts[name]} |" in (ROOT / "docs/census/index.md").read_text(encoding="utf-8"), name
    assert counts["programs"] >= 30
    assert counts["rows"] >= 100
    assert counts["languages"] == 11


def typed_record(row: dict[str, str]) -> dict[str, object]:
    """Return a row of the table with numbers as numbers, and None for what is empty among them."""
    return {
        name: value if name in TEXTS_OF_CENSUS or name.endswith("_answer") else _number(value)
        for name, value in row.items()
    }


def _number(value: str) -> float | None:
    return float(value) if value else None


TEXTS_OF_CENSUS = (
    "system", "language", "program", "version", "kind", "instrument", "licence", "list_licence", "failure", "deaf",
    "muted_forms", "only_him", "only_her",
)  # fmt: skip
"""Columns of the census that hold texts."""
