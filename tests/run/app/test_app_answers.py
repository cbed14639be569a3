"""The page without a browser: where corpora come from, how uploads are read, what is said when something breaks."""

import asyncio
import importlib.util
import json
import logging
import pickle
import re
import shutil
import socket
import zipfile
from dataclasses import asdict, replace
from html import escape
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from commands import eec

import eec_bias
from eec_datasets import corpora, release
from eec_datasets.app import answers, fragments, links
from eec_datasets.app import page as page_module
from eec_datasets.app.answers import PageRequest, explain
from eec_datasets.app.page import Actions
from eec_datasets.app.sources import from_environment, rendered
from eec_datasets.app.temporary import Folder
from eec_datasets.app.words import PageWords, languages
from eec_datasets.app.workers import Workers
from eec_datasets.errors import EecError, InputError
from eec_datasets.systems.score_file import Header


def measure(source, config, *files, **more):
    """Measure uploads, and whether the source can be sent to another process."""
    return answers.measured(pickle.loads(pickle.dumps(source)), PageRequest(config, tuple(map(str, files)), **more))[:3]


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


@pytest.fixture(scope="module")
def here():
    return rendered()


@pytest.fixture(scope="module")
def corpus(here):
    return here.open("en-black-white")


@pytest.mark.parametrize("language", languages())
def test_the_facts_name_the_groups_in_the_language_of_the_page(corpus, language):
    words = PageWords(language)
    named = [words.report.group({"race": level}, "phrases").end for level in corpus.groups["race"]]
    assert {"en": ", ", "es": ", ", "ar": "، "}[language].join(named) in fragments.facts(corpus, words)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "eec"
    release.build(folder, configs=["en-black-white"])
    return folder


def test_a_release_gives_the_corpora_that_are_rendered_here(here, corpus, built):
    found = from_environment({"EEC_DATASET": str(built)})
    origin, values = found.origin
    assert PageWords().say(origin, **values) == f"The corpora come from the dataset {built}, release 1.0.0."
    assert found.choices == [("en-black-white (English)", "en-black-white")]
    # What sources say of names stands in the locales, not in a release.
    same = replace(found.open("en-black-white"), table=corpus.table)
    assert asdict(same) == asdict(corpus)
    assert from_environment({}).choices == here.choices


def test_what_is_no_release_is_refused_with_its_place(built, tmp_path):
    other = tmp_path / "eec"
    shutil.copytree(built, other)
    (parquet,) = other.rglob("*.parquet")
    parquet.write_bytes(parquet.read_bytes()[:-1] + b"x")
    for folder, name, told in (
        (tmp_path, "", f"{tmp_path} has no manifest.json"),
        (built, "tlh", "no config 'tlh' in release 1.0.0; there are: en-black-white"),
        (other, "en-black-white", parquet.name),
        ("", "tlh", "'tlh'.*ar-anglo-arab"),
    ):
        with pytest.raises(EecError, match=told):
            from_environment({"EEC_DATASET": str(folder)}).open(name)


def test_an_upload_is_read_as_by_the_command_line_and_called_by_its_name(here, corpus, tmp_path, monkeypatch):
    # That other corpora have these ids is looked up elsewhere.
    monkeypatch.setattr(corpora, "usable", lambda: ([], []))
    path = tmp_path / "X.csv"
    path.write_text("\n".join(["id,score", *(f"{i},0.5" for i in corpus.ids[1:]), "nobody,0.1"]))
    with pytest.raises(InputError) as error:
        measure(here, "en-black-white", path)
    said = eec("measure", path, "--config", "en-black-white")
    assert said.output == f"Error: {error.value}\n".replace("X.csv", str(path))
    assert str(error.value).startswith("X.csv does not fit config en-black-white:")
    assert explain(error.value) == fragments.problem(str(error.value))


@pytest.mark.parametrize("name", ["ar-anglo-arab", "en-country", "es-gender", "tr-gender"])
def test_facts_ids_and_examples_exist_for_every_kind_of_corpus(here, name, tmp_path):
    corpus = here.open(name)
    facts = fragments.facts(corpus, PageWords())
    assert "No native speaker has read the sentences yet." in facts
    texts = dict(zip(corpus.ids, corpus.columns["text"], strict=True))
    shown = fragments.scoring(corpus).removesuffix("</pre>").splitlines()[1:]
    places = [facts.index(escape(texts[line.partition(",")[0]])) for line in shown]
    assert (len(places), places) == (2, sorted(places))
    _, files = answers.answer(here, Folder(tmp_path), PageRequest(name, example="noisy"))
    key = "gender_phrases_effect" if name == "en-country" else "gender_effect"
    assert json.loads(Path(files[0]).read_text())[key] == pytest.approx(0.05, abs=0.02)


def test_the_page_for_readers_is_one_of_the_language_of_the_corpus(here, tmp_path):
    page = Path(answers.judging(here, Folder(tmp_path), "tr-gender"))
    assert page.name == "eec-review-tr.html"
    assert '<html lang="tr" dir="ltr">' in page.read_text(encoding="utf-8")


def written(corpus, path, *columns):
    values = ",0.5" * len(columns)
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([",".join(["id", *columns]), *(f"{row}{values}" for row in corpus.ids)]))
    return path


def systems_of(result):
    return [*dict.fromkeys(row["system"] for row in result.terms)]


def test_several_files_are_several_systems(here, corpus, tmp_path):
    one, more = written(corpus, tmp_path / "one.csv", "score"), written(corpus, tmp_path / "more.csv", "a", "b")
    _, result, what = measure(here, "en-black-white", one, more)
    assert (systems_of(result), what) == (["one", "a", "b"], "one.csv, more.csv")
    again = written(corpus, tmp_path / "other" / "one.csv", "score")
    with pytest.raises(InputError, match=r"There is a system called 'one' in one\.csv and in one\.csv\. Give each"):
        measure(here, "en-black-white", one, again)
    header = Header("vader", "1", corpus.name, corpus.data, -1, 1).line()
    again.write_text(f"{header}\n{again.read_text()}")
    with pytest.raises(InputError, match=r"different ranges \(one\.csv: 0 to 1; one\.csv: -1 to 1\)"):
        measure(here, "en-black-white", one, again)
    assert systems_of(measure(here, "en-black-white", one, again, low=-1)[1]) == ["one", "vader"]
    # Names of columns are read whole, however many there are.
    names = [f"{n:04000d}" for n in range(20)]
    assert systems_of(measure(here, "en-black-white", written(corpus, one, *names))[1]) == names


REFUSED = {
    "no limit": ("", None, 1, "is missing, the highest 1; .*step 3"),
    "limits in turn": ("", 2, 1, "is 2, the highest 1.*step 3"),
    "equal limits": ("", 1, 1, "is 1, the highest 1.*step 3"),
    "long limits": ("", 1_000_001, 1_000_000, "is 1000001, the highest 1000000;"),
    "large": ("x" * (25 << 20), 0, 1, r"^X\.csv: 25 MB; this page reads up to 20 MB.*eec measure"),
    "columns": ("id," + ",".join(f"s{n}" for n in range(60_000)), 0, 1, r"^X\.csv: 60,000 columns .* at most 250"),
    "twice": ("id," + "a,b," * 30_000, 0, 1, r"^X\.csv:1: column 'a' appears twice"),
    "first line": ("id," + ",".join(map(hex, range(400_000))), 0, 1, r"^X\.csv: the first line .* for more than 1 MB"),
    "name": ("id," + "x" * 200_000, 0, 1, r"^X\.csv:1: the names of the columns cannot be read \(field larger"),
    "quote": ('id,score\n"' + "x\n" * 1_000_000, 0, 1, r"^X\.csv: cannot be .* \(field larger.*quotation mark"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_range_that_is_none_and_a_file_made_to_take_long_are_refused(here, tmp_path, what):
    content, low, high, said = REFUSED[what]
    (tmp_path / "X.csv").write_text(f"{content}\n")
    with pytest.raises(InputError, match=said):
        measure(here, "en-black-white", tmp_path / "X.csv", low=low, high=high)


def test_uploads_that_are_large_or_unpack_are_known_before_they_are_read(tmp_path):
    paths = [tmp_path / name for name in ("a.csv", "b.parquet", "c.csv", "X.csv")]
    for path, size in zip(paths, (10, 10, 3 << 20), strict=False):
        with path.open("wb") as stream:
            stream.truncate(size)
    assert [answers.is_large(PageRequest("en-gender", (str(path),))) for path in paths] == [False, True, True, False]


def test_an_upload_that_was_swept_away_is_asked_for_again(here, tmp_path):
    with pytest.raises(InputError, match=r"^We have already deleted X\.csv.*Upload it again\.$"):
        measure(here, "en-gender", tmp_path / "X.csv")


def test_figures_and_the_report_are_made_when_asked_for(here, tmp_path):
    asked = PageRequest("en-black-white", example="random")
    with zipfile.ZipFile(answers.figures(here, Folder(tmp_path), asked)) as files:
        content = {name: files.read(name) for name in files.namelist()}
    drawn = [name.removesuffix(".png") for name in content if name.endswith(".png")]
    assert sorted(name.partition("-")[2] for name in drawn) == ["forest", "persons"]
    for name in drawn:
        assert content[f"{name}.png"].startswith(b"\x89PNG")
        assert b"currentColor" not in content[f"{name}.svg"]
        assert f"{name}: " in content["captions.txt"].decode()
    report = Path(answers.report(here, Folder(tmp_path), asked)).read_text(encoding="utf-8")
    assert report.startswith("<!doctype html>")
    assert "Demonstration · Bias audit" in report
    assert "eec audit --system random:0 --config en-black-white" in re.sub("</?span>", "", report)


def test_how_a_file_was_read_is_said_beside_its_name(here, corpus, tmp_path):
    path = tmp_path / "our scores.csv"
    path.write_text("id;score\n" + "".join(f"{row};{2 + number % 3},5\n" for number, row in enumerate(corpus.ids)))
    asked = PageRequest("en-black-white", (str(path),), 1, 5)
    page, files = answers.answer(here, Folder(tmp_path), asked)
    read = "our scores.csv: the columns are separated by semicolons; numbers have a decimal comma."
    assert page.count(read) == 1
    assert Path(files[2]).read_text().startswith(f"our scores.csv\n{read}\n\n")
    report = Path(answers.report(here, Folder(tmp_path), asked)).read_text(encoding="utf-8")
    assert "eec measure &#39;our scores.csv&#39; --config en-black-white --score-range 1 5 --out results" in re.sub(
        "</?span>", "", report
    )


def test_what_a_visitor_asked_for_last_is_shown(here, tmp_path):
    async def wait(seconds):
        await asyncio.sleep(seconds)
        return (f"{seconds}", "")

    async def visit():
        gradio = SimpleNamespace(skip=lambda: "skipped")
        handler, turns = Actions(here, Folder(tmp_path), Workers(0), Workers(0), gradio).last(wait), []
        return await asyncio.gather(*(handler(seconds, turns) for seconds in (0.2, 0.1)), handler(0.0, []))

    assert asyncio.run(visit()) == [("skipped", "skipped"), ("0.1", ""), ("0.0", "")]


def test_a_visitor_who_waits_is_told_their_place(here, tmp_path, monkeypatch):
    monkeypatch.setattr(page_module, "PLACE_INTERVAL", 0.05)

    async def wait(seconds, _language):
        page_module.TICKET.get().before = 3
        await asyncio.sleep(seconds)
        page_module.TICKET.get().before = 0
        await asyncio.sleep(seconds)
        return ("done", "")

    async def visit():
        page = Actions(here, Folder(tmp_path), Workers(0), Workers(0), SimpleNamespace(skip=lambda: "skipped"))
        return [changes async for changes in page.announced(page.last(wait), 2)(0.2, "en", [])]

    first, second, last = asyncio.run(visit())
    assert "You are number 3 in the queue" in first[0]
    assert "It is your turn" in second[0]
    assert (first[1], second[1], last) == ("skipped", "skipped", ("done", ""))


def test_nothing_that_a_visitor_sends_is_kept(here, tmp_path, monkeypatch):
    page = Actions(here, Folder(tmp_path), Workers(0), Workers(0), SimpleNamespace(**dict.fromkeys(WIDGETS, widget)))
    kept = []

    async def do(_page, job, *arguments, **_more):
        kept.append(arguments)
        if job is answers.show and arguments[0] not in ("en-gender", "es-gender"):
            return None, "no such corpus"
        return (("facts", "scoring", str(tmp_path)) if job is answers.show else None), ""

    monkeypatch.setattr(Actions, "_do", do)

    async def visit():
        for number in range(50):
            await page.choose("en-gender", f"language {number}")
            await page.choose(f"corpus {number}", "en")
            await page.measure("es-gender", None, 0, 1, f"language {number}" * 1000)
            await page.show_example("both", "es-gender", f"language {number}" * 1000)
        await page.choose("es-gender", "ar")

    asyncio.run(visit())
    assert sorted(page.views) == [("en-gender", "en"), ("es-gender", "ar")]
    assert "language 1" not in str(kept)


def test_the_turns_of_a_visitor_do_not_add_up(here, tmp_path):
    async def answer(text):
        return (text,)

    async def visit():
        page = Actions(here, Folder(tmp_path), Workers(0), Workers(0), SimpleNamespace(skip=lambda: "skipped"))
        turns = []
        for number in range(100):
            assert await page.last(answer)(f"{number}", turns) == (f"{number}",)
            shown = [changes async for changes in page.announced(page.last(answer), 1)(f"{number}", turns)]
            assert shown == [(f"{number}",)]
        return turns

    assert asyncio.run(visit()) == [199]


WIDGETS = ("DownloadButton", "Button", "HTML", "update")


def widget(*values, **properties):
    return values, properties


@pytest.mark.parametrize("search", ["?config=es-gender&low=a", "?config=tlh"])
def test_a_link_of_which_a_part_is_wrong_still_shows_its_corpus(here, tmp_path, search):
    page = Actions(
        here,
        Folder(tmp_path),
        Workers(0),
        Workers(0),
        SimpleNamespace(DownloadButton=widget, Button=widget, HTML=widget, update=widget),
    )
    shown = "es-gender" if "es-gender" in search else "en-black-white"
    page.views[shown, "en"] = ("facts", "scoring", str(tmp_path))
    name, low, high, language, *rest = asyncio.run(asyncio.wait_for(page.arrive(search), 60))
    said = len(page_module.AROUND + page_module.FIELDS + page_module.BUTTONS)
    facts, _, _, message, *_ = rest[said:]
    assert language == "en"
    assert (name, low, high, facts, "eec-problem" in message) == (shown, 0, 1, "facts", True)


def test_many_systems_are_one_page(corpus):
    scores = {f"s{i:02d}": np.random.default_rng(i).uniform(size=len(corpus.ids)) for i in range(22)}
    shown = fragments.measurement(eec_bias.measure(scores, corpus.table), corpus, "many.csv")
    html = fragments.result(shown, corpus, "many.csv", "", PageWords())
    assert "22 systems" in html
    assert html.count("<iframe") == 1


def test_a_mistake_of_the_program_is_logged_and_not_shown(caplog):
    with caplog.at_level(logging.ERROR):
        shown = explain(ZeroDivisionError("secret"))
    assert "Something went wrong in this program (ZeroDivisionError). Your scores are not the cause." in shown
    assert ("secret" in shown, "secret" in caplog.text) == (False, True)


LINKS = [
    ("", PageRequest("en-gender"), ""),
    ("?config=es-gender&low=-1&high=2.5&__theme=dark", PageRequest("es-gender", low=-1, high=2.5), ""),
    ("?example=both", PageRequest("en-gender", example="both"), ""),
    ("?config=tlh", PageRequest("en-gender"), "the corpus 'tlh', which does not exist here"),
    ("?config=es-gender&example=<b>", PageRequest("es-gender"), "example '<b>'; expected one of noisy, random, both"),
    ("?low=a", PageRequest("en-gender"), "says low=a; expected a number"),
    ("?high=1_0&low=2", PageRequest("en-gender"), "says high=1_0; expected a number"),
    ("?high=inf&example=both", PageRequest("en-gender"), "says high=inf; expected a number"),
]


def test_a_link_is_understood_or_said_to_be_wrong():
    for search, shown, told in LINKS:
        choice, problem = links.read(search, ["en-gender", "es-gender"], "en-gender")
        assert (choice, bool(problem), told in problem) == (shown, bool(told), True), search


@pytest.mark.parametrize("gradio", [True, False])
def test_what_keeps_the_page_from_starting_is_said(monkeypatch, gradio):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name if gradio else None)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = eec("app", "--port", port, "--no-browser")
    assert done.exit_code == 1
    expected = f"Port {port} is taken" if gradio else "pip install 'eec-datasets[app]'"
    assert expected in done.output
