"""The page on which native readers judge sentences, in a real browser."""

import pytest
from browsing import barriers, browser, tab  # noqa: F401 (browser is a fixture)
from commands import succeed
from languages import languages
from texts import csv_rows

from eec_datasets.contribute.review_page import page_texts, review_page

PHONE = {"width": 360, "height": 740}


def fill_in(page, say, verdicts, name, country):
    """Judge the first sentences and fill in the rest, as a reader does."""
    for number, verdict in enumerate(verdicts):
        card = page.locator(f"#s{number}")
        card.get_by_label(say[verdict], exact=True).check()
        if verdict != "natural":
            card.get_by_label(say["correction"]).fill("—" if number else f"{name} 1")
    page.get_by_label(say["yes"], exact=True).check()
    page.locator("#country").select_option(country)
    page.get_by_label(say["name"], exact=True).fill(name)
    page.locator("#consent").check()


@pytest.mark.parametrize(("tag", "country", "direction"), [("es", "MX", "ltr"), ("ar", "EG", "rtl")])
def test_what_a_reader_saves_on_a_phone_is_stored_and_counted(tag, country, direction, browser, tmp_path):  # noqa: F811
    folder = languages(tmp_path / "languages", "en", tag)
    succeed("locale", "review", tag, "--html", tmp_path / "page.html", "--locales", folder)
    say = page_texts(tag)
    with tab(browser, "file:", "blob:", viewport=PHONE) as page:
        page.goto((tmp_path / "page.html").as_uri())
        assert page.evaluate("document.documentElement.dir") == direction
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert barriers(page) == []
        first = page.locator("#s0 .choices").bounding_box()
        assert first["y"] + first["height"] <= PHONE["height"], "the first sentence is below the screen"
        heights = page.evaluate("[...document.querySelectorAll('.choices label')].map(each => each.offsetHeight)")
        assert max(heights) < 60, "a label is broken within a word"
        fill_in(page, say, ["natural", "odd", "natural"], "Prova", country)
        with page.expect_download() as download:
            page.get_by_role("button", name=say["save"]).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert page.locator("#copy").input_value() == file.read_text(encoding="utf-8")
    assert file.name.startswith(f"eec-review-{tag}-prova-")
    told = succeed("locale", "review", tag, "--take", file, "--locales", folder).output
    assert told.endswith(f"{tag}: 1 native reader; 2 of 3 natural\n")
    (row, _, _) = csv_rows(next((folder / tag / "reviews").glob("prova-*.csv")))
    assert (row["reader"], row["native"], row["country"], row["verdict"]) == ("Prova", "yes", country, "natural")


def test_the_page_says_what_is_lacking_and_keeps_what_was_filled_in(browser, tmp_path):  # noqa: F811
    (tmp_path / "page.html").write_text(review_page("de", count=5)[0], encoding="utf-8")
    say = page_texts("de")
    with tab(browser, "file:", viewport=PHONE) as page:
        page.goto((tmp_path / "page.html").as_uri())
        page.locator("#s0").get_by_label(say["odd"], exact=True).check()
        page.locator("#s0").get_by_label(say["correction"]).fill("<b>=1</b>")
        page.get_by_role("button", name=say["save"]).click()
        told = page.locator("#problems").inner_text()
        assert say["need_name"] in told
        assert say["need_country"] in told
        assert "Ohne < und >: <b>=1</b>" in told
        page.reload()
        assert page.locator("#progress").inner_text() == "Beurteilt: 1 von 5"
        assert page.locator("#s0").get_by_label(say["correction"]).input_value() == "<b>=1</b>"


def test_what_was_filled_in_on_one_part_does_not_come_up_on_another(browser, tmp_path):  # noqa: F811
    for part in (1, 2):
        (tmp_path / f"{part}.html").write_text(review_page("pt", count=5, part=part)[0], encoding="utf-8")
    say = page_texts("pt")
    with tab(browser, "file:") as page:
        page.goto((tmp_path / "1.html").as_uri())
        page.locator("#s0").get_by_label(say["odd"], exact=True).check()
        page.goto((tmp_path / "2.html").as_uri())
        assert page.locator("#progress").inner_text() == "Avaliadas: 0 de 5"
        page.goto((tmp_path / "1.html").as_uri())
        assert page.locator("#progress").inner_text() == "Avaliadas: 1 de 5"
