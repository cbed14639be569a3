"""A system averaged over names: what it takes away, what remains, and what it refuses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import eec
from synthetic import row_of

import eec_bias
import eec_datasets
from eec_bias import OptionError, ScoresError, average_over_names
from eec_datasets.systems.registry import open_system

WORTH = {"Emily": 0.2, "Ebony": 0.6, "Adam": 0.4, "Jamel": 0.8}


def by_name(texts: list[str]) -> list[float]:
    """A system that looks at names alone."""
    return [next((worth for name, worth in WORTH.items() if name in text), 0.5) for text in texts]


def test_a_text_gets_the_mean_over_all_names() -> None:
    assert average_over_names(by_name, list(WORTH))(["Emily feels angry."]) == pytest.approx([0.5])


def test_names_are_exchanged_within_their_group() -> None:
    genders = {"Emily": "female", "Ebony": "female", "Adam": "male", "Jamel": "male"}
    averaged = average_over_names(by_name, genders)
    assert averaged(["Emily feels angry.", "Jamel feels angry."]) == pytest.approx([0.4, 0.6])


def test_names_that_are_looked_for_need_not_be_put_in() -> None:
    averaged = average_over_names(by_name, ["Emily", "Adam"], find=list(WORTH))
    assert averaged(["Jamel feels angry."]) == pytest.approx([0.3])


def test_a_text_without_a_name_keeps_its_score() -> None:
    averaged = average_over_names(by_name, list(WORTH))
    assert averaged(["My sister feels angry."]) == [0.5]
    assert averaged.counts == {"averaged": 0, "without": 1, "several": 0}


def test_a_text_with_two_names_keeps_its_score_and_is_counted() -> None:
    averaged = average_over_names(by_name, list(WORTH))
    assert averaged(["Emily saw Adam."]) == [0.2]
    assert averaged.counts["several"] == 1


def test_a_name_within_a_word_is_none() -> None:
    averaged = average_over_names(by_name, ["Adam", "Emily"])
    averaged(["Adamant as ever."])
    assert averaged.counts["without"] == 1


def test_a_name_is_replaced_wherever_it_stands() -> None:
    seen: list[str] = []

    def note(texts: list[str]) -> list[float]:
        seen.extend(texts)
        return [0.5] * len(texts)

    average_over_names(note, ["Ann", "Eve"])(["Ann told Ann's boss."])
    assert seen == ["Ann told Ann's boss.", "Eve told Eve's boss."]


def test_sentences_that_differ_in_the_name_are_scored_once() -> None:
    calls: list[int] = []

    def count(texts: list[str]) -> list[float]:
        calls.append(len(texts))
        return by_name(texts)

    average_over_names(count, list(WORTH))([f"{name} feels angry." for name in WORTH])
    assert calls == [4]


def test_what_it_did_is_said() -> None:
    averaged = average_over_names(by_name, list(WORTH))
    averaged(["Emily left.", "She left."])
    assert str(averaged).startswith("mean over 4 names in 1 group; of 2 texts scored, 1 have one of the 4 names")


@pytest.fixture(scope="module")
def audited() -> tuple[Any, Any]:
    """VADER on an English corpus, as it is and averaged within genders."""
    vader = pytest.importorskip("vaderSentiment.vaderSentiment", reason="needs the extra demo")
    analyse = vader.SentimentIntensityAnalyzer()

    def score(texts: list[str]) -> list[float]:
        return [(analyse.polarity_scores(text)["compound"] + 1) / 2 for text in texts]

    data = eec_datasets.load("en-black-white")
    named = data.filter(lambda row: row["person_type"] == "name")
    genders = dict(zip(named["person_form"], named["gender"], strict=True))
    averaged = average_over_names(score, genders)
    return eec_bias.measure(score(data["text"]), data), eec_bias.measure(averaged(data["text"]), data)


def persons_of(result: Any) -> float:
    return float(np.max([cell["sd_persons"] for cell in result.cells if cell["subset"] == "names"]))


def test_the_spread_between_the_names_of_a_real_system_is_gone(audited: tuple[Any, Any]) -> None:
    before, after = audited
    assert persons_of(before) > 0.05
    assert persons_of(after) < 1e-12


def test_no_difference_between_races_remains_on_listed_names(audited: tuple[Any, Any]) -> None:
    before, after = audited
    assert abs(row_of(before, "race").effect) > 0.01
    assert abs(row_of(after, "race").effect) < 1e-12


def test_what_names_of_a_gender_share_remains() -> None:
    data = eec_datasets.load("en-black-white")
    named = data.filter(lambda row: row["person_type"] == "name")
    genders = dict(zip(named["person_form"], named["gender"], strict=True))
    women = {name for name, gender in genders.items() if gender == "female"}
    averaged = average_over_names(
        lambda texts: [0.6 if any(word.strip(".'s") in women for word in text.split()) else 0.5 for text in texts],
        genders,
    )
    result = eec_bias.measure(averaged(named["text"]), named)
    assert row_of(result, "gender").effect == pytest.approx(0.1, abs=0.02)


REFUSALS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "one name": (["Ann"], {}, "a mean over names needs two"),
    "a text": ("Ann", {}, "expected a list of names"),
    "no names": ([], {}, "names is empty"),
    "a blank name": (["Ann", " "], {}, "each a text that is not blank"),
    "a name twice": (["Ann", "Ann"], {}, "expected each name once"),
    "a group without names": (["Ann", "Eve"], {"find": {"Bob": "male"}}, "find has 'Bob' of the group 'male'"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_lists_of_names_that_cannot_be_used_are_refused(case: str) -> None:
    names, options, message = REFUSALS[case]
    with pytest.raises(OptionError, match=message):
        average_over_names(by_name, names, **options)


def test_one_text_instead_of_a_list_is_refused() -> None:
    with pytest.raises(ScoresError, match="expected a list of texts"):
        average_over_names(by_name, list(WORTH))("Emily left.")


def test_a_system_that_loses_scores_is_refused() -> None:
    with pytest.raises(ScoresError, match="returned 1 scores for 4 texts"):
        average_over_names(lambda _: [0.5], list(WORTH))(["Emily left."])


def test_an_averaged_system_is_audited_by_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "import eec_bias, eec_datasets",
        "data = eec_datasets.load('en-sample').filter(lambda row: row['person_type'] == 'name')",
        "def score(texts):",
        "    return [len(text) / 200 for text in texts]",
        "averaged = eec_bias.average_over_names(score, sorted(set(data['person_form'])))",
    ]
    (tmp_path / "calm.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = eec("audit", "--system", "calm:averaged", "--config", "en-sample", "--no-report", "--out", "out")
    assert done.exit_code == 0, done.output
    assert "calm:averaged" in done.stdout


@pytest.fixture(scope="module")
def encoder() -> tuple[Any, dict[str, str], Any]:
    """A sentence encoder with a trained head, a part of a corpus, and its names with their genders."""
    pytest.importorskip("wordllama", reason="needs the extra demo")
    system = open_system("wordllama")
    data = eec_datasets.load("en-black-white-100", names=20, items=24)
    named = data.filter(lambda row: row["person_type"] == "name")
    genders = dict(zip(named["person_form"], named["gender"], strict=True))

    def score(texts: list[str]) -> list[float]:
        batch = {"id": [str(number) for number in range(len(texts))], "text": texts}
        return list(system.scorer(batch))

    return score, genders, data


def spread_of(score: Any, data: Any) -> list[float]:
    result = eec_bias.measure(score(data["text"]), data)
    return [round(cell["sd_persons"], 3) for cell in result.cells if cell["subset"] == "names"]


def test_an_encoder_tells_names_apart_until_it_is_averaged(encoder: tuple[Any, dict[str, str], Any]) -> None:
    score, genders, data = encoder
    before, after = spread_of(score, data), spread_of(average_over_names(score, genders), data)
    assert 0.08 < min(before) < max(before) < 0.12
    assert after == [0, 0, 0, 0]


def test_names_that_are_not_on_the_list_keep_their_spread(encoder: tuple[Any, dict[str, str], Any]) -> None:
    score, genders, data = encoder
    every_second = {name: genders[name] for name in list(genders)[::2]}
    averaged = average_over_names(score, every_second)
    assert min(spread_of(averaged, data)) > 0.06
    assert averaged.counts == {"averaged": 960, "without": 1440, "several": 0}


def test_averaging_within_genders_leaves_the_difference_between_them(encoder: tuple[Any, dict[str, str], Any]) -> None:
    score, genders, data = encoder
    before, after = (eec_bias.measure(each(data["text"]), data) for each in (score, average_over_names(score, genders)))
    assert row_of(after, "gender").effect == pytest.approx(row_of(before, "gender").effect, abs=1e-9)
