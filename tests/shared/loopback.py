"""A Hub on loopback: what huggingface_hub 2.x, datasets and evaluate ask of the real one, with faults on demand.

Everything is kept in memory. Contents are named as git and LFS name them, a commit is one step under a lock, and a
commit on a stale parent is refused with 412, as on the real Hub.
"""

# ruff: noqa: ARG001  every route is called in the same way, and not each needs all of it

import base64
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

Action = Literal["drop", "status", "slow", "corrupt"]
LFS = (".parquet", ".whl")


@dataclass
class Fault:
    """A fault for requests whose ``METHOD path`` matches.

    drop: the answer is cut after `at` bytes of its body (-1: before its first byte); status: this status instead;
    slow: so many seconds late; corrupt: the last byte of the body is another one.
    """

    match: str
    action: Action
    at: float = 0
    times: int = 1


@dataclass(frozen=True)
class File:
    """One content: small ones are git blobs, parquet is kept as LFS."""

    raw: bytes
    lfs: bool

    @property
    def blob(self) -> str:
        return hashlib.sha1(b"blob %d\0" % len(self.raw) + self.raw).hexdigest()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.raw).hexdigest()

    @property
    def etag(self) -> str:
        return self.sha256 if self.lfs else self.blob

    def entry(self, path: str) -> dict[str, Any]:
        found = {"type": "file", "path": path, "size": len(self.raw), "oid": self.blob}
        lfs = {"oid": self.sha256, "size": len(self.raw), "pointerSize": 130}
        return {**found, "lfs": lfs} if self.lfs else found


@dataclass
class Repo:
    """A repository: commits by id, the head of main, tags."""

    commits: dict[str, dict[str, File]]
    head: str
    tags: dict[str, str] = field(default_factory=dict)
    private: bool = False

    def resolve(self, revision: str) -> str | None:
        revision = unquote(revision)
        if revision == "main":
            return self.head
        if revision in self.tags:
            return self.tags[revision]
        return revision if revision in self.commits else None


@dataclass
class User:
    """Whose token it is, and what it may do."""

    name: str
    orgs: tuple[str, ...] = ()
    role: str = "write"


class Hub:
    """The server; ``with Hub() as hub`` serves at ``hub.url`` until the end of the block."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.users = {"good": User("ana", ("org",)), "reader": User("ana", ("org",), "read"), "other": User("bob")}
        self.reset()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": self}))
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def reset(self) -> None:
        """Empty it: no repositories, no faults."""
        self.repos: dict[tuple[str, str], Repo] = {}
        self.objects: dict[str, bytes] = {}
        self.faults: list[Fault] = []
        self.log: list[str] = []
        self.before_commit: Callable[[Repo], None] | None = None
        self.before_tag: Callable[[Repo], None] | None = None

    def __enter__(self) -> "Hub":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def repo(self, name: str, kind: str = "dataset") -> Repo:
        return self.repos[kind, name]

    def create(self, name: str, kind: str = "dataset", files: dict[str, bytes] | None = None) -> Repo:
        start = {".gitattributes": File(b"*.parquet filter=lfs diff=lfs merge=lfs -text\n", False)}
        start |= {path: File(raw, path.endswith(LFS)) for path, raw in (files or {}).items()}
        commit = _commit_id(name, "", start)
        made = Repo({commit: start}, commit)
        self.repos[kind, name] = made
        return made

    def put(self, repo: Repo, files: dict[str, File], parent: str) -> str:
        commit = _commit_id("", parent, files)
        repo.commits[commit] = files
        repo.head = commit
        return commit

    def fault_for(self, line: str) -> Fault | None:
        with self.lock:
            for fault in self.faults:
                if fault.times > 0 and re.search(fault.match, line):
                    fault.times -= 1
                    return fault
        return None


def _commit_id(name: str, parent: str, files: dict[str, File]) -> str:
    listing = json.dumps([name, parent, {path: file.etag for path, file in files.items()}], sort_keys=True)
    return hashlib.sha1(listing.encode()).hexdigest()


class _Answer(Exception):
    """An answer that ends the handling of a request."""

    def __init__(self, status: int, body: Any = None, headers: dict[str, str] | None = None) -> None:
        self.status, self.headers = status, headers or {}
        self.body = body if isinstance(body, bytes) else json.dumps(body if body is not None else {}).encode()
        super().__init__(status)


def _missing(what: str) -> _Answer:
    return _Answer(404, {"error": what}, {"X-Error-Code": what, "X-Error-Message": what})


Serve = Callable[..., _Answer]
ROUTES: list[tuple[str, re.Pattern[str], bool, Serve]] = []
REPO = r"/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)"


def route(method: str, pattern: str, *, write: bool = False) -> Callable[[Serve], Serve]:
    """Serve a method of a path by a function of the handler and the body.

    Where the path names a repository, the function is given it and its commit, once it is there and may be written to;
    then come the other groups of the pattern.
    """

    def keep(function: Serve) -> Serve:
        ROUTES.append((method, re.compile(pattern + "$"), write, function))
        return function

    return keep


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    name: str
    protocol_version = "HTTP/1.1"
    # Head and body go out as two writes; the second would wait 40 ms for the client to acknowledge the first.
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        pass

    def _serve(self) -> None:
        self.path = urlsplit(self.path).path
        line = f"{self.command} {self.path}"
        self.hub.log.append(line)
        try:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            fault = self.hub.fault_for(line)
            if fault and fault.action == "slow":
                time.sleep(fault.at)
            self._send(self._answer(raw, fault), fault)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = _serve

    def _answer(self, raw: bytes, fault: Fault | None) -> _Answer:
        if fault and fault.action == "status":
            return _Answer(int(fault.at), {"error": "a fault on demand"})
        for method, pattern, write, function in ROUTES:
            match = pattern.match(self.path)
            if match and method == self.command.replace("HEAD", "GET"):
                given: dict[str, Any] = match.groupdict()
                try:
                    with self.hub.lock:
                        if "id" in given:
                            self.name = given.pop("id")
                            if write:
                                self.check_may_write(self.name)
                            given |= self.at(given.pop("t").removesuffix("s"), given.pop("rev", None))
                        return function(self, raw, **given)
                except _Answer as answer:
                    return answer
        return _Answer(404, {"error": f"no route for {self.command} {self.path}"})

    def _send(self, answer: _Answer, fault: Fault | None) -> None:
        body, sent = answer.body, None
        if fault and fault.action == "drop":
            sent = int(fault.at)
        if fault and fault.action == "corrupt" and body:
            body = body[:-1] + bytes([body[-1] ^ 1])
        if sent is None or sent >= 0:
            self.send_response(answer.status)
            for name, value in ({"Content-Type": "application/json"} | answer.headers).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body[:sent])
        if sent is not None:
            self.wfile.flush()
            self.close_connection = True
            self.connection.close()

    def user(self) -> User:
        """Whose token came with the request."""
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in self.hub.users:
            raise _Answer(401, {"error": "Invalid credentials in Authorization header"})
        return self.hub.users[token]

    def check_may_write(self, name: str) -> None:
        user = self.user()
        if user.role == "read" or name.partition("/")[0] not in (user.name, *user.orgs):
            raise _Answer(403, {"error": "Forbidden: you don't have the right to write here"})

    def at(self, kind: str, rev: str | None) -> dict[str, Any]:
        """The repository and the commit that a request names."""
        repo = self.hub.repos.get((kind, self.name))
        if repo is None:
            raise _missing("RepoNotFound")
        commit = repo.resolve(rev or "main")
        if commit is None:
            raise _missing("RevisionNotFound")
        return {"repo": repo, "commit": commit}


@route("GET", "/api/whoami-v2")
def _whoami(asked: _Handler, raw: bytes) -> _Answer:
    user = asked.user()
    orgs = [{"name": org} for org in user.orgs]
    return _Answer(200, {"type": "user", "name": user.name, "orgs": orgs, "auth": {"accessToken": {"role": user.role}}})


@route("POST", "/api/validate-yaml")
def _validate_yaml(asked: _Handler, raw: bytes) -> _Answer:
    return _Answer(200, {"errors": [], "warnings": []})


@route("POST", "/api/repos/create")
def _create(asked: _Handler, raw: bytes) -> _Answer:
    wanted = json.loads(raw)
    name = f"{wanted.get('organization') or asked.user().name}/{wanted['name']}"
    asked.check_may_write(name)
    kind = wanted.get("type", "model")
    url = f"{asked.hub.url}/{kind}s/{name}"
    if (kind, name) in asked.hub.repos:
        return _Answer(409, {"error": "You already created this repo", "url": url})
    asked.hub.create(name, kind).private = wanted.get("visibility") == "private" or bool(wanted.get("private"))
    return _Answer(200, {"url": url, "name": name, "id": name})


@route("GET", f"/api{REPO}/refs")
def _refs(asked: _Handler, raw: bytes, repo: Repo, commit: str) -> _Answer:
    tags = [{"name": n, "ref": f"refs/tags/{n}", "targetCommit": c} for n, c in repo.tags.items()]
    main = {"name": "main", "ref": "refs/heads/main", "targetCommit": commit}
    return _Answer(200, {"branches": [main], "tags": tags, "converts": []})


@route("GET", rf"/api{REPO}/tree/(?P<rev>[^/]+)(?:/(?P<path>.*))?")
def _tree(asked: _Handler, raw: bytes, repo: Repo, commit: str, path: str | None) -> _Answer:
    prefix = f"{unquote(path).strip('/')}/" if path else ""
    below = {name: file for name, file in repo.commits[commit].items() if name.startswith(prefix)}
    if path and not below:
        return _missing("EntryNotFound")
    recursive = "recursive=true" in asked.requestline.lower()
    parents = {str(parent) for name in below for parent in PurePosixPath(name.removeprefix(prefix)).parents} - {"."}
    entries: list[dict[str, Any]] = [
        {"type": "directory", "path": prefix + folder, "oid": hashlib.sha1(folder.encode()).hexdigest(), "size": 0}
        for folder in sorted(parents)
        if recursive or "/" not in folder
    ]
    entries += [file.entry(name) for name, file in below.items() if recursive or "/" not in name.removeprefix(prefix)]
    return _Answer(200, entries)


@route("POST", rf"/api{REPO}/preupload/(?P<rev>[^/]+)", write=True)
def _preupload(asked: _Handler, raw: bytes, repo: Repo, commit: str) -> _Answer:
    there = repo.commits[commit]
    told = [
        {"path": path, "uploadMode": "lfs" if path.endswith(LFS) else "regular", "shouldIgnore": False, "oid": oid}
        for path in (file["path"] for file in json.loads(raw)["files"])
        for oid in [there[path].etag if path in there else None]
    ]
    return _Answer(200, {"files": told})


@route("POST", rf"/api{REPO}/commit/(?P<rev>[^/]+)", write=True)
def _commit(asked: _Handler, raw: bytes, repo: Repo, commit: str) -> _Answer:
    hub = asked.hub
    if hub.before_commit:
        hub.before_commit(repo)
    header, *lines = [json.loads(line) for line in raw.splitlines() if line]
    if header["value"].get("parentCommit", repo.head) != repo.head:
        return _Answer(412, {"error": "A commit has happened since. Please refresh and try again."})
    files = dict(repo.commits[repo.head])
    for line in lines:
        value = line["value"]
        match line["key"]:
            case "file":
                files[value["path"]] = File(base64.b64decode(value["content"]), False)
            case "lfsFile":
                files[value["path"]] = File(hub.objects[value["oid"]], True)
            case "deletedFile":
                del files[value["path"]]
            case other:
                return _Answer(400, {"error": f"no such operation: {other}"})
    commit = hub.put(repo, files, repo.head)
    url = f"{hub.url}{asked.path.removeprefix('/api').rpartition('/')[0]}/{commit}"
    return _Answer(200, {"success": True, "commitOid": commit, "commitUrl": url, "hookOutput": ""})


@route("POST", rf"/api{REPO}/tag/(?P<rev>[^/]+)", write=True)
def _tag(asked: _Handler, raw: bytes, repo: Repo, commit: str) -> _Answer:
    name = json.loads(raw)["tag"]
    if asked.hub.before_tag:
        asked.hub.before_tag(repo)
    if name in repo.tags:
        return _Answer(409, {"error": "Tag reference exists already"})
    repo.tags[name] = commit
    return _Answer(200)


@route("GET", rf"/api{REPO}(?:/revision/(?P<rev>[^/]+))?")
def _info(asked: _Handler, raw: bytes, repo: Repo, commit: str) -> _Answer:
    about = {"_id": "1", "id": asked.name, "sha": commit, "private": repo.private, "tags": [], "downloads": 0}
    files = [{"rfilename": path} for path in sorted(repo.commits[commit])]
    settings = {"likes": 0, "disabled": False, "gated": False, "lastModified": "2024-01-01T00:00:00.000Z"}
    return _Answer(200, {**about, "siblings": files, **settings})


@route("POST", rf"{REPO}\.git/info/lfs/objects/batch", write=True)
def _batch(asked: _Handler, raw: bytes, repo: Repo, commit: str) -> _Answer:
    verify = {"href": asked.hub.url + asked.path.replace("objects/batch", "verify")}
    objects = [
        {**wanted, "actions": {"upload": {"href": f"{asked.hub.url}/lfs/{wanted['oid']}"}, "verify": verify}}
        if wanted["oid"] not in asked.hub.objects
        else wanted
        for wanted in json.loads(raw)["objects"]
    ]
    return _Answer(200, {"transfer": "basic", "objects": objects})


@route("PUT", r"/lfs/(?P<oid>[0-9a-f]{64})")
def _put_object(asked: _Handler, raw: bytes, oid: str) -> _Answer:
    if hashlib.sha256(raw).hexdigest() != oid:
        return _Answer(400, {"error": "wrong hash"})
    asked.hub.objects[oid] = raw
    return _Answer(200)


@route("POST", rf"{REPO}\.git/info/lfs/verify")
def _verify(asked: _Handler, raw: bytes, repo: Repo, commit: str) -> _Answer:
    return _Answer(200 if json.loads(raw)["oid"] in asked.hub.objects else 404)


@route("GET", rf"{REPO}/resolve/(?P<rev>[^/]+)/(?P<path>.+)")
def _resolve(asked: _Handler, raw: bytes, repo: Repo, commit: str, path: str) -> _Answer:
    file = repo.commits[commit].get(unquote(path))
    if file is None:
        return _Answer(404, {"error": "EntryNotFound"}, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": commit})
    headers = {"ETag": f'"{file.etag}"', "X-Repo-Commit": commit, "Accept-Ranges": "bytes"}
    headers |= {"Content-Type": "application/octet-stream"}
    if file.lfs:
        headers |= {"X-Linked-Etag": f'"{file.etag}"', "X-Linked-Size": str(len(file.raw))}
    wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", asked.headers.get("Range", ""))
    if wanted is None:
        return _Answer(200, file.raw, headers)
    start, end = int(wanted[1]), int(wanted[2] or len(file.raw) - 1)
    body = file.raw[start : end + 1]
    return _Answer(206, body, headers | {"Content-Range": f"bytes {start}-{start + len(body) - 1}/{len(file.raw)}"})
