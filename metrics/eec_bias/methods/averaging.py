"""A system whose score of a text is the mean over many names put into that text, so that no single name counts.

Prabhakaran, Hutchinson & Mitchell (2019) propose it where a model cannot be trained again: "averaging scores across
perturbed sentences". What comes out is a system like any other and is audited as one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from eec_bias.errors import OptionError, ScoresError
from eec_bias.result.numbers import counted

Score = Callable[[list[str]], Iterable[float]]
"""Takes a list of texts and returns as many scores, in their order."""

SHOWN = 3
"""Names that a message spells out."""

ONE_GROUP = ""
"""Group of names that were given without one."""


class AveragedOverNames:
    """A system whose score of a text is the mean of another's over names; made by `average_over_names`.

    Attributes
    ----------
    names : dict of str to tuple of str
        Group → the names that are put in; one group, called "", where none was given.
    counts : dict of str to int
        Of the texts scored so far: ``averaged``, ``without`` a name of the list, and with ``several`` of them; the
        latter two keep the score they had.
    """

    def __init__(self, score: Score, names: Mapping[str, tuple[str, ...]], found: Mapping[str, str]) -> None:
        self.names = dict(names)
        self.counts = {"averaged": 0, "without": 0, "several": 0}
        self._score = score
        self._group_of = dict(found)
        longest_first = sorted(found, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")

    def __call__(self, texts: Sequence[str]) -> list[float]:
        """Score texts, each the mean over the names of its name's group.

        Parameters
        ----------
        texts : sequence of str
            A list, also for one text.

        Raises
        ------
        ScoresError
            If the system returns another number of scores than it was given texts.
        """
        if isinstance(texts, str):
            raise ScoresError(f"the averaged system was called with the text {texts!r}; expected a list of texts")
        variants = [self._variants(text) for text in texts]
        # Sentences that differ in the name alone have the same variants, which are scored once.
        distinct = list(dict.fromkeys(text for each in variants for text in each))
        scores = list(self._score(distinct)) if distinct else []
        if len(scores) != len(distinct):
            raise ScoresError(f"the system returned {len(scores)} scores for {len(distinct)} texts; expected one each")
        by_text = dict(zip(distinct, map(float, scores), strict=True))
        return [sum(by_text[text] for text in each) / len(each) for each in variants]

    def _variants(self, text: str) -> list[str]:
        """Return a text with every name of the group of its name; itself where it has none, or several."""
        found = set(self._pattern.findall(text))
        if len(found) != 1:
            self.counts["several" if found else "without"] += 1
            return [text]
        self.counts["averaged"] += 1
        (name,) = found
        parts = self._pattern.split(text)
        return [other.join(parts) for other in self.names[self._group_of[name]]]

    def __str__(self) -> str:
        put_in, scored = sum(map(len, self.names.values())), sum(self.counts.values())
        return (
            f"mean over {put_in} names in {counted(len(self.names), 'group')}; of {scored:,} texts scored, "
            f"{self.counts['averaged']:,} have one of the {len(self._group_of)} names looked for and were averaged, "
            f"{self.counts['without']:,} have none and {self.counts['several']:,} several: these keep their score"
        )


def average_over_names(score: Score, names: Any, *, find: Any = None) -> AveragedOverNames:
    """Return a system that gives a text the mean of the scores it has with many names in the place of its own.

    It takes away what single names do, in texts that hold a name it looks for. What pronouns, noun phrases and words
    that agree with a person do stays, and so does what names do that it does not know: audit it as any system.

    Parameters
    ----------
    score : callable
        The system: takes a list of texts, returns as many scores.
    names : sequence of str, or mapping of name to group
        What is put in. With groups (such as genders) a name is exchanged for those of its own group alone, so that
        words that agree with the person stay right.
    find : sequence of str, or mapping of name to group, optional
        Names that are looked for in texts, as whole words; by default ``names``.

    Returns
    -------
    AveragedOverNames
        Called with a list of texts it returns their scores. It costs a call for every name and sentence; sentences
        that differ in the name alone share these.

    Raises
    ------
    OptionError
        If there are fewer than two names in a group, a name is blank or stands twice, or a name that is looked for has
        a group without names.
    """
    put_in = _read_names("names", names)
    found = put_in if find is None else _read_names("find", find)
    groups: dict[str, list[str]] = {}
    for name, group in put_in.items():
        groups.setdefault(group, []).append(name)
    for group, members in groups.items():
        if len(members) < 2:
            raise OptionError(
                f"names has the one name {members[0]!r} in its group {group!r}; a mean over names needs two of each "
                "group"
            )
    for name, group in found.items():
        if group not in groups:
            raise OptionError(
                f"find has {name!r} of the group {group!r}, and names has the groups "
                f"{', '.join(map(repr, groups))}; expected one of these, so that it is known what to put in its place"
            )
    return AveragedOverNames(score, {group: tuple(members) for group, members in groups.items()}, found)


def _read_names(option: str, given: Any) -> dict[str, str]:
    """Return names with their groups."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise OptionError(f"{option} is {given!r}; expected a list of names, or a mapping of name to group")
    listed = list(given)
    odd = [name for name in listed if not isinstance(name, str) or not name.strip()]
    if not listed:
        raise OptionError(f"{option} is empty; expected the names to average over")
    if odd:
        raise OptionError(f"{option} holds {odd[0]!r}; expected names, each a text that is not blank")
    twice = [name for name, times in Counter(listed).items() if times > 1]
    if twice:
        raise OptionError(f"{option} has {', '.join(map(repr, twice[:SHOWN]))} twice; expected each name once")
    if isinstance(given, Mapping):
        return {name: str(group) for name, group in given.items()}
    return dict.fromkeys(listed, ONE_GROUP)
