"""``eec publish``, ``eec publish-metric``, ``eec diff``: releases on the Hub, and what changed between them."""

from __future__ import annotations

import click

EXIT_CODES = {"patch": 10, "minor": 11, "major": 12}
"""What ``eec diff --exit-code`` ends with; apart from the codes that say that a command did not work."""

REPO = click.option("--repo", required=True, metavar="ORG/NAME", help="Repository on the Hub.")
TAG = click.option("--tag", required=True, metavar="vX.Y.Z", help="Tag of the release; must not exist yet.")
DRY_RUN = click.option("--dry-run", is_flag=True, help="Check and show what would be released; change nothing.")
PRIVATE = click.option("--private", is_flag=True, help="Make a new repository private.")


@click.command(short_help="Release the corpora on the Hub.")
@REPO
@TAG
@click.option("--config", "names", multiple=True, metavar="NAME", help="Only this config; may be repeated.")
@DRY_RUN
@PRIVATE
def publish(repo: str, tag: str, names: tuple[str, ...], dry_run: bool, private: bool) -> None:
    """Release the corpora on the Hub under a tag.

    The version must be the one that the change of the rows calls for: MAJOR where an existing sentence or label
    changed, MINOR where sentences were added, PATCH where neither. Everything is checked first; the files go up in
    one commit, are downloaded and compared, and only then get the tag. A tag is never moved. After an interruption
    run the same command again.

    Needs a token with write access, in HF_TOKEN or by `hf auth login`.

    \b
    Examples:
      eec publish --repo my-org/eec --tag v1.0.0 --dry-run
      eec publish --repo my-org/eec --tag v1.0.0
    """
    from eec_datasets.hub import publish as corpora

    outcome = corpora.publish(repo, tag, configs=list(names) or None, dry_run=dry_run, private=private, say=_say)
    _tell(outcome.status, f"{repo} {tag}", outcome.commit)
    if outcome.commit:
        click.echo(f'load_dataset("{repo}", CONFIG, revision="{tag}", split="test")')


@click.command(short_help="Release the metric on the Hub, as a Space.")
@REPO
@TAG
@click.option("--metric", "folder", metavar="DIR", help="Folder of the module; default: the installed one.")
@click.option("--wheel", metavar="FILE", help="Wheel of the package; default: built from the source tree.")
@DRY_RUN
@PRIVATE
def publish_metric(repo: str, tag: str, folder: str | None, wheel: str | None, dry_run: bool, private: bool) -> None:
    """Release the metric as a Space, so that evaluate.load finds it.

    The Space holds the module, its page with the app, the requirements and the wheel of the package, which they name
    by its address. The module must load and run with that wheel in a clean process; the tag is the version of both.

    \b
    Examples:
      eec publish-metric --repo my-org/eec_bias --tag v0.1.0 --dry-run
      python -c 'import evaluate; evaluate.load("my-org/eec_bias", revision="v0.1.0")'
    """
    from eec_datasets.hub import space

    outcome = space.publish(repo, tag, folder=folder, wheel=wheel, dry_run=dry_run, private=private, say=_say)
    _tell(outcome.status, f"{repo} {tag}", outcome.commit)
    if outcome.commit:
        click.echo(f'evaluate.load("{repo}", revision="{tag}")')


@click.command(short_help="Show what changed between two releases.")
@click.argument("old")
@click.argument("new", required=False)
@click.option("--json", "as_json", is_flag=True, help="The whole difference as JSON.")
@click.option("--changelog", "as_changelog", metavar="VERSION", help="The entry of the corpus's changelog.")
@click.option(
    "--show",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Sentences written out per config and sort of change.",
)
@click.option("--exit-code", is_flag=True, help="End with 10, 11 or 12 for a PATCH, MINOR or MAJOR difference.")
@click.pass_context
def diff(
    context: click.Context,
    old: str,
    new: str | None,
    as_json: bool,
    as_changelog: str | None,
    show: int,
    exit_code: bool,
) -> None:
    """Show the sentences added, removed and changed from OLD to NEW.

    OLD and NEW are folders made by `eec build`, or releases on the Hub as ORG/NAME@v1.0.0 (a tag, branch or
    commit). Without NEW, what the locales give now. The last line, or `kind` in the JSON, says which version the
    difference calls for. Ends with exit code 0 whatever the difference; with --exit-code with 0 where every row is
    the same, 10 where the same rows stand in another order, 11 where some were added, 12 where some were changed
    or removed.

    \b
    Examples:
      eec diff build/old build/new
      eec diff my-org/eec@v1.0.0 my-org/eec@v2.0.0 --json
      eec diff my-org/eec@v1.0.0 --exit-code > /dev/null || echo "something changed"
    """
    import json

    from eec_datasets.hub import releases
    from eec_datasets.release import changelog

    if as_json and as_changelog:
        raise click.UsageError("--json and --changelog are two forms of the same answer. Give one of them")
    found = releases.difference(old, new)
    if as_json:
        click.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=1))
    elif as_changelog:
        click.echo(changelog.entry(found, as_changelog, shown=show), nl=False)
    else:
        click.echo(changelog.table(found, shown=show))
    if exit_code and not found.same:
        context.exit(EXIT_CODES[found.kind])


def _say(line: str) -> None:
    click.echo(line, err=True)


def _tell(status: str, what: str, commit: str) -> None:
    click.echo(f"{status}: {what}" + (f" (commit {commit})" if commit else ""))
