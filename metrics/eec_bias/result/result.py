"""The result of a measurement: its data, and every view of them."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from eec_bias.errors import OptionError, ResultError
from eec_bias.figures import NAMES, draw
from eec_bias.files import write
from eec_bias.options import Layout
from eec_bias.result.control import Control
from eec_bias.result.finding import Finding, find
from eec_bias.result.frame import Row
from eec_bias.result.plain import check_list, check_object
from eec_bias.result.reactions import ReactionFinding, find_reactions
from eec_bias.result.record import Record, read_json
from eec_bias.result.tables import flip_table, frame_of, rates_frame, terms_table
from eec_bias.result.term import LEADING
from eec_bias.result.text import report

SHOWN = 6
"""So many keys are named where another was asked for."""


@dataclass(frozen=True)
class Result(Record, Mapping[str, Any]):
    """Bias coefficients of one or many systems: the data of `Record`, as a frame, tables, figures and text.

    It is a mapping too, with the keys of `to_dict`, which are those that ``compute`` of the `evaluate` module returns:
    ``result["race_effect"]``, ``dict(result)``.
    """

    leaving_out: Callable[[], list[Row]] | None = field(default=None, repr=False, compare=False)
    """The computation behind `sensitivity`; a saved result has none, as it has no scores."""

    dealing: Callable[[Collection[tuple[str | None, str | None]]], tuple[Control, ...]] | None = field(
        default=None, repr=False, compare=False
    )
    """The computation behind `control`."""

    def __getitem__(self, key: str) -> Any:
        content = self._as_mapping
        if key not in content:
            numbers = ", ".join(list(self.scalars)[:SHOWN])
            raise KeyError(f"{key!r} is no key of this result; it has {numbers or 'terms'}, …, see result.keys()")
        return content[key]

    def __contains__(self, key: object) -> bool:
        return key in self._as_mapping

    def __iter__(self) -> Iterator[str]:
        return iter(self._as_mapping)

    def __len__(self) -> int:
        return len(self._as_mapping)

    @cached_property
    def _as_mapping(self) -> dict[str, Any]:
        return self.to_dict()

    def to_dict(self, *, details: bool = False) -> dict[str, Any]:
        """Return plain JSON types, see `Record.to_dict`, with the answers to the plan under ``findings``.

        Parameters
        ----------
        details : bool
            Whether to add what figures need, and the negative control, which is computed if it is not known yet.
        """
        if details:
            _ = self.control
        content = Record.to_dict(self, details=details)
        content["findings"] = [finding.to_dict() for finding in self.findings]
        return content

    @property
    def findings(self) -> tuple[Finding | ReactionFinding, ...]:
        """The answer to each main question of the plan, and to each question on reactions."""
        return (*self.gaps, *self.reactions)

    @cached_property
    def gaps(self) -> tuple[Finding, ...]:
        """The answer to each main question of the plan."""
        return find(self)

    @cached_property
    def reactions(self) -> tuple[ReactionFinding, ...]:
        """The answer to each question on reactions."""
        return find_reactions(self)

    @property
    def control(self) -> tuple[Control, ...]:
        """Return how often chance alone gives a gap, of each system: names and words are dealt to the groups at random.

        Computed when you first look at it. Of more than five systems only those with a gap found have one; empty if
        it was switched off, or of a result that was saved without.
        """
        if self.dealt is None and self.dealing is not None:
            found = {(finding.system, finding.task) for finding in self.findings if finding.found}
            object.__setattr__(self, "dealt", self.dealing(found))
        return self.dealt or ()

    def save(self, path: str | Path, *, details: bool = True, overwrite: bool = False) -> Path:
        """Write the result as JSON, which `load` and ``eec report`` read.

        Parameters
        ----------
        path : str or Path
            The file.
        details : bool
            Whether what figures need is written too.
        overwrite : bool
            Whether a file that is there may be replaced.

        Raises
        ------
        OutputError
            If the file cannot be written, or is there and not to be replaced.
        """
        content = json.dumps(self.to_dict(details=details), ensure_ascii=False, allow_nan=False)
        return write(Path(path), f"{content}\n", overwrite=overwrite)

    @classmethod
    def load(cls, path: str | Path, *, list: str | None = None, kind: str | None = None) -> "Result":
        """Read a result that `save`, ``eec measure`` or ``eec audit`` wrote.

        Parameters
        ----------
        path : str or Path
            The file.
        list, kind : str, optional
            Which of several measurements: its list, such as ``en-black-white``, and its kind, ``scores``, ``rates`` or
            ``no_answer``.

        Raises
        ------
        ResultError
            If there is no such file, it holds no result, or not exactly one of this list and kind.
        """
        content = read_json(path)
        listed = content.get("measurements", [content]) if isinstance(content, Mapping) else [content]
        saved = [check_object(each, f"{path}: measurements") for each in check_list(listed, f"{path}: measurements")]
        found = [each for each in saved if list in (None, each.get("list")) and kind in (None, each.get("kind"))]
        if len(found) != 1:
            entries = "; ".join(
                f"list={each.get('list')!r}, kind={each.get('kind')!r}, {each.get('system') or 'one system'}"
                for each in saved
            )
            raise ResultError(
                f"{path} has {len(found)} results of this kind; expected one. Choose by list= and kind=: {entries}"
            )
        try:
            return cls.from_dict(found[0])
        except ResultError as error:
            raise ResultError(f"{path}: {error}") from error

    def to_frame(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """Return the terms as a frame, one row per term, level and subset (and system).

        Parameters
        ----------
        library : {"pandas", "polars"}
            Whose frame.

        Raises
        ------
        OptionError
            If the library is unknown, or not installed.
        """
        return frame_of(self.terms, library)

    def sensitivity(self) -> Any:
        """Return what each difference becomes without each name, each family of several names and each template.

        Returns
        -------
        pandas.DataFrame
            A row per term, level, subset and thing left out, the largest change of each term first: ``kind``,
            ``without``, ``effect``, ``p`` and ``change``.

        Raises
        ------
        OptionError
            If the result was saved and read again, or is that of a published procedure: it has no scores.

        Notes
        -----
        Every test is computed again without each of them, when you ask for it.
        """
        import pandas as pd

        if self.leaving_out is None:
            raise OptionError(
                "this result has no scores, so it cannot be tested without single names, families and templates; "
                "measure the scores again with the default test, and ask the new result"
            )
        frame = pd.DataFrame(self.leaving_out())
        keys = [key for key in (*LEADING, "term", "level", "reference", "subset") if key in frame]
        order = frame.assign(size=-frame["change"].abs().fillna(-1.0)).sort_values("size", kind="stable").index
        place = frame.groupby(keys, sort=False, dropna=False).ngroup()
        return frame.loc[sorted(order, key=place.__getitem__)].reset_index(drop=True)

    @property
    def rates(self) -> Any:
        """Return how often each group is selected, or scores above the threshold, as a frame.

        Returns
        -------
        pandas.DataFrame
            A row per group, subset and, if there are several, system, task, stratum and output: ``axes`` and ``within``
            (the groups it is taken within), ``group``, ``reference``, the number of sentences ``n``, ``rate``,
            ``difference`` to the reference and ``ratio`` to it, both with their intervals, and why these are
            ``rough``. The row of a reference has a rate alone. Of groups by several axes, ``race+gender``, the
            reference is that of both. Empty if the result has no rates.
        """
        return rates_frame(self.rate_rows)

    def tables(self, layout: Layout = "text") -> dict[str, str]:
        """Lay the result out as tables.

        Parameters
        ----------
        layout : {"text", "csv", "latex"}
            The form.

        Returns
        -------
        dict of str to str
            ``terms`` (and ``flips``); with a published procedure the tables its paper prints, by term and subset.

        Raises
        ------
        OptionError
            If the layout is unknown.
        ResultError
            If a published procedure's result was read from a dict, which has its tables as text only.
        """
        if self.study is not None:
            return self.study.tables(layout)
        tables = {"terms": terms_table(self, layout)}
        return tables | ({"flips": flip_table(self.flips, layout)} if self.flips else {})

    def plot(self, name: str = "forest", **options: Any) -> Any:
        """Draw a figure; see `figures`, which has a function of each name.

        Parameters
        ----------
        name : {"forest", "persons", "reaction", "systems", "sensitivity", "label_dist", "causal"}
            Gaps with their intervals, every person's mean score, and reactions to the feelings of two groups. The
            others are figures of the papers: ``systems`` of ``kiritchenko2018``, ``sensitivity`` and ``label_dist`` of
            ``perturbation``, ``causal`` of ``rating``.
        **options
            Of the figure: ``theme``, ``width``, which part to draw, and its own.

        Returns
        -------
        matplotlib Figure
            ``eec_caption`` says what is plotted. `eec_bias.figures.style.save` writes it.

        Raises
        ------
        OptionError
            If there is no figure of that name.
        ResultError
            If the result does not hold what the figure shows.
        """
        if name not in NAMES:
            raise OptionError(f"there is no figure {name!r}; the figures are {', '.join(NAMES)}")
        return draw(name, self, **options)

    def __repr__(self) -> str:
        # The rows of many systems would fill a terminal; printed, a result is a report.
        return f"<Result of {len(self.terms)} terms: {self.signature}>"

    def __str__(self) -> str:
        if self.method != "default" or self.plan is None:
            # A published procedure prints the tables of its paper.
            return report(self)
        from eec_datasets.report.surfaces import print_result

        return print_result(self)

    def _repr_html_(self) -> str:
        from eec_datasets.report.surfaces import notebook_result

        return notebook_result(self)

    def _repr_markdown_(self) -> str:
        from eec_datasets.report.surfaces import markdown_result

        return markdown_result(self)
