"""A gap that the ending of a word makes is told on sentences whose words agree, and not on those that stay the same."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from eec_bias import compare, measure
from eec_bias.plan import plan_list

WORDS = {
    "joy": ("contento", "alegría"), "anger": ("enojado", "rabia"), "fear": ("asustado", "miedo"),
    "sadness": ("deprimido", "pena"),
}  # fmt: skip


NOUNS = ("aunt", "sister", "boss", "cook", "nurse", "baker")


def corpus(persons=10, races=("Anglo", "Latino"), templates=3, agree=True):
    """Rows of Spanish: each emotion has an adjective, which agrees, and a noun, which does not."""
    rows = []
    cells = product(races, ("female", "male"), range(persons))
    people = [(f"{race}{gender}{n}", race, gender, "") for race, gender, n in cells]
    people += [(f"{gender}{base}", "unmarked", gender, base) for base, gender in product(NOUNS, ("female", "male"))]
    for person, race, gender, base in people:
        for template in range(templates):
            for emotion, words in WORDS.items():
                for word in words:
                    form = word[:-1] + "a" if agree and word.endswith("ado") and gender == "female" else word
                    if word in ("contento", "deprimido") and agree and gender == "female":
                        form = word[:-1] + "a"
                    item = f"t{template:02}/{word}"
                    rows.append(
                        {
                            "person": person, "race": race, "gender": gender, "item": item, "word": word,
                            "word_form": form, "template": f"t{template:02}", "emotion": emotion,
                            "family": base or "none", "pair": f"{item}/{base}" if base else item,
                            "text": f"{person} {template} {form}",
                            "person_form": person,
                        }
                    )  # fmt: skip
    return pd.DataFrame(rows)


DATA = corpus()


def endings(data, seed=0, names=0.01, shift=-0.05):
    """Scores of a system that reads the ending of an adjective, and gives each name a bit of its own."""
    rng = np.random.default_rng(seed)
    person = rng.normal(0, names, 500)[pd.factorize(data["person"])[0]]
    feminine = data["word_form"] != data["word"]
    return np.asarray(0.5 + person + shift * feminine + rng.normal(0, 0.005, len(data)))


def gap_of(result, agreement, subset="names"):
    of_gender = [each for each in result.gaps if each.comparison.term == "gender" and each.comparison.subset == subset]
    return next(each for each in of_gender if each.comparison.agreement == agreement)


def test_gender_is_asked_apart_where_words_agree():
    plan = plan_list(DATA)
    assert len(plan.main) == 10
    apart = [each.id for each in plan.main if each.term == "gender"]
    assert apart == [
        "gender[female-male].names.same", "gender[female-male].names.agrees",
        "gender[female-male].pairs.same", "gender[female-male].pairs.agrees",
    ]  # fmt: skip
    assert len(plan_list(corpus(agree=False)).main) == 8


def test_a_class_has_the_numbers_of_its_items_alone():
    y = endings(DATA, names=0.03)
    result = measure(y, DATA)
    agrees = DATA["word"].isin([adjective for adjective, _ in WORDS.values()]).to_numpy()
    for agreement, chosen in (("agrees", agrees), ("same", ~agrees)):
        alone = measure(y[chosen], DATA[chosen].drop(columns="word_form"))
        for subset in ("names", "pairs"):
            row = gap_of(result, agreement, subset).row
            same = next(each for each in alone.overall if (each.term, each.subset) == ("gender", subset))
            numbers = ("effect", "se", "df", "p")
            assert [row[name] for name in numbers] == pytest.approx([same[name] for name in numbers], rel=1e-9)
            assert row.p_adjusted == pytest.approx(min(1, 20 * same.p))
            assert row.n_items == same.n_items


def test_the_row_over_all_items_stays_and_is_no_question():
    result = measure(endings(DATA), DATA)
    (whole,) = [row for row in result.overall if (row.term, row.subset, row.agreement) == ("gender", "names", None)]
    assert whole.p_adjusted is None
    assert result["gender_effect"] == whole.effect
    assert result["gender_agrees_effect"] == gap_of(result, "agrees").row.effect


@pytest.mark.parametrize("names", [0.0001, 0.003, 0.03])
def test_a_system_of_endings_is_told_where_words_agree_and_nowhere_else(names):
    systems = {f"s{seed}": endings(DATA, seed, names) for seed in range(60)}
    result = measure(systems, DATA)
    for subset in ("names", "pairs"):
        found = {"same": [], "agrees": []}
        for each in result.gaps:
            if each.comparison.term == "gender" and each.comparison.subset == subset:
                found[each.comparison.agreement].append(each.found)
        assert np.mean(found["same"]) <= 0.03
        if subset == "names":
            # Over 400 systems 1.00, 1.00 and .96.
            assert np.mean(found["agrees"]) >= 0.9


def test_a_system_that_knows_nobody_is_told_as_wording():
    feminine = DATA["word_form"] != DATA["word"]
    result = measure(0.5 - 0.05 * feminine, DATA)
    assert gap_of(result, "agrees").row.state == "wording"
    assert gap_of(result, "same").answer == "no_reaction"


def test_a_comparison_of_two_systems_asks_apart_too():
    result = compare(endings(DATA), endings(DATA, 1, shift=0.0), DATA)
    assert gap_of(result, "agrees").found
    assert not gap_of(result, "same").found


def test_a_printed_result_never_says_the_same_sentence_of_words_that_agree():
    said = " ".join(str(measure(endings(DATA), DATA)).split())
    assert "scores sentences whose words change with gender" in said
    assert "the same sentence" not in said.split("Best guess")[0].split("Equal treatment")[1]


def test_the_control_deals_both_classes():
    (control,) = measure(endings(DATA, names=0.03), DATA, control=100).control
    assert control.deals == 100
    assert control.found <= 15


def test_the_emotion_question_is_about_all_sentences():
    turned = np.where(DATA["emotion"] == "joy", 0.1, -0.05) * (DATA["gender"] == "female")
    result = measure(endings(DATA, shift=0.0) + turned, DATA)
    assert gap_of(result, "agrees").emotions
    assert not gap_of(result, "same").emotions
