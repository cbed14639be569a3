"""The key of a server is shown and stored nowhere, in whatever form a server repeats it."""

import html
import json
import sqlite3
import urllib.parse
from contextlib import closing

import pytest
from serving_models import error, said

from eec_datasets.errors import SystemFailed, Unavailable
from eec_datasets.systems import wire
from eec_datasets.systems.base import Endpoint, SystemOptions
from eec_datasets.systems.corpus import open_corpus, part_of
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.scoring import score_corpus
from eec_datasets.systems.secret import hide, holds

KEY = "sk-Very_Secret+KEY/0123456789abcdef"
QUOTED = urllib.parse.quote(KEY, safe="")

FORMS = {
    "as it is": KEY,
    "upper case": KEY.upper(),
    "lower case": KEY.lower(),
    "without its last letter": KEY[:-1],
    "without its first letter": KEY[1:],
    "its second half": KEY[len(KEY) // 2 :],
    "quoted for an address": QUOTED,
    "quoted twice": urllib.parse.quote(QUOTED, safe=""),
    "quoted in lower case": QUOTED.lower(),
    "every letter quoted": "".join(f"%{ord(letter):02X}" for letter in KEY),
    "escaped as in JSON": "".join(f"\\u{ord(letter):04x}" for letter in KEY),
    "escaped once more": json.dumps("".join(f"\\u{ord(letter):04x}" for letter in KEY)),
    "one letter escaped": KEY.replace("V", "\\u0056"),
    "escaped as in JavaScript": "".join(f"\\u{{{ord(letter):x}}}" for letter in KEY),
    "escaped as in Python": "".join(f"\\x{ord(letter):02x}" for letter in KEY),
    "escaped as in HTML": html.escape(KEY).replace("+", "&#43;").replace("/", "&#x2F;"),
    "every letter as in HTML": "".join(f"&#{ord(letter)};" for letter in KEY),
    "broken in two lines": f"{KEY[:11]}\r\n  {KEY[11:]}",
    "broken by an escaped line end": f"{KEY[:11]}\\n{KEY[11:]}",
    "invisible marks in it": "\u200b".join(KEY),
    "spaced out": " ".join(KEY),
    "full width": "".join(chr(ord(letter) + 0xFEE0) for letter in KEY),
}


def has_piece(text, size=12):
    """Tell if a text has a piece of the key that a person could read off."""
    return any(KEY[start : start + size].lower() in text.lower() for start in range(len(KEY) - size + 1))


@pytest.mark.parametrize("form", FORMS)
def test_a_key_is_hidden_in_every_form(form):
    assert hide(f"Wrong key <{FORMS[form]}> given.", KEY) in ("Wrong key <[key]> given.", 'Wrong key <"[key]"> given.')
    assert hide(f"{FORMS[form]}{FORMS[form]}", KEY).replace("[key]", "").strip('"') == ""


def test_ordinary_text_is_left_as_it_is():
    text = 'No model "sk-very" is here (50% of 0.5).\\n Ask \\u00e9 &#233; sk-01234.'
    assert hide(text, KEY) == text
    assert hide("messages must not be empty", "EMPTY") == "messages must not be empty"
    assert hide("hunter2 is wrong, hunter22 too", "hunter2") == "[key] is wrong, hunter22 too"
    assert hide(text, "") == text


def test_a_reply_is_searched_everywhere_and_a_short_key_is_no_key():
    assert holds({"a": [{"b": ("x", {KEY.upper(): 1})}]}, KEY)
    assert holds({"a": [{"b": f"see {KEY[:-1]}"}]}, KEY)
    assert not holds({"model": KEY[:14]}, KEY)
    assert not holds({"a": ["my-local-model", 1, None]}, "my-local-model-key-2024")
    assert not holds(["EMPTY"], "EMPTY")


@pytest.fixture
def ask(model, tmp_path, store, monkeypatch):
    """Score three sentences with a key set; what is said of it, with all that is stored."""
    monkeypatch.setenv(wire.KEY, KEY)
    monkeypatch.setattr(wire, "ATTEMPTS", 2)
    (tmp_path / "mine.toml").write_text('[[prompts]]\nname = "one"\ntext = "Rate: {text}"\n')

    def run(reply):
        model.answer = lambda *_: reply
        system = open_system(
            "openai:tiny", SystemOptions(endpoint=Endpoint(base_url=model.url, prompts=str(tmp_path / "mine.toml")))
        )
        message = ""
        try:
            score_corpus(system, part_of(open_corpus("en-black-white"), range(3)), store)
        except SystemFailed as failed:
            message = str(failed)
        with closing(sqlite3.connect(store.path)) as base:
            return message, base.execute("SELECT * FROM answers").fetchall()

    return run


WHERE = {
    "an error": lambda form: error(400, f"The key {form} is wrong"),
    "an error that may pass": lambda form: error(500, f"The key {form} is wrong"),
    "an error beyond the first letters": lambda form: error(500, f"{'x' * 282}{form}"),
    "an error after many spaces": lambda form: error(400, f"a{' ' * 3960}{form}"),
    "an error after more spaces": lambda form: error(400, f"a{' ' * 19_980}{form}"),
    "a filtered error": lambda form: error(400, f"filtered {form}", code="content_filter"),
    "an error without a message": lambda form: (500, {"detail": form}, {}),
    "no completion": lambda form: (200, {"detail": form}, {}),
    "the answer": lambda form: said(f"0.5 {form}"),
    "the refusal": lambda form: said("", message={"refusal": f"No: {form}"}),
    "the model": lambda form: (200, {**said("0.5")[1], "model": form}, {}),
    "a token": lambda form: said("A", logprobs={"content": [{"top_logprobs": [{"token": form, "logprob": 0}]}]}),
}


@pytest.mark.parametrize("where", WHERE)
def test_no_form_of_a_key_is_said_or_stored(where, ask):
    for form in ("as it is", "upper case", "without its last letter", "quoted for an address", "every letter quoted"):
        message, stored = ask(WHERE[where](FORMS[form]))
        assert not has_piece(urllib.parse.unquote(message)), (form, message)
        assert not has_piece(urllib.parse.unquote(json.dumps(stored))), (form, stored)


@pytest.mark.parametrize("place", ["http://127.0.0.1/{}/v1", "http://127.0.0.1/v1#{}", "{}", "http://127.0.0.1:{}/v1"])
@pytest.mark.parametrize("form", ["as it is", "quoted for an address", "without its last letter"])
def test_an_address_with_the_key_is_refused_without_it(place, form, monkeypatch):
    monkeypatch.setenv(wire.KEY, KEY)
    with pytest.raises(Unavailable) as refused:
        open_system("openai:tiny", SystemOptions(endpoint=Endpoint(base_url=place.format(FORMS[form]))))
    assert not has_piece(urllib.parse.unquote(str(refused.value)))
