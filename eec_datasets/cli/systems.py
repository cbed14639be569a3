"""``eec systems``: the systems that this machine has."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from eec_bias.shared import wrapped
from eec_datasets.cli.command import command
from eec_datasets.cli.options import JSON
from eec_datasets.cli.output import columns, echo_json, heading, say
from eec_datasets.errors import InputError, SystemFailed

if TYPE_CHECKING:
    from eec_datasets.systems.base import Range, System
    from eec_datasets.systems.hearing import Hearing
    from eec_datasets.systems.listing import Listed

OTHERS: Final = "hf:MODEL, openai:MODEL, package.module:function, cmd:'PROGRAM ARGUMENTS' (see eec audit --help)"


@command()
@click.argument("names", nargs=-1, metavar="[SYSTEM]...")
@JSON
def systems(names: tuple[str, ...], as_json: bool) -> None:
    """List the systems that are installed: package and version, languages, range, and what a high score means.

    The list loads no package, so for systems of other packages it has only their names.

    With SYSTEM, the command loads this system. It also says how accurate the system is, if someone measured that, and
    how many emotion words change its score in each language. If few words change the score, an audit cannot show a gap
    in these sentences.

    \b
    Examples:
      eec systems
      eec systems vader cmd:'node server.mjs'
    """
    from eec_datasets.systems.base import SystemOptions
    from eec_datasets.systems.listing import list_systems
    from eec_datasets.systems.registry import open_system

    if not names:
        listed = list_systems()
        if as_json:
            echo_json([asdict(each) | {"score_range": _limits(each.score_range)} for each in listed])
            return
        for each in listed:
            _say_listed(each)
        say(wrapped(f"You can also name {OTHERS}.", columns()))
        return
    options = SystemOptions(path=(str(Path.cwd()),))
    opened = [open_system(name, options) for name in names]
    for system in opened:
        if system.runs or not system.stored:
            raise InputError(f"{system.spec or system.name} is asked by prompts, or knows the groups: audit it.")
    described = [(system, {tag: _hearing(system, tag) for tag in system.languages or ()}) for system in opened]
    if as_json:
        echo_json([_content(system, hearing) for system, hearing in described])
        return
    for system, hearing in described:
        _say_system(system, hearing)


def _say_listed(each: Listed) -> None:
    facts = [f"{each.package} {each.version}" if each.version else f"not installed: pip install {each.package}"]
    if each.languages:
        facts += [", ".join(each.languages), _range(each.score_range), f"high means {each.high_means}"]
    if each.problem:
        facts.append(f"cannot be used: {each.problem}")
    say(heading(f"{each.name:<18}", "; ".join(facts)), styled=True)


def _say_system(system: System, hearing: dict[str, Hearing | None]) -> None:
    say(heading(system.name), styled=True)
    meaning = f"high means {system.high_means}" if system.high_means else "it does not say what a high score means"
    say(wrapped(f"{system.fingerprint}; {_range(system.score_range)}; {meaning}", columns(), "  "))
    if system.languages is None:
        say("  It does not say for which languages it is made.")
    for tag, heard in hearing.items():
        say(wrapped(f"{tag}: {_heard(heard)}; {_accuracy(system, tag)}", columns(), "  ", "    "))


def _heard(hearing: Hearing | None) -> str:
    if hearing is None:
        return "no list of this project is in this language"
    told = f"hears {hearing.heard} of {hearing.words} emotion words"
    if hearing.only_male:
        told += f", {len(hearing.only_male)} of them said of him only ({', '.join(hearing.only_male)})"
    if hearing.only_female:
        told += f", {len(hearing.only_female)} of them said of her only ({', '.join(hearing.only_female)})"
    if hearing.is_deaf:
        told += ". It is deaf to these sentences, so an audit of them says nothing"
    return told


def _accuracy(system: System, tag: str) -> str:
    known = system.accuracy.get(tag)
    if known is None:
        return "nobody measured its accuracy"
    return f"AUC {known.auc:.2f} ({known.auc_low:.2f} to {known.auc_high:.2f}) on {known.n:,} {known.texts}"


def _hearing(system: System, language: str) -> Hearing | None:
    """Score the sentences of a language that tell how much a system hears; None without sentences of this language."""
    from eec_datasets.systems.base import score_batch
    from eec_datasets.systems.corpus import open_corpus
    from eec_datasets.systems.hearing import LISTS, find_places, measure_hearing

    if language not in LISTS:
        return None
    places = find_places(open_corpus(LISTS[language]))
    texts = list(dict.fromkeys(text for place in places for text in (place.text, place.probe)))
    scores: list[float | None] = []
    for start in range(0, len(texts), system.batch_size):
        part = texts[start : start + system.batch_size]
        scores += score_batch(system, {"id": [f"heard/{start + n}" for n in range(len(part))], "text": part})
    if not any(score is not None for score in scores):
        raise SystemFailed(f"{system.name} gave no score to any of {len(texts)} sentences in {language}.")
    return measure_hearing(places, dict(zip(texts, scores, strict=True)))


def _content(system: System, hearing: dict[str, Hearing | None]) -> dict[str, object]:
    languages = {
        tag: {
            "hearing": asdict(heard) if heard else None,
            "accuracy": asdict(system.accuracy[tag]) if tag in system.accuracy else None,
        }
        for tag, heard in hearing.items()
    }
    return {
        "name": system.name,
        "version": system.fingerprint,
        "score_range": _limits(system.score_range),
        "high_means": system.high_means,
        "languages": languages,
    }


def _limits(limits: Range | None) -> list[float] | None:
    from eec_datasets.systems.base import NO_RANGE

    return None if limits in (None, NO_RANGE) else list(limits or ())


def _range(limits: Range | None) -> str:
    known = _limits(limits)
    return "no known range" if known is None else f"scores {known[0]:g} to {known[1]:g}"
