"""Scores and the labels of their rows, in any container, as `Scores` and checked tables of persons × items.

`reading` takes the steps; a table in an engine comes in through `engines`, and takes the same steps.

Scores: `containers` opens what people hand over, `pipelines` makes numbers of labels with probabilities, `outputs`
reads scores, classes and levels, and `matrices` checks numbers. The value is `Scores` (`scores`); `thresholds` says
which scores are high.

Labels: `containers` opens data as columns, `reshape` makes one row per sentence of long data, `labels` codes and checks
a column, and `axes` chooses the columns of groups. `observed` gathers persons and items, `coverage` finds who met which
item, `subsets` sorts persons into names, pairs, phrases and mentions, and `design` lays each subset out as a `Table`.
`strata` does so for each part of the data, and `wording` finds texts that differ in more than the person.
"""
