"""The negative control: how often chance alone gives a gap, with the labels of this measurement dealt at random."""

from bisect import bisect_right
from dataclasses import asdict, dataclass
from typing import Any, Self

from eec_bias.errors import ResultError
from eec_bias.result.plain import check_list, check_number, check_object, check_text, check_whole, short

FEWEST = 1_000
"""With fewer deals a share of them is too coarse to say how sure a finding is."""

MOST_SYSTEMS = 5
"""Of more systems at once only those with a gap found are dealt."""

KINDS = ("names", "words")


@dataclass(frozen=True, slots=True)
class Control:
    """The gaps of one system when names, nouns or words were dealt to the groups at random.

    Attributes
    ----------
    system, task : str, optional
        Of which system, if several were measured.
    deals : int
        How often they were dealt.
    complete : bool
        Whether each way to deal was taken once, and nothing was drawn.
    kind : str
        What was dealt: ``names`` (and words, if the list has both) or ``words``.
    found : int
        In how many deals any question of the plan was answered by a gap.
    gap : float
        The gap between the levels of an axis that 95 of 100 deals do not exceed, in the units of the scores.
    smallest : tuple of float
        The smallest adjusted p of each of these deals, ascending.
    """

    system: str | None
    task: str | None
    deals: int
    complete: bool
    kind: str
    found: int
    gap: float
    smallest: tuple[float, ...]

    def as_clear(self, p: float) -> int:
        """Return in how many deals a gap as clear came up, one with an adjusted p as small or smaller."""
        return bisect_right(self.smallest, p * (1 + 1e-9))

    def chance(self, p: float) -> float | None:
        """Return the chance of a gap as clear as one with this adjusted p; None if too few deals tell.

        If it came up in none of the deals, it is that of one of them.
        """
        if self.deals < FEWEST:
            return None
        return max(self.as_clear(p), 1) / self.deals

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types."""
        return {**asdict(self), "smallest": list(self.smallest)}

    @classmethod
    def from_dict(cls, content: Any, path: str) -> Self:
        """Read what `to_dict` gave.

        Raises
        ------
        ResultError
            If it is no such control.
        """
        saved = check_object(content, path)
        kind, complete = check_text(saved.get("kind"), f"{path}.kind"), saved.get("complete")
        deals, found = (check_whole(saved.get(name), f"{path}.{name}") for name in ("deals", "found"))
        gap = check_number(saved.get("gap"), f"{path}.gap")
        if kind not in KINDS or not isinstance(complete, bool) or gap is None:
            raise ResultError(
                f"{path} is {short(content)}; expected a kind, names or words, a gap, and if it is complete"
            )
        smallest = [check_number(p, f"{path}.smallest") for p in check_list(saved.get("smallest"), f"{path}.smallest")]
        known = tuple(p for p in smallest if p is not None)
        if deals is None or found is None or not found == len(known) <= deals or list(known) != sorted(known):
            raise ResultError(f"{path} has found {short(found)} of {short(deals)} deals, and {len(known)} p of these")
        system, task = (check_text(saved.get(name), f"{path}.{name}") for name in ("system", "task"))
        return cls(system, task, deals, complete, kind, found, gap, known)
