"""The numbers typed from the article of 2022."""

from collections import Counter

from studies.printed import correlation, lookup, printed

MODELS = ("BERT+", "mBERT", "XLM-RoBERTa", "SVM-tfidf", "fastText")


def test_no_cell_stands_twice():
    cells = Counter((p.table, p.line, p.model, p.emotion, p.term) for p in printed())
    assert set(cells.values()) == {1}


def test_every_cell_of_tables_2_to_5_is_there():
    assert Counter(p.table for p in printed()) == {2: 3 * 5 * 4, 3: 5 * 12, 4: 2 * 5 * 12, 5: 2 * 5 * 12}
    assert {p.model for p in printed()} == set(MODELS)


def test_what_could_not_be_read_has_no_value():
    assert all((p.value is None) == (p.reading == "lost") for p in printed())


def test_only_numbers_of_one_table_are_hard_to_read():
    assert Counter(p.reading for p in printed()) == {"clear": 329, "damaged": 12, "lost": 19}
    unsure = {(p.table, p.line, p.emotion) for p in printed() if p.reading != "clear"}
    assert unsure == {(5, "Arabic", emotion) for emotion in ("anger", "joy", "sadness")}


def test_some_values_are_those_of_the_article():
    expected = {
        ("en-black-white", "BERT+", "anger", "race:gender"): "−0.028***",
        ("en-black-white", "mBERT", "sadness", "gender"): "0.042***",
        ("en-anglo-latino", "BERT+", "fear", "race:gender"): "0.015*",
        ("es-anglo-latino", "fastText", "anger", "gender"): "0.053***",
        ("es-anglo-latino", "SVM-tfidf", "joy", "gender"): "0.015***",
        ("en-anglo-arab", "BERT+", "sadness", "race"): "0.064***",
        ("ar-anglo-arab", "fastText", "fear", "gender"): "−0.031***",
        ("ar-anglo-arab", "SVM-tfidf", "sadness", "gender"): "−0.031*** (?)",
        ("ar-anglo-arab", "SVM-tfidf", "joy", "race"): "not readable",
    }
    assert {key: found.shown() for key in expected if (found := lookup(*key))} == expected


def test_a_model_that_the_article_does_not_have_is_not_found():
    assert lookup("en-black-white", "SVM-unigrams", "anger", "race") is None


def test_some_correlations_are_those_of_the_article():
    assert correlation("es", "SVM-tfidf", "fear") == 0.638
    assert correlation("en", "BERT+", "joy") == 0.596


def test_the_stars_fit_the_text_of_the_article():
    """Section 5.3: Black women less angry in all three transformers; all Arabic models find women less angry."""
    stars = [("en-black-white", model, "race:gender", 3) for model in MODELS[:3]]
    stars += [("ar-anglo-arab", model, "gender", 2) for model in MODELS]
    for corpus, model, term, least in stars:
        found = lookup(corpus, model, "anger", term)
        assert found is not None
        assert found.value is not None
        assert (found.value < 0, len(found.stars) >= least) == (True, True)
