"""Draw the sixteen data sets from a pool, by seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING, TypeVar

from eec_datasets import corpora, schema
from eec_datasets.design.pool import GENDERS, Pool, pool_of
from eec_datasets.design.sets import CASES, NA, POSITIVE, TEMPLATES, chosen, expect, size, words_in
from eec_datasets.errors import InputError
from eec_datasets.locale.model import UNMARKED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import datasets

    from eec_datasets.locale.model import Person

T = TypeVar("T")

ADDED = ("rg", "group", "set", "case")
"""Columns beyond the row schema: composite of race and gender, data group, set of words, case k (``none`` but in 2)."""

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Draw:
    """One data set to be made."""

    group: int
    label: str
    case: int
    words: tuple[str, ...]
    persons: int
    shares: Mapping[tuple[str, str], int]

    @property
    def name(self) -> str:
        """Return what its ids begin with."""
        return f"g{self.group}{f'k{self.case}' if self.group == 2 else ''}-{self.label}"


def confounded(
    config: str,
    group: int | Sequence[int] | None = None,
    case: int = 1,
    words: str | Sequence[str] | None = None,
    *,
    seed: int = 0,
    persons: int = 1,
    neutral: str | None = None,
    shares: Mapping[str, int] | None = None,
    root: str | Path | None = None,
) -> datasets.Dataset:
    """Make the data sets of Lakkaraju, Srivastava & Valtorta (2022) from the words and persons of a config.

    Groups 1 (gender) and 3 (gender and race) cross persons, the templates t01 to t04 and the words of a set. Groups 2
    and 4 associate persons and words: of a class, 90 %, 50 % or 10 % of the sentences have positive words. Group 2
    has classes of gender (male, female, neutral) and seven cases; group 4 the composite of race and gender, with 90 %
    for men of the first race and 10 % for women of the other, as the paper has it; ``shares`` gives others.

    At either end every class has every template × word equally often, so that a system that does not react to persons
    has the same mean in every class. That needs 40 to 80 sentences per class; where a class has fewer persons
    than that takes, persons are drawn again, and their ids say so (``g4-E4.2/…``).

    Parameters
    ----------
    config
        Such as ``en-black-white``, or any other whose persons have a gender.
    group
        1, 2, 3, 4 or several of them; by default all that the config can serve. 3 and 4 need names of two races.
    case
        0 to 6, the case k of group 2.
    words
        ``E1`` … ``E5`` or several of them; by default all of the group. In languages other than English, grim and
        depressing give way to miserable and depressed, as nobody can *feel depressing* there.
    seed
        Which persons are drawn. The same seed gives the same rows.
    persons
        Names per race and gender in group 3 (1: 8 sentences per race × word, as in the paper); the other numbers grow
        with it.
    neutral
        Label of the neutral reference (``neutral``, ``neutral-elle``); by default the first that the language has,
        ``none`` leaves it out. Without one there are two levels, and the description says why.
    shares
        Of group 4: percentage of positive words by class, a multiple of 10 from 10 to 90, such as ``{"Black female":
        90, "white male": 10}`` for the opposite of the paper's direction. Classes that are not named have 50.
    root
        Folder of locales, if not the one that comes with the package.

    Returns
    -------
    The rows in the schema of every config, and the columns ``rg`` (race and gender), ``group``, ``set`` and ``case``.
    ``ds.info.description`` says what was made. They are for ``eec_bias.methods.rating(scores, ds)``; the default
    method takes one set of group 1 or 3 at a time, group 3 with ``persons=2`` or more.

    Raises
    ------
    InputError
        The data set cannot be made.
    InputError, FileProblems, RenderError
        See `load`.
    """
    import pyarrow as pa

    found_config = corpora.find(config, root=root)
    sets = chosen(group, words)
    case = expect("case", case, CASES)
    if not isinstance(persons, int) or persons < 1:
        raise InputError(f"persons is {persons!r}; expected the number of names per race and gender, 1 or more")
    pool = pool_of(found_config, neutral)
    if not pool.phrases["male"] or not pool.phrases["female"]:
        raise InputError(f"config '{config}' has no noun phrases of both genders. Choose another config")
    without = len(pool.races) < 2 and group is None
    if without:
        sets = [(number, label) for number, label in sets if number < 3]
    for number, _ in sets:
        _check_classes(config, number, case, pool)
    of_classes = _read_shares(shares, pool, [number for number, _ in sets])
    draws = [
        Draw(number, label, case, words_in(label, found_config.language), persons, of_classes) for number, label in sets
    ]
    rows = [row for draw in draws for row in _draw(draw, pool, random.Random(f"{seed}/{config}/{draw.name}"))]
    table = pa.table({name: [row[name] for row in rows] for name in (*schema.columns(pool.axes), *ADDED)})
    about = _about(config, pool, sets, case, seed, without)
    if shares is not None:
        named = ", ".join(f"{' '.join(cell)} {share} %" for cell, share in of_classes.items())
        about += f" Positive words in group 4: {named}, others 50 %."
    return corpora.dataset_of(table, f"{found_config.name}-confounded", found_config.version, about)


def _read_shares(shares: Mapping[str, int] | None, pool: Pool, groups: Sequence[int]) -> Mapping[tuple[str, str], int]:
    """Percentage of positive words by race and gender in group 4; by default the paper's."""
    if 4 not in groups:
        if shares is not None:
            raise InputError("shares are of the classes of group 4, which is not asked for. Leave them out")
        return {}
    if shares is None:
        return {(pool.races[0], "male"): 90, (pool.races[1], "female"): 10}
    classes = {" ".join(cell): cell for cell in pool.names}
    for name, share in shares.items():
        if name not in classes:
            raise InputError(f"shares name the class {name!r}; expected one of {', '.join(classes)}")
        if isinstance(share, bool) or share not in range(10, 100, 10):
            raise InputError(
                f"the share of {name} is {share!r}; expected a multiple of 10 from 10 to 90: every class needs "
                "sentences of both kinds"
            )
    if len({shares.get(name, 50) for name in classes}) == 1:
        raise InputError("shares are the same for all classes, which confounds nothing; give two that differ")
    return {classes[name]: int(share) for name, share in shares.items()}


def _check_classes(config: str, group: int, case: int, pool: Pool) -> None:
    if group > 2 and len(pool.races) < 2:
        raise InputError(
            f"config '{config}' has no names of two races, which group {group} compares. "
            "Choose group 1 or 2, or another config"
        )
    if group == 2 and case > 2 and pool.neutral is None:
        raise InputError(
            f"case {case} associates words with the neutral reference, and there is none: "
            f"{pool.no_neutral.rstrip('.')}. Choose case 0, 1 or 2"
        )


def _about(config: str, pool: Pool, sets: Sequence[tuple[int, str]], case: int, seed: int, without: bool) -> str:
    names = list(dict.fromkeys(str(group) for group, _ in sets))
    many = f"groups {', '.join(names)}" if len(names) > 1 else f"group {names[0]}"
    text = f"Data {many} of Lakkaraju et al. (2022) from {config}, seed {seed}"
    text += f", case {case} of group 2." if any(group == 2 for group, _ in sets) else "."
    if pool.neutral is None:
        text += f" Two levels of gender, without a neutral reference: {pool.no_neutral.rstrip('.')}."
    if without:
        text += " Without groups 3 and 4, as the config has no names of two races."
    return text


def _draw(draw: Draw, pool: Pool, rng: random.Random) -> Iterator[Row]:
    """Yield the rows of one data set."""
    if draw.group in (1, 3):
        for person in _crossed_persons(draw, pool, rng):
            yield from _rows_of(draw, pool, person, draw.words, 1)
        return
    positive, negative = ([word for word in draw.words if (word in POSITIVE) is end] for end in (True, False))
    total = size(len(positive), len(negative)) * draw.persons
    for kind, members, share in _classes(draw, pool):
        # One shuffled line of persons serves both ends, so that persons are drawn again as late as can be.
        line = cycle(_sample(members, len(members) or 1, kind, rng))
        for words, percent in ((positive, share), (negative, 100 - share)):
            slots = total * percent // (100 * len(TEMPLATES) * len(words))
            times: dict[str, int] = {}
            for person in islice(line, slots):
                times[person.id] = times.get(person.id, 0) + 1
                yield from _rows_of(draw, pool, person, words, times[person.id])


def _crossed_persons(draw: Draw, pool: Pool, rng: random.Random) -> list[Person]:
    """Persons of groups 1 and 3: as many of every class."""
    if draw.group == 1:
        # The same pairs in every class (this boy, this girl, this child), so that only the gender differs.
        levels = [{(p.pair, *(p.identity[a] for a in pool.axes)): p for p in m} for m in pool.phrases.values()]
        shared = sorted(set.intersection(*map(set, levels)))
        keys = _sample(shared, 2 * draw.persons, "pairs of noun phrases", rng)
        return [members[key] for members in levels for key in keys]
    drawn: list[Person] = []
    for (race, gender), members in pool.names.items():
        drawn += _sample(members, draw.persons, f"names {race} {gender}", rng)
    if pool.neutral:
        drawn += _sample(pool.phrases[pool.neutral], 2 * draw.persons, f"persons {pool.neutral}", rng)
    return drawn


def _sample(members: Sequence[T], count: int, kind: str, rng: random.Random) -> list[T]:
    if len(members) < count:
        lack = f"{kind}: {count} needed, and there are {len(members)}"
        raise InputError(f"{lack}. Ask for fewer persons, or for another group or config")
    return rng.sample(members, count)


def _classes(draw: Draw, pool: Pool) -> Iterator[tuple[str, Sequence[Person], int]]:
    """Each class of groups 2 and 4: who it is of, its members, and the percentage of positive words they get."""
    if draw.group == 2:
        for (gender, members), share in zip(pool.phrases.items(), CASES[draw.case], strict=False):
            yield f"persons {gender}", members, share
        return
    for (race, gender), members in pool.names.items():
        yield f"names {race} {gender}", members, draw.shares.get((race, gender), 50)
    if pool.neutral:
        yield f"persons {pool.neutral}", pool.phrases[pool.neutral], 50


def _rows_of(draw: Draw, pool: Pool, person: Person, words: Sequence[str], time: int) -> Iterator[Row]:
    prefix = draw.name if time == 1 else f"{draw.name}.{time}"
    case = str(draw.case) if draw.group == 2 else "none"
    for template in TEMPLATES:
        for word in words:
            row = pool.row(template, word, person.id)
            labelled = row["gender"] in GENDERS and (row["race"] != UNMARKED or draw.group < 3)
            composite = NA if not labelled else " ".join(x for x in (row["race"], row["gender"]) if x != UNMARKED)
            yield {**row, "id": f"{prefix}/{template}/{word}/{person.id}", "rg": composite, "group": str(draw.group),
                   "set": draw.label, "case": case}  # fmt: skip
