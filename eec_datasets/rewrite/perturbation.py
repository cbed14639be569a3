"""Texts → rewrites, counted; the selection of the paper; rows. The public side of this package."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_bias.shared import check
from eec_datasets import row_file
from eec_datasets.errors import EecError
from eec_datasets.locale.families import USUAL, NameFamilies
from eec_datasets.locale.reading import families_of, locales_folder
from eec_datasets.rewrite.anchors import LEVELS, PRONOUNS, SAME, STRICT, SWAPPED, WIDE
from eec_datasets.rewrite.check import NONE, checked, load_words
from eec_datasets.rewrite.fillers import pronoun_fillers, read_fillers
from eec_datasets.rewrite.given_names import given_names, with_given, words_among
from eec_datasets.rewrite.language import LanguageCheck
from eec_datasets.rewrite.load import load_anchors
from eec_datasets.rewrite.report import PerturbReport, path_beside
from eec_datasets.rewrite.resolve import LONGEST, LeftOut, Rewritable, resolve
from eec_datasets.rewrite.rows import SIZE, Batches
from eec_datasets.rewrite.slots import Rewrite
from eec_datasets.rewrite.tagger import load_tagger

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from eec_datasets.rewrite.check import Words
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
        row_batches = Batches(
            self.rewrites,
            self.fillers,
            language=self.language,
            size=size,
            fuse=self.report.anchors.fuse,
            families=self.families,
            corpus=corpus,
            originals=self.report.anchors.question != PRONOUNS,
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
        OutputError
            See `eec_datasets.row_file.write`.
        """
        path = Path(path)
        check([path_beside(path)], overwrite=overwrite)
        write_report = partial(self.report.write, path, len(self.fillers), overwrite=overwrite)
        return row_file.write(
            path, self.batches(corpus=path.stem), overwrite=overwrite, guard=False, first=write_report
        )


def perturb(
    texts: Iterable[str],
    language: str,
    names: Names | None = None,
    *,
    pronouns: bool = False,
    level: str = STRICT,
    max_words: int | None = MAX_WORDS,
    stream: bool = False,
    swap_gender: bool = False,
    tell_left_out: LeftOutCallback | None = None,
    tagger: str | None = None,
    replace: Names | None = None,
    root: str | Path | None = None,
) -> Perturbation:
    """Rewrite a user's own sentences so that they are about other persons (Prabhakaran et al. 2019).

    With `names`, women's names are put into texts about women and men's into texts about men, so that nothing but the
    name differs: the question is whether the name matters. With `swap_gender` every name is put into every text, and
    all words that agree with the person change: the question is whether the gender matters. With `pronouns` nobody is
    named: *she* and *he* change places, with the nouns that go with them, and one of the two texts is the original.

    Parameters
    ----------
    texts
        Comments of one or several sentences; each is rewritten as a whole or left out. Any iterable: texts are read
        once, and no more is kept of each than a fingerprint.
    language
        Tag of a locale with an ``anchors.toml``: ``en``, ``es``.
    names
        Who is put in: a CSV file with the columns ``name`` and ``gender`` and any further labels, a text file with
        ``NAME,GENDER`` in each line, the name of a config of the same language, or in Python a mapping of names to
        genders. `eec_datasets.rewrite.fillers.read_fillers` says more.
    pronouns
        Swap the pronouns instead of putting in names.
    level
        ``strict`` leaves a text out if anything is unclear. ``wide`` keeps more texts, and more wrong ones; *Your own
        sentences* in the docs has the share of both.
    max_words
        Longer texts are left out; None for 5,000, beyond which nothing is read as a comment whatever is asked for.
    stream
        Read the texts while rows are made of them, which can be done once.
    swap_gender
        Put every name into every text.
    tell_left_out
        Is called with id, text and reason of every text left out; see `eec_datasets.rewrite.left_out`.
    tagger
        A spaCy model, by name or folder, that is asked where the rules cannot read a word; None for the rules alone.
    replace
        Names that are replaced where they are in the texts, as pronouns are: a list like `names`, or ``"tables"``
        for the first names in the language's own files. None: a text with a name in it is left out.
    root
        Folder of locales, if not the one that comes with the package.

    Returns
    -------
    Perturbation

    Raises
    ------
    PerturbError
        The options contradict each other, or no text can be rewritten.
    InputError, Unavailable, InputError, FileProblems
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
    if max_words is not None and (not isinstance(max_words, Integral) or isinstance(max_words, bool) or max_words < 1):
        raise PerturbError(f"max_words is {max_words!r}; expected a whole number, 1 or more, or None")
    if level not in LEVELS:
        raise PerturbError(f"level is {level!r}; expected one of {', '.join(LEVELS)}")
    if pronouns == (names is not None):
        raise PerturbError("Give names to put in, or pronouns=True to swap she and he: one of the two")
    if pronouns and (swap_gender or replace is not None):
        raise PerturbError("swap_gender and replace are for names. Leave them out with pronouns")
    question = PRONOUNS
    if not pronouns:
        question = SWAPPED if swap_gender else SAME
    # numpy's whole numbers are no numbers of JSON, in which the report is written.
    max_words = max_words and min(int(max_words), LONGEST)
    folder = Path(root) if root else locales_folder()
    anchors = load_anchors(language, folder, question=question, level=level)
    used = {
        "tagger": tagger is None or anchors.asks_a_tagger,
        "replace": replace is None or bool(anchors.name_patterns),
        f"level {WIDE}": level != WIDE or bool(anchors.wide_reasons),
    }
    for option, has_a_use in used.items():
        if not has_a_use:
            raise PerturbError(f"The rules of the language '{language}' have no use for {option} yet. Leave it out")
    fillers = pronoun_fillers(anchors) if names is None else read_fillers(anchors, names, root=folder)
    model = load_tagger(tagger, language) if tagger else None
    replaced = given_names(anchors, replace, folder) if replace is not None else None
    anchors = with_given(anchors, replaced) if replaced else anchors
    options = {
        "pronouns": pronouns,
        "level": level,
        "max_words": max_words,
        "swap_gender": swap_gender,
        "tagger": model.name if model else None,
        "replace": replaced and replaced.to_dict(),
    }
    words = [] if pronouns else words_among(anchors, (each.form for each in fillers))
    report = PerturbReport(anchors, options, words=words)
    resolve_text: Callable[[str], Rewritable | LeftOut] = partial(resolve, anchors, max_words=max_words, tagger=model)
    if pronouns and level == WIDE:
        resolve_text = partial(_resolve_and_check, resolve_text, load_words(language, tagger, folder))
    agreements = frozenset(each.agreement for each in fillers)
    rewrites = _rewrites(texts, report, agreements, resolve_text, LanguageCheck(anchors, folder), tell_left_out)
    return Perturbation(rewrites if stream else tuple(rewrites), fillers, report, families_of(folder / language))


def _resolve_and_check(
    resolve_text: Callable[[str], Rewritable | LeftOut], words: Words, text: str
) -> Rewritable | LeftOut:
    """Leave a text out if the pair that it makes is wrong."""
    resolved = resolve_text(text)
    if isinstance(resolved, LeftOut):
        return resolved
    (variant,) = {"".join(map(str, pieces)) for pieces in resolved.pieces.values()} - {text}
    reason, *_ = checked(words, text, variant)
    if reason == NONE:
        return resolved
    return LeftOut("check", resolved.anchor, rule=reason, role=resolved.role)


def _rewrites(
    texts: Iterable[str], report: PerturbReport, agreements: frozenset[str],
    resolve_text: Callable[[str], Rewritable | LeftOut], language: LanguageCheck, tell: LeftOutCallback | None,
) -> Iterator[Rewrite]:  # fmt: skip
    """Rewrite what can be rewritten, in order, and count what becomes of every text; ids count all texts read.

    Raises
    ------
    PerturbError
        A text is no string, or none can be rewritten.
    InputError
        The texts are in another language than said (looked at after `language.TEXTS_CHECKED` of them, or at the end).
    """
    read: dict[bytes, str] = {}
    rewritten: dict[bytes, str] = {}
    for text in texts:
        if not isinstance(text, str):
            raise PerturbError(
                f"Text {report.texts + 1} is of type {type(text).__name__}; expected strings. Leave out missing ones"
            )
        language.add(text)
        resolved = resolve_text(text)
        if isinstance(resolved, Rewritable) and agreements.isdisjoint(resolved.pieces):
            resolved = LeftOut("no-names", resolved.anchor)
        id = f"s{report.texts + 1:07d}"
        report.add(resolved, copy=bool(resolved.role) and read.setdefault(_fingerprint(text), id) != id)
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
    """Return what tells copies of a text without holding it."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
