"""Which rows of terms a measurement gives; it depends on the labels alone, so it is known before anything is scored."""

from typing import Any

from eec_bias.inputs.sources import read_source
from eec_bias.inputs.strata import stratify
from eec_bias.options import ANY
from eec_bias.result.frame import Row
from eec_bias.stats.contrasts import build_contrasts
from eec_bias.stats.omnibus import find_groups


def planned_terms(data: Any) -> list[Row]:
    """Name the rows that `measure` gives by default: term, level and subset of each.

    Parameters
    ----------
    data : datasets.Dataset, pandas.DataFrame, pyarrow.Table or mapping of columns
        As for `measure`.

    Raises
    ------
    LabelsError, DesignError
        As `measure`.
    """
    (stratum,), _ = stratify(read_source(data, None), None, None, reference="default", shared=False)
    rows = []
    for table in stratum.design.tables:
        contrasts = build_contrasts(table.axes)
        term_levels = [(contrast.term, contrast.level) for contrast in contrasts]
        term_levels += [(group.term, ANY) for group in find_groups(contrasts)]
        rows += [{"term": term, "level": level, "subset": table.subset} for term, level in term_levels]
    return rows
