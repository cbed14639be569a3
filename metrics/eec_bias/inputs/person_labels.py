"""What persons are further known by: what their names share, and the form that stands in the sentences."""

from collections.abc import Iterable, Sequence

from eec_bias.errors import LabelsError, OptionError
from eec_bias.inputs.codes import Coded, encode
from eec_bias.inputs.sources import Source
from eec_bias.options import DEFAULTS, Ints, check_names

FORM = "person_form"
NONE = "none"
"""What stands in a column of families for what is no name; a missing value says the same."""

MOST_FAMILIES = 2
"""So many columns of families at most; what three partitions add up to has no formula here."""

PersonLabels = dict[str, tuple[str, ...]]


def choose_families(requested: Sequence[str] | None, columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of families that the data have, or those that were asked for.

    Parameters
    ----------
    requested : sequence of str, optional
        The option ``families``; None, empty or ``none`` for none.
    columns : iterable of str
        What the data have.

    Raises
    ------
    OptionError
        If there are more than two, or the data lack one that is no default.
    """
    if requested is None:
        return ()
    check_names("families", requested)
    known, names = list(columns), tuple(requested)
    if names == (NONE,):
        return ()
    if names == DEFAULTS.families:
        return tuple(name for name in names if name in known)
    if len(names) > MOST_FAMILIES or len(set(names)) != len(names):
        raise OptionError(
            f"families is {requested!r}; expected {MOST_FAMILIES} different columns at most, such as "
            "('family', 'ending'), or none"
        )
    for name in names:
        if name not in known:
            raise OptionError(
                f"families names the column {name!r}, which the data do not have; they have {', '.join(known)}"
            )
    return names


def read_person_labels(source: Source, person: Coded, unit: Ints, first: Ints, families: Sequence[str]) -> PersonLabels:
    """Read what is further known of each unit.

    Parameters
    ----------
    source : Source
        Where the columns are.
    person : Coded, length n
        The person of each row, for messages.
    unit : (n,) integer array
        The unit of each row.
    first : (U,) integer array
        The first row of each unit.
    families : sequence of str
        Columns of families.

    Raises
    ------
    LabelsError
        If a person has two labels in a column of families.
    """
    labels: PersonLabels = {}
    for name in families:
        column = encode(name, source.columns[name], ordered=False, missing=NONE)
        code_of_unit = column.codes[first]
        differs = column.codes != code_of_unit[unit]
        if differs.any():
            row = int(differs.argmax())
            since = int(first[unit[row]])
            raise LabelsError(
                f"column {name!r} gives person {person.levels[person.codes[row]]!r} the label "
                f"{column.levels[column.codes[since]]!r} in {source.place(since)} and "
                f"{column.levels[column.codes[row]]!r} in {source.place(row)}; a name belongs to one family: correct "
                "the rows, or leave the column out with families"
            )
        labels[name] = column.texts(first)
    forms = source.texts(FORM, first)
    if forms is not None:
        labels[FORM] = forms
    return labels
