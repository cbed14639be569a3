"""What is known of a file's layout: which column holds what, in which language, and how its labels are called here."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from eec_datasets.errors import EecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FIELDS = ("id", "sentence", "template", "person", "gender", "race", "emotion", "word", "english")
"""What a column may hold; `english` is the English sentence a translated one stands for."""

NEEDED = ("sentence", "person", "gender")
GENDERS = {
    **dict.fromkeys(("female", "f", "woman", "women", "feminine"), "female"),
    **dict.fromkeys(("male", "m", "man", "men", "masculine"), "male"),
}


class UnknownPreset(EecError):
    """A preset was asked for that does not exist, or a column that no file can have."""


@dataclass(frozen=True, slots=True)
class Preset:
    """The layout of a file.

    Attributes
    ----------
    name : of the preset; empty where columns were named by hand.
    columns : field → headers that may hold it, in order of preference.
    language, config : the locale and config of ours that the file can be compared with; empty where there is none.
    english : config of ours that the column `english` can be looked up in.
    race : label in the file → ours; labels that are not listed stay as they are.
    by_race : label of a race in the file → config, where the races of the file tell which it is.
    templates : our template → wordings of the file's that differ from ours.
    """

    name: str
    about: str = ""
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    language: str = ""
    config: str = ""
    english: str = ""
    race: Mapping[str, str] = field(default_factory=dict)
    by_race: Mapping[str, str] = field(default_factory=dict)
    templates: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def with_columns(self, chosen: Mapping[str, str]) -> Preset:
        """Return the preset with some columns named by hand.

        Raises
        ------
        UnknownPreset : a field that no file can have.
        """
        for name in chosen:
            if name not in FIELDS:
                raise UnknownPreset(f"no field '{name}' to name a column for; there are: {', '.join(FIELDS)}")
        named = {name: (header,) for name, header in chosen.items()}
        return replace(self, columns={**self.columns, **named})

    def for_races(self, races: Iterable[str]) -> Preset:
        """Return the preset with the config that the races of a file ask for."""
        for race in races:
            if race in self.by_race:
                return replace(self, config=self.by_race[race])
        return self

    def with_templates(self, chosen: Mapping[str, str]) -> Preset:
        """Return the preset with the wording of some templates named by hand."""
        added = {name: (*self.templates.get(name, ()), text) for name, text in chosen.items()}
        return replace(self, templates={**self.templates, **added})


@lru_cache(maxsize=1)
def presets() -> Mapping[str, Preset]:
    """Return the layouts of the published files, by name."""
    raw = tomllib.loads((Path(__file__).parent / "presets.toml").read_text(encoding="utf-8"))
    return {name: Preset(name, **entry) for name, entry in raw.items()}


def preset_of(name: str | None) -> Preset:
    """Return the preset called `name`; without a name, a layout in which each field has its own name as header.

    Raises
    ------
    UnknownPreset : there is none; the message lists those there are.
    """
    by_name = presets()
    if name is None:
        columns = {own: [own, own.capitalize()] for own in FIELDS}
        columns["word"] = ["word", "Emotion word", "emotion word"]
        return Preset("", columns=columns, race=by_name["kiritchenko2018"].race)
    if name not in by_name:
        raise UnknownPreset(f"no preset '{name}'; there are: {', '.join(by_name)}")
    return by_name[name]
