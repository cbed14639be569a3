"""Everything that is written of one result: its numbers, tables, figures and page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from eec_datasets.audit import pages
from eec_datasets.audit.measurements import measurements_of
from eec_datasets.audit.report.document import from_content, units
from eec_datasets.audit.report.figures import draw_figures
from eec_datasets.audit.rows import rows_of
from eec_datasets.audit.saving import audit, to_csv, to_json

if TYPE_CHECKING:
    from eec_bias import Result

HEAD: Final = "% Tables of eec measure. They need \\usepackage{booktabs}.\n"


def contents(
    result: Result,
    entry: Mapping[str, Any],
    language: str,
    corpora: Sequence[Mapping[str, Any]] = (),
    command: str = "",
) -> dict[str, bytes]:
    """Return ``result.json``, ``terms.csv``, ``tables.tex``, ``report.html`` and figures as SVG and PNG, by path.

    Parameters
    ----------
    result
        What was measured.
    entry
        What is known of it, as `saving.entry` has it; at least ``system``.
    language
        BCP 47 tag, of the page.
    corpora
        What `saving.examples` says of the corpus.
    command
        The command that measures the same again.

    Raises
    ------
    Unavailable
        matplotlib is not installed.
    """
    saved = audit([{**entry, "result": result.to_dict(details=True)}], corpora, command)
    document = from_content(saved, "result.json", "")
    pair = result.facts.systems_compared
    of_two = [f"% Effects are those of the first system minus those of the second: {pair}.\n"] if pair else []
    texts = {
        "result.json": to_json(saved),
        "terms.csv": to_csv(rows_of(measurements_of(document))),
        "tables.tex": "\n".join(
            [HEAD, *of_two, *(f"% {name}\n{text}" for name, text in result.tables("latex").items())]
        ),
        "report.html": pages.render(document, language=language),
    }
    figures = {f"figures/{name}": drawn for name, drawn in draw_figures(units(document.entries)).items()}
    return {name: text.encode() for name, text in texts.items()} | figures
