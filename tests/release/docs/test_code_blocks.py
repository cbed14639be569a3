"""Every code block of the README and of the documentation is run as a reader would run it (see blocks.py).

The folder stands for a clone: it has the metric, the locales, the scripts and ``.venv``; a page has a fork of one
process.
``pytest --update-snapshots`` writes what was printed into the pages. The pages of docs/contributing, whose blocks
change files, are run by tests/release/contribute/test_contributing_guide.py.
"""

import re
import shutil
import sys
from pathlib import Path

import pytest
from blocks import blocks, same, shortened, steps
from forking import Forks, Run
from places import ROOT, SHARED

PAGES = [ROOT / "README.md", ROOT / "metrics/eec_bias/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if page.parent.name != "contributing"]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
BLOCKS = {name: blocks((ROOT / name).read_text(encoding="utf-8")) for name in NAMES}
RUN = [name for name in NAMES if any(not block.reason for block in BLOCKS[name])]
NOT_RUN = [(name, block.reason) for name in NAMES for block in BLOCKS[name] if block.reason]
MOST_NOT_RUN = 12


def run(forks: Forks, page: Path, folder: Path, *, update: bool = False) -> Run:
    code = f"import sys; sys.path.append({str(SHARED)!r}); import run_page; run_page.main({str(page)!r}, {update})"
    return forks.run(code, folder, COLUMNS="120")


@pytest.mark.parametrize("name", RUN)
def test_the_blocks_of_a_page_do_what_it_says(
    name: str, forks: Forks, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    if shutil.which("bash") is None:
        pytest.skip("the commands are written for a shell")
    for module, extra in (("vaderSentiment", "demo"), ("matplotlib", "plot")):
        pytest.importorskip(module, reason=f"needs the extra {extra}")
    folder = tmp_path / "a clone"
    folder.mkdir()
    for part in ("metrics", "locales", "census", "docs", "scripts", "README.md"):
        (folder / part).symlink_to(ROOT / part)
    (folder / ".venv").symlink_to(sys.prefix)
    done = run(forks, ROOT / name, folder, update=pytestconfig.getoption("--update-snapshots"))
    assert done.code == 0, done.err


def test_few_blocks_are_not_run() -> None:
    by_choice = [f"{name}: {reason}" for name, reason in NOT_RUN if not re.fullmatch(r"needs \w+", reason)]
    assert len(by_choice) <= MOST_NOT_RUN, by_choice


def test_a_block_that_is_not_run_says_why() -> None:
    told = [f"{name}: {reason}" for name, reason in NOT_RUN if not re.match(r"(needs|takes|is run by) ", reason)]
    assert told == []


@pytest.mark.parametrize("name", NAMES)
def test_every_block_says_what_it_is(name: str) -> None:
    """A fence without a language, or one left open, would pass for text and never be run."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert len(re.findall(r"^\s*```", text, flags=re.MULTILINE)) == 2 * len(BLOCKS[name])
    known = {"python", "sh", "console", "text", "yaml", "csv", "toml", "javascript"}
    assert [block.line for block in BLOCKS[name] if block.kind not in known] == []


def test_what_is_shown_must_be_what_is_printed() -> None:
    assert same("a …\n…\nz\n", "a 1  \nb\nc\nz\n\n")
    assert not same("a …\nz\n", "a 1\nb\nz\n")
    assert not same("1.0\n", "110\n")
    assert shortened("a\nb\n…\nx 1\n…\n", "1 \n2\n3\nx 2\n4\n") == "1\n2\n…\nx 2\n…\n"
    assert shortened("a\n", "1\n2\n") == "1\n2\n"
    assert steps("$ one\n1\n2\n$ two\n") == [("one\n", "1\n2\n"), ("two\n", "")]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("```python\n1 / 0\n```\n", 'page.md", line 2, in <module>'),
        ("```python\nprint(1)\n```\n\n```text\n2\n```\n", "page.md:6: the page shows\n2\n\nbut this was printed\n1\n"),
        ("```sh\nfalse\n```\n", "page.md:2: exit code 1\n"),
        ("```console\n$ echo a\nb\n```\n", "page.md:2: the page shows\nb\n\nbut this was printed\na\n"),
        ("```rust\n```\n", "page.md:2: blocks of kind 'rust' are not known; give it a title if it is a file\n"),
    ],
)
def test_a_page_that_says_something_else_fails(page: str, message: str, forks: Forks, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    done = run(forks, Path("page.md"), tmp_path)
    assert done.code
    assert message in done.err
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page
