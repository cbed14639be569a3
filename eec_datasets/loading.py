"""``eec_datasets.load``: a corpus rendered here, or from a build."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from eec_datasets import corpora
from eec_datasets.errors import UnknownConfig, UnknownVariant

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
    names: int | None = None,
    items: int | str | None = None,
    seed: int = 0,
    revision: str | None = None,
    root: str | Path | None = None,
) -> Dataset:
    """A corpus as a `datasets.Dataset`: the same rows as ``load_dataset`` gives from a build.

    With one name, that config is rendered on the spot. With two, it is loaded from a build: a folder or a Hub
    repository; what `datasets` would do silently (an outdated cache, another revision offline) is then an error.

    Parameters
    ----------
    name : a config such as ``es-anglo-latino``; or, with `config`, a build folder or ``ORG/NAME`` on the Hub.
    config : the config of that build.
    variants, speaker, root : see `eec_datasets.corpora.render`; a build has none of them.
    names, items, seed : a balanced part of the config (``names=36, items=24``), see `eec_datasets.corpora.render`.
    revision : tag or commit of the Hub repository.

    Returns
    -------
    ``ds.info.config_name`` and ``ds.info.version`` say what it is.

    Raises
    ------
    UnknownConfig, UnknownVariant, LocaleError, RenderError : see `eec_datasets.corpora.render`.
    eec_datasets.hub.guards.GuardError : the rows are not those asked for.
    """
    if not isinstance(name, str | PurePath):
        raise UnknownConfig(
            f"name is {name!r}; expected the name of a config, such as en-black-white, or that of a build and a config"
        )
    choices: dict[str, Any] = {
        "variants": variants, "speaker": speaker, "names": names, "items": items, "seed": seed, "root": root,
    }  # fmt: skip
    if config is None:
        if revision is not None:
            raise UnknownVariant(
                f"revision '{revision}' was asked of the config '{name}' alone, which is rendered here. "
                "Name the build before it: a folder, or ORG/NAME on the Hub"
            )
        return corpora.dataset(name, **choices)
    if chosen := [option for option, value in choices.items() if value != {"seed": 0}.get(option)]:
        raise UnknownVariant(
            f"{', '.join(chosen)} cannot be chosen of the build '{name}', whose sentences are fixed. "
            f"Name the config '{config}' alone, which is then rendered here"
        )
    from eec_datasets.hub import guards

    return guards.load(name, config, revision=revision)
