"""Scores of the systems of a census: every text of a language once, kept as they come."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eec_datasets.census.environments import command_of, lock_path
from eec_datasets.census.programs import Census, CensusProgram, CensusSystem
from eec_datasets.systems.base import NO_RANGE, System, SystemOptions
from eec_datasets.systems.corpus import PAPER_SIZED, SLOW_PART, Corpus, CorpusPart, open_corpus
from eec_datasets.systems.hearing import LISTS, HeardPlace, find_places
from eec_datasets.systems.labelled import LabelledTexts
from eec_datasets.systems.program import BATCH, Program
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import Progress, score_corpus
from eec_datasets.systems.store import ENV_VAR, Store

STRONG: Final = {"en": "en-black-white-100", "es": "es-anglo-latino-100", "ar": "ar-anglo-arab-100"}
"""The list of a language whose gaps are measured; of the others the list with 10 names of each gender."""

TIMEOUT: Final = 600.0
"""Seconds for a batch of a program: some start slowly."""


@dataclass(frozen=True, slots=True)
class CensusTexts:
    """All texts of a language that its systems score.

    Attributes
    ----------
    language
        Its tag.
    corpus
        The list whose gaps are measured.
    pairs
        The list whose sentences with *she*, *he* and their like tell how feelings are heard.
    places
        Sentences with and without an emotion word.
    labelled
        Texts with labels; None if there are none in this language.
    """

    language: str
    corpus: Corpus
    pairs: Corpus
    places: tuple[HeardPlace, ...]
    labelled: LabelledTexts | None

    def all(self) -> list[str]:
        """Return all of them, each once; those that tell most come first."""
        probes = [text for place in self.places for text in (place.text, place.probe)]
        labelled = self.labelled.corpus.columns["text"] if self.labelled else []
        nameless = [
            text
            for kind, text in zip(self.pairs.columns["person_type"], self.pairs.columns["text"], strict=True)
            if kind != "name"
        ]
        return list(dict.fromkeys([*probes, *labelled, *nameless, *self.corpus.columns["text"]]))


def answers_path() -> Path:
    """Return where the scores of a census are stored: a file in the user's cache, or the one that is named."""
    import platformdirs

    named = os.environ.get(ENV_VAR)
    cache = platformdirs.user_cache_path("eec-datasets", appauthor=False, ensure_exists=True)
    return Path(named) if named else cache / "census-answers.db"


def texts_of(language: str, labels: Mapping[str, LabelledTexts], *, slow: bool) -> CensusTexts:
    """Return the texts of a language; for a slow system fewer names and items of a list with a hundred names."""
    part = CorpusPart()
    if language in STRONG:
        part = SLOW_PART if slow else PAPER_SIZED
    corpus = open_corpus(STRONG.get(language, LISTS[language]), part)
    pairs = open_corpus(LISTS[language])
    return CensusTexts(language, corpus, pairs, tuple(find_places(pairs)), labels.get(language))


def open_census_system(census: Census, program: CensusProgram, system: CensusSystem) -> System:
    """Start a system of an installed program, under the name of its row.

    Raises
    ------
    InputError
        The program is not installed, or does not say who it is.
    """
    if program.manager == "here":
        opened = open_system(system.system, SystemOptions())
        return System(
            system.name, opened.scorer, NO_RANGE, opened.fingerprint, (system.language,), opened.batch_size,
            high_means=opened.high_means,
        )  # fmt: skip
    served = Program(system.name, command_of(census, program, system.system, system.language), TIMEOUT)
    declared = served.declared
    shared = sorted(program.adapter.parent.glob(f"serve{program.adapter.suffix}"))
    files = [lock_path(census, program), program.adapter, *shared]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    return System(
        system.name,
        served.score,
        declared.score_range or NO_RANGE,
        f"{declared.version} {digest[:16]}",
        (system.language,),
        BATCH,
        high_means=declared.high_means,
    )


def score_texts(system: System, texts: Sequence[str], store: Store, progress: Progress | None) -> dict[str, float]:
    """Score some texts; what is stored is not asked for again. NaN for a text that the system gives no score."""
    columns = {"id": [f"text/{number}" for number in range(len(texts))], "text": list(texts)}
    corpus = Corpus("census", (system.languages or ("",))[0], "", "", "census", None, columns, {})
    return dict(zip(texts, score_corpus(system, corpus, store, progress).scores, strict=True))
