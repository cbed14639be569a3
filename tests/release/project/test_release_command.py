"""The command that checks a whole release, and sends nothing before every check has passed."""

import importlib.util
import sys
from collections.abc import Sequence

import pytest
from places import ROOT

sys.path.append(str(ROOT / "scripts"))
SPEC = importlib.util.spec_from_file_location("release_command", ROOT / "scripts" / "release.py")
assert SPEC is not None
assert SPEC.loader is not None
COMMAND = importlib.util.module_from_spec(SPEC)
sys.modules["release_command"] = COMMAND
SPEC.loader.exec_module(COMMAND)

PLAN = COMMAND.steps("org", "0.2.0", "1.1.0", python="python")


class Runner:
    """Notes commands instead of running them; those that hold a word fail."""

    def __init__(self, failing: str = "") -> None:
        self.failing, self.ran, self.said = failing, list[Sequence[str]](), list[str]()

    def __call__(self, command: Sequence[str]) -> int:
        self.ran.append(command)
        return int(bool(self.failing) and any(self.failing in word for word in command))

    def release(self, *, send: bool) -> int:
        return COMMAND.release(PLAN, send, self, self.said.append)

    @property
    def sent(self) -> list[Sequence[str]]:
        return [command for command in self.ran if "publish" in " ".join(command) and "--dry-run" not in command]


def test_a_dry_run_checks_every_part_and_sends_nothing() -> None:
    runner = Runner()
    assert runner.release(send=False) == 0
    assert len(runner.ran) == 5
    assert runner.sent == []
    assert runner.said[-1].startswith("\nDry run: everything is ready, and nothing was sent.")


def test_a_release_sends_the_corpora_and_then_the_metric() -> None:
    runner = Runner()
    assert runner.release(send=True) == 0
    assert [command[3:5] for command in runner.sent] == [("publish", "dataset"), ("publish", "metric")]
    assert runner.sent[0][5:] == ("--repo", "org/eec", "--tag", "v1.1.0")


@pytest.mark.parametrize("failing", ["release_check", "build", "dependencies", "eec_bias"])
def test_nothing_is_sent_where_one_check_fails(failing: str) -> None:
    runner = Runner(failing)
    assert runner.release(send=True) == 1
    assert runner.sent == []
    assert len(runner.ran) == 5
    assert "Nothing was sent. Mend first: " in runner.said[-1]


def test_the_metric_is_published_with_the_wheel_that_was_built() -> None:
    metric = PLAN[-1].send
    assert metric[metric.index("--wheel") + 1] == "dist/eec_datasets-0.2.0-py3-none-any.whl"


def test_the_versions_are_those_of_the_files() -> None:
    package, corpora = COMMAND.versions()
    assert f'version = "{package}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{corpora}"' in (ROOT / "locales" / "corpus.toml").read_text(encoding="utf-8")


def test_the_page_for_maintainers_has_ten_steps() -> None:
    page = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    steps = page.partition("## The ten steps")[2].partition("\n## ")[0]
    assert [line.partition(".")[0] for line in steps.splitlines() if line[:1].isdigit()] == [
        str(number) for number in range(1, 11)
    ]
