"""Prompts as data: the ready sets, and files that are refused with all that is wrong in them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from snapshots import Snapshot

from eec_datasets.errors import BadPrompts
from eec_datasets.systems.prompts import READY, choose, read, ready

TASKS = ("emotion-intensity", "sentiment", "toxicity")


def test_there_are_eight_different_prompts_for_each_task_reading_and_language_all_from_0_to_1() -> None:
    assert ready() == {name + kind: ["ar", "en", "es"] for name in TASKS for kind in ("", "-labels")}
    for name, languages in ready().items():
        limits, known, of = choose(name)
        assert (limits, known) == ((0.0, 1.0), tuple(languages))
        for language in languages:
            prompts = of(language).prompts
            assert len({prompt.name for prompt in prompts}) == 8
            assert {prompt.limits for prompt in prompts} == {(0.0, 1.0)}
            assert {bool(prompt.labels) for prompt in prompts} == {name.endswith("-labels")}
            for one, other in combinations(prompts, 2):
                assert (one.system + one.text).casefold() != (other.system + other.text).casefold()
    for file in READY.iterdir():
        said = "not reviewed.\n" if ".en." in file.name else "not reviewed by a native speaker.\n"
        assert file.read_text(encoding="utf-8").partition("\n")[0].endswith(said.strip())


@pytest.mark.parametrize("name", [f"{task}-labels" for task in TASKS])
@pytest.mark.parametrize("language", ["ar", "en", "es"])
def test_ready_labels_are_letters_named_in_the_prompt_and_the_first_is_the_lowest_in_half_of_them(
    name: str, language: str
) -> None:
    prompts = choose(name)[2](language).prompts
    for prompt in prompts:
        assert "".join(prompt.labels) in ("ABC", "ABCDE")
        assert sorted(prompt.labels.values()) in ([0, 0.5, 1], [0, 0.25, 0.5, 0.75, 1])
        asked = re.findall(r"\b[A-Z]\b", prompt.system + prompt.text)
        assert set(asked) == set(prompt.labels)
    assert Counter(prompt.labels["A"] for prompt in prompts) == {0: 4, 1: 4}


GOOD = """
system = "Answer with a letter."
read = "labels"
labels = {A = -1, B = 0, C = 1}

[[prompts]]
name = "letters"
text = "A bad, B fair, C good: {text}"

[[prompts]]
name = "stars"
read = "number"
range = [1, 5]
text = "From 1 to 5: {text}"
request = {max_completion_tokens = 16}
"""


def test_a_prompt_has_what_it_says_and_else_what_the_file_says(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(GOOD)
    letters, stars = read(file).prompts
    assert (letters.labels, letters.system) == ({"A": -1.0, "B": 0.0, "C": 1.0}, "Answer with a letter.")
    assert (stars.labels, stars.limits, stars.request) == ({}, (1.0, 5.0), {"max_completion_tokens": 16})
    assert letters.messages("{text} {x}")[1] == {"role": "user", "content": "A bad, B fair, C good: {text} {x}"}
    assert read(file).score_range == (0.0, 1.0)
    file.write_text(GOOD.partition('[[prompts]]\nname = "stars"')[0])
    assert read(file).score_range == (-1.0, 1.0)


ONE = '[[prompts]]\nname = "one"\ntext = "Rate: {text}"\n'
BAD = {
    "no TOML": "text = Rate",
    "no prompt": 'about = "nothing"',
    "no slot": ONE.replace("{text}", "{sentence}"),
    "no text": '[[prompts]]\nname = "one"\n',
    "two slots": ONE.replace("{text}", "{text} {text}"),
    "two alike": ONE + ONE.replace('"one"', '"two"'),
    "one name twice": ONE + ONE.replace("Rate", "Judge"),
    "typing errors": 'reads = "number"\n' + ONE.replace("text =", "txt ="),
    "an odd range": "range = [1, 0]\n" + ONE,
    "an odd reading": 'read = "letters"\n' + ONE,
    "labels that are not read": "labels = {A = 0, B = 1}\n" + ONE,
    "one label": 'read = "labels"\nlabels = {A = 0}\n' + ONE,
    "a label without a number": 'read = "labels"\nlabels = {A = 0, B = "1"}\n' + ONE,
    "a label in another": 'read = "labels"\nlabels = {1 = 0, 10 = 1}\n' + ONE,
    "a value outside": 'read = "labels"\nrange = [0, 1]\nlabels = {A = 0, B = 5}\n' + ONE,
    "a model of its own": ONE + 'request = {model = "other"}\n',
    "everything": 'range = "wide"\n'
    + ONE.replace("{text}", "")
    + ONE.replace("{text}", "")
    + '[[prompts]]\nname = ""\n',
}


def test_everything_that_is_wrong_with_a_file_is_said_at_once(tmp_path: Path, snapshot: Snapshot) -> None:
    said = []
    for what, source in BAD.items():
        file = tmp_path / "mine.toml"
        file.write_text(source)
        with pytest.raises(BadPrompts) as error:
            read(file)
        said.append(f"{what}: {str(error.value).replace(str(tmp_path), 'FOLDER')}")
    for name, language in (("sentimental", "en"), ("sentiment", "fr")):
        with pytest.raises(BadPrompts) as error:
            choose(name)[2](language)
        said.append(f"{name} in {language}: {error.value}")
    snapshot.check("prompts-refused", "\n".join(said))
