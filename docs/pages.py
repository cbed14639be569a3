"""The pages of the site: those of docs/, and those that are kept or made elsewhere, so that no text stands twice.

``python docs/pages.py FOLDER`` writes the pages into FOLDER/pages and builds the site from them into FOLDER/site.
Pages are made of README.md, CONTRIBUTING.md, the metric's README and the changelog, of the dataset card, of the help of
every command, and of the public names of both packages. Links between files of the repository become links between
pages; a link to a file that is no page becomes plain text.
"""

from __future__ import annotations

import importlib
import inspect
import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from types import ModuleType

import click
from sphinx.cmd.build import main as sphinx
from sphinx.pycode import ModuleAnalyzer

DOCS = Path(__file__).parent
ROOT = DOCS.parent
COPIES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "metrics/eec_bias/README.md": "metric.md",
}
"""File of the repository → page."""

PACKAGES = ("eec_datasets", "eec_bias")
MENU = {
    "Start": """
        tutorial
        reading-a-report
        Choosing a corpus <corpora>""",
    "Guides": """
        systems
        language-models
        natural-text
        decisions
        free-text
        in-ci
        comparing-versions
        for-a-regulator
        names
        does-it-hear-everybody
        talking-about-groups""",
    "Reference": """
        The metric and its options <metric>
        reading-a-result
        cli
        api/eec_datasets
        api/eec_bias
        Data sheet <data-sheet>""",
    "How it works": """
        statistics
        sizes
        papers
        papers-row-by-row
        study/index
        study/lists
        study/swaps
        study/semeval
        census/index
        benchmarks""",
    "Contribute": """
        Contributing <contributing>
        contributing/judging
        contributing/words-and-names
        contributing/groups
        contributing/languages
        contributing/grammar
        contributing/natural-text
        contributing/code
        releasing
        security
        changelog""",
}
"""Heading in the menu → pages, with another name in the menu where the page's own heading says something else."""

FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|`[^`]*`)*)\]\(([^)\s]+)\)")
FILE_FENCE = re.compile(r"^```(\w+) (?:title=\"([^\"]+)\"|(\S+))$", re.MULTILINE)
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def build(folder: Path) -> int:
    """Write the pages and build the site; the exit code of Sphinx, for which a warning is an error."""
    for page, text in pages().items():
        write(folder / "pages" / page, text.encode())
    for path in [*DOCS.rglob("*.png"), *DOCS.rglob("*.svg"), *DOCS.rglob("*.csv")]:
        write(folder / "pages" / path.relative_to(DOCS), path.read_bytes())
    places = [folder / "doctrees", folder / "pages", folder / "site"]
    return sphinx(["-q", "-W", "--keep-going", "-c", str(DOCS), "-d", *map(str, places)])


def write(path: Path, content: bytes) -> None:
    """Write a file unless it holds this already: Sphinx reads what is newer than its last build."""
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def pages() -> dict[str, str]:
    """Return the Markdown of every page."""
    sources = {path.relative_to(DOCS).as_posix(): path for path in DOCS.rglob("*.md") if path.parent.name != "issues"}
    sources |= {page: ROOT / source for source, page in COPIES.items()}
    texts = {page: path.read_text(encoding="utf-8") for page, path in sources.items()}
    texts |= {"data-sheet.md": data_sheet(), "cli.md": commands()}
    texts |= {f"api/{name}.md": names(importlib.import_module(name)) for name in PACKAGES}
    made = {page: mended(FRONT_MATTER.sub("", text), page) for page, text in texts.items()}
    made["index.md"] += "".join(menu(heading, below) for heading, below in MENU.items())
    return made


def menu(heading: str, below: str) -> str:
    """Return a part of the menu, as Sphinx takes it."""
    return f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{inspect.cleandoc(below)}\n```\n"


def mended(markdown: str, page: str) -> str:
    """Return a page with its links led to pages, and the file named above a block that is one."""
    parts = FENCED.split(markdown)
    parts[::2] = [LINK.sub(lambda found: link(found, page), part) for part in parts[::2]]
    return FILE_FENCE.sub(r"```{code-block} \1\n:caption: \2\3\n", "".join(parts))


def link(found: re.Match[str], page: str) -> str:
    """Return a link of a repository's file as one of the page made of it."""
    image, text, target = found.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return found[0]
    path, hash_, anchor = target.partition("#")
    source = next((source for source, copy in COPIES.items() if copy == page), f"docs/{page}")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if place in COPIES:
        goal = COPIES[place]
    elif place.startswith("docs/"):
        goal = place.removeprefix("docs/")
    else:
        return text
    return f"{image}[{text}]({posixpath.relpath(goal, posixpath.dirname(page) or '.')}{hash_}{anchor})"


def data_sheet() -> str:
    """Return the dataset card of what the locales give now."""
    from eec_datasets.release import building

    return building.render().files[building.CARD].decode()


def commands() -> str:
    """Return the help of ``eec`` and all its commands."""
    from eec_datasets.cli import main

    helped = [f"## {name}\n\n```text\n{text}\n```\n" for name, text in helps(main, "eec")]
    head = "# Commands\n\nWhat `--help` prints, command by command. `eec` is `.venv/bin/eec` in a clone.\n\n"
    return head + "\n".join(helped)


def helps(command: click.Command, name: str, above: click.Context | None = None) -> Iterator[tuple[str, str]]:
    """Yield a command and those below it with their help."""
    own = name.rpartition(" ")[2]
    context = command.make_context(own, [], parent=above, resilient_parsing=True, terminal_width=80)
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None, below
            yield from helps(found, f"{name} {below}", context)


def names(package: ModuleType) -> str:
    """Return a page of the public names of a package, for Sphinx to fill."""
    public = sorted((name for name in package.__all__ if not name.startswith("__")), key=str.casefold)
    head = f"# {package.__name__}\n\n{inspect.cleandoc(package.__doc__ or '').splitlines()[0]}\n\n"
    return head + "\n".join(described(package, name) for name in public)


def described(package: ModuleType, name: str) -> str:
    """Return the section of one public name."""
    found = getattr(package, name)
    if not callable(found) and not isinstance(found, ModuleType):
        return value(package, name, found)
    options = ""
    if isinstance(found, ModuleType):
        kind, options = "module", "\n   :members:\n   :imported-members:"
    elif inspect.isclass(found):
        kind = "exception" if issubclass(found, BaseException) else "class"
        options = "\n   :members:"
    else:
        kind = "function"
    return f"## {name}\n\n```{{eval-rst}}\n.. auto{kind}:: {package.__name__}.{name}{options}\n```\n"


def value(package: ModuleType, name: str, found: object) -> str:
    """Return the section of a public value, with what its module says below it; Sphinx looks in the package alone."""
    home = getattr(package, "HOMES", {}).get(name, package.__name__)
    said = inspect.cleandoc("\n".join(ModuleAnalyzer.for_module(home).find_attr_docs()["", name]))
    body = f"   :module: {package.__name__}\n   :value: {found!r}\n\n" + indent(said, "   ")
    return f"## {name}\n\n```{{eval-rst}}\n.. py:data:: {name}\n{body}\n```\n"


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1])))
