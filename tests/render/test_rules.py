"""Every sentence of every config, searched for what must never stand in it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from functools import cache

import pytest

from eec_datasets import corpora, schema
from eec_datasets.locale.reading import locales_folder, tags
from eec_datasets.render.choice import choose

FOLDER = locales_folder()
CONFIGS = [config.name for config in corpora.configs()]
COLUMNS = (
    "id", "text", "language", "template", "emotion", "word", "word_form", "speaker", "person", "person_form",
    "person_type", "gender", "race", "item", "pair", "word_status",
)  # fmt: skip
PAPER_CONFIGS = ["en-black-white", "en-anglo-latino", "es-anglo-latino", "en-anglo-arab", "ar-anglo-arab"]
HUNDREDS = [config.name for config in corpora.configs() if config.spec.items]
"""The configs with a hundred names per cell."""
HARAKAT = re.compile("[\u064b-\u0652\u0670]")


@cache
def corpus(name, speaker=None):
    return corpora.render(name, speaker=speaker).columns


def rows(name, speaker=None):
    columns = corpus(name, speaker)
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def of_language(tag):
    return [name for name in CONFIGS if name.startswith(f"{tag}-")]


def found(pattern, texts):
    search = re.compile(pattern).search
    return [text for text in texts if search(text)][:5]


@pytest.mark.parametrize("name", CONFIGS)
def test_columns_are_those_of_the_design_and_hold_distinct_rows_of_strings(name):
    columns = corpus(name)
    extra = tuple(axis for axis in ("country", "religion", "profession") if name.endswith(axis))
    assert tuple(columns) == (*COLUMNS[:13], *extra, *COLUMNS[13:]) == schema.columns(extra)
    assert len({len(values) for values in columns.values()}) == 1
    assert all(type(value) is str and value for values in columns.values() for value in values)
    assert len(set(columns["text"])) == len(columns["text"])
    assert len(set(columns["id"])) == len(columns["id"])
    for column in ("id", "template", "emotion", "word", "speaker", "person", "item", "pair", "word_status"):
        assert all(value.isascii() and " " not in value for value in set(columns[column]))
    assert columns["id"] == [f"{i}/{p}" for i, p in zip(columns["item"], columns["person"], strict=True)]
    assert all(p.startswith(i) for i, p in zip(columns["item"], columns["pair"], strict=True))


@pytest.mark.parametrize("name", CONFIGS)
def test_labels_are_the_known_ones(name):
    columns = corpus(name)
    assert set(columns["emotion"]) == {"anger", "fear", "joy", "sadness", "none"}
    assert set(columns["gender"]) <= {"female", "male", "neutral", "neutral-elle", "neutral-epicene"}
    assert set(columns["person_type"]) <= {"name", "noun_phrase", "pronoun", "mention"}
    assert set(columns["speaker"]) <= {"female", "male", "any", "none"}
    assert set(columns["word_status"]) <= {"paper", "corrected", "changed", "added", "none"}
    assert set(columns["race"]) <= {"Black", "white", "Latino", "Anglo", "Arab", "Spanish", "unmarked"}
    assert set(columns["language"]) == {name.rpartition("-")[0] if name.count("-") == 1 else name.split("-")[0]}


@pytest.mark.parametrize("name", CONFIGS)
def test_sentences_are_clean_begin_with_a_capital_end_with_one_mark_and_show_their_emotion_word(name):
    columns = corpus(name)
    texts, everything = columns["text"], "\n".join(columns["text"])
    assert unicodedata.is_normalized("NFC", everything)
    assert found(r"  |^ | $| [.,।]|\.\.|[{}<>|_]|[^\S ]", texts) == []
    odd = {letter for letter in set(everything) if unicodedata.category(letter) in ("Cc", "Cf", "Co", "Cn", "Cs")}
    assert odd == {"\n"}
    assert [text for text in texts if text[0].islower()][:5] == []
    assert {text[-1] for text in texts} == {"।" if name.startswith("hi-") else "."}
    assert not any(text[-2] in ".।" for text in texts)
    shown = zip(texts, columns["word"], columns["word_form"], strict=True)
    lacking = [text for text, word, form in shown if word != "none" and form.casefold() not in text.casefold()]
    assert lacking[:5] == []


@pytest.mark.parametrize("name", [name for name in CONFIGS if name not in HUNDREDS])
def test_the_words_are_forty_in_seven_templates(name):
    columns = corpus(name)
    words = set(zip(columns["template"], columns["emotion"], columns["word"], strict=True))
    counts = Counter((template, emotion) for template, emotion, _ in words)
    for number in range(1, 8):
        assert [counts[f"t{number:02}", e] for e in ("anger", "fear", "joy", "sadness")] == [5, 5, 5, 5]
    assert {t for t, e in counts if e == "none"} == {"t08", "t09", "t10", "t11"}


@pytest.mark.parametrize("name", PAPER_CONFIGS)
def test_a_config_of_the_papers_is_balanced_sixty_persons_by_144_items(name):
    columns = corpus(name)
    assert len(columns["id"]) == 8640
    assert Counter(Counter(columns["item"]).values()) == {60: 144}
    assert Counter(Counter(columns["person"]).values()) == {144: 60}
    persons = set(zip(columns["person"], columns["race"], columns["gender"], columns["person_type"], strict=True))
    cells = Counter((race, gender, kind) for _, race, gender, kind in persons)
    groups = {race for race, _, _ in cells} - {"unmarked"}
    assert [cells[race, gender, "name"] for race in groups for gender in ("female", "male")] == [10] * 4
    phrases = [cells["unmarked", gender, "noun_phrase"] for gender in ("female", "male")]
    assert phrases in ([9, 9], [10, 10])


@pytest.mark.parametrize("name", HUNDREDS)
def test_a_config_of_a_hundred_names_has_a_template_and_a_word_for_each_item_and_even_emotions(name):
    columns = corpus(name)
    items = set(zip(columns["item"], columns["template"], columns["emotion"], columns["word"], strict=True))
    said = [(template, emotion, word) for _, template, emotion, word in items if emotion != "none"]
    assert len(items) == len({template for _, template, _, _ in items}) == 48
    assert len({word for _, _, word in said}) == len(said) == 40
    kinds = {template.id: template.kind for template in corpora.find(name).locale.templates}
    cells = Counter((kinds[template], emotion) for template, emotion, _ in said)
    assert cells == {(k, e): 5 for k in ("state", "situation") for e in ("anger", "fear", "joy", "sadness")}
    names = Counter(
        (race, gender)
        for race, gender, kind, emotion in zip(
            columns["race"], columns["gender"], columns["person_type"], columns["emotion"], strict=True
        )
        if kind == "name" and emotion != "none"
    )
    assert set(names.values()) == {4000}
    assert len(names) == 4


@pytest.mark.parametrize("name", [name for name in HUNDREDS if name.endswith("-cues")])
def test_mentions_say_the_groups_of_the_names_in_ten_phrases_for_each_gender_and_leave_the_rest_as_it_is(name):
    mentions = [row for row in rows(name) if row["person_type"] == "mention"]
    others = [row for row in rows(name) if row["person_type"] != "mention"]
    assert [row["id"] for row in others] == [row["id"] for row in rows(name.removesuffix("-cues"))]
    assert [row["text"] for row in others] == [row["text"] for row in rows(name.removesuffix("-cues"))]
    phrases = {(row["race"], row["gender"], row["pair"].split("/")[2]) for row in mentions}
    groups = {row["race"] for row in others} - {"unmarked"}
    assert Counter(phrase[:2] for phrase in phrases) == {(g, s): 10 for g in groups for s in ("female", "male")}
    for group in groups:
        words = {form.text for form in corpora.find(name).locale.levels["race"][group].forms}
        own = [row for row in mentions if row["race"] == group]
        assert len(own) == 48 * 20
        assert all(words & set(re.findall(r"\w+", row["text"])) for row in own)


@pytest.mark.parametrize("name", HUNDREDS)
def test_two_names_of_one_gender_differ_in_nothing_but_the_name(name):
    columns = corpus(name)
    frames = defaultdict(set)
    for item, gender, kind, form, text in zip(
        *(columns[c] for c in ("item", "gender", "person_type", "person_form", "text")), strict=True
    ):
        if kind == "name":
            assert text.count(form) == 1, text
            frames[item, gender].add(text.replace(form, "X"))
    assert {len(found) for found in frames.values()} == {1}


@pytest.mark.parametrize(
    ("name", "size"), [("en-black-white", 8640), ("es-anglo-latino", 8460), ("ar-anglo-arab", 8040)]
)
def test_without_the_added_words_a_config_has_the_size_of_its_paper(name, size):
    assert sum(status != "added" for status in corpus(name)["word_status"]) == size


@pytest.mark.parametrize("name", CONFIGS)
def test_everybody_meets_the_same_items_unless_a_pair_is_no_pair_and_pairs_have_two_sides(name):
    columns = corpus(name)
    dropped = sum(len(entry.persons) for entry in corpora.render(name).dropped)
    persons, items = set(columns["person"]), set(columns["item"])
    assert len(columns["id"]) + dropped == len(persons) * len(items)
    sides = defaultdict(set)
    for pair, gender in zip(columns["pair"], columns["gender"], strict=True):
        sides[pair].add(gender)
    assert [pair for pair, genders in sides.items() if len(genders) < 2][:5] == []


@pytest.mark.parametrize("tag", tags())
def test_the_speaker_is_crossed_where_me_has_a_gender(tag):
    name = f"{tag}-gender" if f"{tag}-gender" in CONFIGS else of_language(tag)[0]
    held = rows(name, "male")
    crossed = rows(name, "crossed")
    shown = [row for row in held if row["speaker"] == "male"]
    assert {row["speaker"] for row in held} <= {"male", "any", "none"}
    assert len(crossed) == len(held) + len(shown)
    by_id = {row["id"]: row for row in crossed}
    for row in shown:
        template, word, person = row["id"].split("/")
        male = by_id[f"{template}/{word}/speaker-male/{person}"]
        female = by_id[f"{template}/{word}/speaker-female/{person}"]
        assert male["text"] == row["text"] != female["text"]
        assert (male["speaker"], female["speaker"]) == ("male", "female")


@pytest.mark.parametrize("name", CONFIGS)
def test_a_pair_differs_in_no_more_places_than_its_template_declares(name):
    """Counted on the sentences alone: runs of tokens that change, in the first items of each template."""
    config = corpora.find(name)
    changes = {template.id: template for template in config.locale.templates}
    patterns = choose(config.locale, config.spec).patterns
    blocks = defaultdict(list)
    for row in rows(name):
        blocks[row["template"], row["pair"]].append(row)
    looked = Counter()
    for (template, _), block in blocks.items():
        looked[template] += 1
        if looked[template] > 40:
            continue
        sides = {row["gender"]: row for row in block}
        if not {"female", "male"} <= set(sides):
            continue
        one, other = sides["female"], sides["male"]
        if one["person_type"] == other["person_type"]:
            declared = changes[template]
            shown = str(patterns[template].text(one["person_type"])).count("person.") or 1
            inside = max(1, _runs(one["person_form"], other["person_form"]))
            allowed = len(declared.changes) - 1 + inside * shown
            assert _runs(one["text"], other["text"]) <= allowed, (one["text"], other["text"])


def _runs(one, other):
    """How many separate stretches of tokens differ, by the longest common subsequence."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, one.split(), other.split(), autojunk=False)
    return sum(tag != "equal" for tag, *_ in matcher.get_opcodes())


NEVER = {
    "en": (r"\b(makes|made|with|to|saw) (he|she|they|I)\b", r"^(Him|Her|Them|Me)\b", r"\b[Aa] [aeiouAEIOU]",
           r"\b[Aa]n [^aeiouAEIOU]"),
    "es": (r"\b[Éé]l (mercado|colegio|barrio)\b", r"\b([Aa]|[Dd]e) el\b",
           r"\bEl se\b|\bpara yo\b|\bcon el\.|\bhizo sentirse\b"),
    "ar": (r"[A-Za-z0-9٠-٩ـ]", r" (ب|ل|ال|و) "),
    "tr": (r"^I(?=[^ ]*[eiöü])",),
    "fr": (r"['’] ", r"\b([Qq]ue|[Jj]e|[Ll]e|[Ll]a|[Dd]e) [aeiouéèêAEIOUÉÈÊ]"),
    "it": (r"['’] ",),
}  # fmt: skip
"""What no sentence of a language may have: a wrong case or article, a contraction or elision left open, a lost dot."""


@pytest.mark.parametrize("tag", NEVER)
def test_no_sentence_has_what_its_language_never_writes(tag):
    for name in of_language(tag):
        for pattern in NEVER[tag]:
            assert found(pattern, corpus(name)["text"]) == [], (name, pattern)


@pytest.mark.parametrize("name", of_language("en"))
def test_english_reflexives_and_verbs_agree(name):
    columns = corpus(name)
    for column, value, wrong in (
        ("gender", "female", r"\bhimself\b|\bthemsel|^[^.]* (go to|have two) "),
        ("gender", "male", r"\bherself\b|\bthemsel|^[^.]* (go to|have two) "),
        ("person", "they", r"^They (feels|goes|has)\b"),
    ):
        texts = [text for text, label in zip(columns["text"], columns[column], strict=True) if label == value]
        assert found(wrong, texts) == []


@pytest.mark.parametrize("name", of_language("es"))
def test_spanish_states_agree_with_the_person_in_1_to_3_and_with_the_speaker_in_4(name):
    columns = corpus(name)
    for row in zip(*(columns[c] for c in ("template", "gender", "word_form", "speaker", "text")), strict=True):
        template, gender, form, speaker, text = row
        ending = {"a": "female", "o": "male"}.get(form[-1]) if form.endswith(("ado", "ada", "ido", "ida")) else None
        if ending is None:
            continue
        if template in ("t01", "t02", "t03") and gender in ("female", "male"):
            assert ending == gender, text
        if template == "t04":
            assert ending == speaker, text


FEMININE = """تشعر جعلتني وجدت نفسها أخبرتنا تذهب لديها زالت عادت اعترفت بأنها ظلت حاولت شعورها فستشعر تلقت استيقظت
رأتها قرأت تقرؤه قالت جاءت تنسى أرادت تعرف استمعت تركت تستقلها تأكل جلست"""
MASCULINE = """يشعر جعلني وجد نفسه أخبرنا يذهب لديه زال عاد اعترف بأنه ظل حاول شعوره فسيشعر تلقى استيقظ رآها قرأ يقرؤه
قال جاء ينسى أراد يعرف استمع ترك يستقلها يأكل جلس"""


@pytest.mark.parametrize("name", of_language("ar"))
def test_no_arabic_verb_has_a_subject_of_the_other_gender(name):
    columns = corpus(name)
    feminine, masculine = set(FEMININE.split()), set(MASCULINE.split())
    seen = Counter()
    templates = {template.id: template for template in corpora.find(name).locale.templates}
    for template, gender, text in zip(columns["template"], columns["gender"], columns["text"], strict=True):
        tokens = set(HARAKAT.sub("", text.strip(".»؟!").replace("«", " ")).split())
        assert not tokens & (masculine if gender == "female" else feminine), text
        seen[template] += bool(tokens & (feminine | masculine))
    # In t51 the verb is one (كانت) that other templates have with other subjects.
    inflecting = {t for t in seen if len(templates[t].changes) > 1} - {"t51"}
    assert {t for t, count in seen.items() if count} >= inflecting
