"""Pieces of the page as HTML; everything that comes from outside is escaped here."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from eec_bias.figures import forest
from eec_bias.figures.style import to_svg
from eec_bias.options import UNMARKED
from eec_bias.result.text import CAVEAT, p_value, plain, reading, signed
from eec_bias.space.corpora import Corpus

SYSTEMS_SHOWN = 20
"""Systems shown on the page; the downloads have all."""
LEVELS_SHOWN = 8
ROWS_SHOWN = 12
"""Sentences on a result that are all shown; of more, those without a finding are folded away."""
ITEMS_SHOWN = ("t01/angry", "t08/none")
"""Items whose sentences are shown: one with an emotion word, one without."""

Row = Mapping[str, Any]


def facts(corpus: Corpus) -> str:
    """Say what a corpus holds, how far it has been read, and show some of its sentences."""
    axes = " × ".join(f"{axis} ({_some(levels)})" for axis, levels in corpus.axes.items())
    sizes = sorted(set(corpus.persons.values()))
    size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    found = {
        "Language": corpus.language,
        "Sentences": f"{corpus.table.num_rows:,}",
        "Compared": axes,
        "Persons": f"{sum(corpus.persons.values())} in {len(corpus.persons)} groups of {size}",
        "Review": corpus.review,
        "Version": corpus.version,
    }
    rows = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in found.items())
    return f'<p>{escape(corpus.about)}</p><dl class="eec-facts">{rows}</dl>{sentences(corpus)}'


def _some(levels: Sequence[str]) -> str:
    more = len(levels) - LEVELS_SHOWN
    return ", ".join(levels) if more <= 0 else f"{', '.join(levels[:LEVELS_SHOWN])} and {more} more"


def sentences(corpus: Corpus) -> str:
    """Show sentences of two items, one per group, in their own direction of writing."""
    axes = list(corpus.axes)
    columns = {name: corpus.column(name) for name in ("text", "item", *axes)}
    lists = []
    for start in ITEMS_SHOWN:
        item = next((item for item in columns["item"] if item.startswith(start)), None)
        groups: dict[tuple[str, ...], str] = {}
        for i, found in enumerate(columns["item"]):
            if found == item:
                groups.setdefault(tuple(columns[axis][i] for axis in axes), columns["text"][i])
        shown = [(group, text) for group, text in groups.items() if UNMARKED not in group][:4]
        lines = "".join(
            f'<li dir="auto">{escape(text)} <small lang="en" dir="ltr">{escape(" ".join(group))}</small></li>'
            for group, text in shown
        )
        lists.append(f'<ul class="eec-sentences" lang="{escape(corpus.language)}">{lines}</ul>')
    return f"<p>Within each box the sentences differ only in the person:</p>{''.join(lists)}"


def problem(text: str) -> str:
    """Show what is wrong; its lines are kept."""
    lines = "".join(f'<p dir="auto">{escape(line)}</p>' for line in text.splitlines())
    return f'<div class="eec-problem" role="alert" tabindex="-1" id="eec-problem">{lines}</div>'


def result(content: Row, corpus: Corpus, what: str) -> str:
    """Lay out a result: what was measured, the reading, table, plots, means and notes.

    Parameters
    ----------
    content
        What ``Result.to_dict`` gives.
    corpus
        What was scored.
    what
        Where the scores come from, in a few words.
    """
    low, high = content["score_range"]
    head = (
        f'<h2 id="eec-result" tabindex="-1">Result</h2><p><bdi>{escape(what)}</bdi> on {escape(corpus.name)} (version '
        f"{escape(corpus.version)}, {corpus.table.num_rows:,} sentences, {escape(corpus.review)}), scores from {low:g} "
        f"to {high:g}.</p>"
    )
    shown = _shown(content)
    systems = {row.get("system") for row in content["terms"]}
    if len(systems) > SYSTEMS_SHOWN:
        head += f"<p>The first {SYSTEMS_SHOWN} of {len(systems)} systems are shown; the downloads have all.</p>"
    notes = "".join(f"<li>{escape(note)}</li>" for note in [*shown["notes"], *_reasons(shown["fits"])])
    return "".join(
        [
            head,
            f"<h3>In words</h3>{readings(shown['terms'])}<p class='eec-caveat'>{escape(CAVEAT)}</p>",
            f"<h3>Table</h3>{terms_table(shown['terms'])}",
            f"<h3>Plot</h3>{plots(shown)}",
            f"<details><summary>Mean scores by group</summary>{cells_table(shown['cells'])}</details>",
            f"<h3>Notes</h3><ul>{notes}</ul>" if notes else "",
            f'<h3>Signature</h3><p>Give it with the numbers: <code dir="ltr">{escape(content["signature"])}</code></p>',
        ]
    )


def _shown(content: Row) -> dict[str, Any]:
    systems = list(dict.fromkeys(row.get("system") for row in content["terms"]))[:SYSTEMS_SHOWN]
    parts = {key: [row for row in content[key] if row.get("system") in systems] for key in ("terms", "cells", "fits")}
    return {**content, **parts}


def _reasons(fits: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(f"beta is not given: {fit['reason']}" for fit in fits if fit["reason"]))


def readings(terms: Sequence[Row]) -> str:
    """Say in a sentence per row what it shows, system by system."""
    blocks = []
    for system, rows in by_system(terms).items():
        title = "" if system is None else f"<h4><bdi>{escape(system)}</bdi></h4>"
        first = rows if len(rows) <= ROWS_SHOWN else [row for row in rows if _found(row)]
        rest = [row for row in rows if row not in first]
        blocks.append(title + _bullets(first))
        if rest:
            blocks.append(
                f"<details><summary>{len(rest)} without detectable difference</summary>{_bullets(rest)}</details>"
            )
    return "".join(blocks)


def _found(row: Row) -> bool:
    """Whether a row shows something: a difference that was detected, or one that could not be tested."""
    p = row["p"] if row["p_adjusted"] is None else row["p_adjusted"]
    return bool(row["effect"]) if p is None else bool(p < 0.05)


def _bullets(rows: Sequence[Row]) -> str:
    return f"<ul>{''.join(f'<li>{escape(reading(row))}</li>' for row in rows)}</ul>" if rows else ""


def by_system(terms: Sequence[Row]) -> dict[str | None, list[Row]]:
    """Group rows by system, in order; None where a single one has no name."""
    groups: dict[str | None, list[Row]] = {}
    for row in terms:
        groups.setdefault(row.get("system"), []).append(row)
    return groups


def terms_table(terms: Sequence[Row]) -> str:
    """Lay the rows of terms out as a table that scrolls by itself where it is too wide."""
    named = any("system" in row for row in terms)
    heads = [
        *(["system"] if named else []),
        *("term", "compares", "on", "effect", "95 % interval", "p adj.", "detectable", "beta"),
    ]
    lines = []
    for row in terms:
        interval = "–" if row["ci_low"] is None else f"{signed(row['ci_low'])} to {signed(row['ci_high'])}"
        compares = f"{row['level']} against {row['reference']}"
        numbers = (signed(row["effect"]), interval, p_value(row["p_adjusted"]), plain(row["mde"]), signed(row["beta"]))
        texts = [*([row.get("system", "")] if named else []), row["term"], compares, row["subset"]]
        lines.append([*texts, *numbers])
    caption = (
        "Effects in the units of the scores. p adj.: adjusted for all rows of one system and subset; detectable: "
        "smallest effect found with 80 % power; beta: logit scale."
    )
    return _table("Table of effects", caption, heads, lines, words=len(heads) - 5)


def cells_table(cells: Sequence[Row]) -> str:
    """Lay the cells out as a table."""
    heads = list(dict.fromkeys(key for row in cells for key in row))
    counts = [head for head in heads if head.startswith("n_")]
    measured = [head for head in heads if head in ("mean", "sd_persons")]
    heads = [head for head in heads if head not in (*counts, *measured)] + counts + measured
    lines = [[plain(row.get(head)) if head in measured else str(row.get(head, "")) for head in heads] for row in cells]
    titles = [head.replace("n_", "").replace("sd_persons", "SD of person means") for head in heads]
    words = len(heads) - len(counts) - len(measured)
    return _table("Table of mean scores", "Mean scores by group.", titles, lines, words=words)


def _table(name: str, caption: str, heads: Sequence[str], lines: Sequence[Sequence[str]], *, words: int) -> str:
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = []
    for line in lines:
        first, *rest = (
            f"<{'td' if i else 'th scope=row'}{'' if i < words else ' class=eec-n'}><bdi>{escape(text)}</bdi>"
            f"</{'td' if i else 'th'}>"
            for i, text in enumerate(line)
        )
        body.append(f"<tr>{first}{''.join(rest)}</tr>")
    return (
        f'<p class="eec-caption">{escape(caption)}</p><div class="eec-scroll" role="region" tabindex="0" '
        f'aria-label="{escape(name)}"><table><thead><tr>{top}</tr></thead><tbody>{"".join(body)}</tbody></table></div>'
    )


def plots(content: Row) -> str:
    """Draw the effects with their intervals: one picture, or with several systems one per term."""
    several = len({row.get("system") for row in content["terms"]}) > 1
    terms = list(dict.fromkeys(row["term"] for row in content["terms"])) if several else [None]
    return "".join(_picture(content, term) for term in terms)


def _picture(content: Row, term: str | None) -> str:
    # Narrow, so that a telephone can show it.
    figure = forest(content, term=term, width=3.4)
    name = f"Effects with their 95 % intervals{f': {term}' if term else ''}; the numbers are in the table"
    return f'<div class="eec-plot">{to_svg(figure, title=name)}</div>'
