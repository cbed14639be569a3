"""``eec publish``: the corpora as a tagged release on the Hub, checked before and after."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets import corpora, schema
from eec_datasets.errors import EecError
from eec_datasets.hub.comparing import download
from eec_datasets.hub.remote import Remote
from eec_datasets.hub.uploading import Outcome, differences, upload
from eec_datasets.locale.reading import corpus_facts, locales_folder
from eec_datasets.release import building, changelog, diffing, manifest, versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from eec_datasets.hub.remote import Refs
    from eec_datasets.hub.uploading import Say
    from eec_datasets.release.building import Built
    from eec_datasets.release.diffing import Diff
    from eec_datasets.release.manifest import Manifest
    from eec_datasets.release.versions import Version


class PublishError(EecError):
    """The corpora cannot be released as they are, or not under this tag. Nothing was changed on the Hub."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a publish would do.

    Attributes
    ----------
    built : Built
        The files of the release.
    diff : Diff or None
        Against the release before; None for the first.
    """

    tag: str
    built: Built
    diff: Diff | None

    def __str__(self) -> str:
        change = changelog.table(self.diff) if self.diff else "First release: nothing to compare with."
        return f"{self.built.manifest}\n\n{change}"


def publish(
    repo: str,
    tag: str,
    *,
    configs: Sequence[str] | None = None,
    root: str | Path | None = None,
    dry_run: bool = False,
    private: bool = False,
    say: Say = print,
) -> Outcome:
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
        Whether a repository that has to be made is private.
    say : callable
        Told each step, and the plan.

    Raises
    ------
    PublishError, VersionError, LocaleError
        A check failed; nothing was changed.
    HubError, HubInterrupted
        What happened, what was changed on the Hub, what to do.
    """
    version = versions.parse_tag(tag)
    remote = Remote(repo, "dataset")
    folder = Path(root) if root else locales_folder()
    check_tree(folder, say if dry_run else None)
    check_locales(folder, configs, say)
    if not dry_run:
        remote.check_may_write()
    refs = remote.refs()
    _check_repo(remote, refs)
    plan = make_plan(remote, refs, version, configs, folder, say)
    if refs and tag in refs.tags:
        return _again(remote, plan, refs.tags[tag])
    _check_number(plan, refs, version, folder)
    with remote.told("loading the configs from a clean folder"):
        check_loads(plan.built, say)
    say(str(plan))
    if dry_run:
        say(f"Dry run: {repo} would get this as {tag}. Nothing was changed")
        return Outcome("planned", repo, tag, "", len(plan.built.files))
    return upload(remote, plan.built.files, tag, refs, say, private=private)


def make_plan(
    remote: Remote, refs: Refs | None, version: Version, configs: Sequence[str] | None, root: Path, say: Say
) -> Plan:
    """Render the release and compare it with the one before it on the Hub."""
    earlier = [found for found in versions.released(refs.tags if refs else ()) if found != version]
    older = [found for found in earlier if found < version] if refs and version.tag in refs.tags else earlier
    previous = None
    if older:
        say(f"Downloading {older[-1].tag} to compare with")
        previous = download(remote, older[-1].tag)
    say("Rendering")
    built = building.render(configs=configs, root=root, repo=remote.repo)
    diff = None
    if previous:
        diff = diffing.compare(previous.tables, tables_of(built), old_name=older[-1].tag, new_name=version.tag)
    entry = changelog.entry(diff, str(version))
    log = changelog.prepend(entry, previous.changelog if previous else None)
    return Plan(version.tag, building.with_changelog(built, log), diff)


def tables_of(built: Built) -> dict[str, pa.Table]:
    """The rows of a rendered release, read back from its parquet files and checked."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = {config.name: pq.read_table(pa.BufferReader(built.files[config.file])) for config in built.manifest.configs}
    for config in built.manifest.configs:
        if schema.content_hash(found[config.name]) != config.content_hash:
            raise PublishError(
                f"config '{config.name}' read back from parquet is not what was rendered. Nothing was changed on the "
                "Hub. Update pyarrow"
            )
    return found


def check_tree(root: Path, say: Say | None = None) -> None:
    """Refuse to release from a git working tree with changes that no commit has.

    Parameters
    ----------
    root : Path
        A folder; outside a git working tree nothing is asked.
    say : callable, optional
        For a dry run: told of the changes, instead of refusing.

    Raises
    ------
    PublishError
        The files are listed.
    """
    changed = _changed(root)
    if not changed:
        return
    more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
    what = f"the working tree has changes that no commit has: {', '.join(changed[:5])}{more}"
    if say is None:
        raise PublishError(
            f"{what}. Nothing was changed on the Hub. Commit them, so that the release can be made again from the "
            "sources, and run it again"
        )
    say(f"Note: {what}. The release itself will ask for a commit")


def _changed(root: Path) -> list[str]:
    """The files of the working tree around a folder that differ from its last commit."""
    try:
        found = subprocess.run(
            ["git", "-C", str(root), "status", "--porcelain", "--no-renames", "--", ":/"],
            capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except FileNotFoundError as error:
        if _in_working_tree(root.resolve()):
            raise PublishError(
                f"{root} is in a git working tree, and git is not installed to say whether everything is committed. "
                "Nothing was changed on the Hub. Install git"
            ) from error
        return []
    if found.returncode == 0:
        return [line[3:] for line in found.stdout.splitlines()]
    if "not a git repository" in found.stderr:
        return []
    raise PublishError(
        f"git cannot say whether everything in {root} is committed ({found.stderr.strip().splitlines()[0]}). Nothing "
        f"was changed on the Hub. Make this work: git -C '{root}' status"
    )


def _in_working_tree(root: Path) -> bool:
    """Whether git would find a repository around a folder: the search ends where git's own would."""
    ceilings = {
        Path(place).resolve() for place in os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep) if place
    }
    for folder in (root, *root.parents):
        if folder in ceilings and folder != root:
            return False
        if (folder / ".git").exists():
            return True
    return False


def check_locales(root: Path, names: Sequence[str] | None, say: Say) -> None:
    """Refuse to release a language whose files do not pass ``eec locale check``.

    Raises
    ------
    PublishError
        Every error, with file and line.
    """
    from eec_datasets.checks import check

    chosen = [corpora.find(name, root=root) for name in names] if names else corpora.configs(root=root)
    languages = dict.fromkeys(config.language for config in chosen)
    say(f"Checking {', '.join(languages)}")
    reports = [check(root / tag) for tag in languages]
    wrong = [f"  {report.tag}/{finding}" for report in reports for finding in report.of("error")]
    if wrong:
        raise PublishError(
            "\n".join(["the locales do not pass their checks, and nothing was changed on the Hub. Mend:", *wrong])
        )


def check_loads(built: Built, say: Say) -> None:
    """Load every config with ``datasets`` from a clean folder and a clean cache, and compare its rows.

    Raises
    ------
    PublishError
        A config does not load, or comes out as something else.
    """
    import datasets

    say(f"Loading {len(built.manifest.configs)} configs from a clean folder")
    with tempfile.TemporaryDirectory(prefix="eec-check-") as name:
        folder = Path(name) / "eec"
        building.write(built.files, folder)
        bars = datasets.are_progress_bars_disabled()
        datasets.disable_progress_bars()
        try:
            _load_each(built.manifest, folder, Path(name) / "cache")
        finally:
            if not bars:
                datasets.enable_progress_bars()


def _load_each(made: Manifest, folder: Path, cache: Path) -> None:
    import datasets

    for config in made.configs:
        try:
            found = datasets.load_dataset(str(folder), config.name, split=schema.SPLIT, cache_dir=str(cache))
        except Exception as error:
            raise PublishError(
                f"config '{config.name}' does not load from the build ({type(error).__name__}: {error}). "
                "Nothing was changed on the Hub"
            ) from error
        got = str(found.info.version), schema.content_hash(found.data.table)
        if got != (made.version, config.content_hash):
            raise PublishError(
                f"config '{config.name}' loads as version {got[0]}, content {got[1][:8]}, and was built as "
                f"{made.version}, {config.content_hash[:8]}. Nothing was changed on the Hub"
            )


def _check_repo(remote: Remote, refs: Refs | None) -> None:
    if refs is None or versions.released(refs.tags):
        return
    there = [path for path in remote.files(refs.head) if path not in (".gitattributes", building.CARD)]
    if there and manifest.FILE not in there:
        raise remote.fail(
            f"{remote.repo} exists and holds something else than a corpus ({', '.join(there[:3])}"
            f"{', …' if len(there) > 3 else ''})",
            "Choose another --repo",
        )


def _check_number(plan: Plan, refs: Refs | None, version: Version, root: Path) -> None:
    if plan.diff:
        old = versions.released(refs.tags if refs else ())[-1]
        versions.check_next(old, version, plan.diff.kind)
    declared = str(corpus_facts(root)["version"])
    if declared != str(version):
        raise PublishError(
            f"{root / 'corpus.toml'} says version {declared}, and the tag is {version.tag}. Nothing was changed on the "
            f'Hub. Write version = "{version}" there, commit it, and run it again'
        )


def _again(remote: Remote, plan: Plan, commit: str) -> Outcome:
    """The tag exists: it holds exactly this release, or it is left as it is and the difference is told."""
    wrong = differences(remote, commit, plan.built.files)
    if not wrong:
        return Outcome("already released", remote.repo, plan.tag, commit, len(plan.built.files))
    same = download(remote, plan.tag).manifest.content_hash == plan.built.manifest.content_hash
    rows = (
        "its sentences and labels are the same, the card or the way the files are written is not"
        if same
        else "its sentences or labels differ"
    )
    raise PublishError(
        f"{remote.repo} has {plan.tag} already (commit {commit[:12]}), and {rows}: "
        f"{'; '.join(wrong[:3])}{'; …' if len(wrong) > 3 else ''}. A tag is never moved, and nothing was changed. "
        "Release under the next version"
    )
