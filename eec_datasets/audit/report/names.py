"""What the names of a corpus carry beside their group, in words and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eec_datasets.audit.report.document import Entry, Row
from eec_datasets.audit.report.language import Translator
from eec_datasets.names.summary import USER_TOKENS
from eec_datasets.terminal import DASH

EVEN: Final = 0.15
"""Cells whose means are farther apart, in standard deviations within cells, are called apart."""


def carried(translator: Translator, entries: Sequence[Entry]) -> list[Row]:
    """Return what the names of every corpus carry, each corpus once.

    Returns
    -------
    list of dict
        ``config``; ``sentences``; ``heads`` and ``rows`` of a table of its cells; ``weak`` signals; whether these are
        ``attested`` names only.
    """
    distinct = {(entry.config, entry.data): entry for entry in entries if entry.names}
    tables = [_names(translator, entry.config, entry.names) for entry in distinct.values() if entry.names]
    # Two releases of a corpus may have the same names.
    return [table for i, table in enumerate(tables) if table not in tables[:i]]


def _names(translator: Translator, config: str, names: Row) -> Row:
    cells = names["cells"]
    rows = [[translator.say("names.count"), *(translator.count(cell["names"]) for cell in cells), "", ""]]
    if any(cell["attested"] is not None for cell in cells):
        counts = [DASH if cell["attested"] is None else translator.count(cell["attested"]) for cell in cells]
        rows.append([translator.say("names.attested"), *counts, "", ""])
    for feature in names["features"]:
        means = [quantity(translator, feature["feature"], mean["mean"]) for mean in feature["means"]]
        apart = translator.number(feature["apart"])
        rows.append([feature_name(translator, feature), *means, apart, translator.say(_evenness(feature))])
    heads = [translator.groups(cell["labels"]) for cell in cells]
    return {
        "config": config,
        "sentences": say_names(translator, names),
        "heads": ["", *heads, translator.say("names.apart"), ""],
        "rows": rows,
        "weak": [_say_doubts(translator, each) for each in names["weak"]],
        "attested": names["how"] == "attested",
    }


def _evenness(feature: Row) -> str:
    """Key of what is said of how even the groups are in a feature."""
    if feature["apart"] is None:
        return "names.not_comparable"
    return "names.matched" if feature["matched"] else "names.not_matched"


def say_names(translator: Translator, names: Row) -> str:
    """Say how names were chosen, in what their groups differ, and how many are weak signals."""
    how = "attested_only" if names["how"] == "attested" else names["how"]
    texts = [translator.say(f"names.{how}")]
    apart = [feature_name(translator, feature) for feature in names["features"] if (feature["apart"] or 0) > EVEN]
    partly = [feature_name(translator, feature) for feature in names["features"] if feature["apart"] is None]
    if apart:
        texts.append(translator.say("names.uneven", features=translator.listed(apart), within=translator.short(EVEN)))
    if partly:
        texts.append(translator.say("names.partly", features=translator.listed(partly)))
    if names["weak"]:
        weak = translator.listed(name["form"] for name in names["weak"])
        count = sum(cell["names"] for cell in names["cells"])
        texts.append(translator.say("names.weak", some=len(names["weak"]), count=count, names=weak))
    return " ".join(texts)


def feature_name(translator: Translator, feature: Row) -> str:
    """Name a feature of names; in the words of its source where the language of the report has none."""
    key = feature["feature"]
    source, _, field = key.partition(".")
    if source == USER_TOKENS or field == "tokens":
        return translator.say("names.tokens", tokenizer=feature["about"].removesuffix(": tokens"))
    translated = key in translator.texts["features"]
    return translator.say(f"features.{key}") if translated else str(feature["about"] or key)


def quantity(translator: Translator, name: str, value: float | None) -> str:
    """Write the mean of a feature: years as years, what is 100 or more as a whole number."""
    if value is None:
        return DASH
    if name.endswith(".year"):
        return translator.year(value)
    return translator.count(round(value)) if abs(value) >= 100 else translator.number(value)


def _say_doubts(translator: Translator, name: Row) -> str:
    reasons = [translator.groups(name["labels"])]
    for doubt in name["doubts"]:
        key, probability = "at_most" if doubt["at_most"] else "probability", translator.number(doubt["probability"])
        reasons.append(translator.say(f"names.{key}", source=doubt["source"], probability=probability))
    listed = f"{translator.say('page.semicolon')} ".join(reasons)
    return f"{translator.isolated(name['form'])} ({listed})"
