"""``eec_datasets.load``: a corpus rendered here, or from a build."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from eec_datasets import corpora, schema
from eec_datasets.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from datasets import Dataset


def load(
    name: str,
    config: str | None = None,
    *,
    variants: Mapping[str, str] | None = None,
    speaker: str | None = None,
    words: str | None = None,
    names: int | None = None,
    items: int | str | None = None,
    seed: int = 0,
    signals: bool = False,
    revision: str | None = None,
    root: str | Path | None = None,
) -> Dataset:
    """A corpus as a `datasets.Dataset`: the same rows as ``load_dataset`` gives from a build.

    With one name, that config is rendered on the spot. With two, it is loaded from a build: a folder or a Hub
    repository; what `datasets` would do silently (an outdated cache, another revision offline) is then noticed.

    Parameters
    ----------
    name
        A config such as ``es-anglo-latino``; or, with `config`, a build folder or ``ORG/NAME`` on the Hub, of which
        nothing but `revision` can be chosen.
    config
        The config of that build.
    variants
        Wordings of templates (``{"t08": "doubled"}``), options of the language (``{"diacritics": "none"}``) and
        optional sets of persons (``{"persons": "epicene"}``). An unknown name is refused with those that there are.
    speaker
        ``female`` or ``male`` holds the gender of "me" where a sentence shows it, ``crossed`` renders both; by default
        what the config or the language says.
    words
        ``published`` for the words of the papers' corpora; ``paper`` for these without the words that were added, which
        gives the papers' sizes (8,640 sentences in English, 8,460 in Spanish, 8,040 in Arabic); ``revised`` for those
        that a close reading proposed; by default what the config says: those of the papers in the papers' corpora,
        revised ones in the others.
    names
        So many names of each cell (race × gender), at least 2; by default all. Noun phrases and pronouns stay.
    items
        So many items, at least 8, each with its own template and emotion word, kinds and emotions as even as can be,
        those without an emotion last; or ``all`` for every template of the config with every word of its kind; or the
        name of a list of items or a set of templates: ``lattice``, ``varied``, ``papers``. By default the items of the
        config.
    seed
        Which names and items a part takes; the part for a larger number holds that for a smaller one.
    signals
        Whether to add the column ``race_signal``, the probability of the group given the name, by which `measure` tests
        whether scores depend on how strongly a name signals its group. Sets of a hundred American names have it.
    revision
        Tag or commit of the Hub repository.
    root
        Folder of locales, if not the one that comes with the package.

    Returns
    -------
    ``ds.info.config_name`` and ``ds.info.version`` say what it is.

    Raises
    ------
    InputError
        There is no such config, or no such choice in it; the message says what there is.
    FileProblems, RenderError
        The files of the language cannot be read, or give no sentence.
    InputError, Unavailable
        The rows are not those asked for.
    """
    if not isinstance(name, str | PurePath):
        raise InputError(
            f"name is {name!r}; expected the name of a config, such as en-black-white, or the names of a build and a "
            "config"
        )
    choices: dict[str, Any] = {
        "variants": variants,
        "speaker": speaker,
        "words": words,
        "names": names,
        "items": items,
        "seed": seed,
        "root": root,
    }
    if config is None:
        if revision is not None:
            raise InputError(
                f"revision '{revision}' was asked of the config '{name}' alone, which is rendered here. "
                "Name the build before it: a folder, or ORG/NAME on the Hub"
            )
        return _with_signals(name, **choices) if signals else corpora.dataset(name, **choices)
    choices["signals"] = signals or None
    if chosen := [option for option, value in choices.items() if value != {"seed": 0}.get(option)]:
        raise InputError(
            f"{', '.join(chosen)} cannot be chosen of the build '{name}', whose sentences are fixed. "
            f"Name the config '{config}' alone, which is then rendered here"
        )
    from eec_datasets.hub import guards

    return guards.load(name, config, revision=revision)


def _with_signals(name: str, *, root: str | Path | None, **choices: Any) -> Dataset:
    """Render a config with the column of signals."""
    from eec_datasets.names.covariates import signals_of

    config = corpora.find(name, root=root)
    rendered = corpora.render(config, **choices)
    signals = signals_of(config, rendered.columns)
    if signals is None:
        raise InputError(
            f"signals were asked of '{name}', and no set of its names has a source of them. Leave signals out, or "
            "take a config with a hundred American names, such as en-black-white-100"
        )
    return corpora.dataset_of_rendering(rendered).add_column(schema.SIGNAL, signals)
