"""The store of answers and models behind an address, from the command line."""

import functools
import os
import re
import sqlite3
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from commands import PROGRAMS, eec, stored_answers, succeed
from places import SHARED
from serving_models import Model, chance, said, served
from smaller import smaller
from snapshots import Snapshot

import eec_bias
from eec_datasets.systems import corpus as corpora
from eec_datasets.systems.store import default_path

CONFIG = "es-anglo-latino"
PROMPTS = '[[prompts]]\nname = "one"\ntext = "Valora: {text}"\n'
FUNCTION = "def score(texts: list[str]) -> list[float]:\n    return [len(text) / 1000 for text in texts]\n"
KEY = "sk-very-secret-0123456789"
FEW = functools.cache(smaller(corpora.open_corpus, 5))


@pytest.fixture(autouse=True)
def _of_the_user(here: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder has a function and prompts of the user's, and a store of its own."""
    monkeypatch.setenv("EEC_ANSWERS", str(here / "answers.db"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(corpora, "open_corpus", FEW)
    Path("one.toml").write_text(PROMPTS)
    Path("mine.py").write_text(FUNCTION)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    sys.modules.pop("mine", None)


@pytest.fixture
def model() -> Iterator[Model]:
    with served() as found:
        found.answer = lambda body, _: said(f"{chance(body['messages'][-1]['content']):.3f}")
        yield found


def unwrapped(text: str) -> str:
    """A text as one line: notes are wrapped for the terminal."""
    return " ".join(text.split())


def command(model: Model, *more: str) -> list[str]:
    fixed = [
        "audit",
        "--system",
        "openai:tiny",
        "--base-url",
        model.url,
        "--config",
        CONFIG,
        "--no-report",
    ]
    return [*fixed, "--prompts", "one.toml", *more]


def test_calls_are_counted_shown_and_agreed_to_before_they_are_made(model: Model, snapshot: Snapshot) -> None:
    dry, refused = eec(*command(model, "--dry-run")), eec(*command(model))
    assert (dry.exit_code, refused.exit_code, model.calls) == (0, 2, 0)
    unused = eec("audit", "--system", "vader", "--budget", "5")
    told = [each.stderr.rpartition("Error: ")[2] for each in (refused, unused)]
    snapshot.check("answers-asked-before", "\n".join([dry.stdout, *told]))
    budget = eec(*command(model, "--budget", "100"))
    assert (budget.exit_code, model.calls) == (3, 100)
    whole = succeed(*command(model, "--yes"))
    calls = model.calls
    again = eec(*command(model))
    assert (again.exit_code, model.calls) == (0, calls)
    said_once = "Only one prompt was used (one), so the result is about this prompt only. Other prompts may give"
    assert said_once in unwrapped(whole.stdout)
    assert f"{calls:,} answers were stored, none was asked for." in again.stderr
    assert sum(stored_answers(default_path())) == calls


def test_a_budget_is_that_of_all_models_together(model: Model) -> None:
    second = eec(*command(model, "--system", "openai:other", "--dry-run"))
    (calls,) = re.findall(r"stored: ([\d,]+) calls", second.output)
    all_but_one = int(calls.replace(",", "")) - 1
    stopped = eec(*command(model, "--system", "openai:other", "--budget", all_but_one))
    assert "calls is not enough for all answers" in stopped.stderr
    assert (stopped.exit_code, model.calls) == (3, all_but_one)


def test_repeated_calls_are_counted_once_for_all_corpora(model: Model) -> None:
    english = ("--config", "en-black-white", "--config", "en-anglo-latino")
    both = command(model, *english, "--fresh")
    (calls,) = re.findall(r"stored: ([\d,]+) calls", eec(*both, "--dry-run").output)
    succeed(*both, "--yes")
    assert model.calls == int(calls.replace(",", ""))
    assert set(model.asked.values()) == {1}


def test_the_key_stands_in_no_file_and_in_no_message(here: Path, model: Model) -> None:
    model.answer = lambda body, _: said("no") if chance(str(body)) < 0.1 else said("0.5")
    done = eec(*command(model, "--yes"))
    model.answer = lambda *_: (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, {})
    refused = eec(*command(model, "--yes", "--fresh"))
    assert (refused.exit_code, model.keys) == (1, {f"Bearer {KEY}"})
    assert KEY not in done.output + refused.output
    assert model.asked.total() == len(model.asked) + 1
    files = [path for path in here.rglob("*") if path.is_file()]
    assert {"answers.db", "result.json", f"{CONFIG}.csv"} <= {path.name for path in files}
    assert not any(KEY.encode() in path.read_bytes() for path in files)


def test_a_killed_run_asks_for_nothing_again_but_the_calls_in_flight(model: Model) -> None:
    model.delay = lambda _: 0.01
    code = PROGRAMS["killed"].replace("TESTS", repr(str(SHARED)))
    code = code.replace("COMMAND", repr(command(model, "--yes")))
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == -9
    assert 100 <= model.calls < 120
    model.delay = lambda _: 0.0
    succeed(*command(model, "--yes"))
    assert sum(count > 1 for count in model.asked.values()) <= 16
    assert max(model.asked.values()) <= 2


def test_refusals_are_an_outcome_beside_the_scores_that_there_are(model: Model, snapshot: Snapshot) -> None:
    model.answer = lambda body, _: said("Lo siento." if "mi hermana" in str(body).lower() else "0,5")
    snapshot.check("answers-refused", succeed(*command(model, "--yes")).stdout)
    results = eec_bias.load_all("audit/result.json")
    assert {("openai:tiny[one]", "scores"), ("openai:tiny[one]", "no_answer")} == {
        (each.system, each.kind) for each in results
    }


def test_items_with_a_refusal_are_left_out_on_request(model: Model) -> None:
    model.answer = lambda body, _: said("Lo siento." if "mi hermana" in str(body).lower() else "0,5")
    whole = succeed(*command(model, "--yes", "--leave-out-unanswered"))
    told = "5 of 55 items or pairs are left out, because they contain a sentence without a score; the scores of the"
    assert told in unwrapped(whole.stdout)


def test_answers_that_fail_at_random_leave_a_result_and_repeats_help(model: Model) -> None:
    tries = Counter[str]()

    def answer(body: Any, _: int) -> Any:
        text = body["messages"][-1]["content"]
        tries[text] += 1
        return said("?" if (zlib.crc32(text.encode()) + tries[text]) % 2 else "0.5")

    model.answer = answer
    once = succeed(*command(model, "--yes"))
    assert "requests got no score" in unwrapped(once.stdout) or "sentences without a score" in unwrapped(once.stdout)
    several = succeed(*command(model, "--yes", "--repeats", "2", "--fresh"))
    assert "We estimate the gaps from the other" not in unwrapped(several.stdout)


def audit(*more: str) -> Result:
    sys.modules.pop("mine", None)
    return eec("audit", "--system", "mine:score", "--config", CONFIG, "--no-report", *more)


def test_a_changed_function_is_asked_again() -> None:
    assert audit().exit_code == 0
    assert "none was asked for" in audit().stderr
    Path("mine.py").write_text(f"{FUNCTION}# a comment\n")
    changed = audit().stderr
    assert "0 were stored" in changed
    said = unwrapped(changed)
    assert "mine:score has changed and is asked again. Its answers from before are kept in" in said
    assert re.search(r"under the version 'mine\.py sha256:[0-9a-f]{16}'\.", said)
    assert "has changed" not in audit().stderr
    Path("mine.py").write_text(FUNCTION)
    back = audit().stderr
    assert "none was asked for" in back
    assert "has changed" not in back


READS = "from pathlib import Path\ndef score(text: str) -> float:\n    return float(Path('weight.txt').read_text())\n"


def test_projects_with_one_name_and_one_text_have_stores_of_their_own(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EEC_ANSWERS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    for project, weight in (("a", 0.25), ("b/a", 0.75)):
        (here / project).mkdir(parents=True)
        monkeypatch.chdir(here / project)
        Path("mine.py").write_text(READS)
        Path("weight.txt").write_text(f"{weight}")
        monkeypatch.setattr(sys, "path", [each for each in sys.path if Path(each).name != "a"])
        said = audit().stderr
        assert "0 were stored" in said
        assert "has changed" not in said
        (scores,) = Path("audit/scores").rglob("*.csv")
        assert scores.read_text().splitlines()[2].endswith(f",{weight}")
        assert "none was asked for" in audit().stderr
        # The same from elsewhere by another way to the folder.
        (here / f"link to {project.replace('/', ' ')}").symlink_to(Path.cwd())
        monkeypatch.chdir(here / f"link to {project.replace('/', ' ')}")
        assert "none was asked for" in audit().stderr
    stores = sorted(path.name for path in (here / "cache" / "eec-datasets" / "answers").glob("*.db"))
    assert [re.sub("[0-9a-f]{8}", "KEY", name) for name in stores] == ["a-KEY.db", "a-KEY.db"]


def test_projects_that_share_a_store_get_no_answers_of_each_other(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for project, weight in (("a", 0.25), ("b", 0.75)):
        (here / project).mkdir()
        monkeypatch.chdir(here / project)
        Path("mine.py").write_text(READS)
        Path("weight.txt").write_text(f"{weight}")
        monkeypatch.setattr(sys, "path", [each for each in sys.path if not each.startswith(str(here))])
        said = audit().stderr
        assert "0 were stored" in said
        assert "has changed" not in said
        (scores,) = Path("audit/scores").rglob("*.csv")
        assert scores.read_text().splitlines()[2].endswith(f",{weight}")
    monkeypatch.chdir(here / "a")
    monkeypatch.setattr(sys, "path", [each for each in sys.path if not each.startswith(str(here))])
    assert "none was asked for" in audit().stderr


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_store_that_was_cut_short_is_refused_or_completed(share: float, here: Path) -> None:
    expected = audit()
    assert expected.exit_code == 0
    store = here / "answers.db"
    raw = store.read_bytes()
    store.write_bytes(raw[: int(share * len(raw))])
    for beside in here.glob("answers.db-*"):
        beside.unlink()
    cut = audit()
    assert "Traceback" not in cut.output
    if cut.exit_code:
        assert f"The store of answers {store} cannot be used" in unwrapped(cut.output)
    else:
        assert cut.stdout == expected.stdout


def test_a_store_of_another_version_is_refused_and_kept(here: Path) -> None:
    audit()
    with closing(sqlite3.connect(here / "answers.db")) as base, base:
        base.execute("PRAGMA user_version = 99")
    before = (here / "answers.db").read_bytes()
    refused = audit()
    assert refused.exit_code == 1
    assert "is no store of answers of this version (its form is 99, expected" in unwrapped(refused.output)
    assert (here / "answers.db").read_bytes() == before


def test_a_setting_that_a_function_names_is_part_of_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mine.py").write_text("import os\nMODEL = os.environ['EEC_MODEL']\n" + FUNCTION)
    for model, told in (("one", "0 were stored"), ("another", "0 were stored"), ("one", "none was asked for")):
        monkeypatch.setenv("EEC_MODEL", model)
        assert told in audit().stderr


def test_a_file_that_is_no_store_is_refused_and_kept(here: Path) -> None:
    (here / "answers.db").write_bytes(b"my thesis" * 100)
    broken = audit()
    assert (broken.exit_code, (here / "answers.db").read_bytes()) == (1, b"my thesis" * 100)
    assert "The store of answers" in broken.output
    assert os.environ["EEC_ANSWERS"] in broken.output


def test_where_every_system_fails_the_earlier_folder_stays_whole() -> None:
    succeed("audit", "--system", "random:0", "--config", CONFIG, "--no-report")
    Path("mine.py").write_text("def score(text: str) -> float:\n    return 7.0\n")
    failed = eec("audit", "--system", "mine:score", "--config", CONFIG, "--no-report")
    assert failed.exit_code == 1
    assert "random:0" in Path("audit/result.json").read_text()
    succeed("audit", "--system", "random:0", "--config", CONFIG, "--no-report")


def test_where_no_answer_is_a_score_its_calls_alone_are_counted(model: Model) -> None:
    Path("one.toml").write_text(PROMPTS + '[[prompts]]\nname = "two"\ntext = "{text}?"\n')
    model.answer = lambda *_: (200, {"choices": [{"message": {"content": ""}}]}, {})
    done = eec(*command(model, "--yes"))
    assert done.exit_code == 1
    assert (
        f"We could measure no scores of openai:tiny[one] on {CONFIG}. The lines above say which answers" in done.stderr
    )
    assert f"{model.calls:,} answers in {model.calls:,} calls, " in done.stderr
    assert f"{CONFIG}: {model.calls:,} answers have no score: not readable, such as: an empty one" in done.stdout
    assert "the mean of" not in done.stdout


def test_a_single_answer_without_a_score_is_said_to_be_one() -> None:
    Path("mine.py").write_text(FUNCTION.replace("[len", "[None if text == 'Jessica se siente enojada.' else len"))
    done = audit()
    assert "1 answer has no score: None or NaN\n" in done.stdout, done.output
