"""One repository on the Hub: the few things a release needs, with failures told in this project's words."""

from __future__ import annotations

import errno
import hashlib
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from eec_datasets.errors import EecError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RepoType = Literal["dataset", "space"]
UNTOUCHED = "Nothing was changed on the Hub"
AGAIN = "Run the same command again: it goes on from there"
KEPT = (".gitattributes",)
"""Files the Hub makes itself, which a release neither writes nor deletes."""


class HubError(EecError):
    """The Hub refuses, cannot be reached, or gives something else than was put there."""


class HubInterrupted(HubError):
    """The work was stopped by the user; the message says how far it came."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Refs:
    """Where the main branch and the tags of a repository point."""

    head: str
    tags: Mapping[str, str]


@dataclass(slots=True)
class Remote:
    """A repository on the Hub.

    Attributes
    ----------
    repo : str
        ``ORG/NAME``.
    kind : str
        ``dataset`` or ``space``.
    state : str
        What has been changed on the Hub so far; every error says it.
    """

    repo: str
    kind: RepoType
    state: str = UNTOUCHED
    api: Any = field(default=None)

    def __post_init__(self) -> None:
        if re.fullmatch(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", self.repo) is None:
            raise HubError(f"--repo '{self.repo}' is not of the form ORG/NAME (letters, digits, - _ .)")
        if self.api is None:
            from huggingface_hub import HfApi

            self.api = HfApi()

    @property
    def url(self) -> str:
        """The page of the repository."""
        return f"{self.api.endpoint}/{self.kind}s/{self.repo}"

    def fail(self, what: str, mend: str) -> HubError:
        """An error that says what happened, what was changed, and what to do."""
        return HubError(f"{what}. {self.state}. {mend}")

    @contextmanager
    def told(self, doing: str) -> Iterator[None]:
        """Turn the libraries' exceptions while `doing` something into a `HubError`."""
        try:
            yield
        except EecError:
            raise
        except KeyboardInterrupt as error:
            raise HubInterrupted(f"Interrupted while {doing}. {self.state}. {AGAIN}") from error
        except Exception as error:
            what, mend = _explain(error, self.repo)
            raise self.fail(f"{what}, while {doing}", mend) from error

    def check_may_write(self) -> None:
        """Refuse early where the token cannot write to the repository.

        Raises
        ------
        HubError
            No token, one the Hub does not know, one without the right to write, or one of somebody else.
        """
        from huggingface_hub import get_token

        mend = "Make a token with write access at https://huggingface.co/settings/tokens and set HF_TOKEN"
        if not get_token():
            raise self.fail("There is no token for the Hub", f"{mend}, or run: hf auth login")
        with self.told("asking whose token this is"):
            who = self.api.whoami()
        role = who.get("auth", {}).get("accessToken", {}).get("role", "write")
        if role == "read":
            raise self.fail(f"The token of '{who['name']}' may only read", mend)
        namespace = self.repo.partition("/")[0]
        mine = [who["name"], *(org["name"] for org in who.get("orgs", []))]
        if namespace not in mine:
            raise self.fail(
                f"'{self.repo}' belongs to '{namespace}', and the token is that of '{who['name']}' "
                f"(who may write to: {', '.join(mine)})",
                "Publish to a namespace of yours with --repo, or use a token of that organisation",
            )

    def refs(self) -> Refs | None:
        """Where main and the tags point, or None where there is no such repository."""
        from huggingface_hub.errors import RepositoryNotFoundError

        with self.told("reading the tags"):
            try:
                found = self.api.list_repo_refs(self.repo, repo_type=self.kind)
            except RepositoryNotFoundError:
                return None
        head = next((branch.target_commit for branch in found.branches if branch.name == "main"), "")
        return Refs(head, {tag.name: tag.target_commit for tag in found.tags})

    def files(self, revision: str) -> dict[str, str]:
        """Path → hash of every file: SHA-256 for a large file, the git blob's SHA-1 for another."""
        from huggingface_hub.errors import RevisionNotFoundError
        from huggingface_hub.hf_api import RepoFile

        with self.told("listing the files"):
            tree = self.api.list_repo_tree(self.repo, repo_type=self.kind, revision=revision, recursive=True)
            try:
                return {
                    entry.path: entry.lfs.sha256 if entry.lfs else entry.blob_id
                    for entry in tree
                    if isinstance(entry, RepoFile)
                }
            except RevisionNotFoundError as error:
                raise self.fail(f"{self.repo} has no revision {revision}", "Check the tag or commit") from error

    def download(self, revision: str, folder: Path, patterns: list[str] | None = None) -> None:
        """Fetch a revision into an empty folder, past every cache."""
        with self.told(f"downloading {revision[:12]}"), _quiet():
            self.api.snapshot_download(
                self.repo,
                repo_type=self.kind,
                revision=revision,
                local_dir=folder,
                allow_patterns=patterns,
            )

    def create(self, *, private: bool = False) -> None:
        """Make the repository; one that exists is left as it is."""
        with self.told("making the repository"):
            self.api.create_repo(
                self.repo,
                repo_type=self.kind,
                private=private,
                exist_ok=True,
                space_sdk="gradio" if self.kind == "space" else None,
            )
        self.state = f"The repository {self.repo} was made; it holds no release yet"

    def commit(self, files: Mapping[str, bytes], parent: str, message: str) -> str:
        """Make `files` the whole content of main in one commit; return the commit (`parent` if nothing differs).

        ``HfApi.upload_folder`` may split an upload into several commits, so the operations are listed here.
        """
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        there = self.files(parent)
        operations: list[Any] = [
            CommitOperationAdd(path, raw) for path, raw in files.items() if there.get(path) not in hashes(raw)
        ]
        operations += [CommitOperationDelete(path) for path in there if path not in files and path not in KEPT]
        if not operations:
            return parent
        before = self.state
        self.state = "Whether the commit arrived is not known; if so, it has no tag, and nobody loads it by a version"
        with self.told("uploading"), _quiet():
            try:
                made = self.api.create_commit(
                    self.repo, operations, commit_message=message, repo_type=self.kind, parent_commit=parent
                )
            except Exception as error:
                # An error of the Hub itself may come after the commit; a refusal comes instead of it.
                if (_status(error) or 500) < 500:
                    self.state = before
                raise
        self.state = f"Commit {made.oid[:12]} is on main of {self.repo}, without a tag"
        return str(made.oid)

    def tag(self, name: str, commit: str) -> None:
        """Set a tag that does not exist yet.

        Raises
        ------
        HubError
            Somebody has set it meanwhile; it is left as it is.
        """
        with self.told(f"setting the tag {name}"):
            try:
                self.api.create_tag(self.repo, tag=name, revision=commit, repo_type=self.kind)
            except Exception as error:
                if _status(error) != 409:
                    raise
                raise self.fail(
                    f"The tag {name} of {self.repo} was set by somebody else meanwhile, and was left as it is",
                    "Look at what it holds with: eec diff",
                ) from error
        self.state = f"{self.repo} has the tag {name} on commit {commit[:12]}"


def hashes(raw: bytes) -> tuple[str, str]:
    """How the Hub names a content: SHA-256, and the SHA-1 of a git blob."""
    blob = hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()
    return hashlib.sha256(raw).hexdigest(), blob


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's progress bars off: the caller says what is going on."""
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    if are_progress_bars_disabled():
        yield
        return
    disable_progress_bars()
    try:
        yield
    finally:
        enable_progress_bars()


def _status(error: BaseException) -> int | None:
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    return int(status) if status is not None else None


_ANSWERS: dict[int, tuple[str, str]] = {
    401: ("The Hub does not accept the token", "Set HF_TOKEN to a valid one with write access"),
    403: ("The token has no right to write to {repo}", "Use a token with write access to it"),
    404: ("{repo} was not found on the Hub", "Check the name, and that the token may see it"),
    409: ("The Hub says that this exists already", "Look at the repository, then run the command again"),
    412: (
        "Somebody else has committed to {repo} meanwhile, and nothing was written over",
        "Look at their change, then run the command again",
    ),
    429: ("The Hub asks for fewer requests", "Wait some minutes, then run the command again"),
}


def _explain(error: BaseException, repo: str) -> tuple[str, str]:
    """What happened and how to mend it, for an exception of the libraries below."""
    from huggingface_hub.errors import LocalEntryNotFoundError, OfflineModeIsEnabled

    if isinstance(error, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE is set", "Unset it to reach the Hub"
    status = _status(error)
    if status in _ANSWERS:
        what, mend = _ANSWERS[status]
        return what.format(repo=repo), mend
    if status is not None:
        return f"The Hub answered {status}", AGAIN
    if getattr(error, "errno", None) == errno.ENOSPC:
        where = f" ({error.filename})" if getattr(error, "filename", None) else ""  # type: ignore[attr-defined]
        return f"The disk is full{where}", "Make room, or set TMPDIR to a folder on another disk, and run it again"
    network = {"TransportError", "ConnectionError", "RequestException"}
    chain = [error, error.__cause__, error.__context__]
    if isinstance(error, LocalEntryNotFoundError) or any(
        network & {kind.__name__ for kind in type(link).__mro__} for link in chain if link
    ):
        return "The Hub cannot be reached", f"Check the network. {AGAIN}"
    return f"{type(error).__name__}: {str(error).strip() or 'no further word'}", AGAIN
