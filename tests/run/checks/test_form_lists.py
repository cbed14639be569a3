"""Forms for women and men beside pairs that others wrote: a small list of our own, and a larger one if it is there.

``EEC_AGREEMENT_PAIRS=FILE`` names a table of pairs that native translators made; its licence is not stated, so it is
read and never copied.
"""

import os
import sys
from pathlib import Path

import pytest

from eec_datasets import corpora
from eec_datasets.errors import EecError

SCRIPTS = Path(corpora.__file__).parents[1] / "scripts"
if not (SCRIPTS / "agreement.py").exists():
    pytest.skip("the script is in the repository, not in the wheel", allow_module_level=True)
sys.path.append(str(SCRIPTS))

import agreement  # noqa: E402  # from scripts

OWN = Path(__file__).with_name("agreement.tsv")
DIFFERING = {"es": {"gay / lesbiana"}}
"""Pairs that differ from the larger list, and stay: *gay* and *lesbiana* are two words, as in English."""


@pytest.mark.parametrize(("tag", "known"), [("es", 6), ("fr", 3), ("it", 2), ("pt", 2)])
def test_our_forms_are_those_of_a_list(tag, known):
    result = agreement.compare(tag, agreement.read_pairs(OWN))
    assert len(result.known) >= known
    assert result.differing == []
    assert result.no_class == []


def test_a_form_that_is_another_one_in_the_list_is_found():
    wrong = agreement.FormPair("it", "deluso", "deluse")
    assert [str(pair) for pair in agreement.compare("it", [wrong]).differing] == ["deluso / delusa"]


def test_a_pair_that_was_swapped_ends_as_no_class():
    swapped = agreement.FormPair("es", "cansada", "cansado")
    assert agreement.compare("es", [swapped]).no_class == [swapped]


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "language\tform\nes\tx\n", "\0"])
def test_a_file_of_another_format_is_refused(text, tmp_path):
    (tmp_path / "pairs.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(EecError, match=r"expected a tab-separated table|cannot be read as a table"):
        agreement.read_pairs(tmp_path / "pairs.tsv")


@pytest.mark.skipif("EEC_AGREEMENT_PAIRS" not in os.environ, reason="EEC_AGREEMENT_PAIRS names no list of pairs")
@pytest.mark.parametrize("tag", agreement.GENDERED)
def test_our_forms_are_those_of_the_larger_list(tag):
    result = agreement.compare(tag, agreement.read_pairs(Path(os.environ["EEC_AGREEMENT_PAIRS"])))
    assert {str(pair) for pair in result.differing} == DIFFERING.get(tag, set())


@pytest.mark.parametrize(("tag", "verbs"), [("es", 17), ("fr", 14), ("it", 11), ("pt", 2), ("ru", 38)])
def test_two_forms_of_a_word_have_a_lemma_in_common(tag, verbs):
    """Pairs without a common lemma were read one by one: simplemma 2.0.0 takes one form for a verb's, as in *harta*."""
    simplemma = pytest.importorskip("simplemma", minversion="2.0.0", reason="pip install 'simplemma>=2'")
    count, differing = agreement.lemmas_differ(tag, simplemma.lemmatize)
    assert count >= 130
    assert len(differing) <= verbs, differing
