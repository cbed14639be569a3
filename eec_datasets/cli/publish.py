"""``eec publish dataset | metric``: releases on the Hub."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from eec_datasets.cli.command import CommandGroup
from eec_datasets.cli.options import CONFIGS, OVERWRITE, chained, option, switch
from eec_datasets.cli.output import say

RELEASE = chained(
    option("--repo", "ORG/NAME", "Repository on the Hub.", required=True),
    option("--tag", "vX.Y.Z", "Tag of the release; must not exist yet.", required=True),
    switch("--dry-run", "Check and show the release, and change nothing."),
    switch("--private", "Make a new repository private; refuse one that is public."),
    OVERWRITE,
)
"""Options for publishing a release."""


@click.group(cls=CommandGroup)
def publish() -> None:
    """Publish the corpora or the metric on the Hugging Face Hub.

    \b
    Examples:
      eec publish dataset --repo my-org/eec --tag v1.0.0 --dry-run
      eec publish metric --repo my-org/eec_bias --tag v0.1.0 --dry-run
    """


@publish.command()
@RELEASE
@CONFIGS
def dataset(names: tuple[str, ...], **release: Any) -> None:
    """Release the corpora on the Hub under a tag.

    --dry-run shows which sentences changed since the last release. These changes decide the version: MAJOR if an
    existing sentence or label changed, MINOR if sentences or labels were added, and PATCH otherwise. The command checks
    everything first. It uploads the files in one commit, downloads them again and compares them. Only then does it set
    the tag, and it never moves a tag. After an interruption run the same command again.

    Needs a token with write access, in HF_TOKEN or by `hf auth login`.

    \b
    Examples:
      eec publish dataset --repo my-org/eec --tag v1.0.0 --dry-run
      eec publish dataset --repo my-org/eec --tag v1.0.0
    """
    from eec_datasets.hub import publish as corpora

    load = 'load_dataset("{repo}", CONFIG, revision="{tag}", split="test")'
    _publish(corpora.publish, load, configs=list(names) or None, **release)


@publish.command()
@RELEASE
@option("--metric", "DIR", "Folder of the module. [default: the installed one]", name="folder")
@option("--wheel", "FILE", "Wheel of the package. [default: built from the source tree]")
def metric(**release: Any) -> None:
    """Release the metric as a Space, so that evaluate.load finds it.

    The Space contains the module, its page with the app, the requirements and the wheel of the package. The
    requirements name the wheel by its address. The module must run with this wheel in a clean process. The tag is the
    version of the module and of the package.

    \b
    Examples:
      eec publish metric --repo my-org/eec_bias --tag v0.1.0 --dry-run
      python -c 'import evaluate; evaluate.load("my-org/eec_bias", revision="v0.1.0")'
    """
    from eec_datasets.hub import space

    _publish(space.publish, 'evaluate.load("{repo}", revision="{tag}")', **release)


def _publish(function: Callable[..., Any], load: str, *, repo: str, tag: str, **options: Any) -> None:
    outcome = function(repo, tag, say=lambda line: say(line, err=True), **options)
    say(f"{outcome.status}: {repo} {tag}" + (f" (commit {outcome.commit})" if outcome.commit else ""))
    if outcome.commit:
        say(load.format(repo=repo, tag=tag))
