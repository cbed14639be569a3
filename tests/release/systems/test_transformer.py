"""hf:MODEL and hf-causal:MODEL, on tiny models with random weights made on the spot."""

import math
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tiny import NUMBERS, causal_model, make_model

from eec_datasets.audit.running import run
from eec_datasets.errors import SystemFailed, Unavailable
from eec_datasets.systems import reading
from eec_datasets.systems.base import Endpoint, Options, score_batch
from eec_datasets.systems.causal import LocalModel
from eec_datasets.systems.corpus import open_corpus, part_of
from eec_datasets.systems.prompts import read
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import score_corpus
from eec_datasets.systems.transformer import open_model

MODELS = {
    "polarity": (["NEGATIVE", "POSITIVE"],),
    "emotions": (["anger", "fear", "joy"],),
    "several": (["toxic", "threat"], "multi_label_classification"),
    "values": (["negative", "neutral", "positive"],),
    "regression": (["LABEL_0"], "regression"),
}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {name: make_model(folder / name, *described) for name, described in MODELS.items()}


BATCH = {"id": ["a", "b", "c"], "text": ["Maria feels angry.", "Alan feels happy.", "Maria feels happy angry."]}


def probabilities(model, *labels):
    """Of every text the sum of the probabilities of classes, each scored by itself."""
    columns = [score_batch(open_system(f"hf:{model}", Options(positive_class=label)), BATCH) for label in labels]
    assert all(0 < score < 1 for column in columns for score in column)
    return [sum(row) for row in zip(*columns, strict=True)]


def test_the_score_of_a_model_follows_from_its_kind_and_options(models):
    system = open_system(f"hf:{models['polarity']}")
    assert (system.name, system.score_range) == (f"hf:{models['polarity']}[POSITIVE]", (0.0, 1.0))
    assert len(set(score_batch(system, BATCH))) == 3
    for name, one in (("polarity", True), ("emotions", True), ("several", False)):
        found = probabilities(models[name], *MODELS[name][0])
        assert (found == pytest.approx([1, 1, 1], abs=1e-12 if one else 1e-3)) is one
    model = models["values"]
    system = open_system(f"hf:{model}", Options(classes={"positive": 1.0, "negative": -1.0, "neutral": 0.0}))
    assert (system.name, system.score_range) == (f"hf:{model}[positive=1,negative=-1,neutral=0]", (-1.0, 1.0))
    good, bad = (probabilities(model, label) for label in ("positive", "negative"))
    assert score_batch(system, BATCH) == pytest.approx([p - n for p, n in zip(good, bad, strict=True)], abs=1e-12)
    third = open_system(f"hf:{model}", Options(classes={"positive": 1.0, "negative": 0.0, "neutral": 1 / 3}))
    assert third.name == f"hf:{model}[positive=1,negative=0,neutral=0.3333333333333333]"
    system = open_system(f"hf:{models['regression']}", Options(score_range=(-100.0, 100.0)))
    assert (system.name, system.score_range) == (f"hf:{models['regression']}", (-100.0, 100.0))
    assert len(set(score_batch(system, BATCH))) == 3


def test_texts_of_like_length_are_forwarded_together_and_each_once(models, store):
    corpus, seen = part_of(open_corpus("en-black-white"), range(300)), []
    system = open_system(f"hf:{models['polarity']}", Options(batch_size=16))

    def score(batch):
        seen.extend(batch["text"])
        return system.scorer(batch)

    scored = score_corpus(replace(system, scorer=score), corpus, store)
    assert sorted(seen) == sorted(set(corpus.columns["text"]))
    assert [len(text) for text in seen] == sorted(map(len, seen), reverse=True)
    assert scored.scores == pytest.approx(score_batch(system, corpus.columns), abs=1e-6)


def test_the_batch_size_does_not_change_the_scores(models):
    system = open_system(f"hf:{models['polarity']}", Options(batch_size=1))
    one_by_one = [score_batch(system, {k: v[i : i + 1] for k, v in BATCH.items()})[0] for i in range(3)]
    assert (system.batch_size, score_batch(system, BATCH)) == (1, pytest.approx(one_by_one, abs=1e-6))


def test_other_weights_have_another_fingerprint(models, tmp_path):
    model = shutil.copytree(models["polarity"], tmp_path / "m")
    before = open_system(f"hf:{model}").fingerprint
    data = (model / "model.safetensors").read_bytes()
    (model / "model.safetensors").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert open_system(f"hf:{model}").fingerprint != before


REFUSED = [
    ("emotions", {}, r"none of the 3 classes is .* with --positive-class, one of anger, fear, joy, or"),
    ("emotions", {"positive_class": "Joy"}, r"no class 'Joy'\. Name .*, one of anger, fear, joy, or"),
    ("regression", {"positive_class": "LABEL_0"}, r"--positive-class LABEL_0 .*, but the model has one output"),
    ("values", {"classes": {"negative": 0.0, "positive": 1.0}}, "values for negative, positive; .* neutral, positive"),
    ("several", {"classes": {"toxic": 0.0, "threat": 1.0}}, "do not exclude each other.* with --positive-class"),
    ("polarity", {"device": "nowhere"}, "device nowhere cannot be used"),
]


@pytest.mark.parametrize(("name", "options", "place"), REFUSED)
def test_the_class_to_score_its_values_and_the_device_must_be_clear(models, name, options, place):
    with pytest.raises(Unavailable, match=rf"^system hf:{re.escape(str(models[name]))}: .*{place}"):
        open_system(f"hf:{models[name]}", Options(**options))


@pytest.mark.parametrize(
    ("kind", "said"),
    [("hf", r"the model cannot be loaded: .* Expected a folder or a Hub id"), ("hf-causal", "causal language model")],
)
def test_a_folder_without_a_model_is_named(tmp_path, kind, said):
    pytest.importorskip("torch", reason="needs the extra hf (torch)")
    (tmp_path / "config.json").write_text('{"model_type": "no-such-type"}')
    with pytest.raises(Unavailable, match=rf"^system {kind}:{re.escape(str(tmp_path))}: .*{said}"):
        open_system(f"{kind}:{tmp_path}")


LABELS = Path(__file__).with_name("labels-of-tokens.toml").read_text()


@pytest.fixture(scope="module")
def corpus():
    return part_of(open_corpus("en-black-white"), range(0, 400, 8))


@pytest.fixture(scope="module")
def causal(corpus, tmp_path_factory):
    return causal_model(tmp_path_factory.mktemp("gpt"), list(corpus.columns["text"]), [str(n) for n in range(10)])


@pytest.fixture
def score(causal, corpus, store, tmp_path):
    """A function that scores the corpus by prompts written to a file."""

    def by(prompts, model=causal, **options):
        (tmp_path / "mine.toml").write_text(prompts)
        asked = Options(endpoint=Endpoint(prompts=str(tmp_path / "mine.toml")), **options)
        return score_corpus(open_system(f"hf-causal:{model}", asked), corpus, store)

    return by


def one_by_one(local, context, label):
    """The log-probability of a label from a plain pass over the whole text, without padding or a second text."""
    import torch

    ids = local.tokenizer.encode(context + label)
    start = len(local.tokenizer.encode(context))
    with torch.no_grad():
        logits = local.network(torch.tensor([ids])).logits[0].double()
    steps = logits.log_softmax(-1)
    return math.fsum(float(steps[place - 1, ids[place]]) for place in range(start, len(ids)))


@pytest.fixture
def any_mass(monkeypatch):
    """Random weights say a label by chance only, which would be no answer."""
    monkeypatch.setattr(reading, "LEAST_MASS", 0.0)


def test_labels_with_under_a_tenth_of_the_probability_are_no_answer(score, monkeypatch):
    monkeypatch.setattr(reading, "LEAST_MASS", 0.0)
    every = score(LABELS)
    monkeypatch.setattr(reading, "LEAST_MASS", 0.1)
    found = score(LABELS)
    assert not any(map(math.isnan, every.scores))
    assert found.states["unreadable"] > 0
    assert sum(map(math.isnan, found.runs["line"])) == sum(found.no_answer["line"])
    kept = [(a, b) for a, b in zip(found.runs["line"], every.runs["line"], strict=True) if not math.isnan(a)]
    assert all(a == b for a, b in kept)


@pytest.mark.usefixtures("any_mass")
@pytest.mark.parametrize("chat", [True, False])
def test_a_label_has_the_probability_of_all_its_tokens(causal, corpus, score, tmp_path, chat):
    scored = score(LABELS, chat_template=chat)
    tokenizer, network, _ = open_model("test", str(causal), "cpu", "CausalLM")
    local = LocalModel(tokenizer, network, chat)
    assert len(tokenizer.encode("12")) > 1
    texts = [corpus.columns["text"][row] for row in (0, 17, 49)]
    contexts = [f"[user] Mood of {text}\n[assistant]" if chat else f"Mood of {text}" for text in texts]
    found = local.logprobs(contexts, ["12", "34", "5"])
    for row, context, shares in zip((0, 17, 49), contexts, found, strict=True):
        expected = [one_by_one(local, context, ("" if chat else " ") + label) for label in ("12", "34", "5")]
        assert shares == pytest.approx(expected, abs=1e-5)
        a, b, c = map(math.exp, expected)
        assert scored.runs["line"][row] == pytest.approx((a + c / 4) / (a + b + c), abs=1e-6)
    assert 0 < scored.mass < 1
    system = f"[system] Answer with a word.\n[user] {texts[-1]} Mood:\n[assistant]"
    plain = f"Answer with a word.\n\n{texts[-1]} Mood:"
    assert local.context(read(tmp_path / "mine.toml").prompts[0], texts[-1]) == (system if chat else plain)


def test_numbers_are_read_from_the_likeliest_answer(score, corpus):
    scored = score(NUMBERS)
    assert set(scored.states) <= {"unreadable"}
    found = [value for value in scored.scores if not math.isnan(value)]
    assert len(found) > len(corpus.ids) / 2
    assert {round(9 * value, 9) % 1 for value in found} == {0.0}
    assert len(set(found)) > 1
    with pytest.raises(Unavailable, match=r"prompt 'digit': the request field 'top_p' is for servers .* Leave it out"):
        score(NUMBERS.replace("max_tokens = 1", "top_p = 0.5"), model="said before any model is loaded")
    with pytest.raises(SystemFailed, match=r"a prompt of \d+ tokens .* more than the 256 that the model can read"):
        score(NUMBERS.replace("From 0 to 9", "From 0 to 9 " + "or so " * 200))


@pytest.mark.usefixtures("any_mass")
def test_a_rerun_asks_nothing_where_model_and_template_are_the_same(corpus, score, tmp_path):
    first, texts = score(LABELS), len(set(corpus.columns["text"]))
    again = score(LABELS.replace("12 = 1", "12 = 0.5"), batch_size=3)
    assert (first.cost.new, again.cost.new, again.cost.stored) == (2 * texts, 0, 2 * texts)
    assert again.scores != first.scores
    plain = score(LABELS, chat_template=False)
    assert plain.cost.new == 2 * texts
    assert plain.scores != pytest.approx(first.scores, abs=1e-3)
    assert score(LABELS, batch_size=1).scores == pytest.approx(first.scores, abs=1e-5)
    # A model without a template is asked plainly and says so.
    model = causal_model(tmp_path / "plain", list(corpus.columns["text"]), [], chat=None)
    system = open_system(f"hf-causal:{model}")
    assert system.name == f"hf-causal:{model}[sentiment plain]"
    assert system.fingerprint.endswith(" plain sentiment")


@pytest.fixture(scope="module")
def nameless(tmp_path_factory):
    """A model that knows none of the names and none of the other words for people."""
    return make_model(tmp_path_factory.mktemp("nameless") / "m", ["NEGATIVE", "POSITIVE"])


@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
@pytest.mark.parametrize("size", [1, 7, 64])
def test_a_model_that_reads_one_token_for_all_names_does_not_react(nameless, tmp_path, store, size, kind):
    transformers = pytest.importorskip("transformers")
    network = transformers.AutoModelForSequenceClassification.from_pretrained(nameless)
    network.to(getattr(pytest.importorskip("torch"), kind)).save_pretrained(tmp_path / "m")
    transformers.AutoTokenizer.from_pretrained(nameless).save_pretrained(tmp_path / "m")
    whole = open_corpus("en-black-white")
    # Alan is among the ten words that it reads. Templates of other lengths pad the batches of each other.
    columns = zip(*(whole.columns[name] for name in ("person_type", "person", "template")), strict=True)
    rows = [
        row
        for row, (kind_of, person, template) in enumerate(columns)
        if kind_of == "name" and person != "alan" and template >= "t06"
    ]
    corpus = part_of(whole, rows)
    system = open_system(f"hf:{tmp_path / 'm'}", Options(batch_size=size))
    audited = run(system, corpus, tmp_path / "out", store)
    result = audited.outcomes[0].result
    assert {finding.verdict for finding in result.findings if not finding.comparison.is_interaction} == {"no_reaction"}
    assert {row.p for row in result.terms if row.term in ("race", "gender")} == {None}
    assert "sentences were scored again" in str(result.notes[0])
