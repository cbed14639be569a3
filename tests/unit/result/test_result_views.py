"""Views of a result, whatever was measured: rows, frames, scalars, tables, text."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from verdict_cases import DATA, corpus, result_of, scores

from eec_bias import TERM_KEYS, OptionError, Result, ResultError, compare, measure, report
from eec_bias.errors import OutputError
from eec_bias.result.numbers import p_is, p_value, rounded, signed
from eec_bias.result.tables import lay_out

THREE = corpus(("Anglo", "Black", "Latino"), pairs=False)
LEVELS = measure(scores(THREE), THREE)
QUIET = result_of("nothing to be found")


def test_frames_of_both_libraries_hold_what_the_dict_holds() -> None:
    polars = pytest.importorskip("polars", reason="needs polars")
    assert {tuple(row) for row in QUIET.overall} == {TERM_KEYS}
    frame, other = QUIET.to_frame(), QUIET.to_frame("polars")
    assert tuple(frame.columns) == tuple(other.columns) == TERM_KEYS
    effects = [row["effect"] for row in QUIET.to_dict()["terms"]]
    assert other["effect"].to_list() == effects
    assert frame["effect"].dropna().tolist() == [effect for effect in effects if effect is not None]
    # A column without any number is one of numbers all the same.
    assert other.schema["p_permutation"] == polars.Float64
    assert other.schema["n_persons"] == polars.Int64
    two = measure({"a": scores(DATA), "b": scores(DATA)}, DATA).to_frame("polars")
    assert (two.columns[0], two.shape) == ("system", (2 * len(QUIET.terms), 1 + len(TERM_KEYS)))


def test_an_unknown_library_or_layout_is_refused_with_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"library 'numpy'.*'pandas', 'polars'"):
        QUIET.to_frame("numpy")
    with pytest.raises(OptionError, match=r"layout 'html'.*'text', 'csv', 'latex'"):
        QUIET.tables("html")


def test_a_library_that_is_not_installed_is_named(monkeypatch) -> None:
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(OptionError, match=f"pip install {library}"):
            QUIET.to_frame(library)


def test_flat_scalars_serve_loggers() -> None:
    content, rows = QUIET.to_dict(), {(row["term"], row["subset"]): row for row in QUIET.overall}
    for (term, subset), row in rows.items():
        name = term if subset == "names" else f"{term}_{subset}"
        assert [content[f"{name}_{key}"] for key in ("effect", "p")] == [row["effect"], row["p"]]
    assert (content["gender_p_adjusted"], content["version"]) == (rows["gender", "names"]["p_adjusted"], "0.1.0")
    json.dumps(content, allow_nan=False)
    many = LEVELS.to_dict()
    assert many["race[Latino]_effect"] == many["terms"][2]["effect"]
    both = measure(scores(DATA, 3), DATA, reference=None).to_dict()
    assert both["gender[female]_effect"] == pytest.approx(-both["gender[male]_effect"])
    assert (many["race[any]_p"], many["gender_p"]) == (many["terms"][3]["p"], many["terms"][4]["p"])
    assert "race_effect" not in many


def test_flat_scalars_of_several_systems_stand_behind_their_names() -> None:
    result = measure({"a": scores(DATA), "org/b": scores(DATA, 1)}, DATA)
    for name in ("a", "org/b"):
        row = next(row for row in result.overall if (row["system"], row["term"]) == (name, "race"))
        assert result[f"{name}/race_effect"] == row["effect"]
    assert "race_effect" not in result
    assert dict(result).items() >= result.scalars.items()
    assert {key.rpartition("/")[2] for key in result.scalars} == set(measure(scores(DATA), DATA).scalars)


def test_flat_scalars_of_tasks_and_strata_stand_behind_these_in_turn() -> None:
    both = np.stack([scores(DATA), scores(DATA, 1)])
    result = measure(both, DATA, systems=["a", "a"], tasks=["fear", "anger"], by="emotion")
    rows = {(row["task"], row["stratum"]): row for row in result.overall if row["term"] == "race"}
    assert result["a/fear/joy/race_effect"] == rows["fear", "joy"]["effect"]


def test_names_with_slashes_do_not_share_flat_scalars() -> None:
    both = {"a/b": scores(DATA), "a": scores(DATA, 1)}
    result = measure(both, DATA, tasks={"a/b": "c", "a": "b/c"})
    assert result["a/b/c/race_effect"] == measure(scores(DATA), DATA)["race_effect"]
    assert result["a/b/c (2)/race_effect"] == measure(scores(DATA, 1), DATA)["race_effect"]


def test_intervals_and_cells_follow_from_the_scores() -> None:
    for row in QUIET.overall:
        reach = stats.t.ppf(0.975, row["df"]) * row["se"]
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((row["effect"] - reach, row["effect"] + reach))
        t = stats.t(row["df"])
        assert row["mde_alone"] == pytest.approx(row["se"] * (t.ppf(0.975) + t.ppf(0.8)))
        assert row["mde"] == pytest.approx(row["se"] * (t.ppf(1 - 0.025 / 16) + t.ppf(0.8)))
        assert row["t"] == pytest.approx(row["effect"] / row["se"])
    y = scores(DATA, 3)
    cell = next(c for c in QUIET.cells if c["race"] == "Black" and c["gender"] == "male")
    rows = (DATA["race"] == "Black") & (DATA["gender"] == "male")
    assert cell["mean"] == pytest.approx(y[rows].mean())
    assert cell["sd_persons"] == pytest.approx(pd.Series(y[rows]).groupby(DATA["person"][rows].values).mean().std())
    assert (cell["n_persons"], cell["n_sentences"], cell["subset"]) == (6, 72, "names")
    assert QUIET.beta_estimand == (
        "logit scale, treatment coding: race is a level minus Anglo at gender=male; gender is a level minus male at "
        "race=Anglo"
    )
    pairs = [c for c in QUIET.cells if c["subset"] == "pairs"]
    assert [(c["race"], c["gender"]) for c in pairs] == [(None, "female"), (None, "male")]


def test_the_text_is_that_of_the_dict_and_calls_nothing_unbiased() -> None:
    text = report(QUIET)
    assert text == report(QUIET) == report(QUIET.to_dict())
    assert not re.search("unbiased|is fair|debiased|no bias", text.lower())


def test_the_text_holds_its_parts_in_order(snapshot) -> None:
    text = report(QUIET)
    each = {"a": scores(DATA, female=0.1), "b": np.where(DATA["person"] == "she", 1, scores(DATA, 1))}
    several = measure(each, DATA, margin=2)
    numbers = re.compile(r"\d*\.\d+|\d+(?= samples|%)")
    assert report(several).index("System: a") < report(several).index("System: b")
    snapshot.check("result-text", f"{text}\n\n{'=' * 20}\n\n{numbers.sub('#', report(several))}")


def test_the_percentages_of_the_variance_add_up() -> None:
    for seed in range(20):
        for line in re.findall(r"Variance within groups .*", report(measure(scores(DATA, seed), DATA))):
            assert sum(map(int, re.findall(r"(\d+)%", line))) == 100, line


def test_text_of_classes_and_of_two_systems_has_their_answers() -> None:
    text = report(measure(np.where(DATA["gender"] == "female", "a", "b"), DATA, outputs="class", classes=["a", "b"]))
    assert text.startswith("rate[a]\n")
    assert "System" not in text
    assert re.search(r"^gender +female +male +names +\+1\.00 .* gap found$", text, re.MULTILINE)
    first = scores(DATA, female=0.1)
    text = report(compare(first * 0.5, first * 0.5 + 0.1, DATA))
    assert "each row shows the gap of a minus the gap of b" in text
    assert re.search(r"^race +Black +Anglo +names +0 .* none detected$", text, re.MULTILINE)


def test_tables_are_laid_out_in_text_csv_and_latex(snapshot) -> None:
    csv = LEVELS.tables("csv")["terms"].splitlines()
    assert csv[0].split(",") == list(TERM_KEYS)
    assert float(csv[1].split(",")[TERM_KEYS.index("effect")]) == LEVELS.overall[0]["effect"]
    snapshot.check("result-tables", "\n\n".join([LEVELS.tables()["terms"], LEVELS.tables("latex")["terms"]]))
    classes = measure((scores(DATA, female=0.1) > 0.55).astype(int), DATA, outputs="class")
    snapshot.check("result-flips", "\n\n".join(classes.tables(form)["flips"] for form in ("text", "csv", "latex")))


def test_latex_is_sound_whatever_stands_in_the_cells() -> None:
    evil = r"a_b & 50 % #1 $x$ {} ~ ^ \ < > – −1 | ↑ Δ ≤ ×"
    frame = pd.DataFrame([[evil, -0.5, None], ["x", 1e-7, 3]], columns=["a_b", "%", "#"])
    assert latex_problems(lay_out(frame, "latex", note=f"Note: {evil}")) == []
    spanned = frame.set_axis(pd.MultiIndex.from_tuples([("", "one"), ("A & B", "two"), ("A & B", "three")]), axis=1)
    assert latex_problems(lay_out(spanned, "latex", note="100 %")) == []
    assert lay_out(spanned, "csv").splitlines()[0] == "one,A & B two,A & B three"


def test_latex_that_is_not_sound_is_found() -> None:
    bad = "\\begin{tabular}{lr}\na_b & b & $1 \\\\\n"
    assert [problem.split(":")[0] for problem in latex_problems(bad)] == [
        "environments", "mathematics", "columns", "character _",
    ]  # fmt: skip


def latex_problems(table: str) -> list[str]:
    """Return what a LaTeX run would stumble over: environments, columns, braces, characters with a meaning."""
    found = []
    if re.findall(r"\\begin\{(\w+)\}", table) != re.findall(r"\\end\{(\w+)\}", table)[::-1]:
        found.append("environments")
    bare = re.sub(r"\\[\\&_%#${}]", lambda match: "~" if match[0] == r"\\" else "", table)
    if bare.count("{") != bare.count("}"):
        found.append("braces")
    if bare.count("$") % 2:
        found.append("mathematics")
    widths = [len(spec) for spec in re.findall(r"\\begin\{tabular\}\{([lrc]+)\}", table)]
    for line in table.split("\n"):
        body = re.sub(r"\\multicolumn\{(\d+)\}", lambda match: "&" * (int(match[1]) - 1), line)
        if line.endswith(r"\\") and len(re.findall(r"(?<!\\)&", body)) + 1 not in widths:
            found.append(f"columns: {line}")
    # Outside mathematics these have a meaning of their own.
    words = re.sub(r"\$[^$]*\$", "", bare)
    return found + [f"character {mark}" for mark in "_^#%<>–−" if mark in words]


def test_numbers_have_three_significant_digits_on_any_scale() -> None:
    expected = {
        0.01234: ("0.0123", "+0.0123"), -0.2: ("-0.200", "-0.200"), 1: ("1.00", "+1.00"), 0: ("0", "0"),
        0.00001234: ("0.0000123", "+0.0000123"), 1.2e-12: ("1.20e-12", "+1.20e-12"), 123.4: ("123", "+123"),
        45678.9: ("45700", "+45700"), 1.2e10: ("1.20e+10", "+1.20e+10"), 0.9996: ("1.00", "+1.00"), None: ("–", "–"),
    }  # fmt: skip
    assert {value: (rounded(value), signed(value)) for value in expected} == expected
    of_p = {0.0123: (".012", "p = .012"), 0.0004: ("< .001", "p < .001"), 1.0: ("1", "p = 1"),
            0.9996: ("> .999", "p > .999"), 0.04996: ("< .050", "p < .050"), 0.05: (".050", "p = .050"),
            None: ("–", "p –")}  # fmt: skip
    assert {value: (p_value(value), p_is(value)) for value in of_p} == of_p


def test_a_mapping_is_made_once_however_many_keys_are_read(monkeypatch) -> None:
    result, made, whole = measure(scores(DATA), DATA), [], Result.to_dict
    monkeypatch.setattr(Result, "to_dict", lambda self, **how: made.append(1) or whole(self, **how))
    dict(result)
    assert len(made) == 1


def test_a_result_is_a_mapping_of_what_its_dict_holds() -> None:
    assert dict(QUIET) == {**QUIET} == QUIET.to_dict()
    assert QUIET["race_effect"] == QUIET.to_dict()["race_effect"]
    assert "race_p" in QUIET
    assert QUIET.get("no such key", 0) == 0


def test_a_key_that_a_result_lacks_is_told_with_some_that_it_has() -> None:
    with pytest.raises(KeyError, match="'bias' is no key of this result; it has race_effect, race_p"):
        QUIET["bias"]


def test_a_result_has_its_scalars_without_being_made_a_dict() -> None:
    assert QUIET.scalars["race_effect"] == QUIET.overall[0]["effect"]
    assert Result.from_dict(QUIET.to_dict()).scalars == QUIET.scalars


def test_a_saved_result_is_loaded_again(tmp_path: Path) -> None:
    path = QUIET.save(tmp_path / "result.json")
    assert Result.load(path).to_dict(details=True) == QUIET.to_dict(details=True)
    with pytest.raises(OutputError, match="already exists"):
        QUIET.save(path)


def test_a_file_with_a_value_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    content = QUIET.to_dict()
    content["terms"][0]["effect"] = [1]
    path = tmp_path / "result.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ResultError, match=r"result\.json: .* terms\[0\]\.effect is \[1\]; expected a finite number"):
        Result.load(path)


def test_a_file_that_holds_no_result_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=r"cannot read .*nowhere\.json: No such file"):
        Result.load(tmp_path / "nowhere.json")
    (tmp_path / "text.json").write_text("effect 0.02")
    with pytest.raises(ResultError, match=r"text\.json is no JSON"):
        Result.load(tmp_path / "text.json")
