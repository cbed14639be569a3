"""hf:MODEL, on tiny models with random weights made on the spot."""

import re
import shutil
from dataclasses import replace

import pytest
from tiny import make_model

from eec_datasets.audit.running import run
from eec_datasets.errors import Unavailable
from eec_datasets.systems.base import SystemOptions, score_batch
from eec_datasets.systems.corpus import open_corpus, part_of
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import score_corpus

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
    columns = [score_batch(open_system(f"hf:{model}", SystemOptions(positive_class=label)), BATCH) for label in labels]
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
    system = open_system(f"hf:{model}", SystemOptions(classes={"positive": 1.0, "negative": -1.0, "neutral": 0.0}))
    assert (system.name, system.score_range) == (f"hf:{model}[positive=1,negative=-1,neutral=0]", (-1.0, 1.0))
    good, bad = (probabilities(model, label) for label in ("positive", "negative"))
    assert score_batch(system, BATCH) == pytest.approx([p - n for p, n in zip(good, bad, strict=True)], abs=1e-12)
    third = open_system(f"hf:{model}", SystemOptions(classes={"positive": 1.0, "negative": 0.0, "neutral": 1 / 3}))
    assert third.name == f"hf:{model}[positive=1,negative=0,neutral=0.3333333333333333]"
    system = open_system(f"hf:{models['regression']}", SystemOptions(score_range=(-100.0, 100.0)))
    assert (system.name, system.score_range) == (f"hf:{models['regression']}", (-100.0, 100.0))
    assert len(set(score_batch(system, BATCH))) == 3


def test_texts_of_like_length_are_forwarded_together_and_each_once(models, store):
    corpus, seen = part_of(open_corpus("en-black-white"), range(300)), []
    system = open_system(f"hf:{models['polarity']}", SystemOptions(batch_size=16))

    def score(batch):
        seen.extend(batch["text"])
        return system.scorer(batch)

    scored = score_corpus(replace(system, scorer=score), corpus, store)
    assert sorted(seen) == sorted(set(corpus.columns["text"]))
    assert [len(text) for text in seen] == sorted(map(len, seen), reverse=True)
    assert scored.scores == pytest.approx(score_batch(system, corpus.columns), abs=1e-6)


def test_the_batch_size_does_not_change_the_scores(models):
    system = open_system(f"hf:{models['polarity']}", SystemOptions(batch_size=1))
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
        open_system(f"hf:{models[name]}", SystemOptions(**options))


def test_a_folder_without_a_model_is_named(tmp_path):
    pytest.importorskip("torch", reason="needs the extra hf (torch)")
    (tmp_path / "config.json").write_text('{"model_type": "no-such-type"}')
    with pytest.raises(Unavailable, match=r"the model cannot be loaded: .* Expected a folder or a Hub id"):
        open_system(f"hf:{tmp_path}")


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
    system = open_system(f"hf:{tmp_path / 'm'}", SystemOptions(batch_size=size))
    audited = run(system, corpus, tmp_path / "out", store)
    result = audited.measurements[0].result
    assert {finding.answer for finding in result.gaps if not finding.comparison.is_interaction} == {"deaf"}
    assert {row.p for row in result.terms if row.term in ("race", "gender")} == {None}
    assert "We scored 32 sentences again" in str(result.notes[0])
