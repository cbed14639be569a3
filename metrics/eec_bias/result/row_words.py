"""The verdict beside a row of numbers: that of the finding that rests on it, and none where no finding does.

A row's own p is adjusted over the rows beside it, a finding's over the questions of the plan, so the two could part.
"""

from eec_bias.options import ANY
from eec_bias.result.finding import Finding, find_by_row
from eec_bias.result.frame import compares
from eec_bias.result.numbers import percent
from eec_bias.result.record import Record
from eec_bias.result.telling import say, verdict
from eec_bias.result.term import Term
from eec_bias.result.verdict import Judged
from eec_bias.result.words import WORDS, label, remarks, say_p, say_verdict, sentence

THROUGHOUT = ("zero", "no_reaction")
"""What is true of the very scores; no test decides it, so it holds of a term as a whole too."""


class RowWords:
    """Says the rows of a result; those of a published procedure, which has no findings, speak for themselves.

    Parameters
    ----------
    record : Record
        The result.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self._findings = find_by_row(record)

    def finding(self, row: Term) -> Finding | None:
        """Return the finding that rests on a row."""
        return self._findings.get(row.key)

    def verdict(self, judged: Judged) -> str:
        """Say the verdict in a few words, as in a table; empty beside a row on which no finding rests."""
        finding = self.finding(judged.row)
        if finding is None:
            return "" if self._is_unsaid(judged) else say_verdict(*judged)
        if finding.verdict == "not_estimable":
            # A number without a test is there, so that it was not estimated would be wrong.
            return say_verdict(*judged)
        said = str(verdict(finding, self._margin))
        return f"{said}, rough" if judged.verdict.rough else said

    def sentence(self, judged: Judged) -> str:
        """Say in a sentence what the finding that rests on a row says, and what is to be known of the row."""
        row, of_row = judged
        finding = self.finding(row)
        if finding is not None:
            systems = self.record.facts.systems_compared
            said = f"{label(row)}: {say(finding, self._margin, systems=systems)}."
            if finding.wording:
                said = f"{said} {WORDS['beside']['wording']}"
            return f"{said}{remarks(row, of_row)}"
        if self._is_unsaid(judged) and of_row.p is not None:
            p = say_p(self.record, of_row)
            return f"{label(row)}: {WORDS['any']['together'].format(p=p)}.{remarks(row, of_row)}"
        return sentence(self.record, row, of_row)

    @property
    def basis(self) -> str:
        """What a verdict rests on, as part of the line below a table; empty where there are no findings."""
        plan = self.record.plan
        if plan is None:
            return ""
        level = percent(plan.confidence)
        return WORDS["beside"]["basis"].format(count=len(plan.main), level=level)

    @property
    def _margin(self) -> float | None:
        return self.record.plan.margin if self.record.plan else None

    def _is_unsaid(self, judged: Judged) -> bool:
        """Whether a row is one of several lines on a question, or of a term as a whole, so that it has no verdict."""
        row, of_row = judged
        if self.record.plan is None or not compares(row):
            return False
        return not (row["level"] == ANY and of_row.kind in THROUGHOUT)
