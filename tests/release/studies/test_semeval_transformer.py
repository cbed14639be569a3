"""A network on a frozen transformer, with a tiny model of random weights made here."""

import pytest
from click.testing import CliRunner
from semeval_files_made import PEOPLE, STRONG, WEAK, few_items, make_all

pytest.importorskip("sklearn", reason="needs the extra study (scikit-learn)")
torch = pytest.importorskip("torch", reason="needs the extra hf (torch)")
transformers = pytest.importorskip("transformers", reason="needs the extra hf (transformers)")

from studies import semeval  # noqa: E402
from studies.semeval import main  # noqa: E402
from studies.semeval_files import Tweets  # noqa: E402
from studies.semeval_models import StudyUnavailable  # noqa: E402
from studies.semeval_transformer import frozen, train_network  # noqa: E402


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny bert"
    folder.mkdir()
    words = [w for part in (STRONG, WEAK, PEOPLE) for w in part["es"]]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(" ".join(words).lower().split())]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        config = transformers.BertConfig(
            vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=16, initializer_range=0.2,
        )  # fmt: skip
        transformers.BertModel(config).save_pretrained(folder)
    return folder


TWEETS = Tweets(tuple(f"{word} mesa" for word in STRONG["es"]) + tuple(f"pan {w}" for w in WEAK["es"]),
                (0.9,) * 8 + (0.1,) * 6)  # fmt: skip


def test_the_transformer_stays_as_it_was(model):
    learner = frozen(f"es={model}", epochs=2, seed=0)
    assert learner.languages == ("es",)
    assert learner.name == "tiny bert"
    before = {path.name: path.read_bytes() for path in model.iterdir()}
    predict = learner.fit("es", TWEETS)
    same, other, again = predict(["Triste MESA", "pan", "@someone triste  mesa"])
    assert same == again != other
    assert {path.name: path.read_bytes() for path in model.iterdir()} == before


def test_the_network_learns_what_the_embeddings_tell():
    inputs = torch.eye(8).repeat(4, 1)
    scores = [0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6] * 4
    said = train_network(inputs, scores, epochs=60, seed=0)(torch.eye(8))
    assert said == pytest.approx(scores[:8], abs=0.05)


def scores_by(model, seed: int) -> list[float]:
    return list(frozen(str(model), epochs=2, seed=seed).fit("es", TWEETS)(["mesa", "Triste mesa"]))


def test_a_seed_gives_the_same_scores_again(model):
    assert scores_by(model, 0) == scores_by(model, 0)


def test_another_seed_gives_other_scores(model):
    assert scores_by(model, 0) != scores_by(model, 1)


def test_training_leaves_the_generator_of_torch_as_it_was(model):
    state = torch.random.get_rng_state()
    scores_by(model, 0)
    assert torch.equal(torch.random.get_rng_state(), state)


def test_the_tables_have_the_transformer_beside_the_machines(model, tmp_path, monkeypatch):
    monkeypatch.setattr(semeval, "open_corpus", few_items)
    folder = make_all(tmp_path / "data", ("es",))
    arguments = [str(folder), "--out", str(tmp_path / "out"), "--transformer", str(model), "--epochs", "1"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "| es-anglo-latino | tiny bert | race | – |" in result.output
    assert len(list((tmp_path / "out" / "scores").glob("tiny-bert-*/es-anglo-latino.csv"))) == 4


def test_a_folder_that_is_no_model_is_named(tmp_path):
    with pytest.raises(StudyUnavailable, match=f"{tmp_path}: the model cannot be loaded: .*Expected a folder"):
        frozen(str(tmp_path), epochs=1, seed=0)


def test_two_models_of_one_name_are_refused(model, tmp_path):
    folder = make_all(tmp_path / "data", ("es",))
    result = CliRunner().invoke(main, [str(folder), "--transformer", str(model), "--transformer", f"es={model}"])
    assert result.exit_code == 2
    assert "two models for 'es' are called 'tiny bert'" in result.output
