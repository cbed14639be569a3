"""A translator's sheet goes out and comes back into the same cells, or not at all."""

import csv
import difflib
import io
import re
import textwrap
import tomllib
from pathlib import Path

import pytest
from commands import succeed
from sheets import edited
from texts import change

from eec_datasets.contribute.exchange import export_csv, export_po, import_csv, import_po
from eec_datasets.contribute.scaffold import scaffold
from eec_datasets.contribute.sheet import PEOPLE, SheetError, entries
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.reading import load_locale, locales_folder, tags
from eec_datasets.text_file import changed_csv

HERE = Path(__file__).parent
EXPORT, TAKE = {"csv": export_csv, "po": export_po}, {"csv": import_csv, "po": import_po}


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def put(tmp_path, text, name="sheet.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("tag", tags())
def test_a_sheet_that_nobody_edited_changes_nothing(tag, root, tmp_path):
    before = files(root / tag)
    assert import_csv(root / tag, put(tmp_path, export_csv(root / tag))) == ([], [])
    assert import_po(root / tag, put(tmp_path, export_po(root / tag), "sheet.po")) == ([], [])
    assert files(root / tag) == before


@pytest.mark.parametrize("separator", ";\t|,")
def test_a_sheet_that_excel_saved_is_taken_in(separator, root, tmp_path):
    cells = {"text": "apenada", "source": "RAE"}
    sheet = edited(export_csv(root / "es"), "words.csv:sad:gender=any.number=sg", **cells)
    saved = io.StringIO(newline="")
    csv.writer(saved, delimiter=separator).writerows(csv.reader(io.StringIO(sheet)))
    changed, written = import_csv(root / "es", put(tmp_path, saved.getvalue(), encoding="utf-8-sig"))
    assert ([entry.text for entry in changed], written) == (["apenada"], ["words.csv"])


NEW_AXIS = "level,gender,form,source\nMuslim,f,,to be named\nMuslim,m,,to be named\n"
CASES = {name: tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8")) for name in ("edited", "refused")}


def returned(kind, sheet, texts, by):
    """The sheet with these texts, words from a dictionary, and as CSV with who wrote and who read them."""
    for key, text in texts.items():
        people = {name: person for name, person in zip(PEOPLE, by, strict=True) if person}
        if text and key.startswith("words.csv"):
            people["source"] = "a dictionary"
            sheet = re.sub(
                rf'# source: .*\n((?:#.*\n)*msgctxt "{re.escape(key)}"\n)', r"# source: a dictionary\n\1", sheet
            )
        if kind == "csv":
            sheet = edited(sheet, key, **({"text": text} if text else {}), **people)
        elif text:
            sheet = re.sub(rf'(msgctxt "{re.escape(key)}"\nmsgid ".*"\nmsgstr) ".*"', rf'\1 "{text}"', sheet)
    return sheet


@pytest.mark.parametrize("kind", ["csv", "po"])
def test_what_was_edited_comes_back_into_its_cells_alone(kind, root, tmp_path, snapshot):
    (root / "fr/religion.csv").write_text(NEW_AXIS, encoding="utf-8")
    export, take, told = EXPORT[kind], TAKE[kind], []
    for case, values in CASES["edited"].items():
        if kind == "po" and any(step["by"][1] for step in values["steps"]):
            continue  # who checks a catalogue has read all of it
        folder = root / values["tag"]
        before, first = files(folder), export(folder)
        told.append(f"== {case}")
        for step in values["steps"]:
            sheet = returned(kind, first if step.get("first") else export(folder), step["texts"], step["by"])
            try:
                signed = step["by"][:1] if kind == "po" else ()
                changed, written = take(folder, put(tmp_path, sheet, f"sheet.{kind}"), *signed)
                told.append(f"-- {', '.join(written)}")
                told += [f"{entry.key}: {entry.text} [{entry.translator}] [{entry.checker}]" for entry in changed]
            except SheetError as error:
                told.append(with_lines_shown(str(error), sheet))
        changed = {name: raw for name, raw in files(folder).items() if raw != before[name]}
        for name, raw in changed.items():
            lines = difflib.unified_diff(
                before[name].decode().splitlines(), raw.decode().splitlines(), lineterm="", n=0
            )
            told += [line for line in lines if line[:2] not in ("--", "++")]
        assert take(folder, put(tmp_path, export(folder), f"sheet.{kind}")) == ([], [])
        load_locale(folder.name, root)
        for name in changed:
            (folder / name).write_bytes(before[name])
    snapshot.check(f"contribute/edited_{kind}", "\n".join(told))


@pytest.mark.parametrize("kind", ["csv", "po"])
def test_a_name_and_the_list_it_is_from_come_in_by_a_sheet(kind, root, tmp_path):
    folder, key, source = scaffold("sv", "en", root), "persons.csv:names/female-1:nom", "SCB, list of names: 2020"
    sheet = EXPORT[kind](folder)
    entry = f'#. name, female; form \'nom\'\nmsgctxt "{key}"\nmsgid "female-1"\nmsgstr "'
    written = sheet.replace(entry, f"# source: {source}\n{entry}Åsa")
    sheet = edited(sheet, key, text="Åsa", source=source) if kind == "csv" else written
    changed, written = TAKE[kind](folder, put(tmp_path, sheet, f"sheet.{kind}"))
    assert {(entry.unit, entry.source) for entry in changed} == {("persons.csv:names/female-1", source)}
    assert written == ["persons.csv"]
    (row,) = [person for person in read_csv(folder / "persons.csv").rows if person["id"] == "female-1"]
    assert (row["nom"], row["source"], row["id.gender"]) == ("Åsa", source, "female")
    # Nobody has written or read what is still to be written.
    po = put(tmp_path, export_po(folder), "sv.po")
    changed, _ = import_po(folder, po, translator="A", checker="B")
    assert {entry.unit for entry in changed} == {"persons.csv:names/female-1"}


def test_a_sheet_says_which_forms_may_stay_empty():
    texts = {entry.key: entry for tag in ("en", "ru", "he", "es") for entry in entries(locales_folder() / tag)}
    ends = {
        "persons.csv:noun-phrases/woman:obj": " (empty where it is like 'nom')",
        "persons.csv:pronouns/she:obj": "'obj'", "persons.csv:noun-phrases/woman:instr": "'instr'",
        "persons.csv:noun-phrases/woman:comit": " (stays empty)",
        "country.csv:United Kingdom": "a level of the axis country: United Kingdom; {GB} is filled in: Reino Unido",
    }  # fmt: skip
    assert {key: texts[key].wanted[-len(end) :] for key, end in ends.items()} == ends
    assert (texts["country.csv:United Kingdom"].english, texts["country.csv:United Kingdom"].text) == (
        "the United Kingdom", "el {GB}",
    )  # fmt: skip


def test_empty_cells_or_decomposed_accents_change_nothing(root, tmp_path):
    change(root / "en" / "words.csv", (",sad,consonant,paper", ",…,consonant,paper"))
    before = files(root / "en")
    assert import_csv(root / "en", put(tmp_path, edited(export_csv(root / "en"), "words.csv:sad", text=""))) == ([], [])
    assert files(root / "en") == before
    po = export_po(root / "es").replace("María", "Mari\u0301a")
    assert import_po(root / "es", put(tmp_path, po, "es.po")) == ([], [])


def test_a_catalogue_is_signed_by_who_takes_it_in_and_by_a_second_person(root, tmp_path):
    sheet = returned("po", export_po(root / "en"), {"words.csv:sad": "unhappy"}, ("", ""))
    po = put(tmp_path, sheet, "en.po")
    with pytest.raises(SheetError, match=r"was translated and checked by Rémy\. A second person checks"):
        import_po(root / "en", po, translator="Rémy", checker="Re\u0301my ")
    (changed,), _ = import_po(root / "en", po, translator="A")
    assert (changed.text, changed.translator, changed.checker) == ("unhappy", "A", "")
    import_po(root / "en", po, translator="A", checker="B")
    assert {(entry.translator, entry.checker) for entry in entries(root / "en")} == {("A", "B")}


SOURCES = {
    "ashley": "Rejestr PESEL: imiona występujące w rejestrze, osoby żyjące (dane.gov.pl), licencja CC0, stan na 2024",
    "alonzo": "https://dane.gov.pl/dataset/a-very-long-address/that-no-tool-can-break/without-a-space/in-it/2024",
    "ebony": "Słownik współczesnego języka polskiego z przykładami użycia, dodatek angielsko-polski, tom 2",
}
"""Sources of persons that are longer than a line."""


def wrapped(source, width):
    """The comment that names a source as a tool with lines of this width writes it."""
    lines = textwrap.wrap(f"source: {source}", width - 2, break_long_words=False)
    assert len(lines) > 1
    return "".join(f"# {line}\n" for line in lines)


def test_a_source_that_a_tool_has_wrapped_stays_whole(root, tmp_path):
    folder = root / "en"
    rows = {row["id"]: row for row in read_csv(folder / "persons.csv").rows}
    changed = {rows[person].place.line: {"source": source} for person, source in SOURCES.items()}
    text = changed_csv((folder / "persons.csv").read_text(encoding="utf-8"), changed)
    (folder / "persons.csv").write_text(text, encoding="utf-8")
    before, whole = files(folder), export_po(folder)
    for width in (76, 78):
        sheet = whole
        for source in SOURCES.values():
            assert f"# source: {source}\n" in sheet
            sheet = sheet.replace(f"# source: {source}\n", f"{wrapped(source, width)}# Unsure of this one\n")
        assert import_po(folder, put(tmp_path, sheet, "en.po")) == ([], [])
        assert files(folder) == before
    source = "Deutsches Wörterbuch von Jacob Grimm und Wilhelm Grimm, digitalisierte Fassung, Version 01/23"
    sheet = re.sub(r"# source: .*\n((#.*\n)*msgctxt \"words.csv:sad\")", rf"{wrapped(source, 78)}\1", whole)
    (entry,), _ = import_po(folder, put(tmp_path, sheet, "en.po"))
    assert (entry.key, entry.source) == ("words.csv:sad", source)


def with_lines_shown(message, text):
    """The message with the beginning of each line it names in place of the number."""
    lines = text.splitlines()
    return re.sub(r"(\bsheet\.\w+):(\d+)", lambda m: f"{m[1]}:<{lines[int(m[2]) - 1].split(',')[0]}>", message)


@pytest.mark.parametrize("kind", ["csv", "po"])
def test_a_sheet_with_mistakes_is_refused_whole(kind, root, tmp_path, snapshot):
    told, before = [], {tag: files(root / tag) for tag in ("en", "es")}
    sheets = {tag: EXPORT[kind](root / tag) for tag in before}
    for case, values in CASES["refused"][kind].items():
        tag = values.get("tag", "en")
        text = sheets[tag]
        for key, cells in values.get("cells", {}).items():
            text = edited(text, key, **cells)
        for pattern, line in values.get("lines", ()):
            text = re.sub(pattern, line, text, flags=re.MULTILINE)
        text = values.get("whole", text)
        assert text != sheets[tag], case
        with pytest.raises(SheetError) as error:
            TAKE[kind](root / tag, put(tmp_path, text, f"sheet.{kind}", values.get("encoding", "utf-8")))
        assert files(root / tag) == before[tag]
        told.append(f"{case}: {with_lines_shown(str(error.value), text)}")
    snapshot.check(f"contribute/refused_{kind}", "\n".join(told))


def take_cells(root, tmp_path, tag, key, **cells):
    """Take in the sheet of a language with some cells of one row changed; the changed entries."""
    return import_csv(root / tag, put(tmp_path, edited(export_csv(root / tag), key, **cells)))[0]


def test_a_check_stands_by_itself(root, tmp_path):
    (entry,) = take_cells(root, tmp_path, "en", "words.csv:sad", checker="B")
    assert (entry.translator, entry.checker) == ("", "B")
    (row,) = [row for row in read_csv(root / "en" / "words.csv").rows if row["id"] == "sad"]
    assert (row["translator"], row["checker"], row["status"]) == ("", "B", "paper")


def test_half_a_sheet_is_taken(root, tmp_path):
    sheet = edited(export_csv(root / "en"), "words.csv:sad", text="unhappy", source="a dictionary")
    lines = [line for line in sheet.splitlines(keepends=True) if line.startswith(("key,", "words.csv:sad,"))]
    assert len(lines) == 2
    changed, written = import_csv(root / "en", put(tmp_path, "".join(lines)))
    assert ([entry.text for entry in changed], written) == (["unhappy"], ["words.csv"])
    assert import_csv(root / "en", put(tmp_path, export_csv(root / "en"))) == ([], [])


def test_a_published_word_that_is_changed_keeps_the_former_one(root, tmp_path):
    key = "words.csv:enraged:gender=f.number=sg"
    take_cells(root, tmp_path, "es", key, text="rabiosa", source="RAE, Diccionario")
    (row,) = [row for row in read_csv(root / "es" / "words.csv").rows if row["form"] == "rabiosa"]
    assert (row["status"], row["paper"], row["source"]) == ("changed", "enfurecida", "RAE, Diccionario")


def test_a_corrected_word_that_is_changed_keeps_what_was_printed(root, tmp_path):
    key = "words.csv:scared:gender=m.number=sg"
    take_cells(root, tmp_path, "es", key, text="atemorizado", source="RAE, Diccionario")
    (row,) = [row for row in read_csv(root / "es" / "words.csv").rows if row["form"] == "atemorizado"]
    assert (row["status"], row["paper"]) == ("changed", "asustada")


def test_the_row_of_a_template_shows_an_english_sentence():
    english = {entry.key: entry.english for entry in entries(locales_folder() / "es")}
    assert english["templates.toml:t01.text"] == "Ebony feels angry."
    assert english["templates.toml:t08.variants.doubled.text.pronoun"] == "I saw her in the market."
    assert "(as in: " in english["locale.toml:nouns.situacion.form"]
    assert not [text for text in english.values() if "{{" in text]


@pytest.mark.parametrize(
    ("key", "file"),
    [("words.csv:sad", "words.csv"), ("templates.toml:t09.text", "templates.toml")],
)
def test_a_comment_is_kept_as_a_note(key, file, root, tmp_path):
    take_cells(root, tmp_path, "en", key, comment="or unhappy?")
    assert "or unhappy?" in (root / "en" / file).read_text(encoding="utf-8")
    assert import_csv(root / "en", put(tmp_path, export_csv(root / "en"))) == ([], [])
    load_locale("en", root)


@pytest.mark.parametrize("space", [" ", "\u00a0", "␣"])
def test_a_space_behind_a_text_is_trimmed(space, root, tmp_path):
    cells = {"text": f"unhappy{space}", "source": "a dictionary"}
    (entry,) = take_cells(root, tmp_path, "en", "words.csv:sad", **cells)
    assert entry.text == "unhappy"


def test_a_text_that_is_still_to_be_written_may_get_other_slots(root, tmp_path):
    scaffold("sv", "en", root)
    text = "{{ person.nom }} känner sig {{ state | agree(person) }}"
    (entry,) = take_cells(root, tmp_path, "sv", "templates.toml:t01.text", text=text)
    assert entry.text == text


def test_a_language_is_started_with_its_sheet(root, tmp_path):
    succeed("locale", "new", "sv", "--from", "en", "--sheet", tmp_path / "sv.csv", "--locales", root)
    key = "persons.csv:noun-phrases/woman:nom"
    sheet = edited((tmp_path / "sv.csv").read_text(encoding="utf-8"), key, text="den här kvinnan", source="A. Svensson")
    told = succeed("locale", "import", "sv", put(tmp_path, sheet), "--locales", root).output
    assert f"  {key}: den här kvinnan\n" in told
    assert "Still to be written: " in told
