"""Names that a tokeniser begins alike, as families of the test."""

from pathlib import Path

import pytest
from commands import refused

from eec_datasets.audit.covariates import rows_to_measure
from eec_datasets.audit.running import measure
from eec_datasets.errors import InputError
from eec_datasets.names.tokens import first_token_of
from eec_datasets.systems.corpus import CorpusPart, clustered_by, open_corpus, part_of

tokenizers = pytest.importorskip("tokenizers")

PART = CorpusPart(names=20, items=8)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory) -> Path:
    """A tokeniser whose pieces are single letters, with a mark for the space before a word."""
    letters = {letter: number for number, letter in enumerate("\u2581abcdefghijklmnopqrstuvwxyz")}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(letters, [], unk_token=None))
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(prepend_scheme="never")
    folder = tmp_path_factory.mktemp("tokenizer")
    made.save(str(folder / "tokenizer.json"))
    return folder


def clustered(tokenizer: Path):
    return clustered_by(open_corpus("en-black-white-100", PART), first_token_of(str(tokenizer)), "letters")


def test_the_first_token_of_a_name_is_without_its_space(tokenizer: Path) -> None:
    assert first_token_of(str(tokenizer))("Latoya") == "l"


def test_a_file_and_its_folder_are_the_same_tokeniser(tokenizer: Path) -> None:
    assert first_token_of(str(tokenizer / "tokenizer.json"))("Ana") == first_token_of(str(tokenizer))("Ana")


def test_families_of_the_rows_are_first_tokens(tokenizer: Path) -> None:
    rows = rows_to_measure(clustered(tokenizer)).to_pylist()
    assert all(row["family"] == row["person_form"][0].lower() for row in rows if row["person_type"] == "name")


def test_what_is_no_name_keeps_its_meaning_as_family(tokenizer: Path) -> None:
    rows = rows_to_measure(clustered(tokenizer)).to_pylist()
    before = rows_to_measure(open_corpus("en-black-white-100", PART)).to_pylist()
    families = [[row["family"] for row in some if row["person_type"] != "name"] for some in (rows, before)]
    assert families[0] == families[1]
    assert {"mother", "pronoun"} <= set(families[0])


def test_the_corpus_keeps_its_hash(tokenizer: Path) -> None:
    assert clustered(tokenizer).data == open_corpus("en-black-white-100", PART).data


def test_a_part_of_the_corpus_has_the_same_families(tokenizer: Path) -> None:
    corpus = clustered(tokenizer)
    names = [row for row, kind in enumerate(corpus.columns["person_type"]) if kind == "name"]
    assert set(rows_to_measure(part_of(corpus, names))["family"].to_pylist()) <= set("abcdefghijklmnopqrstuvwxyz")


def test_the_signature_says_that_names_are_clustered_by_tokens(tokenizer: Path) -> None:
    plain = str(open_corpus("en-black-white-100", PART).label)
    assert str(clustered(tokenizer).label).startswith(f"{plain}+tokens-")


def test_the_result_says_by_which_tokeniser_names_are_clustered(tokenizer: Path) -> None:
    corpus = clustered(tokenizer)
    result = measure("system", corpus, [len(text) / 200 for text in corpus.columns["text"]], (0.0, 1.0))
    (note,) = [note for note in result.notes if note.key == "families_by_tokenizer"]
    assert note.values["tokenizer"] == "letters"
    assert {row["n_persons"] for row in result.families if row["subset"] == "names"} == {20}


def test_a_tokeniser_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"the tokeniser '.*none\.json' cannot be loaded: .*Name a file tokenizer\.json"
    ):
        first_token_of(str(tmp_path / "none.json"))


def test_a_folder_without_a_tokeniser_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tokenizer\.json' cannot be loaded"):
        first_token_of(str(tmp_path))


def test_the_tokeniser_of_a_measurement_needs_a_config(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("text,score\na,0.1\n", encoding="utf-8")
    said = refused("measure", "--data", tmp_path / "rows.csv", "--tokenizer", "x", code=2)
    assert "--tokenizer" in said
    assert "--config" in said
