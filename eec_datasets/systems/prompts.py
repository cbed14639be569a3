"""Prompts as data: the ready sets, and TOML files of the same form."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from eec_bias.shared import grouped
from eec_datasets.errors import FileProblems, Place, Problem, Unavailable
from eec_datasets.given_file import read_given
from eec_datasets.systems.base import UNIT, Range, System
from eec_datasets.text_file import toml_of

READY: Final = Path(__file__).parent / "prompt_sets"
SLOT: Final = "{text}"
LENGTHS: Final = ("max_tokens", "max_completion_tokens")
TOKENS: Final = 32
"""Most tokens of an answer that holds a number."""

FORCED: Final[Mapping[str, Any]] = {
    "response_format": {
        "type": "json_schema",
        "json_schema": {
            "name": "score",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {"score": {"type": "number"}},
                "required": ["score"],
                "additionalProperties": False,
            },
        },
    }
}
"""Fields of a request that lets a server force the answer to be ``{"score": NUMBER}``."""

SHARED: Final = ("system", "read", "range", "labels", "request")
"""Keys that a prompt may have, or the file for all of them."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One way to ask for a score.

    Attributes
    ----------
    name
        Names the run.
    text, system
        What is asked, with ``{text}`` where the sentence goes; and the part before it, or empty.
    limits
        Lowest and highest number it asks for.
    labels
        Values by label, where the score is the mean value under the probabilities of labels; else empty.
    request
        Fields of the request; one that is false is left out.
    """

    name: str
    text: str
    system: str = ""
    limits: Range = UNIT
    labels: Mapping[str, float] = field(default_factory=dict)
    request: Mapping[str, Any] = field(default_factory=dict)

    def messages(self, text: str) -> list[dict[str, str]]:
        """Return what is said to the model of a sentence."""
        messages = [{"role": "system", "content": self.system}] if self.system else []
        return [*messages, {"role": "user", "content": self.text.replace(SLOT, text)}]

    def own_tokens(self) -> int:
        """Return the most tokens of an answer that is no label, where no server reads the request.

        Raises
        ------
        Unavailable
            The request holds a field that only a server heeds.
        """
        if foreign := [key for key in self.request if key not in LENGTHS]:
            raise Unavailable(
                f"prompt {self.name!r}: the request field {foreign[0]!r} is for servers (openai:MODEL) and would do "
                f"nothing here. Leave it out; {' and '.join(LENGTHS)} are heeded."
            )
        return int(next(filter(None, map(self.request.get, LENGTHS)), TOKENS))

    @property
    def preamble(self) -> str:
        """The part before the question for a model that has no chat template."""
        return f"{self.system}\n\n" if self.system else ""


@dataclass(frozen=True, slots=True)
class PromptSet:
    """Prompts for one task; scores of all are on one range."""

    score_range: Range
    prompts: Sequence[Prompt]


def ready() -> dict[str, list[str]]:
    """Return the languages of each ready set."""
    return grouped((name, language) for name, language in sorted(file.stem.split(".") for file in READY.glob("*.toml")))


def choose(name: str) -> tuple[Range, tuple[str, ...] | None, Callable[[str], PromptSet]]:
    """Return the range, the languages (None: any) and the prompts by language of a ready set or a file.

    Raises
    ------
    FileProblems
        There is neither a ready set nor a file of this name, or the file cannot be used.
    """
    languages = ready().get(name)
    if languages is None:
        prompts = read(Path(name))
        return prompts.score_range, None, lambda _: prompts

    def ready_in(language: str) -> PromptSet:
        if language not in languages:
            what = f"there are no ready prompts in '{language}'"
            fix = f"There are {', '.join(languages)}; write a file of prompts of your own"
            raise FileProblems(f"prompts {name}", [Problem(Place(name, 1), what, fix)])
        return read(file_of(name, language))

    return UNIT, tuple(languages), ready_in


SETS_MEAN = {"sentiment": "positive"}
"""Meaning of a high score, by ready set of prompts."""


def prompted(name: str, fingerprint: str, chosen: str, run: Callable[[Prompt, Range], System]) -> System:
    """Return a system that is asked by the prompts of a ready set or a file, each of which is a run.

    What is wrong with a file is said before anything is asked.

    Parameters
    ----------
    name, fingerprint
        Of the whole system.
    chosen
        The set or the file.
    run
        Makes the system that is asked by one prompt, from it and the range of the scores.
    """
    score_range, languages, prompts = choose(chosen)

    def runs(language: str) -> dict[str, System]:
        return {prompt.name: run(prompt, score_range) for prompt in prompts(language).prompts}

    if languages is None:
        runs("")
    return System(
        name,
        score_range=score_range,
        fingerprint=fingerprint,
        languages=languages,
        runs=runs,
        high_means=SETS_MEAN.get(chosen, ""),
    )


def file_of(name: str, language: str) -> Path:
    """Return the file of a ready set in a language, or the file itself."""
    return READY / f"{name}.{language}.toml" if name in ready() else Path(name)


def short_name(prompts: str) -> str:
    """Return the name of a set or a file as names of systems have it."""
    return prompts.replace("\\", "/").rpartition("/")[2].removesuffix(".toml")


def read(file: Path) -> PromptSet:
    """Read a file of prompts and check all of it.

    Raises
    ------
    FileProblems
        It cannot be read, or is not of the form; names everything that is wrong.
    """
    try:
        source = read_given(file).decode("utf-8")
        raw = toml_of(source)
    except (OSError, ValueError) as error:
        fix = f"Name a file, or one of the ready sets {', '.join(ready())}"
        what = f"cannot be read as TOML: {error.strerror if isinstance(error, OSError) else error}"
        raise FileProblems(f"prompts {file}", [Problem(Place(str(file), 1), what, fix)]) from error
    starts = [line for line, text in enumerate(source.splitlines(), 1) if text.strip() == "[[prompts]]"]
    line_of = dict(enumerate(starts))
    if faults := [Problem(Place(str(file), line_of.get(at, 1)), what, fix) for at, what, fix in _faults(raw)]:
        raise FileProblems(f"prompts {file}", faults)
    prompts = []
    for each in _merged(raw):
        low, high = map(float, each["range"])
        labels = each["labels"] if each.get("read") == "labels" else {}
        values = {label: float(value) for label, value in labels.items()}
        request = (FORCED if each.get("read") == "json" else {}) | each["request"]
        prompts.append(Prompt(each["name"], each["text"], each["system"], (low, high), values, request))
    low, high = map(float, raw.get("range", UNIT))
    if all(prompt.labels for prompt in prompts) and "range" not in raw:
        labelled = [value for prompt in prompts for value in prompt.labels.values()]
        low, high = min(labelled), max(labelled)
    return PromptSet((low, high), prompts)


def _merged(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what each prompt says, else the file for all of them."""
    shared = {"system": "", "range": UNIT, "request": {}} | {key: raw[key] for key in SHARED if key in raw}
    return [{"name": f"prompt {number}", **shared, **table} for number, table in enumerate(raw["prompts"], 1)]


def _faults(raw: Mapping[str, Any]) -> Iterator[tuple[int, str, str]]:
    """Say what is wrong and how to fix it, each with the number of the prompt, or -1 for the file."""
    tables = raw.get("prompts")
    if not isinstance(tables, list) or not tables or not all(isinstance(each, dict) for each in tables):
        tables = []
        yield -1, "there is no prompt", "Write at least one table [[prompts]] with name and text"
    for number, table in enumerate([raw, *tables], -1):
        known = ("about", "language", "prompts", *SHARED) if table is raw else ("name", "text", *SHARED)
        for key in table:
            if key not in known:
                yield number, f"the key {key!r} is not known", f"The known keys are {', '.join(known)}"
    prompts = _merged({**raw, "prompts": tables})
    for number, fields in enumerate(prompts):
        for what, fix in (*_odd_fields(fields), *_odd_labels(fields, raw.get("range"))):
            yield number, what, fix
        for other in prompts[:number]:
            if fields["name"] == other["name"]:
                yield number, f"two prompts are called {fields['name']!r}", "Give each prompt its own name"
            elif all(fields.get(key) == other.get(key) for key in ("system", "text", "request")):
                what = f"the prompts {other['name']!r} and {fields['name']!r} are alike"
                yield number, what, "Ask in another way, or leave one out"


def _odd_fields(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, (fits, fix) in FIELDS.items():
        if key in fields and not fits(fields[key]):
            yield f"{key} is {fields[key]!r}", fix
        elif key == "text" and (slots := str(fields.get(key, "")).count(SLOT)) != 1:
            yield f"the text holds {SLOT} {slots} times", f"Write {SLOT} once, where the sentence goes"


def _odd_labels(fields: Mapping[str, Any], limits: Any) -> Iterator[tuple[str, str]]:
    labels = fields.get("labels", {})
    if fields.get("read") != "labels":
        if "labels" in fields and "read" not in fields:
            yield "there are labels, and answers are read as numbers", 'Write read = "labels"'
        return
    values = labels.values() if isinstance(labels, dict) else []
    if not all(map(_is_number, values)) or len(set(values)) < 2:
        fix = "Write at least two labels with different numbers, such as {negative = 0, positive = 1}"
        yield f"labels are {labels!r}", fix
        return
    folded = [label.strip().casefold() for label in labels]
    if any(a.startswith(b) for a, b in itertools.permutations(folded, 2)):
        what = "a label is the beginning of another, or differs from it in case or spaces only"
        yield what, "Choose labels that begin differently, as only their first token is seen"
    for label, value in labels.items():
        if _is_range(limits) and not limits[0] <= value <= limits[1]:
            yield f"the value of label {label!r} is outside the range", "Change the value, or the range"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_range(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value)) and value[0] < value[1]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_request(value: object) -> bool:
    if not isinstance(value, dict) or {"model", "messages", "stream", "n"} & set(value):
        return False
    lengths = [value[key] for key in LENGTHS if value.get(key, False) is not False]
    return all(type(length) is int and length > 0 for length in lengths)


FIELDS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "name": (_is_text, "Write a text"),
    "text": (_is_text, "Write a text"),
    "system": (lambda value: isinstance(value, str), "Write a text"),
    "range": (_is_range, "Write two numbers, the lower first, such as [0, 1]"),
    "read": (("labels", "json", "number").__contains__, "Choose labels, json or number"),
    "request": (
        _is_request,
        f"Write fields of the request other than model, messages, stream and n; {' and '.join(LENGTHS)} are whole "
        "numbers from 1",
    ),
}
"""Keys of a prompt: what fits, what to write."""
