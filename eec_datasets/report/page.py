"""The page of some measurements, as values for all renderers."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from eec_datasets.report import blocks, tables
from eec_datasets.report.headline import guess, headline
from eec_datasets.report.measured import FailureLike, MeasurementLike
from eec_datasets.report.pairs import pairs
from eec_datasets.report.picture import picture
from eec_datasets.report.picture_of_systems import lead_rows
from eec_datasets.report.say import Say, Surface
from eec_datasets.report.size import size
from eec_datasets.report.story import tell
from eec_datasets.report.view import PageView


def compose(
    measurements: Sequence[MeasurementLike],
    language: str = "en",
    *,
    command: str = "",
    surface: Surface = "audit",
    date: datetime.date | None = None,
    failures: Sequence[FailureLike] = (),
) -> PageView:
    """Return the page of some measurements.

    Parameters
    ----------
    measurements : sequence of MeasurementLike
        What was measured, in the order in which it is told.
    language : str
        The language of the page: ``en``, ``es``, ``ar``.
    command : str
        The command that made the measurements, for the record.
    surface : str
        Where the page is made, so that it names what a reader can set there.
    date : date, optional
        The day of the page.
    failures : sequence of FailureLike
        Systems that were asked for and are not among the measurements.

    Raises
    ------
    ValueError
        If there is no measurement, or no file of words for the language.
    """
    say = Say(language, surface)
    story = tell(measurements, say)
    first = headline(story)
    drawn = tables.of_procedure(story, first) if story.kind == "procedure" else picture(story, first)
    lead = story.lead
    return PageView(
        language=language,
        direction=say.direction,
        systems=tuple(dict.fromkeys(system for system, _ in story.systems)),
        kicker=blocks.kicker(story, date),
        headline=first,
        guess=guess(story),
        found=story.lead is not None or story.reaction is not None,
        accented=story.lead is not None or story.reaction is not None or "deaf" in story.answers,
        deck=blocks.deck(story),
        scope=blocks.scope(story),
        pairs=pairs(story),
        picture=drawn,
        size=size(story),
        sure=blocks.sure(story),
        next_steps=blocks.next_steps(story),
        limits=blocks.limits(story, failures),
        job=blocks.job(story),
        record=blocks.record(story, command),
        overall=blocks.overall(story),
        overviews=blocks.overviews(story) if story.kind == "many" else (),
        lead_rows=lead_rows(story),
        lead_name=blocks.name_of(story, lead.system, lead.measurement.language) if lead else "",
        tables=tables.tables(story),
        how=tables.how(story),
    )
