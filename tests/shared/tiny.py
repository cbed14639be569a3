"""The synthetic corpus as sentences, and a BERT small enough to be made and trained in a test."""

from pathlib import Path

import datasets
import pytest
from synthetic import corpus

from eec_bias.shared import write_folder
from eec_datasets.audit.task_files import Harness, task_files
from eec_datasets.systems.corpus import Corpus

LABELS = """
read = "labels"
labels = {A = 0, B = 0.5, C = 1}
[[prompts]]
name = "letters"
system = "Answer with one letter."
text = "A is a bad mood, B neither, C a good one. {text}"
[[prompts]]
name = "first"
text = "{text} Mood:"
"""
"""Prompts that ask for a letter, which a tiny model has as a token."""

NUMBERS = """
range = [0, 9]
request = {max_tokens = 1}
[[prompts]]
name = "digit"
text = "From 0 to 9: {text} Mood: "
"""
"""A prompt that asks for a digit."""


def sentences(**sizes: object) -> datasets.Dataset:
    """The synthetic corpus as sentences of a few words, with labels that differ."""
    rows = corpus(**sizes)
    rows["text"] = [
        f"{person} {item.replace('/', ' ')}" for person, item in zip(rows["person"], rows["item"], strict=True)
    ]
    rows["labels"] = [int(gender == "female") for gender in rows["gender"]]
    return datasets.Dataset.from_pandas(rows, preserve_index=False)


class Tiny:
    """A tokenizer over the corpus' own words and a one-layer BERT."""

    def __init__(self, folder: Path, *corpora: datasets.Dataset) -> None:
        self.torch = pytest.importorskip("torch", reason="needs the extra hf (torch)")
        self.transformers = pytest.importorskip("transformers", reason="needs the extra hf (transformers)")
        words = sorted({word for part in corpora for text in part["text"] for word in text.replace("-", " - ").split()})
        self.words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words]
        (folder / "vocab.txt").write_text("\n".join(self.words), encoding="utf-8")
        self.tokenizer = self.transformers.BertTokenizer(str(folder / "vocab.txt"))
        self.folder = folder

    def tokenised(self, part: datasets.Dataset) -> datasets.Dataset:
        return part.map(lambda rows: self.tokenizer(rows["text"]), batched=True)

    def model(self, labels, **options: object):
        """A model with one output per label and random weights."""
        config = self.transformers.BertConfig(
            vocab_size=len(self.words), hidden_size=8, num_hidden_layers=1, num_attention_heads=1,
            intermediate_size=8, max_position_embeddings=32, id2label=dict(enumerate(labels)),
            label2id={label: i for i, label in enumerate(labels)}, **options,
        )  # fmt: skip
        return self.transformers.BertForSequenceClassification(config)

    def train(self, evaluated, compute_metrics, outputs: int = 2, **arguments: object):
        """Train for two epochs on the first rows, evaluating after each; return the trainer."""
        pytest.importorskip("accelerate", reason="transformers.Trainer needs accelerate")
        self.torch.manual_seed(0)
        first = next(iter(evaluated.values())) if isinstance(evaluated, dict) else evaluated
        few = first.select(range(32))
        trainer = self.transformers.Trainer(
            model=self.model([f"LABEL_{i}" for i in range(outputs)]),
            args=self.transformers.TrainingArguments(
                output_dir=str(self.folder / "run"), num_train_epochs=2, per_device_train_batch_size=16,
                per_device_eval_batch_size=64, eval_strategy="epoch", save_strategy="no", report_to=[],
                disable_tqdm=True, use_cpu=True, dataloader_pin_memory=False, **arguments,
            ),
            train_dataset=few.cast_column("labels", datasets.Value("float32")) if outputs == 1 else few,
            eval_dataset=evaluated,
            data_collator=self.transformers.DataCollatorWithPadding(self.tokenizer),
            compute_metrics=compute_metrics,
        )  # fmt: skip
        trainer.train()
        return trainer


def written(folder: Path, harness: Harness, corpus: Corpus, prompts: str) -> Path:
    """Write a task of a harness beside its prompts; its folder."""
    (folder / "mine.toml").write_text(prompts)
    write_folder(folder / "task", task_files(harness, corpus, str(folder / "mine.toml")), "task")
    return folder / "task"


CHAT = "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}\n{% endfor %}[assistant]"


def causal_model(folder: Path, texts: list[str], likely: list[str], chat: str | None = CHAT, seed: int = 0) -> Path:
    """Write a GPT-2 with random weights and a byte-level tokenizer; some words are likely to follow anything."""
    torch = pytest.importorskip("torch", reason="needs the extra hf (torch)")
    transformers = pytest.importorskip("transformers", reason="needs the extra hf (transformers)")
    tokenizers = pytest.importorskip("tokenizers", reason="needs the extra hf (transformers)")
    raw = tokenizers.Tokenizer(tokenizers.models.BPE())
    raw.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    raw.train_from_iterator(texts, tokenizers.trainers.BpeTrainer(
        vocab_size=600, special_tokens=["<end>"], initial_alphabet=alphabet, show_progress=False))  # fmt: skip
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<end>", bos_token="<end>")
    tokenizer.chat_template = chat
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    network = transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=len(tokenizer), n_positions=256, n_embd=32, n_layer=2, n_head=2, initializer_range=0.5,
        tie_word_embeddings=False, bos_token_id=0, eos_token_id=0))  # fmt: skip
    with torch.no_grad():
        network.transformer.ln_f.bias += 1.0
        for word in likely:
            network.lm_head.weight[tokenizer.encode(word)[0]] = 0.7 + 0.2 * torch.randn(32)
    network.save_pretrained(folder)
    return folder


TEN_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "maria", "alan", "feels", "angry", "happy", "."]


def make_model(folder, labels, problem=None):
    """Write a two-layer BERT with random weights and a ten-word tokenizer."""
    torch = pytest.importorskip("torch", reason="needs the extra hf (torch)")
    transformers = pytest.importorskip("transformers", reason="needs the extra hf (transformers)")
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(TEN_WORDS))
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    names = {"id2label": dict(enumerate(labels)), "label2id": {label: i for i, label in enumerate(labels)}}
    config = transformers.BertConfig(
        vocab_size=len(TEN_WORDS),
        max_position_embeddings=32,
        initializer_range=1.0,
        problem_type=problem,
        **sizes,
        **names,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return folder
