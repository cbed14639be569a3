"""Texts → rewrites, counted; the selection of the paper; rows. The public side of this package."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.errors import EecError
from eec_datasets.locale.reading import locales_folder
from eec_datasets.rewrite.anchors import load_anchors
from eec_datasets.rewrite.fillers import read_fillers
from eec_datasets.rewrite.frame import Rewrite
from eec_datasets.rewrite.language import Watch
from eec_datasets.rewrite.resolving import LeftOut, resolve
from eec_datasets.rewrite.selecting import Balanced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pyarrow as pa

    from eec_datasets.rewrite.anchors import Anchors
    from eec_datasets.rewrite.fillers import Names
    from eec_datasets.rewrite.frame import Filler
    from eec_datasets.rewrite.writing import Batches

MAX_WORDS: Final = 50
"""Longest text, in words: the limit of Prabhakaran et al. (2019), section 2.2."""

GENDERS: Final = ("female", "male", "both", "none")


class PerturbError(EecError):
    """The texts cannot be perturbed as asked; the message says what to change."""


@dataclass(slots=True)
class Tally:
    """What became of the texts, per gender of their anchors.

    Attributes
    ----------
    texts
        Texts read.
    rewritten
        Gender of the anchors → texts that could be rewritten.
    left_out
        (reason, gender) → texts; the gender is ``none`` without an anchor and ``both`` with anchors of both.
    """

    texts: int = 0
    rewritten: Counter[str] = field(default_factory=Counter)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)

    def rows(self) -> list[dict[str, str | int]]:
        """One row per reason, the most frequent first, with a column per gender."""
        reasons = Counter[str]()
        for (reason, _), count in self.left_out.items():
            reasons[reason] += count
        ordered = [reason for reason, _ in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))]
        return [
            {"reason": reason, **{g: self.left_out[reason, g] for g in GENDERS}, "all": reasons[reason]}
            for reason in ordered
        ]

    def by_reason(self) -> dict[str, dict[str, int]]:
        """Reason → gender of the anchors → texts left out, the most frequent reason first."""
        return {
            str(row["reason"]): {gender: int(row[gender]) for gender in GENDERS if row[gender]} for row in self.rows()
        }


class Rewriter:
    """Texts in, rewrites out, one after another; `tally` counts as it goes.

    Parameters
    ----------
    language
        Tag of a locale with an ``anchors.toml``.
    max_words
        Longer texts are left out; None for 5,000, beyond which nothing is read as a comment.
    root
        Folder of locales, if not the one that comes with the package.
    """

    def __init__(self, language: str, *, max_words: int | None = MAX_WORDS, root: str | Path | None = None) -> None:
        if max_words is not None and max_words < 1:
            raise PerturbError(f"max_words is {max_words}; expected 1 or more, or None for 5,000.")
        folder = Path(root) if root else locales_folder()
        self.anchors: Anchors = load_anchors(language, folder)
        self.max_words = max_words
        self.tally = Tally()
        self.watch = Watch(self.anchors, folder)

    def __call__(self, texts: Iterable[str]) -> Iterator[Rewrite]:
        """Rewrite what can be rewritten, in order; ids count all texts read.

        Raises
        ------
        PerturbError
            A text is no string, or none can be rewritten.
        LanguageError
            The texts are in another language than said (looked at after some hundreds, and at the end).
        """
        for text in texts:
            if not isinstance(text, str):
                raise PerturbError(
                    f"Text {self.tally.texts + 1} is of type {type(text).__name__}; expected strings. Leave out "
                    "missing ones"
                )
            self.tally.texts += 1
            self.watch.look(text)
            found = resolve(self.anchors, text, self.max_words)
            if isinstance(found, LeftOut):
                self.tally.left_out[found.reason, found.anchor] += 1
                continue
            self.tally.rewritten[found.anchor] += 1
            yield Rewrite(f"s{self.tally.texts:07d}", text, found.anchor, found.pieces)
        self.watch.end()
        self._check_any()

    def _check_any(self) -> None:
        tally = self.tally
        if tally.rewritten.total():
            return
        if not tally.texts:
            raise PerturbError("There are no texts: nothing was read. Give a source with at least one text")
        told = "; ".join(f"{row['all']:,}: {self.anchors.reasons[str(row['reason'])]}" for row in tally.rows()[:3])
        raise PerturbError(
            f"None of the {tally.texts:,} texts can be rewritten in the language '{self.anchors.tag}'. Why, for "
            f"most of them: {told}"
        )


@dataclass(frozen=True)
class Summary:
    """What a report tells: counts of texts and sentences, and what was asked for.

    Attributes
    ----------
    sampled
        Sentences per gender of the anchor that are rewritten in the output.
    """

    language: str
    anchors: Anchors = field(repr=False)
    tally: Tally
    sampled: Mapping[str, int]
    persons: int
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Perturbation:
    """Sentences that can be said of others, and who they are said of.

    Attributes
    ----------
    rewrites
        The chosen sentences in the order of the texts.
    fillers
        Who is put into them.
    tally
        What became of all texts.
    """

    language: str
    rewrites: tuple[Rewrite, ...]
    fillers: tuple[Filler, ...]
    tally: Tally
    anchors: Anchors = field(repr=False)
    options: Mapping[str, Any]

    @property
    def left_out(self) -> dict[str, dict[str, int]]:
        """Reason → gender of the anchors → texts left out."""
        return self.tally.by_reason()

    @property
    def summary(self) -> Summary:
        """The counts; ``str(perturbation)`` is the table of them."""
        sampled = Counter(rewrite.anchor for rewrite in self.rewrites)
        return Summary(self.language, self.anchors, self.tally, sampled, len(self.fillers), self.options)

    def __str__(self) -> str:
        from eec_datasets.rewrite.report import as_text

        return as_text(self.summary)

    def batches(self, size: int | None = None) -> Batches:
        """The rows, some at a time: an iterator of ``pyarrow.RecordBatch`` that counts what it leaves out."""
        return rows_of(self.rewrites, self.fillers, self.anchors, size)

    def table(self) -> pa.Table:
        """All rows as a table of plain strings."""
        import pyarrow as pa

        batches = self.batches()
        plain = pa.schema([(name, pa.string()) for name in batches.schema.names])
        return pa.Table.from_batches([batch.cast(plain) for batch in batches], plain)

    def write(self, path: str | Path, *, overwrite: bool = False) -> int:
        """Write the rows to a ``.parquet`` or ``.csv`` file, and the report beside it; returns the number of rows.

        Raises
        ------
        OutputError
            See `eec_datasets.rewrite.writing.write`.
        """
        from eec_datasets.rewrite import report, writing

        rows = self.batches()

        def told(count: int) -> None:
            report.write(Path(path), self.summary, count, rows.named)

        return writing.write(Path(path), rows, overwrite=overwrite, first=told)


def rows_of(
    rewrites: Iterable[Rewrite], fillers: Sequence[Filler], anchors: Anchors, size: int | None = None
) -> Batches:
    """The rows of rewrites that may stream by (see `eec_datasets.rewrite.writing.batches`)."""
    from eec_datasets.rewrite import writing

    return writing.batches(rewrites, fillers, language=anchors.tag, size=size or writing.SIZE, fuse=anchors.fuse)


def perturb(
    texts: Iterable[str],
    language: str,
    names: Names,
    *,
    sample: int | None = None,
    max_words: int | None = MAX_WORDS,
    seed: int = 0,
    noun_phrases: bool = False,
    root: str | Path | None = None,
) -> Perturbation:
    """Say a user's own sentences of other persons (Prabhakaran et al. 2019).

    Parameters
    ----------
    texts
        Comments of one or several sentences; each is rewritten as a whole or left out. Any iterable: texts are read
        once, and no more is held than what is sampled.
    language
        Tag of a locale with an ``anchors.toml``: ``en``, ``es``, ``ar``.
    names
        Who is put in: see `eec_datasets.rewrite.fillers.read_fillers`.
    sample
        Number of sentences, half of them with female and half with male anchors, drawn at random; None for all.
    max_words
        Longer texts are left out; None for 5,000, beyond which nothing is read as a comment.
    seed
        Of the sample.
    noun_phrases
        Whether the noun phrases of a config are put in as well.
    root
        Folder of locales, if not the one that comes with the package.

    Returns
    -------
    Perturbation

    Raises
    ------
    PerturbError
        There are too few sentences of a gender for the sample, or none at all.
    NamesError, LanguageError, UnknownConfig, LocaleError
        See there.
    """
    if isinstance(texts, str):
        raise PerturbError(
            "The texts are one string; expected several, such as a list or a file that is open for reading."
        )
    folder = Path(root) if root else None
    rewriter = Rewriter(language, max_words=max_words, root=root)
    fillers = read_fillers(rewriter.anchors, names, root=folder, noun_phrases=noun_phrases)
    found = rewriter(texts)
    if sample is not None:
        found = Balanced(sample, seed, tuple(rewriter.anchors.columns)).drawn(found)
    rewrites = tuple(found)
    options = {"sample": sample, "max_words": max_words, "seed": seed}
    return Perturbation(language, rewrites, fillers, rewriter.tally, rewriter.anchors, options)
