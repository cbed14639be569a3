"""What one table's analysis holds, before it becomes rows of the result."""

from dataclasses import dataclass, field

from eec_bias.inputs.table import Table
from eec_bias.options import Bools, Floats, Ints
from eec_bias.stats.bootstrap import Intervals
from eec_bias.stats.contrasts import Contrast
from eec_bias.stats.equivalence import Equivalence
from eec_bias.stats.fitting import BetaColumns
from eec_bias.stats.omnibus import Group
from eec_bias.stats.two_way import Means, Tested
from eec_bias.stats.variance_components import Components


@dataclass(frozen=True, slots=True)
class Units:
    """One contrast taken within bases.

    Attributes
    ----------
    bases : (u,) integer array
        The bases that have all cells the contrast weighs.
    means : Means
        Over the u bases as one cell of persons: ``means.person`` is the contrast within each base.
    """

    bases: Ints
    means: Means


@dataclass(frozen=True, slots=True)
class Omnibus:
    """Tests of the largest |t| of G groups of rows; arrays are (S, G).

    Attributes
    ----------
    groups : tuple of Group
        The groups.
    t : array
        Largest |t| of the group.
    at : integer array
        The row it belongs to.
    p : array
        From the rows' correlation.
    permutation : array
        From relabellings.
    """

    groups: tuple[Group, ...]
    t: Floats
    at: Ints
    p: Floats
    permutation: Floats


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything the result says about one table; arrays are (S, R).

    Attributes
    ----------
    table : Table
        The table analysed.
    contrasts : list of Contrast
        The R rows.
    means : Means
        Means over the table's non-empty cells.
    tested : Tested
        The default test.
    g, superior, permutation : (S, R) arrays
        Hedges' g, probability of superiority, permutation p (on pairs: the exact sign-flip).
    sizes : list of (int, int)
        Per contrast the number of units of inference and of sentences.
    beta : BetaColumns
        The beta regression.
    moved : list of (S, J) bool arrays
        Per contrast the items on which it is not 0.
    blind : (S,) bool array
        Systems that give all persons of each cell the same mean score.
    omnibus : Omnibus
        Tests of terms with several levels.
    components : Components
        Variance within groups.
    adjusted : (S, R) array or None
        p-values adjusted by relabellings, where asked for.
    equivalence : Equivalence or None
        Two one-sided tests, where a margin was stated.
    bootstrap : dict of str to Intervals
        By estimate (``effect``, ``beta``), where asked for.
    remarks : list of str
        Per contrast what its permutation p lacks.
    notes : tuple of str
        What could not be compared.
    units : tuple of Units
        On pairs, each contrast within its bases.
    """

    table: Table
    contrasts: list[Contrast]
    means: Means
    tested: Tested
    g: Floats
    superior: Floats
    permutation: Floats
    sizes: list[tuple[int, int]]
    beta: BetaColumns
    moved: list[Bools]
    blind: Bools
    omnibus: Omnibus
    components: Components
    adjusted: Floats | None = None
    equivalence: Equivalence | None = None
    bootstrap: dict[str, Intervals] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    units: tuple[Units, ...] = ()
