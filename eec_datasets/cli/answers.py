"""``eec answers show | empty``: what systems have said so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from eec_datasets.cli.command import CommandGroup
from eec_datasets.cli.options import JSON
from eec_datasets.cli.output import echo_json, say

if TYPE_CHECKING:
    from eec_datasets.systems.store import Store, StoredVersion


@click.group(cls=CommandGroup)
def answers() -> None:
    """Show or empty the store of answers.

    Every answer of a system is stored by the system's name and version and by the sentence, in one file for all
    corpora and runs. A run asks for nothing that was stored when it began, unless with --fresh. The file is in the
    user's cache folder; the environment variable EEC_ANSWERS names another. Built-in systems are not stored.

    \b
    Examples:
      eec answers show
      eec answers empty mymodel:score
    """


def _stored(store: Store) -> list[StoredVersion]:
    """What has answers; a store that is not there is not made."""
    return [each for each in store.stored() if each.answers] if store.path.exists() else []


@answers.command()
@JSON
def show(as_json: bool) -> None:
    """List what is stored: system, version, answers, calls, tokens, when.

    \b
    Examples:
      eec answers show
      EEC_ANSWERS=project/answers.db eec answers show --json
    """
    from dataclasses import asdict

    from eec_datasets.systems.store import Store
    from eec_datasets.terminal import lay_out

    with Store() as store:
        versions = _stored(store)
    if as_json:
        echo_json({"store": str(store.path), "systems": [asdict(each) for each in versions]})
        return
    rows = [
        [each.name, each.note, each.version, f"{each.answers:,}", f"{each.calls:,}", f"{each.tokens:,}",
         each.first[:10], each.last[:10]]
        for each in versions
    ]  # fmt: skip
    heads = ("system", "what", "version", "answers", "calls", "tokens", "first", "last")
    say(lay_out(heads, rows, right=(3, 4, 5)) if rows else "Nothing is stored.")
    say(f"Store: {store.path}")


@answers.command()
@click.argument("systems", metavar="[SYSTEM]…", nargs=-1)
@click.option("--yes", is_flag=True, help="Do not ask.")
def empty(systems: tuple[str, ...], yes: bool) -> None:
    """Remove what is stored of some systems, named as eec answers show names them; without names, of all.

    \b
    Examples:
      eec answers empty mymodel:score
      eec answers empty --yes
    """
    from eec_datasets.errors import UnknownSystem
    from eec_datasets.systems.store import Store

    with Store() as store:
        versions = _stored(store)
        for name in systems:
            if name not in {each.name for each in versions}:
                names = ", ".join(dict.fromkeys(each.name for each in versions)) or "nothing"
                raise UnknownSystem(f"system {name}: no answer of it is stored in {store.path}. There is {names}.")
        count = sum(each.answers for each in versions if not systems or each.name in systems)
        if count and not yes:
            click.confirm(f"Remove {count:,} answers from {store.path}?", abort=True, err=True)
        say(f"{store.empty(systems) if count else 0:,} answers removed from {store.path}.")
