"""Which folder of locales a command of ``eec locale`` reads or writes, and which languages in it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from eec_datasets.cli.command import typed
from eec_datasets.cli.options import Decorator, chained, option
from eec_datasets.cli.output import say
from eec_datasets.errors import InputError
from eec_datasets.locale.reading import CORPUS_FILE, locales_folder
from eec_datasets.locale.reading import tags as tags_in


def find_folder(named: Path | None, *, writes: bool) -> Path:
    """The folder of locales: the one named, that of the project the user stands in, or the package's own.

    Raises
    ------
    InputError
        It is to be written, and the user neither names a folder nor stands in a project.
    """
    ours = locales_folder()
    if named or os.environ.get("EEC_LOCALES"):
        return named or ours
    here, ups = Path.cwd(), [Path.cwd(), *Path.cwd().parents]
    # Up to the root of the repository.
    within = next((number for number, up in enumerate(ups, start=1) if (up / ".git").exists()), len(ups))
    project = next((up / "locales" for up in ups[:within] if (up / "locales" / CORPUS_FILE).is_file()), None)
    if project is None and writes:
        raise InputError(
            f"there is no folder locales with a {CORPUS_FILE} in {here} or above it, and {ours}, which belongs to the "
            "installed package, is not written to from elsewhere. Change to your clone, or name a folder with --locales"
        )
    return project or ours


def locales_option(*, writes: bool) -> Decorator:
    """Add ``--locales``, which reaches the command as ``root``."""
    rest = "and no other]." if writes else "else those of the package]."

    def find(ctx: click.Context, _option: click.Parameter, named: Path | None) -> Path | None:
        if ctx.resilient_parsing:
            return named
        found = find_folder(named, writes=writes)
        if not (named or os.environ.get("EEC_LOCALES") or found.samefile(locales_folder())):
            say(f"Locales: {found}", err=True)
        return found

    return option(
        "--locales", "DIR", f"Folder of the languages [default: locales in your clone, {rest}", name="root",
        callback=find, type=click.Path(exists=True, file_okay=False, path_type=Path),
    )  # fmt: skip


def named_again(root: Path) -> str:
    """The option that names the folder again, for the next command, where the user has named it."""
    return f" --locales {shlex.quote(str(root))}" if typed("root") else ""


OF_TAGS = chained(click.argument("tags", nargs=-1, metavar="[TAG]..."), locales_option(writes=False))
OF_TAG, OWN_TAG = (chained(click.argument("tag"), locales_option(writes=writes)) for writes in (False, True))


def folders_of(tags: tuple[str, ...] | list[str], folder: Path) -> list[Path]:
    """The folders of the languages asked for, of all where none is named."""
    all_tags = tags_in(folder)
    if not (tags or all_tags):
        raise InputError(f"no locales in {folder}: each is a folder with a locale.toml")
    for tag in tags:
        if Path(tag).name != tag or not (folder / tag).is_dir():
            raise InputError(f"no locale '{tag}' in {folder}; there are: {', '.join(all_tags) or 'none'}")
    return [folder / tag for tag in dict.fromkeys(tags or all_tags)]
