"""Programs that speak lines of JSON: the servers of the documentation, and every way in which a program goes wrong."""

import json
import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from blocks import blocks
from commands import eec, refused, succeed
from places import ROOT

from eec_datasets.errors import InputError, SystemFailed
from eec_datasets.systems import program
from eec_datasets.systems.base import Endpoint, System, SystemOptions, score_batch
from eec_datasets.systems.registry import open_system

HELLO = {"protocol": "eec-system/1", "name": "faulty", "version": "1", "languages": ["en"], "range": [0, 1]}

SERVER = """
import json, os, sys, time

def say(**answer):
    print(json.dumps(answer), flush=True)

BEFORE
say(**HELLO)
for line in sys.stdin:
    request = json.loads(line)
    n, texts = request["n"], request["texts"]
    scores = [len(text) / 100 for text in texts]
    ANSWER
    say(n=n, scores=scores)
"""

SILENT = "scores = [None if text == 'She feels angry.' else len(text) / 100 for text in texts]"

TEXTS = ["She feels angry.", "He feels angry.", "My sister feels sad.", "He is glad."]

FAULTS = {
    "too few scores": ("scores.pop()", r"returned 3 scores for 4 sentences"),
    "an answer to another request": ("n += 1", r"answered request 2; expected an answer to request 1"),
    "no JSON": ("print('Score: 0.5')", r"wrote 'Score: 0.5', which is no JSON object"),
    "an error line": ("say(n=n, error='no English'); continue", r"could not score 4 texts: 'no English'"),
    "a crash": ("os.kill(os.getpid(), 11)", r"ended with exit code 139 before it could score 4 texts"),
    "a hang": ("time.sleep(60)", r"did not score 4 texts within 0.5 seconds \(--timeout\)"),
    "a line without end": ("while True: os.write(1, b'x' * 2**20)", r"wrote a line of more than 16 MiB"),
    "another order": ("scores.reverse()", r"Give the scores in the order of the texts"),
    "scores that hang on the batch": ("scores = [s / len(texts) for s in scores]", r"expected the same"),
    "a score as text": ("scores = [['0.5', s]['He' in t] for s, t in zip(scores, texts)]", r"returned '0.5' for id r0"),
    "a score out of range": ("scores = [7 for _ in scores]", r"returned 7 for id r0 .* declared range 0 to 1"),
    "a score that is no list": ("say(n=n, scores=0.5); continue", r"expected a list of scores"),
    "an error on standard error": ("raise ValueError('the list is empty')", r"(?s)exit code 1 .*the list is empty"),
}

AT_START = {
    "it ends": ("sys.stderr.write('no model'); sys.exit(3)",
                r"ended with exit code 3 before it could say who it is: no model"),
    "it never says who it is": ("time.sleep(60)", r"did not say who it is within 0.5 seconds"),
    "an advert": ("print('Try our cloud!')", r"wrote 'Try our cloud!', which is no JSON object"),
    "another protocol": ("HELLO['protocol'] = 'mine'", r"expected a line with the protocol 'eec-system/1'"),
    "no range": ("del HELLO['range']", r"says no range; expected"),
    "a range of text": ("HELLO['range'] = ['low', 'high']", r"expected the lowest and the highest score"),
    "no version": ("HELLO['version'] = 1", r"version is 1; expected a text"),
}  # fmt: skip

Opener = Callable[..., System]


@pytest.fixture
def serve(tmp_path: Path) -> Opener:
    """Open a server with a fault: code before it says who it is, and code before it answers."""

    def opened(before: str = "", answer: str = "", timeout: float = 20) -> System:
        server = tmp_path / "server.py"
        code = SERVER.replace("BEFORE", before).replace("HELLO)", f"{HELLO!r})" if not before else "HELLO)")
        server.write_text(f"HELLO = {HELLO!r}\n" + code.replace("ANSWER", answer))
        options = SystemOptions(endpoint=Endpoint(timeout=timeout))
        return open_system(f"cmd:{shlex.join([sys.executable, str(server)])}", options)

    return opened


def scores_of(system: System, texts: list[str] = TEXTS) -> list[float | None]:
    return score_batch(system, {"id": [f"r{k}" for k in range(len(texts))], "text": texts})


def test_a_program_scores_texts_in_order(serve: Opener) -> None:
    system = serve()
    assert scores_of(system) == [len(text) / 100 for text in TEXTS]
    assert (system.name, system.languages, system.score_range) == ("cmd:faulty", ("en",), (0.0, 1.0))
    assert scores_of(serve(answer=SILENT)) == [None, *(len(text) / 100 for text in TEXTS[1:])]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_refused_with_its_reason(fault: str, serve: Opener) -> None:
    code, said = FAULTS[fault]
    system = serve(answer=code, timeout=0.5 if fault == "a hang" else 20)
    with pytest.raises(SystemFailed, match=said):
        scores_of(system)


@pytest.mark.parametrize("fault", AT_START)
def test_a_program_that_does_not_say_who_it_is_is_refused(fault: str, serve: Opener) -> None:
    code, said = AT_START[fault]
    with pytest.raises(SystemFailed, match=said):
        serve(before=code, timeout=0.5 if "time" in code else 20)


def test_a_process_that_a_program_leaves_behind_is_ended_with_it(serve: Opener, tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    stays = f"""
if os.fork() == 0:
    while True:
        open({str(alive)!r}, "a").write("."); time.sleep(0.05)
"""
    with pytest.raises(SystemFailed, match="within 1 seconds"):
        scores_of(serve(before=stays, answer="time.sleep(60)", timeout=1))
    assert alive.stat().st_size
    time.sleep(0.2)
    size = alive.stat().st_size
    time.sleep(0.3)
    assert alive.stat().st_size == size


def test_a_program_sees_no_key_no_file_of_the_user_and_no_network(
    serve: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-user")
    (tmp_path / ".env").write_text("TOKEN=1")
    seen = tmp_path / "seen.json"
    look = f"""
import socket
try:
    socket.create_connection(("192.0.2.1", 80), timeout=2)
    network = "reached"
except OSError as error:
    network = error.errno
json.dump([sorted(os.environ), os.listdir(), network], open({str(seen)!r}, "w"))
"""
    serve(before=look)
    environment, files, network = json.loads(seen.read_text())
    assert set(environment) - {"LC_CTYPE"} == {"PATH", "LANG", "HOME"}
    assert files == []
    if program.without_network():
        assert os.strerror(network) == "Network is unreachable"


def test_a_program_that_fails_is_started_again_for_the_next_texts(serve: Opener) -> None:
    system = serve(answer="if texts[0] == 'bad': sys.exit(1)")
    with pytest.raises(SystemFailed):
        scores_of(system, ["bad"])
    assert scores_of(system, ["good"]) == [0.04]


def test_the_version_of_a_program_follows_its_files(serve: Opener) -> None:
    first, same, other = (serve(answer=code).fingerprint for code in ("", "", "scores = scores"))
    assert first == same != other


@pytest.mark.parametrize(("command", "said"), [("absent-program x", "no program 'absent-program'"), ("'a", "quot")])
def test_a_command_that_cannot_be_run_is_refused(command: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        open_system(f"cmd:{command}")


def served_in_docs(name: str, folder: Path) -> Path:
    """Write the server of a name that the documentation shows."""
    (source,) = [b.text for b in blocks((ROOT / "docs/systems.md").read_text(encoding="utf-8")) if b.title == name]
    assert len([line for line in source.splitlines() if line]) <= 20
    path = folder / name
    path.write_text(source, encoding="utf-8")
    return path


@pytest.mark.parametrize(("interpreter", "name"), [(sys.executable, "server.py"), ("node", "server.mjs")])
def test_the_servers_of_the_documentation_are_audited(
    interpreter: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which(interpreter) is None:
        pytest.skip(f"needs {interpreter}")
    monkeypatch.chdir(tmp_path)
    served_in_docs(name, tmp_path)
    spec = f"cmd:{shlex.join([interpreter, name])}"
    done = succeed("audit", "--system", spec, "--config", "en-black-white", "--no-report", "--out", "out")
    assert re.search(r"cmd:plain\S* on en-black-white: 8,640 answers", done.stderr)
    again = succeed("audit", "--system", spec, "--config", "en-black-white", "--no-report", "--out", "again")
    assert "8,640 answers were stored" in again.stderr
    table = Path(next(Path("out/scores").iterdir()), "en-black-white.csv").read_text(encoding="utf-8")
    assert "t01/happy/she,1" in table


def test_a_program_that_fails_ends_no_audit(serve: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    serve(answer=FAULTS["too few scores"][0])
    spec = f"cmd:{shlex.join([sys.executable, 'server.py'])}"
    arguments = ("audit", "--config", "en-black-white", "--no-report", "--system", "random:0")
    for other, said in ((spec, "returned 63 scores for 64"), ("cmd:false", "ended with exit code 1")):
        done = eec(*arguments, "--system", other, "--out", said[:8])
        assert done.exit_code == 1
        assert said in done.stderr
        assert "random:0" in done.stdout
    assert "--timeout is for --system openai:MODEL or cmd:PROGRAM." in refused(*arguments, "--timeout", 3, code=2)
