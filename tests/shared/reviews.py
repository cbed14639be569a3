"""Reviews as readers save them, made up: no native speaker has judged a sentence here."""

import json
from datetime import date
from functools import cache

from eec_datasets import corpora
from eec_datasets.contribute.review_choice import choose_sentences
from eec_datasets.contribute.saved_reviews import store_reviews
from eec_datasets.locale.reading import load_locale
from eec_datasets.locale.reviews import hash_of

DAY = date(2026, 11, 20)


@cache
def first_sentences():
    """The sentences that a page of Portuguese shows."""
    return choose_sentences("pt", 64).sentences


def saved(verdicts, name="Rita Prova", native=True, country="PT", day="2026-11-20", **reader):
    """Return the file that a page saves if a reader gives these verdicts to the first sentences of Portuguese."""
    return {
        "format": "eec-review", "schema": 1, "language": "pt", "version": "1.0.0", "date": day,
        "reader": {
            "name": name, "native": native, "country": country, "variety": "", "consent": True,
            "licence": "CC BY 4.0", **reader,
        },
        "answers": [
            {
                "config": sentence.key.config, "id": sentence.key.id, "speaker": sentence.key.speaker,
                "variants": sentence.key.variants, "text": sentence.text, "hash": hash_of(sentence.text),
                "verdict": verdict, "correction": "", "comment": "", "question": sentence.question,
            }
            for sentence, verdict in zip(first_sentences(), verdicts, strict=False)
        ],
    }  # fmt: skip


def put(folder, content, name="saved.json"):
    path = folder.parent / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def store(folder, content, name="saved.json"):
    return store_reviews("pt", [put(folder, content, name)], folder)


def status(folder):
    return corpora.review_of(load_locale("pt", folder), folder)
