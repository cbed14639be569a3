"""A Hub on loopback: what huggingface_hub 2.x, datasets and evaluate ask of the real one, with faults on demand.

Everything is kept in memory. Contents are named as git and LFS name them, a commit is one step under a lock, and a
commit on a stale parent is refused with 412, as on the real Hub.
"""

# ruff: noqa: ARG002  every route is called in the same way, and not each needs all of it

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

Action = Literal["drop", "status", "slow", "corrupt"]
LFS = (".parquet", ".whl")
TYPES = {"datasets": "dataset", "spaces": "space", "models": "model"}


@dataclass
class Fault:
    """What goes wrong for requests whose ``METHOD path`` matches.

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
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
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

    def __enter__(self) -> Hub:
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


def _missing(what: str, status: int = 404) -> _Answer:
    return _Answer(status, {"error": what}, {"X-Error-Code": what, "X-Error-Message": what})


ROUTES: list[tuple[str, re.Pattern[str], str]] = [
    (method, re.compile(pattern + r"$"), name)
    for method, pattern, name in (
        ("GET", r"/api/whoami-v2", "whoami"),
        ("POST", r"/api/validate-yaml", "validate_yaml"),
        ("POST", r"/api/repos/create", "create"),
        ("GET", r"/api/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)/refs", "refs"),
        ("GET", r"/api/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)/tree/(?P<rev>[^/]+)(?:/(?P<path>.*))?", "tree"),
        ("POST", r"/api/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)/preupload/(?P<rev>[^/]+)", "preupload"),
        ("POST", r"/api/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)/commit/(?P<rev>[^/]+)", "commit"),
        ("POST", r"/api/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)/tag/(?P<rev>[^/]+)", "tag"),
        ("GET", r"/api/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)(?:/revision/(?P<rev>[^/]+))?", "info"),
        ("POST", r"/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)\.git/info/lfs/objects/batch", "batch"),
        ("POST", r"/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)\.git/info/lfs/verify", "verify"),
        ("PUT", r"/lfs/(?P<oid>[0-9a-f]{64})", "put_object"),
        ("GET", r"/(?P<t>\w+)/(?P<id>[\w.-]+/[\w.-]+)/resolve/(?P<rev>[^/]+)/(?P<path>.+)", "resolve"),
    )
]


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        pass

    Handler.hub = hub
    return Handler


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"
    # Head and body go out as two writes; the second would wait 40 ms for the client to acknowledge the first.
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._serve("GET")

    def do_HEAD(self) -> None:
        self._serve("HEAD")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_PUT(self) -> None:
        self._serve("PUT")

    def _serve(self, method: str) -> None:
        self.path = urlsplit(self.path).path
        line = f"{method} {self.path}"
        self.hub.log.append(line)
        try:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            fault = self.hub.fault_for(line)
            if fault and fault.action == "slow":
                time.sleep(fault.at)
            answer = self._answer(method, raw, fault)
            self._send(method, answer, fault)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _answer(self, method: str, raw: bytes, fault: Fault | None) -> _Answer:
        if fault and fault.action == "status":
            return _Answer(int(fault.at), {"error": "a fault on demand"})
        wanted = "GET" if method == "HEAD" else method
        for verb, pattern, name in ROUTES:
            found = pattern.match(self.path)
            if verb == wanted and found:
                try:
                    with self.hub.lock:
                        getattr(self, f"_{name}")(raw, **{k: v for k, v in found.groupdict().items() if v is not None})
                except _Answer as answer:
                    return answer
        return _Answer(404, {"error": f"no route for {method} {self.path}"})

    def _send(self, method: str, answer: _Answer, fault: Fault | None) -> None:
        body = answer.body
        if fault and fault.action == "drop" and fault.at < 0:
            self.close_connection = True
            self.connection.close()
            return
        if fault and fault.action == "corrupt" and body:
            body = body[:-1] + bytes([body[-1] ^ 1])
        self.send_response(answer.status)
        for name, value in ({"Content-Type": "application/json"} | answer.headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if method == "HEAD":
            return
        if fault and fault.action == "drop":
            self.wfile.write(body[: int(fault.at)])
            self.wfile.flush()
            self.close_connection = True
            self.connection.close()
            return
        self.wfile.write(body)

    def _user(self) -> User:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in self.hub.users:
            raise _Answer(401, {"error": "Invalid credentials in Authorization header"})
        return self.hub.users[token]

    def _may_write(self, name: str) -> None:
        user = self._user()
        if user.role == "read" or name.partition("/")[0] not in (user.name, *user.orgs):
            raise _Answer(403, {"error": "Forbidden: you don't have the right to write here"})

    def _repo(self, t: str, name: str) -> Repo:
        found = self.hub.repos.get((TYPES.get(t, t), name))
        if found is None:
            raise _missing("RepoNotFound")
        return found

    def _at(self, t: str, name: str, rev: str) -> tuple[Repo, str]:
        repo = self._repo(t, name)
        commit = repo.resolve(rev)
        if commit is None:
            raise _missing("RevisionNotFound")
        return repo, commit

    def _whoami(self, raw: bytes) -> None:
        user = self._user()
        raise _Answer(
            200,
            {
                "type": "user",
                "name": user.name,
                "orgs": [{"name": org} for org in user.orgs],
                "auth": {"accessToken": {"role": user.role}},
            },
        )

    def _validate_yaml(self, raw: bytes) -> None:
        raise _Answer(200, {"errors": [], "warnings": []})

    def _create(self, raw: bytes) -> None:
        wanted = json.loads(raw)
        user = self._user()
        name = f"{wanted.get('organization') or user.name}/{wanted['name']}"
        self._may_write(name)
        kind = wanted.get("type", "model")
        if (kind, name) in self.hub.repos:
            raise _Answer(409, {"error": "You already created this repo", "url": f"{self.hub.url}/{kind}s/{name}"})
        self.hub.create(name, kind)
        raise _Answer(200, {"url": f"{self.hub.url}/{kind}s/{name}", "name": name, "id": name})

    def _refs(self, raw: bytes, t: str, id: str) -> None:
        repo = self._repo(t, id)
        tags = [{"name": n, "ref": f"refs/tags/{n}", "targetCommit": c} for n, c in repo.tags.items()]
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repo.head}
        raise _Answer(200, {"branches": [main], "tags": tags, "converts": []})

    def _info(self, raw: bytes, t: str, id: str, rev: str = "main") -> None:
        repo, commit = self._at(t, id, rev)
        files = [{"rfilename": path} for path in sorted(repo.commits[commit])]
        about = {"_id": "1", "id": id, "sha": commit, "private": False, "siblings": files, "tags": [], "downloads": 0}
        stamp = "2024-01-01T00:00:00.000Z"
        raise _Answer(200, {**about, "likes": 0, "disabled": False, "gated": False, "lastModified": stamp})

    def _tree(self, raw: bytes, t: str, id: str, rev: str, path: str = "") -> None:
        repo, commit = self._at(t, id, rev)
        files = repo.commits[commit]
        prefix = f"{unquote(path).strip('/')}/" if path else ""
        below = {name: file for name, file in files.items() if name.startswith(prefix)}
        if path and not below:
            raise _missing("EntryNotFound")
        recursive = "recursive=true" in self.requestline.lower()
        folders = {
            prefix + part
            for name in below
            for part in _folders(name.removeprefix(prefix))
            if recursive or "/" not in part
        }
        entries: list[dict[str, Any]] = [
            {"type": "directory", "path": folder, "oid": hashlib.sha1(folder.encode()).hexdigest(), "size": 0}
            for folder in sorted(folders)
        ]
        entries += [
            file.entry(name) for name, file in below.items() if recursive or "/" not in name.removeprefix(prefix)
        ]
        raise _Answer(200, entries)

    def _preupload(self, raw: bytes, t: str, id: str, rev: str) -> None:
        repo, commit = self._at(t, id, rev)
        self._may_write(id)
        files = repo.commits[commit]
        raise _Answer(
            200,
            {
                "files": [
                    {
                        "path": file["path"],
                        "uploadMode": "lfs" if file["path"].endswith(LFS) else "regular",
                        "shouldIgnore": False,
                        "oid": files[file["path"]].etag if file["path"] in files else None,
                    }
                    for file in json.loads(raw)["files"]
                ]
            },
        )

    def _batch(self, raw: bytes, t: str, id: str) -> None:
        self._may_write(id)
        objects: list[dict[str, Any]] = []
        for wanted in json.loads(raw)["objects"]:
            upload = {"href": f"{self.hub.url}/lfs/{wanted['oid']}"}
            verify = {"href": f"{self.hub.url}/{t}/{id}.git/info/lfs/verify"}
            actions = {} if wanted["oid"] in self.hub.objects else {"actions": {"upload": upload, "verify": verify}}
            objects.append({**wanted, **actions})
        raise _Answer(200, {"transfer": "basic", "objects": objects})

    def _put_object(self, raw: bytes, oid: str) -> None:
        if hashlib.sha256(raw).hexdigest() != oid:
            raise _Answer(400, {"error": "wrong hash"})
        self.hub.objects[oid] = raw
        raise _Answer(200)

    def _verify(self, raw: bytes, t: str, id: str) -> None:
        raise _Answer(200 if json.loads(raw)["oid"] in self.hub.objects else 404)

    def _commit(self, raw: bytes, t: str, id: str, rev: str) -> None:
        self._may_write(id)
        repo = self._repo(t, id)
        if self.hub.before_commit:
            self.hub.before_commit(repo)
        lines = [json.loads(line) for line in raw.splitlines() if line]
        header = next(line["value"] for line in lines if line["key"] == "header")
        if header.get("parentCommit", repo.head) != repo.head:
            raise _Answer(412, {"error": "A commit has happened since. Please refresh and try again."})
        files = dict(repo.commits[repo.head])
        for line in lines:
            self._apply(files, line["key"], line["value"])
        commit = self.hub.put(repo, files, repo.head)
        url = f"{self.hub.url}/{t}/{id}/commit/{commit}"
        raise _Answer(200, {"success": True, "commitOid": commit, "commitUrl": url, "hookOutput": ""})

    def _apply(self, files: dict[str, File], key: str, value: dict[str, Any]) -> None:
        if key == "file":
            files[value["path"]] = File(base64.b64decode(value["content"]), False)
        elif key == "lfsFile":
            if value["oid"] not in self.hub.objects:
                raise _Answer(400, {"error": f"LFS object {value['oid']} was not uploaded"})
            files[value["path"]] = File(self.hub.objects[value["oid"]], True)
        elif key == "deletedFile":
            del files[value["path"]]
        elif key == "deletedFolder":
            for path in [path for path in files if path.startswith(value["path"].rstrip("/") + "/")]:
                del files[path]

    def _tag(self, raw: bytes, t: str, id: str, rev: str) -> None:
        repo, commit = self._at(t, id, rev)
        self._may_write(id)
        name = json.loads(raw)["tag"]
        if name in repo.tags:
            raise _Answer(409, {"error": "Tag reference exists already"})
        repo.tags[name] = commit
        raise _Answer(200)

    def _resolve(self, raw: bytes, t: str, id: str, rev: str, path: str) -> None:
        repo, commit = self._at(t, id, rev)
        file = repo.commits[commit].get(unquote(path))
        if file is None:
            raise _Answer(404, {"error": "EntryNotFound"}, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": commit})
        headers = {"ETag": f'"{file.etag}"', "X-Repo-Commit": commit, "Accept-Ranges": "bytes"}
        headers |= {"Content-Type": "application/octet-stream"}
        if file.lfs:
            headers |= {"X-Linked-Etag": f'"{file.etag}"', "X-Linked-Size": str(len(file.raw))}
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted is None:
            raise _Answer(200, file.raw, headers)
        start, end = int(wanted[1]), int(wanted[2] or len(file.raw) - 1)
        body = file.raw[start : end + 1]
        headers["Content-Range"] = f"bytes {start}-{start + len(body) - 1}/{len(file.raw)}"
        raise _Answer(206, body, headers)


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
