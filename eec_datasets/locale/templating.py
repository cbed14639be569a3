"""The template language: Jinja2, sandboxed and strict, cut down to what a sentence needs.

A contributed template is untrusted input. Only these expressions are let through:

``{{ person.ROLE }}``               the person, in one of the locale's roles
``{{ noun.NAME }}``                 a fixed noun of the locale
``{{ WORD }}``                      a word that does not inflect here
``{{ WORD | agree(CONTROLLER) }}``  a word that agrees

CONTROLLER is ``person``, ``speaker``, ``noun.NAME`` or a word of the template; features that the construction fixes are
named, as in ``agree(person, case="instr")``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from jinja2 import StrictUndefined, TemplateSyntaxError, nodes
from jinja2.sandbox import SandboxedEnvironment

from eec_datasets.errors import RenderError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from eec_datasets.locale.model import Locale, Noun

LONGEST = 1000
"""Characters of a template text; a sentence is shorter, and a longer text costs time and pages of problems."""

WORD = re.compile(r"[^\W\d_]+(?:[\u064B-\u0652\u0670]|[^\W\d_])*")
STATEMENT = re.compile(r"\{%[-+]?\s*(?!end|el)(\w+)|\{#")
"""Start of a statement, except of one that continues or ends another; or of a comment."""
TAKEN = ("person", "speaker", "noun", "self", "super", "loop", "caller", "true", "false", "none")
"""Names that stand for something in the text of a template, so that no word of one and no identity axis has them."""
EXPRESSIONS = {
    "Getattr": "an attribute of an attribute",
    "Getitem": "a subscript",
    "Call": "a call",
    "Const": "a constant",
    "CondExpr": "a condition",
    "Test": "a test",
}
"""Expressions that templates may not have: Jinja2's class → its name in messages."""
ALLOWED = "Allowed: {{ person.ROLE }}, {{ noun.NAME }}, {{ WORD }}, {{ WORD | agree(CONTROLLER) }}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """One `{{ word | agree(controller, feature="value") }}`: who agrees with whom."""

    word: str
    controller: str | None
    fixed: Mapping[str, str]


Part: TypeAlias = "str | tuple[str, str] | Agreement"
"""Plain text, (``person``, role) or (``noun``, name), or a word."""


@dataclass(frozen=True, slots=True)
class Slots:
    """The parts of a template's text, and its problems (pairs of the problem and its cure)."""

    parts: tuple[Part, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()

    def named(self, owner: str) -> tuple[str, ...]:
        """The roles (of ``person``) or nouns (of ``noun``) that the text shows."""
        return tuple(part[1] for part in self.parts if isinstance(part, tuple) and part[0] == owner)

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """The words that the text shows."""
        return tuple(part for part in self.parts if isinstance(part, Agreement))


class _Refused(Exception):
    """A node that the template language does not have."""


@lru_cache(maxsize=4096)
def read_slots(text: str) -> Slots:
    """The slots of a template text, whatever they name, and what no template may have."""
    if len(text) > LONGEST:
        return Slots(problems=((f"a text of {len(text):,} characters", f"Write one sentence, of {LONGEST:,} at most"),))
    try:
        body = _environment().parse(text).body
    except TemplateSyntaxError as error:
        message = str(error.message).rstrip(".").replace("end of print statement", "}}")
        return Slots(problems=((f"template syntax: {message}", "Check the braces {{ … }} and quotes"),))
    except RecursionError:
        return Slots(problems=(("an expression nested too deeply to be read", ALLOWED),))
    used = dict.fromkeys(f"'{match[1]}'" if match[1] else "a comment" for match in STATEMENT.finditer(text))
    problems = [(f"the template uses {each}", ALLOWED) for each in used]
    parts = []
    for node in (node for output in body if isinstance(output, nodes.Output) for node in output.nodes):
        try:
            parts.append(_part(node))
        except _Refused as refusal:
            message, fix = refusal.args
            problems.append((message, fix))
    return Slots(tuple(parts), tuple(problems))


def nouns_in(texts: Iterable[str]) -> set[str]:
    """The fixed nouns that template texts show or agree with."""
    parts = [part for text in texts for part in read_slots(text).parts]
    nouns = {part[1] for part in parts if isinstance(part, tuple) and part[0] == "noun"}
    controllers = {str(part.controller) for part in parts if isinstance(part, Agreement)}
    return nouns | {name.removeprefix("noun.") for name in controllers if name.startswith("noun.")}


def words_in(texts: Iterable[str]) -> set[str]:
    """The words of texts beside what stands in their slots, as they are written and without al-."""
    texts_between = (part for text in texts for part in parts_of(text) if isinstance(part, str))
    words = {word for part in texts_between for word in WORD.findall(part)}
    return words | {word.removeprefix("ال") for word in words}


def parts_of(text: str) -> tuple[Part, ...]:
    """The parts of a template text that `slots_of` has passed, in order."""
    return read_slots(text).parts


def slots_of(text: str, words: Collection[str], locale: Locale, *, with_person: bool = True) -> Slots:
    """Parse a template text and check every expression against the locale.

    Parameters
    ----------
    words : names of the words the text may use (function words and the emotion word).
    with_person : whether ``{{ person.ROLE }}`` is allowed (not inside a person's own cell).
    """
    slots = read_slots(text)
    problems = list(slots.problems)
    for part in slots.parts:
        if isinstance(part, Agreement):
            problems += islice(_unknown(part, words, locale, with_person), 1)
        elif isinstance(part, tuple):
            roles = locale.roles if with_person else ()
            problems += _undefined(*part, roles if part[0] == "person" else locale.nouns)
    return Slots(slots.parts, tuple(problems))


def _undefined(owner: str, name: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    if name not in names:
        yield f"'{owner}.{name}' is not defined", f"Defined in locale.toml: {', '.join(names) or 'none'}"


def _unknown(
    agreement: Agreement, words: Collection[str], locale: Locale, with_person: bool
) -> Iterator[tuple[str, str]]:
    """Yield what an agreement names that is not there."""
    word, controller = agreement.word, agreement.controller
    if word not in words:
        fix = "Write {{ person.nom }}, or another role. " if word == "person" and with_person else ""
        yield f"'{word}' is not a word of this template", f"{fix}Words: {', '.join(sorted(words)) or 'none'}"
    for name, value in agreement.fixed.items():
        values = locale.features.get(name, ())
        if value not in values:
            yield f"'{word}' fixes {name}={value!r}", f"Values of {name}: {', '.join(values) or 'no such feature'}"
    if controller is None or controller == "person" or controller in words:
        return
    written = f"'{controller}'" if controller.replace(".", "").isidentifier() else controller
    if not with_person:
        yield f"{written} is no controller here", "In a person's cell a word agrees with person"
    elif controller.startswith("noun."):
        yield from _undefined("noun", controller[5:], locale.nouns)
    elif controller != "speaker":
        value, fixes = controller.strip("'"), ["Controllers: person, speaker, noun.NAME, a word of the template"]
        if feature := locale.feature_of.get(value):
            fixes.insert(0, f'If it is the {feature}, write {feature}="{value}"')
        yield f"{written} is no controller", ". ".join(fixes)


def _part(node: nodes.Node) -> Part:
    if isinstance(node, nodes.TemplateData):
        if "{" in node.data or "}" in node.data:
            raise _Refused("a single brace in the text", "Slots have two: {{ person.nom }}")
        return node.data
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        if node.node.name not in ("person", "noun"):
            raise _Refused(f"'{node.node.name}.{node.attr}' reaches an attribute it may not", ALLOWED)
        return node.node.name, node.attr
    if isinstance(node, nodes.Name):
        return Agreement(node.name, None, {})
    if not isinstance(node, nodes.Filter) or node.name != "agree" or not isinstance(node.node, nodes.Name):
        raise _Refused(f"{_called(node)} is not part of the template language", ALLOWED)
    word = node.node.name
    if len(node.args) > 1 or node.dyn_args is not None or node.dyn_kwargs is not None:
        raise _Refused(f"'{word}' names {len(node.args)} controllers", "A word agrees with one: agree(person)")
    if not node.args and not node.kwargs:
        fix = "Write agree(person), agree(speaker) or agree(noun.NAME)"
        raise _Refused(f"'{word} | agree()' names no controller", fix)
    fixed: dict[str, Any] = {}
    for pair in node.kwargs:
        if pair.key in fixed:
            raise _Refused(f"'{word}' fixes {pair.key} twice", "Leave one")
        if not isinstance(pair.value, nodes.Const):
            what = f"'{word}' fixes {pair.key}={_written(pair.value)}, which is no text in quotes"
            raise _Refused(what, f'Write it as {pair.key}="…"')
        fixed[str(pair.key)] = pair.value.value
    return Agreement(word, _written(node.args[0]) if node.args else None, fixed)


def _called(node: nodes.Node) -> str:
    if isinstance(node, nodes.Filter):
        return "'agree' after something that is no word" if node.name == "agree" else f"the filter '{node.name}'"
    kind = type(node).__name__
    return str(EXPRESSIONS.get(kind, f"a {kind.lower()} expression"))


def _written(node: nodes.Node) -> str:
    """An expression as the template has it, as far as a message needs it."""
    if isinstance(node, nodes.Name):
        return str(node.name)
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        return f"{node.node.name}.{node.attr}"
    return repr(node.value) if isinstance(node, nodes.Const) else _called(node)


@dataclass(frozen=True, slots=True)
class Controller:
    """The speaker or a person, as templates see them: features, and for persons a form per role."""

    gram: Mapping[str, str]
    roles: Mapping[str, str] | None = None

    def __getitem__(self, name: str) -> str:
        if self.roles is None or name not in self.roles:
            raise RenderError(f"the template asks for '{name}', which is not there")
        return self.roles[name]


@dataclass(frozen=True, slots=True)
class TemplateWord:
    """A word as templates see it: `choose` maps features to the text (or mark) to put in."""

    choose: Callable[[Mapping[str, str]], str]
    gram: Mapping[str, str]

    def __str__(self) -> str:
        return self.choose({})


def _agree(word: TemplateWord, controller: Controller | TemplateWord | Noun | None = None, **fixed: str) -> str:
    return word.choose({**(controller.gram if controller is not None else {}), **fixed})


@lru_cache(maxsize=1)
def _environment() -> SandboxedEnvironment:
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
    environment.filters["agree"] = _agree
    return environment


@lru_cache(maxsize=4096)
def compiled(text: str) -> Any:
    """The compiled template (checked before by `slots_of`)."""
    return _environment().from_string(text)
