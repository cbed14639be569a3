"""Show, check and rebuild the sets of names.

Every language with such sets has a table of names, locales/TAG/names.csv, with what each source says of them, and the
rules of its sets, locales/TAG/names.toml. Sources are described in locales/corpus.toml.

    python scripts/names.py show en black-white-100              how even the cells are, and by what evidence
    python scripts/names.py about en Latoya                      what each source says of a name
    python scripts/names.py build en black-white-100 --dry-run   who would leave and join
    python scripts/names.py check en                             where the sets and their rules disagree
    python scripts/names.py add en traits.csv --source traits    the data of another source, into the table
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from eec_bias.shared import counted
from eec_datasets.errors import EecError, InputError
from eec_datasets.names import candidates, summary
from eec_datasets.names.checking import faults
from eec_datasets.names.choosing import choose
from eec_datasets.names.writing import add_source, write_set

LISTED = 10
"""Names that are written out of those that were left out."""


def show(tag: str, key: str | None, root: Path | None) -> None:
    """Print the set of a language, or all of its sets: the evidence for each cell, and how even the cells are."""
    table = candidates.load_table(tag, root)
    for rule in [candidates.rule_of(table, name) for name in ([key] if key else table.sets)]:
        print(f"{tag}: {rule.key}\n{summary.set_text(table, rule, candidates.cells_in(table, rule))}\n")
    print("\n".join(summary.credits_of(table)))


def about(tag: str, name: str, root: Path | None) -> None:
    """Print what each source says of a name, and why it is not in a set."""
    table = candidates.load_table(tag, root)
    spelling = candidates.folded(name)
    rows = [row for row in table.file.rows if spelling in (candidates.folded(row["name"]), row["id"])]
    if not rows:
        raise InputError(f"'{name}' is not in {table.folder / 'names.csv'}. Look at its spelling there")
    lists = candidates.word_lists(table)
    refused = {key: candidates.refusals(table, rule, lists) for key, rule in table.sets.items() if not rule.like}
    print(summary.name_text(table, rows, refused))


def build(tag: str, key: str, root: Path | None, *, fresh: bool, seed: int, dry_run: bool) -> None:
    """Choose a set by its rule, print who leaves and who joins, and write it into names.csv."""
    chosen = choose(tag, key, fresh=fresh, seed=seed, root=root)
    table = candidates.load_table(tag, root)
    if not dry_run:
        write_set(table, chosen)
    for row, reasons in chosen.left:
        print(f"- {row['name']} ({row['group']} {row['gender']}): {'; '.join(reasons)}")
    for row in chosen.joined:
        print(f"+ {row['name']} ({row['group']} {row['gender']})")
    print(summary.set_text(table, chosen.rule, chosen.cells))
    written = "Nothing was" if dry_run else f"{table.folder / 'names.csv'} is"
    print(f"{len(chosen.left)} left, {len(chosen.joined)} joined. {written} written.")


def check(tag: str, root: Path | None) -> int:
    """Print where a set does not keep its rule; return the exit code."""
    table = candidates.load_table(tag, root)
    found = faults(table, root)
    for fault in found:
        print(fault)
    print(f"{tag}: {', '.join(table.sets) or 'no sets'}: {counted(len(found), 'problem')}")
    return 1 if found else 0


def add(tag: str, file: Path, root: Path | None, *, source: str, replace: bool) -> None:
    """Take a CSV of names into the table, and print how many names it describes.

    Its columns are name, gender and fields of the source, in any order (a field called gender itself as SOURCE.gender).
    Names that the table lacks are added if the file has a column group.
    """
    table = candidates.load_table(tag, root)
    addition = add_source(table, source, file, replace=replace)
    added, left_out = len(addition.added), len(addition.left_out)
    print(f"{table.folder / 'names.csv'}: names described by {source}: {addition.described}; new in the table: {added}")
    if addition.groups:
        print(f"Groups that no name had before: {', '.join(addition.groups)}")
    if left_out:
        some = ", ".join([*addition.left_out[:LISTED], *(["…"] if left_out > LISTED else [])])
        print(f"Left out, as names.csv lacks them and the file gives them no group: {left_out} ({some})")


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Return the command and its options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for command in (show, about, build, check, add):
        under = commands.add_parser(command.__name__, help=(command.__doc__ or "").partition("\n")[0])
        under.set_defaults(command=command)
        under.add_argument("tag", metavar="TAG")
        under.add_argument("--locales", dest="root", type=Path, help="folder of locales")
        if command is show:
            under.add_argument("key", metavar="SET", nargs="?")
        if command is about:
            under.add_argument("name", metavar="NAME")
        if command is build:
            under.add_argument("key", metavar="SET")
            under.add_argument("--fresh", action="store_true", help="choose every member again")
            under.add_argument("--seed", type=int, default=0, help="order that settles ties")
            under.add_argument("--dry-run", action="store_true", help="write nothing")
        if command is add:
            under.add_argument("file", metavar="FILE", type=Path)
            under.add_argument("--source", required=True, help="key of the source in corpus.toml")
            under.add_argument("--replace", action="store_true", help="let other values take the place of those there")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Run a command, and return its exit code."""
    options = vars(read_arguments(arguments))
    try:
        return options.pop("command")(**options) or 0
    except EecError as error:
        print(f"Error: {error}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
