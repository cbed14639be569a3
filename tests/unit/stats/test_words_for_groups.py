"""Groups that one word says: the word is chosen, and neutral words say how far another would differ."""

import numpy as np
import pandas as pd
import pytest

from eec_bias import compare, measure

NOUNS = ("woman_man", "sister_brother", "aunt_uncle", "cousin", "neighbour", "colleague", "teacher", "doctor")
EMOTIONS = ("joy", "anger", "fear", "sadness")
NEUTRAL = tuple(f"neutral{number:02}" for number in range(24))


def phrases(levels=("young", "older"), neutral=NEUTRAL, items=20, said=None):
    """Rows of phrases: each noun, female and male, with every word on every item."""
    rows = []
    words = [(level, word) for level in levels for word in (said or {}).get(level, (level,))]
    words += [("unmarked", word) for word in neutral]
    for noun in NOUNS:
        for level, word in words:
            is_neutral = level == "unmarked"
            for gender in ("female", "male"):
                for item in range(items):
                    name = f"t{item % 5:02}/w{item}"
                    rows.append(
                        {
                            "person": f"{noun}-{word}-{gender}",
                            "person_type": "placebo" if is_neutral else "noun_phrase",
                            "age": level,
                            "gender": gender,
                            "item": name,
                            "pair": f"{name}/{noun}",
                            "emotion": EMOTIONS[item % 4],
                            "template": f"t{item % 5:02}",
                            "word": f"w{item}",
                            "family": noun,
                            "ending": "none",
                            "said": "none" if is_neutral else word,
                            "placebo": word if is_neutral else "none",
                        }
                    )
    return pd.DataFrame(rows)


def word_of(data):
    return np.where(data["placebo"] != "none", data["placebo"], data["said"])


def system(data, seed=0, sd=0.05, by_emotion=0.0, noise=0.01):
    """Scores in which each word has an effect of its own, on all sentences and by emotion."""
    rng = np.random.default_rng(seed)
    word, emotion = pd.factorize(word_of(data))[0], pd.factorize(data["emotion"])[0]
    own = rng.normal(0, sd, word.max() + 1)
    turned = rng.normal(0, by_emotion, (word.max() + 1, 4)) if by_emotion else np.zeros((word.max() + 1, 4))
    return 0.5 + own[word] + turned[word, emotion] + rng.normal(0, noise, len(data))


def row_of(result, term="age", emotion=None):
    return next(row for row in result.terms if (row.term, row.emotion) == (term, emotion))


def neutral_means(data, y):
    frame = data.assign(y=np.asarray(y))
    frame = frame[frame["placebo"] != "none"]
    return frame.groupby("placebo")["y"].mean()


def test_the_spread_of_neutral_words_is_added_for_each_level():
    data = phrases()
    y = system(data)
    row, alone = (
        row_of(measure(y, data)),
        row_of(measure(y[data["placebo"] == "none"], data[data["placebo"] == "none"])),
    )
    spread = neutral_means(data, y).var(ddof=1)
    assert row.se_words**2 == pytest.approx(2 * spread, rel=1e-9)
    assert row.effect == pytest.approx(alone.effect, rel=1e-12)
    assert row.n_sentences == alone.n_sentences


def test_degrees_of_freedom_are_satterthwaites():
    data = phrases()
    y = system(data, sd=0.02, noise=0.1)
    row = row_of(measure(y, data))
    of_words, rest = row.se_words**2, row.se**2 - row.se_words**2
    whole = phrases(neutral=[f"same{number}" for number in range(24)])
    alike = np.full(len(whole), 0.5)
    alike[(whole["placebo"] == "none").to_numpy()] = y[(data["placebo"] == "none").to_numpy()]
    plain = row_of(measure(alike, whole))
    assert rest == pytest.approx(plain.se**2, rel=1e-9)
    assert row.df == pytest.approx(row.se**4 / (rest**2 / plain.df + of_words**2 / 23), rel=1e-9)
    assert row.p > plain.p
    assert [note.key for note in plain.remarks] == ["neutral_words_alike"]
    assert row.remarks == ()


def test_a_finding_says_that_all_neutral_words_have_the_same_score():
    data = phrases()
    y = np.where(data["placebo"] == "none", system(data), 0.5)
    notes = {each.comparison.term: [note.key for note in each.notes] for each in measure(y, data).gaps}
    assert "neutral_words_alike" in notes["age"]
    assert "neutral_words_alike" not in notes["gender"]


def test_a_level_that_no_word_says_adds_nothing():
    data = phrases(levels=("older", "unstated"), said={"unstated": ("none",)})
    y = system(data)
    row = row_of(measure(y, data, reference={"age": "unstated"}))
    assert row.se_words**2 == pytest.approx(neutral_means(data, y).var(ddof=1), rel=1e-9)


def test_gender_over_all_levels_is_not_about_a_word():
    data = phrases()
    row = row_of(measure(system(data), data), "gender")
    assert row.se_words is None
    assert row.df > 2


def test_an_interaction_takes_what_neutral_words_do_to_it():
    data = phrases()
    y = system(data)
    frame = data.assign(y=y)[data["placebo"] != "none"]
    means = frame.groupby(["placebo", "gender"])["y"].mean().unstack()
    row = row_of(measure(y, data), "gender:age")
    assert row.se_words**2 == pytest.approx(2 * (means["female"] - means["male"]).var(ddof=1), rel=1e-9)


def test_an_emotion_takes_what_neutral_words_do_to_it():
    data = phrases()
    y = system(data, by_emotion=0.05)
    frame = data.assign(y=y)[data["placebo"] != "none"]
    means = frame.groupby(["placebo", "emotion"])["y"].mean().unstack()
    row = row_of(measure(y, data), "age:emotion", "joy")
    assert row.se_words**2 == pytest.approx(2 * (means["joy"] - means.mean(axis=1)).var(ddof=1), rel=1e-9)
    in_joy = row.in_emotion_se
    assert in_joy**2 >= 2 * means["joy"].var(ddof=1)


def test_deviations_from_the_mean_weigh_every_level():
    data = phrases(levels=("young", "middle", "older"))
    y = system(data)
    row = row_of(measure(y, data))
    assert row.reference == "mean"
    assert row.se_words**2 == pytest.approx(2 / 3 * neutral_means(data, y).var(ddof=1), rel=1e-9)


def test_words_alike_are_no_gap_found_more_often_than_promised():
    data = phrases()
    systems = {f"s{seed}": system(data, seed) for seed in range(300)}
    found = [row.p < 0.05 for row in measure(systems, data).terms if (row.term, row.emotion) == ("age", None)]
    assert 0.02 < np.mean(found) < 0.085


def test_emotions_that_words_turn_are_found_no_more_often_than_promised():
    data = phrases()
    systems = {f"s{seed}": system(data, seed, by_emotion=0.05) for seed in range(300)}
    rows = [row for row in measure(systems, data).terms if (row.term, row.emotion) == ("age:emotion", "any")]
    assert np.mean([row.p < 0.05 for row in rows]) < 0.085


def test_without_neutral_words_a_word_is_described():
    data = phrases(neutral=())
    y = system(data) + np.where(data["age"] == "older", 0.3, 0)
    result = measure(y, data)
    age, gender = (next(f for f in result.gaps if f.comparison.term == term) for term in ("age", "gender"))
    assert age.answer == "described"
    assert not age.found
    assert age.row.state == "described"
    by_item = data.assign(y=y).groupby(["word", "age"])["y"].mean().unstack()
    of_item = by_item["older"] - by_item["young"]
    assert age.gap == pytest.approx(of_item.mean())
    assert gender.answer != "described"


def test_a_described_row_is_tested_over_sentences_alone():
    data = phrases(neutral=())
    y = system(data, noise=0.05)
    data = data.drop(columns=["emotion", "word", "template"])
    data = data.assign(
        item=data["item"].str.replace("/", "-"), pair=[pair.replace("/w", "-w", 1) for pair in data["pair"]]
    )
    by_item = data.assign(y=y).groupby(["item", "age"])["y"].mean().unstack()
    of_item = by_item["older"] - by_item["young"]
    row = row_of(measure(y, data))
    effect_sign = 1 if row.level == "older" else -1
    assert row.effect == pytest.approx(effect_sign * of_item.mean())
    assert row.se == pytest.approx(of_item.std(ddof=1) / np.sqrt(len(of_item)))
    assert row.df == pytest.approx(len(of_item) - 1)


def test_two_neutral_words_are_too_few():
    data = phrases(neutral=NEUTRAL[:2])
    assert row_of(measure(system(data), data)).state == "described"


def test_a_level_of_several_wordings_is_their_mean():
    data = phrases(levels=("trans", "cis"), said={"trans": ("trans", "transgender"), "cis": ("cis", "cisgender")})
    y = system(data)
    frame = data.assign(y=y)
    means = frame[frame["placebo"] == "none"].groupby(["age", "said"])["y"].mean()
    row = row_of(measure(y, data, reference={"age": "cis"}))
    assert row.effect == pytest.approx(means["trans"].mean() - means["cis"].mean(), rel=1e-9)
    neutral = neutral_means(data, y).var(ddof=1)
    added = sum(max(neutral, means[level].var(ddof=1)) / 2 for level in ("trans", "cis"))
    assert row.se_words**2 == pytest.approx(added, rel=1e-9)
    assert row.notes == ()


def test_runs_and_comparisons_know_neutral_words():
    data = phrases()
    y = system(data)
    assert row_of(measure([y, y + 0.01], data, runs=["a", "b"])).se_words == pytest.approx(
        row_of(measure(y, data)).se_words
    )
    other = system(data, seed=1)
    spread = neutral_means(data, y - other).var(ddof=1)
    compared = row_of(compare(y, other, data))
    assert compared.se_words**2 == pytest.approx(2 * spread, rel=1e-9)


def test_the_ratio_of_rates_takes_what_neutral_words_do_to_it():
    data = phrases()
    y = system(data, sd=0.1, noise=0.3)
    rates = measure(y, data, rate_above=0.5, score_range=(-3, 3)).rates
    row = next(row for _, row in rates.iterrows() if (row["axes"], row["reference"]) == ("age", "young"))
    rates_of = rates[rates["axes"] == "age"].set_index("group")["rate"]
    above = neutral_means(data, y > 0.5)
    of_log = above.var(ddof=1) * (rates_of["older"] ** -2 + rates_of["young"] ** -2)
    assert row["ratio_low"] < row["ratio"] * np.exp(-1.96 * np.sqrt(of_log))
    assert row["ratio_high"] > row["ratio"] * np.exp(1.96 * np.sqrt(of_log))
    assert row["ratio_high"] < row["ratio"] * np.exp(2.5 * np.sqrt(of_log))


def test_missing_scores_of_neutral_words_are_left_out():
    data = phrases()
    y = system(data, noise=0.0)
    whole = row_of(measure(y, data)).se_words
    y[np.flatnonzero(data["placebo"] != "none")[:5]] = np.nan
    assert row_of(measure(y, data)).se_words == pytest.approx(whole, rel=0.05)


def test_neutral_words_change_no_mean_of_an_emotion():
    data = phrases()
    y = system(data) + np.where(data["placebo"] != "none", 0.2, 0)
    named = (data["placebo"] == "none").to_numpy()
    assert measure(y, data).emotions == measure(y[named], data[named]).emotions


def test_a_table_in_an_engine_knows_neutral_words():
    duckdb = pytest.importorskip("duckdb")
    data = phrases()
    frame = data.assign(y=system(data))
    relation = duckdb.from_df(frame)
    assert row_of(measure("y", relation)).se_words == pytest.approx(row_of(measure(frame["y"], data)).se_words)


def test_sensitivity_keeps_what_words_add():
    data = phrases()
    y = system(data, noise=0.001)
    result = measure(y, data)
    left = result.sensitivity()
    p = left[(left["term"] == "age") & (left["kind"] == "name")]["p"]
    assert (abs(p - row_of(result).p) < 0.05).all()


def test_reactions_to_a_group_that_one_word_says_are_no_question():
    data = phrases()
    asked = {question.term for question in measure(system(data), data).plan.second}
    assert {"gender:reaction", "age:emotion"} <= asked
    assert "age:reaction" not in asked
