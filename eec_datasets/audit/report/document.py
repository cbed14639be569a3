"""What a report is made from: saved results, and the rows of each system with their verdicts."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from eec_bias import BiasError, Result
from eec_bias.reading import NO_UNIT, PERSONS, SENSITIVITY, Judged, Term, judge_terms
from eec_bias.shared import grouped
from eec_datasets import corpora
from eec_datasets.audit.report.validation import SHAPES, BadResult, check_audit
from eec_datasets.audit.running import NO_ANSWER, UNANSWERED
from eec_datasets.audit.saving import FORMAT, SEAL, checksum
from eec_datasets.errors import EecError
from eec_datasets.given_file import read_given
from eec_datasets.report.measured import Failure
from eec_datasets.terminal import all_visible
from eec_datasets.text_file import json_of

Row = Mapping[str, Any]

UNKNOWN_PERSONS = "unknown_persons"
"""Key of rows on sentences that are of no corpus of ours: their groups may be known by names or by anything else."""

FURTHER = ("rates", "equivalence", "flips")


@dataclass(frozen=True, slots=True)
class Entry:
    """One result, and what is known of where it comes from.

    Attributes
    ----------
    place
        Names it in messages: the file, or system and corpus.
    result
        The result.
    system
        Name of what was measured, for rows that do not say.
    config, language, review, data, fingerprint
        The corpus, its BCP 47 tag, how far readers have checked it, its whole hash; version of the system.
        Empty where not known.
    part
        Which part of the corpus was scored, in words; empty where all of it was.
    prompts, models, unanswered
        Of a system that is asked by prompts: each with ``name`` and ``request``; versions that answered; answers that
        are no score, by why.
    standouts, moved
        Names far from their group, and pairs that moved most; None where the file does not hold them.
    names
        What its names carry beside their group, see `eec_datasets.audit.covariates.corpus_covariates`.
    attested_of
        The corpus whose attested names these are; empty where they are all of its names.
    typical
        A typical pair of sentences of each comparison of two groups, see `eec_datasets.audit.typical`.
    emotion_means
        Mean score of the sentences of each emotion.
    checksums
        A checksum of the sentences of each question, by its id; by it lists of the same sentences are known.
    clear
        The same of the names that are no weak signal of their group; None where this is all names, or too few.
    versions
        Of a comparison of two versions: before and after, each measured alone.
    """

    place: str
    result: Result
    system: str
    config: str = ""
    language: str = ""
    review: str = ""
    data: str = ""
    fingerprint: str = ""
    part: str = ""
    prompts: Sequence[Row] = ()
    models: Sequence[str] = ()
    unanswered: Mapping[str, int] = field(default_factory=dict)
    standouts: Sequence[Row] | None = None
    moved: Sequence[Row] | None = None
    names: Row | None = None
    attested_of: str = ""
    typical: Sequence[Row] = ()
    emotion_means: Mapping[str, float] = field(default_factory=dict)
    checksums: Mapping[str, str] = field(default_factory=dict)
    clear: Result | None = None
    versions: Sequence[Result] = ()

    @property
    def sentences(self) -> Literal["corpus", "confounded", "own"]:
        """Whether it scored a corpus of ours, a set drawn from one in which words may go with groups, or neither."""
        if not self.result.facts.data.digest:
            return "own"
        return "confounded" if self.result.method == "rating" else "corpus"

    @property
    def whole(self) -> str:
        """The corpus of which this is a part that was measured by itself, or this corpus."""
        return self.attested_of or self.config

    @property
    def again(self) -> str:
        """How such a result is measured, where the command that did it is not known."""
        method = self.result.method
        against = "--against OTHERS.csv " if self.result.facts.compared else ""
        rows = "--config NAME" if self.sentences == "corpus" else "--data TABLE"
        return f"eec measure SCORES.csv {against}{rows}" + ("" if method == "default" else f" --method {method}")

    @property
    def name_count(self) -> int:
        """How many names there are, as far as it is known."""
        return sum(int(cell["names"]) for cell in self.names["cells"]) if self.names else 0

    @property
    def groups(self) -> Any:
        """Language and groups of its names; where nothing is known of these, its corpus."""
        if not self.names:
            return self.config
        return self.language, frozenset(part for cell in self.names["cells"] for part in cell["labels"].items())


@dataclass(frozen=True, slots=True)
class Unit:
    """One system on one task (empty where there is none) in one result: the rows that a reader takes together."""

    entry: Entry
    system: str
    task: str
    rows: Sequence[Judged]

    @property
    def title(self) -> str:
        """System and task."""
        return f"{self.system} ({self.task})" if self.task else self.system

    @property
    def where(self) -> str:
        """System, task and corpus, for messages."""
        return " · ".join(part for part in (self.title, self.entry.config) if part)

    @property
    def compared(self) -> bool:
        """Whether it is two systems, and the scores are their differences."""
        return self.entry.result.facts.compared is not None

    def span(self, row: Row) -> float:
        """Length of the scale of a row: that of each system's scores, or 1 where the effect is no score."""
        low, high = self.entry.result.score_range
        # Differences of two systems' scores reach as far below 0 as above.
        low = 0.0 if self.compared else low
        return 1.0 if rated(row) or row["term"] in NO_UNIT else (high - low) or 1.0

    def others(self, key: str) -> list[Row]:
        """Return the rows of another list of the result that are about this system and task."""
        return [row for row in self.entry.result.beside(key) if _about(self.entry, row) == (self.system, self.task)]

    @property
    def of_emotions(self) -> list[Term]:
        """The rows that say how its differences differ between emotions."""
        output: dict[str, Any] = {"output": NO_ANSWER} if self.system.endswith(UNANSWERED) else {}
        rows = self.entry.result.by_emotion
        return [replace(row, **output) for row in rows if _about(self.entry, row) == (self.system, self.task)]

    @property
    def is_sensitive(self) -> bool:
        """Whether scores change where a name takes the place of who stands in the original, whatever its group."""
        return any(judged.row["effect"] for judged in self.rows if judged.row["term"] == SENSITIVITY)

    @property
    def one_score_for_all(self) -> bool:
        """Whether persons that no row compares, as of different pairs, have the same mean score too, if it is known."""
        if any(row["sd"] for row in self.others("variances") if row["source"] == PERSONS):
            return False
        means = grouped((tuple(stratum_output(row)), row["mean"]) for row in self.others("cells")).values()
        return all(math.isclose(min(several), max(several), rel_tol=1e-9, abs_tol=1e-12) for several in means)

    def further(self) -> dict[str, list[Row]]:
        """Return the lists of the result that are shown as plain tables, where they hold something."""
        return {key: rows for key in FURTHER if (rows := self.others(key))}


@dataclass(frozen=True, slots=True)
class Document:
    """What one report is made from.

    Attributes
    ----------
    entries
        Results in the order of the report.
    corpora
        Corpora with sentences to show: ``name``, ``language``, ``about``, ``review``, ``rows``, ``sentences``.
    versions
        Versions of what measured, by name.
    command
        The command that made it, or empty.
    files
        The files it was read from.
    dates
        The days on which it was measured, ``2026-01-31``.
    changed, unsealed
        The files that are not as they were written, and those without a checksum by which that could be told.
    repeated
        Where results stand that another file holds too; they are reported once.
    distinct
        How many different sentences each system scored, by system and language, as far as it is known.
    failures
        Systems that could not be scored or measured.
    """

    entries: Sequence[Entry]
    corpora: Sequence[Row] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    files: Sequence[str] = ()
    dates: Sequence[str] = ()
    changed: Sequence[str] = ()
    unsealed: Sequence[str] = ()
    repeated: Sequence[str] = ()
    distinct: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    failures: Sequence[Failure] = ()


def units(entries: Sequence[Entry]) -> Iterator[Unit]:
    """Split results into systems and tasks, in their order.

    Rows say where it is of answers that are lacking, and where what is said of persons is not known from a corpus.
    """
    for entry in entries:
        groups = grouped((_about(entry, judged.row), judged) for judged in judge_terms(entry.result))
        for (system, task), rows in groups.items():
            changed: dict[str, Any] = {}
            if system.endswith(UNANSWERED):
                changed["output"] = NO_ANSWER
            if entry.sentences == "own":
                changed["more"] = {UNKNOWN_PERSONS: "?"}
            yield Unit(entry, system, task, [judged._replace(row=replace(judged.row, **changed)) for judged in rows])


def rated(row: Row) -> str:
    """Return what a row compares the rate of, a class or no answer at all; empty where it compares scores."""
    output = str(row.get("output") or "")
    if output == NO_ANSWER:
        return output
    return output.removeprefix("rate[").removesuffix("]") if output.startswith("rate[") else ""


def is_simple(row: Row) -> bool:
    """Whether a row compares groups of one axis."""
    return "+" not in (row["axes"] or "")


def stratum_output(row: Row) -> list[str]:
    """Stratum and output of a row."""
    return [str(row[key]) for key in ("stratum", "output") if row.get(key) is not None]


def _about(entry: Entry, row: Row) -> tuple[str, str]:
    return str(row.get("system") or entry.system), str(row.get("task") or "")


def read(paths: Sequence[Path]) -> Document:
    """Read saved results.

    Parameters
    ----------
    paths
        Files of an audit (``result.json``) or of one result (``eec measure --format json``), each read once.

    Raises
    ------
    BadResult
        A file cannot be read, is not JSON, or holds no result; two results are of one system on one corpus.
    """
    contents = {str(path): _load(path) for path in {os.path.realpath(path): path for path in paths}.values()}
    parts = [from_content(saved, file, Path(file).stem) for file, saved in contents.items()]
    distinct, repeated = _distinct_entries([entry for part in parts for entry in part.entries])
    shown = {corpus_key(corpus): corpus for part in parts for corpus in part.corpora}.values()
    entries, corpora_shown = _named_apart(distinct, list(shown))
    return Document(
        entries=entries,
        corpora=corpora_shown,
        versions={name: version for part in parts for name, version in part.versions.items()},
        command=" && ".join(dict.fromkeys(part.command for part in parts if part.command)),
        files=list(contents),
        dates=sorted({date for part in parts for date in part.dates}),
        changed=[file for file, saved in contents.items() if SEAL in saved and saved[SEAL] != checksum(saved)],
        unsealed=[file for file, saved in contents.items() if SEAL not in saved],
        repeated=repeated,
        distinct=_distinct_sentences([part.distinct for part in parts]),
        failures=[failure for part in parts for failure in part.failures],
    )


def _distinct_sentences(counts: Sequence[Mapping[str, Mapping[str, int]]]) -> dict[str, dict[str, int]]:
    """Add up how many sentences each system scored; where several files say so, the largest number is sure."""
    most: dict[str, dict[str, int]] = {}
    for one in counts:
        for system, by_language in one.items():
            known = most.setdefault(system, {})
            for language, count in by_language.items():
                known[language] = max(known.get(language, 0), count)
    return most


def corpus_key(corpus: Row) -> tuple[str, str]:
    """Tell corpora that are shown apart: the name, and which part of it was scored."""
    return corpus["name"], corpus.get("part") or ""


def _named_apart(entries: Sequence[Entry], shown: Sequence[Row]) -> tuple[list[Entry], list[Row]]:
    """Put the part into the name of a corpus of which a system has several, so that none is taken for another."""
    systems = ((_about(entry, row), entry) for entry in entries for row in entry.result.terms)
    parts = grouped(((system, entry.whole), entry.part) for system, entry in systems)
    several = {config for (_, config), some in parts.items() if len(set(some)) > 1}

    def name(config: str, part: str) -> str:
        return f"{config} ({part})" if part and config in several else config

    named = []
    for entry in entries:
        whole = name(entry.whole, entry.part)
        config = whole + entry.config.removeprefix(entry.whole)
        named.append(replace(entry, config=config, attested_of=entry.attested_of and whole))
    return named, [{**each, "name": name(*corpus_key(each))} for each in shown]


def _distinct_entries(entries: Sequence[Entry]) -> tuple[list[Entry], list[str]]:
    """Take each result once, and return where it stands again; refuse two that a reader could not tell apart."""
    distinct: list[Entry] = []
    repeated: list[str] = []
    entry_of: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        keys = [(*_about(entry, row), entry.config, entry.part) for row in entry.result.terms]
        taken = next(filter(entry_of.get, keys), None)
        if taken is None:
            distinct.append(entry)
            entry_of |= dict.fromkeys(keys, entry)
            continue
        both = entry_of[taken], entry
        first, second = ((each.fingerprint, each.result.to_dict(details=True)) for each in both)
        if first != second:
            about = " · ".join(dict.fromkeys(filter(None, taken)))
            raise BadResult(
                f"{both[0].place} and {entry.place}: two results of {about}, which one report cannot tell apart. Leave "
                "one out, or give its system another name; where a result says none, that is the name of its file."
            )
        repeated.append(entry.place)
    return distinct, repeated


def from_content(content: Any, place: str, name: str) -> Document:
    """Understand a saved result or audit.

    Parameters
    ----------
    content
        What JSON gave. Controls in its texts are shown, as a report must not obey them.
    place
        Names it in messages.
    name
        What a system is called that has no name.

    Raises
    ------
    BadResult
        It holds no result, or one of an earlier form.
    """
    content = all_visible(content)
    if not isinstance(content, Mapping) or not ("results" in content or "terms" in content):
        raise BadResult(
            f"{place}: expected a result (an object with the key terms) or an audit (with the key results). "
            "Give a file written by eec audit, eec measure --format json, or json.dump(result.to_dict(), file)."
        )
    if "results" not in content:
        return Document([_entry({"result": content}, place, name)])
    command = str(content.get("command") or "")
    if (saved := content.get("format", 1)) != FORMAT:
        later = isinstance(saved, int) and saved > FORMAT
        anew = f"Make it anew, which takes the saved scores: {command or 'eec audit'} --out FOLDER"
        mend = "Install the version of eec-datasets that wrote it, or a later one." if later else anew
        raise BadResult(
            f"{place}: an audit saved in form {saved!r}; expected {FORMAT}, which this version writes. {mend}"
        )
    check_audit(content, place)
    if not content["results"]:
        raise BadResult(f"{place}: holds no results. Expected at least one system on one corpus.")
    entries = [_entry(entry, f"{place}, results[{i}]", name) for i, entry in enumerate(content["results"])]
    dates = [content["date"]] if content.get("date") else []
    return Document(
        entries,
        content.get("corpora") or [],
        content.get("made") or {},
        command,
        dates=dates,
        distinct=content.get("distinct") or {},
        failures=[Failure(each["system"], tuple(each["lists"]), each["why"]) for each in content.get("failures") or ()],
    )


def _load(path: Path) -> Any:
    expected = "Expected a whole saved result as JSON; make it anew if its writing was cut short."
    try:
        content = json_of(read_given(path).decode("utf-8"))
        json.dumps(content, ensure_ascii=False).encode()
        return content
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise BadResult(f"{path}: holds {half!r}, half a character, which no report can. Mend the text.") from error
    except OSError as error:
        raise BadResult(f"Cannot read {path}: {error.strerror}. Give files of saved results.") from error
    except UnicodeDecodeError as error:
        raise BadResult(f"{path}: not UTF-8 at byte {error.start}. {expected}") from error
    except json.JSONDecodeError as error:
        raise BadResult(f"{path}:{error.lineno}: not JSON: {error.msg} at column {error.colno}. {expected}") from error
    except ValueError as error:
        raise BadResult(f"{path}: cannot be read as JSON ({error}). {expected}") from error


def _entry(saved: Mapping[str, Any], place: str, name: str) -> Entry:
    """Read a result, with what is saved beside it, and what its facts and this installation know of its corpus."""
    result = _result(saved["result"], place)
    facts = {key: value for key, value in saved.items() if f"{key}?" in SHAPES["entry"] and value is not None}
    facts |= {"versions": [_result(each, f"{place}, versions") for each in saved.get("versions") or ()]}
    facts |= {"clear": _result(saved["clear"], f"{place}, clear")} if "clear" in facts else {}
    return entry_of(result, place, name, **facts)


def entry_of(result: Result, place: str, name: str, **facts: Any) -> Entry:
    """Return a result with what is said of it, and what its facts and this installation know of its corpus."""
    known = {"system": name, "config": result.facts.data.name}
    with suppress(EecError):
        config = corpora.look_up(known["config"])
        known |= {"language": config.language, "review": config.review} if config else {}
    return Entry(place, result, **known | facts)


def _result(saved: Any, place: str) -> Result:
    try:
        return Result.from_dict(saved)
    except BiasError as error:
        raise BadResult(f"{place}: {error}") from error
