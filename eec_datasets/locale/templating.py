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
from typing import TYPE_CHECKING, Any, TypeAlias

from jinja2 import StrictUndefined, TemplateSyntaxError, nodes
from jinja2.sandbox import SandboxedEnvironment

from eec_datasets.errors import RenderError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from eec_datasets.locale.model import Locale

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


Part: TypeAlias = "str | tuple[str, str] | Agreement"
"""Plain text, (``person``, role) or (``noun``, name), or a word."""


@dataclass(frozen=True, slots=True)
class Slots:
    """What a template text is made of, and what is wrong with it (pairs of what, how to mend it)."""

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


class _Anything(dict[str, Any]):
    """A vocabulary that has every name."""

    def __contains__(self, key: object) -> bool:
        return True

    def get(self, *_: object) -> _Anything:
        return self


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What expressions may name; roles and the speaker only where the person is not the text's own owner."""

    words: Collection[str]
    roles: Collection[str]
    nouns: Collection[str]
    features: Mapping[str, Collection[str]]
    with_person: bool = True


_EVERY_NAME = _Vocabulary(_Anything(), _Anything(), _Anything(), _Anything())


@lru_cache(maxsize=4096)
def read_slots(text: str) -> Slots:
    """The slots of a template text that `slots_of` has passed."""
    return Slots(tuple(_part(node, _EVERY_NAME) for node in _outputs(_environment().parse(text).body, [])))


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
    try:
        body = _environment().parse(text).body
    except TemplateSyntaxError as error:
        return Slots(problems=((f"template syntax: {error.message}", "Check the braces {{ … }} and quotes"),))
    except RecursionError:
        return Slots(problems=(("an expression nested too deeply to be read", ALLOWED),))
    known = _Vocabulary(words, locale.roles if with_person else (), locale.nouns, locale.features, with_person)
    problems = [(f"the template uses {what}", ALLOWED) for what, sign in UNSEEN.items() if sign.search(text)]
    parts = []
    for node in _outputs(body, problems):
        try:
            parts.append(_part(node, known))
        except _Refused as refusal:
            what, mend = refusal.args
            problems.append((what, mend))
    return Slots(tuple(parts), tuple(problems))


def _outputs(body: list[nodes.Node], problems: list[tuple[str, str]]) -> Iterator[nodes.Node]:
    for node in body:
        if not isinstance(node, nodes.Output):
            kind = type(node).__name__
            problems.append((f"the template uses '{STATEMENTS.get(kind, kind.lower())}'", ALLOWED))
            continue
        yield from node.nodes


def _part(node: nodes.Node, known: _Vocabulary) -> Part:
    if isinstance(node, nodes.TemplateData):
        if "{" in node.data or "}" in node.data:
            raise _Refused("a single brace in the text", "Slots have two: {{ person.nom }}")
        return node.data
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        return _attribute(node.node.name, node.attr, known)
    return _agreement(node, known)


def _attribute(owner: str, name: str, known: _Vocabulary) -> tuple[str, str]:
    if owner not in ("person", "noun"):
        raise _Refused(f"'{owner}.{name}' reaches an attribute it may not", ALLOWED)
    names = known.roles if owner == "person" else known.nouns
    if name not in names:
        raise _Refused(f"'{owner}.{name}' is not defined", f"Defined in locale.toml: {', '.join(names) or 'none'}")
    return owner, name


def _agreement(node: nodes.Node, known: _Vocabulary) -> Agreement:
    if isinstance(node, nodes.Name):
        return Agreement(_word(node.name, known), None, {})
    if not isinstance(node, nodes.Filter) or node.name != "agree" or not isinstance(node.node, nodes.Name):
        raise _Refused(f"{_called(node)} is not part of the template language", ALLOWED)
    word = _word(node.node.name, known)
    if len(node.args) > 1 or node.dyn_args is not None or node.dyn_kwargs is not None:
        raise _Refused(f"'{word}' names {len(node.args)} controllers", "A word agrees with one: agree(person)")
    fixed = _fixed(word, node.kwargs, known)
    controller = _controller(node.args[0], known) if node.args else None
    if controller is None and not fixed:
        mend = "Write agree(person), agree(speaker) or agree(noun.NAME)"
        raise _Refused(f"'{word} | agree()' names no controller", mend)
    return Agreement(word, controller, fixed)


def _word(name: str, known: _Vocabulary) -> str:
    if name not in known.words:
        listed = ", ".join(sorted(known.words)) or "none"
        raise _Refused(f"'{name}' is not a word of this template", f"Words: {listed}")
    return name


def _fixed(word: str, pairs: list[nodes.Pair], known: _Vocabulary) -> dict[str, str]:
    """The features that the construction fixes."""
    fixed: dict[str, str] = {}
    for pair in pairs:
        name = str(pair.key)
        if name in fixed:
            raise _Refused(f"'{word}' fixes {name} twice", "Leave one")
        value = pair.value.value if isinstance(pair.value, nodes.Const) else None
        values = known.features.get(name, ())
        if value not in values:
            listed = ", ".join(values) or "no such feature"
            raise _Refused(f"'{word}' fixes {name}={value!r}", f"Values of {name}: {listed}")
        fixed[name] = str(value)
    return fixed


def _controller(node: nodes.Node, known: _Vocabulary) -> str:
    if isinstance(node, nodes.Name) and (node.name == "person" or node.name in known.words):
        return node.name
    if not known.with_person:
        raise _Refused(f"{_written(node)} is no controller here", "In a person's cell a word agrees with person")
    if isinstance(node, nodes.Name) and node.name == "speaker":
        return node.name
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == "noun":
        return ".".join(_attribute("noun", node.attr, known))
    mend = "Controllers: person, speaker, noun.NAME, a word of the template"
    raise _Refused(f"{_written(node)} is no controller", mend)


def _called(node: nodes.Node) -> str:
    if isinstance(node, nodes.Filter):
        return "'agree' after something that is no word" if node.name == "agree" else f"the filter '{node.name}'"
    return EXPRESSIONS.get(type(node).__name__, f"a {type(node).__name__.lower()} expression")


def _written(node: nodes.Node) -> str:
    """An expression as the template has it, as far as a message needs it."""
    if isinstance(node, nodes.Name):
        return f"'{node.name}'"
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        return f"'{node.node.name}.{node.attr}'"
    return repr(node.value) if isinstance(node, nodes.Const) else _called(node)


@dataclass(frozen=True, slots=True)
class Controller:
    """What a word agrees with, as templates see it: features, its form, and for persons a form per role."""

    gram: Mapping[str, str]
    roles: Mapping[str, str] | None = None
    form: str = ""

    def __str__(self) -> str:
        return self.form

    def __getitem__(self, name: str) -> str:
        if self.roles is None or name not in self.roles:
            raise RenderError(f"the template asks for '{name}', which is not there")
        return self.roles[name]


@dataclass(frozen=True, slots=True)
class Inflecting:
    """A word as templates see it: `choose` maps features to the text (or mark) to put in."""

    choose: Callable[[Mapping[str, str]], str]
    gram: Mapping[str, str]

    def __str__(self) -> str:
        return self.choose({})


def _agree(word: Inflecting, controller: Controller | Inflecting | None = None, **fixed: str) -> str:
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
