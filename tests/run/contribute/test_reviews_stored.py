"""A file that a reader saved is stored as a review, or refused: it is read as a stranger's."""

import pytest
from commands import eec
from reviews import put, saved, status, store
from texts import change

from eec_datasets.contribute.saved_reviews import LARGEST, store_reviews
from eec_datasets.errors import FileProblems
from eec_datasets.locale.reading import load_locale
from eec_datasets.locale.reviews import hash_of, slug_of


def with_answer(**changes):
    def changed(content):
        content["answers"][0] |= changes

    return changed


def with_reader(**changes):
    def changed(content):
        content["reader"] |= changes

    return changed


def with_top(**changes):
    def changed(content):
        content |= changes

    return changed


def twice(content):
    content["answers"].append(content["answers"][0])


HOSTILE = {
    "markup in a comment": (with_answer(comment="<script>alert(1)</script>"), "has markup"),
    "markup in the name": (with_reader(name="<b>Rita</b>"), "the name of the reader has markup"),
    "a formula": (with_answer(correction='=HYPERLINK("http://x")'), "begins as a formula does"),
    "a formula behind an apostrophe": (with_answer(correction="'=1+1"), "begins as a formula does"),
    "a formula in wide signs": (with_answer(comment="\uff1d1+1"), "begins as a formula does"),
    "letters that cannot be seen": (with_answer(comment="a\u202eb"), "the invisible character"),
    "a line break": (with_answer(comment="a\nb"), "has a control character"),
    "a space at the edge": (with_answer(comment=" a"), "begins or ends with a space"),
    "a comment of a table for a name": (with_reader(name="#Rita"), "begins as a comment of a table does"),
    "an endless text": (with_answer(comment="a" * 501), "has 501 letters"),
    "another verdict": (with_answer(verdict="perfect"), "the verdict of answer 1 is 'perfect'"),
    "a sentence that was changed": (with_answer(text="Outra frase."), "the hash of answer 1 is not that of its text"),
    "a sentence twice": (twice, "answer 2 is of the same sentence as answer 1"),
    "no consent": (with_reader(consent=False), "has not agreed"),
    "another licence": (with_reader(licence="none"), "the licence is 'none'"),
    "no name": (with_reader(name="-."), "the reader has no name"),
    "no country": (with_reader(country="XX"), "the reader's country is 'XX'"),
    "a number for a text": (with_answer(comment=3), "'comment' of answer 1 is not a text"),
    "an unknown key": (with_reader(admin=True), "reader has the unknown key 'admin'"),
    "a day to come": (with_top(date="2999-01-01"), "which is to come"),
    "no day": (with_top(date="today"), "the date is 'today'"),
    "another language": (with_top(language="../pt"), "the language '../pt', and 'pt' was expected"),
    "no sentence": (with_top(answers=[]), "no sentence was judged"),
    "half a character for a version": (
        with_top(version="\ud800"),
        "the version is '\\ud800'; expected one such as '1.0.0'",
    ),
    "a version to come": (with_top(version="999.0.0"), "the review is of version 999.0.0, and version"),
    "a formula for a version": (with_top(version="=1+1"), "the version is '=1+1'; expected one such as"),
    "another format": (with_top(format="other"), "the format 'other', 1"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_and_nothing_is_stored(case, folder):
    make_hostile, fragment = HOSTILE[case]
    content = saved(["natural"])
    make_hostile(content)
    with pytest.raises(FileProblems) as error:
        store(folder, content)
    assert fragment in str(error.value)
    assert not (folder / "pt" / "reviews").exists()


@pytest.mark.parametrize(
    ("raw", "fragment"),
    [
        ("[1, 2]", "holds a list where an object belongs"),
        ("{", "is not what the page saves, JSON"),
        ('{"format": "eec-review", "format": "x"}', "the key 'format' appears twice"),
        ("[" * 100_000, "nested too deeply"),
        (" " * (LARGEST + 1), "has more than 2 MB"),
    ],
    ids=["list", "cut", "twice", "deep", "large"],
)
def test_a_file_that_is_no_review_is_refused(raw, fragment, folder):
    with pytest.raises(FileProblems) as error:
        store(folder, raw)
    assert fragment in str(error.value)


@pytest.mark.parametrize("comment", ["«estranha»", "“estranha” não", "„estranha“", "'estranha'"])
def test_a_comment_that_begins_with_a_quote_is_stored_and_read(comment, folder):
    content = saved(["odd"])
    content["answers"][0] |= {"comment": comment, "correction": comment}
    store(folder, content)
    (review,) = load_locale("pt", folder).review.reviews
    assert (review.judgements[0].comment, review.judgements[0].correction) == (comment, comment)


def test_a_review_of_another_version_is_refused(folder):
    content = saved(["natural", "natural"])
    for answer in content["answers"]:
        answer["text"] = f"Antes: {answer['text']}"
        answer["hash"] = hash_of(answer["text"])
    with pytest.raises(FileProblems, match="none of its 2 sentences is in version 1"):
        store(folder, content | {"version": "0.1.0"})


def test_of_a_review_some_of_whose_sentences_changed_the_others_count(folder):
    content = saved(["natural", "natural"])
    content["answers"][0]["text"] = "Antes."
    content["answers"][0]["hash"] = hash_of("Antes.")
    (one,) = store(folder, content)
    assert one.changed == 1
    assert status(folder).sentence == "draft; 1 native reader; 1 of 1 natural; 1 text changed since"


def test_a_review_that_is_stored_already_is_refused_and_stays(folder):
    (one,) = store(folder, saved(["natural"]))
    before = one.path.read_bytes()
    with pytest.raises(FileProblems, match="Rita Prova has a review of 2026-11-20 already"):
        store(folder, saved(["wrong"]))
    assert one.path.read_bytes() == before


def test_a_sentence_that_is_stored_already_is_told_once(folder):
    store(folder, saved(["natural"] * 3))
    with pytest.raises(FileProblems, match=": 1 problem; nothing was stored"):
        store(folder, saved(["wrong"] * 3))


def test_a_review_given_twice_is_refused(folder):
    paths = [put(folder, saved(["natural"]), f"{name}.json") for name in "ab"]
    with pytest.raises(FileProblems, match="already: among the files given"):
        store_reviews("pt", paths, folder)
    assert not (folder / "pt" / "reviews").exists()


def test_a_second_part_of_the_same_day_joins_the_first(folder):
    content = saved(["natural"] * 3)
    first, second = ({**content, "answers": part} for part in (content["answers"][:2], content["answers"][2:]))
    (one,) = store(folder, first)
    (two,) = store(folder, second)
    assert one.path == two.path
    assert status(folder).sentence == "draft; 1 native reader; 3 of 3 natural"


def test_a_part_of_the_same_day_from_another_variety_is_refused(folder):
    content = saved(["natural"] * 3)
    store(folder, {**content, "answers": content["answers"][:2]})
    other = {**content["reader"], "variety": "Lisboa"}
    with pytest.raises(FileProblems, match="Rita Prova has another review of 2026-11-20"):
        store(folder, {**content, "reader": other, "answers": content["answers"][2:]})


def test_a_name_that_somebody_else_has_is_refused(folder):
    store(folder, saved(["natural"]))
    with pytest.raises(FileProblems, match=r"a reader Rita Prova \(PT\) is known, native"):
        store(folder, saved(["natural"], country="BR", day="2026-11-21"))


def test_who_wrote_the_texts_cannot_approve_them(folder):
    (template, *_) = saved(["natural"])["answers"][0]["id"].split("/")
    change(folder / "pt" / "templates.toml", (f"[{template}]\n", f'[{template}]\ntranslator = "Rita Prova"\n'))
    with pytest.raises(FileProblems, match="Rita Prova wrote texts of 1 of the 1 sentences"):
        store(folder, saved(["natural"]))


def test_who_wrote_a_text_is_known_without_accents_and_capitals(folder):
    (template, *_) = saved(["natural"])["answers"][0]["id"].split("/")
    change(folder / "pt" / "templates.toml", (f"[{template}]\n", f'[{template}]\ntranslator = "RITA PRÓVA"\n'))
    with pytest.raises(FileProblems, match="Rita Prova wrote texts of 1 of the 1 sentences"):
        store(folder, saved(["natural"]))


def test_a_stored_review_that_was_changed_by_hand_is_told_with_its_line(folder):
    (one,) = store(folder, saved(["natural", "wrong"]))
    first = saved(["natural"])["answers"][0]["text"]
    change(one.path, (first, f"Nova {first}"))
    with pytest.raises(FileProblems, match=r"reviews/rita-prova-2026-11-20\.csv:2: the sentence of"):
        load_locale("pt", folder)


def test_a_language_whose_status_is_declared_native_is_refused(folder):
    change(folder / "pt" / "locale.toml", ('status = "draft"', 'status = "native"'))
    assert "It must be one of draft, second-reading" in eec("locale", "check", "pt", "--locales", folder).output


@pytest.mark.parametrize(("name", "slug"), [("Ana María", "ana-maria"), ("../x", "x"), ("فاطمة", "reader-")])
def test_a_name_makes_a_safe_name_of_a_file(name, slug):
    assert slug_of(name).startswith(slug)
