"""Read scores that are given as numbers, with their type, and check them."""

import math
import re
import reprlib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from eec_bias.errors import BiasError, OptionError, ScoresError, expect
from eec_bias.inputs.containers import columns_of, is_missing
from eec_bias.inputs.scores import UNBOUNDED, Scores, Systems, name_systems, not_finite
from eec_bias.notes import Note
from eec_bias.options import Floats, MeasureOptions, is_number, is_sequence
from eec_bias.stats.resolution import BITS, Resolution, type_of_doubles
from eec_bias.stats.rounding import ZERO

STARS = re.compile(r"\s*(\d+)\s*(?:stars?|★|⭐)\s*", re.IGNORECASE)
"""A grade as text, such as ``5 stars``."""

DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}( .*)?|\d{1,2}[-/. ][^\W\d]{3,4}\.?([-/. ]\d{2,4})?")
"""Form of a number that a spreadsheet took for a date."""

CURES = {
    ".*%": "write them without %",
    r"[+-]?\d{1,3}([\s.,'’]\d{3})+([.,]\d*)?": "write them without marks between thousands",
    r".*\d\s*/\s*\d+": "write the number alone, without what it is out of",
    DATE.pattern: "a spreadsheet made dates of numbers; format the column as numbers first",
    "(?i)n/?a|none|null|#n/a|-": "leave it empty, or give None for no score",
}
"""Advice on writing a value as a number, by the pattern of the value."""

MOST_LABELS = 9
"""Texts of more kinds are no labels."""

FEW_STRAYS = 0.9
"""Of scores of which a larger share lies within the range it is not told how far they run."""

FLOAT_NOISE = 1e-6
"""Scores that lie outside the range by no more than this share of it are taken for its ends: 1.0000001 is 1."""

COARSE = 1e5
"""Scores that do not run so many times as far as what counts as rounding have differences that are lost in it."""

WIDTHS = (1e-60, 1e60)
"""Outside these the square of a variance, which degrees of freedom need, leaves the range of floating point."""


def as_matrix(scores: Any, rows: int) -> tuple[Floats, tuple[str, ...] | None, bool]:
    """Return the scores as (S, n), the names a mapping gives, and whether one plain vector was given.

    Raises
    ------
    ScoresError
        If they are not numbers, or there is not one per row.
    """
    scores, names = by_system(scores, rows)
    if names is None:
        values = as_numbers(scores)
    else:
        values = _stacked([_numbers_of(name, column) for name, column in zip(names, scores, strict=True)])
    if values.ndim not in (1, 2):
        raise ScoresError(f"the scores have the shape {values.shape}; expected (rows,) or (systems, rows)")
    if not len(values) and values.ndim == 2:
        raise ScoresError("the scores are a matrix without rows; give one row of scores per system")
    single, values = values.ndim == 1, np.atleast_2d(values)
    if values.shape[1] != rows:
        turned = ""
        if len(values) == rows:
            turned = (
                "; the matrix has one row per sentence: pass its transpose if its columns are systems, and let outputs "
                "be 'probabilities' if they are classes"
            )
        raise ScoresError(
            f"{values.shape[1]} scores for {rows} rows; give one score per row of the data, in the data's order{turned}"
        )
    return values, names, single


def _numbers_of(system: str, column: Any) -> Floats:
    """Return the scores of a system as numbers; an error names the system."""
    try:
        return as_numbers(column)
    except ScoresError as error:
        raise ScoresError(f"system {system!r}: {error}", row=error.row) from None


def _stacked(columns: Sequence[Floats]) -> Floats:
    """Return scores of several systems as a matrix; those of different shapes have none."""
    if len({column.shape for column in columns}) > 1:
        shapes = " and ".join(str(column.shape) for column in columns[:2])
        raise ScoresError(f"the scores of the systems have different shapes, {shapes}; give one score per row of each")
    return np.stack(columns)


def as_numbers(scores: Any) -> Floats:
    """Return scores as floating point numbers.

    Raises
    ------
    ScoresError
        If they are text, complex, or no numbers at all.
    """
    refuse_labelled(scores)
    try:
        plain = unmask(scores)
        if plain.dtype.kind in "cmM":
            kind = "complex numbers" if plain.dtype.kind == "c" else "times"
            raise ScoresError(f"scores are {kind}; give every score as a real number")
        # Python reads '0_1' as 1, so that no text may pass among other objects.
        if plain.dtype.kind in "US" or (plain.dtype.kind == "O" and any(map(_is_text, plain.flat))):
            raise _text_among(plain)
        if plain.dtype.kind == "O":
            missing = np.array([score is None or is_missing(score) for score in plain.flat]).reshape(plain.shape)
            plain = np.where(missing, np.nan, plain)
        return np.asarray(plain, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:  # the last from torch, of a gradient
        if isinstance(error, ScoresError):
            raise
        raise ScoresError(f"scores cannot be read as numbers ({error})") from None


def how_to_write(value: object) -> str:
    """Return how to write what should be a number; nothing where that is not known."""
    raw = str(value)
    for pattern, cure in CURES.items():
        if re.fullmatch(pattern, raw.strip()):
            return cure
    plain = unicodedata.normalize("NFKC", raw.strip()).translate({ord("−"): "-", ord("٫"): ".", ord(","): "."})
    typed = plain == raw.replace(",", ".") or not _is_numeral(plain)
    return "" if typed else "write them as they are typed: 0 to 9, -, point or comma, no spaces"


def _is_text(value: Any) -> bool:
    return isinstance(value, str | bytes)


def _text_among(plain: Any) -> ScoresError:
    """Return the error for text where numbers were expected: the row, if only some are text, else the labels."""
    there = [(place, value) for place, value in enumerate(plain.flat) if not is_missing(value)]
    texts = [(place, value) for place, value in there if _is_text(value) and not _is_numeral(value)]
    cure = how_to_write(texts[0][1]) if texts else ""
    if texts and len(texts) == len(there) and not cure:
        labels = np.array([value for _, value in texts], dtype=object)
        return ScoresError(f"scores are text; give every score as a real number{_of_text(labels)}")
    hint = cure or "leave it out, or give None for no score"
    if not texts:
        texts = [(place, value) for place, value in there if _is_text(value)]
        hint = "it is a number in quotes: convert it with float"
    place, value = texts[0]
    row, such = place % plain.shape[-1], f"{len(texts):,} such of {len(there):,}"
    return ScoresError(f"score in row {row} (rows count from 0) is the text {str(value)!r} ({such}); {hint}", row=row)


def _is_numeral(value: Any) -> bool:
    try:
        return math.isfinite(float(value)) and "_" not in str(value)
    except ValueError:
        return False


def _of_text(texts: Any) -> str:
    """Return how labels are measured, with the values of grades where they are grades, as the end of a message."""
    labels = sorted({str(label) for label in texts.flat})
    grades = {label: found[1] for label in labels if (found := STARS.fullmatch(label))}
    if labels and len(grades) == len(labels):
        worth = ", ".join(f"{label!r}: {number}" for label, number in grades.items())
        return f"; grades are measured as outputs 'class', with what each is worth as classes, such as {{{worth}}}"
    if not labels or len(labels) > MOST_LABELS:
        return "; if they are classes, let outputs say so, with what each is worth as classes"
    some = ", ".join(map(repr, labels))
    return (
        f": {some}; if these are labels, name the one that counts as 1 with positive_class, such as {labels[-1]!r}, or "
        "let outputs be 'class'"
    )


def refuse_labelled(scores: Any) -> None:
    """Refuse the raw output of a transformers pipeline: its first score is that of whichever label won."""
    first = scores
    while isinstance(first, list | tuple):
        first = next(iter(first), None)
    if isinstance(first, Mapping):
        raise ScoresError(
            f"an output is {reprlib.repr(dict(first))}; give one number per sentence, the score of the same label in "
            "all of them, or the labels alone as outputs 'class'"
        )


def unmask(scores: Any) -> Any:
    """An array in which masked values are NaN; numpy itself would give what lies under the mask."""
    if isinstance(scores, list | tuple) and any(isinstance(part, np.ma.MaskedArray) for part in scores):
        scores = [unmask(part) for part in scores]
    if isinstance(scores, list | tuple):
        scores = [_without_torch(part) for part in scores]
    scores = _without_torch(scores)
    if isinstance(scores, np.ma.MaskedArray) and scores.mask.any():
        return np.ma.filled(scores.astype(np.float64), np.nan)
    return scores if isinstance(scores, np.ndarray) else np.asarray(scores)


def _without_torch(scores: Any) -> Any:
    """Return an array of numpy for a tensor, which may be on another device, in a graph, or of a type of its own."""
    if hasattr(scores, "detach") and hasattr(scores, "cpu"):
        return scores.detach().cpu().double().numpy()
    return scores


def types_of(scores: Any, systems: int) -> list[str]:
    """Return the type of each system's numbers, as they were given."""
    columns = columns_of(scores)
    if columns is not None:
        return [type_of(column) for column in columns.values()]
    if isinstance(scores, list | tuple) and len(scores) == systems and any(map(np.ndim, scores[:1])):
        return [type_of(row) for row in scores]
    return [type_of(scores)] * systems


def type_of(scores: Any) -> str:
    """Return the type of the numbers of one system, or of a matrix, as they were given."""
    if isinstance(scores, pa.Array | pa.ChunkedArray):
        return {"halffloat": "float16", "float": "float32"}.get(str(scores.type), "float64")
    if isinstance(scores, list | tuple):
        scores = scores[0] if scores else 0.0
    name = str(getattr(scores, "dtype", "float64")).rpartition(".")[2].lower()
    return name if name in BITS else "float64"


def is_one_line(outputs: Any) -> bool:
    """Return whether outputs that are no numbers are those of one system: one value per row."""
    if isinstance(outputs, pa.Array | pa.ChunkedArray):
        return True
    return np.ndim(next(iter(outputs), "")) == 0


def by_system(scores: Any, rows: int) -> tuple[Any, tuple[str, ...] | None]:
    """Return columns by system as a list, with their names; anything else as it is.

    Raises
    ------
    ScoresError
        If there are no columns, or one has not as many scores as there are rows.
    """
    columns = columns_of(scores)
    if columns is None:
        return scores, None
    if not columns:
        raise ScoresError("the scores are an empty mapping; give one row of scores per system")
    for name, row in columns.items():
        if not hasattr(row, "__len__"):
            raise ScoresError(f"the scores of system {name!r} are {row!r}; give one score per row of the data")
        if len(row) != rows:
            raise ScoresError(
                f"system {name!r} has {len(row)} scores for {rows} rows; give one score per row of the data, in the "
                "data's order"
            )
    return list(columns.values()), tuple(columns)


def check_range(score_range: Any) -> tuple[float, float]:
    """Check a declared score range; None is one without bounds.

    Raises
    ------
    OptionError
        If it is not two finite numbers, the lower first.
    """
    if score_range is None or score_range == UNBOUNDED:
        return UNBOUNDED
    bounds = list(score_range) if is_sequence(score_range) else []
    ordered = len(bounds) == 2 and all(map(is_number, bounds)) and bounds[0] < bounds[1]
    expect(ordered, "score_range", score_range, "two finite numbers, the lower first, such as -1 and 1")
    low, high = map(float, bounds)
    if not WIDTHS[0] <= high - low <= WIDTHS[1]:
        raise OptionError(
            f"the score range {low:g} to {high:g} is {high - low:.3g} wide; variances need a width between "
            f"{WIDTHS[0]:g} and {WIDTHS[1]:g}: rescale the scores"
        )
    return low, high


def read_scores(scores: Any, rows: int, options: MeasureOptions, systems: Systems | None = None) -> Scores:
    """Check scores and lay them out as systems × rows.

    Parameters
    ----------
    scores : (n,) or (S, n) array, or mapping or frame of system name to (n,) scores
        One score per row of the data, in the data's order. Scores that are checked already pass as they are.
    rows : int
        Number of rows of the data.
    options : MeasureOptions
        Those that say how far scores run, whether one may be missing, and what systems are called, are followed.
    systems : Systems, optional
        The systems, if they are known already.

    Raises
    ------
    ScoresError
        If the shape does not fit, or a score is missing, not finite or outside the range. A system without
        any score is left out, with a note.
    OptionError
        If ``score_range``, ``systems`` or ``tasks`` contradicts itself.
    """
    if isinstance(scores, Scores):
        return scores
    limits = check_range(options.score_range)
    values, names, single = as_matrix(scores, rows)
    missing, types = np.isnan(values).all(axis=1) & (rows > 0), types_of(scores, len(values))
    if systems is None:
        systems = name_systems(options, len(values), names, single=single)
    if rows and missing.all():
        raise ScoresError(f"there are no scores: all {rows} of every system are NaN")
    gone = [systems.subject_note(s) for s in np.flatnonzero(missing).tolist()]
    notes = [Note("no_scores_of_system", {"subject": subject, "rows": rows}) for subject in gone]
    kept = np.flatnonzero(~missing)
    systems = systems.only(kept)
    if missing.any():
        values = values[kept]
    values, beyond = _without_noise(values, limits)
    if beyond:
        notes.append(Note("clipped", {"count": beyond, "low": limits[0], "high": limits[1]}))
    lowest, highest = _extent(values, systems, limits, holes=options.incomplete != "refuse")
    if limits == UNBOUNDED and WIDTHS[1] < highest - lowest < np.inf:
        raise ScoresError(
            f"the scores run from {lowest:g} to {highest:g}, which is {highest - lowest:.3g} wide; variances need at "
            f"most {WIDTHS[1]:g}: rescale the scores"
        )
    kinds, noise = [types[s] for s in kept], None
    if isinstance(options.resolution, Resolution) and options.resolution.known == "shares":
        # Made of probabilities, whose type says more than that of the sums.
        kinds = [options.resolution.detail] * len(values)
        noise = np.full(len(values), float(options.resolution))
    kinds = [type_of_doubles(own) if kind == "float64" else kind for kind, own in zip(kinds, values, strict=True)]
    bounded = limits != UNBOUNDED
    if bounded:
        notes += _note_scale(lowest, highest, limits)
    else:
        notes.append(Note("no_range", {"lowest": lowest, "highest": highest}))
        limits = (lowest, highest) if lowest < highest else (lowest - 0.5, lowest + 0.5)
    return Scores(values, systems, limits, tuple(notes), bounded=bounded, kinds=tuple(kinds), noise=noise)


def _without_noise(values: Floats, limits: tuple[float, float]) -> tuple[Floats, int]:
    """Move scores that lie outside the range by no more than rounding to its ends, and count them."""
    low, high = limits
    if limits == UNBOUNDED or not values.size:
        return values, 0
    with np.errstate(invalid="ignore"):
        noise = FLOAT_NOISE * (high - low)
        beyond = ((values < low) & (values >= low - noise)) | ((values > high) & (values <= high + noise))
    count = int(beyond.sum())
    return (np.where(beyond, np.clip(values, low, high), values), count) if count else (values, 0)


def _extent(values: Floats, systems: Systems, limits: tuple[float, float], *, holes: bool) -> tuple[float, float]:
    """Return the lowest and the highest score; refuse the first that is missing or outside the range."""
    low, high = limits
    if not values.size:
        return np.inf, -np.inf
    lowest, highest = float(values.min()), float(values.max())
    if holes and np.isnan(lowest):
        lowest, highest = float(np.nanmin(values)), float(np.nanmax(values))
    if lowest >= low and highest <= high:
        return lowest, highest
    good, finite = (values >= low) & (values <= high), np.isfinite(values)
    if holes:
        finite |= np.isnan(values)
        good |= np.isnan(values)
    system, row = (int(i) for i in np.argwhere(~good)[0])
    value, there = float(values[system, row]), values[finite]
    such = int((~(good if finite[system, row] else finite)[system]).sum())
    run = float(there.min(initial=np.inf)), float(there.max(initial=-np.inf)), float(good.mean())
    raise wrong_score(systems.place(system, row), value, such, limits, run)


def wrong_score(
    where: str, value: float, such: int, bounds: tuple[float, float], run: tuple[float, float, float]
) -> BiasError:
    """Return the error for a score that cannot be used, with how many there are and a hint at their scale.

    Parameters
    ----------
    where : str
        Where it stands.
    value, such : float, int
        The score, and how many are wrong as it is.
    bounds : (float, float)
        Lowest and highest possible score, as declared.
    run : (float, float, float)
        Lowest and highest score, and which share of all lies within the bounds.
    """
    if not np.isfinite(value):
        return not_finite(where, value, such)
    low, high, good = run
    extent = "" if good > FEW_STRAYS else f"; all of them run from {low:.4g} to {high:.4g}"
    # No range is read off the scores: what they happen to reach is not what is possible.
    percent = "; percentages are divided by 100, or have the range (0, 100)" if 10 < high <= 100 and low >= 0 else ""
    return ScoresError(
        f"score in {where} is {value!r}, outside [{bounds[0]:g}, {bounds[1]:g}] ({such} such{extent}); declare as "
        "score range the lowest and the highest score that are possible, or None where no range is known, as of a "
        f"regression model or of logits{percent}"
    )


def _note_scale(lowest: float, highest: float, bounds: tuple[float, float]) -> Iterator[Note]:
    """Note scores, from lowest to highest, that seem to be on another scale than the declared one."""
    (low, high), spread = bounds, highest - lowest
    least = ZERO * (high - low)
    if bounds != (0.0, 1.0) and low <= 0 <= lowest and highest <= 1 <= high:
        yield Note("narrow_range", {"low": low, "high": high})
    if 0 < spread <= COARSE * least:
        key = "scores_as_good_as_equal" if spread <= least else "effects_as_good_as_zero"
        yield Note(key, {"lowest": lowest, "highest": highest, "zero": ZERO, "least": least})
