"""A translator's sheet goes out and comes back into the same cells, or not at all."""

import csv
import difflib
import io
import re
import textwrap

import pytest
from sheets import edited
from texts import change

from eec_datasets.contribute.exchange import export_csv, export_po, import_csv, import_po
from eec_datasets.contribute.scaffold import scaffold
from eec_datasets.contribute.sheet import PEOPLE, SheetError, entries
from eec_datasets.locale.csv_file import read_csv
from eec_datasets.locale.reading import load_locale, locales_folder, tags


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
    sheet = edited(export_csv(root / "es"), "words.csv:sad:gender=any.number=sg", text="apenada")
    saved = io.StringIO(newline="")
    csv.writer(saved, delimiter=separator).writerows(csv.reader(io.StringIO(sheet)))
    changed, written = import_csv(root / "es", put(tmp_path, saved.getvalue(), encoding="utf-8-sig"))
    assert ([entry.text for entry in changed], written) == (["apenada"], ["words.csv"])


NEW_AXIS = "level,gender,form,source\nMuslim,f,,to be named\nMuslim,m,,to be named\n"
EDITS = {
    "a word": ("es", [("words.csv:glad:gender=f.number=sg", ("alegre", "Ana R.", "Luis T."))]),
    "a template, whose comments stay": (
        "en", [("templates.toml:t09.text", ("I spoke to {{ person.obj }} yesterday", "Ana R.", ""))]),
    "a changed text loses the check of the former one": (
        "en", [("words.csv:sad", (None, "A", "B")), ("words.csv:sad", ("unhappy", None, None))]),
    "a level of an identity axis": ("ar", [("religion.csv:Sikh:gender=f.definite=def", ("السيكية", "A", "B"))]),
    "an empty axis file": (
        "fr", [("religion.csv:Muslim:gender=f", ("musulmane", "A", "")),
               ("religion.csv:Muslim:gender=m", ("musulman", "", ""))]),
    "a fixed noun": ("es", [("locale.toml:nouns.situacion.form", ("circunstancia", "A", "B"))]),
    "a name on one text of a template is that of the template": (
        "es", [("templates.toml:t08.text.default", (None, "A", "B"))]),
}  # fmt: skip


def test_what_was_edited_comes_back_into_its_cells_and_nothing_else_changes(root, tmp_path, snapshot):
    (root / "fr/religion.csv").write_text(NEW_AXIS, encoding="utf-8")
    told = []
    for case, (tag, edits) in EDITS.items():
        folder, before = root / tag, files(root / tag)
        for key, cells in edits:
            given = {name: cell for name, cell in zip(("text", *PEOPLE), cells, strict=True) if cell is not None}
            changed, written = import_csv(folder, put(tmp_path, edited(export_csv(folder), key, **given)))
            told.append(f"== {case}: {', '.join(written)}")
            told += [f"{entry.key}: {entry.text} [{entry.translator}] [{entry.checker}]" for entry in changed]
        for name in written:
            old, new = (raw.decode().splitlines() for raw in (before[name], (folder / name).read_bytes()))
            told += [line for line in difflib.unified_diff(old, new, lineterm="", n=0) if line[:2] not in ("--", "++")]
        assert import_csv(folder, put(tmp_path, export_csv(folder))) == ([], [])
        load_locale(tag, root)
        for name in written:
            (folder / name).write_bytes(before[name])
    snapshot.check("contribute/edited", "\n".join(told))


@pytest.mark.parametrize("kind", ["csv", "po"])
def test_a_name_and_the_list_it_is_from_come_in_by_a_sheet(kind, root, tmp_path):
    folder, key, source = scaffold("sv", "en", root), "persons.csv:names/female-1:nom", "SCB, list of names: 2020"
    sheet = (export_csv if kind == "csv" else export_po)(folder)
    if kind == "csv":
        sheet = edited(sheet, key, text="Åsa", source=source)
    else:
        before, name, after = sheet.partition(
            f'#. name, female; form \'nom\'\nmsgctxt "{key}"\nmsgid "female-1"\nmsgstr "'
        )
        assert name
        sheet = f"{before}# source: {source}\n{name}Åsa{after}"
    changed, written = (import_csv if kind == "csv" else import_po)(folder, put(tmp_path, sheet, f"sheet.{kind}"))
    assert {(entry.unit, entry.source) for entry in changed} == {("persons.csv:names/female-1", source)}
    assert written == ["persons.csv"]
    (row,) = [person for person in read_csv(folder / "persons.csv").rows if person["id"] == "female-1"]
    assert (row["nom"], row["source"], row["id.gender"]) == ("Åsa", source, "female")


def test_a_country_that_cldr_names_is_shown_and_need_not_be_written(root):
    (entry,) = [entry for entry in entries(root / "es") if entry.key == "country.csv:United Kingdom"]
    assert entry.wanted == "a level of the axis country: United Kingdom; {GB} is filled in: Reino Unido"
    assert (entry.english, entry.text) == ("the United Kingdom", "el {GB}")


def test_a_sheet_says_which_forms_may_stay_empty_as_the_roles_of_the_language_say():
    wanted = {entry.key: entry.wanted for tag in ("en", "ru", "he") for entry in entries(locales_folder() / tag)}
    ends = {
        "noun-phrases/woman:obj": " (empty where it is like 'nom')", "pronouns/she:obj": "form 'obj'",
        "noun-phrases/woman:instr": "form 'instr'", "noun-phrases/woman:comit": " (stays empty)",
    }  # fmt: skip
    for key, end in ends.items():
        assert wanted[f"persons.csv:{key}"].endswith(end)


def test_an_empty_cell_that_is_still_to_be_written_stays_so(root, tmp_path):
    change(root / "en" / "words.csv", (",sad,consonant,paper", ",…,consonant,paper"))
    before = files(root / "en")
    assert import_csv(root / "en", put(tmp_path, edited(export_csv(root / "en"), "words.csv:sad", text=""))) == ([], [])
    assert files(root / "en") == before


def test_accents_that_a_tool_took_apart_are_put_together_again(root, tmp_path):
    po = export_po(root / "es")
    assert import_po(root / "es", put(tmp_path, po.replace("María", "Mari\u0301a"), "es.po")) == ([], [])


def test_a_po_file_records_who_wrote_and_who_read(root, tmp_path):
    po = export_po(root / "en").replace('msgid "sad"\nmsgstr "sad"', 'msgid "sad"\nmsgstr "unhappy"')
    changed, _ = import_po(root / "en", put(tmp_path, po, "en.po"), translator="A", checker="B")
    (entry,) = [entry for entry in changed if entry.text == "unhappy"]
    assert (entry.translator, entry.checker) == ("A", "B")
    assert {(entry.translator, entry.checker) for entry in entries(root / "en")} == {("A", "B")}


def test_a_catalogue_that_was_taken_in_is_read_by_a_second_person(root, tmp_path):
    folder = root / "es"
    po = put(tmp_path, export_po(folder).replace('msgstr "triste"', 'msgstr "apenada"'), "es.po")
    import_po(folder, po, translator="A")
    import_po(folder, po, translator="A", checker="B")
    assert {(entry.translator, entry.checker) for entry in entries(folder) if entry.text == "apenada"} == {("A", "B")}


SOURCES = {
    "ashley": "Rejestr PESEL: imiona występujące w rejestrze, osoby żyjące (dane.gov.pl), licencja CC0, stan na 2024",
    "alonzo": "https://dane.gov.pl/dataset/a-very-long-address/that-no-tool-can-break/without-a-space/in-it/2024",
    "ebony": "Słownik współczesnego języka polskiego z przykładami użycia, dodatek angielsko-polski, tom 2",
}
"""Sources of persons that are longer than a line."""


def test_a_source_that_a_tool_has_wrapped_stays_whole(root, tmp_path):
    path = root / "en" / "persons.csv"
    old = {row["id"]: row["source"] for row in read_csv(path).rows}
    text = path.read_text(encoding="utf-8")
    for person, source in SOURCES.items():
        line = next(line for line in text.splitlines(keepends=True) if line.startswith(f"{person},"))
        text = text.replace(line, line.replace(f'"{old[person]}"', old[person]).replace(old[person], f'"{source}"'))
    path.write_text(text, encoding="utf-8")
    before, whole = files(root / "en"), export_po(root / "en")
    for width in (76, 78):
        sheet = whole
        for source in SOURCES.values():
            wrapped = textwrap.wrap(
                f"source: {source}", width, initial_indent="# ", subsequent_indent="# ", break_long_words=False
            )
            assert f"# source: {source}\n" in sheet
            assert len(wrapped) > 1
            sheet = sheet.replace(f"# source: {source}\n", "\n".join([*wrapped, "# Unsure of this one", ""]))
        assert import_po(root / "en", put(tmp_path, sheet, "en.po")) == ([], [])
        assert files(root / "en") == before


def test_a_new_source_that_a_tool_has_wrapped_comes_in_whole(root, tmp_path):
    source = "Deutsches Wörterbuch von Jacob Grimm und Wilhelm Grimm, digitalisierte Fassung, Version 01/23"
    wrapped = textwrap.wrap(f"source: {source}", 78, initial_indent="# ", subsequent_indent="# ")
    sheet = re.sub(
        r"# source: .*\n((#.*\n)*msgctxt \"words.csv:sad\")", "\n".join([*wrapped, r"\1"]), export_po(root / "en")
    )
    changed, _ = import_po(root / "en", put(tmp_path, sheet, "en.po"))
    assert {(entry.key, entry.source) for entry in changed} == {("words.csv:sad", source)}


def test_who_wrote_a_text_does_not_check_it_with_a_space_behind_the_name(root, tmp_path):
    po = export_po(root / "en").replace('msgid "sad"\nmsgstr "sad"', 'msgid "sad"\nmsgstr "unhappy"')
    with pytest.raises(SheetError, match=r"was translated and checked by Rémy\. A second person checks"):
        import_po(root / "en", put(tmp_path, po, "en.po"), translator="Rémy", checker="Re\u0301my ")


def test_spaces_within_a_slot_are_no_other_slot(root, tmp_path):
    sheet = edited(export_csv(root / "en"), T09, text="I spoke to {{person.obj\u00a0}} yesterday")
    ((entry,), _) = import_csv(root / "en", put(tmp_path, sheet))
    assert entry.key == T09


@pytest.mark.parametrize("kind", ["csv", "po"])
def test_sheets_of_two_translators_come_in_one_after_the_other(kind, root, tmp_path):
    folder, before = root / "es", entries(root / "es")
    words = ("sad:gender=any", "furious:gender=f", "glad:gender=f")
    sad, furious, glad = (f"words.csv:{word}.number=sg" for word in words)
    whole = (export_csv if kind == "csv" else export_po)(folder)

    def take(translator, texts):
        sheet = whole
        for key, text in texts.items():
            if kind == "csv":
                sheet = edited(sheet, key, text=text, translator=translator)
            sheet = re.sub(rf'(msgctxt "{key}"\nmsgid ".*"\nmsgstr) ".*"', rf'\1 "{text}"', sheet)
        path = put(tmp_path, sheet, f"sheet.{kind}")
        return import_csv(folder, path) if kind == "csv" else import_po(folder, path, translator)

    take("A", {sad: "apenada", furious: "airada"})
    changed, _ = take("B", {glad: "alegre"})
    assert [(entry.key, entry.text, entry.translator) for entry in changed] == [(glad, "alegre", "B")]
    take("A", {sad: "afligida", furious: "airada"})
    with pytest.raises(SheetError, match=rf"'{sad}' has become 'afligida' in the files since this sheet was written"):
        take("B", {sad: "tristona", glad: "alegre"})
    wanted = {sad: ("afligida", "A"), furious: ("airada", "A"), glad: ("alegre", "B")}
    texts = {entry.key: (entry.text, entry.translator) for entry in before}
    assert {entry.key: (entry.text, entry.translator) for entry in entries(folder)} == texts | wanted


def test_who_signs_a_text_on_an_older_sheet_neither_brings_it_back_nor_unsigns_others(root, tmp_path):
    folder, key = root / "es", "words.csv:sad:gender=any.number=sg"

    def take(sheet, **cells):
        return import_csv(folder, put(tmp_path, edited(sheet, key, **cells)))

    def now():
        return next((entry.text, entry.translator, entry.checker) for entry in entries(folder) if entry.key == key)

    unsigned = export_csv(folder)
    take(unsigned, translator="A")
    # Who has the sheet from before reads the same text, and does not name its translator.
    take(unsigned, checker="C")
    assert now() == ("triste", "A", "C")
    signed = export_csv(folder)
    take(signed, text="apenada", translator="A")
    with pytest.raises(SheetError, match=f"'{key}' has become 'apenada' in the files since this sheet was written"):
        take(signed, checker="D")
    assert now() == ("apenada", "A", "")


def without(sheet, start, more=""):
    """The sheet without the line that begins so, and with more lines."""
    return "".join(line for line in sheet.splitlines(keepends=True) if not line.startswith(start)) + more


def row(sheet, start):
    return next(line for line in sheet.splitlines(keepends=True) if line.startswith(start))


SAD, T08, T09 = "words.csv:sad", "templates.toml:t08.text", "templates.toml:t09.text"
PO_SAD = 'msgctxt "words.csv:sad"\nmsgid "sad"\nmsgstr "sad"'
PO_TOP = "#. state word, sadness\n"
SHEETS = {
    "two translators of a template": (
        "es", lambda csv: edited(edited(csv, f"{T08}.default", translator="A"), f"{T08}.pronoun", translator="B")),
    "a lost slot": ("en", lambda csv: edited(csv, T09, text="I spoke to her yesterday")),
    "an emptied source": ("en", lambda csv: edited(csv, SAD, source="")),
    "a source of a template": ("en", lambda csv: edited(csv, T09, source="a book")),
    "an emptied cell": ("en", lambda csv: edited(csv, SAD, text="")),
    "a mark that turns the text": ("en", lambda csv: edited(csv, SAD, text="sad\u200f")),
    "a hyphen that cannot be seen": ("en", lambda csv: edited(csv, SAD, text="sa\u00add")),
    "a checker without a translator": ("en", lambda csv: edited(csv, SAD, checker="B")),
    "a checker of their own text": ("en", lambda csv: edited(csv, SAD, translator="A", checker="A")),
    "Latin-1": ("es", lambda csv: csv[:0] + "key,wanted,english,text,source,translator,checker\nk,w,e,enojó,,,\n"),
    "accents read as those of Windows": ("en", lambda csv: edited(csv, SAD, text="sÃ¡d")),
    "a spreadsheet": ("es", lambda csv: csv[:0] + "PK\x03\x04\xff"),
    "a space shown at the edge": ("en", lambda csv: edited(csv, SAD, text="sad␣")),
    "semicolons and tabs": ("es", lambda csv: csv[:0] + "key;wanted;english;text\tsource;translator;checker\n"),
    "what a spreadsheet took for a formula": ("en", lambda csv: edited(csv, SAD, text="#¿NOMBRE?")),
    "letters that a spreadsheet could not save": ("en", lambda csv: edited(csv, SAD, text="s?d")),
    "typographic quotes": ("en", lambda csv: edited(csv, SAD, text="“sad”")),
    "a renamed column": ("en", lambda csv: csv.replace("english", "English", 1)),
    "a shifted row": ("en", lambda csv: csv.replace(row(csv, SAD), row(csv, SAD).replace("\n", ",one too many\n"))),
    "rows missing, doubled and unknown": (
        "en", lambda csv: without(csv, "words.csv:angry,", row(csv, SAD) + row(csv, SAD).replace(SAD, f"{SAD}der"))),
}  # fmt: skip
CATALOGUES = {
    "another language": ("es", lambda po: po.replace("Language: es", "Language: pt_BR")),
    "a fuzzy entry": ("en", lambda po: po.replace('msgctxt "words.csv:sad"', '#, fuzzy\nmsgctxt "words.csv:sad"')),
    "a missing entry": ("en", lambda po: po.replace(f"{PO_TOP}{PO_SAD}\n\n", "")),
    "an emptied entry": ("en", lambda po: po.replace(PO_SAD, PO_SAD.replace('msgstr "sad"', 'msgstr ""'))),
    "nothing in it": ("en", lambda po: po[:0] + 'msgid "a\nmsgstr "b"\n'),
    "a plural form that is none": ("en", lambda po: po.replace('msgstr "sad"', 'msgstr[x] "sad"')),
    "a byte order mark": ("es", lambda po: "\ufeff" + po),
    "Latin-1": ("es", lambda po: po[:0] + 'msgid "a"\nmsgstr "enojó"\n'),
    "a header that is still to be filled in": ("en", lambda po: po.replace("nplurals=2", "nplurals=INTEGER")),
    "garbage": ("en", lambda po: po[:0] + "garbage\n"),
    "an entry twice": ("en", lambda po: po + PO_SAD.replace('msgstr "sad"', 'msgstr "unhappy"') + "\n"),
    "an entry without its context": ("en", lambda po: po.replace(PO_SAD, PO_SAD.split("\n", 1)[1])),
    "typographic quotes": (
        "en",
        lambda po: po.replace(PO_SAD, "# source: “A dictionary”\n" + PO_SAD.replace('msgstr "sad"', 'msgstr "“sad”"')),
    ),
    "a quote that is not closed": ("en", lambda po: po.replace(PO_SAD, PO_SAD.replace('msgstr "sad"', 'msgstr "sad'))),
    "a space at the edge": ("en", lambda po: po.replace(PO_SAD, PO_SAD.replace('msgstr "sad"', 'msgstr "sad "'))),
}


def with_lines_shown(message, text):
    """The message with the beginning of each line it names in place of the number."""
    lines = text.splitlines()
    return re.sub(r"(\bsheet\.\w+):(\d+)", lambda m: f"{m[1]}:<{lines[int(m[2]) - 1].split(',')[0]}>", message)


@pytest.mark.parametrize("kind", ["csv", "po"])
def test_a_sheet_with_mistakes_is_refused_whole(kind, root, tmp_path, snapshot):
    export, take = (export_csv, import_csv) if kind == "csv" else (export_po, import_po)
    told, before = [], {tag: files(root / tag) for tag in ("en", "es")}
    sheets = {tag: export(root / tag) for tag in before}
    for case, (tag, spoil) in (SHEETS if kind == "csv" else CATALOGUES).items():
        folder, whole = root / tag, sheets[tag]
        text = spoil(whole)
        assert text != whole, case
        with pytest.raises(SheetError) as error:
            take(
                folder,
                put(tmp_path, text, f"sheet.{kind}", "latin-1" if case in ("Latin-1", "a spreadsheet") else "utf-8"),
            )
        assert files(folder) == before[tag]
        told.append(f"{case}: {with_lines_shown(str(error.value), text)}")
    snapshot.check(f"contribute/refused_{kind}", "\n".join(told))


def test_nobody_has_written_or_read_what_is_still_to_be_written(root, tmp_path):
    folder = scaffold("sv", "en", root)
    assert import_po(folder, put(tmp_path, export_po(folder), "sv.po"), translator="A", checker="B") == ([], [])
