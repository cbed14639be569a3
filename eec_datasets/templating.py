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

    from eec_datasets.reading_grammar import Grammar

OPEN, CLOSE = "\ue000", "\ue001"
MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")
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
    for expression in _expressions(body, problems):
        try:
            if isinstance(expression, nodes.Getattr) and isinstance(expression.node, nodes.Name):
                owner, name = expression.node.name, expression.attr
                _known_attribute(owner, name, grammar, with_person)
                (roles if owner == "person" else nouns).append(name)
            else:
                agreements.append(_agreement(expression, words, grammar))
        except _Refused as refusal:
            what, mend = refusal.args
            problems.append((what, mend))
    return Slots(tuple(problems), tuple(roles), tuple(nouns), tuple(agreements))


def _expressions(body: list[nodes.Node], problems: list[tuple[str, str]]) -> Iterator[nodes.Node]:
    for node in body:
        if not isinstance(node, nodes.Output):
            problems.append((f"the template uses '{type(node).__name__.lower()}'", ALLOWED))
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


def _agreement(node: nodes.Node, words: Collection[str], grammar: Grammar) -> Agreement:
    if isinstance(node, nodes.Name):
        return Agreement(_known_word(node.name, words), None, {})
    if not isinstance(node, nodes.Filter) or node.name != "agree" or not isinstance(node.node, nodes.Name):
        what = (
            f"the filter '{node.name}'"
            if isinstance(node, nodes.Filter)
            else f"a {type(node).__name__.lower()} expression"
        )
        raise _Refused(f"{what} is not part of the template language", ALLOWED)
    word = _known_word(node.node.name, words)
    if len(node.args) > 1 or node.dyn_args is not None or node.dyn_kwargs is not None:
        raise _Refused(f"'{word}' names {len(node.args)} controllers", "A word agrees with one: agree(person)")
    fixed: dict[str, str] = {}
    for pair in node.kwargs:
        name = str(pair.key)
        value = pair.value.value if isinstance(pair.value, nodes.Const) else None
        if value not in grammar.features.get(name, ()):
            raise _Refused(
                f"'{word}' fixes {name}={value!r}",
                f"Values of {name}: {', '.join(grammar.features.get(name, ())) or 'no such feature'}",
            )
        fixed[name] = str(value)
    controller = _controller(node.args[0], words, grammar) if node.args else None
    if controller is None and not fixed:
        raise _Refused(
            f"'{word} | agree()' names no controller",
            "Write agree(person), agree(speaker) or agree(noun.NAME)",
        )
    return Agreement(word, controller, fixed)


def _known_word(name: str, words: Collection[str]) -> str:
    if name not in words:
        raise _Refused(f"'{name}' is not a word of this template", f"Words: {', '.join(sorted(words)) or 'none'}")
    return name


def _controller(node: nodes.Node, words: Collection[str], grammar: Grammar) -> str:
    if isinstance(node, nodes.Name) and (node.name in ("person", "speaker") or node.name in words):
        return node.name
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == "noun":
        _known_attribute("noun", node.attr, grammar, True)
        return f"noun.{node.attr}"
    raise _Refused("the controller is not one", "Controllers: person, speaker, noun.NAME, a word of the template")


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
