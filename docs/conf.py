"""How Sphinx shows the pages that pages.py writes."""

from pathlib import Path
from typing import Any

project = "Equity Evaluation Corpora"
language = "en"
smartquotes = False  # in docstrings they are those of code
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]

myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # the changelog and the data sheet begin deeper
highlight_language = "text"

default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say it in words
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
add_module_names = False
toc_object_entries = False

html_theme = "furo"
html_title = project
html_static_path = ["assets"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_search_summary = False  # it would be fetched, which pages opened as files may not
html_permalinks_icon = "#"
html_domain_indices = False
html_use_index = False
copybutton_prompt_text = r"\$ "
copybutton_prompt_is_regexp = True
pygments_style = "github-light"
pygments_dark_style = "github-dark"


def setup(app: Any) -> None:
    """Mend the pages, and leave out of the site what only serves developers of the theme."""
    app.connect("html-page-context", reachable, priority=900)
    app.connect("build-finished", lambda app, _: [path.unlink() for path in spare(Path(app.outdir))])


def reachable(app: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:  # noqa: ARG001
    """Let the keyboard scroll what is wide, and say how deep the headings of the menu are; Sphinx and furo do not."""
    for part, found, mended in (
        ("body", "<pre>", '<pre tabindex="0">'),
        ("body", '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
        ("furo_navigation_tree", 'role="heading"', 'role="heading" aria-level="2"'),
    ):
        context[part] = context.get(part, "").replace(found, mended)


def spare(site: Path) -> list[Path]:
    """Return the files that no page needs."""
    return [path for path in [*site.rglob("*.map"), site / "objects.inv", site / ".buildinfo"] if path.exists()]
