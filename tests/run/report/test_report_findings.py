"""What a report finds, in its headlines and counts: of one system or many, and only where it is so."""

import re

import perturbed
import pytest
from documents import BOTH, COUNTRY, RACE, Row, cases, document, markdown, rendered, result, saved, term
from elements import every

from eec_bias.methods import perturbation
from eec_datasets.audit.compact import compact
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import Document, Entry
from eec_datasets.audit.report.document import units as document_units
from eec_datasets.audit.report.language import load_translator

TASKS = ("anger", "fear", "joy", "sadness", "valence")


def submissions(count: int = 219) -> list[Row]:
    """Of every five systems two score women higher, one men, two show nothing; sizes differ."""
    rows = []
    for s in range(count):
        sign = (1, 1, -1, 0, 0)[s // 5 % 5]
        who = {"system": f"team{s:03d}", "task": TASKS[s % 5]}
        rows += [
            term(**who, effect=sign * (0.01 + s / 20_000), p_adjusted=0.01 if sign else 0.5),
            term(**who, subset="pairs"),
            term(**who, **RACE),
        ]
    return rows


def test_219_systems_stand_in_one_table_with_findings_first():
    html = rendered(*submissions())
    folded = every(r'<details class="system" id="s\d+" data-system="([^"]+)"><summary>[^<]*(<span|</summary>)', html)
    assert len(folded) == 219
    marks = [mark == "<span" for _, mark in folded]
    assert marks == sorted(marks, reverse=True)
    assert (html.count('class="filter" hidden'), html.count("<script>")) == (1, 1)
    (table,) = every(r'<table class="drawn sorts">(.*?)</table>', html)
    assert table.count('<svg class="strip"') == 219
    assert len(html.encode()) < 3_000_000


def test_systems_side_by_side_have_a_card_each_on_one_scale(snapshot):
    results = [
        result(
            term(system=system, **BOTH, effect=0.3), term(system=system, effect=effect, p_adjusted=0.001),
            data=f"{config}@1.0.0#00",
        )
        for system, effect in (("one", 0.25), ("two", -0.125))
        for config in ("en-gender", "es-gender")
    ]  # fmt: skip
    snapshot.check("report-two-systems", page.render(document(*results), form="md").partition("**What this")[0])
    assert "<script" not in page.render(document(*results))


def test_below_a_table_stand_the_notes_of_its_rows():
    found = term(**RACE, effect=0.04, p_adjusted=0.01, note="largest |t| of 4: Black")
    other = term(note="standard error 0")
    html = page.render(document(result(other), result(found, data="b@1.0.0#00")))
    assert html.count("[1] standard error 0<") == 1
    assert html.count("[2] largest |t| of 4: Black<") == 1


@pytest.mark.parametrize("language", ["en", "es", "ar-EG"])
def test_twenty_systems_in_every_language(language, snapshot):
    text = rendered(*submissions(20), form="md", language=language)
    snapshot.check(f"report-twenty-{language}", "\n".join(text.splitlines()[:40]))


def drawn(html: str) -> list[list[str]]:
    """The rows of the picture, each as its groups, second first, and its numbers and words."""
    rows = every(r'<tr class="is-\w+"><th scope="row" class="scale">(.*?)</tr>', html)
    return [every(r"(?:<bdi[^>]*>|<td[^>]*>)([^<>]*)</", row) for row in rows]


def test_a_row_of_the_picture_stands_between_its_groups_with_its_numbers():
    assert drawn(rendered(term(effect=0.1, se=0.01, df=30.0, p=0.0001))) == [
        ["men", "women", "+10.0", "+8.0 to +12.0", "difference", ""]
    ]


def test_what_was_not_found_has_its_gap_apart_from_what_would_have_been():
    assert drawn(rendered(term(effect=0.01, se=0.01, df=30.0, p=0.3))) == [
        ["men", "women", "+1.0", "−1.0 to +3.0", "not found", "3"]
    ]


def test_a_gap_between_two_groups_is_named_above_the_two_that_it_is_compared_in():
    row = term(term="race:gender", axes="race+gender", level="Black:female", reference="white:male")
    html = rendered(row)
    assert every(r'<span class="topic"[^>]*>([^<]*)<', html) == ["gap between women and men"]
    assert drawn(html)[0][:2] == ["white", "Black"]


def test_why_a_larger_gap_is_not_found_is_said_only_where_one_is():
    found = term(effect=0.08, se=0.01, df=30.0, p=0.0001)
    for effect, said in ((0.1, ["Why 10 points are not found and 8 points are: their line is longer"]), (0.05, [])):
        html = rendered(found, term(**RACE, effect=effect, se=0.2, df=30.0, p=0.6))
        assert every(r"<li>(Why [^,]*),", html) == said


def test_only_what_is_drawn_is_explained():
    found, unfound = term(effect=0.08, se=0.01, df=30.0, p=0.0001), term(**RACE, se=0.01, df=30.0, p=0.3)
    of_words = term(subset="pairs", se=0.01, df=30.0, p=0.3)
    for rows, there, lacking in (
        ([found], ["a difference was found"], ["none was found", "Found from”", "Words and names"]),
        ([found, unfound], ["none was found", "Found from”"], ["Words and names"]),
        ([found, of_words], ["Words and names are two questions"], ["Gap between A and B"]),
    ):
        (key,) = every(r'<ul class="key">(.*?)</ul>', rendered(*rows))
        assert [text for text in there if text not in key] == []
        assert [text for text in lacking if text in key] == []


def audits_in(*languages: str) -> Document:
    """Systems a, b, … with one result each, in these languages."""
    entries = [
        {"system": "abcdefg"[i], "language": tag, "config": tag, "result": result(term(), data=f"{tag}@1.0.0#00")}
        for i, tag in enumerate(languages)
    ]
    return saved(*entries)


def test_systems_that_scored_other_sentences_are_not_said_to_be_comparable():
    alike, by_language, apart = (
        "All scored the same sentences.",
        "Those in different languages cannot be compared",
        "They did not all score the same sentences, so they cannot be compared",
    )
    for languages, said in ((("en", "en"), alike), (("en", "en", "es"), by_language), (("en", "es"), apart)):
        html = page.render(audits_in(*languages))
        assert [text for text in (alike, by_language, apart) if text in html] == [said]


def test_languages_in_which_a_system_was_not_tested_are_named():
    assert "<li>a · Spanish and b · English: not tested.</li>" in page.render(audits_in("en", "es"))


def test_a_system_in_two_languages_is_two_tests():
    one = {"system": "mine", "result": result(term(effect=0.1, se=0.01, df=30.0, p=0.0001), data="x@1.0.0#00")}
    html = page.render(saved(one | {"language": "en"}, one | {"language": "es", "config": "d"}))
    assert "Differences were found in 2 of 2 tests, each of one system in one language." in html
    assert "A card is one system in one language." in html


def test_one_difference_is_said_in_the_singular():
    rows = [
        term(system=name, effect=effect, se=0.01, df=30.0, p=p) for name, effect, p in (("a", 0.1, 1e-4), ("b", 0, 1))
    ]
    assert "A difference was found in 1 of 2 systems." in rendered(*rows)


def test_a_typical_pair_beside_several_systems_names_its_own():
    of = {"term": "gender", "level": "female", "reference": "male", "subset": "names"}
    sides = {"first": "Ann is sad.", "second": "Bob is sad.", "first_score": 0.6, "second_score": 0.5}
    pair = of | sides | {"pairs": 10, "higher": 8, "lower": 1}
    rows = result(term(effect=0.1, se=0.01, df=30.0, p=0.0001))
    html = page.render(saved({"typical": [pair], "result": rows}, {"system": "other"}))
    assert '<p class="soft">mine: a typical pair (its gap is about the average), with its scores in points:</p>' in html
    assert "Who scores higher in 100 such pairs: women in about 80, men in about 10." in html


def test_single_names_stand_with_their_group():
    far = {"form": "Tia", "labels": {"race": "Black", "gender": "female"}, "distance": 0.1, "p": 0.01}
    assert "which alone is no gap between groups (in points): Tia (Black women, +10.0)." in page.render(
        saved({"standouts": [far]})
    )


@pytest.mark.parametrize(
    ("language", "words"), [("es", "“ella” or “mi madre”"), ("ar", "“\u2068هي\u2069” or “\u2068والدتي\u2069”")]
)
def test_words_of_a_corpus_are_quoted_in_its_own_language(language, words):
    row = term(subset="pairs", effect=0.1, se=0.01, df=30.0, p=0.0001)
    html = page.render(saved({"language": language, "result": result(row)}))
    assert f"Sentences about women (such as {words}) get scores about 10 points" in html
    assert f">By words such as {words}, without a name</th>" in html


def test_of_a_table_of_ones_own_it_is_not_said_which_names_stand_in_it():
    html = rendered(term(level="Anglo", reference="Latino", term="race", axes="race"), data="mine.csv")
    assert every(r'<tr class="kind"><th[^>]*>([^<]*)<', html) == ["By name"]


def test_the_mean_of_all_groups_is_nobody_with_lower_scores():
    for effect, said in ((0.1, False), (-0.1, True)):
        row = term(**COUNTRY, level="Chad", effect=effect, se=0.01, df=30.0, p=0.0001)
        assert ("get the lower scores" in rendered(row, axes=["country"])) is said


def test_a_gap_that_is_the_same_throughout_is_not_said_to_be_none():
    row = term(effect=1.0, se=0.0, df=None, p=None, p_adjusted=None, ci_low=None, ci_high=None, mde=None)
    html = rendered(row)
    assert "The gap is exactly the same in all sentences compared" in html
    assert "scores are exactly equal" not in html


def test_what_a_system_does_not_answer_is_counted_as_no_other_system():
    rows = [term(system=f"s{i}{more}") for i in range(5) for more in ("", ": no answer")]
    html = rendered(*rows)
    assert "<title>Bias audit of 5 systems</title>" in html
    assert (html.count("Scores declared as"), html.count("Shares of the answers to a sentence")) == (5, 5)


def test_only_effects_on_scores_are_said_to_be_in_units_of_the_scores():
    for output, units in (("score", True), ("rate[joy]", False)):
        html = rendered(term(output="score"), term(output=output, **RACE))
        assert ("Effects in units of the scores." in html, "rates in shares" in html) == (units, not units)


def test_a_measure_without_a_unit_is_a_share_of_no_scale():
    distance = term(term="label_dist", level="3", effect=0.5, p=None, p_adjusted=None, mde=None)
    entry = result(distance, term(), method="perturbation", tables={}, score_range=[1.0, 5.0])
    html = page.render(document(entry))
    assert "but for correlation and label_dist, which have none" in html
    measures_alone = page.render(document(result(distance, method="perturbation", tables={})))
    assert "no finding is made" in measures_alone
    (unit,) = document_units(document(entry).entries)
    assert [unit.span(judged.row) for judged in unit.rows] == [1.0, 4.0]


def test_what_is_said_of_rare_results_is_what_was_read(snapshot):
    translator, texts = load_translator(), []
    for name, found in cases("told"):
        text = page.render(found, form="md")
        for key in ("effect", "interval", "none", "far"):
            text = text.replace(translator.say(f"method.{key}"), "")
        lines = [line for line in text.splitlines() if re.match(r"- .*[^`]$|\*\*|p is|    eec measure", line)]
        texts += [f"# {name}", *dict.fromkeys(line for line in lines if "holds no pairs" not in line)]
    snapshot.check("report-findings", "\n".join(texts))


def test_many_levels_are_compared_with_their_mean_each():
    levels = [term(**COUNTRY, level=f"c{i:02d}", effect=(i - 13) / 100) for i in range(26)]
    lines = markdown(*levels, axes=["country"])
    rows = [line for line in lines if line.startswith("| c")]
    assert len(rows) == 26
    assert rows[0].startswith("| c00 − mean of all groups, by description | −13.0 | ")


@pytest.mark.parametrize(
    ("original", "said"), [(0.5, "same score whoever is mentioned"), (0.2, "groups compared get the same scores")]
)
def test_names_scored_unlike_the_originals_are_a_reaction(original, said):
    data = perturbed.corpus()
    scores = [original if person == "original" else 0.5 for person in data["person"]]
    html = page.render(Document([Entry("p", perturbation(scores, data, group="gender", thresholds=0.5), "s")]))
    texts = ("same score whoever is mentioned", "groups compared get the same scores")
    assert [text for text in texts if text in html] == [said]


def test_what_was_scored_is_said_by_the_kind_of_sentences():
    said = "differ only in the person mentioned."
    for data, method, ours in (("mine@1.0.0#00ff", {}, True), ("a.csv", {}, False), ("?", {"method": "rating"}, False)):
        assert (said in rendered(data=data, **method, **({"tables": {}} if method else {}))) is ours


def emotions(**p_adjusted):
    """A comparison with rows for two emotions."""
    whole = term(effect=0.01, se=0.01, df=30.0, p=0.3)
    rows = [
        term(
            term="gender:emotion",
            emotion=emotion,
            effect=effect,
            in_emotion=effect + 0.01,
            se=0.01,
            df=30.0,
            p=p,
            p_adjusted=p,
        )
        for emotion, effect, p in (("joy", 0.09, p_adjusted["joy"]), ("anger", -0.09, p_adjusted["anger"]))
    ]
    return rendered(whole, *rows)


def test_a_gap_that_turns_round_between_emotions_is_said_first():
    html = emotions(joy=0.001, anger=0.001)
    assert "score, in points out of 100, 10 higher for joy, 8 lower for anger than the same sentences" in html
    assert "depends on the emotion</td>" in html


def test_the_gap_of_each_emotion_stands_in_a_panel_of_its_own():
    html = emotions(joy=0.001, anger=0.6)
    (panel,) = every(r"<h2>By the emotion in the sentence</h2>(.*?)</table>", html)
    assert every(r'<th scope="col" class="n">(\w+)</th>', panel) == ["joy", "anger"]
    assert every(r'<td class="(n[^"]*)"><bdi dir="ltr">([^<]+)<', panel) == [("n found", "+10.0"), ("n", "−8.0")]


def test_an_emotion_is_marked_only_where_the_finding_turns_with_it():
    """Two comparisons hold together: .03 is below .05, and not below .05/2."""
    other = term(**RACE, effect=0.01, se=0.01, df=30.0, p=0.3)
    of_emotion = {"term": "gender:emotion", "se": 0.01, "df": 30.0, "p": 0.03, "p_adjusted": 0.03}
    rows = [
        term(**of_emotion, emotion=emotion, effect=effect, in_emotion=effect)
        for emotion, effect in (("joy", 0.09), ("anger", -0.09))
    ]
    html = rendered(term(effect=0.01, se=0.01, df=30.0, p=0.3), other, *rows)
    (panel,) = every(r"<h2>By the emotion in the sentence</h2>(.*?)</table>", html)
    assert every(r'<td class="(n[^"]*)"><bdi', panel) == ["n", "n"]


def test_a_list_that_does_not_answer_points_to_the_one_that_does():
    found = {"effect": 0.1, "se": 0.01, "df": 30.0, "p": 0.0001, "p_adjusted": 0.0001}
    small = result(term(**found, n_persons=20), data="small@1.0.0#00")
    large = result(term(effect=0.01, se=0.01, df=30.0, p=0.3, n_persons=200), data="large@1.0.0#00")
    html = page.render(document(small, large))
    tables = dict(every(r'aria-label="mine · (\w+): Table"><table class="effects">(.*?)</table>', html))
    readings = {name: every(r'<td [^>]*class="(word[^"]*)">([^<]*)</td>', table) for name, table in tables.items()}
    assert readings == {"small": [("word", "see large")], "large": [("word", "not found")]}


def test_34_corpora_of_one_system_are_one_answer_to_each_question():
    lists = [
        result(term(effect=0.1, se=0.01, df=30.0, p=0.0001), term(**RACE), data=f"c{at}@1.0.0#00") for at in range(34)
    ]
    shown = document(*lists)
    (table,) = every(r">All comparisons \(2\)</h2>(.*?)</table>", page.render(shown))
    assert table.count("<tr") == 3
    assert len(page.render(shown, form="md").splitlines()) < 80
    assert len(compact(document_units(shown.entries), 80).splitlines()) < 20


def test_what_must_be_mentioned_and_has_no_room_is_counted():
    levels = [term(**COUNTRY, level=f"c{i:02d}", effect=0.1, se=0.02, df=30.0, p=0.0001) for i in range(30)]
    apart = [term(**COUNTRY, level=f"d{i:02d}", effect=0.03, se=0.014, df=30.0, p=0.04) for i in range(20)]
    lines = compact(document_units(document(result(*levels, *apart, axes=["country"])).entries), 80).splitlines()
    assert len(lines) < 40
    assert "and 18 more differences" in lines
    assert "and 20 more comparisons whose own interval misses 0, as some of so many do by" in lines


def test_rows_of_emotions_are_no_comparisons_of_the_page():
    assert emotions(joy=0.5, anger=0.6).count(">All comparisons (1)</h2>") == 1
