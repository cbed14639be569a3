"""A translator's sheet goes out and comes back into the same cells, or not at all."""

import csv
import io
import tomllib

import pytest

from eec_datasets.contribute.exchange import export_csv, export_po, import_csv, import_po
from eec_datasets.contribute.sheet import Entry, SheetError, entries
from eec_datasets.locale.reading import load_locale, tags


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def edited(sheet, key, **cells):
    """The sheet with some cells of the row `key` changed."""
    rows = list(csv.DictReader(io.StringIO(sheet)))
    for row in rows:
        if row["key"] == key:
            row.update(cells)
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def put(tmp_path, text, name="sheet.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def refusal(folder, sheet):
    before = files(folder)
    with pytest.raises(SheetError) as error:
        (import_po if sheet.suffix == ".po" else import_csv)(folder, sheet)
    assert files(folder) == before
    return str(error.value)


def read(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def line_of(sheet, key):
    return next(number for number, line in enumerate(sheet.splitlines(), start=1) if line.startswith(key))


@pytest.mark.parametrize("tag", tags())
def test_a_sheet_that_nobody_edited_changes_nothing(tag, root, tmp_path):
    before = files(root / tag)
    assert import_csv(root / tag, put(tmp_path, export_csv(root / tag))) == ([], [])
    assert import_po(root / tag, put(tmp_path, export_po(root / tag), "sheet.po")) == ([], [])
    assert files(root / tag) == before


def test_a_word_comes_back_with_its_translator_and_checker(root, tmp_path):
    key = "words.csv:glad:gender=f.number=sg"
    sheet = edited(export_csv(root / "es"), key, text="alegre", translator="Ana R.", checker="Luis T.")
    changed, written = import_csv(root / "es", put(tmp_path, sheet))
    assert [(entry.key, entry.text) for entry in changed] == [(key, "alegre")]
    assert written == ["words.csv"]
    rows = [row for row in read(root / "es/words.csv") if row["form"] == "alegre"]
    assert [(row["id"], row["translator"], row["checker"]) for row in rows] == [("glad", "Ana R.", "Luis T.")]
    assert import_csv(root / "es", put(tmp_path, export_csv(root / "es"))) == ([], [])


def test_a_template_comes_back_and_its_comments_stay(root, tmp_path):
    before = (root / "en/templates.toml").read_text(encoding="utf-8")
    sheet = edited(
        export_csv(root / "en"),
        "templates.toml:t09.text",
        text="I spoke to {{ person.obj }} yesterday",
        translator="Ana R.",
    )
    import_csv(root / "en", put(tmp_path, sheet))
    after = (root / "en/templates.toml").read_text(encoding="utf-8")
    expected = before.replace("I talked to", "I spoke to")
    assert after.replace('translator = "Ana R."\n', "") == expected
    assert 'translator = "Ana R."' in after


def test_a_changed_text_loses_the_check_of_the_former_one(root, tmp_path):
    key = "words.csv:sad"
    import_csv(root / "en", put(tmp_path, edited(export_csv(root / "en"), key, translator="A", checker="B")))
    import_csv(root / "en", put(tmp_path, edited(export_csv(root / "en"), key, text="unhappy")))
    (row,) = [row for row in read(root / "en/words.csv") if row["id"] == "sad"]
    assert (row["form"], row["translator"], row["checker"]) == ("unhappy", "A", "")


def test_a_level_of_an_identity_axis_is_written_in_the_sheet(root, tmp_path):
    key = "religion.csv:Sikh:gender=f.definite=def"
    (entry,) = [entry for entry in entries(root / "ar") if entry.key == key]
    assert entry == Entry(
        key, "a level of the axis religion: Sikh; agrees with gender f, definite def", "Sikh", "السيخية"
    )
    sheet = edited(export_csv(root / "ar"), key, text="السيكية", translator="A", checker="B")
    changed, written = import_csv(root / "ar", put(tmp_path, sheet))
    assert [entry.text for entry in changed] == ["السيكية"]
    assert written == ["religion.csv"]
    rows = [row for row in read(root / "ar/religion.csv") if row["form"] == "السيكية"]
    assert [(row["level"], row["gender"], row["translator"], row["checker"]) for row in rows] == [
        ("Sikh", "f", "A", "B")
    ]


def test_an_empty_axis_file_is_filled_by_its_sheet(root, tmp_path):
    (root / "fr/religion.csv").write_text(
        "level,gender,form,source\nMuslim,f,,to be named\nMuslim,m,,to be named\n", encoding="utf-8"
    )
    sheet = export_csv(root / "fr")
    sheet = edited(sheet, "religion.csv:Muslim:gender=f", text="musulmane", translator="A")
    sheet = edited(sheet, "religion.csv:Muslim:gender=m", text="musulman")
    import_csv(root / "fr", put(tmp_path, sheet))
    assert (root / "fr/religion.csv").read_text(encoding="utf-8") == (
        "level,gender,form,source,translator,checker\n"
        "Muslim,f,musulmane,to be named,A,\n"
        "Muslim,m,musulman,to be named,,\n"
    )


def test_a_country_that_cldr_names_is_shown_and_need_not_be_written(root):
    (entry,) = [entry for entry in entries(root / "es") if entry.key == "country.csv:United Kingdom"]
    assert entry.wanted == "a level of the axis country: United Kingdom; {GB} is filled in: Reino Unido"
    assert (entry.english, entry.text) == ("the United Kingdom", "el {GB}")


def test_a_fixed_noun_comes_back_with_its_translator(root, tmp_path):
    key = "locale.toml:nouns.situacion.form"
    sheet = edited(export_csv(root / "es"), key, text="circunstancia", translator="A", checker="B")
    before = (root / "es/locale.toml").read_text(encoding="utf-8")
    import_csv(root / "es", put(tmp_path, sheet))
    after = (root / "es/locale.toml").read_text(encoding="utf-8")
    (old,) = set(before.splitlines()) - set(after.splitlines())
    (new,) = set(after.splitlines()) - set(before.splitlines())
    assert old == 'situacion = { form = "situación", gender = "f", number = "sg" }'
    assert tomllib.loads(new)["situacion"] == {
        "form": "circunstancia",
        "gender": "f",
        "number": "sg",
        "translator": "A",
        "checker": "B",
    }
    assert load_locale("es", root).nouns["situacion"].gram == {"gender": "f", "number": "sg"}


def test_a_name_on_one_text_of_a_template_is_that_of_the_template(root, tmp_path):
    sheet = edited(export_csv(root / "es"), "templates.toml:t08.text.default", translator="A", checker="B")
    import_csv(root / "es", put(tmp_path, sheet))
    of_t08 = [entry for entry in entries(root / "es") if entry.key.startswith("templates.toml:t08.")]
    assert {(entry.translator, entry.checker) for entry in of_t08} == {("A", "B")}
    assert len(of_t08) == 3
    assert import_csv(root / "es", put(tmp_path, sheet)) == ([], [])


def test_two_translators_of_one_template_are_told_apart(root, tmp_path):
    sheet = edited(export_csv(root / "es"), "templates.toml:t08.text.default", translator="A")
    sheet = edited(sheet, "templates.toml:t08.text.pronoun", translator="B")
    line = line_of(sheet, "templates.toml:t08.text.default")
    assert refusal(root / "es", put(tmp_path, sheet)) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        f"  sheet.csv:{line}: 'templates.toml:t08' names the translators A and B. "
        "All its texts have one translator: leave one name"
    )


def test_a_lost_slot_is_told_apart(root, tmp_path):
    sheet = edited(export_csv(root / "en"), "templates.toml:t09.text", text="I spoke to her yesterday")
    line = line_of(sheet, "templates.toml:t09.text")
    assert refusal(root / "en", put(tmp_path, sheet)) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        f"  sheet.csv:{line}: 'templates.toml:t09.text' has the slots none, not {{{{ person.obj }}}}. "
        "Keep what stands in {{ … }}; to change it, edit the file itself"
    )


def test_an_emptied_cell_of_a_spreadsheet_is_told_apart(root, tmp_path):
    sheet = edited(export_csv(root / "en"), "words.csv:sad", text="")
    line = line_of(sheet, "words.csv:sad,")
    assert refusal(root / "en", put(tmp_path, sheet)) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        f"  sheet.csv:{line}: 'words.csv:sad' is not translated. It was 'sad'; write a text"
    )


def test_an_empty_cell_that_is_still_to_be_written_stays_so(root, tmp_path):
    words = root / "en" / "words.csv"
    words.write_text(
        words.read_text(encoding="utf-8").replace(",sad,consonant,paper", ",…,consonant,paper"), encoding="utf-8"
    )
    before = files(root / "en")
    assert import_csv(root / "en", put(tmp_path, edited(export_csv(root / "en"), "words.csv:sad", text=""))) == ([], [])
    assert files(root / "en") == before


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("sad\u200f", "has the invisible character RIGHT-TO-LEFT MARK (U+200F). Remove it"),
        ("sa\u00add", "has the invisible character SOFT HYPHEN (U+00AD). Remove it"),
    ],
)
def test_what_copying_brings_in_unseen_is_told_apart(text, problem, root, tmp_path):
    sheet = edited(export_csv(root / "en"), "words.csv:sad", text=text)
    line = line_of(sheet, "words.csv:sad,")
    assert refusal(root / "en", put(tmp_path, sheet)) == (
        f"sheet 'sheet.csv': 1 problem; nothing was written\n  sheet.csv:{line}: 'words.csv:sad' {problem}"
    )


def test_accents_that_a_tool_took_apart_are_put_together_again(root, tmp_path):
    po = export_po(root / "es")
    assert import_po(root / "es", put(tmp_path, po.replace("María", "Mari\u0301a"), "es.po")) == ([], [])


def test_a_po_file_of_another_language_is_told_apart(root, tmp_path):
    po = export_po(root / "es").replace("Language: es", "Language: pt_BR")
    assert refusal(root / "es", put(tmp_path, po, "es.po")) == (
        "sheet 'es.po': 1 problem; nothing was written\n"
        "  es.po:1: the catalogue says that its language is 'pt_BR', and 'es' was expected. "
        "Choose the file of this language, or mend its line Language"
    )


def test_a_checker_needs_a_translator(root, tmp_path):
    sheet = edited(export_csv(root / "en"), "words.csv:sad", checker="B")
    line = line_of(sheet, "words.csv:sad,")
    assert refusal(root / "en", put(tmp_path, sheet)) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        f"  sheet.csv:{line}: 'words.csv:sad' has the checker B and no translator. "
        "Name who wrote it, or take the checker out"
    )


def test_a_po_file_records_who_wrote_and_who_read(root, tmp_path):
    po = export_po(root / "en").replace('msgid "sad"\nmsgstr "sad"', 'msgid "sad"\nmsgstr "unhappy"')
    changed, _ = import_po(root / "en", put(tmp_path, po, "en.po"), translator="A", checker="B")
    (entry,) = [entry for entry in changed if entry.text == "unhappy"]
    assert (entry.translator, entry.checker) == ("A", "B")
    assert {(entry.translator, entry.checker) for entry in entries(root / "en")} == {("A", "B")}


def test_nobody_checks_their_own_translation(root, tmp_path):
    sheet = edited(export_csv(root / "en"), "words.csv:sad", translator="A", checker="A")
    line = line_of(sheet, "words.csv:sad,")
    assert refusal(root / "en", put(tmp_path, sheet)) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        f"  sheet.csv:{line}: 'words.csv:sad' was translated and checked by A. A second person checks"
    )


def test_a_latin_1_sheet_is_told_apart(root, tmp_path):
    sheet = put(tmp_path, "key,wanted,english,text,translator,checker\nk,w,e,enojó,,\n", encoding="latin-1")
    assert refusal(root / "es", sheet) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        "  sheet.csv:2: byte 0xf3 is not UTF-8; the file looks like Latin-1 (Windows). "
        "Save it as UTF-8 and look at the accents again"
    )


def test_a_sheet_with_a_bom_is_told_apart(root, tmp_path):
    sheet = put(tmp_path, export_csv(root / "es"), encoding="utf-8-sig")
    assert refusal(root / "es", sheet) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        "  sheet.csv:1: the file begins with a byte order mark (BOM). Save it as 'UTF-8', not 'UTF-8 with BOM'"
    )


def test_a_sheet_with_semicolons_is_told_apart(root, tmp_path):
    sheet = put(tmp_path, "key;wanted;english;text;translator;checker\n")
    assert refusal(root / "es", sheet) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        "  sheet.csv:1: the columns are separated by semicolons. Save the sheet as CSV with commas"
    )


def test_smart_quotes_are_told_apart(root, tmp_path):
    sheet = edited(export_csv(root / "en"), "words.csv:sad", text="“sad”")
    line = line_of(sheet, "words.csv:sad,")
    assert refusal(root / "en", put(tmp_path, sheet)) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        f"  sheet.csv:{line}: column 'text' begins with the typographic quote “. Remove the quotes a spreadsheet added"
    )


def test_a_renamed_column_is_told_apart(root, tmp_path):
    sheet = export_csv(root / "en").replace("english", "English", 1)
    assert refusal(root / "en", put(tmp_path, sheet)) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        "  sheet.csv:1: column english missing; the header has key, wanted, English, text, translator, checker. "
        "A column may have been renamed: restore its name"
    )


def test_a_shifted_row_is_told_apart(root, tmp_path):
    rows = export_csv(root / "en").splitlines()
    at = next(number for number, row in enumerate(rows) if row.startswith("words.csv:sad,"))
    rows[at] += ",one too many"
    assert refusal(root / "en", put(tmp_path, "\n".join(rows) + "\n")) == (
        "sheet 'sheet.csv': 1 problem; nothing was written\n"
        f"  sheet.csv:{at + 1}: 7 cells where the header has 6. "
        "A comma may be missing or unquoted: the row has shifted"
    )


def test_missing_unknown_and_doubled_rows_are_all_told(root, tmp_path):
    rows = export_csv(root / "en").splitlines()
    sad = next(row for row in rows if row.startswith("words.csv:sad,"))
    angry = next(row for row in rows if row.startswith("words.csv:angry,"))
    rows.remove(angry)
    rows += [sad, sad.replace("words.csv:sad", "words.csv:sadder", 1)]
    first, last = rows.index(sad) + 1, len(rows)
    assert refusal(root / "en", put(tmp_path, "\n".join(rows) + "\n")) == (
        "sheet 'sheet.csv': 3 problems; nothing was written\n"
        f"  sheet.csv:{last - 1}: 'words.csv:sad' stands twice. The other is on line {first}; keep one\n"
        f"  sheet.csv:{last}: unknown key 'words.csv:sadder'. Do not change the column key; a row may have shifted\n"
        "  sheet.csv:1: 'words.csv:angry' is missing. Export the sheet again, or restore the row"
    )


def test_a_fuzzy_entry_is_told_apart(root, tmp_path):
    po = export_po(root / "en").replace('msgctxt "words.csv:sad"', '#, fuzzy\nmsgctxt "words.csv:sad"')
    line = line_of(po, 'msgctxt "words.csv:sad"') + 1
    assert refusal(root / "en", put(tmp_path, po, "en.po")) == (
        "sheet 'en.po': 1 problem; nothing was written\n"
        f"  en.po:{line}: 'words.csv:sad' is fuzzy. Settle the text and remove the fuzzy mark"
    )


def test_a_missing_po_entry_is_told_apart(root, tmp_path):
    po = export_po(root / "en")
    start = po.index('#. state word, sadness\nmsgctxt "words.csv:sad"')
    po = po[:start] + po[po.index("\n\n", start) + 2 :]
    assert refusal(root / "en", put(tmp_path, po, "en.po")) == (
        "sheet 'en.po': 1 problem; nothing was written\n"
        "  en.po:1: 'words.csv:sad' is missing. Export the sheet again, or restore the row"
    )


def test_an_emptied_po_entry_is_told_apart(root, tmp_path):
    po = export_po(root / "en").replace('msgid "sad"\nmsgstr "sad"', 'msgid "sad"\nmsgstr ""')
    line = line_of(po, 'msgctxt "words.csv:sad"') + 1
    assert refusal(root / "en", put(tmp_path, po, "en.po")) == (
        "sheet 'en.po': 1 problem; nothing was written\n"
        f"  en.po:{line}: 'words.csv:sad' is not translated. It was 'sad'; write a text"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('msgid "a\nmsgstr "b"\n', "it holds no entry. Export the sheet again"),
        ("garbage\n", "Unknown or misformatted keyword on 0. Save it as UTF-8 from the translation tool"),
    ],
)
def test_broken_po_syntax_is_told_apart(text, why, root, tmp_path):
    assert refusal(root / "en", put(tmp_path, text, "en.po")) == (
        f"sheet 'en.po': 1 problem; nothing was written\n  en.po:1: not a valid PO file: {why}"
    )
