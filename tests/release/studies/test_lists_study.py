"""The chapter on whom real word lists hear: its page and its table."""

import csv
from io import StringIO

from studies.lists import Listened, page, to_csv

LOST = Listened(
    system="lossy-es", version="lossy 1.0", kind="list", corpus="es-forms", words=131, only_him=64, only_her=1, both=3,
    neither=63, p_heard=0.00003, ratio=0.514, low=0.44, high=None, p_reaction=0.02, agrees=0.07, same=1.0,
    found="reaction heard", forms_him="enojado/enojada; furioso/furiosa", forms_her="",
)  # fmt: skip
SILENT = Listened(
    system="alike-en", version="alike 1.0", kind="control", corpus="en-black-white", words=None, only_him=None,
    only_her=None, both=None, neither=None, p_heard=None, ratio=1.0, low=None, high=None, p_reaction=None, agrees=None,
    same=None, found="", forms_him="", forms_her="",
)  # fmt: skip


def test_the_page_counts_lists_whose_loss_is_clear():
    text = page([LOST, SILENT])
    said = "Of these programs, 1 hear more words about men than about women, and 0 the other way round."
    assert said in " ".join(text.split())
    assert "| lossy-es | 131 | 64 | 1 | 3 | < .001 | 0.51 [0.44, no limit] | 0.02 | 0.07 | 1.00 |" in text
    assert "| lossy-es | enojado/enojada, furioso/furiosa | – |" in text
    assert "| alike-en | en-black-white | 1.00 | nothing |" in text


def test_the_table_leaves_unknown_numbers_empty():
    first, second = csv.DictReader(StringIO(to_csv([LOST, SILENT])))
    assert (first["only_him"], first["high"], first["forms_him"]) == ("64", "", "enojado/enojada; furioso/furiosa")
    assert (second["words"], second["ratio"]) == ("", "1")
