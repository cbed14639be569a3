"""The tables below a page: all comparisons, more pairs, notes, a paper's table."""

from __future__ import annotations

import math

from eec_datasets.report import reaction
from eec_datasets.report.answers import answer, gap_words
from eec_datasets.report.entries import UNDECIDED, PageFinding
from eec_datasets.report.pairs import shown_score
from eec_datasets.report.say import Say
from eec_datasets.report.story import Story
from eec_datasets.report.text import Text, capital, joined, of, plain
from eec_datasets.report.view import PageTable, Picture, Steps

MOST_PAIRS = 10
MOST_TERMS = 12


def tables(story: Story) -> tuple[PageTable, ...]:
    """Return the tables that have rows."""
    of_reactions = reaction.table(story.say, story.reactions)
    made = [_comparisons(story), of_reactions, _rates(story), _pairs(story), _notes(story), _terms(story)]
    return tuple(table for table in made if table and table.rows)


def _comparisons(story: Story) -> PageTable:
    say = story.say
    several = len(story.systems) > 1 or len({entry.measurement.list for entry in story.all}) > 1
    columns = ["question", *(["system", "list"] if several else []), "answer", "gap", "range", "found_from"]
    columns += ["persons", "sentences"]
    rows = []
    for entry in story.all:
        cells: list[Text] = [capital(say.question(entry.finding.comparison))]
        if several:
            language = say.language_name(entry.measurement.language) if entry.measurement.language else ""
            name = joined([of(story.name(entry.system)), of(language)], say.template("language.comma"))
            cells += [name, of(entry.measurement.list)]
        cells += [answer(say, entry).words, *_numbers(story, entry)]
        for count in (entry.finding.n_persons, entry.finding.n_sentences):
            cells.append(of(say.number(count)) if count is not None else ())
        rows.append(tuple(cells))
    titles = tuple(say(f"tables.{column}") for column in columns)
    numeric = tuple(range(len(columns) - 3, len(columns)))
    return PageTable("comparisons", say("tables.comparisons"), titles, tuple(rows), numeric)


def _numbers(story: Story, entry: PageFinding) -> list[Text]:
    """Write gap, range and smallest gap of a comparison; who scores higher is named, so no number has a sign."""
    say, rounding = story.say, entry.rounding
    if entry.gap is None:
        return [(), (), ()]
    gap = of(say.bare(0.0, rounding)) if not entry.gap else gap_words(say, entry, entry.gap, "answer.described_plain")
    reach: Text = ()
    if entry.low is not None and entry.high is not None:
        if entry.clear:
            reach = of(say.range(entry.low, entry.high, rounding))
        else:
            reach = of(say.at_most(entry.low, entry.high, rounding))
    smallest = entry.finding.found_from
    if smallest is None or not smallest:
        return [gap, reach, ()]
    shown = say.number(max(rounding.up(smallest * entry.factor), rounding.step), rounding.decimals)
    return [gap, reach, of(shown)]


def _rates(story: Story) -> PageTable:
    """Return the rates of both groups of each comparison, of 100, and their ratio; of scores those above a bound."""
    say = story.say
    rows = []
    for entry in story.all:
        for row in entry.measurement.result.rate_rows:
            same_system = row.get("system") in (None, entry.finding.system)
            known = row["rate"] is not None and row["rate_reference"] is not None
            if row["id"] != entry.finding.comparison.id or not same_system or not known:
                continue
            bound = row.get("threshold")
            above = "" if bound is None else say.text("tables.above", bound=_bound(say, bound))
            groups = say.groups(entry.finding.comparison)
            rates = [
                joined([group.scope, of(say.text("number.of_100", n=say.number(100 * rate)))], ": ")
                for group, rate in zip(groups, (row["rate"], row["rate_reference"]), strict=True)
            ]
            ratio, low, high = (_ratio(say, row[key]) for key in ("ratio", "ratio_low", "ratio_high"))
            shown = say("number.range", low=low, high=high) if low and high else ()
            question = capital(say.question(entry.finding.comparison))
            rows.append((question, of(above or say.quoted(entry.label)), *rates, of(ratio), shown))
    names = ("question", "outcome", "rate", "rate", "ratio", "ratio_range")
    titles = tuple(say(f"tables.{name}") for name in names)
    return PageTable("rates", say("tables.rates"), titles, tuple(rows), (4, 5))


def _bound(say: Say, bound: float | str) -> str:
    return say.text("tables.median") if isinstance(bound, str) else f"{bound:g}"


def _ratio(say: Say, ratio: float | None) -> str:
    return "" if ratio is None or not math.isfinite(ratio) else say.number(ratio, 2)


def _pairs(story: Story) -> PageTable:
    say = story.say
    rows = []
    lead = story.lead
    entries = [lead, *(entry for entry in story.main if entry is not lead)] if lead else story.main
    for entry in entries:
        listed = [each for each in entry.measurement.source.pairs if each.id == entry.finding.comparison.id]
        for pair in listed[: 3 if entry is lead else 1]:
            cells: list[Text] = [capital(say.question(entry.finding.comparison))]
            for text, score in zip(pair.texts, pair.scores, strict=True):
                cells += [of(text), of(shown_score(story, entry, score))]
            rows.append(tuple(cells))
    names = ("question", "first", "score", "first", "score")
    titles = tuple(say(f"tables.{name}") for name in names)
    return PageTable("pairs", say("tables.pairs"), titles, tuple(rows[:MOST_PAIRS]), (2, 4))


def _notes(story: Story) -> PageTable:
    say = story.say
    said: dict[str, list[str]] = {}
    for each in story.measurements:
        for note in each.result.notes:
            said.setdefault(say.note(note), []).append(each.list)
        for finding in each.result.gaps:
            for note in finding.notes:
                said.setdefault(say.note(note), []).append(plain(say.question(finding.comparison)))
    rows = []
    for sentence, where in said.items():
        places = list(dict.fromkeys(where))
        shown = "; ".join(places[:3]) + (" …" if len(places) > 3 else "")
        rows.append((of(sentence), of(shown)))
    return PageTable("notes", say("tables.notes"), (say("tables.note"), say("tables.where")), tuple(rows))


# A paper's procedure


def of_procedure(story: Story, headline: Text) -> Picture:
    """Return the first rows of the paper's table in the place of a chart."""
    table = _terms(story)
    if table is None:
        return Picture(story.say("tables.paper"))
    rows = table.rows[:MOST_TERMS]
    notes: tuple[Text, ...] = ()
    if len(table.rows) > MOST_TERMS:
        left = story.say.number(len(table.rows) - MOST_TERMS)
        notes = (story.say("picture.more_rows", count=left),)
    short = PageTable("terms-first", table.title, table.columns, rows, table.numeric)
    return Picture(table.title, table=short, notes=notes, aria=plain(headline))


def _terms(story: Story) -> PageTable | None:
    """Return the numbers of a published procedure, as it names them."""
    if story.kind != "procedure":
        return None
    say = story.say
    rows = []
    for measurement in story.measurements:
        for row in measurement.result.terms:
            where = [row.system, row.stratum, row.output, row.term, row.level, row.subset, row.emotion]
            label = " · ".join(str(part) for part in where if part)
            rows.append((of(label), *(_paper_number(story, value) for value in (row.effect, row.p))))
    columns = tuple(say(f"tables.{name}") for name in ("term", "effect", "p"))
    return PageTable("terms", say("tables.paper"), columns, tuple(rows), (1, 2))


def _paper_number(story: Story, value: float | None) -> Text:
    """Write a number of a paper's table as the paper does, with its sign."""
    if value is None or math.isnan(value):
        return ()
    digits = story.say.number(value, 3 if abs(value) < 100 else 1)
    return of(f"\N{MINUS SIGN}{digits}" if value < 0 else digits)


def how(story: Story) -> Steps:
    """Return the explanations of the words on the page."""
    say = story.say
    limits = [entry.limit for entry in story.entries if entry.limit is not None]
    limit = limits[0] if limits else UNDECIDED
    values: dict[str, str | Text] = {
        "n": say.number(limit, 0 if float(limit).is_integer() else 1),
        "hint": say.hint("margin"),
    }
    keys: tuple[str, ...] = ("gap", "true_gap", "found", "none", "inconclusive", "same", "points", "job", "caveat")
    if any(entry.pairs_needed is not None for entry in story.entries):
        keys += ("needs",)
    if story.reactions:
        keys += ("reaction",)
    items = tuple(say(f"how.{key}", **values) for key in keys)
    return Steps(say("tables.how"), items)
