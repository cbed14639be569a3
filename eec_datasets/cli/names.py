"""``eec names``: the sets of names, by what evidence they are chosen, and how to rebuild them."""

from __future__ import annotations

from pathlib import Path

import click

from eec_datasets.cli.command import CommandGroup
from eec_datasets.cli.given import GIVEN_FILE_THERE
from eec_datasets.cli.options import FOLDER_THERE, JSON, chained, option
from eec_datasets.cli.output import echo_json, say

LOCALES = "Folder of locales [default: those that come with the package]."
OF_TAG = chained(click.argument("tag"), option("--locales", "DIR", LOCALES, name="root", type=FOLDER_THERE))

LISTED = 10
"""Names that are written out of those that were left out."""


@click.group(cls=CommandGroup)
def names() -> None:
    """Show, check and rebuild the sets of names.

    Every language with such sets has a table of names, locales/TAG/names.csv, with what each source says of them, and
    the rules of its sets, locales/TAG/names.toml. Sources are described in locales/corpus.toml.

    \b
    Examples:
      eec names show en black-white-100              how even the cells are, and by what evidence
      eec names about en Latoya                      what each source says of a name
      eec names build en black-white-100 --dry-run   who would be in the set by its rule
    """


@names.command(short_help="Show how even the cells of a set are, and by what evidence.")
@OF_TAG
@click.argument("key", metavar="[SET]", required=False)
@option("--tokenizer", "FILE|MODEL", "Count tokens with this too: a tokenizer.json, or a Hub model.")
@JSON
def show(tag: str, key: str | None, tokenizer: str | None, root: Path | None, as_json: bool) -> None:
    """Show the set SET of the language TAG, or all of its sets.

    For each cell: how many names are attested, rest on a model alone or carry a flag; and the mean of every feature
    with the largest difference between cells, in standard deviations.

    \b
    Examples:
      eec names show en
      eec names show ar anglo-arab-100
      eec names show en black-white-100 --tokenizer FacebookAI/roberta-base
      eec names show en black-white-100 --json
    """
    from eec_datasets.names import candidates, summary
    from eec_datasets.names.tokens import token_counter

    count = token_counter(tokenizer) if tokenizer else None
    table = candidates.load_table(tag, root)
    rules = [candidates.rule_of(table, name) for name in ([key] if key else table.sets)]
    sets = [(rule, candidates.cells_in(table, rule)) for rule in rules]
    if as_json:
        echo_json([summary.to_dict(table, rule, cells, count) for rule, cells in sets])
        return
    for rule, cells in sets:
        click.secho(f"{tag}: {rule.key}", bold=True)
        say(summary.set_text(table, rule, cells, count) + "\n")
    say("\n".join(summary.credits_of(table)))


@names.command(short_help="Show what each source says of a name.")
@OF_TAG
@click.argument("name")
def about(tag: str, name: str, root: Path | None) -> None:
    """Show what each source says of NAME in the language TAG, and why it is not in a set.

    \b
    Examples:
      eec names about en Latoya
      eec names about es María
    """
    from eec_datasets.names import candidates, summary

    table = candidates.load_table(tag, root)
    spelling = candidates.folded(name)
    rows = [row for row in table.file.rows if spelling in (candidates.folded(row["name"]), row["id"])]
    if not rows:
        raise candidates.NameSetError(f"'{name}' is not in {table.folder / 'names.csv'}. Look at its spelling there")
    lists = candidates.word_lists(table)
    refused = {key: candidates.refusals(table, rule, lists) for key, rule in table.sets.items() if not rule.like}
    say(summary.name_text(table, rows, refused))


@names.command(short_help="Choose a set anew by its rule, and write it.")
@OF_TAG
@click.argument("key", metavar="SET")
@click.option("--fresh", is_flag=True, help="Choose every member anew, not only as many as the rule asks.")
@option("--seed", None, "Order that settles ties.", least=0, default=0)
@click.option("--dry-run", is_flag=True, help="Show who would leave and join; write nothing.")
def build(tag: str, key: str, root: Path | None, fresh: bool, seed: int, dry_run: bool) -> None:
    """Choose the set SET of the language TAG by the rule of names.toml, and write it into names.csv.

    Names of the set stay as long as the rule allows. Refused names are shown with the reason. If the cells are
    not even enough, as few names as possible are exchanged.

    \b
    Examples:
      eec names build en black-white-100 --dry-run
      eec names build en black-white-100 --fresh --seed 7 --dry-run    another hundred by the same rule
    """
    from eec_datasets.names import candidates, choosing, summary, writing

    chosen = choosing.choose(tag, key, fresh=fresh, seed=seed, root=root)
    table = candidates.load_table(tag, root)
    if not dry_run:
        writing.write_set(table, chosen)
    for row, reasons in chosen.left:
        say(f"- {row['name']} ({row['group']} {row['gender']}): {'; '.join(reasons)}")
    for row in chosen.joined:
        say(f"+ {row['name']} ({row['group']} {row['gender']})")
    say(summary.set_text(table, chosen.rule, chosen.cells))
    written = "Nothing was" if dry_run else f"{table.folder / 'names.csv'} is"
    say(f"{len(chosen.left)} left, {len(chosen.joined)} joined. {written} written.")


@names.command(short_help="Show where the sets and their rules disagree.")
@OF_TAG
def check(tag: str, root: Path | None) -> None:
    """Check every set of the language TAG against its rule. The exit code is 1 where one does not keep it.

    \b
    Examples:
      eec names check en
    """
    from eec_bias.shared import counted
    from eec_datasets.names import candidates
    from eec_datasets.names.checking import faults

    table = candidates.load_table(tag, root)
    found = faults(table, root)
    for fault in found:
        say(str(fault))
    click.secho(f"{tag}: {', '.join(table.sets) or 'no sets'}: {counted(len(found), 'problem')}", bold=True)
    click.get_current_context().exit(1 if found else 0)


@names.command(short_help="Add the data of another source to the table.")
@OF_TAG
@click.argument("file", type=GIVEN_FILE_THERE)
@option("--source", "KEY", "Key of the source in corpus.toml.", required=True)
@click.option("--replace", is_flag=True, help="Let other values take the place of those that are there.")
def add(tag: str, file: Path, source: str, replace: bool, root: Path | None) -> None:
    """Take FILE, a CSV of names, into the table of the language TAG.

    Its columns are name, gender and fields of the source, in any order (a field called gender itself as SOURCE.gender);
    names that the table lacks are added where the file has a column group. Describe the source in corpus.toml first.
    Then rebuild the sets.

    \b
    Examples:
      eec names add en elder-hayes.csv --source eh23
      eec names build en black-white-100
    """
    from eec_datasets.names import candidates, writing

    table = candidates.load_table(tag, root)
    addition = writing.add_source(table, source, file, replace=replace)
    added, left_out = len(addition.added), len(addition.left_out)
    say(f"{table.folder / 'names.csv'}: names described by {source}: {addition.described}; new in the table: {added}")
    if addition.groups:
        say(f"Groups that no name had before: {', '.join(addition.groups)}")
    if left_out:
        some = ", ".join([*addition.left_out[:LISTED], *(["…"] if left_out > LISTED else [])])
        say(f"Left out, as names.csv lacks them and the file gives them no group: {left_out} ({some})")
