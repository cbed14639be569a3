"""The page and the Markdown of one system or many: order, escaping, odd results, the sentences that moved most."""

import re
from typing import Any

import pytest
from documents import Row, cell, document, no_spread, result, term
from elements import Elements

from eec_bias.result.words import caveat
from eec_datasets.audit.report import page
from eec_datasets.audit.report.document import from_content
from eec_datasets.audit.report.language import load_translator
from eec_datasets.audit.saving import FORMAT

EVIL = '<script>alert(1)</script> & "quotes" `tick` | pipe [link](http://x) $x_1$ *b* {{ 7 * 7 }}'
LONG = "a" * 200


@pytest.fixture(scope="module")
def html(english):
    return page.render(english)


@pytest.fixture(scope="module")
def both(real):
    """The page of an English and an Arabic corpus."""
    return Elements(page.render(real))


def rendered(*terms: Row, language: str = "en", form: str = "html", **changes: Any) -> str:
    return page.render(document(result(*terms, **changes)), language=language, form=form)


def markdown(*terms: Row, **changes: Any) -> list[str]:
    return rendered(*terms, form="md", **changes).splitlines()


def test_without_its_command_a_result_is_measured_by_one_and_its_page_made_by_another():
    lines = [line for line in markdown(term()) if line.startswith("    eec ")]
    assert lines == ["    eec measure SCORES.csv --config NAME", "    eec report result.json"]


def every(pattern: str, html: str) -> list[Any]:
    return re.findall(pattern, html, re.DOTALL)


def test_the_verdict_and_the_picture_come_first_and_the_rest_in_its_order(html):
    parts = [
        "Measured on ",
        '<ul class="verdicts">',
        "A difference (comparisons: 2 of 4).",
        '<figure class="picture">',
        '<ul class="readings">',
        "<caption><span>Effects in units of the scores.",
        "Evidence: pairs of sentences that moved most",
        *(f'<h2 id="h-{name}">' for name in ("warnings", "method", "appendix")),
        *(f'<h3 id="{name}">' for name in ("examples", "reproduce")),
        "<h4>Signatures</h4>",
    ]
    places = [html.index(part) for part in parts]
    assert places == sorted(places)


def test_a_page_without_many_systems_needs_no_script_and_no_file_and_is_sound(html, both):
    for tag, attributes in [*Elements(html).seen, *both.seen]:
        assert tag not in ("script", "link", "img", "iframe", "object")
        assert all((attributes.get(name) or "#").startswith("#") for name in ("src", "href", "xlink:href"))
    assert "url(http" not in html
    assert "@import" not in html
    assert len(html.encode()) < 200_000
    assert html.count("<table") == len(re.findall("<caption[ >]", html))
    assert not re.search(r"<th(?! (class=\"[\w ]+\" )?scope=)[ >]", html)
    assert re.findall(r"<section[^>]*>", html) == re.findall(r"<section [^>]*aria-labelledby=\"[\w-]+\">", html)
    assert html.index('class="skip" href="#findings"') < html.index("<header>") < html.index('<main id="findings">')
    ids = [attributes["id"] for _, attributes in both.seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    used = [v for _, attributes in both.seen for v in attributes.values() if v and v.startswith(("#", "url(#"))]
    assert {value.removeprefix("url(").rstrip(")").removeprefix("#") for value in used} <= set(ids)


def test_a_section_has_a_table_of_what_differs_and_the_appendix_one_of_all(real):
    findings, appendix = page.render(real).split('<section id="appendix"')
    own = findings.partition('<section id="s1"')[2]
    own_table, whole = (
        every(rf'aria-label="noisy:female: {title}"><table class="effects">(.*?)</table>', part)
        for title, part in (("What differs", own), ("Table", appendix))
    )
    assert own_table[0].count('<tr><th scope="row">') == own_table[0].count('class="word found"') == 4
    assert whole[0].count('<tr><th scope="row">') == sum(len(entry.result.terms) for entry in real.entries)
    assert (len(own_table), len(whole)) == (1, 1)
    assert 'href="#t-s1"' in own
    assert '<details id="t-s1">' in appendix


def test_systems_that_do_not_react_have_no_column_where_others_do():
    gone = dict.fromkeys(("p", "p_adjusted", "mde", "ci_low", "ci_high"))
    still = term(system="still", effect=0.0, se=0.0) | gone
    for rows, columns in (([still, term(system="moving")], ["moving"]), ([still], ["still"])):
        html = rendered(*rows, no_spread=[no_spread(still, "no_reaction")])
        (picture,) = every(r'<figure class="picture">.*?</figure>', html)
        assert every(r'<th scope="col" class="scale">(\w+)', picture) == columns
        assert "The system does not react to these persons at all" in html


def test_a_demonstration_beside_a_system_is_short_but_for_what_it_could_not_find():
    lean = term(system="noisy:female", effect=0.3, p_adjusted=0.001)
    html = rendered(term(system="mine"), lean, term(system="random:1"))
    verdicts = re.findall(r"<li>(.*?)</li>", html.partition('<ul class="verdicts">')[2].partition("</ul>")[0])
    mine, noisy, none = (re.sub("<[^>]*>", "", text).strip() for text in verdicts)
    assert noisy.endswith("A difference (comparisons: 1 of 1).")
    for text in (mine, none):
        assert "Between groups, a difference of 0.0200 or more (2% of the scale) would have been found" in text
    assert "0.300 higher" in rendered(lean).partition("</ul>")[0]


def test_every_effect_is_in_the_picture_and_in_the_table(both, real):
    rows = [row for entry in real.entries for row in entry.result.terms]
    drawn = [float(attributes["data-value"]) for _, attributes in both.seen if "data-value" in attributes]
    assert sorted(drawn) == pytest.approx(sorted(row["effect"] for row in rows))
    translator = load_translator()
    for row in rows:
        assert translator.number(row["effect"], signed=True) in both.text
        assert translator.interval(row) in both.text
    # The mean of every person is behind them.
    assert len([tag for tag, _ in both.seen if tag == "circle"]) == len(rows) + 2 * 60
    assert "Built in, to compare with: scores that vary by item, name and sentence" in both.text


def test_marks_and_intervals_lie_where_their_numbers_are():
    html = rendered(term(effect=0.01, ci_low=-0.005, ci_high=0.025, mde=0.02))
    (strip,) = every(r'<svg class="strip".*?</svg>', html)[:1]
    numbers = dict(every(r' (cx|x1|x2|x|width)="([\d.]+)%"', strip.partition("<rect")[2]))
    # The scale goes from -0.03 to 0.03.
    assert {key: float(number) for key, number in numbers.items()} == {
        "x": 16.67, "width": 66.67, "x1": 41.67, "x2": 91.67, "cx": 66.67
    }  # fmt: skip
    assert 'fill="var(--eec-ground, Canvas)"' in strip


def test_systems_of_one_range_share_a_scale_and_demonstrations_come_last_with_their_own():
    names = {"noisy:female": 0.9, "ours": 0.2, "theirs": 0.01}
    text = rendered(*(term(system=name, effect=effect) for name, effect in names.items()))
    heads = re.findall(r'class="scale">(.*?)</th>', text, re.DOTALL)
    ends = [re.findall(r"^[^\s<]+|demonstration|[\d.]+(?=</span></span>)", head) for head in heads]
    assert ends == [["ours", "0.3"], ["theirs", "0.3"], ["noisy:female", "demonstration", "1"]]


def test_sentences_carry_their_language_and_direction(both, real):
    seen = [attributes for _, attributes in both.seen if attributes.get("lang")]
    assert {(one["lang"], one["dir"]) for one in seen if "dir" in one} == {("en", "ltr"), ("ar", "rtl")}
    assert "مريم تشعر بالغضب." in both.text
    assert caveat(*(entry.result for entry in real.entries)) in both.text.replace(", and words", " and words")


def test_pairs_show_both_sentences_with_the_changed_words_marked(html):
    (first,) = re.findall(r'<div class="pair">.*?</div>', html, re.DOTALL)[:1]
    assert re.search(r'<dt class="text" lang="en" dir="ltr">[^\n]*<mark>\w+</mark>', first)
    scores = [float(value) for value in re.findall(r'<bdi dir="ltr">([+−\d.]+)</bdi>', first)]
    assert len(scores) == 3
    assert scores[2] == pytest.approx(scores[0] - scores[1], abs=1.01e-3)


def test_the_page_tells_how_to_make_it_again(html, english):
    assert '<pre dir="ltr">eec audit --system noisy:female</pre>' in html
    assert '<pre dir="ltr">eec report result.json</pre>' in html
    assert f"Measured with {' · '.join(f'{k} {v}' for k, v in english.versions.items())}." in html
    assert str(english.entries[0].result.signature) in html
    assert "noisy:female · en-black-white (built in, 1)" in html
    assert page.render(english) == html


@pytest.mark.parametrize("language", ["en", "es", "ar", "ar-EG", "fr"])
def test_labels_with_markup_in_them_are_shown_as_they_are(language):
    row = term(system=EVIL, axes="x", term="x", level=EVIL, reference=LONG, note=EVIL)
    cells = [cell(1, x=EVIL) | {"system": EVIL}]
    elements = Elements(rendered(row, notes=[EVIL], axes=["x"], cells=cells, language=language))
    assert "script" not in {tag for tag, _ in elements.seen}
    assert EVIL in elements.text
    assert LONG in elements.text
    assert "49" not in elements.text.replace(LONG, "")


def test_markup_in_labels_does_not_leave_its_place_in_markdown():
    lines = markdown(term(level=EVIL, note=EVIL + "\n# not a heading"), notes=[EVIL])
    assert not [line for line in lines if "<script>" in line or "[link](" in line or line.startswith("# not")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("| ")} == {3, 8}


NONE = dict.fromkeys(("effect", "se", "df", "t", "p", "p_adjusted", "ci_low", "ci_high", "mde", "beta"))
ODD: dict[str, tuple[list[Row], dict[str, Any]]] = {
    "nothing estimated": ([term(**NONE, note="too few"), term(subset="pairs")], {}),
    "few persons, another scale": (
        [term()],
        {"cells": [cell(1, race="Black", gender="female")], "score_range": [-1, 1]},
    ),
    "published procedure": ([term()], {"method": "camara2022", "tables": {"terms": "a < b\n|"}}),
    "not adjusted": ([term()], {"adjust": "none"}),
    "adjusted": ([term()], {"adjust": "bh"}),
}


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_what_a_result_lacks_or_leans_on_is_said(language, snapshot):
    head = f"### {load_translator(language).say('page.method')}"
    pages = [
        f"<!-- {name} -->\n" + rendered(*terms, form="md", language=language, **changes).partition(head)[0]
        for name, (terms, changes) in ODD.items()
    ]
    snapshot.check(f"report-odd-{language}", "".join(pages))


def test_a_published_procedure_is_named_before_its_findings():
    html = rendered(method="camara2022", tables={"terms": "a < b\n|"})
    caution = "mine: a published procedure (camara2022), not the default test."
    assert html.index(caution) < html.index('<ul class="verdicts">')
    assert 'tabindex="0">a &lt; b\n|</pre>' in html


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_answers_that_are_no_score_are_counted_and_scores_not_measured_told_before_the_findings(language, snapshot):
    asked = {"models": ["m-1", "m-2"], "unanswered": {"refused": 1, "unreadable": 1200}}
    silent, scored = (
        {"system": system, "config": "mine", "result": result(term(system=system)), **asked}
        for system in ("m: no answer", "m")
    )
    alone, whole = (
        page.render(from_content({"format": FORMAT, "results": some}, "m.json", "m"), form="md", language=language)
        for some in ([silent], [silent, scored])
    )
    said = [line for line in alone.splitlines() if "m · mine" in line and "no answer" not in line]
    snapshot.check(f"report-unanswered-{language}", "\n".join(said) + "\n")
    assert [line for line in said if line in whole] == said[1:]


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_systems_that_scored_other_sentences_are_told_before_the_findings(language, snapshot):
    releases = {"a": "mine@1.0.0#00ff00ff", "b": "mine@2.0.0#11ee11ee", "c": "mine@1.0.0#00ff00ff", "d": "?"}
    parts = [result(term(system=name), data=data) for name, data in releases.items()]
    text = page.render(document(*parts), form="md", language=language)
    snapshot.check(f"report-releases-{language}", text.partition("\n### ")[0] + "\n")
    same = page.render(document(*parts[::2]), form="md", language=language)
    assert "11ee11ee" not in same.partition("\n### ")[0]


def test_pages_name_their_language_and_direction(english):
    for language, *parts in (
        ("es", '<html lang="es" dir="ltr">', "en-black-white · inglés", "árabe, inglés, español."),
        ("ar", '<html lang="ar" dir="rtl">', '<dt class="text" lang="en" dir="ltr">'),
        ("fr", '<html lang="en" dir="ltr">', "in arabe, anglais, espagnol.", "languages follow français."),
    ):
        html = page.render(english, language=language)
        assert [part for part in parts if part not in html] == []


def test_markdown_holds_the_reading_the_table_the_pairs_and_the_signature(english):
    text = page.render(english, form="md")
    assert text.startswith("## Audit of noisy:female\n\nMeasured on ")
    assert "\n- Scores for sentences with women's names are " in text
    heads = "term compares effect 95%_interval,_not_adjusted p_adj._(Holm) detectable,_not_adjusted reading"
    assert f"| {' | '.join(heads.split()).replace('_', ' ')} |" in text
    assert f"`{english.entries[0].result.signature}`" in text
    assert re.search(r"\n  - [^\n]*\*\*\w+\*\*[^\n]* \([^()]*female[^()]*\): 0\.\d{3}\n", text)
    assert "\n\n\n" not in text


TASKS = ("anger", "fear", "joy", "sadness", "valence")
BOTH = {"term": "race:gender", "axes": "race+gender", "level": "Black:female", "reference": "white:male"}
RACE = {"term": "race", "axes": "race", "level": "Black", "reference": "white"}
COUNTRY = {"term": "country", "axes": "country", "reference": "mean", "subset": "phrases"}


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


def test_219_systems_are_counted_folded_with_findings_first_and_stay_small():
    html = rendered(*submissions())
    assert (
        "<li>gender: female − male. Systems found to give sentences with women&#39;s names higher scores than "
        "sentences with men&#39;s names: 90 of 219; lower ones: 45; without a detectable difference: 84.</li>"
    ) in html
    (row,) = every(r"<tr><th scope=\"row\">gender: female − male · joy</th>(.*?)</tr>", html)
    assert re.sub(r"<[^>]+>", " ", row).split() == ["44", "17", "18", "9", "0", "+0.0152", "−0.0156"]
    folded = every(r'<details class="system" id="s\d+" data-system="([^"]+)"><summary>[^<]*(<span|</summary>)', html)
    assert [mark for _, mark in folded] == ["<span"] * 135 + ["</summary>"] * 84
    assert folded[0][0] == "team214 (valence)"
    assert (html.count('class="filter" hidden'), html.count("<script>")) == (1, 1)
    assert html.count('<svg class="strip"') == 219 * 3
    assert len(html.encode()) < 3_000_000


def test_systems_side_by_side_main_terms_before_interactions(snapshot):
    results = [
        result(
            term(system=system, **BOTH, effect=0.3), term(system=system, effect=effect, p_adjusted=0.001),
            data=f"{config}@1.0.0#00",
        )
        for system, effect in (("one", 0.25), ("two", -0.125))
        for config in ("en-gender", "es-gender")
    ]  # fmt: skip
    snapshot.check("report-two-systems", page.render(document(*results), form="md").partition("\n### one")[0])
    html = page.render(document(*results))
    (table,) = every(r'<figure class="picture">.*?</table>', html)
    cells = re.findall(r'<td [^>]*class="found" data-value="([^"]+)">.*?<span aria-hidden="true">(.)</span>', table)
    assert cells == [("0.25", "▲"), ("-0.125", "▼"), ("0.25", "▲"), ("-0.125", "▼")]
    assert "<script" not in html


def test_below_a_table_of_differences_stand_the_notes_of_its_rows_only():
    found = term(**RACE, effect=0.04, p_adjusted=0.01, note="largest |t| of 4: Black")
    other = term(note="standard error 0")
    both = [[{**row, "system": system} for row in (other, found)] for system in "ab"]
    html = page.render(document(*(result(*rows) for rows in both)))
    shown, _, appendix = html.partition('<section id="appendix"')
    assert [part.count("[2] <span>largest |t| of 4: Black<") for part in (shown, appendix)] == [2, 2]
    assert [part.count("[1] <span>standard error 0<") for part in (shown, appendix)] == [0, 2]


def test_many_levels_are_one_cell_with_their_largest_and_share_a_sentence(snapshot):
    levels = [term(system=s, **COUNTRY, level=f"c{i}", effect=i / 100) for s in "ab" for i in range(26)]
    whole = [term(system=s, **COUNTRY, level="any", effect=None, p_adjusted=p) for s, p in (("a", 0.01), ("b", 0.6))]
    lines = markdown(*levels, *whole, axes=["country"])
    found = [*levels[:26], *whole[:1]]
    found[1] = found[1] | {"p_adjusted": 0.01}
    lines += markdown(*found, axes=["country"])
    said = [line for line in lines if line.startswith(("- ", "| country (phrases) | ▲", "| country (phrases) | ·"))]
    snapshot.check("report-many-levels", "\n".join(said))


def test_where_answers_are_lacking_or_classes_are_counted_rates_are_said_to_differ_and_not_scores():
    found = {"effect": 0.25, "p_adjusted": 0.001}
    refusals = [result(term(system=f"model {i}: no answer", **found)) for i in range(5)]
    both = document(*refusals, *(result(term(system=f"model {i}", **found)) for i in range(5)))
    lines = page.render(both, form="md").splitlines()
    more = "Systems found to give sentences with women's names higher scores than sentences with men's names: 5 of 5"
    assert f"- gender: female − male · mine. {more}; lower ones: 0; without a detectable difference: 0." in lines
    above = "Systems found to have an effect above 0: 5 of 5; below 0: 0; without a detectable difference: 0."
    assert f"- gender: female − male · mine · no answer. {above}" in lines
    said = [line for line in lines if line.startswith(("- Scores for", "- Rate of"))]
    rates = ["Rate of “no answer”, gender · female − male: +0.250." in line for line in said]
    assert rates == [True] * 5 + [False] * 5
    rows = [term(output="rate[yes]", subset=subset, **found) for subset in ("names", "pairs")]
    rates = [line for line in markdown(term(output="score", **found), *rows) if line.startswith("- Rate of")]
    assert ["Rate of “yes”, gender · female − male: +0.250." in line for line in rates] == [True, True]
    assert ["[pairs]" in line.replace("\\", "") for line in rates] == [False, True]


def test_a_system_that_answers_nothing_is_not_said_to_give_everybody_the_same_score():
    equal = {"effect": 0.0, "se": 0.0, "p": 1.0, "p_adjusted": 1.0, "ci_low": None, "ci_high": None, "mde": None}
    rows = {system: term(system=system, **equal) for system in ("mine: no answer", "mine")}
    said = {
        system: "gives the same score" in rendered(row, form="md", no_spread=[no_spread(row, "no_reaction")])
        for system, row in rows.items()
    }
    assert said == {"mine: no answer": False, "mine": True}


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_a_difference_is_called_the_largest_only_where_it_is_and_beside_an_interaction_that_of_groups(language):
    translator = load_translator(language)
    keys = ("largest", "largest_tied", "largest_simple")
    said = {key: translator.say(f"headline.{key}", where="mine") for key in keys}
    crossed = term(**BOTH, effect=0.3, p_adjusted=0.01)
    for key, effect, more in zip(keys, (0.04, -0.05, 0.04), ([], [], [crossed]), strict=True):
        rows = [term(effect=0.05, p_adjusted=0.01), term(**RACE, effect=effect, p_adjusted=0.01), *more]
        text = rendered(*rows, language=language)
        assert [key for key, sentence in said.items() if sentence in text] == [key]


def test_a_level_is_called_the_largest_only_where_no_other_has_a_larger_effect():
    for other, largest in ((0.05, True), (0.2, False), (-0.1, False)):
        levels = [term(**COUNTRY, level="a", effect=0.1, p_adjusted=0.01), term(**COUNTRY, level="b", effect=other)]
        assert any("The largest of 2 differences." in line for line in markdown(*levels, axes=["country"])) is largest


def test_a_part_of_a_corpus_without_a_name_is_called_by_its_own_alone():
    rows = [term(stratum=stratum, p_adjusted=0.01, effect=effect) for stratum, effect in (("joy", 0.1), ("fear", 0.2))]
    (line,) = [line for line in markdown(*rows, data="?") if line.startswith("- **mine**")]
    assert "The largest is that on fear." in line


def test_differences_of_two_systems_that_share_a_sentence_all_stand_in_it_and_name_their_sentences():
    results = [
        result(term(effect=effect, p_adjusted=0.001, subset="pairs"), data=f"{config}@1.0.0#00")
        for effect, config in ((-0.05, "en-gender"), (-0.2, "es-gender"))
    ]
    for part in results:
        part["signature"] += "|compare:a-b"
    text = page.render(document(*results), form="md")
    assert "The effects of the two systems (a-b) differ by −0.200 to −0.0500. " in text
    (line,) = [line for line in text.splitlines() if "−0.200 to" in line]
    assert "pairs" in line


@pytest.mark.parametrize("language", ["en", "es", "ar"])
def test_the_verdict_on_two_systems_is_not_one_on_either(language, snapshot):
    """Both may differ between groups, and alike."""
    still = term(effect=0.0, se=0.0, p=None, p_adjusted=None, mde=None)
    parts = {"alike": [term()], "same": [still], "both": [still, term(**RACE)]}
    texts = []
    for name, rows in parts.items():
        spread = [no_spread(still, "zero")] if still in rows else []
        part = result(*rows, score_range=[-1.0, 1.0], no_spread=spread)
        part["signature"] += "|compare:before-after"
        text = page.render(document(part, name=name), form="md", language=language)
        texts += [line for line in text.splitlines() if line.startswith(f"- **{name}**")]
        texts += text.partition(f"\n### {name}\n")[2].partition("\n|")[0].splitlines()
    snapshot.check(f"report-compared-{language}", "\n".join(texts) + "\n")


@pytest.mark.parametrize(
    ("adjust", "said"), [("holm", "difference 0.0200, not adjusted."), ("none", "difference 0.0200.")]
)
def test_a_shared_sentence_says_that_the_detectable_difference_is_not_adjusted_where_p_is(adjust, said):
    results = [result(term(), data=f"{config}@1.0.0#00", adjust=adjust) for config in ("en-gender", "es-gender")]
    assert f"in any of them at this number of persons and sentences; smallest detectable {said}" in page.render(
        document(*results), form="md"
    )


@pytest.mark.parametrize(("adjust", "within"), [("holm", True), ("bh", False), ("none", False)])
def test_what_p_is_adjusted_for_is_said_only_where_it_is(adjust, within):
    text = rendered(*(term(system=f"s{i}") for i in range(9)), adjust=adjust, form="md")
    assert ("not across the 9 systems" in text) is within
    assert ("p is adjusted for the number of terms" in text) is (adjust != "none")


ZERO = {"effect": 0.0, "se": 0.0, "p": None, "p_adjusted": None}
ALL = "The system does not react to these persons at all: it gives the same score whoever is mentioned."


def test_no_reaction_is_said_of_a_system_only_where_all_scores_compared_are_equal():
    three = [term(**ZERO), term(**ZERO | RACE), term(**ZERO | BOTH)]
    described = term(term="label_dist", axes="", level="0.8", reference="original", **ZERO)
    for rows, kinds, said in (
        (three, ("no_reaction", "no_reaction", "zero"), True),
        (three, ("no_reaction", "zero", "zero"), False),
        (three[2:], ("zero",), False),
        ([three[0], term(**RACE)], ("no_reaction", None), False),
        ([described], (None,), False),
    ):
        for systems in ([{}], [{"system": "a"}, {"system": "b"}]):
            own = [system | row for system in systems for row in rows]
            still = [no_spread(row, kind) for row, kind in zip(own, kinds * len(systems), strict=True) if kind]
            assert any(f"**{ALL}**" in line for line in markdown(*own, no_spread=still)) is said


@pytest.mark.parametrize(
    "beside",
    [
        {"variances": [{"subset": "names", "source": "persons", "sd": 0.3, "share": 1.0}]},
        {"cells": [cell(5, gender="female"), cell(5, gender="female") | {"subset": "pairs", "mean": 0.9}]},
    ],
)
def test_a_system_that_tells_persons_apart_which_no_row_compares_is_not_said_to_react_to_nobody(beside):
    rows = [term(**ZERO), term(**ZERO | RACE)]
    lines = markdown(*rows, no_spread=[no_spread(row, "no_reaction") for row in rows], **beside)
    assert not any(ALL in line for line in lines)
    assert any("Every effect is 0." in line for line in lines)


def test_what_could_have_been_found_is_said_on_one_scale_and_with_why_it_is_rough():
    words, rate = "would have been found with at least", {"output": "rate[yes]", "mde": 0.3}
    assert words in "".join(markdown(term(output="score"), term(**rate), adjust="none"))
    assert words not in "".join(markdown(term(output="score"), term(**rate), adjust="none", score_range=[0, 100]))
    (line,) = (line for line in markdown(term(rough="fewer than 6 items")) if words in line)
    assert line.endswith("had it been tested alone. This is rough (fewer than 6 items).")


def test_of_tied_differences_beside_an_interaction_none_is_called_the_largest():
    effects = [term(effect=0.5, p_adjusted=0.01), term(**RACE, effect=0.5, p_adjusted=0.01)]
    text = rendered(*effects, term(**BOTH, effect=1.0, p_adjusted=0.01), form="md")
    assert "Of the differences between groups, none is larger than that on mine." in text


def test_of_a_procedure_that_adjusts_over_systems_it_is_not_said_that_it_does_not():
    rows = [term(system=f"s{i}", p_adjusted=0.01) for i in range(9)]
    assert "not across the 9 systems" not in rendered(*rows, adjust="bonferroni/18", method="rating", tables={})
    assert "number of terms of all systems on one corpus" in rendered(*rows, adjust="bh")


def test_numbers_that_compare_no_groups_are_no_comparisons():
    rating = {"term": "rating", "axes": "", "level": "", "reference": "", "subset": "1", "p": None, "p_adjusted": None}
    rows = [row for system in "ab" for row in (term(system=system), term(system=system, **rating))]
    lines = markdown(*rows, method="rating", tables={})
    assert lines.count("- Comparisons: 1; 1 without a detectable difference.") == 2
    assert any(line.startswith("| rating (1)") for line in lines)


def test_a_measure_without_a_value_is_no_comparison_that_could_not_be_tested():
    measure = {"term": "correlation", "axes": "", "level": "", "reference": "", "effect": None, "p": None}
    still = term(effect=0.0, se=0.0, p=1.0, p_adjusted=1.0)
    page = "\n".join(markdown(still, term(**measure, p_adjusted=None), method="perturbation", tables={}))
    assert "Every effect is 0." in page
    assert "No comparison could be tested" not in page


def test_warnings_are_said_once_and_name_what_they_are_of():
    items = [no_spread(term(), "wording", "t01/sad", "t02/sad"), no_spread(term(level="x"), "wording", "t02/sad")]
    (line,) = [line for line in markdown(no_spread=items) if "wording that goes with them" in line]
    assert line.startswith("- mine · mine (names): ")
    assert line.endswith("in 2 items: t01/sad, t02/sad.")


@pytest.mark.parametrize("language", ["en", "es", "ar-EG"])
def test_twenty_systems_in_every_language(language, snapshot):
    text = rendered(*submissions(20), form="md", language=language)
    snapshot.check(f"report-twenty-{language}", text.partition("\n### team")[0])
