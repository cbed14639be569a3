"""What the names of a corpus carry beside their group, in words and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from eec_datasets.audit.report.language import Translator
from eec_datasets.names.summary import USER_TOKENS

Row = Mapping[str, Any]

EVEN: Final = 0.15
"""Cells whose means are farther apart, in standard deviations within cells, are called apart."""


def say_names(translator: Translator, names: Row) -> str:
    """Say how names were chosen, in what their groups differ, and how many are weak signals."""
    texts = [translator.say(f"names.{names['how']}")]
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
