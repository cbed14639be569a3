"""Texts → rewrites, counted; the selection of the paper; rows. The public side of this package."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_datasets import files, row_file
from eec_datasets.errors import EecError
from eec_datasets.locale.families import USUAL, NameFamilies
from eec_datasets.locale.reading import families_of, locales_folder
from eec_datasets.rewrite.anchors import SAME, SWAPPED
from eec_datasets.rewrite.fillers import read_fillers
from eec_datasets.rewrite.given_names import given_names, with_given
from eec_datasets.rewrite.language import LanguageCheck
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.report import PerturbReport, path_beside
from eec_datasets.rewrite.resolve import LONGEST, LeftOut, Rewritable, resolve
from eec_datasets.rewrite.rows import SIZE, Batches
from eec_datasets.rewrite.slots import Rewrite
from eec_datasets.rewrite.tagger import load_tagger

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pyarrow as pa

    from eec_datasets.rewrite.fillers import Names
    from eec_datasets.rewrite.left_out import LeftOutCallback
    from eec_datasets.rewrite.slots import Filler

MAX_WORDS: Final = 50
"""Longest text, in words: the limit of Prabhakaran et al. (2019), section 2.2."""


class PerturbError(EecError):
    """The texts cannot be perturbed as asked; the message says what to change."""


@dataclass(frozen=True)
class Perturbation:
    """Sentences that can be said of others, and who they are said of.

    Attributes
    ----------
    rewrites
        The chosen sentences in the order of the texts.
    fillers
        Who is put into them.
    report
        What became of all texts; ``str(perturbation)`` is its table.
    families
        Which letters of their names persons share, in the language of the texts.
    """

    rewrites: Iterable[Rewrite]
    fillers: tuple[Filler, ...]
    report: PerturbReport
    families: NameFamilies = USUAL

    @property
    def language(self) -> str:
        """Tag of the texts' language."""
        return self.report.anchors.tag

    @property
    def left_out(self) -> dict[str, dict[str, int]]:
        """Reason → gender of the anchors → texts left out."""
        return self.report.by_reason()

    def __str__(self) -> str:
        return str(self.report)

    def batches(self, size: int = SIZE, corpus: str = "") -> Batches:
        """The rows, some at a time: an iterable of ``pyarrow.RecordBatch`` that counts what it leaves out.

        Results call them ``corpus``.

        Raises
        ------
        PerturbError
            The texts are read while rows are made of them (`stream`), and have been.
        """
        if isinstance(self.rewrites, Iterator) and self.report.texts:
            raise PerturbError("The texts are read already, and stream makes rows once. Perturb them again")
        counted, fuse = self.report.count(self.rewrites), self.report.anchors.fuse
        row_batches = Batches(
            counted,
            self.fillers,
            language=self.language,
            size=size,
            fuse=fuse,
            families=self.families,
            corpus=corpus,
        )
        self.report.named, self.report.fewer = row_batches.named, row_batches.fewer
        return row_batches

    def table(self) -> pa.Table:
        """All rows as a table of plain strings."""
        import pyarrow as pa

        batches = self.batches()
        plain_schema = pa.schema([(name, pa.string()) for name in batches.schema.names])
        return pa.Table.from_batches(batches, batches.schema).cast(plain_schema)

    def write(self, path: str | Path, *, overwrite: bool = False) -> int:
        """Write the rows to a ``.parquet`` or ``.csv`` file, and the report beside it; return the number of rows.

        The texts stay as they are, byte for byte.

        What was written there before is replaced while it is unchanged, anything else only with `overwrite`.

        Raises
        ------
        OutputUnwritable
            See `eec_datasets.row_file.write`.
        """
        path = Path(path)
        files.check([path_beside(path)], overwrite=overwrite)
        write_report = partial(self.report.write, path, len(self.fillers), overwrite=overwrite)
        return row_file.write(
            path, self.batches(corpus=path.stem), overwrite=overwrite, guard=False, first=write_report
        )


def perturb(
    texts: Iterable[str],
    language: str,
    names: Names,
    *,
    sample: int | None = None,
    max_words: int | None = MAX_WORDS,
    seed: int = 0,
    noun_phrases: bool = False,
    stream: bool = False,
    swap_gender: bool = False,
    experimental: bool = False,
    labels: Iterable[object] | None = None,
    tell_left_out: LeftOutCallback | None = None,
    tagger: str | None = None,
    replace: Names | None = None,
    root: str | Path | None = None,
) -> Perturbation:
    """Rewrite a user's own sentences so that they are about other persons (Prabhakaran et al. 2019).

    Women's names are put into texts about women and men's into texts about men, so that nothing but the name differs:
    the question is whether the name matters. With `swap_gender` every name is put into every text, and all words that
    agree with the person change: the question is whether the gender matters. Fewer texts can be rewritten so.

    Parameters
    ----------
    texts
        Comments of one or several sentences; each is rewritten as a whole or left out. Any iterable: texts are read
        once, and no more is held than what is sampled and a fingerprint of each text with pronouns of one gender.
    language
        Tag of a locale with an ``anchors.toml``: ``en``, ``es``, ``ar``.
    names
        Who is put in: a CSV file with the columns ``name`` and ``gender`` and any further labels, a text file with
        ``NAME,GENDER`` in each line, the name of a config of the same language, or in Python a mapping of names to
        genders. `eec_datasets.rewrite.fillers.read_fillers` says more.
    sample
        Number of sentences, half of them with female and half with male anchors, drawn at random; None for all.
    max_words
        Longer texts are left out; None for 5,000, beyond which nothing is read as a comment whatever is asked for.
    seed
        Of the sample.
    noun_phrases
        Whether the noun phrases of a config are put in as well.
    stream
        Whether the texts are read while rows are made of them, which can be done once.
    swap_gender
        Whether texts about women are said of men as well, and the other way round.
    experimental
        Whether a language may be rewritten whose rules have not held on natural text: ``ar``.
    labels
        A label or a score per text, in the order of the texts: the report compares those kept with those left out.
    tell_left_out
        Is called with id, text and reason of every text left out; see `eec_datasets.rewrite.left_out`.
    tagger
        A spaCy model, by name or folder, that is asked where the rules cannot read a word; None for the rules alone.
    replace
        Names that are replaced where they stand in the texts, as pronouns are: a list like `names`, or ``"tables"``
        for the first names in the language's own files. None: a text with a name in it is left out.
    root
        Folder of locales, if not the one that comes with the package.

    Returns
    -------
    Perturbation

    Raises
    ------
    PerturbError
        There are too few sentences of a gender for the sample, or none at all.
    NamesError, LanguageError, TaggerError, UnknownConfig, LocaleError
        The names, the language, the tagger, the config or its files cannot be used.
    """
    # To go through a frame is to go through the names of its columns.
    if isinstance(texts, str | Mapping) or not isinstance(texts, Iterable) or hasattr(texts, "columns"):
        raise PerturbError(
            f"The texts are of type {type(texts).__name__}; expected several strings, such as a list, a column of a "
            "table or a file open for reading"
        )
    if not isinstance(language, str):
        raise PerturbError(f"language is {language!r}; expected the tag of a locale, such as 'en'")
    if not isinstance(seed, Integral):
        raise PerturbError(f"seed is {seed!r}; expected a whole number")
    for option, number in (("max_words", max_words), ("sample", sample)):
        if number is not None and (not isinstance(number, Integral) or isinstance(number, bool) or number < 1):
            raise PerturbError(f"{option} is {number!r}; expected a whole number, 1 or more, or None")
    # numpy's whole numbers are no numbers of JSON, in which the report is written.
    max_words, sample, seed = max_words and min(int(max_words), LONGEST), sample and int(sample), int(seed)
    folder = Path(root) if root else locales_folder()
    anchors = load_anchors(language, folder, question=SWAPPED if swap_gender else SAME)
    if anchors.experimental and not experimental:
        raise PerturbError(
            f"The language '{language}' is experimental. {anchors.experimental} If that will do, ask for it with "
            "experimental=True (--experimental)"
        )
    used = {"tagger": anchors.asks_a_tagger, "replace": bool(anchors.name_patterns)}
    for option, value in (("tagger", tagger), ("replace", replace)):
        if value is not None and not used[option]:
            raise PerturbError(f"The rules of the language '{language}' have no use for {option} yet. Leave it out")
    genders = tuple(anchors.columns)
    if sample and sample % len(genders):
        raise PerturbError(
            f"A sample of {sample} cannot be balanced: expected a multiple of {len(genders)}, so that each of "
            f"{', '.join(genders)} gets the same number"
        )
    fillers = read_fillers(anchors, names, root=folder, noun_phrases=noun_phrases)
    model = load_tagger(tagger, language) if tagger else None
    replaced = given_names(anchors, replace, folder) if replace is not None else None
    anchors = with_given(anchors, replaced) if replaced else anchors
    options = {
        "sample": sample,
        "max_words": max_words,
        "seed": seed,
        "swap_gender": swap_gender,
        "tagger": model.name if model else None,
    }
    report = PerturbReport(anchors, options | {"replace": replaced and replaced.to_dict()})
    resolve_text = partial(resolve, anchors, max_words=max_words, tagger=model)
    agreements = frozenset(each.agreement for each in fillers)
    read = _labelled(texts, labels)
    rewrites = _rewrites(read, report, agreements, resolve_text, LanguageCheck(anchors, folder), tell_left_out)
    if sample is not None:
        rewrites = _drawn(rewrites, sample // len(genders), seed, genders)
    counted = rewrites if stream else tuple(report.count(rewrites))
    return Perturbation(counted, fillers, report, families_of(folder / language))


def _labelled(texts: Iterable[str], labels: Iterable[object] | None) -> Iterator[tuple[str, object]]:
    """Every text with its label; None where no labels are given.

    Raises
    ------
    PerturbError
        There are more texts than labels, or more labels than texts.
    """
    if labels is None:
        yield from ((text, None) for text in texts)
        return
    of_each = iter(labels)
    number = 0
    for number, text in enumerate(texts, start=1):
        try:
            label = next(of_each)
        except StopIteration:
            raise PerturbError(f"There are {number - 1:,} labels and more texts; expected a label for each") from None
        yield text, label
    if next(of_each, of_each) is not of_each:
        raise PerturbError(f"There are {number:,} texts and more labels; expected a label for each text")


def _rewrites(
    texts: Iterable[tuple[str, object]], report: PerturbReport, agreements: frozenset[str],
    resolve_text: Callable[[str], Rewritable | LeftOut], language: LanguageCheck, tell: LeftOutCallback | None,
) -> Iterator[Rewrite]:  # fmt: skip
    """Rewrite what can be rewritten, in order, and count what becomes of every text; ids count all texts read.

    Raises
    ------
    PerturbError
        A text is no string, or none can be rewritten.
    LanguageError
        The texts are in another language than said (looked at after `language.TEXTS_CHECKED` of them, or at the end).
    """
    read: dict[bytes, str] = {}
    rewritten: dict[bytes, str] = {}
    for text, label in texts:
        if not isinstance(text, str):
            raise PerturbError(
                f"Text {report.texts + 1} is of type {type(text).__name__}; expected strings. Leave out missing ones"
            )
        language.add(text)
        resolved = resolve_text(text)
        if isinstance(resolved, Rewritable) and agreements.isdisjoint(resolved.pieces):
            resolved = LeftOut("no-names", resolved.anchor)
        id = f"s{report.texts + 1:07d}"
        report.add(resolved, text, label, copy=bool(resolved.role) and read.setdefault(_fingerprint(text), id) != id)
        if isinstance(resolved, Rewritable):
            template = rewritten.setdefault(_fingerprint(repr(resolved.pieces)), id)
            yield Rewrite(id, text, resolved.anchor, resolved.pieces, template)
        elif tell:
            tell(id, text, resolved)
    language.check()
    if not report.texts:
        raise PerturbError("There are no texts: nothing was read. Give a source with at least one text")
    if not report.rewritten:
        most = list(report.by_reason().items())[:3]
        why = " ".join(f"{sum(by_gender.values()):,}: {report.anchors.reasons[reason]}" for reason, by_gender in most)
        raise PerturbError(
            f"None of the {report.texts:,} texts can be rewritten in the language '{report.anchors.tag}'. Why, for "
            f"most of them: {why}"
        )


def _fingerprint(text: str) -> bytes:
    """What tells copies of a text without holding it."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _drawn(rewrites: Iterable[Rewrite], each: int, seed: int, genders: Sequence[str]) -> Iterator[Rewrite]:
    """Draw sentences, equally many of each gender: one reservoir per gender (Vitter's algorithm R).

    What is drawn depends on the seed and the order of the sentences alone. It comes in the order of the texts, which
    are all read when the first sentence is asked for.
    """
    # A generator per gender: the women's sample does not depend on how many men are in the texts.
    generators = {gender: random.Random(f"{seed}/{gender}") for gender in genders}
    reservoirs: dict[str, list[Rewrite]] = {gender: [] for gender in genders}
    seen = Counter(dict.fromkeys(genders, 0))
    for rewrite in rewrites:
        gender = rewrite.anchor
        seen[gender] += 1
        if len(reservoirs[gender]) < each:
            reservoirs[gender].append(rewrite)
        elif (position := generators[gender].randrange(seen[gender])) < each:
            reservoirs[gender][position] = rewrite
    most = len(seen) * min(seen.values())
    if most < len(seen) * each:
        counts = ", ".join(f"{count:,} with {gender} anchors" for gender, count in seen.items())
        mend = f"Ask for {most} at most" if most else "Give texts with anchors of both genders, or take no sample"
        raise PerturbError(
            f"A sample of {each * len(seen)} needs {each:,} sentences of each gender; the texts have {counts} that can "
            f"be rewritten. {mend}"
        )
    yield from sorted(chain.from_iterable(reservoirs.values()), key=lambda rewrite: (len(rewrite.id), rewrite.id))
