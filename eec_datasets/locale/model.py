"""Parts of a locale: plain frozen values, no behaviour beyond looking things up.

A locale is a folder of five files (``locale.toml``, ``templates.toml``, ``words.csv``, ``persons.csv``,
``expected.csv``); `eec_datasets.locale.reading` turns it into a `Locale`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from eec_datasets.errors import Place
from eec_datasets.locale.families import USUAL, NameFamilies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from eec_datasets.locale.apart import Apart
    from eec_datasets.locale.endings import EndingClass
    from eec_datasets.locale.name_table import NameTable
    from eec_datasets.locale.reviews import ReaderReview

Kind = Literal["state", "situation", "participle", "neutral"]
PersonType = Literal["name", "noun_phrase", "pronoun", "mention"]

KINDS: tuple[Kind, ...] = ("state", "situation", "participle", "neutral")
EMOTION_KINDS: tuple[Kind, ...] = ("state", "situation", "participle")
WORD_FILES = ("words", "forms")
"""The files of emotion words; a config has the words of the first unless it names others."""
PERSON_TYPES: tuple[PersonType, ...] = ("name", "noun_phrase", "pronoun", "mention")
UNMARKED = "unmarked"
NONE = "none"
WANTED = "…"
"""Stands in a scaffold where a text is still to be written; the check names every one that is left."""


ANY = "any"
"""Stands in a column of a feature where one form is right for all its values, and someone says so."""
GENDER = "gender"
"""The feature in which words agree with women and men, where a language has it."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a word, and the features its controller must have for it to be the right one.

    `shared` are the features for all values of which it is said to be right.
    """

    text: str
    needs: Mapping[str, str]
    place: Place
    shared: tuple[str, ...] = ()
    reserve: bool = False
    flags: tuple[str, ...] = ()
    status: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """Anything that inflects: an emotion word, a function word of a template, a level of an identity axis.

    `gram` holds the word's own features (the sound it begins with, say), used where it is a controller itself. `level`
    is the level of an identity axis that it names, if it names one, and `said` its wording, in English. `file` is the
    stem of the file that an emotion word is from.
    """

    id: str
    forms: tuple[Form, ...]
    place: Place
    gram: Mapping[str, str] = field(default_factory=dict)
    kind: Kind | Literal["function", "level"] = "function"
    emotion: str = NONE
    status: str = NONE
    source: str = ""
    level: str = ""
    said: str = ""
    file: str = "words"

    def under(self, options: Mapping[str, str]) -> Word:
        """The word with the forms, and the status, that it has under the values of the locale's options."""
        forms = [
            form for form in self.forms if all(form.needs.get(name, value) == value for name, value in options.items())
        ]
        return replace(self, forms=tuple(forms), status=forms[0].status) if forms else self


NO_WORD = Word(NONE, (Form("", {}, Place("words.csv", 1), status=NONE),), Place("words.csv", 1))
"""Stands for the emotion word of a neutral template."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A fixed noun of a template that other words agree with."""

    form: str
    gram: Mapping[str, str]

    def __str__(self) -> str:
        return self.form


@dataclass(frozen=True, slots=True)
class Person:
    """A name, noun phrase, pronoun or mention of a group: `gram` is grammar, `identity` who is meant; they never mix.

    `rank` is the place of a name in its cell by how often it is borne, where that is known (from 1). `base` is the id
    of the row, which several persons share if the row is crossed with the levels of an axis. `said` is the wording of
    that level, and `placebo` the neutral word that the row has in place of one, both in English.
    """

    id: str
    set: str
    type: PersonType
    pair: str
    identity: Mapping[str, str]
    gram: Mapping[str, str]
    roles: Mapping[str, str]
    place: Place
    english: str = ""
    status: str = "paper"
    source: str = ""
    flags: tuple[str, ...] = ()
    partial: bool = False
    rank: int = 0
    base: str = ""
    said: str = NONE
    placebo: str = NONE

    @property
    def is_placebo(self) -> bool:
        """Return whether it is a phrase with a neutral word, which stands for no group."""
        return self.placebo != NONE


@dataclass(frozen=True, slots=True)
class Pattern:
    """The texts of one template, or of one variant of it.

    Its keys are values of a feature of the person (`long`, say), types of person, and `default`, which serves the rest.
    """

    texts: Mapping[str, str]

    def text(self, person_type: PersonType, gram: Iterable[str] = ()) -> str | None:
        """The Jinja2 source for a person of this type whose features have these values, or None."""
        keys = (*gram, person_type, "default")
        return next((self.texts[key] for key in keys if key in self.texts), None)


@dataclass(frozen=True, slots=True)
class Template:
    """One of the templates: its texts, its function words, and what changes inside a minimal pair.

    `refuses` maps person type → feature value → the reason why the plain text must not be used for it; `final` is the
    final mark where it is not that of the language.
    """

    id: str
    kind: Kind
    pattern: Pattern
    variants: Mapping[str, Pattern]
    words: Mapping[str, Word]
    changes: tuple[str, ...]
    changes_neutral: tuple[str, ...]
    refuses: Mapping[str, Mapping[str, str]]
    place: Place
    final: str | None = None

    @property
    def texts(self) -> Iterator[str]:
        """Every text of the template, those of its variants last."""
        for pattern in (self.pattern, *self.variants.values()):
            yield from pattern.texts.values()


@dataclass(frozen=True, slots=True)
class LanguageOption:
    """A choice the whole corpus is rendered under; its value is a feature that forms may ask for.

    `roles` and `strip` say, per value, which role stands for which, and which characters are taken away; `regions` says
    which variety a value is of, if the option tells regions apart (``es-ES``).
    """

    name: str
    values: tuple[str, ...]
    default: str
    roles: Mapping[str, Mapping[str, str]]
    strip: Mapping[str, str]
    regions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Role:
    """A form of a person that templates may ask for; `like` names the role that serves where the cell is empty."""

    name: str
    like: str | None = None
    types: tuple[str, ...] = PERSON_TYPES


@dataclass(frozen=True, slots=True)
class Speaker:
    """The one who says "I": which genders the sentence can show, and which is held by default."""

    gram: Mapping[str, str]
    genders: Mapping[str, str]
    default: str | None

    def features(self, gender: str | None) -> Mapping[str, str]:
        """The features of "me", for a gender that the sentence shows or for none."""
        return self.gram if gender is None else {**self.gram, "gender": self.genders[gender]}


@dataclass(frozen=True, slots=True)
class Finish:
    """The last steps for a filled sentence: joins, then sentence case, then the final mark.

    `joins` are words that are written as one where they meet (a el → al), whole words only.
    """

    sentence_case: Literal["upper_first", "none"]
    final: str
    joins: Mapping[str, str] = field(default_factory=dict)
    capitals: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Review:
    """The state of a language: how often this project has read it, its notes, and the reviews of readers.

    What the reviews make of the language is computed: `eec_datasets.corpora.review_of`.
    """

    status: Literal["draft", "second-reading"]
    notes: tuple[str, ...]
    reviews: tuple[ReaderReview, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemSets:
    """Named sets of templates and named lists of items, the same in all languages."""

    templates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    items: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def default(self) -> tuple[str, ...]:
        """The templates of a config that names none: those of the first set; empty where there is no set."""
        return next(iter(self.templates.values()), ())


@dataclass(frozen=True, slots=True)
class ConfigSpec:
    """A corpus that a locale declares: which sets of persons meet which templates or items, under which variants.

    Attributes
    ----------
    templates : ids of templates and names of sets of them; none for the default.
    words : the files whose emotion words it has, ``words`` or ``forms``.
    items : name of a list of items; None for every template with every word of its kind.
    part : how many names of each cell and how many items of that list are taken; none for all.
    """

    key: str
    place: Place
    sets: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    words: tuple[str, ...] = WORD_FILES[:1]
    items: str | None = None
    part: Sequence[int] = ()
    optional: tuple[str, ...] = ()
    variants: Mapping[str, str] = field(default_factory=dict)
    speaker: str | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Locale:
    """A language: everything needed to render its corpora.

    Attributes
    ----------
    features : feature → its values; the options are features too.
    levels : identity axis with a file of its own → wording → the word that names a level.
    placebo_kinds, placebo_words : identity axis → the kind of neutral words that serve in place of its levels; kind →
        these words (``placebo.csv``).
    meanings : pair of noun phrases → what they mean, if several pairs mean much the same (``corpus.toml``).
    item_sets : what configs name (``corpus.toml``).
    names : the table of names, if the language has one (``names.csv``).
    families : which letters names share.
    endings : feature → how forms for its values end, class by class.
    apart : persons, levels, templates and configs that do not meet (``corpus.toml``).
    """

    tag: str
    variety: str
    version: str
    review: Review
    features: Mapping[str, tuple[str, ...]]
    options: Mapping[str, LanguageOption]
    roles: Mapping[str, Role]
    finish: Finish
    speaker: Speaker
    nouns: Mapping[str, Noun]
    neutral_refused: str | None
    configs: Mapping[str, ConfigSpec]
    templates: tuple[Template, ...] = ()
    words: tuple[Word, ...] = ()
    persons: tuple[Person, ...] = ()
    levels: Mapping[str, Mapping[str, Word]] = field(default_factory=dict)
    placebo_kinds: Mapping[str, str] = field(default_factory=dict)
    placebo_words: Mapping[str, tuple[Word, ...]] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    item_sets: ItemSets = field(default_factory=ItemSets)
    families: NameFamilies = USUAL
    apart: tuple[Apart, ...] = ()
    endings: Mapping[str, tuple[EndingClass, ...]] = field(default_factory=dict)
    names: NameTable | None = None

    @property
    def feature_of(self) -> dict[str, str]:
        """Value → the feature that it belongs to."""
        return {value: feature for feature, values in self.features.items() for value in values}

    @property
    def own_words(self) -> list[Word]:
        """The emotion words, those that name the levels of identity axes, and the neutral ones in their place."""
        levels = (word for levels in self.levels.values() for word in levels.values())
        return [*self.words, *levels, *(word for words in self.placebo_words.values() for word in words)]

    @property
    def texts(self) -> Iterator[str]:
        """Yield what the sentences are made of but for the names: templates with their slots, words, nouns, persons."""
        for template in self.templates:
            yield from template.texts
        words = (*self.own_words, *(word for template in self.templates for word in template.words.values()))
        # No name stands in a sentence with a word of forms.csv.
        yield from (form.text for word in words if word.file == "words" for form in word.forms)
        yield from (noun.form for noun in self.nouns.values())
        yield from (form for person in self.persons if person.type != "name" for form in person.roles.values())

    @property
    def stand_ins(self) -> set[str]:
        """The roles that only an option puts in the place of another."""
        redirects = (redirect for option in self.options.values() for redirect in option.roles.values())
        return {role for redirect in redirects for role in redirect.values()} - {"nom"}

    def words_of(self, kind: str) -> tuple[Word, ...]:
        """The emotion words that fit a template of this kind, in file order."""
        return tuple(word for word in self.words if word.kind == kind)
