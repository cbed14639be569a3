"""What rows say: one table of constructed results, and every output saying the same of every row."""

import re
from html import unescape
from typing import Any

import numpy as np
import pytest
from verdict_cases import CASES, SAYS, SHORT, Case, corpus, named, says, scores

from eec_bias import badge, compare, eval_entries, eval_results, gate, measure, model_card, report
from eec_bias.assembly.rows import FEW
from eec_bias.figures import forest, items, systems
from eec_bias.result.brief import row_of, sentence_of
from eec_bias.result.cards import CARD_ROWS
from eec_bias.result.finding import find, tell
from eec_bias.result.html import as_html, marked
from eec_bias.result.record import record_of
from eec_bias.result.signature import part_of
from eec_bias.result.telling import opening
from eec_bias.result.verdict import Verdict, judge_terms
from eec_bias.result.words import label, say_verdict, sentence

ALL = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
DEFAULT = pytest.mark.parametrize("case", [case for case in CASES if not case.procedure], ids=lambda case: case.name)
ONE = pytest.mark.parametrize(
    "case", [case for case in CASES if not (case.procedure or case.several)], ids=lambda case: case.name
)


@ALL
def test_every_row_has_its_verdict_whose_direction_and_adjustment_are_those_of_the_numbers(case: Case) -> None:
    assert {named(row): verdict.kind for row, verdict, _ in case.rows} == {named(r): kind for r, _, kind in case.rows}
    assert set(case.expected) <= {named(row) for row, *_ in case.rows}
    for row, verdict, _ in case.rows:
        effect = row["effect"] or 0
        assert verdict.direction == (effect > 0) - (effect < 0)
        assert verdict.p == (row["p_adjusted"] if verdict.adjusted else row["p"])
        assert not (verdict.adjusted and not case.adjusted)
        assert verdict.found == (verdict.kind in ("difference", "same_difference", "wording", "by_emotion"))
        assert verdict.rough == bool(row["rough"])
    if case.rough:
        assert all(row["rough"] for row, *_ in case.rows)


def test_the_table_has_every_verdict_and_names_what_is_adjusted() -> None:
    assert {kind for case in CASES for *_, kind in case.rows} == set(SAYS) == set(SHORT)
    assert (len(CASES) >= 20, FEW) == (True, 5)
    of = {case.name: report(case.result) for case in CASES}
    assert "p adj. (Holm) < .001; 95 % interval [" in of["a difference"]
    assert "], not adjusted)" in of["a difference"]
    assert "95 % interval, not adjusted" in of["a difference"]
    assert "not adjusted" not in of["p not adjusted"]
    assert "adj." not in of["p not adjusted"]


@ALL
def test_the_sentence_says_the_verdict_and_no_other_no_effect_as_nothing_no_interaction_as_a_difference(case) -> None:
    for row, verdict, kind in case.rows:
        said = sentence(case.result, row, verdict)
        assert says(said, kind), said
        assert says(say_verdict(row, verdict), kind, SHORT)
        assert (f"Rough: {row['rough']}." in said) == verdict.rough
        assert not re.search(r"by [+-]?0(\.0+)?[ ,(]", said), said
        assert ("difference of differences" in said) == (":" in row["term"])
        if ":" in row["term"]:
            assert str(row["reference"]) not in said.partition("): ")[0]


@DEFAULT
def test_text_notebook_and_tables_have_the_sentences_and_the_words(case: Case) -> None:
    text, html, markdown = report(case.result), as_html(case.result), case.result._repr_markdown_()
    cells = [unescape(cell) for cell in re.findall(r"<td>([^<]*)</td></tr>", html)]
    lines = [line.split(" | ")[-1].removesuffix(" |") for line in markdown.split("\n") if line.startswith("| ")]
    assert cells == [say_verdict(row, verdict) for row, verdict, _ in case.rows]
    assert [line for line in lines if line not in ("verdict", "---:")] == cells
    ends = [re.split(r" & ", line)[-1] for line in case.result.tables("latex")["terms"].split("\n") if " & " in line]
    assert ends[1:] == [rf"{cell} \\" for cell in cells]
    for row, verdict, _ in case.rows:
        said = sentence(case.result, row, verdict)
        assert f"- {said}\n" in text
        assert re.search(rf"^{re.escape(row['term'])} .* {re.escape(say_verdict(row, verdict))}$", text, re.MULTILINE)
        if not case.several:
            assert said in unescape(html)


@ALL
def test_the_forest_names_every_row_with_its_verdict(case: Case) -> None:
    # Of several systems a forest shows one term; what it says of many rows is cut.
    terms = dict.fromkeys(row["term"] if case.several or case.procedure else None for row in case.result.overall)
    told = "; ".join(forest(case.result, term=term).eec_alt for term in terms).split("; ")
    for row, verdict, _ in case.rows:
        place = [str(row[key]) for key in ("system", "task", "stratum", "output") if row.get(key) is not None]
        (said,) = [each for each in told if ", ".join([*place, label(row)]) in each]
        assert says_short(said, row, verdict)


@DEFAULT
def test_the_figures_of_items_and_systems_say_the_verdict(case: Case) -> None:
    shown = [(row, verdict) for row, verdict, _ in case.rows if row["level"] != "any"]
    # One row of each verdict, the last one, as a figure takes the first where it is not told otherwise.
    for row, verdict in {verdict.kind: (row, verdict) for row, verdict in shown}.values():
        where = {key: row[key] for key in ("system", "stratum", "output", "subset") if row.get(key) is not None}
        caption = items(case.result, term=row["term"], level=row["level"], **where).eec_caption
        assert says_short(caption, row, verdict)
    where = {key: shown[0][0][key] for key in ("stratum", "output") if key in shown[0][0]}
    assert says_short(systems(case.result, **where).eec_alt, *shown[0])


@ONE
def test_the_badge_has_every_sentence_and_a_message_that_agrees(case: Case) -> None:
    by_term: dict[str, list[tuple[dict[str, Any], Verdict]]] = {}
    for row, verdict, _ in case.rows:
        by_term.setdefault(row["term"], []).append((row, verdict))
    for term, judged in by_term.items():
        own = [each for each in judged if each[0]["subset"] == judged[0][0]["subset"]]
        svg = unescape(badge(case.result, term))
        assert all(sentence(case.result, *each) in svg for each in own)
        message = svg.partition('aria-label="')[2].partition('"')[0].partition(": ")[2]
        found = any(verdict.found for _, verdict in own)
        assert found == bool(re.match(r"[^ ]* [+−]|levels differ|differs by emotion", message)), message
        if not found:
            zero = "same effect" if own[0][1].compared else "effect 0"
            assert message.startswith(("no detectable difference", zero, "no reaction", "not tested"))
            assert (message == "no reaction") == all(v.kind == "no_reaction" for r, v in own if r["level"] != "any")


@ONE
def test_cards_have_the_sentences_and_the_words(case: Case) -> None:
    pytest.importorskip("huggingface_hub")
    compared = [(row, verdict) for row, verdict, _ in case.rows if row["level"] != "any"]
    found = eval_results(case.result, dataset="org/eec")
    assert [each.metric_args["verdict"] for each in found] == [say_verdict(*each) for each in compared]
    (entry,) = eval_entries(case.result, dataset="org/eec", accuracy={"en-sample--emotion": 0.5})
    assert all(sentence(case.result, *each) in entry.notes for each in compared)
    record = record_of(case.result)
    findings, margin = find(record), record.plan.margin
    told, card = tell(findings, CARD_ROWS), model_card(case.result)
    assert len(told.said) + len(told.counted) == len(findings) > 0
    systems = part_of(record.signature, "compare") or ""
    assert f"**{marked(sentence_of(opening(findings, margin, systems=systems)))}**" in card
    for finding in told.said:
        assert f"| {' | '.join(map(marked, row_of(finding, margin)))} |" in card.splitlines()


@ALL
def test_the_gate_says_the_verdict_on_each_row(case: Case) -> None:
    for row, (_, verdict, _) in zip(case.result.overall, case.rows, strict=True):
        about = f"{row['term']}.{row['subset']}[{row['level']}].p > 2"
        place = ", ".join(f"{key} {row[key]}" for key in ("system", "stratum", "output") if row.get(key) is not None)
        (check,) = [each for each in gate(case.result, about).checks if each.place == place]
        assert check.said.endswith(f"({say_verdict(row, verdict)})")


def test_a_difference_that_one_group_of_another_axis_has_alone_is_the_same_nowhere_but_on_average() -> None:
    data = corpus(pairs=False)
    women = (data["gender"] == "female") & (data["race"] == "Black")
    # Higher for women and as much lower for men.
    crossed = 0.5 + 0.2 * (data["race"] == "Black") * np.where(data["gender"] == "female", 1, -1)
    for values, label_of, direct in ((0.8 * women, "difference on average", 0.4), (crossed, "effect 0", 0.0)):
        result = measure(values, data)
        (race, verdict), _, (interaction, of_all) = judge_terms(result)
        assert (verdict.averaged, of_all.averaged, race["effect"]) == (True, False, pytest.approx(direct))
        text = sentence(result, race, verdict)
        assert "on average over the levels of another axis" in text
        assert "throughout" not in text
        assert say_verdict(race, verdict) == label_of
        assert "the same throughout" in sentence(result, interaction, of_all)
    simple = judge_terms(measure(0.8 * women, data, simple=True))
    assert not any(verdict.averaged for row, verdict in simple if "|" in row["term"])


def test_what_two_systems_differ_or_agree_in_is_said_of_their_effects() -> None:
    data = corpus(("Anglo", "Black", "Latino"), pairs=False)
    both = compare(scores(data, 1, Black=0.1), scores(data, 2), data, axes=("race",))
    (text,) = (sentence(both, row, verdict) for row, verdict in judge_terms(both) if row["level"] == "any")
    assert "any level (names): the effects of the two systems (a-b) differ on some level (p adj. (Holm) < .001)" in text
    data = corpus(pairs=False)
    both = compare(scores(data, 1, Black=0.3), scores(data, 2, Black=0.3), data, margin=0.1)
    (line,) = [line for line in report(both).splitlines() if line.startswith("- race, Black") and "margin" in line]
    assert ": the effects of the two systems (a-b) are equivalent within ±0.100" in line


def says_short(text: str, row: dict[str, Any], verdict: Verdict) -> bool:
    """Whether a text has the words of a verdict, and those of no other."""
    own = say_verdict(row, verdict)
    others = {re.sub(r"[\^$()]", "", pattern).split("|")[0] for pattern in SHORT.values()}
    said = [other for other in others if re.search(rf"(?<![a-z ]){re.escape(other)}(?![a-z ])", text)]
    return own in text and all(other in own for other in said)
