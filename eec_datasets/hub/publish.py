"""``eec publish dataset``: the corpora as a tagged release on the Hub, checked before and after."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from eec_bias.shared import MANIFEST, counted, with_manifest, write_over
from eec_datasets.errors import InputError
from eec_datasets.hub import guards
from eec_datasets.hub.releases import download
from eec_datasets.hub.repository import PublishOutcome, Repository, quiet, refusal
from eec_datasets.hub.working_tree import check_tree
from eec_datasets.locale.reading import corpus_facts, locales_folder
from eec_datasets.release import building, changelog, diff, versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eec_datasets.hub.repository import Say
    from eec_datasets.release.building import RenderedRelease
    from eec_datasets.release.diff import Diff
    from eec_datasets.release.versions import Version

NO_RELEASE: Final = "Remove the tag if it belongs to something else, or publish to another repository"
"""Advice for the newest tag `vX.Y.Z` if it belongs to no release."""


def publish(
    repo: str,
    tag: str,
    *,
    configs: Sequence[str] | None = None,
    root: str | Path | None = None,
    dry_run: bool = False,
    private: bool = False,
    overwrite: bool = False,
    say: Say = print,
) -> PublishOutcome:
    """Release the corpora on the Hub under a tag.

    Checks come first, and change nothing: the working tree, the locales, the version (unused, and what the rows
    call for), every config as ``datasets`` loads it. Then one commit, which is downloaded and compared, then the tag.
    Run again after an interruption it goes on; run again after the end it says that the release is there.

    Parameters
    ----------
    repo, tag : str
        ``ORG/NAME`` and ``vX.Y.Z``.
    configs : sequence of str, optional
        Names of configs; default: all.
    root : str or Path, optional
        Folder of locales, if not the one that comes with the package.
    dry_run : bool
        Stop after the checks; no token is needed for a public repository.
    private : bool
        Whether a repository that has to be made is private; one that is public already is then refused.
    overwrite : bool
        Whether files of main may be replaced that no release has put there, or that were changed since. What has
        another name is never taken away.
    say : callable
        Told each step, and the plan.

    Raises
    ------
    InputError, FileProblems
        A check failed; nothing was changed.
    Unavailable, Interrupted
        What happened, what was changed on the Hub, what to do.
    """
    version = versions.parse_tag(tag)
    repository = Repository(repo, "dataset")
    folder = Path(root) if root else locales_folder()
    check_tree(folder, say if dry_run else None)
    check_locales(folder, configs, say)
    head, tags = repository.begin(dry_run=dry_run, private=private)
    # The release before: where the tag exists already, the one that it followed.
    before = [earlier for earlier in versions.released(tags) if earlier < version or (tag not in tags)]
    built, change = render(repository, before[-1] if before else None, version, configs, folder, say)
    if tag in tags:

        def differs() -> str:
            if download(repository, tag).manifest.content_hash == built.manifest.content_hash:
                return "its sentences and labels are the same, the card or the way the files are written is not"
            return "its sentences or labels differ"

        return repository.released(tag, tags[tag], built.files, differs, "Release under the next version")
    if head:
        repository.check_own(head, built.files, overwrite=overwrite)
    say(changelog.table(change) if change else "First release: nothing to compare with.")
    if change:
        versions.check_next(before[-1], version, change.kind)
    if (declared := str(corpus_facts(folder)["version"])) != str(version):
        raise refusal(
            f"{folder / 'corpus.toml'} says version {declared}, and the tag is {tag}",
            f'Write version = "{version}" and its date there, commit it, and run it again',
        )
    with repository.explain("loading the configs from a clean folder"):
        check_loads(built, say)
    say(f"\n{built.manifest}")
    if dry_run:
        say("\n".join(f"{path}  {len(raw):,} bytes" for path, raw in sorted(built.files.items())))
        say(f"Dry run: {repo} would get this as {tag}. Nothing was changed")
        return PublishOutcome("planned", repo, tag, "", len(built.files))
    head = head or repository.open(say, private=private)
    return repository.release(built.files, tag, head, say)


def render(
    repository: Repository,
    before: Version | None,
    version: Version,
    configs: Sequence[str] | None,
    root: Path,
    say: Say,
) -> tuple[RenderedRelease, Diff | None]:
    """Render the release with its changelog, and compare it with the one before it on the Hub."""
    change, log = None, b""
    if before:
        say(f"Downloading {before.tag} to compare with")
        previous = download(repository, before.tag, NO_RELEASE)
        log = previous.files.get(building.CHANGELOG, b"")
    say("Rendering")
    built = building.render(configs=configs, root=root, repo=repository.name)
    if before:
        change = diff.compare(previous.tables, built.tables, old_name=before.tag, new_name=version.tag)
    entry = changelog.entry(change, str(version))
    if before and previous.manifest.licence != built.manifest.licence:
        say(licence := f"Licence: {previous.manifest.licence} → {built.manifest.licence}.")
        entry += f"\n{licence}\n"
    log = changelog.prepend(entry, log.decode()).encode()
    former = built.files[MANIFEST]
    files = with_manifest({**built.files, building.CHANGELOG: log}, building.COMMAND, former)
    return replace(built, files=files), change


def check_locales(root: Path, names: Sequence[str] | None, say: Say) -> None:
    """Refuse to release a language whose files do not pass ``eec locale check``.

    Raises
    ------
    InputError
        Every error, with file and line.
    """
    from eec_datasets.checks import check

    languages = dict.fromkeys(config.language for config in building.choose(names, root))
    say(f"Checking {', '.join(languages)}")
    reports = [check(root / tag) for tag in languages]
    wrong = [f"  {report.tag}/{finding}" for report in reports for finding in report.of("error")]
    if wrong:
        raise InputError(
            "\n".join(["the locales do not pass their checks, and nothing was changed on the Hub. Fix:", *wrong])
        )


def check_loads(built: RenderedRelease, say: Say) -> None:
    """Load every config with ``datasets`` from a clean folder and a clean cache, and compare its rows.

    Raises
    ------
    InputError
        A config does not load, or comes out as something else.
    """
    say(f"Loading {counted(len(built.manifest.configs), 'config')} from a clean folder")
    with quiet("datasets"), tempfile.TemporaryDirectory(prefix="eec-check-") as scratch:
        folder = Path(scratch) / "eec"
        write_over({folder / name: raw for name, raw in built.files.items()})
        try:
            for config in built.manifest.configs:
                guards.load(folder, config.name, cache_dir=str(Path(scratch) / "cache"))
        except Exception as error:
            failure = f"config '{config.name}' does not load as what was rendered"
            raise refusal(f"{failure} ({type(error).__name__}: {error})") from error
