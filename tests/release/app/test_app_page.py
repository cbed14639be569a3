"""The page in a browser: what users see, with a keyboard, on a telephone, after a mistake, beside a hostile visitor."""

import asyncio
import importlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from browsing import barriers
from serving import tab
from texts import csv_rows

from eec_datasets import corpora

pytestmark = pytest.mark.browser

WIDTHS = "[document.documentElement.scrollWidth, window.innerWidth]"
OVER_THE_EDGE = "one => one.getBoundingClientRect().right > window.innerWidth || one.scrollWidth > one.clientWidth"


def write(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def upload(page, *paths):
    page.locator("#eec-file input[type=file]").set_input_files(paths)
    page.locator("#eec-file").get_by_text(re.compile(r"[KM]?B")).first.wait_for()
    page.get_by_role("button", name="Measure", exact=True).click()


def choose(page, name):
    field = page.get_by_label("Corpus")
    field.fill(name)
    page.get_by_role("option", name=re.compile(rf"^{name} ")).first.click()
    page.wait_for_function("name => document.querySelector('.eec-sentences').lang === name", arg=name.partition("-")[0])


def address_of(page):
    """Return the parameters of the address, which is also the link to copy."""
    assert page.locator("#eec-link").evaluate("link => link.href") == page.url
    return parse_qs(urlsplit(page.url).query)


def problem(page):
    found: str = page.locator("#eec-problem").inner_text()
    return "\n".join(line for line in found.splitlines() if line)


def report(page):
    """The first screen of the report, in its frame."""
    return page.frame_locator("#eec-answer iframe").locator("html")


def told(page):
    """Each comparison that is drawn, with its answer."""
    rows = report(page).locator(".pic tr.a").all()
    return [tuple(row.locator(cell).inner_text() for cell in (".c1", ".c3")) for row in rows]


def downloaded(page, button):
    """The name of a file that a button gives, and where it is."""
    # Figures are drawn by a process that stands back behind all others.
    with page.expect_download(timeout=120_000) as waiting:
        page.get_by_role("button", name=button).click()
    return waiting.value.suggested_filename, waiting.value.path()


def test_a_corpus_and_made_up_scores_are_shown_in_words_table_and_figure(page):
    facts = page.locator(".eec-facts").inner_text()
    assert "Groups of first names (Black, white); Women and men (women, men)" in facts
    assert "No native speaker has read the sentences yet." in facts
    assert page.locator(".eec-sentences li").first.inner_text() == "Ebony feels angry. Group: Black women"
    assert page.title() == "EEC bias"
    page.get_by_role("button", name="Example: scores that favour a group").click()
    page.wait_for_selector("#eec-result")
    headline = "The made-up system noisy:female scores the same sentence 6 points higher with she than with he"
    assert report(page).locator("h1").inner_text().replace("\N{NO-BREAK SPACE}", " ") == headline
    assert told(page) == [
        ("Black and white names", "None detected · at most 5"),
        ("by first name", "Gap: women 6 higher · true gap 2 to 10"),
        ("she, my mother / he, my father", "Gap: women 6 higher · true gap under 1 to 12"),
    ]
    assert barriers(page) == []
    assert page.evaluate("document.activeElement.id") == "eec-result"
    page.get_by_role("button", name="Example: random scores").click()
    page.get_by_text("random:0 on en-black-white").wait_for()
    assert report(page).locator("h1").inner_text().startswith("This audit is too small: the gap in ")
    assert [said.partition(" · ")[0] for _, said in told(page)] == ["Inconclusive"] * 3
    assert address_of(page) == {"config": ["en-black-white"], "example": ["random"], "lang": ["en"]}
    for kind, end in (("Figures (ZIP, in English)", "_figures.zip"), ("Report", ".html")):
        name, path = downloaded(page, f"Make and download: {kind}")
        assert (name, path.stat().st_size > 20_000) == (f"eec-bias_en-black-white{end}", True)
    choose(page, "es-anglo-latino")
    page.wait_for_selector("#eec-result", state="detached")
    assert page.get_by_role("button", name="Download: Everything (JSON)").count() == 0
    first = page.locator(".eec-sentences li").first.inner_text()
    assert page.locator("pre").inner_text().splitlines()[1].partition("/")[0] == "t01"
    assert first.startswith("Jessica se siente enojada.")
    assert "t01/angry/jessica," in page.locator("pre").inner_text()
    assert address_of(page) == {"config": ["es-anglo-latino"], "lang": ["en"]}


def test_an_upload_is_measured_as_by_the_library_and_can_be_downloaded(page, tmp_path, ids, scores):
    import eec_bias
    import eec_datasets

    lines = [f"{i},{1 + 4 * score}" for i, score in zip(ids, scores, strict=True)]
    page.get_by_label("Lowest possible score").fill("1")
    page.get_by_label("Highest possible score").fill("5")
    upload(page, write(tmp_path / "stars.csv", ["id,score", *reversed(lines)]))
    page.wait_for_selector("#eec-result")
    values = [1 + 4 * score for score in scores]
    expected = eec_bias.measure(values, eec_datasets.load("en-black-white"), score_range=(1, 5)).to_dict()
    answer = page.locator("#eec-answer").inner_text()
    assert "stars.csv on en-black-white (version " in answer
    assert page.locator("#eec-answer code").inner_text() == expected["signature"]
    name, path = downloaded(page, "Download: Everything (JSON)")
    assert (name, json.loads(path.read_text(encoding="utf-8"))) == ("eec-bias_en-black-white.json", expected)
    _, path = downloaded(page, "Download: Table (CSV)")
    rows = csv_rows(path)
    effects = [float(row["effect"]) if row["effect"] else None for row in rows]
    assert effects == [row["effect"] for row in expected["terms"]]


def test_the_downloaded_sentences_can_be_filled_in_and_uploaded(page, tmp_path):
    choose(page, "ar-anglo-arab")
    name, path = downloaded(page, "Download the sentences (CSV)")
    frame = pd.read_csv(path, dtype=str)
    assert (name, list(frame)[:3], len(frame)) == ("ar-anglo-arab.csv", ["id", "score", "text"], 8640)
    frame.assign(score=0.4 + 0.2 * (frame["race"] == "Arab")).to_csv(tmp_path / "filled.csv", index=False)
    upload(page, tmp_path / "filled.csv")
    page.wait_for_selector("#eec-result")
    assert told(page)[0] == ("Arab and Anglo names", "Gap: Arab names 20 higher · in every sentence")


def test_several_systems_stand_side_by_side_and_their_names_are_only_text(page, tmp_path, ids):
    one = write(tmp_path / "one.csv", ["id,score", *(f"{i},{n % 7 / 10}" for n, i in enumerate(ids))])
    two = write(tmp_path / "2.csv", ["id,<b onclick=x>two</b>", *(f"{i},{n % 5 / 10}" for n, i in enumerate(ids))])
    upload(page, one, two)
    page.wait_for_selector("#eec-result")
    assert report(page).locator(".mt th b").all_inner_texts() == ["one", "<b onclick=x>two</b>"]
    assert report(page).locator("[onclick]").count() == 0
    assert page.locator("#eec-answer [onclick]").count() == 0


def test_what_cannot_be_measured_is_said_where_the_keyboard_stands(page, tmp_path, ids, scores):
    with (tmp_path / "huge.csv").open("wb") as stream:
        stream.truncate(41 << 20)
    page.locator("#eec-file input[type=file]").set_input_files(tmp_path / "huge.csv")
    page.get_by_text('File(s) exceed the maximum allowed size of 40.0 Mb: "huge.csv"').wait_for()
    page.get_by_role("button", name="Measure", exact=True).click()
    page.wait_for_selector("#eec-problem")
    assert problem(page).startswith(
        "There is no file yet. In step 4, choose a file with the columns id and score. It may have up to 20 MB."
    )
    assert page.evaluate("document.activeElement.id") == "eec-problem"
    lines = [f"{ids[0]},x", f"{ids[1]},y", f"{ids[2]},7", *(f"{i},{s}" for i, s in zip(ids[3:], scores, strict=False))]
    upload(page, write(tmp_path / "X.csv", ["id,score", *lines]))
    page.get_by_text("X.csv does not fit config en-black-white:").wait_for()
    _, *kinds, expected = problem(page).splitlines()
    assert ["2 times: " in kinds[0], "once: " in kinds[1], len(kinds)] == [True, True, 2]
    assert expected.endswith("Nothing was measured.")
    assert page.locator("#eec-result").count() == 0


def test_everything_is_done_with_a_keyboard(page, tmp_path):
    ids = corpora.table("en-anglo-latino").column("id").to_pylist()
    path = write(tmp_path / "X.csv", ["id,score", *(f"{i},{n % 7 / 10}" for n, i in enumerate(ids))])
    keys = page.keyboard
    # Listened for early: playwright takes over file choosers a moment after it is asked to.
    page.on("filechooser", lambda _: None)

    def to(wanted):
        """Press Tab until the focus is within what a selector finds."""
        for _ in range(12):
            keys.press("Tab")
            if page.evaluate("wanted => document.activeElement.closest(wanted) !== null", wanted):
                assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
                return
        raise AssertionError(f"no way to {wanted} by Tab")

    to("#eec-corpus")
    page.get_by_role("listbox").wait_for()
    keys.press("Tab")
    page.get_by_role("listbox").wait_for(state="hidden")
    keys.press("Shift+Tab")
    keys.press("Control+a")
    keys.type("en-anglo-latino")
    keys.press("Enter")
    page.get_by_text("Groups of first names (Anglo, Latino)").wait_for()
    to("#eec-sentences")
    with page.expect_download():
        keys.press("Enter")
    to("#eec-low")
    keys.press("Control+a")
    keys.type("-1")
    to("#eec-high")
    to("#eec-file")
    with page.expect_file_chooser() as waiting:
        keys.press("Enter")
    waiting.value.set_files(path)
    page.locator("#eec-file [aria-label='X.csv']").wait_for()
    to("#eec-measure")
    keys.press("Enter")
    page.wait_for_function("document.activeElement.id === 'eec-result'")
    assert address_of(page)["low"] == ["-1"]
    keys.press("Tab")
    page.wait_for_function("document.activeElement.tagName === 'IFRAME'")
    keys.press("End")
    end = "root => root.scrollTop > 0 && root.scrollTop + root.clientHeight >= root.scrollHeight - 1"
    page.wait_for_timeout(1_000)
    assert report(page).evaluate(end)
    to("button")
    with page.expect_download():
        keys.press("Enter")


def test_a_link_shows_the_same_again(address, window):
    with tab(window) as page:
        page.goto(f"{address}?config=ar-anglo-arab&low=-1&high=5&example=both&utm=x")
        page.get_by_text("noisy:female, random:0 on ar-anglo-arab (version ").wait_for()
        assert page.get_by_label("Lowest possible score").input_value() == "-1"
        assert page.get_by_label("Highest possible score").input_value() == "5"
        assert page.get_by_label("Corpus").input_value() == "ar-anglo-arab (Arabic)"
        assert report(page).locator(".mt th b").all_inner_texts() == ["noisy:female", "random:0"]
        page.get_by_label("Highest possible score").fill("1")
        page.wait_for_function("!location.search.includes('high')")
        kept = {"config": ["ar-anglo-arab"], "low": ["-1"], "example": ["both"], "lang": ["en"], "utm": ["x"]}
        assert address_of(page) == kept
        page.goto(f"{address}?config=tlh")
        page.wait_for_selector("#eec-problem")
        assert problem(page).startswith("The link names the corpus 'tlh', which does not exist here.")
        assert page.locator(".eec-facts").count() == 1


def test_a_dark_telephone_shows_the_page_without_barriers(address, browser):
    phone = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    with tab(phone) as page:
        page.goto(address)
        page.wait_for_selector(".eec-facts")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert max(map(int, re.findall(r"\d+", ground)[:3])) < 60
        for config, direction in (("ar-anglo-arab", "rtl"), ("en-gender", "ltr")):
            choose(page, config)
            page.get_by_role("button", name="Example: scores that favour a group").click()
            page.locator("#eec-answer").get_by_text(f" on {config} (version ").wait_for()
            assert page.evaluate(WIDTHS) == [360, 360]
            sentence = page.locator(".eec-sentences li").first
            assert sentence.evaluate("element => getComputedStyle(element).direction") == direction
            frame = report(page)
            ground = frame.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
            assert max(map(int, re.findall(r"\d+", ground)[:3])) < 60
            assert frame.evaluate("root => root.scrollWidth <= root.clientWidth")
            cells = frame.locator(".pic .c3")
            assert cells.count() > 4
            assert cells.evaluate_all(f"cells => cells.filter({OVER_THE_EDGE}).length") == 0
            assert barriers(page) == []
        page.set_viewport_size({"width": 768, "height": 1024})
        assert report(page).evaluate("root => root.scrollWidth <= root.clientWidth")
    phone.close()


def test_a_hostile_upload_holds_nobody_up(address):
    load = importlib.import_module("benchmarks.page_load")
    hostile, honest = load.HOSTILE["unknown ids"](), [load.honest(seed) for seed in range(2)]

    async def visit():
        async with load.visitor(address.rstrip("/")) as client:
            button = await load.button_of(client)
            await load.crowd(client, button, honest)  # the processes are there
            alone = max([(await load.measure(client, button, content))[0] for content in honest])
            measuring = asyncio.ensure_future(load.measure(client, button, hostile))
            await asyncio.sleep(1)
            beside, _ = await load.measure(client, button, honest[0])
            assert not measuring.done()
            await measuring
            return alone, beside

    # In a thread of its own, as the browser's loop runs in this one.
    with ThreadPoolExecutor(1) as thread:
        alone, beside = thread.submit(asyncio.run, visit()).result()
    assert beside < 3 * alone


def test_a_native_speaker_takes_the_page_for_the_language_of_a_corpus(page):
    choose(page, "es-gender")
    name, path = downloaded(page, re.compile("Is this your first language"))
    assert name == "eec-review-es.html"
    assert '<html lang="es" dir="ltr">' in path.read_text(encoding="utf-8")


def test_the_page_speaks_the_language_that_the_browser_asks_for(address, browser):
    reader = browser.new_context(locale="es-MX")
    with tab(reader) as page:
        page.goto(address)
        page.get_by_role("button", name="Medir", exact=True).wait_for()
        assert "Se compara" in page.locator(".eec-facts").inner_text()
        page.get_by_role("button", name="Ejemplo: puntuaciones que favorecen a un grupo").click()
        page.wait_for_selector("#eec-result")
        assert report(page).get_attribute("lang") == "es"
        assert report(page).locator(".best").inner_text().startswith("Mejor estimación: 6 puntos de media.")
    reader.close()


def test_the_arabic_page_runs_from_right_to_left_without_barriers(address, window):
    with tab(window) as page:
        page.goto(address)
        page.get_by_role("link", name="العربية").click()
        page.wait_for_function("document.documentElement.dir === 'rtl'")
        page.get_by_role("button", name="قِس", exact=True).wait_for()
        assert address_of(page)["lang"] == ["ar"]
        assert barriers(page) == []
