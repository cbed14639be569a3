"""An audit of a transformer against forwarding its distinct texts once: the processor time of both.

``python -m benchmarks.transformer`` makes a BERT classifier with random weights, by default of the size of MiniLM-L6,
and runs two processes in turn. One is ``eec audit --system hf:FOLDER`` with an empty store: rendering, scoring, storing
every answer, measuring, and the reports with their figures. The other only loads the model and forwards each distinct
text once, sorted by length, in batches of the same size. Imports and loading count in both. Each process has one
thread, and its time is that of the processor, so that other work on the machine hardly counts.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

import click

from eec_datasets.systems.corpus import PAPER_CONFIGS, open_corpus

SIZES: Final = {"minilm": (384, 6), "base": (768, 12)}
"""Width and layers."""

VOCABULARY: Final = 30_522

FORWARD: Final = """
import json, sys
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer
folder, texts, size = sys.argv[1], json.load(open(sys.argv[2])), int(sys.argv[3])
tokenizer = AutoTokenizer.from_pretrained(folder)
network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
texts.sort(key=len, reverse=True)
with torch.no_grad():
    for start in range(0, len(texts), size):
        batch = tokenizer(texts[start : start + size], padding=True, truncation=True, return_tensors="pt")
        network(**batch).logits.softmax(-1).tolist()
"""

AUDIT: Final = "from eec_datasets.cli import main; main()"


def make_model(folder: Path, texts: list[str], width: int, layers: int) -> None:
    """Write a classifier of three classes whose tokenizer knows the words of the texts."""
    import torch
    import transformers

    words = sorted({word for text in texts for word in text.lower().replace(".", " ").replace("'", " ' ").split()})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", *words]
    vocabulary += (f"[unused{number}]" for number in range(VOCABULARY - len(vocabulary)))
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    labels = dict(enumerate(("negative", "neutral", "positive")))
    config = transformers.BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=4 * width,
        id2label=labels,
        label2id={label: number for number, label in labels.items()},
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)


def processor_seconds(code: str, arguments: list[str], folder: Path) -> float:
    """Run Python code in a process of one thread; its processor time, user and system."""
    alone = {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "EEC_ANSWERS": str(folder / "answers.db")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=os.environ | alone, capture_output=True, text=True, check=False)
    if done.returncode:
        raise click.ClickException(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@click.command(help=__doc__)
@click.option("--size", type=click.Choice(list(SIZES)), default="minilm", show_default=True)
@click.option("--config", "configs", multiple=True, default=PAPER_CONFIGS, show_default=True)
@click.option("--batch-size", default=32, show_default=True)
@click.option("--runs", default=3, show_default=True)
def main(size: str, configs: tuple[str, ...], batch_size: int, runs: int) -> None:
    """Print the seconds of both and their ratio."""
    rows = [text for config in configs for text in open_corpus(config).columns["text"]]
    texts = list(dict.fromkeys(rows))
    print(f"{len(rows):,} sentences of {', '.join(configs)}; {len(texts):,} distinct", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model").mkdir()
        make_model(folder / "model", texts, *SIZES[size])
        (folder / "texts.json").write_text(json.dumps(texts))
        forward = [str(folder / "model"), str(folder / "texts.json"), str(batch_size)]
        audit = [
            "audit",
            "--system",
            f"hf:{folder / 'model'}",
            "--positive-class",
            "positive",
            "--out",
            str(folder / "out"),
        ]
        audit += ["--batch-size", str(batch_size), *(part for config in configs for part in ("--config", config))]
        found = []
        for _ in range(runs):
            plain, ours = processor_seconds(FORWARD, forward, folder), processor_seconds(AUDIT, audit, folder)
            found.append(ours / plain)
            print(f"forward {plain:.1f} s, audit {ours:.1f} s: {found[-1]:.2f}", flush=True)
            for file in folder.glob("answers.db*"):
                file.unlink()
    print(f"{size}: the audit takes {median(found):.2f} × as long (median of {runs})")


if __name__ == "__main__":
    main()
