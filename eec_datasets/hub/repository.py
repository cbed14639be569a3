"""One repository on the Hub: one commit, downloaded back and compared, and only then a tag; failures in our words."""

from __future__ import annotations

import errno
import functools
import hashlib
import importlib
import re
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from eec_bias.shared import MANIFEST, OVERWRITE, first_foreign, listed_in
from eec_datasets.errors import EecError, InputError, Interrupted, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    Say = Callable[[str], None]

UNTOUCHED = "Nothing was changed on the Hub"
RERUN = "Run the same command again: it goes on from there"
BARS = "huggingface_hub.utils.tqdm"
CARD = "README.md"
_HUB_CARD = re.compile(
    rb"(---\n(?:(?!---\s)[^\n]*\n)*---\s*)?(Check out the configuration reference at https://huggingface\.co/\S+\s*)?"
)
"""The card of a repository that the Hub has just made: settings, and nothing that anybody wrote."""

HUB_FILES = (".gitattributes",)
"""Files the Hub makes itself, which a release neither writes nor deletes."""


def refusal(what: str, fix: str = "") -> InputError:
    """An error of a check: what is wrong, that nothing was changed, how to fix it."""
    return InputError(". ".join(filter(None, (what, UNTOUCHED, fix))))


@dataclass(frozen=True, slots=True)
class PublishOutcome:
    """The outcome of a publish.

    Attributes
    ----------
    status : str
        ``planned`` (a dry run), ``released``, or ``already released`` (the tag held exactly this before).
    repo, tag, commit : str
        Where it is; the commit is empty for a plan.
    files : int
        Number of files of the release.
    """

    status: Literal["planned", "released", "already released"]
    repo: str
    tag: str
    commit: str
    files: int


@dataclass(slots=True)
class Repository:
    """A repository on the Hub.

    Attributes
    ----------
    name : str
        ``ORG/NAME``.
    kind : str
        ``dataset`` or ``space``.
    state : str
        What has been changed on the Hub so far; every error says it.
    """

    name: str
    kind: Literal["dataset", "space"]
    state: str = UNTOUCHED
    api: Any = field(init=False)

    def __post_init__(self) -> None:
        from huggingface_hub import HfApi

        if re.fullmatch(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", self.name) is None:
            raise InputError(f"repository '{self.name}' is not of the form ORG/NAME (letters, digits, - _ .)")
        self.api = HfApi()

    def fail(self, what: str, fix: str) -> Unavailable:
        """An error that says what happened, what was changed, and what to do."""
        return Unavailable(f"{what}. {self.state}. {fix}")

    @contextmanager
    def explain(self, doing: str) -> Iterator[None]:
        """Turn the libraries' exceptions while `doing` something into a `Unavailable`."""
        try:
            yield
        except EecError:
            raise
        except KeyboardInterrupt as error:
            raise Interrupted(f"Interrupted while {doing}. {self.state}. {RERUN}") from error
        except Exception as error:
            what, fix = _explanation(error, self.name)
            raise self.fail(f"{what}, while {doing}", fix) from error

    def begin(self, *, dry_run: bool, private: bool) -> tuple[str, dict[str, str]]:
        """Return where main and the tags point (see `refs`), after early refusals; a dry run needs no right to write.

        Raises
        ------
        Unavailable
            No token, one the Hub does not know, one without the right to write, or one of someone else; or everybody
            can see the repository, where a private one was asked for.
        """
        if not dry_run:
            self._check_may_write()
        head, tags = self.refs()
        if head and private:
            with self.explain("asking who can see it"):
                seen = not self.api.repo_info(self.name, repo_type=self.kind).private
            if seen:
                raise self.fail(
                    f"{self.name} already exists and is public, but you asked for a private one",
                    "Make it private in its settings on the Hub, or ask for a public one",
                )
        return head, tags

    def _check_may_write(self) -> None:
        from huggingface_hub import get_token

        fix = "Make a token with write access at https://huggingface.co/settings/tokens and set HF_TOKEN"
        if not get_token():
            raise self.fail("There is no token for the Hub", f"{fix}, or run: hf auth login")
        with self.explain("asking whose token this is"):
            account = self.api.whoami()
        if account.get("auth", {}).get("accessToken", {}).get("role") == "read":
            raise self.fail(f"The token of '{account['name']}' may only read", fix)
        namespace = self.name.partition("/")[0]
        mine = [account["name"], *(org["name"] for org in account.get("orgs", []))]
        if namespace not in mine:
            raise self.fail(
                f"'{self.name}' belongs to '{namespace}', and the token is that of '{account['name']}' "
                f"(who may write to: {', '.join(mine)})",
                "Publish to a namespace of yours, or use a token of that organisation",
            )

    def refs(self) -> tuple[str, dict[str, str]]:
        """Return where the main branch points, and where each tag; nowhere in a repository that is not there."""
        from huggingface_hub.errors import RepositoryNotFoundError

        with self.explain("reading the tags"):
            try:
                refs = self.api.list_repo_refs(self.name, repo_type=self.kind)
            except RepositoryNotFoundError:
                return "", {}
        head = next((branch.target_commit for branch in refs.branches if branch.name == "main"), "")
        return head, {tag.name: tag.target_commit for tag in refs.tags}

    def files(self, revision: str) -> list[str]:
        """The paths of all files of a revision but those of the Hub itself."""
        from huggingface_hub.errors import RevisionNotFoundError

        with self.explain("listing the files"):
            try:
                paths = self.api.list_repo_files(self.name, repo_type=self.kind, revision=revision)
            except RevisionNotFoundError as error:
                raise self.fail(f"{self.name} has no revision {revision}", "Check the tag or commit") from error
        return [path for path in paths if path not in HUB_FILES]

    def read(self, revision: str, patterns: list[str] | None = None) -> dict[str, bytes]:
        """Download the files of a revision, past every cache, but those of the Hub itself."""
        scratch = tempfile.TemporaryDirectory(prefix="eec-publish-", ignore_cleanup_errors=True)
        with self.explain(f"downloading {revision[:12]}"), quiet(BARS), scratch as name:
            # Without force_download a copy of this commit that load_dataset has left in the cache is taken.
            self.api.snapshot_download(
                self.name, repo_type=self.kind, revision=revision, local_dir=name, allow_patterns=patterns,
                force_download=True,
            )  # fmt: skip
            files = {path.relative_to(name).as_posix(): path for path in Path(name).rglob("*") if path.is_file()}
            # The downloader's own notes lie in .cache.
            return {
                path: file.read_bytes()
                for path, file in sorted(files.items())
                if path not in HUB_FILES and not path.startswith(".cache/")
            }

    def check_own(self, revision: str, names: Collection[str], *, overwrite: bool) -> None:
        """Refuse to put files in the place of what no release has put there, or of what was changed since.

        Parameters
        ----------
        revision
            What is to be replaced.
        names
            Paths of the new files.
        overwrite
            Whether files of these names may be replaced whatever they hold; others are never taken away.

        Raises
        ------
        Unavailable
            Naming the file.
        """
        remote = self.read(revision)
        if _HUB_CARD.fullmatch(remote.get(CARD, b"")):
            remote.pop(CARD, None)
        _, listed = listed_in(remote.get(MANIFEST, b""))
        foreign = functools.partial(
            first_foreign, remote, lambda path: hashlib.sha256(remote[path]).hexdigest(), listed
        )
        if reason := foreign(names):
            raise self.fail(
                f"{self.name} has files that would be lost ({reason})", "Choose another repository, or move it away"
            )
        if not overwrite and (reason := foreign()):
            raise self.fail(f"{self.name} already exists ({reason})", f"Choose another repository, or {OVERWRITE}")

    def open(self, say: Say, *, private: bool) -> str:
        """Make the repository, and return the head of its main branch."""
        say(f"Making the repository {self.name}")
        with self.explain("making the repository"):
            sdk = "gradio" if self.kind == "space" else None
            self.api.create_repo(self.name, repo_type=self.kind, private=private, exist_ok=True, space_sdk=sdk)
        self.state = f"The repository {self.name} was made; it holds no release yet"
        head, _ = self.refs()
        if not head:
            raise self.fail(f"The Hub was told to make {self.name} and does not show it yet", RERUN)
        return head

    def commit(self, files: Mapping[str, bytes], parent: str, message: str, *, keep: bool = False) -> str:
        """Put `files` on main in one commit, in place of all others unless `keep`; where nothing differs, make none.

        ``HfApi.upload_folder`` may split an upload into several commits, so the operations are listed here.
        """
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        obsolete = [] if keep else [path for path in self.files(parent) if path not in files]
        operations: list[Any] = [CommitOperationAdd(path, raw) for path, raw in files.items()]
        operations += [CommitOperationDelete(path) for path in obsolete]
        before = self.state
        self.state = "Whether the commit arrived is not known; if so, it has no tag, and nobody loads it by a version"
        with self.explain("uploading"), quiet(BARS):
            try:
                created = self.api.create_commit(
                    self.name, operations, commit_message=message, repo_type=self.kind, parent_commit=parent
                )
            except Exception as error:
                # An error of the Hub itself may come after the commit; a refusal comes instead of it.
                if (_status(error) or 500) < 500:
                    self.state = before
                raise
        self.state = f"Commit {created.oid[:12]} is on main of {self.name}, without a tag"
        return str(created.oid)

    def differences(self, commit: str, files: Mapping[str, bytes], patterns: list[str] | None = None) -> list[str]:
        """Return how a commit differs from `files`: one phrase per file, sorted by path, the manifest last."""
        remote, told = self.read(commit, patterns), []
        for path in sorted({*remote, *files}, key=lambda path: (path == MANIFEST, path)):
            if path not in remote:
                told.append(f"{path} is missing")
            elif path not in files:
                told.append(f"{path} is there too")
            elif remote[path] != files[path]:
                there, expected = (hashlib.sha256(side[path]).hexdigest()[:8] for side in (remote, files))
                told.append(f"{path} differs (SHA-256 {there}…, expected {expected}…)")
        return told

    def compare(self, commit: str, files: Mapping[str, bytes], patterns: list[str] | None = None) -> None:
        """Download a commit and compare it with `files` byte by byte.

        Raises
        ------
        Unavailable
            A file is missing, too many, or holds something else.
        """
        wrong = self.differences(commit, files, patterns)
        if wrong:
            raise self.fail(
                f"What the Hub gives for commit {commit[:12]} is not what was uploaded: {'; '.join(wrong)}",
                f"No tag was set. {RERUN}; if it stays so, the Hub holds a damaged file",
            )

    def tag(self, tag: str, commit: str) -> None:
        """Set a tag that does not exist yet.

        Raises
        ------
        Unavailable
            Someone has set it meanwhile; it is left as it is.
        """
        without = self.state
        with self.explain(f"setting the tag {tag}"):
            self.state = f"Commit {commit[:12]} is on main of {self.name}; whether it has the tag {tag} is not known"
            try:
                self.api.create_tag(self.name, tag=tag, revision=commit, repo_type=self.kind)
            except Exception as error:
                status = _status(error) or 500
                # An error of the Hub itself may come after the tag was set, and another run may have set the same.
                tagged = self.refs()[1].get(tag) if status >= 500 or status == 409 else None
                if tagged == commit:
                    return
                self.state = without
                if tagged is None:
                    raise
                self.state = f"Commit {commit[:12]} is on main of {self.name}, and {tag} is on commit {tagged[:12]}"
                raise self.fail(
                    f"The tag {tag} of {self.name} was set by someone else meanwhile, and we did not change it",
                    "Look at its content",
                ) from error
        self.state = f"The tag {tag} of {self.name} was set on commit {commit[:12]}"
        if (tagged := self.refs()[1].get(tag)) != commit:
            raise self.fail(
                f"The Hub was told to set {tag} on {commit[:12]} and shows {tagged}",
                "Look at the repository before anyone uses the tag",
            )

    def released(
        self, tag: str, commit: str, files: Mapping[str, bytes], differs: Callable[[], str], fix: str
    ) -> PublishOutcome:
        """A tag that is there holds exactly these files, or is left as it is and the difference is told.

        Raises
        ------
        InputError
            It holds something else; `differs` says in a few words what.
        """
        differences = self.differences(commit, files)
        if not differences:
            return PublishOutcome("already released", self.name, tag, commit, len(files))
        listed = "; ".join([*differences[:3], *(["…"] if len(differences) > 3 else [])])
        raise InputError(
            f"{self.name} has {tag} already (commit {commit[:12]}), and {differs()}: {listed}. A tag is never moved, "
            f"and nothing was changed. {fix}"
        )

    def release(self, files: Mapping[str, bytes], tag: str, head: str, say: Say) -> PublishOutcome:
        """Make `files` the content of main, under a new tag.

        The order makes every interruption harmless: the commit is one step for the Hub, it is compared before it gets
        a name, and a second run finds the commit and goes on.
        """
        say(f"Uploading {len(files)} files in one commit")
        commit = self.commit(files, head, f"Release {tag}")
        if commit == head:
            say(f"Commit {commit[:12]} on main holds these files already: going on from there")
        say("Downloading it back and comparing")
        self.compare(commit, files)
        self.tag(tag, commit)
        return PublishOutcome("released", self.name, tag, commit, len(files))


@contextmanager
def quiet(library: str) -> Iterator[None]:
    """Keep the progress bars of a library off, by the module that switches them: the caller says what is going on."""
    bars = importlib.import_module(library)
    disabled = bars.are_progress_bars_disabled()
    bars.disable_progress_bars()
    try:
        yield
    finally:
        if not disabled:
            bars.enable_progress_bars()


def _status(error: BaseException | None) -> int | None:
    """The status the Hub answered with, also where the library raised something else from that answer."""
    while error is not None:
        status = getattr(getattr(error, "response", None), "status_code", None)
        if status is not None:
            return int(status)
        error = error.__cause__
    return None


_ANSWERS: dict[int, tuple[str, str]] = {
    401: ("The Hub does not accept the token", "Set HF_TOKEN to a valid one with write access"),
    403: ("The token has no right to write to {repo}", "Use a token with write access to it"),
    404: ("{repo} was not found on the Hub", "Check the name, and that the token may see it"),
    409: ("The Hub says that this exists already", "Look at the repository, then run the command again"),
    412: (
        "Someone else has committed to {repo} meanwhile, and nothing was written over",
        "Look at their change, then run the command again",
    ),
    429: ("The Hub asks for fewer requests", "Wait some minutes, then run the command again"),
}


def _explanation(error: BaseException, repo: str) -> tuple[str, str]:
    """Return what happened and how to fix it, for an exception of the libraries below."""
    from huggingface_hub.errors import LocalEntryNotFoundError, OfflineModeIsEnabled

    if isinstance(error, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE is set", "Unset it to reach the Hub"
    status = _status(error)
    if status is not None:
        what, fix = _ANSWERS.get(status, (f"The Hub answered {status}", RERUN))
        return what.format(repo=repo), fix
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        file = f" ({error.filename})" if error.filename else ""
        return f"The disk is full{file}", "Make room, or set TMPDIR to a folder on another disk, and run it again"
    network = {"TransportError", "ConnectionError", "RequestException"}
    chain = [error, error.__cause__, error.__context__]
    if isinstance(error, LocalEntryNotFoundError) or any(
        network & {kind.__name__ for kind in type(link).__mro__} for link in chain if link
    ):
        return "The Hub cannot be reached", f"Check the network. {RERUN}"
    return f"{type(error).__name__}: {str(error).strip() or 'no further word'}", RERUN
