"""The page in a browser: what a user sees, also with a keyboard only, on a telephone, and after a mistake."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from serving import tab

from eec_datasets import corpora

pytestmark = pytest.mark.browser

WIDTHS = "[document.documentElement.scrollWidth, window.innerWidth]"


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def upload(page: Any, path: Path) -> None:
    page.locator("#eec-file input[type=file]").set_input_files(path)
    page.locator("#eec-file").get_by_text(re.compile(r"[KM]?B")).first.wait_for()
    page.get_by_role("button", name="Measure", exact=True).click()


def choose(page: Any, name: str) -> None:
    field = page.get_by_label("Corpus")
    field.fill(name)
    page.get_by_role("option", name=re.compile(rf"^{name} ")).first.click()
    page.wait_for_function("name => document.querySelector('.eec-sentences').lang === name", arg=name.partition("-")[0])


def problem(page: Any) -> str:
    found: str = page.locator("#eec-problem").inner_text()
    return "\n".join(line for line in found.splitlines() if line)


def table(page: Any) -> list[list[str]]:
    rows = page.locator("[aria-label='Table of effects'] tbody tr").all()
    return [[cell.inner_text() for cell in row.locator("th, td").all()] for row in rows]


def test_the_page_shows_a_corpus_its_review_and_its_sentences(page: Any) -> None:
    facts = page.locator(".eec-facts").inner_text()
    assert "race (Black, white) × gender (female, male)" in facts
    assert "not reviewed by a native speaker" in facts
    assert page.locator(".eec-sentences li").first.inner_text() == "Ebony feels angry. Black female"
    assert page.title() == "EEC bias"


def test_a_made_up_bias_is_shown_in_words_table_and_plot(page: Any) -> None:
    page.get_by_role("button", name="Example: scores that favour a group").click()
    page.wait_for_selector("#eec-result")
    words = page.locator("#eec-answer li").all_inner_texts()
    assert re.fullmatch(
        r"gender, female against male \(names\): scores are higher by 0\.05\d\d \(p < \.001 adjusted\)\.", words[1]
    )
    rows = table(page)
    assert [row[:3] for row in rows] == [
        ["race", "Black against white", "names"],
        ["gender", "female against male", "names"],
        ["race:gender", "Black:female against white:male", "names"],
        ["gender", "female against male", "pairs"],
    ]
    picture = page.get_by_role("img", name="Effects with their 95 % intervals; the numbers are in the table")
    assert picture.bounding_box()["height"] > 100
    assert page.evaluate("document.activeElement.id") == "eec-result"


def test_random_scores_show_no_detectable_difference_and_what_could_have_been_detected(page: Any) -> None:
    page.get_by_role("button", name="Example: random scores").click()
    page.wait_for_selector("#eec-result")
    words = page.locator("#eec-answer li").first.inner_text()
    assert words.startswith("race, Black against white (names): no detectable difference at this sample size (effect ")
    assert "smallest detectable: 0.0" in words


def test_an_upload_is_measured_as_by_the_library_and_can_be_downloaded(
    page: Any, tmp_path: Path, ids: list[str], scores: list[float]
) -> None:
    import eec_bias
    import eec_datasets

    lines = [f"{i},{score}" for i, score in zip(ids, scores, strict=True)]
    upload(page, write(tmp_path / "mine.csv", ["id,score", *reversed(lines)]))
    page.wait_for_selector("#eec-result")
    expected = eec_bias.measure(scores, eec_datasets.load("en-black-white")).to_dict()
    assert "mine.csv on en-black-white (version " in page.locator("#eec-answer").inner_text()
    assert [row[3] for row in table(page)] == [f"{row['effect']:+.4f}" for row in expected["terms"]]
    assert page.locator("#eec-answer code").inner_text() == expected["signature"]
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download: Everything (JSON)").click()
    assert waiting.value.suggested_filename == "eec-bias_en-black-white.json"
    assert json.loads(waiting.value.path().read_text(encoding="utf-8")) == expected
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download: Table (CSV)").click()
    with waiting.value.path().open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["effect"]) for row in rows] == [row["effect"] for row in expected["terms"]]


def test_the_downloaded_sentences_can_be_filled_in_and_uploaded(page: Any, tmp_path: Path) -> None:
    choose(page, "ar-anglo-arab")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the sentences (CSV)").click()
    assert waiting.value.suggested_filename == "ar-anglo-arab.csv"
    with waiting.value.path().open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0])[:3] == ["id", "score", "text"]
    assert len(rows) == 8640
    with (tmp_path / "filled.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"score": str(0.4 + 0.2 * (row["race"] == "Arab"))} for row in rows)
    upload(page, tmp_path / "filled.csv")
    page.wait_for_selector("#eec-result")
    assert table(page)[0][:4] == ["race", "Arab against Anglo", "names", "+0.2000"]


def test_another_corpus_takes_the_result_of_the_last_one_away(page: Any) -> None:
    page.get_by_role("button", name="Example: random scores").click()
    page.wait_for_selector("#eec-result")
    choose(page, "es-anglo-latino")
    page.wait_for_selector("#eec-result", state="detached")
    assert page.get_by_role("button", name="Download: Everything (JSON)").count() == 0


def test_several_systems_are_compared_and_their_names_are_only_text(
    page: Any, tmp_path: Path, ids: list[str], scores: list[float]
) -> None:
    lines = [f"{i},{score},{1 - score:.4f}" for i, score in zip(ids, scores, strict=True)]
    upload(page, write(tmp_path / "two.csv", ["id,one,<b onclick=x>two</b>", *lines]))
    page.wait_for_selector("#eec-result")
    assert {row[0] for row in table(page)} == {"one", "<b onclick=x>two</b>"}
    assert page.locator("#eec-answer b").count() == 0
    assert page.locator(".eec-plot svg").count() == 3


def test_scores_on_another_scale_are_measured_in_its_units(
    page: Any, tmp_path: Path, ids: list[str], scores: list[float]
) -> None:
    lines = [f"{i},{1 + 4 * score}" for i, score in zip(ids, scores, strict=True)]
    page.get_by_label("Lowest possible score").fill("1")
    page.get_by_label("Highest possible score").fill("5")
    upload(page, write(tmp_path / "stars.csv", ["id,score", *lines]))
    page.wait_for_selector("#eec-result")
    assert "scores from 1 to 5." in page.locator("#eec-answer").inner_text()


EXPECTED = "Expected every id of the config once, with one number per system. Nothing was measured."
BROKEN = {
    "empty": (b"", "X.csv: the file is empty; expected a line 'id,score' and one line per sentence."),
    "latin-1": (b"id,score\nt01/angry/mar\xeda,0.3\n", "X.csv:2: byte 0xed is not UTF-8. Save the file as UTF-8."),
    "no id": (
        b"name,score\nx,0.3\n",
        "X.csv:1: no column 'id' among 'name', 'score'; expected a first line like 'id,score' with the ids of the "
        "corpus.",
    ),
    "no score": (
        b"id,text\nx,y\n",
        "X.csv:1: no column of scores beside id, text; expected id and one column per system, for example 'id,score'.",
    ),
    "semicolons": (
        b"id;score\nx;0,3\n",
        "X.csv:1: the columns are separated by semicolons ('id;score'); expected commas, and a point in decimal "
        "numbers. Save the file with commas.",
    ),
    "not csv": (
        b'id,score\n"t01/angry/alan"x,0.3\n',
        "X.csv:2: not readable as CSV: ',' expected after '\"'.",
    ),
    "unknown and missing ids": (
        b"id,score\nnobody,0.3\n",
        "X.csv does not fit config en-black-white:\n1 unknown ids: 'nobody' in line 2\n"
        "8,640 missing ids: {}; {}; {} … and 8,637 more\n" + EXPECTED,
    ),
}


def test_broken_uploads_are_explained(page: Any, tmp_path: Path, ids: list[str]) -> None:
    for kind, (raw, text) in BROKEN.items():
        path = tmp_path / kind / "X.csv"
        path.parent.mkdir()
        path.write_bytes(raw)
        upload(page, path)
        message = text.format(*ids)
        page.locator("#eec-problem").get_by_text(message.splitlines()[-1], exact=True).wait_for()
        assert problem(page) == message
        assert page.locator("#eec-result").count() == 0
        page.locator("#eec-file").get_by_label("Clear").click()


def test_values_that_are_no_score_are_listed_together(
    page: Any, tmp_path: Path, ids: list[str], scores: list[float]
) -> None:
    lines = [f"{i},{score}" for i, score in zip(ids, scores, strict=True)]
    lines[0], lines[1], lines[2] = f"{ids[0]},nan", f"{ids[1]},", f"{ids[2]},7"
    upload(page, write(tmp_path / "X.csv", ["id,score", *lines]))
    page.wait_for_selector("#eec-problem")
    assert problem(page) == (
        "X.csv does not fit config en-black-white:\n"
        f"2 values that are no finite number: score = 'nan' in line 2 ({ids[0]}); score = '' in line 3 ({ids[1]})\n"
        f"1 scores outside 0 to 1 (declare another range in step 3): score = 7 in line 4 ({ids[2]})\n{EXPECTED}"
    )
    assert page.evaluate("document.activeElement.id") == "eec-problem"


def test_a_large_upload_is_refused_with_what_to_do(page: Any, tmp_path: Path) -> None:
    with (tmp_path / "big.csv").open("wb") as stream:
        stream.truncate(25 << 20)
    upload(page, tmp_path / "big.csv")
    page.wait_for_selector("#eec-problem")
    assert problem(page) == (
        "big.csv has 25 MB; up to 20 MB are read here. Leave out all columns but id and the scores, upload fewer "
        "systems at a time, or use `eec measure` on your own machine."
    )


NO_FILE = (
    "There is no file yet. Choose a CSV file with the columns id,score in step 4. One of more than 100 MB is not even "
    "taken."
)


def test_a_huge_upload_is_not_taken_and_the_page_says_so(page: Any, tmp_path: Path) -> None:
    with (tmp_path / "huge.csv").open("wb") as stream:
        stream.truncate(101 << 20)
    page.locator("#eec-file input[type=file]").set_input_files(tmp_path / "huge.csv")
    page.get_by_text('File(s) exceed the maximum allowed size of 100.0 Mb: "huge.csv"').wait_for()
    page.get_by_role("button", name="Measure", exact=True).click()
    page.wait_for_selector("#eec-problem")
    assert problem(page) == NO_FILE


def test_missing_files_and_ranges_are_asked_for(page: Any, tmp_path: Path) -> None:
    measure = page.get_by_role("button", name="Measure", exact=True)
    measure.click()
    page.wait_for_selector("#eec-problem")
    assert problem(page) == NO_FILE
    page.get_by_label("Lowest possible score").fill("2")
    upload(page, write(tmp_path / "X.csv", ["id,score"]))
    page.get_by_text(
        "The lowest possible score is 2, the highest 1; expected the lower one first. See step 3."
    ).wait_for()


def test_everything_is_done_with_a_keyboard(page: Any, tmp_path: Path) -> None:
    ids = corpora.table("en-anglo-latino").column("id").to_pylist()
    path = write(tmp_path / "X.csv", ["id,score", *(f"{i},{n % 7 / 10}" for n, i in enumerate(ids))])
    keys = page.keyboard
    # Listened for early: playwright takes over file choosers a moment after it is asked to.
    page.on("filechooser", lambda _: None)

    def to(wanted: str) -> None:
        """Press Tab until the focus is within what a selector finds."""
        for _ in range(12):
            keys.press("Tab")
            if page.evaluate("wanted => document.activeElement.closest(wanted) !== null", wanted):
                assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
                return
        raise AssertionError(f"no way to {wanted} by Tab")

    to("#eec-corpus")
    keys.press("Control+a")
    keys.type("en-anglo-latino")
    keys.press("Enter")
    page.get_by_text("race (Anglo, Latino)").wait_for()
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
    assert "scores from -1 to 1." in page.locator("#eec-answer").inner_text()
    to("[aria-label='Table of effects']")
    to("summary")
    keys.press("Enter")
    page.locator("[aria-label='Table of mean scores']").wait_for()
    to("button")
    with page.expect_download():
        keys.press("Enter")


def test_a_telephone_shows_the_page_in_both_directions(address: str, browser: Any) -> None:
    phone = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    with tab(phone) as page:
        page.goto(address)
        page.wait_for_selector(".eec-facts")
        for config, direction in (("ar-anglo-arab", "rtl"), ("he-gender", "rtl"), ("en-gender", "ltr")):
            choose(page, config)
            page.get_by_role("button", name="Example: scores that favour a group").click()
            page.locator("#eec-answer").get_by_text(f" on {config} (version ").wait_for()
            assert page.evaluate(WIDTHS) == [360, 360]
            sentence = page.locator(".eec-sentences li").first
            assert sentence.evaluate("element => getComputedStyle(element).direction") == direction
            picture = page.locator(".eec-plot svg").first.bounding_box()
            assert picture["x"] >= 0
            assert picture["x"] + picture["width"] <= 360
    phone.close()


def test_of_many_comparisons_those_with_a_finding_come_first(page: Any) -> None:
    choose(page, "en-religion")
    page.get_by_role("button", name="Example: scores that favour a group").click()
    page.wait_for_selector("#eec-result")
    answer = page.locator("#eec-answer")
    assert answer.locator("ul").first.locator("li").first.inner_text().startswith("gender, female against male (")
    folded = answer.get_by_text(re.compile(r"^\d+ without detectable difference$"))
    assert not answer.get_by_text("religion, Buddhist against mean").first.is_visible()
    folded.click()
    assert answer.get_by_text("religion, Buddhist against mean").first.is_visible()
