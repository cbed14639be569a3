"""Everything that is written of one result: its numbers, tables, figures and page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from eec_datasets.audit import pages
from eec_datasets.audit.report.figures import draw_figures
from eec_datasets.audit.rows import rows_of
from eec_datasets.audit.saving import to_csv, to_json

if TYPE_CHECKING:
    from eec_bias import Measurement

HEAD: Final = "% Tables of eec measure. They need \\usepackage{booktabs}.\n"


def contents(measurement: Measurement, language: str) -> dict[str, bytes]:
    """Return ``result.json``, ``terms.csv``, ``tables.tex``, both reports, and figures as SVG and PNG, by path.

    Parameters
    ----------
    measurement
        What was measured.
    language
        BCP 47 tag, of the page.

    Raises
    ------
    Unavailable
        matplotlib is not installed.
    """
    result = measurement.result
    pair = result.facts.systems_compared
    of_two = [f"% Effects are those of the first system minus those of the second: {pair}.\n"] if pair else []
    page = pages.page_of([measurement], language)
    texts = {
        "result.json": to_json(measurement.to_dict(), depth=2),
        "terms.csv": to_csv(rows_of([measurement])),
        "tables.tex": "\n".join(
            [HEAD, *of_two, *(f"% {name}\n{text}" for name, text in result.tables("latex").items())]
        ),
        **{f"report.{form}": render(page) for form, render in pages.FORMS.items()},
    }
    figures = {f"figures/{name}": drawn for name, drawn in draw_figures([measurement]).items()}
    return {name: text.encode() for name, text in texts.items()} | figures
