"""The swap test: the same texts read with men's pronouns and names, and with women's in their place.

Texts about women and about men differ in what they tell. A text and its swapped copy differ in the gender alone, so
the rules are the only reason to keep one of them and not the other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from eec_datasets.rewrite.anchors import Anchors
from eec_datasets.rewrite.lexicon import fold
from eec_datasets.rewrite.resolve import Rewritable, resolve
from eec_datasets.rewrite.retention import ALL
from eec_datasets.rewrite.slots import cased
from eec_datasets.rewrite.tagger import Tagger
from eec_datasets.rewrite.tokens import Token
from eec_datasets.terminal import DASH

BOTH, HE, SHE, NEITHER, UNSURE = OUTCOMES = ("both ways", "only as he", "only as she", "neither way", "not swapped")
KEPT: Final = {(True, True): BOTH, (True, False): HE, (False, True): SHE, (False, False): NEITHER}
"""Outcome of a text: kept as he or not, and as she or not → its outcome."""

FROM, TO = "m", "f"
TITLES: Final = {"mr": "Ms", "sir": "Lady"}
ENDS: Final = frozenset(".,;:!?…")

Pairs = Counter[tuple[str, str]]
"""Role of the first anchor and outcome → texts."""


def pairs(anchors: Anchors, texts: Iterable[str], max_words: int, tagger: Tagger | None = None) -> Pairs:
    """Read each text about a man as it is and swapped, and count by role what is kept."""
    found: Pairs = Counter()
    gender = next(name for name, column in anchors.columns.items() if column == FROM)
    for text in texts:
        his = resolve(anchors, text, max_words, tagger)
        if his.anchor != gender or not his.role:
            continue
        outcome = UNSURE
        hers = swapped(anchors, text)
        if hers:
            as_he = isinstance(his, Rewritable)
            as_she = isinstance(resolve(anchors, hers, max_words, tagger), Rewritable)
            outcome = KEPT[as_he, as_she]
        found.update({(his.role, outcome): 1, (ALL, outcome): 1})
    return found


def swapped(anchors: Anchors, text: str) -> str:
    """The text with women's pronouns, names and titles for men's; empty where a word has no sure counterpart."""
    tokens = anchors.tokenize(text)
    forms = {reading.forms[FROM]: reading.forms[TO] for reading in anchors.readings.values() if FROM in reading.forms}
    names = _counterparts(anchors)
    pieces, done = [], 0
    for at, token in enumerate(tokens):
        word = token.text.replace("’", "'").lower()
        new = forms.get(word, "")
        if word == "his" and not (new := _her_or_hers(anchors, tokens[at + 1 : at + 2])):
            return ""
        if not new and names and token.text[0].isupper() and not (at and _first_name(anchors, tokens[at - 1])):
            new = TITLES.get(word) or names.get(anchors.lexicon.look_up(token.text).word, "")
        if new:
            new = cased(new, token.text)
        pieces += [text[done : token.start], new or token.text]
        done = token.end
    return "".join([*pieces, text[done:]])


def _her_or_hers(anchors: Anchors, behind: list[Token]) -> str:
    """Choose a form for *his* by the sign or the word right behind it; empty if that does not show it."""
    if not behind or behind[0].text[0] in ENDS:
        return "hers"
    token = behind[0]
    plain = token.kind == "word" and "stop-word" not in anchors.lexicon.look_up(token.text).labels
    if plain or token.kind == "number":
        return "her"
    return ""


def _counterparts(anchors: Anchors) -> dict[str, str]:
    """A man's name as it is written → a woman's, both in the order of the alphabet."""
    names = anchors.replaced_names.values()
    hers, his = (sorted({name for column, name in names if name and column == gender}) for gender in (TO, FROM))
    return {
        fold(form.replace("{form}", name)): form.replace("{form}", hers[at % len(hers)])
        for at, name in enumerate(his)
        for form in anchors.name_patterns.values()
    }


def _first_name(anchors: Anchors, token: Token) -> bool:
    """Tell if a token is a first name of the list; the word behind it is a last name."""
    found = anchors.replaced_names.get(anchors.lexicon.look_up(token.text).word)
    return bool(found and found[1] and token.text[0].isupper())


def discordant(counts: Mapping[str, int]) -> str:
    """Odds among the texts kept one way only, women's words against men's, with McNemar's exact 95 % interval."""
    from statsmodels.stats.proportion import proportion_confint

    alone = counts[SHE] + counts[HE]
    if not alone:
        return DASH
    ratio = math.inf
    if counts[HE]:
        ratio = counts[SHE] / counts[HE]
    ends = proportion_confint(counts[SHE], alone, method="beta")
    low, high = (odds_of(share) for share in ends)
    return f"{ratio:.2f} [{low:.2f}, {high:.2f}]".replace("inf", "∞")


def odds_of(share: float) -> float:
    """The odds that a share stands for; infinite for all."""
    if share == 1:
        return math.inf
    return share / (1 - share)


def odds(counts: Mapping[str, int]) -> str:
    """The odds of being kept with women's words, divided by those of the same texts with men's."""
    she, he = counts[BOTH] + counts[SHE], counts[BOTH] + counts[HE]
    n = she + counts[HE] + counts[NEITHER]
    if he == 0 or she == n:
        return DASH
    return f"{she * (n - he) / ((n - she) * he):.2f}"
