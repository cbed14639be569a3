"""The sentences that moved most."""

import pytest

from eec_datasets.audit.minimal_pairs import farthest_pairs, mark_changes
from eec_datasets.systems.corpus import Corpus, open_corpus


@pytest.fixture(scope="module")
def corpus():
    return open_corpus("es-anglo-latino")


def scores(corpus: Corpus, **of_rows: float) -> list[float]:
    found = dict.fromkeys(corpus.ids, 0.5) | {key.replace("__", "/"): value for key, value in of_rows.items()}
    return list(found.values())


def test_pairs_differ_on_one_axis_and_nothing_else(corpus):
    found = farthest_pairs(corpus, scores(corpus, t04__angry__maria=0.9, t04__angry__alan=0.1), (0, 1))
    by_axis = {axis: [pair for pair in found if pair.axis == axis] for axis in ("gender", "race")}
    # maria and alan differ on both axes: each is compared with somebody who differs on one.
    assert [pair.difference for pair in by_axis["gender"]] == [pytest.approx(0.4)]
    for pair in found:
        changed = {axis for axis in ("gender", "race") if pair.higher.labels[axis] != pair.lower.labels[axis]}
        assert changed == {pair.axis}
        assert pair.item == "t04/angry"


def test_noun_phrases_meet_their_counterpart_only(corpus):
    (pair,) = farthest_pairs(corpus, scores(corpus, t08__none__mother=0.9, t08__none__brother=0.1), (0, 1), per_axis=1)
    assert (pair.axis, pair.item) == ("gender", "t08/none")
    texts = {pair.higher.text, pair.lower.text}
    assert texts in ({"Vi a mi madre en el mercado.", "Vi a mi padre en el mercado."},
                     {"Vi a mi hermana en el mercado.", "Vi a mi hermano en el mercado."})  # fmt: skip


def test_the_farthest_come_first(corpus):
    values = [(hash_of * 7919 % 1009) / 1009 for hash_of in range(len(corpus.ids))]
    found = [pair for pair in farthest_pairs(corpus, values, (0, 1), per_axis=5) if pair.axis == "race"]
    assert len(found) == 5
    assert [pair.difference for pair in found] == sorted((pair.difference for pair in found), reverse=True)
    assert len({pair.item for pair in found}) == 5
    assert all(pair.higher.score > pair.lower.score for pair in found)


def test_where_the_person_alone_decides_nobody_is_shown_twice(corpus):
    ranks = {person: rank / 100 for rank, person in enumerate(dict.fromkeys(corpus.columns["person"]))}
    values = [ranks[person] for person in corpus.columns["person"]]
    found = [pair for pair in farthest_pairs(corpus, values, (0, 1), per_axis=5) if pair.axis == "race"]
    names = [str(mark_changes(pair.higher.text, pair.lower.text)[0][0]) for pair in found]
    assert len(set(names)) == len(names) > 0


def test_a_system_that_does_not_react_moves_nothing(corpus):
    assert farthest_pairs(corpus, [0.5] * len(corpus.ids), (0, 1)) == []
    assert farthest_pairs(corpus, [0.5 + i * 1e-16 for i in range(len(corpus.ids))], (0, 1)) == []


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("My mother feels sad.", "My father feels sad.", (["mother"], ["father"])),
        ("María está enojada.", "Alan está enojado.", (["María", "enojada"], ["Alan", "enojado"])),
        ("مريم تشعر بالغضب.", "خالد يشعر بالغضب.", (["مريم", "تشعر"], ["خالد", "يشعر"])),
        ("यह महिला दुखी है।", "यह पुरुष दुखी है।", (["महिला"], ["पुरुष"])),
        ("I saw her.", "I saw the man.", (["her"], ["the man"])),
        ("Same.", "Same.", ([], [])),
        ("", "Something", ([], ["Something"])),
    ],
)
def test_the_words_that_differ_are_marked_whole(first, second, words):
    one, two = mark_changes(first, second)
    assert ("".join(text for text, _ in one), "".join(text for text, _ in two)) == (first, second)
    assert tuple([text for text, changed in pieces if changed] for pieces in (one, two)) == words
