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
from typing import TYPE_CHECKING, Any

from jinja2 import StrictUndefined, TemplateSyntaxError, nodes
from jinja2.sandbox import SandboxedEnvironment

from eec_datasets.errors import RenderError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from eec_datasets.locale.grammar import Grammar

OPEN, CLOSE = "\ue000", "\ue001"
MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")
UNSEEN = {"'raw'": re.compile(r"\{%[-+]?\s*raw\b"), "a comment": re.compile(r"\{#")}
STATEMENTS = {
    "FromImport": "from … import",
    "CallBlock": "call",
    "FilterBlock": "filter",
    "AssignBlock": "set",
    "Assign": "set",
    "ScopedEvalContextModifier": "autoescape",
    "EvalContextModifier": "autoescape",
}
EXPRESSIONS = {
    "Getattr": "an attribute of an attribute", "Getitem": "a subscript", "Call": "a call", "Const": "a constant",
    "CondExpr": "a condition", "Test": "a test",
}  # fmt: skip
ALLOWED = "Allowed: {{ person.ROLE }}, {{ noun.NAME }}, {{ WORD }}, {{ WORD | agree(CONTROLLER) }}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """One `{{ word | agree(controller, feature="value") }}`: who agrees with whom."""

    word: str
    controller: str | None
    fixed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Slots:
    """What a template text refers to, and what is wrong with it (pairs of what, how to mend it)."""

    problems: tuple[tuple[str, str], ...] = ()
    roles: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    agreements: tuple[Agreement, ...] = ()


class _Refused(Exception):
    """A node that the template language does not have."""


def parts_of(text: str) -> tuple[str | tuple[str, str] | Agreement, ...]:
    """A template text that `slots_of` has passed, in order: plain text, (``person``, role), (``noun``, name), words."""
    parts: list[str | tuple[str, str] | Agreement] = []
    outputs = [node for node in _environment().parse(text).body if isinstance(node, nodes.Output)]
    for part in (part for output in outputs for part in output.nodes):
        if isinstance(part, nodes.TemplateData):
            parts.append(part.data)
        elif isinstance(part, nodes.Getattr) and isinstance(part.node, nodes.Name):
            parts.append((part.node.name, part.attr))
        else:
            parts.append(_read_agreement(part))
    return tuple(parts)


def _read_agreement(node: nodes.Node) -> Agreement:
    if isinstance(node, nodes.Name):
        return Agreement(node.name, None, {})
    assert isinstance(node, nodes.Filter)
    assert isinstance(node.node, nodes.Name)
    fixed = {str(pair.key): str(pair.value.value) for pair in node.kwargs if isinstance(pair.value, nodes.Const)}
    if not node.args:
        return Agreement(node.node.name, None, fixed)
    controller = node.args[0]
    if isinstance(controller, nodes.Getattr):
        return Agreement(node.node.name, f"noun.{controller.attr}", fixed)
    assert isinstance(controller, nodes.Name)
    return Agreement(node.node.name, controller.name, fixed)


def slots_of(text: str, words: Collection[str], grammar: Grammar, *, with_person: bool = True) -> Slots:
    """Parse a template text and check every expression against the locale.

    Parameters
    ----------
    words : names of the words the text may use (function words and the emotion word).
    with_person : whether ``{{ person.ROLE }}`` is allowed (not inside a person's own cell).
    """
    problems: list[tuple[str, str]] = []
    roles: list[str] = []
    nouns: list[str] = []
    agreements: list[Agreement] = []
    try:
        body = _environment().parse(text).body
    except TemplateSyntaxError as error:
        return Slots(problems=((f"template syntax: {error.message}", "Check the braces {{ … }} and quotes"),))
    except RecursionError:
        return Slots(problems=(("an expression nested too deeply to be read", ALLOWED),))
    problems += [(f"the template uses {what}", ALLOWED) for what, sign in UNSEEN.items() if sign.search(text)]
    for expression in _expressions(body, problems):
        try:
            if isinstance(expression, nodes.Getattr) and isinstance(expression.node, nodes.Name):
                owner, name = expression.node.name, expression.attr
                _known_attribute(owner, name, grammar, with_person)
                (roles if owner == "person" else nouns).append(name)
            else:
                agreements.append(_agreement(expression, words, grammar, with_person))
        except _Refused as refusal:
            what, mend = refusal.args
            problems.append((what, mend))
    return Slots(tuple(problems), tuple(roles), tuple(nouns), tuple(agreements))


def _expressions(body: list[nodes.Node], problems: list[tuple[str, str]]) -> Iterator[nodes.Node]:
    for node in body:
        if not isinstance(node, nodes.Output):
            problems.append(
                (f"the template uses '{STATEMENTS.get(type(node).__name__, type(node).__name__.lower())}'", ALLOWED)
            )
            continue
        for part in node.nodes:
            if isinstance(part, nodes.TemplateData):
                if "{" in part.data or "}" in part.data:
                    problems.append(("a single brace in the text", "Slots have two: {{ person.nom }}"))
            else:
                yield part


def _known_attribute(owner: str, name: str, grammar: Grammar, with_person: bool) -> None:
    known = {"person": grammar.roles if with_person else (), "noun": grammar.nouns}.get(owner)
    if known is None:
        raise _Refused(f"'{owner}.{name}' reaches an attribute it may not", ALLOWED)
    if name not in known:
        raise _Refused(f"'{owner}.{name}' is not defined", f"Defined in locale.toml: {', '.join(known) or 'none'}")


def _agreement(node: nodes.Node, words: Collection[str], grammar: Grammar, with_person: bool) -> Agreement:
    if isinstance(node, nodes.Name):
        return Agreement(_known_word(node.name, words), None, {})
    if not isinstance(node, nodes.Filter) or node.name != "agree" or not isinstance(node.node, nodes.Name):
        raise _Refused(f"{_called(node)} is not part of the template language", ALLOWED)
    word = _known_word(node.node.name, words)
    if len(node.args) > 1 or node.dyn_args is not None or node.dyn_kwargs is not None:
        raise _Refused(f"'{word}' names {len(node.args)} controllers", "A word agrees with one: agree(person)")
    fixed: dict[str, str] = {}
    for pair in node.kwargs:
        name = str(pair.key)
        if name in fixed:
            raise _Refused(f"'{word}' fixes {name} twice", "Leave one")
        value = pair.value.value if isinstance(pair.value, nodes.Const) else None
        if value not in grammar.features.get(name, ()):
            raise _Refused(
                f"'{word}' fixes {name}={value!r}",
                f"Values of {name}: {', '.join(grammar.features.get(name, ())) or 'no such feature'}",
            )
        fixed[name] = str(value)
    controller = _controller(node.args[0], words, grammar, with_person) if node.args else None
    if controller is None and not fixed:
        raise _Refused(
            f"'{word} | agree()' names no controller",
            "Write agree(person), agree(speaker) or agree(noun.NAME)",
        )
    return Agreement(word, controller, fixed)


def _called(node: nodes.Node) -> str:
    if isinstance(node, nodes.Filter):
        return "'agree' after something that is no word" if node.name == "agree" else f"the filter '{node.name}'"
    return EXPRESSIONS.get(type(node).__name__, f"a {type(node).__name__.lower()} expression")


def _known_word(name: str, words: Collection[str]) -> str:
    if name not in words:
        raise _Refused(f"'{name}' is not a word of this template", f"Words: {', '.join(sorted(words)) or 'none'}")
    return name


def _controller(node: nodes.Node, words: Collection[str], grammar: Grammar, with_person: bool) -> str:
    if isinstance(node, nodes.Name) and (node.name == "person" or node.name in words):
        return node.name
    if not with_person:
        raise _Refused(f"{_written(node)} is no controller here", "In a person's cell a word agrees with person")
    if isinstance(node, nodes.Name) and node.name == "speaker":
        return node.name
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == "noun":
        _known_attribute("noun", node.attr, grammar, True)
        return f"noun.{node.attr}"
    mend = "Controllers: person, speaker, noun.NAME, a word of the template"
    raise _Refused(f"{_written(node)} is no controller", mend)


def _written(node: nodes.Node) -> str:
    """An expression as the template has it, as far as a message needs it."""
    if isinstance(node, nodes.Name):
        return f"'{node.name}'"
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        return f"'{node.node.name}.{node.attr}'"
    return repr(node.value) if isinstance(node, nodes.Const) else _called(node)


@dataclass(frozen=True, slots=True)
class Controller:
    """What a word agrees with, as templates see it: features, its form, and for persons marks in place of forms."""

    gram: Mapping[str, str]
    marks: Mapping[str, str] | None = None
    form: str = ""

    def __str__(self) -> str:
        return self.form

    def __getitem__(self, name: str) -> str:
        if self.marks is None or name not in self.marks:
            raise RenderError(f"the template asks for '{name}', which is not there")
        return self.marks[name]


@dataclass(frozen=True, slots=True)
class Inflecting:
    """A word as templates see it: `choose` maps features to the text (or mark) to put in."""

    choose: Any
    gram: Mapping[str, str]

    def __str__(self) -> str:
        return str(self.choose({}))


def _agree(word: Inflecting, controller: Controller | Inflecting | None = None, **fixed: str) -> str:
    features = {**(controller.gram if controller is not None else {}), **fixed}
    return str(word.choose(features))


@lru_cache(maxsize=1)
def _environment() -> SandboxedEnvironment:
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
    environment.filters["agree"] = _agree
    return environment


@lru_cache(maxsize=4096)
def compiled(text: str) -> Any:
    """The compiled template (checked before by `slots_of`)."""
    return _environment().from_string(text)
