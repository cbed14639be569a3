"""What the site takes from elsewhere in the repository, so that no text stands twice.

Called by mkdocs (``hooks:`` in mkdocs.yml). Pages are made of README.md, CONTRIBUTING.md, the metric's README and the
changelog, of the dataset card, of the help of every command, and of the public names of both packages. Links between
files of the repository become links between pages; a link to a file that is no page becomes plain text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
COPIES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "metrics/eec_bias/README.md": "metric.md",
}
"""File of the repository → page."""

TITLES = {
    "index.md": "Home",
    "contributing.md": "Add a language or a group",
    "metric.md": "The metric and its options",
    "data-sheet.md": "Data sheet",
}
"""Names in the menu of pages whose own heading says something else."""

FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|`[^`]*`)*)\]\(([^)\s]+)\)")
FILE_FENCE = re.compile(r"^```diff (\S+)$", re.MULTILINE)
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are kept or made elsewhere."""
    made = {page: (ROOT / source).read_text(encoding="utf-8") for source, page in COPIES.items()}
    made |= {"data-sheet.md": data_sheet(), "cli.md": commands()}
    made |= {f"api/{name}.md": names(name) for name in ("eec_datasets", "eec_bias")}
    for page, text in made.items():
        files.append(File.generated(config, page, content=FRONT_MATTER.sub("", text)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:  # noqa: ARG001
    """Mend links and the heads of ``diff FILE`` blocks."""
    uri = page.file.src_uri
    page.meta.setdefault("title", TITLES.get(uri))
    if page.meta["title"] is None:
        del page.meta["title"]
    parts = FENCED.split(markdown)
    parts[::2] = [LINK.sub(lambda found: link(found, uri), part) for part in parts[::2]]
    return FILE_FENCE.sub(r'```diff title="\1"', "".join(parts))


def link(found: re.Match[str], uri: str) -> str:
    """Return a link of a repository's file as one of the page made of it."""
    image, text, target = found.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return found[0]
    path, hash_, anchor = target.partition("#")
    source = next((source for source, page in COPIES.items() if page == uri), f"docs/{uri}")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if place in COPIES:
        goal = COPIES[place]
    elif place.startswith("docs/"):
        goal = place.removeprefix("docs/")
    else:
        return text
    return f"{image}[{text}]({posixpath.relpath(goal, posixpath.dirname(uri) or '.')}{hash_}{anchor})"


def data_sheet() -> str:
    """Return the dataset card of what the locales give now."""
    from eec_datasets.release import building

    return building.render().files[building.CARD].decode()


def commands() -> str:
    """Return the help of ``eec`` and all its commands."""
    from eec_datasets.cli import main

    pages = [f"## {name}\n\n```text\n{text}\n```\n" for name, text in helps(main, "eec")]
    head = "# Commands\n\nWhat `--help` prints, command by command. `eec` is `.venv/bin/eec` in a clone.\n\n"
    return head + "\n".join(pages)


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


def names(package: str) -> str:
    """Return a page of the public names of a package, for mkdocstrings to fill."""
    import importlib
    import inspect

    module = importlib.import_module(package)
    public = sorted((name for name in module.__all__ if not name.startswith("__")), key=str.casefold)
    head = f"# {package}\n\n{inspect.cleandoc(module.__doc__ or '').splitlines()[0]}\n\n"
    return head + "\n".join(f"::: {place(module, name)}\n" for name in public)


def place(module: Any, name: str) -> str:
    """Return where a public name is defined: some are those of a module as well."""
    found = getattr(module, name)
    return f"{found.__module__}.{name}" if hasattr(found, "__qualname__") else f"{module.__name__}.{name}"


def on_post_page(output: str, page: Any, config: Any) -> str:  # noqa: ARG001
    """Name the search for those who hear the page; the theme does not."""
    return output.replace('"search" role="dialog"', '"search" role="dialog" aria-label="Search"', 1)


def on_post_build(config: Any) -> None:
    """Remove what only serves developers of the theme, other languages of the search, and servers at a root."""
    site = Path(config.site_dir)
    for path in [*site.rglob("*.map"), *site.rglob("lunr/**/*.js"), site / "404.html"]:
        path.unlink()
